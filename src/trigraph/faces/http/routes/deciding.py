"""Decisions, checkpoints, outcomes, and the end of a session."""

from __future__ import annotations

from trigraph.faces.http.table import ABOUT, DRAFT, Route, without
from trigraph.model.access import Right
from trigraph.model.memory import OutcomeResult

_TOLD = without(DRAFT, "text", "kind", "reasoning", "result", "reason")

DECIDING = (
    Route("POST", "/decisions", "decide", Right.WRITE, status=201, more=without(_TOLD, "subject", "type")),
    Route("POST", "/checkpoints", "checkpoint", Right.WRITE, status=201, more=_TOLD),
    Route("POST", "/outcomes", "evolve", Right.WRITE, status=201, more=ABOUT, choices={"result": OutcomeResult}),
    Route("POST", "/wrap", "wrap", Right.WRITE, status=201, more=without(_TOLD, "subject", "type")),
    Route("POST", "/distil", "distil", Right.WRITE, status=202),
    Route("POST", "/reflect", "reflect", Right.WRITE, status=202),
)
