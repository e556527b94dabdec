"""How near a memory is to what a query names."""

from __future__ import annotations

from itertools import pairwise

import pytest

from trigraph.model.relation import RelationType as R
from trigraph.ranking.proximity import (
    BESIDE,
    DRAWN_LINK,
    LINK,
    MENTION,
    RELATION,
    SECOND_HOP,
    Asked,
    Nearness,
    damping,
    relations_asked,
)


def _near(*paths: float) -> Nearness:
    nearness = Nearness()
    for number, path in enumerate(paths):
        nearness.add(path, number, f"path {number}")
    return nearness


# Paths


@pytest.mark.req("T5")
def test_one_path_counts_as_it_is() -> None:
    assert _near(0.3).score == pytest.approx(0.3)


@pytest.mark.req("T5")
def test_each_further_path_counts_less_than_the_one_before_it() -> None:
    scores = [_near(*[0.3] * number).score for number in range(8)]
    gains = [after - before for before, after in pairwise(scores)]

    assert gains[:3] == pytest.approx([0.3, 0.21, 0.147])
    assert all(0 < later < earlier for earlier, later in pairwise(gains))


@pytest.mark.req("T5")
def test_no_number_of_paths_reaches_1() -> None:
    assert _near(0.9, 0.9, 0.9, 0.9).score < 1
    assert _near(1.0).score < 1
    assert _near(5.0, 1.0).score < 1


@pytest.mark.req("T5")
def test_the_order_of_paths_does_not_matter() -> None:
    assert _near(0.1, 0.5, 0.3).score == pytest.approx(_near(0.5, 0.3, 0.1).score)


@pytest.mark.req("T5")
def test_the_reason_is_the_best_path_and_every_passage_is_kept() -> None:
    nearness = _near(0.1, 0.5, 0.3)

    assert (nearness.best, nearness.why) == (0.5, "path 1")
    assert nearness.passages == {0, 1, 2}


@pytest.mark.req("T5")
@pytest.mark.parametrize("first", [RELATION, MENTION, LINK, DRAWN_LINK, BESIDE])
@pytest.mark.parametrize("second", [RELATION, MENTION, LINK, DRAWN_LINK, BESIDE])
def test_two_hops_count_less_than_either_alone(first: float, second: float) -> None:
    assert 0 < first * second * SECOND_HOP < min(first, second)


def test_what_somebody_drew_lets_more_through_than_what_the_system_did() -> None:
    assert LINK > DRAWN_LINK


# Hubs


@pytest.mark.req("T5")
def test_a_hub_passes_on_less_the_more_memories_speak_of_it() -> None:
    assert damping(0) == 1
    assert damping(20) == pytest.approx(0.5)
    assert damping(180) == pytest.approx(0.1)
    assert all(0 < damping(more) < damping(fewer) for fewer, more in pairwise(range(0, 2000, 100)))


# What a query asks for


@pytest.mark.req("T5")
@pytest.mark.parametrize(
    ("query", "types", "outgoing"),
    [
        ("what does SPEC-054 depend on", {R.DEPENDS_ON}, True),
        ("SPEC-054 dependencies", {R.DEPENDS_ON}, True),
        ("dependencies of SPEC-054", {R.DEPENDS_ON}, True),
        ("what SPEC-054 requires", {R.DEPENDS_ON}, True),
        ("what depends on SPEC-054?", {R.DEPENDS_ON}, False),
        ("who implements spec-054", {R.IMPLEMENTS}, False),
        ("what does SPEC-054 implement", {R.IMPLEMENTS}, True),
        ("what does SPEC-054 supersede", {R.SUPERSEDES}, True),
        ("what replaces SPEC-054", {R.SUPERSEDES}, False),
        ("what amends SPEC-054", {R.EXTENDS}, False),
        ("SPEC-054 builds on what?", {R.EXTENDS}, True),
        ("what cites SPEC-054", {R.REFERENCES}, False),
        ("references of SPEC-054", {R.REFERENCES}, True),
        ("SPEC-054 port plan", set(), True),
        ("independent of SPEC-054", set(), True),
    ],
)
def test_a_query_asks_for_relations_one_way_or_the_other(query: str, types: set[R], outgoing: bool) -> None:
    asked = relations_asked(query, ["SPEC-054"])

    assert asked.types == types
    assert asked.outgoing is outgoing


@pytest.mark.req("T5")
def test_to_depend_upon_is_to_depend_on() -> None:
    assert relations_asked("which documents depend upon SPEC-054", ["SPEC-054"]).types == {R.DEPENDS_ON}


@pytest.mark.req("T5")
@pytest.mark.parametrize(
    ("query", "outgoing"),
    [
        ("what is SPEC-054 superseded by", False),
        ("which ADR was SPEC-054 replaced by?", False),
        ("what is superseded by SPEC-054", True),
        ("what was implemented by SPEC-054", True),
    ],
)
def test_a_question_in_the_passive_asks_the_other_way(query: str, outgoing: bool) -> None:
    assert relations_asked(query, ["SPEC-054"]).outgoing is outgoing


@pytest.mark.req("T5")
def test_a_relation_asked_for_lets_more_through_than_another_and_that_than_one_the_wrong_way() -> None:
    asked = Asked(frozenset({R.DEPENDS_ON}), outgoing=True)
    just_so = asked.weight(R.DEPENDS_ON, outgoing=True, place=0)
    another = asked.weight(R.EXTENDS, outgoing=True, place=0)
    back = asked.weight(R.DEPENDS_ON, outgoing=False, place=0)

    assert 1 > just_so > another > back > 0


@pytest.mark.req("T5")
def test_without_a_question_for_relations_both_directions_count_the_same() -> None:
    asked = relations_asked("SPEC-054", ["SPEC-054"])

    assert {asked.weight(type_, outgoing=way, place=0) for type_ in R for way in (True, False)} == {RELATION}


@pytest.mark.req("T5")
def test_the_other_direction_turns_the_weights_round() -> None:
    away = Asked(frozenset({R.DEPENDS_ON}), outgoing=True)
    towards = Asked(frozenset({R.DEPENDS_ON}), outgoing=False)

    for way in (True, False):
        assert away.weight(R.DEPENDS_ON, outgoing=way, place=3) == towards.weight(
            R.DEPENDS_ON, outgoing=not way, place=3
        )


@pytest.mark.req("T5")
def test_what_stands_first_in_a_list_is_a_little_nearer() -> None:
    asked = Asked(frozenset({R.DEPENDS_ON}))
    weights = [asked.weight(R.DEPENDS_ON, outgoing=True, place=place) for place in range(11)]

    assert all(later < earlier for earlier, later in pairwise(weights))
    assert weights[-1] > 0.8 * weights[0]
    assert asked.weight(R.DEPENDS_ON, outgoing=True, place=5000) == weights[-1]
