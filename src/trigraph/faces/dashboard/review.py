"""What waits for somebody to look at it: five queues, each with decisions of one key that can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from trigraph.errors import InvalidInput
from trigraph.faces.dashboard.cards import Card, card_of, entity_url
from trigraph.faces.dashboard.frame import Action, Asked, Done, Page, Shown, address_of
from trigraph.faces.dashboard.notices import Notice
from trigraph.model.access import Right
from trigraph.model.link import Link, LinkType
from trigraph.model.memory import Memory
from trigraph.model.resolution import Pair
from trigraph.model.review import HeldBack

PATH = "/review"
SHOWN = 50
STALE_DAYS = 180
"""What nobody has verified for so long is asked about."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision: what it is called, its key, and what the form says."""

    text: str
    key: str
    value: str
    danger: bool = False


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity of a pair."""

    url: str
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing to decide on: what it is about, and why it is asked."""

    id: str
    cards: tuple[Card, ...]
    things: tuple[Thing, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Queue:
    """The queue that is shown. `queues` are all of them: name, label, where each is, how much waits, whether it is
    this one; a `+` says that there is more."""

    name: str
    queues: tuple[tuple[str, str, str, bool], ...]
    told: str
    waiting: tuple[Waiting, ...]
    choices: tuple[Choice, ...]


QUARANTINE = (Choice("Let in", "a", "accept"), Choice("Refuse", "r", "refuse", danger=True))
IN_DOUBT = (
    Choice("Keep the first", "1", "first"),
    Choice("Keep the second", "2", "second"),
    Choice("Both stand", "n", "neither"),
)
PAIRS = (Choice("They are one", "o", "one"), Choice("They are two", "t", "two"))
STALE = (
    Choice("Still holds", "v", "reverify"),
    Choice("Archive", "a", "archive"),
    Choice("Forget", "f", "forget", danger=True),
)
QUEUES: dict[str, tuple[str, str, tuple[Choice, ...]]] = {
    "quarantine": ("Quarantine", "Held back because it reads like an instruction. It is never recalled.", QUARANTINE),
    "contradictions": ("Contradictions", "Two memories that disagree: the newer first.", IN_DOUBT),
    "duplicates": ("Duplicates", "Two memories that say the same.", IN_DOUBT),
    "pairs": ("Pairs of entities", "Two entities that may be one.", PAIRS),
    "stale": ("Stale", f"Nobody has said for {STALE_DAYS} days that it still holds.", STALE),
}
"""Every queue: its label, what it holds, what can be decided."""


def show(asked: Asked) -> Shown:
    """One of the queues, and how much waits in each."""
    name = asked.query.one("queue") or "quarantine"
    if name not in QUEUES:
        raise InvalidInput(f"{name[:40]!r} is no queue.", field="queue", allowed=QUEUES)
    found = _waiting(asked)
    queues = tuple(
        (label, address_of(PATH, queue=one), f"{len(found[one])}{'+' if len(found[one]) >= SHOWN else ''}", one == name)
        for one, (label, _, _) in QUEUES.items()
    )
    _, told, choices = QUEUES[name]
    view = Queue(name, queues, told, _told(asked, name, found[name]), choices)
    return Shown("review.html", view, {"queue": name, "waiting": found[name]})


def decide(asked: Asked) -> Done:
    """What was decided on one thing of a queue."""
    queue, id_, choice = asked.form.one("queue"), asked.form.one("id"), asked.form.one("choice")
    if queue not in QUEUES or choice not in {one.value for one in QUEUES[queue][2]}:
        raise InvalidInput(f"{choice[:40]!r} decides nothing there.", field="choice", fix="Use a button of the page.")
    match queue:
        case "quarantine":
            notice = _reviewed(asked, id_, accept=choice == "accept")
        case "contradictions" | "duplicates":
            notice = _settled(asked, id_, choice, "agree" if queue == "contradictions" else "differ")
        case "pairs":
            notice = _paired(asked, id_, one=choice == "one")
        case _:
            notice = _kept_or_not(asked, id_, choice)
    return Done(address_of(PATH, queue=queue), notice)


def doubt(asked: Asked) -> Done:
    """A link that was taken away holds again."""
    match asked.form.all("ids"):
        case (first, second):
            asked.memory.link(first, second, asked.form.one("type"), reason="reviewed again")
        case _:
            raise InvalidInput("A link is between two memories.", field="ids", fix="Use the button of the page.")
    return Done(asked.back, Notice("link"))


def _waiting(asked: Asked) -> dict[str, Sequence[HeldBack | Link | Pair | Memory]]:
    """What waits in each queue."""
    memory = asked.memory
    before = memory.engine.now(memory.scope) - timedelta(days=STALE_DAYS)
    return {
        "quarantine": memory.held_back(limit=SHOWN),
        "contradictions": memory.engine.linked(memory.scope, LinkType.CONTRADICTS, SHOWN),
        "duplicates": memory.engine.linked(memory.scope, LinkType.DUPLICATE_OF, SHOWN),
        "pairs": memory.pairs(limit=SHOWN),
        "stale": memory.list(limit=SHOWN, verified_before=before).memories,
    }


def _told(asked: Asked, name: str, found: Sequence[HeldBack | Link | Pair | Memory]) -> tuple[Waiting, ...]:
    links = [one for one in found if isinstance(one, Link)]
    ends = {end for one in links for end in (one.from_id, one.to_id)}
    memories = asked.memory.engine.find_all(asked.memory.scope, ends) if ends else {}
    return tuple(_one_told(one, memories) for one in found)


def _one_told(one: HeldBack | Link | Pair | Memory, memories: dict[str, Memory]) -> Waiting:
    match one:
        case HeldBack(memory, signs):
            return Waiting(memory.id, (card_of(memory),), (), ", ".join(signs))
        case Link():
            cards = (card_of(memories[one.from_id]), card_of(memories[one.to_id]))
            return Waiting(one.id, cards, (), one.reason or f"confidence {one.confidence:.2f}")
        case Pair():
            things = tuple(Thing(entity_url(end.id), end.name, end.type.value) for end in (one.one, one.other))
            return Waiting(one.id, (), things, f"{one.score:.0%}: {one.reason}")
        case Memory():
            return Waiting(one.id, (card_of(one),), (), "")


def _reviewed(asked: Asked, id_: str, *, accept: bool) -> Notice:
    asked.memory.review(id_, accept=accept, reason=asked.form.given("reason"))
    return Notice("accept" if accept else "refuse", (id_,))


def _settled(asked: Asked, link_id: str, choice: str, word: str) -> Notice:
    """One of two memories is forgotten, or the link between them holds no longer."""
    ends = (asked.form.one("first"), asked.form.one("second"))
    if choice == "neither":
        asked.memory.unlink(link_id)
        return Notice(word, ends)
    gone = ends[1] if choice == "first" else ends[0]
    asked.memory.forget(gone, reason=f"reviewed: {ends[0] if choice == 'first' else ends[1]} was kept")
    return Notice("forget", (gone,))


def _paired(asked: Asked, pair_id: str, *, one: bool) -> Notice:
    changed = asked.memory.decide_pair(pair_id, one=one)
    return Notice("merge", changed.ids[:1]) if one else Notice("two")


def _kept_or_not(asked: Asked, memory_id: str, choice: str) -> Notice:
    match choice:
        case "reverify":
            asked.memory.reverify(memory_id)
        case "archive":
            asked.memory.archive(memory_id)
        case _:
            asked.memory.forget(memory_id)
    return Notice(choice, (memory_id,))


PAGES = (Page(PATH, show, label="Review", right=Right.REVIEW),)
ACTIONS = (Action("/review/decide", decide, page=show), Action("/review/doubt", doubt, page=show))
