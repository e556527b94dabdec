"""Log lines: one for each verb, as JSON or for people. They hold ids, counts and times, never a text or a query."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TextIO

from trigraph.contracts import LOGGED
from trigraph.errors import ConfigError, TrigraphError
from trigraph.observers import facts

LOGGER = logging.getLogger("trigraph")
LOGGER.addHandler(logging.NullHandler())  # a program that configures no logs gets none
FORMATS = ("json", "text")
LEVELS = ("debug", "info", "warning", "error")


def level_of(error: BaseException | None) -> int:
    """Answers and what the caller did wrong are info; what the store or a model could not do is a warning; the rest is
    a fault of the program."""
    if error is None or isinstance(error, facts.CALLERS_FAULT):
        return logging.INFO
    return logging.WARNING if isinstance(error, TrigraphError) else logging.ERROR


def log(event: str, told: Mapping[str, object], error: BaseException | None = None) -> None:
    """One line: what happened, how it ended, and what may be told of it."""
    level = level_of(error)
    if not LOGGER.isEnabledFor(level):
        return
    line = {"event": event, **told}
    if error is not None and level == logging.ERROR:
        line["trace"] = facts.frames(error)
    LOGGER.log(level, "%s %s", told.get("verb", event), told.get("outcome", ""), extra={LOGGED: line})


def start_logs(format: str, level: str, stream: TextIO) -> None:
    """Have everything that is logged in this process written to a stream, one line each; of other packages only
    warnings, and of those what they say in general: their arguments may quote a memory."""
    for name, value, valid in (("log.format", format, FORMATS), ("log.level", level, LEVELS)):
        if value not in valid:
            raise ConfigError(f"{name} {value[:80]!r} is not known.", fix=f"Valid: {', '.join(valid)}.")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Lines(as_json=format == "json"))
    root = logging.getLogger()
    for earlier in [one for one in root.handlers if isinstance(one.formatter, _Lines)]:
        root.removeHandler(earlier)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(level.upper())


class _Lines(logging.Formatter):
    """A record as one line."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """Our own records by their facts, others by their template."""
        told: Mapping[str, Any] = getattr(record, LOGGED, None) or _foreign(record)
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"time": time, "level": record.levelname.lower(), **told}
        if self._as_json:
            return json.dumps(line, ensure_ascii=True, default=str)
        first = [line.pop(name, None) for name in ("time", "level", "event", "outcome")]
        rest = [f"{name}={json.dumps(value, default=str)}" for name, value in line.items()]
        return " ".join([*(str(one) for one in first if one is not None), *rest])


def _foreign(record: logging.LogRecord) -> dict[str, Any]:
    told: dict[str, Any] = {"event": "log", "logger": record.name, "message": str(record.msg)}
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        told |= {"error": type(error).__qualname__, "trace": facts.frames(error)}
    return told
