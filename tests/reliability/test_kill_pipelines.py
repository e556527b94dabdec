"""kill -9 while turns are handed over and worked off: no turn is lost, and nothing is derived twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reliability.endless_writer import HashEmbedder
from reliability.turn_worker import TRIES, said
from soundness import faults
from trigraph.assembly import open_engine
from trigraph.faces.library import Trigraph
from trigraph.model.job import JobState
from trigraph.model.memory import Memory
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import PipelineSettings, Settings

pytestmark = pytest.mark.req("I1")

WORKER = Path(__file__).with_name("turn_worker.py")
KILLS = 50
LONGEST_LIFE_SECONDS = 0.3
PATH = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])

Turn = tuple[str, int]


@pytest.fixture
def nursery(home: Path) -> Iterator[subprocess.Popen[str]]:
    with _started(home) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def test_fifty_kills_lose_no_turn_and_derive_nothing_twice(
    home: Path, tmp_path: Path, nursery: subprocess.Popen[str]
) -> None:
    chance = random.Random(20260905)
    handed: set[Turn] = set()
    order = ""
    for number in range(KILLS):
        name = f"child{number}"
        handed |= _life(nursery, name, order, chance.uniform(0, LONGEST_LIFE_SECONDS))
        order = f"{name} {sum(one == name for one, _ in handed)}"

    with _opened(home) as memory:
        left = memory.work()
        kept = _all(memory)
        jobs = memory.jobs(limit=10_000)
        waiting = memory.stats().waiting_for_vector
    turns = _turns(kept)
    assert set(turns) >= handed
    assert [job for job in jobs if job.state is not JobState.DONE or job.last_error] == []
    assert (len(jobs), waiting) == (len(turns), 0)
    assert _facts(kept) == _undisturbed(tmp_path / "undisturbed", turns)
    assert faults(home) == []
    again = sum(job.attempts > 1 for job in jobs)
    assert again > 0, "no job was ever interrupted"
    print(f"{KILLS} kills, {len(turns)} turns, {again} jobs done after a kill, {left.done} done at the end")


def test_two_workers_on_one_queue_do_every_job_once(home: Path, tmp_path: Path) -> None:
    turns = [("both", number) for number in range(60)]
    _hand_over(home, turns)
    started = [_started(home, "work") for _ in range(2)]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=120)[0].split() for process in started]

    assert [process.returncode for process in started] == [0, 0]
    assert [output[:-1] for output in outputs] == [["done"], ["done"]]
    done = [int(output[-1]) for output in outputs]
    assert (sum(done), min(done) > 0) == (len(turns), True)
    with _opened(home) as memory:
        jobs = memory.jobs(limit=1_000)
        kept = _all(memory)
    assert Counter((job.state, job.attempts) for job in jobs) == {(JobState.DONE, 1): len(turns)}
    assert _turns(kept) == turns
    assert _facts(kept) == _undisturbed(tmp_path / "undisturbed", turns)
    assert faults(home) == []


def _started(home: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, WORKER, home, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": PATH},
    )


def _life(nursery: subprocess.Popen[str], name: str, before: str, seconds: float) -> set[Turn]:
    """The turns that a child of the nursery handed over until it was killed, so long after its first own one."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    print(name, before, file=nursery.stdin, flush=True)
    lines: list[str] = []
    while not any(line.startswith(f"handed {name} ") for line in lines) or not any(line[:3] == "pid" for line in lines):
        line = nursery.stdout.readline()
        assert line not in ("", "dead\n"), f"{name} ended by itself"
        lines.append(line)
    time.sleep(seconds)
    os.kill(next(int(line.split()[1]) for line in lines if line.startswith("pid")), signal.SIGKILL)
    lines += iter(nursery.stdout.readline, "dead\n")
    told = (line.split() for line in lines if line.startswith("handed"))
    return {(whose, int(number)) for _, whose, number in told}


def _opened(home: Path) -> Trigraph:
    """Memory an hour later, when every lease has ended."""
    later = timedelta(hours=1)
    settings = Settings(home=str(home), pipelines=PipelineSettings(tries=TRIES))
    engine = open_engine(settings, clock=lambda: datetime.now(UTC) + later, embedder=HashEmbedder())
    return Trigraph(engine, LOCAL_SCOPE)


def _hand_over(home: Path, turns: Iterable[Turn]) -> None:
    with Trigraph(open_engine(Settings(home=str(home)), embedder=HashEmbedder()), LOCAL_SCOPE) as memory:
        for name, number in turns:
            memory.turn(said(name, number), session=name)


def _undisturbed(home: Path, turns: list[Turn]) -> Counter[tuple[object, ...]]:
    """What is derived of the same turns where nothing goes wrong."""
    _hand_over(home, turns)
    with _opened(home) as memory:
        assert memory.work().failed == 0
        facts = _facts(_all(memory))
    assert len(facts) >= 2 * len(turns), "the turns yield too little to tell"
    assert set(facts.values()) == {1}
    return facts


def _all(memory: Trigraph) -> list[Memory]:
    kept: list[Memory] = []
    cursor = None
    while True:
        page = memory.list(limit=500, cursor=cursor)
        kept += page.memories
        cursor = page.next_cursor
        if cursor is None:
            return kept


def _turns(kept: list[Memory]) -> list[Turn]:
    """The turns whose episodes are there, in order, each whole and once."""
    by_session: dict[str, dict[int, str]] = {}
    for one in kept:
        if one.place is not None:
            there = by_session.setdefault(str(one.provenance.session), {})
            assert one.place.seq not in there
            there[one.place.seq] = one.text
    turns: list[Turn] = []
    for session, texts in by_session.items():
        numbers = range(len(texts) // 3)
        expected = [message["content"] for number in numbers for message in said(session, number)]
        assert [texts[seq] for seq in sorted(texts)] == expected
        turns += ((session, number) for number in numbers)
    return turns


def _facts(kept: list[Memory]) -> Counter[tuple[object, ...]]:
    return Counter(
        (one.text, one.kind, one.tags, one.provenance.source, one.provenance.session, one.confidence, one.trust)
        for one in kept
        if one.place is None
    )
