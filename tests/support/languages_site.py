"""A tiny handbook in three languages: every kind of message, every state, measured and recorded."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.pofile import read_po
from bs4 import BeautifulSoup, Tag
from sphinx.locale import translators

import polytab
from polytab.recordings.files import save_recording
from polytab.settings import load_settings
from polytab.site.build import compile_translations
from polytab.translations.catalogs import Entry
from tests.support.built import build
from tests.support.handbook import FILES, job, record, recording, write
from tests.support.numbers_site import COMPILED_WINS, EAGER_WINS, USUALLY, output
from tests.translations.tongues import LANGUAGES, write_catalog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from polytab.settings import Settings
    from tests.support.built import Built

REPOSITORY = "https://forge.example/books/tiny"
ADDRESS = "https://tiny.example/book"
LOCALES = {"zh": "zh_CN", "pt": "pt_BR"}

_LANGUAGES = LANGUAGES.replace('"zh-CN"', '"zh-CN"\ntitle = "小手册"')
_CONF = """\
numfig = True
html_show_copyright = False
html_use_index = True
"""
_MEASURING = """\
# /// polytab
# measures = true
# ///

# %% forward
import measure

measure.compare("forward", eager=list, compiled=tuple)
"""

PAGES = {
    "docs/index.md": "# The Handbook\n\n```{toctree}\ntour\nspeed\nstates\nbare\nmore/deep\n```\n",
    "docs/tour.md": """\
# Tour

(start)=
## The start

Every snippet runs.

:::{snippet} plain
:::

:::{snippet} add
:::

:::{figure} flow.svg
:alt: From the weights to the sum

The data flows.
:::
""",
    "docs/flow.svg": """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
<text>weights</text><text class="code">weights</text>
</svg>
""",
    "docs/speed.md": """\
# Speed

:::{benchmark} forward
:::

::::{verdict} forward: compiled vs eager
:::{when} faster
Compiling pays.
:::
:::{when} slower
Compiling costs.
:::
::::

:::::{tabs}
::::{group-tab} PyTorch
It is {ratio}`forward: compiled vs eager` times as fast.
::::
:::::
""",
    "docs/states.md": """\
# States

This one
stays.

It is slower on the CPU.

Call `net` once more.

Someone doubts this.

Nobody knows this.
""",
    "docs/bare.md": "# Bare\n\nNo catalog knows this.\n",
    "docs/more/deep.md": "# Deep\n",
    "snippets/measure.py": "",
    "snippets/tour/python.py": '# %% plain\nprint("plain # text")  # Said once.\n',
    "snippets/tour/torch.py": """\
