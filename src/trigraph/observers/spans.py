"""Spans, by OpenTelemetry's GenAI conventions for memory. Only its API is used, and only once somebody else, an SDK
above all, has loaded that: who does not trace pays neither its import nor its calls."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from trigraph.model.memory import Memory, MemoryDraft, MemoryPage
from trigraph.model.query import RecallQuery
from trigraph.model.recall import Recall
from trigraph.model.revision import Revision
from trigraph.observers import facts
from trigraph.observers.facts import Facts
from trigraph.observers.operations import OPERATIONS, POLLED, span_name

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

API = "opentelemetry.trace"
FLUSH_MILLISECONDS = 1000
"""So long a tracing system may take to be told of the last calls."""
CONVENTIONS = {
    "store": "gen_ai.memory.store.id",
    "agent": "gen_ai.agent.id",
    "session": "gen_ai.conversation.id",
    "record_id": "gen_ai.memory.record.id",
    "record_count": "gen_ai.memory.record.count",
}
"""What the conventions have a name for; the rest is ours."""


class Spans:
    """Makes the span of a verb. With `contents`, what was asked, written and found is told too."""

    def __init__(self, version: str, *, contents: bool) -> None:
        self._version = version
        self._contents = contents
        self._tracer: Tracer | None = None

    def wanted(self) -> bool:
        """Whether anybody traces: an SDK was set up."""
        trace = sys.modules.get(API)
        return trace is not None and not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)

    def start(self, verb: str, given: Mapping[str, object]) -> Span | None:
        """A span, or None if nobody traces."""
        if verb in POLLED or not self.wanted():
            return None
        trace: Any = sys.modules[API]
        if self._tracer is None:
            self._tracer = trace.get_tracer("trigraph", self._version)
        told = {"trigraph.verb": verb, **attributes(facts.of_call(verb, given))}
        if verb in OPERATIONS:
            told["gen_ai.operation.name"] = OPERATIONS[verb]
        return self._tracer.start_span(span_name(verb), attributes=told)

    @contextmanager
    def current(self, span: Span) -> Iterator[None]:
        """What is done here belongs to the span."""
        trace: Any = sys.modules[API]
        with trace.use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
            yield

    def answered(self, span: Span, given: Mapping[str, object], answer: object) -> None:
        """The verb did what it should."""
        if span.is_recording():
            span.set_attributes(attributes(facts.of_answer(answer)))
            if self._contents:
                span.set_attributes(_contents(given, answer))

    def failed(self, span: Span, given: Mapping[str, object], error: BaseException) -> None:
        """The verb failed. What the error says may quote a memory."""
        trace: Any = sys.modules[API]
        span.set_attribute("error.type", facts.outcome(error))
        if self._contents:
            span.set_attributes(_contents(given, None))
        span.set_status(trace.StatusCode.ERROR, str(error) if self._contents else None)


def attributes(told: Facts) -> dict[str, Any]:
    """Facts under the names of the conventions, or ours."""
    return {CONVENTIONS.get(name, f"trigraph.{name}"): value for name, value in told.items()}


def flush_spans() -> None:
    """Hand over what was traced, before a process ends that runs no exit handlers."""
    trace = sys.modules.get(API)
    flush = getattr(trace.get_tracer_provider(), "force_flush", None) if trace is not None else None
    if flush is not None:
        flush(FLUSH_MILLISECONDS)


def _contents(given: Mapping[str, object], answer: object) -> dict[str, str]:
    told = {}
    query = given.get("query")
    if isinstance(query, RecallQuery | str):
        told["gen_ai.memory.query.text"] = query if isinstance(query, str) else query.text
    records = _records(given, answer)
    if records:
        told["gen_ai.memory.records"] = json.dumps(records, ensure_ascii=False)
    return told


def _records(given: Mapping[str, object], answer: object) -> Sequence[Mapping[str, object]]:
    match answer:
        case Recall():
            return [{**_record(hit.memory), "content": hit.excerpt.text, "score": hit.score} for hit in answer.hits]
        case Memory():
            return [_record(answer)]
        case MemoryPage():
            return [_record(one) for one in answer.memories]
    written = next((one for one in given.values() if isinstance(one, MemoryDraft | Revision) and one.text), None)
    told = facts.of_answer(answer)
    named = {"id": told["record_id"]} if "record_id" in told else {}
    return [{**named, "content": written.text}] if written is not None else []


def _record(memory: Memory) -> dict[str, object]:
    metadata = {"kind": memory.kind.value, "created_at": memory.created_at.isoformat(), "trust": memory.trust}
    return {"id": memory.id, "content": memory.text, "metadata": metadata}
