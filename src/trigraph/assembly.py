"""The only place that names concrete classes: settings in, a running engine out."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from trigraph.contracts import Clock, Embedder
from trigraph.engine.embedding import Embedding
from trigraph.engine.engine import Engine
from trigraph.engine.parts import Parts
from trigraph.errors import ConfigError, ModelUnavailable
from trigraph.model.query import Fusion
from trigraph.model.scope import Scope
from trigraph.settings import EmbedderSettings, Settings
from trigraph.stores.sqlite.store import SqliteStore

EMBEDDER_KINDS = ("pack", "http", "none")


def open_engine(
    settings: Settings,
    *,
    in_memory: bool = False,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
) -> Engine:
    """An engine on the embedded store. The model is loaded when it is first needed, not here.

    `embedder` is used in place of the configured one; `in_memory` keeps no files.
    """
    load = (lambda: embedder) if embedder is not None else embedder_loader(settings.embedder)
    fusion = _fusion(settings.recall.fusion)
    if settings.memory.restore_days < 0:
        raise ConfigError("memory.restore_days is negative.", fix="Give a number of days, 0 or more.")
    window = timedelta(days=settings.memory.restore_days)
    store = SqliteStore(None if in_memory else settings.home_folder())
    return Engine(Parts(store, Embedding(load), clock or utc_now, fusion, window), product_version())


def _fusion(name: str) -> Fusion:
    try:
        return Fusion(name)
    except ValueError as error:
        valid = ", ".join(fusion.value for fusion in Fusion)
        raise ConfigError(f"recall.fusion {name!r} is not known.", fix=f"Valid: {valid}.") from error


def scope_of(settings: Settings) -> Scope:
    """The scope of the local user."""
    return Scope(settings.scope.tenant, settings.scope.project, settings.scope.agent)


def embedder_loader(settings: EmbedderSettings) -> Callable[[], Embedder]:
    """A function that makes the configured embedder, or raises ModelUnavailable with what mends it."""
    if settings.kind not in EMBEDDER_KINDS:
        raise ConfigError(f"embedder.kind {settings.kind!r} is not known.", fix=f"Valid: {', '.join(EMBEDDER_KINDS)}.")

    if settings.cache_entries < 0 or settings.threads < 0 or not settings.timeout_seconds > 0:
        raise ConfigError(
            "embedder.cache_entries, embedder.threads or embedder.timeout_seconds is out of range.",
            fix="The first two are 0 or more, the last is more than 0.",
        )

    def load() -> Embedder:
        if settings.kind == "none":
            raise ModelUnavailable(
                "No embedder is configured (embedder.kind is none).",
                fix="Set embedder.kind to pack, then run `trigraph reembed`.",
            )
        from trigraph.embedders.cached import CachedEmbedder

        made = _http(settings) if settings.kind == "http" else _pack(settings)
        return CachedEmbedder(made, entries=settings.cache_entries)

    return load


def _pack(settings: EmbedderSettings) -> Embedder:
    from trigraph.embedders.pack import PackEmbedder, packaged_folder

    folder = Path(settings.pack).expanduser() if settings.pack else packaged_folder(settings.package)
    return PackEmbedder(folder, threads=settings.threads or os.cpu_count() or 1)


def _http(settings: EmbedderSettings) -> Embedder:
    from trigraph.embedders.http import HttpEmbedder

    for name in ("url", "model", "dimension"):
        if not getattr(settings, name):
            raise ConfigError(f"embedder.{name} is not set.", fix="The HTTP embedder needs url, model and dimension.")
    return HttpEmbedder(
        settings.url,
        settings.model,
        settings.dimension,
        key=_read_key(settings.key_file),
        timeout_seconds=settings.timeout_seconds,
    )


def _read_key(key_file: str) -> str | None:
    if not key_file:
        return None
    try:
        return Path(key_file).expanduser().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"embedder.key_file cannot be read: {error}.", fix="Check the path.") from error


def product_version() -> str:
    """The version of the installed package."""
    try:
        return version("trigraph")
    except PackageNotFoundError:
        return "0+unknown"


def utc_now() -> datetime:
    """The clock that is used unless another is handed in."""
    return datetime.now(UTC)
