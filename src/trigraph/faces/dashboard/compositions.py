"""Compositions: which memories were used together, for what, and what came of it; each is labelled by one key."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from trigraph.faces.dashboard.cards import memory_url, minute
from trigraph.faces.dashboard.composition_picture import composition_url
from trigraph.faces.dashboard.frame import Action, Asked, Page, Shown, address_of
from trigraph.faces.dashboard.notices import Notice
from trigraph.model.composition import (
    CLOSED_LABELS,
    DUPLICATE_LABELS,
    SUCCESS_LABELS,
    CompositionEvent,
    Member,
    OutcomeLabel,
)
from trigraph.model.ids import short_id
from trigraph.model.memory import Memory

PATH = "/compositions"
FRONTIER, BOUNTY, ASK = f"{PATH}/frontier", f"{PATH}/bounty", f"{PATH}/ask"
SHOWN, MOST = 25, 200
TOOL = "dashboard"
KEYS = {
    OutcomeLabel.HELPFUL: "h",
    OutcomeLabel.DEAD_END: "d",
    OutcomeLabel.ACCEPTED: "a",
    OutcomeLabel.REJECTED: "r",
    OutcomeLabel.NEEDS_POC: "p",
    OutcomeLabel.DUPLICATE_RISK: "2",
    OutcomeLabel.SUBMITTED: "s",
    OutcomeLabel.BAD_SEVERITY: "b",
    OutcomeLabel.USER_PROMOTED: "+",
    OutcomeLabel.USER_DEMOTED: "-",
    OutcomeLabel.CLOSED_BY_SCOPE: "c",
    OutcomeLabel.CLOSED_BY_DUPLICATE: "v",
    OutcomeLabel.CLOSED_BY_FALSE_ASSUMPTION: "f",
    OutcomeLabel.CLOSED_BY_USER: "y",
    OutcomeLabel.EXPIRED_LANE: "e",
}
"""The key of every label, those that are pressed most often first."""
AT_HAND = 6
"""So many of them stand beside a composition; the others are folded away, and their keys work all the same."""


@dataclass(frozen=True, slots=True)
class LabelChip:
    """A label, how often it was given, and whether that is good."""

    text: str
    count: int
    sort: str


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A memory and the part that it played; `state` says what became of it."""

    url: str
    short_id: str
    rank: int
    role: str
    preview: str
    text: str
    trust: str
    score: str
    tags: tuple[str, ...]
    state: str
    replaced_url: str | None
    replaced: str


@dataclass(frozen=True, slots=True)
class Line:
    """A composition in a list. `asked` is None where only its author may know what was asked."""

    id: str
    url: str
    short_id: str
    asked: str | None
    author: str
    at: str
    made_by: str
    status: str
    confidence: str
    output: str
    members: tuple[MemberLine, ...]
    labels: tuple[LabelChip, ...]


@dataclass(frozen=True, slots=True)
class LabelKey:
    """A label that can be given, and its key."""

    value: str
    text: str
    key: str


LABEL_KEYS = tuple(LabelKey(one.value, one.value.replace("_", " "), key) for one, key in KEYS.items())


@dataclass(frozen=True, slots=True)
class Ledger:
    """The latest compositions. `places` are the pages of the ledger: label, where, whether it is this one."""

    places: tuple[tuple[str, str, bool], ...]
    told: str
    tags: str
    known_at: str
    memory: str
    lines: tuple[Line, ...]
    narrowed: bool
    more_url: str | None
    labels: tuple[LabelKey, ...] = LABEL_KEYS
    at_hand: int = AT_HAND


def places(here: str) -> tuple[tuple[str, str, bool], ...]:
    """The pages of the ledger."""
    found = (("Recent", PATH), ("Never composed", FRONTIER), ("Bounty lanes", BOUNTY), ("Ask", ASK))
    return tuple((label, path, path == here) for label, path in found)


