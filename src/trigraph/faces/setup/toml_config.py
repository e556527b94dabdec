"""A client's TOML file: our server's table put in, or taken out; comments and order stay."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, MutableMapping
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable
from tomlkit.toml_document import TOMLDocument

from trigraph.faces.setup.json_config import NAME
from trigraph.faces.setup.jsonc_edit import WrongShape

_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", re.DOTALL)


class MalformedToml(ValueError):
    """The text is not TOML; `line` says where."""

    def __init__(self, line: int, said: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {said}")


def server_of(text: str, table: str) -> Mapping[str, Any] | None:
    """Our entry as it stands; None if there is none."""
    found = _servers(_parsed(text), table).get(NAME)
    if found is None:
        return None
    if not isinstance(found, MutableMapping):
        raise WrongShape(f"{table}.{NAME} is not a table")
    plain: Mapping[str, Any] = tomllib.loads(text)[table][NAME]
    return plain


def with_server(text: str, table: str, entry: Mapping[str, Any]) -> str:
    """Each key of the entry set; what the user wrote beside them stays. A new entry goes to the end of the file."""
    document = _parsed(text)
    servers = _servers(document, table)
    if server_of(text, table) is None:
        at_end = text + _at_end(text, table, entry)
        if _says(at_end, text, table, entry):
            return at_end
        servers[NAME] = tomlkit.inline_table() if isinstance(servers, InlineTable) else tomlkit.table()
    ours = servers[NAME]
    for key, value in entry.items():
        if ours.get(key) != value:
            ours[key] = value
    return _checked(text, document, table, ours)


def without_server(text: str, table: str) -> str:
    """Our table taken out, and the one around it if that leaves it empty."""
    entry = server_of(text, table)
    if entry is None:
        return text
    newline = _newline(text)
    for lead in ("", newline, newline * 2):
        before = text.removesuffix(lead + _table(table, entry, newline))
        if before + _at_end(before, table, entry) == text:
            return before
    document = _parsed(text)
    servers = _servers(document, table)
    del servers[NAME]
    if not servers:
        del document[table]
    return _checked(text, document, table, None)


def _parsed(text: str) -> TOMLDocument:
    """The text for editing; whether it is TOML at all is for the standard library to say."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = _PLACE.fullmatch(str(error))
        told, line = (said[1], said[2]) if said else (str(error), None)
        raise MalformedToml(int(line) if line else text.count("\n") + 1, told) from error
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise WrongShape(f"it cannot be edited safely ({error})") from error


def _servers(document: TOMLDocument, table: str) -> MutableMapping[str, Any]:
    found = document.get(table, {})
    if not isinstance(found, MutableMapping):
        raise WrongShape(f"{table} is not a table")
    return found


def _at_end(text: str, table: str, entry: Mapping[str, Any]) -> str:
    """What a text needs at its end for our table: one empty line, and the table."""
    newline = _newline(text)
    lead = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    return lead + _table(table, entry, newline)


def _table(table: str, entry: Mapping[str, Any], newline: str) -> str:
    servers = tomlkit.table(is_super_table=True)
    servers[NAME] = tomlkit.item(dict(entry))
    return tomlkit.dumps({table: servers}).replace("\n", newline)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _checked(before: str, document: TOMLDocument, table: str, ours: Any) -> str:
    """The new text, once it is sure that it says the same as the old one but for our entry."""
    text = tomlkit.dumps(document).replace("\r\n", "\n").replace("\n", _newline(before))
    if not _says(text, before, table, None if ours is None else ours.unwrap()):
        raise WrongShape(f"{table} is written in a way that cannot be edited safely")
    return text


def _says(text: str, before: str, table: str, ours: Mapping[str, Any] | None) -> bool:
    """Whether a text is TOML that says what the one before says, with this entry as ours."""
    expected = tomllib.loads(before)
    servers = {name: value for name, value in expected.pop(table, {}).items() if name != NAME}
    if ours is not None:
        servers[NAME] = dict(ours)
    try:
        return tomllib.loads(text) == (expected | {table: servers} if servers else expected)
    except tomllib.TOMLDecodeError:
        return False
