"""Reads that rank nothing: get, list, stats, health."""

from __future__ import annotations

import base64
import binascii
from dataclasses import replace
from datetime import datetime

from trigraph.engine.embedding import Unusable, mismatch
from trigraph.engine.parts import Parts
from trigraph.errors import InvalidInput, NotFound
from trigraph.model.ids import SHORT_LENGTH, id_suffix, is_full_id
from trigraph.model.memory import MEMORY_PREFIX, Memory, MemoryFilter, MemoryPage
from trigraph.model.query import Leg
from trigraph.model.recall import LegReport, LegStatus
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel, Health, Stats
from trigraph.model.times import Moment

PAGE_MOST = 500


def get(
    parts: Parts, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None
) -> Memory:
    """The memory of an id, or of an unambiguous ending of one."""
    now = parts.now(scope)
    moment = Moment(as_of or now.as_of, known_at or now.known_at)
    suffix = id_suffix(name, MEMORY_PREFIX)
    if suffix is None:
        raise InvalidInput(
            f"{name[:80]!r} is not an id.",
            field="id",
            fix=f"Give an id such as m_01kx0f6gq3v8z5d2c7b9n4t1hw, or its last {SHORT_LENGTH} characters or more.",
        )
    ids = parts.store.memories.ids_ending(scope, suffix, MemoryFilter(), moment)
    if len(ids) > 1:
        raise InvalidInput(f"{suffix!r} is the end of several ids.", field="id", fix="Give more of its characters.")
    found = parts.store.memories.get(scope, ids, moment)
    if not found:
        raise NotFound(f"There is no memory {name[:80]!r}.", fix="`trigraph list` shows what there is.")
    return found[0]


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
    if not 1 <= limit <= PAGE_MOST:
        raise InvalidInput(f"limit is {limit}.", field="limit", fix=f"Choose a number from 1 to {PAGE_MOST}.")
    now = parts.now(scope)
    moment = Moment(as_of or now.as_of, known_at or now.known_at)
    wanted = with_thread_found(parts, scope, wanted, moment)
    before_id = _from_cursor(cursor) if cursor is not None else None
    found = parts.store.memories.page(scope, wanted, moment, limit + 1, before_id)
    more = len(found) > limit
    return MemoryPage(tuple(found[:limit]), _to_cursor(found[limit - 1].id) if more else None)


def with_thread_found(parts: Parts, scope: Scope, wanted: MemoryFilter, moment: Moment) -> MemoryFilter:
    """The filter with its thread by id: it may be given by name, by id, or by the end of its id."""
    if wanted.thread is None:
        return wanted
    found = parts.store.threads.find(scope, wanted.thread, moment)
    if found is None:
        raise NotFound(f"There is no thread {wanted.thread[:80]!r}.", fix="Give its name, its id, or the end of it.")
    return replace(wanted, thread=found.id)


def stats(parts: Parts, scope: Scope) -> Stats:
    """Counts of what the scope may see, and the state of the indexes."""
    with parts.store.snapshot(scope):
        moment = parts.now(scope)
        by_kind = parts.store.memories.count_by_kind(scope, moment)
        threads = parts.store.threads.count(scope, moment)
        passages, vectors = parts.store.space.count(scope, moment)
    return Stats(
        memories=sum(by_kind.values()),
        by_kind={kind.value: count for kind, count in sorted(by_kind.items())},
        threads=threads,
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
        LegReport(Leg.GRAPH, LegStatus.NOT_APPLICABLE, reason="no entities are stored"),
        LegReport(Leg.TEMPORAL, LegStatus.NOT_APPLICABLE, reason="no query names a time"),
    )
    problems = tuple(
        f"{leg.leg} leg: {leg.reason}"
        for leg in legs
        if leg.status.degraded and leg.status is not LegStatus.EMPTY_STORE
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


def _leg(leg: Leg, count: int) -> LegReport:
    if count == 0:
        return LegReport(leg, LegStatus.EMPTY_STORE, reason="nothing is stored yet")
    return LegReport(leg, LegStatus.OK, count)


def _to_cursor(memory_id: str) -> str:
    return base64.urlsafe_b64encode(memory_id.encode()).decode().rstrip("=")


def _from_cursor(cursor: str) -> str:
    try:
        memory_id = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        memory_id = ""
    if not is_full_id(memory_id, MEMORY_PREFIX):
        raise InvalidInput(
            f"cursor {cursor[:80]!r} was not given out by trigraph.",
            field="cursor",
            fix="Pass next_cursor of the page before, unchanged.",
        )
    return memory_id
