"""Our table in a TOML file, however its owner writes tables."""

from __future__ import annotations

import tomllib

import pytest

from trigraph.faces.setup.jsonc_edit import WrongShape
from trigraph.faces.setup.toml_config import MalformedToml, with_server, without_server

ENTRY = {"command": "trigraph", "args": ["mcp"]}
OURS = '[mcp_servers.trigraph]\ncommand = "trigraph"\nargs = ["mcp"]\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", OURS),
        ("a = 1 # one\n", f"a = 1 # one\n\n{OURS}"),
        ("[mcp_servers.o]\nx = 1\n\n[p]\na=1\n", f"[mcp_servers.o]\nx = 1\n\n[p]\na=1\n\n{OURS}"),
        ("[mcp_servers]\n# none\n[p]\na=1\n", f"[mcp_servers]\n# none\n[p]\na=1\n\n{OURS}"),
        ("mcp_servers.o.x = 1\n", f"mcp_servers.o.x = 1\n\n{OURS}"),
        ("[p]\r\na = 1\r\n", "[p]\r\na = 1\r\n\r\n" + OURS.replace("\n", "\r\n")),
        (
            "mcp_servers = { o = {x = 1} } # all\n[p]\na=1\n",
            'mcp_servers = { o = {x = 1}, trigraph = {command = "trigraph", args = ["mcp"]}} # all\n[p]\na=1\n',
        ),
    ],
)
def test_our_table_comes_and_goes_and_the_rest_stays(text: str, expected: str) -> None:
    made = with_server(text, "mcp_servers", ENTRY)

    assert made == expected
    assert with_server(made, "mcp_servers", ENTRY) == made
    assert without_server(made, "mcp_servers") == text
    assert without_server(text, "mcp_servers") == text


def test_an_entry_that_was_there_keeps_what_else_it_says() -> None:
    text = "[mcp_servers.trigraph] # mine\ncommand = 'uvx' # so far\nenv = {A = 'b'}\n\n[z]\nq = 1\n"
    made = with_server(text, "mcp_servers", ENTRY)

    assert tomllib.loads(made) == {"mcp_servers": {"trigraph": {**ENTRY, "env": {"A": "b"}}}, "z": {"q": 1}}
    assert all(part in made for part in ("# mine", "# so far", "env = {A = 'b'}\n"))
    assert without_server(made, "mcp_servers").lstrip("\n") == "[z]\nq = 1\n"


@pytest.mark.parametrize(("text", "line"), [("a = \n", 1), ("a = 1\n[b\n", 2), ("a = 1\na = 2\n", 2)])
def test_what_is_not_toml_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(MalformedToml) as refused:
        with_server(text, "mcp_servers", ENTRY)
    assert refused.value.line == line


@pytest.mark.parametrize("text", ["mcp_servers = 3\n", "[[mcp_servers]]\n", "mcp_servers = {trigraph = 3}\n"])
def test_what_is_not_a_table_is_refused(text: str) -> None:
    with pytest.raises(WrongShape):
        without_server(text, "mcp_servers")
    with pytest.raises(WrongShape):
        with_server(text, "mcp_servers", ENTRY)
