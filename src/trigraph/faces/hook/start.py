"""The entry point `trigraph-hook`: whatever happens it ends in time, with exit code 0, and with nothing on stderr."""

from __future__ import annotations

import os
import sys
import threading
import time

ENDS_AFTER_SECONDS = 0.28
"""Counted from the start of the process, the interpreter's own share included."""
INPUT_MOST_BYTES = 8 * 1024 * 1024
USAGE = """usage: trigraph-hook <client> <event>

Run by AI clients, not by people: reads the client's JSON on stdin, answers on stdout.
Clients: claude, codex, gemini, cursor. Events: session-start, prompt, pre-compact, stop, session-end.
`trigraph setup <client> --hooks` writes them into a client's configuration.
"""


def start() -> None:
    """Run one hook and end the process."""
    began = _began()
    if sys.argv[1:2] in (["--help"], ["-h"]):
        sys.stdout.write(USAGE)
        return
    watchdog = threading.Thread(target=_end_at, args=(began + ENDS_AFTER_SECONDS,), daemon=True)
    watchdog.start()
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        from trigraph.faces.hook.events import answer

        told = answer(sys.argv[1:], _read(), began + ENDS_AFTER_SECONDS).encode()
        while told:
            told = told[os.write(1, told) :]
    except BaseException:  # whatever it was: the client goes on without memory
        pass
    finally:
        os._exit(0)  # at once: nothing is left to be put in order


def _read() -> bytes:
    given = sys.stdin.buffer.read(INPUT_MOST_BYTES + 1)
    return b"" if len(given) > INPUT_MOST_BYTES else given


def _end_at(moment: float) -> None:
    time.sleep(max(moment - time.monotonic(), 0.0))
    os._exit(0)


def _began() -> float:
    """When this process was started, by the monotonic clock."""
    now = time.monotonic()
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        since = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
        return now - min(max(since, 0.0), ENDS_AFTER_SECONDS)
    except (OSError, ValueError, IndexError, AttributeError):
        return now - 0.03


if __name__ == "__main__":
    start()
