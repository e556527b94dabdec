"""What recall answers, and what it says of its answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trigraph.assembly import open_engine
from trigraph.errors import InvalidInput
from trigraph.faces.library import Trigraph
from trigraph.model.query import Fusion, Leg, QueryClass
from trigraph.model.recall import LegReport, LegStatus, Recall
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.ranking.order import LIKENESS, shipped
from trigraph.ranking.profiles import RECENCY
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

COLOURS = (
    {"speaker": "Ana", "text": "We still have to agree on the paint for the office walls."},
    {"speaker": "Ben", "text": "Which shade would suit everybody?"},
    {"speaker": "Ana", "text": "Something like teal, I suppose."},
    {"speaker": "Ben", "text": "Fine. Lunch?"},
    {"speaker": "Ana", "text": "Yes, soup."},
    {"speaker": "Ben", "text": "Meet you downstairs."},
)


@pytest.fixture
def without_model(home: Path, clock: SettableClock) -> Iterator[Trigraph]:
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings, clock=clock), LOCAL_SCOPE) as opened:
        yield opened


class TestExactMatches:
    def test_a_query_that_is_an_id_finds_that_memory_first(self, memory: Trigraph) -> None:
        wanted = memory.remember("Tea is served at four").id
        memory.remember_batch(["m is a letter", "Coffee is served at nine"])
        assert wanted is not None

        for query in (wanted, wanted.upper(), wanted[-8:], f" {wanted[-12:]} "):
            hit = memory.recall(query).hits[0]
            assert (hit.memory.id, hit.rank) == (wanted, 1)
            assert hit.why.startswith("exactly this id")

    @pytest.mark.parametrize("query", ["release-plan", "Release Plan", "RELEASE_PLAN", "  release  plan "])
    def test_a_query_that_is_a_topic_finds_that_memory_first(self, memory: Trigraph, query: str) -> None:
        memory.remember_batch(["The release plan has a plan for every release", "A plan to release the release plan"])
        memory.remember("Freeze on Monday, ship on Friday", topic="Release-Plan")

        first, second, *_ = memory.recall(query).hits
        assert first.memory.text == "Freeze on Monday, ship on Friday"
        assert first.why.startswith("exactly this topic")
        assert first.score > second.score

    def test_more_than_the_topic_is_not_the_topic(self, memory: Trigraph) -> None:
        memory.remember("Freeze on Monday, ship on Friday", topic="release-plan")

        assert "exactly" not in memory.recall("release-plan please").hits[0].why

    def test_a_topic_outside_the_filter_is_not_found(self, memory: Trigraph) -> None:
        memory.remember("Freeze on Monday, ship on Friday", topic="release-plan", kind="decision")

        assert memory.recall("release-plan", kinds=["fact"]).hits == ()

    def test_an_id_outside_the_filter_is_not_found(self, memory: Trigraph) -> None:
        tea = memory.remember("Tea is served at four").id
        assert tea is not None

        assert memory.recall(tea, kinds=["decision"]).hits == ()


class TestBudget:
    def test_hits_are_packed_from_the_top_and_the_rest_is_counted(self, memory: Trigraph) -> None:
        # 40 bytes are 10 tokens, and a hit costs 12 beside its text: two hits take 44.
        memory.remember_batch([f"Ship number {number} sails from Genoa at noon"[:40] for number in range(10, 15)])

        for budget, kept in ((44, 2), (65, 2), (66, 3)):
            answer = memory.recall("ship Genoa", budget_tokens=budget)
            assert (len(answer.hits), answer.left_out) == (kept, 5 - kept)

    def test_without_a_budget_nothing_is_left_out(self, memory: Trigraph) -> None:
        memory.remember_batch(["Ships sail", "Boats sail"])

        assert (len(memory.recall("sail").hits), memory.recall("sail").left_out) == (2, 0)

    def test_the_first_hit_is_shortened_when_the_budget_is_tiny(self, memory: Trigraph) -> None:
        memory.remember("The ship sails from Genoa at noon, whatever the weather may be on that day")

        (hit,) = memory.recall("ship", budget_tokens=20).hits
        assert hit.excerpt.text.startswith("The ship sails")
        assert hit.excerpt.text.endswith("…")
        assert len(hit.excerpt.text.encode()) <= 8 * 4
        assert hit.memory.text.endswith("on that day")

    def test_even_a_budget_of_one_token_names_the_best_memory(self, memory: Trigraph) -> None:
        best = memory.remember("The ship sails from Genoa").id
        memory.remember("Bread is baked at dawn")

        answer = memory.recall("ship", budget_tokens=1)
        assert [(hit.memory.id, hit.excerpt.text) for hit in answer.hits] == [(best, "T…")]
        assert answer.left_out == 1

    @pytest.mark.parametrize("asked", [{"limit": 0}, {"limit": 1001}, {"budget_tokens": 0}], ids=str)
    def test_a_limit_or_budget_that_makes_no_sense_is_refused(self, memory: Trigraph, asked: dict[str, int]) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.recall("ship", **asked)  # type: ignore[arg-type]
        assert [refused.value.field] == list(asked)

    def test_the_limit_bounds_the_hits(self, memory: Trigraph) -> None:
        memory.remember_batch(["one ship", "two ships", "three ships"])

        assert len(memory.recall("ship", limit=2).hits) == 2


class TestFilters:
    @pytest.fixture
    def ships(self, memory: Trigraph, clock: SettableClock) -> Trigraph:
        memory.remember("The red ship leaks", tags=["red", "hull"], occurred_at="2026-03-01", source="web")
        clock.advance(days=1)
        memory.remember("Paint the ship blue", kind="decision", tags=["blue"], occurred_at="2026-05-01")
        clock.advance(days=1)
        memory.remember("A ship needs two anchors", kind="constraint", session="s-1")
        return memory

    @pytest.mark.parametrize(
        ("asked", "texts"),
        [
            ({"kinds": ["decision"]}, ["Paint the ship blue"]),
            ({"kinds": ["decision", "constraint"]}, ["A ship needs two anchors", "Paint the ship blue"]),
            ({"tags": ["red"]}, ["The red ship leaks"]),
            ({"tags": ["red", "hull"]}, ["The red ship leaks"]),
            ({"tags": ["red", "blue"]}, []),
            ({"sources": ["web"]}, ["The red ship leaks"]),
            ({"occurred_after": "2026-04-01"}, ["Paint the ship blue"]),
            ({"occurred_before": "2026-05-01"}, ["The red ship leaks"]),
            ({"occurred_after": "2026-05-01", "occurred_before": "2026-05-02"}, ["Paint the ship blue"]),
            ({"created_after": "2026-09-03T12:00:00Z"}, ["A ship needs two anchors"]),
            ({"created_before": "2026-09-02T12:00:00Z"}, ["The red ship leaks"]),
            ({"author": "someone-else"}, []),
        ],
        ids=str,
    )
    def test_only_what_the_filter_asks_for_is_found(
        self, ships: Trigraph, asked: dict[str, object], texts: list[str]
    ) -> None:
        assert sorted(_texts(ships.recall("ship", **asked))) == texts  # type: ignore[arg-type]

    def test_a_thread_is_searched_alone(self, ships: Trigraph) -> None:
        thread = ships.remember_thread([{"text": "My ship came in"}, {"text": "Good for you"}]).thread_id

        assert sorted(_texts(ships.recall("ship", thread=thread))) == ["Good for you", "My ship came in"]

    def test_a_topic_filter_compares_as_topics_do(self, ships: Trigraph) -> None:
        ships.remember("The ship is a barque", topic="ship type")

        assert _texts(ships.recall("ship", topic="Ship_Type")) == ["The ship is a barque"]

    def test_neighbours_outside_the_filter_are_no_hits(self, memory: Trigraph) -> None:
        memory.remember_thread([{"text": "My ship came in", "occurred_at": "2026-01-01"}, {"text": "Good for you"}])

        assert _texts(memory.recall("ship", occurred_before="2026-02-01")) == ["My ship came in"]


class TestStaleness:
    def test_age_counts_from_when_it_happened_by_the_clock(self, memory: Trigraph, clock: SettableClock) -> None:
        memory.remember("The bridge opened", occurred_at="2026-08-31T12:00:00Z")

        assert memory.recall("bridge").hits[0].staleness.age_days == 1
        clock.advance(days=9, hours=12)
        assert memory.recall("bridge").hits[0].staleness.age_days == 10.5

    def test_without_a_time_of_its_own_it_counts_from_when_it_was_told(
        self, memory: Trigraph, clock: SettableClock
    ) -> None:
        memory.remember("The bridge opened")
        clock.advance(days=7)

        staleness = memory.recall("bridge").hits[0].staleness
        assert (staleness.age_days, staleness.last_verified_at, staleness.superseded) == (7, None, False)

    def test_as_of_looks_from_that_day(self, memory: Trigraph) -> None:
        memory.remember("The bridge opened", occurred_at="2026-01-01")

        (hit,) = memory.recall("bridge", as_of="2026-01-31").hits
        assert hit.staleness.age_days == 30
        assert memory.recall("bridge", as_of="2025-12-31").hits == ()

    def test_what_is_still_to_come_has_no_negative_age(self, memory: Trigraph) -> None:
        memory.remember("The bridge will open", occurred_at="2027-01-01")

        assert memory.recall("bridge").hits[0].staleness.age_days == 0


class TestLegs:
    def test_every_leg_says_how_it_fared(self, memory: Trigraph) -> None:
        memory.remember_batch(["The ship leaks", "Bread is baked at dawn"])
        answer = memory.recall("Is the ship all right?")
        legs = _legs(answer)

        assert list(legs) == [Leg.VECTOR, Leg.LEXICAL, Leg.GRAPH, Leg.TEMPORAL]
        assert (legs[Leg.VECTOR].status, legs[Leg.VECTOR].count) == (LegStatus.OK, 2)
        assert (legs[Leg.LEXICAL].status, legs[Leg.LEXICAL].count) == (LegStatus.OK, 1)
        assert (legs[Leg.GRAPH].status, legs[Leg.GRAPH].reason) == (
            LegStatus.NOT_APPLICABLE,
            "the query names no entity",
        )
        assert (legs[Leg.TEMPORAL].status, legs[Leg.TEMPORAL].reason) == (
            LegStatus.NOT_APPLICABLE,
            "the query names no time; recency ranks what the others found",
        )
        assert legs[Leg.VECTOR].milliseconds > 0
        assert legs[Leg.LEXICAL].milliseconds > 0
        assert answer.milliseconds >= legs[Leg.VECTOR].milliseconds + legs[Leg.LEXICAL].milliseconds
        assert not answer.degraded

    def test_an_empty_store_says_so_on_both_legs(self, memory: Trigraph) -> None:
        answer = memory.recall("anything")
        legs = _legs(answer)

        assert answer.hits == ()
        assert legs[Leg.VECTOR].status is LegStatus.EMPTY_STORE
        assert legs[Leg.LEXICAL].status is LegStatus.EMPTY_STORE
        assert answer.degraded

    def test_without_a_model_the_lexical_leg_answers_and_the_recall_is_degraded(self, without_model: Trigraph) -> None:
        without_model.remember_batch(["The ship leaks", "Bread is baked at dawn"])
        answer = without_model.recall("ship")
        vector = _legs(answer)[Leg.VECTOR]

        assert _texts(answer) == ["The ship leaks"]
        assert answer.degraded
        assert (vector.status, vector.count) == (LegStatus.FAILED, 0)
        assert vector.reason is not None
        assert "embedder.kind is none" in vector.reason

    def test_a_query_of_stop_words_has_nothing_for_the_lexical_leg(self, memory: Trigraph) -> None:
        memory.remember("To be, or not to be")
        answer = memory.recall("to be or not to be")

        assert _legs(answer)[Leg.LEXICAL].status is LegStatus.NOT_APPLICABLE
        assert not answer.degraded
        assert _texts(answer) == ["To be, or not to be"]

    def test_a_filter_that_nothing_passes_is_not_degraded(self, memory: Trigraph) -> None:
        memory.remember("The ship leaks")
        answer = memory.recall("ship", kinds=["skill"])

        assert _legs(answer)[Leg.VECTOR].status is LegStatus.NOT_APPLICABLE
        assert (answer.hits, answer.degraded) == ((), False)

    def test_meaning_finds_what_words_do_not(self, memory: Trigraph) -> None:
        memory.remember_batch(["The physician prescribed rest", "Compile with optimisation", "Snow fell on the pass"])
        (first, *_) = memory.recall("doctor's advice").hits

        assert first.memory.text == "The physician prescribed rest"
        assert first.legs[Leg.VECTOR].rank == 1
        assert first.why == "near in meaning"

    def test_a_hit_says_its_words_and_its_standing_on_each_leg(self, memory: Trigraph) -> None:
        memory.remember_batch(["Two ships leak", "Bread is baked at dawn", "Snow fell on the pass"])
        (first, *others) = memory.recall("Which SHIP leaks?").hits

        assert first.why == "words ship, leaks; near in meaning"
        assert (first.legs[Leg.VECTOR].rank, first.legs[Leg.LEXICAL].rank) == (1, 1)
        assert first.legs[Leg.LEXICAL].raw > 0
        assert [hit.legs[Leg.LEXICAL].raw for hit in others] == [0, 0]
        assert [hit.rank for hit in (first, *others)] == [1, 2, 3]

    def test_part_of_an_identifier_finds_it(self, without_model: Trigraph) -> None:
        without_model.remember_batch(["Call xmlparser_rewritten first", "Bread is baked at dawn"])

        assert _texts(without_model.recall("parser_rewrit")) == ["Call xmlparser_rewritten first"]


class TestPlan:
    def test_the_plan_says_how_the_query_was_understood(self, memory: Trigraph) -> None:
        plan = memory.recall("Why did we choose SPEC-054?").plan

        assert (plan.profile, plan.query_class, plan.context) == ("default", QueryClass.DECISION, True)
        assert plan.terms == ("choos", "spec", "054", "spec054")
        assert plan.identifiers == ("spec-054",)
        assert plan.weights == {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0, Leg.GRAPH: 8.0, Leg.TEMPORAL: 1.0}

    def test_both_fusions_answer_and_are_said(self, memory: Trigraph) -> None:
        memory.remember_batch(["The ship leaks", "Bread is baked at dawn"])
        by_score = memory.recall("ship", fusion="score")
        by_rank = memory.recall("ship", fusion="rrf")

        assert (by_score.plan.fusion, by_rank.plan.fusion) == (Fusion.SCORE, Fusion.RRF)
        assert _texts(by_score) == _texts(by_rank) == ["The ship leaks", "Bread is baked at dawn"]
        # Two candidates: z-scores are 1 and -1 on both legs, and both are new; the best rank is worth 1/61 on both.
        assert [hit.score for hit in by_score.hits] == [1 + RECENCY, -1 + RECENCY]
        assert by_rank.hits[0].score == 0.016393

    def test_profiles_ask_only_their_legs(self, memory: Trigraph) -> None:
        memory.remember_batch(["The ship leaks", "Bread is baked at dawn"])

        assert list(_legs(memory.recall("ship", profile="vector"))) == [Leg.VECTOR]
        assert list(_legs(memory.recall("ship", profile="lexical"))) == [Leg.LEXICAL]
        assert memory.recall("ship", profile="rrf").plan.fusion is Fusion.RRF

    def test_a_learned_order_tells_its_features_when_asked(self, memory: Trigraph) -> None:
        memory.remember_batch(["The ship leaves at nine", "The harbour has two cranes", "Ana repairs ships"])

        told = memory.recall("when does the ship leave?", explain=True)
        silent = memory.recall("when does the ship leave?")

        assert told.plan.fusion is Fusion.LEARNED
        assert dict(told.plan.order) == dict(shipped().weights)
        assert set(told.hits[0].features) == set(LIKENESS)
        assert told.hits[0].features["coverage"] == max(hit.features["coverage"] for hit in told.hits)
        assert [hit.features for hit in silent.hits] == [{}] * len(silent.hits)
        assert [(hit.memory.id, hit.score) for hit in silent.hits] == [(hit.memory.id, hit.score) for hit in told.hits]

    def test_without_a_model_plain_fusion_takes_over(self, without_model: Trigraph) -> None:
        without_model.remember_batch(["The ship leaves at nine", "The harbour has two cranes"])

        learned = without_model.recall("when does the ship leave?", explain=True)
        plain = without_model.recall("when does the ship leave?", fusion="score")

        assert [(hit.memory.id, hit.score, hit.features) for hit in learned.hits] == [
            (hit.memory.id, hit.score, {}) for hit in plain.hits
        ]

    def test_an_unknown_profile_lists_those_there_are(self, memory: Trigraph) -> None:
        with pytest.raises(
            InvalidInput, match="default, confident, plain, equal, graph-first, fast, likeness, graph, lexical"
        ) as refused:
            memory.recall("ship", profile="vectors")
        assert "Did you mean 'vector'?" in str(refused.value)

    @pytest.mark.parametrize("query", ["", " \n", "a\x00b", "\ud800", "x" * 10_001], ids=ascii)
    def test_a_query_that_is_no_text_is_refused(self, memory: Trigraph, query: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.recall(query)
        assert refused.value.field == "query"


class TestContext:
    def test_an_answer_that_shares_no_word_with_the_query_comes_with_its_question(
        self, without_model: Trigraph
    ) -> None:
        without_model.remember_thread(COLOURS)
        answer = without_model.recall("office walls paint")
        why = {hit.memory.text: hit.why for hit in answer.hits}

        assert answer.hits[0].memory.text == COLOURS[0]["text"]
        assert why["Something like teal, I suppose."] == "next to what matched"
        assert "Fine. Lunch?" not in why
        assert _texts(without_model.recall("office walls paint", profile="lexical")) == [COLOURS[0]["text"]]

    def test_nearer_neighbours_rank_higher(self, without_model: Trigraph) -> None:
        without_model.remember_thread(COLOURS)

        assert _texts(without_model.recall("paint")) == [
            COLOURS[0]["text"],
            COLOURS[1]["text"],
            COLOURS[2]["text"],
        ]

    def test_neighbours_lift_an_answer_above_what_stands_alone(self, memory: Trigraph) -> None:
        memory.remember_thread(COLOURS)
        memory.remember_batch(["Yes, beans.", "Something like jazz, I suppose.", "Fine. Dinner?"])
        texts = _texts(memory.recall("which paint shade for the office walls", limit=20))

        assert texts.index("Something like teal, I suppose.") < texts.index("Something like jazz, I suppose.")

    def test_a_hole_in_a_thread_stays_a_hole(self, without_model: Trigraph) -> None:
        without_model.remember_thread([{"text": "Paint the walls", "seq": 0}, {"text": "Teal", "seq": 3}])

        assert _texts(without_model.recall("paint")) == ["Paint the walls"]

    def test_two_threads_are_not_neighbours(self, without_model: Trigraph) -> None:
        without_model.remember_thread([{"text": "Paint the walls"}])
        without_model.remember_thread([{"text": "Lunch?"}, {"text": "Teal"}])

        assert _texts(without_model.recall("paint")) == ["Paint the walls"]


class TestPassages:
    def test_a_hit_in_a_long_document_shows_the_passage_that_matched(self, memory: Trigraph) -> None:
        filler = "The committee met again and adjourned without a result. " * 12
        harbour = "## Harbour\n\nThe crane was sold to Rotterdam."
        text = f"# Minutes\n\n## Opening\n\n{filler}\n\n{harbour}\n\n## Close\n\n{filler}"
        memory.remember(text, kind="document")
        (hit,) = memory.recall("Who bought the harbour crane?").hits

        assert hit.excerpt.text == harbour
        assert hit.memory.text == text
        assert text[hit.excerpt.start : hit.excerpt.end].strip() == hit.excerpt.text

    def test_a_document_is_found_in_every_passage_by_its_title(self, without_model: Trigraph) -> None:
        filler = "The committee met again and adjourned without a result. " * 12
        text = f"# Kraken\n\n## Opening\n\n{filler}\n\n## Harbour\n\nThe crane was sold to Rotterdam."
        without_model.remember(text, kind="document")

        (hit,) = without_model.recall("Kraken crane Rotterdam", profile="lexical").hits
        assert hit.why == "words kraken, crane, rotterdam"

    def test_a_short_memory_is_its_own_excerpt(self, memory: Trigraph) -> None:
        memory.remember("The ship leaks")
        excerpt = memory.recall("ship").hits[0].excerpt

        assert (excerpt.text, excerpt.start, excerpt.end) == ("The ship leaks", 0, 14)


def _texts(answer: Recall) -> list[str]:
    return [hit.memory.text for hit in answer.hits]


def _legs(answer: Recall) -> dict[Leg, LegReport]:
    return {report.leg: report for report in answer.legs}
