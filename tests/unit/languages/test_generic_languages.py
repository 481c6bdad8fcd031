"""Languages that only their grammars are known of: what is found in them, and that their parsers are safe to run."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Final, get_args

import pytest
from tree_sitter_language_pack import SupportedLanguage

from codeagentd.extract.file_facts import extract
from codeagentd.languages import dialects
from codeagentd.languages.generic_table import TABLE, generic_rows
from codeagentd.languages.language import GENERIC, OTHER, language_of, languages
from codeagentd.model.file_kinds import DATA_LANGUAGES
from codeagentd.model.kinds import SymbolFlag, SymbolKind
from tests.harness import generic_queries
from tests.harness.generic_queries import DATA, PACK, PLACE, read_examples, read_table
from tests.harness.grammar_trials import failures

ROWS: Final = sorted(generic_rows())
PORTIONS: Final = [ROWS[start::6] for start in range(6)]
# of the languages whose queries take least time to derive
DERIVED: Final = ("asm", "bibtex", "capnp", "ini", "kdl", "ninja", "ron", "tcl")
# which of these a name is depends on its form and its place: MAX in capitals, a function in a class
_ALIKE: Final = {"constant": "variable", "field": "variable", "method": "function"}


def outline(source: str, language: str) -> list[str]:
    facts = extract(source.encode(), language)
    return [f"{SymbolKind(symbol.kind).label} {symbol.name}" for symbol in facts.symbols[1:]]


def alike(definitions: Sequence[str]) -> list[str]:
    words = [re.sub(r"@\d$", "", definition).split(" ", 1) for definition in definitions]
    return sorted(f"{_ALIKE.get(kind, kind)} {name}" for kind, name in words)


@pytest.mark.parametrize("language", ROWS)
def test_the_definitions_of_an_example_are_found(language: str) -> None:
    example = read_examples()[language]
    assert alike(outline(example["source"].lstrip("\n"), language)) == alike(example["defines"])


@pytest.mark.limit(300)
@pytest.mark.parametrize("portion", PORTIONS, ids=[portion[0] for portion in PORTIONS])
def test_no_grammar_crashes_hangs_or_grows_on_sources_and_on_noise(portion: list[str]) -> None:
    assert failures(portion) == []


@pytest.mark.long
@pytest.mark.limit(3_600)
@pytest.mark.parametrize("seed", range(1, 6))
def test_no_grammar_crashes_on_more_noise(seed: int) -> None:
    assert failures(ROWS, seed) == []


def test_a_grammar_that_hangs_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.harness.grammar_trials.SILENT_S", 0.0)
    assert any("silent" in failure for failure in failures(["ini"]))


def test_every_grammar_of_the_pack_has_a_language_or_a_reason() -> None:
    used = {language.grammar for language in languages().values()}
    left_out: dict[str, str] = read_table()["left_out"]
    assert [name for name in get_args(SupportedLanguage) if name not in used and name not in left_out] == []
    assert [name for name in left_out if name in used] == []
    assert all(left_out.values())


def test_a_language_with_a_folder_has_no_row() -> None:
    folders = {folder.name for folder in DATA.iterdir() if (folder / "language.toml").is_file()}
    assert folders.isdisjoint(ROWS)
    grammars = [language.grammar for name, language in languages().items() if name in folders]
    assert {row.grammar for row in generic_rows().values()}.isdisjoint(grammars)


def test_queries_are_those_of_the_table_and_of_the_pinned_grammars() -> None:
    table = read_table()
    assert table["pack"] == version(PACK), "the grammars have changed: make grammars"
    assert {file.stem for file in PLACE.glob("*.scm")} == set(ROWS) == set(read_examples())
    assert {name: generic_queries.digest_of(name) for name in ROWS} == {
        name: row["digest"] for name, row in table["languages"].items()
    }, "make grammars"


@pytest.mark.parametrize("language", DERIVED)
def test_a_query_is_what_its_grammar_and_example_give(language: str) -> None:
    row: dict[str, Any] = read_table()["languages"][language]
    query = generic_queries.derived(row, read_examples()[language])
    assert query == (PLACE / f"{language}.scm").read_text(encoding="utf-8"), "make grammars"


def test_the_table_has_one_language_a_line_so_that_a_change_reads_well() -> None:
    text = (PLACE / TABLE).read_text(encoding="utf-8")
    assert text == generic_queries.rendered(read_table())


def test_names_of_data_are_no_code() -> None:
    assert {name for name, row in generic_rows().items() if row.data} == DATA_LANGUAGES
    assert all(languages()[name].modules.is_data for name in DATA_LANGUAGES)


def test_comments_document_and_names_are_mentioned() -> None:
    facts = extract(b"# Lends a book.\nproc lend(days: int): int =\n  remaining(days)\n", "nim")
    assert facts.symbols[1].flags & SymbolFlag.DOC_COMMENT
    assert "remaining" in facts.names


@pytest.mark.parametrize(
    ("path", "source", "language"),
    [
        ("shelf.v", "module shelf(input clk);\nendmodule\n", "verilog"),
        ("shelf.v", "module shelf\n\npub fn lend() {}\n", "v"),
        ("shelf.v", "Require Import List.\nLemma a : b.\n", OTHER),
        ("shelf.m", "#import <Foundation/Foundation.h>\n@implementation Shelf\n@end\n", "objc"),
        ("shelf.m", "% Lends.\nfunction weeks = lend(days)\nend\n", "matlab"),
        ("shelf.pl", "use strict;\nsub lend { }\n", "perl"),
        ("shelf.pl", ":- module(shelf, [lend/1]).\nlend(X) :- find(X).\n", OTHER),
        ("shelf.cls", "public class Shelf { }\n", "apex"),
        ("shelf.cls", "\\NeedsTeXFormat{LaTeX2e}\n", "latex"),
        ("shelf.d", "shelf.o: shelf.c shelf.h\n", OTHER),
        ("shelf.d", "module shelf;\nvoid lend() {}\n", "d"),
        ("shelf.t", "Once upon a time\n", OTHER),
        ("shelf.scm", "(define (lend title) title)\n", "scheme"),
        ("shelf.scm", "(call function: (identifier) @name)\n", "query"),
        ("shelf.pp", "class shelf { }\n", "puppet"),
        ("shelf.pp", "unit Shelf;\ninterface\n", "pascal"),
        ("firestore.rules", "rules_version = '2';\nservice cloud.firestore { }\n", OTHER),
        ("10-reader.rules", 'SUBSYSTEM=="usb", MODE="0666"\n', "udev"),
        ("shelf.config", "limit = 3\n", OTHER),
        ("web.config", "<configuration/>\n", "xml"),
    ],
)
def test_the_language_of_a_shared_extension_is_told_by_the_content(path: str, source: str, language: str) -> None:
    presumed = language_of(path)
    assert presumed is not None
    assert dialects.language_of_source(source.encode(), presumed) == language


def test_patterns_for_content_take_linear_time() -> None:
    began = time.process_time()
    for name, language in languages().items():
        if language.tier == GENERIC:
            for text in (b"(" * 8_192, b" \t" * 4_096, b"a_" * 4_096, b"\n" * 8_192, b"% \n" * 2_700, b"a:" * 4_096):
                dialects.language_of_source(text, name)
    assert time.process_time() - began < 2.0  # all of them take .05 s; one of quadratic time would take minutes


def test_the_tier_of_a_language_is_its_own() -> None:
    tiers = {name: language.tier for name, language in languages().items()}
    assert [name for name, language in languages().items() if (language.tier == "text") != (not language.grammar)] == []
    assert (tiers["c"], tiers["tsx"], tiers["vue"], tiers["cuda"]) == ("deep", "deep", "good", "good")
