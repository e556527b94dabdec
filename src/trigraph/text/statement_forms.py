"""Statements in other forms than subject – verb – object: exchanges, favourites, mutual relations, appositions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trigraph.model.relation import RelationType
from trigraph.text.phrases import Noun, Word, is_mark, noun_at, nouns_at

Triple = tuple[Noun, RelationType, Noun]

R = RelationType
_AGENTS = frozenset("we i they he she you".split())
_MADE = frozenset("created written built designed developed authored invented founded".split())
_EXCHANGES = frozenset("replaced swapped switched migrated".split())
_FAVOURITE = frozenset(("favorite", "favourite", "preferred"))


def other_forms(words: Sequence[Word]) -> Iterator[Triple]:
    """What a sentence, not denied and not open, states in one of these forms."""
    yield from _exchanged(words)
    yield from _favourite(words)
    yield from _mutual(words)
    yield from _apposed(words)


def _exchanged(words: Sequence[Word]) -> Iterator[Triple]:
    """`We replaced Jenkins with Buildkite`, `The team migrated from Jenkins to Buildkite`."""
    place = next((place for place, word in enumerate(words) if word.low in _EXCHANGES), 0)
    if not place or not _is_subject(words[:place]):
        return
    verb = words[place].low
    if verb in ("replaced", "swapped"):
        joint = "with" if verb == "replaced" else "for"
        old = noun_at(words, place + 1)
    else:
        joint = "to"
        old = noun_at(words, place + 2) if words[place + 1 : place + 2] and words[place + 1].low == "from" else None
    if old is None or old[1] >= len(words) or words[old[1]].low != joint:
        return
    new = noun_at(words, old[1] + 1)
    if new is not None and _ends(words, new[1]):
        yield new[0], R.SUPERSEDES, old[0]


def _favourite(words: Sequence[Word]) -> Iterator[Triple]:
    """`Ana's favourite editor is Vim`."""
    found = noun_at(words, 0)
    if found is None or found[1] >= len(words) or words[found[1]].low != "is":
        return
    noun = found[0]
    owners = [place for place, word in enumerate(noun.words) if word.is_possessive]
    if len(owners) != 1 or noun.words[owners[0] + 1].low not in _FAVOURITE:
        return
    liked = noun_at(words, found[1] + 1)
    if liked is not None and _ends(words, liked[1]) and not liked[0].begins_with_gerund:
        yield Noun(noun.words[: owners[0] + 1], noun.determiner), R.PREFERS, liked[0]


def _mutual(words: Sequence[Word]) -> Iterator[Triple]:
    """`The billing service and the ledger are related`."""
    lows = [word.low for word in words]
    place = lows.index("are") if "are" in lows else 0
    nouns, end = nouns_at(words[:place], 0)
    if len(nouns) == 2 and end == place and lows[place + 1 :] in (["related"], ["related", "to", "each", "other"]):
        yield nouns[0], R.RELATES_TO, nouns[1]


def _apposed(words: Sequence[Word]) -> Iterator[Triple]:
    """`Helios, built by Ana, …`, `Marcus, a member of the platform team, …`, `the cache, part of the gateway, …`."""
    first = noun_at(words, 0)
    if first is None or first[1] >= len(words) or words[first[1]].low != ",":
        return
    lows = tuple(word.low for word in words[first[1] + 1 : first[1] + 4])
    place = first[1] + 1
    if lows[:1] and lows[0] in _MADE and lows[1:2] == ("by",):
        type_, place = R.CREATED_BY, place + 2
    elif lows == ("a", "member", "of"):
        type_, place = R.MEMBER_OF, place + 3
    elif lows[:2] == ("part", "of"):
        type_, place = R.PART_OF, place + 2
    else:
        return
    other = noun_at(words, place)
    if other is not None and other[1] < len(words) and words[other[1]].low == ",":
        yield first[0], type_, other[0]


def _is_subject(words: Sequence[Word]) -> bool:
    """Whether these are nothing but a subject, be it a pronoun."""
    if words[-1].low in ("has", "have"):
        words = words[:-1]
    if len(words) == 1 and words[0].low in _AGENTS:
        return True
    found = noun_at(words, 0)
    return found is not None and found[1] == len(words)


def _ends(words: Sequence[Word], place: int) -> bool:
    """Whether the phrase before this place is complete: nothing follows that would change it."""
    return place >= len(words) or is_mark(words[place]) or words[place].low in (
        "and", "in", "on", "last", "this", "because", "for", "since", "so", "to", "over", "after"
    )  # fmt: skip
