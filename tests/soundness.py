"""What must hold of a home folder whatever happened to it: asked of copies, in SQL, past the engine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

NOTHING_MAY_COME_BACK = {
    "foreign key": "PRAGMA foreign_key_check",
    "memory without an open version": """
        SELECT id FROM memory WHERE key NOT IN (SELECT memory_key FROM memory_version WHERE known_until IS NULL)""",
    "memory without all its passages": """
        SELECT id FROM memory AS m
        WHERE passage_count <> (SELECT count(*) FROM passage WHERE memory_key = m.key)""",
    "passage without its memory": "SELECT key FROM passage WHERE memory_key NOT IN (SELECT key FROM memory)",
    "passage without its lexical row": "SELECT key FROM passage WHERE key NOT IN (SELECT id FROM lexical_docsize)",
    "lexical row without its passage": "SELECT id FROM lexical_docsize WHERE id NOT IN (SELECT key FROM passage)",
    "passage without vector or job": """
        SELECT p.key FROM passage AS p JOIN memory AS m ON m.key = p.memory_key
        WHERE NOT EXISTS (SELECT 1 FROM vector AS x JOIN embedding_model AS e ON e.key = x.model_key AND e.pinned = 1
                          WHERE x.passage_key = p.key)
          AND NOT EXISTS (SELECT 1 FROM job WHERE state = 'waiting' AND json_extract(payload, '$.memory_id') = m.id)""",
    "vector without its passage": "SELECT seq FROM vector WHERE passage_key NOT IN (SELECT key FROM passage)",
    "job without its memory": """
        SELECT id FROM job WHERE json_extract(payload, '$.memory_id') NOT IN (SELECT id FROM memory)""",
    "thread without an episode": "SELECT id FROM thread WHERE key NOT IN (SELECT thread_key FROM memory)",
    "totals": """
        SELECT passages, terms FROM lexical_total
        WHERE passages <> (SELECT count(*) FROM passage)
           OR terms <> (SELECT coalesce(sum(term_count), 0) FROM passage)""",
}

ORDINARY_TABLES = """
    SELECT name FROM sqlite_schema
    WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' AND name <> 'clock' ORDER BY name"""


def faults(home: Path) -> list[str]:
    """Everything that is wrong with the store; empty when it is whole."""
    found = []
    for path in sorted(home.glob("*.db")):
        with _copy(path) as connection:
            problems = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
            found += [f"{path.name}: {problem}" for problem in problems]
    with _copy(home / "default.db") as connection:
        for name, query in NOTHING_MAY_COME_BACK.items():
            found += [f"{name}: {row}" for row in connection.execute(query)]
        for table in ("lexical", "identifier"):
            try:
                connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")  # noqa: S608
            except apsw.Error as error:
                found.append(f"{table}: {error}")
    return found


def digest(home: Path) -> str:
    """Equal exactly when every row of every table of every file is equal, the store's clock aside."""
    seen = hashlib.sha256()
    for path in sorted(home.glob("*.db")):
        with _copy(path) as connection:
            for (table,) in list(connection.execute(ORDINARY_TABLES)):
                rows = connection.execute(f'SELECT * FROM "{table}" ORDER BY 1, 2')  # noqa: S608
                seen.update(f"{path.name} {table} {list(rows)}".encode())
    return seen.hexdigest()


@contextmanager
def _copy(path: Path) -> Iterator[apsw.Connection]:
    """A copy in memory of what is committed; the file itself is only read."""
    with closing(apsw.Connection(":memory:")) as copy:
        with closing(apsw.Connection(str(path))) as original, copy.backup("main", original, "main") as backup:
            while not backup.done:
                backup.step(10_000)
        yield copy
