"""Fixtures of the tests of the faces."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import pytest
import typer

from commands import Answer, Command
from trigraph.faces.cli.main import app, main

BUILT = typer.main.get_command(app)
"""What typer makes of the app anew for every run."""


class InThisProcess(Command):
    """The command's own `main`, run here and without a model: a process of its own takes a second to start."""

    def __call__(
        self,
        *arguments: str | Path,
        given: str | bytes = b"",
        environment: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
    ) -> Answer:
        """Run to the end; what it reads and writes are streams like those of a process."""
        assert not before, "nothing runs this process"
        typed, out, err = io.BytesIO(given.encode() if isinstance(given, str) else given), io.BytesIO(), io.BytesIO()
        streams = [io.TextIOWrapper(one, encoding="utf-8", write_through=True) for one in (typed, out, err)]
        with ExitStack() as stack:
            for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
                stack.enter_context(patch.object(sys, name, stream))
            stack.enter_context(patch.object(typer.main, "get_command", lambda _: BUILT))
            stack.enter_context(patch.dict(os.environ, self.environment(environment), clear=True))
            ended = stack.enter_context(pytest.raises(SystemExit))
            main([str(argument) for argument in arguments])
        code = ended.value.code or 0
        assert isinstance(code, int)
        return Answer(code, out.getvalue().decode(), err.getvalue().decode())

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Without a model, for what does not depend on meaning."""
        return super().environment({"TRIGRAPH_EMBEDDER__KIND": "none", **(more or {})})


@pytest.fixture
def command(home: Path, tmp_path: Path) -> Command:
    """`trigraph` on the test's own home."""
    return Command(home, tmp_path)


@pytest.fixture
def run(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """`trigraph` on the test's own home, in this process."""
    monkeypatch.chdir(tmp_path)
    return InThisProcess(home, tmp_path)
