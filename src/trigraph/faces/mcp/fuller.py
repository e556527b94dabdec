"""The toolset `full`: documents, decisions, checkpoints, sessions, traces, entities and the audit."""

from __future__ import annotations

from typing import Any

from trigraph.errors import InvalidInput, invalid_choice
from trigraph.faces import wire
from trigraph.faces.mcp import schemas as s
from trigraph.faces.mcp import telling
from trigraph.faces.mcp.asking import CHANGED
from trigraph.faces.mcp.keeping import FROM
from trigraph.faces.mcp.tooling import Answer, Caller, Given, ToolSpec
from trigraph.model.memory import EntityType
from trigraph.model.trace import TraceMode

FIXUP = "memory-graph"
_DOCUMENT_ACTIONS = ("put", "list", "get", "status")
_ENTITY_ACTIONS = ("list", "get", "history", "relations", "resolve")


def documents(caller: Caller, given: Given) -> Answer:
    """Specs, ADRs, TODOs: any markdown with an id."""
    action, docs = _action(given, _DOCUMENT_ACTIONS), caller.memory.docs
    collection = {"collection": given["collection"]} if "collection" in given else {}
    if action == "put":
        report = docs.put(_need(given, "text"), id=given.get("id"), **collection, **_session(caller))
        return Answer({"report": wire.to_json(report)}, telling.report_text(report))
    if action == "status":
        changed = docs.status(_need(given, "id"), _need(given, "status"), **collection, **_session(caller))
        return Answer({"changed": wire.to_json(changed)}, telling.changed_text(changed))
    if action == "get":
        details = docs.get(_need(given, "id"), **collection)
        lines = [f"{one.source.name} {one.type.value} {one.target.name}" for one in details.relations]
        data = wire.to_json(details)
        if details.document.memory_id is not None:
            found = caller.memory.get(details.document.memory_id)
            data["text"] = found.text
            lines = [telling.memory_text(found), *lines]
        return Answer(data, telling.lines_of(lines, f"{details.document.name} is only referred to."))
    page = docs.list(limit=given.get("limit", 50), cursor=given.get("cursor"), **collection)
    lines = [f"{one.collection}/{one.name}" + ("  (only referred to)" if one.stub else "") for one in page.documents]
    return Answer(wire.to_json(page), telling.lines_of([*lines, *_more(page.next_cursor)], "No documents."))


def decide(caller: Caller, given: Given) -> Answer:
    """A decision on a topic."""
    return _changed(caller.memory.decide(source=FROM, **given, **_session(caller)))


def checkpoint(caller: Caller, given: Given) -> Answer:
    """How far the work has come."""
    return _changed(caller.memory.checkpoint(source=FROM, **given, **_session(caller)))


def wrap(caller: Caller, given: Given) -> Answer:
    """The end of a session."""
    session = given.get("session") or caller.session
    if session is None:
        raise InvalidInput("session is missing.", field="session", fix="Give the id of the session that ends.")
    rest = {name: value for name, value in given.items() if name != "session"}
    return _changed(caller.memory.wrap(session, source=FROM, **rest))


def trace(caller: Caller, given: Given) -> Answer:
    """Walk the links."""
    mode = given["mode"]
    if mode not in tuple(TraceMode):
        raise invalid_choice("mode", mode, TraceMode)
    times = {name: given[name] for name in ("as_of", "known_at") if name in given}
    if mode == TraceMode.EVOLUTION:
        found = caller.memory.trace_evolution(_need(given, "topic"), **times)
    elif mode == TraceMode.IMPACT:
        found = caller.memory.trace_impact(_need(given, "id"), **times)
    else:
        found = caller.memory.trace_context(_need(given, "query"), _need(given, "id"), **times)
    return Answer(wire.to_json(found), telling.trace_text(found))


