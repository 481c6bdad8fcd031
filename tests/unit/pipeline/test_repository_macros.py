"""Macros that open namespaces, in a repository that changes: what their users are is settled in another file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.extract.preprocess.namespace_macros import openings_in
from codeagentd.pipeline.batch.repository_macros import file_digest, known_openings, update_openings
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.store.connection import Database
from tests.unit.pipeline.conftest import Bench

Make = Callable[[dict[str, str]], Bench]

CONFIG = "#define LIB_BEGIN namespace lib {\n#define LIB_END }\n"
SHELF = '#include "config.h"\nLIB_BEGIN\nclass Shelf { public: int Count(); };\nLIB_END\n'
USE = '#include "shelf.h"\nint main() { lib::Shelf shelf; return shelf.Count(); }\n'
FILES = {"config.h": CONFIG, "shelf.h": SHELF, "use.cc": USE}
TABLES = ("symbols", "spans", "refs")


def names(bench: Bench) -> set[str]:
    """The qualified names of what the repository's files define."""
    return {symbol.qualified_name for symbol in bench.stored.symbols("Shelf", "Count")}


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("config.h", CONFIG.replace("lib {", "other {"), {"other::Shelf", "other::Shelf::Count"}),
        (
            "config.h",
            CONFIG.replace("lib {", "lib { namespace deep {").replace("}\n", "} }\n"),
            {"lib::deep::Shelf", "lib::deep::Shelf::Count"},
        ),
        ("config.h", "#define LIB_BEGIN\n#define LIB_END\n", {"Shelf", "Shelf::Count"}),
        ("a.h", CONFIG.replace("lib {", "first {"), {"first::Shelf", "first::Shelf::Count"}),
        ("shelf.h", CONFIG.replace("lib {", "own {") + SHELF, {"own::Shelf", "own::Shelf::Count"}),
    ],
)
def test_who_uses_a_macro_follows_what_it_stands_for(
    make_bench: Make, tmp_path: Path, path: str, text: str, expected: set[str]
) -> None:
    bench = make_bench(FILES)
    assert names(bench) == {"lib::Shelf", "lib::Shelf::Count"}
    for edition, content in enumerate((text, FILES.get(path))):
        if content is None:
            (bench.root / path).unlink()
        else:
            bench.write(path, content)
        bench.catch_up()
        assert names(bench) == ({"lib::Shelf", "lib::Shelf::Count"} if edition else expected)
        for table in TABLES:
            assert bench.is_as_fresh(tmp_path / f"{table}{edition}", table)


def test_a_header_that_goes_or_comes_later_is_followed(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench(FILES)
    (bench.root / "config.h").unlink()
    bench.catch_up()
    assert names(bench) == {"Shelf", "Shelf::Count"}
    assert bench.is_as_fresh(tmp_path / "gone", "symbols")
    bench.write("config.h", CONFIG)
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "back", "refs")
    assert names(bench) == {"lib::Shelf", "lib::Shelf::Count"}


def test_who_ends_before_the_users_are_read_again_finds_them_changed(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench(FILES)
    bench.engine.close(10)
    bench.write("config.h", CONFIG.replace("lib {", "other {"))
    engine = bench.start()
    assert engine.wait_caught_up(10)
    engine.close(10)
    database = Database(engine.index_path, writable=True)
    bench.write("config.h", CONFIG)
    plan = update_openings(database, bench.root, Plan(("config.h",)))
    database.close()
    assert plan.changed == ("config.h", "shelf.h")
    bench.start()
    bench.catch_up()
    assert names(bench) == {"lib::Shelf", "lib::Shelf::Count"}
    assert bench.is_as_fresh(tmp_path / "fresh", "refs")


def test_a_touched_file_is_the_same_and_one_of_another_language_is_kept_by_its_content_alone(make_bench: Make) -> None:
    bench = make_bench(FILES | {"notes.py": "LIB_BEGIN = 1\n"})
    openings = {"LIB_BEGIN": ("lib",), "LIB_END": ("}",)}
    with bench.engine.readers.read() as database:
        assert known_openings(database) == openings
    digests = {file.path: file.digest for file in bench.stored.files()}
    for path, text in (*FILES.items(), ("notes.py", "LIB_BEGIN = 1\n")):
        assert digests[path] == file_digest(path, text.encode(), openings)
    assert file_digest("notes.py", b"LIB_BEGIN = 1\n", openings) == file_digest("notes.py", b"LIB_BEGIN = 1\n", {})
    assert file_digest("shelf.h", SHELF.encode(), openings) != file_digest("shelf.h", SHELF.encode(), {})


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"#define A namespace a { namespace b {\n#define Z }}\n", {"A": ("a", "b"), "Z": ("}", "}")}),
        (b"#define A \\\n  namespace a \\\r\n  { // words\n", {"A": ("a",)}),
        (b"#define A inline namespace v1 { namespace {\n", {"A": ("", "")}),
        (b"#define N real\n#define A namespace N {\n", {"A": ("real",)}),
        (b"#define A(n) namespace n {\n", {}),
        (b"#define A namespace a { int b;\n", {}),
        (b"#define A namespace a {}\n", {}),
        (b"#define A namespace a\n", {}),
        (b"#define Z }\n", {}),
        (b"/*\n#define A namespace a {\n*/\nnamespace a {\n", {}),
        (b"#define A namespace a {\n#define A namespace b {\n", {"A": ("a",)}),
    ],
)
def test_only_what_opens_or_closes_namespaces_and_does_nothing_else_is_such_a_macro(
    source: bytes, expected: dict[str, tuple[str, ...]]
) -> None:
    assert openings_in(source) == expected
