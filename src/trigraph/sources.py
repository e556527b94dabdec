"""Where settings come from, as plain values. Imports nothing that takes time: hooks read them before every prompt."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping

from trigraph.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PREFIX = "TRIGRAPH_"
SESSION_VARIABLE = "TRIGRAPH_SESSION"
BYPASS_VARIABLE = "TRIGRAPH_BYPASS"
TOKEN_VARIABLE = "TRIGRAPH_TOKEN"

HARMLESS = ("scope.", "server.port", "recall.", "documents.")
"""What a project's own file may set. Whoever clones a repository must not find their memories sent to a server
that it names, nor a file of theirs read or a module of its choosing imported."""

NOT_SETTINGS = frozenset({"TRIGRAPH_DATA", SESSION_VARIABLE, BYPASS_VARIABLE, TOKEN_VARIABLE})
"""Variables of the benchmarks and tests, not of the product, what changes from run to run, and a secret."""


def given_in_files(folder: str, *, hastily: bool = False) -> Iterator[tuple[str, dict[str, object], bool]]:
    """(file, values by dotted name, whether it is a project's own) of every file there is, the weakest first.
    `hastily` leaves a `pyproject.toml` unparsed that does not name us, as most do not."""
    user_file = user_config_file()
    if os.path.isfile(user_file):
        yield user_file, _flat(_read_toml(user_file)), False
    pyproject = os.path.join(folder, "pyproject.toml")
    if os.path.isfile(pyproject) and not (hastily and not _names_us(pyproject)):
        yield pyproject, _flat(_of_tool(_read_toml(pyproject))), True
    own = os.path.join(folder, ".trigraph.toml")
    if os.path.isfile(own):
        yield own, _flat(_read_toml(own)), True


def given_in_environment(environment: Mapping[str, str]) -> dict[str, object]:
    """The values of variables such as TRIGRAPH_EMBEDDER__THREADS, by dotted name."""
    return {
        name.removeprefix(PREFIX).lower().replace("__", "."): value
        for name, value in environment.items()
        if name.startswith(PREFIX) and name not in NOT_SETTINGS
    }


def given_values(folder: str, environment: Mapping[str, str] | None = None) -> dict[str, object]:
    """Every value that is set and may be, the strongest of each; unchecked."""
    values: dict[str, object] = {}
    for _, given, of_project in given_in_files(folder, hastily=True):
        values |= {name: value for name, value in given.items() if not of_project or name.startswith(HARMLESS)}
    return values | given_in_environment(os.environ if environment is None else environment)


def environment() -> dict[str, str]:
    """All variables, for a process that is started."""
    return dict(os.environ)


def is_bypassed() -> bool:
    """Whether memory is to keep out of this run."""
    return os.environ.get(BYPASS_VARIABLE, "") not in ("", "0")


def user_config_file() -> str:
    """The user's own settings."""
    return os.path.join(_user_folder("XDG_CONFIG_HOME", "~/.config", "user_config_dir"), "config.toml")


def default_home() -> str:
    """Where the store lives if nobody says otherwise."""
    return _user_folder("XDG_DATA_HOME", "~/.local/share", "user_data_dir")


def _user_folder(variable: str, usual: str, elsewhere: str) -> str:
    if sys.platform == "linux":  # as platformdirs has it, without the 15 ms of importing that
        return os.path.join(os.environ.get(variable, "").strip() or os.path.expanduser(usual), "trigraph")
    import platformdirs

    return str(getattr(platformdirs, elsewhere)("trigraph"))


def _names_us(path: str) -> bool:
    with open(path, "rb") as file:
        return b"trigraph" in file.read()


def _of_tool(content: Mapping[str, Any]) -> dict[str, object]:
    tool = content.get("tool")
    table = tool.get("trigraph") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else {}


def _read_toml(path: str) -> dict[str, object]:
    import tomllib

    try:
        with open(path, encoding="utf-8") as file:
            return tomllib.loads(file.read())
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read as TOML: {error}.", fix="Mend or remove it.") from error


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flattened: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flattened |= _flat(value, f"{prefix}{name}.")
        else:
            flattened[f"{prefix}{name}"] = value
    return flattened
