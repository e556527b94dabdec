"""What changed between two texts, word by word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

WORDS_MOST = 4000
"""Longer texts are compared line by line: that takes time by the square of what is compared."""
_WORD = re.compile(r"\s+|[^\s]+")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_KEPT_WORDS = 24


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text that was kept, taken out or put in."""

    change: str
    text: str


def differences(before: str, after: str) -> tuple[Piece, ...]:
    """The pieces in order; long stretches that were kept are cut in their middle."""
    pattern = _WORD if len(before) + len(after) < WORDS_MOST * len("words ") else _LINE
    old, new = pattern.findall(before), pattern.findall(after)
    pieces: list[Piece] = []
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("kept", _cut(old[old_from:old_to])))
            continue
        if old_to > old_from:
            pieces.append(Piece("out", "".join(old[old_from:old_to])))
        if new_to > new_from:
            pieces.append(Piece("in", "".join(new[new_from:new_to])))
    return tuple(pieces)


def _cut(words: list[str]) -> str:
    if len(words) <= 3 * _KEPT_WORDS:
        return "".join(words)
    return "".join(words[:_KEPT_WORDS]) + " … " + "".join(words[-_KEPT_WORDS:])
