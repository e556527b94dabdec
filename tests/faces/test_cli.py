"""The `trigraph` command as people and scripts meet it: data on stdout, messages on stderr, exit codes as told."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import re
import shutil
import signal
import subprocess
from pathlib import Path

import apsw
import pytest
import typer

from commands import TRIGRAPH, Answer, Command, command_names
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces.cli.main import app
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings, setting_names

NO_MODEL = {"TRIGRAPH_EMBEDDER__KIND": "none"}
ESCAPES = "before \x1b[31mred \x1b]0;title\x07 \x9b2J \u202egnitset after"
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9](;|m)")


COMMANDS = sorted(tuple(name.split()) for name in command_names(typer.main.get_command(app)))
WITH_JSON: dict[tuple[str, ...], tuple[str, ...]] = {
    ("remember",): ("A kingfisher came back",),
    ("recall",): ("heron",),
    ("get",): ("{id}",),
    ("list",): (),
    ("init",): (),
    ("stats",): (),
    ("health",): (),
    ("reembed",): (),
    ("config", "show"): (),
    ("setup",): ("cursor", "--dry-run"),
    ("bench", "make"): ("--memories", "20"),
    ("bench", "speed"): ("--memories", "50", "--queries", "3"),
    ("bench", "hook"): ("--memories", "20", "--starts", "1"),
    ("bench", "life"): ("--memories", "50", "--rounds", "2"),
    ("bench", "ingest"): ("--turns", "1"),
    ("bench", "guard"): (),
}
"""Commands that answer with data, and what to give them."""
WITHOUT_JSON = {("serve",), ("mcp",), ("recall-event",), ("completion",)}
WITHOUT_JSON |= {("bench", name) for name in ("locomo", "documents", "links", "graphs", "citations", "questions")}
WITHOUT_JSON |= {("bench", name) for name in ("sessions", "pairs", "matching", "reflection")}
"""No data to show, or data to measure that is not part of the product."""
LIFE = {
    tuple(words.split())
    for words in """
        correct, supersede, forget, restore, archive, reverify, share, erase, history, decide, checkpoint, evolve, wrap,
        entity list, entity get, persona create, persona update, rename, alias, link, unlink, vote, cite, export,
        import, admin tenant add, admin tenant list, admin project add, admin project list, admin agent set,
        admin agent list, admin agent remove, admin group add, admin group list, admin group remove, admin group join,
        admin group leave, admin token create, admin token list, admin token revoke
    """.split(",")
}
"""Commands that answer with data as well: `test_life_cli` runs each of them."""
DOCUMENTS = {("docs", name) for name in ("add", "list", "get", "status")}
DOCUMENTS |= {("trace", name) for name in ("evolution", "impact", "context")}
DOCUMENTS |= {("relations",), ("audit",), ("prune",)}
"""And these: `test_documents_cli` runs each of them."""
PIPELINES = {("review", name) for name in ("list", "accept", "reject", "pairs", "same", "different")}
PIPELINES |= {
    (name,) for name in "turn distil reflect work jobs purge access calibrate resolve merge split undo".split()
}
"""And these: `test_pipelines_cli` runs each of them."""
SCORER = {("scorer", name) for name in ("report", "train", "off", "on")}
"""And these: `test_scorer_cli` runs each of them."""
HAPPENING = {("tail",)}
"""And this: `test_happening` runs it."""
SERVED = {("bench", "load")}
"""And this: `test_bench_cli` runs it."""
GROUPS = [
    ("config",),
    ("bench",),
    ("entity",),
    ("persona",),
    ("admin",),
    ("docs",),
    ("trace",),
    ("review",),
    ("scorer",),
]
GROUPS += [("admin", name) for name in ("tenant", "project", "agent", "group", "token")]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    home = tmp_path_factory.mktemp("cli") / "home"
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as memory:
        memory.remember_batch([f"Barge {number} carries gravel and sand to the lock" for number in range(400)])
        memory.remember(ESCAPES, topic="escapes")
        memory.remember("A heron nests on the north pier, in the nest of last year's pair, above the old lamp")
        memory.remember_thread([{"text": "Is the pier open?", "speaker": "Ana"}], name="pier")
    return home


@pytest.fixture
def home(original: Path, tmp_path: Path) -> Path:
    """A copy of a store with a few hundred memories."""
    return Path(shutil.copytree(original, tmp_path / "home"))


@pytest.fixture
def heron(command: Command) -> str:
    """The id of a memory."""
    return str(command("recall", "heron", "-n", "1", "--json").json["hits"][0]["id"])


@pytest.mark.parametrize("words", [(), *GROUPS, *COMMANDS], ids=" ".join)
def test_every_command_has_help(words: tuple[str, ...], run: Command) -> None:
    answer = run(*words, "--help")

    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"Usage: {' '.join(('trigraph', *words))} ")
    assert re.search(r"^  \w.*\w[.:]", answer.out, re.MULTILINE), "it says what it does"


def test_help_is_the_same_in_a_process_of_its_own(command: Command, run: Command) -> None:
    for words in ((), ("history",), ("admin", "token", "create")):
        assert command(*words, "--help") == run(*words, "--help")


def test_every_command_is_known_to_these_tests() -> None:
    assert set(COMMANDS) == set(WITH_JSON) | WITHOUT_JSON | LIFE | DOCUMENTS | PIPELINES | SCORER | HAPPENING | SERVED


@pytest.mark.parametrize("words", WITH_JSON, ids=" ".join)
def test_json_is_understood_before_and_after_the_command(
    words: tuple[str, ...], command: Command, request: pytest.FixtureRequest
) -> None:
    arguments = [word.format(id=request.getfixturevalue("heron")) if "{" in word else word for word in WITH_JSON[words]]
    before = command("--json", *words, *arguments)
    after = command(*words, *arguments, "--json")

    assert (before.code, after.code) == (0, 0)
    assert before.json.keys() == after.json.keys()
    assert before.json


def test_stdout_has_the_data_and_stderr_the_messages(command: Command) -> None:
    answer = command("list", "-n", "2")
    lines = answer.out.splitlines()

    assert len(lines) == 2
    assert all(len(line.split("\t")) == 4 for line in lines)
    assert re.fullmatch(r"more: --cursor \S+\n", answer.err)
    assert command("list", "-n", "2", "--quiet").err == ""
    assert command("list", "-n", "2", "--json").err == ""


def test_data_is_not_broken_into_lines_for_a_pipe(command: Command, heron: str) -> None:
    for words in (("get", heron), ("recall", "heron nest", "-n", "1"), ("list", "-n", "3")):
        assert "in the nest of last year's pair, above the old lamp" in command(*words).out, words
    report = command("remember", "--file", "-", given='{"text": "x", "occurred_at": "2026-01-01T00:00"}\n7\n')
    assert "item 0: error: occurred_at 2026-01-01T00:00:00 has no time zone. Add one, for example" in report.out


def test_text_comes_from_stdin_for_a_dash(command: Command) -> None:
    assert command("remember", "-", given="A cormorant dries its wings\n").code == 0
    assert command("remember", "--file", "-", given='{"text": "Eels pass the lock at night"}\n').code == 0
    assert command("remember", "--thread", "-", given='[{"text": "Did you see the otter?"}]').code == 0

    assert "cormorant" in command("recall", "-", "-n", "1", given="cormorant wings").out
    assert "Eels" in command("recall", "eels", "-n", "1").out
    assert "otter" in command("recall", "otter", "-n", "1").out


def test_nothing_found_is_3_only_when_asked_for(command: Command, tmp_path: Path) -> None:
    empty = Command(tmp_path / "empty", tmp_path)

    assert [empty("list").code, empty("list", "--exit-status").code] == [0, 3]
    assert [empty("recall", "x").code, empty("recall", "x", "--exit-status").code] == [0, 3]
    assert command("list", "--exit-status").code == 0


def test_wrong_usage_is_2_and_the_nearest_command_is_suggested(command: Command) -> None:
    unknown = command("recal", "x")

    assert (unknown.code, unknown.out) == (2, "")
    assert "Did you mean 'recall'" in unknown.err
    assert command("recall").code == 2
    assert command("list", "--limit", "many").code == 2
    assert command("remember").code == 2
    assert command("completion", "csh").code == 2


def test_a_thread_that_contradicts_what_is_there_is_5(command: Command) -> None:
    thread = {"name": "pier", "messages": [{"text": "Is the pier closed?", "speaker": "Ana"}]}
    answer = command("remember", "--thread", "-", given=json.dumps(thread))

    assert answer.code == 5
    assert "place 0 of the thread holds another text" in answer.out


def test_bad_data_is_65(command: Command) -> None:
    assert command("remember", "--file", "-", given="{\n").code == 65
    assert command("remember", "--file", "-", given='{"text": ""}\n{"text": "An otter"}\n').code == 65
    assert "An otter" in command("recall", "otter", "-n", "1").out


def test_no_model_to_make_vectors_with_is_69(command: Command) -> None:
    answer = command("reembed", environment=NO_MODEL)

    assert (answer.code, answer.out) == (69, "")
    assert "embedder.kind is none" in answer.err


def test_a_folder_that_cannot_be_made_is_74(command: Command) -> None:
    answer = command("list", "--home", "/dev/null/home")

    assert (answer.code, answer.out) == (74, "")
    assert "/dev/null/home cannot be made" in answer.err


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        (".trigraph.toml", "home = [", "cannot be read as TOML"),
        ("pyproject.toml", '[tool.trigraph.server]\nport = "often"', "server.port cannot be 'often'"),
        (".trigraph.toml", '[recall]\nfusion = "magic"', "recall.fusion 'magic' is not known"),
    ],
)
def test_a_broken_configuration_is_78(command: Command, file: str, content: str, says: str) -> None:
    (command.folder / file).write_text(content, encoding="utf-8")
    answer = command("list")

    assert (answer.code, answer.out) == (78, "")
    assert says in answer.err


@pytest.mark.parametrize("name", ["registry.db", "default.db", "default.events.db"])
def test_a_newer_store_is_78_and_left_untouched(command: Command, home: Path, name: str) -> None:
    connection = apsw.Connection(str(home / name))
    connection.pragma("user_version", 999)
    connection.close()
    before = hashlib.sha256((home / name).read_bytes()).digest()
    answer = command("remember", "An otter")

    assert (answer.code, answer.out) == (78, "")
    assert "has schema 999" in answer.err
    assert "Upgrade trigraph" in answer.err
    assert hashlib.sha256((home / name).read_bytes()).digest() == before


def test_an_option_without_its_value_never_falls_back_to_another_store(command: Command) -> None:
    assert command("list", "--home").code == 2
    assert command("list", "--home=").code in (2, 78)


def test_an_interrupted_command_ends_at_once_with_130(command: Command, tmp_path: Path) -> None:
    process = Command(tmp_path / "new", tmp_path).start("remember", "-")
    while not (tmp_path / "new" / "registry.db").exists():  # it has started, and waits for its text
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=5)

    assert (process.returncode, out, err) == (130, "", "")


def test_a_command_that_is_interrupted_while_it_loads_says_nothing(command: Command) -> None:
    process = command.start("recall", "heron", environment={"PYTHONPROFILEIMPORTTIME": "1"})
    assert process.stderr is not None
    while "typer" not in process.stderr.readline():  # Python tells each module that it has imported
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=5)

    assert process.returncode == 130
    assert [line for line in err.splitlines() if not line.startswith("import time:")] == []


def test_an_interrupted_server_ends_with_130(command: Command) -> None:
    process = command.start("serve", environment={"TRIGRAPH_SERVER__PORT": "0"})
    assert process.stderr is not None
    assert "http://127.0.0.1:" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)

    assert (process.returncode, out, err) == (130, "", "")


@pytest.mark.parametrize("words", [("list", "-n", "400"), ("list", "-n", "400", "--json"), ("completion", "bash")])
def test_a_reader_that_has_enough_is_no_error(command: Command, words: tuple[str, ...]) -> None:
    with command.start(*words, stdin=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()

    assert (process.returncode, err) in [(141, ""), (-signal.SIGPIPE, ""), (0, "")]


def test_colours_are_for_terminals_and_no_color_turns_them_off(command: Command) -> None:
    words = ("list", "-n", "2")

    assert COLOUR.search(_on_a_terminal(command, *words))
    assert not COLOUR.search(_on_a_terminal(command, *words, environment={"NO_COLOR": "1"}))
    assert not COLOUR.search(_on_a_terminal(command, *words, "--no-color"))
    assert not COLOUR.search(_on_a_terminal(command, *words, environment={"TERM": "dumb"}))
    assert "\x1b" not in command(*words).out


def test_what_is_shown_fits_a_narrow_terminal(command: Command) -> None:
    for words in (("list",), ("recall", "heron"), ("stats",), ("health",), ("config", "show")):
        shown = _on_a_terminal(command, *words, environment={"COLUMNS": "40"})
        lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
        heads = r"\d+\. [0-9a-z]{8}  "  # of a hit: one line of its own, which the terminal wraps
        assert [line for line in lines if len(line.rstrip()) > 40 and not re.match(heads, line)] == [], words


def test_escape_sequences_in_a_memory_do_not_reach_the_terminal(command: Command) -> None:
    escapes = command("recall", "escapes", "-n", "1", "--json")
    written = escapes.json["hits"][0]["id"]
    for words in (("list",), ("recall", "escapes"), ("recall", "escapes", "--explain"), ("get", written)):
        shown = command(*words).out
        assert "before" in shown, words
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", shown), words
    assert "\x1b" not in escapes.out
    assert escapes.json["hits"][0]["text"] == ESCAPES


def test_text_beyond_ascii_is_shown_whatever_the_locale(command: Command) -> None:
    command("remember", "Zoë mends the pier — on Søndag")
    for variables in ({"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}):
        answer = command("recall", "Zoë pier", "-n", "1", environment=variables)
        assert (answer.code, "Traceback" in answer.err) == (0, False), variables
        assert "mends the pier" in answer.out


def test_degraded_answers_are_told_on_stderr_with_what_mends_them(command: Command) -> None:
    recalled = command("recall", "heron", environment=NO_MODEL)
    kept = command("remember", "An otter at the lock", environment=NO_MODEL)
    missing = command("recall", "heron", environment={"TRIGRAPH_EMBEDDER__PACKAGE": "no_such_model"})

    assert (recalled.code, "heron nests" in recalled.out) == (0, True)
    assert recalled.err.startswith("vector leg failed: No embedder is configured (embedder.kind is none).")
    assert (kept.code, kept.err.split(":")[0]) == (0, "stored without a vector")
    assert "`make model`" in missing.err
    waiting = command("health")
    assert waiting.code == 1
    assert "1 passages wait for their vector. Run `trigraph reembed`." in waiting.out.replace("\n", " ")
    assert command("reembed").code == 0
    assert command("health").code == 0


def test_the_messages_of_a_degraded_store_name_a_command(command: Command) -> None:
    for words in (("recall", "heron"), ("remember", "An otter at the lock")):
        assert "`trigraph " in command(*words, environment=NO_MODEL).err, words


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_a_completion_script_names_the_command_and_what_asks_it(command: Command, shell: str) -> None:
    answer = command("completion", shell)

    assert (answer.code, answer.err) == (0, "")
    assert "trigraph" in answer.out
    assert "_TRIGRAPH_COMPLETE" in answer.out


def test_the_completion_script_of_bash_completes(command: Command) -> None:
    script = """
        eval "$(trigraph completion bash)"
        COMP_WORDS=(trigraph rem); COMP_CWORD=1
        _trigraph_completion trigraph
        echo "${COMPREPLY[@]}"
    """
    done = subprocess.run(["bash", "-c", script], env=command.environment(), capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["remember"]


@pytest.mark.parametrize(
    "asked",
    [
        {"_TRIGRAPH_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "trigraph rem"},
        {
            "_TRIGRAPH_COMPLETE": "complete_fish",
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
            "_TYPER_COMPLETE_ARGS": "trigraph rem",
        },
        {
            "_TRIGRAPH_COMPLETE": "complete_powershell",
            "_TYPER_COMPLETE_ARGS": "trigraph rem",
            "_TYPER_COMPLETE_WORD_TO_COMPLETE": "rem",
        },
    ],
    ids=["zsh", "fish", "powershell"],
)
def test_what_the_other_scripts_ask_is_answered(command: Command, asked: dict[str, str]) -> None:
    answer = command(environment=asked)

    assert "remember" in answer.out
    assert "stats" not in answer.out


def test_the_configuration_says_where_each_value_comes_from(command: Command) -> None:
    (command.folder / ".trigraph.toml").write_text("[server]\nport = 9000\n", encoding="utf-8")
    answer = command(
        "config", "show", "--origin", "--json", "--home", "/tmp/other", environment={"TRIGRAPH_EMBEDDER__THREADS": "2"}
    )
    shown = answer.json

    assert set(shown) == set(setting_names())
    assert shown["home"] == {"value": "/tmp/other", "origin": "flag"}
    assert shown["embedder.threads"] == {"value": 2, "origin": "environment"}
    assert shown["server.port"] == {"value": 9000, "origin": str(command.folder / ".trigraph.toml")}
    assert shown["server.host"] == {"value": "127.0.0.1", "origin": "default"}
    assert "environment" in command("config", "show", "--origin").out
    assert "environment" not in command("config", "show").out


def test_an_unknown_setting_is_a_warning_with_the_nearest_one(command: Command) -> None:
    answer = command("list", "-n", "1", environment={"TRIGRAPH_EMBEDDER__THREAD": "2"})

    assert answer.code == 0
    assert "unknown setting embedder.thread (environment); did you mean embedder.threads?" in answer.err


def test_the_version_names_what_it_stands_on(command: Command) -> None:
    assert re.fullmatch(r"trigraph \S+ \(SQLite \S+, apsw \S+\)\n", command("--version").out)


def test_debug_shows_the_traceback_that_is_hidden_otherwise(command: Command) -> None:
    assert "Traceback" in command("get", "m_1", "--debug").err
    assert "Traceback" not in command("get", "m_1").err


def _on_a_terminal(command: Command, *words: str, environment: dict[str, str] | None = None) -> str:
    """What a person sees: stdout is a terminal."""
    ours, theirs = pty.openpty()
    variables = {"TERM": "xterm-256color", "COLUMNS": "80", **(environment or {})}
    process = subprocess.Popen(
        [TRIGRAPH, *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=command.environment(variables),
        cwd=command.folder,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait() == 0, shown
    return Answer(0, shown.decode().replace("\r\n", "\n"), "").out


def test_what_a_recall_left_behind_can_be_shown(command: Command) -> None:
    asked = command("recall", "heron", "--json").json
    event = command("recall-event", asked["id"]).json
    assert (event["recall_id"], event["query"]) == (asked["id"], "heron")
    assert command("recall-event", "r_nothing").code == 3


def test_options_beside_a_file_are_what_its_items_have_by_default(command: Command) -> None:
    lines = '"An eel"\n{"text": "A pike", "kind": "preference"}\n'
    command("remember", "--file", "-", "--kind", "decision", "--visibility", "private", given=lines)
    listed = {one["text"]: one for one in command("list", "--limit", "2", "--json").json["memories"]}
    assert [(one["kind"], one["visibility"]) for one in (listed["An eel"], listed["A pike"])] == [
        ("decision", "private"),
        ("preference", "private"),
    ]


def test_options_beside_a_thread_are_used_or_refused(command: Command) -> None:
    talk = '[{"text": "Is the lock open?"}]'
    command("remember", "--thread", "-", "--visibility", "private", given=talk)
    assert command("list", "--limit", "1", "--json").json["memories"][0]["visibility"] == "private"
    refused = command("remember", "--thread", "-", "--topic", "lock", given=talk)
    assert (refused.code, "topic" in refused.err) == (2, True)


@pytest.mark.req("S4")
def test_constraints_stand_above_the_hits(run: Command) -> None:
    run("remember", "--kind", "constraint", "--pinned", "Nobody deploys\non a Friday")
    run("remember", "The parrot is green")
    for number in range(20):
        run("remember", "--kind", "constraint", "--pinned", f"Rule {number}")

    shown = run("recall", "parrot", "--limit", "1").out
    head, *lines = shown.splitlines()
    assert head == "constraints"
    assert lines[0].endswith("  Rule 19  (pinned)")
    assert lines[20:22] == ["   and 1 more: trigraph list --kind constraint", ""]
    assert lines[22].startswith("1. ")
    assert "constraints" not in run("recall", "parrot", "--constraint-tokens", "0").out
    assert "Rule 7  (pinned; hit 1)" in run("recall", "rule 7").out


def test_neighbours_stand_around_their_hit(run: Command) -> None:
    talk = [{"speaker": "Ana", "text": "Which paint?"}, {"speaker": "Ben", "text": "Teal."}, {"text": "Fine."}]
    run("remember", "--thread", "-", given=json.dumps(talk))

    shown = run("recall", "teal", "--limit", "1", "--neighbours", "1")
    assert shown.out.splitlines()[1:] == ["   | Ana: Which paint?", "   Teal.", "   | Fine."]
    tight = run("recall", "teal", "--limit", "1", "--neighbours", "1", "--budget-tokens", "15")
    assert "2 neighbours fell to the token budget" in tight.err
    assert "paint" not in tight.out
