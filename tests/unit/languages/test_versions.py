"""A change of one language's data is a change for it, for those that use its data and for those that hold it; for no other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeagentd.languages import versions
from codeagentd.languages.language import languages


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    versions.version_of.cache_clear()
    yield
    versions.version_of.cache_clear()


def changed_by(monkeypatch: pytest.MonkeyPatch, folder: str) -> set[str]:
    before = {language: versions.version_of(language) for language in languages()}
    original = versions._data_of
    monkeypatch.setattr(
        versions, "_data_of", lambda other: original(other) + b"x" if other == folder else original(other)
    )
    versions.version_of.cache_clear()
    return {language for language in before if versions.version_of(language) != before[language]}


def test_a_change_of_a_language_leaves_the_others_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    holders = {name for name, language in languages().items() if language.rules.parts != "none"}
    assert {"markdown", "vue"} <= holders
    assert changed_by(monkeypatch, "go") == {"go"} | holders


def test_a_language_with_the_queries_of_another_changes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"typescript", "tsx"} <= changed_by(monkeypatch, "typescript")


def test_the_version_of_the_extractor_is_in_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {language: versions.version_of(language) for language in languages()}
    monkeypatch.setattr(versions, "EXTRACTOR_VERSION", 0)
    versions.version_of.cache_clear()
    assert all(versions.version_of(language) != before[language] for language in before)
