"""What is kept of use: recall events, citations, votes, queued work, answers already given."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from trigraph.model.access_log import Restatement, Shown
from trigraph.model.change import Citation, CitationKind, Verb
from trigraph.model.events import RecallEvent
from trigraph.model.job import Job, JobState
from trigraph.model.memory import Source
from trigraph.model.scope import Scope
from trigraph.model.scorer import Judgement, Scorer, ShownList
from trigraph.model.times import Moment


@dataclass(frozen=True, slots=True)
class NewJob:
    """Work to be queued; `payload` is JSON."""

    id: str
    name: str
    payload: str


class Events(Protocol):
    """Recall events, in a file of their own that costs a recall no fsync."""

    def add(self, scope: Scope, event: RecallEvent) -> None:
        """Keep one event. Needs no transaction."""

    def shown(self, scope: Scope, memory_id: str, limit: int) -> list[Shown]:
        """The recalls of the scope's agent that showed a memory, the latest first."""

    def shown_count(self, scope: Scope, memory_id: str) -> int:
        """How many recalls of the scope's agent showed a memory."""

    def shown_in(self, scope: Scope, session: str, memory_id: str) -> str | None:
        """The latest recall of the scope's agent in a session that showed a memory."""

    def get(self, scope: Scope, recall_id: str) -> RecallEvent | None:
        """The event of a recall that this scope's agent made, whole."""

    def count(self, scope: Scope) -> int:
        """How many recalls the scope's agent has made in its project."""

    def latest(self, scope: Scope) -> str | None:
        """The recall of the scope's agent that was kept last."""

    def since(self, scope: Scope, recall_id: str, limit: int) -> list[str]:
        """The recalls of the scope's agent that were kept after one of its own, in that order; after the empty id all
        of them. If that one is no longer kept, those whose ids are greater."""

    def lists(self, scope: Scope, recall_ids: Collection[str]) -> list[ShownList]:
        """What these recalls showed, by whichever agent of the project, the oldest first; those without features are
        left out. For learning alone: what is told to an agent never names them."""

    def forget(self, scope: Scope, memory_id: str) -> None:
        """Take every trace of a memory that was erased out of the project's events. Needs no transaction."""

    def used(self, scope: Scope, recall_id: str, skill_ids: Collection[str], at: datetime) -> None:
        """Count a use of each of these skills. Needs no transaction."""

    def uses(self, scope: Scope, skill_ids: Collection[str]) -> dict[str, int]:
        """How often the agent's own recalls showed each of these skills."""


class Queue(Protocol):
    """Work that outlives the caller: kept with the memories, in their transactions."""

    def put(self, scope: Scope, job: NewJob, at: datetime) -> None:
        """Queue a job of the scope's agent, due at once."""

    def claim(self, scope: Scope, at: datetime, leased_until: datetime) -> Job | None:
        """Take the job of the project, whoever queued it, that is due first. It is the caller's until the lease ends:
        then, if it was not finished, it is due again. Embedding jobs are not claimed."""

    def finish(self, scope: Scope, job: Job, result: str, at: datetime) -> bool:
        """The claimed job is done; `result` is JSON. False if the lease ended and another claimed it: then whatever
        was written for it must not be kept."""

    def fail(self, scope: Scope, job: Job, error: str, again_at: datetime | None, at: datetime) -> None:
        """The claimed job failed: it is due again at a time, or, without one, dead."""

    def revive(self, scope: Scope, job_id: str, at: datetime) -> bool:
        """A dead job of the scope's agent is due again, as if it had never been tried."""

    def jobs(self, scope: Scope, states: Collection[JobState], limit: int, job_id: str | None = None) -> list[Job]:
        """Jobs of the scope's agent, the latest first; of some states or all; by id or the end of one."""

    def counts(self, scope: Scope) -> dict[JobState, int]:
        """How many jobs of the project are in each state; those done are not counted."""

    def next_due(self, scope: Scope) -> datetime | None:
        """When the next job of the project is due."""

    def quiet(self, scope: Scope, before: datetime) -> list[tuple[str, str]]:
        """(author, session) of which turns were handed over, none since a time, and which were not distilled since."""

    def unreflected(self, scope: Scope, since: datetime) -> list[str]:
        """Agents that handed over turns and for which nothing was reflected since a time."""

    def embedding_due(self, scope: Scope) -> bool:
        """Whether a memory of the project waits for its vectors."""

    def sweepable(self, scope: Scope, before: datetime) -> bool:
        """Whether the project has jobs that were done before a time."""

    def sweep(self, scope: Scope, before: datetime) -> None:
        """Let go of jobs of the project that were done before a time."""

    def waiting(self, scope: Scope, name: str) -> int:
        """How many jobs of that name, queued by the scope's agent, are not done."""

    def unembedded(self, scope: Scope, moment: Moment, most: int) -> int:
        """How many visible memories wait for their vectors, counted up to `most`."""


class Uses(Protocol):
    """Citations and votes: kept with the memories, in their transactions."""

    def cite(self, scope: Scope, citation: Citation) -> bool:
        """Keep one citation. False if the agent made the very same one of that recall before: nothing is written."""

    def restate(self, scope: Scope, memory_id: str, restated: Restatement) -> None:
        """Keep that a memory was said again."""

    def restatements(self, scope: Scope, memory_id: str) -> list[Restatement]:
        """When a memory was said again, the oldest first, if the scope may see it."""

    def restated_from(
        self, scope: Scope, source: Source, since: datetime | None, uri: str | None, session: str | None
    ) -> list[int]:
        """Restatements that came from a source since a time, from one place or session alone where that is given; of
        memories that the scope may see."""

    def drop_restatements(self, scope: Scope, keys: Collection[int]) -> dict[str, float]:
        """These restatements were never made. Returns by how much they had raised the confidence of each memory."""

    def used(self, scope: Scope, memory_id: str, limit: int) -> list[Citation]:
        """The agent's own citations of a memory, the latest first."""

    def citations(self, scope: Scope, memory_ids: Collection[str]) -> dict[str, dict[CitationKind, int]]:
        """How often each memory was cited, by kind; what a correction took over from its roots included."""

    def tally(self, scope: Scope, session: str) -> Mapping[CitationKind, int]:
        """How many citations of each kind the agent made in a session."""

    def last_vote(self, scope: Scope, target_id: str) -> tuple[int, float] | None:
        """The agent's latest vote on a memory or link, and by how much it moved its confidence."""

    def vote(self, scope: Scope, target_id: str, value: int, moved: float, reason: str | None, at: datetime) -> None:
        """Keep the agent's vote on a memory or link, and by how much it moved its confidence."""


class Scorers(Protocol):
    """What the citations of a project teach, all agents together: kept with the memories, in their transactions."""

    def get(self, scope: Scope) -> Scorer | None:
        """What was learnt last; None if nothing ever was."""

    def put(self, scope: Scope, scorer: Scorer) -> None:
        """Keep it in place of what was there."""

    def judgements(self, scope: Scope, limit: int) -> list[Judgement]:
        """What agents of the project did with hits of recalls, the latest first. For learning alone."""


class Answers(Protocol):
    """Answers already given under a caller's own keys, so that a call sent twice is done once."""

    def get(self, scope: Scope, verb: Verb, key: str) -> tuple[str, str] | None:
        """(fingerprint of the call, its answer as JSON) of the agent's earlier call under this key."""

    def put(self, scope: Scope, verb: Verb, key: str, fingerprint: str, answer: str, at: datetime) -> None:
        """Keep an answer. Those older than a week are let go."""
