"""English words of closed classes: what cannot stand in a name, and what names nothing."""

from __future__ import annotations

DETERMINERS = frozenset("the a an my our".split())
UNKNOWN_OWNERS = frozenset("his her their its your this that these those whose".split())
QUANTIFIERS = frozenset(
    """
    all any both each either every few fewer half less many more most much neither no none several some such enough
    another other others same similar various certain following different
    """.split()
)
PRONOUNS = frozenset(
    """
    i you he she it we they me him us them myself yourself himself herself itself ourselves themselves mine yours
    hers ours theirs who whom which what whatever whoever one ones someone somebody something anyone anybody
    anything everyone everybody everything nobody nothing there here where when why how
    """.split()
)
SMALL = frozenset(
    """
    and or but nor so yet for of in on at by to from with without within over under above below between among during
    since until till after before about against along around as because although though while whereas if unless
    whether using including regarding concerning according being having named called running than then into onto off
    out up down through via per despite except like unlike toward towards upon behind beside besides beyond near not
    never always just too also very quite rather almost nearly barely rarely hardly seldom sometimes instead else
    ever even again ago already yet
    """.split()
)
TIMES = frozenset(
    """
    today yesterday tomorrow tonight now later soon currently recently lately last next previous monday tuesday
    wednesday thursday friday saturday sunday january february april june july august september october november
    december everywhere somewhere daily twice once
    """.split()
)
VAGUE = frozenset(
    """
    thing things stuff lot lots kind sort bit way ways reason reasons fact facts idea ideas case time times day days
    people person man woman guy something rest same latter former following example examples part parts side
    new old big small large good bad high low great long short own best better full free ready available important
    possible common main first second third existing current general further
    """.split()
)
LY_NOUNS = frozenset("anomaly ally assembly belly bully butterfly family jelly monopoly rally reply supply".split())
ING_NOUNS = frozenset(
    "bearing building ceiling drawing fitting heading listing meeting opening painting ring rating recording setting "
    "spring string training warning wedding".split()
)
