"""What becomes of a memory: corrected, superseded, forgotten, restored, archived, shared, verified, erased."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from trigraph.engine.finding import find_memory
from trigraph.engine.parts import Parts
from trigraph.engine.write.once import call, earlier, once
from trigraph.engine.write.resolution import WIDTH, Called, relink
from trigraph.engine.write.stating import retell, succeed, write_decision
from trigraph.engine.write.telling import draw_link, ready, tell
from trigraph.engine.write.writing import check_audience
from trigraph.errors import Conflict, Forbidden, InvalidInput
from trigraph.model.change import Changed, MemoryVersion, Verb
from trigraph.model.ids import new_id
from trigraph.model.link import LINK_PREFIX, LinkType
from trigraph.model.memory import Kind, Memory, MemoryDraft, MemoryFilter, Status, Visibility
from trigraph.model.revision import Revision
from trigraph.model.scope import Scope
from trigraph.text.cleaning import content_hash, optional_label
from trigraph.text.terms import analyse

FORGET_MOST = 50
"""One forgetting by query takes at most so many."""

FORGET_IDS_MOST = 500

_PUT_ASIDE = (Verb.FORGET, Verb.ARCHIVE, Verb.CORRECT, Verb.SUPERSEDE)


def correct(parts: Parts, scope: Scope, name: str, revision: Revision, key: str | None = None) -> Changed:
    """It was never true: the old memory is retracted; the new one takes over its validity and usage history."""
    if revision.valid_from is not None:
        raise InvalidInput(
            "A correction takes over the validity of what it corrects.",
            field="valid_from",
            fix="Leave it out, or use supersede.",
        )
    called = call(Verb.CORRECT, key, name, revision)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    old = _revisable(find_memory(parts, scope, name))
    if content_hash(revision.text) == old.content_hash:
        raise InvalidInput("The text is the same as before.", field="text", fix="Use reverify to confirm a memory.")
    draft = replace(_draft(old, revision), valid_from=old.valid_from, valid_until=old.valid_until)
    prepared = ready(parts, scope, replace(draft, occurred_at=old.occurred_at))

    def change(at: datetime) -> Changed:
        current = _unchanged(parts, scope, old, at)
        root = current.root_id or current.id
        memory = tell(parts, scope, prepared, at, verb=Verb.CORRECT, root_id=root, subject=_subject(current))
        retell(parts, scope, current, memory, at)  # before it is retracted: then its word no longer counts
        retracted = replace(current, retracted_at=at)
        parts.store.memories.revise(scope, retracted, Verb.CORRECT, _reason(revision.reason), at)
        link = draw_link(parts, scope, memory, current.id, LinkType.CORRECTS, _reason(revision.reason))
        _take_over_links(parts, scope, current.id, memory, at)
        return prepared.answered(Changed(Verb.CORRECT, (memory.id,), at, replaced=(current.id,), links=(link,)))

    return once(parts, scope, called, Changed, change)


def supersede(parts: Parts, scope: Scope, name: str, revision: Revision, key: str | None = None) -> Changed:
    """It was true until then: the old memory's validity ends where the new one's begins."""
    called = call(Verb.SUPERSEDE, key, name, revision)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    old = _revisable(find_memory(parts, scope, name))
    prepared = ready(parts, scope, replace(_draft(old, revision), valid_from=revision.valid_from))

    def change(at: datetime) -> Changed:
        memory = tell(parts, scope, prepared, at, verb=Verb.SUPERSEDE, subject=_subject(old))
        link = end_validity(parts, scope, old, memory, _reason(revision.reason), at)
        succeed(parts, scope, old, memory, at)
        if memory.kind is Kind.DECISION and memory.subject is not None:
            write_decision(parts, scope, memory, superseding=True)
        return prepared.answered(Changed(Verb.SUPERSEDE, (memory.id,), at, replaced=(old.id,), links=(link,)))

    return once(parts, scope, called, Changed, change)


def end_validity(parts: Parts, scope: Scope, old: Memory, new: Memory, reason: str | None, at: datetime) -> str:
    """Let the old memory hold until the new one begins to; returns the id of the link between them."""
    current = _unchanged(parts, scope, old, at)
    if new.valid_from <= current.valid_from:
        raise InvalidInput(
            f"{current.id} holds only from {current.valid_from.isoformat()} on: nothing would be left of it.",
            field="valid_from",
            fix="Give a later time, or use correct if it was never true.",
        )
    until = min(current.valid_until or new.valid_from, new.valid_from)
    ended = replace(current, valid_until=until, superseded=True, superseded_by=new.id)
    parts.store.memories.revise(scope, ended, Verb.SUPERSEDE, reason, at)
    return draw_link(parts, scope, new, current.id, LinkType.SUPERSEDES, reason)


def forget(
    parts: Parts, scope: Scope, names: Sequence[str], reason: str | None = None, key: str | None = None
) -> Changed:
    """Retract memories. They can be restored for a time; known_at before this shows them still."""
    called = call(Verb.FORGET, key, tuple(names), reason)
    if not 1 <= len(names) <= FORGET_IDS_MOST:
        raise InvalidInput(
            f"{len(names)} memories at once.", field="ids", fix=f"Give from 1 to {FORGET_IDS_MOST} ids, or a query."
        )

    def change(at: datetime) -> Changed:
        ids = [_forget_one(parts, scope, name, reason, at) for name in dict.fromkeys(names)]
        return Changed(Verb.FORGET, tuple(ids), at)

    return once(parts, scope, called, Changed, change)


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


def _forget_one(parts: Parts, scope: Scope, name: str, reason: str | None, at: datetime) -> str:
    memory = find_memory(parts, scope, name, at)
    if memory.status is Status.FORGOTTEN:
        raise Conflict(f"{memory.id} is forgotten already.", fix="`trigraph restore` brings it back.")
    gone = replace(memory, status=Status.FORGOTTEN, retracted_at=memory.retracted_at or at)
    parts.store.memories.revise(scope, gone, Verb.FORGET, _reason(reason), at)
    return memory.id


def restore(parts: Parts, scope: Scope, name: str, key: str | None = None) -> Changed:
    """Undo what put a memory aside last: forgetting, archiving, correcting or superseding it."""
    called, window = call(Verb.RESTORE, key, name), parts.restore_window

    def change(at: datetime) -> Changed:
        memory = find_memory(parts, scope, name, at)
        put_aside, before = _last_put_aside(parts, scope, memory, at)
        if put_aside.verb is Verb.FORGET and at - put_aside.known_from > window:
            raise Conflict(
                f"{memory.id} was forgotten on {put_aside.known_from:%Y-%m-%d}, more than {window.days} days ago.",
                fix="Remember it anew, or raise memory.restore_days.",
            )
        parts.store.memories.revise(scope, before, Verb.RESTORE, None, at)
        note = _close_replacement(parts, scope, memory, before, at)
        return Changed(Verb.RESTORE, (memory.id,), at, note=note)

    return once(parts, scope, called, Changed, change)


def archive(parts: Parts, scope: Scope, name: str, reason: str | None = None, key: str | None = None) -> Changed:
    """Put a memory away: no longer recalled or listed, never retracted."""
    called = call(Verb.ARCHIVE, key, name, reason)

    def change(at: datetime) -> Changed:
        memory = find_memory(parts, scope, name, at)
        if memory.status is not Status.ACTIVE or memory.retracted_at is not None:
            raise Conflict(f"{memory.id} is {_standing(memory)}, not active.", fix="Only what is active is archived.")
        away = replace(memory, status=Status.ARCHIVED)
        parts.store.memories.revise(scope, away, Verb.ARCHIVE, _reason(reason), at)
        return Changed(Verb.ARCHIVE, (memory.id,), at)

    return once(parts, scope, called, Changed, change)


def reverify(parts: Parts, scope: Scope, name: str, key: str | None = None) -> Changed:
    """It was checked and still holds: last_verified_at changes, and nothing else."""
    called = call(Verb.REVERIFY, key, name)

    def change(at: datetime) -> Changed:
        memory = _revisable(find_memory(parts, scope, name, at))
        parts.store.memories.revise(scope, replace(memory, last_verified_at=at), Verb.REVERIFY, None, at)
        return Changed(Verb.REVERIFY, (memory.id,), at)

    return once(parts, scope, called, Changed, change)


def share(
    parts: Parts, scope: Scope, name: str, visibility: Visibility, group: str | None, key: str | None = None
) -> Changed:
    """Let more agents see a memory of one's own, and the entities that it made. There is no way back."""
    called = call(Verb.SHARE, key, name, visibility, group)
    if (visibility is Visibility.GROUP) != (group is not None) or visibility is Visibility.PRIVATE:
        raise InvalidInput(
            "Share with a group, by its name, or with all.", field="visibility", fix="Give group or shared."
        )
    check_audience(parts, scope, group)

    def change(at: datetime) -> Changed:
        memory = _own(scope, _revisable(find_memory(parts, scope, name, at)), "share")
        if WIDTH[visibility] <= WIDTH[memory.visibility]:
            raise Conflict(
                f"{memory.id} is {memory.visibility} already, and what was seen cannot be taken back.",
                fix="Erase it if nobody is to see it any more.",
            )
        wider = replace(memory, visibility=visibility, group=group)
        parts.store.memories.revise(scope, wider, Verb.SHARE, None, at)
        parts.store.entities.widen(scope, memory.id, visibility, group)
        relink(parts, scope, wider, at)
        return Changed(Verb.SHARE, (memory.id,), at)

    return once(parts, scope, called, Changed, change)


