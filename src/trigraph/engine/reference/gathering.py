"""The evidence on a question: what a recall finds, and what the graph adds to its best hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trigraph.engine.parts import Parts
from trigraph.engine.read.beside import links_beside, outcomes_of
from trigraph.engine.read.recall import recall
from trigraph.lifecycle.trust import trust_of
from trigraph.model.composition import CompositionTally
from trigraph.model.ids import short_id
from trigraph.model.memory import Kind, Memory, MemoryFilter
from trigraph.model.query import RecallQuery
from trigraph.model.recall import Hit, Outcome, Recall
from trigraph.model.reference import Intent
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.answering import asking
from trigraph.text.names import name_key
from trigraph.text.terms import analyse

EXPANDED_FROM = 3
EXPANDED_EACH = 3
EVIDENCE_MOST = 10
FAR_BELOW = 2.2
"""A hit whose score is so far below the best has no relevance left: scores are in standard deviations."""
RELEVANCE_LEAST, RELEVANCE_LEAST_IN_TIME = 0.3, 0.05
"""What is less relevant is no evidence; how something went is told by more than what answers at once."""
FROM_GRAPH = 0.6
"""What a memory has of the relevance of the hit that leads to it."""
RELEVANCE, TRUST, TERMS = 0.5, 0.2, 0.3


@dataclass(slots=True)
class Piece:
    """A memory as evidence, while it is being weighed. `shown` is the passage that bears on the question."""

    memory: Memory
    shown: str
    relevance: float
    term_share: float
    by: str
    holds: bool
    document_superseded_by: str | None = None
    outcomes: tuple[Outcome, ...] = ()
    trust: float = 0.0

    @property
    def asks(self) -> bool:
        """Whether it is a question: that tells nothing."""
        share, at_end = asking(self.shown)
        return at_end and share >= 0.5

    @property
    def score(self) -> float:
        """How much it says for the answer: half relevance, a fifth trust, three tenths the question's own words."""
        return RELEVANCE * self.relevance + TRUST * self.trust + TERMS * self.term_share


@dataclass(slots=True)
class Gathered:
    """What there is to answer from: the recall, the pieces (the best first), and how many the graph brought."""

    recall: Recall
    moment: Moment
    pieces: list[Piece] = field(default_factory=list)
    analysed: int = 0
    expanded: int = 0


def gather(parts: Parts, scope: Scope, query: RecallQuery, intent: Intent) -> Gathered:
    """One recall, and what its best hits lead to. Nothing where the recall says that memory has nothing."""
    found = recall(parts, scope, query)
    now = parts.now(scope)
    gathered = Gathered(found, Moment(now.as_of, now.known_at, superseded=True), analysed=len(found.hits))
    if found.nothing_found or not found.hits:
        return gathered
    terms = frozenset(analyse(query.text))
    top = max(hit.score for hit in found.hits)
    pieces = [_of_hit(hit, top, terms, gathered.moment) for hit in found.hits]
    by_id = {one.memory.id: one for one in pieces}
    with parts.store.snapshot(scope):
        least = RELEVANCE_LEAST_IN_TIME if intent is Intent.TIMELINE else RELEVANCE_LEAST
        kept = [one for one in pieces if one.relevance >= least and not one.asks][:EVIDENCE_MOST] or pieces[:1]
        more = _expanded(parts, scope, kept[:EXPANDED_FROM], {one.memory.id for one in kept}, gathered.moment)
        added = [_of_memory(memory, led_by, terms, gathered.moment) for memory, led_by in more]
        _tell_outcomes(parts, scope, added, gathered.moment)
        for one in added:
            if (hit := by_id.get(one.memory.id)) is not None:
                one.document_superseded_by, one.holds = hit.document_superseded_by, hit.holds
        kept += added
        labels = parts.store.compositions.tallies(scope, [one.memory.id for one in kept])
    weigh(kept, gathered.moment, labels)
    gathered.pieces = kept
    gathered.expanded = sum(one.memory.id not in by_id for one in added)
    gathered.analysed += gathered.expanded
    return gathered


