"""Putting memories aside and back: forgotten, archived, restored; and erased for good."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from trigraph.engine.finding import find_memory
from trigraph.engine.parts import Parts
from trigraph.engine.write.documents import settle_again
from trigraph.engine.write.once import call, earlier, once
from trigraph.engine.write.placing import neighbours, texts_of
from trigraph.engine.write.revising import take_place
from trigraph.engine.write.several import check_number, each
from trigraph.engine.write.standing import check_own, checked_reason, standing_of
from trigraph.engine.write.telling import draw_link
from trigraph.errors import Conflict, InvalidInput
from trigraph.model.change import Changed, MemoryVersion, Verb
from trigraph.model.link import LinkType
from trigraph.model.memory import Kind, Memory, MemoryFilter, Status
from trigraph.model.revision import Check
from trigraph.model.scope import Scope
from trigraph.text.terms import analyse

FORGET_MOST = 50
"""One forgetting by query takes at most so many."""

_FORGETTING = (Verb.FORGET, Verb.PURGE, Verb.REVIEW)
_PUT_ASIDE = (*_FORGETTING, Verb.ARCHIVE, Verb.CORRECT, Verb.SUPERSEDE)


def forget(
    parts: Parts,
    scope: Scope,
    names: Sequence[str],
    reason: str | None = None,
    key: str | None = None,
    check: Check | None = None,
) -> Changed:
    """Retract memories. They can be restored for a time; known_at before this shows them still."""
    called = call(Verb.FORGET, key, tuple(names), reason)
    check_number(names)

    def one(name: str, at: datetime) -> Changed:
        return Changed(Verb.FORGET, (_forget_one(parts, scope, name, reason, at, check),), at)

    return once(parts, scope, called, Changed, lambda at: each(parts, scope, Verb.FORGET, names, at, one))


def forget_matching(
    parts: Parts, scope: Scope, query: str, *, dry_run: bool, reason: str | None = None, key: str | None = None
) -> Changed:
    """Forget the memories that hold every word of a query; with `dry_run` only say which."""
    called = call(Verb.FORGET, key, "query", query, reason)
    if not dry_run and (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    ids, more = _holding_all(parts, scope, query)
    note = f"{more} more hold these words too" if more else None
    if dry_run:
        return Changed(Verb.FORGET, tuple(ids), parts.now(scope).known_at, note=note, preview=True)

    def change(at: datetime) -> Changed:
        for memory_id in ids:
            _forget_one(parts, scope, memory_id, reason, at)
        return Changed(Verb.FORGET, tuple(ids), at, note=note)

    return once(parts, scope, called, Changed, change)


def _holding_all(parts: Parts, scope: Scope, query: str) -> tuple[list[str], int]:
    """Memories that hold every word of a query, the best first, and how many more there are."""
    terms = list(dict.fromkeys(analyse(query)))
    if not terms:
        raise InvalidInput("The query has no words to look for.", field="query", fix="Give words that stand in it.")
    with parts.store.snapshot(scope):
        now = parts.now(scope)
        found = parts.store.search.lexical(scope, terms, MemoryFilter(), now, 20 * FORGET_MOST)
        texts = parts.store.search.surroundings(scope, [one.passage for one in found], 0, MemoryFilter(), now)
    order = {one.passage: place for place, one in enumerate(found)}
    held: dict[str, set[str]] = {}
    for text in sorted(texts, key=lambda text: order.get(text.passage, 0)):
        held.setdefault(text.memory_id, set()).update(text.terms.split(" "))
    ids = [memory_id for memory_id, words in held.items() if words.issuperset(terms)]
    return ids[:FORGET_MOST], max(len(ids) - FORGET_MOST, 0)


def _forget_one(
    parts: Parts, scope: Scope, name: str, reason: str | None, at: datetime, check: Check | None = None
) -> str:
    memory = find_memory(parts, scope, name, at)
    if memory.status is Status.FORGOTTEN:
        raise Conflict(f"{memory.id} is forgotten already.", fix="`trigraph restore` brings it back.")
    if check is not None:
        check(memory)
    put_aside(parts, scope, memory, Verb.FORGET, reason, at)
    return memory.id


def put_aside(parts: Parts, scope: Scope, memory: Memory, verb: Verb, reason: str | None, at: datetime) -> None:
    """Make a memory forgotten, by whatever verb."""
    gone = replace(memory, status=Status.FORGOTTEN, retracted_at=memory.retracted_at or at)
    parts.store.memories.revise(scope, gone, verb, checked_reason(reason), at)
    settle_again(parts, scope, memory, at)


def restore(parts: Parts, scope: Scope, names: Sequence[str], key: str | None = None) -> Changed:
    """Undo what put each memory aside last: forgetting, archiving, correcting or superseding it."""
    called, window = call(Verb.RESTORE, key, *names), parts.restore_window
    check_number(names)

    def one(name: str, at: datetime) -> Changed:
        memory = find_memory(parts, scope, name, at)
        step, before = _last_put_aside(parts, scope, memory, at)
        if step.verb in _FORGETTING and at - step.known_from > window:
            raise Conflict(
                f"{memory.id} was forgotten on {step.known_from:%Y-%m-%d}, more than {window.days} days ago.",
                fix="Remember it anew, or raise memory.restore_days.",
            )
        note = _undo(parts, scope, memory, step, before, at)
        return Changed(Verb.RESTORE, (memory.id,), at, note=note)

    return once(parts, scope, called, Changed, lambda at: each(parts, scope, Verb.RESTORE, names, at, one))


def reinstate(parts: Parts, scope: Scope, memory_id: str, at: datetime) -> bool:
    """Let a memory hold again that something ended which is gone; False if it was not that which put it aside last."""
    for memory in parts.store.memories.find(scope, memory_id, at):
        step, before = _last_put_aside(parts, scope, memory, at)
        if step.verb in (Verb.CORRECT, Verb.SUPERSEDE):
            _undo(parts, scope, memory, step, before, at)
            return True
    return False


def _undo(parts: Parts, scope: Scope, memory: Memory, step: MemoryVersion, before: Memory, at: datetime) -> str | None:
    if step.verb in _FORGETTING:
        before = _in_line(parts, scope, before, at)
    parts.store.memories.revise(scope, before, Verb.RESTORE, None, at)
    note = _close_replacement(parts, scope, memory, before, at)
    settle_again(parts, scope, before, at)
    return note


def _in_line(parts: Parts, scope: Scope, text: Memory, at: datetime) -> Memory:
    """A document has one text at a time: one that comes back holds until the next began, the one before until it."""
    if text.kind is not Kind.DOCUMENT or text.subject is None:
        return text
    before, after = neighbours(texts_of(parts, scope, text.subject.id, at), text.valid_from)
    if before is not None and (before.valid_until is None or before.valid_until > text.valid_from):
        take_place(parts, scope, before, text, None, at)
    if after is not None and (text.valid_until is None or text.valid_until > after.valid_from):
        if text.superseded:
            parts.store.links.close_to(scope, text.id, [LinkType.SUPERSEDES], at)
        draw_link(parts, scope, after, text.id, LinkType.SUPERSEDES)
        return replace(text, valid_until=after.valid_from, superseded=True, superseded_by=after.id)
    return text


def archive(
    parts: Parts, scope: Scope, names: Sequence[str], reason: str | None = None, key: str | None = None
) -> Changed:
    """Put memories away: no longer recalled or listed, never retracted."""
    called = call(Verb.ARCHIVE, key, *names, reason)
    check_number(names)

    def one(name: str, at: datetime) -> Changed:
        memory = find_memory(parts, scope, name, at)
        if memory.status is not Status.ACTIVE or memory.retracted_at is not None:
            raise Conflict(f"{memory.id} is {standing_of(memory)}, not active.", fix="Only what is active is archived.")
        away = replace(memory, status=Status.ARCHIVED)
        parts.store.memories.revise(scope, away, Verb.ARCHIVE, checked_reason(reason), at)
        return Changed(Verb.ARCHIVE, (memory.id,), at)

    return once(parts, scope, called, Changed, lambda at: each(parts, scope, Verb.ARCHIVE, names, at, one))


def erase(parts: Parts, scope: Scope, name: str) -> Changed:
    """Leave nothing of a memory of one's own. There is no way back."""
    with parts.store.transaction(scope, parts.clock()) as at:
        memory = check_own(scope, find_memory(parts, scope, name, at), "erase")
        links = parts.store.links.of(scope, [memory.id], at, [LinkType.DERIVED_FROM])
        derived = [link.from_id for link in links if link.to_id == memory.id]
        parts.store.memories.erase(scope, memory.id, at)
    parts.store.events.forget(scope, memory.id)  # telemetry is another file, and names ids alone
    note = f"derived from it, and not erased: {', '.join(derived)}" if derived else None
    return Changed(Verb.ERASE, (memory.id,), at, note=note)


