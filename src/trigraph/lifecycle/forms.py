"""The forms of a name by which it is compared: what spelling, case, titles and legal endings hide is the same."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from trigraph.model.memory import EntityType

BLOCK_LEAST_CHARS = 3
PREFIX_CHARS = 4
ACRONYM_CHARS = range(2, 9)
NUMERONYM_LEAST_CHARS = 4

_SIGNS = (("&", " and "), ("+", " plus "), ("’", "'"))
_TRAILING_SHARP = re.compile(r"(?<=\w)#(?=\s|$)")
_LEADING_DOT = re.compile(r"(?:^|(?<=\s))\.(?=[^\W\d])")
_POSSESSIVE = re.compile(r"'s?(?=\s|$)")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"\d++(?:\.\d++)*|[^\W\d_]++")
_LATIN_MARKS = re.compile(r"[\u0300-\u036f]")
_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "æ": "ae", "œ": "oe"})
_RUN = re.compile(r"(.)\1+")

ARTICLES = frozenset(("the", "a", "an"))
SMALL_WORDS = frozenset("a an and at by de di for from in la le of on or the to und van von with".split())
_TITLES = frozenset("dr mr mrs ms miss prof professor sir dame mx".split())
_LEGAL = frozenset(
    "ab ag bv co corp corporation gmbh inc incorporated kg kk limited llc llp lp ltd nv oy plc pte pty sa sarl sas se "
    "spa srl".split()
)
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
_VERSION_WORDS = frozenset(("v", "version", "ver"))
_ABBREVIATED = {
    "admin": "administrator", "app": "application", "ave": "avenue", "config": "configuration", "db": "database",
    "dept": "department", "dev": "development", "dir": "directory", "doc": "document", "env": "environment",
    "govt": "government", "info": "information", "intl": "international", "lab": "laboratory", "lib": "library",
    "mgmt": "management", "mgr": "manager", "msg": "message", "org": "organization", "perf": "performance",
    "prod": "production", "repo": "repository", "ref": "reference", "spec": "specification", "stats": "statistics",
    "svc": "service", "sync": "synchronization", "temp": "temporary", "mt": "mount", "univ": "university",
}  # fmt: skip
_BRITISH = {"centre": "center", "colour": "color", "organisation": "organization", "theatre": "theater"}


@dataclass(frozen=True, slots=True)
class Form:
    """A name taken apart. `words` are folded, `cased` are the same words as written, `key` is what remains when
    plural and usual abbreviations are undone as well; `compact` is `words` without spaces."""

    surface: str
    words: tuple[str, ...]
    cased: tuple[str, ...]
    key: str
    compact: str
    numbers: tuple[str, ...]

    @property
    def is_plain_word(self) -> bool:
        """One ordinary word or first name: nothing in its form says which thing is meant."""
        return len(self.words) == 1 and self.words[0].isalpha() and not self.surface.isupper()

    @property
    def is_common(self) -> bool:
        """A common noun: no capital, no digit, nothing that an identifier has."""
        return self.surface.islower() and all(char.isalpha() or char == " " for char in self.surface)

    @property
    def looks_like_acronym(self) -> bool:
        """Few letters, written together, mostly capitals."""
        letters = [char for char in self.surface if char.isalpha()]
        capitals = sum(char.isupper() for char in letters)
        written_together = " " not in self.surface and "-" not in self.surface and "_" not in self.surface
        return (
            len(self.compact) in ACRONYM_CHARS
            and written_together
            and capitals >= min(max(2, len(letters) - 2), len(letters)) > 0
        )


@lru_cache(maxsize=4096)
def form_of(name: str, type_: EntityType = EntityType.UNKNOWN) -> Form:
    """The forms of a name of something of this type."""
    surface = " ".join(_plain(name).split())
    if type_ is EntityType.PERSON and surface.count(",") == 1:
        surface = " ".join(part.strip() for part in reversed(surface.split(",")))
    written = _without_ends(_WORD.findall(surface.replace("'", "")), type_)
    cased = _without_ends([part for word in written for part in _CAMEL.split(word)], type_)
    words = [_folded(word, place) for place, word in enumerate(cased)]
    kept = [place for place, word in enumerate(words) if not _introduces_number(words, place)]
    words, cased = [words[place] for place in kept], [cased[place] for place in kept]
    numbers = tuple(word for word in words if word[0].isdigit())
    key = [_BRITISH.get(word, _ABBREVIATED.get(word, word)) for word in words]
    if key and type_ is not EntityType.PERSON and (len(key) > 1 or cased[-1].islower()):
        key = [_singular(word) for word in key]
    return Form(surface, tuple(words), tuple(cased), "".join(key), "".join(words), numbers)


def initials_of(form: Form) -> frozenset[str]:
    """The acronyms that people form of a name: with and without its small words, runs counted (`W3C`)."""
    if len(form.words) < 2:
        return frozenset()
    every = "".join(word[0] for word in form.words)
    large = "".join(word[0] for word in form.words if word not in SMALL_WORDS)
    plain = {one for one in (every, large) if len(one) in ACRONYM_CHARS}
    return frozenset(plain | {_RUN.sub(lambda run: f"{run[1]}{len(run[0])}", one) for one in plain})


def numeronym_of(form: Form) -> str | None:
    """`k8s` of a long word."""
    word = form.compact
    return f"{word[0]}{len(word) - 2}{word[-1]}" if len(word) >= NUMERONYM_LEAST_CHARS and word.isalpha() else None


def blocks(name: str) -> frozenset[str]:
    """Keys by which names that may mean the same are looked up: those that match by rule nearly always share one."""
    form = form_of(name)
    if not form.compact:
        return frozenset((name.strip().casefold(),))
    words = {_singular(word) for word in form.words if len(word) >= BLOCK_LEAST_CHARS}
    written = {_singular(word) for word in form.surface.casefold().split() if len(word) >= BLOCK_LEAST_CHARS}
    keys = {form.compact, form.key, f"^{form.compact[:PREFIX_CHARS]}"} | words | written | initials_of(form)
    if numeronym := numeronym_of(form):
        keys.add(numeronym)
    return frozenset(keys)


def _plain(name: str) -> str:
    """Composed, without accents and possessive; signs that tell names apart (`C++`, `.NET`) as words."""
    text = unicodedata.normalize("NFKC", name).strip()
    text = _LEADING_DOT.sub("dot ", _TRAILING_SHARP.sub(" sharp", text))
    for sign, word in _SIGNS:
        text = text.replace(sign, word)
    text = _POSSESSIVE.sub("", text)
    if text.isascii():
        return text
    return _LATIN_MARKS.sub("", unicodedata.normalize("NFKD", text).translate(_LETTERS))


def _without_ends(words: list[str], type_: EntityType) -> list[str]:
    """Without article, title and legal ending, as long as something remains."""
    while len(words) > 1 and words[0].casefold() in ARTICLES:
        words = words[1:]
    if type_ in (EntityType.PERSON, EntityType.UNKNOWN):
        while len(words) > 1 and words[0].casefold() in _TITLES:
            words = words[1:]
    if type_ in (EntityType.ORGANIZATION, EntityType.UNKNOWN):
        while len(words) > 1 and words[-1].casefold() in _LEGAL and words[-1][0].isupper():
            words = words[:-1]
    return words


def _folded(word: str, place: int) -> str:
    if word[0].isdigit():
        return ".".join(part.lstrip("0") or "0" for part in word.split("."))
    folded = word.casefold()
    return _ROMAN.get(folded, folded) if place else folded


def _introduces_number(words: list[str], place: int) -> bool:
    """`v2` is `2`."""
    following = words[place + 1 : place + 2]
    return words[place] in _VERSION_WORDS and bool(following) and following[0][0].isdigit()


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
