"""A month of four agents, simulated: what they asked, what was shown and what they said of it, with its own record.

Planted: a hit rate for each class of query, a gain of the graph leg, and a week in which nobody asked anything.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.engine.engine import Engine
from trigraph.model.change import CitationKind
from trigraph.model.events import CandidateRecord, RecallEvent
from trigraph.model.ids import new_id
from trigraph.model.memory import MemoryDraft
from trigraph.model.query import Leg, QueryClass
from trigraph.model.recall import LegReport, LegStatus
from trigraph.model.revision import Use
from trigraph.model.scope import Scope
from trigraph.settings import EmbedderSettings, Settings

AGENTS = ("anna", "bert", "cleo", "dora")
FIRST = datetime(2026, 6, 1, tzinfo=UTC)  # a Monday
DAYS = 28
SILENT = range(14, 21)
RATES = {
    QueryClass.HISTORICAL: 0.8,
    QueryClass.ARCHITECTURAL: 0.6,
    QueryClass.CURRENT_STATE: 0.3,
    QueryClass.DECISION: 0.5,
    QueryClass.OTHER: 0.2,
}
WEIGHTS = {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0, Leg.GRAPH: 6.0, Leg.TEMPORAL: 0.3}
SHOWN = 10
PAYLOAD = 800


@dataclass
class Asked:
    """One recall, as the simulation knows it. `scores` are those of each leg, by memory."""

    recall_id: str
    day: int
    agent: str
    query_class: QueryClass
    said: dict[str, CitationKind]
    scores: dict[Leg, dict[str, float]]
    graph_found: bool
    shown: tuple[str, ...]


@dataclass
class Month:
    """The engine that lived through it, and what happened."""

    engine: Engine
    clock: SettableClock
    memories: list[str]
    asked: list[Asked] = field(default_factory=list)

    def scope(self, agent: str) -> Scope:
        return Scope("default", "default", agent)


def live(settings: Settings | None = None, *, in_memory: bool = True) -> Month:
    """Live through the month. Recalls are put into the store as the engine would have written them."""
    clock = SettableClock(FIRST - timedelta(days=60))
    none = settings or Settings(embedder=EmbedderSettings(kind="none"))
    engine = open_engine(none, in_memory=in_memory, clock=clock)
    month = Month(engine, clock, [])
    for agent in AGENTS:
        engine.admin.set_agent("default", "default", agent)
    for number in range(40):
        scope = month.scope(AGENTS[number % 4])
        report = engine.remember(scope, MemoryDraft(text=f"Lamp {number} on the pier has the number {number * 7}"))
        month.memories.append(str(report.id))
    dice = random.Random(7)
    for day in range(DAYS):
        for agent in AGENTS if day not in SILENT else ():
            for query_class in QueryClass:
                clock.time = FIRST + timedelta(days=day, hours=8, minutes=len(month.asked) % 600)
                ask(month, dice, day, agent, query_class)
    clock.time = FIRST + timedelta(days=DAYS, hours=12)
    return month


def ask(month: Month, dice: random.Random, day: int, agent: str, query_class: QueryClass) -> None:
    """An agent asks, now, and says what became of it, or nothing."""
    found = dice.sample(month.memories, 20)
    useful = found[dice.randrange(3, 9)]
    by_graph = dice.random() < 0.5
    scores = {leg: {id_: round(dice.random(), 6) for id_ in found} for leg in WEIGHTS if leg is not Leg.GRAPH}
    scores[Leg.GRAPH] = {useful: 0.9} if by_graph else {}
    shown = (useful, *(id_ for id_ in found if id_ != useful))[:SHOWN] if dice.random() > 0.05 else ()
    recall_id = new_id("r", month.clock())
    _keep(month, recall_id, agent, query_class, day, found, scores, shown)
    said: dict[str, CitationKind] = {}
    if shown and dice.random() < RATES[query_class]:
        said[useful] = dice.choice((CitationKind.CITED, CitationKind.SAVED_REWORK, CitationKind.REWROTE))
    elif shown and dice.random() < 0.5:
        said[shown[1]] = dice.choice((CitationKind.DISMISSED, CitationKind.FLAGGED_STALE))
    if said:
        uses = [Use(id_, kind) for id_, kind in said.items()]
        month.engine.cite(month.scope(agent), recall_id, uses)
    month.asked.append(Asked(recall_id, day, agent, query_class, said, scores, by_graph, shown))


def _keep(
    month: Month,
    recall_id: str,
    agent: str,
    query_class: QueryClass,
    day: int,
    found: list[str],
    scores: dict[Leg, dict[str, float]],
    shown: tuple[str, ...],
) -> None:
    reached = len(scores[Leg.GRAPH])
    reports = (
        LegReport(Leg.VECTOR, LegStatus.OK, 20, 1.0),
        LegReport(Leg.LEXICAL, LegStatus.OK, 20, 1.0),
        LegReport(Leg.GRAPH, LegStatus.OK if reached else LegStatus.NOT_APPLICABLE, reached, 1.0),
        LegReport(Leg.TEMPORAL, LegStatus.SLOW if day == 0 else LegStatus.OK, 20, 1.0),
    )
    candidates = tuple(
        CandidateRecord(
            id_, 0, ("vector", "lexical"), {leg: of_leg[id_] for leg, of_leg in scores.items() if id_ in of_leg}
        )
        for id_ in found
    )
    event = RecallEvent(
        recall_id=recall_id,
        tenant="default",
        project="default",
        agent=agent,
        session=f"{agent}-{day}",
        query="where are the lamps?",
        query_class=query_class,
        profile="default",
        fusion="score",
        result_count=len(shown),
        result_ids=shown,
        top_n_selected=len(shown),
        payload_bytes=PAYLOAD,
        exact_ids=(),
        weights=WEIGHTS,
        candidates=candidates,
        legs=reports,
        milliseconds=12.0,
        at=month.clock(),
    )
    month.engine._parts.store.events.add(month.scope(agent), event)
