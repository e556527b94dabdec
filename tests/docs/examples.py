"""Runs the examples of a Markdown file, as a reader would: in order, in one folder, with one store.

- ```bash blocks run in bash; a block that fails is a failure. A ```text block right after one says what
  must be in its output: each of its lines, in order; `…` stands for anything.
- ```python blocks run in one namespace per file; ```text after one likewise.
- `<!-- not run: reason -->` before a block leaves it out.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^(?P<indent> *)(?P<marks>`{3,}|~{3,}) *(?P<language>[\w+-]*)[^`]*$")
NOT_RUN = re.compile(r"<!-- not run: \S.*-->")
RUN = ("bash", "python")


@dataclass(frozen=True)
class Block:
    """A fenced block: where it begins, what it is, and what stood between it and the one before."""

    line: int
    language: str
    code: str
    before: str


@dataclass(frozen=True)
class Example:
    """A block to run, and the output that the text promises."""

    line: int
    language: str
    code: str
    promised: str | None


def blocks(text: str) -> Iterator[Block]:
    """Every fenced block, nested in lists or not."""
    lines = iter(enumerate(text.splitlines(), start=1))
    before: list[str] = []
    for number, line in lines:
        opening = FENCE.match(line)
        if not opening:
            before.append(line)
            continue
        code: list[str] = []
        for _, inner in lines:
            if inner.strip().startswith(opening["marks"]) and not inner.strip(" `~"):
                break
            code.append(inner.removeprefix(opening["indent"]))
        else:
            raise ValueError(f"the block that begins at line {number} has no end")
        yield Block(number, opening["language"], "\n".join(code), "\n".join(before))
        before = []


def examples(text: str) -> list[Example]:
    """The blocks that are to be run, each with the output that follows it."""
    found: list[Example] = []
    previous: Block | None = None
    for block in blocks(text):
        run = block.language in RUN and not NOT_RUN.search(block.before)
        if run:
            found.append(Example(block.line, block.language, block.code, None))
        elif block.language == "text" and not block.before.strip() and previous is not None and found:
            last = found[-1]
            if last.line == previous.line:
                found[-1] = Example(last.line, last.language, last.code, block.code)
        previous = block
    return found


def run_file(path: Path, folder: Path) -> list[str]:
    """Run a file's examples in `folder`; what went wrong, the first failure last, nothing after it."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "TRIGRAPH_HOME": str(folder / "home"),
    }
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for example in examples(path.read_text(encoding="utf-8")):
        where = f"{path.name}:{example.line}"
        if example.language == "bash":
            worked, output = _run_bash(example.code, folder, environment)
        else:
            worked, output = _run_python(example.code, folder, environment, namespace, where)
        if not worked:
            return [f"{where} failed:\n{output}"]
        if example.promised is not None and (missing := absent(example.promised, output)):
            return [f"{where} does not say {missing!r} but:\n{output}"]
    return []


def absent(promised: str, output: str) -> str | None:
    """The first promised line that the output does not have, in order; `…` stands for anything."""
    remaining = iter(line.rstrip() for line in output.splitlines())
    for line in promised.splitlines():
        pattern = ".*".join(re.escape(part) for part in line.strip().split("…"))
        if line.strip() and not any(re.search(pattern, one) for one in remaining):
            return line
    return None


def _run_bash(code: str, folder: Path, environment: Mapping[str, str]) -> tuple[bool, str]:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    return done.returncode == 0, done.stdout.decode()


def _run_python(
    code: str, folder: Path, environment: Mapping[str, str], namespace: dict[str, Any], where: str
) -> tuple[bool, str]:
    """In this process, so that what one block opened the next may use; folder and variables as for bash."""
    before = dict(os.environ)
    said = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        os.environ.update(environment)
        try:
            exec(compile(code, where, "exec"), namespace)
        except Exception:
            said.write(traceback.format_exc())
            return False, said.getvalue()
        finally:
            os.environ.clear()
            os.environ.update(before)
    return True, said.getvalue()
