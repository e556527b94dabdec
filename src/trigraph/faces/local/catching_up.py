"""Where no server works off what hooks leave, a hook starts a process that does, and ends. Light until it is run."""

from __future__ import annotations

import os
import sys
import time

from trigraph.faces.hook.folder import hooks_folder
from trigraph.faces.local.asking import ask
from trigraph.sources import environment

PAUSE_SECONDS = 120.0
"""While a session goes on, it is not done more often than this."""
ASKING_SECONDS = 0.05
LONGEST_SECONDS = 300.0
ROUNDS_MOST = 20


def start_if_needed(home: str, until: float, *, at_once: bool) -> None:
    """Start a process of its own that catches up, unless a server works off the queue, or one was started lately."""
    mark = hooks_folder(home, "caught-up")
    if not hasattr(os, "posix_spawn") or (not at_once and time.time() - _written(mark) < PAUSE_SECONDS):
        return
    told = ask(home, {"verb": "ping"}, min(until, time.monotonic() + ASKING_SECONDS))
    if told is not None and told.get("works"):
        return
    with open(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w"):
        pass
    program = [sys.executable, "-m", "trigraph.faces.local.catching_up", home]
    silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    os.posix_spawn(sys.executable, program, environment(), file_actions=silent, setsid=True)


def catch_up(home: str) -> None:
    """Take in what hooks left and work off the queue, as one of its kind."""
    from pathlib import Path

    from trigraph.assembly import open_engine, scope_of
    from trigraph.faces.library import Trigraph
    from trigraph.faces.local.alone import alone
    from trigraph.faces.local.taking_in import take_in
    from trigraph.settings import load_settings

    settings = load_settings({"home": home}, folder=Path(home)).settings
    ends = time.monotonic() + LONGEST_SECONDS
    with alone(hooks_folder(home, "catching-up.lock")) as mine:
        if not mine:
            return
        with Trigraph(open_engine(settings), scope_of(settings)) as memory:
            for _ in range(ROUNDS_MOST):
                taken = take_in(memory, Path(home))
                worked = memory.engine.work_everywhere(schedule=False)
                if not taken + worked.done or time.monotonic() > ends:
                    return


def _written(path: str) -> float:
    try:
        return os.path.getmtime(path)
    except OSError:
        return 0.0


if __name__ == "__main__":
    os.nice(10)
    catch_up(sys.argv[1])
