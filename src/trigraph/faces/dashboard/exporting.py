"""The memories of a filter as a file, made while it is sent: never more than a page of them is held."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from trigraph.errors import InvalidInput
from trigraph.faces import wire
from trigraph.faces.dashboard.frame import Asked, Streamed
from trigraph.faces.dashboard.narrowing import filters_of, recall_filters
from trigraph.model.memory import Memory

PAGE = 500
HITS_MOST = 50
COLUMNS = ("id", "kind", "status", "topic", "text", "tags", "domains", "author", "source", "visibility", "created_at")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(asked: Asked) -> Streamed:
    """Memories of the filter as CSV or JSON; with a query, those that recall answers."""
    form = asked.query.one("as", "csv")
    if form not in ("csv", "json"):
        raise InvalidInput(f"{form[:20]!r} is no form of export.", field="as", allowed=("csv", "json"))
    found = _pages(asked)
    first = next(found)  # what is wrong with the filter is told before anything is sent
    if form == "csv":
        return Streamed(_csv(first, found), "text/csv; charset=utf-8", "memories.csv")
    return Streamed(_json(first, found), "application/json", "memories.json")


def _pages(asked: Asked) -> Iterator[tuple[Memory, ...]]:
    if query := asked.query.one("q"):
        recall = asked.memory.recall(query, limit=HITS_MOST, **recall_filters(asked.query))
        yield tuple(hit.memory for hit in recall.hits)
        return
    filters, cursor = filters_of(asked.query), None
    while True:
        page = asked.memory.list(limit=PAGE, cursor=cursor, **filters)
        yield page.memories
        cursor = page.next_cursor
        if cursor is None:
            return


def _csv(first: tuple[Memory, ...], rest: Iterator[tuple[Memory, ...]]) -> Iterator[str]:
    yield _lines([COLUMNS])
    yield _lines(map(_row, first))
    for page in rest:
        yield _lines(map(_row, page))


def _lines(rows: object) -> str:
    written = io.StringIO()
    csv.writer(written).writerows(rows)  # type: ignore[arg-type]
    return written.getvalue()


def _row(memory: Memory) -> list[str]:
    created = wire.to_json(memory.created_at)
    cells = [
        memory.id,
        memory.kind.value,
        memory.status.value,
        memory.topic or "",
        memory.text,
        ", ".join(memory.tags),
        ", ".join(memory.domains),
        memory.provenance.author,
        memory.provenance.source.value,
        memory.visibility.value,
        str(created),
    ]
    return [f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in cells]


def _json(first: tuple[Memory, ...], rest: Iterator[tuple[Memory, ...]]) -> Iterator[str]:
    yield "["
    yield _items(first)
    for page in rest:  # each but the first holds something
        yield ",\n" + _items(page)
    yield "]\n"


def _items(page: tuple[Memory, ...]) -> str:
    return ",\n".join(json.dumps(wire.to_json(one), ensure_ascii=False) for one in page)
