"""Lists: what their lead says and their items complete, and items that need the lead or heading to be understood."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trigraph.extractors.rules.cues import is_noise
from trigraph.extractors.rules.fitting import tidy
from trigraph.extractors.rules.grammar import is_past
from trigraph.extractors.rules.problems import cause_and_fix
from trigraph.extractors.rules.scene import Scene
from trigraph.extractors.rules.standing import is_specific, stand_alone
from trigraph.model.extraction import Role
from trigraph.text.sentences import Sentence

_EMPTY_LEAD = re.compile(
    r"\b(?:summary|changes (?:made|ensure|include)|following|here['’]?s?|for example|if you have|like this|such as"
    r"|what (?:was"
    r"|i)|steps?|options?|to (?:run|use|test|try)|i need|i will|i['’]ll|let me|we need|would you|should i"
    r"|key (?:features|changes"
    r"|improvements|benefits)|benefits|improvements|looks? like|this (?:means|ensures|way))\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:i need to|i['’]ll|i will|let me|let['’]s|plan|going to|should i|we need to|could|options?)\b", re.I
)
_PRAISED = re.compile(
    r"\b(?:ensures?|benefits?|advantages?|improvements?|why this (?:works|is better)|highlights?)\b", re.I
)
_LABEL = re.compile(r"^(?P<label>(?:[^:`–—]|`[^`]*`){2,60}?)(?::| [-–—])\s+(?=\S)")
_NAME_IN = re.compile(
    r"`([^`\n]{2,60})`|\b([\w./-]+\.(?:py|js|ts|tsx|jsx|html|css|md|rs|go|java|rb|sql|ya?ml|json|toml|sh|c|cpp|h))\b"
    r"|\b((?:[A-Z]\w*[a-z][A-Z]\w*)(?:\s+[A-Z]\w+)?|[A-Z]{2,}[a-z]*(?:\s+[a-z]+)?)\b"
)
_THIRD = re.compile(r"^(?:now |also |only |directly |automatically |always )*([A-Za-z]+?)s\b(?!')", re.IGNORECASE)


_BARE_LABEL = re.compile(r"^(?!for |if |when |on |in )[^:`–—]{2,60}?(?::| [-–—])\s+(?=\S)", re.IGNORECASE)
# A lead-in with a verb of its own is the sentence itself: "**The cache** wasn't cleared - …".
_CLAUSE = re.compile(r"(?<=\w )(?:is|are|was|were|has|had|does|did|could|would|cannot)\b|\w+n['’]t\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\b(?:because|since|by|includes?|covers?|contains?|supports?|now|has|have|are|is|with|to|for|that)$"
)
_ASIDE = re.compile(r"\s+\([^()]+\)")
_INTRODUCES_CAUSES = re.compile(r"\b(?:because|since|due to|caused by)(?: of)?:$", re.IGNORECASE)
_PLURAL = re.compile(
    r"\w+s (?:(?:is|are|was|were|has|have|had|do|did|can|could|will|would|should)\b|\w+n['’]t\b)", re.I
)
_SUBJECT = re.compile(r"(?:The|An?|Each|Every|All|`[^`]+`)\s")


@dataclass(frozen=True, slots=True)
class Listing:
    """Items under one lead or heading."""

    lead: str | None
    heading: str | None
    items: tuple[Sentence, ...]
    start: int

    @property
    def end(self) -> int:
        """Where its last item ends."""
        return self.items[-1].end


def listings(sentences: Sequence[Sentence]) -> Iterator[Listing]:
    """The lists of a text, each with at least two items; an item's own items count in its stead."""
    before: Sentence | None = None
    run: list[Sentence] = []
    for sentence in (*sentences, None):
        if run and (sentence is None or not _belongs(sentence, run)):
            items = tuple(item for item in run if not item.text.endswith(":"))
            if len(items) >= 2:
                led = before is not None and before.text == run[0].lead
                yield Listing(run[0].lead, run[0].heading, items, before.start if led and before else run[0].start)
            run = []
        if sentence is not None and sentence.is_item:
            run.append(sentence)
        else:
            before = sentence


def _belongs(sentence: Sentence, run: Sequence[Sentence]) -> bool:
    same = sentence.lead == run[0].lead or any(sentence.lead == item.text for item in run)
    return sentence.is_item and sentence.heading == run[0].heading and same


def is_planned(sentence: Sentence) -> bool:
    """Whether an item only says what someone means to do, might choose, or praises."""
    above = sentence.lead or sentence.heading
    return above is not None and (_PLANNED.search(above) or _PRAISED.search(above)) is not None


def gives_causes(lead: str | None) -> bool:
    """Whether the items below a lead are reasons: "The build broke because:"."""
    return lead is not None and _INTRODUCES_CAUSES.search(lead) is not None


def label_of(item: str) -> str | None:
    """The words before an item's colon or dash."""
    match = _LABEL.match(item)
    return match.group("label").strip() if match and not _CLAUSE.search(match.group("label")) else None


