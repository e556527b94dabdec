"""Every file of every client, compared byte for byte with what its documentation says: made, kept, and put back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trigraph.errors import BrokenFile, Conflict, InvalidInput, NotFound
from trigraph.faces.setup.changes import BACKUP, Change, make
from trigraph.faces.setup.clients import NAMES, Programs
from trigraph.faces.setup.places import Places, find_places
from trigraph.faces.setup.planning import Plan, find_programs, make_plan

DATA = Path(__file__).parents[2] / "data" / "setup"
PROGRAMS = Programs("trigraph", "/opt/tools/bin/trigraph", "trigraph-hook")
SCOPES = ["user", "project"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Home folder and project in one, as no file is called the same in both scopes of these tests."""
    return tmp_path


def _places(root: Path) -> Places:
    return find_places({}, "linux", home=root, project=root)


def _plan(root: Path, client: str, scope: str = "user", *, hooks: bool = True, uninstall: bool = False) -> Plan:
    return make_plan(client, scope, _places(root), PROGRAMS, hooks=hooks, uninstall=uninstall)


def _all(scope: str) -> list[str]:
    return [name for name in NAMES if (scope, name) != ("project", "claude-desktop")]


def _run(root: Path, scope: str, *, hooks: bool = True, uninstall: bool = False) -> list[Change]:
    """Every client in turn, whether it is found or not."""
    changes = []
    for name in _all(scope):
        for change in _plan(root, name, scope, hooks=hooks, uninstall=uninstall).changes:
            make(change)
            changes.append(change)
    return changes


def _tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _actions(changes: list[Change]) -> set[str]:
    return {change.action for change in changes}


@pytest.mark.req("X12")
@pytest.mark.parametrize("scope", SCOPES)
def test_new_files_are_as_documented_and_gone_after_uninstall(root: Path, scope: str) -> None:
    assert _actions(_run(root, scope)) == {"created"}
    assert _tree(root) == _tree(DATA / "fresh" / scope)

    assert _actions(_run(root, scope)) == {"unchanged"}
    assert _tree(root) == _tree(DATA / "fresh" / scope)

    assert _actions(_run(root, scope, uninstall=True)) == {"removed"}
    assert _tree(root) == {}


@pytest.mark.req("X12")
@pytest.mark.parametrize("scope", SCOPES)
def test_what_is_in_a_file_stays_and_uninstall_puts_it_back(root: Path, scope: str) -> None:
    before, after = _tree(DATA / "existing" / scope / "before"), _tree(DATA / "existing" / scope / "after")
    shutil.copytree(DATA / "existing" / scope / "before", root, dirs_exist_ok=True)

    assert _actions(_run(root, scope)) == {"changed"}
    assert _tree(root) == after | {name + BACKUP: content for name, content in before.items()}

    assert _actions(_run(root, scope)) == {"unchanged"}
    assert _tree(root) == after | {name + BACKUP: content for name, content in before.items()}

    assert _actions(_run(root, scope, uninstall=True)) == {"changed"}
    assert _tree(root) == before


@pytest.mark.parametrize("scope", SCOPES)
def test_without_the_backup_nothing_but_ours_goes(root: Path, scope: str) -> None:
    shutil.copytree(DATA / "existing" / scope / "after", root, dirs_exist_ok=True)
    _run(root, scope, uninstall=True)

    assert _tree(root) == _tree(DATA / "existing" / scope / "before")


def test_every_client_has_its_files_here() -> None:
    made = {change.path for name in NAMES for change in _plan(Path("/nowhere"), name).changes}
    assert {str(path.relative_to("/nowhere")) for path in made} == _tree(DATA / "fresh" / "user").keys()


def test_hooks_can_come_later_and_go_with_the_rest(root: Path) -> None:
    shutil.copytree(DATA / "existing" / "user" / "before", root, dirs_exist_ok=True)
    _run(root, "user", hooks=False)
    assert b"trigraph-hook" not in (root / ".claude/settings.json").read_bytes().replace(b"not-trigraph-hook", b"")
    assert not (root / f".claude/settings.json{BACKUP}").exists()

    _run(root, "user", hooks=True)
    assert (root / ".claude/settings.json").read_bytes() == (
        DATA / "existing/user/after/.claude/settings.json"
    ).read_bytes()
    _run(root, "user", uninstall=True)
    assert _tree(root) == _tree(DATA / "existing" / "user" / "before")


def test_what_the_user_added_to_our_entry_stays(root: Path) -> None:
    file = root / ".cursor" / "mcp.json"
    file.parent.mkdir()
    written = '{"mcpServers": {"trigraph": {"command": "uvx", "args": ["trigraph", "mcp"], "env": {"A": "b"}}}}\n'
    file.write_text(written)
    (change,) = _plan(root, "cursor", hooks=False).changes

    assert change.after == written.replace('"uvx"', '"trigraph"').replace('["trigraph", "mcp"]', '["mcp"]')
    assert not change.keeps_original, "ours was there before: this is no original"


