"""What memories say of the state of a thing."""

from __future__ import annotations

from datetime import datetime

from trigraph.contracts import NewState
from trigraph.engine.parts import Parts
from trigraph.engine.write.saying import props_said
from trigraph.model.entity import EntityEvent
from trigraph.model.memory import EntityType, Kind, Memory
from trigraph.model.scope import Scope

DECISION_PROP = "decision"


def write_decision(parts: Parts, scope: Scope, memory: Memory, *, superseding: bool) -> str:
    """The state of the entity that a decision's topic names."""
    assert memory.subject is not None
    entity_id, at = memory.subject.id, memory.created_at
    made = any(entity == entity_id for entity, _ in parts.store.entities.changes_by(scope, memory.id))
    if made:
        event = EntityEvent.CREATED
        parts.store.entities.set_type(scope, entity_id, EntityType.CONCEPT)
    else:
        event = EntityEvent.SUPERSEDED if superseding else EntityEvent.UPDATED
    props = {DECISION_PROP: memory.text}
    parts.store.entities.put_state(scope, entity_id, NewState(event, memory.id, memory.valid_from, None, props), at)
    return entity_id


def retell(parts: Parts, scope: Scope, old: Memory, new: Memory, at: datetime) -> None:
    """What the old memory said of things, states and names, is now said by the new one."""
    for entity_id, said in parts.store.entities.changes_by(scope, old.id):
        own = {one.name for one in props_said(old.text, old.kind)}  # what the new text says instead, it says itself
        props = {
            name: new.text if value == old.text else value for name, value in said.props.items() if name not in own
        }
        if own and not props:
            continue
        again = NewState(said.event, new.id, said.valid_from, said.name, props)
        parts.store.entities.put_state(scope, entity_id, again, at)
    parts.store.entities.repeat_aliases(scope, old.id, new.id, at)


def succeed(parts: Parts, scope: Scope, old: Memory, new: Memory, at: datetime) -> None:
    """Where the old memory's text stands as a property of a thing, the new one's stands from its beginning on."""
    for entity_id, said in parts.store.entities.changes_by(scope, old.id):
        props = {name: new.text for name, value in said.props.items() if value == old.text}
        if props and (new.subject is None or new.subject.id != entity_id or new.kind is not Kind.DECISION):
            state = NewState(EntityEvent.SUPERSEDED, new.id, new.valid_from, None, props)
            parts.store.entities.put_state(scope, entity_id, state, at)
