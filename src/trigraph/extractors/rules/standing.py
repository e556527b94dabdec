"""Making a sentence stand alone: who and what is meant is named, or the sentence is given up."""

from __future__ import annotations

import re

from trigraph.extractors.rules.dating import with_dates
from trigraph.extractors.rules.fitting import fit, tidy
from trigraph.extractors.rules.grammar import Person, agreed, has_verb, in_third_person
from trigraph.extractors.rules.scene import Scene
from trigraph.model.extraction import Role

_OPENING = re.compile(
    r"^(?:(?:so|also|however|but|and|then|well|oh|yeah|yes|yep|yup|no|nope|nah|ok|okay|hey|hi|hello|wow|now|wait|hmm"
    r"|plus"
    r"|anyway|actually|basically|in fact|additionally|furthermore|moreover|by the way|btw|for now|fortunately"
    r"|unfortunately|sadly|luckily|honestly|to be honest|overall|finally|in short|in summary|as a result|therefore|thus"
    r"|at the moment|sure|great|perfect|excellent|awesome|thanks|thank you|please|just|of course|absolutely|definitely"
    r"|right|good|cool|nice|ah|haha|lol|aw|aww|exactly|true|totally|note that|note|important|remember|fyi|guess what"
    r"|unsurprisingly|interestingly|specifically|importantly|notably|indeed|instead(?! of))\b[\s,!.:—–-]*)+",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"^(?:(?!(?:Yesterday|Today|Tonight|Tomorrow|Lately|Once|Since|Last|Now|Then|First|Next|\w+ly|\w+day)\b)"
    r"[A-Z][\w'-]+[,!]\s+)+(?=\S)|,\s*[A-Z][a-z]+(?=[.!?]*$)"
)
_TOLD = re.compile(
    r"^i(?:['’]ve)? (?:just )?(?:want(?:ed)? to|gotta|have to|had to) (?:let you know|tell you|share|say"
    r"|mention)(?: that| with you)?"
    r"[,:]?\s+|^(?:on (?:a|another) (?:\w+ )?note|speaking of which|as for me|for me|turns out|the thing is"
    r"|since (?:our|we) last \w+)[,:]?\s+"
    r"(?:that\s+)?",
    re.IGNORECASE,
)
_IT = re.compile(r"(?<=\w )it\b(?!['’])", re.IGNORECASE)
_REPORTING = re.compile(
    r"^(?:(?:it|this)\s+(?:turns out|seems|appears|looks like)(?:\s+that)?|i\s+(?:can\s+)?(?:see|found|find|noticed"
    r"|discovered|confirmed|learned|realized|realised|know|think|believe|guess|suspect|understand)(?:\s+(?:out|that"
    r"|now))*"
    r"|we\s+(?:know|found|see)(?:\s+that)?|(?:looking|judging|based)\s+(?:at|by|on)\s[^,]{1,60},\s*(?:it seems|i see)?"
    r"|the (?:key|main|crucial|important|big) (?:insight|point|finding|takeaway|realization)(?: here)? (?:is|was)"
    r"(?: (?:understanding|realizing|realising|noticing|seeing|to \w+))?(?: that)?"
    r"|the (?:good|bad) news is(?: that)?|as (?:you can see|mentioned|expected),?|for your information,?)\s+",
    re.IGNORECASE,
)
_DANGLING_START = re.compile(
    r"^(?:it|this|that|these|those|they|he|she|his|her|their|its|him|them|here|there|such|both|one|another|each|all of"
    r"|the other|the same|which|who|whose|what|when|where|why|how|same|either|neither|others|some|none|everything"
    r"|everyone|nothing|anything|something|you|your|makes|helps|gives|brings|feels|seems|looks|sounds|reminds"
    r"|keeps|it['’]s|that['’]s|there['’]s|they['’]\w+|he['’]s"
    r"|she['’]s)\b(?!\s+`)",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"(?<!like )(?<!of )(?<!as )(?<!than )\b(this|these|those)\s+(?!(?:is|are|was|were|has|have|had|will|would|can"
    r"|could|should|may|might|and|or|but|in|on|at"
    r"|for|to|of|with|by|as|so|way|time|kind|sort|one|ones|morning|afternoon|evening|week|month|year|weekend|past"
    r"|summer"
    r"|winter|spring|fall|autumn)\b)(?=[a-z`])",
    re.IGNORECASE,
)
_REFERRING = re.compile(
    r"\b(?P<you>you|your|yours|yourself|let['’]s|let us)\b|\b(?P<person>he|she|him|his|her|hers)\b"
    r"|\b(?P<place>there)\b(?!\s+(?:is|are|was|were)\b)"
    r"|\b(?:it|its|itself|they|them|their|theirs|this|these|those|that one"
    r"|that(?=\s+(?:in|on|at|with|from|for|by|too|yet|now|already|again|and|but)\b|[.,;!?]|$))\b(?!\s+(?:is|are|was"
    r"|were)\s+(?:no|an?|some|many|\d)\b)(?!\s+`)",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\b(?:my|our|an?|her|his)\s+[a-z]\w+|(?<=\w )[A-Z][a-z]+|^(?!I\b|We\b)[A-Z][a-z]+(?= (?:is|was|has)\b)"
)
_PLACE = re.compile(r"\b(?:in|at|to|from|near|around)\s+(?:(?:the|an?|my|our)\s+\w|[A-Z])")
_FAR = re.compile(
    r"\b(?:see|as|the) (?:above|below)\b|\b(?:above|below)(?=[.,;:!?)]|$)|\b(?:the following|as follows|the former"
    r"|the latter"
    r"|previously mentioned|option \w|the (?:first|second|third) (?:one|option)"
    r"|both (?:types|cases|approaches|methods|options|issues|problems|files))\b",
    re.IGNORECASE,
)
_THING = re.compile(
    r"\b(?:the|an?|my|our|some|any|all|every|each|no|his|their|this|that|these|those|another|\d+|two|three|many|few)\s+"
    r"(?!of\b|agent\b|few\b|lot\b|bit\b|couple\b|ton\b)[\w`'/-]{2,}|`[^`]+`|(?<=\w )[A-Z][\w.-]+|^[A-Z]?\w+ing\b"
    r"|^(?!I\b|We\b)[A-Z][\w'-]+ (?:is|was|has|helps|makes)\b"
    r"|\b(?!(?:was|is|has|does|always|this|its|his|as|us|yes|guess|perhaps|sometimes|thus)\b)[a-z]{3,}s\b"
)
_GENERIC = re.compile(
    r"^(the|both|all|all the)\s+(?:new |current |actual |existing |updated |main |entire |whole |overall |final |two )*"
    r"(method|function|class|file|module|script|command|workflow|template|model|tests?|test suite|code|codebase"
    r"|implementation|solution|changes?|fix|logic|update|feature|functionality|system|issues?|problems?|bugs?|errors?"
    r"|approach|page|service|component|query|endpoint|result|output|behaviou?r|structure|refactoring|setup)\b"
    r"(?!\s+(?:of|in|at|for|called|named|from|that|which|`))(?!['’]s)",
    re.IGNORECASE,
)
_WORKED_ON = frozenset("code implementation solution change changes fix logic update functionality refactoring".split())
_IDENTIFIER = re.compile(
    r"`[^`]+`|\b[\w-]+(?:/[\w.-]+)+|\b\w+\.(?:py|js|ts|html|css|md|json|ya?ml|toml|sql|rs|go|sh)\b|\b\w+_\w+\b"
)
_SPECIFIC = re.compile(
    r"`[^`]+`|\d|\b[A-Z]{2,}\b|(?<=[\w,;:)] )[A-Z][a-z]+|[\w-]+/[\w.-]+|\w+\.\w{1,5}\b|\w+_\w+|[a-z][A-Z]"
)


