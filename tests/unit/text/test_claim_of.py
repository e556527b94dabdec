"""What a question takes for granted, and what it is after."""

from __future__ import annotations

import pytest

from trigraph.model.reference import Intent
from trigraph.text.claims import asks_for_a_rule, claim_of, intent_of, is_past

pytestmark = pytest.mark.req("C8")


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Is the parcel sorter written in Ruby?", "the parcel sorter is written in Ruby"),
        ("Is the shelf life of a sample 30 days?", "the shelf life of a sample is 30 days"),
        ("Is Oslo our main depot?", "Oslo is our main depot"),
        ("Is the basket cache Redis?", "the basket cache is Redis"),
        ("Why were the paper labels given up?", "the paper labels were given up"),
        ("Has the old portal been switched off?", "the old portal has been switched off"),
        ("Can interns deploy to the shop?", "interns can deploy to the shop"),
        ("Does the shop use PayPal?", "the shop uses PayPal"),
        ("Does Nadia own the pricing page?", "Nadia owns the pricing page"),
        ("Does the weekly report include refunds?", "the weekly report includes refunds"),
        ("Don't we use Kafka?", "we use Kafka"),
        ("Isn't the gate locked at night?", "the gate is locked at night"),
        ("Is it true that the crane lifts 40 tonnes?", "the crane lifts 40 tonnes"),
        ("The crane lifts 40 tonnes, right?", "The crane lifts 40 tonnes"),
        ("Why does the crane stop at noon?", "the crane stops at noon"),
        ("Why doesn't the crane stop at noon?", "the crane does not stop at noon"),
        ("Can the night shift change the roster?", "the night shift can change the roster"),
        ("Should new services be written in Perl?", "new services should be written in Perl"),
        ("What does the crane lift?", None),
        ("crane capacity", None),
    ],
)
def test_the_claim_is_a_statement(question: str, claim: str | None) -> None:
    assert claim_of(question) == claim


@pytest.mark.parametrize(
    ("question", "past"),
    [
        ("Did we use Kafka?", True),
        ("Why were the paper labels given up?", True),
        ("Is the gate open?", False),
        ("Why do we use Kafka?", False),
        ("What was the price?", False),
    ],
)
def test_a_question_may_ask_how_it_was(question: str, past: bool) -> None:
    assert is_past(question) is past


def test_a_question_may_ask_what_to_do() -> None:
    assert asks_for_a_rule("May I merge on Fridays?")
    assert asks_for_a_rule("I found an old lock file. Should it go?")
    assert not asks_for_a_rule("Why should it go?")
    assert not asks_for_a_rule("Is the gate open in May?")


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("Why did the crane stop?", Intent.ROOT_CAUSE),
        ("When did the crane stop?", Intent.TIMELINE),
        ("Cranes versus lifts", Intent.COMPARISON),
        ("Is the crane out of order?", Intent.FACT_CHECK),
        ("Which crane is it?", Intent.SYNTHESIS),
    ],
)
def test_what_a_question_is_after(question: str, intent: Intent) -> None:
    assert intent_of(question) is intent