def _last_put_aside(parts: Parts, scope: Scope, memory: Memory, at: datetime) -> tuple[MemoryVersion, Memory]:
    """The step that put a memory aside last and was not undone, and the memory as it is but for that step."""
    undone: list[tuple[MemoryVersion, MemoryVersion]] = []
    versions = parts.store.memories.versions(scope, [memory.id], at)
    for before, version in pairwise(versions):
        if version.verb in _PUT_ASIDE and (version.verb is not Verb.REVIEW or version.status is Status.FORGOTTEN):
            undone.append((before, version))
        elif version.verb is Verb.RESTORE and undone:
            undone.pop()
    if not undone:
        raise Conflict(f"{memory.id} stands as it was remembered.", fix="There is nothing to restore.")
    before, put_aside = undone[-1]
    stood = replace(
        memory,
        status=before.status,
        retracted_at=before.retracted_at,
        valid_until=before.valid_until,
        superseded=before.superseded,
        superseded_by=before.superseded_by,
    )
    return put_aside, stood


def _close_replacement(parts: Parts, scope: Scope, memory: Memory, before: Memory, at: datetime) -> str | None:
    """A memory that stands again was not replaced: the link that said so is closed. What replaced it stays."""
    types = []
    if memory.superseded and not before.superseded:
        types.append(LinkType.SUPERSEDES)
    if memory.retracted_at and not before.retracted_at and memory.status is not Status.FORGOTTEN:
        types.append(LinkType.CORRECTS)
    if not types:
        return None
    replaced_by = parts.store.links.close_to(scope, memory.id, types, at)
    seen = [one.id for id_ in replaced_by for one in parts.store.memories.find(scope, id_, at)]
    return f"{', '.join(seen)} stays as well; forget it if it should not" if seen else None
