"""What people tell about themselves in talk: what happened, what they like, own, do and plan."""

from __future__ import annotations

import re

from trigraph.extractors.rules.grammar import is_past
from trigraph.model.extraction import Finding

LEAST_WORTH = 2.0
"""So much a sentence must tell to be worth keeping."""

_ABOUT_SELF = re.compile(r"\b(?:I|I['’]\w+|i|my|me|we|we['’]\w+|our|us|mine|myself)\b", re.IGNORECASE)
_SELF_FIRST = re.compile(r"^(?:\w+[\s,]+){0,4}?(?:I|I['’]\w+|we|we['’]\w+|my|our)\b", re.IGNORECASE)
_VAGUE = re.compile(
    r"\b(?:something|some things|stuff|a lot(?! of)|(?:big|cool|exciting|good|great) things|the same|so much"
    r"|anything)\b",
    re.IGNORECASE,
)
_ELIDED = re.compile(
    r"^(?!been a (?:while|long)|gonna be\b)(?:just |recently |finally |also )?(?P<verb>gonna|going to|planning|thinking"
    r"|looking|been|love|loving|went|got|had|started|finished"
    r"|bought|made|met|saw|tried|joined|signed up|visited|won|lost|moved|found|spent|working|trying|hoping|can't wait"
    r"|learning)\b",
    re.IGNORECASE,
)
_PLEASANTRY = re.compile(
    r"\b(?:thanks?|thank you|congrat\w*|good luck|take care|talk (?:to you )?(?:soon|later)|see you|catch up|bye"
    r"|no worries"
    r"|sounds (?:great|good|like|amazing|fun|awesome|awful|nice)|good to (?:see|hear)|great to (?:see|hear|chat)"
    r"|nice to|glad"
    r"|i(?:['’]m| am) (?:so |really |very )?(?:happy|sorry|proud|excited|glad|impressed|here) (?:for|of|to hear"
    r"|to see)\b"
    r"|happy for you|proud of you|here for you|i (?:totally |completely |really )?(?:agree|get it|understand|hear you"
    r"|bet|appreciate"
    r"|see|know|guess|hope|wish|mean|believe|think|feel you|can(?:['’]t|not) (?:wait|believe|imagine|agree))\b"
    r"|means (?:a lot|so much)"
    r"|let me know|keep (?:it up|going|me posted|up)|how about you|what about you|i['’]m listening|you['’]re (?:so"
    r"|right|welcome)"
    r"|i['’]ll (?:keep|let|be sure|check|definitely|give|try|take|send|make sure|have to)|i['’]d (?:love"
    r"|be happy) to (?:hear|see|know|join)"
    r"|i should|(?:if|together,?) we|we (?:should|can|must|need to)|let['’]s|wish me|since we last|(?:been"
    r"|it['’]s been) (?:a while|ages|so long|forever)|check (?:out )?(?:this|it)|take a look|look at|any (?:advice"
    r"|tips)|i (?:really )?needed that|hopefully|have a (?:great|good|nice))\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\b(?:i|we)(?:['’]m| am|['’]re)? (?:\w+ly |also |always |do |just |both |all )*(?:love|like|enjoy|prefer|hate"
    r"|dislike|adore|am into|a (?:big |huge )?fan|a (?:big |huge )?\w+ fan|into|keen on|fond of|passionate)\b"
    r"|\bmy (?:all-time )?(?:favou?rite|go-to|passion"
    r"|hobby)\b|\bfavou?rite\b",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:i|we)(?:['’]ve| have)? (?:finally |just |recently )?decided\b|\bmade (?:the|a) decision\b", re.IGNORECASE
)
_PLAN = re.compile(
    r"\b(?:i['’]m|we['’]re|i am|we are) (?:\w+ly |also )?(?:going to|gonna|planning|thinking (?:of|about)|looking (?:to"
    r"|into|for)|trying to|hoping to"
    r"|working on|about to|off to|exploring|starting|learning|taking|saving|getting|training|considering|studying)\b"
    r"|\b(?:i|we) (?:plan|want|intend|hope) to\b"
    r"|\bgonna\b|\bmy (?:goal|dream|plan)\b|\bi['’]d (?:love|like) to\b",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"\b(?:i|we)(?:['’]ve| have| had| own| live| work| teach| study| play| run| used to| grew up| volunteer| started"
    r"| joined)\b|\bmy (?:\w+ )?(?:mom|mum|mother"
    r"|dad|father|parents|sister|brother|son|daughter|kids?|children|husband|wife|partner|girlfriend|boyfriend|friends?"
    r"|family|grandma|grandpa"
    r"|grandmother|grandfather|aunt|uncle|cousin|boss|team|dogs?|cats?|pets?|puppy|job|car|house|home|garden|blog"
    r"|business|store|shop|studio"
    r"|company|school|degree|band|channel|book|novel|screenplay|health|doctor|birthday|wedding|trip)\b",
    re.IGNORECASE,
)
_TRAIT = re.compile(
    r"\b(?:keeps?|helps?|helped|makes?|made|gives?|gave|brings?|brought|lets?|reminds?|inspires?|inspired|taught"
    r"|teaches|motivates?)\b.*?\b(?:me|us|my)\b"
    r"|\bi(?:['’]m| am) (?:\w+ly )?(?:an?|the|allergic|from|based|married|single|lactose|vegan|vegetarian|originally"
    r"|afraid|scared|used to|good at)\b"
    r"|\b(?:important|special|part|everything) (?:to|for) (?:me|us)\b|\bpart of my life\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"\s+[-–—]+\s+|;\s+|,\s+(?:so\s+|and\s+|but\s+)?(?=(?:I|I['’]\w+|my|we|we['’]\w+)\b)")
_WHEN = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|this (?:week|month|year|morning|weekend)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|june|july|august|september|october|november|december|\d{4}|\d+|two|three|four|five"
    r"|every|once|twice|weekend)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,] )[A-Z][a-zA-Z]{2,}|\"[^\"]{3,60}\"|“[^”]{3,60}”")
_FEELING = re.compile(
    r"\b(?:so|really|very|super|totally|truly|such|pretty) (?:\w+ )?(?:good|great|fun|cool|amazing|awesome|nice|happy"
    r"|special|important"
    r"|inspiring|powerful|excited|proud|grateful|thankful|rewarding)\b",
    re.IGNORECASE,
)
_YOU = re.compile(r"\b(?:you|your|yours|you['’]\w+|yourself|u|ur)\b", re.IGNORECASE)


_PERSONAL = re.compile(
    r"^(?:\w+[\s,]+){0,4}?(?:my name|our \w+|we(?:['’]\w+)? (?:both |also |all |just )?(?:love|like|hate|enjoy|have"
    r"|live|own|are|went|moved|prefer)|i['’]m (?:(?-i:[A-Z]\w+)|an?|the|from|based|allergic|vegan|vegetarian|married"
    r"|\w+ years|currently|planning|training|learning"
    r"|studying|moving|going|getting|into|also|really)|i (?:work|live|have|own|use|speak|study|teach|play|bought|went"
    r"|just|recently|started"
    r"|usually|always|never|moved|grew|was|got|read|watched|finished|visited|attended|joined|love|like|enjoy|prefer|am"
    r"|drive|run)|i['’]ve"
    r"|my)\b",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\b(?:errors?|bugs?|code|files?|tests?|functions?|builds?|deploy\w*|fix\w*|class(?:es)?|methods?|repo\w*|branch\w*"
    r"|commit\w*|script|api"
    r"|database|server|app|issue|problem|trying to|can you|could you|please|help me|wondering|need to|question"
    r"|have (?:an?|the|this|some)"
    r" (?:\w+ )?(?:list|text|table|function|component|query))\b|`",
    re.IGNORECASE,
)


def with_subject(text: str) -> str:
    """`Went hiking` → `I went hiking`, as people leave it out."""
    match = _ELIDED.match(text)
    if match is None:
        return text
    verb = match.group("verb").lower()
    if verb.endswith("ing") and re.search(r"\b(?:is|was|has|can|makes?|helps?|will|are)\b|['’]s\b", text):
        return text
    text = text[0].lower() + text[1:]
    if verb == "been":
        return "I've " + text
    if verb == "gonna":
        return re.sub("gonna", "I'm going to", text, count=1, flags=re.IGNORECASE)
    return ("I'm " if verb.endswith("ing") or verb == "going to" else "I ") + text


def parts_of(text: str) -> list[str]:
    """The sentence, or where that is chit-chat or about the other, those of its clauses that are not."""
    if worth(text) >= LEAST_WORTH and not _YOU.search(text):
        return [text]
    clauses = [part for part in _CLAUSES.split(text) if part]
    return [part for part in clauses if worth(part) >= LEAST_WORTH] if len(clauses) > 1 else [text]


def finding_of(text: str) -> Finding:
    """What sort of thing a person's sentence about themselves is."""
    if _DECISION.search(text):
        return Finding.DECISION
    return Finding.PREFERENCE if _PREFERENCE.search(text) else Finding.FACT


def worth(text: str) -> float:
    """How much a sentence tells about its speaker; 0 for chit-chat and for what is about the other."""
    if text.endswith("?") or not _ABOUT_SELF.search(text) or _PLEASANTRY.search(text):
        return 0.0
    words = text.split()
    if len(words) < 4:
        return 0.0
    score = min(len(words), 20) / 10 + (0.9 if _SELF_FIRST.match(text) else 0.5)
    score += 1.5 * bool(_DECISION.search(text)) + 1.2 * bool(_PLAN.search(text)) + 1.0 * bool(_PREFERENCE.search(text))
    score += 1.2 * bool(_STATE.search(text)) + 0.8 * bool(_WHEN.search(text))
    score += 0.8 * bool(_TRAIT.search(text)) + 0.4 * min(2, len(_NAME.findall(text)))
    score += 0.8 * any(is_past(word.strip(",.!;:")) for word in words)
    score -= 0.4 * bool(_FEELING.search(text)) + 0.8 * bool(_YOU.search(text)) + 0.7 * bool(_VAGUE.search(text))
    return max(score, 0.0)


def is_personal(text: str) -> bool:
    """Whether what a user tells an agent is about their life and not about the task in hand."""
    return _PERSONAL.search(text) is not None and _TASK.search(text) is None and not _PLEASANTRY.search(text)