def erase(parts: Parts, scope: Scope, name: str) -> Changed:
    """Leave nothing of a memory of one's own. There is no way back."""
    with parts.store.transaction(scope, parts.clock()) as at:
        memory = _own(scope, find_memory(parts, scope, name, at), "erase")
        links = parts.store.links.of(scope, [memory.id], at, [LinkType.DERIVED_FROM])
        derived = [link.from_id for link in links if link.to_id == memory.id]
        parts.store.memories.erase(scope, memory.id, at)
    parts.store.events.forget(scope, memory.id)  # telemetry is another file, and names ids alone
    note = f"derived from it, and not erased: {', '.join(derived)}" if derived else None
    return Changed(Verb.ERASE, (memory.id,), at, note=note)


def _draft(old: Memory, revision: Revision) -> MemoryDraft:
    """What takes an old memory's place is as that was, but for what the revision says."""
    return MemoryDraft(
        text=revision.text,
        kind=Kind.FACT if old.kind is Kind.EPISODE else old.kind,
        topic=revision.topic or old.topic,
        tags=old.tags if revision.tags is None else revision.tags,
        domains=old.domains if revision.domains is None else revision.domains,
        visibility=old.visibility,
        group=old.group,
        subject=old.subject.name if old.subject else None,
        type=old.subject.type if old.subject else None,
        source=revision.source,
        session=revision.session,
        turn=revision.turn,
        uri=revision.uri,
        confidence=revision.confidence,
        pinned=old.pinned,
        details=revision.details or old.details,
    )


