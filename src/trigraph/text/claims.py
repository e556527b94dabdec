"""What a question is after, and what it takes for granted, by the form of its words alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trigraph.model.reference import Intent
from trigraph.text.terms import analyse
from trigraph.text.wording import LIGHT_VERBS

CLAIM_LIMIT_CHARS = 500
_WORDS_LEAST = 3

_CAUSE = re.compile(
    r"\bwhy\b|\bhow come\b|\broot cause\b|\bwhat (?:caused|led to|went wrong|broke)\b|\breasons? (?:for|behind|why)\b"
    r"|\bbecause of what\b|\bwhat made (?:us|them|it)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"^\W*when\b|\btimeline\b|\bhistory of\b|\bhow (?:did|has|have) .{1,60}\b(?:chang|evolv|come about)\w*"
    r"|\bin (?:what|which) order\b|\bover time\b|\bwhat (?:happened|changed)\b|\bsince when\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\bversus\b|\bvs\b|\bcompared? (?:to|with)\b|\bdifferences? between\b|\bbetter than\b|\brather than\b"
    r"|\binstead of\b|\bpros and cons\b|\btrade-?offs?\b|\bwhich (?:of|one)\b.{1,60}\bor\b",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\b(?:should|must|may|shall|ought) \w|\b(?:allowed|permitted|accepted|forbidden|supposed to|ok(?:ay)? to)\b"
    r"|\bcan (?:i|we|you)\b",
    re.IGNORECASE,
)
_POLAR = re.compile(
    r"(?:(?:so|and|but|then|ok|okay)\W+)*(is|are|was|were|does|do|did|has|have|had|can|could|should|will|would|must"
    r"|(?:may|might|shall)(?=.*\?))"
    r"(n't)?\s+(.+)",
    re.IGNORECASE | re.DOTALL,
)
_PRESUMED = re.compile(
    r"(?:why|how come|since when)\s+(?:(is|are|was|were|does|do|did|has|have|had)(n't)?\s+)?(.+)",
    re.IGNORECASE | re.DOTALL,
)
_TRUE = re.compile(
    r"(?:is|isn't) it (?:still )?(?:true|correct|right|so|the case) that\s+(.+)", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(
    r",?\s*(?:right|correct|true|yes|no|(?:is|are|was|were|do|does|did|has|have)n't (?:it|we|they|that|he|she))"
    r"\s*\?+\s*$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^\W*(?:who|whom|whose|what|when|where|which|how|why|tell|show|list|explain|describe|find|give|summari[sz]e)\b",
    re.IGNORECASE,
)
_MODALS = frozenset("can could should will would must may might shall".split())
_COPULAS = _MODALS | frozenset("is are was were has have had".split())
_PAST = frozenset("did was were had".split())
_BREAKS = frozenset(
    "in on at by from to with via under over still already now not no never only ever been being be".split()
)
_ARTICLES = frozenset("a an the our my your his her their its".split())
_INSIDE = frozenset("of for and or between".split())
"""After these an article goes on with the subject: `the lifetime of a session`."""
_PARTICIPLES = frozenset(
    """
    begun bought broken brought built caught chosen cut done drawn driven drunk eaten fallen fed felt forbidden found
    given gone grown held hidden hit hung kept known laid led left lent lost made meant met paid put read run seen sent
    set shown shut sold spent split spoken spun stolen stood stuck sung swept taken taught thrown told torn understood
    used withdrawn won worn written
    """.split()
)
_ENDED_BY = re.compile(r"\s*[?.!]+\s*$")


def intent_of(question: str) -> Intent:
    """What a question is after; a cause beats a time, and both beat a check of what it says."""
    for intent, pattern in ((Intent.ROOT_CAUSE, _CAUSE), (Intent.TIMELINE, _TIME), (Intent.COMPARISON, _COMPARED)):
        if pattern.search(question):
            return intent
    return Intent.FACT_CHECK if claim_of(question) is not None else Intent.SYNTHESIS


def claim_of(question: str) -> str | None:
    """What a question takes for granted, as a statement: of `is X Y?` that X is Y, of `why does X use Y?` that X uses
    Y; a statement is its own. None where it takes nothing for granted."""
    text = " ".join(question.split())[:CLAIM_LIMIT_CHARS]
    if tagged := _TAG.search(text):
        return _enough(text[: tagged.start()])
    if presumed := _PRESUMED.match(text):
        verb, negated, rest = presumed.groups()
        return _enough(_turned(verb, negated, _ENDED_BY.sub("", rest))) if verb else None
    if stated := _TRUE.match(text):
        return _enough(stated[1])
    if polar := _POLAR.match(text):
        verb, _, rest = polar.groups()  # whoever asks `isn't it locked?` takes it that it is
        return _enough(_turned(verb, None, _ENDED_BY.sub("", rest)))
    if "?" in text or _ASKS.match(text):
        return None
    return _enough(text) if text.endswith((".", "!")) else None


def asks_for_a_rule(question: str) -> bool:
    """Whether a question asks what is to be done or may be done, rather than what is so."""
    return _RULE.search(question) is not None and not _CAUSE.search(question)


def is_past(question: str) -> bool:
    """Whether a question asks how something was, rather than how it is: what came later does not deny that."""
    asked = _PRESUMED.match(question.strip()) or _POLAR.match(question.strip())
    return asked is not None and (asked.group(1) or "").lower() in _PAST


def _turned(verb: str, negated: str | None, rest: str) -> str:
    """`is X Y` → `X is Y`: the verb goes where the subject seems to end."""
    words, verb = rest.split(), verb.lower()
    denial = ["not"] if negated else []
    if verb not in _COPULAS:
        if negated:
            place = _verb_place(words)
            return " ".join([*words[:place], verb, "not", *words[place:]])
        return " ".join(_inflected(words) if verb == "does" else words)
    place = _verb_place(words) if verb in _MODALS else _subject_end(words)
    return " ".join([*words[:place], verb, *denial, *words[place:]])


def _subject_end(words: Sequence[str]) -> int:
    """Where the subject seems to end; before the last word, where nothing tells."""
    bare = [word.lower().strip(",;:()\"'") for word in words]
    for place in range(1, len(words)):
        if bare[place - 1] in _ARTICLES or bare[place - 1] in _INSIDE:
            continue  # `the written rollback`, `the lifetime of a session`
        if bare[place] in _ARTICLES or bare[place] in _BREAKS or bare[place][:1].isdigit():
            return place
        if bare[place] in _PARTICIPLES or (len(bare[place]) > 4 and bare[place].endswith(("ed", "ing"))):
            return place
    return len(words) - 1


def _verb_place(words: Sequence[str]) -> int:
    """Where the verb after `can` or `should` seems to stand: `interns deploy to the shop`."""
    bare = [word.lower() for word in words]
    for place in range(1, len(words)):
        if bare[place - 1] in _ARTICLES or bare[place - 1] in _INSIDE:
            continue
        if bare[place] in ("be", "have", "not") or (_is_light(words, place) and not _is_light(words, place + 1)):
            return place
        if place > 1 and (bare[place] in _BREAKS or bare[place] in _ARTICLES):
            return place - 1
    return len(words) - 1


def _inflected(words: Sequence[str]) -> list[str]:
    """`the API use REST` → `the API uses REST`, where the verb is one of every day."""
    place = _verb_place(words)
    verb = words[place]
    if not _is_light(words, place) or not verb.isalpha():
        return list(words)
    end = "es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s"
    whole = f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in "aeou" else verb + end
    return [*words[:place], "has" if verb == "have" else whole, *words[place + 1 :]]


def _is_light(words: Sequence[str], place: int) -> bool:
    if place >= len(words) or not words[place].islower():
        return False
    return words[place] == "own" or not LIGHT_VERBS.isdisjoint(analyse(words[place]))


def _enough(claim: str) -> str | None:
    claim = _ENDED_BY.sub("", claim).strip()
    return claim if len(claim.split()) >= _WORDS_LEAST else None
