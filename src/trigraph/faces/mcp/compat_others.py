"""Tools of the toolset `compat`: the memory_ names, mem0_search, save, search and evolve."""

from __future__ import annotations

from typing import Any

from trigraph.errors import InvalidInput, invalid_choice
from trigraph.faces import wire
from trigraph.faces.mcp import compat_shapes as shapes
from trigraph.faces.mcp import schemas as s
from trigraph.faces.mcp.keeping import FROM
from trigraph.faces.mcp.tooling import Answer, Caller, Given, ToolSpec
from trigraph.model.change import Changed
from trigraph.model.memory import OutcomeResult
from trigraph.model.recall import Hit

MAX_DELETIONS = 3
SAVES = ("decision", "checkpoint", "insight", "context")


def memory_store(caller: Caller, given: Given) -> Answer:
    """remember, with what the memory speaks of. Importance counts as confidence does: it moves the rank a little."""
    shapes.check_agent(caller, given)
    fields = {name: given[name] for name in ("tags", "pinned") if name in given}
    fields |= shapes.kind_or_type(given["type"]) if "type" in given else {}
    fields |= {"confidence": given["importance"]} if "importance" in given else {}
    report = caller.memory.remember(given["content"], source=FROM, session=caller.session, **fields)
    mentions = wire.to_json(caller.memory.mentions(report.id)) if report.id else []
    item = report.items[0]
    return Answer({"id": report.id, "status": item.status.value, "reason": item.reason, "entities": mentions})


def memory_search(caller: Caller, given: Given) -> Answer:
    """recall, with the constraints that hold."""
    shapes.check_agent(caller, given)
    found = caller.memory.recall(
        given["query"],
        limit=given.get("limit", 10),
        expand=given.get("expand", True),
        created_after=given.get("since"),
        created_before=given.get("until"),
        session=caller.session,
        tags=given.get("tags", ()),
        **shapes.wanted_type(given),
    )
    data = {"results": [_result(hit) for hit in found.hits], "constraints": wire.to_json(found.constraints)}
    return Answer({**data, "recall_id": found.id})


def memory_correct(caller: Caller, given: Given) -> Answer:
    """correct, by an id or by words that only one memory holds."""
    meant = shapes.one_memory(caller, given)
    changed = caller.memory.correct(
        meant, given["corrected_text"], reason=given.get("reason"), source=FROM, session=caller.session
    )
    return Answer({"old_id": changed.replaced[0], "new_id": changed.id})


def memory_forget(caller: Caller, given: Given) -> Answer:
    """forget, never more than max_deletions at once."""
    if ("id" in given) == ("query" in given):
        raise InvalidInput("Give id, or query.", field="id", fix="Give exactly one of them.")
    ids, query = ([given["id"]] if "id" in given else []), given.get("query")
    preview = caller.memory.forget(*ids, query=query, dry_run=True)
    most = wire.whole(given.get("max_deletions", MAX_DELETIONS), "max_deletions")
    if given.get("dry_run", query is not None) is not False:
        shown = [{"id": id_, "content": caller.memory.get(id_).text} for id_ in preview.ids]
        return Answer({"dry_run": True, "ids": list(preview.ids), "preview": shown})
    if len(preview.ids) > most:
        raise InvalidInput(
            f"{len(preview.ids)} memories would be forgotten, more than {most}.",
            field="max_deletions",
            fix="Give more words, or raise max_deletions.",
        )
    done: Changed = caller.memory.forget(*preview.ids, dry_run=False) if preview.ids else preview
    return Answer({"dry_run": False, "ids": list(done.ids)})


def mem0_search(caller: Caller, given: Given) -> Answer:
    """recall over all domains."""
    found = caller.memory.recall(given["query"], limit=given.get("limit", 10), all_domains=True, session=caller.session)
    results = [{"memory": hit.excerpt.text, **_result(hit)} for hit in found.hits]
    return Answer({"results": results, "recall_id": found.id})


def save(caller: Caller, given: Given) -> Answer:
    """decide, checkpoint or remember, by type."""
    sort = given["type"]
    if sort not in SAVES:
        raise invalid_choice("type", sort, SAVES)
    told = given.get("decision") if sort == "decision" else given.get("summary", given.get("decision"))
    if told is None:
        field = "decision" if sort == "decision" else "summary"
        raise InvalidInput(f"{field} is missing.", field=field, fix=f"A {sort} needs it.")
    fields = {name: given[name] for name in ("topic", "confidence") if name in given}
    fields |= {"source": FROM, "session": caller.session}
    if sort == "decision":
        if "topic" not in given:
            raise InvalidInput("topic is missing.", field="topic", fix="A decision is on a topic.")
        reasoning, supersedes = given.get("reasoning"), given.get("supersedes")
        return _saved(caller.memory.decide(told, reasoning=reasoning, supersedes=supersedes, **fields))
    if sort == "checkpoint":
        return _saved(caller.memory.checkpoint(told, implements=given.get("implements", ()), **fields))
    report = caller.memory.remember(told, kind=sort, **fields)
    links = wire.to_json(caller.memory.links(report.id)) if report.id else []
    return Answer({"id": report.id, "links": [one["id"] for one in links]})


def search(caller: Caller, given: Given) -> Answer:
    """recall; seen from a memory, what is linked to it first."""
    limit = wire.whole(given.get("limit", 10), "limit")
    if "context_memory_id" not in given:
        wanted = shapes.wanted_type(given)
        found = caller.memory.recall(given["query"], limit=limit, session=caller.session, **wanted)
        results = [{**_result(hit), "link_type": None, "confidence": hit.effective_confidence} for hit in found.hits]
        return Answer({"results": results, "recall_id": found.id})
    trace = caller.memory.trace_context(given["query"], given["context_memory_id"])
    steps = [step for step in trace.steps if given.get("type") in (None, step.memory.kind, step.memory.type)]
    return Answer(
        {
            "results": [
                {
                    "id": step.memory.id,
                    "content": step.memory.text,
                    "kind": step.memory.kind.value,
                    "score": step.score,
                    "link_type": step.via.type.value if step.via else None,
                    "confidence": step.via.confidence if step.via else step.memory.confidence,
                }
                for step in steps[: max(limit, 0)]
            ]
        }
    )


