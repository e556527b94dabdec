"""One process of several that write to one home at once; run by test_processes.

Reads its orders as JSON from its arguments, says `ready`, waits for a line, works in threads, and prints
what was acknowledged: one JSON object a line, {"text", "id", "status"} or {"error"}.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import trigraph
from trigraph.faces.library import Trigraph

THREADS = 4
ROUNDS = 4


def main() -> None:
    home, task, process = sys.argv[1:]
    with trigraph.open(home) as memory:
        memory.health()  # loads the model
        print("ready", flush=True)
        sys.stdin.readline()
        work = {"own": write_own_texts, "same": write_the_same_texts}[task]
        with ThreadPoolExecutor(THREADS) as threads:
            for lines in threads.map(lambda thread: attempt(work, memory, f"{process}{thread}"), range(THREADS)):
                for line in lines:
                    print(json.dumps(line))


def attempt(work, memory: Trigraph, name: str) -> list[dict[str, object]]:
    try:
        return work(memory, name)
    except Exception as error:  # whatever it is, the test is to see it
        return [{"error": repr(error)}]


def write_own_texts(memory: Trigraph, name: str) -> list[dict[str, object]]:
    """Single, batch and thread in turn, each followed by a recall."""
    acknowledged: list[dict[str, object]] = []
    for number in range(ROUNDS):
        texts = [f"Heron{name}r{number}n{place} was seen at quay {place} at dawn" for place in range(7)]
        reports = (
            memory.remember(texts[0]),
            memory.remember_batch(texts[1:4]),
            memory.remember_thread([{"text": text, "speaker": "Ana"} for text in texts[4:]]),
        )
        items = [item for report in reports for item in report.items]
        acknowledged += [
            {"text": text, "id": item.id, "status": item.status} for text, item in zip(texts, items, strict=True)
        ]
        found = memory.recall(f"Heron{name}r{number}n0", limit=5)
        if found.degraded or texts[0] not in [hit.memory.text for hit in found.hits]:
            acknowledged.append({"error": f"{texts[0]!r} was not recalled: {found.legs}"})
    return acknowledged


def write_the_same_texts(memory: Trigraph, name: str) -> list[dict[str, object]]:
    """Fifty texts that every thread of every process writes, half one by one, half at once."""
    texts = [f"Barge {number} carries gravel to the lock" for number in range(50)]
    items = [item for text in texts[:25] for item in memory.remember(text).items]
    items += memory.remember_batch(texts[25:]).items
    return [{"text": text, "id": item.id, "status": item.status} for text, item in zip(texts, items, strict=True)]


if __name__ == "__main__":
    main()
