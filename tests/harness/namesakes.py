"""By language: two types with a member of one name, who asks each for it, who asks something unknown, and who gets one of them from somewhere else."""

from __future__ import annotations

from typing import Final

NAMESAKES: Final[dict[str, dict[str, str]]] = {
    "python": {
        "shelf.py": "class Shelf:\n    def lend(self):\n        pass\n", "book.py": "class Book:\n    def lend(self):\n        pass\n",
        "of_shelf.py": "from shelf import Shelf\n\ndef use(one: Shelf):\n    one.lend()\n",
        "of_book.py": "from book import Book\n\ndef use(one: Book):\n    one.lend()\n\ndef give():\n    return Book()\n",
        "of_heir.py": "from shelf import Shelf\n\nclass Case(Shelf):\n    def use(self):\n        self.lend()\n",
        "unknown.py": "def use(one):\n    one.lend()\n", "through.py": "from of_book import give\n\ngive().lend()\n",
    },
    "typescript": {
        "shelf.ts": "export class Shelf {\n  lend() {}\n}\n", "book.ts": "export class Book {\n  lend() {}\n}\n",
        "of_shelf.ts": 'import { Shelf } from "./shelf";\nexport function use(one: Shelf) { one.lend(); }\n',
        "of_book.ts": 'import { Book } from "./book";\nexport function use(one: Book) { one.lend(); }\nexport function give() { return new Book(); }\n',
        "of_heir.ts": 'import { Shelf } from "./shelf";\nclass Case extends Shelf {\n  use() { this.lend(); }\n}\n',
        "unknown.ts": "export function use(one: any) { one.lend(); }\n", "through.ts": 'import { give } from "./of_book";\ngive().lend();\n',
        "visit.ts": 'import { Shelf } from "./shelf";\nexport type Visit = (one: Shelf) => void;\n',
        "visitor.ts": 'import { Visit } from "./visit";\nexport interface Visitor { (visit: Visit): void }\nexport declare const each: Visitor;\n',
        "handed.ts": 'import { each } from "./visitor";\neach(one => one.lend());\n',
        "options.ts": 'import { Visit } from "./visit";\nexport interface Options { visit: Visit }\n',
        "typed.ts": 'import { Options } from "./options";\nexport const options: Options = { visit: one => one.lend() };\n',
    },
    "go": {
        "go.mod": "module shop\n", "shelf.go": "package shop\n\ntype Shelf struct{}\n\nfunc (s Shelf) lend() {}\n",
        "book.go": "package shop\n\ntype Book struct{}\n\nfunc (b Book) lend() {}\n",
        "of_shelf.go": "package shop\n\nfunc useShelf(one Shelf) { one.lend() }\n",
        "of_book.go": "package shop\n\nfunc useBook(one Book) { one.lend() }\n\nfunc give() Book { return Book{} }\n",
        "of_heir.go": "package shop\n\ntype Case struct{ Shelf }\n\nfunc useCase(one Case) { one.lend() }\n",
        "unknown.go": "package shop\n\nfunc use() { elsewhere().lend() }\n", "through.go": "package shop\n\nfunc taken() { give().lend() }\n",
    },
    "java": {
        "shop/Shelf.java": "package shop;\nclass Shelf { void lend() {} }\n", "shop/Book.java": "package shop;\nclass Book { void lend() {} }\n",
        "shop/of_shelf.java": "package shop;\nclass OfShelf { void use(Shelf one) { one.lend(); } }\n",
        "shop/of_book.java": "package shop;\nclass OfBook { void use(Book one) { one.lend(); } static Book give() { return null; } }\n",
        "shop/of_heir.java": "package shop;\nclass Case extends Shelf { void use() { lend(); } }\n",
        "shop/unknown.java": "package shop;\nclass Unknown { void use() { elsewhere().lend(); } }\n",
        "shop/through.java": "package shop;\nclass Through { void use() { OfBook.give().lend(); } }\n",
    },
    "php": {
        "Shelf.php": "<?php\nclass Shelf { function lend() {} }\n", "Book.php": "<?php\nclass Book { function lend() {} }\n",
        "of_shelf.php": "<?php\nfunction use_shelf(Shelf $one) { $one->lend(); }\n",
        "of_book.php": "<?php\nfunction use_book(Book $one) { $one->lend(); }\nfunction give(): Book { return new Book(); }\n",
        "of_heir.php": "<?php\nclass Box extends Shelf { function use() { $this->lend(); } }\n",
        "unknown.php": "<?php\nfunction use_it($one) { $one->lend(); }\n", "through.php": "<?php\ngive()->lend();\n",
    },
    "rust": {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "pub mod shelf;\npub mod book;\npub mod of_shelf;\npub mod of_book;\npub mod unknown;\npub mod through;\n",
        "src/shelf.rs": "pub struct Shelf;\nimpl Shelf {\n    pub fn lend(&self) {}\n}\n",
        "src/book.rs": "pub struct Book;\nimpl Book {\n    pub fn lend(&self) {}\n}\n",
        "src/of_shelf.rs": "use crate::shelf::Shelf;\npub fn using(one: Shelf) { one.lend(); }\n",
        "src/of_book.rs": "use crate::book::Book;\npub fn using(one: Book) { one.lend(); }\npub fn give() -> Book { Book }\n",
        "src/unknown.rs": "pub fn using() { elsewhere().lend(); }\n", "src/through.rs": "use crate::of_book::give;\npub fn taken() { give().lend(); }\n",
    },
    "csharp": {
        "Shelf.cs": "namespace Shop;\nclass Shelf { public void lend() {} }\n", "Book.cs": "namespace Shop;\nclass Book { public void lend() {} }\n",
        "of_shelf.cs": "namespace Shop;\nclass OfShelf { void Use(Shelf one) { one.lend(); } }\n",
        "of_book.cs": "namespace Shop;\nclass OfBook { void Use(Book one) { one.lend(); } public static Book Give() { return null; } }\n",
        "of_heir.cs": "namespace Shop;\nclass Box : Shelf { void Use() { lend(); } }\n",
        "unknown.cs": "namespace Shop;\nclass Unknown { void Use() { elsewhere().lend(); } }\n",
        "through.cs": "namespace Shop;\nclass Through { void Use() { OfBook.Give().lend(); } }\n",
    },
    "cpp": {
        "shelf.hpp": "#pragma once\nclass Shelf {\n public:\n  void lend();\n};\n", "book.hpp": "#pragma once\nclass Book {\n public:\n  void lend();\n};\n",
        "of_shelf.cpp": '#include "shelf.hpp"\nvoid useShelf(Shelf one) { one.lend(); }\n',
        "of_book.hpp": '#pragma once\n#include "book.hpp"\ninline void useBook(Book one) { one.lend(); }\nBook give();\n',
        "of_heir.cpp": '#include "shelf.hpp"\nclass Box : Shelf {\n  void use() { lend(); }\n};\n',
        "unknown.cpp": "void use() { elsewhere().lend(); }\n", "through.cpp": '#include "of_book.hpp"\nvoid taken() { give().lend(); }\n',
    },
    "kotlin": {
        "Shelf.kt": "package shop\nopen class Shelf { fun lend() {} }\n", "Book.kt": "package shop\nclass Book { fun lend() {} }\n",
        "of_shelf.kt": "package shop\nfun useShelf(one: Shelf) { one.lend() }\n",
        "of_book.kt": "package shop\nfun useBook(one: Book) { one.lend() }\nfun give(): Book = Book()\n",
        "of_heir.kt": "package shop\nclass Box : Shelf() { fun use() { lend() } }\n",
        "unknown.kt": "package shop\nfun use() { elsewhere().lend() }\n", "through.kt": "package shop\nfun taken() { give().lend() }\n",
    },
    "scala": {
        "Shelf.scala": "package shop\nclass Shelf { def lend() = {} }\n", "Book.scala": "package shop\nclass Book { def lend() = {} }\n",
        "of_shelf.scala": "package shop\nclass OfShelf { def use(one: Shelf) = { one.lend() } }\n",
        "of_book.scala": "package shop\nobject OfBook { def use(one: Book) = { one.lend() }\n  def give(): Book = new Book() }\n",
        "of_heir.scala": "package shop\nclass Box extends Shelf { def use() = { lend() } }\n",
        "unknown.scala": "package shop\nclass Unknown { def use(): Unit = { elsewhere().lend() } }\n",
        "through.scala": "package shop\nclass Through { def taken() = { OfBook.give().lend() } }\n",
    },
    "swift": {
        "Shelf.swift": "class Shelf { func lend() {} }\n", "Book.swift": "class Book { func lend() {} }\n",
        "of_shelf.swift": "func useShelf(one: Shelf) { one.lend() }\n",
        "of_book.swift": "func useBook(one: Book) { one.lend() }\nfunc give() -> Book { return Book() }\n",
        "of_heir.swift": "class Box: Shelf { func use() { lend() } }\n",
        "unknown.swift": "func use() { elsewhere().lend() }\n", "through.swift": "func taken() { give().lend() }\n",
    },
    "ruby": {
        "shelf.rb": "class Shelf\n  def lend\n  end\nend\n", "book.rb": "class Book\n  def lend\n  end\nend\n",
        "of_shelf.rb": "def use_shelf\n  Shelf.new.lend\nend\n",
        "of_book.rb": "class OfBook\n  def self.use\n    Book.new.lend\n  end\n\n  def self.give\n    Book.new\n  end\nend\n",
        "of_heir.rb": "class Box < Shelf\n  def use\n    lend\n  end\nend\n",
        "unknown.rb": "def use(one)\n  one.lend\nend\n", "through.rb": "def taken\n  OfBook.give.lend\nend\n",
    },
}  # fmt: skip
