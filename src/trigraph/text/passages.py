"""Long texts as passages: pieces that a model takes whole and a reader understands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TARGET_CHARS = 700
LIMIT_CHARS = 1100

_FENCE = re.compile(r"^\s*(```|~~~)")
# Titles are matched whole and stripped afterwards: patterns that trim are slow on lines of blanks.
_HEADING = re.compile(r"#{1,6}[ \t](.*)")
_FRONT_MATTER = re.compile(r"\A---\r?\n(.*?)\n---", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:(.*)$", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])[\"'”’)\]]*\s+|\n+")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `[start, end)` of a text, and the heading they stand under."""

    start: int
    end: int
    heading: str | None = None


def split_passages(text: str) -> list[Span]:
    """Spans that cover all of the text's words, in order and without overlap.

    A short text is one passage. A long one is cut at headings, else at paragraphs, else at sentences,
    else at spaces; small neighbours under one heading are put together up to `TARGET_CHARS`.
    """
    if len(text) <= LIMIT_CHARS:
        return [Span(0, len(text))]
    return [span for span in _packed(text) if text[span.start : span.end].strip()]


def title_of(text: str) -> str | None:
    """The title of a markdown text: from its front matter, else its first level-1 heading outside of code."""
    front = _FRONT_MATTER.match(text)
    named = _FRONT_TITLE.search(front.group(1)) if front else None
    if named and (title := named.group(1).strip().strip("\"'")):
        return title
    fenced = False
    for line in text[front.end() if front else 0 :].splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and line.startswith(("# ", "#\t")) and (match := _HEADING.match(line)):
            return _heading_text(match)
    return None


def _heading_text(match: re.Match[str]) -> str | None:
    return match.group(1).strip().rstrip("#").rstrip() or None


def _packed(text: str) -> Iterator[Span]:
    start = end = 0
    heading: str | None = None
    for piece in _pieces(text):
        if end == start:
            start = piece.start  # blank lines before the first are nobody's
        fits = piece.heading == heading and piece.end - start <= TARGET_CHARS
        if end > start and not fits:
            yield Span(start, end, heading)
            start = piece.start
        heading, end = piece.heading, piece.end
    if end > start:
        yield Span(start, end, heading)


def _pieces(text: str) -> Iterator[Span]:
    """Paragraphs with the heading above them, none longer than `LIMIT_CHARS`."""
    for paragraph in _paragraphs(text):
        position = paragraph.start
        while paragraph.end - position > LIMIT_CHARS:
            cut = _cut(text, position)
            yield Span(position, cut, paragraph.heading)
            position = cut
        yield Span(position, paragraph.end, paragraph.heading)


def _paragraphs(text: str) -> Iterator[Span]:
    """Runs of lines between blank ones. A heading begins a paragraph and is never one by itself."""
    start = position = 0
    heading: str | None = None
    fenced = only_heading = False
    for line in text.splitlines(keepends=True):
        after = position + len(line)
        if _FENCE.match(line):
            fenced = not fenced
        named = None if fenced else _HEADING.match(line)
        blank = not fenced and not line.strip()
        if (named or blank) and not only_heading:
            until = after if blank else position
            if position > start:
                yield Span(start, until, heading)
            start = until
        if named:
            heading, only_heading = _heading_text(named), True
        elif not blank:
            only_heading = False
        position = after
    if position > start:
        yield Span(start, position, heading)


def _cut(text: str, position: int) -> int:
    """Where to cut an over-long paragraph: after the last sentence that fits, else at a space."""
    window = text[position : position + LIMIT_CHARS]
    ends = [match.end() for match in _SENTENCE_END.finditer(window) if match.end() >= TARGET_CHARS // 2]
    if ends:
        return position + ends[-1]
    spaces = [match.end() for match in re.finditer(r"\s+", window) if match.end() >= TARGET_CHARS // 2]
    return position + (spaces[-1] if spaces else LIMIT_CHARS)
