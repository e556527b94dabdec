"""What every store must do, as tests: a backend inherits `StorageSuite` and runs them all.

    class TestMyStore(StorageSuite):
        @pytest.fixture
        def store(self) -> Iterator[Store]:
            opened = MyStore(...)
            yield opened
            opened.close()

`store` must give an empty store that knows tenant and project `default`. Say
`pytest.register_assert_rewrite("trigraph.testing.storage_suite")` before the import to see values
in failures.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trigraph.contracts import Job, NewMemory, NewPassage, PassageText, ScoredPassage, Store
from trigraph.errors import StoreClosed, StoreError
from trigraph.model.events import CandidateRecord, RecallEvent
from trigraph.model.ids import new_id
from trigraph.model.memory import (
    DecisionDetails,
    Kind,
    Memory,
    MemoryFilter,
    OutcomeDetails,
    OutcomeResult,
    Place,
    Provenance,
    Source,
    Status,
    Visibility,
)
from trigraph.model.query import Leg, QueryClass
from trigraph.model.recall import LegReport, LegStatus
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel
from trigraph.model.thread import Thread
from trigraph.model.times import Moment

Vectors = NDArray[np.float32]

ANNE = Scope("default", "default", "anne")
BERT = Scope("default", "default", "bert")
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOW = Moment(START + timedelta(days=365), START + timedelta(days=365))
DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)
MODEL = EmbeddingModel("conformance-a", 8)
OTHER_MODEL = EmbeddingModel("conformance-b", 5)
ALL = MemoryFilter()
HIDDEN = (Visibility.PRIVATE, Visibility.GROUP)
"""What no other agent may see; `group` too, for no group has a member."""


# Builders


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
    memory = replace(plain, **fields)
    topic_key = memory.topic.casefold().replace("-", " ").replace("_", " ") if memory.topic else None
    passages, start = [], 0
    for piece in pieces:
        end = start + len(piece)
        passages.append(NewPassage(start, end, label, tuple(piece.lower().split()), tuple(identifiers)))
        start = end + 1
    return NewMemory(memory, topic_key, tuple(passages), vectors)


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
        store.queue.put(scope, Job(new_id("j", now), name, "{}", 0), now)


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


# What a read shows


def ids(memories: Collection[Memory]) -> list[str]:
    return [memory.id for memory in memories]


def owner(memory: Memory) -> Scope:
    return replace(ANNE, agent=memory.provenance.author)


def passage_keys(store: Store, memory: Memory) -> list[int]:
    """The store's own numbers of a memory's passages, in order, as its author finds them."""
    moment = Moment(memory.valid_from, memory.created_at)
    found = store.search.lexical(owner(memory), memory.text.lower().split(), ALL, moment, 10_000)
    around = store.search.surroundings(owner(memory), [one.passage for one in found], 0, ALL, moment)
    ours = [text for text in around if text.memory_id == memory.id]
    return [text.passage for text in sorted(ours, key=lambda text: text.ordinal)]


def memories_of(store: Store, scope: Scope, found: Sequence[ScoredPassage], moment: Moment = NOW) -> list[str]:
    """The memory of each passage of a ranking, in its order."""
    around = store.search.surroundings(scope, [one.passage for one in found], 0, ALL, moment)
    memory_of = {text.passage: text.memory_id for text in around}
    return [memory_of[one.passage] for one in found]


def _by_get(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.memories.get(scope, [memory.id], moment) != []


def _by_suffix(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return memory.id in store.memories.ids_ending(scope, memory.id[-8:], ALL, moment)


def _by_page(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return memory.id in ids(store.memories.page(scope, ALL, moment, 1000, None))


def _by_topic(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return memory.id in store.memories.ids_of_topic(scope, "needles", ALL, moment, 1000)


def _by_same_text(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    hashes = [memory.content_hash]
    return store.memories.same_text(scope, hashes, memory.kind, memory.visibility, moment) != {}


def _by_count(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.memories.count_by_kind(scope, moment).get(memory.kind, 0) > 0


def _by_lexical(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.search.lexical(scope, memory.text.lower().split(), ALL, moment, 1000) != []


def _by_identifier(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.search.identifiers(scope, ["needle"], ALL, moment, 1000) != []


def _by_vector(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.search.nearest(scope, unit_vectors(1)[0], ALL, moment, 1000) != []


def _by_surroundings(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.search.surroundings(scope, passage_keys(store, memory), 2, ALL, moment) != []


Read = Callable[[Store, Scope, Memory, Moment], bool]
READS: dict[str, Read] = {
    "get": _by_get,
    "ids_ending": _by_suffix,
    "page": _by_page,
    "ids_of_topic": _by_topic,
    "same_text": _by_same_text,
    "count_by_kind": _by_count,
    "lexical": _by_lexical,
    "identifiers": _by_identifier,
    "nearest": _by_vector,
    "surroundings": _by_surroundings,
}
"""Every read that can show a memory: whether it shows this one, the only one in the store."""

every_read = pytest.mark.parametrize("read", READS.values(), ids=READS)


def keep_findable(store: Store, scope: Scope, **fields: Any) -> Memory:
    """A memory that every one of `READS` finds."""
    pin(store)
    vectors, names = unit_vectors(1), ["xneedlex"]
    return keep(store, scope, "alpha beta", vectors=vectors, identifiers=names, topic="Needles", **fields)


def _asked(wanted: MemoryFilter) -> str:
    """The fields that a filter asks about, as the name of a test."""
    return "-".join(field.name for field in dataclasses.fields(wanted) if getattr(wanted, field.name))


# The suite, a member of the contract at a time


class _Suite:
    """The hook that a backend fills."""

    writers_wait_for_readers = False
    """True for a store that lets no other thread write while one reads or writes."""

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        """An empty store, closed at the end."""
        raise NotImplementedError("a backend's suite overrides this fixture")


class MemoriesSuite(_Suite):
    """`contracts.Memories`."""

    def test_what_was_added_comes_back_whole(self, store: Store) -> None:
        kept = keep(
            store,
            ANNE,
            "Fenster\t„schließen“ 😀\n",
            kind=Kind.DECISION,
            topic="Night Routine",
            provenance=Provenance(Source.TOOL_OUTPUT, ANNE.agent, "session-1", "turn-2", "file:///a"),
            trust=0.5,
            details=DecisionDetails("It is “cold”."),
            occurred_at=START - DAY,
            valid_from=START - 2 * DAY,
            valid_until=NOW.as_of + MICROSECOND,
            last_verified_at=START - MICROSECOND,
            visibility=Visibility.PRIVATE,
            tags=("b", "a"),
            domains=("house",),
            confidence=0.25,
            pinned=True,
        )
        assert store.memories.get(ANNE, [kept.id], NOW) == [kept]

    def test_an_outcome_keeps_its_result_and_reason(self, store: Store) -> None:
        details = OutcomeDetails(OutcomeResult.PARTIAL, "half of it")
        kept = keep(store, ANNE, "tried it", kind=Kind.OUTCOME, details=details)
        assert store.memories.get(ANNE, [kept.id], NOW)[0].details == details

    def test_an_episode_keeps_its_place(self, store: Store) -> None:
        kept = keep_episode(store, ANNE, keep_thread(store, ANNE), 7, "hello")
        assert store.memories.get(ANNE, [kept.id], NOW) == [kept]

    def test_get_answers_in_the_order_asked_and_leaves_out_what_is_not_there(self, store: Store) -> None:
        first, second, third = (keep(store, ANNE, word) for word in ("one", "two", "three"))
        asked = [third.id, new_id("m", START), first.id, second.id]
        assert ids(store.memories.get(ANNE, asked, NOW)) == [third.id, first.id, second.id]

    def test_an_id_is_found_by_its_ending_of_any_length(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        keep(store, ANNE, "two")
        for length in (8, 13, 26):
            assert store.memories.ids_ending(ANNE, kept.id[-length:], ALL, NOW) == [kept.id]

    def test_an_ending_that_differs_before_the_last_eight_is_another(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        other = "0" if kept.id[-9] != "0" else "1"
        assert store.memories.ids_ending(ANNE, other + kept.id[-8:], ALL, NOW) == []

    def test_an_ambiguous_ending_gives_two_ids(self, store: Store) -> None:
        ending = "abcdefgh"
        for number in range(3):
            keep(store, ANNE, f"text {number}", id=f"m_{number:018d}{ending}")
        found = store.memories.ids_ending(ANNE, ending, ALL, NOW)
        assert len(set(found)) == 2
        assert all(id_.endswith(ending) for id_ in found)

    def test_a_topic_gives_its_memories_newest_first(self, store: Store) -> None:
        kept = [keep(store, ANNE, f"text {number}", topic="Night-Routine").id for number in range(3)]
        skill = keep(store, ANNE, "a skill", topic="night routine", kind=Kind.SKILL).id
        keep(store, ANNE, "night routine of another topic", topic="Night Routines")
        keep(store, ANNE, "night routine of no topic")
        of_topic = store.memories.ids_of_topic
        assert of_topic(BERT, "night_ROUTINE", ALL, NOW, 10) == [skill, *reversed(kept)]
        assert of_topic(BERT, "night routine", ALL, NOW, 2) == [skill, kept[2]]
        assert of_topic(BERT, "night routine", MemoryFilter(kinds=(Kind.SKILL,)), NOW, 10) == [skill]
        assert of_topic(BERT, "night", ALL, NOW, 10) == []

    def test_same_text_is_told_by_hash_kind_and_visibility(self, store: Store) -> None:
        kept = keep(store, ANNE, "one", kind=Kind.FACT)
        hashes = {kept.content_hash, "0" * 64}
        same = store.memories.same_text
        assert same(BERT, hashes, Kind.FACT, Visibility.SHARED, NOW) == {kept.content_hash: kept.id}
        assert same(ANNE, hashes, Kind.INSIGHT, Visibility.SHARED, NOW) == {}
        assert same(ANNE, hashes, Kind.FACT, Visibility.PRIVATE, NOW) == {}

    def test_pages_are_newest_first_and_follow_one_another(self, store: Store) -> None:
        kept = [keep(store, ANNE, f"text {number}", at=START + number * DAY).id for number in range(5)]
        first = ids(store.memories.page(ANNE, ALL, NOW, 2, None))
        second = ids(store.memories.page(ANNE, ALL, NOW, 2, first[-1]))
        third = ids(store.memories.page(ANNE, ALL, NOW, 2, second[-1]))
        assert [first, second, third] == [[kept[4], kept[3]], [kept[2], kept[1]], [kept[0]]]

    @pytest.mark.parametrize(
        "wanted",
        [
            MemoryFilter(kinds=(Kind.SKILL, Kind.INSIGHT)),
            MemoryFilter(topic="night_routine"),
            MemoryFilter(tags=("a", "c")),
            MemoryFilter(sources=(Source.WEB, Source.HOOK)),
            MemoryFilter(author=ANNE.agent),
            MemoryFilter(session="session-1"),
            MemoryFilter(created_after=START + DAY),
            MemoryFilter(created_before=START + DAY + MICROSECOND, created_after=START + MICROSECOND),
            MemoryFilter(occurred_after=START - DAY),
            MemoryFilter(occurred_before=START - DAY + MICROSECOND, occurred_after=START - 2 * DAY),
            MemoryFilter(kinds=(Kind.SKILL,), tags=("b",), author=ANNE.agent, session="session-1"),
        ],
        ids=_asked,
    )
    def test_a_filter_keeps_what_it_asks_for_and_nothing_else(self, store: Store, wanted: MemoryFilter) -> None:
        keep(store, BERT, "alpha", tags=("a",), provenance=Provenance(Source.USER, BERT.agent, "session-2"))
        asked_for = keep(
            store,
            ANNE,
            "alpha",
            at=START + DAY,
            kind=Kind.SKILL,
            topic="Night-Routine",
            tags=("a", "b", "c"),
            provenance=Provenance(Source.WEB, ANNE.agent, "session-1"),
            occurred_at=START - DAY,
        )
        assert ids(store.memories.page(BERT, wanted, NOW, 10, None)) == [asked_for.id]
        found = store.search.lexical(BERT, ["alpha"], wanted, NOW, 10)
        assert memories_of(store, BERT, found) == [asked_for.id]

    @pytest.mark.parametrize(
        "wanted",
        [
            MemoryFilter(created_before=START),
            MemoryFilter(created_after=START + MICROSECOND),
            MemoryFilter(occurred_before=START - DAY),
            MemoryFilter(occurred_after=START - DAY + MICROSECOND),
            MemoryFilter(tags=("a", "b")),
        ],
        ids=_asked,
    )
    def test_a_filter_just_beside_a_memory_leaves_it_out(self, store: Store, wanted: MemoryFilter) -> None:
        keep(store, ANNE, "alpha", tags=("a",), occurred_at=START - DAY)
        assert store.memories.page(ANNE, wanted, NOW, 10, None) == []

    def test_a_filter_by_thread_asks_for_that_threads_episodes(self, store: Store) -> None:
        thread, other = keep_thread(store, ANNE), keep_thread(store, ANNE)
        kept = keep_episode(store, ANNE, thread, 0, "alpha")
        keep_episode(store, ANNE, other, 0, "alpha")
        keep(store, ANNE, "alpha")
        assert ids(store.memories.page(ANNE, MemoryFilter(thread=thread.id), NOW, 10, None)) == [kept.id]

    def test_a_filter_by_seq_asks_for_the_first_to_the_last_both_included(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        kept = [keep_episode(store, ANNE, thread, seq, f"message{seq}").id for seq in range(5)]
        keep(store, ANNE, "in no thread")
        page = store.memories.page
        assert ids(page(ANNE, MemoryFilter(first_seq=1, last_seq=3), NOW, 10, None)) == kept[3:0:-1]
        assert ids(page(ANNE, MemoryFilter(first_seq=3), NOW, 10, None)) == kept[:2:-1]
        assert ids(page(ANNE, MemoryFilter(last_seq=0), NOW, 10, None)) == kept[:1]

    def test_memories_are_counted_by_kind(self, store: Store) -> None:
        for number, kind in enumerate((Kind.FACT, Kind.SKILL, Kind.FACT)):
            keep(store, ANNE, f"text {number}", kind=kind)
        assert store.memories.count_by_kind(BERT, NOW) == {Kind.FACT: 2, Kind.SKILL: 1}

    def test_an_id_is_taken_once(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        with pytest.raises(StoreError):
            keep(store, ANNE, "two", id=kept.id)
        assert store.memories.get(ANNE, [kept.id], NOW) == [kept]


class VisibilitySuite(_Suite):
    """What may be seen, by whom and when, is the same for every read."""

    @every_read
    def test_a_shared_memory_is_seen_by_all(self, store: Store, read: Read) -> None:
        memory = keep_findable(store, ANNE)
        assert read(store, ANNE, memory, NOW)
        assert read(store, BERT, memory, NOW)

    @every_read
    @pytest.mark.parametrize("visibility", HIDDEN)
    def test_what_is_not_shared_is_seen_by_its_author_alone(
        self, store: Store, read: Read, visibility: Visibility
    ) -> None:
        memory = keep_findable(store, ANNE, visibility=visibility)
        assert read(store, ANNE, memory, NOW)
        assert not read(store, BERT, memory, NOW)

    @every_read
    def test_a_memory_is_true_from_valid_from_until_just_before_valid_until(self, store: Store, read: Read) -> None:
        begins, ends = START - 9 * DAY, START + 9 * DAY
        memory = keep_findable(store, ANNE, valid_from=begins, valid_until=ends)
        shown = {
            as_of: read(store, BERT, memory, Moment(as_of, NOW.known_at))
            for as_of in (begins - MICROSECOND, begins, ends - MICROSECOND, ends)
        }
        assert list(shown.values()) == [False, True, True, False]

    @every_read
    def test_a_memory_is_known_from_the_microsecond_it_was_created(self, store: Store, read: Read) -> None:
        memory = keep_findable(store, ANNE, at=START + DAY, valid_from=START)
        assert not read(store, ANNE, memory, Moment(NOW.as_of, memory.created_at - MICROSECOND))
        assert read(store, ANNE, memory, Moment(NOW.as_of, memory.created_at))

    @pytest.mark.parametrize("read", [READS["lexical"], READS["identifiers"], READS["nearest"]])
    @pytest.mark.parametrize("status", [Status.QUARANTINED, Status.FORGOTTEN, Status.ARCHIVED])
    def test_only_active_memories_are_searched(self, store: Store, read: Read, status: Status) -> None:
        memory = keep_findable(store, ANNE, status=status)
        assert not read(store, ANNE, memory, NOW)

    def test_hidden_memories_are_not_counted(self, store: Store) -> None:
        keep(store, ANNE, "one", visibility=Visibility.PRIVATE)
        keep(store, ANNE, "two")
        assert store.memories.count_by_kind(ANNE, NOW) == {Kind.FACT: 2}
        assert store.memories.count_by_kind(BERT, NOW) == {Kind.FACT: 1}

    def test_a_hidden_memory_does_not_make_an_ending_ambiguous(self, store: Store) -> None:
        keep(store, ANNE, "one", id=f"m_{1:018d}abcdefgh", visibility=Visibility.PRIVATE)
        keep(store, BERT, "two", id=f"m_{2:018d}abcdefgh", visibility=Visibility.PRIVATE)
        assert store.memories.ids_ending(BERT, "abcdefgh", ALL, NOW) == [f"m_{2:018d}abcdefgh"]

    def test_a_page_is_filled_with_visible_memories(self, store: Store) -> None:
        ours = [keep(store, BERT, f"ours {number}").id for number in range(3)]
        for number in range(20):
            keep(store, ANNE, f"theirs {number}", visibility=Visibility.PRIVATE)
        assert ids(store.memories.page(BERT, ALL, NOW, 3, None)) == ours[::-1]


class ThreadsSuite(_Suite):
    """`contracts.Threads`."""

    def test_a_thread_is_found_by_its_name_and_by_its_id(self, store: Store) -> None:
        thread = keep_thread(store, ANNE, "planning")
        assert store.threads.find(ANNE, "planning", NOW) == thread
        assert store.threads.find(ANNE, thread.id, NOW) == thread

    def test_a_name_is_its_agents_own(self, store: Store) -> None:
        keep_episode(store, ANNE, keep_thread(store, ANNE, "planning"), 0, "hello")
        assert store.threads.find(BERT, "planning", NOW) is None
        ours = keep_thread(store, BERT, "planning")
        assert store.threads.find(BERT, "planning", NOW) == ours

    def test_an_agents_thread_of_a_name_comes_before_a_thread_of_that_id(self, store: Store) -> None:
        first = keep_thread(store, ANNE)
        second = keep_thread(store, ANNE, first.id)
        assert store.threads.find(ANNE, first.id, NOW) == second

    def test_a_thread_that_is_not_there_is_none(self, store: Store) -> None:
        assert store.threads.find(ANNE, "planning", NOW) is None
        assert store.threads.find(ANNE, new_id("t", START), NOW) is None

    @pytest.mark.parametrize("visibility", HIDDEN)
    def test_a_thread_is_seen_by_others_once_one_of_its_episodes_is(self, store: Store, visibility: Visibility) -> None:
        thread = keep_thread(store, ANNE)
        keep_episode(store, ANNE, thread, 0, "between us", visibility=visibility)
        assert store.threads.find(BERT, thread.id, NOW) is None
        assert (store.threads.count(ANNE, NOW), store.threads.count(BERT, NOW)) == (1, 0)
        keep_episode(store, ANNE, thread, 1, "for all")
        assert store.threads.find(BERT, thread.id, NOW) == thread
        assert store.threads.count(BERT, NOW) == 1

    def test_a_thread_of_episodes_not_yet_known_is_not_counted(self, store: Store) -> None:
        keep_episode(store, ANNE, keep_thread(store, ANNE), 0, "hello", at=START + DAY)
        assert store.threads.count(ANNE, Moment(NOW.as_of, START + DAY - MICROSECOND)) == 0
        assert store.threads.count(ANNE, Moment(NOW.as_of, START + DAY)) == 1

    def test_threads_are_counted_once_however_long(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        keep_thread(store, ANNE, "without a message")
        for seq in range(3):
            keep_episode(store, ANNE, thread, seq, f"message {seq}")
        assert store.threads.count(BERT, NOW) == 1

    def test_a_name_is_given_once_by_an_agent(self, store: Store) -> None:
        thread = keep_thread(store, ANNE, "planning")
        with pytest.raises(StoreError):
            keep_thread(store, ANNE, "planning")
        assert store.threads.find(ANNE, "planning", NOW) == thread

    def test_a_place_taken_is_taken_whoever_may_see_it(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        hidden = keep_episode(store, ANNE, thread, 0, "secret", visibility=Visibility.PRIVATE)
        forgotten = keep_episode(store, ANNE, thread, 2, "old", status=Status.FORGOTTEN)
        keep_episode(store, ANNE, thread, 3, "not asked for")
        assert store.threads.episodes_at(BERT, thread.id, [0, 1, 2]) == {
            0: (hidden.id, hidden.content_hash),
            2: (forgotten.id, forgotten.content_hash),
        }

    def test_a_place_is_taken_once(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        kept = keep_episode(store, ANNE, thread, 4, "hello")
        with pytest.raises(StoreError):
            keep_episode(store, ANNE, thread, 4, "again")
        assert store.threads.episodes_at(ANNE, thread.id, [4]) == {4: (kept.id, kept.content_hash)}

    def test_the_next_place_is_the_one_after_the_last(self, store: Store) -> None:
        thread, other = keep_thread(store, ANNE), keep_thread(store, ANNE)
        assert store.threads.next_seq(ANNE, thread.id) == 0
        keep_episode(store, ANNE, thread, 0, "hello")
        keep_episode(store, ANNE, thread, 1, "secret", visibility=Visibility.PRIVATE)
        assert store.threads.next_seq(BERT, thread.id) == 2
        assert store.threads.next_seq(BERT, other.id) == 0


class LexicalSuite(_Suite):
    """`contracts.Search`: words and identifiers."""

    def test_any_of_the_terms_is_enough(self, store: Store) -> None:
        one, two = keep(store, ANNE, "alpha beta"), keep(store, ANNE, "gamma delta")
        keep(store, ANNE, "epsilon zeta")
        found = store.search.lexical(BERT, ["alpha", "delta", "unheard"], ALL, NOW, 10)
        assert set(memories_of(store, BERT, found)) == {one.id, two.id}

    def test_no_terms_find_nothing(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        assert store.search.lexical(ANNE, [], ALL, NOW, 10) == []
        assert store.search.identifiers(ANNE, [], ALL, NOW, 10) == []

    def test_a_rare_term_and_a_repeated_term_rank_higher(self, store: Store) -> None:
        for number in range(8):
            keep(store, ANNE, f"common filler{number} padding")
        twice = keep(store, ANNE, "common common padding")
        rare = keep(store, ANNE, "rare filler padding")
        found = store.search.lexical(ANNE, ["common", "rare"], ALL, NOW, 3)
        assert memories_of(store, ANNE, found)[:2] == [rare.id, twice.id]
        assert found[0].score > found[1].score > found[2].score
        assert len(found) == 3

    def test_the_best_passage_of_a_memory_is_the_one_that_holds_the_term(self, store: Store) -> None:
        kept = keep(store, ANNE, "alpha beta", "gamma delta", "epsilon zeta")
        found = store.search.lexical(ANNE, ["gamma"], ALL, NOW, 10)
        assert [one.passage for one in found] == [passage_keys(store, kept)[1]]

    @pytest.mark.parametrize("term", ['"', "*", "NOT", "alpha*", 'a"b', "terms:alpha", "^alpha", "(", "NEAR(a b)"])
    def test_a_term_is_never_read_as_a_query_language(self, store: Store, term: str) -> None:
        keep(store, ANNE, "nothing of the kind alphabet")
        assert store.search.lexical(ANNE, [term], ALL, NOW, 10) == []
        assert store.search.identifiers(ANNE, [term], ALL, NOW, 10) == []

    def test_results_are_not_starved_by_what_the_asker_may_not_see(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            for number in range(95):
                hidden = new_memory(ANNE, f"alpha {number}", at=now, visibility=Visibility.PRIVATE)
                store.memories.add(ANNE, hidden)
        ours = {keep(store, BERT, f"alpha ours and longer {number}").id for number in range(5)}
        found = store.search.lexical(BERT, ["alpha"], ALL, NOW, 5)
        assert set(memories_of(store, BERT, found)) == ours

    def test_an_identifier_is_found_by_a_part_of_it(self, store: Store) -> None:
        kept = keep(store, ANNE, "calls it", identifiers=["getuserbyid", "spec-054"])
        keep(store, ANNE, "calls another", identifiers=["setgroup", "spec-055"])
        for part in ("userby", "getuserbyid", "c-054"):
            found = store.search.identifiers(BERT, [part, "unheard"], ALL, NOW, 10)
            assert memories_of(store, BERT, found) == [kept.id]

    def test_identifiers_keep_to_filter_and_limit(self, store: Store) -> None:
        skill = keep(store, ANNE, "one", identifiers=["parse_config"], kind=Kind.SKILL)
        keep(store, ANNE, "two", identifiers=["parse_config"])
        found = store.search.identifiers(ANNE, ["config"], MemoryFilter(kinds=(Kind.SKILL,)), NOW, 10)
        assert memories_of(store, ANNE, found) == [skill.id]
        assert len(store.search.identifiers(ANNE, ["config"], ALL, NOW, 1)) == 1

    def test_statistics_count_every_passage_of_the_tenant(self, store: Store) -> None:
        keep(store, ANNE, "alpha alpha beta gamma", "beta delta", visibility=Visibility.PRIVATE)
        keep(store, BERT, "alpha beta gamma")
        statistics = store.search.statistics(BERT, ["alpha", "beta", "unheard"])
        assert statistics.passages == 3
        assert statistics.mean_terms == pytest.approx((4 + 2 + 3) / 3)
        held = {term: statistics.holding.get(term, 0) for term in ("alpha", "beta", "unheard")}
        assert held == {"alpha": 2, "beta": 3, "unheard": 0}

    def test_statistics_of_an_empty_store_are_zeros(self, store: Store) -> None:
        statistics = store.search.statistics(ANNE, ["alpha"])
        assert (statistics.passages, statistics.mean_terms) == (0, 0)
        assert statistics.holding.get("alpha", 0) == 0


class NearestSuite(_Suite):
    """`contracts.Search`: vectors."""

    def test_nothing_is_near_before_the_first_vector(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        assert store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10) == []

    def test_the_order_is_exactly_that_of_the_cosines(self, store: Store) -> None:
        vectors = unit_vectors(500)
        kept = _keep_rows(store, ANNE, vectors)
        query = unit_vectors(1, seed=2)[0]
        found = store.search.nearest(BERT, query, ALL, NOW, 450)
        cosines = vectors @ query
        expected = np.argsort(-cosines)[:450]
        assert memories_of(store, BERT, found) == [kept[row] for row in expected]
        assert [one.score for one in found] == pytest.approx(cosines[expected].tolist(), abs=1e-3)

    def test_a_memory_of_several_passages_is_near_at_each(self, store: Store) -> None:
        pin(store)
        vectors = unit_vectors(3)
        kept = keep(store, ANNE, "alpha", "beta", "gamma", vectors=vectors)
        for vector, passage in zip(vectors, passage_keys(store, kept), strict=True):
            assert store.search.nearest(ANNE, vector, ALL, NOW, 1)[0].passage == passage

    def test_results_are_not_starved_by_nearer_rows_the_asker_may_not_see(self, store: Store) -> None:
        vectors, query = unit_vectors(1000), unit_vectors(1, seed=2)[0]
        nearest_first = vectors[np.argsort(-(vectors @ query))]
        _keep_rows(store, ANNE, nearest_first[:950], visibility=Visibility.PRIVATE)
        ours = _keep_rows(store, BERT, nearest_first[950:])
        found = store.search.nearest(BERT, query, ALL, NOW, 20)
        assert memories_of(store, BERT, found) == ours[:20]

    def test_equal_vectors_are_each_found_once(self, store: Store) -> None:
        tied, better = unit_vectors(1), unit_vectors(1, seed=2)
        same = np.repeat(tied, 1000, axis=0)
        same[::7] = better
        kept = _keep_rows(store, ANNE, same)
        found = memories_of(store, ANNE, store.search.nearest(ANNE, better[0], ALL, NOW, 1000))
        assert len(found) == 1000
        assert set(found) == set(kept)
        assert set(found[:143]) == set(kept[::7])

    def test_a_filter_applies_before_the_limit(self, store: Store) -> None:
        vectors, query = unit_vectors(40), unit_vectors(1, seed=2)[0]
        nearest_first = vectors[np.argsort(-(vectors @ query))]
        _keep_rows(store, ANNE, nearest_first[:30])
        skills = _keep_rows(store, ANNE, nearest_first[30:], kind=Kind.SKILL)
        found = store.search.nearest(ANNE, query, MemoryFilter(kinds=(Kind.SKILL,)), NOW, 4)
        assert memories_of(store, ANNE, found) == skills[:4]

    def test_what_is_added_later_is_near_too(self, store: Store) -> None:
        vectors = unit_vectors(2)
        first = _keep_rows(store, ANNE, vectors[:1])
        assert memories_of(store, ANNE, store.search.nearest(ANNE, vectors[1], ALL, NOW, 9)) == first
        second = _keep_rows(store, ANNE, vectors[1:])
        found = store.search.nearest(ANNE, vectors[1], ALL, NOW, 9)
        assert memories_of(store, ANNE, found) == second + first

    def test_vectors_come_as_asked_with_zeros_where_there_is_none(self, store: Store) -> None:
        vectors = unit_vectors(2)
        pin(store)
        kept = keep(store, ANNE, "alpha", "beta", vectors=vectors)
        bare = keep(store, ANNE, "gamma")
        alpha, beta = passage_keys(store, kept)
        asked = [beta, *passage_keys(store, bare), alpha, beta]
        rows = store.search.vectors(ANNE, asked)
        expected = np.stack([vectors[1], np.zeros(MODEL.dimension), vectors[0], vectors[1]])
        assert rows.shape == (4, MODEL.dimension)
        assert np.allclose(rows, expected, atol=1e-3)
        assert not rows[1].any()

    def test_no_passages_have_no_vectors(self, store: Store) -> None:
        pin(store)
        assert len(store.search.vectors(ANNE, [])) == 0


def _keep_rows(store: Store, scope: Scope, vectors: Vectors, **fields: Any) -> list[str]:
    """A memory per vector, all in one transaction; their ids."""
    kept = []
    with store.transaction(scope, START) as now:
        if store.space.pinned(scope) is None:
            store.space.pin(scope, MODEL)
        for number, vector in enumerate(vectors):
            new = new_memory(scope, f"row {number} {now}", at=now, vectors=vector[None, :], **fields)
            store.memories.add(scope, new)
            kept.append(new.memory.id)
    return kept


class SurroundingsSuite(_Suite):
    """`contracts.Search`: what stands around a passage."""

    def test_passages_come_with_their_place_and_terms(self, store: Store) -> None:
        kept = keep(store, ANNE, "Alpha beta", "gamma", visibility=Visibility.PRIVATE)
        alpha, gamma = passage_keys(store, kept)
        around = store.search.surroundings(ANNE, [alpha], 1, ALL, NOW)
        assert sorted(around, key=lambda text: text.ordinal) == [
            PassageText(alpha, kept.id, None, None, 0, 2, 0, 10, "alpha beta", wanted=True),
            PassageText(gamma, kept.id, None, None, 1, 2, 11, 16, "gamma", wanted=True),
        ]

    @pytest.mark.parametrize(("reach", "expected"), [(0, [3]), (1, [2, 3, 4]), (2, [1, 2, 3, 4, 5])])
    def test_within_a_memory_the_passages_up_to_reach_away_come_along(
        self, store: Store, reach: int, expected: list[int]
    ) -> None:
        kept = keep(store, ANNE, *(f"piece{number}" for number in range(7)))
        keep(store, ANNE, "another")
        keys = passage_keys(store, kept)
        around = store.search.surroundings(BERT, [keys[3]], reach, ALL, NOW)
        assert sorted(text.ordinal for text in around) == expected
        assert {text.memory_id for text in around} == {kept.id}

    @pytest.mark.parametrize(("reach", "expected"), [(0, [3]), (1, [2, 3, 4]), (2, [1, 2, 3, 4, 5])])
    def test_along_a_thread_the_episodes_up_to_reach_away_come_along(
        self, store: Store, reach: int, expected: list[int]
    ) -> None:
        kept = self._conversation(store, range(7))
        around = store.search.surroundings(BERT, passage_keys(store, kept[3]), reach, ALL, NOW)
        assert sorted(text.seq for text in around if text.seq is not None) == expected
        assert len({text.thread for text in around}) == 1

    def test_episodes_of_another_thread_do_not_come_along(self, store: Store) -> None:
        kept = self._conversation(store, range(3))
        self._conversation(store, range(3))
        around = store.search.surroundings(ANNE, passage_keys(store, kept[1]), 2, ALL, NOW)
        assert {text.memory_id for text in around} == set(ids(kept.values()))

    def test_holes_stay_holes(self, store: Store) -> None:
        kept = self._conversation(store, [0, 1, 3, 4, 6])
        around = store.search.surroundings(ANNE, passage_keys(store, kept[3]), 2, ALL, NOW)
        assert sorted(text.seq for text in around if text.seq is not None) == [1, 3, 4]

    def test_a_hidden_neighbour_stays_hidden_and_is_not_stepped_over(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        kept = [
            keep_episode(store, ANNE, thread, seq, f"message{seq}", visibility=visibility)
            for seq, visibility in enumerate([Visibility.SHARED, Visibility.PRIVATE, Visibility.SHARED])
        ]
        keys = passage_keys(store, kept[2])
        assert _seqs(store.search.surroundings(BERT, keys, 1, ALL, NOW)) == [2]
        assert _seqs(store.search.surroundings(BERT, keys, 2, ALL, NOW)) == [0, 2]
        assert _seqs(store.search.surroundings(ANNE, keys, 2, ALL, NOW)) == [0, 1, 2]

    def test_a_neighbour_not_true_or_not_known_then_stays_hidden(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        first = keep_episode(store, ANNE, thread, 0, "first", valid_from=START - 9 * DAY)
        keep_episode(store, ANNE, thread, 1, "second", at=START + DAY, valid_from=START - DAY)
        keys = passage_keys(store, first)

        def seqs(as_of: datetime, known_at: datetime) -> list[int]:
            return _seqs(store.search.surroundings(ANNE, keys, 1, ALL, Moment(as_of, known_at)))

        assert seqs(NOW.as_of, NOW.known_at) == [0, 1]
        assert seqs(START - DAY - MICROSECOND, NOW.known_at) == [0]
        assert seqs(NOW.as_of, START + DAY - MICROSECOND) == [0]

    def test_neighbours_that_the_filter_does_not_ask_for_come_along_unwanted(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        sessions = [None, "session-1", None]
        kept = [
            keep_episode(
                store,
                ANNE,
                thread,
                seq,
                f"message{seq}",
                provenance=Provenance(Source.USER, ANNE.agent, session),
            )
            for seq, session in enumerate(sessions)
        ]
        wanted = MemoryFilter(session="session-1")
        around = store.search.surroundings(ANNE, passage_keys(store, kept[1]), 1, wanted, NOW)
        assert {text.seq: text.wanted for text in around} == {0: False, 1: True, 2: False}

    def test_past_its_ends_a_long_episode_meets_the_nearest_passage_of_the_next(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        before, long, after = (
            keep_episode(store, ANNE, thread, seq, *(f"{word}{number}" for number in range(3)))
            for seq, word in enumerate(["before", "long", "after"])
        )
        first, _, last = passage_keys(store, long)
        around = {text.passage for text in store.search.surroundings(ANNE, [first, last], 1, ALL, NOW)}
        assert {passage_keys(store, before)[2], passage_keys(store, after)[0]} <= around
        assert passage_keys(store, before)[1] not in around

    def test_with_reach_zero_only_what_was_asked_comes_back(self, store: Store) -> None:
        kept = keep_episode(store, ANNE, keep_thread(store, ANNE), 0, "alpha", "beta", "gamma")
        beta = passage_keys(store, kept)[1]
        around = store.search.surroundings(ANNE, [beta], 0, ALL, NOW)
        assert [text.passage for text in around] == [beta]

    def test_each_passage_comes_once(self, store: Store) -> None:
        kept = self._conversation(store, range(4))
        keys = [passage_keys(store, one)[0] for one in kept.values()]
        around = store.search.surroundings(ANNE, keys, 2, ALL, NOW)
        assert sorted(text.passage for text in around) == sorted(keys)

    def test_nothing_surrounds_no_passage(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        assert store.search.surroundings(ANNE, [], 2, ALL, NOW) == []

    def _conversation(self, store: Store, seqs: Collection[int]) -> dict[int, Memory]:
        thread = keep_thread(store, ANNE)
        return {seq: keep_episode(store, ANNE, thread, seq, f"message{seq}") for seq in seqs}


def _seqs(around: Collection[PassageText]) -> list[int]:
    return sorted(text.seq for text in around if text.seq is not None)


class EmbeddingSpaceSuite(_Suite):
    """`contracts.EmbeddingSpace`."""

    def test_no_model_is_pinned_before_the_first(self, store: Store) -> None:
        assert store.space.pinned(ANNE) is None
        pin(store)
        assert store.space.pinned(ANNE) == MODEL
        assert store.space.pinned(BERT) == MODEL

    def test_a_memory_with_vectors_needs_a_pinned_model(self, store: Store) -> None:
        with pytest.raises(StoreError):
            keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        assert store.memories.page(ANNE, ALL, NOW, 10, None) == []

    def test_a_memory_without_vectors_is_queued(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        assert store.queue.waiting(ANNE, "embed") == 0
        keep(store, ANNE, "beta", "gamma")
        assert store.queue.waiting(BERT, "embed") == 1
        assert store.space.count(ANNE) == (3, 1)

    def test_missing_passages_come_with_all_that_the_model_is_to_see(self, store: Store) -> None:
        pin(store)
        thread = keep_thread(store, ANNE)
        keep(store, ANNE, "with a vector", vectors=unit_vectors(1))
        kept = keep_episode(
            store, ANNE, thread, 0, "Ünï 😀 code", "second", label="Title", visibility=Visibility.PRIVATE
        )
        missing = store.space.missing(BERT, MODEL, 0, 10)
        assert [one.passage for one in missing] == passage_keys(store, kept)
        seen = [(one.label, one.speaker, one.text) for one in missing]
        assert seen == [("Title", "Anne", "Ünï 😀 code"), ("Title", "Anne", "second")]

    def test_missing_passages_are_read_in_order_from_after_one(self, store: Store) -> None:
        keep(store, ANNE, *(f"piece{number}" for number in range(5)))
        everything = [one.passage for one in store.space.missing(ANNE, MODEL, 0, 10)]
        assert everything == sorted(everything)
        assert len(everything) == 5
        following = store.space.missing(ANNE, MODEL, everything[1], 2)
        assert [one.passage for one in following] == everything[2:4]

    def test_put_makes_what_was_missing_near(self, store: Store) -> None:
        pin(store)
        kept, vector = keep(store, ANNE, "alpha"), unit_vectors(1)
        self._put(store, MODEL, passage_keys(store, kept), vector)
        assert store.space.missing(ANNE, MODEL, 0, 10) == []
        found = store.search.nearest(ANNE, vector[0], ALL, NOW, 10)
        assert memories_of(store, ANNE, found) == [kept.id]

    def test_put_over_a_vector_replaces_it(self, store: Store) -> None:
        vectors = unit_vectors(2)
        pin(store)
        keys = passage_keys(store, keep(store, ANNE, "alpha", vectors=vectors[:1]))
        assert store.search.nearest(ANNE, vectors[0], ALL, NOW, 10)[0].score == pytest.approx(1, abs=1e-3)
        self._put(store, MODEL, keys, vectors[1:])
        found = store.search.nearest(ANNE, vectors[1], ALL, NOW, 10)
        assert [one.passage for one in found] == keys[:1]
        assert found[0].score == pytest.approx(1, abs=1e-3)
        assert np.allclose(store.search.vectors(ANNE, keys), vectors[1:], atol=1e-3)

    def test_vectors_of_another_model_wait_beside_until_it_is_pinned(self, store: Store) -> None:
        ours, theirs = unit_vectors(1), unit_vectors(1, OTHER_MODEL.dimension)
        pin(store)
        keys = passage_keys(store, keep(store, ANNE, "alpha", vectors=ours))
        self._put(store, OTHER_MODEL, keys, theirs)
        assert store.space.pinned(ANNE) == MODEL
        assert np.allclose(store.search.vectors(ANNE, keys), ours, atol=1e-3)
        pin(store, OTHER_MODEL)
        assert store.space.pinned(ANNE) == OTHER_MODEL
        assert np.allclose(store.search.vectors(ANNE, keys), theirs, atol=1e-3)
        assert [one.passage for one in store.space.missing(ANNE, MODEL, 0, 10)] == keys

    def test_pinning_another_model_drops_the_vectors_of_the_first(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        pin(store, OTHER_MODEL)
        assert store.space.count(ANNE) == (1, 0)
        pin(store, MODEL)
        assert store.space.count(ANNE) == (1, 0)
        assert store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10) == []

    def test_pinning_the_pinned_model_changes_nothing(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        pin(store)
        assert store.space.count(ANNE) == (1, 1)

    def test_drop_forgets_every_vector_and_the_pinned_model(self, store: Store) -> None:
        pin(store)
        kept = keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        assert len(store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10)) == 1
        self._drop(store)
        assert store.space.pinned(ANNE) is None
        assert store.space.count(ANNE) == (1, 0)
        assert store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10) == []
        assert [one.passage for one in store.space.missing(ANNE, MODEL, 0, 10)] == passage_keys(store, kept)

    @pytest.mark.parametrize("model", [MODEL, OTHER_MODEL], ids=lambda model: model.model_id)
    def test_after_a_drop_only_the_new_vectors_are_searched(self, store: Store, model: EmbeddingModel) -> None:
        pin(store)
        keys = passage_keys(store, keep(store, ANNE, "alpha", "beta", vectors=unit_vectors(2)))
        assert len(store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10)) == 2
        self._drop(store)
        fresh = unit_vectors(1, model.dimension, seed=3)
        pin(store, model)
        self._put(store, model, keys[:1], fresh)
        found = store.search.nearest(ANNE, fresh[0], ALL, NOW, 10)
        assert [one.passage for one in found] == keys[:1]
        assert found[0].score == pytest.approx(1, abs=1e-3)
        assert not store.search.vectors(ANNE, keys[1:]).any()

    def test_a_job_is_settled_once_its_memory_has_all_its_vectors(self, store: Store) -> None:
        pin(store)
        keys = passage_keys(store, keep(store, ANNE, "alpha", "beta"))
        keep(store, ANNE, "gamma")
        keep_job(store, ANNE, "tidy")
        self._put(store, MODEL, keys[:1], unit_vectors(1))
        self._settle(store)
        assert store.queue.waiting(ANNE, "embed") == 2
        self._put(store, MODEL, keys[1:], unit_vectors(1))
        self._settle(store)
        assert store.queue.waiting(ANNE, "embed") == 1
        assert store.queue.waiting(ANNE, "tidy") == 1

    def _put(self, store: Store, model: EmbeddingModel, passages: Sequence[int], vectors: Vectors) -> None:
        with store.transaction(ANNE, START):
            store.space.put(ANNE, model, passages, vectors)

    def _drop(self, store: Store) -> None:
        with store.transaction(ANNE, START):
            store.space.drop(ANNE)

    def _settle(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            store.space.settle_jobs(ANNE, now)


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
    )


class EventsAndQueueSuite(_Suite):
    """`contracts.Events` and `contracts.Queue`."""

    def test_an_event_comes_back_whole(self, store: Store) -> None:
        event = recall_event(ANNE)
        store.events.add(ANNE, event)
        assert store.events.get(ANNE, event.recall_id) == event

    def test_an_event_without_session_or_candidates_comes_back_too(self, store: Store) -> None:
        event = replace(recall_event(ANNE), session=None, candidates=(), result_ids=(), legs=(), weights={})
        store.events.add(ANNE, event)
        assert store.events.get(ANNE, event.recall_id) == event

    def test_another_agents_event_is_none_like_one_that_does_not_exist(self, store: Store) -> None:
        event = recall_event(ANNE)
        store.events.add(ANNE, event)
        assert store.events.get(BERT, event.recall_id) is None
        assert store.events.get(ANNE, new_id("r", START)) is None

    def test_an_agents_own_recalls_are_counted(self, store: Store) -> None:
        for scope in (ANNE, ANNE, BERT):
            store.events.add(scope, recall_event(scope))
        assert (store.events.count(ANNE), store.events.count(BERT)) == (2, 1)

    def test_jobs_wait_under_their_name(self, store: Store) -> None:
        keep_job(store, ANNE, "tidy")
        keep_job(store, BERT, "tidy")
        keep_job(store, ANNE, "sweep")
        waiting = [store.queue.waiting(ANNE, name) for name in ("tidy", "sweep", "unheard")]
        assert waiting == [2, 1, 0]


WRITES: dict[str, Callable[[Store], object]] = {
    "memories.add": lambda store: store.memories.add(ANNE, new_memory(ANNE, "alpha", at=START)),
    "threads.add": lambda store: store.threads.add(
        ANNE, Thread(new_id("t", START), "x", None, None, ANNE.agent, START)
    ),
    "space.pin": lambda store: store.space.pin(ANNE, MODEL),
    "space.put": lambda store: store.space.put(ANNE, MODEL, [], unit_vectors(0)),
    "space.drop": lambda store: store.space.drop(ANNE),
    "space.settle_jobs": lambda store: store.space.settle_jobs(ANNE, START),
    "queue.put": lambda store: store.queue.put(ANNE, Job(new_id("j", START), "tidy", "{}", 0), START),
}
"""Every verb that writes and needs a transaction for it."""

OTHER_VERBS: dict[str, Callable[[Store], object]] = {
    "memories.get": lambda store: store.memories.get(ANNE, [], NOW),
    "memories.ids_ending": lambda store: store.memories.ids_ending(ANNE, "abcdefgh", ALL, NOW),
    "memories.ids_of_topic": lambda store: store.memories.ids_of_topic(ANNE, "needles", ALL, NOW, 10),
    "memories.same_text": lambda store: store.memories.same_text(ANNE, [], Kind.FACT, Visibility.SHARED, NOW),
    "memories.page": lambda store: store.memories.page(ANNE, ALL, NOW, 10, None),
    "memories.count_by_kind": lambda store: store.memories.count_by_kind(ANNE, NOW),
    "threads.find": lambda store: store.threads.find(ANNE, "x", NOW),
    "threads.episodes_at": lambda store: store.threads.episodes_at(ANNE, "x", [0]),
    "threads.next_seq": lambda store: store.threads.next_seq(ANNE, "x"),
    "threads.count": lambda store: store.threads.count(ANNE, NOW),
    "search.lexical": lambda store: store.search.lexical(ANNE, ["alpha"], ALL, NOW, 10),
    "search.identifiers": lambda store: store.search.identifiers(ANNE, ["alpha"], ALL, NOW, 10),
    "search.nearest": lambda store: store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10),
    "search.surroundings": lambda store: store.search.surroundings(ANNE, [1], 1, ALL, NOW),
    "search.statistics": lambda store: store.search.statistics(ANNE, ["alpha"]),
    "search.vectors": lambda store: store.search.vectors(ANNE, [1]),
    "space.pinned": lambda store: store.space.pinned(ANNE),
    "space.missing": lambda store: store.space.missing(ANNE, MODEL, 0, 10),
    "space.count": lambda store: store.space.count(ANNE),
    "events.add": lambda store: store.events.add(ANNE, recall_event(ANNE)),
    "events.get": lambda store: store.events.get(ANNE, new_id("r", START)),
    "events.count": lambda store: store.events.count(ANNE),
    "queue.waiting": lambda store: store.queue.waiting(ANNE, "tidy"),
    "transaction": lambda store: store.transaction(ANNE, START).__enter__(),
    "snapshot": lambda store: store.snapshot(ANNE).__enter__(),
    "present": lambda store: store.present(ANNE, START),
    "describe": lambda store: store.describe(ANNE),
}

every_write = pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)


class _Interruption(Exception):
    """What goes wrong in the middle of a transaction."""


@contextmanager
def undone(store: Store, scope: Scope, at: datetime = START) -> Iterator[datetime]:
    """A transaction that fails after the last statement of the block; the failure must come out of it."""
    try:
        with store.transaction(scope, at) as now:
            yield now
            raise _Interruption
    except _Interruption:
        return
    pytest.fail("the store swallowed the exception")


class TransactionsSuite(_Suite):
    """`transaction`, `snapshot`, `present`, `describe`, `close`."""

    def test_a_transaction_keeps_all_its_writes_and_sees_them_itself(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            news = [new_memory(ANNE, f"text {number}", at=now) for number in range(3)]
            for new in news:
                store.memories.add(ANNE, new)
            assert len(store.memories.page(ANNE, ALL, NOW, 10, None)) == 3
        assert store.memories.page(BERT, ALL, NOW, 10, None) == [new.memory for new in reversed(news)]

    def test_a_transaction_that_fails_leaves_nothing_behind(self, store: Store) -> None:
        pin(store)
        vector = unit_vectors(1)
        with undone(store, ANNE) as now:
            thread = Thread(new_id("t", now), "planning", None, None, ANNE.agent, now)
            store.threads.add(ANNE, thread)
            new = new_memory(
                ANNE,
                "alpha",
                at=now,
                vectors=vector,
                identifiers=["xneedlex"],
                kind=Kind.EPISODE,
                place=Place(thread.id, 0, None, None),
            )
            store.memories.add(ANNE, new)
            store.memories.add(ANNE, new_memory(ANNE, "beta", at=now))
        assert store.memories.page(ANNE, ALL, NOW, 10, None) == []
        assert store.threads.find(ANNE, "planning", NOW) is None
        assert store.threads.episodes_at(ANNE, thread.id, [0]) == {}
        assert store.search.lexical(ANNE, ["alpha", "beta"], ALL, NOW, 10) == []
        assert store.search.identifiers(ANNE, ["needle"], ALL, NOW, 10) == []
        assert store.search.nearest(ANNE, vector[0], ALL, NOW, 10) == []
        assert store.space.count(ANNE) == (0, 0)
        assert store.space.missing(ANNE, MODEL, 0, 10) == []
        assert store.queue.waiting(ANNE, "embed") == 0
        statistics = store.search.statistics(ANNE, ["alpha"])
        assert (statistics.passages, statistics.mean_terms) == (0, 0)
        assert statistics.holding.get("alpha", 0) == 0

    def test_a_change_of_model_that_fails_leaves_the_first_one_searched(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        with undone(store, ANNE):
            store.space.pin(ANNE, OTHER_MODEL)
        with undone(store, ANNE):
            store.space.drop(ANNE)
        assert store.space.pinned(ANNE) == MODEL
        assert len(store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10)) == 1

    def test_after_a_failed_write_the_next_transaction_works(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        with pytest.raises(StoreError):
            keep(store, ANNE, "two", id=kept.id)
        after = keep(store, ANNE, "three")
        assert ids(store.memories.page(ANNE, ALL, NOW, 10, None)) == [after.id, kept.id]

    def test_a_transaction_has_the_time_it_was_given(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            assert now == START
        with store.transaction(BERT, START + MICROSECOND) as now:
            assert now == START + MICROSECOND

    def test_times_rise_strictly_even_when_the_clock_goes_back(self, store: Store) -> None:
        times = []
        for given in (START, START, START - DAY, START + DAY, START, START + DAY):
            with store.transaction(ANNE, given) as now:
                times.append(now)
        assert times == sorted(set(times))
        assert times[0] == START
        assert times[3] == START + DAY

    def test_the_present_is_never_before_what_was_committed(self, store: Store) -> None:
        assert store.present(ANNE, START) == START
        with store.transaction(ANNE, START + DAY) as now:
            pass
        assert store.present(BERT, START) == now
        assert store.present(BERT, START + 2 * DAY) == START + 2 * DAY

    @every_write
    def test_a_write_outside_a_transaction_is_an_error_and_writes_nothing(
        self, store: Store, write: Callable[[Store], object]
    ) -> None:
        with pytest.raises(StoreError):
            write(store)
        with pytest.raises(StoreError), store.snapshot(ANNE):
            write(store)
        assert store.memories.page(ANNE, ALL, NOW, 10, None) == []
        assert store.threads.find(ANNE, "x", NOW) is None
        assert store.space.pinned(ANNE) is None
        assert store.queue.waiting(ANNE, "tidy") == 0

    @every_write
    def test_the_transaction_of_one_thread_is_not_that_of_another(
        self, store: Store, write: Callable[[Store], object]
    ) -> None:
        with store.transaction(ANNE, START):
            outcome = _in_another_thread(lambda: write(store))
        assert isinstance(outcome, StoreError)

    def test_reads_in_a_snapshot_see_one_state(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        writer = threading.Thread(target=keep, args=(store, BERT, "alpha beta"), daemon=True)
        with store.snapshot(ANNE):
            before = ids(store.memories.page(ANNE, ALL, NOW, 10, None))
            writer.start()
            if not self.writers_wait_for_readers:
                writer.join(60)
                assert not writer.is_alive(), "the writer waits; is writers_wait_for_readers to be set?"
            assert ids(store.memories.page(ANNE, ALL, NOW, 10, None)) == before
            assert len(store.search.lexical(ANNE, ["alpha"], ALL, NOW, 10)) == 1
            assert store.memories.count_by_kind(ANNE, NOW) == {Kind.FACT: 1}
            assert store.search.statistics(ANNE, ["alpha"]).passages == 1
        writer.join(60)
        assert store.memories.count_by_kind(ANNE, NOW) == {Kind.FACT: 2}

    def test_what_is_not_committed_is_not_seen_by_others(self, store: Store) -> None:
        if self.writers_wait_for_readers:
            pytest.skip("no other thread can look while a transaction is open")
        with store.transaction(ANNE, START) as now:
            store.memories.add(ANNE, new_memory(ANNE, "alpha", at=now))
            seen = _in_another_thread(lambda: store.memories.page(ANNE, ALL, NOW, 10, None))
        assert seen == []

    def test_many_threads_write_at_once_and_nothing_is_lost(self, store: Store) -> None:
        kept: list[Memory] = []

        def write(number: int) -> None:
            for round_ in range(10):
                kept.append(keep(store, ANNE, f"writer {number} round {round_}"))

        writers = [threading.Thread(target=write, args=(number,), daemon=True) for number in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join(60)
        assert len({memory.created_at for memory in kept}) == 40
        assert {memory.id for memory in store.memories.page(ANNE, ALL, NOW, 100, None)} == set(ids(kept))

    def test_a_store_describes_itself(self, store: Store) -> None:
        words, schema_version, size_bytes = store.describe(ANNE)
        assert words.strip()
        assert schema_version >= 1
        assert size_bytes >= 0

    @pytest.mark.parametrize("verb", [*WRITES.values(), *OTHER_VERBS.values()], ids=[*WRITES, *OTHER_VERBS])
    def test_every_verb_of_a_closed_store_says_so(self, store: Store, verb: Callable[[Store], object]) -> None:
        keep(store, ANNE, "alpha")
        store.close()
        with pytest.raises(StoreClosed):
            verb(store)

    def test_closing_twice_is_closing_once(self, store: Store) -> None:
        store.close()
        store.close()
        with pytest.raises(StoreClosed):
            store.present(ANNE, START)


def _in_another_thread(action: Callable[[], object]) -> object:
    """What the action gave or raised."""
    outcome: list[object] = []

    def run() -> None:
        try:
            outcome.append(action())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    return outcome[0] if outcome else TimeoutError("the other thread is still waiting")


# The random script

SCRIPT_STEPS = 300
SCRIPT_SEED = 20260901
_WORDS = ("alpha", "beta", "gamma", "delta", "epsilon")
_AGENTS = (ANNE, BERT, replace(ANNE, agent="carl"))
_KINDS = (Kind.FACT, Kind.SKILL, Kind.DECISION)


@dataclass(frozen=True)
class _Model:
    """What a store is to hold, as a plain dictionary, and what it is to show."""

    kept: dict[str, Memory]

    def visible(self, scope: Scope, moment: Moment, wanted: MemoryFilter = ALL) -> list[Memory]:
        """Newest first."""
        shown = [one for one in self.kept.values() if self._shows(one, scope, moment) and self._fits(one, wanted)]
        return sorted(shown, key=lambda memory: memory.id, reverse=True)

    def _shows(self, memory: Memory, scope: Scope, moment: Moment) -> bool:
        return (
            (memory.provenance.author == scope.agent or memory.visibility is Visibility.SHARED)
            and memory.status is Status.ACTIVE
            and memory.created_at <= moment.known_at
            and memory.valid_from <= moment.as_of
            and (memory.valid_until is None or moment.as_of < memory.valid_until)
        )

    def _fits(self, memory: Memory, wanted: MemoryFilter) -> bool:
        return (
            (not wanted.kinds or memory.kind in wanted.kinds)
            and set(wanted.tags) <= set(memory.tags)
            and wanted.author in (None, memory.provenance.author)
        )


class RandomScriptSuite(_Suite):
    """A store and a dictionary go through the same script, and show the same at every step."""

    def test_a_random_script_shows_what_a_plain_dictionary_would(self, store: Store) -> None:
        dice = random.Random(SCRIPT_SEED)
        model = _Model({})
        threads: list[tuple[Thread, Scope]] = []
        for step in range(SCRIPT_STEPS):
            scope, at = dice.choice(_AGENTS), START + dice.randint(-5, step) * DAY
            action = dice.random()
            if action < 0.1:
                threads.append((keep_thread(store, scope, at=at), scope))
            elif action < 0.35 and threads:
                self._say(store, model, dice, dice.choice(threads)[0], scope, at)
            elif action < 0.9:
                self._remember(store, model, dice, scope, at)
            else:
                self._fail(store, dice, scope, at)
            self._compare(store, model, dice)

    def _say(
        self, store: Store, model: _Model, dice: random.Random, thread: Thread, scope: Scope, at: datetime
    ) -> None:
        seq = store.threads.next_seq(scope, thread.id) + dice.randint(0, 1)
        memory = keep_episode(store, scope, thread, seq, self._text(dice), at=at, **self._fields(dice, at))
        model.kept[memory.id] = memory

    def _remember(self, store: Store, model: _Model, dice: random.Random, scope: Scope, at: datetime) -> None:
        kind = dice.choice(_KINDS)
        pieces = [self._text(dice) for _ in range(dice.randint(1, 3))]
        memory = keep(store, scope, *pieces, at=at, kind=kind, **self._fields(dice, at))
        model.kept[memory.id] = memory

    def _fail(self, store: Store, dice: random.Random, scope: Scope, at: datetime) -> None:
        with undone(store, scope, at) as now:
            store.memories.add(scope, new_memory(scope, self._text(dice), at=now))

    def _text(self, dice: random.Random) -> str:
        return " ".join(dice.choices(_WORDS, k=dice.randint(1, 4)))

    def _fields(self, dice: random.Random, at: datetime) -> dict[str, Any]:
        begins = at - dice.randint(0, 30) * DAY
        return {
            "valid_from": begins,
            "valid_until": dice.choice([None, begins + dice.randint(1, 90) * DAY]),
            "visibility": dice.choice(list(Visibility)),
            "status": dice.choice([Status.ACTIVE, Status.ACTIVE, Status.ACTIVE, Status.FORGOTTEN]),
            "tags": tuple(dice.sample(["a", "b", "c"], dice.randint(0, 2))),
        }

    def _compare(self, store: Store, model: _Model, dice: random.Random) -> None:
        scope = dice.choice(_AGENTS)
        moments = [START + dice.randint(-30, SCRIPT_STEPS) * DAY for _ in range(2)]
        moment = dice.choice([NOW, Moment(*moments)])
        visible = model.visible(scope, moment)
        everything = list(model.kept)
        dice.shuffle(everything)
        shown = set(ids(visible))
        got = store.memories.get(scope, everything, moment)
        assert got == [model.kept[id_] for id_ in everything if id_ in shown]
        self._compare_page(store, model, dice, scope, moment)
        counts = store.memories.count_by_kind(scope, moment)
        assert counts == {kind: sum(one.kind is kind for one in visible) for kind in {one.kind for one in visible}}
        places = {one.place.thread_id for one in visible if one.place}
        assert store.threads.count(scope, moment) == len(places)
        word = dice.choice(_WORDS)
        found = store.search.lexical(scope, [word], ALL, moment, 10_000)
        holding = {one.id for one in visible if word in one.text.split()}
        assert set(memories_of(store, scope, found, moment)) == holding

    def _compare_page(self, store: Store, model: _Model, dice: random.Random, scope: Scope, moment: Moment) -> None:
        wanted = MemoryFilter(
            kinds=tuple(dice.sample(_KINDS, dice.randint(0, 2))),
            tags=tuple(dice.sample(["a", "b"], dice.randint(0, 1))),
            author=dice.choice([None, "anne", "bert"]),
        )
        expected = ids(model.visible(scope, moment, wanted))
        before = dice.choice([None, *model.kept]) if model.kept else None
        limit = dice.randint(1, 20)
        following = [id_ for id_ in expected if before is None or id_ < before]
        assert ids(store.memories.page(scope, wanted, moment, limit, before)) == following[:limit]


class StorageSuite(
    MemoriesSuite,
    VisibilitySuite,
    ThreadsSuite,
    LexicalSuite,
    NearestSuite,
    SurroundingsSuite,
    EmbeddingSpaceSuite,
    EventsAndQueueSuite,
    TransactionsSuite,
    RandomScriptSuite,
):
    """Everything a store must do."""
