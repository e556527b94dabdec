"""A candidate of the frontier as it is told: scores, what links its members, why, and what to ask of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from trigraph.engine.parts import Parts
from trigraph.engine.read.weighing import Field, Weighed
from trigraph.frontier.outcomes import prior_outcomes, signal
from trigraph.frontier.pairs import Bridge, Profile, Tie, boundaries, bridge_score, novelty, rarity
from trigraph.frontier.sets import edges_of
from trigraph.frontier.wording import Linking, question, reason
from trigraph.model.composition import MEMBER_PREVIEW_CHARACTERS
from trigraph.model.frontier import Candidate
from trigraph.model.memory import Memory
from trigraph.text.documents import beginning
from trigraph.text.terms import analyse

END_CHARACTERS = 60
TERMS_MOST = 8
_WORD = re.compile(r"[^\W_]+(?:[-_./:#][^\W_]+)*")


def described(parts: Parts, field: Field, member_ids: Sequence[str], score: float) -> Candidate:
    """The candidate of these members. Of a set, scores of edges are told as their mean, trust as the weakest."""
    memories = [field.memories[id_] for id_ in member_ids]
    edges = [field.weighed[pair] for pair in edges_of(member_ids)]
    profiles = _profiles(edges, member_ids)
    linking = _linking(parts, field, memories, edges, profiles)
    tallies = [profile.tally for profile in profiles]
    prior = prior_outcomes(tallies)
    return Candidate(
        member_ids=tuple(member_ids),
        score=round(score, 4),
        novelty_score=_mean(novelty(profile.tally.events) for profile in profiles),
        bridge_score=_mean(bridge_score(edge.features) for edge in edges),
        trust_score=round(min(profile.trust for profile in profiles), 4),
        retention_score=_mean(profile.retention for profile in profiles),
        structural_fit=_mean(edge.features.structure for edge in edges),
        surface_similarity=_mean(_surface(edge, field.memories) for edge in edges),
        outcome_score_adjustment=_mean(edge.adjustment for edge in edges),
        shared_entities=linking.entities,
        shared_companions=linking.companions,
        shared_tags=linking.tags,
        boundary_tags=linking.boundary_tags,
        shared_terms=linking.terms,
        prior_outcomes=prior,
        outcome_signal=linking.signal,
        kinds=linking.kinds,
        previews=tuple(beginning(memory.text, MEMBER_PREVIEW_CHARACTERS) for memory in memories),
        reason=reason(linking),
        composition_question=question(linking),
    )


def _linking(
    parts: Parts, field: Field, memories: Sequence[Memory], edges: Sequence[Weighed], profiles: Sequence[Profile]
) -> Linking:
    held: dict[Bridge, int] = {}
    for edge in edges:
        held.update(edge.joined.bridges)
    ordered = sorted(held, key=lambda bridge: (-rarity(held[bridge]), bridge))
    entities = tuple(
        dict.fromkeys(field.mined.names[key] for tie, key in ordered if tie is Tie.ENTITY and key in field.mined.names)
    )
    said = {term for name in entities for term in analyse(name)}
    terms = [key for tie, key in ordered if tie is Tie.TERM and key not in said]
    words = _as_written(terms[:TERMS_MOST], [memory.text for memory in memories])
    tags = _shared_tags(edges)
    return Linking(
        entities=entities,
        terms=words,
        tags=tags,
        boundary_tags=boundaries(frozenset().union(*(one.tags for one in profiles)), parts.frontier.boundary_tags),
        companions=tuple(key for tie, key in ordered if tie is Tie.COMPANION),
        ends=_ends(memories, {name.casefold() for name in (*entities, *words, *tags)}),
        kinds=tuple(memory.kind for memory in memories),
        surface=max((edge.joined.surface for edge in edges if edge.joined.surface is not None), default=None),
        structural_fit=max(edge.features.structure for edge in edges),
        signal=signal(prior_outcomes(profile.tally for profile in profiles)),
    )


def _shared_tags(edges: Iterable[Weighed]) -> tuple[str, ...]:
    """Tags that two members have, the hubs among them too: they are there, though they weigh nothing."""
    return tuple(sorted({tag for edge in edges for tag in edge.joined.one.tags & edge.joined.other.tags}))


def _ends(memories: Sequence[Memory], linking: Collection[str]) -> tuple[str, ...]:
    """What each member is about: its topic, unless another member has the same or it is what links them; else its
    beginning."""
    topics = [memory.topic for memory in memories]
    return tuple(
        topic
        if topic and topics.count(topic) == 1 and topic.casefold() not in linking
        else beginning(memory.text, END_CHARACTERS)
        for topic, memory in zip(topics, memories, strict=True)
    )


def _as_written(terms: Collection[str], texts: Iterable[str]) -> tuple[str, ...]:
    """Terms as words of the texts that give them; each word once."""
    wanted = dict.fromkeys(terms, "")
    for text in texts:
        for word in _WORD.findall(text):
            for term in analyse(word):
                if wanted.get(term) == "":
                    wanted[term] = word
    return tuple(dict.fromkeys(word for word in wanted.values() if word))


def _profiles(edges: Iterable[Weighed], member_ids: Sequence[str]) -> list[Profile]:
    known = {profile.id: profile for edge in edges for profile in (edge.joined.one, edge.joined.other)}
    return [known[id_] for id_ in member_ids]


def _surface(edge: Weighed, memories: Mapping[str, Memory]) -> float:
    """By their vectors, else by the words they share."""
    if edge.joined.surface is not None:
        return edge.joined.surface
    one, other = (set(analyse(memories[end.id].text)) for end in (edge.joined.one, edge.joined.other))
    return len(one & other) / len(one | other) if one | other else 0.0


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 4)
