"""Compositions as they are exported, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any

import apsw

from trigraph.contracts import Put, Record
from trigraph.model.composition import (
    CompositionEvent,
    CompositionMetadata,
    CompositionOutcome,
    CompositionStatus,
    Member,
    OutcomeLabel,
    Role,
)
from trigraph.model.scope import Scope
from trigraph.model.times import from_micros, to_micros
from trigraph.stores.sqlite.compositions import add_event, add_outcome, whole_events
from trigraph.stores.sqlite.visibility import Params, queries

_SQL = queries("compositions")
_PAGE = 200
_BLANK = {"preview": "", "tags": [], "text": ""}
_AUDIENCE = ("author", "visibility", "group_name")


def records(connection: apsw.Connection, params: Params) -> Iterator[Record]:
    """Every composition that may be seen, or all of them; times are in microseconds."""
    cursor = connection.execute(_SQL["all"], params)
    while page := list(islice(cursor, _PAGE)):
        for event, audiences in whole_events(connection, params, page):
            yield _record(event, audiences)


def put(connection: apsw.Connection, scope: Scope, params: Params, record: Record) -> Put:
    """Write a composition as it was, without copies of what was erased here. To one that is here already only outcomes
    are added."""
    given = _without_erased(connection, record)
    rows = connection.execute(_SQL["one"], {**params, "id": given["id"]}).fetchall()
    if not rows:
        audiences = [{name: one[name] for name in _AUDIENCE} for one in given["members"]]
        add_event(connection, scope, _event(scope, given), audiences)
        return Put.ADDED
    there = _record(*whole_events(connection, params, rows)[0])
    if {**there, "outcomes": []} != {**given, "outcomes": []}:
        return Put.DIFFERENT
    added = [add_outcome(connection, scope, given["id"], _outcome(one)) for one in given["outcomes"]]
    return Put.ADDED if any(added) else Put.SAME


def _without_erased(connection: apsw.Connection, record: Record) -> Record:
    ids: Params = {"ids": json.dumps([one["memory_id"] for one in record["members"]])}
    erased = {id_ for (id_,) in connection.execute(_SQL["erased_among"], ids)}
    if not erased:
        return record
    members = [{**one, **_BLANK} if one["memory_id"] in erased else one for one in record["members"]]
    metadata = {**record["metadata"], "reasoning_preview": ""}
    return {**record, "members": members, "output_preview": "", "metadata": metadata}


def _record(event: CompositionEvent, audiences: list[Params]) -> Record:
    values: dict[str, Any] = {"record": "composition", **asdict(event), "at": to_micros(event.at)}
    del values["project"]
    values["members"] = [
        {**member, "tags": list(member["tags"]), **audience}
        for member, audience in zip(values["members"], audiences, strict=True)
    ]
    values["outcomes"] = [{**one, "at": to_micros(one["at"])} for one in values["outcomes"]]
    plain: Record = json.loads(json.dumps(values))
    return plain


def _event(scope: Scope, record: Record) -> CompositionEvent:
    plain = {name: value for name, value in record.items() if name != "record"}
    return CompositionEvent(
        **{
            **plain,
            "project": scope.project,
            "at": from_micros(record["at"]),
            "status": CompositionStatus(record["status"]) if record["status"] else None,
            "members": tuple(_member(one) for one in record["members"]),
            "metadata": CompositionMetadata(**record["metadata"]),
            "outcomes": tuple(_outcome(one) for one in record["outcomes"]),
        }
    )


def _member(record: Record) -> Member:
    plain = {name: value for name, value in record.items() if name not in _AUDIENCE}
    return Member(**{**plain, "role": Role(record["role"]), "tags": tuple(record["tags"])})


def _outcome(record: Record) -> CompositionOutcome:
    return CompositionOutcome(**{**record, "label": OutcomeLabel(record["label"]), "at": from_micros(record["at"])})
