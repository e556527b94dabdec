"""The one event that a recall writes: what was asked, what every leg found, what was shown."""

from __future__ import annotations

from collections.abc import Sequence

from trigraph.engine.parts import Parts
from trigraph.engine.read.choosing import Chosen
from trigraph.engine.read.ranking import Candidate
from trigraph.errors import StoreError
from trigraph.model.events import CandidateRecord, RecallEvent, ShownHit
from trigraph.model.memory import EntityType
from trigraph.model.query import RecallQuery
from trigraph.model.recall import Hit, Recall
from trigraph.model.scope import Scope
from trigraph.ranking.order import LIKENESS

SHOWN_MOST = 50
"""Of so many hits the event keeps the features."""
FEATURE_DIGITS = 3


def _payload_bytes(answer: Recall) -> int:
    texts = [hit.excerpt.text for hit in answer.hits] + [one.text for one in answer.constraints]
    beside = [one.text or "" for hit in answer.hits for one in (*(hit.before or ()), *(hit.after or ()))]
    return sum(len(text.encode()) for text in texts + beside)


def record(
    parts: Parts,
    scope: Scope,
    query: RecallQuery,
    answer: Recall,
    candidates: Sequence[Candidate],
    chosen: Sequence[Chosen],
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
        query=query.text if parts.insight.keep_queries else "",
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
                one.board.raw(one.row),
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


def _shown(hits: Sequence[Hit], chosen: Sequence[Chosen]) -> tuple[ShownHit, ...]:
    """The hits that a learnt order ranked, with what it saw of them. An exact match has its place by right."""
    ranked = {one.memory_id: one.candidate for one in chosen if one.candidate is not None and not one.exact}
    found = []
    for hit in hits[:SHOWN_MOST]:
        candidate = ranked.get(hit.memory.id)
        if candidate is not None and candidate.features is not None:
            features = tuple(round(value, FEATURE_DIGITS) for value in candidate.features.tolist())
            found.append(ShownHit(hit.memory.id, hit.rank, round(candidate.beyond, FEATURE_DIGITS), features))
    return tuple(found)
