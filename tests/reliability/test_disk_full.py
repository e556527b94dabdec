"""A full disk: a clear error, nothing half-written, reads go on, and the next write after space is freed succeeds.

Each test runs with a limit on the size of files (everywhere) and on a small disk of its own (where root may mount).
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from commands import Command
from soundness import faults
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.errors import StorageFull
from trigraph.faces.library import Trigraph
from trigraph.model.recall import LegStatus
from trigraph.model.reference import WriteStatus
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings

SPARE_BYTES = 150_000
DISK_BYTES = 6_000_000

Filled = Callable[[Path], AbstractContextManager[None]]


@contextmanager
def limited_files(home: Path) -> Iterator[None]:
    """No file may grow by more than a little, as under a quota."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(path.stat().st_size for path in home.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest + SPARE_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def filled_disk(home: Path) -> Iterator[None]:
    """Something else has taken all but a little of the disk."""
    filler = home.parent / "filler"
    filler.write_bytes(bytes(shutil.disk_usage(home).free - SPARE_BYTES))
    try:
        yield
    finally:
        filler.unlink()


@pytest.fixture(params=["limited_files", "filled_disk"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Filled]]:
    """A home, and how its disk is made full for a while."""
    if request.param == "limited_files":
        yield tmp_path / "home", limited_files
        return
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "none", disk], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"NOT RUN ON A REAL FULL DISK: mount is not permitted ({mounted.stderr.decode().strip()})")
    try:
        yield disk / "home", filled_disk
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.fixture
def memory(place: tuple[Path, Filled], embedder: Embedder) -> Iterator[Trigraph]:
    with Trigraph(open_engine(Settings(home=str(place[0])), embedder=embedder), LOCAL_SCOPE) as opened:
        opened.remember_batch(["Heron 0 nests on the north pier", "Redis keeps sessions for two hours"])
        yield opened


def test_a_write_on_a_full_disk_is_refused_as_such_and_leaves_nothing(
    memory: Trigraph, place: tuple[Path, Filled]
) -> None:
    home, full = place
    with full(home):
        kept = 2 + _write_until_full(memory)
        with pytest.raises(StorageFull, match=r"Free .*space"):
            memory.remember_thread([{"text": f"Message {number} of the day"} for number in range(60)])
        report = memory.remember_batch([f"Item {number} of the day" for number in range(60)])

        assert {(item.status, item.code) for item in report.items} == {("error", "storage_full")}
        assert memory.stats().memories == kept
        assert memory.stats().threads == 0
        assert len(memory.list(limit=500).memories) == kept
    assert faults(home) == []


def test_reads_go_on_while_the_disk_is_full(memory: Trigraph, place: tuple[Path, Filled]) -> None:
    home, full = place
    with full(home):
        _write_until_full(memory)
        answer = memory.recall("heron on the north pier", limit=1)

        assert answer.hits[0].memory.text == "Heron 0 nests on the north pier"
        assert [leg.status for leg in answer.legs[:2]] == [LegStatus.OK, LegStatus.OK]
        assert memory.get(answer.hits[0].memory.id).text == "Heron 0 nests on the north pier"
        assert memory.health().ok


@pytest.mark.req("C8")
def test_a_deep_reference_is_whole_though_its_composition_finds_the_disk_full(
    memory: Trigraph, place: tuple[Path, Filled]
) -> None:
    home, full = place
    whole = memory.deep_reference("Who nests on the north pier?")
    with full(home):
        _write_until_full(memory)
        answers = [memory.deep_reference("Who nests on the north pier?") for _ in range(40)]
        refused = [one for one in answers if one.composition_write_status is WriteStatus.FAILED]

        assert refused
        for answer in refused:
            assert answer.recommended is not None
            assert whole.recommended is not None
            assert answer.recommended.memory_id == whole.recommended.memory_id
            assert "space" in str(answer.composition_write_error)
            assert answer.composition_event_id is None
    again = memory.deep_reference("Who nests on the north pier?")
    assert again.composition_write_status is WriteStatus.PERSISTED
    assert len(memory.compositions(limit=100)) == len(answers) - len(refused) + 2
    assert faults(home) == []


def test_after_space_is_freed_the_next_write_succeeds_without_reopening(
    memory: Trigraph, place: tuple[Path, Filled]
) -> None:
    home, full = place
    with full(home):
        kept = 2 + _write_until_full(memory)

    written = memory.remember("The kingfisher came back").id
    assert memory.recall("kingfisher", limit=1).hits[0].memory.id == written
    assert memory.recall("kingfisher").event_written
    assert memory.stats().memories == kept + 1
    assert faults(home) == []


def test_the_command_says_that_the_disk_is_full_and_exits_with_74(
    memory: Trigraph, place: tuple[Path, Filled], tmp_path: Path
) -> None:
    home, full = place
    command = Command(home, tmp_path)
    with full(home):
        kept = 2 + _write_until_full(memory)
        refused = command("remember", "The kingfisher came back " * 4000, "--kind", "document")
        read = command("recall", "heron", "--json")

    assert refused.code == 74
    assert "No space left" in refused.err or "Free space" in refused.err
    assert (refused.out, "Traceback" in refused.err) == ("", False)
    assert (read.code, read.json["hits"][0]["text"][:5]) == (0, "Heron")
    assert command("stats", "--json").json["memories"] == kept
    assert command("remember", "The kingfisher came back").code == 0
    assert faults(home) == []


def test_a_file_of_memories_that_finds_the_disk_full_exits_with_74_too(
    memory: Trigraph, place: tuple[Path, Filled], tmp_path: Path
) -> None:
    home, full = place
    lines = "".join(f'{{"text": "Line {number} of the log"}}\n' for number in range(60))
    with full(home):
        kept = 2 + _write_until_full(memory)
        refused = Command(home, tmp_path)("remember", "--file", "-", given=lines)

    assert refused.code == 74
    assert "space" in refused.out + refused.err
    assert memory.stats().memories == kept


def test_a_store_that_cannot_be_made_on_a_full_disk_is_an_error_and_can_be_made_later(
    place: tuple[Path, Filled], tmp_path: Path
) -> None:
    home, full = place
    home.mkdir()
    (home / "note").write_bytes(b"x")
    command = Command(home, tmp_path)
    before = ["prlimit", "--fsize=9000"] if full is limited_files else []
    if full is filled_disk:
        (home.parent / "rest").write_bytes(bytes(shutil.disk_usage(home).free))
    refused = command("init", before=before)
    (home.parent / "rest").unlink(missing_ok=True)

    assert (refused.code, refused.out, "Traceback" in refused.err) == (74, "", False)
    assert command("init").code == 0
    assert command("remember", "The kingfisher came back").code == 0
    assert faults(home) == []


def _write_until_full(memory: Trigraph) -> int:
    """How many writes succeeded before the first that did not."""
    for number in range(500):
        try:
            memory.remember(f"Heron {number + 1} was seen at quay {number}, {os.urandom(200).hex()}")
        except StorageFull:
            return number
    raise AssertionError("the disk never became full")
