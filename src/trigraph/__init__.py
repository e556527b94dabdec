"""trigraph: a memory engine for AI agents. `import trigraph` is light; the rest loads on first use."""

from __future__ import annotations

from trigraph.errors import (
    BrokenFile,
    ConfigError,
    Conflict,
    Forbidden,
    Incompatible,
    InvalidInput,
    KeyReused,
    ModelUnavailable,
    NotFound,
    SchemaTooNew,
    ServerError,
    StorageFull,
    StoreBusy,
    StoreClosed,
    StoreCorrupt,
    StoreError,
    TrigraphError,
    Unauthenticated,
    Unreachable,
)

TYPE_CHECKING = False  # typing takes 6 ms to import, and hooks start before every prompt
if TYPE_CHECKING:
    from typing import Any

    from trigraph.faces.library import Trigraph, open
    from trigraph.faces.remote.client import AsyncRemoteTrigraph, RemoteTrigraph, connect, connect_async

__all__ = [
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

_LATER = {
    "Trigraph": "trigraph.faces.library",
    "open": "trigraph.faces.library",
    "AsyncRemoteTrigraph": "trigraph.faces.remote.client",
    "RemoteTrigraph": "trigraph.faces.remote.client",
    "connect": "trigraph.faces.remote.client",
    "connect_async": "trigraph.faces.remote.client",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'trigraph' has no attribute {name!r}")
