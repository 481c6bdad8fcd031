"""Made-up secrets of every kind in every place where people leave them; put together at run time, so that no scanner of a forge fires at this file."""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

LETTERS: Final = string.ascii_letters
MIXED: Final = LETTERS + string.digits
UPPER: Final = string.ascii_uppercase
UPPER_DIGITS: Final = UPPER + string.digits
HEX: Final = "0123456789abcdef"
BASE64: Final = MIXED + "+/"
BECH: Final = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
PIECE: Final = 12  # characters in a row by which a secret is recognised


class Secret(msgspec.Struct, frozen=True):
    """One secret. `text` is what stands in a file, `value` the part of it that must not show; `name` is what it is assigned to.

    `alone`: its look gives it away; else only the name does.
    """

    kind: str
    value: str
    name: str = "api_token"
    text: str = ""
    alone: bool = True

    @property
    def written(self) -> str:
        """As it stands in a file."""
        return self.text or self.value


class Place(msgspec.Struct, frozen=True):
    """One way to write a secret down. `named`: its name stands beside it; `never`: characters that what stands there cannot have; `path` says the language."""

    kind: str
    path: str
    line: str  # {name}, {NAME}, {camel}, {value}
    named: bool = True
    never: str = ""

    def holding(self, secret: Secret) -> str:
        """The line with the secret in it."""
        words = secret.name.split("_")
        camel = words[0] + "".join(map(str.capitalize, words[1:]))
        fields = {"{name}": secret.name, "{NAME}": secret.name.upper(), "{camel}": camel, "{value}": secret.written}
        line = self.line
        for field, text in fields.items():
            line = line.replace(field, text)
        return line


PLACES: Final = (
    Place("constant", "a.py", '{NAME} = "{value}"\n'),
    Place("annotated", "b.py", "class Settings:\n    {name}: str = '{value}'\n"),
    Place("default", "c.py", 'def connect(host, {name}="{value}", port=1):\n    """Connect."""\n'),
    Place("argument", "d.py", 'client = Client(host, {name}="{value}")\n'),
    Place("entry", "e.py", 'SETTINGS = {"{name}": "{value}"}\n'),
    Place("comment", "f.py", "# rotated last week: {value}\ndef f(): ...\n", named=False),
    Place("docstring", "g.py", 'def g():\n    """Call it with {value} and wait."""\n', named=False),
    Place("other name", "h.py", 'x1 = "{value}"\n', named=False),
    Place("constant", "a.js", "const {camel} = '{value}';\n"),
    Place("typed", "a.ts", "export const {camel}: string = `{value}`;\n"),
    Place("entry", "a.json", '{"{name}": "{value}"}\n'),
    Place("entry", "a.yaml", "service:\n  {name}: {value}\n"),
    Place("quoted", "b.yaml", 'service:\n  {name}: "{value}"\n'),
    Place("entry", "a.ini", "[service]\n{name} = {value}\n"),
    Place("entry", "a.toml", '[service]\n{name} = "{value}"\n'),
    Place("export", "a.sh", "export {NAME}={value}\n", never=" "),
    Place("environment", "Dockerfile", "FROM scratch\nENV {NAME}={value}\n"),
    Place("code", "a.md", "Log in with `{value}` first.\n", named=False),
    Place("query", "b.md", "See https://api.example.org/v1/list?{name}={value}\n"),
    Place("element", "a.xml", "<settings><{name}>{value}</{name}></settings>\n"),
    Place("constant", "a.go", 'package a\n\nconst {camel} = "{value}"\n'),
    Place("field", "A.java", 'class A {\n    static final String {NAME} = "{value}";\n}\n'),
    Place("constant", "a.rb", '{NAME} = "{value}"\n'),
    Place("define", "a.php", "<?php\n${name} = '{value}';\n"),
    Place("parameter", "a.kt", 'fun connect({camel}: String = "{value}") {}\n'),
    Place("static", "a.rs", 'static {NAME}: &str = "{value}";\n'),
    Place("literal type", "b.ts", 'export type {camel} = "{value}";\n'),
    Place("literal types", "c.ts", 'export function use(one: "{value}"): "{value}" { return one }\n', named=False),
    Place(
        "literal",
        "i.py",
        'from typing import Literal\n\ndef use({name}: Literal["{value}"], other="{value}") -> Literal["{value}"]: ...\n',
        named=False,
    ),
    Place("heading", "c.md", "## Rotate {value}\n\nAnd wait.\n", named=False),
    Place("id", "a.html", '<div id="{value}" class="{value}">text</div>\n', named=False, never=" "),
    Place("key", "b.json", '{"{value}": 1}\n', named=False),
    Place(
        "route",
        "j.py",
        "from flask import Flask\n\napp = Flask(__name__)\n\n@app.get('/hook/{value}')\ndef hook(): ...\n",
        named=False,
        never=" /",
    ),
    Place("request", "b.js", "fetch('https://api.example.org/v1/{value}/send')\n", named=False, never=" /"),
    Place(
        "fixture", "test_k.py", 'import pytest\n\n@pytest.fixture\ndef {name}():\n    return "{value}"\n', named=False
    ),
    Place("property", "a.properties", "service.{name}={value}\n"),
    Place("variable", "env.example", "{NAME}={value}\n", never=" "),
    Place("compose", "docker-compose.yml", "services:\n  db:\n    environment:\n      - {NAME}={value}\n"),
    Place("block", "a.tf", 'variable "{name}" {\n  default = "{value}"\n}\n', named=False),
)


