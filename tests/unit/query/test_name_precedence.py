"""The rule by which a name means definitions."""

from __future__ import annotations

import pytest

from codeagentd.model.file_kinds import is_product
from codeagentd.model.kinds import SymbolFlag, SymbolKind
from codeagentd.query.symbols.name_resolution import resolve_name
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex

PUBLIC = int(SymbolFlag.PUBLIC_API)


def groups(db: Database, name: str) -> list[list[int]]:
    return [[one.id for one in group] for group in resolve_name(db, name).groups]


def top(
    index: SampleIndex,
    path: str,
    name: str,
    kind: SymbolKind = SymbolKind.CLASS,
    language: str = "python",
    access: str = "public",
    flags: int = PUBLIC,
) -> int:
    file = index.file(path, language)
    module = index.symbol(file, name.rpartition(".")[0] or path, SymbolKind.MODULE, name=path)
    return index.symbol(file, name, kind, module, access=access, flags=flags)


def test_two_distinct_definitions_are_two_groups(index: SampleIndex, db: Database) -> None:
    every = [[top(index, "a.py", "a.Beat")], [top(index, "b.py", "b.Beat")]]
    assert groups(db, "Beat") == every


@pytest.mark.parametrize(
    "path",
    [
        "tests/b.py",
        "examples/b.py",
        "docs/b.py",
        "Acme.Tests/b.cs",
        "src/jvmTest/b.kt",
        "t/unit/b.py",
        "x/benchmarks/b.py",
        "b_test.go",
    ],
)
def test_what_is_beside_the_product_yields(index: SampleIndex, db: Database, path: str) -> None:
    product = top(index, "a.py", "a.Beat")
    top(index, path, "b.Beat")
    assert groups(db, "Beat") == [[product]]


@pytest.mark.parametrize(
    "path", ["src/contest/a.py", "latest/a.py", "src/documents/a.ts", "kotlinx-coroutines-test/src/a.kt", "src/a.py"]
)
def test_a_folder_that_only_sounds_so_belongs_to_the_product(path: str) -> None:
    assert is_product(path)


def test_tests_alone_are_meant(index: SampleIndex, db: Database) -> None:
    only = top(index, "tests/b.py", "b.Beat")
    assert groups(db, "Beat") == [[only]]


def test_what_other_files_cannot_use_yields(index: SampleIndex, db: Database) -> None:
    product = top(index, "a.ts", "a.Beat", language="typescript")
    top(index, "b.ts", "b.Beat", language="typescript", flags=0)
    assert groups(db, "Beat") == [[product]]


def test_private_functions_of_one_qualified_name_in_two_files_are_distinct(index: SampleIndex, db: Database) -> None:
    one = top(index, "a.c", "init", SymbolKind.FUNCTION, "c", "private", 0)
    other = top(index, "b.c", "init", SymbolKind.FUNCTION, "c", "private", 0)
    assert groups(db, "init") == [[one], [other]]


def test_copies_of_one_qualified_name_agree_and_those_of_another_language_do_not(
    index: SampleIndex, db: Database
) -> None:
    common, jvm = (
        top(index, "common/a.kt", "acme.Job", language="kotlin"),
        top(index, "jvm/a.kt", "acme.Job", language="kotlin"),
    )
    go = top(index, "z/a.go", "acme.Job", language="go")
    assert groups(db, "Job") == [[common, jvm], [go]]


def test_a_function_and_a_method_of_one_name_are_a_doubt(index: SampleIndex, db: Database) -> None:
    function = top(index, "a.py", "a.save", SymbolKind.FUNCTION)
    method = index.symbol(index.file("b.py"), "b.Order.save", SymbolKind.METHOD, top(index, "c.py", "b.Order"))
    assert groups(db, "save") == [[function], [method]]


def test_a_variable_that_stands_in_for_a_type_yields_to_it(index: SampleIndex, db: Database) -> None:
    product = top(index, "base.py", "base.App")
    top(index, "fallback.py", "fallback.App", SymbolKind.VARIABLE)
    assert groups(db, "App") == [[product]]


def test_a_name_that_has_a_separator_inside_is_found_whole(index: SampleIndex, db: Database) -> None:
    file = index.file("a.rs", "rust")
    only = index.symbol(file, "acme::<net::Listener as Listen>", SymbolKind.CLASS, name="<net::Listener as Listen>")
    assert groups(db, "<net::Listener as Listen>") == [[only]]


def test_what_is_local_to_a_function_yields(index: SampleIndex, db: Database) -> None:
    product = top(index, "a.py", "a.Backend")
    function = top(index, "b.py", "b.graph", SymbolKind.FUNCTION)
    index.symbol(index.file("c.py"), "b.graph.Backend", SymbolKind.CLASS, function)
    assert groups(db, "Backend") == [[product]]


def test_nothing_is_ruled_out_where_a_name_has_more_definitions_than_are_read(
    index: SampleIndex, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeagentd.query.symbols.name_resolution.COMPARED", 2)
    for path in ("a.py", "b.py", "tests/c.py"):
        top(index, path, f"{path[:-3]}.Beat")
    assert len(groups(db, "Beat")) == 2
