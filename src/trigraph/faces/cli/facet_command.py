"""facets: how memories divide."""

from __future__ import annotations

import typer
from rich.table import Table
from rich.text import Text

from trigraph.faces.cli import options as o
from trigraph.faces.cli.session import session_of
from trigraph.model.facets import Facets


def facets(
    context: typer.Context,
    status: o.WithStatus = None,
    kind: o.Kinds = None,
    type: o.Types = None,
    entity: o.OfEntity = None,
    tag: o.Tags = None,
    domain: o.Domains = None,
    source: o.Sources = None,
    topic: o.OfTopic = None,
    thread: o.OfThread = None,
    session: o.InSession = None,
    author: o.OfAuthor = None,
    first_seq: o.FirstSeq = None,
    last_seq: o.LastSeq = None,
    created_after: o.CreatedAfter = None,
    created_before: o.CreatedBefore = None,
    occurred_after: o.OccurredAfter = None,
    occurred_before: o.OccurredBefore = None,
    visibility: o.OfVisibility = None,
    verified_before: o.VerifiedBefore = None,
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
) -> None:
    """Count memories by kind, status, tag, domain, author, source, visibility and month."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.facets(
            status=status,
            kinds=kind or (),
            types=type or (),
            entity=entity,
            tags=tag or (),
            domains=domain or (),
            sources=source or (),
            topic=topic,
            thread=thread,
            session=session,
            author=author,
            first_seq=first_seq,
            last_seq=last_seq,
            created_after=created_after,
            created_before=created_before,
            occurred_after=occurred_after,
            occurred_before=occurred_before,
            visibility=visibility,
            verified_before=verified_before,
            as_of=as_of,
            known_at=known_at,
        )
    current.show(found, lambda: _table(found))


def _table(found: Facets) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_row(Text("memories", style="dim"), f"{found.total:,}")
    by = {
        "kind": found.by_kind,
        "status": found.by_status,
        "tag": found.by_tag,
        "domain": found.by_domain,
        "author": found.by_author,
        "source": found.by_source,
        "visibility": found.by_visibility,
        "month": found.by_month,
    }
    for name, counts in by.items():
        for value, count in counts.items():
            table.add_row(Text(f"{name} {value}", style="dim"), f"{count:,}")
    return table
