"""Invalidation: the files whose references have to be resolved again after an edit, and those that need not.

Each row lists all other files that the edit concerns by the rules of its language; what it does not list keeps its
references. After the edit nothing may be stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.harness.small_index import Change, added, assert_affects, deleted, edit, edit_gap, replaced

COLUMNS = ("files", "change", "affected")

PYTHON = """
    === shelf.py
    class Shelf:
        def lend(self):
            return 1
        def open(self):
            return 2
    class Book:
        def turn(self):
            return 3
    def first():
        return Book()
    SIZE = 3
    === lender.py
    from shelf import Shelf
    def use(one: Shelf):
        one.lend()
    === opener.py
    from shelf import Shelf
    def use(one: Shelf):
        one.open()
    === reader.py
    from shelf import first
    first().turn()
    === heir.py
    from shelf import Shelf
    class Case(Shelf):
        def use(self):
            self.lend()
    === other.py
    def use():
        return 4
    """

TYPESCRIPT = """
    === shelf.ts
    export class Shelf { lend() { return 1; } open() { return 2; } }
    export class Book { turn() { return 3; } }
    export function first() { return new Book(); }
    export const SIZE = 3;
    function hidden() {}
    === lender.ts
    import { Shelf } from "./shelf";
    export function use(one: Shelf) { one.lend(); }
    === opener.ts
    import { Shelf } from "./shelf";
    export function use(one: Shelf) { one.open(); }
    === reader.ts
    import { first } from "./shelf";
    first().turn();
    === heir.ts
    import { Shelf } from "./shelf";
    export class Case extends Shelf { use() { this.lend(); } }
    === other.ts
    export function use() { return 4; }
    """

JAVA = """
    === shop/Shelf.java
    package shop;
    public class Shelf { public void lend() { int n = 1; } public void open() {} private void hide() {} }
    === shop/Book.java
    package shop;
    public class Book { public void turn() {} static Book first() { return new Book(); } }
    === shop/Lender.java
    package shop;
    class Lender { void use(Shelf one) { one.lend(); } }
    === shop/Opener.java
    package shop;
    class Opener { void use(Shelf one) { one.open(); } }
    === shop/Case.java
    package shop;
    class Case extends Shelf { void use() { lend(); } }
    === shop/Reader.java
    package shop;
    class Reader { void use() { Book.first().turn(); } }
    === shop/Other.java
    package shop;
    class Other { int use() { return 4; } }
    """

GO = """
    === go.mod
    module shop
    === shelf.go
    package shop
    type Shelf struct{ size int }
    func (s Shelf) Lend() int { return 1 }
    func (s Shelf) Open() int { return 2 }
    func First() Book { return Book{} }
    === book.go
    package shop
    type Book struct{}
    func (b Book) Turn() {}
    === lender.go
    package shop
    func useLend(one Shelf) { one.Lend() }
    === opener.go
    package shop
    func useOpen(one Shelf) { one.Open() }
    === reader.go
    package shop
    func useFirst() { First().Turn() }
    === other.go
    package shop
    func useNothing() int { return 4 }
    """

CSHARP = """
    === Shelf.cs
    namespace Shop;
    public class Shelf { public int Lend() { return 1; } public int Open() { return 2; } private void Hide() {} }
    === Book.cs
    namespace Shop;
    public class Book { public void Turn() {} public static Book First() { return new Book(); } }
    === Lender.cs
    namespace Shop;
    class Lender { void Use(Shelf one) { one.Lend(); } }
    === Opener.cs
    namespace Shop;
    class Opener { void Use(Shelf one) { one.Open(); } }
    === Case.cs
    namespace Shop;
    class Case : Shelf { void Use() { this.Lend(); } }
    === Reader.cs
    namespace Shop;
    class Reader { void Use() { Book.First().Turn(); } }
    === Other.cs
    namespace Shop;
    class Other { int Use() { return 4; } }
    """

RUST = """
    === Cargo.toml
    [package]
    name = "shop"
    === src/lib.rs
    pub mod shelf;
    pub mod lender;
    pub mod opener;
    pub mod reader;
    pub mod other;
    === src/shelf.rs
    pub struct Shelf;
    impl Shelf {
        pub fn lend(&self) -> u32 { 1 }
        pub fn open(&self) -> u32 { 2 }
    }
    pub struct Book;
    impl Book {
        pub fn turn(&self) {}
    }
    pub fn first() -> Book { Book }
    === src/lender.rs
    use crate::shelf::Shelf;
    pub fn using(one: Shelf) { one.lend(); }
    === src/opener.rs
    use crate::shelf::Shelf;
    pub fn using(one: Shelf) { one.open(); }
    === src/reader.rs
    use crate::shelf::first;
    pub fn using() { first().turn(); }
    === src/other.rs
    pub fn using() -> u32 { 4 }
    """

CPP = """
    === shelf.h
    #pragma once
    struct Shelf { int lend() { return 1; } int open() { return 2; } };
    struct Book { void turn() {} };
    inline Book first() { return Book(); }
    === lender.cpp
    #include "shelf.h"
    void useLend(Shelf one) { one.lend(); }
    === opener.cpp
    #include "shelf.h"
    void useOpen(Shelf one) { one.open(); }
    === reader.cpp
    #include "shelf.h"
    void useFirst() { first().turn(); }
    === other.cpp
    int useNothing() { return 4; }
    """

RUBY = """
    === shelf.rb
    class Shelf
      def lend
        1
      end
      def open_it
        2
      end
    end
    === lender.rb
    require_relative "shelf"
    Shelf.new.lend
    === opener.rb
    require_relative "shelf"
    Shelf.new.open_it
    === heir.rb
    require_relative "shelf"
    class Case < Shelf
      def use
        lend
      end
    end
    === other.rb
    def use_nothing
      4
    end
    """

PHP = """
    === Shelf.php
    <?php
    class Shelf { function lend() { return 1; } function open() { return 2; } }
    === lender.php
    <?php
    function use_lend(Shelf $one) { $one->lend(); }
    === opener.php
    <?php
    function use_open(Shelf $one) { $one->open(); }
    === heir.php
    <?php
    class Box extends Shelf { function use_it() { $this->lend(); } }
    === other.php
    <?php
    function use_nothing() { return 4; }
    """

KOTLIN = """
    === Shelf.kt
    package shop
    open class Shelf {
        fun lend(): Int { return 1 }
        fun open(): Int { return 2 }
    }
    === Lender.kt
    package shop
    fun useLend(one: Shelf) { one.lend() }
    === Opener.kt
    package shop
    fun useOpen(one: Shelf) { one.open() }
    === Case.kt
    package shop
    class Case : Shelf() {
        fun use() { lend() }
    }
    === Other.kt
    package shop
    fun useNothing(): Int { return 4 }
    """

SWIFT = """
    === Shelf.swift
    class Shelf {
        func lend() -> Int { return 1 }
        func open() -> Int { return 2 }
    }
    === Lender.swift
    func useLend(one: Shelf) { one.lend() }
    === Opener.swift
    func useOpen(one: Shelf) { one.open() }
    === Case.swift
    class Case: Shelf {
        func use() { lend() }
    }
    === Other.swift
    func useNothing() -> Int { return 4 }
    """

SCALA = """
    === Shelf.scala
    package shop
    class Shelf { def lend(): Int = 1; def open(): Int = 2 }
    === Lender.scala
    package shop
    object Lender { def use(one: Shelf): Int = one.lend() }
    === Opener.scala
    package shop
    object Opener { def use(one: Shelf): Int = one.open() }
    === Case.scala
    package shop
    class Case extends Shelf { def use(): Int = lend() }
    === Other.scala
    package shop
    object Other { def use(): Int = 4 }
    """

# No language lets another file see what a function does inside, or where in its file a definition stands.
INVISIBLE = [
    edit("python", "a body", PYTHON, replaced("shelf.py", "return 1", "return 11"), ""),
    edit("python", "a comment", PYTHON, replaced("shelf.py", "class Book", "# of paper\nclass Book"), ""),
    edit("python", "a docstring", PYTHON, replaced("shelf.py", "class Book:", 'class Book:\n    """Paper."""'), ""),
    edit("python", "a number for another one", PYTHON, replaced("shelf.py", "SIZE = 3", "SIZE = 4"), ""),
    edit("python", "an import that nobody else names", PYTHON,
        replaced("other.py", "def use", "import os\ndef use"), ""),
    edit("python", "a local variable", PYTHON, replaced("shelf.py", "return 1", "count = 2\n        return 1"), ""),
    edit_gap("python", "a result of the same type, by way of a local variable", PYTHON,
        replaced("shelf.py", "return 1", "count = 1\n        return count"), ""),
    edit("typescript", "a body", TYPESCRIPT, replaced("shelf.ts", "return 1", "return 11"), ""),
    edit("typescript", "a comment", TYPESCRIPT,
        replaced("shelf.ts", "export class Book", "// paper\nexport class Book"), ""),
    edit("typescript", "a function that is not exported", TYPESCRIPT, replaced("shelf.ts", "hidden", "concealed"), ""),
    edit("java", "a body", JAVA, replaced("shop/Shelf.java", "int n = 1", "int n = 11"), ""),
    edit("java", "a comment", JAVA, replaced("shop/Shelf.java", "public class", "/** Wood. */ public class"), ""),
    edit("java", "a private method that no other file names", JAVA, replaced("shop/Shelf.java", "hide", "conceal"), ""),
    edit("go", "a body", GO, replaced("shelf.go", "return 1", "return 11"), ""),
    edit("go", "a field that no other file names", GO, replaced("shelf.go", "size int", "width int"), ""),
    edit("csharp", "a body", CSHARP, replaced("Shelf.cs", "return 1", "return 11"), ""),
    edit("csharp", "a private method that no other file names", CSHARP, replaced("Shelf.cs", "Hide", "Conceal"), ""),
    edit("rust", "a body", RUST, replaced("src/shelf.rs", "{ 1 }", "{ 11 }"), ""),
    edit("rust", "a private function", RUST,
        replaced("src/shelf.rs", "pub struct Book;", "fn hide() {}\npub struct Book;"), ""),
    edit("cpp", "a body in a header", CPP, replaced("shelf.h", "return 1", "return 11"), ""),
    edit("ruby", "a body", RUBY, replaced("shelf.rb", "    1", "    11"), ""),
    edit("php", "a body", PHP, replaced("Shelf.php", "return 1", "return 11"), ""),
    edit("kotlin", "a body", KOTLIN, replaced("Shelf.kt", "return 1", "return 11"), ""),
    edit("swift", "a body", SWIFT, replaced("Shelf.swift", "return 1", "return 11"), ""),
    edit("scala", "a body", SCALA, replaced("Shelf.scala", "= 1", "= 11"), ""),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, INVISIBLE)
def test_what_other_files_cannot_see_concerns_none_of_them(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)


# A member that comes, goes or has another name concerns the files that look it up, on its type or on a derived one.
MEMBERS = [
    edit("python", "a method goes", PYTHON, replaced("shelf.py", "def lend", "def give"), "lender.py heir.py"),
    edit("python", "a method of another type goes", PYTHON, replaced("shelf.py", "def turn", "def leaf"), "reader.py"),
    edit("python", "a method comes that nobody looks up", PYTHON,
        replaced("shelf.py", "    def open", "    def shut(self): ...\n    def open"), ""),
    edit("typescript", "a method goes", TYPESCRIPT, replaced("shelf.ts", "lend()", "give()"), "lender.ts heir.ts"),
    edit("typescript", "a method of another type goes", TYPESCRIPT,
        replaced("shelf.ts", "turn()", "leaf()"), "reader.ts"),
    edit("java", "a method goes", JAVA,
        replaced("shop/Shelf.java", "void lend", "void give"), "shop/Lender.java shop/Case.java"),
    edit("java", "a method of another type goes", JAVA,
        replaced("shop/Book.java", "void turn", "void leaf"), "shop/Reader.java"),
    edit("java", "an overload comes", JAVA,
        replaced("shop/Shelf.java", "public void open", "public void lend(int n) {} public void open"),
        "shop/Lender.java shop/Case.java"),
    edit("go", "a method goes", GO, replaced("shelf.go", "Lend()", "Give()"), "lender.go"),
    edit("go", "a method of another type goes", GO, replaced("book.go", "Turn()", "Leaf()"), "reader.go"),
    edit("csharp", "a method goes", CSHARP, replaced("Shelf.cs", "Lend()", "Give()"), "Lender.cs Case.cs"),
    edit("csharp", "a method of another type goes", CSHARP, replaced("Book.cs", "Turn()", "Leaf()"), "Reader.cs"),
    edit("rust", "a method goes", RUST, replaced("src/shelf.rs", "fn lend", "fn give"), "src/lender.rs"),
    edit("rust", "a method of another type goes", RUST,
        replaced("src/shelf.rs", "fn turn", "fn leaf"), "src/reader.rs"),
    edit("cpp", "a member function goes", CPP, replaced("shelf.h", "lend()", "give()"), "lender.cpp"),
    edit("cpp", "a member function of another type goes", CPP, replaced("shelf.h", "turn()", "leaf()"), "reader.cpp"),
    edit("ruby", "a method goes", RUBY, replaced("shelf.rb", "def lend", "def give"), "lender.rb heir.rb"),
    edit("php", "a method goes", PHP, replaced("Shelf.php", "lend()", "give()"), "lender.php heir.php"),
    edit("kotlin", "a function goes", KOTLIN, replaced("Shelf.kt", "lend()", "give()"), "Lender.kt Case.kt"),
    edit("swift", "a method goes", SWIFT, replaced("Shelf.swift", "lend()", "give()"), "Lender.swift Case.swift"),
    edit("scala", "a method goes", SCALA, replaced("Shelf.scala", "lend()", "give()"), "Lender.scala Case.scala"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, MEMBERS)
def test_a_member_concerns_the_files_that_look_it_up(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)


# A definition of a file or package concerns the files that name it.
DEFINITIONS = [
    edit("python", "a function goes", PYTHON, replaced("shelf.py", "def first", "def second"), "reader.py"),
    edit("python", "a class goes", PYTHON,
        replaced("shelf.py", "class Shelf", "class Rack"), "lender.py opener.py heir.py"),
    edit("python", "a function comes that nobody names", PYTHON,
        replaced("shelf.py", "SIZE = 3", "SIZE = 3\ndef last(): ..."), ""),
    edit("typescript", "a function goes", TYPESCRIPT,
        replaced("shelf.ts", "function first", "function second"), "reader.ts"),
    edit("typescript", "a class goes", TYPESCRIPT,
        replaced("shelf.ts", "class Shelf", "class Rack"), "lender.ts opener.ts heir.ts"),
    edit("typescript", "a function is no longer exported", TYPESCRIPT,
        replaced("shelf.ts", "export function first", "function first"), "reader.ts"),
    edit("go", "a function goes", GO, replaced("shelf.go", "First()", "Second()"), "reader.go"),
    edit("go", "a type goes", GO, replaced("shelf.go", "type Shelf", "type Rack"), "lender.go opener.go"),
    edit("rust", "a function goes", RUST, replaced("src/shelf.rs", "fn first", "fn second"), "src/reader.rs"),
    edit("rust", "a function is no longer public", RUST,
        replaced("src/shelf.rs", "pub fn first", "fn first"), "src/reader.rs"),
    edit("cpp", "a function of a header goes", CPP, replaced("shelf.h", "Book first()", "Book second()"), "reader.cpp"),
    edit("csharp", "a class goes", CSHARP,
        replaced("Shelf.cs", "class Shelf", "class Rack"), "Lender.cs Opener.cs Case.cs"),
    edit("java", "a class goes", JAVA,
        replaced("shop/Shelf.java", "class Shelf", "class Rack"), "shop/Lender.java shop/Opener.java shop/Case.java"),
    edit("ruby", "a class goes", RUBY,
        replaced("shelf.rb", "class Shelf", "class Rack"), "lender.rb opener.rb heir.rb"),
    edit("php", "a class goes", PHP,
        replaced("Shelf.php", "class Shelf", "class Rack"), "lender.php opener.php heir.php"),
    edit("kotlin", "a class goes", KOTLIN,
        replaced("Shelf.kt", "class Shelf", "class Rack"), "Lender.kt Opener.kt Case.kt"),
    edit("swift", "a class goes", SWIFT,
        replaced("Shelf.swift", "class Shelf", "class Rack"), "Lender.swift Opener.swift Case.swift"),
    edit("scala", "a class goes", SCALA,
        replaced("Shelf.scala", "class Shelf", "class Rack"), "Lender.scala Opener.scala Case.scala"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, DEFINITIONS)
def test_a_definition_concerns_the_files_that_name_it(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)


# The type of a value concerns the files that read members from it, though they do not name the type.
TYPES_OF_VALUES = [
    edit("python", "a function returns another type", PYTHON,
        replaced("shelf.py", "return Book()", "return Shelf()"), "reader.py"),
    edit("typescript", "a function returns another type", TYPESCRIPT,
        replaced("shelf.ts", "new Book()", "new Shelf()"), "reader.ts"),
    edit("java", "a method returns another type", JAVA,
        replaced("shop/Book.java", "static Book first() { return new Book(); }", "static Shelf first() { return null; }"),
        "shop/Reader.java"),
    edit("go", "a function returns another type", GO,
        replaced("shelf.go", "First() Book { return Book{} }", "First() Shelf { return Shelf{} }"), "reader.go"),
    edit("rust", "a function returns another type", RUST,
        replaced("src/shelf.rs", "-> Book { Book }", "-> Shelf { Shelf }"), "src/reader.rs"),
    edit("cpp", "a function returns another type", CPP,
        replaced("shelf.h", "Book first() { return Book(); }", "Shelf first() { return Shelf(); }"), "reader.cpp"),
    edit("csharp", "a method returns another type", CSHARP,
        replaced("Book.cs", "static Book First() { return new Book(); }", "static Shelf First() { return null; }"),
        "Reader.cs"),
    edit("python", "a variable of a module has a value of another type", """
        === kinds.py
        class Book:
            def turn(self): ...
        class Map:
            def turn(self): ...
        === stock.py
        from kinds import Book, Map
        chosen = Book()
        === reader.py
        from stock import chosen
        chosen.turn()
        === other.py
        from kinds import Book
        Book().turn()
        """, replaced("stock.py", "chosen = Book()", "chosen = Map()"), "reader.py"),
    edit("python", "a type follows through two assignments in other files", """
        === kinds.py
        class Book:
            def turn(self): ...
        class Map:
            def turn(self): ...
        === stock.py
        from kinds import Book, Map
        def make():
            return Book()
        === chosen.py
        from stock import make
        chosen = make()
        === reader.py
        from chosen import chosen
        chosen.turn()
        """, replaced("stock.py", "return Book()", "return Map()"), "chosen.py reader.py"),
    edit("typescript", "a property has another type", """
        === kinds.ts
        export class Book { turn() {} }
        export class Chart { turn() {} }
        === shelf.ts
        import { Book, Chart } from "./kinds";
        export class Shelf { first: Book; size: number }
        === reader.ts
        import { Shelf } from "./shelf";
        export function use(one: Shelf) { one.first.turn(); }
        === counter.ts
        import { Shelf } from "./shelf";
        export function use(one: Shelf) { return one.size; }
        """, replaced("shelf.ts", "first: Book", "first: Chart"), "reader.ts"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, TYPES_OF_VALUES)
def test_the_type_of_a_value_concerns_the_files_that_read_members_from_it(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)


FAMILY = """
    === top.py
    class Top:
        def lend(self): ...
        def label(self): ...
    class Rack:
        def lend(self): ...
    === shelf.py
    from top import Top, Rack
    class Shelf(Top):
        pass
    === case.py
    from shelf import Shelf
    class Case(Shelf):
        pass
    === of_top.py
    from top import Top
    Top().lend()
    === of_shelf.py
    from shelf import Shelf
    Shelf().lend()
    === of_case.py
    from case import Case
    Case().lend()
    """

# The bases of a type concern the files that look up members on it or on types derived from it.
INHERITANCE = [
    edit("python", "a class has another base", FAMILY,
        replaced("shelf.py", "Shelf(Top)", "Shelf(Rack)"), "case.py of_shelf.py of_case.py"),
    edit("python", "a class loses its base", FAMILY,
        replaced("shelf.py", "Shelf(Top)", "Shelf"), "case.py of_shelf.py of_case.py"),
    edit("python", "a class overrides a method", FAMILY,
        replaced("shelf.py", "pass", "def lend(self): ..."), "of_shelf.py of_case.py"),
    edit("python", "the derived class overrides a method", FAMILY,
        replaced("case.py", "pass", "def lend(self): ..."), "of_case.py"),
    edit("python", "a method of the base that nobody looks up goes", FAMILY,
        replaced("top.py", "def label", "def title"), ""),
    edit("typescript", "a class has another base", """
        === top.ts
        export class Top { lend() {} }
        export class Rack { lend() {} }
        === shelf.ts
        import { Top, Rack } from "./top";
        export class Shelf extends Top {}
        === of_top.ts
        import { Top } from "./top";
        new Top().lend();
        === of_shelf.ts
        import { Shelf } from "./shelf";
        new Shelf().lend();
        """, replaced("shelf.ts", "extends Top", "extends Rack"), "of_shelf.ts"),
    edit("java", "a class has another base", """
        === a/Top.java
        package a;
        public class Top { public void lend() {} }
        === a/Rack.java
        package a;
        public class Rack { public void lend() {} }
        === a/Shelf.java
        package a;
        public class Shelf extends Top {}
        === a/OfTop.java
        package a;
        class OfTop { void use(Top one) { one.lend(); } }
        === a/OfShelf.java
        package a;
        class OfShelf { void use(Shelf one) { one.lend(); } }
        """, replaced("a/Shelf.java", "extends Top", "extends Rack"), "a/OfShelf.java"),
    edit_gap("go", "a struct embeds another type", """
        === go.mod
        module shop
        === top.go
        package shop
        type Top struct{}
        func (t Top) Lend() {}
        type Rack struct{}
        func (r Rack) Lend() {}
        === shelf.go
        package shop
        type Shelf struct{ Top }
        === of_top.go
        package shop
        func useTop(one Top) { one.Lend() }
        === of_shelf.go
        package shop
        func useShelf(one Shelf) { one.Lend() }
        """, replaced("shelf.go", "{ Top }", "{ Rack }"), "of_shelf.go"),
    edit("ruby", "a class includes another module", """
        === mixins.rb
        module Lending
          def lend; end
        end
        module Renting
          def lend; end
        end
        === shelf.rb
        require_relative "mixins"
        class Shelf
          include Lending
        end
        === of_shelf.rb
        require_relative "shelf"
        Shelf.new.lend
        === other.rb
        def use_nothing; end
        """, replaced("shelf.rb", "include Lending", "include Renting"), "of_shelf.rb"),
    edit_gap("rust", "a type implements a trait in another file", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        pub mod shelf;
        pub mod lending;
        pub mod reader;
        pub mod other;
        === src/shelf.rs
        pub struct Shelf;
        === src/lending.rs
        use crate::shelf::Shelf;
        pub trait Lending { fn lend(&self) {} }
        === src/reader.rs
        use crate::shelf::Shelf;
        use crate::lending::Lending;
        pub fn using(one: Shelf) { one.lend(); }
        === src/other.rs
        pub fn using() {}
        """, replaced("src/lending.rs", "pub trait", "impl Lending for Shelf {}\npub trait"), "src/reader.rs"),
    edit("csharp", "an extension method comes", """
        === Shelf.cs
        namespace Shop;
        public class Shelf {}
        === Tools.cs
        namespace Shop;
        public static class Tools { }
        === Lender.cs
        namespace Shop;
        class Lender { void Use(Shelf one) { one.Lend(); } }
        === Other.cs
        namespace Shop;
        class Other { void Use(Shelf one) { one.ToString(); } }
        """, replaced("Tools.cs", "{ }", "{ public static void Lend(this Shelf one) {} }"), "Lender.cs"),
    edit("kotlin", "an extension function comes", """
        === Shelf.kt
        package shop
        class Shelf
        === Tools.kt
        package shop
        fun tool() {}
        === Lender.kt
        package shop
        fun use(one: Shelf) { one.lend() }
        === Other.kt
        package shop
        fun other(one: Shelf) { one.toString() }
        """, replaced("Tools.kt", "fun tool() {}", "fun Shelf.lend() {}"), "Lender.kt"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, INHERITANCE)
