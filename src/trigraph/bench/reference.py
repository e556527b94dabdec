"""Deep references: is the recommended memory right, are contradictions found, and how long it takes beside recall.

Twice thirty questions (`benchmarks/deep_reference`) over the demo project and decision records: those that may be
looked at while rules are written, and those held out, which were written by somebody who knew none of the rules. Each
names all that answers it, or nothing where memory has no answer; some ask for what was replaced or take for granted
what memory denies, and say which status is right.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench.data import read_lines
from trigraph.bench.questions import Collection, demo, documents
from trigraph.faces.library import Trigraph
from trigraph.settings import Settings

REPEATS = 3
PARTS = {"questions": "looked at", "held_out": "held out"}


def run(
    sets: Path, data: Path, settings: Settings, note: Callable[[str], None] = lambda line: None, *, show: bool = False
) -> dict[str, Any]:
    """Every question of every collection, in a store of its own; each timed three times, by turns with recall. Which of
    the two is asked first, and so makes the question's vector, changes from question to question."""
    embedder = embedder_loader(settings.embedder)()
    collections = {"demo": demo(sets.parent / "demo"), "adrs": documents(data, data / "adrs", ("adrs",))}
    asked = [{**one, "part": part} for part in PARTS for one in read_lines(sets / "deep_reference" / f"{part}.jsonl")]
    rows: list[dict[str, Any]] = []
    times: dict[str, list[float]] = {"deep_reference": [], "recall": []}
    for name, collection in collections.items():
        with tempfile.TemporaryDirectory() as home:
            collection.load(Path(home), embedder, settings)
            with Trigraph(open_engine(Settings(home=home), embedder=embedder), scope_of(settings)) as memory:
                memory.recall("warm")
                for number, question in enumerate(one for one in asked if one["set"] == name):
                    _timed(memory, question["query"], times, recall_first=number % 2 == 0)
                    rows.append(_asked(memory, collection, question))
                    if show:
                        note(f"\n## {question['query']}\n{rows[-1]['reasoning']}")
        note(f"{name}: {sum(one['set'] == name for one in rows)} questions")
    p95 = {verb: round(float(np.percentile(some, 95)), 1) for verb, some in times.items()}
    return {
        "benchmark": "deep_reference",
        "parts": {part: _counted([one for one in rows if one["part"] == part]) for part in PARTS},
        "p95_milliseconds": p95,
        "ratio": round(p95["deep_reference"] / p95["recall"], 2),
        "rows": rows,
    }


def _counted(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    told = [one for one in rows if one["expected_status"]]
    return {
        "questions": len(rows),
        "recommended_right": sum(one["recommended_right"] for one in rows),
        "recall_first_right": sum(one["first_right"] for one in rows),
        "status_asked": len(told),
        "status_right": sum(one["status"] == one["expected_status"] for one in told),
    }


def _timed(memory: Trigraph, query: str, times: dict[str, list[float]], *, recall_first: bool) -> None:
    verbs: list[tuple[str, Callable[[], object]]] = [
        ("recall", lambda: memory.recall(query, limit=20)),
        ("deep_reference", lambda: memory.deep_reference(query)),
    ]
    for _ in range(REPEATS):
        for name, ask in verbs if recall_first else reversed(verbs):
            begun = time.perf_counter()
            ask()
            times[name].append(1000 * (time.perf_counter() - begun))


def _asked(memory: Trigraph, collection: Collection, question: Mapping[str, Any]) -> dict[str, Any]:
    plain = memory.recall(question["query"], limit=20)
    found = memory.deep_reference(question["query"])
    named = collection.called(memory.get(found.recommended.memory_id)) if found.recommended else None
    first = collection.called(plain.hits[0].memory) if plain.hits else None
    relevant = question["relevant"]
    return {
        "set": question["set"],
        "part": question["part"],
        "query": question["query"],
        "recommended": named,
        "recommended_right": named in relevant if relevant else found.nothing_found,
        "first_right": first in relevant if relevant else plain.nothing_found,
        "status": found.status.value if found.status else None,
        "expected_status": question.get("status"),
        "confidence": found.confidence,
        "reasoning": found.reasoning,
    }


def reference_table(found: Mapping[str, Any]) -> str:
    """The figures for people."""
    from trigraph.bench.report import table

    counted = [
        [f"{label}: {name}", f"{of[right]} of {of[whole]}"]
        for part, of in found["parts"].items()
        for label, name, right, whole in (
            (PARTS[part], "recommended memory answers", "recommended_right", "questions"),
            (PARTS[part], "first hit of recall answers", "recall_first_right", "questions"),
            (PARTS[part], "status as labelled", "status_right", "status_asked"),
        )
    ]
    counted += [
        ["p95 of deep_reference", f"{found['p95_milliseconds']['deep_reference']} ms"],
        ["p95 of recall", f"{found['p95_milliseconds']['recall']} ms"],
        ["ratio", str(found["ratio"])],
    ]
    missed = [
        [PARTS[one["part"]], one["query"][:60], str(one["recommended"])[-40:], str(one["status"])]
        for one in found["rows"]
        if not one["recommended_right"] or one["status"] != (one["expected_status"] or one["status"])
    ]
    parts = ["Deep references", table(("measure", "value"), counted)]
    return "\n\n".join([*parts, "Missed", table(("part", "question", "recommended", "status"), missed)])
