"""What is taken out of what was said: findings, each with the words that say it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from trigraph.model.memory import Kind


class Finding(StrEnum):
    """What sort of thing was found."""

    DECISION = "decision"
    PREFERENCE = "preference"
    FACT = "fact"
    CORRECTION = "correction"
    ROOT_CAUSE = "root_cause"
    CONSTRAINT = "constraint"
    NEXT_STEP = "next_step"
    OUTCOME = "outcome"


FINDING_KINDS = MappingProxyType(
    {
        Finding.DECISION: Kind.DECISION,
        Finding.PREFERENCE: Kind.PREFERENCE,
        Finding.FACT: Kind.FACT,
        Finding.CORRECTION: Kind.CONSTRAINT,
        Finding.ROOT_CAUSE: Kind.INSIGHT,
        Finding.CONSTRAINT: Kind.CONSTRAINT,
        Finding.NEXT_STEP: Kind.CONTEXT,
        Finding.OUTCOME: Kind.FACT,
    }
)
"""Of which kind the memory is that keeps a finding; the finding itself is one of its tags."""


class Certainty(StrEnum):
    """How a finding is known: said by the user, clear from what was discussed, or inferred."""

    SAID = "said"
    CLEAR = "clear"
    INFERRED = "inferred"


CERTAINTY_CONFIDENCE = MappingProxyType({Certainty.SAID: 1.0, Certainty.CLEAR: 0.8, Certainty.INFERRED: 0.6})


class Role(StrEnum):
    """Who speaks: the user, the agent, or one of its tools."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Said:
    """One message, as an extractor reads it. `speaker` is a name where there is one, `id` the caller's own for it.

    What tools did is told in one message of role tool: a line for each, what was asked of it and what came of it.
    """

    role: Role
    text: str
    speaker: str | None = None
    occurred_at: datetime | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in order, and the session they say they belong to."""

    messages: tuple[Said, ...]
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """Where the words stand: which message, and from which character up to which."""

    message: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """One finding: a text that stands alone, what sort it is, how it is known, and the words that say it."""

    text: str
    finding: Finding
    certainty: Certainty
    evidence: tuple[Span, ...]
    topic: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model was given and gave, in tokens."""

    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor made of some messages. `summary` only of a whole session."""

    found: tuple[Found, ...]
    extractor: str
    summary: str | None = None
    usage: Usage = Usage()


class Stage(StrEnum):
    """Which pipeline asks: after one turn, or over a whole session."""

    TURN = "turn"
    DISTILLATION = "distillation"
