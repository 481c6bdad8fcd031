"""Files as repositories have them: other encodings and line ends, links, generated code, sources that end a parser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

EDGES = (
    "SELECT f.path, r.line, r.col, tf.path, t.name FROM refs r JOIN files f ON f.id = r.id >> 20 JOIN symbols t ON t.id = r.target"
    " JOIN files tf ON tf.id = t.file WHERE r.confidence = 0 AND t.parent IS NOT NULL ORDER BY 1, 2, 3"
)


def index(make_bench: Make, files: dict[str, bytes]) -> Bench:
    """A bench with these bytes."""
    bench = make_bench({})
    for path, content in files.items():
        (bench.root / path).parent.mkdir(parents=True, exist_ok=True)
        (bench.root / path).write_bytes(content)
    bench.catch_up()
    return bench


def test_columns_count_characters_whatever_the_encoding_and_the_line_ends(make_bench: Make) -> None:
    bench = index(
        make_bench,
        {
            "latin.py": "# -*- coding: latin-1 -*-\ndef größe(): return 1\nx = 'éé'; größe()\n".encode("latin-1"),
            "user.py": "from latin import größe\n'é😀', größe()\n".encode(),
            "mark.ts": "\ufefffunction a() {}\r\n/* é😀 */ a();\r\n".encode(),
            "ends.go": 'package m\r\nfunc a() {}\r\nfunc b() { _ = "é😀"; a() }\r\n'.encode(),
            "mark.c": "\ufeffint a(void);\r\nint b(void) { return 'é' + a(); }\r\n".encode(),
        },
    )
    assert bench.rows("SELECT DISTINCT status FROM files") == [("full",)]
    assert bench.rows(EDGES) == [
        ("ends.go", 3, 21, "ends.go", "a"),
        ("latin.py", 3, 10, "latin.py", "größe"),
        ("mark.c", 2, 27, "mark.c", "a"),
        ("mark.ts", 2, 9, "mark.ts", "a"),
        ("user.py", 1, 18, "latin.py", "größe"),
        ("user.py", 2, 6, "latin.py", "größe"),
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_wide_characters_are_skipped_with_the_reason(make_bench: Make, encoding: str) -> None:
    bench = index(make_bench, {"a.py": "def a(): return a()\n".encode(encoding), "b.cs": "class A { void B() { B(); } }\n".encode(encoding)})
    assert bench.rows("SELECT status, reason FROM files") == [("skipped", "UTF-16 or UTF-32")] * 2
    assert bench.rows("SELECT name FROM symbols WHERE parent IS NOT NULL") == []


def test_wide_characters_without_a_mark_are_binary(make_bench: Make) -> None:
    bench = index(make_bench, {"a.py": "def a(): return a()\n".encode("utf-16-le"), "b.ts": "function b() {}\n".encode("utf-16-be")})
    assert bench.rows("SELECT status, reason FROM files") == [("skipped", "binary")] * 2


def test_a_linked_package_is_indexed_once_and_a_link_out_of_the_repository_is_never_read(make_bench: Make, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    for name, text in {"secret.py": "def secret(): ...\n", "secret.ts": "export function secret() {}\n"}.items():
        (tmp_path / "outside" / name).write_text(text)
    bench = index(
        make_bench,
        {
            "real/mod.py": b"def open_it(): ...\n",
            "real/mod.ts": b"export function openIt() {}\n",
            "main.py": b"from real.mod import open_it\nfrom out.secret import secret\nfrom one import secret as other\nopen_it(), secret(), other()\n",
            "main.ts": b'import { openIt } from "./real/mod";\nimport { secret } from "./out/secret";\nimport { secret as o } from "./one";\nopenIt(); secret(); o();\n',
        },
    )
    (bench.root / "linked").symlink_to("real")
    (bench.root / "out").symlink_to(tmp_path / "outside")
    (bench.root / "one.py").symlink_to(tmp_path / "outside" / "secret.py")
    (bench.root / "one.ts").symlink_to(tmp_path / "outside" / "secret.ts")
    bench.catch_up()
    assert bench.rows("SELECT path FROM files ORDER BY path") == [("main.py",), ("main.ts",), ("real/mod.py",), ("real/mod.ts",)]
    assert bench.rows("SELECT name FROM symbols WHERE name = 'secret'") == []
    assert [(path, line, target) for path, line, _, target, _ in bench.rows(EDGES)] == [
        ("main.py", 1, "real/mod.py"), ("main.py", 4, "real/mod.py"), ("main.ts", 1, "real/mod.ts"), ("main.ts", 4, "real/mod.ts"),
    ]  # fmt: skip


def test_a_file_that_becomes_a_link_out_of_the_repository_takes_its_edges_along(make_bench: Make, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("def lend(): ...\n")
    bench = index(make_bench, {"shelf.py": b"def lend(): ...\n", "main.py": b"from shelf import lend\nlend()\n"})
    assert len(bench.rows(EDGES)) == 2
    (bench.root / "shelf.py").unlink()
    (bench.root / "shelf.py").symlink_to(tmp_path / "outside.py")
    bench.catch_up()
    assert (bench.rows(EDGES), bench.rows("SELECT path FROM files")) == ([], [("main.py",)])


def test_generated_code_is_marked_and_others_still_reach_it(make_bench: Make) -> None:
    bench = index(
        make_bench,
        {
            "shop_pb2.py": b"# Generated by the protocol buffer compiler.  DO NOT EDIT!\nclass Shelf:\n    def lend(self): ...\n",
            "main.py": b"from shop_pb2 import Shelf\nShelf().lend()\n",
            "go.mod": b"module x.example/m\n",
            "pb/shelf.pb.go": b"// Code generated by protoc-gen-go. DO NOT EDIT.\n\npackage pb\n\ntype Shelf struct{}\n\nfunc (s *Shelf) Lend() {}\n",
            "main.go": b'package main\n\nimport "x.example/m/pb"\n\nfunc main() { s := &pb.Shelf{}; s.Lend() }\n',
        },
    )
    assert bench.rows("SELECT path FROM files WHERE generated ORDER BY path") == [("pb/shelf.pb.go",), ("shop_pb2.py",)]
    assert bench.engine.status().skipped["generated, but indexed"] == 2
    found = {(path, name) for path, _, _, target, name in bench.rows(EDGES) if "pb" in target and "main" in path}
    assert found >= {("main.py", "Shelf"), ("main.py", "lend"), ("main.go", "Shelf"), ("main.go", "Lend")}


def test_a_source_that_its_parser_cannot_survive_costs_no_other_file(make_bench: Make) -> None:
    deep = "".join(f"{' ' * depth}a:\n" for depth in range(2_000))  # more levels than the scanner of the grammar for YAML has room for
    good = {f"good{number}.yaml": f"good{number}: 1\n".encode() for number in range(30)}
    bench = index(make_bench, {"deep.yaml": deep.encode(), "quotes.md": b"> " * 2_000 + b"a\n\n# Last\n", "a.py": b"def a(): ...\n", **good})
    assert {path for (path,) in bench.rows("SELECT path FROM files WHERE status = 'full'")} >= {"a.py", *good}
    assert all(reason for (reason,) in bench.rows("SELECT reason FROM files WHERE status = 'failed'"))
    assert set(bench.engine.status().failed_files) <= {"deep.yaml", "quotes.md"}
