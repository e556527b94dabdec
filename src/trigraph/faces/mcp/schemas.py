"""JSON Schemas in few bytes: tool definitions are read by a model on every turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Schema = dict[str, Any]


def text(says: str = "", *, of: Iterable[str] = (), default: str | None = None) -> Schema:
    """A text, or one of a closed list."""
    shown = _said({"type": "string"}, says, default)
    options = [str(one) for one in of]
    return {**shown, "enum": options} if options else shown


def texts(says: str = "", *, of: Iterable[str] = ()) -> Schema:
    """A list of texts."""
    return _said({"type": "array", "items": text(of=of)}, says)


def whole(says: str = "", *, default: int | None = None) -> Schema:
    """A whole number."""
    return _said({"type": "integer"}, says, default)


def number(says: str = "") -> Schema:
    """A number."""
    return _said({"type": "number"}, says)


def flag(says: str = "", *, default: bool | None = None) -> Schema:
    """True or false."""
    return _said({"type": "boolean"}, says, default)


def listed(item: Schema, says: str = "") -> Schema:
    """A list of things of one sort."""
    return _said({"type": "array", "items": item}, says)


def anything(says: str = "") -> Schema:
    """An object that is not described further."""
    return _said({"type": "object"}, says)


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    return {**schema, "type": [schema["type"], "null"]}


def record(properties: Mapping[str, Schema], required: Iterable[str] = (), says: str = "") -> Schema:
    """An object of an answer: what it has for certain, and what it may have; more may come with later versions."""
    shown = _said({"type": "object"}, says)
    return {**shown, "properties": dict(properties), **_needed(required)}


def arguments(properties: Mapping[str, Schema], required: Iterable[str], *, closed: bool) -> Schema:
    """What a tool takes."""
    shown = {"type": "object", "properties": dict(properties), **_needed(required)}
    return {**shown, "additionalProperties": False} if closed else shown


def _needed(required: Iterable[str]) -> dict[str, list[str]]:
    names = list(required)
    return {"required": names} if names else {}


def _said(schema: Schema, says: str, default: object = None) -> Schema:
    told = {**schema, "description": says} if says else schema
    return told if default is None else {**told, "default": default}
