"""One thing or two: entities that were merged or split, pairs that wait for an answer, and what names resolve to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trigraph.model.access import Audience
from trigraph.model.change import Verb
from trigraph.model.memory import EntityType, Subject

MOVE_PREFIX = "g"
PAIR_PREFIX = "p"
MERGED_INTO_PROP = "merged_into"
SPLIT_FROM_PROP = "split_from"


@dataclass(frozen=True, slots=True)
class Move:
    """What was known of one entity went to another at `at`, by a merge or a split, until `undone_at`.

    `names` are those (as they are compared) that went and did not stay as well; `gave_type` is what sort of thing
    the other is since then, if that was unknown; `cause_id` is the memory that tells it.
    """

    id: str
    verb: Verb
    from_: Subject
    to: Subject
    at: datetime
    author: str
    reason: str | None
    cause_id: str | None
    names: tuple[str, ...] = ()
    gave_type: EntityType | None = None
    undone_at: datetime | None = None


class PairState(StrEnum):
    """What was said of two entities that may be one."""

    OPEN = "open"
    ONE = "one"
    TWO = "two"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities that may be one, how likely and why, and what was said of them."""

    id: str
    one: Subject
    other: Subject
    score: float
    reason: str
    state: PairState
    author: str
    at: datetime
    decided_at: datetime | None = None
    decided_by: str | None = None


@dataclass(frozen=True, slots=True)
class EntityNames:
    """An entity by all its names that a reader may see, the canonical one first; `mentions` says how many memories
    the reader may see speak of it."""

    id: str
    type: EntityType
    audience: Audience
    names: tuple[str, ...]
    mentions: int

    @property
    def name(self) -> str:
        """Its canonical name."""
        return self.names[0]

    @property
    def subject(self) -> Subject:
        """It, as others refer to it."""
        return Subject(self.id, self.name, self.type)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where an entity was spoken of last: the memories, what else they speak of, and the words around it."""

    memory_ids: tuple[str, ...]
    neighbours: frozenset[str]
    words: str


class ResolvedStatus(StrEnum):
    """What came of a name."""

    MATCHED = "matched"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a name may mean, how likely, and why."""

    entity: Subject
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a name means: one entity, one of several, or nothing that is known. The likeliest candidate is first."""

    name: str
    status: ResolvedStatus
    confidence: float = 0.0
    candidates: tuple[Candidate, ...] = ()

    @property
    def entity_id(self) -> str | None:
        """The entity that is meant, if that is clear."""
        return self.candidates[0].entity.id if self.status is ResolvedStatus.MATCHED else None

    @property
    def canonical_name(self) -> str | None:
        """What that entity is called."""
        return self.candidates[0].entity.name if self.status is ResolvedStatus.MATCHED else None


@dataclass(frozen=True, slots=True)
class LikelyPair:
    """Two entities that look like one, or like a thing and its part (the part first). `move_id` names the merge, if
    they were merged; `note` says why they were not."""

    one: Subject
    other: Subject
    score: float
    reason: str
    move_id: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ResolvePlan:
    """What was found among `entities` entities: pairs that are one (merged, if `applied`), pairs that somebody must
    say it of, new to the review queue if `applied`, and parts of others. `skipped` says what was not looked at."""

    entities: int
    same: tuple[LikelyPair, ...]
    review: tuple[LikelyPair, ...]
    parts: tuple[LikelyPair, ...]
    applied: bool
    skipped: str | None = None
