"""Deep references, and the ledger of what was used together."""

from __future__ import annotations

from trigraph.faces.http.table import Route
from trigraph.model.composed_graph import LedgerAction
from trigraph.model.composition import CompositionStatus, OutcomeLabel

COMPOSING = (
    Route("POST", "/deep-reference", "deep_reference"),
    Route("POST", "/compositions", "compose", status=201, choices={"status": CompositionStatus}),
    Route("GET", "/compositions", "compositions"),
    Route("GET", "/compositions/{id}", "composition"),
    Route("POST", "/compositions/{id}/labels", "label", status=201, choices={"label": OutcomeLabel}),
    Route("GET", "/memories/{id}/compositions", "compositions_of"),
    Route("GET", "/memories/{id}/companions", "companions"),
    Route("GET", "/frontier", "never_composed"),
    Route("GET", "/bounty", "bounty_mode"),
    Route("POST", "/composed-graph", "composed_graph", choices={"action": LedgerAction, "outcome_type": OutcomeLabel}),
)
