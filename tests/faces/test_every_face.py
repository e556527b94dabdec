"""All faces say the same: one scenario through each, every one on a store of its own, gives the same JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from commands import Command
from every_face import FACES, LISTENING, SESSION, Face
from trigraph.model.tail import BEGINNING

AGENT = {"source": "agent", "session": SESSION}
ID = re.compile(r"\b[a-z]_[0-9a-z]{26}\b")
TIME = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)")
MEASURED = {"milliseconds", "age_days", "temporal", "temporal_score", "raw", "normalised", "score", "retention"}
"""What is measured anew, or ages from one call to the next."""
ADDED = {"recall_id", "truncated", "next", "not_found"}
"""What the tools say beside what every face says."""

STEPS: list[tuple[str, str, dict[str, Any]]] = [
    ("heron", "remember", {"text": "A heron nests on the pier", "tags": ["birds"], "topic": "pier", **AGENT}),
    ("again", "remember", {"text": "A heron  nests on the pier", **AGENT}),
    ("mine", "remember", {"text": "Mine alone", "visibility": "private", "idempotency_key": "k", **AGENT}),
    ("mine again", "remember", {"text": "Mine alone", "visibility": "private", "idempotency_key": "k", **AGENT}),
    ("reused", "remember", {"text": "Not mine", "visibility": "private", "idempotency_key": "k", **AGENT}),
    ("tabs", "remember", {"text": "Use tabs", "kind": "preference", "occurred_at": "2026-03-14", **AGENT}),
    ("jwt", "decide", {"text": "Use JWT", "topic": "auth", "reasoning": "Stateless", **AGENT}),
    ("live", "checkpoint", {"text": "JWT is live", "implements": ["{jwt}"], **AGENT}),
    ("failed", "evolve", {"id": "{jwt}", "result": "FAILED", "reason": "No way to revoke", **AGENT}),
    ("cookies", "decide", {"text": "Use cookies", "topic": "auth", "supersedes": "{jwt}", **AGENT}),
    ("conflict", "correct", {"id": "{jwt}", "text": "Use OAuth", **AGENT}),
    ("unknown", "get", {"id": "zzzzzzzz"}),
    ("bad kind", "remember", {"text": "x", "kind": "fcat", **AGENT}),
    ("bad id", "vote", {"id": "zz", "value": 1}),
    ("why", "recall", {"query": "why did we abandon JWT?", "limit": 8, "budget_tokens": 2000, "session": SESSION}),
    ("birds", "recall", {"query": "heron", "limit": 3, "tags": ["birds"], "budget_tokens": 50, "session": SESSION}),
    ("then", "recall", {"query": "heron", "as_of": "2020-01-01", "limit": 8, "budget_tokens": 2000,
                        "session": SESSION}),
    ("cited", "cite", {"recall_id": "{why}", "id": "{jwt}", "kind": "cited", "session": SESSION}),
    ("voted", "vote", {"id": "{heron}", "value": -1, "reason": "I saw none"}),
    ("checked", "reverify", {"id": "{heron}"}),
    ("stork", "correct", {"id": "{heron}", "text": "A stork nests on the pier", "reason": "Dark", "tags": ["nest"],
                          **AGENT}),
    ("gull", "supersede", {"id": "{stork}", "text": "A gull nests on the pier", "valid_from": "2100-01-01", **AGENT}),
    ("preview", "forget", {"query": "use tabs", "dry_run": True}),
    ("gone", "forget", {"query": "use tabs", "dry_run": False}),
    ("back", "restore", {"id": "{tabs}"}),
    ("wrapped", "wrap", {"session": SESSION, "text": "Auth is done", "source": "agent"}),
    ("wrap", "get", {"id": "{wrapped}"}),
    ("chain", "trace_evolution", {"topic": "auth"}),
    ("things", "entities", {"types": ["concept"]}),
    ("thing", "entity", {"name": "auth"}),
    ("sound", "audit", {}),
    ("got", "get", {"id": "{jwt}"}),
]  # fmt: skip
"""What each step is called, the verb, and its arguments as the library has them. What a step made is known to later
ones by the step's name."""

HAPPENED = """
    remember remember remember decide checkpoint evolve supersede decide recall recall recall cite vote reverify
    correct correct supersede supersede forget restore wrap
""".split()
"""What of it is told to who listens: every version of a memory, by the verb that made it, and every recall."""
REFUSED = {
    "reused": "idempotency_key_reused",
    "conflict": "conflict",
    "unknown": "not_found",
    "bad kind": "invalid_input",
    "bad id": "invalid_input",
}
"""Steps that are to end in an error, and its code."""


@pytest.mark.req("T13")
@pytest.mark.parametrize("name", [name for name in FACES if name != "library"])
def test_a_scenario_is_the_same_by_every_face(name: str, tmp_path: Path, run: Command) -> None:
    with FACES["library"](tmp_path / "library", run) as face:
        expected = _played(face)
    with FACES[name](tmp_path / "other", run) as face:
        told = _played(face)

    for (step, *_), ours, theirs in zip(STEPS, expected, told, strict=True):
        assert theirs == ours, step
    codes = {step: one["error"]["code"] for (step, *_), one in zip(STEPS, told, strict=True) if "error" in one}
    assert codes == REFUSED
    wrap = next(one for (step, *_), one in zip(STEPS, told, strict=True) if step == "wrap")
    counted = {kind: count for kind, count in wrap["details"]["citations"].items() if count}
    assert counted == {"cited": 1, "rewrote": 1}


@pytest.mark.req("T13")
@pytest.mark.parametrize("name", LISTENING)
def test_what_happened_is_told_alike_by_every_face_that_listens(name: str, tmp_path: Path, run: Command) -> None:
    expected = _overheard("library", tmp_path / "library", run)
    told = _overheard(name, tmp_path / "other", run)

    assert told == expected
    assert [one["what"].get("verb", one["event"]) for one in told] == HAPPENED


def _overheard(name: str, folder: Path, run: Command) -> list[Any]:
    """What a face tells of what was done through it."""
    with FACES[name](folder, run) as face:
        _played(face)
        told = face.heard(BEGINNING, len(HAPPENED))
    assert len({one.pop("cursor") for one in told}) == len(HAPPENED)
    listed: list[Any] = _nameless(told, {})
    return listed


def _played(face: Face) -> list[Any]:
    ids: dict[str, str] = {}
    seen: dict[str, str] = {}
    answers = []
    for name, verb, given in STEPS:
        told = face.call(verb, _filled(given, ids))
        ids[name] = str(told.get("id") or told.get("recall_id") or told.get("items", [{}])[0].get("id"))
        answers.append(_nameless(told, seen))
    return answers


def _filled(given: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    def fill(value: Any) -> Any:
        if isinstance(value, list):
            return [fill(one) for one in value]
        return value.format(**ids) if isinstance(value, str) and value.startswith("{") else value

    return {name: fill(value) for name, value in given.items()}


def _nameless(told: Any, seen: dict[str, str]) -> Any:
    """JSON without what is measured, each id replaced by when it was first met, and each time by a word."""
    text = json.dumps(_plain(told), sort_keys=True)
    text = ID.sub(lambda match: seen.setdefault(match.group(), f"{match.group()[0]}-{len(seen)}"), text)
    for id_, name in seen.items():
        text = text.replace(id_[-8:], name)
    return json.loads(TIME.sub("then", text))


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items() if key not in MEASURED | ADDED}
    return value
