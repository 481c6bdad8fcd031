"""What the engine promises: ids that survive, calls that count once, trouble that stays small."""

from __future__ import annotations

import contextlib
import gc
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.model.kinds import ReferenceKind, SymbolKind
from codeagentd.pipeline.batch import batch_writer, reference_writer
from codeagentd.pipeline.engine import index_databases, indexer
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.resolve import references
from codeagentd.store import connection
from codeagentd.store.opening import LOOKS
from tests.harness.stored_rows import StoredReference, count_facts
from tests.harness.waiting import let_pass
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]
INCLUDE = '#include "p/a.h"\n'
BODY = "    total = 0\n    for amount in amounts:\n        total += amount\n    return total\n"


def test_a_moved_file_keeps_the_ids_of_its_symbols(make_bench: Make) -> None:
    bench = make_bench(
        {
            "shop/old.py": (
                f"class Till:\n    def add(self, amounts):\n    {BODY.replace(chr(10), chr(10) + '    ').rstrip()}\n"
            )
        }
    )
    before = bench.uid("shop.old.Till.add")
    (bench.root / "shop/old.py").rename(bench.root / "shop/new.py")
    bench.catch_up()
    assert bench.uid("shop.new.Till.add") == before
    assert not [symbol for symbol in bench.stored.symbols() if symbol.qualified_name.startswith("shop.old")]


def test_a_renamed_function_keeps_its_id_and_its_old_name_may_be_used_again(make_bench: Make) -> None:
    bench = make_bench({"a.py": f"def count(amounts):\n{BODY}"})
    before = bench.uid("a.count")
    bench.write("a.py", f"def sum_up(amounts):\n{BODY}")
    bench.catch_up()
    assert bench.uid("a.sum_up") == before
    bench.write("a.py", f"def sum_up(amounts):\n{BODY}\ndef count():\n    return 3\n")
    bench.catch_up()
    assert bench.uid("a.sum_up") == before
    assert bench.uid("a.count") != before


def test_an_edit_keeps_the_ids_of_everything_else(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def one():\n    return 1\n\ndef two():\n    return one()\n"})
    before = bench.uid("a.one"), bench.uid("a.two")
    bench.write("a.py", "import os\n\ndef one():\n    return os.getpid()\n\ndef two():\n    return one()\n")
    bench.catch_up()
    assert (bench.uid("a.one"), bench.uid("a.two")) == before


def test_index_files_answers_a_resent_call_from_its_record(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def one(): pass\n"})
    bench.write("a.py", "def two(): pass\n")
    first = bench.engine.index_files(["a.py", "missing.py"], b"session", 7)
    generation = bench.engine.watermark().generation
    bench.write("a.py", "def three(): pass\n")
    again = bench.engine.index_files(["a.py", "missing.py"], b"session", 7)
    assert first == again
    assert first["indexed"] == 1
    assert [error["code"] for error in first["errors"]] == ["not_found"]
    assert bench.engine.watermark().generation == generation
    assert [symbol.name for symbol in bench.stored.symbols("two", "three")] == ["two"]


def test_the_record_of_a_write_survives_a_restart(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def one(): pass\n"})
    first = bench.engine.index_files(["a.py"], b"session", 1)
    bench.engine.close(10)
    bench.start()
    bench.catch_up()
    bench.write("a.py", "def two(): pass\n")
    assert bench.engine.index_files(["a.py"], b"session", 1) == first
    assert bench.stored.count_symbols("two") == 0


def test_a_file_that_takes_too_long_is_recorded_as_failed_and_the_rest_is_indexed(make_bench: Make) -> None:
    bench = make_bench({"quick.py": "def quick(): pass\n"})
    bench.engine.close(10)
    bench.start(extract_deadline_s=3.0)  # the start of the next worker counts, and takes its time on a busy machine
    bench.write("slow.py", "x = [" + "a.b.c.d.e.f.g.h.i.j.k.l,\n" * 160_000 + "]\n")  # takes 6 to 7 s
    bench.write("other.py", "def other(): pass\n")
    bench.catch_up()
    slow = bench.stored.file("slow.py")
    assert slow
    assert (slow.status, "took longer" in slow.reason) == ("failed", True)
    functions = [symbol for symbol in bench.stored.symbols("quick", "other") if not symbol.is_file]
    assert [symbol.kind for symbol in functions] == [SymbolKind.FUNCTION] * 2
    assert bench.engine.status().failed_files == ("slow.py",)


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("half.py", b"def good():\n    return 1\n\ndef broken(:\n    (((\n", "partial"),
        ("latin.py", "# caf\u00e9\ndef good():\n    return 1\n".encode("latin-1"), "full"),
        ("bom.py", b"\xef\xbb\xbfdef good():\n    return 1\n", "full"),
        ("crlf.py", b"def good():\r\n    return 1\r\n", "full"),
        ("deep.py", b"def good():\n    return " + b"(\n" * 3_000 + b"1" + b")\n" * 3_000 + b"\n", "full"),
        ("empty.py", b"", "full"),
    ],
)
def test_odd_sources_have_a_parse_status_and_lose_nothing_that_is_whole(
    make_bench: Make, name: str, content: bytes, status: str
) -> None:
    bench = make_bench({"a.py": "pass\n"})
    (bench.root / name).write_bytes(content)
    bench.catch_up()
    file = bench.stored.file(name)
    assert file
    assert file.status == status
    lines = [symbol.line for symbol in bench.stored.symbols("good") if symbol.path == name]
    assert lines == ([2] if name == "latin.py" else [1] if content else [])


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("image.py", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, "binary"),
        ("bundle.js", b"var a=1;" * 200_000, "minified"),
        ("huge.py", b"x = 1\n" * 1_000_000, "larger than 4.2 MB (limits.max_file_bytes)"),
    ],
)
def test_what_is_not_parsed_is_counted_with_the_reason(
    make_bench: Make, name: str, content: bytes, reason: str
) -> None:
    bench = make_bench({"a.py": "pass\n"})
    (bench.root / name).write_bytes(content)
    bench.catch_up()
    file = bench.stored.file(name)
    assert file
    assert (file.status, file.reason) == ("skipped", reason)
    assert bench.engine.status().skipped[reason] == 1


