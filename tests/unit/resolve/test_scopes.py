"""Name lookup in scopes: the definition that a bare name means. Each row states a rule of its language."""

from __future__ import annotations

import pytest

from tests.harness.symbol_table import assert_resolves, gap, row

COLUMNS = ("language", "source", "expected")

# The innermost scope that declares a name is meant; a declaration there hides those further out.
SHADOWING = [
    row("python", "a parameter hides a function of the module", """
        def lend(): ...
        def use(lend):
            <|>lend()
        """, "nothing"),
    row("python", "a local variable hides a function of the module in all of the function", """
        def lend(): ...
        def use():
            <|>lend()
            lend = None
        """, "nothing"),
    row("python", "a nested function comes before one of the module", """
        def lend(): ...
        def use():
            def lend(): ...
            <|>lend()
        """, "use.lend exact"),
    row("python", "the scope of a class is not seen from its methods", """
        def lend(): ...
        class Shelf:
            def lend(self): ...
            def use(self):
                <|>lend()
        """, "main.lend() exact"),
    row("python", "the body of a class sees its own names", """
        def size(): ...
        class Shelf:
            def size(): ...
            count = <|>size()
        """, "Shelf.size() exact"),
    row("python", "global names the variable of the module", """
        size = 1
        def use():
            global size
            print(<|>size)
            size = 2
        """, "main.size exact"),
    gap("python", "an assignment after global writes the variable of the module", """
        size = 1
        def use():
            global size
            <|>size = 2
        """, "main.size exact"),
    row("python", "a comprehension has a scope of its own", """
        class Book:
            def turn(self): ...
        def one(): ...
        def use(books):
            [one for one in books]
            <|>one()
        """, "main.one() exact"),
    row("python", "an import in a function binds the name in this function only", """
        === shelf.py
        def lend(): ...
        === main.py
        def use():
            from shelf import lend
        def other():
            <|>lend()
        """, "nothing"),
    row("python", "a name of an except clause is bound in it", """
        def error(): ...
        def use():
            try:
                pass
            except ValueError as error:
                <|>error()
        """, "nothing"),
    row("typescript", "a parameter hides a function of the module", """
        function lend() {}
        function use(lend: any) { <|>lend(); }
        """, "nothing"),
    row("typescript", "let in a block hides a function outside of the block", """
        function lend() {}
        function use() { { let lend = null; <|>lend(); } }
        """, "nothing"),
    row("typescript", "after the block the outer name is meant again", """
        function lend() {}
        function use() { { let lend = null; } <|>lend(); }
        """, "main.lend exact"),
    row("typescript", "var holds in the whole function", """
        function lend() {}
        function use() { <|>lend(); if (true) { var lend: any = null; } }
        """, "nothing"),
    row("typescript", "a method is not seen as a bare name", """
        function lend() {}
        class Shelf { lend(days: number) {} use() { <|>lend(); } }
        """, "main.lend() exact"),
    row("typescript", "types and values have names of their own", """
        interface lend { turn(): void }
        function lend() {}
        <|>lend();
        """, "lend() exact"),
    row("javascript", "a catch parameter hides an outer name", """
        function error() {}
        function use() { try {} catch (error) { <|>error(); } }
        """, "nothing"),
    row("javascript", "a function expression's name is seen inside of it", """
        const use = function lend() { <|>lend(); };
        function lend(days) {}
        """, "nothing"),
    row("java", "a local variable hides a field", """
        class Book { void turn() {} }
        class Chart { void turn() {} }
        class Shelf { Chart one; void use() { Book one = new Book(); one.<|>turn(); } }
        """, "Book.turn() exact"),
    row("java", "this reaches the field behind a parameter", """
        class Book { void turn() {} }
        class Chart { void turn() {} }
        class Shelf { Chart one; void use(Book one) { this.one.<|>turn(); } }
        """, "Chart.turn() exact"),
    row("java", "methods and variables have names of their own", """
        class Shelf { int lend; void lend() {} void use(int lend) { <|>lend(); } }
        """, "Shelf.lend() exact"),
    row("java", "a parameter of a lambda has its own scope", """
        class Book { void turn() {} }
        interface Visit { void visit(Book book); }
        class Use { Book one; void use() { Visit visit = other -> one.<|>turn(); } }
        """, "Book.turn() exact"),
    row("csharp", "a member of the type is seen as a bare name", """
        class Shelf { void Lend() {} void Use() { <|>Lend(); } }
        """, "Shelf.Lend exact"),
    row("csharp", "a local function comes before a method of the type", """
        class Shelf { void Lend() {} void Use() { void Lend() {} <|>Lend(); } }
        """, "Shelf.Use.Lend exact"),
    row("go", "a local variable hides a function of the package", """
        package shop
        func lend() {}
        func use() { lend := 3; _ = <|>lend }
        """, "nothing"),
    row("go", "after the block the outer name is meant again", """
        package shop
        func lend() {}
        func use() { { lend := 3; _ = lend }; <|>lend() }
        """, "lend exact"),
    row("rust", "a nested function hides one of the module", """
        fn lend() {}
        fn using() { fn lend() {} <|>lend(); }
        """, "using::lend exact"),
    row("rust", "items of an outer module are not seen in an inner one", """
        fn lend() {}
        mod inner { fn using() { <|>lend(); } }
        """, "nothing"),
    row("rust", "super names the outer module", """
        fn lend() {}
        mod inner { fn using() { super::<|>lend(); } }
        """, "lend exact"),
    row("cpp", "a function of the namespace hides one outside of it", """
        void lend();
        namespace shop { void lend(); void use() { <|>lend(); } }
        """, "shop::lend exact"),
    row("cpp", ":: begins at the global namespace", """
        void lend();
        namespace shop { void lend(); void use() { ::<|>lend(); } }
        """, "main.cc:lend exact"),
    row("cpp", "a member function hides a function outside of the class", """
        void lend();
        struct Shelf { void lend(int days); void use() { <|>lend(3); } };
        """, "Shelf::lend exact"),
    row("cpp", "a definition outside of the class has its members in scope", """
        struct Shelf { void lend(); void use(); };
        void Shelf::use() { <|>lend(); }
        """, "Shelf::lend exact"),
    row("cpp", "a local variable hides a function", """
        void lend();
        void use() { int lend = 3; int other = <|>lend; }
        """, "nothing"),
    row("kotlin", "a member of the class is seen as a bare name", """
        fun lend() {}
        class Shelf { fun lend() {}
          fun use() { <|>lend() } }
        """, "Shelf.lend exact"),
    gap("kotlin", "a soft keyword can be the name of a function", """
        fun open() {}
        fun use() { <|>open() }
        """, "open exact"),
    row("kotlin", "a local function comes before one of the file", """
        fun lend() {}
        fun use() { fun lend() {}
          <|>lend() }
        """, "use.lend exact"),
    row("scala", "a definition of the block hides one of the object", """
        object Shelf {
          def lend(): Unit = ()
          def use(): Unit = { def lend(): Unit = (); <|>lend() }
        }
        """, "Shelf.use.lend exact"),
    row("ruby", "a bare call means a method of self", """
        class Shelf
          def lend; end
          def use
            <|>lend
          end
        end
        """, "Shelf.lend exact"),
    row("ruby", "a local variable hides a method of its name", """
        class Shelf
          def lend; end
          def use
            lend = 3
            <|>lend
          end
        end
        """, "nothing"),
    row("ruby", "a constant is looked up in the enclosing modules first", """
        SIZE = 1
        module Shop
          SIZE = 2
          class Shelf
            def use
              <|>SIZE
            end
          end
        end
        """, "Shop.SIZE exact"),
    row("php", "a function does not see methods as bare names", """
        <?php
        function lend() {}
        class Box { function lend() {} function using() { <|>lend(); } }
        """, "lend() exact"),
    row("php", "a function of the namespace comes before a global one", """
        <?php
        namespace Shop;
        function lend() {}
        function using() { <|>lend(); }
        """, "lend exact"),
    row("swift", "a nested function comes before one of the file", """
        func lend() {}
        func use() { func lend() {}
          <|>lend() }
        """, "use.lend exact"),
    row("lua", "a local function hides a global one", """
        function lend() end
        local function use()
          local function lend() end
          <|>lend()
        end
        """, "use.lend exact"),
    gap("lua", "a local function is seen after its declaration only", """
        function lend() end
        local function use()
          <|>lend()
        end
        local function lend(days) end
        """, "lend() exact"),
    row("lua", "a parameter hides a global function", """
        function lend() end
        local function use(lend)
          <|>lend()
        end
        """, "nothing"),
    row("bash", "a function is called by its bare name", """
        lend() { :; }
        <|>lend
        """, "lend exact"),
    row("c", "a function is seen after its declaration", """
        void lend(void);
        void use(void) { <|>lend(); }
        """, "lend exact"),
    row("c", "a parameter hides a function", """
        void lend(void);
        void use(int lend) { int other = <|>lend; }
        """, "nothing"),
    row("c", "static functions of one name belong to their files", """
        === shelf.c
        static void lend(void) {}
        === rack.c
        static void lend(void) {}
        void use(void) { <|>lend(); }
        """, "rack.c:lend exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, SHADOWING)
def test_a_bare_name_means_the_innermost_declaration(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# Names that need no import: of the same package, namespace, module or program.
SAME_PACKAGE = [
    row("java", "classes of one package see each other", """
        === shop/Shelf.java
        package shop;
        class Shelf { static void lend() {} }
        === shop/User.java
        package shop;
        class User { void use() { Shelf.<|>lend(); } }
        """, "shop.Shelf.lend() exact"),
    row("java", "a class of another package is not seen without an import", """
        === shop/Shelf.java
        package shop;
        public class Shelf { public static void lend() {} }
        === web/User.java
        package web;
        class User { void use() { Shelf.<|>lend(); } }
        """, "nothing"),
    row("java", "a qualified name needs no import", """
        === shop/Shelf.java
        package shop;
        public class Shelf { public static void lend() {} }
        === web/User.java
        package web;
        class User { void use() { shop.Shelf.<|>lend(); } }
        """, "shop.Shelf.lend() exact"),
    row("go", "files of one package see each other", """
        === go.mod
        module shop
        === a.go
        package shop
        func lend() {}
        === b.go
        package shop
        func use() { <|>lend() }
        """, "a.go:lend exact"),
    row("go", "the package of another directory is not seen without an import", """
        === go.mod
        module shop
        === other/a.go
        package other
        func Lend() {}
        === b.go
        package shop
        func use() { <|>Lend() }
        """, "nothing"),
    row("kotlin", "files of one package see each other", """
        === a.kt
        package shop
        fun lend() {}
        === b.kt
        package shop
        fun use() { <|>lend() }
        """, "a.kt:shop.lend exact"),
    row("csharp", "an inner namespace sees the types of the outer one", """
        === Shelf.cs
        namespace Shop { public class Shelf { public static void Lend() {} } }
        === User.cs
        namespace Shop.Web { class User { void Run() { Shelf.<|>Lend(); } } }
        """, "Shop.Shelf.Lend exact"),
    row("csharp", "an outer namespace does not see the types of an inner one", """
        === Shelf.cs
        namespace Shop.Web { public class Shelf { public static void Lend() {} } }
        === User.cs
        namespace Shop { class User { void Run() { Shelf.<|>Lend(); } } }
        """, "nothing"),
    row("scala", "an inner package clause sees the outer package", """
        === Shelf.scala
        package shop
        object Shelf { def lend(): Unit = () }
        === User.scala
        package shop
        package web
        object User { def use(): Unit = Shelf.<|>lend() }
        """, "shop.Shelf.lend exact"),
    row("php", "classes of one namespace see each other", """
        === Shelf.php
        <?php
        namespace Shop;
        class Shelf { static function lend() {} }
        === user.php
        <?php
        namespace Shop;
        Shelf::<|>lend();
        """, "Shelf.lend exact"),
    row("php", "a class of another namespace is not seen without use", """
        === Shelf.php
        <?php
        namespace Shop;
        class Shelf { static function lend() {} }
        === user.php
        <?php
        namespace Web;
        Shelf::<|>lend();
        """, "nothing"),
    row("swift", "files of one module see each other", """
        === a.swift
        func lend() {}
        === b.swift
        func use() { <|>lend() }
        """, "a.swift:lend exact"),
    row("python", "a module does not see another one without an import", """
        === shelf.py
        def lend(): ...
        === user.py
        <|>lend()
        """, "nothing"),
    row("typescript", "a module does not see another one without an import", """
        === shelf.ts
        export function lend() {}
        === user.ts
        export const size = 1;
        <|>lend();
        """, "nothing"),
    gap("typescript", "scripts without imports and exports share their declarations", """
        === shelf.ts
        function lend() {}
        === user.ts
        <|>lend();
        """, "shelf.lend"),
    row("cpp", "a function of a file that is not included is not seen", """
        === shelf.h
        void lend();
        === user.cpp
        void use() { <|>lend(); }
        """, "nothing"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, SAME_PACKAGE)
def test_what_a_file_sees_without_an_import_is_its_packages(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)
