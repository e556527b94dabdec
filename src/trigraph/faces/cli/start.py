"""The entry point: ready for Ctrl-C before anything slow is imported."""

from __future__ import annotations

import signal
import sys
from types import FrameType


def start() -> None:
    """Run the `trigraph` command."""
    signal.signal(signal.SIGINT, _interrupted)
    from trigraph.faces.cli.main import main

    main()


def _interrupted(number: int, frame: FrameType | None) -> None:
    """Ctrl-C ends the command at once, blocks closed behind it."""
    sys.exit(130)  # as exit_codes says; nothing is imported yet


if __name__ == "__main__":
    start()
