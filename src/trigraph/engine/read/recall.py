"""Recall, step by step: plan, legs, rescoring, fusion, re-ranking, exact matches, the answer, its event."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from trigraph.engine.parts import Parts
from trigraph.engine.read.beside import (
    conflicts_of,
    links_beside,
    outcomes_of,
    superseded_documents,
)
from trigraph.engine.read.choosing import Chosen, exact_first, with_one_to_learn_from
from trigraph.engine.read.constraints import binding, block
from trigraph.engine.read.domains import within_domains
from trigraph.engine.read.expanding import expand
from trigraph.engine.read.hits import hits_of, within_budget
from trigraph.engine.read.legs import Gathered, embed_query, gather
from trigraph.engine.read.neighbours import places_around, with_neighbours
from trigraph.engine.read.placing import place
from trigraph.engine.read.planning import plan_recall
from trigraph.engine.read.ranking import best_of_each_memory, rank
from trigraph.engine.read.reading import resolved
from trigraph.engine.read.recording import record
from trigraph.engine.read.reranking import rerank, still_there, windows_of
from trigraph.engine.read.scoring import with_scorer
from trigraph.engine.read.stages import ADJUSTING, BESIDE, EVENT, PLANNING, RERANKING, RESCORING, REST, StageClock
from trigraph.engine.read.talking import talk_of
from trigraph.engine.read.threads import likely_threads
from trigraph.model.ids import new_id
from trigraph.model.query import RecallQuery
from trigraph.model.recall import (
    RECALL_PREFIX,
    Plan,
    Recall,
)
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.ranking.certainty import shipped_certainty, signals


def recall(parts: Parts, scope: Scope, query: RecallQuery) -> Recall:
    """Answer a query from what the scope may see."""
    clock = StageClock()
    query = within_domains(parts, scope, query)
    plan = plan_recall(query, parts.fusion, parts.weights, parts.order, parts.clock())
    plan, exploration = with_scorer(parts, scope, plan)
    recall_id = new_id(RECALL_PREFIX, parts.clock())
    vector = embed_query(parts, scope, query, plan, talk_of(parts, scope, query))
    if plan.context_weight is not None and not vector.leans:
        plan = replace(plan, context_weight=0.0)
    clock.lap(PLANNING)
    reranking, reranked = parts.rerank if query.rerank else None, None
    with ExitStack() as held:
        held.enter_context(parts.store.snapshot(scope))
        moment = _moment(parts, scope, query, plan)
        query = replace(query, filter=resolved(parts, scope, query.filter, moment))
        gathered = gather(parts, scope, query, plan, moment, vector, clock)
        candidates = rank(parts, scope, query, plan, moment, gathered)
        ordered_by = None if gathered.features is None else plan.ordered_by
        plan = replace(plan, ordered_by=ordered_by, entities=gathered.entities or {})
        ranked = best_of_each_memory(candidates)
        clock.lap(RESCORING)
        if reranking is not None:
            windows = windows_of(parts, scope, query, moment, ranked[: reranking.candidates])
            held.close()  # the model may be far away and slow
            ranked, reranked = rerank(reranking, query.text, ranked, windows)
            held.enter_context(parts.store.snapshot(scope))
            candidates, ranked = (still_there(parts, scope, moment, some) for some in (candidates, ranked))
            clock.lap(RERANKING)
        placed = place(parts, scope, plan, moment, ranked, query.limit)
        fitting = exact_first(parts, scope, query, moment, placed)
        chosen = with_one_to_learn_from(parts, scope, moment, fitting, query.limit, recall_id, exploration)
        clock.lap(ADJUSTING)
        if plan.expand:
            found_ids = [id_ for one in chosen for id_ in (one.memory_id, *one.attached)]
            further = expand(parts, scope, found_ids, query.filter, moment, query.limit - len(chosen))
            chosen += [Chosen(one.memory_id, None, None, one.why) for one in further]
        wanted = [id_ for one in chosen for id_ in (one.memory_id, *one.attached)]
        memories = parts.store.memories.get(scope, wanted, moment)
        links = links_beside(parts, scope, wanted, moment)
        conflicts = conflicts_of(parts, scope, [one.memory_id for one in chosen], links, moment)
        outcomes = outcomes_of(parts, scope, memories, links, moment)
        documents = superseded_documents(parts, scope, memories, moment)
        places = places_around(parts, scope, memories, query.neighbours, moment)
        threads = likely_threads(parts, scope, moment, ranked, query.threads) if query.threads else None
        bound = binding(parts, scope, query, moment, gathered, candidates)
        clock.lap(BESIDE)
    found = [
        replace(hit, staleness=replace(hit.staleness, document_superseded_by=documents.get(hit.memory.id)))
        for hit in hits_of(query, moment, chosen, memories, outcomes, gathered)
    ]
    kept, tokens = within_budget(found, query.budget_tokens)
    hits, neighbours_left_out = with_neighbours(kept, places, query.neighbours, tokens)
    answer = Recall(
        id=recall_id,
        query=query.text,
        hits=hits,
        legs=tuple(gathered.reports),
        plan=plan,
        milliseconds=clock.milliseconds,
        left_out=len(found) - len(hits),
        conflicts=conflicts,
        **_certainty(query, gathered, chosen),
        reranked=reranked,
        constraints=block(bound, hits, query.constraint_tokens),
        constraints_left_out=bound.more,
        neighbours_left_out=neighbours_left_out,
        threads=threads,
        explained=query.explain,
    )
    clock.lap(REST)
    written = record(parts, scope, query, answer, candidates, chosen)
    clock.lap(EVENT)
    return replace(answer, event_written=written, stages=clock.stages)


def _certainty(query: RecallQuery, gathered: Gathered, chosen: Sequence[Chosen]) -> dict[str, Any]:
    """How sure it is that memory has something on this (X5). What was asked for by its id or topic is there."""
    if any(one.exact for one in chosen):
        return {"certainty": 1.0}
    if gathered.standing is None:
        return {} if gathered.rankings else {"certainty": 0.0, "nothing_found": True}
    model, told = shipped_certainty(), signals(gathered.standing)
    chance = model.chance(told)
    found = {"certainty": round(chance, 4), "nothing_found": model.nothing(gathered.standing, chance)}
    return {**found, "signals": told} if query.explain else found


def _moment(parts: Parts, scope: Scope, query: RecallQuery, plan: Plan) -> Moment:
    now = parts.now(scope)
    return Moment(query.as_of or now.as_of, query.known_at or now.known_at, plan.superseded)
