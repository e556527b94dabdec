"""Servers and clients of a benchmark, each in a process of its own, on this machine's own address alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from trigraph.bench.clients import REQUEST_SECONDS, Plan
from trigraph.errors import ServerError, Unreachable
from trigraph.settings import Settings, flat
from trigraph.sources import PREFIX, environment

TIED = "trigraph.bench.tied"
ECHO = "trigraph.bench.echo"
COMMAND = "trigraph.faces.cli.start"
CLIENTS = "trigraph.bench.clients"
STARTING_SECONDS = 120.0
ENDING_SECONDS = 15.0
LOOK_SECONDS = 0.05
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+(?=/)")


@contextmanager
def serving(settings: Settings, folder: Path) -> Iterator[str]:
    """A running `trigraph serve` with these settings: its address."""
    named = {f"{PREFIX}{name.upper().replace('.', '__')}": str(value) for name, value in flat(settings)}
    with _listening(folder, {**environment(), **named}, COMMAND, "serve") as address:
        yield address


@contextmanager
def echoing(folder: Path) -> Iterator[str]:
    """A running echo: its address."""
    with _listening(folder, environment(), ECHO) as address:
        yield address


def asked(plan: Plan, folder: Path) -> dict[str, Any]:
    """What the clients of a plan found, asking from a process of their own."""
    most_seconds = plan.seconds + 2 * REQUEST_SECONDS + STARTING_SECONDS
    try:
        done = subprocess.run(
            [sys.executable, "-m", CLIENTS],
            input=json.dumps(asdict(plan)).encode(),
            capture_output=True,
            cwd=folder,
            timeout=most_seconds,
            check=True,
        )
    except subprocess.SubprocessError as error:
        told = (getattr(error, "stderr", None) or b"").decode(errors="replace")
        raise ServerError(f"The clients of the benchmark failed ({type(error).__name__}): {_last(told)}") from error
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@contextmanager
def _listening(folder: Path, variables: Mapping[str, str], module: str, *arguments: str) -> Iterator[str]:
    said = folder / f"{module}.{time.monotonic_ns()}.log"
    with said.open("wb") as complaints:
        process = subprocess.Popen(
            [sys.executable, "-m", TIED, module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            env=dict(variables),
            cwd=folder,
        )
        try:
            yield _address(process, said)
        finally:
            _end(process)


def _address(process: subprocess.Popen[bytes], said: Path) -> str:
    until = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < until:
        over = process.poll() is not None
        told = said.read_text(encoding="utf-8", errors="replace")
        if found := _ADDRESS.search(told):
            return found.group()
        if over:
            break
        time.sleep(LOOK_SECONDS)
    raise Unreachable(f"A server of the benchmark did not start: {_last(told)}")


def _last(told: str) -> str:
    return (told.strip().splitlines() or ["it said nothing"])[-1]


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.terminate()
    process.stdin.close()
    try:
        process.wait(ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
