"""One process that exports or imports; run by test_transfer, which measures or kills it.

`transfer_process.py import HOME FILE` and `… export HOME FILE [MEMORIES]`, without a model. Says `memories N`
after every batch (of an import) or every hundred (of an export), and at the end
tells as JSON the report and the peak of its memory. Of that the kernel's own mark is taken (VmHWM), not ru_maxrss:
that one holds what the process was before it became Python, a copy of the whole test run. An export with MEMORIES
kills itself when it has told that many.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from dataclasses import asdict
from pathlib import Path

from trigraph.assembly import open_engine
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings


def main() -> None:
    verb, home, file, *last = sys.argv[1:]
    settings = Settings(home=home, embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings), LOCAL_SCOPE) as memory:
        told = 0

        def progress(memories: int) -> None:
            nonlocal told
            told += memories
            if verb == "import" or told % 100 == 0:
                os.write(1, f"memories {told}\n".encode())
            if last and told >= int(last[0]):
                os.kill(os.getpid(), signal.SIGKILL)

        if verb == "import":
            report = memory.import_(file, progress=progress)
        else:
            report = memory.export(file, everything=True, progress=progress)
    print(json.dumps({**asdict(report), "peak_bytes": _peak_bytes()}))


def _peak_bytes() -> int:
    marked = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert marked is not None
    return int(marked[1]) * 1024


if __name__ == "__main__":
    main()
