"""The library: memory for programs, with the scope bound and plain arguments."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from trigraph.assembly import open_engine, scope_of
from trigraph.contracts import Progress
from trigraph.engine.engine import Engine
from trigraph.engine.keep.admin import Admin
from trigraph.errors import InvalidInput
from trigraph.faces import wire
from trigraph.faces.documents import Docs
from trigraph.faces.happening import HappeningVerbs
from trigraph.faces.pipelines import PipelineVerbs
from trigraph.faces.quality import QualityVerbs
from trigraph.faces.sameness import SamenessVerbs
from trigraph.faces.scorer import ScorerVerbs
from trigraph.faces.transfer import export_to, import_from
from trigraph.model.audit import Audit, GraphDiff
from trigraph.model.change import Changed, EntityHistory, MemoryHistory, Verb
from trigraph.model.entity import Entity, EntityPage, Mention
from trigraph.model.events import RecallEvent
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.memory import EntityType, Memory, MemoryPage, OutcomeResult
from trigraph.model.recall import Recall
from trigraph.model.relation import Relation, RelationType
from trigraph.model.report import RememberReport
from trigraph.model.revision import Check
from trigraph.model.scope import Scope
from trigraph.model.status import Health, Stats
from trigraph.model.trace import Trace
from trigraph.model.transfer import ExportReport, ImportReport
from trigraph.settings import load_settings


class Trigraph(HappeningVerbs, PipelineVerbs, QualityVerbs, SamenessVerbs, ScorerVerbs):
    """One agent's memory. Thread-safe; a context manager that closes the store at its end."""

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self.engine = engine
        self.scope = scope

    # Keeping memories

    def remember(self, text: str, *, idempotency_key: str | None = None, **fields: Any) -> RememberReport:
        """Keep one memory.

        Fields: kind, subject and type (what it is about), topic, tags, domains, visibility, group, source, session,
        turn, uri, occurred_at, valid_from, valid_until, confidence, pinned; reasoning (of a decision); result and
        reason (of an outcome); derived_from (ids of memories that it was taken from).
        """
        return self.engine.remember(self.scope, wire.memory_draft({"text": text, **fields}), idempotency_key)

    def remember_batch(
        self, items: Iterable[str | Mapping[str, Any]], *, progress: Progress | None = None
    ) -> RememberReport:
        """Keep many memories; each item is a text or an object with the fields of `remember`."""
        if isinstance(items, str | Mapping) or not isinstance(items, Iterable):
            raise InvalidInput("items must be a list.", field="items", fix="Give a list of texts or objects.")
        return self.engine.remember_batch(self.scope, map(wire.batch_item, items), progress)

    def remember_thread(
        self,
        messages: Iterable[Mapping[str, Any]],
        *,
        name: str | None = None,
        session: str | None = None,
        title: str | None = None,
        visibility: str | None = None,
        group: str | None = None,
        source: str = "user",
        append: bool = False,
        progress: Progress | None = None,
        idempotency_key: str | None = None,
    ) -> RememberReport:
        """Keep a conversation: messages with text, speaker, role, occurred_at."""
        draft = wire.thread_draft(
            {
                "messages": messages,
                "name": name,
                "session": session,
                "title": title,
                "visibility": visibility,
                "group": group,
                "source": source,
                "append": append,
            }
        )
        return self.engine.remember_thread(self.scope, draft, progress, idempotency_key)

    # What becomes of them

    def correct(
        self, id: str, text: str, *, check: Check | None = None, idempotency_key: str | None = None, **fields: Any
    ) -> Changed:
        """It was never true: the old memory is retracted, the new one takes over its validity and usage.

        Fields: reason (why), topic, tags, domains, source, session, turn, uri, confidence, reasoning. `check` is told
        the memory in the transaction that corrects it, and raises if it is not to be corrected.
        """
        return self.engine.correct(self.scope, _id(id), wire.revision(text, fields), idempotency_key, check)

    def supersede(self, id: str, text: str, *, idempotency_key: str | None = None, **fields: Any) -> Changed:
        """It was true until then: the old memory ends where the new one begins.

        Fields as for `correct`, and valid_from: since when the new one holds (now, if left out).
        """
        return self.engine.supersede(self.scope, _id(id), wire.revision(text, fields), idempotency_key)

    def forget(
        self,
        *ids: str,
        query: str | None = None,
        dry_run: bool | None = None,
        reason: str | None = None,
        check: Check | None = None,
        idempotency_key: str | None = None,
    ) -> Changed:
        """Retract memories by id, or all that hold every word of a query; they can be restored for a time.

        By query it is a preview unless `dry_run` is false; by id the other way round. `check` is told each memory of
        an id in the transaction that forgets it, and raises if it is not to be forgotten.
        """
        if (query is None) == (not ids):
            raise InvalidInput("Give ids, or a query.", field="ids", fix="Give exactly one of them.")
        dry_run = query is not None if dry_run is None else dry_run
        why = wire.optional_text(reason, "reason")
        if query is not None:
            words = wire.text_of(query, "query")
            return self.engine.forget_matching(self.scope, words, dry_run=dry_run, reason=why, key=idempotency_key)
        names = [_id(id) for id in ids]
        if dry_run:
            found = [self.get(name) for name in names]
            if check is not None:
                for memory in found:
                    check(memory)
            return Changed(Verb.FORGET, tuple(one.id for one in found), self.engine.now(self.scope), preview=True)
        return self.engine.forget(self.scope, names, why, idempotency_key, check)

    def restore(
        self, id: str, *, text: str | None = None, idempotency_key: str | None = None, **fields: Any
    ) -> Changed:
        """Undo what put a memory aside last (forget, archive, correct, supersede), or bring an entity back into use."""
        return self.engine.restore(self.scope, _id(id), wire.draft_about(text, fields), idempotency_key)

    def archive(
        self,
        id: str,
        *,
        reason: str | None = None,
        text: str | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Changed:
        """Put a memory away, or retire an entity (by its name or id)."""
        draft = wire.draft_about(text, fields)
        return self.engine.archive(self.scope, _id(id), wire.optional_text(reason, "reason"), draft, idempotency_key)

    def reverify(self, id: str, *, idempotency_key: str | None = None) -> Changed:
        """It was checked and still holds: last_verified_at changes and nothing else."""
        return self.engine.reverify(self.scope, _id(id), idempotency_key)

    def share(
        self, id: str, visibility: str | None = None, *, group: str | None = None, idempotency_key: str | None = None
    ) -> Changed:
        """Let a group, or all agents of the project, see a memory of your own."""
        return self.engine.share(self.scope, _id(id), *wire.audience(visibility, group), idempotency_key)

    def erase(self, id: str) -> Changed:
        """Leave nothing of a memory of your own. There is no way back."""
        return self.engine.erase(self.scope, _id(id))

    # Decisions and what comes of them

    def decide(
        self,
        text: str,
        *,
        topic: str,
        reasoning: str | None = None,
        supersedes: str | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Changed:
        """Record a decision on a topic; the entity that the topic names gets a new state. Fields as for `remember`."""
        _without(fields, "decide", "kind", "subject", "type")
        if supersedes is not None:
            wire.without_audience(fields)
        draft = wire.memory_draft({**fields, "text": text, "kind": "decision", "topic": topic, "reasoning": reasoning})
        return self.engine.decide(self.scope, draft, wire.optional_text(supersedes, "supersedes"), idempotency_key)

    def checkpoint(
        self, text: str, *, implements: str | Iterable[str] = (), idempotency_key: str | None = None, **fields: Any
    ) -> Changed:
        """Record how far the work has come, and which decisions it implements. Fields as for `remember`; with a
        session, how often each kind of citation was made in it is kept along."""
        draft = wire.memory_draft({**fields, "text": text, "kind": "checkpoint"})
        return self.engine.checkpoint(self.scope, draft, wire.strings(implements, "implements"), idempotency_key)

    def evolve(
        self,
        id: str,
        result: str,
        reason: str | None = None,
        *,
        text: str | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Changed:
        """Record what came of a memory: SUCCESS, FAILED or PARTIAL, and why."""
        outcome = wire.choice(OutcomeResult, result, "result")
        why = wire.optional_text(reason, "reason")
        return self.engine.evolve(self.scope, _id(id), outcome, why, wire.draft_about(text, fields), idempotency_key)

    def wrap(
        self, session: str, text: str | None = None, *, idempotency_key: str | None = None, **fields: Any
    ) -> Changed:
        """End a session with a summary: the given text, or a list of what the session left."""
        draft = wire.draft_told(text, {**fields, "session": session})
        return self.engine.wrap(self.scope, draft, idempotency_key)

    # Entities

    def persona_create(
        self,
        name: str,
        text: str,
        *,
        props: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Changed:
        """Make a persona with a description and properties."""
        draft = wire.memory_draft({**fields, "text": text})
        told = wire.text_map(props, "props")
        return self.engine.persona_create(self.scope, wire.text_of(name, "name"), draft, told, idempotency_key)

    def persona_update(
        self,
        name: str,
        text: str | None = None,
        *,
        props: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Changed:
        """Change a persona's description, its properties, or both."""
        told = wire.text_map(props, "props")
        draft = wire.draft_about(text, fields)
        return self.engine.persona_update(self.scope, wire.text_of(name, "name"), draft, told, idempotency_key)

    def rename(
        self, entity: str, name: str, *, text: str | None = None, idempotency_key: str | None = None, **fields: Any
    ) -> Changed:
        """Give an entity another canonical name; the old one stays an alias."""
        return self.engine.rename(
            self.scope,
            wire.text_of(entity, "entity"),
            wire.text_of(name, "name"),
            wire.draft_about(text, fields),
            idempotency_key,
        )

    def alias(
        self, entity: str, name: str, *, text: str | None = None, idempotency_key: str | None = None, **fields: Any
    ) -> Changed:
        """Give an entity a further name."""
        return self.engine.alias(
            self.scope,
            wire.text_of(entity, "entity"),
            wire.text_of(name, "name"),
            wire.draft_about(text, fields),
            idempotency_key,
        )

    def entity(self, name: str, *, as_of: object = None, known_at: object = None) -> Entity:
        """The entity of a name, an alias, an id, or the end of one."""
        return self.engine.entity(self.scope, wire.text_of(name, "name"), *_times(as_of, known_at))

    def entities(
        self,
        *,
        types: str | Iterable[str] = (),
        limit: int = 50,
        cursor: str | None = None,
        as_of: object = None,
        known_at: object = None,
    ) -> EntityPage:
        """Entities in use, the oldest first, a page at a time."""
        wanted = [wire.choice(EntityType, one, "type") for one in wire.strings(types, "types")]
        return self.engine.entities(
            self.scope,
            wanted,
            wire.whole(limit, "limit"),
            wire.optional_text(cursor, "cursor"),
            *_times(as_of, known_at),
        )

    def mentions(self, id: str) -> list[Mention]:
        """The entities that a memory speaks of."""
        return self.engine.mentions(self.scope, _id(id))

    def skill_uses(self, name: str) -> int:
        """How often a skill was used: what is remembered about it, and your recalls that showed it."""
        return self.engine.uses(self.scope, wire.text_of(name, "name"))

    # Documents and relations

    @property
    def docs(self) -> Docs:
        """Specs, ADRs, TODOs, any markdown with an id."""
        return Docs(self)

    def relations(
        self, entity: str, *, types: str | Iterable[str] = (), as_of: object = None, known_at: object = None
    ) -> list[Relation]:
        """The relations of a thing, both ways, with the memories that say so."""
        wanted = [wire.choice(RelationType, one, "type") for one in wire.strings(types, "types")]
        return self.engine.relations(self.scope, wire.text_of(entity, "entity"), wanted, *_times(as_of, known_at))

    # Links, votes, citations

    def link(
        self,
        from_id: str,
        to_id: str,
        type: str = "relates_to",
        *,
        confidence: float = 1.0,
        reason: str | None = None,
        created_by: str = "user",
        idempotency_key: str | None = None,
    ) -> Changed:
        """Draw a link: `from` VERB `to`."""
        return self.engine.link(
            self.scope,
            _id(from_id),
            _id(to_id),
            wire.choice(LinkType, type, "type"),
            wire.number_of(confidence, "confidence"),
            wire.optional_text(reason, "reason"),
            wire.choice(LinkOrigin, created_by, "created_by"),
            idempotency_key,
        )

    def unlink(self, id: str, *, idempotency_key: str | None = None) -> Changed:
        """A link holds no longer."""
        return self.engine.unlink(self.scope, _id(id), idempotency_key)

    def links(self, id: str, *, known_at: object = None) -> list[Link]:
        """The links of a memory."""
        return self.engine.links(self.scope, _id(id), wire.optional_time(known_at, "known_at"))

    def vote(self, id: str, value: int, reason: str | None = None, *, idempotency_key: str | None = None) -> Changed:
        """Say that a memory or a link (`l_…`) is right (1) or wrong (-1); your latest vote counts."""
        return self.engine.vote(
            self.scope, _id(id), wire.whole(value, "value"), wire.optional_text(reason, "reason"), idempotency_key
        )

    def cite(
        self,
        recall_id: str | None,
        id: str | None = None,
        kind: str = "cited",
        notes: str | None = None,
        *,
        items: Iterable[Mapping[str, Any]] | None = None,
        session: str | None = None,
        idempotency_key: str | None = None,
    ) -> Changed:
        """Say what you did with a hit (cited, dismissed, flagged_stale, rewrote, saved_rework), or with several."""
        return self.engine.cite(
            self.scope,
            wire.optional_text(recall_id, "recall_id"),
            wire.uses(id, kind, notes, items),
            wire.optional_text(session, "session"),
            idempotency_key,
        )

    # Answering

    def recall(self, query: str, *, limit: int = 10, budget_tokens: int | None = None, **options: Any) -> Recall:
        """Answer a query from memory.

        Filters: kinds, types, entity, topic, tags, sources, author, thread, first_seq, last_seq, created_after,
        created_before, occurred_after, occurred_before. Options: domains (in place of the agent's own) or all_domains,
        as_of, known_at, superseded (whether what was replaced is wanted too), expand (whether what the best hits are
        linked to may follow), rerank (whether the re-ranker, if one is configured, has its part), profile, fusion,
        session (the asker's own, kept with the recall event), constraint_tokens (the budget of the block of
        constraints, 400), context (what is being talked about) and in_thread (the thread in which it is asked: its name
        or id), neighbours (how much before and after a hit is shown: 0 to 3), threads (how many of the
        likeliest threads are told: 0 to 50).
        """
        _without(options, "recall", "text")
        asked = wire.recall_query(query, limit=limit, budget_tokens=budget_tokens, **options)
        return self.engine.recall(self.scope, asked)

    def recall_event(self, recall_id: str) -> RecallEvent | None:
        """What telemetry kept of a recall."""
        return self.engine.recall_event(self.scope, wire.text_of(recall_id, "recall_id"))

    def get(self, id: str, *, as_of: object = None, known_at: object = None) -> Memory:
        """The memory of an id, or of its last 8 characters or more; with `as_of` only if it held then."""
        return self.engine.get(self.scope, _id(id), *_times(as_of, known_at))

    def list(
        self,
        *,
        limit: int = 50,
        cursor: str | None = None,
        as_of: object = None,
        known_at: object = None,
        **filters: Any,
    ) -> MemoryPage:
        """Memories newest first, a page at a time. Filters as for `recall`, and domains, session and status (active,
        archived, forgotten, quarantined)."""
        return self.engine.list(
            self.scope,
            wire.listing_filter(**filters),
            wire.whole(limit, "limit"),
            wire.optional_text(cursor, "cursor"),
            *_times(as_of, known_at),
        )

    def history(self, name: str, *, as_of: object = None, known_at: object = None) -> MemoryHistory | EntityHistory:
        """The story a memory belongs to, or the states of an entity."""
        return self.engine.history(self.scope, wire.text_of(name, "name"), *_times(as_of, known_at))

    def trace_evolution(self, topic: str, *, as_of: object = None, known_at: object = None) -> Trace:
        """From the latest decision on a topic back: what it superseded, what it relates to, what came of each."""
        return self.engine.trace_evolution(self.scope, wire.text_of(topic, "topic"), *_times(as_of, known_at))

    def trace_impact(self, id: str, *, as_of: object = None, known_at: object = None) -> Trace:
        """What followed from a memory within a week: what implemented it, what came of it, what was done next."""
        return self.engine.trace_impact(self.scope, _id(id), *_times(as_of, known_at))

    def trace_context(self, query: str, id: str, *, as_of: object = None, known_at: object = None) -> Trace:
        """What is like a question, and first of it what is linked to a memory."""
        asked = wire.text_of(query, "query")
        return self.engine.trace_context(self.scope, asked, _id(id), *_times(as_of, known_at))

    # Keeping the store

    def audit(self) -> Audit:
        """Whether everything that must hold does."""
        return self.engine.audit(self.scope)

    def fixup_memory_graph(self, *, apply: bool = False) -> GraphDiff:
        """Hold the stored relations against what the documents declare; with `apply`, make them so."""
        return self.engine.fixup_memory_graph(self.scope, apply=apply)

    def prune(self, *, dry_run: bool = False) -> int:
        """Close automatic links that have faded and through which nothing was used; returns how many."""
        return self.engine.prune(self.scope, dry_run=dry_run)

    def export(
        self,
        path: str | Path,
        *,
        everything: bool = False,
        vectors: bool = True,
        events: bool = True,
        progress: Progress | None = None,
    ) -> ExportReport:
        """Write what you may see (with `everything`, what all agents of the project wrote) to a file, as JSON Lines.

        The file appears when it is whole."""
        return export_to(self, _path(path), everything=everything, vectors=vectors, events=events, progress=progress)

    def import_(self, path: str | Path, *, progress: Progress | None = None) -> ImportReport:
        """Read an export into the project, as an administrator: authors and times are kept as they were."""
        return import_from(self, _path(path), progress)

    @property
    def admin(self) -> Admin:
        """Tenants, projects, agents, groups and tokens."""
        return self.engine.admin

    def stats(self) -> Stats:
        """Counts of what is stored."""
        return self.engine.stats(self.scope)

    def health(self) -> Health:
        """What works and what does not."""
        return self.engine.health(self.scope)

    def reembed(self, *, anew: bool = False, progress: Progress | None = None) -> int:
        """Make the vectors that are missing and search by the configured model."""
        return self.engine.reembed(self.scope, anew=anew, progress=progress)

    def close(self) -> None:
        """Release the store."""
        self.engine.close()

    def __enter__(self) -> Trigraph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _id(name: object) -> str:
    return wire.text_of(name, "id")


def _path(value: object) -> Path:
    if not isinstance(value, str | Path) or "\0" in str(value):
        raise InvalidInput("A file is named by its path.", field="path", fix="Give a path.")
    return Path(value)


def _without(fields: Mapping[str, Any], verb: str, *names: str) -> None:
    for name in names:
        if name in fields:
            raise InvalidInput(f"{verb} takes no {name}.", field=name, fix="Leave it out.")


def _times(as_of: object, known_at: object) -> tuple[datetime | None, datetime | None]:
    return wire.optional_time(as_of, "as_of"), wire.optional_time(known_at, "known_at")


def open(home: str | Path | None = None, *, in_memory: bool = False) -> Trigraph:
    """Memory on the embedded store in `home`, by default the user's own; settings apply."""
    loaded = load_settings({"home": str(home) if home is not None else None})
    for warning in loaded.warnings:
        warnings.warn(warning, stacklevel=2)
    settings = loaded.settings
    return Trigraph(open_engine(settings, in_memory=in_memory), scope_of(settings))
