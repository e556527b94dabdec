"""A verb as one transaction that is done once, however often it is sent under one idempotency key."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, TypeVar

from trigraph.engine.parts import Parts
from trigraph.errors import KeyReused
from trigraph.model.change import Changed, Verb
from trigraph.model.report import ItemResult, ItemStatus, RememberReport
from trigraph.model.scope import Scope
from trigraph.model.times import from_micros, to_micros
from trigraph.text.cleaning import check_label

_Answer = TypeVar("_Answer", Changed, RememberReport)


@dataclass(frozen=True, slots=True)
class Call:
    """A verb, the caller's key for this use of it, if any, and what tells one body from another."""

    verb: Verb
    key: str | None
    fingerprint: str


def call(verb: Verb, key: str | None, *body: object) -> Call:
    """The call of a verb with some arguments."""
    if key is not None:
        check_label(key, "idempotency_key")
    return Call(verb, key, hashlib.sha256(repr(body).encode("utf-8", "surrogatepass")).hexdigest())


def earlier(parts: Parts, scope: Scope, called: Call, kind: type[_Answer]) -> _Answer | None:
    """The answer given before under this key, None if there is none."""
    if called.key is None:
        return None
    found = parts.store.answers.get(scope, called.verb, called.key)
    if found is None:
        return None
    fingerprint, answer = found
    if fingerprint != called.fingerprint:
        raise KeyReused(
            f"The idempotency key {called.key!r} was used before for another {called.verb}.",
            fix="Use a new key for every new call; the same key only to repeat one.",
        )
    data = json.loads(answer)
    return _changed_from(data) if kind is Changed else _report_from(data)  # type: ignore[return-value]


def once(parts: Parts, scope: Scope, called: Call, kind: type[_Answer], do: Callable[[datetime], _Answer]) -> _Answer:
    """Do it in one transaction and keep the answer under its key; or give the answer that was given before."""
    with parts.store.transaction(scope, parts.clock()) as at:
        before = earlier(parts, scope, called, kind)
        if before is not None:
            return before
        answer = do(at)
        if called.key is not None:
            kept = json.dumps(_plain(answer))
            parts.store.answers.put(scope, called.verb, called.key, called.fingerprint, kept, at)
    return answer


def _plain(answer: Changed | RememberReport) -> dict[str, Any]:
    if isinstance(answer, Changed):
        values = {one.name: getattr(answer, one.name) for one in fields(answer)}
        return {**values, "at": to_micros(answer.at)}
    items = [[item.status, item.id, item.reason, item.code, list(item.conflicts)] for item in answer.items]
    return {"items": items, "thread_id": answer.thread_id, "degraded": answer.degraded, "jobs": list(answer.jobs)}


def _changed_from(data: dict[str, Any]) -> Changed:
    listed = {name: tuple(data[name]) for name in ("ids", "replaced", "links")}
    values = {**data, **listed, "verb": Verb(data["verb"]), "at": from_micros(data["at"])}
    return replace(Changed(**values), replayed=True)


def _report_from(data: dict[str, Any]) -> RememberReport:
    items = tuple(_item_from(*item) for item in data["items"])
    return RememberReport(
        items, thread_id=data["thread_id"], degraded=data["degraded"], replayed=True, jobs=tuple(data.get("jobs", ()))
    )


def _item_from(
    status: str, id_: str | None, reason: str | None, code: str | None, conflicts: Sequence[str] = ()
) -> ItemResult:
    return ItemResult(ItemStatus(status), id_, reason, code, tuple(conflicts))
