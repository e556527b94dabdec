"""Sets of three memories and more (C9)."""

from __future__ import annotations

import pytest

from trigraph.frontier.pairs import Bridge, Tie
from trigraph.frontier.sets import Edge, adds_a_bridge_each, edges_of, grow, harmonic_mean


def edge(score: float, *words: str, met: bool = False) -> Edge:
    return Edge(score, frozenset(Bridge(Tie.TERM, word) for word in words), met)


def test_a_set_is_held_by_its_weakest_edge() -> None:
    assert harmonic_mean([0.5, 0.5, 0.5]) == pytest.approx(0.5)
    assert harmonic_mean([0.8, 0.8, 0.1]) < 0.3
    assert harmonic_mean([0.8, -0.1]) < 1e-4


@pytest.mark.req("C9")
def test_triples_are_grown_from_pairs_that_each_add_a_bridge() -> None:
    edges = {("a", "b"): edge(0.6, "x"), ("a", "c"): edge(0.5, "y"), ("b", "c"): edge(0.4, "z")}
    (found,) = grow(edges, 3, 5)
    assert found.members == ("a", "b", "c")
    assert found.score == pytest.approx(3 / (1 / 0.6 + 1 / 0.5 + 1 / 0.4))


def test_where_one_word_joins_all_there_is_no_triple() -> None:
    same = {pair: edge(0.5, "x") for pair in edges_of("abc")}
    assert not adds_a_bridge_each(same.values())
    assert grow(same, 3, 5) == []


def test_a_triple_that_met_two_by_two_may_be_held_together_already() -> None:
    edges = {pair: edge(0.5, word, met=True) for pair, word in zip(edges_of("abc"), "xyz", strict=True)}
    assert grow(edges, 3, 5) == []
    edges["a", "b"] = edge(0.5, "x")
    assert [one.members for one in grow(edges, 3, 5)] == [("a", "b", "c")]


def test_larger_sets_need_every_edge() -> None:
    words = iter("tuvwxyz")
    edges = {pair: edge(0.5, next(words)) for pair in edges_of("abcd")}
    assert [one.members for one in grow(edges, 4, 5)] == [("a", "b", "c", "d")]
    del edges["c", "d"]
    assert grow(edges, 4, 5) == []


def test_sets_that_repeat_members_come_after_fresh_ones() -> None:
    edges = {}
    for number, (members, score) in enumerate((("abc", 0.60), ("abd", 0.58), ("xyz", 0.50))):
        for place, pair in enumerate(edges_of(members)):
            edges.setdefault(pair, edge(score, f"{number}-{place}"))
    told = [one.members for one in grow(edges, 3, 3)]
    assert told == [("a", "b", "c"), ("x", "y", "z"), ("a", "b", "d")]
