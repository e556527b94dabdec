"""Verbs of the ledger, for the library: deep references, what was used together, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from trigraph.engine.engine import Engine
from trigraph.errors import InvalidInput
from trigraph.faces import wire
from trigraph.faces.frontier import FrontierVerbs
from trigraph.model.change import Changed
from trigraph.model.composed_graph import ComposedGraph, LedgerAction
from trigraph.model.composition import (
    Companion,
    Composed,
    CompositionEvent,
    CompositionStatus,
    Labelled,
    OutcomeLabel,
    Role,
)
from trigraph.model.reference import DeepReference
from trigraph.model.scope import Scope

LIMIT = 10


class CompositionVerbs(FrontierVerbs):
    """What was used together, for which question, and what came of it."""

    engine: Engine
    scope: Scope

    def deep_reference(self, query: str, *, depth: int = 20, session: str | None = None) -> DeepReference:
        """Answer a question from the evidence that a recall and the graph bring: the memory to go by, what it replaced,
        what disagrees, how sure that is, and the reasoning in plain words. What was used is kept as a composition."""
        text, deep = wire.text_of(query, "query"), wire.whole(depth, "depth")
        return self.engine.deep_reference(self.scope, text, deep, wire.optional_text(session, "session"))

    def compose(
        self,
        members: Iterable[str | Mapping[str, Any]],
        *,
        query: str = "",
        tool: str = "compose",
        mode: str = "manual",
        output: str = "",
        confidence: float | None = None,
        status: str | None = None,
        idempotency_key: str | None = None,
    ) -> Changed:
        """Keep that memories were used together. `members` are ids, or objects with id and role (primary, supporting,
        contradicting, superseded); of plain ids the first is primary and the others supporting. `output` is what was
        made of them, of which the beginning is kept."""
        composed = Composed(
            members=_members(members),
            query=wire.text_of(query, "query"),
            tool=wire.text_of(tool, "tool"),
            mode=wire.text_of(mode, "mode"),
            output=wire.text_of(output, "output"),
            confidence=None if confidence is None else wire.number_of(confidence, "confidence"),
            status=None if status is None else wire.choice(CompositionStatus, status, "status"),
        )
        return self.engine.compose(self.scope, composed, idempotency_key)

    def label(
        self,
        id: str,
        label: str,
        *,
        notes: str | None = None,
        source: str = "user",
        confidence_delta: float = 0.0,
        idempotency_key: str | None = None,
    ) -> Labelled:
        """Say what came of a composition, with one of fifteen labels; the answer says what to look at next."""
        return self.engine.label(
            self.scope,
            wire.text_of(id, "id"),
            wire.choice(OutcomeLabel, label, "label"),
            source=wire.text_of(source, "source"),
            confidence_delta=wire.number_of(confidence_delta, "confidence_delta"),
            notes=wire.optional_text(notes, "notes"),
            key=idempotency_key,
        )

    def composition(self, id: str, *, known_at: str | datetime | None = None) -> CompositionEvent:
        """One composition, with those of its members and outcomes that you may see."""
        return self.engine.composition(self.scope, wire.text_of(id, "id"), wire.optional_time(known_at, "known_at"))

    def compositions(
        self, *, limit: int = LIMIT, tags: str | Iterable[str] = (), known_at: str | datetime | None = None
    ) -> list[CompositionEvent]:
        """The latest compositions, or those with all of some tags on their members."""
        asked = wire.optional_time(known_at, "known_at")
        return self.engine.compositions(self.scope, wire.whole(limit, "limit"), wire.strings(tags, "tags"), asked)

    def compositions_of(
        self, id: str, *, limit: int = LIMIT, known_at: str | datetime | None = None
    ) -> list[CompositionEvent]:
        """The compositions that a memory took part in, whatever became of it."""
        asked = wire.optional_time(known_at, "known_at")
        return self.engine.compositions_of(self.scope, wire.text_of(id, "id"), wire.whole(limit, "limit"), asked)

    def companions(self, id: str, *, limit: int = LIMIT, known_at: str | datetime | None = None) -> list[Companion]:
        """The memories that were used together with one, the most often first, with what came of it."""
        asked = wire.optional_time(known_at, "known_at")
        return self.engine.companions(self.scope, wire.text_of(id, "id"), wire.whole(limit, "limit"), asked)

    def composed_graph(
        self,
        action: str,
        *,
        event_id: str | None = None,
        memory_id: str | None = None,
        tags: str | Iterable[str] = (),
        limit: int = LIMIT,
        outcome_type: str | None = None,
        notes: str | None = None,
        known_at: str | datetime | None = None,
    ) -> ComposedGraph:
        """The one door to the ledger. Actions: recent, get (event_id), memory and neighbors (memory_id),
        never_composed (around memory_id, if given) and bounty_mode, label (event_id, outcome_type, notes)."""
        given = {
            "event_id": event_id,
            "memory_id": memory_id,
            "tags": tags,
            "limit": limit,
            "outcome_type": outcome_type,
            "notes": notes,
            "known_at": known_at,
        }
        chosen = wire.choice(LedgerAction, action, "action")
        return ACTIONS[chosen](self, _Given(chosen, given))


class _Given:
    """What an action was called with."""

    def __init__(self, action: LedgerAction, values: Mapping[str, Any]) -> None:
        self.action = action
        self._values = values

    def need(self, name: str) -> Any:
        """What the action cannot do without."""
        if self._values[name] is None:
            raise InvalidInput(f"{name} is missing.", field=name, fix=f"{self.action} needs it.")
        return self._values[name]

    def some(self, *names: str) -> dict[str, Any]:
        """These, by name."""
        return {name: self._values[name] for name in names}


Action = Callable[[CompositionVerbs, _Given], ComposedGraph]


def _recent(memory: CompositionVerbs, given: _Given) -> ComposedGraph:
    events = memory.compositions(**given.some("limit", "tags", "known_at"))
    return ComposedGraph(given.action, events=tuple(events))


def _get(memory: CompositionVerbs, given: _Given) -> ComposedGraph:
    event = memory.composition(given.need("event_id"), **given.some("known_at"))
    return ComposedGraph(given.action, events=(event,))


def _memory(memory: CompositionVerbs, given: _Given) -> ComposedGraph:
    events = memory.compositions_of(given.need("memory_id"), **given.some("limit", "known_at"))
    return ComposedGraph(given.action, events=tuple(events))


def _neighbors(memory: CompositionVerbs, given: _Given) -> ComposedGraph:
    found = memory.companions(given.need("memory_id"), **given.some("limit", "known_at"))
    return ComposedGraph(given.action, companions=tuple(found))


def _never_composed(memory: CompositionVerbs, given: _Given) -> ComposedGraph:
    around = given.some("memory_id")["memory_id"]
    found = memory.never_composed(**given.some("limit", "tags", "known_at"), around=() if around is None else [around])
    return ComposedGraph(given.action, frontier=found)


def _bounty_mode(memory: CompositionVerbs, given: _Given) -> ComposedGraph:
    return ComposedGraph(given.action, bounty=memory.bounty_mode(**given.some("limit", "tags", "known_at")))


def _label(memory: CompositionVerbs, given: _Given) -> ComposedGraph:
    event, label = given.need("event_id"), given.need("outcome_type")
    return ComposedGraph(given.action, labelled=memory.label(event, label, **given.some("notes")))


ACTIONS: Mapping[LedgerAction, Action] = MappingProxyType(
    {
        LedgerAction.RECENT: _recent,
        LedgerAction.GET: _get,
        LedgerAction.MEMORY: _memory,
        LedgerAction.NEIGHBORS: _neighbors,
        LedgerAction.NEVER_COMPOSED: _never_composed,
        LedgerAction.BOUNTY_MODE: _bounty_mode,
        LedgerAction.LABEL: _label,
    }
)
"""What the one door does: an action that is added here and to `LedgerAction` is there in every face."""


def _members(given: object) -> tuple[tuple[str, Role], ...]:
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise InvalidInput("members must be a list.", field="members", fix='Write it like [{"id": "m_…"}].')
    found = []
    for place, one in enumerate(given):
        values = {"id": one} if isinstance(one, str) else one
        if not isinstance(values, Mapping) or not set(values) <= {"id", "role"} or "id" not in values:
            raise InvalidInput(
                f"Member {place + 1} is neither an id nor an object with id and role.",
                field="members",
                fix='Write it like {"id": "m_…", "role": "supporting"}.',
            )
        role = values.get("role") or (Role.SUPPORTING if place else Role.PRIMARY)
        found.append((wire.text_of(values["id"], "members"), wire.choice(Role, role, "role")))
    return tuple(found)
