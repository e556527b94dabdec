"""A quick look into a store that is only read: what a hook may show, in a process that lives for some milliseconds.

The queries, the ranking by words and the rule of who may see what are those of the store itself. Nothing is made,
migrated, waited for or written, and nothing is imported that takes time: no numpy, no dataclasses.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterable, Mapping, Sequence

import apsw

from trigraph.errors import NotFound, StoreError
from trigraph.stores.sqlite import by_words
from trigraph.stores.sqlite.mark import APPLICATION_ID
from trigraph.stores.sqlite.splicing import queries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TEXT_CHARS = 2000
"""So much of a memory is looked at: more would not be shown."""
LOOKED_AT = 200
MATCHES = 30
"""As many as the profile `fast` looks at."""
SEEDS_MOST = 12
DEGREE_MOST = 2000

_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_OF_ALL = {"wanted": "TRUE"}
"""Where no domain narrows it, all that may be seen is wanted: the filter's many parts need not be looked at."""
_COLUMNS = ("id", "kind", "topic", "trust", "confidence", "pinned", "at", "session", "text")
_ASKED = (
    "kinds types entity topic_key tags sources author session thread first_seq last_seq created_after created_before "
    "occurred_after occurred_before happened_from happened_until only_visibility verified_before"
).split()


class Glance:
    """What one agent may see of a home folder, now."""

    def __init__(self, home: str, tenant: str, project: str, agent: str, *, wait_seconds: float) -> None:
        if not _TENANT.fullmatch(tenant) or tenant == "registry":
            raise NotFound("The tenant has no valid name.")
        self._wait_seconds = wait_seconds
        self._hooks = queries("hooks")
        registry = self._open(home, "registry", "registry")
        try:
            who = {"tenant": tenant, "project": project, "agent": agent}
            known = queries("registry")
            if not registry.execute(known["has_project"], who).get:
                raise NotFound("There is no such project.")
            row = registry.execute(known["reader"], who).fetchone()
        finally:
            registry.close()
        self._truth = self._open(home, tenant, "tenant")
        self._truth.execute("BEGIN")  # all reads see one state
        self._present = max(int(time.time() * 1_000_000), self._truth.execute(queries("clock")["latest"]).get)
        self._params = params_of(project, agent, row, self._present)
        self._search = queries("search", None if self._params["domains"] else _OF_ALL)

    def bound(self, limit: int) -> list[dict[str, Any]]:
        """The constraints that hold: pinned ones first, then the newest."""
        return self._told("bound", limit=limit, looked_at=LOOKED_AT)

    def newest(self, kinds: Iterable[str], limit: int) -> list[dict[str, Any]]:
        """What is pinned, and the newest memories of each of some kinds."""
        found = {one["id"]: one for one in self._told("pinned", limit=limit)}
        for kind in kinds:
            found |= {one["id"]: one for one in self._told("newest", kind=kind, limit=limit)}
        return list(found.values())

    def statistics(self, terms: Iterable[str]) -> tuple[int, dict[str, int]]:
        """How many passages there are, and how many hold each of some terms."""
        passages, _, holding = by_words.statistics(self._truth, self._search, terms)
        return passages, holding

    def lexical(self, terms: Sequence[str], identifiers: Sequence[str]) -> by_words.Found:
        """Passages by their words, best first, one of each memory; then those that hold one of the identifiers."""
        found = None
        if terms:
            if self._params["policy"] == "shared":
                found = by_words.best(self._truth, self._search, terms, self._params, MATCHES, 1)
            if found is None:
                found = by_words.every(self._truth, self._search, terms, self._params, MATCHES, 1)
        found = found or []
        if identifiers:
            named = by_words.every(
                self._truth, self._search, identifiers, self._params, MATCHES, 1, query="identifiers"
            )
            weakest, there = min((score for _, score in found), default=1.0), {key for key, _ in found}
            found += [(key, weakest) for key, _ in named if key not in there]
        return found

    def names(self, leads: Iterable[str]) -> dict[str, dict[str, str]]:
        """Known names of some leads: by key, the entities that have it and how they are spelt."""
        known: dict[str, dict[str, str]] = {}
        params = {**self._params, "leads": json.dumps(list(leads))}
        for name, key, id_, *_ in self._truth.execute(queries("entities")["known_names"], params):
            known.setdefault(key, {})[id_] = name
        return known

    def near(self, entity_ids: Sequence[str]) -> list[tuple[int, bool, int]]:
        """Passages of memories about entities, and of those that speak of them: whether about, and of how many memories
        speak of the entity."""
        graph = queries("graph")
        ids = json.dumps(list(entity_ids)[:SEEDS_MOST])
        degrees = dict(self._truth.execute(graph["degrees"], {**self._params, "ids": ids, "limit": DEGREE_MOST}))
        asked = {**self._params, "ids": ids, "limit": MATCHES}
        found = [(row[2], True, degrees.get(row[0], 0)) for row in self._truth.execute(graph["about"], asked)]
        for id_ in list(entity_ids)[:SEEDS_MOST]:
            naming = self._truth.execute(graph["naming"], {**asked, "entity_id": id_})
            found += [(row[2], False, degrees.get(row[0], 0)) for row in naming]
        return found

    def passages(self, keys: Iterable[int]) -> list[dict[str, Any]]:
        """What stands in passages, with their memories; `passage` is the key, `terms` are the words."""
        return self._told("passages", ("passage", "terms"), passages=json.dumps(list(keys)))

    def close(self) -> None:
        """Let go of the store."""
        self._truth.close()

    def _told(self, query: str, more: tuple[str, ...] = (), **params: object) -> list[dict[str, Any]]:
        rows = self._truth.execute(self._hooks[query], {**self._params, "chars": TEXT_CHARS, **params})
        found = [dict(zip((*_COLUMNS, *more), row, strict=True)) for row in rows]
        return [{**one, "age_days": max(self._present - one["at"], 0) / 86_400_000_000} for one in found]

    def _open(self, home: str, name: str, family: str) -> apsw.Connection:
        path = os.path.join(home, f"{name}.db")
        if not os.path.isfile(path):
            raise NotFound("There is no store.")
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(int(self._wait_seconds * 1000))
        found = connection.pragma("application_id"), connection.pragma("user_version")
        if found != (APPLICATION_ID, _newest(family)):
            connection.close()
            raise StoreError("The store is of another version.", fix="Run `trigraph health` once.")
        return connection


def params_of(project: str, agent: str, row: tuple[Any, ...] | None, present: int) -> dict[str, object]:
    """Parameters of the predicates and of a filter that asks for all, as `visibility` makes them. `row` is what the
    registry says of the agent; one that it does not know is isolated."""
    policy, groups, fellows, domains = row or ("isolated", "[]", "[]", "[]")
    nothing: Mapping[str, object] = dict.fromkeys(_ASKED)
    return {
        "project": project,
        "agent": agent,
        "policy": policy,
        "groups": groups,
        "fellows": fellows,
        "status": "active",
        "superseded": False,
        "as_of": present,
        "known_at": present,
        **nothing,
        "domains": domains if json.loads(domains) else None,
        "domainless": bool(json.loads(domains)),
    }


def _newest(family: str) -> int:
    """The version that this trigraph makes of such a file."""
    return max(int(name[:4]) for name in os.listdir(os.path.join(os.path.dirname(__file__), "migrations", family)))
