"""What can happen to the catalogs, scripts, pins and recordings of the book."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

from polytab.recordings.files import save_recording
from polytab.recordings.plan import find_recording
from polytab.scripts.load import load_scripts
from polytab.settings import load_settings
from tests.site.book import (
    TITLE,
    all_pages,
    page_name,
    rewrite,
    some_word,
)
from tests.support.handbook import recording, stream, with_cuda, write

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random


def _catalogs(root: Path) -> list[Path]:
    return sorted((root / "translations").rglob("*.po"))


def change_translation(root: Path, chance: Random) -> None:
    if catalogs := _catalogs(root):
        catalog, said = chance.choice(catalogs), f'msgstr "Dito {some_word(chance)}'
        rewrite(catalog, lambda text: text.replace('\nmsgstr "', f"\n{said} ", 2))


def translate_title(root: Path, chance: Random) -> None:
    if catalogs := _catalogs(root):
        entry = r'(\n\nmsgid ".+"\n)msgstr ".*"'
        said = rf'\1msgstr "Sobre {some_word(chance)}"'
        rewrite(chance.choice(catalogs), lambda text: re.sub(entry, said, text, count=1))


def make_outdated(root: Path, chance: Random) -> None:
    if catalogs := _catalogs(root):
        catalog = chance.choice(catalogs)
        rewrite(catalog, lambda text: re.sub(r"\n\nmsgid", "\n\n#, fuzzy\nmsgid", text, count=1))


def remove_catalog(root: Path, chance: Random) -> None:
    if catalogs := _catalogs(root):
        chance.choice(catalogs).unlink()


def add_catalog(root: Path, chance: Random) -> None:
    """Begin the catalog of a page that has none."""
    for page in all_pages(root):
        title = TITLE.search(page.read_text("utf-8"))
        path = root / f"translations/pt_BR/LC_MESSAGES/{page_name(root, page)}.po"
        if title and not path.exists():
            head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
            entry = f'\nmsgid "{title[1]}"\nmsgstr "Sobre {some_word(chance)}"\n'
            write(path.parent, {path.name: head + entry})
            return


def change_glossary(root: Path, chance: Random) -> None:
    forms = chance.choice(['"Tour" = ["Passeio"]', '"Deep" = ["Raso"]', '"flow" = ["fluxo"]'])
    write(root, {"translations/pt_BR/glossary.toml": f"[terms]\n{forms}\n"})


def remove_glossary(root: Path, _: Random) -> None:
    (root / "translations/pt_BR/glossary.toml").unlink(missing_ok=True)


def _scripts(root: Path) -> list[Path]:
    return sorted((root / "snippets").glob("*/*.py"))


def change_comment(root: Path, chance: Random) -> None:
    """Change a comment, which changes no key."""
    said = f"# Of {some_word(chance)}."
    rewrite(root / "snippets/tour/torch.py", lambda text: re.sub("# [A-Z].*", said, text, count=1))


def change_code(root: Path, chance: Random) -> None:
    """Change what a script does; its recording is stale."""
    rewrite(chance.choice(_scripts(root)), lambda text: f"{text}{some_word(chance)} = 1\n")


def record_again(root: Path, chance: Random) -> None:
    """Record the scripts of the tour that stand there now, with other outputs."""
    settings = load_settings(root)
    folder = chance.choice([settings.recordings, settings.overlay])
    for script in load_scripts(settings, ["tour"]):
        job = find_recording(settings, script).job
        said = {cell.label: [stream(f"{some_word(chance)}\n")] for cell in script.cells}
        save_recording(folder, recording(job, said))


def remove_recording(root: Path, chance: Random) -> None:
    folder = chance.choice(["recordings", "_build/recordings"])
    if found := sorted((root / folder).rglob("*.ipynb")):
        chance.choice(found).unlink()


def add_script(root: Path, _: Random) -> None:
    write(root, {"snippets/more/python.py": "", "snippets/bare/python.py": "# %% one\n1\n"})
    text = (root / "docs/bare.md").read_text("utf-8") if (root / "docs/bare.md").exists() else ""
    if text and "{snippet}" not in text:
        write(root, {"docs/bare.md": f"{text}\n:::{{snippet}} one\n:::\n"})


def remove_script(root: Path, _: Random) -> None:
    def change(text: str) -> str:
        return text.replace("\n:::{snippet} one\n:::\n", "")

    if (root / "docs/bare.md").exists():
        rewrite(root / "docs/bare.md", change)
    shutil.rmtree(root / "snippets/bare", ignore_errors=True)


def change_helper(root: Path, chance: Random) -> None:
    write(root, {"snippets/measure.py": f"{some_word(chance)} = 1\n"})


def change_pins(root: Path, chance: Random) -> None:
    name = chance.choice(["python", "torch", "mxnet"])
    pin = f"{some_word(chance)}==1.{chance.randrange(9)}\n"
    rewrite(
        root / "environments" / f"{name}.txt",
        lambda text: "".join([*text.splitlines(keepends=True)[:2], pin]),
    )


def record_on_cuda(root: Path, _: Random) -> None:
    settings = with_cuda(load_settings(root))
    for script in load_scripts(settings, ["tour"], ["torch"]):
        made = recording(find_recording(settings, script, "cuda").job)
        save_recording(settings.recordings, made)


def remove_cuda(root: Path, _: Random) -> None:
    (root / "environments/torch.cuda.txt").unlink(missing_ok=True)
    for path in (root / "recordings").rglob("*cuda*"):
        path.unlink()
