"""From the values of insight to what the overview shows: lines of tables, charts, and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trigraph.faces.dashboard.cards import counted, day, memory_url, one_line
from trigraph.faces.dashboard.charts import (
    NOTHING,
    Cell,
    Chart,
    Mark,
    amount,
    gain_marks,
    gain_told,
    interval,
    percent,
    share_mark,
    sparkline,
    step_cell,
)
from trigraph.faces.dashboard.frame import address_of
from trigraph.faces.dashboard.spans import Days, Whose, recalls_url, written_url
from trigraph.model.change import CitationKind
from trigraph.model.ids import short_id
from trigraph.model.insight import (
    AgentFigure,
    CitedMemory,
    HitRate,
    LegFigure,
    Lift,
    RecallFilter,
    RecallOutcome,
    StaleRate,
    Step,
    Tokens,
    UncitedMemory,
)

EXCERPT_CHARS = 110


@dataclass(frozen=True, slots=True)
class ClassLine:
    """How recalls of one class fared."""

    name: str
    recalls: Cell
    hits: Cell
    rate: str
    interval: str
    mark: Mark | None
    undecided: Cell
    empty: Cell


@dataclass(frozen=True, slots=True)
class AgentLine:
    """How an agent uses memory."""

    name: str
    url: str | None
    recalls: Cell
    rate: Cell
    interval: str
    undecided: Cell
    citations: tuple[Cell, ...]
    written: Cell
    milliseconds: str
    spark: str


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A memory with a count, and what is known of its use."""

    url: str
    short_id: str
    text: str
    kind: str
    count: str
    told: str


@dataclass(frozen=True, slots=True)
class LegLine:
    """What a leg adds and how it fared. The gains are None where nothing could be fused again."""

    name: str
    apart: str
    apart_mark: Mark | None
    shared: str
    shared_mark: Mark | None
    moved: str
    asked: str
    empty: str
    degraded: str
    loud: bool


def classes(rate: HitRate, whose: Whose) -> tuple[ClassLine, ...]:
    """All classes that were asked, then all together."""
    lines = []
    for figure in (*(one for one in rate.by_class if one.recalls), rate.overall):
        rows = figure.rows
        lines.append(
            ClassLine(
                name=figure.query_class.value.replace("_", " ") if figure.query_class else "all classes",
                recalls=_counted(figure.recalls, rows, whose),
                hits=_counted(figure.hits, outcomes(rows, RecallOutcome.HIT), whose),
                rate=percent(figure.rate.rate),
                interval=interval(figure.rate),
                mark=share_mark(figure.rate),
                undecided=_counted(figure.undecided, outcomes(rows, RecallOutcome.UNDECIDED), whose),
                empty=_counted(figure.empty, outcomes(rows, RecallOutcome.EMPTY), whose),
            )
        )
    return tuple(lines)


def hit_chart(rate: HitRate, step: Step, whose: Whose) -> Chart:
    """What became of recalls, over time."""
    rows = tuple(
        (
            step_cell(one.start, recalls_url(one.rows, whose)),
            _counted(one.hits, outcomes(one.rows, RecallOutcome.HIT), whose),
            _counted(one.misses, outcomes(one.rows, RecallOutcome.MISS), whose),
            _counted(one.undecided, outcomes(one.rows, RecallOutcome.UNDECIDED), whose),
            _counted(one.empty, outcomes(one.rows, RecallOutcome.EMPTY), whose),
        )
        for one in rate.series
    )
    heads = (step.value, "of use", "of no use", "undecided", "nothing found")
    colours = ("--accent", "--warn", "--field", "--line")
    return Chart("hits", f"What became of recalls, by {step.value}", "stack", "count", heads, colours, rows)


def stale_chart(stale: StaleRate, step: Step, whose: Whose) -> Chart:
    """How often hits were out of date, over time."""
    rows = tuple(
        (
            step_cell(one.start, recalls_url(one.rows, whose)),
            Cell(percent(one.rate), None if one.rate is None else one.rate * 100),
            Cell(f"{one.stale:,} of {one.decided:,}"),
        )
        for one in stale.series
    )
    heads = (step.value, "stale", "recalls")
    return Chart("stale", f"Share of judged recalls with a stale hit, by {step.value}", "lines", "percent", heads,
                 ("--warn", ""), rows)  # fmt: skip


def token_chart(tokens: Tokens, step: Step, whose: Whose) -> Chart:
    """What recalls loaded and citations saved, over time."""
    rows = tuple(
        (
            step_cell(one.start, recalls_url(one.rows, whose)),
            Cell(amount(one.loaded_tokens), one.loaded_tokens),
            Cell(amount(one.saved_tokens), one.saved_tokens),
        )
        for one in tokens.series
    )
    heads = (step.value, "loaded", "saved")
    return Chart("tokens", f"Tokens loaded and saved, by {step.value}", "lines", "count", heads,
                 ("--field", "--accent"), rows)  # fmt: skip


def assumption(tokens: Tokens) -> tuple[str, ...]:
    """What the tokens rest on, with the names of the settings."""
    assumed = tokens.assumption
    return (
        f"{tokens.cited:,} cited × {assumed.cited_tokens:,} (insight.cited_tokens)",
        f"{tokens.saved_rework:,} saved rework × {assumed.saved_rework_tokens:,} (insight.saved_rework_tokens)",
        f"loaded: bytes of what recalls put before agents ÷ {assumed.bytes_per_token}",
    )


