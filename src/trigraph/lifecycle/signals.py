"""What a sentence of a conversation does: corrects, wishes, sets a rule, takes a correction to heart.

General English, graded: 1 is a plain cue, less is a hint that counts only beside another. Nothing here knows of a
subject; whether two sentences are about the same matter is asked elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Grade = Callable[[str], float]
Graded = tuple[tuple[float, re.Pattern[str]], ...]


def graded(*rows: tuple[float, str]) -> Graded:
    """Cues with their weights."""
    return tuple((weight, re.compile(pattern, re.IGNORECASE)) for weight, pattern in rows)


_NOT = r"(?:n't|not|never)"
_SPEAKER = r"\b(?:i|we)(?:'ve| have| had)?(?: already| just| only)?"

_CORRECTS = graded(
    (1.0, r"^(?:no|nope|nah|wrong|again|stop|not (?:again|like|that|this|so|quite)|hold on|hang on"
          r"|wait)\b(?! (?:idea|problem"
          r"|worries|rush|hurry|need|bad|doubt|wonder))(?=.*\w+\W+\w+)"),
    (1.0, rf"{_SPEAKER} (?:said|told|asked|mentioned|explained|agreed on|talked about|went over|corrected"
          r"|pointed out)\b"),
    (1.0, r"\b(?:how (?:often|many times)|as (?:i|we) said|like (?:i|we) said|(?:second|third|fourth|umpteenth"
          r"|last) time"
          r"|yet again|once again|same (?:mistake|error|slip) )"),
    (1.0, r"\b(?:that|this|it|these|those|they)(?:'s| is|'re| are| was) (?:all |quite |simply |just )?(?:wrong"
          r"|incorrect|not right"
          r"|not correct|not what|not how|not the way|the wrong|no good|not good enough|out of the question"
          r"|not acceptable)\b"),
    (1.0, r"\b(?:can't|cannot|can not|mustn't|must not|won't) (?:go|be (?:sent|shown|printed|published|used|right)"
          r"|leave|stay|stand"
          r"|have)\b"),
    (1.0, r"\b(?:no (?:business|place)|(?<!i )(?<!we )(?:doesn't|don't|does not|do not) (?:belong|go|get|want"
          r"|need)|mean(?:s)? nothing|(?:isn't"
          r"|aren't|is not|are not|not) (?:meant|supposed|allowed|intended|for)|makes? no sense|supposed to"
          r"|should have been"
          r"|was meant|were meant|ought to|under no circumstances|unacceptable|inappropriate)\b"),
    (1.0, r"(?:^|[,;:.!] |\b(?:please|just|and|but|so|then) )(?:please )?(?:don't|do not|dont|never|avoid|stop"
          r"|no more|quit|refrain"
          r" from) (?!be (?:afraid|shy|too)|worry|hesitate|give up|forget|know|think|mind|bother|get me|sweat|have"
          r"|let)\w+"),
    (0.9, r"\b(?:instead of|rather than|in place of)\b|, (?:and )?not \w+|\bnot [^,.;!?]{2,40}?,? but\b|\bnever \w+"),
    (0.8, r"\b(?:wrong|incorrect|mistake|mistaken|misspelt|misspelled|mixed up|mix-up|confus\w+|misunderst\w+|typo)\b"),
    (0.8, r"\b(?:nobody|no one|none of|nothing|nowhere|no \w+s?\b(?= (?:here|in|on|at|for|from|with)))"),
    (0.8, r"\b(?:everywhere|without exception|strictly)\b|\bmust\b(?! (?:have|'ve|be (?:so|a|an|very|really|hard"
          r"|nice|great)\b))"),
    (0.5, r"\b(?:always|remember|remind(?:er)?|has to|have to)\b"),
    (0.5, rf"\b\w+{_NOT}\b|\b(?:not|without|except|only|exclusively|again)\b"),
)  # fmt: skip
_NARRATES = re.compile(
    r"^(?:\w+[,!]? ){0,3}?i(?:'ve| have|'d| had)?(?: also| just| really| finally| always| never| then)? (?:(?!said"
    r"|told|asked|mentioned"
    r"|explained|agreed|corrected|pointed|meant|wanted|need|expected)\w+ed|was|had|went|couldn't|didn't|got|found"
    r"|felt|made|took|saw|came"
    r"|thought|been|kept|lost|learnt|did|gave|ran|wrote|spent|'m|am|can't wait|hope|know|guess|feel)\b",
    re.IGNORECASE,
)
_PRAISES = re.compile(
    r"\b(?:congrat\w*|awesome|amazing|inspir\w+|proud|beautiful\w*|gorgeous|incredible|wonderful|lovely|thanks"
    r"|thank you|glad|happy|excited"
    r"|exciting|fun|cool|wow|yay|special|passion\w*|dreams?|grateful|appreciate|encourag\w+|supportive|cute"
    r"|adorable|blast|journey|peaceful"
    r"|calming|hope you|good luck|take care|cheers|impressive|fantastic|captivating|feelings?|tough times)\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|myself)\b", re.IGNORECASE)
_RULES = graded(
    (0.4, r"\b(?:should|needs? to|belongs?|are to|is to|gets?|goes|go) \w+|\b(?:everything|every|each|all|whole"
          r"|throughout)\b"),
    (0.3, r"\bplease\b|^(?:\w+,? ){0,1}(?:the |our |my |a |any |all )?\w+(?: \w+){0,4} (?:is|are|has|have|stays?"
          r"|means?|comes?"
          r"|begins?|starts?|ends?|fits?) "),
)  # fmt: skip
_PREFERS = graded(
    (1.0, r"\bfrom (?:now|here|today|this \w+) on(?:wards?)?\b|\b(?:going forward|in (?:the )?future"
          r"|changed my mind|on second"
          r" thoughts?|i take (?:it|that) back|for the time being)\b|\bnot? \w+(?: \w+){0,4} any ?more\b"
          r"|\bno longer\b"),
    (0.8, r"\bi(?:'d| would| do|'ll)?(?: really| much| still| usually| always| also| generally| now"
          r"| just)* (?:like|love|prefer"
          r"|rather|hate|dislike|enjoy|favou?r|mind|read|look at)\b(?! you to\b)"),
    (0.6, r"\bi(?:'d| would|'ll)?(?: really| still| usually| always| also| now| just)* (?:want|need|expect|keep)\b"),
    (0.8, r"\b(?:suits?|works?(?: \w+)? (?:better|best|fine) for|(?:easier|nicer|better|best|fine|enough"
          r"|handier) (?:for|by|with)) (?:me"
          r"|us)\b|\bmy (?:preference|favou?rite|taste|choice)\b|\bi(?:'m| am) (?:not )?(?:a fan|happy|fine|tired"
          r"|fond|used)\b"),
    (0.7, r"\b(?:these days|nowadays|lately|by now|after all|rather|preferably|ideally|for me|to me|from me)\b"),
    (0.6, r"^(?:please |and |then |so |but |just )*(?:keep|let's (?:keep|stick|stay|go|switch|use|have)|leave"
          r"|limit|hold)\b"
          r"|\b(?:keep|limit|restrict|stick|hold)\b[^.!?]{1,50}\b(?:to|at|under|within|in|below|with)\b"),
    (0.5, r"\b(?:is|are|'s|would be|'d be) (?:plenty|enough|fine|ok|okay|better|best|nicer|welcome|good)\b"
          r"|\b(?:no need|at most"
          r"|no more than|at least|up to|max(?:imum)?|should (?:fit|be|have|come|stay|arrive|reach|go|look|read"
          r"|say))\b"),
)  # fmt: skip
_ONCE = re.compile(
    r"\b(?:today|tomorrow|tonight|this (?:time|once|week|month|morning|afternoon|evening)|for now|right now"
    r"|next (?:week|month)|(?:by|on|until"
    r"|before) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|lunch|the \d+(?:st|nd|rd|th)))\b",
    re.IGNORECASE,
)
ONCE_FACTOR = 0.6
"""A wish for one occasion is rarely one for good."""
_UPDATES = graded(
    (1.0, r"\bfrom (?:now|here|today|this \w+) on(?:wards?)?\b|\bany ?more\b|\b(?:no longer|these days|nowadays"
          r"|going forward"
          r"|changed my mind|on second thoughts?|after all|as of (?:now|today|this)|used to|forget (?:what|about)"
          r"|until now|so far"
          r"|in (?:the )?future|switch(?:ed)? to|instead|no need|drop the|skip the|i take (?:it|that) back)\b"),
    (0.7, r"\b(?:may|needn't|don't need|doesn't need|no longer needs?|can (?:just |simply |also )?(?:go|have|get"
          r"|be|stay|come)|(?:is|are|'s)"
          r" (?:fine|ok|okay|allowed|welcome)|straight away|feel free|by now|lately)\b"),
    (0.5, r"\b(?:now|changed?|new|better|rather|since|meanwhile|for the time being|too (?:much|many|long|short"
          r"|little|few))\b"),
)  # fmt: skip

_BASE_VERBS = """
    add address align answer apply ask assign attach avoid base begin book bring build call change check choose
    clean clear close collect combine convert copy count cover create cut decide deliver describe do drop enter
    explain fetch file fill finish fit fix fold follow format get give go group hand have hold include insert keep
    label lay leave let lift limit list log look mail make mark match measure mention merge mix move name note
    number offer open order pack pay phone pick place plan post prefer prepare present print produce pull push put
    quote raise read record reduce refer remove rename repeat replace reply report return round run save say
    schedule sell send separate serve set share show sign skip sort spell split start state stay stick stop store
    style switch take tell test text trim try turn type update use wait wash weigh wrap write
