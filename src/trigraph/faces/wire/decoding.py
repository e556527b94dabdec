"""Plain JSON data → what the engine answered: `to_json` turned round, by the types of the values' fields."""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from trigraph.errors import Incompatible
from trigraph.model.change import HistoryStep, MemoryVersion
from trigraph.model.job import Job
from trigraph.model.memory import Memory
from trigraph.model.recall import Excerpt, Hit, Recall

WHOLE_TEXT = "whole_text"
"""Where a hit has all of its memory's text, if that was asked for and is more than its excerpt."""
_LISTS: dict[Any, Callable[[Any], Any]] = {list: list, Sequence: tuple, frozenset: frozenset}
_PLAIN: dict[Any, tuple[type, ...]] = {str: (str,), int: (int,), float: (float, int), bool: (bool,)}


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    kind: Any
    required: bool


def from_json(kind: Any, data: Any) -> Any:
    """The value of a kind, such as `list[Link]`, that `to_json` wrote as `data`. What a newer version added is passed
    over; what it lacks is as it is by default. Raises Incompatible where that leaves no value of the kind."""
    if kind is Any or kind is object:
        return data
    if isinstance(kind, type):
        return _of_type(kind, data)
    origin, within = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _of_union(within, data)
    if origin is tuple:
        return _of_tuple(within, _checked(data, list))
    if origin in _LISTS:
        return _LISTS[origin](from_json(within[0], one) for one in _checked(data, list))
    if origin is Mapping:
        items = _checked(data, dict).items()
        return {from_json(within[0], name): from_json(within[1], one) for name, one in items}
    raise TypeError(f"{kind} is no type of an answer")


def _of_type(kind: type, data: Any) -> Any:
    if kind in _WRITTEN_OTHERWISE:
        return _WRITTEN_OTHERWISE[kind](_checked(data, dict))
    if is_dataclass(kind):
        return _of_value(kind, _checked(data, dict))
    if kind is datetime:
        return _read(datetime.fromisoformat, data, kind)
    if issubclass(kind, StrEnum):
        return _read(kind, data, kind)
    found = _checked(data, *_PLAIN[kind])
    return float(found) if kind is float else found


def _read(read: Callable[[str], Any], data: Any, kind: type) -> Any:
    try:
        return read(_checked(data, str))
    except ValueError as error:
        raise _misfit(data, kind) from error


def _of_value(kind: Any, data: Mapping[str, Any], **given: Any) -> Any:
    """A value by its fields; `given` are those that are known already."""
    for one in _fields_of(kind):
        if one.name in given:
            continue
        if one.name in data:
            given[one.name] = from_json(one.kind, data[one.name])
        elif one.required:
            raise Incompatible(f"An answer has no {one.name} of a {kind.__name__}.", fix=_UPDATE)
    return kind(**given)


def _of_union(members: tuple[Any, ...], data: Any) -> Any:
    if data is None and types.NoneType in members:
        return None
    kinds = [one for one in members if one is not types.NoneType]
    if len(kinds) > 1:
        kinds = [one for one in kinds if isinstance(data, dict) and _fits(one, data)]
    if not kinds:
        raise _misfit(data, " or ".join(one.__name__ for one in members))
    return from_json(kinds[0], data)


def _of_tuple(within: tuple[Any, ...], data: list[Any]) -> tuple[Any, ...]:
    if within[-1] is Ellipsis:
        return tuple(from_json(within[0], one) for one in data)
    if len(within) != len(data):
        raise _misfit(data, f"list of {len(within)}")
    return tuple(from_json(kind, one) for kind, one in zip(within, data, strict=True))


def _fits(kind: Any, data: Mapping[str, Any]) -> bool:
    return all(one.name in data for one in _fields_of(kind) if one.required)


@cache
def _fields_of(kind: Any) -> tuple[_Field, ...]:
    told = get_type_hints(kind)
    return tuple(
        _Field(one.name, told[one.name], one.default is MISSING and one.default_factory is MISSING)
        for one in fields(kind)
    )


def _hit(data: Mapping[str, Any]) -> Hit:
    """A hit stands flat: its memory's fields beside its own, and of a long memory only the excerpt."""
    span = _checked(data.get("excerpt"), dict)
    excerpt = from_json(Excerpt, {"text": data.get("text"), **span})
    memory = from_json(Memory, {**data, "text": data.get(WHOLE_TEXT, data.get("text"))})
    hit: Hit = _of_value(Hit, data, memory=memory, excerpt=excerpt)
    return hit


def _recall(data: Mapping[str, Any]) -> Recall:
    recall: Recall = _of_value(Recall, data, explained="stages" in data)
    return recall


def _job(data: Mapping[str, Any]) -> Job:
    """What a job was given and what came of it stand as data; the value holds them as text."""
    told = {name: None if data.get(name) is None else json.dumps(data[name]) for name in ("payload", "result")}
    job: Job = _of_value(Job, data, payload=told["payload"] or "", result=told["result"])
    return job


def _step(data: Mapping[str, Any]) -> HistoryStep:
    """What a step changed is named as in a version, and is what it is there."""
    told = {one.name: one.kind for one in _fields_of(MemoryVersion)}
    changed = {
        name: from_json(tuple[(told.get(name, Any),) * 2], pair)  # type: ignore[misc]
        for name, pair in _checked(data.get("changed"), dict).items()
    }
    step: HistoryStep = _of_value(HistoryStep, data, changed=changed)
    return step


_WRITTEN_OTHERWISE: dict[type, Callable[[Any], Any]] = {Hit: _hit, Recall: _recall, Job: _job, HistoryStep: _step}
_UPDATE = "Bring client and server to the same version."


def _checked(data: Any, *kinds: type) -> Any:
    if not isinstance(data, kinds) or (isinstance(data, bool) and bool not in kinds):
        raise _misfit(data, kinds[0])
    return data


def _misfit(data: Any, kind: type | str) -> Incompatible:
    named = kind if isinstance(kind, str) else kind.__name__
    return Incompatible(f"An answer has {str(data)[:80]!r} where a {named} belongs.", fix=_UPDATE)