def evolve(caller: Caller, given: Given) -> Answer:
    """evolve, with the link from the outcome."""
    changed = caller.memory.evolve(
        given["memory_id"], given["outcome"], given.get("reason"), source=FROM, session=caller.session
    )
    link = changed.links[0] if changed.links else None
    return Answer({"id": changed.id, "outcome_id": changed.id, "link": link})


def _result(hit: Hit) -> dict[str, Any]:
    return {**shapes.scored(hit), "kind": hit.memory.kind.value, "type": hit.memory.type.value, "why": hit.why}


def _saved(changed: Changed) -> Answer:
    return Answer({"id": changed.id, "links": list(changed.links)})


_FORGET = {
    "query": s.text("All memories with every word of it"),
    "id": s.text(),
    "dry_run": s.flag("By query, true unless said otherwise"),
    "max_deletions": s.whole(default=MAX_DELETIONS),
}
_FORGOTTEN = s.record({"dry_run": s.flag(), "ids": s.texts(), "preview": s.listed(s.anything())}, ["dry_run", "ids"])


def _forget_tool(name: str) -> ToolSpec:
    return ToolSpec(
        name=name,
        description="Other name of forget: at most max_deletions at once.",
        arguments=_FORGET,
        required=(),
        answer=_FORGOTTEN,
        example={"query": "old staging address", "dry_run": True},
        run=memory_forget,
        destroys=True,
        closed=False,
    )


TOOLS = (
    ToolSpec(
        name="memory_store",
        description="Other name of remember.",
        arguments={
            "content": s.text(),
            "type": s.text("A kind of memory, or the type of what it is about"),
            "importance": s.number("0 to 1"),
            "tags": s.texts(),
            "pinned": s.flag(),
            "agent_id": s.text("The agent that this server speaks for"),
        },
        required=("content",),
        answer=s.record({"id": s.maybe(s.text()), "entities": s.listed(s.anything())}, ["id", "entities"]),
        example={"content": "Ana prefers tabs.", "type": "preference"},
        run=memory_store,
        closed=False,
    ),
    ToolSpec(
        name="memory_search",
        description="Other name of recall.",
        arguments={
            "query": s.text(),
            "limit": s.whole(default=10),
            "type": s.text(),
            "tags": s.texts(),
            "since": s.text("Learned then or later"),
            "until": s.text("Learned before"),
            "expand": s.flag(default=True),
            "agent_id": s.text("The agent that this server speaks for"),
        },
        required=("query",),
        answer=s.record(
            {"results": s.listed(s.anything()), "constraints": s.listed(s.anything())}, ["results", "constraints"]
        ),
        example={"query": "tabs or spaces?"},
        run=memory_search,
        reads=True,
        closed=False,
    ),
    ToolSpec(
        name="memory_correct",
        description="Other name of correct.",
        arguments={
            "id": s.text(),
            "query": s.text("Words that only that memory holds"),
            "corrected_text": s.text(),
            "reason": s.text(),
        },
        required=("corrected_text",),
        answer=s.record({"old_id": s.text(), "new_id": s.text()}, ["old_id", "new_id"]),
        example={"id": "1a2b3c4d", "corrected_text": "Ana prefers spaces."},
        run=memory_correct,
        closed=False,
    ),
    _forget_tool("memory_forget"),
    _forget_tool("fact_retract"),
    ToolSpec(
        name="mem0_search",
        description="Other name of recall, over all domains.",
        arguments={"query": s.text(), "limit": s.whole(default=10)},
        required=("query",),
        answer=shapes.RESULTS,
        example={"query": "tabs or spaces?"},
        run=mem0_search,
        reads=True,
        closed=False,
    ),
    ToolSpec(
        name="save",
        description="Other name of decide, checkpoint and remember, by type.",
        arguments={
            "type": s.text(of=SAVES),
            "topic": s.text(),
            "decision": s.text(),
            "reasoning": s.text(),
            "confidence": s.number("0 to 1"),
            "supersedes": s.text(),
            "summary": s.text("checkpoint, insight, context"),
            "implements": s.texts("checkpoint: ids of decisions"),
        },
        required=("type",),
        answer=s.record({"id": s.maybe(s.text()), "links": s.texts()}, ["id", "links"]),
        example={"type": "decision", "topic": "auth", "decision": "Use JWT"},
        run=save,
        closed=False,
    ),
    ToolSpec(
        name="search",
        description="Other name of recall; with context_memory_id, of trace context.",
        arguments={
            "query": s.text(),
            "context_memory_id": s.text(),
            "type": s.text(),
            "limit": s.whole(default=10),
        },
        required=("query",),
        answer=shapes.RESULTS,
        example={"query": "how do sessions end?"},
        run=search,
        reads=True,
        closed=False,
    ),
    ToolSpec(
        name="evolve",
        description="Records what came of a memory.",
        arguments={"memory_id": s.text(), "outcome": s.text(of=OutcomeResult), "reason": s.text()},
        required=("memory_id", "outcome"),
        answer=s.record({"id": s.text(), "outcome_id": s.text(), "link": s.maybe(s.text())}, ["outcome_id", "link"]),
        example={"memory_id": "1a2b3c4d", "outcome": "FAILED", "reason": "No way to revoke"},
        run=evolve,
        closed=False,
    ),
)
