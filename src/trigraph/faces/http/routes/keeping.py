"""What keeps memory sound: review, audit, queued work, the scorer, counts."""

from __future__ import annotations

from trigraph.faces.http.table import Route
from trigraph.model.job import JobState

KEEPING = (
    Route("GET", "/review", "held_back"),
    Route("POST", "/review/{id}", "review"),
    Route("GET", "/audit", "audit"),
    Route("POST", "/audit/fixup", "fixup_memory_graph"),
    Route("POST", "/prune", "prune"),
    Route("GET", "/jobs", "jobs", choices={"states": JobState}),
    Route("GET", "/jobs/{id}", "job"),
    Route("POST", "/jobs/{id}/retry", "retry"),
    Route("GET", "/scorer", "scorer_report"),
    Route("POST", "/scorer/train", "scorer_train"),
    Route("POST", "/scorer/off", "scorer_off"),
    Route("POST", "/scorer/on", "scorer_on"),
    Route("GET", "/stats", "stats"),
    Route("GET", "/health", "health"),
)
