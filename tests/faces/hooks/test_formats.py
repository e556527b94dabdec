"""What each client says, as it was recorded, and what it is answered: the documented form, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hook_calls import OUTPUT, RECORDED, call, recorded, run, told, waiting
from trigraph.faces.hook.clients import CLIENTS, EVENTS
from trigraph.faces.library import Trigraph
from trigraph.faces.setup.clients import CLIENTS as SET_UP

LEDGER = "We chose PostgreSQL for the harbour ledger because of its range types"
SAID = [
    {"role": "user", "content": "Which database does the harbour ledger use, and why did we choose it?"},
    {"role": "assistant", "content": "The harbour ledger uses PostgreSQL."},
]


@pytest.mark.req("X12")
@pytest.mark.parametrize(("client", "event"), RECORDED)
def test_every_event_of_every_client_is_answered_in_its_own_form(client: str, event: str, kept: Trigraph) -> None:
    out = call(client, event)

    assert bool(out) is ((client, event) in OUTPUT)


def test_every_event_that_setup_writes_was_recorded() -> None:
    written = {
        tuple(words[-2:])
        for client in SET_UP
        if client.hooks is not None
        for entry in client.hooks("trigraph-hook").events.values()
        for handler in entry.get("hooks", [entry])
        for words in [[*handler["command"].split(), *handler.get("args", ())]]
    }
    assert written == set(RECORDED)
    assert {client for client, _ in written} == set(CLIENTS)
    assert {event for _, event in written} == set(EVENTS)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_session_begins_with_constraints_and_what_matters(client: str, kept: Trigraph) -> None:
    lines = told(client, "session-start").splitlines()

    assert (lines[0], lines[-1]) == ("<trigraph-memory>", "</trigraph-memory>")
    shown = [line for line in lines if line.startswith("| ")]
    assert shown[:3] == [
        "| Never deploy on a Friday",
        "| Every migration needs a review by two people",
        f"| {LEDGER}",
    ]
    assert "pinned" in lines[2]


@pytest.mark.parametrize("client", ["claude", "codex", "gemini"])
def test_a_prompt_is_answered_with_what_bears_on_it_alone(client: str, kept: Trigraph) -> None:
    assert [line for line in told(client, "prompt").splitlines() if line.startswith("| ")] == [f"| {LEDGER}"]


@pytest.mark.parametrize(
    "more",
    [
        {"prompt": "ledger why"},
        {"prompt": "/review the harbour ledger and its PostgreSQL range types"},
        {"prompt": "Rename the variable in this loop, please"},
        {"prompt": "<private>Why does the harbour ledger use PostgreSQL range types?</private> go"},
        {"source": "schedule_wakeup"},
    ],
)
def test_what_asks_for_nothing_gets_nothing(more: dict[str, str], kept: Trigraph) -> None:
    assert told("claude", "prompt", **more) == ""


def test_what_a_session_was_given_it_is_not_given_again(kept: Trigraph) -> None:
    assert LEDGER in told("claude", "prompt")
    assert told("claude", "prompt") == ""
    assert LEDGER in told("claude", "prompt", session_id="another")

    assert LEDGER in told("claude", "session-start", session_id="third")
    assert told("claude", "prompt", session_id="third") == ""
    assert LEDGER in told("claude", "session-start", session_id="third", source="compact")
    assert told("claude", "prompt", session_id="third") == ""


def test_what_was_said_is_left_to_be_taken_in(kept: Trigraph, home: Path, tmp_path: Path) -> None:
    for client in ("codex", "gemini"):
        call(client, "prompt")
        call(client, "stop")
    assert [(one["client"], one["messages"]) for one in waiting(home)] == [("codex", SAID), ("gemini", SAID)]

    transcript = tmp_path / "session.jsonl"
    transcript.write_text("{}\n")
    for event in ("pre-compact", "stop", "stop"):
        call("claude", event, {**recorded("claude", event), "transcript_path": str(transcript)})
    left = [one for one in waiting(home) if one["client"] == "claude"]
    assert [(one["transcript"], one["messages"]) for one in left] == [(str(transcript), [])]


def test_a_client_that_tells_a_prompt_once_is_remembered_until_the_turn_is_over(kept: Trigraph, home: Path) -> None:
    call("cursor", "prompt")
    call("cursor", "stop")
    call("cursor", "stop")

    assert [one["messages"] for one in waiting(home)] == [SAID[:1]]


def test_no_secret_and_nothing_private_is_left_on_disk(kept: Trigraph, home: Path) -> None:
    prompt = "Log in with password=hV9q2LxT7mWz4RkP and <private>tell nobody of the dory</private> count the boats"
    call("codex", "prompt", {**recorded("codex", "prompt"), "prompt": prompt})
    call("codex", "stop")

    left = b"".join(path.read_bytes() for path in (home / "hooks").rglob("*") if path.is_file())
    assert b"count the boats" in left
    assert b"hV9q2LxT7mWz4RkP" not in left
    assert b"dory" not in left


def test_files_of_hooks_are_the_users_alone(kept: Trigraph, home: Path) -> None:
    call("codex", "prompt")
    call("codex", "stop")
    call("codex", "prompt", b"{")

    modes = {path.name: path.stat().st_mode & 0o777 for path in (home / "hooks").rglob("*") if path.is_file()}
    assert "hooks.log" in modes
    assert set(modes.values()) == {0o600}
    assert (home / "hooks").stat().st_mode & 0o077 == 0


def test_the_memory_of_a_session_ends_with_it(kept: Trigraph, home: Path) -> None:
    call("claude", "session-start")
    assert len(list((home / "hooks" / "sessions").iterdir())) == 1

    call("claude", "session-end")
    assert list((home / "hooks" / "sessions").iterdir()) == []
    assert [one["event"] for one in waiting(home)] == ["session-end"]


def test_the_project_is_the_one_that_the_folder_names(kept: Trigraph, tmp_path: Path) -> None:
    kept.engine.admin.add_project("default", "quay")
    folder = tmp_path / "quay"
    folder.mkdir()
    assert LEDGER in told("claude", "session-start", cwd=str(folder))

    (folder / ".trigraph.toml").write_text('[scope]\nproject = "quay"\n')
    assert told("claude", "session-start", cwd=str(folder)) == ""


@pytest.mark.req("X12")
@pytest.mark.parametrize(("client", "event"), [("claude", "session-start"), ("codex", "prompt"), ("cursor", "prompt")])
def test_the_program_itself_does_the_same(
    client: str, event: str, kept: Trigraph, environment: dict[str, str], tmp_path: Path
) -> None:
    given = json.dumps(recorded(client, event)).encode()
    done = run([client, event], given, environment, tmp_path)

    # On a machine that is too busy the watchdog ends it: then it says nothing, and still succeeds.
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() in ("", call(client, event, {**recorded(client, event), "session_id": "other"}))


def test_the_program_is_installed_under_its_name() -> None:
    import tomllib

    project: dict[str, Any] = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    assert project["scripts"]["trigraph-hook"] == "trigraph.faces.hook.start:start"
