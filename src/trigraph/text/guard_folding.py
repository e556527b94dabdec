"""Disguises undone: the ways in which a text may be read that are not the way in which it is written.

Invisible letters are taken out or made visible, look-alike and spaced-out letters are put back, and what is encoded
(base64, hexadecimal, percent signs, entities, rot13, digits for letters, backwards) is read as well.
"""

# ruff: noqa: E501
from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote_plus

HEAD_CHARS = 20_000
TAIL_CHARS = 5_000
"""Of a long text the beginning and the end are read."""
ENCODED_LIMIT = 20
"""So many encoded strings of a text are looked into."""
_WIDE_SHARE = 0.7

_JOINED = (
    r"\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
    r"\u2190-\u2bff\u3030\ufe0f\u20e3\U0001f000-\U0001faff"
)
# A black flag with three to six tags and an end tag is the flag of a region.
_FLAG = r"\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
_TAGS = re.compile(rf"{_FLAG}|([\U000e0000-\U000e007f]+)")
_INVISIBLE = re.compile(
    rf"(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"
    rf"|(?<=\U0001f3f4)(?!(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{{3,6}}\U000e007f)"
    rf"[\U000e0000-\U000e007f]+"
    r"|[\U000e0100-\U000e01ef\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f\ufeff\ud800-\udfff\u200b\u2060-\u2064]"
    rf"|(?<![{_JOINED}])[\u200c\u200d]|[\u200c\u200d](?![{_JOINED}])"
)
_ALSO_INVISIBLE = re.compile(r"[\u00ad\u034f\u061c\u180e\u200e\u200f]")
_ZERO_WIDTH_RUN = re.compile(r"[\u200b-\u200d\u2060-\u2064\ufeff]{8,}")
_SPLIT_LETTERS = re.compile(r"(?:[A-Za-z ][\u00ad\u200b-\u200d\u2060-\u2064\ufeff]){5}")
_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝьвкмнтАВЕКМНОРСТУХІЈЅαοερνικτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧɡɑıℓ",
    "aeopcyxijshdqwbbkmhtABEKMHOPCTYXIJSaoepviktuxABEZHIKMNOPTYXgail",
)
_MIXED_WORD = re.compile(r"\b(?=\w{0,40}[A-Za-z])(?=\w{0,40}[\u0370-\u03ff\u0400-\u04ff\u0500-\u052f])\w{2,}\b")
_SPACED = re.compile(r"(?<![^\W_])[^\W_]([ .\-_*·|])(?:[^\W_]\1)+[^\W_](?![^\W_])")
_SPACED_CHARS = 11

_ENCODED = re.compile(r"(?<![A-Za-z0-9+/_=-])([A-Za-z0-9+/_-]{20,}={0,2})(?![A-Za-z0-9+/=])")
_HEX = re.compile(r"(?:\\x[0-9a-fA-F]{2}|\b[0-9a-fA-F]{2}[ :]){10,}|\b(?:[0-9a-fA-F]{2}){12,}\b")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\+)")
_ENTITY = re.compile(r"&(?:#x?[0-9a-fA-F]{2,6}|[a-z]{2,6});")
_LEET = str.maketrans("0134579@$", "oieastgas")
_LEET_WORD = re.compile(
    r"(?<![\w@$])(?=[a-z0-9@$]{0,20}[a-z])(?=[a-z0-9@$]{0,20}[0134579@$])[a-z0-9@$]{2,20}(?![\w@$])"
)
_COMMON = frozenset(
    "the and you your all any this that with from not are for was who what when tell user send about ignore"
    " instructions password previous them then every never always without notes say safe system prompt reply memory key delete".split()
)
_WORD = re.compile(r"[a-z]{3,}")


@dataclass(frozen=True, slots=True)
class View:
    """One way to read a text, in small letters: where each letter stood, and whether it had to be decoded first."""

    text: str
    places: tuple[int, ...] | None
    encoded: bool
    disguised: bool = False

    def place(self, index: int) -> int:
        """Where in the text as written the letter `index` stands; for what was decoded, where it begins."""
        return index if self.places is None else self.places[min(index, len(self.places) - 1)]


def without_hidden(text: str) -> str:
    """The text without what nobody sees; joiners stay inside emoji and in scripts that are written with them."""
    return _INVISIBLE.sub("", text)


