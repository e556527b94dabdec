"""How one name may shorten or misspell another: acronyms, endings left out, slips of the pen."""

from __future__ import annotations

from rapidfuzz.distance import OSA

from trigraph.lifecycle.class_words import GROWN_ENDINGS, SITE_ENDINGS
from trigraph.lifecycle.forms import SMALL_WORDS, Form

TYPO_LEAST_CHARS = 7
TYPO_CHANGED_LETTER_LEAST_CHARS = 10
SHORT_NAME_LEAST_CHARS = 2


def is_slip(one: str, other: str) -> bool:
    """One letter left out, doubled or swapped within a long word: not at its start, where it makes another word, nor
    at its end, where it makes another form. A changed letter needs a longer word."""
    if one[0] != other[0] or one[-1] != other[-1] or OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    swapped = sorted(one) == sorted(other)
    least = TYPO_LEAST_CHARS if len(one) != len(other) or swapped else TYPO_CHANGED_LETTER_LEAST_CHARS
    return min(len(one), len(other)) >= least


def takes_letters_of(brief: str, full: Form) -> bool:
    """Whether an acronym takes the first letter of every word and some from within: `PVC` of polyvinyl chloride."""
    words = [word for word in full.words if word not in SMALL_WORDS]
    if len(words) < 2 or len(brief) <= len(words) or len(brief) > 2 * len(words) or not brief.isalpha():
        return False
    place = 0
    for word, following in zip(words, [*(word[0] for word in words[1:]), None], strict=True):
        if place >= len(brief) or brief[place] != word[0]:
            return False
        place, within = place + 1, 1
        while place < len(brief) and brief[place] != following:
            within = word.find(brief[place], within) + 1
            if within == 0:
                return False
            place += 1
    return place == len(brief)


def is_partly_acronym_of(brief: Form, full: Form) -> bool:
    """Whether one name is the other with a run of words as an acronym: `VS Code` and `Visual Studio Code`."""
    if not 1 < len(brief.words) < len(full.words):
        return False
    place = expanded = 0
    for word, cased in zip(brief.words, brief.cased, strict=True):
        if full.words[place : place + 1] == (word,):
            place += 1
        elif len(word) > 1 and cased.isupper() and word == "".join(one[0] for one in full.words[place:][: len(word)]):
            place, expanded = place + len(word), expanded + 1
        else:
            return False
    return place == len(full.words) and expanded > 0


def lacks_ending_of(brief: Form, full: Form) -> bool:
    """`Postgres` and `PostgreSQL`, `Vue` and `Vue.js`: the ending says what sort of thing it is, and may overlap."""
    if len(brief.words) > 1:
        return False
    for ending in GROWN_ENDINGS:
        stem = full.compact.removesuffix(ending)
        if stem != full.compact and len(stem) >= SHORT_NAME_LEAST_CHARS and brief.compact in (stem, stem + ending[0]):
            return True
    return full.words[:1] == brief.words and full.words[1:] in {(ending,) for ending in SITE_ENDINGS}
