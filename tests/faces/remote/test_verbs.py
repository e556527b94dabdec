"""Every verb that a server offers is called through both clients, and answers as the library does."""

from __future__ import annotations

import inspect
from dataclasses import replace
from operator import attrgetter
from typing import Any, get_args, get_type_hints

import pytest

import trigraph
from http_api import ASKED, World
from one_life import plain
from trigraph.errors import InvalidInput, NotFound, StoreClosed
from trigraph.faces import wire
from trigraph.faces.http.routes import NOT_HERE, ROUTES
from trigraph.faces.http.table import Route, function_of, path_names
from trigraph.faces.library import Trigraph
from trigraph.faces.remote.client import AsyncRemoteTrigraph, RemoteDocs, RemoteTrigraph
from trigraph.model.change import MemoryHistory
from trigraph.model.frontier import Bounty, Frontier
from trigraph.model.insight import Insight
from trigraph.model.neighbourhood import Neighbourhood
from trigraph.model.query import Profile
from trigraph.model.recall import Recall

READS = [route for route in ROUTES if route.method == "GET"]


def called_with(route: Route, world: World) -> tuple[list[str], dict[str, Any]]:
    """What the verb of a route takes to do what a request of that route asks for."""
    ask = ASKED[route.key](world)
    named = {path_names(route)[name]: value for name, value in ask.path.items()}
    given = {**named, **ask.given}
    if route.verb == "forget":
        return given.pop("ids", None) or [given.pop("id")], given
    return [], given


@pytest.mark.parametrize("route", ROUTES, ids=[route.key for route in ROUTES])
def test_a_verb_answers_a_value_of_its_own_kind(route: Route, remote: Any, world: World) -> None:
    args, kwargs = called_with(route, world)
    answer = attrgetter(route.verb)(remote)(*args, **kwargs)

    kind = get_type_hints(function_of(route.verb))["return"]
    kinds = get_args(kind) if get_args(kind) and not getattr(kind, "__origin__", None) else (kind,)
    assert isinstance(answer, tuple(getattr(one, "__origin__", one) for one in kinds))
    assert wire.from_json(kind, wire.to_json(answer)) == answer or route.verb == "recall"


@pytest.mark.parametrize("route", READS, ids=[route.key for route in READS])
def test_what_is_read_is_what_the_library_reads(route: Route, remote: Any, library: Trigraph, world: World) -> None:
    args, kwargs = called_with(route, world)
    theirs = attrgetter(route.verb)(remote)(*args, **kwargs)
    ours = attrgetter(route.verb)(library)(*args, **kwargs)

    if isinstance(theirs, Insight | Frontier | Bounty | Neighbourhood):  # they say when they were asked
        moments = {name: getattr(theirs, name) for name in ("at", "as_of", "known_at") if hasattr(theirs, name)}
        ours = replace(ours, **moments)
    assert plain(wire.to_json(theirs)) == plain(wire.to_json(ours))
    if route.verb not in ("access", "health", "stats", "recall_event"):  # what is measured as time goes by
        assert theirs == ours


def test_many_memories_go_some_at_a_time(remote: Any, world: World) -> None:
    told: list[int] = []
    items = (world.text() if number != 300 else 5 for number in range(301))
    report = remote.remember_batch(items, progress=told.append)

    assert told == [256, 45]
    assert [item.status.value for item in report.items[:300]] == ["added"] * 300
    assert report.items[300].code == "invalid_input"


def test_a_hit_of_a_long_memory_has_all_of_its_text(remote: Any, library: Trigraph, world: World) -> None:
    word = f"zebra{'abcdefghij'[len(library.list(tags=['long']).memories)]}"
    text = "\n\n".join(f"{world.text(word)}. " + "The tide went out and came back. " * 40 for _ in range(4))
    id_ = library.remember(text, tags=["long"]).id
    theirs, ours = (one.recall(word, limit=1).hits[0] for one in (remote, library))

    assert theirs.memory == ours.memory
    assert (theirs.memory.id, theirs.memory.text) == (id_, library.get(str(id_)).text)
    assert theirs.excerpt == ours.excerpt
    assert len(theirs.excerpt.text) < len(theirs.memory.text)


def test_an_explained_recall_is_whole(remote: Any, world: World) -> None:
    assert world.memory
    answer = remote.recall("harbour gate", explain=True, neighbours=1)

    assert answer.explained
    assert answer.stages
    assert answer.hits[0].features
    assert wire.from_json(Recall, wire.to_json(answer)).plan == answer.plan


def test_what_a_step_changed_is_what_it_was(remote: Any, library: Trigraph, world: World) -> None:
    id_ = world.memory
    library.forget(id_)
    changed = remote.history(id_).steps[-1].changed
    ours = library.history(id_)

    assert isinstance(ours, MemoryHistory)
    assert changed == ours.steps[-1].changed
    assert changed["retracted_at"][1].tzinfo is not None


