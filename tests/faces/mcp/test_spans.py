"""A traced server: the request's span, its place in the client's trace, and the verb's span within; and its log."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from commands import Command
from mcp_clients import LEGACY, NO_MODEL, RawHttp, RawStdio, called
from trigraph.faces.library import Trigraph
from trigraph.faces.mcp.server import make_server

pytestmark = pytest.mark.req("X13")

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TEXT, QUERY = "A zqheronheron nests on the pier", "zqegretegret"
SET_UP = """
import io, os
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter

out = open(os.environ["SPANS"], "w", encoding="utf-8")
exporter = ConsoleSpanExporter(out=out, formatter=lambda span: span.to_json(indent=None) + chr(10))
trace.set_tracer_provider(TracerProvider())
trace.get_tracer_provider().add_span_processor(BatchSpanProcessor(exporter))
"""
INFO = {"TRIGRAPH_LOG__LEVEL": "info"}


def test_a_call_of_a_tool_is_a_span_of_the_server_around_that_of_the_verb(
    plain: Trigraph, traced: InMemorySpanExporter
) -> None:
    called(make_server(plain), "remember", text=TEXT)

    spans = {(span.name, span.kind): span for span in traced.get_finished_spans()}
    server, verb = spans["tools/call remember", SpanKind.SERVER], spans["create_memory", SpanKind.INTERNAL]
    assert verb.parent is not None
    assert verb.parent.span_id == server.context.span_id


def test_over_stdio_a_call_joins_the_clients_trace_and_all_spans_are_handed_over_at_the_end(
    home: Path, tmp_path: Path
) -> None:
    told, errors = _over_stdio(Command(home, tmp_path), {**_traced(tmp_path), **INFO})

    spans = _spans(tmp_path)
    server, verb = spans["tools/call recall", None], spans["search_memory", None]
    assert server["kind"] == "SpanKind.SERVER"
    assert server["context"]["trace_id"] == f"0x{TRACE}"
    assert server["parent_id"] == f"0x{PARENT}"
    assert verb["parent_id"] == server["context"]["span_id"]
    expected = {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": LEGACY[0],
        "gen_ai.tool.name": "recall",
        "gen_ai.operation.name": "execute_tool",
    }
    assert expected.items() <= server["attributes"].items()
    assert ("tools/call recall", "tool_error") in spans
    assert [answer["result"].get("isError", False) for answer in told] == [False, False, True]
    assert not [word for word in ("zqheron", "zqegret") if word in json.dumps(list(spans.values())) + errors]
    lines = [json.loads(line) for line in errors.splitlines()]
    assert verb["context"]["span_id"] in [f"0x{line.get('span_id')}" for line in lines if line.get("verb") == "recall"]


def test_over_stdio_the_log_goes_to_stderr_with_a_line_for_each_request_and_verb(home: Path, tmp_path: Path) -> None:
    _, errors = _over_stdio(Command(home, tmp_path), INFO)

    lines = [json.loads(line) for line in errors.splitlines()]
    requests = [(line["request"], line["outcome"]) for line in lines if line["event"] == "request"]
    assert requests == [
        ("tools/call remember", "ok"),
        ("tools/call recall", "ok"),
        ("tools/call recall", "invalid_input"),
    ]
    assert [line["verb"] for line in lines if line["event"] == "verb"] == ["remember", "recall"]
    assert not [word for word in ("zqheron", "zqegret") if word in errors]


def test_without_a_setting_a_server_that_does_well_logs_nothing(home: Path, tmp_path: Path) -> None:
    assert _over_stdio(Command(home, tmp_path), {})[1] == ""


def test_over_http_requests_are_traced_and_logged_by_their_route(home: Path, tmp_path: Path) -> None:
    environment = {**NO_MODEL, **INFO, "TRIGRAPH_SERVER__PORT": "0", **_traced(tmp_path)}
    process = Command(home, tmp_path).start("serve", environment=environment)
    assert process.stderr is not None
    address = re.search(r"http://\S+?(?=/)", process.stderr.readline())
    assert address is not None
    client = RawHttp(address.group(), LEGACY[0])
    client.open()
    client.ask("tools/call", name="remember", arguments={"text": TEXT})
    client.ask("tools/call", name="recall", arguments={"query": QUERY})
    httpx.get(f"{address.group()}/{QUERY}?q={QUERY}")
    process.terminate()
    out, errors = process.communicate(timeout=20)

    lines = [json.loads(line) for line in errors.splitlines()]
    requests = [(line["face"], line["request"], line["outcome"]) for line in lines if line["event"] == "request"]
    assert requests.count(("http", "POST /mcp", "ok")) == 3
    assert ("mcp", "tools/call recall", "ok") in requests
    assert [line["outcome"] for line in lines if line.get("status") == 404] == ["refused"]
    assert out == ""
    spans = _spans(tmp_path)
    assert spans["search_memory", None]["parent_id"] == spans["tools/call recall", None]["context"]["span_id"]
    assert not [word for word in ("zqheron", "zqegret") if word in errors]


def _traced(folder: Path) -> dict[str, str]:
    """An SDK is set up before anything else, as `opentelemetry-instrument` does; its spans go to a file in batches."""
    (folder / "sitecustomize.py").write_text(SET_UP, encoding="utf-8")
    return {"PYTHONPATH": str(folder), "SPANS": str(folder / "spans.jsonl")}


def _spans(folder: Path) -> dict[tuple[str, str | None], dict[str, Any]]:
    """Spans by their name and their error."""
    written = (folder / "spans.jsonl").read_text(encoding="utf-8").splitlines()
    return {(span["name"], span["attributes"].get("error.type")): span for span in map(json.loads, written)}


def _over_stdio(command: Command, environment: Mapping[str, str]) -> tuple[list[dict[str, Any]], str]:
    """Three calls, one of them wrong: the answers, and what was written to stderr."""
    process = command.start("mcp", environment={**NO_MODEL, **environment})
    client = RawStdio(process, LEGACY[0])
    client.open()
    meta = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
    told = [
        client.ask("tools/call", name="remember", arguments={"text": TEXT}),
        client.ask("tools/call", name="recall", arguments={"query": QUERY}, _meta=meta),
        client.ask("tools/call", name="recall", arguments={"query": QUERY, "limit": QUERY}),
    ]
    rest, errors = process.communicate(timeout=20)
    assert rest == ""
    assert process.returncode == 0
    return told, errors
