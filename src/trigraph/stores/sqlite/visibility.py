"""The one place where it is decided what a read may see.

`queries/visibility.sql` holds the predicate; here it is spliced into every query that reads memories or
entities, and here its parameters are made. No other module names these columns in a condition of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from trigraph.model.access import Reader
from trigraph.model.memory import MemoryFilter, Status
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, to_micros
from trigraph.stores.sql_files import load_queries, read_sql
from trigraph.stores.sqlite.rows import MEMORY_COLUMNS, MEMORY_JOINS
from trigraph.text.terms import topic_key

Params = dict[str, object]


def _predicates() -> dict[str, str]:
    """The fragments, each spliced into those that build on it; the rule itself stands once, for any row."""
    text = read_sql("trigraph.stores.sqlite", "queries", "visibility.sql")
    raw = load_queries(text)

    def of_row(author: str, visibility: str, group: str) -> str:
        return raw["access"].format(author=author, row_visibility=visibility, row_group=group)

    parts = {"known": raw["known"]}
    parts["readable"] = f"m.project = :project AND {of_row('m.author', 'v.visibility', 'v.group_name')}"
    parts["entity_access"] = of_row("e.author", "e.visibility", "e.group_name")
    parts["other_access"] = of_row("o.author", "o.visibility", "o.group_name")
    parts["source_access"] = of_row("src.author", "src.visibility", "src.group_name")
    parts["target_access"] = of_row("tgt.author", "tgt.visibility", "tgt.group_name")
    parts["own_access"] = of_row("own.author", "stands.visibility", "stands.group_name")
    parts["successor_access"] = of_row("later.author", "held.visibility", "held.group_name")
    for name, fragment in raw.items():
        if name != "access":
            parts[name] = fragment.format_map(parts)
    for end, alias in (("source", "src"), ("target", "tgt")):
        parts[f"{end}_name"] = parts["entity_name"].replace("e.key", f"{alias}.key")
    parts["memory_columns"] = MEMORY_COLUMNS.format_map(parts)
    parts["memory_joins"] = MEMORY_JOINS.format_map(parts)
    return parts


_PREDICATES = _predicates()


def queries(file: str, fragments: Mapping[str, str] | None = None) -> dict[str, str]:
    """The named queries of a file, with the predicates (and further fragments) spliced in."""
    text = read_sql("trigraph.stores.sqlite", "queries", f"{file}.sql")
    return load_queries(text, {**_PREDICATES, **(fragments or {})})


def visible(scope: Scope, reader: Reader, moment: Moment) -> Params:
    """Parameters of the predicates."""
    return {
        "project": scope.project,
        "agent": scope.agent,
        "policy": reader.policy,
        "groups": json.dumps(sorted(reader.groups)),
        "fellows": json.dumps(sorted(reader.fellows)),
        "status": Status.ACTIVE,
        "superseded": moment.superseded,
        "as_of": to_micros(moment.as_of),
        "known_at": to_micros(moment.known_at),
    }


def wanted(asked: MemoryFilter) -> Params:
    """Parameters of `{wanted}`; null where the filter asks for all."""
    return {
        "status": asked.status,
        "kinds": array(asked.kinds),
        "types": array(asked.types),
        "entity": asked.entity,
        "topic_key": topic_key(asked.topic) if asked.topic else None,
        "tags": array(asked.tags),
        "domains": array(asked.domains),
        "domainless": asked.domainless,
        "sources": array(asked.sources),
        "author": asked.author,
        "session": asked.session,
        "thread": asked.thread,
        "first_seq": asked.first_seq,
        "last_seq": asked.last_seq,
        "created_after": to_micros(asked.created_after) if asked.created_after else None,
        "created_before": to_micros(asked.created_before) if asked.created_before else None,
        "occurred_after": to_micros(asked.occurred_after) if asked.occurred_after else None,
        "occurred_before": to_micros(asked.occurred_before) if asked.occurred_before else None,
        "happened_from": to_micros(asked.happened_from) if asked.happened_from else None,
        "happened_until": to_micros(asked.happened_until) if asked.happened_until else None,
    }


def array(values: Iterable[str]) -> str | None:
    """A JSON array for `json_each`, null for an empty one."""
    listed = list(values)
    return json.dumps(listed) if listed else None
