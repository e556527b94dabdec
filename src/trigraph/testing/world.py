"""A store with something of everything in it, and all that it holds as records."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from trigraph.contracts import Record, Store
from trigraph.model.change import CitationKind, Verb
from trigraph.model.entity import EntityEvent
from trigraph.model.link import Link, LinkType
from trigraph.model.memory import DecisionDetails, Kind, Memory, Status, Visibility
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
    erase,
    keep_alias,
    keep_entity,
    keep_link,
    keep_mention,
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
    _fill_uses(store, fact, link)
    erase(store, ANNE, said)
    return World(thread, fact, later, private, said, entity_id, maker, link)


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
    return link


def _fill_uses(store: Store, fact: Memory, link: Link) -> None:
    event = recall_event(ANNE)
    store.events.add(ANNE, event)
    store.events.used(ANNE, event.recall_id, [fact.id], START)
    cite(store, ANNE, fact, CitationKind.CITED, recall_id=event.recall_id, session="session-1")
    cite(store, BERT, fact, CitationKind.DISMISSED)
    with store.transaction(ANNE, START) as now:
        store.uses.vote(ANNE, fact.id, 1, 0.1, None, now)
        store.uses.vote(BERT, link.id, -1, 0.1, "no", now)
        store.answers.put(ANNE, Verb.REMEMBER, "k", "print", json.dumps({"id": fact.id}), now)


def records(
    store: Store, scope: Scope, *, everything: bool = True, vectors: bool = False, events: bool = True
) -> list[Record]:
    """Everything a store holds of a project, or what an agent may see of it."""
    return list(store.transfer.records(scope, everything=everything, vectors=vectors, events=events))
