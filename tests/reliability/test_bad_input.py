"""Bad input: the same clear error through the library and the command, and nothing is written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import pytest

from commands import Answer, Command
from soundness import digest
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.errors import TrigraphError
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import Settings

UNKNOWN_ID = "m_01kx0f6gq3v8z5d2c7b9n4t1hw"
SHARED_ENDING = "zzzzzzzz"
TEN_MEGABYTES = 10_000_000


@dataclass(frozen=True)
class Case:
    """A mistake: how to make it with the library and with the command, and what is to be said."""

    name: str
    ask: Callable[[Trigraph], object]
    arguments: tuple[str, ...]
    says: str
    exit_code: int = 2
    given: str = ""
    environment: dict[str, str] = field(default_factory=dict)


def _remember(name: str, text: str, says: str, *options: str, **fields: Any) -> Case:
    return Case(name, lambda memory: memory.remember(text, **fields), ("remember", "-", *options), says, given=text)


CASES = [
    _remember("empty text", "", "text is empty"),
    _remember("white space", " \n\t ", "text is empty"),
    _remember("10 MB text", "a " * (TEN_MEGABYTES // 2), "10,000,000 bytes; a memory of kind fact holds at most"),
    _remember(
        "too large a document",
        "a" * (TEN_MEGABYTES + 1),
        "10,000,001 bytes; a memory of kind document holds at most 10,000,000",
        "--kind",
        "document",
        kind="document",
    ),
    _remember("NUL byte", "heron\x00pier", "NUL byte at character 5"),
    _remember("naive time", "x", "no time zone", "--occurred-at", "2026-03-14T09:12", occurred_at="2026-03-14T09:12"),
    _remember("no time", "x", "is not a time", "--valid-from", "soon", valid_from="soon"),
    _remember("unknown kind", "x", "kind 'fcat' is not known", "--kind", "fcat", kind="fcat"),
    _remember("unknown source", "x", "source 'me' is not known", "--source", "me", source="me"),
    _remember("confidence", "x", "confidence is 2.0", "--confidence", "2", confidence=2.0),
    _remember("long topic", "x", "topic must have 1 to 200", "--topic", "t" * 201, topic="t" * 201),
    Case(
        "lone surrogate",
        lambda memory: memory.remember("heron\udcff"),
        ("remember", "heron\udcff"),
        "lone surrogate at character 5",
    ),
    Case("unknown id", lambda memory: memory.get(UNKNOWN_ID), ("get", UNKNOWN_ID), "There is no memory", 3),
    Case("malformed id", lambda memory: memory.get("m_1"), ("get", "m_1"), "'m_1' is not an id"),
    Case("ambiguous id", lambda memory: memory.get(SHARED_ENDING), ("get", SHARED_ENDING), "end of several ids"),
    Case("no query", lambda memory: memory.recall(" "), ("recall", " "), "query"),
    Case("recall of 0", lambda memory: memory.recall("x", limit=0), ("recall", "x", "--limit", "0"), "limit is 0"),
    Case("list of 0", lambda memory: memory.list(limit=0), ("list", "--limit", "0"), "limit is 0"),
    Case("bad cursor", lambda memory: memory.list(cursor="x!"), ("list", "--cursor", "x!"), "was not given out"),
    Case(
        "unknown profile",
        lambda memory: memory.recall("x", profile="best"),
        ("recall", "x", "--profile", "best"),
        "profile 'best' is not known",
    ),
    Case(
        "unknown project",
        lambda memory: Trigraph(memory.engine, Scope("default", "island", "default")).list(),
        ("list",),
        "There is no project 'island'",
        3,
        environment={"TRIGRAPH_SCOPE__PROJECT": "island"},
    ),
    Case(
        "impossible project",
        lambda memory: Trigraph(memory.engine, Scope("default", "../x", "default")).list(),
        ("list",),
        "is not a valid name",
        environment={"TRIGRAPH_SCOPE__PROJECT": "../x"},
    ),
    Case(
        "thread without messages",
        lambda memory: memory.remember_thread([]),
        ("remember", "--thread", "-"),
        "The thread has no messages",
        given='{"messages": []}',
    ),
    Case(
        "thread of one object",
        lambda memory: memory.remember_thread({"text": "x"}),  # type: ignore[arg-type]
        ("remember", "--thread", "-"),
        "messages must be a list",
        given='{"messages": {"text": "x"}}',
    ),
]

FILES = {
    "broken.jsonl": (b'{"text": "one"}\n\n{"text": "two"\n', "--file", "broken.jsonl, line 3 is not JSON"),
    "binary.jsonl": (b"\x89PNG\r\n\x1a\n\xff\xfe", "--file", "binary.jsonl is not UTF-8 text (byte 0)"),
    "nul.jsonl": (b"\x00\x01\x02", "--file", "nul.jsonl, line 1 is not JSON"),
    "deep.jsonl": (b"[" * 100_000, "--file", "deep.jsonl, line 1 is not JSON"),
    "missing.jsonl": (None, "--file", "missing.jsonl cannot be read (No such file or directory)"),
    "broken.json": (b'{"messages": [', "--thread", "broken.json is not JSON"),
    "text.json": (b'"just a text"', "--thread", "text.json holds no thread"),
    "missing.json": (None, "--thread", "missing.json cannot be read (No such file or directory)"),
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    """A home with three memories, two of which have ids with the same ending. No test may change it."""
    home = tmp_path_factory.mktemp("bad") / "home"
    with _open(home, embedder) as memory:
        memory.remember_batch(["A heron nests on the pier", "Redis keeps sessions", "The kingfisher came back"])
    connection = apsw.Connection(str(home / "default.db"))
    trigger = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'memory_is_immutable'").get
    connection.execute("DROP TRIGGER memory_is_immutable")
    connection.execute("UPDATE memory SET id = printf('m_%018d', key) || ? WHERE key < 3", (SHARED_ENDING,))
    connection.execute(trigger)
    connection.close()
    return home


@pytest.fixture
def unchanged(filled: Path) -> Iterator[None]:
    before = digest(filled)
    yield
    assert digest(filled) == before


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.usefixtures("unchanged")
def test_a_mistake_gets_the_same_error_everywhere(case: Case, filled: Path, embedder: Embedder, tmp_path: Path) -> None:
    command = Command(filled, tmp_path)
    with _open(filled, embedder) as memory, pytest.raises(TrigraphError) as raised:
        case.ask(memory)
    answer = command(*case.arguments, "--json", given=case.given, environment=case.environment)

    assert case.says in str(raised.value)
    assert answer.error == wire.error_json(raised.value)
    assert answer.error["fix"]
    _assert_refused(answer, case.exit_code)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.usefixtures("unchanged")
def test_a_bad_file_is_named_with_the_place_and_nothing_of_it_is_kept(name: str, filled: Path, tmp_path: Path) -> None:
    content, option, says = FILES[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)

    answer = Command(filled, tmp_path)("remember", option, name)

    assert says in answer.err
    _assert_refused(answer, 65)


@pytest.mark.usefixtures("unchanged")
def test_bad_lines_of_a_good_file_are_told_one_by_one(filled: Path, embedder: Embedder, tmp_path: Path) -> None:
    items: list[Any] = [
        "",
        {"text": "x", "kind": "fcat"},
        {"txt": "x"},
        7,
        {"text": "x", "valid_until": "2026-01-01T00:00"},
    ]
    with _open(filled, embedder) as memory:
        report = memory.remember_batch(items)
    lines = '""\n{"text": "x", "kind": "fcat"}\n{"txt": "x"}\n7\n{"text": "x", "valid_until": "2026-01-01T00:00"}\n'
    answer = Command(filled, tmp_path)("remember", "--file", "-", "--json", given=lines)

    assert [item.status for item in report.items] == ["error"] * 5
    assert answer.json == wire.to_json(report)
    assert answer.code == 65


@pytest.mark.parametrize("arguments", [("remember", "x"), ("list",), ("recall", "heron")], ids=lambda words: words[0])
@pytest.mark.usefixtures("unchanged")
def test_a_home_that_cannot_be_written_is_refused_alike(
    arguments: tuple[str, ...], filled: Path, tmp_path: Path
) -> None:
    command = Command(filled, tmp_path)
    before = _read_only(filled)
    answer = command(*arguments, "--json", before=before)
    verb, *words = arguments
    code = f"import trigraph, json; from trigraph.faces import wire\ntry: trigraph.open().{verb}(*{words})\n"
    code += "except trigraph.TrigraphError as error: print(json.dumps(wire.error_json(error)))"
    library = subprocess.run(
        [*before, sys.executable, "-c", code], env=command.environment(), capture_output=True, text=True, check=True
    )

    assert "cannot be opened for writing" in answer.error["message"]
    assert Answer(0, library.stdout, "").json == answer.error
    _assert_refused(answer, 74)


def _open(home: Path, embedder: Embedder) -> Trigraph:
    return Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE)


def _assert_refused(answer: Answer, code: int) -> None:
    assert (answer.code, answer.out) == (code, "")
    assert "Traceback" not in answer.err
    assert len(answer.err.splitlines()) == 1


def _read_only(home: Path) -> list[str]:
    """The command under which another finds the folder read-only: for root, permissions are no obstacle."""
    if os.getuid() != 0:
        return ["sh", "-c", f'chmod 500 {home}; "$@"; code=$?; chmod 700 {home}; exit $code', "sh"]
    mount = f"mount --bind {home} {home} && mount -o remount,ro,bind {home}"
    if subprocess.run(["unshare", "-m", "sh", "-c", mount], capture_output=True, check=False).returncode != 0:
        pytest.skip("NOT RUN: root may not mount here, and permissions do not stop root")
    return ["unshare", "-m", "sh", "-c", f'{mount} && exec "$@"', "sh"]
