"""Entity: one thing in the world, under one canonical name, with aliases, exactly one type, and states over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trigraph.model.access import Audience
from trigraph.model.memory import EntityType, Visibility

ENTITY_PREFIX = "e"


class EntityEvent(StrEnum):
    """How a state came about from the one before it."""

    CREATED = "created"
    UPDATED = "updated"
    STATUS_CHANGED = "status_changed"
    RENAMED = "renamed"
    VERSION_BUMPED = "version_bumped"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    MERGED = "merged"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True)
class Prop:
    """A property of an entity, and the memory that said so."""

    value: str
    memory_id: str


Props = Mapping[str, Prop]


@dataclass(frozen=True, slots=True)
class EntityState:
    """One version of an entity, valid over [valid_from, valid_until), known since `known_from`.

    `event` is how it came about, `cause_id` the memory that brought it: together with the state before it that
    is the supersession. `retired` says whether the thing was no longer in use.
    """

    name: str
    props: Props
    event: EntityEvent
    cause_id: str | None
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as it stood at the moment of a read. Counts are of what the caller may see."""

    id: str
    type: EntityType
    visibility: Visibility
    group: str | None
    author: str
    state: EntityState
    aliases: tuple[str, ...]
    mention_count: int
    first_seen: datetime
    last_referenced: datetime

    @property
    def audience(self) -> Audience:
        """Whom it may be seen by."""
        return Audience(self.author, self.visibility, self.group)

    @property
    def name(self) -> str:
        """Its canonical name."""
        return self.state.name

    @property
    def retired(self) -> bool:
        """Whether it was no longer in use."""
        return self.state.retired


@dataclass(frozen=True, slots=True)
class EntityPage:
    """Part of a listing, the oldest first; `next_cursor` asks for what follows."""

    entities: tuple[Entity, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Mention:
    """This memory speaks of this entity; `start` and `end` are a span of the memory's text, if it is named there."""

    memory_id: str
    entity_id: str
    name: str
    type: EntityType
    start: int | None
    end: int | None
    confidence: float
    subject: bool
