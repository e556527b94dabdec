"""How a new memory relates to a stored one. The pairs are written by hand, and so is what is expected of each."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.lifecycle.comparison import Relation, Thresholds, calibrate, compare
from trigraph.lifecycle.likeness import likeness

ALIKE = 0.95
"""A cosine above every threshold: embeddings see neither numbers nor negation."""

many = settings(deadline=None, max_examples=200)
anything = st.text(st.characters(exclude_categories=[]), max_size=300)
WORDS = """
    the port of is are was not no never 8080 8081 2 GB 2048 MB March 5 2024-03-05 3pm from to instead of switched Ana's
    enabled disabled staging prod if ? . , ; : ( ) v1.2.3 one first only all every don't and but
    """.split()
sentences = st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join)

FLAGGED = [
    # older, newer, detector
    ("Rear hub nut is tightened to 225 ft-lb.", "Rear hub nut is tightened to 185 ft-lb.", "number"),
    ("Kibana listens on port 5601.", "Kibana listens on port 5602.", "number"),
    ("Polling interval is 10 s.", "Polling interval is 10 min.", "number"),
    ("pandas is pinned to 1.5.3.", "pandas is pinned to 2.1.0.", "number"),
    ("The lease ends on June 30.", "The lease was extended to September 30.", "number"),
    ("The crate holds two dozen.", "The crate holds 20.", "number"),
    ("The ingest worker retries failed uploads.", "Failed uploads are not retried by the ingest worker.", "negation"),
    ("Ken always works late.", "Ken never works late.", "negation"),
    ("The flat has a balcony.", "The flat has no balcony.", "negation"),
    ("The parser supports trailing commas.", "The parser fails to support trailing commas.", "negation"),
    ("Autosave is disabled in the editor.", "Autosave is enabled in the editor.", "antonym"),
    ("The VPN is down.", "The VPN is up again.", "antonym"),
    ("Run the seed script before the tests.", "Run the seed script after the tests.", "antonym"),
    ("Clara lives in Porto.", "Clara moved to Madrid last week.", "value_slot"),
    ("The primary region is us-east-1.", "The primary region is now eu-west-1.", "value_slot"),
    ("We format Python code with Black.", "We switched from Black to ruff for Python code.", "correction"),
    ("The dinner is booked for Friday.", "The dinner booked for Friday was cancelled.", "correction"),
    ("Only the owner can archive a project.", "Everyone can archive a project.", "quantifier"),
    ("The batch size is 32.", "The batch size is 64.", "number"),
    ("The build image uses Debian 11.", "The build image uses Debian 12.", "number"),
    ("The MQTT broker listens on 1883.", "The MQTT broker is reachable on port 8883.", "number"),
    ("The report is sent on Fridays.", "The report is sent on Mondays.", "number"),
    ("The parcel locker accepts cash.", "The parcel locker does not take cash.", "negation"),
    ("Every table has a primary key.", "The events table has no primary key.", "negation"),
    ("The lobby printer is out of toner.", "The lobby printer has fresh toner.", "negation"),
    ("Names of teams are unique.", "Names of teams are non-unique.", "antonym"),
    ("The camp kitchen is equipped with a fridge.", "The camp kitchen lacks a fridge.", "negation"),
    ("The hostel allows pets.", "Pets are forbidden at the hostel.", "antonym"),
    ("The trailer is parked behind the barn.", "The trailer got moved to the lot across the road.", "value_slot"),
    ("Spare fuses are in the glove box.", "You find the spare fuses under the rear seat.", "value_slot"),
    ("Maya is the treasurer of the choir.", "The choir elected Ferdinand as its new treasurer.", "value_slot"),
    ("The cron job is called sync_orders.", "sync_orders is now named order_sync.", "value_slot"),
    ("Reach Tom at tom@birch.example.", "Tom's address changed to tomas@pine.example.", "value_slot"),
    ("The bike is red.", "The bike is blue.", "value_slot"),
    ("Wipe the lens first, then apply the coating.", "Apply the coating first, then wipe the lens.", "order"),
    ("Rolf is older than Sven.", "Sven is older than Rolf.", "order"),
    ("Search shows duplicates on page two.", "The duplicates on page two of the search were fixed.", "correction"),
    ("Pages of the API start at 0.", "Pages of the API start at 1; page counts are strings.", "number"),
]

APART = [
    ("In staging the timeout is 10 s.", "In production the timeout is 60 s.", "another environment"),
    ("node-1 has 16 GB of memory.", "node-2 has 32 GB of memory.", "another host"),
    ("The Oslo showroom closes at 5 pm.", "The Bergen showroom closes at 6 pm.", "another place"),
    ("Ines indents with tabs.", "Karol indents with spaces.", "another person"),
    ("read_timeout is 20s.", "write_timeout is 30s.", "another key"),
    ("Write access needs approval.", "Read access does not need approval.", "another attribute"),
    ("Revenue in 2023 was $4.2 million.", "Revenue in 2024 was $5.1 million.", "another year"),
    ("On Monday Rob restarted the gateway.", "On Wednesday Rob restarted the gateway.", "two events"),
    ("Release 4.1 supports Windows 10.", "Release 5.0 does not support Windows 10.", "another release"),
    ("The scraper was on Python 3.9 until March.", "The scraper is on Python 3.11.", "a time that is over"),
    ("Do not forget to renew the certificate.", "The certificate has been renewed.", "a reminder"),
    ("Should the invoice API be paginated?", "The invoice API is not paginated.", "a question"),
    ("If the queue backs up, scale to 12 workers.", "The queue has 6 workers.", "a condition"),
    ("We might move to Postgres 16.", "We run Postgres 14.", "a plan"),
    ("The linter checks Python files.", "The linter checks not only Python files but also stylesheets.", "not only"),
    ("The user likes tea.", "The user likes coffee.", "one may like both"),
    ("Tomatoes need 6 hours of sun.", "The index needs 2 GB of memory.", "another topic"),
    ("Line 3 is up", "Line 4 is up", "another line"),
    ("Ticket 12 was fixed", "Ticket 13 was fixed", "another ticket"),
    ("Room 101 has no projector.", "Room 102 has a projector.", "another room"),
    ("The patch closes bug 12.", "The patch closes bug 14.", "another bug"),
    ("src/app.py has a bug.", "src/api.py has a bug.", "another file"),
    ("get_user returns None.", "get_team returns None.", "another function"),
    ("PR-812 is merged.", "PR-815 is not merged.", "another id"),
    ("The trip costs 300 euros.", "The deposit for the trip is 50 euros.", "a part of it"),
    ("The battery lasts 10 hours.", "The battery charges in 2 hours.", "another measure"),
    ("Paul moved to Bonn in 2012.", "Paul moved to Kiel in 2019.", "two moves"),
    ("Some users cannot log in.", "Most users can log in.", "some and most"),
    ("The front door is blue.", "The back door is green.", "another door"),
    ("The CFO of Norvik is Helen.", "The CEO of Norvik is Luis.", "another office"),
    ("Anna manages the shop in Rome.", "Bea manages the shop in Turin.", "another shop"),
    ("Jan does the washing on Monday.", "Ola does the washing on Thursday.", "two things differ"),
    ("Ada pays 40 euros for the gym.", "Ada pays 90 euros for the choir.", "another purpose"),
    ("The limit is 30 requests per second.", "The limit is 9,000 requests per day.", "another rate"),
    ("The disk holds 4 TB.", "The disk turns at 7200 rpm.", "another unit"),
    ("Tickets cost 12 euros.", "Group tickets cost 9 euros.", "a kind of it"),
    ("The queue mail-fast has 4 workers.", "The queue mail-slow has 1 worker.", "another queue"),
    ("Package `left` is pinned to 1.4.2.", "Package `right` is pinned to 1.4.0.", "another package"),
    ("The Q3 review was on 4 October.", "The Q4 review was on 9 January.", "another quarter"),
    ("Pushes to main are blocked.", "Nobody can push to main.", "both forbid"),
    ("The flag is on for internal staff.", "The flag is off for external staff.", "both turn round"),
    ("Lena moved to Bonn in 2019.", "Lena retired in 2021.", "a life goes on"),
    ("The shed in the quarry has no roof.", "Ida prefers the shed over the quarry.", "a preference ends nothing"),
    ("The bug with tabs was fixed in 2.1.", "The bug with dates was fixed in 2.2.", "another bug of a kind"),
    ("Space 42 is Ingrid's.", "Ingrid parks in space no. 42.", "no. is no negation"),
]

RESTATED = [
    ("The indexer is limited to 2 GB.", "The indexer is limited to 2048 MB."),
    ("The meeting is at 4pm.", "The meeting is at 16:00."),
    ("The deadline is 2026-04-15.", "The deadline is April 15, 2026."),
    ("Three retries, then give up.", "3 retries, then give up."),
    ("Kai maintains the parser.", "The parser is maintained by Kai."),
    ("The bucket is private.", "The bucket is not public."),
    ("Never push to main.", "Do not push to main."),
    ("Use yarn, not npm, in the app repo.", "In the app repo use yarn rather than npm."),
]


@pytest.mark.req("I6")
@pytest.mark.req("I11")
@pytest.mark.parametrize(("older", "newer", "detector"), FLAGGED, ids=[row[1] for row in FLAGGED])
@pytest.mark.parametrize("cosine", [ALIKE, None], ids=["model", "no model"])
def test_what_disagrees_is_flagged_however_alike_the_texts_are(
    older: str, newer: str, detector: str, cosine: float | None
) -> None:
    verdict = compare(older, newer, cosine)

    assert verdict.relation in (Relation.CHANGES, Relation.CONTRADICTS)
    assert verdict.detector == detector


@pytest.mark.req("I11")
@pytest.mark.parametrize(("older", "newer", "why"), APART, ids=[row[2] for row in APART])
def test_statements_that_do_not_meet_are_neither_flagged_nor_taken_for_one(older: str, newer: str, why: str) -> None:
    assert compare(older, newer, ALIKE).relation is Relation.DISTINCT, why


@pytest.mark.req("I7")
@pytest.mark.parametrize(("older", "newer"), RESTATED, ids=[row[1] for row in RESTATED])
def test_the_same_said_in_other_words_or_units_restates(older: str, newer: str) -> None:
    assert compare(older, newer, ALIKE).relation is Relation.RESTATES


@pytest.mark.req("I6")
def test_a_correction_is_found_even_at_a_cosine_of_one() -> None:
    verdict = compare("Torque is 225 ft-lb.", "Torque is 185 ft-lb.", 1.0)

    assert (verdict.relation, verdict.reason) == (Relation.CHANGES, "torque: 225 ft-lb then, 185 ft-lb now.")


@pytest.mark.req("I7")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Greta's number is 555-0134.", "Greta's number is 555-0199."),
        ("Jonas prefers window seats.", "Maria prefers window seats."),
        ("The importer skips duplicate rows.", "The importer keeps duplicate rows."),
        ("Nobody drills a hole with a drill.", "Someone drills a hole with a drill."),
        ("The elevators are out of service.", "The elevators are back in service."),
        ("The API is fast.", "The API is cheap."),
        ("The site supports Python 3.1.", "The site supports Python 3.10."),
        ("The session box is warm", "The session box is hot"),
        ("It rains", "It rains there"),
        ("Buy bread", "The bread there is good"),
        ("US", "us"),
        ("Ship it to US", "Ship it to us"),
        ("He likes tea.", "She likes tea."),
        ("Tests are slow on Windows.", "Tests are slow."),
        ("The API is usually fast.", "The API is fast."),
        ("The key is in the box.", "The key is on the box."),
        ("Some tests are slow.", "All tests are slow."),
        ("You may park here.", "You must park here."),
        ("The contract renews automatically.", "The contract has to be renewed manually."),
        ("The soup is not hot.", "The soup is cold."),
    ],
)
@pytest.mark.parametrize("cosine", [0.99, None], ids=["model", "no model"])
def test_nothing_restates_when_something_would_be_lost(older: str, newer: str, cosine: float | None) -> None:
    assert compare(older, newer, cosine).relation is not Relation.RESTATES
    assert compare(newer, older, cosine).relation is not Relation.RESTATES


@pytest.mark.req("I7")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ana reports to Bo.", "Bo reports to Ana."),
        ("The train from Paris to Rome is full.", "The train from Rome to Paris is full."),
        ("The crawler calls the indexer.", "The indexer calls the crawler."),
        ("The parser is maintained by Kai.", "The parser maintains Kai."),
    ],
)
def test_the_same_words_in_other_roles_do_not_restate(older: str, newer: str) -> None:
    assert compare(older, newer, 0.99).relation is not Relation.RESTATES


@pytest.mark.req("I7")
def test_without_a_model_only_the_same_words_of_weight_restate() -> None:
    assert compare("The bucket is private.", "The bucket is not public.", None).relation is Relation.DISTINCT
    assert compare("Kai maintains the parser.", "The parser is maintained by Kai.", None).relation is Relation.RESTATES


@pytest.mark.req("I7")
def test_below_the_threshold_of_the_model_nothing_restates() -> None:
    older, newer = "The indexer is limited to 2 GB.", "The indexer is limited to 2048 MB."

    assert compare(older, newer, 0.93, Thresholds(duplicate=0.95)).relation is Relation.DISTINCT


@pytest.mark.req("I7")
def test_long_texts_that_begin_alike_do_not_restate() -> None:
    begin = "The parser keeps comments. " * 100

    assert compare(begin + "It is fast.", begin + "It is slow.", 0.99).relation is not Relation.RESTATES


@pytest.mark.req("I11")
@pytest.mark.parametrize(
    ("newer", "cue", "corrects"),
    [
        ("Actually the rate limit is 60 requests.", True, True),
        ("The rate limit is 60 requests, not 100.", True, True),
        ("The rate limit was raised to 60 requests.", True, False),
        ("The rate limit is now 60 requests.", True, False),
        ("The rate limit is 60 requests.", False, False),
    ],
)
def test_a_cue_and_whether_it_says_that_the_older_was_never_true(newer: str, cue: bool, corrects: bool) -> None:
    verdict = compare("The rate limit is 100 requests.", newer, ALIKE)

    assert verdict.relation is Relation.CHANGES
    assert (verdict.cue, verdict.corrects) == (cue, corrects)


@pytest.mark.req("I11")
def test_a_way_from_here_to_there_is_no_cue() -> None:
    verdict = compare(
        "The order service calls billing synchronously.",
        "Calls from the order service to billing are asynchronous.",
        ALIKE,
    )

    assert (verdict.relation, verdict.cue) == (Relation.CONTRADICTS, False)


@pytest.mark.req("I11")
def test_without_likeness_nothing_is_flagged() -> None:
    assert compare("Kibana listens on port 5601.", "Kibana listens on port 5602.", 0.2).relation is Relation.DISTINCT


@pytest.mark.req("I7")
def test_thresholds_follow_the_model() -> None:
    spread = [0.1, 0.2, 0.3] * 100
    crowded = [0.75, 0.77, 0.79] * 100

    assert calibrate(spread).duplicate == 0.90
    assert 0.36 < calibrate(spread).alike < 0.37
    assert 0.79 < calibrate(crowded).alike <= 0.80
    assert calibrate([0.9, 0.99] * 100).duplicate < 0.99
    assert calibrate([]) == Thresholds()


def test_likeness_is_higher_for_a_paraphrase_than_for_another_fact() -> None:
    text = "Shares of the airline rose 4 percent on Monday after strong results."
    same = "After strong results, the airline's shares rose 4 percent on Monday."
    other = "The airline fired 400 people on Monday and closed its office in Rome."

    assert likeness(text, same, 0.95) > 0.5 > likeness(text, other, 0.6)


@pytest.mark.req("I7")
@many
@given(st.one_of(anything, sentences), st.one_of(st.none(), st.floats(0, 1)))
def test_a_text_restates_itself(text: str, cosine: float | None) -> None:
    assert compare(text, text, cosine).relation is Relation.RESTATES


@many
@given(st.one_of(anything, sentences), st.one_of(anything, sentences), st.one_of(st.none(), st.floats(-1, 1)))
def test_any_two_texts_get_a_verdict_that_can_be_shown(older: str, newer: str, cosine: float | None) -> None:
    verdict = compare(older, newer, cosine)

    assert verdict.reason
    assert (verdict.detector is None) == (verdict.relation in (Relation.RESTATES, Relation.DISTINCT))
    assert 0 <= likeness(older, newer, cosine) <= 1


@pytest.mark.req("I11")
@many
@given(st.integers(2, 99_999), st.integers(2, 99_999))
def test_two_numbers_in_one_sentence_are_seen_from_both_sides(one: int, other: int) -> None:
    first, second = f"The worker limit is {one} jobs.", f"The worker limit is {other} jobs."
    wanted = Relation.RESTATES if one == other else Relation.CHANGES

    assert compare(first, second, ALIKE).relation is wanted
    assert compare(second, first, ALIKE).relation is wanted


def test_a_pair_costs_far_less_than_a_millisecond_once_read() -> None:
    pairs = [(row[0], row[1]) for row in (*FLAGGED, *APART)]
    for older, newer in pairs:
        compare(older, newer, ALIKE)
    began = time.perf_counter()
    for _ in range(20):
        for older, newer in pairs:
            compare(older, newer, ALIKE)

    assert (time.perf_counter() - began) / (20 * len(pairs)) < 0.001


@pytest.mark.parametrize("part", ["1 ", "a-", "from to ", "not ", "x is y ", "1.2.", "/a", "Dr. A ", "½ "])
def test_hostile_texts_are_read_in_time(part: str) -> None:
    began = time.perf_counter()
    compare(part * 20_000, part * 19_999 + "z", ALIKE)

    assert time.perf_counter() - began < 3.0
