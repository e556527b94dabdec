"""Where benchmark data is, and what to say when it is not there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

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


def sets_folder(given: Path | None = None) -> Path:
    """The folder of labelled sets that belong to trigraph: `benchmarks` in its repository."""
    folder = given or Path(__file__).parents[3] / "benchmarks"
    if not folder.is_dir():
        raise BrokenFile(
            f"The labelled sets are not at {folder}.",
            field="sets",
            fix="Run it in a checkout of trigraph, or name the folder with --sets.",
        )
    return folder


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
