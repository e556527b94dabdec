"""One life of a memory, the same through every face: what the library is called with, and the request for it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from trigraph.faces.library import Trigraph

ID = re.compile(r"\b[a-z]_[0-9a-z]{26}\b")
TIME = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+Z")
DIFFERS = {
    "milliseconds",
    "next_cursor",
    "age_days",
    "temporal_score",
    "store_bytes",
    "temporal",
    "score",
    "retention",
    "raw",
}
Names = dict[str, str]

LIFE: list[tuple[Callable[[Trigraph, Names], object], str, str, dict[str, Any]]] = [
    (lambda t, n: t.remember("A heron nests on the pier", tags=["birds"], subject="Pier", type="location"),
     "POST", "/memories", {"text": "A heron nests on the pier", "tags": ["birds"], "subject": "Pier",
                           "type": "location"}),
    (lambda t, n: t.remember_batch(["One", {"text": "Two", "kind": "fcat"}, 3]),  # type: ignore[list-item]
     "POST", "/memories", {"items": ["One", {"text": "Two", "kind": "fcat"}, 3]}),
    (lambda t, n: t.remember_thread([{"speaker": "Ana", "text": "Which lock?"}, {"text": "The old one."}], name="talk"),
     "POST", "/threads", {"messages": [{"speaker": "Ana", "text": "Which lock?"}, {"text": "The old one."}],
                          "name": "talk"}),
    (lambda t, n: t.turn([{"role": "user", "content": "I prefer tea."}], session="s-1"),
     "POST", "/turns", {"messages": [{"role": "user", "content": "I prefer tea."}], "session": "s-1"}),
    (lambda t, n: t.decide("Use JWT", topic="auth", reasoning="Stateless"),
     "POST", "/decisions", {"text": "Use JWT", "topic": "auth", "reasoning": "Stateless"}),
    (lambda t, n: t.checkpoint("JWT is live", implements=n["decisions"]),
     "POST", "/checkpoints", {"text": "JWT is live", "implements": "{decisions}"}),
    (lambda t, n: t.evolve(n["decisions"], "FAILED", "No way to revoke"),
     "POST", "/outcomes", {"id": "{decisions}", "result": "FAILED", "reason": "No way to revoke"}),
    (lambda t, n: t.recall("why JWT?", limit=3), "POST", "/recall", {"query": "why JWT?", "limit": 3}),
    (lambda t, n: t.history(n["decisions"]), "GET", "/memories/{decisions}/history", {}),
    (lambda t, n: t.cite(None, n["decisions"], "flagged_stale"),
     "POST", "/citations", {"recall_id": None, "id": "{decisions}", "kind": "flagged_stale"}),
    (lambda t, n: t.correct(n["memories"], "A stork nests on the pier", reason="It was dark"),
     "PATCH", "/memories/{memories}", {"text": "A stork nests on the pier", "reason": "It was dark"}),
    (lambda t, n: t.get(n["memories"]), "GET", "/memories/{memories}", {}),
    (lambda t, n: t.link(n["checkpoints"], n["decisions"], "contradicts", confidence=0.4),
     "POST", "/memories/{checkpoints}/links", {"to_id": "{decisions}", "type": "contradicts", "confidence": 0.4}),
    (lambda t, n: t.links(n["decisions"]), "GET", "/memories/{decisions}/links", {}),
    (lambda t, n: t.vote(n["decisions"], 2), "POST", "/memories/{decisions}/vote", {"value": 2}),
    (lambda t, n: t.supersede(n["decisions"], "Use sessions"), "POST", "/memories/{decisions}/supersede",
     {"text": "Use sessions"}),
    (lambda t, n: t.forget(n["checkpoints"]), "DELETE", "/memories/{checkpoints}", {}),
    (lambda t, n: t.forget(n["checkpoints"]), "DELETE", "/memories/{checkpoints}", {}),
    (lambda t, n: t.restore(n["checkpoints"]), "POST", "/memories/{checkpoints}/restore", {}),
    (lambda t, n: t.forget(query="stork pier"), "POST", "/forget", {"query": "stork pier"}),
    (lambda t, n: t.docs.put("# SPEC-7: Rigging\n\n## Depends on\n\nSPEC-3\n"), "PUT", "/documents",
     {"text": "# SPEC-7: Rigging\n\n## Depends on\n\nSPEC-3\n"}),
    (lambda t, n: t.docs.get("SPEC-7"), "GET", "/documents/SPEC-7", {}),
    (lambda t, n: t.docs.list(), "GET", "/documents", {}),
    (lambda t, n: t.rename("Pier", "North Pier"), "POST", "/entities/Pier/rename", {"name": "North Pier"}),
    (lambda t, n: t.entity("north pier"), "GET", "/entities/north pier", {}),
    (lambda t, n: t.entities(types=["location", "concept"]), "GET", "/entities", {"types": ["location", "concept"]}),
    (lambda t, n: t.trace_evolution("auth"), "GET", "/traces/evolution", {"topic": "auth"}),
    (lambda t, n: t.wrap("s-1"), "POST", "/wrap", {"session": "s-1"}),
    (lambda t, n: t.distil("s-1"), "POST", "/distil", {"session": "s-1"}),
    (lambda t, n: t.jobs(), "GET", "/jobs", {}),
    (lambda t, n: t.list(kinds=["decision", "fact"], limit=2), "GET", "/memories",
     {"kinds": ["decision", "fact"], "limit": 2}),
    (lambda t, n: t.list(status="forgotten"), "GET", "/memories", {"status": "forgotten"}),
    (lambda t, n: t.stats(), "GET", "/stats", {}),
    (lambda t, n: t.scorer_report(), "GET", "/scorer", {}),
    (lambda t, n: t.insight(step="week"), "GET", "/insight", {"step": "week"}),
    (lambda t, n: t.project_insight(panels=["hit_rate"]), "GET", "/project/insight", {"panels": "hit_rate"}),
    (lambda t, n: t.recalls(outcomes=["undecided"]), "GET", "/recalls", {"outcomes": "undecided"}),
    (lambda t, n: t.project_recalls(limit=1), "GET", "/project/recalls", {"limit": 1}),
]  # fmt: skip
"""One life through both: the library's call, and the request. What a route made first is known by its last word."""

