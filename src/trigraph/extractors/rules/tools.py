"""What tools showed: which checks pass or fail and what they left out, which files were made or changed, what the
client runs by itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trigraph.extractors.rules.scene import Scene
from trigraph.model.extraction import Certainty, Finding, Found, Role, Span
from trigraph.text.tool_lines import BRANCH, HOOK

LIMIT_CHARS = 300
_SHELLS = frozenset("bash shell sh exec execute terminal run run_command execute_command".split())
_WRITERS = frozenset("write create write_file create_file".split())
_EDITORS = frozenset("edit multiedit notebookedit str_replace apply_patch str_replace_editor".split())
_PASSED = re.compile(
    r"\b\d+ (?:passed|passing)\b|\ball (?:checks|tests) passed|\b0 errors\b|\bno (?:issues|errors|problems)\b"
    r"|\bsuccess\b"
    r"|\btest result: ok|^ok\b|\bbuild succeeded",
    re.IGNORECASE,
)
_LINTS = re.compile(r"\b(?:ruff|eslint|prettier|black|flake8|isort|gofmt|rustfmt|lint|format|fmt)\b")
_TYPES = re.compile(r"\b(?:mypy|pyright|pyre|ty|tsc|typecheck|type-check)\b")
_TESTS = re.compile(
    r"\b(?:pytest|tests?|tox|nox|unittest|jest|vitest|mocha|rspec|phpunit|ctest|act|gradle|mvn|verify|playwright)\b"
)
_PARTIAL = re.compile(
    r"::|\s-[mkt]\s|\s--(?:grep|filter|testNamePattern|ignore|deselect|lf|last-failed|only|package|test)\b"
    r"|\s(?:\S*/)?(?:tests?|specs?|__tests__)/\S+|\s\S*(?:\btest_|_test\b|\.test\b|\.spec\b)\S*"
)
_RUNS_MODULE = re.compile(r"\bpython[\d.]*\s+-m\s+")
_LEFT_OUT = re.compile(r"\b(?!0\b)(\d+) (?:deselected|filtered out|not run)\b")
_TOOK = re.compile(r"\bin (\d+(?:\.\d+)?) ?s(?:econds)?\b")
_NO_CODE = re.compile(r"\.(?:md|mdx|txt|rst|adoc|json|csv|svg|png|lock|log)$", re.IGNORECASE)
_THROUGH = re.compile(r"\s*(?:2>&1|\|\s*(?:tail|head|grep|tee)\b).*$")


@dataclass(frozen=True, slots=True)
class Use:
    """One line of a tool message, taken apart."""

    tool: str
    asked: str
    told: str
    span: Span

    @property
    def is_command(self) -> bool:
        """Whether a shell ran it."""
        return self.tool.casefold() in _SHELLS or self.tool == HOOK

    @property
    def event(self) -> str | None:
        """Of a hook, on what it runs: `PostToolUse:Edit`."""
        return self.asked.partition(": ")[0] if self.tool == HOOK else None

    @property
    def failed(self) -> bool:
        """Whether it failed."""
        return self.told.startswith("failed")

    @property
    def passed(self) -> bool:
        """Whether it says that something is in order."""
        return not self.failed and _PASSED.search(self.told) is not None

    @property
    def is_check(self) -> bool:
        """Whether it tests, lints or checks types, whatever came of it."""
        looks = _TESTS.search(self.command) or _LINTS.search(self.command) or _TYPES.search(self.command)
        return self.is_command and (self.passed or self.failed or looks is not None)

    @property
    def is_edit(self) -> bool:
        """Whether it changed a file."""
        named = re.fullmatch(r"\S+", self.asked) is not None
        return named and self.tool.casefold() in _WRITERS | _EDITORS and not self.failed

    @property
    def error(self) -> str:
        """What it said when it failed."""
        return self.told.removeprefix("failed").removeprefix(":").strip()

    @property
    def command(self) -> str:
        """What was run, without what only shortens its output."""
        asked = self.asked.partition(": ")[2] if self.tool == HOOK else self.asked
        return _THROUGH.sub("", asked).strip()

    @property
    def program(self) -> str:
        """By which two runs of a command are told to be of one program."""
        return " ".join(self.command.split()[:3])


def uses_in(scene: Scene) -> tuple[Use, ...]:
    """Every use of a tool, in order."""
    return tuple(
        use for number, said in enumerate(scene.messages) if said.role is Role.TOOL for use in _uses(number, said.text)
    )


def _uses(number: int, text: str) -> Iterator[Use]:
    position = 0
    for line in text.split("\n"):
        start, position = position, position + len(line) + 1
        head, _, told = line.partition(" → ")
        tool, colon, asked = head.partition(": ")
        if line.strip() and re.fullmatch(r"[\w.-]{1,60}", tool):
            yield Use(tool, asked.strip() if colon else "", told.strip(), Span(number, start, start + len(line)))


def checks_passing(uses: Sequence[Use]) -> Found | None:
    """The commands whose last run says that all is well; None where these only lint."""
    last: dict[str, Use] = {}
    for use in uses:
        if use.is_command and (use.passed or use.failed):
            before = last.pop(use.program, use)
            keeps = before.passed and use.passed and len(before.command) < len(use.command)
            last[use.program] = before if keeps else use
    passing = [use for use in last.values() if use.passed and len(use.command) <= 80 and _is_whole(use.command)]
    if all(_LINTS.search(use.command) for use in passing):
        return None
    tests = sorted(passing, key=lambda use: not re.search(r"\d+ pass", use.told))[:3]
    text = "Checks that pass: " + "; ".join(f"`{use.command}`{_counted(use.told)}" for use in tests)
    if len(text) > LIMIT_CHARS:
        return None
    return Found(text, Finding.FACT, Certainty.INFERRED, tuple(use.span for use in tests))


def _is_whole(command: str) -> bool:
    """Whether no quotation was cut in two."""
    return not command.endswith("…") and command.count("'") % 2 == command.count('"') % 2 == 0


def _counted(told: str) -> str:
    match = re.search(r"\d+ (?:passed|passing)(?:, \d+ \w+)*|0 errors|all \w+ passed", told, re.IGNORECASE)
    return f" ({match.group()})" if match else ""


def still_failing(uses: tuple[Use, ...]) -> list[Use]:
    """Commands whose last run failed and that no like command passed after."""
    last: dict[str, Use] = {}
    for use in uses:
        if use.is_command and (use.passed or use.failed):
            last[use.program] = use
    return [use for use in last.values() if use.failed]


def files_changed(uses: Sequence[Use], told: str) -> str | None:
    """The files that were made or changed most; None where all of them were told of (`told`)."""
    counts: Counter[str] = Counter()
    created: dict[str, None] = {}
    for use in uses:
        if use.is_edit and use.tool.casefold() in _WRITERS:
            created[use.asked] = None
        elif use.is_edit:
            counts[use.asked] += 1
    made = list(created)[:4]
    edited = [path for path, _ in counts.most_common(3) if path not in created]
    if all(path.rsplit("/", 1)[-1] in told for path in (*made, *edited)):
        return None
    parts = [f"created {', '.join(made)}"] if made else []
    parts += [f"changed {', '.join(edited)}"] if edited else []
    return "; ".join(parts)


def passes_after(scene: Scene, message: int) -> bool:
    """Whether a check passed after a message."""
    later = enumerate(scene.messages[message + 1 :], start=message + 1)
    return any(use.passed for number, said in later if said.role is Role.TOOL for use in _uses(number, said.text))


def branch_of(uses: Sequence[Use]) -> str | None:
    """The branch that was worked on last, where it is told."""
    return next((use.asked for use in reversed(uses) if use.tool == BRANCH), None)


def left_unchecked(uses: Sequence[Use]) -> Found | None:
    """What was run after the last change, where that is nothing or leaves tests out; None where all of them ran, or
    where what ran failed."""
    place = max((n for n, use in enumerate(uses) if use.is_edit and not _NO_CODE.search(use.asked)), default=None)
    if place is None:
        return None
    later = (use for use in uses[place + 1 :] if use.is_check and use.event in (None, "Stop"))
    ran = {use.command: use for use in later}
    tests = [use for use in ran.values() if _TESTS.search(use.command)]
    if any(use.failed for use in ran.values()) or any(not _is_partial(use) for use in tests):
        return None
    shown = sorted(
        (use for use in ran.values() if len(use.command) <= 90 and _is_whole(use.command)),
        key=lambda use: use not in tests,
    )[:3]
    if not ran:
        text = f"No tests or checks were run after the last change to {uses[place].asked}"
    elif not shown:
        return None
    else:
        named = " and ".join(f"`{use.command}`" for use in shown)
        text = f"After the last change only {named} {'was' if len(shown) == 1 else 'were'} run"
        left_out = max((int(match[1]) for use in tests if (match := _LEFT_OUT.search(use.told))), default=0)
        text += f"; {left_out} tests were left out" if left_out else "" if tests else ", no tests"
    spans = (uses[place].span, *(use.span for use in shown))
    return Found(text, Finding.NEXT_STEP, Certainty.INFERRED, spans) if len(text) <= LIMIT_CHARS else None


def _is_partial(use: Use) -> bool:
    command = _RUNS_MODULE.sub("", use.command)
    return _PARTIAL.search(command) is not None or _LEFT_OUT.search(use.told) is not None


def hooks_seen(uses: Sequence[Use]) -> Iterator[Found]:
    """What the client runs by itself: hooks that ran several times."""
    ran: dict[tuple[str, str], list[Use]] = {}
    for use in uses:
        if use.event is not None and 0 < len(use.command) <= 120 and _is_whole(use.command):
            ran.setdefault((use.event.partition(":")[0], use.command), []).append(use)
    for (event, command), seen in ran.items():
        if len(seen) < 2:
            continue
        on, _ = Counter((use.event or "").partition(":")[2] for use in seen).most_common(1)[0]
        when = {
            "PostToolUse": f"after each {on or 'use of a tool'}",
            "PreToolUse": f"before each {on or 'use of a tool'}",
        }
        told = when.get(event, "each time the agent stops" if event == "Stop" else f"on each {event}")
        text = f"{_article(event)} {event} hook runs `{command}` {told}"
        yield Found(text, Finding.FACT, Certainty.INFERRED, tuple(use.span for use in seen[:3]))


def _article(word: str) -> str:
    return "An" if word[:1] in "AEIOU" else "A"


def timed_out(uses: Sequence[Use]) -> Iterator[Found]:
    """Commands that were stopped for taking too long, and how long they took when they did not."""
    seen: set[str] = set()
    for use in uses:
        if not use.is_command or not use.told.startswith("timed out") or use.command in seen or len(use.command) > 120:
            continue
        seen.add(use.command)
        later = (one for one in reversed(uses) if one.command == use.command and (one.passed or one.failed))
        done = next(((one, match) for one in later if (match := _TOOK.search(one.told))), None)
        text = f"`{use.command}` {use.told}"
        spans: tuple[Span, ...] = (use.span,)
        if done is not None:
            text += f"; a later run that {'passed' if done[0].passed else 'failed'} took {round(float(done[1][1]))} s"
            spans = (use.span, done[0].span)
        yield Found(text[:LIMIT_CHARS], Finding.FACT, Certainty.INFERRED, spans)
