"""What a label calls for next, by the composition's own facts."""

from __future__ import annotations

import re

from trigraph.engine.parts import Parts
from trigraph.model.composition import (
    DUPLICATE_LABELS,
    SUCCESS_LABELS,
    CompositionEvent,
    CompositionStatus,
    OutcomeLabel,
    Role,
)
from trigraph.model.ids import short_id
from trigraph.model.link import LinkType
from trigraph.model.scope import Scope

FAMILY_MOST = 5
CLOSED_BY = (
    OutcomeLabel.CLOSED_BY_SCOPE,
    OutcomeLabel.CLOSED_BY_DUPLICATE,
    OutcomeLabel.CLOSED_BY_FALSE_ASSUMPTION,
    OutcomeLabel.CLOSED_BY_USER,
)
_SAID = (
    (
        OutcomeLabel.CLOSED_BY_SCOPE,
        re.compile(r"\b(?:out of |in )?scopes?\b|\bnot covered\b|\bexcluded\b", re.IGNORECASE),
    ),
    (
        OutcomeLabel.CLOSED_BY_DUPLICATE,
        re.compile(r"\bdup(?:e|licate)\w*|\balready (?:known|reported)\b", re.IGNORECASE),
    ),
    (
        OutcomeLabel.CLOSED_BY_FALSE_ASSUMPTION,
        re.compile(r"\bassum\w+|\bnever true\b|\bwrong\b|\bdoes ?n[o']t hold\b|\bfalse\b", re.IGNORECASE),
    ),
    (
        OutcomeLabel.CLOSED_BY_USER,
        re.compile(r"\b(?:user|customer|they|he|she) (?:said|asked|closed|wants?|declined)\b", re.IGNORECASE),
    ),
)
_SCOPE_TAGS = frozenset({"scope", "out-of-scope", "boundary-scope"})


def suggestion(parts: Parts, scope: Scope, event: CompositionEvent, notes: str | None) -> OutcomeLabel | None:
    """The closed_by_* that says why it was a dead end: by the notes, else by what the composition is made of."""
    for label, pattern in _SAID:
        if notes is not None and pattern.search(notes):
            return label
    against = any(member.role in (Role.CONTRADICTING, Role.SUPERSEDED) for member in event.members)
    if event.status is CompositionStatus.CLAIM_CONTRADICTS_MEMORY:
        return OutcomeLabel.CLOSED_BY_FALSE_ASSUMPTION
    if family(parts, scope, event):
        return OutcomeLabel.CLOSED_BY_DUPLICATE
    if any(_SCOPE_TAGS & set(member.tags) for member in event.members):
        return OutcomeLabel.CLOSED_BY_SCOPE
    return OutcomeLabel.CLOSED_BY_FALSE_ASSUMPTION if against else None


def family(parts: Parts, scope: Scope, event: CompositionEvent) -> list[str]:
    """Earlier compositions of the same question or the same memories, and memories that a member is a duplicate of."""
    ids = {member.memory_id for member in event.members}
    found = []
    for member in event.members[:FAMILY_MOST]:
        for other in parts.store.compositions.of(scope, member.memory_id, FAMILY_MOST):
            same_question = bool(event.query_hash) and other.query_hash == event.query_hash
            if other.id < event.id and (same_question or {one.memory_id for one in other.members} >= ids):
                found.append(other.id)
    known_at = parts.now(scope).known_at
    links = parts.store.links.of(scope, sorted(ids), known_at, [LinkType.DUPLICATE_OF])
    found += [end for link in links for end in (link.from_id, link.to_id) if end not in ids]
    return list(dict.fromkeys(found))[:FAMILY_MOST]


def advice_on(
    parts: Parts, scope: Scope, event: CompositionEvent, label: OutcomeLabel, suggested: OutcomeLabel | None
) -> tuple[str, ...]:
    """What to look at, in sentences."""
    told = []
    if label is OutcomeLabel.DEAD_END:
        told.append(
            f"dead_end does not say why: label it {suggested} as well, if that is so."
            if suggested
            else f"dead_end does not say why: one of {', '.join(CLOSED_BY)} does."
        )
    earlier = {outcome.label for outcome in event.outcomes}
    if label in DUPLICATE_LABELS or (earlier & DUPLICATE_LABELS and label not in SUCCESS_LABELS):
        kin = family(parts, scope, event)
        named = f": {', '.join(map(short_id, kin))}" if kin else ", which is not known here yet"
        told.append(f"Check the duplicate family first{named}.")
    if label in SUCCESS_LABELS:
        parts_played = ", ".join(f"{short_id(one.memory_id)} ({one.role})" for one in event.members[:FAMILY_MOST])
        told.append(f"Look why it worked, to do it again: {parts_played}.")
    return tuple(told)
