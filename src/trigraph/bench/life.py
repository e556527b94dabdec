"""Speed of the verbs of a memory's life, and of export and import, each beside a floor measured in the same run.

Without a model: what is measured is the store and the engine. The floor of a verb that writes is a bare
transaction of one insert and one update, with the same guarantees, in the same folder; the floor of a read is one
bare lookup by key. Export and import stand beside copying the file line by line.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw

from trigraph.assembly import open_engine, scope_of
from trigraph.bench.make import make
from trigraph.bench.measures import latency
from trigraph.faces.library import Trigraph
from trigraph.settings import EmbedderSettings, Settings


def run(
    settings: Settings, *, memories: int, rounds: int, seed: int, note: Callable[[str], None] = lambda line: None
) -> dict[str, Any]:
    """Make a store of that size, put each verb through its rounds, then export it and import it elsewhere."""
    plain = replace(settings, embedder=EmbedderSettings(kind="none"))
    with tempfile.TemporaryDirectory() as folder:
        home, other = Path(folder) / "home", Path(folder) / "other"
        with Trigraph(open_engine(replace(plain, home=str(home))), scope_of(settings)) as memory:
            made = make(memory.engine, memory.scope, memories, seed, revised=True)
            note(f"{made} memories made")
            verbs = _verbs(memory, rounds)
            entities = memory.stats().entities
        floors = _floors(home, rounds)
        note("verbs measured")
        transfer = _transfer(plain, home, other, Path(folder) / "export.jsonl", settings)
    return {
        "benchmark": "life",
        "memories": made,
        "entities": entities,
        "rounds": rounds,
        "verbs": verbs,
        "floors": floors,
        "transfer": transfer,
    }


def _verbs(memory: Trigraph, rounds: int) -> dict[str, dict[str, float]]:
    """Milliseconds of each verb, on memories made for it."""
    times: dict[str, list[float]] = {}

    def timed(verb: Callable[..., Any], *arguments: Any, **fields: Any) -> Any:
        started = time.perf_counter()
        answer = verb(*arguments, **fields)
        times.setdefault(verb.__name__, []).append((time.perf_counter() - started) * 1000)
        return answer

    for number in range(rounds):
        one = timed(memory.remember, f"The limit of lane {number} is {number} crates.").id
        two = timed(memory.correct, one, f"The limit of lane {number} is {number + 1} crates.").id
        three = timed(memory.supersede, two, f"Lane {number} takes {number + 2} crates now.").id
        timed(memory.reverify, three)
        timed(memory.vote, three, 1)
        timed(memory.cite, None, three)
        topic = f"lane {number % 50}"
        decided = timed(memory.decide, f"Lane {number} is closed at night.", topic=topic).id
        timed(memory.evolve, decided, "PARTIAL", "the gate jams")
        timed(memory.link, three, decided)
        timed(memory.history, two)
        timed(memory.entity, topic)
        timed(memory.get, three)
        timed(memory.list, limit=50)
        timed(memory.forget, three)
        timed(memory.restore, three)
        timed(memory.erase, three)
    return {name: latency(found) for name, found in times.items()}


def _floors(home: Path, rounds: int) -> dict[str, dict[str, float]]:
    connection = apsw.Connection(str(home / "floor.db"))
    connection.pragma("journal_mode", "WAL")
    connection.pragma("synchronous", "FULL")
    connection.execute("CREATE TABLE floor (key INTEGER PRIMARY KEY, text TEXT, until INTEGER)")
    writes, reads = [], []
    for number in range(rounds):
        started = time.perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO floor (text) VALUES (?)", (f"The limit of lane {number} is 7 crates.",))
        connection.execute("UPDATE floor SET until = ? WHERE key = ?", (number, number))
        connection.execute("COMMIT")
        writes.append((time.perf_counter() - started) * 1000)
        started = time.perf_counter()
        connection.execute("SELECT text FROM floor WHERE key = ?", (number + 1,)).fetchall()
        reads.append((time.perf_counter() - started) * 1000)
    connection.close()
    return {"write": latency(writes), "read": latency(reads)}


def _transfer(plain: Settings, home: Path, other: Path, file: Path, settings: Settings) -> dict[str, Any]:
    scope = scope_of(settings)
    before = _peak_mb()
    with Trigraph(open_engine(replace(plain, home=str(home))), scope) as memory:
        started = time.perf_counter()
        report = memory.export(file, everything=True)
        exported = time.perf_counter() - started
    after_export = _peak_mb()
    with Trigraph(open_engine(replace(plain, home=str(other))), scope) as memory:
        started = time.perf_counter()
        memory.import_(file)
        imported = time.perf_counter() - started
        after_import = _peak_mb()
        same = memory.export(file.with_suffix(".again"), everything=True).digest == report.digest
    started = time.perf_counter()
    with file.open(encoding="utf-8") as source, file.with_suffix(".copy").open("w", encoding="utf-8") as copy:
        copy.writelines(source)
    copied = time.perf_counter() - started
    count = sum(report.counts.values())
    return {
        "records": count,
        "file_bytes": file.stat().st_size,
        "export_per_second": round(count / exported, 1),
        "import_per_second": round(count / imported, 1),
        "copy_per_second": round(count / copied, 1),
        "peak_mb_before": before,
        "peak_mb_after_export": after_export,
        "peak_mb_after_import": after_import,
        "same_digest": same,
    }


def _peak_mb() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
