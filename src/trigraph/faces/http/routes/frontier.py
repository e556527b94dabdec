"""What was never used together and looks worth it."""

from __future__ import annotations

from trigraph.faces.http.table import Route

FRONTIER = (
    Route("GET", "/frontier", "never_composed"),
    Route("GET", "/bounty", "bounty_mode"),
)
