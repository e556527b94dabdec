"""What names mean, and which entities may be one: found by rule, merged where it is certain, asked where it is not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import combinations, product

from trigraph.engine.finding import find_pair
from trigraph.engine.parts import Parts
from trigraph.engine.write.merging import carry_out, check_mergeable, ready_to_merge
from trigraph.engine.write.once import call, earlier, once
from trigraph.engine.write.resolution import WIDTH
from trigraph.errors import Conflict, InvalidInput
from trigraph.lifecycle.matching import Judgement, Match, Named, blocks, match
from trigraph.model.change import Changed, Verb
from trigraph.model.entity import Entity
from trigraph.model.ids import new_id
from trigraph.model.memory import EntityType, MemoryDraft, Source, Subject
from trigraph.model.resolution import (
    PAIR_PREFIX,
    Candidate,
    EntityNames,
    LikelyPair,
    Pair,
    PairState,
    Resolved,
    ResolvedStatus,
    ResolvePlan,
    Surroundings,
)
from trigraph.model.scope import Scope
from trigraph.text.names import is_nameable, name_key

NAMES_MOST = 500
"""So many names are resolved at once."""
CANDIDATES_SHOWN = 5
CANDIDATES_MOST = 2000
ENTITIES_MOST = 50_000
BLOCK_MOST = 60
"""A key that more entities share says nothing; those of them that are one share a rarer one."""
COMPARED_MOST = 300_000
JUDGED_MOST = 2000
"""So many likely pairs are looked at with what surrounds them, the likeliest first."""
SURROUNDINGS_MOST = 5
PAIRS_MOST = 1000
ACRONYM_MOST_CHARS = 6

_One = tuple[int, int]


# What names mean


def resolve(parts: Parts, scope: Scope, names: Sequence[str]) -> list[Resolved]:
    """What each name means, in the order asked: by name or alias, else as an acronym or a likeness of one."""
    if not 1 <= len(names) <= NAMES_MOST:
        raise InvalidInput(f"{len(names)} names at once.", field="names", fix=f"Give from 1 to {NAMES_MOST}.")
    with parts.store.snapshot(scope):
        moment = parts.now(scope)
        exact = {name: parts.store.entities.named(scope, name_key(name), moment) for name in names if name_key(name)}
        unknown = [name for name in names if is_nameable(name) and not exact.get(name)]
        known = _Known(parts.store.moves.names(scope, moment, ENTITIES_MOST)) if unknown else _Known([])
    return [_of_one_name(name, exact[name]) if exact.get(name) else _likely(name, known) for name in names]


def _of_one_name(name: str, found: Sequence[Entity]) -> Resolved:
    status = ResolvedStatus.MATCHED if len(found) == 1 else ResolvedStatus.AMBIGUOUS
    candidates = [Candidate(Subject(one.id, one.name, one.type), 1.0, "the same name") for one in found]
    return Resolved(name, status, 1.0 if len(found) == 1 else 0.5, tuple(candidates[:CANDIDATES_SHOWN]))


def _likely(name: str, known: _Known) -> Resolved:
    if not is_nameable(name):
        return Resolved(name, ResolvedStatus.UNKNOWN)
    asked = Named(name)
    judged = [(known.entities[place], match(asked, known.named[place])) for place in known.near(name)]
    judged = [(one, found) for one, found in judged if found.match is not Match.DIFFERENT]
    order = {Match.SAME: 0, Match.AMBIGUOUS: 1, Match.PART: 2}
    judged.sort(key=lambda pair: (order[pair[1].match], -pair[1].score, pair[0].id))
    candidates = tuple(Candidate(one.subject, found.score, found.reason) for one, found in judged[:CANDIDATES_SHOWN])
    count = defaultdict(int, {kind: sum(found.match is kind for _, found in judged) for kind in Match})
    if count[Match.SAME] == 1:
        return Resolved(name, ResolvedStatus.MATCHED, candidates[0].score, candidates)
    if count[Match.SAME] or count[Match.AMBIGUOUS]:
        return Resolved(name, ResolvedStatus.AMBIGUOUS, candidates[0].score, candidates)
    return Resolved(name, ResolvedStatus.UNKNOWN, 0.0, candidates)


class _Known:
    """Entities by the keys under which names that may mean the same are looked up."""

    def __init__(self, entities: Sequence[EntityNames]) -> None:
        self.entities = entities
        self.named = [Named(one.name, one.type, one.names[1:]) for one in entities]
        self.by_block: dict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(entities):
            for block in frozenset().union(*(blocks(name) for name in one.names)):
                self.by_block[block].append(place)

    @cached_property
    def words(self) -> list[list[frozenset[str]]]:
        """The words of every name of each."""
        return [[frozenset(name_key(name).split()) for name in one.names] for one in self.entities]

    def near(self, name: str) -> list[int]:
        """Those that share a key with a name, by the rarest key first."""
        found: dict[int, None] = {}
        for places in sorted((self.by_block.get(block, []) for block in blocks(name)), key=len):
            found.update(dict.fromkeys(places))
            if len(found) >= CANDIDATES_MOST:
                break
        return list(found)[:CANDIDATES_MOST]


# Which entities may be one


@dataclass(frozen=True, slots=True)
class _Found:
    """Two entities, by their places, and what they are to each other."""

    places: _One
    judged: Judgement


def find_pairs(parts: Parts, scope: Scope, *, apply: bool) -> ResolvePlan:
    """Look through all entities that the scope may see for such as are one. With `apply` those are merged, each in a
    transaction of its own, and those of which it is not certain are put to the review queue; nothing is asked twice."""
    with parts.store.snapshot(scope):
        moment = parts.now(scope)
        known = _Known(parts.store.moves.names(scope, moment, ENTITIES_MOST))
        asked = parts.store.moves.asked(scope)
        likely, skipped = _compared(known, asked)
        if len(likely) > JUDGED_MOST:
            skipped = [*skipped, f"{len(likely) - JUDGED_MOST} less likely pairs; look again"]
        found = _looked_at_closely(parts, scope, known, likely[:JUDGED_MOST])
    uniting = _Uniting(parts, scope, known, asked, apply=apply)
    for one in sorted((one for one in found if one.judged.match is Match.SAME), key=lambda one: -one.judged.score):
        uniting.unite(one)
    open_ = [one for one in found if one.judged.match is Match.AMBIGUOUS] + uniting.doubtful
    fresh = [one for one in open_ if _ids(known, one.places) not in asked]
    if apply:
        fresh = uniting.ask(fresh)
    return ResolvePlan(
        entities=len(known.entities),
        same=tuple(uniting.same),
        review=tuple(_likely_pair(known, one) for one in fresh),
        parts=tuple(_part(known, one) for one in found if one.judged.match is Match.PART),
        applied=apply,
        skipped="; ".join(skipped) or None,
    )


def _compared(known: _Known, asked: Mapping[frozenset[str], bool]) -> tuple[list[_Found], list[str]]:
    """Pairs that share a key and are not different by name, but those that somebody told apart; the likeliest first.
    Beside them, what was not compared."""
    seen: set[_One] = set()
    found: list[_Found] = []
    large = 0
    for places in sorted(known.by_block.values(), key=len):
        if len(places) > BLOCK_MOST or len(seen) >= COMPARED_MOST:
            large += 1
            continue
        for pair in combinations(places, 2):
            if pair in seen:
                continue
            seen.add(pair)
            if not any(_alike(one, other) for one, other in product(known.words[pair[0]], known.words[pair[1]])):
                continue
            judged = match(known.named[pair[0]], known.named[pair[1]])
            apart = judged.match is not Match.PART and asked.get(_ids(known, pair), False)
            if judged.match is not Match.DIFFERENT and not apart:
                found.append(_Found(pair, judged))
    skipped = [f"{large} words that too many entities have in common"] if large else []
    if len(known.entities) == ENTITIES_MOST:
        skipped.append(f"entities beyond the first {ENTITIES_MOST:,}")
    return sorted(found, key=lambda one: -one.judged.score), skipped


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two names are worth comparing: one has nothing that the other has not, or of what they do not share two
    words may be one, by a slip of the pen, an abbreviation or an acronym."""
    ours, theirs = one - other, other - one
    return not ours or not theirs or any(_may_be_one_word(*words) for words in product(ours, theirs))


