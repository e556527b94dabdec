"""Measures by hand."""

from __future__ import annotations

from trigraph.bench.measures import averages, latency, measures, percentile


def test_recall_is_the_fraction_of_the_evidence_found() -> None:
    found = measures(["a", "x", "b", "y", "z", "c"], ["a", "b", "c", "d"])
    assert (found["R@1"], found["R@5"], found["R@10"]) == (0.25, 0.5, 0.75)
    assert (found["any@1"], found["all@10"]) == (1.0, 0.0)


def test_all_and_reciprocal_rank() -> None:
    found = measures(["x", "y", "a"], ["a"])
    assert (found["all@1"], found["all@5"]) == (0.0, 1.0)
    assert found["MRR"] == 1 / 3
    assert measures(["x"], ["a"])["MRR"] == 0.0


def test_averages_are_per_cent_and_say_over_how_many() -> None:
    assert averages([{"R@1": 1.0}, {"R@1": 0.0}, {"R@1": 0.0}]) == {"n": 3, "R@1": 33.33}
    assert averages([]) == {"n": 0}


def test_percentiles_are_by_nearest_rank() -> None:
    assert percentile([5, 1, 3, 2, 4], 0.5) == 3
    assert percentile([1, 2], 0.95) == 2
    assert latency([10.0, 20.0, 30.0]) == {"p50_ms": 20.0, "p95_ms": 30.0}
