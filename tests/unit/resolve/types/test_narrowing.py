"""Type narrowing: the type of a variable after a test of it. Each row states a rule of its language or type checker."""

from __future__ import annotations

import pytest

from tests.harness.symbol_table import assert_resolves, gap, row

COLUMNS = ("language", "source", "expected")

# A test of a variable's type holds in the branch that it guards.
TYPE_TESTS = [
    row("python", "isinstance narrows a parameter without annotation", """
        class Book:
            def turn(self): ...
        def use(one):
            if isinstance(one, Book):
                one.<|>turn()
        """, "Book.turn"),
    row("python", "isinstance narrows a union to one of its types", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(one: Book | Shelf):
            if isinstance(one, Shelf):
                one.<|>turn()
        """, "Shelf.turn"),
    gap("python", "the other branch has the rest of the union", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(one: Book | Shelf):
            if isinstance(one, Shelf):
                pass
            else:
                one.<|>turn()
        """, "Book.turn"),
    row("python", "a negated test narrows the other branch", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(one: Book | Shelf):
            if not isinstance(one, Shelf):
                pass
            else:
                one.<|>turn()
        """, "Shelf.turn"),
    row("python", "a tuple of types narrows to each of them", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(one):
            if isinstance(one, (Book, Shelf)):
                one.<|>turn()
        """, "Book.turn, Shelf.turn"),
    row("python", "the right side of `and` is evaluated where the left one is true", """
        class Book:
            def turn(self): ...
        def use(one):
            return isinstance(one, Book) and one.<|>turn()
        """, "Book.turn"),
    row("python", "isinstance narrows to a subclass of the declared type", """
        class Book:
            def turn(self): ...
        class Novel(Book):
            def turn(self): ...
        def use(one: Book):
            if isinstance(one, Novel):
                one.<|>turn()
        """, "Novel.turn"),
    row("python", "assert narrows the rest of the block", """
        class Book:
            def turn(self): ...
        def use(one):
            assert isinstance(one, Book)
            one.<|>turn()
        """, "Book.turn"),
    row("python", "a class pattern narrows the subject of match", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(one: Book | Shelf):
            match one:
                case Book():
                    one.<|>turn()
        """, "Book.turn"),
    row("python", "a class pattern with a name binds a value of that class", """
        class Book:
            def turn(self): ...
        def use(one):
            match one:
                case Book() as book:
                    book.<|>turn()
        """, "Book.turn"),
    row("typescript", "instanceof narrows to the class", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        function use(one: Book | Shelf) { if (one instanceof Shelf) { one.<|>turn(); } }
        """, "Shelf.turn"),
    gap("typescript", "the other branch of instanceof has the rest of the union", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        function use(one: Book | Shelf) { if (one instanceof Shelf) {} else { one.<|>turn(); } }
        """, "Book.turn"),
    gap("typescript", "`in` narrows to the types that have the property", """
        class Book { pages = 1; turn() {} }
        class Shelf { size = 1; turn() {} }
        function use(one: Book | Shelf) { if ("size" in one) { one.<|>turn(); } }
        """, "Shelf.turn"),
    gap("typescript", "a literal property discriminates a union", """
        interface Book { kind: "book"; turn(): void }
        interface Shelf { kind: "shelf"; turn(): void }
        function use(one: Book | Shelf) { if (one.kind === "shelf") { one.<|>turn(); } }
        """, "Shelf.turn"),
    gap("typescript", "switch on a literal property discriminates a union", """
        interface Book { kind: "book"; turn(): void }
        interface Shelf { kind: "shelf"; turn(): void }
        function use(one: Book | Shelf) { switch (one.kind) { case "book": one.<|>turn(); } }
        """, "Book.turn"),
    gap("typescript", "a type predicate narrows its argument", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        function isShelf(one: unknown): one is Shelf { return true; }
        function use(one: Book | Shelf) { if (isShelf(one)) { one.<|>turn(); } }
        """, "Shelf.turn"),
    row("typescript", "typeof excludes the primitive types of a union", """
        class Book { turn() {} }
        function use(one: Book | string) { if (typeof one !== "string") { one.<|>turn(); } }
        """, "Book.turn"),
    row("typescript", "the conditional operator narrows its branches", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        function use(one: Book | Shelf) { return one instanceof Shelf ? one.<|>turn() : null; }
        """, "Shelf.turn"),
    row("typescript", "&& narrows its right operand", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        function use(one: Book | Shelf) { return one instanceof Shelf && one.<|>turn(); }
        """, "Shelf.turn"),
    row("javascript", "instanceof proves the class of a parameter", """
        class Book { turn() {} }
        function use(one) { if (one instanceof Book) { one.<|>turn(); } }
        """, "Book.turn"),
    row("java", "a type pattern binds a variable of the type", """
        class Book { void turn() {} }
        class Use { void use(Object one) { if (one instanceof Book book) { book.<|>turn(); } } }
        """, "Book.turn exact"),
    row("java", "the variable of a type pattern is in scope after `&&`", """
        class Book { boolean turn() { return true; } }
        class Use { boolean use(Object one) { return one instanceof Book book && book.<|>turn(); } }
        """, "Book.turn exact"),
    row("java", "a type pattern of switch binds a variable of the type", """
        class Book { void turn() {} }
        class Use { void use(Object one) { switch (one) { case Book book -> book.<|>turn(); default -> {} } } }
        """, "Book.turn exact"),
    row("java", "a cast has the type that it names", """
        class Book { void turn() {} }
        class Use { void use(Object one) { ((Book) one).<|>turn(); } }
        """, "Book.turn exact"),
    row("csharp", "a declaration pattern binds a variable of the type", """
        class Book { public void Turn() {} }
        class Use { void Run(object one) { if (one is Book book) { book.<|>Turn(); } } }
        """, "Book.Turn exact"),
    row("csharp", "a type pattern of a switch expression binds a variable of the type", """
        class Book { public int Turn() => 1; }
        class Use { int Run(object one) => one switch { Book book => book.<|>Turn(), _ => 0 }; }
        """, "Book.Turn exact"),
    row("csharp", "`as` has the type that it names", """
        class Book { public void Turn() {} }
        class Use { void Run(object one) { var book = one as Book; book.<|>Turn(); } }
        """, "Book.Turn exact"),
    row("kotlin", "is casts the variable in its branch", """
        class Book { fun turn() {} }
        fun use(one: Any) { if (one is Book) { one.<|>turn() } }
        """, "Book.turn"),
    row("kotlin", "is in a branch of when casts the subject", """
        class Book { fun turn() {} }
        fun use(one: Any) { when (one) { is Book -> one.<|>turn() } }
        """, "Book.turn"),
    row("kotlin", "`as?` has the type that it names", """
        class Book { fun turn() {} }
        fun use(one: Any) { (one as? Book)?.<|>turn() }
        """, "Book.turn"),
    row("scala", "a typed pattern binds a value of the type", """
        class Book { def turn(): Unit = () }
        object Use { def use(one: Any): Unit = one match { case book: Book => book.<|>turn() } }
        """, "Book.turn exact"),
    row("swift", "if let with a cast binds a value of the type", """
        class Book { func turn() {} }
        func use(one: Any) { if let book = one as? Book { book.<|>turn() } }
        """, "Book.turn exact"),
    row("go", "a type assertion has the type that it names", """
        package shop
        type Book struct{}
        func (b Book) Turn() {}
        func use(one any) { one.(Book).<|>Turn() }
        """, "Book.Turn exact"),
    row("go", "a case of a type switch gives the variable its type", """
        package shop
        type Book struct{}
        func (b Book) Turn() {}
        func use(one any) { switch value := one.(type) { case Book: value.<|>Turn() } }
        """, "Book.Turn exact"),
    row("go", "the two-valued type assertion has the type that it names", """
        package shop
        type Book struct{}
        func (b Book) Turn() {}
        func use(one any) { if book, ok := one.(Book); ok { book.<|>Turn() } }
        """, "Book.Turn exact"),
    row("rust", "a pattern takes the value out of a variant", """
        struct Book;
        impl Book { fn turn(&self) {} }
        enum Item { Single(Book), Nothing }
        fn using(one: Item) { match one { Item::Single(book) => book.<|>turn(), Item::Nothing => {} } }
        """, "Book::turn exact"),
    row("rust", "if let takes the value out of Some", """
        struct Book;
        impl Book { fn turn(&self) {} }
        fn using(one: Option<Book>) { if let Some(book) = one { book.<|>turn(); } }
        """, "Book::turn exact"),
    row("php", "instanceof narrows the variable in its branch", """
        <?php
        class Book { function turn() {} }
        function using($one) { if ($one instanceof Book) { $one-><|>turn(); } }
        """, "Book.turn"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, TYPE_TESTS)
def test_a_type_test_narrows_what_it_guards(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# A value that may be missing has the members of its type once it is known to be there.
NULL_CHECKS = [
    row("python", "`is not None` leaves the other type of Optional", """
        from typing import Optional
        class Book:
            def turn(self): ...
        def use(one: Optional[Book]):
            if one is not None:
                one.<|>turn()
        """, "Book.turn"),
    row("python", "a test of truth leaves the type that is not None", """
        class Book:
            def turn(self): ...
        def use(one: Book | None):
            if one:
                one.<|>turn()
        """, "Book.turn"),
    row("python", "a name that is bound in the condition is narrowed by it", """
        class Book:
            def turn(self): ...
        def find() -> Book | None: ...
        def use():
            if book := find():
                book.<|>turn()
        """, "Book.turn"),
    row("typescript", "a comparison with null leaves the other types", """
        class Book { turn() {} }
        function use(one: Book | null) { if (one !== null) { one.<|>turn(); } }
        """, "Book.turn"),
    row("typescript", "optional chaining reads a member where there is a value", """
        class Book { turn() {} }
        function use(one?: Book) { one?.<|>turn(); }
        """, "Book.turn"),
    row("typescript", "the non-null assertion leaves the other types", """
        class Book { turn() {} }
        function use(one: Book | undefined) { one!.<|>turn(); }
        """, "Book.turn"),
    row("csharp", "a value of a nullable reference type has the members of the type", """
        class Book { public void Turn() {} }
        class Use { void Run(Book? one) { if (one != null) { one.<|>Turn(); } } }
        """, "Book.Turn exact"),
    row("csharp", "the null-conditional operator reads a member where there is a value", """
        class Book { public void Turn() {} }
        class Use { void Run(Book? one) { one?.<|>Turn(); } }
        """, "Book.Turn exact"),
    row("kotlin", "a comparison with null makes a nullable variable usable", """
        class Book { fun turn() {} }
        fun use(one: Book?) { if (one != null) { one.<|>turn() } }
        """, "Book.turn exact"),
    row("kotlin", "let of a safe call has the value as `it`", """
        class Book { fun turn() {} }
        fun use(one: Book?) { one?.let { it.<|>turn() } }
        """, "Book.turn"),
    row("swift", "guard let binds the value for the rest of the function", """
        class Book { func turn() {} }
        func use(one: Book?) { guard let book = one else { return }
          book.<|>turn() }
        """, "Book.turn exact"),
    gap("swift", "if let with the same name binds the value", """
        class Book { func turn() {} }
        func use(one: Book?) { if let one { one.<|>turn() } }
        """, "Book.turn exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, NULL_CHECKS)
def test_a_value_that_is_there_has_the_members_of_its_type(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# After a branch that does not return, the opposite of its condition holds.
EARLY_EXITS = [
    gap("python", "return in the branch narrows what follows it", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(one: Book | Shelf):
            if isinstance(one, Shelf):
                return
            one.<|>turn()
        """, "Book.turn"),
    row("python", "raise in the branch narrows what follows it", """
        class Book:
            def turn(self): ...
        def use(one):
            if not isinstance(one, Book):
                raise TypeError
            one.<|>turn()
        """, "Book.turn"),
    row("python", "continue in the branch narrows the rest of the loop's body", """
        class Book:
            def turn(self): ...
        def use(all):
            for one in all:
                if not isinstance(one, Book):
                    continue
                one.<|>turn()
        """, "Book.turn"),
    row("python", "a branch that goes on does not narrow what follows it", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(one: Book | Shelf):
            if isinstance(one, Shelf):
                pass
            one.<|>turn()
        """, "Book.turn, Shelf.turn inferred"),
    gap("typescript", "return in the branch narrows what follows it", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        function use(one: Book | Shelf) { if (one instanceof Shelf) return; one.<|>turn(); }
        """, "Book.turn"),
    row("typescript", "throw in the branch narrows what follows it", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        function use(one: Book | Shelf) { if (!(one instanceof Shelf)) { throw new Error(); } one.<|>turn(); }
        """, "Shelf.turn"),
    row("typescript", "a branch that goes on does not narrow what follows it", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        function use(one: Book | Shelf) { if (one instanceof Shelf) { one.turn(); } one.<|>turn(); }
        """, "Book.turn, Shelf.turn inferred"),
    row("java", "a pattern variable is in scope after a branch that returns", """
        class Book { void turn() {} }
        class Use { void use(Object one) { if (!(one instanceof Book book)) { return; } book.<|>turn(); } }
        """, "Book.turn exact"),
    row("csharp", "a pattern variable is in scope after a branch that returns", """
        class Book { public void Turn() {} }
        class Use { void Run(object one) { if (one is not Book book) { return; } book.<|>Turn(); } }
        """, "Book.Turn exact"),
    row("kotlin", "return in the branch casts the variable in what follows it", """
        class Book { fun turn() {} }
        fun use(one: Any) { if (one !is Book) return
          one.<|>turn() }
        """, "Book.turn"),
    row("rust", "let else binds the value for the rest of the block", """
        struct Book;
        impl Book { fn turn(&self) {} }
        fn using(one: Option<Book>) { let Some(book) = one else { return }; book.<|>turn(); }
        """, "Book::turn exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, EARLY_EXITS)
def test_a_branch_that_leaves_narrows_what_follows_it(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# An assignment gives the variable the type of its new value, and ends what a test has shown of the old one.
REASSIGNMENT = [
    row("python", "an assignment gives the variable the type of its value", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use():
            one = Book()
            one = Shelf()
            one.<|>turn()
        """, "Shelf.turn"),
    row("python", "before the assignment the variable has its former type", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use():
            one = Book()
            one.<|>turn()
            one = Shelf()
        """, "Book.turn"),
    row("python", "an assignment ends narrowing", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(one: Book | Shelf):
            if isinstance(one, Book):
                one = Shelf()
                one.<|>turn()
        """, "Shelf.turn"),
    gap("python", "after branches with different assignments the variable has either type", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(flag):
            if flag:
                one = Book()
            else:
                one = Shelf()
            one.<|>turn()
        """, "Book.turn, Shelf.turn inferred"),
    gap("typescript", "an assignment ends narrowing", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        function use(one: Book | Shelf) { if (one instanceof Book) { one = new Shelf(); one.<|>turn(); } }
        """, "Shelf.turn"),
    row("java", "an assignment does not change the declared type", """
        class Book { void turn() {} }
        class Novel extends Book { void turn() {} }
        class Use { void use() { Book one = new Book(); one = new Novel(); one.<|>turn(); } }
        """, "Book.turn exact"),
    row("csharp", "an assignment does not change the type that var has inferred", """
        class Book { public void Turn() {} }
        class Novel : Book { public void Turn() {} }
        class Use { void Run() { var one = new Book(); one = new Novel(); one.<|>Turn(); } }
        """, "Book.Turn exact"),
    row("rust", "a second let of the name is another variable", """
        struct Book;
        impl Book { fn turn(&self) {} }
        struct Shelf;
        impl Shelf { fn turn(&self) {} }
        fn using() { let one = Book; let one = Shelf; one.<|>turn(); }
        """, "Shelf::turn"),
    row("ruby", "an assignment gives the variable the class of its value", """
        class Book
          def turn; end
        end
        class Shelf
          def turn; end
        end
        def use
          one = Book.new
          one = Shelf.new
          one.<|>turn
        end
        """, "Shelf.turn"),
    row("php", "an assignment gives the variable the class of its value", """
        <?php
        class Book { function turn() {} }
        class Box { function turn() {} }
        function using() { $one = new Book(); $one = new Box(); $one-><|>turn(); }
        """, "Box.turn"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, REASSIGNMENT)
def test_an_assignment_ends_what_was_known_of_the_former_value(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# Functions inside of a guarded branch, and tests inside of them.
CLOSURES = [
    row("python", "a test inside of a function says nothing of the variable outside", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(one: Book | Shelf):
            def inner():
                assert isinstance(one, Book)
            one.<|>turn()
        """, "Book.turn, Shelf.turn inferred"),
    row("python", "a parameter of an inner function hides the narrowed variable", """
        class Book:
            def turn(self): ...
        class Shelf:
            def turn(self): ...
        def use(one):
            assert isinstance(one, Book)
            def inner(one: Shelf):
                one.<|>turn()
        """, "Shelf.turn"),
    row("typescript", "narrowing of a const holds in a function that is created in the branch", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        declare function find(): Book | Shelf;
        function use() { const one = find(); if (one instanceof Book) { return () => one.<|>turn(); } }
        """, "Book.turn"),
    row("typescript", "a parameter of an inner function hides the narrowed variable", """
        class Book { turn() {} }
        class Shelf { turn() {} }
        function use(one: Book | Shelf) { if (one instanceof Book) { return (one: Shelf) => one.<|>turn(); } }
        """, "Shelf.turn"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, CLOSURES)
def test_closures_see_the_variable_of_their_own_scope(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)
