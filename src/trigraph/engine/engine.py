"""The engine's verbs, each a line that calls the module with the real work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING

from trigraph.contracts import Progress
from trigraph.engine.finding import find_either, find_entity, find_memory
from trigraph.engine.keep import audit, calibrating, principals, scorer, transfer, upkeep
from trigraph.engine.keep.admin import Admin
from trigraph.engine.observing import observed
from trigraph.engine.parts import Parts
from trigraph.engine.pipelines import handing, working
from trigraph.engine.pipelines.working import Worked as Worked
from trigraph.engine.read import access, documents, entities, history, reading, recall, tailing, tracing
from trigraph.engine.write import (
    deciding,
    forgetting,
    linking,
    merging,
    naming,
    pairing,
    purging,
    remember,
    reviewing,
    revising,
    threads,
)
from trigraph.engine.write.remember import Item
from trigraph.model.access import Principal
from trigraph.model.access_log import AccessLog
from trigraph.model.audit import Audit, GraphDiff
from trigraph.model.calibration import Calibration
from trigraph.model.change import Changed, EntityHistory, MemoryHistory
from trigraph.model.document import DocumentDetails, DocumentPage
from trigraph.model.entity import Entity, EntityPage, Mention
from trigraph.model.events import RecallEvent
from trigraph.model.job import Job, JobState
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.memory import (
    EntityType,
    Memory,
    MemoryDraft,
    MemoryFilter,
    MemoryPage,
    OutcomeResult,
    Source,
    Visibility,
)
from trigraph.model.query import RecallQuery
from trigraph.model.recall import Recall
from trigraph.model.relation import Relation, RelationType
from trigraph.model.report import RememberReport
from trigraph.model.resolution import Move, Pair, Resolved, ResolvePlan
from trigraph.model.review import HeldBack
from trigraph.model.revision import Check, Revision, Use
from trigraph.model.scope import Scope
from trigraph.model.scorer import ScorerReport
from trigraph.model.status import EmbeddingModel, Health, Stats
from trigraph.model.tail import Tail
from trigraph.model.thread import ThreadDraft
from trigraph.model.trace import Trace
from trigraph.model.transfer import ExportReport, ImportReport

if TYPE_CHECKING:
    from trigraph.contracts.search import Vectors


@observed(untold=("authenticate", "now", "health", "ready", "tail", "embed", "close"))
class Engine:
    """Thread-safe. A scope is the first argument of every verb; `key` is the caller's idempotency key."""

    def __init__(self, parts: Parts, version: str) -> None:
        self._parts = parts
        self._observer = parts.observer
        self.version = version
        self.admin = Admin(parts)

    def authenticate(
        self, token: str | None, claimed_agent: str | None, claimed_project: str | None, *, local: Scope | None = None
    ) -> Principal:
        """Who a request may speak for; `local` is who may come without a token, if anybody."""
        return principals.authenticate(self._parts, token, claimed_agent, claimed_project, local)

    # Keeping memories

    def remember(self, scope: Scope, draft: MemoryDraft, key: str | None = None) -> RememberReport:
        """Keep one memory, or raise and write nothing."""
        return remember.remember(self._parts, scope, draft, key)

    def remember_batch(self, scope: Scope, items: Iterable[Item], progress: Progress | None = None) -> RememberReport:
        """Keep many; each has its own result, and a bad one never loses the others."""
        return remember.remember_batch(self._parts, scope, items, progress)

    def remember_thread(
        self, scope: Scope, draft: ThreadDraft, progress: Progress | None = None, key: str | None = None
    ) -> RememberReport:
        """Keep a conversation, in one transaction."""
        return threads.remember_thread(self._parts, scope, draft, progress, key)

    # Pipelines

    def turn(
        self,
        scope: Scope,
        messages: object,
        *,
        session: str | None = None,
        whole: bool | None = None,
        audience: tuple[Visibility, str | None] = (Visibility.SHARED, None),
        key: str | None = None,
    ) -> RememberReport:
        """Keep what was said and queue what is to be made of it."""
        return handing.turn(self._parts, scope, handing.handed(messages, session, whole, audience), key)

    def distil(self, scope: Scope, session: str, key: str | None = None) -> Changed:
        """Queue the distillation of a session."""
        return handing.distil(self._parts, scope, session, key)

    def reflect(self, scope: Scope, days: int, key: str | None = None) -> Changed:
        """Queue a reflection over the sessions of the last days."""
        return handing.reflect(self._parts, scope, days, key)

    def work(
        self,
        scope: Scope,
        *,
        most: int | None = None,
        progress: Callable[[Job], None] | None = None,
        stop: threading.Event | None = None,
    ) -> Worked:
        """Work off the project's queue."""
        return working.work(self._parts, scope, most=most, progress=progress, stop=stop)

    def work_everywhere(self, *, schedule: bool, stop: threading.Event | None = None) -> Worked:
        """Work off every queue of the home, after queueing what is due of itself."""
        return working.work_everywhere(self._parts, schedule=schedule, stop=stop)

    def jobs(self, scope: Scope, states: Collection[JobState], limit: int) -> list[Job]:
        """Jobs of the scope's agent, the latest first."""
        reading.check_limit(limit, 10_000)
        return self._parts.store.queue.jobs(scope, states, limit)

    def job(self, scope: Scope, name: str) -> Job:
        """One job of the scope's agent."""
        return working.find_job(self._parts, scope, name)

    def retry(self, scope: Scope, name: str) -> Job:
        """Try a dead job again."""
        return working.retry(self._parts, scope, name)

    # What is held back, where it came from, what was made of it

    def purge(
        self,
        scope: Scope,
        source: Source,
        *,
        since: datetime | None = None,
        uri: str | None = None,
        session: str | None = None,
        dry_run: bool = True,
        reason: str | None = None,
        key: str | None = None,
    ) -> Changed:
        """Forget what came from a source, and what was derived from it."""
        wanted = purging.PurgeFilter(source, since, uri, session)
        return purging.purge(self._parts, scope, wanted, dry_run=dry_run, reason=reason, key=key)

    def held_back(self, scope: Scope, limit: int) -> list[HeldBack]:
        """What is in quarantine."""
        reading.check_limit(limit)
        return reviewing.held_back(self._parts, scope, limit)

    def review(
        self, scope: Scope, name: str, *, accept: bool, reason: str | None = None, key: str | None = None
    ) -> Changed:
        """Let a quarantined memory in, or forget it."""
        return reviewing.review(self._parts, scope, name, accept=accept, reason=reason, key=key)

    def access(self, scope: Scope, name: str) -> AccessLog:
        """When a memory was shown, said again and used."""
        return access.access(self._parts, scope, name)

    # What becomes of them

    def correct(
        self, scope: Scope, name: str, revision: Revision, key: str | None = None, check: Check | None = None
    ) -> Changed:
        """It was never true: retract it and put another in its place."""
        return revising.correct(self._parts, scope, name, revision, key, check)

    def supersede(self, scope: Scope, name: str, revision: Revision, key: str | None = None) -> Changed:
        """It was true until then: end it where another begins."""
        return revising.supersede(self._parts, scope, name, revision, key)

    def forget(
        self,
        scope: Scope,
        names: Sequence[str],
        reason: str | None = None,
        key: str | None = None,
        check: Check | None = None,
    ) -> Changed:
        """Retract memories, restorable for a time."""
        return forgetting.forget(self._parts, scope, names, reason, key, check)

    def forget_matching(
        self, scope: Scope, query: str, *, dry_run: bool, reason: str | None = None, key: str | None = None
    ) -> Changed:
        """Retract the memories that hold every word of a query, or only say which."""
        return forgetting.forget_matching(self._parts, scope, query, dry_run=dry_run, reason=reason, key=key)

    def restore(self, scope: Scope, name: str, draft: MemoryDraft, key: str | None = None) -> Changed:
        """Undo what put a memory aside last, or bring a retired entity back into use."""
        found = find_either(self._parts, scope, name)
        if isinstance(found, Entity):
            return naming.reinstate(self._parts, scope, found, draft, key)
        return forgetting.restore(self._parts, scope, found.id, key)

    def archive(
        self, scope: Scope, name: str, reason: str | None, draft: MemoryDraft, key: str | None = None
    ) -> Changed:
        """Put a memory away, or retire an entity."""
        found = find_either(self._parts, scope, name)
        if isinstance(found, Entity):
            return naming.retire(self._parts, scope, found, reason, draft, key)
        return forgetting.archive(self._parts, scope, found.id, reason, key)

    def reverify(self, scope: Scope, name: str, key: str | None = None) -> Changed:
        """It was checked and still holds."""
        return revising.reverify(self._parts, scope, name, key)

    def share(
        self, scope: Scope, name: str, visibility: Visibility, group: str | None, key: str | None = None
    ) -> Changed:
        """Let more agents see a memory of one's own."""
        return revising.share(self._parts, scope, name, visibility, group, key)

    def erase(self, scope: Scope, name: str) -> Changed:
        """Leave nothing of a memory of one's own."""
        return forgetting.erase(self._parts, scope, name)

    # Decisions and what comes of them

    def decide(
        self, scope: Scope, draft: MemoryDraft, supersedes: str | None = None, key: str | None = None
    ) -> Changed:
        """Record a decision on a topic."""
        return deciding.decide(self._parts, scope, draft, supersedes, key)

    def checkpoint(
        self, scope: Scope, draft: MemoryDraft, implements: Sequence[str] = (), key: str | None = None
    ) -> Changed:
        """Record how far the work has come."""
        return deciding.checkpoint(self._parts, scope, draft, implements, key)

    def evolve(
        self,
        scope: Scope,
        name: str,
        result: OutcomeResult,
        reason: str | None,
        draft: MemoryDraft,
        key: str | None = None,
    ) -> Changed:
        """Record what came of a memory."""
        return deciding.evolve(self._parts, scope, name, result, reason, draft, key)

    def wrap(self, scope: Scope, draft: MemoryDraft, key: str | None = None) -> Changed:
        """End a session with a summary."""
        return deciding.wrap(self._parts, scope, draft, key)

    # Entities

    def persona_create(
        self, scope: Scope, name: str, draft: MemoryDraft, props: Mapping[str, str], key: str | None = None
    ) -> Changed:
        """Make a persona."""
        return naming.persona_create(self._parts, scope, name, draft, props, key)

    def persona_update(
        self, scope: Scope, name: str, draft: MemoryDraft, props: Mapping[str, str], key: str | None = None
    ) -> Changed:
        """Change a persona."""
        return naming.persona_update(self._parts, scope, name, draft, props, key)

    def rename(self, scope: Scope, name: str, new_name: str, draft: MemoryDraft, key: str | None = None) -> Changed:
        """Give an entity another canonical name."""
        return naming.rename(self._parts, scope, name, new_name, draft, key)

    def alias(self, scope: Scope, name: str, other: str, draft: MemoryDraft, key: str | None = None) -> Changed:
        """Give an entity a further name."""
        return naming.alias(self._parts, scope, name, other, draft, key)

    def entity(
        self, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Entity:
        """The entity of a name, an alias or an id."""
        return entities.entity(self._parts, scope, name, as_of, known_at)

    def entities(
        self,
        scope: Scope,
        types: Collection[EntityType],
        limit: int,
        cursor: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> EntityPage:
        """Entities in use, a page at a time."""
        return entities.list_entities(self._parts, scope, types, limit, cursor, as_of, known_at)

    def mentions(self, scope: Scope, name: str) -> list[Mention]:
        """The entities that a memory speaks of."""
        return entities.mentions(self._parts, scope, find_memory(self._parts, scope, name))

    def uses(self, scope: Scope, name: str) -> int:
        """How often a skill was used."""
        return entities.uses(self._parts, scope, find_entity(self._parts, scope, name))

    # One thing or two

    def merge(
        self,
        scope: Scope,
        name: str,
        into: str,
        draft: MemoryDraft,
        reason: str | None = None,
        key: str | None = None,
    ) -> Changed:
        """Say that two entities are one."""
        return merging.merge(self._parts, scope, name, into, draft, reason, key)

    def split(
        self,
        scope: Scope,
        name: str,
        new_name: str,
        memories: Sequence[str],
        draft: MemoryDraft,
        key: str | None = None,
    ) -> Changed:
        """Say that an entity is two."""
        return merging.split(self._parts, scope, name, new_name, memories, draft, key)

    def undo_move(self, scope: Scope, move_id: str, draft: MemoryDraft, key: str | None = None) -> Changed:
        """Take back a merge or a split."""
        return merging.undo(self._parts, scope, move_id, draft, key)

    def moves(self, scope: Scope, name: str) -> list[Move]:
        """What an entity got or lost by merges and splits."""
        return entities.moves_of(self._parts, scope, name)

    def resolve(self, scope: Scope, names: Sequence[str]) -> list[Resolved]:
        """What names mean."""
        return pairing.resolve(self._parts, scope, names)

    def find_pairs(self, scope: Scope, *, apply: bool = False) -> ResolvePlan:
        """Look for entities that are one; with `apply`, merge them or ask."""
        return pairing.find_pairs(self._parts, scope, apply=apply)

    def pairs(self, scope: Scope, limit: int) -> list[Pair]:
        """Pairs of which somebody must say whether they are one."""
        reading.check_limit(limit)
        return pairing.pairs(self._parts, scope, limit)

    def decide_pair(
        self, scope: Scope, pair_id: str, *, one: bool, draft: MemoryDraft, key: str | None = None
    ) -> Changed:
        """Say whether the two of a pair are one."""
        return pairing.decide_pair(self._parts, scope, pair_id, one, draft, key)

    # Documents and relations

    def documents(
        self,
        scope: Scope,
        collection: str | None,
        limit: int,
        cursor: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> DocumentPage:
        """Documents and stubs, a page at a time."""
        return documents.documents(self._parts, scope, collection, limit, cursor, as_of, known_at)

    def document(
        self,
        scope: Scope,
        name: str,
        collection: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> DocumentDetails:
        """One document, with its relations."""
        return documents.document(self._parts, scope, name, collection, as_of, known_at)

    def document_status(
        self,
        scope: Scope,
        name: str,
        status: str,
        draft: MemoryDraft,
        collection: str | None = None,
        key: str | None = None,
    ) -> Changed:
        """Say what a document's status was from a time on."""
        now = self._parts.now(scope)
        entity_id = documents.find_document(self._parts, scope, name, collection, now)
        entity = find_entity(self._parts, scope, entity_id)
        return naming.document_status(self._parts, scope, entity, status, draft, key)

    def relations(
        self,
        scope: Scope,
        name: str,
        types: Collection[RelationType] = (),
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> list[Relation]:
        """The relations of a thing, both ways."""
        return documents.relations(self._parts, scope, name, types, as_of, known_at)

    # Links, votes, citations

    def link(
        self,
        scope: Scope,
        from_name: str,
        to_name: str,
        type_: LinkType,
        confidence: float = 1.0,
        reason: str | None = None,
        origin: LinkOrigin = LinkOrigin.USER,
        key: str | None = None,
    ) -> Changed:
        """Draw a link between two memories."""
        return linking.link(self._parts, scope, from_name, to_name, type_, confidence, reason, origin, key)

    def unlink(self, scope: Scope, name: str, key: str | None = None) -> Changed:
        """A link holds no longer."""
        return linking.unlink(self._parts, scope, name, key)

    def links(self, scope: Scope, name: str, known_at: datetime | None = None) -> list[Link]:
        """The links of a memory."""
        return reading.links(self._parts, scope, name, known_at)

    def vote(self, scope: Scope, name: str, value: int, reason: str | None = None, key: str | None = None) -> Changed:
        """Say that a memory or a link is right or wrong."""
        return linking.vote(self._parts, scope, name, value, reason, key)

    def cite(
        self,
        scope: Scope,
        recall_id: str | None,
        uses: Sequence[Use],
        session: str | None = None,
        key: str | None = None,
    ) -> Changed:
        """Keep what was done with hits of a recall."""
        return linking.cite(self._parts, scope, recall_id, uses, session, key)

    # Answering

    def recall(self, scope: Scope, query: RecallQuery) -> Recall:
        """Answer a query from memory."""
        return recall.recall(self._parts, scope, query)

    def recall_event(self, scope: Scope, recall_id: str) -> RecallEvent | None:
        """What telemetry kept of a recall."""
        return self._parts.store.events.get(scope, recall_id)

    def embed(self, model: EmbeddingModel, texts: Sequence[str], *, query: bool) -> Vectors:
        """Vectors of texts by that model, if it is the configured one; they tell nothing of what is stored."""
        return self._parts.embedding.vectors(model, texts, query=query)

    def tail(self, scope: Scope, cursor: str | None, limit: int) -> Tail:
        """What happened since a cursor, of what the scope may see."""
        return tailing.tail(self._parts, scope, cursor, limit)

    def find(self, scope: Scope, name: str) -> Memory:
        """The memory of an id or the end of one, whatever became of it."""
        return find_memory(self._parts, scope, name)

    def get(self, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory:
        """The memory of an id, or of an unambiguous ending of one."""
        return reading.get(self._parts, scope, name, as_of, known_at)

    def list(
        self,
        scope: Scope,
        wanted: MemoryFilter,
        limit: int,
        cursor: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> MemoryPage:
        """Memories newest first, a page at a time."""
        return reading.list_memories(self._parts, scope, wanted, limit, cursor, as_of, known_at)

    def history(
        self, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> MemoryHistory | EntityHistory:
        """The story a memory belongs to, or an entity's states."""
        return history.history(self._parts, scope, name, as_of, known_at)

    def trace_evolution(
        self, scope: Scope, topic: str, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Trace:
        """How a topic came to what was decided last."""
        return tracing.evolution(self._parts, scope, topic, as_of, known_at)

    def trace_impact(
        self, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Trace:
        """What followed from a memory."""
        return tracing.impact(self._parts, scope, name, as_of, known_at)

    def trace_context(
        self, scope: Scope, query: str, name: str, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Trace:
        """What bears on a question, seen from a memory."""
        return tracing.context(self._parts, scope, query, name, as_of, known_at)

    # Keeping the store

    def audit(self, scope: Scope) -> Audit:
        """Whether everything that must hold does."""
        return audit.audit(self._parts, scope)

    def fixup_memory_graph(self, scope: Scope, *, apply: bool = False) -> GraphDiff:
        """Hold the stored relations against what the documents declare; with `apply`, make them so."""
        return audit.memory_graph(self._parts, scope, apply=apply)

    def calibrate(self, scope: Scope) -> Calibration:
        """Measure which cosines mean something with the configured model."""
        return calibrating.calibrate(self._parts, scope)

    def scorer_report(self, scope: Scope) -> ScorerReport:
        """What citations taught, and how it fared."""
        return scorer.report(self._parts, scope)

    def scorer_train(self, scope: Scope) -> ScorerReport:
        """Learn from citations what features weigh; use it if it helps."""
        return scorer.train(self._parts, scope)

    def scorer_off(self, scope: Scope) -> ScorerReport:
        """Order by the shipped weights, whatever was learnt."""
        return scorer.off(self._parts, scope)

    def scorer_on(self, scope: Scope) -> ScorerReport:
        """Let what citations teach be used again, after training it anew."""
        return scorer.on(self._parts, scope)

    def prune(self, scope: Scope, *, dry_run: bool = False) -> int:
        """Close automatic links that have faded."""
        return upkeep.prune(self._parts, scope, dry_run=dry_run)

    def now(self, scope: Scope) -> datetime:
        """The time at which everything committed so far has happened."""
        return self._parts.now(scope).known_at

    def stats(self, scope: Scope) -> Stats:
        """Counts of what the scope may see."""
        return reading.stats(self._parts, scope)

    def ready(self, scope: Scope, *, write: bool = True) -> tuple[int, int]:
        """The store's schema version and size in bytes, after a transaction that changes nothing has shown that it
        can be written to."""
        return upkeep.ready(self._parts, scope, write=write)

    def health(self, scope: Scope) -> Health:
        """What works and what does not."""
        return reading.health(self._parts, scope, self.version)

    def reembed(self, scope: Scope, *, anew: bool = False, progress: Progress | None = None) -> int:
        """Make the vectors that are missing and search by the configured model."""
        return upkeep.reembed(self._parts, scope, anew=anew, progress=progress)

    def export(
        self,
        scope: Scope,
        write: Callable[[str], object],
        *,
        everything: bool = False,
        vectors: bool = True,
        events: bool = True,
        progress: Progress | None = None,
    ) -> ExportReport:
        """Write what the project holds as JSON Lines."""
        return transfer.export(
            self._parts, scope, write, everything=everything, vectors=vectors, events=events, progress=progress
        )

    def import_(
        self, scope: Scope, lines: Callable[[], Iterable[str]], progress: Progress | None = None
    ) -> ImportReport:
        """Read an export into the project."""
        return transfer.import_(self._parts, scope, lines, progress)

    def close(self) -> None:
        """Release the store."""
        self._parts.store.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
