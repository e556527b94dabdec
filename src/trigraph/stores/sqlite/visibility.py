"""The one place where it is decided what a read may see.

`queries/visibility.sql` holds the predicate; `splicing` puts it into every query that reads memories or
entities, and here its parameters are made. No other module names these columns in a condition of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from trigraph.model.access import Reader
from trigraph.model.memory import MemoryFilter, Status
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, to_micros
from trigraph.stores.sqlite.splicing import queries as queries
from trigraph.text.terms import topic_key

Params = dict[str, object]


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
        "only_visibility": asked.visibility,
        "verified_before": to_micros(asked.verified_before) if asked.verified_before else None,
    }


def array(values: Iterable[str]) -> str | None:
    """A JSON array for `json_each`, null for an empty one."""
    listed = list(values)
    return json.dumps(listed) if listed else None
