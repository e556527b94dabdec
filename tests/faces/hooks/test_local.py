"""The socket of a home: a running server answers its own user's processes, and one server at a time does."""

from __future__ import annotations

import json
import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import Command, serving
from hook_calls import told
from mcp_clients import NO_MODEL, raw_stdio
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.faces.local.address import LONGEST_BYTES, is_own_socket, socket_path
from trigraph.faces.local.asking import ask
from trigraph.faces.local.serving import AT_ONCE_MOST, answering
from trigraph.faces.wire import to_json

SCOPE = ["default", "default", "default"]
TEXTS = (
    "Release notes are drafted by Tom", "The ferry leaves at noon", "The crane on pier 7 lifts forty tons",
    "Anne prefers short answers", "The build takes four minutes", "Staging runs on a rented box", "Logs go to Loki",
    "The mobile app is written in Kotlin", "We chose PostgreSQL for the harbour ledger because of its range types",
)  # fmt: skip


def _ask(home: Path, **request: Any) -> dict[str, Any] | None:
    return ask(str(home), request, time.monotonic() + 30)


def _recall(home: Path, **arguments: Any) -> dict[str, Any] | None:
    return _ask(home, verb="recall", scope=SCOPE, arguments=arguments)


@pytest.fixture
def answered(kept: Trigraph, home: Path) -> Iterator[Trigraph]:
    with answering(kept, home, works=False) as mine:
        assert mine
        yield kept


def test_recall_over_the_socket_is_recall(answered: Trigraph, home: Path) -> None:
    here = to_json(answered.recall("harbour ledger", limit=3))
    there = _recall(home, query="harbour ledger", limit=3)

    assert there is not None
    assert [hit["id"] for hit in there["hits"]] == [hit["id"] for hit in here["hits"]]
    assert there["hits"][0].keys() == here["hits"][0].keys()
    assert there.keys() == here.keys()
    assert _ask(home, verb="ping") == {"version": answered.engine.version, "works": False}


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"verb": "forget"},
        {"verb": "recall"},
        {"verb": "recall", "scope": SCOPE, "arguments": {"query": 7}},
        {"verb": "recall", "scope": SCOPE, "arguments": {"nothing": 7}},
        {"verb": "recall", "scope": ["..", "x", "y"], "arguments": {"query": "ledger"}},
        {"verb": "recall", "scope": ["default", "unknown", "y"], "arguments": {"query": "ledger"}},
        {"verb": ["recall"]},
    ],
)
def test_what_is_not_understood_is_no_answer(request_: dict[str, Any], answered: Trigraph, home: Path) -> None:
    assert _ask(home, **request_) is None
    assert _recall(home, query="ledger") is not None


def test_the_socket_is_the_users_alone_and_goes_with_its_server(kept: Trigraph, home: Path) -> None:
    path = Path(socket_path(str(home)))
    with answering(kept, home, works=False):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert is_own_socket(str(path))
    assert not path.exists()
    assert _recall(home, query="ledger") is None


def test_the_second_server_goes_without_and_a_later_one_takes_over(kept: Trigraph, home: Path) -> None:
    with answering(kept, home, works=True) as first:
        with answering(kept, home, works=False) as second:
            assert (first, second) == (True, False)
        assert _ask(home, verb="ping") == {"version": kept.engine.version, "works": True}
    with answering(kept, home, works=False) as third:
        assert third


def test_what_a_killed_server_left_is_cleaned_up(kept: Trigraph, home: Path) -> None:
    path = socket_path(str(home))
    Path(path).parent.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(path)
    assert _recall(home, query="ledger") is None

    with answering(kept, home, works=False) as mine:
        assert mine
        assert _recall(home, query="ledger") is not None


def test_a_home_with_a_long_path_has_a_socket_elsewhere(kept: Trigraph, tmp_path: Path) -> None:
    home = tmp_path / ("deep" * 20) / ("deeper" * 20)
    home.mkdir(parents=True)
    assert len(socket_path(str(home))) < LONGEST_BYTES

    with answering(kept, home, works=False) as mine:
        assert mine
        assert _recall(home, query="ledger") is not None
        assert not (home / "local.sock").exists()


def test_those_who_say_nothing_do_not_keep_others_waiting_for_long(answered: Trigraph, home: Path) -> None:
    path = socket_path(str(home))
    silent = [socket.socket(socket.AF_UNIX) for _ in range(AT_ONCE_MOST)]
    try:
        for one in silent:
            one.connect(path)
        assert _recall(home, query="ledger") is not None
    finally:
        for one in silent:
            one.close()


def test_a_hook_asks_the_server_that_has_the_model(
    memory: Trigraph, home: Path, environment: dict[str, str], embedder: Embedder
) -> None:
    for text in TEXTS:
        memory.remember(text)
    asks = {"session_id": "s", "prompt": "Write the release announcement"}
    assert told("claude", "prompt", asks) == ""  # by one word in common it is not sure

    with answering(memory, home, works=False):
        shown = [line for line in told("claude", "prompt", asks).splitlines() if line.startswith("| ")]
        assert shown == [f"| {TEXTS[0]}"]
        assert told("claude", "prompt", asks) == ""
        assert told("claude", "prompt", session_id="t", prompt="integrate the cubic spline over the mesh") == ""


def test_an_answer_that_is_none_is_not_believed(kept: Trigraph, home: Path) -> None:
    path = socket_path(str(home))
    Path(path).parent.mkdir(mode=0o700, exist_ok=True)
    lies = [
        b"nonsense\n",
        b"[]\n",
        b'{"answer": {"certainty": 1}}\n',
        b'{"answer": {"certainty": 1, "hits": 3}}\n',
        b"",
    ]
    with socket.socket(socket.AF_UNIX) as liar:
        liar.bind(path)
        Path(path).chmod(0o600)
        liar.listen()

        def lie() -> None:
            for one in lies:
                connection, _ = liar.accept()
                connection.recv(65_536)
                connection.sendall(one)
                connection.close()

        thread = threading.Thread(target=lie)
        thread.start()
        for number in range(len(lies)):
            assert "PostgreSQL" in told("claude", "prompt", session_id=f"s{number}")
        thread.join()


def test_serve_answers_hooks(command: Command, environment: dict[str, str], home: Path) -> None:
    command("remember", "The heron nests on the pier", environment={"TRIGRAPH_EMBEDDER__KIND": "none"})
    with serving(command):
        assert (_ask(home, verb="ping") or {})["works"] is True
        answer = _recall(home, query="heron")
    assert answer is not None
    assert json.dumps(answer).count("The heron nests on the pier") >= 1
    assert _ask(home, verb="ping") is None


def test_an_mcp_server_answers_hooks_where_nobody_else_does(
    command: Command, environment: dict[str, str], home: Path
) -> None:
    command("remember", "The heron nests on the pier", environment=NO_MODEL)
    with raw_stdio(command, "2026-07-28"):
        told_of = _ask(home, verb="ping")
        answer = _recall(home, query="heron")
    assert told_of is not None
    assert told_of["works"] is False
    assert answer is not None
    assert [hit["text"] for hit in answer["hits"]] == ["The heron nests on the pier"]
