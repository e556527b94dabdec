"""What a passage does by its form, and what a query is after."""

from __future__ import annotations

import pytest

from trigraph.text.answering import after_number, after_time, asking, of_speaker, tells_number, tells_time, words_of


@pytest.mark.parametrize(
    ("text", "share", "ends"),
    [
        ("What do you think?", 1.0, True),
        ("Hey Mel! How are you? I went hiking.", 1 / 3, False),
        ("I said so. Why not?", 0.5, True),
        ("No idea", 0.0, False),
        ("Really?! Yes", 0.5, False),
        ('He asked "why?"', 1.0, True),
        ("本当ですか？", 1.0, True),
        ("", 0.0, False),
        ("...", 0.0, False),
    ],
)
def test_how_much_of_a_passage_asks_and_whether_it_ends_so(text: str, share: float, ends: bool) -> None:
    assert asking(text) == (pytest.approx(share), ends)


@pytest.mark.parametrize("query", ["When did Ana move?", "what year was it built", "On which day do we deploy?"])
def test_queries_after_a_time(query: str) -> None:
    assert after_time(query)
    assert not after_number(query)


@pytest.mark.parametrize("query", ["How many retries are there?", "how long does a backup take", "And how old is she?"])
def test_queries_after_a_number(query: str) -> None:
    assert after_number(query)
    assert not after_time(query)


@pytest.mark.parametrize("query", ["Why did we drop JWT?", "tell me when it broke", "how do we deploy", "whenever"])
def test_queries_after_something_else(query: str) -> None:
    assert not after_time(query)
    assert not after_number(query)


def test_what_a_passage_tells() -> None:
    assert tells_time(words_of("We moved last Tuesday"))
    assert tells_time(words_of("in 2024"))
    assert not tells_time(words_of("We moved the table"))
    assert tells_number(words_of("There are 12 of them"))
    assert tells_number(words_of("twice a day"))
    assert not tells_number(words_of("There are some"))
    assert of_speaker(words_of("I'm off"))
    assert of_speaker(words_of("that is our plan"))
    assert not of_speaker(words_of("The ship leaves"))
