"""What happens is heard through both clients, and a stream that was cut off is taken up where it was."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

import trigraph
from http_api import World, opened, served
from other_server import Answer, other, problem
from trigraph.faces.library import Trigraph
from trigraph.model.access import Right
from trigraph.model.change import MemoryVersion
from trigraph.model.tail import Happened, RecallMade
from trigraph.settings import ServerSettings


def heard(one: Happened) -> str:
    return one.what.memory_id if isinstance(one.what, MemoryVersion) else one.what.recall_id


def test_changes_and_recalls_are_heard(url: str, library: Trigraph, world: World) -> None:
    with trigraph.connect(url) as memory, memory.events() as stream:
        id_ = world.memory
        recall = library.recall("harbour").id
        first, second = next(stream), next(stream)

    assert (heard(first), heard(second)) == (id_, recall)
    assert isinstance(first.what, MemoryVersion)
    assert first.what.verb == "remember"
    assert isinstance(second.what, RecallMade)
    assert second.what.query == "harbour"


def test_a_stream_begins_after_a_cursor(url: str, world: World) -> None:
    with trigraph.connect(url) as memory:
        with memory.events() as stream:
            assert world.memory
            left_at = next(stream).cursor
        missed = world.memory
        for one in memory.events(after=left_at):
            assert heard(one) == missed
            break


def test_they_are_heard_by_one_that_awaits(url: str, world: World) -> None:
    async def listen() -> list[str]:
        async with trigraph.connect_async(url) as memory, memory.events() as stream:
            made = [str((await memory.remember(world.text())).id) for _ in range(2)]
            found = [heard(await anext(stream)), heard(await anext(stream))]
        assert found == made
        return found

    assert len(asyncio.run(listen())) == 2


def told(*events: tuple[str, str]) -> Answer:
    """A stream that ends: recalls by their ids and cursors."""
    lines = ["retry: 10", "event: ready", "id: start", "data: {}", ""]
    for recall, cursor in events:
        what = {"recall_id": recall, "at": "2026-09-01T12:00:00Z", "session": None, "query": "tide",
                "query_class": "other", "result_ids": ["m_1"], "milliseconds": 2.5}  # fmt: skip
        lines += ["event: recall", f"id: {cursor}", f"data: {json.dumps(what)}", ""]
    return 200, {"Content-Type": "text/event-stream"}, "\n".join([*lines, ""]).encode()


def test_a_stream_that_was_cut_off_goes_on_where_it_was() -> None:
    streams = (told(("r_1", "a"), ("r_2", "b")), None, problem(503, "overloaded"), told(("r_3", "c")))
    with other(*streams) as server, trigraph.connect(server.url) as memory, memory.events(after="z") as stream:
        found = [next(stream) for _ in range(3)]
        asked = [headers.get("last-event-id") for _, headers, _ in server.asked[1:]]

    assert [(heard(one), one.cursor) for one in found] == [("r_1", "a"), ("r_2", "b"), ("r_3", "c")]
    assert asked == ["z", "b", "b", "b"]


def test_one_that_awaits_takes_it_up_too() -> None:
    async def listen(url: str) -> list[str]:
        async with trigraph.connect_async(url) as memory, memory.events() as stream:
            return [heard(await anext(stream)) for _ in range(2)]

    with other(told(("r_1", "a")), None, told(("r_2", "b"))) as server:
        assert asyncio.run(listen(server.url)) == ["r_1", "r_2"]
        assert [headers.get("last-event-id") for _, headers, _ in server.asked[1:]] == [None, "a", "a"]


def test_a_stream_that_may_not_be_heard_says_why(url: str, library: Trigraph, world: World) -> None:
    issued = library.admin.issue_token("default", "default", "default", "listener", [Right.READ])
    with trigraph.connect(url, token=issued.secret) as memory, memory.events() as stream:
        assert world.memory
        next(stream)
        library.admin.revoke_token("default", "default", issued.token.id)
        with pytest.raises(trigraph.Unauthenticated):
            next(stream)


def test_too_many_streams_are_told_as_such(tmp_path: Path) -> None:
    with (
        opened(tmp_path) as library,
        served(library, ServerSettings(most_streams=1)) as client,
        trigraph.connect(str(client.base_url), retries=0) as memory,
        memory.events(),
    ):
        with pytest.raises(trigraph.ServerError) as failed, memory.events():
            pass
        assert failed.value.code == "overloaded"
