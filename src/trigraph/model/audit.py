"""What `audit` answers: which invariants hold, and what a repair of the memory graph would change."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.model.relation import RelationType


@dataclass(frozen=True, slots=True)
class Check:
    """One invariant: how often it is broken, and some of where, as far as the caller may see that."""

    name: str
    says: str
    broken: int
    ids: tuple[str, ...] = ()
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """All checks, in order."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every invariant holds."""
        return all(check.broken == 0 for check in self.checks)


@dataclass(frozen=True, slots=True)
class RelationChange:
    """A relation that a document's text declares: `source` VERB `target`, by name, in a section of a memory."""

    memory_id: str
    source: str
    type: RelationType
    target: str
    section: str


@dataclass(frozen=True, slots=True)
class GraphDiff:
    """What the documents' texts declare, held against what is stored. `unresolved` are references to documents that
    are not here: they stand as stubs. `applied` says whether it was written."""

    documents: int
    added: tuple[RelationChange, ...]
    closed: tuple[RelationChange, ...]
    unchanged: int
    unresolved: tuple[RelationChange, ...]
    applied: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.added and not self.closed
