"""What every command shares: settings, the opened memory, and how to speak."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from trigraph.assembly import open_engine, scope_of
from trigraph.contracts import Elsewhere
from trigraph.contracts import Progress as Done
from trigraph.errors import BrokenFile
from trigraph.faces import wire
from trigraph.faces.cli import exit_codes
from trigraph.faces.library import Trigraph
from trigraph.settings import Loaded

PIPE_WIDTH = 10_000
"""Tables are shrunk to a screen; a pipe has no edge."""


@dataclass
class Session:
    """One run of the command."""

    loaded: Loaded
    as_json: bool
    quiet: bool
    no_color: bool
    out: Console = field(init=False)
    err: Console = field(init=False)

    def __post_init__(self) -> None:
        self.out = _Pipe(no_color=self.no_color or None, highlight=False)
        if not self.out.is_terminal:
            self.out.width = PIPE_WIDTH
        self.err = Console(stderr=True, no_color=self.no_color or None, highlight=False, soft_wrap=True)
        for warning in self.loaded.warnings:
            self.say(f"warning: {warning}")

    @contextmanager
    def memory(self, elsewhere: Elsewhere | None = None) -> Iterator[Trigraph]:
        """The memory of the local user, closed at the end; `elsewhere` may make vectors in place of a model here."""
        settings = self.loaded.settings
        with Trigraph(open_engine(settings, elsewhere=elsewhere), scope_of(settings)) as opened:
            yield opened

    def show(self, value: Any, lines: Callable[[], RenderableType]) -> None:
        """An answer: JSON for programs, else what `lines` makes of it for people."""
        if self.as_json:
            self.print_json(value)
        else:
            self.out.print(lines(), soft_wrap=not self.out.is_terminal)

    def print_json(self, value: Any) -> None:
        """Data for programs: one JSON document on stdout."""
        self.write(json.dumps(wire.to_json(value), ensure_ascii=False, indent=2))

    def write(self, text: str) -> None:
        """A text on stdout as it is."""
        try:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            _end_quietly()

    def say(self, message: str) -> None:
        """A message for people, on stderr."""
        if not self.quiet:
            self.err.print(message, markup=False)

    def text(self, given: str) -> str:
        """A text as it was given on the command line; - means stdin."""
        return read_text("-") if given == "-" else given

    @property
    def asks(self) -> bool:
        """Whether somebody is there to answer a question."""
        return sys.stdin.isatty() and self.err.is_terminal

    @contextmanager
    def progress(self, what: str, total: int | None) -> Iterator[Done]:
        """A bar on stderr, when a person is watching."""
        if self.quiet or not self.err.is_terminal:
            yield lambda done: None
            return
        columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=self.err, transient=True) as bar:
            task = bar.add_task(what, total=total)
            yield lambda done: bar.advance(task, done)


class _Pipe(Console):
    """A console whose reader may leave early, as `head` does."""

    def on_broken_pipe(self) -> None:
        _end_quietly()


def _end_quietly() -> NoReturn:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(exit_codes.BROKEN_PIPE)


def session_of(context: typer.Context) -> Session:
    """The session that the main callback made."""
    session = context.find_object(Session)
    assert session is not None
    return session


def read_text(name: str) -> str:
    """A file's text, or stdin's for `-`."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BrokenFile(
            f"{name} is not UTF-8 text (byte {error.start}).", field="file", fix="Convert it to UTF-8."
        ) from error
    except OSError as error:
        raise BrokenFile(f"{name} cannot be read ({error.strerror}).", field="file", fix="Check the path.") from error
