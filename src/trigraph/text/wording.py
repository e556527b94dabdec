"""English words by what they do to a statement: say nothing of their own, limit it, end it, correct it, date it.

General vocabulary; a word stands here for its grammar, not because some text of a test set holds it.
"""

from __future__ import annotations

import re
from types import MappingProxyType

import Stemmer

_stem = Stemmer.Stemmer("english").stemWord


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in text.split())


WEIGHTLESS = frozenset(
    """
    always never every each without since everyone everybody nobody anyone anybody someone somebody anything nothing
    something everything any none cannot may might shall must longer whether upon within among via per yes ok thus
    actually apparently basically certainly clearly correctly currently definitely easily
    especially eventually exactly finally fully generally likely mostly nearly newly normally originally
    possibly presently previously probably properly really recently roughly sadly simply strongly surely
    usually approximately
    beneath underneath still yet even though although however also else there's it's that's i'm we're they're us
    """.split()
)
"""Words that carry grammar and no subject, beside the stop words of search."""

IDIOMS = tuple(
    (re.compile(pattern, re.IGNORECASE), meaning)
    for pattern, meaning in (
        (r"\b(?:can't|cannot|can not|couldn't) (?:stand|bear|abide)\b", "hates"),
        (r"\b(?:run|runs|ran) out\b(?! of)", "expires"),
        (r"\b(?:is|are) valid (?:until|till|through)\b", "expires"),
        (r"\b(?:is|are) (?:very |quite |really )?fond of\b|\b(?:is|are) a (?:big |great )?fan of\b", "likes"),
        (r"\bout of (?:order|service|commission)\b", "broken"),
        (r"\brunning again\b|\bup and running\b|\bback in (?:service|operation)\b", "working again"),
        (r"\b(is|are) (\w+)-free\b", r"\1 without \2"),
        (r"\b(is|are)( not|n't)? part of\b", r"\1\2 included in"),
        (r"\b(?:there (?:is|are) )?no (\w+) (?:that|which|who) (?:isn't|aren't|is not|are not)\b", r"every \1 is"),
        (r"\bas long as\b", "with"),
        (r"\bat most\b|\bno more than\b|\ba maximum of\b", "maximum"),
        (r"\bat least\b|\bno less than\b|\ba minimum of\b", "minimum"),
        (r"\b(?:is|are|stays) open (?:until|till)\b", "closes at"),
        (r"\b(?:unless )?(?:they |you |users? )?opt(?:s|ed)?[- ]out\b", "optout"),
        (r"\bopt(?:s|ed)?[- ]in\b", "optin"),
        (r"\b(?:is|are) (?:not allowed|not permitted) to\b", "cannot"),
        (r"\b(Dr|Mr|Mrs|Ms|Prof|St|No)\.(?= [A-Z0-9])", r"\1"),
    )
)
"""Phrases whose words mean something else than the whole."""

CHANGES = _stems("rename migrate switch move change replace upgrade update shift")
"""Verbs of change, of which one may stand for another where both texts tell of a change."""

MOVING = CHANGES | _stems(
    "go went gone raise lower increase decrease reduce drop bump push cut extend convert transfer"
)
"""Verbs with which `from X to Y` is a change, and not a way or a stretch of time."""

CHANGE_WORDS = frozenset(
    """
    renamed migrated switched moved changed updated upgraded downgraded bumped raised lowered increased decreased
    reduced dropped pushed shifted rescheduled postponed relocated replaced converted extended shortened cut doubled
    halved went became got been was were has have had is are be now
    """.split()
)

