"""What keeps memory sound: review, audit, queued work, the scorer, counts."""

from __future__ import annotations

from trigraph.faces.http.table import Route
from trigraph.model.access import Right
from trigraph.model.job import JobState

KEEPING = (
    Route("GET", "/review", "held_back", Right.READ),
    Route("POST", "/review/{id}", "review", Right.REVIEW),
    Route("GET", "/audit", "audit", Right.READ),
    Route("POST", "/audit/fixup", "fixup_memory_graph", Right.ADMIN),
    Route("POST", "/prune", "prune", Right.ADMIN),
    Route("GET", "/jobs", "jobs", Right.READ, choices={"states": JobState}),
    Route("GET", "/jobs/{id}", "job", Right.READ),
    Route("POST", "/jobs/{id}/retry", "retry", Right.WRITE),
    Route("GET", "/scorer", "scorer_report", Right.READ),
    Route("POST", "/scorer/train", "scorer_train", Right.ADMIN),
    Route("POST", "/scorer/off", "scorer_off", Right.ADMIN),
    Route("POST", "/scorer/on", "scorer_on", Right.ADMIN),
    Route("GET", "/stats", "stats", Right.READ),
    Route("GET", "/health", "health", Right.READ),
)
