"""What a document's text declares of other documents: in its front matter, under its headings, in its status.

Markdown is read by a parser: code, quotations and comments declare nothing; lists, tables and links count.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urlsplit

from trigraph.model.document import Reference, Target
from trigraph.model.relation import RelationType

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

REFERENCES_MOST = 1000
"""So many references of one document are kept."""
TARGETS_MOST = 10_000
"""So many targets are looked at, in one paragraph and in all: a range of ids is short to write."""
BODY_MOST = 1_000_000
INLINE_MOST = 100_000
"""So many characters of a document are read for what it declares, and so many of its sections are looked into."""
RANGE_MOST = 100
"""A range of ids wider than this names its ends only."""

R = RelationType
_Rule = tuple[RelationType, bool]  # the type, and whether it is said of the other end

_HEADINGS: dict[str, _Rule] = {
    "references": (R.REFERENCES, False),
    "reference": (R.REFERENCES, False),
    "related": (R.REFERENCES, False),
    "related documents": (R.REFERENCES, False),
    "related specs": (R.REFERENCES, False),
    "related adrs": (R.REFERENCES, False),
    "related decisions": (R.REFERENCES, False),
    "implements": (R.IMPLEMENTS, False),
    "depends on": (R.DEPENDS_ON, False),
    "extends": (R.EXTENDS, False),
    "supersedes": (R.SUPERSEDES, False),
    "complements": (R.RELATES_TO, False),
    "informs": (R.RELATES_TO, False),
}
_RELATIONSHIPS = "relationships"
_STATUS = "status"

_KEYS: dict[str, _Rule] = {
    "requires": (R.DEPENDS_ON, False),
    "depends on": (R.DEPENDS_ON, False),
    "replaces": (R.SUPERSEDES, False),
    "supersedes": (R.SUPERSEDES, False),
    "obsoletes": (R.SUPERSEDES, False),
    "superseded by": (R.SUPERSEDES, True),
    "replaced by": (R.SUPERSEDES, True),
    "obsoleted by": (R.SUPERSEDES, True),
    "see also": (R.REFERENCES, False),
    "related": (R.REFERENCES, False),
    "references": (R.REFERENCES, False),
    "updates": (R.EXTENDS, False),
    "amends": (R.EXTENDS, False),
    "extends": (R.EXTENDS, False),
    "updated by": (R.EXTENDS, True),
    "amended by": (R.EXTENDS, True),
    "implements": (R.IMPLEMENTS, False),
}

# Verbs of a bullet or a subsection under Relationships, and of a status. The passive is said of the other end.
_VERBS: tuple[tuple[str, _Rule], ...] = (
    (r"super[sc]eded|replaced(?=\s+by)|obsoleted(?=\s+by)", (R.SUPERSEDES, True)),
    (r"super[sc]ed(?:es?|ing)|replac(?:es?|ing)|obsoletes?", (R.SUPERSEDES, False)),
    (r"amended(?=\s+by)|extended(?=\s+by)|updated(?=\s+by)", (R.EXTENDS, True)),
    (r"amend(?:s|ing)?|extend(?:s|ing)?|updates|builds?\s+(?:up)?on", (R.EXTENDS, False)),
    (r"implemented(?=\s+by)", (R.IMPLEMENTS, True)),
    (r"implements?|implementing", (R.IMPLEMENTS, False)),
    (r"required\s+by|depended\s+on\s+by|needed\s+by", (R.DEPENDS_ON, True)),
    (r"depends?[\s-]+(?:up)?on|requires?|needs", (R.DEPENDS_ON, False)),
    (r"referenced\s+by|cited\s+by", (R.REFERENCES, True)),
    (r"references?|refers\s+to|cites|see(?:\s+also)?|related|relates\s+to\s+see", (R.REFERENCES, False)),
    (r"complements?|complemented\s+by|informs?|informed\s+by|relates\s+to", (R.RELATES_TO, False)),
)
_VERB = re.compile("|".join(rf"(?P<v{number}>\b(?:{verb})\b)" for number, (verb, _) in enumerate(_VERBS)), re.I)
_STATUS_TYPES = (R.SUPERSEDES, R.EXTENDS)
_DENIED = re.compile(r"\b(?:not|never)\s(?:(?:yet|been|be)\s){0,2}$", re.I)
_SENTENCE_END = re.compile(r"[.;!?](?=\s|$)")
_KEY_LINE = re.compile(r"^[ \t]*([A-Za-z][\w \t-]{0,40}?)[ \t]*:[ \t]*(.*)$")
_LISTED = re.compile(r"\s?/\s?(?:(?P<family>[A-Za-z]+)[-#\s]{0,2})?(\d{1,6})(?![\w-])")
_PADDED = re.compile(r"(?:,\s?|,?\s(?:and|&)\s)(\d{3,6})(?![\w.%-])")
_RANGED = re.compile(r"\s?(?:–|—|\.{2,3}|\s(?:to|through)\s)\s?(?:(?P<family>[A-Za-z]+)[-#\s]{0,2})?(\d{1,6})(?![\w])")
_SITE_PATH = re.compile(r"/([A-Za-z]+)[-/]?0*(\d{1,6})(?:[-_][\w-]*)?(?:/|\.md|\.markdown|\.html)?$")
_MARKDOWN_LINK = re.compile(r"\[([^\[\]]{0,300})\]\(([^()\s]{1,1000})\)")
_BARE_LINK = re.compile(r"https?://[^\s<>()\[\]]{1,1000}|[^\s<>()\[\],;\"']{1,300}\.(?:md|markdown|mdx)\b", re.I)
_BARE_NUMBER = re.compile(r"#?(\d{1,6})")
_ITEM = re.compile(r"[^,;]+")
_DOCUMENT_FILE = re.compile(r"\.(?:md|markdown|mdx)$", re.I)


@cache
def _parser() -> MarkdownIt:
    """Imported when a document is read: most commands read none."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")


