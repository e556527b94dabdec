"""Verbs on entities: personas, names, and whether a thing is still in use.

Each writes a memory that says what changed, and the entity's new state with that memory as its cause.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from trigraph.contracts import NewState
from trigraph.engine.finding import find_entity, find_memory
from trigraph.engine.parts import Parts
from trigraph.engine.write.documents import settle_supersessions
from trigraph.engine.write.once import Call, call, earlier, once
from trigraph.engine.write.resolution import Called
from trigraph.engine.write.revising import end_validity
from trigraph.engine.write.standing import in_force
from trigraph.engine.write.telling import ready, tell
from trigraph.errors import Conflict, InvalidInput
from trigraph.model.change import Changed, Verb
from trigraph.model.entity import Entity, EntityEvent
from trigraph.model.memory import EntityType, Kind, MemoryDraft
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.cleaning import check_label, check_text
from trigraph.text.names import NAME_LIMIT_CHARS, is_nameable, name_key

DESCRIPTION_PROP = "description"
STATUS_PROP = "status"
PROPS_MOST = 50
PROPS_LIMIT_CHARS = 20_000


def persona_create(
    parts: Parts, scope: Scope, name: str, draft: MemoryDraft, props: Mapping[str, str], key: str | None = None
) -> Changed:
    """Make a persona: an entity with a description and properties."""
    called = call(Verb.PERSONA, key, "create", name, draft, sorted(props.items()))
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    name, checked = _checked_name(name), _checked_props(props)
    draft = replace(draft, kind=Kind.CONTEXT, subject=name, type=EntityType.PERSONA)
    prepared = ready(parts, scope, draft)

    def change(at: datetime) -> Changed:
        alike = parts.store.entities.named(scope, name_key(name), Moment(at, at))
        if any(one.type is EntityType.PERSONA and one.visibility is draft.visibility for one in alike):
            raise Conflict(f"There is a persona {name!r} already.", fix="Use persona update.")
        about = Called(name, EntityType.PERSONA, changes=True)
        memory = tell(parts, scope, prepared, at, verb=Verb.PERSONA, subject=about)
        assert memory.subject is not None
        told = {DESCRIPTION_PROP: memory.text, **checked}
        state = NewState(EntityEvent.CREATED, memory.id, memory.valid_from, None, told)
        parts.store.entities.put_state(scope, memory.subject.id, state, at)
        return prepared.answered(Changed(Verb.PERSONA, (memory.id,), at, entity_id=memory.subject.id))

    return once(parts, scope, called, Changed, change)


def persona_update(
    parts: Parts, scope: Scope, name: str, draft: MemoryDraft, props: Mapping[str, str], key: str | None = None
) -> Changed:
    """Change a persona's description, its properties, or both; what it was before stays in its history."""
    called = call(Verb.PERSONA, key, "update", name, draft, sorted(props.items()))
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    checked = _checked_props(props)
    persona = find_entity(parts, scope, name)
    if persona.type is not EntityType.PERSONA:
        raise InvalidInput(f"{persona.name!r} is a {persona.type}, no persona.", field="name", fix="Name a persona.")
    if not draft.text and not checked:
        raise InvalidInput("Nothing to change.", field="text", fix="Give a description, properties, or both.")
    told = dict(checked)
    text = f"{persona.name}: " + "; ".join(f"{prop} is {value}" for prop, value in checked.items())
    described = persona.state.props.get(DESCRIPTION_PROP)
    if draft.text:
        text, told[DESCRIPTION_PROP] = draft.text, draft.text
    prepared = ready(parts, scope, _about(persona, replace(draft, text=text, kind=Kind.CONTEXT)))

    def change(at: datetime) -> Changed:
        about = Called(persona.name, None, entity_id=persona.id)
        memory = tell(parts, scope, prepared, at, verb=Verb.PERSONA, subject=about)
        links, replaced = [], []
        if draft.text and described is not None:
            old = find_memory(parts, scope, described.memory_id, at)
            if in_force(old):  # else somebody described it anew whom this agent may not see
                links.append(end_validity(parts, scope, old, memory, None, at))
                replaced.append(old.id)
        state = NewState(EntityEvent.UPDATED, memory.id, memory.valid_from, None, told)
        parts.store.entities.put_state(scope, persona.id, state, at)
        changed = Changed(
            Verb.PERSONA, (memory.id,), at, replaced=tuple(replaced), links=tuple(links), entity_id=persona.id
        )
        return prepared.answered(changed)

    return once(parts, scope, called, Changed, change)


def rename(parts: Parts, scope: Scope, name: str, new_name: str, draft: MemoryDraft, key: str | None = None) -> Changed:
    """Give an entity another canonical name; the old one stays an alias."""
    called = call(Verb.RENAME, key, name, new_name, draft)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    entity, new_name = find_entity(parts, scope, name), _checked_name(new_name)
    if new_name == entity.name:
        raise Conflict(f"{entity.name!r} is called that already.", fix="Give another name.")
    text = draft.text or f"{entity.name} is now called {new_name}."
    return _change_state(
        parts, scope, called, entity, replace(draft, text=text), EntityEvent.RENAMED, new_name=new_name
    )


