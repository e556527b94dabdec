"""The ledger of compositions."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from itertools import combinations
from typing import Any

import apsw

from trigraph.errors import StoreError
from trigraph.model.composition import (
    Companion,
    CompositionEvent,
    CompositionMetadata,
    CompositionOutcome,
    CompositionStatus,
    CompositionTally,
    Member,
    OutcomeLabel,
    Role,
)
from trigraph.model.scope import Scope
from trigraph.model.times import ALWAYS, Moment, from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, array, queries

_SQL = queries("compositions")


class SqliteCompositions:
    """See `contracts.Compositions`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def add(self, scope: Scope, event: CompositionEvent) -> None:
        if not event.members:
            raise StoreError("a composition is of some memory")
        with self._home.writing(scope) as connection:
            _add(connection, scope, event)

    def get(self, scope: Scope, suffix: str, known_at: datetime | None = None) -> list[CompositionEvent]:
        return self._events(scope, "get", known_at, {"suffix": suffix})

    def recent(
        self,
        scope: Scope,
        limit: int,
        *,
        tags: Collection[str] = (),
        before_id: str | None = None,
        known_at: datetime | None = None,
    ) -> list[CompositionEvent]:
        asked: Params = {"limit": limit, "tags": array(tags), "before_id": before_id}
        return self._events(scope, "recent", known_at, asked)

    def of(self, scope: Scope, memory_id: str, limit: int, known_at: datetime | None = None) -> list[CompositionEvent]:
        return self._events(scope, "of", known_at, {"id": memory_id, "limit": limit})

    def companions(self, scope: Scope, memory_id: str, limit: int, known_at: datetime | None = None) -> list[Companion]:
        params = self._asked(scope, known_at)
        with self._home.reading(scope) as connection:
            at = {key: at for _, key, at in _took_part(connection, params, [memory_id])}
            met: defaultdict[str, set[int]] = defaultdict(set)
            for key, other, *_ in connection.execute(_SQL["members"], {**params, "keys": json.dumps(list(at))}):
                if other != memory_id:
                    met[other].add(key)
            labels = _labels(connection, params, at)
        found = [
            Companion(id_, len(keys), from_micros(max(at[key] for key in keys)), _counted(labels, keys))
            for id_, keys in met.items()
        ]
        return sorted(found, key=lambda one: (-one.events, -to_micros(one.last_at), one.memory_id))[:limit]

    def label(self, scope: Scope, event_id: str, outcome: CompositionOutcome) -> None:
        with self._home.writing(scope) as connection:
            if not add_outcome(connection, scope, event_id, outcome):
                raise StoreError(f"an outcome needs its composition: {event_id}")

    def pairs(
        self, scope: Scope, memory_ids: Collection[str], known_at: datetime | None = None
    ) -> Mapping[tuple[str, str], int]:
        with self._home.reading(scope) as connection:
            rows = _took_part(connection, self._asked(scope, known_at), memory_ids)
        together: defaultdict[int, set[str]] = defaultdict(set)
        for memory_id, key, _ in rows:
            together[key].add(memory_id)
        return Counter(pair for ids in together.values() for pair in combinations(sorted(ids), 2))

    def tallies(
        self, scope: Scope, memory_ids: Collection[str], known_at: datetime | None = None
    ) -> Mapping[str, CompositionTally]:
        params = self._asked(scope, known_at)
        with self._home.reading(scope) as connection:
            events: defaultdict[str, set[int]] = defaultdict(set)
            for memory_id, key, _ in _took_part(connection, params, memory_ids):
                events[memory_id].add(key)
            labels = _labels(connection, params, {key for keys in events.values() for key in keys})
        return {id_: CompositionTally(len(keys), _counted(labels, keys)) for id_, keys in events.items()}

    def _events(self, scope: Scope, query: str, known_at: datetime | None, asked: Params) -> list[CompositionEvent]:
        params = {**self._asked(scope, known_at), **asked}
        with self._home.reading(scope) as connection:
            rows = connection.execute(_SQL[query], params).fetchall()
            return [event for event, _ in whole_events(connection, params, rows)]

    def _asked(self, scope: Scope, known_at: datetime | None) -> Params:
        moment = Moment(ALWAYS.as_of, known_at or ALWAYS.known_at)
        return {**self._home.visible(scope, moment), "everything": False}


def whole_events(
    connection: apsw.Connection, params: Params, rows: Sequence[Sequence[Any]]
) -> list[tuple[CompositionEvent, list[Params]]]:
    """Compositions with those of their members and outcomes that may be told, or with all; and, of members that were
    erased, to whom they are shown."""
    asked: Params = {**params, "keys": json.dumps([row[0] for row in rows])}
    members, audiences, outcomes = defaultdict(list), defaultdict(list), defaultdict(list)
    for key, *of_member in connection.execute(_SQL["members"], asked):
        members[key].append(_member_from(of_member[:-3]))
        author, visibility, group_name = of_member[-3:]
        audiences[key].append({"author": author, "visibility": visibility, "group_name": group_name})
    for key, *of_outcome in connection.execute(_SQL["outcomes"], asked):
        outcomes[key].append(_outcome_from(of_outcome))
    found = [(_event_from(row, members[row[0]], outcomes[row[0]]), bool(row[-1]), row[0]) for row in rows]
    if params["everything"]:
        return [(event, audiences[key]) for event, _, key in found]
    return [(_as_shown(event, str(params["agent"]), whole=whole), audiences[key]) for event, whole, key in found]


