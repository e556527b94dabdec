"""What never met and looks worth it: mined, weighed, told; as of a time; for who may see it (C5, C6, C7, C9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.bench.hashed import HashedEmbedder
from trigraph.errors import InvalidInput, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.frontier import Candidate, Frontier, OutcomeSignal
from trigraph.model.memory import Kind
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import FrontierSettings, LinkSettings, Settings


@pytest.fixture
def memory(clock: SettableClock) -> Iterator[Trigraph]:
    """Memory in which nothing is linked that the test did not link."""
    settings = Settings(links=LinkSettings(automatic="none"), frontier=FrontierSettings(boundary_tags="seam-*"))
    with Trigraph(open_engine(settings, in_memory=True, clock=clock, embedder=HashedEmbedder()), LOCAL_SCOPE) as opened:
        yield opened


def oil_and_raynaud(memory: Trigraph) -> tuple[str, str]:
    """A with B, and B with C."""
    oil = memory.remember("Fish oil lowers blood viscosity in most patients.", topic="fish oil", tags=["diet"])
    raynaud = memory.remember(
        "Raynaud attacks come with high blood viscosity.",
        topic="Raynaud",
        kind="insight",
        tags=["seam-veins"],
        source="web",
    )
    memory.remember("The gate of the tower opens at nine.")
    return str(oil.items[0].id), str(raynaud.items[0].id)


def members(found: Frontier) -> list[set[str]]:
    return [set(one.member_ids) for one in found.candidates]


def of_pair(found: Frontier, *ids: str) -> Candidate:
    (one,) = (one for one in found.candidates if set(one.member_ids) == set(ids))
    return one


@pytest.mark.req("C5")
def test_two_memories_that_a_rare_word_joins_are_told_with_all_that_speaks_for_them(memory: Trigraph) -> None:
    oil, raynaud = oil_and_raynaud(memory)
    found = memory.never_composed()
    one = of_pair(found, oil, raynaud)
    assert members(found)[0] == {oil, raynaud}
    assert one.evidence_status == "hypothesis"
    assert set(one.shared_terms) == {"blood", "viscosity"}
    assert one.boundary_tags == ("seam-veins",)
    assert one.kinds == (Kind.FACT, Kind.INSIGHT)
    assert one.novelty_score == 1
    assert one.trust_score == 0.3  # the web's, which is the weaker
    assert one.outcome_signal is OutcomeSignal.CLEAN
    assert one.prior_outcomes == {}
    assert (
        one.composition_question == "Through “blood” and “viscosity”: what does “fish oil” have to do with “Raynaud”?"
    )
    assert "viscosity" in one.reason
    assert one.previews[0].startswith("Fish oil")


@pytest.mark.req("C5")
def test_what_met_in_a_composition_is_no_candidate_any_more(memory: Trigraph) -> None:
    oil, raynaud = oil_and_raynaud(memory)
    memory.compose([oil, raynaud])
    found = memory.never_composed()
    assert {oil, raynaud} not in members(found)
    assert found.bounds.already_composed == 1


@pytest.mark.req("C5")
def test_outcomes_shape_the_order_and_hide_nothing(memory: Trigraph) -> None:
    oil, raynaud = oil_and_raynaud(memory)
    before = of_pair(memory.never_composed(), oil, raynaud)
    other = str(memory.remember("Lunch is at noon.").items[0].id)
    memory.label(memory.compose([oil, other]).id, "closed_by_scope")
    after = of_pair(memory.never_composed(), oil, raynaud)
    assert after.outcome_signal is OutcomeSignal.PRIOR_CLOSED_DOOR
    assert after.prior_outcomes == {"closed_by_scope": 1}
    assert after.outcome_score_adjustment < 0
    assert after.score < before.score
    assert after.novelty_score == 0.75


def test_versions_of_one_memory_are_no_combination(memory: Trigraph) -> None:
    oil, _ = oil_and_raynaud(memory)
    newer = memory.supersede(oil, "Fish oil lowers blood viscosity in all patients.").id
    assert all(not {oil, newer} <= pair for pair in members(memory.never_composed()))


@pytest.mark.req("C9")
def test_a_common_companion_joins_two_that_share_no_word(memory: Trigraph) -> None:
    first, hub, last = (
        str(memory.remember(text).items[0].id)
        for text in ("Alpha tuning halves latency.", "Quarterly review notes.", "Zebra crossings were repainted.")
    )
    memory.compose([first, hub])
    memory.compose([hub, last])
    one = of_pair(memory.never_composed(), first, last)
    assert one.shared_companions == (hub,)
    assert hub[-8:] in one.composition_question


@pytest.mark.req("C9")
def test_what_was_available_at_a_time_is_told_as_it_was_then(memory: Trigraph, clock: SettableClock) -> None:
    nothing_yet = clock()
    clock.advance(days=1)
    oil, raynaud = oil_and_raynaud(memory)
    clock.advance(days=1)
    then = clock()
    clock.advance(days=1)
    memory.compose([oil, raynaud])
    assert memory.never_composed(known_at=nothing_yet).candidates == ()
    assert {oil, raynaud} in members(memory.never_composed(known_at=then))
    assert {oil, raynaud} not in members(memory.never_composed())


@pytest.mark.req("C9")
def test_what_was_available_when_a_decision_was_made(memory: Trigraph, clock: SettableClock) -> None:
    oil, raynaud = oil_and_raynaud(memory)
    clock.advance(days=1)
    decision = memory.decide("Give every patient with high blood viscosity fish oil.", topic="therapy").id
    clock.advance(days=1)
    memory.compose([oil, raynaud])
    found = memory.never_composed(decision=decision[-8:])
    assert found.decision_id == decision
    assert {oil, raynaud} in members(found)
    assert all(decision not in pair for pair in members(found))
    with pytest.raises(InvalidInput, match="kind fact"):
        memory.never_composed(decision=oil)
    with pytest.raises(NotFound):
        memory.never_composed(decision="00000000")


@pytest.mark.req("C9")
def test_triples_join_through_a_different_word_each(memory: Trigraph) -> None:
    for text in (
        "Saffron suppliers report a shortage in Tabriz.",
        "The Tabriz warehouse flooded near the aqueduct.",
        "Aqueduct repairs are paid for by saffron exports.",
    ):
        memory.remember(text)
    (found,) = memory.never_composed(size=3).candidates
    assert len(set(found.member_ids)) == len(found.previews) == 3
    assert {word.lower() for word in found.shared_terms} >= {"saffron", "tabriz", "aqueduct"}
    pairs = memory.never_composed().candidates
    assert min(one.score for one in pairs) <= found.score <= max(one.score for one in pairs)


@pytest.mark.req("C6")
def test_the_answer_says_how_far_it_looked(memory: Trigraph) -> None:
    oil_and_raynaud(memory)
    whole = memory.never_composed().bounds
    assert (whole.seeds, whole.cut) == (3, ())
    assert whole.pairs_scored <= whole.pairs_looked_at
    bounded = memory.never_composed(seeds=2).bounds
    assert bounded.seeds == 2
    assert "only 2 memories" in bounded.cut[0]


@pytest.mark.req("C6")
def test_looking_around_a_memory_or_a_tag_looks_from_there_alone(memory: Trigraph) -> None:
    oil, raynaud = oil_and_raynaud(memory)
    for found in (memory.never_composed(around=[oil]), memory.never_composed(tags=["diet"])):
        assert found.bounds.seeds == 1
        assert members(found)[0] == {oil, raynaud}
    assert memory.never_composed(tags=["nowhere"]).candidates == ()


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"size": 1}, "size"),
        ({"size": 6}, "size"),
        ({"limit": 0}, "limit"),
        ({"seeds": 5001}, "seeds"),
        ({"known_at": "2026-01-01", "decision": "x"}, "decision"),
        ({"around": ["x"], "tags": ["y"]}, "tags"),
    ],
)
def test_what_cannot_be_asked_says_why(memory: Trigraph, wrong: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.never_composed(**wrong)  # type: ignore[arg-type]
    assert caught.value.field == field


@pytest.mark.req("C6")
def test_what_another_agent_keeps_for_itself_changes_nothing(memory: Trigraph) -> None:
    memory.admin.set_agent(memory.scope.tenant, memory.scope.project, "other", ReadPolicy.SHARED)
    other = Trigraph(memory.engine, replace(memory.scope, agent="other"))
    oil, raynaud = oil_and_raynaud(memory)
    before = memory.never_composed(), memory.bounty_mode()
    hidden = [
        str(other.remember(f"Secret {number}: blood viscosity.", tags=["diet"], visibility="private").items[0].id)
        for number in range(3)
    ]
    other.compose([oil, raynaud, hidden[0]])
    after = memory.never_composed(), memory.bounty_mode()
    assert [replace(one, known_at=two.known_at) for one, two in zip(before, after, strict=True)] == list(after)  # type: ignore[type-var]
    assert any(set(hidden) & pair for pair in members(other.never_composed()))


@pytest.mark.req("C7")
def test_bounty_mode_tells_lanes_that_are_open_closed_and_untried(memory: Trigraph) -> None:
    oil, raynaud = oil_and_raynaud(memory)
    ids = [str(memory.remember(text).items[0].id) for text in ("Lunch is at noon.", "Dinner is at eight.")]
    lanes = {
        label: memory.compose([ids[0], ids[1]], query=f"for {label}").id
        for label in ("dead_end", "duplicate_risk", "needs_poc", "helpful")
    }
    for label, id_ in lanes.items():
        memory.label(id_, label)
    found = memory.bounty_mode(limit=10)
    assert [one.composition_id for one in found.recent_composed_lanes] == list(lanes.values())[::-1]
    assert [one.composition_id for one in found.closed_doors] == [lanes["dead_end"]]
    assert [one.composition_id for one in found.duplicate_risk_lanes] == [lanes["duplicate_risk"]]
    assert [one.composition_id for one in found.needs_poc_lanes] == [lanes["needs_poc"]]
    assert {oil, raynaud} in [set(one.member_ids) for one in found.never_composed_lanes]
    assert {oil, raynaud} in [set(one.member_ids) for one in found.top_weird_combinations]
    memory.label(lanes["needs_poc"], "accepted")
    memory.label(lanes["dead_end"], "accepted")
    later = memory.bounty_mode()
    assert (later.needs_poc_lanes, later.closed_doors) == ((), ())


@pytest.mark.req("C4")
def test_the_one_door_has_both_actions(memory: Trigraph) -> None:
    oil, raynaud = oil_and_raynaud(memory)
    found = memory.composed_graph("never_composed", memory_id=oil)
    assert found.frontier is not None
    assert members(found.frontier)[0] == {oil, raynaud}
    bounty = memory.composed_graph("bounty_mode", limit=3).bounty
    assert bounty is not None
    assert bounty.never_composed_lanes
