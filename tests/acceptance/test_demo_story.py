"""The demo project's story of JWT: decided, carried out, failed, replaced."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import trigraph
from trigraph.faces.library import Trigraph

DEMO = Path(__file__).parents[2] / "demo" / "load.py"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def demo(home: Path) -> Iterator[Trigraph]:
    _load(home)
    with trigraph.open(home) as memory:
        yield memory


def _load(home: Path) -> None:
    given = sys.argv
    sys.argv = [str(DEMO), "--home", str(home)]
    try:
        runpy.run_path(str(DEMO), run_name="__main__")
    finally:
        sys.argv = given


@pytest.mark.req("L5")
def test_why_jwt_was_abandoned_brings_the_failed_decision_with_all_that_came_of_it(demo: Trigraph) -> None:
    hits = demo.recall("why did we abandon JWT?", limit=5).hits
    failed = next(hit for hit in hits if hit.memory.kind == "decision")
    assert failed.memory.text.startswith("Web and API sessions use signed JWTs")
    assert [outcome.result.value for outcome in failed.outcomes] == ["FAILED"]
    assert "No revocation within 12 hours" in str(failed.outcomes[0].reason)
    assert failed.staleness.superseded
    assert demo.get(str(failed.staleness.superseded_by)).text.startswith("Sessions use opaque tokens instead of JWTs")


@pytest.mark.req("L5")
def test_the_evolution_of_the_topic_is_the_chain_with_its_checkpoints(demo: Trigraph) -> None:
    trace = demo.trace_evolution("auth tokens")
    chain = [step for step in trace.steps if step.memory.kind == "decision"]
    assert [step.memory.text.split(":")[0].split(" (")[0] for step in chain] == [
        "Sessions use opaque tokens instead of JWTs",
        "Web and API sessions use signed JWTs",
    ]
    assert [step.via.type.value if step.via else None for step in chain] == [None, "supersedes"]
    assert [[one.kind.value for one in step.implemented_by] for step in chain] == [["checkpoint"], ["checkpoint"]]
    assert [[one.result.value for one in step.outcomes] for step in chain] == [["SUCCESS"], ["FAILED"]]


@pytest.mark.req("T3")
def test_its_documents_say_what_superseded_them(demo: Trigraph) -> None:
    assert demo.docs.get("SPEC-004").document.props["superseded_by"] == "SPEC-011"
    assert demo.audit().ok


@pytest.mark.req("T16")
def test_it_was_used_for_a_month_with_a_quiet_week_by_several_agents(demo: Trigraph) -> None:
    told = demo.project_insight(panels=["hit_rate", "stale", "agents"])
    assert told.hit_rate is not None
    assert told.stale is not None
    assert told.agents is not None

    assert {one.agent for one in told.agents} == {"default", "codex", "wren", "pike"}
    counts = told.hit_rate.overall
    assert counts.recalls >= 140
    assert min(counts.hits, counts.misses, counts.undecided, told.stale.flagged_stale) >= 5
    weeks = [sum(day.recalls for day in told.hit_rate.series[at : at + 6]) for at in range(24)]
    assert min(weeks) * 4 < max(weeks)


def test_a_memory_misled_an_agent_and_was_corrected(demo: Trigraph) -> None:
    stands = next(one for one in demo.list(topic="ingest gateway ports").memories if one.provenance.author == "pike")
    assert stands.text.startswith("The ingest gateway listens on 8893")
    told = demo.history(stands.id)
    assert "the probe on 8883 failed" in str(told)


def test_loading_it_again_changes_nothing(demo: Trigraph, home: Path) -> None:
    before = _told(demo)
    _load(home)
    assert _told(demo) == before


def _told(demo: Trigraph) -> tuple[object, ...]:
    """What it holds and how it was used, but not how many bytes that takes."""
    return replace(demo.stats(), store_bytes=0), demo.project_insight(panels=["hit_rate"]).hit_rate