def entities(caller: Caller, given: Given) -> Answer:
    """The things that memories speak of."""
    action, memory = _action(given, _ENTITY_ACTIONS), caller.memory
    times = {name: given[name] for name in ("as_of", "known_at") if name in given}
    if action == "get":
        entity = memory.entity(_need(given, "name"), **times)
        props = [f"{name}: {telling.in_a_line(prop.value)}" for name, prop in entity.state.props.items()]
        head = f"{entity.name} ({entity.type.value}), {entity.mention_count} mentions; {', '.join(entity.aliases)}"
        return Answer(wire.to_json(entity), "\n".join([head, *props]))
    if action == "history":
        story = wire.to_json(memory.history(_need(given, "name"), **times))
        lines = [f"{one['valid_from']}  {one['event']}  {one['name']}" for one in story.get("states", [])]
        return Answer(story, telling.lines_of(lines, "That is a memory: get it with history."))
    if action == "relations":
        found = memory.relations(_need(given, "name"), types=given.get("types", ()), **times)
        lines = [f"{one.source.name} {one.type.value} {one.target.name}" for one in found]
        return Answer({"relations": wire.to_json(found)}, telling.lines_of(lines, "No relations."))
    if action == "resolve":
        resolved = wire.to_json(memory.resolve(_need(given, "names")))
        return Answer({"names": resolved}, "\n".join(f"{one['name']}: {one['status']}" for one in resolved))
    limit, cursor = given.get("limit", 50), given.get("cursor")
    page = memory.entities(types=given.get("types", ()), limit=limit, cursor=cursor, **times)
    lines = [f"{one.name} ({one.type.value}), {one.mention_count} mentions" for one in page.entities]
    return Answer(wire.to_json(page), telling.lines_of([*lines, *_more(page.next_cursor)], "No entities."))


def audit(caller: Caller, given: Given) -> Answer:
    """Whether everything that must hold does; with a fixup, what it would change."""
    if "fixup" not in given:
        found = caller.memory.audit()
        broken = [f"{one.name}: {one.broken} times ({one.says})" for one in found.checks if one.broken]
        return Answer(wire.to_json(found), telling.lines_of(broken, f"All {len(found.checks)} checks hold."))
    if given["fixup"] != FIXUP:
        raise invalid_choice("fixup", given["fixup"], (FIXUP,))
    diff = caller.memory.fixup_memory_graph(apply=given.get("apply", False) is True)
    lines = [f"+ {one.source} {one.type.value} {one.target}" for one in diff.added]
    lines += [f"- {one.source} {one.type.value} {one.target}" for one in diff.closed]
    done = "written" if diff.applied else "nothing was written; apply=true writes it"
    tail = f"{diff.unchanged} unchanged, {len(diff.unresolved)} unresolved; {done}"
    return Answer(wire.to_json(diff), "\n".join([*lines, tail]))


def _changed(changed: Any) -> Answer:
    return Answer(wire.to_json(changed), telling.changed_text(changed))


def _action(given: Given, actions: tuple[str, ...]) -> str:
    action = given["action"]
    if action not in actions:
        raise invalid_choice("action", action, actions)
    return str(action)


def _need(given: Given, name: str) -> Any:
    if name not in given:
        doing = given.get("action") or given.get("mode")
        raise InvalidInput(f"{name} is missing.", field=name, fix=f"{doing} needs it.")
    return given[name]


def _session(caller: Caller) -> dict[str, str]:
    return {"session": caller.session} if caller.session else {}


def _more(cursor: str | None) -> list[str]:
    return [f"more: cursor={cursor}"] if cursor else []


_PAGED = {"limit": s.whole(default=50), "cursor": s.text("Where the page before ended")}
_TIMES = {"as_of": s.text("What was true then"), "known_at": s.text("What was known then")}
_ANY = s.anything()

