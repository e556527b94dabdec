"""Calls of every tool of every toolset. What an answer has under a name is known to later calls as {name}."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

SPEC = "# SPEC-7: Piers\n\nStatus: accepted\n\n## Depends on\n\n- SPEC-3\n"
CORE: list[tuple[str, dict[str, Any], Mapping[str, str]]] = [
    ("remember", {"text": "The heron nests on the pier", "topic": "pier", "type": "location"}, {"heron": "items.0.id"}),
    ("remember", {"text": "Sessions live in Redis", "kind": "decision"}, {"redis": "items.0.id"}),
    ("remember", {"items": ["Herons are grey", {"text": "Gulls are white", "tags": ["birds"]}]}, {}),
    ("recall", {"query": "who nests on the pier?"}, {"recall": "recall_id"}),
    ("recall", {"query": "pier", "detail": "full"}, {}),
    ("recall", {"query": "quarterly turnover", "kinds": ["outcome"]}, {}),
    ("get", {"ids": ["{heron}"], "with": ["neighbours", "history", "links"]}, {}),
    ("cite", {"recall_id": "{recall}", "items": [{"id": "{heron}", "kind": "cited"}]}, {}),
    ("update", {"id": "{redis}", "action": "outcome", "result": "FAILED", "reason": "It forgot them"}, {}),
    ("update", {"id": "{redis}", "action": "supersede", "text": "Sessions live in Postgres"}, {"postgres": "id"}),
    ("forget", {"query": "gulls white"}, {}),
    ("forget", {"ids": ["{heron}"], "dry_run": False}, {}),
    ("forget", {"ids": ["{heron}"], "restore": True}, {}),
]
FULL: list[tuple[str, dict[str, Any], Mapping[str, str]]] = [
    ("documents", {"action": "put", "text": SPEC}, {}),
    ("documents", {"action": "list"}, {}),
    ("documents", {"action": "get", "id": "SPEC-7"}, {}),
    ("documents", {"action": "get", "id": "SPEC-3"}, {}),
    ("documents", {"action": "status", "id": "SPEC-7", "status": "final"}, {}),
    ("decide", {"text": "Use JWT", "topic": "auth", "reasoning": "Stateless"}, {"jwt": "id"}),
    ("decide", {"text": "Use cookies", "topic": "auth", "supersedes": "{jwt}"}, {"cookies": "id"}),
    ("checkpoint", {"text": "Cookies are live", "implements": ["{cookies}"]}, {}),
    ("wrap", {"text": "Auth is done", "session": "s-9"}, {}),
    ("trace", {"mode": "evolution", "topic": "auth"}, {}),
    ("trace", {"mode": "impact", "id": "{cookies}"}, {}),
    ("trace", {"mode": "context", "query": "auth", "id": "{cookies}"}, {}),
    ("entities", {"action": "list", "types": ["location", "concept"]}, {}),
    ("entities", {"action": "get", "name": "pier"}, {}),
    ("entities", {"action": "history", "name": "auth"}, {}),
    ("entities", {"action": "relations", "name": "SPEC-7", "types": ["DEPENDS_ON"]}, {}),
    ("entities", {"action": "resolve", "names": ["Pier", "Lock"]}, {}),
    ("audit", {}, {}),
    ("audit", {"fixup": "memory-graph"}, {}),
    ("deep_reference", {"query": "do we use JWT for auth?"}, {"composed": "composition_event_id"}),
    ("deep_reference", {"query": "quarterly turnover of the zeppelin trade?", "depth": 5}, {}),
    ("composed_graph", {"action": "recent", "limit": 5}, {}),
    ("composed_graph", {"action": "get", "event_id": "{composed}"}, {}),
    ("composed_graph", {"action": "memory", "memory_id": "{cookies}"}, {}),
    ("composed_graph", {"action": "neighbors", "memory_id": "{cookies}"}, {}),
    ("composed_graph", {"action": "never_composed", "limit": 3}, {}),
    ("composed_graph", {"action": "bounty_mode", "limit": 3}, {}),
    ("composed_graph", {"action": "label", "event_id": "{composed}", "outcome_type": "dead_end"}, {}),
]
COMPAT: list[tuple[str, dict[str, Any], Mapping[str, str]]] = [
    ("memory_store", {"content": "Ana prefers tabs", "type": "preference", "importance": 0.9}, {"tabs": "id"}),
    ("prism_remember", {"content": "The proxy listens on 8443"}, {"proxy": "id"}),
    ("prism_remember", {"content": "The proxy listens on 9443", "rewrite": "{proxy}"}, {"moved": "id"}),
    ("prism_remember", {"reverify": "{moved}"}, {}),
    ("semantic_recall", {"query": "tabs or spaces?", "limit": 3}, {"event": "recall_event_id"}),
    ("prism_memory_cite", {"recall_event_id": "{event}", "memory_id": "{tabs}", "kind": "cited"}, {}),
    ("prism_spec", {"action": "create", "id": "SPEC-7", "body": SPEC, "version": "1.2"}, {}),
    ("prism_spec", {"action": "update", "id": "SPEC-7", "body": SPEC + "\nMore.\n", "status": "final"}, {}),
    ("prism_decide", {"text": "Use JWT", "topic": "auth", "reasoning": "Stateless"}, {"jwt": "id"}),
    ("prism_persona_create", {"name": "Reviewer", "text": "Reads every line", "props": {"tone": "dry"}}, {}),
    ("prism_checkpoint", {"text": "JWT is live", "implements": ["{jwt}"], "session": "s-9"}, {}),
    ("prism_wrap", {"session": "s-9"}, {"wrapped": "id"}),
    ("prism_archive", {"id": "{wrapped}", "reason": "Enough"}, {}),
    ("prism_audit", {"fixup": "memory-graph"}, {}),
    ("memory_search", {"query": "tabs", "type": "preference", "since": "2020-01-01"}, {}),
    ("mem0_search", {"query": "tabs"}, {}),
    ("save", {"type": "decision", "topic": "cache", "decision": "Use Redis", "confidence": 0.8}, {"cache": "id"}),
    ("save", {"type": "checkpoint", "summary": "Redis is live", "implements": ["{cache}"]}, {}),
    ("save", {"type": "insight", "topic": "cache", "summary": "Cold caches cost a minute"}, {}),
    ("search", {"query": "cache", "limit": 3}, {}),
    ("search", {"query": "Redis", "context_memory_id": "{cache}"}, {}),
    ("evolve", {"memory_id": "{cache}", "outcome": "FAILED", "reason": "It forgot"}, {}),
    ("memory_correct", {"query": "Ana prefers tabs", "corrected_text": "Ana prefers spaces"}, {"spaces": "new_id"}),
    ("memory_forget", {"query": "Cold caches", "dry_run": True}, {}),
    ("fact_retract", {"id": "{spaces}", "dry_run": False}, {}),
    ("deep_reference", {"query": "do we use JWT for auth?"}, {"composed": "composition_event_id"}),
    ("composed_graph", {"action": "recent", "tags": [], "limit": 5}, {}),
    ("composed_graph", {"action": "never_composed", "limit": 3}, {}),
    ("bounty_mode", {"tags": [], "limit": 3}, {}),
    ("composed_graph", {"action": "label", "event_id": "{composed}", "outcome_type": "helpful", "notes": "it was"}, {}),
]
SCRIPTS = {"core": CORE, "full": CORE + FULL, "compat": CORE + COMPAT}


async def played(
    toolset: str, call: Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]
) -> list[tuple[str, dict[str, Any]]]:
    """Each call's tool and answer, in order."""
    known: dict[str, str] = {}
    answers = []
    for name, arguments, made in SCRIPTS[toolset]:
        answer = await call(name, filled(arguments, known))
        answers.append((name, answer))
        known |= {label: at(answer, path) for label, path in made.items()}
    return answers


def filled(arguments: Any, known: Mapping[str, str]) -> Any:
    """Arguments with what is known put in."""
    text = json.dumps(arguments)
    for label, value in known.items():
        text = text.replace("{" + label + "}", value)
    return json.loads(text)


def at(answer: Any, path: str) -> str:
    """What stands at a path of an answer."""
    for step in path.split("."):
        answer = answer[int(step)] if step.isdigit() else answer[step]
    return str(answer)
