"""The one place where it is decided what a read may see.

`queries/visibility.sql` holds the predicate; here it is spliced into every query that reads memories,
and here its parameters are made. No other module names these columns in a condition of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from trigraph.model.memory import MemoryFilter
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, to_micros
from trigraph.stores.sql_files import load_queries, read_sql
from trigraph.text.terms import topic_key

Params = dict[str, object]

_PREDICATES = load_queries(read_sql("trigraph.stores.sqlite", "queries", "visibility.sql"))


def queries(file: str, fragments: Mapping[str, str] | None = None) -> dict[str, str]:
    """The named queries of a file, with `{visible}` and `{wanted}` spliced in."""
    text = read_sql("trigraph.stores.sqlite", "queries", f"{file}.sql")
    return load_queries(text, {**_PREDICATES, **(fragments or {})})


def visible(scope: Scope, moment: Moment) -> Params:
    """Parameters of `{visible}`."""
    return {
        "project": scope.project,
        "agent": scope.agent,
        "as_of": to_micros(moment.as_of),
        "known_at": to_micros(moment.known_at),
    }


def wanted(asked: MemoryFilter) -> Params:
    """Parameters of `{wanted}`; null where the filter asks for all."""
    return {
        "kinds": _array(asked.kinds),
        "topic_key": topic_key(asked.topic) if asked.topic else None,
        "tags": _array(asked.tags),
        "sources": _array(asked.sources),
        "author": asked.author,
        "session": asked.session,
        "thread": asked.thread,
        "first_seq": asked.first_seq,
        "last_seq": asked.last_seq,
        "created_after": to_micros(asked.created_after) if asked.created_after else None,
        "created_before": to_micros(asked.created_before) if asked.created_before else None,
        "occurred_after": to_micros(asked.occurred_after) if asked.occurred_after else None,
        "occurred_before": to_micros(asked.occurred_before) if asked.occurred_before else None,
    }


def _array(values: Iterable[str]) -> str | None:
    listed = list(values)
    return json.dumps(listed) if listed else None
