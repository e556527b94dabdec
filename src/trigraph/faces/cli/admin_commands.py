"""admin: tenants, projects, agents, groups, tokens."""

from __future__ import annotations

from typing import Annotated

import typer

from trigraph.errors import InvalidInput
from trigraph.faces import wire
from trigraph.faces.cli import render_life
from trigraph.faces.cli.session import Session, session_of
from trigraph.model.access import ReadPolicy

admin = typer.Typer(no_args_is_help=True, help="Who there is: tenants, projects, agents, groups, tokens.")
tenant = typer.Typer(no_args_is_help=True, help="Tenants: each has files of its own.")
project = typer.Typer(no_args_is_help=True, help="Projects: islands within a tenant.")
agent = typer.Typer(no_args_is_help=True, help="Agents: who reads and writes, and what they may see.")
group = typer.Typer(no_args_is_help=True, help="Groups: agents that share what names them.")
token = typer.Typer(no_args_is_help=True, help="Tokens: what stands for an agent over the network.")
for name, commands in (("tenant", tenant), ("project", project), ("agent", agent), ("group", group), ("token", token)):
    admin.add_typer(commands, name=name)

_Name = Annotated[str, typer.Argument(help="Its name.")]
_Tenant = Annotated[str | None, typer.Option("--tenant", help="Of this tenant; left out, of the configured one.")]
_Project = Annotated[str | None, typer.Option("--project", help="Of this project; left out, of the configured one.")]
_OneProject = Annotated[str | None, typer.Option("--project", help="Only those of this project alone.")]
_Agent = Annotated[str, typer.Argument(help="An agent's name.")]


@tenant.command("add")
def tenant_add(context: typer.Context, name: _Name) -> None:
    """Register a tenant, with a project and an agent `default` in it."""
    current = session_of(context)
    with current.memory() as memory:
        memory.admin.add_tenant(name)
    current.show({"tenant": name}, lambda: f"tenant {name} added")


@tenant.command("list")
def tenant_list(context: typer.Context) -> None:
    """List tenants."""
    current = session_of(context)
    with current.memory() as memory:
        names = memory.admin.tenants()
    current.show(names, lambda: "\n".join(names))


@project.command("add")
def project_add(context: typer.Context, name: _Name, tenant: _Tenant = None) -> None:
    """Register a project, with an agent `default` in it."""
    current = session_of(context)
    of, _ = _place(current, tenant, None)
    with current.memory() as memory:
        memory.admin.add_project(of, name)
    current.show({"tenant": of, "project": name}, lambda: f"project {name} of tenant {of} added")


@project.command("list")
def project_list(context: typer.Context, tenant: _Tenant = None) -> None:
    """List the projects of a tenant."""
    current = session_of(context)
    of, _ = _place(current, tenant, None)
    with current.memory() as memory:
        found = memory.admin.projects(of)
    current.show(found, lambda: "\n".join(one.name for one in found))


@agent.command("set")
def agent_set(
    context: typer.Context,
    name: _Agent,
    read_policy: Annotated[
        str | None, typer.Option("--read-policy", help="shared (the default), group, or isolated.")
    ] = None,
    domain: Annotated[list[str] | None, typer.Option("--domain", help="A subject area; repeat for several.")] = None,
    tenant: _Tenant = None,
    project: _Project = None,
) -> None:
    """Register an agent, or change what it may see. An agent that is not registered sees only its own."""
    current = session_of(context)
    policy = None if read_policy is None else wire.choice(ReadPolicy, read_policy, "read_policy")
    with current.memory() as memory:
        found = memory.admin.set_agent(*_place(current, tenant, project), name, policy, domain)
    current.show(found, lambda: render_life.agent_table([found]))


