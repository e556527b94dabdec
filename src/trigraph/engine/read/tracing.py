"""Walks over links: how a topic evolved, what followed from a memory, what bears on a question (L5).

Thresholds ask for the confidence that is stored; decay only ranks. Every walk has a budget of nodes, visits each
memory once, and so always ends.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta

from trigraph.engine.embedding import Unusable
from trigraph.engine.finding import find_memory
from trigraph.engine.parts import Parts
from trigraph.engine.read.beside import links_beside, outcomes_of
from trigraph.errors import ModelUnavailable, NotFound
from trigraph.model.link import Link, LinkType
from trigraph.model.memory import Kind, Memory, MemoryFilter
from trigraph.model.recall import Outcome
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.model.trace import Step, Trace, TraceMode
from trigraph.ranking.decay import decayed
from trigraph.ranking.likeness import kinds_factor
from trigraph.text.cleaning import check_label

NODES_MOST = 200
LINKS_MOST = 250
"""Of one memory's links, and of one step's, the strongest."""
CARRIED_MOST = 50
"""So many of what implemented the steps are shown."""
TOPIC_MOST = 200

EVOLUTION_DEPTH = 10
EVOLUTION_CONFIDENCE = 0.6
IMPACT_DEPTH = 5
IMPACT_WITHIN = timedelta(days=7)
CONTEXT_MATCHES = 20
CONTEXT_SIMILARITY = 0.7
CONTEXT_DEPTH = 2
CONTEXT_CONFIDENCE = 0.5
CONTEXT_BOOST = 1.5


def evolution(
    parts: Parts, scope: Scope, topic: str, as_of: datetime | None = None, known_at: datetime | None = None
) -> Trace:
    """From the latest decision on a topic back: what it superseded, and what it relates to."""
    topic = check_label(topic, "topic")
    with parts.store.snapshot(scope):
        moment = _moment(parts, scope, as_of, known_at)
        wanted = MemoryFilter(kinds=(Kind.DECISION,))
        ids = parts.store.memories.ids_of_topic(scope, topic, wanted, moment, TOPIC_MOST)
        decisions = parts.store.memories.get(scope, ids, moment)
        if not decisions:
            raise NotFound(
                f"There is no decision on {topic[:80]!r}.", fix="`trigraph list --kind decision` shows what there is."
            )
        latest = max(decisions, key=lambda one: (not _over(one, moment), one.valid_from, one.id))
        walker = _Walker(parts, scope, moment)
        walker.walk(
            latest,
            EVOLUTION_DEPTH,
            {LinkType.SUPERSEDES, LinkType.RELATES_TO},
            lambda link, here, there: link.confidence >= EVOLUTION_CONFIDENCE and there.valid_from <= here.valid_from,
        )
        steps = sorted(walker.steps, key=lambda one: (one.depth, -one.score, one.memory.id))
        return Trace(TraceMode.EVOLUTION, latest.id, _with_what_came_of(parts, scope, steps, moment), walker.truncated)


def impact(
    parts: Parts, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None
) -> Trace:
    """What followed from a memory within a week: what implemented it, what came of it, what was done next."""
    with parts.store.snapshot(scope):
        moment = _moment(parts, scope, as_of, known_at)
        start = find_memory(parts, scope, name, moment.known_at)
        until = _time(start) + IMPACT_WITHIN
        walker = _Walker(parts, scope, moment)
        walker.walk(
            start,
            IMPACT_DEPTH,
            {LinkType.IMPLEMENTS, LinkType.OUTCOME_OF, LinkType.TEMPORAL},
            lambda link, here, there: _time(here) <= _time(there) <= until and _forward(link, here),
        )
        steps = sorted(walker.steps, key=lambda one: (one.depth, -one.score, one.memory.id))
        return Trace(TraceMode.IMPACT, start.id, _with_what_came_of(parts, scope, steps, moment), walker.truncated)


def context(
    parts: Parts,
    scope: Scope,
    query: str,
    name: str,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> Trace:
    """What is like a question, and first of it what is linked to the memory at hand."""
    query = check_label(query, "query", 10_000)
    embedder = parts.embedding.usable(parts.store, scope)
    if isinstance(embedder, Unusable):
        raise ModelUnavailable(embedder.reason)
    vector = embedder.embed_query(query)
    with parts.store.snapshot(scope):
        moment = _moment(parts, scope, as_of, known_at)
        start = find_memory(parts, scope, name, moment.known_at)
        found = parts.store.search.nearest(scope, vector, MemoryFilter(), moment, CONTEXT_MATCHES * 3)
        texts = parts.store.search.surroundings(scope, [one.passage for one in found], 0, MemoryFilter(), moment)
        memory_of = {text.passage: text.memory_id for text in texts}
        alike: dict[str, float] = {}
        for one in found:
            if one.score >= CONTEXT_SIMILARITY and (id_ := memory_of.get(one.passage)) not in (None, start.id):
                alike.setdefault(str(id_), one.score)
        best = dict(list(alike.items())[:CONTEXT_MATCHES])
        walker = _Walker(parts, scope, moment)
        walker.walk(start, CONTEXT_DEPTH, set(LinkType), lambda link, *_: link.confidence >= CONTEXT_CONFIDENCE)
        near = {step.memory.id: step for step in walker.steps if step.depth > 0}
        memories = parts.store.memories.get(scope, list(best), moment)
        steps = [_of_context(start, one, best[one.id], near.get(one.id)) for one in memories]
        steps.sort(key=lambda one: (-one.score, one.memory.id))
        return Trace(TraceMode.CONTEXT, start.id, _with_what_came_of(parts, scope, steps, moment), walker.truncated)


def _of_context(start: Memory, memory: Memory, similarity: float, near: Step | None) -> Step:
    score = min(1.0, similarity * kinds_factor(start.kind, memory.kind)) * (CONTEXT_BOOST if near else 1.0)
    return Step(memory, near.depth if near else 0, near.via if near else None, round(score, 4))


_Follows = Callable[[Link, Memory, Memory], bool]


class _Walker:
    """Breadth first over links, each memory once."""

    def __init__(self, parts: Parts, scope: Scope, moment: Moment) -> None:
        self._parts = parts
        self._scope = scope
        self._moment = moment
        self.steps: list[Step] = []
        self.truncated = False

    def walk(self, start: Memory, depth: int, types: Collection[LinkType], follows: _Follows) -> None:
        seen = {start.id}
        self.steps = [Step(start, 0, None, 1.0)]
        edge = {start.id: self.steps[0]}
        for level in range(1, depth + 1):
            edge = self._next(edge, level, types, follows, seen)
            if not edge:
                return
            self.steps += edge.values()

    def _next(
        self,
        edge: Mapping[str, Step],
        level: int,
        types: Collection[LinkType],
        follows: _Follows,
        seen: set[str],
    ) -> dict[str, Step]:
        links = self._parts.store.links.strongest(self._scope, list(edge), self._moment.known_at, types, LINKS_MOST)
        self.truncated |= len(links) == LINKS_MOST
        ends = {end for link in links for end in (link.from_id, link.to_id)} - seen
        there = {one.id: one for one in self._parts.store.memories.get(self._scope, list(ends), self._moment)}
        reached: dict[str, Step] = {}
        for link in links:
            for here_id, other_id in ((link.from_id, link.to_id), (link.to_id, link.from_id)):
                if here_id not in edge or other_id not in there or other_id in reached:
                    continue
                if not follows(link, edge[here_id].memory, there[other_id]):
                    continue
                if len(seen) >= NODES_MOST:
                    self.truncated = True
                    return reached
                seen.add(other_id)
                drawn = link.drawn_at or link.known_from
                held = decayed(link.type, link.created_by, link.confidence, drawn, self._moment.known_at)
                reached[other_id] = Step(there[other_id], level, link, round(edge[here_id].score * held, 6))
        return reached


def _moment(parts: Parts, scope: Scope, as_of: datetime | None, known_at: datetime | None) -> Moment:
    """A trace shows what was superseded, too."""
    now = parts.now(scope)
    return Moment(as_of or now.as_of, known_at or now.known_at, superseded=True)


def _over(memory: Memory, moment: Moment) -> bool:
    return memory.valid_until is not None and memory.valid_until <= moment.as_of


def _time(memory: Memory) -> datetime:
    return memory.occurred_at or memory.created_at


def _forward(link: Link, here: Memory) -> bool:
    """Whether a link leads on in time from a memory: what implements it or came of it points back at it."""
    return link.from_id == here.id if link.type is LinkType.TEMPORAL else link.to_id == here.id


def _with_what_came_of(parts: Parts, scope: Scope, steps: Sequence[Step], moment: Moment) -> tuple[Step, ...]:
    """The steps with their outcomes, and the checkpoints that implemented them."""
    memories = [step.memory for step in steps]
    links = links_beside(parts, scope, [one.id for one in memories], moment)
    outcomes: Mapping[str, tuple[Outcome, ...]] = outcomes_of(parts, scope, memories, links, moment)
    ids = [one.id for one in memories]
    links = parts.store.links.strongest(scope, ids, moment.known_at, [LinkType.IMPLEMENTS], CARRIED_MOST)
    carried = {one.id: one for one in parts.store.memories.get(scope, [link.from_id for link in links], moment)}
    by: dict[str, list[Memory]] = {}
    for link in links:
        if link.from_id in carried and link.to_id in ids:
            by.setdefault(link.to_id, []).append(carried[link.from_id])
    return tuple(
        Step(
            step.memory,
            step.depth,
            step.via,
            step.score,
            outcomes.get(step.memory.id, ()),
            tuple(sorted(by.get(step.memory.id, ()), key=lambda one: one.id)),
        )
        for step in steps
    )
