"""JSON Schema of what verbs take and answer, read off their annotations and the values of the model."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from trigraph.faces.wire import WHOLE_TEXT
from trigraph.model.audit import Audit, GraphDiff
from trigraph.model.change import Changed
from trigraph.model.document import Document
from trigraph.model.entity import Entity
from trigraph.model.job import Job
from trigraph.model.memory import Memory, MemoryDraft
from trigraph.model.recall import Hit, Recall
from trigraph.model.relation import Relation
from trigraph.model.report import DocumentsReport, ItemStatus, RememberReport

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer"}
TIME: Schema = {"type": "string", "description": "RFC 3339 with a time zone, or a date: the start of that day, UTC"}
_PLAIN: dict[object, Schema] = {str: TEXT, bool: FLAG, int: WHOLE, float: {"type": "number"}}
_COUNTS: Schema = {"type": "object", "additionalProperties": WHOLE}

ADDED: dict[type, dict[str, Schema]] = {
    Memory: {"type": {"type": "string"}},
    Entity: {"name": TEXT, "retired": FLAG},
    Changed: {"id": {"type": ["string", "null"]}},
    RememberReport: {"counts": {**_COUNTS, "propertyNames": {"enum": [one.value for one in ItemStatus]}}},
    DocumentsReport: {"counts": _COUNTS},
    Document: {"stub": FLAG},
    Audit: {"ok": FLAG},
    GraphDiff: {"empty": FLAG},
    Recall: {"degraded": FLAG},
    Relation: {"source_memory_id": TEXT, "extracted_from_section": TEXT, "created_at": {**TEXT, "format": "date-time"}},
    Job: {"payload": {}, "result": {}},
}
"""What `wire.to_json` shows of a value beside its fields."""
OPTIONAL: dict[type, frozenset[str]] = {Recall: frozenset({"signals", "stages", "threads"})}
"""What it shows only where it was asked for."""
HIDDEN: dict[type, frozenset[str]] = {Recall: frozenset({"explained"})}


def taken(annotation: object) -> Schema:
    """What an argument may be, from its annotation: loose where the verb is."""
    members = _members(annotation)
    schema = _taken_of([one for one in members if one is not types.NoneType])
    return _nullable(schema) if types.NoneType in members else schema


def hints(kind: type) -> dict[str, Any]:
    """The types of a value's fields."""
    return get_type_hints(kind, localns={"DocumentRef": object} if kind is MemoryDraft else None)


class Components:
    """Schemas of answers, each kind of value once, under its own name."""

    def __init__(self) -> None:
        self.schemas: dict[str, Schema] = {}
        self._names: dict[type, str] = {}

    def of(self, annotation: Any) -> Schema:
        """The schema of an answer of that type."""
        if isinstance(annotation, type) and issubclass(annotation, StrEnum):
            return _choices(annotation)
        if is_dataclass(annotation) and isinstance(annotation, type):
            return {"$ref": f"#/components/schemas/{self._named(annotation)}"}
        if annotation is datetime:
            return {**TEXT, "format": "date-time"}
        if annotation in _PLAIN:
            return dict(_PLAIN[annotation])
        return self._of_generic(annotation)

    def _of_generic(self, annotation: Any) -> Schema:
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin in (Union, types.UnionType):
            found = [self.of(one) for one in arguments if one is not types.NoneType]
            whole = found[0] if len(found) == 1 else {"anyOf": found}
            return _nullable(whole) if types.NoneType in arguments else whole
        if origin in (list, tuple, Sequence):
            return self._of_list(origin, arguments)
        if origin is Mapping:
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        if origin is Literal:
            return {"enum": list(arguments)}
        return {}

    def _of_list(self, origin: object, arguments: tuple[Any, ...]) -> Schema:
        if origin is tuple and arguments[-1] is not Ellipsis:
            size = len(arguments)
            return {"type": "array", "prefixItems": [self.of(one) for one in arguments], "minItems": size}
        return {"type": "array", "items": self.of(arguments[0])}

    def _named(self, kind: type) -> str:
        if kind not in self._names:
            module = kind.__module__.rsplit(".", 1)[-1]
            name = kind.__name__
            if name in self._names.values():
                name = f"{module.capitalize()}{name}"
            self._names[kind] = name
            self.schemas[name] = {}
            self.schemas[name] = self._value(kind)
        return self._names[kind]

    def _value(self, kind: type) -> Schema:
        if kind is Hit:
            return self._hit()
        told = hints(kind)
        shown = {one.name: self.of(told[one.name]) for one in fields(kind) if one.name not in HIDDEN.get(kind, ())}
        return _object(kind, {**shown, **ADDED.get(kind, {})}, OPTIONAL.get(kind, frozenset()))

    def _hit(self) -> Schema:
        """A hit is flat: its memory's fields stand beside its own, and an excerpt is a span."""
        told = hints(Hit)
        own = {one.name: self.of(told[one.name]) for one in fields(Hit) if one.name != "memory"}
        self._named(Memory)
        memory = self.schemas[self._names[Memory]]["properties"]
        excerpt = {"type": "object", "properties": {"start": WHOLE, "end": WHOLE}, "required": ["start", "end"]}
        asked_for = frozenset({"features", "moved", "before", "after", WHOLE_TEXT})
        return _object(Hit, {**memory, **own, "excerpt": excerpt, WHOLE_TEXT: TEXT}, asked_for)


def required_fields(kind: type) -> set[str]:
    """The fields of a value that have no default."""
    return {one.name for one in fields(kind) if _required(one)}


def _required(one: Field[Any]) -> bool:
    return one.default is MISSING and one.default_factory is MISSING


def _object(kind: type, properties: dict[str, Schema], optional: frozenset[str]) -> Schema:
    return {
        "type": "object",
        "description": " ".join((kind.__doc__ or "").split()),
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def _taken_of(members: list[object]) -> Schema:
    if object in members or datetime in members:
        return dict(TIME)
    found = [_taken_one(one) for one in members if one is not Path]
    return found[0] if len(found) == 1 else {"anyOf": found}


def _taken_one(member: Any) -> Schema:
    if isinstance(member, type) and issubclass(member, StrEnum):
        return _choices(member)
    if member in _PLAIN:
        return dict(_PLAIN[member])
    origin, arguments = get_origin(member), get_args(member)
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _PLAIN.get(arguments[1], {})}
    if origin in (tuple, list, Iterable, Sequence):
        within = arguments[0]
        items = TEXT if is_dataclass(within) else taken(within)
        listed = {"type": "array", "items": items}
        return {"anyOf": [listed, items]} if origin is tuple else listed  # a field of texts takes one of them too
    return {}


def _members(annotation: Any) -> list[object]:
    split = get_origin(annotation) in (Union, types.UnionType)
    return list(get_args(annotation)) if split else [annotation]


def _choices(options: type[StrEnum]) -> Schema:
    return {"type": "string", "enum": [one.value for one in options]}


def _nullable(schema: Schema) -> Schema:
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    if "anyOf" in schema:
        return {"anyOf": [*schema["anyOf"], {"type": "null"}]}
    return {"anyOf": [schema, {"type": "null"}]}