def test_files_of_unknown_languages_are_counted_by_extension(make_bench: Make) -> None:
    bench = make_bench(
        {
            "a.py": "pass\n",
            "b.shelf": "x",
            "c.SHELF": "x",
            "v1.2/RACK": "x",
            "DESK": "x",
            "d.po": "x",
            "f.json": "{}",
            "g.rst": "x",
        }
    )
    (bench.root / "e.png").write_bytes(b"\x89PNG\r\n\x1a\n\0")
    bench.catch_up()
    status = bench.engine.status()
    assert status.unknown == {".shelf": 2, "": 2, ".po": 1}
    assert {count.language: count.files for count in status.languages} == {"json": 1, "other": 5, "python": 1, "rst": 1}
    assert status.skipped == {"binary": 1}


def test_what_is_text_is_not_binary_whatever_its_name_stands_for_elsewhere(make_bench: Make) -> None:
    bench = make_bench({"go.mod": "module shop\n", "paper.tex": "x", "data.ts.map": "{}", "run.tcl": "puts 1"})
    (bench.root / "view.ppm").write_bytes(b"P6 1 1 255 \0\0\0")
    bench.catch_up()
    assert [file.path for file in bench.stored.files() if file.reason == "binary"] == ["view.ppm"]
    bench.write("view.ppm", "P3 1 1 255 0 0 0\n")
    bench.catch_up()
    assert bench.engine.status().skipped == {}
    assert {file.path: file.language for file in bench.stored.files()} == {
        "go.mod": "gomod", "paper.tex": "latex", "data.ts.map": "other", "run.tcl": "tcl", "view.ppm": "other"
    }  # fmt: skip


def test_lock_files_are_counted_and_never_read(make_bench: Make) -> None:
    bench = make_bench(
        {
            "a.py": "pass\n",
            "package-lock.json": '{"name": 1}',
            "web/pnpm-lock.yaml": "a: 1\n",
            "package.json": '{"name": 1}',
        }
    )
    bench.catch_up()
    assert bench.engine.status().skipped == {"lock file": 2}
    assert not [symbol for symbol in bench.stored.symbols() if "lock" in symbol.path]


