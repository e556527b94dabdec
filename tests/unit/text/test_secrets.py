"""Secrets are found by shape, by place and by name; what only looks like one stays."""

from __future__ import annotations

import random
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.text.secrets import redact

MIXED = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
CHANCE = random.Random(20)


def drawn(count: int, letters: str = MIXED) -> str:
    return "".join(CHANCE.choice(letters) for _ in range(count))


# Built here, so that no secret stands in the repository.
SHAPES = {
    "github_token": "gh" + "p_" + drawn(36),
    "aws_access_key": "AK" + "IA" + drawn(16, string.ascii_uppercase + "234567"),
    "anthropic_key": "sk-" + "ant-api03-" + drawn(93) + "AA",
    "openai_key": "sk-" + "proj-" + drawn(60),
    "slack_token": "xo" + "xb-" + drawn(12, "123456789") + "-" + drawn(12, "123456789") + "-" + drawn(24),
    "google_api_key": "AI" + "za" + drawn(35),
    "jwt": "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "J" + drawn(40) + "." + drawn(43),
    "gitlab_token": "gl" + "pat-" + drawn(20),
    "digitalocean_token": "do" + "p_v1_" + drawn(64, HEX),
    "trigraph_token": "tg" + "_0" + drawn(25, HEX) + "_" + drawn(43),
}


@pytest.mark.req("X7")
@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("context", ["{}", "used {} today.", '{{"value": "{}"}}', "X={}\nY=1", "line one\\n{}"])
def test_a_shape_of_a_provider_goes_wherever_it_stands(kind: str, context: str) -> None:
    secret = SHAPES[kind]
    found = redact(context.format(secret))
    assert secret not in found.text
    assert found.kinds == (kind,)
    assert f"[REDACTED:{kind}]" in found.text


@pytest.mark.req("X7")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("DB_PASSWORD=", ""),
        ('"password": "', '"'),
        ('{\\"password\\": \\"', '\\"}'),
        ("database:\n  password: ", "\n  pool: 5"),
        ("mysqldump --password=", " shop"),
        ("login --password ", " --yes"),
        ("curl -u admin:", " https://x.example"),
        ("mysql -u root -p", " shop"),
        ("The password for the staging box is ", "."),
        ("Das Passwort lautet ", "."),
        ("postgresql://app:", "@db.internal:5432/orders"),
        ("https://deploy:", "@git.internal/infra.git"),
        ("Server=tcp:db;User ID=app;Password=", ";Encrypt=True;"),
        ("config['db_password'] = '", "'"),
    ],
)
def test_only_the_password_goes_not_what_stands_around_it(before: str, after: str) -> None:
    password = "k" + drawn(7) + "4W" + drawn(6)
    found = redact(before + password + after)
    assert found.text.startswith(before + "[REDACTED:")
    assert found.text.endswith("]" + after)
    assert len(found.kinds) == 1


@pytest.mark.req("X7")
@pytest.mark.parametrize("name", ["api_key = ", "CLIENT_SECRET=", "authToken: ", "--token ", "Authorization: Bearer "])
def test_a_random_value_under_a_telling_name_goes(name: str) -> None:
    value = drawn(30) + "7aB"
    assert value not in redact(f"{name}{value} ").text


def test_a_private_key_goes_whole_and_a_public_one_stays() -> None:
    body = "\n".join(drawn(64) for _ in range(4))
    private = f"-----BEGIN RSA PRI{'V'}ATE KEY-----\n{body}\n-----END RSA PRI{'V'}ATE KEY-----"
    assert redact(f"before\n{private}\nafter").text == "before\n[REDACTED:private_key]\nafter"
    assert redact(private[:200]).text == "[REDACTED:private_key]"
    public = private.replace("RSA PRIVATE", "PUBLIC")
    assert redact(public).text == public


@pytest.mark.parametrize(
    "text",
    [
        "The tenant id is 7c9e6679-7425-40de-944b-e07fc1f90ae7.",
        "Pinned to b4ffde65f46336ab88eb53be808477a3936bae11.",
        "PASSWORD=<your password>",
        "DB_PASSWORD=${DB_PASSWORD}",
        "password: ********",
        "The docs use AKIAIOSFODNN7EXAMPLE everywhere.",
        "token: str",
        'api_key = os.environ["API_KEY"]',
        "client = Client(api_key=settings.api_key)",
        "password = user.password_v2",
        "password: required|min:8",
        "token = generate_token(32)",
        "next_page_token=CAESBggBEgIIAQabc12",
        "secret: tls-cert-2024-q3",
        "password_min_length = 14",
        "The password must have 12 characters.",
        "The password is hashed with argon2id.",
        "postgres://user:password@localhost/db",
        "amqp://guest:guest@localhost",
        'integrity: "sha512-JkwkHIYAC3n9ZrUXTq6cA3jhbPCv8iWQGnP+ctwxFxFGWztwoVtcyVie1WNmXIu4Egs6+DROhKeZ7UzMKV7pnQ=="',
        "We decided against password hints.",
        "Tests pass: 1242 of 1300",
        "secret=arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCdEf",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text).text == text
    assert redact(text).kinds == ()


def test_several_secrets_are_told_in_order() -> None:
    text = f"a {SHAPES['gitlab_token']} b {SHAPES['github_token']} c password=x9Kd82mQpz"
    assert redact(text).kinds == ("gitlab_token", "github_token", "password")


_PIECES = [
    *SHAPES.values(),
    "password=",
    "token: ",
    "://a:",
    "@host",
    '"',
    "'",
    " is ",
    "secret",
    "=",
    "[REDACTED:jwt]",
]
_PIECES += ["-----BEGIN PRIVATE " + "KEY-----", "-----END PRIVATE " + "KEY-----", "Cookie: sid=", "Bearer ", "\\n", ";"]


@given(st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=12)), max_size=12).map("".join))
@settings(max_examples=400, deadline=None)
def test_redacting_twice_changes_nothing_and_the_text_grows_little(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text
    assert len(once.text) <= len(text) + 40 * len(once.kinds)


_ADVERSARIAL = ("password=", "://a:", "a", "token is ", "mysql ", "a.", "\\n", "-----BEGIN PRIVATE " + "KEY-----\n")


@pytest.mark.parametrize("unit", _ADVERSARIAL)
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    def seconds(chars: int) -> float:
        text = (unit * (chars // len(unit) + 1))[:chars]
        started = time.perf_counter()
        redact(text)
        return time.perf_counter() - started

    short = max(min(seconds(50_000) for _ in range(2)), 0.01)
    assert seconds(1_000_000) < short * 20 * 6
