"""C# sources as people and machines leave them: every one gives facts, and what can be read is read."""

from __future__ import annotations

import pytest

from codeagentd.extract.file_facts import extract
from codeagentd.model.facts import SUPER, FileFacts, Reference, pack, unpack
from codeagentd.model.kinds import ReferenceKind, SymbolKind

SOURCE = b"""\
using System;
namespace Library.Books
{
    /// <summary>A place for books.</summary>
    [Serializable]
    public partial class Shelf<T> : Place, IShelf where T : IBook, new()
    {
        private readonly int width = 3, height;
        public Shelf(int width) : base(width) { this.width = width; }
        public string Title { get; set; } = $"shelf {Count(1):N0}";
        public async Task<T> Lend(string reader, params object[] rest)
        {
            foreach (var (key, value) in Index) { if (value is Novel { Pages: > 3 } long_) long_.Open(); }
            return await Find<T>(book => book.Reader == reader) ?? new T { Title = "none" };
        }
    }
    public record Card(string Reader, int Number = 1);
}
"""


def csharp(source: bytes) -> FileFacts:
    return extract(source, "csharp")


def names(facts: FileFacts) -> list[str]:
    return [symbol.name for symbol in facts.symbols[1:]]


def references(facts: FileFacts, name: str) -> list[Reference]:
    return [reference for reference in facts.references() if reference.name == name]


def test_every_beginning_of_a_source_gives_facts():
    whole = names(csharp(SOURCE))
    assert whole[:3] == ["Library.Books", "Shelf", "width"]
    for end in range(len(SOURCE)):
        facts = csharp(SOURCE[:end])
        assert unpack(pack(facts)) == facts


def test_every_byte_may_be_lost():
    for at in range(0, len(SOURCE), 3):
        facts = csharp(SOURCE[:at] + SOURCE[at + 1 :])
        assert facts.lines >= SOURCE.count(b"\n") - 1


@pytest.mark.parametrize(
    "break_",
    [
        b"{",
        b"}",
        b'"',
        b"(",
        b"#if X\n",
        b"\n#endif\n",
        b"\n#else\n",
        b"/*",
        b"<",
        b"\xff\xfe",
        b"\0",
        b'$"{',
        b"\xe9t\xe9",
        b"@",
        b"=>",
        b"::",
    ],
)
def test_anything_may_stand_anywhere(break_: bytes):
    for at in range(0, len(SOURCE), 11):
        facts = csharp(SOURCE[:at] + break_ + SOURCE[at:])
        assert facts.status in ("full", "partial")


def test_what_stands_before_and_after_an_error_is_known():
    facts = csharp(b"class A { void Before() { }\n void Now( { this.\n }\n void After() { } }\nclass B { }\n")
    assert facts.status == "partial"
    assert {"A", "Before"} <= set(names(facts))


@pytest.mark.parametrize(
    "source",
    [
        b"class C { int x = " + b"(" * 5_000 + b"1" + b")" * 5_000 + b"; }",
        b"class C { void M() " + b"{" * 2_000 + b"}" * 2_000 + b" }",
        b"class C { void M() " + b"{ if (x) " * 5_000,
        b"class C { object x = " + b"".join(b"a%d => " % number for number in range(3_000)) + b"1; }",
        b"class C { object x = a" + b".b()" * 5_000 + b"; }",
        b"".join(b"class C%d { int f; " % number for number in range(2_000)) + b"}" * 2_000,
        b"#if X\n" * 5_000 + b"class C { ( }\n" + b"#endif\n" * 5_000,
        b"class C { void M() { " + b"if (a) b(); else " * 3_000 + b" c(); } }",
        b"class C { " + b"List<" * 5_000 + b"int" + b">" * 5_000 + b" x; }",
        b"class C { object x = new A " + b"{ B = new A " * 1_000 + b"}" * 1_001 + b"; }",
        b"class C { " + b"".join(b"void M%d(int a) { F(a); }" % number for number in range(5_000)) + b" }",
    ],
    ids=[
        "parentheses",
        "blocks",
        "unclosed",
        "lambdas",
        "calls",
        "classes",
        "directives",
        "branches",
        "generics",
        "initialisers",
        "one long line",
    ],
)
def test_deep_and_long_sources_give_facts(source: bytes):
    assert csharp(source).lines >= 1


def test_line_ends_and_byte_order_marks_change_nothing_but_themselves():
    plain = csharp(SOURCE)
    assert csharp(b"\xef\xbb\xbf" + SOURCE) == plain
    assert csharp(SOURCE.rstrip(b"\n")) == plain
    windows = csharp(SOURCE.replace(b"\n", b"\r\n"))
    assert [(symbol.name, symbol.line, symbol.col) for symbol in windows.symbols] == [
        (symbol.name, symbol.line, symbol.col) for symbol in plain.symbols
    ]
    assert list(windows.references()) == list(plain.references())


def test_a_source_that_ends_in_a_directive_without_line_break_is_whole():
    assert csharp(b"#pragma warning disable 1\nclass A { }\n#pragma warning restore 1").status == "full"


