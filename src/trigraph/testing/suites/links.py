"""`contracts.Links`, as tests."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from trigraph.contracts import Store
from trigraph.errors import StoreError
from trigraph.model.change import CitationKind, Verb
from trigraph.model.ids import new_id
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.memory import Memory, Status, Visibility
from trigraph.testing.builders import ANNE, BERT, DAY, ISLAND, MICROSECOND, NOW, START, keep, open_island
from trigraph.testing.cast import AUDIENCES, every_audience, expected, register_all, shown
from trigraph.testing.changes import cite, keep_link, revise
from trigraph.testing.suites.base import Suite

KNOWN = NOW.known_at
LATER = START + DAY


def draw(store: Store, from_: Memory, to: Memory, **fields: Any) -> Link:
    """A link that the system drew by likeness."""
    whole: dict[str, Any] = {"created_by": LinkOrigin.SYSTEM, "similarity": 0.9, **fields}
    return keep_link(store, ANNE, from_, to, **whole)


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

    def test_what_is_in_doubt_is_found_latest_first_while_both_ends_hold(self, store: Store) -> None:
        one, other, third = (keep(store, ANNE, text) for text in ("one", "other", "third"))
        mine = keep(store, ANNE, "mine", visibility=Visibility.PRIVATE)
        first = keep_link(store, ANNE, one, other, LinkType.CONTRADICTS)
        second = keep_link(store, ANNE, third, one, LinkType.CONTRADICTS)
        hidden = keep_link(store, ANNE, mine, one, LinkType.CONTRADICTS)
        again = keep_link(store, ANNE, third, other, LinkType.DUPLICATE_OF)
        standing = store.links.standing
        assert standing(ANNE, LinkType.CONTRADICTS, NOW, 10) == [hidden, second, first]
        assert standing(BERT, LinkType.CONTRADICTS, NOW, 10) == [second, first]
        assert standing(ANNE, LinkType.DUPLICATE_OF, NOW, 10) == [again]
        assert standing(ANNE, LinkType.CONTRADICTS, NOW, 1) == [hidden]
        revise(store, ANNE, other, Verb.ARCHIVE, LATER, status=Status.ARCHIVED)
        assert standing(BERT, LinkType.CONTRADICTS, NOW, 10) == [second]

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

    # What the system drew

    @pytest.mark.parametrize(
        "by",
        [{"similarity": 0.1 + 0.7}, {"similarity": -1.0}, {"gap_seconds": 0.0}, {"gap_seconds": 3599.999999}, {}],
        ids=["alike", "opposite", "at-once", "apart", "neither"],
    )
    def test_by_what_a_link_was_drawn_is_kept(self, store: Store, by: dict[str, float]) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        link = keep_link(store, ANNE, one, other, **by)  # type: ignore[arg-type]
        with store.transaction(BERT, LATER) as now:
            store.links.revise(BERT, replace(link, confidence=0.25), now)
        for known_at in (LATER - MICROSECOND, KNOWN):
            (found,) = store.links.of(ANNE, [one.id], known_at)
            told = {"similarity": found.similarity, "gap_seconds": found.gap_seconds}
            assert told == {"similarity": None, "gap_seconds": None, **by}

    @pytest.mark.parametrize("by", [{"similarity": 1.5}, {"similarity": -1.5}, {"gap_seconds": -1.0}])
    def test_what_cannot_be_measured_is_an_error(self, store: Store, by: dict[str, float]) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        with pytest.raises(StoreError):
            keep_link(store, ANNE, one, other, **by)  # type: ignore[arg-type]
        assert store.links.of(ANNE, [one.id], KNOWN) == []

    # The strongest

    def test_the_strongest_come_first_and_no_more_than_asked_for(self, store: Store) -> None:
        middle, *others = (keep(store, ANNE, f"text {number}") for number in range(5))
        kept = [
            keep_link(store, ANNE, middle, others[0], confidence=0.5),
            keep_link(store, ANNE, others[1], middle, LinkType.TEMPORAL, confidence=0.9),
            keep_link(store, ANNE, middle, others[2], LinkType.IMPLEMENTS, confidence=0.1),
            keep_link(store, ANNE, middle, others[3], LinkType.TEMPORAL, confidence=0.7),
        ]
        ordered = [kept[1], kept[3], kept[0], kept[2]]
        assert store.links.strongest(BERT, [middle.id], KNOWN, (), 10) == ordered
        assert store.links.strongest(BERT, [middle.id], KNOWN, (), 3) == ordered[:3]
        temporal = [LinkType.TEMPORAL]
        assert store.links.strongest(BERT, [middle.id], KNOWN, temporal, 10) == ordered[:2]
        assert store.links.strongest(BERT, [middle.id, others[1].id], KNOWN, temporal, 1) == ordered[:1]
        assert store.links.strongest(BERT, [], KNOWN, (), 10) == []

    @every_audience
    def test_the_strongest_are_those_that_may_be_seen(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other", **audience)
        keep_link(store, ANNE, one, other)
        for asked in ([one.id], [other.id]):
            found = shown(lambda scope, ids=asked: store.links.strongest(scope, ids, KNOWN, (), 1))  # type: ignore[misc]
            assert found == expected(audience, AUDIENCES["shared"])

    def test_a_hidden_link_does_not_take_the_place_of_one_that_may_be_seen(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        for number in range(3):
            hidden = keep(store, ANNE, f"hidden {number}", visibility=Visibility.PRIVATE)
            keep_link(store, ANNE, one, hidden, confidence=1.0)
        weak = keep_link(store, ANNE, one, other, confidence=0.1)
        assert store.links.strongest(BERT, [one.id], KNOWN, (), 2) == [weak]

    def test_the_strongest_are_as_they_were_known(self, store: Store) -> None:
        one, other, third = (keep(store, ANNE, text) for text in ("one", "other", "third"))
        link = keep_link(store, ANNE, one, other, confidence=0.9)
        steady = keep_link(store, ANNE, one, third, confidence=0.5)
        with store.transaction(ANNE, LATER) as now:
            store.links.revise(ANNE, replace(link, confidence=0.1), now)
        with store.transaction(ANNE, LATER + DAY) as now:
            store.links.close(ANNE, steady.id, now)

        def ids_at(known_at: Any) -> list[str]:
            return [found.id for found in store.links.strongest(ANNE, [one.id], known_at, (), 10)]

        assert ids_at(LATER - MICROSECOND) == [link.id, steady.id]
        assert ids_at(LATER) == [steady.id, link.id]
        assert ids_at(LATER + DAY) == [link.id]

    # What is reached

    def test_what_is_reached_comes_nearest_first_and_each_once(self, store: Store) -> None:
        chain = [keep(store, ANNE, f"text {number}") for number in range(6)]
        for older, newer in pairwise(chain):
            keep_link(store, ANNE, newer, older, LinkType.SUPERSEDES)
        keep_link(store, ANNE, chain[5], chain[0], LinkType.CORRECTS)
        built, beside = keep(store, ANNE, "built"), keep(store, ANNE, "beside")
        keep_link(store, ANNE, built, chain[2], LinkType.IMPLEMENTS)
        keep_link(store, ANNE, chain[2], beside, LinkType.RELATES_TO)
        ids = [one.id for one in chain]

        def reach(from_: Memory, limit: int = 50) -> list[str]:
            both_ways, onward = (LinkType.SUPERSEDES, LinkType.CORRECTS), (LinkType.IMPLEMENTS,)
            return store.links.reach(BERT, from_.id, KNOWN, both_ways, onward, limit)

        assert reach(chain[2])[0] == ids[2]
        assert set(reach(chain[2])[1:3]) == {ids[1], ids[3]}
        assert set(reach(chain[2])[3:5]) == {ids[0], ids[4]}
        assert reach(chain[2])[5:] == [ids[5]]
        assert reach(chain[2], 2) == reach(chain[2])[:2]
        assert reach(built)[:2] == [built.id, ids[2]]
        assert {*reach(built)} == {built.id, *ids}
        assert reach(beside) == [beside.id]
        assert store.links.reach(BERT, ids[0], KNOWN, (), (LinkType.CORRECTS,), 50) == [ids[0]]
        assert store.links.reach(BERT, ids[5], KNOWN, (), (LinkType.CORRECTS,), 50) == [ids[5], ids[0]]

    @every_audience
    def test_nothing_is_reached_past_what_may_not_be_seen(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        one, hidden, other = (
            keep(store, ANNE, "one"),
            keep(store, ANNE, "hidden", **audience),
            keep(store, ANNE, "other"),
        )
        for newer, older in ((hidden, one), (other, hidden)):
            keep_link(store, ANNE, newer, older, LinkType.SUPERSEDES)
        told = expected(audience, AUDIENCES["shared"])
        for start in (one.id, other.id):
            asked = (start, KNOWN, (LinkType.SUPERSEDES,), (), 9)
            assert shown(lambda scope, asked=asked: store.links.reach(scope, *asked)[1:]) == told  # type: ignore[misc]

    def test_what_is_reached_is_as_it_was_known(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        link = keep_link(store, ANNE, one, other, LinkType.SUPERSEDES)
        with store.transaction(ANNE, LATER) as now:
            store.links.close(ANNE, link.id, now)
        for known_at, reached in ((LATER - MICROSECOND, [one.id, other.id]), (LATER, [one.id])):
            assert store.links.reach(ANNE, one.id, known_at, (LinkType.SUPERSEDES,), (), 9) == reached

    # What fades

    def test_only_what_the_system_drew_by_likeness_or_nearness_fades(self, store: Store) -> None:
        one, other, third = (keep(store, ANNE, text) for text in ("one", "other", "third"))
        alike = draw(store, one, other)
        near = draw(store, other, third, type_=LinkType.TEMPORAL, similarity=None, gap_seconds=5.0)
        draw(store, one, third, similarity=None)  # of one topic
        draw(store, third, one, created_by=LinkOrigin.USER)
        draw(store, third, other, created_by=LinkOrigin.LLM)
        assert store.links.fading(ANNE, KNOWN, None, 10) == [alike, near]

    def test_a_link_fades_once_it_was_drawn_before_a_time(self, store: Store) -> None:
        link = draw(store, keep(store, ANNE, "one"), keep(store, ANNE, "other"))
        assert store.links.fading(ANNE, link.known_from, None, 10) == []
        assert store.links.fading(ANNE, link.known_from + MICROSECOND, None, 10) == [link]

    def test_what_fades_comes_in_order_of_id_after_one(self, store: Store) -> None:
        memories = [keep(store, ANNE, f"text {number}") for number in range(6)]
        drawn = [draw(store, memories[number], memories[number + 1]) for number in range(5)]
        with store.transaction(ANNE, LATER) as now:
            store.links.revise(ANNE, replace(drawn[0], confidence=0.9), now)
        told = [link.id for link in drawn]
        pages, after = [], None
        for _ in range(4):
            page = [link.id for link in store.links.fading(ANNE, KNOWN, after, 2)]
            pages.append(page)
            after = page[-1] if page else after
        assert pages == [told[:2], told[2:4], told[4:], []]

    def test_what_is_closed_fades_no_more(self, store: Store) -> None:
        link = draw(store, keep(store, ANNE, "one"), keep(store, ANNE, "other"))
        with store.transaction(ANNE, LATER) as now:
            store.links.close(ANNE, link.id, now)
        assert store.links.fading(ANNE, KNOWN, None, 10) == []

    @pytest.mark.parametrize("end", [0, 1], ids=["from", "to"])
    @pytest.mark.parametrize(
        ("kind", "keeps"),
        [
            (CitationKind.CITED, True),
            (CitationKind.SAVED_REWORK, True),
            (CitationKind.DISMISSED, False),
            (CitationKind.FLAGGED_STALE, False),
            (CitationKind.REWROTE, False),
        ],
    )
    def test_a_link_to_what_was_of_use_since_does_not_fade(
        self, store: Store, end: int, kind: CitationKind, keeps: bool
    ) -> None:
        ends = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        cite(store, BERT, ends[end])  # before it was drawn: that says nothing about it
        link = draw(store, *ends, at=LATER)
        assert store.links.fading(ANNE, KNOWN, None, 10) == [link]
        cite(store, BERT, ends[end], kind, at=LATER)
        assert store.links.fading(ANNE, KNOWN, None, 10) == ([] if keeps else [link])

    def test_links_of_the_whole_project_fade_and_of_no_other(self, store: Store) -> None:
        open_island(store)
        hidden: dict[str, Any] = {"visibility": Visibility.PRIVATE}
        link = draw(store, keep(store, ANNE, "one", **hidden), keep(store, ANNE, "other", **hidden))
        assert store.links.fading(BERT, KNOWN, None, 10) == [link]
        assert store.links.fading(ISLAND, KNOWN, None, 10) == []
