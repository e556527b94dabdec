"""Every command as somebody else: nothing is told of what an agent keeps to itself, and an id of its memories answers
as one that does not exist."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from commands import Answer, Command, command_names
from trigraph.faces.cli.main import app
from trigraph.faces.library import Trigraph

pytestmark = [pytest.mark.req("S5"), pytest.mark.req("S6")]

KINDS = ("fact", "topic", "tag", "thing", "reason", "rule", "paper", "persona", "talk", "session")
ABOUT = "gate tower heron pier"
"""Words that the calls ask for: what is looked for is there, and another's."""
UNKNOWN = "m_01ARZ3NDEKTSV4RRFFQ69G5FAV"
ELSEWHERE = {"TRIGRAPH_SCOPE__TENANT": "elsewhere"}
OTHERS = {
    "bert": {"TRIGRAPH_SCOPE__AGENT": "bert"},
    "stranger": {"TRIGRAPH_SCOPE__AGENT": "nobody"},
    "of another tenant": ELSEWHERE,
}
"""One who may read what is shared, one whom nobody registered, and one of the same name on another island."""
NO_DOORS = frozenset("admin bench completion config init mcp serve setup".split())
"""They read no memory: who is registered, how fast it is, what stands in files of clients; servers have doors of their
own, which `tests/security/test_doors.py` opens."""
CALLS: dict[str, tuple[str, ...]] = {
    "access": ("{m}",),
    "alias": ("Tower", "Spire"),
    "archive": ("{m}",),
    "audit": (),
    "calibrate": (),
    "checkpoint": ("So far the heron",),
    "cite": ("{m}",),
    "correct": ("{m}", "No heron"),
    "decide": (f"Use it, {ABOUT}", "--topic", "auth"),
    "distil": ("a session",),
    "docs add": ("{folder}",),
    "docs get": ("SPEC-7",),
    "docs list": (),
    "docs status": ("SPEC-7", "accepted"),
    "entity get": ("Tower",),
    "entity list": ("--limit", "500"),
    "erase": ("{m}", "--yes"),
    "evolve": ("{m}", "FAILED"),
    "export": (),
    "forget": ("--query", "heron"),
    "get": ("{m}",),
    "health": (),
    "history": ("{m}",),
    "import": ("{folder}/none.jsonl",),
    "jobs": (),
    "link": ("{m}", "{m}"),
    "list": ("--limit", "500"),
    "merge": ("Tower", "Pier"),
    "persona create": ("Reader", "Reads"),
    "persona update": ("Reader", "Reads more"),
    "prune": (),
    "purge": ("--source", "web", "--dry-run"),
    "recall": (ABOUT, "--limit", "50", "--explain", "--threads", "10", "--neighbours", "3"),
    "recall-event": ("{r}",),
    "reembed": (),
    "reflect": (),
    "relations": ("SPEC-7",),
    "remember": ("The heron is back",),
    "rename": ("Tower", "Spire"),
    "resolve": ("Tower", "Pier", "Heron"),
    "restore": ("{m}",),
    "reverify": ("{m}",),
    "review accept": ("{m}",),
    "review different": ("{m}",),
    "review list": (),
    "review pairs": (),
    "review reject": ("{m}",),
    "review same": ("{m}",),
    "scorer off": (),
    "scorer on": (),
    "scorer report": (),
    "scorer train": (),
    "share": ("{m}",),
    "split": ("Tower", "Spire", "{m}"),
    "stats": (),
    "supersede": ("{m}", "No heron"),
    "tail": ("--no-follow",),
    "trace context": (ABOUT, "{m}"),
    "trace evolution": ("auth",),
    "trace impact": ("{m}",),
    "turn": ("{folder}/turn.json",),
    "undo": ("{m}",),
    "unlink": ("{m}",),
    "vote": ("{m}", "1"),
    "work": (),
    "wrap": ("a session", "Nothing came of it"),
}


def _canary(kind: str) -> str:
    return f"zqanna{kind}"


