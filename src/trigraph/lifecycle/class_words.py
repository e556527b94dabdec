"""Words that say what a thing is, who made it, or end its name: general knowledge, no names of any project."""

from __future__ import annotations

from trigraph.model.memory import EntityType

CLASS_NOUNS: dict[str, tuple[EntityType, ...]] = {
    **dict.fromkeys(
        "car truck van bike bicycle motorcycle tractor pickup vehicle boat suv".split(), (EntityType.VEHICLE,)
    ),
    **dict.fromkeys("house office building city town village shop site".split(), (EntityType.LOCATION,)),
    **dict.fromkeys(
        "system service server app application platform cluster".split(), (EntityType.SYSTEM, EntityType.PROJECT)
    ),
    **dict.fromkeys("tool library framework package editor database".split(), (EntityType.TOOL, EntityType.SYSTEM)),
    **dict.fromkeys("doc document spec report book guide".split(), (EntityType.DOCUMENT,)),
    **dict.fromkeys("company team organization firm agency".split(), (EntityType.ORGANIZATION,)),
    **dict.fromkeys("project program initiative".split(), (EntityType.PROJECT,)),
}
"""Words that say what a thing is, not which one."""

MAKERS = frozenset(
    """
    adobe amazon apache apple atlassian audi aws bmw bosch canon chevrolet cisco citroen dell dodge fiat ford github
    gnu google hashicorp honda hp hyundai ibm intel jetbrains kia lenovo mazda mercedes microsoft mozilla nikon nissan
    nvidia oracle peugeot philips porsche renault samsung siemens skoda sony subaru suzuki tesla toyota volkswagen volvo
    """.split()
)
"""Makers that people leave out before the name of what they make."""

GROWN_ENDINGS = ("js", "lang", "sql", "db")
"""Endings that people leave out of the name of a language, a library or a database, written together with it."""

SITE_ENDINGS = ("com", "io", "ai", "org", "net", "dev")
"""Endings that people leave out of a name, set off from it by a dot."""

CLASSES_OF_FIRMS = frozenset("company firm agency group".split())
