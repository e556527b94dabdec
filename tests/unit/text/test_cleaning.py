"""What a text must be, and what makes two the same."""

from __future__ import annotations

import pytest

from trigraph.errors import InvalidInput
from trigraph.model.memory import Kind
from trigraph.text.cleaning import check_label, check_text, content_hash


@pytest.mark.parametrize("text", ["Use tabs", " \n x \r\n", "🦑", "東京", "a\tb", "\u200bx", "x" * 1_000_000])
def test_a_text_is_kept_verbatim(text: str) -> None:
    assert check_text(text, Kind.FACT) == text


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u2003"], ids=ascii)
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="query is empty") as refused:
        check_text(text, Kind.FACT, "query")
    assert refused.value.field == "query"


@pytest.mark.parametrize("value", [None, 7, b"bytes", ["text"]], ids=str)
def test_what_is_no_string_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="must be a string, not"):
        check_text(value, Kind.FACT)


def test_a_nul_byte_is_refused_and_located() -> None:
    with pytest.raises(InvalidInput, match="NUL byte at character 3"):
        check_text("abc\x00", Kind.FACT)


def test_a_lone_surrogate_is_refused_and_located() -> None:
    with pytest.raises(InvalidInput, match="lone surrogate at character 1"):
        check_text("a\ud83d", Kind.FACT)


@pytest.mark.parametrize(
    ("kind", "limit"),
    [
        (Kind.FACT, 1_000_000),
        (Kind.EPISODE, 1_000_000),
        (Kind.SUMMARY, 1_000_000),
        (Kind.DOCUMENT, 10_000_000),
    ],
)
def test_a_text_holds_one_megabyte_and_a_document_ten(kind: Kind, limit: int) -> None:
    assert len(check_text("x" * limit, kind)) == limit
    with pytest.raises(InvalidInput, match=f"holds at most {limit:,}"):
        check_text("x" * (limit + 1), kind)


def test_the_limit_counts_bytes() -> None:
    assert check_text("é" * 500_000, Kind.FACT)
    with pytest.raises(InvalidInput, match="1,000,002 bytes"):
        check_text("é" * 500_001, Kind.FACT)


def test_a_text_that_would_do_as_a_document_says_so() -> None:
    with pytest.raises(InvalidInput, match="kind document"):
        check_text("x" * 1_000_001, Kind.FACT)
    with pytest.raises(InvalidInput, match="several memories") as too_large_for_any:
        check_text("x" * 10_000_001, Kind.FACT)
    assert "kind document" not in str(too_large_for_any.value)


@pytest.mark.parametrize(
    ("given", "label"), [(" billing ", "billing"), ("a b", "a b"), ("x" * 200, "x" * 200), ("ß", "ß")]
)
def test_a_label_is_trimmed(given: str, label: str) -> None:
    assert check_label(given, "topic") == label


@pytest.mark.parametrize(
    "label", ["", "  ", "x" * 201, "a\nb", "a\tb", "a\x00b", "a\x1b[0m", "\ud800", 7, None], ids=ascii
)
def test_a_label_is_one_short_line(label: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_label(label, "topic")
    assert refused.value.field == "topic"


def test_the_hash_is_of_the_text_with_single_spaces() -> None:
    # printf 'Tea at four' | sha256sum
    expected = "0a6e5a0198f56032e3b912031c32d69edfe2aabd78fce5e9620f4c8077fdc0a7"
    for text in ("Tea at four", " Tea\n at\t four  ", "Tea\u00a0at four"):
        assert content_hash(text) == expected


def test_composed_and_decomposed_letters_are_the_same_text() -> None:
    assert content_hash("café") == content_hash("cafe\u0301")


@pytest.mark.parametrize("other", ["tea at four", "Tea at four.", "Teaat four", "Tea at fοur"])
def test_any_other_difference_makes_another_text(other: str) -> None:
    assert content_hash(other) != content_hash("Tea at four")
