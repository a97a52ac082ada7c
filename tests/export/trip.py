"""A handbook whose one page has all that is taken away: helpers, data, errors, numbers, figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.recordings.files import save_recording
from polytab.settings import load_settings
from polytab.site.build import compile_translations
from polytab.translations.catalogs import Entry
from tests.support.handbook import FILES, job, record, recording, stream, write
from tests.support.numbers_site import COMPILED_WINS, EAGER_WINS, USUALLY, output
from tests.translations.tongues import LANGUAGES, write_catalog

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

GITHUB = "https://github.com/books/tiny"
ADDRESS = "https://tiny.example/book"

_PAGE = """\
(trip)=
# The trip

Everyone *reads* this, and {ref}`the end <far>`, and [a house](https://house.example/).
It costs $5 or \\*more\\*.

:::{snippet} plain
:::

::::::{tabs}
:::::{group-tab} PyTorch
Only **torch** is told this.

- One
- Two

:::{snippet} load
:::
:::::
:::::{group-tab} MXNet
Only mxnet is told that.
:::::
::::::

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

| Left | Right |
|---|---|
| a \\| b | `c` |

:::{figure} flow.svg
:name: flow
:alt: From the weights to the sum

The data flows, see {math}`a_1 + b`.
:::

(far)=
## The far end

:::{snippet} fails
:::

:::{snippet} forward
:::
"""
_TORCH = """\
# /// polytab
# measures = true
# data = ["points.csv"]
# ///

# %% load
from pathlib import Path

# Two numbers.
print(Path("points.csv").read_text().split())

# %% hidden
text = '''one
  two'''

# %% fails raises="ValueError"
lines = '''one
two'''
assert lines.split() == text.split()
raise ValueError("as it must")

# %% forward
import measure

print(measure.TWICE)
"""
_MXNET = """\
# /// polytab
# measures = true
# ///

# %% forward
import measure

print(measure.TWICE, "in mxnet")
"""
_MEASURE = '''\
"""It's short."""

import deeper

# Twice as much.
TWICE = 2 * deeper.ONE
'''

_FILES = {
    "docs/index.md": "# The Handbook\n\n```{toctree}\ntrip\nplain\nwords\n```\n",
    "docs/trip.md": _PAGE,
    "docs/plain.md": "# Plain\n\n:::{snippet} count\n:::\n\n:::{snippet} again\n:::\n",
    "docs/words.md": "# Words\n\nNothing but words.\n",
    "docs/flow.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>\n',
    "snippets/measure.py": _MEASURE,
    "snippets/deeper.py": "ONE = 1  # no more\n",
    "snippets/trip/python.py": '# %% plain\nprint("plain")\n',
    "snippets/trip/torch.py": _TORCH,
    "snippets/trip/points.csv": "1\n2\n",
    "snippets/trip/mxnet.py": _MXNET,
    "snippets/plain/python.py": (
        '# %% count raises="ZeroDivisionError"\nstart = 1\n1 / 0\n\n'
        "# %% again\nprint(start + 1)\nstart\n"
    ),
}
_CONF = FILES["conf.py"].replace('["polytab.pages"]', '["polytab.pages", "polytab.export"]') + (
    "numfig = True\nhtml_show_copyright = False\nhtml_show_sphinx = False\n"
    'html_title = "T"\nsphinx_tabs_disable_css_loading = True\n'
)
_COLAB = (
    '{ title = "MXNet", package = "ipykernel", colab = { en = "Not there.", zh = "那里不行。" } }'
)
WORDS = {
    "zh": {
        "trip": {
            "The trip": "旅行",
            "Only **torch** is told this.": "只有**火炬**知道。",
            "From the weights to the sum": "从权重到总和",
        },
        "snippets/trip": {"Two numbers.": "两个数。"},
    },
    "pt": {
        "trip": {"The trip": "A excursão", "Only **torch** is told this.": "Só a **tocha** ouviu."},
        "snippets/trip": {"Two numbers.": "Dois números."},
    },
}


def write_trip(root: Path, **addresses: str) -> Settings:
    """Write the handbook, its recordings, its Chinese and its Portuguese."""
    top = "".join(f'{name} = "{value}"\n' for name, value in addresses.items())
    text = FILES["pyproject.toml"].replace("[tool.polytab]\n", f"[tool.polytab]\n{top}")
    text = text.replace('{ title = "MXNet", package = "ipykernel" }', _COLAB) + LANGUAGES
    kept = {name: each for name, each in FILES.items() if name.startswith("environments/")}
    write(root, {**kept, **_FILES, "conf.py": _CONF, "pyproject.toml": text})
    settings = load_settings(root)
    record(settings)
    for framework, medians in (("torch", COMPILED_WINS), ("mxnet", EAGER_WINS)):
        made = job(settings, "trip", framework)
        said = {"forward": [stream("2\n"), output("forward", medians, USUALLY)]}
        save_recording(settings.recordings, recording(made, said))
    for code, pages in WORDS.items():
        language = settings.language(code)
        for page, words in pages.items():
            entries = [Entry(source, said) for source, said in words.items()]
            write_catalog(settings, language, page, *entries)
        assert compile_translations(settings, [language]) == ()
    return settings
