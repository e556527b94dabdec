"""The frontier: does it find what belongs together and never met, and how long does that take.

Planted: two memories joined by a word or two, hidden in a store of thousands; at which place they come. Held out: the
compositions of a simulated history after a time, against pairs as much used and two steps apart that were never
composed; beside simple scores. Nothing that the code under test reads tells which pairs these are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import combinations
from typing import Any

import numpy as np

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench.frontier_data import START, STEP, Composed, Made, World
from trigraph.bench.measures import averages, measures
from trigraph.bench.telling_apart import beside
from trigraph.contracts import Embedder
from trigraph.engine.engine import Engine
from trigraph.faces import wire
from trigraph.model.composition import (
    COMPOSITION_PREFIX,
    CompositionEvent,
    CompositionOutcome,
    Member,
    OutcomeLabel,
    Role,
)
from trigraph.model.frontier import CANDIDATES_MOST, FrontierQuery
from trigraph.model.ids import new_id
from trigraph.model.scope import Scope
from trigraph.settings import Settings
from trigraph.text.terms import analyse

PLANTED = 40
BATCH = 500
SHARE_BEFORE = 0.7
NEGATIVES = 5
OURS = "frontier"

Note = Callable[[str], None]
Pair = tuple[int, int]


class _Clock:
    """The time of the simulation."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@contextmanager
def _store(settings: Settings, embedder: Embedder | None) -> Iterator[tuple[Engine, Scope, _Clock, Embedder]]:
    clock = _Clock()
    used = embedder or embedder_loader(settings.embedder)()
    with open_engine(settings, in_memory=True, clock=clock, embedder=used) as engine:
        yield engine, scope_of(settings), clock, used


def planted(
    settings: Settings, *, memories: int, seed: int, embedder: Embedder | None = None, note: Note = lambda line: None
) -> dict[str, Any]:
    """Where hidden pairs come: asked around one of them, and asked for the best of the whole store."""
    with _store(settings, embedder) as (engine, scope, clock, used):
        world = World(seed, memories)
        items = [made.item for made in world.make()]
        hidden: list[tuple[int, int]] = []
        for _ in range(PLANTED):
            places = sorted(world.chance.sample(range(len(items)), 2))
            hidden.append((places[0], places[1]))
            items[places[0]], items[places[1]] = world.planted()
        hidden = [pair for pair in hidden if sum(set(pair) & set(other) != set() for other in hidden) == 1]
        ids = _remember(engine, scope, clock, items, note)
        around, rivals = [], _Rivals([item["text"] for item in items], [item["tags"] for item in items], used, seed)
        others: dict[str, list[dict[str, float]]] = {name: [] for name in rivals.names}
        for one, other in hidden:
            found = engine.never_composed(scope, FrontierQuery(limit=CANDIDATES_MOST, around=(ids[one],)))
            ranked = [id_ for candidate in found.candidates for id_ in candidate.member_ids if id_ != ids[one]]
            around.append(measures(ranked, {ids[other]}))
            for name in rivals.names:
                others[name].append(measures(rivals.ranked(name, one), {str(other)}))
        whole = engine.never_composed(scope, FrontierQuery(limit=CANDIDATES_MOST, seeds=min(len(items), 5_000)))
        places_of = {frozenset(one.member_ids): place for place, one in enumerate(whole.candidates, start=1)}
        ranks = [places_of.get(frozenset((ids[one], ids[other]))) for one, other in hidden]
    shown = ("n", "MRR", "any@1", "any@10", "any@50")
    return {
        "memories": len(items),
        "seed": seed,
        "around_one_of_them": {
            name: {measure: value for measure, value in averages(rows).items() if measure in shown}
            for name, rows in {OURS: around, **others}.items()
        },
        "whole_store": {
            "hidden": len(hidden),
            "pairs_possible": len(items) * (len(items) - 1) // 2,
            "within_first": {
                cut: sum(rank is not None and rank <= cut for rank in ranks) for cut in (10, 40, 100, 500)
            },
            "pairs_looked_at": whole.bounds.pairs_looked_at,
        },
    }


