"""The memories: listed, narrowed, searched, and dealt with in bulk."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.errors import InvalidInput
from trigraph.faces.dashboard.cards import Card, LegLine, card_of, hit_card, leg_line
from trigraph.faces.dashboard.exporting import export
from trigraph.faces.dashboard.frame import Action, Asked, Done, Page, Shown, address_of
from trigraph.faces.dashboard.narrowing import Chip, Facet, chips_of, facets_of, filters_of, kept, recall_filters
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
    """A list of memories, or the answer to a search. `narrowed` says whether a filter is in force; `live`, whether what
    is new would stand at the top."""

    query: str
    kept: tuple[tuple[str, str], ...]
    chips: tuple[Chip, ...]
    facets: tuple[Facet, ...]
    total: int
    cards: tuple[Card, ...]
    first_url: str | None
    older_url: str | None
    csv_url: str
    json_url: str
    answered: Answered | None
    status: str
    live: bool


def show(asked: Asked) -> Shown:
    """Memories newest first; with a query, what recall answers."""
    memory, query = asked.memory, asked.query
    said, cursor, pairs = query.one("q"), query.given("cursor"), kept(query)
    facets = memory.facets(**filters_of(query))
    data: dict[str, object] = {"facets": facets}
    answered, older = None, None
    if said:
        recall = memory.recall(said, limit=SEARCH_LIMIT, **recall_filters(query))
        cards = tuple(hit_card(hit, recall.conflicts) for hit in recall.hits)
        answered, data["recall"] = answered_of(recall), recall
    else:
        page = memory.list(limit=PAGE_SIZE, cursor=cursor, **filters_of(query))
        cards = tuple(card_of(one) for one in page.memories)
        older = address_of(PATH, *pairs, cursor=page.next_cursor) if page.next_cursor else None
        data["page"] = page
    view = Listing(
        query=said,
        kept=kept(query, "q"),
        chips=chips_of(PATH, query),
        facets=facets_of(PATH, facets, query),
        total=facets.total,
        cards=cards,
        first_url=address_of(PATH, *pairs) if cursor and not said else None,
        older_url=older,
        csv_url=address_of("/memories/export", *pairs, ("as", "csv")),
        json_url=address_of("/memories/export", *pairs, ("as", "json")),
        answered=answered,
        status=query.one("status", "active") or "active",
        live=not said and not pairs and cursor is None,
    )
    return Shown("memories.html", view, data)


def do(asked: Asked) -> Done:
    """Deal with memories as a form says, one or many: with all of them, or with none."""
    verb, ids, memory = asked.form.one("do"), asked.form.all("ids"), asked.memory
    if not ids:
        return Done(asked.back, Notice("nothing"))
    reason, (first, *others) = asked.form.given("reason"), ids
    match verb:
        case "forget":
            memory.forget(*ids, reason=reason)
        case "archive":
            memory.archive(first, others=others, reason=reason)
        case "restore":
            memory.restore(first, others=others)
        case "reverify":
            memory.reverify(first, others=others)
        case "share":
            memory.share(first, asked.form.given("visibility"), others=others, group=asked.form.given("group"))
        case _:
            raise InvalidInput(
                f"{verb[:40]!r} is nothing to do with memories.",
                field="do",
                allowed=("forget", "archive", "restore", "reverify", "share"),
            )
    return Done(asked.back, Notice(verb, ids))


def answered_of(recall: Recall) -> Answered:
    """What a recall said beside its hits."""
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


PAGES = (Page(PATH, show, label="Memories"), Page("/memories/export", export))
ACTIONS = (Action("/memories/do", do, page=show),)
