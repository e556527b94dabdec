"""What a document declares of others: under which headings, by which words, and what declares nothing."""

from __future__ import annotations

import time

import pytest

from trigraph.model.document import DocumentRef, Reference
from trigraph.model.relation import RelationType as R
from trigraph.text.documents import parse_document
from trigraph.text.references import RANGE_MOST, REFERENCES_MOST

FAMILIES = ("SPEC", "ADR", "TODO")
PATH = "adr/0001-this-one.md"
ADVERSARIAL_CHARS = 200_000
ADVERSARIAL_SECONDS = 5.0


def references(text: str, path: str = PATH, families: tuple[str, ...] = FAMILIES) -> tuple[Reference, ...]:
    return parse_document(text, DocumentRef(path=path), families).references


def declared(text: str, path: str = PATH) -> list[tuple[R, str | None, bool]]:
    """(type, target, whether it is said of the other end) of each reference in order."""
    return [(one.type, one.target.name or one.target.path, one.incoming) for one in references(text, path)]


def named(text: str, path: str = PATH, families: tuple[str, ...] = FAMILIES) -> list[str | None]:
    """The targets of a section of references."""
    found = references(f"## References\n\n{text}\n", path, families)
    return [one.target.name or one.target.path for one in found]


# Headings


HEADINGS = {
    "References": R.REFERENCES,
    "Related": R.REFERENCES,
    "Reference": R.REFERENCES,
    "Implements": R.IMPLEMENTS,
    "Depends on": R.DEPENDS_ON,
    "Depends-on": R.DEPENDS_ON,
    "Extends": R.EXTENDS,
    "Supersedes": R.SUPERSEDES,
    "Complements": R.RELATES_TO,
    "Informs": R.RELATES_TO,
}


@pytest.mark.req("T1")
@pytest.mark.parametrize(("heading", "type_"), HEADINGS.items(), ids=list(HEADINGS))
@pytest.mark.parametrize("form", ["## {}", "### {}", "## {}:", "### {}:", "## {} ##"])
def test_a_heading_of_level_two_or_three_says_what_its_section_declares(heading: str, type_: R, form: str) -> None:
    for written in (heading, heading.upper(), heading.lower(), heading.title()):
        assert declared(f"{form.format(written)}\n\n- SPEC-7\n") == [(type_, "SPEC-7", False)]


@pytest.mark.req("T1")
@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("marks", ["#", "####", "#####", "######"])
def test_a_heading_of_another_level_declares_nothing(heading: str, marks: str) -> None:
    assert declared(f"{marks} {heading}\n\n- SPEC-7\n") == []


@pytest.mark.req("T1")
@pytest.mark.parametrize("heading", ["Related work", "Referenced", "Implementation", "Context", "What it informs", ""])
def test_another_heading_declares_nothing(heading: str) -> None:
    assert declared(f"## {heading}\n\n- SPEC-7\n") == []


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    "heading",
    ["## 3. Depends on", "## 3 Depends on:", "### 3.1 Depends on", "### 3.1.2. Depends on", "## 3) Depends on"],
)
def test_a_heading_may_be_numbered(heading: str) -> None:
    assert declared(f"{heading}\n\nSPEC-7\n") == [(R.DEPENDS_ON, "SPEC-7", False)]


@pytest.mark.req("T1")
def test_a_heading_may_be_underlined_or_emphasised() -> None:
    assert declared("Depends on\n----------\n\nSPEC-7\n") == [(R.DEPENDS_ON, "SPEC-7", False)]
    assert declared("## **Depends on**\n\nSPEC-7\n") == [(R.DEPENDS_ON, "SPEC-7", False)]


@pytest.mark.req("T1")
def test_a_section_ends_at_the_next_heading_of_its_level_and_holds_those_below() -> None:
    text = "## Extends\n\nADR-2\n\n### Why\n\nADR-3\n\n#### More\n\nADR-4\n\n## Context\n\nADR-5\n\n# Other\n\nADR-6\n"

    assert declared(text) == [(R.EXTENDS, "ADR-2", False), (R.EXTENDS, "ADR-3", False), (R.EXTENDS, "ADR-4", False)]


