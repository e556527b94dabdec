"""Links that somebody draws, votes on them and on memories, and citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from trigraph.engine.finding import find_link, find_memory
from trigraph.engine.parts import Parts
from trigraph.engine.write.once import call, once
from trigraph.engine.write.referencing import cited
from trigraph.engine.write.standing import check_standing
from trigraph.errors import Conflict, InvalidInput
from trigraph.model.change import Changed, Citation, Verb
from trigraph.model.ids import is_full_id, new_id
from trigraph.model.link import LINK_PREFIX, Link, LinkOrigin, LinkType
from trigraph.model.memory import Memory
from trigraph.model.recall import RECALL_PREFIX
from trigraph.model.revision import Use
from trigraph.model.scope import Scope
from trigraph.text.cleaning import optional_label

VOTE_STEP = 0.1
"""What one vote adds to or takes from a confidence."""
CONFIDENCE_LEAST = 0.1
NOTES_LIMIT_CHARS = 2000
CITATIONS_MOST = 100

_VERBS = {LinkType.SUPERSEDES: "supersede", LinkType.CORRECTS: "correct", LinkType.OUTCOME_OF: "evolve"}


def link(
    parts: Parts,
    scope: Scope,
    from_name: str,
    to_name: str,
    type_: LinkType,
    confidence: float = 1.0,
    reason: str | None = None,
    origin: LinkOrigin = LinkOrigin.USER,
    key: str | None = None,
) -> Changed:
    """Draw a link: `from` VERB `to`."""
    called = call(Verb.LINK, key, from_name, to_name, type_, confidence, reason, origin)
    if type_ in _VERBS:
        raise InvalidInput(
            f"A link {type_} comes with what it says.",
            field="type",
            allowed=[one for one in LinkType if one not in _VERBS],
            fix=f"Use {_VERBS[type_]}.",
        )
    if not 0 <= confidence <= 1:
        raise InvalidInput(f"confidence is {confidence}.", field="confidence", fix="Choose a number from 0 to 1.")

    def change(at: datetime) -> Changed:
        start = check_standing(find_memory(parts, scope, from_name, at))
        end = check_standing(find_memory(parts, scope, to_name, at))
        if start.id == end.id:
            raise InvalidInput("A memory is not linked to itself.", field="to", fix="Give two different memories.")
        for one in parts.store.links.of(scope, [start.id], at, [type_]):
            if (one.from_id, one.to_id) == (start.id, end.id):
                raise Conflict(f"{one.id} says that already.", fix="Vote on it, or unlink it first.")
        drawn = Link(
            id=new_id(LINK_PREFIX, at),
            from_id=start.id,
            to_id=end.id,
            type=type_,
            confidence=confidence,
            created_by=origin,
            author=scope.agent,
            reason=optional_label(reason, "reason", NOTES_LIMIT_CHARS),
            valid_from=max(start.valid_from, end.valid_from),
            valid_until=None,
            known_from=at,
        )
        parts.store.links.add(scope, drawn)
        return Changed(Verb.LINK, (drawn.id,), at, links=(drawn.id,))

    return once(parts, scope, called, Changed, change)


def unlink(parts: Parts, scope: Scope, name: str, key: str | None = None) -> Changed:
    """A link holds no longer. Those that say what became of a memory go when that is restored."""
    called = call(Verb.UNLINK, key, name)

    def change(at: datetime) -> Changed:
        found = find_link(parts, scope, name)
        if found.type in (LinkType.SUPERSEDES, LinkType.CORRECTS):
            raise Conflict(f"{found.id} says what became of {found.to_id}.", fix="Restore that memory instead.")
        parts.store.links.close(scope, found.id, at)
        return Changed(Verb.UNLINK, (found.id,), at, replaced=(found.id,))

    return once(parts, scope, called, Changed, change)


def vote(
    parts: Parts, scope: Scope, name: str, value: int, reason: str | None = None, key: str | None = None
) -> Changed:
    """Say that a memory or a link is right (1) or wrong (-1). An agent has one vote on each; its latest counts."""
    called = call(Verb.VOTE, key, name, value, reason)
    if value not in (-1, 1):
        raise InvalidInput(f"A vote is 1 or -1, not {value}.", field="value", fix="Vote up (1) or down (-1).")
    reason = optional_label(reason, "reason", NOTES_LIMIT_CHARS)

    def change(at: datetime) -> Changed:
        target = (
            find_link(parts, scope, name)
            if name.startswith(f"{LINK_PREFIX}_")
            else check_standing(find_memory(parts, scope, name, at))
        )
        before, by = parts.store.uses.last_vote(scope, target.id) or (0, 0.0)
        if before == value:
            return Changed(Verb.VOTE, (target.id,), at, note="the same vote as before")
        without = target.confidence - by
        least = min(CONFIDENCE_LEAST, without)
        moved = replace(target, confidence=round(min(max(without + VOTE_STEP * value, least), 1.0), 6))
        parts.store.uses.vote(scope, target.id, value, round(moved.confidence - without, 6), reason, at)
        if isinstance(moved, Memory):
            parts.store.memories.revise(scope, moved, Verb.VOTE, reason, at)
        else:
            parts.store.links.revise(scope, moved, at)
        return Changed(Verb.VOTE, (target.id,), at, note=f"confidence {moved.confidence:g}")

    return once(parts, scope, called, Changed, change)


def cite(
    parts: Parts,
    scope: Scope,
    recall_id: str | None,
    uses: Sequence[Use],
    session: str | None = None,
    key: str | None = None,
) -> Changed:
    """Keep what was done with hits of a recall: one citation for each."""
    called = call(Verb.CITE, key, recall_id, tuple(uses), session)
    if recall_id is not None and not is_full_id(recall_id, RECALL_PREFIX):
        raise InvalidInput(
            f"{recall_id[:80]!r} is not the id of a recall.", field="recall_id", fix="Every answer of recall has one."
        )
    if not 1 <= len(uses) <= CITATIONS_MOST:
        raise InvalidInput(f"{len(uses)} citations at once.", field="items", fix=f"Give from 1 to {CITATIONS_MOST}.")
    session = optional_label(session, "session") or _session_of(parts, scope, recall_id)

    def change(at: datetime) -> Changed:
        ids: list[str] = []
        again = 0
        for use in uses:
            own = parts.store.tick(scope, at) if ids else at
            memory = find_memory(parts, scope, use.memory, own)
            notes = optional_label(use.notes, "notes", NOTES_LIMIT_CHARS)
            citation = Citation(memory.id, use.kind, recall_id, session, scope.agent, notes, own)
            if parts.store.uses.cite(scope, citation):
                if memory.retracted_at is None:
                    cited(parts, scope, memory, use.kind, own)
            else:
                again += 1
            ids.append(memory.id)
        note = f"{again} of them had been made before" if again else None
        return Changed(Verb.CITE, tuple(ids), at, note=note)

    return once(parts, scope, called, Changed, change)


def _session_of(parts: Parts, scope: Scope, recall_id: str | None) -> str | None:
    event = parts.store.events.get(scope, recall_id) if recall_id is not None else None
    return event.session if event is not None else None
