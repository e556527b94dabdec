"""kill -9 at any moment: what was acknowledged is there, and nothing is there by half."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Command
from soundness import faults
from trigraph.faces.library import Trigraph
from trigraph.faces.library import open as open_memory

WRITER = Path(__file__).with_name("endless_writer.py")
KILLS = 100
KILLS_WITH_THE_MODEL = 5
KILLS_OF_VERBS = 25
LONGEST_LIFE_SECONDS = 0.4
OPENING_LIMIT_SECONDS = 2.0
WRITES = (range(1), range(1, 4), range(4, 8))
"""Which texts of a round are written together."""
TEXT = re.compile(r"(\w+ round \d+) text (\d) of the ferry's log")


@pytest.fixture
def nursery(home: Path) -> Iterator[subprocess.Popen[str]]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, WRITER, home], **pipes) as process:  # type: ignore[call-overload]
        yield process
        process.stdin.close()


def test_a_hundred_kills_lose_nothing_acknowledged_and_leave_no_halves(
    home: Path, nursery: subprocess.Popen[str]
) -> None:
    chance = random.Random(20260901)
    acknowledged: dict[str, str] = {}
    openings: list[float] = []
    for number in range(KILLS):
        lines = _life_in_the_nursery(nursery, f"child{number}", chance.uniform(0, LONGEST_LIFE_SECONDS))
        openings += [float(line.split()[1]) for line in lines if line.startswith("opened")]
        acknowledged.update(line.split(" ", 1) for line in lines if line.startswith("m_"))

    with open_memory(home) as memory:
        kept = _kept(memory)
    assert {id_: kept.get(id_) for id_ in acknowledged} == acknowledged
    assert _halves(kept) == []
    assert faults(home) == []
    assert len(openings) == KILLS
    assert max(openings) < OPENING_LIMIT_SECONDS
    print(
        f"{KILLS} kills, {len(acknowledged)} acknowledged, {len(kept)} kept, reopened in {max(openings):.2f} s at most"
    )


def test_kills_in_the_middle_of_a_verb_leave_all_of_it_or_nothing(home: Path, nursery: subprocess.Popen[str]) -> None:
    chance = random.Random(20260903)
    lines: list[str] = []
    for number in range(KILLS_OF_VERBS):
        seconds = chance.uniform(0, LONGEST_LIFE_SECONDS)
        lines += _life_in_the_nursery(nursery, f"life{number}", seconds, said=("decided",))
    told = [line.split() for line in lines]
    with open_memory(home) as memory:
        superseded = {
            memory.get(old).superseded_by: new for verb, old, *rest in told if verb == "superseded" for new in rest
        }
        corrected = [link.from_id for verb, old, *_ in told if verb == "corrected" for link in memory.links(old)]
        forgotten = {one.id for one in memory.list(status="forgotten", limit=500).memories}
        states = memory.history("sailing").states
        decided = {one.split()[1] for one in lines if one.startswith("decided")}
    assert superseded == {new: new for new in superseded}
    assert len(superseded) > KILLS_OF_VERBS
    assert {new for verb, _, *rest in told if verb == "corrected" for new in rest} <= set(corrected)
    assert {words[1] for words in told if words[0] == "forgot"} <= forgotten
    assert decided <= {state.cause_id for state in states}
    assert faults(home) == []


def test_kills_of_a_process_with_the_real_model_lose_nothing_either(home: Path, command: Command) -> None:
    chance = random.Random(20260902)
    acknowledged: dict[str, str] = {}
    for number in range(KILLS_WITH_THE_MODEL):
        lines = _life_of_a_process(home, f"process{number}", chance.uniform(0, LONGEST_LIFE_SECONDS))
        acknowledged.update(line.split(" ", 1) for line in lines)

    with open_memory(home) as memory:
        kept = _kept(memory)
        stats = memory.stats()
    assert {id_: kept.get(id_) for id_ in acknowledged} == acknowledged
    assert len({id_ for id_, text in acknowledged.items() if "text 0" in text}) >= KILLS_WITH_THE_MODEL
    assert (stats.memories, stats.vectors, stats.waiting_for_vector) == (len(kept), len(kept), 0)
    assert _halves(kept) == []
    assert faults(home) == []
    assert command("recall", "ferry", "--json").json["hits"]


def _life_in_the_nursery(
    nursery: subprocess.Popen[str], name: str, seconds: float, said: tuple[str, ...] = ("m_",)
) -> list[str]:
    """All that a child of the nursery said until it was killed, so long after its first acknowledgement."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    print(name, file=nursery.stdin, flush=True)
    lines: list[str] = []
    while not any(line.startswith(said) for line in lines) or not any(line.startswith("pid") for line in lines):
        line = nursery.stdout.readline()
        assert line not in ("", "dead\n"), f"{name} ended by itself"
        lines.append(line.rstrip("\n"))
    time.sleep(seconds)
    os.kill(next(int(line.split()[1]) for line in lines if line.startswith("pid")), signal.SIGKILL)
    return lines + [line.rstrip("\n") for line in iter(nursery.stdout.readline, "dead\n")]


def _life_of_a_process(home: Path, name: str, seconds: float) -> list[str]:
    with subprocess.Popen([sys.executable, WRITER, home, name], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        lines = [first, *process.stdout]
    assert process.returncode == -signal.SIGKILL
    return [line.rstrip("\n") for line in lines]


def _kept(memory: Trigraph) -> dict[str, str]:
    """id → text of everything stored, through the engine, a page at a time."""
    kept: dict[str, str] = {}
    cursor = None
    while True:
        page = memory.list(limit=500, cursor=cursor)
        kept.update((one.id, one.text) for one in page.memories)
        cursor = page.next_cursor
        if cursor is None:
            return kept


def _halves(kept: dict[str, str]) -> list[str]:
    """Writes of several texts of which only some are there, and texts that are there twice."""
    there: Counter[tuple[str, int]] = Counter()
    for text in kept.values():
        match = TEXT.fullmatch(text)
        assert match, f"nobody wrote {text!r}"
        there[match[1], int(match[2])] += 1
    rounds = {name for name, _ in there}
    return [
        f"{name} {write}"
        for name in rounds
        for write in WRITES
        if {there[name, place] for place in write} not in ({0}, {1})
    ]
