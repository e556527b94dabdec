"""Memory: one unit of knowledge as text, and the closed lists it draws on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trigraph.model.document import DocumentRef

MEMORY_PREFIX = "m"


class Kind(StrEnum):
    """What sort of knowledge a memory is."""

    EPISODE = "episode"
    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    CHECKPOINT = "checkpoint"
    INSIGHT = "insight"
    CONTEXT = "context"
    CONSTRAINT = "constraint"
    OUTCOME = "outcome"
    SKILL = "skill"
    DOCUMENT = "document"
    SUMMARY = "summary"


class Status(StrEnum):
    """Where a memory stands in its life."""

    ACTIVE = "active"
    QUARANTINED = "quarantined"
    FORGOTTEN = "forgotten"
    ARCHIVED = "archived"


class Visibility(StrEnum):
    """Who may see a memory, within its project."""

    PRIVATE = "private"
    GROUP = "group"
    SHARED = "shared"


class EntityType(StrEnum):
    """What sort of thing an entity is; a memory has the type of its subject."""

    PERSON = "person"
    PROJECT = "project"
    SYSTEM = "system"
    TOOL = "tool"
    CONCEPT = "concept"
    SKILL = "skill"
    TASK = "task"
    ORGANIZATION = "organization"
    LOCATION = "location"
    MATERIAL = "material"
    VEHICLE = "vehicle"
    DOCUMENT = "document"
    PERSONA = "persona"
    UNKNOWN = "unknown"


class Source(StrEnum):
    """Where a memory came from: one list for provenance, trust and learning."""

    USER = "user"
    AGENT = "agent"
    SKILL = "skill"
    HOOK = "hook"
    TURN = "turn"
    DISTILLATION = "distillation"
    REFLECTION = "reflection"
    DOCUMENT = "document"
    IMPORT = "import"
    OTHER_AGENT = "other_agent"
    TOOL_OUTPUT = "tool_output"
    WEB = "web"


TRUST = MappingProxyType(
    {
        Source.USER: 1.0,
        Source.DOCUMENT: 0.9,
        Source.AGENT: 0.7,
        Source.SKILL: 0.7,
        Source.HOOK: 0.7,
        Source.TURN: 0.7,
        Source.DISTILLATION: 0.7,
        Source.REFLECTION: 0.7,
        Source.IMPORT: 0.6,
        Source.OTHER_AGENT: 0.5,
        Source.TOOL_OUTPUT: 0.5,
        Source.WEB: 0.3,
    }
)
"""How far each source is believed. Derived memories are capped by the weakest they came from."""

UNATTENDED = frozenset(
    {Source.TURN, Source.DISTILLATION, Source.REFLECTION, Source.HOOK, Source.TOOL_OUTPUT, Source.WEB}
)
"""Sources that write by themselves: what comes from them is filtered, and secrets in it are redacted."""

UNTRUSTED = frozenset({Source.TOOL_OUTPUT, Source.WEB})
"""Sources whose words nobody vouches for: what reads like an instruction is quarantined."""

SAID_BY_USER = 1.0
CLEAR_FROM_DISCUSSION = 0.8


class OutcomeResult(StrEnum):
    """How a thing that was tried turned out."""

    SUCCESS = "SUCCESS"
    FAILED = "FAILED"
    PARTIAL = "PARTIAL"


@dataclass(frozen=True, slots=True)
class DecisionDetails:
    """What only a decision has."""

    reasoning: str


@dataclass(frozen=True, slots=True)
class OutcomeDetails:
    """What only an outcome has."""

    result: OutcomeResult
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SessionDetails:
    """What a checkpoint or a summary keeps of its session: how often each kind of citation was made in it."""

    citations: Mapping[str, int]


Details = DecisionDetails | OutcomeDetails | SessionDetails


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a memory came from."""

    source: Source
    author: str
    session: str | None = None
    turn: str | None = None
    uri: str | None = None


@dataclass(frozen=True, slots=True)
class Strength:
    """How firmly a memory is held: in so many days its chance of being of use falls to 90 %, and how hard it is to
    raise that."""

    stability_days: float
    difficulty: float


@dataclass(frozen=True, slots=True)
class Derivation:
    """What a memory was derived from, and which words of that."""

    memory_id: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """An episode's place in its thread, and who spoke."""

    thread_id: str
    seq: int
    speaker: str | None
    role: str | None


@dataclass(frozen=True, slots=True)
class Subject:
    """The entity that a memory is about."""

    id: str
    name: str
    type: EntityType


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """What a caller hands to `remember`: a memory that is not yet one."""

    text: str
    kind: Kind = Kind.FACT
    topic: str | None = None
    tags: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    visibility: Visibility = Visibility.SHARED
    group: str | None = None
    subject: str | None = None
    type: EntityType | None = None
    source: Source = Source.USER
    session: str | None = None
    turn: str | None = None
    uri: str | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    confidence: float | None = None
    pinned: bool = False
    details: Details | None = None
    document: DocumentRef | None = None
    derived_from: tuple[Derivation, ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """A stored memory, as one version of it stood at the moment of the read.

    `confidence` is what it was when the memory was last referenced: cited, restated or confirmed. `superseded_by` names
    what took its place or will, if the caller may see that. `root_id` is the memory whose usage history it continues,
    when it corrects one.
    """

    id: str
    project: str
    kind: Kind
    text: str
    topic: str | None
    content_hash: str
    provenance: Provenance
    trust: float
    details: Details | None
    place: Place | None
    occurred_at: datetime | None
    created_at: datetime
    retracted_at: datetime | None
    valid_from: datetime
    valid_until: datetime | None
    last_verified_at: datetime | None
    status: Status
    visibility: Visibility
    tags: tuple[str, ...]
    domains: tuple[str, ...]
    confidence: float
    pinned: bool
    group: str | None = None
    superseded: bool = False
    superseded_by: str | None = None
    subject: Subject | None = None
    root_id: str | None = None
    referenced_at: datetime | None = None
    strength: Strength | None = None
    restatements: int = 0

    @property
    def type(self) -> EntityType:
        """The type of its subject."""
        return self.subject.type if self.subject else EntityType.UNKNOWN


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories a read is about; an empty field means all that are active. `happened_from` and `happened_until`
    ask for when a memory's matter occurred, or, where that is not known, when it was written. `domains` asks for what
    is of one of them, with `domainless` also for what is of none; `verified_before` for what was last verified, or,
    where it never was, written before a time."""

    kinds: tuple[Kind, ...] = ()
    types: tuple[EntityType, ...] = ()
    entity: str | None = None
    status: Status = Status.ACTIVE
    topic: str | None = None
    tags: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    domainless: bool = False
    sources: tuple[Source, ...] = ()
    author: str | None = None
    session: str | None = None
    thread: str | None = None
    first_seq: int | None = None
    last_seq: int | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    occurred_after: datetime | None = None
    occurred_before: datetime | None = None
    happened_from: datetime | None = None
    happened_until: datetime | None = None
    visibility: Visibility | None = None
    verified_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """Part of a listing, newest first; `next_cursor` asks for what follows."""

    memories: tuple[Memory, ...]
    next_cursor: str | None