def alias(parts: Parts, scope: Scope, name: str, other: str, draft: MemoryDraft, key: str | None = None) -> Changed:
    """Say that an entity goes by a further name; mentions of that name link to it from now on."""
    called = call(Verb.ALIAS, key, name, other, draft)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    entity, other = find_entity(parts, scope, name), _checked_name(other)
    if name_key(other) in {name_key(one) for one in (entity.name, *entity.aliases)}:
        raise Conflict(f"{entity.name!r} is called {other!r} already.", fix="Give another name.")
    text = draft.text or f"{other} is another name of {entity.name}."
    prepared = ready(parts, scope, _about(entity, replace(draft, text=text)))

    def change(at: datetime) -> Changed:
        about = Called(entity.name, None, entity_id=entity.id)
        memory = tell(parts, scope, prepared, at, verb=Verb.ALIAS, subject=about)
        parts.store.entities.add_alias(scope, entity.id, other, name_key(other), memory.id, at)
        return prepared.answered(Changed(Verb.ALIAS, (memory.id,), at, entity_id=entity.id))

    return once(parts, scope, called, Changed, change)


def document_status(
    parts: Parts, scope: Scope, document: Entity, status: str, draft: MemoryDraft, key: str | None = None
) -> Changed:
    """Say what a document's status was from a time on; one that arrives late holds until the next one begins."""
    called = call(Verb.DOCUMENT, key, document.id, status, draft)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    status = check_label(status, "status")
    draft = replace(draft, text=draft.text or f"{document.name}: status {status}.")
    return _change_state(parts, scope, called, document, draft, EntityEvent.STATUS_CHANGED, props={STATUS_PROP: status})


def retire(
    parts: Parts, scope: Scope, entity: Entity, reason: str | None, draft: MemoryDraft, key: str | None = None
) -> Changed:
    """A thing is no longer in use."""
    called = call(Verb.ARCHIVE, key, entity.id, reason, draft)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    if entity.retired:
        raise Conflict(f"{entity.name!r} is retired already.", fix="`trigraph restore` brings it back.")
    because = f": {reason.strip().rstrip('.')}" if reason and reason.strip() else ""
    draft = replace(draft, text=draft.text or f"{entity.name} is no longer in use{because}.")
    return _change_state(parts, scope, called, entity, draft, EntityEvent.RETIRED)


def reinstate(parts: Parts, scope: Scope, entity: Entity, draft: MemoryDraft, key: str | None = None) -> Changed:
    """A thing that was retired is in use again."""
    called = call(Verb.RESTORE, key, entity.id, draft)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    if not entity.retired:
        raise Conflict(f"{entity.name!r} is in use.", fix="There is nothing to restore.")
    draft = replace(draft, text=draft.text or f"{entity.name} is in use again.")
    return _change_state(parts, scope, called, entity, draft, EntityEvent.RESTORED)


def _change_state(
    parts: Parts,
    scope: Scope,
    called: Call,
    entity: Entity,
    draft: MemoryDraft,
    event: EntityEvent,
    new_name: str | None = None,
    props: Mapping[str, str] | None = None,
) -> Changed:
    prepared = ready(parts, scope, _about(entity, draft))

    def change(at: datetime) -> Changed:
        _check_unchanged(parts, scope, entity, at)
        about = Called(entity.name, None, entity_id=entity.id)
        memory = tell(parts, scope, prepared, at, verb=called.verb, subject=about)
        state = NewState(event, memory.id, memory.valid_from, new_name, props or {})
        parts.store.entities.put_state(scope, entity.id, state, at)
        if STATUS_PROP in state.props:
            settle_supersessions(parts, scope, memory, entity.id, at)
        if new_name is not None:
            parts.store.entities.add_alias(scope, entity.id, new_name, name_key(new_name), memory.id, at)
        return prepared.answered(Changed(called.verb, (memory.id,), at, entity_id=entity.id))

    return once(parts, scope, called, Changed, change)


def _check_unchanged(parts: Parts, scope: Scope, entity: Entity, at: datetime) -> None:
    """Raise if the entity changed since it was read: what is told of it would not be so."""
    now = find_entity(parts, scope, entity.id, Moment(at, at))
    if (now.name, now.retired, now.visibility) != (entity.name, entity.retired, entity.visibility):
        raise Conflict(f"{entity.name!r} was changed meanwhile.", fix="Look at it again.")


def _about(entity: Entity, draft: MemoryDraft) -> MemoryDraft:
    """A memory about an entity, for those who may see that entity."""
    return replace(draft, visibility=entity.visibility, group=entity.group, subject=entity.name)


def _checked_name(name: str) -> str:
    checked = check_label(name, "name", NAME_LIMIT_CHARS)
    if not is_nameable(checked):
        raise InvalidInput(
            f"{checked[:80]!r} cannot name anything.",
            field="name",
            fix="Give a name of one to ten words; not a number, a pronoun or markup.",
        )
    return checked


def _checked_props(props: Mapping[str, str]) -> dict[str, str]:
    if len(props) > PROPS_MOST:
        raise InvalidInput("Too many properties.", field="props", fix=f"Give at most {PROPS_MOST}.")
    checked = {check_label(name, "props"): check_text(value, Kind.FACT, "props") for name, value in props.items()}
    if sum(len(value) for value in checked.values()) > PROPS_LIMIT_CHARS:
        raise InvalidInput(
            "The properties are too long.",
            field="props",
            fix=f"Give at most {PROPS_LIMIT_CHARS:,} characters in all; keep long texts as memories.",
        )
    return checked
