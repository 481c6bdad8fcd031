"""Interfaces that types implement by their methods alone, asked of a real index of Go sources."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.model.kinds import EDGE_OF_REFERENCE, Origin, ReferenceKind
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.pipeline.structural import structural_edges
from codeagentd.query.graph.edges import (
    CALLEES,
    CALLERS,
    DEPENDENCIES,
    DEPENDENTS,
    IMPLEMENTATIONS,
    REFERENCES,
    EdgeFilter,
    neighbours,
)
from codeagentd.query.graph.impact import reached_from
from codeagentd.query.graph.traversal import seeds_of, summaries
from codeagentd.query.paging import Slice
from codeagentd.query.refactor.rename_plan import renaming
from codeagentd.query.symbols.name_resolution import resolve
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

MODULE = {"go.mod": "module lib.example/m\n"}
API = """package api

import "context"

type Item struct{}
type Keeper interface {
	Keep(ctx context.Context, items ...*Item) (n int, err error)
	Close() error
}
"""


def part(bench: Bench, name: str, question: EdgeFilter) -> Slice[Neighbour]:
    """The first page of an answer about what is called `package.Name`, m being the top."""
    package, _, rest = name.partition(".")
    name = f"lib.example/m.{rest}" if package == "m" else f"lib.example/m/{name}" if rest else name
    with bench.engine.readers.read() as database:
        return neighbours(database, resolve(database, name), question, None, 100)


def edges(bench: Bench, name: str, question: EdgeFilter) -> set[tuple[str, str, str]]:
    """Neighbours with their edge and how sure it is."""
    return {
        (item.qualified_name.removeprefix("lib.example/m"), item.edge_type, item.confidence)
        for item in part(bench, name, question).items
    }


def implementers(bench: Bench, name: str) -> set[tuple[str, str]]:
    """Types that implement an interface."""
    return {
        (type_, confidence) for type_, edge, confidence in edges(bench, name, IMPLEMENTATIONS) if edge == "implements"
    }


def test_a_type_with_all_methods_implements_an_interface_whatever_the_qualifiers_and_names_of_parameters(
    make_bench: Make,
) -> None:
    files = MODULE | {
        "api/api.go": API,
        "disk/disk.go": """package disk

import (
	std "context"
	other "lib.example/m/api"
)

type Store struct{}
func (s *Store) Keep(c std.Context, all ...*other.Item) (int, error) { return 0, nil }
func (s Store) Close() (failed error) { return nil }

type Item struct{}
type Wrong struct{}
func (w Wrong) Keep(c std.Context, all ...*Item) (int, error) { return 0, nil }
func (w Wrong) Close() error { return nil }

type Half struct{}
func (h Half) Close() error { return nil }
""",
    }
    bench = make_bench(files)
    assert implementers(bench, "api.Keeper") == {("/disk.Store", "exact")}
    assert edges(bench, "api.Keeper", DEPENDENTS.only("implements")) == {("/disk.Store", "implements", "exact")}
    assert edges(bench, "disk.Store", DEPENDENCIES.only("implements")) == {("/api.Keeper", "implements", "exact")}
    assert edges(bench, "disk.Wrong", DEPENDENCIES.only("implements")) == set()
    (item,) = part(bench, "disk.Store", DEPENDENCIES.only("implements")).items
    assert (item.origin, item.direction, item.sites[0].line) == ("structure", "outgoing", 8)


def test_methods_of_an_interface_are_overridden_by_those_of_its_implementers(make_bench: Make) -> None:
    files = MODULE | {
        "m.go": """package m

type Runner interface { Run(times int) error; Stop() }
type Car struct{}
func (c *Car) Run(n int) error { return nil }
func (c *Car) Stop() {}
type Nose struct{}
func (n *Nose) Run(n int) error { return nil }
"""
    }
    bench = make_bench(files)
    assert edges(bench, "m.Runner.Run", IMPLEMENTATIONS) == {(".Car.Run", "overrides", "exact")}
    assert edges(bench, "m.Car.Run", DEPENDENCIES.only("overrides")) == {(".Runner.Run", "overrides", "exact")}
    assert edges(bench, "m.Nose.Run", DEPENDENCIES.only("overrides")) == set()
    assert edges(bench, "m.Runner", REFERENCES) == set()


def test_embedded_types_lend_their_methods_and_embedded_interfaces_ask_for_theirs(make_bench: Make) -> None:
    files = MODULE | {
        "m.go": """package m