def key_name(text: str) -> str:
    """A key or a heading as it is compared: folded, without numbering, punctuation and trailing colon."""
    plain = re.sub(r"^\d{1,3}(?:\.\d{1,3})*[.)]?\s+", "", text.strip())
    return " ".join(re.sub(r"[\s_-]+", " ", plain.strip(" \t*_:#`")).casefold().split())


class Reader:
    """Finds references in the texts of one document: `own` is its family, `path` where its file stands."""

    def __init__(self, families: Sequence[str], own: str | None = None, path: str | None = None) -> None:
        self._own = own
        self._folder = posixpath.dirname(path) if path else ""
        known = sorted({family.upper() for family in (*families, *([own] if own else []))}, key=len, reverse=True)
        names = "|".join(re.escape(family) for family in known)
        self._families = frozenset(known)
        self._token = re.compile(
            rf"(?<![\w/-])(?:(?P<exact>{names})(?:-|\s?#\s?|\s)?|(?i:(?P<folded>{names}))(?:-|\s?#))"
            r"(?P<number>\d{1,6})(?!\w|\.\d)"
        )

    def of_front_matter(self, values: Sequence[tuple[str, str]]) -> Iterator[Reference]:
        """References of keys with their values, a list's items one by one."""
        for key, value in values:
            name = key_name(key)
            if name in _KEYS:
                yield from self._made(_KEYS[name], self.named_in_value(value), f"front matter: {key.strip()}")
            elif name == _STATUS:
                yield from self._status(_Block(value, _links_in(value)), "Status")

    def of_body(self, text: str) -> Iterator[Reference]:
        """References of the headings' sections, of status lines, and of keys above the first section."""
        state = _State()
        for token_block in _blocks(text, lambda: state.preamble or state.rule is not None):
            match token_block:
                case _Heading():
                    state.enter(token_block)
                case _Block():
                    yield from self._of_block(token_block, state)

    def named_in_value(self, value: str) -> list[Target]:
        """Documents that a key's value names: by link, by name, or by bare numbers of its own family."""
        found = self._targets(_Block(value, _links_in(value)))
        for item in _ITEM.finditer(value):
            numbers = [_BARE_NUMBER.fullmatch(word) for word in item.group().strip(" \t\"'[]").split()]
            if self._own and all(numbers):
                found += [(item.start(), Target(f"{self._own}-{one.group(1)}")) for one in numbers if one]
        return [target for _, target in sorted(found, key=lambda one: one[0])]

    def _of_block(self, block: _Block, state: _State) -> Iterator[Reference]:
        rule, section = state.rule, state.section
        if rule is None:
            if state.preamble:
                yield from self._of_preamble(block)
        elif rule == _STATUS:
            yield from self._status(block, section, state)
        elif rule == _RELATIONSHIPS:
            yield from self._made(self._own_verb(block, state), self._plain_targets(block), section)
        elif isinstance(rule, tuple):
            yield from self._made(rule, self._plain_targets(block), section)

    def _of_preamble(self, block: _Block) -> Iterator[Reference]:
        """Lines such as `Replaces: ADR-2` above the first section, and rows of a table likewise."""
        for line in block.lines():
            found = _KEY_LINE.match(line.text)
            key = key_name(block.row_key) if block.row_key else key_name(found.group(1)) if found else ""
            if key == _STATUS:
                yield from self._status(line, "Status")
            elif key in _KEYS:
                yield from self._made(_KEYS[key], self._plain_targets(line), (found or [block.row_key] * 2)[1] or key)

    def _own_verb(self, block: _Block, state: _State) -> _Rule:
        """What a bullet, a row or a subsection says its relation is; a nested bullet has its parent's."""
        verb = _rule_at_start(block.text) or (_rule_at_start(block.row_key) if block.row_key else None)
        state.verbs = {depth: rule for depth, rule in state.verbs.items() if depth < block.depth}
        if verb is None:
            verb = state.verbs[max(state.verbs)] if state.verbs else None
        elif block.depth or not self._plain_targets(block):
            state.verbs[block.depth] = verb
        return verb or state.verb or (R.RELATES_TO, False)

    def _status(self, block: _Block, section: str, state: _State | None = None) -> Iterator[Reference]:
        """`Superseded by X`, `Amends X`: a verb holds until its sentence ends, or on until it has found something."""
        targets = self._targets(block)
        starts = [start for start, _ in targets]
        verbs = [(match, _rule_of(match)) for match in _VERB.finditer(block.text)]
        verbs = [(match, rule) for match, rule in verbs if rule[0] in _STATUS_TYPES and not _denied(match)]
        if state is not None and state.pending and not verbs:
            yield from self._made(state.pending, [target for _, target in targets], section)
            state.pending = None
            return
        for place, (match, rule) in enumerate(verbs):
            until = verbs[place + 1][0].start() if place + 1 < len(verbs) else len(block.text)
            ended = _SENTENCE_END.search(block.text, match.end(), until)
            first, last = bisect_left(starts, match.end()), bisect_left(starts, until)
            within = bisect_left(starts, ended.start()) if ended else last
            found = [target for _, target in targets[first:within] or (targets[first:last] if rule[1] else [])]
            yield from self._made(rule, found, section)
            if state is not None:
                state.pending = None if found else rule

    def _plain_targets(self, block: _Block) -> list[Target]:
        return [target for _, target in self._targets(block)]

    def _targets(self, block: _Block) -> list[tuple[int, Target]]:
        """(place, target) of all that a piece of text names, in order."""
        found: list[tuple[int, Target]] = []
        taken: list[tuple[int, int]] = []
        for start, end, href in block.links[:TARGETS_MOST]:
            if target := self._linked(href):
                found.append((start, target))
                taken.append((start, end))
            elif not self._token.search(block.text, start, end) and (target := self._of_address(href)):
                found.append((start, target))
        for match in self._token.finditer(block.text):
            before = bisect_left(taken, (match.start() + 1,)) - 1
            if before < 0 or match.start() >= taken[before][1]:
                found += [(match.start(), Target(name)) for name in self._names_at(match, block.text)]
            if len(found) > TARGETS_MOST:
                break
        return sorted(found, key=lambda one: one[0])

    def _linked(self, href: str) -> Target | None:
        """A relative link to a document's file."""
        parts = _address(href)
        path = unquote(parts.path)
        if parts.scheme or parts.netloc or path.startswith("/") or not _DOCUMENT_FILE.search(path):
            return None
        joined = posixpath.normpath(posixpath.join(self._folder, path))
        return None if joined.startswith("..") else Target(path=joined)

    def _of_address(self, href: str) -> Target | None:
        """An address that ends in the id of a document of a known family: `/adr/32`, `…/fip-0015.md`."""
        parts = _address(href)
        match = _SITE_PATH.search("/" + unquote(parts.path).lstrip("/"))
        if match is None or match.group(1).upper() not in self._families:
            return None
        if parts.netloc and match.group(1).upper() != self._own:
            return None
        return Target(f"{match.group(1).upper()}-{match.group(2)}")

    def _names_at(self, match: re.Match[str], text: str) -> Iterator[str]:
        """The name at a match, and those of a list or range that begins with it."""
        family = (match.group("exact") or match.group("folded")).upper()
        first = match.group("number")
        yield f"{family}-{first}"
        end, last = match.end(), first
        while listed := _LISTED.match(text, end):
            if listed.group("family"):
                family = listed.group("family").upper()
                if family not in self._families:
                    return
            number = listed.group(2)
            short = len(number) < len(first.lstrip("0")) and not listed.group("family")
            last = first[: -len(number)] + number if short else number
            yield f"{family}-{last}"
            end = listed.end()
        while len(last) >= 3 and (padded := _PADDED.match(text, end)) and len(padded.group(1)) == len(last):
            last = padded.group(1)
            yield f"{family}-{last}"
            end = padded.end()
        if (ranged := _RANGED.match(text, end)) and (ranged.group("family") or family).upper() == family:
            low, high = int(last), int(ranged.group(2))
            width = len(ranged.group(2))
            if low < high <= low + RANGE_MOST:
                yield from (f"{family}-{number:0{width}d}" for number in range(low + 1, high))
            if high != low and not ranged.group("family"):
                yield f"{family}-{ranged.group(2)}"

    @staticmethod
    def _made(rule: _Rule, targets: Sequence[Target], section: str) -> Iterator[Reference]:
        type_, incoming = rule
        for target in targets:
            yield Reference(type_, target, section, incoming)


