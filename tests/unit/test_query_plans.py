"""Queries that run on every recall or page must use their index, not read the whole project."""

from __future__ import annotations

import re
from pathlib import Path

import apsw
import pytest

from trigraph.faces.library import Trigraph
from trigraph.stores.sqlite.rows import MEMORY_COLUMNS
from trigraph.stores.sqlite.visibility import queries

EXPECTED = {
    "ids_of_topic": "memory_by_topic",
    "ids_ending": "memory_by_short_id",
    "same_text": "memory_by_content",
    "page": "memory_by_project",
    "page_of_thread": "memory_by_place",
    "get": "(project=? AND id=?)",
}


@pytest.mark.parametrize(("name", "index"), EXPECTED.items())
def test_a_query_uses_its_index(memory: Trigraph, home: Path, name: str, index: str) -> None:
    memory.remember("something to make the files")
    connection = apsw.Connection(str(home / "default.db"))
    sql = queries("memories", {"memory_columns": MEMORY_COLUMNS})[name]
    parameters = dict.fromkeys(re.findall(r":(\w+)", sql))
    plan = " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters))
    connection.close()
    assert index in plan, plan
