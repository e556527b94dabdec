"""Passages of conversations that may recur: what a user corrects or wishes, and what anybody tells of trouble.

A passage carries all that is needed to compare it with others: its words and those of the messages around it, weighed
by how few sessions know them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trigraph.lifecycle import signals, troubles
from trigraph.text.sentences import Sentence, sentences_in
from trigraph.text.slots import read
from trigraph.text.wording import LIGHT

CANDIDATES_MOST = 2_000
PASSAGE_SENTENCES = 4
ANSWER_CHARS = 120
"""So much of an answer tells whether it takes a correction to heart."""

LIGHT_FACTOR = 0.35
"""Verbs of every day and adverbs say little about the matter."""
PLAIN_CUE = 0.7
CLEAR_CUE = 0.9
TOLD = 0.5
HINT = 0.4
"""A plain cue stands alone; below it a cue needs the messages around it. A clear one leaves no other reading."""
OFTEN_UNTROUBLED = 0.34
UNTROUBLED_FACTOR = 0.3
NAME_FACTOR = 0.6
"""What is mostly spoken of when nothing is wrong is no mark of a trouble; who is named is rarely what is asked."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One message of a conversation. `role` is user or assistant."""

    memory_id: str
    session: str
    role: str
    text: str
    occurred_at: datetime


