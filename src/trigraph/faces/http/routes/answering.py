"""Recall and what was done with it, conversations, traces."""

from __future__ import annotations

from typing import Any

from trigraph.errors import NotFound
from trigraph.faces.http.table import RECALL, Route
from trigraph.faces.library import Trigraph
from trigraph.model.change import CitationKind
from trigraph.model.memory import Source, Visibility
from trigraph.model.neighbourhood import GraphName


def _event(memory: Trigraph, arguments: dict[str, Any]) -> object:
    event = memory.recall_event(**arguments)
    if event is None:
        raise NotFound("There is no such recall of yours.", fix="Give the id that a recall answered: r_…")
    return event


def _cite(memory: Trigraph, arguments: dict[str, Any]) -> object:
    return memory.cite(**{"recall_id": None, **arguments})


ANSWERING = (
    Route("POST", "/recall", "recall", more=RECALL),
    Route("GET", "/recalls/{id}", "recall_event", named={"id": "recall_id"}, call=_event),
    Route(
        "POST",
        "/citations",
        "cite",
        status=201,
        choices={"kind": CitationKind},
        needed=(),
        call=_cite,
    ),
    Route(
        "POST",
        "/threads",
        "remember_thread",
        status=201,
        choices={"visibility": Visibility, "source": Source},
    ),
    Route("POST", "/turns", "turn", choices={"visibility": Visibility}),
    Route("GET", "/traces/evolution", "trace_evolution"),
    Route("GET", "/traces/impact", "trace_impact"),
    Route("GET", "/traces/context", "trace_context"),
    Route("GET", "/neighbourhood", "neighbourhood", choices={"graphs": GraphName}),
)
