"""Whether memory pays, and the recalls that say so."""

from __future__ import annotations

from trigraph.faces.http.table import Route
from trigraph.model.change import CitationKind
from trigraph.model.insight import Panel, RecallOutcome, Step
from trigraph.model.query import QueryClass

_FIGURES = {"step": Step, "panels": Panel}
_LISTED = {"query_class": QueryClass, "outcomes": RecallOutcome, "kinds": CitationKind}

INSIGHT = (
    Route("GET", "/insight", "insight", choices=_FIGURES),
    Route("GET", "/project/insight", "project_insight", choices=_FIGURES),
    Route("GET", "/recalls", "recalls", choices=_LISTED),
    Route("GET", "/project/recalls", "project_recalls", choices=_LISTED),
    Route("GET", "/recalls/{id}/record", "past_recall", named={"id": "recall_id"}),
    Route("DELETE", "/recalls", "drop_recalls"),
)
