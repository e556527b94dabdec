"""Nobody learns what he may not see: not by any door, not from an error, a count, an export or another's writing.

Random worlds of tenants, projects, agents and groups, in which every memory, name, tag, alias, property, topic,
reason, note, title, session and address carries a word of its own. Every answer that any agent gets is read whole,
and each word and id in it must be one that this agent may know, by the rules of the glossary as they are written
down here once more, in plain Python.
"""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.engine.engine import Engine
from trigraph.errors import InvalidInput, NotFound, TrigraphError
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.memory import Memory
from trigraph.model.scope import Scope
from trigraph.settings import EmbedderSettings, Settings

START = datetime(2026, 9, 1, 12, tzinfo=UTC)
WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"))
WORD = re.compile(r"zq[a-z]{10}")
ID = re.compile(r"[a-z]_[0-9a-hjkmnp-tv-z]{26}")
ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
NAMES = ("anna", "bert", "cleo", "dora", "emil", "fred", "gina", "hugo")
KINDS = ("fact", "preference", "constraint", "insight", "context", "document", "skill")
STATUSES = ("active", "archived", "forgotten", "quarantined")
OUT_OF_SCOPE = {"admin", "close"}
"""What is no door of an agent: the registry belongs to whoever runs the store, and closing answers nothing."""


# Who may see what, by the glossary


@dataclass(eq=False)
class Agent:
    """An agent as the rules see it. Without a policy it was never registered."""

    tenant: str
    project: str
    name: str
    policy: str | None
    groups: set[str] = field(default_factory=set)
    own_words: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)

    @property
    def home(self) -> tuple[str, str]:
        return self.tenant, self.project

    def __str__(self) -> str:
        return f"{self.tenant}/{self.project}/{self.name} ({self.policy}, {sorted(self.groups)})"


@dataclass(eq=False)
class Told:
    """A memory as the rules see it: who wrote it for whom, the words in it, and what became of it."""

    id: str
    home: tuple[str, str]
    author: str
    visibility: str
    group: str | None
    kind: str
    words: set[str]
    labels: set[str]
    """Those of its words that a memory in its place takes over: topic, tags, domains, subject."""
    fields: Mapping[str, Any]
    probe: str
    text: str
    status: str = "active"
    retracted: bool = False
    ended: bool = False
    thread: str | None = None
    session: str | None = None
    entities: set[str] = field(default_factory=set)

    @property
    def standing(self) -> bool:
        return self.status in ("active", "archived") and not self.retracted

    @property
    def current(self) -> bool:
        return self.status == "active" and not self.retracted and not self.ended


@dataclass(eq=False)
class Thing:
    """An entity: it has the audience of the memory that made it."""

    id: str
    maker: Told
    names: set[str]


@dataclass(eq=False)
class Arrow:
    """A link between two memories, with the words of its reason."""

    id: str
    ends: tuple[str, str]
    words: set[str]


@dataclass(eq=False)
class Talk:
    """A thread: seen by whoever began it, and by whoever sees one of its episodes."""

    id: str
    home: tuple[str, str]
    author: str
    name: str
    words: set[str]


# What an answer holds


def written_out(answer: object) -> str:
    """Everything that a caller could read in an answer, an error or a file."""
    if isinstance(answer, bytes):
        return answer.decode()
    if isinstance(answer, BaseException):
        parts = [repr(answer), str(answer), repr(answer.args), repr(vars(answer)), str(getattr(answer, "code", ""))]
        if isinstance(answer, TrigraphError):
            parts += [repr(answer.fix), json.dumps(wire.error_json(answer))]
        parts += [written_out(one) for one in (answer.__cause__, answer.__context__) if one is not None]
        return "\n".join(parts)
    facts = repr(wire.memory_facts(answer)) if isinstance(answer, Memory) else ""
    return json.dumps(wire.to_json(answer), ensure_ascii=False, default=repr) + repr(answer) + facts


def tokens(text: str) -> set[str]:
    """The marked words and the ids in a text."""
    low = text.lower()
    return {*WORD.findall(low), *ID.findall(low)}


