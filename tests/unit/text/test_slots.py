"""What a short statement says, taken apart."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.text.quantities import Measure, quantities_in
from trigraph.text.slots import Mood, read

many = settings(deadline=None, max_examples=200)
anything = st.text(st.characters(exclude_categories=[]), max_size=300)


@pytest.mark.req("I7")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 GB", "2048 MB"),
        ("90 s", "1.5 min"),
        ("1.2k", "1,200"),
        ("three", "3"),
        ("twenty-one days", "3 weeks"),
        ("2:30 pm", "14:30"),
        ("noon", "12:00"),
        ("March 5, 2026", "2026-03-05"),
        ("5 March", "2026-03-05"),
        ("v1.2.3", "1.2.3"),
        ("$20", "20 dollars"),
        ("12 months", "1 year"),
        ("225", "225 ft-lb"),
        ("one in four", "25%"),
    ],
)
def test_quantities_that_say_the_same_agree(one: str, other: str) -> None:
    (first,), (second,) = quantities_in(f"it is {one}."), quantities_in(f"it is {other}.")

    assert first.agrees(second)
    assert second.agrees(first)


@pytest.mark.req("I7")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 GB", "2 MB"),
        ("30 ms", "30 s"),
        ("Python 3.1", "Python 3.10"),
        ("3 pm", "3:00"),
        ("March 5", "March 6"),
        ("100 per minute", "100 per second"),
        ("Monday", "Tuesday"),
        ("10.0.0.1", "10.0.0.2"),
        ("-5", "5"),
    ],
)
def test_quantities_that_differ_do_not_agree(one: str, other: str) -> None:
    (first,), (second,) = quantities_in(f"it is {one}."), quantities_in(f"it is {other}.")

    assert not first.agrees(second)


def test_digits_inside_a_name_are_no_quantity() -> None:
    assert quantities_in("utf8, node-3, /v1/search, ADR-12, 4xx, 555-0134 and 12 Quarry Road") == ()


def test_may_and_march_are_months_only_where_they_are() -> None:
    assert quantities_in("It may march on") == ()
    assert [one.measure for one in quantities_in("It ends in May 2026")] == [Measure.DATE]


@pytest.mark.req("I11")
@pytest.mark.parametrize(
    ("text", "key", "sign"),
    [
        ("The log is enabled.", "enabl", 1),
        ("The log is disabled.", "enabl", -1),
        ("The log is never disabled.", "enabl", 1),
        ("The log is not enabled.", "enabl", -1),
        ("Disks are unencrypted.", "encrypt", -1),
        ("The cache fails to expire.", "expir", -1),
        ("It runs without sudo.", "sudo", -1),
        ("It checks not only types.", "type", 1),
        ("Ids are non-unique.", "uniqu", -1),
        ("The worker is stateless.", "state", -1),
        ("The printer is out of toner.", "toner", -1),
        ("The alarm is deactivated.", "enabl", -1),
    ],
)
def test_a_negation_reaches_its_predicate_and_opposites_share_a_key(text: str, key: str, sign: int) -> None:
    assert read(text).signs[key] == sign


@pytest.mark.req("I11")
def test_a_negation_ends_with_its_clause() -> None:
    signs = read("It does not log, but it prints.").signs

    assert (signs["log"], signs["print"]) == (-1, 1)


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("Is the cache on?", Mood.QUESTION),
        ("If it fails, restart it.", Mood.CONDITION),
        ("Do not forget the keys.", Mood.REMINDER),
        ("We might leave.", Mood.PLAN),
        ("The cache is on.", None),
    ],
)
def test_the_mood_of_a_statement(text: str, mood: Mood | None) -> None:
    assert read(text).mood is mood


@pytest.mark.req("I11")
@pytest.mark.parametrize(
    ("text", "away"),
    [
        ("We switched from Black to ruff.", {"black"}),
        ("Use yarn instead of npm.", {"npm"}),
        ("Bo took over from Ana.", {"ana"}),
        ("oldName was renamed to newName.", {"oldname"}),
        ("pkg/core has been renamed pkg/engine.", {"pkg/core"}),
        ("The train from Rome to Milan is late.", set()),
    ],
)
def test_what_a_statement_puts_aside(text: str, away: set[str]) -> None:
    assert read(text).displaced == away


def test_values_that_something_has_one_of() -> None:
    (slot,) = read("Jonas lives in Leipzig with two cats.").slots

    assert (slot.subject, slot.attribute, slot.value) == ({"jona"}, "place", {"leipzig"})


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("The trailer is parked behind the barn.", {"barn"}),
        ("You find the key under the mat.", {"mat"}),
        ("The vet relocated her practice to Leeds.", {"leed"}),
        ("The piano has been moved to the hall.", {"hall"}),
    ],
)
def test_a_place_is_told_in_many_ways(text: str, place: set[str]) -> None:
    assert place in [slot.value for slot in read(text).slots if slot.attribute == "place"]


def test_an_indefinite_subject_has_no_slot() -> None:
    assert read("A man is on a ship.").slots == ()


@many
@given(anything)
def test_any_text_can_be_read_and_its_quantities_lie_inside_it(text: str) -> None:
    read(text)
    spans = [(one.start, one.end) for one in quantities_in(text)]

    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
