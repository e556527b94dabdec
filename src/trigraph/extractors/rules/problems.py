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
    r"|culprit|cause|reason)(?: here)? (?:is|was|turned out to be)(?: that)?[:,]?\s+",
    re.IGNORECASE,
)


def problem_in(text: str) -> Sentence | None:
    """The sentence of a user's message that tells of a problem, if one does."""
    sentences = sentences_in(text)
    return next((one for one in sentences if _PROBLEM.search(one.text) and len(one.text) <= 200), None)


def without_cause_words(text: str) -> str:
    """The cause itself, without "the issue was that"."""
    return _CAUSE_WORDS.sub("", stripped(text), count=1)


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
