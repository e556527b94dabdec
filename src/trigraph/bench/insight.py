"""What insight costs over many memories and recalls: milliseconds and statements of each panel, beside a bare count.

The recalls are made from a seed and put into the store as the engine would have written them, with candidates on four
legs; of every third something is said. The floor is a COUNT over the index of the same recalls.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw

from trigraph.assembly import open_engine
from trigraph.bench.measures import percentile
from trigraph.bench.pages import page_times, pages_table
from trigraph.bench.report import table
from trigraph.bench.straight import remember_straight
from trigraph.engine.engine import Engine
from trigraph.model.change import Citation, CitationKind
from trigraph.model.events import CandidateRecord, RecallEvent
from trigraph.model.ids import new_id
from trigraph.model.insight import InsightQuery, Panel
from trigraph.model.query import Leg, QueryClass
from trigraph.model.recall import LegReport, LegStatus
from trigraph.model.scope import DEFAULT_NAME, Scope
from trigraph.settings import EmbedderSettings, Settings

CANDIDATES = 60
SHOWN = 10
SAID_EVERY = 3
DAYS = 30
ROUNDS = 3
BATCH = 500
AGENTS = (DEFAULT_NAME, "builder", "reviewer", "operator")
_FLOOR = "SELECT count(*) FROM recall_figure WHERE project = ? AND at >= ? AND at < ?"
_WEIGHTS = {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0, Leg.GRAPH: 1.0, Leg.TEMPORAL: 0.2}


def run(
    *,
    events: int,
    memories: int,
    seed: int,
    page: bool = False,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Make so many memories and recalls of them in a store of their own, then ask for every panel of all agents of the
    project; with `page` also for the pages that show them."""
    statements: list[str] = []

    def watch(connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: statements.append(str(event["sql"])))

    until = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    since = until - timedelta(days=DAYS)
    settings = EmbedderSettings(kind="none")
    apsw.connection_hooks.append(watch)
    try:
        with tempfile.TemporaryDirectory() as home, open_engine(Settings(home=home, embedder=settings)) as engine:
            scope = Scope(DEFAULT_NAME, DEFAULT_NAME, DEFAULT_NAME)
            started = time.perf_counter()
            said = fill(engine, scope, memories, events, seed, since)
            note(f"{memories} memories, {events} recalls, {said} citations in {time.perf_counter() - started:.0f} s")
            whole = InsightQuery(since, until)
            rows = {"all panels": _asked(engine, scope, whole, statements)}
            for panel in Panel:
                asked = InsightQuery(since, until, panels=(panel,))
                rows[panel.value] = _asked(engine, scope, asked, statements)
            pages = page_times(Settings(home=home, embedder=settings), Path(home)) if page else None
            floor = _floor(Path(home) / f"{DEFAULT_NAME}.events.db", since, until)
    finally:
        apsw.connection_hooks.remove(watch)
    return {
        "memories": memories,
        "events": events,
        "citations": said,
        "days": DAYS,
        "floor_ms": floor,
        "panels": rows,
        **({"pages": pages} if pages is not None else {}),
    }


def insight_table(found: dict[str, Any]) -> str:
    """A row a panel."""
    rows = [[name, one["p50_ms"], one["statements"]] for name, one in found["panels"].items()]
    rows.append(["floor: COUNT over the index", found["floor_ms"], 1])
    counted = ", ".join(f"{found[name]:,} {name}" for name in ("memories", "events", "citations"))
    head = f"{counted} in {found['days']} days"
    shown = (pages_table(found["pages"]),) if "pages" in found else ()
    return "\n".join((head, table(("insight", "p50 ms", "statements"), rows), *shown))


def fill(engine: Engine, scope: Scope, memories: int, events: int, seed: int, since: datetime) -> int:
    """Put memories into a store, recalls of a month, and what was said of them; returns how many citations that is."""
    dice, store = random.Random(seed), engine._parts.store
    ids = list(remember_straight(engine, scope, memories, dice))
    step = timedelta(days=DAYS) / events
    said: list[tuple[Scope, Citation]] = []
    for number in range(events):
        own = Scope(scope.tenant, scope.project, AGENTS[number % len(AGENTS)])
        event = _event(dice, own, ids, since + number * step)
        store.events.add(own, event)
        if number % SAID_EVERY == 0:
            kind = dice.choice(list(CitationKind))
            used = dice.choice(event.result_ids)
            said.append((own, Citation(used, kind, event.recall_id, event.session, own.agent, None, event.at)))
    for start in range(0, len(said), BATCH):
        with store.transaction(scope, datetime.now(UTC)):
            for own, citation in said[start : start + BATCH]:
                store.uses.cite(own, citation)
    return len(said)


def _event(dice: random.Random, scope: Scope, memories: Sequence[str], at: datetime) -> RecallEvent:
    found = dice.sample(memories, CANDIDATES)
    candidates = tuple(
        CandidateRecord(
            id_,
            0,
            ("vector", "lexical"),
            {leg: round(dice.random(), 6) for leg in Leg if leg is not Leg.GRAPH or dice.random() < 0.1},
        )
        for id_ in found
    )
    return RecallEvent(
        recall_id=new_id("r", at),
        tenant=scope.tenant,
        project=scope.project,
        agent=scope.agent,
        session=f"{scope.agent}-{at:%j}",
        query="which lamp has which number?",
        query_class=dice.choice(list(QueryClass)),
        profile="default",
        fusion="score",
        result_count=SHOWN,
        result_ids=tuple(found[:SHOWN]),
        top_n_selected=SHOWN,
        payload_bytes=dice.randrange(500, 4000),
        exact_ids=(),
        weights=_WEIGHTS,
        candidates=candidates,
        legs=tuple(LegReport(leg, LegStatus.OK, CANDIDATES, 1.0) for leg in Leg),
        milliseconds=20.0,
        at=at,
    )


def _asked(engine: Engine, scope: Scope, asked: InsightQuery, statements: list[str]) -> dict[str, float]:
    """The median of a few rounds, after one that is not counted, and how many statements one takes."""
    engine.project_insight(scope, asked)
    times = []
    for _ in range(ROUNDS):
        statements.clear()
        started = time.perf_counter()
        engine.project_insight(scope, asked)
        times.append(1000 * (time.perf_counter() - started))
    return {"p50_ms": round(percentile(times, 0.5), 1), "statements": len(statements)}


def _floor(path: Path, since: datetime, until: datetime) -> float:
    spanned = (DEFAULT_NAME, int(since.timestamp() * 1e6), int(until.timestamp() * 1e6))
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        times = []
        for _ in range(ROUNDS + 1):
            started = time.perf_counter()
            connection.execute(_FLOOR, spanned).fetchall()
            times.append(1000 * (time.perf_counter() - started))
    return round(percentile(times[1:], 0.5), 2)