def test_a_field_that_is_none_is_left_as_it_was(remote: Any, library: Trigraph, world: World) -> None:
    id_ = str(library.remember(world.text(), tags=["kept"]).id)
    made = remote.correct(id_, world.text("is mended"), tags=None, topic=None)

    assert library.get(made.id).tags == ("kept",)


@pytest.mark.parametrize(
    "name", ["a/b c", "Discount %20 Desk", "Zoë & Söhne #1", "x/history/y", "http://quay.example/a"]
)
def test_names_of_any_sort_reach_the_server(name: str, remote: Any, library: Trigraph, world: World) -> None:
    library.remember(f"It is called {world.text()}", subject=name, type="concept")
    found = library.entity(name)

    assert remote.entity(name) == found
    assert remote.history(name).entity == found
    assert remote.entity(found.id) == found


@pytest.mark.parametrize("name", [".", "..", "../stats", "?", "#", "half \ud800 a character"])
def test_what_no_name_is_stays_within_its_place(name: str, remote: Any, library: Trigraph) -> None:
    for memory in (remote, library):
        with pytest.raises((NotFound, InvalidInput)):
            memory.entity(name)


def test_a_name_that_would_be_read_as_another_is_refused(remote: Any) -> None:
    with pytest.raises(InvalidInput, match="Give its id"):
        remote.entity("a/history")
    with pytest.raises(InvalidInput, match="is not an id"):
        remote.get("a/b")


def test_several_memories_are_changed_together_or_not_at_all(remote: Any, library: Trigraph) -> None:
    texts = ("A heron sits on one leg", "An otter cracks a mussel", "A gull steals a chip")
    first, *others = (str(library.remember(text, visibility="private").id) for text in texts)
    with pytest.raises(NotFound, match="Nothing was done with any of them"):
        remote.share(first, others=[*others, "m_" + "7" * 26])
    assert {library.get(id_).visibility.value for id_ in (first, *others)} == {"private"}
    for verb in ("share", "reverify", "archive", "restore"):
        assert getattr(remote, verb)(first, others=others).ids == (first, *others)


def test_a_recall_event_that_is_not_there_is_none(remote: Any, library: Trigraph) -> None:
    nobody = "r_" + "7" * 26
    assert remote.recall_event(nobody) is library.recall_event(nobody) is None
    with pytest.raises(NotFound):
        remote.get("m_" + "7" * 26)


def test_a_profile_of_ones_own_is_not_sent(remote: Any) -> None:
    with pytest.raises(InvalidInput) as failed:
        remote.recall("x", profile=Profile("mine", {}))
    assert failed.value.field == "profile"


@pytest.mark.parametrize("key", ["run-7", 'a "quoted" \\ key', "Ärger 100 %"])
def test_a_key_of_the_callers_own_is_the_key(key: str, remote: Any, world: World) -> None:
    text, key = world.text(), f"{key} {world.text()}"
    first, again = (remote.remember(text, idempotency_key=key) for _ in range(2))

    assert (first.replayed, again.replayed, again.id) == (False, True, first.id)
    with pytest.raises(trigraph.KeyReused):
        remote.remember(world.text(), idempotency_key=key)


def test_the_clients_have_the_verbs_of_the_library_and_no_other() -> None:
    offered = {name for name in dir(RemoteTrigraph) if not name.startswith("_")}
    library = {name for name in dir(Trigraph) if not name.startswith("_")}

    assert offered - library == {"server_version"}
    assert library - offered == {name for name in NOT_HERE if "." not in name and name != "close"}
    assert offered == {name for name in dir(AsyncRemoteTrigraph) if not name.startswith("_")}
    assert {name for name in dir(RemoteDocs) if not name.startswith("_")} == {"get", "list", "put", "status"}
    for name in (offered & library) - {"docs", "close"}:
        method, own = getattr(RemoteTrigraph, name), getattr(Trigraph, name)
        assert inspect.signature(method) == inspect.signature(own), name
        assert method.__doc__ == own.__doc__


def test_what_a_server_does_not_offer_says_why(url: str) -> None:
    with trigraph.connect(url) as memory:
        with pytest.raises(AttributeError, match=r"does not offer export \(it writes a file"):
            memory.export("x")  # type: ignore[attr-defined]
        with pytest.raises(AttributeError, match=r"does not offer docs\.add"):
            memory.docs.add("x")  # type: ignore[attr-defined]
        with pytest.raises(AttributeError, match="has no attribute 'rememberr'"):
            memory.rememberr("x")  # type: ignore[attr-defined]
        with pytest.raises(TypeError, match="missing a required argument: 'text'"):
            memory.remember()  # type: ignore[call-arg]
    with pytest.raises(StoreClosed):
        memory.stats()
