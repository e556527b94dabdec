"""Looking words up: which classes of words begin at a word of a sentence."""

# ruff: noqa: E501
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from trigraph.text.guard_tongues import TONGUES
from trigraph.text.guard_words import AGAINST, MANNERS, NOUNS, VERBS

ORDER = "="
"""Before the name of a class: the verb stands in the form of an order."""
WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Letters of scripts that put no spaces between words."""
_PHRASE_WORDS = 6


@dataclass(slots=True)
class Node:
    """A place in a tree of phrases: the words that may follow, and the classes of the phrase that ends here."""

    exact: dict[str, Node] = field(default_factory=dict)
    begins: dict[str, Node] = field(default_factory=dict)
    classes: set[str] = field(default_factory=set)


def classes_at(tree: Node, plain: list[str], index: int) -> Iterator[str]:
    """The classes of every phrase that begins at word `index`."""
    nodes = [tree]
    for word in plain[index : index + _PHRASE_WORDS]:
        following: list[Node] = []
        for node in nodes:
            if word in node.exact:
                following.append(node.exact[word])
            if node.begins:
                following += [
                    node.begins[word[:size]] for size in range(2, len(word) + 1) if word[:size] in node.begins
                ]
        if not following:
            return
        for node in following:
            yield from node.classes
        nodes = following


@cache
def english() -> Node:
    """The phrases of English."""
    tree = Node()
    for group in (NOUNS, MANNERS, AGAINST):
        for name, entries in group.items():
            for entry in entries.split(","):
                _grow(tree, entry, {name})
    for name, entries in VERBS.items():
        for entry in entries.split(","):
            _grow(tree, entry, {name, ORDER + name})
            first, *rest = entry.strip().split(" ", 1)
            for form in _forms(first):
                _grow(tree, " ".join((form, *rest)), {name})
    return tree


@cache
def foreign() -> Node:
    """The phrases of languages that put spaces between words."""
    tree = Node()
    for name, entries in TONGUES.items():
        for entry in entries.split(","):
            if not WIDE.search(entry):
                _grow(tree, entry, {name, ORDER + name} if name in VERBS else {name})
    return tree


@cache
def wide() -> Mapping[str, re.Pattern[str]]:
    """The phrases of languages that do not."""
    found: dict[str, re.Pattern[str]] = {}
    for name, entries in TONGUES.items():
        wide = [re.escape(entry.strip()) for entry in entries.split(",") if WIDE.search(entry)]
        if wide:
            found[name] = re.compile("|".join(wide))
            if name in VERBS:
                found["order:" + name] = found[name]
    return found


def _grow(tree: Node, entry: str, classes: set[str]) -> None:
    pieces = re.findall(r"[^\W_]+(?:'[^\W_]+)*\*?", entry)
    if not pieces:
        return
    node = tree
    for piece in pieces:
        branch = node.begins if piece.endswith("*") else node.exact
        node = branch.setdefault(piece.rstrip("*"), Node())
    node.classes |= classes


def _forms(verb: str) -> tuple[str, ...]:
    """The other forms of a plain verb; irregular ones that matter are given."""
    if verb in _IRREGULAR:
        return (*_IRREGULAR[verb].split(), *_regular(verb)[:1], _regular(verb)[-1])
    return _regular(verb)


def _regular(verb: str) -> tuple[str, ...]:
    if verb.endswith("e"):
        return verb + "s", verb + "d", verb[:-1] + "ing"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing"
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return verb + "es", verb + "ed", verb + "ing"
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprt]", verb):
        return verb + "s", verb + verb[-1] + "ed", verb + verb[-1] + "ing"
    return verb + "s", verb + "ed", verb + "ing"


_IRREGULAR: Mapping[str, str] = {
    "say": "said", "tell": "told", "send": "sent", "forget": "forgot forgotten forgetting", "hide": "hid hidden",
    "keep": "kept", "leave": "left", "make": "made", "give": "gave given", "take": "took taken", "get": "got",
    "pay": "paid", "buy": "bought", "write": "wrote written", "read": "read", "put": "put putting", "set": "set setting",
    "run": "ran running", "begin": "began begun", "go": "went gone", "do": "did done", "speak": "spoke spoken",
    "choose": "chose chosen", "withhold": "withheld", "override": "overrode overridden", "submit": "submitted submitting",
    "forward": "forwarded", "commit": "committed", "transfer": "transferred transferring", "refer": "referred referring",
    "prefer": "preferred preferring", "permit": "permitted", "become": "became", "bring": "brought", "see": "saw seen",
    "understand": "understood", "omit": "omitted omitting", "feed": "fed", "find": "found", "steal": "stole stolen",
}  # fmt: skip
