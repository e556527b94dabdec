"""Benchmarks of a store that is there."""

from __future__ import annotations

import json

from commands import Command
from trigraph.bench.load import load_table


def test_the_speed_of_a_store_that_was_made_before(command: Command) -> None:
    command("bench", "make", "--memories", "30")
    found = json.loads(command("--json", "bench", "speed", "--here", "--queries", "2").out)

    assert found["memories"] == json.loads(command("--json", "stats").out)["memories"] >= 30
    assert "remember" not in found
    assert {"lexical", "vector", "rescoring", "event"} <= set(found["recall"]["stages"])
    assert "floor: bare FTS5 query" in command("bench", "speed", "--here", "--queries", "2").out


def test_a_served_store_under_load_and_overload(run: Command) -> None:
    run("bench", "make", "--memories", "30")
    before = run("--json", "stats").json["memories"]
    found = run("--json", "bench", "load", "--here", "--seconds", "0.5", "--clients", "4").json

    assert (found["memories"], found["clients"]) == (before, 4)
    assert run("--json", "stats").json["memories"] == before, "a copy was served"
    for name in ("echo", "http", "mcp"):
        assert (found[name]["errors"], found[name]["error_kinds"]) == (0, {})
        assert found[name]["requests"] >= 4
        assert found[name]["p99_ms"] >= found[name]["p50_ms"] > 0
        assert set(found[name]["verbs"]) == {"recall", "remember"}
    assert found["overload"]["most_requests"] == 1
    for door in ("http", "mcp"):
        assert found[door]["ratio_per_second"] > 0
        overload = found["overload"][door]
        assert set(overload["kinds"]) == {"refused: 503 overloaded"}
        assert (overload["errors"], overload["refused"]) == (0, sum(overload["kinds"].values()))
        assert overload["answered"] > 0
        assert overload["recovered_ms"] is not None
    assert all(found["alone"][what]["requests"] > 0 for what in ("recall", "mixed"))
    assert f"refused {found['overload']['mcp']['refused']}, other errors 0, recovered in" in load_table(found)


def test_a_store_that_is_not_there_is_not_served(run: Command) -> None:
    answer = run("--json", "bench", "load", "--here")

    assert answer.code != 0
    assert answer.error["code"] == "not_found"
    assert "bench make" in answer.error["fix"]
    assert not run.home.exists()
