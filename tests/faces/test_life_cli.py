"""A memory's life by the command: decisions and what came of them, revisions, entities, agents, export and import.

The story of the decision that failed runs in processes of its own, with the real model; the rest in this one.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer

from commands import Command, command_names
from trigraph.assembly import open_engine
from trigraph.errors import TrigraphError, Unauthenticated
from trigraph.faces import wire
from trigraph.faces.cli.main import app
from trigraph.model.access import Right
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

BOB = {"TRIGRAPH_SCOPE__AGENT": "bob"}
UNKNOWN = "m_01kx0f6gq3v8z5d2c7b9n4t1hw"
CHANGED = ["verb", "ids", "at", "replaced", "links", "entity_id", "note", "preview", "replayed", "degraded", "id"]
ENTITY = """id type visibility group author state aliases mention_count first_seen last_referenced name
retired""".split()
STATE = ["name", "props", "event", "cause_id", "valid_from", "valid_until", "known_from", "retired"]
LINK = """id from_id to_id type confidence created_by author reason valid_from valid_until known_from
known_until similarity gap_seconds span drawn_at""".split()
STEP = ["at", "valid_from", "verb", "by", "memory_id", "kind", "text", "reason", "changed"]
AGENT = ["name", "policy", "domains", "groups", "created_at"]
GROUP = ["name", "members", "created_at"]
TOKEN = """id tenant project agent name rights created_at used_at expires_at revoked_at""".split()

COMMANDS: dict[str, tuple[tuple[str, ...], list[str] | None]] = {
    "decide": (("Use tea", "--topic", "drinks"), CHANGED),
    "checkpoint": (("Tea is served", "--implements", "{decision}"), CHANGED),
    "evolve": (("{decision}", "SUCCESS"), CHANGED),
    "wrap": (("s-1",), CHANGED),
    "correct": (("{heron}", "A stork nests on the pier"), CHANGED),
    "supersede": (("{heron}", "A stork nests on the pier"), CHANGED),
    "forget": (("{heron}",), CHANGED),
    "restore": (("{forgotten}",), CHANGED),
    "archive": (("{heron}",), CHANGED),
    "reverify": (("{heron}",), CHANGED),
    "share": (("{private}",), CHANGED),
    "erase": (("{heron}", "--confirm", "{heron_end}"), CHANGED),
    "persona create": (("Reviewer", "Reads every line"), CHANGED),
    "persona update": (("Captain", "--prop", "tone=dry"), CHANGED),
    "rename": (("Captain", "Skipper"), CHANGED),
    "alias": (("Captain", "Skipper"), CHANGED),
    "link": (("{heron}", "{decision}"), CHANGED),
    "unlink": (("{link}",), CHANGED),
    "vote": (("{heron}", "down"), CHANGED),
    "cite": (("{heron}",), CHANGED),
    "history": (("{heron}",), ["id", "memories", "links", "steps", "citations", "beside", "truncated"]),
    "entity list": ((), ["entities", "next_cursor"]),
    "entity get": (("Captain",), ENTITY),
    "export": (("copy.jsonl",), ["counts", "digest"]),
    "import": (("{export}",), ["counts", "conflicts", "waiting_for_vector"]),
    "admin tenant add": (("shop",), ["tenant"]),
    "admin tenant list": ((), None),
    "admin project add": (("shop",), ["tenant", "project"]),
    "admin project list": ((), None),
    "admin agent set": (("eve",), AGENT),
    "admin agent list": ((), None),
    "admin agent remove": (("bob",), ["removed"]),
    "admin group add": (("watch",), ["group"]),
    "admin group list": ((), None),
    "admin group remove": (("crew",), ["removed"]),
    "admin group join": (("crew", "default"), ["group", "agent"]),
    "admin group leave": (("crew", "bob"), ["group", "agent"]),
    "admin token create": (("ci", "--agent", "bob"), ["secret", "token"]),
    "admin token list": ((), None),
    "admin token revoke": (("{token}",), ["revoked"]),
}
"""What to give to each command, and the keys of what it answers; None for a list."""


@dataclass(frozen=True)
class Story:
    """Four memories, told by the command, and when each was."""

    command: Command
    jwt: str
    checkpoint: str
    outcome: str
    sessions: str
    times: dict[str, str]


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    folder = tmp_path_factory.mktemp("story")
    command = Command(folder / "home", folder)

    def tell(*words: str) -> dict[str, Any]:
        answer = command(*words, "--json")
        assert (answer.code, answer.err) == (0, "")
        told: dict[str, Any] = answer.json
        return told

    first = tell("decide", "Use JWT for logins", "--topic", "auth", "--reasoning", "No session store is needed")
    built = tell("checkpoint", "All services check JWT signatures", "--implements", first["id"][-8:])
    came = tell("evolve", first["id"], "FAILED", "--reason", "A stolen token could not be revoked")
    then = tell(
        "decide", "Keep logins as sessions in Redis", "--topic", "auth",
        "--reasoning", "A session can be ended at once", "--supersedes", first["id"],
    )  # fmt: skip
    tell("remember", "Barges carry gravel to the lock")
    times = {"jwt": first["at"], "checkpoint": built["at"], "outcome": came["at"], "sessions": then["at"]}
    return Story(command, first["id"], built["id"], came["id"], then["id"], times)


@pytest.fixture
def read(story: Story, run: Command) -> Command:
    """Reads the story in this process."""
    return type(run)(story.command.home, story.command.folder)


@pytest.mark.req("L9")
@pytest.mark.req("T11")
@pytest.mark.req("T9")
class TestTheDecisionThatFailed:
    QUESTION = "why did we abandon JWT?"

    def test_recall_brings_it_marked_with_its_outcome_and_what_replaced_it(self, story: Story) -> None:
        answer = story.command("recall", self.QUESTION, "--json").json
        hits = {hit["id"]: hit for hit in answer["hits"]}

        assert answer["hits"][0]["id"] == story.jwt
        assert hits[story.jwt]["staleness"]["superseded"] is True
        assert hits[story.jwt]["staleness"]["superseded_by"] == story.sessions
        assert hits[story.jwt]["outcomes"] == [
            {"id": story.outcome, "result": "FAILED", "reason": "A stolen token could not be revoked"}
        ]
        assert hits[story.sessions]["staleness"]["superseded"] is False
        assert answer["plan"]["superseded"] is True

    def test_people_read_the_same(self, story: Story) -> None:
        shown = story.command("recall", self.QUESTION, "-n", "1").out.splitlines()

        assert shown[0].startswith(f"1. {story.jwt[-8:]}  decision [auth]")
        assert f"superseded by {story.sessions[-8:]}" in shown[0]
        assert shown[1:] == [
            "   Use JWT for logins",
            f"   → FAILED: A stolen token could not be revoked ({story.outcome[-8:]})",
        ]

    def test_a_question_about_now_leaves_it_out_unless_asked(self, story: Story, read: Command) -> None:
        def found(*words: str) -> set[str]:
            return {hit["id"] for hit in read("recall", *words, "--json").json["hits"]}

        assert story.jwt not in found("JWT logins")
        assert story.sessions in found("JWT logins")
        assert story.jwt in found("JWT logins", "--superseded")
        assert story.jwt in found(self.QUESTION)
        assert story.jwt not in found(self.QUESTION, "--no-superseded")

    def test_history_tells_it_step_by_step(self, story: Story) -> None:
        told = story.command("history", story.jwt, "--json").json

        assert [(step["verb"], step["memory_id"], step["reason"]) for step in told["steps"]] == [
            ("decide", story.jwt, "No session store is needed"),
            ("checkpoint", story.checkpoint, None),
            ("evolve", story.outcome, "A stolen token could not be revoked"),
            ("decide", story.sessions, "A session can be ended at once"),
            ("supersede", story.jwt, None),
        ]
        assert [step["at"] for step in told["steps"][:4]] == list(story.times.values())
        assert told["steps"][4]["changed"] == {
            "valid_until": [None, story.times["sessions"]],
            "superseded_by": [None, story.sessions],
        }
        assert {(link["from_id"], link["type"], link["to_id"]) for link in told["links"]} == {
            (story.checkpoint, "implements", story.jwt),
            (story.outcome, "outcome_of", story.jwt),
            (story.sessions, "supersedes", story.jwt),
        }
        assert [one["id"] for one in told["memories"]] == [
            story.jwt,
            story.checkpoint,
            story.outcome,
            story.sessions,
        ]
        assert (told["id"], told["truncated"], told["citations"]) == (story.jwt, False, {})
        assert [list(step) for step in told["steps"]] == [STEP] * 5
        assert [list(link) for link in told["links"]] == [LINK] * 3

    def test_people_read_the_story(self, story: Story) -> None:
        shown = story.command("history", story.checkpoint[-8:]).out
        jwt, checkpoint, outcome, sessions = (
            id[-8:] for id in (story.jwt, story.checkpoint, story.outcome, story.sessions)
        )
        lines = [re.sub(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  ", "", line) for line in shown.splitlines()]
        until = datetime.fromisoformat(story.times["sessions"]).strftime("%Y-%m-%d %H:%M:%S UTC")

        assert lines == [
            f"decided  {jwt}  decision",
            "   Use JWT for logins",
            "   because: No session store is needed",
            f"checkpoint  {checkpoint}  checkpoint  implements {jwt}",
            "   All services check JWT signatures",
            f"outcome  {outcome}  outcome  outcome_of {jwt}",
            "   FAILED: A stolen token could not be revoked",
            "   because: A stolen token could not be revoked",
            f"decided  {sessions}  decision  supersedes {jwt}",
            "   Keep logins as sessions in Redis",
            "   because: A session can be ended at once",
            f"superseded  {jwt}  decision",
            f"   valid_until: - → {until}",
            f"   superseded_by: - → {sessions}",
        ]

    @pytest.mark.req("T8")
    def test_the_topic_has_a_state_for_each_decision(self, story: Story, read: Command) -> None:
        told = story.command("history", "auth", "--json").json

        assert list(told) == ["entity", "states"]
        assert list(told["entity"]) == ENTITY
        assert [list(state) for state in told["states"]] == [STATE] * 2
        assert [
            (state["event"], state["cause_id"], state["valid_from"], state["valid_until"]) for state in told["states"]
        ] == [
            ("created", story.jwt, story.times["jwt"], story.times["sessions"]),
            ("superseded", story.sessions, story.times["sessions"], None),
        ]
        assert told["states"][1]["props"] == {
            "decision": {"value": "Keep logins as sessions in Redis", "memory_id": story.sessions}
        }
        assert (told["entity"]["name"], told["entity"]["type"]) == ("auth", "concept")
        shown = read("history", "auth").out
        assert re.search(rf"created  auth  decision: Use JWT for logins  {story.jwt[-8:]}$", shown, re.MULTILINE)
        assert re.search(rf"– now  superseded  auth  decision: Keep .* {story.sessions[-8:]}$", shown, re.MULTILINE)

    @pytest.mark.req("X1")
    @pytest.mark.parametrize("times", [("--as-of",), ("--known-at",), ("--as-of", "--known-at")], ids=" ".join)
    def test_as_of_and_known_at_bring_back_what_was(self, story: Story, read: Command, times: tuple[str, ...]) -> None:
        asked = [word for option in times for word in (option, story.times["outcome"])]

        listed = read("list", "--kind", "decision", *asked, "--json").json["memories"]
        assert [one["id"] for one in listed] == [story.jwt]
        (hit,) = read("recall", "logins", "--kind", "decision", *asked, "--json").json["hits"]
        assert (hit["id"], hit["staleness"]["superseded"]) == (story.jwt, False)
        assert read("get", story.jwt, *asked).code == 0
        assert read("get", story.sessions, *asked).code == 3
        steps = read("history", story.jwt, *asked, "--json").json["steps"]
        assert {step["memory_id"] for step in steps} == {story.jwt, story.checkpoint, story.outcome}
        states = read("history", "auth", *asked, "--json").json["states"]
        assert [state["cause_id"] for state in states] == [story.jwt]
        topic = read("entity", "get", "auth", *asked, "--json").json
        assert topic["state"]["props"]["decision"]["value"] == "Use JWT for logins"


class TestRevising:
    def test_a_correction_takes_the_place_of_what_was_never_true(self, run: Command) -> None:
        heron = _remembered(run, "A heron nests on the pier", "--tag", "birds")
        changed = run("correct", heron[-8:], "-", "--reason", "It was dark", "--json", given="A stork nests").json
        shown = run("history", changed["id"]).out

        assert (changed["verb"], changed["replaced"]) == ("correct", [heron])
        assert run("get", heron).code == 3
        (kept,) = run("list", "--json").json["memories"]
        assert (kept["text"], kept["tags"], kept["root_id"]) == ("A stork nests", ["birds"], heron)
        assert f"corrects {heron[-8:]}" in shown
        assert "because: It was dark" in shown

    def test_what_was_forgotten_can_be_restored(self, run: Command) -> None:
        heron = _remembered(run, "A heron nests on the pier")
        _remembered(run, "A heron fishes at the lock")

        forgot = run("forget", heron[-8:], "--reason", "Hearsay")
        assert (forgot.code, forgot.out) == (0, f"forgot {heron}\n")
        assert [one["id"] for one in run("list", "--status", "forgotten", "--json").json["memories"]] == [heron]
        again = run("forget", heron, "--json")
        assert (again.code, again.error["code"]) == (5, "conflict")
        assert run("restore", heron).out == f"restored {heron}\n"
        assert run("get", heron).code == 0
        twice = run("restore", heron)
        assert (twice.code, twice.out) == (5, "")

    def test_forgetting_by_query_shows_before_it_does(self, run: Command) -> None:
        nests = _remembered(run, "A heron nests on the pier")
        _remembered(run, "A heron fishes at the lock")
        preview = run("forget", "--query", "heron pier")

        assert preview.out == f"{nests[-8:]}  fact  A heron nests on the pier\n"
        assert "1 would be forgotten; --yes does it" in preview.err
        assert run("forget", "--query", "heron pier", "--json").json["preview"] is True
        assert run("forget", nests, "--dry-run").out == preview.out
        assert len(run("list", "--json").json["memories"]) == 2
        assert run("forget", "--query", "heron pier", "--yes").out == f"forgot {nests}\n"
        assert len(run("list", "--json").json["memories"]) == 1
        nothing = run("forget", "--query", "heron pier", "--yes")
        assert nothing.code == 0
        assert "--yes" not in nothing.err, "it was given"

    def test_what_was_archived_is_put_away_and_can_be_brought_back(self, run: Command) -> None:
        heron = _remembered(run, "A heron nests on the pier")
        run("archive", heron, "--reason", "It flew off")

        assert run("list", "--json").json["memories"] == run("recall", "heron", "--json").json["hits"] == []
        (away,) = run("list", "--status", "archived", "--json").json["memories"]
        assert (away["id"], away["status"]) == (heron, "archived")
        assert "because: It flew off" in run("history", heron).out
        run("restore", heron)
        assert run("get", heron, "--json").json["status"] == "active"

    @pytest.mark.req("T11")
    def test_reverify_changes_last_verified_at_and_nothing_else(self, run: Command) -> None:
        heron = _remembered(run, "A heron nests on the pier", "--tag", "birds", "--topic", "pier")
        before, hit = run("get", heron, "--json").json, run("recall", "heron", "--json").json["hits"][0]
        changed = run("reverify", heron, "--json").json
        after, again = run("get", heron, "--json").json, run("recall", "heron", "--json").json["hits"][0]

        assert before.pop("last_verified_at") is None
        assert after.pop("last_verified_at") == changed["at"]
        assert after == before
        assert (hit["staleness"]["last_verified_at"], again["staleness"]["last_verified_at"]) == (None, changed["at"])
        (step,) = run("history", heron, "--json").json["steps"][1:]
        assert step["changed"] == {"last_verified_at": [None, changed["at"]]}

    def test_erasing_needs_to_be_confirmed(self, run: Command) -> None:
        heron = _remembered(run, "A heron nests on the pier")
        for words in ((), ("--confirm", "zzzzzzzz"), ("--confirm", heron[-4:]), ("--confirm", "")):
            refused = run("erase", heron, *words, "--json")
            assert (refused.code, refused.out, refused.error["field"]) == (2, "", "confirm"), words
            assert f"--confirm {heron[-8:]}" in refused.error["fix"]
        assert run("get", heron).code == 0

        assert run("erase", heron[-10:], "--confirm", heron[-8:]).out == f"erased {heron}\n"
        for words in (("get", heron), ("history", heron), ("restore", heron), ("erase", heron)):
            assert run(*words).code == 3, words

    def test_what_no_longer_stands_is_5_and_says_what_to_do(self, run: Command) -> None:
        heron = _remembered(run, "A heron nests on the pier")
        stork = run("supersede", heron, "A stork nests on the pier", "--json").json["id"]
        refused = run("correct", heron, "A gull nests on the pier")

        assert (refused.code, refused.out) == (5, "")
        assert refused.err == f"error: {heron} is superseded. Look at what replaced it: {stork}.\n"

    def test_supersede_takes_a_time(self, run: Command) -> None:
        heron = _remembered(run, "A heron nests on the pier", "--valid-from", "2026-01-01")
        run("supersede", heron, "A stork nests on the pier", "--valid-from", "2026-03-01")

        def listed(day: str) -> list[str]:
            return [one["text"] for one in run("list", "--as-of", day, "--json").json["memories"]]

        assert (listed("2026-02-28"), listed("2026-03-01"), listed("2025-12-31")) == (
            ["A heron nests on the pier"],
            ["A stork nests on the pier"],
            [],
        )
        assert run("supersede", heron, "x", "--valid-from", "soon").code == 2

    def test_votes_and_links(self, run: Command) -> None:
        heron, stork = _remembered(run, "A heron nests"), _remembered(run, "A stork nests")
        drawn = run("link", heron, stork, "--type", "contradicts", "--reason", "One nest", "--json").json["id"]

        assert run("vote", heron, "down", "--reason", "I saw none").code == 0
        assert run("get", heron, "--json").json["confidence"] == 0.9
        assert drawn in run("history", heron, "--json").out, "`trigraph history` of a memory shows its links"
        assert run("vote", drawn, "down").out.splitlines() == [f"voted on {drawn}", "confidence 0.9"]
        assert run("link", heron, stork, "--type", "contradicts").code == 5
        assert run("unlink", drawn).out == f"unlinked {drawn}\n"
        assert run("unlink", drawn).code == 3


@pytest.mark.req("T15")
def test_a_checkpoint_and_a_summary_carry_the_citations_of_the_session(run: Command) -> None:
    heron = _remembered(run, "A heron nests on the pier", "--session", "s-1")
    asked = run("recall", "heron", "--session", "s-1", "--json").json["id"]
    assert run("cite", heron, "--recall", asked, "--notes", "used").out == f"cited {heron}\n"
    repeated = run("cite", heron[-8:], "--recall", asked, "--json").json
    assert repeated["note"] == "1 of them had been made before"
    run("cite", heron, "--kind", "flagged_stale", "--session", "s-1")
    run("cite", heron, "--kind", "dismissed", "--session", "s-2")
    checkpoint = run("checkpoint", "Half of the birds are counted", "--session", "s-1", "--json").json["id"]
    run("cite", heron, "--kind", "saved_rework", "--recall", asked)
    summary = run("wrap", "s-1", "--json").json["id"]

    tallied = {"cited": 1, "dismissed": 0, "flagged_stale": 1, "rewrote": 0, "saved_rework": 0}
    assert run("get", checkpoint, "--json").json["details"] == {"citations": tallied}
    kept = run("get", summary, "--json").json
    assert kept["details"] == {"citations": {**tallied, "saved_rework": 1}}
    assert (kept["kind"], kept["text"]) == (
        "summary",
        "Session s-1: 2 memories, 0 messages.\n- checkpoint: Half of the birds are counted\n"
        "- fact: A heron nests on the pier",
    )
    assert "1 cited, 0 dismissed, 1 flagged_stale, 0 rewrote, 1 saved_rework" in run("get", summary).out
    assert "citations: 1 cited, 1 dismissed, 1 flagged_stale, 1 saved_rework" in run("history", heron).out


class TestAgents:
    def test_an_agent_sees_what_its_policy_and_its_groups_allow(self, run: Command) -> None:
        own = _remembered(run, "The heron is mine", "--visibility", "private")
        shared = _remembered(run, "The heron is everybody's")

        def bobs() -> set[str]:
            return {one["id"] for one in run("list", "--json", environment=BOB).json["memories"]}

        assert bobs() == set(), "nobody registered bob: he sees his own"
        assert run("admin", "agent", "set", "bob", "--read-policy", "shared", "--domain", "birds").code == 0
        assert bobs() == {shared}
        for words in (("add", "crew"), ("join", "crew", "default"), ("join", "crew", "bob")):
            assert run("admin", "group", *words).code == 0
        assert run("share", own, "--group", "crew").out == f"shared {own}\n"
        assert bobs() == {own, shared}
        run("admin", "agent", "set", "bob", "--read-policy", "isolated")
        assert bobs() == set()
        run("admin", "agent", "set", "bob", "--read-policy", "group")
        assert bobs() == {own, shared}, "who wrote the shared one is in bob's group"
        assert run("admin", "agent", "list").out.splitlines()[1].split() == ["bob", "group", "crew", "birds"]
        assert run("admin", "group", "list").out == "crew: bob, default\n"
        run("admin", "group", "leave", "crew", "bob")
        assert bobs() == set()

    def test_only_the_author_shares_and_erases(self, run: Command) -> None:
        run("admin", "agent", "set", "bob")
        heron = _remembered(run, "A heron nests on the pier")

        for words in (("share", heron), ("erase", heron, "--confirm", heron[-8:])):
            refused = run(*words, "--json", environment=BOB)
            assert (refused.code, refused.out, refused.error["code"]) == (4, "", "forbidden"), words
        corrected = run("correct", heron, "A stork nests on the pier", "--json", environment=BOB).json["id"]
        assert run("get", corrected, "--json").json["provenance"]["author"] == "bob"
        assert "by bob" in run("history", corrected).out

    def test_what_is_hidden_answers_like_what_is_not_there(self, run: Command) -> None:
        run("admin", "agent", "set", "bob")
        heron = _remembered(run, "A heron nests", "--visibility", "private", "--subject", "Nest", "--type", "location")
        for words in (("get",), ("history",), ("forget",), ("reverify",), ("share",), ("erase",), ("vote", "down")):
            verb, *rest = words
            hidden = run(verb, heron, *rest, "--json", environment=BOB)
            unknown = run(verb, UNKNOWN, *rest, "--json", environment=BOB)
            assert (hidden.code, unknown.code) == (3, 3), words
            assert hidden.err.replace(heron, UNKNOWN) == unknown.err, words
        assert run("entity", "get", "Nest", environment=BOB).code == 3
        assert run("entity", "list", "--json", environment=BOB).json["entities"] == []

    def test_a_group_must_be_ones_own(self, run: Command) -> None:
        run("admin", "group", "add", "crew")
        refused = run("remember", "A heron", "--group", "crew", "--json")

        assert (refused.code, refused.error["field"]) == (2, "group")
        run("admin", "group", "join", "crew", "default")
        run("remember", "A heron", "--group", "crew")
        (kept,) = run("list", "--json").json["memories"]
        assert (kept["visibility"], kept["group"]) == ("group", "crew")

    def test_tenants_and_projects_are_islands(self, run: Command) -> None:
        _remembered(run, "A heron nests on the pier")
        elsewhere = {"TRIGRAPH_SCOPE__TENANT": "shop", "TRIGRAPH_SCOPE__PROJECT": "till"}
        assert run("list", environment=elsewhere).code == 3
        assert run("admin", "tenant", "add", "shop").code == 0
        assert run("admin", "project", "add", "till", "--tenant", "shop").code == 0

        assert run("list", "--json", environment=elsewhere).json["memories"] == []
        run("remember", "The till is open", environment=elsewhere)
        assert len(run("list", "--json").json["memories"]) == 1
        assert run("admin", "tenant", "list", "--json").json == ["default", "shop"]
        assert [one["name"] for one in run("admin", "project", "list", "--tenant", "shop", "--json").json] == [
            "default",
            "till",
        ]
        assert run("admin", "tenant", "add", "shop").code == 5
        assert run("admin", "project", "list", "--tenant", "mill").code == 3
        assert run("admin", "tenant", "add", "../x").code == 2


class TestTokens:
    @pytest.fixture
    def bob(self, run: Command) -> None:
        run("admin", "agent", "set", "bob")

    @pytest.mark.req("S5")
    @pytest.mark.usefixtures("bob")
    def test_a_secret_is_shown_once_and_only_its_hash_is_kept(self, run: Command, home: Path) -> None:
        made = run("admin", "token", "create", "laptop", "--agent", "bob", "--rights", "read")
        secret, id = made.out.strip(), made.err.split(":")[0]
        listed = run("admin", "token", "list"), run("admin", "token", "list", "--json")
        (token,) = listed[1].json

        assert re.fullmatch(rf"tg_{id.removeprefix('k_')}_[\w-]{{43}}", secret)
        assert "not shown again" in made.err
        assert (token["id"], token["rights"], token["name"]) == (id, ["read"], "laptop")
        assert (token["tenant"], token["project"], token["agent"]) == ("default", "default", "bob")
        assert secret not in listed[0].out + listed[1].out
        kept = b"".join(path.read_bytes() for path in home.iterdir() if path.is_file())
        assert secret.encode() not in kept
        assert secret[-43:].encode() not in kept
        assert id.encode() in kept, "the bytes are those that were written"

    @pytest.mark.req("S5")
    @pytest.mark.usefixtures("bob")
    def test_a_token_stands_for_its_agent_until_it_is_revoked_or_expires(
        self, run: Command, home: Path, clock: SettableClock
    ) -> None:
        tomorrow = datetime.now(UTC) + timedelta(days=1)
        lasting = run("admin", "token", "create", "ci", "--agent", "bob", "--json").json
        passing = run("admin", "token", "create", "ci", "--agent", "bob", "--expires", "24h", "--json").json
        settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))

        def stands(secret: str, at: datetime) -> bool:
            clock.time = at
            with open_engine(settings, clock=clock) as engine:
                try:
                    found = engine.authenticate(secret, None, None)
                except Unauthenticated:
                    return False
            assert (found.scope.agent, found.rights) == ("bob", {Right.READ, Right.WRITE})
            return True

        assert stands(passing["secret"], tomorrow - timedelta(minutes=1))
        assert not stands(passing["secret"], tomorrow + timedelta(minutes=1))
        assert stands(lasting["secret"], tomorrow + timedelta(minutes=1))
        assert not stands(lasting["secret"] + "x", tomorrow)
        revoked = run("admin", "token", "revoke", lasting["token"]["id"][-8:], "--json")
        assert (revoked.code, revoked.json) == (0, {"revoked": lasting["token"]["id"]})
        assert not stands(lasting["secret"], tomorrow)
        assert run("admin", "token", "list", "--json").json[0]["revoked_at"] is not None
        assert "revoked" in run("admin", "token", "list").out

    @pytest.mark.req("S5")
    @pytest.mark.usefixtures("bob")
    def test_a_token_is_for_one_project_or_for_all(self, run: Command) -> None:
        run("admin", "project", "add", "till")
        run("admin", "agent", "set", "bob", "--project", "till")
        create = ("admin", "token", "create", "ci", "--agent", "bob")
        for words in ((), ("--project", "till"), ("--all-projects", "--scopes", "admin, read")):
            assert run(*create, *words).code == 0
        listed = run("admin", "token", "list", "--json").json
        assert [(one["project"], one["rights"]) for one in listed] == [
            ("default", ["read", "write"]),
            ("till", ["read", "write"]),
            (None, ["read", "admin"]),
        ]
        assert [line.split()[3] for line in run("admin", "token", "list").out.splitlines()] == [
            "project",
            "default",
            "till",
            "(all)",
        ]
        (of_till,) = run("admin", "token", "list", "--project", "till", "--json").json
        assert of_till == listed[1]
        assert run("admin", "token", "revoke", listed[0]["id"], "--project", "till").code == 3
        refused = run(*create, "--project", "till", "--all-projects", "--json")
        assert (refused.code, refused.error["field"]) == (2, "project")

    @pytest.mark.usefixtures("bob")
    def test_a_mistake_leaves_no_token(self, run: Command) -> None:
        assert run("admin", "token", "create", "ci").code == 2
        assert run("admin", "token", "create", "ci", "--agent", "eve").code == 3
        for wrong in (("--expires", "2020-01-01"), ("--expires", "soon"), ("--rights", ""), ("--rights", ",")):
            assert run("admin", "token", "create", "ci", "--agent", "bob", *wrong).code == 2
        assert run("admin", "token", "revoke", "k_01kx0f6gq3v8z5d2c7b9n4t1hw").code == 3
        assert run("admin", "token", "revoke", "k_1").code == 2
        assert run("admin", "token", "list", "--json").json == []

    @pytest.mark.usefixtures("bob")
    @pytest.mark.parametrize(
        ("words", "fields"),
        [
            (("--rights", "fly"), {"rights": ["fly"]}),
            (("--rights", ""), {"rights": []}),
            (("--expires", "soon"), {"expires": "soon"}),
            (("--project", "nowhere"), {"project": "nowhere"}),
            (("--agent", "eve"), {"agent": "eve"}),
            (("--agent", "../eve"), {"agent": "../eve"}),
        ],
    )
    def test_the_library_refuses_in_the_same_words(
        self, run: Command, home: Path, words: tuple[str, ...], fields: dict[str, Any]
    ) -> None:
        refused = run("admin", "token", "create", "ci", "--agent", "bob", *words, "--json")
        settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
        asked = {"tenant": "default", "project": "default", "agent": "bob", "name": "ci", **fields}
        with open_engine(settings) as engine, pytest.raises(TrigraphError) as raised:
            engine.admin.issue_token(**asked)
        assert refused.error == wire.error_json(raised.value)

    @pytest.mark.usefixtures("bob")
    def test_they_go_with_their_agent(self, run: Command) -> None:
        run("admin", "token", "create", "ci", "--agent", "bob")
        run("admin", "agent", "remove", "bob")

        assert run("admin", "token", "list", "--json").json == []
        assert run("admin", "agent", "remove", "bob").code == 3


@pytest.mark.req("T8")
class TestEntities:
    def test_names_personas_and_whether_a_thing_is_in_use(self, run: Command) -> None:
        _remembered(run, "It keeps the sessions", "--subject", "Redis", "--type", "system")
        renamed = run("rename", "redis", "Valkey", "--json").json
        aliased = run("alias", "Valkey", "kv store", "--json").json
        retired = run("archive", "kv store", "--json").json
        assert run("entity", "list", "--json").json["entities"] == []
        restored = run("restore", "Valkey", "--json").json

        found = run("entity", "get", "Redis", "--json").json
        assert (found["name"], found["aliases"], found["type"]) == ("Valkey", ["Redis", "kv store"], "system")
        ids = {one["entity_id"] for one in (renamed, aliased, retired, restored)}
        assert ids == {found["id"]}
        states = run("history", "Valkey", "--json").json["states"]
        assert [(state["event"], state["name"], state["cause_id"]) for state in states] == [
            ("created", "Redis", states[0]["cause_id"]),
            ("renamed", "Valkey", renamed["id"]),
            ("retired", "Valkey", retired["id"]),
            ("restored", "Valkey", restored["id"]),
        ]
        assert run("entity", "get", "Redis", "--as-of", renamed["at"], "--json").json["name"] == "Valkey"
        assert run("archive", "Valkey", "--reason", "It was too dear").code == 0
        assert run("restore", "Valkey").code == 0
        assert run("restore", "Valkey").code == 5

    def test_a_persona_is_made_and_changed(self, run: Command) -> None:
        made = run("persona", "create", "Reviewer", "-", "--prop", "tone=dry", "--json", given="Reads every line").json
        changed = run("persona", "update", "reviewer", "--prop", "tone=warm", "--prop", "pace=slow", "--json").json

        states = run("history", "Reviewer", "--json").json["states"]
        assert [(state["event"], state["cause_id"]) for state in states] == [
            ("created", made["id"]),
            ("updated", changed["id"]),
        ]
        assert {name: prop["value"] for name, prop in states[1]["props"].items()} == {
            "description": "Reads every line",
            "tone": "warm",
            "pace": "slow",
        }
        shown = run("entity", "get", "Reviewer").out
        assert [line.split() for line in shown.splitlines() if line.startswith(("tone", "pace", "type"))] == [
            ["type", "persona"],
            ["tone", "warm"],
            ["pace", "slow"],
        ]
        assert run("persona", "create", "Reviewer", "Reads nothing").code == 5
        assert run("persona", "update", "Reviewer").code == 2
        refused = run("persona", "update", "Reviewer", "--prop", "tone", "--json")
        assert (refused.code, refused.error["field"], refused.error["fix"]) == (2, "props", "Write it like tone=dry.")

    def test_reads_are_narrowed_by_type_entity_and_status(self, run: Command) -> None:
        tool = _remembered(run, "Ripgrep finds herons", "--subject", "ripgrep", "--type", "tool")
        skill = _remembered(run, "Count herons at dawn", "--kind", "skill", "--subject", "counting herons")
        plain = _remembered(run, "Use ripgrep to count herons")

        def ids(*words: str) -> set[str]:
            answer = run(*words, "--json").json
            return {one["id"] for one in answer.get("memories", answer.get("hits"))}

        for words in (("list",), ("recall", "herons")):
            assert ids(*words) == {tool, skill, plain}
            assert ids(*words, "--type", "tool") == {tool}
            assert ids(*words, "--type", "tool", "--type", "skill") == {tool, skill}
            assert ids(*words, "--type", "unknown") == {plain}
            assert ids(*words, "--entity", "ripgrep") == {tool, plain}
            assert run(*words, "--entity", "grep").code == 3
        assert ids("list", "--status", "archived") == set()


class TestKeys:
    WRITES = (
        ("remember", "A heron nests"),
        ("decide", "Count herons", "--topic", "birds"),
        ("correct", "{heron}", "A stork nests"),
        ("persona", "create", "Reviewer", "Reads every line"),
        ("vote", "{heron}", "down"),
        ("cite", "{heron}"),
        ("forget", "{heron}"),
        ("admin", "tenant", "list"),
    )

    @pytest.mark.parametrize("words", WRITES[:-1], ids=" ".join)
    def test_a_call_under_a_key_is_done_once(self, run: Command, words: tuple[str, ...]) -> None:
        heron = _remembered(run, "A heron fishes")
        said = [word.format(heron=heron) for word in words]
        first = run(*said, "--idempotency-key", "k-1", "--json")
        count = len(run("list", "--json").json["memories"])
        again = run(*said, "--idempotency-key", "k-1", "--json")

        assert (first.code, again.code) == (0, 0)
        assert (first.json["replayed"], again.json["replayed"]) == (False, True)
        assert {**first.json, "replayed": True} == again.json
        assert len(run("list", "--json").json["memories"]) == count

    def test_another_body_under_it_is_5(self, run: Command) -> None:
        run("remember", "A heron nests", "--idempotency-key", "k-1")
        for words in (("A stork nests",), ("A heron nests", "--tag", "birds")):
            refused = run("remember", *words, "--idempotency-key", "k-1", "--json")
            assert (refused.code, refused.out, refused.error["code"]) == (5, "", "idempotency_key_reused"), words
            assert refused.error["fix"]
        assert len(run("list", "--json").json["memories"]) == 1
        assert "(done before, under this key)" in _twice(run, "decide", "Count herons", "--topic", "birds").out

    def test_what_was_remembered_before_under_it_is_told(self, run: Command) -> None:
        told = _twice(run, "remember", "A heron nests")

        assert "done before, under this key" in told.out + told.err

    def test_a_file_has_no_key(self, run: Command) -> None:
        refused = run("remember", "--file", "-", "--idempotency-key", "k-1", "--json", given='"A heron"\n')

        assert (refused.code, refused.error["field"]) == (2, "idempotency_key")

    def test_a_thread_has_one(self, run: Command) -> None:
        words = ("remember", "--thread", "-", "--idempotency-key", "k-1", "--json")
        first, again = (run(*words, given='[{"text": "Is the lock open?"}]').json for _ in range(2))

        assert (first["replayed"], again["replayed"]) == (False, True)
        assert first["thread_id"] == again["thread_id"]
        assert len(run("list", "--json").json["memories"]) == 1


class TestTransfer:
    @pytest.fixture
    def other(self, tmp_path: Path, run: Command) -> Command:
        """Another home."""
        return type(run)(tmp_path / "other", tmp_path)

    def test_what_was_exported_can_be_imported_elsewhere_as_it_was(
        self, run: Command, other: Command, tmp_path: Path
    ) -> None:
        decision = run("decide", "Count herons", "--topic", "birds", "--json").json["id"]
        run("evolve", decision, "FAILED", "--reason", "They moved")
        run("cite", decision)
        run("recall", "herons")
        exported = run("export", "herons.jsonl", "--json").json
        lines = [json.loads(line) for line in (tmp_path / "herons.jsonl").read_text(encoding="utf-8").splitlines()]

        assert exported["counts"] == {"memory": 2, "entity": 1, "link": 1, "citation": 1, "recall_event": 1}
        assert lines[0]["record"] == "trigraph"
        end = {"record": "end", "counts": exported["counts"], "digest": exported["digest"]}
        assert {**lines[-1], "file_digest": None} == {**end, "file_digest": None}
        assert len(lines) == 2 + sum(exported["counts"].values())
        assert (tmp_path / "herons.jsonl").stat().st_mode & 0o077 == 0

        imported = other("import", "herons.jsonl", "--json")
        assert imported.code == 0
        assert imported.json["conflicts"] == []
        assert other("list", "--json").json == run("list", "--json").json
        assert other("history", decision, "--json").json == run("history", decision, "--json").json
        assert other("history", "birds", "--json").json == run("history", "birds", "--json").json
        assert other("export", "again.jsonl", "--json").json == exported
        twice = other("import", "herons.jsonl", "--json").json["counts"]
        assert set(twice) == {"same"}

    def test_through_a_pipe(self, run: Command, other: Command) -> None:
        heron = _remembered(run, "A heron nests on the pier")
        piped = run("export")

        assert [json.loads(line)["record"] for line in piped.out.splitlines()] == ["trigraph", "memory", "end"]
        assert "exported 1 memory; digest" in piped.err
        assert run("export", "-").out.splitlines()[1:-1] == piped.out.splitlines()[1:-1]
        told = other("import", "-", given=piped.out)
        assert (told.code, "added" in told.out) == (0, True)
        assert "1 memories came without a vector: run `trigraph reembed`" in told.err
        assert other("get", heron).code == 0

    def test_only_what_one_may_see_unless_everything_is_asked_for(self, run: Command) -> None:
        run("admin", "agent", "set", "bob")
        _remembered(run, "Bob is not to know this", "--visibility", "private")
        _remembered(run, "A heron nests on the pier")

        assert "not to know" not in run("export", environment=BOB).out
        assert "heron" in run("export", environment=BOB).out
        assert "not to know" in run("export", "--everything", environment=BOB).out
        run("recall", "heron")
        assert '"recall_event"' in run("export").out
        assert '"recall_event"' not in run("export", "--no-events").out

    @pytest.mark.parametrize(
        ("spoil", "says"),
        [
            (lambda text: text[:-30], "not JSON"),
            (lambda text: text.rsplit("\n", 2)[0] + "\n", "ends early"),
            (lambda text: text.replace("heron", "stork"), "the text does not fit its hash"),
            (lambda text: text.replace('"user"', '"agent"'), "digest differs"),
            (lambda text: "\n".join(text.splitlines()[1:]), "first line"),
            (lambda text: "", "ends early"),
        ],
        ids=["cut", "without an end", "changed text", "changed source", "without a beginning", "empty"],
    )
    def test_a_file_that_is_not_whole_is_65_and_nothing_is_written(
        self, run: Command, other: Command, spoil: Any, says: str
    ) -> None:
        _remembered(run, "A heron nests on the pier")
        refused = other("import", "-", given=spoil(run("export").out))

        assert (refused.code, refused.out) == (65, "")
        assert says in refused.err
        assert other("list", "--json").json["memories"] == []

    def test_files_that_cannot_be_read_or_written(self, run: Command) -> None:
        _remembered(run, "A heron nests on the pier")

        assert run("import", "missing.jsonl").code == 65
        assert run("export", "no/such/folder.jsonl").code == 74


KINDS = "episode fact preference decision checkpoint insight context constraint outcome skill document summary".split()
TYPES = """person project system tool concept skill task organization location material vehicle document persona
unknown""".split()
DRAWN = "implements relates_to temporal contradicts duplicate_of derived_from".split()
LINKS = "supersedes implements outcome_of relates_to temporal contradicts corrects duplicate_of derived_from".split()
STATUSES = ["active", "quarantined", "forgotten", "archived"]
CITATIONS = ["cited", "dismissed", "flagged_stale", "rewrote", "saved_rework"]
RIGHTS = ["read", "write", "share", "review", "admin"]


@pytest.mark.req("S7")
class TestClosedLists:
    @pytest.mark.parametrize(
        ("words", "field", "allowed"),
        [
            (("remember", "x", "--kind", "fcat"), "kind", KINDS),
            (("remember", "x", "--subject", "y", "--type", "gadget"), "type", TYPES),
            (("list", "--kind", "fcat"), "kind", KINDS),
            (("list", "--type", "gadget"), "type", TYPES),
            (("list", "--status", "lost"), "status", STATUSES),
            (("recall", "x", "--type", "gadget"), "type", TYPES),
            (("entity", "list", "--type", "gadget"), "type", TYPES),
            (("evolve", UNKNOWN, "failed"), "result", ["SUCCESS", "FAILED", "PARTIAL"]),
            (("link", UNKNOWN, UNKNOWN, "--type", "likes"), "type", LINKS),
            (("link", UNKNOWN, UNKNOWN, "--type", "supersedes"), "type", DRAWN),
            (("vote", UNKNOWN, "sideways"), "vote", ["up", "down"]),
            (("cite", UNKNOWN, "--kind", "liked"), "kind", CITATIONS),
            (("admin", "agent", "set", "bob", "--read-policy", "all"), "read_policy", ["isolated", "group", "shared"]),
            (("admin", "token", "create", "ci", "--agent", "default", "--rights", "read,fly"), "rights", RIGHTS),
            (("decide", "x", "--topic", "y", "--visibility", "public"), "visibility", ["private", "group", "shared"]),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
    )
    def test_the_valid_ones_are_listed(
        self, run: Command, words: tuple[str, ...], field: str, allowed: list[str]
    ) -> None:
        refused = run(*words, "--json")

        assert (refused.code, refused.out) == (2, "")
        assert refused.error["field"] == field
        assert refused.error["allowed"] == allowed
        assert run(*words).err.startswith("error: ")


class TestJson:
    @pytest.fixture
    def known(self, run: Command) -> dict[str, str]:
        """Something for each command to work on."""
        run("admin", "agent", "set", "bob")
        run("admin", "group", "add", "crew")
        run("admin", "group", "join", "crew", "bob")
        run("persona", "create", "Captain", "Steers the barge")
        heron, forgotten = _remembered(run, "A heron nests on the pier"), _remembered(run, "A gull")
        decision = run("decide", "Count herons", "--topic", "birds", "--json").json["id"]
        run("forget", forgotten)
        run("export", "given.jsonl")
        return {
            "heron": heron,
            "heron_end": heron[-8:],
            "forgotten": forgotten,
            "decision": decision,
            "private": _remembered(run, "My own gull", "--visibility", "private"),
            "link": run("link", decision, heron, "--json").json["id"],
            "token": run("admin", "token", "create", "ci", "--agent", "bob", "--json").json["token"]["id"],
            "export": "given.jsonl",
        }

    @pytest.mark.parametrize("name", COMMANDS)
    def test_the_answer_is_one_document_with_these_keys(self, run: Command, known: dict[str, str], name: str) -> None:
        words, keys = COMMANDS[name]
        answer = run(*name.split(), *(word.format(**known) for word in words), "--json")

        assert answer.code == 0, answer.err
        if keys is None:
            assert isinstance(answer.json, list)
            assert answer.json
        else:
            assert list(answer.json) == keys
        if keys == CHANGED:
            assert answer.json["id"] == answer.json["ids"][0]
            assert answer.json["verb"] == name.split()[0]

    def test_the_items_of_lists_have_these_keys(self, run: Command, known: dict[str, str]) -> None:
        assert list(run("admin", "agent", "list", "--json").json[0]) == AGENT
        assert list(run("admin", "group", "list", "--json").json[0]) == GROUP
        assert list(run("admin", "token", "list", "--json").json[0]) == TOKEN
        assert list(run("admin", "project", "list", "--json").json[0]) == ["tenant", "name", "created_at"]
        (captain, *_) = run("entity", "list", "--json").json["entities"]
        assert (list(captain), list(captain["state"])) == (ENTITY, STATE)

    def test_these_are_all_the_commands_that_the_other_tests_leave(self) -> None:
        elsewhere = """remember recall recall-event get list init stats health reembed serve completion config
            bench docs relations trace audit prune turn distil reflect work jobs purge review access calibrate
            resolve merge split undo scorer setup mcp tail""".split()
        names = command_names(typer.main.get_command(app))

        assert set(COMMANDS) == {name for name in names if name.split()[0] not in elsewhere}


def test_what_people_read_cannot_steer_their_terminal(run: Command) -> None:
    escape = "\x1b[31mred\x1b]0;title\x07 \u202egnitset"
    decision = run("decide", f"Use {escape}", "--topic", "paint", "--reasoning", escape, "--json").json["id"]
    run("evolve", decision, "FAILED", "--reason", escape)
    run("persona", "create", "Painter", escape, "--prop", f"tone={escape}")
    for words in (
        ("history", decision), ("history", "paint"), ("history", "Painter"), ("entity", "get", "Painter"),
        ("entity", "list"), ("recall", "why paint?"), ("forget", "--query", "gnitset"),
        ("tail", "--no-follow"),
    ):  # fmt: skip
        shown = run(*words)
        assert (shown.code, shown.out != "") == (0, True), words
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", shown.out + shown.err), words


def _remembered(run: Command, text: str, *words: str) -> str:
    answer = run("remember", text, *words, "--json")
    assert answer.code == 0, answer.err
    (item,) = answer.json["items"]
    assert item["status"] == "added"
    return str(item["id"])


def _twice(run: Command, *words: str) -> Any:
    run(*words, "--idempotency-key", "k-2")
    return run(*words, "--idempotency-key", "k-2")
