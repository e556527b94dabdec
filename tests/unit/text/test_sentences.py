"""Sentences stand where they say, and end where a reader would end them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigraph.text.sentences import sentences_in

pytestmark = pytest.mark.req("I3")


def _texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences_in(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It works. It is fast!", ["It works.", "It is fast!"]),
        ("Edit src/app.py and v1.2.3. Then run it.", ["Edit src/app.py and v1.2.3.", "Then run it."]),
        ("Use a cache, e.g. Redis. Dr. Who agrees.", ["Use a cache, e.g. Redis.", "Dr. Who agrees."]),
        ("Well... maybe not. Fine… I see.", ["Well... maybe not.", "Fine…", "I see."]),
        ("A quote by J.K. Rowling is here.", ["A quote by J.K. Rowling is here."]),
        ("now we cache. also we log.", ["now we cache.", "also we log."]),
        ("See `a.b. c` there. Yes.", ["See `a.b. c` there.", "Yes."]),
        ("One line\ngoes on. Next", ["One line goes on.", "Next"]),
        ("これは本です。あれは猫です。", ["これは本です。", "あれは猫です。"]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, sentences: list[str]) -> None:
    assert _texts(text) == sentences


def test_code_tables_and_diffs_are_passed_over() -> None:
    text = "Before.\n```py\nx = 1. Yes.\n```\n| a | b |\n\ndiff --git a b\n--- a\n+++ b\n+ Some text.\n\nAfter."
    assert _texts(text) == ["Before.", "After."]


def test_items_know_their_lead_and_heading() -> None:
    text = "## 1. Changes\n\nThe job now:\n- **Runs** daily\n  - at *noon*\n- Sends mail. Twice.\n\nBye."
    found = [(one.text, one.heading, one.lead, one.is_item) for one in sentences_in(text)]
    assert found == [
        ("The job now:", "Changes", None, False),
        ("Runs daily", "Changes", "The job now:", True),
        ("at noon", "Changes", "Runs daily", True),
        ("Sends mail.", "Changes", "The job now:", True),
        ("Twice.", "Changes", "The job now:", True),
        ("Bye.", "Changes", None, False),
    ]


def test_offsets_are_those_of_the_text_as_it_was_given() -> None:
    text = "  - **Bold** words.  And more.\n"
    assert [text[one.start : one.end] for one in sentences_in(text)] == ["**Bold** words.", "And more."]


@given(st.text(alphabet=st.sampled_from("ab. !?\n-*#`:1)>|~_[]()é…。\t"), max_size=200))
def test_sentences_lie_in_order_within_the_text(text: str) -> None:
    position = 0
    for sentence in sentences_in(text):
        assert position <= sentence.start < sentence.end <= len(text)
        position = sentence.end
