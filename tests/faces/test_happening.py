"""What happens is told as it happens: by the library, which looks at the store now and then, and by `trigraph tail`."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from commands import Command, Process
from http_api import opened
from trigraph.errors import InvalidInput, StoreBusy, StoreClosed
from trigraph.faces import wire
from trigraph.faces.happening import PAGE, POLL_SECONDS, Events
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.change import MemoryVersion
from trigraph.model.scope import Scope
from trigraph.model.tail import BEGINNING, Happened, RecallMade, Tail

NO_MODEL = {"TRIGRAPH_EMBEDDER__KIND": "none"}


def told(one: Happened) -> str:
    return one.what.memory_id if isinstance(one.what, MemoryVersion) else one.what.recall_id


def so_far(stream: Events) -> list[str]:
    return [told(one) for one in iter(stream.so_far, None)]


@pytest.fixture
def memory(home: Path) -> Iterator[Trigraph]:
    """Memory by the clock on the wall: things happen one after the other."""
    with opened(home) as found:
        yield found


def written(memory: Trigraph, text: str, **fields: str) -> str:
    id_ = memory.remember(text, **fields).id
    assert id_ is not None
    return id_


def test_changes_and_recalls_are_told_from_the_beginning_of_the_block_on(memory: Trigraph) -> None:
    written(memory, "The ferry leaves at noon")
    with memory.events() as stream:
        heron = written(memory, "A heron nests on the pier")
        first = next(stream)
        recall = memory.recall("heron").id
        second = next(stream)

    assert (told(first), told(second)) == (heron, recall)
    assert (first.event, second.event) == ("change", "recall")
    assert isinstance(second.what, RecallMade)
    assert second.what.query == "heron"


def test_without_a_block_the_first_step_is_the_beginning(memory: Trigraph) -> None:
    stream = memory.events()
    written(memory, "The ferry leaves at noon")
    assert stream.so_far() is None
    later = written(memory, "A heron nests on the pier")
    assert told(next(stream)) == later


def test_a_stream_goes_on_after_a_cursor(memory: Trigraph) -> None:
    ids = [written(memory, f"Barge {number} carries sand") for number in range(3)]
    first = next(memory.events(after=BEGINNING))

    assert told(first) == ids[0]
    assert so_far(memory.events(after=first.cursor)) == ids[1:]
    with pytest.raises(InvalidInput, match="was not given out"), memory.events(after="mine"):
        pass


def test_what_happened_is_told_once_and_in_the_order_of_time(memory: Trigraph) -> None:
    expected = []
    for number in range(PAGE):
        expected.append(written(memory, f"Barge {number} carries sand to the lock"))
        expected.append(memory.recall(f"barge {number}", limit=1).id)

    assert so_far(memory.events(after=BEGINNING)) == expected


def test_it_is_waited_for_without_looking_all_the_time(memory: Trigraph) -> None:
    pauses: list[float] = []
    looks = 0

    def look(cursor: str | None) -> Tail:
        nonlocal looks
        looks += 1
        if looks == 2:
            raise StoreBusy("Another process writes.")
        return memory.engine.tail(memory.scope, cursor, PAGE)

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            written(memory, "A heron nests on the pier")

    with Events(look, None, pause) as stream:
        assert next(stream).event == "change"
    assert (pauses, looks) == ([POLL_SECONDS] * 3, 5)


def test_who_waits_is_let_go_when_the_stream_is_closed(memory: Trigraph) -> None:
    stream = memory.events()
    heard: list[Happened] = []
    waiting = threading.Thread(target=lambda: heard.extend(stream))
    waiting.start()
    stream.close()
    waiting.join(20)

    assert (waiting.is_alive(), heard, list(stream)) == (False, [], [])


def test_a_stream_ends_with_the_store(memory: Trigraph) -> None:
    with memory.events() as stream:
        memory.close()
        with pytest.raises(StoreClosed):
            next(stream)


@pytest.mark.req("S6")
def test_another_agent_hears_nothing_of_what_is_private_nor_of_recalls(memory: Trigraph) -> None:
    memory.admin.set_agent("default", "default", "listener", ReadPolicy.SHARED)
    listener = Trigraph(memory.engine, Scope("default", "default", "listener"))
    stranger = Trigraph(memory.engine, Scope("default", "default", "nobody"))
    written(memory, "zqhidden is private", visibility="private")
    memory.recall("zqhidden")
    shown = written(memory, "The quay is for all")

    assert so_far(listener.events(after=BEGINNING)) == [shown]
    assert so_far(stranger.events(after=BEGINNING)) == []
    assert len(so_far(memory.events(after=BEGINNING))) == 3


# The command


def test_what_there_is_is_printed_and_the_command_ends(run: Command, memory: Trigraph) -> None:
    heron = written(memory, "A heron nests on the pier", visibility="private")
    memory.recall("heron")
    memory.forget(heron, reason="It flew")
    gone = written(memory, "A gull")
    memory.erase(gone)
    lines = run("tail", "--no-follow").out.splitlines()

    assert [line[21:] for line in lines] == [
        f"remembered  {heron[-8:]}  A heron nests on the pier",
        f"recalled  {lines[1].split()[3]}  1 hit  heron",
        f"forgot  {heron[-8:]}  A heron nests on the pier  because: It flew",
    ]
    assert run("tail", "--no-follow", "--limit", "1").out.splitlines() == lines[:1]


def test_json_lines_are_the_events_of_the_library(run: Command, memory: Trigraph) -> None:
    for number in range(3):
        written(memory, f"Barge {number} carries sand")
    memory.recall("barge")
    printed = [json.loads(line) for line in run("tail", "--no-follow", "--json").out.splitlines()]
    rest = run("tail", "--since", printed[1]["cursor"], "--no-follow", "--json").out.splitlines()

    assert printed == [wire.to_json(one) for one in islice(memory.events(after=BEGINNING), 4)]
    assert [one["event"] for one in printed] == ["change"] * 3 + ["recall"]
    assert [json.loads(line) for line in rest] == printed[2:]


@pytest.mark.parametrize("words", [("--since", "mine"), ("--limit", "0"), ("--limit", "x")])
def test_a_mistake_is_told_as_one(words: tuple[str, ...], run: Command) -> None:
    answer = run("tail", *words)
    assert (answer.code, answer.out) == (2, "")


def following(command: Command, *words: str) -> Process:
    """`trigraph tail` that has begun to listen."""
    process = command.start("tail", *words, environment=NO_MODEL, stdin=subprocess.DEVNULL)
    assert process.stderr is not None
    assert process.stderr.readline() == "following what happens; Ctrl-C stops it\n"
    return process


def test_it_follows_what_other_processes_do_until_it_is_interrupted(command: Command, run: Command) -> None:
    assert run("remember", "Before it began").code == 0
    process = following(command, "--json")
    assert process.stdout is not None
    heron = run("remember", "A heron nests on the pier", "--json").json["items"][0]["id"]
    first = json.loads(process.stdout.readline())
    recall = run("recall", "heron", "--json").json["id"]
    second = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)

    assert (first["what"]["memory_id"], second["what"]["recall_id"]) == (heron, recall)
    assert (process.returncode, out, err) == (130, "", "")


def test_it_ends_after_so_many(command: Command, run: Command) -> None:
    process = following(command, "-n", "2")
    for text in ("One", "Two", "Three"):
        assert run("remember", text).code == 0
    out, err = process.communicate(timeout=20)

    assert [line.split()[-1] for line in out.splitlines()] == ["One", "Two"]
    assert (process.returncode, err) == (0, "")


def test_a_reader_that_has_gone_is_no_error(command: Command, run: Command) -> None:
    process = following(command)
    assert process.stdout is not None
    process.stdout.close()
    assert run("remember", "A heron nests on the pier").code == 0

    assert process.wait(timeout=20) == 141
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
