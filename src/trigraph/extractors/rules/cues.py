"""What a sentence of work talk states: a decision, a cause, a rule, something done; or nothing worth keeping."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trigraph.model.extraction import Finding, Role


@dataclass(frozen=True, slots=True)
class Cue:
    """A way of saying that something is found. `weight` is how much it is worth keeping."""

    finding: Finding
    weight: float
    pattern: re.Pattern[str]


def _cue(finding: Finding, weight: float, pattern: str) -> Cue:
    return Cue(finding, weight, re.compile(pattern, re.IGNORECASE))


_NOT_NOW = r"(?!.*\b(?:yet|for now|this time|right now|at the moment|worry)\b)"

_USER = (
    _cue(
        Finding.CORRECTION, 9,
        r"\b(?:changed my mind|i meant\b|that['’]s (?:wrong|not (?:right|correct|what))|not quite)",
    ),
    _cue(
        Finding.CORRECTION, 8.5,
        r"^(?:no|nope|actually|wait)\b[\s,.!-]+(?=\S+\s+\S+\s+\S).*\b(?:is|are|should|use|not|we|it)\b",
    ),
    _cue(Finding.CORRECTION, 8.5, r"\bwe(?:['’]re| are) not \w+ing\b.*\b(?:just|only|but|instead)\b"),
    _cue(
        Finding.CONSTRAINT, 8.5,
        r"\b(?:we|you) (?:can['’]t|cannot|can not|may not) (?:use|have|add|change|rely|deploy|store|send|share|touch)\b"
        r"|\b(?:legal|compliance|security|policy|management|the customer|the client) (?:requires?|forbids?|demands?)\b",
    ),
    _cue(Finding.CORRECTION, 8.5, r"\b(?:should|is|are|was|must)\b.*,\s+not\s+\S"),
    _cue(
        Finding.CONSTRAINT, 7.5,
        r"^(?:the|our|all|every|each|`[^`]+`|[A-Z]\w+)\b.{2,60}?\bshould (?:be|return|have|use|show|not|stay|contain"
        r"|accept|reject|allow|take|work|go|come|run|keep|include|support|end|start|only)\b",
    ),
    _cue(
        Finding.CONSTRAINT, 9,
        rf"^(?:please\s+)?(?:(?:never|always|avoid|make sure|ensure|only|keep the|stop \w+ing)\b|(?:don['’]t|do not"
        rf"|dont)\s+(?:ever\s+)?"
        rf"(?:use|add|commit|push|create|write|change|touch|delete|remove|run|mock|put|make|introduce|install|break"
        rf"|edit"
        rf"|include|log|store|modify|call|hard-?code|rely|depend|import|deploy|merge|skip|forget|expose|send"
        rf"|share)\b){_NOT_NOW}",
    ),
    _cue(
        Finding.CONSTRAINT, 8.5,
        r"\b(?:must(?:n['’]t| not| never)?|(?:is|are) not allowed|(?:has|have) to (?:be|stay|remain)"
        r"|under no circumstances|from now on|in (?:the )?future|going forward|every time|no more than|at most \d)\b",
    ),
    _cue(
        Finding.CONSTRAINT, 8,
        r"\b(?:should|may|can) (?:never|always|only|not)\b|\b(?:we|you|it|they) (?:never|always)\b",
    ),
    _cue(
        Finding.PREFERENCE, 9,
        r"\bi(?:['’]d| would)?(?: really| strongly| usually| generally| always| still)* (?:prefer|rather|hate|dislike"
        r"|favou?r)\b",
    ),
    _cue(
        Finding.PREFERENCE, 8,
        r"\bi (?:really |usually |generally )*(?:like|love)\b(?! (?:it|this|that|to see|how|what|the idea))"
        r"|\bmy (?:preference|favou?rite|style)\b|\bi(?:['’]m| am) (?:not )?a fan of\b",
    ),
    _cue(
        Finding.DECISION, 8.5,
        r"\b(?:let['’]s|we['’]ll|we will|i['’]ll|we) (?:just )?(?:go with|use|stick (?:with|to)|switch to|keep|drop"
        r"|adopt|move to|choose|pick|stay with|target)\b|\b(?:we|i)(?:['’]ve| have)? (?:decided|chose|chosen|opted"
        r"|agreed|settled)\b|^(?:go with|use|switch to|stick (?:with|to))\b",
    ),
    _cue(Finding.DECISION, 8, r"\bwe should\b|\bwe (?:don['’]t|do not) need\b|\binstead of\b|\brather than\b"),
    _cue(Finding.ROOT_CAUSE, 8, r"\b(?:root cause|caused by|the (?:issue|problem|bug|reason) (?:is|was)\b)"),
    _cue(
        Finding.FACT, 6.5,
        r"\b(?:we|our \w+(?: \w+)?|the \w+(?: \w+){0,2}|production|staging|`[^`]+`|(?-i:[A-Z]\w+)) (?:(?:currently|now"
        r"|already|also) )?(?:use|uses|are using|is using|['’]re using|run|runs|deploy|deploys|host|hosts|store|stores"
        r"|rely|relies|support|supports|require|requires|needs? (?!to\b)|expects?|lives?|is (?:deployed|hosted|written"
        r"|based"
        r"|stored|called|named|located|configured)|are (?:stored|deployed|called|written|generated))\b",
    ),
    _cue(Finding.FACT, 6, r"^you can (?:test|run|build|deploy|use|find|check|start)\b"),
)  # fmt: skip

_ASSISTANT = (
    _cue(Finding.OUTCOME, 6.2, r"^now (?!let|i\b|we\b|that\b|the\b)\w+"),
    _cue(
        Finding.ROOT_CAUSE, 8.5,
        r"\b(?:root cause|the (?:real |actual |underlying |main |core |only )?(?:issue|problem|bug|culprit|cause"
        r"|reason)(?: here)? (?:is|was|lies|turned out)\b|(?:is|was|were|are) caused by|(?:fail(?:s|ed|ing|ure|ures)?"
        r"|br(?:eaks?|oke|oken)|crash\w*|errors?|hangs?|hung|slow|leak\w*|timed? out|does(?:n['’]t"
        r"| not) work)\b[^.]{0,60}\b(?:because|due to)\b)",
    ),
    _cue(
        Finding.ROOT_CAUSE, 7,
        r"\b(?:seems|appears) to have an? (?:issue|bug|problem)\b|\bthis (?:happens|happened|occurs"
        r"|means)\b.*\bbecause\b|\b(?:limitation|bug) (?:of|in) `?\w",
    ),
    _cue(
        Finding.DECISION, 7.5,
        r"\b(?:decided to|decided against|chose|opted (?:for|to)|went with|settled on|we agreed)\b",
    ),
    _cue(
        Finding.CONSTRAINT, 7,
        r"\b(?:must (?:not )?(?:be|have|use|run|match|contain|come)|only works?|(?:does(?:n['’]t| not)|do(?:n['’]t"
        r"| not)) support|(?:is|are) not supported|requires?\b(?! (?:more|further|any))|(?:is|are) required|cannot be"
        r"|can['’]t be|is limited to|at most \d)\b",
    ),
    _cue(
        Finding.NEXT_STEP, 6,
        r"\b(?:next steps?\b|todo\b|still (?:needs?|need|have|has) to|remains? to be|you(?:['’]ll"
        r"| will) (?:still )?need to|left to do|follow-up|not (?:yet )?implemented yet|haven['’]t (?:yet )?\w+ed"
        r"|is not yet)\b",
    ),
    _cue(
        Finding.OUTCOME, 7.5,
        r"^i(?:['’]ve| have) (?:now |also |just )?(?:successfully |already )?\w+(?:ed|ten|ilt|ade)\b",
    ),
    _cue(
        Finding.OUTCOME, 6.5,
        r"^(?:i(?:['’]ve| have)?\s+)?(?:now |also |just )?(?:successfully |already )?(?:updated|added|fixed|created"
        r"|implemented|changed|modified|removed|replaced|refactored|moved|renamed|converted|migrated|extracted|split"
        r"|simplified|rewrote|introduced|configured|enabled|disabled|resolved|deleted|wrote|built|set up|upgraded"
        r"|switched|improved|integrated|merged|published|released|deployed|adjusted|reverted|restored|installed"
        r"|extended|optimi[sz]ed|cleaned up|wrapped|made|used|dropped|consolidated|corrected|included)\b",
    ),
    _cue(
        Finding.OUTCOME, 6.2,
        r"\b(?:no longer|(?:has|have) been (?:updated|added|fixed|changed|improved|removed|replaced|moved|renamed"
        r"|refactored|migrated|extended|rewritten|split|merged|implemented|created)|now (?:also |only |correctly "
        r"|properly |directly |automatically |successfully )*(?!pass|work|let|i\b)\w+s\b|(?:is|are) now (?!working"
        r"|passing|complete|ready|fixed|done|clean)\w+)",
    ),
    _cue(
        Finding.FACT, 5.5,
        r"^(?:the |a |an |by default,? |each |every |all )?(?:[\w`'’./()-]+ ){1,7}?(?:(?:currently|simply|also|already"
        r"|always|only|never|still|directly|automatically|properly|correctly"
        r"|actually) )*(?:is|are|has|have|uses?|takes?|returns?|expects?"
        r"|handles?|contains?|stores?|reads?|writes?|loads?|calls?|runs?|supports?|needs?|lives?|defines?|works by"
        r"|maps?|parses?|renders?|generates?|creates?|tracks?|sorts?|falls? back|defaults?|depends?|inherits?|accepts?"
        r"|determines?|selects?|prefers?|displays?|shows?|includes?|opens?|provides?|skips?|ignores?|raises?|throws?"
        r"|sends?|listens?|exposes?|caches?|checks?|avoids?|follows?|combines?|covers?"
        r"|exists?|detects?|match(?:es)?|validates?|converts?|extracts?|builds?|wraps?|emits?|triggers?|treats?)\b",
    ),
    _cue(
        Finding.FACT, 5.6,
        r"^(?:the |all )?(?:[\w`'’./()-]+ ){1,5}?(?:was|were) (?:\w+ly )?(?:deleted|removed|added|moved|renamed"
        r"|replaced|introduced|split|extracted|merged|deprecated)\b"
        r"|^the (?!user|test|agent)[\w-]+(?: [\w-]+)? (?:split|moved|replaced|renamed|removed|introduced|dropped"
        r"|extracted|merged) (?:the )?`",
    ),
    _cue(Finding.FACT, 6.8, r"^the (?:key|main|crucial|important) (?:insight|point|finding|takeaway|realization)\b"),
)  # fmt: skip

_HEDGED = re.compile(
    r"(?<![-\w`])(?:seems?|appears?|might|maybe|perhaps|probably|likely|possibly|could be|i think|i believe|i suspect"
    r"|apparently"
    r"|not sure|presumably|looks like|should (?:already|now) (?:exist|work|be))(?![-\w])",
    re.IGNORECASE,
)

_NARRATION = re.compile(
    r"^(?:(?:now|first|next|then|so|wait|ok(?:ay)?|also|and|but|finally|great|perfect|excellent|good|right|alright|hmm"
    r"|since"
    r"|based on|looking at|given)\b[^:.!?]{0,160}?[,!.\s]+)??(?:let me|let['’]s|let us|i['’]ll|i will|i['’]m (?:going"
    r"|now|about)"
    r"|i am (?:going|now)|i need to|i should|i want to|i can|i could|i would|i['’]d|we need to|we can|we['’]ll"
    r"|we should"
    r"|now (?:i|we)\b|i have to|i must|i['’]m \w+ing)\b",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"^(?:here(?:['’]s| is| are)|summary of|in summary|below|as you can see|you['’]re (?:right|welcome|absolutely)"
    r"|good (?:question"
    r"|catch|point|idea|call)|feel free|let me know|happy to|would you|do you|should i|shall i|if you(?:['’]d| would"
    r"| want| need)"
    r"|thanks?\b|thank you|sorry|apolog|i apologi|no problem|sure\b|got it|understood|makes sense|sounds good"
    r"|looks good"
    r"|hope this|great\b|perfect\b|excellent\b|i understand|now i (?:understand|see|have)|i see\b(?! that)|done\b"
    r"|this way"
    r"|for example|e\.g|i don['’]t have|(?:this|that|it) (?:will|should|would|means)|you can now|please\b|can you"
    r"|could you"
    r"|i['’]ve (?:reviewed|looked|examined|analy[sz]ed|checked|read|gone)|you (?:want|asked|mentioned|should|may|might"
    r"|could))",
    re.IGNORECASE,
)
_FLUFF = re.compile(
    r"\b(?:cleaner|more (?:maintainable|responsive|robust|readable|efficient|sophisticated|reliable|consistent)|better"
    r" (?:performance|experience|way)|faster experience|consistency with|works? (?:as expected|correctly|properly"
    r"|perfectly|fine"
    r"|great)|working (?:as expected|correctly|properly|completely)|(?:is|are|everything) (?:now )?(?:working|complete"
    r"|ready|done)"
    r"|minimal and targeted|now properly"
    r"|^(?:added|fixed|updated|cleaned up|removed) (?:proper |missing |unused |the |some )*(?:imports?|type hints?"
    r"|docstrings?|comments?|whitespace|formatting)\b[:.]?"
    r"|best practices|user-friendly|production-ready|seamless\w*|high[- ]quality|well[- ]structured|clean and"
    r"|maintains? (?:the|full)"
    r"|successfully completed|properly formatted|follows the same patterns?|(?:all|the)(?: the"
    r"| \d+)? tests? (?:are )?(?:now )?"
    r"pass(?:es|ing|ed)?|both (?:issues|problems)|important for code quality|pass(?:es)? completely|(?:fixed"
    r"|resolved) (?:all|both)(?: of)?(?: the)? (?:\w+ )?(?:issues|problems|errors)(?=[.!]?$)|(?:tests?|runs?"
    r"|checks?) (?:now )?pass(?:es|ing|ed)?(?: now)?)\b",
    re.IGNORECASE,
)
_VARNISH = re.compile(
    r",?\s+(?:making|ensuring|allowing|providing|improving|giving|which (?:is|makes|ensures|should))\b[^,;]*$",
    re.IGNORECASE,
)
_PASSING_STATE = re.compile(
    r"\b(?:still|currently)\b.{0,60}\b(?:fail(?:s|ing|ed)?|broken|unresolved|red)\b"
    r"|\b(?:is|are) (?:now )?(?:failing|broken)\b|\bstill ha(?:s|ve)\b.{0,20}\b(?:issues?|errors?|problems?)\b"
    r"|\bonly (?:one|two|three|\d+|a few)\b.{0,40}\b(?:fail\w*|errors?|issues?)\b"
    r"|\b(?:failures?|errors?|issues?) (?:remain|left)\b",
    re.IGNORECASE,
)
_PROPOSED = re.compile(r"\b(?:i think |maybe )?we should\b|\bshouldn['’]t (?:we|it)\b", re.IGNORECASE)


def unvarnished(text: str) -> str:
    """Without the praise at its end: "…, making it more robust"."""
    tail = _VARNISH.search(text)
    return text[: tail.start()] if tail and _FLUFF.search(tail.group()) else text


def is_noise(text: str, role: Role) -> bool:
    """Narration, offers, acknowledgements, questions, praise of one's own work."""
    plain = text.strip()
    if plain.endswith("?"):
        return not (role is Role.USER and _PROPOSED.search(plain))
    if role is Role.ASSISTANT and (_NARRATION.match(plain) or _NOISE.match(plain)):
        return True
    if role is Role.USER and re.match(
        r"(?:thanks?|thank you|great|perfect|ok|okay|hi|hello|hey|looks good|nice)\b[^,]*$", plain, re.I
    ):
        return True
    return _FLUFF.search(plain) is not None or plain.endswith(":")


