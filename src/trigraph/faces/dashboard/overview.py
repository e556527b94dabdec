"""Does memory pay? Every panel of insight on one page; every number leads to its rows."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.faces.dashboard import panels
from trigraph.faces.dashboard.charts import Chart, amount, interval, percent
from trigraph.faces.dashboard.frame import Action, Asked, Page, Shown, address_of
from trigraph.faces.dashboard.panels import ClassLine, LegLine
from trigraph.faces.dashboard.spans import (
    AGENTS,
    LEGS,
    USED,
    Choice,
    Days,
    Whose,
    asked_insight,
    days_of,
    presets_of,
    recalls_url,
    step_of,
    today,
    whose_of,
)
from trigraph.model.insight import Insight, Panel, RecallOutcome, Step

PATH = "/"
AT_ONCE = (Panel.HIT_RATE, Panel.STALE, Panel.TOKENS, Panel.LEGS)
"""What counts recalls by day alone. What looks at memories as well, and the lift, which takes seconds, are pages of
their own that are fetched into this one when it is there; so is what health says."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What is chosen, and what could be. `agents` is empty for whoever sees only themselves."""

    days: Days
    presets: tuple[Choice, ...]
    agents: tuple[str, ...]
    agent: str
    step: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure in large, what it is, how sure, and where its rows are."""

    name: str
    figure: str
    beside: str
    url: str
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class Overview:
    """The page. `asked` is how often memory was asked, `judged` of how many answers something was said."""

    headline: tuple[str, ...]
    filters: Filters
    problems: tuple[str, ...]
    asked: int
    judged: int
    tiles: tuple[Tile, ...]
    classes: tuple[ClassLine, ...]
    hits: Chart
    stale: Chart
    tokens: Chart
    assumption: tuple[str, ...]
    legs: tuple[LegLine, ...]
    legs_url: str
    agents_url: str
    used_url: str
    rolled_up: int


def show(asked: Asked) -> Shown:
    """The figures of some days: all agents' for whoever may review, else one's own."""
    days, whose = days_of(asked.query, today()), whose_of(asked)
    step = step_of(asked.query, days)
    found = asked_insight(asked, days, whose, step, *AT_ONCE)
    view = _view(found, days, whose, _filters(asked, days, whose, step, found))
    return Shown("overview.html", view, {"insight": found})


def _filters(asked: Asked, days: Days, whose: Whose, step: str, found: Insight) -> Filters:
    kept = (("agent", whose.named), ("step", asked.query.given("step")))
    agents: tuple[str, ...] = ()
    if whose.project:
        whole = found if whose.agent is None else asked_insight(asked, days, Whose(None, True), step, Panel.LEGS)
        agents = tuple(sorted({*whole.askers, *((whose.agent,) if whose.agent else ())}))
    return Filters(
        days=days,
        presets=presets_of(PATH, days, *kept),
        agents=agents,
        agent=whose.named or "",
        step=step,
        steps=tuple(one.value for one in Step),
    )


def _view(found: Insight, days: Days, whose: Whose, filters: Filters) -> Overview:
    assert found.hit_rate is not None
    assert found.stale is not None
    assert found.tokens is not None
    assert found.legs is not None
    overall = found.hit_rate.overall
    said = (*days.pairs, ("agent", whose.named))
    return Overview(
        headline=_headline(found, days, whose),
        filters=filters,
        problems=panels.degraded(found.legs),
        asked=overall.recalls,
        judged=overall.rate.whole,
        tiles=_tiles(found, whose),
        classes=panels.classes(found.hit_rate, whose),
        hits=panels.hit_chart(found.hit_rate, found.step, whose),
        stale=panels.stale_chart(found.stale, found.step, whose),
        tokens=panels.token_chart(found.tokens, found.step, whose),
        assumption=panels.assumption(found.tokens),
        legs=panels.legs(None, found.legs),
        legs_url=address_of(LEGS, *said),
        agents_url=address_of(AGENTS, *said, step=filters.step),
        used_url=address_of(USED, *said),
        rolled_up=found.rolled_up,
    )


def _headline(found: Insight, days: Days, whose: Whose) -> tuple[str, ...]:
    """What the page says, in plain words: how often memory was asked, what of it was of use, and what it cost."""
    assert found.hit_rate is not None
    assert found.tokens is not None
    overall, tokens = found.hit_rate.overall, found.tokens
    when = days.told[0].upper() + days.told[1:]
    by = f" by {whose.agent}" if whose.agent else ""
    if not overall.recalls:
        return (f"{when} memory was not asked anything{by}.",)
    times = "once" if overall.recalls == 1 else f"{overall.recalls:,} times"
    said = [f"{when} memory was asked {times}{by}."]
    judged = overall.rate.whole
    if not judged:
        return (*said, "Of no answer it was said whether it was of use, so that nobody can tell if it pays.")
    answers = "the one answer that was judged" if judged == 1 else f"{judged:,} answers that were judged"
    said.append(f"Of {answers} {percent(overall.rate.rate)} were of use (95 % interval {interval(overall.rate)}).")
    more = "more than it loaded" if tokens.net_tokens >= 0 else "less than it loaded"
    said.append(
        f"It loaded {amount(tokens.loaded_tokens)} tokens and by your assumption saved {amount(tokens.saved_tokens)}:"
        f" {amount(abs(tokens.net_tokens))} {more}."
    )
    return tuple(said)


def _tiles(found: Insight, whose: Whose) -> tuple[Tile, ...]:
    assert found.hit_rate is not None
    assert found.stale is not None
    assert found.tokens is not None
    overall, stale, tokens = found.hit_rate.overall, found.stale, found.tokens
    judged = panels.outcomes(overall.rows, RecallOutcome.HIT, RecallOutcome.MISS)
    undecided = panels.outcomes(overall.rows, RecallOutcome.UNDECIDED)
    least = f"of all {overall.recalls:,} at least {percent(overall.of_all.rate)}"
    return (
        Tile("asked", f"{overall.recalls:,}", f"{overall.empty:,} found nothing", recalls_url(overall.rows, whose)),
        Tile(
            "of use",
            percent(overall.rate.rate),
            f"{overall.hits:,} of {overall.rate.whole:,} judged; {least}",
            recalls_url(judged, whose),
        ),
        Tile(
            "undecided",
            f"{overall.undecided:,}",
            "answers of which nothing was said",
            recalls_url(undecided, whose),
        ),
        Tile(
            "stale",
            percent(stale.overall.rate),
            f"{stale.flagged_stale:,} flagged, {stale.rewrote:,} rewritten",
            recalls_url(stale.rows, whose),
        ),
        Tile(
            "saved − loaded",
            ("−" if tokens.net_tokens < 0 else "+") + amount(abs(tokens.net_tokens)),
            f"{amount(tokens.saved_tokens)} saved, {amount(tokens.loaded_tokens)} loaded tokens",
            recalls_url(tokens.rows, whose),
        ),
    )


PAGES = (Page(PATH, show, label="Overview"),)
ACTIONS: tuple[Action, ...] = ()
