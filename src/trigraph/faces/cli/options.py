"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

Kinds = Annotated[list[str] | None, typer.Option("--kind", help="Only this kind; repeat for several.")]
Types = Annotated[list[str] | None, typer.Option("--type", help="Only about things of this type; repeat for several.")]
OfEntity = Annotated[str | None, typer.Option("--entity", help="Only what speaks of this entity: its name or id.")]
WithStatus = Annotated[str | None, typer.Option("--status", help="active (the default), archived, forgotten, …")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag; repeat for several.")]
Domains = Annotated[list[str] | None, typer.Option("--domain", help="Only of this domain; repeat for several.")]
Sources = Annotated[list[str] | None, typer.Option("--source", help="Only from this source.")]
OfTopic = Annotated[str | None, typer.Option("--topic", help="Only of this topic.")]
OfThread = Annotated[str | None, typer.Option("--thread", help="Only of this thread: its name or id.")]
OfAuthor = Annotated[str | None, typer.Option("--author", help="Only what this agent wrote.")]
CreatedAfter = Annotated[str | None, typer.Option("--created-after", help="Only what was learned then or later.")]
CreatedBefore = Annotated[str | None, typer.Option("--created-before", help="Only what was learned before.")]
FirstSeq = Annotated[int | None, typer.Option("--first-seq", help="Only from this place in its thread on.")]
LastSeq = Annotated[int | None, typer.Option("--last-seq", help="Only up to this place in its thread.")]
InSession = Annotated[str | None, typer.Option("--session", help="Only of this session.")]
OccurredAfter = Annotated[str | None, typer.Option("--occurred-after", help="Only what happened then or later.")]
OccurredBefore = Annotated[str | None, typer.Option("--occurred-before", help="Only what happened before.")]
OfVisibility = Annotated[str | None, typer.Option("--visibility", help="Only private, group or shared ones.")]
VerifiedBefore = Annotated[
    str | None, typer.Option("--verified-before", help="Only what was last verified, or else written, before.")
]
AsOf = Annotated[str | None, typer.Option("--as-of", help="What was true at this time.")]
KnownAt = Annotated[str | None, typer.Option("--known-at", help="What was known at this time.")]

MemoryId = Annotated[str, typer.Argument(help="An id, or its last 8 characters or more.")]
MemoryIds = Annotated[list[str], typer.Argument(help="Ids, or their last 8 characters or more: all or none.")]
EntityName = Annotated[str, typer.Argument(help="A name, an alias, or an id.")]
Text = Annotated[str, typer.Argument(help="The text; - reads it from stdin.")]
Topic = Annotated[str | None, typer.Option("--topic", help="What it is about, in a few words.")]
Tag = Annotated[list[str] | None, typer.Option("--tag", help="A tag; repeat for several.")]
Domain = Annotated[list[str] | None, typer.Option("--domain", help="A subject area; repeat for several.")]
Visible = Annotated[str | None, typer.Option("--visibility", help="private, group, or shared (the default).")]
Group = Annotated[str | None, typer.Option("--group", help="The group that may see it.")]
Source = Annotated[str | None, typer.Option("--source", help="user (the default), agent, document, web, …")]
Session = Annotated[str | None, typer.Option("--session", help="Your id for the agent's run.")]
Turn = Annotated[str | None, typer.Option("--turn", help="Your id for the turn it was said in.")]
Uri = Annotated[str | None, typer.Option("--uri", help="Where it was read.")]
OccurredAt = Annotated[str | None, typer.Option("--occurred-at", help="When it happened, e.g. 2026-03-14T09:12:00Z.")]
ValidFrom = Annotated[str | None, typer.Option("--valid-from", help="From when it holds.")]
Confidence = Annotated[float | None, typer.Option("--confidence", help="From 0 to 1.")]
Reasoning = Annotated[str | None, typer.Option("--reasoning", help="Why, of a decision.")]
Reason = Annotated[str | None, typer.Option("--reason", help="Why.")]
Key = Annotated[
    str | None,
    typer.Option("--idempotency-key", help="Your own name for this call: sent again under it, it is done once."),
]


def given(**values: object) -> dict[str, Any]:
    """Those that were given."""
    return {name: value for name, value in values.items() if value is not None}
