"""One exchange with a model's server over HTTP: a time for all of it, a bound on the answer, and no key in any error.

What the adapters that ask such a server share.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from trigraph.errors import ConfigError

if TYPE_CHECKING:
    import httpx

LONGEST_PAUSE_SECONDS = 20.0
ANSWER_LIMIT_BYTES = 1_000_000

_REASON_BYTES = 4_096
_REASON_CHARS = 200
_SECONDS = re.compile(r"\d{1,6}(\.\d{1,6})?")

Trace = Callable[[str, dict[str, Any]], None]


class Passing(Exception):
    """What may be over in a while; the server may have said in how long."""

    def __init__(self, problem: str, pause_seconds: float | None = None) -> None:
        super().__init__(problem)
        self.pause_seconds = pause_seconds


class Refused(Exception):
    """What trying again cannot mend."""


class Unusable(Exception):
    """The answer is not of the form that was asked for. Asked again, the model may do better."""


def post(url: str, body: object, headers: Mapping[str, str], *, deadline: float, timeout_seconds: float) -> str:
    """The text of a good answer, whole before `deadline`, a time of the monotonic clock. Raises Passing, Refused or
    Unusable; `timeout_seconds` is what is told of the time that was given."""
    import httpx

    left_seconds = deadline - time.monotonic()
    sent = dict(headers) | {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Accept-Encoding": "identity",
    }
    try:
        with (
            _cut_off_after(left_seconds) as trace,
            _client(max(left_seconds, 0.001)) as client,
            client.stream(
                "POST", url, content=json.dumps(body).encode(), headers=sent, extensions={"trace": trace}
            ) as response,
        ):
            _check_status(response)
            content = _read(response, ANSWER_LIMIT_BYTES + 1)
            _check_content(response, content)
    except httpx.TransportError as error:
        if time.monotonic() >= deadline:
            raise _too_slow(timeout_seconds) from error
        raise Passing(f"no answer ({str(error) or type(error).__name__})") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error
    if time.monotonic() >= deadline:
        raise _too_slow(timeout_seconds)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise Unusable("its answer is not UTF-8") from error


def parse(text: str) -> Any:
    """JSON without what JSON does not have or leaves open: NaN, a key twice, nesting beyond all measure."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Unusable(f"its answer is not JSON ({type(error).__name__})") from error


def shown(problem: str, key: str | None) -> str:
    """A problem as it may be told: in one line, not too long, without the key."""
    told = problem.replace(key, "***") if key else problem
    return " ".join("".join(char if char.isprintable() else " " for char in told).split())[:_REASON_CHARS]


def checked_url(url: str, whose: str, key_setting: str) -> str:
    """A plain address; `whose` it is, such as extractor, and where its key belongs are for the error."""
    try:
        import httpx
    except ImportError as error:
        raise ConfigError(
            f"The HTTP {whose} needs httpx.", fix=f"Run `pip install 'trigraph[http-{whose}]'`."
        ) from error
    fix = f"Give one such as https://api.example.org/v1; a key belongs in {key_setting}."
    try:
        parts = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ConfigError(f"The {whose}'s address cannot be read ({error}).", fix=fix) from error
    if parts.scheme not in ("http", "https") or not parts.host or parts.userinfo or parts.query or parts.fragment:
        raise ConfigError(f"The {whose}'s address is not a plain http or https one.", fix=fix)
    return url.rstrip("/")


def checked_key(key: str | None, whose: str, key_setting: str) -> str | None:
    """A key that can stand in a header. One that cannot would be shown by the error that says so."""
    if key and not re.fullmatch(r"[!-~]+", key):
        raise ConfigError(f"The {whose}'s key holds spaces or other than ASCII.", fix=f"Check {key_setting}.")
    return key or None


def check_client() -> None:
    """That the environment's proxies and certificates can be used, before a request is made."""
    try:
        _client(1.0).close()
    except (OSError, ValueError, ImportError) as error:
        raise ConfigError(
            f"No HTTP client can be made ({type(error).__name__}: {error}).",
            fix="Check SSL_CERT_FILE, SSL_CERT_DIR and the proxy variables.",
        ) from error


def _client(timeout_seconds: float) -> httpx.Client:
    import httpx

    return httpx.Client(timeout=timeout_seconds, follow_redirects=False, verify=_trust())


@cache
def _trust() -> ssl.SSLContext:
    """The certificates to trust, read once: that takes longer than all else before a request."""
    import httpx

    return httpx.create_ssl_context()


@contextmanager
def _cut_off_after(seconds: float) -> Iterator[Trace]:
    """Ends the exchange that is traced when its time is up. A timeout of httpx bounds each wait for bytes alone: a
    server that sends one now and then would hold us forever."""
    streams: list[Any] = []

    def trace(event: str, info: dict[str, Any]) -> None:
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            streams.append(info["return_value"])

    def cut_off() -> None:
        for stream in streams:
            with suppress(OSError):
                socket.socket.shutdown(stream.get_extra_info("socket"), socket.SHUT_RDWR)

    timer = threading.Timer(max(seconds, 0.0), cut_off)
    timer.daemon = True
    timer.start()
    try:
        yield trace
    finally:
        timer.cancel()


def _check_status(response: httpx.Response) -> None:
    status = response.status_code
    if status == 429 or status >= 500:
        raise Passing(f"HTTP {status}", _retry_after_seconds(response))
    if response.is_redirect:
        raise Refused(f"HTTP {status}: it redirects, which is not followed")
    if status != 200:
        raise Refused(f"HTTP {status}: {_read(response, _REASON_BYTES).decode(errors='replace')}")


def _check_content(response: httpx.Response, content: bytes) -> None:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Unusable(f"its answer is {kind[:40] or 'of no type'}, not application/json")
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise Unusable("its answer is packed, which was not asked for")
    if len(content) > ANSWER_LIMIT_BYTES:
        raise Unusable(f"its answer has more than {ANSWER_LIMIT_BYTES:,} bytes")


def _read(response: httpx.Response, limit_bytes: int) -> bytes:
    """The body as it comes, up to a limit: nothing is unpacked."""
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) >= limit_bytes:
            break
    return bytes(body[:limit_bytes])


def _retry_after_seconds(response: httpx.Response) -> float | None:
    told = response.headers.get("retry-after", "").strip()
    return min(float(told), LONGEST_PAUSE_SECONDS) if _SECONDS.fullmatch(told) else None


def _too_slow(timeout_seconds: float) -> Passing:
    return Passing(f"no whole answer within {timeout_seconds:g} s")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