_SAME = """
    deadline due | certificate cert | expire expiry expiration | begin start commence | production prod live-env
    development dev | staging stage | database db databases | repository repo repos | configuration config configs
    environment env | authentication auth | documentation docs doc | application app apps | kubernetes k8s
    postgresql postgres | javascript js | typescript ts | memory ram | reside live | directory folder dir
    price fee | maximum max | minimum min | automobile car | physician doctor | telephone phone
    purchase buy | administrator admin admins | message msg | parameter param params
    specification spec | big large | begin start | identifier id | password passwd | quick fast | house home
    birthday born birthdate birth | lead head | kid child children kids | woman women | man men
    person people persons | monthly month | weekly week | daily day | yearly annual annually year | hourly hour
    logging log logs logger | reviewer review reviews reviewers | mail email e-mail | straight direct directly
    variable var vars | function func fn | command cmd | picture photo image | spend spending
    meeting meetings | appointment appt | beneath under underneath | keep kept
    tire tyre tires tyres | wife wives | run ran | take took taken | write wrote written | go went gone
    choose chose chosen | break broke broken | drive drove driven | make made | buy bought | leave left | think thought
    say said | get got gotten | give gave given | come came | see saw seen | eat ate eaten | know knew known
    send sent | spend spent | hold held | build built | meet met | pay paid | sell sold | find found | tell told
    lose lost | mean meant | teach taught | bring brought | wear wore worn | begin began begun | ride rode | sing sang
    freeze froze frozen | grow grew grown | rise rose risen | fall fell fallen | speak spoke spoken | hide hid hidden
    steal stole stolen | win won | draw drew drawn | fly flew flown | feel felt | catch caught | sit sat | stand stood
    sleep slept | swim swam swum | throw threw thrown | feed fed | hang hung | lend lent | hear heard
    show shown | understand understood | forbid forbidden forbade | lead led
"""


def _same_words() -> dict[str, str]:
    found: dict[str, str] = {}
    for group in re.split(r"[|\n]", _SAME):
        words = group.split()
        for word in words[1:]:
            found.setdefault(word, _stem(words[0]))
            found.setdefault(_stem(word), _stem(words[0]))
    return found


SAME_WORDS = MappingProxyType(_same_words())
"""Word or stem → the stem under which it is compared."""

MEASURED = frozenset(
    """
    port version level limit size count total number max min maximum minimum capacity score rate volume age height width
    length depth weight temperature speed price cost rent fee budget quota threshold timeout interval concurrency
    parallelism priority ratio factor rating grade rank salary balance pin code stock attendance population dose torque
    pressure year batch retry delay offset range quantity amount sum value around about nearly roughly
    """.split()
)
"""Words after which a number is a value; after other nouns it tells which one: `line 3`, `room 101`."""

_MEASURES = """
    cost price charge pay fee bill rate rent | weigh weight heavy | last take duration long
    hold seat fit capacity room | listen port reach reachable bind expose serve bound | height tall high | age old year
    climb ascent | expire valid ttl live lifetime
    limit cap most max maximum allow | heat temperature degree | birthday celebrate | width wide | depth deep
    distance far away | salary earn make paid | size big large | employ staff employee | run execute every interval
    keep retain stay store | consist count number total comprise contain
"""


def _measures() -> dict[str, str]:
    found: dict[str, str] = {}
    for group in re.split(r"[|\n]", _MEASURES):
        words = [_stem(word) for word in group.split()]
        for word in words:
            found.setdefault(word, words[0])
            found.setdefault(SAME_WORDS.get(word, word), words[0])
    return found


MEASURES = MappingProxyType(_measures())
"""Stem → the measure that it speaks of: what costs and what is charged is a price."""

EXISTENCE = _stems(
    "lack equip involve need require necessary available exist include whatsoever available possible contain"
)
"""Words that only say that something is there: `no restart involved`."""

_SYNONYMS = """
    allow permit | forbid prohibit ban disallow | hate dislike detest | love adore | keep retain | delete remove erase
    finish end conclude | repair fix | choose select pick | show display | build construct | buy purchase | big large
    need require | help assist | reply answer respond | near close-to | kept stored store | own belong | vehicle car
    depart leave | originate come | file report | terse short brief concise | whole entire | every each | tell inform
    often frequently | rapid fast | ill sick | film movie | autumn fall | holiday vacation | apartment flat
"""


def _synonyms() -> dict[str, str]:
    found: dict[str, str] = {}
    for group in re.split(r"[|\n]", _SYNONYMS):
        words = [SAME_WORDS.get(_stem(word), _stem(word)) for word in group.split()]
        for word in words:
            found.setdefault(word, words[0])
    return found


SYNONYMS = MappingProxyType(_synonyms())
"""Stem → the stem that stands for all that mean the same in nearly every sentence. Restatements rest on it: keep it
small, and without words that only resemble each other (warm, hot)."""

