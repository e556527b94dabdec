"""The three graphs on data that others wrote, and a hub that must not hurt: relations, states, traversals.

Filecoin's improvement proposals declare relations in front matter and have a history of statuses; the architecture
decision records of eleven repositories collide in their numbers. No model is needed: nothing here is about likeness.
"""

from __future__ import annotations

import csv
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from trigraph.assembly import open_engine, scope_of
from trigraph.bench.measures import latency
from trigraph.errors import NotFound
from trigraph.faces.library import Trigraph
from trigraph.settings import DocumentSettings, EmbedderSettings, Settings

HUB_MEMORIES = 10_000
ROUNDS = 50
_FRONT = "front matter: "


def run(data: Path, settings: Settings, note: Callable[[str], None] = lambda line: None) -> dict[str, Any]:
    """All three, as the command prints them with `--json`."""
    settings = replace(settings, embedder=EmbedderSettings(kind="none"))
    found: dict[str, Any] = {"benchmark": "graphs"}
    for name, measure in (("fips", _fips), ("adrs", _adrs), ("hub", _hub)):
        found[name] = measure(data, settings)
        note(f"{name}: done")
    return found


@contextmanager
def _opened(settings: Settings, **changes: Any) -> Iterator[Trigraph]:
    with tempfile.TemporaryDirectory() as home:
        changed = replace(settings, home=home, **changes)
        with Trigraph(open_engine(changed), scope_of(settings)) as memory:
            yield memory


def _fips(data: Path, settings: Settings) -> dict[str, Any]:
    folder = data / "fips"
    with _opened(settings, documents=DocumentSettings("FIP")) as memory:
        memory.docs.add(folder / "docs", collection="fips")
        declared, from_sections = _declared(memory)
        expected = {(row["source"], row["edge_type"], row["target"]) for row in _rows(folder / "edges.csv")}
        history = list(_late(folder / "status_history.csv"))
        started = time.perf_counter()
        for row in history:
            memory.docs.status(row["id"], row["status"], valid_from=row["valid_from_utc"])
        seconds = time.perf_counter() - started
        questions = list(_rows(folder / "asof_questions.csv"))
        right = sum(_status_then(memory, row["id"], row["as_of"]) == row["expected_status"] for row in questions)
    return {
        "documents": len(list((folder / "docs").glob("*.md"))),
        "declared": len(expected),
        "found": len(declared & expected),
        "wrong": len(declared - expected),
        "from_sections": from_sections,
        "late_states": len(history),
        "late_states_per_second": round(len(history) / seconds, 1),
        "as_of_questions": len(questions),
        "as_of_right": right,
    }


def _declared(memory: Trigraph) -> tuple[set[tuple[str, str, str]], int]:
    """(declaring document, key, other end) of all that front matter declares, and how many come from sections."""
    declared: set[tuple[str, str, str]] = set()
    sections = 0
    names = {one.memory_id: _plain(one.name) for one in _documents(memory)}
    seen = set()
    for one in _documents(memory):
        for relation in memory.relations(one.entity_id):
            ends = {_plain(relation.source.name), _plain(relation.target.name)}
            for evidence in relation.evidence:
                key = (relation.source.id, relation.type, relation.target.id, evidence.memory_id, evidence.section)
                if key in seen:
                    continue
                seen.add(key)
                by = names[evidence.memory_id]
                if evidence.section.startswith(_FRONT):
                    declared.add((by, evidence.section.removeprefix(_FRONT), *(ends - {by})))  # type: ignore[arg-type]
                else:
                    sections += 1
    return declared, sections


def _adrs(data: Path, settings: Settings) -> dict[str, Any]:
    folders = sorted(path for path in (data / "adrs").iterdir() if path.is_dir())
    with _opened(settings) as memory:
        first = memory.docs.add(folders).report()
        again = memory.docs.add(folders).report()
        documents = [one for one in _documents(memory) if not one.stub]
        with_relations = sum(
            any(x.memory_id == one.memory_id for r in memory.relations(one.entity_id) for x in r.evidence)
            for one in documents
        )
        audit = memory.audit()
    return {
        "collections": len(folders),
        "files": len(first.items),
        "added": first.count("added"),  # type: ignore[arg-type]
        "updated": first.count("updated"),  # type: ignore[arg-type]
        "errors": first.count("error"),  # type: ignore[arg-type]
        "again_duplicate": again.count("duplicate"),  # type: ignore[arg-type]
        "with_relations": with_relations,
        "audit_ok": audit.ok,
    }


def _hub(_: Path, settings: Settings) -> dict[str, Any]:
    """One decision that ten thousand memories are linked to: traces and recall must not walk them all."""
    with _opened(settings) as memory:
        hub = memory.decide("All services speak over the bus.", topic="message bus").id
        items = [f"Service {number} moved to `BusClient` in week {number % 52}." for number in range(HUB_MEMORIES)]
        report = memory.remember_batch(items)
        scope, engine = memory.scope, memory.engine
        store = engine._parts.store
        with store.transaction(scope, engine.now(scope)) as at:
            from trigraph.model.ids import new_id
            from trigraph.model.link import LINK_PREFIX, Link, LinkOrigin, LinkType

            for item in report.items:
                link = Link(
                    new_id(LINK_PREFIX, at), str(item.id), hub, LinkType.IMPLEMENTS, 0.9, LinkOrigin.USER,
                    scope.agent, None, at, None, at,
                )  # fmt: skip
                store.links.add(scope, link)
        times: dict[str, list[float]] = {"trace impact": [], "trace evolution": [], "graph leg": []}
        truncated = True
        for _round in range(ROUNDS):
            truncated &= _timed(times["trace impact"], lambda: memory.trace_impact(hub)).truncated
            _timed(times["trace evolution"], lambda: memory.trace_evolution("message bus"))
            leg = next(leg for leg in memory.recall("BusClient", profile="graph").legs)
            times["graph leg"].append(leg.milliseconds)
        return {
            "degree": HUB_MEMORIES,
            "truncated_said": truncated,
            "milliseconds": {name: latency(values) for name, values in times.items()},
        }


def _timed(into: list[float], call: Callable[[], Any]) -> Any:
    started = time.perf_counter()
    found = call()
    into.append((time.perf_counter() - started) * 1000)
    return found


def _documents(memory: Trigraph) -> Iterator[Any]:
    cursor: str | None = None
    while True:
        page = memory.docs.list(limit=500, cursor=cursor)
        yield from page.documents
        cursor = page.next_cursor
        if cursor is None:
            return


def _late(path: Path) -> Iterator[dict[str, str]]:
    """A history out of order; of what happened at one instant, the later stays the later."""
    instants: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in _rows(path):
        instants.setdefault((row["id"], row["valid_from_utc"]), []).append(row)
    for instant in random.Random(0).sample(sorted(instants), len(instants)):
        yield from instants[instant]


def _status_then(memory: Trigraph, name: str, as_of: str) -> str:
    try:
        return memory.docs.get(name, collection="fips", as_of=as_of).document.props.get("status", "(absent)")
    except NotFound:
        return "(absent)"


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _plain(name: str) -> str:
    return re.sub(r"-0+(?=\d)", "-", name)
