"""What goes from one entity to another and back, and pairs of entities that may be one."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from trigraph.errors import StoreError
from trigraph.model.access import Audience
from trigraph.model.change import Verb
from trigraph.model.memory import EntityType, Subject, Visibility
from trigraph.model.resolution import EntityNames, Move, Pair, PairState, Surroundings
from trigraph.model.scope import Scope
from trigraph.model.times import ALWAYS, Moment, from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.rows import time_from
from trigraph.stores.sqlite.visibility import Params, queries
from trigraph.text.names import name_key

_SQL = queries("moves")
_MENTIONS = ("close_doubled", "close_mentions", "open_mentions")
_EVIDENCE = ("add_relations", "open_evidence", "close_evidence")
_STAYING = ("unsubject", "reopen_beside", "reopen_mentions", "reopen_evidence", "reclose_evidence")
_CHARS_BEFORE, _CHARS_AROUND = 120, 300
"""How much of a text is told around a mention."""


class SqliteMoves:
    """See `contracts.Moves`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def move(
        self,
        scope: Scope,
        from_id: str,
        to_id: str,
        memory_ids: Collection[str] | None,
        names: Collection[str] | None,
        at: datetime,
    ) -> int:
        with self._home.writing(scope) as connection:
            from_key, to_key = _ends(connection, scope, from_id, to_id)
            keys: list[int] | None = None
            if memory_ids is not None:
                asked: Params = {"ids": json.dumps(list(memory_ids)), "project": scope.project}
                keys = [key for (key,) in connection.execute(_SQL["memory_keys"], asked)]
            return _move(connection, from_key, to_key, keys, names, to_micros(at))

    def keep(self, scope: Scope, move: Move) -> None:
        with self._home.writing(scope) as connection:
            from_key, to_key = _ends(connection, scope, move.from_.id, move.to.id)
            params: Params = {
                "id": move.id,
                "project": scope.project,
                "author": move.author,
                "verb": move.verb,
                "from_key": from_key,
                "to_key": to_key,
                "cause_id": move.cause_id,
                "at": to_micros(move.at),
                "reason": move.reason,
                "names": json.dumps(list(move.names)),
                "gave_type": move.gave_type,
            }
            connection.execute(_SQL["keep"], params)

    def move_back(self, scope: Scope, move_id: str, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            row = connection.execute(_SQL["standing_move"], {"id": move_id, "project": scope.project}).fetchone()
            if row is None:
                raise StoreError(f"there is no move {move_id} that stands")
            move_key, verb, from_key, to_key, moved_at, gave_type = row
            params: Params = {
                "move_key": move_key,
                "from_key": from_key,
                "to_key": to_key,
                "moved_at": moved_at,
                "gave_type": gave_type,
                "at": to_micros(at),
            }
            connection.execute(_SQL["take_names"], params)
            back, staying = _moved(connection, params)
            since: list[int] | None = None
            if verb == Verb.SPLIT:  # of what was split off nothing is left
                back, staying = [*back, *staying], []
            else:
                since = _said_since(connection, params)
            _go_back(connection, params, back)
            _move(connection, to_key, from_key, since, (), to_micros(at))
            for step in _STAYING:
                connection.execute(_SQL[step], {**params, "memories": json.dumps(staying)})
            connection.execute(_SQL["take_type"], params)
            connection.execute(_SQL["undone"], params)

    def moves(self, scope: Scope, entity_id: str) -> list[Move]:
        return self._moves(scope, "moves", {"entity_id": entity_id})

    def get(self, scope: Scope, suffix: str) -> list[Move]:
        return self._moves(scope, "get", {"suffix": suffix})

    def add_pair(self, scope: Scope, pair: Pair) -> bool:
        with self._home.writing(scope) as connection:
            params = _pair_params(connection, scope, pair)
            return bool(connection.execute(_SQL["add_pair"], params).fetchall())

    def decide_pair(self, scope: Scope, pair: Pair) -> None:
        with self._home.writing(scope) as connection:
            params = _pair_params(connection, scope, pair)
            if not connection.execute(_SQL["add_pair"], params).fetchall():
                connection.execute(_SQL["decide_pair"], params)

    def pairs(self, scope: Scope, limit: int) -> list[Pair]:
        return self._pairs(scope, "pairs", {"limit": limit})

    def get_pair(self, scope: Scope, suffix: str) -> list[Pair]:
        return self._pairs(scope, "get_pair", {"suffix": suffix})

    def asked(self, scope: Scope) -> Mapping[frozenset[str], bool]:
        params: Params = {"project": scope.project}
        with self._home.reading(scope) as connection:
            into: dict[str, str] = dict(connection.execute(_SQL["went_into"], params))
            rows: list[Sequence[Any]] = connection.execute(_SQL["asked"], params).fetchall()  # type: ignore[assignment]
        asked: dict[frozenset[str], bool] = {}
        for one, other, apart in rows:
            pair = frozenset((_last(one, into), _last(other, into)))
            asked[pair] = asked.get(pair, False) or bool(apart)
        return asked

    def names(self, scope: Scope, moment: Moment, limit: int) -> list[EntityNames]:
        params: Params = {**self._home.visible(scope, moment), "limit": limit}
        with self._home.reading(scope) as connection:
            return [
                EntityNames(
                    id_,
                    EntityType(type_),
                    Audience(author, Visibility(visibility), group),
                    tuple(dict.fromkeys((name, *json.loads(aliases)))),
                    count,
                )
                for id_, type_, author, visibility, group, name, aliases, count in connection.execute(
                    _SQL["names"], params
                )
            ]

    def surroundings(
        self, scope: Scope, entity_ids: Collection[str], moment: Moment, most: int
    ) -> dict[str, Surroundings]:
        params: Params = {
            **self._home.visible(scope, moment),
            "ids": json.dumps(list(entity_ids)),
            "most": most,
            "before": _CHARS_BEFORE,
            "around": _CHARS_AROUND,
        }
        with self._home.reading(scope) as connection:
            rows: list[Sequence[Any]] = connection.execute(_SQL["surroundings"], params).fetchall()  # type: ignore[assignment]
        return {id_: _surroundings_from(json.loads(told)) for id_, told in rows}

    def _moves(self, scope: Scope, query: str, asked: Params) -> list[Move]:
        params = {**self._home.visible(scope, ALWAYS), **asked}
        with self._home.reading(scope) as connection:
            return [_move_from(row) for row in connection.execute(_SQL[query], params)]

    def _pairs(self, scope: Scope, query: str, asked: Params) -> list[Pair]:
        params = {**self._home.visible(scope, ALWAYS), **asked}
        with self._home.reading(scope) as connection:
            return [_pair_from(row) for row in connection.execute(_SQL[query], params)]


def _move(
    connection: apsw.Connection,
    from_key: int,
    to_key: int,
    memory_keys: Iterable[int] | None,
    names: Iterable[str] | None,
    at: int,
) -> int:
    params: Params = {
        "from_key": from_key,
        "to_key": to_key,
        "memories": None if memory_keys is None else json.dumps(list(memory_keys)),
        "names": None if names is None else json.dumps(list(names)),
        "at": at,
    }
    moved = 0
    for step in (*_MENTIONS, *_EVIDENCE, "give_names"):
        connection.execute(_SQL[step], params)
        if step == "close_mentions":
            moved = connection.changes()
    return moved


def _go_back(connection: apsw.Connection, params: Params, memory_keys: Sequence[int]) -> None:
    """Memories speak of the one that went, as they did, and no longer of the other."""
    memories = json.dumps(memory_keys)
    reverse = {**params, "from_key": params["to_key"], "to_key": params["from_key"], "memories": memories}
    connection.execute(_SQL["close_mentions"], reverse)
    connection.execute(_SQL["reopen_mentions"], {**params, "memories": memories})
    for step in _EVIDENCE:
        connection.execute(_SQL[step], reverse)


def _moved(connection: apsw.Connection, params: Params) -> tuple[list[int], list[int]]:
    """Memories whose mention went and goes back, and those that will speak of both."""
    back: list[int] = []
    staying: list[int] = []
    for memory_key, stays in connection.execute(_SQL["moved"], params):
        (staying if stays else back).append(memory_key)
    return back, staying


def _said_since(connection: apsw.Connection, params: Params) -> list[int]:
    """Memories that spoke since of what they were moved to, by a name that only the other has."""
    own = {name for (name,) in connection.execute(_SQL["own_names"], params)}
    return [
        memory_key
        for memory_key, surface, topic in connection.execute(_SQL["said_since"], params)
        if name_key(surface or topic or "") in own
    ]


def _last(entity_id: str, into: Mapping[str, str]) -> str:
    """Where an entity is now, after all merges."""
    while entity_id in into:
        entity_id = into[entity_id]
    return entity_id


def _ends(connection: apsw.Connection, scope: Scope, from_id: str, to_id: str) -> tuple[int, int]:
    params: Params = {"from_id": from_id, "to_id": to_id, "project": scope.project}
    row = connection.execute(_SQL["ends"], params).fetchone()
    if row is None:
        raise StoreError(f"there are no two entities {from_id} and {to_id}")
    return int(row[0]), int(row[1])


def _pair_params(connection: apsw.Connection, scope: Scope, pair: Pair) -> Params:
    one_key, other_key = _ends(connection, scope, pair.one.id, pair.other.id)
    return {
        "id": pair.id,
        "project": scope.project,
        "author": pair.author,
        "one_key": one_key,
        "other_key": other_key,
        "score": pair.score,
        "reason": pair.reason,
        "state": pair.state,
        "at": to_micros(pair.at),
        "decided_at": None if pair.decided_at is None else to_micros(pair.decided_at),
        "decided_by": pair.decided_by,
    }


def _move_from(row: Sequence[Any]) -> Move:
    id_, verb, from_, to, at, author, reason, cause_id, names, gave_type, undone_at = row
    return Move(
        id=id_,
        verb=Verb(verb),
        from_=_subject_from(from_),
        to=_subject_from(to),
        at=from_micros(at),
        author=author,
        reason=reason,
        cause_id=cause_id,
        names=tuple(json.loads(names)),
        gave_type=None if gave_type is None else EntityType(gave_type),
        undone_at=time_from(undone_at),
    )


def _pair_from(row: Sequence[Any]) -> Pair:
    id_, one, other, score, reason, state, author, at, decided_at, decided_by = row
    return Pair(
        id_,
        _subject_from(one),
        _subject_from(other),
        score,
        reason,
        PairState(state),
        author,
        from_micros(at),
        time_from(decided_at),
        decided_by,
    )


def _subject_from(told: str) -> Subject:
    id_, name, type_ = json.loads(told)
    return Subject(id_, name, EntityType(type_))


def _surroundings_from(told: Sequence[tuple[str, str, Sequence[str]]]) -> Surroundings:
    return Surroundings(
        tuple(memory_id for memory_id, _, _ in told),
        frozenset(other for _, _, others in told for other in others),
        told[0][1] if told else "",
    )