FREE_WORDS = frozenset(
    """
    a an the is are was were be been being am do does did doing has have had having of to for in on at by with as from
    into about through upon via that which who it its itself this these those such so and or but also just own will
    would should can could we our ours us they their them themselves there's it's that's yes ok thus actually apparently
    basically certainly clearly correctly currently definitely especially exactly fully properly really
    simply strongly surely even though although however else then when because since now not no never cannot nobody
    none nothing nor without longer whether what within still per
    """.split()
)
"""Words without weight that may come and go in a restatement. Negations are among them because they are counted."""

_CLASSES = """
    all every each always everyone everybody everything any anyone anybody | he him his | she her hers | i me my mine
    you your yours | may might | must shall | usually mostly generally normally likely | nearly roughly approximately
    under beneath underneath | some someone somebody something | earlier previously originally before
"""
WORD_CLASSES = MappingProxyType(
    {word: group.split()[0] for group in re.split(r"[|\n]", _CLASSES) for word in group.split()}
)
"""Word without weight → the one that stands for its class."""

_LIGHT_VERBS = _stems(
    """
    accept add agree allow answer apply appear arrive ask bring build bump buy call carry change charge check close come
    configure confirm contain continue cost create cut decide depend do drop edit expect feed feel find fit fix follow
    format get give go grow handle happen have hear help hold host include increase install keep kept know last lead
    learn leave let like limit list live load look lose lower make made mean meet mention move need offer open order
    own pay pick pin plan play point prefer pull push put raise reach read receive record reduce refer rely
    remain remind replace report request require respond return run ran rename reschedule say scale see seem sell send
    serve set shift ship show sit sort spend stand start stay stick stop store suggest support switch take talk
    tell test think throw time tie tighten  total track travel try turn update upgrade use used uses
    using want watch wear went work write written
    """
)
_LIGHT_OTHERS = _stems(
    """
    again almost already always anyway around away back daily fine good great however indeed instead just later
    maybe much name never new nice now nowadays often ok okay once overall per perhaps please quite rather since
    so soon sorry still sure then therefore thing thus today together tomorrow very way well yesterday yet own
    different same various several
    """
)
LIGHT_VERBS = frozenset({SAME_WORDS.get(stem, stem) for stem in _LIGHT_VERBS} | _LIGHT_VERBS)
"""Verbs of every day: that one text has them and the other has not is no other subject. As nouns they count."""
LIGHT = LIGHT_VERBS | _LIGHT_OTHERS
"""Those, and adverbs."""
_CONTRASTS = """
    environment: production prod | staging stage | development dev | test testing qa | ci | local localhost | sandbox
    end: front | rear back
    side: left | right
    floor: upstairs | downstairs | basement | attic
    level: upper | lower
    bound: minimum min | maximum max
    direction: inbound incoming ingress | outbound outgoing egress
    copy: primary master leader | replica secondary standby follower
    access: reads reading | writes writing | upload uploads | download downloads
    statistic: median p50 | mean average avg | p90 | p95 | p99 | peak
    order: first | second | third | fourth | last
    meal: breakfast morning | lunch noon | dinner supper evening | bedtime night nightly
    week: weekday weekdays | weekend weekends
    novelty: old | new
    age: adult adults | child children kids
    season: spring | summer | autumn fall | winter
    side-of-car: driver | passenger
    compass: north northern | south southern | east eastern | west western
    network: ipv4 | ipv6
    employment: employer employers | employee employees
    lease: landlord | tenant
    deal: buyer buyers | seller sellers
    message: request requests | response responses
    quarter: q1 | q2 | q3 | q4
    half-year: h1 | h2
    passage: entry | exit
    journey: arrival | departure
    account: credit | debit
    sum: gross | net
    trade: import imports | export exports
    reach: domestic | international
    hardware: memory ram | cpu | disk | gpu
    relative: wife | husband | mother mom mum | father dad | brother | sister | son | daughter | partner | colleague |
        boss | neighbour neighbor | friend | grandpa grandfather | grandma grandmother | uncle | aunt | cousin
    system: linux ubuntu debian | windows | macos mac osx | ios | android
    client: frontend | backend | mobile | desktop | web
"""


def _contrasts() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    sort = ""
    for line in _CONTRASTS.strip().splitlines():
        head, _, rest = line.partition(":") if ":" in line else (sort, "", line)
        sort = head.strip()
        for group in rest.split("|"):
            for word in group.split():
                found[word] = (sort, group.split()[0])
    return found


CONTRASTS = MappingProxyType(_contrasts())
"""Word → the sort of limit it sets and which one: two statements limited apart do not meet."""

