"""Reading a model's answer strictly: what is in the schema's form, and of that, what the messages bear out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from trigraph.exchange import Unusable
from trigraph.model.extraction import Certainty, Finding, Found, Role, Said, Span, Stage

TEXT_CHARS = MappingProxyType({Stage.TURN: 100, Stage.DISTILLATION: 300})
FINDINGS = MappingProxyType({Stage.TURN: 3, Stage.DISTILLATION: 12})
SUMMARY_CHARS = 600
TOPIC_CHARS = 60
LEAST_EVIDENCE_CHARS = 6
"""A shorter quote, such as "the", stands in nearly any message and proves nothing, unless it is all of a message."""
MOST_EVIDENCE_CHARS = 400

_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]")
_JOINERS = re.compile("(?<=[^\x00-\x7f])[\u200c\u200d](?=[^\x00-\x7f])")


class Unfounded(Unusable):
    """The answer is of the right form, and nothing in it holds."""


def schema_of(stage: Stage) -> dict[str, Any]:
    """The JSON schema of an answer, in the subset that strict structured output allows."""
    item: dict[str, Any] = {
        "text": {"type": "string"},
        "finding": {"type": "string", "enum": [str(one) for one in Finding]},
        "certainty": {"type": "string", "enum": [str(one) for one in Certainty]},
        "evidence": {"type": "string"},
    }
    answer: dict[str, Any] = {"found": {"type": "array", "items": item}}
    if stage is Stage.DISTILLATION:
        item["topic"] = {"type": ["string", "null"]}
        answer["summary"] = {"type": "string"}
    answer["found"]["items"] = _closed(item)
    return _closed(answer)


def read_findings(stage: Stage, answer: object, messages: Sequence[Said]) -> tuple[tuple[Found, ...], str | None]:
    """The findings that hold, and the summary. Those of an unknown sort, too long, with characters nobody sees, or with
    evidence that stands in no message are left out; where that leaves nothing of something, Unfounded is raised."""
    distilled = stage is Stage.DISTILLATION
    fields = _fields(answer, {"found", "summary"} if distilled else {"found"})
    items = fields["found"]
    if not isinstance(items, list):
        raise Unusable("its answer is not of the schema: found is no list")
    read = [_read_item(stage, item, messages) for item in items[: FINDINGS[stage]]]
    found = tuple(one for one in read if one is not None)
    if items and not found:
        raise Unfounded("nothing that it found holds")
    return found, _read_summary(fields["summary"]) if distilled else None


def find_quote(quote: str, messages: Sequence[Said]) -> Span | None:
    """Where a quote stands word for word, white space aside: in what the user said if it does, else wherever; in the
    latest of several messages. Words are matched whole, so that "approved" is not found in "disapproved"."""
    words = quote.split()
    if not words or len(quote) > MOST_EVIDENCE_CHARS:
        return None
    pattern = re.compile(r"\s++".join(map(re.escape, words)))
    alone = len(" ".join(words)) < LEAST_EVIDENCE_CHARS
    for place in sorted(range(len(messages)), key=lambda place: (messages[place].role is not Role.USER, -place)):
        text = messages[place].text
        if alone and text.split() != words:
            continue
        for match in pattern.finditer(text):
            if not (_inside_word(text, match.start()) or _inside_word(text, match.end())):
                return Span(place, match.start(), match.end())
    return None


def _read_item(stage: Stage, item: object, messages: Sequence[Said]) -> Found | None:
    distilled = stage is Stage.DISTILLATION
    fields = _fields(item, {"text", "finding", "certainty", "evidence"} | ({"topic"} if distilled else set()))
    topic = fields.pop("topic", None)
    for name, value in fields.items():
        if not isinstance(value, str):
            raise Unusable(f"its answer is not of the schema: {name} is no string")
    if not (topic is None or isinstance(topic, str)):
        raise Unusable("its answer is not of the schema: topic is no string")
    text, topic = fields["text"].strip(), (topic or "").strip() or None
    if not _plain(text, TEXT_CHARS[stage]) or not _plain(topic or "none", TOPIC_CHARS):
        return None
    if fields["finding"] not in set(Finding) or fields["certainty"] not in set(Certainty):
        return None
    span = find_quote(fields["evidence"], messages)
    if span is None:
        return None
    certainty = Certainty(fields["certainty"])
    if certainty is Certainty.SAID and messages[span.message].role is not Role.USER:
        certainty = Certainty.CLEAR
    return Found(text, Finding(fields["finding"]), certainty, (span,), topic)


def _read_summary(summary: object) -> str | None:
    if not isinstance(summary, str):
        raise Unusable("its answer is not of the schema: summary is no string")
    line = " ".join(summary.split())
    return line if _plain(line, SUMMARY_CHARS) else None


def _plain(text: str, limit_chars: int) -> bool:
    """Whether a text has something to read, no more than allowed, and nothing that a reader does not see. Joiners are
    part of Persian, of Indian scripts and of emoji, and stay between such characters."""
    if not text or len(text) > limit_chars or _UNSEEN.search(text):
        return False
    return not any(unicodedata.category(char) in _UNSEEN_CATEGORIES for char in _JOINERS.sub("", text))


def _inside_word(text: str, place: int) -> bool:
    """Whether a word of a script that separates words goes on across this place."""
    return 0 < place < len(text) and _of_word(text[place - 1]) and _of_word(text[place])


def _of_word(char: str) -> bool:
    return char.isdecimal() or char.lower() != char.upper()


def _fields(value: object, names: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict) or value.keys() != names:
        raise Unusable(f"its answer is not of the schema: {', '.join(sorted(names))} are not what an object has")
    return dict(value)


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
