"""tail: what happens in memory, line by line, as it happens."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import islice
from typing import Annotated

import typer

from trigraph.errors import InvalidInput, NotFound
from trigraph.faces import wire
from trigraph.faces.cli import render_life
from trigraph.faces.cli.session import Session, session_of
from trigraph.faces.library import Trigraph
from trigraph.model.change import MemoryVersion
from trigraph.model.tail import BEGINNING, Happened


def tail(
    context: typer.Context,
    since: Annotated[
        str | None, typer.Option(help="After this cursor, which --json tells with each event; else from now on.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", "-n", help="End after so many.")] = None,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow/--no-follow",
            help="Go on until interrupted; or tell what there is, without --since from the beginning, and end.",
        ),
    ] = True,
) -> None:
    """Follow what happens: changes of memories that you may see, and your recalls. With --json, JSON Lines.

    Needs no server: the store is looked at twice a second.
    """
    current = session_of(context)
    if limit is not None and limit < 1:
        raise InvalidInput("limit is less than 1.", field="limit", fix="Give a number from 1 on, or leave it out.")
    with current.memory() as memory:
        after = since if follow or since is not None else BEGINNING
        with memory.events(after=after) as stream:
            if follow:
                current.say("following what happens; Ctrl-C stops it")
            for one in islice(stream if follow else iter(stream.so_far, None), limit):
                _show(current, memory, one)


def _show(current: Session, memory: Trigraph, one: Happened) -> None:
    if current.as_json:
        current.write(json.dumps(wire.to_json(one), ensure_ascii=False))
        return
    text = ""
    if isinstance(one.what, MemoryVersion):
        with suppress(NotFound):  # erased since
            text = memory.engine.find(memory.scope, one.what.memory_id).text
    current.out.print(render_life.happened_line(one, text), soft_wrap=not current.out.is_terminal)
