"""What a memory's own text says of things: relations between them, and properties of one (S1, I9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from trigraph.contracts import NewState, Written
from trigraph.engine.parts import Parts
from trigraph.engine.write.resolution import changes_together
from trigraph.model.entity import Entity, EntityEvent
from trigraph.model.memory import EntityType, Kind, Memory
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.names import FoundName, is_nameable, name_key
from trigraph.text.statements import Stated, StatedProp, stated_props, stated_relations

SECTION = "text"
"""Where a relation stands that a memory's text states, beside the sections of documents."""

STATED_CONFIDENCE = 0.7
_SILENT = frozenset({Kind.EPISODE, Kind.DOCUMENT, Kind.SUMMARY})
"""Episodes are kept as they were said, documents declare in sections of their own, summaries repeat."""


def relations_said(text: str, kind: Kind) -> tuple[Stated, ...]:
    """Relations that a text states between things that can be named."""
    if kind in _SILENT:
        return ()
    found = stated_relations(text)
    return tuple(one for one in found if is_nameable(one.source) and is_nameable(one.target))


def props_said(text: str, kind: Kind) -> tuple[StatedProp, ...]:
    """Properties that a text states of a thing that can be named."""
    return () if kind in _SILENT else tuple(one for one in stated_props(text) if is_nameable(one.thing))


def ends_of(said: Sequence[Stated]) -> tuple[FoundName, ...]:
    """The ends of relations as names that stand out."""
    ends = {one.source_span: one.source for one in said} | {one.target_span: one.target for one in said}
    return tuple(
        FoundName(name, name_key(name), EntityType.UNKNOWN, start, end, STATED_CONFIDENCE)
        for (start, end), name in ends.items()
    )


def things_of(text: str, said: Sequence[StatedProp]) -> tuple[FoundName, ...]:
    """The things of properties as names that stand out, where the text first has them."""
    places = {one.thing: text.find(one.thing) for one in said}
    return tuple(
        FoundName(name, name_key(name), EntityType.UNKNOWN, start, start + len(name), STATED_CONFIDENCE)
        for name, start in places.items()
        if start >= 0
    )


def say(
    parts: Parts,
    scope: Scope,
    memory: Memory,
    relations: Sequence[Stated],
    props: Sequence[StatedProp],
    named: Mapping[str, str],
) -> None:
    """Write relations and properties; `named` says which entity each name in the memory means (by key)."""
    at = memory.created_at
    for ordinal, one in enumerate(relations):
        source, target = named.get(name_key(one.source)), named.get(name_key(one.target))
        if source is not None and target is not None and source != target:
            parts.store.relations.add(scope, Written(memory.id, source, one.type, target, SECTION), ordinal, at)
    by_thing: dict[str, dict[str, str]] = {}
    for prop in props:
        entity_id = named.get(name_key(prop.thing))
        if entity_id is not None:
            by_thing.setdefault(entity_id, {})[prop.name] = prop.value
    if by_thing:
        things = parts.store.entities.get(scope, list(by_thing), Moment(at, at))
        for thing in things:
            if changes_together(memory, thing.audience) and thing.type is not EntityType.DOCUMENT:
                _put_props(parts, scope, memory, thing, by_thing[thing.id])


def _put_props(parts: Parts, scope: Scope, memory: Memory, thing: Entity, props: Mapping[str, str | None]) -> None:
    """A state of its own, right after whatever began at the same instant."""
    taken = {state.valid_from for state in parts.store.entities.states(scope, thing.id, memory.created_at)}
    begins = memory.valid_from
    while begins in taken:
        begins += timedelta(microseconds=1)
    state = NewState(EntityEvent.UPDATED, memory.id, begins, None, dict(props))
    parts.store.entities.put_state(scope, thing.id, state, memory.created_at)
