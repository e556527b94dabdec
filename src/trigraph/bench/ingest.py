"""How fast turns are taken in: what the caller waits for, what the queue gets done, when it can be recalled.

The texts are turns of the made-up kind that `bench make` writes. The floor is the embedder alone over the same
messages, in the same run.
"""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench.measures import latency
from trigraph.faces.library import Trigraph
from trigraph.settings import Settings

_THINGS = ("the billing service", "the search index", "the import job", "the login page", "the report builder")
_CHOICES = ("Redis", "PostgreSQL", "SQLite", "a plain file", "Kafka", "a cron job", "gRPC", "Protobuf", "Celery")


def run(
    settings: Settings, *, turns: int, seed: int, note: Callable[[str], None] = lambda line: None
) -> dict[str, Any]:
    """Hand over turns while a worker works; then once more, alone, to see how long one takes to be recallable."""
    embedder = embedder_loader(settings.embedder)()
    draw = random.Random(seed)
    told = [_turn(draw, number) for number in range(turns)]
    floor = _floor(embedder, [message["content"] for turn in told for message in turn])
    note(f"embedder alone: {floor:.0f} messages/s")
    with tempfile.TemporaryDirectory() as home:
        engine = open_engine(replace(settings, home=home), embedder=embedder)
        with Trigraph(engine, scope_of(settings)) as memory:
            alone = [_handed(memory, turn, "alone") for turn in told[: min(turns, 200)]]
            begun = time.perf_counter()
            worked = memory.work()
            per_second = worked.done / (time.perf_counter() - begun)
            note(f"handed over in {latency(alone)['p95_ms']} ms (p95); {per_second:.0f} turns/s worked off")
            beside, fresh = _beside_a_worker(memory, told, note)
            stats = memory.stats()
            dead = len(memory.jobs(states=["dead"]))
    return {
        "benchmark": "ingest",
        "turns": turns,
        "handed_over_ms": latency(alone),
        "handed_over_beside_a_worker_ms": latency(beside),
        "turns_per_second": round(per_second, 1),
        "embedder_messages_per_second": round(floor, 1),
        "recallable_after_ms": latency(fresh),
        "memories": stats.by_kind,
        "dead_jobs": dead,
    }


def _turn(draw: random.Random, number: int) -> list[dict[str, str]]:
    thing, choice, port = draw.choice(_THINGS), draw.choice(_CHOICES), draw.randrange(1024, 65000)
    return [
        {
            "role": "user",
            "content": f"Can you look into ticket {number}: {thing} is slow since the last release?"
            " The load test is `tests/load.py`.",
        },
        {
            "role": "assistant",
            "content": f"I looked into ticket {number}. The root cause was a missing index behind {thing}. "
            f"We decided to use {choice} for its cache instead of reading every row. "
            f"In run {number} it listens on port {port}, and the tests pass.",
        },
    ]


def _floor(embedder: Any, texts: list[str]) -> float:
    sample = texts[:400]
    begun = time.perf_counter()
    embedder.embed_documents([f"{text} " for text in sample])
    return len(sample) / (time.perf_counter() - begun)


def _handed(memory: Trigraph, turn: list[dict[str, str]], session: str) -> float:
    begun = time.perf_counter()
    memory.turn(turn, session=session)
    return (time.perf_counter() - begun) * 1000


def _beside_a_worker(
    memory: Trigraph, told: list[list[dict[str, str]]], note: Callable[[str], None]
) -> tuple[list[float], list[float]]:
    """Milliseconds of handing over while the queue is worked, and until a fact of a turn is recalled."""
    stop = threading.Event()
    worker = threading.Thread(target=memory.work_on, args=(stop,), daemon=True)
    worker.start()
    waited, fresh = [], []
    try:
        for number, turn in enumerate(told[:60]):
            word = f"ZX{number:04d}Q"
            decided = f"We decided to use {word} instead of Memcached for the report queue."
            said = [turn[0], {**turn[1], "content": f"{decided} {turn[1]['content']}"}]
            begun = time.perf_counter()
            waited.append(_handed(memory, said, f"beside-{number}"))
            while not _derived(memory, word) and time.perf_counter() - begun < 30:
                time.sleep(0.02)
            fresh.append((time.perf_counter() - begun) * 1000)
    finally:
        stop.set()
        worker.join()
    note(f"recallable after {latency(fresh)['p95_ms']} ms (p95)")
    return waited, fresh


def _derived(memory: Trigraph, word: str) -> bool:
    found = memory.recall(word, kinds=["decision", "fact", "preference", "insight"], limit=3)
    return any(word in hit.memory.text for hit in found.hits)
