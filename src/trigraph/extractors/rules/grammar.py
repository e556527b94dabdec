"""Verbs and pronouns, as far as turning "I went" into "Caroline went" needs them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_IRREGULAR_PAST = frozenset(
    """
    was were had did went got took made came saw knew thought felt found gave told became left kept began wrote stood
    heard meant met ran paid sat spoke led grew lost fell sent built understood drew broke spent rose drove bought wore
    chose sang won taught caught fought sold threw slept flew forgot ate drank held brought said rode swam woke hung
    dealt shot dug fed hid bit stuck shook stole struck swore tore wound hit put set cut let read quit shut split cost
    hurt learnt dreamt lit sought swept crept forgave froze sank sprang strove underwent withstood been done gone
    """.split()
)
_MODALS = frozenset(
    "can could will would shall should may might must cannot can't couldn't won't wouldn't shouldn't mustn't".split()
)
_ADVERBS = frozenset(
    """
    really also just always never usually recently still finally actually already often sometimes even totally
    definitely currently only truly absolutely kinda simply now probably generally normally mostly mainly strongly
    personally typically rarely ever once almost both all then certainly honestly clearly first initially originally
    """.split()
)
_CONTRACTED = {"don't": "does not", "do": "does", "have": "has", "haven't": "has not", "am": "is", "are": "is"}
_CONTRACTED |= {"aren't": "is not", "were": "was", "weren't": "was not", "ain't": "is not", "dont": "does not"}
_FINITE = frozenset(
    """
    love like enjoy want need feel think know go get have do make take try use play paint write read run work live
    plan hope help find keep see look teach cook bake hike swim dance sing volunteer study learn spend prefer hate
    miss own believe start visit bring hang listen watch give collect train practice
    """.split()
)
_WORD = re.compile(r"\s*([A-Za-z']+)")


def third_person(verb: str) -> str:
    """The verb as it follows "she": goes, tries, has. Past forms and modals stay."""
    low = verb.lower().replace("’", "'")
    if low in _CONTRACTED:
        return _CONTRACTED[low]
    if is_past(low) or low in _MODALS or low.endswith("n't") or low in ("is", "has", "does", "not"):
        return verb
    if re.search(r"[^aeiou]y$", low):
        return verb[:-1] + "ies"
    if re.search(r"(?:s|x|z|ch|sh|o)$", low):
        return verb + "es"
    return verb + "s"


def is_past(verb: str) -> bool:
    """Whether a word has the form of a past tense."""
    low = verb.lower()
    return low in _IRREGULAR_PAST or (low.endswith("ed") and low not in ("need", "feed", "speed", "embed", "succeed"))


def is_adverb(word: str) -> bool:
    """Whether a word may stand between a subject and its verb."""
    low = word.lower()
    return low in _ADVERBS or (low.endswith("ly") and low not in ("apply", "reply", "rely", "supply", "fly"))


_AUXILIARIES = frozenset(
    "is are was were be been has have had does do did can could will would shall should may might must".split()
)
_THIRD_FORMS = frozenset(third_person(verb) for verb in _FINITE)


def has_verb(text: str) -> bool:
    """Whether some word of a text is likely a finite verb."""
    words = [word.strip(".,;:!()'’").lower() for word in text.split()]
    return any(word in _AUXILIARIES or word in _THIRD_FORMS or is_past(word) or word.endswith("n't") for word in words)


def agreed(rest: str) -> str:
    """What follows "I" or "we", with its verb in the third person: " really love it" → " really loves it"."""
    position = 0
    while (match := _WORD.match(rest, position)) and is_adverb(match.group(1)):
        position = match.end()
    if match is None or match.group(1) == "and":
        return rest
    verb = match.group(1)
    agreed_verb = third_person(verb)
    tail = rest[match.end(1) :]
    if agreed_verb != verb and verb.lower() in _FINITE:
        tail = re.sub(
            rf"( and | but )({'|'.join(_FINITE)})\b", lambda joined: joined[1] + third_person(joined[2]), tail, count=1
        )
    return rest[: match.start(1)] + agreed_verb + tail


@dataclass(frozen=True, slots=True)
class Person:
    """Whom "I" and "we" name: `Caroline` and `Caroline and others`, or `The user` and `The project`."""

    one: str
    many: str
    many_is_plural: bool


_FIRST_PERSON = re.compile(
    r"(?P<join>\b(?:and|but)\s+)?\b(?P<word>I['’]m|I am|I['’]ve|I['’]d|I['’]ll|I|i['’]m|i['’]ve|i|[Mm]y|[Mm]ine"
    r"|[Mm]yself|[Mm]e|[Ww]e['’]re|[Ww]e are|[Ww]e['’]ve|[Ww]e['’]d|[Ww]e['’]ll|[Ww]e|[Oo]urs|[Oo]ur|[Oo]urselves"
    r"|[Uu]s)\b(?!['’.-]\w|/)"
)
_WITH_ME = re.compile(r"\b[Mm]y (\w+(?: \w+)?) and I\b")
_FULL = {"m": "am", "re": "are", "ve": "have", "d": "would", "ll": "will"}
_HAD = re.compile(r"\s+(?:\w+ly\s+)?(?:better\b|been\b|\w+ed\b)")


def in_third_person(text: str, person: Person) -> str:
    """The text with the speaker named where "I" or "we" stood first, and a pronoun for it afterwards."""
    out, rest, named = "", _WITH_ME.sub(r"I and my \1", text), False
    named_many = False
    while match := _FIRST_PERSON.search(rest):
        out += rest[: match.start()]
        word = match.group("word").lower().replace("’", "'")
        rest = rest[match.end() :]
        join = match.group("join") or ""
        subject, _, contracted = word.partition("'")
        subject, _, verb = subject.partition(" ")
        verb = _FULL.get(contracted, verb)
        if contracted == "d" and _HAD.match(rest):
            verb = "had"
        if verb:
            rest = f" {verb}{rest}"
        if subject in ("i", "we"):
            many = subject == "we"
            name, plural = (person.many, person.many_is_plural) if many else (person.one, False)
            name = _inside(name) if (out + join).strip() else name
            if not named:
                out += join + name
                rest = rest if plural else agreed(rest)
            elif join and named_many == many:
                out += join.rstrip()
                rest = rest if plural else agreed(rest)
            else:
                pronoun = "it" if many and not plural else "they"
                out += join + pronoun
                rest = agreed(rest) if pronoun == "it" else re.sub(r"^( \w+ly)? (?:am|was)\b", _plural, rest)
            named, named_many = True, many
        else:
            owned = _possessed(subject, person, named)
            out += join + (_inside(owned) if out.strip() else owned)
            if subject in ("my", "mine", "me", "our", "ours", "us"):
                named_many = named_many if named else subject in ("our", "ours", "us")
                named = True
    return out + rest


def _inside(name: str) -> str:
    """A name within a sentence."""
    return "the " + name[4:] if name.startswith("The ") else name


def _plural(match: re.Match[str]) -> str:
    return match.group().replace("am", "are").replace("was", "were")


def _possessed(word: str, person: Person, named: bool) -> str:
    many = word in ("our", "ours", "us", "ourselves")
    owner = person.one if not many or person.many_is_plural else person.many
    neutral = many and not person.many_is_plural
    match word:
        case "my" | "our":
            return ("its" if neutral else "their") if named else f"{owner}'s"
        case "mine" | "ours":
            return ("its own" if neutral else "theirs") if named else f"{owner}'s"
        case "me" | "us":
            return ("it" if neutral else "them") if named else owner
        case _:
            return "itself" if neutral else "themselves"
