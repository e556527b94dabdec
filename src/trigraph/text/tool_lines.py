"""What a tool did, on one line: what was asked of it, and what came of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

ASKED_LIMIT_CHARS = 160
TOLD_LIMIT_CHARS = 160
RESULT_LIMIT_CHARS = 200_000
"""So much of a result is looked through, from its end."""

HOOK, BRANCH = "Hook", "Branch"
"""The tools under whose names a client's hooks and the branch of the work are told."""

_COMMAND_TOOLS = frozenset(
    "bash shell sh exec execute terminal run run_command execute_command cmd powershell hook".split()
)
_ASKED_KEYS = (
    "command", "cmd", "file_path", "notebook_path", "path", "pattern", "query", "url", "prompt", "description", "code",
)  # fmt: skip
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_RULED = " \t\r=-_*#─━~"
_CHECKING = re.compile(
    r"\b(?:tests?|pytest|tox|nox|unittest|jest|vitest|mocha|rspec|phpunit|ctest|build|compile|make|check|lint|clippy"
    r"|ruff|flake8|pylint|eslint|mypy|pyright|pyre|ty|tsc|typecheck|act|gradle|mvn|cargo|verify|audit)\b"
)
_COUNTED = re.compile(
    r"\b\d+ (?:passed|passing|failed|failing|errors?|failures?|skipped|warnings?|tests?|suites?|problems?"
    r"|diagnostics?)\b"
    r"|\b(?:tests?|failures|errors): *\d+|\bno (?:issues|errors|problems) found|\ball (?:checks|tests) passed"
    r"|\bsuccess\b|\bbuild succeeded|\btest result: ok|^ok\b|^passed\b",
    re.IGNORECASE,
)
_FAILED_COUNT = re.compile(
    r"\b(?!0\b)\d+ (?:failed|failing|errors?|failures?|diagnostics?)\b|\b(?:failures|errors): *(?!0\b)\d"
    r"|\bbuild failed|\btest result: FAILED",
    re.IGNORECASE,
)
_ERROR_LINE = re.compile(
    r"^(?:E +)?[A-Za-z_.]*(?:Error|Exception|Panic)\b(?::|$)|\b(?:error|fatal|ERR!)(?:\[[^\]]*\])?:|\berror TS\d+"
    r"|: command not found|No such file or directory|Permission denied|^panicked at|\bnot ok \d|^error\b|^FAIL\b"
    r"| - error:? |SyntaxError|^FAILED\b|npm ERR!|Segmentation fault|Cannot find module"
)
_TIMED_OUT = re.compile(r"\btimed out after (\d[\d.]*\s?[a-z]+(?:\s\d[\d.]*\s?[a-z]+)*)", re.IGNORECASE)
_NOTHING_OVER = re.compile(r"\s0(?:\.0+)?s$")


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One use of a tool. `result` is None while, or where, none came."""

    name: str
    asked: object
    result: str | None = None
    failed: bool = False


def tool_line(use: ToolUse, root: str | None = None) -> str:
    """`Bash: npm test → failed: 2 failing`. Paths under `root` are written from there."""
    asked = _asked(use, root)
    line = f"{use.name}: {asked}" if asked else use.name
    told = _from_root(_told(use), root)
    return f"{line} → {told}" if told else line


def shortened(text: str, limit: int) -> str:
    """On one line, and cut at a word where it is too long."""
    line = " ".join(text[: limit * 8].split())
    if len(line) <= limit:
        return line
    return line[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def _asked(use: ToolUse, root: str | None) -> str:
    asked = use.asked
    if isinstance(asked, str):
        try:
            asked = json.loads(asked)
        except (ValueError, RecursionError):
            return shortened(_from_root(str(use.asked), root), ASKED_LIMIT_CHARS)
    if isinstance(asked, Mapping):
        asked = _telling_value(asked)
    if isinstance(asked, str):
        return shortened(_from_root(asked, root), ASKED_LIMIT_CHARS)
    return ""


def _telling_value(asked: Mapping[object, object]) -> str:
    items = asked.get("todos")
    if isinstance(items, list):
        done = sum(isinstance(item, Mapping) and item.get("status") == "completed" for item in items)
        return f"{done} of {len(items)} done"
    for key in _ASKED_KEYS:
        value = asked.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            return " ".join(value)
    return next((value for value in asked.values() if isinstance(value, str) and value.strip()), "")


def _from_root(text: str, root: str | None) -> str:
    return text.replace(root.rstrip("/") + "/", "") if root and len(root) > 1 else text


def _told(use: ToolUse) -> str:
    if use.result is None:
        return "failed" if use.failed else ""
    is_command = use.name.casefold() in _COMMAND_TOOLS
    lines = _lines(use.result) if is_command or use.failed else []
    stopped = _timed_out(lines) if is_command else None
    if stopped is not None:
        return f"timed out after {stopped}"
    checking = is_command and _CHECKING.search(_asked(use, None)) is not None
    counted = next((line for line in reversed(lines) if _COUNTED.search(line) or _FAILED_COUNT.search(line)), None)
    shows_failure = checking and counted is not None and _FAILED_COUNT.search(counted) is not None
    if use.failed or shows_failure or (is_command and _crashed(use.result)):
        return "failed: " + _error(lines, counted)
    if checking:
        return shortened(counted or (lines[-1] if lines else ""), TOLD_LIMIT_CHARS)
    return ""


def _lines(result: str) -> list[str]:
    plain = _ANSI.sub("", result[-RESULT_LIMIT_CHARS:])
    return [stripped for line in plain.splitlines() if (stripped := line.strip(_RULED))]


def _timed_out(lines: list[str]) -> str | None:
    """After how long a command was stopped: the client says so at the beginning or the end of what it printed."""
    match = next((match for line in (*lines[:1], *lines[-2:]) if (match := _TIMED_OUT.search(line))), None)
    return _NOTHING_OVER.sub("", match.group(1)) if match else None


def _crashed(result: str) -> bool:
    return "Traceback (most recent call last)" in result or ": command not found" in result or "npm ERR!" in result


def _error(lines: list[str], counted: str | None) -> str:
    first = next((line for line in lines if _ERROR_LINE.search(line)), None)
    if first is None:
        first, counted = counted or (lines[0] if lines else "no output"), None
    told = shortened(re.sub(r"^E\s+", "", first), TOLD_LIMIT_CHARS)
    return f"{told} ({shortened(counted, 60)})" if counted and counted not in told else told
