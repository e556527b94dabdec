"""Asking a running server over its socket. Imports nothing that takes time, and waits no longer than it is told."""

from __future__ import annotations

import json
import os
import time

from trigraph.faces.local.address import is_own_socket, socket_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ANSWER_MOST_BYTES = 4 * 1024 * 1024


def ask(home: str, request: dict[str, Any], until: float) -> dict[str, Any] | None:
    """What a server of this home answers by that time of the monotonic clock; None if there is none, it is not the
    user's own, it does not answer in time, or it cannot."""
    if not hasattr(os, "getuid"):
        return None
    path = socket_path(home)
    if not is_own_socket(path):
        return None
    import socket

    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
            asked.settimeout(_left(until))
            asked.connect(path)
            if not is_same_user(asked):
                return None
            asked.sendall(json.dumps(request).encode() + b"\n")
            answer = json.loads(_line(asked, until))
    except (OSError, ValueError, RecursionError):
        return None
    found = answer.get("answer") if isinstance(answer, dict) else None
    return found if isinstance(found, dict) else None


def is_same_user(connection: Any) -> bool:
    """Whether the process at the other end is the user's own, where the system tells."""
    import socket
    import struct

    if not hasattr(socket, "SO_PEERCRED"):
        return True  # then the permissions of the socket and of its folder must do
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return bool(struct.unpack("3i", told)[1] == os.getuid())


def _line(asked: Any, until: float) -> bytes:
    read = b""
    while not read.endswith(b"\n"):
        asked.settimeout(_left(until))
        part = asked.recv(65_536)
        if not part or len(read) > ANSWER_MOST_BYTES:
            raise ValueError("the answer is cut off")
        read += part
    return read


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
