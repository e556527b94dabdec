"""Insight on the command line: insight, recalls, past-recall, drop-recalls."""

from __future__ import annotations

import pytest

from commands import Command

pytestmark = pytest.mark.req("T16")


def test_what_became_of_a_recall_is_told_until_it_is_dropped(run: Command) -> None:
    run("remember", "The heron nests on the north pier")
    asked = run("recall", "heron", "--json").json
    run("cite", asked["hits"][0]["id"], "--recall", asked["id"])
    told = run("insight", "--json").json
    assert told["hit_rate"]["overall"]["hits"] == 1
    assert run("insight", "--everyone", "--json").json["hit_rate"]["overall"]["recalls"] == 1
    assert run("insight").out.startswith("recalls of default")
    (listed,) = run("recalls", "--outcome", "hit", "--json").json["recalls"]
    assert listed["recall_id"] == asked["id"]
    assert run("past-recall", asked["id"], "--json").json["outcome"] == "hit"
    assert run("drop-recalls").code != 0
    assert run("drop-recalls", "--yes", "--json").json == {"dropped": 1}
    assert run("recalls").out.strip() == "no recalls"