def _as_shown(event: CompositionEvent, agent: str, *, whole: bool) -> CompositionEvent:
    """Without what was made of members that are hidden, and without what is its author's alone."""
    own_words = event.told or event.author == agent
    if whole and own_words:
        return event
    shown = {member.memory_id for member in event.members}
    metadata = (
        CompositionMetadata(event.metadata.intent) if not whole else replace(event.metadata, reasoning_preview="")
    )
    return replace(
        event,
        query=event.query if own_words else "",
        query_hash=event.query_hash if own_words else "",
        output_preview="",
        metadata=metadata,
        members=tuple(
            replace(one, replaced_by=one.replaced_by if one.replaced_by in shown else None) for one in event.members
        ),
    )


def add_event(connection: apsw.Connection, scope: Scope, event: CompositionEvent, audiences: Sequence[Params]) -> None:
    """Write a composition with its members and outcomes as they were; each member is shown to its memory's readers or,
    where that is erased, to those that are given."""
    _add(connection, scope, event, audiences)
    for outcome in event.outcomes:
        add_outcome(connection, scope, event.id, outcome)


def add_outcome(connection: apsw.Connection, scope: Scope, event_id: str, outcome: CompositionOutcome) -> bool:
    """Write what came of a composition, unless that is there or the composition is not."""
    params: Params = {
        "id": event_id,
        "project": scope.project,
        "at": to_micros(outcome.at),
        "author": outcome.author,
        "label": outcome.label,
        "source": outcome.source,
        "confidence_delta": outcome.confidence_delta,
        "notes": outcome.notes,
    }
    return bool(connection.execute(_SQL["label"], params).fetchall())


_AS_ITS_MEMORY: Params = {"author": None, "visibility": None, "group_name": None}


def _add(connection: apsw.Connection, scope: Scope, event: CompositionEvent, audiences: Sequence[Params] = ()) -> None:
    params: Params = {
        "id": event.id,
        "project": scope.project,
        "author": event.author,
        "at": to_micros(event.at),
        "tool": event.tool,
        "mode": event.mode,
        "query": event.query,
        "query_hash": event.query_hash,
        "told": event.told,
        "confidence": event.confidence,
        "status": event.status,
        "output_preview": event.output_preview,
        "metadata": json.dumps(asdict(event.metadata)),
    }
    key: int = connection.execute(_SQL["add"], params).get
    for place, member in enumerate(event.members):
        of_member: Params = {
            "event_key": key,
            "memory_id": member.memory_id,
            "role": member.role,
            "rank": member.rank,
            "trust": member.trust,
            "score": member.score,
            "preview": member.preview,
            "tags": json.dumps(list(member.tags)),
            "text": member.text,
            "replaced_by": member.replaced_by,
            **(audiences[place] if audiences else _AS_ITS_MEMORY),
        }
        connection.execute(_SQL["add_member"], of_member)


def _took_part(connection: apsw.Connection, params: Params, ids: Iterable[str]) -> list[tuple[str, int, int]]:
    asked: Params = {**params, "ids": json.dumps(list(ids))}
    return connection.execute(_SQL["took_part"], asked).fetchall()  # type: ignore[return-value]


def _labels(connection: apsw.Connection, params: Params, keys: Iterable[int]) -> Mapping[int, Sequence[OutcomeLabel]]:
    found: defaultdict[int, list[OutcomeLabel]] = defaultdict(list)
    for key, _, _, label, *_ in connection.execute(_SQL["outcomes"], {**params, "keys": json.dumps(list(keys))}):
        found[key].append(OutcomeLabel(label))
    return found


def _counted(labels: Mapping[int, Sequence[OutcomeLabel]], keys: Iterable[int]) -> Mapping[OutcomeLabel, int]:
    return dict(Counter(label for key in keys for label in labels.get(key, ())))


def _event_from(
    row: Sequence[Any], members: Sequence[Member], outcomes: Sequence[CompositionOutcome]
) -> CompositionEvent:
    (_, id_, project, author, at, tool, mode, query, query_hash, told, confidence, status, output_preview, metadata,
     _) = row  # fmt: skip
    return CompositionEvent(
        id=id_,
        project=project,
        author=author,
        at=from_micros(at),
        tool=tool,
        mode=mode,
        query=query,
        query_hash=query_hash,
        members=tuple(members),
        told=bool(told),
        confidence=confidence,
        status=CompositionStatus(status) if status else None,
        output_preview=output_preview,
        metadata=CompositionMetadata(**json.loads(metadata)),
        outcomes=tuple(outcomes),
    )


def _member_from(row: Sequence[Any]) -> Member:
    memory_id, role, rank, trust, score, preview, tags, text, replaced_by = row
    return Member(memory_id, Role(role), rank, trust, score, preview, tuple(json.loads(tags)), text, replaced_by)


def _outcome_from(row: Sequence[Any]) -> CompositionOutcome:
    at, author, label, source, confidence_delta, notes = row
    return CompositionOutcome(OutcomeLabel(label), source, author, from_micros(at), confidence_delta, notes)