""".split()
_IMPERATIVE = re.compile(
    r"(?:^|[,:;–—] |\b(?:and|then|so|but) )(?:(?:please|just|always|and|then|so|also|ok|okay|better|rather"
    r"|instead),? )*(?:"
    + "|".join(_BASE_VERBS) + r")\b(?! (?:is|are|was|were)\b)", re.IGNORECASE,
)  # fmt: skip

_ACCEPTS = graded(
    (0.7, r"^(?:oh,? )?(?:sorry|my (?:mistake|apolog)|apolog|i apolog|you(?:'re| are) right|right|of course"
          r"|point taken|understood"
          r"|corrected|fixed|changed|converted|readdressed|redone|reverted|undone|i(?:'ve| have)? (?:corrected"
          r"|changed|fixed|redone"
          r"|rewritten|replaced|removed|moved))\b"),
    (0.4, r"^(?:done|sure|will do|noted|ok|okay|got it|agreed|all right|alright|re\w+ed|\w+ed)\b|^(?:cut|put|set"
          r"|split|made|took|taken"
          r"|rewrote|redid|withdrawn|swapped)\b|\b(?:now|instead)\b"),
)  # fmt: skip


def corrects(text: str) -> float:
    """How clearly a user's sentence says that something was done otherwise than it must be."""
    if narrates(text):
        return 0.0
    if chats(text):
        return strongest(_CORRECTS[:1], text)
    return strongest(_CORRECTS, text)


