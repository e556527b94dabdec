"""Time as evidence: figures worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from trigraph.model.query import TimeWindow
from trigraph.ranking.recency import in_window, recency

DAY = timedelta(days=1)
MAY = TimeWindow(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC), "in May 2023")
SINCE = TimeWindow(datetime(2023, 5, 1, tzinfo=UTC), None, "since May 2023")
BEFORE = TimeWindow(None, datetime(2023, 5, 1, tzinfo=UTC), "before May 2023")


@pytest.mark.req("T10")
@pytest.mark.parametrize(
    ("age_days", "expected"), [(0, 1.0), (30, 0.846482), (124.766, 0.5), (180, 0.367879), (360, 0.135335)]
)
def test_recency_is_1_over_e_after_180_days_and_a_half_after_125(age_days: float, expected: float) -> None:
    assert recency(age_days) == pytest.approx(expected, abs=1e-5)


@pytest.mark.req("T10")
def test_what_lies_in_the_future_is_as_recent_as_can_be() -> None:
    assert recency(-1) == 1.0
    assert recency(-100_000) == 1.0


@pytest.mark.req("T10")
def test_recency_never_rises_with_age_and_never_is_negative() -> None:
    values = [recency(age) for age in range(0, 5000, 50)]

    assert all(older < newer for newer, older in pairwise(values))
    assert 0 <= recency(1e6) < 1e-9


@pytest.mark.req("T10")
@pytest.mark.parametrize("at", [datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 5, 31, 23, 59, 59, tzinfo=UTC)])
def test_all_within_a_window_counts_the_same(at: datetime) -> None:
    assert in_window(at, MAY) == 1.0


@pytest.mark.req("T10")
def test_a_window_ends_before_its_last_moment() -> None:
    assert MAY.until is not None
    assert in_window(MAY.until, MAY) < 1.0


@pytest.mark.req("T10")
@pytest.mark.parametrize("side", [-1, 1])
def test_outside_of_a_window_counts_less_the_further_off_but_never_nothing(side: int) -> None:
    edge = MAY.start if side < 0 else MAY.until
    assert edge is not None
    values = [in_window(edge + side * days * DAY, MAY) for days in (1, 7, 30, 365)]

    assert all(further < nearer < 1 for nearer, further in pairwise(values))
    assert values[-1] > 0


@pytest.mark.req("T10")
def test_what_is_told_after_a_thing_happened_counts_more_than_what_was_told_before() -> None:
    assert MAY.start is not None
    assert MAY.until is not None
    assert in_window(MAY.until + 10 * DAY, MAY) > in_window(MAY.start - 10 * DAY, MAY)


@pytest.mark.req("T10")
def test_the_margins_of_a_day_are_a_week_and_a_fortnight() -> None:
    day = TimeWindow(datetime(2023, 5, 7, tzinfo=UTC), datetime(2023, 5, 8, tzinfo=UTC), "on 7 May 2023")

    assert in_window(datetime(2023, 4, 30, tzinfo=UTC), day) == pytest.approx(0.7 * 0.367879, abs=1e-5)
    assert in_window(datetime(2023, 5, 22, tzinfo=UTC), day) == pytest.approx(0.7 * 0.367879, abs=1e-5)


@pytest.mark.req("T10")
def test_the_margins_of_a_long_window_grow_with_it() -> None:
    year = TimeWindow(datetime(2023, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC), "in 2023")
    a_month_later = datetime(2024, 1, 31, tzinfo=UTC)

    assert in_window(a_month_later, year) == pytest.approx(0.7 * 0.921107, abs=1e-5)
    assert in_window(datetime(2023, 7, 1, tzinfo=UTC), MAY) < in_window(a_month_later, year)


@pytest.mark.req("T10")
def test_an_open_window_has_no_end_on_that_side() -> None:
    assert in_window(datetime(2099, 1, 1, tzinfo=UTC), SINCE) == 1.0
    assert in_window(datetime(1999, 1, 1, tzinfo=UTC), BEFORE) == 1.0
    assert in_window(datetime(2023, 4, 30, tzinfo=UTC), SINCE) < 1.0
    assert in_window(datetime(2023, 5, 1, tzinfo=UTC), BEFORE) < 1.0
