"""Where clients keep their files on this kind of machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

VARIABLES = ("XDG_CONFIG_HOME", "APPDATA", "PATH", "CLAUDE_CONFIG_DIR", "CODEX_HOME")
"""What of the environment says where things are, beside the home folder."""


@dataclass(frozen=True, slots=True)
class Places:
    """`programs` is where desktop programs keep their settings, `path` where commands are looked for."""

    home: Path
    project: Path
    programs: Path
    path: str
    claude_json: Path
    claude: Path
    codex: Path


def find_places(environment: Mapping[str, str], platform: str, home: Path, project: Path) -> Places:
    """By the environment and the platform's habits: `platform` is what `sys.platform` says."""
    claude = environment.get("CLAUDE_CONFIG_DIR")
    return Places(
        home=home,
        project=project,
        programs=_programs(environment, platform, home),
        path=environment.get("PATH", ""),
        claude_json=(Path(claude) if claude else home) / ".claude.json",
        claude=Path(claude) if claude else home / ".claude",
        codex=Path(environment.get("CODEX_HOME") or home / ".codex"),
    )


def _programs(environment: Mapping[str, str], platform: str, home: Path) -> Path:
    if platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    if platform == "darwin":
        return home / "Library" / "Application Support"
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
