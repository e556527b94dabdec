"""Walks over links: how a topic evolved, what followed from a memory, what bears on a question (L5, L6, L7)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import pairwise
from math import exp
from typing import Any

import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.errors import ModelUnavailable, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.memory import OutcomeResult
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.model.trace import Trace
from trigraph.settings import EmbedderSettings, LinkSettings, Settings


@contextmanager
def opened(clock: SettableClock, embedder: Embedder | None = None, automatic: str = "none") -> Iterator[Trigraph]:
    """Memory in which nothing is linked that the test did not link."""
    kind = EmbedderSettings(kind="none" if embedder is None else "pack")
    settings = Settings(embedder=kind, links=LinkSettings(automatic=automatic))
    with Trigraph(open_engine(settings, in_memory=True, clock=clock, embedder=embedder), LOCAL_SCOPE) as memory:
        yield memory


@pytest.fixture
def plain(clock: SettableClock) -> Iterator[Trigraph]:
    with opened(clock) as memory:
        yield memory


@pytest.fixture
def modelled(clock: SettableClock, embedder: Embedder) -> Iterator[Trigraph]:
    with opened(clock, embedder) as memory:
        yield memory


def kept(memory: Trigraph, text: str, **fields: Any) -> str:
    id = memory.remember(text, **fields).id
    assert id is not None
    return id


def depths(trace: Trace) -> dict[str, int]:
    found = {step.memory.id: step.depth for step in trace.steps}
    assert len(found) == len(trace.steps), "a memory is shown twice"
    return found


def decisions(memory: Trigraph, clock: SettableClock, count: int, topic: str = "Berth") -> list[str]:
    """Decisions a day apart, the oldest first, joined by nothing."""
    ids = []
    for number in range(count):
        ids.append(memory.decide(f"Moor at quay {number}", topic=topic).id)
        clock.advance(days=1)
    return ids


@pytest.mark.req("L5")
class TestEvolution:
    def test_a_chain_of_supersessions_is_followed_ten_deep(self, plain: Trigraph, clock: SettableClock) -> None:
        ids = [plain.decide("Moor at quay 0", topic="Berth").id]
        for number in range(1, 13):
            clock.advance(days=1)
            ids.append(plain.decide(f"Moor at quay {number}", topic="Berth", supersedes=ids[-1]).id)
        trace = plain.trace_evolution("berth")
        assert trace.start_id == ids[-1]
        assert depths(trace) == {id: depth for depth, id in enumerate(reversed(ids)) if depth <= 10}
        assert [step.via.type.value for step in trace.steps if step.via] == ["supersedes"] * 10
        assert not trace.truncated

    @pytest.mark.parametrize(("confidence", "followed"), [(1.0, True), (0.6, True), (0.59, False), (0.0, False)])
    @pytest.mark.parametrize("days", [0, 400])
    def test_its_threshold_asks_for_the_stored_confidence(
        self, plain: Trigraph, clock: SettableClock, confidence: float, followed: bool, days: int
    ) -> None:
        old, new = decisions(plain, clock, 2)
        plain.link(new, old, "relates_to", confidence=confidence)
        clock.advance(days=days)
        trace = plain.trace_evolution("Berth")
        assert depths(trace) == ({new: 0, old: 1} if followed else {new: 0})
        if followed:
            assert trace.steps[1].score == pytest.approx(confidence * exp(-0.05 * days), abs=1e-5)

    def test_same_topic_links_keep_the_chain_whole_for_years(self, clock: SettableClock) -> None:
        """0.6 against a limit of 0.6: decayed it would fail on the first day."""
        with opened(clock, automatic="topic") as memory:
            ids = decisions(memory, clock, 4)
            clock.advance(days=1000)
            assert set(depths(memory.trace_evolution("Berth"))) == set(ids)

    @pytest.mark.parametrize("type_", ["temporal", "implements", "contradicts", "derived_from"])
    def test_other_links_are_not_followed(self, plain: Trigraph, clock: SettableClock, type_: str) -> None:
        old, new = decisions(plain, clock, 2)
        plain.link(new, old, type_)
        assert depths(plain.trace_evolution("Berth")) == {new: 0}

    def test_it_goes_back_whatever_way_an_arrow_points(self, plain: Trigraph, clock: SettableClock) -> None:
        old, middle, new = decisions(plain, clock, 3)
        later = kept(plain, "The quay is wet")
        plain.link(middle, new, "relates_to")
        plain.link(old, middle, "relates_to")
        plain.link(new, later, "relates_to")
        assert depths(plain.trace_evolution("Berth")) == {new: 0, middle: 1, old: 2}

    def test_each_decision_says_what_implemented_it_and_what_came_of_it(
        self, plain: Trigraph, clock: SettableClock
    ) -> None:
        jwt = plain.decide("Use JWT for log-in", topic="auth").id
        clock.advance(days=1)
        done = plain.checkpoint("JWT middleware is deployed", implements=jwt).id
        clock.advance(days=1)
        outcome = plain.evolve(jwt, "FAILED", "tokens could not be revoked").id
        clock.advance(days=1)
        cookies = plain.decide("Use session cookies", topic="auth", supersedes=jwt).id
        clock.advance(days=30)
        first, second = plain.trace_evolution("auth").steps
        assert (first.memory.id, first.outcomes, first.implemented_by) == (cookies, (), ())
        assert second.memory.id == jwt
        assert [one.id for one in second.implemented_by] == [done]
        assert [(one.id, one.result, one.reason) for one in second.outcomes] == [
            (outcome, OutcomeResult.FAILED, "tokens could not be revoked")
        ]

    @pytest.mark.req("L9")
    def test_why_something_was_abandoned_is_told_by_recall(self, plain: Trigraph, clock: SettableClock) -> None:
        jwt = plain.decide("Use JWT for log-in", topic="auth", reasoning="no state to keep").id
        clock.advance(days=1)
        outcome = plain.evolve(jwt, "FAILED", "tokens could not be revoked").id
        clock.advance(days=1)
        cookies = plain.decide("Use session cookies for log-in", topic="auth", supersedes=jwt).id
        hits = {hit.memory.id: hit for hit in plain.recall("Why did we abandon JWT?").hits}
        assert (hits[jwt].staleness.superseded, hits[jwt].staleness.superseded_by) == (True, cookies)
        assert [(one.id, one.reason) for one in hits[jwt].outcomes] == [(outcome, "tokens could not be revoked")]

    def test_what_was_known_then_is_what_is_walked(self, plain: Trigraph, clock: SettableClock) -> None:
        old, new = decisions(plain, clock, 2)
        before = clock()
        clock.advance(hours=1)
        plain.link(new, old, "relates_to")
        assert depths(plain.trace_evolution("Berth", known_at=before)) == {new: 0}
        assert depths(plain.trace_evolution("Berth")) == {new: 0, old: 1}

    def test_a_topic_without_a_decision_is_not_found(self, plain: Trigraph) -> None:
        kept(plain, "The quay is wet", topic="Berth")
        with pytest.raises(NotFound):
            plain.trace_evolution("Berth")


@pytest.mark.req("L5")
class TestImpact:
    def test_it_goes_forward_five_deep(self, plain: Trigraph, clock: SettableClock) -> None:
        ids = []
        for number in range(8):
            ids.append(kept(plain, f"Step {number}"))
            clock.advance(hours=1)
        for one, other in pairwise(ids):
            plain.link(one, other, "temporal")
        trace = plain.trace_impact(ids[1])
        assert depths(trace) == {id: depth for depth, id in enumerate(ids[1:7])}
        assert not trace.truncated

    @pytest.mark.parametrize(
        ("gap", "reached"), [(timedelta(days=7), True), (timedelta(days=7, seconds=1), False), (timedelta(0), True)]
    )
    def test_within_seven_days_of_the_start(
        self, plain: Trigraph, clock: SettableClock, gap: timedelta, reached: bool
    ) -> None:
        at = clock() - timedelta(days=30)
        one = kept(plain, "The gate opened", occurred_at=at.isoformat())
        other = kept(plain, "The crowd came", occurred_at=(at + gap).isoformat())
        plain.link(one, other, "temporal")
        assert depths(plain.trace_impact(one)) == ({one: 0, other: 1} if reached else {one: 0})

    def test_what_implements_it_and_what_came_of_it_followed_from_it(
        self, plain: Trigraph, clock: SettableClock
    ) -> None:
        decided = plain.decide("Moor at the quay", topic="Berth").id
        clock.advance(days=1)
        done = plain.checkpoint("The quay is ready", implements=decided).id
        clock.advance(days=1)
        outcome = plain.evolve(done, "SUCCESS", "it is dry").id
        assert depths(plain.trace_impact(decided)) == {decided: 0, done: 1, outcome: 2}
        assert depths(plain.trace_impact(outcome)) == {outcome: 0}

    @pytest.mark.parametrize("type_", ["relates_to", "contradicts", "derived_from", "duplicate_of"])
    def test_other_links_are_not_followed(self, plain: Trigraph, clock: SettableClock, type_: str) -> None:
        one = kept(plain, "The gate opened")
        clock.advance(hours=1)
        plain.link(one, kept(plain, "The crowd came"), type_)
        assert depths(plain.trace_impact(one)) == {one: 0}

    def test_confidence_is_no_threshold_here_and_age_only_ranks(self, plain: Trigraph, clock: SettableClock) -> None:
        one, weak, strong = (kept(plain, text) for text in ("The gate opened", "A dog came", "The crowd came"))
        plain.link(one, weak, "temporal", confidence=0.01)
        plain.link(one, strong, "temporal", confidence=0.9)
        clock.advance(days=50)
        steps = plain.trace_impact(one).steps
        assert [step.memory.id for step in steps] == [one, strong, weak]
        assert steps[1].score == pytest.approx(0.9 * exp(-0.1 * 50), abs=1e-5)

    def test_what_is_not_there_and_what_may_not_be_seen_are_answered_alike(self, plain: Trigraph) -> None:
        plain.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
        secret = kept(Trigraph(plain.engine, Scope("default", "default", "bob")), "The code", visibility="private")
        told = []
        for id in (secret, "m_" + "7" * 26):
            with pytest.raises(NotFound) as error:
                plain.trace_impact(id)
            told.append(str(error.value).replace(id, "…"))
        assert told[0] == told[1]


@pytest.mark.req("L7")
@pytest.mark.req("S6")
def test_no_walk_goes_through_what_may_not_be_seen(plain: Trigraph, clock: SettableClock) -> None:
    plain.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    bob = Trigraph(plain.engine, Scope("default", "default", "bob"))
    one = kept(plain, "The gate opened")
    clock.advance(hours=1)
    secret = kept(bob, "A bribe was paid", visibility="private")
    clock.advance(hours=1)
    last = kept(plain, "The crowd came")
    bob.link(one, secret, "temporal")
    bob.link(secret, last, "temporal")
    assert depths(bob.trace_impact(one)) == {one: 0, secret: 1, last: 2}
    assert depths(plain.trace_impact(one)) == {one: 0}


@pytest.mark.req("L7")
class TestBudget:
    def test_a_circle_ends(self, plain: Trigraph, clock: SettableClock) -> None:
        ids = [kept(plain, f"Step {number}") for number in range(4)]
        for one, other in zip(ids, [*ids[1:], ids[0]], strict=True):
            plain.link(one, other, "temporal")
        assert set(depths(plain.trace_impact(ids[0]))) <= set(ids)

    @pytest.mark.parametrize(("neighbours", "truncated"), [(199, False), (200, True), (230, True)])
    def test_at_200_memories_it_ends_and_says_so(
        self, plain: Trigraph, clock: SettableClock, neighbours: int, truncated: bool
    ) -> None:
        hub = kept(plain, "The gate opened")
        clock.advance(hours=1)
        report = plain.remember_batch([f"Visitor {number} came" for number in range(neighbours)])
        for item in report.items:
            plain.link(hub, str(item.id), "temporal")
        trace = plain.trace_impact(hub)
        assert trace.truncated is truncated
        assert len(depths(trace)) == min(neighbours + 1, 200)


QUESTION = "When does the ferry leave the harbour?"
ANSWER = "The ferry leaves the harbour at nine"


@pytest.mark.req("L5")
class TestContext:
    def similarity(self, embedder: Embedder, text: str) -> float:
        return float(embedder.embed_query(QUESTION) @ embedder.embed_documents([text])[0])

    def test_what_is_linked_to_the_memory_at_hand_counts_half_as_much_again(
        self, modelled: Trigraph, embedder: Embedder
    ) -> None:
        """Two links off at most, each of a stored confidence of 0.5 or more."""
        towns = {"one": "Aberdeen", "two": "Bristol", "three": "Cardiff", "weak": "Dover", "none": "Exeter"}
        texts = {hop: f"{ANSWER} in {town}" for hop, town in towns.items()}
        start = kept(modelled, "We look at timetables")
        ids = {hop: kept(modelled, text) for hop, text in texts.items()}
        modelled.link(start, ids["one"], "relates_to", confidence=0.5)
        modelled.link(ids["two"], ids["one"], "contradicts", confidence=0.5)
        modelled.link(ids["two"], ids["three"], "temporal", confidence=1.0)
        modelled.link(start, ids["weak"], "relates_to", confidence=0.49)
        trace = modelled.trace_context(QUESTION, start)
        scores = {step.memory.id: step.score for step in trace.steps}
        assert start not in scores
        for hop, factor in {"one": 1.5, "two": 1.5, "three": 1.0, "weak": 1.0, "none": 1.0}.items():
            likeness = self.similarity(embedder, texts[hop])
            assert likeness >= 0.7
            assert scores[ids[hop]] == pytest.approx(factor * likeness, abs=4e-3), hop
        assert {step.memory.id: step.depth for step in trace.steps if step.depth} == {ids["one"]: 1, ids["two"]: 2}
        assert [step.score for step in trace.steps] == sorted(scores.values(), reverse=True)

    def test_what_is_not_alike_is_not_shown_though_it_is_linked(self, modelled: Trigraph, embedder: Embedder) -> None:
        start = kept(modelled, "We look at timetables")
        near, far = kept(modelled, ANSWER), kept(modelled, "Copper prices fell in Peru")
        modelled.link(start, far, "relates_to")
        assert self.similarity(embedder, "Copper prices fell in Peru") < 0.7
        assert [step.memory.id for step in modelled.trace_context(QUESTION, start).steps] == [near]

    def test_the_twenty_best_are_shown(self, modelled: Trigraph) -> None:
        start = kept(modelled, "We look at timetables")
        modelled.remember_batch([f"{ANSWER} on line {number}" for number in range(30)])
        assert len(modelled.trace_context(QUESTION, start).steps) == 20

    def test_without_a_model_it_says_so(self, plain: Trigraph) -> None:
        with pytest.raises(ModelUnavailable):
            plain.trace_context(QUESTION, kept(plain, ANSWER))
