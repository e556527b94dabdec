"""A module run as a program that ends with whoever started it, however that ends: when its stdin is closed."""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time

GRACE_SECONDS = 10.0


def start() -> None:
    """Run the module that the first argument names, with the other arguments."""
    threading.Thread(target=_end_with_starter, name="trigraph-tied", daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _end_with_starter() -> None:
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    start()
