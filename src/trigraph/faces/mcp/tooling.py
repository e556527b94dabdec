"""What a tool is here, and how the SDK calls it: loose arguments in, an answer or an error that says what to do out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ConfigDict

from trigraph.errors import InvalidInput, TrigraphError, Unauthenticated, invalid_choice
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.faces.mcp import schemas
from trigraph.faces.mcp.schemas import Schema
from trigraph.faces.requests import logged

ERROR_META = "trigraph/error"
"""Where a tool error carries what `wire.error_json` says of it, for programs."""
SESSION_HEADER = "x-trigraph-session-id"
"""Over HTTP: the caller's id of the run that it is in."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: the agent's memory, and the run it is in, if that is known."""

    memory: Trigraph
    session: str | None = None


Calling = Callable[[], Caller]
"""Who the current request is of."""
_BOUND: ContextVar[Caller] = ContextVar("trigraph_caller")


def local_caller(memory: Trigraph, session: str | None) -> Calling:
    """One agent, whoever asks: for a server that its client started."""
    own = Caller(memory, session)
    return lambda: own


def bound_caller() -> Caller:
    """Whom the transport found the request to be of; nobody is nobody."""
    caller = _BOUND.get(None)
    if caller is None:
        raise Unauthenticated("This takes a token.", fix="Send `Authorization: Bearer tg_…`.")
    return caller


@contextmanager
def bound(caller: Caller) -> Iterator[None]:
    """Within, and in the tasks and threads that begin within, requests are of that caller."""
    token = _BOUND.set(caller)
    try:
        yield
    finally:
        _BOUND.reset(token)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers: data for programs, and a short form to be read; without one, the data as JSON."""

    data: dict[str, Any]
    text: str | None = None


Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool. `example` is a call that works; `closed` tools refuse an argument that they do not know, others ignore
    it and say so. `reads`, `destroys` and `repeats` (a second call changes nothing more) become its annotations."""

    name: str
    description: str
    arguments: Mapping[str, Schema]
    required: tuple[str, ...]
    answer: Schema
    example: Given
    run: Callable[[Caller, Given], Answer]
    reads: bool = False
    destroys: bool = False
    repeats: bool = False
    closed: bool = True

    def called(self, caller: Caller, given: Given) -> Answer:
        """Run it on raw arguments."""
        known = {
            name: loosened(value, self.arguments[name])
            for name, value in given.items()
            if name in self.arguments and value is not None
        }
        unknown = [name for name in given if name not in self.arguments]
        if unknown and self.closed:
            raise invalid_choice(f"argument of {self.name}", unknown[0], self.arguments)
        for name in self.required:
            if name not in known:
                raise InvalidInput(f"{name} is missing.", field=name, fix=f"{self.name} needs it.")
        answer = self.run(caller, known)
        return _warned(answer, unknown) if unknown else answer


def sdk_tool(spec: ToolSpec, calling: Calling) -> Tool:
    """The tool as the SDK takes it. Handlers are plain functions: the SDK runs them in worker threads."""

    def call(given: dict[str, Any], context: Context[Any, Any]) -> CallToolResult:
        with logged("mcp", f"tools/call {spec.name}") as told:
            try:
                caller = calling()
                session = (context.headers or {}).get(SESSION_HEADER) or caller.session
                answer = spec.called(replace(caller, session=session), given)
            except TrigraphError as error:
                told["outcome"] = error.code
                return _refused(spec, error)
        text = json.dumps(answer.data, ensure_ascii=False) if answer.text is None else answer.text
        return CallToolResult(content=[_shown(text)], structured_content=answer.data)

    return Tool(
        fn=call,
        name=spec.name,
        title=None,
        description=spec.description,
        parameters=schemas.arguments(spec.arguments, spec.required, closed=spec.closed),
        fn_metadata=FuncMetadata(arg_model=_Loose, output_schema=spec.answer),
        is_async=False,
        context_kwarg="context",
        annotations=_annotations(spec),
    )


def loosened(value: Any, schema: Schema) -> Any:
    """A value as it was meant: some clients write lists, objects, numbers and flags as text."""
    if not isinstance(value, str) or schema.get("type") == "string":
        return value
    try:
        meant = json.loads(value)
    except (ValueError, RecursionError):
        return value
    fitting: Mapping[str, tuple[type, ...]] = {
        "array": (list,),
        "object": (dict,),
        "integer": (int,),
        "number": (int, float),
        "boolean": (bool,),
    }
    return meant if isinstance(meant, fitting[schema["type"]]) else value


class _Loose(ArgModelBase):
    """Arguments as they came: `wire` and the engine say what is wrong with them, not the SDK."""

    model_config = ConfigDict(extra="allow")

    def model_dump_one_level(self) -> dict[str, Any]:
        return {"given": dict(self.model_extra or {})}


def _annotations(spec: ToolSpec) -> ToolAnnotations:
    if spec.reads:
        return ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return ToolAnnotations(
        read_only_hint=False, destructive_hint=spec.destroys, idempotent_hint=spec.repeats, open_world_hint=False
    )


def _refused(spec: ToolSpec, error: TrigraphError) -> CallToolResult:
    """A tool error: what is wrong, what is allowed, and a call that works."""
    lines = [str(error)]
    if isinstance(error, InvalidInput):
        lines.append(f"field: {error.field}")
        if error.allowed and not all(one in lines[0] for one in error.allowed):
            lines.append(f"allowed: {', '.join(error.allowed)}")
        lines.append(f"example: {spec.name}({json.dumps(spec.example, ensure_ascii=False)})")
    told = {ERROR_META: wire.error_json(error)}
    return CallToolResult(content=[_shown("\n".join(lines))], is_error=True, _meta=told)


def _warned(answer: Answer, unknown: list[str]) -> Answer:
    warnings = [f"{name} is no argument of this tool; it was ignored." for name in unknown]
    text = None if answer.text is None else "\n".join([answer.text, *warnings])
    return Answer({**answer.data, "warnings": warnings}, text)


def _shown(text: str) -> TextContent:
    return TextContent(type="text", text=text)
