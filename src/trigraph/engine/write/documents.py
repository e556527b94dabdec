"""Documents: which one a text is, what it declares of others, and the states that follow from both.

A document is an entity of type document. Its text is a memory about it; a changed text is a new memory that takes
the old one's place. What a text declares holds as long as that memory does: a reference that is gone from the next
text ends with the old one.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from trigraph.contracts import KnownDocument, NewMention, NewState, Written
from trigraph.engine.parts import Parts
from trigraph.engine.write.preparing import Prepared
from trigraph.engine.write.resolution import (
    Called,
    NameBook,
    audience_of,
    changes_together,
    everyone_sees,
    make_entity,
)
from trigraph.model.document import (
    DEFAULT_COLLECTION,
    SUPERSEDED_BY_PROP,
    DocumentRef,
    ParsedDocument,
    Reference,
    Target,
)
from trigraph.model.entity import Entity, EntityEvent
from trigraph.model.memory import EntityType, Kind, Memory
from trigraph.model.relation import RelationType
from trigraph.model.scope import Scope
from trigraph.model.times import ALWAYS, Moment
from trigraph.text.documents import name_of_file
from trigraph.text.names import Names, lead_of, name_key

IN_FORCE = frozenset({"accepted", "active", "final"})
"""A document supersedes another once its status is one of these."""
REFERENCE_CONFIDENCE = 1.0


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
        for name in parsed.names:
            key = name_key(name)
            alike = parts.store.documents.by_name(scope, DEFAULT_COLLECTION, key)
            mine = [there for there in alike if changes_together(memory, there.audience)]
            known = mine[0].entity_id if mine else _merely_named(parts, scope, name, memory)
            return cls(known, name, DEFAULT_COLLECTION, key, mine[0].path if mine else None)
        return None

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
        if not any(_folder(there.path) == _folder(ref.path) for there in alike):
            named = _merely_named(parts, scope, name, memory)
            return Placed(named, name, collection, name_key(name), ref.path)
    return Placed(None, ref.path, collection, None, ref.path) if ref.path is not None else None


def texts_of(parts: Parts, scope: Scope, entity_id: str, at: datetime) -> list[Memory]:
    """All texts that a document ever had, by their beginning, as far as they stand."""
    moment = Moment(ALWAYS.as_of, at, superseded=True)
    return parts.store.memories.get(scope, parts.store.documents.texts(scope, entity_id, moment), moment)


def neighbours(texts: Sequence[Memory], valid_from: datetime) -> tuple[Memory | None, Memory | None]:
    """The text that held just before a time, and the one that followed."""
    before = [text for text in texts if text.valid_from <= valid_from]
    after = [text for text in texts if text.valid_from > valid_from]
    return (before[-1] if before else None), (after[0] if after else None)


@dataclass(frozen=True, slots=True)
class Declared:
    """A reference and the relation that it makes, if both its ends are here; `unresolved` if it names a stub."""

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
        self.stubs: list[str] = []

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
        near = [one for one in self._known(key=key) if _folder(one.path) in (None, _folder(path))]
        return near[0].entity_id if near else None

    def _numbered(self, key: str, *, make: bool) -> str | None:
        """The document of a number: of the same folder, also if it is yet to come, before that of another."""
        there = self._known(key=key)
        own = _folder(self._placed.path)
        near = [one for one in there if _folder(one.path) == own]
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
        known = _merely_named(self._parts, self._scope, name, self._memory) if key else None
        entity_id = known or make_entity(
            self._parts, self._scope, self._memory, name, EntityType.DOCUMENT, self._at_time
        )
        self._parts.store.documents.put(self._scope, entity_id, self._placed.collection, key, path)
        self.stubs.append(entity_id)
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
            there = self.resolve(reference.target, make=False)
            other_id = there or (self.resolve(reference.target) if make else None)
            own_id = self._placed.entity_id
            if (other_id is not None and other_id == own_id) or self._is_own(reference.target):
                continue
            written = None
            if own_id is not None and other_id is not None:
                source, target = (other_id, own_id) if reference.incoming else (own_id, other_id)
                written = Written(self._memory.id, source, reference.type, target, reference.section)
            stub = there is None or there in self.stubs
            found.setdefault(written or reference, Declared(reference, written, place_, unresolved=stub))
        return list(found.values())

    def _is_own(self, target: Target) -> bool:
        if target.path is not None:
            return target.path == self._placed.path
        return target.name is not None and name_key(target.name) == self._placed.name_key


def placed_again(parts: Parts, scope: Scope, called: Called | None) -> Placed | None:
    """Where the document stands that another text of it is about; None if that is no document."""
    there = parts.store.documents.identity(scope, called.entity_id) if called and called.entity_id else None
    if there is None or called is None:
        return None
    return Placed(there.entity_id, called.name, there.collection, there.name_key, there.path)


def relate(
    parts: Parts,
    scope: Scope,
    memory: Memory,
    placed: Placed,
    parsed: ParsedDocument,
    at: datetime,
    book: NameBook,
    beside: frozenset[str] = frozenset(),
) -> None:
    """Write what a document's text declares: its identity, its relations, its state, and whom it supersedes."""
    assert memory.subject is not None
    own_id = memory.subject.id
    put_again(parts, scope, replace(placed, entity_id=own_id), memory, book)
    relating = Relating(parts, scope, memory, replace(placed, entity_id=own_id), at, book, beside)
    written = {one.written: one.place for one in relating.read(parsed) if one.written is not None}
    mention_ends(parts, scope, memory, written, at)
    for one, ordinal in written.items():
        parts.store.relations.add(scope, one, ordinal, at)
    _write_state(parts, scope, memory, own_id, placed, parsed, at)
    settle_supersessions(parts, scope, memory, own_id, at)


