"""What the rules take out of turns and sessions, and what they leave."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.contracts.extractor import Extractor
from trigraph.extractors.rules import RulesExtractor
from trigraph.model.extraction import Certainty, Extraction, Finding, Found, Role, Said, Stage

RULES: Extractor = RulesExtractor()
NOW = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
LATER = "That is noted, and the rest of the work goes on as it was planned before, one step after another."


def _user(text: str, speaker: str | None = None) -> Said:
    return Said(Role.USER, text, speaker, NOW)


def _agent(text: str, speaker: str | None = None) -> Said:
    return Said(Role.ASSISTANT, text, speaker, NOW)


def _tool(text: str) -> Said:
    return Said(Role.TOOL, text, occurred_at=NOW)


def _turn(*messages: Said) -> tuple[Found, ...]:
    return RULES.extract(Stage.TURN, messages).found


def _session(*messages: Said) -> Extraction:
    return RULES.extract(Stage.DISTILLATION, messages)


def _told(found: tuple[Found, ...]) -> list[tuple[str, str]]:
    return [(one.finding.value, one.text) for one in found]


@pytest.mark.req("I2")
@pytest.mark.parametrize(
    "turn",
    [
        (_user("Hi!"), _agent("Hello! How can I help you today?")),
        (_user("Use tabs."), _agent("Sure.")),
        (_tool("Bash: make test → 20 passed\nEdit: src/app.py\n" * 10),),
        (
            _user("Thanks, that looks great, please go on with the next file and tell me when it is done!"),
            _agent("Sure! Let me open the next file. I'll read `b.py` first. Would you like me to run the tests too?"),
        ),
    ],
)
def test_little_or_nothing_said_yields_nothing(turn: tuple[Said, ...]) -> None:
    assert _turn(*turn) == ()


@pytest.mark.req("I3")
@pytest.mark.parametrize(
    ("said", "finding", "text"),
    [
        ("I prefer pytest over unittest.", "preference", "The user prefers pytest over unittest"),
        ("Please never commit directly to main.", "constraint", "Never commit directly to main"),
        ("Make sure the docs build.", "constraint", "Make sure the docs build"),
        ("Let's use Postgres instead of MySQL.", "decision", "Use Postgres instead of MySQL"),
        ("Our API runs on Postgres 16.", "fact", "The project's API runs on Postgres 16"),
        ("The API should return 404, not 400, then.", "correction", "The API should return 404, not 400, then"),
        ("You must always run `make lint` first.", "constraint", "The agent must always run `make lint` first"),
    ],
)
def test_what_the_user_lays_down_is_kept_as_said(said: str, finding: str, text: str) -> None:
    (found,) = _turn(_user(said), _agent(LATER))
    assert (found.finding.value, found.text, found.certainty) == (finding, text, Certainty.SAID)


@pytest.mark.req("I3")
def test_two_statements_in_one_sentence_are_two_findings() -> None:
    said = "I prefer tabs over spaces, and please never push to `main`."
    found = _turn(_user(said), _agent(LATER))
    assert _told(found) == [
        ("constraint", "Never push to `main`"),
        ("preference", "The user prefers tabs over spaces"),
    ]
    assert said[found[0].evidence[0].start : found[0].evidence[0].end] == "please never push to `main`."


@pytest.mark.req("I3")
def test_what_the_agent_did_and_found_is_clear_or_inferred() -> None:
    found = _turn(
        _user("The nightly import fails with a timeout. Why?"),
        _agent("Let me look at the logs first."),
        _tool("Bash: tail import.log"),
        _agent(
            "The root cause is that the `orders` table has no index. I've added the migration `0042_idx.sql`. "
            "It seems that `retry_limit` is ignored too."
        ),
    )
    assert [(one.finding, one.certainty) for one in found] == [
        (Finding.ROOT_CAUSE, Certainty.CLEAR),
        (Finding.OUTCOME, Certainty.CLEAR),
        (Finding.FACT, Certainty.INFERRED),
    ]
    assert found[0].text == "The nightly import fails with a timeout because the `orders` table has no index"
    assert found[1].text == "Added the migration `0042_idx.sql`"


@pytest.mark.req("I3")
def test_generic_nouns_are_named_by_what_was_spoken_of() -> None:
    found = _turn(
        _user("Can you speed up the export, please? It takes far too long for the larger customers."),
        _agent(
            "I'll look at the `export_all` function. The function now streams rows to `out.csv`, making it more robust."
        ),
    )
    assert _told(found) == [("outcome", "The `export_all` function now streams rows to `out.csv`")]


@pytest.mark.req("I1")
def test_a_list_is_told_with_its_lead_and_an_item_with_its_heading() -> None:
    (listed,) = _turn(
        _user("Please set up continuous integration for the project, with whatever steps you think are needed."),
        _agent("The workflow `ci.yml` includes:\n- tests on Linux\n- a lint step"),
    )
    assert listed.text == "The workflow `ci.yml` includes tests on Linux; a lint step"
    found = _turn(
        _user("Please add totals to the report, for each of the customers and for all of them together."),
        _agent("### Updated `report.py`\n- Used `Decimal` to avoid rounding errors in the totals of all the customers"),
    )
    assert _told(found) == [
        ("outcome", "report.py: used `Decimal` to avoid rounding errors in the totals of all the customers")
    ]


@pytest.mark.req("I3")
def test_people_are_named_and_days_are_dated() -> None:
    found = _turn(
        _user("Hey Mel! I went to a support group yesterday and it was so powerful.", "Caroline"),
        _agent(
            "Wow, that's cool, Caroline! I painted a lake sunrise last year. My kids and I love swimming.", "Melanie"
        ),
    )
    assert set(_told(found)) == {
        ("fact", "Caroline went to a support group on 7 May 2023 and it was so powerful"),
        ("fact", "Melanie painted a lake sunrise in 2022"),
        ("preference", "Melanie and their kids love swimming"),
    }


@pytest.mark.req("I3")
@pytest.mark.parametrize(
    "text",
    [
        "Thanks so much, Mel! You're the best. That means a lot to me, and I'm so glad you were there for me then.",
        "What about you? How have you been? I hope you have a great day and I can't wait to hear all about your trip!",
        "It was amazing and they loved it. This was the best. He gave it to her and then they went there, as always.",
    ],
)
def test_chit_chat_and_loose_ends_are_left(text: str) -> None:
    assert _turn(_user(text, "Caroline"), _agent("Wow, that's so cool, I am happy for you!", "Melanie")) == ()


@pytest.mark.req("I1")
def test_distillation_joins_problem_cause_and_fix_across_messages() -> None:
    extraction = _session(
        _user("please fix these"),
        _tool("Bash: npm test → failed: TypeError: user.name is undefined (2 failing)"),
        _agent("The issue was that `loadUser` returns before the session is read."),
        _tool("Edit: src/user.ts"),
        _agent("Now I'll run the tests again:"),
        _tool("Bash: npm test → 31 passing"),
        _agent("I've changed `loadUser` to await the session, so that `user.name` is never undefined."),
    )
    story = next(one for one in extraction.found if one.finding is Finding.ROOT_CAUSE)
    assert story.text == (
        "`npm test` failed: TypeError: user.name is undefined. Cause: `loadUser` returns before the session is read. "
        "Fix: Changed `loadUser` to await the session, so that `user.name` is never undefined"
    )
    assert len(story.evidence) == 3
    assert ("fact", "Checks that pass: `npm test` (31 passing)") in _told(extraction.found)
    assert extraction.summary is not None
    assert "`npm test`: 31 passing" in extraction.summary


@pytest.mark.req("I1")
@pytest.mark.parametrize(
    ("asked", "answered", "decided"),
    [
        ("Should I store sessions in Redis?", "Yes, please.", "Decided: store sessions in Redis"),
        (
            "Should I use Redis or Postgres?",
            "Let's go with Postgres.",
            "Decided: go with Postgres (proposed was: use Redis or Postgres)",
        ),
        ("I'd recommend using uv for the lock file.", "ok do that", "Decided: using uv for the lock file"),
    ],
)
def test_distillation_takes_a_proposal_and_its_acceptance_as_a_decision(
    asked: str, answered: str, decided: str
) -> None:
    assert ("decision", decided) in _told(_session(_user("What now?"), _agent(asked), _user(answered)).found)


@pytest.mark.req("I1")
def test_distillation_keeps_the_later_of_two_that_contradict() -> None:
    extraction = _session(
        _user("How long may a session last?"),
        _agent("The session timeout in `auth.py` is 30 minutes."),
        _user("Make it longer, please."),
        _agent("The session timeout in `auth.py` is now 90 minutes."),
    )
    assert _told(extraction.found) == [("outcome", "The session timeout in `auth.py` is now 90 minutes")]


@pytest.mark.req("I1")
def test_distillation_tells_what_stays_open() -> None:
    extraction = _session(
        _user("Please add the export."),
        _agent("I've added the export in `export.py`. You'll still need to run the migration on staging."),
        _tool("Bash: pytest tests/export → failed: AssertionError: 3 != 4 (1 failed)"),
    )
    steps = [one.text for one in extraction.found if one.finding is Finding.NEXT_STEP]
    assert steps == [
        "Still to do: run the migration on staging",
        "`pytest tests/export` still fails: AssertionError: 3 != 4 (1 failed)",
    ]


@pytest.mark.req("I1")
def test_a_chat_is_distilled_by_what_each_told() -> None:
    extraction = _session(
        _user("I joined a climbing club last week. I work as a nurse in Leeds.", "Ann"),
        _agent("Wow! I've got a dog named Rex.", "Bo"),
    )
    assert [one.text for one in extraction.found] == [
        "Ann joined a climbing club in the week of 1 May 2023. Ann works as a nurse in Leeds",
        "Bo has got a dog named Rex",
    ]
    assert extraction.summary is not None
    assert extraction.summary.startswith("Ann and Bo talked on 8 May 2023.")


ASKED = "The nightly job fails since the upgrade, please look into it and tell me what is wrong with it."


@pytest.mark.req("I3")
def test_items_that_tell_a_cause_and_its_fix_are_one_whole_finding_each() -> None:
    turn = (
        _user(ASKED),
        _agent(
            "All good now. The upgrade broke the job because:\n\n"
            "1. **The scheduler** wasn't passing the `tz` argument to `next_run()` - Fixed by reading it from the file "
            "`config.toml`\n2. **Retries** were counted twice in `queue.py`. Fixed by moving the counter into "
            "`Worker.run`"
        ),
    )
    assert set(_told(_turn(*turn))) == {
        ("root_cause", "Retries were counted twice in `queue.py`; fixed by moving the counter into `Worker.run`"),
        ("root_cause", "The scheduler wasn't passing the `tz` argument to `next_run()` (fixed)"),
    }
    failed, passed = _tool("Bash: make test → failed: KeyError: 'tz' (2 failed)"), _tool("Bash: make test → 44 passed")
    extraction = _session(failed, turn[0], passed, turn[1])
    assert _told(extraction.found)[:2] == [
        (
            "root_cause",
            "`make test` failed: KeyError: 'tz'. Cause: The scheduler wasn't passing the `tz` argument to `next_run()`."
            " Fix: Reading it from the file `config.toml`",
        ),
        ("root_cause", "Retries were counted twice in `queue.py`; fixed by moving the counter into `Worker.run`"),
    ]


@pytest.mark.req("I3")
def test_what_leads_to_reasons_is_told_with_them_or_not_at_all() -> None:
    long = "`worker.py` opens a new connection for each of the rows that it is given by the scheduler of the night run"
    for items in (
        f"- {long}\n- {long.replace('worker', 'runner')}",
        "- `a.json` is not in the image\n- the disk is full",
    ):
        for stage in Stage:
            found = RULES.extract(
                stage, (_user(ASKED), _agent(f"The nightly `import` job broke because:\n{items}"))
            ).found
            assert found
            assert not any(one.text.rstrip(":").endswith("because") for one in found)


@pytest.mark.req("I3")
@pytest.mark.parametrize(
    ("said", "finding", "text"),
    [
        (
            "Now I see the problem. Our `pool.acquire()` returns a proxy but `Session` expects a raw connection.",
            "root_cause",
            "The code's `pool.acquire()` returns a proxy but `Session` expects a raw connection",
        ),
        (
            "Good! The dark theme switch exists in the form.",
            "fact",
            "The dark theme switch exists in the form (web/a.html)",
        ),
        ("The reducer already handles `SET_THEME`.", "fact", "The reducer already handles `SET_THEME`"),
        ("The main takeaway is that `copy()` batches rows.", "fact", "`copy()` batches rows"),
        ("I see that `old.py` was removed by the merge.", "fact", "`old.py` was removed by the merge"),
        ("Good, the rewrite split `core.py` into two modules.", "fact", "The rewrite split `core.py` into two modules"),
    ],
)
def test_what_is_found_out_on_the_way_is_kept(said: str, finding: str, text: str) -> None:
    way = (
        _user("What does the page do with the theme?"),
        _agent("Let me look."),
        _tool("Grep: web/a.html"),
        _agent(f"{said} Let me go on:"),
    )
    assert (finding, text) in _told(_session(*way, _tool("Read: web/b.html"), _agent("Let me see the rest.")).found)


@pytest.mark.req("I3")
def test_that_all_is_handled_properly_is_no_fact() -> None:
    assert _turn(_user(ASKED), _tool("Read: a.py"), _agent("I see that requests are being handled properly.")) == ()


@pytest.mark.req("I3")
def test_a_state_is_told_only_where_nothing_shows_that_it_is_over() -> None:
    said = (_user(ASKED), _agent("Two tests are still failing: `test_open` and `test_close`."))
    assert _told(_turn(*said)) == [("next_step", "Two tests are still failing: `test_open` and `test_close`")]
    over = (*said, _tool("Edit: a.py"), _tool("Bash: pytest -q → 31 passed"))
    assert _turn(*over) == ()
    assert not any("still failing" in one.text for one in _session(*over).found)


@pytest.mark.req("I1")
def test_what_is_too_long_for_a_turn_is_told_by_its_reason() -> None:
    found = _turn(
        _user("Please have a look at the suite, it has been red since the last merge."),
        _agent(
            "1. **Added a clock**: The scheduler tests were failing on every machine outside of UTC because the stub "
            "ignores the `tzinfo` of `now()`"
        ),
    )
    assert _told(found) == [("root_cause", "The stub ignores the `tzinfo` of `now()`")]


@pytest.mark.req("I1")
def test_two_reasons_for_one_failure_by_the_same_thing_are_one() -> None:
    extraction = _session(
        _user("please fix these"),
        _agent("The `api` tests are failing because the stub returns no `headers` for the second of the requests."),
        _tool("Edit: stub.py"),
        _agent("The `api` tests were failing because the stub never kept what `send()` was given."),
    )
    causes = [one.text for one in extraction.found if one.finding is Finding.ROOT_CAUSE]
    assert causes == ["The `api` tests were failing because the stub never kept what `send()` was given"]


def _worked(*lines: str) -> list[tuple[str, str]]:
    return _told(_session(_user("Please add it."), _agent("On it."), _tool("\n".join(lines)), _agent("Done.")).found)


@pytest.mark.req("I1")
@pytest.mark.parametrize(
    ("lines", "step"),
    [
        (["Edit: a.py"], "No tests or checks were run after the last change to a.py"),
        (
            ["Bash: pytest → 9 passed", "Edit: a.py", "Bash: ruff check → All checks passed!"],
            "After the last change only `ruff check` was run, no tests",
        ),
        (
            ["Edit: a.py", "Bash: pytest -m db → 3 passed, 70 deselected in 1s"],
            "After the last change only `pytest -m db` was run; 70 tests were left out",
        ),
        (
            ["Edit: a.ts", "Bash: npx jest src/a.test.ts → Tests: 4 passed"],
            "After the last change only `npx jest src/a.test.ts` was run",
        ),
        (["Edit: a.py", "Bash: python -m pytest → 73 passed"], None),
        (["Edit: a.py", "Hook: Stop: make test → 73 passed"], None),
        (["Edit: notes.md"], None),
        (["Bash: pytest -k x → 1 passed"], None),
    ],
)
def test_what_was_not_run_after_the_last_change_is_a_next_step(lines: list[str], step: str | None) -> None:
    assert [text for finding, text in _worked(*lines) if finding == "next_step"] == ([step] if step else [])


@pytest.mark.req("I1")
def test_hooks_branch_and_timeouts_are_told() -> None:
    extraction = _session(
        _user("Please add it."),
        _tool(
            "Branch: big-move\nBash: make slow → timed out after 2m\nEdit: a.py\nHook: PostToolUse:Edit: black a.py\n"
            "Edit: b.py\nHook: PostToolUse:Edit: black a.py\nHook: Stop: make docs\nBash: make slow → 9 passed in 41.2s"
        ),
        _agent("Done."),
    )
    assert {
        ("fact", "A PostToolUse hook runs `black a.py` after each Edit"),
        ("fact", "`make slow` timed out after 2m; a later run that passed took 41 s"),
    } <= set(_told(extraction.found))
    assert not any("make docs" in one.text for one in extraction.found)
    assert extraction.summary is not None
    assert "Branch: big-move." in extraction.summary


_WORDS = st.sampled_from(
    "I we you the it `load()` src/app.py fixed failed because never always prefer let's use now is was yesterday 3 "
    "Bob, - # ** : . ! ? \n → Bash: error since should and, which (not) instead \u00e9\u200b".split(" ")
)
_MESSAGES = st.lists(
    st.builds(
        Said,
        st.sampled_from(Role),
        st.text(max_size=80) | st.lists(_WORDS, max_size=40).map(" ".join),
        st.sampled_from([None, "Ann", "Bo"]),
        st.sampled_from([None, NOW, datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)]),
    ),
    max_size=6,
)


@pytest.mark.req("I3")
@settings(max_examples=300, deadline=None)
@given(_MESSAGES)
def test_evidence_lies_in_the_messages_and_nothing_raises(messages: list[Said]) -> None:
    for stage, limit, most in ((Stage.TURN, 100, 3), (Stage.DISTILLATION, 300, 15)):
        extraction = RULES.extract(stage, messages)
        assert extraction == RULES.extract(stage, messages)
        assert len(extraction.found) <= most
        assert len(extraction.summary or "") <= 600
        for found in extraction.found:
            assert 0 < len(found.text) <= limit
            assert found.evidence
            for span in found.evidence:
                assert 0 <= span.start < span.end <= len(messages[span.message].text)
