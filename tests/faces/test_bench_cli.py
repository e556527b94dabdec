"""Benchmarks of a store that is there."""

from __future__ import annotations

import json

from commands import Command


def test_the_speed_of_a_store_that_was_made_before(command: Command) -> None:
    command("bench", "make", "--memories", "30")
    found = json.loads(command("--json", "bench", "speed", "--here", "--queries", "2").out)

    assert found["memories"] == json.loads(command("--json", "stats").out)["memories"] >= 30
    assert "remember" not in found
    assert {"lexical", "vector", "rescoring", "event"} <= set(found["recall"]["stages"])
    assert "floor: bare FTS5 query" in command("bench", "speed", "--here", "--queries", "2").out
