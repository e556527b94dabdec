"""All pages and all that their forms do: what the navigation, the gate and the tests of doors are derived from."""

from __future__ import annotations

from starlette.routing import compile_path

from trigraph.faces.dashboard import (
    agents,
    composition,
    compositions,
    documents,
    entities,
    frontier,
    graph,
    health,
    lab,
    legs,
    memories,
    memory,
    overview,
    recalls,
    reference,
    review,
    used,
)
from trigraph.faces.dashboard.frame import Action, Page

_MODULES = (
    overview,
    legs,
    used,
    recalls,
    memories,
    memory,
    lab,
    graph,
    entities,
    documents,
    review,
    compositions,
    frontier,
    reference,
    composition,
    agents,
    health,
)
"""In this order: what takes any name as its path comes behind what has a name of its own."""

PAGES: tuple[Page, ...] = tuple(page for module in _MODULES for page in module.PAGES)
ACTIONS: tuple[Action, ...] = tuple(action for module in _MODULES for action in module.ACTIONS)
SIGN_IN, SIGN_OUT, STATIC, LIVE = "/login", "/logout", "/static/", "/live"

_LOOKED_AT = [compile_path(one.path)[0] for one in PAGES]
_DONE = [compile_path(one.path)[0] for one in ACTIONS]


def is_form(path: str) -> bool:
    """Whether a form of ours is sent there: it is taken from our own pages alone."""
    return path in (SIGN_IN, SIGN_OUT) or any(one.match(path) for one in _DONE)


def is_page(method: str, path: str) -> bool:
    """Whether a request is for a page to look at, or comes from a form on one."""
    if method in ("GET", "HEAD"):
        return path == LIVE or any(one.match(path) for one in _LOOKED_AT)
    return method == "POST" and any(one.match(path) for one in _DONE)
