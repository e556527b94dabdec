"""What a question is after, and what it takes for granted, by the form of its words alone."""

from __future__ import annotations

import re

from trigraph.model.reference import Intent

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
_POLAR = re.compile(
    r"(?:(?:so|and|but|then|ok|okay)\W+)*(is|are|was|were|does|do|did|has|have|had|can|could|should|will|would|must)"
    r"(n't)?\s+(.+)",
    re.IGNORECASE | re.DOTALL,
)
_PRESUMED = re.compile(
    r"(?:why|how come|since when)\s+(?:(is|are|was|were|does|do|did|has|have|had)(n't)?\s+)?(.+)",
    re.IGNORECASE | re.DOTALL,
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
_COPULAS = frozenset("is are was were has have had can could should will would must".split())
_BREAKS = frozenset("in on at by from to with via under over still already now not no never only a an the".split())
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
    if polar := _POLAR.match(text):
        verb, negated, rest = polar.groups()
        return _enough(_turned(verb, negated, _ENDED_BY.sub("", rest)))
    if "?" in text or _ASKS.match(text):
        return None
    return _enough(text) if text.endswith((".", "!")) else None


def _turned(verb: str, negated: str | None, rest: str) -> str:
    """`is X Y` → `X is Y`: the verb goes where the subject seems to end."""
    words, verb = rest.split(), verb.lower()
    denial = ["not"] if negated else []
    place = next((number for number, word in enumerate(words[1:], start=1) if _ends_subject(word)), len(words) - 1)
    if verb not in _COPULAS:
        return " ".join([*words[:1], *(["do", "not"] if negated else []), *words[1:]])
    return " ".join([*words[:place], verb, *denial, *words[place:]])


def _ends_subject(word: str) -> bool:
    bare = word.lower().strip(",;:()\"'")
    return bare in _BREAKS or bare[:1].isdigit() or (len(bare) > 4 and bare.endswith(("ed", "ing", "ten", "den")))


def _enough(claim: str) -> str | None:
    claim = _ENDED_BY.sub("", claim).strip()
    return claim if len(claim.split()) >= _WORDS_LEAST else None
