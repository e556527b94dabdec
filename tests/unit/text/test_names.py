"""Names in a text: which stand out by their form, what never does, and where known ones occur."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from trigraph.model.memory import EntityType
from trigraph.text.names import FoundName, is_nameable, name_key, names_in, occurrences

LABELLED = Path(__file__).with_name("names_labelled.jsonl")
PRECISION_LEAST = 0.90
RECALL_LEAST = 0.85
ADVERSARIAL_CHARS = 100_000
ADVERSARIAL_SECONDS = 2.0

many = settings(deadline=None, max_examples=300)
anything = st.text(st.characters(exclude_categories=[]))
marks = """
    - _ a A 0 ` `` ``` " “ ” < > </ # ' 's ’s . / : () ~~~ :// ADR 12 -07 SPEC parse _config the Go İ ½ ǰ é
    """.split()
odd_text = st.one_of(anything, st.lists(st.sampled_from([*marks, " ", "\n", "\u0301", "\x00", "\ud800"])).map("".join))


def outstanding(text: str) -> list[str]:
    return [one.name for one in names_in(text).outstanding]


def found(text: str, *known: str) -> list[str]:
    """How the text writes each known name that stands in it."""
    spellings: dict[str, list[str]] = {}
    for name in known:
        spellings.setdefault(name_key(name), []).append(name)
    return [one.name for one in occurrences(names_in(text), spellings)]


# Names that stand out


@pytest.mark.req("S1")
@pytest.mark.parametrize(
    ("text", "name", "key"),
    [
        ("See ADR-012.", "ADR-012", "adr 12"),
        ("See ADR-12.", "ADR-12", "adr 12"),
        ("See ADR 12, please.", "ADR 12", "adr 12"),
        ("See ADR #12!", "ADR #12", "adr 12"),
        ("See ADR#12", "ADR#12", "adr 12"),
        ("(SPEC-054)", "SPEC-054", "spec 54"),
        ("RFC 7231 says so", "RFC 7231", "rfc 7231"),
        ("PEP 0008", "PEP 0008", "pep 8"),
        ("ADR-000", "ADR-000", "adr 0"),
        ("**ADR-7**", "ADR-7", "adr 7"),
        ("<b>ADR-7</b>", "ADR-7", "adr 7"),
        ("ADR-7's cost", "ADR-7", "adr 7"),
    ],
)
def test_document_ids_stand_out_as_documents_whatever_their_zeros(text: str, name: str, key: str) -> None:
    (one,) = names_in(text).outstanding
    assert (one.name, one.key, one.type) == (name, key, EntityType.DOCUMENT)
    assert text[one.start : one.end] == name


@pytest.mark.req("S1")
@pytest.mark.parametrize("text", ["OPS-4471 is open", "closes BILL-7.", "see [CORE-15]"])
def test_tickets_stand_out_as_something(text: str) -> None:
    (one,) = names_in(text).outstanding
    assert one.type is EntityType.UNKNOWN
    assert one.name in text.replace("[", " ").replace(".", " ").split() or one.name == "CORE-15"


@pytest.mark.req("S1")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("call parse_config here", ["parse_config"]),
        ("call parse_config() here", ["parse_config"]),
        ("MAX_RETRIES is 5", ["MAX_RETRIES"]),
        ("getUserById fails", ["getUserById"]),
        ("ConnectionPool leaks", ["ConnectionPool"]),
        ("edit src/app/main.py now", ["src/app/main.py"]),
        ("edit main.py.", ["main.py"]),
        ("use `flush`, then `close()`.", ["flush", "close"]),
        ("`acme-eu-backups` and `/etc/hosts`", ["acme-eu-backups", "/etc/hosts"]),
        ("`parse_config` and `Config.load()`", ["parse_config", "Config.load"]),
        ("*snake_case* and **CamelCase**", ["snake_case", "CamelCase"]),
        ("| `row_count` | `byte_count` |", ["row_count", "byte_count"]),
        ("TypeScript's checker", ["TypeScript"]),
    ],
)
def test_code_identifiers_stand_out(text: str, names: list[str]) -> None:
    assert outstanding(text) == names


@pytest.mark.req("S1")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('the talk "Small Boats" was good', ["Small Boats"]),
        ("the talk “The Cost of Waiting” was good", ["The Cost of Waiting"]),
        ('"A Field Guide to Failure"', ["A Field Guide to Failure"]),
        ('about "SPEC-9 And Other Stories"', ["SPEC-9 And Other Stories"]),
    ],
)
def test_quoted_titles_stand_out_whole(text: str, names: list[str]) -> None:
    assert outstanding(text) == names


def test_of_two_names_one_inside_the_other_the_outer_stands_out() -> None:
    assert outstanding("docs/ADR-12_notes.md and `OPS-1`") == ["docs/ADR-12_notes.md", "OPS-1"]


# What never does

NOTHING = {
    "stop words": "the and of `the` `with` it is what it is",
    "pronouns": "I told him that she told them; `they` agreed with `you`",
    "bare numbers": "42 7,000 3.14 `42` 1_000_000 #12 No 7",
    "versions": "1.2.3 v2.0 `v2.3.1` `1.9.0-rc.1` 16.2",
    "dates": "2026-03-14 14.03.2026 `2026-03-14` 03/14/26 09:12:00Z",
    "flags": "`--dry-run` -v `-v` --force",
    "literals": "`true` `False` `None` `null` `NaN` `self`",
    "emphasis": "**Important** *very* __bold__ _so_ ~~gone~~ ***all***",
    "tables": "| name | size |\n|------|:----:|\n| north | 12 |",
    "headings and lists": "# Heading\n## Another one\n- item\n* item\n1. item\n> quote",
    "tags": '<div class="note"><br/><a href="x_y.html">here</a></div> <!-- hidden -->',
    "addresses": "https://example.org/getting_started.html ftp://a_b/c_d.py",
    "fenced code": "```python\nparse_config(ADR_12)\n```\n~~~\nRowReader.close()\n~~~",
    "open fence": "```\nparse_config() for ADR-12",
    "first words of sentences": "Kettle on. Yesterday it rained! Nobody came. However, we did.",
    "plain names": "Anna went to Lisbon with Tobias in May",
    "quoted sentences": 'He said "We Ship On Monday." and "Are You Sure?" and "Well, No,"',
    "quoted words": 'the "temporary" fix, the "save changes" button, "in the end"',
    "status codes": "HTTP 404 and HTTP 500, ISO 9001",
    "acronyms": "the API over TLS, JSON and XML",
    "empty code": "`` ` ` `x` ``",
}


@pytest.mark.req("S1")
@pytest.mark.parametrize("what", NOTHING)
def test_what_names_nothing_never_stands_out(what: str) -> None:
    assert outstanding(NOTHING[what]) == []


def test_an_address_of_mail_names_nothing() -> None:
    assert outstanding("write to first_last@example.com") == []


@pytest.mark.req("S1")
@pytest.mark.parametrize(
    "name", ["the", "it", "they", "42", "1.2.3", "--", "", " ", "a", "of the", "***", "the 7", "_"]
)
def test_stop_words_pronouns_numbers_and_marks_can_name_nothing(name: str) -> None:
    assert not is_nameable(name)


@pytest.mark.parametrize("name", ["Go", "C3", "Ana", "ADR-7", "The Who Cares", "東京", "parse_config", "x" * 120])
def test_ordinary_names_can(name: str) -> None:
    assert is_nameable(name)


def test_what_is_too_long_can_name_nothing() -> None:
    assert not is_nameable("x" * 121)
    assert not is_nameable(" ".join(["word"] * 11))
    assert outstanding("_".join(["ab"] * 50)) == []


# Keys


@pytest.mark.req("S1")
@pytest.mark.parametrize(
    "names",
    [
        ("SPEC-054", "SPEC-54", "spec 54", "Spec #054", "SPEC_54"),
        ("ADR 12", "ADR-0012", "ADR#12", "adr.12", "ADR\u00a0012"),
        ("parse_config", "parse-config", "PARSE_CONFIG", "parse_config()"),
        ("Ana", "ANA", "Ana's", "Ana’s", " ana "),
        ("James", "James'", "JAMES’"),
        ("Straße", "STRASSE"),
        ("ﬁne", "FINE"),
        ("Zürich", "ZÜRICH", "Zu\u0308rich"),
    ],
    ids=lambda names: names[0],
)
def test_ways_to_write_one_name_have_one_key(names: tuple[str, ...]) -> None:
    assert len({name_key(name) for name in names}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("ADR-12", "ADR-120"), ("ADR-12", "RFC-12"), ("C 10", "C 100"), ("किम", "काम"), ("thé", "the"), ("v0.7", "v0.07")],
)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


# Where known names stand


@pytest.mark.req("S1")
@pytest.mark.parametrize(
    ("text", "known", "places"),
    [
        ("We go with Go, not with go", "Go", ["Go"]),
        ("GO is a language too", "Go", ["GO"]),
        ("Redis and redis and REDIS", "redis", ["Redis", "redis", "REDIS"]),
        ("parse_config and parse config", "parse_config", ["parse_config"]),
        ("Steering Box, steering box, steering-box", "steering box", ["Steering Box", "steering box", "steering-box"]),
        ("SPEC 54, spec-054 and Spec #54", "SPEC-054", ["SPEC 54", "spec-054", "Spec #54"]),
        ("Ana's bike; ANA’s car", "Ana", ["Ana", "ANA"]),
        ("Anagram, banana and Ana", "Ana", ["Ana"]),
        ("on the node. JS is elsewhere; Node.js is here", "Node.js", ["Node.js"]),
        ("a steering\u00a0box", "steering box", ["steering\u00a0box"]),
        ("a steering\nbox", "steering box", []),
        ("a steering, box", "steering box", []),
        ("`redis` **redis** (redis)", "redis", ["redis"] * 3),
        ("```\nredis\n``` https://redis.io <redis>", "redis", []),
    ],
)
def test_a_known_name_is_found_where_it_is_meant(text: str, known: str, places: list[str]) -> None:
    assert found(text, known) == places


def test_the_longest_known_name_wins() -> None:
    assert found("Blue Heron Bay is not Blue Heron", "Blue", "Blue Heron", "Blue Heron Bay") == [
        "Blue Heron Bay",
        "Blue Heron",
    ]


def test_a_name_that_is_a_stop_word_is_never_found() -> None:
    assert found("It is what it is", "It", "Is") == []


# Any text


@many
@given(odd_text)
@example("``````")
@example('"“"”')
@example("*" * 40 + "`" + "*" * 40 + "a`")
def test_no_text_breaks_it_and_every_span_is_right(text: str) -> None:
    names = names_in(text)
    assert all(text[one.start : one.end] == one.name for one in names.outstanding)
    assert all(one.key == name_key(one.name) and is_nameable(one.name) for one in names.outstanding)
    assert all(one.end <= other.start for one, other in zip(names.outstanding, names.outstanding[1:], strict=False))
    known = {piece.key: [text[piece.start : piece.end]] for piece in names.pieces}
    again = occurrences(names, known)
    assert all(text[one.start : one.end] == one.name for one in again)
    assert isinstance(is_nameable(text), bool)


@many
@given(odd_text)
@example("½")
@example("İstanbul")
@example("ǰ")
def test_a_key_is_its_own_key(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


@many
@given(odd_text)
@example("A0A\u0300")
@example("0\u0300A0A")
@example("parse_config\u0301")
def test_a_name_that_stands_out_is_found_again_once_it_is_known(text: str) -> None:
    names = names_in(text)
    known = {one.key: [one.name] for one in names.outstanding}
    places = {(one.start, one.end) for one in occurrences(names, known)}
    missed = [one for one in names.outstanding if one.name[0].isalnum() and not _covered(one, places)]
    assert missed == []


def _covered(one: FoundName, places: set[tuple[int, int]]) -> bool:
    """Whether a found place lies in the name: a name may begin or end with marks that no word has."""
    return any(start < one.end and one.start < end for start, end in places)


RUNS = ["-", "_", "a", "A", "0", "`", '"', "“", "<", "</", "<a", ".", "/", "#", "~", "*", "(", "\n", "é", "\u0301"]
PAIRS = ["a_", "_a", "aA", "A-", "a.", "a/", "a-", "./", "a.b/", "`a", '"A ', "AB-1 ", "AB-1", "a://", "a()", "1-"]


@pytest.mark.parametrize("run", [*RUNS, *PAIRS], ids=repr)
def test_no_run_of_characters_is_slow(run: str) -> None:
    text = (run * ADVERSARIAL_CHARS)[:ADVERSARIAL_CHARS]
    slowest = max(
        _seconds(names_in, text),
        _seconds(names_in, text + "!"),
        _seconds(names_in, text + ".py"),
        _seconds(name_key, text),
        _seconds(is_nameable, text),
    )
    assert slowest < ADVERSARIAL_SECONDS


def _seconds(work: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    work(text)
    return time.process_time() - started


# Texts that a person labelled before they were run


def test_names_are_found_as_a_person_would_find_them() -> None:
    right, extra, missed = [], [], []
    for line in LABELLED.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        got, wanted = set(outstanding(record["text"])), set(record["names"])
        right += got & wanted
        extra += [f"{name!r} in {record['text']!r}" for name in got - wanted]
        missed += [f"{name!r} in {record['text']!r}" for name in wanted - got]
    precision = len(right) / (len(right) + len(extra))
    recall = len(right) / (len(right) + len(missed))
    told = f"precision {precision:.3f}, recall {recall:.3f}\nextra: {extra}\nmissed: {missed}"
    assert precision >= PRECISION_LEAST, told
    assert recall >= RECALL_LEAST, told
