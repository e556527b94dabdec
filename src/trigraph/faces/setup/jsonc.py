"""JSON with comments and trailing commas, read with the place of every member, so that edits leave the rest alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

DEEPEST = 200
"""Deeper nesting is no configuration."""

_GAP = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"true|false|null")


class Malformed(ValueError):
    """The text is not JSON; says where and what was expected there."""

    def __init__(self, text: str, place: int, expected: str) -> None:
        before = text[:place]
        self.line = before.count("\n") + 1
        self.column = place - (before.rfind("\n") + 1) + 1
        self.expected = expected
        super().__init__(f"line {self.line}, column {self.column}: {expected}")


@dataclass(frozen=True, slots=True)
class Node:
    """A value, where it stands, and for an object or array what it holds."""

    start: int
    end: int
    data: Any
    items: tuple[Item, ...] = ()

    @property
    def is_object(self) -> bool:
        return isinstance(self.data, dict)

    @property
    def is_array(self) -> bool:
        return isinstance(self.data, list)

    def member(self, key: str) -> Item | None:
        """The member of that name: the last one, as clients take it."""
        return next((item for item in reversed(self.items) if item.key == key), None)


@dataclass(frozen=True, slots=True)
class Item:
    """A member of an object or an element of an array; `start` is where its key begins, `comma` the comma after it."""

    start: int
    key: str | None
    node: Node
    comma: int | None

    @property
    def end(self) -> int:
        return self.node.end


@lru_cache(maxsize=2)
def parse(text: str) -> Node:
    """The document's one value. Anything that is not JSON, comments and trailing commas aside, is `Malformed`.

    The last ones are kept: a client's file can be some megabytes, and one edit looks at it several times."""
    start = skip_gap(text, 0)
    root = _value(text, start, 0)
    end = skip_gap(text, root.end)
    if end != len(text):
        raise Malformed(text, end, "nothing may follow the document")
    return root


def skip_gap(text: str, place: int) -> int:
    """The first place from here on that is neither white space nor comment."""
    found = _GAP.match(text, place)
    assert found is not None
    return found.end()


def _value(text: str, place: int, depth: int) -> Node:
    opening = text[place : place + 1]
    if opening in ("{", "["):
        if depth == DEEPEST:
            raise Malformed(text, place, "it is nested too deeply")
        return _container(text, place, depth, is_object=opening == "{")
    for pattern in (_STRING, _NUMBER, _WORD):
        if found := pattern.match(text, place):
            return Node(place, found.end(), _scalar(found.group()))
    raise Malformed(text, place, "a value is expected")


def _scalar(written: str) -> Any:
    if written[0] == '"' and "\\" not in written:
        return written[1:-1]
    try:
        return json.loads(written)
    except ValueError:
        return written  # an integer with more digits than Python converts: it is only compared


def _container(text: str, place: int, depth: int, *, is_object: bool) -> Node:
    closing = "}" if is_object else "]"
    items: list[Item] = []
    at = skip_gap(text, place + 1)
    while text[at : at + 1] != closing:
        if items and items[-1].comma is None:
            raise Malformed(text, at, f"a comma or {closing} is expected")
        start, key = at, None
        if is_object:
            key, at = _key(text, at)
        node = _value(text, at, depth + 1)
        at = skip_gap(text, node.end)
        comma = at if text[at : at + 1] == "," else None
        items.append(Item(start, key, node, comma))
        if comma is not None:
            at = skip_gap(text, comma + 1)
    data: Any = {item.key: item.node.data for item in items} if is_object else [item.node.data for item in items]
    return Node(place, at + 1, data, tuple(items))


def _key(text: str, place: int) -> tuple[str, int]:
    """A member's name, and where its value begins."""
    found = _STRING.match(text, place)
    if not found:
        raise Malformed(text, place, "a name in double quotes is expected")
    colon = skip_gap(text, found.end())
    if text[colon : colon + 1] != ":":
        raise Malformed(text, colon, "a colon is expected")
    return str(_scalar(found.group())), skip_gap(text, colon + 1)
