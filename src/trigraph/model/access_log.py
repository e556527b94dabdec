"""When a memory was shown, said again and used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from trigraph.model.change import Citation
from trigraph.model.memory import Source


@dataclass(frozen=True, slots=True)
class Shown:
    """A recall showed a memory: exposure, which strengthens nothing."""

    recall_id: str
    query: str
    session: str | None
    rank: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Restatement:
    """A memory was said again, by whom and where; `raised` is by how much that raised its confidence."""

    author: str
    source: Source
    session: str | None
    turn: str | None
    uri: str | None
    at: datetime
    raised: float


@dataclass(frozen=True, slots=True)
class AccessLog:
    """When the asking agent was shown a memory and what it did with it, the latest first; when it was said again."""

    memory_id: str
    confidence: float
    effective_confidence: float
    retention: float
    shown_count: int
    shown: tuple[Shown, ...]
    used: tuple[Citation, ...]
    restatements: tuple[Restatement, ...]
