"""How long a hook keeps its client waiting: cold starts of the program, beside a bare interpreter's.

Every run is a process of its own, the kinds taken in turns. Seconds differ between machines and hours; the ratio to the
floor holds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from trigraph.assembly import open_engine
from trigraph.bench.make import make, questions
from trigraph.bench.measures import percentile
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings, variables

ENTRY = "from trigraph.faces.hook.start import start; start()"
FLOORS = {"floor: python": "pass", "floor: python and apsw": "import apsw"}
PASSED_ON = ("PATH", "HOME", "PYTHONPATH", "LANG", "SYSTEMROOT")


def run(
    settings: Settings, *, starts: int, memories: int, seed: int, note: Callable[[str], None] = lambda line: None
) -> dict[str, Any]:
    """Make a store of that size without vectors, then start every kind of hook on it, cold."""
    with tempfile.TemporaryDirectory() as home:
        own = replace(settings, home=home, embedder=EmbedderSettings(kind="none"))
        with open_engine(own) as engine:
            make(engine, LOCAL_SCOPE, memories, seed)
        note(f"{memories} memories made; {starts} starts of each kind")
        asked = questions(starts, seed + 1)
        times: dict[str, list[float]] = {}
        answered = 0
        for question in asked:
            for name, program, given in _kinds(question):
                milliseconds, out = _timed(program, given, home)
                times.setdefault(name, []).append(milliseconds)
                answered += bool(out) and name == "prompt"
    floor = percentile(times["floor: python"], 0.5)
    return {
        "benchmark": "hook",
        "starts": starts,
        "memories": memories,
        "prompts_answered": answered,
        "milliseconds": {
            name: {
                "p50": round(percentile(found, 0.5), 1),
                "p95": round(percentile(found, 0.95), 1),
                "ratio": round(percentile(found, 0.5) / floor, 2),
            }
            for name, found in times.items()
        },
    }


def _kinds(question: str) -> list[tuple[str, list[str], dict[str, Any]]]:
    def hook(event: str, **given: Any) -> tuple[list[str], dict[str, Any]]:
        return ["-c", ENTRY, "claude", event], {"cwd": tempfile.gettempdir(), **given}

    return [
        *((name, ["-c", code], {}) for name, code in FLOORS.items()),
        ("cold start: a prompt too short to ask", *hook("prompt", prompt="go on")),
        ("session-start", *hook("session-start", session_id="bench", source="startup")),
        ("prompt", *hook("prompt", prompt=question)),
        ("stop", *hook("stop", session_id="bench", prompt=question, last_assistant_message="It is done.")),
    ]


def _timed(program: Sequence[str], given: dict[str, Any], home: str) -> tuple[float, bytes]:
    environment = {**variables(*PASSED_ON), "TRIGRAPH_HOME": home, "TRIGRAPH_HOOKS__CATCH_UP": "false"}
    data = json.dumps(given).encode()
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *program], input=data, env=environment, stdout=subprocess.PIPE, check=True, cwd=home
    )
    return (time.perf_counter() - started) * 1000, done.stdout


def hooks_table(found: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [f"{'milliseconds':<40}{'p50':>8}{'p95':>8}{'ratio':>8}"]
    lines += [
        f"{name:<40}{one['p50']:>8.1f}{one['p95']:>8.1f}{one['ratio']:>8.2f}"
        for name, one in found["milliseconds"].items()
    ]
    answered = f"{found['prompts_answered']} of {found['starts']} prompts answered, {found['memories']:,} memories"
    return "\n".join([*lines, answered])