MOODS = MappingProxyType(
    {
        "question": re.compile(
            r"^(?:what|which|who|whom|whose|when|where|why|how|is|are|do|does|did|can|could|should|would|will)\b.*\?"
            r"|\bopen question\b|\bwonder(?:s|ing|ed)? (?:if|whether)\b|\bnot sure (?:if|whether)\b|\bunclear\b"
            r"|\bwhether\b|\bask(?:s|ed)? if\b"
        ),
        "condition": re.compile(
            r"(?:^|[.;:,] )(?:if|unless|when|whenever|while|during|in case|suppose|assuming|provided)\b|\bonly if\b"
            r"|\b(?:would|could) (?:have|be)\b|\bin case\b|\b(?:if|unless) (?:the|a|an|you|we|it|they|any|there)\b"
        ),
        "reminder": re.compile(
            r"\b(?:do not|don't|never|dont) forget\b|\bremember to\b|\bremind(?:er)?\b|\btodo\b|\bto do :"
            r"|\bmake sure\b|\bneeds? to be\b"
        ),
        "plan": re.compile(
            r"^(?:plan|idea|proposal|proposed|draft|option)s? :|\b(?:we|i|they|it|he|she) may\b|\b(?:we|i|they|you"
            r"|someone|somebody) (?:should|ought to|need to|have to|must)\b"
            r"|\b(?:might|maybe|perhaps|planning|plans? to|consider"
            r"(?:s|ing|ed)?|thinking (?:of|about)|propos(?:es?|ed|ing)|hop(?:es?|ing) to|intends? to"
            r"|going to|eventually|wants? to|want(?:s|ed)? us|someday|one day|next (?:week|month|year|quarter|spring"
            r"|summer|autumn|fall|winter|sprint))\b"
        ),
    }
)
"""Why a statement may say nothing about how things are."""

PAST_CUES = re.compile(
    r"\b(?:was|were|had|ran|used|lived|worked)\b(?: [\w#'.-]+){0,8} (?:until|till|before|back then|at (?:that"
    r"|the) time)\b"
    r"|\bfrom # (?:to|until|through) #|\b(?:formerly|back then|in those days|at that time|in the past|years ago)\b"
    r"|^(?:before|until|till|during)\b[^,.]{1,40}, .*\b(?:was|were|had|ran|used|lived|worked)\b"
    r"|^(?:in|during|back in|until|till|before) #,? .*\b(?:was|were|had|ran|used|lived|worked)\b"
    r"|\b(?:was|were|worked|lived|ran|used)\b(?: [\w#'.-]+){0,8} (?:in|during|back in) #(?: [.]|$)"
)
"""A time that is over: what held then and what holds now do not contradict."""

ENDINGS = re.compile(
    r"(?<!being )\b(?:cancell?ed|called off|refunded|deprecated|discontinued|decommissioned|retired|abolished"
    r"|abandoned|scrapped"
    r"|shut down|removed|deleted|withdrawn|revoked|reverted|rolled back|dropped|sunset|phased out|gone"
    r"|no longer|not any ?more|any ?more|stopped|quit|ceased|gave up|given up|has ended|got rid of|resolved"
    r"|broke(?:n)? (?:off|up)|split up|expired|sold|closed down|terminated|dissolved|resigned|(?:turned|switched) off"
    r"|lifted|no more|went away|(?:was|were|been|got|now|finally) (?:fixed|solved|patched)"
    r"|(?:fixed|solved|patched) (?:in|with|by|since)"
    r"|(?:rolled|called|phased|shut) (?:[\w-]+ ){1,4}(?:back|off|out|down)"
    r"|(?:is|are) (?:fixed|solved|over)(?= [.,;]|$)|(?:is|are) (?:out|history)(?= [:;])|^[\w-]+ over ,)\b"
)
"""Something that was so has come to an end."""

