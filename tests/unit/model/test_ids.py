"""Ids: sortable, prefixed, understood by their ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from trigraph.model.ids import id_suffix, is_full_id, new_id, short_id

START = datetime(2031, 5, 1, tzinfo=UTC)
FULL = "m_01kx0f6gq3v8z5d2c7b9n4t1hw"
ALPHABET = set("0123456789abcdefghjkmnpqrstvwxyz")


def test_an_id_is_a_prefix_and_26_characters_without_the_confusable_ones() -> None:
    made = new_id("m", START)

    assert made.startswith("m_")
    assert len(made) == 28
    assert set(made[2:]) <= ALPHABET
    assert is_full_id(made, "m")


def test_the_first_twelve_characters_tell_the_microsecond() -> None:
    # They are the upper 58 bits; 33 microseconds are written 11 to the base of 32.
    assert new_id("m", datetime(1970, 1, 1, tzinfo=UTC))[2:14] == "000000000000"
    assert new_id("m", datetime(1970, 1, 1, 0, 0, 0, 33, tzinfo=UTC))[2:14] == "000000000011"


def test_ids_of_one_millisecond_sort_as_they_were_made() -> None:
    made = [new_id("m", START) for _ in range(5000)]

    assert made == sorted(made)
    assert len(set(made)) == 5000


def test_ids_of_one_instant_sort_as_they_were_made_while_others_come_between() -> None:
    at = datetime(2026, 7, 1, tzinfo=UTC)
    made = []
    for turn in range(100):
        made.append(new_id("m", at))
        for other in range(1, 101):
            new_id("m", at + timedelta(seconds=100 * turn + other))

    assert made == sorted(made)


def test_ids_sort_by_their_time() -> None:
    made = [new_id("m", START + timedelta(milliseconds=step)) for step in range(1, 200)]

    assert made == sorted(made)


def test_ids_of_different_milliseconds_share_no_end() -> None:
    ends = {short_id(new_id("m", START + timedelta(seconds=step))) for step in range(1, 500)}

    assert len(ends) == 499


def test_people_see_the_last_eight_characters() -> None:
    assert short_id(FULL) == "b9n4t1hw"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "m_",
        FULL[:-1],
        FULL + "0",
        FULL.upper(),
        "m_01kx0f6gq3v8z5d2c7b9n4t1hu",
        "t_" + FULL[2:],
        FULL + "\n",
    ],
)
def test_anything_else_is_no_full_id_of_a_memory(text: str) -> None:
    assert not is_full_id(text, "m")
    assert is_full_id(FULL, "m")


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        (FULL, "01kx0f6gq3v8z5d2c7b9n4t1hw"),
        ("b9n4t1hw", "b9n4t1hw"),
        (" B9N4T1HW\n", "b9n4t1hw"),
        ("m_b9n4t1hw", "b9n4t1hw"),
        ("7b9n4t1hw", "7b9n4t1hw"),
    ],
)
def test_eight_characters_or_more_may_be_the_end_of_an_id(text: str, suffix: str) -> None:
    assert id_suffix(text, "m") == suffix


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9n4t1hw",
        "m_9n4t1hw",
        "b9n4t1hl",
        "t_b9n4t1hw",
        "b9n4 t1hw",
        FULL + "0",
        "release plan",
        "document",
    ],
)
def test_what_is_shorter_longer_or_of_other_characters_may_not(text: str) -> None:
    assert id_suffix(text, "m") is None
