"""Edits of any JSON text, with comments and trailing commas wherever they may stand."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigraph.faces.setup.clients import ConfigFile
from trigraph.faces.setup.editing import connected, disconnected
from trigraph.faces.setup.hooks import cursor_hooks
from trigraph.faces.setup.jsonc import Malformed, parse
from trigraph.faces.setup.jsonc_edit import append, put, take_out

KEY = "trigraph"
VALUE = {"command": "trigraph", "args": ["mcp"]}
gaps = st.lists(
    st.sampled_from(["", " ", "\n", "\r\n", "\t", "  ", '// "x": {,\n', "//\r\n", "/* , } */", "/**/", "/*\n*/"]),
    max_size=3,
).map("".join)
names = st.text(st.characters(codec="utf-8"), max_size=6).filter(lambda name: name != KEY)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), names)
trees = st.recursive(
    scalars, lambda below: st.lists(below, max_size=4) | st.dictionaries(names, below, max_size=4), max_leaves=12
)


@st.composite
def written(draw: st.DrawFn, tree: Any) -> str:
    """A tree as somebody might have written it."""
    if not isinstance(tree, dict | list):
        return json.dumps(tree, ensure_ascii=draw(st.booleans()))
    parts = []
    for one in tree:
        value = draw(written(tree[one] if isinstance(tree, dict) else one))
        key = f"{json.dumps(one)}{draw(gaps)}:{draw(gaps)}" if isinstance(tree, dict) else ""
        parts.append(f"{draw(gaps)}{key}{value}{draw(gaps)}")
    text = ",".join(parts)
    trailing: bool = draw(st.booleans())
    if parts and trailing:
        text += "," + draw(gaps)
    opening, closing = "{}" if isinstance(tree, dict) else "[]"
    return f"{opening}{text or draw(gaps)}{closing}"


@st.composite
def documents(draw: st.DrawFn, roots: st.SearchStrategy[Any] = trees) -> tuple[Any, str]:
    tree = draw(roots)
    return tree, f"{draw(st.sampled_from(['', chr(0xFEFF)]))}{draw(gaps)}{draw(written(tree))}{draw(gaps)}"


objects = st.dictionaries(names, trees, max_size=4)


@given(documents())
def test_any_document_is_read_as_it_was_meant(document: tuple[Any, str]) -> None:
    tree, text = document
    root = parse(text)

    assert root.data == tree
    assert text[root.start : root.end].startswith(("{", "[", '"')) or root.items == ()


@given(documents(objects))
def test_a_member_more_changes_nothing_else(document: tuple[dict[str, Any], str]) -> None:
    tree, text = document
    edited = put(text, (KEY,), VALUE)

    assert parse(edited).data == {**tree, KEY: VALUE}
    assert list(parse(edited).data) == [*tree, KEY]
    assert _is_inserted_into(edited, text)
    assert put(edited, (KEY,), VALUE) == edited


@given(documents(objects.filter(bool)))
def test_taken_out_again_it_is_the_same_text(document: tuple[dict[str, Any], str]) -> None:
    _, text = document
    assert take_out(put(text, (KEY,), VALUE), (KEY,)) == text


@given(documents(objects))
def test_taken_out_of_an_empty_object_the_comments_are_left(document: tuple[dict[str, Any], str]) -> None:
    tree, text = document
    again = take_out(put(text, (KEY,), VALUE), (KEY,))

    assert parse(again).data == tree
    assert "".join(again.split()) == "".join(text.split())


@given(documents(st.lists(trees, max_size=4).map(lambda items: {"list": items})))
def test_an_element_more_changes_nothing_else(document: tuple[dict[str, Any], str]) -> None:
    tree, text = document
    edited = append(text, ("list",), VALUE)

    assert parse(edited).data == {"list": [*tree["list"], VALUE]}
    assert _is_inserted_into(edited, text)
    again = take_out(edited, ("list", len(tree["list"])))
    assert again == text or (tree["list"] == [] and "".join(again.split()) == "".join(text.split()))


@given(documents(objects.filter(bool)), st.data())
def test_any_member_can_be_taken_out(document: tuple[dict[str, Any], str], data: st.DataObject) -> None:
    tree, text = document
    key = data.draw(st.sampled_from(sorted(tree)))
    left = parse(take_out(text, (key,)))

    assert left.data == {name: value for name, value in tree.items() if name != key}


@given(documents(objects))
def test_a_file_that_was_connected_is_its_original_again(document: tuple[dict[str, Any], str]) -> None:
    file = ConfigFile(Path("mcp.json"), "mcpServers", VALUE, cursor_hooks("trigraph-hook"))
    _, text = document
    made = connected(text, file)

    assert connected(made, file) == made
    assert disconnected(made, file, text) == text


@given(documents(objects), trees)
def test_a_value_replaced_is_the_only_thing_replaced(document: tuple[dict[str, Any], str], value: Any) -> None:
    tree, text = document
    edited = put(text, ("new",), value)
    again = put(edited, ("new",), VALUE)

    assert parse(again).data == {**tree, "new": VALUE}
    old, new = parse(edited).member("new"), parse(again).member("new")
    assert old is not None
    assert new is not None
    assert edited[: old.node.start] == again[: new.node.start]
    assert edited[old.end :] == again[new.end :]


@given(st.text(st.sampled_from('{}[],:"a1 \n/*'), max_size=12))
def test_what_python_takes_for_json_is_read_alike_and_nothing_crashes(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with suppress(Malformed):
            parse(text)
    else:
        assert parse(text).data == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"a"}',
        '{"a":}',
        "[1 2]",
        "{,}",
        "[,]",
        "[1,,]",
        "01",
        "+1",
        "nul",
        "NaN",
        '"\n"',
        '"\\x"',
        "{} {}",
        "/*",
    ],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse(text)


def test_nesting_has_an_end() -> None:
    with pytest.raises(Malformed, match="nested too deeply"):
        parse("[" * 5000 + "]" * 5000)


def _is_inserted_into(edited: str, text: str) -> bool:
    """Whether the edited text is the old one with at most two pieces put in."""
    start = 0
    while start < len(text) and edited[start] == text[start]:
        start += 1
    end = 0
    while end < len(text) - start and edited[-1 - end] == text[-1 - end]:
        end += 1
    middle = text[start : len(text) - end]
    return middle in edited[start : len(edited) - end]
