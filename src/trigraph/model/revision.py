"""What callers hand to the verbs of a memory's life."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from trigraph.model.change import CitationKind
from trigraph.model.memory import Details, Memory, Source

Check = Callable[[Memory], None]
"""Told a memory as it stands in the transaction that is about to change it; raises if it is not to be changed."""


@dataclass(frozen=True, slots=True)
class Revision:
    """What takes the place of a memory: its text, and what else differs from the old one; None is as it was."""

    text: str
    topic: str | None = None
    tags: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    source: Source = Source.USER
    session: str | None = None
    turn: str | None = None
    uri: str | None = None
    confidence: float | None = None
    details: Details | None = None
    valid_from: datetime | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """What a caller did with one memory."""

    memory: str
    kind: CitationKind
    notes: str | None = None
