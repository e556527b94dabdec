"""Numbered migrations: each in a transaction with the row that records it, a backup first."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import apsw

from trigraph.errors import SchemaTooNew, StoreCorrupt
from trigraph.stores.sqlite.connections import Database
from trigraph.stores.sqlite.mark import APPLICATION_ID as APPLICATION_ID

_FILE = re.compile(r"(\d{4})_(\w+)\.sql")


def migrations_of(family: str) -> list[tuple[int, str, str]]:
    """(number, name, SQL) of a family of files: `registry`, `tenant` or `events`."""
    found = []
    for entry in files("trigraph.stores.sqlite").joinpath("migrations", family).iterdir():
        if match := _FILE.fullmatch(entry.name):
            found.append((int(match.group(1)), match.group(2), entry.read_text(encoding="utf-8")))
    return sorted(found)


def migrate(database: Database, family: str) -> int:
    """Bring a file to the newest schema; returns its version.

    A newer file, or one that is not trigraph's, is refused and left untouched. What has data in it is
    copied beside itself first. Several processes may do this at once: the first does the work.
    """
    steps = migrations_of(family)
    newest = steps[-1][0]
    version = _version_before_touching(database)
    if version > newest:
        raise SchemaTooNew(
            f"{database.path} has schema {version}; this trigraph knows {newest}.",
            fix="Upgrade trigraph. The file was left untouched.",
        )
    if 0 < version < newest and database.path is not None:
        with database.transaction() as connection:  # nobody may migrate what is being copied
            version = int(connection.pragma("user_version"))
            if version < newest:
                _back_up(database.path, database.path.with_suffix(f".before-{newest:04d}.db"))
    for number, name, sql in steps:
        if number > version:
            _apply(database, number, name, sql)
    return newest


def _version_before_touching(database: Database) -> int:
    """The schema version of a file, read without changing a byte of it; 0 for a new one."""
    if database.path is None or database.path.stat().st_size == 0:
        return 0
    with database.reading_untouched() as connection:
        connection.execute("BEGIN")  # one state: another process may be migrating it
        application = connection.pragma("application_id")
        version = connection.pragma("user_version")
        empty = connection.execute("SELECT count(*) FROM sqlite_schema").get == 0
    if application != APPLICATION_ID and not empty:
        raise StoreCorrupt(
            f"{database.path} is a SQLite file, but not a trigraph store.",
            fix="Choose another folder with TRIGRAPH_HOME.",
        )
    return int(version)


def _apply(database: Database, number: int, name: str, sql: str) -> None:
    with database.transaction() as connection:
        if connection.pragma("user_version") >= number:
            return
        if number == 1:
            connection.pragma("application_id", APPLICATION_ID)
            connection.execute(
                "CREATE TABLE migration (number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL,"
                " applied_at TEXT NOT NULL) STRICT"
            )
        connection.execute(sql)
        connection.execute(
            "INSERT INTO migration (number, name, applied_at) VALUES (?, ?, ?)",
            (number, name, datetime.now(UTC).isoformat(timespec="seconds")),
        )
        connection.pragma("user_version", number)


def _back_up(path: Path, target: Path) -> None:
    """Copy what is committed, over a connection of its own: one that is writing cannot be copied from."""
    target.touch(mode=0o600)
    source, copy = apsw.Connection(str(path)), apsw.Connection(str(target))
    try:
        with copy.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(1000)
    finally:
        copy.close()
        source.close()
