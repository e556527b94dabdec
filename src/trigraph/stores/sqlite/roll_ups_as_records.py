"""What is left of recalls that were rolled up, as it is exported, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator

import apsw

from trigraph.contracts import Put, Record
from trigraph.model.scope import Scope
from trigraph.stores.sqlite.visibility import Params, queries

KINDS = ("recall_day", "shown_before")
_SQL = queries("transfer", queries("records"))


def records(connection: apsw.Connection, params: Params) -> Iterator[Record]:
    """The counts of days and of what was shown, of the agent or of all; times are in microseconds."""
    for kind in KINDS:
        for (text,) in connection.execute(_SQL[f"{kind}s"], params):
            yield json.loads(text)


def put(connection: apsw.Connection, scope: Scope, record: Record) -> Put:
    """Write a count as it was. Where others stand in its place, or recalls are kept that may be among those it counts,
    it is different: none is ever added to another."""
    kind = record["record"]
    params: Params = {"project": scope.project, "record": json.dumps(record)}
    row = connection.execute(_SQL[kind], params).fetchone()
    if row is not None:
        return Put.SAME if json.loads(row[0]) == record else Put.DIFFERENT
    written = connection.execute(_SQL[f"put_{kind}"], params).fetchall()
    return Put.ADDED if written else Put.DIFFERENT
