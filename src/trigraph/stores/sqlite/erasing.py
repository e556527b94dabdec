"""Erasing a memory for good: every row that it left, in the open transaction."""

from __future__ import annotations

from datetime import datetime

import apsw

from trigraph.model.scope import Scope
from trigraph.model.times import to_micros
from trigraph.stores.sqlite.visibility import Params, queries

OPENING_CHARACTERS = 40
"""By so much of its beginning a text is known again where it was quoted."""

_SQL = queries("erasing")


def erase_memory(connection: apsw.Connection, scope: Scope, memory_key: int, memory_id: str, at: datetime) -> None:
    """Nothing of the memory is left but its id and its place, which stay taken."""
    params: Params = {
        "memory_key": memory_key,
        "id": memory_id,
        "project": scope.project,
        "agent": scope.agent,
        "at": to_micros(at),
    }
    _unindex(connection, params)
    for (relation_key,) in connection.execute(_SQL["relations"], params).fetchall():
        connection.execute(_SQL["delete_relation"], {**params, "relation_key": relation_key})
    for (entity_key,) in connection.execute(_SQL["entities"], params).fetchall():
        _erase_from_entity(connection, {**params, "entity_key": entity_key})
    _blank_compositions(connection, params)
    for step in ("entomb", "unroot", "unsucceed", "delete_votes", "delete_jobs", "delete_answers", "delete_memory"):
        connection.execute(_SQL[step], params)


def _unindex(connection: apsw.Connection, params: Params) -> None:
    count = total = last = 0
    rows: list[tuple[int, str, int, str]] = connection.execute(_SQL["passages"], params).fetchall()  # type: ignore[assignment]
    for key, terms, term_count, identifiers in rows:
        connection.execute(_SQL["unindex_terms"], {"passage_key": key, "terms": terms})
        connection.execute(_SQL["unindex_identifiers"], {"passage_key": key, "identifiers": identifiers})
        count, total, last = count + 1, total + term_count, max(last, key)
    connection.execute(_SQL["take_from_totals"], {"passages": count, "terms": total, "last": last})


def _blank_compositions(connection: apsw.Connection, params: Params) -> None:
    """It stays known that the memory took part; what was copied, made or quoted of its words goes."""
    words = " ".join(str(connection.execute(_SQL["words"], params).get).split())
    told: Params = {**params, "words": words, "opening": words[:OPENING_CHARACTERS]}
    for step in ("blank_previews", "blank_queries", "blank_notes", "blank_members"):
        connection.execute(_SQL[step], told)


def _erase_from_entity(connection: apsw.Connection, params: Params) -> None:
    """What the memory said about an entity; the entity itself when nothing else speaks of it."""
    if not connection.execute(_SQL["spoken_of"], params).get:
        connection.execute(_SQL["delete_entity"], params)
        return
    connection.execute(_SQL["delete_replaced"], params)
    for valid_from, valid_until in connection.execute(_SQL["caused"], params).fetchall():
        state: Params = {**params, "valid_from": valid_from, "valid_until": valid_until}
        connection.execute(_SQL["delete_state"], state)
        promoted = connection.execute(_SQL["promote_state"], state).fetchall()
        if promoted:
            connection.execute(_SQL["delete_promoted"], {**state, "known_from": promoted[0][0]})
        else:
            connection.execute(_SQL["bridge_state"], state)
    for step in ("point_at_last_state", "scrub_made", "scrub_made_replaced", "delete_aliases", "unplace"):
        connection.execute(_SQL[step], params)
