"""What stands just before and after a hit comes with it when it is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from trigraph.errors import InvalidInput
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.recall import Hit, Neighbour
from trigraph.model.scope import LOCAL_SCOPE

TALK = (
    ("Ana", "Good morning."),
    ("Ben", "Hello. Shall we begin?"),
    ("Ana", "Which paint do we take?"),
    ("Ben", "Teal, for the whole hallway."),
    ("Ana", "Fine, I order it."),
    ("Ben", "Lunch?"),
)


@pytest.fixture
def talk(memory: Trigraph) -> Trigraph:
    memory.remember_thread([{"speaker": speaker, "text": text} for speaker, text in TALK], name="talk")
    return memory


def hit_of(memory: Trigraph, query: str, **asked: Any) -> Hit:
    return memory.recall(query, limit=1, profile="lexical", **asked).hits[0]


def told(neighbours: tuple[Neighbour, ...] | None) -> list[tuple[str | None, str | None]]:
    assert neighbours is not None
    return [(one.speaker, one.text) for one in neighbours]


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_a_message_comes_with_those_before_and_after_it(talk: Trigraph, reach: int) -> None:
    hit = hit_of(talk, "teal hallway", neighbours=reach)

    assert hit.memory.text == TALK[3][1]
    assert told(hit.before) == list(TALK[3 - reach : 3])
    assert told(hit.after) == list(TALK[4 : 4 + reach])


def test_at_the_ends_of_a_thread_there_is_less(talk: Trigraph) -> None:
    first, last = (hit_of(talk, query, neighbours=3) for query in ("good morning", "lunch"))

    assert (told(first.before), told(last.after)) == ([], [])
    assert (len(told(first.after)), len(told(last.before))) == (3, 3)


def test_a_message_found_by_its_id_has_neighbours_too(talk: Trigraph) -> None:
    teal = hit_of(talk, "teal hallway").memory.id

    assert told(hit_of(talk, teal, neighbours=1).before) == [TALK[2]]


def test_what_is_a_hit_itself_or_stands_beside_a_better_one_is_named_only(talk: Trigraph) -> None:
    answer = talk.recall("paint teal begin", profile="lexical", neighbours=1)
    by_text = {hit.memory.text: hit for hit in answer.hits}
    paint, teal, begin = (by_text[TALK[seq][1]] for seq in (2, 3, 1))

    assert paint.before is not None
    assert paint.after is not None
    assert paint.before == (Neighbour(begin.memory.id, "Ben", None),)
    assert paint.after == (Neighbour(teal.memory.id, "Ben", None),)
    assert told(teal.after) == [TALK[4]]
    texts = [one.text for hit in answer.hits for one in (*(hit.before or ()), *(hit.after or ())) if one.text]
    assert len(texts) == len(set(texts))


def test_what_the_asker_may_not_see_stays_a_hole(memory: Trigraph) -> None:
    memory.admin.set_agent("default", "default", "other")
    memory.remember_thread([{"text": "before"}], name="mixed")
    memory.remember_thread([{"text": "secret"}], name="mixed", append=True, visibility="private")
    memory.remember_thread([{"text": "teal hallway"}], name="mixed", append=True)
    forgotten = memory.remember_thread([{"text": "gone"}, {"text": "after"}], name="mixed", append=True).items[0].id
    memory.forget(str(forgotten))
    other = Trigraph(memory.engine, replace(LOCAL_SCOPE, agent="other"))

    def around(asker: Trigraph) -> list[str | None]:
        hit = hit_of(asker, "teal", neighbours=2)
        return [one.text for one in (*(hit.before or ()), *(hit.after or ()))]

    assert around(memory) == ["before", "secret", "after"]
    assert around(other) == ["before", "after"]


def test_a_filter_hides_no_neighbour(memory: Trigraph) -> None:
    memory.remember_thread([{"text": "one"}, {"text": "teal hallway"}, {"text": "three"}], name="talk")

    hit = hit_of(memory, "teal", neighbours=1, first_seq=1, last_seq=1)
    assert told(hit.before) + told(hit.after) == [(None, "one"), (None, "three")]


def test_a_passage_comes_with_the_text_around_it(memory: Trigraph) -> None:
    sections = [f"## Part {number}\n\n" + f"Filler {number} goes on and on here. " * 20 for number in range(5)]
    sections[2] += "The crane was sold."
    memory.remember("\n\n".join(sections), kind="document")

    hit = hit_of(memory, "crane sold", neighbours=1)
    (before,), (after,) = hit.before or (), hit.after or ()
    text = hit.memory.text
    assert (before.id, after.id) == (hit.memory.id, hit.memory.id)
    assert before.text is not None
    assert after.text is not None
    assert text.index(before.text) + len(before.text) <= hit.excerpt.start
    assert text.index(after.text) >= hit.excerpt.end
    assert not text[text.index(before.text) + len(before.text) : hit.excerpt.start].strip()
    assert not text[hit.excerpt.end : text.index(after.text)].strip()
    whole = hit_of(memory, hit.memory.id, neighbours=1)
    assert (whole.before, whole.after) == ((), ())


def test_of_a_very_long_message_the_part_next_to_the_hit_is_told(memory: Trigraph) -> None:
    long = "start " + "x " * 2000 + "end"
    memory.remember_thread([{"text": long}, {"text": "teal hallway"}, {"text": long}], name="talk")

    hit = hit_of(memory, "teal", neighbours=1)
    ((_, before),), ((_, after),) = told(hit.before), told(hit.after)
    assert before is not None
    assert after is not None
    assert before.startswith("…")
    assert before.endswith("end")
    assert after.startswith("start")
    assert after.endswith("…")
    assert max(len(before), len(after)) < 1200


def test_neighbours_fall_to_the_budget_before_hits_do(talk: Trigraph) -> None:
    asked: dict[str, Any] = {"limit": 3, "profile": "lexical", "neighbours": 2}
    free = talk.recall("paint teal begin", **asked)
    without = talk.recall("paint teal begin", limit=3, profile="lexical", budget_tokens=60)
    tight = talk.recall("paint teal begin", budget_tokens=60, **asked)

    assert [hit.memory.id for hit in tight.hits] == [hit.memory.id for hit in without.hits]
    assert tight.left_out == without.left_out
    shown = [sum(len(hit.before or ()) + len(hit.after or ()) for hit in answer.hits) for answer in (free, tight)]
    assert tight.neighbours_left_out > 0
    assert shown[1] + tight.neighbours_left_out <= shown[0]
    assert free.neighbours_left_out == 0


def test_they_are_in_the_json_only_when_asked_for(talk: Trigraph) -> None:
    plain = wire.to_json(talk.recall("teal", limit=1))["hits"][0]
    asked = wire.to_json(talk.recall("teal", limit=1, neighbours=1))["hits"][0]

    assert not {"before", "after"} & plain.keys()
    assert [list(one) for one in asked["before"]] == [["id", "speaker", "text"]]
    assert {key: value for key, value in asked.items() if key in plain and key != "staleness"} == {
        key: value for key, value in plain.items() if key != "staleness"
    }


def test_a_memory_alone_has_no_neighbours(memory: Trigraph) -> None:
    memory.remember("Teal is a colour")

    hit = hit_of(memory, "teal", neighbours=3)
    assert (hit.before, hit.after) == ((), ())
    assert (hit_of(memory, "teal").before, hit_of(memory, "teal").after) == (None, None)


@pytest.mark.parametrize("asked", [-1, 4, "1", None, True], ids=str)
def test_a_mistake_is_named(memory: Trigraph, asked: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.recall("teal", neighbours=asked)
    assert refused.value.field == "neighbours"
