"""The things that pass between the stages: frozen, typed, with no behaviour but derivation."""

from polytab.model.book import (
    CPU,
    CUDA,
    DEVICES,
    PLAIN,
    Cell,
    Environment,
    Finding,
    Framework,
    Language,
    Needs,
    Script,
    SideFile,
)
from polytab.model.digests import (
    digest,
    digest_path,
    engine_digest,
)
from polytab.model.measurement import (
    Case,
    Measurement,
    Note,
    spell_value,
)
from polytab.model.recording import (
    Accelerator,
    Job,
    Key,
    Provenance,
    RecordedCell,
    Recording,
)

__all__ = [
    "CPU",
    "CUDA",
    "DEVICES",
    "PLAIN",
    "Accelerator",
    "Case",
    "Cell",
    "Environment",
    "Finding",
    "Framework",
    "Job",
    "Key",
    "Language",
    "Measurement",
    "Needs",
    "Note",
    "Provenance",
    "RecordedCell",
    "Recording",
    "Script",
    "SideFile",
    "digest",
    "digest_path",
    "engine_digest",
    "spell_value",
]
