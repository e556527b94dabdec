"""Documents: what follows from their texts for relations and states.

A document is an entity of type document. Its text is a memory about it; a changed text is a new memory that takes
the old one's place. What a text declares holds as long as that memory does: a reference that is gone from the next
text ends with the old one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from trigraph.contracts import NewMention, NewState
from trigraph.engine.parts import Parts
from trigraph.engine.write.placing import Placed, neighbours, put_identity, texts_of
from trigraph.engine.write.referring import Relating, mention_ends
from trigraph.engine.write.resolution import NameBook, changes_together, everyone_sees, make_entity
from trigraph.model.document import SUPERSEDED_BY_PROP, ParsedDocument
from trigraph.model.entity import Entity, EntityEvent
from trigraph.model.memory import EntityType, Kind, Memory
from trigraph.model.relation import RelationType
from trigraph.model.scope import Scope
from trigraph.model.times import ALWAYS, Moment
from trigraph.text.names import name_key

IN_FORCE = frozenset({"accepted", "active", "final"})
"""A document supersedes another once its status is one of these."""
SAID = ("title", "status", "version", "category", "doc_type", "created")
"""Properties that a text says, or by its silence takes back."""


def relate(
    parts: Parts,
    scope: Scope,
    memory: Memory,
    placed: Placed,
    parsed: ParsedDocument,
    at: datetime,
    book: NameBook,
    beside: frozenset[str] = frozenset(),
) -> None:
    """Write what a document's text declares: its identity, its relations, its state, and whom it supersedes."""
    assert memory.subject is not None
    own_id = memory.subject.id
    put_identity(parts, scope, replace(placed, entity_id=own_id), memory, book)
    relating = Relating(parts, scope, memory, replace(placed, entity_id=own_id), at, book, beside)
    written = {one.written: one.place for one in relating.read(parsed) if one.written is not None}
    mention_ends(parts, scope, memory, written, at)
    for one, ordinal in written.items():
        parts.store.relations.add(scope, one, ordinal, at)
    _write_state(parts, scope, memory, own_id, placed, parsed, at)
    settle_supersessions(parts, scope, memory, own_id, at)


def identify(
    parts: Parts, scope: Scope, memory: Memory, placed: Placed, parsed: ParsedDocument, at: datetime
) -> Placed:
    """Make a stored text a document, where it is none yet: its entity, its identity and its state."""
    known = parts.store.documents.identity(scope, placed.entity_id) if placed.entity_id is not None else None
    if known is not None and memory.subject is not None:
        return placed
    entity_id = placed.entity_id or make_entity(parts, scope, memory, placed.name, EntityType.DOCUMENT, at, {})
    parts.store.entities.set_type(scope, entity_id, EntityType.DOCUMENT)
    parts.store.entities.unmention(scope, memory.id, [entity_id], at)
    parts.store.entities.mention(scope, memory.id, [NewMention(entity_id, None, None, 1.0, subject=True)], at)
    parts.store.documents.put(scope, entity_id, placed.collection, placed.name_key, placed.path)
    _write_state(parts, scope, memory, entity_id, placed, parsed, at)
    return replace(placed, entity_id=entity_id)


def settle_supersessions(parts: Parts, scope: Scope, cause: Memory, entity_id: str, at: datetime) -> None:
    """Documents say what superseded them, once that is in force; and no longer, when nothing says so any more: from the
    cause's beginning on, and wherever later texts and states of the document change that."""
    later = {text.valid_from for text in texts_of(parts, scope, entity_id, at)}
    later |= {state.valid_from for state in parts.store.entities.states(scope, entity_id, at)}
    for when in sorted({cause.valid_from, *(one for one in later if one > cause.valid_from)}):
        _settle_from(parts, scope, cause, entity_id, when, at)


def settle_again(parts: Parts, scope: Scope, text: Memory, at: datetime) -> None:
    """A document's text was put aside, came back, or is seen by more: what it and its neighbours say is told anew."""
    if text.kind is not Kind.DOCUMENT or text.subject is None:
        return
    standing = texts_of(parts, scope, text.subject.id, at)
    before, after = neighbours(standing, text.valid_from)
    for cause in (before, after):
        if cause is not None:
            settle_supersessions(parts, scope, cause, text.subject.id, at)


