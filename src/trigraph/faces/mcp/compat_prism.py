"""Tools of the toolset `compat`: those that begin with prism_, and semantic_recall."""

from __future__ import annotations

from typing import Any

from trigraph.errors import Conflict, InvalidInput, NotFound, invalid_choice
from trigraph.faces import wire
from trigraph.faces.mcp import compat_shapes as shapes
from trigraph.faces.mcp import schemas as s
from trigraph.faces.mcp.fuller import FIXUP
from trigraph.faces.mcp.keeping import FROM
from trigraph.faces.mcp.tooling import Answer, Caller, Given, ToolSpec
from trigraph.model.change import Changed, CitationKind
from trigraph.model.entity import ENTITY_PREFIX

_ACTIONS = ("create", "update")
_INSTEAD = ("update", "rewrite", "reverify")
_TALLIED = s.record({"id": s.text(), "state": s.maybe(s.anything()), "citations": s.anything()}, ["id", "citations"])


def semantic_recall(caller: Caller, given: Given) -> Answer:
    """recall, with the score of each leg."""
    found = caller.memory.recall(
        given["query"], limit=given.get("limit", 10), as_of=given.get("as_of"), session=caller.session
    )
    return Answer({"results": [shapes.scored(hit) for hit in found.hits], "recall_event_id": found.id})


def memory_cite(caller: Caller, given: Given) -> Answer:
    """cite, one memory."""
    changed = caller.memory.cite(
        given["recall_event_id"], given["memory_id"], given["kind"], given.get("notes"), session=caller.session
    )
    return Answer({"id": changed.id})


def remember(caller: Caller, given: Given) -> Answer:
    """remember; correct and reverify by the memory that is meant."""
    meant = [name for name in _INSTEAD if name in given]
    if len(meant) > 1:
        raise InvalidInput(f"Give one of {', '.join(_INSTEAD)}.", field=meant[1], fix="Leave the others out.")
    if meant == ["reverify"]:
        return Answer({"id": caller.memory.reverify(given["reverify"]).id})
    if "content" not in given:
        raise InvalidInput("content is missing.", field="content", fix="Give what is to be remembered.")
    if meant:
        changed = caller.memory.correct(given[meant[0]], given["content"], source=FROM, session=caller.session)
        return Answer({"id": changed.id, "replaced": list(changed.replaced)})
    report = caller.memory.remember(given["content"], source=FROM, session=caller.session)
    return Answer({"id": report.id, "status": report.items[0].status.value})


def spec(caller: Caller, given: Given) -> Answer:
    """A document and its relations."""
    action, name, docs = given["action"], given["id"], caller.memory.docs
    if action not in _ACTIONS:
        raise invalid_choice("action", action, _ACTIONS)
    try:
        there = not docs.get(name).document.stub
    except NotFound:
        there = False
    if there and action == "create":
        raise Conflict(f"{name!r} is there already.", fix="Use action update.")
    if not there and action == "update":
        raise NotFound(f"There is no document {name!r}.", fix="Use action create.")
    body = wire.text_of(given["body"], "body")
    text = shapes.with_front_matter(body, {key: given.get(key) for key in ("status", "version")})
    report = docs.put(text, id=name, session=caller.session)
    if report.id is None:
        raise InvalidInput(report.items[0].reason or "It was not kept.", field="body", fix="Mend it and try again.")
    details = docs.get(name)
    edges = [
        {"source": one.source.name, "type": one.type.value, "target": one.target.name}
        | {"section": one.extracted_from_section}
        for one in details.relations
        if one.source.id == details.document.entity_id
    ]
    return Answer({"id": report.id, "document": details.document.name, "edges": edges})


def decide(caller: Caller, given: Given) -> Answer:
    """decide, with the state that it gave its topic."""
    return _stated(caller, caller.memory.decide(source=FROM, session=caller.session, **given))


def persona_create(caller: Caller, given: Given) -> Answer:
    """persona, with its first state."""
    return _stated(caller, caller.memory.persona_create(source=FROM, session=caller.session, **given))


def archive(caller: Caller, given: Given) -> Answer:
    """archive a memory, or retire an entity."""
    return _stated(caller, caller.memory.archive(given["id"], reason=given.get("reason")))


def checkpoint(caller: Caller, given: Given) -> Answer:
    """checkpoint, with the tallies of its session."""
    session = given.get("session") or caller.session
    rest = {name: value for name, value in given.items() if name != "session"}
    return _tallied(caller, caller.memory.checkpoint(source=FROM, session=session, **rest))


def wrap(caller: Caller, given: Given) -> Answer:
    """wrap, with the tallies of the session."""
    session = given.get("session") or caller.session
    if session is None:
        raise InvalidInput("session is missing.", field="session", fix="Give the id of the session that ends.")
    return _tallied(caller, caller.memory.wrap(session, given.get("text"), source=FROM))


def audit(caller: Caller, given: Given) -> Answer:
    """What a fixup of the memory graph would change."""
    if given.get("fixup", FIXUP) != FIXUP:
        raise invalid_choice("fixup", given["fixup"], (FIXUP,))
    diff = caller.memory.fixup_memory_graph(apply=given.get("apply", False) is True)
    return Answer({"diff": wire.to_json(diff)})


