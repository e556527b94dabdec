"""Everything works with no network and no key, and nothing so much as tries to reach one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import Command

pytestmark = pytest.mark.req("X4")

GUARD = """
import sys

def guard(event, arguments):
    address = arguments[1] if event in ("socket.connect", "socket.sendto", "socket.sendmsg") else arguments
    if event.startswith("socket.") and event in REFUSED and not isinstance(address, (str, bytes)):
        with open(LOG, "a") as log:
            log.write(f"{event} {arguments!r}\\n")
        raise PermissionError(f"the network is out of reach: {event}")

REFUSED = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname")
LOG = LOG_PATH
sys.addaudithook(guard)
"""
"""Python imports a module of this name at every start: the guard stands in each process before our code."""

LIBRARY = """
import json, trigraph
with trigraph.open() as memory:
    first = memory.remember("A heron nests on the north pier").id
    memory.remember_thread([{"speaker": "Ana", "text": "The kingfisher came back"}])
    found = memory.recall("where does the heron nest?")
    print(json.dumps({
        "first": first,
        "hits": [hit.memory.id for hit in found.hits],
        "degraded": found.degraded,
        "listed": len(memory.list().memories),
        "healthy": memory.health().ok,
    }))
"""


@pytest.fixture
def attempts(tmp_path: Path) -> Path:
    """The file in which the guard notes every attempt."""
    log = tmp_path / "attempts"
    folder = tmp_path / "guard"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(GUARD.replace("LOG_PATH", repr(str(log))), encoding="utf-8")
    return log


@pytest.fixture
def guarded(attempts: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(attempts.parent / "guard")}


def test_the_guard_notes_and_refuses_any_connection(command: Command, guarded: dict[str, str], attempts: Path) -> None:
    done = _python("import socket; socket.create_connection(('127.0.0.1', 9))", command, guarded)

    assert done.returncode != 0
    assert "socket.getaddrinfo" in attempts.read_text()


def test_every_command_works_without_a_network(command: Command, guarded: dict[str, str], attempts: Path) -> None:
    def run(*arguments: str, given: str = "") -> Any:
        answer = command(*arguments, "--json", given=given, environment=guarded, before=_no_network())
        assert (answer.code, answer.err) == (0, ""), arguments
        return answer.json

    assert run("init")["ok"]
    written = run("remember", "A heron nests on the north pier")["items"][0]["id"]
    run("remember", "--thread", "-", given='[{"text": "The kingfisher came back"}]')
    answer = run("recall", "where does the heron nest?")
    assert answer["hits"][0]["id"] == written
    assert [leg["status"] for leg in answer["legs"][:2]] == ["ok", "ok"]
    assert len(run("list")["memories"]) == 2
    assert run("get", written)["text"] == "A heron nests on the north pier"
    assert run("stats")["vectors"] == 2
    assert run("reembed", "--all") == {"vectors_made": 2}
    assert not attempts.exists()


def test_the_library_works_without_a_network(command: Command, guarded: dict[str, str], attempts: Path) -> None:
    done = _python(LIBRARY, command, guarded)

    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["hits"][0] == said["first"]
    assert (said["degraded"], said["listed"], said["healthy"]) == (False, 2, True)
    assert not attempts.exists()


def _python(code: str, command: Command, guarded: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*_no_network(), sys.executable, "-c", code],
        env=command.environment(guarded),
        cwd=command.folder,
        capture_output=True,
        text=True,
        check=False,
    )


def _no_network() -> list[str]:
    """The command that takes the network away from another, where it is permitted; the guard stands in any case."""
    for attempt in (["unshare", "-n"], ["unshare", "-rn"]):
        try:
            if subprocess.run([*attempt, "true"], capture_output=True, check=False).returncode == 0:
                return attempt
        except OSError:
            break
    print(f"no network namespace for user {os.getuid()}: only the guard keeps the network out")
    return []
