"""Named queries from `.sql` files: `-- name: x`, a sentence about it, the statement.

A `{word}` in a statement is replaced once, at loading, by a fragment of SQL of that name; values are
always bound parameters.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib import import_module

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)
_FRAGMENT = re.compile(r"\{(\w+)\}")


def read_sql(package: str, *path: str) -> str:
    """The text of a file that ships with a package. By its loader: `importlib.resources` takes 20 ms to import."""
    found = import_module(package)
    assert found.__spec__ is not None
    loader = found.__spec__.loader
    return str(loader.get_data(os.path.join(found.__path__[0], *path)), "utf-8")  # type: ignore[union-attr]


def load_queries(text: str, fragments: Mapping[str, str] | None = None) -> dict[str, str]:
    """Query name → statement. An unknown fragment, a duplicate or a missing sentence is an error.

    Without `fragments` every `{word}` is left for the caller to fill.
    """
    _, *sections = _NAME.split(text)
    queries: dict[str, str] = {}
    for name, body in zip(sections[::2], sections[1::2], strict=True):
        if name in queries:
            raise ValueError(f"query {name} is defined twice")
        if not body.lstrip().startswith("--"):
            raise ValueError(f"query {name} has no sentence that says what it is for")
        statement = "\n".join(line for line in body.splitlines() if not line.lstrip().startswith("--"))
        if fragments is not None:
            statement = _FRAGMENT.sub(lambda match: fragments[match.group(1)], statement)
        queries[name] = statement.strip().rstrip(";")
    return queries
