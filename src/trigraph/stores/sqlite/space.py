"""Which model's vectors a project holds, and which are missing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import apsw

from trigraph.contracts import Unembedded
from trigraph.errors import StoreError
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel
from trigraph.model.times import Moment, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, queries

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

_SQL = queries("space")


class SqliteSpace:
    """See `contracts.EmbeddingSpace`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def pinned(self, scope: Scope) -> EmbeddingModel | None:
        with self._home.reading(scope) as connection:
            row = connection.execute(_SQL["pinned"], {"project": scope.project}).fetchone()
        return EmbeddingModel(row[1], row[2]) if row else None

    def pin(self, scope: Scope, model: EmbeddingModel) -> None:
        with self._home.writing(scope) as connection:
            model_key = _known_model(connection, scope, model)
            params: Params = {"project": scope.project, "model_key": model_key}
            connection.execute(_SQL["unpin_others"], params)
            connection.execute(_SQL["pin"], params)

    def missing(self, scope: Scope, model: EmbeddingModel, after: int, limit: int) -> list[Unembedded]:
        with self._home.reading(scope) as connection:
            params: Params = {
                "project": scope.project,
                "model_key": _model_key(connection, scope, model),
                "after": after,
                "limit": limit,
            }
            return [Unembedded(*row) for row in connection.execute(_SQL["missing"], params)]

    def put(self, scope: Scope, model: EmbeddingModel, passages: Sequence[int], vectors: Vectors) -> None:
        with self._home.writing(scope) as connection:
            model_key = _known_model(connection, scope, model)
            add_vectors(connection, model_key, passages, vectors)

    def drop(self, scope: Scope, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["drop_all"], {"project": scope.project})
            connection.execute(_SQL["queue_all"], {"project": scope.project, "at": to_micros(at)})

    def settle_jobs(self, scope: Scope, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            params: Params = {
                "project": scope.project,
                "model_key": pinned_key(connection, scope),
                "at": to_micros(at),
            }
            connection.execute(_SQL["settle_jobs"], params)

    def count(self, scope: Scope, moment: Moment) -> tuple[int, int]:
        with self._home.reading(scope) as connection:
            passages, vectors = connection.execute(_SQL["count"], self._home.visible(scope, moment)).get
        return passages, vectors


def pinned_key(connection: apsw.Connection, scope: Scope) -> int:
    """The key of the pinned model, for a write of vectors."""
    row = connection.execute(_SQL["pinned"], {"project": scope.project}).fetchone()
    if row is None:
        raise StoreError("vectors can be written only after a model was pinned")
    return int(row[0])


def add_vectors(connection: apsw.Connection, model_key: int, passages: Sequence[int], vectors: Vectors) -> None:
    """Write vectors in the open transaction."""
    from trigraph.stores.sqlite.vectors import encode  # numpy: not on the path of a store without a model

    for passage_key, embedding in zip(passages, encode(vectors), strict=True):
        params = {"model_key": model_key, "passage_key": passage_key, "embedding": embedding}
        connection.execute(_SQL["put"], params)


def _known_model(connection: apsw.Connection, scope: Scope, model: EmbeddingModel) -> int:
    params: Params = {"project": scope.project, "model_id": model.model_id, "dimension": model.dimension}
    connection.execute(_SQL["add_model"], params)
    key = _model_key(connection, scope, model)
    assert key is not None
    return key


def _model_key(connection: apsw.Connection, scope: Scope, model: EmbeddingModel) -> int | None:
    params: Params = {"project": scope.project, "model_id": model.model_id, "dimension": model.dimension}
    row = connection.execute(_SQL["model_key"], params).fetchone()
    return int(row[0]) if row else None
