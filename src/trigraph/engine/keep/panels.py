"""From what the store counted to the panels of insight: sums, shares and series, without any I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from trigraph.model.change import CitationKind
from trigraph.model.insight import (
    STALE,
    ActivityPoint,
    AgentFigure,
    DayCount,
    DayFigures,
    HitFigure,
    HitPoint,
    HitRate,
    LegFigure,
    RecallFilter,
    StalePoint,
    StaleRate,
    Step,
    TokenAssumption,
    TokenPoint,
    Tokens,
)
from trigraph.model.query import Leg, QueryClass
from trigraph.ranking.intervals import DIGITS, share

Days = Sequence[DayFigures]


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a series: whole days or weeks of UTC, cut at the ends of what is asked for."""

    since: datetime
    until: datetime
    step: Step

    def all(self) -> list[tuple[datetime, datetime]]:
        """[start, until) of every step, those in which nothing happened too."""
        found, start = [], self.since
        while start < self.until:
            end = min(self.begin(start) + self._length, self.until)
            found.append((start, end))
            start = end
        return found

    def begin(self, at: datetime) -> datetime:
        """When the step of a time begins, were it not cut."""
        day = datetime(at.year, at.month, at.day, tzinfo=UTC)
        return day - timedelta(days=day.weekday()) if self.step is Step.WEEK else day

    @property
    def _length(self) -> timedelta:
        return timedelta(weeks=1) if self.step is Step.WEEK else timedelta(days=1)


def hit_rate(days: Days, steps: Steps, rows: RecallFilter) -> HitRate:
    """How often something that was found was of use."""
    by_class = [
        _hits([one for one in days if one.query_class is asked], asked, replace(rows, query_class=asked))
        for asked in QueryClass
    ]
    series = []
    for (start, until), within in _by_step(days, steps):
        figure = _hits(within, None, replace(rows, since=start, until=until))
        counts = (figure.recalls, figure.hits, figure.misses, figure.undecided, figure.empty)
        series.append(HitPoint(start, until, *counts, figure.rate.rate, figure.rows))
    return HitRate(_hits(days, None, rows), tuple(by_class), tuple(series))


def stale_rate(days: Days, steps: Steps, rows: RecallFilter) -> StaleRate:
    """How often something that was found was out of date."""
    rows = replace(rows, kinds=STALE)
    series = []
    for (start, until), within in _by_step(days, steps):
        whole = share(_sum(within, _stale), _sum(within, _decided))
        counts = (whole.whole, whole.part, whole.rate)
        series.append(StalePoint(start, until, *counts, replace(rows, since=start, until=until)))
    cited = _citations(days)
    overall = share(_sum(days, _stale), _sum(days, _decided))
    return StaleRate(overall, cited[CitationKind.FLAGGED_STALE], cited[CitationKind.REWROTE], tuple(series), rows)


def tokens(days: Days, steps: Steps, rows: RecallFilter, assumed: TokenAssumption) -> Tokens:
    """What recalls put before agents, and what that saved."""
    series = [
        TokenPoint(start, until, *_tokens_of(within, assumed), replace(rows, since=start, until=until))
        for (start, until), within in _by_step(days, steps)
    ]
    cited = _citations(days)
    loaded, saved = _tokens_of(days, assumed)
    return Tokens(
        assumption=assumed,
        recalls=_sum(days, _recalls),
        loaded_tokens=loaded,
        cited=cited[CitationKind.CITED],
        saved_rework=cited[CitationKind.SAVED_REWORK],
        saved_tokens=saved,
        net_tokens=saved - loaded,
        series=tuple(series),
        rows=rows,
    )


def agents(
    days: Days, cited: Sequence[DayCount], written: Sequence[DayCount], steps: Steps, rows: RecallFilter
) -> tuple[AgentFigure, ...]:
    """What each agent did, whoever recalled most first."""
    names = {one.agent for one in days} | {one.agent for one in (*cited, *written)}
    found = [
        _agent(
            name,
            [one for one in days if one.agent == name],
            [one for one in cited if one.agent == name],
            [one for one in written if one.agent == name],
            steps,
            rows,
        )
        for name in names
    ]
    return tuple(sorted(found, key=lambda one: (-one.recalls, one.agent)))


