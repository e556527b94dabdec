"""turn, distil, reflect, work, jobs, purge, review, access."""

from __future__ import annotations

import threading
from typing import Annotated

import typer

from trigraph.engine.engine import Worked
from trigraph.faces.cli import exit_codes, render_work
from trigraph.faces.cli import options as o
from trigraph.faces.cli.life_commands import show_changed
from trigraph.faces.cli.memory_commands import show_report
from trigraph.faces.cli.session import Session, read_text, session_of
from trigraph.faces.library import Trigraph
from trigraph.model.job import JobState

Wait = Annotated[bool, typer.Option("--wait", help="Work off the queue in this process until it is done.")]

review = typer.Typer(no_args_is_help=True, help="What was held back, and what may be one thing or two.")


def turn(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="Messages as JSON, or a coding agent's JSONL transcript; - is stdin.")],
    session: o.Session = None,
    whole: Annotated[
        bool | None,
        typer.Option("--whole/--append", help="All of the session so far, or what follows it. Left out, it is seen."),
    ] = None,
    visibility: o.Visible = None,
    group: o.Group = None,
    wait: Wait = False,
    idempotency_key: o.Key = None,
) -> None:
    """Hand over what was said; what is worth keeping of it is found when the queue is worked."""
    current = session_of(context)
    with current.memory() as memory:
        report = memory.turn(
            read_text(file),
            session=session,
            whole=whole,
            visibility=visibility,
            group=group,
            idempotency_key=idempotency_key,
        )
        if wait:
            _work(current, memory)
        left = [id_ for id_ in report.jobs if wait and memory.job(id_).state is not JobState.DONE]
    show_report(current, report)
    if report.jobs and not current.as_json:
        current.say(f"{len(report.jobs)} turn{'s' * (len(report.jobs) > 1)} {'worked off' if wait else 'queued'}")
    if left:
        current.say(f"{len(left)} not done: `trigraph jobs` says why")
        raise typer.Exit(exit_codes.DEGRADED)


def distil(
    context: typer.Context,
    session: Annotated[str, typer.Argument(help="The session's id.")],
    wait: Wait = False,
    idempotency_key: o.Key = None,
) -> None:
    """Find what is worth keeping of a whole session, and leave a summary."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.distil(session, idempotency_key=idempotency_key)
        _show_job(current, memory, changed.id, wait=wait)


def reflect(
    context: typer.Context,
    days: Annotated[int, typer.Option(help="How far to look back.")] = 90,
    wait: Wait = False,
    idempotency_key: o.Key = None,
) -> None:
    """Find what recurs over sessions: repeated corrections, recurring problems, changed preferences."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.reflect(days=days, idempotency_key=idempotency_key)
        _show_job(current, memory, changed.id, wait=wait)


def work(
    context: typer.Context,
    watch: Annotated[bool, typer.Option("--watch", help="Go on until interrupted, in every project.")] = False,
) -> None:
    """Work off the queue; with --watch, go on and queue what is due of itself. What hooks left is taken in."""
    from trigraph.faces.local.serving import answering
    from trigraph.faces.local.taking_in import take_in

    current = session_of(context)
    home = current.loaded.settings.home_folder()
    with current.memory() as memory:
        if watch:
            current.say("working off the queue; Ctrl-C stops it")
            with answering(memory, home, works=True):
                _watch(memory)
            return
        take_in(memory, home)
        worked = _work(current, memory)
        if take_in(memory, home):  # a session that is over is wrapped once its turns were read
            worked += _work(current, memory)
    current.show(worked, lambda: render_work.worked_line(worked))


def jobs(
    context: typer.Context,
    state: Annotated[list[str] | None, typer.Option("--state", help="waiting, running, done, dead.")] = None,
    limit: Annotated[int, typer.Option(help="How many.")] = 50,
    retry: Annotated[str | None, typer.Option("--retry", help="Try this dead job again.")] = None,
) -> None:
    """Show work that was queued, the latest first; dead jobs failed too often."""
    current = session_of(context)
    with current.memory() as memory:
        found = [memory.retry(retry)] if retry is not None else memory.jobs(states=state or (), limit=limit)
    current.show(found, lambda: render_work.job_table(found))


def purge(
    context: typer.Context,
    source: Annotated[str, typer.Option("--source", help="web, tool_output, turn, import, …")],
    since: Annotated[str | None, typer.Option(help="Only what was written then or later.")] = None,
    uri: Annotated[str | None, typer.Option(help="Only what was read there.")] = None,
    session: Annotated[str | None, typer.Option(help="Only what came from this session.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do it, not only show it.")] = False,
    reason: o.Reason = None,
    idempotency_key: o.Key = None,
) -> None:
    """Forget all that came from a source, and all that was derived from it. Without --yes it only shows what."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.purge(
            source,
            since=since,
            uri=uri,
            session=session,
            dry_run=not yes,
            reason=reason,
            idempotency_key=idempotency_key,
        )
    if changed.preview and not current.as_json:
        current.out.print(f"{len(changed.ids)} would be forgotten: {changed.note}; --yes does it", soft_wrap=True)
        return
    show_changed(current, changed)


@review.command("list")
def review_list(context: typer.Context, limit: Annotated[int, typer.Option(help="How many.")] = 50) -> None:
    """Show what is in quarantine, and for what."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.held_back(limit=limit)
    current.show(found, lambda: render_work.held_back_lines(found))


@review.command("accept")
def review_accept(
    context: typer.Context, id: o.MemoryId, reason: o.Reason = None, idempotency_key: o.Key = None
) -> None:
    """Let a quarantined memory in."""
    _review(context, id, reason, idempotency_key, accept=True)


@review.command("reject")
def review_reject(
    context: typer.Context, id: o.MemoryId, reason: o.Reason = None, idempotency_key: o.Key = None
) -> None:
    """Forget a quarantined memory."""
    _review(context, id, reason, idempotency_key, accept=False)


def access(context: typer.Context, id: o.MemoryId) -> None:
    """When your recalls showed a memory, what you did with it, and when it was said again."""
    current = session_of(context)
    with current.memory() as memory:
        log = memory.access(id)
    current.show(log, lambda: render_work.access_lines(log))


def _review(context: typer.Context, id: str, reason: str | None, key: str | None, *, accept: bool) -> None:
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.review(id, accept=accept, reason=reason, idempotency_key=key)
    show_changed(current, changed)


def _show_job(current: Session, memory: Trigraph, job_id: str, *, wait: bool) -> None:
    if wait:
        _work(current, memory)
    job = memory.job(job_id)
    current.show(job, lambda: render_work.job_lines(job))
    if job.state is JobState.DEAD or (wait and job.state is not JobState.DONE):
        raise typer.Exit(exit_codes.DEGRADED)


def _work(current: Session, memory: Trigraph) -> Worked:
    with current.progress("working", None) as done:
        return memory.work(progress=lambda job: done(1))


def _watch(memory: Trigraph) -> None:
    stop = threading.Event()
    try:
        memory.work_on(stop)
    except KeyboardInterrupt:
        stop.set()
