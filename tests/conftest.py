"""Shared fixtures. The model, the files and the processes are real; only the clock may be ours."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from clocks import SettableClock
from trigraph.assembly import embedder_loader, open_engine
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The packaged model, loaded once."""
    return embedder_loader(EmbedderSettings())()


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock(datetime(2026, 9, 1, 12, tzinfo=UTC))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def memory(home: Path, embedder: Embedder, clock: SettableClock) -> Iterator[Trigraph]:
    """Memory on files of its own, with the real model and a settable clock."""
    with Trigraph(open_engine(Settings(home=str(home)), clock=clock, embedder=embedder), LOCAL_SCOPE) as opened:
        yield opened


@cache
def _provider() -> TracerProvider:
    """A process has one for good."""
    provider = TracerProvider()
    trace.set_tracer_provider(provider)
    return provider


@pytest.fixture
def traced() -> Iterator[InMemorySpanExporter]:
    """What an OpenTelemetry SDK is given during a test."""
    exporter = InMemorySpanExporter()
    _provider().add_span_processor(SimpleSpanProcessor(exporter))
    yield exporter
    exporter.shutdown()
