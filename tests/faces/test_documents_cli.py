"""Documents, relations, traces, audit and prune by the command, over small folders of markdown of their own."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from clocks import SettableClock
from commands import Answer, Command
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.errors import TrigraphError
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings

FILE = ["path", "collection", "result"]
RESULT = ["status", "id", "reason", "code", "conflicts"]
DOCUMENT = ["entity_id", "name", "collection", "path", "memory_id", "props", "stub"]
RELATION = "source type target evidence source_memory_id extracted_from_section created_at".split()
END = ["id", "name", "type"]
EVIDENCE = ["memory_id", "section", "valid_from", "valid_until", "known_from"]
STEP = ["memory", "depth", "via", "score", "outcomes", "implemented_by"]
CHECK = ["name", "says", "broken", "ids", "fix"]
CHANGE = ["memory_id", "source", "type", "target", "section"]
TEA = "# ADR-1: Use tea\n\n## Status\n\nAccepted\n\n## References\n\n- ADR-2\n- ADR-9\n"
CUPS = "# ADR-2: Use cups\n\nStatus: Draft\n"
UNKNOWN = "m_01kx0f6gq3v8z5d2c7b9n4t1hw"


@pytest.fixture
def adr(tmp_path: Path) -> Path:
    """Two decision records, the first of which refers to the second and to one that is not there."""
    return _folder(tmp_path / "adr", {"0001-tea.md": TEA, "0002-cups.md": CUPS})


def _folder(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    folder.mkdir(exist_ok=True)
    return folder


def _ok(run: Command, *words: str | Path, **more: Any) -> Any:
    answer = run(*words, "--json", **more)
    assert answer.code == 0, answer.err
    return answer.json


def _statuses(answer: Answer) -> dict[str, str]:
    return {one["path"]: one["result"]["status"] for one in answer.json["files"]}


def _told(relations: list[dict[str, Any]]) -> set[tuple[str, str, str]]:
    return {(one["source"]["name"], one["type"], one["target"]["name"]) for one in relations}


def _sql(home: Path, *statements: str, given: tuple[str, ...] = ()) -> None:
    """Behind the product's back, and behind that of the triggers; each `?` takes the next of what is given."""
    connection = apsw.Connection(str(home / "default.db"))
    connection.pragma("foreign_keys", False)
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    left = list(given)
    for statement in statements:
        connection.execute(statement, [left.pop(0) for _ in range(statement.count("?"))])
    connection.close()


