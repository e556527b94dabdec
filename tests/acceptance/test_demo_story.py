"""The demo project's story of JWT: decided, carried out, failed, replaced."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import trigraph
from trigraph.faces.library import Trigraph

DEMO = Path(__file__).parents[2] / "demo" / "load.py"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trigraph]:
    home = tmp_path_factory.mktemp("demo")
    given = sys.argv
    sys.argv = [str(DEMO), "--home", str(home)]
    try:
        runpy.run_path(str(DEMO), run_name="__main__")
    finally:
        sys.argv = given
    with trigraph.open(home) as memory:
        yield memory


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
