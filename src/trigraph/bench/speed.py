"""Speed of remember and recall, each beside a floor measured in the same run.

Seconds differ between machines and hours; the ratio to the floor holds. remember stands beside the embedder
alone on such texts, and beside itself with every vector in the embedder's cache already, which is what the
store could do; the floor of recall is a bare FTS5 query with the same terms plus a bare
scan over the same vectors. Recall is measured without the embedding of the query, which is in the cache.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench.make import make, questions
from trigraph.bench.measures import latency
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
        recalls, terms, legs = _recall_times(engine, scope, asked)
        floors = _floor_times(Path(home) / f"{scope.tenant}.db", embedder, asked, terms)
        embed_seconds = _embed_seconds(engine, scope, settings)
        stored = engine.stats(scope)
    cached_seconds = _again_from_cache(embedder, scope, min(memories, settings.embedder.cache_entries // 2), seed)
    return {
        "benchmark": "speed",
        "memories": made,
        "passages": stored.passages,
        "store_bytes": stored.store_bytes,
        "remember": _remember_figures(made / seconds, EMBED_SAMPLE / embed_seconds, cached_seconds),
        "recall": {
            "without_query_embedding": latency(recalls),
            "floor": latency(floors),
            "ratio_p50": round(latency(recalls)["p50_ms"] / max(latency(floors)["p50_ms"], 1e-6), 2),
            "ratio_p95": round(latency(recalls)["p95_ms"] / max(latency(floors)["p95_ms"], 1e-6), 2),
            "legs": {name: latency(times) for name, times in legs.items()},
        },
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


def _recall_times(
    engine: Engine, scope: Scope, asked: list[str]
) -> tuple[list[float], list[tuple[str, ...]], dict[str, list[float]]]:
    times, terms = [], []
    legs: dict[str, list[float]] = {}
    for text in asked:
        engine.recall(scope, RecallQuery(text))  # puts the query's vector into the embedder's cache
        started = time.perf_counter()
        answer = engine.recall(scope, RecallQuery(text))
        times.append((time.perf_counter() - started) * 1000)
        terms.append(answer.plan.terms)
        for leg in answer.legs:
            if leg.count:
                legs.setdefault(leg.leg.value, []).append(leg.milliseconds)
    return times, terms, legs


def _floor_times(path: Path, embedder: Embedder, asked: list[str], terms: list[tuple[str, ...]]) -> list[float]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    blobs = [row[0] for row in connection.execute("SELECT embedding FROM vector ORDER BY seq")]
    matrix = np.frombuffer(b"".join(blobs), dtype=np.int8).reshape(len(blobs), -1)[:, 4:].astype(np.float32)
    times = []
    for text, words in zip(asked, terms, strict=True):
        vector = embedder.embed_query(text)
        started = time.perf_counter()
        match = " OR ".join(f'"{word}"' for word in words)
        connection.execute(
            "SELECT rowid FROM lexical WHERE lexical MATCH ? ORDER BY rank LIMIT ?", (match, CANDIDATES)
        ).fetchall()
        _scan(matrix, vector)
        times.append((time.perf_counter() - started) * 1000)
    connection.close()
    return times


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
