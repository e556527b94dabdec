"""How much a few sentences look like steering: a logistic model over named features, and what it names as the reason.

The weights are fitted by `trigraph.bench.guard_fitting` and can be read in `guard_weights.json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from trigraph.text.guard_features import NEIGHBOURS

NORM_POWER = 0.7
"""Scores are divided by the length of the vector of features to this power: long sentences count little more."""
NAMED_SHARE = 0.1
"""A reason is named if it adds at least so much of what the strongest one adds."""
WEAK_MARGIN = 1.0
"""So far below the threshold there is still a weak sign."""

_REASONS: Mapping[str, str] = {
    "override": "drop rules earlier role obey",
    "template_token": "text:chat_token",
    "role_spoof": "text:role_tag text:role_line",
    "answer_spoof": "text:dialogue",
    "delayed_trigger": "when asked",
    "memory_steering": "keep memory erase",
    "tool_steering": "execute command tooling text:danger",
    "exfiltration": "send secret talk address text:image_leak reveal place",
    "assistant_address": "called bound machine helper own helped reading text:order_key machine_note",
    "false_authority": "leave authority unasked disable safeguard off allow",
    "concealment": "conceal hushed text:unseen",
    "answer_steering": "answer trusted rival output regardless",
    "rerouting": "money rerouted treat pay",
    "encoded_instruction": "text:encoded code_mark",
}
_REASON_OF = {part: reason for reason, parts in _REASONS.items() for part in parts.split()}
_UNNAMED = "steering"


@dataclass(frozen=True, slots=True)
class Model:
    """Weights by feature, already times the scale of their kind."""

    weights: Mapping[str, float]
    bias: float
    threshold: float

    def score(self, features: Iterable[str]) -> float:
        """How much a window looks like steering, above zero if it is to be quarantined."""
        features = tuple(features)
        known = [feature for feature in features if feature in self.weights]
        if not known:
            return self.bias - self.threshold
        length: float = sum(scale_of(feature) ** 2 for feature in known) ** (NORM_POWER / 2)
        return sum(self.weights[feature] for feature in known) / length + self.bias - self.threshold

    def reasons(self, features: Iterable[str]) -> tuple[str, ...]:
        """What speaks for it, strongest first; never empty."""
        added: dict[str, float] = {}
        for feature in features:
            named = [_REASON_OF.get(part.removeprefix("order:")) for part in re.split("[×>]", feature)]
            for reason in named:
                if reason is not None:
                    added[reason] = added.get(reason, 0.0) + self.weights.get(feature, 0.0) / len(named)
        strongest = max(added.values(), default=0.0)
        if strongest <= 0:
            return (_UNNAMED,)
        chosen = [reason for reason, much in added.items() if much >= NAMED_SHARE * strongest]
        return tuple(sorted(chosen, key=lambda reason: -added[reason]))


def scale_of(feature: str) -> float:
    """How much features of a kind count before they are fitted: pairs are many, so each counts less."""
    if "×" in feature:
        return 0.4
    if feature.startswith(NEIGHBOURS):
        return 0.3
    return 0.5 if ">" in feature else 1.0


@cache
def shipped() -> Model:
    """The model that comes with the package."""
    read = json.loads(files("trigraph.text").joinpath("guard_weights.json").read_text(encoding="utf-8"))
    return Model(read["weights"], read["bias"], read["threshold"])