def _settle_from(parts: Parts, scope: Scope, cause: Memory, entity_id: str, when: datetime, at: datetime) -> None:
    moment = Moment(when, at)
    held = parts.store.relations.of(scope, [entity_id], moment, [RelationType.SUPERSEDES])
    pairs = {(one.source.id, one.target.id) for one in held}
    earlier = parts.store.relations.written_in(scope, parts.store.documents.texts(scope, entity_id, ALWAYS), at)
    touched = {target for _, target in pairs} | {
        one.target_id for one in earlier if one.type is RelationType.SUPERSEDES
    }
    things = {one.id: one for one in parts.store.entities.get(scope, [*touched, *(s for s, _ in pairs)], moment)}
    fits = everyone_sees(cause, NameBook(parts, scope))
    for target_id in sorted(touched):
        target = things.get(target_id)
        if target is None or not changes_together(cause, target.audience):
            continue
        by = [things[source] for source, of in pairs if of == target_id and source in things]
        held_by = [one for one in by if _in_force(one)]
        told = [one.name for one in held_by if fits(one.audience)]
        _say_superseded(parts, scope, cause, target, [one.name for one in held_by], told, entity_id, when, at)


def _say_superseded(
    parts: Parts,
    scope: Scope,
    cause: Memory,
    target: Entity,
    by: Sequence[str],
    told: Sequence[str],
    settled_id: str,
    when: datetime,
    at: datetime,
) -> None:
    """`by` are the names of what supersedes it, `told` those that all who see the cause may know."""
    said = target.state.props.get(SUPERSEDED_BY_PROP)
    if said is not None and said.value in by:
        return
    if told:
        state = NewState(EntityEvent.SUPERSEDED, cause.id, when, None, {SUPERSEDED_BY_PROP: sorted(told)[0]})
    elif not by and said is not None and _said_of(parts, scope, said.value, target, settled_id, when, at):
        state = NewState(EntityEvent.UPDATED, cause.id, when, None, {SUPERSEDED_BY_PROP: None})
    else:
        return
    parts.store.entities.put_state(scope, target.id, state, at)


def _said_of(
    parts: Parts, scope: Scope, name: str, target: Entity, settled_id: str, when: datetime, at: datetime
) -> bool:
    """Whether it was the document that is being settled, by name, that was said to supersede the target."""
    moment = Moment(when, at)
    if target.id == settled_id:
        return True
    settled = parts.store.entities.get(scope, [settled_id], moment)
    return bool(settled) and settled[0].name == name


def _in_force(document: Entity) -> bool:
    status = document.state.props.get("status")
    return status is not None and status.value.casefold() in IN_FORCE


def _write_state(
    parts: Parts,
    scope: Scope,
    memory: Memory,
    entity_id: str,
    placed: Placed,
    parsed: ParsedDocument,
    at: datetime,
) -> None:
    """The document's state from this text on: all that the text says of it, so that no other text's fate changes it."""
    props = {**parsed.props, "doc_kind": (placed.name.rpartition("-")[0].casefold() if placed.name_key else "document")}
    there = parts.store.entities.get(scope, [entity_id], Moment(memory.valid_from, at))
    before: Mapping[str, str] = {name: prop.value for name, prop in there[0].state.props.items()} if there else {}
    renamed = placed.name if there and there[0].name != placed.name else None
    if before.get("status") not in (None, props.get("status")):
        event = EntityEvent.STATUS_CHANGED
    elif before.get("version") not in (None, props.get("version")):
        event = EntityEvent.VERSION_BUMPED
    else:
        other = renamed is not None and name_key(renamed) != name_key(there[0].name)
        event = EntityEvent.RENAMED if other else EntityEvent.UPDATED
    parts.store.entities.put_state(
        scope, entity_id, NewState(event, memory.id, memory.valid_from, renamed, dict.fromkeys(SAID) | props), at
    )
    if renamed:
        parts.store.entities.add_alias(scope, entity_id, renamed, name_key(renamed), memory.id, at)
