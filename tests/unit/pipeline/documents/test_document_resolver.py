"""A text that is not saved is resolved as if it were saved and indexed, without any other file noticing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from codeagentd.model.documents import FULL, REFUSED, DocumentText
from codeagentd.model.ids import numbers_of
from codeagentd.model.kinds import SymbolKind
from tests.harness.document_index import definition, documents_of, variable
from tests.harness.marked_source import read_case

CASES = sorted(Path("tests/languages").resolve().rglob("*.case"))
EVERY = 3  # of the cases: the rest is for `tests/languages`

SHELF = """class Shelf:
    def lend(self, book):
        return self.find(book)

    def find(self, book):
        return book
"""
DESK = """from lib.shelf import Shelf


def serve(shelf: Shelf):
    return shelf.lend(1)
"""
FILES = {"lib/__init__.py": "", "lib/shelf.py": SHELF, "lib/desk.py": DESK}


@pytest.mark.parametrize("language", sorted({path.parent.name for path in CASES}))
def test_a_document_that_is_saved_has_the_references_of_the_index(language: str, tmp_path: Path) -> None:
    paths = [path for path in CASES if path.parent.name == language][::EVERY]
    for number, path in enumerate(paths):
        case = read_case(path)
        with documents_of(tmp_path / str(number), case.files) as documents:
            for name, text in case.files.items():
                file = documents.resolver.index.table.file_at(name)
                if file is None:
                    continue
                analysis = documents.analyse(name, text)
                assert all(definition.symbol for definition in analysis.definitions), f"{path} {name}"
                rows = documents.database.all("writer.refs_of_file", numbers_of(file.id))
                stored = Counter((line, col, target, kind, sure) for _, _, target, _, kind, sure, _, line, col in rows)
                inside = Counter({row: count for row, count in stored.items() if row[2] >= 0})
                found = Counter((use.line, use.column, use.target, use.kind, use.confidence) for use in analysis.uses)
                assert found == inside, f"{path} {name}"


@pytest.mark.parametrize("language", sorted({path.parent.name for path in CASES}))
def test_an_edited_document_has_the_references_that_it_has_once_saved(language: str, tmp_path: Path) -> None:
    paths = [path for path in CASES if path.parent.name == language][1::EVERY]
    for number, case_path in enumerate(paths):
        case = read_case(case_path)
        path, text = max(case.files.items(), key=lambda file: len(file[1]))
        lines = text.split("\n")
        edited = "\n".join(lines[: len(lines) // 3] + lines[len(lines) // 3 + 2 :])
        with documents_of(tmp_path / str(number), case.files) as documents:
            analysis = documents.analyse(path, edited)
            found = Counter(
                (use.line, use.column, use.kind, use.confidence, documents.name_of(use.target, analysis).lstrip("+"))
                for use in analysis.uses
            )
            documents.update({path: edited})
            file = documents.resolver.index.table.file_at(path)
            rows = documents.database.all("writer.refs_of_file", numbers_of(file.id)) if file else []
            saved = Counter(
                (line, col, kind, sure, documents.name_of(target, analysis))
                for _, _, target, _, kind, sure, _, line, col in rows
                if target >= 0
            )
            assert found == saved, f"{case_path} {path}"


def test_what_only_the_text_defines_is_found_in_it_and_has_no_id(tmp_path: Path) -> None:
    text = SHELF.replace("self.find(book)", "self.fetch(book)") + "\n    def fetch(self, book):\n        return book\n"
    with documents_of(tmp_path, FILES) as documents:
        analysis = documents.analyse("lib/shelf.py", text)
        assert documents.targets(analysis, 3) == ["+lib.shelf.Shelf.fetch"]
        assert definition(analysis, "fetch").symbol == 0
        assert definition(analysis, "find").symbol != 0


def test_what_the_text_no_longer_defines_is_not_found(tmp_path: Path) -> None:
    with documents_of(tmp_path, FILES) as documents:
        analysis = documents.analyse("lib/shelf.py", SHELF.partition("    def find")[0])
        assert documents.targets(analysis, 3) == []


def test_a_changed_import_leads_elsewhere(tmp_path: Path) -> None:
    files = FILES | {"lib/box.py": SHELF.replace("Shelf", "Box")}
    text = DESK.replace("lib.shelf import Shelf", "lib.box import Box").replace(": Shelf", ": Box")
    with documents_of(tmp_path, files) as documents:
        assert documents.targets(documents.analyse("lib/desk.py", DESK), 5) == ["lib.shelf.Shelf.lend"]
        assert documents.targets(documents.analyse("lib/desk.py", text), 5) == ["lib.box.Box.lend"]


def test_a_file_that_the_index_does_not_have_is_resolved_against_it(tmp_path: Path) -> None:
    with documents_of(tmp_path, FILES) as documents:
        analysis = documents.analyse("lib/new.py", DESK + "\n\nserve(Shelf())\n")
        assert documents.targets(analysis, 5) == ["lib.shelf.Shelf.lend"]
        assert "+lib.new.serve" in documents.targets(analysis, 8)
        assert {definition.symbol for definition in analysis.definitions} == {0}


def test_a_document_has_its_definitions_variables_and_their_types(tmp_path: Path) -> None:
    with documents_of(tmp_path, FILES) as documents:
        analysis = documents.analyse("lib/desk.py", DESK)
        assert analysis.status == FULL
        serve = definition(analysis, "serve")
        assert (serve.kind, serve.line, serve.column, serve.parent) == (SymbolKind.FUNCTION, 4, 4, 0)
        shelf = variable(analysis, "shelf")
        assert shelf.is_parameter
        assert shelf.places == ((4, 10, True), (5, 11, False))
        assert [documents.name_of(target, analysis) for target in shelf.types] == ["lib.shelf.Shelf"]


def test_typing_in_a_body_keeps_what_was_looked_up(tmp_path: Path) -> None:
    with documents_of(tmp_path, FILES) as documents:
        results = [
            documents.resolver.parse(DocumentText("lib/desk.py", "", text))
            for text in (DESK, DESK + "    # a comment\n", DESK + "\n\ndef other():\n    pass\n")
        ]
        first, second, third = [result.names for result in results if result]
        assert first is second
        assert second is not third


def test_a_renamed_definition_keeps_the_id_that_the_index_has_kept(tmp_path: Path) -> None:
    body = "        total = 0\n        for page in book:\n            total += page\n        return total\n"
    before = f"class Shelf:\n    def lend(self, book):\n{body}"
    after = before.replace("lend", "hand_out")
    with documents_of(tmp_path, {"shelf.py": before}) as documents:
        known = definition(documents.analyse("shelf.py", before), "lend").symbol
        documents.update({"shelf.py": after})
        assert definition(documents.analyse("shelf.py", after), "hand_out").symbol == known


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param(".env", "KEY=1\n", id="a file of secrets"),
        pytest.param("deep.py", "(" * 5_000, id="brackets that nest too deeply"),
        pytest.param("film.py", "\0\1\2", id="no text"),
        pytest.param("long.py", "x = 1\n" * 1_000_000, id="more than the index reads"),
    ],
)
def test_what_the_index_would_not_read_is_refused(path: str, text: str, tmp_path: Path) -> None:
    with documents_of(tmp_path, FILES) as documents:
        assert documents.analyse(path, text).status == REFUSED


def test_columns_count_characters_after_a_byte_order_mark(tmp_path: Path) -> None:
    with documents_of(tmp_path, FILES) as documents:
        analysis = documents.analyse("lib/new.py", "\ufeffbüro = 'ü'; from lib.shelf import Shelf; Shelf()\n")
        places = {use.column for use in analysis.uses if documents.name_of(use.target, analysis) == "lib.shelf.Shelf"}
        assert places == {34, 41}
