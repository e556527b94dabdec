"""What the tools of other designs take and answer, in their words: shared by the toolset `compat`."""

from __future__ import annotations

from typing import Any

from trigraph.errors import Forbidden, InvalidInput, NotFound, invalid_choice
from trigraph.faces import wire
from trigraph.faces.mcp import schemas as s
from trigraph.faces.mcp.tooling import Caller, Given
from trigraph.model.memory import EntityType, Kind, Memory, SessionDetails
from trigraph.model.query import Leg
from trigraph.model.recall import Hit

SCORES = {"vec_score": Leg.VECTOR, "lex_score": Leg.LEXICAL, "graph_score": Leg.GRAPH}
RESULTS = s.record({"results": s.listed(s.anything())}, ["results"])
ID_AND_STATE = s.record({"id": s.text(), "state": s.maybe(s.anything())}, ["id", "state"])


def scored(hit: Hit) -> dict[str, Any]:
    """A hit with its score on each leg, 0 where a leg did not find it."""
    legs = {name: hit.legs[leg].raw if leg in hit.legs else 0.0 for name, leg in SCORES.items()}
    return {
        "id": hit.memory.id,
        "content": hit.excerpt.text,
        **legs,
        "temporal_score": hit.staleness.temporal_score,
        "score": hit.score,
        "staleness": wire.to_json(hit.staleness),
    }


def kind_or_type(value: object) -> dict[str, Any]:
    """Other designs have one word for the kind of a memory and the type of its subject: a kind, if it is one."""
    if value in tuple(Kind):
        return {"kind": value}
    if value in tuple(EntityType):
        return {"type": value}
    raise invalid_choice("type", value, dict.fromkeys([*map(str, Kind), *map(str, EntityType)]))


def wanted_type(given: Given) -> dict[str, Any]:
    """The same as a filter of recall."""
    return {f"{name}s": [value] for name, value in kind_or_type(given["type"]).items()} if "type" in given else {}


def check_agent(caller: Caller, given: Given) -> None:
    """A call speaks for the agent that the server was started for, and for no other."""
    named = given.get("agent_id")
    if named is not None and named != caller.memory.scope.agent:
        raise Forbidden("This server speaks for another agent.", fix="Leave agent_id out, or start one for that agent.")


def one_memory(caller: Caller, given: Given) -> str:
    """The memory of an id, or the only one that holds every word of a query."""
    if ("id" in given) == ("query" in given):
        raise InvalidInput("Give id, or query.", field="id", fix="Give exactly one of them.")
    if "id" in given:
        return wire.text_of(given["id"], "id")
    found = caller.memory.forget(query=given["query"], dry_run=True).ids
    if not found:
        raise NotFound("No memory holds all these words.", fix="Give other words, or the id.")
    if len(found) > 1:
        raise InvalidInput(
            f"{len(found)} memories hold all these words.",
            field="query",
            allowed=found,
            fix="Give more words, or the id.",
        )
    return found[0]


def tallies(memory: Memory) -> dict[str, int]:
    """How often each kind of citation was made in the session that a memory closes."""
    return dict(memory.details.citations) if isinstance(memory.details, SessionDetails) else {}


def with_front_matter(body: str, values: dict[str, Any]) -> str:
    """A document with these values in its front matter, above those that it has."""
    lines = "".join(f"{name}: {value}\n" for name, value in values.items() if value is not None)
    if not lines:
        return body
    opened, newline, rest = body.partition("\n")
    return f"---\n{lines}{rest}" if newline and opened.strip() == "---" else f"---\n{lines}---\n{body}"
