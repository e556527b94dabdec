"""What the verbs of a memory's life answer, and the history that they leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trigraph.model.entity import Entity, EntityState
from trigraph.model.link import Link
from trigraph.model.memory import Memory, Status, Visibility


class Verb(StrEnum):
    """What changed something."""

    REMEMBER = "remember"
    CORRECT = "correct"
    SUPERSEDE = "supersede"
    FORGET = "forget"
    RESTORE = "restore"
    ERASE = "erase"
    REVERIFY = "reverify"
    SHARE = "share"
    ARCHIVE = "archive"
    CITE = "cite"
    LINK = "link"
    UNLINK = "unlink"
    VOTE = "vote"
    DECIDE = "decide"
    CHECKPOINT = "checkpoint"
    EVOLVE = "evolve"
    PERSONA = "persona"
    RENAME = "rename"
    ALIAS = "alias"
    WRAP = "wrap"
    DOCUMENT = "document"
    RESTATE = "restate"
    TURN = "turn"
    DISTIL = "distil"
    REFLECT = "reflect"
    PURGE = "purge"
    REVIEW = "review"
    MERGE = "merge"
    SPLIT = "split"
    COMPOSE = "compose"
    LABEL = "label"


class CitationKind(StrEnum):
    """What the caller did with a hit."""

    CITED = "cited"
    DISMISSED = "dismissed"
    FLAGGED_STALE = "flagged_stale"
    REWROTE = "rewrote"
    SAVED_REWORK = "saved_rework"


@dataclass(frozen=True, slots=True)
class Citation:
    """One use of a memory. `recall_id` names the recall that showed it; that may be long rolled up."""

    memory_id: str
    kind: CitationKind
    recall_id: str | None
    session: str | None
    agent: str
    notes: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Changed:
    """What a verb did. `ids` are what it wrote or changed, the main one first; `replaced` what no longer stands.

    `preview` is true when nothing was written; `replayed` when an idempotency key had been used before and this
    is the answer given then; `degraded` says what is missing and how to mend it.
    """

    verb: Verb
    ids: tuple[str, ...]
    at: datetime
    replaced: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    entity_id: str | None = None
    note: str | None = None
    preview: bool = False
    replayed: bool = False
    degraded: str | None = None

    @property
    def id(self) -> str:
        """The main thing written or changed."""
        return self.ids[0]


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """What may change about a memory without changing its text, over [known_from, known_until)."""

    memory_id: str
    known_from: datetime
    known_until: datetime | None
    valid_from: datetime
    valid_until: datetime | None
    retracted_at: datetime | None
    status: Status
    visibility: Visibility
    group: str | None
    tags: tuple[str, ...]
    domains: tuple[str, ...]
    confidence: float
    pinned: bool
    last_verified_at: datetime | None
    superseded: bool
    superseded_by: str | None
    verb: Verb
    changed_by: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One thing that happened: `verb` says what, `memory_id` to which memory, `text` what that memory says.

    `at` is when it was learned, `valid_from` since when it holds. `changed` holds what the step altered, by name:
    (before, after).
    """

    at: datetime
    valid_from: datetime
    verb: Verb
    by: str
    memory_id: str
    kind: str
    text: str
    reason: str | None
    changed: Mapping[str, tuple[object, object]]


@dataclass(frozen=True, slots=True)
class MemoryHistory:
    """The story that a memory belongs to: what it replaced and what replaced it, what was built on it and what
    came of that, step by step. `memories` are its parts as they stand now, oldest first; `beside` are the other links
    of the memory that was asked about."""

    id: str
    memories: tuple[Memory, ...]
    links: tuple[Link, ...]
    steps: tuple[HistoryStep, ...]
    citations: Mapping[str, int]
    beside: tuple[Link, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class EntityHistory:
    """An entity and its states, oldest first."""

    entity: Entity
    states: tuple[EntityState, ...]
