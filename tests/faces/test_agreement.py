"""The library and the command give the same answers: one scenario through both, on copies of one home."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import Command
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings

DIFFERS = {"milliseconds", "age_days", "store", "store_bytes"}
"""What is measured anew each time, or names the copy."""
MADE_NEW = {"id", "thread_id", "created_at", "valid_from"}
"""What differs of a memory that was written twice."""

THREAD = {
    "name": "standup",
    "messages": [
        {"speaker": "Ana", "text": "Which database holds the invoices?", "occurred_at": "2026-03-14T09:12:00Z"},
        {"speaker": "Ben", "text": "Still the old elephant, PostgreSQL 16."},
        {"speaker": "Ana", "text": "Good, then the numbering by year and month stays."},
    ],
}
READS: dict[str, tuple[Callable[[Trigraph], object], tuple[str, ...]]] = {
    "recall": (
        lambda memory: memory.recall("which database for invoices?"),
        ("recall", "which database for invoices?"),
    ),
    "recall by id": (lambda memory: memory.recall(_oldest(memory)), ("recall", "{oldest}")),
    "recall few": (lambda memory: memory.recall("billing", limit=2), ("recall", "billing", "-n", "2")),
    "recall lexical": (
        lambda memory: memory.recall("billing tables", profile="lexical"),
        ("recall", "billing tables", "--profile", "lexical"),
    ),
    "recall vector": (
        lambda memory: memory.recall("money", profile="vector"),
        ("recall", "money", "--profile", "vector"),
    ),
    "recall rrf": (lambda memory: memory.recall("sessions", fusion="rrf"), ("recall", "sessions", "--fusion", "rrf")),
    "recall of kinds": (
        lambda memory: memory.recall("Redis", kinds=["decision", "episode"]),
        ("recall", "Redis", "--kind", "decision", "--kind", "episode"),
    ),
    "recall in a budget": (
        lambda memory: memory.recall("billing", budget_tokens=60),
        ("recall", "billing", "--budget-tokens", "60"),
    ),
    "recall as of": (
        lambda memory: memory.recall("billing", as_of="2020-01-01"),
        ("recall", "billing", "--as-of", "2020-01-01"),
    ),
    "get": (lambda memory: memory.get(_oldest(memory)), ("get", "{oldest}")),
    "get by ending": (lambda memory: memory.get(_oldest(memory)[-8:]), ("get", "{oldest_ending}")),
    "list": (lambda memory: memory.list(), ("list",)),
    "list a page": (lambda memory: memory.list(limit=3), ("list", "-n", "3")),
    "list the next page": (
        lambda memory: memory.list(limit=3, cursor=memory.list(limit=3).next_cursor),
        ("list", "-n", "3", "--cursor", "{cursor}"),
    ),
    "list by tag": (lambda memory: memory.list(tags=["storage"]), ("list", "--tag", "storage")),
    "list by source": (lambda memory: memory.list(sources=["web"]), ("list", "--source", "web")),
    "list by time": (
        lambda memory: memory.list(occurred_after="2026-03-01", occurred_before="2026-04-01"),
        ("list", "--occurred-after", "2026-03-01", "--occurred-before", "2026-04-01"),
    ),
    "stats": (lambda memory: memory.stats(), ("stats",)),
    "health": (lambda memory: memory.health(), ("health",)),
}
BATCH: list[dict[str, Any]] = [
    {"text": "Invoices are kept for ten years", "kind": "constraint", "tags": ["law"]},
    {"text": "Postgres 16 holds the billing tables"},
    {"text": " "},
    {"text": "Nightly backups succeeded", "kind": "outcome", "result": "SUCCESS"},
    {"text": "x", "kind": "fcat"},
]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    home = tmp_path_factory.mktemp("agreement") / "home"
    with _open(home, embedder) as memory:
        memory.remember("Postgres 16 holds the billing tables", tags=["storage"], topic="billing")
        memory.remember("Redis keeps sessions for two hours", tags=["storage"], kind="decision", reasoning="It is fast")
        memory.remember("Redis was chosen over Memcached for its persistence", kind="decision")
        memory.remember("A page says that billing costs rose by 4 %", source="web", occurred_at="2026-03-20")
        memory.remember("# Billing\n\n" + "The billing service writes invoices at midnight. " * 80, kind="document")
        memory.remember_thread(THREAD["messages"], name=THREAD["name"])
    return home


@pytest.fixture
def both(original: Path, embedder: Embedder, tmp_path: Path) -> Iterator[tuple[Trigraph, Command]]:
    """The same home twice: for the library and for the command."""
    ours, theirs = (shutil.copytree(original, tmp_path / name) for name in ("library", "command"))
    with _open(ours, embedder) as memory:
        yield memory, Command(theirs, tmp_path)


@pytest.mark.parametrize("name", READS)
def test_a_question_has_one_answer(name: str, both: tuple[Trigraph, Command]) -> None:
    memory, command = both
    ask, words = READS[name]
    known = {
        "oldest": _oldest(memory),
        "oldest_ending": _oldest(memory)[-8:],
        "cursor": memory.list(limit=3).next_cursor,
    }

    answer = command(*(word.format(**known) for word in words), "--json")

    expected = _plain(wire.to_json(ask(memory)))
    assert _plain(answer.json) == expected
    assert answer.code == 0


def test_writes_end_alike_and_leave_equal_stores(both: tuple[Trigraph, Command]) -> None:
    memory, command = both
    conflicting = {
        **THREAD,
        "messages": [*THREAD["messages"][:2], {"speaker": "Ana", "text": "Bad."}, {"text": "Why?"}],
    }
    reports = [
        memory.remember("Ana prefers tabs", kind="preference", tags=["style"], confidence=0.9, pinned=True),
        memory.remember("Ana  prefers\ntabs", kind="preference"),
        memory.remember_batch(BATCH),
        memory.remember_thread(conflicting["messages"], name="standup"),
    ]
    preference = ("remember", "--kind", "preference", "--json")
    lines = "\n".join(map(json.dumps, BATCH))
    answers = [
        command(*preference, "--tag", "style", "--confidence", "0.9", "--pinned", "Ana prefers tabs"),
        command(*preference, "Ana  prefers\ntabs"),
        command("remember", "--file", "-", "--json", given=lines),
        command("remember", "--thread", "-", "--json", given=json.dumps(conflicting)),
    ]

    assert [answer.code for answer in answers] == [0, 0, 65, 5]
    assert [report["counts"] for report in map(wire.to_json, reports)] == [answer.json["counts"] for answer in answers]
    for report, answer in zip(reports, answers, strict=True):
        assert _plain(answer.json, MADE_NEW) == _plain(wire.to_json(report), MADE_NEW)
    for words, ask in ((("list",), memory.list()), (("recall", "tabs or invoices"), memory.recall("tabs or invoices"))):
        assert _plain(command(*words, "--json").json, MADE_NEW) == _plain(wire.to_json(ask), MADE_NEW)
    assert _plain(command("stats", "--json").json) == _plain(wire.to_json(memory.stats()))


def _open(home: Path, embedder: Embedder) -> Trigraph:
    return Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE)


def _oldest(memory: Trigraph) -> str:
    return memory.list().memories[-1].id


def _plain(value: Any, without: set[str] = frozenset()) -> Any:  # type: ignore[assignment]
    """JSON without what differs by nature; the id of a recall is one of those."""
    if isinstance(value, list):
        return [_plain(one, without) for one in value]
    if not isinstance(value, dict):
        return value
    left_out = DIFFERS | without | ({"id"} if "hits" in value else set())
    return {key: _plain(one, without) for key, one in value.items() if key not in left_out}