def stripped(text: str) -> str:
    """Without what only opens or addresses."""
    for _ in range(3):
        shorter = _ADDRESSED.sub("", _OPENING.sub("", text, count=1)).strip()
        if shorter == text or not shorter:
            break
        text = shorter
    return text


def stripped_question(text: str) -> str:
    """A proposal put as a question, as a proposal: "I think we should test it?" """
    return text.rstrip("?! ") if text.endswith("?") else text


def reported(text: str) -> str:
    """What is said, without "I see that" or "it turns out"."""
    return _REPORTING.sub("", text, count=1)


def is_specific(text: str) -> bool:
    """Whether a text names something: code, a file, a number, a proper name."""
    return _SPECIFIC.search(text) is not None


def names_named(text: str) -> int:
    """How many things of code a text names."""
    return len(set(_IDENTIFIER.findall(text)))


def stand_alone(text: str, scene: Scene, message: int, at: int, limit: int, person: Person | None = None) -> str | None:
    """The sentence with what it refers to named, in at most `limit` characters; None where that cannot be done.

    `person` is whom "I" and "we" name, where that is not what it mostly is in such a message.
    """
    said = scene.messages[message]
    text = _TOLD.sub("", stripped(text)) if scene.is_chat else reported(stripped(text))
    if said.role is Role.USER and not scene.is_chat:
        text = re.sub(r"^let['’]s (?:just |also )?|^(?:i think |maybe )(?=we\b)", "", text, flags=re.IGNORECASE)
        text = _addressed_to_agent(text)
    if not scene.is_chat and said.role is Role.USER and (thing := scene.asked_for(message, at)) is not None:
        text = _IT.sub(f"the {thing}", text, count=1)
    if _DANGLING_START.match(text):
        return None
    text = _POINTING.sub(lambda match: "" if match.group(1).lower() == "these" else "the ", text)
    known = _without_loose_ends(text)
    named = _with_name(known, scene, message, at) if known else None
    if named is None:
        return None
    told = with_dates(in_third_person(named, person or scene.person(message)), said.occurred_at)
    short = fit(told, limit)
    if short is None or not _is_statement(short) or (scene.is_chat and short != tidy(told) and not has_verb(short)):
        return None
    if scene.is_chat or is_specific(short):
        return short
    return _anchored(short, scene, message, limit)