@dataclass(slots=True)
class _Heading:
    level: int
    text: str


@dataclass(slots=True)
class _Block:
    """A paragraph, a list item's text or a table's row, as plain text with its links; `depth` is of nested lists,
    `row_key` the first cell of a row."""

    text: str
    links: list[tuple[int, int, str]]
    depth: int = 0
    row_key: str = ""

    def lines(self) -> Iterator[_Block]:
        start = 0
        starts = [one for one, _, _ in self.links]
        for line in self.text.split("\n"):
            end = start + len(line)
            within = self.links[bisect_left(starts, start) : bisect_left(starts, end)]
            links = [(one - start, other - start, href) for one, other, href in within]
            yield _Block(line, links, self.depth, self.row_key)
            start = end + 1


@dataclass(slots=True)
class _State:
    """Where in the document the reader is: the sections around, each with what it declares."""

    stack: list[tuple[int, _Rule | str | None, str]] = field(default_factory=list)
    preamble: bool = True
    verb: _Rule | None = None
    verbs: dict[int, _Rule] = field(default_factory=dict)
    pending: _Rule | None = None

    @property
    def rule(self) -> _Rule | str | None:
        return self.stack[-1][1] if self.stack else None

    @property
    def section(self) -> str:
        return self.stack[-1][2] if self.stack else ""

    def enter(self, heading: _Heading) -> None:
        while self.stack and self.stack[-1][0] >= heading.level:
            self.stack.pop()
        if heading.level > 1:
            self.preamble = False
        outer, self.verbs, self.pending = self.rule, {}, None
        name = key_name(heading.text)
        rule: _Rule | str | None = None
        if heading.level in (2, 3):
            rule = name if name in (_RELATIONSHIPS, _STATUS) else _HEADINGS.get(name)
        if rule is None and outer != _STATUS:
            rule = outer
        self.verb = None
        if outer == _RELATIONSHIPS and heading.level > 2:
            self.verb = _HEADINGS.get(name) or _rule_at_start(heading.text)
            rule = _RELATIONSHIPS
        self.stack.append((heading.level, rule, heading.text.strip().rstrip(": ")))


