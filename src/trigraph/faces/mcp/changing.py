"""update and forget: what becomes of memories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from trigraph.errors import InvalidInput, invalid_choice
from trigraph.faces import wire
from trigraph.faces.mcp import schemas as s
from trigraph.faces.mcp import telling
from trigraph.faces.mcp.asking import CHANGED
from trigraph.faces.mcp.keeping import FROM
from trigraph.faces.mcp.tooling import Answer, Caller, Given, ToolSpec
from trigraph.model.change import Changed
from trigraph.model.link import LinkType
from trigraph.model.memory import OutcomeResult

PREVIEW_MOST = 20
"""So many memories of a preview are shown as text; the data has the ids of all."""


@dataclass(frozen=True, slots=True)
class Action:
    """What can be done with a memory: the arguments it needs and those it may have, beside id and idempotency_key."""

    needs: tuple[str, ...]
    may: tuple[str, ...]
    run: Callable[[Caller, str, Mapping[str, Any]], Changed]


def update(caller: Caller, given: Given) -> Answer:
    """Do one thing with one memory."""
    name = given["action"]
    if name not in ACTIONS:
        raise invalid_choice("action", name, ACTIONS)
    action = ACTIONS[name]
    rest = {key: value for key, value in given.items() if key not in ("id", "action")}
    for key in rest:
        if key not in (*action.needs, *action.may, "idempotency_key"):
            takes = ", ".join((*action.needs, *action.may)) or "nothing more"
            raise InvalidInput(f"{name} takes no {key}.", field=key, fix=f"It takes {takes}.")
    for key in action.needs:
        if key not in rest:
            raise InvalidInput(f"{key} is missing.", field=key, fix=f"{name} needs it.")
    changed = action.run(caller, given["id"], rest)
    return Answer(wire.to_json(changed), telling.changed_text(changed))


def forget(caller: Caller, given: Given) -> Answer:
    """Retract memories, or bring them back; a preview unless told otherwise."""
    ids = wire.strings(given.get("ids", ()), "ids")
    if given.get("restore"):
        if not ids or "query" in given:
            raise InvalidInput("restore needs ids.", field="ids", fix="Give the ids of what was forgotten, no query.")
        changed = caller.memory.restore(ids[0], others=ids[1:])
        return Answer(wire.to_json(changed), telling.changed_text(changed))
    dry_run = given.get("dry_run", True)
    if not isinstance(dry_run, bool):
        raise InvalidInput("dry_run must be true or false.", field="dry_run", fix="Write true or false.")
    changed = caller.memory.forget(*ids, query=given.get("query"), dry_run=dry_run)
    return Answer(wire.to_json(changed), _forgotten(caller, changed))


def _forgotten(caller: Caller, changed: Changed) -> str:
    if not changed.preview:
        return f"{telling.changed_text(changed)}\nforget with restore=true brings them back."
    if not changed.ids:
        return "Nothing holds all these words. Recall it, and forget it by its id."
    shown = [telling.memory_line(caller.memory.get(id_)) for id_ in changed.ids[:PREVIEW_MOST]]
    more = len(changed.ids) - len(shown)
    lines = [f"Preview: {len(changed.ids)} would be forgotten; nothing was changed.", *shown]
    lines += [f"and {more} more"] if more else []
    return "\n".join([*lines, "Call again with dry_run=false to forget them."])


def _correct(caller: Caller, id_: str, given: Mapping[str, Any]) -> Changed:
    return caller.memory.correct(id_, source=FROM, session=caller.session, **given)


def _supersede(caller: Caller, id_: str, given: Mapping[str, Any]) -> Changed:
    return caller.memory.supersede(id_, source=FROM, session=caller.session, **given)


def _reverify(caller: Caller, id_: str, given: Mapping[str, Any]) -> Changed:
    return caller.memory.reverify(id_, **given)


def _restore(caller: Caller, id_: str, given: Mapping[str, Any]) -> Changed:
    return caller.memory.restore(id_, **given)


def _link(caller: Caller, id_: str, given: Mapping[str, Any]) -> Changed:
    rest = {name: value for name, value in given.items() if name not in ("to", "link_type")}
    return caller.memory.link(id_, given["to"], given.get("link_type", "relates_to"), created_by="llm", **rest)


def _vote(caller: Caller, id_: str, given: Mapping[str, Any]) -> Changed:
    return caller.memory.vote(id_, **given)


def _outcome(caller: Caller, id_: str, given: Mapping[str, Any]) -> Changed:
    return caller.memory.evolve(id_, source=FROM, session=caller.session, **given)


ACTIONS: Mapping[str, Action] = {
    "correct": Action(("text",), ("reason", "topic", "tags"), _correct),
    "supersede": Action(("text",), ("reason", "topic", "tags", "valid_from"), _supersede),
    "reverify": Action((), (), _reverify),
    "link": Action(("to",), ("link_type", "reason"), _link),
    "vote": Action(("value",), ("reason",), _vote),
    "outcome": Action(("result",), ("reason",), _outcome),
    "restore": Action((), (), _restore),
}

TOOLS = (
    ToolSpec(
        name="update",
        description=(
            "Call when a memory turns out different. correct: it was never true; supersede: it was true until now; "
            "reverify: checked, still holds; outcome: what came of a decision; link: to another memory; vote: right 1, "
            "wrong -1; restore: undo."
        ),
        arguments={
            "id": s.text(),
            "action": s.text(of=ACTIONS),
            "text": s.text("correct, supersede: what holds instead"),
            "reason": s.text(),
            "topic": s.text(),
            "tags": s.texts(),
            "valid_from": s.text("supersede: since when"),
            "to": s.text("link: the other id"),
            "link_type": s.text(of=LinkType),
            "value": {"type": "integer", "enum": [1, -1]},
            "result": s.text(of=OutcomeResult),
            "idempotency_key": s.text(),
        },
        required=("id", "action"),
        answer=CHANGED,
        example={"id": "1a2b3c4d", "action": "supersede", "text": "Sessions live in Redis 7 now."},
        run=update,
    ),
    ToolSpec(
        name="forget",
        description=(
            "Call when asked to forget, or for what must not be kept. A preview unless dry_run=false; restore=true "
            "brings back."
        ),
        arguments={
            "ids": s.texts(),
            "query": s.text("All memories with every word of it"),
            "dry_run": s.flag(default=True),
            "restore": s.flag(),
        },
        required=(),
        answer=CHANGED,
        example={"ids": ["1a2b3c4d"], "dry_run": False},
        run=forget,
        destroys=True,
    ),
)
