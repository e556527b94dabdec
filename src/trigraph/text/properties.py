"""Properties that a sentence states of a thing in slot form: `The API port is 8081`, `Billing service version: 2.3`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trigraph.text.phrases import Noun, Sentence, Word, is_mark, noun_at, sentences
from trigraph.text.relation_verbs import AUXILIARIES, VERBS

PROPERTIES_MOST = 8
TEXT_LIMIT_CHARS = 2000
VALUE_MOST_WORDS = 5

# What is worth a slot: said of a thing, it has one value at a time. Secrets are not among them.
SLOTS = frozenset(
    """
    address age author birthday branch brand budget capacity category city color colour cost country currency deadline
    department diameter domain duration email employer encoding extension format frequency gender height host hostname
    id interval job language latency length level license licence limit location maintainer make manager mileage model
    name nationality nickname number occupation owner phase phone platform port position price priority profession
    protocol quota rate region resolution role salary schedule schema score severity size speed stage status symbol
    temperature threshold timeout timezone title type unit url username version voltage website weight width year zone
    """.split()
)
_OPEN = frozenset(
    """
    if whether unless maybe perhaps possibly probably would might could should may not never no longer anymore unclear
    unknown undecided wrong false correct incorrect right missing same different important high low good bad fine ok
    still currently being going about set required optional too very up down open based tied due
    """.split()
)
_NO_VALUE = (
    _OPEN
    | AUXILIARIES
    | frozenset("in on at for of with by from to since until as than because when while which that who where".split())
)


@dataclass(frozen=True, slots=True)
class StatedProp:
    """A thing, the name of its property in small letters, and the value as written."""

    thing: str
    name: str
    value: str


def stated_props(text: str) -> tuple[StatedProp, ...]:
    """The properties that a text states, in order, each once."""
    if len(text) > TEXT_LIMIT_CHARS:
        return ()
    found = (one for sentence in sentences(text) for one in _of_sentence(text, sentence))
    return tuple(dict.fromkeys(found))[:PROPERTIES_MOST]


def _of_sentence(text: str, sentence: Sentence) -> Iterator[StatedProp]:
    words = sentence.words
    if sentence.is_question or len(words) < 3:
        return
    start = 1 if words[0].low == "-" else 0
    found = noun_at(words, start)
    if found is None:
        return
    noun, place = found
    owner: Noun | None = None
    if place < len(words) and words[place].low in ("of", "for") and noun.determiner == "the":
        of = noun_at(words, place + 1)
        if of is None:
            return
        owner, place = of
    if place >= len(words):
        return
    if words[place].low in ("is", ":", "="):
        slot = _slot(noun, owner)
        value = _value(text, words[place + 1 :])
        if slot and value:
            yield StatedProp(slot[0].name, slot[1], value)
    elif words[place].low == "has" and owner is None:
        yield from _possessed(text, noun, words[place + 1 :])


def _slot(noun: Noun, owner: Noun | None) -> tuple[Noun, str] | None:
    """The thing and its property: `API | port`, `Ana's | role`, `the port | of the API`."""
    if noun.head not in SLOTS:
        return None
    if owner is not None:
        return (owner, noun.head) if len(noun.words) == 1 else None
    if len(noun.words) < 2:
        return None
    thing = Noun(noun.words[:-1], noun.determiner)
    if thing.words[-1].is_possessive or thing.determiner == "the" or thing.is_capitalised:
        return thing, noun.head
    return None


def _possessed(text: str, thing: Noun, words: Sequence[Word]) -> Iterator[StatedProp]:
    """`… has a budget of 40,000`."""
    if len(words) > 3 and words[0].low in ("a", "an") and words[1].low in SLOTS and words[2].low == "of":
        value = _value(text, words[3:])
        if value and (thing.determiner == "the" or thing.is_capitalised):
            yield StatedProp(thing.name, words[1].low, value)


def _value(text: str, words: Sequence[Word]) -> str | None:
    """The few words to the end of the clause, if they are plainly a value."""
    taken: list[Word] = []
    for word in words:
        if is_mark(word) or (word.low == "and" and taken):
            break
        taken.append(word)
    if taken and taken[0].low in ("a", "an", "the"):
        taken = taken[1:]
    if not taken or len(taken) > VALUE_MOST_WORDS:
        return None
    if any(word.text.islower() and word.low in _NO_VALUE for word in taken):
        return None
    if any(word.text.islower() and word.low in VERBS for word in taken) or _is_participle(taken[0]):
        return None
    return text[taken[0].start : taken[-1].end]


def _is_participle(word: Word) -> bool:
    return word.text.islower() and word.low.isalpha() and word.low.endswith(("ing", "ed")) and len(word.low) > 4
