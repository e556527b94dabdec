"""Large realistic stores from a seed: topics, named things, threads, values that change, several agents,
revisions and outcomes.

Written by the ordinary verbs. The same seed gives the same texts in the same order, so that figures of
different days can be held against each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from trigraph.contracts import Progress
from trigraph.engine.engine import Engine
from trigraph.faces import wire
from trigraph.model.memory import OutcomeResult
from trigraph.model.scope import Scope

AGENTS = ("default", "builder", "reviewer", "operator")
START = datetime(2025, 1, 1, tzinfo=UTC)
SHARE_IN_THREADS = 0.4
SHARE_REVISED = 0.05

_PEOPLE = "Mara Jonas Priya Tomas Aiko Lena Omar Chidi Sofia Ravi Nina Pablo Ingrid Yusuf Hana Marek".split()
_SYSTEMS = (
    "billing ingest gateway scheduler search catalogue ledger notifier dashboard exporter importer planner resolver"
    " cache router archive identity payments reports telemetry"
).split()
_PARTS = "api worker queue schema index client cron config migration cache endpoint parser token session".split()
_TOOLS = "Postgres Redis Kafka NATS Terraform Grafana Python Go TypeScript Kubernetes nginx SQLite Rust Docker".split()
_VERBS = "handles stores retries validates publishes batches compresses signs caches throttles routes logs".split()
_THINGS = (
    "invoices positions events orders uploads webhooks exports alerts profiles sessions quotas receipts snapshots"
    " subscriptions shipments refunds audits deployments backups"
).split()
_REASONS = (
    "because the old path lost messages under load",
    "since the vendor changed its limits",
    "after the incident of the week before",
    "because customers asked for it twice",
    "so that a single slow tenant cannot hold up the rest",
    "as the audit demanded a trail",
    "to keep the nightly run under an hour",
)
_SETTINGS = {
    "port": (1024, 9999),
    "timeout in seconds": (1, 120),
    "batch size": (10, 5000),
    "retention in days": (7, 730),
}
_QUESTIONS = (
    "why did we move {system} to {tool}?",
    "what is the {setting} of the {system} {part}?",
    "who owns {system}?",
    "how does {system} handle {thing}?",
    "what happened to the {part} of {system}?",
    "{tool} {part} {thing}",
)


def make(
    engine: Engine,
    scope: Scope,
    memories: int,
    seed: int,
    progress: Progress | None = None,
    *,
    revised: bool = False,
) -> int:
    """Write about `memories` memories for the scope's project; returns how many were added.

    With `revised` some of them are corrected, superseded, forgotten or turn out well or badly, one by one.
    """
    chance = random.Random(seed)
    clock = START
    added = 0
    while added < memories:
        agent = Scope(scope.tenant, scope.project, chance.choice(AGENTS))
        wanted = min(chance.randint(20, 120), memories - added)
        if chance.random() < SHARE_IN_THREADS:
            draft = wire.thread_draft(_thread(chance, clock, f"{seed}-{added}", wanted))
            report = engine.remember_thread(agent, draft)
        else:
            items = islice(notes(chance, clock), wanted)
            report = engine.remember_batch(agent, [wire.memory_draft(item) for item in items])
        count = sum(item.status == "added" for item in report.items)
        added += count
        if revised:
            ids = [item.id for item in report.items if item.id and item.status == "added"]
            added += _revise(engine, agent, chance, ids)
        clock += timedelta(hours=chance.randint(1, 40))
        if progress:
            progress(count)
    return added


def _revise(engine: Engine, agent: Scope, chance: random.Random, ids: list[str]) -> int:
    """What becomes of some memories; returns how many more there are."""
    added = 0
    for id_ in chance.sample(ids, int(len(ids) * SHARE_REVISED)):
        revision = wire.revision(_note(chance, _words(chance))["text"], {})
        match chance.randint(0, 3):
            case 0:
                engine.correct(agent, id_, revision)
            case 1:
                engine.supersede(agent, id_, revision)
            case 2:
                result = chance.choice(list(OutcomeResult))
                engine.evolve(agent, id_, result, chance.choice(_REASONS), wire.memory_draft({}))
            case _:
                engine.forget(agent, [id_])
                continue
        added += 1
    return added


def questions(count: int, seed: int) -> list[str]:
    """Questions of the kind that such a store is asked."""
    chance = random.Random(seed)
    return [chance.choice(_QUESTIONS).format(**_words(chance)) for _ in range(count)]


def texts(count: int, seed: int) -> list[str]:
    """Texts of memories of the kind that such a store is given."""
    return [note["text"] for note in islice(notes(random.Random(seed), START), count)]


def notes(chance: random.Random, clock: datetime) -> Iterator[dict[str, Any]]:
    """Memories of that kind without end, as they are handed over."""
    while True:
        words = _words(chance)
        at = clock + timedelta(minutes=chance.randint(0, 600))
        yield {**_note(chance, words), "occurred_at": at, "source": chance.choice(("user", "agent", "document"))}


def _note(chance: random.Random, words: dict[str, str]) -> dict[str, Any]:
    about = {"topic": f"{words['system']} {words['part']}", "tags": [words["system"], words["tool"].lower()]}
    match chance.randint(0, 5):
        case 0:
            text = "{person} decided to move the {system} {part} to {tool} {reason}."
            return {**about, "kind": "decision", "text": text.format(**words), "reasoning": words["reason"]}
        case 1:
            text = "The {setting} of the {system} {part} is {value} since ticket {system}-{number}."
            return {**about, "kind": "fact", "text": text.format(**words)}
        case 2:
            text = "{person} prefers that {system} {verb} {thing} in {tool}, {reason}."
            return {**about, "kind": "preference", "text": text.format(**words)}
        case 3:
            text = "Never let the {system} {part} touch {thing} while {tool} is upgraded (see {system}-{number})."
            return {**about, "kind": "constraint", "text": text.format(**words)}
        case 4:
            text = (
                "Moved {system} {part} from {tool} {value} to the new {setting}; {person} reviewed {system}-{number}."
            )
            return {**about, "kind": "checkpoint", "text": text.format(**words)}
        case _:
            text = "{system} {verb} {thing} through its {part}; {person} saw {number} of them fail {reason}."
            return {**about, "kind": "insight", "text": text.format(**words)}


def _thread(chance: random.Random, clock: datetime, name: str, length: int) -> dict[str, Any]:
    words = _words(chance)
    speakers = chance.sample(_PEOPLE, 2)
    messages = []
    for number in range(length):
        if chance.random() < 0.15:
            words = _words(chance)
        turn = {**words, "number": str(chance.randint(1, 9999)), "value": str(chance.randint(2, 999))}
        text = chance.choice(
            (
                "Does the {system} {part} still use {tool}?",
                "It does, and the {setting} is {value} now.",
                "I saw {number} {thing} fail there last night {reason}.",
                "Then let us ask {person} before we change it.",
                "{person} said that {system} {verb} {thing} only once.",
                "Fine. I will write it into {system}-{number}.",
            )
        ).format(**turn)
        at = clock + timedelta(minutes=number)
        messages.append({"speaker": speakers[number % 2], "role": "user", "occurred_at": at, "text": text})
    return {"name": name, "session": name, "messages": messages}


def _words(chance: random.Random) -> dict[str, str]:
    setting = chance.choice(list(_SETTINGS))
    return {
        "person": chance.choice(_PEOPLE),
        "system": chance.choice(_SYSTEMS),
        "part": chance.choice(_PARTS),
        "tool": chance.choice(_TOOLS),
        "verb": chance.choice(_VERBS),
        "thing": chance.choice(_THINGS),
        "reason": chance.choice(_REASONS),
        "setting": setting,
        "value": str(chance.randint(*_SETTINGS[setting])),
        "number": str(chance.randint(1, 99_999)),
    }
