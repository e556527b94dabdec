"""What every page is made of: what is asked of it, what it answers, and where it stands in the navigation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit

from trigraph.errors import InvalidInput, TrigraphError
from trigraph.faces.dashboard.notices import Notice
from trigraph.faces.library import Trigraph
from trigraph.model.access import Right

NAVIGATION = (
    "Overview",
    "Memories",
    "Recall lab",
    "Graph",
    "Entities",
    "Documents",
    "Review",
    "Compositions",
    "Agents",
    "Health",
)
"""The order of the navigation. A label is shown once a page carries it, to whoever has the page's right."""
FIELDS_MOST = 2000
TEXT_MOST = 2000


class Fields:
    """What an address or a form says, by name; a name may be said several times."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self.pairs = tuple(pairs)

    @classmethod
    def read(cls, encoded: str) -> Fields:
        """Those of an encoded text."""
        try:
            return cls(parse_qsl(encoded, keep_blank_values=True, max_num_fields=FIELDS_MOST, errors="replace"))
        except ValueError as error:
            raise InvalidInput(f"Over {FIELDS_MOST} fields.", field="form", fix="Send fewer.") from error

    def one(self, name: str, default: str = "") -> str:
        """What was said first under a name, without space around it."""
        return next((value.strip() for key, value in self.pairs if key == name), default)

    def given(self, name: str) -> str | None:
        """The same, None where it is empty or was not said."""
        return self.one(name) or None

    def all(self, name: str) -> tuple[str, ...]:
        """All that was said under a name and is not empty."""
        return tuple(value.strip() for key, value in self.pairs if key == name and value.strip())


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a form could not be obeyed: which action, which field, what mends it, and what had been typed."""

    action: str
    field: str | None
    message: str
    fix: str | None
    typed: Fields

    @classmethod
    def of(cls, error: TrigraphError, action: str, typed: Fields) -> Problem:
        """An error, as the form that met it shows it."""
        return cls(action, error.field if isinstance(error, InvalidInput) else None, error.message, error.fix, typed)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, as the module of a page meets it. `named` are the parts of its path, `address` what leads back to
    it; `problem` says that a form of the page could not be obeyed."""

    memory: Trigraph
    rights: frozenset[Right]
    address: str
    named: Mapping[str, str] = field(default_factory=dict)
    query: Fields = field(default_factory=Fields)
    form: Fields = field(default_factory=Fields)
    problem: Problem | None = None

    def may(self, right: Right) -> bool:
        """Whether whoever asks has a right."""
        return right in self.rights

    @property
    def back(self) -> str:
        """Where the form was sent from, if that is a page of ours."""
        return own_address(self.form.one("back")) or self.address


@dataclass(frozen=True, slots=True)
class Shown:
    """A page: its template, its view-model, and the library's answers that it was made of, which are its JSON twin."""

    template: str
    view: object
    data: Mapping[str, object]
    status: int = 200


@dataclass(frozen=True, slots=True)
class Done:
    """A form was obeyed: where to go on, and what to say there."""

    to: str
    notice: Notice | None = None


@dataclass(frozen=True, slots=True)
class Streamed:
    """A file that is made while it is sent."""

    parts: Iterator[str]
    media_type: str
    name: str


Answer = Shown | Done | Streamed


@dataclass(frozen=True, slots=True)
class Page:
    """A page to look at. With a label it stands in the navigation."""

    path: str
    show: Callable[[Asked], Answer]
    label: str | None = None
    right: Right = Right.READ


@dataclass(frozen=True, slots=True)
class Action:
    """What a form does. If it cannot be obeyed, `page` is shown again with the problem in it."""

    path: str
    do: Callable[[Asked], Done]
    page: Callable[[Asked], Answer]


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every page: where one is, who one is, and what was just done."""

    navigation: tuple[tuple[str, str, bool], ...]
    agent: str
    signed_in: bool
    query: str
    address: str
    json_url: str
    notice: Notice | None
    problem: Problem | None
    may: frozenset[Right]


def navigation(pages: Iterable[Page], rights: frozenset[Right], path: str) -> tuple[tuple[str, str, bool], ...]:
    """Labels, where they lead, and whether one is there, in their order; those that may be looked at."""
    found = {one.label: one for one in pages if one.label and one.right in rights}
    return tuple(
        (label, found[label].path, path == found[label].path or path.startswith(f"{found[label].path}/"))
        for label in NAVIGATION
        if label in found
    )


def address_of(path: str, *pairs: tuple[str, str | None], **named: str | None) -> str:
    """A path with what is asked of it; what is empty is left out."""
    asked = [(name, value) for name, value in (*pairs, *named.items()) if value]
    return f"{path}?{urlencode(asked)}" if asked else path


def own_address(text: str) -> str | None:
    """A path of ours with its query, or None for anything that leads elsewhere."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    elsewhere = parts.scheme or parts.netloc or not parts.path.startswith("/") or parts.path.startswith("//")
    if elsewhere or "\\" in text or any(ord(one) < ord(" ") for one in text) or len(text) > TEXT_MOST:
        return None
    return text
