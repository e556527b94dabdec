"""Time windows written in a query: "in May 2023", "last spring", "since Tuesday", "two weeks before the launch".

A catalogue of patterns, each sure of itself: a word that may mean something else (may, march, fall, second) counts
only where the words around it leave no doubt. What is found is a window of whole days, UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from trigraph.model.query import TimeWindow

_MONTH_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_DAYS = {
    name: number
    for number, names in enumerate("mon tue,tues wed thu,thur,thurs fri sat sun".split())
    for name in names.split(",")
}
_WEEKDAYS = {name: n for n, name in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(), start=1
    )
} | {"a": 1, "an": 1, "a couple of": 2, "a couple": 2, "twenty": 20, "thirty": 30}

_MON = (
    r"(?P<month>january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\.?"
)
_MON2 = _MON.replace("month", "month2")
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DAY2 = r"(?P<day2>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_YEAR2 = r"(?P<year2>(?:19|20)\d\d)"
_UNIT = r"(?P<unit>day|week|fortnight|month|year)s?"
_COUNT = r"(?P<count>\d{1,3}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_WEEKDAY = r"(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_RANGE = r"\s*(?:-|–|—|to|and|until|through)\s*"
_NOT_AFTER = r"(?<![\w./:#-])"
_NOT_BEFORE = r"(?![\w/]|[-.:]\w|\()"

# `In June` is a month, `in June thinks` is none: a person follows with a verb.
_PERSON_AFTER = (
    r"(?!\s+(?:thinks?|says?|said|wants?|likes?|told|asked|does|did|has|had|was|is|and\s+\w+\s+(?:say|think)))"
)

LIMIT_CHARS = 2000
"""So much of a query is read."""
DAY = timedelta(days=1)
AROUND_DAYS = 3


@dataclass(frozen=True, slots=True)
class Anchored:
    """A time told by an event that memory may know: `count` units after it, or before it where that is negative."""

    phrase: str
    count: int
    unit: str


@dataclass(frozen=True, slots=True)
class _Period:
    """Days `[first, after)` and where in the text they are named."""

    start: int
    end: int
    first: date
    after: date


def window_in(text: str, now: datetime) -> TimeWindow | None:
    """The window that a query names, seen from `now`; None if it names none, or none for certain."""
    text = _one_line(text)
    folded = _QUOTED.sub(lambda quoted: " " * len(quoted.group()), _folded(text))
    today = now.astimezone(UTC).date()
    periods = list(_periods(folded, today, text))
    if not periods:
        return None
    periods.sort(key=lambda one: (one.start, -one.end))
    first = periods[0]
    for other in periods[1:]:
        between = folded[first.end : other.start]
        before = folded[: first.start].rstrip()
        joined = re.fullmatch(r"\s*(?:-|–|—|to|and|until|till|through)\s*", between)
        if joined and (before.endswith(("between", "from")) or between.strip() in "-–—"):
            return _window(text, first.start, other.end, first.first, other.after)
    return _bounded(text, folded, first)


def _one_line(text: str) -> str:
    """The beginning of a text with single blanks: runs of them would make the patterns slow."""
    return " ".join(text[: LIMIT_CHARS * 4].split())[:LIMIT_CHARS]


def _folded(text: str) -> str:
    """In small letters, each where it was: there are letters that have no small form of one character."""
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text).replace("’", "'")


_QUOTED = re.compile(r"[\"“][^\"“”]{0,200}[\"”]")


def anchor_in(text: str) -> Anchored | None:
    """A time told by an event: "two weeks before the launch", "the day after the outage"."""
    match = _ANCHORED.search(_folded(_one_line(text)))
    if match is None:
        return None
    words = re.findall(r"[\w'-]+", match.group("event"))
    phrase = " ".join(words[:4]).strip()
    if (
        not phrase
        or _MONTHS.get(words[0])
        or words[0] in _WEEKDAYS
        or words[0] in _RELATIVE_WORDS
        or words[0].isdigit()
    ):
        return None
    count = _count(match.group("count") or "one") * (-1 if match.group("side") == "before" else 1)
    return Anchored(phrase, count, match.group("unit"))


def window_around(anchor: Anchored, at: datetime) -> TimeWindow | None:
    """The window that an anchored time means, once it is known when the event was; None where no calendar goes."""
    day = at.astimezone(UTC).date()
    try:
        first, after = _ago(day, -anchor.count, anchor.unit)
    except (ValueError, OverflowError):
        return None
    return _window("", 0, 0, first, after)


_RELATIVE_WORDS = frozenset("yesterday today tomorrow last next this now then the a an our my his her their".split())
_ANCHORED = re.compile(
    rf"(?:\b{_COUNT}\s+|\bthe\s+){_UNIT}\s+(?P<side>before|after)\s+(?:the|our|my|his|her|their|a|an|we|i)?\s*"
    r"(?P<event>[a-z][\w' -]{2,60})"
)


def _bounded(text: str, folded: str, period: _Period) -> TimeWindow:
    """A period with the word before it: since, before, after, until, around."""
    before = _BOUND.search(folded[: period.start])
    word = before.group(1) if before else ""
    first: date | None = period.first
    after: date | None = period.after
    match word:
        case "since":
            after = None
        case "after":
            first, after = period.after, None
        case "before" | "prior to":
            first, after = None, period.first
        case "until" | "till" | "up to":
            first = None
        case "around" | "circa" | "near" if period.after - period.first == DAY:
            with suppress(OverflowError):
                first, after = period.first - AROUND_DAYS * DAY, period.after + AROUND_DAYS * DAY
    start = before.start() if before else period.start
    return _window(text, start, period.end, first, after)


_BOUND = re.compile(r"(since|after|before|prior to|until|till|up to|around|circa|near)\s+(?:the\s+)?$")


def _window(text: str, start: int, end: int, first: date | None, after: date | None) -> TimeWindow:
    return TimeWindow(_midnight(first), _midnight(after), text[start:end].strip())


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else datetime(day.year, day.month, day.day, tzinfo=UTC)


def _periods(folded: str, today: date, text: str) -> Iterator[_Period]:
    """Every period that some pattern is sure of; of those that overlap, the one whose pattern stands first."""
    taken: list[tuple[int, int]] = []
    for pattern, build in _PATTERNS:
        for match in pattern.finditer(folded):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            if "month" in match.groupdict() and not _is_month(match, text):
                continue
            try:
                built = build(match, today)
            except (ValueError, OverflowError):
                continue
            taken.append(match.span())
            if built is not None:
                named = match.groupdict().get("named")
                start = match.start("named") if named else match.start()
                yield _Period(start, match.end(), *built)


def _is_month(match: re.Match[str], text: str) -> bool:
    """`may` in small letters is a verb; `May` is a month, if what stands about it says so."""
    month = match.group("month")
    if month not in ("may", "march", "mar", "august", "sept", "dec", "jan", "sep", "jun", "june", "april"):
        return True
    alone = not match.groupdict().get("year") and not match.groupdict().get("day")
    return not alone or text[match.start("month")].isupper()


Built = tuple[date, date]
_Builder = Callable[[re.Match[str], date], "Built | None"]


def _int(match: re.Match[str], name: str) -> int | None:
    value = match.groupdict().get(name)
    return int(value) if value is not None else None


def _month_of(match: re.Match[str], name: str = "month") -> int:
    return _MONTHS[match.group(name)]


def _month(year: int, month: int) -> Built:
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)


def _one_day(year: int, month: int, day: int) -> Built:
    found = date(year, month, day)
    return found, found + DAY


def _latest_year(today: date, month: int, day: int = 1) -> int:
    """The year of the latest such day that is not in the future."""
    for year in range(today.year, today.year - 9, -1):
        try:
            if date(year, month, day) <= today:
                return year
        except ValueError:  # a 29 February
            continue
    return today.year


def _day_month(match: re.Match[str], today: date) -> Built:
    month, day = _month_of(match), int(match.group("day"))
    return _one_day(_int(match, "year") or _latest_year(today, month, day), month, day)


def _day_range(match: re.Match[str], today: date) -> Built:
    month = _month_of(match, "month2") if match.groupdict().get("month2") else _month_of(match)
    year = _int(match, "year") or _latest_year(today, month, int(match.group("day2")))
    return _one_day(year, month, int(match.group("day")))[0], _one_day(year, month, int(match.group("day2")))[1]


def _month_range(match: re.Match[str], today: date) -> Built:
    start, end = _month_of(match), _month_of(match, "month2")
    year = _int(match, "year") or _latest_year(today, end)
    return _month(year - (start > end), start)[0], _month(year, end)[1]


def _month_year(match: re.Match[str], today: date) -> Built:
    month = _month_of(match)
    first, after = _month(_int(match, "year") or _latest_year(today, month), month)
    match match.groupdict().get("part"):
        case "early":
            after = first.replace(day=11)
        case "mid":
            first, after = first.replace(day=11), first.replace(day=21)
        case "late":
            first = first.replace(day=21)
        case _:
            pass
    return first, after


def _last_month_named(match: re.Match[str], today: date) -> Built:
    month = _month_of(match)
    year = today.year if month < today.month else today.year - 1
    return _month(year, month)


def _year(match: re.Match[str], _: date) -> Built:
    year = int(match.group("year"))
    match match.groupdict().get("part"):
        case "early":
            return date(year, 1, 1), date(year, 5, 1)
        case "mid":
            return date(year, 5, 1), date(year, 9, 1)
        case "late":
            return date(year, 9, 1), date(year + 1, 1, 1)
        case _:
            return date(year, 1, 1), date(year + 1, 1, 1)


def _year_range(match: re.Match[str], _: date) -> Built:
    return date(int(match.group("year")), 1, 1), date(int(match.group("year2")) + 1, 1, 1)


def _decade(match: re.Match[str], _: date) -> Built:
    digits = match.group("decade")
    first = int(digits) if len(digits) == 4 else 1900 + int(digits)
    return date(first, 1, 1), date(first + 10, 1, 1)


def _iso(match: re.Match[str], _: date) -> Built:
    year, month, day = int(match.group("y")), int(match.group("m")), _int(match, "d")
    return _month(year, month) if day is None else _one_day(year, month, day)


def _slashed(match: re.Match[str], _: date) -> Built | None:
    one, other, year = int(match.group("one")), int(match.group("other")), int(match.group("year"))
    if one > 12 >= other:
        return _one_day(year, other, one)
    if other > 12 >= one or one == other:
        return _one_day(year, one, other)
    return None


def _quarter(match: re.Match[str], today: date) -> Built:
    quarter = int(match.group("quarter")) if match.group("quarter").isdigit() else _ORDINALS[match.group("quarter")]
    return _months(_int(match, "year") or today.year, quarter * 3 - 2, 3)


def _half(match: re.Match[str], today: date) -> Built:
    half = int(match.group("half")) if match.group("half").isdigit() else _ORDINALS[match.group("half")]
    return _months(_int(match, "year") or today.year, half * 6 - 5, 6)


_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "last": 4}


def _months(year: int, month: int, count: int) -> Built:
    ahead = month - 1 + count
    return date(year, month, 1), date(year + ahead // 12, ahead % 12 + 1, 1)


def _season(match: re.Match[str], today: date) -> Built:
    month, year = _SEASONS[match.group("season")], _int(match, "year")
    if year is not None:
        return _months(year, month, 3)
    latest = next(_months(today.year - back, month, 3) for back in (0, 1, 2) if _over(today, today.year - back, month))
    if match.groupdict().get("which") == "this":
        running = _months(today.year, month, 3)
        return running if running[0] <= today else latest
    return latest


def _over(today: date, year: int, month: int) -> bool:
    return _months(year, month, 3)[1] <= today


def _christmas(match: re.Match[str], today: date) -> Built:
    year = _int(match, "year") or _latest_year(today, 12, 24)
    return date(year, 12, 24), date(year, 12, 27)


def _named_day(match: re.Match[str], today: date) -> Built:
    back = {"today": 0, "yesterday": 1, "tomorrow": -1, "this morning": 0, "this afternoon": 0, "this evening": 0}
    back |= {"tonight": 0, "last night": 1, "earlier today": 0, "the day before yesterday": 2, "yesterday evening": 1}
    first = today - back[match.group("named_day")] * DAY
    return first, first + DAY


def _calendar(match: re.Match[str], today: date) -> Built:
    """This or last week, month, year, quarter, weekend."""
    back = {"this": 0, "the current": 0, "last": 1, "the previous": 1, "previous": 1, "the past": 1}[
        match.group("which")
    ]
    return _calendar_unit(today, match.group("span"), back)


def _before_last(match: re.Match[str], today: date) -> Built:
    return _calendar_unit(today, match.group("span"), 2)


def _calendar_unit(today: date, unit: str, back: int) -> Built:
    match unit:
        case "week":
            first = today - (today.weekday() + 7 * back) * DAY
            return first, first + 7 * DAY
        case "weekend":
            saturday = today - ((today.weekday() - 5) % 7) * DAY
            return saturday, saturday + 2 * DAY
        case "month":
            return _month(*_months_back(today, back))
        case "quarter":
            year, month = _months_back(today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1), 3 * back)
            return _months(year, month, 3)
        case _:
            return date(today.year - back, 1, 1), date(today.year - back + 1, 1, 1)


def _months_back(today: date, count: int) -> tuple[int, int]:
    months = today.year * 12 + today.month - 1 - count
    return months // 12, months % 12 + 1


def _weekday(match: re.Match[str], today: date) -> Built:
    back = (today.weekday() - _WEEKDAYS[match.group("weekday")]) % 7 or 7
    if match.groupdict().get("which") == "this":
        first = today + (_WEEKDAYS[match.group("weekday")] - today.weekday()) * DAY
    else:
        first = today - back * DAY
    return first, first + DAY


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _ago(today: date, count: int, unit: str) -> Built:
    match unit:
        case "fortnight":
            return _ago(today, 2 * count, "week")
        case "day":
            return today - count * DAY, today - (count - 1) * DAY
        case "week":
            return _calendar_unit(today - 7 * count * DAY, "week", 0)
        case "month":
            return _month(*_months_back(today, count))
        case _:
            return date(today.year - count, 1, 1), date(today.year - count + 1, 1, 1)


def _long_ago(match: re.Match[str], today: date) -> Built:
    return _ago(today, _count(match.group("count")), match.group("unit"))


def _few_ago(match: re.Match[str], today: date) -> Built:
    match match.group("unit"):
        case "day":
            return today - 5 * DAY, today - DAY
        case unit:
            return _ago(today, 5, unit)[0], _ago(today, 2, unit)[1]


def _past(match: re.Match[str], today: date) -> Built:
    """The last N days, weeks, months: up to and with today."""
    counted = match.groupdict().get("count")
    count = 3 if counted is None else _count(counted)
    match match.group("unit"):
        case "day":
            first = today - count * DAY
        case "week" | "fortnight" as unit:
            first = today - (7 if unit == "week" else 14) * count * DAY
        case "month":
            first = _same_day(*_months_back(today, count), today.day)
        case _:
            first = _same_day(today.year - count, today.month, today.day)
    return first, today + DAY


def _same_day(year: int, month: int, day: int) -> date:
    return min(date(year, month, min(day, 28)) + (day - min(day, 28)) * DAY, _month(year, month)[1] - DAY)


def _week_of(match: re.Match[str], today: date) -> Built:
    return _calendar_unit(_day_month(match, today)[0], "week", 0)


def _winter(match: re.Match[str], _: date) -> Built:
    return _months(int(match.group("year")), 12, 3)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(_NOT_AFTER + "(?:" + text + ")" + _NOT_BEFORE)


_PART = r"(?:(?P<part>early|mid|late)(?:[ -]|\s+in\s+))"
_OF = r"(?:\s+(?:of\s+)?|,\s*)"
_PATTERNS: tuple[tuple[re.Pattern[str], _Builder], ...] = (
    (_pattern(r"(?P<y>(?:19|20)\d\d)[-/](?P<m>0?[1-9]|1[0-2])[-/](?P<d>0?[1-9]|[12]\d|3[01])(?:t\d\d:\S*)?"), _iso),
    (_pattern(r"(?P<y>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])(?P<d>$^)?"), _iso),
    (_pattern(r"(?P<one>\d{1,2})[/.](?P<other>\d{1,2})[/.](?P<year>(?:19|20)\d\d)"), _slashed),
    (
        _pattern(rf"the\s+week\s+(?:of|starting|beginning)\s+(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MON}(?:{_OF}{_YEAR})?"),
        _week_of,
    ),
    (_pattern(rf"the\s+week\s+(?:of|starting|beginning)\s+{_MON}\s+{_DAY}(?:,?\s+{_YEAR})?"), _week_of),
    (_pattern(rf"{_DAY}{_RANGE}{_DAY2}\s+(?:of\s+)?{_MON}(?:{_OF}{_YEAR})?"), _day_range),
    (_pattern(rf"{_MON}\s+{_DAY}{_RANGE}{_DAY2}(?:,?\s+{_YEAR})"), _day_range),
    (_pattern(rf"(?:{_WEEKDAY},?\s+)?(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MON}(?:{_OF}{_YEAR})?"), _day_month),
    (_pattern(rf"(?:{_WEEKDAY},?\s+)?{_MON}\s+(?:the\s+)?{_DAY}(?!\d)(?:,?\s+{_YEAR})?"), _day_month),
    (_pattern(rf"{_PART}?{_MON}{_RANGE}{_MON2}\s+(?:of\s+)?{_YEAR}"), _month_range),
    (_pattern(rf"{_PART}?{_MON}(?:{_OF}|\s*')?{_YEAR}"), _month_year),
    (_pattern(rf"(?:last|this past)\s+{_MON}"), _last_month_named),
    (_pattern(r"winter\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\s*[/–-]\s*(?:(?:19|20)?\d\d)"), _winter),
    (_pattern(rf"(?:the\s+)?{_SEASON}{_OF}{_YEAR}"), _season),
    (_pattern(rf"(?P<which>last|this past|this)\s+{_SEASON}"), _season),
    (_pattern(rf"q(?P<quarter>[1-4])\s*(?:of\s+)?{_YEAR}"), _quarter),
    (_pattern(rf"(?P<quarter>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+quarter\s+(?:of\s+)?{_YEAR}"), _quarter),
    (_pattern(r"q(?P<quarter>[1-4])"), _quarter),
    (_pattern(rf"h(?P<half>[12])\s*(?:of\s+)?{_YEAR}"), _half),
    (_pattern(rf"(?P<half>first|second)\s+half\s+of\s+{_YEAR}"), _half),
    (_pattern(rf"(?:at\s+)?christmas(?:\s+(?:of\s+)?{_YEAR})?"), _christmas),
    (_pattern(r"the\s+(?P<decade>(?:19|20)\d0)s"), _decade),
    (_pattern(r"the\s+'?(?P<decade>[3-9]0)s"), _decade),
    (
        _pattern(
            r"(?P<named_day>the day before yesterday|yesterday evening|yesterday|earlier today|today|tomorrow"
            r"|this morning|this afternoon|this evening|tonight|last night)"
        ),
        _named_day,
    ),
    (_pattern(r"the\s+(?P<span>week|month|year)\s+before\s+last"), _before_last),
    (_pattern(rf"(?:in\s+|over\s+|during\s+|within\s+)?the\s+(?:last|past)\s+{_COUNT}\s+{_UNIT}"), _past),
    (_pattern(rf"(?:last|past)\s+{_COUNT}\s+{_UNIT}"), _past),
    (_pattern(rf"(?:the\s+)?(?:last|past)\s+(?:few|several)\s+{_UNIT}"), _past),
    (_pattern(r"(?P<which>this|the current|last|the previous)\s+(?P<span>week|month|year|quarter|weekend)"), _calendar),
    (_pattern(r"(?:at|over|on)\s+the\s+(?P<span>weekend)"), lambda match, today: _calendar_unit(today, "weekend", 0)),
    (_pattern(rf"{_COUNT}\s+{_UNIT}\s+(?:ago|back|earlier)"), _long_ago),
    (_pattern(rf"a\s+few\s+{_UNIT}\s+(?:ago|back)"), _few_ago),
    (_pattern(rf"(?P<which>last|this|this past)\s+{_WEEKDAY}"), _weekday),
    (_pattern(rf"(?:on|since|until|till|after|before)\s+(?P<named>{_WEEKDAY})"), _weekday),
    (
        _pattern(rf"(?:in|during|since|until|till|before|after|by)\s+(?P<named>{_PART}?{_MON}){_PERSON_AFTER}"),
        _month_year,
    ),
    (_pattern(rf"{_PART}{_MON}"), _month_year),
    (_pattern(rf"between\s+(?P<named>{_YEAR}\s+and\s+{_YEAR2})"), _year_range),
    (_pattern(rf"from\s+(?P<named>{_YEAR}\s+(?:to|until|through)\s+{_YEAR2})"), _year_range),
    (
        _pattern(
            rf"(?:in|during|since|until|till|before|after|by|for|throughout|of|from|around|about)\s+(?:the\s+year\s+)?(?P<named>{_PART}?{_YEAR})"
            r"(?!\s+(?:rows|requests|items|lines|users|errors|records|files|bytes|tokens|ms|times|entries|tests|messages))"
        ),
        _year,
    ),
    (_pattern(rf"{_PART}{_YEAR}"), _year),
)
