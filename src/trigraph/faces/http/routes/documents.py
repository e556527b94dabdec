"""Documents: put, listed, read, and what their status was."""

from __future__ import annotations

from trigraph.faces.http.table import DRAFT, Route, without

_TOLD = without(DRAFT, "text", "kind", "subject", "type", "result", "reason", "reasoning")

DOCUMENTS = (
    Route("PUT", "/documents", "docs.put", more=_TOLD),
    Route("GET", "/documents", "docs.list"),
    Route("GET", "/documents/{name:path}", "docs.get"),
    Route("POST", "/documents/{name:path}/status", "docs.status", more=_TOLD),
)
