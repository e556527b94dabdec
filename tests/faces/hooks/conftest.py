"""A home with some memories, and an environment in which a hook finds it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from trigraph.assembly import open_engine
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings

LEDGER = "We chose PostgreSQL for the harbour ledger because of its range types"


@pytest.fixture
def environment(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Of a hook in this process and in others: the home, no settings of the user's, and no process is started."""
    given = {
        "PATH": str(Path(sys.executable).parent),
        "HOME": str(tmp_path),
        "TRIGRAPH_HOME": str(home),
        "TRIGRAPH_EMBEDDER__KIND": "none",
        "TRIGRAPH_HOOKS__CATCH_UP": "false",
    }
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "TRIGRAPH_BYPASS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return given


@pytest.fixture
def kept(home: Path, environment: dict[str, str]) -> Iterator[Trigraph]:
    """A memory that knows of the harbour."""
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings), LOCAL_SCOPE) as memory:
        memory.remember("Never deploy on a Friday", kind="constraint", pinned=True)
        memory.remember("Every migration needs a review by two people", kind="constraint")
        memory.remember(LEDGER, kind="decision", topic="ledger")
        memory.remember("Anne prefers short answers", kind="preference")
        memory.remember("The crane on pier 7 lifts forty tons")
        yield memory
