"""What of the evidence was replaced, and what disagrees.

Links that say so count first; beside them the texts are held against each other by the same rules that a new memory is
held against what is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations

from trigraph.engine.parts import Parts
from trigraph.engine.reference.gathering import Piece, is_beside
from trigraph.engine.write.comparing import COMPARED, TEXT_MOST_CHARS
from trigraph.lifecycle.comparison import Relation, Verdict, compare
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.memory import Memory
from trigraph.model.reference import ReplacedBy
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.terms import analyse

COMPARED_MOST = 8
APART = timedelta(days=1)
"""Of two numbers for one measure, told so far apart in time, the newer counts."""
SAME_MATTER = 0.3
"""From this share of common words on, a text that changes another takes its place; below, it changes it in part."""
_TOLD = {LinkType.SUPERSEDES: ReplacedBy.SUPERSEDED, LinkType.CORRECTS: ReplacedBy.CORRECTED}


@dataclass(frozen=True, slots=True)
class Replaced:
    """`old` gave way to `new`."""

    old: Piece
    new: Piece
    at: datetime
    by: ReplacedBy
    reason: str | None


@dataclass(slots=True)
class Disagreeing:
    """What was found of each sort; a contradiction has its newer side first. What was `changed` holds but for a part.
    Of the question's claim: what denies it, what casts a doubt on it, what says the same."""

    replaced: list[Replaced] = field(default_factory=list)
    changed: list[Replaced] = field(default_factory=list)
    contradictions: list[tuple[Piece, Piece, str]] = field(default_factory=list)
    claim: list[tuple[Piece, str]] = field(default_factory=list)
    doubts: list[tuple[Piece, str]] = field(default_factory=list)
    affirmed: list[Piece] = field(default_factory=list)


def disagreements(parts: Parts, scope: Scope, pieces: Sequence[Piece], moment: Moment) -> Disagreeing:
    """Everything among the pieces. A piece that a text replaces holds no longer."""
    found = Disagreeing()
    by_id = {one.memory.id: one for one in pieces}
    types = [LinkType.SUPERSEDES, LinkType.CORRECTS, LinkType.CONTRADICTS]
    links = parts.store.links.of(scope, list(by_id), moment.known_at, types) if by_id else []
    among = [link for link in links if link.from_id in by_id and link.to_id in by_id]
    _told(found, pieces, by_id, among)
    cosines = _Cosines(parts, scope, pieces)
    told = {frozenset((link.from_id, link.to_id)): link for link in among if link.type is LinkType.CONTRADICTS}
    settled = {frozenset((one.old.memory.id, one.new.memory.id)) for one in found.replaced}
    for older, newer in _pairs(pieces, told):
        pair = frozenset((older.memory.id, newer.memory.id))
        if pair in settled:
            continue
        verdict = compare(older.memory.text, newer.memory.text, cosines.between(older, newer), parts.thresholds)
        apart = time_of(newer.memory) - time_of(older.memory) >= APART
        if apart and verdict.relation in (Relation.DISTINCT, Relation.CONTRADICTS):
            verdict = other_measure(older.memory.text, newer.memory.text) or verdict
        _judge(found, older, newer, verdict, told.get(pair))
    found.replaced = _latest(found.replaced)
    for one in found.replaced:
        one.old.holds = False
    return found


def _told(found: Disagreeing, pieces: Sequence[Piece], by_id: Mapping[str, Piece], links: Sequence[Link]) -> None:
    """What somebody said: that one memory took another's place, or one document another's."""
    for link in links:
        if link.type in _TOLD:
            new, old = by_id[link.from_id], by_id[link.to_id]
            at = old.memory.valid_until or new.memory.valid_from
            found.replaced.append(Replaced(old, new, at, _TOLD[link.type], link.reason))
    for one in pieces:
        if one.document_superseded_by is not None:
            name = one.document_superseded_by
            called = [other for other in pieces if other is not one and _is_called(other.memory, name)]
            successor = next((other for other in called if is_beside(one.memory, other.memory)), None)
            if successor is not None:
                at = time_of(successor.memory)
                found.replaced.append(Replaced(one, successor, at, ReplacedBy.DOCUMENT, None))


def _is_called(memory: Memory, name: str) -> bool:
    return memory.subject is not None and memory.subject.name == name