@pytest.mark.parametrize(
    ("name", "code", "end"),
    [
        ("a.py", "def good():\n    return 1\nEXPECTED = '", "'\n"),
        ("a.go", 'package a\n\nfunc good() {}\n\nvar expected = "', '"\n'),
        ("a.c", 'int good(void);\nstatic const char expected[] = "', '";\n'),
        ("a.php", "<?php\nfunction good() {}\n$expected = '", "';\n"),
        ("a.ts", "export function good() {}\nconst expected = '", "';\n"),
    ],
)
def test_a_long_literal_does_not_hide_the_code_around_it(make_bench: Make, name: str, code: str, end: str) -> None:
    bench = make_bench({name: code + "y" * 9_000 + end})
    bench.catch_up()
    assert bench.stored.count_symbols("good") == 1


def test_long_lines_are_usual_in_prose_and_notebooks(make_bench: Make) -> None:
    bench = make_bench(
        {
            "a.md": "# Title\n" + "word " * 2_000 + "\n",
            "b.ipynb": '{"cells": [], "metadata": {"x": "' + "y" * 9_000 + '"}}',
            "c.json": '["' + "y" * 9_000 + '"]',
        }
    )
    bench.catch_up()
    assert [(file.path, file.status) for file in bench.stored.files()] == [
        ("a.md", "full"),
        ("b.ipynb", "full"),
        ("c.json", "skipped"),
    ]


def test_a_link_follows_its_heading(make_bench: Make) -> None:
    def targets() -> list[str | None]:
        return sorted(reference.target_name for reference in bench.stored.references() if reference.path == "README.md")

    bench = make_bench({"README.md": "[x](docs/guide.md#how-to-start)\n", "docs/guide.md": "# Install\n"})
    bench.catch_up()
    assert targets() == ["guide.md"]
    bench.write("docs/guide.md", "# How to start\n")
    bench.catch_up()
    assert targets() == ["How to start", "guide.md"]
    bench.write("docs/guide.md", "# Other {#how-to-start}\n")
    bench.catch_up()
    assert targets() == ["Other", "guide.md"]


def test_a_partial_class_is_one_symbol_that_unites_what_its_files_say(make_bench: Make) -> None:
    bench = make_bench(
        {
            "a/Book.cs": "namespace Lib;\npublic partial class Book { public int Pages; }\n",
            "b/Book.cs": "namespace Lib;\npublic partial class Book : IItem { public void Lend() { } }\n",
            "c/IItem.cs": "namespace Lib;\npublic interface IItem { }\n",
        }
    )
    book = bench.stored.symbol("Lib.Book")
    assert book.bases == "IItem"
    assert len([symbol for symbol, _, _ in bench.stored.spans() if symbol == book.id]) == 2
    assert book.path == "b/Book.cs", "the part with bases says more"
    (bench.root / "b/Book.cs").unlink()
    bench.catch_up()
    assert bench.stored.symbol("Lib.Book").path == "a/Book.cs"
    assert bench.stored.symbol("Lib.Book").bases == ""


