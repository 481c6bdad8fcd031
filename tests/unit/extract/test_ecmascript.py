"""TypeScript, TSX and JavaScript beyond what marked sources can say: odd bytes, broken and endless sources, names of files."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagentd.extract.file_facts import extract
from codeagentd.languages.language import language_of, languages
from codeagentd.model.facts import FileFacts, pack, unpack
from codeagentd.model.kinds import ReferenceKind, SymbolKind

LANGUAGES = ("typescript", "tsx", "javascript")
DEEP = 5_000
WIDE = 3_000

NESTED = {
    "parentheses": ("x = " + "(" * DEEP, "1" + ")" * DEEP),
    "arrays": ("x = " + "[" * DEEP, "]" * DEEP),
    "objects": ("x = " + "{a:" * DEEP, "1" + "}" * DEEP),
    "arrow functions": ("const f = " + "a => " * DEEP, "1"),
    "functions": ("function f() {" * DEEP, "}" * DEEP),
    "classes": ("class A { m() {" * 500, "}}" * 500),
    "blocks": ("{ let a = 1; " * DEEP, "}" * DEEP),
    "conditions": ("if (a) { let b = 1; " * 2_000, "}" * 2_000),
    "elements": ("const A = " + "<div>" * DEEP, "x" + "</div>" * DEEP),
    "templates": ("x = " + "`${" * DEEP, "1" + "}`" * DEEP),
    "types": ("type T = " + "A<" * DEEP, "B" + ">" * DEEP),
    "patterns": ("const " + "{a:" * DEEP + "b" + "}" * DEEP, " = x"),
    "chained calls": ("a" + ".b()" * 2_000, ""),
    "operators": ("x = " + "1 + " * DEEP, "1"),
}
LONG = {
    "one line of functions": "!function(){"
    + "".join(f"var a{i}=function(b){{return b.c(a{i})}};" for i in range(WIDE))
    + "}();",
    "one declaration": "const " + ",".join(f"a{i}={i}" for i in range(WIDE)),
    "one object": "const x = {" + ",".join(f"k{i}(){{return f({i})}}" for i in range(WIDE)) + "}",
    "one string": 'x = "' + "a" * 1_000_000 + '"',
    "many requires": "\n".join(f"const a{i} = require('./m{i}');" for i in range(WIDE)),
    "many exports": "\n".join(f"export const a{i} = {i};" for i in range(WIDE)),
    "many defaults": "export default x;\n" * WIDE,
    "many comments": "/** d */\n" * WIDE + "function f() {}",
    "backticks": "`" * 5_001,
    "quotes": "'" * 20_001,
    "nothing but NUL": "\0" * 20_000,
}
MODULE = """import Base, { type Copy, helper as h } from "./base";
export * from "./other";
/** A shelf. */
@Component({ selector: "x" })
export default abstract class Shelf<T extends Copy> extends Base<T> implements Door {
  static count: number = 0;
  constructor(private readonly size: number) { super(); }
  get length(): number { return this.size ?? h`a ${Shelf.count}`; }
  lend = async (copy: T): Promise<void> => { for (const one of await copy.all()) this.put(one?.[0]!.id); };
}
export const { a, b: [c = 1], ...rest } = await import("./late"), view = () => <Shelf.Row key={a} {...rest}>{c}</Shelf.Row>;
export enum Color { Red = "red" }
namespace inner { export type Id = string | { [key: string]: Id } }
"""


def symbols(facts: FileFacts) -> dict[str, str]:
    return {symbol.name: SymbolKind(symbol.kind).label for symbol in facts.symbols if symbol.name}


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.ts", "typescript"), ("a.mts", "typescript"), ("a.cts", "typescript"), ("a.d.ts", "typescript"), ("a.spec.ts", "typescript"), ("A.TS", "typescript"),
        ("a.tsx", "tsx"), ("a.js", "javascript"), ("a.mjs", "javascript"), ("a.cjs", "javascript"), ("a.jsx", "javascript"), ("a.json", "json"), ("ts", None),
    ],
)  # fmt: skip
def test_a_file_name_tells_the_language(path: str, language: str | None) -> None:
    assert language_of(path) == language


def test_the_three_languages_import_each_other() -> None:
    assert {languages()[language].family for language in LANGUAGES} == {"ecmascript"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shape", NESTED)
def test_deep_nesting_gives_facts(shape: str, language: str) -> None:
    head, tail = NESTED[shape]
    facts = extract((head + tail).encode(), language)
    assert facts.status in ("full", "partial")
    assert facts.symbols[0].line_end == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shape", NESTED)
def test_nesting_that_never_ends_gives_facts(shape: str, language: str) -> None:
    facts = extract(NESTED[shape][0][:20_000].encode(), language)
    assert facts.symbols[0].kind == SymbolKind.FILE


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shape", LONG)
def test_endless_lines_give_facts(shape: str, language: str) -> None:
    facts = extract(LONG[shape].encode(), language)
    assert facts.lines >= 1
    assert unpack(pack(facts)) == facts


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_module_can_be_cut_anywhere(language: str) -> None:
    source = MODULE.encode()
    for end in range(0, len(source), 3):
        assert extract(source[:end], language).language == language


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60, deadline=None)
@given(
    source=st.one_of(
        st.binary(max_size=300),
        st.text(alphabet="{}()[]<>=.,;:?!'`\"\\/*@#$ \n\tabclassfunctionimportexport", max_size=400).map(str.encode),
    )
)
def test_any_bytes_give_facts(language: str, source: bytes) -> None:
    facts = extract(source, language)
    assert unpack(pack(facts)) == facts
    assert [*facts.references()] == [*extract(source, language).references()]


def test_half_typed_code_keeps_the_definitions_around_it() -> None:
    facts = extract(
        b"class Shelf {\n  lend() {\n    this.\n  }\n  put() {}\n}\nfunction later() { a. }\nconst last = () => 1;\n",
        "typescript",
    )
    assert facts.status == "partial"
    assert symbols(facts) == {
        "Shelf": "class",
        "lend": "method",
        "put": "method",
        "later": "function",
        "last": "function",
    }


def test_columns_count_characters_and_line_ends_of_every_kind() -> None:
    source = "\ufeff/* ä */ const größe = 1;\r\nconst 棚 = '😀' + größe;\r\n"
    facts = extract(source.encode(), "typescript")
    assert [(symbol.name, symbol.line, symbol.col) for symbol in facts.symbols[1:]] == [("größe", 1, 14), ("棚", 2, 6)]
    assert [(reference.name, reference.line, reference.col) for reference in facts.references()] == [("größe", 2, 16)]


def test_a_source_that_is_not_utf_8_gives_facts() -> None:
    facts = extract(b"const caf\xe9 = 1;\nfunction f() { return 'caf\xe9'; }\n", "javascript")
    assert symbols(facts)["f"] == "function"


@pytest.mark.parametrize(
    ("statement", "imports"),
    [
        ('import a from "m"', [("m", "default", "a")]),
        (
            'import a, { b as c, default as d } from "m"',
            [("m", "default", "a"), ("m", "b", "c"), ("m", "default", "d")],
        ),
        ('import a, * as b from "m"', [("m", "default", "a"), ("m", "", "b")]),
        ('import {} from "m"', [("m", "", "")]),
        ('import "m"', [("m", "", "")]),
        ('export * from "m"', [("m", "*", "")]),
        ('export * as a from "m"', [("m", "", "a")]),
        ('export * as "a-b" from "m"', [("m", "", "a-b")]),
        ('export { a as b, default } from "m"', [("m", "a", "b"), ("m", "default", "default")]),
        ('const a = require("m")', [("m", "", "a")]),
        ('let { a, b: c, d = 1, ...e } = require("m")', [("m", "a", "a"), ("m", "b", "c"), ("m", "d", "d")]),
        ('const a = require("m").b', [("m", "b", "a")]),
        ('const a = await import("m")', [("m", "", "a")]),
        ('require("m")', [("m", "", "")]),
        ('f(require("m").a, require("n"))', [("m", "", ""), ("n", "", "")]),
        ('import("m").then((a) => a)', [("m", "", "")]),
        ("require(name), import(name), require(`m`)", []),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_shape_of_import_is_read(statement: str, imports: list[tuple[str, str, str]], language: str) -> None:
    facts = extract(f"{statement};\n".encode(), language)
    assert [(fact.module, fact.name, fact.local) for fact in facts.imports] == imports


def test_an_import_says_where_the_name_and_the_module_stand() -> None:
    (fact,) = extract(b'import {\n  a as b,\n} from "./m";\n', "typescript").imports
    assert (fact.line, fact.col, fact.module_line, fact.module_col) == (2, 2, 3, 8)


def test_an_element_in_a_ts_file_is_a_type_assertion() -> None:
    facts = extract(b'import { Shelf } from "./shelf";\nconst a = <Shelf>value();\n', "typescript")
    assert [reference.kind for reference in facts.references() if reference.name == "Shelf"] == [ReferenceKind.TYPE]
