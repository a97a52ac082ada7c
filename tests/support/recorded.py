"""Generated recordings, and one with an output of every kind."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from polytab.model import Accelerator, Key, Provenance, RecordedCell, Recording
from tests.support.handbook import stream

PNG = "iVBORw0KGgo="
SHOWN: dict[str, list[dict[str, Any]]] = {
    "add": [
        stream("3 é 中文 🙂\n"),
        stream("careful\n", "stderr"),
        {"output_type": "display_data", "data": {"image/png": PNG}, "metadata": {}},
    ],
    "twice": [
        {
            "output_type": "execute_result",
            "data": {"text/plain": "6", "application/json": {"a": [1, 2.5, None]}},
            "metadata": {},
            "execution_count": None,
        },
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["E", ""]},
    ],
}

_SLUGS = st.text("abc-", min_size=1, max_size=5)
_TEXTS = st.text(max_size=8)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXTS, inner, max_size=2),
    max_leaves=4,
)
_BUNDLES: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.dictionaries(st.sampled_from(["text/plain", "image/png"]), _TEXTS),
    st.dictionaries(st.just("application/json"), JSON),
)
_OUTPUTS = st.one_of(
    st.builds(stream, _TEXTS, st.sampled_from(["stdout", "stderr"])),
    st.fixed_dictionaries(
        {"output_type": st.just("display_data"), "data": _BUNDLES, "metadata": st.just({})}
    ),
    st.fixed_dictionaries(
        {
            "output_type": st.just("error"),
            "ename": _TEXTS,
            "evalue": _TEXTS,
            "traceback": st.lists(_TEXTS, max_size=2),
        }
    ),
)
_CELLS = st.builds(
    RecordedCell,
    label=_SLUGS,
    code=_TEXTS,
    outputs=st.lists(_OUTPUTS, max_size=3).map(tuple),
    varies=st.none() | st.text(min_size=1, max_size=5),
)
_VERSIONS = st.dictionaries(_TEXTS, _TEXTS, max_size=2).map(lambda v: tuple(sorted(v.items())))
_GPUS = st.builds(Accelerator, count=st.integers(1, 64), libraries=_VERSIONS)
RECORDINGS = st.builds(
    Recording,
    page=_SLUGS,
    framework=_SLUGS,
    device=st.sampled_from(["cpu", "cuda"]),
    key=st.builds(Key, st.lists(st.tuples(_TEXTS, _TEXTS), max_size=3).map(tuple)),
    provenance=st.builds(
        Provenance,
        date=st.dates().map(str),
        seconds=st.floats(0, 1e6),
        cores=st.integers(1, 1024),
        accelerator=st.none()
        | st.builds(Accelerator, count=st.integers(1, 64), libraries=_VERSIONS),
        found=_VERSIONS,
        confined=st.sampled_from(["", "bubblewrap"]),
        imported=_VERSIONS,
    ),
    cells=st.lists(_CELLS, max_size=3, unique_by=lambda cell: cell.label).map(tuple),
)
