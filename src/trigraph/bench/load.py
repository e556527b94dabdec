"""A served store under load: many clients at once, over HTTP and over MCP, beside a bare echo in the same run.

The server is `trigraph serve`, the echo a Starlette application under the same uvicorn, the clients a third process.
Doors and echo are asked in turns, so that whatever else the machine does falls on them alike. Four requests in five are
recalls, one is a remember; each embeds its text. What one thread does without any server tells how far the interpreter
is the limit. Then a server that takes fewer requests at once than there are clients is asked.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import apsw

from trigraph.assembly import open_engine, scope_of
from trigraph.bench.children import asked, echoing, serving
from trigraph.bench.clients import REFUSED, WRITES_EVERY, Plan
from trigraph.bench.make import make, questions, texts
from trigraph.bench.measures import percentile
from trigraph.bench.report import table
from trigraph.errors import NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.status import Stats
from trigraph.settings import ServerSettings, Settings

DOORS = ("http", "mcp")
TURNS = 5
MOST_REQUESTS = 200_000
"""More than a turn can need: it ends by time."""
PLANNED = 2000
"""Questions of a turn; asked again when all were asked."""
WARMING = 2
"""Requests a client that are not timed."""
OVERLOADED_SECONDS = 5.0
SHARE_TAKEN = 4
"""A server under overload takes the requests of one client in so many at once."""
_STEP_PAGES = 1000

Note = Callable[[str], None]


def run(
    settings: Settings, *, memories: int, seconds: float, clients: int, seed: int, note: Note = lambda line: None
) -> dict[str, Any]:
    """Make a store of that size, serve it and ask it."""
    with tempfile.TemporaryDirectory() as folder:
        own = replace(settings, home=str(Path(folder, "home")))
        with open_engine(own) as engine:
            made = make(engine, scope_of(own), memories, seed)
        note(f"{made} memories made")
        return _Load(own, Path(folder), seconds, clients, seed, note).figures()


def run_here(
    settings: Settings, *, seconds: float, clients: int, seed: int, note: Note = lambda line: None
) -> dict[str, Any]:
    """Serve and ask a copy of the store that is there, which stays as it is."""
    home = settings.home_folder()
    if not (home / f"{settings.scope.tenant}.db").is_file():
        raise NotFound(f"There is no store in {home}.", fix="Make one with `trigraph bench make`, or leave --here out.")
    with tempfile.TemporaryDirectory() as folder:
        own = replace(settings, home=str(Path(folder, "home")))
        _copy(home.glob("*.db"), Path(own.home))
        note("the store is copied")
        return _Load(own, Path(folder), seconds, clients, seed, note).figures()


def _copy(files: Iterable[Path], target: Path) -> None:
    target.mkdir(mode=0o700)
    for file in files:
        with (
            closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as source,
            closing(apsw.Connection(str(target / file.name))) as copy,
            copy.backup("main", source, "main") as backup,
        ):
            while not backup.done:
                backup.step(_STEP_PAGES)


@dataclass(slots=True)
class _Found:
    """What came of one door's requests, over all turns."""

    seconds: float = 0.0
    times: dict[str, list[float]] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, found: dict[str, Any], *, timed: bool = True) -> None:
        self.kinds.update(found["kinds"])
        if timed:
            self.seconds += found["seconds"]
            for verb, times in found["times"].items():
                self.times.setdefault(verb, []).extend(times)

    def figures(self) -> dict[str, Any]:
        every = [one for times in self.times.values() for one in times]
        return {
            "requests": len(every),
            "errors": self.kinds.total(),
            "error_kinds": dict(self.kinds),
            **_latency(every),
            "per_second": round(len(every) / max(self.seconds, 1e-6), 1),
            "verbs": {verb: _latency(times) for verb, times in self.times.items()},
        }


