"""What a hook shows: of a project when a session begins, and of what bears on a prompt."""

from __future__ import annotations

import time

from trigraph.faces.hook.clients import Call
from trigraph.faces.hook.presenting import AT_PROMPT, AT_START, block
from trigraph.faces.local.asking import ask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from trigraph.stores.sqlite.glance import Glance

START_TOKENS = 2000
START_MOST = 12
CONSTRAINTS_MOST = 20
NEWEST_OF_EACH = 20
PROMPT_TOKENS = 600
PROMPT_MOST = 5
PROMPT_LEAST_CHARS = 12
PROMPT_MOST_CHARS = 10_000
CERTAIN = 0.5
"""How sure a server must be that memory has something on the prompt."""
NEAR_BEST = 0.5
"""What scores less than this share of the best is merely the nearest of the rest."""
ASKING_SHARE = 0.55
"""So much of the time that is left may a server take; the rest is for looking by ourselves."""
WAIT_SECONDS = 0.05

WORTH = {
    "decision": 1.0, "preference": 0.95, "insight": 0.85, "summary": 0.8, "checkpoint": 0.8, "context": 0.75,
    "skill": 0.7, "outcome": 0.7, "fact": 0.6,
}  # fmt: skip
"""What is worth telling before anything is asked, by kind; its confidence and its age count as well."""
HALF_LIFE_DAYS = 30


class Asker:
    """Whose memory is asked, and until when there is time."""

    __slots__ = ("home", "scope", "until")

    def __init__(self, home: str, scope: tuple[str, str, str], until: float) -> None:
        self.home = home
        self.scope = scope
        self.until = until

    def glance(self) -> Glance:
        """The store, read in this process."""
        from trigraph.stores.sqlite.glance import Glance

        return Glance(self.home, *self.scope, wait_seconds=WAIT_SECONDS)


def at_start(asker: Asker) -> tuple[str, list[str]]:
    """Constraints, then what is most worth knowing; and the ids of what is told."""
    store = asker.glance()
    try:
        bound = store.bound(CONSTRAINTS_MOST)
        rest = sorted(store.newest(WORTH, NEWEST_OF_EACH), key=_worth, reverse=True)
    finally:
        store.close()
    return block(AT_START, bound + rest[:START_MOST], START_TOKENS)


def at_prompt(asker: Asker, call: Call, given: Iterable[str]) -> tuple[str, list[str]]:
    """What bears on the prompt and is neither known to this session nor of it."""
    text = call.prompt.strip()[:PROMPT_MOST_CHARS]
    if len(text) < PROMPT_LEAST_CHARS or text.startswith("/") or not call.is_spoken:
        return "", []
    found = _from_server(asker, text, call.session)
    if found is None:
        found = _by_words(asker, text)
    known = set(given)
    fresh = [one for one in found if one["id"] not in known and (not call.session or one["session"] != call.session)]
    return block(AT_PROMPT, fresh[:PROMPT_MOST], PROMPT_TOKENS)


def _worth(memory: dict[str, Any]) -> float:
    fresh = 0.5 + 0.5 * 0.5 ** (memory["age_days"] / HALF_LIFE_DAYS)
    return float(memory["pinned"] + WORTH.get(memory["kind"], 0.5) * memory["confidence"] * fresh)


def _from_server(asker: Asker, text: str, session: str) -> list[dict[str, Any]] | None:
    """What a running server finds; None if none answers in time, or has no model to be sure by."""
    now = time.monotonic()
    arguments = {"query": text, "limit": 2 * PROMPT_MOST, "session": session or None, "constraint_tokens": 0}
    request = {"verb": "recall", "scope": asker.scope, "arguments": arguments}
    answer = ask(asker.home, request, now + ASKING_SHARE * (asker.until - now))
    try:
        return None if answer is None or answer["certainty"] is None else _certain(answer)
    except (KeyError, TypeError, ValueError):  # no answer of ours
        return None


def _certain(answer: dict[str, Any]) -> list[dict[str, Any]]:
    if answer["nothing_found"] or float(answer["certainty"]) < CERTAIN:
        return []
    least = NEAR_BEST * max((float(hit["score"]) for hit in answer["hits"]), default=0.0)
    return [
        {
            **{name: hit[name] for name in ("id", "kind", "topic", "trust", "pinned", "text")},
            "session": hit["provenance"]["session"],
            "age_days": float(hit["staleness"]["age_days"]),
        }
        for hit in answer["hits"]
        if not hit["staleness"]["superseded"] and 0 < least <= hit["score"]
    ]


def _by_words(asker: Asker, text: str) -> list[dict[str, Any]]:
    """What the lexical and the graph leg find in this process."""
    from trigraph.ranking.prompting import Weights, nearness, ordered
    from trigraph.text.pieces import known_in, leads_in, pieces_of
    from trigraph.text.terms import analyse, identifiers

    store = asker.glance()
    try:
        terms = list(dict.fromkeys(analyse(text)))
        weights = Weights(terms, *store.statistics(terms))
        lexical = store.lexical(weights.rarest, [name for name in identifiers(text) if len(name) >= 3])
        pieces = pieces_of(text)
        known = store.names(set(leads_in(pieces)))
        spelt = {key: of.values() for key, of in known.items()}
        entities = dict.fromkeys(id_ for key, _, _ in known_in(text, pieces, spelt) for id_ in known[key])
        named = nearness(store.near(list(entities))) if entities else {}
        told = {one["passage"]: one for one in store.passages({*dict(lexical), *named})}
    finally:
        store.close()
    certainty = {
        key: min(weights.coverage(one["terms"].split(" ")) + named.get(key, 0.0), 1.0) for key, one in told.items()
    }
    best: dict[str, dict[str, Any]] = {}
    for key in ordered(lexical, named, certainty):
        best.setdefault(told[key]["id"], told[key])
    return list(best.values())
