"""The `trigraph` command: global options, the table of commands, errors and exit codes."""

from __future__ import annotations

import io
import json
import sys
from itertools import islice
from typing import Annotated

import typer
from typer.completion import completion_init  # type: ignore[attr-defined]

import trigraph.errors as errors
from trigraph.assembly import product_version
from trigraph.faces import wire
from trigraph.faces.cli import (
    admin_commands,
    bench_commands,
    decision_commands,
    document_commands,
    exit_codes,
    graph_commands,
    life_commands,
    mcp_command,
    memory_commands,
    pipeline_commands,
    sameness_commands,
    scorer_commands,
    setup_command,
    system_commands,
    tail_command,
    transfer_commands,
)
from trigraph.faces.cli.session import Session
from trigraph.settings import load_settings

_GLOBAL_FLAGS = {"--json", "--no-color", "--debug", "--quiet", "-q"}
_GLOBAL_VALUES = {"--home"}

app = typer.Typer(
    name="trigraph",
    help="Memory for AI agents: remember, recall, and know how far to trust it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("remember")(memory_commands.remember)
app.command("recall")(memory_commands.recall)
app.command("recall-event")(memory_commands.recall_event)
app.command("get")(memory_commands.get)
app.command("list")(memory_commands.list_)
app.command("correct")(life_commands.correct)
app.command("supersede")(life_commands.supersede)
app.command("forget")(life_commands.forget)
app.command("restore")(life_commands.restore)
app.command("archive")(life_commands.archive)
app.command("reverify")(life_commands.reverify)
app.command("share")(life_commands.share)
app.command("erase")(life_commands.erase)
app.command("history")(life_commands.history)
app.command("decide")(decision_commands.decide)
app.command("checkpoint")(decision_commands.checkpoint)
app.command("evolve")(decision_commands.evolve)
app.command("wrap")(decision_commands.wrap)
app.add_typer(graph_commands.entity, name="entity")
app.add_typer(graph_commands.persona, name="persona")
app.command("rename")(graph_commands.rename)
app.command("alias")(graph_commands.alias)
app.command("link")(graph_commands.link)
app.command("unlink")(graph_commands.unlink)
app.command("vote")(graph_commands.vote)
app.command("cite")(graph_commands.cite)
app.add_typer(document_commands.docs, name="docs")
app.command("relations")(document_commands.relations)
app.add_typer(document_commands.trace, name="trace")
app.command("audit")(document_commands.audit)
app.command("prune")(document_commands.prune)
app.command("turn")(pipeline_commands.turn)
app.command("distil")(pipeline_commands.distil)
app.command("reflect")(pipeline_commands.reflect)
app.command("work")(pipeline_commands.work)
app.command("jobs")(pipeline_commands.jobs)
app.command("purge")(pipeline_commands.purge)
app.add_typer(pipeline_commands.review, name="review")
app.command("resolve")(sameness_commands.resolve)
app.command("merge")(sameness_commands.merge)
app.command("split")(sameness_commands.split)
app.command("undo")(sameness_commands.undo)
app.add_typer(scorer_commands.scorer, name="scorer")
app.command("access")(pipeline_commands.access)
app.command("tail")(tail_command.tail)
app.command("export")(transfer_commands.export)
app.command("import")(transfer_commands.import_)
app.add_typer(admin_commands.admin, name="admin")
app.command("init")(system_commands.init)
app.command("setup")(setup_command.setup)
app.command("stats")(system_commands.stats)
app.command("health")(system_commands.health)
app.command("reembed")(system_commands.reembed)
app.command("calibrate")(system_commands.calibrate)
app.command("serve")(system_commands.serve)
app.command("mcp")(mcp_command.mcp)
app.command("completion")(system_commands.completion)
app.add_typer(system_commands.config, name="config")
app.add_typer(bench_commands.bench, name="bench")


def _show_version(wanted: bool) -> None:
    if wanted:
        import apsw

        typer.echo(f"trigraph {product_version()} (SQLite {apsw.sqlite_lib_version()}, apsw {apsw.apsw_version()})")
        raise typer.Exit


@app.callback()
def everywhere(
    context: typer.Context,
    home: Annotated[str | None, typer.Option(help="Folder of the store.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No messages on stderr.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show versions and exit.")
    ] = False,
) -> None:
    """These options work before and after any command."""
    if home == "":
        raise errors.ConfigError("--home is empty.", fix="Give a folder, or leave it out.")
    context.obj = Session(load_settings({"home": home}), as_json, quiet, no_color)


def main(arguments: list[str] | None = None) -> None:
    """Run the command and exit. Errors say what happened, why, and what to do."""
    given = _global_first(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    completion_init()
    try:
        app(args=given, prog_name="trigraph")
    except errors.TrigraphError as error:
        if "--debug" in given:
            raise
        _report(error, as_json="--json" in given)
        sys.exit(exit_codes.of_error(error))


def _report(error: errors.TrigraphError, *, as_json: bool) -> None:
    if as_json:
        sys.stderr.write(json.dumps({"error": wire.error_json(error)}, ensure_ascii=False) + "\n")
    else:
        sys.stderr.write(f"error: {error}\n")


def _global_first(arguments: list[str]) -> list[str]:
    """Options that belong to every command, moved before it; nothing after `--` is touched."""
    stop = arguments.index("--") if "--" in arguments else len(arguments)
    first: list[str] = []
    rest: list[str] = []
    remaining = iter(arguments[:stop])
    for argument in remaining:
        if argument in _GLOBAL_FLAGS or argument.split("=")[0] in _GLOBAL_VALUES:
            first.append(argument)
            if argument in _GLOBAL_VALUES:
                first.extend(islice(remaining, 1))
        else:
            rest.append(argument)
    return first + rest + arguments[stop:]
