"""init, stats, health, reembed, serve, config, completion."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from trigraph.assembly import start_logs
from trigraph.errors import invalid_choice
from trigraph.faces.cli import exit_codes, render, render_work
from trigraph.faces.cli.session import session_of
from trigraph.settings import flat

SHELLS = ("bash", "zsh", "fish", "powershell")

config = typer.Typer(no_args_is_help=True, help="Settings and where they come from.")


def init(context: typer.Context) -> None:
    """Make the store, if it is not there yet, and check that everything works."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.health()
    current.show(found, lambda: render.health_lines(found))


def stats(context: typer.Context) -> None:
    """Count what is stored."""
    current = session_of(context)
    with current.memory() as memory:
        counted = memory.stats()
    current.show(counted, lambda: render.stats_table(counted))


def health(context: typer.Context) -> None:
    """Say what works and what mends the rest; exits with 1 when something is degraded."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.health()
    current.show(found, lambda: render.health_lines(found))
    if not found.ok:
        raise typer.Exit(exit_codes.DEGRADED)


def reembed(
    context: typer.Context,
    all_: Annotated[bool, typer.Option("--all", help="Make every vector anew, not only the missing ones.")] = False,
) -> None:
    """Make missing vectors, and change the store over to the configured model. Can be interrupted."""
    current = session_of(context)
    with current.memory() as memory:
        counted = memory.stats()
        with current.progress("embedding", counted.passages if all_ else None) as done:
            made = memory.reembed(anew=all_, progress=done)
    current.show({"vectors_made": made}, lambda: f"{made:,} vectors made")


def calibrate(context: typer.Context) -> None:
    """Measure which cosines mean something with the configured model, for the settings below compare."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.calibrate()
    current.show(found, lambda: render_work.calibration_lines(found))


def serve(
    context: typer.Context,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; one that others reach needs --require-token.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    toolset: Annotated[str, typer.Option(help="The tools at /mcp: core, full or compat.")] = "core",
    require_token: Annotated[
        bool, typer.Option("--require-token", help="Answer only those who come with a token.")
    ] = False,
) -> None:
    """Serve the HTTP API, /mcp and the pages. To other machines only with --require-token."""
    current = session_of(context)
    from trigraph.faces.http.server import serve_forever
    from trigraph.faces.local.serving import answering

    settings = current.loaded.settings
    start_logs(settings.log)
    address = (host or settings.server.host, settings.server.port if port is None else port)
    with current.memory() as memory, answering(memory, settings.home_folder(), works=True):
        asked = replace(settings.server, require_token=require_token or settings.server.require_token)
        serve_forever(memory, *address, announce=current.say, settings=asked, toolset=toolset)


@config.command("show")
def config_show(
    context: typer.Context,
    origin: Annotated[bool, typer.Option("--origin", help="Show where each value comes from.")] = False,
) -> None:
    """Print every setting."""
    current = session_of(context)
    values = dict(flat(current.loaded.settings))
    values["home"] = str(current.loaded.settings.home_folder())
    origins = {name: current.loaded.origins.get(name, "default") for name in values}
    if current.as_json:
        shown = {name: {"value": value, "origin": origins[name]} for name, value in values.items()}
        current.print_json(shown if origin else values)
        return
    table = Table.grid(padding=(0, 2))
    for name, value in values.items():
        table.add_row(Text(name, style="dim"), Text(str(value)), Text(origins[name] if origin else "", style="dim"))
    current.out.print(table)


def completion(
    context: typer.Context,
    shell: Annotated[str, typer.Argument(help=", ".join(SHELLS))],
) -> None:
    """Print the completion script of a shell."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    if shell not in SHELLS:
        raise invalid_choice("shell", shell, SHELLS)
    script = get_completion_script(prog_name="trigraph", complete_var="_TRIGRAPH_COMPLETE", shell=shell)
    session_of(context).write(script)