def signature(answer: object, given: str) -> tuple[object, ...]:
    """What an error tells beside the name that the caller gave."""
    assert isinstance(answer, TrigraphError), f"{given} was answered with {answer!r}"
    told = [str(answer), answer.message, answer.fix, getattr(answer, "field", None), getattr(answer, "allowed", None)]
    return (type(answer), answer.code, *(repr(one).replace(given, "ID") for one in told))


class World:
    """An engine, the agents on it, and what the rules say of all that was ever told in it."""

    def __init__(self, engine: Engine, dice: Random, folder: Path, times: list[datetime]) -> None:
        self.engine = engine
        self.dice = dice
        self.folder = folder
        self.times = times
        self.agents: list[Agent] = []
        self.groups: dict[tuple[str, str], list[str]] = {}
        self.told: dict[str, Told] = {}
        self.things: dict[str, Thing] = {}
        self.arrows: dict[str, Arrow] = {}
        self.talks: dict[str, Talk] = {}
        self.marks: dict[str, str] = {}
        """Every word and id that somebody brought into the world, and where it came from."""
        self.exercised: set[str] = set()
        self.triples: set[tuple[Agent, str, str]] = set()
        self.sightings = 0
        self.leaks: list[str] = []
        self._allowed: dict[Agent, set[str]] = {}

    # Making it

    def word(self, what: str = "word") -> str:
        made = "zq" + "".join(self.dice.choices("abcdefghijklmnopqrstuvwxyz", k=10))
        self.marks[made] = what
        return made

    def add_tenant(self, name: str) -> None:
        self.engine.admin.add_tenant(name)

    def add_project(self, tenant: str, name: str) -> None:
        if name != "default":
            self.engine.admin.add_project(tenant, name)

    def add_agent(self, tenant: str, project: str, name: str, policy: str | None) -> Agent:
        agent = Agent(tenant, project, name, policy)
        if policy is not None:
            self.engine.admin.set_agent(tenant, project, name, ReadPolicy(policy))
        self.agents.append(agent)
        return agent

    def add_group(self, tenant: str, project: str, name: str) -> str:
        self.engine.admin.add_group(tenant, project, name)
        self.groups.setdefault((tenant, project), []).append(name)
        return name

    def join(self, agent: Agent, group: str) -> None:
        self.engine.admin.join(*agent.home, group, agent.name)
        agent.groups.add(group)
        self._allowed.clear()

    def leave(self, agent: Agent, group: str) -> None:
        self.engine.admin.leave(*agent.home, group, agent.name)
        agent.groups.discard(group)
        self._allowed.clear()

    def set_policy(self, agent: Agent, policy: str) -> None:
        self.engine.admin.set_agent(*agent.home, agent.name, ReadPolicy(policy))
        agent.policy = policy
        self._allowed.clear()

    # The rules

    def fellows(self, agent: Agent) -> set[str]:
        return {one.name for one in self.agents if one.home == agent.home and one.groups & agent.groups}

    def may_see(self, agent: Agent, told: Told) -> bool:
        if agent.home != told.home:
            return False
        if agent.name == told.author:
            return True
        if agent.policy not in ("group", "shared") or told.visibility == "private":
            return False
        if told.visibility == "group":
            return told.group in agent.groups
        return agent.policy == "shared" or told.author in self.fellows(agent)

    def seen_by(self, agent: Agent) -> list[Told]:
        return [one for one in self.told.values() if one.status != "erased" and self.may_see(agent, one)]

    def hidden_from(self, agent: Agent) -> list[Told]:
        return [one for one in self.told.values() if one.status != "erased" and not self.may_see(agent, one)]

    def things_seen_by(self, agent: Agent) -> dict[str, int]:
        """Entities whose audience includes the agent and that a memory speaks of which it may see → how many do."""
        counts = Counter(id_ for one in self.seen_by(agent) if one.standing for id_ in one.entities)
        return {id_: count for id_, count in counts.items() if self.may_see(agent, self.things[id_].maker)}

    def allowed(self, agent: Agent) -> set[str]:
        """Every word and id that the agent may come across."""
        if agent not in self._allowed:
            seen = self.seen_by(agent)
            ids = {one.id for one in seen}
            talks = {one.thread for one in seen} | {
                one.id for one in self.talks.values() if (one.home, one.author) == (agent.home, agent.name)
            }
            spoken_of = {id_ for one in seen for id_ in one.entities}
            self._allowed[agent] = (
                ids
                | {agent.tenant, agent.project, *agent.groups, *agent.own_words}
                | {word for one in seen for word in one.words}
                | {id_ for id_ in spoken_of if self.may_see(agent, self.things[id_].maker)}
                | {
                    mark
                    for one in self.arrows.values()
                    if one.ends[0] in ids and one.ends[1] in ids
                    for mark in (one.id, *one.words)
                }
                | {mark for one in self.talks.values() if one.id in talks for mark in (one.id, *one.words)}
            )
        return self._allowed[agent]

    # Calling, with every answer read whole

    def call(self, agent: Agent, door: str, *args: Any, about: Told | None = None, **kwargs: Any) -> Any:
        """Call a door as an agent; an error that trigraph raises on purpose is an answer too."""
        self.exercised.add(door)
        memory = Trigraph(self.engine, Scope(agent.tenant, agent.project, agent.name))
        said = tokens(repr((args, kwargs)))
        if door == "recall":
            agent.asked |= said
        try:
            answer = getattr(memory, door)(*args, **kwargs)
        except TrigraphError as error:
            answer = error
        self.read(agent, door, answer, said, about)
        return answer

    def read(self, agent: Agent, door: str, answer: object, said: set[str], about: Told | None = None) -> None:
        """Look for words and ids that the agent may not know. What it said itself tells it nothing."""
        held = (tokens(written_out(answer)) & self.marks.keys()) - said
        if door in ("recall_event", "export"):
            held -= agent.asked
        allowed = self.allowed(agent)
        self.sightings += len(held & allowed)
        for mark in sorted(held - allowed):
            self.leaks.append(f"{door} told {agent}: {mark}, {self.marks[mark]}")
        foreign = [about] if about is not None else self.told.values()
        self.triples.update((agent, one.id, door) for one in foreign if not self.may_see(agent, one))

    def answer(self, agent: Agent, door: str, *args: Any, **kwargs: Any) -> Any:
        """The answer to a call that must succeed."""
        found = self.call(agent, door, *args, **kwargs)
        if isinstance(found, TrigraphError):
            raise AssertionError(f"{agent} called {door}{args}{kwargs}") from found
        return found

    # Telling, with what was told kept for the rules

    def keep(
        self,
        agent: Agent,
        id_: str,
        said: object,
        *,
        visibility: str = "shared",
        group: str | None = None,
        kind: str = "fact",
        labels: set[str] = frozenset(),  # type: ignore[assignment]
        text: str = "",
        fields: Mapping[str, Any] | None = None,
        thread: str | None = None,
        of: str | None = None,
    ) -> Told:
        """Note a memory that an agent wrote, and the entities that it speaks of; `of` is the one that it changes."""
        self.times.append(self.times[-1] + timedelta(seconds=1))
        fields = fields or {}
        words = {*WORD.findall(repr(said).lower()), *labels}
        if group is not None:
            words |= set(WORD.findall(group))
        told = Told(
            id_,
            agent.home,
            agent.name,
            visibility,
            group,
            kind,
            words,
            labels | set(WORD.findall(repr([fields.get(one) for one in ("topic", "tags", "domains", "subject")]))),
            fields,
            next(iter(WORD.findall(text)), ""),
            text,
            thread=thread,
            session=fields.get("session"),
        )
        self.told[id_] = told
        self.marks[id_] = f"the id of a {visibility} memory of {agent}"
        for word in words:
            self.marks[word] = self.marks.get(word, "word") + f", told in a {visibility} {kind} of {agent.name}"
        self._allowed.clear()
        for mention in self.answer(agent, "mentions", id_):
            if mention.entity_id not in self.things:
                self.things[mention.entity_id] = Thing(mention.entity_id, told, set())
                self.marks[mention.entity_id] = f"the id of an entity made by a {visibility} memory of {agent}"
            self.things[mention.entity_id].names.add(mention.name)
            told.entities.add(mention.entity_id)
        self._allowed.clear()
        for one in self.answer(agent, "links", id_):
            self.keep_arrow(one)
        self._check_linking(told, told.entities - {of})
        return told

    def keep_arrow(self, link: Any) -> None:
        self.arrows[link.id] = Arrow(link.id, (link.from_id, link.to_id), set(WORD.findall(repr(link.reason))))
        self.marks[link.id] = f"the id of a link between {link.from_id} and {link.to_id}"
        self._allowed.clear()

    def _check_linking(self, told: Told, entities: set[str]) -> None:
        """A memory links only to entities that all its readers may see, but for what a verb was told to change."""
        for agent in self.agents:
            if self.may_see(agent, told):
                for id_ in entities:
                    assert self.may_see(agent, self.things[id_].maker), f"{agent} sees {told.id} but not {id_}"

    def audience(self, agent: Agent) -> dict[str, str]:
        """A random visibility that the agent may give a memory."""
        choices: list[dict[str, str]] = [{"visibility": "private"}, {"visibility": "private"}, {}, {}]
        choices += [{"visibility": "group", "group": one} for one in sorted(agent.groups)] * 2
        return self.dice.choice(choices)

    def remember(self, agent: Agent, text: str, **fields: Any) -> Told:
        """Remember a text that says nothing twice."""
        report = self.answer(agent, "remember", text, **fields)
        assert report.items[0].status == "added", report
        seen = {one: fields[one] for one in ("visibility", "group", "kind") if one in fields}
        return self.keep(agent, report.id, (text, fields), text=text, fields=fields, **seen)

    def share(self, agent: Agent, told: Told, visibility: str, group: str | None = None) -> None:
        self.answer(agent, "share", told.id, visibility, group=group)
        told.visibility, told.group = visibility, group
        if group is not None:
            told.words |= set(WORD.findall(group))
        self._allowed.clear()

    def changed(self, agent: Agent, said: object, answer: Any, *, old: Told | None = None, **more: Any) -> Told:
        """Note the memory that a verb wrote; in the place of an old one it is seen by the same agents."""
        if old is not None:
            more = {"visibility": old.visibility, "group": old.group, **more, "labels": old.labels}
        return self.keep(agent, answer.id, said, **more)


