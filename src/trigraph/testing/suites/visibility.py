"""What may be seen, as tests of every read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trigraph.contracts import Store
from trigraph.model.memory import Kind, Memory, Place, Status, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    HIDDEN,
    MICROSECOND,
    NOW,
    START,
    ids,
    keep,
    keep_thread,
    passage_keys,
    pin,
    unit_vectors,
)
from trigraph.testing.cast import RED, every_audience, expected, register_all, shown
from trigraph.testing.changes import cite
from trigraph.testing.suites.base import Suite


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
    return store.memories.same_text(scope, hashes, memory.kind, memory.visibility, memory.group, moment) != {}


def _by_count(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.memories.count_by_kind(scope, moment).get(memory.kind, 0) > 0


def _by_facets(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.memories.facets(scope, ALL, moment, 10).get("kind", {}).get(memory.kind, 0) > 0


def _by_status(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.memories.facets(scope, ALL, moment, 10).get("status", {}).get(Status.ACTIVE, 0) > 0


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
    "facets.status": _by_status,
    "facets": _by_facets,
    "lexical": _by_lexical,
    "identifiers": _by_identifier,
    "nearest": _by_vector,
    "surroundings": _by_surroundings,
}
"""Every read that can show a memory: whether it shows this one, the only one in the store."""


def _by_find(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return memory.id in ids(store.memories.find(scope, memory.id[-8:], moment.known_at))


def _by_versions(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.memories.versions(scope, [memory.id], moment.known_at) != []


def _by_records(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    records = store.transfer.records(scope, everything=False, vectors=False, events=False)
    return any(record["record"] == "memory" for record in records)


def _by_citations(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.uses.citations(scope, [memory.id]) != {}


def _by_thread(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return memory.place is not None and store.threads.find(scope, memory.place.thread_id, moment) is not None


def _by_threads(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.threads.count(scope, moment) > 0


def _by_vectors(store: Store, scope: Scope, memory: Memory, moment: Moment) -> bool:
    return store.space.count(scope, moment)[0] > 0


TIMELESS_READS: dict[str, Read] = {
    "find": _by_find,
    "versions": _by_versions,
    "records": _by_records,
    "citations": _by_citations,
    "threads.find": _by_thread,
    "threads.count": _by_threads,
    "space.count": _by_vectors,
}
"""Reads that can show a memory too, though some show it whether or not it holds."""

every_read = pytest.mark.parametrize("read", READS.values(), ids=READS)


def keep_findable(store: Store, scope: Scope, **fields: Any) -> Memory:
    """A memory that every one of `READS` finds."""
    pin(store)
    vectors, names = unit_vectors(1), ["xneedlex"]
    return keep(store, scope, "alpha beta", vectors=vectors, identifiers=names, topic="Needles", **fields)


class VisibilitySuite(Suite):
    """What may be seen, by whom and when, is the same for every read."""

    @every_audience
    @pytest.mark.parametrize("read", [*READS.values(), *TIMELESS_READS.values()], ids=[*READS, *TIMELESS_READS])
    def test_policy_and_groups_decide_who_sees_a_memory(
        self, store: Store, read: Read, audience: dict[str, Any]
    ) -> None:
        register_all(store)
        thread = keep_thread(store, ANNE)
        place = Place(thread.id, 0, None, None) if read not in READS.values() else None
        kind = Kind.EPISODE if place else Kind.FACT
        memory = keep_findable(store, ANNE, kind=kind, place=place, **audience)
        cite(store, ANNE, memory)
        assert shown(lambda scope: read(store, scope, memory, NOW)) == expected(audience)

    @every_read
    def test_a_membership_counts_from_the_next_read_on(self, store: Store, read: Read) -> None:
        register_all(store)
        memory = keep_findable(store, ANNE, visibility=Visibility.GROUP, group=RED)
        seen = [read(store, BERT, memory, NOW)]
        store.registry.join(ANNE.tenant, ANNE.project, RED, BERT.agent)
        seen.append(read(store, BERT, memory, NOW))
        store.registry.leave(ANNE.tenant, ANNE.project, RED, BERT.agent)
        seen.append(read(store, BERT, memory, NOW))
        assert seen == [False, True, False]

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
