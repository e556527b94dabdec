"""The only place that names concrete classes: settings in, a running engine out."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from trigraph.contracts import RERANK_MOST, Clock, Elsewhere, Embedder, Extractor, Reranker
from trigraph.engine.embedding import Embedding
from trigraph.engine.engine import Engine
from trigraph.engine.parts import AutomaticLink, LinkRules, Parts, RerankRules, ScorerRules, WorkRules
from trigraph.errors import ConfigError, ModelUnavailable
from trigraph.extractors.rules import RulesExtractor
from trigraph.model.calibration import Thresholds
from trigraph.model.query import Fusion, Leg, QueryClass
from trigraph.model.scope import Scope
from trigraph.observers import lines
from trigraph.observers.spans import flush_spans as flush_spans
from trigraph.observers.telemetry import Telemetry
from trigraph.ranking.order import Order
from trigraph.settings import (
    CompareSettings,
    EmbedderSettings,
    ExtractorSettings,
    LinkSettings,
    LogSettings,
    PipelineSettings,
    RerankerSettings,
    ScorerSettings,
    Settings,
    contents_in_spans,
    key_in_environment,
)
from trigraph.stores.sqlite.store import SqliteStore

EMBEDDER_KINDS = ("pack", "http", "none")
EXTRACTOR_KINDS = ("rules", "openai", "anthropic")
RERANKER_KINDS = ("none", "http")
LONGEST_WAIT_SECONDS = 600


def open_engine(
    settings: Settings,
    *,
    in_memory: bool = False,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    order: Order | None = None,
    reranker: Reranker | None = None,
    elsewhere: Elsewhere | None = None,
) -> Engine:
    """An engine on the embedded store. The model is loaded when it is first needed, not here.

    `embedder` and `reranker` are used in place of the configured ones, `order` in place of the shipped one; `in_memory`
    keeps no files; `elsewhere` is asked for vectors before a model is loaded.
    """
    load = (lambda: embedder) if embedder is not None else embedder_loader(settings.embedder, elsewhere)
    fusion = _fusion(settings.recall.fusion)
    if settings.memory.restore_days < 0:
        raise ConfigError("memory.restore_days is negative.", fix="Give a number of days, 0 or more.")
    window = timedelta(days=settings.memory.restore_days)
    weights = _weights(settings.recall.weights)
    links = _link_rules(settings.links)
    families = _families(settings.documents.families)
    rerank = _rerank_rules(settings.reranker, reranker)
    store = SqliteStore(None if in_memory else settings.home_folder())
    parts = Parts(
        store,
        Embedding(load),
        clock or utc_now,
        fusion,
        window,
        families,
        links,
        weights,
        order=order,
        thresholds=_thresholds(settings.compare),
        extractors=extractors(settings.extractor),
        work=_work_rules(settings.pipelines),
        rerank=rerank,
        scorer=_scorer_rules(settings.scorer),
        observer=Telemetry(product_version(), contents=contents_in_spans()),
    )
    return Engine(parts, product_version())


def start_logs(settings: LogSettings) -> None:
    """Write what is logged to stderr, as configured: stdout may belong to a protocol."""
    lines.start_logs(settings.format, settings.level, sys.stderr)


def extractors(settings: ExtractorSettings) -> tuple[Extractor, ...]:
    """What reads conversations, in the order in which it is asked: the configured model, then the rules."""
    rules = RulesExtractor()
    if settings.kind == "rules":
        return (rules,)
    if settings.kind not in EXTRACTOR_KINDS:
        raise ConfigError(
            f"extractor.kind {settings.kind!r} is not known.", fix=f"Valid: {', '.join(EXTRACTOR_KINDS)}."
        )
    from trigraph.extractors.http import HttpExtractor

    for name in ("url", "model"):
        if not getattr(settings, name):
            raise ConfigError(f"extractor.{name} is not set.", fix="A model needs url and model.")
    if not settings.timeout_seconds > 0:
        raise ConfigError("extractor.timeout_seconds is out of range.", fix="Give more than 0.")
    model = HttpExtractor(
        settings.kind,
        settings.url,
        settings.model,
        key=_read_key(settings.key_file, "extractor.key_file"),
        timeout_seconds=settings.timeout_seconds,
        prompts=Path(settings.prompts).expanduser() if settings.prompts else None,
    )
    return (model, rules)


def _rerank_rules(settings: RerankerSettings, given: Reranker | None) -> RerankRules | None:
    if settings.kind not in RERANKER_KINDS:
        raise ConfigError(f"reranker.kind {settings.kind!r} is not known.", fix=f"Valid: {', '.join(RERANKER_KINDS)}.")
    if not 2 <= settings.candidates <= RERANK_MOST or not 0 <= settings.blend <= 1:
        raise ConfigError(
            "reranker.candidates or reranker.blend is out of range.",
            fix=f"The first is a number from 2 to {RERANK_MOST}, the second one from 0 to 1.",
        )
    if not 0 < settings.timeout_seconds <= LONGEST_WAIT_SECONDS:
        raise ConfigError(
            "reranker.timeout_seconds is out of range.", fix=f"Give more than 0, at most {LONGEST_WAIT_SECONDS}."
        )
    if given is None and settings.kind == "none":
        return None
    return RerankRules(given or _http_reranker(settings), settings.candidates, settings.blend)


def _http_reranker(settings: RerankerSettings) -> Reranker:
    from trigraph.rerankers.http import HttpReranker

    for name in ("url", "model"):
        if not getattr(settings, name):
            raise ConfigError(f"reranker.{name} is not set.", fix="The HTTP re-ranker needs url and model.")
    return HttpReranker(
        settings.dialect,
        settings.url,
        settings.model,
        key=key_in_environment(settings.api_key_env, "reranker.api_key_env"),
        timeout_seconds=settings.timeout_seconds,
    )


def _thresholds(settings: CompareSettings) -> Thresholds:
    if not 0 <= settings.alike_above <= settings.duplicate_above <= 1:
        raise ConfigError(
            "compare.alike_above and compare.duplicate_above are out of range.",
            fix="Give two numbers from 0 to 1, the first not above the second.",
        )
    return replace(Thresholds(), duplicate=settings.duplicate_above, alike=settings.alike_above)


def _work_rules(settings: PipelineSettings) -> WorkRules:
    if settings.episodes not in ("keep", "drop"):
        raise ConfigError(f"pipelines.episodes is {settings.episodes!r}.", fix="Give keep or drop.")
    numbers = (settings.tries, settings.pause_seconds, settings.lease_seconds)
    waits = (settings.distil_after_minutes, settings.reflect_every_hours)
    if min(numbers) <= 0 or min(waits) < 0:
        raise ConfigError(
            "A setting of pipelines is out of range.",
            fix="tries, pause_seconds and lease_seconds are more than 0, the others 0 or more.",
        )
    return WorkRules(
        tries=settings.tries,
        pause=timedelta(seconds=settings.pause_seconds),
        lease=timedelta(seconds=settings.lease_seconds),
        keep_episodes=settings.episodes == "keep",
        distil_after=timedelta(minutes=settings.distil_after_minutes) if settings.distil_after_minutes else None,
        reflect_every=timedelta(hours=settings.reflect_every_hours) if settings.reflect_every_hours else None,
    )


def _scorer_rules(settings: ScorerSettings) -> ScorerRules:
    if not 0 <= settings.explore <= 1:
        raise ConfigError("scorer.explore is out of range.", fix="Give a share from 0 to 1; 0 switches it off.")
    return ScorerRules(settings.enabled, settings.explore)


def _families(words: str) -> tuple[str, ...]:
    families = tuple(dict.fromkeys(word.upper() for word in re.split(r"[\s,]+", words) if word))
    odd = next((word for word in families if not re.fullmatch(r"[A-Z]{2,10}", word)), None)
    if odd is not None or not families:
        raise ConfigError(
            f"documents.families has {odd or words!r}.", fix="Give words of 2 to 10 letters, such as SPEC ADR FIP."
        )
    return families


def _link_rules(settings: LinkSettings) -> LinkRules:
    words = [word for word in re.split(r"[\s,]+", settings.automatic) if word and word != "none"]
    odd = next((word for word in words if word not in tuple(AutomaticLink)), None)
    if odd is not None:
        valid = ", ".join(AutomaticLink)
        raise ConfigError(f"links.automatic has {odd!r}.", fix=f"Give some of {valid}, or none.")
    if not 0 <= settings.similar_above <= 1:
        raise ConfigError("links.similar_above is out of range.", fix="Give a number from 0 to 1.")
    return LinkRules(frozenset(AutomaticLink(word) for word in words), settings.similar_above)


def _weights(text: str) -> dict[QueryClass | None, dict[str, float]]:
    """`graph=2 current_state.recency=0.5`: weights of legs and of recency, for all queries or for a class."""
    weights: dict[QueryClass | None, dict[str, float]] = {}
    for entry in re.split(r"[\s,]+", text.strip()) if text.strip() else ():
        match = re.fullmatch(r"(?:([a-z_]+)\.)?([a-z]+)=(\d+(?:\.\d+)?)", entry)
        if match is None or match[2] not in (*Leg, "recency") or match[1] not in (None, *QueryClass):
            raise ConfigError(
                f"recall.weights has {entry!r}.",
                fix=f"Write [class.]leg=number; legs: {', '.join(Leg)}, recency; classes: {', '.join(QueryClass)}.",
            )
        weights.setdefault(QueryClass(match[1]) if match[1] else None, {})[match[2]] = float(match[3])
    return weights


def _fusion(name: str) -> Fusion:
    try:
        return Fusion(name)
    except ValueError as error:
        valid = ", ".join(fusion.value for fusion in Fusion)
        raise ConfigError(f"recall.fusion {name!r} is not known.", fix=f"Valid: {valid}.") from error


def scope_of(settings: Settings) -> Scope:
    """The scope of the local user."""
    return Scope(settings.scope.tenant, settings.scope.project, settings.scope.agent)


def embedder_loader(settings: EmbedderSettings, elsewhere: Elsewhere | None = None) -> Callable[[], Embedder]:
    """A function that makes the configured embedder, or raises ModelUnavailable with what mends it. Of a model on this
    machine, `elsewhere` is asked first."""
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

        def make() -> Embedder:
            made = _http(settings) if settings.kind == "http" else _pack(settings)
            return CachedEmbedder(made, entries=settings.cache_entries)

        if elsewhere is None or settings.kind == "http":
            return make()
        from trigraph.embedders.borrowing import BorrowingEmbedder
        from trigraph.embedders.pack import model_of

        return BorrowingEmbedder(model_of(_pack_folder(settings)), elsewhere, make)

    return load


def _pack(settings: EmbedderSettings) -> Embedder:
    from trigraph.embedders.pack import PackEmbedder

    return PackEmbedder(_pack_folder(settings), threads=settings.threads or os.cpu_count() or 1)


def _pack_folder(settings: EmbedderSettings) -> Path:
    from trigraph.embedders.pack import packaged_folder

    return Path(settings.pack).expanduser() if settings.pack else packaged_folder(settings.package)


def _http(settings: EmbedderSettings) -> Embedder:
    from trigraph.embedders.http import HttpEmbedder

    for name in ("url", "model", "dimension"):
        if not getattr(settings, name):
            raise ConfigError(f"embedder.{name} is not set.", fix="The HTTP embedder needs url, model and dimension.")
    return HttpEmbedder(
        settings.url,
        settings.model,
        settings.dimension,
        key=_read_key(settings.key_file, "embedder.key_file"),
        timeout_seconds=settings.timeout_seconds,
    )


def _read_key(key_file: str, name: str) -> str | None:
    if not key_file:
        return None
    try:
        return Path(key_file).expanduser().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name} cannot be read: {error}.", fix="Check the path.") from error


def product_version() -> str:
    """The version of the installed package."""
    try:
        return version("trigraph")
    except PackageNotFoundError:
        return "0+unknown"


def utc_now() -> datetime:
    """The clock that is used unless another is handed in."""
    return datetime.now(UTC)