def _stated(caller: Caller, changed: Changed) -> Answer:
    """With the state of the entity that it is about, or the status of the memory."""
    entity = changed.entity_id or (changed.id if changed.id.startswith(f"{ENTITY_PREFIX}_") else None)
    state: Any = None
    if entity is not None:
        state = wire.to_json(caller.memory.entity(entity).state)
    elif changed.ids:
        state = {"status": caller.memory.get(changed.id).status.value}
    return Answer({"id": changed.id, "state": state, "links": list(changed.links)})


def _tallied(caller: Caller, changed: Changed) -> Answer:
    kept = caller.memory.get(changed.id)
    state = {"status": kept.status.value}
    return Answer({"id": changed.id, "state": state, "citations": shapes.tallies(kept), "links": list(changed.links)})


_TEXT_AND_TAGS = {"text": s.text(), "tags": s.texts()}

TOOLS = (
    ToolSpec(
        name="semantic_recall",
        description="Other name of recall: results with the score of each leg.",
        arguments={"query": s.text(), "as_of": s.text(), "limit": s.whole(default=10)},
        required=("query",),
        answer=s.record(
            {"results": s.listed(s.anything()), "recall_event_id": s.text()}, ["results", "recall_event_id"]
        ),
        example={"query": "why Postgres?"},
        run=semantic_recall,
        reads=True,
        closed=False,
    ),
    ToolSpec(
        name="prism_memory_cite",
        description="Other name of cite, for one memory.",
        arguments={
            "recall_event_id": s.text(),
            "memory_id": s.text(),
            "kind": s.text(of=CitationKind),
            "notes": s.text(),
        },
        required=("recall_event_id", "memory_id", "kind"),
        answer=s.record({"id": s.text()}, ["id"]),
        example={"recall_event_id": "r_…", "memory_id": "1a2b3c4d", "kind": "cited"},
        run=memory_cite,
        repeats=True,
        closed=False,
    ),
    ToolSpec(
        name="prism_remember",
        description="Other name of remember; update or rewrite correct the memory named, reverify confirms it.",
        arguments={
            "content": s.text(),
            **{name: s.text("Id of the memory") for name in _INSTEAD},
        },
        required=(),
        answer=s.record({"id": s.maybe(s.text())}, ["id"]),
        example={"content": "The proxy listens on 8443."},
        run=remember,
        closed=False,
    ),
    ToolSpec(
        name="prism_spec",
        description="Other name of documents: creates or updates a spec; answers with what it refers to.",
        arguments={
            "action": s.text(of=_ACTIONS),
            "id": s.text("Such as SPEC-54"),
            "body": s.text("Markdown"),
            "status": s.text(),
            "version": s.text(),
        },
        required=("action", "id", "body"),
        answer=s.record({"id": s.text(), "edges": s.listed(s.anything())}, ["id", "edges"]),
        example={"action": "create", "id": "SPEC-54", "body": "# Port plan\n\n## Depends on\n\n- SPEC-37"},
        run=spec,
        repeats=True,
        closed=False,
    ),
    ToolSpec(
        name="prism_decide",
        description="Other name of decide.",
        arguments={**_TEXT_AND_TAGS, "topic": s.text(), "reasoning": s.text(), "supersedes": s.text()},
        required=("text", "topic"),
        answer=shapes.ID_AND_STATE,
        example={"text": "Use JWT", "topic": "auth"},
        run=decide,
        closed=False,
    ),
    ToolSpec(
        name="prism_persona_create",
        description="Makes a persona with a description and properties.",
        arguments={**_TEXT_AND_TAGS, "name": s.text(), "props": s.anything("Texts by name")},
        required=("name", "text"),
        answer=shapes.ID_AND_STATE,
        example={"name": "Reviewer", "text": "Reads every line", "props": {"tone": "dry"}},
        run=persona_create,
        closed=False,
    ),
    ToolSpec(
        name="prism_archive",
        description="Puts a memory away, or retires an entity.",
        arguments={"id": s.text("Of a memory, or an entity's name"), "reason": s.text()},
        required=("id",),
        answer=shapes.ID_AND_STATE,
        example={"id": "1a2b3c4d"},
        run=archive,
        closed=False,
    ),
    ToolSpec(
        name="prism_checkpoint",
        description="Other name of checkpoint.",
        arguments={**_TEXT_AND_TAGS, "implements": s.texts(), "session": s.text()},
        required=("text",),
        answer=_TALLIED,
        example={"text": "JWT is live"},
        run=checkpoint,
        closed=False,
    ),
    ToolSpec(
        name="prism_wrap",
        description="Other name of wrap.",
        arguments={"session": s.text(), "text": s.text()},
        required=(),
        answer=_TALLIED,
        example={"session": "s-1"},
        run=wrap,
        closed=False,
    ),
    ToolSpec(
        name="prism_audit",
        description="What the texts of documents declare and the graph lacks; apply=true writes it.",
        arguments={"fixup": s.text(of=(FIXUP,), default=FIXUP), "apply": s.flag(default=False)},
        required=(),
        answer=s.record({"diff": s.anything()}, ["diff"]),
        example={"fixup": FIXUP},
        run=audit,
        repeats=True,
        closed=False,
    ),
)
