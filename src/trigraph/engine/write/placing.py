"""Which document a text is: its identity, and the texts it had before and after."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from trigraph.contracts import KnownDocument
from trigraph.engine.parts import Parts
from trigraph.engine.write.preparing import Prepared
from trigraph.engine.write.resolution import Called, NameBook, audience_of, changes_together
from trigraph.model.document import DEFAULT_COLLECTION, DocumentRef, ParsedDocument
from trigraph.model.memory import EntityType, Memory
from trigraph.model.scope import Scope
from trigraph.model.times import ALWAYS, Moment
from trigraph.text.names import lead_of, name_key


@dataclass(frozen=True, slots=True)
class Placed:
    """Which document a text is: the entity, if there is one already, and its identity."""

    entity_id: str | None
    name: str
    collection: str
    name_key: str | None
    path: str | None

    @classmethod
    def anew(cls, parts: Parts, scope: Scope, memory: Memory, parsed: ParsedDocument) -> Placed | None:
        """Which document a stored text is that is none yet: by its name, in the default collection."""
        if parsed.name is None:
            return None
        key = name_key(parsed.name)
        alike = parts.store.documents.by_name(scope, DEFAULT_COLLECTION, key)
        mine = [there for there in alike if changes_together(memory, there.audience)]
        known = mine[0].entity_id if mine else merely_named(parts, scope, parsed.name, memory)
        return cls(known, parsed.name, DEFAULT_COLLECTION, key, mine[0].path if mine else None)

    @property
    def called(self) -> Called:
        """The subject of the memory that holds the text."""
        return Called(self.name, EntityType.DOCUMENT, entity_id=self.entity_id, fresh=True)


def place(parts: Parts, scope: Scope, one: Prepared, memory: Memory) -> Placed | None:
    """Which document a text is, among those whose readers are the memory's; None if nothing names it.

    A file that was added before is that document, whatever it calls itself now. Another file never is, though it has
    the same number: in one folder it then goes by its file's number, or by its path.
    """
    ref, parsed = one.draft.document or DocumentRef(), one.document
    if parsed is None:
        return None

    def mine(found: Iterable[KnownDocument]) -> list[KnownDocument]:
        return [there for there in found if changes_together(memory, there.audience)]

    documents, collection = parts.store.documents, ref.collection
    if ref.path is not None and (there := mine(documents.by_path(scope, collection, ref.path))):
        name, key = _renamed(parts, scope, parsed, there[0])
        return Placed(there[0].entity_id, name, collection, key, ref.path)
    for name in parsed.names:
        alike = mine(documents.by_name(scope, collection, name_key(name)))
        free = [one for one in alike if one.path is None or ref.path is None or ref.id or one.path in ref.gone]
        if free:
            return Placed(free[0].entity_id, name, collection, name_key(name), ref.path or free[0].path)
        if not any(folder_of(there.path) == folder_of(ref.path) for there in alike):
            named = merely_named(parts, scope, name, memory)
            return Placed(named, name, collection, name_key(name), ref.path)
    return Placed(None, ref.path, collection, None, ref.path) if ref.path is not None else None


def placed_as_before(parts: Parts, scope: Scope, called: Called | None) -> Placed | None:
    """Where the document stands that another text of it is about; None if that is no document."""
    there = parts.store.documents.identity(scope, called.entity_id) if called and called.entity_id else None
    if there is None or called is None:
        return None
    return Placed(there.entity_id, called.name, there.collection, there.name_key, there.path)


def put_identity(parts: Parts, scope: Scope, placed: Placed, memory: Memory, book: NameBook) -> None:
    """Say where a document stands, if everyone who may see it may see the memory: that has no history, and so is only
    changed in the sight of all its readers."""
    assert placed.entity_id is not None
    there, own = parts.store.documents.identity(scope, placed.entity_id), audience_of(memory)
    if there is not None and (there.collection, there.name_key, there.path) == (
        placed.collection,
        placed.name_key,
        placed.path,
    ):
        return
    seen = there is None or own == there.audience
    if there is not None and not seen:
        seen = all(reader.may_see(own) for reader in book.readers() if reader.may_see(there.audience))
    if seen:
        parts.store.documents.put(scope, placed.entity_id, placed.collection, placed.name_key, placed.path)


def texts_of(parts: Parts, scope: Scope, entity_id: str, at: datetime) -> list[Memory]:
    """All texts that a document ever had, by their beginning, as far as they stand."""
    moment = Moment(ALWAYS.as_of, at, superseded=True)
    return parts.store.memories.get(scope, parts.store.documents.texts(scope, entity_id, moment), moment)


def neighbours(texts: Sequence[Memory], valid_from: datetime) -> tuple[Memory | None, Memory | None]:
    """The text that held just before a time, and the one that followed."""
    before = [text for text in texts if text.valid_from <= valid_from]
    after = [text for text in texts if text.valid_from > valid_from]
    return (before[-1] if before else None), (after[0] if after else None)


def _renamed(parts: Parts, scope: Scope, parsed: ParsedDocument, there: KnownDocument) -> tuple[str, str | None]:
    """What a known file's document is called now: as before, where its text still allows that."""
    keys = {name_key(name): name for name in reversed(parsed.names)}
    if there.name_key in keys:
        return keys[there.name_key], there.name_key
    for name in parsed.names:
        alike = parts.store.documents.by_name(scope, there.collection, name_key(name))
        if all(folder_of(other.path) != folder_of(there.path) for other in alike):
            return name, name_key(name)
    assert there.path is not None
    return there.path, None


def merely_named(parts: Parts, scope: Scope, name: str, memory: Memory) -> str | None:
    """A thing of that name that memories spoke of before there was such a document."""
    key = name_key(name)
    for one in parts.store.entities.known_names(scope, [lead_of(key)]):
        if (
            one.name_key == key
            and one.type in (EntityType.DOCUMENT, EntityType.UNKNOWN)
            and changes_together(memory, one.audience)
            and parts.store.documents.identity(scope, one.entity_id) is None
        ):
            return one.entity_id
    return None


def folder_of(path: str | None) -> str | None:
    return posixpath.dirname(path) if path is not None else None