def told_whole(listing: Listing, scene: Scene, message: int, limit: int) -> str | None:
    """`The workflow at ci.yml includes tests; linting; type checks`: the lead with as many items as fit, else with
    their labels; None where the lead says nothing by itself."""
    if any(is_planned(item) or cause_and_fix(item.text) is not None for item in listing.items):
        return None
    lead = _opening(listing, scene, message, limit)
    opened = lead or _name_in(listing.heading)
    if opened is None:
        return None
    items = [item.text for item in listing.items]
    bare = [_BARE_LABEL.sub("", item, count=1) if label_of(item) else item for item in items]
    labels = [label for item in items if (label := label_of(item)) is not None and "`" not in label]
    joint = " " if _GOES_ON.search(opened) else ": "
    for words in (items, [_ASIDE.sub("", item) for item in items], bare):
        whole = f"{opened}{joint}{'; '.join(_inside(word) for word in words)}"
        if len(whole) <= limit:
            return whole
    if lead is None:
        return None
    if len(labels) == len(items) > 2 and all(len(label.split()) <= 6 for label in labels):
        return _as_many(f"{opened}{joint}", [_inside(label) for label in labels], ", ", limit)
    shorter = [_inside(_ASIDE.sub("", word)) for word in bare]
    return _as_many(f"{opened}{joint}", shorter, "; ", limit) or _closed(opened)


def _opening(listing: Listing, scene: Scene, message: int, limit: int) -> str | None:
    """What the list is about: its lead, where that says something by itself."""
    lead = listing.lead
    if lead is None or not lead.endswith(":") or _EMPTY_LEAD.search(lead) or is_noise(lead[:-1], Role.ASSISTANT):
        return None
    lead = re.sub(r"^I(?:['’]ve| have)(?: successfully)? (?=\w+(?:ed|ilt|ade)\b)", "", lead[:-1])
    opened = stand_alone(lead, scene, message, listing.items[0].start, limit - 20)
    told = opened is not None and (
        is_specific(opened) or (gives_causes(lead + ":") and _name_in(listing.items[0].text))
    )
    if opened is None or not told or len(opened) < len(tidy(lead)) * 0.8:
        return None
    return opened


def _closed(lead: str) -> str | None:
    """A lead that says something without its items: `Fixed all type errors in cli.py by`."""
    shorter = re.sub(r"\s+(?:by|so that it(?: now)?|as follows|using|with)$", "", lead)
    return shorter if shorter != lead else None


def _as_many(text: str, parts: Sequence[str], joint: str, limit: int) -> str | None:
    kept: list[str] = []
    for part in parts:
        if len(text) + len(joint.join([*kept, part])) > limit:
            break
        kept.append(part)
    enough = 2 if text.endswith(": ") else max(1, len(parts) // 3)
    return text + joint.join(kept) if len(kept) >= enough else None


def _inside(item: str) -> str:
    """An item as it stands within a sentence, its label and first word in small letters."""
    item = tidy(item)
    label = label_of(item)
    if label is not None:
        rest = _LABEL.sub("", item, count=1)
        return f"{_small(label)}: {_inside(rest)}"
    words = item.split(" ")
    if len(words) > 1 and len(words) <= 6 and all(re.fullmatch(r"[A-Z][a-z]+", word) for word in words):
        return _small(item)
    return item[0].lower() + item[1:] if re.fullmatch(r"[A-Z][a-z'-]*,?", words[0]) else item


def _small(label: str) -> str:
    return re.sub(r"\b[A-Z][a-z]+\b", lambda word: word.group().lower(), label)


def with_subject(sentence: Sentence) -> str | None:
    """An item with what it is about: the name in its lead or heading. None where it needs one and there is none."""
    item = sentence.text
    label = label_of(item)
    said = _LABEL.sub("", item, count=1) if label else item
    name = _name_in(label) or _name_in(sentence.lead) or _name_in(sentence.heading)
    if label and is_past(label.split()[0]):
        return said if _SUBJECT.match(said) and _CLAUSE.search(said) else item
    if _needs_subject(said):
        if name is None:
            return item if _name_in(said) and is_past(said.split()[0]) else None
        if label and _name_in(label):
            about = _name_in(sentence.lead) or _name_in(sentence.heading)
            return item if about is None or about in item else f"{about}, {_inside(item)}"
        return f"{name}: {_inside(said)}"
    return (
        said if label and re.match(r"(?:The|A|An|`[^`]+`|[A-Z]\w+)\s", said) and not is_past(said.split()[0]) else item
    )


def _needs_subject(said: str) -> bool:
    first = said.split(" ", 1)[0].lower().strip(",:")
    third = _THIRD.match(said) if not _PLURAL.match(said) else None
    return is_past(first) or (third is not None and len(third.group(1)) > 2 and first not in ("this", "is", "has"))


def _name_in(words: str | None) -> str | None:
    match = _NAME_IN.search(words) if words else None
    return next((group for group in match.groups() if group), None) if match else None
