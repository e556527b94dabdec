"""The frontier on the command line: frontier, bounty; and its benchmark."""

from __future__ import annotations

import pytest

from commands import Command

CANDIDATE = """member_ids score novelty_score bridge_score trust_score retention_score structural_fit surface_similarity
    outcome_score_adjustment shared_entities shared_companions shared_tags boundary_tags shared_terms prior_outcomes
    outcome_signal kinds previews reason composition_question evidence_status""".split()
BOUNTY = """recent_composed_lanes never_composed_lanes closed_doors duplicate_risk_lanes needs_poc_lanes
    top_weird_combinations bounds known_at compositions_looked_at""".split()


@pytest.fixture
def kept(run: Command) -> None:
    run("remember", "Fish oil lowers blood viscosity.", "--topic", "fish oil", "--tag", "diet")
    run("remember", "Raynaud attacks come with high blood viscosity.", "--topic", "Raynaud")


@pytest.mark.req("C5")
def test_the_frontier_tells_pairs_with_their_question(run: Command, kept: None) -> None:
    told = run("frontier", "--tag", "diet").out
    assert "Through “blood” and “viscosity”: what does “fish oil” have to do with “Raynaud”?" in " ".join(told.split())
    assert "looked from 1 memories" in told
    found = run("--json", "frontier").json
    assert list(found["candidates"][0]) == CANDIDATE
    assert found["candidates"][0]["evidence_status"] == "hypothesis"
    assert run("--json", "frontier", "--sets", "3").json["candidates"] == []
    assert run("--json", "frontier", "--known-at", "2020-01-01").json["candidates"] == []
    assert "nothing that looks worth combining" in run("frontier", "--known-at", "2020-01-01").out


@pytest.mark.req("C9")
def test_the_frontier_is_told_as_it_stood_before_a_decision(run: Command, kept: None) -> None:
    decision = run("--json", "decide", "Prescribe fish oil.", "--topic", "therapy").json["id"]
    found = run("--json", "frontier", "--for", decision).json
    assert found["decision_id"] == decision
    assert len(found["candidates"]) == 1
    assert run("frontier", "--for", found["candidates"][0]["member_ids"][0]).code == 2


@pytest.mark.req("C7")
def test_bounties_are_told_list_by_list(run: Command, kept: None) -> None:
    ids = run("--json", "frontier").json["candidates"][0]["member_ids"]
    composed = run("--json", "compositions", "compose", *ids, "--query", "does it help?").json["id"]
    run("compositions", "label", composed, "needs_poc")
    told = run("bounty").out
    assert "needs-PoC lanes" in told
    assert "does it help?" in told
    found = run("--json", "bounty", "--limit", "3").json
    assert list(found) == BOUNTY
    assert [lane["composition_id"] for lane in found["needs_poc_lanes"]] == [composed]
    assert found["never_composed_lanes"] == []


@pytest.mark.req("C9")
def test_the_benchmark_judges_and_times(run: Command) -> None:
    sizes = ("--hashed", "--planted", "200", "--history", "100", "--compositions", "80")
    found = run("--json", "bench", "frontier", *sizes).json
    told = found["held_out"][0]["pairs"]["scores"]
    assert {"cosine", "shared tags", "common neighbours", "popularity product", "random"} < set(told)
    assert found["planted"][0]["around_one_of_them"]["frontier"]["n"] > 0
    timed = run("bench", "frontier", "--memories", "60", "--events", "20", "--asked", "2").out
    assert "bounty_mode" in timed
