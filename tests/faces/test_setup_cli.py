"""`trigraph setup` as people and scripts meet it: shown, asked for, written, tried out, taken back."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from commands import TRIGRAPH, Answer, Command

SERVER = Path(__file__).parents[1] / "stdio_server.py"
FILE = Path(".cursor") / "mcp.json"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with a `trigraph` that is the tiny server, to stand on PATH."""
    folder = tmp_path / "tools"
    folder.mkdir()
    program = folder / "trigraph"
    program.write_text(f'#!/bin/sh\n[ "$1" = mcp ] && exec "{sys.executable}" "{SERVER}" good\n')
    program.chmod(0o755)
    return folder


@pytest.fixture
def setup(run: Command, tools: Path) -> Any:
    """The command with that server on PATH."""

    def call(*arguments: str, **more: Any) -> Answer:
        return run("setup", *arguments, environment={"PATH": str(tools)}, **more)

    return call


def test_a_client_is_connected_tried_out_and_disconnected(setup: Any, tmp_path: Path) -> None:
    answer = setup("cursor", "--yes")

    assert answer.code == 0
    assert answer.out.startswith(f"--- /dev/null\n+++ {tmp_path / FILE}\n")
    assert json.loads((tmp_path / FILE).read_text()) == {
        "mcpServers": {"trigraph": {"command": "trigraph", "args": ["mcp"]}}
    }
    assert answer.err.splitlines() == [
        "cursor was not found on this machine; its configuration is prepared all the same",
        f"cursor: {tmp_path / FILE} created",
        "`trigraph mcp` answers: tiny 7, 2 tools (recall, remember)",
        "next, cursor: switch trigraph on under Settings, MCP",
    ]
    again = setup("cursor", "--yes")
    assert (again.code, again.out) == (0, "")
    assert again.err.startswith(f"cursor: {tmp_path / FILE} unchanged\n")

    assert setup("cursor", "--uninstall", "--yes").code == 0
    assert not (tmp_path / FILE).exists()


def test_a_dry_run_writes_nothing(setup: Any, tmp_path: Path) -> None:
    (tmp_path / ".gemini").mkdir()
    (tmp_path / ".codex").mkdir()
    answer = setup("all", "--hooks", "--dry-run")

    assert (answer.code, answer.out.count("+++ ")) == (0, 3)
    assert [path for path in tmp_path.rglob("*") if path.is_file() and "tools" not in path.parts] == []


def test_without_anybody_to_ask_nothing_is_written(setup: Any, tmp_path: Path) -> None:
    answer = setup("cursor", "--json")

    assert answer.code == 2
    assert answer.error["field"] == "yes"
    assert "Look at them with --dry-run, then add --yes." in answer.error["fix"]
    assert not (tmp_path / ".cursor").exists()


@pytest.mark.parametrize(("typed", "code", "written"), [("y\n", 0, True), ("n\n", 1, False), ("\n", 1, False)])
def test_somebody_at_a_terminal_is_asked(tmp_path: Path, tools: Path, typed: str, code: int, written: bool) -> None:
    ours, theirs = pty.openpty()
    environment = {"PATH": str(tools), "HOME": str(tmp_path), "TERM": "dumb"}
    process = subprocess.Popen(
        [TRIGRAPH, "setup", "cursor"],
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.PIPE,
        env=environment,
        cwd=tmp_path,
    )
    os.write(ours, typed.encode())
    assert process.stdout is not None
    shown = process.stdout.read().decode()
    process.stdout.close()
    assert process.wait(60) == code
    os.close(theirs)
    said = _all_of(ours)

    assert f"+++ {tmp_path / FILE}" in shown
    assert "Change this file? [y/N]" in said
    assert (tmp_path / FILE).exists() == written
    assert ("nothing was written" in said) != written


def test_hooks_are_not_written_while_there_is_no_program_for_them(setup: Any, tmp_path: Path) -> None:
    answer = setup("claude-code", "--hooks", "--yes")

    assert (answer.code, answer.out) == (3, "")
    assert "trigraph-hook was not found: every hook would fail." in answer.err
    assert "Leave --hooks out" in answer.err
    assert not (tmp_path / ".claude.json").exists()
    assert not (tmp_path / ".claude").exists()