def _may_be_one_word(one: str, other: str) -> bool:
    if one[0] != other[0]:
        return False
    short, long = sorted((one, other), key=len)
    if len(short) <= ACRONYM_MOST_CHARS or long.startswith(short):
        return True
    return len(long) - len(short) <= 1 and len(set(one) ^ set(other)) <= 2


def _looked_at_closely(parts: Parts, scope: Scope, known: _Known, likely: Sequence[_Found]) -> list[_Found]:
    """The same pairs, judged with what surrounds them; a part is one whatever does."""
    open_ = [one for one in likely if one.judged.match is not Match.PART]
    ids = dict.fromkeys(known.entities[place].id for one in open_ for place in one.places)
    around = parts.store.moves.surroundings(scope, ids, parts.now(scope), SURROUNDINGS_MOST)
    cosines = _Cosines(parts, scope, around)
    found = [one for one in likely if one.judged.match is Match.PART]
    for one in open_:
        (first, ours), (second, theirs) = ((known.entities[place].id, known.named[place]) for place in one.places)
        ours, theirs = _surrounded(ours, around[first]), _surrounded(theirs, around[second])
        judged = match(ours, theirs, cosines.of(first, second))
        if judged.match is not Match.DIFFERENT:
            found.append(_Found(one.places, judged))
    return found