class Forge:
    """Makes secrets; the same seed makes the same ones."""

    def __init__(self, seed: int = 5) -> None:
        self.random = random.Random(seed)

    def of(self, alphabet: str, length: int) -> str:
        """So many characters of an alphabet."""
        return "".join(self.random.choice(alphabet) for _ in range(length))

    def encoded(self, length: int) -> str:
        """So many random bytes in base64."""
        return base64.b64encode(self.random.randbytes(length)).decode()

    def stripe_key(self) -> str:
        """A key that its issuer marks."""
        return f"sk_{'live'}_{self.of(MIXED, 24)}"

    def key_lines(self) -> str:
        """The body of a private key."""
        return "\n".join([self.of(BASE64, 64) for _ in range(8)] + [self.of(BASE64, 27) + "="])

    def web_token(self) -> str:
        """A signed JSON web token."""
        head, body = ({"alg": "HS256", "typ": "JWT"}, {"sub": self.of(MIXED, 12), "iat": 1_516_239_022})
        parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (head, body)]
        return ".".join([*parts, self.of(MIXED, 43)])


# kind -> what comes first (in two pieces), the alphabet and length of the rest
_PREFIXED: Final[dict[str, tuple[str, str, str, int]]] = {
    "AWS key id": ("AK", "IA", UPPER + "234567", 16),
    "AWS session key id": ("AS", "IA", UPPER + "234567", 16),
    "GitHub token": ("gh", "p_", MIXED, 36),
    "GitHub OAuth token": ("gh", "o_", MIXED, 36),
    "GitLab token": ("glp", "at-", MIXED, 20),
    "Stripe key": ("sk_", "live_", MIXED, 24),
    "Stripe restricted key": ("rk_", "live_", MIXED, 24),
    "Google API key": ("AI", "za", MIXED, 35),
    "Google client secret": ("GOC", "SPX-", MIXED, 28),
    "npm token": ("np", "m_", MIXED, 36),
    "PyPI token": ("py", "pi-AgEIcHlwaS5vcmc", MIXED, 100),
    "OpenAI key": ("sk", "-", MIXED, 48),
    "Anthropic key": ("sk-", "ant-api03-", MIXED, 93),
    "Hugging Face token": ("h", "f_", LETTERS, 34),
    "Twilio key": ("S", "K", HEX, 32),
    "Mailgun key": ("ke", "y-", HEX, 32),
    "DigitalOcean token": ("dop", "_v1_", HEX, 64),
    "Heroku key": ("HRKU", "-AA", MIXED, 58),
    "Shopify token": ("shp", "at_", HEX, 32),
    "Square token": ("sq0", "atp-", MIXED, 22),
    "Databricks token": ("da", "pi", HEX, 32),
    "Vault token": ("hv", "s.", MIXED, 95),
    "Azure DevOps token": ("", "", "abcdefghijklmnopqrstuvwxyz234567", 52),
    "Linear key": ("lin_", "api_", MIXED, 40),
    "Docker Hub token": ("dckr", "_pat_", MIXED, 27),
    "New Relic key": ("NR", "AK-", UPPER_DIGITS, 27),
    "age key": ("AGE-SECRET", "-KEY-1", BECH, 58),
    "RubyGems key": ("ruby", "gems_", HEX, 48),
    "PlanetScale password": ("pscale", "_pw_", MIXED, 43),
}


def secrets(seed: int = 5) -> tuple[Secret, ...]:
    """One of every kind that fits on a line."""
    forge = Forge(seed)
    return (*_issued(forge), *_composed(forge), *_generic(forge))


def _issued(forge: Forge) -> list[Secret]:
    """Those that their issuer marks: the mark itself is no secret."""
    made = []
    for kind, (first, second, alphabet, length) in _PREFIXED.items():
        value = forge.of(alphabet, length)
        made.append(Secret(kind, value, text=first + second + value))
    return made


