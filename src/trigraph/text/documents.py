"""A document's text: its front matter, its name, and what it declares of others."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

import yaml  # type: ignore[import-untyped]

from trigraph.model.document import READY_FAMILIES, DocumentRef, ParsedDocument
from trigraph.text.passages import title_of
from trigraph.text.references import Reader, key_name, limited, status_in
from trigraph.text.tool_lines import shortened

FRONT_MATTER_LIMIT_CHARS = 64_000
VALUES_MOST = 1000
VALUE_LIMIT_CHARS = 2000
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)(?:\r?\n)---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_HEADER_LINE = re.compile(r"([A-Za-z][A-Za-z-]{0,40}):[ \t]*(.*)")
_HEADING_MARK = re.compile(r"^#{1,6}[ \t]+", re.MULTILINE)
_PLAIN_LINE = re.compile(r"([\w-]{1,60})[ \t]*:[ \t]*(.*)")
_NUMBERED = re.compile(r"#?(\d{1,6})(?:[.):\]]|\s|$)")
_DATED = re.compile(r"^\d{4}-\d{2}-\d{2}[-_ ]*")
_FILE_NUMBER = re.compile(
    r"^(?:([A-Za-z]{2,10})[-_ ]?)?(\d{1,6})(?![\w.]|-\d{2}-\d{2})|^(?:([A-Za-z]{2,10})[-_ ]?)?(\d{1,6})(?=[-_ .])"
)
_ID_KEYS = ("id", "number", "slug")
_KEPT = {"status": "status", "version": "version", "category": "category", "type": "doc_type", "created": "created"}
_FOLDERS = {
    "decision": "ADR",
    "decisions": "ADR",
    "architecture-decision-record": "ADR",
    "architecture-decision-records": "ADR",
}


def parse_document(text: str, ref: DocumentRef, families: Sequence[str]) -> ParsedDocument:
    """What a document says of itself and of others; `families` are those that it may refer to by number."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    front, body = split_front_matter(text)
    values = list(islice(_values(front), VALUES_MOST))
    title = title_of(text) or _value(values, "title")
    heading = title_of(body) or _value(values, "title") or ""
    known = tuple(dict.fromkeys(family.upper() for family in (*families, *READY_FAMILIES)))
    names = tuple(dict.fromkeys(_names(values, heading, ref, known)))
    own = next((name.rpartition("-")[0] for name in names), None) or _folder_family(ref, known)
    reader = Reader([family.upper() for family in families], own, ref.path)
    references = limited(chain(reader.of_front_matter(values), reader.of_body(body)))
    return ParsedDocument(names, title, _props(values, body, title), references)


def name_of_file(path: str, family: str | None) -> str | None:
    """What a file's name says its document is called: `0012-use-x.md` is number 12 of a family."""
    stem = _DATED.sub("", posixpath.basename(path).rsplit(".", 1)[0])
    match = _FILE_NUMBER.match(stem)
    if match is None:
        return None
    prefix, number = (match.group(1), match.group(2)) if match.group(2) else (match.group(3), match.group(4))
    if prefix and family and prefix.upper() != family:
        return None
    named = family or (prefix.upper() if prefix else None)
    return f"{named}-{int(number)}" if named else None


def split_front_matter(text: str) -> tuple[str, str]:
    """The front matter, between lines of dashes or as a mail's header at the very top, and the rest."""
    match = _FRONT_MATTER.match(text[: FRONT_MATTER_LIMIT_CHARS * 2])
    if match is not None:
        return match.group(1)[:FRONT_MATTER_LIMIT_CHARS], text[match.end() :]
    header, blank, body = text.partition("\n\n")
    lines = header.splitlines()
    if blank and len(lines) >= 2 and len(header) <= FRONT_MATTER_LIMIT_CHARS and _is_header(lines):
        return header, body
    return "", text


def beginning(text: str, most: int) -> str:
    """How a text begins, as it is read: without front matter and the marks of headings, on one line."""
    return shortened(_HEADING_MARK.sub("", split_front_matter(text)[1]), most)


