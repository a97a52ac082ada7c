"""What Sphinx complains of in a glossary has its line; and no line of MyST's own is without one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.built import build
from tests.support.handbook import write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

# MyST-Parser 5.2 asks Sphinx 9 for things that Sphinx 11 will not have.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser:PendingDeprecationWarning")
TWICE = """\
# End

```{glossary}
river
  Water.

stone
  Hard.
```

:::{glossary}
river
  Wet.
:::
"""


def test_a_term_that_stands_twice_is_a_complaint_at_its_line(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    write(tmp_path, {"docs/end.md": TWICE})
    [line] = re.findall(r"end\.md:(\d*): WARNING: duplicate term", build(tmp_path).warnings)
    assert TWICE.splitlines()[int(line) - 1] == "river"
    assert int(line) > 10


def test_a_line_before_footnotes_is_the_authors(tmp_path: Path) -> None:
    write_handbook(tmp_path)
    write(tmp_path, {"docs/end.md": "# End\n\nWords[^one].\n\n[^one]: Said once.\n\n***\n"})
    said = build(tmp_path).warnings
    assert re.findall(r"end\.md:(?!\d+:).*", said) == []
