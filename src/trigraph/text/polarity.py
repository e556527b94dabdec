"""What a text affirms and what it denies: negation scoped to its predicate, opposites, double negation.

Every word of weight gets a sign under a key that it shares with its opposite: `enabled` is (enable, +), `disabled` and
`not enabled` are (enable, -), `never disabled` is (enable, +) again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from trigraph.text.terms import STOP_WORDS, analyse

SCOPE_WORDS = 2
"""A negation denies the first word of weight after it and leaves the next in doubt, within its clause."""

_OPPOSITES = """
    enable activate | disable deactivate
    allow permit accept approve | deny forbid forbidden prohibit ban block reject refuse disallow
    public | private
    open | close shut
    increase raise grow rise | decrease reduce lower shrink fall
    pass succeed | fail
    online | offline
    present | absent missing
    require mandatory compulsory must | optional
    synchronous synchron sync | asynchronous asynchron async
    internal | external
    mutable | immutable
    win | lose
    alive | dead
    married | single divorced
    true correct | false wrong incorrect
    work functional fix repair | broken break crash
    include contain | exclude omit
    encrypt | plaintext
    manual | automatic
    local | remote
    sensitive | ignore
    keep retain preserve | delete remove drop discard purge skip
    agree | disagree
    connect | disconnect
    start begin launch | stop end finish quit
    accept | decline
    tolerate | intolerant allergy allergic
    sleep asleep | awake
    ascend ascending | descend descending
    permanent | temporary
    static | dynamic
    read-only readonly | writable
    blocking | nonblocking
    detect notice | overlook
    optin | optout
    inside indoors indoor | outside outdoors outdoor
    visible shown | hidden hide
    ready finished | unfinished pending
    occupied | vacant
    singular | plural
    serial sequential | parallel concurrent
    eager | lazy
    guilty | innocent
"""
_GRADED = """
    love like enjoy adore favour favor fond | hate dislike detest loathe despise annoy irritate bother
    safe | dangerous
    fast quick | slow
    cheap | expensive costly
    easy simple | difficult
    hot | cold
    warm | cool chilly
    full | empty
    strict | lenient
    healthy | sick ill
    clean | dirty
    happy | sad
    loud noisy | quiet silent
    strong | weak
    heavy | lightweight
    bright | dim
    wide | narrow
    deep | shallow
    thick | thin
    tight | loose
    rich | poor
    wet | dry
    verbose | terse
"""
_WEAK_OPPOSITES = """
    before | after
    above | below
    up | down
    on | off
    more | less fewer
