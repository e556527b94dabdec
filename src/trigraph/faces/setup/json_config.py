"""A client's JSON file: our server entry and our hook entries put in, or taken out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trigraph.faces.setup.hooks import Hooks, is_ours
from trigraph.faces.setup.jsonc import Node, parse
from trigraph.faces.setup.jsonc_edit import Path, WrongShape, append, at, put, replace, take_out

NAME = "trigraph"
"""Our entry among the servers of a client."""


def server_of(text: str, table: str) -> Mapping[str, Any] | None:
    """Our entry as it stands; None if there is none."""
    found = at(parse(text), (table, NAME))
    if found is not None and not found.is_object:
        raise WrongShape(f"{table}.{NAME} is not an object")
    return None if found is None else found.data


def with_server(text: str, table: str, entry: Mapping[str, Any]) -> str:
    """Each member of the entry set; what the user wrote beside them stays."""
    if server_of(text, table) is None:
        return put(text, (table, NAME), dict(entry))
    for key, value in entry.items():
        text = put(text, (table, NAME, key), value)
    return text


def without_server(text: str, table: str) -> str:
    """Our entry taken out, and the table if that leaves it empty."""
    if server_of(text, table) is None:
        return text
    return _without(text, (table, NAME), keep=0)


def hooks_of(text: str) -> dict[str, list[Mapping[str, Any]]]:
    """Our entries as they stand, by event."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for path in _ours(parse(text)):
        entry = at(parse(text), path[:3])
        assert entry is not None
        found.setdefault(str(path[1]), []).append(entry.data)
    return found


def with_hooks(text: str, hooks: Hooks) -> str:
    """One entry of ours for each event, as it should be; entries of others stay as and where they are."""
    for key, value in hooks.beside.items():
        if at(parse(text), (key,)) is None:
            text = put(text, (key,), value)
    text = _without_superfluous(text, hooks)
    for event, entry in hooks.events.items():
        place = _place(parse(text), event)
        text = append(text, ("hooks", event), dict(entry)) if place is None else replace(text, place, dict(entry))
    return text


def without_hooks(text: str) -> str:
    """Every handler of ours taken out, and what that leaves empty."""
    while (path := next(_ours(parse(text)), None)) is not None:
        text = _without(text, path, keep=0)
    return text


def _without_superfluous(text: str, hooks: Hooks) -> str:
    """Without those handlers of ours that the new entries do not replace where they stand."""
    while True:
        root = parse(text)
        places = {_place(root, event) for event in hooks.events}
        path = next((path for path in _ours(root) if path[:3] not in places), None)
        if path is None:
            return text
        text = _without(text, path, keep=2 if path[1] in hooks.events else 0)


def _place(root: Node, event: str) -> Path | None:
    """The first entry of an event that holds nothing but ours."""
    entries = at(root, ("hooks", event))
    for index, item in enumerate(entries.items if entries is not None else ()):
        if (handlers := _handlers(item.node.data)) and all(map(is_ours, handlers)):
            return ("hooks", event, index)
    return None


def _handlers(entry: object) -> list[Any]:
    """A group's handlers, or the one that the entry is."""
    inner = entry.get("hooks") if isinstance(entry, dict) else None
    return inner if isinstance(inner, list) else [entry]


def _ours(root: Node) -> Iterator[Path]:
    """Where our handlers are."""
    events = at(root, ("hooks",))
    for event, entries in events.data.items() if events is not None and events.is_object else ():
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            flat = isinstance(entry, dict) and not isinstance(entry.get("hooks"), list)
            for inner, handler in enumerate(_handlers(entry)):
                if is_ours(handler):
                    yield ("hooks", event, index) if flat else ("hooks", event, index, "hooks", inner)


def _without(text: str, path: Path, *, keep: int) -> str:
    """What stands at a path taken out, and what holds nothing else, down to the first `keep` steps of the path."""
    root = parse(text)
    while len(path) - 1 > keep:
        holder = at(root, path[:-1])
        assert holder is not None
        of_group = len(path) > 3  # a group without handlers does nothing
        if not (_holds_nothing_else(text, holder) or (of_group and len(holder.items) == 1) or path[3:] == ("hooks",)):
            break
        path = path[:-1]
    return take_out(text, path)


def _holds_nothing_else(text: str, holder: Node) -> bool:
    """One item, and no comment around it."""
    if len(holder.items) != 1:
        return False
    item = holder.items[0]
    return not (text[holder.start + 1 : item.start] + text[item.end : holder.end - 1]).strip(" \t\r\n,")