def _addressed_to_agent(text: str) -> str:
    """A user's "you" is the agent: "before you commit" → "before the agent commits"."""
    while match := re.search(r"\byou\b(?!['’])", text, re.IGNORECASE):
        text = f"{text[: match.start()]}the agent{agreed(text[match.end() :])}"
    return re.sub(r"\byour\b", "the agent's", text, flags=re.IGNORECASE)


def _without_loose_ends(text: str) -> str | None:
    """The sentence up to where it speaks of something that it does not name."""
    for match in _REFERRING.finditer(text):
        before = text[: match.start()]
        known = _PERSON if match.group("person") else _PLACE if match.group("place") else _THING
        if match.group("you") or not known.search(before):
            return fit(text, match.start() - 1, shortest=25) if match.start() > 25 else None
    far = _FAR.search(text)
    if far is not None:
        return fit(text, far.start() - 1, shortest=25) if far.start() > 25 else None
    return text


def _with_name(text: str, scene: Scene, message: int, at: int) -> str | None:
    """`The method opens…` → `` The `export` method opens… ``."""
    match = _GENERIC.match(text)
    if match is None or scene.is_chat:
        return text
    noun, rest = match.group(2).lower(), text[match.end() :]
    name = scene.meant_by(noun, message, at)
    if name is not None:
        return f"The `{name}` {match.group(2)}{rest}"
    if noun.startswith(("test", "implementation", "logic", "behavio")):
        name = scene.meant_by("function", message, at) or scene.meant_by("method", message, at)
        if name is not None:
            return f"{match.group()} {'for' if noun.startswith('test') else 'of'} `{name}`{rest}"
    file = scene.file_in_focus(message)
    if noun in _WORKED_ON and file is not None and "test" not in file and "current" not in match.group().lower():
        return f"{match.group()} in {file}{rest}"
    return text if is_specific(rest) else None


def _is_statement(text: str) -> bool:
    words = text.split()
    return (
        len(words) >= 3 and not text.endswith("?") and text.count("`") % 2 == 0 and sum(c.isalpha() for c in text) >= 12
    )


_GENERAL = re.compile(r"(?:never|always|stop|don['’]t|do not|avoid|the user|from now on|make sure)\b", re.IGNORECASE)


def _anchored(text: str, scene: Scene, message: int, limit: int) -> str | None:
    """With the file it is about before it, where the sentence itself names nothing."""
    said = scene.messages[message]
    file = scene.file_of_turn(message) if said.role is Role.USER and not _GENERAL.match(text) else None
    if file is None:
        return text if len(text.split()) >= (3 if _GENERAL.match(text) else 5) else None
    named = f"{file.rsplit('/', 1)[-1]}: {text[0].lower()}{text[1:]}"
    return named if len(named) <= limit else text
