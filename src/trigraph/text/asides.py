"""What a statement puts aside, and what it brings in its place: "from X to Y", "Y instead of X"."""

from __future__ import annotations

from collections.abc import Sequence

from trigraph.text.wording import CHANGE_WORDS, LIGHT, MOVING
from trigraph.text.words import Word

_AWAY = {
    ("instead", "of"): 2, ("rather", "than"): 2, ("in", "place", "of"): 3, ("took", "over", "from"): 3,
    ("takes", "over", "from"): 3, ("taking", "over", "from"): 3, ("replaced",): 1, ("replaces",): 1, ("replacing",): 1,
    ("replace",): 1, ("not",): 1, ("away", "from"): 2, ("succeeded",): 1, ("succeeds",): 1,
    ("supersedes",): 1, ("no", "more"): 2, ("ditched",): 1, ("dropped",): 1,
}  # fmt: skip
_WE = frozenset("we i they he she has have".split())
_BREAKS = frozenset([*".,;:!?()", "but", "and", "to", "with", "for", "by", "as", "because", "so"])


def displaced_in(words: Sequence[Word]) -> tuple[frozenset[str], frozenset[str]]:
    """What a statement puts aside ("from X to Y", "X instead of Z") and what it brings in its place."""
    tokens = [word.token for word in words]
    away: set[str] = set()
    brought: set[str] = set()
    for place, token in enumerate(tokens):
        moved = any(word.stem in MOVING for word in words[max(0, place - 6) : place])
        if token == "from" and moved and (end := _place_of("to", tokens, place + 1, 6)) is not None:
            away |= _phrase(words, place + 1)
            brought |= _phrase(words, end + 1)
        elif (token == "left" and place and tokens[place - 1] in ("we", "i", "they")) or (
            token == "from" and "over" in tokens[max(0, place - 8) : place]
        ):
            away |= _phrase(words, place + 1)
        elif token == "by" and "replaced" in tokens[max(0, place - 2) : place]:
            away |= _phrase_before(words, place - 1)
            brought |= _phrase(words, place + 1)
        elif token == "to" and place and tokens[place - 1] in ("renamed", "migrated", "switched", "moved"):
            brought |= _phrase(words, place + 1)
            if tokens[place - 1] == "renamed":
                away |= _phrase_before(words, place - 1)
        elif token == "renamed" and place and tokens[place - 1] in ("been", "was", "were", "got", "is"):
            away |= _phrase_before(words, place)
            brought |= _phrase(words, place + 1)
        for cue, length in _AWAY.items():
            if tuple(tokens[place : place + length]) != cue or (cue == ("replaced",) and "by" in tokens[place:][:2]):
                continue
            if cue == ("dropped",) and not (place and tokens[place - 1] in _WE):
                continue
            if cue == ("not",) and (not place or tokens[place - 1] not in tuple(",;:(")):
                continue
            away |= _phrase(words, place + length)
    return frozenset(away), frozenset(brought - away)


def _place_of(token: str, tokens: Sequence[str], start: int, reach: int) -> int | None:
    for place in range(start, min(start + reach, len(tokens))):
        if tokens[place] == token:
            return place
        if tokens[place] in ".;!?":
            return None
    return None


def _phrase(words: Sequence[Word], start: int) -> set[str]:
    """The stems of the phrase that begins here."""
    found: set[str] = set()
    for word in words[start : start + 6]:
        if word.token in _BREAKS:
            break
        if word.stem:
            found.add(word.stem)
    return found


def _phrase_before(words: Sequence[Word], end: int) -> set[str]:
    found: set[str] = set()
    for word in reversed(words[max(0, end - 5) : end]):
        if word.token in _BREAKS:
            break
        if word.stem and word.stem not in LIGHT and word.token not in CHANGE_WORDS:
            found.add(word.stem)
    return found
