"""How a new memory stands to those that are there: contradiction and change of value first, then restatement (I6).

Candidates are looked for and judged before the transaction, among what the writer may see: a text never changes under
its id. Inside it those that matter are read again, and what no longer stands is left aside; only what the transaction
itself wrote is judged there. Two writers at the same instant may both be new: nothing is lost by that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from trigraph.engine.parts import Parts
from trigraph.engine.write.preparing import Prepared
from trigraph.engine.write.writing import Embedded
from trigraph.lifecycle.comparison import Relation, Verdict, compare
from trigraph.model.memory import TRUST, UNATTENDED, Kind, Memory, MemoryFilter, Source, Status
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.names import name_key
from trigraph.text.terms import analyse

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

COMPARED = (
    Kind.FACT,
    Kind.PREFERENCE,
    Kind.DECISION,
    Kind.INSIGHT,
    Kind.CONTEXT,
    Kind.CONSTRAINT,
    Kind.SKILL,
)
"""Kinds that say what is so. Episodes, documents, summaries, checkpoints and outcomes tell of a moment."""

CANDIDATES_MOST = 12
CONFLICTS_MOST = 3
TEXT_MOST_CHARS = 1_000
"""Longer texts say many things: they are not compared as a whole."""

UNVOUCHED = TRUST[Source.TOOL_OUTPUT]
"""What is trusted no further came from nobody in particular."""

_SAID = frozenset({Source.USER, Source.TURN, Source.DISTILLATION})

Near = list[tuple[str, float | None]]


@dataclass(frozen=True, slots=True)
class Judged:
    """A memory that a draft restates or disagrees with, and how near it is in meaning."""

    memory_id: str
    nearness: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Compared:
    """What a new memory restates, or what it disagrees with and how; `retires` says that it is a person's own word
    with a clear sign that the one thing it disagrees with is over."""

    restates: Memory | None = None
    conflicts: tuple[tuple[Memory, Verdict], ...] = ()
    retires: bool = False


class Comparing:
    """Comparison for what one transaction writes."""

    def __init__(self, parts: Parts, scope: Scope, judged: Sequence[Sequence[Judged]]) -> None:
        self._parts = parts
        self._scope = scope
        self._judged = judged
        self._written: dict[str, tuple[Vectors | None, frozenset[str]]] = {}

    def compared(self, number: int, one: Prepared, vectors: Vectors | None, at: datetime) -> Compared:
        """How the prepared of that place in the list stands to what is there by now."""
        if not _comparable(one):
            return Compared()
        moment = Moment(at, at)
        written = self._near_written(one, vectors)
        ids = [each.memory_id for each in self._judged[number]] + [memory_id for memory_id, _ in written]
        there = _read(self._parts, self._scope, ids, moment)
        judged = [*self._judged[number], *_judge(self._parts, one, written, there)]
        ordered = sorted(judged, key=lambda each: -each.nearness)
        return _weighed(one, [(there[each.memory_id], each.verdict) for each in ordered if each.memory_id in there])

    def _near_written(self, one: Prepared, vectors: Vectors | None) -> Near:
        """Of what the transaction wrote: the nearest in meaning, or without vectors those that share most words."""
        near: list[tuple[float, str, float | None]] = []
        words = _words(one.draft.text)
        for memory_id, (rows, other) in self._written.items():
            if vectors is not None and rows is not None:
                cosine = float(rows[0] @ vectors[0])
                if cosine >= self._parts.thresholds.alike:
                    near.append((cosine, memory_id, cosine))
            elif shared := len(words & other):
                near.append((shared, memory_id, None))
        return [(memory_id, cosine) for _, memory_id, cosine in sorted(near, reverse=True)[:CANDIDATES_MOST]]

    def written(self, memory: Memory, vectors: Vectors | None) -> None:
        """A memory that the transaction wrote: what follows is compared with it, too."""
        if memory.kind in COMPARED and memory.status is Status.ACTIVE:
            self._written[memory.id] = (vectors, _words(memory.text))


def judge_all(parts: Parts, scope: Scope, prepared: Sequence[Prepared], embedded: Embedded) -> list[Sequence[Judged]]:
    """For each of the prepared, what it restates or disagrees with of what is there now."""
    moment = parts.now(scope)
    near = _find_near(parts, scope, prepared, embedded, moment)
    there = _read(parts, scope, [memory_id for some in near for memory_id, _ in some], moment)
    return [_judge(parts, one, some, there) for one, some in zip(prepared, near, strict=True)]


def _find_near(
    parts: Parts, scope: Scope, prepared: Sequence[Prepared], embedded: Embedded, moment: Moment
) -> list[Near]:
    """For each of the prepared, memories that it may restate or contradict: the nearest in meaning, or without vectors
    those that share most words."""
    near: list[Near] = [[] for _ in prepared]
    wanted = MemoryFilter(kinds=COMPARED)
    places = [place for place, one in enumerate(prepared) if _comparable(one)]
    embedded_places = [place for place in places if place in embedded.vectors]
    if embedded_places and parts.store.space.pinned(scope) == embedded.model:
        import numpy as np

        rows = np.stack([embedded.vectors[place][0] for place in embedded_places])
        least = parts.thresholds.alike
        found = parts.store.search.alike(scope, rows, wanted, moment, least, CANDIDATES_MOST)
        for place, alike in zip(embedded_places, found, strict=True):
            near[place] = list(alike)
    elif embedded.model is None:
        for place in places:
            near[place] = _sharing_words(parts, scope, prepared[place], wanted, moment)
    return near


def _sharing_words(parts: Parts, scope: Scope, one: Prepared, wanted: MemoryFilter, moment: Moment) -> Near:
    terms = list(dict.fromkeys(analyse(one.draft.text)))
    found = parts.store.search.lexical(scope, terms, wanted, moment, CANDIDATES_MOST)
    texts = parts.store.search.surroundings(scope, [hit.passage for hit in found], 0, wanted, moment)
    return [(memory_id, None) for memory_id in dict.fromkeys(text.memory_id for text in texts)]


def _words(text: str) -> frozenset[str]:
    return frozenset(analyse(text[:TEXT_MOST_CHARS]))


def _comparable(one: Prepared) -> bool:
    return one.draft.kind in COMPARED and one.guarded.status is Status.ACTIVE and len(one.draft.text) <= TEXT_MOST_CHARS


def _read(parts: Parts, scope: Scope, ids: Sequence[str], moment: Moment) -> dict[str, Memory]:
    wanted = list(dict.fromkeys(ids))
    return {memory.id: memory for memory in parts.store.memories.get(scope, wanted, moment)} if wanted else {}


def _judge(parts: Parts, one: Prepared, near: Near, there: Mapping[str, Memory]) -> list[Judged]:
    judged = []
    for memory_id, cosine in near:
        memory = there.get(memory_id)
        if memory is None or len(memory.text) > TEXT_MOST_CHARS:
            continue
        verdict = compare(memory.text, one.draft.text, cosine, parts.thresholds)
        if verdict.relation is not Relation.DISTINCT:
            judged.append(Judged(memory.id, cosine or 0.0, verdict))
    return judged


def _weighed(one: Prepared, judged: Sequence[tuple[Memory, Verdict]]) -> Compared:
    conflicts = tuple(pair for pair in judged if pair[1].relation is not Relation.RESTATES)[:CONFLICTS_MOST]
    if conflicts:
        return Compared(None, conflicts, retires=len(conflicts) == 1 and _retires(one, *conflicts[0]))
    return Compared(next((memory for memory, _ in judged if _same_matter(memory, one)), None))


def _retires(one: Prepared, memory: Memory, verdict: Verdict) -> bool:
    """Only a person's own words end what was held, and only with a clear sign; of what the same audience sees."""
    said = one.draft.source is Source.USER or (one.said_by_person and one.draft.source in _SAID)
    return said and verdict.cue and _same_audience(memory, one) and memory.kind is not Kind.DECISION


def _same_matter(memory: Memory, one: Prepared) -> bool:
    """Whether the memory can stand for the draft: the same audience and thing and, of what somebody said on purpose,
    the same kind."""
    about = memory.subject.name if memory.subject else None
    same_thing = one.draft.subject is None or (about is not None and name_key(about) == name_key(one.draft.subject))
    same_kind = one.draft.source in UNATTENDED or memory.kind is one.draft.kind
    return same_thing and same_kind and _same_audience(memory, one) and vouches_for(memory, one)


def vouches_for(memory: Memory, one: Prepared) -> bool:
    """Whether the memory can stand for the draft: what nobody vouches for may be purged, and would take it along."""
    return memory.trust > UNVOUCHED or memory.trust >= min(TRUST[one.draft.source], one.trust)


def _same_audience(memory: Memory, one: Prepared) -> bool:
    return (memory.visibility, memory.group) == (one.draft.visibility, one.draft.group)