class Sort(StrEnum):
    """What a passage may be part of."""

    DIRECTION = "direction"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Characters `[start, end)` of a message, with its words and those around it, stem to weight from 0 to 1.

    `corrects`, `prefers` and `troubled` are graded from 0 to 1. `turn` is the message's place in its session.
    """

    memory_id: str
    session: str
    role: str
    occurred_at: datetime
    turn: int
    sort: Sort
    text: str
    start: int
    end: int
    corrects: float
    prefers: float
    troubled: float
    words: Mapping[str, float]
    around: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Passage:
    session: str
    turn: int
    sort: Sort
    text: str
    start: int
    end: int
    corrects: float = 0.0
    prefers: float = 0.0
    troubled: float = 0.0


def candidates(statements: Sequence[Statement]) -> list[Candidate]:
    """Passages worth comparing, in order of time; the newest, where there are very many."""
    sessions = _sessions(statements)
    passages = [
        passage
        for session, messages in sessions.items()
        for passage in (*_directions(session, messages), *_troubles(session, messages))
    ]
    passages.sort(key=lambda one: (sessions[one.session][one.turn].occurred_at, one.turn))
    weights = _weights(sessions)
    calm = _mostly_untroubled(sessions, passages)
    return [_candidate(one, sessions[one.session], weights, calm) for one in passages[-CANDIDATES_MOST:]]


def _sessions(statements: Sequence[Statement]) -> dict[str, list[Statement]]:
    found: dict[str, list[Statement]] = {}
    for one in sorted(statements, key=lambda statement: statement.occurred_at):
        found.setdefault(one.session, []).append(one)
    return found


def _directions(session: str, messages: Sequence[Statement]) -> Iterator[_Passage]:
    """What a user says about how things are to be."""
    for turn, message in enumerate(messages):
        if message.role != "user":
            continue
        told = [one for one in sentences_in(message.text) if not signals.asks(one.text)]
        answer = messages[turn + 1].text[:ANSWER_CHARS] if turn + 1 < len(messages) else ""
        accepted = signals.accepts(answer) if turn + 1 < len(messages) and messages[turn + 1].role != "user" else 0.0
        answers = turn > 0 and messages[turn - 1].role != "user"
        grades = [_direction(one.text, accepted, answers) for one in told]
        flagged = [place for place, pair in enumerate(grades) if max(pair) >= HINT]
        if not flagged:
            continue
        first = max(flagged[0] - 1, 0)
        chosen = [one for one in told[first : flagged[-1] + 2] if len(one.text.split()) > 1][:PASSAGE_SENTENCES]
        correcting, preferring = (max(of) for of in zip(*grades, strict=True))
        if chosen:
            yield _passage(session, turn, Sort.DIRECTION, chosen, corrects=correcting, prefers=preferring)


def _direction(text: str, accepted: float, answers: bool) -> tuple[float, float]:
    """How far a sentence corrects and how far it wishes, seen with the answer that it got.

    Any plain statement in answer to the assistant may correct it, the more so when the assistant gives in.
    """
    correcting, preferring, ruling = signals.corrects(text), signals.prefers(text), signals.rules(text)
    if correcting < PLAIN_CUE and answers:
        states = len(text.split()) > 3 and not signals.is_personal(text) and not signals.chats(text)
        hinted = max(correcting, ruling, HINT if states else 0.0) >= HINT
        correcting = max(0.6 if correcting >= 0.5 and accepted else HINT, accepted) if hinted else 0.0
    elif not answers:
        correcting *= 0.6
    if signals.chats(text) or (signals.narrates(text) and preferring < 0.8):
        preferring = 0.0
    elif ruling >= 0.3:
        preferring = max(preferring, HINT)
    return correcting, preferring


def _troubles(session: str, messages: Sequence[Statement]) -> Iterator[_Passage]:
    """What goes wrong: the report, the answer to it, and what is said while it is being set right."""
    heat = 0.0
    for turn, message in enumerate(messages):
        told = sentences_in(message.text)
        answers = turn > 0 and message.role == "user" and messages[turn - 1].role != "user"
        if answers and any(signals.corrects(one.text) >= CLEAR_CUE for one in told):
            heat = 0.0  # what is wrong is the answer
            continue
        grades = [0.0 if signals.chats(one.text) else troubles.troubled(one.text) for one in told]
        own = max(grades, default=0.0)
        if own < TOLD and _is_report(messages, turn):
            own = TOLD
        remedied = any(troubles.remedies(one.text) for one in told)
        if own < HINT and heat and (heat >= 0.5 or remedied):
            own = HINT  # the answer to a report, or what mends it
        if any(troubles.is_over(one.text) for one in told) and own < PLAIN_CUE:
            own = 0.0
        flagged = [place for place, grade in enumerate(grades) if grade > 0] if own > HINT else []
        first = max(0, min(flagged, default=0) - 1)
        chosen = told[first : max(flagged, default=len(told)) + 2][:PASSAGE_SENTENCES]
        if own and chosen:
            yield _passage(session, turn, Sort.TROUBLE, chosen, troubled=own)
        heat = own


def _is_report(messages: Sequence[Statement], turn: int) -> bool:
    """Whether a user states something, and the answer tells how it came about and what was done about it."""
    if messages[turn].role != "user" or turn + 1 >= len(messages) or messages[turn + 1].role == "user":
        return False
    told = [one.text for one in sentences_in(messages[turn].text)]
    states = [text for text in told if len(text.split()) > 3 and not signals.asks(text) and not signals.chats(text)]
    if not states or any(signals.requests(text) or troubles.is_over(text) for text in states):
        return False
    after = " ".join(message.text for message in messages[turn + 1 : turn + 4])
    answer = messages[turn + 1].text
    return troubles.explains(answer) and signals.accepts(answer) == 0 and troubles.remedies(after)


def _passage(session: str, turn: int, sort: Sort, chosen: Sequence[Sentence], **grades: float) -> _Passage:
    text = " ".join(one.text for one in chosen)
    return _Passage(session, turn, sort, text, chosen[0].start, chosen[-1].end, **grades)


def _weights(sessions: Mapping[str, Sequence[Statement]]) -> dict[str, float]:
    """Stem → 1 where two sessions or fewer know it, falling to nearly 0 where all do."""
    known: Counter[str] = Counter()
    for messages in sessions.values():
        known.update({stem for message in messages for stem in read(message.text).content})
    total = len(sessions) + 1
    scale = math.log(total / 2) if total > 2 else 1.0
    return {
        stem: min(1.0, math.log(total / count) / scale) * (LIGHT_FACTOR if stem in LIGHT else 1.0)
        for stem, count in known.items()
    }


def _mostly_untroubled(sessions: Mapping[str, Sequence[Statement]], passages: Sequence[_Passage]) -> frozenset[str]:
    """Stems of which most messages speak when nothing is wrong."""
    troubled = {(one.session, one.turn) for one in passages if one.sort is Sort.TROUBLE}
    spoken: Counter[str] = Counter()
    amiss: Counter[str] = Counter()
    for session, messages in sessions.items():
        for turn, message in enumerate(messages):
            content = read(message.text).content
            spoken.update(content)
            if (session, turn) in troubled:
                amiss.update(content)
    return frozenset(stem for stem, count in spoken.items() if amiss[stem] < OFTEN_UNTROUBLED * count)


def _candidate(
    one: _Passage, messages: Sequence[Statement], weights: Mapping[str, float], calm: frozenset[str]
) -> Candidate:
    def weighed(text: str) -> dict[str, float]:
        reading = read(text)
        if one.sort is Sort.TROUBLE:
            less, factor = calm | troubles.GENERIC, UNTROUBLED_FACTOR
        else:
            less, factor = reading.names, NAME_FACTOR
        return {stem: weights[stem] * (factor if stem in less else 1.0) for stem in reading.content if stem in weights}

    message = messages[one.turn]
    words = weighed(one.text)
    near = (*messages[max(0, one.turn - 1) : one.turn], *messages[one.turn + 1 : one.turn + 2])
    around = {stem: weight for other in near for stem, weight in weighed(other.text).items() if stem not in words}
    return Candidate(
        memory_id=message.memory_id,
        session=one.session,
        role=message.role,
        occurred_at=message.occurred_at,
        turn=one.turn,
        sort=one.sort,
        text=one.text,
        start=one.start,
        end=one.end,
        corrects=one.corrects,
        prefers=one.prefers,
        troubled=one.troubled,
        words=words,
        around=around,
    )
