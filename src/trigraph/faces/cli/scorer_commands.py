"""scorer: what citations taught of how hits are ordered."""

from __future__ import annotations

from collections.abc import Callable

import typer

from trigraph.faces.cli.render_scorer import scorer_lines
from trigraph.faces.cli.session import session_of
from trigraph.faces.library import Trigraph
from trigraph.model.scorer import ScorerReport

scorer = typer.Typer(no_args_is_help=True, help="What citations taught of how hits are ordered.")


@scorer.command("report")
def report(context: typer.Context) -> None:
    """Show what was learnt, how it fared on recalls that it was not learnt from, and whether it is used."""
    _show(context, Trigraph.scorer_report)


@scorer.command("train")
def train(context: typer.Context) -> None:
    """Learn from all citations of the project; used from now on if it helps, no longer if it does not."""
    _show(context, Trigraph.scorer_train)


@scorer.command("off")
def off(context: typer.Context) -> None:
    """Order hits by the weights that ship, whatever was learnt."""
    _show(context, Trigraph.scorer_off)


@scorer.command("on")
def on(context: typer.Context) -> None:
    """Let what citations teach be used again; it is trained anew at once."""
    _show(context, Trigraph.scorer_on)


def _show(context: typer.Context, verb: Callable[[Trigraph], ScorerReport]) -> None:
    current = session_of(context)
    with current.memory() as memory:
        found = verb(memory)
    current.show(found, lambda: scorer_lines(found))