@pytest.mark.req("T1")
def test_a_heading_within_a_section_has_its_own_word_and_gives_it_back() -> None:
    text = "## References\n\nADR-2\n\n### Supersedes\n\nADR-3\n\n### Notes\n\nADR-4\n"

    assert declared(text) == [
        (R.REFERENCES, "ADR-2", False),
        (R.SUPERSEDES, "ADR-3", False),
        (R.REFERENCES, "ADR-4", False),
    ]


@pytest.mark.req("T3")
@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("## Depends on:\n\nADR-2\n", "Depends on"),
        ("## 3. References\n\nADR-2\n", "3. References"),
        ("## Relationships\n\n### Extends\n\nADR-2\n", "Extends"),
        ("## Status\n\nAmends ADR-2\n", "Status"),
        ("---\nsee-also: ADR-2\n---\n", "front matter: see-also"),
        ("# One\n\nReplaces: ADR-2\n", "Replaces"),
        pytest.param("## Depends on :\n\nADR-2\n", "Depends on"),
    ],
)
def test_a_reference_says_in_which_section_it_stands(text: str, section: str) -> None:
    assert [one.section for one in references(text)] == [section]


def test_a_document_keeps_each_reference_once_and_a_thousand_at_most() -> None:
    assert named("ADR-2, ADR-3, ADR-2") == ["ADR-2", "ADR-3"]
    assert named("\n".join(f"- ADR-{number}" for number in range(2, 1500))) == [
        f"ADR-{number}" for number in range(2, REFERENCES_MOST + 2)
    ]


# Relationships


VERBS = [
    ("Depends on", R.DEPENDS_ON, False),
    ("Requires", R.DEPENDS_ON, False),
    ("Required by", R.DEPENDS_ON, True),
    ("Implements", R.IMPLEMENTS, False),
    ("Implemented by", R.IMPLEMENTS, True),
    ("Extends", R.EXTENDS, False),
    ("Extended by", R.EXTENDS, True),
    ("Amends", R.EXTENDS, False),
    ("Amended by", R.EXTENDS, True),
    ("Supersedes", R.SUPERSEDES, False),
    ("Superseded by", R.SUPERSEDES, True),
    ("Replaces", R.SUPERSEDES, False),
    ("Replaced by", R.SUPERSEDES, True),
    ("References", R.REFERENCES, False),
    ("Referenced by", R.REFERENCES, True),
    ("See also", R.REFERENCES, False),
    ("Complements", R.RELATES_TO, False),
    ("Informs", R.RELATES_TO, False),
]


@pytest.mark.req("T1")
@pytest.mark.parametrize(("verb", "type_", "incoming"), VERBS, ids=[verb for verb, _, _ in VERBS])
@pytest.mark.parametrize(
    "form",
    [
        "### {}\n\n- [ADR-2](0002-two.md)",
        "### {}:\n\nThe second, [ADR-2](0002-two.md)",
        "- {} [ADR-2](0002-two.md)",
        "- **{}:** [ADR-2](0002-two.md)",
        "* {}:\n  - [ADR-2](0002-two.md)",
        "| Relation | Document |\n|---|---|\n| {} | [ADR-2](0002-two.md) |",
    ],
    ids=["subsection", "subsection with colon", "bullet", "bold bullet", "nested bullet", "table row"],
)
def test_relationships_are_what_their_own_verbs_say(form: str, verb: str, type_: R, incoming: bool) -> None:
    text = f"## Relationships\n\n{form.format(verb)}\n"

    assert declared(text) == [(type_, "adr/0002-two.md", incoming)]
    assert declared(text.replace(verb, verb.lower())) == [(type_, "adr/0002-two.md", incoming)]


@pytest.mark.req("T1")
def test_a_relationship_without_a_verb_only_relates() -> None:
    text = "## Relationships\n\n- ADR-2 is close\n- Extends ADR-3\n- ADR-4\n\n### Misc\n\nADR-5\n"

    assert declared(text) == [
        (R.RELATES_TO, "ADR-2", False),
        (R.EXTENDS, "ADR-3", False),
        (R.RELATES_TO, "ADR-4", False),
        (R.RELATES_TO, "ADR-5", False),
    ]


