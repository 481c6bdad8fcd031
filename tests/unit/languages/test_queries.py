"""Whatever stands in a .scm file, loading it gives a query or says which file is wrong, where and why."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_protocol.errors import IndexFailed
from codeagentd.languages import grammar as grammars
from codeagentd.languages.grammar import grammar, query
from codeagentd.languages.language import QueryFile, is_parsed, languages, query_files
from codeagentd.languages.query_compiler import CAPTURES, compiled
from codeagentd.pipeline.rows.module_names import ModuleName
from codeagentd.pipeline.workers.file_reader import Reader
from codeagentd.pipeline.workers.messages import Job

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "12")) * 5
LANGUAGES = ("python", "typescript", "go", "lua", "markdown")
PIECES = [
    "(",
    ")",
    "[",
    "]",
    '"',
    "@",
    "@nobody.asks",
    "#eq? @x",
    '(#match? @name "(")',
    "(nonsense)",
    "field:",
    "!",
    "*",
    "\\",
    "\0",
    "\n",
    ";",
    "é",
    "\ud800",
    "_",
]


def query_error(language: str, files: Sequence[QueryFile]) -> str:
    """What loading says; '' when the query can be used."""
    try:
        compiled(grammar(language), files)
    except IndexFailed as error:
        return error.message
    return ""


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, tuple[QueryFile, ...]]:
    """The files of a language, one of them cut, mixed with something, or with a part of it somewhere else."""
    language = draw(st.sampled_from(LANGUAGES))
    files = list(query_files(language))
    number = draw(st.integers(0, len(files) - 1))
    path, text = files[number]
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 40)))
        put = draw(st.sampled_from(PIECES) | st.text(max_size=10) | st.just(text[end : end + 30]))
        text = text[:start] + put + text[end:]
    files[number] = QueryFile(path, text)
    return language, tuple(files)


@pytest.mark.limit(180)
@settings(max_examples=EXAMPLES, deadline=None, database=None)
@given(case=damaged())
def test_a_damaged_query_is_refused_by_file_and_line_or_still_is_one(case: tuple[str, tuple[QueryFile, ...]]) -> None:
    language, files = case
    if message := query_error(language, files):
        match = re.match(r"(\S+\.scm), line (\d+): \S", message)
        assert match, message
        (file,) = [file for file in files if file.path == match[1]]
        assert 1 <= int(match[2]) <= file.text.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("(module) @scope.file\n\n(nonsense) @def.class", 3, "nonsense"),
        ("(identifier nobody: (module)) @ref", 1, "nobody"),
        ("\n(module) @def.nonsense", 2, "unknown capture @def.nonsense"),
        ("(module) @def.clas", 1, "unknown capture @def.clas; did you mean 'class'"),
        ("; a comment\n(module) @clazz", 2, "unknown capture @clazz"),
        ("(module) @retuns.type", 1, "unknown capture @retuns.type; did you mean 'returns'"),
        ("(module", 1, "EOF"),
        ('(module) @doc\n(identifier) @name (#match? @name "(")', 2, "regular expression"),
        ("(identifier) @name (#eq? @other)", 1, "other"),
    ],
)
def test_what_is_wrong_is_told_by_file_and_line(text: str, line: int, why: str) -> None:
    whole = QueryFile("python/defs.scm", "(module) @doc\n" * 5)
    message = query_error("python", [whole, QueryFile("python/refs.scm", text)])
    assert message.startswith(f"python/refs.scm, line {line}: ")
    assert why in message


@pytest.mark.parametrize("language", sorted(filter(is_parsed, languages())))
def test_every_query_can_be_used(language: str) -> None:
    assert query(language).pattern_count or language == "notebook"  # what stands beside its cells has no names


def test_every_capture_that_may_be_is_in_some_query() -> None:
    used = {
        match[1]
        for language in languages()
        for file in query_files(language)
        for match in re.finditer(r"@(\w+)", file.text)
    }
    assert used >= CAPTURES


def test_a_language_whose_query_is_broken_costs_its_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = (QueryFile("lua/defs.scm", "(nonsense) @def.class"),)
    monkeypatch.setattr(
        grammars, "query_files", lambda language: broken if language == "lua" else query_files(language)
    )
    query.cache_clear()
    (tmp_path / "a.lua").write_text("x = 1\n")
    (tmp_path / "a.py").write_text("x = 1\n")
    reader = Reader(str(tmp_path), None)
    failed, fine = (
        reader.read(Job(path, language, "", ModuleName("a", "a")))
        for path, language in (("a.lua", "lua"), ("a.py", "python"))
    )
    assert (failed.status, fine.status) == ("failed", "full")
    assert "lua/defs.scm, line 1: " in failed.reason
    query.cache_clear()
