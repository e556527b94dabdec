"""Reading the ledger: the latest compositions, one, those of a memory, and what was used together with it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from trigraph.engine.finding import find_memory, suffix_of
from trigraph.engine.parts import Parts
from trigraph.engine.read.reading import check_limit
from trigraph.errors import NotFound
from trigraph.model.composition import Companion, CompositionEvent
from trigraph.model.ids import is_full_id
from trigraph.model.memory import MEMORY_PREFIX
from trigraph.model.scope import Scope

MOST = 100


def recent(
    parts: Parts, scope: Scope, limit: int, tags: Sequence[str] = (), known_at: datetime | None = None
) -> list[CompositionEvent]:
    """The latest compositions, of some tags or all."""
    check_limit(limit, MOST)
    return parts.store.compositions.recent(scope, limit, tags=tags, known_at=known_at)


def of_memory(
    parts: Parts, scope: Scope, name: str, limit: int, known_at: datetime | None = None
) -> list[CompositionEvent]:
    """The compositions that a memory took part in, the latest first."""
    check_limit(limit, MOST)
    return parts.store.compositions.of(scope, _memory_id(parts, scope, name), limit, known_at)


def companions(parts: Parts, scope: Scope, name: str, limit: int, known_at: datetime | None = None) -> list[Companion]:
    """What was used together with a memory, the most often first."""
    check_limit(limit, MOST)
    return parts.store.compositions.companions(scope, _memory_id(parts, scope, name), limit, known_at)


def _memory_id(parts: Parts, scope: Scope, name: str) -> str:
    """A memory's id. One that was erased is still known by its whole id, to whom a composition with it is shown."""
    try:
        return find_memory(parts, scope, name).id
    except NotFound:
        suffix_of(name, MEMORY_PREFIX)
        if is_full_id(name, MEMORY_PREFIX) and parts.store.compositions.tallies(scope, [name]):
            return name
        raise