@pytest.mark.req("T1")
def test_a_bullets_verb_stands_above_its_subsections() -> None:
    text = "## Relationships\n\n### Implements\n\n- ADR-2\n- Superseded by ADR-3\n- ADR-4\n"

    assert declared(text) == [
        (R.IMPLEMENTS, "ADR-2", False),
        (R.SUPERSEDES, "ADR-3", True),
        (R.IMPLEMENTS, "ADR-4", False),
    ]


@pytest.mark.req("T1")
def test_nested_bullets_have_the_verb_of_the_nearest_bullet_above_that_has_one() -> None:
    text = """## Relationships

- Depends on:
  - ADR-2
    - ADR-3
  - Extends:
    - ADR-4
  - ADR-5
- ADR-6
"""
    assert declared(text) == [
        (R.DEPENDS_ON, "ADR-2", False),
        (R.DEPENDS_ON, "ADR-3", False),
        (R.EXTENDS, "ADR-4", False),
        (R.DEPENDS_ON, "ADR-5", False),
        (R.RELATES_TO, "ADR-6", False),
    ]


@pytest.mark.req("T1")
def test_a_bullet_without_a_verb_has_none_for_those_below_it() -> None:
    text = "## Relationships\n\n- Depends on:\n  - ADR-2\n- Others:\n  - ADR-3\n"

    assert declared(text) == [(R.DEPENDS_ON, "ADR-2", False), (R.RELATES_TO, "ADR-3", False)]


@pytest.mark.req("T1")
def test_a_paragraph_that_is_a_verb_speaks_for_the_list_below_it() -> None:
    text = "## Relationships\n\n**Depends on:**\n\n- ADR-2\n- ADR-3\n\nOthers:\n\n- ADR-4\n"

    assert declared(text) == [
        (R.DEPENDS_ON, "ADR-2", False),
        (R.DEPENDS_ON, "ADR-3", False),
        (R.RELATES_TO, "ADR-4", False),
    ]


# Status


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    ("status", "found"),
    [
        ("Superseded by ADR-7", [(R.SUPERSEDES, "ADR-7", True)]),
        ("superseded by ADR #7.", [(R.SUPERSEDES, "ADR-7", True)]),
        ("Superseded by [7. Use it](0007-use-it.md)", [(R.SUPERSEDES, "adr/0007-use-it.md", True)]),
        ("*Superseded by* **ADR-7** on 2024-02-01", [(R.SUPERSEDES, "ADR-7", True)]),
        ("Superseded: ADR-7", [(R.SUPERSEDES, "ADR-7", True)]),
        ("Superseded ADR-7", [(R.SUPERSEDES, "ADR-7", True)]),
        ("Superseded (ADR-7)", [(R.SUPERSEDES, "ADR-7", True)]),
        ("Supersedes ADR-7", [(R.SUPERSEDES, "ADR-7", False)]),
        ("Accepted. Supersedes ADR-7", [(R.SUPERSEDES, "ADR-7", False)]),
        ("Amends ADR-7", [(R.EXTENDS, "ADR-7", False)]),
        ("Amended by ADR-7", [(R.EXTENDS, "ADR-7", True)]),
        ("Amends ADR-7 and SPEC-8", [(R.EXTENDS, "ADR-7", False), (R.EXTENDS, "SPEC-8", False)]),
        ("Amends ADR-7, superseded by ADR-8", [(R.EXTENDS, "ADR-7", False), (R.SUPERSEDES, "ADR-8", True)]),
        ("Accepted\n\nAmends ADR-7\n\nAmended by ADR-8", [(R.EXTENDS, "ADR-7", False), (R.EXTENDS, "ADR-8", True)]),
        ("- Accepted\n- Amends ADR-7", [(R.EXTENDS, "ADR-7", False)]),
    ],
)
def test_a_status_section_says_what_replaced_and_what_amends(
    status: str, found: list[tuple[R, str | None, bool]]
) -> None:
    assert declared(f"## Status\n\n{status}\n\n## Context\n\nWe looked at ADR-99.\n") == found


@pytest.mark.req("T1")
@pytest.mark.parametrize("status", ["Superseded. See ADR-7.", "Superseded by\n\nADR-7", "Superseded\n\n- ADR-7"])
def test_what_superseded_it_may_follow_in_the_next_sentence_or_paragraph(status: str) -> None:
    assert declared(f"## Status\n\n{status}\n") == [(R.SUPERSEDES, "ADR-7", True)]


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    "status",
    [
        "Accepted, see ADR-7",
        "ADR-7",
        "Accepted\n\nADR-7",
        "Proposed with ADR-7 in mind",
        "Amends the rules. ADR-7 is as it was.",
    ],
)
def test_a_target_in_a_status_without_its_verb_is_none(status: str) -> None:
    assert declared(f"## Status\n\n{status}\n") == []


