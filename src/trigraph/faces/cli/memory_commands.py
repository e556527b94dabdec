"""remember, recall, get, list."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from trigraph.errors import BrokenFile, InvalidInput, NotFound, invalid_choice
from trigraph.faces import wire
from trigraph.faces.cli import exit_codes, render
from trigraph.faces.cli import options as o
from trigraph.faces.cli.session import Session, read_text, session_of
from trigraph.faces.local.borrowing import Borrowing
from trigraph.model.query import CONSTRAINT_TOKENS
from trigraph.model.report import ItemStatus, RememberReport

_THREAD_OPTIONS = ("visibility", "group", "source", "session")


def remember(
    context: typer.Context,
    text: Annotated[str | None, typer.Argument(help="What to remember; - reads it from stdin.")] = None,
    kind: Annotated[str | None, typer.Option(help="fact (the default), decision, preference, …")] = None,
    subject: Annotated[str | None, typer.Option(help="The thing that it is about, by name.")] = None,
    type: Annotated[str | None, typer.Option(help="What sort of thing that is: person, tool, skill, …")] = None,
    topic: o.Topic = None,
    tag: o.Tag = None,
    domain: o.Domain = None,
    visibility: o.Visible = None,
    group: o.Group = None,
    source: o.Source = None,
    session: o.Session = None,
    turn: o.Turn = None,
    uri: o.Uri = None,
    occurred_at: o.OccurredAt = None,
    valid_from: o.ValidFrom = None,
    valid_until: Annotated[str | None, typer.Option(help="Until when it holds.")] = None,
    confidence: o.Confidence = None,
    pinned: Annotated[bool, typer.Option("--pinned", help="Always worth showing.")] = False,
    reasoning: o.Reasoning = None,
    result: Annotated[str | None, typer.Option(help="SUCCESS, FAILED or PARTIAL, of an outcome.")] = None,
    reason: Annotated[str | None, typer.Option(help="Why it turned out so, of an outcome.")] = None,
    file: Annotated[str | None, typer.Option(help="Many memories: JSON Lines, one object a line; - is stdin.")] = None,
    thread: Annotated[str | None, typer.Option(help="A conversation: a JSON file with messages; - is stdin.")] = None,
    idempotency_key: o.Key = None,
) -> None:
    """Keep a memory, many memories, or a whole conversation.

    With --file the options are what an item has unless it says otherwise; with --thread likewise --visibility,
    --group, --source and --session.
    """
    current = session_of(context)
    fields: dict[str, Any] = {
        "kind": kind,
        "subject": subject,
        "type": type,
        "group": group,
        "topic": topic,
        "tags": tag,
        "domains": domain,
        "visibility": visibility,
        "source": source,
        "session": session,
        "turn": turn,
        "uri": uri,
        "occurred_at": occurred_at,
        "valid_from": valid_from,
        "valid_until": valid_until,
        "confidence": confidence,
        "pinned": pinned or None,
        "reasoning": reasoning,
        "result": result,
        "reason": reason,
    }
    given = {name: value for name, value in fields.items() if value is not None}
    if sum(one is not None for one in (text, file, thread)) != 1:
        raise InvalidInput(
            "Give exactly one of: a text, --file, --thread.", field="text", fix='For example: trigraph remember "…".'
        )
    if file is not None:
        if idempotency_key is not None:
            raise InvalidInput(
                "A file has many items, each its own write.",
                field="idempotency_key",
                fix="Leave it out: what is there already is a duplicate.",
            )
        report = _remember_file(current, file, given)
    elif thread is not None:
        report = _remember_thread(current, thread, given, idempotency_key)
    else:
        with current.memory() as memory:
            report = memory.remember(current.text(str(text)), idempotency_key=idempotency_key, **given)
    show_report(current, report)


def recall(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="The question; - reads it from stdin.")],
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many hits.")] = 10,
    budget_tokens: Annotated[int | None, typer.Option(help="At most so many tokens of text.")] = None,
    constraint_tokens: Annotated[
        int, typer.Option(help="At most so many tokens of constraints, above the hits; 0 for none.")
    ] = CONSTRAINT_TOKENS,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the plan, the legs and why each hit is there.")
    ] = False,
    profile: Annotated[
        str | None, typer.Option(help="default, plain, equal, graph-first, fast, confident, or a plain arm.")
    ] = None,
    fusion: Annotated[str | None, typer.Option(help="score, rrf or learned.")] = None,
    kind: o.Kinds = None,
    type: o.Types = None,
    entity: o.OfEntity = None,
    tag: o.Tags = None,
    domain: Annotated[
        list[str] | None,
        typer.Option("--domain", help="Of this domain or of none, in place of your own domains; repeat for several."),
    ] = None,
    all_domains: Annotated[bool, typer.Option("--all-domains", help="Of whatever domain.")] = False,
    source: o.Sources = None,
    topic: o.OfTopic = None,
    thread: o.OfThread = None,
    session: Annotated[str | None, typer.Option("--session", help="Your id for the agent's run.")] = None,
    author: o.OfAuthor = None,
    first_seq: o.FirstSeq = None,
    last_seq: o.LastSeq = None,
    created_after: o.CreatedAfter = None,
    created_before: o.CreatedBefore = None,
    occurred_after: o.OccurredAfter = None,
    occurred_before: o.OccurredBefore = None,
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
    superseded: Annotated[
        bool | None,
        typer.Option("--superseded/--no-superseded", help="With what was replaced, or without."),
    ] = None,
    expand: Annotated[
        bool, typer.Option("--expand/--no-expand", help="With what the best hits are linked to, below them.")
    ] = True,
    no_rerank: Annotated[
        bool, typer.Option("--no-rerank", help="Without the re-ranker, if one is configured.")
    ] = False,
    neighbours: Annotated[
        int, typer.Option(help="With so many messages, or pieces of text, before and after each hit: 0 to 3.")
    ] = 0,
    threads: Annotated[
        int, typer.Option(help="With so many of the threads that most likely hold the answer: 0 to 50.")
    ] = 0,
    in_context: Annotated[
        str | None, typer.Option("--context", help="What is being talked about: the last messages, or a summary.")
    ] = None,
    in_thread: Annotated[
        str | None, typer.Option("--in-thread", help="The thread in which it is asked: its name or id.")
    ] = None,
    exit_status: Annotated[bool, typer.Option("--exit-status", help="Exit with 3 when nothing is found.")] = False,
) -> None:
    """Answer a question from memory."""
    current = session_of(context)
    with current.memory(Borrowing(current.loaded.settings.home_folder())) as memory:
        answer = memory.recall(
            current.text(query).strip(),
            limit=limit,
            budget_tokens=budget_tokens,
            constraint_tokens=constraint_tokens,
            profile=profile,
            fusion=fusion,
            explain=explain,
            superseded=superseded,
            expand=expand,
            rerank=not no_rerank,
            all_domains=all_domains,
            context=in_context,
            in_thread=in_thread,
            neighbours=neighbours,
            threads=threads,
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
            as_of=as_of,
            known_at=known_at,
        )
    if current.as_json:
        current.print_json(answer)
    else:
        render.print_recall(current.out, answer, explain=explain)
        for line in render.missing_lines(answer):
            current.say(line)
    if exit_status and not answer.hits:
        raise typer.Exit(exit_codes.NOT_FOUND)


def recall_event(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="The id of a recall: r_…")],
) -> None:
    """Show what telemetry kept of a recall, as JSON."""
    current = session_of(context)
    with current.memory() as memory:
        event = memory.recall_event(id)
    if event is None:
        raise NotFound(f"There is no recall {id[:80]!r} of yours.", fix="Every answer of recall carries its id.")
    current.print_json(event)


def get(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="An id, or its last 8 characters or more.")],
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
) -> None:
    """Show one memory, whole."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.get(id, as_of=as_of, known_at=known_at)
    current.show(found, lambda: render.memory_lines(found))


