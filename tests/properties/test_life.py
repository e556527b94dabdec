"""The life of memories under any order of verbs: what every agent sees, now and then, against a model of our own.

The model is a plain list of memories with their versions and of entities with what was believed of them. It shares
no code with the product: visibility, validity and what was known are written down here a second time, as in the
glossary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from trigraph.assembly import open_engine
from trigraph.engine.engine import Engine
from trigraph.errors import Conflict, Forbidden, InvalidInput, NotFound, TrigraphError
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.change import Changed, EntityHistory, MemoryHistory
from trigraph.model.entity import EntityState
from trigraph.model.memory import Memory
from trigraph.model.scope import Scope
from trigraph.settings import EmbedderSettings, Settings

START = datetime(2026, 9, 1, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
RESTORE_WINDOW = 30 * DAY
CLOCK_BACK_MOST = timedelta(seconds=10)
WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"))

STRANGER = "dora"
"""An agent that nobody registered."""
AGENTS = ("anne", "bert", "cleo", STRANGER)
GROUPS = ("crew", "deck")
TOPICS = ("Harbour", "Beacon", "Ferry")
NAMES = (*TOPICS, "Capstan", "Tiller", "Anchor")
UNKNOWN_MEMORY = "m_" + "7" * 26
UNKNOWN_ENTITY = "e_" + "7" * 26

agents = st.sampled_from(["anne"] * 4 + ["bert"] * 3 + ["cleo"] * 2 + [STRANGER])
picks = st.integers(0, 10_000)
ANY = 100
recent = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 5, ANY, ANY + 1, ANY + 2])
"""Which memory or entity a verb is about, counted back from the latest: few, so that much happens to each. From
`ANY` on it is any, whether the agent may do that with it or not."""
topics = st.sampled_from(TOPICS)
names = st.sampled_from(NAMES)
audiences = st.sampled_from(
    [("shared", None), ("shared", None), ("shared", None), ("private", None), ("group", "crew"), ("group", "deck")]
)
spans = st.sampled_from([None, None, None, -40 * DAY, -DAY, -HOUR, HOUR, 2 * DAY])
"""How far from now something begins or happened; None leaves it to the engine."""
begins = st.one_of(spans, picks)
"""The same, or, as a number, one of the instants at which something begins or ends already."""


# The model


@dataclass
class Version:
    """What was known of a memory over [known_from, known_until)."""

    known_from: datetime
    valid_from: datetime
    valid_until: datetime | None
    visibility: str
    group: str | None
    verb: str
    by: str
    known_until: datetime | None = None
    retracted_at: datetime | None = None
    status: str = "active"
    confidence: float = 1.0
    last_verified_at: datetime | None = None
    superseded_by: str | None = None

    def known(self, at: datetime) -> bool:
        return self.known_from <= at and (self.known_until is None or at < self.known_until)

    def holds(self, at: datetime) -> bool:
        return self.valid_from <= at and (self.valid_until is None or at < self.valid_until)

    @property
    def place(self) -> tuple[object, ...]:
        """Whether and how it is put aside."""
        return self.status, self.retracted_at, self.superseded_by is not None

    @property
    def stands(self) -> bool:
        return self.place == ("active", None, False)


@dataclass
class Kept:
    """A memory of the model; `aside` is what put it aside and was not undone, when, and how it stood before."""

    id: str
    author: str
    kind: str
    text: str
    topic: str | None
    versions: list[Version]
    aside: list[tuple[str, datetime, dict[str, Any]]] = field(default_factory=list)
    votes: dict[str, tuple[int, float]] = field(default_factory=dict)

    @property
    def now(self) -> Version:
        return self.versions[-1]

    @property
    def word(self) -> str:
        return self.text.split()[0]


@dataclass
class Tie:
    """A link between memories."""

    type: str
    from_id: str
    to_id: str
    known_from: datetime
    known_until: datetime | None = None


@dataclass
class Change:
    """What a memory changed about an entity: its event, and with it a name or properties."""

    start: datetime
    known_from: datetime
    event: str
    cause: str | None
    name: str | None = None
    props: dict[str, str] = field(default_factory=dict)


@dataclass
class State:
    """What changes come to, over [start, end); `props` is name → (text, the memory that said so)."""

    start: datetime
    end: datetime | None
    event: str
    cause: str | None
    name: str | None
    props: dict[str, tuple[str, str | None]]
    retired: bool = False


@dataclass
class Thing:
    """An entity of the model."""

    id: str
    author: str
    visibility: str
    group: str | None
    made_by: str | None
    aliases: list[tuple[str, str | None]]
    changes: list[Change]
    mentions: dict[str, list[tuple[datetime, datetime | None]]] = field(default_factory=dict)


class Life:
    """Several agents of one project, what they did, and what each may see of it."""

    def __init__(self) -> None:
        self.memories: dict[str, Kept] = {}
        self.things: dict[str, Thing] = {}
        self.ties: list[Tie] = []
        self.policies: dict[str, str] = {}
        self.members: dict[str, set[str]] = {group: set() for group in GROUPS}

    # Who may see what

    def may_see(self, agent: str, author: str, visibility: str, group: str | None) -> bool:
        if agent == author:
            return True
        policy = self.policies.get(agent, "isolated")
        if policy == "isolated" or visibility == "private":
            return False
        if visibility == "group":
            return group is not None and agent in self.members[group]
        return policy == "shared" or any({agent, author} <= members for members in self.members.values())

    def seen(self, agent: str, one: Kept, known_at: datetime) -> Version | None:
        """What the agent may see of a memory as it was known: whatever became of it."""
        version = next((version for version in one.versions if version.known(known_at)), None)
        if version and self.may_see(agent, one.author, version.visibility, version.group):
            return version
        return None

    def readable(self, agent: str, memory_id: str) -> bool:
        """Whether the agent may see a memory now."""
        one = self.memories[memory_id]
        return self.may_see(agent, one.author, one.now.visibility, one.now.group)

    def listed(self, agent: str, as_of: datetime, known_at: datetime, *, superseded: bool = False) -> list[str]:
        """What holds at a time by what was known at another, newest first; with what was replaced, if asked for."""
        found = []
        for one in self.memories.values():
            version = self.seen(agent, one, known_at)
            if version is None or version.status != "active" or version.retracted_at is not None:
                continue
            replaced = superseded and version.superseded_by is not None and version.valid_from <= as_of
            if version.holds(as_of) or replaced:
                found.append(one.id)
        return found[::-1]

    def successor(self, agent: str, version: Version) -> str | None:
        """What replaced a memory, if the agent may see it."""
        by = version.superseded_by
        return by if by is not None and self.readable(agent, by) else None

    # Entities

    def states(self, agent: str, thing: Thing, known_at: datetime) -> list[State]:
        """What was believed of an entity, in order: each change on top of those before it, on the word of memories
        that the agent may see and that were not retracted. That there is such a thing stays."""
        found: list[State] = []
        for change in sorted(thing.changes, key=lambda one: (one.start, one.known_from)):
            if change.known_from > known_at or (change.cause is not None and not self.readable(agent, change.cause)):
                continue
            holds = change.cause is None or not self.retracted(change.cause, known_at)
            if not holds and change.event != "created":
                continue
            before = found[-1] if found else None
            said = {name: (text, change.cause) for name, text in change.props.items()} if holds else {}
            props = {**(before.props if before else {}), **said}
            name = change.name or (before.name if before else None)
            if before and before.start == change.start:  # two changes at one instant leave one state, the later
                found.pop()
            elif before:
                before.end = change.start
            retired = change.event == "retired" or (
                before is not None and before.retired and change.event != "restored"
            )
            found.append(State(change.start, None, change.event, change.cause, name, props, retired))
        first = next((state.name for state in found if state.name), None)
        for state in found:
            state.name = state.name or first
        return found

    def retracted(self, memory_id: str, known_at: datetime) -> bool:
        versions = self.memories[memory_id].versions
        return any(version.known(known_at) and version.retracted_at is not None for version in versions)

    def state_at(self, agent: str, thing: Thing, as_of: datetime, known_at: datetime) -> State | None:
        """The state that held then, None if the agent sees no such entity: its audience does, through a standing
        memory that speaks of it."""
        if not self.may_see(agent, thing.author, thing.visibility, thing.group):
            return None
        if not self.spoken_of(agent, thing, known_at):
            return None
        held = [state for state in self.states(agent, thing, known_at) if state.start <= as_of]
        return held[-1] if held else None

    def spoken_of(self, agent: str, thing: Thing, known_at: datetime) -> int:
        """How many memories speak of an entity, of those that stand and that the agent may see."""
        told = [
            memory_id
            for memory_id, spans in thing.mentions.items()
            if any(since <= known_at and (until is None or known_at < until) for since, until in spans)
        ]
        return sum(self.standing(agent, memory_id, known_at) for memory_id in told)

    def standing(self, agent: str, memory_id: str, known_at: datetime) -> bool:
        version = self.seen(agent, self.memories[memory_id], known_at)
        return version is not None and version.retracted_at is None and version.status in ("active", "archived")

    def called(self, agent: str, thing: Thing) -> set[str]:
        """The names of an entity on the word of memories that the agent may see and that were not retracted."""
        return {
            name
            for name, by in thing.aliases
            if by is None
            or (self.readable(agent, by) and (by == thing.made_by or not self.memories[by].now.retracted_at))
        }

    def named(self, agent: str, name: str, now: datetime) -> list[Thing]:
        return [
            thing
            for thing in self.things.values()
            if name in self.called(agent, thing) and self.state_at(agent, thing, now, now) is not None
        ]

    def fits(self, one: Kept, thing: Thing) -> bool:
        """Whether everyone who may see the memory may see the entity."""
        return all(
            self.may_see(agent, thing.author, thing.visibility, thing.group)
            for agent in AGENTS
            if self.may_see(agent, one.author, one.now.visibility, one.now.group)
        )

    def retell(self, agent: str, at: datetime, old: Kept, new: Kept) -> None:
        """What a corrected memory said about an entity is now said by its correction, and so are the names it gave;
        what was built on it, and what came of it, holds of its correction."""
        for thing in self.things.values():
            for change in [one for one in thing.changes if one.cause == old.id]:
                props = {name: new.text if text == old.text else text for name, text in change.props.items()}
                self.put(thing, Change(change.start, at, change.event, new.id, change.name, props))
            thing.aliases += [(name, new.id) for name, by in thing.aliases if by == old.id]
        for tie in list(self.ties):
            open_ = tie.known_until is None and tie.type not in ("corrects", "supersedes")
            if open_ and old.id in (tie.from_id, tie.to_id) and new.id not in (tie.from_id, tie.to_id):
                ends = [new.id if end == old.id else end for end in (tie.from_id, tie.to_id)]
                if self.readable(agent, tie.from_id) and self.readable(agent, tie.to_id):
                    self.ties.append(Tie(tie.type, *ends, at))

    def succeed(self, at: datetime, old: Kept, new: Kept, about: Thing | None) -> None:
        """Where a superseded memory's text stands as a property, its successor's stands from its beginning on."""
        for thing in self.things.values():
            for change in [one for one in thing.changes if one.cause == old.id]:
                props = {name: new.text for name, text in change.props.items() if text == old.text}
                if props and not (thing is about and new.kind == "decision"):
                    self.put(thing, Change(new.now.valid_from, at, "superseded", new.id, None, props))

    def put(self, thing: Thing, change: Change) -> None:
        """Two changes of one transaction at one instant are one."""
        for there in thing.changes:
            if (there.start, there.known_from) == (change.start, change.known_from):
                there.event = there.event if there.event == "created" else change.event
                there.name, there.props, there.cause = (
                    change.name or there.name,
                    {**there.props, **change.props},
                    change.cause,
                )
                return
        thing.changes.append(change)

    # What becomes of memories

    def revise(self, one: Kept, at: datetime, verb: str, by: str, **changes: Any) -> None:
        before = {item.name: getattr(one.now, item.name) for item in fields(Version)}
        one.now.known_until = at
        one.versions.append(Version(**{**before, "known_from": at, "verb": verb, "by": by, **changes}))

    def put_aside(self, one: Kept, at: datetime, verb: str, by: str, **changes: Any) -> None:
        kept = ("status", "retracted_at", "valid_until", "superseded_by")
        one.aside.append((verb, at, {name: getattr(one.now, name) for name in kept}))
        self.revise(one, at, verb, by, **changes)

    def undo(self, one: Kept, at: datetime, by: str) -> None:
        """It stands again as before it was last put aside; a link that said otherwise holds no longer."""
        put = one.now
        _, _, before = one.aside.pop()
        self.revise(one, at, "restore", by, **before)
        undone = []
        if put.superseded_by is not None and one.now.superseded_by is None:
            undone.append("supersedes")
        if put.retracted_at is not None and one.now.retracted_at is None and put.status != "forgotten":
            undone.append("corrects")
        for tie in self.ties:
            if tie.to_id == one.id and tie.type in undone and tie.known_until is None:
                tie.known_until = at

    def erase(self, one: Kept) -> None:
        """As if it had never been, but for what others say of the same things: those stay, with their names."""
        for thing in list(self.things.values()):
            caused = any(change.cause == one.id for change in thing.changes)
            touched = caused or one.id in thing.mentions or one.id in (thing.made_by, *(by for _, by in thing.aliases))
            if touched and not set(thing.mentions) - {one.id}:
                del self.things[thing.id]
                continue
            thing.mentions.pop(one.id, None)
            thing.changes = [each for each in thing.changes if each.cause != one.id or each.event == "created"]
            for change in thing.changes:
                if change.cause == one.id:
                    change.cause, change.props = None, {}
            kept = {change.name for change in thing.changes}
            thing.aliases = [
                (name, None if by == one.id else by) for name, by in thing.aliases if by != one.id or name in kept
            ]
            thing.made_by = None if thing.made_by == one.id else thing.made_by
        del self.memories[one.id]
        self.ties = [tie for tie in self.ties if one.id not in (tie.from_id, tie.to_id)]
        for other in self.memories.values():
            for version in other.versions:
                version.superseded_by = None if version.superseded_by == one.id else version.superseded_by
            for _, _, before in other.aside:
                before["superseded_by"] = None if before["superseded_by"] == one.id else before["superseded_by"]

    def lineage(self, agent: str, memory_id: str, known_at: datetime) -> tuple[set[str], set[tuple[str, str, str]]]:
        """All that a memory replaced and that replaced it, as far as the agent may see; and the links that say so."""
        ties = [
            tie
            for tie in self.ties
            if tie.type in ("supersedes", "corrects")
            and tie.known_from <= known_at
            and (tie.known_until is None or known_at < tie.known_until)
            and self.seen(agent, self.memories[tie.from_id], known_at)
            and self.seen(agent, self.memories[tie.to_id], known_at)
        ]
        found = {memory_id}
        while True:
            near = [tie for tie in ties if {tie.from_id, tie.to_id} & found]
            further = {end for tie in near for end in (tie.from_id, tie.to_id)}
            if further <= found:
                return found, {(tie.type, tie.from_id, tie.to_id) for tie in near}
            found |= further


# The machine


DEEDS: list[st.SearchStrategy[tuple[str, dict[str, Any]]]] = []
"""What may happen: the name of a method of the machine, and its arguments."""


def deed(weight: int = 1, **given: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Something that may happen. All deeds belong to one rule: so that none is left out of a run, as rules are."""

    def decorate(does: Callable[..., None]) -> Callable[..., None]:
        DEEDS.extend([st.tuples(st.just(does.__name__), st.fixed_dictionaries(given))] * weight)
        return does

    return decorate


