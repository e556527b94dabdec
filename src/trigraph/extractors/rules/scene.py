"""Who talks, when, and what "the method" or "the file" meant at a place in the talk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trigraph.extractors.rules.grammar import Person
from trigraph.model.extraction import Role, Said

_NOUNS = (
    "method|function|class|file|module|script|command|workflow|template|model|table|endpoint|field|property|flag|option"
    "|setting|variable|package|library|component|service|config|configuration|parameter|hook|test|tests|test suite|job"
    "|query|index|page|page template|decorator|fixture|checker|type checker|linter|parser|route|schema|migration|column"
)
_NAMED_AFTER = re.compile(rf"`([^`\n]{{2,60}})`\s+(?P<noun>{_NOUNS})\b")
_NAMED_BEFORE = re.compile(rf"\b(?P<noun>{_NOUNS})\s+(?:at|in|for|called|named|of)?\s*(?:the\s+)?`([^`\n]{{2,60}})`")
_CHANGED = re.compile(
    r"^(?:Edit|MultiEdit|Write|NotebookEdit|Create|apply_patch|str_replace\w*|write_file): (\S+)", re.M
)
_LOOKED_AT = re.compile(r"^(?:Read|Grep|Glob|LS|View|read_file|search_files?): ((?!/)\S*[\w-][/.]\w\S*)$", re.MULTILINE)
_ASKED_FOR = re.compile(
    r"\b(?:add|create|make|build|write|set up|implement|introduce|install|develop)\s+(?:us |me )?(?:an?"
    r"|the)\s+(?:new\s+)?"
    r"((?:[\w`./-]+\s?){1,4}?)(?=\s+(?:to|for|that|which|in|on|with|so|and|from|based|using)\b|[.?!,]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Named:
    message: int
    at: int
    noun: str
    name: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A conversation with what its words refer to. `is_chat`: people talk, each under a name, and no agent works.
    `is_work`: it is about code, or tools are used; else what an agent says is what anyone could look up."""

    messages: tuple[Said, ...]
    is_chat: bool
    named: tuple[_Named, ...]
    changed: tuple[tuple[int, str], ...]
    asked: tuple[tuple[int, int, str], ...]
    is_work: bool

    def person(self, message: int) -> Person:
        """Whom "I" and "we" name in a message."""
        said = self.messages[message]
        if said.speaker and (self.is_chat or said.role is Role.USER):
            return Person(
                said.speaker,
                f"{said.speaker} and others" if self.is_chat else "The project",
                many_is_plural=self.is_chat,
            )
        one = "The user" if said.role is Role.USER else said.speaker or "The assistant"
        return Person(one, "The project", many_is_plural=False)

    def meant_by(self, noun: str, message: int, at: int) -> str | None:
        """The name last given to such a thing before this place."""
        nouns = {noun, noun.rstrip("s"), noun + "s"}
        before = [one for one in self.named if (one.message, one.at) < (message, at) and one.noun in nouns]
        return before[-1].name if before else None

    def asked_for(self, message: int, at: int) -> str | None:
        """What the user asked to be made, last before this place: "it" means that, more often than not."""
        before = [thing for place, offset, thing in self.asked if (place, offset) < (message, at)]
        return before[-1] if before else None

    def file_in_focus(self, message: int) -> str | None:
        """The file changed last before a message, else the one changed next in the same turn."""
        before = [name for place, name in self.changed if place < message]
        return before[-1] if before else None

    def looked_at(self, message: int) -> str | None:
        """The one file or folder that was read or searched directly before a message, if it is one."""
        before = self.messages[message - 1] if message else None
        found = set(_LOOKED_AT.findall(before.text)) if before is not None and before.role is Role.TOOL else set()
        return found.pop() if len(found) == 1 else None

    def file_of_turn(self, message: int) -> str | None:
        """The one file that is changed in answer to a user's message, if it is one."""
        end = next((n for n in range(message + 1, len(self.messages)) if self.messages[n].role is Role.USER), None)
        names = {name for place, name in self.changed if place > message and (end is None or place < end)}
        return names.pop() if len(names) == 1 else None


def scene_of(messages: Sequence[Said]) -> Scene:
    """Reads who talks and what is named."""
    spoken = [said for said in messages if said.role is not Role.TOOL]
    is_chat = bool(spoken) and all(said.speaker for said in spoken) and len(spoken) == len(messages)
    named: list[_Named] = []
    changed: list[tuple[int, str]] = []
    asked: list[tuple[int, int, str]] = []
    for number, said in enumerate(messages):
        if said.role is Role.TOOL:
            changed.extend((number, path) for path in _CHANGED.findall(said.text) if "failed" not in path)
            continue
        if said.role is Role.USER and not is_chat:
            asked += [(number, m.start(), m.group(1).strip()) for m in _ASKED_FOR.finditer(said.text[:4000])]
        named += [_Named(number, m.start(), m["noun"].lower(), m.group(1)) for m in _NAMED_AFTER.finditer(said.text)]
        named += [_Named(number, m.start(), m["noun"].lower(), m.group(2)) for m in _NAMED_BEFORE.finditer(said.text)]
    named.sort(key=lambda one: (one.message, one.at))
    return Scene(tuple(messages), is_chat, tuple(named), tuple(changed), tuple(asked), _is_work(messages))


_OF_WORK = re.compile(
    r"`|\b\w+\.(?:py|js|ts|tsx|sql|html|css|json|ya?ml|toml|md|rs|go|java|rb|sh|c|cpp)\b|\b\w+_\w+\b|\w\(\)"
)


def _is_work(messages: Sequence[Said]) -> bool:
    return any(said.role is Role.TOOL or _OF_WORK.search(said.text) is not None for said in messages)
