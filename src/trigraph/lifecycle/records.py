"""Are two records, such as a product's page in two shops, of one thing? A sum of named features, with fitted weights.

The first line of a record is its name; what follows describes it. Weights come from `trigraph.bench.matching.fitted`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from types import MappingProxyType

from rapidfuzz import fuzz

RECORD_SAME = 0.5
"""From this score on, two records are taken for one thing."""

CODE_LEAST_CHARS = 4
NUMBER_CODE_LEAST_CHARS = 5
PHONE_LEAST_DIGITS = 7
_TEXT_LIMIT_CHARS = 4000

_WORD = re.compile(r"[^\W_]+")
_CODE = re.compile(r"[a-z0-9]++(?:[-/.][a-z0-9]++)*")
_GROUPED_NUMBER = re.compile(r"\d++(?:\s?[-/.]\s?\d++)+")
_LONG_NUMBER = re.compile(r"\d{3,}")
_NO_CODE_CHAR = re.compile(r"[^a-z0-9]+")

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "shared_words": 2.12,
        "shared_code": 2.65,
        "codes_differ": -1.74,
        "numbers_differ": -1.69,
        "words_with_digits": 1.69,
        "names_share": 4.60,
        "names_alike": -0.67,
        "cosine": 10.03,
        "bias": -14.89,
    }
)
"""With the cosine of the two names' embeddings known."""
WEIGHTS_WITHOUT_COSINE: Mapping[str, float] = MappingProxyType(
    {
        "shared_words": 2.41,
        "shared_code": 3.09,
        "codes_differ": -1.62,
        "numbers_differ": -1.87,
        "words_with_digits": 1.44,
        "names_share": 7.23,
        "names_alike": 1.55,
        "bias": -10.03,
    }
)


def record_match_score(one: str, other: str, cosine: float | None = None) -> float:
    """How likely two records are of one thing, from 0 to 1; `cosine` is that of their names' embeddings."""
    features = record_features(one, other)
    if cosine is None:
        return _logistic(WEIGHTS_WITHOUT_COSINE, features)
    return _logistic(WEIGHTS, {**features, "cosine": cosine})


def record_features(one: str, other: str) -> dict[str, float]:
    """What speaks for one thing and what against it, each from 0 to 1."""
    left, right = one[:_TEXT_LIMIT_CHARS].casefold().strip(), other[:_TEXT_LIMIT_CHARS].casefold().strip()
    left_name, right_name = left.partition("\n")[0], right.partition("\n")[0]
    left_words, right_words = set(_WORD.findall(left)), set(_WORD.findall(right))
    left_codes, right_codes = _codes(left_name), _codes(right_name)
    shared = bool(_codes(left) & _codes(right)) or _contains(left, right_codes) or _contains(right, left_codes)
    left_numbers, right_numbers = set(_LONG_NUMBER.findall(left_name)), set(_LONG_NUMBER.findall(right_name))
    return {
        "shared_words": len(left_words & right_words) / max(min(len(left_words), len(right_words)), 1),
        "shared_code": float(shared),
        "codes_differ": float(bool(left_codes and right_codes) and not shared),
        "numbers_differ": float(bool(left_numbers and right_numbers) and not left_numbers & right_numbers),
        "words_with_digits": _overlap(_with_digits(left_name), _with_digits(right_name)),
        "names_share": fuzz.token_set_ratio(left_name, right_name) / 100,
        "names_alike": fuzz.token_sort_ratio(left_name, right_name) / 100,
    }


def _logistic(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    total = weights["bias"] + sum(weights[name] * value for name, value in features.items())
    return 1 / (1 + math.exp(-total))


def _codes(text: str) -> set[str]:
    """Model numbers, part numbers and telephone numbers, without what separates their groups."""
    found: set[str] = set()
    for match in _GROUPED_NUMBER.finditer(text):
        digits = _NO_CODE_CHAR.sub("", match.group())
        if len(digits) >= PHONE_LEAST_DIGITS:
            found.add(digits)
    for match in _CODE.finditer(text):
        code = _NO_CODE_CHAR.sub("", match.group())
        least = NUMBER_CODE_LEAST_CHARS if code.isdigit() else CODE_LEAST_CHARS
        if len(code) >= least and any(char.isdigit() for char in code):
            found.add(code)
    return found


def _contains(text: str, codes: set[str]) -> bool:
    """Whether one of the codes stands in a text, however it is written there."""
    joined = _NO_CODE_CHAR.sub("", text)
    return any(len(code) >= NUMBER_CODE_LEAST_CHARS and code in joined for code in codes)


def _with_digits(text: str) -> set[str]:
    return {word for word in _WORD.findall(text) if any(char.isdigit() for char in word)}


def _overlap(one: set[str], other: set[str]) -> float:
    """The share of all that both have; where neither has any, nothing is said."""
    return len(one & other) / len(one | other) if one or other else 0.5
