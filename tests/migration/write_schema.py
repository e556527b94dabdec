"""Write the schema files for people, from databases as the migrations leave them.

python tests/migration/write_schema.py
"""

from __future__ import annotations

import re
from pathlib import Path

from trigraph.stores.sqlite import migrate as migrations
from trigraph.stores.sqlite.connections import Database

FAMILIES = ("registry", "tenant", "events")
FOLDER = Path(migrations.__file__).parent / "schema"

HEADER = """\
-- The {family} database at schema version {version}, for people to read: generated, not executed.
-- Databases are made by migrations/{family}/. After a change there: python tests/migration/write_schema.py
"""

_STATEMENTS = """
SELECT s.name, s.sql
FROM sqlite_schema AS s LEFT JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = s.name
WHERE s.sql IS NOT NULL AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND t.type IS NOT 'shadow'
ORDER BY s.rowid
"""


def statements_of(database: Database) -> list[tuple[str, str]]:
    """(name, statement) of what was created on purpose: no autoindexes, no shadow tables of FTS5."""
    with database.connection() as connection:
        return [(name, sql) for name, sql in connection.execute(_STATEMENTS)]


def schema_of(family: str) -> str:
    """The schema of a fresh database, with the comments that stand above its tables in the migrations."""
    database = Database(None)
    version = migrations.migrate(database, family)
    steps = "\n".join(sql for _, _, sql in migrations.migrations_of(family))
    parts = [_comment(steps, name) + sql + ";\n" for name, sql in statements_of(database)]
    database.close()
    return "\n".join([HEADER.format(family=family, version=version), *parts])


def _comment(steps: str, name: str) -> str:
    found = re.findall(rf"((?:^--.*\n)+)CREATE \w*\s?TABLE {name}\b", steps, re.MULTILINE)
    return found[-1] if found else ""


if __name__ == "__main__":
    for family in FAMILIES:
        (FOLDER / f"{family}.sql").write_text(schema_of(family), encoding="utf-8")