def legs(days: Days, rows: RecallFilter) -> tuple[LegFigure, ...]:
    """How often each leg was asked, found something, and was degraded."""
    found = []
    for leg in Leg:
        counts = [one.legs[leg] for one in days if leg in one.legs]
        asked, some = sum(one.asked for one in counts), sum(one.found for one in counts)
        degraded = sum(one.degraded for one in counts)
        found.append(LegFigure(leg, asked, some, degraded, _part(asked - some, asked), _part(degraded, asked), rows))
    return tuple(found)


def _agent(
    name: str,
    days: Days,
    cited: Sequence[DayCount],
    written: Sequence[DayCount],
    steps: Steps,
    rows: RecallFilter,
) -> AgentFigure:
    figure = _hits(days, None, replace(rows, agent=name))
    kinds: Counter[CitationKind] = Counter()
    for one in cited:
        if one.kind is not None:
            kinds[one.kind] += one.count
    recalls = _at_steps([(one.day, one.recalls) for one in days], steps)
    citations, texts = _at_steps(_pairs(cited), steps), _at_steps(_pairs(written), steps)
    series = [
        ActivityPoint(start, until, recalls[place], citations[place], texts[place])
        for place, (start, until) in enumerate(steps.all())
    ]
    took = sum(one.milliseconds for one in days)
    return AgentFigure(
        agent=name,
        recalls=figure.recalls,
        hits=figure.hits,
        misses=figure.misses,
        undecided=figure.undecided,
        empty=figure.empty,
        rate=figure.rate,
        citations=dict(sorted(kinds.items())),
        written=sum(one.count for one in written),
        milliseconds=round(took / figure.recalls, 3) if figure.recalls else None,
        series=tuple(series),
        rows=figure.rows,
    )


def _hits(days: Days, asked: QueryClass | None, rows: RecallFilter) -> HitFigure:
    recalls, hits, misses = _sum(days, _recalls), _sum(days, _hit), _sum(days, _missed)
    return HitFigure(
        query_class=asked,
        recalls=recalls,
        hits=hits,
        misses=misses,
        undecided=_sum(days, lambda one: one.undecided),
        empty=_sum(days, lambda one: one.empty),
        rate=share(hits, hits + misses),
        of_all=share(hits, recalls),
        rows=rows,
    )


def _tokens_of(days: Days, assumed: TokenAssumption) -> tuple[int, int]:
    """Loaded and saved."""
    cited = _citations(days)
    saved = assumed.cited_tokens * cited[CitationKind.CITED]
    saved += assumed.saved_rework_tokens * cited[CitationKind.SAVED_REWORK]
    return round(_sum(days, lambda one: one.payload_bytes) / assumed.bytes_per_token), saved


def _by_step(days: Days, steps: Steps) -> list[tuple[tuple[datetime, datetime], list[DayFigures]]]:
    """The days of every step; a day that is cut belongs to the step that has its recalls."""
    there: dict[datetime, list[DayFigures]] = {}
    for one in days:
        there.setdefault(steps.begin(one.day), []).append(one)
    return [(step, there.get(steps.begin(step[0]), [])) for step in steps.all()]


def _at_steps(counts: Iterable[tuple[datetime, int]], steps: Steps) -> list[int]:
    there: Counter[datetime] = Counter()
    for day, count in counts:
        there[steps.begin(day)] += count
    return [there[steps.begin(start)] for start, _ in steps.all()]


def _pairs(counts: Sequence[DayCount]) -> list[tuple[datetime, int]]:
    return [(one.day, one.count) for one in counts]


def _citations(days: Days) -> Counter[CitationKind]:
    counted: Counter[CitationKind] = Counter()
    for one in days:
        counted.update(one.citations)
    return counted


def _sum(days: Days, of: Callable[[DayFigures], int]) -> int:
    return sum(of(one) for one in days)


def _recalls(day: DayFigures) -> int:
    return day.recalls


def _hit(day: DayFigures) -> int:
    return day.hits


def _missed(day: DayFigures) -> int:
    return day.misses


def _stale(day: DayFigures) -> int:
    return day.stale


def _decided(day: DayFigures) -> int:
    return day.hits + day.misses


def _part(part: int, whole: int) -> float | None:
    return round(part / whole, DIGITS) if whole else None