@pytest.mark.req("T1")
def test_a_status_verb_holds_for_its_own_sentence() -> None:
    text = "## Status\n\nSuperseded by ADR-7. Better than ADR-8.\n\nADR-9 came later.\n"

    assert declared(text) == [(R.SUPERSEDES, "ADR-7", True)]


@pytest.mark.req("T1")
def test_a_status_that_denies_it_declares_nothing() -> None:
    assert declared("## Status\n\nAccepted, not superseded by ADR-7\n") == []


# Keys above the first section


@pytest.mark.req("T1")
def test_lines_with_keys_above_the_first_section_count() -> None:
    text = """# One

Status: Superseded by ADR-7
Replaces: ADR-2
Date: after ADR-98

* Depends on: SPEC-4
- **See also**: ADR-3

| Amends | ADR-5 |
|---|---|
| Author of ADR-97 | Ana |

## Context

Replaces: ADR-99
"""
    assert declared(text) == [
        (R.SUPERSEDES, "ADR-7", True),
        (R.SUPERSEDES, "ADR-2", False),
        (R.DEPENDS_ON, "SPEC-4", False),
        (R.REFERENCES, "ADR-3", False),
        (R.EXTENDS, "ADR-5", False),
    ]


# What declares nothing, and what counts


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    "text",
    [
        "```\nADR-7\n```",
        "~~~md\n- [x](0007-x.md)\n~~~",
        "    ADR-7",
        "- item\n\n  ```\n  ADR-7\n  ```",
        "> ADR-7",
        "> - ADR-7\n>   - [x](0007-x.md)",
        "- > ADR-7",
        "<!-- ADR-7 -->",
        "<!--\n- ADR-7\n\n- [x](0007-x.md)\n-->",
        "- before <!-- ADR-7 --> after",
        "![ADR-7](0007-x.md)",
    ],
)
def test_code_quotations_and_comments_declare_nothing(text: str) -> None:
    assert named(text) == []
    assert declared(f"## Status\n\nSuperseded by\n\n{text}\n") == []
    assert declared(f"# One\n\nReplaces:\n\n{text}\n") == []


HIDDEN_HEADINGS = ["```\n## References\n```", "> ## References", "<!--\n## References\n-->", "    ## References"]


@pytest.mark.req("T1")
@pytest.mark.parametrize("heading", HIDDEN_HEADINGS)
def test_a_heading_in_code_quotation_or_comment_opens_no_section(heading: str) -> None:
    assert declared(f"{heading}\n\nADR-7\n") == []


@pytest.mark.req("T1")
@pytest.mark.parametrize("heading", [pytest.param(one * one.startswith(">")) for one in HIDDEN_HEADINGS])
def test_a_heading_in_code_quotation_or_comment_closes_no_section(heading: str) -> None:
    assert declared(f"## Extends\n\n{heading}\n\nADR-7\n") == [(R.EXTENDS, "ADR-7", False)]


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("- a\n  - b\n    1. ADR-7", ["ADR-7"]),
        ("1. ADR-7\n2. ADR-8", ["ADR-7", "ADR-8"]),
        ("- [x] ADR-7", ["ADR-7"]),
        ("| id | file |\n|---|---|\n| ADR-7 | [eight](0008.md) |", ["ADR-7", "adr/0008.md"]),
        ("`ADR-7`, **ADR-8**, _ADR-9_, <b>ADR-10</b>", ["ADR-7", "ADR-8", "ADR-9", "ADR-10"]),
        ("one line of ADR-7\nand another of ADR-8", ["ADR-7", "ADR-8"]),
        ("[ADR-7](https://example.org/x), see [SPEC-8](#there)", ["ADR-7", "SPEC-8"]),
    ],
)
def test_nested_lists_tables_and_links_count(text: str, targets: list[str]) -> None:
    assert named(text) == targets


# Names


