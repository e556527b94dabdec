"""Relations that a sentence itself states, from the closed list. A wrong relation harms more than a missed one.

A clause counts only if it reads, from its beginning, subject – verb phrase – object, with nothing in between that was
not understood. So what is denied, wished, asked, planned or past states nothing: its words stand in the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from trigraph.model.relation import RelationType
from trigraph.text.part_words import is_part_noun
from trigraph.text.phrases import Noun, Sentence, Word, is_list_with_and, is_mark, noun_at, nouns_at, sentences
from trigraph.text.properties import StatedProp, stated_props
from trigraph.text.relation_verbs import AUXILIARIES, BY_FIRST_WORD, Phrase
from trigraph.text.statement_forms import other_forms
from trigraph.text.statement_sense import END, YEAR, fits, meaning, whole_and_part

__all__ = ["Stated", "StatedProp", "stated_props", "stated_relations"]

RELATIONS_MOST = 8
TEXT_LIMIT_CHARS = 2000
"""Longer texts are documents: what they declare is read elsewhere."""

R = RelationType
Span = tuple[int, int]

# What makes a whole sentence no statement of what is.
_OPEN = frozenset(
    """
    if whether unless wish wishes wished suppose supposing supposedly assuming imagine hypothetically theoretically
    maybe perhaps possibly probably presumably allegedly reportedly rumor rumors rumour unclear unsure doubt doubts
    anymore formerly previously originally hopefully until till false untrue
    """.split()
)
_CANCELLED = re.compile(
    r"\b(?:decided against|any longer|any more|in theory|was (?:reverted|rolled back)|turned out to be wrong)\b",
    re.IGNORECASE,
)
_OPEN_LABELS = frozenset(
    "plan idea todo proposal option hypothesis question draft goal wish example e.g. proposed planned maybe".split()
)
_ADVERBS = frozenset(
    """
    also currently now still already mainly mostly primarily directly internally heavily strictly actually really
    usually often generally typically always clearly definitely officially fully partly again today therefore thus
    hence additionally automatically simply newly then immediately consequently subsequently eventually specifically
    explicitly implicitly effectively essentially basically otherwise
    """.split()
)
_LEADING = frozenset(
    """
    in on at since as for during after before by from with last this yesterday today meanwhile however finally again
    additionally furthermore moreover so then thus therefore lately recently
    """.split()
)
_CONJUNCTIONS = frozenset("because but so while whereas although though since and".split())


@dataclass(frozen=True, slots=True)
class Stated:
    """A relation and where it stands: both ends as written, without article, and the span from first to last."""

    source: str
    source_span: Span
    type: RelationType
    target: str
    target_span: Span
    start: int
    end: int


def stated_relations(text: str) -> tuple[Stated, ...]:
    """The relations that a text states, in order, each once; none of texts that are too long to be a note."""
    if len(text) > TEXT_LIMIT_CHARS:
        return ()
    found = (one for sentence in sentences(text) for one in _of_sentence(text, sentence))
    once = {(one.source.casefold(), one.type, one.target.casefold()): one for one in islice(found, 4 * RELATIONS_MOST)}
    return tuple(islice(once.values(), RELATIONS_MOST))


def is_open(sentence: Sentence, text: str) -> bool:
    """Whether a sentence asks, supposes or takes back, so that it states nothing."""
    words = sentence.words
    if sentence.is_question or not words or any(word.low in _OPEN for word in words):
        return True
    if words[0].low in _OPEN_LABELS and any(word.low == ":" for word in words[:4]):
        return True
    return _CANCELLED.search(text, words[0].start, words[-1].end) is not None


def _of_sentence(text: str, sentence: Sentence) -> Iterator[Stated]:
    if is_open(sentence, text):
        return
    words = tuple(word for word in sentence.words if word.low not in _ADVERBS)
    reader = _Reader(text, words)
    place = 0
    while place < len(words):
        phrase = _phrase_at(words, place)
        if phrase is None:
            place += 1
            continue
        made, place = reader.clause(phrase, place)
        yield from made
    if not reader.denied:
        yield from reader.compounds()
        told = (reader.made(source, type_, target) for source, type_, target in other_forms(words))
        yield from (one for one in told if one is not None)


def _phrase_at(words: Sequence[Word], place: int) -> Phrase | None:
    for phrase in BY_FIRST_WORD.get(words[place].low, ()):
        if tuple(word.low for word in words[place : place + len(phrase.words)]) == phrase.words:
            return phrase
    return None


@dataclass(frozen=True, slots=True)
class _PartNoun(Noun):
    """`The left rear door of the Transit van`: a part with its whole."""

    whole: Noun = field(kw_only=True)


class _Reader:
    """Goes through one sentence, and remembers the subject that a later verb may share."""

    def __init__(self, text: str, words: Sequence[Word]) -> None:
        self._text = text
        self._words = words
        self._since = 0
        self._subjects: list[Noun] = []
        self._objects: list[Noun] = []
        self.denied = any(word.low in ("not", "never", "no", "neither") or word.low.endswith("n't") for word in words)

    def clause(self, phrase: Phrase, place: int) -> tuple[list[Stated], int]:
        """What the verb phrase at this place states, and where to read on."""
        after = place + len(phrase.words)
        subjects = self._subjects_before(place)
        if subjects and phrase.plural and len(subjects) == 1 and not subjects[0].is_plural:
            subjects = []
        objects, end = nouns_at(self._words, after)
        objects, end, parts = self._parts_of(objects, end)
        following = self._words[end] if end < len(self._words) else END
        if not subjects or not objects or not fits(phrase, subjects, objects, following):
            return [], after
        made = [self._stated(phrase, one, other) for one in subjects for other in objects]
        made = [one for one in made if one is not None]
        for noun in (*subjects, *objects):
            made += self._inner(noun)
        made += parts
        if not self._continues_as_relative:
            self._subjects = subjects
        self._objects, self._since = objects, end
        return [one for one in made if one is not None], end

    def compounds(self) -> Iterator[Stated]:
        """Parts that a year and a model name: `1997 Ram 2500 steering box`, whatever is said of them."""
        for place, word in enumerate(self._words):
            if YEAR.fullmatch(word.text) and (found := noun_at(self._words, place)):
                yield from self._inner(found[0])

    def _subjects_before(self, place: int) -> list[Noun]:
        """The subject of the verb at this place: what stands before it since the last clause, if that is all a name."""
        self._continues_as_relative = False
        start = next(
            (
                at + 1
                for at in range(place - 1, self._since - 1, -1)
                if is_mark(self._words[at]) and self._words[at].low != ","
            ),
            self._since,
        )
        segment = self._words[start:place]
        if len(segment) > 1 and segment[-1].low == "both":
            segment = segment[:-1]
        lows = [word.low for word in segment]
        begun = start > self._since or self._since > 0
        if begun and self._objects and start == self._since:
            return self._later_subject(segment, lows)
        if lows[-2:-1] == [","] and lows[-1] in ("who", "which"):
            return self._whole(segment[:-2])
        return self._whole(segment) or self._whole(_without_lead(segment)) or self._apposed(segment)

    def _later_subject(self, segment: Sequence[Word], lows: list[str]) -> list[Noun]:
        """After a finished statement: the same subject again, its object (`, which …`), or a new one."""
        if lows in ([","], ["and"], [",", "and"], ["but"], [",", "but"]):
            return self._subjects
        if lows in ([",", "which"], [",", "who"]):
            self._continues_as_relative = True
            return self._objects[-1:]
        joints = [place for place, low in enumerate(lows) if low in _CONJUNCTIONS or low == ","]
        if not joints:
            return []
        rest = segment[joints[-1] + 1 :]
        before = [low for low in lows[: joints[0]] if low in AUXILIARIES]
        if (
            not rest
            and not before
            and lows[0] in ("for", "in", "on", "at", "with", "since", "over")
            and lows[-1] == "and"
        ):
            return self._subjects
        return self._whole(rest) if rest else []

    def _whole(self, segment: Sequence[Word]) -> list[Noun]:
        """The segment as nothing but a name or a list of names."""
        while segment and segment[0].low in (*_CONJUNCTIONS, ","):
            segment = segment[1:]
        if not segment:
            return []
        nouns, end = nouns_at(segment, 0)
        if end == len(segment):
            return nouns if is_list_with_and(segment) else []
        if len(nouns) == 1 and segment[end].low == "of" and is_part_noun(nouns[0].head):
            whole = noun_at(segment, end + 1)
            if whole and whole[1] == len(segment):
                return [_PartNoun(nouns[0].words, nouns[0].determiner, whole=whole[0])]
        return []

    def _apposed(self, segment: Sequence[Word]) -> list[Noun]:
        """`Marcus, a member of the platform team, prefers …`: the name before the comma, if one follows as well."""
        commas = [place for place, word in enumerate(segment) if word.low == ","]
        if (
            len(commas) == 2
            and commas[1] == len(segment) - 1
            and not any(word.low in AUXILIARIES or word.low in _OPEN_LABELS for word in segment)
        ):
            return self._whole(segment[: commas[0]])
        return []

    def _parts_of(self, objects: list[Noun], end: int) -> tuple[list[Noun], int, list[Stated]]:
        """An object that goes on with `of`: a part of something, or not understood."""
        if not objects or end >= len(self._words) or self._words[end].low != "of":
            return objects, end, []
        whole = noun_at(self._words, end + 1)
        if whole is None or not is_part_noun(objects[-1].head):
            return [], end, []
        part = self.made(objects[-1], R.PART_OF, whole[0])
        return objects, whole[1], [part] if part else []

    def _inner(self, noun: Noun) -> list[Stated]:
        """What a noun phrase says by itself: of which thing its head is a part."""
        if isinstance(noun, _PartNoun):
            made = self.made(noun, R.PART_OF, noun.whole)
            return [made] if made else []
        found = whole_and_part(noun)
        made = self.made(found[1], R.PART_OF, found[0]) if found else None
        return [made] if made else []

    def _stated(self, phrase: Phrase, subject: Noun, object_: Noun) -> Stated | None:
        subject, object_ = (found[1] if (found := whole_and_part(one)) else one for one in (subject, object_))
        type_ = meaning(phrase, subject, object_)
        if type_ is None:
            return None
        backwards = phrase.reversed or (phrase.words[0] in ("belongs", "belong") and type_ is R.OWNS)
        return self.made(object_, type_, subject) if backwards else self.made(subject, type_, object_)

    def made(self, source: Noun, type_: RelationType, target: Noun) -> Stated | None:
        names = source.name, target.name
        if names[0].casefold() == names[1].casefold():
            return None
        spans = (source.start, source.end), (target.start, target.end)
        return Stated(
            names[0], spans[0], type_, names[1], spans[1], min(spans[0][0], spans[1][0]), max(spans[0][1], spans[1][1])
        )


def _without_lead(segment: Sequence[Word]) -> Sequence[Word]:
    """Without an opening such as `Since March,`."""
    commas = [place for place, word in enumerate(segment) if word.low == ","]
    if not commas or segment[0].low not in _LEADING or any(word.low in AUXILIARIES for word in segment):
        return ()
    return segment[commas[0] + 1 :]
