"""The library and the command give the same answers: one scenario through both, on copies of one home."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import Command
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.errors import TrigraphError
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings

DIFFERS = {"milliseconds", "age_days", "temporal", "store", "store_bytes"}
"""What is measured anew each time, ages with the memory (a hit's part of the temporal leg), or names the copy."""
MADE_NEW = {"id", "thread_id", "created_at", "valid_from"}
FAR_OFF = "2100-01-01"
"""By then, what was written seconds apart is of one age."""
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
    "recall of a domain": (
        lambda memory: memory.recall("Redis", domains=["operations", "law"]),
        ("recall", "Redis", "--domain", "operations", "--domain", "law"),
    ),
    "recall of all domains": (
        lambda memory: memory.recall("Redis", all_domains=True),
        ("recall", "Redis", "--all-domains"),
    ),
    "recall with constraints": (
        lambda memory: memory.recall("Postgres", constraint_tokens=30),
        ("recall", "Postgres", "--constraint-tokens", "30"),
    ),
    "recall in a context": (
        lambda memory: memory.recall("where is it kept?", context="We talk about invoices."),
        ("recall", "where is it kept?", "--context", "We talk about invoices."),
    ),
    "recall in a thread": (
        lambda memory: memory.recall("where is it kept?", in_thread="standup"),
        ("recall", "where is it kept?", "--in-thread", "standup"),
    ),
    "recall with threads": (
        lambda memory: memory.recall("elephant", threads=3),
        ("recall", "elephant", "--threads", "3"),
    ),
    "recall with neighbours": (
        lambda memory: memory.recall("elephant", neighbours=2),
        ("recall", "elephant", "--neighbours", "2"),
    ),
    "list by domain": (lambda memory: memory.list(domains=["operations"]), ("list", "--domain", "operations")),
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
    "facets": (
        lambda memory: memory.facets(kinds=["fact"], verified_before="2100-01-01"),
        ("facets", "--kind", "fact", "--verified-before", "2100-01-01"),
    ),
    "health": (lambda memory: memory.health(), ("health",)),
}
LIFE: list[tuple[str | None, Callable[[Trigraph, dict[str, str]], object], str]] = [
    (None, lambda t, ids: t.remember("A heron nests on the pier", tags=["birds"], subject="Pier", type="location"),
     "remember 'A heron nests on the pier' --tag birds --subject Pier --type location"),
    (None, lambda t, ids: t.remember("Mine alone", visibility="private"), "remember 'Mine alone' --visibility private"),
    (None, lambda t, ids: t.decide("Use JWT", topic="auth", reasoning="Stateless", tags=["security"]),
     "decide 'Use JWT' --topic auth --reasoning Stateless --tag security"),
    (None, lambda t, ids: t.checkpoint("JWT is live", implements=[ids["decide"]], session="s-1"),
     "checkpoint 'JWT is live' --implements {decide} --session s-1"),
    (None, lambda t, ids: t.evolve(ids["decide"], "FAILED", "No way to revoke", source="agent"),
     "evolve {decide} FAILED --reason 'No way to revoke' --source agent"),
    (None, lambda t, ids: t.decide("Use sessions", topic="auth", supersedes=ids["decide"], idempotency_key="k-1"),
     "decide 'Use sessions' --topic auth --supersedes {decide} --idempotency-key k-1"),
    (None, lambda t, ids: t.decide("Use sessions", topic="auth", supersedes=ids["decide"], idempotency_key="k-1"),
     "decide 'Use sessions' --topic auth --supersedes {decide} --idempotency-key k-1"),
    ("idempotency_key_reused",
     lambda t, ids: t.decide("Use passkeys", topic="auth", supersedes=ids["decide"], idempotency_key="k-1"),
     "decide 'Use passkeys' --topic auth --supersedes {decide} --idempotency-key k-1"),
    ("conflict", lambda t, ids: t.correct(ids["decide"], "Use OAuth"), "correct {decide} 'Use OAuth'"),
    ("not_found", lambda t, ids: t.checkpoint("x", implements="zzzzzzzz"), "checkpoint x --implements zzzzzzzz"),
    ("invalid_input", lambda t, ids: t.evolve(ids["decide"], "failed"), "evolve {decide} failed"),
    ("invalid_input", lambda t, ids: t.decide("x", topic="42"), "decide x --topic 42"),
    (None, lambda t, ids: t.recall("why did we abandon JWT?"), "recall 'why did we abandon JWT?'"),
    (None, lambda t, ids: t.recall("JWT", superseded=True, entity="auth", types="concept"),
     "recall JWT --superseded --entity auth --type concept"),
    (None, lambda t, ids: t.history(ids["decide"]), "history {decide}"),
    ("not_found", lambda t, ids: t.history("auth", as_of="2020-01-01"), "history auth --as-of 2020-01-01"),
    (None, lambda t, ids: t.cite(None, ids["remember"], "flagged_stale", "long ago", session="s-1"),
     "cite {remember} --kind flagged_stale --notes 'long ago' --session s-1"),
    (None, lambda t, ids: t.wrap("s-1", tags=["weekly"]), "wrap s-1 --tag weekly"),
    (None, lambda t, ids: t.reverify(ids["remember"]), "reverify {remember}"),
    (None, lambda t, ids: t.vote(ids["remember"], -1, "I saw none"), "vote {remember} down --reason 'I saw none'"),
    (None, lambda t, ids: t.link(ids["remember"], ids["decide"], "contradicts", confidence=0.4, reason="No reason"),
     "link {remember} {decide} --type contradicts --confidence 0.4 --reason 'No reason'"),
    ("conflict", lambda t, ids: t.link(ids["remember"], ids["decide"], "contradicts"),
     "link {remember} {decide} --type contradicts"),
    ("invalid_input", lambda t, ids: t.link(ids["remember"], ids["decide"], "corrects"),
     "link {remember} {decide} --type corrects"),
    (None, lambda t, ids: t.vote(ids["link"], 1), "vote {link} up"),
    (None, lambda t, ids: t.unlink(ids["link"]), "unlink {link}"),
    ("not_found", lambda t, ids: t.unlink(ids["link"]), "unlink {link}"),
    (None, lambda t, ids: t.correct(ids["remember"], "A stork nests on the pier", reason="It was dark", tags=["nest"]),
     "correct {remember} 'A stork nests on the pier' --reason 'It was dark' --tag nest"),
    ("not_found", lambda t, ids: t.get(ids["remember"]), "get {remember}"),
    (None, lambda t, ids: t.history(ids["correct"]), "history {correct}"),
    (None, lambda t, ids: t.supersede(ids["correct"], "A gull nests on the pier", valid_from="2100-01-01"),
     "supersede {correct} 'A gull nests on the pier' --valid-from 2100-01-01"),
    ("invalid_input", lambda t, ids: t.supersede(ids["wrap"], "x", valid_from="2020-01-01"),
     "supersede {wrap} x --valid-from 2020-01-01"),
    (None, lambda t, ids: t.archive(ids["wrap"], reason="Enough"), "archive {wrap} --reason Enough"),
    (None, lambda t, ids: t.restore(ids["wrap"]), "restore {wrap}"),
    (None, lambda t, ids: t.forget(query="session memories"), "forget --query 'session memories'"),
    (None, lambda t, ids: t.forget(ids["wrap"], reason="Enough"), "forget {wrap} --reason Enough"),
    ("conflict", lambda t, ids: t.forget(ids["wrap"]), "forget {wrap}"),
    ("conflict", lambda t, ids: t.share(ids["correct"]), "share {correct}"),
    ("invalid_input", lambda t, ids: t.share(ids["decide"], group="crew"), "share {decide} --group crew"),
    (None, lambda t, ids: t.persona_create("Reviewer", "Reads every line", props={"tone": "dry"}),
     "persona create Reviewer 'Reads every line' --prop tone=dry"),
    ("conflict", lambda t, ids: t.persona_create("Reviewer", "Reads less"), "persona create Reviewer 'Reads less'"),
    (None, lambda t, ids: t.persona_update("Reviewer", "Reads the tests", props={"pace": "slow"}),
     "persona update Reviewer 'Reads the tests' --prop pace=slow"),
    ("invalid_input", lambda t, ids: t.persona_update("auth", "x"), "persona update auth x"),
    (None, lambda t, ids: t.rename("Pier", "North Pier"), "rename Pier 'North Pier'"),
    (None, lambda t, ids: t.alias("North Pier", "Old Pier"), "alias 'North Pier' 'Old Pier'"),
    (None, lambda t, ids: t.archive("Old Pier"), "archive 'Old Pier'"),
    (None, lambda t, ids: t.entities(types=["persona", "location"]), "entity list --type persona --type location"),
    (None, lambda t, ids: t.restore("Pier"), "restore Pier"),
    (None, lambda t, ids: t.entity("old pier"), "entity get 'old pier'"),
    (None, lambda t, ids: t.history("Reviewer"), "history Reviewer"),
    ("not_found", lambda t, ids: t.entity("Lock"), "entity get Lock"),
    (None, lambda t, ids: t.list(status="forgotten"), "list --status forgotten"),
    ("not_found", lambda t, ids: t.list(entity="Lock"), "list --entity Lock"),
    ("not_found", lambda t, ids: t.recall("JWT", in_thread="no such"), "recall JWT --in-thread 'no such'"),
    ("invalid_input", lambda t, ids: t.recall("JWT", neighbours=4), "recall JWT --neighbours 4"),
    ("invalid_input", lambda t, ids: t.recall("JWT", threads=51), "recall JWT --threads 51"),
    ("invalid_input", lambda t, ids: t.recall("JWT", constraint_tokens=-1), "recall JWT --constraint-tokens -1"),
    ("invalid_input", lambda t, ids: t.recall("JWT", context=" "), "recall JWT --context ' '"),
    ("invalid_input", lambda t, ids: t.recall("JWT", domains="a", all_domains=True),
     "recall JWT --domain a --all-domains"),
    (None, lambda t, ids: t.list(entity="auth", types=["concept"], known_at="2100-01-01", as_of="2100-01-01"),
     "list --entity auth --type concept --known-at 2100-01-01 --as-of 2100-01-01"),
    (None, lambda t, ids: t.list(), "list"),
    (None, lambda t, ids: t.stats(), "stats"),
]  # fmt: skip
"""Verbs of a memory's life by both ways, and the code of the error that is right, if any. What a verb wrote first
is known to later steps by the verb's name."""
ID = re.compile(r"\b[a-z]_[0-9a-z]{26}\b")
TIME = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)")
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
        memory.remember("Redis was chosen over Memcached for its persistence", kind="decision", domains=["operations"])
        memory.remember("Backups of Postgres are kept for a year. " * 8, kind="constraint", pinned=True)
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
    question = "tabs or invoices"
    asked = ("recall", question, "--as-of", FAR_OFF)
    for words, ask in ((("list",), memory.list()), (asked, memory.recall(question, as_of=FAR_OFF))):
        assert _plain(command(*words, "--json").json, MADE_NEW) == _plain(wire.to_json(ask), MADE_NEW)
    assert _plain(command("stats", "--json").json) == _plain(wire.to_json(memory.stats()))


