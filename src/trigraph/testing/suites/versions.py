"""`find`, `versions` and `revise` of `contracts.Memories`, as tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from trigraph.contracts import Store
from trigraph.errors import StoreError
from trigraph.model.change import Verb
from trigraph.model.ids import new_id
from trigraph.model.memory import Memory, Status, Visibility
from trigraph.model.times import Moment
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    MICROSECOND,
    NO_ONES_GROUP,
    NOW,
    START,
    ids,
    keep,
    new_memory,
    register,
)
from trigraph.testing.changes import revise
from trigraph.testing.suites.base import Suite

KNOWN = NOW.known_at
LATER, LAST = START + DAY, START + 2 * DAY


def found(store: Store, memory: Memory) -> Memory:
    """The memory as its author finds it now."""
    (one,) = store.memories.find(ANNE, memory.id[-8:], KNOWN)
    return one


class VersionsSuite(Suite):
    """What may change about a memory, and what was known of it when."""

    # find

    def test_a_memory_is_found_by_the_ending_of_its_id(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        keep(store, ANNE, "two")
        other = "0" if kept.id[-9] != "0" else "1"
        for length in (8, 13, 26):
            assert store.memories.find(BERT, kept.id[-length:], KNOWN) == [kept]
        assert store.memories.find(BERT, other + kept.id[-8:], KNOWN) == []

    def test_an_ambiguous_ending_finds_two_of_those_the_scope_may_see(self, store: Store) -> None:
        ending = "abcdefgh"
        keep(store, ANNE, "hidden", id=f"m_{9:018d}{ending}", visibility=Visibility.PRIVATE)
        kept = [keep(store, ANNE, f"text {number}", id=f"m_{number:018d}{ending}").id for number in range(3)]
        shown = ids(store.memories.find(BERT, ending, KNOWN))
        assert len(set(shown)) == 2
        assert set(shown) < set(kept)

    @pytest.mark.parametrize("status", Status)
    def test_a_memory_is_found_whatever_its_status_and_though_it_does_not_hold(
        self, store: Store, status: Status
    ) -> None:
        fields = {"valid_from": START - 2 * DAY, "valid_until": START - DAY, "retracted_at": START}
        kept = keep(store, ANNE, "one", status=status, **fields)
        assert store.memories.find(BERT, kept.id[-8:], KNOWN) == [kept]

    def test_a_memory_is_found_as_it_was_known(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        revised = revise(store, ANNE, kept, Verb.FORGET, LATER, status=Status.FORGOTTEN, retracted_at=LATER)
        suffix = kept.id[-8:]
        assert store.memories.find(BERT, suffix, START - MICROSECOND) == []
        assert store.memories.find(BERT, suffix, START) == [kept]
        assert store.memories.find(BERT, suffix, LATER - MICROSECOND) == [kept]
        assert store.memories.find(BERT, suffix, LATER) == [revised]

    # revise

    def test_everything_that_may_change_is_as_given_from_then_on(self, store: Store) -> None:
        kept, successor = keep(store, ANNE, "one"), keep(store, ANNE, "two")
        revised = revise(
            store,
            ANNE,
            kept,
            Verb.SUPERSEDE,
            LATER,
            valid_from=START - DAY,
            valid_until=NOW.as_of + DAY,
            status=Status.ARCHIVED,
            visibility=Visibility.GROUP,
            group=NO_ONES_GROUP,
            tags=("a", "b"),
            domains=("house",),
            confidence=0.25,
            pinned=True,
            last_verified_at=LATER,
            retracted_at=LATER,
            superseded=True,
            superseded_by=successor.id,
        )
        assert found(store, kept) == revised

    def test_reads_show_a_memory_as_it_was_known_at_the_time(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        revise(store, ANNE, kept, Verb.SUPERSEDE, LATER, valid_until=START + 9 * DAY)
        after = START + 10 * DAY
        assert store.memories.get(BERT, [kept.id], Moment(after, LATER - MICROSECOND)) == [kept]
        assert store.memories.get(BERT, [kept.id], Moment(after, LATER)) == []
        assert len(store.memories.get(BERT, [kept.id], Moment(START + 8 * DAY, LATER))) == 1
        assert len(store.search.lexical(BERT, ["one"], ALL, Moment(after, LATER - MICROSECOND), 10)) == 1
        assert store.search.lexical(BERT, ["one"], ALL, Moment(after, LATER), 10) == []

    def test_what_is_forgotten_is_gone_and_what_is_restored_is_back(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        forgotten = revise(store, ANNE, kept, Verb.FORGET, LATER, status=Status.FORGOTTEN, retracted_at=LATER)
        assert store.memories.get(ANNE, [kept.id], NOW) == []
        assert store.memories.get(ANNE, [kept.id], Moment(NOW.as_of, LATER - MICROSECOND)) == [kept]
        revise(store, ANNE, forgotten, Verb.RESTORE, LAST, status=Status.ACTIVE, retracted_at=None)
        assert store.memories.get(ANNE, [kept.id], NOW) == [kept]
        assert store.memories.get(ANNE, [kept.id], Moment(NOW.as_of, LAST - MICROSECOND)) == []

    def test_what_is_shared_later_is_seen_from_then_on(self, store: Store) -> None:
        kept = keep(store, ANNE, "one", visibility=Visibility.PRIVATE)
        revised = revise(store, ANNE, kept, Verb.SHARE, LATER, visibility=Visibility.SHARED)
        assert store.memories.get(BERT, [kept.id], NOW) == [revised]
        assert store.memories.get(BERT, [kept.id], Moment(NOW.as_of, LATER - MICROSECOND)) == []
        assert len(store.search.lexical(BERT, ["one"], ALL, NOW, 10)) == 1

    def test_what_was_superseded_is_read_on_request_and_names_its_successor(self, store: Store) -> None:
        kept, successor = keep(store, ANNE, "one"), keep(store, ANNE, "two")
        fields: dict[str, Any] = {"superseded": True, "superseded_by": successor.id, "valid_until": LATER}
        revised = revise(store, ANNE, kept, Verb.SUPERSEDE, LATER, **fields)
        assert store.memories.get(BERT, [kept.id], NOW) == []
        assert store.memories.get(BERT, [kept.id], replace(NOW, superseded=True)) == [revised]

    def test_a_successor_is_named_to_those_who_may_see_it(self, store: Store) -> None:
        kept, hidden = keep(store, ANNE, "one"), keep(store, ANNE, "two", visibility=Visibility.PRIVATE)
        revise(store, ANNE, kept, Verb.SUPERSEDE, LATER, superseded=True, superseded_by=hidden.id)
        (theirs,) = store.memories.find(BERT, kept.id[-8:], KNOWN)
        assert (theirs.superseded, theirs.superseded_by) == (True, None)
        assert (found(store, kept).superseded, found(store, kept).superseded_by) == (True, hidden.id)
        version = store.memories.versions(BERT, [kept.id], KNOWN)[-1]
        assert (version.superseded, version.superseded_by) == (True, None)

    def test_a_successor_that_the_reviser_may_not_see_is_kept(self, store: Store) -> None:
        kept, hidden = keep(store, ANNE, "one"), keep(store, ANNE, "two", visibility=Visibility.PRIVATE)
        revise(store, ANNE, kept, Verb.SUPERSEDE, LATER, superseded=True, superseded_by=hidden.id)
        (theirs,) = store.memories.find(BERT, kept.id[-8:], KNOWN)
        revised = revise(store, BERT, theirs, Verb.REVERIFY, LAST, last_verified_at=LAST)
        assert found(store, kept) == replace(revised, superseded_by=hidden.id)
        revise(store, ANNE, revised, Verb.RESTORE, LAST, superseded=False, superseded_by=None)
        assert (found(store, kept).superseded, found(store, kept).superseded_by) == (False, None)

    def test_a_change_of_what_is_not_there_is_an_error(self, store: Store) -> None:
        with pytest.raises(StoreError):
            revise(store, ANNE, new_memory(ANNE, "one", at=START).memory)

    def test_the_text_stays_what_it_was(self, store: Store) -> None:
        kept = keep(store, ANNE, "one", topic="Needles")
        revise(store, ANNE, kept, text="two", topic="Pins", trust=0.1)
        assert found(store, kept) == kept

    # versions

    def test_each_change_leaves_a_version_with_what_made_it(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            new = new_memory(ANNE, "one", at=now, tags=("a",))
            kept = new.memory
            store.memories.add(ANNE, replace(new, verb=Verb.DECIDE))
        revise(store, BERT, kept, Verb.FORGET, LATER, "wrong", status=Status.FORGOTTEN, retracted_at=LATER)
        revise(store, ANNE, kept, Verb.RESTORE, LAST, tags=("b",), pinned=True)
        first, second, third = store.memories.versions(BERT, [kept.id], KNOWN)
        assert [(one.known_from, one.known_until) for one in (first, second, third)] == [
            (START, LATER),
            (LATER, LAST),
            (LAST, None),
        ]
        assert [(one.verb, one.changed_by, one.reason) for one in (first, second, third)] == [
            (Verb.DECIDE, "anne", None),
            (Verb.FORGET, "bert", "wrong"),
            (Verb.RESTORE, "anne", None),
        ]
        assert [one.status for one in (first, second, third)] == [Status.ACTIVE, Status.FORGOTTEN, Status.ACTIVE]
        assert [one.tags for one in (first, second, third)] == [("a",), ("a",), ("b",)]
        assert (second.retracted_at, third.retracted_at, third.pinned) == (LATER, None, True)

    def test_versions_are_those_known_by_then_as_they_stood_then(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        revise(store, ANNE, kept, Verb.REVERIFY, LATER, last_verified_at=LATER)
        assert store.memories.versions(ANNE, [kept.id], START - MICROSECOND) == []
        (only,) = store.memories.versions(ANNE, [kept.id], LATER - MICROSECOND)
        assert (only.known_from, only.known_until) == (START, None)
        assert len(store.memories.versions(ANNE, [kept.id], LATER)) == 2

    def test_versions_of_several_memories_come_oldest_first(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        revise(store, ANNE, one, Verb.REVERIFY, LATER)
        revise(store, ANNE, other, Verb.REVERIFY, LAST)
        asked = [other.id, new_id("m", START), one.id]
        told = [version.memory_id for version in store.memories.versions(ANNE, asked, KNOWN)]
        assert told == [one.id, other.id, one.id, other.id]

    def test_an_unregistered_agent_sees_the_versions_of_its_own_alone(self, store: Store) -> None:
        theirs, ours = keep(store, ANNE, "one"), keep(store, BERT, "two")
        store.registry.remove_agent(ANNE.tenant, ANNE.project, "bert")
        told = store.memories.versions(BERT, [theirs.id, ours.id], KNOWN)
        assert [version.memory_id for version in told] == [ours.id]
        register(store, "bert")
        assert len(store.memories.versions(BERT, [theirs.id, ours.id], KNOWN)) == 2

    # changed

    def test_changes_come_in_the_order_in_which_they_became_known(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        revise(store, BERT, one, Verb.REVERIFY, LATER)
        told = store.memories.changed(BERT, START - MICROSECOND, "", KNOWN, 10)
        assert [(each.memory_id, each.verb) for each in told] == [
            (one.id, Verb.REMEMBER),
            (other.id, Verb.REMEMBER),
            (one.id, Verb.REVERIFY),
        ]
        first = told[0]
        assert store.memories.changed(BERT, first.known_from, first.memory_id, KNOWN, 10) == told[1:]
        assert store.memories.changed(BERT, START - MICROSECOND, "", KNOWN, 2) == told[:2]
        assert store.memories.changed(BERT, told[-1].known_from, told[-1].memory_id, KNOWN, 10) == []

    def test_changes_at_one_instant_are_told_apart_by_their_memories(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            both = [new_memory(ANNE, text, at=now) for text in ("one", "other")]
            for new in both:
                store.memories.add(ANNE, new)
        low, high = sorted(new.memory.id for new in both)
        assert [each.memory_id for each in store.memories.changed(ANNE, now, "", KNOWN, 10)] == [low, high]
        assert [each.memory_id for each in store.memories.changed(ANNE, now, low, KNOWN, 10)] == [high]

    def test_changes_of_what_an_agent_may_not_see_are_none_of_its_business(self, store: Store) -> None:
        hidden = keep(store, ANNE, "one", visibility=Visibility.PRIVATE)
        revise(store, ANNE, hidden, Verb.REVERIFY, LATER)
        assert store.memories.changed(BERT, START - DAY, "", KNOWN, 10) == []
        assert len(store.memories.changed(ANNE, START - DAY, "", KNOWN, 10)) == 2