@pytest.mark.req("T2")
@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("SPEC-12", "SPEC-12"),
        ("SPEC-012.", "SPEC-012"),
        ("spec-12", "SPEC-12"),
        ("ADR #12", "ADR-12"),
        ("ADR#12", "ADR-12"),
        ("Adr #12", "ADR-12"),
        ("ADR 12", "ADR-12"),
        ("ADR012", "ADR-012"),
        ("(ADR-12)", "ADR-12"),
        ("ADR-12's cost", "ADR-12"),
        ("TODO-12", "TODO-12"),
    ],
)
def test_a_family_and_a_number_name_a_document(text: str, target: str) -> None:
    assert named(text) == [target]


@pytest.mark.req("T2")
@pytest.mark.parametrize(
    "text",
    ["ADR-12a", "XADR-12", "ADR-12.5", "ADR-1234567", "the adr 12 times", "ADR-", "ADR twelve", "BILL-12", "PEP 8"],
)
def test_what_is_no_name_of_a_known_family_names_nothing(text: str) -> None:
    assert named(text) == []


@pytest.mark.req("T2")
@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("ADR-020/21/22", [20, 21, 22]),
        ("ADR-020/021/022", [20, 21, 22]),
        ("ADR-120/21", [120, 121]),
        ("ADR-120/1", [120, 121]),
        ("ADR-9/10", [9, 10]),
        ("ADR-20 / 21", [20, 21]),
        ("ADR-20/ADR-21", [20, 21]),
        ("ADR-020, 021 and 022", [20, 21, 22]),
        ("ADR-020, 021, and 022", [20, 21, 22]),
        ("ADR-020 & 021", [20, 21]),
        ("ADR-12, 100 users", [12]),
        ("ADR-012, 13 users", [12]),
        ("ADR-020, 2021", [20]),
    ],
)
def test_lists_of_numbers_name_each(text: str, numbers: list[int]) -> None:
    assert [int((name or "").removeprefix("ADR-")) for name in named(text)] == numbers


@pytest.mark.req("T2")
def test_a_list_may_change_its_family() -> None:
    assert named("ADR-1/ADR-2/SPEC-3") == ["ADR-1", "ADR-2", "SPEC-3"]


@pytest.mark.req("T2")
@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("SPEC-010–012", [10, 11, 12]),
        ("SPEC-010—012", [10, 11, 12]),
        ("SPEC-010 – SPEC-012", [10, 11, 12]),
        ("SPEC-010 to SPEC-012", [10, 11, 12]),
        ("SPEC-010 through 012", [10, 11, 12]),
        ("SPEC-010..012", [10, 11, 12]),
        ("SPEC-098–101", [98, 99, 100, 101]),
        ("SPEC-20/21–23", [20, 21, 22, 23]),
        ("SPEC-10–10", [10]),
        ("SPEC-010-012", [10]),
    ],
)
def test_ranges_name_all_between_their_ends(text: str, numbers: list[int]) -> None:
    assert [int((name or "").removeprefix("SPEC-")) for name in named(text)] == numbers


@pytest.mark.req("T2")
def test_a_range_too_wide_or_falling_names_its_ends_only() -> None:
    assert len(named(f"SPEC-1–{RANGE_MOST + 1}")) == RANGE_MOST + 1
    assert named(f"SPEC-1–{RANGE_MOST + 2}") == ["SPEC-1", f"SPEC-{RANGE_MOST + 2}"]
    assert named("SPEC-1 to SPEC-999999") == ["SPEC-1", "SPEC-999999"]
    assert named("SPEC-12–10") == ["SPEC-12", "SPEC-10"]
    assert named("SPEC-10–ADR-12") == ["SPEC-10", "ADR-12"]


@pytest.mark.req("T2")
@pytest.mark.parametrize(
    ("path", "target"),
    [("pep-0001.rst", "PEP-9"), ("BIPS/0001.md", "BIP-9"), ("keps/0001-x.md", "KEP-9"), ("fip-0001.md", "FIP-9")],
)
def test_a_documents_own_family_counts_without_being_configured(path: str, target: str) -> None:
    assert named("PEP-9, BIP-9, KEP-9, FIP-9", path) == [target]


@pytest.mark.req("T2")
def test_families_are_a_setting() -> None:
    assert named("SPEC-2, RFC 2119 and ADR-3", families=("rfc",)) == ["RFC-2119", "ADR-3"]


