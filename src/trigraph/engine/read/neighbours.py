"""What stands just before and after a hit: messages of its thread that the asker may see, text of its memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trigraph.engine.parts import Parts
from trigraph.model.memory import Memory
from trigraph.model.recall import Hit, Neighbour
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.passages import LIMIT_CHARS, split_passages
from trigraph.text.tokens import estimate_tokens

NEIGHBOURS_MOST = 3
OVERHEAD_TOKENS = 6
"""What a neighbour costs beside its text when it is shown: id, speaker."""

Places = Mapping[tuple[str, int], Memory]
"""Episodes by thread and place."""


@dataclass(slots=True)
class _Budget:
    """Tokens that are left; None: without end. The first neighbour that does not fit ends it."""

    tokens: int | None
    left_out: int = 0

    def takes(self, one: Neighbour) -> bool:
        if self.tokens is None:
            return True
        cost = estimate_tokens(one.text or "") + OVERHEAD_TOKENS
        if self.left_out or cost > self.tokens:
            self.left_out += 1
            return False
        self.tokens -= cost
        return True


def places_around(parts: Parts, scope: Scope, memories: Sequence[Memory], reach: int, moment: Moment) -> Places:
    """The episodes near those among the memories, up to `reach` places away."""
    episodes = [memory.id for memory in memories if memory.place is not None]
    if not reach or not episodes:
        return {}
    found = parts.store.threads.around(scope, episodes, reach, moment)
    return {(one.place.thread_id, one.place.seq): one for one in found if one.place is not None}


def with_neighbours(hits: Sequence[Hit], places: Places, reach: int, tokens: int | None) -> tuple[tuple[Hit, ...], int]:
    """The hits with what stands around them, as far as the tokens go, the best hit first and the nearest first; and how
    many neighbours were left out. What is a hit itself, or stands beside a better one, is named by its id alone."""
    if not reach:
        return tuple(hits), 0
    told = {hit.memory.id for hit in hits}
    budget = _Budget(tokens)
    shown = []
    for hit in hits:
        sides: dict[int, list[Neighbour]] = {-1: [], 1: []}
        for one, side in _around(hit, places, reach):
            known = one.id in told and one.id != hit.memory.id
            if budget.takes(shortly := replace(one, text=None) if known else one):
                sides[side].append(shortly)
                told.add(one.id)
        shown.append(replace(hit, before=tuple(reversed(sides[-1])), after=tuple(sides[1])))
    return tuple(shown), budget.left_out


def _around(hit: Hit, places: Places, reach: int) -> list[tuple[Neighbour, int]]:
    """Neighbours and their side (-1 before, 1 after), the nearest first: the memory's own text before messages."""
    speaker = hit.memory.place.speaker if hit.memory.place else None
    own: list[tuple[Neighbour, int]] = []
    if hit.excerpt.end - hit.excerpt.start < len(hit.memory.text.strip()):
        text = hit.memory.text
        spans = split_passages(text)
        before = [span for span in reversed(spans) if span.end <= hit.excerpt.start][:reach]
        after = [span for span in spans if span.start >= hit.excerpt.end][:reach]
        for side, of_side in ((-1, before), (1, after)):
            own += [(Neighbour(hit.memory.id, speaker, text[one.start : one.end].strip()), side) for one in of_side]
    return own + _messages(hit.memory, places, reach)


def _messages(memory: Memory, places: Places, reach: int) -> list[tuple[Neighbour, int]]:
    if memory.place is None:
        return []
    found = []
    for distance in range(1, reach + 1):
        for side in (-1, 1):
            other = places.get((memory.place.thread_id, memory.place.seq + side * distance))
            if other is not None and other.place is not None:
                found.append((Neighbour(other.id, other.place.speaker, _cut(other.text, side)), side))
    return found


def _cut(text: str, side: int) -> str:
    """Of a very long message the part next to the hit."""
    if len(text) <= LIMIT_CHARS:
        return text
    return "…" + text[-LIMIT_CHARS:].lstrip() if side < 0 else text[:LIMIT_CHARS].rstrip() + "…"
