"""Recalls that were made, listed and narrowed: what every figure of the overview leads to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from trigraph.faces.dashboard.cards import minute
from trigraph.faces.dashboard.frame import Action, Asked, Page, Shown, address_of
from trigraph.faces.dashboard.panels import kinds_told
from trigraph.faces.dashboard.spans import RECALLS, Days, days_of, today, whose_of
from trigraph.model.change import CitationKind
from trigraph.model.ids import short_id
from trigraph.model.insight import PastRecall, RecallOutcome, RecallPage
from trigraph.model.query import QueryClass

PAGE_SIZE = 50
OUTCOMES = {"hit": "of use", "miss": "of no use", "undecided": "undecided", "empty": "nothing found"}
LAB = "/lab"


@dataclass(frozen=True, slots=True)
class RecallLine:
    """A recall in the list; `url` leads to the lab, for one's own."""

    url: str | None
    short_id: str
    at: str
    agent: str
    session: str
    session_url: str | None
    query: str | None
    query_class: str
    outcome: str
    outcome_told: str
    shown: str
    bytes: str
    milliseconds: str
    citations: str


@dataclass(frozen=True, slots=True)
class Option:
    """A value that can be chosen."""

    value: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """The list, and what it is narrowed to."""

    days: Days
    agent: str
    session: str
    may_name_agents: bool
    classes: tuple[Option, ...]
    outcomes: tuple[Option, ...]
    kinds: tuple[Option, ...]
    lines: tuple[RecallLine, ...]
    first_url: str | None
    next_url: str | None
    overview_url: str
    whole_url: str
    narrowed: bool


def show(asked: Asked) -> Shown:
    """Past recalls, the latest first: of all agents for whoever may review, else one's own."""
    query, days, whose = asked.query, days_of(asked.query, today()), whose_of(asked)
    said = [(name, value) for name, value in query.pairs if name not in ("cursor", "format")]
    page = _page(asked, days)
    agent = whose.named
    view = Listing(
        days=days,
        agent=agent or "",
        session=query.one("session"),
        may_name_agents=whose.project,
        classes=_options(QueryClass, query.all("class")),
        outcomes=_options(RecallOutcome, query.all("outcome"), OUTCOMES),
        kinds=_options(CitationKind, query.all("kind")),
        lines=tuple(_line(one, asked.memory.scope.agent, days) for one in page.recalls),
        first_url=address_of(RECALLS, *said) if query.given("cursor") else None,
        next_url=address_of(RECALLS, *said, ("cursor", page.next_cursor)) if page.next_cursor else None,
        overview_url=address_of("/", *days.pairs, agent=agent),
        whole_url=address_of(RECALLS, *days.pairs),
        narrowed=any(query.given(name) for name in ("agent", "session", "class", "outcome", "kind")),
    )
    return Shown("recalls.html", view, {"page": page})


def _page(asked: Asked, days: Days) -> RecallPage:
    query, whose = asked.query, whose_of(asked)
    since, until, session, query_class = days.since, days.until, query.given("session"), query.given("class")
    outcomes, kinds, cursor = query.all("outcome"), query.all("kind"), query.given("cursor")
    if whose.project:
        return asked.memory.project_recalls(
            since=since,
            until=until,
            agent=whose.agent,
            session=session,
            query_class=query_class,
            outcomes=outcomes,
            kinds=kinds,
            limit=PAGE_SIZE,
            cursor=cursor,
        )
    return asked.memory.recalls(
        since=since,
        until=until,
        session=session,
        query_class=query_class,
        outcomes=outcomes,
        kinds=kinds,
        limit=PAGE_SIZE,
        cursor=cursor,
    )


def _options(
    values: Iterable[StrEnum], chosen: tuple[str, ...], told: dict[str, str] | None = None
) -> tuple[Option, ...]:
    return tuple(
        Option(one.value, (told or {}).get(one.value, one.value.replace("_", " ")), one.value in chosen)
        for one in values
    )


def _line(one: PastRecall, own: str, days: Days) -> RecallLine:
    return RecallLine(
        url=address_of(LAB, recall=one.recall_id) if one.agent == own else None,
        short_id=short_id(one.recall_id),
        at=minute(one.at),
        agent=one.agent,
        session=one.session or "",
        session_url=address_of(RECALLS, *days.pairs, session=one.session) if one.session else None,
        query=one.query,
        query_class=one.query_class.value.replace("_", " "),
        outcome=one.outcome.value,
        outcome_told=OUTCOMES[one.outcome.value],
        shown=f"{one.shown:,}",
        bytes=f"{one.payload_bytes:,}",
        milliseconds=f"{one.milliseconds:,.0f}",
        citations=kinds_told(one.citations),
    )


PAGES = (Page(RECALLS, show),)
ACTIONS: tuple[Action, ...] = ()
