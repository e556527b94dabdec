"""Whether a sentence tells of something going wrong, of its being set right, or of its being over.

Words of things that go wrong in any trade, graded like those of `signals`.
"""

from __future__ import annotations

import re

from trigraph.lifecycle.signals import graded, plain, strongest
from trigraph.text.terms import analyse

_AUXILIARY = r"(?:do|does|did|is|are|was|were|has|have|had|wo|would|ca|could)"
_TROUBLE = graded(
    (1.0, r"\b(?:fail(?:s|ed|ing|ures?)?|hangs?|hung|hanging|stuck|stalls?|stalled|crash\w*|broke|broken"
          r"|breaks?(?= (?:down|off|again"
          r"|every))|jam(?:s|med)?|leak(?:s|ed|ing)?|froze|frozen(?= (?:since|again|at|on|for))|freez(?:es|ing)"
          r"|collapsed?|overheat\w*|spoil\w*"
          r"|ruin\w*|burnt|rotten|mouldy|moldy|rejects?|rejected|refuse[sd]?(?= to| it)|bounced|timed out"
          r"|time-?outs?|outage|malfunction\w*"
          r"|corrupt\w*|garbled|crooked|cracked|torn|ripped|scratched|flooded|trouble|went (?:wrong|missing|dark"
          r"|dead|off|down|bad|out)"
          r"|gone wrong|goes wrong|ran out|runs out|run dry|ran dry|broke down|out of order|out of service"
          r"|doesn't work|didn't work"
          r"|not working|isn't working|cut out|cuts out|dropped out|drops out|knocked out|tripped|dead(?! ?lines?)"
          r"|orphaned|starv\w+"
          r"|complain\w*|angry|furious|nuisance|mess|damag\w+|defect\w*|faulty|errors?|exception|deadlock\w*|blank"
          r"|wrecked|binned|wasted"
          r"|throw(?:n|ing)? (?:away|out)|threw (?:away|out))\b"),
    (1.0, rf"\b{_AUXILIARY}(?:n't| not| never)(?: been| be| yet| even)? (?:start|connect|open|close[d]?|finish(?:ed)?"
          r"|arrive[d]?|come"
          r"|came|go|gone|move[d]?|work(?:ed|ing)?|load(?:ed)?|print(?:ed)?|answer(?:ed|ing)?|respond(?:ed|ing)?"
          r"|turn up|show up|run"
          r"|running|update[d]?|appear(?:ed)?|reach(?:ed)?|deliver(?:ed)?|get through|through|hold|rise|risen"
          r"|sync(?:ed)?|let|release[d]?"
          r"|embedded|sent|received|there|ready|reachable|fit|match|last(?:ed)?|keep|respond|complete[d]?"
          r"|happen(?:ed)?)\b"),
    (1.0, r"\b(?:late|delayed|overdue|behind(?! (?:the|a|an|it|our|your|his|her) )|too (?:late|hot|cold|warm|dry"
          r"|wet|slow|long|short|high"
          r"|low|soft|hard|thin|thick)|missing|lost|vanished|disappeared|empty(?= again)|gone(?= again)|stale"
          r"|out of date|outdated|double"
          r" booked|double-booked|overbooked|oversold)\b"),
    (1.0, r"\bwhat(?:'s| is| has|'s) (?:up|wrong|going on|happening|the matter|happened)\b|\bwhat happened\b"
          r"|\bwhy (?:is|are|does|do|did"
          r"|was|has|have|on earth)\b|\b(?:can|could) you (?:see|find out|tell) (?:what|why)\b|\bany idea (?:what"
          r"|why)\b"),
    (0.7, r"\b(?:costs? (?:me|us)|lose|loses|losing|eats? (?:my|our|up)|(?:half|whole) (?:a |the )?(?:morning|day"
          r"|afternoon|hour|night)"
          r"|every (?:single )?time|whenever|keeps? \w+ing|once more|yet again|still (?:shows?|says?|there|the|on"
          r"|at|in|waiting|open|has|have"
          r"|is|are)|idle|waiting for|blocked|queued|killed|evicted|rebooted|cut off|interrupted|aborted"
          r"|cancelled itself|unplugged|flat|hard"
          r" as|like (?:leather|stone|rock|rubber)|off since|dry|problem|issue|warning|alarm|fault|smell(?:s|ed)?"
          r"|noise|drop(?:s|ped) to|fell"
          r" (?:to|below|out)|(?:rose|climbed|shot) to|by hand|manually|again)\b"),
    (0.4, rf"\b{_AUXILIARY}(?:n't| not)\b|\b(?:never|nobody|nothing|no)\b"),
)  # fmt: skip
_REMEDY = re.compile(
    r"\b(?:re-?(?:start|run|boot|set|try|do|send|print|load|sync|connect|plug|fill|issue|file|open)\w*|kick(?:ed)?"
    r"|terminat\w*|kill(?:ed)?"
    r"|free(?:d| it| up| that)|releas\w+|unblock\w*|unjam\w*|clear(?:ed)? (?:it|the|that|out)|clean(?:ed)? (?:it"
    r"|the|that|out)|replac\w+"
    r"|repair\w*|mend\w*|fix(?:ed|es)?|see to it|knock\w*|tap(?:ped)?|by hand|once more|(?:is|are|was|were) back"
    r"|through now|is through"
    r"|works? (?:now|again)|again|wip(?:ed|es?)|glu(?:ed|e)|clamp(?:ed)?|cleaned|loaded|swapped|tighten\w*"
    r"|called the|set (?:it|them) back"
    r"|put (?:it|them) back|back (?:in|at|on|to)|in place|is moving|(?:it|they|everything) runs?|is (?:clear|open"
    r"|up)|taken (?:off|out)"
    r"|corrected|restored|renewed|refilled|drained|patched|rolled back|order(?:ed)? (?:a|one|two|new)|unstuck"
    r"|dried|lifted)\b",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:(?:works?|working|runs?|run|running|behaves?|holds?|held|ran|printing|worked|been)(?: \w+)? (?:fine"
    r"|well|nicely|smoothly"
    r"|perfectly|properly|reliably|without|since|like a charm|great|ever since|as it should)|(?:is|are|was|were"
    r"|been|'s) (?:fine|stable|ok"
    r"|okay|quiet|solid|fixed|solved|resolved)|no (?:more )?(?:gaps?|errors?|problems?|trouble|issues?|failures?"
    r"|complaints?|incidents?"
    r"|delays?|outages?|losses|crash\w*|leaks?)|never (?:fail|hung|crash|broke|lost|stuck)\w*|not (?:a single"
    r"|one) \w+|without (?:a |any )?(?:"
    r"hitch|problem|error|trouble|fail\w*|delay|incident|issue|complaint)s?|since (?:the|you|your|that|we"
    r"|i) \w*(?: \w+)? ?(?:fix|repair"
    r"|replac|mend|chang|gave|put|swap|set|switch)\w*|behaves|(?:hasn't|haven't|didn't|doesn't"
    r"|don't) (?:\w+ )?(?:fail|hang|crash|break|come"
    r" back|happen|leak|stick|jam|lose)\w*|last (?:month|week|year|autumn|spring|summer|winter)'s|was fixed"
    r"|were fixed|(?:got|has been|have"
    r" been) (?:fixed|repaired|replaced|solved|mended))\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"(?:^|[,;:.–] |\b(?:and|but|so|that) )(?:if|when|in case|unless|whenever (?:a|an|the)|once|should (?:it|the"
    r"|a))\b(?! i\b)"
    r"|\b(?:would|could|might|may) (?:fail|break|hang|crash|be lost|be late|get|have)\b|\bso that (?:nothing|no|it)\b"
    r"|\b(?:tests?|cases?|checks?|covers?|covered|handles?) (?:for|of|when|where|in which|the case)\b|\b(?:avoids?"
    r"|prevents?|to avoid)\b",
    re.IGNORECASE,
)

_NEGATIVE = frozenset(
    """
    ache alarm annoy annoyed annoying ate awful awkward bad badly bang beep beeped beeps bent blew blocked blow
    blown blunt blurred blurry bother bounce bug bugs bump burn burned burns burst choke choked clash clashed clog
    clogged cold cracks creased crept crumbled crumpled curdled damp delay delays dent dented dim dirty disappoint
    disappointed disconnected dripped dripping drips droop drooping droops dropped drowned dull dust dusty eaten
    exhausted expired exposed faded fades faint fallen falls fed fell filthy flicker flickered flickers flood fog
    fogged foggy fold forgot forgotten frown frustrated fumes glitch glitches grumpy halt halted hanging hiccup hole
    holes horrible humid ill incomplete inconsistent infected inflated invalid irritating kaput lag lagged lags
    leaky limp loose loosened louder lumpy mangled melted misaligned mismatch misplaced missed misses moist mouse
    mud muddy nightmare noisy off orphan overflow overflowed overflowing overflows overran overslept peel peeled
    peeling peels pest plugged poor puddle puddles punctured rats rattle rattled rattles ripped rot rotting rust
    rusted rusty sad sagged sags scorched screech seized shook short shrank shrunk shut sick skewed skipped slid
    slipped slips sloppy slow slowed smashed smeared smoke smoked snapped soaked soggy sour spill spilled spills
    splashed split spoilt squeak squeaks stain stained stains stalling stiff stink stinks stopped stops strange
    stray stumbled surge swallowed swamped sweating swollen tangled tear tears tipped tired topple torn twisted ugly
    unable unavailable uneven unhappy unreachable unreadable unresponsive unstable unusable upset useless vanish
    warped waste weak weird wet wilted withered wobbles wobbly worn worse worst wreck wrinkled yellowed
    """.split()
)
_WORD = re.compile(r"[a-z']+")
GENERIC = frozenset(
    stem
    for word in (
        *_NEGATIVE,
        *"fail failing failure error errors problem problems issue issues bug fix fixed fixes fixing pass"
        " passes passing passed broken break broke wrong trouble stuck missing lost lose losing late crash"
        " crashed specific run running works working".split(),
    )
    for stem in analyse(word)
)
"""Stems of words that any trouble is told with: they say that something is wrong, not what."""
_ALL_NIGHT = re.compile(
    r"\b(?:all (?:night|day|morning|weekend)|fed up|had enough|came off|come off|comes off|come loose|came loose"
    r"|hanging out|in the bin"
    r"|the same \w+|without (?:a|an|any|the|his|her|their) \w+|as well$|third|half the|(?:phoned|called|rang"
    r"|pointed|wrote) (?:me|us|in|at)"
    r"|had (?:just |already )?(?:been |come |lost |gone |worn |run |broken |fallen |\w+ed\b))",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"\b(?:had|because|since|due to|caused|turned out|found|was|were|got|stood|stands|went|shows?|showed|reports?"
    r"|reported|says|probably"
    r"|from \d+[:.]\d+|at \d+[:.]\d+)\b",
    re.IGNORECASE,
)
NEGATIVE_WEIGHT = 0.5
NEGATIVE_TWICE = 0.8
"""One word of ill, or two of them, where no plain cue stands."""


def troubled(text: str) -> float:
    """How clearly a sentence tells of something going wrong now; 0 where it is supposed, or over."""
    said = plain(text)
    if _OVER.search(said) or _SUPPOSED.search(said):
        return 0.0
    ill = len({word for word in _WORD.findall(said.lower()) if word in _NEGATIVE})
    ill += _ALL_NIGHT.search(said) is not None
    return max(strongest(_TROUBLE, said), 0.0 if ill == 0 else NEGATIVE_WEIGHT if ill == 1 else NEGATIVE_TWICE)


def explains(text: str) -> bool:
    """Whether an answer tells how something came about."""
    return _EXPLAINS.search(plain(text)) is not None


def is_over(text: str) -> bool:
    """Whether a sentence tells that something works, or works again."""
    return _OVER.search(plain(text)) is not None


def remedies(text: str) -> bool:
    """Whether a sentence asks for, or tells of, something being set right."""
    return _REMEDY.search(plain(text)) is not None