def agents(figures: Sequence[AgentFigure], whose: Whose, days: Days) -> tuple[AgentLine, ...]:
    """Whoever recalled most first."""
    return tuple(
        AgentLine(
            name=one.agent,
            url=address_of("/", *days.pairs, agent=one.agent) if whose.project and whose.agent is None else None,
            recalls=_counted(one.recalls, one.rows, whose),
            rate=_rated(one, whose),
            interval=interval(one.rate),
            undecided=_counted(one.undecided, outcomes(one.rows, RecallOutcome.UNDECIDED), whose),
            citations=_said(one, whose),
            written=Cell(f"{one.written:,}", one.written, written_url(one.rows) if one.written else None),
            milliseconds=NOTHING if one.milliseconds is None else f"{one.milliseconds:,.0f}",
            spark=sparkline(point.recalls for point in one.series),
        )
        for one in figures
    )


def cited(memories: Sequence[CitedMemory]) -> tuple[MemoryLine, ...]:
    """The memories that were of use most often."""
    return tuple(
        _line(one, f"{one.of_use:,}", f"{kinds_told(one.citations)}; last {day(one.last_at)}") for one in memories
    )


def uncited(memories: Sequence[UncitedMemory]) -> tuple[MemoryLine, ...]:
    """Memories that were never of use."""
    lines = []
    for one in memories:
        seen = f"last shown {day(one.last_shown_at)}" if one.last_shown_at else "never shown"
        lines.append(_line(one, f"{one.shown:,}", f"{seen}; there since {day(one.created_at)}"))
    return tuple(lines)


def legs(lift: Lift | None, figures: Sequence[LegFigure]) -> tuple[LegLine, ...]:
    """Each leg: what it adds, on one scale for all, if that is known, and how it fared."""
    lifted = lift.legs if lift else ()
    gains = {one.leg: one for one in lifted}
    marks = gain_marks([*(one.leave_one_out for one in lifted), *(one.shapley for one in lifted)])
    apart = dict(zip(gains, marks, strict=False))
    shared = dict(zip(gains, marks[len(gains) :], strict=False))
    lines = []
    for figure in figures:
        gain = gains.get(figure.leg)
        lines.append(
            LegLine(
                name=figure.leg.value,
                apart=gain_told(gain.leave_one_out) if gain else NOTHING,
                apart_mark=apart.get(figure.leg),
                shared=gain_told(gain.shapley) if gain else NOTHING,
                shared_mark=shared.get(figure.leg),
                moved=f"{gain.only_with:,} / {gain.pushed_out:,}" if gain else NOTHING,
                asked=f"{figure.asked:,}",
                empty=percent(figure.empty_rate),
                degraded=f"{figure.degraded:,}" + (f" ({percent(figure.degraded_rate)})" if figure.degraded else ""),
                loud=figure.degraded > 0,
            )
        )
    return tuple(lines)


def lift_told(lift: Lift) -> str:
    """What the lift rests on."""
    if lift.whole is None:
        return "No recall with a hit that was of use has its candidates kept, so that nothing can be fused again."
    rests = counted(lift.recalls, "recall", "recalls")
    learnt = f"; a learnt model ordered {lift.learnt:,} of them" if lift.learnt else ""
    return (
        f"Fusion only, over {rests} with {counted(lift.memories, 'memory', 'memories')} that were of use{learnt}."
        f" With all legs their mean reciprocal rank is {lift.whole:.3f}."
    )


def degraded(figures: Sequence[LegFigure]) -> tuple[str, ...]:
    """What has to be said aloud: legs that failed, were slow or had nothing to search."""
    return tuple(
        f"The {one.leg.value} leg was degraded in {one.degraded:,} of {one.asked:,} recalls"
        f" ({percent(one.degraded_rate)}): it failed, was too slow, or its store was empty."
        for one in figures
        if one.degraded
    )


def outcomes(rows: RecallFilter, *wanted: RecallOutcome) -> RecallFilter:
    """Those recalls among some that had an outcome."""
    return replace(rows, outcomes=wanted)


def kinds_told(citations: Mapping[CitationKind, int]) -> str:
    """How many of each kind."""
    told = ", ".join(f"{count:,} {kind.value.replace('_', ' ')}" for kind, count in citations.items() if count)
    return told or "none"


def _rated(one: AgentFigure, whose: Whose) -> Cell:
    judged = outcomes(one.rows, RecallOutcome.HIT, RecallOutcome.MISS)
    return Cell(percent(one.rate.rate), one.rate.rate, recalls_url(judged, whose) if one.rate.whole else None)


def _said(one: AgentFigure, whose: Whose) -> tuple[Cell, ...]:
    """How many citations of each kind, and where the recalls are of which a hit got one."""
    return tuple(
        Cell(kinds_told({kind: count}), count, recalls_url(replace(one.rows, kinds=(kind,)), whose))
        for kind, count in one.citations.items()
        if count
    )


def _counted(count: int, rows: RecallFilter, whose: Whose) -> Cell:
    return Cell(f"{count:,}", count, recalls_url(rows, whose) if count else None)


def _line(one: CitedMemory | UncitedMemory, count: str, told: str) -> MemoryLine:
    text = one_line(one.text, EXCERPT_CHARS)
    return MemoryLine(memory_url(one.memory_id), short_id(one.memory_id), text, one.kind.value, count, told)
