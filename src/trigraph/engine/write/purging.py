"""Rollback by source: forget all that came from it, and all that was derived from that (X6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from trigraph.engine.parts import Parts
from trigraph.engine.write.forgetting import put_aside, reinstate
from trigraph.engine.write.once import call, once
from trigraph.errors import NotFound
from trigraph.lifecycle.confidence import LEAST
from trigraph.model.change import Changed, Verb
from trigraph.model.link import LinkType
from trigraph.model.memory import Memory, Source, Status
from trigraph.model.scope import Scope

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class PurgeFilter:
    """What is purged: all from a source, written since a time, or from some place or session alone."""

    source: Source
    since: datetime | None = None
    uri: str | None = None
    session: str | None = None


def purge(
    parts: Parts,
    scope: Scope,
    wanted: PurgeFilter,
    *,
    dry_run: bool,
    reason: str | None = None,
    key: str | None = None,
) -> Changed:
    """Forget what came from a source and what was derived from it, and undo what that ended; with `dry_run` only say
    which. What a restatement from there added to a confidence is taken back."""
    called = call(Verb.PURGE, key, wanted, reason)

    def change(at: datetime) -> Changed:
        told = _told(parts, scope, wanted, at)
        restated = parts.store.uses.restated_from(scope, wanted.source, wanted.since, wanted.uri, wanted.session)
        if not told and not restated:
            raise NotFound(
                f"Nothing that came from {wanted.source} is there.", fix="`trigraph list --source` shows what is."
            )
        derived = _derived(parts, scope, told, at)
        note = f"{len(told)} from {wanted.source}, {len(derived)} derived from them"
        if dry_run:
            return Changed(Verb.PURGE, (*told, *derived), at, note=note, preview=True)
        back = _forget(parts, scope, told | derived, reason, at)
        for memory_id, raised in parts.store.uses.drop_restatements(scope, restated).items():
            _take_back(parts, scope, memory_id, raised, at)
        note += f"; {len(back)} that they had ended hold again" if back else ""
        return Changed(Verb.PURGE, (*told, *derived), at, replaced=tuple(back), note=note)

    if dry_run:
        with parts.store.snapshot(scope):
            return change(parts.now(scope).known_at)
    return once(parts, scope, called, Changed, change)


def _told(parts: Parts, scope: Scope, wanted: PurgeFilter, at: datetime) -> dict[str, Memory]:
    """What came from the source and stands, whatever its status, that the caller may see."""
    found: dict[str, Memory] = {}
    after: str | None = None
    while True:
        page = parts.store.memories.from_source(scope, wanted.source, wanted.since, after, at, _AT_ONCE)
        for memory in page:
            place = memory.provenance
            if wanted.uri in (None, place.uri) and wanted.session in (None, place.session):
                found[memory.id] = memory
        if len(page) < _AT_ONCE:
            return found
        after = page[-1].id


def _derived(parts: Parts, scope: Scope, told: dict[str, Memory], at: datetime) -> dict[str, Memory]:
    """All that was derived from these, or from what was."""
    derived: dict[str, Memory] = {}
    front = list(told)
    while front:
        ids: set[str] = set()
        for start in range(0, len(front), _AT_ONCE):
            some = front[start : start + _AT_ONCE]
            links = parts.store.links.of(scope, some, at, [LinkType.DERIVED_FROM])
            ids |= {link.from_id for link in links if link.to_id in set(some)}
        new = ids - told.keys() - derived.keys()
        found = [memory for id_ in new for memory in parts.store.memories.find(scope, id_, at)]
        derived |= {memory.id: memory for memory in found if memory.status is not Status.FORGOTTEN}
        front = list(new)
    return derived


def _forget(parts: Parts, scope: Scope, gone: dict[str, Memory], reason: str | None, at: datetime) -> list[str]:
    """Forget them all; what they had put an end to, and is not among them, holds again. Returns what does."""
    ended: dict[str, None] = {}
    for memory in gone.values():
        links = parts.store.links.of(scope, [memory.id], at, [LinkType.SUPERSEDES, LinkType.CORRECTS])
        ended |= {link.to_id: None for link in links if link.from_id == memory.id and link.to_id not in gone}
        put_aside(parts, scope, memory, Verb.PURGE, reason, at)
    return [id_ for id_ in ended if reinstate(parts, scope, id_, parts.store.tick(scope, at))]


def _take_back(parts: Parts, scope: Scope, memory_id: str, raised: float, at: datetime) -> None:
    own = parts.store.tick(scope, at)
    for memory in parts.store.memories.find(scope, memory_id, own):
        less = replace(memory, confidence=round(max(memory.confidence - raised, LEAST), 6))
        parts.store.memories.revise(scope, less, Verb.RESTATE, "a restatement was purged", own)
