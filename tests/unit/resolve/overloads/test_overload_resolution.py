"""Overload resolution: the definition that a call means where several have one name.

Each row states a rule of its language.
"""

from __future__ import annotations

import pytest

from tests.harness.symbol_table import assert_resolves, gap, row

COLUMNS = ("language", "source", "expected")

# Only candidates that take as many arguments as the call has are applicable (JLS 15.12.2.1, ECMA-334 12.6.4.2).
ARITY = [
    row("java", "the candidate with as many parameters as arguments", """
        class Shelf { void lend() {} void lend(int days) {} }
        class Use { void use(Shelf one) { one.<|>lend(3); } }
        """, "Shelf.lend(int days) exact"),
    row("java", "a call without arguments means the method without parameters", """
        class Shelf { void lend() {} void lend(int days) {} }
        class Use { void use(Shelf one) { one.<|>lend(); } }
        """, "Shelf.lend() exact"),
    row("java", "an inherited overload takes part beside the own one", """
        class Top { void lend(int days, String name) {} }
        class Shelf extends Top { void lend(int days) {} }
        class Use { void use(Shelf one) { one.<|>lend(3, "a"); } }
        """, "Top.lend(int days, String name) exact"),
    row("java", "this(...) calls another constructor of the class", """
        class Shelf { Shelf() { <|>this(3); } Shelf(int size) {} }
        """, "Shelf.Shelf(int size) exact"),
    row("csharp", "the candidate with as many parameters as arguments", """
        class Shelf { public void Lend() {} public void Lend(int days) {} }
        class Use { void Run(Shelf one) { one.<|>Lend(3); } }
        """, "Shelf.Lend(int days) exact"),
    row("csharp", "generic types of one name are told apart by their number of type parameters", """
        class Shelf { public void Lend() {} }
        class Shelf<T> { public void Lend(T one) {} }
        class Use { void Run(Shelf<int> one) { one.<|>Lend(3); } }
        """, "Shelf.Lend(T one) exact"),
    row("cpp", "the candidate with as many parameters as arguments", """
        struct Shelf { void lend(); void lend(int days); };
        void use(Shelf one) { one.<|>lend(3); }
        """, "Shelf::lend(int days) exact"),
    row("cpp", "functions of a namespace are overloaded as well", """
        void lend() {}
        void lend(int days) {}
        void use() { <|>lend(3); }
        """, "lend(int days) exact"),
    row("kotlin", "the candidate with as many parameters as arguments", """
        class Shelf {
          fun lend() {}
          fun lend(days: Int) {}
        }
        fun use(one: Shelf) { one.<|>lend(3) }
        """, "Shelf.lend(days: Int) exact"),
    row("scala", "the candidate with as many parameters as arguments", """
        class Shelf { def lend(): Unit = () ; def lend(days: Int): Unit = () }
        object Use { def use(one: Shelf): Unit = one.<|>lend(3) }
        """, "Shelf.lend(days: Int) exact"),
    row("swift", "argument labels are a part of the name of a function", """
        struct Shelf { func lend(days: Int) {} func lend(weeks: Int) {} }
        func use(one: Shelf) { one.<|>lend(weeks: 3) }
        """, "Shelf.lend(weeks: Int) exact"),
    row("typescript", "all overload signatures belong to one function", """
        class Shelf { lend(): void; lend(days: number): void; lend(days?: number) {} }
        new Shelf().<|>lend(3);
        """, "Shelf.lend exact"),
    row("python", "the last definition of a name in a class replaces the others", """
        class Shelf:
            def lend(self): ...
            def lend(self, days): ...
        Shelf().<|>lend()
        """, "Shelf.lend(self, days) exact"),
    row("javascript", "the last definition of a name in a class replaces the others", """
        class Shelf { lend() {} lend(days) {} }
        new Shelf().<|>lend();
        """, "Shelf.lend(days) exact"),
    row("ruby", "the last definition of a name in a class replaces the others", """
        class Shelf
          def lend; end
          def lend(days); end
        end
        Shelf.new.<|>lend
        """, "Shelf.lend(days) exact"),
    row("lua", "the last definition of a name in a table replaces the others", """
        local Shelf = {}
        function Shelf.lend() end
        function Shelf.lend(days) end
        Shelf.<|>lend()
        """, "Shelf.lend(days) exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, ARITY)
def test_a_call_means_a_candidate_that_takes_its_number_of_arguments(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# Of the candidates with the right number of parameters those whose types the arguments have are applicable.
TYPES = [
    row("java", "a literal has the type of its form", """
        class Shelf { void lend(int days) {} void lend(String name) {} }
        class Use { void use(Shelf one) { one.<|>lend("a"); } }
        """, "Shelf.lend(String name) exact"),
    row("java", "a variable has its declared type", """
        class Book {}
        class Shelf { void put(Book book) {} void put(Shelf inner) {} }
        class Use { void use(Shelf one, Book book) { one.<|>put(book); } }
        """, "Shelf.put(Book book) exact"),
    row("java", "a constructed object has the type of its class", """
        class Book {}
        class Shelf { void put(Book book) {} void put(Shelf inner) {} }
        class Use { void use(Shelf one) { one.<|>put(new Book()); } }
        """, "Shelf.put(Book book) exact"),
    row("java", "the result of a call has the type that it returns", """
        class Book {}
        class Shelf { void put(Book book) {} void put(Shelf inner) {} Book first() { return null; } }
        class Use { void use(Shelf one) { one.<|>put(one.first()); } }
        """, "Shelf.put(Book book) exact"),
    row("java", "a subtype can stand for its supertype", """
        class Book {}
        class Novel extends Book {}
        class Shelf { void put(Book book) {} void put(String name) {} }
        class Use { void use(Shelf one, Novel novel) { one.<|>put(novel); } }
        """, "Shelf.put(Book book) exact"),
    row("java", "int widens to long before it is boxed to Integer", """
        class Shelf { void lend(long days) {} void lend(Integer days) {} }
        class Use { void use(Shelf one, int days) { one.<|>lend(days); } }
        """, "Shelf.lend(long days) exact"),
    row("java", "an array is no single value", """
        class Shelf { void put(String name) {} void put(String[] names) {} }
        class Use { void use(Shelf one, String[] names) { one.<|>put(names); } }
        """, "Shelf.put(String[] names) exact"),
    row("csharp", "a literal has the type of its form", """
        class Shelf { public void Lend(int days) {} public void Lend(string name) {} }
        class Use { void Run(Shelf one) { one.<|>Lend("a"); } }
        """, "Shelf.Lend(string name) exact"),
    row("csharp", "a variable has its declared type", """
        class Book {}
        class Shelf { public void Put(Book book) {} public void Put(Shelf inner) {} }
        class Use { void Run(Shelf one, Book book) { one.<|>Put(book); } }
        """, "Shelf.Put(Book book) exact"),
    row("csharp", "a derived class can stand for its base", """
        class Book {}
        class Novel : Book {}
        class Shelf { public void Put(Book book) {} public void Put(string name) {} }
        class Use { void Run(Shelf one, Novel novel) { one.<|>Put(novel); } }
        """, "Shelf.Put(Book book) exact"),
    row("kotlin", "a literal has the type of its form", """
        class Shelf {
          fun lend(days: Int) {}
          fun lend(name: String) {}
        }
        fun use(one: Shelf) { one.<|>lend("a") }
        """, "Shelf.lend(name: String) exact"),
    row("kotlin", "a variable has its declared type", """
        class Book
        class Shelf {
          fun put(book: Book) {}
          fun put(inner: Shelf) {}
        }
        fun use(one: Shelf, book: Book) { one.<|>put(book) }
        """, "Shelf.put(book: Book) exact"),
    row("scala", "a literal has the type of its form", """
        class Shelf { def lend(days: Int): Unit = () ; def lend(name: String): Unit = () }
        object Use { def use(one: Shelf): Unit = one.<|>lend("a") }
        """, "Shelf.lend(name: String) exact"),
    row("cpp", "a variable has its declared type", """
        struct Book {};
        struct Shelf { void put(Book book); void put(Shelf* inner); };
        void use(Shelf one, Book book) { one.<|>put(book); }
        """, "Shelf::put(Book book) exact"),
    row("cpp", "a literal has the type of its form", """
        struct Shelf { void lend(int days); void lend(const char* name); };
        void use(Shelf one) { one.<|>lend(3); }
        """, "Shelf::lend(int days) exact"),
    row("swift", "a literal has the type of its form", """
        struct Shelf { func lend(_ days: Int) {} func lend(_ name: String) {} }
        func use(one: Shelf) { one.<|>lend("a") }
        """, "Shelf.lend(_ name: String) exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, TYPES)
def test_a_call_means_a_candidate_that_takes_the_types_of_its_arguments(
    language: str, source: str, expected: str
) -> None:
    assert_resolves(language, source, expected)


# Of several applicable candidates the one whose parameters are more specific is meant (JLS 15.12.2.5,
# ECMA-334 12.6.4.3).
MOST_SPECIFIC = [
    row("java", "a subtype as parameter is more specific than its supertype", """
        class Book {}
        class Novel extends Book {}
        class Shelf { void put(Book book) {} void put(Novel novel) {} }
        class Use { void use(Shelf one, Novel novel) { one.<|>put(novel); } }
        """, "Shelf.put(Novel novel) exact"),
    row("java", "String is more specific than Object", """
        class Shelf { void put(Object one) {} void put(String name) {} }
        class Use { void use(Shelf one) { one.<|>put("a"); } }
        """, "Shelf.put(String name) exact"),
    row("java", "int is more specific than long", """
        class Shelf { void lend(long days) {} void lend(int days) {} }
        class Use { void use(Shelf one) { one.<|>lend(3); } }
        """, "Shelf.lend(int days) exact"),
    row("csharp", "a derived class as parameter is better than its base", """
        class Book {}
        class Novel : Book {}
        class Shelf { public void Put(Book book) {} public void Put(Novel novel) {} }
        class Use { void Run(Shelf one, Novel novel) { one.<|>Put(novel); } }
        """, "Shelf.Put(Novel novel) exact"),
    row("csharp", "an applicable method of the derived class comes before better ones of its base", """
        class Top { public void Lend(int days) {} }
        class Shelf : Top { public void Lend(object days) {} }
        class Use { void Run(Shelf one) { one.<|>Lend(3); } }
        """, "Shelf.Lend(object days)"),
    row("kotlin", "a subtype as parameter is more specific than its supertype", """
        open class Book
        class Novel : Book()
        class Shelf {
          fun put(book: Book) {}
          fun put(novel: Novel) {}
        }
        fun use(one: Shelf, novel: Novel) { one.<|>put(novel) }
        """, "Shelf.put(novel: Novel) exact"),
    row("scala", "a subtype as parameter is more specific than its supertype", """
        class Book
        class Novel extends Book
        class Shelf { def put(book: Book): Unit = () ; def put(novel: Novel): Unit = () }
        object Use { def use(one: Shelf, novel: Novel): Unit = one.<|>put(novel) }
        """, "Shelf.put(novel: Novel) exact"),
    row("cpp", "the exact match is better than a conversion to the base", """
        struct Book {};
        struct Novel : Book {};
        struct Shelf { void put(const Book& book); void put(const Novel& novel); };
        void use(Shelf one, Novel novel) { one.<|>put(novel); }
        """, "Shelf::put(const Novel& novel) exact"),
    row("cpp", "a promotion is better than a conversion", """
        struct Shelf { void lend(int days); void lend(double days); };
        void use(Shelf one, short days) { one.<|>lend(days); }
        """, "Shelf::lend(int days)"),
    row("cpp", "a function of the derived class hides all of that name in the base", """
        struct Top { void lend(int days); };
        struct Shelf : Top { void lend(const char* name); };
        void use(Shelf one) { one.<|>lend("a"); }
        """, "Shelf::lend(const char* name) exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, MOST_SPECIFIC)
def test_of_several_applicable_candidates_the_most_specific_is_meant(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


# Parameters that take any number of arguments, and those that need none.
VARIADIC = [
    row("java", "a parameter of variable arity takes several arguments", """
        class Shelf { void put(String name) {} void put(String... names) {} }
        class Use { void use(Shelf one) { one.<|>put("a", "b"); } }
        """, "Shelf.put(String... names) exact"),
    row("java", "a candidate of fixed arity comes before one of variable arity", """
        class Shelf { void put(String... names) {} void put(String name) {} }
        class Use { void use(Shelf one) { one.<|>put("a"); } }
        """, "Shelf.put(String name) exact"),
    row("java", "no argument at all fits a parameter of variable arity", """
        class Shelf { void put(String... names) {} void put(String name) {} }
        class Use { void use(Shelf one) { one.<|>put(); } }
        """, "Shelf.put(String... names) exact"),
    row("csharp", "a params parameter takes several arguments", """
        class Shelf { public void Put(string name) {} public void Put(params string[] names) {} }
        class Use { void Run(Shelf one) { one.<|>Put("a", "b"); } }
        """, "Shelf.Put(params string[] names) exact"),
    row("csharp", "the normal form comes before the expanded one", """
        class Shelf { public void Put(params string[] names) {} public void Put(string name) {} }
        class Use { void Run(Shelf one) { one.<|>Put("a"); } }
        """, "Shelf.Put(string name)"),
    row("csharp", "an optional parameter needs no argument", """
        class Shelf {
          public void Lend(int days, string name = "") {}
          public void Lend(string name, int days, int weeks) {}
        }
        class Use { void Run(Shelf one) { one.<|>Lend(3); } }
        """, 'Shelf.Lend(int days, string name = "") exact'),
    row("csharp", "the candidate that needs no default values is better", """
        class Shelf { public void Lend(int days, string name = "") {} public void Lend(int days) {} }
        class Use { void Run(Shelf one) { one.<|>Lend(3); } }
        """, "Shelf.Lend(int days)"),
    gap("csharp", "a named argument selects the candidate with that parameter", """
        class Shelf { public void Lend(int days) {} public void Lend(long weeks) {} }
        class Use { void Run(Shelf one) { one.<|>Lend(weeks: 3); } }
        """, "Shelf.Lend(long weeks) exact"),
    row("kotlin", "a vararg parameter takes several arguments", """
        class Shelf {
          fun put(name: String) {}
          fun put(vararg names: String) {}
        }
        fun use(one: Shelf) { one.<|>put("a", "b") }
        """, "Shelf.put(vararg names: String) exact"),
    row("kotlin", "a candidate without vararg comes first", """
        class Shelf {
          fun put(vararg names: String) {}
          fun put(name: String) {}
        }
        fun use(one: Shelf) { one.<|>put("a") }
        """, "Shelf.put(name: String)"),
    row("kotlin", "a parameter with a default value needs no argument", """
        class Shelf {
          fun lend(days: Int, name: String = "") {}
          fun lend(a: Int, b: Int, c: Int) {}
        }
        fun use(one: Shelf) { one.<|>lend(3) }
        """, 'Shelf.lend(days: Int, name: String = "") exact'),
    row("kotlin", "the candidate that needs no default values is more specific", """
        class Shelf {
          fun lend(days: Int, name: String = "") {}
          fun lend(days: Int) {}
        }
        fun use(one: Shelf) { one.<|>lend(3) }
        """, "Shelf.lend(days: Int)"),
    row("scala", "a repeated parameter takes several arguments", """
        class Shelf { def put(name: String): Unit = () ; def put(names: String*): Unit = () }
        object Use { def use(one: Shelf): Unit = one.<|>put("a", "b") }
        """, "Shelf.put(names: String*) exact"),
    row("cpp", "a parameter with a default argument needs no argument", """
        struct Shelf { void lend(int days, int weeks = 0); void lend(int a, int b, int c); };
        void use(Shelf one) { one.<|>lend(3); }
        """, "Shelf::lend(int days, int weeks = 0)"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, VARIADIC)
def test_variadic_and_default_parameters_take_part_by_the_rules_of_the_language(
    language: str, source: str, expected: str
) -> None:
    assert_resolves(language, source, expected)


# Where the arguments do not decide, because the language calls the call ambiguous or their types are unknown, no
# candidate is claimed with certainty.
AMBIGUOUS = [
    row("java", "null fits two unrelated classes", """
        class Book {}
        class Shelf { void put(Book book) {} void put(String name) {} }
        class Use { void use(Shelf one) { one.<|>put(null); } }
        """, "Shelf.put inferred"),
    row("java", "an argument of unknown type", """
        class Shelf { void put(int days) {} void put(String name) {} }
        class Use { void use(Shelf one) { one.<|>put(elsewhere()); } }
        """, "Shelf.put inferred"),
    row("java", "each candidate is more specific in one parameter", """
        class Shelf { void put(Object a, String b) {} void put(String a, Object b) {} }
        class Use { void use(Shelf one) { one.<|>put("a", "b"); } }
        """, "Shelf.put inferred"),
    row("csharp", "an argument of unknown type", """
        class Shelf { public void Put(int days) {} public void Put(string name) {} }
        class Use { void Run(Shelf one) { one.<|>Put(Elsewhere()); } }
        """, "Shelf.Put inferred"),
    row("csharp", "each candidate is better in one parameter", """
        class Shelf { public void Put(object a, string b) {} public void Put(string a, object b) {} }
        class Use { void Run(Shelf one) { one.<|>Put("a", "b"); } }
        """, "Shelf.Put inferred"),
    row("kotlin", "an argument of unknown type", """
        class Shelf {
          fun put(days: Int) {}
          fun put(name: String) {}
        }
        fun use(one: Shelf) { one.<|>put(elsewhere()) }
        """, "Shelf.put inferred"),
    row("cpp", "an argument of unknown type", """
        struct Shelf { void put(int days); void put(const char* name); };
        void use(Shelf one) { one.<|>put(elsewhere()); }
        """, "Shelf::put inferred"),
    gap("cpp", "two conversions of the same rank", """
        struct Shelf { void lend(long days); void lend(double days); };
        void use(Shelf one) { one.<|>lend(3); }
        """, "Shelf::lend inferred"),
    row("scala", "an argument of unknown type", """
        class Shelf { def put(days: Int): Unit = () ; def put(name: String): Unit = () }
        object Use { def use(one: Shelf): Unit = one.<|>put(elsewhere()) }
        """, "Shelf.put inferred"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, AMBIGUOUS)
def test_a_call_that_its_arguments_do_not_decide_is_not_certain(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)