def put_again(parts: Parts, scope: Scope, placed: Placed, memory: Memory, book: NameBook) -> None:
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


def identify(
    parts: Parts, scope: Scope, memory: Memory, placed: Placed, parsed: ParsedDocument, at: datetime
) -> Placed:
    """Make a stored text a document, where it is none yet: its entity, its identity and its state."""
    known = parts.store.documents.identity(scope, placed.entity_id) if placed.entity_id is not None else None
    if known is not None and memory.subject is not None:
        return placed
    entity_id = placed.entity_id or make_entity(parts, scope, memory, placed.name, EntityType.DOCUMENT, at, {})
    parts.store.entities.set_type(scope, entity_id, EntityType.DOCUMENT)
    parts.store.entities.unmention(scope, memory.id, [entity_id], at)
    parts.store.entities.mention(scope, memory.id, [NewMention(entity_id, None, None, 1.0, subject=True)], at)
    parts.store.documents.put(scope, entity_id, placed.collection, placed.name_key, placed.path)
    _write_state(parts, scope, memory, entity_id, placed, parsed, at)
    return replace(placed, entity_id=entity_id)


def mention_ends(parts: Parts, scope: Scope, memory: Memory, written: Iterable[Written], at: datetime) -> None:
    """A text speaks of the documents that it refers to, also where only a link names them."""
    named = {one.entity_id for one in parts.store.entities.mentions_of(scope, [memory.id], Moment(at, at))}
    ends = dict.fromkeys(end for one in written for end in (one.source_id, one.target_id) if end not in named)
    if ends:
        mentions = [NewMention(end, None, None, REFERENCE_CONFIDENCE) for end in ends]
        parts.store.entities.mention(scope, memory.id, mentions, at)


def settle_supersessions(parts: Parts, scope: Scope, cause: Memory, entity_id: str, at: datetime) -> None:
    """Documents say what superseded them, once that is in force; and no longer, when nothing says so any more: from the
    cause's beginning on, and wherever later texts and states of the document change that."""
    later = {text.valid_from for text in texts_of(parts, scope, entity_id, at)}
    later |= {state.valid_from for state in parts.store.entities.states(scope, entity_id, at)}
    for when in sorted({cause.valid_from, *(one for one in later if one > cause.valid_from)}):
        _settle_from(parts, scope, cause, entity_id, when, at)


def settle_again(parts: Parts, scope: Scope, text: Memory, at: datetime) -> None:
    """A document's text was put aside, came back, or is seen by more: what it and its neighbours say is told anew."""
    if text.kind is not Kind.DOCUMENT or text.subject is None:
        return
    standing = texts_of(parts, scope, text.subject.id, at)
    before, after = neighbours(standing, text.valid_from)
    for cause in (before, after):
        if cause is not None:
            settle_supersessions(parts, scope, cause, text.subject.id, at)


def _settle_from(parts: Parts, scope: Scope, cause: Memory, entity_id: str, when: datetime, at: datetime) -> None:
    moment = Moment(when, at)
    held = parts.store.relations.of(scope, [entity_id], moment, [RelationType.SUPERSEDES])
    pairs = {(one.source.id, one.target.id) for one in held}
    earlier = parts.store.relations.written_in(scope, parts.store.documents.texts(scope, entity_id, ALWAYS), at)
    touched = {target for _, target in pairs} | {
        one.target_id for one in earlier if one.type is RelationType.SUPERSEDES
    }
    things = {one.id: one for one in parts.store.entities.get(scope, [*touched, *(s for s, _ in pairs)], moment)}
    fits = everyone_sees(cause, NameBook(parts, scope))
    for target_id in sorted(touched):
        target = things.get(target_id)
        if target is None or not changes_together(cause, target.audience):
            continue
        by = [things[source] for source, of in pairs if of == target_id and source in things]
        held_by = [one for one in by if _in_force(one)]
        told = [one.name for one in held_by if fits(one.audience)]
        _say_superseded(parts, scope, cause, target, [one.name for one in held_by], told, entity_id, when, at)


