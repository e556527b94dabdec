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
    "gap between the versions of a memory": """
        SELECT memory_key, known_until FROM memory_version AS v WHERE known_until IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM memory_version AS n WHERE n.memory_key = v.memory_key AND n.known_from = v.known_until)""",
    "entity without exactly one open state": """
        SELECT id FROM entity AS e WHERE 1 <> (
          SELECT count(*) FROM entity_state WHERE entity_key = e.key AND valid_until IS NULL)""",
    "state that ends where none begins": """
        SELECT entity_key, valid_until FROM entity_state AS s WHERE valid_until IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM entity_state AS n WHERE n.entity_key = s.entity_key AND n.valid_from = s.valid_until)""",
    "entity without its own name among its names": """
        SELECT id FROM entity AS e WHERE NOT EXISTS (
          SELECT 1 FROM alias AS a WHERE a.entity_key = e.key AND a.name = (
            SELECT s.name FROM entity_state AS s WHERE s.entity_key = e.key AND s.name IS NOT NULL
            ORDER BY s.valid_from DESC LIMIT 1))
          AND EXISTS (SELECT 1 FROM entity_state AS s WHERE s.entity_key = e.key AND s.name IS NOT NULL)""",
    "entity of which nothing speaks": "SELECT id FROM entity WHERE key NOT IN (SELECT entity_key FROM mention)",
    "superseded without the link that says so": """
        SELECT m.id FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL
        WHERE v.superseded_by IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM link AS l JOIN memory AS n ON n.key = l.from_key
          WHERE l.to_key = m.key AND l.type = 'supersedes' AND l.known_until IS NULL AND n.id = v.superseded_by)""",
    "answer about a memory that is not there": """
        SELECT key FROM idempotency WHERE answer ->> '$.ids[0]' LIKE 'm_%'
          AND answer ->> '$.ids[0]' NOT IN (SELECT id FROM memory)""",
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