def narrates(text: str) -> bool:
    """Whether a user tells of themselves."""
    return _NARRATES.search(plain(text)) is not None


def chats(text: str) -> bool:
    """Whether a sentence praises, thanks, encourages or speaks of the speaker's own feelings."""
    return _PRAISES.search(plain(text)) is not None


def is_personal(text: str) -> bool:
    """Whether the speaker is in it."""
    return _SELF.search(plain(text)) is not None


def prefers(text: str) -> float:
    """How clearly a user's sentence tells how the user wants things, rather for good than once."""
    return strongest(_PREFERS, text) * (ONCE_FACTOR if _ONCE.search(plain(text)) else 1.0)


def rules(text: str) -> float:
    """How far a sentence is at least a rule or a request, without any cue that it corrects."""
    return max(strongest(_RULES, text), 0.4 if _IMPERATIVE.search(plain(text)) else 0.0)


def updates(text: str) -> float:
    """How clearly a sentence says that things are otherwise than before."""
    return strongest(_UPDATES, text)


def accepts(text: str) -> float:
    """How clearly an answer takes a correction or a wish to heart."""
    return strongest(_ACCEPTS, text)


def requests(text: str) -> bool:
    """Whether a sentence is an order, such as "Send it"."""
    return _IMPERATIVE.search(plain(text)) is not None


def asks(text: str) -> bool:
    """Whether a sentence is a question."""
    return text.rstrip(" \"')”’").endswith("?")


def plain(text: str) -> str:
    """With one form of the apostrophe."""
    return text.replace("’", "'")


def strongest(cues: Graded, text: str) -> float:
    """The highest weight among the cues that a text holds."""
    said = plain(text)
    return max((weight for weight, pattern in cues if pattern.search(said)), default=0.0)
