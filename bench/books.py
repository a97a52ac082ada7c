"""Write a book of any number of pages from a seed: `python bench/books.py FOLDER [pages] [seed]`.

Each page has prose, a table, snippets in three frameworks and a benchmark, and catalogs in two more
languages. The recordings are fresh and nothing was run for them: their outputs and measurements are
made up. The scripts do run, in an environment that holds a kernel and no framework.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polytab.model import Case, Measurement, Provenance, RecordedCell, Recording
from polytab.recordings.files import save_recording
from polytab.recordings.measurements import MIME, spell_measurement
from polytab.recordings.plan import find_recording
from polytab.scripts.load import load_scripts
from polytab.settings import load_settings
from polytab.translations.catalogs import Catalog, Entry, catalog_path, catalog_text

if TYPE_CHECKING:
    from polytab.model import Cell, Job, Language
    from polytab.settings import Settings

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
PINS = f"# python: {PYTHON}\nipykernel==7.4.0\n"
FRAMEWORKS = {"alpha": "Alpha", "beta": "Beta", "gamma": "Gamma"}
SECTIONS, PARAGRAPHS, SENTENCES = 5, 3, 4
SETTINGS = """\
[tool.polytab]
title = "A Book of Many Pages"
docs = "docs"
snippets = "snippets"
environments = "environments"
recordings = "recordings"
translations = "translations"
build = "_build"

[tool.polytab.frameworks]
python = {{ title = "Python" }}
{frameworks}

[tool.polytab.languages]
en = {{ name = "English", locale = "en", tag = "en" }}
zh = {{ name = "简体中文", locale = "zh_CN", tag = "zh-CN" }}
pt = {{ name = "Português do Brasil", locale = "pt_BR", tag = "pt-BR" }}
"""
CONF = """\
project = "A Book of Many Pages"
extensions = ["polytab.pages"]
root_doc = "index"
numfig = True
myst_enable_extensions = ["colon_fence"]
html_theme = "polytab"
"""
CELL = """\
# %% {label}
# {comment}
def {name}(values, factor=2):
    return [value * factor for value in values]


print({name}(range(10)))

