"""A store with something of everything in it, and all that it holds as records."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from trigraph.contracts import Record, Store
from trigraph.model.change import CitationKind, Verb
from trigraph.model.composition import OutcomeLabel, Role
from trigraph.model.entity import EntityEvent
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.memory import DecisionDetails, Kind, Memory, Status, Visibility
from trigraph.model.relation import RelationType
from trigraph.model.scope import Scope
from trigraph.model.thread import Thread
from trigraph.testing.builders import (
    ANNE,
    BERT,
    DAY,
    START,
    keep,
    keep_episode,
    keep_thread,
    pin,
    recall_event,
    unit_vectors,
)
from trigraph.testing.changes import (
    change,
    cite,
    compose,
    end_relation,
    erase,
    keep_alias,
    keep_document,
    keep_entity,
    keep_link,
    keep_mention,
    label,
    relate,
    revise,
)


@dataclass(frozen=True)
class World:
    """What a test may want to do something to."""

    thread: Thread
    fact: Memory
    later: Memory
    private: Memory
    erased: Memory
    entity_id: str
    maker: Memory
    link: Link
    document_id: str
    document: Memory
    referring: Memory


def fill(store: Store) -> World:
    """Put something of everything into a store."""
    store.registry.add_group(ANNE.tenant, ANNE.project, "red", START)
    store.registry.join(ANNE.tenant, ANNE.project, "red", "anne")
    pin(store)
    thread = keep_thread(store, ANNE, "planning")
    for seq, text in enumerate(("hello", "good day", "to be erased")):
        said = keep_episode(store, ANNE, thread, seq, text, vectors=unit_vectors(1, seed=seq))
    fact = keep(
        store, ANNE, 'a "fact" \N{GRINNING FACE}\nand more', topic="Needles", tags=("a", "b"), domains=("house",)
    )
    later = keep(store, ANNE, "a later one", kind=Kind.DECISION, details=DecisionDetails("why"), root_id=fact.id)
    private = keep(store, ANNE, "a secret", visibility=Visibility.PRIVATE)
    keep(store, ANNE, "for some", visibility=Visibility.GROUP, group="red")
    revise(store, BERT, fact, Verb.SUPERSEDE, START + DAY, "late", superseded=True, superseded_by=later.id)
    revise(store, ANNE, later, Verb.FORGET, status=Status.FORGOTTEN, retracted_at=START + DAY)
    entity_id, maker = _fill_entities(store, private)
    link = _fill_links(store, fact, later, private)
    document_id, document, referring = _fill_documents(store, entity_id, private)
    _fill_uses(store, fact, link)
    _fill_compositions(store, fact, later, private, said)
    erase(store, ANNE, said)
    return World(thread, fact, later, private, said, entity_id, maker, link, document_id, document, referring)


def _fill_entities(store: Store, private: Memory) -> tuple[str, Memory]:
    entity_id, maker = keep_entity(store, ANNE, "Old Mill", props={"colour": "red"}, subject=True)
    keep_entity(store, ANNE, "Hideout", visibility=Visibility.PRIVATE)
    keep_alias(store, ANNE, entity_id, "Grinder", keep_mention(store, BERT, [entity_id]))
    keep_alias(store, ANNE, entity_id, "Secret Place", private)
    change(store, ANNE, entity_id, START + 20 * DAY, name="Museum", event=EntityEvent.RENAMED)
    change(store, BERT, entity_id, START + 10 * DAY, props={"size": "big"})
    change(store, BERT, entity_id, START + 10 * DAY, props={"size": "huge"})
    return entity_id, maker


def _fill_links(store: Store, fact: Memory, later: Memory, private: Memory) -> Link:
    link = keep_link(store, ANNE, later, fact, LinkType.SUPERSEDES)
    closed = keep_link(store, ANNE, private, fact)
    with store.transaction(ANNE, START) as now:
        store.links.revise(ANNE, replace(link, confidence=0.5), now)
        store.links.close(ANNE, closed.id, now)
    drawn: dict[str, Any] = {"created_by": LinkOrigin.SYSTEM, "confidence": 0.1 + 0.2}
    keep_link(store, ANNE, private, later, LinkType.TEMPORAL, gap_seconds=61.5, **drawn)
    keep_link(store, ANNE, fact, later, similarity=0.1 + 0.7, **drawn)
    return link


def _fill_documents(store: Store, entity_id: str, private: Memory) -> tuple[str, Memory, Memory]:
    """Two documents and a hidden one; a relation on the word of several, one of them hidden, and ended ones."""
    document_id, document = keep_document(store, ANNE, "SPEC-1", "north", "specs/one.md", props={"status": "draft"})
    other_id, referring = keep_document(store, BERT, "SPEC-2", "north")
    hidden_id, _ = keep_document(store, ANNE, "SPEC-3", "south", "three.md", visibility=Visibility.PRIVATE)
    keep_mention(store, BERT, [document_id, other_id, entity_id])
    for memory, section, ordinal in ((referring, "Top", 0), (document, "Links", 3), (private, "Secrets", 1)):
        relate(store, ANNE, memory, other_id, document_id, section=section, ordinal=ordinal)
    ended = relate(store, ANNE, document, document_id, entity_id, RelationType.DEPENDS_ON)
    end_relation(store, ANNE, ended, START)
    relate(store, ANNE, document, document_id, entity_id, RelationType.DEPENDS_ON)
    end_relation(store, ANNE, relate(store, BERT, referring, other_id, entity_id, RelationType.USES), START)
    relate(store, ANNE, private, hidden_id, entity_id, RelationType.PART_OF)
    return document_id, document, referring


def _fill_uses(store: Store, fact: Memory, link: Link) -> None:
    for scope, days in ((ANNE, 9), (ANNE, 9), (BERT, 8)):
        store.events.add(scope, replace(recall_event(scope, START - days * DAY), result_ids=(fact.id,)))
    store.retention.roll_up(ANNE, START - DAY, 10)
    event = recall_event(ANNE)
    store.events.add(ANNE, event)
    store.events.used(ANNE, event.recall_id, [fact.id], START)
    cite(store, ANNE, fact, CitationKind.CITED, recall_id=event.recall_id, session="session-1")
    cite(store, BERT, fact, CitationKind.DISMISSED)
    with store.transaction(ANNE, START) as now:
        store.uses.vote(ANNE, fact.id, 1, 0.1, None, now)
        store.uses.vote(BERT, link.id, -1, 0.1, "no", now)
        store.answers.put(ANNE, Verb.REMEMBER, "k", "print", json.dumps({"id": fact.id}), now)


def _fill_compositions(store: Store, fact: Memory, later: Memory, private: Memory, said: Memory) -> None:
    """One that others may see, one with a hidden member, one with a member that will be erased."""
    event = compose(store, ANNE, fact, later, roles=[Role.PRIMARY, Role.SUPERSEDED])
    label(store, BERT, event, OutcomeLabel.HELPFUL, notes="it was", confidence_delta=0.1)
    compose(store, ANNE, fact, private, status=None, confidence=None)
    compose(store, ANNE, fact, said)


def records(
    store: Store, scope: Scope, *, everything: bool = True, vectors: bool = False, events: bool = True
) -> list[Record]:
    """Everything a store holds of a project, or what an agent may see of it."""
    return list(store.transfer.records(scope, everything=everything, vectors=vectors, events=events))