# Lives


def furnished(world: World, agent: Agent, pool: list[str]) -> tuple[str, dict[str, Any]]:
    """A text and fields for it, each with words of their own; some names are on many lips."""
    dice, word = world.dice, world.word
    name = dice.choice([word("name"), dice.choice(pool)])
    title = f"{word('name').capitalize()} {word('name').capitalize()}"
    text = f'The {word("text")} brought `{name}` to "{title}" on {word("text")}.'
    fields: dict[str, Any] = {"tags": [word("tag")], **world.audience(agent)}
    maybe: dict[str, Any] = {
        "topic": dice.choice([word("topic"), dice.choice(pool)]),
        "session": word("session"),
        "uri": f"https://example.org/{word('uri')}",
        "turn": word("turn"),
        "domains": [word("domain")],
        "subject": dice.choice([word("subject"), dice.choice(pool)]),
        "kind": dice.choice(KINDS),
        "source": dice.choice(["user", "agent", "web", "tool_output"]),
    }
    fields |= {one: value for one, value in maybe.items() if dice.random() < 0.5}
    if fields.get("kind") == "skill":
        fields.setdefault("subject", word("subject"))
    return text, fields


def live(world: World, agent: Agent, pool: list[str]) -> None:
    """One random thing that an agent does, with what it may see or anew."""
    dice, word = world.dice, world.word
    seen = [one for one in world.seen_by(agent) if one.current and one.kind != "episode"]
    own = [one for one in seen if one.author == agent.name]
    # What names a group can only be continued by its members.
    continued = [one for one in seen if one.group is None or one.group in agent.groups]
    step = dice.choice(STEPS)
    if step == "remember" or not own or not continued:
        text, fields = furnished(world, agent, pool)
        world.remember(agent, text, **fields)
        return
    old = dice.choice(continued)
    text = f"Then {word('text')} took {word('text')} from `{word('name')}`."
    match step:
        case "thread":
            tell_thread(world, agent)
        case "correct" | "supersede":
            said = {"reason": word("reason"), "uri": f"file:///{word('uri')}"}
            answer = world.answer(agent, step, old.id, text, **said)
            old.words |= set(WORD.findall(said["reason"]))
            old.retracted, old.ended = old.retracted or step == "correct", old.ended or step == "supersede"
            world.changed(agent, (text, said), answer, old=old, kind=old.kind, text=text)
        case "decide":
            said = {"topic": dice.choice([word("topic"), dice.choice(pool)]), "reasoning": word("reasoning")}
            heard = world.audience(agent)
            answer = world.answer(agent, "decide", text, **said, **heard)
            world.keep(agent, answer.id, (text, said), kind="decision", text=text, fields=said, **heard)
        case "decide anew":
            said = {"topic": word("topic"), "supersedes": old.id}
            answer = world.answer(agent, "decide", text, **said)
            old.ended = True
            seen_by = {"visibility": old.visibility, "group": old.group}
            world.keep(agent, answer.id, (text, said), kind="decision", text=text, fields=said, **seen_by)
        case "checkpoint":
            heard, said = world.audience(agent), {"implements": old.id, "session": word("session")}
            answer = world.answer(agent, "checkpoint", text, **said, **heard)
            topic = set(WORD.findall(repr(old.fields.get("topic")))) | old.labels
            labels = topic if as_wide(old, heard) else set()
            world.keep(agent, answer.id, (text, said), kind="checkpoint", text=text, labels=labels, **heard)
        case "evolve":
            reason = word("reason")
            answer = world.answer(agent, "evolve", old.id, dice.choice(["SUCCESS", "FAILED"]), reason)
            world.changed(agent, reason, answer, old=old, kind="outcome", text=reason)
        case "wrap":
            heard = world.audience(agent)
            session = dice.choice([one.session for one in own if one.session] or [word("session")])
            told = [one for one in own if one.session == session and as_wide(one, heard)]
            answer = world.answer(agent, "wrap", session, **heard)
            labels = {mark for one in told for mark in WORD.findall(one.text.lower())}
            world.keep(agent, answer.id, session, kind="summary", text=session, labels=labels, **heard)
        case "persona":
            said, heard = {word("prop"): word("prop")}, world.audience(agent)
            name = word("name").capitalize()
            answer = world.answer(agent, "persona_create", name, text, props=said, **heard)
            world.keep(agent, answer.id, (name, text, said), kind="context", text=text, labels={name.lower()}, **heard)
        case "entity":
            change_entity(world, agent)
        case "link":
            reason, other = word("reason"), dice.choice(seen)
            answer = world.call(agent, "link", old.id, other.id, "relates_to", reason=reason)
            if not isinstance(answer, TrigraphError):
                for one in world.answer(agent, "links", old.id):
                    world.keep_arrow(one)
        case "vote":
            reason = word("reason")
            world.answer(agent, "vote", old.id, dice.choice([1, -1]), reason)
            old.words.add(reason)
        case "cite":
            notes, session = word("notes"), word("session")
            answer = world.answer(agent, "recall", old.probe, session=session)
            agent.own_words |= {notes, session}
            world.answer(agent, "cite", answer.id, old.id, "cited", notes)
        case "forget" | "archive":
            reason = word("reason")
            world.answer(agent, step, old.id, reason=reason)
            old.words.add(reason)
            old.status = {"forget": "forgotten", "archive": "archived"}[step]
            if dice.random() < 0.3:
                world.answer(agent, "restore", old.id)
                old.status = "active"
        case "reverify":
            world.answer(agent, "reverify", old.id)
        case "share":
            mine = [one for one in own if one.visibility == "private"]
            if mine:
                world.share(agent, dice.choice(mine), *dice.choice([("shared",), *(("group", one) for one in agent.groups)]))
        case "erase":
            gone = dice.choice(own)
            world.answer(agent, "erase", gone.id)
            gone.status = "erased"
            world.told.pop(gone.id)
            world.told[gone.id] = gone
    world._allowed.clear()


