"""Member lookup: the definition that a member access names. Each row states a rule of its language."""

from __future__ import annotations

import pytest

from tests.harness.symbol_table import assert_resolves, gap, row

COLUMNS = ("language", "source", "expected")

# Every language with inheritance lets a type's own member hide or override the one that it inherits.
OWN_AND_INHERITED = [
    row("python", "an attribute of the class hides one of its base", """
        class Shelf:
            def lend(self): ...
        class Case(Shelf):
            def lend(self): ...
        Case().<|>lend()
        """, "Case.lend exact"),
    row("python", "what the class lacks is looked up in its base", """
        class Shelf:
            def lend(self): ...
        class Case(Shelf):
            def open(self): ...
        Case().<|>lend()
        """, "Shelf.lend exact"),
    row("python", "an attribute that a method sets on self is a member", """
        class Book:
            def turn(self): ...
        class Shelf:
            def __init__(self):
                self.first = Book()
        Shelf().<|>first
        """, "Shelf.first exact"),
    row("typescript", "a method of the class overrides one of its base", """
        class Shelf { lend() {} }
        class Case extends Shelf { lend() {} }
        new Case().<|>lend();
        """, "Case.lend exact"),
    row("typescript", "what the class lacks is looked up in its base", """
        class Shelf { lend() {} }
        class Case extends Shelf {}
        new Case().<|>lend();
        """, "Shelf.lend exact"),
    row("typescript", "a constructor parameter with an access modifier is a property", """
        class Book { turn() {} }
        class Shelf { constructor(private first: Book) {} read() { this.<|>first; } }
        """, "Shelf.first exact"),
    row("typescript", "an interface inherits the members of those that it extends", """
        interface Lending { lend(): void }
        interface Shelf extends Lending {}
        function use(shelf: Shelf) { shelf.<|>lend(); }
        """, "Lending.lend exact"),
    row("typescript", "interfaces of one name are merged", """
        interface Shelf { open(): void }
        interface Shelf { lend(): void }
        function use(shelf: Shelf) { shelf.<|>lend(); }
        """, "Shelf.lend exact"),
    gap("typescript", "an intersection has the members of each of its types", """
        interface Lending { lend(): void }
        interface Reading { read(): void }
        function use(shelf: Lending & Reading) { shelf.<|>read(); }
        """, "Reading.read exact"),
    row("java", "a method of the class overrides one of its superclass", """
        class Shelf { void lend() {} }
        class Case extends Shelf { void lend() {} }
        class Use { void use(Case one) { one.<|>lend(); } }
        """, "Case.lend() exact"),
    row("java", "what the class lacks is looked up in its superclass", """
        class Shelf { void lend() {} }
        class Case extends Shelf {}
        class Use { void use(Case one) { one.<|>lend(); } }
        """, "Shelf.lend() exact"),
    row("java", "a field of a class hides one of its superclass", """
        class Shelf { int size; }
        class Case extends Shelf { int size; int use() { return this.<|>size; } }
        """, "Case.size exact"),
    row("java", "super names the member of the superclass", """
        class Shelf { void lend() {} }
        class Case extends Shelf { void lend() { super.<|>lend(); } }
        """, "Shelf.lend() exact"),
    row("csharp", "an override hides the virtual method of the base class", """
        class Shelf { public virtual void Lend() {} }
        class Case : Shelf { public override void Lend() {} }
        class Use { void Run(Case one) { one.<|>Lend(); } }
        """, "Case.Lend exact"),
    row("csharp", "base names the member of the base class", """
        class Shelf { public virtual void Lend() {} }
        class Case : Shelf { public override void Lend() { base.<|>Lend(); } }
        """, "Shelf.Lend exact"),
    row("csharp", "all parts of a partial class declare its members", """
        === Shelf.cs
        partial class Shelf { public void Open() {} }
        === Part.cs
        partial class Shelf { public void Lend() {} }
        === Use.cs
        class Use { void Run(Shelf one) { one.<|>Lend(); } }
        """, "Part.cs:Shelf.Lend exact"),
    row("kotlin", "an override hides the open function of the superclass", """
        open class Shelf { open fun lend() {} }
        class Case : Shelf() { override fun lend() {} }
        fun use(one: Case) { one.<|>lend() }
        """, "Case.lend exact"),
    row("kotlin", "super names the member of the superclass", """
        open class Shelf { open fun lend() {} }
        class Case : Shelf() { override fun lend() { super.<|>lend() } }
        """, "Shelf.lend exact"),
    gap("kotlin", "members of a class may stand on one line", """
        class Shelf { fun open() {} fun lend() {} }
        fun use(one: Shelf) { one.<|>lend() }
        """, "Shelf.lend exact"),
    row("scala", "an override hides the method of the superclass", """
        class Shelf { def lend(): Unit = () }
        class Case extends Shelf { override def lend(): Unit = () }
        object Use { def use(one: Case): Unit = one.<|>lend() }
        """, "Case.lend exact"),
    row("cpp", "a member function of the class hides those of its base", """
        struct Shelf { void lend() {} };
        struct Case : Shelf { void lend() {} };
        void use(Case one) { one.<|>lend(); }
        """, "Case::lend exact"),
    row("cpp", "what the class lacks is looked up in its base", """
        struct Shelf { void lend() {} };
        struct Case : Shelf {};
        void use(Case* one) { one-><|>lend(); }
        """, "Shelf::lend exact"),
    row("cpp", "a qualified name begins the lookup at that class", """
        struct Shelf { void lend() {} };
        struct Case : Shelf { void lend() { Shelf::<|>lend(); } };
        """, "Shelf::lend exact"),
    row("php", "a method of the class overrides one of its parent", """
        <?php
        class Shelf { function lend() {} }
        class Box extends Shelf { function lend() {} }
        function using(Box $one) { $one-><|>lend(); }
        """, "Box.lend exact"),
    row("php", "parent names the member of the parent class", """
        <?php
        class Shelf { function lend() {} }
        class Box extends Shelf { function lend() { parent::<|>lend(); } }
        """, "Shelf.lend exact"),
    row("ruby", "a method of the class comes before one of its superclass", """
        class Shelf
          def lend; end
        end
        class Case < Shelf
          def lend; end
        end
        Case.new.<|>lend
        """, "Case.lend exact"),
    row("ruby", "what the class lacks is looked up in its superclass", """
        class Shelf
          def lend; end
        end
        class Case < Shelf
        end
        Case.new.<|>lend
        """, "Shelf.lend exact"),
    row("swift", "an override hides the method of the superclass", """
        class Shelf { func lend() {} }
        class Case: Shelf { override func lend() {} }
        func use(one: Case) { one.<|>lend() }
        """, "Case.lend exact"),
    row("go", "a field or method of less depth hides a promoted one", """
        package shop
        type Shelf struct{}
        func (s Shelf) Lend() {}
        type Case struct{ Shelf }
        func (c Case) Lend() {}
        func use(one Case) { one.<|>Lend() }
        """, "Case.Lend exact"),
    row("go", "methods of an embedded type are promoted", """
        package shop
        type Shelf struct{}
        func (s *Shelf) Lend() {}
        type Case struct{ *Shelf }
        func use(one Case) { one.<|>Lend() }
        """, "Shelf.Lend exact"),
    row("go", "the embedded field itself is named after its type", """
        package shop
        type Shelf struct{}
        func (s Shelf) Lend() {}
        type Case struct{ Shelf }
        func (c Case) Lend() {}
        func use(one Case) { one.Shelf.<|>Lend() }
        """, "Shelf.Lend exact"),
    gap("rust", "an inherent method comes before one of a trait", """
        struct Shelf;
        trait Lending { fn lend(&self) {} }
        impl Lending for Shelf { fn lend(&self) {} }
        impl Shelf { fn lend(&self, days: u32) {} }
        fn using(one: Shelf) { one.<|>lend(3); }
        """, "Shelf::lend(&self, days: u32) exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, OWN_AND_INHERITED)
def test_an_own_member_comes_before_inherited_ones(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# The order in which the bases of a type are searched where it has several.
SEVERAL_BASES = [
    row("python", "bases are searched from left to right", """
        class Left:
            def lend(self): ...
        class Right:
            def lend(self): ...
        class Case(Left, Right): ...
        Case().<|>lend()
        """, "Left.lend exact"),
    row("python", "C3: a base comes after all classes that derive from it", """
        class Top:
            def lend(self): ...
        class Left(Top): ...
        class Right(Top):
            def lend(self): ...
        class Case(Left, Right): ...
        Case().<|>lend()
        """, "Right.lend exact"),
    row("python", "C3: depth first where the bases share none", """
        class Top:
            def lend(self): ...
        class Left(Top): ...
        class Right:
            def lend(self): ...
        class Case(Left, Right): ...
        Case().<|>lend()
        """, "Top.lend exact"),
    row("python", "super() continues in the order of the class in which it stands", """
        class Top:
            def lend(self): ...
        class Shelf(Top):
            def lend(self):
                super().<|>lend()
        """, "Top.lend exact"),
    row("python", "C3: three levels keep the local precedence order", """
        class Top:
            def lend(self): ...
        class A(Top): ...
        class B(Top):
            def lend(self): ...
        class C(A): ...
        class D(B): ...
        class Case(C, D): ...
        Case().<|>lend()
        """, "B.lend exact"),
    row("cpp", "virtual bases: the overrider of the most derived class dominates", """
        struct Top { virtual void lend() {} };
        struct Left : virtual Top {};
        struct Right : virtual Top { void lend() override {} };
        struct Case : Left, Right {};
        void use(Case one) { one.<|>lend(); }
        """, "Right::lend exact"),
    row("java", "a method of the superclass wins over a default method", """
        interface Lending { default void lend() {} }
        class Shelf { public void lend() {} }
        class Case extends Shelf implements Lending {}
        class Use { void use(Case one) { one.<|>lend(); } }
        """, "Shelf.lend() exact"),
    row("java", "a default method is inherited by the class that implements its interface", """
        interface Lending { default void lend() {} }
        class Shelf implements Lending {}
        class Use { void use(Shelf one) { one.<|>lend(); } }
        """, "Lending.lend() exact"),
    gap("java", "a default method of the more specific interface wins", """
        interface Lending { default void lend() {} }
        interface Shelving extends Lending { default void lend() {} }
        class Shelf implements Lending, Shelving {}
        class Use { void use(Shelf one) { one.<|>lend(); } }
        """, "Shelving.lend() exact"),
    row("java", "Interface.super names the default method of that interface", """
        interface Lending { default void lend() {} }
        interface Reading { default void lend() {} }
        class Shelf implements Lending, Reading { public void lend() { Reading.super.<|>lend(); } }
        """, "Reading.lend() exact"),
    gap("kotlin", "super<Type> names the member of that supertype", """
        interface Lending { fun lend() {} }
        interface Reading { fun lend() {} }
        class Shelf : Lending, Reading { override fun lend() { super<Reading>.<|>lend() } }
        """, "Reading.lend exact"),
    row("kotlin", "a default implementation of an interface is inherited", """
        interface Lending { fun lend() {} }
        class Shelf : Lending
        fun use(one: Shelf) { one.<|>lend() }
        """, "Lending.lend exact"),
    row("scala", "traits are linearised from right to left", """
        trait Lending { def lend(): Unit = () }
        trait Reading { def lend(): Unit = () }
        class Shelf extends Lending with Reading
        object Use { def use(one: Shelf): Unit = one.<|>lend() }
        """, "Reading.lend exact"),
    row("ruby", "the module that was included last comes first", """
        module Lending
          def lend; end
        end
        module Reading
          def lend; end
        end
        class Shelf
          include Lending
          include Reading
        end
        Shelf.new.<|>lend
        """, "Reading.lend exact"),
    row("ruby", "an included module comes before the superclass", """
        class Top
          def lend; end
        end
        module Lending
          def lend; end
        end
        class Shelf < Top
          include Lending
        end
        Shelf.new.<|>lend
        """, "Lending.lend exact"),
    row("ruby", "a method of the class comes before one of an included module", """
        module Lending
          def lend; end
        end
        class Shelf
          include Lending
          def lend; end
        end
        Shelf.new.<|>lend
        """, "Shelf.lend exact"),
    gap("ruby", "a prepended module comes before the class", """
        module Lending
          def lend; end
        end
        class Shelf
          prepend Lending
          def lend; end
        end
        Shelf.new.<|>lend
        """, "Lending.lend exact"),
    row("ruby", "an extended module gives methods to the class itself", """
        module Lending
          def lend; end
        end
        class Shelf
          extend Lending
        end
        Shelf.<|>lend
        """, "Lending.lend exact"),
    row("php", "a method of a trait overrides an inherited one", """
        <?php
        class Top { function lend() {} }
        trait Lending { function lend() {} }
        class Box extends Top { use Lending; }
        function using(Box $one) { $one-><|>lend(); }
        """, "Lending.lend exact"),
    row("php", "a method of the class overrides one of its trait", """
        <?php
        trait Lending { function lend() {} }
        class Box { use Lending; function lend() {} }
        function using(Box $one) { $one-><|>lend(); }
        """, "Box.lend exact"),
    row("rust", "a type has the provided methods of the traits that it implements", """
        struct Shelf;
        trait Lending { fn lend(&self) {} }
        impl Lending for Shelf {}
        fn using(one: Shelf) { one.<|>lend(); }
        """, "Lending::lend exact"),
    row("rust", "the method of the implementation replaces the provided one", """
        struct Shelf;
        trait Lending { fn lend(&self) {} }
        impl Lending for Shelf { fn lend(&self) {} }
        fn using(one: &Shelf) { one.<|>lend(); }
        """, "Shelf::lend exact"),
    row("rust", "a type parameter has the methods of its bounds", """
        trait Lending { fn lend(&self); }
        fn using<T: Lending>(one: T) { one.<|>lend(); }
        """, "Lending::lend exact"),
    row("rust", "a bound in a where clause gives methods as well", """
        trait Lending { fn lend(&self); }
        fn using<T>(one: T) where T: Lending { one.<|>lend(); }
        """, "Lending::lend exact"),
    row("rust", "a trait object has the methods of its trait", """
        trait Lending { fn lend(&self); }
        fn using(one: &dyn Lending) { one.<|>lend(); }
        """, "Lending::lend exact"),
    row("rust", "a trait has the methods of its supertraits", """
        trait Lending { fn lend(&self); }
        trait Shelving: Lending {}
        fn using(one: &dyn Shelving) { one.<|>lend(); }
        """, "Lending::lend exact"),
    row("rust", "Type::method names an associated function", """
        struct Shelf;
        impl Shelf { fn new() -> Shelf { Shelf } fn lend(&self) {} }
        fn using() { Shelf::new().<|>lend(); }
        """, "Shelf::lend exact"),
    row("swift", "a default implementation stands in an extension of the protocol", """
        protocol Lending {}
        extension Lending { func lend() {} }
        struct Shelf: Lending {}
        func use(one: Shelf) { one.<|>lend() }
        """, "Lending.lend exact"),
    row("typescript", "a class that implements an interface has its own members", """
        interface Lending { lend(): void }
        class Shelf implements Lending { lend() {} }
        new Shelf().<|>lend();
        """, "Shelf.lend exact"),
    row("csharp", "an interface has the members of its base interfaces", """
        interface ILending { void Lend(); }
        interface IShelf : ILending {}
        class Use { void Run(IShelf one) { one.<|>Lend(); } }
        """, "ILending.Lend exact"),
    row("csharp", "a default interface method is no member of the class", """
        interface ILending { void Lend() {} }
        class Shelf : ILending {}
        class Use { void Run(ILending one) { one.<|>Lend(); } }
        """, "ILending.Lend exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, SEVERAL_BASES)
def test_several_bases_are_searched_in_the_order_of_the_language(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# What a type offers by itself, and what only its values offer.
STATIC_AND_INSTANCE = [
    row("typescript", "a static member belongs to the class, not to its instances", """
        class Shelf { static lend() {} lend(days: number) {} }
        Shelf.<|>lend();
        """, "Shelf.lend() exact"),
    row("typescript", "an instance has the instance member of two with one name", """
        class Shelf { static lend() {} lend(days: number) {} }
        new Shelf().<|>lend(3);
        """, "Shelf.lend(days: number) exact"),
    row("typescript", "static members are inherited", """
        class Shelf { static open() {} }
        class Case extends Shelf {}
        Case.<|>open();
        """, "Shelf.open exact"),
    row("typescript", "this in a static method is the class", """
        class Shelf { static open() {} static lend() { this.<|>open(); } open(days: number) {} }
        """, "Shelf.open() exact"),
    row("javascript", "a static member belongs to the class, not to its instances", """
        class Shelf { static lend() {} lend(days) {} }
        Shelf.<|>lend();
        """, "Shelf.lend() exact"),
    row("python", "a class method is called on the class", """
        class Shelf:
            @classmethod
            def open(cls): ...
        Shelf.<|>open()
        """, "Shelf.open exact"),
    row("python", "a static method can be called on an instance as well", """
        class Shelf:
            @staticmethod
            def open(): ...
        Shelf().<|>open()
        """, "Shelf.open exact"),
    row("python", "cls in a class method is the class", """
        class Shelf:
            @classmethod
            def open(cls): cls().<|>lend()
            def lend(self): ...
        """, "Shelf.lend exact"),
    row("python", "a property gives a value of the type that it returns", """
        class Book:
            def turn(self): ...
        class Shelf:
            @property
            def first(self) -> Book: ...
        Shelf().first.<|>turn()
        """, "Book.turn exact"),
    row("java", "a static method is a member of the class", """
        class Shelf { static Shelf open() { return new Shelf(); } void lend() {} }
        class Use { void use() { Shelf.open().<|>lend(); } }
        """, "Shelf.lend() exact"),
    row("java", "a static method of the superclass is inherited", """
        class Shelf { static void open() {} }
        class Case extends Shelf {}
        class Use { void use() { Case.<|>open(); } }
        """, "Shelf.open() exact"),
    row("java", "a nested class is a member of its class", """
        class Shelf { static class Label { static void print() {} } }
        class Use { void use() { Shelf.Label.<|>print(); } }
        """, "Shelf.Label.print() exact"),
    row("java", "an inner class sees the members of the classes around it", """
        class Shelf { void lend() {} class Label { void use() { <|>lend(); } } }
        """, "Shelf.lend() exact"),
    row("java", "a member of the inner class hides all of that name around it", """
        class Shelf { void lend() {} class Label { void lend() {} void use() { <|>lend(); } } }
        """, "Shelf.Label.lend() exact"),
    row("csharp", "a static method is a member of the class", """
        class Shelf { public static Shelf Open() => new Shelf(); public void Lend() {} }
        class Use { void Run() { Shelf.Open().<|>Lend(); } }
        """, "Shelf.Lend exact"),
    row("csharp", "Color Color: a property with its type's name gives the instance member", """
        class Color { public void Mix() {} public static void Parse() {} }
        class Paint { Color Color { get; set; } void Run() { Color.<|>Mix(); } }
        """, "Color.Mix exact"),
    row("csharp", "Color Color: a property with its type's name lets the static member be named", """
        class Color { public void Mix() {} public static void Parse() {} }
        class Paint { Color Color { get; set; } void Run() { Color.<|>Parse(); } }
        """, "Color.Parse exact"),
    row("kotlin", "members of the companion object are named by the class", """
        class Shelf { companion object { fun open(): Shelf = Shelf() } fun lend() {} }
        fun use() { Shelf.<|>open() }
        """, "Shelf.Companion.open exact"),
    row("kotlin", "an object declaration is a value with members", """
        object Shelf { fun lend() {} }
        fun use() { Shelf.<|>lend() }
        """, "Shelf.lend exact"),
    row("scala", "members of the companion object are named by the class", """
        class Shelf { def lend(): Unit = () }
        object Shelf { def open(): Shelf = new Shelf }
        object Use { def use(): Unit = Shelf.open().<|>lend() }
        """, "Shelf.lend exact"),
    row("ruby", "a method of self is a method of the class", """
        class Shelf
          def self.lend; end
        end
        Shelf.<|>lend
        """, "Shelf.lend exact"),
    row("ruby", "an instance has no singleton methods of its class", """
        class Shelf
          def self.open; end
        end
        Shelf.new.<|>open
        """, "nothing"),
    row("php", "a static method is called with two colons", """
        <?php
        class Shelf { static function open() {} }
        Shelf::<|>open();
        """, "Shelf.open exact"),
    row("php", "self names the class in which it stands", """
        <?php
        class Shelf { static function open() {} function lend() { self::<|>open(); } }
        """, "Shelf.open exact"),
    row("php", "a constant of a class is named with two colons", """
        <?php
        class Shelf { const SIZE = 3; }
        echo Shelf::<|>SIZE;
        """, "Shelf.SIZE exact"),
    row("swift", "a static method is a member of the type", """
        struct Shelf { static func lend() {} func lend(days: Int) {} }
        func use() { Shelf.<|>lend() }
        """, "Shelf.lend() exact"),
    row("cpp", "a static member function is named through the class", """
        struct Shelf { static Shelf open(); void lend() {} };
        void use() { Shelf::open().<|>lend(); }
        """, "Shelf::lend exact"),
    row("rust", "Self names the type of the implementation", """
        struct Shelf;
        impl Shelf { fn open() {} fn lend(&self) { Self::<|>open(); } }
        """, "Shelf::open exact"),
    row("rust", "a variant is named through its enum", """
        enum Size { Small, Large }
        fn using() { let one = Size::<|>Small; }
        """, "Size::Small exact"),
    row("go", "a method of a pointer receiver is called on a variable", """
        package shop
        type Shelf struct{}
        func (s *Shelf) Lend() {}
        func use() { var one Shelf; one.<|>Lend() }
        """, "Shelf.Lend exact"),
    row("lua", "a method of a table is called with a colon", """
        local Shelf = {}
        function Shelf:lend() end
        Shelf:<|>lend()
        """, "Shelf.lend exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, STATIC_AND_INSTANCE)
def test_static_members_belong_to_the_type_and_others_to_its_values(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# Members that are written outside of the type that they are called on.
EXTENSIONS = [
    row("csharp", "an extension method is called like a member of its first parameter's type", """
        class Shelf {}
        static class Lending { public static void Lend(this Shelf shelf) {} }
        class Use { void Run(Shelf one) { one.<|>Lend(); } }
        """, "Lending.Lend exact"),
    row("csharp", "an instance method comes before an extension method", """
        class Shelf { public void Lend() {} }
        static class Lending { public static void Lend(this Shelf shelf) {} }
        class Use { void Run(Shelf one) { one.<|>Lend(); } }
        """, "Shelf.Lend exact"),
    row("csharp", "an extension method of a base applies to a derived type", """
        class Shelf {}
        class Case : Shelf {}
        static class Lending { public static void Lend(this Shelf shelf) {} }
        class Use { void Run(Case one) { one.<|>Lend(); } }
        """, "Lending.Lend exact"),
    row("csharp", "an extension method of another type does not apply", """
        class Shelf {}
        class Book {}
        static class Lending { public static void Lend(this Book book) {} }
        class Use { void Run(Shelf one) { one.<|>Lend(); } }
        """, "nothing"),
    row("csharp", "extension methods of a namespace need its using directive", """
        === Lending.cs
        namespace Tools { static class Lending { public static void Lend(this Shop.Shelf shelf) {} } }
        === Shelf.cs
        namespace Shop { public class Shelf {} }
        === Use.cs
        using Tools;
        using Shop;
        namespace Web { class Use { void Run(Shelf one) { one.<|>Lend(); } } }
        """, "Tools.Lending.Lend exact"),
    row("kotlin", "an extension function is called like a member", """
        class Shelf
        fun Shelf.lend() {}
        fun use(one: Shelf) { one.<|>lend() }
        """, "lend exact"),
    row("kotlin", "a member always wins over an extension", """
        class Shelf { fun lend() {} }
        fun Shelf.lend() {}
        fun use(one: Shelf) { one.<|>lend() }
        """, "Shelf.lend exact"),
    row("kotlin", "extensions are resolved by the declared type", """
        open class Shelf
        class Case : Shelf()
        fun Shelf.lend() {}
        fun Case.lend() {}
        fun use(one: Shelf) { one.<|>lend() }
        """, "lend exact"),
    row("kotlin", "an extension of the supertype applies to a subtype", """
        open class Shelf
        class Case : Shelf()
        fun Shelf.lend() {}
        fun use(one: Case) { one.<|>lend() }
        """, "lend exact"),
    row("swift", "an extension adds members to a type of another file", """
        === Shelf.swift
        struct Shelf {}
        === Lending.swift
        extension Shelf { func lend() {} }
        === Use.swift
        func use(one: Shelf) { one.<|>lend() }
        """, "Lending.swift:Shelf.lend exact"),
    row("rust", "a trait of this crate can be implemented for a type of another file", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        pub mod shelf;
        pub mod lending;
        use crate::shelf::Shelf;
        use crate::lending::Lending;
        fn using(one: Shelf) { one.<|>lend(); }
        === src/shelf.rs
        pub struct Shelf;
        === src/lending.rs
        use crate::shelf::Shelf;
        pub trait Lending { fn lend(&self); }
        impl Lending for Shelf { fn lend(&self) {} }
        """, "src/lending.rs:Shelf::lend exact"),
    row("go", "methods may stand in any file of the package", """
        === shop/shelf.go
        package shop
        type Shelf struct{}
        === shop/lend.go
        package shop
        func (s Shelf) Lend() {}
        === shop/use.go
        package shop
        func use(one Shelf) { one.<|>Lend() }
        """, "shop/lend.go:shop.Shelf.Lend exact"),
    row("ruby", "a class that is opened again gets further methods", """
        === shelf.rb
        class Shelf
        end
        === lend.rb
        class Shelf
          def lend; end
        end
        === use.rb
        require_relative "shelf"
        require_relative "lend"
        Shelf.new.<|>lend
        """, "lend.rb:Shelf.lend exact"),
    row("cpp", "a member function may be defined outside of its class", """
        === shelf.h
        struct Shelf { void lend(); };
        === shelf.cpp
        #include "shelf.h"
        void Shelf::lend() {}
        === use.cpp
        #include "shelf.h"
        void use(Shelf one) { one.<|>lend(); }
        """, "shelf.cpp:Shelf::lend exact"),
    gap("scala", "a method of an implicit class is called like a member of its parameter", """
        class Shelf
        object Lending { implicit class Lender(shelf: Shelf) { def lend(): Unit = () } }
        import Lending._
        object Use { def use(one: Shelf): Unit = one.<|>lend() }
        """, "Lender.lend exact"),
    row("scala", "an extension method of Scala 3 is called like a member", """
        class Shelf
        extension (shelf: Shelf) def lend(): Unit = ()
        object Use { def use(one: Shelf): Unit = one.<|>lend() }
        """, "lend exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, EXTENSIONS)
def test_members_may_be_written_outside_of_their_type(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# Private members are looked up where the language lets them be seen, and hide nothing elsewhere.
PRIVATE = [
    row("python", "two underscores are mangled with the class in which they stand", """
        class Shelf:
            def __lend(self): ...
            def use(self): self.<|>__lend()
        """, "Shelf.__lend exact"),
    gap("python", "a mangled name of the base is not one of the derived class", """
        class Shelf:
            def __lend(self): ...
        class Case(Shelf):
            def use(self): self.<|>__lend()
        """, "nothing"),
    row("typescript", "a private name belongs to the class that declares it", """
        class Shelf { #size = 1; use() { return this.<|>#size; } }
        """, "Shelf.#size exact"),
    row("javascript", "a private method belongs to the class that declares it", """
        class Shelf { #lend() {} use() { this.<|>#lend(); } }
        """, "Shelf.#lend exact"),
    row("java", "a private method is not inherited", """
        class Top { public void lend() {} }
        class Shelf extends Top { private void lend(int days) {} }
        class Case extends Shelf { void use() { this.<|>lend(); } }
        """, "Top.lend() exact"),
    row("java", "a private member can be named by a class around it", """
        class Shelf {
          void use(Label one) { one.<|>print(); }
          static class Label { private void print() {} }
        }
        """, "Shelf.Label.print() exact"),
    row("cpp", "access does not change what a name means: a private member hides one of the base", """
        struct Top { void lend() {} };
        class Shelf : public Top { void lend() {} };
        void use(Shelf one) { one.<|>lend(); }
        """, "Shelf::lend exact"),
    row("php", "a private method is called on $this in its own class", """
        <?php
        class Shelf { private function lend() {} function open() { $this-><|>lend(); } }
        """, "Shelf.lend exact"),
    row("php", "in the class that declares it, a private method wins over one of a subclass", """
        <?php
        class Shelf { private function lend() {} function open() { $this-><|>lend(); } }
        class Box extends Shelf { function lend() {} }
        """, "Shelf.lend exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, PRIVATE)
def test_private_members_belong_to_the_type_that_declares_them(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# No compiler accepts these; an index of half-written code sees them, and the lookup ends.
CYCLES = [
    row("python", "two classes that derive from each other keep their own members", """
        class Left(Right):
            def lend(self): ...
        class Right(Left):
            def read(self): ...
        Left().<|>lend()
        """, "Left.lend exact"),
    row("typescript", "a class that extends itself has its own members", """
        class Shelf extends Shelf { lend() {} }
        new Shelf().<|>lend();
        """, "Shelf.lend exact"),
    row("java", "a cycle of three classes has no member that none of them declares", """
        class A extends B {}
        class B extends C {}
        class C extends A {}
        class Use { void use(A one) { one.<|>lend(); } }
        """, "nothing"),
    row("csharp", "interfaces that extend each other keep their members", """
        interface ILeft : IRight { void Lend(); }
        interface IRight : ILeft { void Read(); }
        class Use { void Run(ILeft one) { one.<|>Read(); } }
        """, "IRight.Read exact"),
    row("php", "traits that use each other keep their members", """
        <?php
        trait Left { use Right; function lend() {} }
        trait Right { use Left; function read() {} }
        class Box { use Left; }
        function using(Box $one) { $one-><|>read(); }
        """, "Right.read exact"),
    row("ruby", "modules that include each other keep their methods", """
        module Left
          include Right
          def lend; end
        end
        module Right
          include Left
        end
        class Shelf
          include Right
        end
        Shelf.new.<|>lend
        """, "Left.lend exact"),
    row("rust", "traits that are each other's supertraits keep their methods", """
        trait Left: Right { fn lend(&self); }
        trait Right: Left { fn read(&self); }
        fn using(one: &dyn Left) { one.<|>read(); }
        """, "Right::read exact"),
    row("go", "interfaces that embed each other keep their methods", """
        package shop
        type Left interface { Right; Lend() }
        type Right interface { Left; Read() }
        func use(one Left) { one.<|>Read() }
        """, "Right.Read exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, CYCLES)
def test_cycles_of_inheritance_end(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)
