"""Sentences of a text and where they stand: prose, list items and headings of markdown; code is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

LIMIT_CHARS = 40_000
"""So much of a text is read."""
SENTENCE_LIMIT_CHARS = 1000
"""What is longer is no sentence: a table, a log, a text without full stops."""

_FENCE = re.compile(r"(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}\s(.*)")
_ITEM = re.compile(r"(?:[-*+•–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_QUOTE = re.compile(r"(?:>\s?)+")
_TABLE = re.compile(r"\|.*\|$")
_DIFF_HEAD = re.compile(r"diff --git |@@ -\d|--- \S+\n?$|Index: \S")
_DIFF_LINE = re.compile(r"[-+ @\\]|diff |index |new file |deleted file |rename |similarity |\s*$")
_RULE = re.compile(r"(?:[-*_=]\s?){3,}$")
_BOLD_LINE = re.compile(r"(?:\*\*|__)([^*\n]{2,80}?)(?:\*\*|__)\s*:?\s*$")
_CODE_LINE = re.compile(
    r"(?:diff --git |index [0-9a-f]{7}|--- |\+\+\+ |@@ |[-+](?:\s{2,}|\S+[({=])|(?:def|class|import|from|return"
    r"|const|let|var|function|if|for|while|else|elif|try|except|assert|raise)\b[^.!?]*[:;({)=]\s*$|[{}()\[\];,]+\s*$"
    r"|\$ \S|[\w.\[\]]+\s*=\s*\S|Traceback \(most|File \".*\", line \d|at [\w.$<>]+\()"
)
_NUMBERED = re.compile(r"^(?:step )?\d{1,3}[.):]\s+", re.IGNORECASE)
_PICTURE = re.compile(r"[\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]+\s*")
_BREAK = re.compile(r"(?:[.!?]+|…|[。！？])[\"'”’)\]*_`]*(?=\s|$)|[。！？]")
_SHORT = frozenset(
    """
    e.g i.e etc vs cf mr mrs ms dr prof st nr fig eq sec vol approx dept est inc ltd co jr sr a.m p.m u.s u.k
    """.split()
)
_LAST_WORD = re.compile(r"([\w.]+)$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters `[start, end)` of a text, and their words without markup.

    `heading` is the one above it, `lead` the words that introduce the list it is an item of ("The workflow runs:"),
    `paragraph` counts what blank lines, items and headings part.
    """

    text: str
    start: int
    end: int
    heading: str | None = None
    lead: str | None = None
    is_item: bool = False
    paragraph: int = 0


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    end: int
    heading: str | None
    lead: str | None
    is_item: bool


def sentences_in(text: str) -> list[Sentence]:
    """The sentences in order, none overlapping, each with something to read in it."""
    found: list[Sentence] = []
    for paragraph, block in enumerate(_blocks(text[:LIMIT_CHARS])):
        for start, end in _cut(text, block.start, block.end):
            plain = plain_words(text[start:end]) if end - start <= SENTENCE_LIMIT_CHARS else ""
            if any(char.isalnum() for char in plain):
                found.append(Sentence(plain, start, end, block.heading, block.lead, block.is_item, paragraph))
    return found


def plain_words(marked: str) -> str:
    """Without markup and pictures, on one line. What stands in backticks keeps them: it is a name."""
    plain = re.sub(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)", r"\1", marked)
    plain = re.sub(r"\*\*|__(?=\s|\w[^_]*__)|(?<=\w)__(?=[\s.,:]|$)|~~", "", plain)
    plain = re.sub(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])", r"\1", plain)
    plain = _PICTURE.sub("", plain).replace("\\\n", " ").rstrip("\\")
    return " ".join(plain.split())


def _blocks(text: str) -> Iterator[_Block]:
    """Runs of lines that belong together: a paragraph, a list item, each with what stands above it."""
    heading: str | None = None
    leads: list[tuple[int, str]] = []
    block: _Block | None = None
    for kind, start, end, words in _lines(text):
        if kind is _Kind.PROSE and block is not None:
            block = _Block(block.start, end, block.heading, block.lead, block.is_item)
            continue
        if block is not None:
            yield block
            _lead(leads, text, block)
            block = None
        if kind is _Kind.TITLE:
            kept = leads if _introduces(text, start) else []
            heading, leads = words or heading, kept
        elif kind is _Kind.ITEM:
            depth = _indent(text, start)
            while leads and leads[-1][0] > depth:
                leads.pop()
            block = _Block(start, end, heading, leads[-1][1] if leads else None, True)
        elif kind is _Kind.PROSE:
            block = _Block(start, end, heading, None, False)
    if block is not None:
        yield block


