"""Whatever is wrong around a hook, its client goes on: no store, a locked or broken one, no space, a silent server."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import apsw
import pytest

from hook_calls import ENTRY, RECORDED, call, lock, recorded, told, waiting
from trigraph.faces.hook import start
from trigraph.faces.hook.folder import LOG_MOST_BYTES, SESSIONS_MOST, WAITING_MOST, Session, tidy
from trigraph.faces.library import Trigraph
from trigraph.faces.local.address import socket_path

LEDGER = "We chose PostgreSQL for the harbour ledger because of its range types"
LIGHT = {"apsw", "Stemmer", "trigraph"}
HEAVY = {"numpy", "pydantic", "starlette", "onnxruntime", "dataclasses", "inspect", "platformdirs", "typer", "asyncio"}


def _socket_place(home: Path) -> str:
    path = socket_path(str(home))
    Path(path).parent.mkdir(mode=0o700, exist_ok=True)
    return path


def _log(home: Path) -> list[str]:
    return [line.split(" ", 1)[1] for line in (home / "hooks" / "hooks.log").read_text().splitlines()]


@pytest.mark.parametrize(("client", "event"), RECORDED)
def test_without_a_store_there_is_nothing_to_say(
    client: str, event: str, environment: dict[str, str], home: Path
) -> None:
    out = call(client, event)

    assert out in ("", '{"continue": true}')
    assert not list(home.glob("*.db"))


def test_a_locked_store_is_not_waited_for(kept: Trigraph, home: Path) -> None:
    kept.engine.close()
    held = lock(home)
    try:
        assert call("claude", "prompt") == ""
        assert call("claude", "session-start") == ""
        call("gemini", "stop")
    finally:
        held.close()
    assert _log(home) == ["claude prompt BusyError", "claude session-start BusyError"]
    assert len(waiting(home)) == 1
    assert LEDGER in told("claude", "prompt")


@pytest.mark.parametrize("file", ["registry.db", "default.db"])
def test_a_store_that_is_none_is_left_alone(file: str, kept: Trigraph, home: Path) -> None:
    kept.engine.close()
    (home / file).write_bytes(b"not a database at all" * 500)

    assert call("claude", "prompt") == ""
    assert (home / file).read_bytes() == b"not a database at all" * 500
    assert _log(home) == ["claude prompt NotADBError"]


@pytest.mark.parametrize("version", [1, 9999])
def test_a_store_of_another_version_is_neither_read_nor_changed(version: int, kept: Trigraph, home: Path) -> None:
    kept.engine.close()
    changed = apsw.Connection(str(home / "default.db"))
    changed.pragma("user_version", version)
    changed.close()

    assert call("claude", "session-start") == ""
    assert _log(home) == ["claude session-start StoreError"]
    assert not list(home.glob("*.before-*"))


def test_a_setting_that_cannot_be_read_is_a_line_in_the_log(kept: Trigraph, home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / ".trigraph.toml").write_text("[scope\n")

    assert told("claude", "session-start", cwd=str(folder)) == ""
    assert _log(home) == ["claude session-start ConfigError"]


def test_no_space_is_no_failure(kept: Trigraph, environment: dict[str, str], home: Path, tmp_path: Path) -> None:
    shutil.rmtree(home / "hooks", ignore_errors=True)
    (home / "hooks").write_text("a file where a folder must be")

    assert LEDGER not in told("claude", "prompt")
    (home / "hooks").unlink()
    full = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); {ENTRY}"
    program = [sys.executable, "-c", full, "codex", "stop"]
    given = _given("codex", "stop")
    done = subprocess.run(program, input=given, env=environment, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert waiting(home) == []


def test_a_server_that_hangs_is_left_behind(kept: Trigraph, home: Path) -> None:
    path = _socket_place(home)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(path)
        Path(path).chmod(0o600)
        silent.listen()
        out = call("claude", "prompt", seconds=2.0)

    assert LEDGER in out


def test_a_socket_that_others_may_use_is_not_asked(kept: Trigraph, home: Path) -> None:
    path = _socket_place(home)
    with socket.socket(socket.AF_UNIX) as open_to_all:
        open_to_all.bind(path)
        Path(path).chmod(0o666)
        open_to_all.listen()
        open_to_all.settimeout(0)
        assert LEDGER in told("claude", "prompt")
        with pytest.raises(BlockingIOError):
            open_to_all.accept()


def test_stdin_that_is_never_closed_does_not_keep_it(environment: dict[str, str], tmp_path: Path) -> None:
    waits = subprocess.Popen(
        [sys.executable, "-c", ENTRY, "claude", "prompt"],
        env=environment,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert waits.wait(30) == 0
    assert waits.communicate() == (b"", b"")


def test_memory_can_be_kept_out(kept: Trigraph, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIGRAPH_BYPASS", "1")

    for client, event in RECORDED:
        assert call(client, event) == ""
    assert not (home / "hooks").exists()


@pytest.mark.parametrize("event", ["session-start", "prompt", "stop", "session-end"])
def test_nothing_is_imported_that_takes_time(
    event: str, kept: Trigraph, environment: dict[str, str], tmp_path: Path
) -> None:
    code = (
        "import sys, time; before = set(sys.modules)\n"
        "from trigraph.faces.hook.events import answer\n"
        "out = answer(sys.argv[1:], sys.stdin.buffer.read(), time.monotonic() + 60)\n"
        "print(*sorted(set(sys.modules) - before)); sys.stderr.write(out)"
    )
    program = [sys.executable, "-c", code, "codex", event]
    done = subprocess.run(
        program, input=_given("codex", event), env=environment, cwd=tmp_path, capture_output=True, check=True
    )
    loaded = set(done.stdout.decode().split())
    roots = {name.split(".")[0] for name in loaded if "cython" not in name}  # what the stemmer's library makes
    third_party = roots - set(sys.stdlib_module_names)
    assert bool(done.stderr) is (event in ("session-start", "prompt"))
    assert third_party <= LIGHT
    assert loaded & HEAVY == set()


def test_what_hooks_keep_stays_small(kept: Trigraph, home: Path) -> None:
    session = Session(str(home), "claude", "s")
    session.given = [f"m_{number}" for number in range(5_000)]
    session.keep()
    assert len(Session(str(home), "claude", "s").given) == 500

    for number in range(SESSIONS_MOST + 20):
        (home / "hooks" / "sessions" / f"{number:032x}.json").write_text("{}")
    tidy(str(home))
    assert len(list((home / "hooks" / "sessions").iterdir())) == SESSIONS_MOST

    for number in range(WAITING_MOST):
        (home / "hooks" / "inbox").mkdir(exist_ok=True)
        (home / "hooks" / "inbox" / f"{number}.json").write_text("{}")
    call("gemini", "stop")
    assert len(list((home / "hooks" / "inbox").iterdir())) == WAITING_MOST
    assert _log(home) == ["gemini stop Full"]

    (home / "hooks" / "hooks.log").write_text("x" * (LOG_MOST_BYTES + 1))
    call("gemini", "stop")
    assert len(_log(home)) == 1
    assert (home / "hooks" / "hooks.log.1").exists()


def _given(client: str, event: str) -> bytes:
    return json.dumps(recorded(client, event)).encode()


def test_there_is_an_end_to_it_by_the_clock() -> None:
    before = time.monotonic()
    began = start._began()

    assert before - start.ENDS_AFTER_SECONDS <= began <= time.monotonic()
    assert start.ENDS_AFTER_SECONDS < 0.3
