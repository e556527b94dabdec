"""Small edits of a JSON text: a member put in, replaced or taken out, and no other byte touched."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from trigraph.faces.setup.jsonc import Item, Node, parse

Path = tuple[str | int, ...]

_SAME_LINE_COMMENTS = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*.*?\*/))*", re.DOTALL)
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_SPACE = " \t\r\n"


class WrongShape(ValueError):
    """What stands at a path is not what a client would have there."""


@dataclass(frozen=True, slots=True)
class _Style:
    """How the document is written: its line ends, its indentation, or all on one line."""

    newline: str
    unit: str
    one_line: bool


_Edit = tuple[int, int, str]


def at(root: Node, path: Path) -> Node | None:
    """What stands at a path; None if there is nothing. A scalar on the way is `WrongShape`."""
    node = root
    for depth, step in enumerate(path):
        if not (node.is_object if isinstance(step, str) else node.is_array):
            name = ".".join(map(str, path[:depth])) or "the document"
            raise WrongShape(f"{name} is not {'an object' if isinstance(step, str) else 'a list'}")
        item = node.member(step) if isinstance(step, str) else next(iter(node.items[step : step + 1]), None)
        if item is None:
            return None
        node = item.node
    return node


def put(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with this value at a path, objects on the way made where they are missing."""
    root = parse(text)
    present = at(root, path)
    if present is not None:
        return text if present.data == value else _applied(text, _replacement(text, root, present, value))
    *parents, key = path
    while parents and at(root, tuple(parents)) is None:
        value, key = {key: value}, parents.pop()
    parent = at(root, tuple(parents))
    assert parent is not None
    if not parent.is_object:
        raise WrongShape(f"{'.'.join(parents) or 'the document'} is not an object")
    return _applied(text, _insertion(text, root, parent, key, value))


def append(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with one element more in the list at a path; a missing list is made."""
    root = parse(text)
    present = at(root, path)
    if present is None:
        return put(text, path, [value])
    if not present.is_array:
        raise WrongShape(f"{'.'.join(path)} is not a list")
    return _applied(text, _insertion(text, root, present, None, value))


def replace(text: str, path: Path, value: Any) -> str:
    """The text with another value at a path that is there."""
    root = parse(text)
    present = at(root, path)
    assert present is not None
    return text if present.data == value else _applied(text, _replacement(text, root, present, value))


def take_out(text: str, path: Path) -> str:
    """The text without the member or element at a path that is there."""
    root = parse(text)
    parent = at(root, path[:-1])
    assert parent is not None
    last = path[-1]
    if isinstance(last, int):
        return _applied(text, _removal(text, parent, last))
    while (found := [n for n, item in enumerate(parent.items) if item.key == last]) != []:
        text = _applied(text, _removal(text, parent, found[-1]))
        again = at(parse(text), path[:-1])
        assert again is not None
        parent = again
    return text


def _applied(text: str, edits: list[_Edit]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _insertion(text: str, root: Node, parent: Node, key: str | None, value: Any) -> list[_Edit]:
    if not parent.items:
        return _first(text, root, parent, key, value)
    style = _style(text, root)
    first, last = parent.items[0], parent.items[-1]
    after = last.end if last.comma is None else last.comma + 1
    comments = _SAME_LINE_COMMENTS.match(text, after)
    assert comments is not None
    lines = "\n" in text[parent.start : first.start] or _ends_in_line_comment(text, after, comments.end())
    indent = _indent(text, first.start)
    written = _written(key, value, style, indent, one_line=not lines)
    lead = style.newline + indent if lines else " "
    if last.comma is not None:
        return [(comments.end(), comments.end(), f"{lead}{written},")]
    if comments.end() == after:
        return [(after, after, f",{lead}{written}")]
    return [(after, after, ","), (comments.end(), comments.end(), lead + written)]


def _first(text: str, root: Node, parent: Node, key: str | None, value: Any) -> list[_Edit]:
    """The first member of an empty container goes behind the comments in it, if there are some."""
    style = _style(text, root)
    inside = text[parent.start + 1 : parent.end - 1]
    place = parent.start + 1 + len(inside.rstrip(_SPACE))
    rest = inside[len(inside.rstrip(_SPACE)) :]
    if style.one_line and not inside.strip(_SPACE):
        return [(place, place, _written(key, value, style, "", one_line=True))]
    outer = _indent(text, parent.start)
    indent = outer + style.unit
    written = style.newline + indent + _written(key, value, style, indent, one_line=False)
    return [(place, place, written if "\n" in rest else f"{written}{style.newline}{outer}")]


def _replacement(text: str, root: Node, node: Node, value: Any) -> list[_Edit]:
    style = _style(text, root)
    one_line = "\n" not in text[node.start : node.end] and bool(node.items)
    return [(node.start, node.end, _written(None, value, style, _indent(text, node.start), one_line=one_line))]


def _removal(text: str, parent: Node, index: int) -> list[_Edit]:
    item = parent.items[index]
    begin = item.start - (len(text[: item.start]) - len(text[: item.start].rstrip(_SPACE)))
    end = item.end if item.comma is None or item.comma > item.end else item.comma + 1
    edits: list[_Edit] = []
    if item.comma is not None and item.comma >= end:
        edits.append((item.comma, item.comma + 1, ""))
    if item.comma is None and index > 0:
        edits += _comma_before(parent.items[index - 1])
    if len(parent.items) == 1 and not (text[parent.start + 1 : begin] + text[end : parent.end - 1]).strip(_SPACE):
        return [(parent.start + 1, parent.end - 1, "")]
    if begin == item.start and index == 0:
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    before = parent.items[index - 1].end if index else parent.start + 1
    if _ends_in_line_comment(text, before, begin) and text[end : end + 1] not in ("\r", "\n"):
        begin = item.start  # what follows must not become part of the comment
    return [*edits, (begin, end, "")]


def _ends_in_line_comment(text: str, start: int, end: int) -> bool:
    """Whether a gap between items ends in a comment that the end of the line ends."""
    last = max(_COMMENT.finditer(text, start, end), key=re.Match.end, default=None)
    return last is not None and last.end() == end and last.group().startswith("//")


def _comma_before(previous: Item) -> list[_Edit]:
    assert previous.comma is not None
    return [(previous.comma, previous.comma + 1, "")]


def _style(text: str, root: Node) -> _Style:
    line_end = text.find("\n")
    newline = "\r\n" if line_end > 0 and text[line_end - 1] == "\r" else "\n"
    unit = "  "
    if root.items and "\n" in text[root.start : root.items[0].start]:
        unit = _indent(text, root.items[0].start) or unit
    return _Style(newline, unit, one_line=bool(root.items) and "\n" not in text[root.start : root.end])


def _indent(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _written(key: str | None, value: Any, style: _Style, indent: str, *, one_line: bool) -> str:
    if one_line or style.one_line:
        written = json.dumps(value, ensure_ascii=False)
    else:
        written = json.dumps(value, ensure_ascii=False, indent=style.unit)
        written = written.replace("\n", style.newline + indent)
    return written if key is None else f"{json.dumps(key, ensure_ascii=False)}: {written}"
