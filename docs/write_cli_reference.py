"""Writes docs/reference/cli.md from what the commands say of themselves.

python docs/write_cli_reference.py [FILE]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

from trigraph.faces.cli.main import EXIT_CODES, app

TARGET = Path(__file__).parent / "reference" / "cli.md"
COLUMNS = {"COLUMNS": "100"}
"""The page must not depend on the terminal of who writes it."""
HEAD = """\
# Commands

<!-- Written by docs/write_cli_reference.py from `--help`; do not edit. -->

Data goes to stdout, messages to stderr. `--json` works before and after every command. Text is read from
stdin where `-` is given.

"""


def commands() -> list[str]:
    """Every command and group by its full name, such as `trigraph config show`."""
    return list(_walk("trigraph", typer.main.get_command(app)))


def reference() -> str:
    """The page."""
    return HEAD + "\n".join(map(_section, commands())) + "\n" + _exit_codes()


def _walk(name: str, command: Any) -> Iterator[str]:
    yield name
    for below, one in getattr(command, "commands", {}).items():
        yield from _walk(f"{name} {below}", one)


def _section(name: str) -> str:
    program, *words = name.split()
    said = CliRunner().invoke(app, [*words, "--help"], prog_name=program, env=COLUMNS).stdout
    shown = "\n".join(line.rstrip() for line in said.strip().splitlines())
    level = "##" if name.count(" ") < 2 else "###"
    return f"{level} `{name}`\n\n```text\n{shown}\n```\n"


def _exit_codes() -> str:
    codes = sorted({(code, kind.__name__) for kind, code in EXIT_CODES.items()})
    named = {code: ", ".join(name for one, name in codes if one == code) for code, _ in codes}
    rows = {0: "success", **named, 130: "interrupted", 141: "the reader of the output went away"}
    rows[1] = f"{rows.get(1, '')}; `health` found something degraded".lstrip("; ")
    rows[2] = f"{rows.get(2, '')}, wrong usage".lstrip(", ")
    rows[3] = f"{rows.get(3, '')}; nothing found, with `--exit-status`".lstrip("; ")
    lines = "\n".join(f"| {code} | {meaning} |" for code, meaning in sorted(rows.items()))
    return f"## Exit codes\n\n| code | meaning |\n|---|---|\n{lines}\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(reference(), encoding="utf-8")
