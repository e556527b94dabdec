"""Figures of use. Recalls and citations live in two files: what was said goes from one query to the other as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from trigraph.model.change import Citation, CitationKind
from trigraph.model.insight import (
    POSITIVE,
    CitedMemory,
    DayCount,
    DayFigures,
    LegCounts,
    PastRecall,
    RecallFilter,
    Span,
    UncitedMemory,
    UsefulRecall,
    outcome_of,
)
from trigraph.model.memory import Kind
from trigraph.model.query import Leg, QueryClass
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros, to_micros
from trigraph.stores.sqlite.events import event_from
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, array, queries

_SQL = queries("figures", queries("outcomes"))
_EXCERPT_CHARS = 160
_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_KINDS = (
    CitationKind.CITED,
    CitationKind.DISMISSED,
    CitationKind.FLAGGED_STALE,
    CitationKind.REWROTE,
    CitationKind.SAVED_REWORK,
)
"""In the order of their columns; so are the legs."""
_LEGS = (Leg.VECTOR, Leg.LEXICAL, Leg.GRAPH, Leg.TEMPORAL)
_NOTHING_TOLD = "[]"


class SqliteFigures:
    """See `contracts.Figures`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def days(self, scope: Scope, span: Span) -> list[DayFigures]:
        params: Params = {
            **_within(scope, span),
            "told": self._told(scope, span),
            "first_day": -(-to_micros(span.since) // _DAY_MICROS),
            "last_day": -(-to_micros(span.until) // _DAY_MICROS),
        }
        with self._home.of(scope).events.connection() as connection:
            return [_day_from(row) for row in connection.execute(_SQL["days"], params)]

    def citation_days(self, scope: Scope, span: Span) -> list[DayCount]:
        return self._counts(scope, span, "citation_days")

    def written_days(self, scope: Scope, span: Span) -> list[DayCount]:
        return self._counts(scope, span, "written_days")

    def top_cited(self, scope: Scope, span: Span, moment: Moment, limit: int) -> list[CitedMemory]:
        params = {**self._naming(scope, span.agent, moment, limit), **_between(span)}
        with self._home.reading(scope) as connection:
            return [
                CitedMemory(id_, text, Kind(kind), of_use, _by_kind(counts), from_micros(last_at))
                for id_, text, kind, of_use, last_at, *counts in connection.execute(_SQL["top_cited"], params)
            ]

    def shown_uncited(
        self, scope: Scope, agent: str | None, moment: Moment, limit: int, looked_at: int
    ) -> list[UncitedMemory]:
        params: Params = {"project": scope.project, "agent": agent, "limit": looked_at}
        with self._home.of(scope).events.connection() as connection:
            shown = {id_: (times, at) for id_, times, at in connection.execute(_SQL["most_shown"], params)}
        asked = {**self._naming(scope, agent, moment, limit), "ids": json.dumps(list(shown))}
        with self._home.reading(scope) as connection:
            return list(_uncited(connection.execute(_SQL["uncited"], asked), shown))

    def oldest_uncited(
        self, scope: Scope, agent: str | None, moment: Moment, before: datetime, limit: int
    ) -> list[UncitedMemory]:
        asked = {**self._naming(scope, agent, moment, limit), "before": to_micros(before)}
        with self._home.reading(scope) as connection:
            rows = connection.execute(_SQL["oldest_uncited"], asked).fetchall()
        params: Params = {"project": scope.project, "agent": agent, "ids": json.dumps([row[0] for row in rows])}
        with self._home.of(scope).events.connection() as connection:
            shown = {id_: (times, at) for id_, times, at in connection.execute(_SQL["times_shown"], params)}
        return list(_uncited(rows, shown))

    def useful(self, scope: Scope, span: Span, limit: int) -> list[UsefulRecall]:
        params: Params = {**_within(scope, span), "told": self._told(scope, span, POSITIVE), "limit": limit}
        with self._home.of(scope).events.connection() as connection:
            return [
                UsefulRecall(event_from(event), tuple(json.loads(memory_ids)))
                for *event, memory_ids in connection.execute(_SQL["useful"], params)
            ]

    def recalls(
        self, scope: Scope, wanted: RecallFilter, limit: int, before: tuple[datetime, str] | None
    ) -> list[PastRecall]:
        span = Span(wanted.since or _FIRST, wanted.until or _LAST, wanted.agent)
        sifted = wanted.outcomes or wanted.kinds
        params: Params = {
            **_within(scope, span),
            "told": self._told(scope, span) if sifted else _NOTHING_TOLD,
            "own": scope.agent,
            "session": wanted.session,
            "query_class": wanted.query_class,
            "outcomes": array(wanted.outcomes),
            "kinds": array(wanted.kinds),
            "before_at": to_micros(before[0]) if before else None,
            "before_id": before[1] if before else None,
            "limit": limit,
        }
        with self._home.of(scope).events.connection() as connection:
            rows: list[Any] = connection.execute(_SQL["page"], params).fetchall()
        said = self._said(scope, [(recall_id, agent) for recall_id, _, agent, *_ in rows])
        return [_past_from(row, said.get(row[0], ())) for row in rows]

    def citations_of(self, scope: Scope, recall_id: str) -> list[Citation]:
        return self._said(scope, [(recall_id, scope.agent)]).get(recall_id, [])

    def _told(self, scope: Scope, span: Span, kinds: Collection[CitationKind] = ()) -> str:
        """What was said since the span began, as the queries of the other file take it."""
        params: Params = {**_within(scope, span), "kinds": array(kinds)}
        with self._home.reading(scope) as connection:
            return str(connection.execute(_SQL["told"], params).get)

    def _said(self, scope: Scope, recalls: Collection[tuple[str, str]]) -> dict[str, list[Citation]]:
        params: Params = {"project": scope.project, "recalls": json.dumps(list(recalls))}
        found: dict[str, list[Citation]] = {}
        with self._home.reading(scope) as connection:
            for id_, kind, recall_id, session, agent, notes, at in connection.execute(_SQL["told_of"], params):
                said = Citation(id_, CitationKind(kind), recall_id, session, agent, notes, from_micros(at))
                found.setdefault(recall_id, []).append(said)
        return found

    def _counts(self, scope: Scope, span: Span, query: str) -> list[DayCount]:
        with self._home.reading(scope) as connection:
            return [
                DayCount(day_of(day), agent, count, CitationKind(kind) if kind else None)
                for day, agent, count, kind in connection.execute(_SQL[query], _within(scope, span))
            ]

    def _naming(self, scope: Scope, agent: str | None, moment: Moment, limit: int) -> Params:
        visible = self._home.visible(scope, moment)
        return {**visible, "agent_asked": agent, "limit": limit, "most_chars": _EXCERPT_CHARS}


_DAY_MICROS = timedelta(days=1) // timedelta(microseconds=1)


def _between(span: Span) -> Params:
    return {"since": to_micros(span.since), "until": to_micros(span.until)}


def _within(scope: Scope, span: Span) -> Params:
    return {"project": scope.project, "agent": span.agent, **_between(span)}


def day_of(number: int) -> datetime:
    """When a day begins, by its number since 1970."""
    return from_micros(number * _DAY_MICROS)


def _by_kind(counts: Sequence[int]) -> dict[CitationKind, int]:
    return {kind: count for kind, count in zip(_KINDS, counts, strict=True) if count}


def _day_from(row: Sequence[Any]) -> DayFigures:
    rolled_up, _, day, agent, query_class, recalls, hits, misses, undecided, empty, stale, payload, took, *rest = row
    counts, of_legs = rest[: len(_KINDS)], rest[len(_KINDS) :]
    legs = {leg: LegCounts(*of_legs[3 * place : 3 * place + 3]) for place, leg in enumerate(_LEGS)}
    return DayFigures(
        day_of(day), agent, QueryClass(query_class), recalls, hits, misses, undecided, empty, stale, payload, took,
        _by_kind(counts), legs, bool(rolled_up),
    )  # fmt: skip


def _uncited(rows: Any, shown: dict[Any, tuple[Any, Any]]) -> Iterator[UncitedMemory]:
    for id_, text, kind, created_at in rows:
        times, last_at = shown.get(id_, (0, None))
        last = None if last_at is None else from_micros(last_at)
        yield UncitedMemory(id_, text, Kind(kind), times, last, from_micros(created_at))


def _past_from(row: Sequence[Any], said: Sequence[Citation]) -> PastRecall:
    recall_id, at, agent, session, query, query_class, result_ids, shown, payload_bytes, milliseconds, whole = row
    of_hits = Counter(one.kind for one in said if one.memory_id in json.loads(result_ids))
    outcome = outcome_of(of_hits, shown)
    return PastRecall(
        recall_id, from_micros(at), agent, session, query or None, QueryClass(query_class), outcome, shown,
        payload_bytes, milliseconds, dict(of_hits), bool(whole),
    )  # fmt: skip