def test_a_memorys_life_is_the_same_by_both(run: Command, tmp_path: Path) -> None:
    settings = Settings(home=str(tmp_path / "library"), embedder=EmbedderSettings(kind="none"))
    ours: dict[str, str] = {}
    theirs: dict[str, str] = {}
    seen: tuple[dict[str, str], dict[str, str]] = ({}, {})
    with Trigraph(open_engine(settings), LOCAL_SCOPE) as memory:
        for right, ask, words in LIFE:
            answer = run(*(word.format(**theirs) for word in shlex.split(words)), "--json")
            try:
                expected = wire.to_json(ask(memory, ours))
                code = None
            except TrigraphError as error:
                expected = wire.error_json(error)
                code = error.code
            told = answer.json if answer.out else answer.error

            assert (code, None if answer.out else told["code"]) == (right, right), words
            assert _nameless(told, seen[1]) == _nameless(expected, seen[0]), words
            for names, shown in ((ours, expected), (theirs, told)):
                if right is None and (made := shown.get("id") or shown.get("items", [{}])[0].get("id")):
                    names.setdefault(words.split()[0], made)


def _nameless(value: Any, seen: dict[str, str]) -> Any:
    """JSON with each id replaced by when it was first met, and each time by a word."""
    text = json.dumps(_plain(value), sort_keys=True)
    text = ID.sub(lambda match: seen.setdefault(match.group(), f"{match.group()[0]}-{len(seen)}"), text)
    for id_, name in seen.items():
        text = text.replace(id_[-8:], name)
    return json.loads(TIME.sub("then", text))


def _open(home: Path, embedder: Embedder) -> Trigraph:
    return Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE)


def _oldest(memory: Trigraph) -> str:
    return memory.list().memories[-1].id


def _plain(value: Any, without: set[str] = frozenset()) -> Any:  # type: ignore[assignment]
    """JSON without what differs by nature, such as the id of a recall. Scores age a little from call to call."""
    if isinstance(value, list):
        return [_plain(one, without) for one in value]
    if not isinstance(value, dict):
        return round(value, 4) if isinstance(value, float) else value
    if without and value and all(key.startswith("e_") for key in value):  # by ids, which are made new as well
        return sorted(value.values())
    left_out = DIFFERS | without | ({"id"} if "hits" in value else set())
    return {key: _plain(one, without) for key, one in value.items() if key not in left_out}