class _Rivals:
    """Simple ways of ranking what may belong to a memory, from its text and tags alone."""

    names = ("cosine", "shared tags", "shared words", "random")

    def __init__(self, texts: Sequence[str], tags: Sequence[Iterable[str]], embedder: Embedder, seed: int) -> None:
        self._vectors = np.concatenate(
            [embedder.embed_documents(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        )
        self._terms = [frozenset(analyse(text)) for text in texts]
        self._tags = [frozenset(of_one) for of_one in tags]
        self._dice = np.random.default_rng(seed)

    def score(self, name: str, one: int, other: int) -> float:
        match name:
            case "cosine":
                return float(self._vectors[one] @ self._vectors[other])
            case "shared tags":
                return float(len(self._tags[one] & self._tags[other]))
            case "shared words":
                return float(len(self._terms[one] & self._terms[other]))
            case _:
                return float(self._dice.random())

    def ranked(self, name: str, one: int) -> list[str]:
        """All others, the best first; equal ones in an order of chance."""
        others = [other for other in range(len(self._terms)) if other != one]
        noise = self._dice.random(len(others))
        scores = np.array([self.score(name, one, other) for other in others])
        return [str(others[place]) for place in np.lexsort((noise, -scores))[:50]]


def held_out(
    settings: Settings,
    *,
    memories: int,
    events: int,
    seed: int,
    embedder: Embedder | None = None,
    note: Note = lambda line: None,
) -> dict[str, Any]:
    """Pairs and triples that were first composed after a time, told from others by what was known then."""
    with _store(settings, embedder) as (engine, scope, clock, used):
        world = World(seed, memories)
        made = world.make()
        ids = _remember(engine, scope, clock, [one.item for one in made], note)
        history = list(world.history(made, events))
        until = history[int(len(history) * SHARE_BEFORE)].at
        _compose(engine, scope, clock, [one for one in history if one.at < until], ids, made)
        clock.now = until
        before = [one for one in history if one.at < until]
        after = [one for one in history if one.at >= until]
        known = _Known(before, made, used, seed)
        pairs, true = _pairs_to_tell(known, before, after, world)
        scores = _scores_of(engine, scope, until, ids, pairs)
        told = beside(
            {OURS: [scores.get(_ids(ids, pair), 0.0) for pair in pairs]} | known.scores(pairs),
            true,
            [str(pair[0]) for pair in pairs],
            OURS,
            seed,
        )
        triples, triple_true = _triples_to_tell(known, before, after, world)
        edges = {pair for triple in triples for pair in combinations(triple, 2)}
        edge_scores = _scores_of(engine, scope, until, ids, edges)
        told_triples = beside(
            {
                OURS: [
                    _harmonic([edge_scores.get(_ids(ids, pair), 0.0) for pair in combinations(one, 2)])
                    for one in triples
                ]
            }
            | known.triple_scores(triples),
            triple_true,
            [str(one[0]) for one in triples],
            OURS,
            seed,
        )
    return {
        "memories": len(made),
        "events": len(history),
        "seed": seed,
        "pairs": {"true": sum(true), "others": len(true) - sum(true), "scores": told},
        "triples": {"true": sum(triple_true), "others": len(triple_true) - sum(triple_true), "scores": told_triples},
    }


class _Known:
    """What was known at the time, and simple scores by it."""

    def __init__(self, before: Sequence[Composed], made: Sequence[Made], embedder: Embedder, seed: int) -> None:
        texts, tags = [one.item["text"] for one in made], [one.item["tags"] for one in made]
        self.rivals = _Rivals(texts, tags, embedder, seed)
        self.uses = [0] * len(made)
        self.met: list[set[int]] = [set() for _ in made]
        for event in before:
            for member in event.members:
                self.uses[member] += 1
                self.met[member].update(set(event.members) - {member})
        self.holding: dict[str, set[int]] = {}
        for number, one in enumerate(made):
            for key in (*analyse(one.item["text"]), *(f"#{tag}" for tag in one.item["tags"])):
                self.holding.setdefault(key, set()).add(number)
        self.keys: list[list[str]] = [[] for _ in made]
        for key, numbers in self.holding.items():
            for number in numbers:
                self.keys[number].append(key)

    def two_steps_from(self, one: int) -> set[int]:
        """What shares a word, a tag or a companion with it."""
        through_words = {other for key in self.keys[one] for other in self.holding[key]}
        through_companions = {other for companion in self.met[one] for other in self.met[companion]}
        return (through_words | through_companions) - {one} - self.met[one]

    def score(self, name: str, one: int, other: int) -> float:
        match name:
            case "common neighbours":
                return float(len(self.met[one] & self.met[other]))
            case "popularity product":
                return float(self.uses[one] * self.uses[other])
            case _:
                return self.rivals.score(name, one, other)

    names = ("cosine", "shared tags", "shared words", "common neighbours", "popularity product", "random")

    def scores(self, pairs: Sequence[Pair]) -> dict[str, list[float]]:
        return {name: [self.score(name, *pair) for pair in pairs] for name in self.names}

    def triple_scores(self, triples: Sequence[tuple[int, ...]]) -> dict[str, list[float]]:
        """The harmonic mean of the pairs' scores, as ours has it."""
        return {
            name: [_harmonic([self.score(name, *pair) for pair in combinations(one, 2)]) for one in triples]
            for name in self.names
        }


def _pairs_to_tell(
    known: _Known, before: Sequence[Composed], after: Sequence[Composed], world: World
) -> tuple[list[Pair], list[bool]]:
    """Pairs first composed after the time; to each, others of one of its two with memories used as often, two steps
    apart, that nobody ever composed."""
    ever = _together(before) | _together(after)
    pairs: list[Pair] = []
    true: list[bool] = []
    for one, other in sorted(_together(after) - _together(before)):
        pairs.append((one, other))
        true.append(True)
        reachable = [far for far in sorted(known.two_steps_from(one)) if (min(one, far), max(one, far)) not in ever]
        for far in _as_much_used(known, reachable, other, world, NEGATIVES):
            pairs.append((one, far))
            true.append(False)
    return pairs, true


def _triples_to_tell(
    known: _Known, before: Sequence[Composed], after: Sequence[Composed], world: World
) -> tuple[list[tuple[int, ...]], list[bool]]:
    """Triples composed after the time of which no two met before; to each, others with one member exchanged."""
    met, ever = _together(before), _together(before) | _together(after)
    triples: list[tuple[int, ...]] = []
    true: list[bool] = []
    whole = {tuple(sorted(three)) for event in after for three in combinations(event.members, 3)}
    for triple in sorted(whole):
        if any(pair in met for pair in combinations(triple, 2)):
            continue
        triples.append(triple)
        true.append(True)
        kept, gone = triple[:2], triple[2]
        reachable = [
            far
            for far in sorted(known.two_steps_from(kept[0]) & known.two_steps_from(kept[1]))
            if not any((min(one, far), max(one, far)) in ever for one in kept)
        ]
        for far in _as_much_used(known, reachable, gone, world, NEGATIVES):
            triples.append((*kept, far))
            true.append(False)
    return triples, true


def _as_much_used(known: _Known, among: Sequence[int], like: int, world: World, most: int) -> list[int]:
    shuffled = world.chance.sample(list(among), len(among))
    return sorted(shuffled, key=lambda one: abs(known.uses[one] - known.uses[like]))[:most]


def _together(events: Iterable[Composed]) -> set[Pair]:
    return {(min(pair), max(pair)) for event in events for pair in combinations(event.members, 2)}


def _scores_of(
    engine: Engine, scope: Scope, until: datetime, ids: Sequence[str], pairs: Iterable[Pair]
) -> dict[frozenset[str], float]:
    """What the frontier says of pairs, by what was known at the time, asked around the first of each."""
    found: dict[frozenset[str], float] = {}
    for one in sorted({pair[0] for pair in pairs}):
        query = FrontierQuery(limit=CANDIDATES_MOST, around=(ids[one],), known_at=until)
        for candidate in engine.never_composed(scope, query).candidates:
            found[frozenset(candidate.member_ids)] = candidate.score
    return found


def _ids(ids: Sequence[str], pair: Pair) -> frozenset[str]:
    return frozenset((ids[pair[0]], ids[pair[1]]))


def _harmonic(scores: Sequence[float]) -> float:
    return len(scores) / sum(1 / max(score, 1e-6) for score in scores)


def _remember(engine: Engine, scope: Scope, clock: _Clock, items: Sequence[Mapping[str, Any]], note: Note) -> list[str]:
    """Write memories one after the other in simulated time; their ids."""
    ids: list[str] = []
    started = time.perf_counter()
    for start in range(0, len(items), BATCH):
        clock.now = START + STEP * start
        drafts = [wire.memory_draft(dict(item)) for item in items[start : start + BATCH]]
        report = engine.remember_batch(scope, drafts)
        ids += [str(item.id) for item in report.items]
    note(f"{len(ids)} memories in {time.perf_counter() - started:.0f} s")
    return ids


def _compose(
    engine: Engine, scope: Scope, clock: _Clock, events: Sequence[Composed], ids: Sequence[str], made: Sequence[Made]
) -> None:
    """Keep the compositions of the history, each with what came of it."""
    store = engine._parts.store
    for event in events:
        clock.now = event.at
        with store.transaction(scope, event.at) as at:
            kept = CompositionEvent(
                id=new_id(COMPOSITION_PREFIX, at),
                project=scope.project,
                author=scope.agent,
                at=at,
                tool="bench",
                mode="simulated",
                query="",
                query_hash="",
                members=tuple(
                    Member(
                        ids[one],
                        Role.SUPPORTING if rank else Role.PRIMARY,
                        rank + 1,
                        tags=tuple(made[one].item["tags"]),
                    )
                    for rank, one in enumerate(event.members)
                ),
            )
            store.compositions.add(scope, kept)
            label = OutcomeLabel.HELPFUL if event.served else OutcomeLabel.DEAD_END
            store.compositions.label(scope, kept.id, CompositionOutcome(label, "bench", scope.agent, at))


def run(
    settings: Settings,
    *,
    planted_among: int,
    history_of: int,
    history_events: int,
    seeds: Sequence[int],
    embedder: Embedder | None = None,
    note: Note = lambda line: None,
) -> dict[str, Any]:
    """Both tasks, on each seed; without memories to hide pairs among, the second alone."""
    told = [
        held_out(settings, memories=history_of, events=history_events, seed=seed, embedder=embedder, note=note)
        for seed in seeds
    ]
    return {
        "benchmark": "frontier",
        "planted": [
            planted(settings, memories=planted_among, seed=seed, embedder=embedder, note=note)
            for seed in seeds
            if planted_among
        ],
        "held_out": told,
        "held_out_means": {what: _means([one[what]["scores"] for one in told]) for what in ("pairs", "triples")},
    }


def _means(of_seeds: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    """Each score's measures, averaged over the seeds; the first ten of one seed alone are few."""
    return {
        name: {key: round(float(np.mean([one[name][key] for one in of_seeds])), 3) for key in ("auprc", "p_at_10")}
        for name in of_seeds[0]
    }


def frontier_table(found: Mapping[str, Any]) -> str:
    """The figures for people."""
    lines: list[str] = []
    for one in found.get("planted", ()):
        lines.append(f"planted pairs among {one['memories']} memories, seed {one['seed']}: asked around one of them")
        for name, row in one["around_one_of_them"].items():
            lines.append(f"  {name:20} " + "  ".join(f"{key} {value}" for key, value in row.items()))
        whole = one["whole_store"]
        within = ", ".join(f"{count} within {cut}" for cut, count in whole["within_first"].items())
        lines.append(
            f"  the whole store: of {whole['hidden']} hidden pairs {within}, of {whole['pairs_possible']} pairs"
        )
    for one in found.get("held_out", ()):
        for what in ("pairs", "triples"):
            of = one[what]
            lines.append(
                f"held-out {what} of {one['memories']} memories and {one['events']} compositions, seed {one['seed']}: "
                f"{of['true']} true among {of['true'] + of['others']}"
            )
            for name, row in of["scores"].items():
                lines.append(f"  {name:20} " + "  ".join(f"{key} {value}" for key, value in row.items()))
    for what, rows in found.get("held_out_means", {}).items():
        lines.append(f"held-out {what}, mean of {len(found['held_out'])} seeds")
        for name, row in rows.items():
            lines.append(f"  {name:20} " + "  ".join(f"{key} {value}" for key, value in row.items()))
    speed = found.get("speed")
    if speed:
        lines.append(f"{speed['memories']} memories, {speed['events']} compositions, milliseconds (wall, processor):")
        for name, row in speed["milliseconds"].items():
            lines.append(f"  {name:28} " + "  ".join(f"{key} {value}" for key, value in row.items()))
    return "\n".join(lines)