@pytest.mark.req("T1")
@pytest.mark.req("T3")
class TestAdding:
    def test_a_folder_is_added_once(self, run: Command, adr: Path) -> None:
        first, again = run("docs", "add", adr, "--json"), run("docs", "add", adr, "--json")

        assert (first.code, again.code) == (0, 0)
        assert _statuses(first) == {"0001-tea.md": "added", "0002-cups.md": "added"}
        assert _statuses(again) == {"0001-tea.md": "duplicate", "0002-cups.md": "duplicate"}
        assert {one["collection"] for one in first.json["files"]} == {"adr"}
        ids = [[one["result"]["id"] for one in answer.json["files"]] for answer in (first, again)]
        assert ids[0] == ids[1]
        assert len(_ok(run, "list")["memories"]) == 2
        assert len(_ok(run, "history", "ADR-1")["states"]) == 1

    def test_what_it_says_of_itself_and_of_others_is_shown(self, run: Command, adr: Path) -> None:
        run("docs", "add", adr)
        found = _ok(run, "docs", "get", "ADR-1")

        assert (found["document"]["name"], found["document"]["collection"]) == ("ADR-1", "adr")
        assert (found["document"]["path"], found["document"]["stub"]) == ("0001-tea.md", False)
        assert found["document"]["props"]["status"] == "Accepted"
        assert found["document"]["props"]["title"] == "ADR-1: Use tea"
        assert _told(found["relations"]) == {("ADR-1", "REFERENCES", "ADR-2"), ("ADR-1", "REFERENCES", "ADR-9")}
        for one in found["relations"]:
            assert one["source_memory_id"] == found["document"]["memory_id"]
            assert one["extracted_from_section"] == "References"
        assert _told(_ok(run, "docs", "get", "adr-2")["relations"]) == {("ADR-1", "REFERENCES", "ADR-2")}
        assert "Use tea" in _ok(run, "get", found["document"]["memory_id"])["text"]
        shown = run("docs", "get", "ADR-1").out
        assert re.search(r"^status\s+Accepted$", shown, re.MULTILINE) or re.search(r"^status +Accepted +$", shown, re.M)
        assert "ADR-1 REFERENCES ADR-9  (References of " in shown

    def test_a_stub_is_shown_as_such_until_it_is_written(self, run: Command, adr: Path) -> None:
        run("docs", "add", adr)
        listed = {one["name"]: one for one in _ok(run, "docs", "list")["documents"]}
        stub = _ok(run, "docs", "get", "ADR-9")["document"]

        assert {name: one["stub"] for name, one in listed.items()} == {"ADR-1": False, "ADR-2": False, "ADR-9": True}
        assert (stub["stub"], stub["memory_id"], stub["path"]) == (True, None, None)
        assert "ADR-9 (a stub: only referred to)" in run("docs", "get", "ADR-9").out
        assert re.search(r"^ADR-9 +adr +stub", run("docs", "list").out, re.MULTILINE)
        assert "stub" not in run("docs", "get", "ADR-2").out
        _folder(adr, {"0009-pots.md": "# ADR-9: Use pots\n"})
        run("docs", "add", adr)
        written = _ok(run, "docs", "get", "ADR-9")["document"]
        assert (written["stub"], written["path"], written["entity_id"]) == (False, "0009-pots.md", stub["entity_id"])
        assert "stub" not in written["props"]
        assert "stub" not in run("docs", "get", "ADR-9").out

    @pytest.mark.req("T8")
    @pytest.mark.req("T9")
    def test_a_changed_file_is_an_update_and_what_it_no_longer_says_is_closed_in_time(
        self, run: Command, adr: Path
    ) -> None:
        before = run("docs", "add", adr, "--json").json["files"][0]["result"]["id"]
        changed = TEA.replace("- ADR-9\n", "").replace("Accepted", "Rejected")
        _folder(adr, {"0001-tea.md": changed})
        answer = run("docs", "add", adr, "--json")
        after = answer.json["files"][0]["result"]

        assert _statuses(answer) == {"0001-tea.md": "updated", "0002-cups.md": "duplicate"}
        assert (after["reason"], after["id"] != before) == (f"in place of {before}", True)
        states = _ok(run, "history", "ADR-1")["states"]
        assert [(one["cause_id"], one["props"]["status"]["value"]) for one in states] == [
            (before, "Accepted"),
            (after["id"], "Rejected"),
        ]
        assert states[1]["event"] == "status_changed"
        assert states[0]["valid_until"] == states[1]["valid_from"]
        then = states[0]["valid_from"]
        now = _ok(run, "docs", "get", "ADR-1")
        assert (now["document"]["memory_id"], _told(now["relations"])) == (
            after["id"],
            {("ADR-1", "REFERENCES", "ADR-2")},
        )
        assert [one["memory_id"] for one in now["relations"][0]["evidence"]] == [after["id"]]
        for times in (("--as-of", then), ("--known-at", then), ("--as-of", then, "--known-at", then)):
            was = _ok(run, "docs", "get", "ADR-1", *times)
            assert was["document"]["memory_id"] == before, times
            assert was["document"]["props"]["status"] == "Accepted", times
            assert ("ADR-1", "REFERENCES", "ADR-9") in _told(was["relations"]), times
        assert "updated 0001-tea.md: in place of" in _readded(run, adr, TEA)

    def test_a_moved_file_is_the_same_document(self, run: Command, adr: Path) -> None:
        run("docs", "add", adr)
        before = _ok(run, "docs", "get", "ADR-1")["document"]
        (adr / "old").mkdir()
        (adr / "0001-tea.md").rename(adr / "old" / "0001-tea.md")
        answer = run("docs", "add", adr, "--json")
        after = _ok(run, "docs", "get", "ADR-1")["document"]

        assert answer.json["gone"] == []
        assert _statuses(answer) == {"0002-cups.md": "duplicate", "old/0001-tea.md": "duplicate"}
        assert after == {**before, "path": "old/0001-tea.md"}
        _folder(adr, {"old/0001-tea.md": TEA + "\nNow.\n"})
        assert _statuses(run("docs", "add", adr / "old" / "0001-tea.md", "--json")) == {"old/0001-tea.md": "updated"}
        assert _ok(run, "docs", "get", "ADR-1")["document"]["entity_id"] == before["entity_id"]
        assert len(_ok(run, "docs", "list")["documents"]) == 3

    def test_a_file_that_is_gone_is_told_and_its_document_kept(self, run: Command, adr: Path) -> None:
        run("docs", "add", adr)
        (adr / "0002-cups.md").unlink()
        answer = run("docs", "add", adr)

        assert answer.code == 0
        assert "no longer there, and kept: 0002-cups.md" in answer.err
        assert "`trigraph archive`" in answer.err
        assert _ok(run, "docs", "get", "ADR-2")["document"]["stub"] is False
        assert _ok(run, "docs", "add", adr)["gone"] == ["0002-cups.md"]

    def test_two_collections_may_have_the_same_numbers(self, run: Command, adr: Path, tmp_path: Path) -> None:
        other = _folder(tmp_path / "shop" / "adr", {"0001-till.md": "# ADR-1: A till\n\n## Depends on\n\n- ADR-2\n"})
        run("docs", "add", adr)
        assert _ok(run, "docs", "add", other, "--collection", "shop")["files"][0]["result"]["status"] == "added"

        ours = _ok(run, "docs", "get", "ADR-1", "--collection", "adr")
        theirs = _ok(run, "docs", "get", "ADR-1", "--collection", "shop")
        assert (ours["document"]["path"], theirs["document"]["path"]) == ("0001-tea.md", "0001-till.md")
        assert _told(theirs["relations"]) == {("ADR-1", "DEPENDS_ON", "ADR-2")}
        stub = theirs["relations"][0]["target"]["id"]
        assert _ok(run, "docs", "get", stub)["document"]["stub"] is True, "references resolve within the collection"
        assert {one["name"] for one in _ok(run, "docs", "list", "--collection", "shop")["documents"]} == {
            "ADR-1",
            "ADR-2",
        }
        refused = run("docs", "get", "ADR-1", "--json")
        assert (refused.code, refused.out, refused.error["code"]) == (2, "", "invalid_input")
        assert "adr: 0001-tea.md" in refused.error["fix"]
        assert "shop: 0001-till.md" in refused.error["fix"]
        assert run("docs", "status", "ADR-1", "Accepted").code == 2
        assert run("docs", "get", "ADR-1", "--collection", "mill").code == 3

    def test_what_is_not_markdown_is_65_and_the_others_are_kept(self, run: Command, adr: Path, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("Notes", encoding="utf-8")
        (adr / "picture.png").write_bytes(b"\x89PNG")
        answer = run("docs", "add", tmp_path / "notes.txt", adr)

        assert answer.code == 65
        assert "notes.txt is not markdown: its name does not end in .md, .markdown or .mdx." in answer.out
        assert "`trigraph remember`" in answer.out
        assert "2 added, 1 error (adr)" in answer.out
        assert "1 files in these folders are not markdown" in answer.err
        told = run("docs", "add", tmp_path / "notes.txt", adr, "--json")
        assert (told.code, told.json["passed_over"]) == (65, 1)
        assert [one["result"]["status"] for one in told.json["files"]] == ["error", "duplicate", "duplicate"]
        counts = {status: count for status, count in told.json["counts"].items() if count}
        assert counts == {"duplicate": 2, "error": 1}

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (b"# ADR-3\n\n\xff\xfe", "is not UTF-8 text (byte 9)"),
            (b"# ADR-3\n\n\0", "holds NUL bytes"),
            (b"", "text is empty. Give at least one word."),
            (b" \n\n", "text is empty"),
        ],
        ids=["not UTF-8", "binary", "empty", "blank"],
    )
    def test_a_file_that_cannot_be_read_is_65_and_the_others_are_kept(
        self, run: Command, adr: Path, content: bytes, says: str
    ) -> None:
        (adr / "0000-bad.md").write_bytes(content)
        answer = run("docs", "add", adr)

        assert answer.code == 65
        assert re.search(rf"^error 0000-bad\.md: .*{re.escape(says)}", answer.out, re.MULTILINE)
        assert {one["name"] for one in _ok(run, "docs", "list")["documents"]} == {"ADR-1", "ADR-2", "ADR-9"}

    def test_a_byte_order_mark_is_no_part_of_the_text(self, run: Command, tmp_path: Path) -> None:
        folder = _folder(tmp_path / "adr", {})
        (folder / "a.md").write_bytes(b"\xef\xbb\xbf" + CUPS.encode())
        run("docs", "add", folder)

        assert _ok(run, "docs", "get", "ADR-2")["document"]["props"]["title"] == "ADR-2: Use cups"

    def test_a_folder_with_nothing_and_a_path_that_is_not_there(self, run: Command, tmp_path: Path) -> None:
        nothing = run("docs", "add", _folder(tmp_path / "bare", {}))
        assert (nothing.code, nothing.out.strip()) == (0, "nothing to add (no collection)")
        assert _ok(run, "docs", "add", tmp_path / "bare")["files"] == []
        missing = run("docs", "add", tmp_path / "nowhere")
        assert missing.code == 65
        assert f"{tmp_path / 'nowhere'} is not there. Check the path." in missing.out
        assert run("docs", "add").code == 2
        assert run("docs", "list").out.strip() == "no documents"
        assert _ok(run, "docs", "list") == {"documents": [], "next_cursor": None}

    def test_hidden_files_and_folders_are_left_alone(self, run: Command, adr: Path) -> None:
        _folder(adr, {".git/x.md": "# ADR-5: Hidden\n", ".draft.md": "# ADR-6: Hidden\n"})

        assert set(_statuses(run("docs", "add", adr, "--json"))) == {"0001-tea.md", "0002-cups.md"}

    def test_a_private_document_is_nobody_elses(self, run: Command, adr: Path) -> None:
        bob = {"TRIGRAPH_SCOPE__AGENT": "bob"}
        run("admin", "agent", "set", "bob")
        run("docs", "add", adr / "0001-tea.md", "--visibility", "private")

        assert _ok(run, "docs", "list", environment=bob)["documents"] == []
        hidden, unknown = (run("docs", "get", name, "--json", environment=bob) for name in ("ADR-1", "ADR-7"))
        assert (hidden.code, unknown.code) == (3, 3)
        assert hidden.err.replace("ADR-1", "ADR-7") == unknown.err
        run("docs", "add", adr / "0002-cups.md")
        assert [one["name"] for one in _ok(run, "docs", "list", environment=bob)["documents"]] == ["ADR-2"]


