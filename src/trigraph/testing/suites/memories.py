"""`contracts.Memories`, as tests."""

from __future__ import annotations

import dataclasses

import pytest

from trigraph.contracts import Store
from trigraph.errors import StoreError
from trigraph.model.ids import new_id
from trigraph.model.memory import (
    DecisionDetails,
    Kind,
    MemoryFilter,
    OutcomeDetails,
    OutcomeResult,
    Provenance,
    Source,
    Status,
    Visibility,
)
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    MICROSECOND,
    NOW,
    START,
    ids,
    keep,
    keep_episode,
    keep_thread,
    memories_of,
)
from trigraph.testing.suites.base import Suite


def _asked(wanted: MemoryFilter) -> str:
    """The fields that a filter asks about, as the name of a test."""
    return "-".join(field.name for field in dataclasses.fields(wanted) if getattr(wanted, field.name))


class MemoriesSuite(Suite):
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
        assert same(BERT, hashes, Kind.FACT, Visibility.SHARED, None, NOW) == {kept.content_hash: (kept.id,)}
        assert same(ANNE, hashes, Kind.INSIGHT, Visibility.SHARED, None, NOW) == {}
        assert same(ANNE, hashes, Kind.FACT, Visibility.PRIVATE, None, NOW) == {}

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
            MemoryFilter(domains=("garden", "house")),
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
            domains=("house", "roof"),
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

    def test_a_filter_by_domains_asks_for_one_of_them_and_for_none_if_that_is_said(self, store: Store) -> None:
        of_none = keep(store, ANNE, "alpha").id
        garden, house, both = (
            keep(store, ANNE, "alpha", domains=domains).id for domains in (("garden",), ("house",), ("garden", "house"))
        )

        def found(*domains: str, domainless: bool) -> list[str]:
            wanted = MemoryFilter(domains=domains, domainless=domainless)
            ranked = memories_of(store, BERT, store.search.lexical(BERT, ["alpha"], wanted, NOW, 10))
            listed = ids(store.memories.page(BERT, wanted, NOW, 10, None))
            assert sorted(ranked) == sorted(listed)
            return listed

        assert found("garden", domainless=False) == [both, garden]
        assert found("garden", domainless=True) == [both, garden, of_none]
        assert found("garden", "house", domainless=False) == [both, house, garden]
        assert found("Garden", domainless=True) == [of_none]
        assert found(domainless=True) == [both, house, garden, of_none]

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

    def test_memories_divide_by_what_a_filter_can_ask_for(self, store: Store) -> None:
        keep(store, ANNE, "one", tags=("a", "b"), domains=("house",))
        keep(store, ANNE, "two", tags=("a",), kind=Kind.SKILL)
        keep(store, ANNE, "mine", tags=("c",), visibility=Visibility.PRIVATE)
        found = store.memories.facets(BERT, ALL, NOW, 10)
        assert found["kind"] == {"fact": 1, "skill": 1}
        assert (found["tag"], found["domain"]) == ({"a": 2, "b": 1}, {"house": 1})
        assert (found["author"], found["visibility"]) == ({ANNE.agent: 2}, {"shared": 2})
        assert found["month"] == {START.strftime("%Y-%m"): 2}
        assert store.memories.facets(BERT, MemoryFilter(tags=("b",)), NOW, 10)["tag"] == {"a": 1, "b": 1}
        assert store.memories.facets(BERT, ALL, NOW, 1)["tag"] == {"a": 2}
        assert [store.memories.facets(scope, ALL, NOW, 10)["status"] for scope in (ANNE, BERT)] == [
            {"active": 3},
            {"active": 2},
        ]

    def test_by_status_all_are_counted_that_the_filter_would_find_with_it(self, store: Store) -> None:
        keep(store, ANNE, "here", tags=("a",))
        keep(store, ANNE, "put away", tags=("a",), status=Status.ARCHIVED)
        keep(store, ANNE, "another", tags=("b",), status=Status.ARCHIVED)
        keep(store, ANNE, "over", tags=("a",), valid_from=START - DAY, valid_until=START)
        found = store.memories.facets(ANNE, MemoryFilter(tags=("a",), status=Status.ARCHIVED), NOW, 10)
        assert found["status"] == {"active": 1, "archived": 1}
        assert found["tag"] == {"a": 1}

    def test_a_filter_by_visibility_and_by_when_it_was_verified(self, store: Store) -> None:
        old = keep(store, ANNE, "old")
        checked = keep(store, ANNE, "checked", last_verified_at=START + DAY)
        mine = keep(store, ANNE, "mine", visibility=Visibility.PRIVATE)
        page = store.memories.page
        private = MemoryFilter(visibility=Visibility.PRIVATE)
        assert ids(page(ANNE, private, NOW, 10, None)) == [mine.id]
        stale = MemoryFilter(verified_before=START + DAY)
        assert ids(page(ANNE, stale, NOW, 10, None)) == [mine.id, old.id]
        assert ids(page(ANNE, MemoryFilter(verified_before=START + 2 * DAY), NOW, 10, None))[1] == checked.id

    def test_many_are_found_by_id_as_far_as_they_may_be_seen(self, store: Store) -> None:
        kept, mine = keep(store, ANNE, "one"), keep(store, ANNE, "mine", visibility=Visibility.PRIVATE)
        assert store.memories.find_all(BERT, [kept.id, mine.id], NOW.known_at) == {kept.id: kept}
        assert store.memories.find_all(ANNE, [], NOW.known_at) == {}

    def test_an_id_is_taken_once(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        with pytest.raises(StoreError):
            keep(store, ANNE, "two", id=kept.id)
        assert store.memories.get(ANNE, [kept.id], NOW) == [kept]
