"""Type inference: the type of a definition's value or result. Each row states a rule of its language."""

from __future__ import annotations

import pytest

from codeagentd.model.kinds import SymbolKind
from codeagentd.resolve.targets import Target
from tests.harness.symbol_table import InMemorySymbolTable, files_of

_CALLABLES = {SymbolKind.FUNCTION, SymbolKind.METHOD}


def type_of(language: str, source: str, name: str) -> str:
    """The qualified name of the type of a definition's value or result, `A | B` for a union, "" where it is unknown."""
    table = InMemorySymbolTable(files_of(language, source))
    symbol, values = table.find(name), table.names.values
    target = values.type_of_call(Target(symbol.id)) if symbol.kind in _CALLABLES else values.type_of_symbol(symbol)
    if target is None:
        return ""
    parts = [table.symbol(part.symbol).name for part in target.alternatives or (target,) if part.symbol]
    return " | ".join(sorted(parts))


def row(language: str, rule: str, source: str, name: str, expected: str) -> object:
    """One row: the definition `name` of a source, and the type of its value or result."""
    return pytest.param(language, source, name, expected, id=f"{language}: {rule}")


DECLARED = [
    row("python", "a variable has its annotation", "class Book: ...\none: Book\n", "one", "Book"),
    row("python", "a function returns its annotation", "class Book: ...\ndef first() -> Book: ...\n", "first", "Book"),
    row("python", "a quoted annotation names a later class",
        'def first() -> "Book": ...\nclass Book: ...\n', "first", "Book"),
    row("python", "Optional is seen through",
        "from typing import Optional\nclass Book: ...\none: Optional[Book]\n", "one", "Book"),
    row("python", "a union has each of its types",
        "class Book: ...\nclass Map: ...\none: Book | Map\n", "one", "Book | Map"),
    row("python", "None is no type with members",
        "class Book: ...\ndef first() -> Book | None: ...\n", "first", "Book"),
    row("python", "a TypeVar alone says nothing",
        "from typing import TypeVar\nT = TypeVar('T')\ndef first() -> T: ...\n", "first", ""),
    row("typescript", "a variable has its annotation", "class Book {}\ndeclare const one: Book;\n", "one", "Book"),
    row("typescript", "a function returns its annotation",
        "class Book {}\nfunction first(): Book {}\n", "first", "Book"),
    row("typescript", "null and undefined are no types with members",
        "class Book {}\ndeclare const one: Book | null | undefined;\n", "one", "Book"),
    row("typescript", "a union has each of its types",
        "class Book {}\nclass Chart {}\ndeclare const one: Book | Chart;\n", "one", "Book | Chart"),
    row("java", "a field has its type", "class Book {}\nclass Shelf { Book one; }\n", "one", "Book"),
    row("java", "a method returns its type",
        "class Book {}\nclass Shelf { Book first() { return null; } }\n", "first", "Book"),
    row("csharp", "a property has its type",
        "class Book {}\nclass Shelf { public Book One { get; set; } }\n", "One", "Book"),
    row("csharp", "a nullable type is seen through",
        "class Book {}\nclass Shelf { public Book? One; }\n", "One", "Book"),
    row("go", "a function returns its type",
        "package shop\ntype Book struct{}\nfunc first() Book { return Book{} }\n", "first", "Book"),
    row("go", "a pointer has the type that it points to",
        "package shop\ntype Book struct{}\ntype Shelf struct { one *Book }\n", "one", "Book"),
    row("rust", "a field has its type", "struct Book;\nstruct Shelf { one: Book }\n", "one", "Book"),
    row("rust", "a reference has the type that it refers to",
        "struct Book;\nstruct Shelf<'a> { one: &'a Book }\n", "one", "Book"),
    row("cpp", "a member has its type", "struct Book {};\nstruct Shelf { Book one; };\n", "one", "Book"),
    row("cpp", "a pointer has the type that it points to", "struct Book {};\nBook* first();\n", "first", "Book"),
    row("kotlin", "a property has its type", "class Book\nclass Shelf { val one: Book? = null }\n", "one", "Book"),
    row("swift", "a property has its type", "class Book {}\nclass Shelf { var one: Book? }\n", "one", "Book"),
    row("scala", "a value has its type", "class Book\nclass Shelf { val one: Book = null }\n", "one", "Book"),
    row("php", "a property has its type", "<?php\nclass Book {}\nclass Box { public ?Book $one; }\n", "one", "Book"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "name", "expected"), DECLARED)
def test_a_definition_has_the_type_that_is_written(language: str, source: str, name: str, expected: str) -> None:
    assert type_of(language, source, name) == expected


INFERRED = [
    row("python", "a variable has the type of its value", "class Book: ...\none = Book()\n", "one", "Book"),
    row("python", "a value of another file",
        "=== kinds.py\nclass Book: ...\n=== main.py\nfrom kinds import Book\none = Book()\n", "one", "Book"),
    row("python", "a function returns what its return statement has",
        "class Book: ...\ndef first():\n    return Book()\n", "first", "Book"),
    row("python", "a function returns what another one returns",
        "class Book: ...\ndef first():\n    return Book()\ndef second():\n    return first()\n", "second", "Book"),
    row("python", "an attribute that __init__ sets",
        "class Book: ...\nclass Shelf:\n    def __init__(self):\n        self.one = Book()\n", "one", "Book"),
    row("python", "functions that return each other have no type",
        "def first():\n    return second()\ndef second():\n    return first()\n", "first", ""),
    row("python", "a variable that is made of itself has no type", "one = one\n", "one", ""),
    row("typescript", "a constant has the type of its value",
        "class Book {}\nconst one = new Book();\n", "one", "Book"),
    row("typescript", "a function returns what its return statement has",
        "class Book {}\nfunction first() { return new Book(); }\n", "first", "Book"),
    row("typescript", "an arrow function returns its expression",
        "class Book {}\nconst first = () => new Book();\n", "first", "Book"),
    row("typescript", "`as` has the type that it names", "class Book {}\nconst one = other as Book;\n", "one", "Book"),
    row("go", "a variable has the type of its value",
        "package shop\ntype Book struct{}\nvar one = Book{}\n", "one", "Book"),
    row("kotlin", "a property has the type of its value", "class Book\nval one = Book()\n", "one", "Book"),
    row("kotlin", "a function with an expression body returns it",
        "class Book\nfun first() = Book()\n", "first", "Book"),
    row("scala", "a value has the type of its expression",
        "class Book\nobject Shelf { val one = new Book }\n", "one", "Book"),
    row("swift", "a property has the type of its value", "class Book {}\nlet one = Book()\n", "one", "Book"),
    row("ruby", "a method returns its last expression",
        "class Book\nend\ndef first\n  Book.new\nend\n", "first", "Book"),
    row("csharp", "a method with an expression body has its written type",
        "class Book {}\nclass Shelf { Book First() => new(); }\n", "First", "Book"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "name", "expected"), INFERRED)
def test_a_definition_without_a_written_type_has_that_of_its_value(
    language: str, source: str, name: str, expected: str
) -> None:
    assert type_of(language, source, name) == expected
