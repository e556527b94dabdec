"""Reads that rank nothing: get, list, stats, health."""

from __future__ import annotations

import base64
import binascii
from dataclasses import replace
from datetime import datetime

from trigraph.engine.embedding import Unusable, mismatch
from trigraph.engine.finding import find_entity, find_memory, not_found
from trigraph.engine.parts import Parts
from trigraph.errors import InvalidInput
from trigraph.model.document import DocumentRef
from trigraph.model.ids import is_full_id
from trigraph.model.link import Link
from trigraph.model.memory import MEMORY_PREFIX, Memory, MemoryFilter, MemoryPage, Status
from trigraph.model.query import Leg
from trigraph.model.recall import LegReport, LegStatus
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel, Health, Stats
from trigraph.model.times import Moment
from trigraph.text.documents import parse_document
from trigraph.text.names import names_in

PAGE_MOST = 500
LOOKED_AT = 50
FIXUP = "Run `trigraph audit --fixup memory-graph`."


def get(
    parts: Parts, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None
) -> Memory:
    """The memory of an id, or of an unambiguous ending of one.

    Without `as_of` it is answered even when it no longer holds, or was archived: its fields say so. With
    `as_of` only if it held then. What was forgotten or corrected is only there for a `known_at` before that.
    """
    found = find_memory(parts, scope, name, known_at)
    held = as_of is None or (
        found.status is Status.ACTIVE
        and found.valid_from <= as_of
        and (found.valid_until is None or as_of < found.valid_until)
    )
    if not held or found.retracted_at is not None:
        raise not_found("memory", name, "`trigraph list` shows what there is.")
    return found


