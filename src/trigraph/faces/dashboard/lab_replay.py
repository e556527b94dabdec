"""A past recall as it was kept, what became of it, and what the same question brings now."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from trigraph.errors import InvalidInput, NotFound
from trigraph.faces.dashboard.cards import day, memory_url, minute, one_line, shortened
from trigraph.faces.dashboard.lab_compare import Comparison, compared
from trigraph.faces.library import Trigraph
from trigraph.model.events import RecallEvent
from trigraph.model.ids import short_id
from trigraph.model.insight import RecallRecord
from trigraph.model.memory import Memory, Status
from trigraph.model.query import Leg
from trigraph.model.recall import Recall

CANDIDATES_SHOWN = 40
TEXT_CHARS = 160
GONE = "no longer there, or not yours to see"


@dataclass(frozen=True, slots=True)
class KeptCandidate:
    """A memory that a leg brought: its place by fusion, its place in the answer, what it had on each leg, what was
    said of it since."""

    place: int
    shown: str
    url: str
    short_id: str
    text: str
    state: str
    brought_by: str
    scores: tuple[str, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A recall as it was kept. `now` is what the same question brings today, if that was asked for."""

    recall_id: str
    query: str
    when: str
    told: tuple[tuple[str, str], ...]
    legs: tuple[tuple[str, str, str, str], ...]
    heads: tuple[str, ...]
    candidates: tuple[KeptCandidate, ...]
    candidates_more: int
    citations: tuple[tuple[str, str, str, str, str], ...]
    why_not: str | None
    now: Comparison | None


def replayed(memory: Trigraph, record: RecallRecord, answer: Recall | None) -> Replay:
    """The record as a page shows it; with an answer, what differs from it and why."""
    event = record.event
    places = list(dict.fromkeys((*(one.memory_id for one in event.candidates), *event.result_ids)))
    shown = list(dict.fromkeys((*places[:CANDIDATES_SHOWN], *event.result_ids)))
    known = {id_: _found(memory, id_) for id_ in shown}
    legs = tuple(leg for leg in Leg if leg in event.weights)
    kinds: dict[str, Counter[str]] = {}
    for one in record.citations:
        kinds.setdefault(one.memory_id, Counter())[one.kind.value] += 1
    return Replay(
        recall_id=event.recall_id,
        query=event.query,
        when=minute(event.at),
        told=_told(record),
        legs=tuple(
            (one.leg.value, one.status.value.replace("_", " "), f"{one.count}", f"{one.milliseconds:.1f}")
            for one in event.legs
        ),
        heads=tuple(leg.value for leg in legs),
        candidates=tuple(
            _candidate(event, id_, places.index(id_) + 1, known[id_], legs, kinds.get(id_)) for id_ in shown
        ),
        candidates_more=len(places) - len(shown),
        citations=tuple(
            (minute(one.at), one.kind.value.replace("_", " "), memory_url(one.memory_id), short_id(one.memory_id),
             one.notes or "")
            for one in record.citations
        ),
        why_not=record.why_not,
        now=_differs(event, known, answer) if answer is not None else None,
    )  # fmt: skip


def _found(memory: Trigraph, id_: str) -> Memory | None:
    try:
        return memory.engine.find(memory.scope, id_)
    except (NotFound, InvalidInput):
        return None


def _told(record: RecallRecord) -> tuple[tuple[str, str], ...]:
    event = record.event
    weights = ", ".join(f"{leg.value} {weight:g}" for leg, weight in event.weights.items())
    facts = (
        ("what became of it", record.outcome.value),
        ("class", event.query_class.value.replace("_", " ")),
        ("profile", event.profile),
        ("fusion", event.fusion),
        ("weights", weights),
        ("shown", f"{event.top_n_selected} of {event.result_count}, {event.payload_bytes:,} bytes"),
        ("took", f"{event.milliseconds:.1f} ms"),
        ("session", event.session or ""),
        ("shown to learn from", short_id(event.explored) if event.explored else ""),
    )
    return tuple((name, value) for name, value in facts if value)


def _candidate(
    event: RecallEvent,
    id_: str,
    place: int,
    found: Memory | None,
    legs: tuple[Leg, ...],
    said: Counter[str] | None,
) -> KeptCandidate:
    own = next((one for one in event.candidates if one.memory_id == id_), None)
    rank = event.result_ids.index(id_) + 1 if id_ in event.result_ids else None
    return KeptCandidate(
        place=place,
        shown="" if rank is None else f"{rank}",
        url=memory_url(id_) if found else "",
        short_id=short_id(id_),
        text=shortened(one_line(found.text, TEXT_CHARS), TEXT_CHARS) if found else GONE,
        state=_state(found) if found else "",
        brought_by=", ".join(own.brought_by) if own else "a link to a hit",
        scores=tuple(f"{own.scores[leg]:.3f}" if own and leg in own.scores else "–" for leg in legs),
        said=", ".join(f"{kind.replace('_', ' ')} × {count}" for kind, count in (said or Counter()).items()),
    )


def _state(memory: Memory) -> str:
    """Why a memory that was found then may not be found now."""
    if memory.status is not Status.ACTIVE:
        return memory.status.value
    if memory.superseded:
        by = f" by {short_id(memory.superseded_by)}" if memory.superseded_by else ""
        return f"superseded{by}"
    return f"ended {day(memory.valid_until)}" if memory.valid_until else ""


def _differs(event: RecallEvent, known: dict[str, Memory | None], answer: Recall) -> Comparison:
    hits = {hit.memory.id: hit for hit in answer.hits}
    there = {one.memory_id for one in event.candidates}

    def why(id_: str) -> str:
        if id_ in hits:
            if hits[id_].memory.created_at > event.at:
                return f"new: learned {minute(hits[id_].memory.created_at)}"
            return "was found then, and now stands higher" if id_ in there else "no leg brought it then"
        found = known.get(id_)
        if found is None:
            return GONE
        return _state(found) or "still holds; others stand before it now"

    texts = {id_: found.text for id_, found in known.items() if found}
    texts |= {id_: hit.memory.text for id_, hit in hits.items()}
    return compared(event.result_ids, hits, texts, why)
