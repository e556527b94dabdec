"""A server is really started and asked; what does not work is said, and nothing keeps running."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from trigraph.faces.setup.round_trip import RoundTrip, check_server

SERVER = Path(__file__).parents[2] / "stdio_server.py"


def _command(how: str, *more: str) -> tuple[str, ...]:
    return (sys.executable, str(SERVER), how, *more)


@pytest.mark.req("X12")
@pytest.mark.parametrize("how", ["good", "notifies"])
def test_a_server_that_answers_is_told_with_its_tools(how: str) -> None:
    assert check_server(_command(how)) == RoundTrip(_command(how), True, "tiny", "7", ("recall", "remember"))


def test_a_server_is_asked_to_end_by_closing_its_input(tmp_path: Path) -> None:
    assert check_server(_command("good", str(tmp_path / "ended"))).ok
    assert (tmp_path / "ended").read_text() == "ended\n"


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (("/no/such/program", "mcp"), "it cannot be started (No such file or directory)"),
        (_command("ends"), "it ended with exit code 1; it said: the fix: make one"),
        (_command("babbles"), "it writes what is not a message: 'Welcome!'"),
        (_command("without tools"), "it answers tools/list with an error: tools/list is not here"),
    ],
)
def test_a_server_that_does_not_answer_is_told_with_the_reason(command: tuple[str, ...], problem: str) -> None:
    assert check_server(command) == RoundTrip(command, False, problem=problem)


def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    found = check_server(_command("silent"), timeout_seconds=0.5)

    assert (found.ok, found.problem) == (False, "it did not answer initialize in time")


def test_a_server_that_does_not_end_is_ended() -> None:
    assert check_server(_command("stays")).ok
