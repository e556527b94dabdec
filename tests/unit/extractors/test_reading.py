"""Of a model's answer only that holds which the messages bear out."""

from __future__ import annotations

import time
from typing import Any

import pytest

from trigraph.exchange import Unusable
from trigraph.extractors.reading import Unfounded, find_quote, read_findings
from trigraph.model.extraction import Certainty, Finding, Found, Role, Said, Span, Stage

pytestmark = pytest.mark.req("I3")

MESSAGES = [
    Said(Role.USER, "I disapproved the plan. Use pnpm, never npm."),
    Said(Role.ASSISTANT, "Right: use pnpm here.  The pool\nwas full."),
    Said(Role.USER, "ok"),
]
HOLDS: dict[str, Any] = {"text": "Use pnpm", "finding": "preference", "certainty": "said", "evidence": "Use pnpm"}
FOUND = Found("Use pnpm", Finding.PREFERENCE, Certainty.SAID, (Span(0, 24, 32),))


def _read(*items: dict[str, Any], messages: list[Said] = MESSAGES) -> tuple[Found, ...]:
    return read_findings(Stage.TURN, {"found": list(items)}, messages)[0]


LEFT_OUT = {
    "longer than 100 characters": {"text": "x" * 101},
    "empty": {"text": "  "},
    "an unknown sort": {"finding": "rumour"},
    "an unknown certainty": {"certainty": "SAID"},
    "no such words": {"evidence": "Use yarn"},
    "no words": {"evidence": " "},
    "words joined over a gap": {"evidence": "Use pnpm ... npm"},
    "words of two messages": {"evidence": "never npm. Right:"},
    "the case of another": {"evidence": "USE PNPM"},
    "half a word": {"evidence": "approved the plan"},
    "words that stand anywhere": {"evidence": "the"},
    "a line break": {"text": "Use\npnpm"},
    "an escape": {"text": "Use \x1b[31mpnpm"},
    "a zero-width space": {"text": "Use\u200bpnpm"},
    "a reversal": {"text": "Use \u202empnp"},
    "a tag": {"text": "Use pnpm\U000e0041"},
    "a hidden variation": {"text": "Use pnpm\U000e0101"},
    "a filler": {"text": "Use\u3164pnpm"},
    "half a pair": {"text": "Use \ud83e"},
    "a joiner in plain words": {"text": "Use pn\u200dpm"},
}


@pytest.mark.parametrize("change", LEFT_OUT.values(), ids=list(LEFT_OUT))
def test_an_item_that_does_not_hold_is_left_out(change: dict[str, Any]) -> None:
    assert _read(HOLDS | change, HOLDS) == (FOUND,)
    with pytest.raises(Unfounded):
        _read(HOLDS | change)


@pytest.mark.parametrize("text", ["x" * 100, "قهوه‌خانه", "👩‍💻 ❤️", "Zoë’s – “café”", "東京"])
def test_what_people_write_is_kept(text: str) -> None:
    assert [one.text for one in _read(HOLDS | {"text": f" {text} "})] == [text]


def test_only_the_first_three_of_a_turn_are_read() -> None:
    items = [HOLDS | {"text": f"Fact {number}"} for number in range(5)]
    assert [one.text for one in _read(*items)] == ["Fact 0", "Fact 1", "Fact 2"]
    with pytest.raises(Unfounded):
        _read(*[HOLDS | {"evidence": "nowhere"}] * 3, HOLDS)


@pytest.mark.parametrize(
    ("quote", "role", "claimed", "kept"),
    [
        ("use pnpm here", Role.ASSISTANT, "said", "clear"),
        ("use pnpm here", Role.TOOL, "said", "clear"),
        ("use pnpm here", Role.TOOL, "inferred", "inferred"),
        ("use pnpm here", Role.USER, "said", "said"),
        ("use pnpm here", Role.USER, "clear", "clear"),
    ],
)
def test_said_is_only_what_the_user_said(quote: str, role: Role, claimed: str, kept: str) -> None:
    (found,) = _read(HOLDS | {"evidence": quote, "certainty": claimed}, messages=[Said(role, "do use pnpm here")])
    assert found.certainty == kept


@pytest.mark.parametrize(
    ("quote", "span"),
    [
        ("The pool was full.", Span(1, 23, 41)),
        ("  The\tpool  was\nfull. ", Span(1, 23, 41)),
        ("ok", Span(2, 0, 2)),
        ("npm.", None),
        ("(.*)pnpm", None),
        ("disapproved the", Span(0, 2, 17)),
    ],
)
def test_a_quote_is_found_word_for_word_white_space_aside(quote: str, span: Span | None) -> None:
    assert find_quote(quote, MESSAGES) == span


def test_the_users_own_words_come_before_the_same_words_of_others_and_later_before_earlier() -> None:
    same = [Said(Role.USER, "use pnpm"), Said(Role.USER, "so use pnpm"), Said(Role.TOOL, "use pnpm")]
    assert find_quote("use pnpm", same) == Span(1, 3, 11)


def test_scripts_without_spaces_are_quoted_by_character() -> None:
    text = "我们决定把会话存储在Redis里,因为Postgres太慢了。"
    assert find_quote("会话存储在Redis里", [Said(Role.USER, text)]) == Span(0, 5, 16)


def test_a_hostile_quote_takes_no_time() -> None:
    messages = [Said(Role.TOOL, "a " * 100_000 + " " * 200_000)]
    began = time.perf_counter()
    assert find_quote("a " * 190 + "b", messages) is None
    assert find_quote("a " * 50_000, messages) is None
    assert time.perf_counter() - began < 5


def test_a_session_has_longer_texts_topics_and_a_summary() -> None:
    item = HOLDS | {"text": "x" * 300, "topic": " package manager "}
    answer = {"found": [item, item | {"text": "x" * 301}, item | {"topic": None}], "summary": "They chose\n pnpm."}
    found, summary = read_findings(Stage.DISTILLATION, answer, MESSAGES)
    assert [one.topic for one in found] == ["package manager", None]
    assert summary == "They chose pnpm."


@pytest.mark.parametrize("summary", ["", "x" * 601, "They\u202e chose"])
def test_a_summary_that_cannot_be_shown_is_none(summary: str) -> None:
    assert read_findings(Stage.DISTILLATION, {"found": [], "summary": summary}, MESSAGES) == ((), None)


@pytest.mark.parametrize(
    "answer",
    [
        {"found": []},
        {"found": [], "summary": None},
        {"found": [HOLDS], "summary": ""},
        {"found": [HOLDS | {"topic": 1}], "summary": ""},
    ],
)
def test_a_session_answered_in_another_form_is_unusable(answer: object) -> None:
    with pytest.raises(Unusable, match="not of the schema"):
        read_findings(Stage.DISTILLATION, answer, MESSAGES)
