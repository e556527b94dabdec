"""remember, recall, get, list."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from trigraph.errors import BrokenFile, InvalidInput, NotFound, invalid_choice
from trigraph.faces import wire
from trigraph.faces.cli import exit_codes, render
from trigraph.faces.cli.session import Session, session_of
from trigraph.model.report import ItemStatus, RememberReport

_THREAD_OPTIONS = ("visibility", "source", "session")

_Kinds = Annotated[list[str] | None, typer.Option("--kind", help="Only this kind; repeat for several.")]
_Tags = Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag; repeat for several.")]
_Sources = Annotated[list[str] | None, typer.Option("--source", help="Only from this source.")]
_Topic = Annotated[str | None, typer.Option("--topic", help="Only of this topic.")]
_Thread = Annotated[str | None, typer.Option("--thread", help="Only of this thread: its name or id.")]
_Author = Annotated[str | None, typer.Option("--author", help="Only what this agent wrote.")]
_CreatedAfter = Annotated[str | None, typer.Option("--created-after", help="Only what was learned then or later.")]
_CreatedBefore = Annotated[str | None, typer.Option("--created-before", help="Only what was learned before.")]
_FirstSeq = Annotated[int | None, typer.Option("--first-seq", help="Only from this place in its thread on.")]
_LastSeq = Annotated[int | None, typer.Option("--last-seq", help="Only up to this place in its thread.")]
_InSession = Annotated[str | None, typer.Option("--session", help="Only of this session.")]
_After = Annotated[str | None, typer.Option("--occurred-after", help="Only what happened then or later.")]
_Before = Annotated[str | None, typer.Option("--occurred-before", help="Only what happened before.")]
_AsOf = Annotated[str | None, typer.Option("--as-of", help="What was true at this time.")]
_KnownAt = Annotated[str | None, typer.Option("--known-at", help="What was known at this time.")]


def remember(
    context: typer.Context,
    text: Annotated[str | None, typer.Argument(help="What to remember; - reads it from stdin.")] = None,
    kind: Annotated[str | None, typer.Option(help="fact (the default), decision, preference, …")] = None,
    topic: Annotated[str | None, typer.Option(help="What it is about, in a few words.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; repeat for several.")] = None,
    domain: Annotated[list[str] | None, typer.Option(help="A subject area; repeat for several.")] = None,
    visibility: Annotated[str | None, typer.Option(help="private, or shared (the default).")] = None,
    source: Annotated[str | None, typer.Option(help="user (the default), agent, document, web, …")] = None,
    session: Annotated[str | None, typer.Option(help="Your id for the agent's run.")] = None,
    turn: Annotated[str | None, typer.Option(help="Your id for the turn it was said in.")] = None,
    uri: Annotated[str | None, typer.Option(help="Where it was read.")] = None,
    occurred_at: Annotated[str | None, typer.Option(help="When it happened, e.g. 2026-03-14T09:12:00Z.")] = None,
    valid_from: Annotated[str | None, typer.Option(help="From when it holds.")] = None,
    valid_until: Annotated[str | None, typer.Option(help="Until when it holds.")] = None,
    confidence: Annotated[float | None, typer.Option(help="From 0 to 1.")] = None,
    pinned: Annotated[bool, typer.Option("--pinned", help="Always worth showing.")] = False,
    reasoning: Annotated[str | None, typer.Option(help="Why, of a decision.")] = None,
    result: Annotated[str | None, typer.Option(help="SUCCESS, FAILED or PARTIAL, of an outcome.")] = None,
    reason: Annotated[str | None, typer.Option(help="Why it turned out so, of an outcome.")] = None,
    file: Annotated[str | None, typer.Option(help="Many memories: JSON Lines, one object a line; - is stdin.")] = None,
    thread: Annotated[str | None, typer.Option(help="A conversation: a JSON file with messages; - is stdin.")] = None,
) -> None:
    """Keep a memory, many memories, or a whole conversation.

    With --file the options are what an item has unless it says otherwise; with --thread likewise --visibility,
    --source and --session.
    """
    current = session_of(context)
    fields: dict[str, Any] = {
        "kind": kind,
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
        report = _remember_file(current, file, given)
    elif thread is not None:
        report = _remember_thread(current, thread, given)
    else:
        with current.memory() as memory:
            report = memory.remember(_read("-") if text == "-" else str(text), **given)
    _show_report(current, report)


def recall(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="The question; - reads it from stdin.")],
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many hits.")] = 10,
    budget_tokens: Annotated[int | None, typer.Option(help="At most so many tokens of text.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the plan, the legs and why each hit is there.")
    ] = False,
    profile: Annotated[str | None, typer.Option(help="default, lexical, vector or rrf.")] = None,
    fusion: Annotated[str | None, typer.Option(help="score or rrf.")] = None,
    kind: _Kinds = None,
    tag: _Tags = None,
    source: _Sources = None,
    topic: _Topic = None,
    thread: _Thread = None,
    session: Annotated[str | None, typer.Option("--session", help="Your id for the agent's run.")] = None,
    author: _Author = None,
    first_seq: _FirstSeq = None,
    last_seq: _LastSeq = None,
    created_after: _CreatedAfter = None,
    created_before: _CreatedBefore = None,
    occurred_after: _After = None,
    occurred_before: _Before = None,
    as_of: _AsOf = None,
    known_at: _KnownAt = None,
    exit_status: Annotated[bool, typer.Option("--exit-status", help="Exit with 3 when nothing is found.")] = False,
) -> None:
    """Answer a question from memory."""
    current = session_of(context)
    with current.memory() as memory:
        answer = memory.recall(
            _read("-").strip() if query == "-" else query,
            limit=limit,
            budget_tokens=budget_tokens,
            profile=profile,
            fusion=fusion,
            kinds=kind or (),
            tags=tag or (),
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
        for leg in answer.legs:
            if leg.status.degraded:
                current.say(f"{leg.leg} leg {leg.status}: {leg.reason}")
        if answer.left_out:
            current.say(f"{answer.left_out} more fell to the token budget; raise --budget-tokens")
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
    as_of: _AsOf = None,
    known_at: _KnownAt = None,
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
    kind: _Kinds = None,
    tag: _Tags = None,
    source: _Sources = None,
    topic: _Topic = None,
    thread: _Thread = None,
    session: _InSession = None,
    author: _Author = None,
    first_seq: _FirstSeq = None,
    last_seq: _LastSeq = None,
    created_after: _CreatedAfter = None,
    created_before: _CreatedBefore = None,
    occurred_after: _After = None,
    occurred_before: _Before = None,
    as_of: _AsOf = None,
    known_at: _KnownAt = None,
    exit_status: Annotated[bool, typer.Option("--exit-status", help="Exit with 3 when nothing is found.")] = False,
) -> None:
    """List memories, newest first."""
    current = session_of(context)
    with current.memory() as memory:
        page = memory.list(
            limit=limit,
            cursor=cursor,
            kinds=kind or (),
            tags=tag or (),
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
    items = [_with_defaults(item, defaults) for item in wire.read_json_lines(_read(name), name)]
    with current.memory() as memory, current.progress("remembering", len(items)) as done:
        return memory.remember_batch(items, progress=done)  # type: ignore[arg-type]


def _with_defaults(item: object, defaults: dict[str, Any]) -> object:
    if isinstance(item, str):
        return {**defaults, "text": item}
    return {**defaults, **item} if isinstance(item, dict) else item


def _remember_thread(current: Session, name: str, defaults: dict[str, Any]) -> RememberReport:
    for option in defaults:
        if option not in _THREAD_OPTIONS:
            raise invalid_choice("option with --thread", option, _THREAD_OPTIONS)
    values = wire.read_json(_read(name), name)
    if isinstance(values, list):
        values = {"messages": values}
    if not isinstance(values, dict):
        raise BrokenFile(f"{name} holds no thread.", field="thread", fix='Write {"messages": [{"text": "…"}]}.')
    values = {**defaults, **values}
    messages = values.get("messages")
    total = len(messages) if isinstance(messages, list) else None
    with current.memory() as memory, current.progress("remembering", total) as done:
        return memory.engine.remember_thread(memory.scope, wire.thread_draft(values), done)


def _show_report(current: Session, report: RememberReport) -> None:
    current.show(report, lambda: render.report_lines(report))
    if report.degraded:
        current.say(f"stored without a vector: {report.degraded}")
    failed = next((item for item in report.items if item.status is ItemStatus.ERROR), None)
    if failed is not None:
        raise typer.Exit(exit_codes.of_item(failed.code))
    if report.count(ItemStatus.CONFLICT):
        raise typer.Exit(exit_codes.CONFLICT)


def _read(name: str) -> str:
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
