"""The temporal leg (T10): recency as a small thing among equals, windows as a soft boost, weights as settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from math import exp
from typing import Any

import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.errors import ConfigError
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.query import Fusion, Leg, QueryClass
from trigraph.model.recall import LegReport, LegStatus, Recall
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, LinkSettings, RecallSettings, Settings

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
FILLING = [f"Barge {number} carries gravel to the island" for number in range(12)]
"""So that the two in question are no whole store."""


@contextmanager
def opened(embedder: Embedder | None = None, weights: str = "") -> Iterator[Trigraph]:
    settings = Settings(
        embedder=EmbedderSettings(kind="none" if embedder is None else "pack"),
        recall=RecallSettings(weights=weights),
        links=LinkSettings(automatic="none"),
    )
    engine = open_engine(settings, in_memory=True, clock=SettableClock(NOW), embedder=embedder)
    with Trigraph(engine, LOCAL_SCOPE) as memory:
        yield memory


@pytest.fixture
def plain() -> Iterator[Trigraph]:
    with opened() as memory:
        yield memory


def kept(memory: Trigraph, text: str, days_ago: float | None = None, **fields: Any) -> str:
    if days_ago is not None:
        fields["occurred_at"] = (NOW - timedelta(days=days_ago)).isoformat()
    id = memory.remember(text, **fields).id
    assert id is not None
    return id


def order(answer: Recall) -> list[str]:
    return [hit.memory.id for hit in answer.hits]


def temporal(answer: Recall) -> LegReport:
    return next(report for report in answer.legs if report.leg is Leg.TEMPORAL)


@pytest.mark.req("T10")
class TestRecency:
    @pytest.mark.parametrize("swapped", [False, True])
    @pytest.mark.parametrize("profile", [None, "equal"])
    @pytest.mark.parametrize("with_model", [False, True])
    def test_of_two_alike_the_newer_ranks_above_the_older(
        self, embedder: Embedder, with_model: bool, profile: str | None, swapped: bool
    ) -> None:
        """One text, so that vector and words are equal; of two kinds, so that both are kept, either way round."""
        kinds = ("insight", "fact") if swapped else ("fact", "insight")
        with opened(embedder if with_model else None) as memory:
            memory.remember_batch(FILLING)
            ages = ((180, kinds[0]), (30, kinds[1]))
            ids = {
                age: kept(memory, "The pump in hall 3 leaks oil", age, kind=kind)
                for age, kind in (reversed(ages) if swapped else ages)
            }
            hits = memory.recall("which pump leaks oil", profile=profile, limit=50).hits
            place = {hit.memory.id: hit for hit in hits}
            new, old = place[ids[30]], place[ids[180]]
            for leg in (Leg.LEXICAL, Leg.VECTOR) if with_model else (Leg.LEXICAL,):
                assert new.legs[leg].raw == pytest.approx(old.legs[leg].raw, rel=1e-6)
            assert new.score > old.score
            assert new.rank < old.rank
            if profile is None:
                assert (new.rank, old.rank) == (1, 2)

    @pytest.mark.parametrize(
        ("days", "score"), [(0, 1.0), (30, exp(-30 / 180)), (125, 0.5), (180, 1 / 2.718281828), (720, exp(-4))]
    )
    def test_it_is_always_reported(self, plain: Trigraph, days: int, score: float) -> None:
        kept(plain, "The pump leaks oil", days)
        for profile in (None, "lexical"):
            (hit,) = plain.recall("pump", profile=profile).hits
            assert hit.staleness.temporal_score == pytest.approx(score, abs=6e-4)
            assert hit.staleness.age_days == pytest.approx(days, abs=0.01)

    @pytest.mark.parametrize("profile", [None, "equal"])
    def test_alone_it_finds_nothing(self, plain: Trigraph, profile: str | None) -> None:
        """The newest memory is no answer to every question."""
        wanted = kept(plain, "The pump leaks oil", 400)
        kept(plain, "Tea is served at five", 0)
        answer = plain.recall("pump", profile=profile)
        assert order(answer) == [wanted]
        assert (temporal(answer).status, temporal(answer).count) == (LegStatus.NOT_APPLICABLE, 0)

    def test_it_overturns_no_better_match(self, plain: Trigraph) -> None:
        plain.remember_batch(FILLING)
        best = kept(plain, "The pump in hall 3 leaks oil", 700)
        kept(plain, "Somebody mentioned that a pump was blue, and then we had tea and cake for hours", 0)
        assert order(plain.recall("the pump in hall 3 leaks oil"))[0] == best

    def test_it_counts_more_where_the_present_is_asked_for(self, plain: Trigraph) -> None:
        kept(plain, "The pump leaks oil", 30)
        now, ever = plain.recall("what is the current state of the pump").plan, plain.recall("pump oil").plan
        assert now.query_class is QueryClass.CURRENT_STATE
        assert ever.query_class is not QueryClass.CURRENT_STATE
        assert now.recency > ever.recency > 0

    def test_as_of_it_counts_from_then(self, plain: Trigraph) -> None:
        kept(plain, "The pump leaks oil", 200)
        (hit,) = plain.recall("pump", as_of=(NOW - timedelta(days=190)).isoformat()).hits
        assert hit.staleness.temporal_score == pytest.approx(exp(-10 / 180), abs=1e-3)


@pytest.mark.req("T10")
class TestEqual:
    def test_the_profile_is_four_equal_legs_by_reciprocal_ranks(self, plain: Trigraph) -> None:
        kept(plain, "The pump leaks oil", 30)
        plan = plain.recall("pump", profile="equal").plan
        assert plan.weights == {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0, Leg.GRAPH: 1.0, Leg.TEMPORAL: 1.0}
        assert plan.fusion is Fusion.RRF

    def test_recency_is_a_leg_of_its_own_over_what_the_others_found(self, plain: Trigraph) -> None:
        """Ranks 1 and 2 by words, 2 and 1 by age: equal. A second word's worth of rank decides it elsewhere."""
        old, new = kept(plain, "pump pump oil", 300), kept(plain, "pump and a long tale of other things", 3)
        kept(plain, "Tea is served at five", 0)
        hits = {hit.memory.id: hit for hit in plain.recall("pump", profile="equal").hits}
        assert set(hits) == {old, new}
        assert (hits[old].legs[Leg.LEXICAL].rank, hits[new].legs[Leg.LEXICAL].rank) == (1, 2)
        assert (hits[old].legs[Leg.TEMPORAL].rank, hits[new].legs[Leg.TEMPORAL].rank) == (2, 1)
        assert hits[old].score == pytest.approx(hits[new].score)


