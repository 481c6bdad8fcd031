"""Files as repositories have them: other encodings and line ends, links, generated code, sources that end a parser."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from codeagentd.model.facts import FileFacts
from codeagentd.model.kinds import Confidence, ReferenceKind, SymbolKind
from codeagentd.model.namespace_macros import Openings
from codeagentd.pipeline.rows.module_naming.module_name import ModuleName
from codeagentd.pipeline.workers.file_reader import Reader
from codeagentd.pipeline.workers.messages import Job
from codeagentd.resolve.references import Linker, Links
from codeagentd.resolve.symbol_table import File
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]


def edges(bench: Bench) -> list[tuple[str, int, int, str | None, str | None]]:
    """(path, line, column, path of the definition, its name) of references that are certain, files aside."""
    inner = {symbol.id for symbol in bench.stored.symbols() if not symbol.is_file}
    return sorted(
        (one.path, one.line, one.col, one.target_path, one.target_name)
        for one in bench.stored.references()
        if one.confidence == Confidence.EXACT and one.target_id in inner
    )


def inner_names(bench: Bench) -> list[str]:
    """The names of what files define."""
    return [symbol.name for symbol in bench.stored.symbols(external=True) if not symbol.is_file]


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
    assert {file.status for file in bench.stored.files()} == {"full"}
    assert edges(bench) == [
        ("ends.go", 3, 21, "ends.go", "a"),
        ("latin.py", 3, 10, "latin.py", "größe"),
        ("mark.c", 2, 27, "mark.c", "a"),
        ("mark.ts", 2, 9, "mark.ts", "a"),
        ("user.py", 1, 18, "latin.py", "größe"),
        ("user.py", 2, 6, "latin.py", "größe"),
    ]


def test_wide_characters_are_skipped_with_the_reason(make_bench: Make) -> None:
    texts = {"py": "def a(): return a()\n", "cs": "class A { void B() { B(); } }\n"}
    encodings = ("utf-16", "utf-32", "utf-16-le", "utf-16-be")  # the latter two without a mark
    bench = index(
        make_bench,
        {f"{encoding}.{ending}": text.encode(encoding) for encoding in encodings for ending, text in texts.items()},
    )
    assert Counter((file.status, file.reason) for file in bench.stored.files()) == {
        ("skipped", "UTF-16 or UTF-32"): 4,
        ("skipped", "binary"): 4,
    }
    assert inner_names(bench) == []


def test_a_linked_package_is_indexed_once_and_a_link_out_of_the_repository_is_never_read(
    make_bench: Make, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    for name, text in {"secret.py": "def secret(): ...\n", "secret.ts": "export function secret() {}\n"}.items():
        (tmp_path / "outside" / name).write_text(text)
    bench = index(
        make_bench,
        {
            "real/mod.py": b"def open_it(): ...\n",
            "real/mod.ts": b"export function openIt() {}\n",
            "main.py": (
                b"from real.mod import open_it\nfrom out.secret import secret\nfrom one import secret as other\n"
                b"open_it(), secret(), other()\n"
            ),
            "main.ts": b'import { openIt } from "./real/mod";\nimport { secret } from "./out/secret";\n'
            b'import { secret as o } from "./one";\n'
            b"openIt(); secret(); o();\n",
        },
    )
    (bench.root / "linked").symlink_to("real")
    (bench.root / "out").symlink_to(tmp_path / "outside")
    (bench.root / "one.py").symlink_to(tmp_path / "outside" / "secret.py")
    (bench.root / "one.ts").symlink_to(tmp_path / "outside" / "secret.ts")
    bench.catch_up()
    assert bench.stored.paths() == ["main.py", "main.ts", "real/mod.py", "real/mod.ts"]
    assert bench.stored.count_symbols("secret") == 0
    assert [(path, line, target) for path, line, _, target, _ in edges(bench)] == [
        ("main.py", 1, "real/mod.py"), ("main.py", 4, "real/mod.py"), ("main.ts", 1, "real/mod.ts"),
        ("main.ts", 4, "real/mod.ts"),
    ]  # fmt: skip


def test_a_file_that_becomes_a_link_out_of_the_repository_takes_its_edges_along(
    make_bench: Make, tmp_path: Path
) -> None:
    (tmp_path / "outside.py").write_text("def lend(): ...\n")
    bench = index(make_bench, {"shelf.py": b"def lend(): ...\n", "main.py": b"from shelf import lend\nlend()\n"})
    assert len(edges(bench)) == 2
    (bench.root / "shelf.py").unlink()
    (bench.root / "shelf.py").symlink_to(tmp_path / "outside.py")
    bench.catch_up()
    assert (edges(bench), bench.stored.paths()) == ([], ["main.py"])


def test_generated_code_is_marked_and_others_still_reach_it(make_bench: Make) -> None:
    bench = index(
        make_bench,
        {
            "shop_pb2.py": (
                b"# Generated by the protocol buffer compiler.  DO NOT EDIT!\nclass Shelf:\n    def lend(self): ...\n"
            ),
            "main.py": b"from shop_pb2 import Shelf\nShelf().lend()\n",
            "go.mod": b"module x.example/m\n",
            "pb/shelf.pb.go": (
                b"// Code generated by protoc-gen-go. DO NOT EDIT.\n\npackage pb\n\ntype Shelf struct{}\n\n"
                b"func (s *Shelf) Lend() {}\n"
            ),
            "main.go": b'package main\n\nimport "x.example/m/pb"\n\nfunc main() { s := &pb.Shelf{}; s.Lend() }\n',
        },
    )
    assert [file.path for file in bench.stored.files() if file.is_generated] == ["pb/shelf.pb.go", "shop_pb2.py"]
    assert bench.engine.status().skipped["generated, but indexed"] == 2
    targets = {(path, name) for path, _, _, target, name in edges(bench) if "pb" in target and "main" in path}
    assert targets >= {("main.py", "Shelf"), ("main.py", "lend"), ("main.go", "Shelf"), ("main.go", "Lend")}


def test_a_source_that_its_parser_cannot_survive_costs_no_other_file(make_bench: Make) -> None:
    # more levels than the scanner of the grammar for YAML has room for
    deep = "".join(f"{' ' * depth}a:\n" for depth in range(2_000))
    good = {f"good{number}.yaml": f"good{number}: 1\n".encode() for number in range(30)}
    bench = index(
        make_bench,
        {"deep.yaml": deep.encode(), "quotes.md": b"> " * 2_000 + b"a\n\n# Last\n", "a.py": b"def a(): ...\n", **good},
    )
    assert {file.path for file in bench.stored.files() if file.status == "full"} >= {"a.py", *good}
    assert all(file.reason for file in bench.stored.files() if file.status == "failed")
    assert set(bench.engine.status().failed_files) <= {"deep.yaml", "quotes.md"}


def test_files_made_for_secrets_are_listed_with_the_reason_and_never_read(make_bench: Make) -> None:
    key = b"-----BEGIN RSA PRIVATE" + b" KEY-----\nMIIB\n"
    skipped = [".env", "deploy/id_rsa", "k8s/secret.yaml", "home/.aws/config.py", "notes.md", "service.json"]
    files = dict.fromkeys(skipped[:4], b"#!/usr/bin/env python\ndef leaked(): ...\n")
    bench = index(
        make_bench,
        files
        | {
            "notes.md": key,
            "service.json": b'{"type": "service_account", "private_key": "x"}',
            "secrets.py": b"def kept(): ...\n",
        },
    )
    left_out = [file for file in bench.stored.files() if file.status == "skipped"]
    assert [(file.path, file.reason) for file in left_out] == [(path, "secret") for path in sorted(skipped)]
    assert inner_names(bench) == ["kept"]
    assert not any(file.digest for file in left_out)


def test_a_file_that_becomes_a_key_leaves_the_index(make_bench: Make) -> None:
    bench = index(make_bench, {"notes.md": b"# The vault\n"})
    assert bench.stored.count_symbols("The vault")
    bench.write("notes.md", "-----BEGIN PRIVATE" + " KEY-----\nMIIB\n")
    bench.catch_up()
    assert bench.stored.count_symbols("The vault") == 0
    assert [file.reason for file in bench.stored.files()] == ["secret"]


def test_a_mistake_of_ours_costs_the_file_that_meets_it_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def extract(source: bytes, language: str, openings: Openings) -> FileFacts:
        return FileFacts(language, "full", [][len(source) + len(openings)])

    monkeypatch.setattr("codeagentd.pipeline.workers.file_reader.extract", extract)
    (tmp_path / "a.py").write_text("lend()\n")
    outcome = Reader(str(tmp_path), None).read(Job("a.py", "python", "python:.", ModuleName("a", "a")))
    assert outcome.status == "failed"
    assert re.fullmatch(r"internal error: IndexError in test_odd_files\.py, line \d+", outcome.reason)


def test_a_use_of_nothing_leaves_the_other_references_as_they_are(make_bench: Make) -> None:
    bench = index(
        make_bench,
        {
            "src/lib.rs": b"use ::self;\nuse ::;\nuse a::self::b;\npub mod a;\npub fn go() { a::b(); }\n",
            "src/a.rs": b"pub fn b() {}\n",
        },
    )
    assert ("src/lib.rs", 5, 17, "src/a.rs", "b") in edges(bench)


def test_an_extension_whose_class_is_not_closed_yet_leaves_the_references_of_those_who_ask_for_its_name(
    make_bench: Make,
) -> None:
    asking = b"namespace A;\nclass Box {}\nclass Shelf { void Go(Box box) { box.Lend(); Fill(); } void Fill() {} }\n"
    bench = index(
        make_bench,
        {"Shelf.cs": asking, "Box.cs": b"public static class E {\n public static void Lend(this Box box) {}\n int"},
    )
    assert ("Shelf.cs", 3, 45, "Shelf.cs", "Fill") in edges(bench)


def test_an_import_whose_module_is_still_to_be_written_leads_nowhere(make_bench: Make) -> None:
    bench = index(
        make_bench,
        {"a.swift": b"struct Shelf {}\n", "b.swift": b"import )\n\nlet shelf = 1\n", "c.swift": b"let box = Shelf()\n"},
    )
    assert not [one for one in bench.stored.references() if one.kind == ReferenceKind.IMPORT]
    assert ("c.swift", 1, 10, "a.swift", "Shelf") in edges(bench)


def test_a_type_of_which_nothing_but_its_name_is_written_is_there(make_bench: Make) -> None:
    bench = index(make_bench, {"src/lib.rs": b"fn f(a: T) {}\nfn g(a: T) {}\ntype T{ Item<;\n"})
    assert [symbol.name for symbol in bench.stored.symbols() if symbol.kind == SymbolKind.TYPE] == ["T"]
    assert ("src/lib.rs", 1, 8, "src/lib.rs", "T") in edges(bench)


def test_a_mistake_of_ours_in_resolving_costs_that_file_its_references_until_it_is_resolved_again(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def link(linker: Linker, file: File, facts: FileFacts, ids: Sequence[int]) -> Links:
        return [][len(ids)] if file.path == "odd.py" else linked(linker, file, facts, ids)

    linked = Linker.link
    with monkeypatch.context() as patch:
        patch.setattr(Linker, "link", link)
        bench = index(make_bench, {"a.py": b"def go(): ...\ngo()\n", "odd.py": b"import a\na.go()\n"})
        assert edges(bench) == [("a.py", 2, 0, "a.py", "go")]
    (record,) = [record for record in caplog.records if "stays unknown" in record.message]
    assert record.facts["path"] == "odd.py"
    assert re.fullmatch(r"internal error: IndexError in test_odd_files\.py, line \d+", record.facts["reason"])
    bench.write("a.py", "\ndef go(): ...\ngo()\n")
    bench.write("odd.py", "import a\na.go()\n\n")
    bench.catch_up()
    assert edges(bench) == [("a.py", 3, 0, "a.py", "go"), ("odd.py", 2, 2, "a.py", "go")]