class Lives(RuleBasedStateMachine):
    """Random verbs of several agents, under a clock that may stand still or go back a little."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = START
        self.latest = START - DAY
        self.engine = open_engine(WITHOUT_MODEL, in_memory=True, clock=lambda: self.clock)
        self.of = {agent: Trigraph(self.engine, Scope("default", "default", agent)) for agent in AGENTS}
        self.admin = self.engine.admin
        self.life = Life()
        self.words = 0
        self.erased: list[str] = []
        for group in GROUPS:
            self.admin.add_group("default", "default", group)

    def teardown(self) -> None:
        self.engine.close()

    # Helpers

    @property
    def now(self) -> datetime:
        return max(self.clock, self.latest)

    @property
    def next(self) -> datetime:
        """The time that the next transaction will have: times of transactions never run backwards."""
        return max(self.latest + TICK, self.clock)

    def commit(self) -> datetime:
        self.latest = self.next
        return self.latest

    def text(self) -> str:
        """A text that begins with a word which no other text has."""
        self.words += 1
        letters = "".join("bdfgkmpqtv"[int(digit)] for digit in str(self.words))
        return f"zax{letters}zax is written down here."

    def pick(self, number: int, agent: str = "", fits: Callable[[Kept], bool] = lambda one: True) -> Kept:
        """A memory, counted back from the latest; mostly one that the agent may see and can do something with."""
        there = list(self.life.memories.values())
        fitting = [one for one in there if agent and self.life.seen(agent, one, self.now) and fits(one)]
        among = fitting if fitting and number < ANY else there
        return among[-1 - number % len(among)]

    def pick_thing(self, number: int, agent: str = "") -> Thing:
        """An entity, likewise."""
        there = list(self.life.things.values())
        fitting = [one for one in there if agent and self.life.state_at(agent, one, self.now, self.now)]
        among = fitting if fitting and number < ANY else there
        return among[-1 - number % len(among)]

    def instants(self) -> list[datetime]:
        """Every instant at which something begins or ends, and now."""
        found = {self.now}
        for one in self.life.memories.values():
            for version in one.versions:
                found |= {version.known_from, version.valid_from}
                found |= {version.valid_until} if version.valid_until else set()
        for thing in self.life.things.values():
            found |= {time for change in thing.changes for time in (change.start, change.known_from)}
        return sorted(found, reverse=True)

    def instant(self, number: int) -> datetime:
        """One of these, or a microsecond before or after it."""
        known = self.instants()
        return known[number // 3 % len(known)] + (0, -1, 1)[number % 3] * TICK

    def begin(self, begins: timedelta | int | None) -> datetime | None:
        if begins is None:
            return None
        if isinstance(begins, timedelta):
            return self.now + begins
        known = self.instants()
        return known[begins % len(known)]

    def refused(self, error: type[TrigraphError], call: Callable[[str], object], name: str) -> None:
        """The call is refused as it must be. What may not be seen is answered exactly as what does not exist."""
        with pytest.raises(TrigraphError) as raised:
            call(name)
        assert type(raised.value) is error, raised.value
        if error is NotFound and name[:2] in ("m_", "e_"):
            unknown = UNKNOWN_MEMORY if name.startswith("m_") else UNKNOWN_ENTITY
            with pytest.raises(NotFound) as twin:
                call(unknown)
            assert str(raised.value).replace(name, "") == str(twin.value).replace(unknown, "")

    def in_group(self, agent: str, group: str | None) -> bool:
        return group is None or agent in self.life.members[group]

    def keep(self, agent: str, changed_id: str, at: datetime, verb: str, text: str, **known: Any) -> Kept:
        """A new memory of the model, with the entities that it was tied to."""
        start = known.get("valid_from") or min(known.get("occurred_at") or at, at)
        version = Version(at, start, known.get("valid_until"), *known["audience"], verb, agent)
        one = Kept(changed_id, agent, known.get("kind", "fact"), text, known.get("topic"), [version])
        self.life.memories[one.id] = one
        self.tie(one, at, known)
        return one

    def tie(self, one: Kept, at: datetime, known: dict[str, Any]) -> None:
        """Take over what a memory is tied to, which only its readers' eyes limit; new entities are theirs as well."""
        tied = _rows(
            self.engine,
            "SELECT e.id, n.subject, n.known_from, n.known_until,"
            " (SELECT s.name FROM entity_state s WHERE s.entity_key = e.key AND s.name IS NOT NULL LIMIT 1)"
            " FROM mention n JOIN memory m ON m.key = n.memory_key JOIN entity e ON e.key = n.entity_key"
            " WHERE m.id = ? ORDER BY n.known_from",
            one.id,
        )
        for thing in self.life.things.values():
            thing.mentions.pop(one.id, None)
        for entity_id, is_subject, since, until, name in tied:
            thing = self.life.things.get(entity_id)
            audience = (one.now.visibility, one.now.group)
            if thing is None:
                assert name == known.get("subject") if is_subject else name in one.text
                made = [Change(one.now.valid_from, at, "created", one.id, name)]
                thing = Thing(entity_id, one.author, *audience, one.id, [(name, one.id)], made)
                self.life.things[entity_id] = thing
            if until is None and (not is_subject or "subject" in known):  # verbs on an entity are about that one
                assert self.life.fits(one, thing), "a memory is tied only to entities that all its readers may see"
            thing.mentions.setdefault(one.id, []).append((_time(since), until and _time(until)))

    def subject_of(self, one: Kept) -> Thing | None:
        found = _rows(
            self.engine,
            "SELECT e.id FROM mention n JOIN memory m ON m.key = n.memory_key JOIN entity e ON e.key = n.entity_key"
            " WHERE m.id = ? AND n.subject AND n.known_until IS NULL",
            one.id,
        )
        return self.life.things[found[0][0]] if found else None

    def subject_name(self, agent: str, one: Kept) -> str | None:
        """What a memory is about goes by its latest name; if it holds only from a later time on, by its name then."""
        thing = self.subject_of(one)
        if thing is None or not self.life.may_see(agent, thing.author, thing.visibility, thing.group):
            return None
        states = self.life.states(agent, thing, self.now)
        then = max(self.now, one.now.valid_from)
        held = [state for state in states if state.start <= then] or states[:1]
        return held[-1].name if held else None

    # The setting

    @initialize(
        policies=st.tuples(*[st.sampled_from(["shared", "shared", "group", "isolated"])] * 3),
        crew=st.sets(st.sampled_from(AGENTS[:3])),
        deck=st.sets(st.sampled_from(AGENTS[:3])),
        told=st.lists(st.tuples(agents, audiences, topics, spans), min_size=2, max_size=4),
    )
    def people(self, policies: Sequence[str], crew: set[str], deck: set[str], told: Sequence[tuple]) -> None:
        """Three registered agents in two groups, and what they know to begin with."""
        for agent, policy in zip(AGENTS, policies, strict=False):
            self.set_policy(agent, policy)
        for group, members in (("crew", crew), ("deck", deck)):
            for agent in sorted(members):
                self.admin.join("default", "default", group, agent)
                self.life.members[group].add(agent)
        for place, (agent, audience, topic, begins) in enumerate(told):
            if place % 2:
                self.decide(agent, audience, topic, begins, None)
            else:
                self.remember(agent, audience, begins, None, None, "fact", topic, None)

    def set_policy(self, agent: str, policy: str) -> None:
        self.admin.set_agent("default", "default", agent, ReadPolicy(policy))
        self.life.policies[agent] = policy

    @deed(agent=st.sampled_from(AGENTS[:3]), policy=st.sampled_from(["isolated", "group", "shared"]))
    def change_policy(self, agent: str, policy: str) -> None:
        self.set_policy(agent, policy)

    @deed(agent=agents, group=st.sampled_from(GROUPS))
    def join_or_leave(self, agent: str, group: str) -> None:
        members = self.life.members[group]
        if agent == STRANGER:
            with pytest.raises(NotFound):
                self.admin.join("default", "default", group, agent)
        elif agent in members:
            self.admin.leave("default", "default", group, agent)
            members.remove(agent)
        else:
            self.admin.join("default", "default", group, agent)
            members.add(agent)

    @deed(2, by=st.sampled_from([timedelta(0), TICK, timedelta(seconds=1), HOUR, DAY, 31 * DAY, -timedelta(seconds=4)]))
    def time_passes(self, by: timedelta) -> None:
        self.clock = max(self.clock + by, self.now - CLOCK_BACK_MOST)

    # Verbs that write a memory

    @deed(
        agent=agents,
        audience=audiences,
        begins=begins,
        lasts=st.sampled_from([None, None, None, HOUR, 3 * DAY, -HOUR]),
        occurred=spans,
        kind=st.sampled_from(["fact", "preference", "insight"]),
        topic=st.one_of(st.none(), topics),
        subject=st.one_of(st.none(), st.none(), topics),
    )
    def remember(self, agent, audience, begins, lasts, occurred, kind, topic, subject) -> None:
        text, valid_from = self.text(), self.begin(begins)
        occurred_at = None if occurred is None else self.now + occurred
        start = valid_from or min(occurred_at or self.now, self.now)
        told = {
            "kind": kind,
            "topic": topic,
            "subject": subject,
            "occurred_at": occurred_at,
            "valid_from": valid_from,
            "valid_until": None if lasts is None else start + lasts,
        }
        visibility, group = audience

        def call(_: str) -> Any:
            return self.of[agent].remember(text, visibility=visibility, group=group, **told)

        if not self.in_group(agent, group) or (lasts is not None and lasts < timedelta(0)):
            return self.refused(InvalidInput, call, "")
        report = call("")
        self.keep(agent, report.id, self.commit(), "remember", text, audience=audience, **told)
        again = call("")
        holds = self.life.memories[report.id].now.holds(self.next)
        assert (again.id == report.id) == holds, "the same text again is a duplicate of what holds now"
        if again.id == report.id:
            self.commit()
        else:
            self.keep(agent, again.id, self.commit(), "remember", text, audience=audience, **told)
        return None

    @deed(
        2,
        agent=agents,
        audience=audiences,
        topic=topics,
        begins=begins,
        supersedes=st.one_of(st.none(), recent),
    )
    def decide(self, agent, audience, topic, begins, supersedes) -> None:
        life, text, valid_from = self.life, self.text(), self.begin(begins)
        old = (
            self.pick(supersedes, agent, lambda one: one.now.stands)
            if supersedes is not None and life.memories
            else None
        )

        def call(name: str) -> Changed:
            return self.of[agent].decide(
                text,
                topic=topic,
                reasoning="so be it",
                supersedes=name or None,
                valid_from=valid_from,
                visibility=audience[0] if old is None else None,
                group=audience[1] if old is None else None,
            )

        if old is not None:
            if not life.seen(agent, old, self.now):
                return self.refused(NotFound, call, old.id)
            audience = (old.now.visibility, old.now.group)
        if not self.in_group(agent, audience[1]):
            return self.refused(InvalidInput, call, old.id if old else "")
        start = valid_from or self.next
        if old is not None and not old.now.stands:
            return self.refused(Conflict, call, old.id)
        if old is not None and start <= old.now.valid_from:
            return self.refused(InvalidInput, call, old.id)
        at = self.next
        changed = call(old.id if old else "")
        assert self.commit() == at == changed.at
        there = set(life.things)
        one = self.keep(
            agent, changed.id, at, "decide", text,
            kind="decision", topic=topic, subject=topic, audience=audience, valid_from=valid_from,
        )  # fmt: skip
        thing = life.things[changed.entity_id]
        assert one.id in thing.mentions
        assert (thing.visibility, thing.group) == audience, "a decision changes only what has its own readers"
        assert audience[0] != "private" or thing.author == agent
        alike = {
            known.id
            for known in map(life.things.get, there)
            if (known.visibility, known.group) == audience
            and topic in life.called(agent, known)
            and life.may_see(agent, known.author, known.visibility, known.group)
            and (audience[0] != "private" or known.author == agent)
            and life.fits(one, known)
        }
        assert thing.id in alike if alike else thing.id not in there, "the entity that the topic names is changed"
        if old is not None:
            self.superseded(agent, old, one, at)
            life.succeed(at, old, one, thing)
        self.decided(one, thing, "superseded" if old else "updated")
        return None

    def decided(self, one: Kept, thing: Thing, event: str) -> None:
        """A decision is what its topic's entity came to, or what it was made by."""
        said = {"decision": one.text}
        if thing.made_by == one.id:
            thing.changes[0].props = said
        else:
            self.life.put(thing, Change(one.now.valid_from, self.latest, event, one.id, None, said))

    def superseded(self, agent: str, old: Kept, new: Kept, at: datetime) -> None:
        until = min(old.now.valid_until or new.now.valid_from, new.now.valid_from)
        self.life.put_aside(old, at, "supersede", agent, valid_until=until, superseded_by=new.id)
        self.life.ties.append(Tie("supersedes", new.id, old.id, at))

    @deed(2, agent=agents, pick=recent, begins=begins)
    def supersede(self, agent, pick, begins) -> None:
        old, text, valid_from = self.pick(pick, agent, lambda one: one.now.stands), self.text(), self.begin(begins)

        def call(name: str) -> Changed:
            return self.of[agent].supersede(name, text, valid_from=valid_from)

        if not self.life.seen(agent, old, self.now):
            return self.refused(NotFound, call, old.id)
        if not old.now.stands:
            return self.refused(Conflict, call, old.id)
        if not self.in_group(agent, old.now.group) or (valid_from or self.next) <= old.now.valid_from:
            return self.refused(InvalidInput, call, old.id)
        audience, ended, about = (old.now.visibility, old.now.group), old.now, self.subject_of(old)
        if self.subject_name(agent, old) is None:
            about = None
        changed = call(old.id)
        assert changed.replaced == (old.id,)
        new = self.keep(
            agent, changed.id, self.commit(), "supersede", text,
            kind=old.kind, topic=old.topic, audience=audience, valid_from=valid_from,
        )  # fmt: skip
        self.superseded(agent, old, new, changed.at)
        assert self.subject_of(new) is about, "what takes a memory's place is about the same thing"
        self.life.succeed(changed.at, old, new, about)
        if new.kind == "decision" and about is not None:
            self.decided(new, about, "superseded")
        was, took = self.of[agent].get(old.id), self.of[agent].get(new.id)
        assert was.valid_until == min(took.valid_from, ended.valid_until or took.valid_from)
        return None

    @deed(2, agent=agents, pick=recent, same=st.sampled_from([False, False, False, True]))
    def correct(self, agent, pick, same) -> None:
        old = self.pick(pick, agent, lambda one: one.now.stands)
        text = old.text if same else self.text()

        def call(name: str) -> Changed:
            return self.of[agent].correct(name, text)

        if not self.life.seen(agent, old, self.now):
            return self.refused(NotFound, call, old.id)
        if not old.now.stands:
            return self.refused(Conflict, call, old.id)
        if same or not self.in_group(agent, old.now.group):
            return self.refused(InvalidInput, call, old.id)
        audience, before = (old.now.visibility, old.now.group), self.next - TICK
        was = self.of[agent].get(old.id)
        changed = call(old.id)
        new = self.keep(
            agent, changed.id, self.commit(), "correct", text,
            kind=old.kind, topic=old.topic, audience=audience,
            valid_from=old.now.valid_from, valid_until=old.now.valid_until,
        )  # fmt: skip
        self.life.put_aside(old, changed.at, "correct", agent, retracted_at=changed.at)
        self.life.ties.append(Tie("corrects", new.id, old.id, changed.at))
        self.life.retell(agent, changed.at, old, new)
        took = self.of[agent].get(new.id)
        assert (took.valid_from, took.valid_until, took.occurred_at) == (
            was.valid_from,
            was.valid_until,
            was.occurred_at,
        )
        self.refused(NotFound, self.of[agent].get, old.id)
        assert _differences(self.of[agent].get(old.id, known_at=before), was) <= {"subject"}  # its name has times, too
        return None

    @deed(agent=agents, pick=recent, result=st.sampled_from(["SUCCESS", "FAILED", "PARTIAL"]))
    def evolve(self, agent, pick, result) -> None:
        of, text = self.pick(pick, agent), self.text()

        def call(name: str) -> Changed:
            return self.of[agent].evolve(name, result, "as it went", text=text)

        if not self.life.seen(agent, of, self.now):
            return self.refused(NotFound, call, of.id)
        if of.now.retracted_at is not None:
            return self.refused(Conflict, call, of.id)
        if not self.in_group(agent, of.now.group):
            return self.refused(InvalidInput, call, of.id)
        audience = (of.now.visibility, of.now.group)
        changed = call(of.id)
        self.keep(agent, changed.id, self.commit(), "evolve", text, kind="outcome", topic=of.topic, audience=audience)
        self.life.ties.append(Tie("outcome_of", changed.id, of.id, changed.at))
        return None

    @deed(agent=agents, pick=recent, audience=audiences)
    def checkpoint(self, agent, pick, audience) -> None:
        of, text = self.pick(pick, agent), self.text()

        def call(name: str) -> Changed:
            return self.of[agent].checkpoint(text, implements=[name], visibility=audience[0], group=audience[1])

        if not self.life.seen(agent, of, self.now):
            return self.refused(NotFound, call, of.id)
        if of.now.retracted_at is not None:
            return self.refused(Conflict, call, of.id)
        if not self.in_group(agent, audience[1]):
            return self.refused(InvalidInput, call, of.id)
        changed = call(of.id)
        self.keep(
            agent, changed.id, self.commit(), "checkpoint", text, kind="checkpoint", topic=of.topic, audience=audience
        )
        self.life.ties.append(Tie("implements", changed.id, of.id, changed.at))
        return None

    # Verbs that change what is known of a memory

    @deed(2, agent=agents, pick=recent, other=st.one_of(st.none(), st.none(), recent))
    def forget(self, agent, pick, other) -> None:
        """One or two at once: then all are forgotten, or none."""
        one = self.pick(pick, agent, lambda one: one.now.stands)
        taken = [one] if other is None or self.pick(other) is one else [one, self.pick(other)]
        ids = [each.id for each in taken]

        def call(name: str) -> Changed:
            return self.of[agent].forget(name, *ids[1:])

        for each in taken:
            if not self.life.seen(agent, each, self.now):
                if each is one:
                    return self.refused(NotFound, call, one.id)
                return self.refused(NotFound, lambda name: self.of[agent].forget(one.id, name), each.id)
            if each.now.status == "forgotten":
                return self.refused(Conflict, call, one.id)
        changed = call(one.id)
        assert changed.ids == tuple(ids)
        at = self.commit()
        for each in taken:
            retracted_at = each.now.retracted_at or at
            self.life.put_aside(each, at, "forget", agent, status="forgotten", retracted_at=retracted_at)
        return None

    @deed(2, agent=agents, pick=recent)
    def restore(self, agent, pick) -> None:
        one = self.pick(pick, agent, lambda one: bool(one.aside))
        call = self.of[agent].restore
        if not self.life.seen(agent, one, self.now):
            return self.refused(NotFound, call, one.id)
        if not one.aside or (one.aside[-1][0] == "forget" and self.next - one.aside[-1][1] > RESTORE_WINDOW):
            return self.refused(Conflict, call, one.id)
        changed = call(one.id)
        assert changed.at == self.commit()
        self.life.undo(one, changed.at, agent)
        return None

    @deed(agent=agents, pick=recent)
    def archive(self, agent, pick) -> None:
        one = self.pick(pick, agent, lambda one: one.now.stands)
        call = self.of[agent].archive
        if not self.life.seen(agent, one, self.now):
            return self.refused(NotFound, call, one.id)
        if one.now.status != "active" or one.now.retracted_at is not None:
            return self.refused(Conflict, call, one.id)
        changed = call(one.id)
        self.life.put_aside(one, self.commit(), "archive", agent, status="archived")
        assert changed.at == self.latest
        return None

    @deed(agent=agents, pick=recent)
    def reverify(self, agent, pick) -> None:
        one = self.pick(pick, agent, lambda one: one.now.stands)
        call = self.of[agent].reverify
        if not self.life.seen(agent, one, self.now):
            return self.refused(NotFound, call, one.id)
        if not one.now.stands:
            return self.refused(Conflict, call, one.id)
        before = self.of[agent].get(one.id)
        changed = call(one.id)
        self.life.revise(one, self.commit(), "reverify", agent, last_verified_at=changed.at)
        after = self.of[agent].get(one.id)
        assert _differences(before, after) == {"last_verified_at"}
        assert after.last_verified_at == changed.at
        return None

    @deed(agent=agents, pick=recent, audience=audiences)
    def share(self, agent, pick, audience) -> None:
        one, (visibility, group) = self.pick(pick, agent, lambda one: one.author == agent), audience
        width = ("private", "group", "shared").index

        def call(name: str) -> Changed:
            return self.of[agent].share(name, visibility, group=group)

        if visibility == "private" or not self.in_group(agent, group):
            return self.refused(InvalidInput, call, one.id)
        if not self.life.seen(agent, one, self.now):
            return self.refused(NotFound, call, one.id)
        if not one.now.stands:
            return self.refused(Conflict, call, one.id)
        if one.author != agent:
            return self.refused(Forbidden, call, one.id)
        if width(visibility) <= width(one.now.visibility):
            return self.refused(Conflict, call, one.id)
        before, subject, about = self.of[agent].get(one.id), self.subject_name(agent, one), self.subject_of(one)
        call(one.id)
        self.life.revise(one, self.commit(), "share", agent, visibility=visibility, group=group)
        assert _differences(before, self.of[agent].get(one.id)) <= {"visibility", "group", "subject"}
        for thing in self.life.things.values():
            if thing.made_by == one.id:
                thing.visibility, thing.group = visibility, group
        self.tie(one, self.latest, {"subject": subject})
        fresh = self.subject_of(one)
        if about is not None and fresh is not about:  # what it said of a thing that others may not see, it says of this
            for change in [each for each in about.changes if each.cause == one.id and each.event != "created"]:
                self.life.put(fresh, Change(change.start, self.latest, change.event, one.id, change.name, change.props))
        return None

    @deed(agent=agents, pick=recent, value=st.sampled_from([1, -1, -1]))
    def vote(self, agent, pick, value) -> None:
        one = self.pick(pick, agent, lambda one: one.now.stands)

        def call(name: str) -> Changed:
            return self.of[agent].vote(name, value)

        if not self.life.seen(agent, one, self.now):
            return self.refused(NotFound, call, one.id)
        if one.now.retracted_at is not None:
            return self.refused(Conflict, call, one.id)
        call(one.id)
        at, (before, gave) = self.commit(), one.votes.get(agent, (0, 0.0))
        if value != before:  # a vote that is changed takes back what it gave, which is nothing at the bounds
            without = one.now.confidence - gave
            confidence = min(max(without + 0.1 * value, min(0.1, without)), 1.0)
            one.votes[agent] = (value, confidence - without)
            self.life.revise(one, at, "vote", agent, confidence=confidence)
        return None

    @deed(agent=agents, pick=recent)
    def erase(self, agent, pick) -> None:
        one = self.pick(pick, agent, lambda one: one.author == agent)
        call = self.of[agent].erase
        if not self.life.seen(agent, one, self.now):
            return self.refused(NotFound, call, one.id)
        if one.author != agent:
            return self.refused(Forbidden, call, one.id)
        known = [version.known_from for version in one.versions]
        call(one.id)
        self.commit()
        self.life.erase(one)
        if not any(other.word == one.word for other in self.life.memories.values()):
            self.erased.append(one.word)
            assert _places_with(self.engine, one.word) == []
        for at in known:
            self.refused(NotFound, lambda name, at=at: self.of[agent].get(name, known_at=at), one.id)
            self.refused(NotFound, lambda name, at=at: self.of[agent].history(name, known_at=at), one.id)
        return None

    # Verbs on entities

    def thing_called(self, agent: str, pick: int, by_name: bool) -> tuple[str, Thing | type[TrigraphError]]:
        """What the agent calls an entity, and what it is then, or how that is refused."""
        thing = self.pick_thing(pick, agent)
        name = thing.aliases[pick % len(thing.aliases)][0] if thing.aliases else ""
        if not by_name or not name:
            there = self.life.state_at(agent, thing, self.now, self.now) is not None
            return thing.id, thing if there else NotFound
        found = self.life.named(agent, name, self.now)
        return name, found[0] if len(found) == 1 else InvalidInput if found else NotFound

    def change_thing(
        self, agent: str, thing: Thing, verb: str, event: str, changed: Changed, text: str, start, name: str | None
    ) -> Kept:
        """The memory that a verb on an entity leaves, and the entity's new state."""
        one = self.keep(
            agent, changed.id, self.commit(), verb, text,
            audience=(thing.visibility, thing.group), valid_from=start,
        )  # fmt: skip
        assert changed.entity_id == thing.id
        assert one.id in thing.mentions
        thing.changes.append(Change(one.now.valid_from, self.latest, event, one.id, name))
        return one

    @deed(agent=agents, pick=recent, by_name=st.booleans(), name=names, begins=begins)
    def rename(self, agent, pick, by_name, name, begins) -> None:
        said, thing = self.thing_called(agent, pick, by_name)
        text, start = self.text(), self.begin(begins)

        def call(said: str) -> Changed:
            return self.of[agent].rename(said, name, text=text, valid_from=start)

        if isinstance(thing, type):
            return self.refused(thing, call, said)
        if self.life.state_at(agent, thing, self.now, self.now).name == name:
            return self.refused(Conflict, call, said)
        if not self.in_group(agent, thing.group):
            return self.refused(InvalidInput, call, said)
        one = self.change_thing(agent, thing, "rename", "renamed", call(said), text, start, name)
        thing.aliases.append((name, one.id))
        return None

    @deed(agent=agents, pick=recent, by_name=st.booleans(), name=names)
    def alias(self, agent, pick, by_name, name) -> None:
        said, thing = self.thing_called(agent, pick, by_name)
        text = self.text()

        def call(said: str) -> Changed:
            return self.of[agent].alias(said, name, text=text)

        if isinstance(thing, type):
            return self.refused(thing, call, said)
        goes_by = self.life.state_at(agent, thing, self.now, self.now).name
        if name in self.life.called(agent, thing) | {goes_by}:
            return self.refused(Conflict, call, said)
        if not self.in_group(agent, thing.group):
            return self.refused(InvalidInput, call, said)
        audience = (thing.visibility, thing.group)
        one = self.keep(agent, call(said).id, self.commit(), "alias", text, audience=audience)
        assert one.id in thing.mentions
        thing.aliases.append((name, one.id))
        return None

    @deed(2, agent=agents, pick=recent, by_name=st.booleans(), begins=begins)
    def retire_or_reinstate(self, agent, pick, by_name, begins) -> None:
        said, thing = self.thing_called(agent, pick, by_name)
        start = self.begin(begins)
        archive, restore = self.of[agent].archive, self.of[agent].restore
        if isinstance(thing, type):
            self.refused(thing, archive, said)
            return self.refused(thing, restore, said)
        state = self.life.state_at(agent, thing, self.now, self.now)
        retired = state.retired
        self.refused(Conflict, archive if retired else restore, said)
        verb, event, does = ("restore", "restored", restore) if retired else ("archive", "retired", archive)
        if not self.in_group(agent, thing.group):
            return self.refused(InvalidInput, does, said)
        text = self.text()
        changed = does(said, text=text, valid_from=start)
        self.change_thing(agent, thing, verb, event, changed, text, start, None)
        return None

    @rule(deed=st.deferred(lambda: st.one_of(DEEDS)), look=st.tuples(agents, picks, picks, picks))
    def something_happens(self, deed: tuple[str, dict[str, Any]], look: tuple[str, int, int, int]) -> None:
        """Somebody does something; if there is nothing to do it to, something is told. Then one agent looks around."""
        name, given = deed
        there = self.life.things if "by_name" in given else self.life.memories
        if there or "pick" not in given:
            getattr(self, name)(**given)
        else:
            self.decide(given["agent"], ("shared", None), TOPICS[0], None, None)
        self.look_around(*look)

    # What must hold

    @invariant()
    def every_agent_sees_what_holds_now(self) -> None:
        for agent in AGENTS:
            shown = self.of[agent].list(limit=500).memories
            assert [one.id for one in shown] == self.life.listed(agent, self.now, self.now), agent
            for memory in shown:
                self.same(agent, memory, self.life.memories[memory.id], self.now)

    @invariant()
    def states_form_one_chain_each(self) -> None:
        broken = _rows(
            self.engine,
            "SELECT e.id FROM entity e WHERE"
            " (SELECT count(*) FROM entity_state s WHERE s.entity_key = e.key AND s.valid_until IS NULL) <> 1"
            " OR EXISTS (SELECT 1 FROM entity_state s WHERE s.entity_key = e.key AND s.valid_until IS NOT NULL AND"
            "  (s.valid_until <= s.valid_from OR NOT EXISTS (SELECT 1 FROM entity_state n WHERE n.entity_key = e.key"
            "    AND n.valid_from = s.valid_until)))"
            " OR EXISTS (SELECT 1 FROM entity_state s JOIN entity_state o ON o.entity_key = s.entity_key"
            "  AND o.valid_from > s.valid_from WHERE s.entity_key = e.key"
            "  AND (s.valid_until IS NULL OR o.valid_from < s.valid_until))",
        )
        assert broken == []
        stored = {entity_id for (entity_id,) in _rows(self.engine, "SELECT id FROM entity")}
        assert stored == set(self.life.things)

    def look_around(self, agent: str, first: int, second: int, third: int) -> None:
        """One agent reads, at some instants and about some things."""
        as_of, known_at = self.instant(first), self.instant(second)
        memory, now = self.of[agent], self.now
        self.look_at_lists(agent, as_of, known_at)
        stats = memory.stats()
        held = self.life.listed(agent, now, now)
        assert stats.memories == sum(stats.by_kind.values()) == len(held)
        assert stats.by_kind == {
            kind: sum(self.life.memories[one].kind == kind for one in held)
            for kind in sorted({self.life.memories[one].kind for one in held})
        }
        assert stats.entities == sum(
            self.life.state_at(agent, thing, now, now) is not None for thing in self.life.things.values()
        )
        if self.life.memories:
            one = self.pick(third)
            self.look_at_memory(agent, one, as_of, known_at)
            self.look_for(agent, one, as_of, known_at, second)
            self.look_back(agent, one, now)
            self.look_back(agent, one, known_at)
        if self.erased:
            assert (
                memory.recall(
                    self.erased[third % len(self.erased)], known_at=known_at, superseded=True, expand=False
                ).hits
                == ()
            )
        if self.life.things:
            thing = self.pick_thing(third)
            self.look_at_thing(agent, thing, as_of, known_at)
            self.look_at_thing(agent, thing, as_of, now)
            self.look_for_name(agent, NAMES[first % len(NAMES)])

    def look_at_lists(self, agent: str, as_of: datetime, known_at: datetime) -> None:
        memory = self.of[agent]
        for then, known in ((as_of, None), (None, known_at), (as_of, known_at)):
            shown = memory.list(limit=500, as_of=then, known_at=known).memories
            expected = self.life.listed(agent, then or self.now, known or self.now)
            assert [one.id for one in shown] == expected, (agent, then, known)
            for one in shown:
                self.same(agent, one, self.life.memories[one.id], known or self.now)

    def look_at_memory(self, agent: str, one: Kept, as_of: datetime, known_at: datetime) -> None:
        """Without as_of a memory is there until it is retracted; with it, if it held then."""
        memory = self.of[agent]
        for then, known in ((None, self.now), (None, known_at), (as_of, self.now), (as_of, known_at)):
            version = self.life.seen(agent, one, known)
            there = version is not None and version.retracted_at is None
            if there and then is not None:
                there = version.status == "active" and version.holds(then)
            if there:
                self.same(agent, memory.get(one.id, as_of=then, known_at=known), one, known)
                assert memory.get(one.id[-12:], as_of=then, known_at=known).id == one.id
            else:

                def get(name: str, then: datetime | None = then, known: datetime = known) -> Memory:
                    return memory.get(name, as_of=then, known_at=known)

                self.refused(NotFound, get, one.id)

    def look_for(self, agent: str, one: Kept, as_of: datetime, known_at: datetime, way: int) -> None:
        """A word that only some memories hold finds those that the agent may see, as they stood."""
        memory, word = self.of[agent], one.word
        asked: list[tuple[str, dict[str, Any], bool]] = [
            (word, {}, False),
            (word, {"superseded": True}, True),
            (f"why {word}?", {}, True),
            (f"{word}, previously", {}, True),
            (f"why {word}?", {"superseded": False}, False),
        ]
        for then, known in ((None, None), (as_of, known_at)):
            for query, options, superseded in (asked[way % len(asked)], asked[(way + 1) % len(asked)]):
                answer = memory.recall(query, limit=50, expand=False, as_of=then, known_at=known, **options)
                expected = {
                    found
                    for found in self.life.listed(agent, then or self.now, known or self.now, superseded=superseded)
                    if self.life.memories[found].word == word
                }
                assert {hit.memory.id for hit in answer.hits} == expected, (agent, query, then, known)
                for hit in answer.hits:
                    self.same(agent, hit.memory, self.life.memories[hit.memory.id], known or self.now)
                    version = self.life.seen(agent, self.life.memories[hit.memory.id], known or self.now)
                    over = version.superseded_by is not None and not version.holds(then or self.now)
                    assert hit.staleness.superseded == over
                    assert hit.staleness.superseded_by == (self.life.successor(agent, version) if over else None)
                    assert hit.staleness.last_verified_at == version.last_verified_at

    def look_back(self, agent: str, one: Kept, known_at: datetime) -> None:
        """The history of a memory is what was done to it and to those it belongs with, by then."""

        def history(name: str) -> MemoryHistory | EntityHistory:
            return self.of[agent].history(name, known_at=known_at)

        if not self.life.seen(agent, one, known_at):
            return self.refused(NotFound, history, one.id)
        told = history(one.id)
        assert isinstance(told, MemoryHistory)
        shown = [self.life.memories[memory.id] for memory in told.memories]
        assert all(self.life.seen(agent, each, known_at) for each in shown)
        lineage, ties = self.life.lineage(agent, one.id, known_at)
        assert lineage <= {each.id for each in shown}
        replacing = {(link.type, link.from_id, link.to_id) for link in told.links}
        assert ties <= replacing
        known = {
            (tie.type, tie.from_id, tie.to_id)
            for tie in self.life.ties
            if tie.known_from <= known_at and (tie.known_until is None or known_at < tie.known_until)
        }
        assert replacing <= known, replacing - known
        assert [step.at for step in told.steps] == sorted(step.at for step in told.steps)
        for each in shown:
            steps = [step for step in told.steps if step.memory_id == each.id]
            versions = [version for version in each.versions if version.known_from <= known_at]
            if not self.life.readable(agent, each.id):
                versions = []  # it was seen then, and may no longer be
            assert [(step.at, step.verb, step.by, step.text) for step in steps] == [
                (version.known_from, version.verb, version.by, each.text) for version in versions
            ]
            for step in steps:
                if step.verb == "reverify":
                    assert set(step.changed) == {"last_verified_at"}
                if step.verb == "vote":
                    assert set(step.changed) <= {"confidence"}
        return None

    def look_at_thing(self, agent: str, thing: Thing, as_of: datetime, known_at: datetime) -> None:
        memory = self.of[agent]

        def entity(name: str) -> Any:
            return memory.entity(name, as_of=as_of, known_at=known_at)

        held = self.life.state_at(agent, thing, as_of, known_at)
        if held is None:
            return self.refused(NotFound, entity, thing.id)
        expected = self.life.states(agent, thing, known_at)
        found = entity(thing.id)
        self.same_state(agent, found.state, held)
        assert (found.author, found.visibility, found.group) == (thing.author, thing.visibility, thing.group)
        assert found.mention_count == self.life.spoken_of(agent, thing, known_at)
        told = memory.history(thing.id, as_of=as_of, known_at=known_at)
        assert isinstance(told, EntityHistory)
        upto = [state for state in expected if state.start <= as_of]
        assert len(told.states) == len(upto)
        for state, wanted in zip(told.states, upto, strict=True):
            self.same_state(agent, state, wanted)
        assert all(left.valid_until == right.valid_from for left, right in pairwise(told.states))
        assert all(state.valid_until is None or state.valid_from < state.valid_until for state in told.states)
        assert not [word for word in self.erased if word in repr(told)]
        return None

    def look_for_name(self, agent: str, name: str) -> None:
        found = self.life.named(agent, name, self.now)
        if len(found) == 1:
            entity = self.of[agent].entity(name)
            assert entity.id == found[0].id
            assert {entity.name, *entity.aliases} == self.life.called(agent, found[0]) | {entity.name}
        else:
            self.refused(InvalidInput if found else NotFound, self.of[agent].entity, name)

    def same_state(self, agent: str, state: EntityState, wanted: State) -> None:
        assert (state.valid_from, state.valid_until) == (wanted.start, wanted.end)
        assert (state.name, state.event, state.cause_id) == (wanted.name, wanted.event, wanted.cause)
        assert {name: (prop.value, prop.memory_id) for name, prop in state.props.items()} == wanted.props

    def same(self, agent: str, memory: Memory, one: Kept, known_at: datetime) -> None:
        """A memory is shown as the model knows it."""
        version = self.life.seen(agent, one, known_at)
        assert (memory.text, memory.kind, memory.provenance.author) == (one.text, one.kind, one.author)
        assert memory.created_at == one.versions[0].known_from
        for name in ("valid_from", "valid_until", "retracted_at", "status", "visibility", "group", "last_verified_at"):
            assert getattr(memory, name) == getattr(version, name), name
        assert memory.confidence == pytest.approx(version.confidence)
        assert memory.superseded == (version.superseded_by is not None)
        assert memory.superseded_by == self.life.successor(agent, version)


