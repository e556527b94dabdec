"""What is kept of use: recall events, citations, votes, queued work, answers already given."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from trigraph.model.change import Citation, CitationKind, Verb
from trigraph.model.events import RecallEvent
from trigraph.model.scope import Scope
from trigraph.model.times import Moment


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of queued work."""

    id: str
    name: str
    payload: str
    attempts: int


class Events(Protocol):
    """Recall events, in a file of their own that costs a recall no fsync."""

    def add(self, scope: Scope, event: RecallEvent) -> None:
        """Keep one event. Needs no transaction."""

    def get(self, scope: Scope, recall_id: str) -> RecallEvent | None:
        """The event of a recall that this scope's agent made, whole."""

    def count(self, scope: Scope) -> int:
        """How many recalls the scope's agent has made in its project."""

    def forget(self, scope: Scope, memory_id: str) -> None:
        """Take every trace of a memory that was erased out of the project's events. Needs no transaction."""

    def used(self, scope: Scope, recall_id: str, skill_ids: Collection[str], at: datetime) -> None:
        """Count a use of each of these skills. Needs no transaction."""

    def uses(self, scope: Scope, skill_ids: Collection[str]) -> dict[str, int]:
        """How often the agent's own recalls showed each of these skills."""


class Queue(Protocol):
    """Work that outlives the caller: kept with the memories, in their transactions."""

    def put(self, scope: Scope, job: Job, at: datetime) -> None:
        """Queue a job."""

    def waiting(self, scope: Scope, name: str) -> int:
        """How many jobs of that name, queued by the scope's agent, are not done."""

    def unembedded(self, scope: Scope, moment: Moment, most: int) -> int:
        """How many visible memories wait for their vectors, counted up to `most`."""


class Uses(Protocol):
    """Citations and votes: kept with the memories, in their transactions."""

    def cite(self, scope: Scope, citation: Citation) -> bool:
        """Keep one citation. False if the agent made the very same one of that recall before: nothing is written."""

    def citations(self, scope: Scope, memory_ids: Collection[str]) -> dict[str, dict[CitationKind, int]]:
        """How often each memory was cited, by kind; what a correction took over from its roots included."""

    def tally(self, scope: Scope, session: str) -> Mapping[CitationKind, int]:
        """How many citations of each kind the agent made in a session."""

    def last_vote(self, scope: Scope, target_id: str) -> tuple[int, float] | None:
        """The agent's latest vote on a memory or link, and by how much it moved its confidence."""

    def vote(self, scope: Scope, target_id: str, value: int, moved: float, reason: str | None, at: datetime) -> None:
        """Keep the agent's vote on a memory or link, and by how much it moved its confidence."""


class Answers(Protocol):
    """Answers already given under a caller's own keys, so that a call sent twice is done once."""

    def get(self, scope: Scope, verb: Verb, key: str) -> tuple[str, str] | None:
        """(fingerprint of the call, its answer as JSON) of the agent's earlier call under this key."""

    def put(self, scope: Scope, verb: Verb, key: str, fingerprint: str, answer: str, at: datetime) -> None:
        """Keep an answer. Those older than a week are let go."""