class _Kind(Enum):
    PASSED = 0
    TITLE = 1
    ITEM = 2
    PROSE = 3


def _lines(text: str) -> Iterator[tuple[_Kind, int, int, str]]:
    """Each line: what it is, where its words begin and end, and the words of a title."""
    fenced, in_diff, position = "", False, 0
    for line in text.splitlines(keepends=True):
        words = line.strip()
        start = position + len(line) - len(line.lstrip())
        end = start + len(words)
        position += len(line)
        fence = _FENCE.match(words)
        if fenced or fence:
            yield _Kind.PASSED, start, end, ""
            if fence:
                fenced = ("" if fence.group(1).startswith(fenced) else fenced) if fenced else fence.group(1)[:3]
            continue
        in_diff = _DIFF_HEAD.match(line) is not None or (in_diff and _DIFF_LINE.match(line) is not None)
        if in_diff or not words or _RULE.match(words) or _TABLE.match(words):
            yield _Kind.PASSED, start, end, ""
        elif title := _HEADING.match(words) or _BOLD_LINE.match(words):
            yield _Kind.TITLE, start, end, _NUMBERED.sub("", plain_words(title.group(1))).rstrip(" :#")
        elif item := _ITEM.match(words):
            yield _Kind.ITEM, start + item.end(), end, ""
        elif _CODE_LINE.match(words):
            yield _Kind.PASSED, start, end, ""
        else:
            quote = _QUOTE.match(words)
            yield _Kind.PROSE, start + (quote.end() if quote else 0), end, ""


def _introduces(text: str, start: int) -> bool:
    """Whether what stands before a title announces it: "The suite covers:"."""
    return text[max(0, start - 200) : start].rstrip().endswith(":")


def _indent(text: str, start: int) -> int:
    line = text.rfind("\n", 0, start) + 1
    return len(text[line:start]) - len(text[line:start].lstrip())


def _lead(leads: list[tuple[int, str]], text: str, block: _Block) -> None:
    """Keep the words that introduce the items which follow: a paragraph that ends in a colon, an item for those
    deeper than itself."""
    words = plain_words(text[block.start : block.end])
    depth = _indent(text, block.start) + 1 if block.is_item else 0
    while leads and leads[-1][0] >= depth:
        leads.pop()
    if words.endswith(":"):
        words = re.split(r"(?<=[.!?])\s+", words)[-1]
    if words.endswith(":") or block.is_item:
        leads.append((depth, words))


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A block's sentences: at a full stop that ends one, not in a name, a number, an abbreviation or code."""
    begun = start
    for mark in _BREAK.finditer(text, start, end):
        if mark.end() < end and _goes_on(text, begun, mark, end):
            continue
        yield from _trimmed(text, begun, mark.end())
        begun = mark.end()
    yield from _trimmed(text, begun, end)


def _goes_on(text: str, begun: int, mark: re.Match[str], end: int) -> bool:
    if text.count("`", begun, mark.start()) % 2:
        return True
    after = text[mark.end() : end].lstrip()
    if mark.group()[0] in "!?。！？":
        return False
    word = _LAST_WORD.search(text, max(begun, mark.start() - 20), mark.start())
    last = word.group(1).lower() if word else ""
    if last in _SHORT or re.fullmatch(r"(?:[a-z]\.)+[a-z]", last) or (last != "i" and _is_initial(text, mark.start())):
        return not (last in ("etc", "inc", "a.m", "p.m") and after[:1].isupper())
    ellipsis = mark.group().startswith("..") or mark.group().startswith("…")
    return ellipsis and after[:1].islower()


def _is_initial(text: str, end: int) -> bool:
    """Whether one letter stands before the full stop: `J. Smith`."""
    return end >= 1 and text[end - 1].isalpha() and (end == 1 or text[end - 2].isspace())


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end
