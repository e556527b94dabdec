"""The tools and the library say the same: one scenario through both, over stdio and HTTP, each on its own store."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from commands import Command, serving
from mcp_clients import over_stdio, with_client
from trigraph.assembly import open_engine
from trigraph.errors import TrigraphError
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings

SESSION = "s-1"
AGENT: dict[str, Any] = {"source": "agent", "session": SESSION}
ID = re.compile(r"\b[a-z]_[0-9a-z]{26}\b")
TIME = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)")
MEASURED = {"milliseconds", "age_days", "temporal", "temporal_score", "raw", "normalised", "score", "retention"}
"""What is measured anew, or ages from one call to the next."""
ADDED = {"recall_id", "truncated", "next", "not_found"}
"""What the tools say beside what every face says."""

Ids = dict[str, str]
STEPS: list[tuple[str, Callable[[Trigraph, Ids], Any], str, Callable[[Ids], dict[str, Any]]]] = [
    ("heron", lambda t, i: t.remember("A heron nests on the pier", tags=["birds"], topic="pier", **AGENT),
     "remember", lambda i: {"text": "A heron nests on the pier", "tags": ["birds"], "topic": "pier"}),
    ("again", lambda t, i: t.remember("A heron  nests on the pier", **AGENT),
     "remember", lambda i: {"text": "A heron  nests on the pier"}),
    ("mine", lambda t, i: t.remember("Mine alone", visibility="private", idempotency_key="k", **AGENT),
     "remember", lambda i: {"text": "Mine alone", "visibility": "private", "idempotency_key": "k"}),
    ("mine again", lambda t, i: t.remember("Mine alone", visibility="private", idempotency_key="k", **AGENT),
     "remember", lambda i: {"text": "Mine alone", "visibility": "private", "idempotency_key": "k"}),
    ("reused", lambda t, i: t.remember("Not mine", visibility="private", idempotency_key="k", **AGENT),
     "remember", lambda i: {"text": "Not mine", "visibility": "private", "idempotency_key": "k"}),
    ("many", lambda t, i: t.remember_batch([{"text": one, **AGENT} for one in ("Use tabs", " ", "Gulls are white")]),
     "remember", lambda i: {"items": ["Use tabs", " ", "Gulls are white"]}),
    ("jwt", lambda t, i: t.decide("Use JWT", topic="auth", reasoning="Stateless", **AGENT),
     "decide", lambda i: {"text": "Use JWT", "topic": "auth", "reasoning": "Stateless"}),
    ("live", lambda t, i: t.checkpoint("JWT is live", implements=[i["jwt"]], **AGENT),
     "checkpoint", lambda i: {"text": "JWT is live", "implements": [i["jwt"]]}),
    ("failed", lambda t, i: t.evolve(i["jwt"], "FAILED", "No way to revoke", **AGENT),
     "update", lambda i: {"id": i["jwt"], "action": "outcome", "result": "FAILED", "reason": "No way to revoke"}),
    ("cookies", lambda t, i: t.decide("Use cookies", topic="auth", supersedes=i["jwt"], **AGENT),
     "decide", lambda i: {"text": "Use cookies", "topic": "auth", "supersedes": i["jwt"]}),
    ("conflict", lambda t, i: t.correct(i["jwt"], "Use OAuth", **AGENT),
     "update", lambda i: {"id": i["jwt"], "action": "correct", "text": "Use OAuth"}),
    ("unknown", lambda t, i: t.get("zzzzzzzz"), "get", lambda i: {"ids": ["zzzzzzzz"]}),
    ("bad kind", lambda t, i: t.remember("x", kind="fcat", **AGENT),
     "remember", lambda i: {"text": "x", "kind": "fcat"}),
    ("why", lambda t, i: t.recall("why did we abandon JWT?", limit=8, budget_tokens=2000, session=SESSION),
     "recall", lambda i: {"query": "why did we abandon JWT?", "detail": "full"}),
    ("birds", lambda t, i: t.recall("heron", limit=3, tags=["birds"], expand=False, budget_tokens=50, session=SESSION),
     "recall", lambda i: {"query": "heron", "limit": 3, "tags": ["birds"], "expand": False, "budget_tokens": 50,
                          "detail": "full"}),
    ("then", lambda t, i: t.recall("heron", as_of="2020-01-01", limit=8, budget_tokens=2000, session=SESSION),
     "recall", lambda i: {"query": "heron", "as_of": "2020-01-01", "detail": "full"}),
    ("cited", lambda t, i: t.cite(i["why"], items=[{"id": i["jwt"], "kind": "cited"}], session=SESSION),
     "cite", lambda i: {"recall_id": i["why"], "items": [{"id": i["jwt"], "kind": "cited"}]}),
    ("link", lambda t, i: t.link(i["heron"], i["jwt"], "contradicts", reason="No", created_by="llm"),
     "update", lambda i: {"id": i["heron"], "action": "link", "to": i["jwt"], "link_type": "contradicts",
                          "reason": "No"}),
    ("vote", lambda t, i: t.vote(i["heron"], -1, "I saw none"),
     "update", lambda i: {"id": i["heron"], "action": "vote", "value": -1, "reason": "I saw none"}),
    ("checked", lambda t, i: t.reverify(i["heron"]), "update", lambda i: {"id": i["heron"], "action": "reverify"}),
    ("stork", lambda t, i: t.correct(i["heron"], "A stork nests on the pier", reason="Dark", tags=["nest"], **AGENT),
     "update", lambda i: {"id": i["heron"], "action": "correct", "text": "A stork nests on the pier",
                          "reason": "Dark", "tags": ["nest"]}),
    ("gull", lambda t, i: t.supersede(i["stork"], "A gull nests on the pier", valid_from="2100-01-01", **AGENT),
     "update", lambda i: {"id": i["stork"], "action": "supersede", "text": "A gull nests on the pier",
                          "valid_from": "2100-01-01"}),
    ("preview", lambda t, i: t.forget(query="use tabs", dry_run=True), "forget", lambda i: {"query": "use tabs"}),
    ("gone", lambda t, i: t.forget(i["mine"], dry_run=False),
     "forget", lambda i: {"ids": [i["mine"]], "dry_run": False}),
    ("back", lambda t, i: t.restore(i["mine"]), "forget", lambda i: {"ids": [i["mine"]], "restore": True}),
    ("wrapped", lambda t, i: t.wrap(SESSION, "Auth is done", source="agent"),
     "wrap", lambda i: {"text": "Auth is done"}),
    ("wrap", lambda t, i: {"memories": [t.get(i["wrapped"])]}, "get", lambda i: {"ids": [i["wrapped"]]}),
    ("chain", lambda t, i: t.trace_evolution("auth"), "trace", lambda i: {"mode": "evolution", "topic": "auth"}),
    ("things", lambda t, i: t.entities(types=["concept"]),
     "entities", lambda i: {"action": "list", "types": ["concept"]}),
    ("thing", lambda t, i: t.entity("auth"), "entities", lambda i: {"action": "get", "name": "auth"}),
    ("sound", lambda t, i: t.audit(), "audit", lambda i: {}),
    ("got", lambda t, i: {"memories": [t.get(i["jwt"])]}, "get", lambda i: {"ids": [i["jwt"]]}),
]  # fmt: skip
"""What each step is called, by the library, by which tool, and with which arguments. What a step made first is known
to later ones by the step's name."""