UPDATE_CUES = re.compile(
    r"\b(?:now|nowadays|no longer|any ?more|instead|from now on|going forward|as of|starting (?:today|tomorrow|#)"
    r"|effective #|switched|migrated|promoted|moved (?:(?!by )[\w-]+ ){0,5}(?:to|from|over)|renamed|relocated"
    r"|replaced|replaces|superseded|supersedes|upgraded|downgraded|bumped"
    r"|(?:raised|lowered|increased|decreased|reduced|turned|cut) (?:[\w'-]+ ){0,5}(?:to|into)|slipped to|rebooked"
    r"|refinanced|re-?enabled|re-?opened|went (?:up|down)|pushed|postponed|rescheduled|brought forward"
    r"|moved (?:up|back)|changed|updated|took over|takes over|taken over|became"
    r"|turned (?:on|off)|back up|deprecated|cancell?ed|discontinued|stopped|quit|gave up|new name|new address"
    r"|down to|up to date|since then|this (?:morning|week|month)|used to|formerly|since #"
    r"|fixed(?! (?:term|price|rate|size|cost|income|assets?))|extended|shortened|cut to"
    r"|dropped|doubled|halved|shifted|transferred|stepped down|abandoned|delayed|adjusted|swapped|turned (?:down|up)"
    r"|got rid of|retired|decommissioned|has (?:left|joined)|joined|left|these days|lifted"
    r"|no more|since the|elected|appointed|becomes|lately|from (?:this |next )?\w+ on)\b"
    r"|^(?:update|new)\b|\bupdate :"
)
"""The newer text says that something has changed."""

CLEAR_CUES = re.compile(
    r"\b(?:(?:is|are|was|were|has|have|does|do|am|'s|'re) (?:\w+ )?(?:now|no longer)|no longer|any ?more|instead"
    r"|from now on|going forward|as of|switched|migrated|promoted|moved (?:[\w-]+ ){0,5}(?:to|from|over)"
    r"|renamed|relocated|replaced|replaces|superseded|supersedes|upgraded|downgraded|bumped"
    r"|(?:raised|lowered|increased|decreased|reduced|cut|changed|turned) (?:[\w'-]+ ){0,5}(?:to|into)|slipped to"
    r"|rebooked|refinanced|transferred to|taken over|went (?:up|down) to"
    r"|pushed (?:to|back)|postponed|rescheduled|extended to|shifted to|took over|turned (?:on|off)"
    r"|deprecated|cancell?ed|called off|discontinued|stopped|quit|gave up"
    r"|down to|stepped down|has changed|now(?= [.;]|$))\b"
)
"""Cues that leave no doubt: what was held is over. Only these may retire, and only in a person's own words."""

CORRECTION_CUES = re.compile(
    r"\b(?:actually|correction|corrected|i meant|meant to say|was wrong|were wrong|is wrong|was incorrect|mistaken"
    r"|by mistake|mistakenly|typo|misread|misheard|misspoke|wrong (?:note )?earlier|earlier note|scratch that"
    r"|turns out|turned out|in fact|contrary to|never was|was never|were never|not true|isn't true"
    r"|wrongly|erroneous(?:ly)?"
    r"|(?:noted|wrote|written|had|got|remembered) (?:it |this |that |down )*wrong|my mistake|i was off|to correct)\b"
    r"|^no ,|[,;] not (?:#|the|a|an|\w+)(?: [\w#-]+)? ?(?:[.,;)]|$)|\bnot [\w#-]+(?: [\w#-]+){0,3} but\b"
)
"""The newer text says that the older was never right."""

_EXCLUSIVE = """
    direction: faces | face | points | looks
    place: deployed to | is deployed to | is next to | sits next to | are next to
    work: works at | works for | joined | is employed by | is employed at
    name: is called | are called | is named | called | named | renamed to | name is | goes by
    uses: prefers | prefer | would like | would rather | wants | want | favours | favors | would rather have |
        chose | picked | settled on | decided on |
        opted for | went with | go with | going with | uses | use
    choice: default is | defaults to | switched to | migrated to | is licensed under | are licensed under
    tool: is built with | are built with | is written in | are written in | written in |
        is managed by | managed by | is managed with | is powered by | is handled by | are handled by | is built on |
        is implemented in | relies on
    target: written to | saved to | logged to | goes to | go to | uploaded to | sent to | delivered to | published to
    owner: is owned by | owned by | belongs to | is led by | is maintained by | maintained by | reports to |
        is assigned to | assigned to | is responsible for
    study: studies in | studies at | transferred to | studies
    value: is now | is set to | set to | are set to | equals | is pinned to | points to | point to | changed to |
        is configured as | resolves to | is | are | :
"""


