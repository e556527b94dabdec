"""The words by which English states a relation: each phrase with its type and its direction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trigraph.model.relation import RelationType

R = RelationType


@dataclass(frozen=True, slots=True)
class Phrase:
    """A verb phrase. `reversed` when its subject is the target; `plural` when only a plural subject takes it."""

    words: tuple[str, ...]
    type: RelationType
    reversed: bool = False
    plural: bool = False


# singular of the present | plural of the present. A state's past tense says that it ended, or may have: left out.
_STATES = {
    R.USES: "uses|use, utilizes|utilize, makes use of|make use of, is using|are using",
    R.DEPENDS_ON: (
        "depends on|depend on, depends upon|depend upon, relies on|rely on, relies upon|rely upon, "
        "is dependent on|are dependent on, hinges on|hinge on, is contingent on|are contingent on"
    ),
    R.NEEDS: "needs|need, requires|require, is in need of|are in need of",
    R.OWNS: "owns|own, is the owner of|are the owners of",
    R.EXTENDS: (
        "extends|extend, inherits from|inherit from, subclasses|subclass, derives from|derive from, "
        "is derived from|are derived from, is a subclass of|are subclasses of, "
        "is an extension of|are extensions of"
    ),
    R.IMPLEMENTS: "implements|implement, is an implementation of|are implementations of",
    R.SUPERSEDES: (
        "supersedes|supersede, replaces|replace, obsoletes|obsolete, has replaced|have replaced, "
        "has superseded|have superseded, is the successor of|are the successors of, is the successor to|, "
        "takes the place of|take the place of, displaces|displace, is a replacement for|are replacements for, "
        "is the replacement for|are the replacements for"
    ),
    R.RELATES_TO: (
        "relates to|relate to, is related to|are related to, is associated with|are associated with, "
        "is linked to|are linked to, is tied to|are tied to, is connected with|are connected with, "
        "pertains to|pertain to, has to do with|have to do with"
    ),
    R.PART_OF: (
        "is part of|are part of, is a part of|are parts of, is a component of|are components of, "
        "is a module of|are modules of, is a subsystem of|are subsystems of, forms part of|form part of, "
        "is a section of|are sections of, is a chapter of|are chapters of, is a feature of|are features of, "
        "is included in|are included in, is contained in|are contained in, is built into|are built into, "
        "belongs to|belong to"
    ),
    R.WORKS_ON: (
        "works on|work on, is working on|are working on, contributes to|contribute to, maintains|maintain, "
        "is contributing to|are contributing to, is a maintainer of|are maintainers of, is the maintainer of|, "
        "is a contributor to|are contributors to, is building|are building, is writing|are writing, "
        "is developing|are developing, is designing|are designing, is redesigning|are redesigning, "
        "is refactoring|are refactoring, is rebuilding|are rebuilding, is restoring|are restoring"
    ),
    R.MEMBER_OF: (
        "is a member of|are members of, works at|work at, works for|work for, is employed at|are employed at, "
        "is employed by|are employed by, has joined|have joined, is on|are on, plays in|play in, "
        "plays for|play for, sings in|sing in, serves on|serve on"
    ),
    R.LOCATED_IN: (
        "lives in|live in, resides in|reside in, sits in|sit in, sits on|sit on, is in|are in, "
        "is inside|are inside, is at|are at, hangs in|hang in, hangs on|hang on, can be found in|, "
        "can be found at|"
    ),
    R.PREFERS: "prefers|prefer, favors|favor, favours|favour",
    R.INTERESTED_IN: (
        "is interested in|are interested in, is fascinated by|are fascinated by, is into|are into, "
        "is curious about|are curious about, is passionate about|are passionate about, "
        "is enthusiastic about|are enthusiastic about, is keen on|are keen on, "
        "has an interest in|have an interest in, takes an interest in|take an interest in"
    ),
    R.CAUSES: (
        "causes|cause, leads to|lead to, results in|result in, triggers|trigger, is the cause of|, "
        "brings about|bring about, is causing|are causing, gives rise to|give rise to, "
        "is to blame for|are to blame for"
    ),
    R.FIXES: (
        "fixes|fix, resolves|resolve, solves|solve, repairs|repair, remedies|remedy, corrects|correct, "
        "closes|close, eliminates|eliminate, addresses|address"
    ),
    R.BLOCKS: (
        "blocks|block, is blocking|are blocking, holds up|hold up, is holding up|are holding up, "
        "is a blocker for|are blockers for"
    ),
    R.REFERENCES: "references|reference, refers to|refer to, cites|cite, links to|link to",
}
# The past of what, once done, stands.
_EVENTS = {
    R.CAUSES: (
        "caused, led to, resulted in, triggered, brought about, sparked, gave rise to, was the cause of, "
        "were the cause of"
    ),
    R.FIXES: (
        "fixed, resolved, solved, repaired, remedied, corrected, closed, eliminated, has fixed, have fixed, "
        "has resolved, have resolved"
    ),
    R.SUPERSEDES: "superseded, obsoleted, took the place of, displaced",
    R.MEMBER_OF: "joined",
}
_REVERSED_STATES = {
    R.PART_OF: (
        "consists of|consist of, comprises|comprise, is composed of|are composed of, includes|, "
        "is made up of|are made up of, is comprised of|are comprised of"
    ),
    R.CREATED_BY: (
        "is the author of|are the authors of, is the creator of|are the creators of, "
        "is the designer of|are the designers of, is the founder of|are the founders of"
    ),
    R.CAUSES: (
        "results from|result from, stems from|stem from, is the result of|are the result of, is due to|are due to"
    ),
}
_REVERSED_EVENTS = {
    R.CREATED_BY: (
        "created, built, wrote, designed, developed, authored, invented, founded, drafted, painted, composed, "
        "coded, has written, has built, has created, has designed, has developed"
    ),
    R.CAUSES: "resulted from, was due to, were due to, was the result of, were the result of",
}
# Participles before `by`: of states with `is`, of events with the past and the perfect as well.
_PASSIVE_STATES = {
    R.USES: "used",
    R.NEEDS: "needed required",
    R.OWNS: "owned",
    R.IMPLEMENTS: "implemented",
    R.EXTENDS: "extended",
    R.WORKS_ON: "maintained",
    R.BLOCKS: "blocked",
    R.REFERENCES: "referenced cited",
    R.PREFERS: "preferred",
}
_PASSIVE_EVENTS = {
    R.CREATED_BY: (
        "created written built designed developed authored invented founded drafted painted composed coded made "
        "drawn assembled"
    ),
    R.CAUSES: "caused triggered sparked",
    R.FIXES: "fixed resolved solved repaired",
    R.SUPERSEDES: "superseded replaced obsoleted displaced succeeded",
}
_PLACED = (
    "located situated based stored kept housed parked installed hosted deployed "
    "stationed headquartered mounted placed docked moored displayed"
).split()


def _phrases() -> Iterator[Phrase]:
    for table, backwards in ((_STATES, False), (_REVERSED_STATES, True)):
        for type_, told in table.items():
            for both in told.split(", "):
                singular, plural = both.split("|")
                yield Phrase(tuple(singular.split()), type_, backwards)
                if plural:
                    yield Phrase(tuple(plural.split()), type_, backwards, plural=True)
    for table, backwards in ((_EVENTS, False), (_REVERSED_EVENTS, True)):
        for type_, told in table.items():
            yield from (Phrase(tuple(one.split()), type_, backwards) for one in told.split(", "))
    for table, forms in (
        (_PASSIVE_STATES, ("is", "are")),
        (_PASSIVE_EVENTS, ("is", "are", "was", "were", "has been", "have been")),
    ):
        for type_, told in table.items():
            # `X was created by Y` is the direction of CREATED_BY itself; other passives are the other way round.
            backwards = type_ is not R.CREATED_BY
            for participle in told.split():
                yield from (Phrase((*be.split(), participle, "by"), type_, backwards) for be in forms)
    for placed in _PLACED:
        for where in (
            ("in", "at", "inside") if placed in ("hosted", "deployed", "based") else ("in", "at", "on", "inside")
        ):
            yield from (Phrase((be, placed, where), R.LOCATED_IN) for be in ("is", "are"))
    for held in (("blocked", "on"), ("held", "up", "by")):
        yield from (Phrase((be, *held), R.BLOCKS, True) for be in ("is", "are"))
    yield from (Phrase((be, "referenced", "in"), R.REFERENCES, True) for be in ("is", "are"))


BY_FIRST_WORD: dict[str, list[Phrase]] = {}
"""Phrases by their first word, the longest first."""
for _phrase in sorted(_phrases(), key=lambda one: -len(one.words)):
    BY_FIRST_WORD.setdefault(_phrase.words[0], []).append(_phrase)

AUXILIARIES = frozenset(
    """
    is are was were be been being am has have had having do does did done will would shall should can could may might
    must ought cannot won't can't isn't aren't wasn't weren't doesn't don't didn't hasn't haven't hadn't wouldn't
    shouldn't couldn't mustn't mightn't it's that's there's he's she's we're they're you're i'm we've i've
    """.split()
)
# Forms that are verbs far more often than nouns: a phrase that holds one is no name.
_COMMON_VERBS = frozenset(
    """
    adds added agrees agreed allows allowed appears appeared asks asked became becomes began begins believes
    believed bought breaks broke brings brought calls called came chose chooses comes considered considers contains
    contained decided decides dropped drops ended ends expects expected explains explained failed fails feels felt
    finds finished finishes forgot found gave gets gives goes got grew grows handles happened happens hears heard
    helps helped hopes hoped hosts keeps kept knew knows learned learns leaves liked likes listens lives looked
    looks lost loved loves made makes manages meant means meets mentioned mentions met moved moves noticed offers
    offered opened opens ordered paid passed passes pays performs planned plays played prevented prevents produces
    provides provided puts reads received receives recommended recommends remains remembers removed removes reported
    reviewed reviews runs ran said sang sat saw says seemed seems sees sells sends sent serves served shipped ships
    showed shows sleeps sold speaks spent spoke stands started starts stays stayed stopped stops stood stores
    suggested suggests supports supported takes taught talked talks teaches tells thinks thought threw told took
    travels tried tries turned turns understood visited visits waited waits walked walks wanted wants watched
    watches wears went wins wished wishes woke won wore works worked worries writes needs uses depends relies
    requires owns extends inherits implements supersedes replaces relates belongs consists comprises includes
    prefers causes leads fixes blocks refers cites contributes maintains utilizes resolves solves wrote built
    contain provide become allow ensure enable receive happen remain exist occur appear acknowledges enjoys enjoyed
    introduces introduced creates cares hates misses
    """.split()
)
BASE_VERBS = frozenset(phrase.words[0] for phrase in _phrases() if phrase.plural) - AUXILIARIES
VERBS = _COMMON_VERBS | (frozenset(BY_FIRST_WORD) - BASE_VERBS - AUXILIARIES)
"""Words that end a noun phrase."""
