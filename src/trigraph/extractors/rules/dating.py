"""Days told from the day of speaking ("yesterday", "last Friday"), written as dates."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from trigraph.text.dates import window_in

_DAY = timedelta(days=1)
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_COUNT = r"(?:\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few)"
_RELATIVE = re.compile(
    r"\b(?:(?P<before>on|in|at|over|during|since|until|till|by|from|before|after|for)\s+)?(?P<phrase>the day before"
    r" yesterday|yesterday(?: (?:morning|afternoon|evening))?|earlier today|today|tonight|tomorrow|last night|this"
    r" (?:morning|afternoon|evening|month|week|year|weekend)|last (?:spring|summer|autumn|fall|winter)"
    rf"|(?:last|next|this past) (?:week|weekend|month|year|{'|'.join(_WEEKDAYS)})"
    rf"|{_COUNT} (?:days?|weeks?|months?|years?) ago)\b(?!['’]s)",
    re.IGNORECASE,
)
_KEPT_BEFORE = frozenset(("since", "until", "till", "by", "from", "before", "after", "for"))


def with_dates(text: str, now: datetime | None) -> str:
    """The text with the days it tells from `now` written as dates; as it is where that is not known."""
    if now is None:
        return text
    return _RELATIVE.sub(lambda match: _dated(match, now.astimezone(UTC)), text)


def day_words(day: date) -> str:
    """7 May 2023"""
    return f"{day.day} {day:%B %Y}"


def _dated(match: re.Match[str], now: datetime) -> str:
    phrase, before = match.group("phrase").lower(), (match.group("before") or "").lower()
    told = _ahead(phrase, now.date()) if phrase.startswith("next ") else _behind(phrase, now)
    if told is None:
        return match.group()
    preposition, words = told
    if before in _KEPT_BEFORE:
        return f"{match.group('before')} {words}"
    if re.match(r"\s+(?:was|is|has|will)\b", match.string[match.end() :]):
        return words
    capital = match.start() == 0 and match.group()[0].isupper()
    return f"{preposition.capitalize() if capital else preposition} {words}"


def _behind(phrase: str, now: datetime) -> tuple[str, str] | None:
    window = window_in(re.sub(r"(yesterday) \w+", r"\1", phrase), now)
    if window is None or window.start is None or window.until is None:
        return None
    start, days = window.start.date(), (window.until - window.start).days
    if "ago" in phrase and "day" not in phrase and "week" not in phrase:
        return "around", str(start.year) if "year" in phrase else f"{start:%B %Y}"
    if "weekend" in phrase:
        return "on", f"the weekend of {day_words(start)}"
    return _period(start, days)


def _period(start: date, days: int) -> tuple[str, str]:
    if days == 1:
        return "on", day_words(start)
    if days <= 7:
        return "in", f"the week of {day_words(start)}"
    if days <= 31:
        return "in", f"{start:%B %Y}"
    if days < 360:
        seasons = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}
        return "in", f"{seasons.get(start.month, f'{start:%B}')} {start.year}"
    return "in", str(start.year)


def _ahead(phrase: str, today: date) -> tuple[str, str] | None:
    unit = phrase.removeprefix("next ")
    try:
        match unit:
            case "week":
                return "in", f"the week of {day_words(today + (7 - today.weekday()) * _DAY)}"
            case "weekend":
                return "on", f"the weekend of {day_words(today + (12 - today.weekday()) * _DAY)}"
            case "month":
                return "in", f"{date(today.year + today.month // 12, today.month % 12 + 1, 1):%B %Y}"
            case "year":
                return "in", str(today.year + 1)
            case _:
                ahead = (_WEEKDAYS.index(unit) - today.weekday()) % 7 or 7
                return "on", day_words(today + ahead * _DAY)
    except (ValueError, OverflowError):
        return None
