"""What recurs over sessions: corrections made again, troubles that come back, preferences that changed (I1).

`candidates` picks the passages worth comparing, the caller embeds them if it has a model, `recurring` compares. A
correction or a preference is about the same matter when the users' own words agree; a trouble when the words of
whole episodes do, from its report to its remedy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from trigraph.lifecycle import signals
from trigraph.lifecycle.agreement import Deviations, deviations, in_phrases, near, overlapping, shared
from trigraph.lifecycle.changing import contradict, differ
from trigraph.lifecycle.insights import change_text, correction_text, trouble_text
from trigraph.lifecycle.noticing import (
    CANDIDATES_MOST,
    CLEAR_CUE,
    HINT,
    PLAIN_CUE,
    Candidate,
    Sort,
    Statement,
    candidates,
)

__all__ = ["Candidate", "Evidence", "Pattern", "Recurring", "Statement", "candidates", "recurring"]

SAME_MATTER = 1.5
SAME_MATTER_WITH_VECTORS = 2.0
SAME_WISH = 1.3
SAME_WISH_WITH_VECTORS = 1.9
SAME_TROUBLE = 2.0
SAME_TROUBLE_WITH_VECTORS = 2.2
VERY_SAME_TROUBLE = 4.5
"""Weights of shared words, a word of few sessions being 1; with vectors, what their nearness adds is in it."""
TOLD_CHANGE = 0.4
"""So much less is enough where the newer wish says itself that it is a change."""
CORRECTED_LEAST = 1.1
WISHED_LEAST = 1.0
"""Grades of two passages together: one plain cue and a hint, or two good hints."""
TROUBLE_SESSIONS = 3
PLAIN_LEAST = 0.6
"""So many sessions tell of a trouble, and on average so plainly."""
ABOUT_TROUBLE = 1.0
"""A message with so much of a trouble's words tells of it, and is no wish."""
TURNS_APART = 2
"""Messages of trouble no further apart than this belong to one episode."""


class Pattern(StrEnum):
    """How something recurs."""

    REPEATED_CORRECTION = "repeated_correction"
    RECURRING_PROBLEM = "recurring_problem"
    CHANGED_PREFERENCE = "changed_preference"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Characters `[start, end)` of a memory's text."""

    memory_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Recurring:
    """Something that recurs, told so that it stands alone, with the passages of two sessions or more that show it."""

    pattern: Pattern
    text: str
    evidence: tuple[Evidence, ...]
    score: float


@dataclass(frozen=True, slots=True)
class _Episode:
    """Passages of one session that tell of one trouble, by their places among all."""

    session: str
    places: tuple[int, ...]
    passages: tuple[Candidate, ...]
    words: dict[str, float]

    @property
    def text(self) -> str:
        return " ".join(one.text for one in self.passages)


def recurring(candidates: Sequence[Candidate], vectors: NDArray[np.float32] | None) -> list[Recurring]:
    """What recurs among the passages, the surest first. `vectors` has a row for each, or is None."""
    order = sorted(range(len(candidates)), key=lambda place: candidates[place].occurred_at)[-CANDIDATES_MOST:]
    kept = [candidates[place] for place in order]
    rows = None if vectors is None else vectors[order]
    troubles, taken = _troubles(*_of(kept, rows, Sort.TROUBLE))
    directions, of_directions = _of(kept, rows, Sort.DIRECTION)
    free = [place for place, one in enumerate(directions) if one.memory_id not in taken]
    directions = [directions[place] for place in free]
    found = [*troubles, *_directed(directions, None if of_directions is None else of_directions[free])]
    return sorted(found, key=lambda one: -one.score)


def _of(
    kept: Sequence[Candidate], rows: NDArray[np.float32] | None, sort: Sort
) -> tuple[list[Candidate], NDArray[np.float32] | None]:
    places = [place for place, one in enumerate(kept) if one.sort is sort]
    return [kept[place] for place in places], None if rows is None else rows[places]