def _links_in(value: str) -> list[tuple[int, int, str]]:
    """Links of a front matter's value: in markdown, else bare ones."""
    links = [(match.start(), match.end(), match.group(2)) for match in _MARKDOWN_LINK.finditer(value)]
    return links or [(match.start(), match.end(), match.group()) for match in _BARE_LINK.finditer(value)]


def _address(href: str) -> SplitResult:
    """The parts of an address; of what is none, nothing."""
    try:
        return urlsplit(href)
    except ValueError:
        return SplitResult("", "", "", "", "")


def _rule_of(match: re.Match[str]) -> _Rule:
    assert match.lastgroup is not None
    return _VERBS[int(match.lastgroup[1:])][1]


def _denied(match: re.Match[str]) -> bool:
    return _DENIED.search(match.string, max(match.start() - 20, 0), match.start()) is not None


def _rule_at_start(text: str) -> _Rule | None:
    """The verb with which a text begins, before it names anything."""
    match = _VERB.match(text.lstrip(" \t*_:-•→`"))
    return _rule_of(match) if match else None


@lru_cache(maxsize=1)
def _parsed(text: str) -> tuple[list[Token], dict[str, Any]]:
    """The blocks of a text, and what its reference-style links stand for; what is within a block is left alone."""
    env: dict[str, Any] = {}
    return _parser().parse(text[:BODY_MOST], env), env


