"""The evidence on a question: what a recall finds, and what the graph adds to its best hits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trigraph.engine.parts import Parts
from trigraph.engine.read.beside import links_beside, outcomes_of
from trigraph.lifecycle.trust import trust_of
from trigraph.model.composition import CompositionTally
from trigraph.model.ids import short_id
from trigraph.model.memory import Kind, Memory, MemoryFilter
from trigraph.model.recall import Hit, Outcome, Recall
from trigraph.model.reference import Intent
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.answering import asking
from trigraph.text.deciding import decision_in
from trigraph.text.names import name_key
from trigraph.text.sentences import Sentence, sentences_in
from trigraph.text.terms import analyse
from trigraph.text.wording import LIGHT

EXPANDED_FROM = 3
EXPANDED_EACH = 3
CALLED_MOST = 8
"""So many documents of one name are looked at."""
EVIDENCE_MOST = 10
FAR_BELOW = 2.2
"""A hit whose score is so far below the best has no relevance left: scores are in standard deviations."""
RELEVANCE_LEAST, RELEVANCE_LEAST_IN_TIME = 0.3, 0.05
"""What is less relevant is no evidence; how something went is told by more than what answers at once."""
FROM_GRAPH = 0.6
"""What a memory has of the relevance of the hit that leads to it."""
RELEVANCE, TRUST, TERMS = 0.5, 0.2, 0.3
_HEAD_MATTER = re.compile(r"\A---\n.*?(?:\n---(?:\n|\Z)|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:\s*(\S.*)$", re.MULTILINE)
NEAR_WORDS = 2
SHOWN_CHARACTERS = 2_000
"""Of a long document that the graph brought so much is read: what it decides, else its beginning."""


@dataclass(slots=True)
class Piece:
    """A memory as evidence, while it is being weighed. `shown` is the passage that bears on the question."""

    memory: Memory
    shown: str
    relevance: float
    by: str
    holds: bool
    document_superseded_by: str | None = None
    outcomes: tuple[Outcome, ...] = ()
    term_share: float = 0.0
    trust: float = 0.0
    _sentences: list[Sentence] | None = None
    _nearest: int | None = None

    @property
    def asks(self) -> bool:
        """Whether it is a question: that tells nothing."""
        share, at_end = asking(self.shown)
        return at_end and share >= 0.5

    @property
    def score(self) -> float:
        """How much it says for the answer: half relevance, a fifth trust, three tenths the question's own words."""
        return RELEVANCE * self.relevance + TRUST * self.trust + TERMS * self.term_share

    @property
    def sentences(self) -> list[Sentence]:
        """What is shown of it, taken apart once."""
        if self._sentences is None:
            self._sentences = sentences_in(self.shown)
        return self._sentences

    def nearest(self, query: str) -> int:
        """The place of the sentence that has most of the question's words of weight; the first, where none has two."""
        if self._nearest is None:
            terms = frozenset(analyse(query)) - LIGHT
            counts = [len(terms & frozenset(analyse(one.text))) for one in self.sentences]
            shares = [count / (1 + len(one.text) / 400) for count, one in zip(counts, self.sentences, strict=True)]
            best = shares.index(max(shares))
            self._nearest = best if counts[best] >= NEAR_WORDS else 0
        return self._nearest


@dataclass(slots=True)
class Gathered:
    """What there is to answer from: the recall, the pieces (the best first), the hits that are none of them by their
    relevance, and how many the graph brought."""

    recall: Recall
    moment: Moment
    pieces: list[Piece] = field(default_factory=list)
    others: list[Piece] = field(default_factory=list)
    analysed: int = 0
    expanded: int = 0


def gather(parts: Parts, scope: Scope, found: Recall, intent: Intent) -> Gathered:
    """The hits of a recall that bear on its question, and what the best of them lead to. Nothing where the recall says
    that memory has nothing."""
    now = parts.now(scope)
    gathered = Gathered(found, Moment(now.as_of, now.known_at, superseded=True), analysed=len(found.hits))
    if found.nothing_found or not found.hits:
        return gathered
    top = max(hit.score for hit in found.hits)
    pieces = [_of_hit(hit, top, gathered.moment) for hit in found.hits]
    by_id = {one.memory.id: one for one in pieces}
    least = RELEVANCE_LEAST_IN_TIME if intent is Intent.TIMELINE else RELEVANCE_LEAST
    kept = [one for one in pieces if one.relevance >= least and not one.asks][:EVIDENCE_MOST] or pieces[:1]
    more = _expanded(parts, scope, kept[:EXPANDED_FROM], {one.memory.id for one in kept}, gathered.moment)
    added = [_of_memory(memory, led_by, gathered.moment) for memory, led_by in more]
    _tell_outcomes(parts, scope, added, gathered.moment)
    for one in added:
        if (hit := by_id.get(one.memory.id)) is not None:
            one.document_superseded_by, one.holds = hit.document_superseded_by, hit.holds
    gathered.pieces = [*kept, *added]
    known = {one.memory.id for one in gathered.pieces}
    gathered.others = [one for one in pieces if one.memory.id not in known and not one.asks]
    share_terms(gathered.pieces, found.query)
    gathered.expanded = sum(one.memory.id not in by_id for one in added)
    gathered.analysed += gathered.expanded
    return gathered


