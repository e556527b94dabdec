"""Documents: put, listed, read, and what their status was."""

from __future__ import annotations

from trigraph.faces.http.table import DRAFT, Route, without
from trigraph.model.access import Right

_TOLD = without(DRAFT, "text", "kind", "subject", "type", "result", "reason", "reasoning")

DOCUMENTS = (
    Route("PUT", "/documents", "docs.put", Right.WRITE, more=_TOLD),
    Route("GET", "/documents", "docs.list", Right.READ),
    Route("GET", "/documents/{name:path}", "docs.get", Right.READ),
    Route("POST", "/documents/{name:path}/status", "docs.status", Right.WRITE, more=_TOLD),
)
