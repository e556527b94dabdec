"""Recall events: one row each, in a file that costs a recall no fsync."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from trigraph.model.access_log import Shown
from trigraph.model.events import CandidateRecord, RecallEvent, ShownHit
from trigraph.model.query import Leg, QueryClass
from trigraph.model.recall import LegReport, LegStatus
from trigraph.model.scope import Scope
from trigraph.model.scorer import ShownList
from trigraph.model.times import from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, queries

_SQL = queries("events", queries("outcomes"))
_COMPRESSION_LEVEL = 1
_PAGE = 500


class SqliteEvents:
    """See `contracts.Events`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def add(self, scope: Scope, event: RecallEvent) -> None:
        params: Params = {
            "recall_id": event.recall_id,
            "tenant": event.tenant,
            "project": event.project,
            "agent": event.agent,
            "session": event.session,
            "query": event.query,
            "query_class": event.query_class,
            "profile": event.profile,
            "fusion": event.fusion,
            "result_count": event.result_count,
            "result_ids": json.dumps(event.result_ids),
            "top_n_selected": event.top_n_selected,
            "payload_bytes": event.payload_bytes,
            "exact_ids": json.dumps(event.exact_ids),
            "weights": json.dumps(dict(event.weights)),
            "legs": json.dumps([asdict(report) for report in event.legs]),
            "candidates": _packed(event.candidates),
            "milliseconds": event.milliseconds,
            "at": to_micros(event.at),
            "features": _packed_features(event.feature_names, event.shown),
            "explored": event.explored,
        }
        with self._home.of(scope).events.transaction() as connection:
            connection.execute(_SQL["add"], params)
            connection.execute(_SQL["add_shown"], params)
            connection.execute(_SQL["add_figure"], {"recall_id": event.recall_id})

    def shown(self, scope: Scope, memory_id: str, limit: int) -> list[Shown]:
        params: Params = {**_own(scope), "memory_id": memory_id, "limit": limit}
        with self._home.of(scope).events.connection() as connection:
            return [
                Shown(recall_id, query, session, rank, from_micros(at))
                for recall_id, query, session, rank, at in connection.execute(_SQL["shown"], params)
            ]

    def shown_count(self, scope: Scope, memory_id: str) -> int:
        with self._home.of(scope).events.connection() as connection:
            return int(connection.execute(_SQL["shown_count"], {**_own(scope), "memory_id": memory_id}).get)

    def shown_in(self, scope: Scope, session: str, memory_id: str) -> str | None:
        params: Params = {**_own(scope), "memory_id": memory_id, "session": session}
        with self._home.of(scope).events.connection() as connection:
            row = connection.execute(_SQL["shown_in"], params).fetchone()
        return str(row[0]) if row else None

    def get(self, scope: Scope, recall_id: str) -> RecallEvent | None:
        params: Params = {"recall_id": recall_id, "project": scope.project, "agent": scope.agent}
        with self._home.of(scope).events.connection() as connection:
            row = connection.execute(_SQL["get"], params).fetchone()
        return None if row is None else event_from(row)

    def lists(self, scope: Scope, recall_ids: Collection[str]) -> list[ShownList]:
        params: Params = {"ids": json.dumps(list(recall_ids)), "project": scope.project}
        with self._home.of(scope).events.connection() as connection:
            return [
                ShownList(recall_id, agent, from_micros(at), *_unpacked_features(features))
                for recall_id, agent, at, features in connection.execute(_SQL["lists"], params)
            ]

    def count(self, scope: Scope) -> int:
        with self._home.of(scope).events.connection() as connection:
            params: Params = {"project": scope.project, "agent": scope.agent}
            return int(connection.execute(_SQL["count"], params).get)

    def latest(self, scope: Scope) -> str | None:
        with self._home.of(scope).events.connection() as connection:
            row = connection.execute(_SQL["latest"], _own(scope)).fetchone()
        return str(row[0]) if row else None

    def since(self, scope: Scope, recall_id: str, limit: int) -> list[str]:
        params: Params = {**_own(scope), "after": recall_id, "limit": limit}
        with self._home.of(scope).events.connection() as connection:
            return [row[0] for row in connection.execute(_SQL["since"], params)]

    def used(self, scope: Scope, recall_id: str, skill_ids: Collection[str], at: datetime) -> None:
        with self._home.of(scope).events.transaction() as connection:
            for entity_id in skill_ids:
                params: Params = {
                    "entity_id": entity_id,
                    "recall_id": recall_id,
                    "project": scope.project,
                    "agent": scope.agent,
                    "at": to_micros(at),
                }
                connection.execute(_SQL["used"], params)

    def uses(self, scope: Scope, skill_ids: Collection[str]) -> dict[str, int]:
        params: Params = {"ids": json.dumps(list(skill_ids)), "project": scope.project, "agent": scope.agent}
        with self._home.of(scope).events.connection() as connection:
            return dict(connection.execute(_SQL["uses"], params))

    def forget(self, scope: Scope, memory_id: str) -> None:
        with self._home.of(scope).events.transaction() as connection:
            gone: Params = {"memory_id": memory_id, "project": scope.project}
            connection.execute(_SQL["unshow"], gone)
            connection.execute(_SQL["unshow_before"], gone)
            after = 0
            while True:
                params: Params = {"project": scope.project, "after": after, "limit": _PAGE}
                page: list[tuple[int, str, str, bytes, bytes | None, str | None]] = connection.execute(
                    _SQL["all"], params
                ).fetchall()  # type: ignore[assignment]
                for key, result_ids, exact_ids, blob, features, explored in page:
                    after = key
                    packed = [zlib.decompress(one).decode() for one in (blob, features) if one is not None]
                    if any(memory_id in one for one in (*packed, result_ids, exact_ids, explored or "")):
                        kept = tuple(one for one in _unpacked(blob) if one.memory_id != memory_id)
                        rewritten: Params = {
                            "key": key,
                            "result_ids": _without(result_ids, memory_id),
                            "exact_ids": _without(exact_ids, memory_id),
                            "candidates": _packed(kept),
                            "features": _features_without(features, memory_id),
                            "explored": None if explored == memory_id else explored,
                        }
                        connection.execute(_SQL["rewrite"], rewritten)
                if len(page) < _PAGE:
                    return


