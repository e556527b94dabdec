"""The public names are a promise, and importing them is cheap."""

from __future__ import annotations

import inspect
import subprocess
import sys
from operator import attrgetter

import pytest

import trigraph

NAMES = [
    "AsyncRemoteTrigraph",
    "BrokenFile",
    "ConfigError",
    "Conflict",
    "Forbidden",
    "Incompatible",
    "InvalidInput",
    "KeyReused",
    "ModelUnavailable",
    "NotFound",
    "RemoteTrigraph",
    "SchemaTooNew",
    "ServerError",
    "StorageFull",
    "StoreBusy",
    "StoreClosed",
    "StoreCorrupt",
    "StoreError",
    "Trigraph",
    "TrigraphError",
    "Unauthenticated",
    "Unreachable",
    "connect",
    "connect_async",
    "open",
]
NOT_ERRORS = {"AsyncRemoteTrigraph", "RemoteTrigraph", "Trigraph", "connect", "connect_async", "open"}

METHODS = """
    access admin alias archive audit calibrate checkpoint cite close correct decide decide_pair distil docs engine
    entities entity erase events evolve export find_pairs fixup_memory_graph forget get health held_back history import_
    job jobs link links list mentions merge moves pairs persona_create persona_update prune purge recall
    recall_event reembed reflect relations remember remember_batch remember_thread rename resolve restore retry
    reverify review scope scorer_off scorer_on scorer_report scorer_train share skill_uses split stats
    supersede trace_context trace_evolution trace_impact turn undo unlink vote work work_on wrap
""".split()
OF_DOCUMENTS = ["add", "get", "list", "put", "status"]


def test_the_public_names_are_these() -> None:
    assert trigraph.__all__ == NAMES


def test_the_public_names_of_a_memory_are_these() -> None:
    with trigraph.open(in_memory=True) as memory:
        assert [name for name in dir(memory) if not name.startswith("_")] == METHODS
        assert [name for name in dir(memory.docs) if not name.startswith("_")] == OF_DOCUMENTS


@pytest.mark.parametrize(
    ("name", "takes"),
    [
        ("docs.add", {"paths", "collection", "progress", "fields"}),
        ("docs.put", {"text", "collection", "id", "path", "idempotency_key", "fields"}),
        ("docs.list", {"collection", "limit", "cursor", "as_of", "known_at"}),
        ("docs.get", {"name", "collection", "as_of", "known_at"}),
        ("docs.status", {"name", "status", "collection", "text", "idempotency_key", "fields"}),
        ("relations", {"entity", "types", "as_of", "known_at"}),
        ("trace_evolution", {"topic", "as_of", "known_at"}),
        ("trace_impact", {"id", "as_of", "known_at"}),
        ("trace_context", {"query", "id", "as_of", "known_at"}),
        ("audit", set()),
        ("fixup_memory_graph", {"apply"}),
        ("prune", {"dry_run"}),
        ("turn", {"messages", "session", "whole", "visibility", "group", "idempotency_key"}),
        ("distil", {"session", "idempotency_key"}),
        ("reflect", {"days", "idempotency_key"}),
        ("work", {"most", "progress", "stop"}),
        ("work_on", {"stop"}),
        ("jobs", {"states", "limit"}),
        ("job", {"id"}),
        ("retry", {"id"}),
        ("purge", {"source", "since", "uri", "session", "dry_run", "reason", "idempotency_key"}),
        ("held_back", {"limit"}),
        ("review", {"id", "accept", "reason", "idempotency_key"}),
        ("access", {"id"}),
        ("events", {"after"}),
        ("calibrate", set()),
        ("scorer_report", set()),
        ("scorer_train", set()),
        ("scorer_off", set()),
        ("scorer_on", set()),
        ("resolve", {"names"}),
        ("merge", {"entity", "into", "reason", "text", "idempotency_key", "fields"}),
        ("split", {"entity", "name", "memories", "text", "idempotency_key", "fields"}),
        ("undo", {"move", "text", "idempotency_key", "fields"}),
        ("moves", {"entity"}),
        ("find_pairs", {"apply"}),
        ("pairs", {"limit"}),
        ("decide_pair", {"id", "one", "text", "idempotency_key", "fields"}),
    ],
)
def test_what_they_take_is_a_promise_too(name: str, takes: set[str]) -> None:
    with trigraph.open(in_memory=True) as memory:
        method = attrgetter(name)(memory)
        assert set(inspect.signature(method).parameters) == takes
        assert method.__doc__


def test_every_public_name_is_there_and_any_other_is_not() -> None:
    assert [name for name in NAMES if not hasattr(trigraph, name)] == []
    with pytest.raises(AttributeError, match="has no attribute 'opne'"):
        trigraph.opne  # noqa: B018


def test_every_error_is_a_trigraph_error_with_a_code_of_its_own() -> None:
    errors = [getattr(trigraph, name) for name in NAMES if name not in NOT_ERRORS]

    assert all(issubclass(error, trigraph.TrigraphError) for error in errors)
    assert len({error.code for error in errors}) == len(errors) == 19


@pytest.mark.req("X6")
def test_a_purge_is_a_preview_unless_it_is_told_otherwise() -> None:
    taken = inspect.signature(trigraph.Trigraph.purge).parameters
    assert taken["dry_run"].default is True
    assert inspect.signature(trigraph.Trigraph.review).parameters["accept"].default is inspect.Parameter.empty


@pytest.mark.parametrize("statement", ["import trigraph", "import trigraph; trigraph.InvalidInput"])
def test_importing_trigraph_loads_nothing_heavy(statement: str) -> None:
    heavy = {"numpy", "apsw", "onnxruntime", "kitoken", "Stemmer", "httpx", "platformdirs"}

    assert _loaded_by(statement) & heavy == set()


def test_the_library_loads_neither_a_model_nor_a_server() -> None:
    loaded = _loaded_by("import trigraph; trigraph.open")

    assert "apsw" in loaded
    assert loaded & {"onnxruntime", "kitoken", "httpx", "fastapi", "typer"} == set()


def test_connecting_loads_neither_a_model_nor_a_server() -> None:
    loaded = _loaded_by("import trigraph; trigraph.connect")

    assert "httpx" in loaded
    assert loaded & {"onnxruntime", "kitoken", "fastapi", "starlette", "uvicorn", "typer", "mcp"} == set()


def test_the_command_loads_no_server_before_one_is_asked_for() -> None:
    assert (
        _loaded_by("import trigraph.faces.cli.main") & {"mcp", "mcp_types", "pydantic", "fastapi", "uvicorn"} == set()
    )


def _loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())
