"""A tenant's answers are the same, to the last byte and score, whatever another tenant keeps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from http_api import served
from mcp_clients import MODERN, RawHttp
from trigraph.contracts import Store
from trigraph.faces.library import Trigraph
from trigraph.model.scope import Scope
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.builders import new_memory, unit_vectors

OTHERS = 10_000
A_TIME = 500
ELSEWHERE = Scope("elsewhere", "default", "anna")
NOTES = (
    "The gate of the tower opens at nine.",
    "The heron nests on the pier.",
    "We chose Postgres because its failover is boring.",
    "Rate limits are five hundred requests a minute.",
    "The pier was painted teal in March 2025.",
    "Ana likes green tea, not coffee.",
)
QUERIES = ("when does the gate open?", "heron", "why Postgres?", "what was painted in March 2025?", "tea or coffee?")
TALK = ("Which paint?", "Teal, for the pier.", "And the tower?", "Later.")


def asked(client: httpx.Client) -> Iterator[bytes]:
    """What the API and the tools say to one of the tenant, without the names and times of the recalls themselves."""
    raw = RawHttp(str(client.base_url).rstrip("/"), MODERN)
    for query in QUERIES:
        answer = client.post("/v1/recall", json={"query": query, "explain": True, "neighbours": 2, "threads": 5})
        assert answer.status_code == 200, answer.text
        told = answer.json()
        assert told["hits"]
        for name in ("milliseconds", "stages"):
            told.pop(name)
        for leg in told["legs"]:
            leg.pop("milliseconds")
        yield httpx.Request("POST", "/", json=told).read().replace(told["id"].encode(), b"")
        called = raw.post("tools/call", name="recall", arguments={"query": query}).json()["result"]
        recall_id = called["structuredContent"]["recall_id"]
        yield httpx.Request("POST", "/", json=called).read().replace(recall_id.encode(), b"")
    for path in ("/v1/memories?limit=100", "/v1/entities?limit=100", "/v1/entities/Ana/history"):
        yield client.get(path).content


@pytest.mark.req("S6")
def test_another_tenants_memories_change_nothing(memory: Trigraph, home: Path) -> None:
    for note in NOTES:
        memory.remember(note)
    memory.remember_thread([{"speaker": "Ana", "text": text} for text in TALK], name="paint")
    memory.remember("Ana sails", subject="Ana", type="person")
    memory.admin.add_tenant(ELSEWHERE.tenant)
    other = Trigraph(memory.engine, ELSEWHERE)
    other.remember("A first one, for the model")  # says which model the vectors below are of
    with served(memory) as client:
        list(asked(client))  # from the second search on, passages are weighed by other means
        before = list(asked(client))
        with closing(SqliteStore(home)) as store:
            _crowd(store, other.engine.now(ELSEWHERE))
        assert other.stats().memories == OTHERS + 1
        assert list(asked(client)) == before


def _crowd(store: Store, now: datetime) -> None:
    """Memories of the very words that are asked for, straight into the other tenant's store."""
    chance = random.Random(7)
    words = sorted({word.strip("?.,").lower() for text in (*NOTES, *QUERIES) for word in text.split()})
    pinned = store.space.pinned(ELSEWHERE)
    assert pinned is not None
    for start in range(0, OTHERS, A_TIME):
        vectors = unit_vectors(A_TIME, pinned.dimension, seed=start)
        with store.transaction(ELSEWHERE, now) as at:
            for number in range(A_TIME):
                text = f"{start + number} " + " ".join(chance.choices(words, k=8))
                store.memories.add(ELSEWHERE, new_memory(ELSEWHERE, text, at=at, vectors=vectors[number : number + 1]))
