"""What becomes of a configuration file's text: connected, disconnected, or refused with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from trigraph.errors import BrokenFile, Conflict
from trigraph.faces.setup import json_config, toml_config
from trigraph.faces.setup.clients import ConfigFile
from trigraph.faces.setup.hooks import Hooks
from trigraph.faces.setup.jsonc import Malformed, parse
from trigraph.faces.setup.jsonc_edit import WrongShape

_EMPTY_JSON = "{}\n"


def connected(before: str | None, file: ConfigFile) -> str:
    """The text with all that of ours belongs into it; None is a file that is not there yet."""
    with _refusing(file.path):
        text = before if before is not None and before.strip() else _empty(file.path)
        if file.table is not None and file.entry is not None:
            _refuse_other_connection(text, file)
            text = _format(file.path).with_server(text, file.table, file.entry)
        return json_config.with_hooks(text, file.hooks) if file.hooks else text


def disconnected(before: str, file: ConfigFile, original: str | None) -> str | None:
    """The text without anything of ours; None if nothing is left and there was no file before us. Where nothing else
    was changed since, it is the original, byte for byte."""
    with _refusing(file.path):
        if not before.strip():
            return before
        if original is not None and _is_ours_added_to(original, before, file):
            return original
        text = _taken_out(before, file)
        return None if text != before and original is None and _is_empty(text, file) else text


def holds_ours(text: str, file: ConfigFile) -> bool:
    """Whether there is anything of ours in it."""
    with _refusing(file.path):
        return bool(text.strip()) and _taken_out(text, file) != text


def _taken_out(text: str, file: ConfigFile) -> str:
    if file.table is not None and "command" in (_server(text, file) or {}):
        text = _format(file.path).without_server(text, file.table)
    return json_config.without_hooks(text) if file.hooks else text


def _is_ours_added_to(original: str, text: str, file: ConfigFile) -> bool:
    """Whether a text is the original with our entries, as they now stand in the text, and nothing else."""
    found = file.hooks and _found_hooks(text, file.hooks)
    ours = replace(file, entry=_server(text, file), hooks=found)
    try:
        return connected(original, ours) == text and not holds_ours(original, file)
    except (BrokenFile, Conflict):
        return False


def _found_hooks(text: str, hooks: Hooks) -> Hooks | None:
    events = {event: entries[0] for event, entries in json_config.hooks_of(text).items()}
    ordered = [*(event for event in hooks.events if event in events), *events]
    return Hooks({event: events[event] for event in ordered}, hooks.beside) if events else None


def _server(text: str, file: ConfigFile) -> Mapping[str, Any] | None:
    if file.table is None:
        return None
    found: Mapping[str, Any] | None = _format(file.path).server_of(text, file.table)
    return found


def _refuse_other_connection(text: str, file: ConfigFile) -> None:
    """An entry of our name that does not run a command was made by hand, to connect some other way."""
    entry = _server(text, file)
    if entry is not None and "command" not in entry:
        raise Conflict(
            f"{file.path} already connects trigraph in another way ({', '.join(entry) or 'empty entry'}).",
            fix=f"Keep it as it is, or take {file.table}.{json_config.NAME} out and run this again.",
        )


def _is_empty(text: str, file: ConfigFile) -> bool:
    if _is_toml(file.path):
        return not text.strip()
    root = parse(text)
    beside = file.hooks.beside if file.hooks else {}
    inside = text[root.start : root.end]
    return (text[: root.start] + text[root.end :]).strip() == "" and root.data in ({}, beside) and "/" not in inside


def _empty(path: Path) -> str:
    return "" if _is_toml(path) else _EMPTY_JSON


def _format(path: Path) -> ModuleType:
    return toml_config if _is_toml(path) else json_config


def _is_toml(path: Path) -> bool:
    return path.suffix == ".toml"


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """A file that cannot be understood is not touched."""
    try:
        yield
    except (Malformed, toml_config.MalformedToml) as error:
        kind = "TOML" if _is_toml(path) else "JSON"
        raise BrokenFile(
            f"{path} cannot be read as {kind}: {error}.", field="file", fix="Mend that line and run this again."
        ) from error
    except WrongShape as error:
        raise BrokenFile(
            f"{path} is not what its client expects: {error}.", field="file", fix="Mend it and run this again."
        ) from error
