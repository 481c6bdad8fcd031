"""Imports and re-exports: the definition that a name leads to through other modules.

Each row states a rule of its language.
"""

from __future__ import annotations

import pytest

from tests.harness.symbol_table import assert_resolves, gap, row

COLUMNS = ("language", "source", "expected")

# An alias is another name of the same definition.
ALIASES = [
    row("python", "import as binds the definition under another name", """
        === shelf.py
        def lend(): ...
        === user.py
        from shelf import lend as give
        <|>give()
        """, "shelf.lend exact"),
    row("python", "an alias of an alias leads to the definition", """
        === shelf.py
        def lend(): ...
        === middle.py
        from shelf import lend as give
        === user.py
        from middle import give as hand
        <|>hand()
        """, "shelf.lend exact"),
    row("python", "a package hands on what its __init__ imports", """
        === shop/__init__.py
        from .shelf import lend
        === shop/shelf.py
        def lend(): ...
        === user.py
        from shop import lend
        <|>lend()
        """, "shop.shelf.lend exact"),
    row("python", "an assignment makes an alias of a function", """
        === shelf.py
        def lend(): ...
        give = lend
        === user.py
        from shelf import give
        <|>give()
        """, "shelf.give exact"),
    row("python", "import of a module names its members by the module", """
        === shop/__init__.py
        === shop/shelf.py
        def lend(): ...
        === user.py
        import shop.shelf as s
        s.<|>lend()
        """, "shop.shelf.lend exact"),
    row("python", "a submodule comes with a from import of its package", """
        === shop/__init__.py
        === shop/shelf.py
        def lend(): ...
        === user.py
        from shop import shelf
        shelf.<|>lend()
        """, "shop.shelf.lend exact"),
    row("python", "an import in a try block and its replacement both bind the name", """
        === shelf.py
        def lend(): ...
        === user.py
        try:
            from shelf import lend
        except ImportError:
            lend = None
        <|>lend()
        """, "shelf.lend"),
    row("python", "a relative import begins at the package of the file", """
        === shop/__init__.py
        === shop/shelf.py
        def lend(): ...
        === shop/sub/__init__.py
        === shop/sub/user.py
        from ..shelf import lend
        <|>lend()
        """, "shop.shelf.lend exact"),
    row("typescript", "export from hands a definition on", """
        === shelf.ts
        export function lend() {}
        === index.ts
        export { lend } from "./shelf";
        === user.ts
        import { lend } from "./index";
        <|>lend();
        """, "shelf.lend exact"),
    row("typescript", "export as hands it on under another name", """
        === shelf.ts
        export function lend() {}
        === index.ts
        export { lend as give } from "./shelf";
        === user.ts
        import { give } from "./index";
        <|>give();
        """, "shelf.lend exact"),
    row("typescript", "an import that is exported again hands it on", """
        === shelf.ts
        export function lend() {}
        === index.ts
        import { lend } from "./shelf";
        export { lend };
        === user.ts
        import { lend } from "./index";
        <|>lend();
        """, "shelf.lend exact"),
    row("typescript", "a default import binds the default export", """
        === shelf.ts
        export default class Shelf { lend() {} }
        === user.ts
        import Rack from "./shelf";
        new Rack().<|>lend();
        """, "Shelf.lend exact"),
    row("typescript", "default can be exported again under a name", """
        === shelf.ts
        export default class Shelf { lend() {} }
        === index.ts
        export { default as Rack } from "./shelf";
        === user.ts
        import { Rack } from "./index";
        new Rack().<|>lend();
        """, "Shelf.lend exact"),
    row("typescript", "a name can be exported again as default", """
        === shelf.ts
        export class Shelf { lend() {} }
        === index.ts
        export { Shelf as default } from "./shelf";
        === user.ts
        import Rack from "./index";
        new Rack().<|>lend();
        """, "Shelf.lend exact"),
    row("typescript", "a namespace import names exports by the namespace", """
        === shelf.ts
        export function lend() {}
        === user.ts
        import * as shelves from "./shelf";
        shelves.<|>lend();
        """, "shelf.lend exact"),
    row("typescript", "export * as makes a namespace of a module", """
        === shelf.ts
        export function lend() {}
        === index.ts
        export * as shelves from "./shelf";
        === user.ts
        import { shelves } from "./index";
        shelves.<|>lend();
        """, "shelf.lend exact"),
    row("typescript", "a directory means its index", """
        === shop/index.ts
        export function lend() {}
        === user.ts
        import { lend } from "./shop";
        <|>lend();
        """, "lend exact"),
    row("typescript", "the extension .js names the source .ts", """
        === shelf.ts
        export function lend() {}
        === user.ts
        import { lend } from "./shelf.js";
        <|>lend();
        """, "shelf.lend exact"),
    row("typescript", "a type-only export hands a type on", """
        === shelf.ts
        export interface Shelf { lend(): void }
        === index.ts
        export type { Shelf } from "./shelf";
        === user.ts
        import type { Shelf } from "./index";
        function use(one: Shelf) { one.<|>lend(); }
        """, "Shelf.lend exact"),
    row("javascript", "require binds what module.exports is", """
        === shelf.js
        function lend() {}
        module.exports = { lend };
        === user.js
        const { lend } = require("./shelf");
        <|>lend();
        """, "shelf.lend exact"),
    row("javascript", "module.exports of another module hands it on", """
        === shelf.js
        exports.lend = function () {};
        === index.js
        module.exports = require("./shelf");
        === user.js
        const shelf = require("./index");
        shelf.<|>lend();
        """, "shelf.lend"),
    row("rust", "pub use hands a definition on", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        mod shelf;
        mod user;
        pub use shelf::lend;
        === src/shelf.rs
        pub fn lend() {}
        === src/user.rs
        fn using() { crate::<|>lend(); }
        """, "shop::shelf::lend exact"),
    row("rust", "use as binds another name", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        mod shelf;
        mod user;
        === src/shelf.rs
        pub fn lend() {}
        === src/user.rs
        use crate::shelf::lend as give;
        fn using() { <|>give(); }
        """, "shop::shelf::lend exact"),
    row("rust", "use is private without pub, and is seen by inner modules", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        mod shelf;
        use shelf::lend;
        mod user { fn using() { super::<|>lend(); } }
        === src/shelf.rs
        pub fn lend() {}
        """, "shop::shelf::lend exact"),
    row("csharp", "a using alias is another name of a type", """
        === Shelf.cs
        namespace Shop { public class Shelf { public void Lend() {} } }
        === User.cs
        using Rack = Shop.Shelf;
        class User { void Run(Rack one) { one.<|>Lend(); } }
        """, "Shop.Shelf.Lend exact"),
    row("kotlin", "import as binds another name", """
        === Shelf.kt
        package shop
        fun lend() {}
        === User.kt
        package web
        import shop.lend as give
        fun use() { <|>give() }
        """, "shop.lend exact"),
    row("scala", "a renaming import binds another name", """
        === Shelf.scala
        package shop
        class Shelf { def lend(): Unit = () }
        === User.scala
        package web
        import shop.{Shelf => Rack}
        object User { def use(one: Rack): Unit = one.<|>lend() }
        """, "shop.Shelf.lend exact"),
    row("java", "a static import binds the members that it names", """
        === shop/Shelf.java
        package shop;
        public class Shelf { public static void lend() {} }
        === web/User.java
        package web;
        import static shop.Shelf.lend;
        class User { void use() { <|>lend(); } }
        """, "Shelf.lend() exact"),
    row("php", "use as binds another name", """
        === Shelf.php
        <?php
        namespace Shop;
        class Shelf { function lend() {} }
        === user.php
        <?php
        namespace Web;
        use Shop\\Shelf as Rack;
        function using(Rack $one) { $one-><|>lend(); }
        """, "Shelf.lend exact"),
    row("go", "an import may have another name", """
        === go.mod
        module shop
        === shelf/shelf.go
        package shelf
        func Lend() {}
        === user.go
        package main
        import rack "shop/shelf"
        func use() { rack.<|>Lend() }
        """, "Lend exact"),
    row("cpp", "a using declaration brings a name into the scope", """
        namespace shop { void lend() {} }
        using shop::lend;
        void use() { <|>lend(); }
        """, "shop::lend exact"),
    row("cpp", "a namespace alias is another name of the namespace", """
        namespace shop { namespace deep { void lend() {} } }
        namespace sd = shop::deep;
        void use() { sd::<|>lend(); }
        """, "shop::deep::lend exact"),
    row("cpp", "a type alias is another name of the type", """
        struct Shelf { void lend() {} };
        using Rack = Shelf;
        void use(Rack one) { one.<|>lend(); }
        """, "Shelf::lend exact"),
    row("go", "a type alias is another name of the type", """
        package shop
        type Shelf struct{}
        func (s Shelf) Lend() {}
        type Rack = Shelf
        func use(one Rack) { one.<|>Lend() }
        """, "Shelf.Lend exact"),
    row("typescript", "a type alias is another name of the type", """
        class Shelf { lend() {} }
        type Rack = Shelf;
        function use(one: Rack) { one.<|>lend(); }
        """, "Shelf.lend exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, ALIASES)
def test_an_alias_leads_to_the_definition(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# An import of everything binds what the module offers, after the names that are bound one by one.
WILDCARDS = [
    row("python", "a star import binds the public names of the module", """
        === shelf.py
        def lend(): ...
        === user.py
        from shelf import *
        <|>lend()
        """, "shelf.lend exact"),
    row("python", "star imports hand names on through several modules", """
        === shelf.py
        def lend(): ...
        === middle.py
        from shelf import *
        === outer.py
        from middle import *
        === user.py
        from outer import lend
        <|>lend()
        """, "shelf.lend exact"),
    row("python", "a name with an underscore does not come with a star import", """
        === shelf.py
        def _lend(): ...
        === user.py
        from shelf import *
        <|>_lend()
        """, "nothing"),
    gap("python", "__all__ says what a star import binds", """
        === shelf.py
        __all__ = ["open"]
        def open(): ...
        def lend(): ...
        === user.py
        from shelf import *
        <|>lend()
        """, "nothing"),
    gap("python", "of two star imports the later one binds the name", """
        === shelf.py
        def lend(): ...
        === rack.py
        def lend(): ...
        === user.py
        from shelf import *
        from rack import *
        <|>lend()
        """, "rack.lend"),
    row("python", "a later definition of the file replaces an imported name", """
        === shelf.py
        def lend(): ...
        === user.py
        from shelf import *
        def lend(): ...
        <|>lend()
        """, "user.lend"),
    row("typescript", "a star export hands on all names", """
        === shelf.ts
        export function lend() {}
        === index.ts
        export * from "./shelf";
        === user.ts
        import { lend } from "./index";
        <|>lend();
        """, "shelf.lend exact"),
    row("typescript", "a star export does not hand on default", """
        === shelf.ts
        export default function lend() {}
        === index.ts
        export * from "./shelf";
        === user.ts
        import give from "./index";
        <|>give();
        """, "nothing"),
    row("typescript", "an own export comes before one of a star export", """
        === shelf.ts
        export function lend() {}
        === index.ts
        export * from "./shelf";
        export function lend() {}
        === user.ts
        import { lend } from "./index";
        <|>lend();
        """, "index.lend exact"),
    row("typescript", "a named export comes before one of a star export", """
        === shelf.ts
        export function lend() {}
        === rack.ts
        export function lend() {}
        === index.ts
        export * from "./shelf";
        export { lend } from "./rack";
        === user.ts
        import { lend } from "./index";
        <|>lend();
        """, "rack.lend exact"),
    gap("typescript", "a name that two star exports offer is exported by neither", """
        === shelf.ts
        export function lend() {}
        === rack.ts
        export function lend() {}
        === index.ts
        export * from "./shelf";
        export * from "./rack";
        === user.ts
        import { lend } from "./index";
        <|>lend();
        """, "nothing"),
    row("java", "an import on demand comes after a class of the package", """
        === a/Shelf.java
        package a;
        public class Shelf { public void lend() {} }
        === b/Shelf.java
        package b;
        public class Shelf { public void lend() {} }
        === b/User.java
        package b;
        import a.*;
        class User { void use(Shelf one) { one.<|>lend(); } }
        """, "b.Shelf.lend() exact"),
    row("java", "a single-type import comes before a class of the package", """
        === a/Shelf.java
        package a;
        public class Shelf { public void lend() {} }
        === b/Shelf.java
        package b;
        public class Shelf { public void lend() {} }
        === b/User.java
        package b;
        import a.Shelf;
        class User { void use(Shelf one) { one.<|>lend(); } }
        """, "a.Shelf.lend() exact"),
    row("kotlin", "a star import binds the functions of the package", """
        === Shelf.kt
        package shop
        fun lend() {}
        === User.kt
        package web
        import shop.*
        fun use() { <|>lend() }
        """, "shop.lend exact"),
    row("rust", "a glob import comes after a definition of the module", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        mod shelf;
        use shelf::*;
        fn lend() {}
        fn using() { <|>lend(); }
        === src/shelf.rs
        pub fn lend() {}
        """, "src/lib.rs:shop::lend exact"),
    row("rust", "pub use of a glob hands on what the module has", """
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
        fn using() { crate::<|>lend(); }
        """, "shop::shelf::lend exact"),
    row("csharp", "a using directive binds the types of the namespace", """
        === Shelf.cs
        namespace Shop { public class Shelf { public void Lend() {} } }
        === User.cs
        using Shop;
        namespace Web { class User { void Run(Shelf one) { one.<|>Lend(); } } }
        """, "Shop.Shelf.Lend exact"),
    row("csharp", "a type of the enclosing namespace comes before one of a using directive", """
        === Shelf.cs
        namespace Shop { public class Shelf { public void Lend() {} } }
        === Rack.cs
        namespace Web { public class Shelf { public void Lend() {} } }
        === User.cs
        using Shop;
        namespace Web { class User { void Run(Shelf one) { one.<|>Lend(); } } }
        """, "Web.Shelf.Lend exact"),
    row("csharp", "global using holds for all files", """
        === Usings.cs
        global using Shop;
        === Shelf.cs
        namespace Shop { public class Shelf { public void Lend() {} } }
        === User.cs
        namespace Web { class User { void Run(Shelf one) { one.<|>Lend(); } } }
        """, "Shop.Shelf.Lend exact"),
    row("csharp", "using static binds the static members of a type", """
        === Shelf.cs
        namespace Shop { public static class Shelf { public static void Lend() {} } }
        === User.cs
        using static Shop.Shelf;
        class User { void Run() { <|>Lend(); } }
        """, "Shop.Shelf.Lend exact"),
    row("cpp", "a using directive makes the names of the namespace visible", """
        namespace shop { void lend() {} }
        using namespace shop;
        void use() { <|>lend(); }
        """, "shop::lend exact"),
    gap("cpp", "argument-dependent lookup finds functions of the argument's namespace", """
        namespace shop { struct Shelf {}; void lend(Shelf one) {} }
        void use(shop::Shelf one) { <|>lend(one); }
        """, "shop::lend"),
    row("cpp", "a header hands on what it includes", """
        === shelf.h
        void lend();
        === all.h
        #include "shelf.h"
        === user.cpp
        #include "all.h"
        void use() { <|>lend(); }
        """, "lend"),
    row("go", "a dot import binds the exported names of the package", """
        === go.mod
        module shop
        === shelf/shelf.go
        package shelf
        func Lend() {}
        === user.go
        package main
        import . "shop/shelf"
        func use() { <|>Lend() }
        """, "Lend exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, WILDCARDS)
def test_an_import_of_everything_binds_what_the_module_offers(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# Modules may import each other; a name that only leads around in a circle leads nowhere.
CYCLES = [
    row("python", "modules that import each other see each other's definitions", """
        === left.py
        from right import read
        def lend(): <|>read()
        === right.py
        from left import lend
        def read(): lend()
        """, "right.read exact"),
    row("python", "a name that two modules import from each other is defined nowhere", """
        === left.py
        from right import lend
        === right.py
        from left import lend
        === user.py
        from left import lend
        <|>lend()
        """, "nothing"),
    row("python", "star imports in a circle hand on the definition of one of them", """
        === left.py
        from right import *
        === right.py
        from left import *
        def lend(): ...
        === user.py
        from left import lend
        <|>lend()
        """, "right.lend exact"),
    row("typescript", "star exports in a circle hand on the definition of one of them", """
        === left.ts
        export * from "./right";
        === right.ts
        export * from "./left";
        export function lend() {}
        === user.ts
        import { lend } from "./left";
        <|>lend();
        """, "right.lend exact"),
    row("typescript", "a name that two modules export from each other is defined nowhere", """
        === left.ts
        export { lend } from "./right";
        === right.ts
        export { lend } from "./left";
        === user.ts
        import { lend } from "./left";
        <|>lend();
        """, "nothing"),
    row("typescript", "a module that exports itself keeps its own definitions", """
        === left.ts
        export * from "./left";
        export function lend() {}
        === user.ts
        import { lend } from "./left";
        <|>lend();
        """, "left.lend exact"),
    row("rust", "globs in a circle hand on the definition of one of them", """
        === Cargo.toml
        [package]
        name = "shop"
        === src/lib.rs
        mod left;
        mod right;
        fn using() { left::<|>lend(); }
        === src/left.rs
        pub use crate::right::*;
        === src/right.rs
        pub use crate::left::*;
        pub fn lend() {}
        """, "shop::right::lend exact"),
    row("cpp", "headers that include each other see each other's names", """
        === left.h
        #pragma once
        #include "right.h"
        void lend();
        === right.h
        #pragma once
        #include "left.h"
        === user.cpp
        #include "right.h"
        void use() { <|>lend(); }
        """, "lend"),
    row("typescript", "a type alias of itself has no members", """
        type Shelf = Shelf;
        function use(one: Shelf) { one.<|>lend(); }
        """, "nothing"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, CYCLES)
def test_cycles_of_imports_end(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)
