"""Where benchmark data is, and what to say when it is not there."""

from __future__ import annotations

import os
from pathlib import Path

from trigraph.errors import BrokenFile


def data_folder(name: str) -> Path:
    """A folder of measuring data: below `TRIGRAPH_DATA`, by default `../shared/data`."""
    root = Path(os.environ.get("TRIGRAPH_DATA", "../shared/data"))
    folder = root / name
    if not folder.is_dir():
        raise BrokenFile(
            f"The data for this benchmark is not at {folder}.",
            field="data",
            fix="Set TRIGRAPH_DATA to the folder that holds it. It is not part of trigraph.",
        )
    return folder
