"""What a hook reads of the settings is what everything else reads, without what takes time."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from trigraph import sources
from trigraph.settings import flat, load_settings

FILES: tuple[dict[str, str], ...] = (
    {},
    {"project/.trigraph.toml": '[scope]\nproject = "quay"\nagent = "ben"\n'},
    {
        "project/pyproject.toml": '[tool.trigraph.scope]\nproject = "pier"\n',
        "project/.trigraph.toml": "scope.agent = 'x'",
    },
    {"config/trigraph/config.toml": 'home = "/somewhere"\n[scope]\ntenant = "acme"\n[hooks]\ncatch_up = false\n'},
    {"project/.trigraph.toml": 'home = "/stolen"\n[hooks]\ncatch_up = false\n', "config/trigraph/config.toml": ""},
    {"project/pyproject.toml": "[tool.other]\nx = 1\n"},
)
NAMES = ("home", "scope.tenant", "scope.project", "scope.agent", "hooks.catch_up")


@pytest.mark.parametrize("files", FILES)
@pytest.mark.parametrize(
    "environment",
    [{}, {"TRIGRAPH_HOME": "/env", "TRIGRAPH_SCOPE__PROJECT": "env"}, {"TRIGRAPH_HOOKS__CATCH_UP": "true"}],
)
def test_a_hook_reads_what_everything_else_reads(
    files: dict[str, str], environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("sys.platform", "linux")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    folder = tmp_path / "project"
    settings = dict(flat(load_settings({}, environment, folder).settings))
    defaults = dict(flat(load_settings({}, {}, Path("/")).settings)) if "config" not in str(files) else settings
    given = sources.given_values(str(folder), environment)

    for name in NAMES:
        assert str(given.get(name, defaults[name])).lower() == str(settings[name]).lower(), name


@pytest.mark.parametrize("value", [None, "", "  ", "/elsewhere"])
def test_folders_of_the_user_are_where_the_platform_has_them(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)

    assert sources.user_config_file() == str(Path(platformdirs.user_config_dir("trigraph")) / "config.toml")
    assert sources.default_home() == platformdirs.user_data_dir("trigraph")


def test_keeping_memory_out_is_not_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings({}, {"TRIGRAPH_BYPASS": "1"}, Path("/")).warnings == ()
    for value, kept_out in (("1", True), ("0", False), ("", False)):
        monkeypatch.setenv("TRIGRAPH_BYPASS", value)
        assert sources.is_bypassed() is kept_out