@pytest.mark.req("T10")
class TestWindow:
    def test_a_window_is_a_boost_and_never_a_filter(self, plain: Trigraph) -> None:
        in_may = kept(plain, "The pump in hall 3 was mended", occurred_at="2026-05-12")
        in_july = kept(plain, "The pump in hall 4 was mended", occurred_at="2026-07-20")
        long_ago = kept(plain, "The pump in hall 5 was mended", occurred_at="2021-02-01")
        asked = plain.recall("which pump was mended in May 2026")
        assert order(asked)[0] == in_may
        assert set(order(asked)) == {in_may, in_july, long_ago}
        assert "from that time: in May 2026" in asked.hits[0].why or "from that time: May 2026" in asked.hits[0].why
        assert all("from that time" not in hit.why for hit in asked.hits[1:])
        assert (temporal(asked).status, temporal(asked).count) == (LegStatus.OK, 1)
        assert order(plain.recall("which pump was mended"))[0] == in_july

    def test_it_overturns_no_far_better_match(self, plain: Trigraph) -> None:
        plain.remember_batch(FILLING)
        best = kept(plain, "The pump in hall 3 was mended with the blue sealing ring", occurred_at="2026-07-20")
        kept(plain, "We had cake, and a pump was seen", occurred_at="2026-05-12")
        assert order(plain.recall("pump in hall 3 mended with blue sealing ring in May 2026"))[0] == best

    def test_it_brings_what_the_words_alone_ranked_too_low(self, plain: Trigraph) -> None:
        plain.remember_batch([f"The pump pump number {number} was mended in a hurry" for number in range(150)])
        in_may = kept(
            plain, "Somebody said late at night that a pump would be looked at again", occurred_at="2026-05-12"
        )
        assert in_may not in order(plain.recall("pump"))
        assert in_may in order(plain.recall("pump in May 2026"))

    def test_the_day_before_the_window_counts_more_than_the_year_before(self, plain: Trigraph) -> None:
        far = kept(plain, "The pump in hall 3 was mended", occurred_at="2024-05-12")
        near = kept(plain, "The pump in hall 4 was mended", occurred_at="2026-04-29")
        hits = {hit.memory.id: hit for hit in plain.recall("pump mended in May 2026").hits}
        assert hits[near].legs[Leg.TEMPORAL].raw > hits[far].legs[Leg.TEMPORAL].raw
        assert hits[near].rank == 1

    def test_a_time_told_by_an_event_is_found_by_a_memory_that_tells_of_it(self, plain: Trigraph) -> None:
        kept(plain, "The launch of the new ferry went well", occurred_at="2026-06-15")
        painted = kept(plain, "The hull was painted green", occurred_at="2026-06-01")
        again = kept(plain, "The hull was painted white", occurred_at="2026-08-20")
        before = plain.recall("what was painted two weeks before the launch?")
        assert order(before).index(painted) < order(before).index(again)
        assert temporal(before).status is LegStatus.OK
        assert "from that time" in next(hit for hit in before.hits if hit.memory.id == painted).why
        plainly = order(plain.recall("what was painted?"))
        assert plainly.index(again) < plainly.index(painted)

    def test_after_an_event_as_well(self, plain: Trigraph) -> None:
        kept(plain, "The launch of the new ferry went well", occurred_at="2026-04-15")
        after = kept(plain, "The hull was painted green", occurred_at="2026-04-29")
        kept(plain, "The hull was painted white", occurred_at="2026-08-20")
        kept(plain, "The hull was painted black", occurred_at="2026-04-01")
        answer = plain.recall("what was painted two weeks after the launch?")
        assert next(id for id in order(answer) if "painted" in plain.get(id).text) == after

    def test_an_event_that_no_memory_tells_of_is_no_window(self, plain: Trigraph) -> None:
        kept(plain, "The hull was painted green", occurred_at="2026-06-01")
        answer = plain.recall("what was painted two weeks before the regatta?")
        assert temporal(answer).status is LegStatus.NOT_APPLICABLE
        assert len(answer.hits) == 1

    def test_an_event_that_only_others_may_know_of_is_none(self, plain: Trigraph) -> None:
        plain.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
        bob = Trigraph(plain.engine, Scope("default", "default", "bob"))
        kept(bob, "The launch of the new ferry went well", occurred_at="2026-06-15", visibility="private")
        kept(plain, "The hull was painted green", occurred_at="2026-06-01")
        query = "what was painted two weeks before the launch?"
        assert temporal(plain.recall(query)).status is LegStatus.NOT_APPLICABLE
        assert temporal(bob.recall(query)).status is LegStatus.OK