"""
WORDS = {
    "en": ("call", "kernel", "memory", "array", "line", "cache", "value", "loop", "graph", "queue"),
    "pt": ("chamada", "memória", "linha", "cache", "valor", "laço", "grafo", "fila", "passo"),
    "zh": ("调用", "内核", "内存", "数组", "缓存", "数值", "循环", "计算图", "线程", "队列"),
}


@dataclass(frozen=True)
class Text:
    """A message of a page with its translations, by the code of the language."""

    english: str
    translations: dict[str, str]


MEASURED = [
    Text("forward", {"pt": "passagem", "zh": "前向"}),
    Text("eager", {"pt": "imediata", "zh": "即时"}),
    Text("compiled", {"pt": "compilada", "zh": "编译后"}),
]
"""The names that the benchmark of a page shows."""


def sentence(chance: random.Random) -> dict[str, str]:
    """Make up a sentence in each language; it says nothing."""
    length = chance.randint(8, 16)
    words = {code: chance.choices(known, k=length) for code, known in WORDS.items()}
    return {
        "en": f"The {' '.join(words['en'])} of one {words['en'][0]} waits.",
        "pt": f"A {' '.join(words['pt'])} de uma {words['pt'][0]} espera.",
        "zh": f"{''.join(words['zh'])}在等待。",
    }


def text(chance: random.Random, sentences: int) -> Text:
    """Make up a paragraph; its lines are joined as Sphinx joins them."""
    made = [sentence(chance) for _ in range(sentences)]
    joint = {"zh": ""}
    joined = {code: joint.get(code, " ").join(each[code] for each in made) for code in WORDS}
    return Text(joined.pop("en"), joined)


def title(words: str, number: str) -> Text:
    """Return a heading that is like no other."""
    return Text(f"{words} {number}", {"pt": f"Parte {number}", "zh": f"第{number}部分"})


def label(section: int) -> str:
    """Return the label of the cell that a section shows."""
    return f"step-{section}"


def page_text(chance: random.Random, number: int) -> tuple[str, list[Text]]:
    """Make up a page; return its source and its messages in order."""
    messages = [title("Chapter", str(number)), text(chance, SENTENCES)]
    blocks = [f"# {messages[0].english}", messages[1].english]
    for section in range(SECTIONS):
        head = title("Section", f"{number}.{section}")
        body = [text(chance, SENTENCES) for _ in range(PARAGRAPHS)]
        messages += [head, *body]
        blocks += [f"## {head.english}", *(each.english for each in body)]
        blocks.append(f":::{{snippet}} {label(section)}\n:::")
    cells = [Text(word, {"pt": word, "zh": word}) for word in ("alpha", "beta", "15", "25")]
    messages += [*cells, *(Text(each, {"pt": each, "zh": each}) for each in FRAMEWORKS.values())]
    blocks.append("| alpha | beta |\n|---|---|\n| 15 | 25 |")
    blocks.append(":::{benchmark} forward\n:::")
    return "\n\n".join(blocks) + "\n", messages


def write_page(settings: Settings, number: int, seed: int) -> None:
    """Write a page with its scripts and its catalogs."""
    chance = random.Random(f"{seed} {number}")  # noqa: S311  # a book, not a secret
    name = page_name(number)
    source, messages = page_text(chance, number)
    (settings.docs / f"{name}.md").write_text(source, encoding="utf-8")
    comments = [text(chance, 1) for _ in range(SECTIONS)]
    write_scripts(settings, name, comments)
    for language in settings.languages[1:]:
        write_catalog(settings, language, name, messages)
        write_catalog(settings, language, f"snippets/{name}", [*comments, *MEASURED])


def page_name(number: int) -> str:
    """Return the name of a page; they sort as they are counted."""
    return f"page-{number:04}"


def write_scripts(settings: Settings, page: str, comments: list[Text]) -> None:
    """Write the script of each framework, with one cell for each section and one that measures."""
    folder = settings.snippets / page
    folder.mkdir(parents=True)
    for framework in FRAMEWORKS:
        cells = [
            CELL.format(label=label(at), comment=each.english, name=f"{framework}_{page[5:]}_{at}")
            for at, each in enumerate(comments)
        ]
        cells.append('# %% forward\nprint("measured elsewhere")\n')
        (folder / f"{framework}.py").write_text("".join(cells), encoding="utf-8")


def write_catalog(settings: Settings, language: Language, name: str, texts: list[Text]) -> None:
    """Write a whole catalog of a page, or of its comments."""
    known = {each.english: each.translations[language.code] for each in texts}
    entries = tuple(Entry(source, translation) for source, translation in known.items())
    fields = (
        ("Language", language.locale),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=UTF-8"),
        ("Content-Transfer-Encoding", "8bit"),
    )
    path = catalog_path(settings, language, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(catalog_text(Catalog(entries, fields=fields)), encoding="utf-8")


def outputs(job: Job, cell: Cell, chance: random.Random) -> tuple[dict[str, Any], ...]:
    """Make up what a cell printed, or what it measured."""
    if cell.label != "forward":
        numbers = [chance.randint(0, 99) for _ in range(10)]
        said = f"{numbers}\n" * 3
        return ({"output_type": "stream", "name": "stdout", "text": said},)
    times = {"eager": 2e-3, "compiled": 1e-3 * chance.uniform(0.5, 2)}
    cases = tuple(
        Case(name, 100, (each * 5,) * 3, tuple(noisy(chance, each) for _ in range(3)))
        for name, each in times.items()
    )
    data = {
        MIME: spell_measurement(Measurement("forward", cases)),
        "text/plain": f"forward in {job.script.framework}",
    }
    return ({"output_type": "execute_result", "data": data, "metadata": {},
             "execution_count": None},)  # fmt: skip


def noisy(chance: random.Random, seconds: float) -> tuple[float, ...]:
    """Make up the samples of one process."""
    return tuple(seconds * chance.uniform(0.95, 1.1) for _ in range(10))


def record(settings: Settings, seed: int) -> None:
    """Save a fresh recording of every script, as if all of them had been run."""
    made = Provenance(
        f"{PYTHON}.0", "ipykernel", "7.4.0", "A Processor", 2, "Linux x86_64", "2026-01-02", 1.5
    )
    for script in load_scripts(settings):
        job = find_recording(settings, script).job
        chance = random.Random(f"{seed} {script.name}")  # noqa: S311  # a book, not a secret
        cells = tuple(
            RecordedCell(each.label, each.code, outputs(job, each, chance)) for each in script.cells
        )
        recording = Recording(script.page, script.framework, "cpu", job.key, made, cells)
        save_recording(settings.recordings, recording)


def write_settings(root: Path) -> Settings:
    """Write what a book has beside its pages: settings, and the pins of its environments."""
    frameworks = [
        f'{name} = {{ title = "{said}", package = "ipykernel" }}'
        for name, said in FRAMEWORKS.items()
    ]
    files = {
        "pyproject.toml": SETTINGS.format(frameworks="\n".join(frameworks)),
        "conf.py": CONF,
        **{f"environments/{name}.txt": PINS for name in ("python", *FRAMEWORKS)},
    }
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return load_settings(root)


def write_book(root: Path, pages: int, seed: int = 1) -> Settings:
    """Write a book of so many pages, each with 18 cells in three scripts; return its settings."""
    settings = write_settings(root)
    listed = "\n".join(page_name(number) for number in range(pages))
    settings.docs.mkdir()
    index = f"# A Book of Many Pages\n\n```{{toctree}}\n{listed}\n```\n"
    (settings.docs / "index.md").write_text(index, encoding="utf-8")
    for number in range(pages):
        write_page(settings, number, seed)
    record(settings, seed)
    return settings


def main() -> None:
    """Write a book into the folder that is named."""
    if len(sys.argv) < 2:  # noqa: PLR2004  # the script and the folder
        sys.exit("python bench/books.py FOLDER [pages] [seed]")
    numbers = [int(each) for each in sys.argv[2:]]
    pages, seed = (*numbers, *(100, 1)[len(numbers) :])
    settings = write_book(Path(sys.argv[1]), pages, seed)
    print(f"{pages} pages in {settings.root}")


if __name__ == "__main__":
    main()
