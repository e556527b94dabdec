"""What each page shows, as values: templates decide nothing."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.ids import short_id
from trigraph.model.link import Link, LinkOrigin
from trigraph.model.memory import Kind, Memory
from trigraph.model.recall import Conflict, Hit, LegReport, LegStatus, Outcome

PAGE_SIZE = 50
SEARCH_LIMIT = 20
CARD_CHARS = 420
THREAD_REACH = 3
LINKS_SHOWN = 100
LINKED_CHARS = 120
EXPLICIT = "explicit"


@dataclass(frozen=True, slots=True)
class Mark:
    """What a reader must know before relying on a memory: that it was replaced, or what came of it."""

    text: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Card:
    """A memory in a list."""

    url: str
    short_id: str
    kind: str
    text: str
    topic: str | None
    speaker: str | None
    when: str
    tags: tuple[str, ...]
    marks: tuple[Mark, ...] = ()
    why: str | None = None
    age: str | None = None


@dataclass(frozen=True, slots=True)
class LegLine:
    """How one leg fared, in words."""

    told: str
    reason: str
    degraded: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """The first page: a list, or the answer to a search."""

    query: str
    kind: str
    kinds: tuple[tuple[str, int], ...]
    total: int
    cards: tuple[Card, ...]
    older_url: str | None
    legs: tuple[LegLine, ...]
    problems: tuple[str, ...]
    told: str


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A link as its memory's page tells it: where to, how sure, and who drew it."""

    told: str
    url: str
    text: str
    confidence: str
    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class RelationLine:
    """A relation of the document that a memory holds."""

    source: str
    type: str
    target: str
    section: str


@dataclass(frozen=True, slots=True)
class Detail:
    """One memory, whole, with its links and what was said around it. `hidden` counts automatic links that are not
    shown; `switch_url` shows or hides them."""

    card: Card
    title: str
    text: str
    facts: tuple[tuple[str, str], ...]
    around: tuple[Card, ...]
    links: tuple[LinkLine, ...]
    automatic: int
    hidden: bool
    switch_url: str
    relations: tuple[RelationLine, ...]


def listing(memory: Trigraph, query: str, kind: str, cursor: str | None) -> Listing:
    """The list of memories, newest first; with a query, what recall answers."""
    stats = memory.stats()
    kinds = tuple(stats.by_kind.items())
    wanted = (kind,) if kind else ()
    if query.strip():
        answer = memory.recall(query, limit=SEARCH_LIMIT, kinds=wanted)
        cards = tuple(_hit_card(hit, answer.conflicts) for hit in answer.hits)
        legs, older = tuple(_leg_line(leg) for leg in answer.legs), None
        told = f"class {answer.plan.query_class.value}, {answer.milliseconds:.0f} ms"
    else:
        page = memory.list(limit=PAGE_SIZE, cursor=cursor, kinds=wanted)
        cards = tuple(_card(one) for one in page.memories)
        legs = ()
        told = f"{_counted(stats.memories, 'memory', 'memories')}, {_counted(stats.threads, 'thread', 'threads')}"
        older = _url("/", kind=kind, cursor=page.next_cursor) if page.next_cursor else None
    return Listing(
        query=query,
        kind=kind,
        kinds=kinds,
        total=stats.memories,
        cards=cards,
        older_url=older,
        legs=legs,
        problems=memory.health().problems,
        told=told,
    )


def detail(memory: Trigraph, name: str, links: str = "") -> Detail:
    """One memory; with `links` explicit, without those that were drawn automatically. Raises NotFound, or InvalidInput
    for what cannot be an id."""
    found = memory.get(name)
    around: tuple[Card, ...] = ()
    if found.place:
        seq = found.place.seq
        near = memory.list(thread=found.place.thread_id, first_seq=seq - THREAD_REACH, last_seq=seq + THREAD_REACH)
        around = tuple(_card(one) for one in reversed(near.memories))
    title = found.topic or f"{found.kind.value.capitalize()} {short_id(found.id)}"
    hidden = links == EXPLICIT
    drawn = memory.links(found.id)
    automatic = sum(one.created_by is LinkOrigin.SYSTEM for one in drawn)
    shown = [one for one in drawn if not hidden or one.created_by is not LinkOrigin.SYSTEM][:LINKS_SHOWN]
    url = f"/memories/{found.id}"
    return Detail(
        card=_card(found),
        title=title,
        text=found.text,
        facts=tuple(wire.memory_facts(found)),
        around=around,
        links=tuple(_link_line(memory, found.id, one) for one in shown),
        automatic=automatic,
        hidden=hidden,
        switch_url=url if hidden else f"{url}?links={EXPLICIT}",
        relations=_relations(memory, found),
    )