def list_memories(
    parts: Parts,
    scope: Scope,
    wanted: MemoryFilter,
    limit: int,
    cursor: str | None,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> MemoryPage:
    """Memories newest first, a page at a time. A cursor stays valid while others write."""
    check_limit(limit)
    now = parts.now(scope)
    moment = Moment(as_of or now.as_of, known_at or now.known_at)
    wanted = resolved(parts, scope, wanted, moment)
    before_id = from_cursor(cursor, MEMORY_PREFIX) if cursor is not None else None
    found = parts.store.memories.page(scope, wanted, moment, limit + 1, before_id)
    more = len(found) > limit
    return MemoryPage(tuple(found[:limit]), to_cursor(found[limit - 1].id) if more else None)


def all_memories(parts: Parts, scope: Scope, wanted: MemoryFilter, most: int) -> list[Memory]:
    """What a filter asks for, the newest `most` of it, page by page."""
    found: list[Memory] = []
    now, before = parts.now(scope), None
    while len(found) < most:
        page = parts.store.memories.page(scope, wanted, now, PAGE_MOST, before)
        found += page
        if len(page) < PAGE_MOST:
            break
        before = page[-1].id
    return found[:most]


def check_limit(limit: int, most: int = PAGE_MOST) -> None:
    """How much a listing may show at once."""
    if not 1 <= limit <= most:
        raise InvalidInput(f"limit is {limit}.", field="limit", fix=f"Choose a number from 1 to {most}.")


def resolved(parts: Parts, scope: Scope, wanted: MemoryFilter, moment: Moment) -> MemoryFilter:
    """The filter with its thread and its entity by id: each may be given by name, by id, or by the end of its id."""
    if wanted.thread is not None:
        thread = parts.store.threads.find(scope, wanted.thread, moment)
        if thread is None:
            raise not_found("thread", wanted.thread, "Give its name, its id, or the end of it.")
        wanted = replace(wanted, thread=thread.id)
    if wanted.entity is not None:
        wanted = replace(wanted, entity=find_entity(parts, scope, wanted.entity, moment).id)
    return wanted


def stats(parts: Parts, scope: Scope) -> Stats:
    """Counts of what the scope may see, and the state of the indexes."""
    with parts.store.snapshot(scope):
        moment = parts.now(scope)
        by_kind = parts.store.memories.count_by_kind(scope, moment)
        threads = parts.store.threads.count(scope, moment)
        entities = parts.store.entities.count(scope, moment)
        passages, vectors = parts.store.space.count(scope, moment)
    return Stats(
        memories=sum(by_kind.values()),
        by_kind={kind.value: count for kind, count in sorted(by_kind.items())},
        threads=threads,
        entities=entities,
        passages=passages,
        vectors=vectors,
        waiting_for_vector=passages - vectors,
        recalls=parts.store.events.count(scope),
        store_bytes=parts.store.describe(scope)[2],
    )


def health(parts: Parts, scope: Scope, engine_version: str) -> Health:
    """What works and what does not, leg by leg."""
    description, schema_version, _ = parts.store.describe(scope)
    pinned = parts.store.space.pinned(scope)
    embedder = parts.embedding.embedder()
    configured = None if isinstance(embedder, Unusable) else embedder.model
    passages, vectors = parts.store.space.count(scope, parts.now(scope))
    legs = (
        _vector_leg(embedder if isinstance(embedder, Unusable) else configured, pinned, passages, vectors),
        _leg(Leg.LEXICAL, passages),
        _graph_leg(parts, scope, passages),
        _leg(Leg.TEMPORAL, passages),
    )
    problems = tuple(
        f"{leg.leg} leg: {leg.reason}"
        for leg in legs
        if leg.status.degraded and (passages or leg.status is not LegStatus.EMPTY_STORE)
    )
    return Health(not problems, description, schema_version, engine_version, pinned, configured, legs, problems)


def _vector_leg(
    configured: EmbeddingModel | Unusable | None, pinned: EmbeddingModel | None, passages: int, vectors: int
) -> LegReport:
    if isinstance(configured, EmbeddingModel):
        configured = mismatch(pinned, configured)
    if isinstance(configured, Unusable):
        return LegReport(Leg.VECTOR, LegStatus.FAILED, vectors, reason=configured.reason)
    if vectors < passages:
        reason = f"{passages - vectors} passages wait for their vector. Run `trigraph reembed`."
        return LegReport(Leg.VECTOR, LegStatus.FAILED, vectors, reason=reason)
    return _leg(Leg.VECTOR, vectors)


def _graph_leg(parts: Parts, scope: Scope, passages: int) -> LegReport:
    """A graph in which nothing is, beside memories that are, is no graph: field reports tell of weeks without one."""
    if not passages:
        return _leg(Leg.GRAPH, 0)
    moment = parts.now(scope)
    relations = parts.store.relations.count(scope, moment)
    entities = parts.store.entities.count(scope, moment)
    if not entities and (naming := _naming(parts, scope, moment)):
        reason = f"{naming} of the newest memories name something, and none is tied to an entity."
        return LegReport(Leg.GRAPH, LegStatus.EMPTY_STORE, reason=reason)
    if not relations and (behind := _declaring(parts, scope, moment)):
        reason = f"{behind} documents refer to others, and no relation is stored. {FIXUP}"
        return LegReport(Leg.GRAPH, LegStatus.EMPTY_STORE, reason=reason)
    return LegReport(Leg.GRAPH, LegStatus.OK, entities + relations)


def _naming(parts: Parts, scope: Scope, moment: Moment) -> int:
    """How many of the newest memories name something by its form."""
    newest = parts.store.memories.page(scope, MemoryFilter(), moment, LOOKED_AT, None)
    return sum(bool(names_in(memory.text).outstanding) for memory in newest)


def _declaring(parts: Parts, scope: Scope, moment: Moment) -> int:
    """How many of some stored documents declare a relation."""
    ids = parts.store.documents.stored(scope, moment.known_at, LOOKED_AT, None)
    texts = (memory.text for memory in parts.store.memories.get(scope, ids, moment))
    return sum(bool(parse_document(text, DocumentRef(), parts.families).references) for text in texts)


def _leg(leg: Leg, count: int) -> LegReport:
    if count == 0:
        return LegReport(leg, LegStatus.EMPTY_STORE, reason="nothing is stored yet")
    return LegReport(leg, LegStatus.OK, count)


def to_cursor(id_: str) -> str:
    """An opaque place in a listing."""
    return base64.urlsafe_b64encode(id_.encode()).decode().rstrip("=")


def from_cursor(cursor: str, prefix: str) -> str:
    """The inverse of `to_cursor`, of ids with a prefix."""
    try:
        id_ = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        id_ = ""
    if not is_full_id(id_, prefix):
        raise InvalidInput(
            f"cursor {cursor[:80]!r} was not given out by trigraph.",
            field="cursor",
            fix="Pass next_cursor of the page before, unchanged.",
        )
    return id_


def links(parts: Parts, scope: Scope, name: str, known_at: datetime | None = None) -> list[Link]:
    """The links of a memory, by what was known."""
    known_at = known_at or parts.now(scope).known_at
    return parts.store.links.of(scope, [find_memory(parts, scope, name, known_at).id], known_at)