def smuggled(text: str) -> str | None:
    """The name of a disguise that no honest text wears, if the text wears one."""
    for match in _TAGS.finditer(text):
        if match.group(1) and sum(chr(ord(tag) - 0xE0000).isalnum() for tag in match.group(1)) >= 4:
            return "hidden_text"
    if _ZERO_WIDTH_RUN.search(text) or _SPLIT_LETTERS.search(text):
        return "hidden_text"
    if not text.isascii() and sum(len(match.group()) >= 4 for match in _MIXED_WORD.finditer(text)) >= 2:
        return "homoglyph"
    return None


def shortened(text: str) -> str:
    """What of a text is read."""
    if len(text) <= HEAD_CHARS + TAIL_CHARS:
        return text
    return text[:HEAD_CHARS] + "\n" + text[-TAIL_CHARS:]


def views(text: str) -> Iterator[View]:
    """Every way to read `text`, the plain one first."""
    plain = _plain(text)
    yield plain
    start = (0,)
    for read in (*_payloads(text), *_turned(plain.text)):
        yield View(read.lower(), start, True)


def _plain(text: str) -> View:
    mixed = [] if text.isascii() else list(_MIXED_WORD.finditer(text))
    spaced = [match.span() for match in _SPACED.finditer(text)]
    if all(end - begin < _SPACED_CHARS for begin, end in spaced):
        spaced = []
    if text.isascii() and not spaced:
        return View(text.lower(), None, False)
    letters = list(text)
    for match in mixed:
        letters[match.start() : match.end()] = match.group().translate(_LOOK_ALIKES)
    for match in _TAGS.finditer(text):
        if match.group(1):
            shown = [chr(ord(tag) - 0xE0000) for tag in match.group(1)]
            letters[match.start() : match.end()] = [letter if letter.isprintable() else "" for letter in shown]
            letters[match.start()] = ". " + letters[match.start()]
    for match in _INVISIBLE.finditer(text):
        if not _TAGS.match(match.group()):
            letters[match.start() : match.end()] = [""] * (match.end() - match.start())
    for match in _ALSO_INVISIBLE.finditer(text):
        letters[match.start()] = ""
    for begin, end in spaced:
        letters[begin:end] = ["" if (place - begin) % 2 else text[place] for place in range(begin, end)]
    out: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(letters):
        small = letter.lower() if letter.isascii() else unicodedata.normalize("NFKC", letter).lower()
        out.append("'" if small == "’" else small)
        places += [place] * len(small)
    disguised = bool(spaced) or len(mixed) > 1
    return View("".join(out), (*places, len(text)), False, disguised)


def _payloads(text: str) -> Iterator[str]:
    """What encoded strings say, if it is text."""
    for count, match in enumerate(_ENCODED.finditer(text)):
        if count >= ENCODED_LIMIT:
            break
        packed = match.group(1).rstrip("=").translate(str.maketrans("-_", "+/"))
        try:
            unpacked = base64.b64decode(packed[:8000] + "=" * (-len(packed[:8000]) % 4))
        except (binascii.Error, ValueError):
            continue
        yield from _told(unpacked)
    for count, match in enumerate(_HEX.finditer(text)):
        if count >= ENCODED_LIMIT:
            break
        digits = re.sub(r"\\x|[^0-9a-fA-F]", "", match.group())[:8000]
        yield from _told(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    if len(_PERCENT.findall(text)) >= 4:
        unquoted = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code.group(1), 16)), unquote_plus(text))
        if unquoted != text:
            yield unquoted.encode("utf-8", "ignore").decode("utf-8")
    if len(_ENTITY.findall(text)) >= 4:
        yield html.unescape(text)


def _told(read: bytes) -> Iterator[str]:
    text = read.decode("utf-8", "ignore")
    if len(text) < 0.9 * len(read) or " " not in text:
        return
    if sum(letter.isalpha() or letter == " " for letter in text) >= _WIDE_SHARE * len(text):
        yield text


def _turned(small: str) -> Iterator[str]:
    """The text turned round, shifted by thirteen letters, or with letters for digits, if that makes words of it."""
    as_it_is = _common(small)
    for read in (codecs.encode(small, "rot13"), small[::-1]):
        if _common(read) >= 3 and _common(read) > as_it_is / 3:
            yield read
    if len(_LEET_WORD.findall(small)) >= 3:
        yield _LEET_WORD.sub(lambda word: word.group().translate(_LEET), small)


def _common(small: str) -> int:
    return len(_COMMON.intersection(_WORD.findall(small)))
