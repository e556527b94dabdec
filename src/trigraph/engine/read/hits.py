"""From a chosen memory to a hit: what is shown of it, why it is there, how old it is; and as many as a budget holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trigraph.engine.read.beside import CONFLICT_TEXT_CHARS
from trigraph.engine.read.choosing import Chosen
from trigraph.engine.read.legs import Gathered
from trigraph.engine.read.ranking import NEIGHBOUR, Candidate
from trigraph.lifecycle.confidence import effective_of
from trigraph.lifecycle.retention import retention
from trigraph.model.memory import Memory
from trigraph.model.query import Leg, RecallQuery
from trigraph.model.recall import Attached, Excerpt, Hit, Outcome, Staleness
from trigraph.model.times import Moment
from trigraph.ranking.order import LIKENESS
from trigraph.ranking.recency import in_window, recency
from trigraph.text.terms import analyse
from trigraph.text.tokens import estimate_tokens

ATTACHED_MOST = 10
HIT_OVERHEAD_TOKENS = 12
"""What a hit costs beside its text when it is shown: id, kind, age."""


def hits_of(
    query: RecallQuery,
    moment: Moment,
    chosen: Sequence[Chosen],
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


def _score(one: Chosen, top: float, below: float) -> float:
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


def _why(one: Chosen, words: dict[str, set[str]], gathered: Gathered) -> str:
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


def within_budget(hits: Sequence[Hit], budget_tokens: int | None) -> tuple[tuple[Hit, ...], int | None]:
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
