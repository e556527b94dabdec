"""A question that is asked in a talk leans towards what is talked about; its words stay its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from clocks import SettableClock
from trigraph.contracts import Embedder
from trigraph.engine.read.talking import THREAD_MOST_CHARS, leaning, talk_of
from trigraph.errors import InvalidInput, NotFound
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.query import Leg
from trigraph.model.recall import LegStatus, Recall
from trigraph.model.scope import LOCAL_SCOPE

pytestmark = pytest.mark.req("I14")

BOAT = "The payment for the boat is due in April"
CAR = "The payment for the car is due in October"
TALK = "We spoke about the car, its tyres and what driving it costs us."
QUESTION = "when do we have to pay?"


@pytest.fixture
def both(memory: Trigraph) -> Trigraph:
    memory.remember_batch([BOAT, CAR])
    return memory


def test_a_context_draws_the_answer_towards_what_is_talked_about(both: Trigraph) -> None:
    about_cars = both.recall(QUESTION, profile="vector", context=TALK)
    about_boats = both.recall(QUESTION, profile="vector", context="The boat needs a new sail before we leave harbour.")

    assert _first(about_cars) == CAR
    assert _first(about_boats) == BOAT
    assert (about_cars.plan.context_weight, both.recall(QUESTION).plan.context_weight) == (0.3, None)


def test_seven_parts_are_the_question_and_three_the_talk(both: Trigraph, embedder: Embedder) -> None:
    asked, talk = embedder.embed_query(QUESTION), embedder.embed_query(TALK)
    mixed = 0.7 * asked + 0.3 * talk
    mixed /= np.linalg.norm(mixed)

    found = {hit.memory.text: hit for hit in both.recall(QUESTION, profile="vector", context=TALK).hits}
    for text in (BOAT, CAR):
        (stored,) = embedder.embed_documents([text])
        assert found[text].legs[Leg.VECTOR].raw == pytest.approx(float(mixed @ stored), abs=0.01)


def test_what_is_alike_already_stays_as_it_is() -> None:
    one, same = np.array([1.0, 0.0], np.float32), np.array([9.0, 4.3], np.float32)
    other = np.array([9.0, 4.4], np.float32)

    assert leaning(one, same, 0.3) is None
    moved = leaning(one, other, 0.3)
    assert moved is not None
    assert float(np.linalg.norm(moved)) == pytest.approx(1.0)
    assert moved[1] > 0
    assert leaning(one, np.array([0.0, 2.0], np.float32), 0.3) == pytest.approx(
        np.array([0.7, 0.3]) / np.hypot(0.7, 0.3)
    )


def test_a_context_that_says_the_same_changes_nothing(both: Trigraph) -> None:
    answer = both.recall(QUESTION, context=QUESTION)

    assert answer.plan.context_weight == 0.0
    assert [hit.legs for hit in answer.hits] == [hit.legs for hit in both.recall(QUESTION).hits]


def test_words_class_window_and_names_are_those_of_the_message(both: Trigraph) -> None:
    context = "Why did we decide for SPEC-7 last week? Kestrel it was."
    plain, asked = both.recall(QUESTION).plan, both.recall(QUESTION, context=context).plan

    assert replace(asked, context_weight=None) == plain
    assert both.recall("zzz", profile="lexical", context=BOAT).hits == ()
    both.remember("Herons nest on Kestrel", subject="Kestrel", type="system")
    legs = {leg.leg: leg for leg in both.recall(QUESTION, context=context).legs}
    assert legs[Leg.GRAPH].status is LegStatus.NOT_APPLICABLE


def test_a_thread_hands_its_last_messages_along(both: Trigraph) -> None:
    both.remember_thread(
        [{"text": "Sails and moorings, nothing else."}, *({"text": TALK} for _ in range(6))], name="car"
    )

    answer = both.recall(QUESTION, profile="vector", in_thread="car", kinds=["fact"])
    assert _first(answer) == CAR
    assert answer.plan.context_weight == 0.3
    given = both.recall(QUESTION, profile="vector", context="\n".join([TALK] * 6), kinds=["fact"])
    assert [hit.legs for hit in answer.hits] == [hit.legs for hit in given.hits]


def test_a_thread_hands_its_running_summary_along(memory: Trigraph, clock: SettableClock) -> None:
    memory.remember_thread([{"text": f"message {number}"} for number in range(8)], name="talk", session="s-1")
    memory.remember("An old summary.", kind="summary", session="s-1")
    clock.advance(hours=1)
    memory.remember("We plan the launch.", kind="summary", session="s-1")
    memory.remember("Of another session.", kind="summary", session="s-2")

    told = "\n".join(["We plan the launch.", *(f"message {number}" for number in range(2, 8))])
    assert _talk(memory, in_thread="talk") == told
    assert _talk(memory, in_thread="talk", context="On the phone.") == f"On the phone.\n{told}"


def test_a_long_thread_is_cut_to_its_end(memory: Trigraph) -> None:
    messages = [{"text": f"{number} " + "x" * 600} for number in range(6)]
    memory.remember_thread([*messages, {"text": "and so we ended"}], name="long", session="s-1")
    memory.remember("S" * 3000, kind="summary", session="s-1")

    told = _talk(memory, in_thread="long")
    assert told is not None
    assert len(told) == THREAD_MOST_CHARS
    assert told.startswith("S" * 750 + "\n")
    assert told.endswith("and so we ended")


def test_only_what_the_asker_may_see_of_a_thread_is_handed_along(memory: Trigraph) -> None:
    memory.admin.set_agent("default", "default", "other")
    thread = memory.remember_thread([{"text": "for all"}], name="mixed", session="s-1").thread_id
    memory.remember_thread([{"text": "mine"}], name="mixed", append=True, visibility="private")
    memory.remember("My summary.", kind="summary", session="s-1", visibility="private")
    hidden = memory.remember_thread([{"text": "secret"}], visibility="private").thread_id
    other = Trigraph(memory.engine, replace(LOCAL_SCOPE, agent="other"))

    assert _talk(memory, in_thread=thread) == "My summary.\nfor all\nmine"
    assert _talk(other, in_thread=thread) == "for all"
    refused = []
    for name in (hidden, "mixed", "t_" + "0" * 26):
        with pytest.raises(NotFound) as error:
            other.recall("anything", in_thread=name)
        refused.append(str(error.value).replace(str(name), "it"))
    assert len(set(refused)) == 1


def test_a_thread_in_which_nothing_stands_is_no_context(memory: Trigraph) -> None:
    memory.remember("Tea is served at four")
    report = memory.remember_thread([{"text": "gone"}], name="empty")
    memory.forget(str(report.items[0].id))

    assert memory.recall("tea", in_thread="empty").plan.context_weight == 0.0


def test_a_context_is_not_kept_with_the_event(both: Trigraph) -> None:
    answer = both.recall(QUESTION, context="The password is swordfish.")

    assert "swordfish" not in str(wire.to_json(both.recall_event(answer.id)))
    assert "swordfish" not in str(wire.to_json(answer))


@pytest.mark.parametrize(
    ("asked", "field", "said"),
    [
        ({"context": " "}, "context", "empty"),
        ({"context": "a\x00b"}, "context", "NUL"),
        ({"context": "x" * 10_001}, "context", "10,001"),
        ({"context": 5}, "context", "text"),
        ({"in_thread": 5}, "in_thread", "text"),
    ],
    ids=["empty", "nul", "long", "number", "thread"],
)
def test_a_mistake_is_named(memory: Trigraph, asked: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.recall("tea", **asked)
    assert refused.value.field == field
    assert said in str(refused.value)


def _talk(memory: Trigraph, **asked: Any) -> str | None:
    return talk_of(memory.engine._parts, memory.scope, wire.recall_query("tea", **asked))


def _first(answer: Recall) -> str:
    return answer.hits[0].memory.text
