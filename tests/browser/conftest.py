"""Fixtures of the tests of browser."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # commands.py and soundness.py, which several folders share

from commands import Command


@pytest.fixture
def command(home: Path, tmp_path: Path) -> Command:
    """`trigraph` on the test's own home."""
    return Command(home, tmp_path)
