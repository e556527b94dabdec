"""Writes docs/reference/tools.md from what the tools of the MCP server say of themselves.

python docs/write_tools_reference.py [FILE]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from trigraph.faces.mcp.server import INSTRUCTIONS, TOOLSETS
from trigraph.faces.mcp.tooling import ToolSpec

TARGET = Path(__file__).parent / "reference" / "tools.md"
HEAD = """\
# Tools

<!-- Written by docs/write_tools_reference.py from the tools themselves; do not edit. -->

What `trigraph mcp` and `/mcp` of `trigraph serve` offer. Answers come twice: as data by a schema
(`structuredContent`), and as a short text; ids in texts are the last 8 characters, and every tool takes them. An
error of a tool names the field, what is allowed and a call that works; programs find the same as JSON in
`_meta["trigraph/error"]`.

"""
SETS = {
    "core": "The six tools that are always there.",
    "full": "`--toolset full` has these as well.",
    "compat": "`--toolset compat` has, beside the core, the names that callers of other designs use. Arguments that a "
    "tool does not know are ignored, with a warning in the answer.",
}


def reference() -> str:
    """The page."""
    return HEAD + "\n".join(_toolset(name) for name in TOOLSETS) + "\n" + _rest()


def _toolset(name: str) -> str:
    core = {spec.name for spec in TOOLSETS["core"]}
    tools = [spec for spec in TOOLSETS[name] if name == "core" or spec.name not in core]
    return f"## {name}\n\n{SETS[name]}\n\n" + "\n".join(map(_tool, tools))


def _tool(spec: ToolSpec) -> str:
    rows = [_row(name, schema, name in spec.required) for name, schema in spec.arguments.items()]
    table = "\n".join(["| argument | what it takes | |", "|---|---|---|", *rows])
    answered = ", ".join(f"`{name}`" for name in spec.answer.get("properties", {}))
    answers = f"Answers with {answered}.\n\n" if answered else ""
    example = json.dumps(spec.example, ensure_ascii=False, indent=2)
    return f"### `{spec.name}`\n\n{spec.description}\n\n{table}\n\n{answers}```json\n{example}\n```\n"


def _row(name: str, schema: dict[str, Any], needed: bool) -> str:
    told = [schema["description"]] if "description" in schema else []
    told += ["needed"] if needed else []
    told += [f"`{json.dumps(schema['default'])}` if left out"] if "default" in schema else []
    return f"| `{name}` | {_takes(schema)} | {'; '.join(told)} |"


def _takes(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if schema["type"] == "array":
        return f"list of {_takes(schema['items'])}" if "items" in schema else "list"
    if "properties" in schema:
        return "objects with " + ", ".join(f"`{name}`" for name in schema["properties"])
    return str(schema["type"])


def _rest() -> str:
    return (
        "## Resources and prompts\n\n"
        "| | |\n|---|---|\n"
        "| `memory://memories/{id}` | one memory, whole |\n"
        "| `memory://constraints` | constraints that hold now |\n"
        "| `memory://recent` | what was remembered last |\n"
        "| prompt `recall` | what memory has on a question |\n"
        "| prompt `remember` | keep something |\n\n"
        f"## Instructions\n\nWhat a client is told when it connects:\n\n```text\n{INSTRUCTIONS}```\n"
    )


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(reference(), encoding="utf-8")