def _link_line(memory: Trigraph, own_id: str, link: Link) -> LinkLine:
    outgoing = link.from_id == own_id
    other = memory.engine.find(memory.scope, link.to_id if outgoing else link.from_id)
    return LinkLine(
        told=f"{link.type.value} →" if outgoing else f"← {link.type.value}",
        url=f"/memories/{other.id}",
        text=_shortened(" ".join(other.text.split()), LINKED_CHARS),
        confidence=f"{link.confidence:.2f}",
        origin="automatic" if link.created_by is LinkOrigin.SYSTEM else f"by {link.created_by.value}",
        reason=link.reason or "",
    )


def _relations(memory: Trigraph, found: Memory) -> tuple[RelationLine, ...]:
    """Relations of the document whose text the memory is."""
    if found.kind is not Kind.DOCUMENT or found.subject is None:
        return ()
    return tuple(
        RelationLine(one.source.name, one.type.value, one.target.name, one.extracted_from_section)
        for one in memory.relations(found.subject.id)[:LINKS_SHOWN]
    )


def _card(memory: Memory) -> Card:
    text = memory.text.strip()
    return Card(
        url=f"/memories/{memory.id}",
        short_id=short_id(memory.id),
        kind=memory.kind.value,
        text=_shortened(text, CARD_CHARS),
        topic=memory.topic,
        speaker=memory.place.speaker if memory.place else None,
        when=(memory.occurred_at or memory.created_at).strftime("%d %b %Y"),
        tags=memory.tags,
        marks=_superseded_mark(memory),
    )


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"


def _superseded_mark(memory: Memory) -> tuple[Mark, ...]:
    if not memory.superseded or memory.valid_until is None:
        return ()
    since = memory.valid_until.strftime("%d %b %Y")
    if memory.superseded_by is None:
        return (Mark(f"superseded on {since}", None),)
    url = f"/memories/{memory.superseded_by}"
    return (Mark(f"superseded on {since} by {short_id(memory.superseded_by)}", url),)


def _document_mark(hit: Hit) -> tuple[Mark, ...]:
    by = hit.staleness.document_superseded_by
    return (Mark(f"document superseded by {by}", None),) if by else ()


def _outcome_mark(outcome: Outcome) -> Mark:
    told = f"{outcome.result.value}: {outcome.reason}" if outcome.reason else outcome.result.value
    return Mark(told, f"/memories/{outcome.id}")


def _conflict_marks(memory_id: str, conflicts: tuple[Conflict, ...]) -> tuple[Mark, ...]:
    """What disagrees with a hit, and in what."""
    marks = []
    for one in conflicts:
        if memory_id in (one.first_id, one.second_id):
            other = one.second_id if memory_id == one.first_id else one.first_id
            why = f": {one.reason}" if one.reason else ""
            marks.append(Mark(f"disagrees with {short_id(other)}{why}", f"/memories/{other}"))
    return tuple(marks)


def _hit_card(hit: Hit, conflicts: tuple[Conflict, ...]) -> Card:
    card = _card(hit.memory)
    days = hit.staleness.age_days
    return Card(
        url=card.url,
        short_id=card.short_id,
        kind=card.kind,
        text=hit.excerpt.text,
        topic=card.topic,
        speaker=card.speaker,
        when=card.when,
        tags=card.tags,
        marks=(
            *card.marks,
            *_document_mark(hit),
            *_conflict_marks(hit.memory.id, conflicts),
            *(_outcome_mark(one) for one in hit.outcomes),
        ),
        why=hit.why,
        age=f"{days:.0f} days old" if days >= 2 else "new",
    )


def _leg_line(leg: LegReport) -> LegLine:
    if leg.status is LegStatus.NOT_APPLICABLE:
        told = f"{leg.leg}: nothing to do"
    elif leg.status.degraded:
        told = f"{leg.leg}: {leg.status.value.replace('_', ' ')}, {leg.count} found"
    else:
        told = f"{leg.leg}: {leg.count} found"
    return LegLine(told, leg.reason or "", leg.status.degraded)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _url(path: str, **parameters: str | None) -> str:
    return f"{path}?{urlencode({name: value for name, value in parameters.items() if value})}"
