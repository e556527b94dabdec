"""`contracts.Links`, as tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from trigraph.contracts import Store
from trigraph.errors import StoreError
from trigraph.model.change import Verb
from trigraph.model.ids import new_id
from trigraph.model.link import LinkOrigin, LinkType
from trigraph.model.memory import Visibility
from trigraph.testing.builders import ANNE, BERT, DAY, MICROSECOND, NOW, START, keep
from trigraph.testing.cast import AUDIENCES, every_audience, expected, register_all, shown
from trigraph.testing.changes import keep_link, revise
from trigraph.testing.suites.base import Suite

KNOWN = NOW.known_at
LATER = START + DAY


class LinksSuite(Suite):
    """`contracts.Links`."""

    def test_a_link_comes_back_whole_from_either_end_and_by_the_end_of_its_id(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, BERT, "other")
        fields: dict[str, Any] = {
            "created_by": LinkOrigin.LLM,
            "reason": None,
            "valid_from": START - DAY,
            "valid_until": START,
        }
        link = keep_link(store, BERT, one, other, LinkType.CONTRADICTS, **fields)
        for ends in ([one.id], [other.id], [one.id, other.id]):
            assert store.links.of(ANNE, ends, KNOWN) == [link]
        for length in (8, 13, 26):
            assert store.links.get(ANNE, link.id[-length:], KNOWN) == [link]

    def test_links_come_oldest_first_and_may_be_of_some_types(self, store: Store) -> None:
        one, other, third = (keep(store, ANNE, text) for text in ("one", "other", "third"))
        kept = [
            keep_link(store, ANNE, one, other, LinkType.SUPERSEDES),
            keep_link(store, ANNE, third, one, LinkType.TEMPORAL),
            keep_link(store, ANNE, one, other, LinkType.CORRECTS),
        ]
        keep_link(store, ANNE, other, third)
        assert store.links.of(ANNE, [one.id], KNOWN) == kept
        some = [LinkType.TEMPORAL, LinkType.CORRECTS]
        assert store.links.of(ANNE, [one.id], KNOWN, some) == kept[1:]
        assert store.links.of(ANNE, [], KNOWN) == []

    @every_audience
    @pytest.mark.parametrize("hidden_end", ["from", "to"])
    def test_a_link_is_seen_by_whom_both_its_ends_are(
        self, store: Store, audience: dict[str, Any], hidden_end: str
    ) -> None:
        register_all(store)
        open_, other = keep(store, ANNE, "one"), keep(store, ANNE, "other", **audience)
        ends = (other, open_) if hidden_end == "from" else (open_, other)
        link = keep_link(store, ANNE, *ends)
        told = expected(audience, AUDIENCES["shared"])
        assert shown(lambda scope: store.links.of(scope, [open_.id], KNOWN)) == told
        assert shown(lambda scope: store.links.of(scope, [other.id], KNOWN)) == told
        assert shown(lambda scope: store.links.get(scope, link.id[-8:], KNOWN)) == told

    def test_a_link_is_seen_once_its_ends_were_shared(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other", visibility=Visibility.PRIVATE)
        link = keep_link(store, ANNE, one, other)
        revise(store, ANNE, other, Verb.SHARE, LATER, visibility=Visibility.SHARED)
        assert store.links.of(BERT, [one.id], KNOWN) == [link]
        assert store.links.of(BERT, [one.id], LATER - MICROSECOND) == []

    def test_a_link_that_is_closed_was_known_until_then(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        link = keep_link(store, ANNE, one, other)
        with store.transaction(ANNE, LATER) as now:
            store.links.close(ANNE, link.id, now)
        for known_at, shown_then in (
            (link.known_from - MICROSECOND, []),
            (link.known_from, [link.id]),
            (LATER - MICROSECOND, [link.id]),
            (LATER, []),
        ):
            assert [found.id for found in store.links.of(ANNE, [one.id], known_at)] == shown_then
            assert [found.id for found in store.links.get(ANNE, link.id[-8:], known_at)] == shown_then
        again = keep_link(store, ANNE, one, other)
        assert store.links.of(ANNE, [one.id], KNOWN) == [again]

    def test_a_revised_link_is_known_as_it_was_and_as_it_is(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        link = keep_link(store, ANNE, one, other)
        revised = replace(link, confidence=0.25, reason="doubt", valid_until=LATER)
        with store.transaction(BERT, LATER) as now:
            store.links.revise(BERT, revised, now)
        assert store.links.of(ANNE, [one.id], KNOWN) == [replace(revised, known_from=LATER)]
        (before,) = store.links.of(ANNE, [one.id], LATER - MICROSECOND)
        assert replace(before, known_until=None) == link
        assert len(store.links.get(ANNE, link.id[-8:], KNOWN)) == 1

    def test_two_memories_have_one_link_of_a_type(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        link = keep_link(store, ANNE, one, other)
        with pytest.raises(StoreError):
            keep_link(store, ANNE, one, other)
        back = keep_link(store, ANNE, other, one)
        assert store.links.of(ANNE, [one.id], KNOWN) == [link, back]

    def test_a_memory_has_no_link_to_itself(self, store: Store) -> None:
        one = keep(store, ANNE, "one")
        with pytest.raises(StoreError):
            keep_link(store, ANNE, one, one)

    def test_a_link_to_what_is_not_there_is_an_error(self, store: Store) -> None:
        one = keep(store, ANNE, "one")
        with pytest.raises(StoreError):
            keep_link(store, ANNE, one, replace(one, id=new_id("m", START)))
