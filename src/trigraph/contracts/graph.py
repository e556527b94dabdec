"""The canonical graph (entities, aliases, states), and what ties memories to it and to one another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from trigraph.model.access import Audience
from trigraph.model.entity import Entity, EntityEvent, EntityState, Mention
from trigraph.model.link import Link, LinkType
from trigraph.model.memory import EntityType, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import ALWAYS, Moment


@dataclass(frozen=True, slots=True)
class NewEntity:
    """An entity to be made, with its first state. Its audience is that of the memory which made it."""

    id: str
    name: str
    name_key: str
    type: EntityType
    made_by: str
    visibility: Visibility
    group: str | None
    valid_from: datetime
    props: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NewState:
    """A change of an entity, from a time on: a new name, if one is given, and the properties that change; one whose
    value is None is no longer known."""

    event: EntityEvent
    cause_id: str
    valid_from: datetime
    name: str | None
    props: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class NewMention:
    """A memory speaks of an entity."""

    entity_id: str
    start: int | None
    end: int | None
    confidence: float
    subject: bool = False


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name or alias by which the scope knows an entity."""

    name: str
    name_key: str
    entity_id: str
    type: EntityType
    audience: Audience


class Entities(Protocol):
    """Entities. One is visible to whom its audience includes, through a memory that the scope may see; names,
    aliases, states and counts likewise through the memories that said so."""

    def add(self, scope: Scope, new: NewEntity, at: datetime) -> None:
        """Make an entity with its canonical name and its first state, `created`."""

    def known_names(self, scope: Scope, leads: Collection[str], moment: Moment = ALWAYS) -> list[KnownName]:
        """Names with one of these leads (`text.names.lead_of`), of entities that the scope may see and that something
        speaks of, by what is known at the moment; the oldest first."""

    def get(self, scope: Scope, ids: Sequence[str], moment: Moment) -> list[Entity]:
        """Those of `ids` that are visible, in the order asked, as they stood."""

    def named(self, scope: Scope, name_key: str, moment: Moment) -> list[Entity]:
        """Visible entities of that name or alias, the oldest first."""

    def ids_ending(self, scope: Scope, suffix: str, moment: Moment) -> list[str]:
        """Up to two visible ids that end with `suffix` (8 characters or more)."""

    def page(
        self, scope: Scope, types: Collection[EntityType], moment: Moment, limit: int, after_id: str | None
    ) -> list[Entity]:
        """Visible entities that are not retired, the oldest first, after `after_id`."""

    def count(self, scope: Scope, moment: Moment) -> int:
        """How many entities are visible."""

    def states(self, scope: Scope, entity_id: str, known_at: datetime) -> list[EntityState]:
        """Its states as they were believed at `known_at`, in order of validity; none if it is not visible."""

    def changes_by(self, scope: Scope, memory_id: str) -> list[tuple[str, NewState]]:
        """(entity id, change) of every change that a memory brought, whoever may see it."""

    def put_state(self, scope: Scope, entity_id: str, state: NewState, at: datetime) -> None:
        """Begin a state at its `valid_from`; the one that held then ends there, and the new one ends where that
        did. What a change does not name is as it was before it, by all the changes that whoever reads may see. Two
        changes at one instant make one state, the later. What was known before stays for known_at."""

    def add_alias(self, scope: Scope, entity_id: str, name: str, name_key: str, memory_id: str, at: datetime) -> None:
        """Give an entity a further name, on the word of a memory. One that it has already is left as it is."""

    def repeat_aliases(self, scope: Scope, old_id: str, new_id: str, at: datetime) -> None:
        """The names that one memory gave are given by another, too."""

    def set_type(self, scope: Scope, entity_id: str, type_: EntityType) -> None:
        """Say what sort of thing an entity is, of which that was unknown."""

    def unmention(self, scope: Scope, memory_id: str, entity_ids: Collection[str], at: datetime) -> None:
        """A memory is no longer tied to these entities; what was known before stays for known_at."""

    def widen(self, scope: Scope, memory_id: str, visibility: Visibility, group: str | None) -> None:
        """Entities that the memory made get its new visibility."""

    def mention(self, scope: Scope, memory_id: str, mentions: Sequence[NewMention], at: datetime) -> None:
        """Tie a memory to the entities it speaks of, each once."""

    def mentions_of(self, scope: Scope, memory_ids: Sequence[str], moment: Moment) -> list[Mention]:
        """Visible entities that these memories speak of, if the memories may be seen; in order of their place."""


class Links(Protocol):
    """Links between memories. A link is visible when both its ends may be seen."""

    def add(self, scope: Scope, link: Link) -> None:
        """Draw a link."""

    def get(self, scope: Scope, suffix: str, known_at: datetime) -> list[Link]:
        """Up to two links whose id ends with `suffix`, as they were known."""

    def of(
        self, scope: Scope, memory_ids: Collection[str], known_at: datetime, types: Collection[LinkType] = ()
    ) -> list[Link]:
        """Links with one of these memories at an end, as they were known, the oldest first; of some types or all."""

    def strongest(
        self, scope: Scope, memory_ids: Collection[str], known_at: datetime, types: Collection[LinkType], limit: int
    ) -> list[Link]:
        """As `of`, but the most confident first, and no more than `limit`."""

    def reach(
        self,
        scope: Scope,
        memory_id: str,
        known_at: datetime,
        both_ways: Collection[LinkType],
        onward: Collection[LinkType],
        limit: int,
    ) -> list[str]:
        """Memories that links lead to from one, as these were known, however far: itself, then the nearest first, no
        more than `limit`. Links of some types lead both ways, of others from their start to their end. For an id that
        a read under the scope brought."""

    def standing(self, scope: Scope, type_: LinkType, moment: Moment, limit: int) -> list[Link]:
        """Links of a type (contradicts or duplicate_of) between memories that both hold and may be seen, the latest
        first."""

    def fading(self, scope: Scope, before: datetime, after_id: str | None, limit: int) -> list[Link]:
        """Links that the system drew by likeness or nearness before a time, of the whole project, in order of id after
        one, if no memory at their ends was cited since."""

    def revise(self, scope: Scope, link: Link, at: datetime) -> None:
        """Close the link as it is known and open it as given."""

    def close(self, scope: Scope, link_id: str, at: datetime) -> None:
        """The link holds no longer; what was known before stays for known_at."""

    def close_to(self, scope: Scope, memory_id: str, types: Collection[LinkType], at: datetime) -> list[str]:
        """No link of these types to the memory holds any longer, whoever may see it. Returns where they came from:
        callers must not pass on the ids of what they may not see."""
