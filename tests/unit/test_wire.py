"""The edge: loose values in, plain JSON out."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from trigraph.errors import BrokenFile, InvalidInput, NotFound
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.change import CitationKind
from trigraph.model.memory import (
    DecisionDetails,
    EntityType,
    Kind,
    MemoryDraft,
    OutcomeDetails,
    OutcomeResult,
    Source,
    Status,
    Visibility,
)
from trigraph.model.query import Fusion
from trigraph.model.revision import Revision, Use
from trigraph.model.tail import BEGINNING
from trigraph.model.thread import Message

MEMORY_KEYS = """id project kind text topic content_hash provenance trust details place occurred_at created_at
retracted_at valid_from valid_until last_verified_at status visibility tags domains confidence pinned group
superseded superseded_by subject root_id referenced_at strength restatements type""".split()


class TestJsonOut:
    @pytest.fixture
    def filled(self, memory: Trigraph) -> Trigraph:
        memory.remember(
            "Use Postgres",
            kind="decision",
            reasoning="We know it",
            tags=["db"],
            occurred_at="2026-08-30",
            topic="Store",
        )
        memory.remember_thread([{"speaker": "Ana", "role": "user", "text": "Hello"}], name="chat")
        return memory

    def test_a_memory(self, filled: Trigraph) -> None:
        kept = filled.list(kinds=["decision"]).memories[0]
        shown = _plain(wire.to_json(kept))

        assert list(shown) == MEMORY_KEYS
        assert shown == {
            "id": kept.id,
            "project": "default",
            "kind": "decision",
            "text": "Use Postgres",
            "topic": "Store",
            "content_hash": "719617dc057ac3362975d60ce17a24c047c5758e3c0c30c2de3724daf8ef09de",
            "provenance": {"source": "user", "author": "default", "session": None, "turn": None, "uri": None},
            "trust": 1.0,
            "details": {"reasoning": "We know it"},
            "place": None,
            "occurred_at": "2026-08-30T00:00:00Z",
            "created_at": "2026-09-01T12:00:00Z",
            "retracted_at": None,
            "valid_from": "2026-08-30T00:00:00Z",
            "valid_until": None,
            "last_verified_at": None,
            "status": "active",
            "visibility": "shared",
            "tags": ["db"],
            "domains": [],
            "confidence": 1.0,
            "pinned": False,
            "group": None,
            "superseded": False,
            "superseded_by": None,
            "subject": None,
            "root_id": None,
            "referenced_at": None,
            "strength": None,
            "restatements": 0,
            "type": "unknown",
        }

    def test_a_memory_about_something_shows_what_that_is(self, memory: Trigraph) -> None:
        memory.remember("Ripgrep searches faster than grep", subject="ripgrep", type="tool")
        (kept,) = memory.list().memories
        shown = _plain(wire.to_json(kept))

        assert (shown["subject"]["name"], shown["subject"]["type"], shown["type"]) == ("ripgrep", "tool", "tool")
        assert list(shown["subject"]) == ["id", "name", "type"]
        assert shown["subject"]["id"].startswith("e_")

    def test_an_episode_shows_its_place(self, filled: Trigraph) -> None:
        (kept,) = filled.list(kinds=["episode"]).memories
        shown = _plain(wire.to_json(kept))

        assert shown["place"] == {
            "thread_id": shown["place"]["thread_id"],
            "seq": 0,
            "speaker": "Ana",
            "role": "user",
        }
        assert shown["place"]["thread_id"].startswith("t_")

    def test_a_report_counts_every_status(self, memory: Trigraph) -> None:
        shown = _plain(wire.to_json(memory.remember_batch(["Tea", "Tea", ""])))

        assert list(shown) == ["items", "thread_id", "degraded", "replayed", "jobs", "counts"]
        assert shown["replayed"] is False
        others = dict.fromkeys(("updated", "reinforced", "filtered", "quarantined", "conflict"), 0)
        assert shown["counts"] == {"added": 1, "duplicate": 1, "error": 1, **others}
        assert shown["items"][0] == {
            "status": "added",
            "id": shown["items"][1]["id"],
            "reason": None,
            "code": None,
            "conflicts": [],
        }
        assert shown["items"][2]["code"] == "invalid_input"

    def test_a_recall(self, filled: Trigraph) -> None:
        shown = _plain(wire.to_json(filled.recall("which store?")))

        assert list(shown) == [
            "id", "query", "hits", "legs", "plan", "milliseconds", "left_out", "event_written", "conflicts",
            "constraints", "constraints_left_out", "neighbours_left_out", "certainty", "nothing_found", "reranked",
            "degraded",
        ]  # fmt: skip
        assert (shown["left_out"], shown["event_written"], shown["degraded"]) == (0, True, False)
        assert shown["reranked"] is None
        assert list(shown["legs"][0]) == ["leg", "status", "count", "milliseconds", "reason", "truncated"]
        assert [leg["leg"] for leg in shown["legs"]] == ["vector", "lexical", "graph", "temporal"]
        assert shown["plan"]["weights"] == {"vector": 1.0, "lexical": 1.0, "graph": 8.0, "temporal": 1.0}
        assert shown["plan"]["fusion"] == "learned"

    def test_a_recall_that_explains_itself_tells_where_its_time_went(self, filled: Trigraph) -> None:
        answer = filled.recall("which store?", explain=True)
        shown = _plain(wire.to_json(answer))

        assert list(shown["stages"]) == [
            "planning", "lexical", "graph", "vector", "temporal", "rescoring", "adjusting", "beside", "rest", "event",
        ]  # fmt: skip
        assert "explained" not in shown
        assert sum(shown["stages"].values()) >= shown["milliseconds"] - 0.01

    def test_a_hit_is_flat_with_its_excerpt_as_text(self, memory: Trigraph) -> None:
        filler = "The committee met again and adjourned. " * 30
        memory.remember(f"{filler}\n\n## Harbour\n\nThe crane was sold.", kind="document")
        (hit,) = _plain(wire.to_json(memory.recall("crane")))["hits"]

        assert list(hit) == [*MEMORY_KEYS, "rank", "score", "why", "legs", "excerpt", "staleness", "outcomes",
                             "effective_confidence", "attached"]  # fmt: skip
        assert hit["text"] == "## Harbour\n\nThe crane was sold."
        assert hit["excerpt"] == {"start": 1172, "end": 1203}
        assert list(hit["legs"]["lexical"]) == ["raw", "rank", "normalised"]
        assert hit["staleness"] == {
            "age_days": 0.0,
            "last_verified_at": None,
            "superseded_by": None,
            "superseded": False,
            "temporal_score": 1.0,
            "document_superseded_by": None,
            "retention": 1.0,
        }
        assert hit["outcomes"] == []

    def test_a_page_stats_health_and_an_event(self, filled: Trigraph) -> None:
        event = filled.recall_event(filled.recall("which store?").id)
        page, stats, health = filled.list(limit=1), filled.stats(), filled.health()

        assert list(_plain(wire.to_json(page))) == ["memories", "next_cursor"]
        assert _plain(wire.to_json(stats))["by_kind"] == {"decision": 1, "episode": 1}
        shown = _plain(wire.to_json(health))
        assert shown["pinned_model"] == {"model_id": "granite-embedding-30m-english", "dimension": 384}
        assert (shown["ok"], shown["problems"]) == (True, [])
        shown = _plain(wire.to_json(event))
        assert shown["query_class"] == "other"
        assert set(shown["candidates"][0]) == {"memory_id", "ordinal", "brought_by", "scores", "likeness"}

    def test_what_happened(self, filled: Trigraph) -> None:
        filled.recall("which store?")
        told = [_plain(wire.to_json(one)) for one in iter(filled.events(after=BEGINNING).so_far, None)]
        *changes, recall = sorted(told, key=lambda one: str(one["event"]))

        assert [one["event"] for one in (*changes, recall)] == ["change", "change", "recall"]
        assert list(recall) == ["event", "what", "cursor"]
        assert (recall["what"]["query"], changes[0]["what"]["verb"]) == ("which store?", "remember")

    def test_times_are_written_in_utc(self) -> None:
        east = datetime(2026, 3, 14, 2, 0, 0, 5, tzinfo=timezone(timedelta(hours=2)))

        assert wire.to_json({"at": east, "none": None, "kind": Kind.FACT}) == {
            "at": "2026-03-14T00:00:00.000005Z",
            "none": None,
            "kind": "fact",
        }

    def test_errors(self) -> None:
        refused = InvalidInput("kind 'x' is not known.", field="kind", allowed=("fact",), fix="Valid: fact.")

        assert wire.error_json(refused) == {
            "code": "invalid_input",
            "message": "kind 'x' is not known.",
            "fix": "Valid: fact.",
            "field": "kind",
            "allowed": ["fact"],
        }
        assert wire.error_json(NotFound("Gone.")) == {"code": "not_found", "message": "Gone.", "fix": None}


class TestDrafts:
    def test_a_text_alone_is_a_shared_fact_of_the_user(self) -> None:
        assert wire.memory_draft({"text": "Tea"}) == MemoryDraft(
            "Tea", kind=Kind.FACT, visibility=Visibility.SHARED, source=Source.USER
        )

    def test_every_field_finds_its_place(self) -> None:
        draft = wire.memory_draft(
            {
                "text": "Use Postgres", "kind": "decision", "topic": "store", "tags": ["db"], "domains": "backend",
                "visibility": "private", "source": "agent", "session": "s", "turn": "t", "uri": "u",
                "occurred_at": "2026-01-01", "valid_from": "2026-01-02", "valid_until": "2026-01-03",
                "confidence": 1, "pinned": True, "reasoning": "We know it", "subject": "Postgres", "type": "tool",
            }
        )  # fmt: skip

        assert draft == MemoryDraft(
            text="Use Postgres",
            kind=Kind.DECISION,
            topic="store",
            tags=("db",),
            domains=("backend",),
            visibility=Visibility.PRIVATE,
            group=None,
            subject="Postgres",
            type=EntityType.TOOL,
            source=Source.AGENT,
            session="s",
            turn="t",
            uri="u",
            occurred_at=datetime(2026, 1, 1, tzinfo=UTC),
            valid_from=datetime(2026, 1, 2, tzinfo=UTC),
            valid_until=datetime(2026, 1, 3, tzinfo=UTC),
            confidence=1.0,
            pinned=True,
            details=DecisionDetails("We know it"),
        )

    def test_whoever_names_a_group_means_that_group(self) -> None:
        drafts = [
            wire.memory_draft({"text": "Tea", "group": "crew"}),
            wire.memory_draft({"text": "Tea", "group": "crew", "visibility": "group"}),
            wire.thread_draft({"messages": [], "group": "crew"}),
        ]

        assert [(draft.visibility, draft.group) for draft in drafts] == [(Visibility.GROUP, "crew")] * 3

    def test_a_null_is_as_good_as_nothing(self) -> None:
        nothing = dict.fromkeys(("kind", "topic", "tags", "occurred_at", "confidence", "pinned", "reasoning", "result"))

        assert wire.memory_draft({"text": "Tea", **nothing}) == MemoryDraft("Tea")

    def test_an_outcome_has_a_result_and_perhaps_a_reason(self) -> None:
        draft = wire.memory_draft({"text": "Moved", "kind": "outcome", "result": "FAILED", "reason": "No time"})

        assert draft.details == OutcomeDetails(OutcomeResult.FAILED, "No time")

    @pytest.mark.parametrize(
        ("values", "field", "said"),
        [
            ({"knid": "fact"}, "memory field", "Did you mean 'kind'?"),
            ({"zzz": 1}, "memory field", "Valid: confidence, derived_from, domains, group, kind, "),
            ({"type": "gadget"}, "type", "Valid: person, project, system, tool, concept, skill, task, "),
            ({"type": "persno"}, "type", "Did you mean 'person'?"),
            ({"group": 5}, "group", "must be a text"),
            ({"kind": "facts"}, "kind", "Did you mean 'fact'? Valid: episode, fact, preference, decision, "),
            ({"kind": ["fact"]}, "kind", "Valid: episode, fact"),
            ({"visibility": "public"}, "visibility", "Valid: private, group, shared."),
            ({"source": "usr"}, "source", "Did you mean 'user'?"),
            ({"result": "success"}, "result", "Valid: SUCCESS, FAILED, PARTIAL."),
            ({"reason": "No time"}, "reason", "reason belongs to a result."),
            ({"occurred_at": "2026-03-14T09:12:00"}, "occurred_at", "has no time zone"),
            ({"valid_until": "soon"}, "valid_until", "is not a time"),
            ({"confidence": "high"}, "confidence", "must be a number"),
            ({"confidence": True}, "confidence", "must be a number"),
            ({"pinned": 1}, "pinned", "must be true or false"),
            ({"tags": 5}, "tags", "must be a list of texts"),
        ],
        ids=str,
    )
    def test_a_mistake_is_named_with_what_would_be_right(self, values: dict[str, Any], field: str, said: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            wire.memory_draft({"text": "Tea", **values})
        assert refused.value.field == field
        assert said in str(refused.value)

    def test_a_bad_kind_lists_all_there_are(self) -> None:
        with pytest.raises(InvalidInput) as refused:
            wire.memory_draft({"text": "Tea", "kind": "rumour"})
        assert refused.value.allowed == (
            "episode", "fact", "preference", "decision", "checkpoint", "insight", "context", "constraint", "outcome",
            "skill", "document", "summary",
        )  # fmt: skip

    def test_a_bad_type_lists_all_there_are(self) -> None:
        with pytest.raises(InvalidInput) as refused:
            wire.memory_draft({"text": "Tea", "type": "gadget"})
        assert refused.value.allowed == (
            "person", "project", "system", "tool", "concept", "skill", "task", "organization", "location", "material",
            "vehicle", "document", "persona", "unknown",
        )  # fmt: skip

    @pytest.mark.parametrize("item", [5, None, ["Tea"], {"text": "Tea", "kind": "rumour"}], ids=str)
    def test_a_bad_item_of_a_batch_is_an_error_in_its_place(self, item: object) -> None:
        assert isinstance(wire.batch_item(item), InvalidInput)

    def test_an_item_of_a_batch_may_be_a_text_or_an_object(self) -> None:
        assert wire.batch_item("Tea") == MemoryDraft("Tea")
        assert wire.batch_item({"text": "Tea", "kind": "skill"}) == MemoryDraft("Tea", Kind.SKILL)


class TestThreads:
    def test_messages_are_read_in_order(self) -> None:
        draft = wire.thread_draft(
            {
                "messages": [
                    {"text": "Hi", "speaker": "Ana", "role": "user", "seq": 4, "occurred_at": "2026-01-01"},
                    {},
                ]
            }
        )

        assert draft.messages == (
            Message("Hi", "Ana", "user", datetime(2026, 1, 1, tzinfo=UTC), 4),
            Message(""),
        )
        assert (draft.name, draft.append, draft.visibility) == (None, False, Visibility.SHARED)

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({"messages": "Hi"}, "messages must be a list"),
            ({"messages": {"text": "Hi"}}, "messages must be a list"),
            ({"messages": 5}, "messages must be a list"),
            ({"messages": [], "nmae": "x"}, "Did you mean 'name'?"),
            ({"messages": [], "append": "yes"}, "append must be true or false"),
        ],
        ids=str,
    )
    def test_a_mistake_is_named(self, values: dict[str, Any], said: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            wire.thread_draft(values)
        assert said in str(refused.value)


class TestMessages:
    @pytest.mark.parametrize(
        ("message", "said"),
        [
            ("Hi", "Message 1 must be an object, not str"),
            ({"txt": "Hi"}, "message 1 field 'txt' is not known. Did you mean 'text'?"),
            ({"text": "Hi", "seq": True}, "seq must be a whole number"),
        ],
        ids=str,
    )
    def test_a_mistake_stands_in_the_place_of_its_message(self, message: object, said: str) -> None:
        draft = wire.thread_draft({"messages": [{"text": "Hi"}, message]})
        assert draft.messages[0] == Message("Hi")
        assert isinstance(draft.messages[1], InvalidInput)
        assert said in str(draft.messages[1])


class TestQueries:
    def test_what_is_left_of_the_arguments_is_a_filter(self) -> None:
        query = wire.recall_query(
            "tea", limit=3, budget_tokens=90, as_of="2026-01-01", session="s", fusion="rrf",
            kinds="fact", tags=["a", "b"], sources=["web"], created_after="2026-02-01", types=["tool", "skill"],
            entity="ripgrep", superseded=True,
        )  # fmt: skip

        assert (query.text, query.limit, query.budget_tokens, query.session) == ("tea", 3, 90, "s")
        assert (query.as_of, query.known_at) == (datetime(2026, 1, 1, tzinfo=UTC), None)
        assert query.fusion is Fusion.RRF
        assert (query.filter.kinds, query.filter.tags, query.filter.sources) == (
            (Kind.FACT,),
            ("a", "b"),
            (Source.WEB,),
        )
        assert query.filter.created_after == datetime(2026, 2, 1, tzinfo=UTC)
        assert query.filter.session is None
        assert (query.filter.types, query.filter.entity) == ((EntityType.TOOL, EntityType.SKILL), "ripgrep")
        assert query.superseded is True

    def test_a_query_leaves_to_its_class_whether_what_was_replaced_is_wanted(self) -> None:
        assert wire.recall_query("tea").superseded is None
        assert wire.recall_query("tea", superseded=False).superseded is False

    def test_a_listing_is_of_what_is_active_unless_another_status_is_asked_for(self) -> None:
        assert wire.listing_filter().status is Status.ACTIVE
        assert wire.listing_filter(status="forgotten").status is Status.FORGOTTEN

    @pytest.mark.parametrize(
        ("asked", "field"),
        [
            ({"kinds": ["rumour"]}, "kind"),
            ({"sources": ["rumour"]}, "source"),
            ({"types": ["rumour"]}, "type"),
            ({"status": "archived"}, "recall field"),
            ({"superseded": "yes"}, "superseded"),
            ({"fusion": "sum"}, "fusion"),
            ({"as_of": "2026-03-14T09:00"}, "as_of"),
            ({"occurred_before": 5}, "occurred_before"),
            ({"kinds": 5}, "kinds"),
        ],
        ids=str,
    )
    def test_a_mistake_is_named(self, asked: dict[str, Any], field: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            wire.recall_query("tea", **asked)
        assert refused.value.field == field


class TestRevisions:
    def test_what_is_left_out_is_as_it_was(self) -> None:
        assert wire.revision("Tea", {"tags": None, "topic": None}) == Revision("Tea")
        assert wire.revision("Tea", {"tags": []}).tags == ()

    def test_every_field_finds_its_place(self) -> None:
        revision = wire.revision(
            "Use Postgres",
            {
                "topic": "store", "tags": "db", "domains": ["backend"], "source": "agent", "session": "s", "turn": "t",
                "uri": "u", "confidence": 1, "reasoning": "We know it", "valid_from": "2026-01-02", "reason": "It grew",
            },
        )  # fmt: skip

        assert revision == Revision(
            text="Use Postgres",
            topic="store",
            tags=("db",),
            domains=("backend",),
            source=Source.AGENT,
            session="s",
            turn="t",
            uri="u",
            confidence=1.0,
            details=DecisionDetails("We know it"),
            valid_from=datetime(2026, 1, 2, tzinfo=UTC),
            reason="It grew",
        )

    @pytest.mark.parametrize(
        ("text", "values", "field"),
        [
            (" \n", {}, "text"),
            (5, {}, "text"),
            ("Tea", {"kind": "fact"}, "revision field"),
            ("Tea", {"valid_from": "soon"}, "valid_from"),
            ("Tea", {"source": "me"}, "source"),
            ("Tea", {"reasoning": 5}, "reasoning"),
        ],
        ids=str,
    )
    def test_a_mistake_is_named(self, text: object, values: dict[str, Any], field: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            wire.revision(text, values)
        assert refused.value.field == field


class TestUses:
    def test_one_or_several(self) -> None:
        assert wire.uses("m_1") == (Use("m_1", CitationKind.CITED),)
        assert wire.uses("m_1", "dismissed", "off topic") == (Use("m_1", CitationKind.DISMISSED, "off topic"),)
        assert wire.uses(items=[{"id": "m_1"}, {"id": "m_2", "kind": "saved_rework"}]) == (
            Use("m_1", CitationKind.CITED),
            Use("m_2", CitationKind.SAVED_REWORK),
        )

    @pytest.mark.parametrize(
        ("memory", "kind", "items", "field"),
        [
            (None, "cited", None, "items"),
            ("m_1", "cited", [{"id": "m_1"}], "items"),
            ("m_1", "liked", None, "kind"),
            (None, "cited", ["m_1"], "items"),
            (None, "cited", [{"kind": "cited"}], "id"),
            (None, "cited", [{"id": "m_1", "note": "x"}], "citation field"),
        ],
        ids=str,
    )
    def test_a_mistake_is_named(self, memory: str | None, kind: str, items: Any, field: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            wire.uses(memory, kind, None, items)
        assert refused.value.field == field


class TestValues:
    @pytest.mark.parametrize(
        ("given", "read"),
        [
            ((None, None), (Visibility.SHARED, None)),
            ((None, "crew"), (Visibility.GROUP, "crew")),
            (("private", None), (Visibility.PRIVATE, None)),
        ],
        ids=str,
    )
    def test_an_audience(self, given: tuple[Any, Any], read: tuple[Visibility, str | None]) -> None:
        assert wire.audience(*given) == read

    def test_texts_by_name(self) -> None:
        assert wire.text_map(None, "props") == {}
        assert wire.text_map({"tone": "dry"}, "props") == {"tone": "dry"}
        for wrong in (["tone"], {"tone": 5}, {5: "tone"}):
            with pytest.raises(InvalidInput) as refused:
                wire.text_map(wrong, "props")
            assert refused.value.field == "props"


class TestFiles:
    def test_json_lines_are_read_and_blank_ones_skipped(self) -> None:
        assert wire.read_json_lines('{"a": 1}\n\n  \n"b"\r\n[2]', "notes") == [{"a": 1}, "b", [2]]

    @pytest.mark.parametrize("inside", ["\u2028", "\u2029", "\x85"], ids=ascii)
    def test_only_a_newline_ends_a_line(self, inside: str) -> None:
        assert wire.read_json_lines(f'"one{inside}text"\n2', "notes") == [f"one{inside}text", 2]

    def test_a_broken_line_is_named_by_its_number(self) -> None:
        with pytest.raises(BrokenFile, match="notes, line 3 is not JSON"):
            wire.read_json_lines('{"a": 1}\n\n{"a": \n', "notes")

    @pytest.mark.parametrize("text", ["", "{", "[" * 100_000], ids=["empty", "open", "deep"])
    def test_what_is_not_json_is_an_error_and_no_crash(self, text: str) -> None:
        with pytest.raises(BrokenFile, match="notes is not JSON") as failed:
            wire.read_json(text, "notes")
        assert failed.value.code == "broken_file"


def _plain(shown: Any) -> Any:
    """The same value, having been through strict JSON and back: nothing in it is ours, and no number is NaN."""
    again = json.loads(json.dumps(shown, allow_nan=False))
    assert again == shown
    return again