STEPS = (
    *("remember",) * 10,
    *("thread", "share", "decide", "persona", "entity", "entity") * 2,
    *"correct supersede checkpoint evolve wrap link vote cite forget archive reverify erase".split(),
    "decide anew",
)


def as_wide(told: Told, heard: Mapping[str, str]) -> bool:
    """Whether a memory is seen by all that a new one with that audience is for."""
    visibility, group = heard.get("visibility", "shared"), heard.get("group")
    if told.visibility == "private" or visibility == "private":
        return visibility == "private"
    return told.visibility == "shared" or told.group == group


def tell_thread(world: World, agent: Agent) -> None:
    """Begin a thread, or go on with one, for another audience."""
    word = world.word
    mine = [one for one in world.talks.values() if (one.home, one.author) == (agent.home, agent.name)]
    heard = world.audience(agent)
    texts = [f"I saw {word('text')} with `{word('name')}`.", f"So did {word('text')}."]
    messages = [{"text": one, "speaker": word("speaker").capitalize()} for one in texts]
    if mine and world.dice.random() < 0.5:
        talk = world.dice.choice(mine)
        report = world.answer(agent, "remember_thread", messages, name=talk.name, append=True, **heard)
    else:
        said = {"name": word("thread"), "title": word("title"), "session": word("session")}
        report = world.answer(agent, "remember_thread", messages, **said, **heard)
        talk = Talk(report.thread_id, agent.home, agent.name, said["name"], set(said.values()))
        world.talks[talk.id] = talk
        world.marks[talk.id] = f"the id of a thread of {agent}"
    for item, message in zip(report.items, messages, strict=True):
        said = (message, talk.words)
        world.keep(agent, item.id, said, kind="episode", text=message["text"], thread=talk.id, **heard)


