"""compose, label, and reading the ledger."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from trigraph.assembly import open_engine
from trigraph.errors import InvalidInput, KeyReused, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.composition import OutcomeLabel, Role
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

WEB = "The vendor lists the relay pump at 40 bar in its data sheet of May."
WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"))


@pytest.fixture
def memory() -> Iterator[Trigraph]:
    with Trigraph(open_engine(WITHOUT_MODEL, in_memory=True), LOCAL_SCOPE) as opened:
        yield opened


@pytest.fixture
def bob(memory: Trigraph) -> Trigraph:
    """Another agent of the project, that reads what is shared."""
    memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    return Trigraph(memory.engine, Scope("default", "default", "bob"))


def kept(memory: Trigraph, text: str, **fields: object) -> str:
    made = memory.remember(text, **fields).id
    assert made is not None
    return made


@pytest.mark.req("C1")
class TestCompose:
    def test_members_are_copied_as_they_were(self, memory: Trigraph) -> None:
        one, other = kept(memory, "The oracle lags", tags=["oracle"]), kept(memory, "The queue drains slowly")
        made = memory.compose(
            [one, {"id": other[-8:], "role": "contradicting"}], query="What if both?", output="A lot."
        )
        event = memory.composition(made.id)
        assert [(m.memory_id, m.role, m.rank, m.tags, m.text) for m in event.members] == [
            (one, Role.PRIMARY, 1, ("oracle",), "The oracle lags"),
            (other, Role.CONTRADICTING, 2, (), "The queue drains slowly"),
        ]
        assert (event.query, event.output_preview, event.author) == ("What if both?", "A lot.", "default")

    def test_the_same_question_has_the_same_hash_however_it_is_written(self, memory: Trigraph) -> None:
        one = kept(memory, "The oracle lags")
        hashes = {
            memory.composition(memory.compose([one], query=query).id).query_hash for query in ("What  IF?", "what if?")
        }
        assert len(hashes) == 1

    @pytest.mark.parametrize(
        ("members", "field"),
        [([], "members"), ("m_1", "members"), ([{"role": "primary"}], "members"), ([1], "members")],
    )
    def test_what_is_no_list_of_members_is_refused(self, memory: Trigraph, members: object, field: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.compose(members)  # type: ignore[arg-type]
        assert refused.value.field == field

    def test_an_unknown_role_is_answered_with_those_that_there_are(self, memory: Trigraph) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.compose([{"id": kept(memory, "x y z"), "role": "main"}])
        assert refused.value.allowed == tuple(Role)

    def test_what_is_not_there_or_twice_there_is_refused_and_leaves_nothing(self, memory: Trigraph) -> None:
        one = kept(memory, "The oracle lags")
        with pytest.raises(NotFound):
            memory.compose([one, "m_" + "0" * 26])
        with pytest.raises(InvalidInput):
            memory.compose([{"id": one, "role": "primary"}, {"id": one[-8:], "role": "primary"}])
        assert memory.compositions() == []

    def test_sent_again_under_its_key_it_is_kept_once(self, memory: Trigraph) -> None:
        one = kept(memory, "The oracle lags")
        first, again = (memory.compose([one], query="q?", idempotency_key="k") for _ in range(2))
        assert (again.id, again.replayed) == (first.id, True)
        with pytest.raises(KeyReused):
            memory.compose([one], query="another?", idempotency_key="k")
        assert len(memory.compositions()) == 1


@pytest.mark.req("C3")
class TestWhatBecomesOfMembers:
    def test_forgetting_and_purging_never_take_away_that_it_took_part(self, memory: Trigraph) -> None:
        one, other = kept(memory, WEB, source="web", tags=["t"]), kept(memory, "The queue drains slowly")
        event = memory.compose([one, other]).id
        memory.purge("web", dry_run=False)
        memory.forget(other)
        assert [m.text for m in memory.composition(event).members] == [WEB, "The queue drains slowly"]
        assert [found.id for found in memory.compositions(tags=["t"])] == [event]
        assert [found.id for found in memory.compositions_of(one)] == [event]
        assert [found.memory_id for found in memory.companions(other)] == [one]

    @pytest.mark.req("X9")
    def test_erasing_blanks_the_copy_and_keeps_the_id(self, memory: Trigraph, bob: Trigraph) -> None:
        one, other = kept(memory, "The needle is under the pier"), kept(memory, "The queue drains slowly")
        found = memory.deep_reference("Where is the needle?")
        event = memory.compose([one, other], output="The needle is under the pier").id
        memory.erase(one)
        for id_ in (event, str(found.composition_event_id)):
            told = memory.composition(id_)
            assert "needle is" not in repr(told).lower()
            assert (told.members[0].memory_id, told.members[0].text, told.members[0].tags) == (one, "", ())
        assert memory.compositions_of(one)[0].id == event
        assert [found.memory_id for found in bob.companions(one)] == [other]
        with pytest.raises(NotFound):
            memory.compositions_of("m_" + "0" * 26)


@pytest.mark.req("C2")
class TestLabel:
    def test_there_are_fifteen_and_an_unknown_one_is_answered_with_them(self, memory: Trigraph) -> None:
        event = memory.compose([kept(memory, "The oracle lags")]).id
        with pytest.raises(InvalidInput) as refused:
            memory.label(event, "usefull")
        assert len(refused.value.allowed) == 15
        for label in refused.value.allowed:
            memory.label(event, label)
        assert {one.label for one in memory.composition(event).outcomes} == set(OutcomeLabel)

    def test_labels_are_kept_with_who_said_so_and_count_each_time(self, memory: Trigraph, bob: Trigraph) -> None:
        one, other = kept(memory, "The oracle lags"), kept(memory, "The queue drains slowly")
        event = memory.compose([one, other]).id
        memory.label(event, "helpful", notes="It was", confidence_delta=0.1)
        bob.label(event, "helpful", source="triage")
        told = memory.composition(event).outcomes
        assert [(o.author, o.source, o.notes, o.confidence_delta) for o in told] == [
            ("default", "user", "It was", 0.1),
            ("bob", "triage", None, 0.0),
        ]
        assert memory.companions(one)[0].labels == {OutcomeLabel.HELPFUL: 2}

    @pytest.mark.parametrize(
        ("notes", "suggested"),
        [
            ("Out of scope for the programme", OutcomeLabel.CLOSED_BY_SCOPE),
            ("A duplicate of an older report", OutcomeLabel.CLOSED_BY_DUPLICATE),
            ("We assumed that the queue is ordered", OutcomeLabel.CLOSED_BY_FALSE_ASSUMPTION),
            ("The customer asked us to stop", OutcomeLabel.CLOSED_BY_USER),
            (None, None),
        ],
    )
    def test_a_dead_end_suggests_what_closed_it(
        self, memory: Trigraph, notes: str | None, suggested: OutcomeLabel | None
    ) -> None:
        event = memory.compose([kept(memory, "The oracle lags")]).id
        found = memory.label(event, "dead_end", notes=notes)
        assert found.suggested is suggested
        assert ("closed_by_" if suggested is None else suggested) in found.advice[0]

    def test_a_dead_end_is_judged_by_what_it_is_made_of(self, memory: Trigraph) -> None:
        one, scoped = kept(memory, "The oracle lags"), kept(memory, "Only the vault counts", tags=["scope"])
        denied = memory.compose([{"id": one, "role": "contradicting"}]).id
        assert memory.label(denied, "dead_end").suggested is OutcomeLabel.CLOSED_BY_FALSE_ASSUMPTION
        assert memory.label(memory.compose([scoped]).id, "dead_end").suggested is OutcomeLabel.CLOSED_BY_SCOPE
        again = memory.compose([one]).id
        assert memory.label(again, "dead_end").suggested is OutcomeLabel.CLOSED_BY_DUPLICATE

    def test_a_duplicate_names_its_family_and_a_success_what_to_look_at(self, memory: Trigraph) -> None:
        one = kept(memory, "The oracle lags")
        first, second = memory.compose([one], query="What if?").id, memory.compose([one], query="what if?").id
        (advice,) = memory.label(second, "duplicate_risk").advice
        assert advice.startswith("Check the duplicate family first")
        assert first[-8:] in advice
        (advice,) = memory.label(first, "accepted").advice
        assert advice.startswith("Look why it worked")
        assert one[-8:] in advice


@pytest.mark.req("C4")
class TestTheOneDoor:
    def test_each_action_answers_with_its_part(self, memory: Trigraph) -> None:
        one, other = kept(memory, "The oracle lags"), kept(memory, "The queue drains slowly")
        event = memory.compose([one, other]).id
        for action, given in (("recent", {}), ("get", {"event_id": event}), ("memory", {"memory_id": one})):
            assert [found.id for found in memory.composed_graph(action, **given).events] == [event]  # type: ignore[arg-type]
        assert [found.memory_id for found in memory.composed_graph("neighbors", memory_id=one).companions] == [other]
        labelled = memory.composed_graph("label", event_id=event, outcome_type="helpful").labelled
        assert labelled is not None
        assert labelled.changed.id == event

    def test_an_unknown_action_is_answered_with_those_that_there_are(self, memory: Trigraph) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.composed_graph("delete")
        assert {"recent", "get", "memory", "neighbors", "label"} <= set(refused.value.allowed)

    @pytest.mark.parametrize("action", ["get", "memory", "neighbors", "label"])
    def test_what_an_action_needs_is_asked_for(self, memory: Trigraph, action: str) -> None:
        with pytest.raises(InvalidInput, match="is missing"):
            memory.composed_graph(action)
