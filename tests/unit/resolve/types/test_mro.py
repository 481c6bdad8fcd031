"""Method resolution orders: a type and all that it inherits from, in the order of lookup."""

from __future__ import annotations

import pytest

from codeagentd.resolve.types.mro import breadth_first, linearise
from tests.harness.symbol_table import InMemorySymbolTable, files_of

# The classes are letters, each with its bases: "C: A B" is `class C(A, B)`. The orders are those that Python gives.
C3 = [
    pytest.param("A:", "A", id="a class alone"),
    pytest.param("B: A; A:", "B A", id="a chain"),
    pytest.param("C: A B; A:; B:", "C A B", id="two bases from left to right"),
    pytest.param("D: B C; B: A; C: A; A:", "D B C A", id="a diamond: the shared base comes last"),
    pytest.param("D: B C; B: A; C:; A:", "D B A C", id="bases that share none: depth first"),
    pytest.param("F: D E; D: B C; E: C A; B: A; C: A; A:", "F D B E C A", id="two diamonds"),
    pytest.param("Z: K L M; K: A B C; L: D B E; M: D A; A: O; B: O; C: O; D: O; E: O; O:", "Z K L M D A B C E O",
                 id="the example of the paper on Python's order"),
    pytest.param("C: A B; B: A; A:", "C A B", id="no order is consistent: depth first"),
    pytest.param("A: B; B: A", "A B", id="a cycle ends"),
    pytest.param("A: A", "A", id="a class that is its own base"),
    pytest.param("D: B B; B: A; A:", "D B A", id="one base twice"),
]  # fmt: skip

# Go promotes the member of the least depth: types are searched level by level.
BREADTH_FIRST = [
    pytest.param("C: A B; A:; B:", "C A B", id="the embedded types in their order"),
    pytest.param("C: A B; A: D; B:; D:", "C A B D", id="a deeper type comes after all shallower ones"),
    pytest.param("D: B C; B: A; C: A; A:", "D B C A", id="a diamond"),
    pytest.param("A: B; B: A", "A B", id="a cycle ends"),
]


def graph_of(text: str) -> dict[str, list[str]]:
    """The classes of a row with their bases."""
    pairs = (part.partition(":") for part in text.split(";"))
    return {name.strip(): bases.split() for name, _, bases in pairs}


@pytest.mark.parametrize(("classes", "expected"), C3)
def test_a_linearisation_keeps_the_order_of_bases_and_puts_each_after_what_derives_from_it(
    classes: str, expected: str
) -> None:
    graph = graph_of(classes)
    order = linearise(ord(expected[0]), lambda name: tuple(map(ord, graph[chr(name)])))
    assert [chr(name) for name in order] == expected.split()


@pytest.mark.parametrize(("types", "expected"), BREADTH_FIRST)
def test_embedded_types_are_searched_level_by_level(types: str, expected: str) -> None:
    graph = graph_of(types)
    order = breadth_first(ord(expected[0]), lambda name: tuple(map(ord, graph[chr(name)])))
    assert [chr(name) for name in order] == expected.split()


ORDERS = [
    pytest.param("python", """
        class Top: ...
        class Left(Top): ...
        class Right(Top): ...
        class Case(Left, Right): ...
        """, "Case", "Case Left Right Top", id="python: C3"),
    pytest.param("python", """
        from elsewhere import Other
        class Top: ...
        class Case(Other, Top): ...
        """, "Case", "Case Top", id="python: a base of another package is left out"),
    pytest.param("python", """
        === top.py
        class Shelf: ...
        === main.py
        from top import Shelf
        class Case(Shelf): ...
        """, "Case", "Case Shelf", id="python: bases of other files"),
    pytest.param("python", """
        from typing import Generic, TypeVar
        T = TypeVar("T")
        class Top(Generic[T]): ...
        class Case(Top[int]): ...
        """, "Case", "Case Top", id="python: a generic base"),
    pytest.param("java", """
        interface A {}
        interface B extends A {}
        class Top implements A {}
        class Case extends Top implements B {}
        """, "Case", "Case Top B A", id="java: the superclass, then the interfaces"),
    pytest.param("csharp", """
        interface IA {}
        interface IB : IA {}
        class Case : IB {}
        """, "Case", "Case IB IA", id="csharp: interfaces of interfaces"),
    pytest.param("ruby", """
        module First
        end
        module Last
        end
        class Top
        end
        class Case < Top
          include First
          include Last
        end
        """, "Case", "Case Last First Top", id="ruby: the module included last, then the superclass"),
    pytest.param("scala", """
        trait First
        trait Last
        class Top
        class Case extends Top with First with Last
        """, "Case", "Case Last First Top", id="scala: linearisation from the right"),
    pytest.param("php", """
        <?php
        trait Lending {}
        class Top {}
        class Box extends Top { use Lending; }
        """, "Box", "Box Lending Top", id="php: the trait, then the parent"),
    pytest.param("go", """
        package shop
        type Deep struct{}
        type Left struct{ Deep }
        type Right struct{}
        type Case struct{ Left; Right }
        """, "Case", "Case Left Right Deep", id="go: level by level"),
    pytest.param("rust", """
        trait Top {}
        trait Lending: Top {}
        struct Shelf;
        impl Lending for Shelf {}
        """, "Shelf", "Shelf Lending Top", id="rust: implemented traits and their supertraits"),
    pytest.param("cpp", """
        struct Top {};
        struct Left : Top {};
        struct Case : Left {};
        """, "Case", "Case Left Top", id="cpp: bases"),
    pytest.param("typescript", """
        interface A {}
        interface B {}
        interface Case extends A, B {}
        """, "Case", "Case A B", id="typescript: extended interfaces"),
    pytest.param("kotlin", """
        interface A
        open class Top
        class Case : Top(), A
        """, "Case", "Case Top A", id="kotlin: supertypes"),
    pytest.param("swift", """
        protocol A {}
        class Top {}
        class Case: Top, A {}
        """, "Case", "Case Top A", id="swift: the superclass, then the protocols"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "name", "expected"), ORDERS)
def test_a_type_is_searched_before_its_bases(language: str, source: str, name: str, expected: str) -> None:
    table = InMemorySymbolTable(files_of(language, source))
    order = table.names.inheritance.mro(table.find(name).id)
    assert [table.symbol(symbol).name for symbol in order] == expected.split()
