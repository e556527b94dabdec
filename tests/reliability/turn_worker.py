"""Processes that hand over turns and work off the queue until they are killed, or done; run by test_kill_pipelines.

`turn_worker.py HOME` is a nursery: for each line on stdin (a name; the name before it, if any, and the first of its
turns that nobody was told of) it forks a process that hands that turn over again under its key, and then turns of its
own, and works in between. Told on stdout, each line one write(2): `pid` and the number, `handed` with a name and the
turn's number, `dead`. `turn_worker.py HOME work` only works, once it is told to, until nothing is left; it says how
many jobs it has done. Both need the folder of the tests on their path.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from pathlib import Path

from reliability.endless_writer import HashEmbedder
from trigraph.assembly import open_engine
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import PipelineSettings, Settings

LEASE_SECONDS = 0.2
TRIES = 1_000
"""Who is killed all the time would use up the usual five, and a job that nobody ever finished is given up."""
PLACES = "harbour bakery quarry foundry orchard library stadium brewery clinic theatre".split()
THINGS = "ledger crane oven kiln scanner turbine lantern compressor printer boiler".split()


def said(name: str, number: int) -> list[dict[str, str]]:
    """A turn like no other: something is preferred, something forbidden, something was found."""
    place, thing = PLACES[number % 10], THINGS[number // 10 % 10]
    one = f"{name}_{number}"
    return [
        {
            "role": "user",
            "content": f"I prefer the {thing} `{one}a` over the {place} `{one}b`. Please never delete `{one}.{place}`.",
        },
        {"role": "tool", "content": f"Bash: make {one} → 20 passed"},
        {"role": "assistant", "content": f"The root cause is that the {thing} `{one}c` has no index in the {place}."},
    ]


def hand_over(memory: Trigraph, name: str, number: int) -> None:
    memory.turn(said(name, number), session=name, idempotency_key=f"{name} {number}")
    _tell(f"handed {name} {number}")


def live_for_ever(memory: Trigraph, name: str, before: list[str]) -> None:
    """Two turns, then work, and so on."""
    if before:
        hand_over(memory, before[0], int(before[1]))
    for number in itertools.count():
        hand_over(memory, name, number)
        if number % 2:
            memory.work()


def opened(home: Path, lease_seconds: float) -> Trigraph:
    settings = Settings(home=str(home), pipelines=PipelineSettings(lease_seconds=lease_seconds, tries=TRIES))
    return Trigraph(open_engine(settings, embedder=HashEmbedder()), LOCAL_SCOPE)


def _nursery(home: Path) -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            name, *before = line.split()
            live_for_ever(opened(home, LEASE_SECONDS), name, before)
        _tell(f"pid {child}")
        os.waitpid(child, 0)
        _tell("dead")


def _work(home: Path) -> None:
    with opened(home, 120) as memory:
        memory.stats()
        _tell("ready")
        sys.stdin.readline()
        done = 0
        while memory.engine.jobs(LOCAL_SCOPE, ["waiting", "running"], 1):  # type: ignore[list-item]
            worked = memory.work()
            done += worked.done
            if worked.failed:
                _tell(f"failed {worked.failed}")
            time.sleep(0.01)  # the other is at the last of them
    _tell(f"done {done}")


def _tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    if len(sys.argv) == 2:
        _nursery(Path(sys.argv[1]))
    else:
        _work(Path(sys.argv[1]))
