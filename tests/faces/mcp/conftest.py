"""Fixtures of the tests of the MCP face."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings


@pytest.fixture
def plain(home: Path, clock: SettableClock) -> Iterator[Trigraph]:
    """Memory without a model, for what does not depend on meaning."""
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings, clock=clock), LOCAL_SCOPE) as opened:
        yield opened