def _surrounded(named: Named, around: Surroundings) -> Named:
    return replace(named, neighbours=around.neighbours, context=around.words)


class _Cosines:
    """How alike the memories are that speak of entities, by the mean of their vectors."""

    def __init__(self, parts: Parts, scope: Scope, around: Mapping[str, Surroundings]) -> None:
        ids = list(dict.fromkeys(id_ for one in around.values() for id_ in one.memory_ids))
        found = parts.store.graph.first_vectors(scope, ids) if ids else None
        self._around = around
        self._row = {id_: row for row, id_ in enumerate(found[0])} if found is not None else {}
        self._vectors = found[1] if found is not None else None

    def of(self, one: str, other: str) -> float | None:
        """None where one of them has no vector, or both are spoken of by the same memories alone."""
        ours, theirs = (set(self._around[id_].memory_ids) & self._row.keys() for id_ in (one, other))
        if self._vectors is None or not ours or not theirs or ours == theirs:
            return None
        means = [self._vectors[[self._row[id_] for id_ in ids]].mean(axis=0) for ids in (ours, theirs)]
        lengths = [float((mean @ mean) ** 0.5) for mean in means]
        return float(means[0] @ means[1]) / (lengths[0] * lengths[1]) if all(lengths) else None


class _Uniting:
    """Pairs that are one, one after the other: who is together by now, and what came of each."""

    def __init__(
        self, parts: Parts, scope: Scope, known: _Known, asked: Mapping[frozenset[str], bool], *, apply: bool
    ) -> None:
        self.same: list[LikelyPair] = []
        self.doubtful: list[_Found] = []
        self._parts = parts
        self._scope = scope
        self._known = known
        self._asked = asked
        self._apply = apply
        self._groups: dict[int, list[int]] = {}

    def unite(self, found: _Found) -> None:
        """Let two be one, if all that are one with either are, too; otherwise somebody must say it."""
        going, staying = self._ordered(found.places)
        if going == staying:
            return
        types = {self._known.entities[place].type for place in (going, staying)} - {EntityType.UNKNOWN}
        if len(types) > 1 or not self._all_one(going, staying):
            doubtful = replace(found.judged, match=Match.AMBIGUOUS)
            self.doubtful.append(_Found((min(going, staying), max(going, staying)), doubtful))
            return
        self.same.append(self._merge(going, staying, found.judged))

    def ask(self, pairs: Iterable[_Found]) -> list[_Found]:
        """Put pairs to the review queue; returns those that were not there."""
        with self._parts.store.transaction(self._scope, self._parts.clock()) as at:
            return [one for one in pairs if self._ask(one, at)]

    def _ask(self, found: _Found, at: datetime) -> bool:
        one, other = (self._known.entities[self._first(place)].subject for place in found.places)
        if one.id == other.id:
            return False
        pair = Pair(
            id=new_id(PAIR_PREFIX, at),
            one=one,
            other=other,
            score=found.judged.score,
            reason=found.judged.reason,
            state=PairState.OPEN,
            author=self._scope.agent,
            at=at,
        )
        return self._parts.store.moves.add_pair(self._scope, pair)

    def _merge(self, going: int, staying: int, judged: Judgement) -> LikelyPair:
        pair = LikelyPair(
            self._known.entities[going].subject, self._known.entities[staying].subject, judged.score, judged.reason
        )
        try:
            move_id = self._merged(pair, judged) if self._apply else None
            if not self._apply:
                check_mergeable(self._parts, self._scope, *self._both(pair))
        except Conflict as error:
            return replace(pair, note=error.message)
        together = [*self._group(staying), *self._group(going)]
        for place in together:
            self._groups[place] = together
        return replace(pair, move_id=move_id)

    def _merged(self, pair: LikelyPair, judged: Judgement) -> str:
        draft = MemoryDraft("", source=Source.AGENT, confidence=judged.score)
        merging = ready_to_merge(self._parts, self._scope, *self._both(pair), draft, judged.reason)
        with self._parts.store.transaction(self._scope, self._parts.clock()) as at:
            return carry_out(self._parts, self._scope, merging, at).id

    def _both(self, pair: LikelyPair) -> tuple[Entity, Entity]:
        found = self._parts.store.entities.get(self._scope, [pair.one.id, pair.other.id], self._parts.now(self._scope))
        if len(found) < 2:
            raise Conflict("They were changed meanwhile.", fix="Look again.")
        return found[0], found[1]

    def _all_one(self, going: int, staying: int) -> bool:
        return all(
            match(self._known.named[one], self._known.named[other]).match is not Match.DIFFERENT
            and not self._asked.get(_ids(self._known, (one, other)), False)
            for one in self._group(going)
            for other in self._group(staying)
        )

    def _ordered(self, places: _One) -> _One:
        """The one that goes and the one that stays: which more may see, is spoken of more, and is older."""
        one, other = (self._first(place) for place in places)
        return (one, other) if self._rank(other) > self._rank(one) else (other, one)

    def _rank(self, place: int) -> tuple[int, int, int]:
        entity = self._known.entities[place]
        return WIDTH[entity.audience.visibility], entity.mentions, -place

    def _group(self, place: int) -> list[int]:
        return self._groups.get(place, [place])

    def _first(self, place: int) -> int:
        """The one that stays of all that are one with it."""
        return self._group(place)[0]


