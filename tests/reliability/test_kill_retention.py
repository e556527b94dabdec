"""kill -9 while old recalls are rolled up: each is counted once, as it was kept or in the counts of its day."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reliability.retention_worker import opened
from soundness import faults
from trigraph.engine.engine import Engine
from trigraph.faces.library import Trigraph
from trigraph.model.change import CitationKind
from trigraph.model.insight import DayFigures, InsightQuery, Panel, RecallFilter, Span
from trigraph.model.query import QueryClass
from trigraph.model.revision import Use
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.testing.builders import recall_event

pytestmark = pytest.mark.req("T16")

WORKER = Path(__file__).with_name("retention_worker.py")
PATH = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
RECALLS = 1_500
KILLS = 25
LONGEST_LIFE_SECONDS = 0.04
SAID = (None, CitationKind.CITED, CitationKind.DISMISSED, CitationKind.FLAGGED_STALE, CitationKind.SAVED_REWORK, None)


@pytest.fixture
def nursery(home: Path) -> Iterator[subprocess.Popen[str]]:
    with _started(home) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def test_kills_while_recalls_are_rolled_up_lose_none_and_count_none_twice(
    home: Path, nursery: subprocess.Popen[str]
) -> None:
    span, before = _fill(home)
    chance = random.Random(20260911)
    rolled_up = [0]
    for _ in range(KILLS):
        _life(nursery, chance.uniform(0, LONGEST_LIFE_SECONDS))
        with opened(home) as engine:
            assert _counted(engine, span) == before
            rolled_up.append(_rolled_up(engine, span))
    between = sum(0 < count < RECALLS for count in rolled_up)
    assert rolled_up == sorted(rolled_up)
    assert between > KILLS // 2, "too few were killed at work"

    _life(nursery, None)
    with opened(home) as engine:
        assert _counted(engine, span) == before
        assert _rolled_up(engine, span) == RECALLS
        assert engine.project_recalls(LOCAL_SCOPE, RecallFilter(), 10).recalls == ()
    assert faults(home) == []
    print(f"{KILLS} kills, {between} of them with recalls of both sorts left, {RECALLS} recalls counted once")


def test_processes_that_roll_up_at_once_count_every_recall_once(home: Path) -> None:
    span, before = _fill(home)
    started = [_started(home, "work") for _ in range(3)]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=120)[0].split() for process in started]

    assert [(process.returncode, words[-1]) for process, words in zip(started, said, strict=True)] == [(0, "done")] * 3
    assert sum("begun" in words for words in said) > 1, "one was done before the others began"
    with opened(home) as engine:
        assert _counted(engine, span) == before
        assert _rolled_up(engine, span) == RECALLS
    assert faults(home) == []


def _fill(home: Path) -> tuple[Span, Counter[object]]:
    """Old recalls of two agents, over five days, of use, of none, or of which nothing was said; and what they count."""
    since = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=9)
    classes = tuple(QueryClass)
    with opened(home) as engine:
        own = Trigraph(engine, LOCAL_SCOPE)
        ids = [str(own.remember(f"Lamp {number} stands on the pier").id) for number in range(20)]
        own.admin.set_agent("default", "default", "anna")
        for number in range(RECALLS):
            scope = LOCAL_SCOPE if number % 2 else Scope("default", "default", "anna")
            shown = (ids[number % 10], *(ids[10 + (number + place) % 10] for place in range(3)))
            at = since + timedelta(days=number % 5, seconds=number)
            event = replace(recall_event(scope, at), result_ids=shown, query_class=classes[number % len(classes)])
            engine._parts.store.events.add(scope, event)
            if (kind := SAID[number % len(SAID)]) is not None:
                engine.cite(scope, event.recall_id, [Use(shown[0], kind)])
        span = Span(since, since + timedelta(days=9), None)
        before = _counted(engine, span)
        assert (_rolled_up(engine, span), sum(one.recalls for one in _days(engine, span))) == (0, RECALLS)
    return span, before


def _days(engine: Engine, span: Span) -> list[DayFigures]:
    return engine._parts.store.figures.days(LOCAL_SCOPE, span)


def _rolled_up(engine: Engine, span: Span) -> int:
    return sum(one.recalls for one in _days(engine, span) if one.rolled_up)


def _counted(engine: Engine, span: Span) -> Counter[object]:
    """All that is counted of each day, agent and class, and how often each memory was shown, kept or rolled up."""
    counted: Counter[object] = Counter()
    for one in _days(engine, span):
        key = (one.day, one.agent, one.query_class)
        for name in ("recalls", "hits", "misses", "undecided", "empty", "stale", "payload_bytes"):
            counted[*key, name] += getattr(one, name)
        counted[*key, "microseconds"] += round(one.milliseconds * 1000)
        counted.update({(*key, kind): count for kind, count in one.citations.items()})
        for leg, fared in one.legs.items():
            counted.update({(*key, leg, "asked"): fared.asked, (*key, leg, "found"): fared.found})
    never = engine.project_insight(LOCAL_SCOPE, InsightQuery(panels=(Panel.NEVER_CITED,), limit=20)).never_cited
    assert never is not None
    assert len(never.shown_often) == 10
    counted.update({(one.memory_id, "shown"): one.shown for one in never.shown_often})
    return counted


def _life(nursery: subprocess.Popen[str], seconds: float | None) -> None:
    """A child of the nursery lives until it is killed, so long after it began; or until it is done."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    print("go", file=nursery.stdin, flush=True)
    lines: list[str] = []
    while not any(line.startswith(("begun", "done")) for line in lines) or not any(line[:3] == "pid" for line in lines):
        lines.append(nursery.stdout.readline())
    if seconds is not None and "done\n" not in lines:
        time.sleep(seconds)
        os.kill(next(int(line.split()[1]) for line in lines if line.startswith("pid")), signal.SIGKILL)
    while lines[-1] != "dead\n":
        lines.append(nursery.stdout.readline())
        assert lines[-1] != ""


def _started(home: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, WORKER, home, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": PATH},
    )
