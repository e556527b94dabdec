"""frontier, bounty: what was never used together and looks worth it."""

from __future__ import annotations

from typing import Annotated

import typer

from trigraph.faces.cli import options as o
from trigraph.faces.cli import render_frontier as render
from trigraph.faces.cli.session import session_of
from trigraph.model.frontier import PAIR, SEEDS, SEEDS_MOST, SET_MOST

_Limit = Annotated[int, typer.Option("--limit", "-n", help="At most so many, up to 500.")]
_Decision = Annotated[
    str | None, typer.Option("--for", help="As things stood just before this decision was made: its id.")
]
_Seeds = Annotated[int, typer.Option("--seeds", help=f"From how many memories is looked, up to {SEEDS_MOST}.")]


def frontier(
    context: typer.Context,
    sets: Annotated[int, typer.Option("--sets", help=f"Of how many memories each, up to {SET_MOST}.")] = PAIR,
    tag: o.Tags = None,
    around: Annotated[
        list[str] | None, typer.Option("--around", help="With this memory: its id. May be given again.")
    ] = None,
    known_at: o.KnownAt = None,
    decision: _Decision = None,
    limit: _Limit = 10,
    seeds: _Seeds = SEEDS,
) -> None:
    """List memories that were never used together and look worth it."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.never_composed(
            limit=limit,
            size=sets,
            tags=tag or (),
            around=around or (),
            known_at=known_at,
            decision=decision,
            seeds=seeds,
        )
    current.show(found, lambda: render.frontier_lines(found))


def bounty(
    context: typer.Context,
    tag: o.Tags = None,
    known_at: o.KnownAt = None,
    decision: _Decision = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many of each list.")] = 5,
    seeds: _Seeds = SEEDS,
) -> None:
    """Show where something may be found, and where it was looked already."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.bounty_mode(limit=limit, tags=tag or (), known_at=known_at, decision=decision, seeds=seeds)
    current.show(found, lambda: render.bounty_lines(found))
