"""Which subjects and objects go with a verb phrase, and what a phrase of several meanings says of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trigraph.model.relation import RelationType
from trigraph.text.closed_words import DETERMINERS
from trigraph.text.part_words import is_part_noun
from trigraph.text.phrases import Noun, Word, is_mark, is_pronoun
from trigraph.text.relation_verbs import AUXILIARIES, VERBS, Phrase

R = RelationType
END = Word("", "", 0, 0)
"""What follows the last word."""

_GROUPS = frozenset(
    """
    team group guild club committee squad crew board council department band orchestra choir association society union
    company staff faculty chapter league party tribe gang troop federation church brigade community cooperative lab
    startup firm organization organisation network forum gym cast
    """.split()
)
_ROLES = frozenset(
    """
    analyst architect artist assistant author client coach consultant contractor colleague designer developer director
    doctor driver editor engineer founder friend intern lawyer lead librarian maintainer manager mechanic nurse owner
    programmer researcher reviewer scientist student teacher technician tester user volunteer writer
    """.split()
)
_NO_PLACE = frozenset(
    """
    progress trouble review beta alpha love charge use danger development production place order time process works way
    past middle morning afternoon evening meeting mood loop question discussion doubt hurry contact touch favor shape
    condition state stage phase queue backlog plan future spring summer autumn winter march may style fact case mode
    lead front sync line tune stock transit season demand flux limbo relationship class set list scope version format
    course
    """.split()
)
_TROUBLES = frozenset(
    """
    bug issue crash leak error outage problem failure ticket incident timeout regression defect vulnerability deadlock
    conflict warning exception hang fault race noise drip squeak rattle vibration
    """.split()
)
_RELATIVE = frozenset(("which", "who", "where", "when"))
_OF_DOINGS = frozenset((R.INTERESTED_IN, R.WORKS_ON, R.PREFERS, R.CAUSES))
YEAR = re.compile(r"(?:19|20)\d\d")


def whole_and_part(noun: Noun) -> tuple[Noun, Noun] | None:
    """(whole, part) of `the 2004 Civic's fuel system` and of `1997 Ram 2500 steering box`."""
    words = noun.words
    for place, word in enumerate(words[:-1]):
        if word.is_possessive:
            named = noun.determiner or any(char.isdigit() for one in words[: place + 1] for char in one.text)
            if named and (is_part_noun(noun.head) or noun.head == "system"):
                return Noun(words[: place + 1], noun.determiner), Noun(words[place + 1 :])
            return None
    if not YEAR.fullmatch(words[0].text) or len(words) < 3 or not words[1].text[0].isupper():
        return None
    lead = next((place for place, word in enumerate(words) if place and word.text[0].islower()), len(words))
    last = max(
        (place for place in range(lead, min(lead + 4, len(words))) if is_part_noun(words[place].low)), default=None
    )
    return (Noun(words[:lead]), Noun(words[lead : last + 1])) if last is not None else None


def fits(phrase: Phrase, subjects: Sequence[Noun], objects: Sequence[Noun], following: Word) -> bool:
    """Whether subject, object and what follows go with the verb."""
    low, verb, type_ = following.low, phrase.words[0], phrase.type
    if low in ("than", "of") or low in AUXILIARIES or low in VERBS or low in DETERMINERS:
        return False  # `needs more than …`; `the gear John got`; `the state the validator has`
    if is_pronoun(following) and low not in _RELATIVE:
        return False
    if low == "to" and type_ in (R.NEEDS, R.CAUSES):
        return False
    if low == "but" and objects[-1].determiner in ("a", "an") and len(objects[-1].words) == 1:
        return False  # `a difficult but rewarding project`
    if any(one.begins_with_gerund for one in objects) and not _gerunds_fit(type_, objects, following):
        return False
    if type_ is R.CREATED_BY and phrase.reversed:
        return all(one.determiner in ("the", "our", "my") or one.is_capitalised or _is_code(one) for one in objects)
    if verb in ("refers", "refer", "links", "link"):
        return all(one.is_capitalised or _is_code(one) for one in objects)
    if type_ is R.WORKS_ON and not phrase.reversed:
        return all(bears_a_name(one) or one.head.removesuffix("s") in _GROUPS | _ROLES for one in subjects)
    if type_ is R.FIXES and verb not in ("fixes", "fix", "fixed") and "fixed" not in phrase.words:
        return all(
            one.head.removesuffix("s") in _TROUBLES or _is_code(one)
            for one in (subjects if phrase.reversed else objects)
        )
    if type_ is R.LOCATED_IN:
        return all(_is_place(one) for one in objects)
    if phrase.words[-2:] == ("replaced", "by"):
        return not any(is_part_noun(one.head) for one in subjects) or any(one.determiner for one in objects)
    if verb in ("works", "work") and phrase.words[-1] in ("at", "for"):
        return all(one.is_capitalised and not one.head.isdigit() for one in objects)
    if verb in ("includes", "comprises", "comprise"):
        return objects[0].determiner != "" or len(objects) > 1
    return True


def _is_place(noun: Noun) -> bool:
    """Not a state (`in progress`), a class or a time (`at 10`)."""
    if noun.head in _NO_PLACE or (noun.words[0].text.isdigit() and len(noun.words) == 1):
        return False
    return bool(noun.determiner) or noun.is_capitalised or _is_code(noun)


def _gerunds_fit(type_: RelationType, objects: Sequence[Noun], following: Word) -> bool:
    """A thing to do names something as one word that ends the clause: `is interested in hiking`."""
    ended = following is END or is_mark(following) or following.low == "and"
    single = all(len(one.words) == 1 for one in objects if one.begins_with_gerund)
    return (ended and single) or (not single and type_ not in _OF_DOINGS)


def meaning(phrase: Phrase, subject: Noun, object_: Noun) -> RelationType | None:
    """What a phrase with several meanings says of these two; none if that stays open."""
    of_group = object_.head.removesuffix("s") in _GROUPS
    bearer = bears_a_name(subject)
    if (phrase.type is R.MEMBER_OF and phrase.words[-1] in ("on", "in")) or phrase.words[0] in ("plays", "play"):
        return R.MEMBER_OF if of_group and bearer else None
    if phrase.words in (("sits", "on"), ("sit", "on")) and of_group:
        return R.MEMBER_OF if bearer else None
    if phrase.words[0] in ("belongs", "belong"):
        if of_group and bearer:
            return R.MEMBER_OF
        return R.OWNS if subject.determiner and object_.is_capitalised and not object_.determiner else None
    if phrase.type is R.PART_OF and not phrase.reversed and of_group and bearer:
        return R.MEMBER_OF
    if phrase.words in (("is", "in"), ("are", "in")) and bearer and (of_group or object_.determiner in ("a", "an")):
        return R.MEMBER_OF if of_group else None
    if phrase.words[-1] == "joined":
        return R.MEMBER_OF if of_group or (object_.is_capitalised and not object_.determiner) else None
    return phrase.type


def bears_a_name(noun: Noun) -> bool:
    """As people do: up to three words in capitals, without an article."""
    return not noun.determiner and len(noun.words) <= 3 and all(word.text[0].isupper() for word in noun.words)


def _is_code(noun: Noun) -> bool:
    """An identifier, a path or a name with a number."""
    return any(char.isdigit() or char in "_/." for word in noun.words for char in word.text)
