"""Tools of the toolset `compat` on the ledger, with fields in camelCase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trigraph.errors import InvalidInput
from trigraph.faces import wire
from trigraph.faces.mcp import schemas as s
from trigraph.faces.mcp.composing import ARGUMENTS
from trigraph.faces.mcp.tooling import Answer, Caller, Given, ToolSpec

LIMIT_MOST = 100


def composed_graph(caller: Caller, given: Given) -> Answer:
    """The one door to the ledger."""
    _limit(given)
    found = caller.memory.composed_graph(**given)
    return Answer({name: camel_cased(value) for name, value in wire.to_json(found).items()})


def bounty_mode(caller: Caller, given: Given) -> Answer:
    """Lanes that are open and closed."""
    found = caller.memory.bounty_mode(limit=_limit(given), tags=given.get("tags", ()))
    return Answer({_camel(name): camel_cased(value) for name, value in wire.to_json(found).items()})


def deep_reference(caller: Caller, given: Given) -> Answer:
    """A question answered from the evidence."""
    answer = caller.memory.deep_reference(given["query"], depth=given.get("depth", 20), session=caller.session)
    found = wire.to_json(answer)
    plain = {name: found[name] for name in ("confidence", "status", "reasoning", "intent", "composition_event_id")}
    shown = ("evidence", "recommended", "replaced", "contradictions", "claim_conflicts", "timeline")
    nested = {_camel(name): camel_cased(found[name]) for name in shown}
    return Answer({**plain, **nested, "compositionWriteStatus": found["composition_write_status"]})


def _limit(given: Given) -> int:
    limit = wire.whole(given.get("limit", 10), "limit")
    if not 1 <= limit <= LIMIT_MOST:
        raise InvalidInput(f"limit is {limit}.", field="limit", fix=f"Choose a number from 1 to {LIMIT_MOST}.")
    return limit


def camel_cased(value: Any) -> Any:
    """Names of fields as other designs write them: `noveltyScore`."""
    match value:
        case Mapping():
            return {_camel(name): camel_cased(one) for name, one in value.items()}
        case list():
            return [camel_cased(one) for one in value]
        case _:
            return value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


TOOLS = (
    ToolSpec(
        name="deep_reference",
        description="A question answered from the evidence, with what was replaced and what disagrees.",
        arguments={"query": s.text(), "depth": s.whole("5 to 50", default=20)},
        required=("query",),
        answer=s.record(
            {"evidence": s.listed(s.anything()), "compositionWriteStatus": s.text()},
            ["evidence", "compositionWriteStatus"],
        ),
        example={"query": "Do we still use JWT for sessions?"},
        run=deep_reference,
        closed=False,
    ),
    ToolSpec(
        name="composed_graph",
        description="Which memories were used together, and what came of it.",
        arguments=ARGUMENTS,
        required=("action",),
        answer=s.record({"action": s.text(), "events": s.listed(s.anything())}, ["action"]),
        example={"action": "recent", "limit": 5},
        run=composed_graph,
        closed=False,
    ),
    ToolSpec(
        name="bounty_mode",
        description="Lanes composed lately, never composed, closed, at risk of a duplicate, or in need of a proof.",
        arguments={"tags": s.texts("On some member, all of them"), "limit": s.whole(default=10)},
        required=(),
        answer=s.record(
            {"neverComposedLanes": s.listed(s.anything()), "closedDoors": s.listed(s.anything())},
            ["neverComposedLanes", "closedDoors"],
        ),
        example={"limit": 5},
        run=bounty_mode,
        closed=False,
    ),
)
