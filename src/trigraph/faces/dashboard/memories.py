"""The memories: listed, narrowed, searched, and dealt with in bulk."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.errors import InvalidInput
from trigraph.faces.dashboard.cards import Card, LegLine, card_of, counted, hit_card, leg_line
from trigraph.faces.dashboard.frame import Action, Asked, Done, Page, Shown, address_of
from trigraph.faces.dashboard.notices import Notice
from trigraph.model.recall import Recall

PATH = "/memories"
PAGE_SIZE = 50
SEARCH_LIMIT = 20


@dataclass(frozen=True, slots=True)
class Answered:
    """What recall said beside its hits: how sure it is that memory has something, what holds anyway, how legs fared."""

    told: str
    nothing_found: bool
    certainty: str | None
    constraints: tuple[tuple[str, str, str], ...]
    constraints_left_out: int
    conflicts: tuple[tuple[str, str, str, str, str], ...]
    legs: tuple[LegLine, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of memories, or the answer to a search."""

    query: str
    kind: str
    kinds: tuple[tuple[str, int], ...]
    total: int
    cards: tuple[Card, ...]
    older_url: str | None
    answered: Answered | None
    problems: tuple[str, ...]
    told: str


def show(asked: Asked) -> Shown:
    """Memories newest first; with a query, what recall answers."""
    memory, query, kind = asked.memory, asked.query.one("q"), asked.query.one("kind")
    stats, health = memory.stats(), memory.health()
    wanted = (kind,) if kind else ()
    told = f"{counted(stats.memories, 'memory', 'memories')}, {counted(stats.threads, 'thread', 'threads')}"
    answered, older = None, None
    data: dict[str, object] = {"stats": stats}
    if query:
        recall = memory.recall(query, limit=SEARCH_LIMIT, kinds=wanted)
        cards = tuple(hit_card(hit, recall.conflicts) for hit in recall.hits)
        answered, data["recall"] = _answered(recall), recall
    else:
        page = memory.list(limit=PAGE_SIZE, cursor=asked.query.given("cursor"), kinds=wanted)
        cards = tuple(card_of(one) for one in page.memories)
        older = address_of(PATH, kind=kind, cursor=page.next_cursor) if page.next_cursor else None
        data["page"] = page
    kinds = tuple(stats.by_kind.items())
    view = Listing(query, kind, kinds, stats.memories, cards, older, answered, health.problems, told)
    return Shown("memories.html", view, data)


def do(asked: Asked) -> Done:
    """Deal with memories, one or many, as a form says."""
    verb, ids, memory = asked.form.one("do"), asked.form.all("ids"), asked.memory
    if not ids:
        return Done(asked.back, Notice("nothing"))
    reason = asked.form.given("reason")
    match verb:
        case "forget":
            memory.forget(*ids, reason=reason)
        case "archive":
            for one in ids:
                memory.archive(one, reason=reason)
        case "restore":
            for one in ids:
                memory.restore(one)
        case "reverify":
            for one in ids:
                memory.reverify(one)
        case "share":
            for one in ids:
                memory.share(one, asked.form.given("visibility"), group=asked.form.given("group"))
        case _:
            raise InvalidInput(
                f"{verb[:40]!r} is nothing to do with memories.",
                field="do",
                allowed=("forget", "archive", "restore", "reverify", "share"),
            )
    return Done(asked.back, Notice(verb, ids))


def _answered(recall: Recall) -> Answered:
    return Answered(
        told=f"class {recall.plan.query_class.value}, {recall.milliseconds:.0f} ms",
        nothing_found=recall.nothing_found,
        certainty=None if recall.certainty is None else f"{recall.certainty:.0%}",
        constraints=tuple((one.id, one.text, one.why) for one in recall.constraints),
        constraints_left_out=recall.constraints_left_out,
        conflicts=tuple(
            (one.first_id, one.first_text, one.second_id, one.second_text, one.reason or "") for one in recall.conflicts
        ),
        legs=tuple(leg_line(leg) for leg in recall.legs),
    )


PAGES = (Page(PATH, show, label="Memories"),)
ACTIONS = (Action("/memories/do", do, page=show),)