def _exclusive() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    attribute = ""
    for line in _EXCLUSIVE.strip().splitlines():
        start = re.match(r"\s*([\w-]+): ", line)
        if start:
            attribute, line = start.group(1), line[start.end() :]
        for phrase in line.split("|"):
            if words := tuple(phrase.split()):
                found.setdefault(words[0], []).append((words, attribute))
    return {first: tuple(sorted(of, key=lambda one: -len(one[0]))) for first, of in found.items()}


EXCLUSIVE = MappingProxyType(_exclusive())
"""First word of a predicate that takes one value at a time → the whole predicate and what it tells of its subject."""

LOCATED = frozenset(
    """
    lives live resides reside sits sit stands stand hangs hang lies lie stays stay meets meet rehearses rehearse trains
    runs run parked stored kept located hidden mounted installed hosted based deployed buried housed placed situated
    filed archived saved stationed docked held found sleeps
    """.split()
)
"""Verbs and participles after which a place is told, and one at a time."""
LOCATIVE = frozenset(
    "in at on under behind beneath underneath beside near above below inside outside across by".split()
)
MOVED = frozenset("moved relocated brought transferred shifted taken".split())
"""Participles that, with `to`, tell of a new place."""
LANGUAGES = _stems(
    "english german french spanish italian norwegian danish swedish dutch polish portuguese finnish greek turkish"
    " russian czech hungarian chinese mandarin japanese korean arabic hebrew hindi latin"
)
KEEPING = frozenset("find keep keeps store stores park parks hang has have put relocated moved transferred".split())
"""Verbs that say where their object is: `you find the key under the mat`."""

_FAMILIES = """
    colour: red | blue | green | yellow | black | white | grey gray | brown | orange | purple | pink | silver | beige
    status: draft | pending | approved | rejected | merged | shipped | delivered | paid | overdue | archived | active |
        inactive | blocked | cancelled canceled | completed | queued | running | stopped | planned | failed | released |
        unpaid | resolved | escalated | experimental | stable | deprecated | beta | alpha | frozen | suspended
    material: wood wooden | steel | plastic | glass | concrete | brick | aluminium aluminum | copper | leather | slate
    diet: vegan | vegetarian | pescatarian | omnivore
    fuel: diesel | petrol gasoline | electric | hybrid | gas
    gender: male | female
    level: low | medium moderate | high | critical
    trade: nurse | teacher | lawyer | plumber | carpenter | dentist | accountant | pilot | chef | electrician
"""


def _families() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    sort = ""
    for line in _FAMILIES.strip().splitlines():
        head, _, rest = line.partition(":") if ":" in line else (sort, "", line)
        sort = head.strip()
        for group in rest.split("|"):
            for word in group.split():
                found.setdefault(_stem(word), (sort, group.split()[0]))
    return found


FAMILIES = MappingProxyType(_families())
"""Stem → a sort of property of which a thing has one, and which one."""

OWNING = frozenset("leads owns manages maintains heads chairs supervises coaches".split())
"""Verbs of which a thing has one subject at a time."""
ROLES = _stems(
    "lead leader head owner manager maintainer director ceo cto captain president chair boss supervisor coach contact"
    " host editor landlord treasurer secretary mayor principal chairman chairwoman chairperson dean conductor cfo coo"
    " coordinator moderator goalkeeper headmaster minister dentist doctor pediatrician vet tutor trainer accountant"
)
"""Words for the one who holds an office."""

ATTRIBUTES = _stems(
    """
    address author backend birthday boss branch breed browser bucket capital captain carrier channel city coach code
    color colour contact currency database day default destination director doctor domain door editor engine entry
    favorite favourite font format framework headquarters host hostname id key landlord language lead leader license
    linter location maintainer manager medication method mode model month name nickname operator owner package palette
    password path phone place plan platform port president provider region registry room runtime school seat server
    shell size source stack status style supplier surname target theme timezone title tool topic type url username
    vendor version winner zone deadline due primary main preferred formatter indentation separator delimiter encoding
    protocol algorithm strategy policy passphrase pin prefix suffix brand genre material diagnosis employer
    occupation profession nationality religion airline insurer bank venue gender blood
    """
)
"""Words for what a thing has one of: `the default branch is main`."""

SHARED_BY_MANY = _stems(
    "support use available include offer mention test compatible interested need require allow fond good allergic visit"
    " known found seen sold open invite tag listed translated spoken popular taught responsible familiar related"
)
"""Predicates that hold of many things at once: `is available in German` does not deny French."""
