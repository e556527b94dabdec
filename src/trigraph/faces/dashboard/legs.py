"""What each leg adds. It fuses recalls again, which takes its time: the overview fetches it when it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.faces.dashboard import panels
from trigraph.faces.dashboard.frame import Action, Asked, Page, Shown, address_of
from trigraph.faces.dashboard.panels import LegLine
from trigraph.faces.dashboard.spans import LEGS, Days, asked_insight, days_of, today, whose_of
from trigraph.model.insight import Panel, Step


@dataclass(frozen=True, slots=True)
class Legs:
    """The page: a line for each leg, what the lines rest on, and what they leave out."""

    days: Days
    agent: str
    lines: tuple[LegLine, ...]
    told: str
    note: str
    overview_url: str


def show(asked: Asked) -> Shown:
    """The lift of every leg, and how it fared, over recalls of some days."""
    days, whose = days_of(asked.query, today()), whose_of(asked)
    found = asked_insight(asked, days, whose, Step.WEEK.value, Panel.LEGS, Panel.LIFT)
    assert found.lift is not None
    assert found.legs is not None
    agent = whose.named
    view = Legs(
        days=days,
        agent=agent or "",
        lines=panels.legs(found.lift, found.legs),
        told=panels.lift_told(found.lift),
        note=found.lift.note,
        overview_url=address_of("/", *days.pairs, agent=agent),
    )
    return Shown("legs.html", view, {"insight": found})


PAGES = (Page(LEGS, show),)
ACTIONS: tuple[Action, ...] = ()