def _pairs(pieces: Sequence[Piece], told: Mapping[frozenset[str], Link]) -> Iterator[tuple[Piece, Piece]]:
    """The older and the newer of every two that say what is so and hold; beside them those that links tell of."""
    comparable = [
        one for one in pieces if one.holds and one.memory.kind in COMPARED and len(one.memory.text) <= TEXT_MOST_CHARS
    ][:COMPARED_MOST]
    both = {frozenset((one.memory.id, other.memory.id)): (one, other) for one, other in combinations(comparable, 2)}
    by_id = {one.memory.id: one for one in pieces if one.holds}
    for pair in told:
        if pair not in both and pair <= by_id.keys():
            one, other = (by_id[id_] for id_ in sorted(pair))
            both[pair] = (one, other)
    for one, other in both.values():
        older, newer = sorted((one, other), key=lambda piece: (time_of(piece.memory), piece.memory.id))
        yield older, newer


def _judge(found: Disagreeing, older: Piece, newer: Piece, verdict: Verdict, link: Link | None) -> None:
    at = newer.memory.valid_from if newer.memory.occurred_at is None else newer.memory.occurred_at
    if verdict.relation is Relation.CHANGES and (
        verdict.detector == MEASURE or _same_matter(older.memory, newer.memory)
    ):
        found.replaced.append(Replaced(older, newer, at, ReplacedBy.CHANGED, verdict.reason))
    elif verdict.relation is Relation.CHANGES and (link is None or link.created_by is LinkOrigin.SYSTEM):
        found.changed.append(Replaced(older, newer, at, ReplacedBy.IN_PART, verdict.reason))
    elif verdict.relation in (Relation.CHANGES, Relation.CONTRADICTS) or link is not None:
        told = link.reason if link is not None and link.reason else verdict.reason
        found.contradictions.append((newer, older, told))


def _latest(replaced: Sequence[Replaced]) -> list[Replaced]:
    """Of what the texts alone say, only what came last in the place of each."""
    kept: dict[tuple[str, str], Replaced] = {}
    for one in sorted(replaced, key=lambda gave_way: (time_of(gave_way.new.memory), gave_way.new.memory.id)):
        again = "" if one.by is ReplacedBy.CHANGED else one.new.memory.id
        kept[one.old.memory.id, again] = one
    return list(kept.values())


def _same_matter(one: Memory, other: Memory) -> bool:
    if one.topic is not None and one.topic == other.topic:
        return True
    words, others = frozenset(analyse(one.text)), frozenset(analyse(other.text))
    return len(words & others) >= SAME_MATTER * len(words | others)


def other_measure(older: str, newer: str) -> Verdict | None:
    """The same measure of the same thing with another number, in texts that say more than that: what both count (`300
    requests per minute`) is one thing where most words of the shorter are in the longer."""
    then, now = ({unit.lower(): number for number, unit in _MEASURE.findall(text)} for text in (older, newer))
    shared = [unit for unit in then.keys() & now.keys() if then[unit] != now[unit]]
    one, other = frozenset(analyse(older)), frozenset(analyse(newer))
    if not shared or len(one & other) < SHARED_WORDS * min(len(one), len(other)):
        return None
    if now.items() & then.items() or any(number in newer for number in then.values() if f"from {number}" not in newer):
        return None
    unit = sorted(shared)[0]
    reason = f"{then[unit]} {unit} then, {now[unit]} {unit} now."
    return Verdict(Relation.CHANGES, MEASURE, reason, cue=False, corrects=False)


_MEASURE = re.compile(r"(\d[\d,.]*)\s+(\w+ per \w+)")
SHARED_WORDS = 0.3
MEASURE = "measure"


def time_of(memory: Memory) -> datetime:
    """When what a memory tells happened, else since when it is known."""
    return memory.occurred_at or memory.created_at


class _Cosines:
    """How near the texts are in meaning; None where no vectors are at hand."""

    def __init__(self, parts: Parts, scope: Scope, pieces: Sequence[Piece]) -> None:
        found = parts.store.graph.first_vectors(scope, [one.memory.id for one in pieces])
        self._rows = {} if found is None else dict(zip(found[0], found[1], strict=True))

    def between(self, one: Piece, other: Piece) -> float | None:
        rows = [self._rows.get(piece.memory.id) for piece in (one, other)]
        return None if rows[0] is None or rows[1] is None else float(rows[0] @ rows[1])