def test_the_bases_of_a_type_concern_the_files_that_look_up_members_on_it(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)


# A file that comes or goes concerns the files that import it or name what it defines.
FILES = [
    edit("python", "a module goes", PYTHON, deleted("shelf.py"), "lender.py opener.py reader.py heir.py"),
    edit("python", "a file that nobody imports goes", PYTHON, deleted("other.py"), ""),
    edit("python", "a module comes that an import waits for", """
        === user.py
        from shelf import lend
        lend()
        === other.py
        def lend(): ...
        """, added("shelf.py", "def lend(): ..."), "user.py"),
    edit("python", "a module that nobody imports comes", PYTHON, added("new.py", "def unused(): ..."), ""),
    edit("typescript", "a module goes", TYPESCRIPT, deleted("shelf.ts"), "lender.ts opener.ts reader.ts heir.ts"),
    edit("typescript", "a module comes that an import waits for", """
        === user.ts
        import { lend } from "./shelf";
        lend();
        === other.ts
        export function lend() {}
        """, added("shelf.ts", "export function lend() {}"), "user.ts"),
    edit("java", "a class of the package comes", """
        === shop/User.java
        package shop;
        class User { void use(Shelf one) { one.lend(); } }
        === shop/Other.java
        package shop;
        class Other { void use() {} }
        === web/Page.java
        package web;
        class Page { void use() {} }
        """, added("shop/Shelf.java", "package shop;\nclass Shelf { void lend() {} }"), "shop/User.java"),
    edit("go", "a file of the package comes", """
        === go.mod
        module shop
        === user.go
        package shop
        func use() { lend() }
        === other.go
        package shop
        func other() {}
        """, added("shelf.go", "package shop\nfunc lend() {}"), "user.go"),
    edit("cpp", "a header goes", CPP, deleted("shelf.h"), "lender.cpp opener.cpp reader.cpp"),
    edit("php", "a class goes with its file", PHP, deleted("Shelf.php"), "lender.php opener.php heir.php"),
    edit("ruby", "a class goes with its file", RUBY, deleted("shelf.rb"), "lender.rb opener.rb heir.rb"),
    edit("csharp", "a class goes with its file", CSHARP, deleted("Book.cs"), "Reader.cs"),
    edit("rust", "a module goes", RUST, deleted("src/shelf.rs"),
        "src/lib.rs src/lender.rs src/opener.rs src/reader.rs"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, FILES)
def test_a_file_that_comes_or_goes_concerns_those_that_name_what_it_defines(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)


BARREL = """
    === shelf.ts
    export class Shelf { lend() {} }
    export class Book { turn() {} }
    === rack.ts
    export class Shelf { lend() {} }
    === index.ts
    export { Shelf } from "./shelf";
    === outer.ts
    export { Shelf as Case } from "./index";
    === user.ts
    import { Shelf } from "./index";
    new Shelf().lend();
    === renamed.ts
    import { Case } from "./outer";
    new Case().lend();
    === direct.ts
    import { Book } from "./shelf";
    new Book().turn();
    """

# A re-export concerns the files that import by it, also under another name and through further re-exports.
REEXPORTS = [
    edit("typescript", "a re-export leads to another module", BARREL,
        replaced("index.ts", "./shelf", "./rack"), "outer.ts user.ts renamed.ts"),
    edit("typescript", "a re-export has another name", BARREL,
        replaced("index.ts", "{ Shelf }", "{ Shelf as Rack }"), "outer.ts user.ts renamed.ts"),
    edit("typescript", "the last re-export of a chain goes", BARREL,
        replaced("outer.ts", "Shelf as Case", "Shelf as Box"), "renamed.ts"),
    edit("typescript", "the definition behind two re-exports loses a member", BARREL,
        replaced("shelf.ts", "lend()", "give()"), "user.ts renamed.ts"),
    edit("typescript", "a star export leads to another module", """
        === shelf.ts
        export function lend() {}
        === rack.ts
        export function lend() {}
        === index.ts
        export * from "./shelf";
        === user.ts
        import { lend } from "./index";
        lend();
        === other.ts
        import { lend } from "./rack";
        lend();
        """, replaced("index.ts", "./shelf", "./rack"), "user.ts"),
    edit("python", "a package imports the name from another module", """
        === shop/__init__.py
        from shop.shelf import lend
        === shop/shelf.py
        def lend(): ...
        === shop/rack.py
        def lend(): ...
        === user.py
        from shop import lend
        lend()
        === other.py
        from shop.rack import lend
        lend()
        """, replaced("shop/__init__.py", "shop.shelf", "shop.rack"), "user.py"),
    edit("python", "a module imported with a star has a further name", """
        === shelf.py
        def open(): ...
        === everything.py
        from shelf import *
        === user.py
        from everything import lend
        lend()
        === other.py
        from everything import open
        open()
        """, replaced("shelf.py", "def open(): ...", "def open(): ...\ndef lend(): ..."), "user.py"),
    edit("rust", "pub use leads to another module", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        pub mod shelf;
        pub mod rack;
        pub mod user;
        pub mod other;
        pub use shelf::lend;
        === src/shelf.rs
        pub fn lend() {}
        === src/rack.rs
        pub fn lend() {}
        === src/user.rs
        use crate::lend;
        pub fn using() { lend(); }
        === src/other.rs
        pub fn using() {}
        """, replaced("src/lib.rs", "pub use shelf::lend", "pub use rack::lend"), "src/user.rs"),
    edit("csharp", "a global using comes", """
        === Tools.cs
        namespace Tools;
        public class Shelf { public void Lend() {} }
        === Usings.cs
        namespace Web;
        === Page.cs
        namespace Web;
        class Page { void Run(Shelf one) { one.Lend(); } }
        """, replaced("Usings.cs", "namespace Web;", "global using Tools;\nnamespace Web;"), "Tools.cs Page.cs"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, REEXPORTS)
def test_a_reexport_concerns_the_files_that_import_by_it(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)


# Names that are looked up by other rules than import and membership.
OTHER_RULES = [
    edit("cpp", "a macro of a header has another body", """
        === shelf.h
        #define SIZE 3
        #define LABEL 4
        === user.cpp
        #include "shelf.h"
        int use() { return SIZE; }
        === other.cpp
        #include "shelf.h"
        int other() { return LABEL; }
        """, replaced("shelf.h", "SIZE 3", "SIZE 5"), ""),
    edit("cpp", "a macro of a header goes", """
        === shelf.h
        #define SIZE 3
        #define LABEL 4
        === user.cpp
        #include "shelf.h"
        int use() { return SIZE; }
        === other.cpp
        #include "shelf.h"
        int other() { return LABEL; }
        """, replaced("shelf.h", "SIZE 3", "WIDTH 3"), "user.cpp"),
    edit("cpp", "a header includes another one", """
        === shelf.h
        void lend();
        === all.h
        #pragma once
        === user.cpp
        #include "all.h"
        void use() { lend(); }
        === other.cpp
        void other() {}
        """, replaced("all.h", "#pragma once", '#pragma once\n#include "shelf.h"'), "user.cpp"),
    edit("cpp", "a using directive comes in a header", """
        === shelf.h
        namespace shop { void lend(); }
        === all.h
        #include "shelf.h"
        === user.cpp
        #include "all.h"
        void use() { lend(); }
        === other.cpp
        void other() {}
        """, replaced("all.h", '#include "shelf.h"', '#include "shelf.h"\nusing namespace shop;'), "user.cpp"),
    edit("c", "the file with the definition of a declared function comes", """
        === shelf.h
        void lend(int days);
        === user.c
        #include "shelf.h"
        void use(void) { lend(3); }
        === other.c
        void other(void) {}
        """, added("shelf.c", '#include "shelf.h"\nvoid lend(int days) {}'), "shelf.h user.c"),
    edit("java", "a static import leads to a method that goes", """
        === shop/Shelf.java
        package shop;
        public class Shelf { public static void lend() {} public static void open() {} }
        === web/Lender.java
        package web;
        import static shop.Shelf.lend;
        class Lender { void use() { lend(); } }
        === web/Opener.java
        package web;
        import static shop.Shelf.open;
        class Opener { void use() { open(); } }
        """, replaced("shop/Shelf.java", "void lend", "void give"), "web/Lender.java"),
    edit("java", "an enum constant goes", """
        === shop/Size.java
        package shop;
        public enum Size { SMALL, LARGE }
        === shop/Small.java
        package shop;
        class Small { Size use() { return Size.SMALL; } }
        === shop/Large.java
        package shop;
        class Large { Size use() { return Size.LARGE; } }
        """, replaced("shop/Size.java", "SMALL", "TINY"), "shop/Small.java"),
    edit_gap("java", "a class of the package comes before one that is imported on demand", """
        === a/Shelf.java
        package a;
        public class Shelf { public void lend() {} }
        === b/User.java
        package b;
        import a.*;
        class User { void use(Shelf one) { one.lend(); } }
        === c/Other.java
        package c;
        import a.Shelf;
        class Other { void use(Shelf one) { one.lend(); } }
        """, added("b/Shelf.java", "package b;\npublic class Shelf { public void lend() {} }"), "b/User.java"),
    edit("csharp", "a part of a partial class gets a member", """
        === Shelf.cs
        public partial class Shelf { public void Open() {} }
        === Part.cs
        public partial class Shelf { }
        === Lender.cs
        class Lender { void Use(Shelf one) { one.Lend(); } }
        === Opener.cs
        class Opener { void Use(Shelf one) { one.Open(); } }
        """, replaced("Part.cs", "{ }", "{ public void Lend() {} }"), "Lender.cs"),
    edit("csharp", "the parameters of a method change their types", """
        === Shelf.cs
        public class Shelf { public void Lend(int days) {} public void Lend(string name) {} }
        === Lender.cs
        class Lender { void Use(Shelf one) { one.Lend(3); } }
        === Other.cs
        class Other { void Use(Shelf one) { one.ToString(); } }
        """, replaced("Shelf.cs", "int days", "bool days"), "Lender.cs"),
    edit("kotlin", "an import on demand gets another function", """
        === Shelf.kt
        package shop
        fun lend() {}
        === User.kt
        package web
        import shop.*
        fun use() { give() }
        === Other.kt
        package web
        fun other() {}
        """, replaced("Shelf.kt", "fun lend() {}", "fun lend() {}\nfun give() {}"), "User.kt"),
    edit("scala", "a companion object gets a method", """
        === Shelf.scala
        package shop
        class Shelf
        object Shelf { }
        === User.scala
        package shop
        object User { def use(): Unit = Shelf.open() }
        === Other.scala
        package shop
        object Other { def use(): Int = 4 }
        """, replaced("Shelf.scala", "{ }", "{ def open(): Unit = () }"), "User.scala"),
    edit_gap("swift", "an extension in a new file adds a method", """
        === Shelf.swift
        struct Shelf {}
        === User.swift
        func use(one: Shelf) { one.lend() }
        === Other.swift
        func other(one: Shelf) {}
        """, added("Lending.swift", "extension Shelf { func lend() {} }"), "User.swift"),
    edit_gap("ruby", "a class is opened again in a new file", """
        === shelf.rb
        class Shelf
        end
        === user.rb
        require_relative "shelf"
        Shelf.new.lend
        === other.rb
        def other
        end
        """, added("lending.rb", "class Shelf\n  def lend\n  end\nend"), "user.rb"),
    edit("php", "a trait gets a method", """
        === Lending.php
        <?php
        trait Lending { }
        === Box.php
        <?php
        class Box { use Lending; }
        === user.php
        <?php
        function use_lend(Box $one) { $one->lend(); }
        === other.php
        <?php
        function use_open(Box $one) { $one->open(); }
        """, replaced("Lending.php", "{ }", "{ function lend() {} }"), "user.php"),
    edit("php", "a namespace has another name", """
        === Shelf.php
        <?php
        namespace Shop;
        class Shelf { function lend() {} }
        === user.php
        <?php
        use Shop\\Shelf;
        function use_it(Shelf $one) { $one->lend(); }
        === other.php
        <?php
        function other() {}
        """, replaced("Shelf.php", "namespace Shop", "namespace Web"), "user.php"),
    edit("go", "an interface gets a method", """
        === go.mod
        module shop
        === shelf.go
        package shop
        type Lender interface { Open() }
        === user.go
        package shop
        func use(one Lender) { one.Lend() }
        === other.go
        package shop
        func other(one Lender) { one.Open() }
        """, replaced("shelf.go", "{ Open() }", "{ Open(); Lend() }"), "user.go"),
    edit("rust", "a trait gets a provided method", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        pub mod lending;
        pub mod user;
        pub mod other;
        === src/lending.rs
        pub trait Lending { fn open(&self); }
        === src/user.rs
        use crate::lending::Lending;
        pub fn using(one: &dyn Lending) { one.lend(); }
        === src/other.rs
        use crate::lending::Lending;
        pub fn using(one: &dyn Lending) { one.open(); }
        """, replaced("src/lending.rs", "fn open(&self);", "fn open(&self); fn lend(&self) {}"), "src/user.rs"),
    edit("typescript", "the parameter of a callback has another type", """
        === kinds.ts
        export class Book { turn() {} }
        export class Chart { turn() {} }
        === each.ts
        import { Book, Chart } from "./kinds";
        export declare function each(visit: (one: Book) => void): void;
        === user.ts
        import { each } from "./each";
        each(one => one.turn());
        === other.ts
        import { Book } from "./kinds";
        new Book().turn();
        """, replaced("each.ts", "(one: Book)", "(one: Chart)"), "user.ts"),
    edit_gap("typescript", "an interface is merged with another declaration", """
        === shelf.d.ts
        interface Shelf { open(): void }
        === more.d.ts
        interface Rack { }
        === user.ts
        function use(one: Shelf) { one.lend(); }
        === other.ts
        function other(one: Shelf) { one.open(); }
        """, replaced("more.d.ts", "interface Rack { }", "interface Shelf { lend(): void }"), "user.ts"),
    edit("typescript", "an index comes for an imported directory", """
        === user.ts
        import { lend } from "./shop";
        lend();
        === other.ts
        export const size = 3;
        """, added("shop/index.ts", "export function lend() {}"), "user.ts"),
    edit("typescript", "the default export is another class", """
        === shelf.ts
        export class Shelf { lend() {} }
        export class Rack { lend() {} }
        export default Shelf;
        === user.ts
        import Any from "./shelf";
        new Any().lend();
        === other.ts
        import { Rack } from "./shelf";
        new Rack().lend();
        """, replaced("shelf.ts", "default Shelf", "default Rack"), "user.ts"),
    edit("python", "a decorator of a method makes it a property", """
        === shelf.py
        class Book:
            def turn(self): ...
        class Shelf:
            def first(self) -> Book: ...
            def last(self) -> Book: ...
        === user.py
        from shelf import Shelf
        Shelf().first.turn()
        === other.py
        from shelf import Shelf
        Shelf().last().turn()
        """, replaced("shelf.py", "    def first", "    @property\n    def first"), "user.py"),
    edit_gap("python", "a package gets a module that an import waits for", """
        === shop/__init__.py
        === user.py
        from shop import shelf
        shelf.lend()
        === other.py
        import shop
        """, added("shop/shelf.py", "def lend(): ..."), "user.py"),
    edit("python", "a parameter without a type comes", PYTHON,
        replaced("shelf.py", "def first()", "def first(days=0)"), ""),
    edit("bash", "a function of a sourced file goes", """
        === shelf.sh
        lend() { :; }
        open_it() { :; }
        === user.sh
        source ./shelf.sh
        lend
        === other.sh
        source ./shelf.sh
        open_it
        """, replaced("shelf.sh", "lend()", "give()"), "user.sh"),
    edit("lua", "a function of a required module goes", """
        === shelf.lua
        local M = {}
        function M.lend() end
        function M.open() end
        return M
        === user.lua
        local shelf = require("shelf")
        shelf.lend()
        === other.lua
        local shelf = require("shelf")
        shelf.open()
        """, replaced("shelf.lua", "M.lend", "M.give"), "user.lua"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, OTHER_RULES)
def test_names_that_are_looked_up_by_other_rules_concern_the_files_that_use_these(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)


# Edits that have left stale references. Each was found by random edits of the sources of these tables.
DISTANT = [
    edit_gap("python", "a module goes from which another one imports under another name", """
        === shelf.py
        SIZE = 3
        === middle.py
        from shelf import lend as give
        === user.py
        from middle import give
        give()
        === other.py
        def other(): ...
        """, deleted("shelf.py"), "middle.py user.py"),
    edit_gap("python", "a module goes from which another one imports a name that it lacks", """
        === right.py
        SIZE = 3
        === left.py
        from right import lend
        === user.py
        from left import lend
        lend()
        === other.py
        def other(): ...
        """, deleted("right.py"), "left.py user.py"),
    edit_gap("typescript", "a module goes of whose missing export another one has an alias", """
        === shelf.ts
        export class Shelf { lend() {} }
        === index.ts
        export const size = 3;
        === outer.ts
        export { Shelf as Case } from "./index";
        === user.ts
        import { Case } from "./outer";
        new Case().lend();
        """, deleted("index.ts"), "outer.ts user.ts"),
    edit_gap("typescript", "the class goes that the default export names", """
        === shelf.ts
        export class Shelf { lend() {} }
        export default Shelf;
        === user.ts
        import Any from "./shelf";
        new Any();
        === other.ts
        export const size = 3;
        """, replaced("shelf.ts", "class Shelf", "class Rack"), "user.ts"),
    edit_gap("rust", "an implementation of a trait goes", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        pub mod shelf;
        pub mod lending;
        use crate::shelf::Shelf;
        use crate::lending::Lending;
        fn using(one: Shelf) { one.lend(); }
        === src/shelf.rs
        pub struct Shelf;
        === src/lending.rs
        use crate::shelf::Shelf;
        pub trait Lending { fn lend(&self) {} }
        impl Lending for Shelf {}
        """, replaced("src/lending.rs", "impl Lending for Shelf {}", ""), "src/lib.rs"),
    edit_gap("rust", "the declaration goes of a module whose names are used again", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        mod shelf;
        mod user;
        pub use shelf::*;
        === src/shelf.rs
        pub fn lend() {}
        === src/user.rs
        fn using() { crate::lend(); }
        """, replaced("src/lib.rs", "mod shelf;", ""), "src/shelf.rs src/user.rs"),
    edit_gap("swift", "the declaration goes of a type that another file extends", """
        === Shelf.swift
        struct Shelf {}
        === Lending.swift
        extension Shelf { func lend() {} }
        === Use.swift
        func use(one: Elsewhere) { one.lend() }
        """, replaced("Shelf.swift", "struct Shelf", "struct Rack"), "Lending.swift Use.swift"),
    edit_gap("typescript", "a module without its last export is a script, whose declarations are global", """
        === kinds.d.ts
        export interface Seen { size(): number }
        interface Hidden { size(): number }
        === user.ts
        export function use(one: Hidden) { one.size(); }
        === other.ts
        export const size = 3;
        """, replaced("kinds.d.ts", "export interface Seen { size(): number }\n", ""), "user.ts"),
    edit_gap("typescript", "an interface with a call signature goes that a parameter has", """
        === lib.ts
        export class Book { read() {} }
        export interface Visitor { (book: Book): void }
        export function each(visit: Visitor) {}
        === user.ts
        import { each } from "./lib";
        each(one => one.read());
        === other.ts
        import { Book } from "./lib";
        new Book();
        """, replaced("lib.ts", "export interface Visitor { (book: Book): void }\n", ""), "user.ts"),
    edit("typescript", "a constructor passes something else to its callback", """
        === lib.ts
        export class Book { read() {} }
        export class Chart { read() {} }
        export class Shelf { constructor(fill: (book: Book) => void) {} }
        === user.ts
        import { Shelf } from "./lib";
        new Shelf(one => one.read());
        === other.ts
        import { Book } from "./lib";
        new Book();
        """, replaced("lib.ts", "(book: Book)", "(book: Chart)"), "user.ts"),
    edit("swift", "an initializer goes that takes a closure", """
        === Shelf.swift
        class Shelf {
          init(fill: (Shelf) -> Void) {}
          func top() {}
        }
        === Use.swift
        let one = Shelf { found in found.top() }
        === Other.swift
        func other(one: Shelf) {}
        """, replaced("Shelf.swift", "  init(fill: (Shelf) -> Void) {}\n", ""), "Use.swift"),
    edit_gap("ruby", "a file goes by which another one requires a third", """
        === lib/shelf.rb
        require_relative "board"
        === lib/board.rb
        def plane; end
        === helper.rb
        require_relative "lib/shelf"
        === user.rb
        require_relative "helper"
        plane
        === other.rb
        def other; end
        """, deleted("lib/shelf.rb"), "helper.rb user.rb"),
    edit_gap("rust", "a module with macros is no longer declared", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        #[macro_use]
        mod macros;
        mod user;
        === src/macros.rs
        macro_rules! shout { () => {}; }
        === src/user.rs
        fn using() { shout!(); }
        """, replaced("src/lib.rs", "#[macro_use]\nmod macros;\n", ""), "src/macros.rs src/user.rs"),
    edit("lua", "the init file of a required directory goes", """
        === library/init.lua
        return { open = function() end }
        === user.lua
        local library = require("library")
        library.open()
        === other.lua
        local size = 3
        """, deleted("library/init.lua"), "user.lua"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, DISTANT)
def test_an_edit_concerns_files_that_reach_it_through_others(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)
