"""A process that writes until it is killed; run by test_kill.

Says on stdout what was acknowledged, each line one write(2): the memory's id, a space, its text.
`endless_writer.py HOME NAME` is one such process, with the real model.
`endless_writer.py HOME` is a nursery: for each line on stdin it forks such a process under that name, with
numpy and trigraph imported but nothing opened, tells `pid` and the number, and once it is dead, `dead`.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import trigraph
from trigraph.assembly import open_engine
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.model.status import EmbeddingModel
from trigraph.settings import Settings


class HashEmbedder:
    """A double of the model: a vector of the text's hash. Only there so that a hundred starts take seconds."""

    model = EmbeddingModel("hash", 16)

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> np.ndarray:
        rows = [np.frombuffer(hashlib.sha256(text.encode()).digest()[:16], np.uint8) for text in texts]
        vectors = np.array(rows, np.float32) - 127.5
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def embed_query(self, text: str) -> np.ndarray:
        return self.embed_documents([text])[0]


def write_for_ever(memory: Trigraph, name: str) -> None:
    """Single, batch of 3 and thread of 4 in turn."""
    for number in itertools.count():
        texts = [f"{name} round {number} text {place} of the ferry's log" for place in range(8)]
        _acknowledge(memory.remember(texts[0]), texts[:1])
        _acknowledge(memory.remember_batch(texts[1:4]), texts[1:4])
        _acknowledge(memory.remember_thread([{"text": text} for text in texts[4:]]), texts[4:])


def live_for_ever(memory: Trigraph, name: str) -> None:
    """A decision, what was built on it and what came of it, its successor, a correction, in turn, each under a key."""
    for number in itertools.count():
        round_ = f"{name} round {number}"
        text = f"{round_} `ferry_{number % 7}` sails at six"
        old = memory.decide(text, topic="sailing", idempotency_key=round_)
        _tell(f"decided {old.id}")
        memory.checkpoint(f"{round_} built", implements=old.id)
        memory.evolve(old.id, "FAILED", "fog")
        new = memory.decide(f"{round_} sails at nine", topic="sailing", supersedes=old.id)
        _tell(f"superseded {old.id} {new.id}")
        right = memory.correct(new.id, f"{round_} sails at ten")
        _tell(f"corrected {new.id} {right.id}")
        memory.forget(right.id)
        _tell(f"forgot {right.id}")


def _acknowledge(report: object, texts: list[str]) -> None:
    lines = [f"{item.id} {text}\n" for item, text in zip(report.items, texts, strict=True)]  # type: ignore[attr-defined]
    os.write(1, "".join(lines).encode())


def _tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def _nursery(home: Path) -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            started = time.perf_counter()
            memory = Trigraph(open_engine(Settings(home=str(home)), embedder=HashEmbedder()), LOCAL_SCOPE)
            memory.stats()
            _tell(f"opened {time.perf_counter() - started:.3f}")
            write = live_for_ever if line.startswith("life") else write_for_ever
            write(memory, line.strip())
        _tell(f"pid {child}")
        os.waitpid(child, 0)
        _tell("dead")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        _nursery(Path(sys.argv[1]))
    else:
        write_for_ever(trigraph.open(sys.argv[1]), sys.argv[2])