def _readded(run: Command, folder: Path, text: str) -> str:
    _folder(folder, {"0001-tea.md": text})
    return run("docs", "add", folder).out


@pytest.mark.req("T9")
@pytest.mark.req("T8")
class TestStatus:
    def test_a_late_status_holds_from_when_it_is_said_to(self, run: Command, adr: Path) -> None:
        run("docs", "add", adr, "--valid-from", "2026-01-01")
        told = _ok(run, "docs", "status", "ADR-2", "Accepted", "--valid-from", "2026-03-01")

        def status(*times: str) -> str:
            return str(_ok(run, "docs", "get", "ADR-2", *times)["document"]["props"]["status"])

        assert status() == "Accepted"
        assert status("--as-of", "2026-02-28") == "Draft"
        assert status("--as-of", "2026-03-01") == "Accepted"
        between = (datetime.fromisoformat(told["at"]) - timedelta(microseconds=1)).isoformat()
        assert status("--as-of", "2026-03-01", "--known-at", between) == "Draft", "nobody knew it then"
        states = _ok(run, "history", "ADR-2")["states"]
        assert [one["valid_from"][:10] for one in states] == ["2026-01-01", "2026-03-01"]
        assert states[1]["event"] == "status_changed"
        assert states[1]["cause_id"] == told["id"]

    def test_one_that_is_told_later_still_does_not_take_back_what_followed(self, run: Command, adr: Path) -> None:
        run("docs", "add", adr, "--valid-from", "2026-01-01")
        run("docs", "status", "ADR-2", "Accepted", "--valid-from", "2026-05-01")
        assert run("docs", "status", "ADR-2", "Proposed", "--valid-from", "2026-03-01").code == 0

        found = {
            day: _ok(run, "docs", "get", "ADR-2", "--as-of", day)["document"]["props"]["status"]
            for day in ("2026-02-01", "2026-04-01", "2026-06-01")
        }
        assert found == {"2026-02-01": "Draft", "2026-04-01": "Proposed", "2026-06-01": "Accepted"}
        assert _ok(run, "audit")["ok"] is True

    def test_it_is_told_once_under_a_key(self, run: Command, adr: Path) -> None:
        run("docs", "add", adr)
        words = ("docs", "status", "ADR-2", "Accepted", "--idempotency-key", "k-1")
        first, again = _ok(run, *words), _ok(run, *words)

        assert (first["id"], first["replayed"], again["id"], again["replayed"]) == (
            first["id"], False, first["id"], True,
        )  # fmt: skip
        assert run("docs", "status", "ADR-2", "Rejected", "--idempotency-key", "k-1").code == 5

    def test_mistakes(self, run: Command, adr: Path) -> None:
        run("docs", "add", adr)

        assert run("docs", "status", "ADR-7", "Accepted").code == 3
        assert run("docs", "status", "ADR-2", " ").code == 2
        assert run("docs", "status", "ADR-2", "Accepted", "--valid-from", "soon").code == 2
        assert run("docs", "status", "ADR-2").code == 2


