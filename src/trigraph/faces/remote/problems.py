"""Problems that a server tells → the errors that the library raises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeGuard

from trigraph.errors import Incompatible, InvalidInput, ServerError, TrigraphError

_NOT_OFFERED = frozenset({"no_such_route", "method_not_allowed"})


def is_problem(data: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether something is a problem as trigraph writes it."""
    return isinstance(data, Mapping) and isinstance(data.get("code"), str) and isinstance(data.get("detail"), str)


def error_of(problem: Mapping[str, Any], status: int, where: str) -> TrigraphError:
    """The error of which the server made this problem; one that only a server has keeps its code."""
    code, message, fix = problem["code"], problem["detail"], problem.get("fix")
    kind = _kinds().get(code)
    if kind is None or issubclass(kind, ServerError):
        request_id = problem.get("request_id")
        if code in _NOT_OFFERED:
            return Incompatible(
                f"{where} does not offer that.",
                fix="Its trigraph is another version than this one: bring both to the same.",
                status=status,
                request_id=request_id,
            )
        return ServerError(message, fix=fix, code=code, status=status, request_id=request_id)
    if issubclass(kind, InvalidInput):
        told: Mapping[str, Any] = next(iter(problem.get("errors", ())), {})
        return kind(message, field=told.get("field", ""), allowed=told.get("allowed", ()), fix=fix)
    return kind(message, fix=fix)


@cache
def _kinds() -> dict[str, type[TrigraphError]]:
    return {kind.code: kind for kind in _below(TrigraphError) if kind.__module__ == TrigraphError.__module__}


def _below(kind: type[TrigraphError]) -> Iterator[type[TrigraphError]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)
