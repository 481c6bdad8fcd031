"""Where symbols are written, and what is defined in a file."""

from __future__ import annotations

import pytest

from codeagent_protocol.errors import NotFound
from codeagentd.model.kinds import SymbolKind
from codeagentd.query.symbols.name_resolution import resolve
from codeagentd.query.symbols.outline import indexed_file, outline
from codeagentd.query.symbols.spans import spans
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex


def test_the_primary_span_comes_first_then_path_and_line(index: SampleIndex, db: Database) -> None:
    first, second = index.file("a.cs", "csharp"), index.file("b.cs", "csharp")
    partial = index.symbol(second, "N.Partial", SymbolKind.CLASS, lines=(5, 8))
    index.span(partial, second, 5, 8)
    for file, line in ((second, 20), (first, 3), (second, 1)):
        index.span(partial, file, line, line + 1)
    found = spans(db, resolve(db, "N.Partial"), None, 10).items
    assert [(span.file_path, span.line_start, span.line_end, span.is_primary) for span in found] == [
        ("b.cs", 5, 8, True), ("a.cs", 3, 4, False), ("b.cs", 1, 2, False), ("b.cs", 20, 21, False),
    ]  # fmt: skip


def test_an_outline_is_in_line_order_without_the_files_own_symbol(index: SampleIndex, db: Database) -> None:
    file = index.file("m.py")
    module = index.symbol(file, "m", SymbolKind.MODULE, lines=(1, 50))
    klass = index.symbol(file, "m.C", SymbolKind.CLASS, module, (10, 20))
    index.symbol(
        file, "m.C.f", SymbolKind.METHOD, klass, (12, 13), access="protected", signature="(self)", returns="int"
    )
    index.symbol(file, "m.first", SymbolKind.FUNCTION, module, (2, 3))
    index.symbol(file, "m.C.inline", SymbolKind.FIELD, klass, (10, 10))
    found = outline(db, indexed_file(db, "m.py"), None, 100).items
    assert [item.qualified_name for item in found] == ["m.first", "m.C", "m.C.inline", "m.C.f"]
    assert (found[3].access_modifier, found[3].parameter_signature, found[3].return_type) == (
        "protected",
        "(self)",
        "int",
    )


def test_a_partial_class_is_in_the_outline_of_each_of_its_files(index: SampleIndex, db: Database) -> None:
    first, second = index.file("a.cs", "csharp"), index.file("b.cs", "csharp")
    own = index.symbol(first, "a", SymbolKind.FILE)
    partial = index.symbol(first, "N.P", SymbolKind.CLASS, own, (5, 8))
    index.span(partial, second, 30, 40)
    index.span(partial, second, 10, 20)
    index.span(partial, first, 50, 60)
    here = outline(db, indexed_file(db, "a.cs"), None, 100).items
    there = outline(db, indexed_file(db, "b.cs"), None, 100).items
    assert [(item.qualified_name, item.line_start) for item in here] == [("N.P", 5)]
    assert [(item.qualified_name, item.line_start, item.line_end) for item in there] == [("N.P", 10, 20)]


def test_an_unknown_file_is_not_found(db: Database) -> None:
    with pytest.raises(NotFound) as caught:
        indexed_file(db, "nowhere.py")
    assert caught.value.facts["parameter"] == "path"


def test_a_skipped_file_says_why(index: SampleIndex, db: Database) -> None:
    index.file("bundle.min.js", None, status="skipped", reason="minified")
    with pytest.raises(NotFound) as caught:
        indexed_file(db, "bundle.min.js")
    assert (caught.value.facts["status"], caught.value.facts["reason"]) == ("skipped", "minified")
    assert "minified" in caught.value.message


def test_a_file_of_no_indexed_language_has_no_outline(index: SampleIndex, db: Database) -> None:
    index.file("README.md", None)
    with pytest.raises(NotFound, match="no symbols"):
        indexed_file(db, "README.md")
