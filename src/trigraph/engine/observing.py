"""Verbs are told to an observer here, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial, wraps
from inspect import isfunction
from typing import Any, TypeVar

from trigraph.contracts import Observer

_Verbs = TypeVar("_Verbs")

VERBS: set[str] = set()
"""Every verb that is told of."""


def observed(prefix: str = "", untold: Collection[str] = ()) -> Callable[[type[_Verbs]], type[_Verbs]]:
    """Have every public method of a class told to its `_observer`, under its own name; signatures stay as they are."""

    def wrapped(verbs: type[_Verbs]) -> type[_Verbs]:
        for name, function in list(vars(verbs).items()):
            if isfunction(function) and not name.startswith("_") and name not in untold:
                VERBS.add(prefix + name)
                setattr(verbs, name, _told(prefix + name, function))
        return verbs

    return wrapped


def _told(verb: str, function: Callable[..., Any]) -> Callable[..., Any]:
    names = function.__code__.co_varnames[1 : function.__code__.co_argcount]

    def given(values: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        return {**dict(zip(names, values, strict=False)), **named}

    @wraps(function)
    def call(self: Any, *values: Any, **named: Any) -> Any:
        observer: Observer | None = self._observer
        if observer is not None and observer.listens():
            return observer.observe(verb, given(values, named), partial(function, self, *values, **named))
        try:
            return function(self, *values, **named)
        except Exception as error:
            if observer is not None:
                observer.failed(verb, given(values, named), error)
            raise

    return call