def show(asked: Asked) -> Shown:
    """The latest compositions: those with all of some tags, or those that a memory took part in."""
    query, memory = asked.query, asked.memory
    known_at, of = query.given("known_at"), query.given("memory")
    limit = min(int(query.one("limit")), MOST) if query.one("limit").isdecimal() else SHOWN
    if of:
        events = memory.compositions_of(of, limit=limit, known_at=known_at)
    else:
        events = memory.compositions(limit=limit, tags=tags_of(query.one("tags")), known_at=known_at)
    said = [(name, value) for name, value in query.pairs if name not in ("limit", "format")]
    more = len(events) == limit < MOST
    view = Ledger(
        places=places(PATH),
        told="Which memories were used together, for what, and what came of it.",
        tags=query.one("tags"),
        known_at=known_at or "",
        memory=of or "",
        lines=tuple(line_of(one) for one in events),
        narrowed=bool(query.given("tags") or known_at or of),
        more_url=address_of(PATH, *said, ("limit", str(min(2 * limit, MOST)))) if more else None,
    )
    return Shown("compositions.html", view, {"compositions": events})


def notice_of(given: OutcomeLabel, suggested: OutcomeLabel | None, event_id: str) -> Notice:
    """What a label calls for next."""
    if suggested is not None:
        return Notice(f"label_{suggested.value}", (event_id,))
    if given is OutcomeLabel.DEAD_END:
        return Notice("label_dead_end", (event_id,))
    return Notice(f"label_{sort_of(given)}", (event_id,))


def line_of(event: CompositionEvent, held: dict[str, Memory] | None = None) -> Line:
    """A composition as lists tell it; `held` are those of its members that are still there."""
    counted = Counter(one.label for one in event.outcomes)
    return Line(
        id=event.id,
        url=composition_url(event.id),
        short_id=short_id(event.id),
        asked=event.query if event.query or event.told else None,
        author=event.author,
        at=minute(event.at),
        made_by=f"{event.tool}, {event.mode.replace('_', ' ')}",
        status=event.status.value.replace("_", " ") if event.status else "",
        confidence="" if event.confidence is None else f"{event.confidence:.2f}",
        output=event.output_preview,
        members=tuple(_member(one, held) for one in event.members),
        labels=tuple(label_chip(one, counted[one]) for one in OutcomeLabel if counted[one]),
    )


def label_chip(given: OutcomeLabel, count: int) -> LabelChip:
    """A label that was given, so often."""
    return LabelChip(given.value.replace("_", " "), count, sort_of(given))


def sort_of(given: OutcomeLabel) -> str:
    """Whether a label says that something came of it, that somebody was there before, that it is closed, or neither."""
    if given in SUCCESS_LABELS:
        return "success"
    if given in DUPLICATE_LABELS:
        return "duplicate"
    return "closed" if given in CLOSED_LABELS else "open"


def tags_of(text: str) -> tuple[str, ...]:
    """Tags as they are typed, between commas."""
    return tuple(one.strip() for one in text.split(",") if one.strip())


def _member(one: Member, held: dict[str, Memory] | None) -> MemberLine:
    found = held.get(one.memory_id) if held is not None else None
    state = "" if held is None else "no longer there" if found is None else found.status.value
    return MemberLine(
        url=memory_url(one.memory_id),
        short_id=short_id(one.memory_id),
        rank=one.rank,
        role=one.role.value,
        preview=one.preview or f"erased ({short_id(one.memory_id)})",
        text=one.text,
        trust="" if one.trust is None else f"{one.trust:.2f}",
        score="" if one.score is None else f"{one.score:.2f}",
        tags=one.tags,
        state="" if state == "active" else state,
        replaced_url=memory_url(one.replaced_by) if one.replaced_by else None,
        replaced=short_id(one.replaced_by) if one.replaced_by else "",
    )


PAGES = (Page(PATH, show, label="Compositions"),)
ACTIONS: tuple[Action, ...] = ()
