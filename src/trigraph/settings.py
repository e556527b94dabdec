"""Settings: what can be configured, and where each value came from.

Precedence: flags, then environment (`TRIGRAPH_EMBEDDER__THREADS`), then `./.trigraph.toml` or
`[tool.trigraph]` of `./pyproject.toml` (harmless settings only), then the user's `config.toml`, then the
defaults here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_type_hints

from trigraph.errors import ConfigError
from trigraph.model.calibration import Thresholds
from trigraph.model.document import DEFAULT_FAMILIES
from trigraph.sources import (
    HARMLESS,
    SESSION_VARIABLE,
    TOKEN_VARIABLE,
    default_home,
    given_in_environment,
    given_in_files,
)

DEFAULT_PACKAGE = "trigraph_model_granite"
CONTENT_VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """`kind` is pack (a model on this machine), http (an OpenAI-compatible server), or none."""

    kind: str = "pack"
    package: str = DEFAULT_PACKAGE
    pack: str = ""
    threads: int = 0
    cache_entries: int = 20_000
    url: str = ""
    model: str = ""
    dimension: int = 0
    key_file: str = ""
    timeout_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Where `trigraph serve` listens, and how much it takes: requests a minute and client (0: any number), requests
    and event streams at once, and bytes of a body. `require_if_match` asks the ETag of whoever changes a memory,
    `require_token` a token of everybody; `allowed_hosts` are names of this machine, beside its own, that requests may
    be for; `threads` is how many requests are worked on at once: more of them than cores only wait for one another."""

    host: str = "127.0.0.1"
    port: int = 8765
    rate_per_minute: int = 6000
    most_requests: int = 100
    threads: int = 4
    most_streams: int = 20
    body_bytes: int = 16_000_000
    require_if_match: bool = False
    require_token: bool = False
    allowed_hosts: str = ""


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """`fusion` is score (normalised scores), rrf (reciprocal ranks) or learned (a model); `weights` are weights in
    place of the default ones, for all queries or for those of a class, such as `graph=2 current_state.recency=0.5`."""

    fusion: str = "learned"
    weights: str = ""


@dataclass(frozen=True, slots=True)
class ScorerSettings:
    """`enabled` is whether what citations taught may order hits; `explore` in which share of recalls of 8 hits or more
    the last one is shown to learn from."""

    enabled: bool = True
    explore: float = 0.05


@dataclass(frozen=True, slots=True)
class InsightSettings:
    """`cited_tokens` and `saved_rework_tokens` are what a citation of either kind is taken to save. Recalls are kept
    for `keep_days`, then only the counts of their days; with all their candidates for `whole_days` (0: for good). With
    `keep_queries` off, what was asked is not kept."""

    cited_tokens: int = 300
    saved_rework_tokens: int = 1500
    keep_days: int = 400
    whole_days: int = 90
    keep_queries: bool = True


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """`restore_days` is how long what was forgotten can be restored."""

    restore_days: int = 30


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """`automatic` are the links that are drawn without being asked for: session, topic, similar, or none;
    `similar_above` is the cosine from which on two memories are alike."""

    automatic: str = "session topic similar"
    similar_above: float = 0.92


@dataclass(frozen=True, slots=True)
class DocumentSettings:
    """`families` are the words that begin the ids of documents, such as ADR in ADR-12: those that any document may
    refer to by number."""

    families: str = " ".join(DEFAULT_FAMILIES)


@dataclass(frozen=True, slots=True)
class CompareSettings:
    """Cosines of the embedding model: from `duplicate_above` on two memories may say the same, below `alike_above`
    they are not about the same thing. `trigraph calibrate` measures them."""

    duplicate_above: float = Thresholds().duplicate
    alike_above: float = Thresholds().alike


@dataclass(frozen=True, slots=True)
class ExtractorSettings:
    """What reads conversations: `kind` is rules (no model), openai (any server of that dialect) or anthropic; when the
    model fails, the rules do it. `prompts` is a folder with a turn.md or distillation.md in place of ours."""

    kind: str = "rules"
    url: str = ""
    model: str = ""
    key_file: str = ""
    timeout_seconds: float = 30.0
    prompts: str = ""