@pytest.mark.req("T3")
@pytest.mark.req("T8")
def test_what_supersedes_a_document_says_so_once_it_is_accepted(run: Command, tmp_path: Path) -> None:
    coffee = "# ADR-2: Coffee\n\nStatus: Draft\n\n## Supersedes\n\n- ADR-1\n"
    folder = _folder(tmp_path / "adr", {"0001-a.md": "# ADR-1: Tea\n\nStatus: Accepted\n", "0002-b.md": coffee})
    run("docs", "add", folder)
    props = _ok(run, "docs", "get", "ADR-1")["document"]["props"]
    assert "superseded_by" not in props, "a draft supersedes nothing yet"

    _folder(folder, {"0002-b.md": coffee.replace("Draft", "Accepted")})
    run("docs", "add", folder)
    props = _ok(run, "docs", "get", "ADR-1")["document"]["props"]
    assert (props["superseded_by"], props["status"]) == ("ADR-2", "Accepted")
    assert _ok(run, "history", "ADR-1")["states"][-1]["event"] == "superseded"
    assert _told(_ok(run, "relations", "ADR-1", "--type", "SUPERSEDES")) == {("ADR-2", "SUPERSEDES", "ADR-1")}


class TestRelations:
    def test_they_are_shown_both_ways_and_by_type(self, run: Command, adr: Path) -> None:
        _folder(adr, {"0003-pot.md": "# ADR-3: Pot\n\n## Implements\n\n- ADR-1\n"})
        run("docs", "add", adr)

        assert _told(_ok(run, "relations", "ADR-1")) == {
            ("ADR-1", "REFERENCES", "ADR-2"),
            ("ADR-1", "REFERENCES", "ADR-9"),
            ("ADR-3", "IMPLEMENTS", "ADR-1"),
        }
        assert _told(_ok(run, "relations", "ADR-1", "--type", "IMPLEMENTS")) == {("ADR-3", "IMPLEMENTS", "ADR-1")}
        both = _ok(run, "relations", "ADR-1", "--type", "IMPLEMENTS", "--type", "REFERENCES")
        assert len(both) == 3
        assert _ok(run, "relations", "ADR-3", "--type", "EXTENDS") == []
        assert run("relations", "ADR-3", "--type", "EXTENDS").out.strip() == "no relations"
        assert "ADR-3 IMPLEMENTS ADR-1  (Implements of" in run("relations", "ADR-3").out
        assert _ok(run, "relations", "ADR-1", "--known-at", "2100-01-01") != []

    def test_mistakes(self, run: Command) -> None:
        missing = run("relations", "ADR-7", "--json")
        assert (missing.code, missing.out, missing.error["code"]) == (3, "", "not_found")
        refused = run("relations", "ADR-7", "--type", "IMPLEMENT", "--json")
        assert (refused.code, refused.error["field"]) == (2, "type")
        assert {"IMPLEMENTS", "SUPERSEDES", "PART_OF"} <= set(refused.error["allowed"])
        assert "Did you mean 'IMPLEMENTS'?" in run("relations", "ADR-7", "--type", "IMPLEMENT").err


