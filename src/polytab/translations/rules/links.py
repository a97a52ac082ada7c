"""What leads elsewhere stays: links, images, roles and footnotes."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from polytab.translations.rules.pair import differences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.translations.rules.pair import Pair

_SCHEME = re.compile(
    r"[a-z][a-z0-9+.-]{0,20}://"
    r"|(?<![a-z0-9])(?:about|blob|data|file|ftp|geo|intent|javascript|magnet|mailto|sms|tel"
    r"|vbscript|view-source|ws|wss|xmpp|ms-[a-z-]{1,20}):(?=[^\s:])",
    re.IGNORECASE | re.ASCII,
)
"""How an address begins: any scheme with slashes, and those that work without."""


def links(pair: Pair) -> Iterator[str]:
    """Keep every link and its address; the text of a link is translated.

    Bad:  See [here](https://docs.python.org). -> Veja [aqui](https://example.org).
    Bad:  See https://docs.python.org. -> Veja a documentação.
    Good: See [here](https://docs.python.org). -> Veja [aqui](https://docs.python.org).
    """
    yield from differences(pair, "link", "address")


def schemes(pair: Pair) -> Iterator[str]:
    """Add no address of another kind, not even as plain text: readers copy it.

    Bad:  See the text. -> Veja ftp://example.org.
    Bad:  See the text. -> Veja javascript:alert().
    Good: See the text: it is short. -> Veja o texto: é curto.
    """
    english, translated = (
        Counter(match.lower() for match in _SCHEME.findall(text))
        for text in (pair.english.prose, pair.translated.prose)
    )
    for scheme in translated - english:
        yield f"`{scheme}` begins an address that is not in the English: remove it"


def images(pair: Pair) -> Iterator[str]:
    """Keep every image and its address.

    Bad:  ![a graph](graph.png) -> ![um grafo](../../etc/passwd)
    Good: ![a graph](graph.png) -> ![um grafo](graph.png)
    """
    yield from differences(pair, "image")


def roles(pair: Pair) -> Iterator[str]:
    """Keep every role and its target; text before `<target>` is translated.

    Bad:  See {ref}`the start <start>`. -> Veja {download}`o início <start>`.
    Bad:  See {ref}`the start <start>`. -> Veja {ref}`o início <inicio>`.
    Good: See {ref}`the start <start>`. -> Veja {ref}`o início <start>`.
    """
    yield from differences(pair, "role")


def footnotes(pair: Pair) -> Iterator[str]:
    """Keep the footnotes, in the order of the English: Sphinx pairs them by place.

    Bad:  Faster[^cpu] and smaller[^size]. -> Menor[^size] e mais rápido[^cpu].
    Good: Faster[^cpu] and smaller[^size]. -> Mais rápido[^cpu] e menor[^size].
    """
    english, translated = pair.english.values("footnote"), pair.translated.values("footnote")
    if english != translated:
        labels = " ".join(f"[^{label}]" for label in english) or "none"
        yield f"the English has these footnotes, in this order: {labels}; write the same"