TOOLS = (
    ToolSpec(
        name="documents",
        description=(
            "Call when a spec, ADR or TODO is written, changes its status, or is asked for: put keeps its markdown and "
            "reads what it depends on from its sections; get shows it with its relations both ways."
        ),
        arguments={
            "action": s.text(of=_DOCUMENT_ACTIONS),
            "id": s.text("Such as ADR-12; put reads it from the text if left out"),
            "text": s.text("put: the markdown"),
            "status": s.text("status: accepted, superseded, …"),
            "collection": s.text(),
            **_PAGED,
        },
        required=("action",),
        answer=_ANY,
        example={"action": "put", "text": "# ADR-12: Queues\n\n## Depends on\n\n- ADR-3"},
        run=documents,
        repeats=True,
    ),
    ToolSpec(
        name="decide",
        description=(
            "Call when something is decided: keeps the decision on its topic with its reasoning, and ends the one it "
            "supersedes."
        ),
        arguments={
            "text": s.text("The decision"),
            "topic": s.text("What it is about, the same words each time"),
            "reasoning": s.text("Why"),
            "supersedes": s.text("Id of the decision that no longer holds"),
            "tags": s.texts(),
            "confidence": s.number("0 to 1"),
            "idempotency_key": s.text(),
        },
        required=("text", "topic"),
        answer=CHANGED,
        example={"text": "Use JWT", "topic": "auth", "reasoning": "Stateless"},
        run=decide,
    ),
    ToolSpec(
        name="checkpoint",
        description="Call when a piece of work is done: how far it has come, and which decisions it implements.",
        arguments={
            "text": s.text(),
            "implements": s.texts("Ids of decisions"),
            "topic": s.text(),
            "tags": s.texts(),
            "idempotency_key": s.text(),
        },
        required=("text",),
        answer=CHANGED,
        example={"text": "JWT is live behind a flag"},
        run=checkpoint,
    ),
    ToolSpec(
        name="wrap",
        description="Call at the end of a session: keeps a summary of it; without a text, a list of what it left.",
        arguments={
            "text": s.text(),
            "session": s.text("This one, if left out"),
            "tags": s.texts(),
            "idempotency_key": s.text(),
        },
        required=(),
        answer=CHANGED,
        example={"session": "s-1", "text": "Auth is done; the tests of the proxy are left."},
        run=wrap,
    ),
    ToolSpec(
        name="trace",
        description=(
            "Call to learn how it came about or what followed. evolution: the decisions on a topic, back from the "
            "latest; impact: what followed from a memory; context: what is like a query, near a memory first."
        ),
        arguments={
            "mode": s.text(of=TraceMode),
            "topic": s.text("evolution"),
            "id": s.text("impact, context: the memory"),
            "query": s.text("context"),
            **_TIMES,
        },
        required=("mode",),
        answer=s.record(
            {"mode": s.text(), "start_id": s.maybe(s.text()), "steps": s.listed(_ANY), "truncated": s.flag()},
            ["mode", "steps", "truncated"],
        ),
        example={"mode": "evolution", "topic": "auth"},
        run=trace,
        reads=True,
    ),
    ToolSpec(
        name="entities",
        description=(
            "Call to learn what a name means: the things that memories speak of, their states over time, and their "
            "relations."
        ),
        arguments={
            "action": s.text(of=_ENTITY_ACTIONS),
            "name": s.text("get, history, relations"),
            "names": s.texts("resolve"),
            "types": s.texts(f"list: {', '.join(EntityType)}; relations: DEPENDS_ON, …"),
            **_PAGED,
            **_TIMES,
        },
        required=("action",),
        answer=_ANY,
        example={"action": "resolve", "names": ["billing service"]},
        run=entities,
        reads=True,
    ),
    ToolSpec(
        name="audit",
        description=(
            "Call when memory itself is in doubt: checks that everything that must hold does. fixup shows what the "
            "texts of documents declare and the graph lacks; apply=true writes it."
        ),
        arguments={"fixup": s.text(of=(FIXUP,)), "apply": s.flag(default=False)},
        required=(),
        answer=_ANY,
        example={"fixup": FIXUP},
        run=audit,
        repeats=True,
    ),
)
