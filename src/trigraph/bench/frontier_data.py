"""Stores in which it is known what belongs together: invented words, hidden needs, and a history of compositions.

Every memory has a topic, which shows in its tags and most of its words, and up to two hidden aspects. An aspect shows
only now and then: a memory that has it uses one or two of its four words, and others use those words by chance. What
agents compose depends on aspects, on a hidden quality and on what was composed before; never on a score. The same seed
gives the same world.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2025, 1, 1, tzinfo=UTC)
STEP = timedelta(minutes=20)
TOPICS = 24
TOPIC_WORDS = 40
TAIL_WORDS = 6_000
ASPECT_WORDS = 4
MEMORIES_AN_ASPECT = 7
NAMED_ASPECTS = 0.3
BETWEEN_FROM, BETWEEN_UNTIL = 200, 2_000
BOUNDARY_SHARE = 0.05

_ONSETS = "b br c cl d dr f g gr h j k l m n p pl pr r s st t tr v w z".split()
_NUCLEI = "a e i o u ai ea or en al".split()
_CODAS = "n r s l m t x nd rk st p ck".split()
_FRAMES = (
    "the {0} of the {1} keeps {2} apart from {3} once {4} has settled",
    "{0} fails with {1} whenever {2} meets {3}, and {4} is left behind",
    "we keep {0} beside {1} so that {2} never waits for {3} or {4}",
    "after {0} the {1} turned {2} into {3}, which nobody expected of {4}",
    "{0} and {1} share {2}; what {3} does to {4} is not known",
    "whoever touches {0} must look at {1} first, then at {2}, {3} and {4}",
)
_KINDS = ("fact", "insight", "constraint", "context", "preference")
_BOUNDARY = ("oracle", "queue", "settlement", "upgrade", "pause", "accounting", "scope")


@dataclass(frozen=True)
class Made:
    """A memory of the world: what is stored of it, and what nobody is told."""

    item: dict[str, Any]
    topic: int
    aspects: tuple[int, ...]
    quality: float


@dataclass(frozen=True)
class Composed:
    """A composition of the simulated history: members by their number, and whether it served its need."""

    at: datetime
    members: tuple[int, ...]
    served: bool


class World:
    """Words, topics and aspects of one seed."""

    def __init__(self, seed: int, memories: int) -> None:
        self.chance = random.Random(seed)
        self.memories = memories
        self.topics = [self._words(TOPIC_WORDS) for _ in range(TOPICS)]
        self.tail = self._words(TAIL_WORDS)
        self.aspects = [self._words(ASPECT_WORDS) for _ in range(max(memories // MEMORIES_AN_ASPECT, 4))]
        self.named = {number for number in range(len(self.aspects)) if self.chance.random() < NAMED_ASPECTS}

    def make(self) -> list[Made]:
        """The memories, in the order in which they are written."""
        return [self._memory() for _ in range(self.memories)]

    def history(self, made: Sequence[Made], events: int) -> Iterator[Composed]:
        """Compositions after all memories are written, one after the other.

        A need is an aspect, some more common than others. Whoever has it takes two to four memories of that aspect, the
        better and the more used ones rather, and now and then one of the topic instead that is beside the point."""
        of_aspect: dict[int, list[int]] = {}
        for number, memory in enumerate(made):
            for aspect in memory.aspects:
                of_aspect.setdefault(aspect, []).append(number)
        needs = [aspect for aspect, ids in of_aspect.items() if len(ids) > 1]
        common = [1 / (place + 3) for place in range(len(needs))]
        uses = [0] * len(made)
        for number in range(events):
            aspect = self.chance.choices(needs, common)[0]
            fitting = of_aspect[aspect]
            size = min(self.chance.choice((2, 2, 3, 3, 4)), len(fitting))
            taken: list[int] = []
            served = True
            while len(taken) < size:
                pool = [one for one in fitting if one not in taken]
                if self.chance.random() < 0.15 and taken:
                    pool = [one for one, memory in enumerate(made) if memory.topic == made[taken[0]].topic]
                    served = False
                weights = [made[one].quality * (1 + uses[one]) ** 0.5 for one in pool]
                pick = self.chance.choices(pool, weights)[0]
                if pick not in taken:
                    taken.append(pick)
            for one in taken:
                uses[one] += 1
            yield Composed(START + STEP * (len(made) + number), tuple(taken), served and self.chance.random() < 0.8)

    def planted(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Two memories of different topics that nothing joins but one or two words that few others use, by chance: A
        with B, and B with C."""
        one, other = self.chance.sample(range(TOPICS), 2)
        between = self.chance.sample(self.tail[BETWEEN_FROM:BETWEEN_UNTIL], self.chance.choice((1, 2, 2)))
        first = self._item(one, [self._some(self.topics[one], 2), between, self._some(self.tail, 1)])
        second = self._item(other, [self._some(self.topics[other], 2), between, self._some(self.tail, 1)])
        return first, second

    def _memory(self) -> Made:
        topic = self.chance.randrange(TOPICS)
        aspects = tuple(sorted({self._aspect() for _ in range(self.chance.choice((0, 1, 1, 2)))}))
        shown = [self._some(self.aspects[aspect], self.chance.choice((1, 1, 2))) for aspect in aspects]
        own = self._some(self.topics[topic], 4 - len(aspects))
        item = self._item(topic, [own, *shown, self._zipf(self.tail, 4)])
        named = [aspect for aspect in aspects if aspect in self.named]
        if named and self.chance.random() < 0.5:
            item["subject"], item["type"] = self.aspects[named[0]][0].capitalize(), "system"
        return Made(item, topic, aspects, self.chance.uniform(0.2, 1.0))

    def _item(self, topic: int, words: Sequence[Sequence[str]]) -> dict[str, Any]:
        drawn = [word for some in words for word in some]
        self.chance.shuffle(drawn)
        drawn += self._zipf(self.topics[topic], 10)
        lines = [self.chance.choice(_FRAMES).format(*drawn[start : start + 5]) for start in range(0, 10, 5)]
        tags = [self.topics[topic][0]]
        if self.chance.random() < BOUNDARY_SHARE:
            tags.append(self.chance.choice(_BOUNDARY))
        return {
            "text": ". ".join(line[0].upper() + line[1:] for line in lines) + ".",
            "kind": self.chance.choice(_KINDS),
            "tags": tags,
            "source": self.chance.choice(("user", "agent", "document")),
        }

    def _aspect(self) -> int:
        return min(int(self.chance.expovariate(3 / len(self.aspects))), len(self.aspects) - 1)

    def _zipf(self, words: Sequence[str], count: int) -> list[str]:
        places = [min(int(self.chance.paretovariate(0.6)) - 1, len(words) - 1) for _ in range(count)]
        return [words[place] for place in places]

    def _some(self, words: Sequence[str], count: int) -> list[str]:
        return self.chance.sample(list(words), min(count, len(words)))

    def _words(self, count: int) -> list[str]:
        return ["".join(self._syllable() for _ in range(self.chance.choice((2, 2, 3)))) for _ in range(count)]

    def _syllable(self) -> str:
        return self.chance.choice(_ONSETS) + self.chance.choice(_NUCLEI) + self.chance.choice(_CODAS)
