"""The page of the HTTP API is what the routes say of themselves."""

from __future__ import annotations

import write_http_reference

from trigraph.faces.http.routes import ROUTES


def test_the_reference_is_what_the_document_says() -> None:
    """If this fails: python docs/write_http_reference.py."""
    assert write_http_reference.TARGET.read_text(encoding="utf-8") == write_http_reference.reference()


def test_every_route_stands_in_it() -> None:
    page = write_http_reference.reference()
    assert [route.key for route in ROUTES if f"`{route.key}`" not in page] == []
