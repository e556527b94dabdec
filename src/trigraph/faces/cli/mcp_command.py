"""mcp: memory as tools of an agent, over stdin and stdout."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from trigraph.assembly import flush_spans, start_logs
from trigraph.faces.cli.session import session_of
from trigraph.settings import session_in_environment


def mcp(
    context: typer.Context,
    toolset: Annotated[
        str,
        typer.Option(help="core (six tools), full (documents, traces, … as well), or compat (older names as well)."),
    ] = "core",
    project: Annotated[str | None, typer.Option(help="The project, in place of the setting scope.project.")] = None,
) -> None:
    """Serve memory to an MCP client over stdin and stdout; clients start this by themselves.

    The agent is the setting scope.agent; the session is TRIGRAPH_SESSION or CLAUDE_CODE_SESSION_ID, if one is set.
    """
    current = session_of(context)
    from trigraph.faces.mcp.ending import end_now, end_with_client

    end_with_client()
    from trigraph.faces.local.borrowing import Borrowing
    from trigraph.faces.local.serving import answering
    from trigraph.faces.mcp.server import serve_stdio, tools_of

    tools_of(toolset)
    if project is not None:
        loaded = current.loaded
        scope = replace(loaded.settings.scope, project=project)
        current.loaded = replace(loaded, settings=replace(loaded.settings, scope=scope))
    start_logs(current.loaded.settings.log)
    home = current.loaded.settings.home_folder()
    elsewhere = Borrowing(home)
    with current.memory(elsewhere) as memory, answering(memory, home, works=False) as elsewhere.alone:
        serve_stdio(memory, toolset, session_in_environment())
    flush_spans()
    end_now()