REFUSED = {
    "reused": "idempotency_key_reused",
    "conflict": "conflict",
    "unknown": "not_found",
    "bad kind": "invalid_input",
}
"""Steps that are to end in an error, and its code."""


@pytest.mark.req("T13")
@pytest.mark.parametrize("way", ["stdio", "http"])
def test_a_scenario_is_the_same_by_the_library_and_by_the_tools(way: str, home: Path, tmp_path: Path) -> None:
    ours, theirs = _by_library(tmp_path / "library"), _by_tools(way, Command(home, tmp_path))

    for (name, *_), expected, told in zip(STEPS, ours, theirs, strict=True):
        assert told == expected, name
    codes = {name: told["error"]["code"] for (name, *_), told in zip(STEPS, theirs, strict=True) if "error" in told}
    assert codes == REFUSED
    (wrap,) = next(told for (name, *_), told in zip(STEPS, theirs, strict=True) if name == "wrap")["memories"]
    counted = {kind: count for kind, count in wrap["details"]["citations"].items() if count}
    assert counted == {"cited": 1, "rewrote": 1}


def _by_library(home: Path) -> list[Any]:
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    ids: Ids = {}
    seen: Ids = {}
    answers = []
    with Trigraph(open_engine(settings), LOCAL_SCOPE) as memory:
        for name, ask, _, _ in STEPS:
            try:
                told = wire.to_json(ask(memory, ids))
            except TrigraphError as error:
                told = {"error": wire.error_json(error)}
            ids[name] = _made(told)
            answers.append(_nameless(told, seen))
    return answers


def _by_tools(way: str, command: Command) -> list[Any]:
    async def played(client: Any) -> list[Any]:
        ids: Ids = {}
        seen: Ids = {}
        answers = []
        for name, _, tool, arguments in STEPS:
            answer = await client.call_tool(tool, arguments(ids))
            told = {"error": answer.meta["trigraph/error"]} if answer.is_error else answer.structured_content
            ids[name] = _made(told)
            answers.append(_nameless(told, seen))
        return answers

    if way == "stdio":
        return with_client(over_stdio(command, "--toolset", "full", environment={"TRIGRAPH_SESSION": SESSION}), played)
    with ExitStack() as stack:
        served = _served_without_model(stack, command)
        return with_client(f"{served}/mcp", played, headers={"x-trigraph-session-id": SESSION})


def _served_without_model(stack: ExitStack, command: Command) -> str:
    (command.folder / ".config" / "trigraph").mkdir(parents=True)
    (command.folder / ".config" / "trigraph" / "config.toml").write_text('[embedder]\nkind = "none"\n')
    return stack.enter_context(serving(command, "--toolset", "full"))


def _made(told: Any) -> str:
    return str(told.get("id") or told.get("items", [{}])[0].get("id"))


def _nameless(told: Any, seen: Ids) -> Any:
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
