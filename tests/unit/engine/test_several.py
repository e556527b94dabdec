"""A verb over several memories: with all of them, or with none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from trigraph.assembly import open_engine
from trigraph.errors import Conflict, Forbidden, InvalidInput, NotFound, TrigraphError
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.change import Changed, MemoryHistory, Verb
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

UNKNOWN = "m_00000000000000000000000000"
Do = Callable[[Trigraph, list[str]], Changed]
VERBS: dict[str, Do] = {
    "forget": lambda memory, ids: memory.forget(*ids),
    "archive": lambda memory, ids: memory.archive(ids[0], others=ids[1:], reason="It is over"),
    "restore": lambda memory, ids: memory.restore(ids[0], others=ids[1:]),
    "reverify": lambda memory, ids: memory.reverify(ids[0], others=ids[1:]),
    "share": lambda memory, ids: memory.share(ids[0], others=ids[1:]),
}


@pytest.fixture
def memory(clock: SettableClock) -> Iterator[Trigraph]:
    settings = Settings(embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings, in_memory=True, clock=clock), LOCAL_SCOPE) as opened:
        yield opened


@pytest.fixture
def bob(memory: Trigraph) -> Trigraph:
    memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    return Trigraph(memory.engine, Scope("default", "default", "bob"))


def _kept(memory: Trigraph, verb: str) -> list[str]:
    """Five memories that a verb can be done with."""
    texts = [f"Crane {number} stands at the quay" for number in range(5)]
    ids = [str(memory.remember(text, visibility="private").id) for text in texts]
    if verb == "restore":
        memory.forget(*ids)
    return ids


def _versions(memory: Trigraph, ids: list[str]) -> list[list[object]]:
    """What is known of each, step by step."""
    told = [memory.history(id_) for id_ in ids]
    return [list(one.steps) for one in told if isinstance(one, MemoryHistory)]


@pytest.mark.parametrize("verb", VERBS)
def test_all_are_changed_in_their_order(memory: Trigraph, verb: str) -> None:
    ids = _kept(memory, verb)
    changed = VERBS[verb](memory, [*ids, ids[0]])

    assert (changed.verb, changed.ids) == (Verb(verb), tuple(ids))
    assert [len(steps) for steps in _versions(memory, ids)] == [3 if verb == "restore" else 2] * 5


@pytest.mark.parametrize("verb", VERBS)
def test_an_unknown_one_in_the_middle_leaves_all_as_they_were(memory: Trigraph, verb: str) -> None:
    ids = _kept(memory, verb)
    before = _versions(memory, ids)

    with pytest.raises(NotFound, match=UNKNOWN) as refused:
        VERBS[verb](memory, [*ids[:2], UNKNOWN, *ids[2:]])
    assert "Nothing was done with any of them." in str(refused.value)
    assert _versions(memory, ids) == before


@pytest.mark.parametrize(("verb", "error"), [(verb, NotFound) for verb in VERBS])
def test_what_is_private_to_another_is_as_unknown(
    memory: Trigraph, bob: Trigraph, verb: str, error: type[TrigraphError]
) -> None:
    ids, foreign = _kept(memory, verb), str(bob.remember("Bob hides a key", visibility="private").id)
    before = _versions(memory, ids)

    with pytest.raises(error, match=foreign):
        VERBS[verb](memory, [*ids[:2], foreign, *ids[2:]])
    assert (_versions(memory, ids), bob.get(foreign).text) == (before, "Bob hides a key")


def test_one_that_another_wrote_is_not_shared_and_none_is(memory: Trigraph, bob: Trigraph) -> None:
    ids, foreign = _kept(memory, "share"), str(bob.remember("The gate is shut").id)
    with pytest.raises(Forbidden):
        VERBS["share"](memory, [*ids[:2], foreign, *ids[2:]])
    assert [memory.get(id_).visibility.value for id_ in ids] == ["private"] * 5


def test_one_that_stands_otherwise_leaves_all_as_they_were(memory: Trigraph) -> None:
    ids = _kept(memory, "archive")
    memory.archive(ids[2])
    with pytest.raises(Conflict, match=ids[2]):
        VERBS["archive"](memory, ids)
    assert {one.id for one in memory.list().memories} == {*ids} - {ids[2]}


def test_a_key_is_for_all_of_them(memory: Trigraph) -> None:
    first, *others = _kept(memory, "reverify")
    changed = memory.reverify(first, others=others, idempotency_key="once")
    again = memory.reverify(first, others=others, idempotency_key="once")

    assert (again.ids, again.at, again.replayed) == (changed.ids, changed.at, True)
    with pytest.raises(Conflict):
        memory.reverify(first, others=others[:1], idempotency_key="once")


def test_too_many_at_once_are_refused(memory: Trigraph) -> None:
    with pytest.raises(InvalidInput, match="501 memories at once"):
        memory.archive(UNKNOWN, others=[UNKNOWN] * 500)


def test_entities_are_archived_one_by_one(memory: Trigraph) -> None:
    memory.remember("Valkey keeps sessions", subject="Valkey", type="tool")
    first, *_ = _kept(memory, "archive")
    with pytest.raises(InvalidInput, match="'Valkey' is not an id"):
        memory.archive(first, others=["Valkey"])
