"""Settings: who wins, where a value came from, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from trigraph.assembly import open_engine
from trigraph.errors import ConfigError
from trigraph.settings import Loaded, Settings, flat, load_settings, session_in_environment, setting_names


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def user_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_config_dir", lambda name: str(tmp_path / "config" / name))
    file = tmp_path / "config" / "trigraph" / "config.toml"
    file.parent.mkdir(parents=True)
    return file


@pytest.fixture(autouse=True)
def _no_file_of_this_user(user_file: Path) -> None:
    """Whoever runs the tests may have settings of their own."""


def _load(project: Path, environment: dict[str, str] | None = None, **flags: object) -> Loaded:
    return load_settings({name.replace("__", "."): value for name, value in flags.items()}, environment or {}, project)


def test_without_any_source_the_defaults_hold(project: Path) -> None:
    loaded = _load(project)

    assert loaded.settings == Settings()
    assert (loaded.origins, loaded.warnings) == ({}, ())
    assert loaded.settings.server.host == "127.0.0.1"
    assert loaded.settings.embedder.kind == "pack"


def test_each_source_beats_the_ones_below_it(project: Path, user_file: Path) -> None:
    def port() -> tuple[int, str | None]:
        loaded = _load(project, environment, **flags)
        return loaded.settings.server.port, loaded.origins.get("server.port")

    environment: dict[str, str] = {}
    flags: dict[str, object] = {"server__port": None}
    assert port() == (8765, None)
    user_file.write_text("[server]\nport = 1001\n", encoding="utf-8")
    assert port() == (1001, str(user_file))
    (project / "pyproject.toml").write_text("[tool.trigraph.server]\nport = 1002\n", encoding="utf-8")
    assert port() == (1002, str(project / "pyproject.toml"))
    (project / ".trigraph.toml").write_text("server.port = 1003\n", encoding="utf-8")
    assert port() == (1003, str(project / ".trigraph.toml"))
    environment["TRIGRAPH_SERVER__PORT"] = "1004"
    assert port() == (1004, "environment")
    flags["server__port"] = 1005
    assert port() == (1005, "flag")


def test_sources_are_merged_setting_by_setting(project: Path, user_file: Path) -> None:
    user_file.write_text('home = "/a"\n[server]\nport = 1001\nhost = "::1"\n', encoding="utf-8")
    settings = _load(project, {"TRIGRAPH_SERVER__PORT": "1002"}).settings

    assert (settings.home, settings.server.host, settings.server.port) == ("/a", "::1", 1002)


def test_two_underscores_in_the_environment_are_one_dot(project: Path) -> None:
    environment = {
        "TRIGRAPH_HOME": "/data",
        "TRIGRAPH_EMBEDDER__TIMEOUT_SECONDS": "2.5",
        "TRIGRAPH_EMBEDDER__CACHE_ENTRIES": "7",
        "TRIGRAPH_DATA": "/bench",
        "OTHER_HOME": "/x",
    }
    loaded = _load(project, environment)

    assert loaded.settings.home == "/data"
    assert (loaded.settings.embedder.timeout_seconds, loaded.settings.embedder.cache_entries) == (2.5, 7)
    assert loaded.warnings == ()


@pytest.mark.parametrize(
    ("toml", "warning"),
    [
        (
            "[embedder]\nthread = 2\n",
            "unknown setting embedder.thread ({file}); did you mean embedder.threads?",
        ),
        ('hme = "x"\n', "unknown setting hme ({file}); did you mean home?"),
        ("qqqqqq = 1\n", "unknown setting qqqqqq ({file})"),
        ('server = "localhost"\n', "unknown setting server ({file}); did you mean server.port?"),
    ],
)
def test_an_unknown_setting_is_a_warning_with_a_suggestion(project: Path, toml: str, warning: str) -> None:
    file = project / ".trigraph.toml"
    file.write_text(toml, encoding="utf-8")
    loaded = _load(project)

    assert loaded.warnings == (warning.format(file=file),)
    assert loaded.settings == Settings()


def test_an_unknown_variable_is_a_warning_too(project: Path) -> None:
    (warning,) = _load(project, {"TRIGRAPH_SERVER__PROT": "1"}).warnings

    assert warning == "unknown setting server.prot (environment); did you mean server.port?"


@pytest.mark.parametrize("name", [".trigraph.toml", "pyproject.toml"])
@pytest.mark.parametrize("content", [b"home = ", b"[server", b"\xff\xfe"])
def test_a_broken_file_is_an_error_that_names_it(project: Path, name: str, content: bytes) -> None:
    (project / name).write_bytes(content)

    with pytest.raises(ConfigError, match="cannot be read as TOML") as failed:
        _load(project)
    assert str(project / name) in str(failed.value)


def test_a_pyproject_without_us_says_nothing(project: Path) -> None:
    (project / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.ruff]\nline-length = 9\n', encoding="utf-8")

    assert _load(project) == Loaded(Settings(), {}, ())


@pytest.mark.parametrize("value", ["many", "", "1.5", "0x10"])
def test_a_value_of_the_wrong_type_is_an_error_that_names_it(project: Path, value: str) -> None:
    with pytest.raises(ConfigError, match=r"^server.port .*\(environment\). Give a value of type int"):
        _load(project, {"TRIGRAPH_SERVER__PORT": value})


@pytest.mark.parametrize("toml", ["server.port = 8765.9", "server.port = true", 'home = ["a"]', "home = 5"])
def test_a_toml_value_of_the_wrong_type_is_an_error_too(project: Path, user_file: Path, toml: str) -> None:
    user_file.write_text(toml, encoding="utf-8")

    with pytest.raises(ConfigError):
        _load(project)


@pytest.mark.parametrize("name", ["home", "embedder.url", "embedder.kind", "embedder.key_file", "embedder.package"])
def test_a_cloned_repository_cannot_say_where_memories_go(project: Path, name: str) -> None:
    (project / ".trigraph.toml").write_text(f'{name} = "http"\nscope.project = "site"\n', encoding="utf-8")

    loaded = _load(project)
    assert dict(flat(loaded.settings))[name] == dict(flat(Settings()))[name]
    assert loaded.settings.scope.project == "site"
    assert len(loaded.warnings) == 1
    assert loaded.warnings[0].startswith(f"{name} is not taken from a project's file")


def test_an_empty_text_is_a_value(project: Path, user_file: Path) -> None:
    user_file.write_text('home = "/a"\n', encoding="utf-8")

    assert _load(project, {"TRIGRAPH_HOME": ""}).settings.home == ""


def test_home_is_a_folder_of_the_user_unless_it_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    assert Settings(home="~/memory").home_folder() == tmp_path / "memory"
    assert Settings().home_folder().name == "trigraph"


def test_every_setting_has_a_dotted_name() -> None:
    names = setting_names()

    assert {"home", "embedder.kind", "embedder.threads", "server.port", "scope.agent"} <= set(names)
    assert dict(flat(Settings()))["server.port"] == 8765
    assert len(names) == len(set(names))


def test_how_long_what_was_forgotten_can_be_restored_is_the_users_own_setting(project: Path, user_file: Path) -> None:
    assert _load(project).settings.memory.restore_days == 30
    user_file.write_text("[memory]\nrestore_days = 7\n", encoding="utf-8")
    (project / ".trigraph.toml").write_text("memory.restore_days = 0\n", encoding="utf-8")
    loaded = _load(project)

    assert loaded.settings.memory.restore_days == 7
    assert [warning for warning in loaded.warnings if warning.startswith("memory.restore_days is not taken")] != []
    with pytest.raises(ConfigError, match=r"memory\.restore_days is negative"):
        open_engine(_load(project, {"TRIGRAPH_MEMORY__RESTORE_DAYS": "-1"}).settings, in_memory=True)


def test_documents_and_recall_are_a_projects_own_matter_and_links_the_users(project: Path, user_file: Path) -> None:
    (project / ".trigraph.toml").write_text(
        'documents.families = "SPEC FIP"\nrecall.weights = "graph=2"\nlinks.automatic = "none"\n'
        "links.similar_above = 0.1\n",
        encoding="utf-8",
    )
    loaded = _load(project)

    assert loaded.settings.documents.families == "SPEC FIP"
    assert loaded.settings.recall.weights == "graph=2"
    assert loaded.settings.links == Settings().links
    assert [warning.split(" is not taken")[0] for warning in loaded.warnings] == [
        "links.automatic",
        "links.similar_above",
    ]
    user_file.write_text('[links]\nautomatic = "none"\nsimilar_above = 1\n', encoding="utf-8")
    links = _load(project).settings.links
    assert (links.automatic, links.similar_above) == ("none", 1.0)


def test_the_defaults_of_documents_links_and_weights() -> None:
    settings = Settings()

    assert settings.documents.families == "SPEC ADR TODO"
    assert settings.links.automatic == "session topic similar"
    assert 0.75 <= settings.links.similar_above <= 1, "alike is no less than 0.75, by whatever it was calibrated"
    assert settings.recall.weights == ""


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("RECALL__WEIGHTS", "graph", "recall.weights has 'graph'"),
        ("RECALL__WEIGHTS", "graph=1,lexical=", "recall.weights has 'lexical='"),
        ("RECALL__WEIGHTS", "decision.grpah=1", "recall.weights has 'decision.grpah=1'"),
        ("RECALL__WEIGHTS", "never.graph=1", "recall.weights has 'never.graph=1'"),
        ("RECALL__WEIGHTS", "graph=inf", "recall.weights has 'graph=inf'"),
        ("DOCUMENTS__FAMILIES", " , ", "documents.families has ' , '"),
        ("DOCUMENTS__FAMILIES", "ADR X", "documents.families has 'X'"),
        ("DOCUMENTS__FAMILIES", "ADR-", "documents.families has 'ADR-'"),
        ("LINKS__AUTOMATIC", "sessions", "links.automatic has 'sessions'"),
        ("LINKS__SIMILAR_ABOVE", "-0.1", "links.similar_above is out of range"),
        ("LINKS__SIMILAR_ABOVE", "nan", "links.similar_above is out of range"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_opened(
    project: Path, tmp_path: Path, name: str, value: str, says: str
) -> None:
    settings = _load(project, {f"TRIGRAPH_{name}": value, "TRIGRAPH_HOME": str(tmp_path / "home")}).settings

    with pytest.raises(ConfigError) as failed:
        open_engine(settings)
    assert failed.value.message.startswith(says)
    assert failed.value.fix
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RECALL__WEIGHTS", "graph=2 current_state.recency=0.5, temporal=0"),
        ("DOCUMENTS__FAMILIES", "spec, adr  fip"),
        ("LINKS__AUTOMATIC", "none"),
        ("LINKS__AUTOMATIC", "topic,similar"),
        ("LINKS__AUTOMATIC", ""),
        ("LINKS__SIMILAR_ABOVE", "0"),
        ("LINKS__SIMILAR_ABOVE", "1"),
    ],
)
def test_what_makes_sense_is_taken(project: Path, name: str, value: str) -> None:
    open_engine(_load(project, {f"TRIGRAPH_{name}": value}).settings, in_memory=True).close()


@pytest.mark.parametrize(
    ("environment", "session"),
    [
        ({}, None),
        ({"CLAUDE_CODE_SESSION_ID": "run-1"}, "run-1"),
        ({"CLAUDE_CODE_SESSION_ID": "run-1", "TRIGRAPH_SESSION": "run-2"}, "run-2"),
        ({"CLAUDE_CODE_SESSION_ID": "run-1", "TRIGRAPH_SESSION": ""}, "run-1"),
    ],
)
def test_the_run_of_an_agent_is_named_by_who_started_us(environment: dict[str, str], session: str | None) -> None:
    assert session_in_environment(environment) == session
    assert load_settings({}, environment, Path("/nowhere")).warnings == ()
