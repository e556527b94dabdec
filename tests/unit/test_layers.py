"""Imports go down only. The layers are those of docs/explanation/architecture.md."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "trigraph"

WORDS = {"trigraph.model", "trigraph.errors"}
CONTRACTS = WORDS | {"trigraph.contracts"}
RULES = {"trigraph.text", "trigraph.ranking", "trigraph.lifecycle"}
ENGINE = {"trigraph.engine"}
ADAPTERS = ("trigraph.stores", "trigraph.embedders", "trigraph.extractors", "trigraph.rerankers", "trigraph.observers")
EXCHANGE = {"trigraph.exchange"}
ASSEMBLY = {"trigraph.settings", "trigraph.assembly"}
PURE_LIBRARIES = {"numpy", "Stemmer", "markdown_it", "yaml", "rapidfuzz", "fsrs"}

# package → what it may import of trigraph, and which third-party packages.
MAY_IMPORT: dict[str, tuple[set[str], set[str]]] = {
    "trigraph.errors": (set(), set()),
    "trigraph.model": (WORDS, set()),
    "trigraph.contracts": (CONTRACTS, {"numpy"}),
    "trigraph.text": (WORDS | {"trigraph.text"}, PURE_LIBRARIES),
    "trigraph.ranking": (CONTRACTS | RULES, PURE_LIBRARIES),
    "trigraph.lifecycle": (WORDS | {"trigraph.text", "trigraph.lifecycle"}, PURE_LIBRARIES),
    "trigraph.engine": (CONTRACTS | RULES | ENGINE, {"numpy"}),
    "trigraph.stores": (CONTRACTS | RULES | {"trigraph.stores"}, {"apsw", "numpy"}),
    "trigraph.embedders": (
        CONTRACTS | RULES | {"trigraph.embedders"},
        {"numpy", "onnxruntime", "kitoken", "httpx"},
    ),
    "trigraph.exchange": (WORDS, {"httpx"}),
    "trigraph.extractors": (CONTRACTS | RULES | EXCHANGE | {"trigraph.extractors"}, {"httpx"}),
    "trigraph.rerankers": (CONTRACTS | EXCHANGE | {"trigraph.rerankers"}, set()),
    "trigraph.observers": (CONTRACTS | RULES | {"trigraph.observers"}, {"opentelemetry"}),
    "trigraph.sources": (WORDS, {"platformdirs"}),
    "trigraph.settings": (WORDS | {"trigraph.lifecycle", "trigraph.sources"}, set()),
    "trigraph.assembly": (
        CONTRACTS | RULES | ENGINE | ASSEMBLY | set(ADAPTERS),
        set(),
    ),
    "trigraph.testing": (CONTRACTS | {"trigraph.testing"}, {"numpy", "pytest"}),
    "trigraph.faces.wire": (WORDS | {"trigraph.faces.wire"}, set()),
    "trigraph.faces.requests": (CONTRACTS, set()),
    "trigraph.faces.transfer": (CONTRACTS | {"trigraph.faces.library"}, set()),
    "trigraph.faces.documents": (CONTRACTS | {"trigraph.faces.library", "trigraph.faces.wire"}, set()),
    "trigraph.faces.happening": (CONTRACTS | {"trigraph.engine.engine", "trigraph.faces.wire"}, set()),
    "trigraph.faces.pipelines": (CONTRACTS | {"trigraph.engine.engine", "trigraph.faces.wire"}, set()),
    "trigraph.faces.sameness": (CONTRACTS | {"trigraph.engine.engine", "trigraph.faces.wire"}, set()),
    "trigraph.faces.scorer": (CONTRACTS | {"trigraph.engine.engine"}, set()),
    "trigraph.faces.quality": (CONTRACTS | {"trigraph.engine.engine", "trigraph.faces.wire"}, set()),
    "trigraph.faces.library": (
        CONTRACTS | ASSEMBLY | {"trigraph.engine.engine", "trigraph.engine.keep.admin", "trigraph.faces"},
        set(),
    ),
    "trigraph.faces.hook": (
        {"trigraph.faces.hook", "trigraph.faces.local.asking", "trigraph.faces.local.catching_up", "trigraph.sources"}
        | {"trigraph.stores.sqlite.glance", "trigraph.ranking.prompting"}
        | {"trigraph.text.pieces", "trigraph.text.secrets", "trigraph.text.terms", "trigraph.text.tokens"},
        set(),
    ),
    "trigraph.faces.local": (
        CONTRACTS
        | ASSEMBLY
        | {"trigraph.sources", "trigraph.faces.wire", "trigraph.faces.library", "trigraph.faces.local"}
        | {"trigraph.faces.hook.clients", "trigraph.faces.hook.folder"},
        set(),
    ),
    "trigraph.faces.allowed": (
        CONTRACTS | {"trigraph.engine.engine", "trigraph.faces.documents", "trigraph.faces.library"},
        set(),
    ),
    "trigraph.faces.setup": (WORDS | {"trigraph.faces.setup"}, {"tomlkit"}),
    "trigraph.faces.cli": (
        CONTRACTS
        | ASSEMBLY
        | {"trigraph.engine.engine", "trigraph.faces.wire", "trigraph.faces.library", "trigraph.faces.cli"}
        | {"trigraph.faces.transfer", "trigraph.faces.setup", "trigraph.faces.local"}
        | {"trigraph.bench", "trigraph.faces.http", "trigraph.faces.mcp"},
        {"typer", "click", "rich", "uvicorn", "apsw"},
    ),
    "trigraph.faces.http": (
        CONTRACTS
        | ASSEMBLY
        | {"trigraph.engine.engine", "trigraph.faces.wire", "trigraph.faces.library", "trigraph.faces.allowed"}
        | {"trigraph.faces.http", "trigraph.faces.dashboard", "trigraph.faces.mcp", "trigraph.faces.requests"},
        {"anyio", "fastapi", "starlette", "uvicorn", "prometheus_client"},
    ),
    "trigraph.faces.remote": (
        CONTRACTS
        | ASSEMBLY
        | {"trigraph.faces.wire", "trigraph.faces.library", "trigraph.faces.documents", "trigraph.faces.remote"}
        | {"trigraph.faces.http.routes", "trigraph.faces.http.table"},
        {"httpx"},
    ),
    "trigraph.faces.mcp": (
        CONTRACTS | {"trigraph.faces.wire", "trigraph.faces.library", "trigraph.faces.mcp", "trigraph.faces.requests"},
        {"mcp", "mcp_types", "pydantic", "starlette"},
    ),
    "trigraph.faces.dashboard": (
        CONTRACTS
        | ASSEMBLY
        | {"trigraph.engine.engine", "trigraph.faces.wire", "trigraph.faces.library"}
        | {"trigraph.faces.dashboard"},
        {"fastapi", "starlette", "jinja2", "markupsafe"},
    ),
    "trigraph.bench": (
        CONTRACTS
        | RULES
        | ASSEMBLY
        | {"trigraph.engine.engine", "trigraph.faces.wire", "trigraph.faces.library", "trigraph.bench"},
        {"numpy", "apsw"},
    ),
    "trigraph.bench.children": (ASSEMBLY | WORDS | {"trigraph.sources", "trigraph.bench.clients"}, set()),
    "trigraph.bench.clients": (set(), set()),
    "trigraph.bench.echo": (set(), {"starlette", "uvicorn"}),
    "trigraph.bench.tied": (set(), set()),
}


def _modules() -> list[tuple[str, Path]]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name not in ("trigraph", "trigraph.faces"):
            found.append((name, path))
    return found


def _layer_of(module: str) -> str:
    fitting = [layer for layer in MAY_IMPORT if module == layer or module.startswith(layer + ".")]
    assert fitting, f"{module} belongs to no layer: add it to the table and to the docs"
    return max(fitting, key=len)


def _imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} uses a relative import"
            names.add(node.module or "")
            if node.module in ("trigraph.engine", "trigraph.faces"):
                names.remove(node.module)
                names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize(("module", "path"), _modules(), ids=[name for name, _ in _modules()])
def test_a_module_imports_only_what_its_layer_may(module: str, path: Path) -> None:
    import sys

    ours, theirs = MAY_IMPORT[_layer_of(module)]
    for imported in _imports(path):
        root = imported.split(".")[0]
        if root == "trigraph":
            assert any(imported == one or imported.startswith(one + ".") for one in ours), imported
        else:
            assert root in sys.stdlib_module_names or root in theirs, imported


def test_only_assembly_reads_the_environment() -> None:
    readers = {
        name
        for name, path in _modules()
        if "os.environ" in path.read_text(encoding="utf-8") or "getenv" in path.read_text(encoding="utf-8")
    }
    assert readers <= {"trigraph.settings", "trigraph.sources", "trigraph.bench.data"}


def test_no_sql_stands_in_python() -> None:
    allowed = {"trigraph.stores.sqlite.migrate", "trigraph.stores.sqlite.connections"}
    words = ("SELECT ", "INSERT INTO", "UPDATE ", "DELETE FROM")
    for name, path in _modules():
        if name.startswith("trigraph.bench") or name in allowed:
            continue
        strings = [
            node.value
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        assert not [text for text in strings if text.lstrip().startswith(words)], name