"""
_NEGATORS = frozenset(
    "not no never without cannot nobody none neither nor nothing hardly rarely scarcely unable avoid lacks lack lacking"
    " refuses refuse fails fail failed failing stopped stop stops quit ceased dont doesnt didnt isnt arent wasnt werent"
    " wont cant couldnt shouldnt hasnt havent".split()
)
_ONLY_BEFORE_VERBS = frozenset("fail fails failed failing refuse refuses unable quit".split())
_NO_NEGATION_BEFORE = frozenset(
    "only just merely necessarily forget hesitate worry every all each entirely always later least exceed doubt problem"
    " matter sooner earlier wonder mind".split()
)
_BOUNDARIES = frozenset({",", ";", ":", ".", "!", "?", "(", ")", "but", "because", "so", "while", "since", "although"})
_NOT_OPPOSED = frozenset(("approval", "approvals", "allowance", "permit", "permits"))
"""Forms that name a thing where their stem would be a word with an opposite."""
_PREFIXES = ("un", "non", "in", "im", "ir", "il", "dis", "de")
_NO_PREFIX = (
    "under", "uni", "until", "unless", "display", "discover", "dispatch", "discount", "discuss", "dismiss", "distance",
    "district", "distrib", "disease", "default", "deploy", "depart", "design", "detail", "depend", "deliver", "defence",
    "declaim", "delight", "destin", "demand", "decline",
)  # fmt: skip
_IN_ENDINGS = ("able", "ible", "ent", "ant", "ive", "ate", "ect", "ure", "ete", "act")
_TURNED = frozenset("turn turns turned switch switched".split())
_AFTER_STATES = frozenset("at in for on by again and since this today yesterday everywhere".split())
_STATES_AFTER = frozenset("is are was were be been back now turned switched turn switch went came still".split())


@lru_cache(maxsize=4_096)
def _stem(word: str) -> str:
    return next(iter(analyse(word)), word)


def _table(text: str) -> Mapping[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for line in text.strip().splitlines():
        positive, negative = (side.split() for side in line.split("|"))
        key = _stem(positive[0])
        for words, sign in ((positive, 1), (negative, -1)):
            for word in words:
                found.setdefault(_stem(word), (key, sign))
    return MappingProxyType(found)


_COMPLEMENTS = _table(_OPPOSITES)
_STRONG = MappingProxyType({**_table(_GRADED), **_COMPLEMENTS})
_WEAK = {
    word: (side.split("|")[0].split()[0], sign)
    for side in _WEAK_OPPOSITES.strip().splitlines()
    for sign, half in ((1, side.split("|")[0]), (-1, side.split("|")[1]))
    for word in half.split()
}
_COMPLEMENT_KEYS = frozenset(key for key, _ in _COMPLEMENTS.values())
_GRADED_KEYS = frozenset(key for key, _ in _table(_GRADED).values())
WEAK_KEYS = frozenset(f"~{key}" for key, _ in _WEAK.values()) - {"~up", "~on"}
"""Opposites that often say nothing (`up`, `after`): they count only where everything else is the same."""


def opposites_key(stem: str) -> tuple[str, int]:
    """The key that a stem shares with its opposites, and on which side it stands."""
    return _STRONG.get(stem, (stem, 1))


def weak_word(key: str, sign: int) -> str:
    """The word on that side of a pair such as up and down."""
    return next((word for word, side in _WEAK.items() if side == (key.lstrip("~"), sign)), key.lstrip("~"))


def is_opposed(stem: str) -> bool:
    """Whether an opposite of this stem is known."""
    return stem in _STRONG


def is_complement(key: str) -> bool:
    """Whether what is not on one side of this key is on the other: `not public` is private, `not hot` is not cold."""
    return key in _COMPLEMENT_KEYS or key not in _GRADED_KEYS


def signs(tokens: Sequence[str], stems: Sequence[str]) -> Mapping[str, int]:
    """Key → +1 affirmed, -1 denied, 0 both, over the tokens of a text in small letters with their stems.

    A stem is empty where a token carries no weight: stop words, punctuation, numbers.
    """
    found: dict[str, int] = {}
    denied, doubtful = denied_places(tokens, stems)
    for place, stem in enumerate(stems):
        for key, sign in (*_strong(tokens[place], stem), *_weak(tokens, place)):
            told = sign
            if not key.startswith("~"):
                told = 0 if place in doubtful else -sign if place in denied else sign
            found[key] = told if found.get(key, told) == told else 0
    return MappingProxyType(found)


def keys_of(token: str, stem: str) -> frozenset[str]:
    """The keys under which a word is compared."""
    return frozenset(key for key, _ in _strong(token, stem))


def _strong(token: str, stem: str) -> Iterator[tuple[str, int]]:
    if not stem:
        return
    yield (stem, 1) if token in _NOT_OPPOSED else opposites_key(stem)
    for prefix in _PREFIXES:
        rest = token.removeprefix(prefix).lstrip("-")
        if rest == token or len(rest) < 4 or token.startswith(_NO_PREFIX):
            continue
        if prefix in ("in", "im", "ir", "il") and not rest.endswith(_IN_ENDINGS):
            continue
        if prefix == "de" and len(rest) < 5:
            continue
        key, sign = opposites_key(_stem(rest))
        yield key, -sign
    if token.endswith("less") and len(token) > 7:  # stateless, cordless
        yield opposites_key(_stem(token.removesuffix("less")))[0], -1


def _weak(tokens: Sequence[str], place: int) -> Iterator[tuple[str, int]]:
    token = tokens[place]
    if token not in _WEAK:
        return
    if token in ("up", "down", "on", "off") and not _is_state(tokens, place):
        return
    key, sign = _WEAK[token]
    yield f"~{key}", sign


def _is_state(tokens: Sequence[str], place: int) -> bool:
    """`is down`, `turned on for all`; not `on Monday`, `up to 5`, `back up the disk`."""
    before = tokens[place - 1] if place else ""
    after = tokens[place + 1] if place + 1 < len(tokens) else "."
    if _TURNED.intersection(tokens[max(0, place - 4) : place]) and after in {*_BOUNDARIES, *_AFTER_STATES}:
        return True
    return before in _STATES_AFTER and after in {*_BOUNDARIES, *_AFTER_STATES}


def denied_places(tokens: Sequence[str], stems: Sequence[str]) -> tuple[set[int], set[int]]:
    """Places of words under an odd number of negations, and of those that a negation may or may not reach."""
    denied: set[int] = set()
    doubtful: set[int] = set()
    for place in range(len(tokens)):
        if not is_negator(tokens, place):
            continue
        reached = 0
        for following in range(place + 1, len(tokens)):
            if tokens[following] in _BOUNDARIES or reached == SCOPE_WORDS:
                break
            if stems[following] and not tokens[following].endswith("ly"):
                reached += 1
                if reached == 1:
                    denied ^= {following}
                else:
                    doubtful.add(following)
    return denied, doubtful - denied


def is_negator(tokens: Sequence[str], place: int) -> bool:
    """Whether the word at this place denies what follows it."""
    token = tokens[place]
    after = tokens[place + 1] if place + 1 < len(tokens) else ""
    if token == "out":  # `is out of toner`; not `made out of wood`, `three out of four`
        return after == "of" and place > 0 and tokens[place - 1] in _STATES_AFTER
    if token not in _NEGATORS and not token.endswith("n't"):
        return False
    if after in _NO_NEGATION_BEFORE or (token == "no" and after in ("more", "less", ".", ",", ":", "#", "")):
        return False
    if token in _ONLY_BEFORE_VERBS:
        return after == "to"
    if token in ("stop", "stops", "stopped"):
        return after.endswith("ing")
    before = tokens[place - 1] if place else ""
    return not (before == "or" and token == "not") and (token != "nor" or after not in STOP_WORDS)
