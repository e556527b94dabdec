"""What two neighbouring sentences do, as named features: who is spoken to, what is asked, when and with whose leave.

A class of words alone says little. Classes that meet in a sentence make pairs (`called×order:send`), and those that
follow each other closely are kept in their order (`not>send`). Words themselves are weak features (`w:quietly`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

from trigraph.text.guard_folding import View
from trigraph.text.guard_lookup import ORDER, WIDE, classes_at, english, foreign, wide
from trigraph.text.guard_shapes import MOVES, PAIRED_STRUCTURES, SENTENCE_SHAPES, STRUCTURES

WINDOW_SENTENCES = 8
WINDOW_STEP = 4
"""A window begins so many sentences after the one before it."""
NEIGHBOURS = "b:"
"""Before two words or marks that stand next to each other."""
NEAR_WORDS = 5
SENTENCE_CHARS = 500
"""Longer sentences are cut."""
ENGLISH_SHARE = 0.1
"""With fewer English words than that, words of other languages are looked up too."""

_TOKEN = re.compile(
    r"(?P<url>https?://\S+|\bwww\.\S+)|(?P<mail>[^\s@<>()\"',;:]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})"
    r"|(?P<host>\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}"
    r"\.(?:com|net|org|io|test|example|invalid|dev|sh|co|info|biz|ru|xyz|app|site)\b)"
    r"|(?P<word>[^\W_]+(?:'[^\W_]+)*)|(?P<mark>[^\w\s]+)"
)
_QUOTED = re.compile(r"[\"“«'`][^\"”»\n]{4,300}[\"”»'`]")
_ADDRESSES = frozenset({"url", "mail", "host"})
_BREAK = re.compile(r"(?<=[.!?])[\"')\]]{0,3}\s+|\n+|(?<=[。！？；])|(?<=;)\s+|\s{1,3}[–—→|]\s{1,3}|\\n")
_ENGLISH = frozenset("the of and to with this that you your be are it from any not will have is for on by as".split())
_BEFORE_ORDER = frozenset(
    "and then please also now just simply kindly first instead but so always never or afterwards silently quietly"
    " must shall should to don't not only immediately therefore secretly ever bitte".split()
)
_CALLING = frozenset(
    "dear hey hello hi attention note notice memo message hint tip instruction instructions reminder for to any all the"
    " every each ok okay yo psst info important warning todo".split()
)
_HUMAN_TRADES = frozenset(
    "estate travel sales shop executive insurance ticket dental teaching booking call letting cleaning care support"
    " user personal chemical washing real free transfer legal customs role fashion data business".split()
)
_MARKS_OF_CALLING = ",:!;>–—-→)]/"
_ENDINGS = ("ing", "ed", "es", "s", "ly", "e")


@dataclass(frozen=True, slots=True)
class Window:
    """Two neighbouring sentences: where they stand in a view, and what they do."""

    start: int
    end: int
    features: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Sentence:
    classes: frozenset[str]
    others: frozenset[str]


def windows(view: View) -> Iterator[Window]:
    """The sentences of a view, two at a time; a view without any has no window."""
    structures = {f"text:{name}" for name, shape in STRUCTURES.items() if shape.search(view.text)}
    frame = {name for name in structures if name.removeprefix("text:") in PAIRED_STRUCTURES}
    if view.encoded or view.disguised:
        frame.add("text:encoded")
    spans = list(_sentences(view.text))
    done = [_with_pairs(_sentence(view.text[start:end]), frame) for start, end in spans]
    for place in range(0, max(1, len(spans) - WINDOW_STEP) if spans else 0, WINDOW_STEP):
        last = min(place + WINDOW_SENTENCES, len(spans)) - 1
        features = structures.union(frame, *done[place : last + 1])
        yield Window(spans[place][0], spans[last][1], frozenset(features))


def _with_pairs(sentence: _Sentence, frame: set[str]) -> frozenset[str]:
    meeting = sorted(sentence.classes | frame)
    pairs = {f"{left}×{right}" for left, right in combinations(meeting, 2)}
    done = sentence.classes | sentence.others | frame
    moves = {f"move:{name}" for name, parts in MOVES.items() if all(part & done for part in parts)}
    alone = (sentence.classes | sentence.others) - {"address"}  # an address says something only beside an order
    return alone | pairs | (moves if "about_attacks" not in done else set())


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end, after in [*(match.span() for match in _BREAK.finditer(text)), (len(text), len(text))]:
        for part in range(start, end, SENTENCE_CHARS):
            stop = min(end, part + SENTENCE_CHARS)
            if text[part:stop].strip(" \t\r\n-=#>*`"):
                yield part, stop
        start = after


def _sentence(sentence: str) -> _Sentence:
    """The classes of words in a sentence, with those that stand near each other and the words themselves."""
    tokens = list(_TOKEN.finditer(sentence))
    marked = [place for place, token in enumerate(tokens) if token.lastgroup == "word"]
    plain = [tokens[place].group() for place in marked]
    classes = {name for name, shape in SENTENCE_SHAPES.items() if shape.search(sentence)}
    if any(token.lastgroup in _ADDRESSES for token in tokens):
        classes.add("address")
    if WIDE.search(sentence):
        classes.update(name for name, shape in wide().items() if shape.search(sentence))
    others = {f"w:{_stem(word)}" for word in plain}
    others.update(f"{NEIGHBOURS}{one.group()} {other.group()}" for one, other in pairwise(tokens))
    is_english = sum(word in _ENGLISH for word in plain) >= ENGLISH_SHARE * len(plain)
    trees = (english(),) if is_english else (english(), foreign())
    quotes = [match.span() for match in _QUOTED.finditer(sentence)]
    recent: list[tuple[int, set[str]]] = []
    for index in range(len(plain)):
        opening = index == 0 or marked[index] != marked[index - 1] + 1 or plain[index - 1] in _BEFORE_ORDER
        found = {name for tree in trees for name in classes_at(tree, plain, index)}
        here = {name for name in found if not name.startswith(ORDER)}
        if opening:
            here.update(f"order:{name[1:]}" for name in found if name.startswith(ORDER))
        if here & {"machine", "helper"}:
            if index and plain[index - 1] in _HUMAN_TRADES:
                here = here - {"machine", "helper"} | {"staff"}
            elif _is_called(tokens, marked, plain, index):
                classes.add("called")
        classes |= here
        if any(name.startswith("order:") for name in here):
            classes.add("order")
            quoted = any(start < tokens[marked[index]].start() < end for start, end in quotes)
            others.add("order:quoted" if quoted else "order:bare")
        if here:
            others.update(
                f"{left}>{right}"
                for place, names in recent
                for left in names
                for right in here
                if index - place <= NEAR_WORDS
            )
            recent = [*recent[1 - NEAR_WORDS :], (index, here)]
    return _Sentence(frozenset(classes), frozenset(others))


def _is_called(tokens: list[re.Match[str]], marked: list[int], plain: list[str], index: int) -> bool:
    """Whether somebody named is spoken to: at the beginning or after words like `note for`, with a mark soon after."""
    before = index
    while before and marked[before] == marked[before - 1] + 1 and index - before < 4:
        if plain[before - 1] not in _CALLING:
            return False
        before -= 1
    for token in tokens[marked[index] + 1 : marked[index] + 6]:
        if token.lastgroup == "mark":
            return token.group()[0] in _MARKS_OF_CALLING
    return False


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