def test_what_changed_after_install_survives_uninstall(root: Path) -> None:
    shutil.copytree(DATA / "existing" / "user" / "before", root, dirs_exist_ok=True)
    _run(root, "user")
    settings = root / ".codex" / "config.toml"
    settings.write_text(settings.read_text() + "\n[later]\nx = 1\n")
    servers = root / ".config/Code/User/mcp.json"
    servers.write_text(servers.read_text().replace("// asked for once", "// asked for twice"))
    _run(root, "user", uninstall=True)

    before = DATA / "existing" / "user" / "before"
    assert settings.read_text() == (before / ".codex/config.toml").read_text() + "\n[later]\nx = 1\n"
    assert servers.read_text() == (before / ".config/Code/User/mcp.json").read_text().replace("once", "twice")
    assert servers.with_name(servers.name + BACKUP).exists(), "the original differs: it is kept"


def test_a_backup_that_holds_ours_is_no_original(root: Path) -> None:
    (root / ".gemini").mkdir()
    file = root / ".gemini" / "settings.json"
    file.write_text('{"theme": "x"}')
    make(_plan(root, "gemini").changes[0])
    hooks_only = file.read_text().replace(', "mcpServers": {"trigraph": {"command": "trigraph", "args": ["mcp"]}}', "")
    file.write_text(hooks_only)
    make(_plan(root, "gemini", hooks=False).changes[0])
    file.with_name(file.name + BACKUP).write_text(hooks_only)
    make(_plan(root, "gemini", uninstall=True).changes[0])

    assert file.read_text() == '{"theme": "x"}'


def test_an_older_hook_of_ours_is_replaced_where_it_stands(root: Path) -> None:
    file = root / ".claude" / "settings.json"
    file.parent.mkdir()
    documented = (DATA / "fresh/user/.claude/settings.json").read_text()
    old = documented.replace('"timeout": 3\n', '"timeout": 60\n').replace('"SessionEnd"', '"Notification"')
    file.write_text(old)
    change = _plan(root, "claude-code").changes[1]

    assert change.after == documented


def test_a_handler_of_ours_among_those_of_others_goes_alone(root: Path) -> None:
    file = root / ".claude" / "settings.json"
    file.parent.mkdir()
    theirs = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}'
    ours = '{"type": "command", "command": "/a b/trigraph-hook", "args": ["claude", "stop"]}'
    file.write_text(theirs.replace('"theirs"}', f'"theirs"}}, {ours}'))

    assert _plan(root, "claude-code", uninstall=True).changes[1].after == theirs


@pytest.mark.parametrize(
    ("client", "name", "text", "told"),
    [
        ("cursor", ".cursor/mcp.json", '{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: a comma or } is expected"),
        ("vscode", ".config/Code/User/mcp.json", "{'a': 1}", "line 1, column 2: a name in double quotes"),
        ("codex", ".codex/config.toml", 'model = "x"\n= 3\n', "as TOML: line 2"),
        ("gemini", ".gemini/settings.json", '{"mcpServers": []}', "mcpServers is not an object"),
        ("gemini", ".gemini/settings.json", '{"hooks": {"SessionStart": {}}}', "hooks.SessionStart is not a list"),
        ("codex", ".codex/config.toml", "mcp_servers = 3\n", "mcp_servers is not a table"),
        ("cursor", ".cursor/hooks.json", "[]", "the document is not an object"),
        ("cursor", ".cursor/hooks.json", b"\xff{}", "is not UTF-8 text (byte 0)"),
    ],
)
def test_a_file_that_cannot_be_understood_is_refused(
    root: Path, client: str, name: str, text: str | bytes, told: str
) -> None:
    (root / name).parent.mkdir(parents=True)
    (root / name).write_bytes(text.encode() if isinstance(text, str) else text)
    before = _tree(root)

    with pytest.raises(BrokenFile) as refused:
        _plan(root, client)
    assert str(root / name) in str(refused.value)
    assert told in str(refused.value)
    assert refused.value.fix
    assert _tree(root) == before


def test_one_broken_file_stops_all_before_anything_is_written(root: Path) -> None:
    (root / ".codex").mkdir()
    (root / ".gemini").mkdir()
    (root / ".gemini" / "settings.json").write_text("{")

    with pytest.raises(BrokenFile, match="line 1, column 2"):
        _plan(root, "all")
    assert _tree(root) == {".gemini/settings.json": b"{"}


def test_an_empty_file_is_as_good_as_none(root: Path) -> None:
    file = root / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text("\n")
    make(_plan(root, "cursor", hooks=False).changes[0])
    assert file.read_bytes() == (DATA / "fresh/user/.cursor/mcp.json").read_bytes()

    make(_plan(root, "cursor", uninstall=True).changes[0])
    assert _tree(root) == {".cursor/mcp.json": b"\n"}


def test_a_connection_made_by_hand_in_another_way_is_left_alone(root: Path) -> None:
    file = root / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"trigraph": {"url": "http://127.0.0.1:8765/mcp"}}}')

    with pytest.raises(Conflict, match="in another way"):
        _plan(root, "cursor")
    assert _actions(list(_plan(root, "cursor", uninstall=True).changes)) == {"unchanged"}