type Reader interface { Read() string }
type Closer interface { Close() error }
type Both interface { Reader; Closer }
type Base struct{}
func (b *Base) Read() string { return "" }
type File struct{ *Base }
func (f File) Close() error { return nil }
type Wrapper struct{ Reader }
func (w Wrapper) Close() error { return nil }
type Hidden struct{ Base; Read string }
func (h Hidden) Close() error { return nil }
type Other struct{}
func (o Other) Read() string { return "" }
type Twice struct{ Base; Other }
func (t Twice) Close() error { return nil }
"""
    }
    bench = make_bench(files)
    assert implementers(bench, "m.Both") == {(".File", "exact"), (".Wrapper", "exact")}
    assert implementers(bench, "m.Reader") == {
        (".Base", "exact"),
        (".Other", "exact"),
        (".File", "exact"),
        (".Wrapper", "exact"),
    }
    assert edges(bench, "m.Reader.Read", IMPLEMENTATIONS) == {
        (".Base.Read", "overrides", "exact"),
        (".Other.Read", "overrides", "exact"),
    }
    assert ("m.File", "implements") not in {(type_, edge) for type_, edge, _ in edges(bench, "m.Base", IMPLEMENTATIONS)}
    assert edges(bench, "m.File", DEPENDENCIES.only("implements")) == {
        (f".{name}", "implements", "exact") for name in ("Reader", "Closer", "Both")
    }


def test_the_empty_interface_and_constraints_have_no_implementers(make_bench: Make) -> None:
    files = MODULE | {
        "m.go": """package m

type Any interface{}
type Number interface { ~int | ~float64; String() string }
type Small interface { ~int8; String() string }
type Whole interface { Small }
type Stringer interface { String() string }
type Count int
func (c Count) String() string { return "" }
"""
    }
    bench = make_bench(files)
    assert {name: implementers(bench, f"m.{name}") for name in ("Any", "Number", "Small", "Whole")} == {
        "Any": set(),
        "Number": set(),
        "Small": set(),
        "Whole": set(),
    }
    assert edges(bench, "m.Count", DEPENDENCIES.only("implements")) == {(".Stringer", "implements", "exact")}


def test_an_interface_with_one_method_needs_an_equal_signature(make_bench: Make) -> None:
    files = MODULE | {
        "m.go": """package m

type Closer interface { Close() error }
type Adder[T any] interface { Add(one T); Len() int }
type Only[T any] interface { Add(one T) }
type Quiet struct{}
func (q Quiet) Close() {}
type Loud struct{}
func (l Loud) Close(loud bool) error { return nil }
type List struct{}
func (l *List) Add(word string) {}
func (l *List) Len() int { return 0 }
"""
    }
    bench = make_bench(files)
    assert implementers(bench, "m.Closer") == set()
    assert implementers(bench, "m.Adder") == {(".List", "inferred")}
    assert implementers(bench, "m.Only") == set()


def test_another_name_of_a_type_cannot_be_decided_and_one_of_the_language_can(make_bench: Make) -> None:
    files = MODULE | {
        "m.go": """package m

type Table = map[string]int
type Source interface { Rows() Table; Bytes(any) []byte }
type Memory struct{}
func (m Memory) Rows() map[string]int { return nil }
func (m Memory) Bytes(x interface{}) []uint8 { return nil }
type Disk struct{}
func (d Disk) Rows() Table { return nil }
func (d Disk) Bytes(x any) []byte { return nil }
"""
    }
    bench = make_bench(files)
    assert implementers(bench, "m.Source") == {(".Memory", "inferred"), (".Disk", "exact")}


def test_an_interface_that_embeds_one_of_another_package_is_never_sure(make_bench: Make) -> None:
    files = MODULE | {
        "m.go": """package m

import "far.example/ends"

