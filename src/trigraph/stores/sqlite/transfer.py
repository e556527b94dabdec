"""Everything a project holds as records, and back: SQL makes the JSON and reads it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import apsw

from trigraph.contracts import NewPassage, Put, Record
from trigraph.errors import Conflict
from trigraph.model.access import ReadPolicy
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros, parse_time, to_micros
from trigraph.stores.sqlite import compositions_as_records as ledger
from trigraph.stores.sqlite import roll_ups_as_records as roll_ups
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.memories import add_passages, add_vectors_or_job
from trigraph.stores.sqlite.visibility import Params, queries
from trigraph.text.names import lead_of

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

_SQL = queries("transfer", queries("records"))
_EVENTS = queries("events", queries("outcomes"))
_RETENTION = queries("retention", queries("outcomes"))
_TIMES = frozenset(
    """
    at created_at occurred_at known_from known_until valid_from valid_until retracted_at last_verified_at
    referenced_at last_at
    """.split()
)
_OPAQUE = frozenset({"props", "details", "candidates", "features"})
"""What callers named: a time in it is none of ours."""
_OF_TRUTH = ("threads", "memories", "entities", "relations", "links", "citations", "restatements", "votes", "erased")
_ONE = {name: name for name in ("thread", "entity", "relation", "link", "citation", "restatement", "vote")}
_SINCE = {
    "entity": {"document": None},
    "link": dict.fromkeys(("similarity", "gap_seconds", "span_start", "span_end")),
    "version": dict.fromkeys(("referenced_at", "stability_days", "difficulty")),
    "recall_event": dict.fromkeys(("features", "explored")),
}
"""What records of earlier versions lack."""


class SqliteTransfer:
    """See `contracts.Transfer`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def records(self, scope: Scope, *, everything: bool, vectors: bool, events: bool) -> Iterator[Record]:
        params = self._asked(scope, everything=everything, vectors=vectors)
        if everything:
            yield from self._registered(scope)
        with self._home.of(scope).truth.snapshot() as connection:
            for family in _OF_TRUTH:
                for (text,) in connection.execute(_SQL[family], params):
                    yield _shown(json.loads(text))
            yield from map(_shown, ledger.records(connection, params))
        if events:
            with self._home.of(scope).events.snapshot() as connection:
                # Before the recalls that are kept: of a day that was rolled up in part, these are the rest.
                yield from map(_shown, roll_ups.records(connection, params))
                for text, *packed in connection.execute(_SQL["events"], params):
                    yield _shown(_event(text, *packed))
                for (text,) in connection.execute(_SQL["skills"], params):
                    yield _shown(json.loads(text))

    def put_memory(
        self, scope: Scope, record: Record, passages: Sequence[NewPassage], vectors: Vectors | None, at: datetime
    ) -> Put:
        with self._home.writing(scope) as connection, _taken_is_different() as put, connection:
            there = self._there(connection, scope, "memory", record)
            if there is not None:
                return there
            if record["thread_id"] is not None and not self._has_thread(connection, scope, record["thread_id"]):
                return Put.DANGLING
            stored = _stored(record)
            text = stored.pop("text")  # bound as it is: JSON in SQL would end it at a NUL
            params: Params = {
                "record": json.dumps({**stored, "vectors": None}),
                "text": text,
                "project": scope.project,
                "passage_count": len(passages),
            }
            memory_key: int = connection.execute(_SQL["put_memory"], params).get
            connection.execute(_SQL["put_versions"], {**params, "memory_key": memory_key})
            keys = add_passages(connection, memory_key, passages)
            add_vectors_or_job(connection, scope, record["id"], keys, vectors, at)
        return put.outcome

    def put(self, scope: Scope, record: Record) -> Put:
        match record["record"]:
            case "agent" | "group":
                return self._put_registered(scope, record)
            case "recall_event" | "skill_use":
                return self._put_event(scope, record)
            case "recall_day" | "shown_before":
                return self._put_roll_up(scope, record)
            case "composition":
                with self._home.writing(scope) as connection:
                    return ledger.put(connection, scope, self._asked(scope, everything=True), _stored(record))
            case family:
                return self._put_truth(scope, family, record)

    def reached(self, scope: Scope, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["reach"], {"at": to_micros(at)})

    def _put_truth(self, scope: Scope, family: str, record: Record) -> Put:
        with self._home.writing(scope) as connection, _taken_is_different() as put, connection:
            there = self._there(connection, scope, "tombstone" if family == "erased" else _ONE[family], record)
            if family == "entity":
                return _put_entity(connection, scope, _stored(record), there)
            if family == "relation" and there is not Put.SAME:
                return _put_relation(connection, scope, _stored(record), there)
            if there is not None:
                return there
            params: Params = {"record": json.dumps(_stored(record)), "project": scope.project}
            written = connection.execute(_SQL[f"put_{family}"], params).fetchall()
            if family in ("link", "citation", "restatement", "vote") and not written:
                return Put.DANGLING
        return put.outcome

    def _there(self, connection: apsw.Connection, scope: Scope, query: str, record: Record) -> Put | None:
        """What stands in the record's place already, if anything does."""
        params = {**self._asked(scope, everything=True), **_keys(record)}
        if query in ("memory", "entity") and connection.execute(_SQL["was_erased"], params).get:
            return Put.ERASED
        if query == "tombstone" and connection.execute(_SQL["memory"], params).fetchone():
            return Put.DIFFERENT
        row = connection.execute(_SQL[query], params).fetchone()
        if row is None:
            return None
        found, given = _shown(json.loads(row[0])), {**_SINCE.get(record["record"], {}), **record}
        if query == "memory":
            given["versions"] = [{**_SINCE["version"], **one} for one in record["versions"]]
        for one in (found, given):
            one.pop("vectors", None)
            one.pop("mentions", None)  # what speaks of an entity may come with other memories
        return Put.SAME if found == given else Put.DIFFERENT

    def _has_thread(self, connection: apsw.Connection, scope: Scope, thread_id: str) -> bool:
        params = {**self._asked(scope, everything=True), "id": thread_id}
        return connection.execute(_SQL["thread"], params).fetchone() is not None

    def _put_event(self, scope: Scope, record: Record) -> Put:
        stored = _stored(record)
        params: Params = {"tenant": scope.tenant, "project": scope.project, **_keys(record)}
        with self._home.of(scope).events.transaction() as connection:
            if record["record"] == "skill_use":
                written = connection.execute(_SQL["put_skill"], {**params, "record": json.dumps(stored)}).fetchall()
                return Put.ADDED if written else Put.SAME
            row = connection.execute(_SQL["event"], params).fetchone()
            if row is not None:
                same = _shown(_event(*row)) == {**_SINCE["recall_event"], **record}
                return Put.SAME if same else Put.DIFFERENT
            params |= {name: _packed(stored.pop(name, None)) for name in ("candidates", "features")}
            params["record"] = json.dumps(stored)
            connection.execute(_SQL["put_event"], params)
            connection.execute(_SQL["put_shown"], params)
            connection.execute(_EVENTS["add_figure"], {"recall_id": record["recall_id"]})
            if record["result_ids"] and not record["candidates"]:
                thinned: Params = {"project": scope.project, "ids": json.dumps([record["recall_id"]])}
                connection.execute(_RETENTION["thin_figures"], thinned)
        return Put.ADDED

    def _put_roll_up(self, scope: Scope, record: Record) -> Put:
        erased: Params = {"id": record.get("memory_id")}
        with self._home.reading(scope) as connection:
            if connection.execute(_SQL["was_erased"], erased).get:
                return Put.ERASED
        with self._home.of(scope).events.transaction() as connection:
            return roll_ups.put(connection, scope, _stored(record))

    def _registered(self, scope: Scope) -> Iterator[Record]:
        for agent in self._home.registry.agents(scope.tenant, scope.project):
            yield {
                "record": "agent",
                "name": agent.name,
                "policy": agent.policy.value,
                "domains": list(agent.domains),
                "created_at": _time_text(to_micros(agent.created_at)),
            }
        for group in self._home.registry.groups(scope.tenant, scope.project):
            yield {
                "record": "group",
                "name": group.name,
                "members": list(group.members),
                "created_at": _time_text(to_micros(group.created_at)),
            }

    def _put_registered(self, scope: Scope, record: Record) -> Put:
        registry, place = self._home.registry, (scope.tenant, scope.project)
        there = {one["name"]: one for one in self._registered(scope) if one["record"] == record["record"]}
        if record["name"] in there:
            found = there[record["name"]]
            same = {**found, "created_at": None} == {**record, "created_at": None}
            return Put.SAME if same else Put.DIFFERENT
        at = parse_time(record["created_at"], "created_at")
        if record["record"] == "agent":
            registry.put_agent(*place, record["name"], ReadPolicy(record["policy"]), record["domains"], at)
        else:
            try:
                registry.add_group(*place, record["name"], at)
            except Conflict:
                return Put.DIFFERENT
            for member in record["members"]:
                registry.join(*place, record["name"], member)
        return Put.ADDED

    def _asked(self, scope: Scope, *, everything: bool, vectors: bool = False) -> Params:
        now = Moment(from_micros(0), from_micros(2**62 // 2**10))
        return {**self._home.visible(scope, now), "everything": everything, "vectors": vectors}


class _Outcome:
    """What became of a record: added, unless it turned out that its place is taken."""

    outcome = Put.ADDED


@contextmanager
def _taken_is_different() -> Iterator[_Outcome]:
    """A record whose place something else has taken is left out, and said to be different."""
    found = _Outcome()
    try:
        yield found
    except apsw.ConstraintError as error:
        if getattr(error, "extendedresult", 0) not in (
            apsw.SQLITE_CONSTRAINT_UNIQUE,
            apsw.SQLITE_CONSTRAINT_PRIMARYKEY,
        ):
            raise
        found.outcome = Put.DIFFERENT


def _event(text: str, candidates: bytes, features: bytes | None) -> Record:
    packed = {"candidates": candidates, "features": features}
    unpacked = {name: json.loads(zlib.decompress(blob)) if blob else None for name, blob in packed.items()}
    return {**json.loads(text), **unpacked}


def _packed(value: Any) -> bytes | None:
    return None if value is None else zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def _put_entity(connection: apsw.Connection, scope: Scope, record: Record, there: Put | None) -> Put:
    """An entity, on the word of those of its memories that are here; without one it is not. To one that is here
    already only mentions are added."""
    if there is not None:
        if there is not Put.ERASED:
            params: Params = {"record": json.dumps(record), "project": scope.project, "id": record["id"]}
            params["entity_key"] = connection.execute(_SQL["entity_key"], params).get
            connection.execute(_SQL["put_mentions"], params)
        return there
    told = [*(one["memory_id"] for one in (*record["mentions"], *record["aliases"]))]
    told += [state["cause_id"] for state in record["states"]]
    asked: Params = {"ids": json.dumps([id_ for id_ in told if id_]), "project": scope.project}
    here = {id_ for (id_,) in connection.execute(_SQL["here"], asked)}
    mentions = [one for one in record["mentions"] if one["memory_id"] in here]
    if not mentions:
        return Put.DANGLING
    states = [
        {**state, "props": state["props"] if state["cause_id"] in here else {}}
        for state in record["states"]
        if state["cause_id"] in here or state["cause_id"] is None or state["event"] == "created"
    ]
    kept = {state["name"] for state in states}
    aliases = [
        {**one, "lead": lead_of(one["name_key"])}
        for one in record["aliases"]
        if one["memory_id"] in here or one["memory_id"] is None or one["name"] in kept
    ]
    chain = _chain(states)
    whole = {**record, "mentions": mentions, "aliases": aliases, "states": chain, "state_from": chain[-1]["valid_from"]}
    params = {"record": json.dumps(whole), "project": scope.project}
    params["entity_key"] = connection.execute(_SQL["put_entity"], params).get
    for step in ("put_states", "put_replaced", "put_aliases", "put_mentions", "put_document"):
        connection.execute(_SQL[step], params)
    return Put.ADDED


def _put_relation(connection: apsw.Connection, scope: Scope, record: Record, there: Put | None) -> Put:
    """A relation, on the word of those of its memories that are here. To one that is here already evidence is added."""
    params: Params = {"record": json.dumps(record), "project": scope.project}
    found = connection.execute(_SQL["put_relation"], params).fetchall()
    if not found:
        return Put.DANGLING
    params["relation_key"] = found[0][0]
    added = connection.execute(_SQL["put_evidence"], params).fetchall()
    connection.execute(_SQL["drop_unwritten"], params)
    if there is not None:
        return Put.ADDED if added else there
    return Put.ADDED if added else Put.DANGLING


def _chain(states: list[Record]) -> list[Record]:
    """States in order, each with its end; of those of one instant only the latest stands."""
    ordered = sorted(states, key=lambda state: (state["valid_from"], state["known_from"]))
    following = [*ordered[1:], None]
    chain = []
    for state, after in zip(ordered, following, strict=True):
        replaced = after is not None and after["valid_from"] == state["valid_from"]
        chain.append({**state, "replaced": replaced, "valid_until": after["valid_from"] if after else None})
    return chain


def _keys(record: Record) -> Params:
    """What identifies a record, as parameters."""
    names: tuple[str, ...] = ("id", "known_from", "memory_id", "agent", "at", "kind", "recall_id", "target")
    names += ("source_id", "type", "target_id") if record["record"] == "relation" else ()
    return {name: _micros(name, record[name]) if name in _TIMES else record[name] for name in names if name in record}


def _shown(value: Any, name: str = "") -> Any:
    """A record with its times as RFC 3339, as it is exported."""
    match value:
        case dict():
            return {key: one if key in _OPAQUE else _shown(one, key) for key, one in value.items()}
        case list():
            return [_shown(one) for one in value]
        case int() if name in _TIMES and not isinstance(value, bool):
            return _time_text(value)
        case _:
            return value


def _stored(value: Any, name: str = "") -> Any:
    """The inverse of `_shown`."""
    match value:
        case dict():
            return {key: one if key in _OPAQUE else _stored(one, key) for key, one in value.items()}
        case list():
            return [_stored(one) for one in value]
        case str() if name in _TIMES:
            return _micros(name, value)
        case _:
            return value


def _time_text(micros: int) -> str:
    return from_micros(micros).astimezone(UTC).isoformat().replace("+00:00", "Z")


def _micros(name: str, value: object) -> int | None:
    return None if value is None else to_micros(parse_time(value, name))
