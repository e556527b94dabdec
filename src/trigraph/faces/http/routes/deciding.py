"""Decisions, checkpoints, outcomes, and the end of a session."""

from __future__ import annotations

from trigraph.faces.http.table import ABOUT, DRAFT, Route, without
from trigraph.model.memory import OutcomeResult

_TOLD = without(DRAFT, "text", "kind", "reasoning", "result", "reason")

DECIDING = (
    Route("POST", "/decisions", "decide", status=201, more=without(_TOLD, "subject", "type")),
    Route("POST", "/checkpoints", "checkpoint", status=201, more=_TOLD),
    Route("POST", "/outcomes", "evolve", status=201, more=ABOUT, choices={"result": OutcomeResult}),
    Route("POST", "/wrap", "wrap", status=201, more=without(_TOLD, "subject", "type")),
    Route("POST", "/distil", "distil", status=202),
    Route("POST", "/reflect", "reflect", status=202),
)
