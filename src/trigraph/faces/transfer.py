"""Exports as files: written beside their place and moved there when they are whole; read twice, line by line."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from trigraph.contracts import Progress
from trigraph.errors import BrokenFile, StorageFull, StoreError
from trigraph.model.transfer import ExportReport, ImportReport

if TYPE_CHECKING:
    from trigraph.faces.library import Trigraph


class SupportsWrite(Protocol):
    """Anything that takes text."""

    def write(self, text: str, /) -> object: ...


def export_to(
    memory: Trigraph,
    path: Path,
    *,
    everything: bool,
    vectors: bool,
    events: bool,
    progress: Progress | None = None,
) -> ExportReport:
    """Write an export to a file that only its owner may read. A file already there stays until the new one is whole."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            written = Path(file.name)
            try:
                report = export_stream(
                    memory, file, everything=everything, vectors=vectors, events=events, progress=progress
                )
                file.flush()
                os.fsync(file.fileno())
                written.replace(path)
            except BaseException:
                written.unlink(missing_ok=True)
                raise
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StorageFull(f"No space left for {path}.", fix="Free some space and try again.") from error
        raise StoreError(
            f"{path} cannot be written ({error.strerror}).", fix="Check the folder and its space."
        ) from error
    return report


def export_stream(
    memory: Trigraph,
    stream: SupportsWrite,
    *,
    everything: bool,
    vectors: bool,
    events: bool,
    progress: Progress | None = None,
) -> ExportReport:
    """Write an export to an open stream."""
    return memory.engine.export(
        memory.scope, stream.write, everything=everything, vectors=vectors, events=events, progress=progress
    )


def import_from(memory: Trigraph, path: Path, progress: Progress | None = None) -> ImportReport:
    """Read an export from a file."""
    return memory.engine.import_(memory.scope, _lines(path), progress)


def _lines(path: Path) -> Callable[[], Iterator[str]]:
    def lines() -> Iterator[str]:
        try:
            with path.open(encoding="utf-8", newline="\n") as file:
                yield from file
        except UnicodeDecodeError as error:
            raise BrokenFile(f"{path} is not UTF-8 text.", field="file", fix="Export again.") from error
        except OSError as error:
            raise BrokenFile(
                f"{path} cannot be read ({error.strerror}).", field="file", fix="Check the path."
            ) from error

    return lines
