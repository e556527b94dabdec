"""What the suites do to memories and entities, each in a transaction of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from trigraph.contracts import NewEntity, NewMention, NewState, Store, Written
from trigraph.model.change import Citation, CitationKind, Verb
from trigraph.model.composition import (
    CompositionEvent,
    CompositionMetadata,
    CompositionOutcome,
    CompositionStatus,
    Member,
    OutcomeLabel,
    Role,
)
from trigraph.model.entity import EntityEvent, EntityState
from trigraph.model.ids import new_id
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.memory import EntityType, Kind, Memory
from trigraph.model.relation import RelationType
from trigraph.model.scope import Scope
from trigraph.testing.builders import START, new_memory


def revise(
    store: Store,
    scope: Scope,
    memory: Memory,
    verb: Verb = Verb.REVERIFY,
    at: datetime = START,
    reason: str | None = None,
    **fields: Any,
) -> Memory:
    """Open a version of the memory with some fields changed."""
    revised = replace(memory, **fields)
    with store.transaction(scope, at) as now:
        store.memories.revise(scope, revised, verb, reason, now)
    return revised


def erase(store: Store, scope: Scope, *memories: Memory, at: datetime = START) -> None:
    """Erase memories for good."""
    with store.transaction(scope, at) as now:
        for memory in memories:
            store.memories.erase(scope, memory.id, now)


def compose(
    store: Store, scope: Scope, *memories: Memory, roles: Sequence[Role] = (), at: datetime = START, **fields: Any
) -> CompositionEvent:
    """Keep that memories were used together: the first primary, the others supporting, unless roles are given."""
    told = [*roles, *([Role.PRIMARY, *[Role.SUPPORTING] * len(memories)][len(roles) :])]
    with store.transaction(scope, at) as now:
        whole: dict[str, Any] = {
            "id": new_id("c", now),
            "project": scope.project,
            "author": scope.agent,
            "at": now,
            "tool": "deep_reference",
            "mode": "synthesis",
            "query": "what about the mill?",
            "query_hash": "ab" * 32,
            "confidence": 0.625,
            "status": CompositionStatus.PARTIAL_EVIDENCE,
            "output_preview": "it was made of these",
            "metadata": CompositionMetadata("synthesis", 9, 2, "because they say so"),
            "members": tuple(
                Member(one.id, role, rank, 0.5, 0.1 + 0.2, one.text[:20], one.tags, one.text)
                for rank, (one, role) in enumerate(zip(memories, told, strict=False), start=1)
            ),
        }
        event = CompositionEvent(**{**whole, **fields})
        store.compositions.add(scope, event)
    return event


def label(
    store: Store, scope: Scope, event: CompositionEvent, label_: OutcomeLabel, *, at: datetime = START, **fields: Any
) -> CompositionOutcome:
    """Say what came of a composition."""
    with store.transaction(scope, at) as now:
        outcome = CompositionOutcome(label_, "user", scope.agent, now, **fields)
        store.compositions.label(scope, event.id, outcome)
    return outcome


def key_of(name: str) -> str:
    """A name as the suites compare it."""
    return name.casefold()


def keep_entity(
    store: Store,
    scope: Scope,
    name: str,
    *,
    at: datetime = START,
    valid_from: datetime | None = None,
    type_: EntityType = EntityType.SYSTEM,
    props: dict[str, str] | None = None,
    subject: bool = False,
    **fields: Any,
) -> tuple[str, Memory]:
    """A memory, and the entity that it speaks of and made; the entity has the memory's audience."""
    with store.transaction(scope, at) as now:
        new = new_memory(scope, f"{name} is there", at=now, **fields)
        memory, entity_id = new.memory, new_id("e", now)
        store.memories.add(scope, new)
        made = NewEntity(
            id=entity_id,
            name=name,
            name_key=key_of(name),
            type=type_,
            made_by=memory.id,
            visibility=memory.visibility,
            group=memory.group,
            valid_from=valid_from or now,
            props=props or {},
        )
        store.entities.add(scope, made, now)
        store.entities.mention(scope, memory.id, [NewMention(entity_id, 0, len(name), 1.0, subject)], now)
    return entity_id, memory


def keep_mention(
    store: Store,
    scope: Scope,
    entity_ids: Sequence[str],
    text: str = "it is spoken of",
    *,
    at: datetime = START,
    subject: bool = False,
    **fields: Any,
) -> Memory:
    """A memory that speaks of entities, at places 0, 1, 2 and so on of its text; the first may be its subject."""
    with store.transaction(scope, at) as now:
        new = new_memory(scope, text, at=now, **fields)
        store.memories.add(scope, new)
        mentions = [
            NewMention(entity_id, place, place + 1, 0.5, subject and place == 0)
            for place, entity_id in enumerate(entity_ids)
        ]
        store.entities.mention(scope, new.memory.id, mentions, now)
    return new.memory


