"""The faces of trigraph, each as one way to call a verb by the library's own name and arguments.

A further face is a class with `call` and an entry in FACES; one with the library's surface is an entry alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import httpx

from commands import Command
from http_api import heard, opened, served
from mcp_clients import MODERN, RawHttp, raw_stdio
from remote_clients import CLIENTS
from trigraph.errors import TrigraphError
from trigraph.faces import wire
from trigraph.faces.http.routes import ROUTES
from trigraph.faces.http.table import path_names
from trigraph.faces.library import Trigraph

SESSION = "s-1"
"""The run that all of it happens in: agents' faces are told it once, and every memory is an agent's."""
Given = dict[str, Any]


class Face(Protocol):
    """One way in."""

    def call(self, verb: str, given: Given) -> Any:
        """The verb's answer as JSON; of an error, {"error": …}."""


class Listening(Face, Protocol):
    """One way in that tells what happened."""

    def heard(self, after: str, most: int) -> list[Any]:
        """The first events after a cursor, each as JSON."""


@dataclass(frozen=True)
class Library:
    """Python: the library itself, or whatever has its surface."""

    memory: Trigraph

    def call(self, verb: str, given: Given) -> Any:
        try:
            return wire.to_json(attrgetter(verb)(self.memory)(**given))
        except TrigraphError as error:
            return {"error": wire.error_json(error)}

    def heard(self, after: str, most: int) -> list[Any]:
        with self.memory.events(after=after) as stream:
            return [wire.to_json(one) for one in islice(stream, most)]


@dataclass(frozen=True)
class Http:
    """The API: the verb's route, found in the table."""

    client: httpx.Client

    def call(self, verb: str, given: Given) -> Any:
        route = min(
            (one for one in ROUTES if one.verb == verb and set(path_names(one).values()) <= set(given)),
            key=lambda one: -len(path_names(one)),
        )
        rest, headers = dict(given), {}
        path = route.template
        for name, argument in path_names(route).items():
            path = path.replace("{" + name + "}", quote(rest.pop(argument), safe=""))
        if (key := rest.pop("idempotency_key", None)) is not None:
            headers["Idempotency-Key"] = key
        sent: Given = {"params": rest} if route.method in ("GET", "DELETE") else {"json": rest}
        answer = self.client.request(route.method, f"/v1{path}", headers=headers, **sent)
        return answer.json() if answer.status_code < 400 else {"error": _as_error(answer.json())}

    def heard(self, after: str, most: int) -> list[Any]:
        with self.client.stream("GET", "/v1/events", headers={"Last-Event-ID": after}) as answer:
            told = (one for one in heard(answer) if one[0] != "ready")
            return [{"event": name, "what": data, "cursor": id_} for name, id_, data in islice(told, most)]


def _as_error(told: Given) -> Given:
    """A problem as the other faces write it."""
    shown = {"code": told["code"], "message": told["detail"], "fix": told["fix"]}
    for one in told.get("errors", ()):
        shown |= {"field": one["field"], "allowed": one["allowed"]}
    return shown


COMMANDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "remember": ("remember", ("text",)),
    "decide": ("decide", ("text",)),
    "checkpoint": ("checkpoint", ("text",)),
    "evolve": ("evolve", ("id", "result")),
    "correct": ("correct", ("id", "text")),
    "supersede": ("supersede", ("id", "text")),
    "get": ("get", ("id",)),
    "vote": ("vote", ("id", "value")),
    "recall": ("recall", ("query",)),
    "cite": ("cite", ("id",)),
    "reverify": ("reverify", ("id",)),
    "forget": ("forget", ()),
    "restore": ("restore", ("id",)),
    "wrap": ("wrap", ("session", "text")),
    "trace_evolution": ("trace evolution", ("topic",)),
    "entities": ("entity list", ()),
    "entity": ("entity get", ("name",)),
    "audit": ("audit", ()),
}
"""The command of a verb, and which of its arguments stand there without a name."""
VOTES = {1: "up", -1: "down"}


@dataclass(frozen=True)
class Cli:
    """The command."""

    run: Command

    def call(self, verb: str, given: Given) -> Any:
        command, alone = COMMANDS[verb]
        options = [word for name, value in given.items() if name not in alone for word in _option(name, value)]
        first = [VOTES[given[name]] if name == "value" else given[name] for name in alone]
        answer = self.run(*command.split(), "--json", *options, "--", *first)
        return answer.json if answer.code == 0 else {"error": answer.error}

    def heard(self, after: str, most: int) -> list[Any]:
        told = self.run("tail", "--since", after, "--limit", str(most), "--json")
        assert told.code == 0, told.err
        return [json.loads(line) for line in told.out.splitlines()]


