"""Whatever the OpenAPI document allows, and much that it does not, is answered as the document says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.types import ASGIApp, Receive, Scope, Send

from http_api import World, opened
from trigraph.contracts import Embedder
from trigraph.faces.http.app import make_app
from trigraph.faces.http.openapi import document
from trigraph.faces.library import Trigraph
from trigraph.model.access import Right
from trigraph.settings import ServerSettings

EXAMPLES = 6
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Trigraph]:
    """With a model: without one, what needs it is unavailable, and says so by a status of the server."""
    with opened(tmp_path_factory.mktemp("fuzzed") / "home", embedder) as found:
        world = World(found, "harbour")
        for made in (world.memory, world.document, world.entity, world.job):
            assert made
        yield found


@pytest.fixture(scope="module")
def app(memory: Trigraph) -> ASGIApp:
    """The application without its beginning and end, which are the tools' and happen once."""
    whole = make_app(memory, ServerSettings(rate_per_minute=0))

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await whole(scope, receive, send)
            return
        for moment in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{moment}.complete"})

    return answering


@pytest.fixture(scope="module")
def steward(memory: Trigraph) -> dict[str, str]:
    issued = memory.admin.issue_token("default", "default", "default", "fuzz", list(Right))
    return {"Authorization": f"Bearer {issued.secret}", "Host": "127.0.0.1"}


CONFIG = schemathesis.Config.from_dict({"phases": {"coverage": {"enabled": False}}})
schema = schemathesis.openapi.from_dict(document("test"), config=CONFIG).exclude(path="/v1/events")
"""Streams of events do not end, and stay out."""


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_answers_as_the_document_says(
    case: schemathesis.Case, app: ASGIApp, steward: dict[str, str]
) -> None:
    case.headers.pop("x-trigraph-agent-id", None)  # a token names its own
    case.operation.app = case.operation.schema.app = app
    case.call_and_validate(base_url="http://127.0.0.1", headers=steward, checks=CHECKS)
