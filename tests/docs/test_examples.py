"""Every example in the documentation runs, and nothing that a user can call or set is left out of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from examples import absent, blocks, examples, run_file
from write_cli_reference import commands, reference
from write_tools_reference import reference as tools_reference

from trigraph.faces.mcp.server import TOOLSETS
from trigraph.settings import setting_names

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
REFERENCE = ROOT / "docs" / "reference"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_of_a_page_run(path: Path, tmp_path: Path) -> None:
    assert run_file(path, tmp_path) == []


def test_the_readme_has_examples_that_run() -> None:
    assert {example.language for example in examples(PAGES[0].read_text(encoding="utf-8"))} == {"bash", "python"}


def test_every_command_is_in_the_reference() -> None:
    text = (REFERENCE / "cli.md").read_text(encoding="utf-8")

    assert len(commands()) > 10
    assert [name for name in commands() if f"`{name}`\n" not in text] == []


def test_the_reference_of_commands_is_what_the_commands_say_of_themselves() -> None:
    written = (REFERENCE / "cli.md").read_text(encoding="utf-8")

    assert written == reference(), f"run {sys.executable} docs/write_cli_reference.py"


def test_the_reference_of_tools_is_what_the_tools_say_of_themselves() -> None:
    written = (REFERENCE / "tools.md").read_text(encoding="utf-8")

    assert written == tools_reference(), f"run {sys.executable} docs/write_tools_reference.py"
    names = {spec.name for tools in TOOLSETS.values() for spec in tools}
    assert [name for name in names if f"### `{name}`\n" not in written] == []


def test_every_setting_is_in_the_reference() -> None:
    text = (REFERENCE / "settings.md").read_text(encoding="utf-8")

    assert [name for name in setting_names() if f"`{name}`" not in text] == []


def test_blocks_are_found_in_lists_and_between_longer_fences() -> None:
    text = "1. one\n   ```bash\n   echo a\n     echo b\n   ```\n````markdown\n```bash\nfalse\n```\n````\n"

    assert [(block.line, block.language, block.code) for block in blocks(text)] == [
        (2, "bash", "echo a\n  echo b"),
        (6, "markdown", "```bash\nfalse\n```"),
    ]


def test_a_block_without_an_end_is_an_error() -> None:
    with pytest.raises(ValueError, match="line 2 has no end"):
        list(blocks("text\n```bash\necho a\n"))


def test_only_what_is_meant_to_run_is_run() -> None:
    text = """
```bash
echo run
```

```text
run
```

<!-- not run: needs a server -->
```bash
false
```
```text
promised by nobody
```
```json
{}
```
```python
print(1)
```
Some words between.
```text
not its output
```
"""
    assert [(example.language, example.promised) for example in examples(text)] == [("bash", "run"), ("python", None)]


@pytest.mark.parametrize(
    ("promised", "missing"),
    [("added m_…\n\n2 memories", None), ("2 memories\nadded …", "added …"), ("3 memories", "3 memories")],
)
def test_promised_lines_must_come_in_order(promised: str, missing: str | None) -> None:
    assert absent(promised, "hello\nadded m_01abc\n  2 memories  \n") == missing


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("```bash\necho one; false\necho two\n```", "page.md:1 failed:\none\n"),
        ("```bash\necho one\n```\n```text\ntwo\n```", "page.md:1 does not say 'two' but:\none\n"),
        ("```bash\nfalse | cat\n```", "page.md:1 failed:\n"),
        ("```python\nx = 1\n```\n```python\nassert x == 2\n```", "page.md:4 failed:\nTraceback"),
    ],
)
def test_an_example_that_does_not_work_is_told_with_its_place(text: str, fault: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")

    (told,) = run_file(page, tmp_path)
    assert told.startswith(fault)


def test_blocks_of_a_page_share_a_folder_a_store_and_a_namespace(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```bash\necho heron > bird; trigraph --version\n```\n```text\ntrigraph … (SQLite …\n```\n"
        "```python\nimport os, pathlib\nbird = pathlib.Path('bird').read_text()\n```\n"
        "```python\nprint(bird, os.environ['TRIGRAPH_HOME'])\n```\n```text\nheron\n/home\n```\n",
        encoding="utf-8",
    )

    assert run_file(page, tmp_path) == []


def test_the_writer_of_the_reference_can_be_run_by_hand(tmp_path: Path) -> None:
    target = tmp_path / "cli.md"
    subprocess.run([sys.executable, ROOT / "docs" / "write_cli_reference.py", target], check=True)

    assert target.read_text(encoding="utf-8") == reference()