type Only interface { ends.Closer }
type More interface { ends.Closer; Lend(n int) }
type Shelf struct{}
func (s Shelf) Lend(n int) {}
func (s Shelf) Close() error { return nil }
"""
    }
    bench = make_bench(files)
    assert (implementers(bench, "m.Only"), implementers(bench, "m.More")) == (set(), {(".Shelf", "inferred")})


def test_a_method_that_is_not_exported_is_another_one_in_each_package(make_bench: Make) -> None:
    type_ = "type Own struct{}\nfunc (o Own) mark() {}\n"
    bench = make_bench(
        MODULE
        | {"a/a.go": f"package a\n\ntype Marked interface {{ mark() }}\n{type_}", "b/b.go": f"package b\n\n{type_}"}
    )
    assert implementers(bench, "a.Marked") == {("/a.Own", "exact")}


def test_a_changed_method_changes_who_implements(make_bench: Make) -> None:
    text = "package m\n\ntype Closer interface { Close() error }\ntype Shelf struct{}\n"
    bench = make_bench(MODULE | {"m.go": text})
    assert implementers(bench, "m.Closer") == set()
    bench.write("shelf.go", "package m\n\nfunc (s *Shelf) Close() error { return nil }\n")
    bench.catch_up()
    assert implementers(bench, "m.Closer") == {(".Shelf", "exact")}


def test_of_too_many_candidates_some_are_compared_and_the_note_says_so(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    types = "".join(
        f"type T{number} struct{{}}\nfunc (t T{number}) Close() error {{ return nil }}\n" for number in range(5)
    )
    monkeypatch.setattr(structural_edges, "MOST_TYPES", 3)
    bench = make_bench(MODULE | {"m.go": f"package m\n\ntype Closer interface {{ Close() error }}\n{types}"})
    assert len(implementers(bench, "m.Closer")) == 3
    assert (
        part(bench, "m.Closer", IMPLEMENTATIONS).note
        == "more than 3 types have a method Close: only so many were compared"
    )


def test_languages_with_declared_interfaces_have_no_implementers_by_structure(make_bench: Make) -> None:
    bench = make_bench({"m.ts": "export interface Closer { close(): void }\nexport class Shelf { close(): void {} }\n"})
    assert edges(bench, "Closer", IMPLEMENTATIONS) == set()


def test_calls_through_an_interface_are_told_to_who_asks_for_the_callers_of_an_implementation(make_bench: Make) -> None:
    files = MODULE | {
        "m.go": """package m

type Runner interface { Run() }
type Car struct{}
func (c *Car) Run() {}
func drive(r Runner) { r.Run(); r.Run() }
func own(c *Car) { c.Run() }
type Fast struct{ Car }
func (f *Fast) Run() {}
"""
    }
    bench = make_bench(files)
    note = "2 calls go through lib.example/m.Runner.Run, which this overrides, and may land here"
    assert part(bench, "m.Car.Run", CALLERS).note == note
    assert part(bench, "m.Fast.Run", CALLERS).note == note
    assert (
        part(bench, "m.drive", CALLEES).note
        == "lib.example/m.Runner.Run is overridden by 2 members: a call may land there"
    )
    assert part(bench, "m.own", CALLEES).note == ""


def test_an_interface_asks_also_for_the_methods_of_the_standard_interfaces_that_it_embeds(make_bench: Make) -> None:
    source = """package m

import "io"

type Sink interface {
	io.WriteCloser
	Sync() error
}
type Failure interface {
	error
	Code() int
}
type Far interface {
	io.Missing
	Sync() error
}

type File struct{}
func (f *File) Write(p []byte) (n int, err error) { return 0, nil }
func (f *File) Close() error { return nil }
func (f *File) Sync() error { return nil }
type Log struct{}
func (l Log) Sync() error { return nil }
type Wrapper struct{ io.WriteCloser }
func (w Wrapper) Sync() error { return nil }
type Around struct{ Sink }
type Fault struct{}
func (f Fault) Error() string { return "" }
func (f Fault) Code() int { return 0 }
type Number struct{}
func (n Number) Code() int { return 0 }
"""
    bench = make_bench(MODULE | {"main.go": source})
    assert implementers(bench, "m.Sink") == {(".File", "exact"), (".Wrapper", "inferred"), (".Around", "inferred")}
    assert implementers(bench, "m.Failure") == {(".Fault", "exact")}
    # its other requirements are unknown
    assert implementers(bench, "m.Far") == {(f".{name}", "inferred") for name in ("File", "Log", "Wrapper", "Around")}


def test_nothing_implements_a_constraint_on_pointers_and_functions_implement_nothing(make_bench: Make) -> None:
    source = """package m

