"""What `stats` and `health` answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trigraph.model.recall import LegReport


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """An embedding model as a store pins it."""

    model_id: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of what the caller may see, and the size of the files."""

    memories: int
    by_kind: Mapping[str, int]
    threads: int
    entities: int
    passages: int
    vectors: int
    waiting_for_vector: int
    recalls: int
    store_bytes: int


@dataclass(frozen=True, slots=True)
class Health:
    """Whether everything works, leg by leg; `problems` each say what mends them."""

    ok: bool
    store: str
    schema_version: int
    engine_version: str
    pinned_model: EmbeddingModel | None
    configured_model: EmbeddingModel | None
    legs: tuple[LegReport, ...]
    problems: tuple[str, ...]
