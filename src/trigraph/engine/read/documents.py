"""Documents as they stand, and the relations of things."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from trigraph.engine.finding import find_entity
from trigraph.engine.parts import Parts
from trigraph.engine.read.reading import PAGE_MOST, from_cursor, to_cursor
from trigraph.errors import InvalidInput, NotFound
from trigraph.model.document import Document, DocumentDetails, DocumentPage
from trigraph.model.entity import ENTITY_PREFIX
from trigraph.model.ids import is_full_id
from trigraph.model.relation import Relation, RelationType
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.names import name_key

RELATIONS_MOST = 1000


def documents(
    parts: Parts,
    scope: Scope,
    collection: str | None,
    limit: int,
    cursor: str | None = None,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> DocumentPage:
    """Documents and stubs, the first known first, a page at a time."""
    if not 1 <= limit <= PAGE_MOST:
        raise InvalidInput(f"limit is {limit}.", field="limit", fix=f"Choose a number from 1 to {PAGE_MOST}.")
    after = from_cursor(cursor, ENTITY_PREFIX) if cursor is not None else None
    with parts.store.snapshot(scope):
        moment = _moment(parts, scope, as_of, known_at)
        found = parts.store.documents.page(scope, collection, moment, limit + 1, after)
        shown = _with_props(parts, scope, found[:limit], moment)
    more = len(found) > limit
    return DocumentPage(tuple(shown), to_cursor(found[limit - 1].entity_id) if more else None)


def document(
    parts: Parts,
    scope: Scope,
    name: str,
    collection: str | None = None,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> DocumentDetails:
    """One document, with its relations both ways."""
    with parts.store.snapshot(scope):
        moment = _moment(parts, scope, as_of, known_at)
        entity_id = find_document(parts, scope, name, collection, moment)
        identity = parts.store.documents.identity(scope, entity_id)
        assert identity is not None
        held = parts.store.documents.texts(scope, entity_id, moment)
        bare = Document(entity_id, "", identity.collection, identity.path, held[-1] if held else None, {})
        whole = _with_props(parts, scope, [bare], moment)
        if not whole:
            raise _unknown(name)
        found = parts.store.relations.of(scope, [entity_id], moment, limit=RELATIONS_MOST)
    return DocumentDetails(whole[0], tuple(found), truncated=_evidence(found) >= RELATIONS_MOST)


def relations(
    parts: Parts,
    scope: Scope,
    name: str,
    types: Collection[RelationType] = (),
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> list[Relation]:
    """The relations of a thing, both ways."""
    with parts.store.snapshot(scope):
        moment = _moment(parts, scope, as_of, known_at)
        entity = find_entity(parts, scope, name, moment)
        return parts.store.relations.of(scope, [entity.id], moment, types, RELATIONS_MOST)


def find_document(parts: Parts, scope: Scope, name: str, collection: str | None, moment: Moment) -> str:
    """The entity of a document by its id, its path or its entity's id, in one collection or in all."""
    if is_full_id(name, ENTITY_PREFIX):
        ids = [name]
    else:
        key = name_key(name)
        ids = [one.id for one in parts.store.entities.named(scope, key, moment)] if key else []
    known = [parts.store.documents.identity(scope, id_) for id_ in ids]
    found = [one for one in known if one is not None and collection in (None, one.collection)]
    if not found and collection is not None:
        found = parts.store.documents.by_path(scope, collection, name)
    if len(found) > 1:
        which = ", ".join(f"{one.collection}: {one.path or one.entity_id}" for one in found[:5])
        raise InvalidInput(
            f"{name[:80]!r} names several documents.", field="document", fix=f"Give a collection or an id: {which}."
        )
    if not found:
        raise _unknown(name)
    return found[0].entity_id


def _unknown(name: str) -> NotFound:
    return NotFound(f"There is no document {name[:80]!r}.", fix="`trigraph docs list` shows what there is.")


def _moment(parts: Parts, scope: Scope, as_of: datetime | None, known_at: datetime | None) -> Moment:
    now = parts.now(scope)
    return Moment(as_of or now.as_of, known_at or now.known_at)


def _with_props(parts: Parts, scope: Scope, found: Sequence[Document], moment: Moment) -> list[Document]:
    things = {one.id: one for one in parts.store.entities.get(scope, [one.entity_id for one in found], moment)}
    return [
        replace(
            one,
            name=things[one.entity_id].name,
            props={name: prop.value for name, prop in things[one.entity_id].state.props.items()},
        )
        for one in found
        if one.entity_id in things
    ]


def _evidence(found: Sequence[Relation]) -> int:
    return sum(len(one.evidence) for one in found)
