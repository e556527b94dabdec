"""Loose values → values of the right sort, or an error that says what would be right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from trigraph.errors import BrokenFile, InvalidInput, invalid_choice
from trigraph.model.times import parse_time

WHOLE_MOST = 2**53

_Choice = TypeVar("_Choice", bound=StrEnum)


def whole(value: object, field: str) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > WHOLE_MOST:
        raise InvalidInput(f"{field} must be a whole number.", field=field, fix="Write it like 10.")
    return value


def text_of(value: object, field: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise InvalidInput(f"{field} must be a text, not {type(value).__name__}.", field=field, fix="Give a text.")
    return value


def optional_time(value: object, field: str) -> datetime | None:
    """A time that may be left out."""
    return None if value is None else parse_time(value, field)


def read_json_lines(text: str, name: str) -> list[object]:
    """Objects of a JSON Lines text. A broken line is an error that says which, and nothing is read."""
    items: list[object] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            items.append(read_json(line, f"{name}, line {number}"))
    return items


def read_json(text: str, name: str) -> Any:
    """A JSON value, or an error that names where it is broken."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenFile(f"{name} is not JSON ({error}).", field="file", fix="Mend it and try again.") from error


def check_keys(values: Mapping[str, Any], known: frozenset[str], what: str) -> None:
    for key in values:
        if key not in known:
            raise invalid_choice(f"{what} field", key, sorted(known))


def choice(options: type[_Choice], value: object, field: str) -> _Choice:
    try:
        return options(value)  # type: ignore[arg-type]
    except ValueError as error:
        raise invalid_choice(field, value, [option.value for option in options]) from error


def strings(values: object, field: str) -> tuple[str, ...]:
    if values is None:
        return ()
    if isinstance(values, str):
        return (values,)
    if not isinstance(values, Iterable):
        raise InvalidInput(f"{field} must be a list of texts.", field=field, fix='Write it like ["a", "b"].')
    return tuple(text_of(value, field) for value in values)


def optional_text(value: object, field: str) -> str | None:
    return None if value is None else text_of(value, field)


def optional_whole(value: object, field: str) -> int | None:
    return None if value is None else whole(value, field)


def number_of(value: object, field: str) -> float:
    """A number."""
    found = number({field: value}, field)
    if found is None:
        raise InvalidInput(f"{field} is missing.", field=field, fix="Choose a number from 0 to 1.")
    return found


def text_map(values: object, field: str) -> dict[str, str]:
    """Texts by name."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise InvalidInput(f"{field} must be an object.", field=field, fix='Write it like {"tone": "dry"}.')
    return {text_of(name, field): text_of(value, field) for name, value in values.items()}


def number(values: Mapping[str, Any], field: str) -> float | None:
    value = values.get(field)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{field} must be a number.", field=field, fix="Choose a number from 0 to 1.")
    try:
        return float(value)
    except OverflowError as error:
        raise InvalidInput(f"{field} is too large.", field=field, fix="Choose a number from 0 to 1.") from error


def flag(values: Mapping[str, Any], field: str) -> bool:
    value = values.get(field)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise InvalidInput(f"{field} must be true or false.", field=field, fix="Write true or false.")
    return value
