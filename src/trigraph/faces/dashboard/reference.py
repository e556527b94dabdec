"""A question answered from the evidence: the memory to go by, what it replaced, what disagrees, and why."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.faces.dashboard.cards import day, memory_url
from trigraph.faces.dashboard.composition_picture import composition_url
from trigraph.faces.dashboard.compositions import ASK, places
from trigraph.faces.dashboard.frame import Action, Asked, Page, Shown
from trigraph.model.ids import short_id
from trigraph.model.reference import DeepReference, Evidence


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A memory that bears on the question."""

    url: str
    short_id: str
    role: str
    kind: str
    text: str
    at: str
    trust: str
    score: str
    by: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """What was asked and what the evidence says; nothing was asked without an answer."""

    places: tuple[tuple[str, str, bool], ...]
    query: str
    found: DeepReference | None
    status: str
    kept_url: str | None
    evidence: tuple[EvidenceLine, ...]


def show(asked: Asked) -> Shown:
    """The answer, if something is asked; what was used is kept as a composition."""
    query = asked.query.one("q")
    found = asked.memory.deep_reference(query) if query else None
    kept = found.composition_event_id if found else None
    view = Answered(
        places=places(ASK),
        query=query,
        found=found,
        status=found.status.value.replace("_", " ") if found and found.status else "",
        kept_url=composition_url(kept) if kept else None,
        evidence=tuple(_line(one) for one in found.evidence) if found else (),
    )
    return Shown("reference.html", view, {"reference": found})


def _line(one: Evidence) -> EvidenceLine:
    return EvidenceLine(
        url=memory_url(one.memory_id),
        short_id=short_id(one.memory_id),
        role=one.role.value,
        kind=one.kind.value,
        text=one.text,
        at=day(one.at),
        trust=f"{one.trust:.2f}",
        score=f"{one.score:.2f}",
        by=one.by,
        holds=one.holds,
    )


PAGES = (Page(ASK, show),)
ACTIONS: tuple[Action, ...] = ()