def change(
    store: Store,
    scope: Scope,
    entity_id: str,
    valid_from: datetime,
    *,
    at: datetime = START,
    name: str | None = None,
    event: EntityEvent = EntityEvent.UPDATED,
    props: dict[str, str] | None = None,
    **fields: Any,
) -> Memory:
    """A memory that speaks of an entity and brings a state of it."""
    with store.transaction(scope, at) as now:
        new = new_memory(scope, f"from {valid_from}", at=now, **fields)
        store.memories.add(scope, new)
        store.entities.mention(scope, new.memory.id, [NewMention(entity_id, None, None, 1.0)], now)
        state = NewState(event, new.memory.id, valid_from, name, props or {})
        store.entities.put_state(scope, entity_id, state, now)
    return new.memory


def keep_alias(store: Store, scope: Scope, entity_id: str, name: str, memory: Memory, at: datetime = START) -> None:
    """Give an entity a further name on the word of a memory."""
    with store.transaction(scope, at) as now:
        store.entities.add_alias(scope, entity_id, name, key_of(name), memory.id, now)


def keep_link(
    store: Store,
    scope: Scope,
    from_: Memory,
    to: Memory,
    type_: LinkType = LinkType.RELATES_TO,
    at: datetime = START,
    **fields: Any,
) -> Link:
    """Draw a link from one memory to another."""
    with store.transaction(scope, at) as now:
        plain = Link(
            id=new_id("l", now),
            from_id=from_.id,
            to_id=to.id,
            type=type_,
            confidence=0.75,
            created_by=LinkOrigin.USER,
            author=scope.agent,
            reason="because",
            valid_from=now,
            valid_until=None,
            known_from=now,
        )
        link = replace(plain, **fields)
        store.links.add(scope, link)
    return link


def keep_document(
    store: Store,
    scope: Scope,
    name: str,
    collection: str = "default",
    path: str | None = None,
    at: datetime = START,
    **fields: Any,
) -> tuple[str, Memory]:
    """A document and the memory that holds its text. Fields as for `keep_entity`."""
    whole: dict[str, Any] = {"kind": Kind.DOCUMENT, "subject": True, **fields}
    entity_id, memory = keep_entity(store, scope, name, at=at, type_=EntityType.DOCUMENT, **whole)
    with store.transaction(scope, at):
        store.documents.put(scope, entity_id, collection, key_of(name), path)
    return entity_id, memory


def relate(
    store: Store,
    scope: Scope,
    memory: Memory,
    source_id: str,
    target_id: str,
    type_: RelationType = RelationType.REFERENCES,
    section: str = "Body",
    ordinal: int = 0,
    at: datetime = START,
) -> Written:
    """Make a memory evidence of a relation."""
    written = Written(memory.id, source_id, type_, target_id, section)
    with store.transaction(scope, at) as now:
        store.relations.add(scope, written, ordinal, now)
    return written


def keep_relation(
    store: Store,
    scope: Scope,
    source_id: str,
    target_id: str,
    type_: RelationType = RelationType.REFERENCES,
    at: datetime = START,
    **fields: Any,
) -> tuple[Written, Memory]:
    """A memory that speaks of two entities and says how they relate. Fields as for `keep_mention`."""
    memory = keep_mention(store, scope, [source_id, target_id], at=at, **fields)
    return relate(store, scope, memory, source_id, target_id, type_, at=at), memory


def end_relation(store: Store, scope: Scope, written: Written, at: datetime) -> None:
    """It stands there no longer."""
    with store.transaction(scope, at) as now:
        store.relations.close(scope, written, now)


def cite(
    store: Store,
    scope: Scope,
    memory: Memory,
    kind: CitationKind = CitationKind.CITED,
    *,
    recall_id: str | None = None,
    session: str | None = None,
    at: datetime = START,
) -> bool:
    """Cite a memory."""
    with store.transaction(scope, at) as now:
        return store.uses.cite(scope, Citation(memory.id, kind, recall_id, session, scope.agent, "a note", now))


# What a read shows


State = tuple[str, dict[str, str], datetime, datetime | None]


def plain(state: EntityState) -> State:
    """A state's name, the values of its properties, and when it holds."""
    return state.name, {name: prop.value for name, prop in state.props.items()}, state.valid_from, state.valid_until


def chain(store: Store, scope: Scope, entity_id: str, known_at: datetime) -> list[State]:
    """An entity's states as they were believed."""
    return [plain(state) for state in store.entities.states(scope, entity_id, known_at)]
