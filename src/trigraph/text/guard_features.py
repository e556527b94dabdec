"""What a few sentences of a text do, as named features: who is spoken to, what is asked, when and with whose leave.

Features that meet in the same sentence make pairs (`called×order:send`): a word alone says little, two of them much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

from trigraph.text.guard_folding import View
from trigraph.text.guard_tongues import TONGUES
from trigraph.text.guard_words import AGAINST, MANNERS, NOUNS, VERBS

WINDOW_SENTENCES = 2
SENTENCE_CHARS = 500
"""Longer sentences are cut."""

_TOKEN = re.compile(
    r"(?P<url>https?://\S+|\bwww\.\S+)|(?P<mail>[^\s@<>()\"',;:]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})"
    r"|(?P<host>\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.(?:com|net|org|io|test|example|invalid|dev|sh|co|info|biz|ru|xyz|app|site)\b)"
    r"|(?P<word>[^\W_]+(?:'[^\W_]+)*)|(?P<mark>[^\w\s]+)"
)
_BREAK = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n+|(?<=[。！？；])|(?<=;)\s+|\s+[–—→|]\s+|\\n")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENGLISH = frozenset("the of and to with this that you your be are it from any not will have is for on by as".split())
_BEFORE_ORDER = frozenset(
    "and then please also now just simply kindly first instead but so always never or afterwards silently quietly"
    " must shall should to don't not only immediately therefore secretly simply ever bitte".split()
)
_CALLING = frozenset("dear hey hello hi attention note notice memo message hint tip instruction instructions reminder for to any all"
                     " the every each ok okay yo psst info important warning todo".split())
_STRUCTURES: Mapping[str, re.Pattern[str]] = {
    "chat_token": re.compile(r"<\|[\w ]{2,30}\|>|\[/?inst\]|<</?sys>>|</?s>|<start_of_turn>|\[end of (?:document|context)"),
    "role_tag": re.compile(
        r"<\s{0,3}/?\s{0,3}(?:system|assistant|developer|admin|instructions?|user_query|system[-_ ]\w{1,20}|important|tool_result|prompt|context|override)\b[^>]{0,40}>"
        r"|\[\s{0,3}(?:system|assistant|developer|admin|instructions?)[^\]]{0,30}\]"
    ),
    "role_line": re.compile(r"(?:^|\n|\"|---\s?|[.;]\s)\s{0,8}#{0,4}\s?\**(?:system(?: (?:message|prompt|note|override|notice|update))?|developer|assistant|human|instruction|response|root)\**\s?(?:\([^)]{0,20}\))?\s?[:>]"),
    "dialogue": re.compile(r"(?:^|\n|\. )\s{0,4}(?:user|human|q|customer)\s?:[\s\S]{0,300}?(?:\n|[.!?] )\s{0,4}(?:assistant|ai|agent|a|bot|model)\s?:"),
    "comment": re.compile(r"<!--|/\*|(?:^|\n)\s{0,12}(?://|#(?!#)|--)\s|;\s?//\s"),
    "unseen": re.compile(r"display\s?:\s?none|font-size\s?:\s?0|visibility\s?:\s?hidden|color\s?:\s?(?:#fff|white)|aria-hidden|\bhidden\b|alt\s?=|white text|sr-only|opacity\s?:\s?0"),
    "field": re.compile(r"[{,]\s{0,8}\"\w{1,40}\"\s?:|(?:^|\n)\s{0,8}[\w.-]{1,40}\s?[:=]\s"),
    "order_key": re.compile(r"\b(?:ai|llm|agent|assistant|model|system|bot)[_-](?:instruction|directive|note|hint|guidance|prompt|message|must|should|rule|policy|action|task|command|context|memo|override|behaviou?r|only)\w{0,12}\b"
                            r"|\b(?:instruction|directive|note|hint|message|prompt|rules?)s?_(?:for|to)_\w+|\bnext_action\b"),
    "log": re.compile(r"(?:^|\n)\W{0,2}\d{4}-\d\d-\d\d[t ]\d\d:\d\d|\b(?:info|warn|warning|error|debug|fatal)\b[:\] ]"),
    "code_span": re.compile(r"`[^`\n]{1,200}`"),
    "quoted": re.compile(r"[\"“'«][^\"”»\n]{8,200}[\"”»']"),
    "image_leak": re.compile(r"!\[[^\]]{0,60}\]\([^)\s]{0,200}\?|<img[^>]{0,100}src=[^>]{0,200}\?\w+="),
    "slot": re.compile(r"[=/]\s?[<{\[$][\w '’.,-]{2,80}[>}\]]?|\?\w{1,12}="),
    "danger": re.compile(r"\brm -rf\b|\|\s?(?:sudo )?(?:ba|z)?sh\b|chmod (?:-r )?[0-7]*777|--no-verify|--force\b|drop table|grant all|nopasswd|exec\(|eval\(|os\.system|\$[a-z_]*(?:token|key|secret)|document\.cookie|~/\.\w+|\.env\b|id_rsa"),
    "capitals": re.compile(r"(?!)"),
    "signature": re.compile(r"(?:^|\n)(?:--|—|best|regards|cheers|thanks)\b"),
    "bullets": re.compile(r"(?:^|\n)\s{0,6}(?:[-*•✓]|\d{1,2}[.)])\s[^\n]{1,200}\n\s{0,6}(?:[-*•✓]|\d{1,2}[.)])\s"),
}
_HELPED = re.compile(
    r"\b(?:you(?:'re| are)? (?:\w+ )?(?:assist|help|serv|work(?:ing)? for|work(?:ing)? with|talk(?:ing)? to|chat(?:ting)? with|represent|answer to)\w*"
    r"|(?:your|its|their|the) (?:user|owner|operator|principal|human|person|account holder|master)\b|(?:whoever|anyone|whatever|any \w+) (?:is )?(?:read|process|pars|pick|summari|index|retriev)\w*)"
)
_OWN = re.compile(
    r"\byour (?:\w+ ){0,2}(?:instructions?|memor\w+|rules|system prompt|prompt|training|guidelines|answers?|repl(?:y|ies)|summar\w+|responses?|output|context|tools?"
    r"|notes|configuration|restrictions|persona|purpose|task|goal|role|orders|directives?|programming|knowledge|recommendations?|safety|filters?|credentials|api key|policies|operator|developers?|creators?|limits|next (?:reply|answer|message)|brief)\b"
)
_BOUND = re.compile(
    r"\b(?:ais?|llms?|assistants?|agents?|bots?|models?|chatbots?|crawlers?|copilots?|summari[sz]ers?|reviewers?|robots?)\b[^.!?\n]{0,60}?\b(?:must|shall|should|ha(?:ve|s) to|needs? to|ought to|(?:is|are) "
    r"(?:\w+ )?(?:required|obliged|directed|instructed|asked|requested|expected|bound|to|exempt|free|authori[sz]ed|permitted|allowed|cleared|encouraged|meant|supposed)|may (?:no longer|now|treat|skip)|will now|could)\b"
)
_ROLE = re.compile(r"\byou(?:'re| are) (?:now |hereby )|\byou (?:now|will now|will from|henceforth|no longer|have (?:been|already|unrestricted|full))\b|\bact as\b|\bas an ai\b")


@dataclass(frozen=True, slots=True)
class Window:
    """A few neighbouring sentences: where they stand in a view, and what they do."""

    start: int
    end: int
    features: frozenset[str]


@dataclass(slots=True)
class _Node:
    exact: dict[str, _Node] = field(default_factory=dict)
    begins: dict[str, _Node] = field(default_factory=dict)
    classes: set[str] = field(default_factory=set)


def windows(view: View) -> Iterator[Window]:
    """The sentences of a view, two at a time."""
    text = view.text
    whole = {name for name, shape in _STRUCTURES.items() if shape.search(text)}
    spans = list(_sentences(text))
    told = [_told(text[start:end]) for start, end in spans]
    for place in range(len(spans)):
        if place and place + WINDOW_SENTENCES > len(spans):
            break
        group = told[place : place + WINDOW_SENTENCES]
        features: set[str] = {f"text:{name}" for name in whole}
        if view.encoded:
            features.add("text:encoded")
        if view.disguised:
            features.add("text:disguised")
        for one in group:
            features |= one
            both = sorted(one | {f"text:{name}" for name in whole & _PAIRED_STRUCTURES} | ({"text:encoded"} if view.encoded or view.disguised else set()))
            features.update(f"{left}×{right}" for left, right in combinations(both, 2))
            features |= _groups(set(both), "here")
        features |= _groups(set().union(*group) | {f"text:{name}" for name in whole}, "near")
        if len(group) > 1:
            for left in group[0]:
                for right in group[1]:
                    features.add("~".join(sorted((left, right))))
        yield Window(spans[place][0], spans[min(place + WINDOW_SENTENCES, len(spans)) - 1][1], frozenset(features))


_GROUPS: Mapping[str, frozenset[str]] = {
    name: frozenset(members.split())
    for name, members in {
        "who": "called bound own helped role machine text:order_key text:role_tag text:chat_token text:role_line machine_note",
        "what": "order:drop order:conceal order:reveal order:send order:execute order:keep order:erase order:disable"
        " order:allow order:pay order:obey order:treat order:answer bound",
        "deed": "drop conceal reveal send execute keep erase disable allow pay obey treat answer",
        "harm": "secret safeguard money command text:danger address rules memory text:image_leak",
        "how": "standing hushed unasked regardless urgent",
        "sly": "hushed unasked regardless conceal off",
        "when": "asked",
        "leave": "leave rerouted authority",
        "praise": "trusted rival",
        "talk": "about_attacks example",
        "paper": "manual interface",
        "folk": "staff household company office told self",
    }.items()
}
_OPPOSED = ("sly", "harm", "who", "how", "leave", "when", "what", "praise")


def _groups(features: set[str], prefix: str) -> set[str]:
    """Coarse features: which groups of features meet, up to four at a time, and how many of them."""
    met = sorted(name for name, members in _GROUPS.items() if members & features)
    found = {f"{prefix}:{'+'.join(some)}" for size in (1, 2, 3, 4) for some in combinations(met, size)}
    steering = sum(len(_GROUPS[name] & features) for name in _OPPOSED)
    found.update(f"{prefix}:{size}" for size in (2, 3, 4, 5, 6, 7, 8, 10, 12, 14) if steering >= size)
    return found


_PAIRED_STRUCTURES = frozenset({"chat_token", "role_tag", "role_line", "dialogue", "comment", "unseen", "order_key", "log", "field", "image_leak", "danger"})


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end, after in [*(match.span() for match in _BREAK.finditer(text)), (len(text), len(text))]:
        for part in range(start, end, SENTENCE_CHARS):
            stop = min(end, part + SENTENCE_CHARS)
            if text[part:stop].strip(" \t\r\n-=#>*`"):
                yield part, stop
        start = after


def _told(sentence: str) -> set[str]:
    """What one sentence does."""
    tokens = list(_TOKEN.finditer(sentence))
    words = [match.group() for match in tokens]
    kinds = [match.lastgroup for match in tokens]
    features: set[str] = set()
    features.update({"url": "address", "mail": "address", "host": "address"}[kind] for kind in kinds if kind in ("url", "mail", "host"))
    plain = [word for word, kind in zip(words, kinds, strict=True) if kind == "word"]
    marked = [place for place, kind in enumerate(kinds) if kind == "word"]
    english = sum(word in _ENGLISH for word in plain) >= 0.1 * len(plain)
    trees = (_english(),) if english else (_english(), _foreign())
    for index in range(len(plain)):
        opening = index == 0 or marked[index] != marked[index - 1] + 1 or plain[index - 1] in _BEFORE_ORDER
        for tree in trees:
            for name in _matched(tree, plain, index):
                if name.startswith("="):
                    if opening:
                        features.add("order:" + name[1:])
                        features.add("order")
                else:
                    features.add(name)
                    if name in ("machine", "helper") and _is_called(words, kinds, marked, plain, index):
                        features.add("called")
    if _WIDE.search(sentence):
        features.update(name for name, shape in _wide().items() if shape.search(sentence))
    for name, shape in (("helped", _HELPED), ("own", _OWN), ("bound", _BOUND), ("role", _ROLE)):
        if shape.search(sentence):
            features.add(name)
    return features


def _is_called(words: list[str], kinds: list[str | None], marked: list[int], plain: list[str], index: int) -> bool:
    """Whether somebody named is spoken to: at the beginning or after `note for`, with a mark soon after."""
    before = index
    while before and marked[before] == marked[before - 1] + 1 and index - before < 4:
        if plain[before - 1] not in _CALLING:
            return False
        before -= 1
    for place in range(marked[index] + 1, min(marked[index] + 6, len(words))):
        if kinds[place] == "mark":
            return words[place][0] in ",:!;>–—-→)]/"
    return False


def _matched(tree: _Node, plain: list[str], index: int) -> Iterator[str]:
    nodes = [tree]
    for word in plain[index : index + 6]:
        following: list[_Node] = []
        for node in nodes:
            if word in node.exact:
                following.append(node.exact[word])
            if node.begins:
                following += [node.begins[word[:size]] for size in range(2, len(word) + 1) if word[:size] in node.begins]
        if not following:
            return
        for node in following:
            yield from node.classes
        nodes = following


@cache
def _english() -> _Node:
    tree = _Node()
    for group in (NOUNS, MANNERS, AGAINST):
        for name, entries in group.items():
            for entry in entries.split(","):
                _grow(tree, entry, {name})
    for name, entries in VERBS.items():
        for entry in entries.split(","):
            _grow(tree, entry, {name, "=" + name})
            first, *rest = entry.strip().split(" ", 1)
            for form in _forms(first):
                _grow(tree, " ".join((form, *rest)), {name})
    return tree


@cache
def _foreign() -> _Node:
    tree = _Node()
    for name, entries in TONGUES.items():
        for entry in entries.split(","):
            if not _WIDE.search(entry):
                _grow(tree, entry, {name, "=" + name} if name in VERBS else {name})
    return tree


@cache
def _wide() -> Mapping[str, re.Pattern[str]]:
    found: dict[str, re.Pattern[str]] = {}
    for name, entries in TONGUES.items():
        wide = [re.escape(entry.strip()) for entry in entries.split(",") if _WIDE.search(entry)]
        if wide:
            found[name] = re.compile("|".join(wide))
            if name in VERBS:
                found["order:" + name] = found[name]
    return found


def _grow(tree: _Node, entry: str, classes: set[str]) -> None:
    pieces = re.findall(r"[^\W_]+(?:'[^\W_]+)*\*?", entry)
    if not pieces:
        return
    node = tree
    for piece in pieces:
        branch = node.begins if piece.endswith("*") else node.exact
        node = branch.setdefault(piece.rstrip("*"), _Node())
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
