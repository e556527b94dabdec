"""Times are timezone-aware UTC, to the microsecond."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from trigraph.errors import InvalidInput

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SPAN = re.compile(r"([0-9]{1,6}) ?([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a read stands in time: what was true at `as_of`, by what was known at `known_at`; with `superseded`
    also what was true until something took its place."""

    as_of: datetime
    known_at: datetime
    superseded: bool = False


ALWAYS = Moment(datetime.max.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC), superseded=True)
"""After all that is known, with all that ever held."""


def to_micros(instant: datetime) -> int:
    """Microseconds since 1970, exact."""
    return (instant - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The inverse of `to_micros`."""
    return _EPOCH + timedelta(microseconds=micros)


def parse_time(value: object, field: str) -> datetime:
    """An aware UTC time from a datetime, a date, or RFC 3339 text.

    A bare date means the start of that day, UTC. A naive date-time is refused: it names no instant.
    """
    if isinstance(value, datetime):
        instant = value
    elif isinstance(value, date):
        instant = datetime(value.year, value.month, value.day, tzinfo=UTC)
    elif isinstance(value, str):
        instant = _parse_text(value.strip(), field)
    else:
        raise InvalidInput(
            f"{field} must be a time, not {type(value).__name__}.",
            field=field,
            fix="Write it like 2026-03-14T09:12:00Z or 2026-03-14.",
        )
    if instant.tzinfo is None:
        raise InvalidInput(
            f"{field} {instant.isoformat()} has no time zone.",
            field=field,
            fix=f"Add one, for example {instant.isoformat()}Z or {instant.isoformat()}+02:00.",
        )
    try:
        return instant.astimezone(UTC)
    except OverflowError as error:
        raise InvalidInput(
            f"{field} {value!r} is outside the years 1 to 9999.", field=field, fix="Give a time within them."
        ) from error


def parse_until(value: object, field: str, now: datetime) -> datetime:
    """A time to come: how long from now (90d, 12h, 4w, a timedelta), or a time as `parse_time` takes it."""
    fix = "Write it like 90d, 12h, 4w or 2030-03-14."
    span = _SPAN.fullmatch(value.strip()) if isinstance(value, str) else None
    try:
        if span is not None:
            value = timedelta(hours=int(span[1]) * _HOURS[span[2]])
        until = now + value if isinstance(value, timedelta) else parse_time(value, field)
    except OverflowError as error:
        raise InvalidInput(f"{field} is beyond the year 9999.", field=field, fix=fix) from error
    except InvalidInput as error:
        raise InvalidInput(error.message, field=field, fix=fix) from error
    if until <= now:
        raise InvalidInput(f"{field} is not in the future.", field=field, fix=fix)
    return until


def _parse_text(text: str, field: str) -> datetime:
    try:
        if len(text) == len("2026-03-14"):
            day = date.fromisoformat(text)
            return datetime(day.year, day.month, day.day, tzinfo=UTC)
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(
            f"{field} {text[:80]!r} is not a time.",
            field=field,
            fix="Write it like 2026-03-14T09:12:00Z or 2026-03-14.",
        ) from error
