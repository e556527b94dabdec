"""When a request is sent again, and after how long: no server is needed to tell that."""

from __future__ import annotations

import json

import pytest

from trigraph.errors import Incompatible, Unreachable
from trigraph.faces.remote.asking import LONGEST_PAUSE_SECONDS, NoReply, Patience, Pause, Reply, Request, answered
from trigraph.faces.remote.events import Listener
from trigraph.faces.remote.requests import is_keyed, request_of, route_of
from trigraph.faces.remote.verbs import DocumentVerbs, Verbs
from trigraph.model.access import Right

READ = Request("GET", "/v1/stats")
WRITE = Request("POST", "/v1/erase", repeatable=False)
SURE = Patience(retries=3, first_pause_seconds=1.0, chance=lambda: 1.0)


def refused(status: int, code: str | None, retry_after: str | None = "2") -> Reply:
    """An answer of the server, or (without a code) of what stands before it."""
    body = b"<html>" if code is None else json.dumps({"code": code, "detail": "No."}).encode()
    return Reply(status, {} if retry_after is None else {"retry-after": retry_after}, body)


@pytest.mark.parametrize(
    ("told", "read", "write"),
    [
        (Reply(200, {}), False, False),
        (refused(404, "not_found"), False, False),
        (refused(500, "internal"), False, False),
        (refused(429, "rate_limited"), True, True),
        (refused(503, "overloaded"), True, True),
        (refused(503, "store_busy"), True, False),
        (refused(503, "model_unavailable", None), False, False),
        (refused(502, None, None), True, False),
        (refused(429, None, None), True, True),
        (refused(503, "overloaded", "86400"), False, False),
        (NoReply("refused", sent=False), True, True),
        (NoReply("cut off", sent=True), True, False),
        (NoReply("self-signed", sent=False, untrusted=True), False, False),
    ],
)
def test_only_what_may_pass_and_does_no_harm_is_sent_again(told: Reply | NoReply, read: bool, write: bool) -> None:
    assert (SURE.pause(0, READ, told) is not None, SURE.pause(0, WRITE, told) is not None) == (read, write)
    assert SURE.pause(3, READ, told) is None


def test_pauses_grow_up_to_a_limit_unless_the_server_says_how_long() -> None:
    cut = NoReply("cut off", sent=True)
    patience = Patience(retries=100, first_pause_seconds=1.0, chance=lambda: 1.0)

    assert [patience.pause(attempt, READ, cut) for attempt in (0, 1, 2, 50)] == [1, 2, 4, LONGEST_PAUSE_SECONDS]
    assert patience.pause(0, READ, refused(503, "overloaded", "7")) == 7.5
    hasty = Patience(retries=100, first_pause_seconds=1.0, chance=lambda: 0.0)
    assert hasty.pause(0, READ, cut) == 0.5
    assert hasty.pause(0, READ, refused(503, "overloaded", "7")) == 7


def test_a_request_is_given_up_in_the_end() -> None:
    flow = answered(WRITE, SURE, "http://quay.example")
    assert next(flow) is WRITE
    assert flow.send(NoReply("refused", sent=False)) == Pause(1.0)
    assert flow.send(None) is WRITE
    with pytest.raises(Unreachable, match=r"quay.example does not answer \(cut off\). It may have been done"):
        flow.send(NoReply("cut off", sent=True))


def test_a_certificate_that_is_not_trusted_is_told_as_such() -> None:
    flow = answered(READ, SURE, "https://quay.example")
    next(flow)
    with pytest.raises(Unreachable, match=r"certificate of https://quay.example is not trusted .* tls="):
        flow.send(NoReply("self-signed", sent=False, untrusted=True))


def test_every_verb_goes_by_one_route_and_writes_that_have_a_key_can_be_repeated() -> None:
    verbs = [name for name in vars(Verbs) if not name.startswith("_")]
    verbs += [f"docs.{name}" for name in vars(DocumentVerbs) if not name.startswith("_")]
    assert len(verbs) > 60
    unkeyed = {verb for verb in verbs if not is_keyed(verb) and route_of(verb).right is not Right.READ}

    assert unkeyed == {
        "remember_batch", "erase", "find_pairs", "held_back", "fixup_memory_graph", "prune", "retry",
        "scorer_train", "scorer_off", "scorer_on", "drop_recalls", "project_insight", "project_recalls",
    }  # fmt: skip
    assert request_of("remember", {"text": "x"}, "k").repeatable
    assert not request_of("erase", {"id": "x"}).repeatable
    assert request_of("recall", {"query": "x"}).repeatable


def test_arguments_stand_where_the_table_has_them() -> None:
    asked = request_of("list", {"kinds": iter(["fact", "decision"]), "limit": 2, "cursor": None, "topic": "a b&c"})
    assert (asked.method, asked.path) == ("GET", "/v1/memories?kinds=fact&kinds=decision&limit=2&topic=a+b%26c")
    made = request_of("link", {"from_id": "m_1", "to_id": "m_2", "confidence": 0.5, "reason": None}, "k")
    assert (made.method, made.path) == ("POST", "/v1/memories/m_1/links")
    assert json.loads(made.body or b"") == {"to_id": "m_2", "confidence": 0.5}
    assert made.headers["Idempotency-Key"] == '"k"'


def test_a_stream_is_read_line_by_line() -> None:
    listener = Listener(None)
    recall: dict[str, object] = {
        "recall_id": "r_1", "at": "2026-09-01T12:00:00Z", "session": None, "query": "q", "query_class": "other",
        "result_ids": [], "milliseconds": 1.5,
    }  # fmt: skip
    lines = ["retry: 50", "event: ready", "id: a", "data: {}", "", ": still here", "", "event: news", "id: b", ""]
    assert [listener.hear(line) for line in lines] == [None] * len(lines)
    assert listener.pause_seconds == 0.05
    assert listener.request().headers["Last-Event-ID"] == "b"
    found = [listener.hear(line) for line in ("event: recall", "id: c", f"data: {json.dumps(recall)}", "")][-1]
    assert found is not None
    assert (found.cursor, found.what.session) == ("c", None)  # type: ignore[union-attr]
    with pytest.raises(Incompatible):
        [listener.hear(line) for line in ("event: change", "id: d", "data: {", "")]
