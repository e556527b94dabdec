"""insight, recalls, past-recall, drop-recalls: whether memory pays, and the recalls that say so."""

from __future__ import annotations

from typing import Annotated

import typer

from trigraph.errors import InvalidInput
from trigraph.faces.cli import options as o
from trigraph.faces.cli.render_insight import insight_lines, recalls_lines, record_lines
from trigraph.faces.cli.session import session_of

Since = Annotated[str | None, typer.Option("--since", help="Only recalls made then or later.")]
Until = Annotated[str | None, typer.Option("--until", help="Only recalls made before.")]
Everyone = Annotated[bool, typer.Option("--everyone", help="Of all agents of the project, not of yours alone.")]
OfAgent = Annotated[str | None, typer.Option("--of", help="With --everyone, of this agent alone.")]


def insight(
    context: typer.Context,
    since: Since = None,
    until: Until = None,
    step: Annotated[str, typer.Option("--step", help="How long a point of a series is: day or week.")] = "day",
    panels: Annotated[
        list[str] | None,
        typer.Option(
            "--panel",
            help="Only hit_rate, stale, tokens, agents, top_cited, never_cited, legs or lift; repeat for several.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many memories a list names.")] = 10,
    everyone: Everyone = False,
    of: OfAgent = None,
) -> None:
    """Show whether memory pays: what became of recalls, and what each leg adds. The last 30 days, unless told."""
    _check(everyone, of)
    current = session_of(context)
    asked = o.given(since=since, until=until, step=step, panels=panels, limit=limit)
    with current.memory() as memory:
        found = memory.project_insight(agent=of, **asked) if everyone else memory.insight(**asked)
    current.show(found, lambda: insight_lines(found))


def recalls(
    context: typer.Context,
    since: Since = None,
    until: Until = None,
    session: o.InSession = None,
    query_class: Annotated[str | None, typer.Option("--class", help="Only queries of this class.")] = None,
    outcomes: Annotated[
        list[str] | None, typer.Option("--outcome", help="Only hit, miss, undecided or empty; repeat for several.")
    ] = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option("--cited-as", help="Only those of which a hit got a citation of this kind; repeat for several."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Where the page before ended.")] = None,
    everyone: Everyone = False,
    of: OfAgent = None,
) -> None:
    """List past recalls, the latest first, with what became of them."""
    _check(everyone, of)
    current = session_of(context)
    asked = o.given(
        since=since,
        until=until,
        session=session,
        query_class=query_class,
        outcomes=outcomes,
        kinds=kinds,
        limit=limit,
        cursor=cursor,
    )
    with current.memory() as memory:
        page = memory.project_recalls(agent=of, **asked) if everyone else memory.recalls(**asked)
    current.show(page, lambda: recalls_lines(page))


def past_recall(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="The id of a recall: r_…")],
) -> None:
    """Show a past recall: what was asked, what was shown, what was said of it."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.past_recall(id)
    current.show(found, lambda: record_lines(found))


def drop_recalls(
    context: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; there is no way back.")] = False,
) -> None:
    """Let go of all that is kept of your recalls. There is no way back."""
    if not yes:
        raise InvalidInput("Dropping recalls needs to be confirmed.", field="yes", fix="Add --yes.")
    current = session_of(context)
    with current.memory() as memory:
        dropped = memory.drop_recalls()
    current.show({"dropped": dropped}, lambda: f"dropped {dropped} recalls")


def _check(everyone: bool, of: str | None) -> None:
    if of is not None and not everyone:
        raise InvalidInput("--of names an agent without --everyone.", field="of", fix="Add --everyone.")
