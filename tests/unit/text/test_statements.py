"""Relations and properties that a sentence states: by hand, and never from what is denied, asked or past."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.text.statements import RELATIONS_MOST, StatedProp, stated_props, stated_relations

STATED = {
    "1997 Ram 2500 steering box needs replacement": [
        "steering box NEEDS replacement",
        "steering box PART_OF 1997 Ram 2500",
    ],
    "The door handle of the 2004 Civic needs a spring.": [
        "door handle NEEDS spring",
        "door handle PART_OF 2004 Civic",
    ],
    "The dishwasher's drain pump needs a new seal.": ["drain pump NEEDS new seal", "drain pump PART_OF dishwasher"],
    "The 2018 Ford Transit rear axle squeaks.": ["rear axle PART_OF 2018 Ford Transit"],
    "The outage was caused by an expired certificate and a full disk.": [
        "expired certificate CAUSES outage",
        "full disk CAUSES outage",
    ],
    "The auth library is used by billing, search and the gateway.": [
        "billing USES auth library",
        "search USES auth library",
        "gateway USES auth library",
    ],
    "Omar, who works on Helios, lives in Porto.": ["Omar WORKS_ON Helios", "Omar LOCATED_IN Porto"],
    "The gateway uses Redis, which depends on jemalloc.": ["gateway USES Redis", "Redis DEPENDS_ON jemalloc"],
    "The gateway uses Redis for caching and depends on Postgres.": [
        "gateway USES Redis",
        "gateway DEPENDS_ON Postgres",
    ],
    "The API uses Redis and Omar owns the billing service.": ["API USES Redis", "Omar OWNS billing service"],
    "Since March, the API uses Redis.": ["API USES Redis"],
    "Helios uses Kafka, not RabbitMQ.": ["Helios USES Kafka"],
    "ADR-7 is superseded by ADR-12.": ["ADR-12 SUPERSEDES ADR-7"],
    "We replaced Jenkins with Buildkite.": ["Buildkite SUPERSEDES Jenkins"],
    "`UserRepo` implements `IRepo`.": ["UserRepo IMPLEMENTS IRepo"],
    "Marcus is part of the platform team.": ["Marcus MEMBER_OF platform team"],
    "The bike belongs to Ana.": ["Ana OWNS bike"],
    "Helios, built by Ana, uses Redis.": ["Helios USES Redis", "Helios CREATED_BY Ana"],
    "Ana's favourite editor is Vim.": ["Ana PREFERS Vim"],
    "The billing service and the ledger are related.": ["billing service RELATES_TO ledger"],
    "Felix is interested in hiking.": ["Felix INTERESTED_IN hiking"],
    "The permit is holding up the remodel.": ["permit BLOCKS remodel"],
    "The report is in the shared drive.": ["report LOCATED_IN shared drive"],
}
SILENT = [
    "The API does not use Redis.",
    "The API doesn't use Redis.",
    "The API no longer uses Redis.",
    "The API never used Redis.",
    "The API used to use MySQL.",
    "The API used MySQL.",
    "The API might use Redis.",
    "The API will use Redis.",
    "The team plans to use Redis.",
    "If the cache fails, the API uses the replica.",
    "Does the API use Redis?",
    "Could the noise be caused by the belt?",
    "I wish the API used Redis.",
    "I heard that the API uses Redis.",
    "Ana says the API uses Redis.",
    "It is unclear whether PR #12 fixes the crash.",
    "Nobody owns the wiki.",
    "Neither Dana nor Felix owns the wiki.",
    "Use Redis for caching.",
    "Idea: the API uses Redis.",
    "We use Redis.",
    "It depends on the weather.",
    "The API needs to use Redis.",
    "The release needs Omar to sign off.",
    "The mobile app requires Android 12 or iOS 15.",
    "The team considered replacing Jenkins with Buildkite but decided against it.",
    "Redis and Kafka came up in the standup.",
    "The build is in progress.",
    "Omar is in a meeting.",
    "Omar replaced the water pump.",
    "The thermostat was replaced by Omar.",
    "Andrew is interested in building a relationship with dogs.",
    "```\nThe API uses Redis.\n```",
    "# The API uses Redis",
]
TRIPLES = [(text, sorted(told)) for text, told in STATED.items()]


def told(text: str) -> list[str]:
    return sorted(f"{one.source} {one.type} {one.target}" for one in stated_relations(text))


@pytest.mark.req("I9")
@pytest.mark.req("S1")
@pytest.mark.parametrize(("text", "expected"), TRIPLES)
def test_a_sentence_states_its_relations(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.req("I9")
@pytest.mark.parametrize("text", SILENT)
def test_what_is_denied_asked_supposed_or_past_states_nothing(text: str) -> None:
    assert told(text) == []


@pytest.mark.req("I9")
def test_two_things_in_one_sentence_are_not_thereby_related() -> None:
    assert told("Lena talked with Omar about Rust. Helios and Redis are both slow.") == []


def test_ends_are_where_they_are_said_to_be() -> None:
    text = "Note: the `cache`\nuses Redis 7. The 2004 Civic's fuel pump needs a fuse."
    for one in stated_relations(text):
        assert text[slice(*one.source_span)].replace("`", "") == one.source
        assert text[slice(*one.target_span)] == one.target
        assert one.start <= one.source_span[0] < one.source_span[1] <= one.end


def test_a_text_states_at_most_so_many_and_a_long_one_nothing() -> None:
    assert len(stated_relations(" ".join(f"Tool{n} uses Lib{n}." for n in range(50)))) == RELATIONS_MOST
    assert stated_relations("Helios uses Redis. " * 200) == ()


@pytest.mark.req("S1")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The API port is 8081.", ("API", "port", "8081")),
        ("Billing service version: 2.3", ("Billing service", "version", "2.3")),
        ("Ana's role is lead", ("Ana", "role", "lead")),
        ("The port of the API is 8081.", ("API", "port", "8081")),
        ("Helios has a budget of 40,000 EUR.", ("Helios", "budget", "40,000 EUR")),
        ("The Ram 2500's color is dark green.", ("Ram 2500", "color", "dark green")),
        ("Omar's birthday is 3 May.", ("Omar", "birthday", "3 May")),
    ],
)
def test_a_property_in_slot_form_is_taken(text: str, expected: tuple[str, str, str]) -> None:
    assert stated_props(text) == (StatedProp(*expected),)


@pytest.mark.req("S1")
@pytest.mark.parametrize(
    "text",
    [
        "The port is 8081.",
        "Its port is 8081.",
        "The API port is not 8081.",
        "The API port was 8080.",
        "Is the API port 8081?",
        "The API port is 8081 in staging.",
        "The API port might be 8081.",
        "The API port is wrong.",
        "Ana's dog is sick.",
        "The project password is hunter2.",
    ],
)
def test_what_is_no_clear_slot_gives_no_property(text: str) -> None:
    assert stated_props(text) == ()


WORDS = (
    "the a Helios Redis uses is part of and , . ; ? not 1997 Ram 2500 box's needs ' ` \" : by owned who which - & or "
    "\n if never , who has a port".split(" ")
)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)))
def test_any_text_is_read_and_spans_fit(text: str) -> None:
    for one in stated_relations(text):
        assert 0 <= one.start < one.end <= len(text)
        for name, (start, end) in ((one.source, one.source_span), (one.target, one.target_span)):
            assert name
            assert one.start <= start < end <= one.end
    stated_props(text)


@pytest.mark.parametrize(
    "piece", ["a, ", "uses ", '"', "```", "x's ", "the of ", "1997 Ram ", "A", "-", ".", "and the a b "]
)
def test_hostile_text_takes_no_time(piece: str) -> None:
    began = time.perf_counter()
    stated_relations(piece * (100_000 // len(piece)))
    stated_props(piece * (100_000 // len(piece)))
    for _ in range(5):
        stated_relations((piece * 2000)[:2000])
        stated_props((piece * 2000)[:2000])
    assert time.perf_counter() - began < 2
