"""Which memories were of use, and which never were. It looks at each memory that was shown: the overview fetches it."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.faces.dashboard import panels
from trigraph.faces.dashboard.cards import day
from trigraph.faces.dashboard.frame import Action, Asked, Page, Shown, address_of
from trigraph.faces.dashboard.panels import MemoryLine
from trigraph.faces.dashboard.spans import USED, Choice, Days, asked_insight, days_of, presets_of, today, whose_of
from trigraph.model.insight import Panel, Step


@dataclass(frozen=True, slots=True)
class Used:
    """The page: what was of use most often, what is shown and never is, and the oldest that never was."""

    days: Days
    presets: tuple[Choice, ...]
    agent: str
    top_cited: tuple[MemoryLine, ...]
    shown_often: tuple[MemoryLine, ...]
    old: tuple[MemoryLine, ...]
    old_before: str
    overview_url: str


def show(asked: Asked) -> Shown:
    """The memories of most and of no use: by all agents for whoever may review, else by oneself."""
    days, whose = days_of(asked.query, today()), whose_of(asked)
    found = asked_insight(asked, days, whose, Step.WEEK.value, Panel.TOP_CITED, Panel.NEVER_CITED)
    assert found.top_cited is not None
    assert found.never_cited is not None
    agent = whose.named
    view = Used(
        days=days,
        presets=presets_of(USED, days, ("agent", agent)),
        agent=agent or "",
        top_cited=panels.cited(found.top_cited),
        shown_often=panels.uncited(found.never_cited.shown_often),
        old=panels.uncited(found.never_cited.old),
        old_before=day(found.never_cited.old_before),
        overview_url=address_of("/", *days.pairs, agent=agent),
    )
    return Shown("used.html", view, {"insight": found})


PAGES = (Page(USED, show),)
ACTIONS: tuple[Action, ...] = ()
