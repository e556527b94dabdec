"""One process at a time: a lock on a file that ends with its process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def alone(path: str) -> Iterator[bool]:
    """Whether this process has the lock, for as long as the block lasts; another that has it is not waited for."""
    held = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield _locked(held)
    finally:
        os.close(held)


def _locked(file: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
