"""Text that wants to steer whoever reads it: signs of instructions where there should be facts.

A text is read in every way it can be read (`guard_folding`), two sentences at a time (`guard_features`), and weighed by
a model whose weights can be read (`guard_model`). Disguises that no honest text wears are signs by themselves. Of a
long text only the beginning and the end are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from trigraph.text.guard_features import windows
from trigraph.text.guard_folding import HEAD_CHARS, TAIL_CHARS, shortened, smuggled, views, without_hidden
from trigraph.text.guard_model import WEAK_MARGIN, shipped

_BLUNT = re.compile(
    r"(?<![\"'`“‘«])\b(?:ignore|disregard|forget|override|discard|bypass)\s+(?:(?:all|any|every|each|the|your|these|those"
    r"|of)\s+){0,4}(?:previous|prior|earlier|above|preceding|former|existing|system|original|initial|safety)\s+"
    r"(?:\w+\s+){0,2}(?:instructions?|prompts?|guidelines?|directives?|rules|messages?|orders|commands?|context)\b"
    r"|(?<![\"'`“‘«])\b(?:ignor\w{1,5}|vergiss|olvid\w{1,3}|oubli\w{1,3}|dimentic\w{1,4}|esque[çc]\w{1,3}|negeer|vergeet|zignoruj)\s+"
    r"(?:[\w']+\s+){0,3}(?:instruc\w+|instruk\w+|istruzion\w+|anweisung\w*|vorgaben|consignes?|directives|indicaciones|regeln|reglas|regole|règles)"
    r"\s+(?:\w+\s+){0,2}(?:anterior\w*|pr[ée]c[ée]dent\w*|previas?|reçues|ricevute|recibidas)\b"
    r"|(?<![\"'`“‘«])\b(?:ignor\w{1,5}|vergiss|negeer|vergeet)\s+(?:[\w']+\s+){0,2}(?:bisherig\w*|vorherig\w*|früher\w*|eerdere|vorige)\s+"
    r"(?:anweisung\w*|instruk\w+|vorgaben|regeln|instructies|befehle)\b",
    re.IGNORECASE,
)
"""What is meant without doubt, whatever the model thinks of it."""
_TALKED_ABOUT = re.compile(
    r"\b(?:prompt[- ]injection|jailbreak|injection attack|attackers?|red[- ]team)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Sign:
    """What was seen, and in which part of the text."""

    name: str
    start: int
    end: int


def hidden(text: str) -> str:
    """The text without what nobody sees; joiners stay inside emoji and in scripts that are written with them."""
    return without_hidden(text)


def signs(text: str) -> tuple[Sign, ...]:
    """Every sign of steering, weak ones included, in the order of the text."""
    found = {sign for sign, _ in _found(text)}
    return tuple(sorted(found, key=lambda sign: (sign.start, sign.end, sign.name)))


def suspicious(text: str) -> tuple[str, ...]:
    """The names of the signs for which text from the web or from a tool belongs in quarantine; empty if it may pass."""
    return tuple(sorted({sign.name for sign, strong in _found(text) if strong}))


def _found(text: str) -> Iterator[tuple[Sign, bool]]:
    """Every sign, and whether it is enough by itself."""
    read = shortened(text)
    disguise = smuggled(read)
    if disguise is not None:
        yield Sign(disguise, 0, len(text)), True
    model = shipped()
    for view in views(read):
        blunt = _BLUNT.search(view.text)
        if blunt is not None and not _TALKED_ABOUT.search(view.text):
            yield Sign("override", 0, len(text)), True
        for window in windows(view):
            score = model.score(window.features)
            if score <= -WEAK_MARGIN:
                continue
            start, end = (0, len(read)) if view.encoded else (view.place(window.start), view.place(window.end))
            names = model.reasons(window.features)
            if view.encoded and "encoded_instruction" not in names:
                names = (*names, "encoded_instruction")
            for name in names:
                yield (
                    Sign(name, _as_written(start, text), max(_as_written(start, text), _as_written(end, text))),
                    score > 0,
                )


def _as_written(place: int, text: str) -> int:
    """Where a place of the shortened text stands in the whole one."""
    if len(text) <= HEAD_CHARS + TAIL_CHARS or place <= HEAD_CHARS:
        return min(place, len(text))
    return min(len(text), place - HEAD_CHARS - 1 + len(text) - TAIL_CHARS)