# Links


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("[x](x.md)", "docs/adr/x.md"),
        ("[x](./x.md)", "docs/adr/x.md"),
        ("[x](../y/x.md#frag)", "docs/y/x.md"),
        ("[x](../../x.markdown)", "x.markdown"),
        ("[x](a/./b/../x.md)", "docs/adr/a/x.md"),
        ("[x](my%20doc.md)", "docs/adr/my doc.md"),
        ("[x](<my doc.md>)", "docs/adr/my doc.md"),
        ("[x](x.md?plain=1)", "docs/adr/x.md"),
        ("[x](x.MD)", "docs/adr/x.MD"),
        ("[x][one]\n\n[one]: ../x.md 'Title'", "docs/x.md"),
        ("[one]\n\n[One]: x.md", "docs/adr/x.md"),
        ("[ADR-7: really x](x.md)", "docs/adr/x.md"),
        ("[**x** `y`](x.md)", "docs/adr/x.md"),
    ],
)
def test_a_relative_link_names_a_file_from_the_collections_root(text: str, target: str) -> None:
    assert named(text, "docs/adr/0001-this-one.md") == [target]


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    "text",
    [
        "[x](../../../x.md)",
        "[x](../../..%2fx.md)",
        "[x](https://example.org/x.md)",
        "[x](//example.org/x.md)",
        "<https://example.org/spec/32>",
        "[x](https://example.org/spec/32)",
        "[x](/etc/x.md)",
        "[x](/pep/32)",
        "[x](#adr-3)",
        "[x](mailto:adr@example.org)",
        "[x](x.txt)",
        "[x](x)",
        "[x](http://[)",
    ],
)
def test_a_link_out_of_the_collection_or_to_no_document_names_nothing(text: str) -> None:
    assert named(text, "docs/adr/0001-this-one.md") == []


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("[x](/adr/32)", "ADR-32"),
        ("[x](/adr/32/)", "ADR-32"),
        ("[x](/docs/adr-0032-title.html)", "ADR-32"),
        ("[x](/spec/32)", "SPEC-32"),
        ("[x](https://example.org/adr/32)", "ADR-32"),
        ("[ADR-5](/adr/32)", "ADR-5"),
    ],
)
def test_a_sites_address_of_a_known_family_names_a_document(text: str, target: str) -> None:
    assert named(text) == [target]


# Front matter


KEYS = {
    "requires": (R.DEPENDS_ON, False),
    "replaces": (R.SUPERSEDES, False),
    "superseded-by": (R.SUPERSEDES, True),
    "see-also": (R.REFERENCES, False),
    "updates": (R.EXTENDS, False),
    "obsoletes": (R.SUPERSEDES, False),
    "depends-on": (R.DEPENDS_ON, False),
    "related": (R.REFERENCES, False),
}


@pytest.mark.req("T2")
@pytest.mark.parametrize("key", KEYS)
def test_keys_of_the_front_matter_declare(key: str) -> None:
    type_, incoming = KEYS[key]
    for written in (key, key.title(), key.upper(), key.replace("-", "_"), f'"{key}"'):
        assert declared(f"---\n{written}: SPEC-7\n---\n# One\n") == [(type_, "SPEC-7", incoming)]
    header = f"Title: One\n{key.title()}: SPEC-7\n\nText.\n"
    assert declared(header) == [(type_, "SPEC-7", incoming)]


@pytest.mark.req("T2")
@pytest.mark.parametrize(
    ("value", "targets"),
    [
        ("SPEC-7", ["SPEC-7"]),
        ("SPEC-7, ADR-8", ["SPEC-7", "ADR-8"]),
        ("[SPEC-7, ADR-8]", ["SPEC-7", "ADR-8"]),
        ("\n  - SPEC-7\n  - 8", ["SPEC-7", "ADR-8"]),
        ("7", ["ADR-7"]),
        ("'#7'", ["ADR-7"]),
        ("7, 8", ["ADR-7", "ADR-8"]),
        ("[7, 8]", ["ADR-7", "ADR-8"]),
        ("7 8", ["ADR-7", "ADR-8"]),
        ("SPEC-7, 8", ["SPEC-7", "ADR-8"]),
        ("ADR-020/21", ["ADR-020", "ADR-21"]),
        ("'[seven](../x/7.md)'", ["x/7.md"]),
        ("'[SPEC-7](seven.md)'", ["adr/seven.md"]),
        ("0007-x.md, ./0008-y.md", ["adr/0007-x.md", "adr/0008-y.md"]),
        ("https://example.org/adr/7", ["ADR-7"]),
    ],
)
def test_a_value_names_by_name_number_or_link(value: str, targets: list[str]) -> None:
    assert [target for _, target, _ in declared(f"---\nrequires: {value}\n---\n# One\n")] == targets


