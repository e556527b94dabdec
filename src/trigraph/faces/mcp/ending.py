"""How a server over stdin and stdout ends: with its client, whatever it is doing. Imports nothing that takes time."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from functools import cache

ENDING_SECONDS = 2.0
"""So long may a call that is under way take when its client is gone."""
PAUSE_SECONDS = 0.1

_serving = threading.Event()


@cache
def end_with_client() -> None:
    """Once in a process: from now on Ctrl-C and SIGTERM end it at once, and so does a client that goes. What was
    acknowledged is on disk, and nothing is there by half."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    if sys.platform != "win32":  # there, the end of stdin is noticed when it is read
        streams = os.dup(0), os.dup(1)  # the server puts others in their place
        threading.Thread(target=_watch, args=streams, name="trigraph-client", daemon=True).start()


def now_serving() -> None:
    """From now on a call may be under way."""
    _serving.set()


def end_now() -> None:
    """The store is closed and the client gone: nothing is left to be put in order."""
    os._exit(0)


def _watch(stdin: int, stdout: int) -> None:
    """Wait until the other end of stdin is closed and all is read, or nobody is there to answer."""
    closed = select.poll()
    closed.register(stdin, 0)  # that the other end was closed is told in any case
    closed.poll()
    while _told(stdin, select.POLLIN) & select.POLLIN and not _told(stdout, 0):
        time.sleep(PAUSE_SECONDS)
    if _serving.is_set():
        time.sleep(ENDING_SECONDS)
    os._exit(0)


def _told(stream: int, of: int) -> int:
    asked = select.poll()
    asked.register(stream, of)
    return sum(events for _, events in asked.poll(0))
