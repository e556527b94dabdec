"""Every requirement that is due is named by a test, and no test names one that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
NAMED = re.compile(r"""mark\.req\(([^)]*)\)""")


def _due() -> set[str]:
    lines = (TESTS / "requirements_due.txt").read_text(encoding="utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


def _named() -> set[str]:
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for arguments in NAMED.findall(path.read_text(encoding="utf-8")):
            found.update(re.findall(r"""["']([A-Z]\d+)["']""", arguments))
    return found


def test_every_requirement_due_is_named_by_a_test() -> None:
    assert _due() - _named() == set()


def test_every_requirement_named_by_a_test_is_due() -> None:
    assert _named() - _due() == set()
