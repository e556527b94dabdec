"""A memory as lists show it, with what a reader must know before relying on it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from urllib.parse import quote

from trigraph.model.ids import short_id
from trigraph.model.memory import Memory, Status
from trigraph.model.recall import Conflict, Hit, LegReport, LegStatus, Outcome

CARD_CHARS = 420
_TITLE = re.compile(r"^title:\s*(.+)$", re.MULTILINE)
"""What a document calls itself at its head."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a reader must know before relying on a memory: that it was replaced, or what came of it."""

    text: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Card:
    """A memory in a list."""

    id: str
    url: str
    short_id: str
    kind: str
    status: str
    text: str
    topic: str | None
    speaker: str | None
    author: str
    when: str
    tags: tuple[str, ...]
    pinned: bool
    marks: tuple[Mark, ...] = ()
    why: str | None = None
    age: str | None = None
    rank: int | None = None
    score: str | None = None


@dataclass(frozen=True, slots=True)
class LegLine:
    """How one leg fared, in words."""

    told: str
    reason: str
    degraded: bool


def memory_url(memory_id: str) -> str:
    """Where a memory's page is."""
    return f"/memories/{quote(memory_id)}"


def entity_url(name: str) -> str:
    """Where an entity's page is, by its id or its name."""
    return f"/entities/{quote(name, safe='')}"


def card_of(memory: Memory, text: str | None = None) -> Card:
    """A memory; `text` in place of its own."""
    return Card(
        id=memory.id,
        url=memory_url(memory.id),
        short_id=short_id(memory.id),
        kind=memory.kind.value,
        status=memory.status.value,
        text=shortened(memory.text.strip(), CARD_CHARS) if text is None else text,
        topic=memory.topic,
        speaker=memory.place.speaker if memory.place else None,
        author=memory.provenance.author,
        when=day(memory.occurred_at or memory.created_at),
        tags=memory.tags,
        pinned=memory.pinned,
        marks=(*_status_mark(memory), *_superseded_mark(memory)),
    )


def hit_card(hit: Hit, conflicts: Iterable[Conflict]) -> Card:
    """A hit, with why it is there and what speaks against it."""
    card = card_of(hit.memory, hit.excerpt.text)
    days = hit.staleness.age_days
    return replace(
        card,
        marks=(
            *card.marks,
            *_document_mark(hit),
            *_conflict_marks(hit.memory.id, conflicts),
            *(_outcome_mark(one) for one in hit.outcomes),
        ),
        why=hit.why,
        age=f"{days:,.0f} days old" if days >= 2 else "new",
        rank=hit.rank,
        score=f"{hit.score:.2f}",
    )


def leg_line(leg: LegReport) -> LegLine:
    """How a leg fared."""
    if leg.status is LegStatus.NOT_APPLICABLE:
        told = f"{leg.leg}: nothing to do"
    elif leg.status.degraded:
        told = f"{leg.leg}: {leg.status.value.replace('_', ' ')}, {leg.count} found"
    else:
        told = f"{leg.leg}: {leg.count} found"
    return LegLine(told, leg.reason or "", leg.status.degraded)


def shortened(text: str, most: int) -> str:
    """The beginning of a text, ended between words."""
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"


def one_line(text: str, most: int = 120) -> str:
    """The beginning of a text, on one line; of a document with front matter, its title."""
    title = _TITLE.search(text) if text.startswith("---") else None
    return shortened(" ".join((title[1] if title else text).split()), most)


def day(at: datetime) -> str:
    """The day of a time, UTC."""
    return at.astimezone(UTC).strftime("%d %b %Y")


def minute(at: datetime | None) -> str:
    """A time to the minute, UTC; empty if there is none."""
    return at.astimezone(UTC).strftime("%d %b %Y %H:%M") if at else ""


def counted(count: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{count:,} {one if count == 1 else many}"


def _status_mark(memory: Memory) -> tuple[Mark, ...]:
    return () if memory.status is Status.ACTIVE else (Mark(memory.status.value, None),)


def _superseded_mark(memory: Memory) -> tuple[Mark, ...]:
    if not memory.superseded or memory.valid_until is None:
        return ()
    since = day(memory.valid_until)
    if memory.superseded_by is None:
        return (Mark(f"superseded on {since}", None),)
    return (Mark(f"superseded on {since} by {short_id(memory.superseded_by)}", memory_url(memory.superseded_by)),)


def _document_mark(hit: Hit) -> tuple[Mark, ...]:
    by = hit.staleness.document_superseded_by
    return (Mark(f"document superseded by {by}", None),) if by else ()


def _outcome_mark(outcome: Outcome) -> Mark:
    told = f"{outcome.result.value}: {outcome.reason}" if outcome.reason else outcome.result.value
    return Mark(told, memory_url(outcome.id))


def _conflict_marks(memory_id: str, conflicts: Iterable[Conflict]) -> tuple[Mark, ...]:
    """What disagrees with a hit, and in what."""
    marks = []
    for one in conflicts:
        if memory_id in (one.first_id, one.second_id):
            other = one.second_id if memory_id == one.first_id else one.first_id
            why = f": {one.reason}" if one.reason else ""
            marks.append(Mark(f"disagrees with {short_id(other)}{why}", memory_url(other)))
    return tuple(marks)
