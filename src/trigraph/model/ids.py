"""128-bit ids: sortable by time, prefixed by what they name, 26 characters of base 32.

People see the last 8 characters; any unambiguous suffix of 8 or more is understood.
"""

from __future__ import annotations

import os
import re
import threading
from datetime import datetime

from trigraph.model.times import to_micros

SHORT_LENGTH = 8
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_BITS = 70
_RANDOM_MASK = (1 << _RANDOM_BITS) - 1
_FULL_ID = re.compile(rf"[a-z]_[{_ALPHABET}]{{26}}")
_SUFFIX = re.compile(rf"[{_ALPHABET}]{{{SHORT_LENGTH},26}}")

_lock = threading.Lock()
_last: dict[tuple[str, int], int] = {}
_INSTANTS_KEPT = 1024
"""Those that an id was made for last: a long transaction goes on with its own, however many others come between."""


def new_id(prefix: str, at: datetime) -> str:
    """A fresh id for something that came about at `at`.

    58 bits of microseconds since 1970 and 70 random bits; within one process and one microsecond each id is
    greater than the one before it. Transactions of a store never share a microsecond, so ids sort as they
    were made.
    """
    stamp = to_micros(at) & ((1 << 58) - 1)
    fresh = (stamp << _RANDOM_BITS) | (int.from_bytes(os.urandom(9), "big") & _RANDOM_MASK)
    with _lock:
        last = _last.pop((prefix, stamp), 0)
        if fresh <= last and (last & _RANDOM_MASK) != _RANDOM_MASK:
            fresh = last + 1 + int.from_bytes(os.urandom(4), "big")
        _last[prefix, stamp] = fresh
        if len(_last) > _INSTANTS_KEPT:
            del _last[next(iter(_last))]
    return _written(prefix, fresh)


def first_id(prefix: str, at: datetime) -> str:
    """The smallest id of something that came about at `at`: nothing has it, and all that came later is greater."""
    return _written(prefix, (to_micros(at) & ((1 << 58) - 1)) << _RANDOM_BITS)


def _written(prefix: str, number: int) -> str:
    digits = [_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5)]
    return f"{prefix}_{''.join(digits)}"


def short_id(full_id: str) -> str:
    """What people see: the last 8 characters."""
    return full_id[-SHORT_LENGTH:]


def is_full_id(text: str, prefix: str) -> bool:
    """Whether `text` is a whole id of that prefix."""
    return text.startswith(prefix + "_") and _FULL_ID.fullmatch(text) is not None


def id_suffix(text: str, prefix: str) -> str | None:
    """The part of `text` that may be the end of an id, or None if it cannot be one."""
    candidate = text.strip().lower().removeprefix(prefix + "_")
    return candidate if _SUFFIX.fullmatch(candidate) else None
