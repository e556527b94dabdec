"""What happened since the asker last looked: changes of what it may see, and its own recalls."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import merge
from itertools import islice
from typing import TypeAlias

from trigraph.engine.parts import Parts
from trigraph.engine.read.reading import check_limit
from trigraph.errors import InvalidInput
from trigraph.model.change import MemoryVersion
from trigraph.model.ids import is_full_id
from trigraph.model.memory import MEMORY_PREFIX
from trigraph.model.recall import RECALL_PREFIX
from trigraph.model.scope import Scope
from trigraph.model.tail import Happened, RecallMade, Tail
from trigraph.model.times import from_micros, to_micros

_What: TypeAlias = MemoryVersion | RecallMade


@dataclass(frozen=True, slots=True)
class _Place:
    """How far the asker has looked: the last change by its time and memory, and the last recall. All three are of
    what it may see, so that a cursor tells nothing of what it may not."""

    at: datetime
    memory_id: str
    recall_id: str

    def __str__(self) -> str:
        told = f"{to_micros(self.at)}/{self.memory_id}/{self.recall_id}"
        return base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")


def tail(parts: Parts, scope: Scope, cursor: str | None, limit: int) -> Tail:
    """What was written after a cursor, at most so much of it, in the order of time. Without one it only says from where
    on to look."""
    check_limit(limit)
    if cursor is None:
        return Tail((), str(_Place(parts.now(scope).known_at, "", parts.store.events.latest(scope) or "")))
    place = _read(cursor)
    known_at = parts.now(scope).known_at
    changes: Iterable[_What] = parts.store.memories.changed(scope, place.at, place.memory_id, known_at, limit)
    recalls: Iterable[_What] = _recalls(parts, scope, place.recall_id, limit)
    happened = []
    for what in islice(merge(changes, recalls, key=_time), limit):
        if isinstance(what, RecallMade):
            place = replace(place, recall_id=what.recall_id)
        else:
            place = replace(place, at=what.known_from, memory_id=what.memory_id)
        happened.append(Happened(what, str(place)))
    return Tail(tuple(happened), str(place))


def _recalls(parts: Parts, scope: Scope, after: str, limit: int) -> Iterator[RecallMade]:
    for recall_id in parts.store.events.since(scope, after, limit):
        event = parts.store.events.get(scope, recall_id)
        if event is not None:
            yield RecallMade(
                recall_id,
                event.at,
                event.session,
                event.query,
                event.query_class,
                event.result_ids,
                event.milliseconds,
            )


def _time(what: _What) -> datetime:
    return what.at if isinstance(what, RecallMade) else what.known_from


def _read(cursor: str) -> _Place:
    try:
        told = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        at, memory_id, recall_id = told.split("/")
        place = _Place(from_micros(int(at)), memory_id, recall_id)
    except (binascii.Error, ValueError, OverflowError) as error:
        raise _unknown(cursor) from error
    known = {MEMORY_PREFIX: memory_id, RECALL_PREFIX: recall_id}
    if any(id_ and not is_full_id(id_, prefix) for prefix, id_ in known.items()):
        raise _unknown(cursor)
    return place


def _unknown(cursor: str) -> InvalidInput:
    return InvalidInput(
        f"cursor {cursor[:80]!r} was not given out by trigraph.",
        field="cursor",
        fix="Pass the id of an event, unchanged.",
    )
