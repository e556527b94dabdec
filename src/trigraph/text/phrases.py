"""Sentences as words with their places, and the noun phrases among them: what can stand at an end of a relation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trigraph.text.closed_words import (
    DETERMINERS,
    ING_NOUNS,
    LY_NOUNS,
    PRONOUNS,
    QUANTIFIERS,
    SMALL,
    TIMES,
    UNKNOWN_OWNERS,
    VAGUE,
)
from trigraph.text.names import is_nameable
from trigraph.text.relation_verbs import AUXILIARIES, BASE_VERBS, VERBS

PHRASE_MOST_WORDS = 8

_TOKEN = re.compile(r"(?:[^\s,;!?()\[\]{}\"“”|<>—–\n]|,(?=\d))+|[,;!?()\[\]{}\"“”|<>—–\n]")
# Fenced code and headings state nothing.
_SILENT = re.compile(r"(?s:```.*?(?:```|\Z))|(?m:^[ \t]{0,3}#{1,6}[ \t].*$)")
_TITLE = re.compile(r"[\"“]([^\"“”\n]{2,60})[\"”]")
_EDGES = "`*'’‘"
_SENTENCE_MARKS = frozenset("!?")
_BREAKS = frozenset(';()[]{}|<>—–"“”:-')
_ABBREVIATIONS = frozenset(
    "dr. mr. mrs. ms. prof. st. co. inc. ltd. corp. vs. e.g. i.e. etc. no. approx. jr. sr.".split()
)
_INITIAL = re.compile(r"[A-Z]\.|(?:[A-Za-z]\.){2,}")

_SHORT_ED_NOUNS = re.compile(r"(?:.{0,3}|.*eed|embed|sled|shed|.*bed)$")


class Word(NamedTuple):
    """A word or a mark of a sentence, and where it stands."""

    text: str
    low: str
    start: int
    end: int

    @property
    def is_possessive(self) -> bool:
        return self.low.endswith(("'s", "’s", "s'", "s’"))


@dataclass(frozen=True, slots=True)
class Sentence:
    """Its words and marks in order, and how it ends."""

    words: tuple[Word, ...]
    is_question: bool


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase: its words without the determiner, and the determiner if it has one."""

    words: tuple[Word, ...]
    determiner: str = ""

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def end(self) -> int:
        """Where the name ends; a possessive ending at the very end is not part of it."""
        last = self.words[-1]
        return last.end - (2 if last.low.endswith(("'s", "’s")) else 1 if last.is_possessive else 0)

    @property
    def head(self) -> str:
        return self.words[-1].low

    @property
    def is_capitalised(self) -> bool:
        return self.words[0].text[0].isupper()

    @property
    def name(self) -> str:
        """As it stands in the text, on one line and without marks of code."""
        cut = self.end - self.words[-1].end
        written = " ".join(word.text for word in self.words)
        return written[:cut] if cut else written

    @property
    def begins_with_gerund(self) -> bool:
        first = self.words[0]
        return not self.determiner and first.text.islower() and first.low.endswith("ing") and len(first.low) > 5

    @property
    def is_plural(self) -> bool:
        return self.head.endswith("s") and not self.head.endswith(("ss", "us", "is"))


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, outside of code. A line ends one, unless the next goes on in small letters."""
    prose = _SILENT.sub(lambda match: "\n" * len(match.group()), text)
    titles = {match.start(): match for match in _TITLE.finditer(prose)}
    words: list[Word] = []
    skip_until = 0
    for match in _TOKEN.finditer(prose):
        token, start = match.group(), match.start()
        if start < skip_until:
            continue
        if start in titles and _is_title(titles[start].group(1)):
            title = titles[start]
            words.append(Word(title.group(1), title.group(1).casefold(), title.start(1), title.end(1)))
            skip_until = title.end()
        elif token in _SENTENCE_MARKS or (token == "\n" and not _goes_on(prose, start)):
            yield Sentence(tuple(words), token == "?")
            words = []
        elif token != "\n":
            ended = _take(words, token, start)
            if ended:
                yield Sentence(tuple(words), False)
                words = []
    yield Sentence(tuple(words), False)


def _take(words: list[Word], token: str, start: int) -> bool:
    """Add a token, its marks apart; whether the sentence ends with it."""
    if len(token) == 1 and (token in _BREAKS or token == ","):
        words.append(Word(token, token, start, start + 1))
        return False
    start += len(token) - len(token.lstrip(_EDGES))
    token = token.lstrip(_EDGES)
    bare = token.rstrip("`*.:")
    ended = token.endswith(".") and token.casefold() not in _ABBREVIATIONS and not _INITIAL.fullmatch(token)
    shown = bare if ended or token[len(bare) :].strip(".") else token
    if shown.endswith(("'", "’")) and not shown.endswith(("s'", "s’")):
        shown = shown[:-1]
    if shown:
        words.append(Word(shown, shown.casefold().replace("’", "'"), start, start + len(shown)))
    if token.endswith(":"):
        words.append(Word(":", ":", start + len(token) - 1, start + len(token)))
    return ended


def _goes_on(prose: str, line_end: int) -> bool:
    following = prose[line_end + 1 : line_end + 40].lstrip(" \t")
    return following[:1].islower()


def _is_title(quoted: str) -> bool:
    words = quoted.split()
    return 0 < len(words) <= 6 and words[0][0].isupper() and quoted[-1].isalnum() and is_nameable(quoted)


def is_pronoun(word: Word) -> bool:
    return word.low in PRONOUNS


def is_mark(word: Word) -> bool:
    """Whether this separates rather than names."""
    return word.low == "," or word.low in _BREAKS or not (word.low == "&" or any(map(str.isalnum, word.low)))


def _may_stand_in_name(word: Word, is_first: bool, determined: bool) -> bool:
    low = word.low
    if is_mark(word) or low in PRONOUNS or low in SMALL or low in AUXILIARIES or low in DETERMINERS:
        return False
    if low in UNKNOWN_OWNERS or low in QUANTIFIERS or "://" in low:
        return False
    if word.text.islower() and (low in VERBS or low in TIMES):
        return False
    if is_first and low in TIMES and word.text.istitle():
        return False
    return not (is_first and not determined and low in BASE_VERBS)


def noun_at(words: Sequence[Word], place: int) -> tuple[Noun, int] | None:
    """The noun phrase that begins here, as long as it goes, and where it ends; none if it names nothing."""
    determiner = ""
    if place < len(words) and words[place].low in DETERMINERS:
        determiner, place = words[place].low, place + 1
    taken: list[Word] = []
    while place < len(words) and (
        _may_stand_in_name(words[place], not taken, bool(determiner))
        or (words[place].low == "of" and _joins_name(words, place, taken))
    ):
        taken.append(words[place])
        place += 1
    while taken and taken[-1].low in ("daily", "weekly", "monthly", "yearly"):
        taken.pop()
    if not taken or len(taken) > PHRASE_MOST_WORDS or not _names_something(taken, determiner):
        return None
    return Noun(tuple(taken), determiner), place


def _joins_name(words: Sequence[Word], place: int, taken: Sequence[Word]) -> bool:
    """`University of Ghent` is one name."""
    following = words[place + 1 : place + 2]
    return (
        bool(taken and following)
        and taken[-1].text[0].isupper()
        and following[0].text[0].isupper()
        and (following[0].low not in DETERMINERS)
    )


def _names_something(taken: Sequence[Word], determined_by: str) -> bool:
    last = taken[-1]
    if last.is_possessive or last.low in VAGUE or last.low == "of":
        return False
    if last.text.islower() and last.low.isalpha():
        if last.low.endswith("ly") and len(last.low) > 4 and last.low not in LY_NOUNS:
            return False
        if last.low.endswith("ed") and not _SHORT_ED_NOUNS.match(last.low):
            return False
        if determined_by in ("a", "an") and len(taken) > 2 and last.low.endswith("ing") and last.low not in ING_NOUNS:
            return False  # `a support group advocating for …`
    return is_nameable(" ".join(word.text for word in taken))


def nouns_at(words: Sequence[Word], place: int) -> tuple[list[Noun], int]:
    """A noun phrase or a list of them (`a, b and c`), and where it ends. Alternatives (`a or b`) name nothing.

    What follows a comma belongs to the list only if it ends in `and`, or has three items; what reads as a verb with its
    subject or object begins the next clause.
    """
    of_two = place < len(words) and words[place].low == "both"
    first = noun_at(words, place + of_two)
    if first is None:
        return [], place
    items, ends, joints = [first[0]], [first[1]], [""]
    while (joint := _joint_at(words, ends[-1])) is not None:
        found = noun_at(words, joint[1])
        if joint[0] == "or":
            return [], place
        if found is None or _begins_clause(words, found[1]) or _reads_as_clause(found[0], words[found[1] :]):
            break
        items, ends, joints = [*items, found[0]], [*ends, found[1]], [*joints, joint[0]]
        if joint[0] == "and":
            break
    if joints[-1] == "," and len(items) < 3:
        items, ends, joints = items[:1], ends[:1], joints[:1]
    if (of_two and len(items) < 2) or (joints[-1] == "and" and _share_a_head(items[-2], items[-1])):
        return [], place
    return items, ends[-1]


def is_list_with_and(words: Sequence[Word]) -> bool:
    """Whether commas among these words end in `and`, as in a list of subjects."""
    return not any(word.low == "," for word in words) or any(word.low == "and" for word in words)


def _share_a_head(one: Noun, other: Noun) -> bool:
    """`Web and API sessions`, `the f1 and f3 address classes`: the first is no name without the last word."""
    named = one.determiner or not one.words[0].text.islower()
    return bool(
        len(one.words) == 1
        and named
        and not other.determiner
        and len(other.words) > 1
        and other.is_plural
        and (other.words[-1].text.islower())
    )


def _reads_as_clause(noun: Noun, following: Sequence[Word]) -> bool:
    """`… and enjoys making models`, `… and Omar deploys it`, `… and looking for investors`: a verb of the sentence."""
    goes_on = bool(following) and not is_mark(following[0])
    if noun.begins_with_gerund and (len(noun.words) > 1 or goes_on):
        return True
    for place, word in enumerate(noun.words):
        last = place == len(noun.words) - 1
        third_person = word.text.islower() and word.low.endswith("s") and not word.low.endswith(("ss", "us", "is"))
        after_name = place > 0 and noun.words[place - 1].text[0].isupper()
        if third_person and (place == 0 or after_name) and not noun.determiner:
            takes_object = last and goes_on and following[0].low in DETERMINERS | PRONOUNS | UNKNOWN_OWNERS
            if takes_object or not last:
                return True
    return False


def _joint_at(words: Sequence[Word], place: int) -> tuple[str, int] | None:
    lows = [word.low for word in words[place : place + 3]]
    if lows[:2] in ([",", "and"], [",", "or"]):
        return lows[1], place + 2
    if lows == ["as", "well", "as"]:
        return "and", place + 3
    if lows and lows[0] in (",", "and", "or", "&"):
        return ("and" if lows[0] == "&" else lows[0]), place + 1
    return None


def _begins_clause(words: Sequence[Word], place: int) -> bool:
    """Whether a verb follows: the phrase before it is a subject."""
    if place >= len(words):
        return False
    low = words[place].low
    return low in VERBS or low in AUXILIARIES or low in BASE_VERBS
