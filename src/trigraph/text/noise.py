"""Sentences that no unattended source should leave behind: small talk, narration, states of the moment.

A filter drops a sentence only when all of it is noise: "OK" is an answer, "OK means HTTP 200 in this API" is a fact.
So the patterns cover whole sentences, or ask that what is left over says nothing of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable

SHORT_CHARS = 15


def noise(text: str) -> str | None:
    """The name of the filter that drops a sentence from an unattended source; None where it may be a fact."""
    plain = " ".join(text.replace("’", "'").split())
    if len(plain) < SHORT_CHARS:
        return "too_short"
    folded = plain.casefold()[:LIMIT_CHARS]
    return next((name for name, drops in _FILTERS if drops(folded)), None)


LIMIT_CHARS = 400
"""What is longer is no remark; so much of it is read."""

_ACTION = (
    r"(?:check|look|read|run|fix|update|start|begin|refactor|add|edit|open|search|try|continue|write|create|implement"
    r"|make|see|go|do|move|test|review|examine|investigate|inspect|proceed|explain|summari[sz]e|help|take|modify"
    r"|change|rename|remove|delete|apply|install|build|walk|find|verify|execute|call|fetch|list|grep|trace|debug"
    r"|explore|analy[sz]e|double-check|confirm|rerun|re-run|commit|push|clean|set|get|handle|tackle|work|think|wait"
    r"|turn|dig|put|draft|prepare|rewrite|switch|compare|generate|adjust|finish|come)"
)
_DOING = (
    r"(?:running|executing|calling|reading|searching|opening|checking|looking|fetching|listing|invoking|grepping"
    r"|editing"
    r"|writing|creating|scanning|inspecting|viewing|loading|querying|examining|browsing|updating|installing|applying"
    r"|starting|investigating|reviewing|compiling|testing|trying|retrying|launching|using|parsing|verifying"
    r"|analy[sz]ing)"
)
# A verb after the doing makes it a subject: "Running migrations needs the VPN".
_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|must|should|shall|can|can't|cannot|could|will|won't|would"
    r"|may|might|needs?|requires?|takes?|lags?|fails?|breaks?|causes?|costs?|works?|uses?|triggers?|returns?|happens?"
    r"|means?|makes?|lets?|gives?|goes|go|gets?|runs?|starts?|stops?|leads?|depends?|allows?|prevents?|deletes?"
    r"|creates?"
    r"|adds?|shows?|keeps?|leaves?|crashes|locks?|blocks?|doubles?|triples?|resets?|invalidates?|slows?|speeds?|burns?"
    r"|counts?|asks?|opens?|writes?|sends?|skips?|reveals?|exposes?|belongs?|stays?|remains?|became|becomes?|saves?"
    r"|only|never|always|violates?|voids?|overwrites?|corrupts?|hangs?|exceeds?|prints?|logs?|helps?)\b"
)
_I_WILL = (
    r"(?:i'll|i will|i'm going to|i am going to|i'm about to|let me|let's|let us|i need to|i should|i'd like to"
    r"|i can now"
    r"|i want to|i'm now going to|we'll|i'll just|we need to|we should)"
)
_LEAD = (
    r"(?:(?:ok|okay|now|next|first|then|so|great|alright|right|good|perfect|well|finally|second|lastly|after that|also"
    r"|sure|done|i understand|i see|got it|understood|makes sense|thanks|before that|to start|once that's done"
    r"|and),? +){0,3}"
)


def _is_offer(text: str) -> bool:
    return bool(_OFFER.match(text))


_OFFER = re.compile(
    rf"{_LEAD}(?:(?:just |please )?let me know\b|(?:i'm |i am |i'd be |i would be )?(?:happy|glad) to\b"
    r"|(?:please )?feel free to (?:ask|reach|let|tell|share)|i can also\b|i could also\b"
    r"|(?:if you(?:'d| would)? (?:like|want|wish|prefer|need)\b[^,]{0,60}, )(?:i|just|let|feel|we)\b"
    r"|would you like (?:me|to see)|shall (?:i|we)\b|should i\b|(?:do you )?want me to\b|do you want (?:me|to)\b"
    r"|(?:just )?say the word|i(?:'m| am) here (?:if|to|whenever)|anything else\b|is there anything else\b"
    r"|how (?:can|may|else can) i help|can i help\b|may i\b|i(?:'d| would) be (?:happy|glad)|don't hesitate"
    r"|(?:i can|i could) [^.]{2,80}\bif (?:you(?:'d)? (?:like|want|wish|prefer|need)|that helps|that would help"
    r"|useful))"
    r"|.{2,100}[,;] (?:just )?(?:let me know|say the word)(?: if\b.*)?[.!]?$"
)


def _is_question(text: str) -> bool:
    return text.endswith(("?", "?!", "?)", "？"))


def _is_acknowledgement(text: str) -> bool:
    """Thanks, consent, greetings and good wishes, in every clause of it."""
    clauses = [clause.strip(" '\"()") for clause in re.split(r"[,.!;:…–—]+(?:\s|$)| - ", text)]
    clauses = [clause for clause in clauses if re.search(r"\w", clause)]
    return bool(clauses) and all(_ACKNOWLEDGED.fullmatch(clause) for clause in clauses)


_MORE = r"(?: (?:so|very|much|a lot|again|then|too|now|there|all|everyone|everybody|team|indeed|really|that|this|it))*"
_ACKNOWLEDGED = re.compile(
    r"(?:and |but |well |oh |ah |yes |no |ok |okay |great |so )?(?:"
    rf"(?:ok|okay|sure(?: thing)?|yes|yep|yeah|no|nope|right|alright|all right|cool|nice|great|perfect|excellent"
    rf"|awesome"
    rf"|fine|good|wonderful|fantastic|lovely|exactly|absolutely|definitely|indeed|agreed|noted|understood|acknowledged"
    rf"|roger|done|super|brilliant|amazing|of course|certainly|no problem|no worries|my (?:bad|mistake)|sorry"
    rf"|apologies|my apologies|got (?:it|that)|gotcha|makes? sense|that makes (?:perfect |total |a lot of )?sense"
    rf"|will do|on it|i see|i understand|i agree|that work(?:s|ed)(?: for me)?|sounds like a plan|happy to help"
    rf"|works for me|sounds (?:good|great|fine|perfect)"
    rf"|looks (?:good|great|fine)(?: to me)?|lgtm|fair enough|good (?:point|idea|catch|call|question|to (?:know|hear"
    rf"|see))"
    rf"|great (?:question|idea|catch|point|job|work)|nice (?:work|job|catch|one)|well done|thank you|thanks|many thanks"
    rf"|cheers|much appreciated|i appreciate (?:it|that|your help)|you(?:'re| are) (?:absolutely |quite )?(?:right"
    rf"|correct"
    rf"|welcome)|that(?:'s| is) (?:right|correct|great|good|fine|perfect|true|it|all|helpful)|hello|hi|hey"
    rf"|good (?:morning|afternoon|evening|night|day)|goodbye|bye|welcome(?: back)?|please|of course"
    rf"|i apologi[sz]e|i was wrong|i hear you|as you (?:say|wish)|very well|sure)"
    rf"(?:,? (?:sir|madam|boss|mate|friend|folks))?{_MORE}"
    r"(?: for (?:the|your|that|this|all|confirming|letting|sharing|asking|clarifying|explaining|pointing|helping"
    r"|waiting"
    r"|checking|being|everything|flagging|reporting|bearing|taking)\b(?: \S+){0,8})?"
    r"(?: to (?:the|this|our|you|meet you|see you|have you)(?: \w+){0,3})?"
    r"|(?:have|enjoy) (?:a|your|the) (?:\w+ ){0,2}(?:day|evening|weekend|night|morning|afternoon|week|one|trip|holiday)"
    r"(?: \w+)?|(?:i )?hope (?:you|that|this|all|everything|it)\b(?: \S+){0,8}|(?:nice|good|great|pleased"
    r"|lovely) to (?:meet"
    r"|see|hear|have)(?: \w+){0,4}|see you(?: \w+){0,3}|talk (?:to you )?(?:soon|later|tomorrow)|take care"
    r"|until next time"
    r"|i(?:'ll| will) (?:do|take care of|fix|change|get|handle|remember|keep|go with) (?:that|it|this|so|on it|to it"
    r"|that in mind)(?: (?:now|then|right away|for you|in mind|next))?|i(?:'ll| will) get (?:right )?(?:on|to) (?:it"
    r"|that)"
    r"|that(?:'s| is) (?:a )?(?:good|great|fair|helpful|excellent) (?:point|idea|question|catch|news|to know)"
    r"|how are you"
    r"(?: \w+)?|thanks to you|i'm sorry(?: about that| for the confusion)?|sorry (?:about|for) (?:that|the \w+|my \w+)"
    r")"
)


def _is_tool_invocation(text: str) -> bool:
    if _TOOL_FRAME.match(text):
        return True
    doing = _TOOL_DOING.match(text)
    return bool(doing) and not _FINITE.search(text, doing.end() if doing else 0)


_TOOL_FRAME = re.compile(
    rf"(?:(?:tool|function) (?:call|use|result|invocation|output)s?\b ?[:=(]|[$>%#] ?(?:git|npm|pnpm|yarn|pip|python"
    rf"|pytest"
    r"|make|cargo|docker|kubectl|ls|cd|cat|grep|rg|find|curl|sed|mkdir|go|node|uv|bash|sh)\b"
    r"|(?:i |the (?:assistant|agent|model) )?(?:used|called|invoked|ran|executed|made (?:a|another)) (?:the "
    r"|a )?`?[\w.-]+`?"
    r" (?:tool|function|command|call)\b|[a-z_]+\.?[a-z_]*\([^)]*\)[.;]?$|<(?:tool|function)_?\w*>"
    rf"|{_LEAD}let me (?:check|look|read|run|open|search|see|grep|find|list|inspect|view|fetch|examine|take a look)\b"
    r"|(?:bash|read|write|edit|grep|glob|webfetch|websearch|todowrite)(?: tool)?(?:\(| ?→|: ?[/$\"'{]))"
)
_TOOL_DOING = re.compile(
    rf"{_LEAD}(?:i'm |i am |we're |now |currently |just |still |the (?:assistant|agent|model) is ){{0,3}}{_DOING}\b"
    r"(?= (?:the|a|an|for|up|through|to|into|at|in|on|my|your|our|this|that|these|all|some|it|both|git|npm|pytest|make"
    r"|cargo|docker|pip|curl|grep)\b| `| \S*[\w)][._/(]\w| \S+ (?:-|now\b|again\b|with ))"
)


def _is_narration(text: str) -> bool:
    """What the one who works will do, does or has done: plans, progress, counts of steps."""
    return bool(_NARRATED.match(text) or _PROGRESS.search(text))


_DONE = (
    r"(?:finished|completed|updated|added|fixed|created|made|done|run|ran|read|looked|checked|found|started|removed"
    r"|moved"
    r"|refactored|implemented|renamed|tested|verified)"
)
_NARRATED = re.compile(
    rf"{_LEAD}(?:now that [^,]{{2,80}}, )?{_I_WILL} (?:now |also |just |quickly |first |then |next |start |begin "
    rf"|continue"
    rf" |go ahead and |proceed to |go |keep )*(?:by )?{_ACTION}(?:ing)?\b(?!.*: (?:agreed|decided))"
    r"|(?:now that|with that|having|after) [^,]{2,80}, i (?:can|will|'ll|could|should|now)\b"
    rf"|(?:(?:i've|i have|i just)(?: now| just| already| successfully)* {_DONE}\b(?! to\b)|i {_DONE}"
    r" (?:the|that|this|all|both|your|it)\b)"
    r"|here(?:'s| is| are) (?:the|a|an|what|my|your) (?:\w+ ){0,2}(?:fix|summary|version|code|changes?|plan|diff|result"
    r"|output|list|file|updated?|answer|overview|i)\b"
)
_PROGRESS = re.compile(
    r"\b(?:almost (?:there|done|finished)|nearly (?:there|done|finished)|making (?:\w+ )?(?:headway|progress)"
    r"|(?:good|great|some|steady|nice|more) progress\b|so far,? so good|halfway (?:there|through|done)"
    r"|let's (?:keep going"
    r"|continue|move on|carry on|proceed|go on|get started|begin)|(?:moving|going|am moving) on\b(?:[.!]|$| to)"
    r"|moving to (?:step|the next)|step \d+ (?:is |of \d+ )?(?:is )?(?:done|complete|finished|now)|(?:completed"
    r"|finished|done"
    r"|did) (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?:of|out of) (?:the )?\w+"
    r"|\b(?:\d+|\w+) (?:more )?(?:steps?|tasks?|items?|todos?|to-dos?|files?) (?:are |is )?(?:left|remaining|remain"
    r"|to go"
    r"|done|still open|completed)\b|(?:the )?(?:to-?do|task) list (?:has|contains|now)|\b\w+ tool calls?\b"
    r"|(?:the )?(?:agent|assistant|model) (?:took|made|needed|used|ran|did|has taken) \w+ (?:steps?|turns?|calls?"
    r"|attempts?)"
    r"|(?:now|next) (?:on to|onto|for) the |getting (?:closer|there)\b|that (?:fixed|solved|worked|did it"
    r"|should do it)\b"
    r"(?! by\b)|^(?:all|everything) (?:is )?(?:done|set|good|works|passes)\b|one down\b|\bon step \d+"
    r"|^all (?:the )?\w+ (?:pass|work) now|^half of the \w+ are|back on track"
    r"|(?:work|task) is (?:nearly |almost )?(?:complete|finished|under ?way)\b)"
)

_WHO = r"(?:the )?(?:user|developer|person|customer|client|human|programmer|engineer)"


def _is_generic_familiarity(text: str) -> bool:
    return bool(_FAMILIAR.match(text)) and not _CONTRAST.search(text)


_HOW_MUCH = (
    r"(?:(?:quite|very|fairly|somewhat|generally|already|clearly|reasonably|pretty|really|well|highly|also|likely"
    r"|probably"
    r"|to be|technically) )*"
)
_FAMILIAR = re.compile(
    rf"(?:{_WHO}|they) (?:(?:(?:seems?|appears?) to )?(?:is|be|are|seems?|appears?|looks?"
    rf"|sounds?) {_HOW_MUCH}(?:familiar|comfortable|experienced"
    r"|proficient|skilled|knowledgeable|competent|fluent|confident|at home|acquainted|versed|savvy|at ease|capable"
    r"|technical|good at|an? (?:\w+ )?(?:programmer|developer|coder|engineer)\.?$)"
    rf"|{_HOW_MUCH}(?:(?:seems?|appears?) to )?(?:knows?|understands?|grasps?) (?:how|about|the basics|basic|some|what"
    rf"|enough|their way|general"
    rf"|common)\b"
    rf"|(?:has|have) {_HOW_MUCH}(?:an? )?(?:\w+ ){{0,3}}(?:understanding|knowledge|experience|familiarity|background"
    r"|grasp|skills)\b"
    r"|(?:can|is able to) (?:write|read|program|code|use)\b)"
    rf"|{_HOW_MUCH}(?:familiar|comfortable|experienced|proficient) (?:with|in|using)\b"
)
_CONTRAST = re.compile(
    r"\b(?:but|new to|never|except|not|n't|years?|months?|since|only|although|though|however|unlike|beginner|yet"
    r"|instead)\b"
    r"|\d"
)


def _is_obvious(text: str) -> bool:
    """What every session could say of itself: nothing in it has a name."""
    if not _OBVIOUS.match(text):
        return False
    words = re.findall(r"[^\W\d_][\w'+#./-]*|\d+", text)
    return all(word.strip("./-") in _GENERAL for word in words)


_OBVIOUS = re.compile(
    rf"(?:{_WHO}|the (?:assistant|agent|model|ai|conversation|session|chat|discussion|project|code ?base|code"
    rf"|repository"
    r"|task|request|question|message|program|application|app)|this|there|it|they|a (?:user|question|conversation|file"
    r"|request)|we|i) "
)
_GENERAL = frozenset(
    "the a an this that these those it its it's is are was were be been being has have had do does did will would can"
    " could to of in on at for with about from by as and or some any their his her our my your they them he she we us i"
    " user developer person customer client human programmer engineer assistant agent model ai conversation session"
    " chat"
    " discussion project projects code codebase code-base base repository repo task tasks request requests question"
    " questions message messages program programs application app apps software file files folder folders directory"
    " computer machine asked asking ask asks wants want needs need likes like working work works using use uses trying"
    " try"
    " tries sent send provided provide shared share said says say requested made make making gave give given wrote"
    " writing"
    " write written reading read told tell talking talk interested looking look looks seeking seek seeks seems appears"
    " help helped helping helps assistance support answer answers answered answering reply replied response responded"
    " respond information something things thing stuff issue issues problem problems bug bugs error errors fix fixed"
    " fixing improve improving solve solving change changes changed changing update updates updating feature features"
    " programming coding development developing text content data input output result results solution solutions"
    " explanation explained explain advice suggestion suggestions suggested more further also currently now here there"
    " contains contain containing consists includes related regarding concerning involves one new existing own general"
    " several many multiple different various specific certain function functions method methods class classes test"
    " tests"
    " document documents written language tool tools ongoing started finished ended continued continues took place"
    " exchange exchanged between which who what how when where wants get getting got job goal been able understand"
    " understanding completed complete successfully done discussed hello hi thanks discusses mentioned topic subject"
    " line lines".split()
)


def _is_transient(text: str) -> bool:
    """A state that is over before anyone reads it, told of something that runs."""
    return bool(_TRANSIENT.fullmatch(text.rstrip(" .!…")))


_NOW = r"(?:currently|now|still|just|already|right now|at the moment|at present|presently|finally|again|almost|nearly)"
_SUBJECT = (
    r"(?:(?:the|this|that|our|my|your|all|some|a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d+|both|most"
    r"|several)"
    r" )?(?:\w+[ -]){0,2}?(?:builds?|tests?|servers?|downloads?|uploads?|install(?:ation)?s?|terminal|process(?:es)?"
    r"|jobs?"
    r"|pipelines?|ci|containers?|scripts?|editor|windows?|tabs?|deploy(?:ment)?s?|migrations?|commands?|files?|branch"
    r"|suite|linter|compiler|compilation|checks?|shell|session|database|network|connection|machine|cpu|disk|laptop"
    r"|page|browser|app|cache|watcher|workers?|imports?|exports?|backup|index|cursor|import|query|queries|loop|agent"
    r"|assistant|user|debugger|repl|dependencies|packages|system|service|environment|indexing|sync|progress|bar"
    r"|spinner)"
)
_STATE = (
    r"(?:running|building|starting(?: up)?|loading|failing|passing|open|compiling|downloading|uploading|installing"
    r"|in progress|pending|waiting|queued|stuck|booting|restarting|updating|syncing|indexing|green|red|broken|busy|idle"
    r"|up|down|online|offline|being \w+|paused|finishing(?: up)?|shutting down|warming up|hanging|slow|rebuilding"
    r"|processing|closed|done|finished|complete|ready|clean|dirty|connected|disconnected|logged in|typing|thinking"
    r"|unresponsive|stopped|up and running|under way|underway|at \d+ ?(?:%|percent)|\d+ ?(?:%|percent)(?: (?:done"
    r"|complete"
    r"|finished))?|not (?:running|responding|open|ready|started)(?: yet)?)"
)
_WHERE = (
    r"(?: (?:in (?:another|a|the|this) (?:\w+ )?(?:window|tab|terminal|background|pane|editor|shell|panel)|on (?:screen"
    r"|the (?:left|right|screen))|in (?:the )?background|locally|here|for (?:now|a while|the moment)|again"
    r"|on my (?:machine"
    r"|end|side)))?"
)
_TRANSIENT = re.compile(
    rf"{_LEAD}{_SUBJECT} (?:(?:is|are|'s|has been|have been|was just) )(?:{_NOW} )*{_STATE}{_WHERE}(?: {_NOW})*"
    rf"|(?:{_NOW},? )+{_SUBJECT} (?:is|are) {_STATE}{_WHERE}|waiting (?:for|on) {_SUBJECT}(?: to \w+)?(?: {_NOW})*"
    rf"|there (?:is|are) (?:{_NOW} )*(?:an? |\d+ |\w+ )(?:\w+ ){{0,2}}(?:errors?|failures?|failing tests?|changes?"
    rf"|warnings?)"
    rf"(?: in the (?:terminal|console|output|log|diff|working tree))? {_NOW}"
)

_FILTERS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("offer", _is_offer),
    ("question", _is_question),
    ("acknowledgement", _is_acknowledgement),
    ("tool_invocation", _is_tool_invocation),
    ("narration", _is_narration),
    ("generic_familiarity", _is_generic_familiarity),
    ("obvious_from_context", _is_obvious),
    ("transient", _is_transient),
)
