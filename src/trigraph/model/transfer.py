"""What export and import answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExportReport:
    """How many records of each kind were written, and their digest: equal for equal contents."""

    counts: Mapping[str, int]
    digest: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of the records: added, same (there already), different (kept as they were here), erased (they
    stay so), dangling (what they refer to is not here). `waiting_for_vector` memories came without one."""

    counts: Mapping[str, int]
    conflicts: tuple[str, ...]
    waiting_for_vector: int
