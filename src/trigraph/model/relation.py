"""Relation: entity → entity, typed from a closed list, on the word of memories."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trigraph.model.memory import EntityType


class RelationType(StrEnum):
    """How one thing bears on another: `source` VERB `target`."""

    REFERENCES = "REFERENCES"
    IMPLEMENTS = "IMPLEMENTS"
    DEPENDS_ON = "DEPENDS_ON"
    EXTENDS = "EXTENDS"
    SUPERSEDES = "SUPERSEDES"
    RELATES_TO = "RELATES_TO"
    PART_OF = "PART_OF"
    USES = "USES"
    OWNS = "OWNS"
    NEEDS = "NEEDS"
    CREATED_BY = "CREATED_BY"
    WORKS_ON = "WORKS_ON"
    MEMBER_OF = "MEMBER_OF"
    LOCATED_IN = "LOCATED_IN"
    PREFERS = "PREFERS"
    INTERESTED_IN = "INTERESTED_IN"
    CAUSES = "CAUSES"
    FIXES = "FIXES"
    BLOCKS = "BLOCKS"


@dataclass(frozen=True, slots=True)
class RelationEnd:
    """A thing at one end of a relation, as it was called then."""

    id: str
    name: str
    type: EntityType


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a relation stands written: the memory, and the section of its text. It holds as long as the memory does,
    over [valid_from, valid_until), and was found there at `known_from`."""

    memory_id: str
    section: str
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation as it stood at the moment of a read, with the evidence that the caller may see."""

    source: RelationEnd
    type: RelationType
    target: RelationEnd
    evidence: tuple[Evidence, ...]

    @property
    def source_memory_id(self) -> str:
        """The memory that said so first."""
        return self.evidence[0].memory_id

    @property
    def extracted_from_section(self) -> str:
        """Where in it."""
        return self.evidence[0].section

    @property
    def created_at(self) -> datetime:
        """When it was found."""
        return min(one.known_from for one in self.evidence)