@pytest.mark.req("T10")
class TestWeights:
    def test_they_can_be_set_for_a_class_of_queries(self) -> None:
        with opened(weights="current_state.recency=0.9, historical.temporal=0.25 graph=2") as memory:
            kept(memory, "The pump leaks oil", 30)
            now = memory.recall("what is the current state of the pump").plan
            then = memory.recall("what happened to the pump back then").plan
            ever = memory.recall("pump oil").plan
            assert (now.query_class, then.query_class) == (QueryClass.CURRENT_STATE, QueryClass.HISTORICAL)
            assert (now.recency, now.weights[Leg.GRAPH]) == (0.9, 2.0)
            assert (then.weights[Leg.TEMPORAL], then.weights[Leg.GRAPH]) == (0.25, 2.0)
            assert ever.weights[Leg.TEMPORAL] != 0.25
            assert ever.recency < 0.9

    def test_they_change_the_order(self) -> None:
        """An old memory that fits better against a new one: only a heavy recency turns them round, in its class."""
        for weights, first in (("", "old"), ("current_state.recency=50", "new"), ("historical.recency=50", "old")):
            with opened(weights=weights) as memory:
                memory.remember_batch(FILLING)
                ids = {
                    "old": kept(memory, "The pump state: the pump leaks oil in hall 3", 800),
                    "new": kept(memory, "The state of things is good, and a pump was seen by someone", 1),
                }
                hits = order(memory.recall("what is the current state of the pump in hall 3"))
                assert hits[0] == ids[first], weights

    def test_with_a_weight_of_nothing_age_says_nothing(self) -> None:
        with opened(weights="recency=0") as memory:
            kept(memory, "The pump in hall 3 leaks oil", 180, kind="fact")
            kept(memory, "The pump in hall 3 leaks oil", 30, kind="insight")
            first, second = memory.recall("which pump leaks oil").hits
            assert first.score == second.score

    @pytest.mark.parametrize("weights", ["recent=1", "graph", "someday.graph=1", "graph=-1", "graph=much"])
    def test_what_is_not_understood_is_an_error(self, weights: str) -> None:
        with pytest.raises(ConfigError) as error, opened(weights=weights):
            pass
        assert "recency" in str(error.value.fix)
        assert "current_state" in str(error.value.fix)

    def test_another_profile_keeps_its_own(self) -> None:
        with opened(weights="graph=2 recency=7") as memory:
            kept(memory, "The pump leaks oil", 30)
            plan = memory.recall("pump", profile="equal").plan
            assert (plan.weights[Leg.GRAPH], plan.recency) == (1.0, 1.0)