def _ids(known: _Known, places: Collection[int]) -> frozenset[str]:
    return frozenset(known.entities[place].id for place in places)


def _likely_pair(known: _Known, found: _Found) -> LikelyPair:
    one, other = (known.entities[place].subject for place in found.places)
    return LikelyPair(one, other, found.judged.score, found.judged.reason)


def _part(known: _Known, found: _Found) -> LikelyPair:
    """The part has the longer name."""
    pair = _likely_pair(known, found)
    if len(name_key(pair.one.name).split()) < len(name_key(pair.other.name).split()):
        return replace(pair, one=pair.other, other=pair.one)
    return pair


# What somebody says of them


def pairs(parts: Parts, scope: Scope, limit: int = 50) -> list[Pair]:
    """Pairs of which somebody must say whether they are one, the oldest first."""
    if not 1 <= limit <= PAIRS_MOST:
        raise InvalidInput(f"limit is {limit}.", field="limit", fix=f"Choose a number from 1 to {PAIRS_MOST}.")
    return parts.store.moves.pairs(scope, limit)


def decide_pair(
    parts: Parts, scope: Scope, pair_id: str, one: bool, draft: MemoryDraft, key: str | None = None
) -> Changed:
    """Say that the two of a pair are one, which merges them, or two, which is not asked again."""
    called = call(Verb.REVIEW, key, "pair", pair_id, one, draft)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    pair = find_pair(parts, scope, pair_id)
    if pair.state is not PairState.OPEN:
        raise Conflict(f"{pair.id} was decided: {pair.state}.", fix="Merge them, or undo the merge.")
    merging = None
    if one:
        found = parts.store.entities.get(scope, [pair.one.id, pair.other.id], parts.now(scope))
        going, staying = sorted(found, key=_weight)
        merging = ready_to_merge(parts, scope, going, staying, draft)

    def change(at: datetime) -> Changed:
        if find_pair(parts, scope, pair.id).state is not PairState.OPEN:
            raise Conflict(f"{pair.id} was decided meanwhile.", fix="Look at it again.")
        state = PairState.ONE if one else PairState.TWO
        decided = replace(pair, state=state, decided_at=at, decided_by=scope.agent)
        parts.store.moves.decide_pair(scope, decided)
        if merging is None:
            return Changed(Verb.REVIEW, (pair.id,), at)
        merged = carry_out(parts, scope, merging, at)
        return replace(merged, verb=Verb.REVIEW, ids=(pair.id, *merged.ids))

    return once(parts, scope, called, Changed, change)


def _weight(entity: Entity) -> tuple[int, int, int]:
    """What is seen by more, spoken of more and older stays."""
    return WIDTH[entity.visibility], entity.mention_count, -int(entity.first_seen.timestamp() * 1e6)
