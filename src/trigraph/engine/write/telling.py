"""A memory that a verb writes: made ready outside the transaction, told and linked inside it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from trigraph.engine.parts import Parts
from trigraph.engine.write.deriving import origin_of
from trigraph.engine.write.preparing import Prepared, prepare
from trigraph.engine.write.resolution import Called
from trigraph.engine.write.writing import Embedded, add, check_audience, embed, fitting, new_memory
from trigraph.errors import InvalidInput
from trigraph.model.change import Changed, Verb
from trigraph.model.ids import new_id
from trigraph.model.link import LINK_PREFIX, Link, LinkOrigin, LinkType
from trigraph.model.memory import Memory, MemoryDraft, Source
from trigraph.model.scope import Scope

EXPLICIT = 1.0
"""The confidence of a link that somebody drew on purpose."""


NOTICED = 0.8
"""The confidence of a contradiction that the system noticed."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A draft that only needs to be written."""

    prepared: Prepared
    embedded: Embedded

    def answered(self, changed: Changed) -> Changed:
        """The answer, with what was missing when the memory was written."""
        return replace(changed, degraded=self.embedded.degraded)


def ready(parts: Parts, scope: Scope, draft: MemoryDraft) -> Ready:
    """Check, analyse and embed a draft. Touches nothing."""
    check_audience(parts, scope, draft.group)
    prepared = prepare(draft, parts.clock(), parts.families, origin_of(parts, scope, draft))
    if prepared.guarded.signs:
        raise InvalidInput(
            f"From {draft.source}, this reads like an instruction ({', '.join(prepared.guarded.signs)}).",
            field="text",
            fix="Remember it instead: it is then kept for review, and changes nothing until somebody lets it in.",
        )
    return Ready(prepared, embed(parts, scope, [prepared]))


def tell(
    parts: Parts,
    scope: Scope,
    what: Ready,
    at: datetime,
    *,
    verb: Verb,
    root_id: str | None = None,
    subject: Called | None = None,
    trust: float | None = None,
    apart_from: Collection[str] = (),
) -> Memory:
    """Write the memory, with its entities; `subject` is what it is about, where the verb knows that better, `trust`
    that of the weakest it was derived from, `apart_from` what it will be linked to on purpose."""
    memory = replace(new_memory(scope, what.prepared, at, None), root_id=root_id)
    if trust is not None:
        memory = replace(memory, trust=min(memory.trust, trust))
    vectors = fitting(parts, scope, what.embedded).get(0)
    return add(parts, scope, what.prepared, memory, vectors, verb=verb, subject=subject, apart_from=apart_from)


def draw_contradiction(parts: Parts, scope: Scope, memory: Memory, to_id: str, reason: str) -> str:
    """The system noticed that a memory that was just told disagrees with another; returns the id of the link."""
    return draw_link(parts, scope, memory, to_id, LinkType.CONTRADICTS, reason, NOTICED, origin=LinkOrigin.SYSTEM)


def draw_link(
    parts: Parts,
    scope: Scope,
    memory: Memory,
    to_id: str,
    type_: LinkType,
    reason: str | None = None,
    confidence: float = EXPLICIT,
    origin: LinkOrigin | None = None,
) -> str:
    """A link from a memory that was just told; returns its id."""
    at = memory.created_at
    link = Link(
        id=new_id(LINK_PREFIX, at),
        from_id=memory.id,
        to_id=to_id,
        type=type_,
        confidence=confidence,
        created_by=origin or (LinkOrigin.USER if memory.provenance.source is Source.USER else LinkOrigin.LLM),
        author=scope.agent,
        reason=reason,
        valid_from=memory.valid_from,
        valid_until=None,
        known_from=at,
    )
    parts.store.links.add(scope, link)
    return link.id
