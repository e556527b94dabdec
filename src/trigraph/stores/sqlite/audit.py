"""Whether what must hold does hold, looked at row by row."""

from __future__ import annotations

from collections.abc import Iterator

from trigraph.model.scope import Scope
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, queries

_SQL = queries("audit")
_PAIRS = ("succession", "parts")


class SqliteAudit:
    """See `contracts.Audit`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def checks(self) -> tuple[str, ...]:
        return ("file", "references", *(name for name in _SQL if name not in _PAIRS))

    def broken(self, scope: Scope, check: str) -> Iterator[str]:
        with self._home.reading(scope) as connection:
            if check == "file":
                yield from (str(row[0]) for row in connection.execute("PRAGMA quick_check") if row[0] != "ok")
            elif check == "references":
                yield from (f"{row[0]} {row[1]}" for row in connection.execute("PRAGMA foreign_key_check"))
            else:
                params: Params = {"project": scope.project}
                yield from (str(row[0]) for row in connection.execute(_SQL[check], params))

    def succession(self, scope: Scope) -> Iterator[tuple[str, str]]:
        with self._home.reading(scope) as connection:
            for one, other in connection.execute(_SQL["succession"], {"project": scope.project}):
                yield str(one), str(other)

    def parts(self, scope: Scope) -> Iterator[tuple[str, str, str]]:
        with self._home.reading(scope) as connection:
            for one, other, type_ in connection.execute(_SQL["parts"], {"project": scope.project}):
                yield str(one), str(other), str(type_)
