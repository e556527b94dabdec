"""One memory, whole, with its links and what was said around it."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.faces import wire
from trigraph.faces.dashboard.cards import Card, card_of, memory_url, one_line
from trigraph.faces.dashboard.frame import Action, Answer, Asked, Done, Page, Shown, address_of
from trigraph.faces.library import Trigraph
from trigraph.model.ids import short_id
from trigraph.model.link import Link, LinkOrigin
from trigraph.model.memory import Kind, Memory
from trigraph.model.relation import Relation

THREAD_REACH = 3
LINKS_SHOWN = 100
EXPLICIT = "explicit"


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A link as its memory's page tells it: where to, how sure, and who drew it."""

    told: str
    url: str
    text: str
    confidence: str
    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class Detail:
    """One memory, whole. `hidden` says whether automatic links are left out; `switch_url` shows or hides them."""

    card: Card
    title: str
    text: str
    facts: tuple[tuple[str, str], ...]
    around: tuple[Card, ...]
    links: tuple[LinkLine, ...]
    automatic: int
    hidden: bool
    switch_url: str
    relations: tuple[Relation, ...]


def show(asked: Asked) -> Answer:
    """One memory; with `links` explicit, without those that were drawn automatically. The end of an id leads to the
    whole. Raises NotFound, or InvalidInput for what cannot be an id."""
    memory, found = asked.memory, asked.memory.get(asked.named["name"])
    if asked.named["name"] != found.id:
        return Done(address_of(memory_url(found.id), *asked.query.pairs))
    hidden = asked.query.one("links") == EXPLICIT
    drawn = memory.links(found.id)
    shown = [one for one in drawn if not hidden or one.created_by is not LinkOrigin.SYSTEM][:LINKS_SHOWN]
    around, relations = _around(memory, found), _relations(memory, found)
    view = Detail(
        card=card_of(found),
        title=found.topic or f"{found.kind.value.capitalize()} {short_id(found.id)}",
        text=found.text,
        facts=tuple(wire.memory_facts(found)),
        around=tuple(card_of(one) for one in around),
        links=tuple(_link_line(memory, found.id, one) for one in shown),
        automatic=sum(one.created_by is LinkOrigin.SYSTEM for one in drawn),
        hidden=hidden,
        switch_url=memory_url(found.id) if hidden else f"{memory_url(found.id)}?links={EXPLICIT}",
        relations=relations,
    )
    return Shown("memory.html", view, {"memory": found, "links": shown, "around": around, "relations": relations})


def _around(memory: Trigraph, found: Memory) -> tuple[Memory, ...]:
    """What was said around an episode, in order."""
    if found.place is None:
        return ()
    seq = found.place.seq
    near = memory.list(thread=found.place.thread_id, first_seq=seq - THREAD_REACH, last_seq=seq + THREAD_REACH)
    return tuple(reversed(near.memories))


def _link_line(memory: Trigraph, own_id: str, link: Link) -> LinkLine:
    outgoing = link.from_id == own_id
    other = memory.engine.find(memory.scope, link.to_id if outgoing else link.from_id)
    return LinkLine(
        told=f"{link.type.value} →" if outgoing else f"← {link.type.value}",
        url=memory_url(other.id),
        text=one_line(other.text),
        confidence=f"{link.confidence:.2f}",
        origin="automatic" if link.created_by is LinkOrigin.SYSTEM else f"by {link.created_by.value}",
        reason=link.reason or "",
    )


def _relations(memory: Trigraph, found: Memory) -> tuple[Relation, ...]:
    """Relations of the document whose text the memory is."""
    if found.kind is not Kind.DOCUMENT or found.subject is None:
        return ()
    return tuple(memory.relations(found.subject.id)[:LINKS_SHOWN])


PAGES = (Page("/memories/{name}", show),)
ACTIONS: tuple[Action, ...] = ()
