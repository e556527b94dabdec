"""Problems and their causes, as they are told."""

from __future__ import annotations

import re

from trigraph.extractors.rules.fitting import fit
from trigraph.extractors.rules.scene import Scene
from trigraph.extractors.rules.standing import is_specific, stand_alone, stripped
from trigraph.model.extraction import Role
from trigraph.text.sentences import Sentence, sentences_in

PROBLEM_LIMIT_CHARS = 110
_PROBLEM = re.compile(
    r"\b(?:fails?|failing|failed|errors?|broken|breaks|crash\w*|does(?:n['’]t| not) work|not working|wrong|bugs?|slow"
    r"|missing"
    r"|incorrect(?:ly)?|stuck|hangs?|leaks?|times? out|timeouts?|regression|flaky|can['’]t|cannot|won['’]t)\b",
    re.IGNORECASE,
)
_CAUSE_WORDS = re.compile(
    r"^(?:(?:so|ah|okay|now|and|but)[, ]+)?(?:the )?(?:real |actual |underlying |main |core |only )?(?:root cause|issue"
    r"|problem|bug"
    r"|culprit|cause|reason)(?: here)? (?:is|was|turned out to be)(?: that)?[:,]?\s+"
    r"|^(?:now )?i(?:['’]ve)?(?: now)? (?:see|found|understand|spotted|identified) the (?:\w+ )?(?:issue|problem|bug"
    r"|cause|culprit)[:,–—-]\s*",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"^(?:(?:ah|aha|ok|okay|good|great|perfect|excellent|yes|so|and|now)[,!.]?\s+)*(?:i(?:['’]ve)?(?: can)?(?: now)?"
    r" (?:see|understand|found|know|have found|spotted|identified)|(?:there|here|that)(?:['’]s| is)|found)"
    r"\s(?:what(?:['’]s| is) (?:wrong|happening|going on)|why\b[^,.:]{0,60}|(?:the|our|my)(?: real| actual| root"
    r"| main)? (?:issue|problem|bug|cause|culprit|mistake|error)|it)(?: now| here)?[.!]*$",
    re.IGNORECASE,
)
_FIXED_BY = re.compile(
    r"(?P<verb>fixed|resolved|solved|addressed|corrected|repaired)\s+(?P<by>by|with|via|using|through)\s+(?P<fix>.{8,})$",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\s*(?:[-–—;,.]|->|=>|→)+\s*$")
_TELLS = re.compile(
    r"\b(?:is|are|was|were|has|had|have|did|does|do|could|would|can(?:not)?)\b|n['’]t\b|\w{3}ed\b", re.I
)


def problem_in(text: str) -> Sentence | None:
    """The sentence of a user's message that tells of a problem, if one does."""
    sentences = sentences_in(text)
    return next((one for one in sentences if _PROBLEM.search(one.text) and len(one.text) <= 200), None)


def without_cause_words(text: str) -> str:
    """The cause itself, without "the issue was that"."""
    return _CAUSE_WORDS.sub("", stripped(text), count=1)


def is_announcement(text: str) -> bool:
    """Whether a sentence only says that the next one tells a cause: "Now I understand the issue." """
    return _ANNOUNCED.match(text) is not None


def cause_and_fix(text: str) -> tuple[str, str] | None:
    """A cause and what was done about it, told in one breath: "The flag wasn't read - fixed by parsing it first"."""
    match = _FIXED_BY.search(text)
    joint = _JOINT.search(text[: match.start()]) if match else None
    if match is None or joint is None:
        return None
    cause = text[: joint.start()].strip()
    if len(cause.split()) < 4 or not _TELLS.search(cause) or _FIXED_BY.search(cause):
        return None
    return cause, match.group()[0].lower() + match.group()[1:].rstrip(" .")


def because(cause: str, scene: Scene, message: int, limit: int) -> str | None:
    """`The import fails because the table has no index`: the problem that the user told of, with its cause."""
    asked = max((n for n in range(message) if scene.messages[n].role is Role.USER), default=None)
    problem = problem_in(scene.messages[asked].text) if asked is not None else None
    if (
        asked is None
        or problem is None
        or problem.text.endswith("?")
        or re.search(r"\b(?:because|caused by|due to)\b", cause)
        or not is_specific(cause)
    ):
        return None
    opened = stand_alone(problem.text, scene, asked, problem.start, PROBLEM_LIMIT_CHARS)
    told = fit(cause, limit - len(opened) - 9) if opened is not None and len(opened) + 30 < limit else None
    if opened is None or told is None or re.match(r"(?:it|this|that|they|these)\b", told, re.IGNORECASE):
        return None
    small = re.match(r"(?:The|An?|There|Every|No)\b", told) is not None
    return f"{opened} because {told[0].lower() + told[1:] if small else told}"
