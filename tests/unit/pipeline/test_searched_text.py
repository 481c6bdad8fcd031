"""Every text of a repository is found by its words; of data only the begin is searched, and code is written first."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.base.limits import DATA_HEAD_CHARACTERS, DATA_HEAD_LINES, HAND_WRITTEN_BYTES, JUDGED_DATA_BYTES
from codeagentd.base.paths import Jail
from codeagentd.languages.language import OTHER, is_parsed, language_of, languages
from codeagentd.model.file_kinds import DOCUMENTS, PROSE_LANGUAGES
from codeagentd.pipeline.workers import chunker
from codeagentd.pipeline.workers.searched_text import searched
from codeagentd.query.retrieval.retrieve import retrieve
from codeagentd.store import connection
from codeagentd.store.connection import Database
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

STORE = Path(connection.__file__).parent
LISTS = re.compile(r"language IN \(('[a-z', ]+)\)")
WRITTEN = "Whoever lends a book has to bring it back within (at most) three weeks; see `desk`.\n"
SOURCE = "  proc lend {book days} {\n    set due [expr {$now + $days}]\n    return $due\n  }\n"


def found(bench: Bench, question: str) -> list[str]:
    assert bench.engine.text_ready(60.0)
    with bench.engine.readers.read() as database:
        return sorted({chunk.path for chunk in retrieve(database, question, 10)[1]})


@pytest.mark.parametrize(
    "path",
    [
        "docs/guide.rst", "guide.adoc", "lend.1", "notes.org", "paper.tex", "Shelf.pod", "LICENSE", "README", "a.txt", "configure.ac",
        "lend.shelf", "config.h.in", "messages.po", "pom.xml",
    ],
)  # fmt: skip
def test_a_text_of_any_name_is_found_and_its_language_is_said(make_bench: Make, path: str) -> None:
    begin = '.\\" A page\n' if path == "lend.1" else ""
    bench = make_bench({path: f"{begin}the librarian stamps it\n", "a.py": "x = 1\n"})
    assert found(bench, "librarian stamps") == [path]
    file = next(file for file in bench.stored.files() if file.path == path)
    assert file.language in {*DOCUMENTS, OTHER}
    assert file.status == "full"


@pytest.mark.parametrize(
    "path", ["setup.cfg", "lend.ex", "shelf.csv", "Jenkinsfile", ".editorconfig", "tox.ini", "run.tcl", "lend.nim"]
)
def test_a_text_is_found_whatever_its_parser_makes_of_it(make_bench: Make, path: str) -> None:
    bench = make_bench({path: "the librarian stamps it\n"})
    assert found(bench, "librarian stamps") == [path]
    (file,) = bench.stored.files()
    assert file.language == language_of(path)


def test_a_text_that_changes_is_found_by_its_new_words(make_bench: Make) -> None:
    bench = make_bench({"setup.cfg": "the librarian stamps it\n"})
    assert found(bench, "librarian") == ["setup.cfg"]
    bench.write("setup.cfg", "nobody does\n")
    bench.catch_up()
    assert found(bench, "librarian") == []
    assert found(bench, "nobody") == ["setup.cfg"]
    (bench.root / "setup.cfg").write_bytes(b"\0\1\2nobody")
    bench.catch_up()
    assert found(bench, "nobody") == []


def test_what_is_no_text_secret_too_large_or_locked_is_not_read(make_bench: Make) -> None:
    bench = make_bench(
        {
            "id_rsa": "librarian\n",
            ".env": "A=librarian\n",
            "go.sum": "librarian v1\n",
            "large.txt": "librarian\n" * 500_000,
        }
    )
    (bench.root / "sound.wave").write_bytes(b"librarian\0\1\2")
    (bench.root / "film.xyz").write_bytes(b"\0librarian" * 600_000)
    bench.catch_up()
    assert found(bench, "librarian") == []
    assert {file.path: file.reason.partition(" than")[0] for file in bench.stored.files()} == {
        "id_rsa": "secret", ".env": "secret", "go.sum": "lock file", "large.txt": "larger", "sound.wave": "binary", "film.xyz": "binary",
    }  # fmt: skip


def test_keys_in_settings_stay_out_of_the_index(make_bench: Make) -> None:
    bench = make_bench({"app.ini": "[db]\nlibrarian = 1\npassword = Zq8xN2vLp0aRt5WcY7mB3kFd\n"})
    assert found(bench, "librarian") == ["app.ini"]
    assert bench.stored.count_chunks_with("Zq8xN2vLp0aRt5WcY7mB3kFd") == 0


@pytest.mark.parametrize(
    "content",
    ["größe librarian\n".encode(name) for name in ("utf-8-sig", "latin-1", "utf-16", "utf-32")]
    + [b"librarian\r\nx\r\n", b"librarian" + b" a" * 9_000 + b"\0\0", b"librarian (" + b"(" * 9_000, b"librarian"],
    ids=["UTF-8", "Latin-1", "UTF-16", "UTF-32", "CRLF", "NUL", "nested", "unended"],
)
def test_a_text_in_any_encoding_is_found(make_bench: Make, content: bytes) -> None:
    bench = make_bench({"a.py": "x = 1\n"})
    (bench.root / "notes.txt").write_bytes(content)
    bench.catch_up()
    assert found(bench, "librarian") == ["notes.txt"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.csv", "1,2\n" * 1_000), ("a.po", 'msgid ""\n' * 1_000), ("logo.svg", "<path/>\n" * 1_000), ("a.lock", "a\n" * 1_000),
        ("a.txt", "12.5 3.1\n" * JUDGED_DATA_BYTES), ("a.b64", "QUJDREVGR0hJSktMTU5PUA==" * 9_000), ("list.txt", WRITTEN * 20_000),
        ("a.txt", WRITTEN * 1_000 + "\0"), ("a.rst", WRITTEN * 20_000),
    ],
    ids=["table", "translations", "drawing", "locked", "numbers", "encoded", "huge", "binary", "huge document"],
)  # fmt: skip
def test_of_data_the_begin_is_searched(path: str, text: str) -> None:
    part = searched(text, path, "rst" if path.endswith("rst") else OTHER)
    assert text.startswith(part)
    assert 0 < len(part) <= DATA_HEAD_CHARACTERS
    assert part.count("\n") < DATA_HEAD_LINES


@pytest.mark.parametrize("text", [WRITTEN, SOURCE, "図書館の本を返す。" * 9], ids=["words", "code", "Japanese"])
@pytest.mark.parametrize("path", ["a.txt", "a.tcl", "README"])
def test_what_people_have_written_is_searched_whole(path: str, text: str) -> None:
    long = text * (HAND_WRITTEN_BYTES // 2 // len(text))
    assert searched(long, path, OTHER) == long


def test_what_is_parsed_and_documents_in_markup_are_searched_whole() -> None:
    numbers = "1, 2\n" * JUDGED_DATA_BYTES
    assert searched(numbers, "a.py", "python") == numbers
    assert searched(numbers[: HAND_WRITTEN_BYTES - 1], "a.rst", "rst") == numbers[: HAND_WRITTEN_BYTES - 1]


def test_a_table_has_two_chunks_however_long_it_is(make_bench: Make) -> None:
    bench = make_bench({"loans.csv": "reader,book\n" + "".join(f"reader{at},book{at}\n" for at in range(9_000))})
    assert found(bench, "reader book") == ["loans.csv"]
    assert bench.stored.chunks() == [("loans.csv", 1, 50), ("loans.csv", 51, 100)]


def test_code_is_written_before_documents_and_these_before_data(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[str] = []

    def noted(database: Database, jail: Jail, file: int, path: str) -> list[chunker.Piece] | None:
        cut.append(path)
        return pieces_of(database, jail, file, path)

    pieces_of = chunker.pieces_of
    monkeypatch.setattr(chunker, "pieces_of", noted)
    files = {"a.csv": "1\n", "b.rst": "x\n", "c.md": "[d](d.py)\n", "d.py": "import os\nos.x()\n"}
    assert len(files) <= chunker.FEW  # no worker is started
    bench = make_bench(files)
    assert bench.engine.text_ready(60.0)
    assert [cut[0], {*cut[1:3]}, cut[3]] == ["d.py", {"b.rst", "c.md"}, "a.csv"]


def test_statements_name_the_same_documents_as_the_table_of_kinds() -> None:
    texts = [file.read_text() for file in STORE.glob("*/*.sql")]
    lists = {frozenset(match[1].replace("'", "").split(", ")) for text in texts for match in LISTS.finditer(text)}
    assert {named - {OTHER} for named in lists} == {DOCUMENTS}
    assert {name for name in languages() if not is_parsed(name)} == DOCUMENTS - {"markdown"} | {OTHER, "csv"}
    assert DOCUMENTS < PROSE_LANGUAGES
