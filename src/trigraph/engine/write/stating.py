"""What memories say of the state of a thing."""

from __future__ import annotations

from datetime import datetime

from trigraph.contracts import NewState
from trigraph.engine.parts import Parts
from trigraph.model.entity import EntityEvent
from trigraph.model.memory import EntityType, Memory
from trigraph.model.scope import Scope

DECISION_PROP = "decision"


def write_decision(parts: Parts, scope: Scope, memory: Memory, *, superseding: bool) -> str:
    """The state of the entity that a decision's topic names."""
    assert memory.subject is not None
    entity_id, at = memory.subject.id, memory.created_at
    states = parts.store.entities.states(scope, entity_id, at)
    if any(state.cause_id == memory.id for state in states):
        event = EntityEvent.CREATED
        parts.store.entities.set_type(scope, entity_id, EntityType.CONCEPT)
    else:
        event = EntityEvent.SUPERSEDED if superseding else EntityEvent.UPDATED
    props = {DECISION_PROP: memory.text}
    parts.store.entities.put_state(scope, entity_id, NewState(event, memory.id, memory.valid_from, None, props), at)
    return entity_id


def retell(parts: Parts, scope: Scope, old: Memory, new: Memory, at: datetime) -> None:
    """What the old memory said of things is now said by the new one."""
    for entity_id, said in parts.store.entities.changes_by(scope, old.id):
        props = {name: new.text if value == old.text else value for name, value in said.props.items()}
        again = NewState(said.event, new.id, said.valid_from, said.name, props)
        parts.store.entities.put_state(scope, entity_id, again, at)
