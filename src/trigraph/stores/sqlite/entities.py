"""Entities: their names, their states, and the memories that speak of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import apsw

from trigraph.contracts import KnownName, NewEntity, NewMention, NewState
from trigraph.errors import StoreError
from trigraph.model.access import Audience
from trigraph.model.entity import Entity, EntityEvent, EntityState, Mention, Prop
from trigraph.model.memory import EntityType, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import ALWAYS, Moment, from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.memories import key_of
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
            connection.execute(_SQL["add_state"], {**_state_params(scope, entity_key, first, at), "valid_until": None})
            _add_alias(connection, scope, entity_key, new.name, new.name_key, new.made_by, at)

    def known_names(self, scope: Scope, leads: Collection[str], moment: Moment = ALWAYS) -> list[KnownName]:
        params: Params = {**self._home.visible(scope, moment), "leads": json.dumps(list(leads))}
        with self._home.reading(scope) as connection:
            return [
                KnownName(name, key, id_, EntityType(type_), Audience(author, Visibility(visibility), group))
                for name, key, id_, type_, author, visibility, group in connection.execute(_SQL["known_names"], params)
            ]

    def get(self, scope: Scope, ids: Sequence[str], moment: Moment) -> list[Entity]:
        params: Params = {**self._home.visible(scope, moment), "ids": json.dumps(list(ids))}
        found = {entity.id: entity for entity in self._entities(scope, "get", params, moment)}
        return [found[id_] for id_ in ids if id_ in found]

    def named(self, scope: Scope, name_key: str, moment: Moment) -> list[Entity]:
        params: Params = {
            **self._home.visible(scope, moment),
            "name_key": name_key,
            "lead": lead_of(name_key),
        }
        return self._entities(scope, "named", params, moment)

    def ids_ending(self, scope: Scope, suffix: str, moment: Moment) -> list[str]:
        params: Params = {**self._home.visible(scope, moment), "suffix": suffix}
        with self._home.reading(scope) as connection:
            return [id_ for (id_,) in connection.execute(_SQL["ids_ending"], params)]

    def page(
        self, scope: Scope, types: Collection[EntityType], moment: Moment, limit: int, after_id: str | None
    ) -> list[Entity]:
        found: list[Entity] = []
        while True:
            params: Params = {
                **self._home.visible(scope, moment),
                "types": array(types),
                "limit": limit,
                "after_id": after_id,
            }
            batch = self._entities(scope, "page", params, moment)
            found += [entity for entity in batch if not entity.retired]
            if len(batch) < limit or len(found) >= limit:
                return found[:limit]
            after_id = batch[-1].id

    def count(self, scope: Scope, moment: Moment) -> int:
        with self._home.reading(scope) as connection:
            return int(connection.execute(_SQL["count"], self._home.visible(scope, moment)).get)

    def states(self, scope: Scope, entity_id: str, known_at: datetime) -> list[EntityState]:
        latest = Moment(datetime.max.replace(tzinfo=UTC), known_at)
        params: Params = {**self._home.visible(scope, latest), "suffix": entity_id, "ids": json.dumps([entity_id])}
        with self._home.reading(scope) as connection:
            if not connection.execute(_SQL["ids_ending"], params).fetchall():
                return []
            return _folded(connection, params).get(entity_id, [])

    def changes_by(self, scope: Scope, memory_id: str) -> list[tuple[str, NewState]]:
        params: Params = {"memory_id": memory_id, "project": scope.project}
        with self._home.reading(scope) as connection:
            return [
                (id_, NewState(EntityEvent(event), memory_id, from_micros(valid_from), name, json.loads(props)))
                for id_, event, valid_from, name, props in connection.execute(_SQL["changes_by"], params)
            ]

    def put_state(self, scope: Scope, entity_id: str, state: NewState, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            params = _state_params(scope, _entity_key(connection, scope, entity_id), state, at)
            held = connection.execute(_SQL["state_at"], params).fetchone()
            if held is None:  # earlier than all that is known: it ends where the first begins
                params["valid_until"] = connection.execute(_SQL["first_from"], params).get
            elif held[0] != params["valid_from"]:
                params["held_from"], params["valid_until"], *_ = held
                connection.execute(_SQL["end_state"], params)
            elif held[2] == params["at"]:
                params["props"] = json.dumps({**json.loads(held[3]), **state.props})
                connection.execute(_SQL["amend_state"], params)
                return
            else:
                params["valid_until"] = held[1]
                connection.execute(_SQL["replace_state"], params)
                connection.execute(_SQL["drop_state"], params)
            connection.execute(_SQL["add_state"], params)
            connection.execute(_SQL["point_at_state"], params)

    def add_alias(self, scope: Scope, entity_id: str, name: str, name_key: str, memory_id: str, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            _add_alias(connection, scope, _entity_key(connection, scope, entity_id), name, name_key, memory_id, at)

    def repeat_aliases(self, scope: Scope, old_id: str, new_id: str, at: datetime) -> None:
        params: Params = {"old_id": old_id, "new_id": new_id, "project": scope.project, "at": to_micros(at)}
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["repeat_aliases"], params)

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

    def _entities(self, scope: Scope, query: str, params: Params, moment: Moment) -> list[Entity]:
        with self._home.reading(scope) as connection:
            rows: list[Sequence[Any]] = connection.execute(_SQL[query], params).fetchall()  # type: ignore[assignment]
            named = {**params, "ids": json.dumps([row[0] for row in rows])}
            aliases: dict[str, list[str]] = {}
            for id_, name in connection.execute(_SQL["aliases"], named):
                aliases.setdefault(id_, []).append(name)
            states = _folded(connection, named)
        found = []
        for row in rows:
            held = [state for state in states.get(row[0], ()) if state.valid_from <= moment.as_of]
            if held:
                found.append(_entity_from(row, held[-1], aliases.get(row[0], ())))
        return found


def _folded(connection: apsw.Connection, params: Params) -> dict[str, list[EntityState]]:
    """The states of entities: each change together with those before it, all that the agent may see of them.

    Changes at one instant make one state, the later; a state lasts until the next.
    """
    states: dict[str, list[EntityState]] = {}
    for id_, valid_from, known_from, event, name, props, cause_id in connection.execute(_SQL["states"], params):
        before = states.setdefault(id_, [])
        since = from_micros(valid_from)
        told: dict[str, str | None] = json.loads(props)
        changed = {key: Prop(value, cause_id or "") for key, value in told.items() if value is not None}
        kept = {key: prop for key, prop in before[-1].props.items() if key not in told} if before else {}
        state = EntityState(
            name=name or (before[-1].name if before else ""),
            props={**kept, **changed},
            event=EntityEvent(event),
            cause_id=cause_id,
            valid_from=since,
            valid_until=None,
            known_from=from_micros(known_from),
            retired=event == EntityEvent.RETIRED
            or (bool(before) and before[-1].retired and event != EntityEvent.RESTORED),
        )
        if before and before[-1].valid_from == since:
            before[-1] = state
        else:
            if before:
                before[-1] = replace(before[-1], valid_until=since)
            before.append(state)
    return {id_: _named(chain) for id_, chain in states.items()}


def _named(chain: list[EntityState]) -> list[EntityState]:
    """A state before the first that gave a name has that name, too."""
    first = next((state.name for state in chain if state.name), "")
    return [state if state.name else replace(state, name=first) for state in chain]


def _entity_from(row: Sequence[Any], held: EntityState, aliases: Iterable[str]) -> Entity:
    id_, type_, visibility, group, author, counts = row
    count, first_seen, last_referenced = json.loads(counts)
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


def _entity_key(connection: apsw.Connection, scope: Scope, entity_id: str) -> int:
    row = connection.execute(_SQL["key_of"], {"entity_id": entity_id, "project": scope.project}).fetchone()
    if row is None:
        raise StoreError(f"there is no entity {entity_id}")
    return int(row[0])


def _state_params(scope: Scope, entity_key: int, state: NewState, at: datetime) -> Params:
    return {
        "entity_key": entity_key,
        "project": scope.project,
        "valid_from": to_micros(state.valid_from),
        "at": to_micros(at),
        "event": state.event,
        "name": state.name,
        "props": json.dumps(dict(state.props)),
        "cause_id": state.cause_id,
    }


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