def weigh(pieces: Iterable[Piece], moment: Moment, labels: Mapping[str, CompositionTally]) -> None:
    """Say how far each is to be trusted, by whether it holds."""
    for one in pieces:
        tally = labels.get(one.memory.id, CompositionTally())
        one.trust = trust_of(one.memory, moment.as_of, one.outcomes, tally.labels, holds=one.holds)


def over(memory: Memory, moment: Moment) -> bool:
    """Whether a memory holds no longer, or not yet."""
    ended = memory.valid_until is not None and memory.valid_until <= moment.as_of
    return ended or memory.retracted_at is not None or memory.valid_from > moment.as_of


def _of_hit(hit: Hit, top: float, terms: frozenset[str], moment: Moment) -> Piece:
    document = hit.staleness.document_superseded_by
    return Piece(
        memory=hit.memory,
        shown=hit.excerpt.text,
        relevance=round(max(1 - (top - hit.score) / FAR_BELOW, 0.0), 4),
        term_share=_share(terms, f"{hit.memory.topic or ''} {hit.excerpt.text}"),
        by=hit.why or "recall",
        holds=not (over(hit.memory, moment) or document),
        document_superseded_by=document,
        outcomes=hit.outcomes,
    )


def _of_memory(memory: Memory, led_by: tuple[Piece, str], terms: frozenset[str], moment: Moment) -> Piece:
    from_, how = led_by
    return Piece(
        memory=memory,
        shown=memory.text,
        relevance=round(FROM_GRAPH * from_.relevance, 4),
        term_share=_share(terms, f"{memory.topic or ''} {memory.text}"),
        by=f"{how} {short_id(from_.memory.id)}",
        holds=not over(memory, moment),
    )


def _share(terms: frozenset[str], text: str) -> float:
    return round(len(terms & frozenset(analyse(text))) / len(terms), 4) if terms else 0.0


def _expanded(
    parts: Parts, scope: Scope, best: Sequence[Piece], known: set[str], moment: Moment
) -> list[tuple[Memory, tuple[Piece, str]]]:
    """What took the place of the best, what links join to them, and what else is about the same things."""
    leads: dict[str, tuple[Piece, str]] = {}
    for one in best:
        for id_, how in [*_successors(parts, scope, one, moment), *_joined(parts, scope, one, known, moment)]:
            if id_ not in known and id_ not in leads:
                leads[id_] = (one, how)
    memories = parts.store.memories.get(scope, list(leads), moment) if leads else []
    return [(memory, leads[memory.id]) for memory in sorted(memories, key=lambda one: list(leads).index(one.id))]


def _successors(parts: Parts, scope: Scope, one: Piece, moment: Moment) -> list[tuple[str, str]]:
    if one.memory.superseded_by is not None:
        return [(one.memory.superseded_by, "took the place of")]
    if one.document_superseded_by is None:
        return []
    things = parts.store.entities.named(scope, name_key(one.document_superseded_by), moment)
    wanted = MemoryFilter(kinds=(Kind.DOCUMENT,))
    texts = parts.store.graph.about(scope, [thing.id for thing in things[:1]], wanted, moment, 1) if things else []
    return [(text.memory_id, "supersedes the document of") for text in texts]


def _joined(parts: Parts, scope: Scope, one: Piece, known: set[str], moment: Moment) -> list[tuple[str, str]]:
    linked = parts.store.graph.linked(scope, [one.memory.id], MemoryFilter(), moment, EXPANDED_EACH * 3)
    found = [(link.memory_id, f"{link.type.value}, linked to") for link in linked if link.memory_id not in known]
    if one.memory.subject is not None and len(found) < EXPANDED_EACH:
        about = parts.store.graph.about(scope, [one.memory.subject.id], MemoryFilter(), moment, EXPANDED_EACH * 2)
        found += [(each.memory_id, "about the same thing as") for each in about if each.memory_id not in known]
    return list(dict(found).items())[:EXPANDED_EACH]


def _tell_outcomes(parts: Parts, scope: Scope, pieces: Sequence[Piece], moment: Moment) -> None:
    memories = [one.memory for one in pieces]
    links = links_beside(parts, scope, [one.id for one in memories], moment)
    told = outcomes_of(parts, scope, memories, links, moment)
    for one in pieces:
        one.outcomes = told.get(one.memory.id, ())
