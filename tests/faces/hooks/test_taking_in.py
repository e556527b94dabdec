"""What hooks left is taken in: turns become episodes and are read for what is worth keeping, a session is wrapped."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from hook_calls import call, recorded, waiting
from trigraph.faces.library import Trigraph
from trigraph.faces.local.catching_up import catch_up
from trigraph.faces.local.serving import answering
from trigraph.faces.local.taking_in import take_in

SAID = (
    ("user", "We decided to use NATS for the tide alarms because it keeps order."),
    ("assistant", "Noted: the tide alarms go over NATS."),
    ("user", "I always want tests written before the code. <private>My pin is 4711.</private>"),
    ("assistant", "Understood."),
)


def _transcript(folder: Path, said: tuple[tuple[str, str], ...] = SAID) -> Path:
    lines = [
        {
            "type": role,
            "uuid": f"u{number}",
            "sessionId": "s1",
            "timestamp": f"2026-11-16T09:3{number}:00.000Z",
            "message": {"role": role, "content": text},
        }
        for number, (role, text) in enumerate(said)
    ]
    path = folder / "session.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + '\n{"type": "assis')
    return path


def _call(event: str, transcript: Path, **more: Any) -> None:
    call("claude", event, {**recorded("claude", event), "session_id": "s1", "transcript_path": str(transcript), **more})


def _texts(memory: Trigraph, *kinds: str) -> list[str]:
    return [one.text for one in reversed(memory.list(kinds=kinds, limit=100).memories)]


@pytest.mark.req("I5")
def test_a_turn_becomes_episodes_and_what_is_worth_keeping(kept: Trigraph, home: Path, tmp_path: Path) -> None:
    transcript = _transcript(tmp_path, SAID[:2])
    _call("stop", transcript)
    assert take_in(kept, home) == 1
    _transcript(tmp_path)
    _call("stop", transcript)
    _call("pre-compact", transcript)
    assert take_in(kept, home) == 1
    assert waiting(home) == []

    kept.work()
    episodes = _texts(kept, "episode")
    assert [text[:12] for text in episodes] == ["We decided t", "Noted: the t", "I always wan", "Understood."]
    assert not any("4711" in text for text in episodes)
    made = [one for one in kept.list(limit=100).memories if one.provenance.source.value == "turn"]
    assert any("NATS" in one.text for one in made)
    assert not any("Understood" in one.text for one in made)


def test_messages_follow_each_other_and_are_taken_once(kept: Trigraph, home: Path) -> None:
    call("gemini", "stop")
    call("gemini", "stop", {**recorded("gemini", "stop"), "prompt": "And the tide alarms?", "prompt_response": "NATS."})
    assert take_in(kept, home) == 2
    assert take_in(kept, home) == 0

    assert _texts(kept, "episode") == [
        "Which database does the harbour ledger use, and why did we choose it?",
        "The harbour ledger uses PostgreSQL.",
        "And the tide alarms?",
        "NATS.",
    ]


def test_a_session_that_is_over_is_wrapped_once_its_turns_were_read(kept: Trigraph, home: Path, tmp_path: Path) -> None:
    _call("session-end", _transcript(tmp_path))
    assert take_in(kept, home) == 1
    assert take_in(kept, home) == 0  # its turns wait
    assert _texts(kept, "summary") == []

    kept.work()
    assert take_in(kept, home) == 1
    (summary,) = kept.list(kinds=["summary"]).memories
    assert "NATS" in summary.text
    assert (summary.provenance.source.value, summary.provenance.session) == ("hook", "s1")
    assert not list((home / "hooks" / "inbox").iterdir())


def test_a_session_that_left_nothing_is_not_wrapped(kept: Trigraph, home: Path, tmp_path: Path) -> None:
    _call("session-end", _transcript(tmp_path, (("user", "hello"), ("assistant", "Hello! How can I help?"))))
    for _ in range(3):
        take_in(kept, home)
        kept.work()

    assert _texts(kept, "summary") == []
    assert not list((home / "hooks" / "inbox").iterdir())


@pytest.mark.parametrize("path", ["/dev/zero", "/etc/passwd", "/proc/self/environ", "/nowhere/at.all"])
def test_a_transcript_that_is_none_is_let_go_of(path: str, kept: Trigraph, home: Path) -> None:
    inbox = home / "hooks" / "inbox"
    inbox.mkdir(parents=True)
    entry = {"client": "claude", "event": "stop", "session": "s", "scope": ["default"] * 3, "at": 1.0, "messages": []}
    (inbox / "one.json").write_text(json.dumps({**entry, "transcript": path}))

    take_in(kept, home)
    assert not list(inbox.iterdir())
    assert _texts(kept, "episode") == []


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"event": "stop"}', "[" * 50_000, '{"scope": [1, 2, 3]}'],
)
def test_an_entry_that_is_none_does_not_keep_others_waiting(text: str, kept: Trigraph, home: Path) -> None:
    (home / "hooks" / "inbox").mkdir(parents=True)
    (home / "hooks" / "inbox" / "0.json").write_text(text)
    call("gemini", "stop")

    assert take_in(kept, home) == 2
    assert len(_texts(kept, "episode")) == 2
    assert "take-in" in (home / "hooks" / "hooks.log").read_text()


def test_a_server_takes_in_by_itself(kept: Trigraph, home: Path) -> None:
    with answering(kept, home, works=True):
        call("gemini", "stop")
        until = time.monotonic() + 30
        while not _texts(kept, "episode") and time.monotonic() < until:
            time.sleep(0.05)
    assert len(_texts(kept, "episode")) == 2


def test_what_waits_is_caught_up_with(kept: Trigraph, home: Path, tmp_path: Path) -> None:
    _call("session-end", _transcript(tmp_path))
    catch_up(str(home))

    assert len(_texts(kept, "summary")) == 1


def test_a_hook_starts_catching_up_where_no_server_runs(
    kept: Trigraph, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIGRAPH_HOOKS__CATCH_UP", "true")
    started: list[tuple[Any, ...]] = []
    monkeypatch.setattr(os, "posix_spawn", lambda *arguments, **more: started.append(arguments))
    transcript = _transcript(tmp_path)

    for event in ("stop", "stop", "session-end"):
        _call(event, transcript)
    assert [arguments[1][1:] for arguments in started] == [["-m", "trigraph.faces.local.catching_up", str(home)]] * 2

    started.clear()
    with answering(kept, home, works=True):
        _call("session-end", transcript)
    assert started == []


def test_the_process_that_catches_up_outlives_its_hook_and_ends(
    kept: Trigraph, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.engine.close()
    monkeypatch.setenv("TRIGRAPH_HOOKS__CATCH_UP", "true")
    _call("session-end", _transcript(tmp_path))
    _, status = os.wait()

    assert os.waitstatus_to_exitcode(status) == 0
    assert not list((home / "hooks" / "inbox").iterdir())
