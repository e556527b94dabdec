"""reference and compositions on the command line; and one scenario of the ledger through every face."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import apsw
import pytest

from commands import Command
from every_face import FACES, Cli, Face
from trigraph.model.composition import OutcomeLabel

ID = re.compile(r"\b[a-z]_[0-9a-z]{26}\b")
TIME = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)")
MEASURED = {"milliseconds", "relevance", "score", "trust", "confidence", "why", "reasoning", "term_share"}
MEASURED |= {"reasoning_preview", "output_preview", "by"}
"""What is measured anew, or told with figures that are."""


@pytest.fixture
def kept(run: Command) -> list[str]:
    texts = ("The oracle lags behind the market", "The queue drains slowly at night")
    return [str(run("remember", text, "--tag", "t", "--json").json["items"][0]["id"]) for text in texts]


@pytest.mark.req("C8")
def test_a_reference_is_told_in_words_and_as_json(run: Command, kept: list[str]) -> None:
    told = run("reference", "What lags behind the market?")
    assert (told.code, told.err) == (0, "")
    assert f"Go by {kept[0][-8:]}" in told.out
    found = run("reference", "What lags behind the market?", "--json").json
    assert (found["recommended"]["memory_id"], found["composition_write_status"]) == (kept[0], "persisted")
    assert "Memory has nothing" in run("reference", "Who won the chess olympiad in Buenos Aires?").out


@pytest.mark.req("C4")
def test_every_action_has_a_command(run: Command, kept: list[str]) -> None:
    event = run("compositions", "compose", kept[0], f"{kept[1]}:contradicting", "--query", "both?", "--json").json["id"]
    assert run("compositions", "recent", "--tag", "t", "--json").json[0]["id"] == event
    assert run("compositions", "get", event[-8:], "--json").json["members"][1]["role"] == "contradicting"
    assert run("compositions", "memory", kept[1], "--json").json[0]["id"] == event
    labelled = run("compositions", "label", event, "dead_end", "--json").json
    assert labelled["suggested"] == "closed_by_false_assumption"
    (companion,) = run("compositions", "neighbors", kept[0], "--json").json
    assert (companion["memory_id"], companion["labels"]) == (kept[1], {"dead_end": 1})
    shown = {
        ("recent",): "dead_end",
        ("get", event): "contradicting",
        ("memory", kept[0]): "both?",
        ("neighbors", kept[0]): "1 times",
        ("label", event, "helpful"): "Look why it worked",
    }
    for words, said in shown.items():
        assert said in run("compositions", *words).out


@pytest.mark.req("C4")
def test_an_unknown_action_or_label_is_answered_with_those_that_there_are(run: Command, kept: list[str]) -> None:
    answer = run("compositions", "delete")
    assert answer.code != 0
    assert all(action in answer.err for action in ("recent", "get", "memory", "neighbors", "label", "compose"))
    event = run("compositions", "compose", *kept, "--json").json["id"]
    answer = run("compositions", "label", event, "usefull")
    assert all(label in answer.err for label in ("helpful", "expired_lane", "closed_by_user"))


STEPS: list[tuple[str, dict[str, Any]]] = [
    ("deep_reference", {"query": "What lags behind the market?"}),
    ("composed_graph", {"action": "recent"}),
    ("composed_graph", {"action": "get", "event_id": "{event}"}),
    ("composed_graph", {"action": "memory", "memory_id": "{memory}", "limit": 3}),
    ("composed_graph", {"action": "label", "event_id": "{event}", "outcome_type": "dead_end", "notes": "a duplicate"}),
    ("composed_graph", {"action": "neighbors", "memory_id": "{memory}"}),
    ("composed_graph", {"action": "recent", "tags": ["t"]}),
    ("composed_graph", {"action": "delete"}),
    ("composed_graph", {"action": "label", "event_id": "{event}", "outcome_type": "usefull"}),
    ("composed_graph", {"action": "get", "event_id": "zzzzzzzz"}),
]


@pytest.mark.req("C4")
@pytest.mark.parametrize("name", [name for name in FACES if name != "library"])
def test_the_ledger_is_the_same_by_every_face(name: str, tmp_path: Path, run: Command) -> None:
    with FACES["library"](tmp_path / "library", run) as face:
        expected = _played(face)
    with FACES[name](tmp_path / "other", run) as face:
        told = _played(face)
    for (verb, given), ours, theirs in zip(STEPS, expected, told, strict=True):
        assert theirs == ours, (verb, given)


@pytest.mark.req("C4")
@pytest.mark.parametrize("name", FACES)
def test_every_face_says_which_actions_and_labels_there_are(name: str, tmp_path: Path, run: Command) -> None:
    with FACES[name](tmp_path / "home", run) as face:
        made = face.call("remember", {"text": "The oracle lags behind the market"})
        event = _asked(face, {"query": "What lags behind the market?"})["composition_event_id"]
        action = json.dumps(_asked(face, {"action": "delete"}))
        label = json.dumps(_asked(face, {"action": "label", "event_id": event, "outcome_type": "usefull"}))
    assert made["items"][0]["id"]
    assert "error" in action
    assert [one for one in ("recent", "get", "memory", "neighbors", "label") if one not in action] == []
    assert "error" in label
    assert [one.value for one in OutcomeLabel if one.value not in label] == []


@pytest.mark.req("C8")
@pytest.mark.parametrize("name", FACES)
def test_every_face_tells_of_nothing_and_of_a_write_that_failed(name: str, tmp_path: Path, run: Command) -> None:
    question = {"query": "What lags behind the market?"}
    with FACES[name](tmp_path / "home", run) as face:
        empty = _asked(face, question)
        face.call("remember", {"text": "The oracle lags behind the market"})
        (home,) = (path for path in tmp_path.rglob("default.db"))
        connection = apsw.Connection(str(home))
        connection.execute("CREATE TRIGGER refused BEFORE INSERT ON composition BEGIN SELECT raise(ABORT, 'no'); END")
        failed = _asked(face, question)
        connection.execute("DROP TRIGGER refused")
        connection.close()
        kept = _asked(face, question)
    assert (empty["composition_write_status"], empty["composition_event_id"]) == ("skipped_empty", None)
    assert "Memory has nothing on this" in empty["reasoning"]
    assert (failed["composition_write_status"], failed["composition_event_id"]) == ("failed", None)
    assert failed["composition_write_error"]
    assert failed["recommended"]["memory_id"] == kept["recommended"]["memory_id"]
    assert kept["composition_write_status"] == "persisted"


def _asked(face: Face, given: dict[str, Any]) -> Any:
    if isinstance(face, Cli):
        return _by_command(face, given)
    return face.call("deep_reference" if "query" in given else "composed_graph", given)


def _played(face: Face) -> list[Any]:
    seen: dict[str, str] = {}
    texts = ("The oracle lags behind the market", "The queue drains slowly at night")
    first = [
        face.call("remember", {"text": text, "tags": ["t"], "source": "agent", "session": "one"}) for text in texts
    ]
    known = {"memory": first[0]["items"][0]["id"]}
    answers = []
    for verb, given in STEPS:
        filled = {key: value.format(**known) if isinstance(value, str) else value for key, value in given.items()}
        answer = _by_command(face, filled) if isinstance(face, Cli) else face.call(verb, filled)
        known.setdefault("event", str(answer.get("composition_event_id")))
        answers.append(_nameless(answer, seen))
    return answers


def _by_command(face: Cli, given: dict[str, Any]) -> Any:
    """The command of an action; what it answers is the part of the door's answer that the action is about."""
    if "query" in given:
        return face.run("reference", given["query"], "--json").json
    action, rest = given["action"], {**given}
    alone = [rest.pop(name) for name in ("event_id", "memory_id", "outcome_type") if name in rest]
    options = [f"--{name}={value}" for name, value in rest.items() if name not in ("action", "tags")]
    options += [f"--tag={tag}" for tag in given.get("tags", ())]
    answer = face.run("compositions", action, *alone, *options, "--json")
    if answer.code:
        return {"error": answer.error}
    part = {"label": "labelled", "neighbors": "companions"}.get(action, "events")
    found = [answer.json] if action == "get" else answer.json
    whole = {"events": [], "companions": [], "labelled": None, "frontier": None, "bounty": None}
    return {"action": action, **whole, part: found}


def _nameless(told: Any, seen: dict[str, str]) -> Any:
    text = json.dumps(_plain(told), sort_keys=True)
    text = ID.sub(lambda match: seen.setdefault(match.group(), f"{match.group()[0]}-{len(seen)}"), text)
    for id_, name in seen.items():
        text = text.replace(id_[-8:], name)
    return json.loads(TIME.sub("then", text))


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items() if key not in MEASURED | {"allowed", "fix", "session"}}
    return value