def test_json_tells_every_file_and_every_check(setup: Any, tools: Path, tmp_path: Path) -> None:
    (tools / "trigraph-hook").write_text("#!/bin/sh\n")
    (tools / "trigraph-hook").chmod(0o755)
    (tmp_path / ".claude.json").write_text("{}")
    answer = setup("claude-code", "--hooks", "--yes", "--json")
    told = answer.json

    assert (answer.code, told.keys()) == (0, {"scope", "dry_run", "uninstall", "files", "checks"})
    assert [(one["client"], one["file"], one["action"], one["backup"]) for one in told["files"]] == [
        ("claude-code", str(tmp_path / ".claude.json"), "changed", str(tmp_path / ".claude.json.trigraph.bak")),
        ("claude-code", str(tmp_path / ".claude" / "settings.json"), "created", None),
    ]
    assert all(one["diff"].startswith("--- ") for one in told["files"])
    assert told["checks"] == [
        {
            "command": ["trigraph", "mcp"],
            "ok": True,
            "server": "tiny",
            "version": "7",
            "tools": ["recall", "remember"],
            "problem": None,
        }
    ]
    assert [one["action"] for one in setup("claude-code", "--hooks", "--yes", "--json").json["files"]] == [
        "unchanged",
        "unchanged",
    ]
    undone = setup("claude-code", "--uninstall", "--yes", "--json").json
    assert [one["action"] for one in undone["files"]] == ["changed", "removed"]
    assert undone["checks"] == []


def test_a_server_that_does_not_answer_is_a_failure_that_says_so(run: Command, tools: Path, tmp_path: Path) -> None:
    (tools / "trigraph").write_text("#!/bin/sh\necho 'no such command' >&2\nexit 2\n")
    answer = run("setup", "cursor", "--yes", environment={"PATH": str(tools)})

    assert answer.code == 1
    assert "`trigraph mcp` does not serve: it ended with exit code 2; it said: no such command." in answer.err
    assert (tmp_path / FILE).exists()


def test_claude_desktop_is_given_the_whole_path(setup: Any, tmp_path: Path, tools: Path) -> None:
    assert setup("claude-desktop", "--yes").code == 0
    written = json.loads((tmp_path / ".config" / "Claude" / "claude_desktop_config.json").read_text())
    assert written["mcpServers"]["trigraph"]["command"] == str(tools / "trigraph")


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "told"),
    [
        (["cursr"], {}, 2, "Did you mean 'cursor'?"),
        (["cursor", "--scope", "local"], {}, 2, "Valid: user, project."),
        (["claude-desktop", "--scope", "project", "--yes"], {}, 2, "Leave --scope out."),
        (["all", "--yes"], {"PATH": "/nowhere"}, 3, "Name the one you want: claude-code, codex, cursor"),
    ],
)
def test_what_cannot_be_done_is_said_with_the_way_out(
    run: Command, arguments: list[str], environment: Mapping[str, str], code: int, told: str
) -> None:
    answer = run("setup", *arguments, environment=environment)

    assert answer.code == code
    assert told in answer.err


def test_a_broken_file_is_named_with_its_line(setup: Any, tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text('{\n  "mcpServers": {,}\n}\n')
    answer = setup("cursor", "--yes")

    assert answer.code == 65
    assert f"error: {tmp_path / FILE} cannot be read as JSON: line 2, column 18" in answer.err
    assert (tmp_path / FILE).read_text() == '{\n  "mcpServers": {,}\n}\n'


def test_a_terminal_is_not_steered_by_what_stands_in_a_file(setup: Any, tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text('{"a": 1 /* \x1b]0;title\x07 */}')

    assert "\x1b" not in setup("cursor", "--dry-run").out


def _all_of(terminal: int) -> str:
    read = b""
    try:
        while chunk := os.read(terminal, 1000):
            read += chunk
    except OSError:
        pass
    os.close(terminal)
    return read.decode()
