"""The product as a user runs it: the `trigraph` command in processes of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TRIGRAPH = Path(sys.executable).with_name("trigraph")


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """stdout as one JSON document."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The error that `--json` wrote to stderr: always its last line."""
        error: dict[str, Any] = json.loads(self.err.splitlines()[-1])["error"]
        return error


@dataclass(frozen=True)
class Command:
    """Runs `trigraph` on one home, in a folder and an environment without any settings but the given ones."""

    home: Path
    folder: Path

    def __call__(
        self,
        *arguments: str | Path,
        given: str | bytes = b"",
        environment: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
    ) -> Answer:
        """Run to the end; `before` is a command that runs ours, such as `unshare -n`."""
        done = subprocess.run(
            [*before, TRIGRAPH, *arguments],
            input=given.encode() if isinstance(given, str) else given,
            env=self.environment(environment),
            cwd=self.folder,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode())

    def start(self, *arguments: str, environment: Mapping[str, str] | None = None, **pipes: Any) -> Process:
        """Start and return at once; stdin, stdout and stderr are pipes."""
        everywhere = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | pipes
        return subprocess.Popen(
            [TRIGRAPH, *arguments], env=self.environment(environment), cwd=self.folder, text=True, **everywhere
        )

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Only what a process needs, and where the store is."""
        return {
            "PATH": f"{TRIGRAPH.parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.folder),
            "TRIGRAPH_HOME": str(self.home),
            **(more or {}),
        }


Process = subprocess.Popen[str]


@contextmanager
def serving(command: Command, *arguments: str) -> Iterator[str]:
    """A running `trigraph serve` on a free port of this machine: its address."""
    process = command.start("serve", *arguments, environment={"TRIGRAPH_SERVER__PORT": "0"}, stdin=subprocess.DEVNULL)
    assert process.stderr is not None
    try:
        told = process.stderr.readline()
        address = re.search(r"http://\S+?(?=/)", told)
        assert address, told + process.stderr.read()
        yield address.group()
    finally:
        process.terminate()
        process.communicate(timeout=10)


def command_names(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Every command that does something by itself, by its words."""
    for name, below in getattr(command, "commands", {}).items():
        if hasattr(below, "commands"):
            yield from command_names(below, (*path, name))
        else:
            yield " ".join((*path, name))
