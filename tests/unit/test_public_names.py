"""The public names are a promise, and importing them is cheap."""

from __future__ import annotations

import subprocess
import sys

import pytest

import trigraph

NAMES = [
    "BrokenFile",
    "ConfigError",
    "Conflict",
    "Forbidden",
    "InvalidInput",
    "KeyReused",
    "ModelUnavailable",
    "NotFound",
    "SchemaTooNew",
    "StorageFull",
    "StoreBusy",
    "StoreClosed",
    "StoreCorrupt",
    "StoreError",
    "Trigraph",
    "TrigraphError",
    "open",
]


def test_the_public_names_are_these() -> None:
    assert trigraph.__all__ == NAMES


def test_every_public_name_is_there_and_any_other_is_not() -> None:
    assert [name for name in NAMES if not hasattr(trigraph, name)] == []
    with pytest.raises(AttributeError, match="has no attribute 'opne'"):
        trigraph.opne  # noqa: B018


def test_every_error_is_a_trigraph_error_with_a_code_of_its_own() -> None:
    errors = [getattr(trigraph, name) for name in NAMES if name not in ("Trigraph", "open")]

    assert all(issubclass(error, trigraph.TrigraphError) for error in errors)
    assert len({error.code for error in errors}) == len(errors) == 15


@pytest.mark.parametrize("statement", ["import trigraph", "import trigraph; trigraph.InvalidInput"])
def test_importing_trigraph_loads_nothing_heavy(statement: str) -> None:
    heavy = {"numpy", "apsw", "onnxruntime", "kitoken", "Stemmer", "httpx", "platformdirs"}

    assert _loaded_by(statement) & heavy == set()


def test_the_library_loads_neither_a_model_nor_a_server() -> None:
    loaded = _loaded_by("import trigraph; trigraph.open")

    assert "apsw" in loaded
    assert loaded & {"onnxruntime", "kitoken", "httpx", "fastapi", "typer"} == set()


def _loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())
