"""The entry point: ready for Ctrl-C, and for a client that goes, before anything slow is imported."""

from __future__ import annotations

import gc
import signal
import sys
from types import FrameType


def start() -> None:
    """Run the `trigraph` command."""
    signal.signal(signal.SIGINT, _interrupted)
    if sys.argv[1:2] == ["mcp"]:
        from trigraph.faces.mcp.ending import end_with_client

        end_with_client()
    gc.disable()  # what is imported stays: to look through it again and again takes a tenth of the time
    from trigraph.faces.cli.main import main

    gc.freeze()
    gc.enable()
    main()


def _interrupted(number: int, frame: FrameType | None) -> None:
    """Ctrl-C ends the command at once, blocks closed behind it."""
    sys.exit(130)  # as exit_codes says; nothing is imported yet


if __name__ == "__main__":
    start()