def change_entity(world: World, agent: Agent) -> None:
    """Rename, name further, retire or describe an entity that the agent may see."""
    dice, word = world.dice, world.word
    here = world.things_seen_by(agent)
    thing = world.things[dice.choice(sorted(here))]
    if thing.maker.group is not None and thing.maker.group not in agent.groups:
        return
    found = world.answer(agent, "entity", thing.id)
    name, before = word("name"), set(WORD.findall(found.name.lower()))
    match dice.choice(["rename", "alias", "describe", "retire"]):
        case "rename":
            said, answer = (name, before), world.answer(agent, "rename", thing.id, name)
        case "alias":
            said, answer = (name, before), world.answer(agent, "alias", thing.id, name)
        case "describe" if found.type == "persona":
            prop = {word("prop"): word("prop")}
            text = dice.choice([None, f"Now {word('text')} is meant."])
            answer = world.answer(agent, "persona_update", thing.id, text, props=prop)
            said = (prop, text, before)
        case _ if not found.retired:
            text = f"The {word('text')} is gone."
            said, answer = (text, before), world.answer(agent, "archive", thing.id, text=text)
        case _:
            said, answer = before, world.answer(agent, "restore", thing.id)
    for id_ in answer.replaced:
        world.told[id_].ended = True
    seen_by = {"visibility": thing.maker.visibility, "group": thing.maker.group}
    kind = "context" if answer.verb == "persona" else "fact"
    world.keep(agent, answer.id, said, kind=kind, text=name, of=thing.id, **seen_by)