def _is_header(lines: Sequence[str]) -> bool:
    """Whether these are `Key: value` lines with their continuations, as PEPs and mails have them."""
    return _HEADER_LINE.fullmatch(lines[0]) is not None and all(
        line[:1] in (" ", "\t") or _HEADER_LINE.fullmatch(line) for line in lines
    )


def _values(front: str) -> Iterator[tuple[str, str]]:
    """(key, value) of the front matter; of a list, one for each item. What is no YAML is read line by line."""
    try:
        # Nothing is interpreted: 0015 is no octal number, and a date is no object.
        loaded: Any = yaml.load(front, Loader=yaml.BaseLoader) if front else None
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        loaded = None
    if isinstance(loaded, dict):
        for key, value in loaded.items():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(key, str) and isinstance(one, str):
                    yield key, one[:VALUE_LIMIT_CHARS]
        return
    key = ""
    for line in front.splitlines():
        if match := _PLAIN_LINE.fullmatch(line.rstrip()):
            key = match.group(1)
            yield key, match.group(2)[:VALUE_LIMIT_CHARS]
        elif key and line[:1] in (" ", "\t", "-"):
            yield key, line.strip(" \t-")[:VALUE_LIMIT_CHARS]


def _value(values: Sequence[tuple[str, str]], name: str) -> str | None:
    return next((value.strip() for key, value in values if key_name(key) == name and value.strip()), None)


def _names(values: Sequence[tuple[str, str]], heading: str, ref: DocumentRef, known: Sequence[str]) -> Iterator[str]:
    if ref.id is not None:
        yield ref.id
        return
    folder = _folder_family(ref, known)
    for key, value in values:
        family = key_name(key).replace(" number", "").upper()
        if family in known and (number := re.fullmatch(r"\D{0,6}(\d{1,6})\D{0,2}", value.strip())):
            yield f"{family}-{number.group(1)}"
    for key in _ID_KEYS:
        if (given := _value(values, key)) is not None:
            yield from _written(given, folder, known, exact=True)
    yield from _written(heading, folder, known, exact=False)
    if ref.path is not None:
        stem = posixpath.basename(ref.path)
        prefix = re.match(r"[A-Za-z]{2,10}(?=[-_ ]?\d)", stem)
        of_file = prefix.group().upper() if prefix and prefix.group().upper() in known else folder
        if named := name_of_file(ref.path, of_file):
            yield named


def _written(text: str, folder: str | None, known: Sequence[str], *, exact: bool) -> Iterator[str]:
    """The name with which a heading or a key's value begins."""
    text = text.strip().strip("\"'[*_` ")
    families = "|".join(re.escape(one) for one in sorted(known, key=len, reverse=True))
    match = re.match(rf"({families})(?:-|\s?#\s?|\s)?(\d{{1,6}})(?![\w])", text, re.I)
    if match:
        yield f"{match.group(1).upper()}-{match.group(2)}"
    elif folder and (number := (re.fullmatch(r"#?(\d{1,6})", text) if exact else _NUMBERED.match(text))):
        yield f"{folder}-{number.group(1)}"


def _folder_family(ref: DocumentRef, known: Sequence[str]) -> str | None:
    """The family of a folder's documents by the names of the folders: `docs/adr`, `architecture/decisions`."""
    parts = [part.casefold() for part in (ref.collection, *posixpath.dirname(ref.path or "").split("/"))]
    for part in reversed([part for part in parts if part]):
        if part in _FOLDERS:
            return _FOLDERS[part]
        for family in known:
            if part in (family.casefold(), family.casefold() + "s"):
                return family
    return None


def _props(values: Sequence[tuple[str, str]], body: str, title: str | None) -> dict[str, str]:
    props = {kept: value for key, kept in _KEPT.items() if (value := _value(values, key))}
    if title:
        props["title"] = title
    if "status" not in props and (status := status_in(body)):
        props["status"] = status
    return {key: value[:200] for key, value in props.items()}
