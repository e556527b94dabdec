"""What recurs over sessions is found from the words alone, and better with vectors; look-alikes are left alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from trigraph.bench.reflection import measured, statements_of
from trigraph.contracts import Embedder
from trigraph.lifecycle.recurrence import Pattern, Recurring, Statement, candidates, recurring

TUNE = Path(__file__).parents[3] / "benchmarks" / "reflection" / "tune"
FIRST = datetime(2026, 3, 2, 9, tzinfo=UTC)

pytestmark = pytest.mark.req("I1")

FILLER = [
    ["How many crates came on Monday?", "Fourteen crates came, two of them with pears."],
    ["Who opens tomorrow?", "Jonas opens at six and Petra takes over at noon."],
    ["What did the fair bring?", "The fair brought 420 euros after the costs of the stand."],
]


def told(*sessions: list[str]) -> list[Statement]:
    """Sessions a week apart, user and assistant taking turns; some in which nothing recurs come with them."""
    found = []
    for number, texts in enumerate([*sessions, *FILLER]):
        for turn, text in enumerate(texts):
            at = FIRST + timedelta(days=7 * number, minutes=turn)
            role = "assistant" if turn % 2 else "user"
            found.append(Statement(f"{number}/{turn}", str(number), role, text, at))
    return found


def insights(*sessions: list[str]) -> list[Recurring]:
    return recurring(candidates(told(*sessions)), None)


LABELS_FIRST = [
    "Make the labels for the jars, please.",
    "Done: 'Plum jam, 12/03/2026' on all forty.",
    "No, the month is spelled out on our labels, customers mix up the digits.",
    "Changed to '12 March 2026'.",
]
LABELS_AGAIN = [
    "Labels for the honey next.",
    "Printed: 'Lime honey, 04/05/2026'.",
    "Those digits can't go out. Spell the month on labels.",
    "Sorry, it reads '4 May 2026' now.",
]


def test_a_correction_made_in_two_sessions_is_found_with_its_evidence() -> None:
    [found] = insights(LABELS_FIRST, LABELS_AGAIN)
    assert found.pattern is Pattern.REPEATED_CORRECTION
    assert [one.memory_id for one in found.evidence] == ["0/2", "1/2"]
    assert found.text.startswith("Corrected in 2 sessions (2 March, 9 March): ")
    assert "month" in found.text
    assert len(found.text) <= 300


def test_the_evidence_is_a_passage_of_the_message() -> None:
    statements = {one.memory_id: one.text for one in told(LABELS_FIRST, LABELS_AGAIN)}
    [found] = insights(LABELS_FIRST, LABELS_AGAIN)
    for one in found.evidence:
        assert "month" in statements[one.memory_id][one.start : one.end]


def test_a_correction_made_twice_in_one_session_does_not_recur() -> None:
    assert insights([*LABELS_FIRST, *LABELS_AGAIN]) == []


def test_two_corrections_that_only_share_a_thing_are_no_repetition() -> None:
    assert (
        insights(
            [
                "Plan the shelves.",
                "The rye bread goes on the top shelf.",
                "No, don't put the rye bread on top, children can't reach it.",
                "Moved down.",
            ],
            [
                "Write the price list.",
                "Rye bread is 4.20, spelt 4.80.",
                "Nope, the rye bread isn't sold by weight. Price it by the slice.",
                "Changed.",
            ],
        )
        == []
    )


FRIDGE = [
    [
        "The milk went sour over night, all of it.",
        "The fridge stood at 11 degrees: its compressor tripped the fuse at two.",
    ],
    [
        "Butter is soft as soup today.",
        "The compressor of the fridge had tripped its fuse again, I switched it back on.",
    ],
    ["We threw away the cream.", "The fuse of the fridge compressor blew at midnight. It is cooling again."],
]


def test_a_trouble_of_three_sessions_is_found() -> None:
    [found] = insights(*FRIDGE)
    assert found.pattern is Pattern.RECURRING_PROBLEM
    assert "compressor" in found.text
    assert len({one.memory_id.split("/")[0] for one in found.evidence}) == 3


def test_a_trouble_mended_once_and_told_as_working_does_not_recur() -> None:
    assert (
        insights(
            FRIDGE[0],
            ["The fridge has run fine since you changed the fuse of its compressor.", "Good, it holds 5 degrees."],
            ["Is the fridge cold?", "Yes, the compressor works without any trouble and the fuse is fine."],
        )
        == []
    )


def test_a_name_that_is_mentioned_everywhere_is_nothing() -> None:
    assert (
        insights(
            ["Petra wants the key of the shed.", "I've told Petra where it hangs."],
            ["Ask Petra about the apples.", "Petra says they come on Friday."],
            ["Petra has a birthday.", "A card for Petra lies on the desk."],
        )
        == []
    )


def test_a_changed_preference_tells_the_new_and_the_old() -> None:
    [found] = insights(
        [
            "Show me the revenue.",
            "Here they are, for every hour.",
            "I like the revenue as a table, one row a day.",
            "Here is the table.",
        ],
        [
            "And this week?",
            "The table of revenue is ready.",
            "I'd rather have the revenue as a chart from now on.",
            "Drawn as a chart.",
        ],
    )
    assert found.pattern is Pattern.CHANGED_PREFERENCE
    assert found.text == (
        "Preference changed on 9 March: I'd rather have the revenue as a chart from now on."
        " Before (2 March): I like the revenue as a table, one row a day."
    )


@pytest.mark.parametrize("later", ["Ten lines are fine for the digest.", "Keep the digest to ten lines."])
def test_another_amount_is_a_changed_preference(later: str) -> None:
    [found] = insights(
        ["Write the digest.", "Here is the digest.", "Keep the digest to five lines, please.", "Cut."],
        ["Write it for May.", "Here is the digest for May.", later, "Done."],
    )
    assert found.pattern is Pattern.CHANGED_PREFERENCE


def test_nothing_comes_of_nothing() -> None:
    assert candidates([]) == []
    assert recurring([], None) == []
    assert recurring([], np.zeros((0, 4), dtype=np.float32)) == []


def test_only_the_newest_candidates_are_kept() -> None:
    statements = [
        Statement(str(n), str(n // 2), "user", f"Never paint fence {n} green.", FIRST + timedelta(hours=n))
        for n in range(2_100)
    ]
    kept = candidates(statements)
    assert len(kept) == 2_000
    assert kept[-1].memory_id == "2099"


def test_the_planted_patterns_of_the_tuning_set_are_found_from_words_alone() -> None:
    found = measured(TUNE, None)
    assert (found["patterns_found"], found["decoys_found"], found["further"]) == (3, 0, 0)


def test_the_planted_patterns_of_the_tuning_set_are_found_with_vectors(embedder: Embedder) -> None:
    found = measured(TUNE, embedder)
    assert (found["patterns_found"], found["decoys_found"], found["further"]) == (3, 0, 0)


def test_every_insight_stands_within_its_limit_and_rests_on_two_sessions() -> None:
    for one in recurring(candidates(list(statements_of(TUNE))), None):
        assert len(one.text) <= 300
        assert len({evidence.memory_id.split("/")[0] for evidence in one.evidence}) >= 2
