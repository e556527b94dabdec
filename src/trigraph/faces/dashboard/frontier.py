"""The frontier: memories that were never used together and look worth it, as a queue; and the lanes of bounty mode."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.faces.dashboard.cards import day, memory_url, minute
from trigraph.faces.dashboard.composition_picture import composition_url
from trigraph.faces.dashboard.compositions import (
    ASK,
    BOUNTY,
    FRONTIER,
    PATH,
    TOOL,
    LabelChip,
    label_chip,
    notice_of,
    places,
    tags_of,
)
from trigraph.faces.dashboard.frame import Action, Asked, Done, Page, Shown, address_of
from trigraph.faces.dashboard.notices import Notice
from trigraph.model.frontier import PAIR, SET_MOST, Bounty, Candidate, FrontierBounds, Lane
from trigraph.model.ids import short_id

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Choice:
    """What can be said of a candidate, by one key: without a label, that its members were used together."""

    text: str
    key: str
    label: str


CHOICES = (
    Choice("Used together", "c", ""),
    Choice("Helpful", "h", "helpful"),
    Choice("Dead end", "d", "dead_end"),
    Choice("Needs a proof", "p", "needs_poc"),
    Choice("Duplicate risk", "2", "duplicate_risk"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A memory of a candidate."""

    id: str
    url: str
    short_id: str
    kind: str
    preview: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """A candidate. `bars` are its scores from 0 to 1: name, number, what it says."""

    question: str
    reason: str
    score: str
    parts: tuple[Part, ...]
    bars: tuple[tuple[str, float, str], ...]
    joined_by: tuple[tuple[str, str], ...]
    signal: str
    adjustment: str
    labels: tuple[LabelChip, ...]
    ask_url: str


@dataclass(frozen=True, slots=True)
class Queue:
    """Candidates, and what was asked for."""

    places: tuple[tuple[str, str, bool], ...]
    asked: dict[str, str]
    sizes: tuple[int, ...]
    known_at: str
    decision_url: str | None
    candidates: tuple[Proposed, ...]
    bounds: str
    cut: tuple[str, ...]
    choices: tuple[Choice, ...] = CHOICES


@dataclass(frozen=True, slots=True)
class LaneLine:
    """A composition as a way that was tried."""

    url: str
    asked: str
    at: str
    members: int
    tags: tuple[str, ...]
    labels: tuple[LabelChip, ...]


@dataclass(frozen=True, slots=True)
class Lanes:
    """Six lanes: title, what it holds, and what is in it: compositions or candidates."""

    places: tuple[tuple[str, str, bool], ...]
    asked: dict[str, str]
    known_at: str
    tried: tuple[tuple[str, str, tuple[LaneLine, ...]], ...]
    untried: tuple[tuple[str, str, tuple[Proposed, ...]], ...]
    bounds: str
    cut: tuple[str, ...]
    choices: tuple[Choice, ...] = CHOICES


def show(asked: Asked) -> Shown:
    """What was never used together, the most promising first; as of a time, or of when a decision was made."""
    query = asked.query
    size = int(query.one("size")) if query.one("size").isdecimal() else PAIR
    found = asked.memory.never_composed(
        limit=SHOWN,
        size=size,
        tags=tags_of(query.one("tags")),
        around=query.all("around"),
        known_at=query.given("known_at"),
        decision=query.given("decision"),
    )
    given = {name: query.one(name) for name in ("tags", "around", "known_at", "decision")}
    view = Queue(
        places=places(FRONTIER),
        asked={**given, "size": str(size)},
        sizes=tuple(range(PAIR, SET_MOST + 1)),
        known_at=minute(found.known_at) if given["known_at"] or given["decision"] else "",
        decision_url=memory_url(found.decision_id) if found.decision_id else None,
        candidates=tuple(_proposed(one) for one in found.candidates),
        bounds=_bounds(found.bounds),
        cut=found.bounds.cut,
    )
    return Shown("frontier.html", view, {"frontier": found})


