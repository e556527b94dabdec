"""Are two names one thing? By rule, in order: the same name or alias, an acronym, a part, a likeness, or different.

A wrong merge costs more than a missed one: what only context could decide is ambiguous, and goes to review. Which of
several candidates of one name is meant is the caller's question: one that matches two of them is ambiguous as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz import fuzz
from rapidfuzz.distance import JaroWinkler

from trigraph.lifecycle.abbreviations import is_partly_acronym_of, is_slip, lacks_ending_of, takes_letters_of
from trigraph.lifecycle.class_words import CLASS_NOUNS, CLASSES_OF_FIRMS, MAKERS
from trigraph.lifecycle.forms import ARTICLES, Form, blocks, form_of, initials_of, numeronym_of
from trigraph.lifecycle.records import RECORD_SAME, record_match_score
from trigraph.model.memory import EntityType
from trigraph.text.names import NAME_LIMIT_WORDS
from trigraph.text.part_words import is_part_noun
from trigraph.text.terms import analyse

__all__ = ["Judgement", "Match", "Named", "blocks", "match", "record_match_score"]

SAME_FROM = 0.85
REVIEW_FROM = 0.75
WEIGHT_STRING, WEIGHT_NEIGHBOURS, WEIGHT_COSINE = 0.55, 0.25, 0.20
NEIGHBOURS_DECIDE = 2

T = EntityType
_PEOPLE = frozenset((T.PERSON, T.PERSONA))
_MADE = frozenset((T.PROJECT, T.SYSTEM, T.TOOL, T.CONCEPT, T.SKILL, T.TASK, T.DOCUMENT))
_KINDRED = (
    _PEOPLE,
    _MADE,
    frozenset((T.ORGANIZATION, T.TOOL, T.SYSTEM, T.PROJECT)),
    frozenset((T.ORGANIZATION, T.LOCATION)),
    frozenset((T.VEHICLE, T.TOOL, T.SYSTEM)),
    frozenset((T.MATERIAL, T.CONCEPT)),
)
_PROPER = frozenset((T.ORGANIZATION, T.LOCATION, T.PROJECT, T.TOOL, T.SYSTEM))
_SIGN_WORDS = frozenset(("plus", "sharp"))
_APPOSITION = re.compile(r",\s+(?:a|an|the|our|my|his|her|their)\s+([^,.;]{3,60})")


class Match(StrEnum):
    """What two names are to each other."""

    SAME = "same"
    PART = "part"
    AMBIGUOUS = "ambiguous"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Named:
    """A thing by its name, with what is known around it: other names, things it occurs with, a sentence about it."""

    name: str
    type: EntityType = EntityType.UNKNOWN
    aliases: tuple[str, ...] = ()
    neighbours: frozenset[str] = frozenset()
    context: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was found, how sure that the two are one thing from 0 to 1, and why in plain words."""

    match: Match
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two things to compare, the one with the shorter name first, and what speaks for both being met together."""

    short: Named
    long: Named
    a: Form
    b: Form
    cosine: float | None

    @property
    def people(self) -> bool:
        return self.short.type in _PEOPLE or self.long.type in _PEOPLE

    @property
    def one_type(self) -> bool:
        return self.short.type is self.long.type and self.short.type is not T.UNKNOWN

    @property
    def shared_neighbours(self) -> int:
        return len(self.short.neighbours & self.long.neighbours)

    @property
    def is_supported(self) -> bool:
        """The two are met in like surroundings: a shared neighbour, or a shared word of their sentences."""
        return self.shared_neighbours > 0 or bool(self._words(self.short) & self._words(self.long))

    @property
    def is_decided(self) -> bool:
        """The surroundings alone tell that one thing is meant, where names leave it open."""
        fewer = min(len(self.short.neighbours), len(self.long.neighbours))
        neighbours = self.shared_neighbours >= NEIGHBOURS_DECIDE and 2 * self.shared_neighbours >= fewer
        return neighbours or (len(self.b.words) > len(self.a.words) and _holds(self.short.context, self.long.name))

    @property
    def has_contexts(self) -> bool:
        """Each has a sentence of its own."""
        return bool(self.short.context and self.long.context) and self.short.context != self.long.context

    def _words(self, one: Named) -> set[str]:
        return set(analyse(one.context)) - set(analyse(self.short.name)) - set(analyse(self.long.name))

    def score(self, string: float) -> float:
        """String, company and context together; what is not known has no say."""
        total, weight = WEIGHT_STRING * string, WEIGHT_STRING
        if self.short.neighbours and self.long.neighbours:
            share = self.shared_neighbours / len(self.short.neighbours | self.long.neighbours)
            total, weight = total + WEIGHT_NEIGHBOURS * share, weight + WEIGHT_NEIGHBOURS
        if self.cosine is not None:
            total, weight = total + WEIGHT_COSINE * max(self.cosine, 0.0), weight + WEIGHT_COSINE
        return round(min(total / weight, 1.0), 4)


def match(one: Named, other: Named, context_cosine: float | None = None) -> Judgement:
    """Whether two names mean one thing; the same whichever comes first. `context_cosine` is that of the embeddings of
    the sentences around them."""
    if _types_conflict(one.type, other.type):
        return Judgement(Match.DIFFERENT, 0.0, "their types exclude each other")
    short, long = sorted((one, other), key=_by_length)
    pair = _Pair(short, long, form_of(short.name, short.type), form_of(long.name, long.type), context_cosine)
    if not pair.a.compact or not pair.b.compact:
        same = short.name.strip().casefold() == long.name.strip().casefold()
        return Judgement(Match.SAME, 1.0, "the same name") if same else _different(pair)
    return _exact(pair) or _acronym(pair) or _longer(pair) or _alike(pair) or _different(pair)


def _exact(pair: _Pair) -> Judgement | None:
    """One name or alias of each is the same, case, punctuation, plural and usual abbreviations aside."""
    if pair.a.numbers == pair.b.numbers:
        if pair.a.compact == pair.b.compact:
            return _one_name(pair) or Judgement(Match.SAME, 1.0, "the same name")
        if pair.a.key == pair.b.key:
            return _one_name(pair) or Judgement(Match.SAME, 0.95, "the same name in another form")
    ours, theirs = _all_forms(pair.short), _all_forms(pair.long)
    if (pair.a.numbers, pair.a.compact) in theirs or (pair.b.numbers, pair.b.compact) in ours:
        return Judgement(Match.SAME, 1.0, "an alias of the other")
    if ours & theirs and not (pair.a.numbers and pair.b.numbers and pair.a.numbers != pair.b.numbers):
        return Judgement(Match.SAME, 0.95, "they share an alias")
    return None


def _one_name(pair: _Pair) -> Judgement | None:
    """What keeps two bearers of one name apart: what they are said to be, or nothing that says they are one."""
    first, second = _apposition(pair.short), _apposition(pair.long)
    if first and second and not first & second:
        return Judgement(Match.DIFFERENT, 0.3, "the same name, of two things")
    plain = pair.a.is_plain_word and pair.b.is_plain_word
    doubtful = pair.people or pair.short.type is not pair.long.type
    if plain and doubtful and pair.has_contexts and not pair.is_supported:
        return Judgement(Match.AMBIGUOUS, 0.8, "the same word, and nothing says that one thing is meant")
    return None


def _acronym(pair: _Pair) -> Judgement | None:
    for a, b in _written(pair):
        if a.numbers and b.numbers and a.numbers != b.numbers:
            continue
        for brief, full in ((a, b), (b, a)):
            if brief.compact == numeronym_of(full):
                return Judgement(Match.SAME, 0.9, "abbreviates the other")
            if not (brief.looks_like_acronym or (pair.one_type and len(brief.words) == 1)):
                continue
            if brief.compact in initials_of(full):
                return _acronym_found(pair, brief)
            if brief.looks_like_acronym and takes_letters_of(brief.compact, full):
                sure = pair.one_type and pair.is_supported
                return Judgement(Match.SAME if sure else Match.AMBIGUOUS, 0.85, "may be an acronym of the other")
    if pair.a.numbers == pair.b.numbers and (
        is_partly_acronym_of(pair.a, pair.b) or is_partly_acronym_of(pair.b, pair.a)
    ):
        return Judgement(Match.SAME, 0.9, "the same but for an acronym")
    return None


def _acronym_found(pair: _Pair, brief: Form) -> Judgement:
    """A short acronym stands for much: the types or the surroundings must bear it out."""
    known = T.UNKNOWN not in (pair.short.type, pair.long.type)
    proper = bool(_PROPER & {pair.short.type, pair.long.type}) and len(brief.compact) > 2
    sure = not pair.people and (known or proper or pair.is_supported or len(brief.compact) > 3)
    return Judgement(Match.SAME if sure else Match.AMBIGUOUS, 0.9 if sure else 0.8, "acronym of the other")


def _longer(pair: _Pair) -> Judgement | None:
    """One name holds the other: a part, a fuller name, a variant, or another thing that is called after it."""
    a, b = pair.a, pair.b
    if lacks_ending_of(a, b) or lacks_ending_of(b, a):
        sure = pair.one_type or pair.is_decided
        return Judgement(Match.SAME if sure else Match.AMBIGUOUS, 0.88, "the same but for a usual ending")
    if len(a.words) < len(b.words):
        if b.words[: len(a.words)] == a.words:
            return _continued(pair, b.words[len(a.words) :], b.cased[len(a.words) :])
        if b.words[-len(a.words) :] == a.words:
            return _preceded(pair, b.words[: -len(a.words)])
        if len(a.words) > 1 and set(a.words) < set(b.words):
            return _left_open(pair, "one name has more words than the other")
    return _nickname(pair) if pair.people else _by_class(pair)


def _continued(pair: _Pair, extra: tuple[str, ...], cased: tuple[str, ...]) -> Judgement:
    if pair.people:
        owned = re.search(r"['’]s?\s", pair.long.name)
        return _different(pair) if owned else _left_open(pair, "a first name, or part of a full name")
    if all(word[0].isdigit() for word in extra):
        return Judgement(Match.AMBIGUOUS, 0.7, "one of them names a number or version")
    if "," in pair.long.name:
        return _left_open(pair, "one name is qualified by the other")
    if set(extra) & _SIGN_WORDS or (len(extra) == 1 and len(extra[0]) == 1):
        return Judgement(Match.DIFFERENT, 0.5, "one has a sign or letter more")
    firm = pair.one_type and pair.short.type is T.ORGANIZATION and extra[-1] in CLASSES_OF_FIRMS
    if len(extra) == 1 and (extra[0] == pair.short.type or firm) and pair.a.words[-1] not in CLASS_NOUNS:
        return Judgement(Match.SAME, 0.9, "the same name with what it is")
    if len(extra) == 1 and extra[0] in CLASS_NOUNS:
        return _left_open(pair, "the same name with what it may be")
    if is_part_noun(extra[-1]) or extra[-1][0].isdigit():
        return Judgement(Match.PART, 0.6, "one is part of the other")
    if all(word.islower() for word in cased):
        if pair.a.is_common:
            return _left_open(pair, "a part, or another thing called after it")
        return Judgement(Match.PART, 0.6, "one is part of the other")
    if pair.one_type:
        return Judgement(Match.DIFFERENT, 0.5, "another thing, called after it")
    return _left_open(pair, "a part, or another thing called after it")


def _preceded(pair: _Pair, extra: tuple[str, ...]) -> Judgement:
    if len(extra) > 1 and extra[-1] in ARTICLES:
        extra = extra[:-1]
    if not pair.people and len(extra) > 1 and extra[-1] == "of" and is_part_noun(extra[-2]):
        return Judgement(Match.PART, 0.6, "one is part of the other")
    if not pair.people and len(extra) == 1 and extra[0] in MAKERS and pair.a.cased[0][0].isupper():
        return Judgement(Match.SAME, 0.9, "the same name with its maker")
    if all(word[0].isdigit() for word in extra):
        return Judgement(Match.AMBIGUOUS, 0.7, "one of them names a number or version")
    return _left_open(pair, "one name is a short form of many")


def _left_open(pair: _Pair, reason: str) -> Judgement:
    """Ambiguous, unless the surroundings decide; never across differing numbers."""
    if pair.is_decided and pair.a.numbers == pair.b.numbers:
        return Judgement(Match.SAME, 0.87, f"{reason}; met in the same company")
    return Judgement(Match.AMBIGUOUS, 0.7, reason)


def _nickname(pair: _Pair) -> Judgement | None:
    """`J. Park` and `Jin Park`, `Chris` and `Christine Lund`: perhaps."""
    a, b = pair.a.words, pair.b.words
    first, second = sorted((a[0], b[0]), key=len)
    begins = second.startswith(first) and first != second and len(first) != 2
    if begins and a[0].isalpha() and (len(a) == 1 or a[-1] == b[-1]) and (len(first) > 1 or len(a) > 1):
        return _left_open(pair, "a short form of a first name")
    return None


def _by_class(pair: _Pair) -> Judgement | None:
    """`truck` and `Ram 2500`: one says what the other is."""
    for class_, named in ((pair.short, pair.long), (pair.long, pair.short)):
        form = form_of(class_.name, class_.type)
        own_name = any(char.isupper() for char in named.name) and class_.name.islower()
        if pair.one_type and own_name and len(form.words) == 1 and class_.type in CLASS_NOUNS.get(form.words[0], ()):
            return Judgement(Match.AMBIGUOUS, 0.5, "one says only what the other is")
    return None


def _alike(pair: _Pair) -> Judgement | None:
    """A slip of the pen, or two long texts about one thing."""
    if min(len(pair.a.words), len(pair.b.words)) > NAME_LIMIT_WORDS:
        score = pair.score(record_match_score(pair.short.name, pair.long.name))
        same = score >= max(RECORD_SAME, SAME_FROM) and pair.a.numbers == pair.b.numbers
        return Judgement(Match.SAME, score, "texts that say the same") if same else None
    if pair.a.numbers != pair.b.numbers:
        return None
    if sorted(pair.a.words) == sorted(pair.b.words):
        return _left_open(pair, "the same words in another order")
    if len(pair.a.words) != len(pair.b.words):
        return None
    slips = [(one, other) for one, other in zip(pair.a.words, pair.b.words, strict=True) if one != other]
    if len(slips) != 1 or not is_slip(*slips[0]):
        return None
    score = pair.score(JaroWinkler.similarity(pair.a.compact, pair.b.compact))
    if pair.people:
        return _left_open(pair, "names that differ by a letter")
    if score >= SAME_FROM:
        return Judgement(Match.SAME, score, "the same but for a slip of the pen")
    return Judgement(Match.AMBIGUOUS, score, "names that differ by a letter") if score >= REVIEW_FROM else None


def _different(pair: _Pair) -> Judgement:
    score = round(fuzz.ratio(pair.a.compact, pair.b.compact) / 100 * REVIEW_FROM, 4)
    if pair.a.numbers != pair.b.numbers:
        return Judgement(Match.DIFFERENT, score, "they differ in a number")
    return Judgement(Match.DIFFERENT, score, "other names")


def _types_conflict(one: EntityType, other: EntityType) -> bool:
    if one is other or T.UNKNOWN in (one, other):
        return False
    return not any(one in kind and other in kind for kind in _KINDRED)


def _by_length(one: Named) -> tuple[int, int, str, str]:
    form = form_of(one.name, one.type)
    return (len(form.words), len(form.compact), one.name, one.type)


def _all_forms(one: Named) -> frozenset[tuple[tuple[str, ...], str]]:
    forms = (form_of(name, one.type) for name in (one.name, *one.aliases))
    return frozenset((form.numbers, form.compact) for form in forms if form.compact)


def _written(pair: _Pair) -> Iterator[tuple[Form, Form]]:
    """All ways to name the one beside all ways to name the other."""
    for first in (pair.short.name, *pair.short.aliases):
        for second in (pair.long.name, *pair.long.aliases):
            yield form_of(first, pair.short.type), form_of(second, pair.long.type)


def _holds(context: str, name: str) -> bool:
    return bool(context) and f" {form_of(name).compact} " in f" {_joined(context, len(form_of(name).words))} "


def _joined(context: str, length: int) -> str:
    """Every run of so many words of a sentence, written together."""
    words = form_of(context[:1000]).words
    return " ".join("".join(words[place : place + length]) for place in range(len(words) - length + 1))


def _apposition(one: Named) -> frozenset[str]:
    """The words of `Sam, our accountant in Oslo, …`: what a sentence says the thing is."""
    place = one.context.find(one.name)
    found = _APPOSITION.match(one.context, place + len(one.name)) if place >= 0 else None
    return frozenset(analyse(found.group(1))) if found else frozenset()
