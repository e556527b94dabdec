"""What takes a memory's place, or changes who sees it: corrected, superseded, shared, verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from trigraph.engine.finding import find_memory
from trigraph.engine.parts import Parts
from trigraph.engine.write.documents import settle_again, settle_supersessions
from trigraph.engine.write.once import call, earlier, once
from trigraph.engine.write.resolution import WIDTH, Called, relink
from trigraph.engine.write.several import check_number, each
from trigraph.engine.write.standing import check_audience_unchanged, check_in_force, check_own, checked_reason
from trigraph.engine.write.stating import retell, succeed, write_decision
from trigraph.engine.write.telling import draw_link, ready, tell
from trigraph.engine.write.writing import check_audience
from trigraph.errors import Conflict, InvalidInput
from trigraph.model.change import Changed, Citation, CitationKind, Verb
from trigraph.model.ids import new_id
from trigraph.model.link import LINK_PREFIX, LinkOrigin, LinkType
from trigraph.model.memory import Kind, Memory, MemoryDraft, Visibility
from trigraph.model.revision import Check, Revision
from trigraph.model.scope import Scope
from trigraph.text.cleaning import content_hash


def correct(
    parts: Parts, scope: Scope, name: str, revision: Revision, key: str | None = None, check: Check | None = None
) -> Changed:
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
    old = check_in_force(find_memory(parts, scope, name))
    if content_hash(revision.text) == old.content_hash:
        raise InvalidInput("The text is the same as before.", field="text", fix="Use reverify to confirm a memory.")
    draft = replace(_draft(old, revision), valid_from=old.valid_from, valid_until=old.valid_until)
    prepared = ready(parts, scope, replace(draft, occurred_at=old.occurred_at))

    def change(at: datetime) -> Changed:
        current = _unchanged(parts, scope, old, at)
        if check is not None:
            check(current)
        root = current.root_id or current.id
        memory = tell(
            parts, scope, prepared, at, verb=Verb.CORRECT, root_id=root, subject=_subject(current), apart_from=[old.id]
        )
        if prepared.prepared.document is None:
            retell(parts, scope, current, memory, at)  # before it is retracted: then its word no longer counts
        link = retract_for(parts, scope, current, memory, checked_reason(revision.reason), at)
        return prepared.answered(Changed(Verb.CORRECT, (memory.id,), at, replaced=(current.id,), links=(link,)))

    return once(parts, scope, called, Changed, change)


def retract_for(parts: Parts, scope: Scope, old: Memory, new: Memory, reason: str | None, at: datetime) -> str:
    """The old memory was never true, the new one says what is; returns the id of the link between them."""
    parts.store.memories.revise(scope, replace(old, retracted_at=at), Verb.CORRECT, reason, at)
    link = draw_link(parts, scope, new, old.id, LinkType.CORRECTS, reason)
    _take_over_links(parts, scope, old.id, new, at)
    note_rewrite(parts, scope, old.id, new.provenance.session, at)
    return link


def supersede(parts: Parts, scope: Scope, name: str, revision: Revision, key: str | None = None) -> Changed:
    """It was true until then: the old memory's validity ends where the new one's begins."""
    called = call(Verb.SUPERSEDE, key, name, revision)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    old = check_in_force(find_memory(parts, scope, name))
    prepared = ready(parts, scope, replace(_draft(old, revision), valid_from=revision.valid_from))

    def change(at: datetime) -> Changed:
        memory = tell(parts, scope, prepared, at, verb=Verb.SUPERSEDE, subject=_subject(old), apart_from=[old.id])
        link = end_validity(parts, scope, old, memory, checked_reason(revision.reason), at)
        succeed(parts, scope, old, memory, at)
        if memory.kind is Kind.DOCUMENT and memory.subject is not None:
            settle_supersessions(parts, scope, memory, memory.subject.id, at)
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
    return take_place(parts, scope, current, new, reason, at)


def take_place(parts: Parts, scope: Scope, old: Memory, new: Memory, reason: str | None, at: datetime) -> str:
    """The new memory follows the old one, in place of whatever did; returns the id of the link between them."""
    if old.superseded:
        parts.store.links.close_to(scope, old.id, [LinkType.SUPERSEDES], at)
    until = min(old.valid_until or new.valid_from, new.valid_from)
    ended = replace(old, valid_until=until, superseded=True, superseded_by=new.id)
    parts.store.memories.revise(scope, ended, Verb.SUPERSEDE, reason, at)
    note_rewrite(parts, scope, old.id, new.provenance.session, at)
    return draw_link(parts, scope, new, old.id, LinkType.SUPERSEDES, reason)


def note_rewrite(parts: Parts, scope: Scope, memory_id: str, session: str | None, at: datetime) -> None:
    """A memory that a recall of the session showed was rewritten in it: that is a citation, made by itself (T13)."""
    recall_id = parts.store.events.shown_in(scope, session, memory_id) if session is not None else None
    if recall_id is not None:
        citation = Citation(memory_id, CitationKind.REWROTE, recall_id, session, scope.agent, None, at)
        parts.store.uses.cite(scope, citation)


def reverify(parts: Parts, scope: Scope, names: Sequence[str], key: str | None = None) -> Changed:
    """They were checked and still hold: last_verified_at changes, and nothing else."""
    called = call(Verb.REVERIFY, key, *names)
    check_number(names)

    def one(name: str, at: datetime) -> Changed:
        memory = check_in_force(find_memory(parts, scope, name, at))
        parts.store.memories.revise(scope, replace(memory, last_verified_at=at), Verb.REVERIFY, None, at)
        return Changed(Verb.REVERIFY, (memory.id,), at)

    return once(parts, scope, called, Changed, lambda at: each(parts, scope, Verb.REVERIFY, names, at, one))


def share(
    parts: Parts, scope: Scope, names: Sequence[str], visibility: Visibility, group: str | None, key: str | None = None
) -> Changed:
    """Let more agents see memories of one's own, and the entities that these made. There is no way back."""
    called = call(Verb.SHARE, key, *names, visibility, group)
    check_number(names)
    if (visibility is Visibility.GROUP) != (group is not None) or visibility is Visibility.PRIVATE:
        raise InvalidInput(
            "Share with a group, by its name, or with all.", field="visibility", fix="Give group or shared."
        )
    check_audience(parts, scope, group)

    def one(name: str, at: datetime) -> Changed:
        memory = check_own(scope, check_in_force(find_memory(parts, scope, name, at)), "share")
        if WIDTH[visibility] <= WIDTH[memory.visibility]:
            raise Conflict(
                f"{memory.id} is {memory.visibility} already, and what was seen cannot be taken back.",
                fix="Erase it if nobody is to see it any more.",
            )
        wider = replace(memory, visibility=visibility, group=group)
        parts.store.memories.revise(scope, wider, Verb.SHARE, None, at)
        parts.store.entities.widen(scope, memory.id, visibility, group)
        relink(parts, scope, wider, at)
        settle_again(parts, scope, wider, at)
        return Changed(Verb.SHARE, (memory.id,), at)

    return once(parts, scope, called, Changed, lambda at: each(parts, scope, Verb.SHARE, names, at, one))


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
    drawn = {(link.from_id, link.to_id, link.type) for link in parts.store.links.of(scope, [new.id], at)}
    for link in parts.store.links.of(scope, [old_id], at):
        if link.type in (LinkType.CORRECTS, LinkType.SUPERSEDES) or new.id in (link.from_id, link.to_id):
            continue
        taken_from = link.type is LinkType.DERIVED_FROM and link.from_id == old_id
        noticed = link.type is LinkType.CONTRADICTS and link.created_by is LinkOrigin.SYSTEM
        if not taken_from and not noticed:  # these were about its words
            start = new.id if link.from_id == old_id else link.from_id
            end = new.id if link.to_id == old_id else link.to_id
            if (start, end, link.type) in drawn:
                continue
            again = replace(link, id=new_id(LINK_PREFIX, at), from_id=start, to_id=end, known_from=at)
            parts.store.links.add(scope, again)


def _subject(old: Memory) -> Called | None:
    """What takes a memory's place is about the same thing."""
    return Called(old.subject.name, None, entity_id=old.subject.id) if old.subject else None


def _unchanged(parts: Parts, scope: Scope, old: Memory, at: datetime) -> Memory:
    """The memory as it stands in the transaction; raises if it may no longer be revised, or is seen by others now."""
    current = check_in_force(find_memory(parts, scope, old.id, at))
    check_audience_unchanged(old, current)
    return current
