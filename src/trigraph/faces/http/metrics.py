"""Figures for Prometheus: closed sets of labels, and never a tenant, an agent or a word of a memory among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from trigraph.errors import TrigraphError
from trigraph.faces.http.problems import Refused
from trigraph.model.change import Changed, CitationKind, Verb
from trigraph.model.memory import Source
from trigraph.model.recall import Recall
from trigraph.model.report import ItemStatus, RememberReport

MEDIA_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_HITS = (0, 1, 2, 5, 10, 20, 50, 100, 500)
WHOLE = "all"
"""What stands for the leg where a whole recall is meant."""


class Metrics:
    """The figures of one server."""

    def __init__(self, version: str) -> None:
        self.registry = CollectorRegistry()
        made: dict[str, Any] = {"registry": self.registry}
        self._recall = Histogram(
            "trigraph_recall_duration_seconds",
            "How long recalls and their legs took.",
            ["leg", "outcome"],
            buckets=_SECONDS,
            **made,
        )
        self._results = Histogram("trigraph_recall_results", "How many hits recalls had.", buckets=_HITS, **made)
        self._citations = Counter("trigraph_citations_total", "What was done with hits.", ["kind"], **made)
        self._writes = Counter("trigraph_writes_total", "What became of what was kept.", ["source", "status"], **made)
        self._quarantined = Counter("trigraph_quarantined_total", "Memories held back.", ["reason"], **made)
        self._errors = Counter("trigraph_errors_total", "Requests refused, by their error.", ["code"], **made)
        self._requests = Counter("trigraph_http_requests_total", "Requests.", ["method", "route", "status"], **made)
        self._took = Histogram(
            "trigraph_http_request_duration_seconds",
            "How long requests took.",
            ["method", "route"],
            buckets=_SECONDS,
            **made,
        )
        self._size = Gauge("trigraph_db_size_bytes", "Size of the store's files.", **made)
        Gauge("trigraph_build_info", "What runs here.", ["version"], **made).labels(version).set(1)

    def observe(self, answer: object, arguments: Mapping[str, Any]) -> None:
        """Count what a verb did; `arguments` are those that it was called with. Every face of the server may."""
        match answer:
            case Recall():
                self._recalled(answer)
            case RememberReport() if not answer.replayed:
                self._wrote(answer, str(arguments.get("source")))
            case Changed(verb=Verb.CITE) if not answer.replayed:
                self._cited(arguments)

    def refused(self, error: TrigraphError) -> None:
        """Count an error."""
        self._errors.labels(error.code if not isinstance(error, Refused) else f"http_{error.status}").inc()

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; `route` is its template."""
        self._requests.labels(method, route, str(status)).inc()
        self._took.labels(method, route).observe(seconds)

    def text(self, store_bytes: int | None) -> bytes:
        """All figures, in Prometheus' text format."""
        if store_bytes is not None:
            self._size.set(store_bytes)
        return generate_latest(self.registry)

    def _recalled(self, recall: Recall) -> None:
        outcome = "degraded" if recall.degraded else "empty" if not recall.hits else "ok"
        self._recall.labels(WHOLE, outcome).observe(recall.milliseconds / 1000)
        for leg in recall.legs:
            self._recall.labels(leg.leg.value, leg.status.value).observe(leg.milliseconds / 1000)
        self._results.observe(len(recall.hits))

    def _wrote(self, report: RememberReport, source: str) -> None:
        known = source if source in tuple(Source) else Source.USER.value
        for item in report.items:
            self._writes.labels(known, item.status.value).inc()
            if item.status is ItemStatus.QUARANTINED:
                self._quarantined.labels("instruction").inc()

    def _cited(self, arguments: Mapping[str, Any]) -> None:
        items = arguments.get("items") or [arguments]
        for item in items:
            self._citations.labels(CitationKind(item.get("kind") or CitationKind.CITED).value).inc()
