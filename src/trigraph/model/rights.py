"""Which right each verb takes, by its name in the library: one table for every face that asks for tokens."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from trigraph.model.access import Right

_VERBS: dict[Right, str] = {
    Right.READ: """
        access audit docs.get docs.list entities entity events get health history job jobs links list mentions moves
        pairs recall recall_event relations resolve scorer_report skill_uses stats trace_context trace_evolution
        trace_impact
    """,
    Right.WRITE: """
        alias archive checkpoint cite correct decide decide_pair distil docs.put docs.status erase evolve forget
        link merge persona_create persona_update purge reflect remember remember_batch remember_thread rename restore
        retry reverify split supersede turn undo unlink vote wrap
    """,
    Right.SHARE: "share",
    Right.REVIEW: "held_back review",
    Right.ADMIN: """
        admin calibrate docs.add export find_pairs fixup_memory_graph import_ prune reembed scorer_off scorer_on
        scorer_train work work_on
    """,
}

RIGHT_OF: Mapping[str, Right] = MappingProxyType(
    {verb: right for right, verbs in _VERBS.items() for verb in verbs.split()}
)
"""`docs.add`, `export` and `import_` name files of the machine that they run on: that is for whoever runs it."""
