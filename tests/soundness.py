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
    "document that is no entity of its type and project": """
        SELECT d.entity_key FROM document AS d LEFT JOIN entity AS e ON e.key = d.entity_key
        WHERE e.key IS NULL OR e.type <> 'document' OR e.project <> d.project""",
    "document at the path of another of the same readers": """
        SELECT one.entity_key, other.entity_key, one.path
        FROM document AS one JOIN document AS other ON other.project = one.project
          AND other.collection = one.collection AND other.path = one.path AND other.entity_key > one.entity_key
        JOIN entity AS e ON e.key = one.entity_key JOIN entity AS f ON f.key = other.entity_key
        WHERE e.visibility = f.visibility AND e.group_name IS f.group_name AND e.author = f.author""",
    "two texts of one document at one time, for the same readers": """
        SELECT n.entity_key, m.id, o.id
        FROM document AS d JOIN mention AS n ON n.entity_key = d.entity_key AND n.subject = 1 AND n.known_until IS NULL
        JOIN memory AS m ON m.key = n.memory_key AND m.kind = 'document'
        JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL AND v.status = 'active'
        JOIN mention AS k ON k.entity_key = d.entity_key AND k.subject = 1 AND k.known_until IS NULL
        JOIN memory AS o ON o.key = k.memory_key AND o.kind = 'document' AND o.key > m.key
        JOIN memory_version AS w ON w.memory_key = o.key AND w.known_until IS NULL AND w.status = 'active'
        WHERE v.visibility = w.visibility AND v.group_name IS w.group_name AND v.retracted_at IS NULL
          AND w.retracted_at IS NULL AND v.valid_from < coalesce(w.valid_until, 9e18)
          AND w.valid_from < coalesce(v.valid_until, 9e18)""",
    "relation to itself, to nothing, or into another project": """
        SELECT r.key FROM relation AS r
        LEFT JOIN entity AS s ON s.key = r.source_key LEFT JOIN entity AS t ON t.key = r.target_key
        WHERE r.source_key = r.target_key OR s.project IS NOT r.project OR t.project IS NOT r.project""",
    "relation that stands written nowhere": """
        SELECT key FROM relation WHERE key NOT IN (SELECT relation_key FROM evidence)""",
    "evidence without its relation, or of a memory of another project": """
        SELECT x.relation_key, x.memory_key FROM evidence AS x
        LEFT JOIN relation AS r ON r.key = x.relation_key LEFT JOIN memory AS m ON m.key = x.memory_key
        WHERE r.key IS NULL OR m.project IS NOT r.project""",
    "evidence known twice at one time": """
        SELECT x.relation_key, x.memory_key, x.section FROM evidence AS x JOIN evidence AS y
          ON y.relation_key = x.relation_key AND y.memory_key = x.memory_key AND y.section = x.section
        WHERE y.known_from > x.known_from AND (x.known_until IS NULL OR x.known_until > y.known_from)""",
    "evidence older than its memory": """
        SELECT m.id, x.section FROM evidence AS x JOIN memory AS m ON m.key = x.memory_key
        WHERE x.known_from < m.created_at""",
    "open evidence of a memory that does not speak of both ends": """
        SELECT m.id, r.key FROM evidence AS x
        JOIN relation AS r ON r.key = x.relation_key JOIN memory AS m ON m.key = x.memory_key
        WHERE x.known_until IS NULL AND 2 > (
          SELECT count(*) FROM mention AS n
          WHERE n.memory_key = m.key AND n.known_until IS NULL AND n.entity_key IN (r.source_key, r.target_key))""",
    "automatic link of an episode": """
        SELECT l.id FROM link AS l JOIN memory AS m ON m.key IN (l.from_key, l.to_key)
        WHERE m.kind = 'episode' AND l.created_by = 'system' AND (l.similarity IS NOT NULL OR l.gap_seconds IS NOT NULL
          OR l.type IN ('temporal', 'relates_to'))""",
    "more than five automatic links that a memory got when it was written": """
        SELECT own, count(*) FROM (
          SELECT DISTINCT l.id, iif(l.type = 'temporal', l.to_key, l.from_key) AS own FROM link AS l
          WHERE l.created_by = 'system' AND l.type IN ('temporal', 'relates_to'))
        GROUP BY own HAVING count(*) > 5""",
    "two automatic links between the same two memories": """
        SELECT min(from_key, to_key), max(from_key, to_key), count(DISTINCT id) FROM link
        WHERE created_by = 'system' AND type IN ('temporal', 'relates_to') AND known_until IS NULL
        GROUP BY 1, 2 HAVING count(DISTINCT id) > 1""",
    "link drawn by both likeness and nearness, or measured though nobody drew it": """
        SELECT id FROM link WHERE (similarity IS NOT NULL AND gap_seconds IS NOT NULL)
          OR (created_by <> 'system' AND (similarity IS NOT NULL OR gap_seconds IS NOT NULL))
          OR (gap_seconds IS NOT NULL AND (type <> 'temporal' OR gap_seconds > 3600))
          OR (similarity IS NOT NULL AND type <> 'relates_to')""",
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
