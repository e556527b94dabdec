"""Words that mean nearly the same: a passage that speaks of children answers a question about kids.

The list is data that comes with the package (`related_words.tsv`, written by benchmarks/write_related_words.py): common
English words, by their terms, so it needs no model at run time. A word that it does not know is related to none.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files


@lru_cache(maxsize=4096)
def related(term: str) -> Mapping[str, float]:
    """Terms near to this one, each with what it is worth in its place: above 0, below 1."""
    listed = _listed()
    start = listed.find(b"\n%b\t" % term.encode())
    if start < 0:
        return {}
    line = listed[listed.index(b"\t", start) + 1 : listed.index(b"\n", start + 1)].decode()
    pairs = (one.split(":") for one in line.split(" "))
    return {other: int(worth) / 100 for other, worth in pairs}


@cache
def _listed() -> bytes:
    """The list as it lies: looking through it is quicker than taking it apart for the few terms of a query."""
    return b"\n" + files("trigraph.text").joinpath("related_words.tsv").read_bytes()
