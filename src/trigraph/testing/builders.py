"""The scopes and times of the suites, what they put into a store, and what a read of it shows."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trigraph.contracts import NewJob, NewMemory, NewPassage, ScoredPassage, Store
from trigraph.model.access import ReadPolicy
from trigraph.model.events import CandidateRecord, RecallEvent, ShownHit
from trigraph.model.ids import new_id
from trigraph.model.memory import Kind, Memory, MemoryFilter, Place, Provenance, Source, Status, Visibility
from trigraph.model.query import Leg, QueryClass
from trigraph.model.recall import LegReport, LegStatus
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel
from trigraph.model.thread import Thread
from trigraph.model.times import Moment

Vectors = NDArray[np.float32]

ANNE = Scope("default", "default", "anne")
BERT = Scope("default", "default", "bert")
ISLAND = Scope("default", "island", "anne")
"""Another project of the same tenant; `open_island` makes it."""
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOW = Moment(START + timedelta(days=365), START + timedelta(days=365))
DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)
MODEL = EmbeddingModel("conformance-a", 8)
OTHER_MODEL = EmbeddingModel("conformance-b", 5)
ALL = MemoryFilter()
NO_ONES_GROUP = "nobody"
HIDDEN = (Visibility.PRIVATE, Visibility.GROUP)
"""What no other agent may see; `group` too, for no group has a member."""


def new_memory(
    scope: Scope,
    *pieces: str,
    at: datetime,
    vectors: Vectors | None = None,
    identifiers: Sequence[str] = (),
    label: str | None = None,
    **fields: Any,
) -> NewMemory:
    """A memory of the scope's agent whose passages are `pieces`, with their lower-cased words as terms.

    `identifiers` and `label` are those of every passage; `fields` replace fields of the memory.
    """
    text = " ".join(pieces)
    plain = Memory(
        id=new_id("m", at),
        project=scope.project,
        kind=Kind.FACT,
        text=text,
        topic=None,
        content_hash=hashlib.sha256(text.encode()).hexdigest(),
        provenance=Provenance(Source.USER, scope.agent),
        trust=1.0,
        details=None,
        place=None,
        occurred_at=None,
        created_at=at,
        retracted_at=None,
        valid_from=at,
        valid_until=None,
        last_verified_at=None,
        status=Status.ACTIVE,
        visibility=Visibility.SHARED,
        tags=(),
        domains=(),
        confidence=1.0,
        pinned=False,
    )
    if fields.get("visibility") is Visibility.GROUP:
        fields = {"group": NO_ONES_GROUP, **fields}
    memory = replace(plain, **fields)
    topic_key = memory.topic.casefold().replace("-", " ").replace("_", " ") if memory.topic else None
    passages, start = [], 0
    for piece in pieces:
        end = start + len(piece)
        passages.append(NewPassage(start, end, label, tuple(piece.lower().split()), tuple(identifiers)))
        start = end + 1
    return NewMemory(memory, topic_key, tuple(passages), vectors)


def register(store: Store, *agents: str, policy: ReadPolicy = ReadPolicy.SHARED) -> None:
    """Make agents of the suites' project known."""
    for agent in agents:
        store.registry.put_agent(ANNE.tenant, ANNE.project, agent, policy, (), START)


def open_island(store: Store) -> None:
    """A second project of the suites' tenant, in which the same agent may see what is shared."""
    store.registry.add_project(ISLAND.tenant, ISLAND.project, START)
    store.registry.put_agent(ISLAND.tenant, ISLAND.project, ISLAND.agent, ReadPolicy.SHARED, (), START)


def keep(store: Store, scope: Scope, *pieces: str, at: datetime = START, **fields: Any) -> Memory:
    """Write one memory in a transaction of its own. Arguments as for `new_memory`."""
    with store.transaction(scope, at) as now:
        new = new_memory(scope, *pieces, at=now, **fields)
        store.memories.add(scope, new)
    return new.memory


def keep_thread(store: Store, scope: Scope, name: str | None = None, at: datetime = START) -> Thread:
    """Begin a thread of the scope's agent."""
    with store.transaction(scope, at) as now:
        thread = Thread(new_id("t", now), name, "session-1", "A title", scope.agent, now)
        store.threads.add(scope, thread)
    return thread