@agent.command("list")
def agent_list(context: typer.Context, tenant: _Tenant = None, project: _Project = None) -> None:
    """List the agents of a project."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.admin.agents(*_place(current, tenant, project))
    current.show(found, lambda: render_life.agent_table(found))


@agent.command("remove")
def agent_remove(context: typer.Context, name: _Agent, tenant: _Tenant = None, project: _Project = None) -> None:
    """Let an agent go, with its memberships and tokens. What it wrote stays."""
    current = session_of(context)
    with current.memory() as memory:
        memory.admin.remove_agent(*_place(current, tenant, project), name)
    current.show({"removed": name}, lambda: f"agent {name} removed")


@group.command("add")
def group_add(context: typer.Context, name: _Name, tenant: _Tenant = None, project: _Project = None) -> None:
    """Make a group."""
    current = session_of(context)
    with current.memory() as memory:
        memory.admin.add_group(*_place(current, tenant, project), name)
    current.show({"group": name}, lambda: f"group {name} added")


@group.command("list")
def group_list(context: typer.Context, tenant: _Tenant = None, project: _Project = None) -> None:
    """List the groups of a project, with their members."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.admin.groups(*_place(current, tenant, project))
    current.show(found, lambda: "\n".join(f"{one.name}: {', '.join(one.members) or '-'}" for one in found))


@group.command("remove")
def group_remove(context: typer.Context, name: _Name, tenant: _Tenant = None, project: _Project = None) -> None:
    """Let a group go. What names it is then seen by its authors alone."""
    current = session_of(context)
    with current.memory() as memory:
        memory.admin.remove_group(*_place(current, tenant, project), name)
    current.show({"removed": name}, lambda: f"group {name} removed")


@group.command("join")
def group_join(
    context: typer.Context, name: _Name, agent: _Agent, tenant: _Tenant = None, project: _Project = None
) -> None:
    """Make an agent a member of a group."""
    current = session_of(context)
    with current.memory() as memory:
        memory.admin.join(*_place(current, tenant, project), name, agent)
    current.show({"group": name, "agent": agent}, lambda: f"{agent} joined {name}")


@group.command("leave")
def group_leave(
    context: typer.Context, name: _Name, agent: _Agent, tenant: _Tenant = None, project: _Project = None
) -> None:
    """End an agent's membership. It counts from the next call on."""
    current = session_of(context)
    with current.memory() as memory:
        memory.admin.leave(*_place(current, tenant, project), name, agent)
    current.show({"group": name, "agent": agent}, lambda: f"{agent} left {name}")


@token.command("create")
def token_create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What it is for: ci, laptop, …")],
    agent: Annotated[str, typer.Option("--agent", help="The agent that it stands for.")],
    rights: Annotated[
        str,
        typer.Option("--rights", "--scopes", help="Some of read, write, share, review, admin, with commas between."),
    ] = "read,write",
    expires: Annotated[
        str | None, typer.Option("--expires", help="How long it is good (90d, 12h, 4w), or until when.")
    ] = None,
    tenant: _Tenant = None,
    project: _Project = None,
    all_projects: Annotated[
        bool, typer.Option("--all-projects", help="Good in every project of the tenant, in place of one.")
    ] = False,
) -> None:
    """Make a token that stands for an agent. It is shown this once."""
    current = session_of(context)
    if all_projects and project is not None:
        raise InvalidInput(
            "A token is good in one project or in all.", field="project", fix="Give --project or --all-projects."
        )
    of, within = _place(current, tenant, project)
    held = [one.strip() for one in rights.split(",") if one.strip()]
    with current.memory() as memory:
        made = memory.admin.issue_token(of, None if all_projects else within, agent, name, held, expires)
    current.show(made, lambda: made.secret)
    current.say(f"{made.token.id}: keep it safe, it is not shown again")


@token.command("list")
def token_list(context: typer.Context, tenant: _Tenant = None, project: _OneProject = None) -> None:
    """List the tokens of a tenant, without their secrets."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.admin.tokens(_place(current, tenant, None)[0], project)
    current.show(found, lambda: render_life.token_table(found))


@token.command("revoke")
def token_revoke(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="Its id (k_…), or the last 8 characters or more.")],
    tenant: _Tenant = None,
    project: _OneProject = None,
) -> None:
    """Take a token back."""
    current = session_of(context)
    with current.memory() as memory:
        revoked = memory.admin.revoke_token(_place(current, tenant, None)[0], project, id)
    current.show({"revoked": revoked}, lambda: f"token {revoked} revoked")


def _place(current: Session, tenant: str | None, project: str | None) -> tuple[str, str]:
    """The tenant and the project that a command is about."""
    scope = current.loaded.settings.scope
    return tenant or scope.tenant, project or scope.project
