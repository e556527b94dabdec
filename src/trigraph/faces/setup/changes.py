"""Changes of configuration files: worked out first, shown as diffs, then made file by file, whole or not at all."""

from __future__ import annotations

import difflib
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from uuid import uuid4

from trigraph.errors import BrokenFile, Conflict, StoreError
from trigraph.faces.setup.clients import ConfigFile
from trigraph.faces.setup.editing import connected, disconnected, holds_ours

Action = Literal["created", "changed", "unchanged", "removed"]
BACKUP = ".trigraph.bak"


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after; None is no file. `keeps_original` makes the backup, `drops_backup` takes it away."""

    client: str
    path: Path
    before: str | None
    after: str | None
    keeps_original: bool = False
    drops_backup: bool = False

    @property
    def action(self) -> Action:
        if self.before == self.after:
            return "unchanged"
        if self.after is None:
            return "removed"
        return "created" if self.before is None else "changed"

    @property
    def backup(self) -> Path:
        return self.path.with_name(self.path.name + BACKUP)

    @property
    def diff(self) -> str:
        """A unified diff; little of what stands around, as there may be keys in it."""
        old, new = (io.StringIO(text or "").readlines() for text in (self.before, self.after))
        was, becomes = (os.devnull if text is None else str(self.path) for text in (self.before, self.after))
        lines = difflib.unified_diff(old, new, was, becomes, n=1)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def plan_install(client: str, file: ConfigFile) -> Change:
    """What connecting changes in a file."""
    before = read(file.path)
    after = connected(before, file)
    original = before is not None and before != after and not holds_ours(before, file)
    return Change(client, file.path, before, after, keeps_original=original)


def plan_uninstall(client: str, file: ConfigFile) -> Change:
    """What disconnecting changes in a file."""
    before = read(file.path)
    unchanged = Change(client, file.path, before, before)
    if before is None:
        return unchanged
    original = read(unchanged.backup)
    after = disconnected(before, file, original)
    return Change(client, file.path, before, after, drops_backup=after == original and after != before)


def read(path: Path) -> str | None:
    """A file's text with its line ends as they are; None if there is no file."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise BrokenFile(
            f"{path} is not UTF-8 text (byte {error.start}).", field="file", fix="Convert it and run this again."
        ) from error
    except OSError as error:
        raise BrokenFile(f"{path} cannot be read ({error.strerror}).", field="file", fix="Check the path.") from error


def make(change: Change) -> None:
    """Write, or remove, the file; its original is kept beside it first. A file that changed meanwhile stays."""
    if change.action == "unchanged":
        return
    if read(change.path) != change.before:
        raise Conflict(f"{change.path} was changed meanwhile.", fix="Run this again.")
    try:
        target = change.path.resolve()
        if change.keeps_original and change.before is not None:
            _write(change.backup, change.before, like=target)
        if change.after is None:
            target.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            _write(target, change.after, like=target)
        if change.drops_backup:
            change.backup.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            f"{change.path} cannot be written ({error.strerror}).", fix="Check the folder's rights and its space."
        ) from error


def _write(path: Path, text: str, *, like: Path) -> None:
    """The whole text or nothing, with the rights of `like`, or those of any new file if it is not there yet."""
    present = like.stat() if like.exists() else None
    mode = 0o666 if present is None else present.st_mode & 0o7777
    temporary = path.with_name(f".{path.name}.{uuid4().hex[:8]}.tmp")
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode & 0o777), "wb") as file:
            if present is not None:
                os.chmod(temporary, mode)
                _own(temporary, present)
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _own(path: Path, present: os.stat_result) -> None:
    """The same owner, where it is somebody else's file and we may."""
    if os.name == "posix" and (present.st_uid, present.st_gid) != (os.geteuid(), os.getegid()):
        try:
            os.chown(path, present.st_uid, present.st_gid)
        except PermissionError:
            return


def _sync_folder(folder: Path) -> None:
    """So that the new name survives a crash; Windows has no such thing."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
