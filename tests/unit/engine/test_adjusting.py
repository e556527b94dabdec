"""What moves a hit after fusion: dampening, diversity, each by its switch and told when asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trigraph.faces.library import Trigraph
from trigraph.model.query import Dampening, Profile
from trigraph.model.recall import Hit, Recall
from trigraph.ranking.profiles import PROFILES

PLAIN = PROFILES["plain"]
FILLING = (
    "Bread is baked at dawn",
    "The harbour has two cranes",
    "Ana repairs bicycles on Sundays",
    "Letters are sorted by street",
    "The museum opens at ten",
)


def _damped(**switches: float) -> Profile:
    return replace(PLAIN, confidence_floor=1.0, dampening=Dampening(**switches))


def _hit(answer: Recall, text: str) -> Hit:
    return next(hit for hit in answer.hits if hit.memory.text == text)


@pytest.mark.req("S3")
class TestDampening:
    def test_what_meaning_alone_found_keeps_half_its_lead(self, memory: Trigraph) -> None:
        memory.remember_batch([*FILLING, "The puppy sleeps in the kitchen"])
        whole = memory.recall("where is the young dog", profile=_damped(), limit=50)
        half = memory.recall("where is the young dog", profile=_damped(wordless=0.5), limit=50, explain=True)

        least = min(hit.score for hit in whole.hits)
        before, after = (_hit(one, "The puppy sleeps in the kitchen") for one in (whole, half))
        assert before.score - least > 1
        assert after.score - least == pytest.approx((before.score - least) / 2, abs=1e-5)
        assert after.moved == {"wordless": 0.5}

    def test_what_holds_a_word_of_the_query_keeps_all(self, memory: Trigraph) -> None:
        memory.remember_batch([*FILLING, "The dog sleeps in the kitchen"])
        half = memory.recall("where is the young dog", profile=_damped(wordless=0.5), limit=50, explain=True)

        assert _hit(half, "The dog sleeps in the kitchen").moved == {}

    def test_a_decision_and_a_constraint_gain(self, memory: Trigraph) -> None:
        memory.remember_batch([*FILLING, "The gate is painted green"])
        memory.remember("The gate is painted by hand", kind="constraint")
        answer = memory.recall("gate painted", profile=_damped(guiding=1.2), limit=50, explain=True)

        assert _hit(answer, "The gate is painted by hand").moved == {"guiding": 1.2}
        assert _hit(answer, "The gate is painted green").moved == {}

    def test_what_speaks_of_hubs_alone_is_dampened(self, memory: Trigraph) -> None:
        memory.remember_batch([f"`Gateway` took {number} requests" for number in range(12)])
        memory.remember("`Gateway` and `Ledger` share a queue")
        answer = memory.recall("Gateway queue requests", profile=_damped(hubs=0.7), limit=50, explain=True)

        assert _hit(answer, "`Gateway` took 3 requests").moved == {"hubs": 0.7}
        assert _hit(answer, "`Gateway` and `Ledger` share a queue").moved == {}

    def test_by_default_nothing_is_dampened(self, memory: Trigraph) -> None:
        plan = memory.recall("anything").plan

        assert plan.dampening == Dampening()

    def test_a_hit_tells_what_moved_it_only_when_asked(self, memory: Trigraph) -> None:
        memory.remember_batch([*FILLING, "The puppy sleeps in the kitchen"])
        answer = memory.recall("where is the young dog", profile=_damped(wordless=0.5), limit=50)

        assert [hit.moved for hit in answer.hits] == [{}] * len(answer.hits)


@pytest.mark.req("I14")
class TestDiversity:
    def test_no_three_of_the_first_hits_say_the_same(self, memory: Trigraph) -> None:
        for number in range(4):  # of four kinds, so that each is kept
            kind = ("fact", "insight", "context", "preference")[number]
            memory.remember("The backup runs at two in the night", kind=kind)
        memory.remember_batch([*FILLING, "The backup is kept for thirty days", "Backups are encrypted"])

        answer = memory.recall("when does the backup run", limit=4)
        texts = [hit.memory.text for hit in answer.hits]
        off = replace(PROFILES["default"], diversity=0.0)
        before = [hit.memory.text for hit in memory.recall("when does the backup run", limit=4, profile=off).hits]

        assert before == ["The backup runs at two in the night"] * 4
        assert texts.count("The backup runs at two in the night") == 2
        assert texts[0] == "The backup runs at two in the night"

    def test_without_a_model_the_order_stays(self, home: object, memory: Trigraph) -> None:
        memory.remember_batch(["Tea", "Tea at four", "Tea at five"])
        wordy = replace(PROFILES["lexical"], diversity=5.0)

        found, plain = (memory.recall("tea", profile=one).hits for one in (wordy, "lexical"))
        assert found[0].memory.id == plain[0].memory.id


@pytest.mark.req("S2")
class TestProfiles:
    def test_graph_first_puts_what_the_graph_reaches_before_what_words_find(self, memory: Trigraph) -> None:
        memory.remember_batch([*FILLING, "We broke the ledger of broken things", "Broken ledgers break the ledger"])
        memory.remember("`Ledger` depends on `Mint`.")
        memory.remember("`Mint` runs on two machines.")

        answer = memory.recall("what breaks with `Ledger`", profile="graph-first", limit=5)

        assert answer.hits[0].memory.text == "`Ledger` depends on `Mint`."
        assert answer.plan.dampening == Dampening(wordless=0.5, hubs=0.7, guiding=1.2)
        assert [report.leg.value for report in answer.legs] == ["lexical", "graph"]
        assert "We broke the ledger of broken things" in [hit.memory.text for hit in answer.hits]

    def test_expansion_is_on_by_default_and_can_be_left_out(self, memory: Trigraph) -> None:
        decided = memory.decide("Sessions are kept in Redis", topic="sessions", reasoning="it is fast").id
        memory.checkpoint("Moved the login code", implements=[decided])
        memory.remember_batch(FILLING)

        answer = memory.recall("redis sessions", limit=10, profile="default", kinds=["decision", "checkpoint"])
        assert answer.plan.expand
        assert not memory.recall("redis sessions", expand=False).plan.expand

    def test_fast_looks_at_fewest_and_at_no_neighbours(self, memory: Trigraph) -> None:
        memory.remember_batch(FILLING)
        plan = memory.recall("bread", profile="fast").plan

        assert (plan.candidates_per_leg, plan.context, plan.expand) == (30, False, False)
        assert memory.recall("bread", profile="fast").hits[0].memory.text == "Bread is baked at dawn"

    def test_a_profile_may_be_given_as_a_value(self, memory: Trigraph) -> None:
        memory.remember_batch(FILLING)
        own = replace(PROFILES["default"], name="mine", diversity=0.0)

        assert memory.recall("bread", profile=own).plan.profile == "mine"


@pytest.mark.req("X5")
class TestAbstention:
    def test_what_memory_knows_is_told_from_what_it_does_not(self, memory: Trigraph) -> None:
        memory.remember_batch(
            [
                *FILLING,
                "The nightly backup is kept for thirty days",
                "Mara is on call in week 12",
                "Rent is due on the 3rd",
            ]
        )
        known = memory.recall("how long is the nightly backup kept?")
        unknown = memory.recall("which quantum chip did the zebra vendor ship to Antarctica?")

        assert known.certainty is not None
        assert unknown.certainty is not None
        assert known.certainty > unknown.certainty
        assert not known.nothing_found
        assert unknown.nothing_found

    def test_an_empty_store_has_nothing(self, memory: Trigraph) -> None:
        answer = memory.recall("anything")

        assert (answer.certainty, answer.nothing_found) == (0.0, True)

    def test_what_is_named_exactly_is_there(self, memory: Trigraph) -> None:
        wanted = memory.remember("Freeze on Monday", topic="release plan").id
        assert wanted is not None

        assert memory.recall("release plan").certainty == 1.0
        assert memory.recall(wanted).certainty == 1.0

    def test_an_arm_without_the_signals_does_not_guess(self, memory: Trigraph) -> None:
        memory.remember_batch(FILLING)
        answer = memory.recall("bread", profile="lexical")

        assert (answer.certainty, answer.nothing_found) == (None, False)
