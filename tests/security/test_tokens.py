"""The secret of a token is shown once and stands nowhere else: not in files, errors, logs, exports or backups."""

from __future__ import annotations

import hmac
import json
import logging
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.engine.keep import tokens
from trigraph.errors import InvalidInput, TrigraphError
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.access import IssuedToken
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings
from trigraph.stores.sqlite import migrate as migrations

START = datetime(2026, 9, 1, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def memory(home: Path) -> Iterator[Trigraph]:
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings, clock=SettableClock(START)), LOCAL_SCOPE) as opened:
        yield opened


@pytest.fixture
def made(memory: Trigraph) -> IssuedToken:
    return memory.admin.issue_token("default", "default", "default", "laptop")


def secret_parts(made: IssuedToken) -> list[str]:
    """What must not be seen: the whole text, and the random part of it."""
    return [made.secret, made.secret[-43:]]


def assert_nowhere(made: IssuedToken, *texts: str) -> None:
    assert not [part for part in secret_parts(made) for text in texts if part in text]


def told(error: BaseException) -> str:
    """Everything that an error tells, as a program, a log or a face would show it."""
    shown = [repr(error), str(error), repr(error.args), repr(vars(error)), *traceback.format_exception(error)]
    if isinstance(error, TrigraphError):
        shown.append(json.dumps(wire.error_json(error)))
    return "\n".join(shown)


@pytest.mark.req("S5")
def test_only_a_hash_is_kept(memory: Trigraph, made: IssuedToken, home: Path) -> None:
    memory.engine.authenticate(made.secret, None, None)
    memory.remember(f"We saw that the token of the build was {made.secret} all along.", source="hook")
    memory.close()
    kept = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert made.token.id.encode() in kept
    assert tokens.digest(made.secret).encode() in kept
    for part in secret_parts(made):
        assert part.encode() not in kept


@pytest.mark.req("S5")
def test_no_value_shows_it_but_the_one_that_hands_it_out(memory: Trigraph, made: IssuedToken) -> None:
    principal = memory.engine.authenticate(made.secret, None, None)
    listed = memory.admin.tokens("default")
    assert_nowhere(
        made, repr(made), str(made), f"{made}", repr(principal), repr(listed), json.dumps(wire.to_json(listed))
    )
    assert tokens.digest(made.secret) not in repr(listed) + json.dumps(wire.to_json([principal, listed]))
    assert wire.to_json(made)["secret"] == made.secret


@pytest.mark.req("S5")
def test_no_error_repeats_it_wherever_it_was_put(memory: Trigraph, made: IssuedToken) -> None:
    text, admin, engine = made.secret, memory.admin, memory.engine
    memory.admin.revoke_token("default", None, made.token.id)
    calls: list[Callable[[], object]] = [
        lambda: engine.authenticate(text, None, None),
        lambda: engine.authenticate(text + "x", None, None),
        lambda: engine.authenticate(text, text, None),
        lambda: engine.authenticate(None, text, None),
        lambda: engine.authenticate(None, text, None, local=LOCAL_SCOPE),
        lambda: engine.authenticate(None, None, text, local=LOCAL_SCOPE),
        lambda: engine.authenticate(None, f"Bearer {text}", None, local=LOCAL_SCOPE),
        lambda: engine.authenticate(None, f"{text}x", None, local=LOCAL_SCOPE),
        lambda: admin.revoke_token("default", None, text + "x"),
        lambda: admin.revoke_token("default", "nowhere", text),
        lambda: wire.claims({"authorization": text}),
        lambda: wire.claims({"authorization": f"Basic {text}"}),
        lambda: wire.claims(dict(zip(wire.AGENT_HEADERS, (text, "anna"), strict=True))),
    ]
    for call in calls:
        with pytest.raises(TrigraphError) as raised:
            call()
        assert_nowhere(made, told(raised.value))
        assert made.secret[-43:-20] not in told(raised.value)


@pytest.mark.req("S5")
def test_a_token_given_as_an_agent_is_said_to_be_one(memory: Trigraph, made: IssuedToken) -> None:
    for claimed in ((made.secret, None), (None, made.secret)):
        with pytest.raises(InvalidInput, match=r"A token was given as (agent|project)\."):
            memory.engine.authenticate(None, *claimed, local=LOCAL_SCOPE)


@pytest.mark.req("S5")
def test_neither_logs_nor_exports_hold_it(
    memory: Trigraph, made: IssuedToken, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        memory.engine.authenticate(made.secret, None, None)
        with pytest.raises(TrigraphError):
            memory.engine.authenticate(made.secret[:-1], None, None)
        memory.remember("The mill is shut.")
        memory.recall("mill")
        memory.export(tmp_path / "all.jsonl", everything=True)
    exported = (tmp_path / "all.jsonl").read_text(encoding="utf-8")
    assert_nowhere(made, caplog.text, exported)
    assert "mill" in exported
    assert tokens.digest(made.secret) not in exported
    assert made.token.id not in exported


def test_a_backup_of_the_registry_holds_only_the_hash(
    memory: Trigraph, made: IssuedToken, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.close()
    real = migrations.migrations_of
    newest = real("registry")[-1][0]
    step = (newest + 1, "next", "CREATE TABLE mood (name TEXT)")
    monkeypatch.setattr(
        migrations, "migrations_of", lambda name: [*real(name), *([step] if name == "registry" else [])]
    )
    open_engine(Settings(home=str(home), embedder=EmbedderSettings(kind="none"))).close()
    backup = (home / f"registry.before-{newest + 1:04d}.db").read_bytes()
    assert tokens.digest(made.secret).encode() in backup
    for part in secret_parts(made):
        assert part.encode() not in backup


@pytest.mark.req("S5")
def test_hashes_are_compared_in_constant_time_also_when_there_is_no_such_token(
    memory: Trigraph, made: IssuedToken, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what is called, not by a clock: every well-formed token is hashed and compared once, whole."""
    compared: list[tuple[int, int]] = []
    real = hmac.compare_digest

    def watched(one: str, other: str) -> bool:
        compared.append((len(one), len(other)))
        return real(one, other)

    monkeypatch.setattr(hmac, "compare_digest", watched)
    memory.engine.authenticate(made.secret, None, None)
    for text in (tokens.new_text(made.token.id), tokens.new_text("k_" + "0" * 26)):
        with pytest.raises(TrigraphError):
            memory.engine.authenticate(text, None, None)
    assert compared == [(64, 64)] * 3
