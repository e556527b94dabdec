"""The scorer on the command line: report, train, off, on."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import Command
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings

pytestmark = pytest.mark.req("S9")

REPORT = ["state", "why", "used", "enabled", "explore", "evidence", "held_out", "changes", "trained_at"]
EVIDENCE = ["citations", "labelled", "positive", "learnt_from", "trusted"]
HELD_OUT = ["recalls", "shipped_ndcg", "learnt_ndcg", "lift", "low", "high"]
CHANGE = ["feature", "shipped", "learnt", "told"]


@pytest.fixture
def used(home: Path, embedder: Embedder) -> None:
    """A store in which the last of three hits was always cited."""
    settings = Settings(home=str(home))
    with Trigraph(open_engine(settings, embedder=embedder), LOCAL_SCOPE) as memory:
        memory.remember_batch([f"Barge {number} carries gravel to the lock" for number in range(1, 6)])
        memory.remember("Which barge is at the lock?")
        for number in range(100):
            answer = memory.recall(f"barge {1 + number % 5} at the lock", limit=3, fusion="learned")
            memory.cite(answer.id, answer.hits[-1].memory.id)


@pytest.mark.parametrize("verb", ["report", "train", "off", "on"])
def test_every_command_answers_with_these_keys_when_there_is_nothing_to_learn_from(run: Command, verb: str) -> None:
    answer = run("scorer", verb, "--json")

    assert (answer.code, answer.err) == (0, "")
    assert (list(answer.json), list(answer.json["evidence"])) == (REPORT, EVIDENCE)
    assert (answer.json["used"], answer.json["changes"], answer.json["held_out"]) == (False, [], None)
    assert answer.json["state"] == ("off" if verb == "off" else "waiting")


@pytest.mark.usefixtures("used")
def test_what_was_learnt_is_told_in_figures_and_words(run: Command) -> None:
    before = run("scorer", "report", "--json").json
    assert (before["trained_at"], before["evidence"]["citations"]) == (None, 100)
    trained = run("scorer", "train", "--json").json
    told = run("scorer", "report")

    assert (list(trained["held_out"]), list(trained["changes"][0])) == (HELD_OUT, CHANGE)
    assert (trained["held_out"]["recalls"], trained["evidence"]["learnt_from"]) == (30, 70)
    assert run("scorer", "report", "--json").json == trained
    assert "100 citations, 100 recalls with one, 100 with a hit of use; learnt from 70, trusted by 26%" in told.out
    assert f"NDCG@10 on 30 later recalls: shipped {trained['held_out']['shipped_ndcg']:.3f}" in told.out
    assert trained["changes"][0]["told"] in told.out


@pytest.mark.usefixtures("used")
def test_off_stays_off_until_it_is_switched_on(run: Command) -> None:
    off = run("scorer", "off")
    assert off.out.startswith("scorer: off, not used: it was switched off; `trigraph scorer on` trains it")
    assert run("scorer", "train", "--json").json["state"] == "off"
    assert run("scorer", "on", "--json").json["state"] in ("waiting", "promoted")


def test_the_setting_is_told(run: Command) -> None:
    told = run("scorer", "report", environment={"TRIGRAPH_SCORER__ENABLED": "false"})
    assert "switched off by the setting scorer.enabled" in told.out

    odd = run("scorer", "report", "--json", environment={"TRIGRAPH_SCORER__ENABLED": "perhaps"})
    assert (odd.code, odd.error["fix"]) == (78, "Give true or false.")
    odd = run("scorer", "report", "--json", environment={"TRIGRAPH_SCORER__EXPLORE": "2"})
    assert (odd.code, odd.error["fix"]) == (78, "Give a share from 0 to 1; 0 switches it off.")


def test_the_plan_says_which_weights_were_used(run: Command) -> None:
    model = {"TRIGRAPH_EMBEDDER__KIND": "pack"}
    run("remember", "The heron nests on the pier.", environment=model)
    asked = ("recall", "heron", "--explain")

    assert ", ordered by shipped\n" in run(*asked, "--fusion", "learned", environment=model).out
    assert "ordered by" not in run(*asked, "--profile", "lexical", environment=model).out
    assert "ordered by" not in run(*asked, "--fusion", "learned").out, "without a model nothing is like the query"
