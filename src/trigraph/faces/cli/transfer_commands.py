"""export, import."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from trigraph.faces.cli import render_life
from trigraph.faces.cli.session import session_of
from trigraph.faces.transfer import export_stream


def export(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="Where to write; - is stdout.")] = "-",
    everything: Annotated[
        bool, typer.Option("--everything", help="What all agents of the project wrote, not only what you may see.")
    ] = False,
    vectors: Annotated[bool, typer.Option("--vectors/--no-vectors", help="With vectors, or made anew later.")] = True,
    events: Annotated[bool, typer.Option("--events/--no-events", help="With recall events, or without.")] = True,
) -> None:
    """Write what the project holds as JSON Lines, without loss."""
    current = session_of(context)
    with current.memory() as memory, current.progress("exporting", memory.stats().memories) as done:
        if file == "-":
            report = export_stream(
                memory, sys.stdout, everything=everything, vectors=vectors, events=events, progress=done
            )
        else:
            report = memory.export(file, everything=everything, vectors=vectors, events=events, progress=done)
    if file == "-":
        current.say(render_life.export_told(report))
    else:
        current.show(report, lambda: render_life.export_told(report))


def import_(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="An export; - is stdin.")],
) -> None:
    """Read an export into the project, as it was. What is there already is kept; doing it twice changes nothing."""
    current = session_of(context)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(file)
        if file == "-":
            # It is read twice: once to see that it is whole, once to write it.
            path = Path(folder) / "export.jsonl"
            with path.open("wb") as copy:
                while chunk := sys.stdin.buffer.read(1 << 20):
                    copy.write(chunk)
        with current.memory() as memory, current.progress("importing", None) as done:
            report = memory.import_(path, progress=done)
    current.show(report, lambda: render_life.import_told(report))
    for conflict in report.conflicts[:20]:
        current.say(conflict)
    if report.waiting_for_vector:
        current.say(f"{report.waiting_for_vector} memories came without a vector: run `trigraph reembed`")
