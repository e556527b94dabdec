"""Secrets in a text: found by their shape or by what they are assigned to, and replaced by a marker.

Three ways to be found: a shape that only one provider gives out, a place that holds nothing but a secret (a URL's
password, an Authorization header, a private key block), and a name such as `password` or `api_key` before a value
that looks drawn at random. Digests, ids and placeholders have none of these. A password that is a plain word, and a
phrase of plain words, stay: they cannot be told from prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

ROUNDS = 4
"""A secret may come to light when the one before it is gone; so often is a text looked through at most."""
VALUE_LIMIT_CHARS = 400
PASSWORD_LIMIT_CHARS = 128


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, and what each one was, in the order they were found."""

    text: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    kind: str


def redact(text: str) -> Redacted:
    """Every secret replaced by `[REDACTED:kind]`. What is redacted already stays as it is."""
    kinds: list[str] = []
    for _ in range(ROUNDS):
        found = _joined(text)
        if not found:
            break
        parts: list[str] = []
        end = 0
        for one in found:
            parts += (text[end : one.start], f"[REDACTED:{one.kind}]")
            end = one.end
            kinds.append(one.kind)
        text = "".join(parts) + text[end:]
    return Redacted(text, tuple(kinds))


def _joined(text: str) -> list[_Found]:
    """What was found, in order; finds that overlap become one, named by the surest of them."""
    finders = (_blocks, _shapes, _addresses, _headers, _cookies, _signed, _assigned, _flags, _told)
    every = [(one.start, order, one) for order, find in enumerate(finders) for one in find(text)]
    joined: list[tuple[int, _Found]] = []
    for _, order, one in sorted(every, key=lambda each: each[:2]):
        if joined and one.start < joined[-1][1].end:
            before, last = joined[-1]
            kind = last.kind if before <= order else one.kind
            joined[-1] = (min(before, order), _Found(last.start, max(last.end, one.end), kind))
        else:
            joined.append((order, one))
    return [one for _, one in joined]


