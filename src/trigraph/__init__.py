"""trigraph: a memory engine for AI agents. `import trigraph` is light; the rest loads on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trigraph.errors import (
    BrokenFile,
    ConfigError,
    Conflict,
    Forbidden,
    InvalidInput,
    KeyReused,
    ModelUnavailable,
    NotFound,
    SchemaTooNew,
    StorageFull,
    StoreBusy,
    StoreClosed,
    StoreCorrupt,
    StoreError,
    TrigraphError,
    Unauthenticated,
)

if TYPE_CHECKING:
    from trigraph.faces.library import Trigraph, open

__all__ = [
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
    "Unauthenticated",
    "open",
]


def __getattr__(name: str) -> Any:
    if name in ("Trigraph", "open"):
        from trigraph.faces import library

        return getattr(library, name)
    raise AttributeError(f"module 'trigraph' has no attribute {name!r}")
