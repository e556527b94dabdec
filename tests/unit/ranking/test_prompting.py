"""What bears on a prompt, by words and names alone."""

from __future__ import annotations

from trigraph.ranking.prompting import ABOUT, CERTAIN, MENTION, TELLING, TERMS_MOST, Weights, nearness, ordered

HOLDING = {"ledger": 2, "harbour": 5, "use": 400, "crane": 3}


def test_rare_words_count_for_more() -> None:
    weights = Weights(["ledger", "harbour", "use"], 1000, HOLDING)

    assert weights.coverage({"ledger", "harbour"}) > weights.coverage({"ledger", "use"}) > 0
    assert weights.coverage({"ledger", "harbour", "use"}) == 1.0
    assert weights.rarest == ["ledger", "harbour", "use"]


def test_one_word_in_common_is_chance_unless_it_is_all_that_is_said() -> None:
    assert Weights(["ledger", "harbour"], 1000, HOLDING).coverage({"ledger"}) == 0
    assert Weights(["ledger"], 1000, HOLDING).coverage({"ledger"}) == 1.0


def test_words_that_no_memory_holds_make_it_less_sure() -> None:
    known = ["ledger", "harbour"]
    sure = Weights(known, 1000, HOLDING).coverage(known)
    less = Weights([*known, "spline", "mesh", "cubic"], 1000, HOLDING).coverage(known)
    least = Weights([*known, *(f"x{number}" for number in range(40))], 1000, HOLDING).coverage(known)

    assert sure == 1.0 > less > CERTAIN
    assert less > least > 0
    assert Weights(["spline"], 1000, HOLDING).coverage({"spline"}) == 0.0
    assert Weights([], 0, {}).coverage(set()) == 0.0


def test_a_long_prompt_is_about_its_rarest_words() -> None:
    terms = [f"t{number}" for number in range(60)]
    weights = Weights(terms, 1000, dict.fromkeys(terms, 3))

    assert len(weights.rarest) == TERMS_MOST
    assert weights.coverage(terms[:TELLING]) == 1.0


def test_what_is_about_something_named_is_near_and_hubs_are_not() -> None:
    near = nearness([(1, True, 0), (2, False, 0), (3, True, 200), (1, False, 0)])

    assert near == {1: ABOUT, 2: MENTION, 3: ABOUT / 11}


def test_only_what_is_certain_is_shown_the_best_first() -> None:
    lexical = [(1, 9.0), (2, 6.0), (3, 1.0)]
    sure = {1: 0.9, 2: 0.9, 3: 0.1, 4: 0.5}

    assert ordered(lexical, {}, sure) == [1, 2]
    assert ordered(lexical, {2: 0.4, 4: 0.4}, sure) == [2, 1, 4]
    assert ordered([], {}, {}) == []
