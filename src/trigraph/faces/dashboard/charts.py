"""Figures as pages show them: numbers in words, intervals as marks on a scale, series as tables that a script draws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from trigraph.faces.dashboard.cards import day
from trigraph.model.insight import Interval, Share

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """A number in a table: as it is read, as it is drawn, and where its rows are."""

    text: str
    value: float | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A series of steps of time: a table whose first column is the time. `drawn` says how the script draws it: as
    lines, or as bars upon each other; `colours` are the colours of the columns after the first."""

    name: str
    caption: str
    drawn: str
    unit: str
    heads: tuple[str, ...]
    colours: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A value with its interval on a scale from 0 to 100, for drawing; `zero` is where nothing would be."""

    at: float
    low: float
    high: float
    zero: float
    told: str


def step_cell(start: datetime, url: str) -> Cell:
    """The first cell of a row."""
    return Cell(day(start), start.timestamp(), url)


def percent(rate: float | None) -> str:
    """A share in whole per cent, or in tenths where it is small."""
    if rate is None:
        return NOTHING
    tenths = 0 < rate < 0.1 or 0.99 < rate < 1
    return f"{rate * 100:.1f} %" if tenths else f"{rate * 100:.0f} %"


def interval(share: Share) -> str:
    """The 95 % interval of a share."""
    if share.low is None or share.high is None:
        return ""
    return f"{share.low * 100:.0f}–{share.high * 100:.0f} %"


def amount(number: float) -> str:
    """A number that may be large, to three digits: 940, 12.4 k, 3.41 M."""
    for size, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= size:
            shown = number / size
            digits = 2 if abs(shown) < 10 else 1 if abs(shown) < 100 else 0
            return f"{shown:.{digits}f} {name}"
    return f"{number:,.0f}"


def signed(number: float) -> str:
    """A difference of reciprocal ranks, with its sign."""
    return f"{number:+.3f}".replace("-", "−")


def share_mark(share: Share) -> Mark | None:
    """A share on the scale from none to all."""
    if share.rate is None or share.low is None or share.high is None:
        return None
    return Mark(share.rate * 100, share.low * 100, share.high * 100, 0, f"{percent(share.rate)}, {interval(share)}")


def gain_marks(gains: Sequence[Interval]) -> tuple[Mark, ...]:
    """Differences on one scale that holds them all, and zero."""
    low = min([0.0, *(one.low for one in gains)])
    high = max([0.0, *(one.high for one in gains)])
    width = (high - low) or 1.0

    def at(value: float) -> float:
        return round(4 + (value - low) / width * 92, 2)

    return tuple(Mark(at(one.mean), at(one.low), at(one.high), at(0), gain_told(one)) for one in gains)


def gain_told(gain: Interval) -> str:
    """A difference with its interval."""
    return f"{signed(gain.mean)} ({signed(gain.low)} to {signed(gain.high)})"


def sparkline(counts: Iterable[int]) -> str:
    """The points of a small line in a box of 100 by 20."""
    values = list(counts)
    most = max(values, default=0) or 1
    across = 100 / max(len(values) - 1, 1)
    return " ".join(f"{place * across:.1f},{18 - 16 * value / most:.1f}" for place, value in enumerate(values))
