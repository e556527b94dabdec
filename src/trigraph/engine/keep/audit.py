"""Whether everything that must hold does, and the repair of the memory graph from the documents' texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from trigraph.contracts import Written
from trigraph.engine.parts import Parts
from trigraph.engine.write.documents import identify, settle_supersessions
from trigraph.engine.write.placing import Placed
from trigraph.engine.write.referring import Declared, Relating, mention_ends
from trigraph.engine.write.resolution import NameBook
from trigraph.model.audit import Audit, Check, GraphDiff, RelationChange
from trigraph.model.document import DocumentRef, ParsedDocument, Reference
from trigraph.model.memory import Memory
from trigraph.model.scope import Scope
from trigraph.model.times import ALWAYS, Moment
from trigraph.text.documents import parse_document

SHOWN_MOST = 5
PAGE = 200

_SAYS = {
    "file": ("the database file is sound", "Restore a backup."),
    "references": ("no row names another that is missing", "Restore a backup."),
    "memories_without_version": ("every memory has exactly one open version", "Restore a backup."),
    "versions_overlap": ("versions of a memory do not overlap", "Restore a backup."),
    "successors_missing": ("what superseded a memory is here, or was erased", None),
    "passages_missing": ("every memory has its passages", "Restore a backup."),
    "dangling_links": ("links have both their ends", None),
    "dangling_mentions": ("mentions have both their ends", None),
    "dangling_relations": ("relations have both their ends and stand written somewhere", None),
    "orphan_vectors": ("every vector belongs to a passage and a model", "Run `trigraph reembed --all`."),
    "entities_without_state": ("every entity has a state, and points at the open one", "Restore a backup."),
    "two_open_states": ("no entity has two open states", "Restore a backup."),
    "broken_chains": ("states form a chain without gap, overlap or circle", "Restore a backup."),
    "entities_without_type": ("every entity has a type", None),
    "entities_nobody_mentions": ("some memory speaks of every entity", None),
    "documents_untyped": ("every document is an entity of type document", None),
    "lexical_behind": ("the lexical index has every passage", None),
    "identifiers_behind": ("the index of identifiers has every passage", None),
    "totals_behind": ("the totals of the lexical index are those of the passages", None),
    "vectors_behind": ("every memory has its vectors, or waits for them", "Run `trigraph reembed`."),
    "compositions_empty": ("every composition is of some memory", None),
    "copies_of_erased": ("no composition holds a copy of what was erased", "Restore a backup, and erase it there."),
    "cycles": ("nothing supersedes itself, and no thing is part of itself", None),
    "memory_graph": (
        "stored relations are those that the documents declare",
        "Run `trigraph audit --fixup memory-graph`.",
    ),
}


def audit(parts: Parts, scope: Scope) -> Audit:
    """Check every invariant of the project."""
    checks = []
    with parts.store.snapshot(scope):
        for name in parts.store.audit.checks():
            checks.append(_checked(parts, scope, name, parts.store.audit.broken(scope, name)))
        checks.append(_checked(parts, scope, "cycles", _cycles(parts, scope)))
    diff = memory_graph(parts, scope)
    behind = dict.fromkeys(one.memory_id for one in (*diff.added, *diff.closed))
    checks.append(_checked(parts, scope, "memory_graph", behind))
    return Audit(tuple(checks))


def memory_graph(parts: Parts, scope: Scope, *, apply: bool = False) -> GraphDiff:
    """Hold the relations that all documents declare against those that are stored; with `apply`, make them so.

    What is missing is added, what no longer stands in the text is closed, in time: it stays for known_at. Doing it
    twice changes nothing more.
    """
    if apply:
        with parts.store.transaction(scope, parts.clock()) as at:
            return _Fixup(parts, scope, at, apply=True).run()
    with parts.store.snapshot(scope):
        return _Fixup(parts, scope, parts.now(scope).known_at, apply=False).run()


class _Fixup:
    def __init__(self, parts: Parts, scope: Scope, at: datetime, *, apply: bool) -> None:
        self._parts = parts
        self._scope = scope
        self._at = at
        self._apply = apply
        self._book = NameBook(parts, scope)
        self._added: list[RelationChange] = []
        self._closed: list[RelationChange] = []
        self._unresolved: list[RelationChange] = []
        self._unchanged = 0
        self._stubs: dict[str, bool] = {}

    def run(self) -> GraphDiff:
        documents = 0
        for memory in _documents(self._parts, self._scope, self._at):
            documents += self._one(memory)
        return GraphDiff(
            documents,
            tuple(self._added),
            tuple(self._closed),
            self._unchanged,
            tuple(self._unresolved),
            self._apply,
        )

    def _one(self, memory: Memory) -> bool:
        placed, parsed = self._placed(memory)
        if placed is None or parsed is None:
            return False
        stored = set(self._parts.store.relations.written_in(self._scope, [memory.id], self._at))
        if self._apply:
            placed = identify(self._parts, self._scope, memory, placed, parsed, self._at)
        relating = Relating(self._parts, self._scope, memory, placed, self._at, self._book)
        found = relating.read(parsed, make=self._apply)
        declared = {one.written: one for one in found if one.written is not None}
        names = self._names([*stored, *declared])
        ends = {end for one in stored for end in (one.source_id, one.target_id)} - set(names)
        if any(self._parts.store.documents.identity(self._scope, end) is None for end in ends):
            self._unchanged += len(stored)  # it refers to what the caller may not see: others can tell
            return True
        self._unresolved += [_told(memory, placed.name, one.reference) for one in found if self._is_stub(one)]
        fresh = [one for one in found if one.written is None or one.written not in stored]
        self._added += [_told(memory, placed.name, one.reference) for one in fresh]
        gone = [one for one in stored if one not in declared]
        self._closed += [
            RelationChange(memory.id, names.get(one.source_id, one.source_id), one.type,
                           names.get(one.target_id, one.target_id), one.section)
            for one in gone
        ]  # fmt: skip
        self._unchanged += len(stored) - len(gone)
        if self._apply and (fresh or gone):
            self._write(memory, {one.written: one.place for one in fresh if one.written is not None}, gone)
        return True

    def _is_stub(self, one: Declared) -> bool:
        """Whether a reference names what nobody has stored."""
        if one.written is None:
            return one.unresolved
        other = one.written.source_id if one.reference.incoming else one.written.target_id
        if other not in self._stubs:
            self._stubs[other] = not self._parts.store.documents.texts(self._scope, other, ALWAYS)
        return self._stubs[other]

    def _write(self, memory: Memory, fresh: Mapping[Written, int], gone: Iterable[Written]) -> None:
        mention_ends(self._parts, self._scope, memory, fresh, self._at)
        for one, place in fresh.items():
            self._parts.store.relations.add(self._scope, one, place, self._at)
        for one in gone:
            self._parts.store.relations.close(self._scope, one, self._at)
        if memory.subject is not None and not memory.superseded:
            settle_supersessions(self._parts, self._scope, memory, memory.subject.id, self._at)

    def _placed(self, memory: Memory) -> tuple[Placed | None, ParsedDocument | None]:
        """Which document a stored text is. One that was stored before documents were known is found by its text."""
        families = self._parts.families
        there = self._parts.store.documents.identity(self._scope, memory.subject.id) if memory.subject else None
        if there is not None and memory.subject is not None:
            if not memory.subject.name:
                return None, None  # its states are broken, as another check says
            ref = DocumentRef(there.collection, there.path)
            name = memory.subject.name
            placed = Placed(there.entity_id, name, there.collection, there.name_key, there.path)
            return placed, parse_document(memory.text, ref, families)
        parsed = parse_document(memory.text, DocumentRef(), families)
        if parsed.name is None or (memory.subject is not None):
            return None, None
        return Placed.anew(self._parts, self._scope, memory, parsed), parsed

    def _names(self, written: Iterable[Written]) -> dict[str, str]:
        ids = dict.fromkeys(end for one in written for end in (one.source_id, one.target_id))
        moment = Moment(ALWAYS.as_of, self._at)
        return {one.id: one.name for one in self._parts.store.entities.get(self._scope, list(ids), moment)}


def _told(memory: Memory, name: str, reference: Reference) -> RelationChange:
    other = reference.target.name or reference.target.path or ""
    source, target = (other, name) if reference.incoming else (name, other)
    return RelationChange(memory.id, source, reference.type, target, reference.section)


def _documents(parts: Parts, scope: Scope, at: datetime) -> Iterator[Memory]:
    after: str | None = None
    while ids := parts.store.documents.stored(scope, at, PAGE, after):
        yield from parts.store.memories.get(scope, ids, Moment(ALWAYS.as_of, at, superseded=True))
        after = ids[-1]


def _checked(parts: Parts, scope: Scope, name: str, broken: Iterable[str]) -> Check:
    count = 0
    shown: list[str] = []
    for id_ in broken:
        count += 1
        if len(shown) < SHOWN_MOST and _may_be_named(parts, scope, id_):
            shown.append(id_)
    says, fix = _SAYS.get(name, (name.replace("_", " "), None))
    return Check(name, says, count, tuple(shown), fix if count else None)


def _may_be_named(parts: Parts, scope: Scope, id_: str) -> bool:
    now = parts.now(scope)
    if id_.startswith("m_"):
        return bool(parts.store.memories.find(scope, id_, now.known_at))
    if id_.startswith("e_"):
        return bool(parts.store.entities.get(scope, [id_], Moment(ALWAYS.as_of, now.known_at)))
    return False


def _cycles(parts: Parts, scope: Scope) -> Iterator[str]:
    """Memories that come after themselves, and entities that are parts of, or supersede, themselves."""
    yield from _circular(parts.store.audit.succession(scope))
    by_type: dict[str, list[tuple[str, str]]] = {}
    for one, other, type_ in parts.store.audit.parts(scope):
        by_type.setdefault(type_, []).append((one, other))
    for edges in by_type.values():
        yield from _circular(edges)


def _circular(edges: Iterable[tuple[str, str]]) -> Iterator[str]:
    """What is on a circle, or only leads to or from one: all that is left when ends are taken away again and again."""
    after: dict[str, set[str]] = {}
    waiting: dict[str, int] = {}
    for one, other in edges:
        if other not in after.setdefault(one, set()):
            after[one].add(other)
            waiting[other] = waiting.get(other, 0) + 1
            waiting.setdefault(one, 0)
    free = [id_ for id_, count in waiting.items() if count == 0]
    while free:
        one = free.pop()
        for other in after.get(one, ()):
            waiting[other] -= 1
            if waiting[other] == 0:
                free.append(other)
    yield from sorted(id_ for id_, count in waiting.items() if count > 0)
