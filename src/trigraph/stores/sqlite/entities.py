"""Entities: their names, their states, and the memories that speak of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import apsw

from trigraph.contracts import KnownName, NewEntity, NewMention, NewState
from trigraph.errors import StoreError
from trigraph.model.access import Audience
from trigraph.model.entity import Entity, EntityEvent, EntityState, Mention, Prop, Props
from trigraph.model.memory import EntityType, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.memories import key_of
from trigraph.stores.sqlite.rows import time_from
from trigraph.stores.sqlite.visibility import Params, array, queries
from trigraph.text.names import lead_of

_SQL = queries("entities")


class SqliteEntities:
    """See `contracts.Entities`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def add(self, scope: Scope, new: NewEntity, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            params: Params = {
                "id": new.id,
                "project": scope.project,
                "type": new.type,
                "visibility": new.visibility,
                "group_name": new.group,
                "memory_id": new.made_by,
                "at": to_micros(at),
                "valid_from": to_micros(new.valid_from),
            }
            entity_key: int = connection.execute(_SQL["add"], params).get
            first = NewState(EntityEvent.CREATED, new.made_by, new.valid_from, new.name, new.props)
            _add_state(
                connection, scope, {"entity_key": entity_key, **params}, first, None, new.name, _plain(new.props)
            )
            _add_alias(connection, scope, entity_key, new.name, new.name_key, new.made_by, at)

    def known_names(self, scope: Scope, leads: Collection[str]) -> list[KnownName]:
        now = Moment(from_micros(0), from_micros(0))  # what is known now, whenever that is
        params: Params = {**self._home.visible(scope, now), "leads": json.dumps(list(leads))}
        with self._home.reading(scope) as connection:
            return [
                KnownName(name, key, id_, EntityType(type_), Audience(author, Visibility(visibility), group))
                for name, key, id_, type_, author, visibility, group in connection.execute(_SQL["known_names"], params)
            ]

    def get(self, scope: Scope, ids: Sequence[str], moment: Moment) -> list[Entity]:
        params: Params = {**self._home.visible(scope, moment), "ids": json.dumps(list(ids))}
        found = {entity.id: entity for entity in self._entities(scope, "get", params)}
        return [found[id_] for id_ in ids if id_ in found]

    def named(self, scope: Scope, name_key: str, moment: Moment) -> list[Entity]:
        params: Params = {
            **self._home.visible(scope, moment),
            "name_key": name_key,
            "lead": lead_of(name_key),
        }
        return self._entities(scope, "named", params)

    def ids_ending(self, scope: Scope, suffix: str, moment: Moment) -> list[str]:
        params: Params = {**self._home.visible(scope, moment), "suffix": suffix}
        with self._home.reading(scope) as connection:
            return [id_ for (id_,) in connection.execute(_SQL["ids_ending"], params)]

    def page(
        self, scope: Scope, types: Collection[EntityType], moment: Moment, limit: int, after_id: str | None
    ) -> list[Entity]:
        params: Params = {
            **self._home.visible(scope, moment),
            "types": array(types),
            "limit": limit,
            "after_id": after_id,
        }
        return self._entities(scope, "page", params)

    def count(self, scope: Scope, moment: Moment) -> int:
        with self._home.reading(scope) as connection:
            return int(connection.execute(_SQL["count"], self._home.visible(scope, moment)).get)

    def states(self, scope: Scope, entity_id: str, known_at: datetime) -> list[EntityState]:
        params: Params = {**self._home.visible(scope, Moment(known_at, known_at)), "entity_id": entity_id}
        with self._home.reading(scope) as connection:
            states = [_state_from(row) for row in connection.execute(_SQL["states"], params)]
            return _as_far_as_readable(connection, params, states)

    def put_state(self, scope: Scope, entity_id: str, state: NewState, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            params: Params = {
                "entity_key": _entity_key(connection, scope, entity_id),
                "valid_from": to_micros(state.valid_from),
                "at": to_micros(at),
            }
            held = connection.execute(_SQL["state_at"], params).fetchone()
            name, props = None, "{}"
            if held is None:  # earlier than all that is known: it ends where the first begins
                until = connection.execute(_SQL["first_from"], params).get
            else:
                params["held_from"], until, name, props = held
                if params["held_from"] == params["valid_from"]:
                    connection.execute(_SQL["keep_belief"], params)
                    connection.execute(_SQL["drop_state"], params)
                else:
                    name = None
                    connection.execute(_SQL["end_state"], params)
            _add_state(connection, scope, params, state, until, name, {**json.loads(props), **_plain(state.props)})
            connection.execute(_SQL["point_at_state"], params)

    def add_alias(self, scope: Scope, entity_id: str, name: str, name_key: str, memory_id: str, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            _add_alias(connection, scope, _entity_key(connection, scope, entity_id), name, name_key, memory_id, at)

    def set_type(self, scope: Scope, entity_id: str, type_: EntityType) -> None:
        with self._home.writing(scope) as connection:
            params: Params = {"entity_id": entity_id, "project": scope.project, "type": type_}
            connection.execute(_SQL["set_type"], params)

    def widen(self, scope: Scope, memory_id: str, visibility: Visibility, group: str | None) -> None:
        params: Params = {
            "project": scope.project,
            "memory_id": memory_id,
            "visibility": visibility,
            "group_name": group,
        }
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["widen"], params)

    def mention(self, scope: Scope, memory_id: str, mentions: Sequence[NewMention], at: datetime) -> None:
        with self._home.writing(scope) as connection:
            memory_key = key_of(connection, scope, memory_id)
            rows = (
                {
                    "memory_key": memory_key,
                    "entity_id": one.entity_id,
                    "project": scope.project,
                    "at": to_micros(at),
                    "start_char": one.start,
                    "end_char": one.end,
                    "confidence": one.confidence,
                    "subject": one.subject,
                }
                for one in mentions
            )
            connection.executemany(_SQL["mention"], rows)

    def unmention(self, scope: Scope, memory_id: str, entity_ids: Collection[str], at: datetime) -> None:
        with self._home.writing(scope) as connection:
            params: Params = {
                "memory_key": key_of(connection, scope, memory_id),
                "ids": json.dumps(list(entity_ids)),
                "at": to_micros(at),
            }
            connection.execute(_SQL["unmention"], params)

    def mentions_of(self, scope: Scope, memory_ids: Sequence[str], moment: Moment) -> list[Mention]:
        params: Params = {**self._home.visible(scope, moment), "ids": json.dumps(list(memory_ids))}
        with self._home.reading(scope) as connection:
            return [
                Mention(memory_id, entity_id, name, EntityType(type_), start, end, confidence, bool(subject))
                for memory_id, entity_id, name, type_, start, end, confidence, subject in connection.execute(
                    _SQL["mentions_of"], params
                )
            ]

    def _entities(self, scope: Scope, query: str, params: Params) -> list[Entity]:
        with self._home.reading(scope) as connection:
            rows: list[Sequence[Any]] = connection.execute(_SQL[query], params).fetchall()  # type: ignore[assignment]
            ids = json.dumps([row[0] for row in rows])
            aliases: dict[str, list[str]] = {}
            for id_, name in connection.execute(_SQL["aliases"], {**params, "ids": ids}):
                aliases.setdefault(id_, []).append(name)
            states = _as_far_as_readable(connection, params, [_state_from(row[5:-1]) for row in rows])
        return [_entity_from(row, state, aliases.get(row[0], ())) for row, state in zip(rows, states, strict=True)]


def _plain(props: Props) -> dict[str, object]:
    return {name: {"value": prop.value, "memory_id": prop.memory_id} for name, prop in props.items()}


def _as_far_as_readable(
    connection: apsw.Connection, params: Params, states: Sequence[EntityState]
) -> list[EntityState]:
    """The states without properties that came from memories which the agent may not see."""
    sources = {prop.memory_id for state in states for prop in state.props.values()}
    if not sources:
        return list(states)
    rows = connection.execute(_SQL["readable_ids"], {**params, "ids": json.dumps(list(sources))})
    readable = {id_ for (id_,) in rows}
    return [
        replace(state, props={name: prop for name, prop in state.props.items() if prop.memory_id in readable})
        for state in states
    ]


def _entity_from(row: Sequence[Any], held: EntityState, aliases: Iterable[str]) -> Entity:
    id_, type_, visibility, group, author = row[:5]
    count, first_seen, last_referenced = json.loads(row[-1])
    return Entity(
        id=id_,
        type=EntityType(type_),
        visibility=Visibility(visibility),
        group=group,
        author=author,
        state=held,
        aliases=tuple(dict.fromkeys(alias for alias in aliases if alias != held.name)),
        mention_count=count,
        first_seen=from_micros(first_seen),
        last_referenced=from_micros(last_referenced),
    )


def _state_from(row: Sequence[Any]) -> EntityState:
    name, props, event, cause_id, valid_from, valid_until, known_from, known_until = row
    return EntityState(
        name=name,
        props={key: Prop(**prop) for key, prop in json.loads(props).items()},
        event=EntityEvent(event),
        cause_id=cause_id,
        valid_from=from_micros(valid_from),
        valid_until=time_from(valid_until),
        known_from=from_micros(known_from),
        known_until=time_from(known_until),
    )


def _entity_key(connection: apsw.Connection, scope: Scope, entity_id: str) -> int:
    row = connection.execute(_SQL["key_of"], {"entity_id": entity_id, "project": scope.project}).fetchone()
    if row is None:
        raise StoreError(f"there is no entity {entity_id}")
    return int(row[0])


def _add_state(
    connection: apsw.Connection,
    scope: Scope,
    params: Params,
    state: NewState,
    valid_until: int | None,
    name: str | None,
    props: Mapping[str, object],
) -> None:
    added: Params = {
        **params,
        "project": scope.project,
        "valid_until": valid_until,
        "event": state.event,
        "name": state.name or name,
        "props": json.dumps(props),
        "cause_id": state.cause_id,
    }
    connection.execute(_SQL["add_state"], added)


def _add_alias(
    connection: apsw.Connection,
    scope: Scope,
    entity_key: int,
    name: str,
    name_key: str,
    memory_id: str,
    at: datetime,
) -> None:
    params: Params = {
        "entity_key": entity_key,
        "project": scope.project,
        "name": name,
        "name_key": name_key,
        "lead": lead_of(name_key),
        "memory_id": memory_id,
        "at": to_micros(at),
    }
    connection.execute(_SQL["add_alias"], params)
