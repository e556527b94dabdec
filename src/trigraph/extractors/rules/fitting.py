"""Making a sentence short enough without making it untrue."""

from __future__ import annotations

import re

# Where a sentence may end earlier: first before a clause of its own, then before a phrase that only adds.
_CLAUSE = re.compile(
    r"(?:[,;:]|\s[-–—])\s+|\s+(?=\()|\s+(?=(?:and|but|so|because|since|though|although|which|while|as|where|making"
    r"|ensuring"
    r"|allowing|trusting)\s)|,\s+(?=\w+ing\b)"
)
_PHRASE = re.compile(
    r"\s+(?=(?:to|for|from|in|on|with|at|by|(?<!week )(?<!weekend )(?<!kind )(?<!lot )(?<!instead )of|through|across"
    r"|using|via|about|during|after|before)\s)"
)
# What follows these decides whether the rest is true.
_CONDITION = re.compile(
    r"(?:and|but|,)?\s*\(?(?:if|unless|except|without|until|only|instead|rather|but not|not|when|whenever|provided|or"
    r"|nor|than"
    r"|once|that|whether|just)\b",
    re.IGNORECASE,
)
_LEFT_OPEN = re.compile(
    r"(?:\b(?:and|or|but|so|the|a|an|of|to|for|in|on|with|at|by|from|that|which|is|are|was|were|be|as|both|their|its"
    r"|not"
    r"|if|when|has|have|had|will|would|can|could|should|really|very|more|about|like|because|into|than|just|getting|how"
    r"|speaking|speaking of|see how \w+|[Tt]hat)"
    r"|\b(?:it|that|he|she|there|they|we)['’]\w+|[,;:(\-–—])$"
)


_TAKES_TO = re.compile(
    r"\b(?:needs?|needed|wants?|wanted|ha[sd]|have|able|going|gonna|plan(?:s|ned|ning)?|tr(?:y|ies|ied|ying)|hop(?:es?"
    r"|ed|ing)"
    r"|likes?|loves?|used|supposed|order|continues?|decided|opted|chose|how|what|when|where|excited|happy|ready|lucky"
    r"|learning"
    r"|started|starting|began|due|thanks|related|compared|access|similar|important|easy|hard|great|good|fun|looking|way"
    r"|got"
    r"|get|gets|it|them|want|something|someone|anything|place|time|chance|opportunity|dream|goal)$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s+\((?![^()]*\b(?:not|only|if|unless|except)\b)[^()`]+\)")
_LISTED = re.compile(r"[^,.;]{1,45},\s|[^,.;]{1,45}\s(?:and|or)\s[^,.;]{1,45}$")
_SUBORDINATE = re.compile(
    r"(?:last time|when|whenever|since|if|after|before|while|as|although|though|because|once|every time|unless"
    r"|until)\b[^,]*$",
    re.IGNORECASE,
)


def fit(text: str, limit: int, shortest: int = 20) -> str | None:
    """The text, or the longest beginning of it that says something whole, in at most `limit` characters; else None."""
    text = tidy(text)
    if len(text) > limit:
        text = tidy(_ASIDE.sub("", text))
    if len(text) <= limit:
        return text if len(text) >= min(shortest, 15) else None
    cuts = [(match.start(), 1.0) for match in _CLAUSE.finditer(text)]
    cuts += [(match.start(), 0.8) for match in _PHRASE.finditer(text)]
    least = max(shortest, limit * 2 // 5)
    for cut, _ in sorted(cuts, key=lambda one: -one[0] * one[1]):
        if least <= cut <= limit and _may_end(text, cut):
            return tidy(text[:cut])
    return None


_IN_THE_AIR = re.compile(
    r"\b(?:and|or|nor|but|so|because|since|although|though|while|whereas|unless|until|if|when|whether|than|that|which|the"
    r"|an?|of|to|for|with|without|by|from|into|onto|as|at|via|using|during|between|among|against|including|such as"
    r"|due to|(?<!logged )(?<!opted )(?<!opt )(?<!built )(?<!plugged )(?<!signed )in|(?<!turned )(?<!switched )on)$"
    r"|[:,;(–—-]$|\b(?:like|for example|e\.g\.)$",
    re.IGNORECASE,
)


def is_whole(text: str) -> bool:
    """Whether a text does not end in the air: in a conjunction, a preposition, a colon."""
    return _IN_THE_AIR.search(text.rstrip(" .!")) is None


def tidy(text: str) -> str:
    """Without blanks and marks at its edges, and with a capital where it begins with a word."""
    text = text.strip(" \t\n,;:–—-").rstrip(" .!,;:–—-")
    word = re.match(r"[a-zà-ÿ][^\s:]*", text)
    if word and not re.search(r"[A-Z_\d./(]", word.group()):
        text = text[0].upper() + text[1:]
    return text


def _may_end(text: str, cut: int) -> bool:
    head, tail = text[:cut].rstrip(), text[cut:].lstrip(" ,;:–—-")
    return (
        not _CONDITION.match(tail)
        and not _LEFT_OPEN.search(head)
        and not (tail.startswith("to ") and _TAKES_TO.search(head))
        and not _SUBORDINATE.match(head)
        and not re.search(r"\binstead of (?:\w+ly )?\w+ing$", head)
        and head.count("`") % 2 == 0
        and head.count("(") == head.count(")")
        and head.count('"') % 2 == 0
        and not re.search(
            r"\b(?:either|both|not only|neither|whether|if|when|while|since|because|although)\b[^,]*$", head
        )
        and not (tail.startswith("and ") and re.search(r"\bbetween [^,]*$", head))
        and not (text[cut] == "," and _LISTED.match(tail))
        and not (tail.startswith(("and ", "or ")) and re.search(r",\s+[^,]{1,40}$", head) is not None)
    )
