"""remember: one memory or many, with links, or in place of what was true before."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from trigraph.errors import Conflict, InvalidInput
from trigraph.faces import wire
from trigraph.faces.mcp import schemas as s
from trigraph.faces.mcp import telling
from trigraph.faces.mcp.tooling import Answer, Caller, Given, ToolSpec
from trigraph.model.link import LinkType
from trigraph.model.memory import EntityType, Kind, Source, Visibility
from trigraph.model.report import ItemResult, ItemStatus, RememberReport

FROM = Source.AGENT.value
"""What a tool keeps was said by an agent, unless an item names another source."""
_FIELDS = ("kind", "type", "topic", "tags", "visibility", "occurred_at")
_TAKEN_OVER = ("kind", "type", "visibility")
_REPORT = s.record(
    {
        "items": s.listed(
            s.record(
                {
                    "status": s.text(of=ItemStatus),
                    "id": s.maybe(s.text()),
                    "reason": s.maybe(s.text()),
                    "code": s.maybe(s.text()),
                    "conflicts": s.texts("Memories that say otherwise."),
                },
                ["status", "id"],
            )
        ),
        "counts": s.anything(),
        "degraded": s.maybe(s.text()),
        "replayed": s.flag(),
    },
    ["items", "counts", "replayed"],
)


def remember(caller: Caller, given: Given) -> Answer:
    """Keep a text, or several items."""
    if ("text" in given) == ("items" in given):
        raise InvalidInput("Give text, or items.", field="text", fix="Give exactly one of them.")
    links = _links(caller, given)  # an unknown id is an error before anything is written
    if "items" in given:
        report = _many(caller, given)
    elif "supersedes" in given:
        report = _in_place(caller, given)
    else:
        report = caller.memory.remember(given["text"], **_key(given), **_fields(caller, given))
    if not report.replayed and report.id is not None:
        _link(caller, report.id, links)
    return Answer(wire.to_json(report), telling.report_text(report))


def _many(caller: Caller, given: Given) -> RememberReport:
    for name in ("links", "supersedes", "idempotency_key"):
        if name in given:
            raise InvalidInput(f"items take no {name}.", field=name, fix="Leave it out, or give one text.")
    items = given["items"]
    if not isinstance(items, list):
        raise InvalidInput("items must be a list.", field="items", fix="Give a list of texts or objects.")
    defaults = _fields(caller, given)
    return caller.memory.remember_batch([_with_defaults(item, defaults) for item in items])


def _with_defaults(item: Any, defaults: Mapping[str, Any]) -> Any:
    if isinstance(item, str):
        return {**defaults, "text": item}
    return {**defaults, **item} if isinstance(item, dict) else item


def _in_place(caller: Caller, given: Given) -> RememberReport:
    """The new memory takes over what the old one is and who may see it; it holds since `occurred_at`, or now."""
    for name in _TAKEN_OVER:
        if name in given:
            raise InvalidInput(
                f"{name} is taken over from what is superseded.",
                field=name,
                fix="Leave it out, or leave out supersedes.",
            )
    changed = caller.memory.supersede(
        given["supersedes"],
        given["text"],
        topic=given.get("topic"),
        tags=given.get("tags"),
        valid_from=given.get("occurred_at"),
        source=FROM,
        session=caller.session,
        **_key(given),
    )
    item = ItemResult(ItemStatus.UPDATED, changed.id, reason=f"supersedes {', '.join(changed.replaced)}")
    return RememberReport((item,), degraded=changed.degraded, replayed=changed.replayed)


def _link(caller: Caller, id_: str, links: list[tuple[str, str]]) -> None:
    """Draw the links that were asked for; those that are there already stay as they are."""
    for to, type_ in links:
        with suppress(Conflict):
            if to != id_:
                caller.memory.link(id_, to, type_, created_by="llm")


def _links(caller: Caller, given: Given) -> list[tuple[str, str]]:
    links = given.get("links", [])
    if not isinstance(links, list) or not all(isinstance(one, str | dict) for one in links):
        raise InvalidInput("links must be a list.", field="links", fix='Write it like [{"id": "1a2b3c4d"}].')
    named = [{"id": one} if isinstance(one, str) else one for one in links]
    return [
        (
            caller.memory.get(one.get("id", "")).id,
            wire.choice(LinkType, one.get("type") or LinkType.RELATES_TO, "type").value,
        )
        for one in named
    ]


def _fields(caller: Caller, given: Given) -> dict[str, Any]:
    told = {name: given[name] for name in _FIELDS if name in given}
    return {**told, "source": FROM, **({"session": caller.session} if caller.session else {})}


def _key(given: Given) -> dict[str, Any]:
    return {"idempotency_key": given.get("idempotency_key")}


TOOLS = (
    ToolSpec(
        name="remember",
        description=(
            "Call when something will matter later: a decision and why, a preference, a constraint, a root cause, how "
            "a thing works. One self-contained statement each, with names and numbers; no secrets, no chatter. Says if "
            "it was known already or conflicts."
        ),
        arguments={
            "text": s.text(),
            "items": {"type": "array", "description": "Several: texts, or objects with these fields"},
            "kind": s.text(of=Kind, default="fact"),
            "type": s.text("Of the thing that topic names", of=EntityType),
            "topic": s.text("In a few words"),
            "tags": s.texts(),
            "links": s.listed(
                {
                    "type": "object",
                    "properties": {"id": s.text(), "type": s.text(of=LinkType, default="relates_to")},
                    "required": ["id"],
                },
                "From it to these",
            ),
            "supersedes": s.text("Id of what was true until now"),
            "visibility": s.text(of=Visibility, default="shared"),
            "occurred_at": s.text("ISO time it happened"),
            "idempotency_key": s.text(),
        },
        required=(),
        answer=_REPORT,
        example={"text": "We use Postgres 16 because the team knows it.", "kind": "decision", "topic": "database"},
        run=remember,
        repeats=True,
    ),
)
