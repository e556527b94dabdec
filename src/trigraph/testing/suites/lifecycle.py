"""What a store keeps of a memory in use, as tests: restatements, citations, exposure, confidence, likeness, origin."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from trigraph.contracts import Store
from trigraph.model.access_log import Restatement, Shown
from trigraph.model.change import Citation, CitationKind, Verb
from trigraph.model.ids import new_id
from trigraph.model.memory import Kind, Memory, MemoryFilter, Provenance, Source, Status, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    HIDDEN,
    ISLAND,
    MICROSECOND,
    NOW,
    START,
    Vectors,
    ids,
    keep,
    open_island,
    pin,
    recall_event,
    unit_vectors,
)
from trigraph.testing.cast import every_audience, expected, register_all, shown
from trigraph.testing.changes import cite, erase, revise
from trigraph.testing.suites.base import Suite, undone

TURN, WEB = Source.TURN, Source.WEB
LATER = START + DAY


def restate(
    store: Store, scope: Scope, memory: Memory, source: Source = TURN, at: datetime = LATER, **fields: Any
) -> Restatement:
    """A memory is said again."""
    with store.transaction(scope, at) as now:
        plain = Restatement(scope.agent, source, "session-2", "t_1:0", None, now, 0.05)
        restated = replace(plain, **fields)
        store.uses.restate(scope, memory.id, restated)
    return restated


def drop(store: Store, scope: Scope, keys: list[int]) -> dict[str, float]:
    """These restatements were never made."""
    with store.transaction(scope, LATER):
        return store.uses.drop_restatements(scope, keys)


def show(store: Store, scope: Scope, *memories: Memory, at: datetime = START, **fields: Any) -> str:
    """A recall shows memories, in that order; returns its id."""
    event = replace(recall_event(scope, at), result_ids=tuple(ids(memories)), candidates=(), exact_ids=(), **fields)
    store.events.add(scope, event)
    return event.recall_id


def keep_from(store: Store, scope: Scope, text: str, source: Source, **fields: Any) -> Memory:
    """A memory that came from a source."""
    return keep(store, scope, text, provenance=Provenance(source, scope.agent), **fields)


def turned(plane: Vectors, cosine: float) -> Vectors:
    """A unit vector in the plane of two, of that cosine with the first."""
    first, second = plane
    side = second - (second @ first) * first
    return np.asarray(cosine * first + (1 - cosine**2) ** 0.5 * side / np.linalg.norm(side), np.float32)


class LifecycleSuite(Suite):
    """What is kept of a memory in use."""

    # Restatements

    def test_restatements_come_back_whole_the_oldest_first(self, store: Store) -> None:
        memory, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        first = restate(store, ANNE, memory)
        second = restate(store, BERT, memory, WEB, session=None, turn=None, uri="https://example.org/a", raised=0.0)
        restate(store, ANNE, other)
        assert store.uses.restatements(BERT, memory.id) == [first, second]
        assert store.uses.restatements(BERT, new_id("m", START)) == []

    def test_a_memory_says_how_often_it_was_said_again(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        for _ in range(3):
            restate(store, ANNE, memory)
        (seen,) = store.memories.get(BERT, [memory.id], NOW)
        assert seen.restatements == 3

    @every_audience
    def test_restatements_are_shown_to_whoever_may_see_the_memory(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        memory = keep(store, ANNE, "one", **audience)
        restate(store, ANNE, memory)
        assert shown(lambda scope: store.uses.restatements(scope, memory.id)) == expected(audience)
        assert shown(lambda scope: store.uses.restated_from(scope, TURN, None, None, None)) == expected(audience)

    def test_restatements_are_found_by_source_time_place_and_session(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        restate(store, ANNE, memory, WEB, uri="https://a", session="s-1", at=START + DAY)
        restate(store, ANNE, memory, WEB, uri="https://b", session="s-2", at=START + 2 * DAY)
        restate(store, ANNE, memory, TURN, session="s-1", at=START + 3 * DAY)

        def count(source: Source, since: datetime | None = None, uri: str | None = None, of: str | None = None) -> int:
            return len(store.uses.restated_from(BERT, source, since, uri, of))

        assert [count(WEB), count(TURN), count(Source.USER)] == [2, 1, 0]
        assert [count(WEB, START + 2 * DAY), count(WEB, START + 2 * DAY + MICROSECOND)] == [1, 0]
        assert [count(WEB, uri="https://a"), count(WEB, uri="https://c")] == [1, 0]
        assert [count(WEB, of="s-2"), count(TURN, of="s-2")] == [1, 0]

    def test_restatements_that_are_dropped_say_by_how_much_they_had_raised(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        for memory, source, raised in ((one, WEB, 0.1), (one, WEB, 0.05), (one, TURN, 0.2), (other, WEB, 0.0)):
            restate(store, ANNE, memory, source, raised=raised)
        keys = store.uses.restated_from(ANNE, WEB, None, None, None)
        assert drop(store, ANNE, keys) == {one.id: pytest.approx(0.15), other.id: 0.0}
        assert [again.source for again in store.uses.restatements(ANNE, one.id)] == [TURN]
        assert store.uses.restatements(ANNE, other.id) == []
        assert drop(store, ANNE, keys) == {}
        assert drop(store, ANNE, []) == {}

    def test_restatements_of_an_undone_transaction_never_were(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        with undone(store, ANNE, LATER) as now:
            store.uses.restate(ANNE, memory.id, Restatement("anne", TURN, None, None, None, now, 0.0))
        assert store.uses.restatements(ANNE, memory.id) == []
        restate(store, ANNE, memory)
        with undone(store, ANNE, LATER):
            store.uses.drop_restatements(ANNE, store.uses.restated_from(ANNE, TURN, None, None, None))
        assert len(store.uses.restatements(ANNE, memory.id)) == 1

    def test_restatements_of_another_project_are_none_of_this_one(self, store: Store) -> None:
        open_island(store)
        restate(store, ISLAND, keep(store, ISLAND, "one"))
        memory = keep(store, ANNE, "one")
        restate(store, ISLAND, memory)
        assert store.uses.restated_from(ANNE, TURN, None, None, None) == []
        assert store.uses.restatements(ANNE, memory.id) == []
        assert len(store.uses.restated_from(ISLAND, TURN, None, None, None)) == 1

    def test_restatements_go_with_the_memory(self, store: Store) -> None:
        memory, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        restate(store, ANNE, memory)
        restate(store, ANNE, other)
        erase(store, ANNE, memory, at=LATER)
        assert store.uses.restatements(ANNE, memory.id) == []
        assert len(store.uses.restated_from(ANNE, TURN, None, None, None)) == 1

    # Citations of one memory

    def test_an_agents_own_citations_are_told_the_latest_first(self, store: Store) -> None:
        memory, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        recall_id = new_id("r", START)
        cite(store, ANNE, memory, CitationKind.CITED, recall_id=recall_id, session="s-1", at=START + DAY)
        cite(store, ANNE, memory, CitationKind.DISMISSED, at=START + 2 * DAY)
        cite(store, BERT, memory, at=START + 3 * DAY)
        cite(store, ANNE, other, at=START + 3 * DAY)
        latest, first = store.uses.used(ANNE, memory.id, 10)
        assert first == Citation(memory.id, CitationKind.CITED, recall_id, "s-1", "anne", "a note", first.at)
        assert (latest.kind, latest.recall_id, latest.session) == (CitationKind.DISMISSED, None, None)
        assert store.uses.used(ANNE, memory.id, 1) == [latest]
        assert [use.agent for use in store.uses.used(BERT, memory.id, 10)] == ["bert"]

    @pytest.mark.parametrize("visibility", HIDDEN)
    def test_of_a_memory_that_is_hidden_by_now_not_even_ones_own_citations_are_told(
        self, store: Store, visibility: Visibility
    ) -> None:
        memory = keep(store, ANNE, "one")
        cite(store, BERT, memory)
        group = "nobody" if visibility is Visibility.GROUP else None
        revise(store, ANNE, memory, at=LATER, visibility=visibility, group=group)
        assert store.uses.used(BERT, memory.id, 10) == []

    # Exposure

    def test_recalls_that_showed_a_memory_are_told_the_latest_first(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        first = show(store, ANNE, other, one, query="where?", session="s-1")
        second = show(store, ANNE, one, query="when?", session=None, at=START + DAY)
        show(store, ANNE, other, at=START + 2 * DAY)
        assert store.events.shown(ANNE, one.id, 10) == [
            Shown(second, "when?", None, 1, START + DAY + MICROSECOND),
            Shown(first, "where?", "s-1", 2, START + MICROSECOND),
        ]
        assert [seen.recall_id for seen in store.events.shown(ANNE, one.id, 1)] == [second]
        assert [store.events.shown_count(ANNE, memory.id) for memory in (one, other)] == [2, 2]
        assert store.events.shown_count(ANNE, new_id("m", START)) == 0

    def test_an_agent_is_told_of_its_own_recalls_in_its_project_alone(self, store: Store) -> None:
        open_island(store)
        memory = keep(store, ANNE, "one")
        show(store, ANNE, memory, session="s-1")
        for scope in (BERT, ISLAND):
            assert store.events.shown(scope, memory.id, 10) == []
            assert store.events.shown_count(scope, memory.id) == 0
            assert store.events.shown_in(scope, "s-1", memory.id) is None

    def test_the_latest_recall_of_a_session_that_showed_a_memory_is_found(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        show(store, ANNE, one, session="s-1")
        latest = show(store, ANNE, one, session="s-1", at=START + DAY)
        show(store, ANNE, other, session="s-1", at=START + 2 * DAY)
        show(store, ANNE, one, session="s-2", at=START + 3 * DAY)
        assert store.events.shown_in(ANNE, "s-1", one.id) == latest
        assert store.events.shown_in(ANNE, "s-3", one.id) is None

    def test_a_memory_that_is_forgotten_by_the_events_was_never_shown(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        recall_id = show(store, ANNE, one, other, session="s-1")
        show(store, BERT, one)
        store.events.forget(ANNE, one.id)
        assert (store.events.shown(ANNE, one.id, 10), store.events.shown_count(ANNE, one.id)) == ([], 0)
        assert (store.events.shown_in(ANNE, "s-1", one.id), store.events.shown_count(BERT, one.id)) == (None, 0)
        assert [seen.recall_id for seen in store.events.shown(ANNE, other.id, 10)] == [recall_id]

    # Likeness

    def test_what_is_alike_comes_with_its_best_cosine_the_nearest_first(self, store: Store) -> None:
        pin(store)
        plane = unit_vectors(2)
        near, nearer = (turned(plane, cosine) for cosine in (0.9, 0.97))
        two_passages = keep(store, ANNE, "one", "other", vectors=_rows(plane[1], near))
        close = keep(store, ANNE, "close", vectors=_rows(nearer))
        keep(store, ANNE, "far", vectors=_rows(-plane[0]))
        (found,) = store.search.alike(BERT, plane[:1], ALL, NOW, 0.8, 10)
        assert [id_ for id_, _ in found] == [close.id, two_passages.id]
        assert [cosine for _, cosine in found] == pytest.approx([0.97, 0.9], abs=0.01)
        assert store.search.alike(BERT, plane[:1], ALL, NOW, 0.8, 1) == [found[:1]]
        assert store.search.alike(BERT, plane[:1], ALL, NOW, 0.95, 10) == [found[:1]]

    def test_each_row_has_its_own_answer(self, store: Store) -> None:
        pin(store)
        vectors = unit_vectors(3)
        kept = [keep(store, ANNE, f"text {place}", vectors=_rows(vector)) for place, vector in enumerate(vectors)]
        found = store.search.alike(ANNE, vectors[[2, 0]], ALL, NOW, 0.99, 10)
        assert [[id_ for id_, _ in row] for row in found] == [[kept[2].id], [kept[0].id]]
        assert store.search.alike(ANNE, vectors[:0], ALL, NOW, 0.99, 10) == []

    def test_without_a_vector_nothing_is_alike(self, store: Store) -> None:
        keep(store, ANNE, "one")
        pin(store)
        assert store.search.alike(ANNE, unit_vectors(2), ALL, NOW, -1.0, 10) == [[], []]

    def test_likeness_asks_for_what_the_filter_asks_for_and_what_holds(self, store: Store) -> None:
        pin(store)
        vector = unit_vectors(1)
        fact = keep(store, ANNE, "fact", vectors=vector)
        skill = keep(store, ANNE, "skill", vectors=vector, kind=Kind.SKILL, at=LATER)
        keep(store, ANNE, "over", vectors=vector, valid_until=START + 2 * DAY)
        keep(store, ANNE, "held back", vectors=vector, status=Status.QUARANTINED)

        def alike(wanted: MemoryFilter, moment: Moment = NOW) -> set[str]:
            return {id_ for row in store.search.alike(ANNE, vector, wanted, moment, 0.9, 10) for id_, _ in row}

        assert alike(ALL) == {fact.id, skill.id}
        assert alike(MemoryFilter(kinds=(Kind.SKILL,))) == {skill.id}
        assert skill.id not in alike(ALL, Moment(START, LATER - MICROSECOND))

    @every_audience
    def test_what_is_hidden_is_like_nothing(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        pin(store)
        vector = unit_vectors(1)
        keep(store, ANNE, "one", vectors=vector, **audience)
        found = shown(lambda scope: store.search.alike(scope, vector, ALL, NOW, 0.5, 10)[0])
        assert found == expected(audience)

    def test_hidden_memories_leave_room_for_what_may_be_seen(self, store: Store) -> None:
        pin(store)
        vector = unit_vectors(1)
        for number in range(20):
            keep(store, ANNE, f"mine {number}", vectors=vector, visibility=Visibility.PRIVATE)
        plain = keep(store, ANNE, "plain", vectors=vector)
        (found,) = store.search.alike(BERT, vector, ALL, NOW, 0.5, 1)
        assert [id_ for id_, _ in found] == [plain.id]

    def test_another_projects_memories_are_not_alike(self, store: Store) -> None:
        open_island(store)
        pin(store)
        vector = unit_vectors(1)
        keep(store, ANNE, "one", vectors=vector)
        with store.transaction(ISLAND, START):
            store.space.pin(ISLAND, store.space.pinned(ANNE))  # type: ignore[arg-type]
        assert store.search.alike(ISLAND, vector, ALL, NOW, 0.5, 10) == [[]]

    # Confidence and origin

    def test_confidence_is_told_as_it_was_known_with_when_it_was_last_referred_to(self, store: Store) -> None:
        memory = keep(store, ANNE, "one", confidence=0.6)
        second = START + DAY
        revise(store, ANNE, memory, Verb.CITE, second, confidence=0.65, referenced_at=second)
        revise(store, ANNE, memory, Verb.REVERIFY, START + 2 * DAY, confidence=0.65, referenced_at=second)

        def confidences(scope: Scope, ids: list[str], known_at: datetime) -> dict[str, tuple[float, datetime]]:
            found = store.memories.held(scope, ids, known_at)
            return {id_: (one.confidence, one.since) for id_, one in found.items()}

        assert confidences(BERT, [memory.id], START) == {memory.id: (0.6, memory.created_at)}
        assert confidences(BERT, [memory.id], NOW.known_at) == {memory.id: (0.65, second)}
        assert confidences(BERT, [memory.id], START - DAY) == {}
        assert confidences(BERT, [new_id("m", START)], NOW.known_at) == {}
        assert confidences(BERT, [], NOW.known_at) == {}

    def test_the_confidences_of_another_project_are_not_told(self, store: Store) -> None:
        open_island(store)
        memory = keep(store, ANNE, "one")
        assert store.memories.held(ISLAND, [memory.id], NOW.known_at) == {}

    def test_what_came_from_a_source_is_listed_in_order_of_id(self, store: Store) -> None:
        known = NOW.known_at
        web = [keep_from(store, ANNE, f"web {place}", WEB, at=START + place * DAY) for place in range(4)]
        keep_from(store, ANNE, "typed", Source.USER)
        listed = store.memories.from_source
        assert ids(listed(BERT, WEB, None, None, known, 10)) == sorted(ids(web))
        assert ids(listed(BERT, WEB, None, None, known, 2)) == sorted(ids(web))[:2]
        assert ids(listed(BERT, WEB, None, sorted(ids(web))[1], known, 10)) == sorted(ids(web))[2:]
        assert ids(listed(BERT, WEB, web[2].created_at, None, known, 10)) == sorted(ids(web[2:]))
        assert ids(listed(BERT, WEB, None, None, web[1].created_at, 10)) == sorted(ids(web[:2]))

    def test_what_was_forgotten_or_taken_back_is_not_listed_and_what_is_held_back_or_over_is(
        self, store: Store
    ) -> None:
        kept = {status: keep_from(store, ANNE, f"{status}", WEB, status=status) for status in Status}
        over = keep_from(store, ANNE, "over", WEB, valid_until=START + 2 * DAY)
        keep_from(store, ANNE, "taken back", WEB, retracted_at=START)
        found = ids(store.memories.from_source(ANNE, WEB, None, None, NOW.known_at, 20))
        there = (kept[Status.ACTIVE], kept[Status.QUARANTINED], kept[Status.ARCHIVED], over)
        assert found == sorted(ids(there))

    @every_audience
    def test_what_came_from_a_source_is_listed_for_whoever_may_see_it(
        self, store: Store, audience: dict[str, Any]
    ) -> None:
        register_all(store)
        keep_from(store, ANNE, "one", WEB, **audience)
        found = shown(lambda scope: store.memories.from_source(scope, WEB, None, None, NOW.known_at, 10))
        assert found == expected(audience)

    def test_what_came_from_a_source_in_another_project_is_not_listed(self, store: Store) -> None:
        open_island(store)
        keep_from(store, ANNE, "one", WEB)
        assert store.memories.from_source(ISLAND, WEB, None, None, NOW.known_at, 10) == []


def _rows(*vectors: Vectors) -> Vectors:
    return np.stack(vectors).astype(np.float32)