def _directed(passages: Sequence[Candidate], vectors: NDArray[np.float32] | None) -> Iterator[Recurring]:
    """Corrections made again and preferences that changed; a passage is part of one of them."""
    compared = deviations(passages, vectors)
    repeated: dict[tuple[int, int], float] = {}
    changed: list[tuple[float, int, int]] = []
    for older, newer in overlapping(passages, SAME_WISH / 2):
        one, other = passages[older], passages[newer]
        nearness = near(compared.between([older], [newer])) if compared else 0.0
        things, words = (weight + nearness for weight in shared(one, other))
        least = SAME_WISH_WITH_VECTORS if compared else SAME_WISH
        if words >= least - (TOLD_CHANGE if _tells_change(one, other) else 0.0) and _is_change(one, other):
            changed.append((words, older, newer))
        elif things >= (SAME_MATTER_WITH_VECTORS if compared else SAME_MATTER) and _is_repeated(one, other):
            repeated[older, newer] = things
    used: set[int] = set()
    for agreed, older, newer in sorted(changed, key=lambda row: (-row[2], -row[0])):
        if used.isdisjoint((older, newer)):
            used |= {older, newer}
            pair = (passages[older], passages[newer])
            yield Recurring(Pattern.CHANGED_PREFERENCE, change_text(*pair), _evidence(pair), round(agreed, 3))
    kept = {pair: agreed for pair, agreed in repeated.items() if used.isdisjoint(pair)}
    for group, score in _gathered(kept, 0.0):
        members = _one_a_session([passages[place] for place in group])
        text = correction_text(members)
        yield Recurring(Pattern.REPEATED_CORRECTION, text, _evidence(members), round(score, 3))


def _is_change(older: Candidate, newer: Candidate) -> bool:
    if older.prefers + newer.prefers < WISHED_LEAST:
        return False
    if min(older.corrects, newer.corrects) >= PLAIN_CUE and not contradict(older.text, newer.text):
        return False
    says_more = not newer.words.keys() <= older.words.keys()
    return differ(older.text, newer.text) or (says_more and _is_update(newer))


def _tells_change(older: Candidate, newer: Candidate) -> bool:
    """Whether two wishes differ and the newer says so in plain words: then one rare word in common is enough."""
    return (
        min(older.prefers, newer.prefers) >= PLAIN_CUE
        and signals.updates(newer.text) >= CLEAR_CUE
        and differ(older.text, newer.text)
    )


def _is_update(newer: Candidate) -> bool:
    """Whether a wish says itself that it is another than before."""
    if newer.corrects >= CLEAR_CUE or newer.prefers < 0.5:
        return False
    updated = signals.updates(newer.text)
    return updated >= PLAIN_CUE or (updated >= 0.5 and newer.prefers >= PLAIN_CUE)


def _is_repeated(older: Candidate, newer: Candidate) -> bool:
    if older.corrects + newer.corrects < CORRECTED_LEAST or max(older.corrects, newer.corrects) < PLAIN_CUE:
        return False
    return not contradict(older.text, newer.text)


def _one_a_session(members: Sequence[Candidate]) -> list[Candidate]:
    clearest: dict[str, Candidate] = {}
    for one in members:
        if one.session not in clearest or clearest[one.session].corrects < one.corrects:
            clearest[one.session] = one
    return list(clearest.values())


def _evidence(passages: Sequence[Candidate]) -> tuple[Evidence, ...]:
    ordered = sorted(passages, key=lambda one: (one.occurred_at, one.turn))
    return tuple(Evidence(one.memory_id, one.start, one.end) for one in ordered)


def _gathered(agreed: Mapping[tuple[int, int], float], least: float) -> list[tuple[list[int], float]]:
    """Groups whose members agree on average, grown from the pair that agrees most, and how far that pair does.

    A chain of neighbours, of which the ends have nothing in common, is no group.
    """
    edges = sorted(
        ((weight, pair) for pair, weight in agreed.items() if weight >= least), key=lambda one: (-one[0], one[1])
    )
    linked: dict[int, set[int]] = {}
    for _, (left, right) in edges:
        linked.setdefault(left, set()).add(right)
        linked.setdefault(right, set()).add(left)
    taken: set[int] = set()
    groups: list[tuple[list[int], float]] = []
    for weight, pair in edges:
        if not taken.isdisjoint(pair):
            continue
        group = list(pair)
        while True:
            near_by = set.union(*(linked[place] for place in group)) - taken - {*group}
            scored = [(_average(agreed, place, group), -place) for place in near_by]
            if not scored or max(scored)[0] < least:
                break
            group.append(-max(scored)[1])
        taken |= {*group}
        groups.append((sorted(group), weight))
    return groups