_REASON = re.compile(
    r"^(?:since|because)\s+(?P<first>.{15,200}?),\s+(?:i|we|let)\b"
    r"|^(?:let me|i['’]ll|i will|now i['’]ll|i need to)\b.{10,160}?\s(?:since|because)\s+(?P<last>.{15,200})$",
    re.IGNORECASE,
)


def reason_in(narrated: str) -> str | None:
    """The reason that is told along with what someone is about to do: "Since all versions are compatible, I'll…"."""
    match = _REASON.match(narrated.rstrip(":."))
    return (match.group("first") or match.group("last")) if match else None


def is_passing_state(text: str) -> bool:
    """Whether a sentence tells what is not in order at the moment, and no cause of it: "Two tests still fail"."""
    return _PASSING_STATE.search(text) is not None and not re.search(r"\b(?:because|due to|since|caused by)\b", text)


def is_hedged(text: str) -> bool:
    """Whether the speaker is not sure."""
    return _HEDGED.search(text) is not None


def cue_in(text: str, role: Role) -> Cue | None:
    """The strongest way in which a sentence states something, if any."""
    if is_noise(text, role):
        return None
    cues = _USER if role is Role.USER else _ASSISTANT
    bare = re.sub(r"\s*\([^()]*\)", "", text)
    return max((cue for cue in cues if cue.pattern.search(bare)), key=lambda cue: cue.weight, default=None)