@pytest.mark.req("L5")
class TestTraces:
    @pytest.fixture
    def told(self, run: Command) -> dict[str, str]:
        """A decision that failed, what carried it out, and what came after."""

        def tell(*words: str) -> str:
            return str(_ok(run, *words)["id"])

        jwt = tell("decide", "Use JWT for logins", "--topic", "auth", "--session", "s-1")
        built = tell("checkpoint", "Services check JWT signatures", "--implements", jwt)
        failed = tell("evolve", jwt, "FAILED", "--reason", "No way to revoke a token")
        sessions = tell("decide", "Keep logins in Redis", "--topic", "auth", "--supersedes", jwt)
        return {"jwt": jwt, "built": built, "failed": failed, "sessions": sessions}

    def test_evolution_goes_back_from_the_latest_decision(self, run: Command, told: dict[str, str]) -> None:
        trace = _ok(run, "trace", "evolution", "auth")

        assert (trace["mode"], trace["start_id"], trace["truncated"]) == ("evolution", told["sessions"], False)
        assert [(one["memory"]["id"], one["depth"]) for one in trace["steps"]] == [
            (told["sessions"], 0),
            (told["jwt"], 1),
        ]
        back = trace["steps"][1]
        assert (back["via"]["type"], back["via"]["confidence"]) == ("supersedes", 1.0)
        assert [one["id"] for one in back["implemented_by"]] == [told["built"]]
        assert back["outcomes"] == [{"id": told["failed"], "result": "FAILED", "reason": "No way to revoke a token"}]
        shown = run("trace", "evolution", "auth").out.splitlines()
        assert "Keep logins in Redis" in shown[0]
        assert shown[1].startswith("  supersedes (1, ")
        assert shown[1].endswith("superseded")
        assert any("implemented by" in line and "Services check JWT signatures" in line for line in shown)
        assert any(f"FAILED: No way to revoke a token ({told['failed'][-8:]})" in line for line in shown)

    def test_impact_goes_forward(self, run: Command, told: dict[str, str]) -> None:
        trace = _ok(run, "trace", "impact", told["jwt"][-8:])

        assert (trace["mode"], trace["start_id"]) == ("impact", told["jwt"])
        reached = {one["memory"]["id"]: one["via"]["type"] for one in trace["steps"] if one["depth"] == 1}
        assert reached == {told["built"]: "implements", told["failed"]: "outcome_of"}
        assert [one["memory"]["id"] for one in _ok(run, "trace", "impact", told["built"])["steps"]] == [told["built"]]

    def test_a_trace_answers_for_another_time(self, run: Command, told: dict[str, str]) -> None:
        then = _ok(run, "get", told["built"])["created_at"]

        for times in (("--as-of", then, "--known-at", then), ("--known-at", then)):
            trace = _ok(run, "trace", "evolution", "auth", *times)
            assert [one["memory"]["id"] for one in trace["steps"]] == [told["jwt"]], times
            assert trace["steps"][0]["outcomes"] == [], times
            impact = _ok(run, "trace", "impact", told["jwt"], *times)
            assert [one["memory"]["id"] for one in impact["steps"]] == [told["jwt"], told["built"]], times
        assert run("trace", "evolution", "auth", "--as-of", "2020-01-01").code == 3

    def test_mistakes_say_what_to_do(self, run: Command) -> None:
        unknown = run("trace", "evolution", "auth", "--json")
        assert (unknown.code, unknown.out, unknown.error["code"]) == (3, "", "not_found")
        assert "`trigraph list --kind decision`" in unknown.error["fix"]
        assert run("trace", "impact", UNKNOWN).code == 3
        no_model = run("trace", "context", "why?", UNKNOWN, "--json")
        assert (no_model.code, no_model.error["code"]) == (69, "model_unavailable")
        assert "Set embedder.kind to pack" in no_model.error["message"]
        assert run("trace", "evolution").code == 2
        assert run("trace", "context", "why?").code == 2
        assert run("trace", "evolution", " ").code == 2

    def test_context_brings_what_is_linked_first(self, home: Path, tmp_path: Path, embedder: Embedder) -> None:
        """In a process of its own, with the real model."""
        with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as memory:
            start = str(memory.decide("Keep the sessions in Redis", topic="auth").ids[0])
            linked = str(memory.remember("The Redis server keeps sessions for two hours").id)
            free = str(memory.remember("The Redis server keeps sessions for guests, too").id)
            far = str(memory.remember("A heron nests on the north pier").id)
            memory.link(start, linked, "relates_to", confidence=0.9)
        command = Command(home, tmp_path)
        question = "for how long does the Redis server keep sessions?"
        trace = command("trace", "context", question, start, "--json").json
        found = [one["memory"]["id"] for one in trace["steps"]]

        assert (trace["mode"], trace["start_id"]) == ("context", start)
        assert set(found) == {linked, free}
        assert (found[0], far in found) == (linked, False)
        (step, other) = trace["steps"]
        assert (step["depth"], step["via"]["type"], other["via"]) == (1, "relates_to", None)
        assert command("trace", "context", question, UNKNOWN).code == 3
        piped = command("trace", "context", "-", start, "--json", given=question)
        assert [one["memory"]["id"] for one in piped.json["steps"]] == found


