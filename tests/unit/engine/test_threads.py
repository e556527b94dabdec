"""Which conversations a query leads to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trigraph.errors import InvalidInput
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE

PAINTING = ("We paint the hallway on Monday.", "Which colour for the hallway?", "The hallway gets teal paint.")
COOKING = ("Soup again?", "The hallway smells of soup.", "Bread goes with it.")
SAILING = ("The mast broke.", "We sail in June.", "The harbour is closed.")


@pytest.fixture
def talks(memory: Trigraph) -> Trigraph:
    for name, talk in (("cooking", COOKING), ("sailing", SAILING), ("painting", PAINTING)):
        memory.remember_thread([{"speaker": "Ana", "text": text} for text in talk], name=name, session=f"of {name}")
    memory.remember("The hallway is nine metres long.")
    return memory


def test_the_thread_that_speaks_of_it_most_comes_first(talks: Trigraph) -> None:
    threads = talks.recall("how is the hallway painted?", threads=10).threads

    assert threads is not None
    assert [thread.name for thread in threads][:2] == ["painting", "cooking"]
    first = threads[0]
    assert first.session == "of painting"
    assert talks.get(first.best_id).text in PAINTING
    assert talks.get(first.best_id).place.thread_id == first.id  # type: ignore[union-attr]


def test_chances_are_those_of_all_that_was_found(talks: Trigraph) -> None:
    """What stands alone has a part in them, too."""
    threads = talks.recall("how long is the hallway?", threads=10).threads

    assert threads is not None
    chances = [thread.chance for thread in threads if thread.chance is not None]
    assert len(chances) == len(threads) > 1
    assert chances == sorted(chances, reverse=True)
    assert 0 < sum(chances) < 1


def test_an_order_that_tells_no_chance_puts_threads_where_their_best_stands(talks: Trigraph) -> None:
    answer = talks.recall("soup in the hallway", threads=10, profile="lexical")

    assert answer.threads is not None
    assert [thread.chance for thread in answer.threads] == [None] * len(answer.threads)
    assert answer.threads[0].name == "cooking"
    assert answer.threads[0].best_id == answer.hits[0].memory.id


def test_they_are_told_only_when_asked_for_and_as_many_as_asked_for(talks: Trigraph) -> None:
    assert "threads" not in wire.to_json(talks.recall("hallway"))
    (one,) = wire.to_json(talks.recall("how is the hallway painted?", threads=1))["threads"]
    assert list(one) == ["id", "name", "session", "chance", "best_id"]
    assert talks.recall("hallway", threads=5, kinds=["decision"]).threads == ()


def test_a_thread_of_another_is_not_told(talks: Trigraph) -> None:
    talks.remember_thread(
        [{"speaker": "Ana", "text": "The hallway hides a safe."}], name="secret", visibility="private"
    )
    stranger = Trigraph(talks.engine, replace(LOCAL_SCOPE, agent="stranger"))

    assert stranger.recall("hallway", threads=10).threads == ()
    own = talks.recall("where is the safe hidden?", threads=10).threads
    assert own is not None
    assert own[0].name == "secret"


@pytest.mark.parametrize("threads", [-1, 51])
def test_a_number_out_of_range_is_refused(talks: Trigraph, threads: int) -> None:
    with pytest.raises(InvalidInput, match="threads"):
        talks.recall("hallway", threads=threads)
