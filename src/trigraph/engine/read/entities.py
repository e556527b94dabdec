"""Reads of the canonical graph: one entity, a listing, and how often a skill was used."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from trigraph.engine.finding import find_entity
from trigraph.engine.parts import Parts
from trigraph.engine.read.reading import PAGE_MOST, from_cursor, to_cursor
from trigraph.errors import InvalidInput
from trigraph.model.entity import ENTITY_PREFIX, Entity, EntityPage, Mention
from trigraph.model.memory import EntityType, Memory
from trigraph.model.resolution import Move
from trigraph.model.scope import Scope
from trigraph.model.times import Moment


def entity(
    parts: Parts, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None
) -> Entity:
    """The entity of a name, an alias or an id, as it stood."""
    return find_entity(parts, scope, name, _moment(parts, scope, as_of, known_at))


def list_entities(
    parts: Parts,
    scope: Scope,
    types: Collection[EntityType],
    limit: int,
    cursor: str | None,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> EntityPage:
    """Entities in use, the oldest first, a page at a time."""
    if not 1 <= limit <= PAGE_MOST:
        raise InvalidInput(f"limit is {limit}.", field="limit", fix=f"Choose a number from 1 to {PAGE_MOST}.")
    after = from_cursor(cursor, ENTITY_PREFIX) if cursor is not None else None
    moment = _moment(parts, scope, as_of, known_at)
    found = parts.store.entities.page(scope, types, moment, limit + 1, after)
    more = len(found) > limit
    return EntityPage(tuple(found[:limit]), to_cursor(found[limit - 1].id) if more else None)


def mentions(parts: Parts, scope: Scope, memory: Memory) -> list[Mention]:
    """The entities that a memory speaks of."""
    return parts.store.entities.mentions_of(scope, [memory.id], parts.now(scope))


def moves_of(parts: Parts, scope: Scope, name: str) -> list[Move]:
    """What went from or to an entity by merges and splits, undone ones too, the oldest first."""
    return parts.store.moves.moves(scope, find_entity(parts, scope, name).id)


def uses(parts: Parts, scope: Scope, found: Entity) -> int:
    """How often a skill was used: memories about it that the caller may see, and the caller's recalls of them."""
    return found.mention_count + parts.store.events.uses(scope, [found.id]).get(found.id, 0)


def _moment(parts: Parts, scope: Scope, as_of: datetime | None, known_at: datetime | None) -> Moment:
    now = parts.now(scope)
    return Moment(as_of or now.as_of, known_at or now.known_at)
