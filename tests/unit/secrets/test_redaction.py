"""What is taken out of a text, and what stays: every kind of secret in every place, ordinary code, hostile text."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagentd.secrets.redaction import NAME, REMOVED, is_suspect, judged, names_in, redacted, without_doubts
from codeagentd.secrets.scanner import detectors
from tests.harness.planted import Secret, blocks, fitting, secrets, shows

ROOT = Path(__file__).resolve().parents[3]
ISSUED = "fig" + "d_FMzekVIV5GPy15VfiwfqGP6gGTahvKXifwkWbqzW"  # nothing but an issuer's rule knows it
TOKEN = "gh" + "p_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"


@pytest.mark.parametrize("secret", secrets(), ids=lambda secret: secret.kind)
def test_a_secret_is_taken_out_wherever_it_stands(secret: Secret) -> None:
    for place in fitting(secret):
        text = place.holding(secret)
        clean = redacted(text)
        assert not shows(clean, secret.value), f"{place.kind} in {place.path}"
        assert clean.count("\n") == text.count("\n")


def test_names_stay() -> None:
    assert redacted('DB_PASSWORD = "hunter' + '2"') == f'DB_PASSWORD = "{REMOVED}"'
    assert redacted("postgres://ada:tu" + "lips99@db.example/x") == f"postgres://ada:{REMOVED}@db.example/x"


@pytest.mark.parametrize("kind", blocks())
def test_a_private_key_is_taken_out_whole_and_in_part_and_lines_stay_where_they_are(kind: str) -> None:
    text, body = blocks()[kind]
    text = f"before\n{text}after\n"
    half = text.rindex("\n", 0, len(text) // 2) + 1
    for part in (text, text[:half], text[half:]):
        clean = redacted(part)
        assert not [line for line in body.split("\n") if line in clean]
        assert clean.count("\n") == part.count("\n")
    assert redacted(text).startswith("before\n")
    assert redacted(text).endswith("after\n")


@pytest.mark.parametrize(
    "text",
    [
        "def authenticate_user_with_password(user): ...", "import codeagentd.pipeline.rows.module_naming.documents", "token = next(tokens)", "password = None",
        "sha256_of_utf8_text_2024_12", "password: str = ''", 'token_type = "bearer"', 'TOKEN_URL = "https://auth.example.org/oauth/token"',
        "secret = self.secret2",
        'label = "password"', 'password = os.environ["DB_PASSWORD"]', "password: ${DB_PASSWORD}", "postgres://ada:${PASSWORD}@db/x",
        'raise ValueError("token expected")',
        "uses: actions/checkout@b4ffde65f46336ab88eb53be808477a3936bae11", "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "id: 123e4567-e89b-12d3-a456-426614174000",
        '"integrity": "sha512-Xn8dR3pQm5sT7vW9yB1cE3fG5hJ7kL9nP1qS3uV5wX7zA9bD1eF3gH5jK7mN9pR1tV3xZ5=="',
        "--hash=sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934c",
        "background: url(/static/images/header-background-2024.png)", "key = (first, second)", "for key, value in pairs: ...", "password_min_length = 12",
        'if "-----BEGIN PRIVATE KEY-----" in text:\n    return Kind.KEY\n\n\ndef other(): ...',
    ],
)  # fmt: skip
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redacted(text) == text


def test_a_random_path_segment_goes_and_the_address_stays() -> None:
    assert (
        redacted("https://gist.example.org/ada/226886fd01572964e1431ac8afc999ce")
        == f"https://gist.example.org/ada/{REMOVED}"
    )


def test_a_comment_cannot_switch_the_detectors_off() -> None:
    assert TOKEN not in redacted(f'x = "{TOKEN}"  # kingfisher:ignore gitleaks:allow pragma: allowlist secret nosec\n')
    assert detectors.detected(f'x = "{TOKEN}"  # kingfisher:ignore gitleaks:allow\n'.encode())


def test_places_are_counted_in_bytes_and_found_among_other_characters() -> None:

    assert redacted(f"größe = '😀' # {ISSUED} é") == f"größe = '😀' # {REMOVED} é"


def test_issuers_rules_are_not_asked_about_ordinary_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_data: bytes) -> list[tuple[int, int]]:
        raise AssertionError("asked")

    monkeypatch.setattr(detectors, "detected", never)
    assert redacted("def getInteger64Field(value_2): return RemovedInVersion60Warning\n" * 50)
    assert judged(f"# {ISSUED}").is_doubtful


def test_what_our_rules_take_out_of_a_signature_is_suspect() -> None:
    for secret in secrets():
        line = f'(host, {secret.name}="{secret.written}")'
        assert is_suspect(line) or judged(line).text == line


def test_a_long_literal_of_letters_that_make_no_words_is_suspect_in_a_signature() -> None:
    signature = '(host, seed="kDjfhGqwZxcVbnMpoIuyTreWqlKj")'
    assert without_doubts(signature, is_code=True) != signature
    assert is_suspect(signature)
    assert not is_suspect('(host, seed="short")')


NAME_PIECES = [
    "pass", "w", "ord", "phrase", "pwd", "secret", "token", "credential", "s", "key", "api", "access", "auth", "client", "_", "-", "=", ":", "a", " ", "\n",
]  # fmt: skip


@given(st.lists(st.sampled_from(NAME_PIECES), max_size=14).map("".join))
def test_names_of_secrets_are_found_where_their_expression_matches(text: str) -> None:
    assert [found.span() for found in names_in(text)] == [found.span() for found in NAME.finditer(text)]


@pytest.mark.parametrize(
    "piece",
    [
        "a", "0a", "password=", 'password = "', "password : ", "api_key", "://", "://a:", "a.", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
        "bearer ", '"',
        'password="\\', "secret" + " " * 50, "<token>aaaa", "-----END PRIVATE KEY-----\n-----BEGIN PRIVATE KEY-----\n", "Private-Lines: 3\n",
        "a1b2c3d4e5f6g7h8 ", "abcd\n", "server=x;pwd ;", "uid=a;a=pwd;", "name: pass\n value: ",
        'İpassword="x1x1x1"', TOKEN + " ", "-----BEGIN PRIVATE KEY-----" + "+" * 170 + "!",
    ],
)  # fmt: skip
def test_hostile_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    text = (piece * (300_000 // len(piece) + 1))[:300_000]
    started = time.process_time()
    assert redacted(text).count("\n") == text.count("\n")
    assert (
        time.process_time() - started < 5.0
    )  # it takes up to 0.4 s; what thinks twice about every character takes minutes


def test_issuers_rules_are_bounded_to_releases_that_were_measured() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [line for line in wanted if line.startswith("kingfisher-secret-scanner>=") and ",<" in line]


@pytest.mark.parametrize(
    ("path", "line", "value"),
    [
        ("a.yaml", "db_password: {}", "correcthorsexyz"),
        ("compose.yml", "      - MYSQL_ROOT_PASSWORD: {}", "tulipfield"),
        ("Dockerfile", "ENV DB_PASSWORD={}", "correcthorsexyz"),
        ("start.sh", "export DB_PASSWORD={}", "correcthorsexyz"),
        (".env.example", "DB_PASS={}", "tulipfield"),
        ("app.properties", "spring.datasource.password={}", "correcthorsexyz"),
        ("a.ini", "password = {}  ; of the test", "tulipfield"),
        ("a.yaml", "password: {}", "tall abcde river fghijk"),
        ("a.py", 'PASSWORD = "{}"', "tall abcde river fghijk"),
        ("a.yaml", "API_SECRET: {}", "482913" + "7756120934"),
        ("a.py", "password = {}", "48291377"),
        ("a.yaml", "api_key: {}", "482913" + "7756120934"),
        ("a.yaml", "password: {}", "abc9!"),
        ("a.ini", "password={}", "abc9!"),
        ("k8s.yaml", "env:\n- name: DB_PASSWORD\n  value: {}", "correcthorsexyz"),
        ("k8s.yaml", "env:\n- name: DB_PASSWORD\n  value: '{}'  # of the test", "correcthorsexyz"),
        ("task.json", '{{"name": "MYSQL_ROOT_PASSWORD", "value": "{}"}}', "tulipfield"),
        ("task.json", '{{\n  "name": "DB_PASSWORD",\n  "value": "{}"\n}}', "tulipfield"),
        ("app.config", 'connectionString="Server=db;Database=shop;User Id=ann;Password={};Pooling=true"', "tulipfield"),
        ("a.cs", 'var s = "Data Source=db; Pwd={}";', "correcthorsexyz"),
    ],
)  # fmt: skip
def test_a_value_without_quotes_is_taken_out(path: str, line: str, value: str) -> None:
    text = f"first: 1\n{line.format(value)}\nlast: 2\n"
    assert redacted(text, path) == f"first: 1\n{line.format(REMOVED)}\nlast: 2\n"


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "    password: SecretText"), ("a.ts", "  password: passwordValue"), ("a.py", "password = settings"), ("a.kt", "val password: String"),
        ("a.yaml", "password: string"), ("a.yaml", "password: true"), ("a.yaml", "password: ${DB_PASSWORD}"), ("a.yaml", "password: {{ vault }}"),
        ("a.yaml", "password: *shared"), ("a.yaml", "password:"), ("a.yaml", "password_file: secretsfile"), ("a.yaml", "password: /run/secrets/db"),
        ("a.yaml", "parse-passwd: 1.0.0"), ("a.yaml", "token: tokenizer"), ("a.yaml", "min_password: 12"), ("a.yaml", "max_tokens: 1000000"),
        ("locales/de.yml", "password: Kennwort"), ("app/i18n/nl.yaml", "password: wachtwoord"), ("messages_fi.properties", "password=salasana"),
        ("a.py", 'password = "please enter your new one"'), ("a.json", '"password": "the password must not be empty"'),
        ("form.js", "name: 'password', value: formState"), ("form.json", '{"name": "password", "value": "Your password"}'),
        ("k8s.yaml", "- name: DB_PASSWORD\n  valueFrom: reference"), ("k8s.yaml", "- name: DB_PASSWORD\n  value: $(OTHER)"),
        ("a.cs", '"Server={0};Password={1};"'), ("a.js", "server=1;password=input.value;"), ("k8s.yaml", "name: passwords\nvalue: many"),
        ("a.sh", "export DB_PASSWORD=$OTHER"), ("a.sh", "PASSWORD=$(cat file)"), ("a.yaml", "description: the password: of a user"),
    ],
)  # fmt: skip
def test_what_only_speaks_of_a_password_stays(path: str, line: str) -> None:
    assert redacted(line, path) == line


def test_a_compiler_s_commit_in_a_backtrace_stays() -> None:
    frame = "   at /rustc/82e1608dfa6e0b5569232559e3d385fea5a93112/library/core/src/panicking.rs:72:14"
    assert redacted(frame) == frame


@pytest.mark.parametrize(
    "kind",
    [
        "Azure DevOps token",
        "Hugging Face token",
        "Azure client secret",
        "Telegram address",
        "GitLab token",
        "Stripe key",
    ],
)
def test_our_own_rules_know_keys_by_their_marks_whatever_follows(kind: str) -> None:
    for seed in range(60):
        secret = next(one for one in secrets(seed) if one.kind == kind)
        assert not shows(judged(f"x1 = '{secret.written}'").text, secret.value)
        assert not shows(without_doubts(f"(x: '{secret.written}')", is_code=True), secret.value)


def test_names_of_types_stay_in_a_signature_and_random_literals_go() -> None:
    signature = "(x: Vector2DPolygonMesh3D<'BSONRuntimeError' | 'a1b2c3d4e5f6g7h8'>, y: \"qwrtzpsdfghjklmnbvcx\")"
    assert (
        without_doubts(signature, is_code=True)
        == f"(x: Vector2DPolygonMesh3D<'BSONRuntimeError' | '{REMOVED}'>, y: \"{REMOVED}\")"
    )