def _composed(forge: Forge) -> list[Secret]:
    """Those of several parts."""
    password, basic = forge.of(MIXED, 14), base64.b64encode(f"ada:{forge.of(MIXED, 14)}".encode()).decode()
    bot = f"{forge.of('123456789', 9)}:AA{forge.of(MIXED, 33)}"
    bearer, account, hook = forge.of(MIXED, 40), forge.encoded(64), forge.of(MIXED, 24)
    return [
        Secret(
            "Slack token",
            "xo" + f"xb-{forge.of(string.digits, 12)}-{forge.of(string.digits, 12)}-{forge.of(MIXED, 24)}",
        ),
        Secret(
            "Slack webhook",
            hook,
            "hook",
            f"https://hooks.slack.com/services/T{forge.of(UPPER_DIGITS, 8)}/B{forge.of(UPPER_DIGITS, 8)}/{hook}",
        ),
        Secret("SendGrid key", "S" + f"G.{forge.of(MIXED, 22)}.{forge.of(MIXED, 43)}"),
        Secret("Mailchimp key", f"{forge.of(HEX, 32)}-us12"),
        Secret("Azure client secret", f"{forge.of(MIXED, 3)}8Q~{forge.of(MIXED + '_.~-', 34)}"),
        Secret("Heroku UUID", f"{uuid.UUID(int=forge.random.getrandbits(128))}", "heroku_api_key", alone=False),
        Secret("Telegram address", bot, "hook", f"https://api.telegram.org/bot{bot}/send"),
        Secret("Telegram token", f"{forge.of(string.digits, 10)}:AA{forge.of(MIXED, 33)}"),
        Secret("Discord token", f"M{forge.of(MIXED, 23)}.{forge.of(MIXED, 6)}.{forge.of(MIXED, 27)}"),
        Secret("JSON web token", forge.web_token()),
        Secret("Azure account key", account, "storage", f"DefaultEndpointsProtocol=https;AccountKey={account}"),
        Secret("password in a URL", password, "database", f"postgres://ada:{password}@db.example.org/shop"),
        Secret("basic authorization", basic, "header", f"Authorization: Basic {basic}"),
        Secret("bearer authorization", bearer, "header", f"Authorization: Bearer {bearer}"),
    ]


def _generic(forge: Forge) -> list[Secret]:
    """Those that no issuer marks."""
    return [
        Secret("AWS secret key", forge.of(BASE64, 38) + "a1", "aws_secret_access_key"),
        Secret("random hex", forge.of(HEX, 32), "signing_key"),
        Secret("random base64", forge.encoded(32), "encryption_key"),
        Secret("password", "hunter" + "2", "password", alone=False),
        Secret("password with signs", "tu" + "l!ps-4-M0m", "db_password", alone=False),
        Secret("short random password", "q7" + forge.of(MIXED, 10) + "3", "admin_password", alone=False),
        Secret(
            "short client secret",
            "c3" + forge.of(string.ascii_lowercase + string.digits, 12),
            "client_secret",
            alone=False,
        ),
    ]


def blocks(seed: int = 5) -> dict[str, tuple[str, str]]:
    """Keys of several lines: kind -> (text, body)."""
    forge = Forge(seed)

    def framed(kind: str) -> tuple[str, str]:
        body = forge.key_lines()
        return f"-----BEGIN {kind}PRIVATE" + f" KEY-----\n{body}\n-----END {kind}PRIVATE" + " KEY-----\n", body

    found = {kind.strip() or "PKCS8": framed(kind) for kind in ("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ")}
    text, body = framed("")
    found["service account"] = (json.dumps({"type": "service_account", "private_key": text}) + "\n", body)
    body = forge.key_lines()
    found["PuTTY"] = (
        "PuTTY-User-Key-File-3: ssh-rsa\nPrivate" + f"-Lines: 9\n{body}\nPrivate-MAC: {forge.of(HEX, 64)}\n",
        body,
    )
    return found


def shows(text: str | bytes, secret: str) -> bool:
    """Whether a part of a secret is in a text, in any letter case."""
    data = text.encode() if isinstance(text, str) else text
    data, wanted = data if data.islower() else data.lower(), secret.lower().encode()
    return any(wanted[at : at + PIECE] in data for at in range(0, max(1, len(wanted) - PIECE + 1), PIECE))


def leaked(text: str | bytes, wanted: Mapping[str, str]) -> list[str]:
    """Which of these secrets, kind -> value, a text shows."""
    data = (text.encode() if isinstance(text, str) else text).lower()
    return [kind for kind, value in wanted.items() if shows(data, value)]


def fitting(secret: Secret) -> tuple[Place, ...]:
    """The places in which a secret can be told for one."""
    return tuple(
        place for place in PLACES if (secret.alone or place.named) and not set(place.never) & set(secret.written)
    )


def planted(seed: int = 5, most: int = len(PLACES)) -> dict[str, str]:
    """Files of a repository in which every secret stands in so many places at most: path -> text. No file is a secret by its name."""
    chance = random.Random(seed)
    files: dict[str, list[str]] = {}
    write: Callable[[str, str], None] = lambda path, text: files.setdefault(path, []).append(text)  # noqa: E731
    for number, secret in enumerate(secrets(seed)):
        for place in chance.sample(places := fitting(secret), min(most, len(places))):
            write(f"shop{number}/{place.path}", place.holding(secret))
    for number, (text, _) in enumerate(blocks(seed).values()):
        write(
            f"blocks/b{number}.py",
            f'def open_it{number}():\n    """Open."""\n\n\nKEY{number} = """\n{text}"""\n\n\ndef close_it{number}(): ...\n',
        )
    return {path: "".join(texts) for path, texts in files.items()}