@dataclass(frozen=True, slots=True)
class RerankerSettings:
    """A model that reads the question with the best candidates and says which answer it: `kind` is none or http.
    `url` is the whole address, `dialect` is cohere (Jina, vLLM, Infinity too) or tei, `api_key_env` the variable that
    holds the key. It reads `candidates` of them; `blend` is its share in the order, from 0 to 1."""

    kind: str = "none"
    url: str = ""
    model: str = ""
    api_key_env: str = ""
    dialect: str = "cohere"
    timeout_seconds: float = 10.0
    candidates: int = 30
    blend: float = 0.5


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """`episodes` is keep or drop: whether turns that are handed over are kept word for word. A session that was quiet
    for `distil_after_minutes` is distilled, and every `reflect_every_hours` it is looked for what recurs (0: only when
    asked for). A job is tried `tries` times, first after `pause_seconds`; whoever took it and is silent for
    `lease_seconds` has lost it."""

    episodes: str = "keep"
    distil_after_minutes: float = 30.0
    reflect_every_hours: float = 24.0
    tries: int = 5
    pause_seconds: float = 2.0
    lease_seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class LogSettings:
    """What `trigraph serve` and `trigraph mcp` write to stderr: `format` is json or text, `level` the least that is
    written: debug, info (a line for each verb), warning, error."""

    format: str = "json"
    level: str = "warning"


@dataclass(frozen=True, slots=True)
class ScopeSettings:
    """Who the local user is. A local user never needs to change it."""

    tenant: str = "default"
    project: str = "default"
    agent: str = "default"


@dataclass(frozen=True, slots=True)
class HookSettings:
    """`catch_up` is whether a hook that finds no server running starts a process that works off what hooks left, and
    ends."""

    catch_up: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. `home` is the folder of the store; empty means the platform's data folder."""

    home: str = ""
    embedder: EmbedderSettings = field(default_factory=EmbedderSettings)
    server: ServerSettings = field(default_factory=ServerSettings)
    scope: ScopeSettings = field(default_factory=ScopeSettings)
    recall: RecallSettings = field(default_factory=RecallSettings)
    memory: MemorySettings = field(default_factory=MemorySettings)
    links: LinkSettings = field(default_factory=LinkSettings)
    documents: DocumentSettings = field(default_factory=DocumentSettings)
    compare: CompareSettings = field(default_factory=CompareSettings)
    extractor: ExtractorSettings = field(default_factory=ExtractorSettings)
    reranker: RerankerSettings = field(default_factory=RerankerSettings)
    pipelines: PipelineSettings = field(default_factory=PipelineSettings)
    scorer: ScorerSettings = field(default_factory=ScorerSettings)
    insight: InsightSettings = field(default_factory=InsightSettings)
    hooks: HookSettings = field(default_factory=HookSettings)
    log: LogSettings = field(default_factory=LogSettings)

    def home_folder(self) -> Path:
        """Where the store lives."""
        return Path(self.home or default_home()).expanduser()


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, where each value that is not a default came from, and what was not understood."""

    settings: Settings
    origins: Mapping[str, str]
    warnings: tuple[str, ...]


def load_settings(
    flags: Mapping[str, object] | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Loaded:
    """Read every source, the weakest first. A broken file or value is an error that names it."""
    environment = os.environ if environment is None else environment
    folder = folder or Path.cwd()
    settings, origins = Settings(), {}
    warnings: list[str] = []
    for origin, values in _sources(flags or {}, environment, folder, warnings):
        for name, value in values.items():
            known = _set(settings, name.split("."), value, name, origin)
            if known is None:
                warnings.append(_unknown(name, origin))
            else:
                settings, origins[name] = known, origin
    return Loaded(settings, origins, tuple(warnings))


def key_in_environment(variable: str, setting: str) -> str | None:
    """The key that a variable holds, None if no variable is named; one that is named and not set is an error."""
    if not variable:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        # The name is not told: it may be the key itself, put in the wrong place.
        raise ConfigError(
            f"{setting} names a variable that is not set.",
            fix="Give the name of a variable that holds the key, or leave it empty.",
        )
    return key


def variables(*names: str) -> dict[str, str]:
    """Those of the named variables of the environment that hold something."""
    return {name: value for name in names if (value := os.environ.get(name))}


def session_in_environment(environment: Mapping[str, str] | None = None) -> str | None:
    """The run that an agent is in, if whoever started us says so: the same id that its hooks are given."""
    found = os.environ if environment is None else environment
    return next((found[name] for name in (SESSION_VARIABLE, "CLAUDE_CODE_SESSION_ID") if found.get(name)), None)


def token_in_environment() -> str | None:
    """The token for a server, if one is kept there."""
    return os.environ.get(TOKEN_VARIABLE, "").strip() or None


def contents_in_spans(environment: Mapping[str, str] | None = None) -> bool:
    """Whether OpenTelemetry's own variable asks for texts and queries in spans."""
    found = os.environ if environment is None else environment
    return found.get(CONTENT_VARIABLE, "").strip().lower() in ("true", "span_only", "span_and_event")


