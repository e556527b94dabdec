"""What the three pipelines keep of real coding sessions, held against labels: how much is noise, and how much of what
is worth keeping was kept.

The sessions are others' and no part of trigraph: labels name a memory by a digest of its text. What is worth keeping of
two whole sessions was listed by hand before any pipeline had read them (`benchmarks/yield`).
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench.data import read_lines
from trigraph.faces.library import Trigraph
from trigraph.model.memory import Memory
from trigraph.settings import Settings

SOURCES = ("turn", "distillation", "reflection")
LABELS = ("useful", "noise", "wrong")


def run(
    transcripts: Path,
    benchmarks: Path,
    settings: Settings,
    *,
    sample_to: Path | None = None,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Run all three pipelines over all sessions, and hold what was stored against the labels that are there."""
    embedder = embedder_loader(settings.embedder)()
    with tempfile.TemporaryDirectory() as home:
        engine = open_engine(replace(settings, home=home), embedder=embedder)
        with Trigraph(engine, scope_of(settings)) as memory:
            for file in sorted(transcripts.glob("session-*.jsonl")):
                memory.turn(file.read_text(encoding="utf-8"), session=file.stem, whole=True)
            worked = memory.work()
            for file in sorted(transcripts.glob("session-*.jsonl")):
                memory.distil(file.stem)
            memory.reflect(days=3660)
            worked += memory.work()
            found = _derived(memory)
            counts = dict(memory.stats().by_kind)
    note(f"{worked.done} jobs done, {worked.failed} failed, {len(found)} memories derived")
    if sample_to is not None:
        shown = ({**_named(one), "text": one.text, "kind": one.kind, "tags": one.tags} for one in found)
        sample_to.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in shown), "utf-8")
    return {
        "benchmark": "sessions",
        "derived": len(found),
        "by_source": dict(Counter(one.provenance.source.value for one in found)),
        "stored": counts,
        "labels": _labelled(found, benchmarks / "sessions" / "labels.jsonl"),
        "yield": _yield(found, benchmarks),
    }


def digest(text: str) -> str:
    """What names a memory in a file of labels."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]


def _named(one: Memory) -> dict[str, Any]:
    return {"memory": digest(one.text), "session": one.provenance.session, "source": one.provenance.source.value}


def _derived(memory: Trigraph) -> list[Memory]:
    found: list[Memory] = []
    cursor = None
    while True:
        page = memory.list(sources=list(SOURCES), limit=500, cursor=cursor)
        found += page.memories
        cursor = page.next_cursor
        if cursor is None:
            return sorted(found, key=lambda one: (one.provenance.session or "", one.id))


def _labelled(found: list[Memory], path: Path) -> dict[str, Any]:
    """How the stored memories were judged; what nobody has judged is said."""
    labels = {row["memory"]: row["label"] for row in read_lines(path)} if path.is_file() else {}
    judged = Counter(labels.get(digest(one.text), "unlabelled") for one in found)
    known = sum(judged[label] for label in LABELS)
    share = {label: round(100 * judged[label] / known, 1) for label in LABELS} if known else {}
    return {"judged": dict(judged), "percent": share}


def _yield(found: list[Memory], benchmarks: Path) -> dict[str, Any]:
    """Of what was listed by hand, what is stored: by judgements that name the memories which say it."""
    path = benchmarks / "sessions" / "yield.jsonl"
    said = {row["item"]: row["memories"] for row in read_lines(path)} if path.is_file() else {}
    there = {digest(one.text) for one in found}
    told: dict[str, Any] = {}
    for file in sorted((benchmarks / "yield").glob("session-*.jsonl")):
        items = read_lines(file)
        kept = [item["id"] for item in items if there & set(said.get(item["id"], ()))]
        stated = [item["id"] for item in items if item["stated"]]
        told[file.stem] = {
            "items": len(items),
            "kept": len(kept),
            "stated": len(stated),
            "stated_kept": len(set(kept) & set(stated)),
            "judged": sum(item["id"] in said for item in items),
        }
    return told
