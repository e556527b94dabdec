"""An extractor that asks a model over HTTP, in the dialect of OpenAI or of Anthropic."""

from __future__ import annotations

import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trigraph.errors import ConfigError, ModelUnavailable
from trigraph.extractors.dialects import DIALECTS
from trigraph.extractors.prompting import Question, careful_tokens, make_question, read_prompts
from trigraph.extractors.reading import Unfounded, Unusable, parse, read_findings
from trigraph.model.extraction import Extraction, Said, Stage, Usage

if TYPE_CHECKING:
    import httpx

TRIES = 3
UNUSABLE_ANSWERS = 2
LONGEST_PAUSE_SECONDS = 20.0
ANSWER_LIMIT_BYTES = 1_000_000

_REASON_BYTES = 4_096
_REASON_CHARS = 200
_SECONDS = re.compile(r"\d{1,6}(\.\d{1,6})?")

Trace = Callable[[str, dict[str, Any]], None]


class _Passing(Exception):
    """What may be over in a while; the server may have said in how long."""

    def __init__(self, problem: str, pause_seconds: float | None = None) -> None:
        super().__init__(problem)
        self.pause_seconds = pause_seconds


class HttpExtractor:
    """See `contracts.Extractor`. Thread-safe. `timeout_seconds` bounds a whole extraction, all tries and pauses
    included. What may pass (429, 5xx, no connection) is tried again, an unusable answer is asked for once more."""

    def __init__(
        self,
        dialect: str,
        url: str,
        model: str,
        *,
        key: str | None,
        timeout_seconds: float,
        prompts: Path | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        if dialect not in DIALECTS:
            raise ConfigError(f"The dialect {dialect!r} is not known.", fix=f"Valid: {', '.join(DIALECTS)}.")
        self._dialect = DIALECTS[dialect]
        self._name = f"{dialect}:{model}"
        self._model = model
        self._url = _checked_url(url) + self._dialect.path
        _check_client()
        self._key = _checked_key(key)
        self._timeout_seconds = timeout_seconds
        self._prompts = read_prompts(prompts)
        self._pause = pause

    @property
    def name(self) -> str:
        return self._name

    def extract(self, stage: Stage, messages: Sequence[Said]) -> Extraction:
        if not any(said.text.strip() for said in messages):
            return Extraction((), self._name)
        question = make_question(stage, self._prompts[stage], messages)
        deadline = time.monotonic() + self._timeout_seconds
        usage, unusable, problem = Usage(), 0, "no try was made"
        for attempt in range(1, TRIES + 1):
            pause_seconds = 0.0
            try:
                text = self._post(question, deadline)
                answer = parse(text)
                usage = _sum(usage, self._dialect.usage(answer) or _estimate(question, text))
                found, summary = read_findings(stage, self._dialect.content(answer), messages)
                return Extraction(found, self._name, summary, usage)
            except Unfounded as error:
                raise self._unavailable(str(error)) from error
            except Unusable as error:
                problem, unusable = str(error), unusable + 1
            except _Passing as error:
                problem = str(error)
                pause_seconds = 0.5 * 2**attempt if error.pause_seconds is None else error.pause_seconds
            if unusable == UNUSABLE_ANSWERS or time.monotonic() + pause_seconds >= deadline:
                break
            if pause_seconds and attempt < TRIES:
                self._pause(pause_seconds)
        raise self._unavailable(problem)

    def _post(self, question: Question, deadline: float) -> str:
        """The text of a good answer."""
        import httpx

        left_seconds = deadline - time.monotonic()
        headers = self._dialect.headers(self._key) | {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        body = json.dumps(self._dialect.body(self._model, question)).encode()
        try:
            with (
                _cut_off_after(left_seconds) as trace,
                _client(max(left_seconds, 0.001)) as client,
                client.stream(
                    "POST", self._url, content=body, headers=headers, extensions={"trace": trace}
                ) as response,
            ):
                self._check_status(response)
                content = _read(response, ANSWER_LIMIT_BYTES + 1)
                _check_content(response, content)
        except httpx.TransportError as error:
            if time.monotonic() >= deadline:
                raise self._too_slow() from error
            raise _Passing(f"no answer ({str(error) or type(error).__name__})") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unavailable(f"{type(error).__name__}: {error}") from error
        if time.monotonic() >= deadline:
            raise self._too_slow()
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            raise Unusable("its answer is not UTF-8") from error

    def _check_status(self, response: httpx.Response) -> None:
        status = response.status_code
        if status == 429 or status >= 500:
            raise _Passing(f"HTTP {status}", _retry_after_seconds(response))
        if response.is_redirect:
            raise self._unavailable(f"HTTP {status}: it redirects, which is not followed")
        if status != 200:
            reason = _read(response, _REASON_BYTES).decode(errors="replace")
            raise self._unavailable(f"HTTP {status}: {reason}")

    def _too_slow(self) -> _Passing:
        return _Passing(f"no whole answer within {self._timeout_seconds:g} s")

    def _unavailable(self, problem: str) -> ModelUnavailable:
        shown = problem.replace(self._key, "***") if self._key else problem
        shown = " ".join("".join(char if char.isprintable() else " " for char in shown).split())[:_REASON_CHARS]
        return ModelUnavailable(
            f"The extractor at {self._url} failed: {shown}.",
            fix="Check extractor.url, extractor.model and extractor.key_file.",
        )


def _client(timeout_seconds: float) -> httpx.Client:
    import httpx

    return httpx.Client(timeout=timeout_seconds, follow_redirects=False, verify=_trust())


@cache
def _trust() -> ssl.SSLContext:
    """The certificates to trust, read once: that takes longer than all else before a request."""
    import httpx

    return httpx.create_ssl_context()


def _check_client() -> None:
    """That the environment's proxies and certificates can be used, before a request is made."""
    try:
        _client(1.0).close()
    except (OSError, ValueError, ImportError) as error:
        raise ConfigError(
            f"No HTTP client can be made ({type(error).__name__}: {error}).",
            fix="Check SSL_CERT_FILE, SSL_CERT_DIR and the proxy variables.",
        ) from error


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


def _read(response: httpx.Response, limit_bytes: int) -> bytes:
    """The body as it comes, up to a limit: nothing is unpacked."""
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) >= limit_bytes:
            break
    return bytes(body[:limit_bytes])


def _check_content(response: httpx.Response, content: bytes) -> None:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Unusable(f"its answer is {kind[:40] or 'of no type'}, not application/json")
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise Unusable("its answer is packed, which was not asked for")
    if len(content) > ANSWER_LIMIT_BYTES:
        raise Unusable(f"its answer has more than {ANSWER_LIMIT_BYTES:,} bytes")


def _retry_after_seconds(response: httpx.Response) -> float | None:
    told = response.headers.get("retry-after", "").strip()
    return min(float(told), LONGEST_PAUSE_SECONDS) if _SECONDS.fullmatch(told) else None


def _estimate(question: Question, text: str) -> Usage:
    return Usage(question.tokens_in, min(question.tokens_out, careful_tokens(text)))


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(one.tokens_in + other.tokens_in, one.tokens_out + other.tokens_out)


def _checked_url(url: str) -> str:
    try:
        import httpx
    except ImportError as error:
        raise ConfigError(
            "The HTTP extractor needs httpx.", fix="Run `pip install 'trigraph[http-extractor]'`."
        ) from error
    fix = "Give one such as https://api.example.org/v1; a key belongs in extractor.key_file."
    try:
        parts = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ConfigError(f"The extractor's address cannot be read ({error}).", fix=fix) from error
    if parts.scheme not in ("http", "https") or not parts.host or parts.userinfo or parts.query or parts.fragment:
        raise ConfigError("The extractor's address is not a plain http or https one.", fix=fix)
    return url.rstrip("/")


def _checked_key(key: str | None) -> str | None:
    """A key that can stand in a header. One that cannot would be shown by the error that says so."""
    if key and not re.fullmatch(r"[!-~]+", key):
        raise ConfigError("The extractor's key holds spaces or other than ASCII.", fix="Check extractor.key_file.")
    return key or None