# %% add
# Add two numbers.
x = 1 + 2  # The sum.
print("torch", x)
""",
    "snippets/tour/mxnet.py": '# %% add\n# Add two numbers.\nx = 1 + 2\nprint("mxnet", x)\n',
    "snippets/speed/torch.py": _MEASURING,
    "snippets/speed/mxnet.py": _MEASURING,
}

WORDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "index": {"The Handbook": ("手册", "O manual")},
    "more/deep": {"Deep": ("深处", "Fundo")},
    "tour": {
        "Tour": ("导览", "Passeio"),
        "The start": ("开始", "O começo"),
        "Every snippet runs.": ("每段代码都能运行。", "Todo trecho roda."),
        "From the weights to the sum": ("从权重到总和", "Dos pesos à soma"),
        "weights": ("权重", "pesos"),
        "The data flows.": ("数据在流动。", "Os dados fluem."),
    },
    "speed": {
        "Speed": ("速度", "Velocidade"),
        "Compiling pays.": ("编译值得。", "Compilar compensa."),
        "Compiling costs.": ("编译有代价。", "Compilar custa."),
        "It is {ratio}`forward: compiled vs eager` times as fast.": (
            "速度是{ratio}`forward: compiled vs eager`倍。",
            "É {ratio}`forward: compiled vs eager` vezes mais rápido.",
        ),
    },
    "snippets/tour": {
        "Said once.": ("说一次。", "Dito uma vez."),
        "Add two numbers.": ("把两个数相加。", "Some dois números."),
        "The sum.": ("总和。", "A soma."),
    },
    "snippets/speed": {
        "forward": ("前向计算", "passagem"),
        "eager": ("即时执行", "imediato"),
        "compiled": ("编译执行", "compilado"),
    },
}
"""What translators have written, Chinese and Portuguese."""

_SLOWER, _CALL, _DOUBT = PAGES["docs/states.md"].split("\n\n")[2:5]
_FASTER, _CALL_IT = "It is faster on the CPU.", "Call it once more."

STATES: Mapping[str, tuple[Entry, ...]] = {
    "zh": (
        Entry("States", "状态"),
        Entry("This one stays.", "这一段不变。"),
        Entry(_SLOWER, "在CPU上更快。", fuzzy=True, previous=_FASTER),
        Entry(_CALL, "再调用一次。", fuzzy=True, previous=_CALL_IT),
        Entry(_DOUBT, "有人怀疑这一点。", fuzzy=True),
        Entry("Nobody knows this."),
    ),
    "pt": (
        Entry("States", "Estados"),
        Entry("This one stays.", "Este fica."),
        Entry(_SLOWER, "É mais rápido na CPU.", fuzzy=True, previous=_FASTER),
        Entry(_CALL, "Chame mais uma vez.", fuzzy=True, previous=_CALL_IT),
        Entry(_DOUBT, "Alguém duvida disto.", fuzzy=True),
        Entry("Nobody knows this."),
    ),
}
"""The catalogs of the page `states`: translated, outdated in three ways, and missing."""


def write_pages(root: Path, **addresses: str) -> Settings:
    """Write the handbook with every output recorded, and no catalog yet."""
    top = "".join(f'{name} = "{value}"\n' for name, value in addresses.items())
    table = "[tool.polytab]\n"
    text = FILES["pyproject.toml"].replace(table, table + top) + _LANGUAGES
    gone = {"docs/end.md", "snippets/end/python.py"}
    files = {name: each for name, each in FILES.items() if name not in gone}
    conf = FILES["conf.py"] + _CONF
    write(root, {**files, **PAGES, "pyproject.toml": text, "conf.py": conf})
    settings = load_settings(root)
    record(settings)
    for framework, medians in (("torch", COMPILED_WINS), ("mxnet", EAGER_WINS)):
        measuring = job(settings, "speed", framework)
        shown = {"forward": [output("forward", medians, USUALLY)]}
        save_recording(settings.recordings, recording(measuring, shown))
    return settings


def write_catalogs(settings: Settings) -> None:
    """Write the catalogs of every page but `bare`, which has none."""
    for number, code in enumerate(("zh", "pt")):
        language = settings.language(code)
        for name, words in WORDS.items():
            entries = [Entry(source, said[number]) for source, said in words.items()]
            write_catalog(settings, language, name, *entries)
        write_catalog(settings, language, "states", *STATES[code])


def build_language(settings: Settings, code: str, builder: str = "html") -> Built:
    """Build one language in this process, from a copy, so that others stay as they are built."""
    root = Path(shutil.copytree(settings.root, settings.root.with_name(f"{code}-{builder}")))
    copied = load_settings(root)
    language = copied.language(code)
    assert compile_translations(copied, [language]) == ()
    translators.clear()  # Sphinx keeps those of the last language for the whole process
    try:
        return build(root, builder, language=language.locale)
    finally:
        translators.clear()


def whole(built: Built, page: str) -> BeautifulSoup:
    """Return a page with its head and all that stands around its article."""
    return BeautifulSoup(built.text(f"{page}.html"), "html.parser")


def paragraph(article: Tag, text: str) -> Tag:
    """Return the one element of an article that says exactly this."""
    [found] = [each for each in article.find_all("p") if each.get_text() == text]
    return found


def own_words(code: str) -> Mapping[str, str]:
    """Return what translators have made of our words."""
    folder = Path(polytab.__file__).parent / "interface" / "locale" / LOCALES[code] / "LC_MESSAGES"
    with (folder / "polytab.po").open("rb") as file:
        found = read_po(file, abort_invalid=True)
    return {str(each.id): str(each.string) for each in found if each.id}
