"""Reflection over sessions with planted patterns: is what recurs found, and are look-alikes left alone?

A set is a folder of `session-N.jsonl` and a `plan.json` that says which sessions hold which pattern and which decoy,
with words that a true finding must use.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from trigraph.assembly import embedder_loader
from trigraph.contracts import Embedder
from trigraph.lifecycle.recurrence import Recurring, Statement, candidates, recurring
from trigraph.settings import EmbedderSettings

SETS = ("tune", "report")
SESSIONS_LEAST = 2


def run(folder: Path, embedder: Embedder | None = None) -> dict[str, Any]:
    """Every set below a folder, with the packaged embedder unless another is given, and by words alone."""
    model = embedder if embedder is not None else embedder_loader(EmbedderSettings())()
    found: dict[str, Any] = {}
    for name in SETS:
        if (folder / name / "plan.json").is_file():
            found[name] = {"with_vectors": measured(folder / name, model), "words_alone": measured(folder / name, None)}
    return {"benchmark": "reflection", "model": model.model.model_id, "sets": found}


def measured(folder: Path, embedder: Embedder | None) -> dict[str, Any]:
    """How many planted patterns and how many decoys are found in one set, and how much else is reported."""
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    statements = list(statements_of(folder))
    passages = candidates(statements)
    vectors = None if embedder is None else embedder.embed_documents([one.text for one in passages])
    insights = recurring(passages, vectors)
    session_of = {one.memory_id: int(one.session) for one in statements}
    right = {
        planted["id"]: [one for one in insights if _shows(one, planted, session_of)] for planted in plan["patterns"]
    }
    good = {id(one) for of in right.values() for one in of}
    rest = [one for one in insights if id(one) not in good]
    fooled = {decoy["id"]: [one for one in rest if _is_decoy(one, decoy, session_of)] for decoy in plan["decoys"]}
    bad = {id(one) for of in fooled.values() for one in of}
    return {
        "messages": len(statements),
        "candidates": len(passages),
        "patterns": len(right),
        "patterns_found": sum(bool(of) for of in right.values()),
        "decoys": len(fooled),
        "decoys_found": sum(bool(of) for of in fooled.values()),
        "further": sum(id(one) not in bad for one in rest),
    }


def statements_of(folder: Path) -> Iterator[Statement]:
    """The messages of a set's sessions; the number of the session is its name."""
    for path in sorted(folder.glob("session-*.jsonl")):
        number = path.stem.partition("-")[2]
        for turn, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            row = json.loads(line)
            at = datetime.fromisoformat(row["created_at"])
            yield Statement(f"{number}/{turn}", number, row["role"], row["content"], at)


def _shows(insight: Recurring, planted: Mapping[str, Any], session_of: Mapping[str, int]) -> bool:
    if insight.pattern.value != planted["kind"] or not _holds(insight.text, planted["terms"]):
        return False
    return len(_sessions(insight, session_of) & {*planted["sessions"]}) >= SESSIONS_LEAST


def _is_decoy(insight: Recurring, decoy: Mapping[str, Any], session_of: Mapping[str, int]) -> bool:
    return _sessions(insight, session_of) <= {*decoy["sessions"]} and _holds(insight.text, decoy["terms"])


def _sessions(insight: Recurring, session_of: Mapping[str, int]) -> set[int]:
    return {session_of[one.memory_id] for one in insight.evidence}


def _holds(text: str, terms: Iterable[str]) -> bool:
    """Whether a text has one of the terms as a whole word."""
    return any(re.search(rf"(?<!\w){re.escape(term)}(?!\w)", text, re.IGNORECASE) for term in terms)