def test_clients_are_found_by_their_traces_and_their_commands(root: Path) -> None:
    with pytest.raises(NotFound, match="No client was found"):
        _plan(root, "all")
    (root / ".cursor").mkdir()
    (root / ".config" / "Claude").mkdir(parents=True)
    tools = root / "bin"
    tools.mkdir()
    (tools / "codex").touch(mode=0o755)
    places = find_places({"PATH": str(tools)}, "linux", root, root)

    plan = make_plan("all", "user", places, PROGRAMS, hooks=False, uninstall=False)
    assert [client.name for client in plan.clients] == ["codex", "cursor", "claude-desktop"]
    plan = make_plan("all", "project", places, PROGRAMS, hooks=False, uninstall=False)
    assert [client.name for client in plan.clients] == ["codex", "cursor"]
    assert plan.notes == ("claude-desktop is left out: it has no project scope",)


def test_a_client_that_is_not_there_is_prepared_and_said_so(root: Path) -> None:
    assert _plan(root, "vscode", hooks=False).notes == (
        "vscode was not found on this machine; its configuration is prepared all the same",
    )


def test_claude_desktop_knows_no_project(root: Path) -> None:
    with pytest.raises(InvalidInput, match="no configuration of its own for a project"):
        _plan(root, "claude-desktop", "project")


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {}, "h/.config"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "/x"),
        ("darwin", {"XDG_CONFIG_HOME": "/x"}, "h/Library/Application Support"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming"),
        ("win32", {}, "h/AppData/Roaming"),
    ],
)
def test_desktop_programs_keep_their_files_where_the_platform_says(
    platform: str, environment: dict[str, str], expected: str
) -> None:
    assert find_places(environment, platform, Path("h"), Path("p")).programs == Path(expected)


def test_folders_that_the_user_moved_are_followed() -> None:
    moved = find_places({"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/d"}, "linux", Path("h"), Path("p"))
    assert (moved.claude_json, moved.claude, moved.codex) == (Path("/c/.claude.json"), Path("/c"), Path("/d"))


def test_programs_go_by_name_on_path_and_by_place_elsewhere(tmp_path: Path) -> None:
    scripts, tools = tmp_path / "venv", tmp_path / "tools"
    for folder in (scripts, tools):
        folder.mkdir()
        (folder / "trigraph").touch(mode=0o755)

    on_path = find_programs(find_places({"PATH": str(tools)}, "linux", tmp_path, tmp_path), scripts)
    elsewhere = find_programs(find_places({"PATH": str(tmp_path)}, "linux", tmp_path, tmp_path), scripts)
    assert on_path == Programs("trigraph", str(tools / "trigraph"), "trigraph-hook")
    assert elsewhere == Programs(str(scripts / "trigraph"), str(scripts / "trigraph"), str(scripts / "trigraph-hook"))


def test_a_program_that_only_this_shell_finds_is_warned_of(tmp_path: Path) -> None:
    tools = tmp_path / "venv" / "bin"
    tools.mkdir(parents=True)
    (tools / "trigraph").touch(mode=0o755)
    places = find_places({"PATH": str(tools)}, "linux", tmp_path, tmp_path)
    (tmp_path / ".cursor").mkdir()

    def notes() -> tuple[str, ...]:
        programs = find_programs(places, tools)
        return make_plan("cursor", "user", places, programs, hooks=False, uninstall=False).notes

    assert notes() == ()
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    (told,) = notes()
    assert "is in a virtual environment" in told


def test_a_path_with_a_space_is_one_word_of_a_command_line(root: Path) -> None:
    programs = Programs("/a b/trigraph", "/a b/trigraph", "/a b/trigraph-hook")
    make(make_plan("cursor", "user", _places(root), programs, hooks=True, uninstall=False).changes[1])

    assert r'"\"/a b/trigraph-hook\" cursor stop"' in (root / ".cursor/hooks.json").read_text()
    make(_plan(root, "cursor", uninstall=True).changes[1])
    assert _tree(root) == {}