# Shapes of providers. A boundary stands before each; the parts that vary are as long as they may be, so that nothing
# of a secret is left over.
_SHAPES = (
    ("github_fine_grained_token", r"github_pat_\w{22,}"),
    ("github_token", r"gh[pousr]_[A-Za-z0-9]{30,}"),
    ("aws_access_key", r"(?:AKIA|ASIA|ABIA|ACCA|AROA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
    ("anthropic_key", r"sk-ant-[\w-]{24,}"),
    ("openrouter_key", r"sk-or-[\w-]{32,}"),
    ("openai_key", r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,}|sk-[A-Za-z0-9]{32,}"),
    ("mapbox_token", r"sk\.eyJ[\w.-]{40,}"),
    ("huggingface_token", r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    ("groq_key", r"gsk_[A-Za-z0-9]{40,}"),
    ("replicate_token", r"r8_[A-Za-z0-9]{30,}"),
    ("perplexity_key", r"pplx-[A-Za-z0-9]{32,}"),
    ("xai_key", r"xai-[A-Za-z0-9]{60,}"),
    ("slack_token", r"xox[abceoprs]-[A-Za-z0-9-]{20,}|xapp-\d-[A-Za-z0-9-]{20,}"),
    ("slack_webhook", r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[\w/-]{30,}"),
    ("discord_webhook", r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{15,}/[\w-]{40,}"),
    ("teams_webhook", r"webhook\.office\.com/webhookb2/[\w@/-]{60,}"),
    ("stripe_key", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("webhook_secret", r"whsec_[A-Za-z0-9+/=]{24,}"),
    ("google_api_key", r"AIza[\w-]{35,}"),
    ("google_oauth_secret", r"GOCSPX-[\w-]{20,}"),
    ("google_oauth_token", r"ya29\.[\w-]{30,}|1//0[\w-]{30,}"),
    ("firebase_key", r"AAAA[\w-]{7}:APA91[\w-]{100,}"),
    ("jwt", r"eyJ[\w-]{10,}+\.eyJ[\w-]{10,}+\.[\w-]{10,}"),
    ("age_secret_key", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    ("npm_token", r"npm_[A-Za-z0-9]{30,}"),
    ("pypi_token", r"pypi-[\w-]{50,}"),
    ("rubygems_token", r"rubygems_[0-9a-f]{48}(?![A-Za-z0-9])"),
    ("crates_token", r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("gitlab_token", r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[\w.-]{20,}"),
    ("bitbucket_token", r"AT(?:BB|ATT3|CTT3)[\w=-]{24,}"),
    ("azure_client_secret", r"[\w.~]{3}\dQ~[\w.~-]{31,}"),
    ("sendgrid_key", r"SG\.[\w-]{16,}+\.[\w-]{30,}"),
    ("brevo_key", r"xkeysib-[0-9a-f]{40,}[\w-]*"),
    ("mailchimp_key", r"[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])"),
    ("mailgun_key", r"key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("twilio_key", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("telegram_bot_token", r"\d{8,10}:AA[\w-]{32,}"),
    ("discord_bot_token", r"[MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,}"),
    ("heroku_key", r"HRKU-[\w-]{30,}"),
    ("digitalocean_token", r"do[opr]_v1_[0-9a-f]{64}(?![A-Za-z0-9])"),
    ("shopify_token", r"shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32}(?![A-Za-z0-9])"),
    ("square_token", r"EAAA[\w-]{56,}|sq0(?:atp|csp|idp)-[\w-]{22,}"),
    ("new_relic_key", r"NR(?:AK|II|JS|RA|AL)-[\w-]{18,}"),
    ("vault_token", r"hv[sbr]\.[\w-]{24,}"),
    ("doppler_token", r"dp\.(?:pt|st|ct|sa|said|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{38,}"),
    ("docker_token", r"dckr_(?:pat|oat)_[\w-]{20,}"),
    ("terraform_token", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{50,}"),
    ("databricks_token", r"dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])"),
    ("linear_key", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("notion_token", r"(?:ntn|secret)_[A-Za-z0-9]{40,}"),
    ("figma_token", r"fig[dor]_[\w-]{36,}"),
    ("airtable_token", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])"),
    ("planetscale_token", r"pscale_(?:tkn|pw|oauth)_[\w.-]{30,}"),
    ("supabase_key", r"sbp_[0-9a-f]{40}(?![A-Za-z0-9])|sb_secret_[\w-]{20,}"),
    ("grafana_token", r"gl(?:sa|c)_[\w=+/-]{32,}"),
    ("sentry_token", r"sntry[su]_[\w=+/-]{40,}"),
    ("postman_key", r"PMAK-[0-9a-f]{20,}-[0-9a-f]{30,}(?![A-Za-z0-9])"),
    ("alibaba_key", r"LTAI[A-Za-z0-9]{16,20}(?![A-Za-z0-9])"),
    ("dynatrace_token", r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{60,}"),
    ("tailscale_key", r"tskey-[a-z]+-[\w-]{20,}"),
    ("pulumi_token", r"pul-[0-9a-f]{40}(?![A-Za-z0-9])"),
    ("circleci_token", r"CCIPAT_[\w-]{40,}"),
    ("buildkite_token", r"bku[at]_[0-9a-f]{40}(?![A-Za-z0-9])"),
    ("netlify_token", r"nfp_[A-Za-z0-9]{36,}"),
    ("trigraph_token", r"tg_[0-9a-z]{26}_[\w-]{43,}"),
    ("fly_token", r"fm[12]_[\w=+/,-]{60,}|fo1_[\w-]{40,}"),
)
# A letter before it may belong to an escape: `\nghp_…` in a JSON string.
_BEFORE = r"(?:(?<![\w+])|(?<=\\[nrt])|(?<=%3[dD]))"
_SHAPE = re.compile(_BEFORE + "(?:" + "|".join(f"(?P<{kind}>{shape})" for kind, shape in _SHAPES) + ")", re.ASCII)


def _shapes(text: str) -> Iterator[_Found]:
    for match in _SHAPE.finditer(text):
        if not _is_sample(match.group()) and len(set(match.group()[-24:])) >= 6:
            yield _Found(match.start(), match.end(), match.lastgroup or "token")


_BLOCK = re.compile(r"-----(BEGIN|END) ([A-Z0-9 ]{0,40})PRIVATE KEY(?: BLOCK)?-----")
_BLOCK_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s]|\\[nr])*+")


def _blocks(text: str) -> Iterator[_Found]:
    """Private keys from their first line to their last; one that was cut off, as far as it goes."""
    marks = list(_BLOCK.finditer(text))
    for place, mark in enumerate(marks, start=1):
        after = marks[place] if place < len(marks) else None
        if mark.group(1) == "END":
            continue
        if after is not None and after.group(1) == "END":
            end, body = after.end(), text[mark.end() : after.start()]
        else:
            rest = _BLOCK_BODY.match(text, mark.end())
            end, body = (rest.end(), rest.group()) if rest else (mark.end(), "")
        if len(re.findall(r"[A-Za-z0-9+/]", body)) >= 40 and "..." not in body and "[REDACTED" not in body:
            kind = {"OPENSSH ": "ssh_private_key", "PGP ": "pgp_private_key"}.get(mark.group(2), "private_key")
            yield _Found(mark.start(), end, kind)


_ADDRESS = re.compile(r"://([^\s:/@\"'<>]{0,100}):([^\s@/\"'<>]{1,200})@(?=[\w\[.-])")


def _addresses(text: str) -> Iterator[_Found]:
    """The password in `scheme://user:password@host`."""
    for match in _ADDRESS.finditer(text):
        user, password = match.groups()
        if password != user and not _is_placeholder(password):
            web = re.search(r"(?:https?|ftps?|sftp|ssh|wss?|git)$", text[max(0, match.start() - 8) : match.start()])
            kind = "basic_auth_url" if web else "connection_string_password"
            yield _Found(match.start(2), match.end(2), kind)


_HEADER = re.compile(
    r"\bauthorization\\?[\"'`]?[ \t]{0,3}[:=,][ \t]{0,3}\\?[\"'`]?(?:(?P<scheme>[a-z][\w-]{1,24})[ \t]{1,3})?"
    r"(?P<value>[\w.~+/=:-]{12,2000})|\b(?P<bearer>bearer|ssws)[ \t]{1,3}(?P<token>[\w.~+/=-]{16,2000})",
    re.IGNORECASE | re.ASCII,
)


def _headers(text: str) -> Iterator[_Found]:
    for match in _HEADER.finditer(text):
        group = "token" if match.group("bearer") else "value"
        value = match.group(group).rstrip(".:")
        if _is_sample(value) or not (_is_uuid(value) or _is_random(value)):
            continue
        scheme = (match.group("bearer") or match.group("scheme") or "").lower()
        kind = {"bearer": "bearer_token", "basic": "basic_auth"}.get(scheme, "authorization")
        yield _Found(match.start(group), match.start(group) + len(value), kind)


_COOKIE_LINE = re.compile(r"\bcookie\\?[\"']?[ \t]{0,3}[:=][^\r\n]{1,4000}", re.IGNORECASE)
_COOKIE = re.compile(
    r"(?<![\w-])[\w.-]{0,40}(?:sess|sid|auth|token|jwt|login|remember)[\w.-]{0,40}=([^\s;\"',]{12,2000})", re.IGNORECASE
)


def _cookies(text: str) -> Iterator[_Found]:
    for line in _COOKIE_LINE.finditer(text):
        for match in _COOKIE.finditer(text, line.start(), line.end()):
            if not _is_placeholder(match.group(1)) and (_is_uuid(match.group(1)) or _is_random(match.group(1))):
                yield _Found(match.start(1), match.end(1), "session_cookie")


_SIGNED = re.compile(
    r"[?&](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token|key|code)=([\w%.~+/=-]{20,2000})",
    re.IGNORECASE | re.ASCII,
)


def _signed(text: str) -> Iterator[_Found]:
    """What signs or opens a link."""
    for match in _SIGNED.finditer(text):
        if not _is_placeholder(match.group(1)) and _is_random(match.group(1)):
            yield _Found(match.start(1), match.end(1), "url_signature")


_PASSWORD = r"(?:password|passwort|passphrase|passcode|passwd|(?<![a-z])(?:pass|pwd))"
_SECRET = (
    r"(?:(?:api|access|secret|private|account|auth|encryption|signing|license|licence|subscription|master|service"
    r"|shared[_-]?access|storage|app|admin|webhook|client|consumer)[_.-]?key(?:[_-]id(?<=private_key_id))?"
    r"|secret|token|credentials?)"
)
_NAMES = rf"(?:(?P<password>{_PASSWORD})|(?P<secret>{_SECRET}))"
_SUFFIX = r"(?:[_-]?(?:base|prod|production|live|staging|dev|test|old|new|primary|secondary|v?\d{1,2}))?"
_SEPARATOR = r"(?:\\?[\"'`]?\]?[ \t]{0,8}(?::=|=>|->|==?|:[ \t]{0,3}(?:&?'?str|string|final)[ \t]{0,3}=|:)[ \t]{0,8})"
_ASSIGNED = re.compile(rf"{_NAMES}{_SUFFIX}{_SEPARATOR}", re.IGNORECASE)
_FLAG = re.compile(
    rf"(?<!\S)--?[\w-]{{0,30}}?{_NAMES}[ \t]{{1,3}}"
    r"|\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|docker[ \t]+login)\b[^\n|;]{0,200}?[ \t]-p[ \t]?(?=\S)"
    r"|(?<!\S)(?:-u|--user|--proxy-user)[ \t=]{1,3}[\"']?(?P<user>[\w.@-]{1,60}):",
    re.IGNORECASE,
)
_PROSE_NAME = (
    r"\b(?:(?P<password>password|passwort|passphrase|passcode|kennwort|mot de passe|contraseña|senha|wachtwoord|пароль)"
    r"|(?P<secret>(?:api|access|secret|private|licen[cs]e)[ -]key|(?:\w+ )?(?:token|secret)))"
)
_TOLD = re.compile(
    rf"(?:{_PROSE_NAME}(?:[ \t]+(?:for|of|to|on|für|pour|para)\b[^.\n:;=]{{1,60}}?)?[ \t]+"
    r"(?:is|was|became|changed to|set to|reset to|to|ist|lautet|est|es|é|is nu)(?:[ \t]+(?:now|still|again|currently))?"
    rf"[ \t:]+|\b(?:with|using|mit|avec|con)[ \t]+(?:the[ \t]+)?(?P<bare>password|passphrase|passwort)[ \t]+"
    r"(?!(?:is|was|for|of|to|on|ist)\b))",
    re.IGNORECASE,
)
_VALUE = re.compile(
    rf"\\?\"(?P<double>[^\"\n\\]{{1,{VALUE_LIMIT_CHARS}}})\\?\"|\\?'(?P<single>[^'\n\\]{{1,{VALUE_LIMIT_CHARS}}})\\?'"
    rf"|`(?P<tick>[^`\n]{{1,{VALUE_LIMIT_CHARS}}})`|“(?P<curly>[^”\n]{{1,{VALUE_LIMIT_CHARS}}})”"
    rf"|(?P<plain>[^\s\"'`;“”]{{1,{VALUE_LIMIT_CHARS}}})"
)
_NOT_SECRET_TOKENS = re.compile(r"(?:page|next|cursor|continuation|sync|pad|eos|bos|csrf|public)[_-]?$", re.IGNORECASE)


def _assigned(text: str) -> Iterator[_Found]:
    """`password=…`, `"api_key": "…"`, `token: …`."""
    for match in _ASSIGNED.finditer(text):
        if not _NOT_SECRET_TOKENS.search(text, max(0, match.start() - 16), match.start()):
            yield from _valued(text, match, in_prose=False)


def _flags(text: str) -> Iterator[_Found]:
    """`--password …`, `-u name:…`, and `-p…` of programs that take a password there."""
    for match in _FLAG.finditer(text):
        yield from _valued(text, match, in_prose=False)


def _told(text: str) -> Iterator[_Found]:
    """A sentence that tells it: the password for staging is …"""
    for match in _TOLD.finditer(text):
        yield from _valued(text, match, in_prose=True)


def _valued(text: str, match: re.Match[str], *, in_prose: bool) -> Iterator[_Found]:
    value = _VALUE.match(text, match.end())
    if value is None:
        return
    group = value.lastgroup or "plain"
    told = value.group(group)
    if group == "plain":
        told = _PLAIN_END.split(told, maxsplit=1)[0].rstrip(",.)]}>:\\" if in_prose else ",)]}>\\")
    secret = match.group("secret")
    if group == "plain" and _CODE.match(told):
        return
    if _is_token(told) if secret else _is_password(told, in_prose=in_prose):
        kind = "password" if not secret else _kind_of(secret)
        yield _Found(value.start(group), value.start(group) + len(told), kind)


# Where a value without quotes ends though no blank follows: at the next parameter or field.
_PLAIN_END = re.compile(r"&(?=[\w.%-]+=)|&amp;|,(?=[\s\"'{\[]|\w+[\"']?[:=]|$)|\\[nrt](?=\W|\w|$)|</|\)(?=[.,;]|$)")
_CODE = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*+(?:\(|\[|\{|<)|[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)"
    r"[A-Za-z_$][a-zA-Z_$]*)+$|[a-z_$]{3,}[\w$]*(?:\.[a-z_$]{3,}[\w$]*)+$|[&*@(\[{<|]|![a-z]+$|[a-z]+\|"
)


def _kind_of(name: str) -> str:
    plain = name.lower()
    return next((kind for kind in ("token", "credential") if kind in plain), "api_key" if "key" in plain else "secret")


_PLACEHOLDER = re.compile(
    r"redacted|your|example|placeholder|change.?(?:me|this)|replace.?(?:me|this|with)|x{4,}|\*{3,}|•{2,}|\.{3}|…|_{4,}"
    r"|<[^>]*>|\$\{|\$\(|\{\{|%\(|\{[a-z_][\w. -]*\}|^\$[a-z_]\w*$|^\$env:|^%\w+%$|^#\{"
    r"|^(?:https?|file|vault|op|ref\+\w+|arn|env|secret|ssm|kms|gs|s3|projects|alias)[:/]|^(?:~|\.{1,2})?/\w+/"
    r"|^[a-z]:\\|^-----|^@microsoft|^enc\[|^sha\d{3}[:-]|^\d{4}-\d\d-\d\d|^v?\d+(?:\.\d+)+$|^0x[0-9a-f]+$",
    re.IGNORECASE,
)
_PLAIN_WORDS = frozenset(
    "my your the a an this password passwd pass pwd passphrase secret token key api db database user username admin"
    " root test demo example sample change me changeme replace placeholder dummy fake foo bar baz value string todo"
    " none null nil true false hidden masked redacted insert paste enter here some super long random s3cr3t"
    " p4ssw0rd letmein access auth client app private public hunter2 qwerty default empty unset required"
    " optional".split()
)
_ALGORITHM = re.compile(
    r"(?:1password|argon2\w*|pbkdf2\w*|bcrypt\w*|scrypt\w*|scram\S*|sha-?\d+\S*|md5\S*|base(?:32|58|64)\w*|utf-?(?:8"
    r"|16)"
    r"|(?:var)?char\S*|u?int\d+|oauth2?|rs256|hs256|es256|ed25519|aes\S*|rfc\d+|e\d{3,5}|[a-z]+\d?\.\w{2,4}|step\d+)$",
    re.IGNORECASE,
)
# Published samples that every tutorial repeats.
_SAMPLES = ("SflKxwRJSMeKKF2QT4", "QWxhZGRpbjpvcGVu", "4eC39HqLyjWDarjt", "1234567890abcdef", "0123456789abcdef")


def _is_sample(value: str) -> bool:
    return bool(re.search(r"example|redacted|x{5,}|your[-_]?|placeholder|\.{3}|\*{3}", value, re.IGNORECASE)) or any(
        sample in value for sample in _SAMPLES
    )


def _is_placeholder(value: str) -> bool:
    parts = [part for part in re.split(r"[^a-z0-9]+", value.lower()) if part]
    return (
        bool(_PLACEHOLDER.search(value))
        or len(set(value)) <= 2
        or all(part in _PLAIN_WORDS for part in parts)
        or any(sample in value for sample in _SAMPLES)
    )


def _is_password(value: str, *, in_prose: bool) -> bool:
    """Letters with digits or signs among them, or in a case that no word has."""
    if not 6 <= len(value) <= PASSWORD_LIMIT_CHARS or re.search(r"\s", value):
        return False
    if _is_placeholder(value) or _ALGORITHM.match(value):
        return False
    letters, digits = bool(re.search(r"[^\W\d_]", value)), bool(re.search(r"\d", value))
    if value.isdigit():
        return not in_prose
    if letters and digits:
        return len(value) >= 7 or not in_prose
    irregular = _chunk_chars(value) < 3 or (len(value) >= 12 and _chunk_chars(value) <= 4)
    return letters and (irregular or bool(re.search(r"[!@#$%^&*+~?]", value[:-1])))


def _is_token(value: str) -> bool:
    return len(value) >= 12 and not _is_placeholder(value) and (_is_uuid(value) or _is_random(value))


def _is_uuid(value: str) -> bool:
    return bool(re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", value, re.IGNORECASE)) and any(
        digit in value for digit in "123456789"
    )


def _is_random(value: str) -> bool:
    """Some part of it changes between cases and digits more often than a name does."""
    if re.search(r"\s", value) or len(set(value)) < 7:
        return False
    return any(
        (len(part) >= 6 and _chunk_chars(part) < 4)
        or (len(part) >= 20 and not part.isalpha() and not part.isdigit() and (part.islower() or part.isupper()))
        for part in re.split(r"[-_.~+/=:%,]", value)
    )


def _chunk_chars(value: str) -> float:
    """The mean length of its runs of one kind: words with their capital, capitals, digits."""
    chunks = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+", value)
    return sum(map(len, chunks)) / len(chunks) if chunks else len(value)
