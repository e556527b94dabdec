"""Recall, step by step: plan, legs, rescoring, fusion, re-ranking, exact matches, the answer, its event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from trigraph.engine.parts import Parts
from trigraph.engine.read.beside import (
    CONFLICT_TEXT_CHARS,
    conflicts_of,
    links_beside,
    outcomes_of,
    superseded_documents,
)
from trigraph.engine.read.constraints import binding, block
from trigraph.engine.read.domains import everywhere, within_domains
from trigraph.engine.read.expanding import expand
from trigraph.engine.read.legs import Gathered, embed_query, gather
from trigraph.engine.read.neighbours import places_around, with_neighbours
from trigraph.engine.read.placing import Placed, place
from trigraph.engine.read.planning import plan_recall
from trigraph.engine.read.ranking import NEIGHBOUR, Candidate, best_of_each_memory, rank
from trigraph.engine.read.reading import resolved
from trigraph.engine.read.reranking import rerank, still_there, windows_of
from trigraph.engine.read.scoring import EXPLORED_AMONG, Exploration, with_scorer
from trigraph.engine.read.stages import ADJUSTING, BESIDE, EVENT, PLANNING, RERANKING, RESCORING, REST, StageClock
from trigraph.engine.read.talking import talk_of
from trigraph.errors import StoreError
from trigraph.lifecycle.confidence import effective_of
from trigraph.lifecycle.retention import retention
from trigraph.model.events import CandidateRecord, RecallEvent, ShownHit
from trigraph.model.ids import id_suffix, new_id
from trigraph.model.memory import MEMORY_PREFIX, EntityType, Kind, Memory
from trigraph.model.query import Leg, RecallQuery
from trigraph.model.recall import (
    RECALL_PREFIX,
    Attached,
    Excerpt,
    Hit,
    Outcome,
    Plan,
    Recall,
    Staleness,
)
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.ranking.certainty import shipped_certainty, signals
from trigraph.ranking.order import LIKENESS
from trigraph.ranking.recency import in_window, recency
from trigraph.text.terms import analyse
from trigraph.text.tokens import estimate_tokens

ATTACHED_MOST = 10
SHOWN_MOST = 50
"""Of so many hits the event keeps the features."""
FEATURE_DIGITS = 3
HIT_OVERHEAD_TOKENS = 12
"""What a hit costs beside its text when it is shown: id, kind, age."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A memory on its way to becoming a hit; `exact` names what it matched exactly, `indirect` how a hit led to it;
    `explored` says that it is shown to learn from."""

    memory_id: str
    candidate: Candidate | None
    exact: str | None
    indirect: str | None = None
    attached: tuple[str, ...] = ()
    explored: bool = False


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
        if gathered.features is None:
            plan = replace(plan, ordered_by=None)
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
        fitting = _exact_first(parts, scope, query, moment, placed)
        chosen = _with_one_to_learn_from(parts, scope, moment, fitting, query.limit, recall_id, exploration)
        clock.lap(ADJUSTING)
        if plan.expand:
            found_ids = [id_ for one in chosen for id_ in (one.memory_id, *one.attached)]
            further = expand(parts, scope, found_ids, query.filter, moment, query.limit - len(chosen))
            chosen += [_Chosen(one.memory_id, None, None, one.why) for one in further]
        wanted = [id_ for one in chosen for id_ in (one.memory_id, *one.attached)]
        memories = parts.store.memories.get(scope, wanted, moment)
        links = links_beside(parts, scope, wanted, moment)
        conflicts = conflicts_of(parts, scope, [one.memory_id for one in chosen], links, moment)
        outcomes = outcomes_of(parts, scope, memories, links, moment)
        documents = superseded_documents(parts, scope, memories, moment)
        places = places_around(parts, scope, memories, query.neighbours, moment)
        bound = binding(parts, scope, query, moment, gathered, candidates)
        clock.lap(BESIDE)
    found = [
        replace(hit, staleness=replace(hit.staleness, document_superseded_by=documents.get(hit.memory.id)))
        for hit in _hits(query, moment, chosen, memories, outcomes, gathered)
    ]
    kept, tokens = _within_budget(found, query.budget_tokens)
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
        explained=query.explain,
    )
    clock.lap(REST)
    written = _record(parts, scope, query, answer, candidates, chosen)
    clock.lap(EVENT)
    return replace(answer, event_written=written, stages=clock.stages)


def _certainty(query: RecallQuery, gathered: Gathered, chosen: Sequence[_Chosen]) -> dict[str, Any]:
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


def _exact_first(
    parts: Parts, scope: Scope, query: RecallQuery, moment: Moment, ranked: Sequence[Placed]
) -> list[_Chosen]:
    """A query that is exactly an id or a topic finds that first; then the ranking follows."""
    by_id = {one.candidate.passage.memory_id: one for one in ranked}
    exact: dict[str, str] = {}
    if suffix := id_suffix(query.text, MEMORY_PREFIX):
        exact |= dict.fromkeys(parts.store.memories.ids_ending(scope, suffix, everywhere(query.filter), moment), "id")
    order = {memory_id: number for number, memory_id in enumerate(by_id)}
    of_topic = parts.store.memories.ids_of_topic(scope, query.text, query.filter, moment, query.limit)
    for memory_id in sorted(of_topic, key=lambda one: order.get(one, len(order))):
        exact.setdefault(memory_id, "topic")
    first = [
        _Chosen(memory_id, by_id[memory_id].candidate if memory_id in by_id else None, what)
        for memory_id, what in exact.items()
    ]
    rest = [
        _Chosen(memory_id, found.candidate, None, attached=tuple(id_ for id_ in found.attached if id_ not in exact))
        for memory_id, found in by_id.items()
        if memory_id not in exact
    ]
    return first + rest


def _with_one_to_learn_from(
    parts: Parts,
    scope: Scope,
    moment: Moment,
    fitting: Sequence[_Chosen],
    limit: int,
    recall_id: str,
    exploration: Exploration,
) -> list[_Chosen]:
    """As many as were asked for. Now and then the last place goes to one from just below: what is never shown is never
    cited. An exact match or a constraint does not give way."""
    chosen, below = list(fitting[:limit]), fitting[limit : limit + EXPLORED_AMONG]
    below = [one for one in below if one.candidate is not None and one.candidate.features is not None]
    drawn = exploration.draw(recall_id, limit, len(below))
    if drawn is None or chosen[-1].exact:
        return chosen
    held = parts.store.memories.held(scope, [chosen[-1].memory_id], moment.known_at).get(chosen[-1].memory_id)
    if held is not None and held.kind is Kind.CONSTRAINT:
        return chosen
    return [*chosen[:-1], replace(below[drawn], explored=True)]


def _hits(
    query: RecallQuery,
    moment: Moment,
    chosen: Sequence[_Chosen],
    memories: Sequence[Memory],
    outcomes: Mapping[str, tuple[Outcome, ...]],
    gathered: Gathered,
) -> list[Hit]:
    by_id = {memory.id: memory for memory in memories}
    words = {word: terms for word in query.text.split() if (terms := set(analyse(word)))}
    scores = [one.candidate.score for one in chosen if one.candidate]
    top, least = max(scores, default=0.0), min(scores, default=0.0)
    return [
        Hit(
            memory=by_id[one.memory_id],
            rank=number,
            score=_score(one, top, least - number),
            legs=one.candidate.legs if one.candidate else {},
            excerpt=_excerpt(by_id[one.memory_id], one.candidate),
            why=_why(one, words, gathered),
            staleness=staleness(by_id[one.memory_id], moment),
            outcomes=outcomes.get(one.memory_id, ()),
            effective_confidence=round(effective_of(by_id[one.memory_id], moment.as_of), 4),
            features=_features(one.candidate) if query.explain else {},
            moved=one.candidate.moved if query.explain and one.candidate else {},
            attached=tuple(
                Attached(id_, by_id[id_].kind, by_id[id_].text[:CONFLICT_TEXT_CHARS])
                for id_ in one.attached[:ATTACHED_MOST]
                if id_ in by_id
            ),
        )
        for number, one in enumerate((one for one in chosen if one.memory_id in by_id), start=1)
    ]


def _features(candidate: Candidate | None) -> dict[str, float]:
    if candidate is None or candidate.features is None:
        return {}
    return {name: round(value, 4) for name, value in zip(LIKENESS, candidate.features.tolist(), strict=True)}


def _score(one: _Chosen, top: float, below: float) -> float:
    """The fused score; an exact match stands one above the best of them, an indirect one below the weakest."""
    if one.indirect is not None:
        return round(below, 6)
    fused = one.candidate.score if one.candidate else 0.0
    return round(top + 1 if one.exact else fused, 6)


def _excerpt(memory: Memory, candidate: Candidate | None) -> Excerpt:
    start, end = (candidate.passage.start, candidate.passage.end) if candidate else (0, len(memory.text))
    shown = memory.text[start:end]
    start += len(shown) - len(shown.lstrip())
    return Excerpt(shown.strip(), start, start + len(shown.strip()))


def _why(one: _Chosen, words: dict[str, set[str]], gathered: Gathered) -> str:
    reasons = [f"exactly this {one.exact}"] if one.exact else []
    if one.indirect is not None:
        reasons.append(one.indirect)
    if one.candidate:
        held = set(one.candidate.passage.terms.split(" "))
        whole = (word for word, terms in words.items() if terms <= held)
        matched = list(dict.fromkeys(word.strip("?!.,;:\"'()").lower() for word in whole))
        if matched:
            reasons.append("words " + ", ".join(matched))
        if Leg.VECTOR in one.candidate.brought_by:
            reasons.append("near in meaning")
        if one.memory_id in gathered.reached:
            reasons.append(gathered.reached[one.memory_id].why)
        at, window = one.candidate.passage.at, gathered.window
        if window is not None and at is not None and in_window(at, window) == 1.0:
            reasons.append(f"from that time: {window.phrase}" if window.phrase else "from that time")
        if one.candidate.brought_by == (NEIGHBOUR,):
            reasons.append("next to what matched")
        if one.candidate.reranked:
            reasons.append(one.candidate.reranked)
    if one.explored:
        reasons.append("shown to learn from")
    return "; ".join(reasons)


def staleness(memory: Memory, moment: Moment) -> Staleness:
    """How old a memory was, and whether something had replaced it by then."""
    since = memory.occurred_at or memory.created_at
    age_days = max((moment.as_of - since).total_seconds() / 86_400, 0.0)
    over = memory.superseded and memory.valid_until is not None and memory.valid_until <= moment.as_of
    by = memory.superseded_by if over else None
    return Staleness(
        age_days=round(age_days, 2),
        last_verified_at=memory.last_verified_at,
        superseded=over,
        superseded_by=by,
        temporal_score=round(recency(age_days), 4),
        retention=round(retention(memory, moment.as_of), 4),
    )


def _within_budget(hits: Sequence[Hit], budget_tokens: int | None) -> tuple[tuple[Hit, ...], int | None]:
    """As many hits, from the top, as the budget holds, of the first at least what fits; and what is left of it."""
    if budget_tokens is None:
        return tuple(hits), None
    kept: list[Hit] = []
    spent = 0
    for hit in hits:
        beside = sum(estimate_tokens(one.text) + HIT_OVERHEAD_TOKENS for one in hit.attached)
        cost = estimate_tokens(hit.excerpt.text) + HIT_OVERHEAD_TOKENS + beside
        if spent + cost > budget_tokens:
            break
        spent += cost
        kept.append(hit)
    if not kept and hits:
        return (_shortened(hits[0], budget_tokens),), 0
    return tuple(kept), budget_tokens - spent


def _shortened(hit: Hit, budget_tokens: int) -> Hit:
    room = max(budget_tokens - HIT_OVERHEAD_TOKENS, 1)
    text = hit.excerpt.text
    while text and estimate_tokens(text + "…") > room:
        text = text[: max(int(len(text) * 0.9), 0)] if len(text) > 10 else text[:-1]
    start = hit.excerpt.start
    return replace(hit, excerpt=Excerpt(text.rstrip() + "…", start, start + len(text.rstrip())))


def _payload_bytes(answer: Recall) -> int:
    texts = [hit.excerpt.text for hit in answer.hits] + [one.text for one in answer.constraints]
    beside = [one.text or "" for hit in answer.hits for one in (*(hit.before or ()), *(hit.after or ()))]
    return sum(len(text.encode()) for text in texts + beside)


def _record(
    parts: Parts,
    scope: Scope,
    query: RecallQuery,
    answer: Recall,
    candidates: Sequence[Candidate],
    chosen: Sequence[_Chosen],
) -> bool:
    """Write the recall's one event. An answer is not withheld because it cannot be recorded."""
    shown = _shown(answer.hits, chosen)
    returned = {hit.memory.id for hit in answer.hits}
    event = RecallEvent(
        recall_id=answer.id,
        tenant=scope.tenant,
        project=scope.project,
        agent=scope.agent,
        session=query.session,
        query=query.text,
        query_class=answer.plan.query_class,
        profile=answer.plan.profile,
        fusion=answer.plan.fusion,
        result_count=len(answer.hits) + answer.left_out,
        result_ids=tuple(hit.memory.id for hit in answer.hits),
        top_n_selected=len(answer.hits),
        payload_bytes=_payload_bytes(answer),
        exact_ids=tuple(one.memory_id for one in chosen if one.exact),
        weights=answer.plan.weights,
        candidates=tuple(
            CandidateRecord(
                one.passage.memory_id,
                one.passage.ordinal,
                one.brought_by,
                {leg: score.raw for leg, score in one.legs.items()},
                one.likeness,
            )
            for one in candidates
        ),
        legs=answer.legs,
        milliseconds=answer.milliseconds,
        at=parts.clock(),
        feature_names=LIKENESS if shown else (),
        shown=shown,
        explored=next((one.memory_id for one in chosen if one.explored and one.memory_id in returned), None),
    )
    skills = {
        hit.memory.subject.id
        for hit in answer.hits
        if hit.memory.subject is not None and hit.memory.type is EntityType.SKILL
    }
    try:
        parts.store.events.add(scope, event)
        if skills:
            parts.store.events.used(scope, answer.id, skills, event.at)
    except StoreError:
        return False
    return True


def _shown(hits: Sequence[Hit], chosen: Sequence[_Chosen]) -> tuple[ShownHit, ...]:
    """The hits that a learnt order ranked, with what it saw of them. An exact match has its place by right."""
    ranked = {one.memory_id: one.candidate for one in chosen if one.candidate is not None and not one.exact}
    found = []
    for hit in hits[:SHOWN_MOST]:
        candidate = ranked.get(hit.memory.id)
        if candidate is not None and candidate.features is not None:
            features = tuple(round(value, FEATURE_DIGITS) for value in candidate.features.tolist())
            found.append(ShownHit(hit.memory.id, hit.rank, round(candidate.beyond, FEATURE_DIGITS), features))
    return tuple(found)