def list_(
    context: typer.Context,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Where the page before ended.")] = None,
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
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
    exit_status: Annotated[bool, typer.Option("--exit-status", help="Exit with 3 when nothing is found.")] = False,
) -> None:
    """List memories, newest first."""
    current = session_of(context)
    with current.memory() as memory:
        page = memory.list(
            limit=limit,
            cursor=cursor,
            kinds=kind or (),
            types=type or (),
            entity=entity,
            status=status,
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
            as_of=as_of,
            known_at=known_at,
        )
    if current.as_json:
        current.print_json(page)
    else:
        if current.out.is_terminal:
            current.out.print(*render.page_lines(page, current.out.width), sep="\n", no_wrap=True)
        elif page.memories:
            current.write(render.page_rows(page))
        if page.next_cursor:
            current.say(f"more: --cursor {page.next_cursor}")
    if exit_status and not page.memories:
        raise typer.Exit(exit_codes.NOT_FOUND)


def _remember_file(current: Session, name: str, defaults: dict[str, Any]) -> RememberReport:
    items = [_with_defaults(item, defaults) for item in wire.read_json_lines(read_text(name), name)]
    with current.memory() as memory, current.progress("remembering", len(items)) as done:
        return memory.remember_batch(items, progress=done)  # type: ignore[arg-type]


def _with_defaults(item: object, defaults: dict[str, Any]) -> object:
    if isinstance(item, str):
        return {**defaults, "text": item}
    return {**defaults, **item} if isinstance(item, dict) else item


def _remember_thread(current: Session, name: str, defaults: dict[str, Any], key: str | None) -> RememberReport:
    for option in defaults:
        if option not in _THREAD_OPTIONS:
            raise invalid_choice("option with --thread", option, _THREAD_OPTIONS)
    values = wire.read_json(read_text(name), name)
    if isinstance(values, list):
        values = {"messages": values}
    if not isinstance(values, dict):
        raise BrokenFile(f"{name} holds no thread.", field="thread", fix='Write {"messages": [{"text": "…"}]}.')
    values = {**defaults, **values}
    messages = values.get("messages")
    total = len(messages) if isinstance(messages, list) else None
    with current.memory() as memory, current.progress("remembering", total) as done:
        return memory.engine.remember_thread(memory.scope, wire.thread_draft(values), done, key)


def show_report(current: Session, report: RememberReport) -> None:
    """What became of each item; exits with what went wrong."""
    current.show(report, lambda: render.report_lines(report))
    if report.degraded:
        current.say(f"stored without a vector: {report.degraded}")
    failed = next((item for item in report.items if item.status is ItemStatus.ERROR), None)
    if failed is not None:
        raise typer.Exit(exit_codes.of_item(failed.code))
    if report.count(ItemStatus.CONFLICT):
        raise typer.Exit(exit_codes.CONFLICT)