@pytest.fixture
def planted(run: Command, memory: Trigraph, tmp_path: Path) -> dict[str, str]:
    """Something of every sort that anna keeps to herself; what others will ask for."""
    for words in (("agent", "set", "bert"), ("agent", "set", "anna"), ("tenant", "add", "elsewhere")):
        assert run("admin", *words).code == 0
    (tmp_path / "turn.json").write_text('[{"role": "user", "content": "I saw the heron"}]', encoding="utf-8")
    (tmp_path / "papers").mkdir()
    own = {"TRIGRAPH_SCOPE__AGENT": "anna"}

    def told(*words: str) -> Answer:
        answer = run(*words, environment=own)
        assert answer.code == 0, (words, answer.err)
        return answer

    private = ("--visibility", "private")
    word = {kind: _canary(kind) for kind in KINDS}
    kept = told(
        "remember", f"{ABOUT} {word['fact']}", "--topic", word["topic"], "--tag", word["tag"], *private, "--json"
    )
    told("remember", f"{word['thing'].capitalize()} Tower stands", "--subject", "Tower", "--type", "location", *private)
    told("decide", f"Use JWT, {ABOUT}", "--topic", "auth", "--reasoning", word["reason"], *private)
    told("remember", f"Never {word['rule']} on Fridays", "--kind", "constraint", "--pinned", *private)
    paper = tmp_path / "papers" / "SPEC-7.md"
    paper.write_text(f"# SPEC-7: {word['paper']} heron\n\n## Depends on\n\n- SPEC-8\n", encoding="utf-8")
    told("docs", "add", str(paper), *private)
    paper.unlink()
    told("persona", "create", "Reader", f"Reads {word['persona']}", *private)
    recall = told("recall", f"heron {word['talk']}", "--session", word["session"], "--json")
    return {"m": kept.json["items"][0]["id"], "r": recall.json["id"], "folder": str(tmp_path / "papers")}


def _call(run: Command, name: str, ids: dict[str, str], who: dict[str, str]) -> Answer:
    arguments = [one.format_map(ids) for one in CALLS[name]]
    return run(*name.split(), *arguments, environment=who)


def test_no_command_is_forgotten() -> None:
    names = set(command_names(typer.main.get_command(app)))
    assert set(CALLS) == {name for name in names if name.split()[0] not in NO_DOORS}


@pytest.mark.parametrize("who", OTHERS)
def test_no_command_tells_what_is_anothers(run: Command, planted: dict[str, str], who: str) -> None:
    told = {name: _call(run, name, planted, OTHERS[who]) for name in CALLS}
    shown = {name: answer.out + answer.err for name, answer in told.items()}
    assert [(name, kind) for name, text in shown.items() for kind in KINDS if _canary(kind) in text.lower()] == []


@pytest.mark.parametrize("who", OTHERS)
def test_an_id_of_anothers_answers_as_one_that_does_not_exist(run: Command, planted: dict[str, str], who: str) -> None:
    asked = [name for name, arguments in CALLS.items() if "{m}" in arguments]
    assert len(asked) > 15
    for name in asked:
        theirs = _call(run, name, planted, OTHERS[who])
        unknown = _call(run, name, {**planted, "m": UNKNOWN}, OTHERS[who])
        assert theirs.code == unknown.code != 0, (name, theirs)
        for one, other in ((theirs.out, unknown.out), (theirs.err, unknown.err)):
            assert one.replace(planted["m"], UNKNOWN).replace(planted["m"][-8:], UNKNOWN[-8:]) == other, name


def test_the_same_commands_tell_their_owner(run: Command, planted: dict[str, str]) -> None:
    """So that the tests above can fail."""
    reading = ("access", "docs get", "docs list", "export", "get", "history", "list", "recall", "tail")
    told = {name: _call(run, name, planted, {"TRIGRAPH_SCOPE__AGENT": "anna"}).out.lower() for name in reading}
    assert {name for name, text in told.items() if "zqanna" in text} == {*reading}
    whole = "".join(told.values())
    assert {kind for kind in KINDS if _canary(kind) not in whole} == set()
