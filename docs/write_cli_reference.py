"""Writes docs/reference/cli.md from what the commands say of themselves.

python docs/write_cli_reference.py [FILE]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from click.testing import CliRunner

import trigraph
from trigraph.faces.cli import exit_codes
from trigraph.faces.cli.main import app

TARGET = Path(__file__).parent / "reference" / "cli.md"
COMMAND = typer.main.get_command(app)
WIDTH = 80
"""The page must not depend on the terminal of who writes it."""
HEAD = """\
# Commands

<!-- Written by docs/write_cli_reference.py from `--help`; do not edit. -->

Data goes to stdout, messages to stderr. `--json` works before and after every command. Text is read from
stdin where `-` is given.

"""


def commands() -> list[str]:
    """Every command and group by its full name, such as `trigraph config show`."""
    return list(_walk("trigraph", COMMAND))


def reference() -> str:
    """The page."""
    return HEAD + "\n".join(map(_section, commands())) + "\n" + _exit_codes()


def _walk(name: str, command: Any) -> Iterator[str]:
    yield name
    for below, one in getattr(command, "commands", {}).items():
        yield from _walk(f"{name} {below}", one)


def _section(name: str) -> str:
    program, *words = name.split()
    said = CliRunner().invoke(COMMAND, [*words, "--help"], prog_name=program, terminal_width=WIDTH).stdout
    shown = "\n".join(line.rstrip() for line in said.strip().splitlines())
    level = "##" if name.count(" ") < 2 else "###"
    return f"{level} `{name}`\n\n```text\n{shown}\n```\n"


def _exit_codes() -> str:
    rows = {
        0: ["success"],
        exit_codes.DEGRADED: [
            "`health` found something degraded",
            "`setup` a server that does not answer, or no consent",
        ],
        2: ["wrong usage"],
        exit_codes.NOT_FOUND: ["nothing found, with `--exit-status`"],
        exit_codes.INTERRUPTED: ["interrupted"],
        exit_codes.BROKEN_PIPE: ["the reader of the output went away"],
    }
    for name in trigraph.__all__:
        kind = getattr(trigraph, name)
        if isinstance(kind, type) and issubclass(kind, trigraph.TrigraphError):
            rows.setdefault(exit_codes.of_error(kind.__new__(kind)), []).append(f"`{name}`")
    lines = "\n".join(f"| {code} | {', '.join(meanings)} |" for code, meanings in sorted(rows.items()))
    return f"## Exit codes\n\n| code | meaning |\n|---|---|\n{lines}\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(reference(), encoding="utf-8")