def share_terms(pieces: Iterable[Piece], query: str) -> None:
    """Say which share of the question's words each has."""
    terms = frozenset(analyse(query))
    for one in pieces:
        one.term_share = _share(terms, f"{one.memory.topic or ''} {one.shown}")


def weigh(pieces: Iterable[Piece], moment: Moment, labels: Mapping[str, CompositionTally]) -> None:
    """Say how far each is to be trusted, by whether it holds."""
    for one in pieces:
        tally = labels.get(one.memory.id, CompositionTally())
        one.trust = trust_of(one.memory, moment.as_of, one.outcomes, tally.labels, holds=one.holds)


def without_head_matter(text: str) -> str:
    """Without what stands at the head of a document for programs; of nothing but that, the title."""
    rest = _HEAD_MATTER.sub("", text).strip()
    title = None if rest else _TITLE.search(text)
    return title[1] if title else rest or text


def over(memory: Memory, moment: Moment) -> bool:
    """Whether a memory holds no longer, or not yet."""
    ended = memory.valid_until is not None and memory.valid_until <= moment.as_of
    return ended or memory.retracted_at is not None or memory.valid_from > moment.as_of


def _of_hit(hit: Hit, top: float, moment: Moment) -> Piece:
    document = hit.staleness.document_superseded_by
    return Piece(
        memory=hit.memory,
        shown=without_head_matter(hit.excerpt.text),
        relevance=round(max(1 - (top - hit.score) / FAR_BELOW, 0.0), 4),
        by=hit.why or "recall",
        holds=not (over(hit.memory, moment) or document),
        document_superseded_by=document,
        outcomes=hit.outcomes,
    )


def _of_memory(memory: Memory, led_by: tuple[Piece, str], moment: Moment) -> Piece:
    from_, how = led_by
    long = memory.kind is Kind.DOCUMENT and len(memory.text) > SHOWN_CHARACTERS
    return Piece(
        memory=memory,
        shown=(decision_in(memory.text) or without_head_matter(memory.text))[:SHOWN_CHARACTERS]
        if long
        else without_head_matter(memory.text),
        relevance=round(FROM_GRAPH * from_.relevance, 4),
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
    joined = _joined(parts, scope, best, known, moment)
    for one in best:
        for id_, how in [*_successors(parts, scope, one, moment), *joined[one.memory.id]]:
            if id_ not in known and id_ not in leads:
                leads[id_] = (one, how)
    memories = {one.id: one for one in parts.store.memories.get(scope, list(leads), moment)} if leads else {}
    return [(memories[id_], lead) for id_, lead in leads.items() if id_ in memories]


def _successors(parts: Parts, scope: Scope, one: Piece, moment: Moment) -> list[tuple[str, str]]:
    if one.memory.superseded_by is not None:
        return [(one.memory.superseded_by, "took the place of")]
    if one.document_superseded_by is None:
        return []
    things = parts.store.entities.named(scope, name_key(one.document_superseded_by), moment)
    wanted = MemoryFilter(kinds=(Kind.DOCUMENT,))
    ids = [thing.id for thing in things[:CALLED_MOST]]
    texts = parts.store.graph.about(scope, ids, wanted, moment, CALLED_MOST) if ids else []
    found = [text.memory_id for text in texts]
    if len(found) > 1:
        beside = [memory for memory in parts.store.memories.get(scope, found, moment) if is_beside(one.memory, memory)]
        found = [memory.id for memory in beside[:1]]
    return [(id_, "supersedes the document of") for id_ in found]


def is_beside(one: Memory, other: Memory) -> bool:
    """Whether two documents may be of one family: many projects have an `ADR-12`, each in a folder of its own."""
    uris = [memory.provenance.uri for memory in (one, other)]
    return not all(uris) or len({str(uri).rpartition("/")[0] for uri in uris}) == 1


def _joined(
    parts: Parts, scope: Scope, best: Sequence[Piece], known: set[str], moment: Moment
) -> dict[str, list[tuple[str, str]]]:
    """Of each of the best: what links join to it and, if that is little, what is about the same thing."""
    found: dict[str, dict[str, str]] = {one.memory.id: {} for one in best}
    for link in parts.store.graph.linked(scope, list(found), MemoryFilter(), moment, EXPANDED_EACH * 3 * len(best)):
        if link.memory_id not in known:
            found[link.from_id].setdefault(link.memory_id, f"{link.type.value}, linked to")
    subjects = {
        one.memory.subject.id: one.memory.id
        for one in reversed(best)
        if one.memory.subject is not None and len(found[one.memory.id]) < EXPANDED_EACH
    }
    if subjects:
        most = EXPANDED_EACH * 2 * len(subjects)
        for each in parts.store.graph.about(scope, list(subjects), MemoryFilter(), moment, most):
            if each.memory_id not in known:
                found[subjects[each.entity_id]].setdefault(each.memory_id, "about the same thing as")
    return {id_: list(leads.items())[:EXPANDED_EACH] for id_, leads in found.items()}


def _tell_outcomes(parts: Parts, scope: Scope, pieces: Sequence[Piece], moment: Moment) -> None:
    memories = [one.memory for one in pieces]
    links = links_beside(parts, scope, [one.id for one in memories], moment)
    told = outcomes_of(parts, scope, memories, links, moment)
    for one in pieces:
        one.outcomes = told.get(one.memory.id, ())