def _rows(engine: Engine, query: str, *params: object) -> list[tuple[Any, ...]]:
    """Rows of the tenant's own tables, past every predicate."""
    with engine._parts.store._home.reading(Scope("default", "default", "default")) as connection:  # type: ignore[attr-defined]
        return connection.execute(query, params).fetchall()


def _time(micros: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + micros * TICK


def _places_with(engine: Engine, word: str) -> list[str]:
    """Tables in which a word stands anywhere."""
    tables = [name for (name,) in _rows(engine, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    plain = [name for name in tables if not name.startswith(("lexical_", "identifier_", "sqlite_"))]
    return [name for name in plain if word in repr(_rows(engine, f'SELECT * FROM "{name}"'))]  # noqa: S608


def _differences(one: Memory, other: Memory) -> set[str]:
    return {item.name for item in fields(Memory) if getattr(one, item.name) != getattr(other, item.name)}


@pytest.mark.req("X1")
@pytest.mark.req("S6")
@pytest.mark.req("T7")
@pytest.mark.req("T9")
@pytest.mark.req("T11")
@pytest.mark.req("I12")
class TestLives(Lives.TestCase):
    settings = settings(deadline=None, max_examples=25, stateful_step_count=30, print_blob=True)


# Facts at the boundaries


class Clock:
    """A clock that stands still until it is told to move."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        return self.time

    def advance(self, by: timedelta) -> None:
        self.time += by


@dataclass
class Ship:
    """Three agents of one project that read what is shared, each with its memory."""

    clock: Clock
    engine: Engine
    anne: Trigraph
    bert: Trigraph
    cleo: Trigraph

    @property
    def now(self) -> datetime:
        return self.engine.now(self.anne.scope)

    def let_cleo_read_only_what_anne_wrote(self) -> None:
        self.engine.admin.set_agent("default", "default", "cleo", ReadPolicy.GROUP)
        self.engine.admin.add_group("default", "default", "crew")
        for agent in ("anne", "cleo"):
            self.engine.admin.join("default", "default", "crew", agent)


@pytest.fixture
def ship() -> Iterator[Ship]:
    clock = Clock()
    with open_engine(WITHOUT_MODEL, in_memory=True, clock=clock) as engine:
        for agent in ("anne", "bert", "cleo"):
            engine.admin.set_agent("default", "default", agent)
        yield Ship(
            clock,
            engine,
            *(Trigraph(engine, Scope("default", "default", agent)) for agent in ("anne", "bert", "cleo")),
        )


def _decisions(memory: Trigraph, name: str, **times: datetime) -> list[tuple[datetime, datetime | None, str]]:
    """The states of an entity: from when, until when, what was decided."""
    told = memory.history(name, **times)
    assert isinstance(told, EntityHistory)
    return [(state.valid_from, state.valid_until, state.props["decision"].value) for state in told.states]


@pytest.mark.req("T7")
@pytest.mark.req("X1")
def test_a_state_that_arrives_late_ends_where_the_next_begins_and_was_not_known_before(ship: Ship) -> None:
    memory, later = ship.anne, START + 10 * DAY
    memory.decide("moor at the quay", topic="Harbour", valid_from=START)
    memory.decide("moor at the pier", topic="Harbour", valid_from=later)
    before = ship.now
    ship.clock.advance(20 * DAY)
    between = START + 5 * DAY
    memory.decide("moor at the buoy", topic="Harbour", valid_from=between)
    assert _decisions(memory, "Harbour") == [
        (START, between, "moor at the quay"),
        (between, later, "moor at the buoy"),
        (later, None, "moor at the pier"),
    ]
    assert _decisions(memory, "Harbour", known_at=before, as_of=later) == [
        (START, later, "moor at the quay"),
        (later, None, "moor at the pier"),
    ]
    assert memory.entity("Harbour", as_of=between).state.props["decision"].value == "moor at the buoy"
    assert memory.entity("Harbour", as_of=between - TICK).state.props["decision"].value == "moor at the quay"
    assert memory.entity("Harbour", as_of=between, known_at=before).state.props["decision"].value == "moor at the quay"
    assert memory.entity("Harbour").state.props["decision"].value == "moor at the pier"


@pytest.mark.req("T7")
def test_a_state_before_all_others_becomes_the_first(ship: Ship) -> None:
    memory = ship.anne
    memory.decide("moor at the quay", topic="Harbour")
    before = ship.now
    memory.decide("moor nowhere", topic="Harbour", valid_from=START - DAY)
    assert _decisions(memory, "Harbour") == [
        (START - DAY, START, "moor nowhere"),
        (START, None, "moor at the quay"),
    ]
    assert memory.entity("Harbour", as_of=START - HOUR).state.props["decision"].value == "moor nowhere"
    with pytest.raises(NotFound):
        memory.entity("Harbour", as_of=START - HOUR, known_at=before)


@pytest.mark.req("T7")
def test_two_changes_at_one_instant_leave_the_later(ship: Ship) -> None:
    memory = ship.anne
    memory.decide("moor at the quay", topic="Harbour", valid_from=START)
    before = ship.now
    memory.decide("moor at the pier", topic="Harbour", valid_from=START)
    assert _decisions(memory, "Harbour") == [(START, None, "moor at the pier")]
    assert _decisions(memory, "Harbour", known_at=before) == [(START, None, "moor at the quay")]


@pytest.mark.req("T7")
@pytest.mark.req("S6")
def test_a_change_at_the_same_instant_that_one_may_not_see_takes_nothing_from_what_one_may(ship: Ship) -> None:
    ship.let_cleo_read_only_what_anne_wrote()
    seen = ship.anne.decide("moor at the quay", topic="Harbour", valid_from=START).id
    ship.bert.decide("moor at the pier", topic="Harbour", valid_from=START)
    subject = ship.cleo.get(seen).subject
    assert subject is None or subject.name == "Harbour"
    assert len(ship.cleo.entities().entities) == ship.cleo.stats().entities
    assert [one.name for one in ship.cleo.mentions(seen)] in (["Harbour"], [])


@pytest.mark.req("T7")
@pytest.mark.req("I12")
def test_whoever_decided_can_supersede_that_whatever_others_did_to_the_entity_unseen(ship: Ship) -> None:
    own = ship.anne.decide("moor at the quay", topic="Harbour", valid_from=START).id
    ship.bert.archive("Harbour", valid_from=START)
    ship.engine.admin.set_agent("default", "default", "anne", ReadPolicy.ISOLATED)
    ship.clock.advance(HOUR)
    assert ship.anne.supersede(own, "moor at the pier").replaced == (own,)


@pytest.mark.req("S6")
def test_a_name_given_by_a_memory_that_one_may_not_see_is_not_told(ship: Ship) -> None:
    ship.let_cleo_read_only_what_anne_wrote()
    ship.anne.decide("moor at the quay", topic="Harbour")
    ship.clock.advance(HOUR)
    ship.bert.rename("Harbour", "Capstan", text="it has another name")
    ship.clock.advance(HOUR)
    ship.anne.decide("moor at the pier", topic="Harbour")
    told = ship.cleo.history("Harbour")
    assert isinstance(told, EntityHistory)
    assert "Capstan" not in repr(told)


@pytest.mark.req("S6")
def test_a_name_that_one_gives_is_understood_even_where_another_gave_it_unseen(ship: Ship) -> None:
    ship.let_cleo_read_only_what_anne_wrote()
    there = ship.anne.decide("moor at the quay", topic="Harbour").entity_id
    ship.bert.alias("Harbour", "Capstan", text="it has another name")
    ship.cleo.alias("Harbour", "Capstan", text="it has another name, too")
    assert ship.cleo.entity("Capstan").id == there


@pytest.mark.req("T9")
@pytest.mark.req("T11")
def test_validity_is_half_open_to_the_microsecond(ship: Ship) -> None:
    memory, turn = ship.anne, START + DAY
    old = memory.remember("the tide is low", valid_from=START).id
    assert old is not None
    ship.clock.advance(2 * DAY)
    new = memory.supersede(old, "the tide is high", valid_from=turn).id
    assert [one.id for one in memory.list(as_of=turn - TICK).memories] == [old]
    assert [one.id for one in memory.list(as_of=turn).memories] == [new]
    assert [one.id for one in memory.list(as_of=START).memories] == [old]
    assert memory.list(as_of=START - TICK).memories == ()
    before = {hit.memory.id: hit.staleness for hit in memory.recall("tide", as_of=turn - TICK, superseded=True).hits}
    assert set(before) == {old}
    assert not before[old].superseded
    after = {hit.memory.id: hit.staleness for hit in memory.recall("tide", as_of=turn, superseded=True).hits}
    assert set(after) == {old, new}
    assert (after[old].superseded, after[old].superseded_by, after[new].superseded) == (True, new, False)


@pytest.mark.req("X1")
@pytest.mark.req("I12")
def test_what_was_known_is_half_open_to_the_microsecond(ship: Ship) -> None:
    memory = ship.anne
    old = memory.remember("the tide is low").id
    assert old is not None
    ship.clock.advance(DAY)
    changed = memory.correct(old, "the tide is high")
    assert [one.id for one in memory.list(known_at=changed.at - TICK).memories] == [old]
    assert [one.id for one in memory.list(known_at=changed.at).memories] == [changed.id]
    assert [one.id for one in memory.list(as_of=START).memories] == [changed.id]
    assert memory.list(known_at=START - TICK).memories == ()


@pytest.mark.req("I12")
def test_what_stands_cannot_be_restored_again(ship: Ship) -> None:
    """Restoring twice is no undoing of the restoring."""
    memory = ship.anne
    id = memory.remember("the tide is low").id
    assert id is not None
    memory.forget(id)
    memory.restore(id)
    with pytest.raises(Conflict):
        memory.restore(id)
    assert memory.get(id).text == "the tide is low"


@pytest.mark.req("I12")
def test_restoring_undoes_one_thing_after_the_other(ship: Ship) -> None:
    memory = ship.anne
    id = memory.remember("the tide is low").id
    assert id is not None
    ship.clock.advance(HOUR)
    memory.supersede(id, "the tide is high")
    memory.forget(id)
    memory.restore(id)
    assert memory.get(id).superseded
    memory.restore(id)
    restored = memory.get(id)
    assert (restored.superseded, restored.valid_until, restored.status) == (False, None, "active")


@pytest.mark.req("I12")
@pytest.mark.req("S6")
def test_what_is_restored_counts_as_corrected_for_nobody(ship: Ship) -> None:
    """Also when whoever restores it may not see the correction."""
    id = ship.anne.remember("the tide is low").id
    assert id is not None
    ship.bert.correct(id, "the tide is high")
    ship.engine.admin.set_agent("default", "default", "anne", ReadPolicy.ISOLATED)
    ship.anne.restore(id)
    told = ship.bert.history(id)
    assert isinstance(told, MemoryHistory)
    assert told.links == ()
    assert [one.id for one in told.memories] == [id]


@pytest.mark.req("I12")
def test_the_restore_window_counts_from_the_forgetting(ship: Ship) -> None:
    memory = ship.anne
    id = memory.remember("the tide is low").id
    assert id is not None
    memory.correct(id, "the tide is high")
    ship.clock.advance(40 * DAY)
    memory.forget(id)
    ship.clock.advance(DAY)
    assert memory.restore(id).ids == (id,)


@pytest.mark.req("I12")
@pytest.mark.req("T7")
def test_what_was_corrected_stands_in_no_later_state_either(ship: Ship) -> None:
    memory = ship.anne
    wrong = memory.decide("moor at the quay", topic="Harbour").id
    ship.clock.advance(HOUR)
    memory.rename("Harbour", "Capstan")
    before = ship.now
    ship.clock.advance(HOUR)
    right = memory.correct(wrong, "moor at the pier").id
    prop = memory.entity("Capstan").state.props["decision"]
    assert (prop.value, prop.memory_id) == ("moor at the pier", right)
    assert memory.entity("Capstan", known_at=before).state.props["decision"].value == "moor at the quay"


@pytest.mark.req("I12")
@pytest.mark.req("T7")
def test_a_correction_speaks_for_what_it_corrects_where_another_change_took_its_instant(ship: Ship) -> None:
    memory = ship.anne
    wrong = memory.decide("moor at the quay", topic="Harbour", valid_from=START).id
    memory.rename("Harbour", "Capstan", valid_from=START)
    right = memory.correct(wrong, "moor at the pier").id
    prop = memory.entity("Capstan").state.props["decision"]
    assert (prop.value, prop.memory_id) == ("moor at the pier", right)


@pytest.mark.req("T9")
@pytest.mark.parametrize("put_aside", ["forget", "correct"])
def test_what_no_longer_stands_is_no_property_of_an_entity(ship: Ship, put_aside: str) -> None:
    memory = ship.anne
    memory.remember("it lies to the north", subject="Harbour")
    gone = memory.decide("moor at the quay", topic="Harbour").id
    before = ship.now
    ship.clock.advance(HOUR)
    if put_aside == "forget":
        memory.forget(gone)
    else:
        memory.correct(gone, "moor at the pier")
    assert "quay" not in repr(memory.entity("Harbour"))
    assert "quay" in repr(memory.entity("Harbour", known_at=before))


@pytest.mark.req("T7")
def test_an_entity_keeps_the_name_it_goes_by_when_the_memory_that_made_it_is_erased(ship: Ship) -> None:
    memory = ship.anne
    made = memory.remember("it lies to the north", subject="Harbour").id
    assert made is not None
    memory.remember("it is deep", topic="Harbour")
    there = memory.entity("Harbour").id
    memory.erase(made)
    assert [(one.id, one.name) for one in memory.entities().entities] == [(there, "Harbour")]
    assert memory.entity("Harbour").id == there


@pytest.mark.req("T7")
@pytest.mark.req("X1")
def test_an_entity_keeps_a_state_at_every_known_at_when_the_memory_that_made_it_is_erased(ship: Ship) -> None:
    memory = ship.anne
    made = memory.decide("moor at the quay", topic="Harbour")
    memory.remember("it is deep", topic="Harbour")
    known = ship.now
    ship.clock.advance(HOUR)
    memory.decide("moor at the pier", topic="Harbour")
    memory.erase(made.id)
    assert made.entity_id is not None
    for at in (known, ship.now):
        found = memory.entity(made.entity_id, as_of=START + TICK, known_at=at)
        assert found.state.name == "Harbour"
        assert "quay" not in repr(found)


@pytest.mark.req("T7")
def test_erasing_a_state_in_the_middle_closes_the_chain(ship: Ship) -> None:
    memory = ship.anne
    memory.decide("moor at the quay", topic="Harbour", valid_from=START)
    middle = memory.decide("moor at the buoy", topic="Harbour", valid_from=START + HOUR).id
    memory.decide("moor at the pier", topic="Harbour", valid_from=START + DAY)
    known = ship.now
    memory.erase(middle)
    ship.clock.advance(2 * DAY)
    expected = [(START, START + DAY, "moor at the quay"), (START + DAY, None, "moor at the pier")]
    assert _decisions(memory, "Harbour") == expected
    assert _decisions(memory, "Harbour", as_of=START + 2 * DAY, known_at=known) == expected


@pytest.mark.req("X1")
def test_transactions_under_a_clock_that_stands_still_or_goes_back_are_told_apart(ship: Ship) -> None:
    memory = ship.anne
    id = memory.remember("the tide is low").id
    assert id is not None
    ship.clock.advance(-HOUR)
    changes = [memory.forget(id), memory.restore(id), memory.reverify(id)]
    told = memory.history(id)
    assert isinstance(told, MemoryHistory)
    assert [(step.at, step.verb) for step in told.steps] == [
        (START, "remember"),
        *((changed.at, changed.verb) for changed in changes),
    ]
    assert all(left.at < right.at for left, right in pairwise(told.steps))
    assert [len(memory.list(known_at=step.at).memories) for step in told.steps] == [1, 0, 1, 1]


@pytest.mark.req("S6")
def test_who_loses_a_group_loses_its_past_as_well(ship: Ship) -> None:
    """Membership counts as of now, whatever time is asked about."""
    ship.let_cleo_read_only_what_anne_wrote()
    id = ship.anne.remember("the tide is low", visibility="group", group="crew").id
    assert id is not None
    known = ship.now
    assert ship.cleo.get(id, known_at=known).id == id
    ship.engine.admin.leave("default", "default", "crew", "cleo")
    with pytest.raises(NotFound):
        ship.cleo.get(id, known_at=known)
    assert ship.cleo.list(known_at=known).memories == ()
    ship.engine.admin.join("default", "default", "crew", "cleo")
    assert [one.id for one in ship.cleo.list(known_at=known).memories] == [id]


@pytest.mark.req("S6")
@pytest.mark.req("X1")
def test_what_was_shared_later_was_not_known_to_others_before(ship: Ship) -> None:
    id = ship.anne.remember("the tide is low", visibility="private").id
    assert id is not None
    ship.clock.advance(HOUR)
    at = ship.anne.share(id, "shared").at
    assert [one.id for one in ship.bert.list().memories] == [id]
    assert ship.bert.list(known_at=at - TICK).memories == ()
    assert [one.id for one in ship.anne.list(known_at=at - TICK).memories] == [id]
