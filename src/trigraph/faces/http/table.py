"""A route: a path, a verb of the library, and what it takes, read off the verb itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cache, reduce
from operator import attrgetter
from typing import Any, get_type_hints

from trigraph.faces.http.schema import TEXT, Schema, hints, taken
from trigraph.faces.library import Trigraph
from trigraph.model.access import Right
from trigraph.model.memory import MemoryDraft, MemoryFilter, OutcomeResult
from trigraph.model.query import RecallQuery
from trigraph.model.revision import Revision
from trigraph.model.rights import RIGHT_OF

Call = Callable[[Trigraph, dict[str, Any]], object]
NEVER_GIVEN = frozenset({"self", "idempotency_key", "progress", "check"})
"""Arguments of verbs that no body may name: the key and the tag come as headers."""
_PARAMETER = re.compile(r"\{(\w+)(?::path)?\}")
_NOT_FILTERS = {"happened_from", "happened_until", "domainless"}


@dataclass(frozen=True, slots=True)
class Argument:
    """What a request may say: its name, its schema, where it stands (path, query or body)."""

    name: str
    schema: Schema
    place: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """One way to a verb. `more` are the fields that the verb takes by name beside its own arguments, `choices` those
    of its arguments that come from a closed list; `named` says which argument a part of the path is. `call` is what is
    done where it is not simply the verb; `guarded` asks `If-Match`, `tagged` tells the `ETag`."""

    method: str
    path: str
    verb: str
    status: int = 200
    more: Mapping[str, Schema] = field(default_factory=dict)
    choices: Mapping[str, type[StrEnum]] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    needed: tuple[str, ...] | None = None
    call: Call | None = None
    guarded: bool = False
    tagged: bool = False

    @property
    def right(self) -> Right:
        """What a caller must be allowed to."""
        return RIGHT_OF[self.verb]

    @property
    def template(self) -> str:
        """The path as OpenAPI writes it."""
        return _PARAMETER.sub(r"{\1}", self.path)

    @property
    def key(self) -> str:
        """What names it: `GET /v1/memories/{id}`."""
        return f"{self.method} /v1{self.template}"

    def do(self, memory: Trigraph, arguments: dict[str, Any]) -> object:
        """Call the verb."""
        return self.call(memory, arguments) if self.call else attrgetter(self.verb)(memory)(**arguments)


@cache
def function_of(verb: str) -> Callable[..., Any]:
    """The library's own function of a verb, such as `docs.put`."""
    return reduce(_below, verb.split("."), Trigraph)


def _below(holder: Any, name: str) -> Any:
    found = getattr(holder, name)
    return get_type_hints(found.fget)["return"] if isinstance(found, property) else found


def answer_type(route: Route) -> Any:
    """What the verb answers."""
    return get_type_hints(function_of(route.verb))["return"]


def takes_key(route: Route) -> bool:
    """Whether the verb is done once under an idempotency key."""
    return "idempotency_key" in inspect.signature(function_of(route.verb)).parameters


def takes_more(route: Route) -> bool:
    """Whether the verb itself says which further fields it knows."""
    parameters = inspect.signature(function_of(route.verb)).parameters.values()
    return any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters)


def arguments_of(route: Route) -> dict[str, Argument]:
    """All that a request may say, by name, in order."""
    function = function_of(route.verb)
    parameters = inspect.signature(function).parameters
    told = get_type_hints(function)
    in_path = {route.named.get(name, name) for name in _PARAMETER.findall(route.path)}
    elsewhere = "query" if route.method in ("GET", "DELETE") else "body"
    found: dict[str, Argument] = {}
    for name, one in parameters.items():
        if name in NEVER_GIVEN or name in route.left_out or one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
            continue
        schema = _narrowed(taken(told[name]), route.choices.get(name))
        needed = one.default is inspect.Parameter.empty if route.needed is None else name in route.needed
        found[name] = Argument(name, schema, "path" if name in in_path else elsewhere, needed or name in in_path)
    for name in in_path - found.keys():
        found[name] = Argument(name, TEXT, "path", True)
    more = {name: Argument(name, schema, elsewhere) for name, schema in route.more.items() if name not in found}
    return {**found, **more}


def path_names(route: Route) -> dict[str, str]:
    """Which argument each part of the path is."""
    return {name: route.named.get(name, name) for name in _PARAMETER.findall(route.path)}


def _narrowed(schema: Schema, options: type[StrEnum] | None) -> Schema:
    """The schema with a closed list in place of any text."""
    if options is None:
        return schema
    if schema.get("type") == ["string", "null"]:
        return taken(options | None)
    if schema == TEXT:
        return taken(options)
    within = {name: [_narrowed(one, options) for one in schema[name]] for name in ("anyOf",) if name in schema}
    return {**schema, **within, **({"items": _narrowed(schema["items"], options)} if "items" in schema else {})}


def _fields(kind: type, *without: str) -> dict[str, Schema]:
    told = hints(kind)
    return {one.name: taken(told[one.name]) for one in fields(kind) if one.name not in without}


def without(schemas: Mapping[str, Schema], *names: str) -> dict[str, Schema]:
    """These fields but for some."""
    return {name: schema for name, schema in schemas.items() if name not in names}


_OUTCOME: dict[str, Schema] = {"result": taken(OutcomeResult | None), "reason": taken(str | None)}
DRAFT = {**_fields(MemoryDraft, "details", "document"), "reasoning": taken(str | None), **_OUTCOME}
"""What `remember` knows of a memory."""
ABOUT = without(DRAFT, "text", "kind", "subject", "type", "visibility", "group", "reasoning", "result", "reason")
"""What can be told along with a change of something that is there."""
REVISION = {**_fields(Revision, "text", "details"), "reasoning": taken(str | None)}
FILTERS = _fields(MemoryFilter, *_NOT_FILTERS)
RECALL = {**_fields(RecallQuery, "text", "filter", "profile"), "profile": TEXT, **without(FILTERS, "session", "status")}
