"""`contracts.Compositions`, as tests."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from trigraph.contracts import Put, Store
from trigraph.errors import StoreError
from trigraph.model.change import Verb
from trigraph.model.composition import Companion, CompositionTally, OutcomeLabel, Role
from trigraph.model.ids import new_id
from trigraph.model.memory import Status, Visibility
from trigraph.testing.builders import ANNE, BERT, DAY, ISLAND, MICROSECOND, NOW, START, keep, open_island
from trigraph.testing.cast import AUDIENCES, every_audience, expected, register_all, shown
from trigraph.testing.changes import compose, erase, label, revise
from trigraph.testing.suites.audit import broken
from trigraph.testing.suites.base import Suite
from trigraph.testing.suites.transfer import ELSEWHERE, of, open_elsewhere, put, put_all
from trigraph.testing.world import records

LATER = START + DAY


class CompositionsSuite(Suite):
    """`contracts.Compositions`."""

    # What is kept

    def test_a_composition_comes_back_whole_by_the_end_of_its_id(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one", tags=("a", "b")), keep(store, BERT, "other\x00 with more")
        event = compose(store, ANNE, one, other)
        for length in (8, 13, 26):
            assert store.compositions.get(ANNE, event.id[-length:]) == [event]
        assert store.compositions.get(BERT, event.id[-8:]) == [event]
        assert store.compositions.get(ANNE, "0" * 8) == []

    def test_a_memory_may_play_two_parts_but_not_one_twice(self, store: Store) -> None:
        one = keep(store, ANNE, "one")
        event = compose(store, ANNE, one, one, roles=[Role.PRIMARY, Role.CONTRADICTING])
        assert store.compositions.get(ANNE, event.id[-8:]) == [event]
        assert store.compositions.tallies(ANNE, [one.id]) == {one.id: CompositionTally(1)}
        with pytest.raises(StoreError):
            compose(store, ANNE, one, one, roles=[Role.PRIMARY, Role.PRIMARY])

    @pytest.mark.parametrize("fields", [{"members": ()}, {"confidence": 1.5}, {"id": "x"}], ids=str)
    def test_what_is_no_composition_is_an_error_and_leaves_nothing(self, store: Store, fields: dict[str, Any]) -> None:
        one = keep(store, ANNE, "one")
        with pytest.raises(StoreError):
            compose(store, ANNE, one, **fields)
        assert store.compositions.recent(ANNE, 10) == []

    def test_it_is_kept_in_a_transaction_or_not_at_all(self, store: Store) -> None:
        event = compose(store, ANNE, keep(store, ANNE, "one"))
        with pytest.raises(StoreError):
            store.compositions.add(ANNE, replace(event, id=new_id("c", START)))
        assert store.compositions.recent(ANNE, 10) == [event]

    def test_outcomes_are_added_and_each_counts(self, store: Store) -> None:
        one = keep(store, ANNE, "one")
        event = compose(store, ANNE, one)
        first = label(store, BERT, event, OutcomeLabel.HELPFUL, notes="it was", confidence_delta=-0.25)
        second = label(store, BERT, event, OutcomeLabel.HELPFUL, at=LATER)
        assert store.compositions.get(ANNE, event.id[-8:]) == [replace(event, outcomes=(first, second))]
        tally = CompositionTally(1, {OutcomeLabel.HELPFUL: 2})
        assert store.compositions.tallies(ANNE, [one.id]) == {one.id: tally}

    def test_an_outcome_of_nothing_is_an_error(self, store: Store) -> None:
        event = compose(store, ANNE, keep(store, ANNE, "one"))
        with pytest.raises(StoreError):
            label(store, ANNE, replace(event, id=new_id("c", START)), OutcomeLabel.HELPFUL)

    # Asking

    def test_the_latest_come_first_from_before_one_and_by_tags(self, store: Store) -> None:
        red, blue = keep(store, ANNE, "one", tags=("red",)), keep(store, ANNE, "other", tags=("blue", "big"))
        first, second, third = compose(store, ANNE, red), compose(store, BERT, blue), compose(store, ANNE, red, blue)
        ledger = store.compositions
        assert ledger.recent(ANNE, 10) == [third, second, first]
        assert ledger.recent(ANNE, 2) == [third, second]
        assert ledger.recent(ANNE, 10, before_id=third.id) == [second, first]
        assert ledger.recent(ANNE, 10, tags=["red"]) == [third, first]
        assert ledger.recent(ANNE, 10, tags=["red", "big"]) == [third]
        assert ledger.recent(ANNE, 10, tags=["green"]) == []
        assert ledger.of(ANNE, blue.id, 10) == [third, second]
        assert ledger.of(ANNE, blue.id, 1) == [third]

    def test_tags_are_those_of_the_time(self, store: Store) -> None:
        one = keep(store, ANNE, "one", tags=("red",))
        event = compose(store, ANNE, one)
        revise(store, ANNE, one, Verb.REVERIFY, LATER, tags=("blue",))
        assert store.compositions.recent(ANNE, 10, tags=["red"]) == [event]
        assert store.compositions.recent(ANNE, 10, tags=["blue"]) == []

    def test_companions_are_counted_with_what_came_of_it(self, store: Store) -> None:
        one, other, third = (keep(store, ANNE, text) for text in ("one", "other", "third"))
        first = compose(store, ANNE, one, other)
        second = compose(store, ANNE, third, one, other)
        compose(store, ANNE, other, third)
        label(store, ANNE, first, OutcomeLabel.ACCEPTED)
        label(store, ANNE, second, OutcomeLabel.DEAD_END)
        found = [
            Companion(other.id, 2, second.at, {OutcomeLabel.ACCEPTED: 1, OutcomeLabel.DEAD_END: 1}),
            Companion(third.id, 1, second.at, {OutcomeLabel.DEAD_END: 1}),
        ]
        assert store.compositions.companions(BERT, one.id, 10) == found
        assert store.compositions.companions(BERT, one.id, 1) == found[:1]
        assert store.compositions.companions(BERT, new_id("m", START), 10) == []

    def test_pairs_that_met_are_counted_among_what_was_asked(self, store: Store) -> None:
        one, other, third = (keep(store, ANNE, text) for text in ("one", "other", "third"))
        compose(store, ANNE, other, one)
        compose(store, ANNE, one, other, third)
        pairs = store.compositions.pairs(BERT, [third.id, one.id, other.id])
        assert pairs == {(one.id, other.id): 2, (one.id, third.id): 1, (other.id, third.id): 1}
        assert store.compositions.pairs(BERT, [one.id, third.id]) == {(one.id, third.id): 1}
        assert store.compositions.pairs(BERT, [one.id]) == {}

    def test_what_came_later_was_not_known_then(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        event = compose(store, ANNE, one, other, at=LATER)
        label(store, ANNE, event, OutcomeLabel.ACCEPTED, at=LATER + DAY)
        ledger = store.compositions
        before, between = event.at - MICROSECOND, event.at
        assert ledger.recent(ANNE, 10, known_at=before) == ledger.get(ANNE, event.id[-8:], before) == []
        assert ledger.of(ANNE, one.id, 10, before) == []
        assert ledger.companions(ANNE, one.id, 10, before) == []
        assert ledger.pairs(ANNE, [one.id, other.id], before) == {}
        assert ledger.tallies(ANNE, [one.id], before) == {}
        assert ledger.recent(ANNE, 10, known_at=between) == [event]
        assert ledger.tallies(ANNE, [one.id], between) == {one.id: CompositionTally(1)}
        assert ledger.tallies(ANNE, [one.id]) == {one.id: CompositionTally(1, {OutcomeLabel.ACCEPTED: 1})}

    # Who may see it

    @every_audience
    def test_a_composition_is_seen_by_whom_all_its_members_are(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        open_, other = keep(store, ANNE, "one", tags=("t",)), keep(store, ANNE, "other", **audience)
        event = compose(store, ANNE, open_, other)
        told = expected(audience, AUDIENCES["shared"])
        ledger = store.compositions
        assert shown(lambda scope: ledger.get(scope, event.id[-8:])) == told
        assert shown(lambda scope: ledger.recent(scope, 10, tags=["t"])) == told
        for memory in (open_, other):
            assert shown(lambda scope, one=memory: ledger.of(scope, one.id, 10)) == told  # type: ignore[misc]
            assert shown(lambda scope, one=memory: ledger.companions(scope, one.id, 10)) == told  # type: ignore[misc]
            assert shown(lambda scope, one=memory: ledger.tallies(scope, [one.id])) == told  # type: ignore[misc]
        assert shown(lambda scope: ledger.pairs(scope, [open_.id, other.id])) == told
        erase(store, ANNE, other)
        assert shown(lambda scope: ledger.recent(scope, 10)) == told

    @every_audience
    def test_an_outcome_is_seen_by_whom_its_authors_shared_memories_are(
        self, store: Store, audience: dict[str, Any]
    ) -> None:
        register_all(store)
        event = compose(store, ANNE, keep(store, ANNE, "one", **audience))
        label(store, ANNE, event, OutcomeLabel.HELPFUL)
        found = shown(lambda scope: [one for one in store.compositions.recent(scope, 10) if one.outcomes])
        assert found == expected(audience, AUDIENCES["shared"])

    def test_the_author_is_not_told_of_members_that_it_may_no_longer_see(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, BERT, "other", tags=("t",))
        plain = compose(store, ANNE, one, other)
        told = (replace(plain.members[0], role=Role.SUPERSEDED, replaced_by=other.id), plain.members[1])
        event = compose(store, ANNE, members=told)
        assert store.compositions.recent(ANNE, 10) == [event, plain]
        revise(store, BERT, other, Verb.SHARE, visibility=Visibility.PRIVATE)
        found = store.compositions.recent(ANNE, 10)[0]
        assert found.members == (replace(event.members[0], replaced_by=None),)
        assert (found.output_preview, found.metadata.reasoning_preview, found.metadata.memories_analysed) == ("", "", 0)
        ledger = store.compositions
        assert ledger.of(ANNE, other.id, 10) == []
        assert ledger.companions(ANNE, one.id, 10) == []
        assert ledger.pairs(ANNE, [one.id, other.id]) == {}
        assert ledger.tallies(ANNE, [other.id]) == {}
        assert ledger.recent(ANNE, 10, tags=["t"]) == []
        assert ledger.recent(BERT, 10) == [event, plain]

    def test_the_question_of_one_that_is_not_told_is_its_authors_alone(self, store: Store) -> None:
        event = compose(store, ANNE, keep(store, ANNE, "one"), told=False)
        assert store.compositions.recent(ANNE, 10) == [event]
        blank = replace(event.metadata, reasoning_preview="")
        shown_to_others = replace(event, query="", query_hash="", output_preview="", metadata=blank)
        assert store.compositions.recent(BERT, 10) == [shown_to_others]
        (record,) = of("composition", records(store, BERT, everything=False))
        assert (record["query"], record["output_preview"]) == ("", "")

    def test_compositions_are_of_their_project(self, store: Store) -> None:
        open_island(store)
        event = compose(store, ANNE, keep(store, ANNE, "one"))
        assert store.compositions.recent(ISLAND, 10) == store.compositions.get(ISLAND, event.id[-8:]) == []
        with pytest.raises(StoreError):
            label(store, ISLAND, event, OutcomeLabel.HELPFUL)

    # What becomes of the memories

    def test_forgetting_a_memory_does_not_change_that_it_took_part(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one", tags=("t",)), keep(store, ANNE, "other")
        event = compose(store, ANNE, one, other)
        revise(store, ANNE, one, Verb.FORGET, LATER, status=Status.FORGOTTEN, retracted_at=LATER)
        for reader in (ANNE, BERT):
            assert store.compositions.recent(reader, 10, tags=["t"]) == [event]
            assert store.compositions.pairs(reader, [one.id, other.id]) == {(one.id, other.id): 1}

    def test_erasing_a_memory_blanks_what_was_copied_and_keeps_its_id(self, store: Store) -> None:
        one, other = keep(store, ANNE, "the needle is in the haystack", tags=("t",)), keep(store, ANNE, "other")
        event = compose(store, ANNE, one, other, query="Needle is in the hay", output_preview="THE NEEDLE!")
        elsewhere = compose(store, ANNE, other, query="is it so that the needle is in the haystack?")
        label(store, ANNE, elsewhere, OutcomeLabel.HELPFUL, notes="The needle is in the haystack indeed")
        erase(store, ANNE, one)
        first, second = store.compositions.recent(BERT, 10, before_id=None)[::-1]
        blank = replace(event.members[0], preview="", tags=(), text="")
        assert first.members == (blank, event.members[1])
        assert (first.query, first.query_hash, first.output_preview, first.metadata.reasoning_preview) == ("",) * 4
        assert (second.query, second.query_hash, second.outcomes[0].notes) == ("", "", None)
        assert second.output_preview == elsewhere.output_preview
        assert store.compositions.companions(BERT, one.id, 10)[0].memory_id == other.id
        assert "needle" not in json.dumps(records(store, ANNE)).lower()
        assert broken(store, ANNE) == {}

    def test_a_question_that_quotes_nothing_of_what_was_erased_stays(self, store: Store) -> None:
        one = keep(store, ANNE, "the needle is in the haystack")
        event = compose(store, ANNE, one, query="where is it?")
        erase(store, ANNE, one)
        (found,) = store.compositions.recent(ANNE, 10)
        assert (found.query, found.query_hash) == (event.query, event.query_hash)

    # There and back

    def test_an_import_brings_no_copy_of_what_was_erased_here(self, store: Store) -> None:
        one, other = keep(store, ANNE, "needle"), keep(store, ANNE, "other")
        compose(store, ANNE, one, other)
        exported = records(store, ANNE)
        erase(store, ANNE, one)
        tombstone = of("erased", records(store, ANNE))
        open_elsewhere(store)
        put_all(store, ELSEWHERE, [*tombstone, *of("composition", exported)])
        (found,) = store.compositions.recent(ELSEWHERE, 10)
        assert [(member.text, member.preview) for member in found.members] == [("", ""), ("other", "other")]
        assert "needle" not in json.dumps(records(store, ELSEWHERE))

    def test_outcomes_that_are_not_here_yet_are_added_to_a_composition_that_is(self, store: Store) -> None:
        event = compose(store, ANNE, keep(store, ANNE, "one"))
        before = of("composition", records(store, ANNE))
        label(store, ANNE, event, OutcomeLabel.HELPFUL)
        after = of("composition", records(store, ANNE))
        open_elsewhere(store)
        assert put_all(store, ELSEWHERE, before) == [Put.ADDED]
        assert put(store, ELSEWHERE, after[0]) is Put.ADDED
        assert put(store, ELSEWHERE, after[0]) is Put.SAME
        assert of("composition", records(store, ELSEWHERE)) == after

    def test_an_agents_records_hold_compositions_as_it_may_see_them(self, store: Store) -> None:
        one, hidden = keep(store, BERT, "one"), keep(store, ANNE, "hidden", visibility=Visibility.PRIVATE)
        compose(store, ANNE, one, hidden)
        own = compose(store, BERT, one)
        assert [record["id"] for record in of("composition", records(store, BERT, everything=False))] == [own.id]
        assert NOW.known_at > own.at
