"""What is said after a form was obeyed, once, and the form that undoes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

COOKIE = "trigraph_done"
"""Holds what was just done until the next page has said it: a word of a closed list, and ids."""
SECONDS = 120
_ID = re.compile(r"[a-z]_[0-9a-z]{26}")
_MOST = 100


@dataclass(frozen=True, slots=True)
class Saying:
    """What is said of one, of many, and where the undoing form is sent, with which fields; `takes` names the ids."""

    one: str
    many: str
    undo: str | None = None
    fields: tuple[tuple[str, str], ...] = ()
    takes: str = "ids"
    label: str = "Undo"


SAYINGS = {
    "forget": Saying("Forgotten.", "{count} memories forgotten.", "/memories/do", (("do", "restore"),)),
    "archive": Saying("Archived.", "{count} memories archived.", "/memories/do", (("do", "restore"),)),
    "restore": Saying("Restored.", "{count} memories restored."),
    "reverify": Saying("Checked: it still holds.", "{count} memories checked: they still hold."),
    "share": Saying("Shared.", "{count} memories shared."),
    "vote": Saying("Your vote counts.", "{count} votes count."),
    "nothing": Saying("Nothing was chosen.", "Nothing was chosen."),
    "correct": Saying(
        "Corrected. This is the memory that stands now.", "Corrected.", "/memories/do", (("do", "restore"),)
    ),
    "supersede": Saying(
        "Superseded. This is the memory that holds now.", "Superseded.", "/memories/do", (("do", "restore"),)
    ),
    "link": Saying("Linked.", "{count} links drawn.", "/memories/unlink"),
    "unlink": Saying("The link holds no longer.", "{count} links hold no longer."),
    "accept": Saying(
        "Let in.", "{count} memories let in.", "/memories/do", (("do", "forget"),), label="Forget it after all"
    ),
    "agree": Saying("Both stand.", "Both stand.", "/review/doubt", (("type", "contradicts"),)),
    "differ": Saying("Both stand.", "Both stand.", "/review/doubt", (("type", "duplicate_of"),)),
    "refuse": Saying("Refused and forgotten.", "{count} memories refused.", "/memories/do", (("do", "restore"),)),
    "merge": Saying("Merged.", "Merged.", "/entities/undo", takes="move"),
    "split": Saying("Split.", "Split.", "/entities/undo", takes="move"),
    "undo": Saying("Taken back.", "Taken back."),
    "two": Saying("They stay two.", "They stay two."),
    "rename": Saying("Renamed.", "Renamed."),
    "alias": Saying("It has a further name.", "It has a further name."),
    "compose": Saying("Kept: they were used together.", "Kept: they were used together."),
    "label_success": Saying("Labelled. Look why it worked, to do it again.", "Labelled."),
    "label_duplicate": Saying("Labelled. Check the duplicate family first.", "Labelled."),
    "label_closed": Saying("Labelled: this door is closed.", "Labelled."),
    "label_open": Saying("Labelled.", "Labelled."),
    "label_dead_end": Saying("Labelled a dead end. One of the closed by labels says why.", "Labelled."),
    **{
        f"label_{one}": Saying(
            "Labelled a dead end, which does not say why.",
            "Labelled.",
            "/compositions/label",
            (("label", one),),
            takes="id",
            label=one.capitalize().replace("_", " "),
        )
        for one in ("closed_by_scope", "closed_by_duplicate", "closed_by_false_assumption", "closed_by_user")
    },
    "retry": Saying("The job is queued again.", "{count} jobs are queued again."),
}
"""All that can be said, by its word."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What was done, to what; what undoes it is asked of `undo_ids`."""

    word: str
    ids: tuple[str, ...] = ()
    count: int | None = field(default=None)

    @property
    def text(self) -> str:
        """It, for people."""
        count = len(self.ids) if self.count is None else self.count
        saying = SAYINGS[self.word]
        return saying.many.format(count=count) if count > 1 else saying.one

    @property
    def undo(self) -> Saying | None:
        """How it is undone, if it can be."""
        saying = SAYINGS[self.word]
        return saying if saying.undo and self.ids else None

    @property
    def encoded(self) -> str:
        """As a cookie."""
        count = len(self.ids) if self.count is None else self.count
        return ".".join((self.word, str(count), *self.ids[:_MOST]))


def notice_in(cookie: str | None) -> Notice | None:
    """What a cookie says was done; None unless it is one of ours."""
    word, _, rest = (cookie or "").partition(".")
    count, *ids = rest.split(".")
    if word not in SAYINGS or not count.isdecimal() or len(count) > len("1000000"):
        return None
    if len(ids) > _MOST or not all(_ID.fullmatch(one) for one in ids):
        return None
    return Notice(word, tuple(ids), int(count))