type Keeper interface { Keep() error }
type Pointer[T any] interface {
	*T
	Keeper
}
type Shelf struct{}
func (s *Shelf) Keep() error { return nil }
type Book struct{}
func use(one interface { Keeper; Lend() }) int {
	var local struct { Book }
	return len(local)
}
"""
    bench = make_bench(MODULE | {"main.go": source})
    assert implementers(bench, "m.Pointer") == set()
    assert edges(bench, "m.Book", IMPLEMENTATIONS) == set()
    assert implementers(bench, "m.Keeper") == {(".Shelf", "exact")}


def rows(bench: Bench) -> set[tuple[str, str, str, int, int]]:
    """The stored edges of structure: from, edge, to, line and column of the place."""
    return {
        (
            reference.source.removeprefix("lib.example/m."),
            EDGE_OF_REFERENCE[ReferenceKind(reference.kind)],
            (reference.target or "").removeprefix("lib.example/m."),
            reference.line,
            reference.col,
        )
        for reference in bench.stored.references()
        if reference.origin == Origin.STRUCTURE
    }


CLOSER = "package m\n\ntype Closer interface { Close() error }\n"
SHELF = "package m\n\ntype Shelf struct{}\nfunc (s *Shelf) Close() error { return nil }\n"


def test_edges_stand_at_the_names_and_follow_them_to_other_lines(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench(MODULE | {"closer.go": CLOSER, "shelf.go": SHELF})
    assert rows(bench) == {
        ("Shelf", "implements", "Closer", 3, 5),
        ("Shelf.Close", "overrides", "Closer.Close", 4, 16),
    }
    bench.write("shelf.go", SHELF.replace("m\n\n", "m\n\n// Shelf keeps books.\n"))
    bench.catch_up()
    assert rows(bench) == {
        ("Shelf", "implements", "Closer", 4, 5),
        ("Shelf.Close", "overrides", "Closer.Close", 5, 16),
    }
    assert bench.is_as_fresh(tmp_path / "fresh")


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("closer.go", "Close() error", "Close()"),
        ("closer.go", "Close() error", "Close() error; Sync()"),
        ("closer.go", "interface { Close() error }", "struct{}"),
        ("closer.go", "Closer interface", "Ender interface"),
        ("shelf.go", "Close() error", "Shut() error"),
        ("shelf.go", "type Shelf struct{}\n", ""),
        ("shelf.go", "Shelf struct{}", "Shelf interface{}"),
        ("box.go", "{ Shelf }", "{ Shelf; Close int }"),
        ("box.go", "{ Shelf }", "{}"),
        ("far.go", "Code = int", "Code = string"),
        ("far.go", "type Code = int", "type Code string"),
        ("coded.go", "(c Code)", "(c int)"),
    ],
)
def test_after_each_edit_the_edges_are_those_of_a_fresh_index(
    path: str, before: str, after: str, make_bench: Make, tmp_path: Path
) -> None:
    bench = make_bench(
        MODULE
        | {
            "closer.go": CLOSER,
            "shelf.go": SHELF,
            "box.go": "package m\n\ntype Box struct { Shelf }\ntype Case struct { *Box }\n",
            "far.go": "package m\n\ntype Code = int\ntype Coded interface { Close() error; Take(c Code) }\n",
            "coded.go": "package m\n\ntype Desk struct{ Case }\nfunc (d Desk) Take(c Code) {}\n",
        }
    )
    assert {("Box", "implements", "Closer", 3, 5), ("Desk", "implements", "Coded", 3, 5)} <= rows(bench)
    assert bench.follows(path, before, after, tmp_path)


def test_files_that_come_and_go_take_their_edges_with_them(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench(MODULE | {"shelf.go": SHELF})
    assert rows(bench) == set()
    bench.write("closer.go", CLOSER)
    bench.catch_up()
    assert len(rows(bench)) == 2
    (bench.root / "shelf.go").rename(bench.root / "moved.go")
    bench.catch_up()
    assert len(rows(bench)) == 2
    assert bench.is_as_fresh(tmp_path / "fresh")
    (bench.root / "closer.go").unlink()
    bench.catch_up()
    assert rows(bench) == set()


def test_a_batch_without_methods_compares_no_types(make_bench: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = make_bench(MODULE | {"closer.go": CLOSER, "shelf.go": SHELF})
    compared: list[object] = []
    monkeypatch.setattr(structural_edges, "_Comparison", compared.append)
    bench.write("shelf.go", SHELF.replace("return nil", "println(1); return nil") + "\nfunc free() {}\n")
    bench.write("a.py", "class A:\n    def close(self): ...\n")
    bench.catch_up()
    assert compared == []
    assert len(rows(bench)) == 2


def test_of_types_that_share_a_common_method_the_same_are_compared_after_edits(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(structural_edges, "MOST_TYPES", 3)
    types = {
        f"t{number}.go": f"package m\n\ntype T{number} struct{{}}\nfunc (t T{number}) Close() error {{ return nil }}\n"
        for number in range(1, 4)
    }
    bench = make_bench(MODULE | {"closer.go": CLOSER} | types)
    assert implementers(bench, "m.Closer") == {(".T1", "exact"), (".T2", "exact"), (".T3", "exact")}
    bench.write("t0.go", types["t1.go"].replace("T1", "T0"))
    bench.catch_up()
    assert implementers(bench, "m.Closer") == {(".T0", "exact"), (".T1", "exact"), (".T2", "exact")}
    (bench.root / "t1.go").unlink()
    (bench.root / "t2.go").unlink()
    bench.catch_up()
    assert part(bench, "m.Closer", IMPLEMENTATIONS).note == ""
    assert bench.is_as_fresh(tmp_path / "fresh")


def test_a_method_that_hides_one_of_an_embedded_type_overrides_nothing(make_bench: Make) -> None:
    bench = make_bench(
        MODULE
        | {
            "m.go": "package m\n\ntype Car struct{}\nfunc (c Car) Run() {}\ntype Fast struct{ Car }\nfunc (f Fast) Run() {}\n"
        }
    )
    assert edges(bench, "m.Fast.Run", DEPENDENCIES.only("overrides")) == set()


def test_steps_of_traversals_lead_through_interfaces_of_structure(make_bench: Make) -> None:
    bench = make_bench(
        MODULE
        | {
            "closer.go": CLOSER + "func end(c Closer) { c.Close() }\n",
            "shelf.go": SHELF,
            "m_test.go": "package m\n\nfunc TestEnd() { end(&Shelf{}) }\n",
        }
    )
    with bench.engine.readers.read() as database:
        seeds = seeds_of(database, resolve(database, "lib.example/m.Shelf.Close"))
        reached, _ = reached_from(database, seeds.ids, False, 3)
        names = {shown.name for shown in summaries(database, [item.symbol for item in reached]).values()}
    assert {"lib.example/m.end", "lib.example/m.TestEnd"} <= names


def test_a_rename_takes_the_methods_of_types_that_implement_the_interface(make_bench: Make) -> None:
    bench = make_bench(
        MODULE
        | {"closer.go": CLOSER + "func end(c Closer) { c.Close() }\n", "shelf.go": SHELF + "var x = Shelf.Close\n"}
    )
    for name in ("Closer.Close", "Shelf.Close"):
        with bench.engine.readers.read() as database:
            plan = renaming(
                database,
                resolve(database, f"lib.example/m.{name}"),
                "End",
                lambda path: (bench.root / path).read_text().splitlines(),
            )
        assert {(site.file, site.line) for site in plan.edits} == {
            ("closer.go", 3),
            ("closer.go", 4),
            ("shelf.go", 4),
            ("shelf.go", 5),
        }
        reasons = {site.reason for site in plan.review}
        assert reasons == {"it may be demanded by io.Closer, which is outside of the repository"}


def test_a_renamed_interface_is_not_edited_where_types_implement_it(make_bench: Make) -> None:
    bench = make_bench(MODULE | {"a/a.go": "package a\n\ntype Shelf interface { Close() error }\n", "shelf.go": SHELF})
    with bench.engine.readers.read() as database:
        plan = renaming(
            database,
            resolve(database, "lib.example/m/a.Shelf"),
            "Rack",
            lambda path: (bench.root / path).read_text().splitlines(),
        )
    assert [(site.file, site.line) for site in plan.edits] == [("a/a.go", 3)]