@pytest.mark.req("T4")
@pytest.mark.req("T7")
class TestAudit:
    def test_a_sound_store_is_0(self, run: Command, adr: Path) -> None:
        empty = run("audit", "--json")
        assert (empty.code, empty.json["ok"]) == (0, True)
        run("docs", "add", adr)
        run("decide", "Use tea", "--topic", "drinks")
        sound = run("audit", "--json")
        assert (sound.code, sound.json["ok"]) == (0, True)
        assert {one["broken"] for one in sound.json["checks"]} == {0}
        assert {"file", "references", "two_open_states", "broken_chains", "memory_graph"} <= {
            one["name"] for one in sound.json["checks"]
        }
        assert "broken" not in run("audit").out

    @pytest.mark.parametrize(
        ("broken", "check"),
        [
            ("DELETE FROM evidence", "memory_graph"),
            ("DELETE FROM evidence", "dangling_relations"),
            ("UPDATE entity SET type = 'tool' WHERE type = 'document'", "documents_untyped"),
            ("DELETE FROM mention", "entities_nobody_mentions"),
            ("DELETE FROM memory_version", "memories_without_version"),
            ("UPDATE memory SET passage_count = passage_count + 1", "passages_missing"),
            pytest.param(
                "DELETE FROM entity_state",
                "entities_without_state",
            ),
            ("DELETE FROM lexical_docsize", "lexical_behind"),
            ("UPDATE lexical_total SET passages = 99", "totals_behind"),
        ],
    )
    def test_a_broken_one_is_1_and_says_what_is_broken(
        self, run: Command, home: Path, adr: Path, broken: str, check: str
    ) -> None:
        run("docs", "add", adr)
        _sql(home, broken)
        answer = run("audit", "--json")

        assert answer.code == 1
        assert answer.json["ok"] is False
        found = {one["name"]: one for one in answer.json["checks"]}
        assert found[check]["broken"] > 0
        shown = run("audit")
        assert shown.code == 1
        assert re.search(rf"^{found[check]['broken']} broken +{re.escape(found[check]['says'])}", shown.out, re.M)

    def test_the_repair_is_shown_first_and_made_when_asked_for(self, run: Command, home: Path, adr: Path) -> None:
        run("docs", "add", adr)
        before = _told(_ok(run, "docs", "get", "ADR-1")["relations"])
        ids = {one["name"]: one["entity_id"] for one in _ok(run, "docs", "list")["documents"]}
        _sql(
            home,
            "CREATE TEMP TABLE tea AS SELECT key FROM entity WHERE id = ?",
            "CREATE TEMP TABLE cups AS SELECT key FROM entity WHERE id = ?",
            "DELETE FROM evidence WHERE relation_key IN"
            " (SELECT key FROM relation WHERE target_key = (SELECT key FROM cups))",
            "INSERT INTO relation (project, source_key, type, target_key)"
            " SELECT 'default', cups.key, 'EXTENDS', tea.key FROM cups, tea",
            "INSERT INTO evidence (relation_key, memory_key, section, ordinal, known_from)"
            " SELECT r.key, m.key, 'Extends', 0, m.created_at FROM relation AS r, memory AS m"
            " WHERE r.type = 'EXTENDS' AND m.text LIKE '%cups%'",
            given=(ids["ADR-1"], ids["ADR-2"]),
        )
        wrong = {("ADR-1", "REFERENCES", "ADR-9"), ("ADR-2", "EXTENDS", "ADR-1")}
        assert _told(_ok(run, "docs", "get", "ADR-1")["relations"]) == wrong
        (check,) = [one for one in run("audit", "--json").json["checks"] if one["name"] == "memory_graph"]
        assert (check["broken"], check["fix"]) == (2, "Run `trigraph audit --fixup memory-graph`.")

        diff = _ok(run, "audit", "--fixup", "memory-graph")
        assert [(one["source"], one["type"], one["target"]) for one in diff["added"]] == [
            ("ADR-1", "REFERENCES", "ADR-2")
        ]
        assert [(one["source"], one["type"], one["target"]) for one in diff["closed"]] == [
            ("ADR-2", "EXTENDS", "ADR-1")
        ]
        assert [one["target"] for one in diff["unresolved"]] == ["ADR-9"]
        assert (diff["documents"], diff["unchanged"], diff["applied"], diff["empty"]) == (2, 1, False, False)
        shown = run("audit", "--fixup", "memory-graph")
        assert shown.code == 0
        assert [line[:27] for line in shown.out.splitlines()[:3]] == [
            "+ ADR-1 REFERENCES ADR-2  (",
            "- ADR-2 EXTENDS ADR-1  (Ext",
            "? ADR-1 REFERENCES ADR-9  (",
        ]
        assert "nothing was changed; --apply makes it so" in shown.err
        assert _told(_ok(run, "docs", "get", "ADR-1")["relations"]) == wrong
        asked_at = datetime.now(UTC).isoformat()

        applied = _ok(run, "audit", "--fixup", "memory-graph", "--apply")
        assert (len(applied["added"]), len(applied["closed"]), applied["applied"]) == (1, 1, True)
        assert _told(_ok(run, "docs", "get", "ADR-1")["relations"]) == before
        was = _ok(run, "docs", "get", "ADR-1", "--known-at", asked_at)
        assert ("ADR-2", "EXTENDS", "ADR-1") in _told(was["relations"]), "it is closed in time, not deleted"
        again = _ok(run, "audit", "--fixup", "memory-graph", "--apply")
        assert (again["added"], again["closed"], again["unchanged"], again["empty"]) == ([], [], 2, True)
        assert "(nothing to do)" in run("audit", "--fixup", "memory-graph").out
        (check,) = [one for one in run("audit", "--json").json["checks"] if one["name"] == "memory_graph"]
        assert check["broken"] == 0

    def test_texts_kept_before_there_were_documents_become_some(self, run: Command, adr: Path) -> None:
        kept = [_ok(run, "remember", text, "--kind", "document")["items"][0]["id"] for text in (TEA, CUPS)]
        assert len(kept) == 2
        run("audit", "--fixup", "memory-graph", "--apply")

        assert _told(_ok(run, "relations", "ADR-1")) == {
            ("ADR-1", "REFERENCES", "ADR-2"),
            ("ADR-1", "REFERENCES", "ADR-9"),
        }
        assert {one["name"]: one["stub"] for one in _ok(run, "docs", "list")["documents"]} == {
            "ADR-1": False, "ADR-2": False, "ADR-9": True,
        }  # fmt: skip
        assert _ok(run, "audit", "--fixup", "memory-graph")["empty"] is True
        assert run("audit").code == 0

    def test_mistakes(self, run: Command) -> None:
        refused = run("audit", "--fixup", "memory", "--json")
        assert (refused.code, refused.out, refused.error["field"]) == (2, "", "fixup")
        assert refused.error["allowed"] == ["memory-graph"]
        alone = run("audit", "--apply", "--json")
        assert (alone.code, alone.out, alone.error["field"]) == (2, "", "apply")
        assert alone.error["fix"] == "Give --fixup memory-graph."


@pytest.mark.req("L7")
def test_prune_closes_what_has_faded_and_counts_it_first(run: Command, home: Path) -> None:
    clock = SettableClock(datetime.now(UTC) - timedelta(days=30))
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings, clock=clock), LOCAL_SCOPE) as memory:

        def told(text: str, **fields: Any) -> str:
            clock.advance(minutes=1)
            return str(memory.remember(text, **fields).id)

        heron, stork = told("A heron nests", session="s-1"), told("A stork nests", session="s-1")
        used, using = told("A gull nests", session="s-2"), told("A tern nests", session="s-2")
        memory.cite(None, used)
        drawn = memory.link(heron, using, "temporal", confidence=0.3)
        first = memory.decide("Count herons", topic="birds").ids[0]
        clock.advance(minutes=1)
        second = memory.decide("Count storks", topic="birds").ids[0]

    def links(id: str) -> set[tuple[str, str]]:
        return {(one["type"], one["created_by"]) for one in _ok(run, "history", id)["beside"]}

    fresh = [
        _ok(run, "remember", text, "--session", "s-3")["items"][0]["id"] for text in ("An owl nests", "A jay nests")
    ]
    assert links(stork) >= {("temporal", "system")}
    assert _ok(run, "prune", "--dry-run") == {"links": 1, "dry_run": True}
    assert run("prune", "--dry-run").out == "1 links would be closed\n"
    before = datetime.now(UTC).isoformat()
    assert run("prune").out == "1 links closed\n"
    assert _ok(run, "prune") == {"links": 0, "dry_run": False}
    assert links(stork) == set()
    assert ("temporal", "system") in links(using), "what was used is kept"
    assert ("temporal", "user") in links(heron), "what somebody drew is kept"
    assert drawn.id in run("history", heron, "--json").out
    assert ("relates_to", "system") in links(second), f"so is the link to {first}: they are on one topic"
    assert ("temporal", "system") in links(fresh[1]), "so is what is new"
    then = _ok(run, "history", stork, "--known-at", before)["beside"]
    assert [one["type"] for one in then] == ["temporal"], "what was known before stays for known_at"


