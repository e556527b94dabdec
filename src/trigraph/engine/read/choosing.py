"""Which memories become hits: exact matches first, then the ranking, and now and then one to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trigraph.engine.parts import Parts
from trigraph.engine.read.domains import everywhere
from trigraph.engine.read.placing import Placed
from trigraph.engine.read.ranking import Candidate
from trigraph.engine.read.scoring import EXPLORED_AMONG, Exploration
from trigraph.model.ids import id_suffix
from trigraph.model.memory import MEMORY_PREFIX, Kind
from trigraph.model.query import RecallQuery
from trigraph.model.scope import Scope
from trigraph.model.times import Moment


@dataclass(frozen=True, slots=True)
class Chosen:
    """A memory on its way to becoming a hit; `exact` names what it matched exactly, `indirect` how a hit led to it;
    `explored` says that it is shown to learn from."""

    memory_id: str
    candidate: Candidate | None
    exact: str | None
    indirect: str | None = None
    attached: tuple[str, ...] = ()
    explored: bool = False


def exact_first(
    parts: Parts, scope: Scope, query: RecallQuery, moment: Moment, ranked: Sequence[Placed]
) -> list[Chosen]:
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
        Chosen(memory_id, by_id[memory_id].candidate if memory_id in by_id else None, what)
        for memory_id, what in exact.items()
    ]
    rest = [
        Chosen(memory_id, found.candidate, None, attached=tuple(id_ for id_ in found.attached if id_ not in exact))
        for memory_id, found in by_id.items()
        if memory_id not in exact
    ]
    return first + rest


def with_one_to_learn_from(
    parts: Parts,
    scope: Scope,
    moment: Moment,
    fitting: Sequence[Chosen],
    limit: int,
    recall_id: str,
    exploration: Exploration,
) -> list[Chosen]:
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