def _say_superseded(
    parts: Parts,
    scope: Scope,
    cause: Memory,
    target: Entity,
    by: Sequence[str],
    told: Sequence[str],
    settled_id: str,
    when: datetime,
    at: datetime,
) -> None:
    """`by` are the names of what supersedes it, `told` those that all who see the cause may know."""
    said = target.state.props.get(SUPERSEDED_BY_PROP)
    if said is not None and said.value in by:
        return
    if told:
        state = NewState(EntityEvent.SUPERSEDED, cause.id, when, None, {SUPERSEDED_BY_PROP: sorted(told)[0]})
    elif not by and said is not None and _said_of(parts, scope, said.value, target, settled_id, when, at):
        state = NewState(EntityEvent.UPDATED, cause.id, when, None, {SUPERSEDED_BY_PROP: None})
    else:
        return
    parts.store.entities.put_state(scope, target.id, state, at)


def _said_of(
    parts: Parts, scope: Scope, name: str, target: Entity, settled_id: str, when: datetime, at: datetime
) -> bool:
    """Whether it was the document that is being settled, by name, that was said to supersede the target."""
    moment = Moment(when, at)
    if target.id == settled_id:
        return True
    settled = parts.store.entities.get(scope, [settled_id], moment)
    return bool(settled) and settled[0].name == name


def _in_force(document: Entity) -> bool:
    status = document.state.props.get("status")
    return status is not None and status.value.casefold() in IN_FORCE


def _write_state(
    parts: Parts,
    scope: Scope,
    memory: Memory,
    entity_id: str,
    placed: Placed,
    parsed: ParsedDocument,
    at: datetime,
) -> None:
    """The document's state from this text on: what changed about it."""
    props = {**parsed.props, "doc_kind": (placed.name.rpartition("-")[0].casefold() if placed.name_key else "document")}
    there = parts.store.entities.get(scope, [entity_id], Moment(memory.valid_from, at))
    before: Mapping[str, str] = {name: prop.value for name, prop in there[0].state.props.items()} if there else {}
    changed: dict[str, str | None] = {name: value for name, value in props.items() if before.get(name) != value}
    gone = ("title", "status", "version", "category", "doc_type", "created")
    changed |= {name: None for name in gone if name in before and name not in props}
    renamed = placed.name if there and there[0].name != placed.name else None
    if "status" in changed and before.get("status"):
        event = EntityEvent.STATUS_CHANGED
    elif "version" in changed and before.get("version"):
        event = EntityEvent.VERSION_BUMPED
    else:
        other = renamed is not None and name_key(renamed) != name_key(there[0].name)
        event = EntityEvent.RENAMED if other else EntityEvent.UPDATED
    parts.store.entities.put_state(
        scope, entity_id, NewState(event, memory.id, memory.valid_from, renamed, dict.fromkeys(gone) | props), at
    )
    if renamed:
        parts.store.entities.add_alias(scope, entity_id, renamed, name_key(renamed), memory.id, at)


def _renamed(parts: Parts, scope: Scope, parsed: ParsedDocument, there: KnownDocument) -> tuple[str, str | None]:
    """What a known file's document is called now: as before, where its text still allows that."""
    keys = {name_key(name): name for name in reversed(parsed.names)}
    if there.name_key in keys:
        return keys[there.name_key], there.name_key
    for name in parsed.names:
        alike = parts.store.documents.by_name(scope, there.collection, name_key(name))
        if all(_folder(other.path) != _folder(there.path) for other in alike):
            return name, name_key(name)
    assert there.path is not None
    return there.path, None


def _merely_named(parts: Parts, scope: Scope, name: str, memory: Memory) -> str | None:
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


def _named_by_file(path: str, family: str | None) -> str | None:
    """What a file's name says: a number of the family, or one of a family of its own."""
    return name_of_file(path, family) or name_of_file(path, None)


@lru_cache(maxsize=16)
def _by_number(paths: frozenset[str], family: str | None) -> dict[tuple[str | None, str], str]:
    """(folder, name key) → path, of files by what their names say."""
    named = ((path, _named_by_file(path, family)) for path in sorted(paths, reverse=True))
    return {(_folder(path), name_key(name)): path for path, name in named if name is not None}


def _folder(path: str | None) -> str | None:
    return posixpath.dirname(path) if path is not None else None
