"""Which past recalls a page is about: whole days, one agent or all, as its address says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from trigraph.errors import InvalidInput
from trigraph.faces.dashboard.cards import day
from trigraph.faces.dashboard.frame import Asked, Fields, address_of
from trigraph.model.access import Right
from trigraph.model.insight import Insight, Panel, RecallFilter, Step

PRESETS = ((7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "a year"))
DEFAULT_DAYS = 30
WEEKS_FROM_DAYS = 92
"""Over more days than these the steps are weeks, unless days are asked for."""
RECALLS = "/recalls"
LEGS = "/legs"
USED = "/used"
AGENTS = "/agents"


@dataclass(frozen=True, slots=True)
class Days:
    """From the first day to the last, both included, of UTC. `back` is how many days back from today that is, if it
    was asked for so."""

    first: date
    last: date
    back: int | None = None

    @property
    def since(self) -> datetime:
        """When the first begins."""
        return datetime.combine(self.first, time(), UTC)

    @property
    def until(self) -> datetime:
        """When the last is over."""
        return datetime.combine(self.last, time(), UTC) + timedelta(days=1)

    @property
    def told(self) -> str:
        """It, within a sentence."""
        if self.back == 1:
            return "today"
        if self.back is not None:
            return f"in the last {self.back} days"
        if self.first == self.last:
            return f"on {day(self.since)}"
        return f"from {day(self.since)} to {day(self.until - timedelta(days=1))}"

    @property
    def pairs(self) -> tuple[tuple[str, str | None], ...]:
        """It, as an address says it."""
        if self.back is not None:
            return (("days", str(self.back)),)
        return ("first", self.first.isoformat()), ("last", self.last.isoformat())


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose in the row of filters."""

    text: str
    url: str
    here: bool


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose recalls: the asker's own, one agent's, or without a name all of the project. `project` says that others'
    are told too, which takes the right to review."""

    agent: str | None
    project: bool

    @property
    def named(self) -> str | None:
        """The agent that an address names; one's own goes without saying."""
        return self.agent if self.project else None


def days_of(query: Fields, today: date) -> Days:
    """The days that an address asks for: `first` and `last`, or `days` back from today; 30 if it does not say."""
    first, last = _date(query, "first"), _date(query, "last")
    if first is None and last is None:
        return _back(query.one("days", str(DEFAULT_DAYS)) or str(DEFAULT_DAYS), today)
    last = last or today
    first = first or last - timedelta(days=DEFAULT_DAYS - 1)
    if first > last:
        raise InvalidInput("The first day is after the last.", field="first", fix="Give an earlier day.")
    return Days(first, last)


def presets_of(path: str, days: Days, *kept: tuple[str, str | None]) -> tuple[Choice, ...]:
    """How long back a page can be asked to look, with what else its address keeps."""
    return tuple(
        Choice(text, address_of(path, ("days", str(back)), *kept), days.back == back) for back, text in PRESETS
    )


def step_of(query: Fields, days: Days) -> str:
    """How long the points of a series are: as the address says, else days, or weeks where there are many."""
    usual = Step.WEEK if (days.last - days.first).days >= WEEKS_FROM_DAYS else Step.DAY
    return query.given("step") or usual.value


def whose_of(asked: Asked) -> Whose:
    """Whoever may review sees all agents, or the one that the address names; others see themselves. Who names another
    agent without that right is refused by the verb that takes it."""
    own, named = asked.memory.scope.agent, asked.query.given("agent")
    if asked.may(Right.REVIEW) or named not in (None, own):
        return Whose(named, True)
    return Whose(own, False)


def asked_insight(asked: Asked, days: Days, whose: Whose, step: str, *only: Panel) -> Insight:
    """Panels of insight, of those days and agents."""
    since, until, names = days.since, days.until, tuple(one.value for one in only)
    if whose.project:
        return asked.memory.project_insight(since=since, until=until, step=step, panels=names, agent=whose.agent)
    return asked.memory.insight(since=since, until=until, step=step, panels=names)


def today() -> date:
    """The day that it is, UTC."""
    return datetime.now(UTC).date()


def recalls_url(rows: RecallFilter, whose: Whose) -> str:
    """Where the recalls that a figure counts are listed."""
    days: tuple[tuple[str, str | None], ...] = ()
    if rows.since is not None and rows.until is not None:
        days = Days(rows.since.date(), (rows.until - timedelta(microseconds=1)).date()).pairs
    return address_of(
        RECALLS,
        *days,
        ("agent", rows.agent if whose.project else None),
        ("session", rows.session),
        ("class", rows.query_class.value if rows.query_class else None),
        *(("outcome", one.value) for one in rows.outcomes),
        *(("kind", one.value) for one in rows.kinds),
    )


def written_url(rows: RecallFilter) -> str:
    """Where the memories are listed that an agent wrote in that time: those that hold and may be seen."""
    since, until = rows.since, rows.until
    return address_of(
        "/memories",
        ("author", rows.agent),
        ("created_after", since.date().isoformat() if since else None),
        ("created_before", until.date().isoformat() if until else None),
    )


def _date(query: Fields, name: str) -> date | None:
    given = query.given(name)
    try:
        return None if given is None else date.fromisoformat(given)
    except ValueError as error:
        raise InvalidInput(f"{given!r:.40} is no day.", field=name, fix="Write it like 2026-05-14.") from error


def _back(given: str, today: date) -> Days:
    most = PRESETS[-1][0]
    if not given.isdecimal() or not 1 <= int(given[:9]) <= most:
        raise InvalidInput(f"{given[:40]!r} is no number of days.", field="days", fix=f"Give 1 to {most}.")
    return Days(today - timedelta(days=int(given) - 1), today, int(given))