def _blocks(text: str, wanted: Callable[[], bool]) -> Iterator[_Heading | _Block]:
    """Headings, and pieces of text where they are wanted, outside of code, quotations and HTML.

    Only what is wanted is looked into, and no more than `INLINE_MOST` characters of it: reading a line of brackets
    takes its time.
    """
    tokens, env = _parsed(text)
    quoted = depth = spent = 0
    heading: int | None = None
    row: list[_Block] | None = None
    for token in tokens:
        match token.type:
            case "blockquote_open" | "blockquote_close":
                quoted += token.nesting
            case "list_item_open" | "list_item_close":
                depth += token.nesting
            case "heading_open" if not quoted:
                heading = int(token.tag[1:])
            case "tr_open":
                row = []
            case "tr_close":
                if row and not quoted:
                    yield _joined(row, depth)
                row = None
            case "inline" if not quoted and (heading is not None or wanted()):
                spent += len(token.content)
                if spent > INLINE_MOST:
                    return
                block = _plain(token, env, depth)
                if heading is not None:
                    yield _Heading(heading, block.text)
                    heading = None
                elif row is not None:
                    row.append(block)
                else:
                    yield block


def _joined(cells: Sequence[_Block], depth: int) -> _Block:
    text, links = "", []
    for cell in cells:
        links += [(start + len(text), end + len(text), href) for start, end, href in cell.links]
        text += cell.text + " | "
    return _Block(text, links, depth, cells[0].text)


def _plain(token: Token, env: dict[str, Any], depth: int) -> _Block:
    """The text that a reader sees of a paragraph, and where its links are."""
    children: list[Token] = []
    parser = _parser()
    parser.inline.parse(token.content, parser, env, children)
    text: list[str] = []
    length = 0
    links: list[tuple[int, int, str]] = []
    opened: tuple[int, str] | None = None
    for child in children:
        piece = ""
        match child.type:
            case "text" | "code_inline":
                piece = child.content
            case "softbreak" | "hardbreak":
                piece = "\n"
            case "link_open":
                opened = (length, str(child.attrGet("href") or ""))
            case "link_close" if opened is not None:
                links.append((opened[0], length, opened[1]))
                opened = None
        text.append(piece)
        length += len(piece)
    return _Block("".join(text), links, depth)


_STATUS_WORD = re.compile(r"[A-Za-z][A-Za-z-]+")


def status_in(text: str) -> str | None:
    """The first word of a status line or section, such as `Accepted`."""
    state = _State()
    for block in _blocks(text, lambda: state.preamble or state.rule == _STATUS):
        match block:
            case _Heading():
                state.enter(block)
            case _Block():
                word = _STATUS_WORD.search(block.text if state.rule == _STATUS else _status_told(block))
                if word:
                    return word.group()
    return None


def _status_told(block: _Block) -> str:
    """What a line or a row with the key `Status` says."""
    if block.row_key:
        return block.text[len(block.row_key) :] if key_name(block.row_key) == _STATUS else ""
    lines = (_KEY_LINE.match(line) for line in block.text.split("\n"))
    return next((line.group(2) for line in lines if line and key_name(line.group(1)) == _STATUS), "")


def limited(found: Iterator[Reference]) -> tuple[Reference, ...]:
    """Each reference once, in order, up to the most that is kept."""
    return tuple(islice(dict.fromkeys(islice(found, TARGETS_MOST)), REFERENCES_MOST))