@dataclass(slots=True)
class _Load:
    """One run: settings of the served store, how long and by how many each door is asked."""

    settings: Settings
    folder: Path
    seconds: float
    clients: int
    seed: int
    note: Note
    _seeds: count[int] = field(init=False)

    def __post_init__(self) -> None:
        self._seeds = count(self.seed + 1)

    def figures(self) -> dict[str, Any]:
        """Alone, under load, under overload."""
        stored, alone = self._alone()
        self.note(f"one thread alone: {alone['recall']['per_second']} recalls a second")
        doors = self._loaded()
        for door in DOORS:
            doors[door] |= {
                "ratio_per_second": _ratio(doors[door]["per_second"], doors["echo"]["per_second"]),
                "ratio_p50": _ratio(doors[door]["p50_ms"], doors["echo"]["p50_ms"]),
                "gain_over_one_thread": _ratio(doors[door]["per_second"], alone["mixed"]["per_second"]),
            }
        return {
            "benchmark": "load",
            "memories": stored.memories,
            "passages": stored.passages,
            "store_bytes": stored.store_bytes,
            "clients": self.clients,
            "seconds": self.seconds,
            "cores": os.cpu_count(),
            "alone": alone,
            **doors,
            "overload": self._overloaded(),
        }

    def _alone(self) -> tuple[Stats, dict[str, Any]]:
        """How much is stored, and what one thread does in process: recalls, then the mix that clients ask for."""
        with Trigraph(open_engine(self.settings), scope_of(self.settings)) as memory:
            stored = memory.stats()
            for question in questions(WARMING, next(self._seeds)):
                memory.recall(question)
            return stored, {
                "recall": self._timed_alone(memory, writes=False),
                "mixed": self._timed_alone(memory, writes=True),
            }

    def _timed_alone(self, memory: Trigraph, *, writes: bool) -> dict[str, Any]:
        reads, kept = self._texts()
        times: list[float] = []
        started = now = time.perf_counter()
        while now < started + self.seconds / 2 and len(times) < MOST_REQUESTS:
            turn, place = divmod(len(times), WRITES_EVERY)
            if writes and place == WRITES_EVERY - 1:
                memory.remember(kept[turn % len(kept)])
            else:
                memory.recall(reads[len(times) % len(reads)])
            before, now = now, time.perf_counter()
            times.append((now - before) * 1000)
        return {
            "requests": len(times),
            **_latency(times),
            "per_second": round(len(times) / max(now - started, 1e-6), 1),
        }

    def _loaded(self) -> dict[str, dict[str, Any]]:
        found = {name: _Found() for name in ("echo", *DOORS)}
        most = max(self.settings.server.most_requests, self.clients)
        turns = max(1, min(TURNS, int(self.seconds)))
        with echoing(self.folder) as echo, serving(self._settings(most), self.folder) as server:
            ways = {"echo": (echo, "http"), **{door: (server, door) for door in DOORS}}
            for name, way in ways.items():
                warming = replace(self._plan(*way, min(self.seconds, TURNS)), most=WARMING * self.clients)
                found[name].add(asked(warming, self.folder), timed=False)
            for turn in range(turns):
                for name, way in ways.items():
                    found[name].add(asked(self._plan(*way, self.seconds / turns), self.folder))
                self.note(f"turn {turn + 1} of {turns}")
        return {name: one.figures() for name, one in found.items()}

    def _overloaded(self) -> dict[str, Any]:
        """Each door of a server that takes few requests at once, and how soon it answers after that."""
        most = max(1, self.clients // SHARE_TAKEN)
        seconds = min(self.seconds, OVERLOADED_SECONDS)
        figures: dict[str, Any] = {"most_requests": most}
        with serving(self._settings(most), self.folder) as server:
            for door in DOORS:
                plan = replace(self._plan(server, door, seconds), recovers=True)
                figures[door] = _overload_figures(asked(plan, self.folder))
        return figures

    def _settings(self, most_requests: int) -> Settings:
        """Those of a server on a free port of this machine, open to it alone and without a limit by the minute."""
        server = ServerSettings(port=0, rate_per_minute=0, most_requests=most_requests)
        return replace(self.settings, server=server)

    def _plan(self, address: str, door: str, seconds: float) -> Plan:
        reads, writes = self._texts()
        return Plan(address, door, self.clients, seconds, MOST_REQUESTS, reads, writes)

    def _texts(self) -> tuple[list[str], list[str]]:
        """Questions and memories that were not asked or given before."""
        seed = next(self._seeds)
        return questions(PLANNED, seed), texts(PLANNED // (WRITES_EVERY - 1), seed)


def _overload_figures(found: dict[str, Any]) -> dict[str, Any]:
    kinds = Counter(found["kinds"])
    refused = {kind: number for kind, number in kinds.items() if kind.startswith(REFUSED)}
    others = {kind: number for kind, number in kinds.items() if kind not in refused}
    recovered = found["recovered_ms"]
    return {
        "answered": sum(len(times) for times in found["times"].values()),
        "refused": sum(refused.values()),
        "errors": sum(others.values()),
        "kinds": dict(kinds),
        "recovered_ms": None if recovered is None else round(recovered, 1),
    }


def _latency(milliseconds: list[float]) -> dict[str, float]:
    return {f"p{share}_ms": round(percentile(milliseconds, share / 100), 2) for share in (50, 99)}


def _ratio(figure: float, floor: float) -> float:
    return round(figure / max(floor, 1e-6), 3)


def load_table(found: dict[str, Any]) -> str:
    """The figures for people."""
    columns = ("requests", "errors", "p50_ms", "p99_ms", "per_second")
    rows = [[f"{name}, one thread in process", *_cells(one, columns)] for name, one in found["alone"].items()]
    rows.append(["floor: bare echo", *_cells(found["echo"], columns)])
    for door in DOORS:
        one = found[door]
        rows.append([door, *_cells(one, columns), one["ratio_per_second"], one["ratio_p50"]])
        rows += [[f"{door}: {verb}", "", "", times["p50_ms"], times["p99_ms"]] for verb, times in one["verbs"].items()]
    header = ("", *columns, "a second, × echo", "p50, × echo")
    gains = ", ".join(f"{door} {found[door]['gain_over_one_thread']}" for door in DOORS)
    return "\n".join(
        (
            f"{found['memories']:,} memories, {found['passages']:,} passages, {found['store_bytes']:,} bytes;"
            f" {found['clients']} clients, {found['cores']} cores",
            table(header, [[*row, *[""] * (len(header) - len(row))] for row in rows]),
            f"beside one thread with the same mix: {gains} times as much",
            *(_kinds_line(name, found[name]["error_kinds"]) for name in ("echo", *DOORS) if found[name]["errors"]),
            *(_overload_line(door, found["overload"]) for door in DOORS),
        )
    )


def _cells(one: dict[str, Any], columns: tuple[str, ...]) -> list[Any]:
    return [one.get(column, "") for column in columns]


def _kinds_line(name: str, kinds: dict[str, int]) -> str:
    return f"errors of {name}: " + ", ".join(f"{number} × {kind}" for kind, number in sorted(kinds.items()))


def _overload_line(door: str, overload: dict[str, Any]) -> str:
    one = overload[door]
    again = "did not recover" if one["recovered_ms"] is None else f"recovered in {one['recovered_ms']} ms"
    line = f"overload of {door} (takes {overload['most_requests']} at once): answered {one['answered']},"
    kinds = f" ({_kinds_line(door, one['kinds'])})" if one["errors"] else ""
    return f"{line} refused {one['refused']}, other errors {one['errors']}, {again}{kinds}"