def event_from(row: Sequence[Any]) -> RecallEvent:
    """An event from its columns."""
    (id_, tenant, project, agent, session, query, query_class, profile, fusion, result_count, result_ids,
     top_n_selected, payload_bytes, exact_ids, weights, legs, candidates, milliseconds, at, features,
     explored) = row  # fmt: skip
    names, shown = _unpacked_features(features)
    return RecallEvent(
        recall_id=id_,
        tenant=tenant,
        project=project,
        agent=agent,
        session=session,
        query=query,
        query_class=QueryClass(query_class),
        profile=profile,
        fusion=fusion,
        result_count=result_count,
        result_ids=tuple(json.loads(result_ids)),
        top_n_selected=top_n_selected,
        payload_bytes=payload_bytes,
        exact_ids=tuple(json.loads(exact_ids)),
        weights={Leg(leg): weight for leg, weight in json.loads(weights).items()},
        candidates=_unpacked(candidates),
        legs=tuple(_leg_from(report) for report in json.loads(legs)),
        milliseconds=milliseconds,
        at=from_micros(at),
        feature_names=names,
        shown=shown,
        explored=explored,
    )


def _own(scope: Scope) -> Params:
    return {"project": scope.project, "agent": scope.agent}


def _without(ids: str, memory_id: str) -> str:
    return json.dumps([one for one in json.loads(ids) if one != memory_id])


def _packed(candidates: tuple[CandidateRecord, ...]) -> bytes:
    rows = [(one.memory_id, one.ordinal, one.brought_by, dict(one.scores), one.likeness) for one in candidates]
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), _COMPRESSION_LEVEL)


def _unpacked(blob: bytes) -> tuple[CandidateRecord, ...]:
    return tuple(
        CandidateRecord(
            memory_id, ordinal, tuple(brought_by), {Leg(leg): score for leg, score in scores.items()}, *model
        )
        for memory_id, ordinal, brought_by, scores, *model in json.loads(zlib.decompress(blob))
    )


def _packed_features(names: tuple[str, ...], shown: tuple[ShownHit, ...]) -> bytes | None:
    if not shown:
        return None
    rows = [[one.memory_id, one.rank, one.beyond, list(one.features)] for one in shown]
    written = json.dumps({"names": names, "shown": rows}, separators=(",", ":"))
    return zlib.compress(written.encode(), _COMPRESSION_LEVEL)


def _unpacked_features(blob: bytes | None) -> tuple[tuple[str, ...], tuple[ShownHit, ...]]:
    if blob is None:
        return (), ()
    kept = json.loads(zlib.decompress(blob))
    shown = (ShownHit(id_, rank, beyond, tuple(features)) for id_, rank, beyond, features in kept["shown"])
    return tuple(kept["names"]), tuple(shown)


def _features_without(blob: bytes | None, memory_id: str) -> bytes | None:
    names, shown = _unpacked_features(blob)
    return _packed_features(names, tuple(one for one in shown if one.memory_id != memory_id))


def _leg_from(report: dict[str, object]) -> LegReport:
    return LegReport(**{**report, "leg": Leg(report["leg"]), "status": LegStatus(report["status"])})  # type: ignore[arg-type]


NO_CANDIDATES = _packed(())
"""What is kept of candidates that are no longer kept."""
