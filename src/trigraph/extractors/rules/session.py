"""The distillation stage: what a whole session comes to, and a summary of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trigraph.extractors.rules.cues import is_hedged
from trigraph.extractors.rules.fitting import is_whole
from trigraph.extractors.rules.scene import Scene, scene_of
from trigraph.extractors.rules.stories import decisions, problems_solved
from trigraph.extractors.rules.summary import summary_of
from trigraph.extractors.rules.tools import (
    Use,
    checks_passing,
    files_changed,
    hooks_seen,
    left_unchecked,
    still_failing,
    timed_out,
    uses_in,
)
from trigraph.extractors.rules.turn import Candidate, candidates, says_the_same, terms_of, told_in_chat
from trigraph.model.extraction import Certainty, Finding, Found, Role, Said, Span
from trigraph.text.sentences import sentences_in

TEXT_LIMIT_CHARS = 300
FINDINGS_MOST = 15
_STORY_WEIGHT, _DECISION_WEIGHT, _OPEN_WEIGHT, _SHOWN_WEIGHT = 12.0, 11.0, 6.0, 5.0
_CLOSING_BONUS = 0.5
_CHANGED = re.compile(
    r"\b(?:now|instead|no longer|actually|changed|not just|only|anymore|reverted|after all)\b", re.IGNORECASE
)


def extract_session(messages: Sequence[Said]) -> tuple[tuple[Found, ...], str | None]:
    """At most fifteen findings, best first, and a summary; nothing of a session in which nothing was said."""
    scene = scene_of(messages)
    if not any(said.role is not Role.TOOL for said in messages):
        return (), None
    if scene.is_chat:
        found = _told(list(_tellings(scene)))
        return found, summary_of(scene, found, (), None)
    uses = uses_in(scene)
    found = _told(list(_conclusions(scene, uses)))
    told = " ".join([*(one.text for one in found), *(use.command for use in uses if use.is_command)])
    return found, summary_of(scene, found, uses, files_changed(uses, told))


def _conclusions(scene: Scene, uses: tuple[Use, ...]) -> Iterator[Candidate]:
    for found in problems_solved(scene, uses):
        if is_whole(found.text):
            yield Candidate(found, _STORY_WEIGHT)
    for found in decisions(scene):
        yield Candidate(found, _DECISION_WEIGHT)
    closings = _closing_messages(scene)
    for candidate in candidates(scene, TEXT_LIMIT_CHARS):
        place = candidate.found.evidence[0].message
        closing = scene.messages[place].role is Role.ASSISTANT and place in closings
        yield Candidate(candidate.found, candidate.weight + (_CLOSING_BONUS if closing else 0.0))
    for use in still_failing(uses):
        text = f"`{use.command}` still fails: {use.error}"[:TEXT_LIMIT_CHARS]
        yield Candidate(
            Found(text, Finding.NEXT_STEP, Certainty.INFERRED, (use.span,)), _OPEN_WEIGHT, stands_apart=True
        )
    unchecked = left_unchecked(uses)
    if unchecked is not None:
        yield Candidate(unchecked, _OPEN_WEIGHT, stands_apart=True)
    checks = checks_passing(uses)
    for shown in (*((checks,) if checks is not None else ()), *timed_out(uses), *hooks_seen(uses)):
        yield Candidate(shown, _SHOWN_WEIGHT, stands_apart=True)


def _closing_messages(scene: Scene) -> set[int]:
    """The last words of the agent before each message of the user, and at the end."""
    closings: set[int] = set()
    last: int | None = None
    for number, said in enumerate(scene.messages):
        if said.role is Role.ASSISTANT:
            last = number
        elif said.role is Role.USER and last is not None:
            closings.add(last)
    return closings | ({last} if last is not None else set())


def _told(found: list[Candidate]) -> tuple[Found, ...]:
    """The weightiest, each thing once, and of two that contradict one another the later."""
    kept: list[tuple[Candidate, set[str]]] = []
    for candidate in sorted(found, key=lambda one: (-one.weight, one.found.evidence[0].message)):
        terms = terms_of(candidate.found.text)
        same = None
        if not candidate.stands_apart:
            same = next((n for n, other in enumerate(kept) if _is_same(candidate, terms, *other)), None)
        if same is None:
            kept.append((candidate, terms))
        elif _replaces(candidate, kept[same][0]):
            kept[same] = (candidate, terms)
    current = [one.found for one, terms in kept if not any(_outdates(*other, one, terms) for other in kept)]
    return tuple(current[:FINDINGS_MOST])


def _outdates(later: Candidate, later_terms: set[str], one: Candidate, terms: set[str]) -> bool:
    """Whether what was said later, as a change, is about the same things."""
    shared = len(terms & later_terms)
    return (
        one.found.certainty is later.found.certainty is Certainty.CLEAR
        and len(one.found.evidence) == 1
        and later.found.evidence[0].message > one.found.evidence[0].message
        and shared >= max(6, 0.4 * min(len(terms), len(later_terms)))
        and _CHANGED.search(later.found.text) is not None
    )


def _is_same(candidate: Candidate, terms: set[str], other: Candidate, others: set[str]) -> bool:
    return not other.stands_apart and says_the_same(candidate.found, terms, other.found, others)


def _replaces(candidate: Candidate, other: Candidate) -> bool:
    """Whether it says the same later and otherwise: with other figures, or as something changed."""
    if len(other.found.evidence) > 1:
        return False  # a story or a decision holds more than the sentence that is like it
    later = candidate.found.evidence[-1].message > other.found.evidence[-1].message
    figures = re.findall(r"\d+", candidate.found.text) != re.findall(r"\d+", other.found.text)
    return (
        later
        and candidate.weight >= other.weight - 2
        and (figures or _CHANGED.search(candidate.found.text) is not None)
    )


def _tellings(scene: Scene) -> Iterator[Candidate]:
    """What each message of a talk tells about its speaker, its sentences put together."""
    for number, said in enumerate(scene.messages):
        text, weight, spans, finding = "", 0.0, list[Span](), Finding.FACT
        for sentence in sentences_in(said.text):
            told = told_in_chat(scene, number, sentence, TEXT_LIMIT_CHARS)
            if told is None or len(text) + len(told[0]) + 2 > TEXT_LIMIT_CHARS:
                continue
            finding = finding if text else told[1]
            text = f"{text}. {told[0]}" if text else told[0]
            weight += told[2]
            spans.append(Span(number, sentence.start, sentence.end))
        if text:
            certainty = Certainty.SAID if said.role is Role.USER and not is_hedged(text) else Certainty.CLEAR
            yield Candidate(Found(text, finding, certainty, tuple(spans)), weight)