def keep_episode(store: Store, scope: Scope, thread: Thread, seq: int, *pieces: str, **fields: Any) -> Memory:
    """Write one message of a thread."""
    place = Place(thread.id, seq, "Anne", "user")
    return keep(store, scope, *pieces, kind=Kind.EPISODE, place=place, **fields)


def keep_job(store: Store, scope: Scope, name: str, at: datetime = START) -> None:
    """Queue a job."""
    with store.transaction(scope, at) as now:
        store.queue.put(scope, NewJob(new_id("j", now), name, "{}"), now)


def pin(store: Store, model: EmbeddingModel = MODEL, at: datetime = START) -> None:
    """Pin a model in a transaction of its own."""
    with store.transaction(ANNE, at):
        store.space.pin(ANNE, model)


def unit_vectors(count: int, dimension: int = MODEL.dimension, seed: int = 1) -> Vectors:
    """Random unit vectors that a format of eight bits a number keeps as exactly as one of 32."""
    dice = np.random.default_rng(seed)
    whole = dice.integers(-126, 127, size=(count, dimension)).astype(np.float32)
    whole[np.arange(count), dice.integers(0, dimension, count)] = 127
    return np.asarray(whole / np.linalg.norm(whole, axis=1, keepdims=True), dtype=np.float32)


def recall_event(scope: Scope, at: datetime = START) -> RecallEvent:
    """An event with something in every field."""
    return RecallEvent(
        recall_id=new_id("r", at),
        tenant=scope.tenant,
        project=scope.project,
        agent=scope.agent,
        session="session-1",
        query='what about the "green" door? 😀',
        query_class=QueryClass.DECISION,
        profile="default",
        fusion="score",
        result_count=3,
        result_ids=(new_id("m", at), new_id("m", at)),
        top_n_selected=2,
        payload_bytes=123,
        exact_ids=("m_0000000000000000000000000b",),
        weights={Leg.VECTOR: 1.0, Leg.LEXICAL: 0.1 + 0.2},
        candidates=(
            CandidateRecord(new_id("m", at), 4, ("vector", "lexical"), {Leg.VECTOR: -0.123456, Leg.LEXICAL: 9.5}),
            CandidateRecord(new_id("m", at), 0, ("neighbour",), {}),
        ),
        legs=(
            LegReport(Leg.VECTOR, LegStatus.OK, 100, 1.234),
            LegReport(Leg.GRAPH, LegStatus.NOT_APPLICABLE, reason="the query names no entity"),
        ),
        milliseconds=12.345,
        at=at + MICROSECOND,
        feature_names=("words", "meaning"),
        shown=(
            ShownHit(new_id("m", at), 1, 0.25, (1.5, -0.125)),
            ShownHit(new_id("m", at), 3, 0.0, (0.0, 2.0)),
        ),
        explored=new_id("m", at),
    )


# What a read shows


def ids(memories: Collection[Memory]) -> list[str]:
    return [memory.id for memory in memories]


def owner(memory: Memory) -> Scope:
    return replace(ANNE, agent=memory.provenance.author)


def passage_keys(store: Store, memory: Memory) -> list[int]:
    """The store's own numbers of a memory's passages, in order, as its author finds them."""
    moment = Moment(memory.valid_from, memory.created_at)
    found = store.search.lexical(owner(memory), memory.text.lower().split(), ALL, moment, 10_000)
    around = store.search.surroundings(owner(memory), [one.passage for one in found], 1000, ALL, moment)
    ours = [text for text in around if text.memory_id == memory.id]
    return [text.passage for text in sorted(ours, key=lambda text: text.ordinal)]


def memories_of(store: Store, scope: Scope, found: Sequence[ScoredPassage], moment: Moment = NOW) -> list[str]:
    """The memory of each passage of a ranking, in its order."""
    around = store.search.surroundings(scope, [one.passage for one in found], 0, ALL, moment)
    memory_of = {text.passage: text.memory_id for text in around}
    return [memory_of[one.passage] for one in found]
