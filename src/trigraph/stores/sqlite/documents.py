"""Which entities are documents, and the memories that hold their text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from trigraph.contracts import KnownDocument
from trigraph.model.access import Audience
from trigraph.model.document import Document
from trigraph.model.memory import Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import ALWAYS, Moment
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, queries

_SQL = queries("documents")


class SqliteDocuments:
    """See `contracts.Documents`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def put(self, scope: Scope, entity_id: str, collection: str, name_key: str | None, path: str | None) -> None:
        params: Params = {
            "entity_id": entity_id,
            "project": scope.project,
            "collection": collection,
            "name_key": name_key,
            "path": path,
        }
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["put"], params)

    def by_path(self, scope: Scope, collection: str, path: str) -> list[KnownDocument]:
        return self._known(scope, "by_path", {"collection": collection, "path": path})

    def by_name(self, scope: Scope, collection: str, name_key: str) -> list[KnownDocument]:
        return self._known(scope, "by_name", {"collection": collection, "name_key": name_key})

    def identity(self, scope: Scope, entity_id: str) -> KnownDocument | None:
        return next(iter(self._known(scope, "identity", {"entity_id": entity_id})), None)

    def texts(self, scope: Scope, entity_id: str, moment: Moment) -> list[str]:
        params: Params = {**self._home.visible(scope, moment), "entity_id": entity_id}
        with self._home.reading(scope) as connection:
            return [id_ for (id_,) in connection.execute(_SQL["texts"], params)]

    def page(
        self, scope: Scope, collection: str | None, moment: Moment, limit: int, after_id: str | None
    ) -> list[Document]:
        params: Params = {
            **self._home.visible(scope, moment),
            "collection": collection,
            "limit": limit,
            "after_id": after_id,
        }
        with self._home.reading(scope) as connection:
            return [
                Document(id_, "", of, path, memory_id, {})
                for id_, of, path, memory_id in connection.execute(_SQL["page"], params)
            ]

    def stored(self, scope: Scope, known_at: datetime, limit: int, after_id: str | None) -> list[str]:
        moment = Moment(known_at, known_at)
        params: Params = {**self._home.visible(scope, moment), "limit": limit, "after_id": after_id}
        with self._home.reading(scope) as connection:
            return [id_ for (id_,) in connection.execute(_SQL["stored"], params)]

    def _known(self, scope: Scope, query: str, asked: Params) -> list[KnownDocument]:
        params = {**self._home.visible(scope, ALWAYS), **asked}
        with self._home.reading(scope) as connection:
            return [_known_from(row) for row in connection.execute(_SQL[query], params)]


def _known_from(row: Sequence[Any]) -> KnownDocument:
    id_, collection, name_key, path, author, visibility, group = row
    return KnownDocument(id_, collection, name_key, path, Audience(author, Visibility(visibility), group))
