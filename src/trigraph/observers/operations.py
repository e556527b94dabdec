"""Which operation of OpenTelemetry's GenAI conventions a verb is."""

from __future__ import annotations

from collections.abc import Mapping

OPERATIONS: Mapping[str, str] = {
    "recall": "search_memory",
    "trace_context": "search_memory",
    "remember": "create_memory",
    "remember_thread": "create_memory",
    "turn": "create_memory",
    "decide": "create_memory",
    "checkpoint": "create_memory",
    "evolve": "create_memory",
    "wrap": "create_memory",
    "persona_create": "create_memory",
    "correct": "update_memory",
    "supersede": "update_memory",
    "restore": "update_memory",
    "archive": "update_memory",
    "reverify": "update_memory",
    "share": "update_memory",
    "review": "update_memory",
    "persona_update": "update_memory",
    "document_status": "update_memory",
    "remember_batch": "upsert_memory",
    "import_": "upsert_memory",
    "forget": "delete_memory",
    "forget_matching": "delete_memory",
    "purge": "delete_memory",
    "erase": "delete_memory",
    "admin.add_tenant": "create_memory_store",
    "admin.add_project": "create_memory_store",
}
"""`remember_batch` updates documents in place, `import_` leaves alone what is there: both are upserts. Nothing deletes
a store. What is not here has a span of its own name."""

POLLED = frozenset({"work_everywhere"})
"""Called some times a second whether there is something to do or not: no span, and a line only if there was."""


def span_name(verb: str) -> str:
    """The conventions' operation, or a name that is ours."""
    return OPERATIONS.get(verb) or f"trigraph.{verb.rstrip('_')}"