@pytest.mark.req("T2")
@pytest.mark.parametrize("value", ["", "N/A", "n/a", "none", "None", "~", "''", "[]", "{}", "-", "TBD", "2024-01-02"])
def test_a_value_that_says_none_names_nothing(value: str) -> None:
    assert declared(f"---\nrequires: {value}\n---\n# One\n") == []


@pytest.mark.req("T2")
def test_a_bare_number_is_of_the_documents_own_family_or_of_none() -> None:
    assert declared("---\nrequires: 7\n---\n", "rfcs/0001.md") == [(R.DEPENDS_ON, "RFC-7", False)]
    assert declared("---\nrequires: 7\n---\n", "notes.md") == []


@pytest.mark.req("T2")
@pytest.mark.parametrize("key", ["author", "title", "tags", "discussions-to", "requirement"])
def test_other_keys_declare_nothing(key: str) -> None:
    assert declared(f"---\n{key}: SPEC-7\n---\n# One\n") == []


@pytest.mark.req("T1")
@pytest.mark.parametrize(
    ("status", "target"),
    [
        ("superseded by ADR-7", "ADR-7"),
        pytest.param(
            "superseded by [7. Use it](0007-use-it.md)",
            "adr/0007-use-it.md",
        ),
    ],
)
def test_a_status_in_the_front_matter_counts_as_a_section_does(status: str, target: str) -> None:
    assert declared(f"---\nstatus: {status}\n---\n# One\n") == [(R.SUPERSEDES, target, True)]


# Hostile texts


RUNS = ["ADR-1/", "ADR-1, ", "ADR-", "- ", "> ", "1. ", " ", "\n", "| ", "`", "<!--", "superseded ", "superseded by. "]


@pytest.mark.parametrize(
    "run",
    [
        *RUNS,
        pytest.param("superseded by ADR-1 "),
        pytest.param("[ADR-1](a.md) ADR-2 "),
        pytest.param("ADR-1–100 "),
    ],
    ids=repr,
)
def test_no_run_of_characters_is_slow(run: str) -> None:
    assert _seconds("## Status\n\n" + run * (ADVERSARIAL_CHARS // len(run))) < ADVERSARIAL_SECONDS


@pytest.mark.parametrize("run", ["[", "](", "[a](", "[a][", "![", "*a ", "**a_", "- a\n", "|a\n"], ids=repr)
@pytest.mark.parametrize("section", ["Relationships", "References"])
def test_no_run_of_marks_that_markdown_is_slow_with_is_worse_than_that(run: str, section: str) -> None:
    """A kilobyte of brackets takes the parser 20 to 40 milliseconds, in proportion."""
    assert _seconds(f"## {section}\n\n" + run * (ADVERSARIAL_CHARS // 20 // len(run))) < ADVERSARIAL_SECONDS


@pytest.mark.parametrize("line", ["Replaces: ADR-2\n", "Replaces: [2](0002.md)\n", "a: b\n", "Status: Accepted\n"])
def test_no_number_of_keys_is_slow(line: str) -> None:
    assert _seconds("# One\n\n" + line * (ADVERSARIAL_CHARS // 2 // len(line))) < ADVERSARIAL_SECONDS


@pytest.mark.parametrize("mark", ["- ", "> ", "1. ", "* > "])
def test_lists_and_quotations_may_be_nested_without_end(mark: str) -> None:
    nested = "\n".join(" " * (len(mark) * depth) + f"{mark}ADR-{depth}" for depth in range(300))
    assert _seconds(f"## References\n\n{nested}\n\n{mark * 5000}ADR-1") < ADVERSARIAL_SECONDS


def _seconds(text: str) -> float:
    started = time.process_time()
    references(text)
    return time.process_time() - started
