"""Overriding: the members that a member overrides, which are on every way up from its type the nearest of its name.

Each row states a rule of its language.
"""

from __future__ import annotations

import pytest

from tests.harness.symbol_table import assert_overrides, gap, row

COLUMNS = ("language", "source", "expected")

NEAREST = [
    row("python", "a method of a subclass overrides that of its base", """
        class Shelf:
            def lend(self): ...
        class Case(Shelf):
            def <|>lend(self): ...
        """, "Shelf.lend exact"),
    row("python", "of several levels the nearest is overridden", """
        class Top:
            def lend(self): ...
        class Shelf(Top):
            def lend(self): ...
        class Case(Shelf):
            def <|>lend(self): ...
        """, "Shelf.lend exact"),
    row("python", "a level without the member is passed over", """
        class Top:
            def lend(self): ...
        class Shelf(Top): ...
        class Case(Shelf):
            def <|>lend(self): ...
        """, "Top.lend exact"),
    row("python", "a member of a base in another file is overridden", """
        === top.py
        class Shelf:
            def lend(self): ...
        === main.py
        from top import Shelf
        class Case(Shelf):
            def <|>lend(self): ...
        """, "top.py:Shelf.lend exact"),
    row("python", "a property overrides a property", """
        class Shelf:
            @property
            def size(self): ...
        class Case(Shelf):
            @property
            def <|>size(self): ...
        """, "Shelf.size exact"),
    row("python", "a class attribute overrides that of the base", """
        class Shelf:
            size = 3
        class Case(Shelf):
            <|>size = 4
        """, "Shelf.size exact"),
    row("python", "a static method overrides that of the base", """
        class Shelf:
            @staticmethod
            def lend(): ...
        class Case(Shelf):
            @staticmethod
            def <|>lend(): ...
        """, "Shelf.lend exact"),
    row("python", "other parameters make no other method", """
        class Shelf:
            def lend(self, days): ...
        class Case(Shelf):
            def <|>lend(self): ...
        """, "Shelf.lend exact"),
    row("python", "a method of a protocol that a class names is overridden", """
        from typing import Protocol
        class Lender(Protocol):
            def lend(self) -> int: ...
        class Case(Lender):
            def <|>lend(self) -> int: return 1
        """, "Lender.lend exact"),
    row("typescript", "a method overrides that of the base without the keyword", """
        class Shelf { lend() {} }
        class Case extends Shelf { <|>lend() {} }
        """, "Shelf.lend exact"),
    row("typescript", "a method overrides that of the base with the keyword", """
        class Shelf { lend() {} }
        class Case extends Shelf { override <|>lend() {} }
        """, "Shelf.lend exact"),
    row("typescript", "a method overrides that of an interface", """
        interface Lender { lend(): void }
        class Case implements Lender { <|>lend() {} }
        """, "Lender.lend exact"),
    row("typescript", "a method of an interface overrides that of the one that it extends", """
        interface Lender { lend(): void }
        interface Keeper extends Lender { <|>lend(): void }
        """, "Lender.lend exact"),
    row("javascript", "a method overrides that of the base", """
        class Shelf { lend() {} }
        class Case extends Shelf { <|>lend() {} }
        """, "Shelf.lend exact"),
    row("java", "a method overrides that of the base", """
        class Shelf { void lend(int days) {} }
        class Case extends Shelf { @Override void <|>lend(int days) {} }
        """, "Shelf.lend exact"),
    row("java", "a method overrides that of an interface", """
        interface Lender { void lend(int days); }
        class Case implements Lender { public void <|>lend(int count) {} }
        """, "Lender.lend exact"),
    row("java", "of several levels the nearest is overridden", """
        class Top { void lend() {} }
        class Shelf extends Top { void lend() {} }
        class Case extends Shelf { void <|>lend() {} }
        """, "Shelf.lend exact"),
    row("csharp", "a method overrides that of the base", """
        class Shelf { public virtual void Lend(int days) {} }
        class Case : Shelf { public override void <|>Lend(int days) {} }
        """, "Shelf.Lend exact"),
    row("csharp", "a method overrides that of an interface without a keyword", """
        interface ILender { void Lend(int days); }
        class Case : ILender { public void <|>Lend(int days) {} }
        """, "ILender.Lend exact"),
    row("csharp", "an explicit implementation is of the interface that it names", """
        interface ILender { void Lend(int days); }
        interface IKeeper { void Lend(int days); }
        class Case : ILender, IKeeper { void IKeeper.<|>Lend(int days) {} }
        """, "IKeeper.Lend exact"),
    row("csharp", "an abstract method is overridden", """
        abstract class Shelf { public abstract void Lend(); }
        class Case : Shelf { public override void <|>Lend() {} }
        """, "Shelf.Lend exact"),
    row("csharp", "a property overrides a property", """
        class Shelf { public virtual int Size { get; set; } }
        class Case : Shelf { public override int <|>Size { get; set; } }
        """, "Shelf.Size exact"),
    row("kotlin", "a method overrides that of the base", """
        open class Shelf { open fun lend(days: Int) {} }
        class Case : Shelf() { override fun <|>lend(days: Int) {} }
        """, "Shelf.lend exact"),
    row("kotlin", "a property overrides a property", """
        interface Sized { val size: Int }
        class Case : Sized { override val <|>size = 3 }
        """, "Sized.size exact"),
    row("scala", "a method overrides that of a trait", """
        trait Lender { def lend(days: Int): Unit }
        class Case extends Lender { def <|>lend(days: Int): Unit = {} }
        """, "Lender.lend exact"),
    row("scala", "a method overrides that of the base", """
        class Shelf { def lend(days: Int): Unit = {} }
        class Case extends Shelf { override def <|>lend(days: Int): Unit = {} }
        """, "Shelf.lend exact"),
    row("scala", "a value overrides a method without parameters", """
        trait Named { def name: String }
        class Case extends Named { val <|>name = "a" }
        """, "Named.name exact"),
    row("scala", "an object's method overrides that of a trait", """
        trait Lender { def lend(days: Int): Unit }
        object Case extends Lender { def <|>lend(days: Int): Unit = {} }
        """, "Lender.lend exact"),
    row("swift", "a method of a type fulfils the requirement of a protocol", """
        protocol Lender { static func make() }
        class Case: Lender { static func <|>make() {} }
        """, "Lender.make exact"),
    row("swift", "a method in an extension fulfils the requirement of a protocol", """
        protocol Lender { func lend(days: Int) }
        class Case {}
        extension Case: Lender { func <|>lend(days: Int) {} }
        """, "Lender.lend exact"),
    row("swift", "a method of a class overrides that of its base", """
        class Shelf { class func make() {} }
        class Case: Shelf { override class func <|>make() {} }
        """, "Shelf.make exact"),
    row("swift", "a method overrides that of the base", """
        class Shelf { func lend(days: Int) {} }
        class Case: Shelf { override func <|>lend(days: Int) {} }
        """, "Shelf.lend exact"),
    row("swift", "a method fulfils the requirement of a protocol", """
        protocol Lender { func lend(days: Int) }
        class Case: Lender { func <|>lend(days: Int) {} }
        """, "Lender.lend exact"),
    row("cpp", "a method overrides that of the base", """
        struct Shelf { virtual void lend(int days); };
        struct Case : Shelf { void <|>lend(int count) override; };
        """, "Shelf::lend exact"),
    row("cpp", "a method is virtual where that which it overrides is", """
        struct Top { virtual void lend(); };
        struct Shelf : Top { void lend(); };
        struct Case : Shelf { void <|>lend(); };
        """, "Shelf::lend exact"),
    row("cpp", "an abstract method is virtual", """
        struct Shelf { virtual void lend() = 0; };
        struct Case : Shelf { void <|>lend() {} };
        """, "Shelf::lend exact"),
    row("rust", "a method of an implementation overrides that of the trait", """
        trait Lender { fn lend(&self, days: u32); }
        struct Case;
        impl Lender for Case { fn <|>lend(&self, days: u32) {} }
        """, "Lender::lend exact"),
    row("php", "a method overrides that of the base", """
        <?php
        class Shelf { function lend($days) {} }
        class Case1 extends Shelf { function <|>lend($days) {} }
        """, "Shelf.lend exact"),
    row("php", "a method overrides that of an interface", """
        <?php
        interface Lender { function lend($days); }
        class Case1 implements Lender { function <|>lend($days) {} }
        """, "Lender.lend exact"),
    row("ruby", "a method overrides that of the base", """
        class Shelf
          def lend; end
        end
        class Case < Shelf
          def <|>lend; end
        end
        """, "Shelf.lend exact"),
    row("ruby", "a method overrides that of a module", """
        module Lender
          def lend; end
        end
        class Case
          include Lender
          def <|>lend; end
        end
        """, "Lender.lend exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, NEAREST)
def test_a_member_overrides_the_nearest_of_its_name(language: str, source: str, expected: str) -> None:
    assert_overrides(language, source, expected)


SEVERAL_WAYS = [
    row("python", "each base has a member that is overridden", """
        class Left:
            def lend(self): ...
        class Right:
            def lend(self): ...
        class Case(Left, Right):
            def <|>lend(self): ...
        """, "Left.lend, Right.lend exact"),
    row("python", "a diamond: the shared base is overridden once", """
        class Top:
            def lend(self): ...
        class Left(Top): ...
        class Right(Top): ...
        class Case(Left, Right):
            def <|>lend(self): ...
        """, "Top.lend exact"),
    row("python", "a diamond: one side has a nearer member, the other leads to the shared base", """
        class Top:
            def lend(self): ...
        class Left(Top):
            def lend(self): ...
        class Right(Top): ...
        class Case(Left, Right):
            def <|>lend(self): ...
        """, "Left.lend, Top.lend exact"),
    row("java", "the base and an interface are overridden", """
        class Shelf { void lend() {} }
        interface Lender { void lend(); }
        class Case extends Shelf implements Lender { public void <|>lend() {} }
        """, "Shelf.lend, Lender.lend exact"),
    row("java", "the base passes on the interface that it implements", """
        interface Lender { void lend(); }
        abstract class Shelf implements Lender {}
        class Case extends Shelf { public void <|>lend() {} }
        """, "Lender.lend exact"),
    row("cpp", "each base has a member that is overridden", """
        struct Left { virtual void lend(); };
        struct Right { virtual void lend(); };
        struct Case : Left, Right { void <|>lend() override; };
        """, "Left::lend, Right::lend exact"),
    row("python", "cyclic inheritance ends", """
        class Shelf(Case):
            def lend(self): ...
        class Case(Shelf):
            def <|>lend(self): ...
        """, "Shelf.lend exact"),
    row("java", "cyclic inheritance ends", """
        class Shelf extends Case { void lend() {} }
        class Case extends Shelf { void <|>lend() {} }
        """, "Shelf.lend exact"),
    row("python", "a class that inherits from itself overrides nothing", """
        class Case(Case):
            def <|>lend(self): ...
        """, "nothing"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, SEVERAL_WAYS)
def test_every_way_up_has_a_nearest_member(language: str, source: str, expected: str) -> None:
    assert_overrides(language, source, expected)


# A method has the signature of that which it overrides (JLS 8.4.2 and 8.4.8.1; ECMA-334, 15.6.5).
OVERLOADS = [
    row("java", "a method with more parameters is another overload", """
        class Shape { double area() { return 0; } }
        class Circle extends Shape { double <|>area(double radius) { return 1; } }
        """, "nothing"),
    row("java", "a method with other types of parameters is another overload", """
        class Shelf { void lend(int days) {} }
        class Case extends Shelf { void <|>lend(String name) {} }
        """, "nothing"),
    row("java", "of overloads the one with the same types is overridden", """
        class Shelf { void lend(int days) {} void lend(String name) {} void lend(int days, String name) {} }
        class Case extends Shelf { void <|>lend(String other) {} }
        """, "Shelf.lend(String name) exact"),
    row("java", "above an overload with other types the search goes on", """
        class Top { void lend(String name) {} }
        class Shelf extends Top { void lend(int days) {} }
        class Case extends Shelf { void <|>lend(String name) {} }
        """, "Top.lend exact"),
    row("java", "a type argument takes the place of a type parameter", """
        interface Ordered<T> { int compareTo(T other); }
        class Shelf implements Ordered<Shelf> { public int <|>compareTo(Shelf other) { return 0; } }
        """, "Ordered.compareTo exact"),
    row("java", "no type parameter stands for a primitive type", """
        interface Mutable<T> { void setValue(T value); }
        class MutableInt implements Mutable<Number> {
          public void setValue(Number value) {}
          public void <|>setValue(int value) {}
        }
        """, "nothing"),
    row("java", "where several overloads may take the place of a type parameter's, none is certain", """
        interface Ordered<T> { int compareTo(T other); }
        class Shelf implements Ordered<Shelf> {
          public int <|>compareTo(Shelf other) { return 0; }
          public int compareTo(String other) { return 0; }
        }
        """, "Ordered.compareTo inferred"),
    row("java", "the name of a parameter's type may be qualified", """
        class Shelf { void lend(java.util.Date day) {} }
        class Case extends Shelf { void <|>lend(Date day) {} }
        """, "Shelf.lend exact"),
    row("java", "type arguments of a parameter's type do not matter", """
        class Shelf { void lend(List<String> names) {} }
        class Case extends Shelf { void <|>lend(List names) {} }
        """, "Shelf.lend exact"),
    row("java", "an array is another type than its elements'", """
        class Shelf { void lend(int[] days) {} }
        class Case extends Shelf { void <|>lend(int days) {} }
        """, "nothing"),
    row("csharp", "a method with more parameters is another overload", """
        interface IAuth { bool Authenticate(string name, string password); }
        class Auth : IAuth { public bool <|>Authenticate(string token) { return true; } }
        """, "nothing"),
    row("csharp", "of overloads the one with the same types is overridden", """
        class Shelf { public virtual void Lend(int days) {} public virtual void Lend(string name) {} }
        class Case : Shelf { public override void <|>Lend(string other) {} }
        """, "Shelf.Lend(string name) exact"),
    row("csharp", "a type argument takes the place of a type parameter", """
        interface IOrdered<T> { int CompareTo(T other); }
        class Shelf : IOrdered<Shelf> { public int <|>CompareTo(Shelf other) { return 0; } }
        """, "IOrdered.CompareTo exact"),
    gap("csharp", "a generic base has the name of one without type parameters", """
        abstract class Shelf { public abstract void Lend(object? one); }
        abstract class Shelf<T> : Shelf { public abstract void Lend(T? one); }
        class Case : Shelf<string> { public override void <|>Lend(string one) {} }
        """, "Shelf.Lend(T? one) exact"),
    row("kotlin", "of overloads the one with the same types is overridden", """
        open class Shelf { open fun lend(days: Int) {}; open fun lend(name: String) {} }
        class Case : Shelf() { override fun <|>lend(name: String) {} }
        """, "Shelf.lend(name: String) exact"),
    row("kotlin", "a type argument takes the place of a type parameter", """
        interface Ordered<T> { fun compareTo(other: T): Int }
        class Shelf : Ordered<Shelf> { override fun <|>compareTo(other: Shelf) = 0 }
        """, "Ordered.compareTo exact"),
    row("scala", "of overloads the one with the same types is overridden", """
        class Shelf { def lend(days: Int): Unit = {}; def lend(name: String): Unit = {} }
        class Case extends Shelf { override def <|>lend(name: String): Unit = {} }
        """, "Shelf.lend(name: String) exact"),
    row("swift", "of overloads the one with the same types is overridden", """
        class Shelf { func lend(_ days: Int) {}; func lend(_ name: String) {} }
        class Case: Shelf { override func <|>lend(_ name: String) {} }
        """, "Shelf.lend(_ name: String) exact"),
    row("swift", "labels are part of a method's name", """
        class Shelf { func lend(for days: Int) {}; func lend(until days: Int) {} }
        class Case: Shelf { override func <|>lend(until days: Int) {} }
        """, "Shelf.lend(until days: Int) exact"),
    row("cpp", "of overloads the one with the same types is overridden", """
        struct Shelf { virtual void lend(int days); virtual void lend(double price); };
        struct Case : Shelf { void <|>lend(double price) override; };
        """, "Shelf::lend(double price) exact"),
    row("cpp", "a method with more parameters is another overload", """
        struct Shelf { virtual void lend(); };
        struct Case : Shelf { void <|>lend(int days); };
        """, "nothing"),
    row("cpp", "marks of a parameter's type do not matter", """
        struct Book {};
        struct Shelf { virtual void lend(const Book& book); };
        struct Case : Shelf { void <|>lend(const Book &other) override; };
        """, "Shelf::lend exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, OVERLOADS)
def test_a_method_overrides_the_overload_with_the_types_of_its_parameters(
    language: str, source: str, expected: str
) -> None:
    assert_overrides(language, source, expected)


NONE = [
    row("python", "a constructor overrides nothing", """
        class Shelf:
            def __init__(self): ...
        class Case(Shelf):
            def <|>__init__(self): ...
        """, "nothing"),
    row("python", "a nested class overrides nothing", """
        class Shelf:
            class Meta: ...
        class Case(Shelf):
            class <|>Meta: ...
        """, "nothing"),
    row("python", "a function of a module overrides nothing", """
        def lend(): ...
        class Shelf:
            def lend(self): ...
        def <|>use(): ...
        """, "nothing"),
    row("python", "a local of a method overrides nothing", """
        class Shelf:
            def lend(self): ...
        class Case(Shelf):
            def use(self):
                def <|>lend(): ...
        """, "nothing"),
    row("python", "a member of a class that is no base is not overridden", """
        class Shelf:
            def lend(self): ...
        class Case:
            def <|>lend(self): ...
        """, "nothing"),
    gap("python", "a name with two underscores is of its class alone", """
        class Shelf:
            def __lend(self): ...
        class Case(Shelf):
            def <|>__lend(self): ...
        """, "nothing"),
    row("java", "a static method overrides nothing", """
        class Shelf { static void lend() {} }
        class Case extends Shelf { static void <|>lend() {} }
        """, "nothing"),
    row("java", "a constructor overrides nothing", """
        class Shelf { Shelf(int size) {} }
        class Case extends Shelf { <|>Case(int size) { super(size); } }
        """, "nothing"),
    row("java", "a field hides that of the base", """
        class Shelf { int size; }
        class Case extends Shelf { int <|>size; }
        """, "nothing"),
    row("java", "a method and a field have nothing to do with each other", """
        class Shelf { int size; }
        class Case extends Shelf { int <|>size() { return 1; } }
        """, "nothing"),
    row("java", "a private method of the base is not overridden", """
        class Shelf { private void lend() {} }
        class Case extends Shelf { void <|>lend() {} }
        """, "nothing"),
    row("php", "a method does not override a property", """
        <?php
        trait Shelf { public $lend; }
        class Case1 { use Shelf; function <|>lend() {} }
        """, "nothing"),
    row("php", "a private method of the base is not overridden", """
        <?php
        class Shelf { private function lend() {} }
        class Case1 extends Shelf { function <|>lend() {} }
        """, "nothing"),
    row("typescript", "a private method of the base is not overridden", """
        class Shelf { private lend() {} }
        class Case extends Shelf { <|>lend() {} }
        """, "nothing"),
    row("csharp", "a static method overrides nothing", """
        class Shelf { public static void Lend() {} }
        class Case : Shelf { public static void <|>Lend() {} }
        """, "nothing"),
    row("csharp", "a field hides that of the base", """
        class Shelf { public int size; }
        class Case : Shelf { public new int <|>size; }
        """, "nothing"),
    row("csharp", "a method without the keyword hides that of a base class", """
        class Shelf { public void Lend() {} }
        class Case : Shelf { public new void <|>Lend() {} }
        """, "nothing"),
    row("cpp", "a method that is not virtual is hidden", """
        struct Shelf { void lend(); };
        struct Case : Shelf { void <|>lend(); };
        """, "nothing"),
    row("cpp", "a static method overrides nothing", """
        struct Shelf { static void lend(); };
        struct Case : Shelf { static void <|>lend(); };
        """, "nothing"),
    row("rust", "a method of a type of its own overrides nothing", """
        trait Lender { fn lend(&self); }
        struct Case;
        impl Case { fn <|>lend(&self) {} }
        """, "nothing"),
    row("kotlin", "a member of the class overrides nothing of its companion object", """
        class Case { fun <|>lend() {}
          companion object { fun lend() {} } }
        """, "nothing"),
    row("kotlin", "a member of a companion object overrides nothing of the class", """
        open class Shelf { open fun lend() {} }
        class Case : Shelf() { companion object { fun <|>lend() {} } }
        """, "nothing"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, NONE)
def test_what_overrides_nothing(language: str, source: str, expected: str) -> None:
    assert_overrides(language, source, expected)
