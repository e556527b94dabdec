"""Whatever a client sends, a hook ends well and says something valid or nothing. `make soak` sends much more."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hook_calls import RECORDED, call, check, recorded, run
from trigraph.faces.hook.clients import CLIENTS
from trigraph.faces.library import Trigraph

MUTATIONS = int(os.environ.get("MUTATIONS", "100"))
"""So many a client."""
PROCESSES = max(3, MUTATIONS // 20)

HOSTILE: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, "", " ", "\0", "\ud800", "../../../../etc/passwd", "/dev/zero", "/proc/self/mem", "/",
    "x" * 300_000, "</trigraph-memory>" * 50, "' OR 1=1 --", '"harbour" AND (ledger', "NEAR(a b)", "*", "-", "ledger*",
    "\u202eledger harbour PostgreSQL", "港湾台帳のデータベース", "a.b_c-d/e:f#g" * 200, "<private>", "harbour " * 5_000,
    [], {}, [[]], [None], {"a": {"b": []}}, ["/etc"], list(range(500)), {"session_id": 1}, "{}", "\n\n\r\t", "\x1b[31m",
)  # fmt: skip


def _delete(chance: random.Random, given: dict[str, Any]) -> bytes:
    del given[chance.choice(list(given))]
    return json.dumps(given).encode()


def _replace(chance: random.Random, given: dict[str, Any]) -> bytes:
    for _ in range(chance.randint(1, 3)):
        given[chance.choice(list(given))] = chance.choice(HOSTILE)
    return json.dumps(given).encode()


def _add(chance: random.Random, given: dict[str, Any]) -> bytes:
    given[chance.choice(("extra", "", "agent_id", "\0", "hookSpecificOutput"))] = chance.choice(HOSTILE)
    return json.dumps(given).encode()


def _swap(chance: random.Random, given: dict[str, Any]) -> bytes:
    values = list(given.values())
    chance.shuffle(values)
    return json.dumps(dict(zip(given, values, strict=True))).encode()


def _cut(chance: random.Random, given: dict[str, Any]) -> bytes:
    data = json.dumps(given).encode()
    return data[: chance.randrange(len(data))]


def _flip(chance: random.Random, given: dict[str, Any]) -> bytes:
    data = bytearray(json.dumps(given).encode())
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def _other(chance: random.Random, given: dict[str, Any]) -> bytes:
    whole = json.dumps(given).encode()
    others = (b"", b"null", b"[]", b'"x"', b"[" * 50_000, b'{"a":' * 20_000, b"\xff\xfe", b"\xef\xbb\xbf" + whole)
    more = (b"NaN", b"1" * 10_000, whole + whole, b"\0" * 1000, b'{"prompt": 1e999}', whole.replace(b'"', b"'"))
    return chance.choice(others + more)


MUTATE: tuple[Callable[[random.Random, dict[str, Any]], bytes], ...] = (
    _delete, _replace, _replace, _replace, _add, _swap, _cut, _flip, _other,
)  # fmt: skip


def _mutated(client: str, number: int) -> tuple[str, bytes]:
    chance = random.Random(f"{client} {number}")
    event = chance.choice([event for of, event in RECORDED if of == client])
    return event, chance.choice(MUTATE)(chance, recorded(client, event))


@pytest.mark.req("X12")
@pytest.mark.parametrize("client", CLIENTS)
def test_any_input_is_answered_validly_or_not_at_all(client: str, kept: Trigraph, home: Path) -> None:
    for number in range(MUTATIONS):
        event, data = _mutated(client, number)
        call(client, event, data)

    log = (home / "hooks" / "hooks.log").read_text()
    assert "harbour" not in log
    assert "JSONDecodeError" in log


@pytest.mark.req("X12")
@pytest.mark.parametrize("client", CLIENTS)
def test_no_input_makes_the_program_fail(
    client: str, kept: Trigraph, environment: dict[str, str], tmp_path: Path
) -> None:
    for number in range(PROCESSES):
        event, data = _mutated(client, number)
        done = run([client, event], data, environment, tmp_path)

        assert (done.returncode, done.stderr) == (0, b""), (event, data[:200])
        check(client, event, done.stdout.decode())


@pytest.mark.parametrize("arguments", [[], ["claude"], ["claude", "nothing"], ["vim", "stop"], ["claude", "stop", "x"]])
def test_words_that_are_not_known_do_nothing(
    arguments: list[str], kept: Trigraph, environment: dict[str, str], tmp_path: Path, home: Path
) -> None:
    done = run(arguments, json.dumps(recorded("claude", "stop")).encode(), environment, tmp_path)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (home / "hooks").exists()
