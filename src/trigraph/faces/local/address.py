"""Where the socket of a home lies, and whether what lies there is ours. Imports nothing that takes time."""

from __future__ import annotations

import hashlib
import os
import stat

NAME = "local.sock"
LONGEST_BYTES = 100
"""Some systems take 104 bytes of a socket's path, others 108, the end included."""


def socket_path(home: str) -> str:
    """The socket of a home: in it, or, where that is too long a path, in a folder of the user's own below /tmp."""
    home = os.path.realpath(home)
    path = os.path.join(home, NAME)
    if len(os.fsencode(path)) < LONGEST_BYTES:
        return path
    short = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    return f"/tmp/trigraph-{os.getuid()}/{short}.sock"


def is_private_folder(path: str) -> bool:
    """Whether a folder is the user's own, and nobody else can put anything there."""
    found = os.lstat(path)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022


def is_own_socket(path: str) -> bool:
    """Whether a socket of the user's own lies there, that nobody else can use."""
    try:
        found = os.lstat(path)
        owned = found.st_uid == os.getuid() and not found.st_mode & 0o077
        return stat.S_ISSOCK(found.st_mode) and owned and is_private_folder(os.path.dirname(path))
    except OSError:
        return False
