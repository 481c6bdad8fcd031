"""Facts hold no secrets: neither signatures nor keys, words and addresses; names that code defines stay."""

from __future__ import annotations

import pytest

from codeagentd.extract.file_facts import extract
from codeagentd.languages.language import language_of
from codeagentd.model.facts import pack
from codeagentd.secrets.redaction import REMOVED
from codeagentd.secrets.scanner import detectors
from tests.harness.planted import PLACES, Place, fitting, secrets, shows

TOKEN = "gh" + "p_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", 'def f(password="V"): ...\n'), ("python", 'def f(a="""x\nV\n""", b=b"V"): ...\n'), ("python",
        'def f() -> Literal["V"]: ...\nx: Literal["V"]\n'),
        ("ruby", 'def f(a = %q(V), b = "V")\nend\n'), ("typescript",
        'import x from "https://ada:V@example.org/a.ts";\nimport y from "https://example.org/a.ts?token=V";\n'),
        ("typescript", 'class C { ["V"]() {} }\nenum E { A = "V" }\n'), ("kotlin", 'fun f(a: String = """V""") {}\n'), ("json", '{"V": {"V": 1}}\n'),
        ("yaml", "V: 1\n"),
        ("toml", "[V]\nV = 1\n"), ("bash", "export X=V\ncurl -H Basic V\n"), ("markdown", "# V\n"), ("php", "<?php\nfunction f($a = <<<X\nV\nX\n) {}\n"),
        ("csharp", 'class A { void F(string a = @"V") {} }\n'), ("scala", 'def f(a: String = "V") = 1\n'), ("hcl", 'resource "aws" "V" {}\n'), ("css",
        ".V { color: red }\n"),
        ("html", '<div id="V"></div>\n'), ("dockerfile", "FROM scratch\nENV A V\n"),
    ],
)  # fmt: skip
def test_no_fact_holds_a_secret(language: str, text: str) -> None:
    assert not shows(pack(extract(text.replace("V", TOKEN).encode(), language)), TOKEN)


def test_a_short_password_among_the_defaults_goes_and_the_parameter_stays() -> None:
    facts = extract(b'def connect(host="local", password="hunter' + b'2"): ...\n', "python")
    assert facts.symbols[1].signature == f'(host="local", password="{REMOVED}")'


def test_two_keys_that_are_secrets_stay_two() -> None:
    facts = extract(f'{{"{TOKEN}": 1, "{TOKEN[::-1]}": 2, "plain": 3}}'.encode(), "json")
    assert sorted(symbol.name for symbol in facts.symbols[1:]) == sorted([REMOVED, f"{REMOVED}2", "plain"])


def test_a_name_that_code_defines_stays_where_it_is_used() -> None:
    name = "build_3f786850e387550fdab836ed7e6dc881de23001b"
    facts = extract(f"def {name}(): ...\n{name}()\n".encode(), "python")
    assert facts.symbols[1].name == name
    assert facts.names == [name]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place.kind} in {place.path}")
def test_no_secret_of_any_kind_in_any_place_is_in_a_fact_and_nobody_is_asked(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detectors, "detected", _never)
    language = language_of(place.path)
    for secret in secrets() if language else ():
        if place in fitting(secret):
            facts = extract(place.holding(secret).encode(), language)
            assert not shows(pack(facts), secret.value), secret.kind


def _never(_data: bytes) -> list[tuple[int, int]]:
    raise AssertionError("asked")


def test_names_and_types_of_code_stay() -> None:
    source = "import kotlinx.coroutines.javafx.guide.exampleUiActor03\n\nfun draw(mesh: Vector2DPolygonMesh3D): Sha256Digest1234Sum = TODO()\n"
    facts = extract(source.encode(), "kotlin")
    draw = next(symbol for symbol in facts.symbols if symbol.name == "draw")
    assert (draw.signature, draw.returns) == ("(mesh: Vector2DPolygonMesh3D)", "Sha256Digest1234Sum")
    assert [(fact.module, fact.name) for fact in facts.imports] == [
        ("kotlinx.coroutines.javafx.guide", "exampleUiActor03")
    ]
