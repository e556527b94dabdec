"""The Claude Code plugin and its skills are valid by their schemas, and say what setup writes."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "plugins" / "trigraph"
DATA = ROOT / "tests" / "data"
SKILLS = ["forget", "memory-review", "recall", "remember"]
FILES = {
    "plugin": PLUGIN / ".claude-plugin" / "plugin.json",
    "marketplace": ROOT / ".claude-plugin" / "marketplace.json",
    "mcp": PLUGIN / ".mcp.json",
}


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _faults(schema: str, document: Any) -> list[str]:
    checker = Draft202012Validator(_json(DATA / "schemas" / f"{schema}.schema.json"))
    return [error.message for error in checker.iter_errors(document)]


def _skill(name: str) -> tuple[dict[str, Any], str]:
    text = (PLUGIN / "skills" / name / "SKILL.md").read_text(encoding="utf-8")
    found = re.fullmatch(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL)
    assert found, f"{name} has no front matter"
    return yaml.safe_load(found[1]), found[2]


@pytest.mark.parametrize("schema", ["plugin", "marketplace", "mcp", "skill"])
def test_the_schemas_are_schemas(schema: str) -> None:
    Draft202012Validator.check_schema(_json(DATA / "schemas" / f"{schema}.schema.json"))


@pytest.mark.req("X12")
@pytest.mark.parametrize("schema", FILES)
def test_the_files_of_the_plugin_are_valid(schema: str) -> None:
    assert _faults(schema, _json(FILES[schema])) == []


@pytest.mark.parametrize(
    ("schema", "path", "value"),
    [
        ("plugin", ["name"], "Tri Graph"),
        ("plugin", ["unknown"], 1),
        ("marketplace", ["plugins", 0, "source"], "plugins/trigraph"),
        ("marketplace", ["owner", "name"], ""),
        ("mcp", ["mcpServers", "trigraph", "args"], "mcp"),
    ],
)
def test_a_fault_in_a_file_would_be_seen(schema: str, path: list[Any], value: Any) -> None:
    document = copy.deepcopy(_json(FILES[schema]))
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value

    assert _faults(schema, document)


@pytest.mark.req("X12")
@pytest.mark.parametrize("name", SKILLS)
def test_a_skill_is_valid_and_short(name: str) -> None:
    front, body = _skill(name)

    assert _faults("skill", front) == []
    assert front["name"] == name
    assert "Use " in front["description"], "it says when"
    assert "$ARGUMENTS" in body
    assert len(body.splitlines()) < 60


def test_a_fault_in_a_skill_would_be_seen() -> None:
    assert _faults("skill", {"name": "Remember", "description": "x"})
    assert _faults("skill", {"name": "remember", "description": "x" * 1025})
    assert _faults("skill", {"name": "remember"})


def test_the_skills_are_these() -> None:
    assert sorted(path.name for path in (PLUGIN / "skills").iterdir()) == SKILLS


@pytest.mark.parametrize("name", SKILLS)
def test_the_commands_that_a_skill_names_exist(name: str) -> None:
    reference = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    named = re.findall(r"`(trigraph (?:review )?[a-z]+)", _skill(name)[1])

    assert named
    assert [one for one in named if f"## `{one}`\n" not in reference] == []


def test_the_plugin_connects_as_setup_does() -> None:
    setup = DATA / "setup" / "fresh" / "project"
    assert _json(FILES["mcp"]) == _json(setup / ".mcp.json")


def test_the_plugin_runs_no_program_that_does_not_come_with_trigraph() -> None:
    assert not (PLUGIN / "hooks").exists()


def test_the_marketplace_offers_the_plugin_in_the_version_of_the_product() -> None:
    plugin, offered = _json(FILES["plugin"]), _json(FILES["marketplace"])["plugins"][0]
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

    assert (ROOT / offered["source"]).resolve() == PLUGIN
    assert {key: plugin[key] for key in ("name", "version", "description")}.items() <= offered.items()
    assert plugin["version"] == version
