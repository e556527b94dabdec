"""Processes that let go of old recalls until nothing is left to let go of, or until they are killed; run by
test_kill_retention.

`retention_worker.py HOME` is a nursery: for each line on stdin it forks such a process, with trigraph imported but
nothing opened. Told on stdout, each line one write(2): `pid` and the number, `begun` once something was rolled up,
`done` if it came to an end, `dead`. `retention_worker.py HOME work` is one such process, once it is told to begin.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from trigraph.assembly import open_engine
from trigraph.engine.engine import Engine
from trigraph.engine.keep import retention
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, InsightSettings, Settings

KEEP_DAYS = 1
BATCH = 5
"""Few at a time, so that a kill falls between two transactions, or into one of many."""


def opened(home: Path) -> Engine:
    insight = InsightSettings(keep_days=KEEP_DAYS, whole_days=0)
    return open_engine(Settings(home=str(home), embedder=EmbedderSettings(kind="none"), insight=insight))


def let_go(home: Path) -> None:
    """Roll up all that is due, a few recalls in a transaction."""
    retention.BATCH, retention.BATCHES_MOST = BATCH, 1
    with opened(home) as engine:
        while retention.let_go(engine._parts, LOCAL_SCOPE):
            _tell("begun")
    _tell("done")


def _nursery(home: Path) -> None:
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            let_go(home)
            os._exit(0)
        _tell(f"pid {child}")
        os.waitpid(child, 0)
        _tell("dead")


def _tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    if len(sys.argv) == 2:
        _nursery(Path(sys.argv[1]))
    else:
        _tell("ready")
        sys.stdin.readline()
        let_go(Path(sys.argv[1]))