def show_bounty(asked: Asked) -> Shown:
    """Where something may be found, and where it was looked already."""
    query = asked.query
    found = asked.memory.bounty_mode(
        limit=SHOWN, tags=tags_of(query.one("tags")), known_at=query.given("known_at"), decision=query.given("decision")
    )
    given = {name: query.one(name) for name in ("tags", "known_at", "decision")}
    view = Lanes(
        places=places(BOUNTY),
        asked=given,
        known_at=minute(found.known_at) if given["known_at"] or given["decision"] else "",
        tried=_tried(found),
        untried=(
            ("Never composed", "The most promising that nobody tried.", _all(found.never_composed_lanes)),
            ("Weirdest", "Joined by something rare, in quite different words.", _all(found.top_weird_combinations)),
        ),
        bounds=f"{_bounds(found.bounds)} {found.compositions_looked_at:,} compositions were looked through for lanes.",
        cut=found.bounds.cut,
    )
    return Shown("bounty.html", view, {"bounty": found})


def compose(asked: Asked) -> Done:
    """Memories were used together; with a label, what came of that."""
    members, said = asked.form.all("members"), asked.form.given("label")
    mode = asked.form.one("mode", "manual")
    made = asked.memory.compose(members, query=asked.form.one("query"), tool=TOOL, mode=mode)
    if said is None:
        return Done(asked.back, Notice("compose", made.ids))
    given = asked.memory.label(made.ids[0], said, notes=asked.form.given("notes"), source=TOOL)
    return Done(asked.back, notice_of(given.label, given.suggested, made.ids[0]))


def _tried(found: Bounty) -> tuple[tuple[str, str, tuple[LaneLine, ...]], ...]:
    told = (
        ("Composed lately", "What was tried last.", found.recent_composed_lanes),
        ("Closed doors", "Tried, and closed for another reason than a duplicate.", found.closed_doors),
        ("Duplicate risks", "Somebody was there before, or may have been.", found.duplicate_risk_lanes),
        ("Waiting for a proof", "Promising, and not shown yet.", found.needs_poc_lanes),
    )
    return tuple((title, holds, tuple(_lane(one) for one in lanes)) for title, holds, lanes in told)


def _lane(one: Lane) -> LaneLine:
    return LaneLine(
        url=composition_url(one.composition_id),
        asked=one.query or f"composition {short_id(one.composition_id)}",
        at=day(one.at),
        members=len(one.member_ids),
        tags=one.tags[:5],
        labels=tuple(label_chip(label, count) for label, count in one.labels.items()),
    )


def _all(candidates: tuple[Candidate, ...]) -> tuple[Proposed, ...]:
    return tuple(_proposed(one) for one in candidates)


def _proposed(one: Candidate) -> Proposed:
    joined = (
        ("things", one.shared_entities),
        ("used with", tuple(short_id(id_) for id_ in one.shared_companions)),
        ("tags", one.shared_tags),
        ("boundaries", one.boundary_tags),
        ("words", one.shared_terms),
    )
    members = zip(one.member_ids, one.kinds, one.previews, strict=True)
    return Proposed(
        question=one.composition_question,
        reason=one.reason,
        score=f"{one.score:.2f}",
        parts=tuple(Part(id_, memory_url(id_), short_id(id_), kind.value, text) for id_, kind, text in members),
        bars=(
            ("bridge", one.bridge_score, "what joins them"),
            ("novelty", one.novelty_score, "how seldom they were used at all"),
            ("trust", one.trust_score, "of the weakest member"),
            ("built alike", one.structural_fit, "apart from what they say"),
            ("say alike", one.surface_similarity, "likeness of their texts"),
        ),
        joined_by=tuple((name, ", ".join(values)) for name, values in joined if values),
        signal=one.outcome_signal.value.replace("_", " "),
        adjustment=f"{one.outcome_score_adjustment:+.2f}" if one.outcome_score_adjustment else "",
        labels=tuple(label_chip(label, count) for label, count in one.prior_outcomes.items()),
        ask_url=address_of(ASK, q=one.composition_question),
    )


def _bounds(of: FrontierBounds) -> str:
    return (
        f"Looked from {of.seeds:,} memories at {of.memories:,}: {of.pairs_looked_at:,} pairs, of which "
        f"{of.pairs_scored:,} were weighed and {of.already_composed:,} had met."
    )


PAGES = (Page(FRONTIER, show), Page(BOUNTY, show_bounty))
ACTIONS = (Action(f"{PATH}/compose", compose, page=show),)