def _option(name: str, value: Any) -> list[str]:
    if name == "dry_run":
        return ["--dry-run"] if value else ["--yes"]
    if isinstance(value, list):
        singular = name if name == "implements" else name.removesuffix("s")
        return [word for one in value for word in (f"--{singular}", str(one))]
    return [f"--{'recall' if name == 'recall_id' else name.replace('_', '-')}", str(value)]


def _updating(verb: str) -> Callable[[Given], tuple[str, Given]]:
    return lambda given: ("update", {**given, "action": verb})


@dataclass
class Mcp:
    """The tools, over whichever transport asks."""

    ask: Callable[..., Given]
    told: Mapping[str, Callable[[Given], tuple[str, Given]]] = field(
        default_factory=lambda: {
            "get": lambda given: ("get", {"ids": [given["id"]]}),
            "recall": lambda given: ("recall", {**given, "detail": "full"}),
            "cite": lambda given: ("cite", {"recall_id": given["recall_id"], "items": [_one(given)]}),
            "evolve": lambda given: ("update", {**given, "action": "outcome"}),
            "trace_evolution": lambda given: ("trace", {"mode": "evolution", **given}),
            "entities": lambda given: ("entities", {"action": "list", **given}),
            "entity": lambda given: ("entities", {"action": "get", **given}),
            "restore": lambda given: ("forget", {"ids": [given["id"]], "restore": True}),
            **{verb: _updating(verb) for verb in ("correct", "supersede", "reverify", "vote")},
        }
    )

    def call(self, verb: str, given: Given) -> Any:
        given = {name: value for name, value in given.items() if name not in ("source", "session")}
        tool, arguments = self.told.get(verb, lambda asked: (verb, asked))(given)
        answer = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        if answer.get("isError"):
            return {"error": answer["_meta"]["trigraph/error"]}
        found = answer["structuredContent"]
        return found["memories"][0] if verb == "get" else found


def _one(given: Given) -> Given:
    return {"id": given["id"], "kind": given["kind"]}


@contextmanager
def _library(folder: Path, run: Command) -> Iterator[Face]:
    with opened(folder) as memory:
        yield Library(memory)


def _remote(client: str) -> Callable[[Path, Command], Any]:
    @contextmanager
    def opening(folder: Path, run: Command) -> Iterator[Face]:
        with opened(folder) as memory, served(memory) as server, CLIENTS[client](str(server.base_url)) as remote:
            yield Library(remote)

    return opening


@contextmanager
def _http(folder: Path, run: Command) -> Iterator[Face]:
    with opened(folder) as memory, served(memory) as client:
        yield Http(client)


@contextmanager
def _cli(folder: Path, run: Command) -> Iterator[Face]:
    yield Cli(run)


@contextmanager
def _mcp_stdio(folder: Path, run: Command) -> Iterator[Face]:
    with raw_stdio(Telling(folder, folder.parent), MODERN, "--toolset", "full") as client:
        yield Mcp(client.ask)


@contextmanager
def _mcp_http(folder: Path, run: Command) -> Iterator[Face]:
    with opened(folder) as memory, served(memory, toolset="full") as client:
        raw = RawHttp(str(client.base_url).rstrip("/"), MODERN)
        named = {"x-trigraph-session-id": SESSION}
        yield Mcp(lambda method, **params: json.loads(raw.post(method, headers=named, **params).content))


class Telling(Command):
    """A command that is told the run it is in."""

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        return super().environment({"TRIGRAPH_SESSION": SESSION, **(more or {})})


FACES: dict[str, Callable[[Path, Command], Any]] = {
    "library": _library,
    "command": _cli,
    "http": _http,
    "remote client": _remote("sync"),
    "remote client, awaited": _remote("async"),
    "mcp over stdio": _mcp_stdio,
    "mcp over http": _mcp_http,
}
"""Each opens a face on a folder of its own; `run` is the command in this process, on its own home."""
LISTENING = ("command", "http", "remote client")
"""Those that tell what happened, beside the library. Agents are not interrupted: tools do not."""
