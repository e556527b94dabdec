"""Memories: kept, read, changed, let go."""

from __future__ import annotations

from typing import Any

from trigraph.errors import InvalidInput
from trigraph.faces.http.schema import TEXT, taken
from trigraph.faces.http.table import ABOUT, DRAFT, FILTERS, REVISION, Route, without
from trigraph.faces.library import Trigraph
from trigraph.model.link import LinkOrigin, LinkType
from trigraph.model.memory import Source, Visibility

LISTS = ("tags", "domains")
STAYS = ("text", "topic", "confidence", "reasoning")
"""What a correction may change and never take away."""


def _remember(memory: Trigraph, arguments: dict[str, Any]) -> object:
    """One memory, or many as `items`."""
    if "items" not in arguments:
        return memory.remember(arguments.pop("text", ""), **arguments)
    beside = [name for name in arguments if name not in ("items", "idempotency_key")]
    if beside:
        raise InvalidInput("items stand alone.", field=beside[0], fix="Say it of each item.")
    if arguments.get("idempotency_key") is not None:
        raise InvalidInput(
            "Many memories take no idempotency key.",
            field="Idempotency-Key",
            fix="Leave it out: an item that is sent again is answered as a duplicate.",
        )
    return memory.remember_batch(arguments["items"])


def _correct(memory: Trigraph, arguments: dict[str, Any]) -> object:
    """A merge patch: null takes a list's entries away; what cannot be without a value keeps it only unnamed."""
    for name in STAYS:
        if name in arguments and arguments[name] is None:
            raise InvalidInput(f"{name} cannot be taken away.", field=name, fix="Leave it out, or give another.")
    emptied: dict[str, list[str]] = {name: [] for name in LISTS if name in arguments and arguments[name] is None}
    return memory.correct(**{**arguments, **emptied})


def _forget(memory: Trigraph, arguments: dict[str, Any]) -> object:
    return memory.forget(arguments.pop("id"), **arguments)


def _forget_many(memory: Trigraph, arguments: dict[str, Any]) -> object:
    ids = arguments.pop("ids", None)
    if ids is not None and not isinstance(ids, list):
        raise InvalidInput("ids must be a list of texts.", field="ids", fix='Write it like ["m_…"].')
    return memory.forget(*(ids or ()), **arguments)


_ITEMS = {"type": "array", "items": {"anyOf": [TEXT, {"type": "object", "properties": DRAFT, "required": ["text"]}]}}
_FORGET = {"dry_run": taken(bool | None), "reason": taken(str | None)}

MEMORIES = (
    Route(
        "POST",
        "/memories",
        "remember",
        status=201,
        more={**without(DRAFT, "text"), "items": _ITEMS},
        needed=(),
        call=_remember,
    ),
    Route("GET", "/memories", "list", more=FILTERS),
    Route("GET", "/memories/facets", "facets", more=FILTERS),
    Route("GET", "/memories/{id}", "get", tagged=True),
    Route(
        "PATCH",
        "/memories/{id}",
        "correct",
        more=without(REVISION, "valid_from"),
        call=_correct,
        guarded=True,
    ),
    Route("DELETE", "/memories/{id}", "forget", left_out=("query",), call=_forget, guarded=True),
    Route("POST", "/memories/{id}/restore", "restore", more=ABOUT),
    Route("POST", "/memories/{id}/supersede", "supersede", status=201, more=REVISION),
    Route("POST", "/memories/{id}/archive", "archive", more=ABOUT),
    Route("POST", "/memories/{id}/reverify", "reverify"),
    Route("POST", "/memories/{id}/share", "share", choices={"visibility": Visibility}, needed=()),
    Route("POST", "/memories/{id}/erase", "erase"),
    Route("POST", "/memories/{id}/vote", "vote"),
    Route("GET", "/memories/{id}/history", "history", named={"id": "name"}),
    Route("GET", "/memories/{id}/access", "access"),
    Route("GET", "/memories/{id}/mentions", "mentions"),
    Route("GET", "/memories/{id}/links", "links"),
    Route(
        "POST",
        "/memories/{id}/links",
        "link",
        status=201,
        named={"id": "from_id"},
        choices={"type": LinkType, "created_by": LinkOrigin},
    ),
    Route("DELETE", "/links/{id}", "unlink"),
    Route("POST", "/links/{id}/vote", "vote"),
    Route(
        "POST",
        "/forget",
        "forget",
        more={"ids": {"type": "array", "items": TEXT}, "query": TEXT, **_FORGET},
        call=_forget_many,
    ),
    Route("POST", "/purge", "purge", choices={"source": Source}),
)
