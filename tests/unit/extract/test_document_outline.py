"""Outlines of documents and data files stay outlines, however large the file is."""

from __future__ import annotations

import json

import pytest

from codeagentd.base.limits import MAX_KEYS
from codeagentd.extract.file_facts import extract
from codeagentd.languages.language import language_of


def names(source: bytes, language: str) -> list[str]:
    return [symbol.name for symbol in extract(source, language).symbols[1:]]


def test_a_table_of_data_is_cut_off() -> None:
    listed = names(json.dumps({f"key{number}": 1 for number in range(3 * MAX_KEYS)}).encode(), "json")
    assert listed == [f"key{number}" for number in range(MAX_KEYS)]


def test_of_a_large_data_file_the_outer_keys_stay() -> None:
    listed = names(json.dumps({f"key{number}": {"inner": number} for number in range(MAX_KEYS)}).encode(), "json")
    assert listed == [f"key{number}" for number in range(MAX_KEYS)]


def test_elements_of_arrays_are_no_keys() -> None:
    assert names(b'{"a": [{"b": 1}], "c": {"d": [{"e": {"f": 1}}]}}', "json") == ["a", "c", "d"]


def test_deep_nesting_is_no_trouble() -> None:
    assert names(b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "json") == ["a"] * 4
    assert names(b"<div>" * 2_000 + b"</div>" * 2_000, "html") == []


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("Dockerfile", "dockerfile"), ("docker/Dockerfile.web", "dockerfile"), ("api.dockerfile", "dockerfile"), ("Makefile", "make"), ("GNUmakefile", "make"),
        ("rules.mk", "make"), ("Makefile.am", "make"), ("README.MD", "markdown"), ("a.jsonc", "json"), ("main.tf", "hcl"), ("a.spec.json", "json"),
        ("Dockerfiles", None),
    ],
)  # fmt: skip
def test_a_file_is_known_by_its_name(path: str, language: str | None) -> None:
    assert language_of(path) == language
