"""Numbers, dates and versions in a text, in a form that can be compared: 2 GB is 2048 MB, `3pm` is 15:00."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

QUANTITIES_MOST = 60
"""So many quantities of a text are read."""


class Measure(StrEnum):
    """What sort of quantity it is; quantities of different sorts never answer the same question."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    WEEKDAY = "weekday"
    VERSION = "version"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity at its place in a text. Two that say the same agree.

    `dimension` is what a unit measures (bytes, seconds), or empty; `bare` is the number before its unit was counted in.
    """

    measure: Measure
    value: str
    dimension: str
    bare: str
    surface: str
    start: int
    end: int

    def agrees(self, other: Quantity) -> bool:
        """Whether both say the same, as far as both say it: `5 March` and `2026-03-05`, `225` and `225 ft-lb`."""
        if self.measure is not other.measure:
            return False
        if self.measure is Measure.DATE:
            pairs = zip(self.value.split("-"), other.value.split("-"), strict=False)
            return all(one == another or "?" in (one, another) for one, another in pairs)
        if not self.dimension or not other.dimension:
            return self.bare == other.bare
        return self.comparable(other) and (self.value == other.value or self._is_rounded(other))

    def _is_rounded(self, other: Quantity) -> bool:
        """1.5 GB is 1,500 MB to most people."""
        if self.dimension != "bytes" or self.bare == other.bare:
            return False
        ratio = float(self.value) / (float(other.value) or 1.0)
        return any(abs(ratio / near - 1) < 1e-6 for near in (1.024, 1 / 1.024, 1.048576, 1 / 1.048576))

    def comparable(self, other: Quantity) -> bool:
        """Whether both can be the value of the same thing."""
        if self.measure is not other.measure:
            return False
        one, another = self.dimension, other.dimension
        return one == another or not one or not another or one.startswith(another) or another.startswith(one)


_MONTH_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SMALL_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: number * 10
    for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_SPELLED: dict[str, float] = {**_SMALL_NUMBERS, **_TENS, "dozen": 12, "half": 0.5, "twice": 2, "thrice": 3}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_SCALES |= {"k": 1_000, "mln": 1_000_000, "bn": 1_000_000_000}
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), start=1
    )
}
_EVERY = {"hourly": 3600, "daily": 86_400, "nightly": 86_400, "weekly": 604_800, "fortnightly": 1_209_600}
_EVERY |= {"monthly": 2_629_800, "yearly": 31_557_600, "annually": 31_557_600}

# unit → what it measures and how many of the smallest common unit it is.
_UNITS: dict[str, tuple[str, float]] = {}
for _dimension, _table in {
    "bytes": "b 1 byte 1 kb 1024 kib 1024 kilobyte 1024 mb 1048576 mib 1048576 meg 1048576 megabyte 1048576"
    " gb 1073741824 gib 1073741824 gig 1073741824 gigabyte 1073741824"
    " tb 1099511627776 tib 1099511627776 terabyte 1099511627776",
    "bits a second": "kbps 1000 kbit/s 1000 mbps 1000000 mbit/s 1000000 gbps 1000000000 gbit/s 1000000000",
    "seconds": "ns 1e-9 nanosecond 1e-9 us 1e-6 µs 1e-6 microsecond 1e-6 ms 0.001 msec 0.001 millisecond 0.001"
    " s 1 sec 1 second 1 min 60 minute 60 h 3600 hr 3600 hour 3600 day 86400 d 86400 week 604800 wk 604800"
    " fortnight 1209600 month 2629800 mo 2629800 year 31557600 yr 31557600 decade 315576000",
    "metres": "mm 0.001 millimetre 0.001 millimeter 0.001 cm 0.01 centimetre 0.01 centimeter 0.01 m 1 metre 1 meter 1"
    " km 1000 kilometre 1000 kilometer 1000 inch 0.0254 ft 0.3048 foot 0.3048 feet 0.3048 yard 0.9144 mile 1609.344",
    "grams": "mg 0.001 g 1 gram 1 kg 1000 kilo 1000 kilogram 1000 oz 28.349523 ounce 28.349523 lb 453.59237"
    " lbs 453.59237 pound 453.59237 tonne 1000000",
    "newton metres": "nm 1 n·m 1 ft-lb 1.3558179 ft-lbs 1.3558179 lb-ft 1.3558179 ft·lb 1.3558179"
    " foot-pound 1.3558179 in-lb 0.11298483",
    "litres": "ml 0.001 millilitre 0.001 milliliter 0.001 l 1 litre 1 liter 1 gallon 3.785411784",
    "hertz": "hz 1 khz 1000 mhz 1000000 ghz 1000000000",
    "watts": "w 1 watt 1 kw 1000 kilowatt 1000 mw 1000000 megawatt 1000000",
    "volts": "mv 0.001 v 1 volt 1",
    "pascals": "psi 6894.757 bar 100000 kpa 1000",
    "kilometres an hour": "km/h 1 kph 1 kmh 1 mph 1.609344",
    "percent": "% 1 percent 1 pct 1",
    "degrees": "° 1 degree 1 °c 1 °f 1",
    "dollars": "$ 1 usd 1 dollar 1 cent 0.01",
    "euros": "€ 1 eur 1 euro 1",
    "pounds sterling": "£ 1 gbp 1",
}.items():
    _entries = _table.split()
    for _unit, _factor in zip(_entries[::2], _entries[1::2], strict=True):
        _UNITS[_unit] = (_dimension, float(_factor))

_MONTH = (
    r"(?P<month>january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\.?"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_OPEN = r"(?<![\w./])(?<!\w-)"
_CLOSE = r"(?![\w]|\.\d)"
_LONG_UNITS = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True) if unit not in "$€£")

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(_OPEN + pattern, re.IGNORECASE))
    for name, pattern in (
        ("iso", rf"(?P<year>(?:19|20)\d\d)-(?P<number>0[1-9]|1[0-2])(?:-(?P<day>[0-3]\d))?{_CLOSE}"),
        ("slashed", rf"(?P<one>\d{{1,2}})/(?P<other>\d{{1,2}})/(?P<year>(?:19|20)?\d\d){_CLOSE}"),
        ("day_month", rf"{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?{_CLOSE}"),
        ("day_month", rf"{_MONTH}\s+(?:the\s+)?{_DAY}{_CLOSE}(?:,?\s+{_YEAR}{_CLOSE})?"),
        ("day_month", rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}{_CLOSE}"),
        (
            "day_month",
            r"(?:(?<=\bin )|(?<=\bsince )|(?<=\bduring )|(?<=\buntil )|(?<=\btill )|(?<=\bby )"
            r"|(?<=\bfrom )|(?<=\bof ))"
            rf"{_YEAR}{_CLOSE}(?!\s+(?!was\b|is\b|has\b)[a-z]+s\b)(?P<month>$^)?",
        ),
        ("day_month", rf"(?<=\d\d\d\d to ){_YEAR}{_CLOSE}(?P<month>$^)?"),
        ("quarter", rf"q(?P<quarter>[1-4])(?:\s+(?:of\s+)?{_YEAR})?{_CLOSE}"),
        ("weekday", rf"(?P<weekday>{'|'.join(_WEEKDAYS)})s?{_CLOSE}"),
        ("clock", rf"(?P<hour>[0-2]?\d):(?P<minute>[0-5]\d)(?::[0-5]\d)?\s*(?P<half>[ap]\.?m\b\.?)?{_CLOSE}"),
        ("clock", r"(?P<hour>1[0-2]|0?[1-9])\s?(?P<half>[ap]\.?m\b\.?)(?P<minute>$^)?"),
        (
            "clock",
            r"(?<=\bat )(?P<hour>1[0-2]|[1-9])(?P<minute>$^)?(?P<half>$^)?(?=[.,;!]?(?:$| instead| on\b| sharp| now))",
        ),
        ("named_clock", r"(?P<named>noon|midnight)\b"),
        ("address", r"(?P<address>\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d{1,5})?)" + _CLOSE),
        ("version", rf"v(?:ersion\s+)?(?P<version>\d+(?:\.\w+)*(?:-[\w.]+)?){_CLOSE}"),
        ("version", rf"(?P<version>\d+(?:\.\d+){{2,}}(?:-[\w.]+)?){_CLOSE}"),
        (
            "number",
            r"(?P<sign>-(?=\d))?(?P<money>us\$|[$€£])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
            r"(?:(?P<scale>k|bn|mln)(?![\w]))?",
        ),
    )
)
_MONTH_ALONE = re.compile(r"(?<![\w.])(?P<month>" + "|".join(name.title() for name in _MONTH_NAMES) + r")(?!\w)")
_VERSION_BEFORE = re.compile(r"(?:\b[A-Z][A-Za-z+#]*|\b(?:version|release|python|node|java|go|ruby|php))\s$")
_STREET = re.compile(r"(?: [A-Z]\w+){1,3} (?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Square|Way|Court|Place)\b")
_UNIT_AFTER = re.compile(rf"(?P<gap>\s?|-)(?P<unit>{_LONG_UNITS})(?P<plural>s|es)?(?![\w])", re.IGNORECASE)
_SCALE_AFTER = re.compile(r"\s+(?P<scale>hundred|thousand|million|billion)\b", re.IGNORECASE)
_RATE_AFTER = re.compile(
    r"\s*(?:/|(?:[a-z]+\s+)?per\s+|an?\s+)(?P<per>s|sec|second|m|min|minute|h|hr|hour|day|week|month|year)\b",
    re.IGNORECASE,
)
_SPELLED_PATTERN = re.compile(
    rf"(?<![\w-])(?:(?P<tens>{'|'.join(_TENS)})[-\s](?P<ones>{'|'.join(list(_SMALL_NUMBERS)[1:10])})"
    rf"|(?P<word>{'|'.join(_SPELLED)}|once(?=\s(?:an?|per|every)\b))|(?P<every>{'|'.join(_EVERY)})"
    rf"|(?P<ordinal>{'|'.join(_ORDINALS)}))(?!\w)",
    re.IGNORECASE,
)
_COUNT = "|".join(["[1-9][0-9]?", *list(_SMALL_NUMBERS)[1:13]])
_SHARE = re.compile(
    rf"(?<![\w.:])(?P<some>{_COUNT}) (?:in|out of)(?: every)? (?P<of>{_COUNT}|100)(?= [a-z]|[.,;]|$)"
    r"(?! (?:hours?|days?|weeks?|months?|years?|minutes?|min|seconds?|am|pm|batches|steps)\b)",
    re.IGNORECASE,
)
_ONE_IS_NO_NUMBER = re.compile(r"\s+(?:of|is|was|who|that|which|another|can|could|should|more|day|time|thing)\b|\W*$")


def quantities_in(text: str) -> tuple[Quantity, ...]:
    """All quantities of a text in order; none lies inside another."""
    found = list(_shares(text))
    taken = [(one.start, one.end) for one in found]
    for name, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if len(found) >= QUANTITIES_MOST:
                break
            if _is_free(match.span(), taken) and (one := _built(name, match, text)) is not None:
                found.append(one)
                taken.append((one.start, one.end))
    for one in (*_months_alone(text), *_spelled(text)):
        if _is_free((one.start, one.end), taken):
            found.append(one)
            taken.append((one.start, one.end))
    return tuple(sorted(found, key=lambda one: one.start))


def unmatched(those: Iterable[Quantity], others: Iterable[Quantity]) -> tuple[Quantity, ...]:
    """Those quantities that agree with none of the others."""
    kept = tuple(others)
    return tuple(one for one in those if not any(one.agrees(other) for other in kept))


def _is_free(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return all(span[1] <= start or end <= span[0] for start, end in taken)


def _built(name: str, match: re.Match[str], text: str) -> Quantity | None:
    match name:
        case "iso" | "slashed" | "day_month" | "quarter":
            value = _date(name, match)
            return _quantity(Measure.DATE, value, "", text, *match.span()) if value else None
        case "weekday":
            return _quantity(Measure.WEEKDAY, match.group("weekday").lower(), "", text, *match.span())
        case "clock":
            value = _clock(match)
            return _quantity(Measure.TIME, value, "", text, *match.span()) if value else None
        case "named_clock":
            value = "12:00" if match.group().lower() == "noon" else "0:00"
            return _quantity(Measure.TIME, value, "", text, *match.span())
        case "address":
            return _quantity(Measure.ADDRESS, match.group("address"), "", text, *match.span())
        case "version":
            return _quantity(Measure.VERSION, match.group("version").lower(), "", text, *match.span())
        case _:
            return _number(match, text)


def _quantity(
    measure: Measure, value: str, dimension: str, text: str, start: int, end: int, bare: str = ""
) -> Quantity:
    return Quantity(measure, value, dimension, bare or value, text[start:end].strip(), start, end)


def _date(name: str, match: re.Match[str]) -> str:
    """Year, month and day as far as they are told: `2026-03-?`, `?-3-5`."""
    told = match.groupdict()
    year = told.get("year") or "?"
    if name == "quarter":
        return f"{year}-q{told['quarter']}"
    if name == "slashed":
        one, other = int(told["one"]), int(told["other"])
        month, day = (other, one) if one > 12 else (one, other)
        year = year if len(year) == 4 else f"20{year}"
    else:
        if not told.get("number") and not told.get("month"):
            return f"{year}-?-?"
        month = int(told["number"]) if told.get("number") else _MONTHS[told["month"].lower()]
        day = int(told["day"]) if told.get("day") else 0
    if not 1 <= month <= 12 or day > 31:
        return ""
    return f"{year}-{month}-{day or '?'}"


def _clock(match: re.Match[str]) -> str:
    hour, half = int(match.group("hour")), (match.group("half") or "").lower().replace(".", "")
    if hour > 24:
        return ""
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return f"{hour}:{match.group('minute') or '00'}"


def _number(match: re.Match[str], text: str) -> Quantity | None:
    end = match.end()
    if end < len(text) and (text[end].isalpha() or text[end] == "_") and not _UNIT_AFTER.match(text, end):
        return None  # `4xx`, `2fa`: a name
    if _STREET.match(text, end):
        return None  # `12 Quarry Road`: part of a name
    if re.match(r"-\d{3}", text[end:]):
        return None  # a telephone number
    digits = match.group("digits").replace(",", "")
    if "." in digits and not match.group("money") and _VERSION_BEFORE.search(text[: match.start()]):
        return _quantity(Measure.VERSION, digits, "", text, match.start(), end)
    try:
        value = float(digits)
    except ValueError:  # digits of other scripts that are no decimals
        return None
    if match.group("sign"):
        value = -value
    scale = (match.group("scale") or "").lower()
    return _with_unit(value * _SCALES.get(scale, 1), match.group("money") or "", text, match.start(), end)


def _with_unit(value: float, money: str, text: str, start: int, end: int) -> Quantity:
    """A number with the unit that follows it."""
    if scaled := _SCALE_AFTER.match(text, end):
        value, end = value * _SCALES[scaled.group("scale").lower()], scaled.end()
    bare = f"{value:.9g}"
    dimension = _UNITS[money[-1]][0] if money else ""
    if not dimension and (unit := _UNIT_AFTER.match(text, end)) and _is_unit(unit):
        dimension, factor = _UNITS[unit.group("unit").lower()]
        value, end = value * factor, unit.end()
    if rate := _RATE_AFTER.match(text, end):
        dimension, end = f"{dimension} per {rate.group('per')[:2].lower()}", rate.end()
    return _quantity(Measure.NUMBER, f"{value:.9g}", dimension, text, start, end, bare)


def _is_unit(match: re.Match[str]) -> bool:
    """A unit of one letter stands at its number: `5 s` may be, `5 V` may be, `3 a` and `2 b` need not."""
    unit, gap = match.group("unit"), match.group("gap")
    if len(unit) > 1:
        return True
    return not gap or unit in "%°sgmVWhL"


def _months_alone(text: str) -> Iterator[Quantity]:
    """`March` with a capital; `may` and `march` in small letters are verbs, and `May` at the start is in doubt."""
    for match in _MONTH_ALONE.finditer(text):
        if match.group() in ("May", "March") and not text[: match.start()].strip():
            continue
        yield _quantity(Measure.DATE, f"?-{_MONTHS[match.group().lower()]}-?", "", text, *match.span())


def _shares(text: str) -> Iterator[Quantity]:
    """`one in four`, `3 out of 10` as a share of a hundred."""
    for match in _SHARE.finditer(text):
        some, of = (float(_SPELLED.get(word.lower(), 0) or word) for word in match.group("some", "of"))
        if some < of:
            yield _quantity(Measure.NUMBER, f"{100 * some / of:.9g}", "percent", text, *match.span())


def _spelled(text: str) -> Iterator[Quantity]:
    for match in _SPELLED_PATTERN.finditer(text):
        told = {name: value.lower() for name, value in match.groupdict().items() if value}
        if "every" in told:
            yield _quantity(Measure.NUMBER, f"{_EVERY[told['every']]:.9g}", "seconds", text, *match.span())
        elif "ordinal" in told:
            yield _quantity(Measure.NUMBER, str(_ORDINALS[told["ordinal"]]), "order", text, *match.span())
        elif "tens" in told:
            value = _TENS[told["tens"]] + _SMALL_NUMBERS[told["ones"]]
            yield _with_unit(value, "", text, *match.span())
        elif told["word"] == "half" and text[match.end() :].startswith(" of"):
            yield _quantity(Measure.NUMBER, "50", "percent", text, *match.span())
        elif told["word"] not in ("one", "zero") or not _ONE_IS_NO_NUMBER.match(text, match.end()):
            yield _with_unit(_SPELLED.get(told["word"], 1), "", text, *match.span())
