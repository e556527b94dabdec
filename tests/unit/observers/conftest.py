"""Fixtures of the tests of what is told of verbs."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.faces.library import Trigraph
from trigraph.model.scope import Scope
from trigraph.observers.lines import LOGGER, start_logs
from trigraph.settings import CONTENT_VARIABLE, EmbedderSettings, Settings

ANNA = Scope("default", "default", "anna")
Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def plain(home: Path, clock: SettableClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trigraph]:
    """Memory of an agent, without a model, for what does not depend on meaning."""
    monkeypatch.delenv(CONTENT_VARIABLE, raising=False)
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings, clock=clock), ANNA) as opened:
        opened.admin.set_agent("default", "default", "anna")
        yield opened


@pytest.fixture
def _loggers_as_they_were() -> Iterator[None]:
    root = logging.getLogger()
    handlers, levels = list(root.handlers), (root.level, LOGGER.level)
    yield
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    LOGGER.setLevel(levels[1])


@pytest.fixture
def stream(_loggers_as_they_were: None) -> io.StringIO:
    """Where all that is logged goes, a line for each verb."""
    written = io.StringIO()
    start_logs("json", "info", written)
    return written


@pytest.fixture
def lines(stream: io.StringIO) -> Lines:
    """The lines that were written since it was asked last."""

    def read() -> list[dict[str, Any]]:
        found = [json.loads(line) for line in stream.getvalue().splitlines()]
        stream.seek(0)
        stream.truncate()
        return found

    return read
