"""Whether two wishes about the same matter differ: affirmed and denied, other amounts, another alternative."""

from __future__ import annotations

from types import MappingProxyType

from trigraph.text.polarity import WEAK_KEYS
from trigraph.text.quantities import Measure, Quantity
from trigraph.text.slots import Reading, read
from trigraph.text.wording import LIGHT

_ALTERNATIVES = """
    count: single one | separate individual several multiple two three
    medium: paper print printed printout | mail email e-mail inbox | phone call telephone | sms chat slack whatsapp
    length: short brief concise terse compact | long detailed full complete thorough extensive whole
    extent: word words | line lines | sentence sentences | paragraph paragraphs | page pages
    tone: formal formally polite | informal informally casual first-name
    part of day: morning mornings | noon lunchtime | afternoon afternoons | evening evenings | night nights
    frequency: hourly | daily | weekly | fortnightly | monthly | quarterly | yearly annually
    file: pdf | word docx | excel xlsx spreadsheet | csv | html | markdown | json | yaml
    layout: table tables | bullets bullet bulleted list | prose text | chart graph diagram
    system: metric | imperial
    weight: grams gram kilograms kilos | ounces pounds | cups
    temperature: celsius | fahrenheit
    place in order: first top beginning start | last bottom end
    sequence: before | after
    indentation: tabs tab | spaces
    language: english | german | french | spanish | italian | norwegian | danish | swedish | dutch | polish | portuguese
    clock: 24-hour | 12-hour
    number: singular | plural
    tense: past | present
    colour: black | white | red | green | blue | yellow | grey gray | brown | orange | purple | pink
    light: dark | light bright
    quote: single-quotes | double-quotes
    grain: total totals overall sum altogether | each individual individually separately
    share: together combined bundled joint batched | separately apart each one-by-one
    speed: immediately instantly once | later batched weekly
    tax: net | gross
    taste: sweet | salty savoury | sour | bitter | spicy hot | mild
    drink: tea | coffee | water | wine | beer
    sort: alphabetical alphabetically | chronological chronologically date
    address: surname surnames | forename forenames
"""


def _alternatives() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for line in _ALTERNATIVES.strip().splitlines():
        sort, _, groups = line.strip().partition(": ")
        for group in groups.split("|"):
            words = group.split()
            for word in words:
                found.setdefault(word, (sort, words[0]))
    return found


_CHOICES = MappingProxyType(_alternatives())


def differ(older: str, newer: str) -> bool:
    """Whether the newer of two statements about the same matter wants it otherwise."""
    one, other = read(older), read(newer)
    return _opposed(one, other) or _other_amount(one, other) or _other_choice(one, other)


def contradict(older: str, newer: str) -> bool:
    """Whether they differ by a denial or an amount: not merely by words that may be told of different things."""
    one, other = read(older), read(newer)
    return _opposed(one, other) or _other_amount(one, other)


def _opposed(older: Reading, newer: Reading) -> bool:
    return any(
        sign and newer.signs.get(key) == -sign and key not in WEAK_KEYS and not key.startswith("~") and key not in LIGHT
        for key, sign in older.signs.items()
    )


def _other_amount(older: Reading, newer: Reading) -> bool:
    return any(
        one.comparable(other) and not one.agrees(other) and _same_counted(older, one, newer, other)
        for one in older.quantities
        for other in newer.quantities
    )


def _same_counted(older: Reading, one: Quantity, newer: Reading, other: Quantity) -> bool:
    if one.measure in (Measure.TIME, Measure.WEEKDAY):
        return True
    if one.dimension and other.dimension:
        return True
    counted = _counted(older, one)
    return one.measure is Measure.NUMBER and counted != "" and counted == _counted(newer, other)


def _counted(reading: Reading, quantity: Quantity) -> str:
    """What a number counts: the first word of weight after it, in its clause."""
    for word in reading.words:
        if word.start >= quantity.end and (word.stem or word.token in (".", ",", ";", ":", "!", "?")):
            return word.stem
    return ""


def _other_choice(older: Reading, newer: Reading) -> bool:
    one, other = _chosen(older), _chosen(newer)
    return any(other[sort] - one[sort] for sort in one.keys() & other.keys())


def _chosen(reading: Reading) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word in reading.words:
        if word.token in _CHOICES:
            sort, choice = _CHOICES[word.token]
            found.setdefault(sort, set()).add(choice)
    return found
