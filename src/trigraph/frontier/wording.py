"""Why two memories may be worth combining, and what to ask of them: in words, never without what links them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trigraph.model.frontier import OutcomeSignal
from trigraph.model.ids import short_id
from trigraph.model.memory import Kind

NAMED_MOST = 3
ADVICE = {
    OutcomeSignal.PRIOR_DUPLICATE_RISK: "Check the duplicate family first.",
    OutcomeSignal.PRIOR_CLOSED_DOOR: "A lane of one of them was closed: say first what is different this time.",
    OutcomeSignal.PRIOR_SUCCESS: "Something came of one of them before: look why it worked.",
    OutcomeSignal.PRIOR_NEEDS_POC: "One of them still waits for a proof of concept.",
    OutcomeSignal.MIXED_PRIOR_OUTCOMES: "What came of them before is mixed: see prior_outcomes.",
}


@dataclass(frozen=True, slots=True)
class Linking:
    """What links the members of a candidate, in words of their texts; `ends` are what each of them has for itself, one
    for each member, never empty."""

    entities: tuple[str, ...]
    terms: tuple[str, ...]
    tags: tuple[str, ...]
    boundary_tags: tuple[str, ...]
    companions: tuple[str, ...]
    ends: tuple[str, ...]
    kinds: tuple[Kind, ...]
    surface: float | None
    structural_fit: float
    signal: OutcomeSignal

    @property
    def anchors(self) -> tuple[str, ...]:
        """What links them, the most telling first; empty where only their meanings are neighbours."""
        return tuple(dict.fromkeys((*self.entities, *self.terms, *self.tags, *map(short_id, self.companions))))


def reason(of: Linking) -> str:
    """Why they may be worth combining."""
    every = "both" if len(of.ends) == len("ab") else "they"
    said = []
    if of.entities:
        said.append(f"{every} speak of {_listed(of.entities)}")
    if of.terms:
        said.append(f"{every} use the rare {'words' if len(of.terms) > 1 else 'word'} {_listed(of.terms)}")
    if of.tags:
        said.append(f"{every} are tagged {_listed(of.tags)}")
    if of.companions:
        said.append(f"{every} were used together with {_listed([short_id(id_) for id_ in of.companions])}")
    if not said:
        said.append(f"they say neighbouring things (cosine {of.surface or 0:.2f}) about {_listed(of.ends)}")
    if of.boundary_tags:
        said.append(f"they touch the boundary {_listed(of.boundary_tags)}")
    if of.structural_fit > 0:
        said.append("they are built alike")
    if len(set(of.kinds)) > 1:
        said.append(f"they are of different kinds ({', '.join(dict.fromkeys(of.kinds))})")
    told = "; ".join(said)
    advice = ADVICE.get(of.signal)
    return f"{told[0].upper()}{told[1:]}; they never met in a composition.{' ' + advice if advice else ''}"


def question(of: Linking) -> str:
    """A question that only the members together can answer; it names what links them."""
    ends = _listed(of.ends, len(of.ends))
    if not of.anchors:
        return f"What do {ends} have in common that neither memory says by itself?"
    anchor = _listed(of.anchors, NAMED_MOST - 1)
    if len(of.ends) > len("ab"):
        return f"Taking {anchor} as the link: what follows from {ends} together that no two of them say?"
    if Kind.CONSTRAINT in of.kinds and set(of.kinds) != {Kind.CONSTRAINT}:
        bound, free = of.ends if of.kinds[0] is Kind.CONSTRAINT else of.ends[::-1]
        return f"Does the constraint “{bound}” bear on “{free}”, given that both involve {anchor}?"
    if Kind.OUTCOME in of.kinds and set(of.kinds) != {Kind.OUTCOME}:
        tried, open_ = of.ends if of.kinds[0] is Kind.OUTCOME else of.ends[::-1]
        return f"What does the outcome “{tried}” say about “{open_}”, since both involve {anchor}?"
    return f"Through {anchor}: what does “{of.ends[0]}” have to do with “{of.ends[1]}”?"


def _listed(names: Sequence[str], most: int = NAMED_MOST) -> str:
    shown = [f"“{name}”" for name in names[:most]]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