def test_columns_count_characters():
    facts = csharp('class A { string é = "ü"; int B() => é.Length; }\n'.encode())
    assert [(reference.line, reference.col) for reference in references(facts, "Length")] == [(1, 39)]


def test_a_source_in_another_encoding_keeps_its_definitions():
    facts = csharp('class A { /* é */ string s = "é"; [Obsolété] void Éa() { } void B() { } }'.encode("latin-1"))
    assert {"A", "s", "B"} <= set(names(facts))


def test_conditional_branches_are_all_read_where_the_grammar_can():
    facts = csharp(b"class A {\n#if X\nvoid B() { }\n#else\nvoid C() { }\n#endif\n}\n")
    assert (names(facts), facts.status) == (["A", "B", "C"], "full")


def test_only_the_branches_at_an_error_are_left_out():
    facts = csharp(
        b"class A\n#if X\n : Base\n#endif\n{\n#if Y\nvoid B() { }\n#else\nvoid C() { }\n#endif\nvoid D(\n#if Z\nint a)\n#else\nstring a)\n#endif\n{ }\n}\n"
    )
    assert (names(facts), facts.status) == (["A", "B", "C", "D"], "full")
    assert facts.symbols[1].bases == ("Base",)
    assert facts.symbols[4].signature == "(int a)"


def test_directives_that_are_never_closed_do_no_harm():
    assert csharp(b"#if X\nclass A {\n#else\nclass B {\n").status == "partial"
    assert csharp(b"#endif\n#else\n#elif X\nclass A { ( }\n").status == "partial"


def test_overloads_and_arities_stay_apart():
    facts = csharp(b"class A { void B() { } void B(int a) { } void B<T>() { } } class A<T> { } class A<T, U> { }")
    headers = [(symbol.name, symbol.header) for symbol in facts.symbols[1:]]
    assert len(set(headers)) == len(headers) == 6
    assert headers[1:4] == [("B", "()"), ("B", "(int a)"), ("B", "<T> ()")]


def test_parts_of_a_class_in_one_file_are_one_symbol():
    facts = csharp(b"partial class A : B { }\npublic abstract partial class A : IC { int x; }\n")
    assert names(facts) == ["A", "x"]
    assert (facts.symbols[1].bases, facts.symbols[1].access, facts.symbols[1].shared) == (("B", "IC"), "public", True)
    assert len(facts.symbols[1].more_lines) == 1


def test_each_name_of_a_declaration_has_what_stands_before_the_first():
    facts = csharp(
        b"class A {\n /// sizes\n [Obsolete] protected static int width, height;\n public event Action Opened, Closed;\n}\n"
    )
    fields = [(symbol.name, symbol.access, symbol.type, symbol.line_start) for symbol in facts.symbols[2:]]
    assert fields == [
        ("width", "protected", "int", 3),
        ("height", "protected", "int", 3),
        ("Opened", "public", "Action", 4),
        ("Closed", "public", "Action", 4),
    ]
    assert facts.symbols[2].flags == facts.symbols[3].flags != 0


def test_a_property_may_be_called_like_its_type():
    facts = csharp(
        b"class Colour { } class Pen { public Colour Colour { get; set; } Colour Mix(Colour other) => Colour; }"
    )
    kinds = [
        (ReferenceKind(reference.kind).name, SymbolKind(facts.symbols[reference.binding - 1].kind).label)
        for reference in references(facts, "Colour")
    ]
    assert kinds == [("TYPE", "class"), ("RETURNS", "class"), ("ACCEPTS", "class"), ("READ", "property")]


def test_type_parameters_are_no_references():
    facts = csharp(b"class A<T> where T : A<T> { T B<U>(U u, T t) where U : T => default(T); delegate V C<V>(V v); }")
    assert {reference.name for reference in facts.references()} == {"A"}


def test_using_directives_belong_to_the_file_wherever_they_stand():
    facts = csharp(b"namespace A;\nusing B.C;\nnamespace D { using E = F.G<int>; using (int, int) = H; }\n")
    assert [(fact.module, fact.name, fact.local, fact.source) for fact in facts.imports[:2]] == [
        ("B.C", "*", "", 0),
        ("F", "G", "E", 0),
    ]


def test_constructor_initialisers_are_calls_of_their_own():
    facts = csharp(b"class A : B { A() : this(1) { } A(int a) : base(a) { } int this[int i] => i; }")
    calls = [
        (reference.name, reference.receiver == SUPER)
        for reference in facts.references()
        if reference.kind == ReferenceKind.CALL
    ]
    assert calls == [("this", False), ("base", True)]


def test_a_comment_documents_only_what_follows_it():
    facts = csharp(
        b"/// yes\nclass A { }\n\n/// no\n\nclass B { }\n// no\nclass C { }\n/** yes */ class D { }\n//// no\nclass E { }\n/* no */\nclass F { }\n"
    )
    documented = [symbol.name for symbol in facts.symbols if symbol.flags & 64]
    assert documented == ["A", "D"]
