"""Fixtures of the tests in which things go wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import Command


@pytest.fixture
def command(home: Path, tmp_path: Path) -> Command:
    """`trigraph` on the test's own home."""
    return Command(home, tmp_path)
