"""How long the frontier takes in a large store with many compositions.

The store is written straight, without the verbs; vectors are made of words alone.
"""

from __future__ import annotations

import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from trigraph.assembly import open_engine, scope_of
from trigraph.bench.hashed import HashedEmbedder
from trigraph.bench.measures import latency
from trigraph.bench.straight import remember_straight
from trigraph.contracts import Store
from trigraph.engine.engine import Engine
from trigraph.model.composition import (
    COMPOSITION_PREFIX,
    CompositionEvent,
    CompositionOutcome,
    Member,
    OutcomeLabel,
    Role,
)
from trigraph.model.frontier import FrontierQuery
from trigraph.model.ids import new_id
from trigraph.model.scope import Scope
from trigraph.settings import Settings

SHARE_LABELLED = 0.4
KILOBYTES = 1024


def run(
    settings: Settings,
    *,
    memories: int,
    events: int,
    asked: int,
    seed: int,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Make a store of that size and ask it: for pairs, for triples, around a memory, and for bounties."""
    scope = scope_of(settings)
    with tempfile.TemporaryDirectory() as home, open_engine(Settings(home=home), embedder=HashedEmbedder()) as engine:
        started = time.perf_counter()
        ids = _fill(engine, scope, memories, events, seed)
        note(f"{len(ids)} memories and {events} compositions in {time.perf_counter() - started:.0f} s")
        chance = random.Random(seed + 1)
        before = _resident_megabytes()
        questions: dict[str, Callable[[], object]] = {
            "never_composed": lambda: engine.never_composed(scope, FrontierQuery()),
            "never_composed, triples": lambda: engine.never_composed(scope, FrontierQuery(size=3)),
            "never_composed around one": lambda: engine.never_composed(
                scope, FrontierQuery(around=(chance.choice(ids),))
            ),
            "bounty_mode": lambda: engine.bounty_mode(scope, FrontierQuery()),
        }
        first = {name: _milliseconds(ask)[0] for name, ask in questions.items()}
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in questions}
        for _ in range(asked):
            for name, ask in questions.items():
                times[name].append(_milliseconds(ask))
        bounds = engine.never_composed(scope, FrontierQuery()).bounds
        grown = _resident_megabytes() - before
    return {
        "memories": len(ids),
        "events": events,
        "asked": asked,
        "milliseconds": {name: _figures(first[name], of_one) for name, of_one in times.items()},
        "bounds": {
            "seeds": bounds.seeds,
            "pairs_looked_at": bounds.pairs_looked_at,
            "pairs_scored": bounds.pairs_scored,
        },
        "peak_megabytes_more": grown,
    }


def _milliseconds(ask: Callable[[], object]) -> tuple[float, float]:
    """How long it took, and how long the processor was busy with it: on a machine that others use, the first says more
    of them."""
    started, busy = time.perf_counter(), time.process_time()
    ask()
    return (time.perf_counter() - started) * 1000, (time.process_time() - busy) * 1000


def _figures(first: float, times: Sequence[tuple[float, float]]) -> dict[str, float]:
    busy = latency([processor for _, processor in times])
    return {
        "first_ms": round(first, 1),
        **latency([wall for wall, _ in times]),
        "processor_p50_ms": busy["p50_ms"],
        "processor_p95_ms": busy["p95_ms"],
    }


def _resident_megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // KILOBYTES


def _fill(engine: Engine, scope: Scope, memories: int, events: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    tags_of = remember_straight(engine, scope, memories, chance, HashedEmbedder())
    for event in _events(chance, list(tags_of), events):
        _compose(engine._parts.store, scope, event, tags_of, chance, engine.now(scope))
    return list(tags_of)


def _events(chance: random.Random, ids: Sequence[str], events: int) -> Iterator[list[str]]:
    """Some memories are used often, most never."""
    used = chance.sample(ids, max(len(ids) // 5, 4))
    for _ in range(events):
        size = chance.choice((2, 3, 3, 4, 6))
        yield [used[min(int(chance.expovariate(4 / len(used))), len(used) - 1)] for _ in range(size)]


def _compose(
    store: Store,
    scope: Scope,
    members: Sequence[str],
    tags_of: dict[str, tuple[str, ...]],
    chance: random.Random,
    now: datetime,
) -> None:
    with store.transaction(scope, now) as at:
        event = CompositionEvent(
            id=new_id(COMPOSITION_PREFIX, at),
            project=scope.project,
            author=scope.agent,
            at=at,
            tool="bench",
            mode="made",
            query="what belongs together?",
            query_hash="",
            members=tuple(
                Member(id_, Role.SUPPORTING, rank, tags=tags_of[id_])
                for rank, id_ in enumerate(dict.fromkeys(members), start=1)
            ),
        )
        store.compositions.add(scope, event)
        if chance.random() < SHARE_LABELLED:
            told = CompositionOutcome(chance.choice(list(OutcomeLabel)), "bench", scope.agent, at)
            store.compositions.label(scope, event.id, told)
