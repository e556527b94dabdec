"""Recalls that were made: listed, and one of them whole with what became of it."""

from __future__ import annotations

import base64
import binascii
from dataclasses import replace
from datetime import datetime

from trigraph.engine.parts import Parts
from trigraph.engine.read.reading import check_limit
from trigraph.errors import InvalidInput, NotFound
from trigraph.model.ids import is_full_id
from trigraph.model.insight import RecallFilter, RecallPage, RecallRecord, outcome_of
from trigraph.model.recall import RECALL_PREFIX
from trigraph.model.scope import Scope
from trigraph.model.times import from_micros, to_micros

NO_QUERY = "its query was not kept (insight.keep_queries)"


def own(parts: Parts, scope: Scope, wanted: RecallFilter, limit: int, cursor: str | None) -> RecallPage:
    """The agent's own recalls, the latest first."""
    if wanted.agent is not None and wanted.agent != scope.agent:
        raise InvalidInput(
            f"Of {wanted.agent[:80]!r} only project_recalls tells.", field="agent", fix="Leave it out, or ask that."
        )
    return of_project(parts, scope, replace(wanted, agent=scope.agent), limit, cursor)


def of_project(parts: Parts, scope: Scope, wanted: RecallFilter, limit: int, cursor: str | None) -> RecallPage:
    """Recalls of all agents of the project, or one of them. Whoever calls this has seen to it that the caller may."""
    check_limit(limit)
    found = parts.store.figures.recalls(scope, wanted, limit + 1, _read(cursor) if cursor is not None else None)
    last = found[limit - 1] if len(found) > limit else None
    return RecallPage(tuple(found[:limit]), _cursor(last.at, last.recall_id) if last else None)


def one(parts: Parts, scope: Scope, recall_id: str) -> RecallRecord:
    """A recall of the agent's own as it was kept, with what it said of the hits."""
    event = parts.store.events.get(scope, recall_id)
    if event is None:
        raise NotFound(
            f"There is no recall {recall_id[:80]!r} of yours.", fix="`trigraph recalls` shows those that are kept."
        )
    said = tuple(parts.store.figures.citations_of(scope, recall_id))
    outcome = outcome_of([one.kind for one in said if one.memory_id in event.result_ids], len(event.result_ids))
    return RecallRecord(event, outcome, said, bool(event.query), None if event.query else NO_QUERY)


def _cursor(at: datetime, recall_id: str) -> str:
    return base64.urlsafe_b64encode(f"{to_micros(at)}/{recall_id}".encode()).decode().rstrip("=")


def _read(cursor: str) -> tuple[datetime, str]:
    try:
        at, recall_id = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split("/")
        place = from_micros(int(at)), recall_id
    except (binascii.Error, ValueError, OverflowError):
        place = None
    if place is None or not is_full_id(place[1], RECALL_PREFIX):
        raise InvalidInput(
            f"cursor {cursor[:80]!r} was not given out by trigraph.",
            field="cursor",
            fix="Pass the cursor of the page before, unchanged.",
        )
    return place
