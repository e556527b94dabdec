"""The list of related words that comes with the package."""

from __future__ import annotations

from importlib.resources import files

from trigraph.text.related import related
from trigraph.text.terms import analyse


def _term(word: str) -> str:
    return analyse(word)[0]


def test_words_that_mean_nearly_the_same_are_related_and_words_that_are_spelt_so_are_not() -> None:
    assert _term("children") in related(_term("kids"))
    assert _term("guitar") in related(_term("instrument"))
    assert _term("dog") in related(_term("pet"))
    assert _term("pike") not in related(_term("hike"))


def test_a_word_that_is_not_listed_is_related_to_none() -> None:
    assert related("xyzzy") == {}
    assert related("") == {}
    assert related("kid\tchildren:84") == {}


def test_every_line_is_a_term_with_related_ones_that_are_worth_less_than_itself() -> None:
    lines = files("trigraph.text").joinpath("related_words.tsv").read_text(encoding="utf-8").splitlines()
    terms = [line.split("\t")[0] for line in lines]

    assert terms == sorted(set(terms))
    for term in terms[:: len(terms) // 500]:
        near = related(term)
        assert near, term
        assert term not in near
        assert len(near) <= 12
        assert all(0 < worth < 1 for worth in near.values())