BAD: list[tuple[Callable[[Trigraph], object], str, str, dict[str, Any], str]] = [
    (lambda t: t.remember("x", kind="fcat"), "POST", "/memories", {"text": "x", "kind": "fcat"},
     "remember x --kind fcat"),
    (lambda t: t.remember(" "), "POST", "/memories", {"text": " "}, "remember ' '"),
    (lambda t: t.remember("x", occurred_at="2026-03-14T09:12"), "POST", "/memories",
     {"text": "x", "occurred_at": "2026-03-14T09:12"}, "remember x --occurred-at 2026-03-14T09:12"),
    (lambda t: t.get("zz"), "GET", "/memories/zz", {}, "get zz"),
    (lambda t: t.get("zzzzzzzz"), "GET", "/memories/zzzzzzzz", {}, "get zzzzzzzz"),
    (lambda t: t.recall("x", limit=0), "POST", "/recall", {"query": "x", "limit": 0}, "recall x -n 0"),
    (lambda t: t.recall("x", neighbours=9), "POST", "/recall", {"query": "x", "neighbours": 9},
     "recall x --neighbours 9"),
    (lambda t: t.list(cursor="x"), "GET", "/memories", {"cursor": "x"}, "list --cursor x"),
    (lambda t: t.list(kinds=["poem"]), "GET", "/memories", {"kinds": "poem"}, "list --kind poem"),
    (lambda t: t.decide("x", topic="42"), "POST", "/decisions", {"text": "x", "topic": "42"}, "decide x --topic 42"),
    (lambda t: t.entity("Lock"), "GET", "/entities/Lock", {}, "entity get Lock"),
    (lambda t: t.share("zzzzzzzz", group="crew"), "POST", "/memories/zzzzzzzz/share", {"group": "crew"},
     "share zzzzzzzz --group crew"),
]  # fmt: skip


def nameless(value: Any, seen: Names) -> Any:
    """JSON with each id replaced by when it was first met, and each time by a word."""
    text = ID.sub(
        lambda match: seen.setdefault(match.group(), f"{match.group()[0]}-{len(seen)}"),
        json.dumps(plain(value), sort_keys=True),
    )
    for id_, name in seen.items():
        text = text.replace(id_[-8:], name)
    return json.loads(TIME.sub("then", text))


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: plain(one) for name, one in value.items() if name not in DIFFERS}