class TestJson:
    """Every command answers one JSON document with keys that stay."""

    @pytest.fixture
    def known(self, run: Command, adr: Path) -> str:
        run("docs", "add", adr)
        return str(_ok(run, "decide", "Use tea", "--topic", "drinks")["id"])

    def test_the_keys_are_these(self, run: Command, known: str, adr: Path) -> None:
        added = _ok(run, "docs", "add", adr)
        assert list(added) == ["files", "passed_over", "gone", "degraded", "counts"]
        assert [list(one) for one in added["files"]] == [FILE] * 2
        assert list(added["files"][0]["result"]) == RESULT
        page = _ok(run, "docs", "list")
        assert list(page) == ["documents", "next_cursor"]
        assert [list(one) for one in page["documents"]] == [DOCUMENT] * 3
        found = _ok(run, "docs", "get", "ADR-1")
        assert list(found) == ["document", "relations", "truncated"]
        assert list(found["document"]) == DOCUMENT
        for relations in (found["relations"], _ok(run, "relations", "ADR-1")):
            assert [list(one) for one in relations] == [RELATION] * 2
            assert (list(relations[0]["source"]), list(relations[0]["evidence"][0])) == (END, EVIDENCE)
        for words in (("evolution", "drinks"), ("impact", known)):
            trace = _ok(run, "trace", *words)
            assert list(trace) == ["mode", "start_id", "steps", "truncated"]
            assert [list(one) for one in trace["steps"]] == [STEP]
        audited = _ok(run, "audit")
        assert list(audited) == ["checks", "ok"]
        assert {tuple(one) for one in audited["checks"]} == {tuple(CHECK)}
        diff = _ok(run, "audit", "--fixup", "memory-graph")
        assert list(diff) == ["documents", "added", "closed", "unchanged", "unresolved", "applied", "empty"]
        assert [list(one) for one in diff["unresolved"]] == [CHANGE]
        assert list(_ok(run, "prune")) == ["links", "dry_run"]

    def test_a_listing_goes_on_where_its_page_ended(self, run: Command, known: str) -> None:
        first = _ok(run, "docs", "list", "-n", "2")
        rest = _ok(run, "docs", "list", "-n", "2", "--cursor", first["next_cursor"])

        assert (len(first["documents"]), len(rest["documents"]), rest["next_cursor"]) == (2, 1, None)
        names = {one["name"] for one in (*first["documents"], *rest["documents"])}
        assert names == {"ADR-1", "ADR-2", "ADR-9"}
        assert f"more: --cursor {first['next_cursor']}" in run("docs", "list", "-n", "2").err
        for words in (("-n", "0"), ("-n", "100000"), ("--cursor", "zzz")):
            assert run("docs", "list", *words).code == 2, words


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("RECALL__WEIGHTS", "graph", "recall.weights has 'graph'. Write [class.]leg=number; legs: vector,"),
        ("RECALL__WEIGHTS", "graf=2", "recall.weights has 'graf=2'."),
        ("RECALL__WEIGHTS", "graph=1 sometimes.graph=2", "recall.weights has 'sometimes.graph=2'."),
        ("RECALL__WEIGHTS", "graph=-1", "recall.weights has 'graph=-1'."),
        ("DOCUMENTS__FAMILIES", "SPEC A1", "documents.families has 'A1'. Give words of 2 to 10 letters"),
        ("DOCUMENTS__FAMILIES", "", "documents.families has ''."),
        ("LINKS__AUTOMATIC", "session magic", "links.automatic has 'magic'. Give some of session, topic, similar"),
        ("LINKS__SIMILAR_ABOVE", "1.5", "links.similar_above is out of range. Give a number from 0 to 1."),
        ("LINKS__SIMILAR_ABOVE", "nan", "links.similar_above is out of range."),
        ("LINKS__SIMILAR_ABOVE", "high", "links.similar_above cannot be 'high' (environment)."),
    ],
)
def test_a_setting_that_makes_no_sense_is_78(run: Command, name: str, value: str, says: str) -> None:
    answer = run("docs", "list", environment={f"TRIGRAPH_{name}": value})

    assert (answer.code, answer.out) == (78, "")
    assert says in answer.err


def test_the_settings_take_effect(run: Command, tmp_path: Path) -> None:
    folder = _folder(tmp_path / "notes", {"a.md": "# ADR-1: Tea\n\n## References\n\n- FIP-7\n"})
    run("docs", "add", folder)
    assert _ok(run, "docs", "get", "ADR-1")["relations"] == []
    known = {"TRIGRAPH_DOCUMENTS__FAMILIES": "adr, fip"}
    assert run("audit", environment=known).code == 1
    run("audit", "--fixup", "memory-graph", "--apply", environment=known)
    assert _told(_ok(run, "docs", "get", "ADR-1")["relations"]) == {("ADR-1", "REFERENCES", "FIP-7")}

    for number, none in enumerate(({"TRIGRAPH_LINKS__AUTOMATIC": "none"}, None)):
        ids = [
            _ok(run, "decide", f"Drink {drink} {number}", "--topic", f"drinks {number}", environment=none)["id"]
            for drink in ("tea", "coffee")
        ]
        assert len(_ok(run, "history", ids[1])["beside"]) == (1 if none is None else 0)


