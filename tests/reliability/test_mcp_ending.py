"""An MCP server ends with its client: when stdin closes, on a signal, and when the client is killed."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from commands import TRIGRAPH, Command
from mcp_clients import META, NO_MODEL, raw_stdio

CLIENT = Path(__file__).with_name("mcp_client.py")
LAUNCHES = 50
AT_ONCE = 10
GONE_SECONDS = 5.0


def test_it_ends_when_stdin_is_closed_and_what_it_acknowledged_is_kept(command: Command) -> None:
    with raw_stdio(command, "2026-07-28") as client:
        client.ask("tools/call", name="remember", arguments={"text": "The heron nests on the pier"})
        process = client.process

    assert process.returncode == 0
    listed = command("list", "--json", environment=NO_MODEL).json
    assert [one["text"] for one in listed["memories"]] == ["The heron nests on the pier"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once(number: signal.Signals, command: Command) -> None:
    with raw_stdio(command, "2026-07-28") as client:
        client.process.send_signal(number)
        assert client.process.wait(GONE_SECONDS) == -number


def test_a_call_that_waits_for_a_model_does_not_keep_it_alive(command: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as model:
        model.settimeout(60)
        slow = {
            "TRIGRAPH_EMBEDDER__KIND": "http",
            "TRIGRAPH_EMBEDDER__URL": f"http://127.0.0.1:{model.getsockname()[1]}/v1",
            "TRIGRAPH_EMBEDDER__MODEL": "slow",
            "TRIGRAPH_EMBEDDER__DIMENSION": "8",
            "TRIGRAPH_EMBEDDER__TIMEOUT_SECONDS": "60",
        }
        process = command.start("mcp", environment=slow)
        asked = {"name": "remember", "arguments": {"text": "The heron nests on the pier"}, "_meta": META}
        assert process.stdin is not None
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}) + "\n")
        process.stdin.flush()
        connection, _ = model.accept()

        process.stdin.close()
        assert process.wait(GONE_SECONDS) == 0
        connection.close()
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def test_no_server_outlives_fifty_killed_clients(command: Command) -> None:
    servers: list[int] = []
    for _ in range(LAUNCHES // AT_ONCE):
        clients = [
            subprocess.Popen(
                [sys.executable, "-S", CLIENT, TRIGRAPH, "mcp"],
                env=command.environment(NO_MODEL),
                cwd=command.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            for _ in range(AT_ONCE)
        ]
        for number, client in enumerate(clients):
            assert client.stdout is not None
            servers.append(int(client.stdout.readline()))
            if number == AT_ONCE - 1:  # the others are killed while their server starts
                assert client.stdout.readline() == "open\n"
            client.kill()
            client.communicate()

    assert len(set(servers)) == LAUNCHES
    until = time.monotonic() + GONE_SECONDS
    while any(map(_runs, servers)) and time.monotonic() < until:
        time.sleep(0.1)
    assert [pid for pid in servers if _runs(pid)] == []


def _runs(pid: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False
