"""Many processes on one home: what one writes the others see, and nothing gets lost or doubled."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from commands import Command
from soundness import faults
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.recall import Recall
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings

pytestmark = pytest.mark.req("X2")

PROCESSES = 4
THREADS = 4


@pytest.fixture
def ours(home: Path, embedder: Embedder) -> Iterator[Trigraph]:
    """Memory as this process has it open, on the clock that the others have too."""
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as opened:
        yield opened


@pytest.mark.parametrize("profile", ["lexical", "vector", "default"])
def test_a_memory_of_another_process_is_recalled_at_once(ours: Trigraph, command: Command, profile: str) -> None:
    ours.remember("Redis keeps sessions for two hours")
    before = ours.recall("Where does the heron nest?", profile=profile)

    written = command("remember", "A heron nests on the north pier", "--json").json["items"][0]["id"]
    after = ours.recall("Where does the heron nest?", profile=profile)

    assert written not in _ids(before)
    assert _ids(after)[0] == written
    assert not after.degraded


def test_a_recall_of_another_process_sees_what_this_one_wrote(ours: Trigraph, command: Command) -> None:
    written = ours.remember("A heron nests on the north pier").id

    assert command("recall", "heron", "--json").json["hits"][0]["id"] == written


def test_vectors_made_anew_by_another_process_change_no_answer(ours: Trigraph, command: Command) -> None:
    ours.remember_batch([f"Pier {number} was mended by Ana in week {number}" for number in range(30)])
    asked = datetime.now(UTC)  # of one moment: recency goes on between the two
    before = ours.recall("who mended the pier?", limit=20, as_of=asked)

    assert command("reembed", "--all").code == 0
    after = ours.recall("who mended the pier?", limit=20, as_of=asked)

    assert _standing(after) == _standing(before)
    assert [(leg.leg, leg.status, leg.count) for leg in after.legs] == [
        (leg.leg, leg.status, leg.count) for leg in before.legs
    ]


def test_processes_and_threads_that_write_at_once_lose_and_double_nothing(home: Path, ours: Trigraph) -> None:
    said = _write_together(home, "own")

    assert [line for line in said if "error" in line] == []
    assert {line["status"] for line in said} == {"added"}
    listed = {memory.id: memory.text for memory in _all(ours)}
    assert listed == {line["id"]: line["text"] for line in said}
    assert Counter(listed.values()).most_common(1)[0][1] == 1
    stats = ours.stats()
    assert (stats.passages, stats.vectors, stats.waiting_for_vector) == (len(said), len(said), 0)
    for line in said:
        (hit,) = ours.recall(line["text"].split()[0], limit=1, profile="lexical").hits
        assert hit.memory.id == line["id"]
    assert faults(home) == []


def test_the_same_texts_written_by_all_at_once_are_kept_once_each(home: Path, ours: Trigraph) -> None:
    said = _write_together(home, "same")

    assert Counter(line.get("status") for line in said) == {
        "added": 50,
        "duplicate": 50 * (PROCESSES * THREADS - 1),
    }
    assert len({(line["text"], line["id"]) for line in said}) == 50
    assert {memory.id: memory.text for memory in _all(ours)} == {line["id"]: line["text"] for line in said}
    assert faults(home) == []


def _write_together(home: Path, task: str) -> list[dict[str, Any]]:
    """What the processes were told, all of them let go at the same moment."""
    script = Path(__file__).with_name("many_writers.py")
    started = [
        subprocess.Popen(
            [sys.executable, script, home, task, letter],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"TRIGRAPH_EMBEDDER__THREADS": "1"},
        )
        for letter in "abcd"[:PROCESSES]
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=120)[0] for process in started]
    assert [process.returncode for process in started] == [0] * PROCESSES
    return [json.loads(line) for output in outputs for line in output.splitlines()]


def _all(memory: Trigraph) -> Iterator[Any]:
    cursor = None
    while True:
        page = memory.list(limit=100, cursor=cursor)
        yield from page.memories
        cursor = page.next_cursor
        if cursor is None:
            return


def _ids(answer: Recall) -> list[str]:
    return [hit.memory.id for hit in answer.hits]


def _standing(answer: Recall) -> list[tuple[str, float, dict[Any, Any]]]:
    return [(hit.memory.id, hit.score, dict(hit.legs)) for hit in answer.hits]
