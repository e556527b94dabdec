"""Spans by OpenTelemetry's conventions for memory, as its own SDK receives them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from every_verb import PLANTED, SESSION, call_every_verb
from trigraph.assembly import open_engine
from trigraph.engine.observing import VERBS
from trigraph.errors import NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.observers.operations import OPERATIONS, POLLED, span_name
from trigraph.settings import CONTENT_VARIABLE, EmbedderSettings, Settings, contents_in_spans

pytestmark = pytest.mark.req("X13")

CONVENTIONS = {
    "search_memory",
    "create_memory",
    "update_memory",
    "upsert_memory",
    "delete_memory",
    "create_memory_store",
    "delete_memory_store",
}


@pytest.fixture
def telling(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trigraph]:
    """Memory whose contents may be told in spans."""
    monkeypatch.setenv(CONTENT_VARIABLE, "true")
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings), LOCAL_SCOPE) as opened:
        yield opened


def last(traced: InMemorySpanExporter) -> tuple[ReadableSpan, dict[str, Any]]:
    span = traced.get_finished_spans()[-1]
    return span, dict(span.attributes or {})


def test_every_operation_is_one_of_the_conventions_and_of_a_verb_that_there_is() -> None:
    assert set(OPERATIONS.values()) <= CONVENTIONS
    assert set(OPERATIONS) <= VERBS
    assert POLLED <= VERBS


def test_every_verb_has_a_span_that_holds_no_word_of_what_was_handed_over(
    memory: Trigraph, traced: InMemorySpanExporter, tmp_path: Path
) -> None:
    call_every_verb(memory, tmp_path)

    spans = traced.get_finished_spans()
    verbs = {str((span.attributes or {})["trigraph.verb"]): span.name for span in spans}
    assert verbs == {verb: span_name(verb) for verb in VERBS - POLLED}
    assert [found for span in spans for found in PLANTED.findall(span.to_json())] == []
    assert {span.kind for span in spans} == {SpanKind.INTERNAL}
    assert not [event for span in spans for event in span.events]


def test_a_recall_is_a_search_with_its_legs_its_certainty_its_tokens_and_its_stages(
    memory: Trigraph, traced: InMemorySpanExporter
) -> None:
    memory.remember("A heron nests on the old pier.")
    memory.remember("A stork nests on the roof.")
    answer = memory.recall("Where does the heron nest?", session=SESSION)

    span, told = last(traced)
    assert (span.name, told["gen_ai.operation.name"], told["trigraph.verb"]) == (
        "search_memory",
        "search_memory",
        "recall",
    )
    assert told["gen_ai.memory.store.id"] == "default/default"
    assert (told["gen_ai.agent.id"], told["gen_ai.conversation.id"]) == ("default", SESSION)
    assert told["gen_ai.memory.record.count"] == len(answer.hits) == 2
    assert told["trigraph.recall_id"] == answer.id
    assert {told[f"trigraph.legs.{leg}.status"] for leg in ("vector", "lexical")} == {"ok"}
    assert told["trigraph.legs.graph.status"] in ("ok", "not_applicable")
    assert told["trigraph.certainty"] == answer.certainty
    assert told["trigraph.best_score"] == answer.hits[0].score
    assert 10 <= told["trigraph.tokens"] <= 30
    stages = {name: spent for name, spent in told.items() if name.startswith("trigraph.stages.")}
    assert {"trigraph.stages.planning.ms", "trigraph.stages.event.ms"} <= set(stages)
    assert span.start_time is not None
    assert span.end_time is not None
    assert sum(stages.values()) <= (span.end_time - span.start_time) / 1e6
    assert span.status.status_code is StatusCode.UNSET


def test_writing_changing_and_forgetting_name_the_record(plain: Trigraph, traced: InMemorySpanExporter) -> None:
    kept = plain.remember("A heron nests on the pier").id
    assert kept is not None
    span, told = last(traced)
    assert (span.name, told["gen_ai.memory.record.id"], told["gen_ai.memory.record.count"]) == (
        "create_memory",
        kept,
        1,
    )
    assert told["gen_ai.agent.id"] == "anna"

    better = plain.correct(kept, "A stork nests on the pier").id
    span, told = last(traced)
    assert (span.name, told["gen_ai.memory.record.id"]) == ("update_memory", better)

    plain.remember_batch(["One", "Two", "Three"])
    span, told = last(traced)
    assert (span.name, told["gen_ai.memory.record.count"]) == ("upsert_memory", 3)
    assert len(told["trigraph.record_ids"]) == 3

    plain.forget(better)
    span, told = last(traced)
    assert (span.name, told["gen_ai.memory.record.id"]) == ("delete_memory", better)

    plain.admin.add_project("default", "road")
    span, told = last(traced)
    assert (span.name, told["gen_ai.memory.store.id"]) == ("create_memory_store", "default/road")
    assert "gen_ai.agent.id" not in told


def test_what_the_conventions_do_not_know_has_a_name_of_its_own(plain: Trigraph, traced: InMemorySpanExporter) -> None:
    plain.stats()

    span, told = last(traced)
    assert span.name == "trigraph.stats"
    assert "gen_ai.operation.name" not in told


def test_an_error_is_told_by_its_code_and_without_its_words(plain: Trigraph, traced: InMemorySpanExporter) -> None:
    with pytest.raises(NotFound):
        plain.get("zzzzegret")

    span, told = last(traced)
    assert (span.name, told["error.type"], span.status.status_code) == ("trigraph.get", "not_found", StatusCode.ERROR)
    assert span.status.description is None
    assert "egret" not in span.to_json()


def test_what_happens_within_a_verb_belongs_to_its_span(plain: Trigraph, traced: InMemorySpanExporter) -> None:
    tracer = trace.get_tracer("test")
    with tracer.start_as_current_span("around"):
        plain.engine.export(plain.scope, lambda line: tracer.start_span("within").end())

    spans = {span.name: span for span in traced.get_finished_spans()}
    around, verb, within = (spans[name] for name in ("around", "trigraph.export", "within"))
    assert verb.parent is not None
    assert within.parent is not None
    assert (verb.parent.span_id, within.parent.span_id) == (around.context.span_id, verb.context.span_id)


def test_contents_are_told_when_they_are_asked_for(telling: Trigraph, traced: InMemorySpanExporter) -> None:
    kept = telling.remember("A heron nests on the pier").id
    _, told = last(traced)
    assert json.loads(told["gen_ai.memory.records"]) == [{"id": kept, "content": "A heron nests on the pier"}]

    answer = telling.recall("heron pier")
    _, told = last(traced)
    assert told["gen_ai.memory.query.text"] == "heron pier"
    (record,) = json.loads(told["gen_ai.memory.records"])
    assert (record["id"], record["content"]) == (kept, "A heron nests on the pier")
    assert record["score"] == answer.hits[0].score
    assert record["metadata"]["kind"] == "fact"

    with pytest.raises(NotFound):
        telling.get("zzzzegret")
    span, _ = last(traced)
    assert "zzzzegret" in (span.status.description or "")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        *((value, False) for value in ("", "false", "NO_CONTENT", "EVENT_ONLY")),
        *((value, True) for value in ("true", "True", "SPAN_ONLY", "span_and_event")),
    ],
)
def test_only_the_values_that_ask_for_contents_in_spans_do(value: str, told: bool) -> None:
    assert contents_in_spans({CONTENT_VARIABLE: value}) is told


def test_lines_carry_the_ids_of_the_span(plain: Trigraph, traced: InMemorySpanExporter, lines: Any) -> None:
    plain.stats()

    span, _ = last(traced)
    (line,) = lines()
    assert (line["trace_id"], line["span_id"]) == (f"{span.context.trace_id:032x}", f"{span.context.span_id:016x}")


def test_who_does_not_trace_does_not_load_opentelemetry(home: Path) -> None:
    program = (
        "import sys, trigraph\n"
        f"with trigraph.open({str(home)!r}) as memory:\n"
        "    memory.remember('A heron')\n"
        "    memory.recall('heron')\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])\n"
    )
    environment = {"HOME": str(home), "TRIGRAPH_EMBEDDER__KIND": "none"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
