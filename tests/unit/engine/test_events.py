"""Every recall leaves one event, from which its fusion can be computed again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from statistics import fmean, pstdev

import pytest

from trigraph.errors import InvalidInput
from trigraph.faces.library import Trigraph
from trigraph.model.events import RecallEvent
from trigraph.model.query import Leg, QueryClass
from trigraph.model.recall import LegStatus, Recall
from trigraph.ranking.profiles import PROFILES

pytestmark = pytest.mark.req("T12")

TEXTS = (
    "Postgres 16 holds the billing tables",
    "The billing service writes invoices at midnight",
    "Redis keeps sessions for two hours",
    "Invoices are numbered by year and month",
    "Ana prefers tabs over spaces",
    "The database password lives in the vault",
)
THREAD = (
    {"speaker": "Ana", "text": "Which database do we use for billing?"},
    {"speaker": "Ben", "text": "Still the old elephant."},
    {"speaker": "Ana", "text": "Good, then the invoices stay where they are."},
)


@pytest.fixture
def filled(memory: Trigraph) -> Trigraph:
    memory.remember_batch(TEXTS)
    memory.remember_thread(THREAD)
    return memory


def test_a_recall_writes_exactly_one_event(filled: Trigraph) -> None:
    assert filled.stats().recalls == 0

    first = filled.recall("billing database")
    assert filled.stats().recalls == 1

    second = filled.recall("billing database")
    assert filled.stats().recalls == 2
    assert first.id != second.id
    assert first.event_written


def test_a_recall_that_finds_nothing_writes_its_event_too(memory: Trigraph) -> None:
    event = _event(memory, memory.recall("anything at all"))

    assert (event.result_count, event.result_ids, event.candidates) == (0, (), ())
    assert memory.stats().recalls == 1


@pytest.mark.parametrize(
    "asked", [{"query": " "}, {"query": "x", "limit": 0}, {"query": "x", "profile": "best"}], ids=str
)
def test_a_recall_that_is_refused_writes_no_event(filled: Trigraph, asked: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        filled.recall(**asked)  # type: ignore[arg-type]

    assert filled.stats().recalls == 0


def test_an_event_says_who_asked_what_and_when(filled: Trigraph) -> None:
    event = _event(filled, filled.recall("why did we choose Redis?", session="s-7"))

    assert (event.tenant, event.project, event.agent) == ("default", "default", "default")
    assert event.session == "s-7"
    assert event.query == "why did we choose Redis?"
    assert event.query_class is QueryClass.DECISION
    assert (event.profile, event.fusion) == ("default", "learned")
    assert event.at == datetime(2026, 9, 1, 12, tzinfo=UTC)


def test_an_event_says_what_was_answered(filled: Trigraph) -> None:
    answer = filled.recall("Redis sessions", limit=1)
    event = _event(filled, answer)

    assert (event.result_count, event.top_n_selected) == (1, 1)
    assert event.result_ids == (answer.hits[0].memory.id,)
    assert answer.hits[0].memory.text == "Redis keeps sessions for two hours"
    assert event.payload_bytes == 34


def test_an_event_tells_what_was_found_from_what_the_budget_let_through(filled: Trigraph) -> None:
    answer = filled.recall("billing invoices", limit=5, budget_tokens=30)
    event = _event(filled, answer)

    assert event.result_count == 5
    assert event.top_n_selected == len(event.result_ids) == 1
    assert answer.left_out == 4


def test_an_event_has_weights_and_legs(filled: Trigraph) -> None:
    answer = filled.recall("billing database")
    event = _event(filled, answer)

    assert event.weights == {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0, Leg.GRAPH: 8.0, Leg.TEMPORAL: 1.0}
    assert event.legs == answer.legs
    counts = {report.leg: (report.status, report.count) for report in event.legs}
    assert counts[Leg.VECTOR] == (LegStatus.OK, 9)
    assert counts[Leg.LEXICAL] == (LegStatus.OK, 4)
    assert counts[Leg.GRAPH] == (LegStatus.NOT_APPLICABLE, 0)
    assert all(report.milliseconds >= 0 for report in event.legs)
    assert event.milliseconds == answer.milliseconds > 0


def test_an_event_says_what_brought_each_candidate(filled: Trigraph) -> None:
    event = _event(filled, filled.recall("Redis", profile="rrf"))
    redis = filled.list(limit=50)
    ids = {memory.text: memory.id for memory in redis.memories}
    brought = {candidate.memory_id: candidate.brought_by for candidate in event.candidates}

    assert brought[ids["Redis keeps sessions for two hours"]] == ("vector", "lexical")
    assert brought[ids["Ana prefers tabs over spaces"]] == ("vector",)
    scored = {candidate.memory_id: set(candidate.scores) for candidate in event.candidates}
    assert scored[ids["Ana prefers tabs over spaces"]] == {Leg.VECTOR}


def test_an_event_belongs_to_the_agent_that_asked(filled: Trigraph) -> None:
    from trigraph.model.scope import Scope

    answer = filled.recall("billing")
    other = Trigraph(filled.engine, Scope("default", "default", "someone-else"))

    assert other.recall_event(answer.id) is None
    assert other.stats().recalls == 0
    assert filled.recall_event("r_00000000000000000000000000") is None


@pytest.mark.parametrize("profile", ["plain", "lexical", "vector", "rrf"])
def test_score_fusion_can_be_computed_again_from_the_event(filled: Trigraph, profile: str) -> None:
    answer = filled.recall("which database holds the billing invoices", profile=profile, fusion="score")

    _check_fused_again(filled, answer)


@pytest.mark.parametrize("profile", ["plain", "lexical", "vector", "rrf"])
def test_rank_fusion_can_be_computed_again_from_the_event(memory: Trigraph, profile: str) -> None:
    memory.remember_batch(["Vault", "Redis caches", "Kafka carries events", "Postgres holds billing tables"])
    answer = memory.recall("Vault Redis Kafka Postgres", profile=profile, fusion="rrf")

    for leg in {leg for hit in answer.hits for leg in hit.legs}:
        different = len({hit.legs[leg].raw for hit in answer.hits})
        assert different == (1 if leg is Leg.TEMPORAL else 4), "other ties are for another test"
    _check_fused_again(memory, answer)


@pytest.mark.parametrize(("profile", "fusion"), [("plain", "score"), ("rrf", "score"), ("rrf", "rrf")])
def test_a_leg_that_found_nothing_keeps_its_weight_when_fused_again(
    filled: Trigraph, profile: str, fusion: str
) -> None:
    answer = filled.recall("zebra", profile=profile, fusion=fusion)

    assert [report.count for report in answer.legs if report.leg is Leg.LEXICAL] == [0]
    _check_fused_again(filled, answer)


@pytest.mark.parametrize("profile", ["plain", "rrf"])
@pytest.mark.parametrize("query", ["which database holds the billing invoices", "a cat was chased"])
def test_rank_fusion_can_be_computed_again_where_scores_are_equal(filled: Trigraph, query: str, profile: str) -> None:
    filled.remember_batch(["the dog chased the cat", "the cat chased the dog", "the dog the cat chased"])

    _check_fused_again(filled, filled.recall(query, profile=profile, fusion="rrf", limit=50))


def test_the_fusion_can_be_computed_again_for_a_document_of_many_passages(filled: Trigraph) -> None:
    sections = [f"## Part {number}\n\n" + f"Part {number} of billing. " * 30 for number in range(6)]
    filled.remember("# Handbook\n\n" + "\n\n".join(sections), kind="document")
    answer = filled.recall("billing part 3", profile="plain", limit=50)

    assert len(_event(filled, answer).candidates) > len(answer.hits)
    _check_fused_again(filled, answer)


def _check_fused_again(memory: Trigraph, answer: Recall) -> None:
    again = _fused_again(_event(memory, answer))
    assert len(again) > 1
    assert [memory_id for memory_id, _ in again] == [hit.memory.id for hit in answer.hits]
    assert [score for _, score in again] == pytest.approx([hit.score for hit in answer.hits], abs=1e-6)


@pytest.mark.parametrize("query", ["which database holds the billing invoices", "why did Ana ask about billing?"])
def test_a_learned_order_can_be_computed_again_from_the_event(filled: Trigraph, query: str) -> None:
    as_fused = replace(PROFILES["default"], diversity=0.0, confidence_floor=1.0)

    answer = filled.recall(query, profile=as_fused, limit=50)

    assert answer.plan.fusion == "learned"
    _check_fused_again(filled, answer)


LIKENESS = ("vector", "lexical")


def _event(memory: Trigraph, answer: Recall) -> RecallEvent:
    event = memory.recall_event(answer.id)
    assert event is not None
    return event


def _fused_again(event: RecallEvent) -> list[tuple[str, float]]:
    """(memory, score), best first: from what the event holds and nothing else, by plain arithmetic."""
    by_rank = event.fusion == "rrf"
    evidence = [leg for leg in ("graph", "temporal") if any(leg in one.scores for one in event.candidates)]
    alike = [one.leg for one in event.legs if one.status in (LegStatus.OK, LegStatus.SLOW) and one.leg in LIKENESS]
    alike += evidence if by_rank else []
    normalise = _reciprocal_ranks if by_rank else _z_scores
    columns = {leg: normalise([one.scores.get(leg) for one in event.candidates]) for leg in alike}
    weights: dict[str, float] = dict(event.weights)
    if any(one.likeness is not None for one in event.candidates):
        alike, weights["model"] = ["model"], 1.0
        columns["model"] = _z_scores([one.likeness for one in event.candidates])
    total = sum(weights[leg] for leg in alike)
    weighed = [sum(event.weights[leg] * one.scores.get(leg, 0.0) for leg in evidence) for one in event.candidates]
    most = max(weighed, default=0.0)
    reached = [row for row, one in enumerate(event.candidates) if one.scores.get("graph", 0.0) > 0]
    likest = max(reached, key=lambda row: sum(weights[leg] * columns[leg][row] for leg in alike), default=None)
    best: dict[str, float] = {}
    for row, candidate in enumerate(event.candidates):
        score = sum(weights[leg] * columns[leg][row] for leg in alike) / total
        if not by_rank:
            score += most if row == likest else weighed[row]
        best[candidate.memory_id] = max(score, best.get(candidate.memory_id, score))
    return sorted(best.items(), key=lambda item: -item[1])


def _z_scores(scores: Sequence[float | None]) -> list[float]:
    found = [score for score in scores if score is not None]
    filled = [min(found) if score is None else score for score in scores] if found else [0.0] * len(scores)
    spread = pstdev(filled) if filled else 0.0
    return [(score - fmean(filled)) / spread if spread else 0.0 for score in filled]


def _reciprocal_ranks(scores: Sequence[float | None]) -> list[float]:
    """By rank, counted from 1; equal scores share a rank, for nothing tells which of them is better."""
    found = [score for score in scores if score is not None]
    return [0.0 if score is None else 1 / (61 + sum(other > score for other in found)) for score in scores]
