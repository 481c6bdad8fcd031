"""Edits of files whose symbols other files declare as well: the index is as a new one, and few files are read for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeagentd.pipeline.batch import batch_writer
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

LIBRARY = {
    "lib/shelf.h": "struct shelf { int books; };\nint lend(struct shelf *shelf, int book);\nint count(void);\n",
    "lib/shelf.c": '#include "shelf.h"\nint lend(struct shelf *shelf, int book)\n{\n\treturn shelf->books - book;\n}\n',
    "lib/more.h": "struct shelf;\nextern int lend(struct shelf *shelf, int book);\n",
    "lib/desk.c": '#include "more.h"\nint desk(struct shelf *shelf) { return lend(shelf, 1); }\n',
}
EDITS = [
    ("lib/shelf.h", "struct shelf {", "\n/* moved */\nstruct shelf {"),
    ("lib/shelf.h", "int books;", "int books;\n\tint pages;"),
    ("lib/shelf.h", "int lend(struct shelf *shelf, int book);\n", ""),
    ("lib/shelf.h", "int lend(", "long lend("),
    ("lib/shelf.c", "int lend(", "\n\nint lend("),
    ("lib/shelf.c", "- book;", "- book - 1;"),
    ("lib/shelf.c", "int book)", "int book, int days)"),
    ("lib/shelf.c", "int lend(", "static int lend("),
    ("lib/shelf.c", "\n{\n\treturn shelf->books - book;\n}", ";"),
    ("lib/more.h", "struct shelf;", "struct shelf { int other; int still; };"),
    ("lib/more.h", "extern int lend", "/** Lend a book. */\nextern int lend"),
]


@pytest.mark.parametrize(("path", "before", "after"), EDITS)
@pytest.mark.parametrize("table", ["symbols", "spans", "refs"])
def test_an_edit_gives_the_index_that_a_new_one_would_be(
    make_bench: Make, tmp_path: Path, table: str, path: str, before: str, after: str
) -> None:
    bench = make_bench(LIBRARY)
    text = (bench.root / path).read_text()
    assert before in text
    for number, edition in enumerate((text.replace(before, after), text)):
        bench.write(path, edition)
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / f"fresh{number}", table)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("lib/shelf.h", "struct shelf {", "\n/* moved */\nstruct shelf {"),
        ("lib/shelf.h", "int count(void);", "int count(void);\nint other(void);"),
        ("lib/shelf.c", "- book;", "- book - 1;"),
        ("lib/shelf.c", "int lend(", "\n\nint lend("),
    ],
)
def test_what_moves_in_a_file_reads_no_other_file_that_declares_it(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, path: str, before: str, after: str
) -> None:
    bench = make_bench(LIBRARY)
    derived: list[str] = []
    derive = batch_writer.derive_rows

    def note(at: str, *rest: Any) -> Any:
        derived.append(at)
        return derive(at, *rest)

    monkeypatch.setattr(batch_writer, "derive_rows", note)
    bench.write(path, (bench.root / path).read_text().replace(before, after))
    bench.catch_up()
    assert derived == [path]


HEADERS = {
    "p/main.c": '#include "a.h"\nint run(void) { return near() + far(); }\n',
    "p/a.h": '#include "b.h"\n',
    "lib/b.h": "int near(void);\n",
    "lib/c.h": "int far(void);\n",
    "lib/near.c": '#include "b.h"\nint near(void) { return 1; }\n',
    "lib/far.c": '#include "c.h"\nint far(void) { return 2; }\n',
    "other/far.c": "int far(void) { return 3; }\nint near(void) { return 3; }\n",
}


def test_what_files_include_is_found_again_once_it_has_changed(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench(HEADERS)
    for number, (path, text) in enumerate(
        [
            ("p/main.c", HEADERS["p/main.c"] + "int again(void) { return near() + far(); }\n"),
            ("p/a.h", '#include "c.h"\n'),
            ("p/c.h", "int elsewhere(void);\n"),
            ("p/a.h", '#include "c.h"\n#include "b.h"\n'),
            ("lib/b.h", '#include "c.h"\n'),
        ]
    ):
        bench.write(path, text)
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / f"fresh{number}")
    (bench.root / "p/c.h").unlink()
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "last")


@pytest.mark.parametrize("name", ["b.h", "index.h"])
def test_a_header_that_is_read_no_more_and_then_again_is_not_remembered_as_included(
    make_bench: Make, tmp_path: Path, name: str
) -> None:
    user = f'#include "lib/{name}"\nint run(void) {{ return near(); }}\n'
    bench = make_bench({"main.c": user, f"lib/{name}": "int near(void);\n", "near.c": "int near(void) { return 1; }\n"})
    for number, (header, text) in enumerate(
        [
            ("int near(void);\n", user + "int again(void) { return near(); }\n"),
            ("int near(void);\0" * 100, user),
            ("int near(void);\0" * 100, user + "int third(void) { return near(); }\n"),
            ("int near(void);\n", user + "int third(void) { return near(); }\n"),
        ]
    ):
        bench.write("main.c", text)
        bench.write(f"lib/{name}", header)
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / f"fresh{number}")