def test_a_corrupt_index_is_set_aside_and_made_again_and_status_says_so(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def one(): pass\n"})
    bench.engine.close(10)
    (bench.place / "index.db").write_bytes(b"this is no database" * 1_000)
    bench.start()
    bench.catch_up()
    assert bench.stored.count_symbols("one") == 1
    assert (bench.place / "index.db.corrupt").exists()
    assert "corrupt" in bench.engine.status().reason


def test_the_graph_of_the_work_tree_is_never_that_of_an_earlier_index(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def one(): pass\n"})
    assert "one" in repr(bench.engine.snapshots([""]))
    generation = bench.engine.watermark().generation
    bench.engine.close(10)
    (bench.place / "index.db").rename(bench.place / "index.db.corrupt")
    bench.write("a.py", "def two(): pass\n")
    bench.start()
    bench.catch_up()
    assert bench.engine.watermark().generation == generation
    assert "two" in repr(bench.engine.snapshots([""]))


def looks_corrupt(bench: Bench) -> None:
    """Have a reader find the index corrupt, and wait until the engine has handled that."""
    with pytest.raises(EngineUnavailable), bench.engine.readers.read():
        raise apsw.CorruptError("database disk image is malformed")
    bench.catch_up()


def test_an_index_that_only_looked_corrupt_is_kept_and_read_anew(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def one(): pass\n"})
    before = (bench.place / "index.db").stat().st_ino
    looks_corrupt(bench)
    assert bench.stored.count_symbols("one") == 1
    assert (bench.place / "index.db").stat().st_ino == before
    assert not (bench.place / "index.db.corrupt").exists()
    assert "corrupt" not in bench.engine.status().reason


def test_an_index_that_looks_corrupt_again_and_again_is_made_again(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def one(): pass\n"})
    for _ in range(LOOKS + 1):
        looks_corrupt(bench)
    assert (bench.place / "index.db.corrupt").exists()
    assert bench.stored.count_symbols("one") == 1
    assert "corrupt" in bench.engine.status().reason


def test_facts_are_kept_where_only_the_index_is_damaged(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def one(): pass\n"})
    assert bench.engine.text_ready()
    path = bench.place / "index.db"
    with contextlib.closing(apsw.Connection(str(path))) as other:
        other.set_busy_timeout(5_000)
        assert other.execute("PRAGMA schema_version; PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[-1] == (0, 0, 0)
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xaa" * (path.stat().st_size - 100))
    looks_corrupt(bench)
    assert (bench.place / "index.db.corrupt").exists()
    assert not (bench.place / "blobs.db.corrupt").exists()
    assert bench.stored.count_symbols("one") == 1


def test_workers_that_are_there_before_the_databases_wait_for_them(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = index_databases.IndexDatabases._open

    def late(self: index_databases.IndexDatabases) -> None:
        let_pass(2, "as on a busy disk; a worker is up after some tenths of a second")
        usual(self)

    monkeypatch.setattr(index_databases.IndexDatabases, "_open", late)
    bench = make_bench({"a.py": "def lend(): pass\n"})  # raises what the indexer has met
    assert bench.stored.count_symbols("lend") == 1


def test_nothing_of_a_resolved_file_is_left_to_be_collected_as_a_cycle(make_bench: Make) -> None:
    gc.disable()  # as in workers
    try:
        make_bench(
            {"A.java": "class A { void lend(int days) { lend(3); this.lend(days); } void lend(String name) { } }\n"}
        )
        left = [
            type(instance).__name__ for instance in gc.get_objects() if isinstance(instance, references.FileResolver)
        ]
    finally:
        gc.enable()
    assert not left


@pytest.mark.parametrize("database", ["index.db", "blobs.db"])
def test_a_database_that_somebody_else_holds_for_long_costs_no_change(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, database: str
) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 50)
    monkeypatch.setattr(indexer, "RETRY_S", 0.05)
    bench = make_bench({"a.py": "def one(): pass\n"})
    bench.engine.close(10)
    bench.start()
    bench.catch_up()
    holder = apsw.Connection(str(bench.place / database))
    holder.set_busy_timeout(5_000)
    holder.execute("BEGIN IMMEDIATE")
    bench.write("a.py", "def one(): pass\n\ndef two(): pass\n")
    bench.engine.request_scan()
    with pytest.raises(EngineUnavailable, match="cannot be written"):
        bench.engine.wait_caught_up(10)
    assert not bench.engine.sync().caught_up
    holder.execute("ROLLBACK")
    holder.close()
    deadline = time.monotonic() + 10
    while not bench.engine.sync().caught_up:
        assert time.monotonic() < deadline
    assert bench.stored.count_symbols("two") == 1


def included(bench: Bench) -> list[str | None]:
    """The language of the header, for each reference to it."""
    header = bench.stored.file("p/a.h")
    assert header
    return [header.language for reference in bench.stored.references() if reference.target_path == "p/a.h"]


def test_who_includes_a_header_follows_it_into_another_language(make_bench: Make) -> None:
    bench = make_bench({"p/a.h": "#include <stdint.h>\n", "b.c": INCLUDE, "c.cc": INCLUDE, "d.cc": INCLUDE})
    assert included(bench) == ["c"] * 3
    (bench.root / "b.c").unlink()
    bench.catch_up()
    assert bench.stored.count_lost_references() == 0
    assert included(bench) == ["cpp"] * 2


def test_nobody_keeps_references_to_a_file_that_is_read_no_more(make_bench: Make) -> None:
    bench = make_bench({"p/a.h": "#include <stdint.h>\n", "c.cc": INCLUDE})
    bench.write("p/a.h", "int f(void);\0" * 100)
    bench.catch_up()
    header = bench.stored.file("p/a.h")
    assert header
    assert header.status == "skipped"
    assert bench.stored.count_lost_references() == 0


def test_what_only_a_function_holds_is_no_member_that_somebody_may_mean(make_bench: Make) -> None:
    bench = make_bench(
        {"a.rb": "def use(io)\n  io.rewind\nend\n", "b.rb": "def test\n  io = Object.new\n  def io.rewind; end\nend\n"}
    )

    def waiting() -> list[StoredReference]:
        references = bench.stored.references()
        return [reference for reference in references if reference.name == "rewind" and reference.target_id is None]

    assert waiting() == []
    (bench.root / "b.rb").unlink()
    bench.catch_up()
    assert waiting() == []


def place(bench: Bench) -> list[tuple[int, str]]:
    return [(symbol.line, symbol.bases) for symbol in bench.stored.symbols("App")]


@pytest.mark.parametrize("files_at_once", [500, 0])  # 0: a first index is written without secondary indexes
def test_a_class_that_a_document_shows_twice_is_where_it_comes_first_also_after_an_edit(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, files_at_once: int
) -> None:
    monkeypatch.setattr(batch_writer, "COMMIT_FILES", files_at_once)
    monkeypatch.setattr(reference_writer, "COMMIT_FILES", files_at_once)
    blocks = "# Use\n\n```ruby\nclass App < Base\nend\n```\n\n```ruby\nclass App < Other\nend\n```\n"
    bench = make_bench({"README.md": blocks})
    assert place(bench) == [(4, "Base,Other")]
    bench.write("README.md", "More words.\n\n" + blocks)
    bench.catch_up()
    assert place(bench) == [(6, "Base,Other")]


def test_lost_facts_are_made_again(make_bench: Make) -> None:
    bench = make_bench(
        {"p/a.py": "def one(): pass\n", "p/b.py": "from .a import one\n\ndef two():\n    return one()\n"}
    )
    blobs = apsw.Connection(str(bench.place / "blobs.db"))
    blobs.execute("DELETE FROM facts")
    blobs.close()
    bench.write("p/a.py", "def one(item): pass\n\ndef three(): pass\n")
    bench.catch_up()
    calls = [reference for reference in bench.stored.references() if reference.kind == ReferenceKind.CALL]
    assert [call.target for call in calls] == ["p.a.one"]


def test_a_language_that_the_settings_leave_out_is_counted_not_parsed(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def one(): pass\n"})
    bench.engine.close(10)
    bench.start(languages=("python",))
    bench.write("web.ts", "export function two() {}\n")
    bench.catch_up()
    assert bench.stored.count_symbols("two") == 0
    assert any("settings" in reason for reason in bench.engine.status().skipped)


def test_a_second_worktree_extracts_nothing_that_the_first_one_has(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench({"a.py": "def one(): pass\n", "b.py": "def two(): pass\n"})
    shutil.copytree(bench.root, tmp_path / "tree")
    (tmp_path / "tree/c.py").write_text("def three(): pass\n")
    other = IndexingEngine(tmp_path / "tree", tmp_path / "other", bench.place, use_watcher=False)
    other.start()
    assert other.wait_caught_up(30)
    other.close(10)
    assert count_facts(bench.place / "blobs.db") == 3


def test_everybody_who_asked_for_it_is_told_of_a_commit(make_bench: Make) -> None:
    bench = make_bench({"a.py": "A = 1\n"})
    told: list[tuple[str, bool]] = []
    for name in ("subscribers", "page"):
        bench.engine.on_change(lambda is_analysis, name=name: told.append((name, is_analysis)))
    bench.write("a.py", "A = 2\n")
    bench.catch_up()
    assert {("subscribers", False), ("page", False)} <= set(told)
