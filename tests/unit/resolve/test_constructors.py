"""Construction: the constructor that a call of a type runs, beside the type that the call names.

Each row states a rule of its language.
"""

from __future__ import annotations

import pytest

from tests.harness.symbol_table import assert_constructs, assert_resolves, gap, row

COLUMNS = ("language", "source", "expected")

OWN = [
    row("python", "a call of a class runs its constructor", """
        class Shelf:
            def __init__(self, size): ...
        one = <|>Shelf(3)
        """, "Shelf.__init__ exact"),
    row("python", "a call of a class in another file runs its constructor", """
        === shelf.py
        class Shelf:
            def __init__(self, size): ...
        === main.py
        import shelf
        one = shelf.<|>Shelf(3)
        """, "shelf.py:Shelf.__init__ exact"),
    gap("python", "a call by the class that a method has runs its constructor", """
        class Shelf:
            def __init__(self, size): ...
            @classmethod
            def make(cls): return <|>cls(3)
        """, "Shelf.__init__ exact"),
    row("python", "a class that decorates is called", """
        class Kept:
            def __init__(self, function): ...
        @<|>Kept
        def lend(): ...
        """, "Kept.__init__ exact"),
    row("javascript", "new runs the constructor", """
        class Shelf { constructor(size) {} }
        const one = new <|>Shelf(3)
        """, "Shelf.constructor exact"),
    row("typescript", "new runs the constructor", """
        class Shelf { constructor(size: number) {} }
        const one = new <|>Shelf(3)
        """, "Shelf.constructor exact"),
    row("java", "new runs the constructor", """
        class Shelf { Shelf(int size) {} }
        class Use { Shelf one = new <|>Shelf(3); }
        """, "Shelf.Shelf exact"),
    row("java", "a reference to a constructor runs it", """
        class Shelf { Shelf() {} }
        class Use { Object one = call(<|>Shelf::new); }
        """, "Shelf.Shelf exact"),
    row("csharp", "new runs the constructor", """
        class Shelf { public Shelf(int size) {} }
        class Use { Shelf one = new <|>Shelf(3); }
        """, "Shelf.Shelf exact"),
    row("csharp", "an attribute runs its constructor", """
        class MarkedAttribute : System.Attribute { public MarkedAttribute(string name) {} }
        class Use { [<|>Marked("a")] void Run() {} }
        """, "MarkedAttribute.MarkedAttribute exact"),
    gap("csharp", "the type of new() is the declared one", """
        class Shelf { public Shelf(int size) {} }
        class Use { void Run() { Shelf one = <|>new(3); } }
        """, "Shelf.Shelf exact"),
    row("kotlin", "a call of a class runs its constructor", """
        class Shelf { constructor(size: Int) {} }
        val one = <|>Shelf(3)
        """, "Shelf.constructor exact"),
    row("scala", "new runs the constructor that takes the arguments", """
        class Shelf(val size: Int) {
          def this(name: String, size: Int) = this(size)
        }
        object Use { val one = new <|>Shelf("a", 3) }
        """, "Shelf.this exact"),
    row("swift", "a call of a type runs its initializer", """
        class Shelf { init(size: Int) {} }
        let one = <|>Shelf(size: 3)
        """, "Shelf.init exact"),
    row("cpp", "new runs the constructor", """
        struct Shelf { Shelf(int size); };
        void use() { auto one = new <|>Shelf(3); }
        """, "Shelf::Shelf exact"),
    row("cpp", "a call of a type runs its constructor", """
        struct Shelf { Shelf(int size); };
        void use() { auto one = <|>Shelf(3); }
        """, "Shelf::Shelf exact"),
    row("php", "new runs the constructor", """
        <?php
        class Shelf { function __construct($size) {} }
        $one = new <|>Shelf(3);
        """, "Shelf.__construct exact"),
    row("ruby", "new runs initialize", """
        class Shelf
          def initialize(size); end
        end
        one = Shelf.<|>new(3)
        """, "Shelf.initialize exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, OWN)
def test_a_call_of_a_type_runs_its_constructor(language: str, source: str, expected: str) -> None:
    assert_constructs(language, source, expected)


INHERITED = [
    row("python", "a class without a constructor has that of its base", """
        class Shelf:
            def __init__(self, size): ...
        class Case(Shelf): ...
        one = <|>Case(3)
        """, "Shelf.__init__ exact"),
    row("python", "of several bases the first with a constructor counts", """
        class Left: ...
        class Right:
            def __init__(self): ...
        class Other:
            def __init__(self): ...
        class Case(Left, Right, Other): ...
        one = <|>Case()
        """, "Right.__init__ exact"),
    row("javascript", "a class without a constructor has that of its base", """
        class Shelf { constructor(size) {} }
        class Case extends Shelf {}
        const one = new <|>Case(3)
        """, "Shelf.constructor exact"),
    row("typescript", "a class without a constructor has that of its base", """
        class Shelf { constructor(size: number) {} }
        class Case extends Shelf {}
        const one = new <|>Case(3)
        """, "Shelf.constructor exact"),
    row("php", "a class without a constructor has that of its base", """
        <?php
        class Shelf { function __construct($size) {} }
        class Case1 extends Shelf {}
        $one = new <|>Case1(3);
        """, "Shelf.__construct exact"),
    row("ruby", "a class without initialize has that of its base", """
        class Shelf
          def initialize(size); end
        end
        class Case < Shelf
        end
        one = Case.<|>new(3)
        """, "Shelf.initialize exact"),
    row("java", "a default constructor calls that of the base without parameters", """
        class Shelf { Shelf(int size) {} Shelf() {} }
        class Case extends Shelf {}
        class Use { Shelf one = new <|>Case(); }
        """, "Shelf.Shelf() exact"),
    row("java", "two default constructors call that of the base's base", """
        class Top { Top() {} }
        class Shelf extends Top {}
        class Case extends Shelf {}
        class Use { Object one = new <|>Case(); }
        """, "Top.Top exact"),
    row("csharp", "a default constructor calls that of the base without parameters", """
        class Shelf { public Shelf(int size) {} public Shelf() {} }
        class Case : Shelf {}
        class Use { Shelf one = new <|>Case(); }
        """, "Shelf.Shelf() exact"),
    row("kotlin", "a default constructor calls that of the base without parameters", """
        open class Shelf { constructor(size: Int) {}
          constructor() {} }
        class Case : Shelf()
        val one = <|>Case()
        """, "Shelf.constructor() exact"),
    row("cpp", "a default constructor calls that of the base without parameters", """
        struct Shelf { Shelf(int size); Shelf(); };
        struct Case : Shelf {};
        void use() { auto one = new <|>Case(); }
        """, "Shelf::Shelf() inferred"),
    row("swift", "a class without an initializer has that of its base", """
        class Shelf { init(size: Int) {} }
        class Case: Shelf {}
        let one = <|>Case(size: 3)
        """, "Shelf.init exact"),
    row("python", "cyclic inheritance ends", """
        class Shelf(Case): ...
        class Case(Shelf):
            def __init__(self): ...
        one = <|>Shelf()
        """, "Case.__init__ exact"),
    row("python", "a class without any constructor runs none", """
        class Shelf: ...
        one = <|>Shelf()
        """, "nothing"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, INHERITED)
def test_a_type_without_a_constructor_runs_that_of_a_base(language: str, source: str, expected: str) -> None:
    assert_constructs(language, source, expected)


OVERLOADS = [
    row("java", "the constructor with as many parameters as arguments runs", """
        class Shelf { Shelf() {} Shelf(int size) {} }
        class Use { Shelf one = new <|>Shelf(3); }
        """, "Shelf.Shelf(int size) exact"),
    row("java", "the constructor with the types of the arguments runs", """
        class Shelf { Shelf(int size) {} Shelf(String name) {} }
        class Use { Shelf one = new <|>Shelf("a"); }
        """, "Shelf.Shelf(String name) exact"),
    row("java", "a constructor of several parameters takes any number", """
        class Shelf { Shelf(int... sizes) {} }
        class Use { Shelf one = new <|>Shelf(3, 4); }
        """, "Shelf.Shelf exact"),
    row("csharp", "the constructor with as many parameters as arguments runs", """
        class Shelf { public Shelf() {} public Shelf(int size) {} }
        class Use { Shelf one = new <|>Shelf(3); }
        """, "Shelf.Shelf(int size) exact"),
    row("csharp", "the constructor with the types of the arguments runs", """
        class Shelf { public Shelf(int size) {} public Shelf(string name) {} }
        class Use { Shelf one = new <|>Shelf("a"); }
        """, "Shelf.Shelf(string name) exact"),
    row("csharp", "an initializer of the object changes nothing", """
        class Shelf { public Shelf(int size) {} public int Size { get; set; } }
        class Use { void Run() { Shelf one = new <|>Shelf(3) { Size = 4 }; } }
        """, "Shelf.Shelf exact"),
    row("kotlin", "the constructor with the types of the arguments runs", """
        class Shelf { constructor(size: Int) {}
          constructor(name: String) {} }
        val one = <|>Shelf("a")
        """, "Shelf.constructor(name: String) exact"),
    row("kotlin", "the header takes part by the types of its parameters", """
        class Shelf(val size: Int) { constructor(name: String) : this(3) }
        val one = <|>Shelf("a")
        """, "Shelf.constructor(name: String) exact"),
    row("java", "a constructor may make another object of its type", """
        class Shelf { Shelf(Shelf next) {} Shelf(int size) { Shelf other = new <|>Shelf(3); } }
        """, "Shelf.Shelf(int size) exact"),
    row("swift", "the initializer with the labels of the arguments runs", """
        class Shelf { init(size: Int) {}
          init(name: String) {} }
        let one = <|>Shelf(name: "a")
        """, "Shelf.init(name: String) exact"),
    row("cpp", "the constructor with as many parameters as arguments runs", """
        struct Shelf { Shelf(); Shelf(int size); };
        void use() { auto one = new <|>Shelf(3); }
        """, "Shelf::Shelf(int size) exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, OVERLOADS)
def test_the_arguments_choose_the_constructor(language: str, source: str, expected: str) -> None:
    assert_constructs(language, source, expected)


# What is no call of a type, or runs no constructor that is written somewhere.
NONE = [
    row("python", "the name of a class alone runs nothing", """
        class Shelf:
            def __init__(self): ...
        one = <|>Shelf
        """, "nothing"),
    row("python", "a base runs nothing", """
        class Shelf:
            def __init__(self): ...
        class Case(<|>Shelf): ...
        """, "nothing"),
    row("kotlin", "the header of a type is its constructor", """
        class Shelf(val size: Int)
        val one = <|>Shelf(3)
        """, "nothing"),
    row("kotlin", "the header fits by the types of its parameters", """
        class Shelf(val size: Int) { constructor(name: String) : this(3) }
        val one = <|>Shelf(3)
        """, "nothing"),
    row("kotlin", "this(...) is a call of the header", """
        class Shelf(val size: Int) { constructor(name: String) : <|>this(3) }
        """, "nothing"),
    row("kotlin", "beside the header another constructor runs where its parameters fit", """
        class Shelf(val size: Int) { constructor(name: String, size: Int) : this(size) }
        val one = <|>Shelf(3)
        """, "nothing"),
    row("scala", "the header of a type is its constructor", """
        class Shelf(val size: Int)
        object Use { val one = new <|>Shelf(3) }
        """, "nothing"),
    row("java", "the header of a record is its constructor", """
        record Shelf(int size) {}
        class Use { Shelf one = new <|>Shelf(3); }
        """, "nothing"),
    row("csharp", "the header of a class is its constructor", """
        class Shelf(int size) {}
        class Use { Shelf one = new <|>Shelf(3); }
        """, "nothing"),
    row("scala", "beside the header another constructor runs where its parameters fit", """
        class Shelf(val size: Int) {
          def this(name: String, size: Int) = this(size)
        }
        object Use { val one = new <|>Shelf(3) }
        """, "nothing"),
    row("java", "super(...) is a call of the constructor", """
        class Shelf { Shelf(int size) {} }
        class Case extends Shelf { Case() { <|>super(3); } }
        """, "nothing"),
    row("java", "this(...) is a call of the constructor", """
        class Shelf { Shelf(int size) {} Shelf() { <|>this(3); } }
        """, "nothing"),
    row("csharp", "base(...) is a call of the constructor", """
        class Shelf { public Shelf(int size) {} }
        class Case : Shelf { public Case() : <|>base(3) {} }
        """, "nothing"),
    row("python", "super().__init__() is a call of the constructor", """
        class Shelf:
            def __init__(self): ...
        class Case(Shelf):
            def __init__(self):
                super().<|>__init__()
        """, "nothing"),
    row("javascript", "super(...) is a call of the constructor", """
        class Shelf { constructor(size) {} }
        class Case extends Shelf { constructor() { <|>super(3) } }
        """, "nothing"),
    row("rust", "a function that returns the type is called itself", """
        struct Shelf { size: u32 }
        impl Shelf { fn new(size: u32) -> Shelf { Shelf { size } } }
        fn use_it() { let one = Shelf::<|>new(3); }
        """, "nothing"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, NONE)
def test_what_runs_no_constructor(language: str, source: str, expected: str) -> None:
    assert_constructs(language, source, expected)


BESIDE = [
    row("python", "the call names the class", """
        class Shelf:
            def __init__(self, size): ...
        one = <|>Shelf(3)
        """, "Shelf exact"),
    row("java", "the call names the class", """
        class Shelf { Shelf(int size) {} }
        class Use { Shelf one = new <|>Shelf(3); }
        """, "Shelf exact"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, BESIDE)
def test_the_name_of_the_type_is_a_reference_to_the_type(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)


DELEGATED = [
    row("java", "super(...) calls the constructor of the base", """
        class Shelf { Shelf(int size) {} }
        class Case extends Shelf { Case() { <|>super(3); } }
        """, "Shelf.Shelf exact"),
    row("javascript", "super(...) calls the constructor of the base", """
        class Shelf { constructor(size) {} }
        class Case extends Shelf { constructor() { <|>super(3) } }
        """, "Shelf.constructor exact"),
    row("typescript", "super(...) calls the constructor of a generic base", """
        class Shelf<T> { constructor(protected size: T) {} }
        class Case extends Shelf<number> { constructor() { <|>super(3) } }
        """, "Shelf.constructor exact"),
    row("typescript", "super(...) calls the constructor of the nearest base that has one", """
        class Shelf { constructor(size: number) {} }
        class Board extends Shelf {}
        class Case extends Board { constructor() { <|>super(3) } }
        """, "Shelf.constructor exact"),
    row("typescript", "super(...) has no target where no base of the repository has a constructor", """
        class Shelf {}
        class Case extends Shelf { constructor() { <|>super() } }
        """, "nothing"),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, DELEGATED)
def test_a_call_of_another_constructor_is_a_call_of_it(language: str, source: str, expected: str) -> None:
    assert_resolves(language, source, expected)
