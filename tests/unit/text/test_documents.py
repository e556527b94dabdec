"""What a document says of itself: its id, its title, its state; and that no text breaks the reading of it."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from trigraph.model.document import DocumentRef, ParsedDocument
from trigraph.model.relation import RelationType
from trigraph.text.documents import beginning, name_of_file, parse_document
from trigraph.text.names import name_key

FAMILIES = ("SPEC", "ADR", "TODO")
HOSTILE_SECONDS = 5.0

many = settings(deadline=None, max_examples=200)
anything = st.text(st.characters(exclude_categories=[]))
pieces = """
    --- : - # ## ### > ``` | |-| [ ] ( ) ![ <!-- --> ADR SPEC-12 ADR-1/2 –9 References Status Relationships Superseded
    by requires: id: title: & * {a [ "\\U http:// //[ .md ../ %20 %ff &a *a !!x 0015 #7 12
    """.split()
odd_text = st.lists(st.sampled_from([*pieces, " ", "\n", "\n\n", "  ", "\r\n", "\t", "\ufeff", "\x00", "\ud800", "℀"]))
documents = st.one_of(anything, odd_text.map("".join), odd_text.map(" ".join))
paths = st.one_of(st.none(), st.sampled_from(["adr/0001-x.md", "../x.md", "", "/", "a/..", "12.md"]), anything)


def parsed(text: str, path: str | None = None, id_: str | None = None, collection: str = "default") -> ParsedDocument:
    return parse_document(text, DocumentRef(collection, path, id_), FAMILIES)


def props(text: str) -> Mapping[str, str]:
    return parsed(text).props


# Ids


@pytest.mark.req("T1")
def test_an_id_is_from_the_front_matter_else_the_heading_else_the_file() -> None:
    front, heading, path = "---\nid: SPEC-2\n---\n", "# ADR-3: Use it\n", "adr/0004-use-it.md"

    assert parsed(front + heading, path).names == ("SPEC-2", "ADR-3", "ADR-4")
    assert parsed(heading, path).name == "ADR-3"
    assert parsed("# Use it\n", path).name == "ADR-4"
    assert parsed("# Use it\n", "use-it.md").name is None
    assert parsed("", None).names == ()


@pytest.mark.req("T1")
def test_an_id_that_the_caller_gives_stands_alone() -> None:
    assert parsed("---\nid: SPEC-2\n---\n# ADR-3\n", "adr/0004.md", id_="ADR-77").names == ("ADR-77",)


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    ("front", "name"),
    [
        ("id: ADR-12", "ADR-12"),
        ("id: adr-12", "ADR-12"),
        ("ID: 'ADR #12'", "ADR-12"),
        ("number: ADR-12", "ADR-12"),
        ("adr: 12", "ADR-12"),
        ("pep: 12", "PEP-12"),
        ("eip: 12", "EIP-12"),
        ("BIP: BIP-12", "BIP-12"),
        ("id: 12", None),
        ("id: twelve", None),
        ("id: ''", None),
        ("title: ADR", None),
    ],
)
def test_a_key_of_the_front_matter_says_the_id(front: str, name: str | None) -> None:
    assert parsed(f"---\n{front}\n---\n\nText\n").name == name


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("# ADR-12: Use it", "ADR-12"),
        ("# ADR-12", "ADR-12"),
        ("# adr-12 Use it", "ADR-12"),
        ("# ADR #12 Use it", "ADR-12"),
        ("# [ADR-12] Use it", "ADR-12"),
        ("# **ADR 12** Use it", "ADR-12"),
        ("# RFC 12 Use it", "RFC-12"),
        ("# Use ADR-12", None),
        ("# 12. Use it", None),
        ("# ADR-12th floor", None),
        ("```\n# ADR-12\n```", None),
    ],
)
def test_a_heading_says_the_id_if_it_begins_with_it(heading: str, name: str | None) -> None:
    assert parsed(f"{heading}\n\nText\n").name == name


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("adr/0012-use-it.md", "ADR-12"),
        ("adr/12.md", "ADR-12"),
        ("adr/12_use_it.md", "ADR-12"),
        ("adr/2024-02-03-0012-use-it.md", "ADR-12"),
        ("adr/2024-02-03-use-it.md", None),
        ("adr/20240203-use-it.md", None),
        ("adr/use-12-things.md", None),
        ("adr/README.md", None),
        ("ADR-0012.md", "ADR-12"),
        ("adr0012-use-it.md", "ADR-12"),
        ("adr_0012.md", "ADR-12"),
        ("2024-02-03-adr-12-use-it.md", "ADR-12"),
        ("spec/adr-0012.md", "ADR-12"),
        ("fip-0012.md", "FIP-12"),
        ("notes/0012-use-it.md", None),
    ],
)
def test_a_files_name_says_the_id(path: str, name: str | None) -> None:
    assert parsed("# Use it\n", path).name == name


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("docs/adr/3.md", "ADR-3"),
        ("docs/ADRs/3.md", "ADR-3"),
        ("architecture/decisions/3.md", "ADR-3"),
        ("docs/architecture-decision-records/3.md", "ADR-3"),
        ("specs/3.md", "SPEC-3"),
        ("rfcs/3.md", "RFC-3"),
        ("specs/adr/3.md", "ADR-3"),
        ("adr/old/3.md", "ADR-3"),
    ],
)
def test_a_folder_says_the_family(path: str, name: str) -> None:
    assert parsed("# Use it\n", path).name == name
    assert parsed("# 7. Use it\n", path).name == name.replace("3", "7")
    assert parsed("---\nid: 7\n---\n", path).name == name.replace("3", "7")


@pytest.mark.req("T1")
def test_a_collections_name_says_the_family_where_no_folder_does() -> None:
    assert parsed("# Use it\n", "3.md", collection="specs").name == "SPEC-3"
    assert parsed("# Use it\n", "old/3.md", collection="specs").name == "SPEC-3"


@pytest.mark.req("T1")
def test_the_nearest_folder_says_the_family() -> None:
    assert parsed("# Use it\n", "adr/3.md", collection="specs").name == "ADR-3"


@pytest.mark.req("T1")
def test_ids_are_compared_without_leading_zeros() -> None:
    names = parsed("---\nid: ADR-12\n---\n# ADR-012\n", "adr/00012.md").names

    assert {name_key(name) for name in names} == {"adr 12"}


def test_a_files_number_is_of_the_family_that_is_asked_for() -> None:
    assert name_of_file("x/0012-use-it.md", "ADR") == "ADR-12"
    assert name_of_file("x/adr-12.md", "ADR") == "ADR-12"
    assert name_of_file("x/spec-12.md", "ADR") is None
    assert name_of_file("x/0012.md", None) is None


# Front matter


@pytest.mark.req("T2")
def test_a_header_as_in_mails_is_front_matter() -> None:
    text = """PEP: 4242
Title: Lanterns for harbours
Author: Ana Example <ana@example.org>,
        Bert Example <bert@example.org>
Status: Final
Requires: 7, 4100
Replaces: 0036
Superseded-By: 4300

Abstract
========

See also PEP 1.
"""
    document = parsed(text, "peps/pep-4242.rst")

    assert (document.name, document.title) == ("PEP-4242", "Lanterns for harbours")
    assert document.props["status"] == "Final"
    assert [(one.type, one.target.name, one.incoming) for one in document.references] == [
        (RelationType.DEPENDS_ON, "PEP-7", False),
        (RelationType.DEPENDS_ON, "PEP-4100", False),
        (RelationType.SUPERSEDES, "PEP-0036", False),
        (RelationType.SUPERSEDES, "PEP-4300", True),
    ]


@pytest.mark.parametrize("text", ["Note: this is a text.\n\nReplaces nothing.", "Title: x\nand a line of text\n\nMore"])
def test_a_text_that_begins_with_a_colon_is_no_header(text: str) -> None:
    assert parsed(text, "adr/x.md").names == ()
    assert parsed(text).title is None


@pytest.mark.req("T2")
@pytest.mark.parametrize(
    "broken", ["x: [open", "title: one: two", "x: 'open", "\tx: tab", "x: @at", "a: b\n - c", 'x: "\\z"', "x: *none"]
)
def test_of_broken_yaml_the_plain_lines_count(broken: str) -> None:
    document = parsed(f"---\nid: ADR-3\n{broken}\nstatus: accepted\nrequires:\n  - ADR-4\n---\n# One\n")

    assert document.name == "ADR-3"
    assert document.props["status"] == "accepted"
    assert [one.target.name for one in document.references] == ["ADR-4"]


@pytest.mark.req("T2")
def test_numbers_and_dates_stay_as_they_are_written() -> None:
    text = "---\nid: 0015\nreplaces: [0017, 010]\nversion: 1.10\ncreated: 2024-01-02\nstatus: yes\n---\n"
    document = parsed(text, "adr/x.md")

    assert document.name == "ADR-0015"
    assert [one.target.name for one in document.references] == ["ADR-0017", "ADR-010"]
    assert dict(document.props) == {"version": "1.10", "created": "2024-01-02", "status": "yes"}


@pytest.mark.parametrize("text", ["---\nid: ADR-3\n", "x\n---\nid: ADR-3\n---\n", "----\nid: ADR-3\n----\n"])
def test_front_matter_stands_between_two_lines_of_three_dashes_at_the_top(text: str) -> None:
    assert parsed(text).name is None


def test_front_matter_that_is_no_table_of_keys_says_nothing() -> None:
    for front in ("- id: ADR-3", "just words", "", "1", "? [a]\n: b"):
        assert parsed(f"---\n{front}\n---\n\nText\n").names == ()


# Props


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("---\nstatus: Accepted\n---\n# One\n\nStatus: Draft\n", "Accepted"),
        ("# One\n\nStatus: Accepted (2024)\n", "Accepted"),
        ("# One\n\n* Status: accepted\n", "accepted"),
        ("# One\n\n**Status:** Accepted\n", "Accepted"),
        ("# One\n\n- **Status**: Accepted\n", "Accepted"),
        ("# One\n\n## Status\n\nAccepted, amends ADR-3\n", "Accepted"),
        ("# One\n\n### Status:\nAccepted\n", "Accepted"),
        ("# One\n\n## status\n\n*Accepted*\n", "Accepted"),
        ("# One\n\nNo status.\n", None),
    ],
)
def test_a_status_is_from_the_front_matter_else_a_line_else_a_section(text: str, status: str | None) -> None:
    assert props(text).get("status") == status


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("# One\n\n```\nStatus: Accepted\n```\n", None),
        ("# One\n\n## Status\n\n## Context\n\nText\n", None),
        ("# One\n\n## Status\n\n<!-- Proposed, Accepted or Rejected -->\n\nAccepted\n", "Accepted"),
        ("# One\n\n## 1. Status\n\nAccepted\n", "Accepted"),
        ("# One\n\nStatus\n------\n\nAccepted\n", "Accepted"),
    ],
)
def test_a_status_is_read_where_references_are(text: str, status: str | None) -> None:
    assert props(text).get("status") == status


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Lanterns\n---\n# Other\n", "Lanterns"),
        ("# Lanterns\n\nText\n", "Lanterns"),
        ("Title: Lanterns\nPEP: 3\n\nText\n", "Lanterns"),
        ("Text\n", None),
    ],
)
def test_a_title_is_from_the_front_matter_else_the_heading(text: str, title: str | None) -> None:
    assert parsed(text).title == title
    assert props(text).get("title") == title


def test_what_the_front_matter_tells_of_a_document_is_kept_in_short() -> None:
    text = f"---\nversion: '2'\ncategory: Core\ntype: Plan\ncreated: 2024-01-02\nstatus: {'x' * 300}\nfoo: b\n---\n"

    assert dict(props(text)) == {
        "version": "2",
        "category": "Core",
        "doc_type": "Plan",
        "created": "2024-01-02",
        "status": "x" * 200,
    }


# Marks of files


LANTERN = (
    "---\nid: ADR-3\ntitle: Lanterns\nrequires: [4]\n---\n# Use it\n\n## Status\n\nAccepted\n\n## Extends\n\nADR-5\n"
)
MAIL = "PEP: 3\nTitle: Lanterns\nRequires: 4\n\n## Extends\n\nADR-5\n"


@pytest.mark.parametrize(
    "text",
    [LANTERN, pytest.param(MAIL)],
    ids=["front matter", "header"],
)
def test_carriage_returns_change_nothing(text: str) -> None:
    assert parsed(text.replace("\n", "\r\n")) == parsed(text)


@pytest.mark.parametrize("text", [LANTERN, MAIL, "# ADR-3 Use it\n", "## Extends\n\nADR-5\n"])
def test_a_byte_order_mark_changes_nothing(text: str) -> None:
    assert parsed("\ufeff" + text) == parsed(text)


# Hostile texts


def _bomb() -> str:
    lines = ["a: &a [" + ", ".join(["ADR-1"] * 9) + "]"]
    lines += [
        f"{after}: &{after} [" + ", ".join([f"*{before}"] * 9) + "]"
        for before, after in zip("abcdefghij", "bcdefghijk", strict=True)
    ]
    return "\n".join([*lines, "requires: *k"])


@pytest.mark.parametrize(
    "front",
    [
        _bomb(),
        "x: &x [*x]\nrequires: *x",
        "x: " + "[" * 5_000,
        "x: " + "{a: " * 5_000,
        "\n".join(" " * depth + "a:" for depth in range(300)),
        "x: &a [ADR-1]\n" * 4_000,
        "\n".join(f"key{number}: " + "x" * 200 for number in range(5_000)),
        "requires: [" + "ADR-1, " * 9_000 + "]",
        "requires: " + "1 " * 30_000,
        "requires: " + "[x](" * 15_000,
        "requires: " + "a.m" * 20_000,
        "x: '" + "\n" * 60_000,
        "-" * 1_000_000,
        "!!python/object/apply:os.system ['exit 1']",
    ],
    ids=lambda front: front[:24],
)
def test_no_front_matter_takes_long(front: str) -> None:
    started = time.process_time()
    document = parsed(f"---\n{front}\n---\n# ADR-3\n", "adr/3.md")
    assert time.process_time() - started < HOSTILE_SECONDS
    assert document.names[-1] == "ADR-3"


def test_a_list_of_the_front_matter_counts_up_to_a_thousand_values() -> None:
    items = "\n".join(f"  - ADR-{number}" for number in range(2, 2000))

    assert len(parsed(f"---\nrequires:\n{items}\n---\n", "adr/1.md").references) == 1000


@pytest.mark.parametrize(
    "front",
    [
        pytest.param('x: "\\UFFFFFFFF"'),
        pytest.param('requires: "[x](http://[x)"'),
        pytest.param("requires: https://a℀b/"),
        'x: "\\U11111111"',
        "x: \x00",
        "x: \ud800",
        "\x85: \u2028",
    ],
    ids=ascii,
)
def test_odd_values_of_the_front_matter_do_no_harm(front: str) -> None:
    assert parsed(f"---\nid: ADR-3\n{front}\n---\n").name == "ADR-3"


@many
@given(documents, paths)
@example("---\nid: ADR-1\n---\n## References\n\n[x](\ud800.md)", "adr/1.md")
@example("## References\n\n[x](//[) <http://a℀b> [y](http://[x]:y)", "adr/1.md")
@example("PEP: 1\nTitle:\n\n", None)
def test_no_text_breaks_it(text: str, path: str | None) -> None:
    document = parsed(text, path)
    assert len(set(document.references)) == len(document.references)
    assert all((one.target.name is None) is not (one.target.path is None) for one in document.references)
    assert all(not (one.target.path or "").startswith(("/", "..")) for one in document.references)


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("---\nid: SPEC-4\ntitle: T\n---\n\n# SPEC-4: Tokens\n\n## Context\n\nTin.", "SPEC-4: Tokens Context Tin."),
        ("Tickets are made of tin\nsince March", "Tickets are made of tin since March"),
        ("C# is what # stands for", "C# is what # stands for"),
        ("a word " * 20, "a word a word a word a word a word…"),
    ],
)
def test_how_a_text_begins_is_told_without_its_front_matter(text: str, begins: str) -> None:
    assert beginning(text, 36) == begins