def populate(world: World, *, tenants: int, steps: int, most_agents: int = 8) -> None:
    """Tenants with projects of the same names, agents of the same names, groups of the same names, and lives."""
    dice = world.dice
    common = world.word("name that all use")
    for number in range(tenants):
        tenant = world.word("tenant")
        world.add_tenant(tenant)
        for project in ["default", world.word("project")][: 2 if number == 0 else 1]:
            world.add_project(tenant, project)
            groups = [world.add_group(tenant, project, one) for one in ("blue", world.word("group"), world.word("group"))]
            names = dice.sample(NAMES, dice.randint(2, most_agents - 2))
            agents = [world.add_agent(tenant, project, "default", "shared")]
            for name in names:
                agents.append(world.add_agent(tenant, project, name, dice.choice(["isolated", "group", "group", "shared"])))
                for group in groups:
                    if dice.random() < 0.4:
                        world.join(agents[-1], group)
            agents.append(world.add_agent(tenant, project, "nobody", None))
            pool = [common, world.word("name that some use"), world.word("name that some use")]
            for _ in range(steps):
                live(world, dice.choice(agents), pool)


@contextmanager
def opened(seed: int, folder: Path, embedder: Embedder | None = None) -> Iterator[World]:
    """An empty world."""
    times = [START]
    settings = WITHOUT_MODEL if embedder is None else Settings()
    engine = open_engine(settings, in_memory=True, clock=lambda: times[-1], embedder=embedder)
    with engine:
        yield World(engine, Random(seed), folder, times)
