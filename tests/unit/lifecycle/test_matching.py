"""Are two names one thing? By hand, and for any names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.lifecycle.forms import form_of
from trigraph.lifecycle.matching import Match, Named, blocks, match, record_match_score
from trigraph.lifecycle.records import RECORD_SAME
from trigraph.model.memory import EntityType as T

SAME = [
    ("payment_gateway", "PaymentGateway", T.SYSTEM, T.SYSTEM),
    ("order-events", "order_events", T.SYSTEM, T.UNKNOWN),
    ("the Orion project", "Orion project", T.PROJECT, T.PROJECT),
    ("Orion", "Orion project", T.PROJECT, T.PROJECT),
    ("Marcus's", "Marcus", T.PERSON, T.PERSON),
    ("Dr. Elif Demir", "Elif Demir", T.PERSON, T.PERSON),
    ("Demir, Elif", "Elif Demir", T.PERSON, T.PERSON),
    ("José Muñoz", "Jose Munoz", T.PERSON, T.PERSON),
    ("Initech Inc.", "Initech", T.ORGANIZATION, T.ORGANIZATION),
    ("Hooli GmbH", "Hooli", T.ORGANIZATION, T.UNKNOWN),
    ("Rock & Roll", "rock and roll", T.CONCEPT, T.CONCEPT),
    ("login timeout", "login timeouts", T.UNKNOWN, T.UNKNOWN),
    ("dev database", "development db", T.SYSTEM, T.SYSTEM),
    ("SPEC-054", "SPEC 54", T.DOCUMENT, T.DOCUMENT),
    ("F-150", "F150", T.VEHICLE, T.VEHICLE),
    ("Helios v2", "Helios 2", T.PROJECT, T.PROJECT),
    ("Natural Language Processing", "NLP", T.SKILL, T.CONCEPT),
    ("World Wide Web Consortium", "W3C", T.ORGANIZATION, T.ORGANIZATION),
    ("internationalization", "i18n", T.CONCEPT, T.CONCEPT),
    ("AWS Lambda", "Amazon Web Services Lambda", T.TOOL, T.TOOL),
    ("Apache Flink", "Flink", T.TOOL, T.TOOL),
    ("Vue", "Vue.js", T.TOOL, T.TOOL),
    ("Kubernets", "Kubernetes", T.TOOL, T.TOOL),
]
DIFFERENT = [
    ("Python 3.9", "Python 3.11", T.TOOL, T.TOOL),
    ("SPEC-12", "SPEC-21", T.DOCUMENT, T.DOCUMENT),
    ("Phase II", "Phase III", T.TASK, T.TASK),
    ("v1.8.0", "v1.0.8", T.UNKNOWN, T.UNKNOWN),
    ("gpt-4", "gpt-4o", T.TOOL, T.TOOL),
    ("C", "C++", T.SKILL, T.SKILL),
    ("Mercury", "mercury", T.PROJECT, T.MATERIAL),
    ("Jordan", "Jordan", T.PERSON, T.LOCATION),
    ("read replica", "write replica", T.SYSTEM, T.SYSTEM),
    ("inbound queue", "outbound queue", T.SYSTEM, T.SYSTEM),
    ("order-service", "border-service", T.SYSTEM, T.SYSTEM),
    ("Jon Smith", "Joan Smith", T.PERSON, T.PERSON),
    ("Visual Studio", "Visual Studio Code", T.TOOL, T.TOOL),
    ("Alex Kim", "Alex Kim's laptop", T.PERSON, T.UNKNOWN),
]
PART = [
    ("aletheia", "aletheia runtime", T.PROJECT, T.SYSTEM),
    ("Ram 2500", "Ram 2500 steering box", T.VEHICLE, T.UNKNOWN),
    ("SPEC-31", "SPEC-31 section 4", T.DOCUMENT, T.DOCUMENT),
    ("data-lake", "data-lake-catalog", T.SYSTEM, T.SYSTEM),
    ("Tacoma", "left door of the Tacoma", T.VEHICLE, T.UNKNOWN),
]
AMBIGUOUS = [
    ("Alex", "Alex Kim", T.PERSON, T.PERSON),
    ("J. Park", "Jin Park", T.PERSON, T.PERSON),
    ("Chris", "Christine Lund", T.PERSON, T.PERSON),
    ("server", "build server", T.SYSTEM, T.SYSTEM),
    ("aletheia", "aletheia_system", T.PROJECT, T.SYSTEM),
    ("Springfield", "Springfield, Illinois", T.LOCATION, T.LOCATION),
    ("Postgres", "Postgres 14", T.TOOL, T.TOOL),
    ("truck", "Ram 2500", T.VEHICLE, T.VEHICLE),
    ("PM", "product manager", T.UNKNOWN, T.PERSON),
]


@pytest.mark.req("I8")
@pytest.mark.parametrize(
    ("one", "other", "type_one", "type_other", "expected"),
    [
        (*case, label)
        for label, cases in (
            (Match.SAME, SAME),
            (Match.DIFFERENT, DIFFERENT),
            (Match.PART, PART),
            (Match.AMBIGUOUS, AMBIGUOUS),
        )
        for case in cases
    ],
)
def test_two_names_are_judged_by_rule(one: str, other: str, type_one: T, type_other: T, expected: Match) -> None:
    found = match(Named(one, type_one), Named(other, type_other))
    assert found.match is expected, found.reason


@pytest.mark.req("I8")
def test_an_alias_is_the_same_whatever_the_name_looks_like() -> None:
    truck = Named("1997 Ram 2500", T.VEHICLE, aliases=("the old truck",))
    assert match(truck, Named("the old truck", T.VEHICLE)).match is Match.SAME


@pytest.mark.req("I8")
def test_a_shared_alias_does_not_join_two_versions() -> None:
    old, new = Named("Python 3.9", T.TOOL, aliases=("Python",)), Named("Python 3.11", T.TOOL, aliases=("Python",))
    assert match(old, new).match is Match.DIFFERENT


@pytest.mark.req("I8")
def test_the_same_company_decides_between_a_first_name_and_a_full_one() -> None:
    short = Named("Alex", T.PERSON, neighbours=frozenset(("helios", "lena")))
    full = Named("Alex Kim", T.PERSON, neighbours=frozenset(("helios", "lena", "porto")))
    assert match(short, full).match is Match.SAME
    assert match(short, Named("Alex Kim", T.PERSON, neighbours=frozenset(("tennis",)))).match is Match.AMBIGUOUS


@pytest.mark.req("I8")
def test_a_sentence_that_has_the_full_name_decides_too() -> None:
    short = Named("Alex", T.PERSON, context="Alex Kim joined; Alex sits by the window.")
    assert match(short, Named("Alex Kim", T.PERSON)).match is Match.SAME


@pytest.mark.req("I8")
def test_one_name_of_two_things_is_told_apart_by_what_they_are_said_to_be() -> None:
    person = Named("Robin", T.PERSON, context="Robin, our accountant, filed the taxes.")
    bird = Named("Robin", T.UNKNOWN, context="Robin, the neighbour's parrot, sings.")
    assert match(person, bird).match is Match.DIFFERENT


@pytest.mark.req("I8")
def test_a_plain_word_of_unknown_type_needs_something_that_bears_it_out() -> None:
    known = Named("Phoenix", T.PROJECT, context="Phoenix is behind schedule.")
    assert match(known, Named("Phoenix", context="Phoenix came up on Tuesday.")).match is Match.AMBIGUOUS
    assert match(known, Named("Phoenix", context="The schedule of Phoenix slipped.")).match is Match.SAME
    assert match(known, Named("Phoenix")).match is Match.SAME


@pytest.mark.req("I8")
def test_a_first_name_alone_is_ambiguous_unless_the_sentences_have_something_in_common() -> None:
    one = Named("Sam", T.PERSON, context="Sam fixed the printer.")
    assert match(one, Named("Sam", T.PERSON, context="Sam moved to Oslo.")).match is Match.AMBIGUOUS
    assert match(one, Named("Sam", T.PERSON, context="The printer was cleaned by Sam.")).match is Match.SAME


def test_a_low_cosine_sends_a_slip_of_the_pen_to_review() -> None:
    one, other = Named("Authentication Service", T.SYSTEM), Named("Authentcation Service", T.SYSTEM)
    assert match(one, other).match is Match.SAME
    assert match(one, other, context_cosine=0.9).match is Match.SAME
    assert match(one, other, context_cosine=0.4).match is Match.AMBIGUOUS


@pytest.mark.parametrize(("one", "other"), [case[:2] for case in (*SAME, *PART)])
def test_names_that_match_share_a_block(one: str, other: str) -> None:
    assert blocks(one) & blocks(other)


def test_names_that_have_nothing_in_common_share_no_block() -> None:
    assert not blocks("Helios scheduler") & blocks("invoice archive")


def test_records_agree_by_model_number_and_not_by_likeness() -> None:
    shop = "Panasonic DECT 6.0 expandable cordless phone KX-TG9343T\nphone with answering system"
    assert record_match_score(shop, "panasonic kxtg9343t cordless phone", 0.9) > RECORD_SAME
    assert record_match_score(shop, "Panasonic KX-TG1032S dual handset cordless phone", 0.9) < RECORD_SAME
    assert record_match_score(shop, "panasonic kxtg9343t cordless phone") > RECORD_SAME


def test_long_texts_are_compared_as_records() -> None:
    text = "Sony Alpha 7 IV full frame mirrorless camera body with 33 megapixel sensor and dual card slots"
    like = "Sony Alpha 7 IV mirrorless full frame camera body 33 megapixel sensor with two dual card slots"
    other = text.replace("33", "24")
    assert match(Named(text, T.TOOL), Named(like, T.TOOL)).match in (Match.SAME, Match.AMBIGUOUS)
    assert match(Named(text, T.TOOL), Named(other, T.TOOL)).match is not Match.SAME


NAMES = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            "Helios helios API api Alex Kim scheduler v2 2500 Ram the of & C++ K8s data-lake Dr. Inc. II".split()
        ),
        min_size=1,
        max_size=5,
    ).map(" ".join),
)
THINGS = st.builds(
    Named,
    NAMES,
    st.sampled_from(T),
    st.lists(NAMES, max_size=2).map(tuple),
    st.frozensets(st.sampled_from("abcd"), max_size=3),
    st.text(max_size=40),
)


@pytest.mark.req("I8")
@settings(deadline=None)
@given(one=THINGS, other=THINGS, cosine=st.none() | st.floats(-1, 1))
def test_the_order_of_two_names_does_not_matter(one: Named, other: Named, cosine: float | None) -> None:
    assert match(one, other, cosine).match is match(other, one, cosine).match


@settings(deadline=None)
@given(one=THINGS)
def test_a_name_is_the_same_as_itself(one: Named) -> None:
    assert match(one, one).match is Match.SAME


@pytest.mark.req("I8")
@settings(deadline=None)
@given(
    word=st.sampled_from(("SPEC", "Python", "prod-db", "Area", "release v", "Ram")),
    one=st.from_regex(r"\A\d{1,4}(\.\d{1,2})?\Z"),
    other=st.from_regex(r"\A\d{1,4}(\.\d{1,2})?\Z"),
    tail=st.sampled_from(("", " beta", " (old)")),
)
def test_names_that_differ_in_a_number_are_never_the_same(word: str, one: str, other: str, tail: str) -> None:
    first, second = f"{word} {one}{tail}", f"{word} {other}{tail}"
    if form_of(first).numbers != form_of(second).numbers:
        assert match(Named(first, T.TOOL), Named(second, T.TOOL)).match is not Match.SAME


@settings(deadline=None)
@given(NAMES)
def test_every_name_has_a_block(name: str) -> None:
    assert blocks(name)
