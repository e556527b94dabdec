"""What an address asks of the lab: the question, and one or two settings to answer it by."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from trigraph.engine.engine import Engine
from trigraph.errors import InvalidInput, invalid_choice
from trigraph.faces.dashboard.frame import Fields
from trigraph.model.memory import Kind
from trigraph.model.query import Fusion, Leg, Profile

PROFILE_NAMES = tuple(Engine.profiles)
SESSION = "lab"
"""Recalls of the lab are kept under this session, so that whoever looks at use can tell them apart."""
LIMIT = 10
LIMIT_MOST = 50
OTHER = "b_"
"""What the fields of the second setting begin with."""


@dataclass(frozen=True, slots=True)
class Setting:
    """By what a question is answered, as it was typed; what is empty is left to the engine."""

    profile: str = ""
    fusion: str = ""
    weights: tuple[tuple[str, str], ...] = ()
    as_of: str = ""
    known_at: str = ""

    @property
    def told(self) -> str:
        """It in words."""
        weighed = ", ".join(f"{leg} × {weight}" for leg, weight in self.weights if weight)
        parts = (
            f"profile {self.profile or 'default'}",
            f"fusion {self.fusion}" if self.fusion else "",
            weighed,
            f"as of {self.as_of}" if self.as_of else "",
            f"known at {self.known_at}" if self.known_at else "",
        )
        return "; ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which memories, and by which settings. Without a second one nothing is compared."""

    text: str
    limit: int
    kinds: tuple[str, ...]
    tags: str
    domains: str
    threads: int
    first: Setting
    second: Setting | None

    def arguments(self, setting: Setting) -> dict[str, Any]:
        """What recall is called with."""
        return {
            "limit": self.limit,
            "kinds": self.kinds,
            "tags": _parted(self.tags),
            **({"domains": _parted(self.domains)} if self.domains else {}),
            "threads": self.threads,
            "profile": profile_of(setting),
            "fusion": setting.fusion or None,
            "as_of": setting.as_of or None,
            "known_at": setting.known_at or None,
            "session": SESSION,
            "explain": True,
        }


def question_in(query: Fields) -> Question:
    """What an address says. Raises InvalidInput, naming the field, where that cannot be asked."""
    kinds = query.all("kinds")
    for one in kinds:
        if one not in list(Kind):
            raise invalid_choice("kinds", one, list(Kind))
    return Question(
        text=query.one("q"),
        limit=_whole(query, "limit", LIMIT, 1, LIMIT_MOST),
        kinds=kinds,
        tags=query.one("tags"),
        domains=query.one("domains"),
        threads=_whole(query, "threads", 0, 0, LIMIT_MOST),
        first=setting_in(query, ""),
        second=setting_in(query, OTHER) if query.one("compare") else None,
    )


def setting_in(query: Fields, prefix: str) -> Setting:
    """One of the two settings of an address."""
    weights = tuple((leg.value, query.one(f"{prefix}{leg.value}")) for leg in Leg)
    given = {name: query.one(f"{prefix}{name}") for name in ("profile", "fusion", "as_of", "known_at")}
    return Setting(**given, weights=weights)


def profile_of(setting: Setting) -> str | Profile | None:
    """The profile of a setting: named, or varied by its weights. A leg of weight 0 is off."""
    if setting.fusion and setting.fusion not in list(Fusion):
        raise invalid_choice("fusion", setting.fusion, list(Fusion))
    if setting.profile and setting.profile not in Engine.profiles:
        raise invalid_choice("profile", setting.profile, Engine.profiles)
    given = {Leg(leg): _weight(leg, weight) for leg, weight in setting.weights if weight}
    if not given:
        return setting.profile or None
    base = Engine.profiles[setting.profile or "default"]
    weights = {leg: weight for leg, weight in {**base.weights, **given}.items() if weight > 0}
    if not weights:
        raise InvalidInput("Every leg is off.", field="vector", fix="Give at least one leg a weight above 0.")
    return replace(base, name=f"{base.name}, varied", weights={leg: weights[leg] for leg in Leg if leg in weights})


def _weight(leg: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1000:
        raise InvalidInput(
            f"The weight of the {leg} leg is {text[:40]!r}.", field=leg, fix="Choose a number from 0 to 1000."
        )
    return value


def _whole(query: Fields, name: str, default: int, least: int, most: int) -> int:
    text = query.one(name) or str(default)
    if not text.isdecimal() or not least <= int(text) <= most:
        raise InvalidInput(f"{name} is {text[:40]!r}.", field=name, fix=f"Choose a number from {least} to {most}.")
    return int(text)


def _parted(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
