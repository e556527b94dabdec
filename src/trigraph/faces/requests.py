"""A log line for each request that a server answers: what was asked for, how it ended, how long it took. Never what
was in it."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from trigraph.contracts import LOGGED

LOGGER = logging.getLogger("trigraph.requests")


def log_request(face: str, request: str, outcome: str, seconds: float, told: Mapping[str, object]) -> None:
    """One line; `request` is the name of a tool or the template of a route: a path may hold a name or a query."""
    if LOGGER.isEnabledFor(logging.INFO):
        line = {"event": "request", "face": face, "request": request, "outcome": outcome, **told}
        LOGGER.info("%s %s", request, outcome, extra={LOGGED: {**line, "ms": round(seconds * 1000, 3)}})


@contextmanager
def logged(face: str, request: str) -> Iterator[dict[str, Any]]:
    """A line when the block ends; `outcome` is ok unless the block puts another into the dictionary."""
    told: dict[str, Any] = {"outcome": "ok"}
    started = time.perf_counter()
    try:
        yield told
    except BaseException as error:
        told["outcome"] = type(error).__qualname__
        raise
    finally:
        log_request(face, request, told.pop("outcome"), time.perf_counter() - started, told)
