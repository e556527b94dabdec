"""What callers of other designs do by routes alone: add one, add many, add through the extractor, resolve names."""

from __future__ import annotations

from typing import Any

from trigraph.errors import InvalidInput
from trigraph.faces import wire
from trigraph.faces.mcp import compat_shapes as shapes
from trigraph.faces.mcp import schemas as s
from trigraph.faces.mcp.keeping import FROM
from trigraph.faces.mcp.tooling import Answer, Caller, Given, ToolSpec
from trigraph.model.memory import Source
from trigraph.model.report import ItemResult, ItemStatus, RememberReport

ADDED = (ItemStatus.ADDED, ItemStatus.UPDATED)
DEDUPLICATED = (ItemStatus.DUPLICATE, ItemStatus.REINFORCED)
_WHO = {"user_id": s.text("Kept as nothing: the agent is who asks"), "agent_id": s.text("Beside a token, its own")}
_HOW = {**_WHO, "session_id": s.text(), "source": s.text(), "confidence": s.number("0 to 1")}


def add_direct(caller: Caller, given: Given) -> Answer:
    """remember, said in two words: added or deduplicated."""
    shapes.check_agent(caller, given)
    return Answer(_told(caller.memory.remember(given["text"], **_fields(caller, given))))


def add_batch(caller: Caller, given: Given) -> Answer:
    """remember, many at once: how many were added and skipped, and what is wrong with the others."""
    shapes.check_agent(caller, given)
    texts = given["texts"]
    if not isinstance(texts, list):
        raise InvalidInput("texts must be a list.", field="texts", fix='Write it like ["…", "…"].')
    fields = _fields(caller, given)
    report = caller.memory.remember_batch([{"text": text, **fields} for text in texts])
    failed = (ItemStatus.ERROR, ItemStatus.CONFLICT)
    errors = [
        {"index": number, "error": item.reason} for number, item in enumerate(report.items) if item.status in failed
    ]
    added = sum(item.status in ADDED for item in report.items)
    skipped = len(report.items) - added - len(errors)
    against = [id_ for item in report.items for id_ in item.conflicts]
    return Answer({"added": added, "skipped": skipped, "errors": errors, "contradictions": against})


def add(caller: Caller, given: Given) -> Answer:
    """turn: kept as it was said, and read by the extractor when the queue is worked."""
    shapes.check_agent(caller, given)
    said = [{"role": "user", "content": given["text"]}]
    report = caller.memory.turn(said, session=given.get("session_id", caller.session))
    return Answer({**_told(report), "jobs": list(report.jobs)})


def resolve(caller: Caller, given: Given) -> Answer:
    """resolve: what each name means. A name that nothing has is `unknown`: nothing is made of a name alone."""
    found = caller.memory.resolve(given["names"])
    return Answer(
        {
            "results": [
                {
                    "name": one.name,
                    "canonical_name": one.canonical_name,
                    "entity_id": one.entity_id,
                    "confidence": one.confidence,
                    "status": one.status.value,
                }
                for one in found
            ]
        }
    )


def _fields(caller: Caller, given: Given) -> dict[str, Any]:
    """A source that is none of ours is an agent's word."""
    source = given.get("source")
    fields = {"source": source if source in tuple(Source) else FROM}
    fields["session"] = wire.optional_text(given.get("session_id", caller.session), "session_id")
    return {**fields, **({"confidence": given["confidence"]} if "confidence" in given else {})}


def _told(report: RememberReport) -> dict[str, Any]:
    item = report.items[0] if report.items else ItemResult(ItemStatus.FILTERED, None)
    result = "added" if item.status in ADDED else "deduplicated" if item.status in DEDUPLICATED else item.status.value
    reason = {"reason": item.reason} if item.reason else {}
    return {"result": result, "id": item.id, **reason, "contradictions": list(item.conflicts)}


def _spec(name: str, run: Any, arguments: dict[str, Any], required: str, answer: tuple[str, ...]) -> ToolSpec:
    return ToolSpec(
        name=name,
        description=f"Other name of {'resolve' if required == 'names' else 'remember'}.",
        arguments=arguments,
        required=(required,),
        answer=s.record(dict.fromkeys(answer, s.anything()), answer),
        example={required: "Ana prefers tabs." if required == "text" else ["Ana"]},
        run=run,
        closed=False,
    )


ADD_DIRECT = _spec("add_direct", add_direct, {"text": s.text(), **_HOW}, "text", ("result", "contradictions"))
ADD_BATCH = _spec(
    "add_batch", add_batch, {"texts": s.texts(), **_HOW}, "texts", ("added", "skipped", "errors", "contradictions")
)
ADD = _spec("add", add, {"text": s.text(), **_WHO, "session_id": s.text()}, "text", ("result", "contradictions"))
RESOLVE = _spec("entities/resolve", resolve, {"names": s.texts()}, "names", ("results",))
