"""One request until it is answered: when it is sent again and after how long. No network and no clock are in here.

What is done is told as a flow, a generator that asks for requests to be sent and for pauses to be made; a client that
waits and one that awaits carry out the same flows.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from trigraph.errors import Unreachable
from trigraph.faces.remote.problems import is_problem

PASSING = frozenset({429, 502, 503, 504})
LONGEST_PAUSE_SECONDS = 30.0
_SECONDS = re.compile(r"\d{1,6}(\.\d{1,6})?")
_REFUSED_AT_ONCE = frozenset({"rate_limited", "overloaded"})


@dataclass(frozen=True, slots=True)
class Request:
    """What to send. `repeatable` says that sending it twice does no more than sending it once."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def problem(self) -> Mapping[str, Any] | None:
        """What went wrong as the server tells it; None if it is none of ours that does."""
        if self.status < 400:
            return None
        with suppress(ValueError, RecursionError):
            found = json.loads(self.body)
            return found if is_problem(found) else None
        return None


@dataclass(frozen=True, slots=True)
class NoReply:
    """Nothing came back, and why; `sent` says whether the request may have arrived, `untrusted` that nothing was sent
    because the server's certificate is not trusted."""

    why: str
    sent: bool
    untrusted: bool = False


@dataclass(frozen=True, slots=True)
class Pause:
    """Time to let pass."""

    seconds: float


Step: TypeAlias = Request | Pause
Told: TypeAlias = Reply | NoReply | None
_Answer = TypeVar("_Answer")
Flow: TypeAlias = Generator[Step, Told, _Answer]


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is sent again, and how the pauses grow: doubled each time, and of random length so that not
    all come back at once. What the server says of when to come back counts more."""

    retries: int = 4
    first_pause_seconds: float = 0.25
    chance: Callable[[], float] = random.random

    def pause(self, attempt: int, request: Request, told: Reply | NoReply) -> float | None:
        """How long to wait before the request is sent again; None if it is not."""
        if attempt >= self.retries or not _worth_repeating(request, told):
            return None
        grown = min(self.first_pause_seconds * 2.0**attempt, LONGEST_PAUSE_SECONDS)
        asked = _retry_after(told) if isinstance(told, Reply) else None
        if asked is None:
            return grown * (0.5 + self.chance() / 2)
        return asked + grown * self.chance() / 2 if asked <= LONGEST_PAUSE_SECONDS else None


def answered(request: Request, patience: Patience, where: str) -> Flow[Reply]:
    """Send a request until there is an answer, or until it is given up."""
    attempt = 0
    while True:
        told = yield request
        assert told is not None
        pause = patience.pause(attempt, request, told)
        if pause is None:
            break
        attempt += 1
        yield Pause(pause)
    if isinstance(told, NoReply):
        if told.untrusted:
            raise Unreachable(
                f"The certificate of {where} is not trusted ({told.why}).",
                fix="Give an ssl.SSLContext that trusts it as tls=, or set SSL_CERT_FILE.",
            )
        done = "It may have been done all the same." if told.sent and not request.repeatable else ""
        raise Unreachable(
            f"{where} does not answer ({told.why}). {done}".rstrip(),
            fix="Check the address, and that `trigraph serve` runs there.",
        )
    return told


def _worth_repeating(request: Request, told: Reply | NoReply) -> bool:
    """Whether another try may succeed, and does no harm: what was refused before anything was done can always be sent
    again. A problem of the server's own passes if it says when to come back; others are of what stands between."""
    if isinstance(told, NoReply):
        return not told.untrusted and (request.repeatable or not told.sent)
    if told.status not in PASSING:
        return False
    if (problem := told.problem) is not None:
        passing = _retry_after(told) is not None
        return passing and (request.repeatable or problem["code"] in _REFUSED_AT_ONCE)
    return request.repeatable or told.status == 429


def _retry_after(reply: Reply) -> float | None:
    told = reply.headers.get("retry-after", "").strip()
    return float(told) if _SECONDS.fullmatch(told) else None
