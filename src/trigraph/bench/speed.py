"""Speed of remember and recall, each beside a floor measured in the same run.

Seconds differ between machines and hours; the ratio to the floor holds. remember stands beside the embedder
alone on such texts, and beside itself with every vector in the embedder's cache already, which is what the
store could do; the floor of recall is a bare FTS5 query with the same terms plus a bare
scan over the same vectors, asked in turns with it. Recall is measured without the embedding of the query, which is in
the cache, and tells how much of it each stage took.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench.make import make, questions
from trigraph.bench.measures import latency, percentile
from trigraph.contracts import Embedder
from trigraph.engine.engine import Engine
from trigraph.model.memory import Memory, MemoryFilter
from trigraph.model.query import RecallQuery
from trigraph.model.scope import Scope
from trigraph.settings import Settings

EMBED_SAMPLE = 1000
CANDIDATES = 100


def run(
    settings: Settings,
    *,
    memories: int,
    queries: int,
    seed: int,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Make a store of that size, then ask it."""
    embedder = embedder_loader(settings.embedder)()
    scope = scope_of(settings)
    with tempfile.TemporaryDirectory() as home, open_engine(Settings(home=home), embedder=embedder) as engine:
        started = time.perf_counter()
        made = make(engine, scope, memories, seed)
        seconds = time.perf_counter() - started
        note(f"{made} memories in {seconds:.1f} s")
        asked = questions(queries, seed + 1)
        times = _times(engine, scope, Path(home) / f"{scope.tenant}.db", embedder, asked)
        embed_seconds = _embed_seconds(engine, scope, settings)
        stored = engine.stats(scope)
    cached_seconds = _again_from_cache(embedder, scope, min(memories, settings.embedder.cache_entries // 2), seed)
    return {
        "benchmark": "speed",
        "memories": made,
        "passages": stored.passages,
        "store_bytes": stored.store_bytes,
        "remember": _remember_figures(made / seconds, EMBED_SAMPLE / embed_seconds, cached_seconds),
        "recall": times.figures(),
    }


def run_here(settings: Settings, *, queries: int, seed: int) -> dict[str, Any]:
    """Ask the store that is there, as `bench make` filled it."""
    embedder = embedder_loader(settings.embedder)()
    scope = scope_of(settings)
    with open_engine(settings, embedder=embedder) as engine:
        stored = engine.stats(scope)
        path = Path(settings.home) / f"{scope.tenant}.db"
        times = _times(engine, scope, path, embedder, questions(queries, seed + 1))
    return {
        "benchmark": "speed",
        "memories": stored.memories,
        "passages": stored.passages,
        "store_bytes": stored.store_bytes,
        "recall": times.figures(),
    }


def _again_from_cache(embedder: Embedder, scope: Scope, memories: int, seed: int) -> float:
    """How many memories a second the store takes when every vector is in the cache."""
    with tempfile.TemporaryDirectory() as home, open_engine(Settings(home=home), embedder=embedder) as engine:
        make(engine, scope, memories, seed + 2)
    with tempfile.TemporaryDirectory() as home, open_engine(Settings(home=home), embedder=embedder) as engine:
        started = time.perf_counter()
        made = make(engine, scope, memories, seed + 2)
        return made / (time.perf_counter() - started)


def _remember_figures(per_second: float, embedder_per_second: float, cached: float) -> dict[str, float]:
    return {
        "per_second": round(per_second, 1),
        "embedder_alone_per_second": round(embedder_per_second, 1),
        "store_alone_per_second": round(cached, 1),
    }


@dataclass(slots=True)
class _Times:
    """Milliseconds of each question: recall, its floor just after it, and recall's stages."""

    recalls: list[float] = field(default_factory=list)
    floors: list[float] = field(default_factory=list)
    stages: list[Mapping[str, float]] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        recall, floor = latency(self.recalls), latency(self.floors)
        each = [recall / max(floor, 1e-6) for recall, floor in zip(self.recalls, self.floors, strict=True)]
        return {
            "without_query_embedding": recall,
            "floor": floor,
            "ratio_p50": round(recall["p50_ms"] / max(floor["p50_ms"], 1e-6), 2),
            "ratio_p95": round(recall["p95_ms"] / max(floor["p95_ms"], 1e-6), 2),
            "median_of_ratios": round(percentile(each, 0.5), 2),
            "stages": self._shares(),
        }

    def _shares(self) -> dict[str, dict[str, float]]:
        """Each stage's times, and its share of the time of all recalls."""
        names = dict.fromkeys(name for one in self.stages for name in one)
        whole = max(sum(sum(one.values()) for one in self.stages), 1e-6)
        found = {}
        for name in names:
            times = [one.get(name, 0.0) for one in self.stages]
            found[name] = {**latency(times), "share": round(sum(times) / whole, 3)}
        return found


def _times(engine: Engine, scope: Scope, path: Path, embedder: Embedder, asked: list[str]) -> _Times:
    """Recall and floor in turns, so that whatever else the machine does falls on both alike."""
    times = _Times()
    with closing(_Floor(path)) as floor:
        for text in asked:
            engine.recall(scope, RecallQuery(text))  # puts the query's vector into the embedder's cache
            vector = embedder.embed_query(text)
            started = time.perf_counter()
            answer = engine.recall(scope, RecallQuery(text))
            times.recalls.append((time.perf_counter() - started) * 1000)
            times.stages.append(answer.stages)
            times.floors.append(floor.milliseconds(answer.plan.terms, vector))
    return times


class _Floor:
    """The least that a search by words and by meaning can cost: a bare FTS5 query and a bare scan of the vectors."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        blobs = [row[0] for row in self._connection.execute("SELECT embedding FROM vector ORDER BY seq")]
        table = np.frombuffer(b"".join(blobs), dtype=np.int8).reshape(len(blobs), -1)
        self._matrix = table[:, 4:].astype(np.float32)

    def milliseconds(self, terms: Sequence[str], vector: NDArray[np.float32]) -> float:
        """What it takes for one question."""
        started = time.perf_counter()
        match = " OR ".join(f'"{word}"' for word in terms)
        self._connection.execute(
            "SELECT rowid FROM lexical WHERE lexical MATCH ? ORDER BY rank LIMIT ?", (match, CANDIDATES)
        ).fetchall()
        _scan(self._matrix, vector)
        return (time.perf_counter() - started) * 1000

    def close(self) -> None:
        self._connection.close()


def _scan(matrix: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.int64]:
    scores = matrix @ vector
    return np.argpartition(-scores, min(CANDIDATES, len(scores) - 1))[:CANDIDATES]


def _as_embedded(memory: Memory) -> str:
    """About what the model was given: the text after its topic or speaker."""
    speaker = memory.place.speaker if memory.place else None
    return f"{speaker}: {memory.text}" if speaker else f"{memory.topic}\n{memory.text}"


def _embed_seconds(engine: Engine, scope: Scope, settings: Settings) -> float:
    """How long the embedder alone takes for a sample of what was stored, with nothing in its cache."""
    embedder = embedder_loader(settings.embedder)()
    texts: list[str] = []
    cursor: str | None = None
    while len(texts) < EMBED_SAMPLE:
        page = engine.list(scope, MemoryFilter(), 500, cursor)
        texts += [_as_embedded(memory) for memory in page.memories]
        cursor = page.next_cursor
        if cursor is None:
            break
    started = time.perf_counter()
    embedder.embed_documents(texts[:EMBED_SAMPLE])
    return (time.perf_counter() - started) * EMBED_SAMPLE / max(len(texts[:EMBED_SAMPLE]), 1)
