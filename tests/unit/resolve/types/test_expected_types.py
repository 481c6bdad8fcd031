"""Contextual typing: types that a value gets from where it stands. Each row states a rule of its language."""

from __future__ import annotations

import pytest

from tests.harness.symbol_table import assert_resolves, gap, row

COLUMNS = ("language", "source", "expected")

# A function that is written as an argument has its parameters' types from the parameter that takes it.
CALLBACKS = [
    row("typescript", "an arrow function has its parameter's type from the signature", """
        class Book { turn() {} }
        declare function each(visit: (book: Book) => void): void;
        each(one => one.<|>turn());
        """, "Book.turn exact"),
    row("typescript", "a function expression has its parameter's type from the signature", """
        class Book { turn() {} }
        declare function each(visit: (book: Book) => void): void;
        each(function (one) { one.<|>turn(); });
        """, "Book.turn exact"),
    row("typescript", "the second parameter of a callback has the second type", """
        class Book { turn() {} }
        class Shelf { lend() {} }
        declare function each(visit: (book: Book, shelf: Shelf) => void): void;
        each((one, other) => other.<|>lend());
        """, "Shelf.lend exact"),
    row("typescript", "an optional callback gives its parameters their types", """
        class Book { turn() {} }
        declare function each(visit?: (book: Book) => void): void;
        each(one => one.<|>turn());
        """, "Book.turn exact"),
    row("typescript", "a written annotation comes before the context", """
        class Book { turn() {} }
        class Novel extends Book { turn() {} }
        declare function each(visit: (book: Novel) => void): void;
        each((one: Book) => one.<|>turn());
        """, "Book.turn exact"),
    row("typescript", "a type alias of a function gives the types", """
        class Book { turn() {} }
        type Visit = (book: Book) => void;
        declare function each(visit: Visit): void;
        each(one => one.<|>turn());
        """, "Book.turn exact"),
    row("typescript", "an interface with a call signature gives the types", """
        class Book { turn() {} }
        interface Visit { (book: Book): void }
        declare function each(visit: Visit): void;
        each(one => one.<|>turn());
        """, "Book.turn exact"),
    row("typescript", "a method of a class takes callbacks like a function", """
        class Book { turn() {} }
        class Shelf { each(visit: (book: Book) => void) {} }
        new Shelf().each(one => one.<|>turn());
        """, "Book.turn exact"),
    row("typescript", "methods of arrays pass the elements", """
        class Book { turn() {} }
        function use(books: Book[]) { books.forEach(one => one.<|>turn()); }
        """, "Book.turn exact"),
    gap("typescript", "map gives an array of what its callback returns", """
        class Book { turn() {} }
        class Shelf { first(): Book { return new Book(); } }
        function use(shelves: Shelf[]) { shelves.map(one => one.first()).forEach(book => book.<|>turn()); }
        """, "Book.turn exact"),
    row("typescript", "a parameter without a type in a signature stays unknown", """
        class Book { turn() {} }
        declare function each(visit: any): void;
        each(one => one.<|>turn());
        """, "nothing"),
    row("kotlin", "a lambda has `it` from the parameter's function type", """
        class Book { fun turn() {} }
        fun each(visit: (Book) -> Unit) {}
        fun use() { each { it.<|>turn() } }
        """, "Book.turn"),
    row("kotlin", "a named parameter of a lambda has the function type's", """
        class Book { fun turn() {} }
        fun each(visit: (Book) -> Unit) {}
        fun use() { each { one -> one.<|>turn() } }
        """, "Book.turn"),
    gap("kotlin", "a lambda with a receiver has the receiver's members in scope", """
        class Shelf { fun lend() {} }
        fun build(fill: Shelf.() -> Unit) {}
        fun use() { build { <|>lend() } }
        """, "Shelf.lend"),
    gap("swift", "a closure has its parameter's type from the function type", """
        class Book { func turn() {} }
        func each(visit: (Book) -> Void) {}
        func use() { each { one in one.<|>turn() } }
        """, "Book.turn"),
    gap("swift", "$0 is the first parameter of a closure", """
        class Book { func turn() {} }
        func each(visit: (Book) -> Void) {}
        func use() { each { $0.<|>turn() } }
        """, "Book.turn"),
    row("csharp", "a lambda has its parameter's type from the delegate", """
        using System;
        class Book { public void Turn() {} }
        class Shelf { public void Each(Action<Book> visit) {} }
        class Use { void Run(Shelf one) { one.Each(book => book.<|>Turn()); } }
        """, "Book.Turn"),
    gap("java", "a lambda has its parameter's type from the functional interface", """
        class Book { void turn() {} }
        interface Visit { void visit(Book book); }
        class Shelf { void each(Visit visit) {} }
        class Use { void use(Shelf one) { one.each(book -> book.<|>turn()); } }
        """, "Book.turn"),
    row("scala", "a function literal has its parameter's type from the method", """
        class Book { def turn(): Unit = () }
        class Shelf { def each(visit: Book => Unit): Unit = () }
        object Use { def use(one: Shelf): Unit = one.each(book => book.<|>turn()) }
        """, "Book.turn"),
    gap("rust", "a closure has its parameter's type from the Fn bound", """
        struct Book;
        impl Book { fn turn(&self) {} }
        fn each(visit: impl Fn(Book)) {}
        fn using() { each(|one| one.<|>turn()); }
        """, "Book::turn"),
    row("go", "a function literal writes the types of its parameters", """
        package shop
        type Book struct{}
        func (b Book) Turn() {}
        func each(visit func(Book)) {}
        func use() { each(func(one Book) { one.<|>Turn() }) }
        """, "Book.Turn exact"),
    row("cpp", "a lambda writes the types of its parameters", """
        struct Book { void turn() {} };
        void use() { auto visit = [](Book one) { one.<|>turn(); }; }
        """, "Book::turn exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, CALLBACKS)
def test_a_function_that_is_an_argument_has_the_types_of_the_parameter(
    language: str, source: str, expected: str
) -> None:
    assert_resolves(language, source, expected)


# A literal or a name without a type of its own means what the expected type has by that name.
EXPECTED_TYPES = [
    row("typescript", "a property of an object literal is the one of the declared type", """
        class Book { turn() {} }
        interface Options { visit: (book: Book) => void }
        const options: Options = { visit: one => one.<|>turn() };
        """, "Book.turn exact"),
    row("typescript", "an object literal that is an argument has the parameter's type", """
        class Book { turn() {} }
        interface Options { visit: (book: Book) => void }
        declare function configure(options: Options): void;
        configure({ visit: one => one.<|>turn() });
        """, "Book.turn exact"),
    row("typescript", "a returned function has the type that the function declares", """
        class Book { turn() {} }
        function make(): (book: Book) => void { return one => one.<|>turn(); }
        """, "Book.turn exact"),
    row("typescript", "a variable with a function type gives the parameter its type", """
        class Book { turn() {} }
        const visit: (book: Book) => void = one => one.<|>turn();
        """, "Book.turn exact"),
    row("swift", "a dot without a type names a member of the expected type", """
        enum Size { case small, large }
        func use(size: Size) {}
        func test() { use(size: .<|>small) }
        """, "Size.small"),
    row("csharp", "`new()` constructs the declared type", """
        class Book { public void Turn() {} }
        class Use { void Run() { Book one = new(); one.<|>Turn(); } }
        """, "Book.Turn exact"),
    row("csharp", "a name in an object initializer is a member of the new object", """
        class Book { public int Pages { get; set; } }
        class Use { Book Make() => new Book { <|>Pages = 3 }; }
        """, "Book.Pages exact"),
    row("go", "a key of a composite literal is a field of its type", """
        package shop
        type Book struct { Pages int }
        func use() Book { return Book{<|>Pages: 3} }
        """, "Book.Pages exact"),
    row("rust", "a field of a struct expression is one of its type", """
        struct Book { pages: u32 }
        fn using() -> Book { Book { <|>pages: 3 } }
        """, "Book::pages exact"),
    row("cpp", "a designator names a field of the type", """
        struct Book { int pages; };
        Book use() { return Book{.<|>pages = 3}; }
        """, "Book::pages exact"),
    gap("python", "a keyword of a dataclass names a field", """
        from dataclasses import dataclass
        @dataclass
        class Book:
            pages: int
        Book(<|>pages=3)
        """, "Book.pages"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, EXPECTED_TYPES)
def test_a_value_gets_what_it_lacks_from_the_type_that_is_expected(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# Values without an annotation have the type of what they are made of.
INFERRED_TYPES = [
    row("python", "a call of a class gives an instance", """
        class Book:
            def turn(self): ...
        one = Book()
        one.<|>turn()
        """, "Book.turn exact"),
    row("python", "a call has the type that the function declares", """
        class Book:
            def turn(self): ...
        def first() -> Book: ...
        first().<|>turn()
        """, "Book.turn exact"),
    row("python", "a call has the type of what the function returns", """
        class Book:
            def turn(self): ...
        def first():
            return Book()
        first().<|>turn()
        """, "Book.turn"),
    row("python", "an element of a list has the type of its argument", """
        class Book:
            def turn(self): ...
        def use(books: list[Book]):
            for one in books:
                one.<|>turn()
        """, "Book.turn exact"),
    row("python", "a subscript of a dict has the type of its values", """
        class Book:
            def turn(self): ...
        def use(books: dict[str, Book]):
            books["a"].<|>turn()
        """, "Book.turn exact"),
    row("python", "a context manager gives what __enter__ returns", """
        class Book:
            def turn(self): ...
        class Shelf:
            def __enter__(self) -> Book: ...
            def __exit__(self, *args): ...
        with Shelf() as one:
            one.<|>turn()
        """, "Book.turn exact"),
    row("python", "a comprehension binds each element", """
        class Book:
            def turn(self): ...
        def use(books: list[Book]):
            return [one.<|>turn() for one in books]
        """, "Book.turn exact"),
    row("python", "await gives the result of a coroutine", """
        class Book:
            def turn(self): ...
        async def first() -> Book: ...
        async def use():
            (await first()).<|>turn()
        """, "Book.turn exact"),
    row("typescript", "await gives the value of a promise", """
        class Book { turn() {} }
        declare function first(): Promise<Book>;
        async function use() { (await first()).<|>turn(); }
        """, "Book.turn exact"),
    row("typescript", "for of binds each element of an array", """
        class Book { turn() {} }
        function use(books: Book[]) { for (const one of books) { one.<|>turn(); } }
        """, "Book.turn exact"),
    row("typescript", "destructuring binds the property of that name", """
        class Book { turn() {} }
        interface Shelf { first: Book }
        function use({ first }: Shelf) { first.<|>turn(); }
        """, "Book.turn exact"),
    gap("typescript", "a type argument gives a generic result its type", """
        class Book { turn() {} }
        function id<T>(one: T): T { return one; }
        id<Book>(null).<|>turn();
        """, "Book.turn exact"),
    row("java", "var has the type of its initializer", """
        class Book { void turn() {} }
        class Use { void use() { var one = new Book(); one.<|>turn(); } }
        """, "Book.turn() exact"),
    row("java", "the enhanced for binds each element of a list", """
        import java.util.List;
        class Book { void turn() {} }
        class Use { void use(List<Book> books) { for (var one : books) { one.<|>turn(); } } }
        """, "Book.turn() exact"),
    row("java", "try with resources binds the resource", """
        class Book implements AutoCloseable { void turn() {} public void close() {} }
        class Use { void use() { try (var one = new Book()) { one.<|>turn(); } } }
        """, "Book.turn() exact"),
    row("csharp", "foreach binds each element of a list", """
        using System.Collections.Generic;
        class Book { public void Turn() {} }
        class Use { void Run(List<Book> books) { foreach (var one in books) { one.<|>Turn(); } } }
        """, "Book.Turn exact"),
    row("csharp", "await gives the value of a task", """
        using System.Threading.Tasks;
        class Book { public void Turn() {} }
        class Use { Task<Book> First() => null; async void Run() { (await First()).<|>Turn(); } }
        """, "Book.Turn exact"),
    gap("csharp", "an out variable has the type of the parameter", """
        class Book { public void Turn() {} }
        class Use {
          bool Find(out Book book) { book = null; return true; }
          void Run() { Find(out var one); one.<|>Turn(); }
        }
        """, "Book.Turn"),
    row("go", ":= gives a variable the type of its value", """
        package shop
        type Book struct{}
        func (b *Book) Turn() {}
        func use() { one := &Book{}; one.<|>Turn() }
        """, "Book.Turn exact"),
    row("go", "several results give several variables their types", """
        package shop
        type Book struct{}
        func (b Book) Turn() {}
        func first() (Book, error) { return Book{}, nil }
        func use() { one, err := first(); _ = err; one.<|>Turn() }
        """, "Book.Turn exact"),
    row("go", "range gives each element of a slice", """
        package shop
        type Book struct{}
        func (b Book) Turn() {}
        func use(books []Book) { for _, one := range books { one.<|>Turn() } }
        """, "Book.Turn exact"),
    row("go", "a value of a map has its value type", """
        package shop
        type Book struct{}
        func (b Book) Turn() {}
        func use(books map[string]Book) { books["a"].<|>Turn() }
        """, "Book.Turn exact"),
    row("rust", "? takes the value out of a result", """
        struct Book;
        impl Book { fn turn(&self) {} }
        fn first() -> Result<Book, String> { Ok(Book) }
        fn using() -> Result<(), String> { first()?.<|>turn(); Ok(()) }
        """, "Book::turn exact"),
    row("rust", "for binds each element of a vector", """
        struct Book;
        impl Book { fn turn(&self) {} }
        fn using(books: Vec<Book>) { for one in books { one.<|>turn(); } }
        """, "Book::turn exact"),
    row("rust", "methods of a smart pointer's target are called through it", """
        struct Book;
        impl Book { fn turn(&self) {} }
        fn using(one: Box<Book>) { one.<|>turn(); }
        """, "Book::turn exact"),
    row("cpp", "auto has the type of its initializer", """
        struct Book { void turn() {} };
        Book first();
        void use() { auto one = first(); one.<|>turn(); }
        """, "Book::turn exact"),
    row("cpp", "-> on a smart pointer reaches the object", """
        #include <memory>
        struct Book { void turn() {} };
        void use(std::unique_ptr<Book> one) { one-><|>turn(); }
        """, "Book::turn exact"),
    row("cpp", "the range-based for binds each element", """
        #include <vector>
        struct Book { void turn() {} };
        void use(std::vector<Book> books) { for (auto& one : books) { one.<|>turn(); } }
        """, "Book::turn exact"),
    row("kotlin", "val has the type of its initializer", """
        class Book { fun turn() {} }
        fun use() { val one = Book()
          one.<|>turn() }
        """, "Book.turn exact"),
    row("kotlin", "for binds each element of a list", """
        class Book { fun turn() {} }
        fun use(books: List<Book>) { for (one in books) { one.<|>turn() } }
        """, "Book.turn exact"),
    gap("kotlin", "apply has its receiver's members in scope", """
        class Book { fun turn() {} }
        fun use() { Book().apply { <|>turn() } }
        """, "Book.turn exact"),
    row("scala", "val has the type of its initializer", """
        class Book { def turn(): Unit = () }
        object Use { def use(): Unit = { val one = new Book; one.<|>turn() } }
        """, "Book.turn exact"),
    row("swift", "let has the type of its initializer", """
        class Book { func turn() {} }
        func use() { let one = Book()
          one.<|>turn() }
        """, "Book.turn exact"),
    row("swift", "for in binds each element of an array", """
        class Book { func turn() {} }
        func use(books: [Book]) { for one in books { one.<|>turn() } }
        """, "Book.turn exact"),
    row("php", "a property has its declared type", """
        <?php
        class Book { function turn() {} }
        class Box { public Book $first; function using() { $this->first-><|>turn(); } }
        """, "Book.turn exact"),
    row("php", "a promoted constructor parameter is a property with its type", """
        <?php
        class Book { function turn() {} }
        class Box { function __construct(private Book $first) {} function using() { $this->first-><|>turn(); } }
        """, "Book.turn exact"),
    row("ruby", "a local variable has the class of its value", """
        class Book
          def turn; end
        end
        one = Book.new
        one.<|>turn
        """, "Book.turn exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, INFERRED_TYPES)
def test_a_value_has_the_type_of_what_it_is_made_of(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)
