"""A configuration file is written whole or not at all, keeps its rights, and shows what becomes of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from trigraph.errors import BrokenFile, Conflict
from trigraph.faces.setup.changes import BACKUP, Change, make


def test_the_diff_says_what_changes_and_little_else(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    assert Change("x", path, "1\n2\n3\n4\n", "1\n2\n3\nnew\n4\n").diff == (
        f"--- {path}\n+++ {path}\n@@ -3,2 +3,3 @@\n 3\n+new\n 4\n"
    )
    assert Change("x", path, None, "a").diff == (
        f"--- /dev/null\n+++ {path}\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"
    )
    assert Change("x", path, "a\u2028b\n", None).diff == f"--- {path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\u2028b\n"
    assert Change("x", path, "a", "a").diff == ""


def test_rights_are_kept_by_the_file_and_its_backup(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    path.chmod(0o640)
    make(Change("x", path, "old", "new", keeps_original=True))

    backup = tmp_path / f"a.json{BACKUP}"
    assert (path.read_text(), backup.read_text()) == ("new", "old")
    assert [one.stat().st_mode & 0o777 for one in (path, backup)] == [0o640, 0o640]
    assert sorted(os.listdir(tmp_path)) == ["a.json", f"a.json{BACKUP}"]


def test_a_new_file_comes_with_its_folders_and_has_no_backup(tmp_path: Path) -> None:
    make(Change("x", tmp_path / "a" / "b" / "c.json", None, "new"))

    assert (tmp_path / "a" / "b" / "c.json").read_text() == "new"
    assert os.listdir(tmp_path / "a" / "b") == ["c.json"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "a.json"
    real.parent.mkdir()
    real.write_text("old")
    link = tmp_path / "a.json"
    link.symlink_to(real)
    make(Change("x", link, "old", "new"))

    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("newer")

    with pytest.raises(Conflict, match="was changed meanwhile"):
        make(Change("x", path, "old", "new", keeps_original=True))
    assert path.read_text() == "newer"
    assert os.listdir(tmp_path) == ["a.json"]


FULL = """
import resource, signal, sys
from pathlib import Path
from trigraph.faces.setup.changes import Change, make
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
make(Change("x", Path(sys.argv[1]), "old", "n" * 5000))
"""


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    done = subprocess.run([sys.executable, "-c", FULL, path], capture_output=True, text=True, check=False)

    assert f"StoreError: {path} cannot be written (File too large)." in done.stderr
    assert (path.read_text(), os.listdir(tmp_path)) == ("old", ["a.json"])


def test_a_folder_that_is_a_file_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a file")

    with pytest.raises(BrokenFile, match=r"cannot be read \(Not a directory\)"):
        make(Change("x", tmp_path / "a" / "c.json", None, "new"))