def test_what_people_read_cannot_steer_their_terminal(run: Command, tmp_path: Path) -> None:
    escape = "\x1b[31mred\x1b]0;title\x07 \u202egnitset"
    folder = _folder(tmp_path / "adr\x1b[31m", {"0001-a.md": f"# ADR-1: {escape}\n\n## References\n\n- ADR-2\n"})
    for words in (
        ("docs", "add", folder),
        ("docs", "list"),
        ("docs", "get", "ADR-1"),
        ("relations", "ADR-1"),
        ("audit", "--fixup", "memory-graph"),
        ("docs", "add", folder / f"x{escape[:5]}.md"),
    ):
        shown = run(*words)
        assert shown.out != "", words
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", shown.out + shown.err), words


def test_the_library_and_the_command_give_the_same(run: Command, adr: Path, tmp_path: Path) -> None:
    """One scenario through both, on homes of their own; ids and times are told apart by when they are met."""
    settings = Settings(home=str(tmp_path / "library"), embedder=EmbedderSettings(kind="none"))
    changed, tea, cups = TEA.replace("- ADR-9\n", "- SPEC-3\n"), adr / "0001-tea.md", adr / "0002-cups.md"
    steps: list[tuple[Any, tuple[str | Path, ...]]] = [
        (lambda t: t.docs.add(adr), ("docs", "add", adr)),
        (lambda t: t.docs.add([adr]), ("docs", "add", adr)),
        (lambda t: t.docs.add([cups, adr / "x.md"]), ("docs", "add", cups, adr / "x.md")),
        (lambda t: t.docs.list(), ("docs", "list")),
        (lambda t: t.docs.list(collection="adr", limit=2).documents,
         ("docs", "list", "--collection", "adr", "-n", "2")),
        (lambda t: t.docs.get("ADR-1"), ("docs", "get", "ADR-1")),
        (lambda t: t.docs.get("ADR-1", as_of="2020-01-01"), ("docs", "get", "ADR-1", "--as-of", "2020-01-01")),
        (lambda t: t.docs.get("ADR-7"), ("docs", "get", "ADR-7")),
        (lambda t: t.docs.status("ADR-2", "Accepted", valid_from="2026-03-01"),
         ("docs", "status", "ADR-2", "Accepted", "--valid-from", "2026-03-01")),
        (lambda t: t.docs.get("ADR-2", as_of="2026-04-01"), ("docs", "get", "ADR-2", "--as-of", "2026-04-01")),
        (lambda t: t.relations("ADR-1", types="REFERENCES"), ("relations", "ADR-1", "--type", "REFERENCES")),
        (lambda t: t.relations("ADR-1", types="LIKES"), ("relations", "ADR-1", "--type", "LIKES")),
        (lambda t: tea.write_text(changed, encoding="utf-8") and t.docs.add(adr), ("docs", "add", adr)),
        (lambda t: t.docs.get("ADR-1"), ("docs", "get", "ADR-1")),
        (lambda t: t.history("ADR-1"), ("history", "ADR-1")),
        (lambda t: t.decide("Use tea", topic="drinks"), ("decide", "Use tea", "--topic", "drinks")),
        (lambda t: t.decide("Use coffee", topic="drinks"), ("decide", "Use coffee", "--topic", "drinks")),
        (lambda t: t.trace_evolution("drinks"), ("trace", "evolution", "drinks")),
        (lambda t: t.trace_evolution("food"), ("trace", "evolution", "food")),
        (lambda t: t.trace_impact(UNKNOWN), ("trace", "impact", UNKNOWN)),
        (lambda t: t.trace_context("x", UNKNOWN), ("trace", "context", "x", UNKNOWN)),
        (lambda t: t.recall("ADR-1 tea"), ("recall", "ADR-1 tea")),
        (lambda t: t.recall("ADR-1 tea", expand=False), ("recall", "ADR-1 tea", "--no-expand")),
        (lambda t: t.audit(), ("audit",)),
        (lambda t: t.fixup_memory_graph(), ("audit", "--fixup", "memory-graph")),
        (lambda t: t.fixup_memory_graph(apply=True), ("audit", "--fixup", "memory-graph", "--apply")),
        (lambda t: {"links": t.prune(dry_run=True), "dry_run": True}, ("prune", "--dry-run")),
    ]  # fmt: skip
    ours: dict[str, str] = {}
    theirs: dict[str, str] = {}
    with Trigraph(open_engine(settings), LOCAL_SCOPE) as memory:
        expected = []
        for ask, _ in steps:
            try:
                expected.append(wire.to_json(ask(memory)))
            except TrigraphError as error:
                expected.append(wire.error_json(error))
    tea.write_text(TEA, encoding="utf-8")
    for (_, words), right in zip(steps, expected, strict=True):
        if words == ("docs", "add", adr) and right["counts"]["updated"]:
            tea.write_text(changed, encoding="utf-8")
        answer = run(*words, "--json")
        told = answer.json if answer.out else answer.error
        told = told["documents"] if "-n" in words else told
        assert _nameless(told, theirs) == _nameless(right, ours), words


MEASURED = {"milliseconds", "age_days", "temporal"}
"""Anew each time, or ages with the memory."""


def _nameless(value: Any, seen: dict[str, str]) -> Any:
    """JSON with each id replaced by when it was first met, each time by a word, and nothing that is measured."""

    def plain(one: Any) -> Any:
        if isinstance(one, list):
            return [plain(item) for item in one]
        if isinstance(one, dict):
            return {name: plain(item) for name, item in one.items() if name not in MEASURED}
        return round(one, 3) if isinstance(one, float) else one

    text = json.dumps(plain(value), sort_keys=True)
    text = re.sub(
        r"\b[a-z]_[0-9a-z]{26}\b", lambda match: seen.setdefault(match.group(), f"{match.group()[0]}-{len(seen)}"), text
    )
    for id_, name in seen.items():
        text = text.replace(id_[-8:], name)
    return json.loads(re.sub(r"20\d\d-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", "then", text))
