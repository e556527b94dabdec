"""Files are migrated once, safely, by whoever comes first; and what is not ours stays as it is."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from trigraph.errors import SchemaTooNew, StoreCorrupt, StoreError
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.stores.sqlite import migrate as migrations
from trigraph.stores.sqlite.connections import Database
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.builders import ALL, NOW, keep

sys.path.insert(0, str(Path(__file__).parent))

from write_schema import FAMILIES, FOLDER, schema_of, statements_of

FILES = {"registry": "registry.db", "tenant": "default.db", "events": "default.events.db"}
ADD_MOOD = "CREATE TABLE mood (key INTEGER NOT NULL PRIMARY KEY, word TEXT NOT NULL) STRICT;"
BREAK_OFF = "CREATE TABLE mood (key INTEGER NOT NULL) STRICT; INSERT INTO nowhere VALUES (1);"

NEWEST = {family: migrations.migrations_of(family)[-1][0] for family in FAMILIES}
"""The schema version that each family of migrations leads to."""

every_file = pytest.mark.parametrize("name", FILES.values())
every_family = pytest.mark.parametrize("family", FAMILIES)

EVERYTHING = (ALL, NOW, 10, None)


def open_all(home: Path) -> SqliteStore:
    """Open every file of a home. Closes what it opened when one is refused."""
    store = SqliteStore(home)
    try:
        store.describe(LOCAL_SCOPE)
    except StoreError:
        store.close()
        raise
    return store


@pytest.fixture
def used_home(tmp_path: Path) -> Path:
    """A home with one memory in it, closed."""
    home = tmp_path / "home"
    store = open_all(home)
    keep(store, LOCAL_SCOPE, "alpha")
    store.close()
    return home


@pytest.fixture
def next_step(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Gives every family one more migration, of the given SQL."""
    real = migrations.migrations_of

    def add(sql: str) -> None:
        monkeypatch.setattr(
            migrations, "migrations_of", lambda family: [*real(family), (NEWEST[family] + 1, "next", sql)]
        )

    return add


def query(path: Path, sql: str) -> object:
    """The first value of a query, over a connection of its own."""
    connection = apsw.Connection(str(path))
    try:
        return connection.execute(sql).get
    finally:
        connection.close()


def numbers(count: int) -> str:
    """1 to `count`, as `group_concat` writes them."""
    return ",".join(str(number) for number in range(1, count + 1))


def backup_of(home: Path, family: str, newest: int) -> Path:
    return (home / FILES[family]).with_suffix(f".before-{newest:04d}.db")


def tables(path: Path) -> set[str]:
    listed = query(path, "SELECT group_concat(name) FROM sqlite_schema")
    return set(str(listed or "").split(","))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# The schema files


@every_family
def test_a_freshly_migrated_database_is_what_its_schema_file_says(family: str) -> None:
    written = (FOLDER / f"{family}.sql").read_text(encoding="utf-8")
    assert written == schema_of(family), "run python tests/migration/write_schema.py"


@every_family
def test_a_schema_file_makes_the_same_database_as_the_migrations(family: str) -> None:
    from_file, migrated = Database(None), Database(None)
    with from_file.connection() as connection:
        connection.execute((FOLDER / f"{family}.sql").read_text(encoding="utf-8"))
    migrations.migrate(migrated, family)
    assert statements_of(from_file) == statements_of(migrated)


def test_every_family_of_migrations_has_a_schema_file_and_the_reverse() -> None:
    families = {path.name for path in (FOLDER.parent / "migrations").iterdir() if path.is_dir()}
    assert families == {path.stem for path in FOLDER.glob("*.sql")} == set(FAMILIES) == set(FILES)


@every_family
def test_migrations_are_numbered_from_one_without_a_gap(family: str) -> None:
    numbers = [number for number, _, _ in migrations.migrations_of(family)]
    assert numbers == list(range(1, len(numbers) + 1))


# Files that are not to be touched


@every_file
def test_a_newer_file_is_refused_and_left_untouched(used_home: Path, name: str) -> None:
    path = used_home / name
    query(path, "PRAGMA user_version = 999")
    before = path.read_bytes()
    with pytest.raises(SchemaTooNew, match="999"):
        open_all(used_home)
    assert path.read_bytes() == before


