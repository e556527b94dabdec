"""Which entities a memory speaks of: exact names and aliases, and new entities from strong evidence.

A memory links only to entities that all its readers may see; where there is none, it makes one of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from trigraph.contracts import KnownName, NewEntity, NewMention
from trigraph.engine.parts import Parts
from trigraph.model.access import Audience, Reader
from trigraph.model.entity import ENTITY_PREFIX, EntityEvent
from trigraph.model.ids import new_id
from trigraph.model.memory import EntityType, Kind, Memory, Subject, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.names import FoundName, Names, lead_of, name_key, names_in, occurrences, outermost

MENTIONS_MOST = 200
"""So many entities of one memory are linked; a long document may name more."""

SUBJECT_CONFIDENCE = 1.0
TOPIC_CONFIDENCE = 0.9
WIDTH = {Visibility.PRIVATE: 0, Visibility.GROUP: 1, Visibility.SHARED: 2}


class NameBook:
    """The names that one transaction of one scope has looked up, and those of the entities it made: looked up once,
    however many memories it writes. `texts` are those that it is known to write."""

    def __init__(self, parts: Parts, scope: Scope, texts: Iterable[Names] = ()) -> None:
        self._parts = parts
        self._scope = scope
        self._by_lead: dict[str, list[KnownName]] = {}
        self._readers: list[Reader] | None = None
        self.known(frozenset().union(*(text.leads for text in texts)))

    def known(self, leads: Collection[str]) -> dict[str, list[KnownName]]:
        """Name key → entities of that name, of names with these leads."""
        unknown = [lead for lead in leads if lead not in self._by_lead]
        if unknown:
            self._by_lead |= {lead: [] for lead in unknown}
            for one in self._parts.store.entities.known_names(self._scope, unknown):
                self.add(one)
        known: dict[str, list[KnownName]] = {}
        for lead in leads:
            for one in self._by_lead[lead]:
                known.setdefault(one.name_key, []).append(one)
        return known

    def readers(self) -> list[Reader]:
        """Every registered agent of the project."""
        if self._readers is None:
            self._readers = self._parts.store.registry.roster(self._scope.tenant, self._scope.project)
        return self._readers

    def add(self, name: KnownName) -> None:
        """Make a name known to what follows in the transaction."""
        self._by_lead.setdefault(lead_of(name.name_key), []).append(name)


@dataclass(frozen=True, slots=True)
class Called:
    """A name that a caller gave for certain, and what sort of thing it is, if that was said.

    With `entity_id` it is that entity and no other; else, with `fresh`, a new one. With `changes` the memory will
    change its state, which only an entity of the same audience may be: others would learn from it what they may not
    see.
    """

    name: str
    type: EntityType | None = None
    entity_id: str | None = None
    changes: bool = False
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Tied:
    """What a memory is about, the ids of all that it speaks of, and which of them each name in it means (by key)."""

    subject: Subject | None
    entity_ids: tuple[str, ...]
    named: Mapping[str, str]


def link_entities(
    parts: Parts,
    scope: Scope,
    memory: Memory,
    names: Names,
    *,
    subject: Called | None = None,
    people: Iterable[str] = (),
    tied: Collection[str] = (),
    at: datetime | None = None,
    book: NameBook | None = None,
    prefer: Mapping[str, str] | None = None,
    further: Sequence[FoundName] = (),
) -> Tied:
    """Tie a memory to the entities it speaks of, but for those it is tied to already.

    `people` are names that are certainly persons'; `book` is shared by what one transaction writes; `prefer` says
    which entities some names (by key) mean, where that is known; `further` are names in the text that are certain.
    """
    linking = _Linking(parts, scope, memory, at or memory.created_at, book or NameBook(parts, scope), prefer or {})
    persons = {name_key(name): name for name in people}
    given = [name for name in (memory.topic, subject.name if subject else None) if name and name_key(name)]
    leads = {lead_of(name_key(name)) for name in given} | {lead_of(one.key) for one in further}
    linking.look_up(names.leads | leads)
    found = outermost([*further, *occurrences(names, linking.spellings(persons)), *names.outstanding])
    about = None
    if subject is not None:
        about = linking.take_subject(subject, found)
    elif memory.topic and (named := linking.choose(name_key(memory.topic))):
        linking.mentions[named.entity_id] = NewMention(named.entity_id, None, None, TOPIC_CONFIDENCE)
    for one in found[:MENTIONS_MOST]:
        linking.take(one, EntityType.PERSON if one.key in persons else one.type)
    fresh = [mention for mention in linking.mentions.values() if mention.entity_id not in tied]
    if fresh:
        parts.store.entities.mention(scope, memory.id, fresh, linking.at)
    return Tied(about, tuple(linking.mentions), linking.named)


def relink(parts: Parts, scope: Scope, memory: Memory, at: datetime) -> None:
    """Tie a memory that more agents may see now to entities that all of them may see."""
    moment = Moment(at, at)
    book = NameBook(parts, scope)
    fits = everyone_sees(memory, book)
    mentions = parts.store.entities.mentions_of(scope, [memory.id], moment)
    found = parts.store.entities.get(scope, [one.entity_id for one in mentions], moment)
    fitting = {one.id for one in found if fits(one.audience)}
    hidden = [one.entity_id for one in mentions if one.entity_id not in fitting]
    if not hidden:
        return
    parts.store.entities.unmention(scope, memory.id, hidden, at)
    about = memory.subject
    subject = Called(about.name) if about is not None and about.id in hidden else None
    said = parts.store.entities.changes_by(scope, memory.id)
    names = names_in(memory.text)
    fresh = link_entities(parts, scope, memory, names, subject=subject, tied=fitting, at=at, book=book).subject
    if fresh is not None and about is not None:
        for entity_id, state in said:  # what it said of the thing it was tied to, it says of the one that all may see
            if entity_id == about.id and state.event is not EntityEvent.CREATED:
                parts.store.entities.put_state(scope, fresh.id, state, at)
        if memory.kind is Kind.DECISION:
            parts.store.entities.set_type(scope, fresh.id, EntityType.CONCEPT)


class _Linking:
    """One memory on its way to its entities: what is known by the names in it, and the mentions so far."""

    def __init__(
        self, parts: Parts, scope: Scope, memory: Memory, at: datetime, book: NameBook, prefer: Mapping[str, str]
    ) -> None:
        self.at = at
        self._prefer = dict(prefer)
        self._book = book
        self._parts = parts
        self._scope = scope
        self._memory = memory
        self._known: dict[str, list[KnownName]] = {}
        self._fits = everyone_sees(memory, book)
        self.mentions: dict[str, NewMention] = {}
        self.named: dict[str, str] = {}

    def look_up(self, leads: Collection[str]) -> None:
        self._known = self._book.known(leads)

    def spellings(self, further: Mapping[str, str]) -> dict[str, list[str]]:
        """Name key → how that name is written, of all that is known and some more."""
        written = {key: [one.name for one in alike] for key, alike in self._known.items()}
        for key, name in further.items():
            written.setdefault(key, []).append(name)
        return written

    def choose(self, key: str, type_: EntityType | None = None, *, to_change: bool = False) -> KnownName | None:
        """Of entities of one name the one to link to: of the right type, seen by the most, the oldest."""
        alike: Sequence[KnownName] = self._known.get(key, ())
        if to_change:
            alike = [one for one in alike if changes_together(self._memory, one.audience)]
        if type_ not in (None, EntityType.UNKNOWN):
            alike = [one for one in alike if one.type in (type_, EntityType.UNKNOWN)]
        order = sorted(
            alike,
            key=lambda one: (one.type is not (type_ or one.type), -WIDTH[one.audience.visibility], one.entity_id),
        )
        return next((one for one in order if self._fits(one.audience)), None)

    def take(self, found: FoundName, type_: EntityType) -> None:
        """Mention what stands in the text, made anew if nothing is known by that name."""
        entity_id = self._prefer.get(found.key)
        if entity_id is None:
            entity_id = (self.choose(found.key) or self._make(found.name, found.key, type_)).entity_id
        mention = NewMention(entity_id, found.start, found.end, found.confidence)
        self.mentions.setdefault(entity_id, mention)
        self.named.setdefault(found.key, entity_id)

    def take_subject(self, subject: Called, found: Sequence[FoundName]) -> Subject:
        """Mention what the memory is about, made anew if nothing of that name and type is known."""
        key, type_ = name_key(subject.name), subject.type or EntityType.UNKNOWN
        if subject.entity_id is not None:
            there = KnownName(subject.name, key, subject.entity_id, type_, audience_of(self._memory))
        else:
            known = None if subject.fresh else self.choose(key, subject.type, to_change=subject.changes)
            there = known or self._make(subject.name, key, type_)
        learned = there.type is EntityType.UNKNOWN and type_ is not EntityType.UNKNOWN
        if learned and not changes_together(self._memory, there.audience):
            there = self._make(subject.name, key, type_)  # others would learn what sort of thing it is
        elif learned:
            self._parts.store.entities.set_type(self._scope, there.entity_id, type_)
        self._prefer.setdefault(key, there.entity_id)
        self.named[key] = there.entity_id
        place = next((one for one in found if one.key == key), None)
        self.mentions[there.entity_id] = NewMention(
            there.entity_id,
            place.start if place else None,
            place.end if place else None,
            SUBJECT_CONFIDENCE,
            subject=True,
        )
        return Subject(there.entity_id, there.name, subject.type or there.type)

    def _make(self, name: str, key: str, type_: EntityType) -> KnownName:
        entity_id = make_entity(self._parts, self._scope, self._memory, name, type_, self.at)
        made = KnownName(name, key, entity_id, type_, audience_of(self._memory))
        self._known.setdefault(key, []).append(made)
        self._book.add(made)
        return made


def make_entity(
    parts: Parts,
    scope: Scope,
    memory: Memory,
    name: str,
    type_: EntityType,
    at: datetime,
    props: Mapping[str, str] | None = None,
) -> str:
    """A new entity on the word of a memory, with its audience; returns its id."""
    new = NewEntity(
        id=new_id(ENTITY_PREFIX, at),
        name=name,
        name_key=name_key(name),
        type=type_,
        made_by=memory.id,
        visibility=memory.visibility,
        group=memory.group,
        valid_from=memory.valid_from,
        props=props or {},
    )
    parts.store.entities.add(scope, new, at)
    return new.id


def audience_of(memory: Memory) -> Audience:
    """Who may see the memory."""
    return Audience(memory.provenance.author, memory.visibility, memory.group)


def everyone_sees(memory: Memory, book: NameBook) -> Callable[[Audience], bool]:
    """Whether everyone who may see the memory may see a row of some audience. Asks the registry only if it must."""
    own = audience_of(memory)
    answered: dict[Audience, bool] = {own: True}

    def fits(outer: Audience) -> bool:
        if outer not in answered:
            answered[outer] = all(reader.may_see(outer) for reader in book.readers() if reader.may_see(own))
        return answered[outer]

    return fits


def changes_together(memory: Memory, entity: Audience) -> bool:
    """Whether what the memory says of the entity may be kept as the entity's state: the same readers for both."""
    same = entity.visibility is memory.visibility and entity.group == memory.group
    return same and (memory.visibility is not Visibility.PRIVATE or entity.author == memory.provenance.author)
