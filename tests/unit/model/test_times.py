"""Times are aware UTC, to the microsecond."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from trigraph.errors import InvalidInput
from trigraph.model.times import from_micros, parse_time, parse_until, to_micros

NINE = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)
NAIVE = datetime(2026, 3, 14, 9)  # noqa: DTZ001


@pytest.mark.parametrize("bare", ["2026-03-14", " 2026-03-14 ", date(2026, 3, 14)], ids=str)
def test_a_bare_date_is_the_start_of_that_day_in_utc(bare: object) -> None:
    assert parse_time(bare, "at") == datetime(2026, 3, 14, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2026-03-14T09:00:00Z",
        "2026-03-14 09:00:00+00:00",
        "2026-03-14T11:00+02:00",
        "2026-03-13T23:30:00-09:30",
        datetime(2026, 3, 14, 14, 45, tzinfo=timezone(timedelta(hours=5, minutes=45))),
    ],
    ids=str,
)
def test_every_offset_comes_out_as_the_same_instant_in_utc(written: object) -> None:
    parsed = parse_time(written, "at")

    assert parsed == NINE
    assert parsed.utcoffset() == timedelta(0)


@pytest.mark.parametrize("naive", ["2026-03-14T09:00:00", "2026-03-14 09:00", NAIVE], ids=str)
def test_a_naive_time_is_refused_with_an_example_that_works(naive: object) -> None:
    with pytest.raises(InvalidInput, match="has no time zone") as refused:
        parse_time(naive, "occurred_at")

    assert refused.value.field == "occurred_at"
    assert "2026-03-14T09:00:00Z" in str(refused.value)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-02-30", "2026-03-14T25:00Z", "14.03.2026"])
def test_text_that_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not a time") as refused:
        parse_time(text, "occurred_at")

    assert refused.value.field == "occurred_at"
    assert "2026-03-14T09:12:00Z" in str(refused.value)


@pytest.mark.parametrize("value", [1_700_000_000, 1.5, True, None, ["2026-03-14"]], ids=str)
def test_a_number_is_no_time(value: object) -> None:
    with pytest.raises(InvalidInput, match="must be a time, not"):
        parse_time(value, "at")


@pytest.mark.parametrize("edge", ["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"])
def test_an_instant_outside_the_calendar_is_refused(edge: str) -> None:
    with pytest.raises(InvalidInput, match="outside the years 1 to 9999"):
        parse_time(edge, "at")


@pytest.mark.parametrize(
    ("instant", "micros"),
    [
        (datetime(1970, 1, 1, tzinfo=UTC), 0),
        (datetime(1970, 1, 1, 0, 0, 1, 1, tzinfo=UTC), 1_000_001),
        (datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), -1),
        (datetime(2026, 9, 1, 12, tzinfo=UTC), 1_788_264_000_000_000),
        (datetime(1, 1, 1, tzinfo=UTC), -62_135_596_800_000_000),
        (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), 253_402_300_799_999_999),
    ],
    ids=str,
)
def test_microseconds_are_exact_both_ways(instant: datetime, micros: int) -> None:
    assert to_micros(instant) == micros
    assert from_micros(micros) == instant


def test_microseconds_count_from_the_instant_not_from_its_clock_face() -> None:
    assert to_micros(datetime(1970, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))) == 0


@pytest.mark.parametrize(
    ("given", "after"),
    [
        ("90d", timedelta(days=90)),
        (" 12h ", timedelta(hours=12)),
        ("4 w", timedelta(weeks=4)),
        (timedelta(minutes=5), timedelta(minutes=5)),
        ("2026-03-15", timedelta(hours=15)),
        (NINE + timedelta(days=1), timedelta(days=1)),
    ],
)
def test_a_time_to_come_is_a_time_or_how_long_from_now(given: object, after: timedelta) -> None:
    assert parse_until(given, "expires", NINE) == NINE + after


@pytest.mark.parametrize(
    "given",
    ["", "soon", "d", "1.5d", "-1d", "0d", "90", "90m", "٣d", "9999999d", "999999w", "2026-03-14", NAIVE, NINE, 90],
)
def test_what_is_no_time_to_come_is_refused_with_how_to_write_one(given: object) -> None:
    with pytest.raises(InvalidInput) as raised:
        parse_until(given, "expires", NINE)
    assert raised.value.field == "expires"
    assert raised.value.fix == "Write it like 90d, 12h, 4w or 2030-03-14."