@every_file
@pytest.mark.parametrize("journal_mode", ["DELETE", "WAL"])
def test_a_sqlite_file_of_someone_else_is_refused_and_left_untouched(
    tmp_path: Path, name: str, journal_mode: str
) -> None:
    path = tmp_path / name
    query(path, f"PRAGMA journal_mode = {journal_mode}; CREATE TABLE recipe (title TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreCorrupt, match="not a trigraph store"):
        open_all(tmp_path)
    assert path.read_bytes() == before


@every_file
@pytest.mark.parametrize("content", [b"a shopping list\n", b"\x00\x01" * 5000], ids=["short", "long"])
def test_a_file_that_is_not_sqlite_is_refused_and_left_untouched(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(StoreCorrupt):
        open_all(tmp_path)
    assert path.read_bytes() == content


# Migrating


def test_opening_a_second_time_migrates_nothing(used_home: Path) -> None:
    before = {name: (used_home / name).read_bytes() for name in FILES.values()}
    open_all(used_home).close()
    assert {name: (used_home / name).read_bytes() for name in FILES.values()} == before
    assert {path.name for path in used_home.glob("*.db")} == set(FILES.values())


@every_family
def test_each_step_is_recorded_with_its_number(used_home: Path, family: str) -> None:
    path = used_home / FILES[family]
    assert query(path, "SELECT group_concat(number) FROM migration") == numbers(NEWEST[family])
    assert query(path, "PRAGMA user_version") == NEWEST[family]
    assert query(path, "PRAGMA application_id") == migrations.APPLICATION_ID


def test_a_step_over_an_existing_schema_keeps_what_is_stored(used_home: Path, next_step: Callable[[str], None]) -> None:
    next_step(ADD_MOOD)
    store = open_all(used_home)
    assert [memory.text for memory in store.memories.page(LOCAL_SCOPE, *EVERYTHING)] == ["alpha"]
    assert store.describe(LOCAL_SCOPE)[1] == NEWEST["tenant"] + 1
    store.close()
    for family, name in FILES.items():
        version = NEWEST[family] + 1
        assert "mood" in tables(used_home / name)
        assert query(used_home / name, "PRAGMA user_version") == version
        assert query(used_home / name, "SELECT group_concat(number) FROM migration") == numbers(version)


def test_an_interrupted_step_leaves_the_version_before_it(
    used_home: Path, next_step: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    next_step(BREAK_OFF)
    with pytest.raises(StoreError, match="nowhere"):
        open_all(used_home)
    for family, name in FILES.items():
        assert query(used_home / name, "PRAGMA user_version") == NEWEST[family]
        assert "mood" not in tables(used_home / name)
    monkeypatch.undo()
    store = open_all(used_home)
    assert [memory.text for memory in store.memories.page(LOCAL_SCOPE, *EVERYTHING)] == ["alpha"]
    store.close()


def test_an_interrupted_first_step_leaves_a_file_that_can_be_migrated_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "migrations_of", lambda family: [(1, "broken", BREAK_OFF)])
    with pytest.raises(StoreError, match="nowhere"):
        open_all(tmp_path)
    assert query(tmp_path / "registry.db", "PRAGMA user_version") == 0
    assert query(tmp_path / "registry.db", "SELECT count(*) FROM sqlite_schema") == 0
    monkeypatch.undo()
    open_all(tmp_path).close()
    assert query(tmp_path / "registry.db", "PRAGMA user_version") == NEWEST["registry"]


def test_steps_before_the_interrupted_one_are_kept(used_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = NEWEST["tenant"] + 1, NEWEST["tenant"] + 2
    steps = [*migrations.migrations_of("tenant"), (first, "mood", ADD_MOOD), (second, "bad", "INSERT INTO nowhere")]
    monkeypatch.setattr(migrations, "migrations_of", lambda family: steps)
    database = Database(used_home / "default.db")
    with pytest.raises(StoreError):
        migrations.migrate(database, "tenant")
    database.close()
    assert query(used_home / "default.db", "PRAGMA user_version") == first
    assert "mood" in tables(used_home / "default.db")


# The backup


@every_family
def test_a_step_over_an_existing_schema_leaves_a_backup_of_what_was(
    used_home: Path, family: str, next_step: Callable[[str], None]
) -> None:
    before = tables(used_home / FILES[family])
    next_step(ADD_MOOD)
    open_all(used_home).close()
    backup = backup_of(used_home, family, NEWEST[family] + 1)
    assert query(backup, "PRAGMA user_version") == NEWEST[family]
    assert tables(backup) == before
    assert query(backup, "PRAGMA integrity_check") == "ok"
    assert mode(backup) == 0o600


def test_the_backup_holds_the_memories(used_home: Path, next_step: Callable[[str], None]) -> None:
    next_step(ADD_MOOD)
    open_all(used_home).close()
    assert query(backup_of(used_home, "tenant", NEWEST["tenant"] + 1), "SELECT text FROM memory") == "alpha"


def test_the_backup_is_there_when_the_step_fails(used_home: Path, next_step: Callable[[str], None]) -> None:
    next_step(BREAK_OFF)
    database = Database(used_home / "default.db")
    with pytest.raises(StoreError):
        migrations.migrate(database, "tenant")
    database.close()
    assert query(backup_of(used_home, "tenant", NEWEST["tenant"] + 1), "SELECT text FROM memory") == "alpha"


def test_a_new_file_needs_no_backup(tmp_path: Path, next_step: Callable[[str], None]) -> None:
    next_step(ADD_MOOD)
    open_all(tmp_path).close()
    assert {path.name for path in tmp_path.glob("*.db")} == set(FILES.values())


# Several at once


_OPENER = """
import sys
from pathlib import Path
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.builders import keep
print("ready", flush=True)
sys.stdin.readline()
store = SqliteStore(Path(sys.argv[1]))
keep(store, LOCAL_SCOPE, f"from process {sys.argv[2]}")
store.close()
"""


def test_eight_processes_may_open_a_new_home_at_the_same_moment(tmp_path: Path) -> None:
    home = tmp_path / "home"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _OPENER, str(home), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(8)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    errors = [process.communicate(timeout=120)[1] for process in processes]
    assert errors == [""] * 8
    assert query(home / "default.db", "SELECT count(*) FROM memory") == 8
    assert query(home / "default.db", "SELECT count(*) FROM migration") == NEWEST["tenant"]


Migrate = Callable[[], int]


@pytest.fixture
def overtaken(tmp_path: Path) -> Iterator[Callable[[int], Migrate]]:
    """Gives a migration that another one overtakes just before its nth statement, whatever that is.

    Once it holds the write lock it cannot be overtaken any more.
    """
    path = tmp_path / "default.db"
    ours, theirs = Database(path), Database(path)
    with theirs.connection():
        pass  # the other one has opened the file, and is about to migrate it
    left = 0

    def watch(connection: apsw.Connection) -> None:
        connection.exec_trace = overtake

    def overtake(cursor: apsw.Cursor, sql: str, bindings: object) -> bool:
        nonlocal left
        left -= 1
        if left == 0 and cursor.connection.txn_state("main") != apsw.SQLITE_TXN_WRITE:
            migrations.migrate(theirs, "tenant")
        return True

    def before(nth: int) -> Migrate:
        nonlocal left
        left = nth
        apsw.connection_hooks.append(watch)
        return lambda: migrations.migrate(ours, "tenant")

    yield before
    apsw.connection_hooks.remove(watch)
    ours.close()
    theirs.close()


@pytest.mark.parametrize("nth", range(1, 10))
def test_a_new_file_may_be_migrated_by_another_at_any_moment(
    tmp_path: Path, overtaken: Callable[[int], Migrate], nth: int
) -> None:
    assert overtaken(nth)() == NEWEST["tenant"]
    assert query(tmp_path / "default.db", "SELECT count(*) FROM migration") == NEWEST["tenant"]


@pytest.mark.parametrize("nth", range(1, 10))
def test_the_backup_is_of_the_old_schema_though_another_migrates_at_any_moment(
    tmp_path: Path, overtaken: Callable[[int], Migrate], next_step: Callable[[str], None], nth: int
) -> None:
    first = Database(tmp_path / "default.db")
    migrations.migrate(first, "tenant")
    first.close()
    next_step(ADD_MOOD)
    version = NEWEST["tenant"] + 1
    assert overtaken(nth)() == version
    assert query(tmp_path / "default.db", "SELECT count(*) FROM migration") == version
    assert query(backup_of(tmp_path, "tenant", version), "PRAGMA user_version") == NEWEST["tenant"]


# Who may read the files


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_umask")
def test_nobody_but_the_user_may_read_the_folder_and_its_files(tmp_path: Path) -> None:
    home = tmp_path / "home"
    store = open_all(home)
    keep(store, LOCAL_SCOPE, "alpha")
    modes = {path.name: mode(path) for path in home.iterdir()}
    store.close()
    assert mode(home) == 0o700
    assert set(FILES.values()) | {"default.db-wal", "default.db-shm"} <= set(modes)
    assert set(modes.values()) == {0o600}


@pytest.mark.usefixtures("no_umask")
def test_a_home_within_folders_that_do_not_exist_is_made(tmp_path: Path) -> None:
    home = tmp_path / "a" / "b" / "home"
    open_all(home).close()
    assert mode(home) == 0o700
