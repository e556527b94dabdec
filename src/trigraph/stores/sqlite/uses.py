"""Citations, votes, and answers already given."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from trigraph.model.access_log import Restatement
from trigraph.model.change import Citation, CitationKind, Verb
from trigraph.model.memory import Source
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.rows import time_param
from trigraph.stores.sqlite.visibility import Params, queries

ANSWERS_KEPT = timedelta(days=7)

_SQL = queries("uses")
_ANY_TIME = Moment(from_micros(0), from_micros(0))


class SqliteUses:
    """See `contracts.Uses`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def cite(self, scope: Scope, citation: Citation) -> bool:
        params: Params = {
            "project": scope.project,
            "agent": scope.agent,
            "session": citation.session,
            "recall_id": citation.recall_id,
            "memory_id": citation.memory_id,
            "kind": citation.kind,
            "notes": citation.notes,
            "at": to_micros(citation.at),
        }
        with self._home.writing(scope) as connection:
            return bool(connection.execute(_SQL["cite"], params).fetchall())

    def restate(self, scope: Scope, memory_id: str, restated: Restatement) -> None:
        params: Params = {
            "project": scope.project,
            "memory_id": memory_id,
            "author": restated.author,
            "source": restated.source,
            "session": restated.session,
            "turn": restated.turn,
            "uri": restated.uri,
            "at": to_micros(restated.at),
            "raised": restated.raised,
        }
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["restate"], params)

    def restatements(self, scope: Scope, memory_id: str) -> list[Restatement]:
        params: Params = {**self._home.visible(scope, _ANY_TIME), "id": memory_id}
        with self._home.reading(scope) as connection:
            return [
                Restatement(author, Source(source), session, turn, uri, from_micros(at), raised)
                for author, source, session, turn, uri, at, raised in connection.execute(_SQL["restatements"], params)
            ]

    def restated_from(
        self, scope: Scope, source: Source, since: datetime | None, uri: str | None, session: str | None
    ) -> list[int]:
        params: Params = {
            **self._home.visible(scope, _ANY_TIME),
            "source": source,
            "since": time_param(since) or 0,
            "uri": uri,
            "asked_session": session,
        }
        with self._home.reading(scope) as connection:
            return [int(key) for (key,) in connection.execute(_SQL["restated_from"], params)]

    def drop_restatements(self, scope: Scope, keys: Collection[int]) -> dict[str, float]:
        params: Params = {"keys": json.dumps(list(keys))}
        with self._home.writing(scope) as connection:
            raised = {str(id_): float(by) for id_, by in connection.execute(_SQL["raised_by"], params)}
            connection.execute(_SQL["drop_restatements"], params)
        return raised

    def used(self, scope: Scope, memory_id: str, limit: int) -> list[Citation]:
        params: Params = {**self._home.visible(scope, _ANY_TIME), "id": memory_id, "limit": limit}
        with self._home.reading(scope) as connection:
            return [
                Citation(id_, CitationKind(kind), recall_id, session, agent, notes, from_micros(at))
                for id_, kind, recall_id, session, agent, notes, at in connection.execute(_SQL["used"], params)
            ]

    def citations(self, scope: Scope, memory_ids: Collection[str]) -> dict[str, dict[CitationKind, int]]:
        params: Params = {**self._home.visible(scope, _ANY_TIME), "ids": json.dumps(list(memory_ids))}
        counted: dict[str, dict[CitationKind, int]] = {}
        with self._home.reading(scope) as connection:
            for memory_id, kind, count in connection.execute(_SQL["citations"], params):
                counted.setdefault(memory_id, {})[CitationKind(kind)] = count
        return counted

    def tally(self, scope: Scope, session: str) -> Mapping[CitationKind, int]:
        params: Params = {"project": scope.project, "agent": scope.agent, "session": session}
        with self._home.reading(scope) as connection:
            return {CitationKind(kind): count for kind, count in connection.execute(_SQL["tally"], params)}

    def last_vote(self, scope: Scope, target_id: str) -> tuple[int, float] | None:
        with self._home.reading(scope) as connection:
            row = connection.execute(_SQL["last_vote"], {"target": target_id, "agent": scope.agent}).fetchone()
        return (row[0], row[1]) if row else None

    def vote(self, scope: Scope, target_id: str, value: int, moved: float, reason: str | None, at: datetime) -> None:
        params: Params = {
            "target": target_id,
            "agent": scope.agent,
            "at": to_micros(at),
            "value": value,
            "moved": moved,
            "reason": reason,
        }
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["vote"], params)


class SqliteAnswers:
    """See `contracts.Answers`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def get(self, scope: Scope, verb: Verb, key: str) -> tuple[str, str] | None:
        params: Params = {"project": scope.project, "agent": scope.agent, "verb": verb, "key": key}
        with self._home.reading(scope) as connection:
            row = connection.execute(_SQL["answer"], params).fetchone()
        return (row[0], row[1]) if row else None

    def put(self, scope: Scope, verb: Verb, key: str, fingerprint: str, answer: str, at: datetime) -> None:
        params: Params = {
            "project": scope.project,
            "agent": scope.agent,
            "verb": verb,
            "key": key,
            "fingerprint": fingerprint,
            "answer": answer,
            "at": to_micros(at),
        }
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["drop_answers"], {"before": to_micros(at - ANSWERS_KEPT)})
            connection.execute(_SQL["keep_answer"], params)
