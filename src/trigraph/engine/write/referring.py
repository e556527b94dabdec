"""What a document's text declares of others: references become relations, and what is not here a stub."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from trigraph.contracts import KnownDocument, NewMention, Written
from trigraph.engine.parts import Parts
from trigraph.engine.write.placing import Placed, folder_of, merely_named
from trigraph.engine.write.resolution import NameBook, everyone_sees, make_entity
from trigraph.model.document import ParsedDocument, Reference, Target
from trigraph.model.memory import EntityType, Memory
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.documents import name_of_file
from trigraph.text.names import Names, name_key

REFERENCE_CONFIDENCE = 1.0


@dataclass(frozen=True, slots=True)
class Declared:
    """A reference and the relation that it makes, if both its ends are here; `unresolved` if what it names is not."""

    reference: Reference
    written: Written | None
    place: int
    unresolved: bool


class Relating:
    """What one document's text says of others, on its way into the store."""

    def __init__(
        self,
        parts: Parts,
        scope: Scope,
        memory: Memory,
        placed: Placed,
        at: datetime,
        book: NameBook,
        beside: frozenset[str] = frozenset(),
    ) -> None:
        self._parts = parts
        self._scope = scope
        self._memory = memory
        self._placed = placed
        self._at_time = at
        self._fits = everyone_sees(memory, book)
        self._own = placed.name.rpartition("-")[0].upper() if placed.name_key else None
        self._families = {*parts.families, self._own}
        self._beside = beside

    def resolve(self, target: Target, *, make: bool = True) -> str | None:
        """The entity that a reference names, in the document's own collection; a stub, if there is none yet."""
        if self._is_own(target):
            return self._placed.entity_id
        name = target.name if target.path is None else _named_by_file(target.path, self._own)
        key = name_key(name) if name else None
        if target.path is not None:
            found = self._at(target.path, key)
        else:
            found = self._numbered(key, make=make) if key else None
        if found is not None or not make:
            return found
        return self._stub(name or target.path or "", key, target.path)

    def _at(self, path: str, key: str | None) -> str | None:
        """The document of a file; where there is none, and none is coming, the one of its number in that folder."""
        if there := self._known(path=path):
            return there[0].entity_id
        if key is None or path in self._beside:
            return None
        near = [one for one in self._known(key=key) if folder_of(one.path) in (None, folder_of(path))]
        return near[0].entity_id if near else None

    def _numbered(self, key: str, *, make: bool) -> str | None:
        """The document of a number: of the same folder, also if it is yet to come, before that of another."""
        there = self._known(key=key)
        own = folder_of(self._placed.path)
        near = [one for one in there if folder_of(one.path) == own]
        if near:
            return near[0].entity_id
        coming = _by_number(self._beside, self._own).get((own, key))
        if coming is not None:
            return self.resolve(Target(path=coming), make=make)
        return there[0].entity_id if there else None

    def _known(self, *, path: str | None = None, key: str | None = None) -> list[KnownDocument]:
        """Documents of the collection that all readers of the text may see."""
        documents, collection = self._parts.store.documents, self._placed.collection
        if path is not None:
            found = documents.by_path(self._scope, collection, path)
        else:
            found = documents.by_name(self._scope, collection, key or "")
        return [there for there in found if self._fits(there.audience)]

    def _stub(self, name: str, key: str | None, path: str | None) -> str:
        known = merely_named(self._parts, self._scope, name, self._memory) if key else None
        entity_id = known or make_entity(
            self._parts, self._scope, self._memory, name, EntityType.DOCUMENT, self._at_time
        )
        self._parts.store.documents.put(self._scope, entity_id, self._placed.collection, key, path)
        return entity_id

    def named(self, names: Names) -> dict[str, str]:
        """Name key → entity of the documents that the text names, wherever it does."""
        found = {}
        for one in names.outstanding:
            family, _, number = one.key.partition(" ")
            if number.isdigit() and family.upper() in self._families and (id_ := self.resolve(Target(one.name))):
                found[one.key] = id_
        return found

    def read(self, parsed: ParsedDocument, *, make: bool = True) -> list[Declared]:
        """Every relation that the text declares, each once. What refers to itself says nothing. Without `make` a
        reference to what is not here yet has no ends."""
        found: dict[object, Declared] = {}
        for place_, reference in enumerate(parsed.references):
            other_id = self.resolve(reference.target, make=make)
            own_id = self._placed.entity_id
            if (other_id is not None and other_id == own_id) or self._is_own(reference.target):
                continue
            written = None
            if own_id is not None and other_id is not None:
                source, target = (other_id, own_id) if reference.incoming else (own_id, other_id)
                written = Written(self._memory.id, source, reference.type, target, reference.section)
            found.setdefault(written or reference, Declared(reference, written, place_, unresolved=other_id is None))
        return list(found.values())

    def _is_own(self, target: Target) -> bool:
        if target.path is not None:
            return target.path == self._placed.path
        return target.name is not None and name_key(target.name) == self._placed.name_key


def mention_ends(parts: Parts, scope: Scope, memory: Memory, written: Iterable[Written], at: datetime) -> None:
    """A text speaks of the documents that it refers to, also where only a link names them."""
    named = {one.entity_id for one in parts.store.entities.mentions_of(scope, [memory.id], Moment(at, at))}
    ends = dict.fromkeys(end for one in written for end in (one.source_id, one.target_id) if end not in named)
    if ends:
        mentions = [NewMention(end, None, None, REFERENCE_CONFIDENCE) for end in ends]
        parts.store.entities.mention(scope, memory.id, mentions, at)


def _named_by_file(path: str, family: str | None) -> str | None:
    """What a file's name says: a number of the family, or one of a family of its own."""
    return name_of_file(path, family) or name_of_file(path, None)


@lru_cache(maxsize=16)
def _by_number(paths: frozenset[str], family: str | None) -> dict[tuple[str | None, str], str]:
    """(folder, name key) → path, of files by what their names say."""
    named = ((path, _named_by_file(path, family)) for path in sorted(paths, reverse=True))
    return {(folder_of(path), name_key(name)): path for path, name in named if name is not None}