def _average(agreed: Mapping[tuple[int, int], float], place: int, group: Sequence[int]) -> float:
    """How far one agrees with the members of a group; those of its own session are not asked."""
    pairs = ((min(place, member), max(place, member)) for member in group)
    known = [agreed[pair] for pair in pairs if pair in agreed]
    return sum(known) / len(known) if known else 0.0


def _troubles(passages: Sequence[Candidate], vectors: NDArray[np.float32] | None) -> tuple[list[Recurring], set[str]]:
    """Troubles that came back, and the messages that tell of them."""
    compared = deviations(passages, vectors)
    episodes = list(_episodes(passages))
    agreed = {
        (left, right): _same_trouble(episodes[left], episodes[right], compared)
        for left, right in combinations(range(len(episodes)), 2)
        if episodes[left].session != episodes[right].session
    }
    least = SAME_TROUBLE_WITH_VECTORS if compared else SAME_TROUBLE
    found: list[Recurring] = []
    told: set[str] = set()
    for group, score in _gathered(agreed, least):
        members = [episodes[place] for place in group]
        words = _common(members)
        if sum(words.values()) < SAME_TROUBLE or not _is_plain(members, score):
            continue
        shown = [max(one.passages, key=lambda passage: _telling(passage, words)) for one in members]
        text = trouble_text(shown, words)
        found.append(Recurring(Pattern.RECURRING_PROBLEM, text, _evidence(shown), round(score, 3)))
        told |= {
            passage.memory_id
            for one in members
            for passage in one.passages
            if sum(words.get(stem, 0.0) for stem in passage.words) >= ABOUT_TROUBLE
        }
    return found, told


def _episodes(passages: Sequence[Candidate]) -> Iterator[_Episode]:
    """Neighbouring messages of trouble, where at least one says plainly that something is wrong."""
    by_session: dict[str, list[int]] = {}
    for place, one in enumerate(passages):
        by_session.setdefault(one.session, []).append(place)
    for session, places in by_session.items():
        places.sort(key=lambda place: passages[place].turn)
        run: list[int] = []
        for place in [*places, -1]:
            if run and (place < 0 or passages[place].turn - passages[run[-1]].turn > TURNS_APART):
                if max(passages[one].troubled for one in run) > HINT:
                    yield _episode(session, run, passages)
                run = []
            run.append(place)


def _episode(session: str, run: Sequence[int], passages: Sequence[Candidate]) -> _Episode:
    words: dict[str, float] = {}
    for place in run:
        words |= passages[place].words
    return _Episode(session, tuple(run), tuple(passages[place] for place in run), words)


def _same_trouble(one: _Episode, other: _Episode, compared: Deviations | None) -> float:
    both = {stem: min(one.words[stem], other.words[stem]) for stem in one.words.keys() & other.words.keys()}
    if sum(both.values()) < SAME_TROUBLE / 2:
        return 0.0
    weight = in_phrases(both, one.text, other.text)
    return weight + (near(compared.between(one.places, other.places)) if compared and weight else 0.0)


def _common(members: Sequence[_Episode]) -> dict[str, float]:
    """The words that most of the episodes share; those that all share weigh most."""
    counts = Counter(stem for one in members for stem in one.words)
    least = max(2, -(-2 * len(members) // 3))
    return {
        stem: max(one.words.get(stem, 0.0) for one in members) * count / len(members)
        for stem, count in counts.items()
        if count >= least
    }


def _is_plain(members: Sequence[_Episode], score: float) -> bool:
    """Whether the episodes, taken together, say plainly that something is wrong; two must do so without any doubt."""
    told = [max(one.troubled for one in member.passages) for member in members]
    if len({one.session for one in members}) < TROUBLE_SESSIONS:
        return score >= VERY_SAME_TROUBLE and min(told) >= CLEAR_CUE
    return max(told) >= PLAIN_CUE and sum(told) >= PLAIN_LEAST * len(told)


def _telling(passage: Candidate, words: dict[str, float]) -> float:
    return sum(weight for stem, weight in words.items() if stem in passage.words) + 0.5 * passage.troubled