def setting_names() -> list[str]:
    """Every setting's dotted name."""
    return [name for name, _ in flat(Settings())]


def flat(settings: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """(dotted name, value) of every setting."""
    for one in fields(settings):
        value = getattr(settings, one.name)
        if is_dataclass(value):
            yield from flat(value, f"{prefix}{one.name}.")
        else:
            yield f"{prefix}{one.name}", value


def _sources(
    flags: Mapping[str, object], environment: Mapping[str, str], folder: Path, warnings: list[str]
) -> Iterator[tuple[str, dict[str, object]]]:
    for origin, values, of_project in given_in_files(str(folder)):
        yield origin, _harmless(values, origin, warnings) if of_project else values
    yield "environment", given_in_environment(environment)
    yield "flag", {name: value for name, value in flags.items() if value is not None}


def _harmless(values: dict[str, object], origin: str, warnings: list[str]) -> dict[str, object]:
    """What a project's own file may set; the rest is warned of."""
    refused = [name for name in values if name in setting_names() and not name.startswith(HARMLESS)]
    warnings += [f"{name} is not taken from a project's file ({origin}); set it in your own" for name in refused]
    return {name: value for name, value in values.items() if name not in refused}


def _set(settings: Any, path: list[str], value: object, name: str, origin: str) -> Any:
    """A copy with one value changed; None if there is no such setting."""
    head, *rest = path
    if head not in {one.name for one in fields(settings)}:
        return None
    current = getattr(settings, head)
    if is_dataclass(current) != bool(rest):
        return None
    if rest:
        changed = _set(current, rest, value, name, origin)
        return None if changed is None else replace(settings, **{head: changed})
    return replace(settings, **{head: _converted(value, get_type_hints(type(settings))[head], name, origin)})


def _converted(value: object, kind: type, name: str, origin: str) -> object:
    """A value of a setting's type. Text stands for numbers, as the environment has nothing else."""
    if kind is bool:
        return _truth(value, name, origin)
    fitting = {str: (str,), int: (int, str), float: (int, float, str)}[kind]
    try:
        if isinstance(value, bool) or not isinstance(value, fitting):
            raise TypeError
        return kind(value)
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"{name} cannot be {str(value)[:80]!r} ({origin}).", fix=f"Give a value of type {kind.__name__}."
        ) from error


def _truth(value: object, name: str, origin: str) -> bool:
    """Yes or no; as text, the words that TOML has for it."""
    told = {"true": True, "false": False}.get(str(value).lower()) if isinstance(value, bool | str) else None
    if told is None:
        raise ConfigError(f"{name} cannot be {str(value)[:80]!r} ({origin}).", fix="Give true or false.")
    return told


def _unknown(name: str, origin: str) -> str:
    near = get_close_matches(name, setting_names(), n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"unknown setting {name} ({origin}){hint}"