def _take_over_links(parts: Parts, scope: Scope, old_id: str, new: Memory, at: datetime) -> None:
    """What was built on a memory, and what came of it, holds of its correction."""
    for link in parts.store.links.of(scope, [old_id], at):
        if link.type not in (LinkType.CORRECTS, LinkType.SUPERSEDES) and new.id not in (link.from_id, link.to_id):
            start = new.id if link.from_id == old_id else link.from_id
            end = new.id if link.to_id == old_id else link.to_id
            again = replace(link, id=new_id(LINK_PREFIX, at), from_id=start, to_id=end, known_from=at)
            parts.store.links.add(scope, again)


def _subject(old: Memory) -> Called | None:
    """What takes a memory's place is about the same thing."""
    return Called(old.subject.name, None, entity_id=old.subject.id) if old.subject else None


def _unchanged(parts: Parts, scope: Scope, old: Memory, at: datetime) -> Memory:
    """The memory as it stands in the transaction; raises if it may no longer be revised, or is seen by others now."""
    current = _revisable(find_memory(parts, scope, old.id, at))
    check_audience_unchanged(old, current)
    return current


def in_force(memory: Memory) -> bool:
    """Whether nothing put the memory aside."""
    return memory.retracted_at is None and memory.status is Status.ACTIVE and not memory.superseded


def check_audience_unchanged(before: Memory, now: Memory) -> None:
    """Raise if a memory was shared since it was read: what follows it would be seen by fewer."""
    if (before.visibility, before.group) != (now.visibility, now.group):
        raise Conflict(f"{now.id} was shared meanwhile.", fix="Try again.")


def check_standing(memory: Memory) -> Memory:
    """The memory, if it was neither forgotten nor corrected: something may be built on it."""
    if memory.status is Status.FORGOTTEN or memory.retracted_at is not None:
        raise Conflict(f"{memory.id} is {_standing(memory)}.", fix="`trigraph history` shows what became of it.")
    return memory


def _revisable(memory: Memory) -> Memory:
    if in_force(memory):
        return memory
    if memory.superseded_by is not None and memory.status is Status.ACTIVE and memory.retracted_at is None:
        fix = f"Look at what replaced it: {memory.superseded_by}."
    else:
        fix = "`trigraph history` shows what became of it; `trigraph restore` undoes the last step."
    raise Conflict(f"{memory.id} is {_standing(memory)}.", fix=fix)


def _standing(memory: Memory) -> str:
    if memory.status is not Status.ACTIVE:
        return str(memory.status)
    if memory.retracted_at is not None:
        return "corrected"
    return "superseded" if memory.superseded else "active"


def _own(scope: Scope, memory: Memory, verb: str) -> Memory:
    if memory.provenance.author != scope.agent:
        raise Forbidden(
            f"{memory.id} was written by {memory.provenance.author!r}.",
            fix=f"Only its author may {verb} it; forget it instead.",
        )
    return memory


def _last_put_aside(parts: Parts, scope: Scope, memory: Memory, at: datetime) -> tuple[MemoryVersion, Memory]:
    """The step that put a memory aside last and was not undone, and the memory as it is but for that step."""
    undone: list[tuple[MemoryVersion, MemoryVersion]] = []
    versions = parts.store.memories.versions(scope, [memory.id], at)
    for before, version in pairwise(versions):
        if version.verb in _PUT_ASIDE:
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


def _reason(reason: str | None) -> str | None:
    return optional_label(reason, "reason", 2000)
