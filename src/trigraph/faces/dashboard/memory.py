"""One memory, whole: where it came from, what became of it, what it is tied to, and what can be done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trigraph.faces import wire
from trigraph.faces.dashboard import memories
from trigraph.faces.dashboard.cards import Card, card_of, memory_url, minute, one_line
from trigraph.faces.dashboard.compositions import FRONTIER, Line, line_of
from trigraph.faces.dashboard.compositions import PATH as COMPOSITIONS
from trigraph.faces.dashboard.diffing import Piece, differences
from trigraph.faces.dashboard.frame import Action, Answer, Asked, Done, Page, Shown, address_of
from trigraph.faces.dashboard.notices import Notice
from trigraph.faces.library import Trigraph
from trigraph.model.access_log import AccessLog
from trigraph.model.change import HistoryStep, MemoryHistory
from trigraph.model.entity import Mention
from trigraph.model.ids import short_id
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.memory import Kind, Memory
from trigraph.model.relation import Relation

PATH = "/memories/{name}"
THREAD_REACH = 3
LINKS_SHOWN = 100
STEPS_SHOWN = 50
EXPLICIT = "explicit"
COMPOSITIONS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A link as its memory's page tells it: where to, how sure, and who drew it."""

    id: str
    told: str
    url: str
    text: str
    confidence: str
    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened to the memory or to what it replaced; `pieces` are what that changed of the text."""

    at: str
    verb: str
    by: str
    url: str
    short_id: str
    reason: str
    changed: tuple[str, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Detail:
    """One memory, whole. `hidden` says whether automatic links are left out; `switch_url` shows or hides them."""

    card: Card
    title: str
    text: str
    facts: tuple[tuple[str, str], ...]
    held: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    mentions: tuple[Mention, ...]
    access: AccessLog
    around: tuple[Card, ...]
    links: tuple[LinkLine, ...]
    automatic: int
    hidden: bool
    switch_url: str
    relations: tuple[Relation, ...]
    compositions: tuple[Line, ...]
    compositions_url: str
    frontier_url: str
    link_types: tuple[str, ...]


def show(asked: Asked) -> Answer:
    """One memory; with `links` explicit, without those that were drawn automatically. The end of an id leads to the
    whole. Raises NotFound, or InvalidInput for what cannot be an id."""
    memory = asked.memory
    found = memory.engine.find(memory.scope, asked.named["name"])
    if asked.named["name"] != found.id:
        return Done(address_of(memory_url(found.id), *asked.query.pairs))
    hidden = asked.query.one("links") == EXPLICIT
    drawn = memory.links(found.id)
    shown = [one for one in drawn if not hidden or one.created_by is not LinkOrigin.SYSTEM][:LINKS_SHOWN]
    others = memory.engine.find_all(
        memory.scope, {one.to_id if one.from_id == found.id else one.from_id for one in shown}
    )
    history, access = memory.history(found.id), memory.access(found.id)
    assert isinstance(history, MemoryHistory)
    around, relations, mentions = _around(memory, found), _relations(memory, found), memory.mentions(found.id)
    composed = memory.compositions_of(found.id, limit=COMPOSITIONS_SHOWN)
    view = Detail(
        card=card_of(found),
        title=found.topic or f"{found.kind.value.capitalize()} {short_id(found.id)}",
        text=found.text,
        facts=tuple(wire.memory_facts(found)),
        held=_held(found, access),
        steps=_steps(history),
        mentions=tuple({one.entity_id: one for one in mentions}.values()),
        access=access,
        around=tuple(card_of(one) for one in around),
        links=tuple(_link_lines(found.id, shown, others)),
        automatic=sum(one.created_by is LinkOrigin.SYSTEM for one in drawn),
        hidden=hidden,
        switch_url=memory_url(found.id) if hidden else f"{memory_url(found.id)}?links={EXPLICIT}",
        relations=relations,
        compositions=tuple(line_of(one) for one in composed),
        compositions_url=address_of(COMPOSITIONS, memory=found.id),
        frontier_url=address_of(FRONTIER, around=found.id),
        link_types=tuple(one.value for one in LinkType),
    )
    data = {
        "memory": found,
        "history": history,
        "mentions": mentions,
        "links": shown,
        "access": access,
        "around": around,
        "relations": relations,
        "compositions": composed,
    }
    return Shown("memory.html", view, data)


def correct(asked: Asked) -> Done:
    """It was never true: another takes its place."""
    name = asked.named["name"]
    changed = asked.memory.correct(name, asked.form.one("text"), reason=asked.form.given("reason"))
    return Done(memory_url(changed.id), Notice("correct", changed.replaced))


def supersede(asked: Asked) -> Done:
    """It was true until then: another follows."""
    fields = {name: asked.form.given(name) for name in ("reason", "valid_from") if asked.form.given(name)}
    changed = asked.memory.supersede(asked.named["name"], asked.form.one("text"), **fields)
    return Done(memory_url(changed.id), Notice("supersede", changed.replaced))


def vote(asked: Asked) -> Done:
    """It is right, or wrong."""
    value = -1 if asked.form.one("value") == "-1" else 1
    asked.memory.vote(asked.named["name"], value, asked.form.given("reason"))
    return Done(memory_url(asked.named["name"]), Notice("vote"))


def link(asked: Asked) -> Done:
    """Draw a link from it."""
    reason, type_ = asked.form.given("reason"), asked.form.one("type", "relates_to")
    changed = asked.memory.link(asked.named["name"], asked.form.one("to_id"), type_, reason=reason)
    return Done(memory_url(asked.named["name"]), Notice("link", changed.ids[:1]))


def unlink(asked: Asked) -> Done:
    """Links hold no longer."""
    ids = asked.form.all("ids")
    for one in ids:
        asked.memory.unlink(one)
    return Done(asked.back, Notice("unlink", ids) if ids else Notice("nothing"))


def _held(found: Memory, access: AccessLog) -> tuple[tuple[str, str], ...]:
    """How firmly it is held by now."""
    return (
        ("trust", f"{found.trust:.0%}"),
        ("confidence now", f"{access.effective_confidence:.0%}"),
        ("confidence when last referenced", f"{access.confidence:.0%}"),
        ("retention", f"{access.retention:.0%}"),
        ("last verified", minute(found.last_verified_at) or "never"),
        ("said again", f"{len(access.restatements)} times" if access.restatements else "never"),
        ("shown by your recalls", f"{access.shown_count:,} times"),
        ("used by you", f"{len(access.used):,} times"),
    )


def _steps(history: MemoryHistory) -> tuple[Step, ...]:
    """What happened, the latest first; a text that took the place of another is told by what changed."""
    texts = {one.id: one.text for one in history.memories}
    replaced = {
        link.from_id: link.to_id for link in history.links if link.type in (LinkType.SUPERSEDES, LinkType.CORRECTS)
    }
    told: set[str] = set()
    steps = []
    for step in history.steps[:STEPS_SHOWN]:
        before = replaced.get(step.memory_id)
        pieces: tuple[Piece, ...] = ()
        if before in texts and step.memory_id not in told:
            told.add(step.memory_id)
            pieces = differences(texts[before], step.text)
        steps.append(_step(step, pieces))
    return tuple(reversed(steps))


def _step(step: HistoryStep, pieces: tuple[Piece, ...]) -> Step:
    changed = tuple(
        f"{name.replace('_', ' ')}: {_told(before)} → {_told(after)}" for name, (before, after) in step.changed.items()
    )
    url, short = memory_url(step.memory_id), short_id(step.memory_id)
    return Step(minute(step.at), step.verb.value, step.by, url, short, step.reason or "", changed, pieces)


def _told(value: object) -> str:
    shown = wire.to_json(value)
    return ", ".join(map(str, shown)) if isinstance(shown, list) else "nothing" if shown is None else str(shown)


def _around(memory: Trigraph, found: Memory) -> tuple[Memory, ...]:
    """What was said around an episode, in order."""
    if found.place is None:
        return ()
    seq = found.place.seq
    near = memory.list(thread=found.place.thread_id, first_seq=seq - THREAD_REACH, last_seq=seq + THREAD_REACH)
    return tuple(reversed(near.memories))


def _link_lines(own_id: str, links: Sequence[Link], others: Mapping[str, Memory]) -> list[LinkLine]:
    lines = []
    for link in links:
        outgoing = link.from_id == own_id
        other = others[link.to_id if outgoing else link.from_id]
        lines.append(
            LinkLine(
                id=link.id,
                told=f"{link.type.value} →" if outgoing else f"← {link.type.value}",
                url=memory_url(other.id),
                text=one_line(other.text),
                confidence=f"{link.confidence:.2f}",
                origin="automatic" if link.created_by is LinkOrigin.SYSTEM else f"by {link.created_by.value}",
                reason=link.reason or "",
            )
        )
    return lines


def _relations(memory: Trigraph, found: Memory) -> tuple[Relation, ...]:
    """Relations of the document whose text the memory is."""
    if found.kind is not Kind.DOCUMENT or found.subject is None:
        return ()
    return tuple(memory.relations(found.subject.id)[:LINKS_SHOWN])


PAGES = (Page(PATH, show),)
ACTIONS = (
    Action("/memories/unlink", unlink, page=memories.show),
    Action("/memories/{name}/do", memories.do, page=show),
    Action("/memories/{name}/correct", correct, page=show),
    Action("/memories/{name}/supersede", supersede, page=show),
    Action("/memories/{name}/vote", vote, page=show),
    Action("/memories/{name}/link", link, page=show),
)
