"""From what a caller calls a thing to the thing, among what the caller may see."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from trigraph.engine.parts import Parts
from trigraph.errors import InvalidInput, NotFound
from trigraph.model.change import Verb
from trigraph.model.composition import COMPOSITION_PREFIX, CompositionEvent
from trigraph.model.entity import ENTITY_PREFIX, Entity
from trigraph.model.ids import SHORT_LENGTH, id_suffix, is_full_id
from trigraph.model.link import LINK_PREFIX, Link
from trigraph.model.memory import MEMORY_PREFIX, Memory
from trigraph.model.resolution import MOVE_PREFIX, PAIR_PREFIX, Move, Pair
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.names import name_key

_Thing = TypeVar("_Thing")


def find_memory(parts: Parts, scope: Scope, name: str, known_at: datetime | None = None) -> Memory:
    """The memory of an id or of an unambiguous ending of one, whatever became of it."""
    known_at = known_at or parts.now(scope).known_at
    found = parts.store.memories.find(scope, suffix_of(name, MEMORY_PREFIX), known_at)
    return _only(found, name, "memory", "`trigraph list` shows what there is.")


def find_link(parts: Parts, scope: Scope, name: str) -> Link:
    """The link of an id or of an unambiguous ending of one."""
    found = parts.store.links.get(scope, suffix_of(name, LINK_PREFIX), parts.now(scope).known_at)
    return _only(found, name, "link", "`trigraph history` of a memory shows its links.")


def find_entity(parts: Parts, scope: Scope, name: str, moment: Moment | None = None) -> Entity:
    """The entity of a name, an alias, an id, or an unambiguous ending of one."""
    moment = moment or parts.now(scope)
    if is_full_id(name, ENTITY_PREFIX):
        found = parts.store.entities.get(scope, [name], moment) or _went_into(parts, scope, name, moment)
    else:
        key = name_key(name)
        found = parts.store.entities.named(scope, key, moment) if key else []
        suffix = id_suffix(name, ENTITY_PREFIX)
        if not found and suffix is not None:
            found = parts.store.entities.get(scope, parts.store.entities.ids_ending(scope, suffix, moment), moment)
    if len(found) > 1:
        ids = ", ".join(f"{one.id} ({one.type}, {one.visibility})" for one in found[:5])
        raise InvalidInput(f"{name[:80]!r} names several entities.", field="entity", fix=f"Give an id: {ids}.")
    return _only(found, name, "entity", "`trigraph entity list` shows what there is.")


def _went_into(parts: Parts, scope: Scope, entity_id: str, moment: Moment) -> list[Entity]:
    """What the entity of an id had been merged into by then, or had been taken back to when its split was undone."""
    seen = {entity_id}
    while True:
        for move in parts.store.moves.moves(scope, entity_id):
            stood = move.at <= moment.known_at and (move.undone_at is None or move.undone_at > moment.known_at)
            if move.verb is Verb.MERGE and move.from_.id == entity_id and stood:
                entity_id = move.to.id
                break
            if move.verb is Verb.SPLIT and move.to.id == entity_id and move.at <= moment.known_at and not stood:
                entity_id = move.from_.id
                break
        else:
            return []
        found = parts.store.entities.get(scope, [entity_id], moment)
        if found or entity_id in seen:
            return found
        seen.add(entity_id)


def find_move(parts: Parts, scope: Scope, name: str) -> Move:
    """The merge or split of an id or of an unambiguous ending of one."""
    found = parts.store.moves.get(scope, suffix_of(name, MOVE_PREFIX))
    return _only(found, name, "move", "`trigraph entity moves` shows what there is.")


def find_pair(parts: Parts, scope: Scope, name: str) -> Pair:
    """The pair of an id or of an unambiguous ending of one."""
    found = parts.store.moves.get_pair(scope, suffix_of(name, PAIR_PREFIX))
    return _only(found, name, "pair", "`trigraph entity pairs` shows what there is.")


def find_composition(parts: Parts, scope: Scope, name: str, known_at: datetime | None = None) -> CompositionEvent:
    """The composition of an id or of an unambiguous ending of one."""
    found = parts.store.compositions.get(scope, suffix_of(name, COMPOSITION_PREFIX), known_at)
    return _only(found, name, "composition", "`trigraph compositions recent` shows what there is.")


def find_either(parts: Parts, scope: Scope, name: str, moment: Moment | None = None) -> Memory | Entity:
    """The memory of an id or its end, else the entity of a name or id."""
    if not name.startswith(f"{ENTITY_PREFIX}_") and id_suffix(name, MEMORY_PREFIX) is not None:
        try:
            return find_memory(parts, scope, name, moment.known_at if moment else None)
        except NotFound:
            if name.startswith(f"{MEMORY_PREFIX}_"):
                raise
    return find_entity(parts, scope, name, moment)


def suffix_of(name: str, prefix: str) -> str:
    """The ending of an id that a caller gave, or a clear error."""
    suffix = id_suffix(name, prefix)
    if suffix is None:
        raise InvalidInput(
            f"{name[:80]!r} is not an id.",
            field="id",
            fix=f"Give an id such as {prefix}_01kx0f6gq3v8z5d2c7b9n4t1hw, or its last {SHORT_LENGTH} characters"
            " or more.",
        )
    return suffix


def _only(found: Sequence[_Thing], name: str, what: str, fix: str) -> _Thing:
    if len(found) > 1:
        raise InvalidInput(f"{name!r} is the end of several ids.", field="id", fix="Give more of its characters.")
    if not found:
        raise not_found(what, name, fix)
    return found[0]


def not_found(what: str, name: str, fix: str) -> NotFound:
    """The one error for what does not exist and for what the caller may not see."""
    return NotFound(f"There is no {what} {name[:80]!r}.", fix=fix)
