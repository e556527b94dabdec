"""What the pages take from others is what the table says."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import trigraph

DASHBOARD = Path(trigraph.__file__).parent / "faces" / "dashboard"
TABLE = (DASHBOARD / "vendor" / "README.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\S+) \| [\d.]+ \| \S+ \| (\S+) \| `([0-9a-f]{64})` \|$", re.MULTILINE)


def test_every_file_has_the_digest_that_it_was_taken_with() -> None:
    rows = ROW.findall(TABLE)
    assert len(rows) == TABLE.count("` |\n") > 0
    for _, name, digest in rows:
        assert (name, hashlib.sha256((DASHBOARD / "static" / name).read_bytes()).hexdigest()) == (name, digest)


def test_what_stands_in_the_table_has_its_licence_beside_it() -> None:
    for name in {name for name, _, _ in ROW.findall(TABLE)}:
        assert "Copyright" in (DASHBOARD / "vendor" / f"{name.lower()}.LICENSE").read_text(encoding="utf-8")
