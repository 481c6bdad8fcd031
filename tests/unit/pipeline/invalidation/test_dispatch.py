"""Invalidation of overriding and construction: the files with members that override, and with calls of types, that an
edit of a base concerns.

Each row lists all other files that the edit concerns by the rules of its language. After the edit nothing may be stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.harness.small_index import Change, added, assert_affects, deleted, edit, replaced

COLUMNS = ("files", "change", "affected")

PYTHON = """
    === top.py
    class Top:
        def keep(self):
            return 0
    === shelf.py
    from top import Top
    class Shelf:
        def lend(self):
            return 1
    === heir.py
    from shelf import Shelf
    class Case(Shelf):
        def lend(self):
            return 2
        def keep(self):
            return 3
    === maker.py
    from heir import Case
    def make():
        return Case()
    === other.py
    class Other:
        def lend(self):
            return 4
    """

TYPESCRIPT = """
    === shelf.ts
    export class Shelf { lend() { return 1; } }
    === heir.ts
    import { Shelf } from "./shelf";
    export class Case extends Shelf { lend() { return 2; } keep() { return 3; } }
    === maker.ts
    import { Case } from "./heir";
    export const one = new Case();
    === other.ts
    export class Other { lend() { return 4; } }
    """

JAVA = """
    === shop/Shelf.java
    package shop;
    public class Shelf { public void lend(int days) {} }
    === shop/Case.java
    package shop;
    class Case extends Shelf { public void lend(int days) {} public void keep(String name) {} }
    === shop/Maker.java
    package shop;
    class Maker { Object make() { return new Case(); } }
    === shop/Other.java
    package shop;
    class Other { void lend(int days) {} }
    """

CSHARP = """
    === Shelf.cs
    namespace Shop;
    public class Shelf { public virtual void Lend(int days) {} }
    === Case.cs
    namespace Shop;
    class Case : Shelf { public override void Lend(int days) {} public void Keep(string name) {} }
    === Maker.cs
    namespace Shop;
    class Maker { object Make() { return new Case(); } }
    === Other.cs
    namespace Shop;
    class Other { void Lend(int days) {} }
    """

CPP = """
    === shelf.h
    #pragma once
    struct Shelf { virtual void lend(int days) {} };
    === case.h
    #pragma once
    #include "shelf.h"
    struct Case : Shelf { void lend(int days); void keep(); };
    === case.cpp
    #include "case.h"
    void Case::lend(int days) {}
    === maker.cpp
    #include "case.h"
    Case* make() { return new Case(); }
    === other.cpp
    struct Other { void lend(int days) {} };
    """

KOTLIN = """
    === Shelf.kt
    package shop
    open class Shelf { open fun lend(days: Int) {} }
    === Case.kt
    package shop
    class Case : Shelf() { override fun lend(days: Int) {} }
    === Maker.kt
    package shop
    fun make() = Case()
    """

SWIFT = """
    === Shelf.swift
    class Shelf { func lend(days: Int) {} }
    === Case.swift
    class Case: Shelf { override func lend(days: Int) {} }
    === Maker.swift
    func make() -> Case { return Case() }
    """

SCALA = """
    === Shelf.scala
    package shop
    trait Shelf { def lend(days: Int): Unit }
    === Case.scala
    package shop
    class Case extends Shelf { def lend(days: Int): Unit = {} }
    """

PHP = """
    === Shelf.php
    <?php
    class Shelf { function lend() {} }
    === Box.php
    <?php
    class Box extends Shelf { function lend() {} }
    === maker.php
    <?php
    function make() { return new Box(); }
    """

RUBY = """
    === shelf.rb
    class Shelf
      def lend
      end
    end
    === heir.rb
    require_relative "shelf"
    class Case < Shelf
      def lend
      end
    end
    === maker.rb
    require_relative "heir"
    Case.new
    """

RUST = """
    === Cargo.toml
    [package]
    name = "shop"
    === src/lib.rs
    pub mod lender;
    pub mod case;
    === src/lender.rs
    pub trait Lender { fn lend(&self); }
    === src/case.rs
    use crate::lender::Lender;
    pub struct Case;
    impl Lender for Case { fn lend(&self) {} }
    """

OVERRIDES = [
    edit("python", "a base gets a member", PYTHON,
        replaced("shelf.py", "return 1", "return 1\n    def keep(self): ..."), "heir.py"),
    edit("python", "a base loses a member", PYTHON, replaced("shelf.py", "def lend", "def give"), "heir.py"),
    edit("python", "a base gets a member that no subclass has", PYTHON,
        replaced("shelf.py", "return 1", "return 1\n    def give(self): ..."), ""),
    edit("python", "a base gets a base of another file", PYTHON,
        replaced("shelf.py", "class Shelf:", "class Shelf(Top):"), "heir.py maker.py"),
    edit("python", "a class between gets the member", """
        === top.py
        class Top:
            def lend(self): ...
        === shelf.py
        from top import Top
        class Shelf(Top): ...
        === heir.py
        from shelf import Shelf
        class Case(Shelf):
            def lend(self): ...
        """, replaced("shelf.py", "...", "\n    def lend(self): ..."), "heir.py"),
    edit("python", "a class gets a base", PYTHON,
        replaced("other.py", "class Other:", "from shelf import Shelf\nclass Other(Shelf):"), ""),
    edit("python", "the file of a base goes", PYTHON, deleted("shelf.py"), "heir.py maker.py"),
    edit("python", "the file of a base comes", """
        === heir.py
        from shelf import Shelf
        class Case(Shelf):
            def lend(self): ...
        """, added("shelf.py", """
        class Shelf:
            def lend(self): ...
        """), "heir.py"),
    edit("typescript", "a base gets a member", TYPESCRIPT,
        replaced("shelf.ts", "lend()", "keep() {} lend()"), "heir.ts"),
    edit("typescript", "a base loses a member", TYPESCRIPT, replaced("shelf.ts", "lend()", "give()"), "heir.ts"),
    edit("typescript", "a member of a base becomes private", TYPESCRIPT,
        replaced("shelf.ts", "lend()", "private lend()"), "heir.ts"),
    edit("java", "a base gets a member", JAVA,
        replaced("shop/Shelf.java", "{}", "{} void keep(String other) {}"), "shop/Case.java"),
    edit("java", "a base loses a member", JAVA, replaced("shop/Shelf.java", "lend", "give"), "shop/Case.java"),
    edit("java", "the type of a parameter changes", JAVA,
        replaced("shop/Shelf.java", "int days", "long days"), "shop/Case.java"),
    edit("java", "a parameter comes", JAVA,
        replaced("shop/Shelf.java", "int days", "int days, int hours"), "shop/Case.java"),
    edit("java", "the name of a parameter changes", JAVA, replaced("shop/Shelf.java", "int days", "int count"),
        "shop/Case.java"),
    edit("java", "a member of a base becomes static", JAVA,
        replaced("shop/Shelf.java", "public void", "public static void"), "shop/Case.java"),
    edit("java", "a member of a base becomes private", JAVA,
        replaced("shop/Shelf.java", "public void", "private void"), "shop/Case.java"),
    edit("csharp", "a base gets a member", CSHARP,
        replaced("Shelf.cs", "{}", "{} public virtual void Keep(string name) {}"), "Case.cs"),
    edit("csharp", "a base loses a member", CSHARP, replaced("Shelf.cs", "Lend", "Give"), "Case.cs"),
    edit("csharp", "the type of a parameter changes", CSHARP, replaced("Shelf.cs", "int days", "long days"), "Case.cs"),
    edit("cpp", "a base gets a member", CPP,
        replaced("shelf.h", "virtual void lend", "virtual void keep(); virtual void lend"), "case.h"),
    edit("cpp", "a member of a base is virtual no more", CPP,
        replaced("shelf.h", "virtual void", "void"), "case.cpp"),
    edit("cpp", "the type of a parameter changes", CPP, replaced("shelf.h", "int days", "long days"), "case.cpp"),
    edit("kotlin", "a base loses a member", KOTLIN, replaced("Shelf.kt", "lend", "give"), "Case.kt"),
    edit("kotlin", "the type of a parameter changes", KOTLIN, replaced("Shelf.kt", "Int", "Long"), "Case.kt"),
    edit("swift", "a base loses a member", SWIFT, replaced("Shelf.swift", "lend", "give"), "Case.swift"),
    edit("swift", "the type of a parameter changes", SWIFT, replaced("Shelf.swift", "Int", "Double"), "Case.swift"),
    edit("scala", "a trait loses a member", SCALA, replaced("Shelf.scala", "lend", "give"), "Case.scala"),
    edit("scala", "the type of a parameter changes", SCALA, replaced("Shelf.scala", "Int", "Long"), "Case.scala"),
    edit("php", "a base loses a member", PHP, replaced("Shelf.php", "lend", "give"), "Box.php"),
    edit("php", "a member of a base becomes private", PHP,
        replaced("Shelf.php", "function", "private function"), "Box.php"),
    edit("ruby", "a base loses a member", RUBY, replaced("shelf.rb", "def lend", "def give"), "heir.rb"),
    edit("rust", "a trait loses a method", RUST, replaced("src/lender.rs", "fn lend", "fn give"), "src/case.rs"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, OVERRIDES)
def test_a_change_of_what_is_overridden_concerns_the_files_that_override_it(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)


# A constructor that has the name of its type concerns all files that mention the name.
CONSTRUCTS = [
    edit("python", "a base gets a constructor", PYTHON,
        replaced("shelf.py", "    def lend", "    def __init__(self): ...\n    def lend"), "maker.py"),
    edit("python", "a class gets a constructor", PYTHON,
        replaced("heir.py", "    def lend", "    def __init__(self): ...\n    def lend"), "maker.py"),
    edit("python", "a base gets a constructor, and a subclass has another name elsewhere", """
        === shelf.py
        class Shelf:
            def lend(self): ...
        === heir.py
        from shelf import Shelf
        class Case(Shelf): ...
        === names.py
        from heir import Case as Box
        === maker.py
        from names import Box
        Box()
        """, replaced("shelf.py", "    def lend", "    def __init__(self): ...\n    def lend"), "maker.py"),
    edit("typescript", "a base gets a constructor that super(...) of another file calls", """
        === shelf.ts
        export class Shelf { lend() {} }
        === board.ts
        import { Shelf } from "./shelf"
        export class Board extends Shelf {}
        === case.ts
        import { Board } from "./board"
        export class Case extends Board { constructor() { super(3) } }
        """, replaced("shelf.ts", "lend() {}", "constructor(size: number) {}"), "case.ts"),
    edit("kotlin", "the header of a base gets a parameter", """
        === Shelf.kt
        package shop
        open class Shelf() { constructor(size: Int) : this() }
        === Case.kt
        package shop
        class Case : Shelf
        === Maker.kt
        package shop
        fun make() = Case()
        """, replaced("Shelf.kt", "Shelf()", "Shelf(name: String)"), "Case.kt Maker.kt"),
    edit("typescript", "a base gets a constructor", TYPESCRIPT,
        replaced("shelf.ts", "lend()", "constructor() {} lend()"), "maker.ts"),
    edit("java", "a base gets a constructor", JAVA,
        replaced("shop/Shelf.java", "public void", "Shelf() {} public void"), "shop/Case.java shop/Maker.java"),
    edit("java", "a class gets a constructor", JAVA,
        replaced("shop/Case.java", "Shelf {", "Shelf { Case() {}"), "shop/Maker.java"),
    edit("csharp", "a base gets a constructor", CSHARP,
        replaced("Shelf.cs", "public virtual", "public Shelf() {} public virtual"), "Case.cs Maker.cs"),
    edit("csharp", "a class gets a constructor", CSHARP,
        replaced("Case.cs", "public override", "public Case() {} public override"), "Maker.cs"),
    edit("cpp", "a base gets a constructor", CPP,
        replaced("shelf.h", "virtual void", "Shelf() {} virtual void"), "case.h maker.cpp"),
    edit("cpp", "a class gets a constructor", CPP,
        replaced("case.h", "void lend", "Case() {} void lend"), "case.cpp maker.cpp"),
    edit("kotlin", "a class gets a constructor", KOTLIN,
        replaced("Case.kt", "override", "constructor() : super(); override"), "Maker.kt"),
    edit("swift", "a base gets an initializer", SWIFT,
        replaced("Shelf.swift", "func lend", "init() {}; func lend"), "Maker.swift"),
    edit("php", "a base gets a constructor", PHP,
        replaced("Shelf.php", "function", "function __construct() {} function"), "maker.php"),
    edit("ruby", "a base gets initialize", RUBY,
        replaced("shelf.rb", "  def lend", "  def initialize\n  end\n  def lend"), "maker.rb"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, CONSTRUCTS)
def test_a_constructor_concerns_the_files_that_call_a_type_which_has_it(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)


OPERATIONS_FILES = """
    === shelf.py
    class Shelf:
        def __enter__(self):
            return self
    def inner(): ...
    def other(): ...
    def maker():
        return inner
    === holder.py
    from shelf import Shelf, maker
    class Holder:
        made = Shelf
    === use.py
    from shelf import Shelf, maker
    from holder import Holder
    def use():
        with Shelf() as shelf:
            len(shelf)
        maker()()
        Holder().made()
    === other.py
    def other():
        return 4
    """

OPERATIONS = [
    edit("python", "a class gets a method that a built-in runs", OPERATIONS_FILES,
        replaced("shelf.py", "return self", "return self\n    def __len__(self): ..."), "use.py"),
    edit("python", "a class loses the method that a statement runs", OPERATIONS_FILES,
        replaced("shelf.py", "def __enter__", "def enter"), "use.py"),
    edit("python", "a class whose name a field holds gets a constructor", OPERATIONS_FILES,
        replaced("shelf.py", "return self", "return self\n    def __init__(self): ..."), "use.py"),
    edit("python", "a field holds another class", OPERATIONS_FILES,
        replaced("holder.py", "made = Shelf", "made = maker"), "use.py"),
    edit("python", "a function returns another function", OPERATIONS_FILES,
        replaced("shelf.py", "return inner", "return other"), "use.py holder.py"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, OPERATIONS)
def test_an_operation_concerns_the_files_with_operands_of_the_type(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)
