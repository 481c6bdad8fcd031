"""The queries of generic languages, derived from the node types and fields of their grammars: `make grammars`
writes them, and a test compares what can be compared quickly.

A type of node is a definition by the words of its name: `function_definition`, `struct_item`. Its name is a field, or
the first child that is like an identifier. A pattern that the grammar cannot have is found by compiling it. What the
words do not tell, the table says: `kinds` of nodes ('' for none), and whole `patterns`.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from tree_sitter import Language as Grammar
from tree_sitter import Query, QueryError
from tree_sitter_language_pack import get_language

from codeagentd.languages.generic_table import FOLDER, TABLE
from tests.harness.patterns_by_example import Example

DATA: Final = Path(__file__).resolve().parents[2] / "daemon" / "codeagentd" / "languages" / "data"
PLACE: Final = DATA / FOLDER
EXAMPLES: Final = Path(__file__).with_name("generic_samples.toml")
PACK: Final = "tree-sitter-language-pack"

# by word of a node type: the kind of symbol; a later word of the name says more than an earlier one
_KINDS: Final = {
    "function": "function", "func": "function", "fun": "function", "fn": "function", "defun": "function",
    "procedure": "function", "proc": "function", "subroutine": "function", "sub": "function", "routine": "function",
    "subprogram": "function", "task": "function", "predicate": "function", "query": "function", "operator": "function",
    "method": "method", "constructor": "constructor", "destructor": "method", "getter": "method", "setter": "method",
    "macro": "macro", "class": "class", "actor": "class", "contract": "class", "entity": "class",
    "instance": "class", "typeclass": "interface", "interface": "interface", "protocol": "interface",
    "trait": "trait", "struct": "struct", "structure": "struct", "record": "struct", "union": "struct",
    "bitstruct": "struct", "enum": "enum", "enumeration": "enum", "error": "enum", "type": "type", "typedef": "type",
    "alias": "type", "newtype": "type", "datatype": "type", "scalar": "type", "opaque": "type",
    "module": "module", "mod": "module", "package": "module", "program": "module", "library": "module",
    "unit": "module", "namespace": "namespace", "constant": "constant", "const": "constant", "define": "constant",
    "variable": "variable", "var": "variable", "let": "variable", "global": "variable", "val": "variable",
    "value": "variable", "signal": "event", "event": "event", "field": "field", "property": "property",
    "member": "field", "component": "field", "enumerator": "enum_member", "variant": "enum_member",
    "message": "message", "service": "service", "rpc": "method", "endpoint": "service", "resource": "resource",
    "rule": "function", "target": "target", "section": "key", "pair": "key", "setting": "key", "option": "key",
    "label": "function", "table": "table", "view": "view", "trigger": "trigger",
}  # fmt: skip
_VALUES: Final = frozenset({"variable"})
# words that say of a name of several words that it is of a definition
_DEFINING: Final = frozenset(
    {"definition", "declaration", "decl", "def", "defn", "item", "statement", "stmt", "spec", "specification", "definer",
     "entry", "directive", "command", "construct",
     "signature", "implementation", "lit", "binding", "decr", "specifier"}
)  # fmt: skip
# words that say that it is not
_OTHERWISE: Final = frozenset(
    {"call", "expression", "expr", "exp", "literal", "parameter", "parameters", "param", "params", "arg", "argument",
     "arguments", "name", "names", "identifier", "id", "reference", "ref", "modifier", "modifiers", "access", "list",
     "pointer", "use", "import", "imports", "include", "return", "keyword", "end", "begin", "pattern", "invocation",
     "application", "selector", "constraint", "initializer", "initialiser", "forward", "comment", "attribute", "new",
     "creation", "cast", "assignment", "if", "for", "while", "with", "case", "switch", "match", "try", "lambda",
     "anonymous", "generic", "open", "exit", "raise", "export", "exports", "exposing", "extends", "implements",
     "heritage", "superclass", "qualifier", "condition", "loop", "suffix", "prefix", "prefixes", "of", "free", "throw",
     "nested", "instantiation", "map", "catch", "throws", "handler", "assert", "goto", "delete", "fields", "concatenation",
     "stub", "renaming", "infix", "else", "guard", "annotation", "result", "derive", "deriving", "using", "default"}
)  # fmt: skip
_IDENTIFIERS: Final = frozenset(
    {"identifier", "ident", "id", "name", "symbol", "sym", "word", "atom", "variable", "var", "iden", "qid"}
)
_NEVER_NAMES: Final = frozenset(
    {"literal", "string", "keyword", "escape", "operator", "comment", "number", "primitive", "builtin", "kwd", "end",
     "lit", "path", "import", "include", "module"}
)  # fmt: skip
_NAME_FIELDS: Final = re.compile(
    r"name|ident|^id$|^key$|^label$|^symbol$|^declarator$|^lhs$|^left$|^target$|^variable$|^pattern$", re.IGNORECASE
)
_HEADS: Final = frozenset(
    {"header", "head", "declarator", "signature", "prototype", "name", "spec", "specification", "left", "heading"}
)
# words of a name that do not say what it is the name of
_NEUTRAL: Final = _IDENTIFIERS | {
    "type",
    "simple",
    "upper",
    "lower",
    "case",
    "value",
    "qualified",
    "scoped",
    "dotted",
    "nested",
    "plain",
    "local",
    "upcase",
    "camel",
    "field",
    "path",
    "user",
    "escaped",
    "quoted",
    "long",
    "short",
    "raw",
    "extended",
    "defining",
}
_PARAMETERS: Final = frozenset({"parameters", "params"})
_OF_TYPES: Final = frozenset({"type", "template", "generic", "preproc", "actual", "switch", "implicit", "derived"})
_CALLEES: Final = ("function", "name", "callee", "method", "function_name", "method_name", "target", "left", "head")


def words_of(kind: str) -> list[str]:
    """Return the words of a type of node in small letters: of `function_definition`, of `FnDecl`."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind) if not kind.isupper() else kind
    return [word for word in split.lower().split("_") if word]


class Derivation:
    """The derivation of one grammar's query; `row` is that of its language in the table."""

    def __init__(self, grammar: Grammar, row: dict[str, Any], example: Example) -> None:
        self._grammar = grammar
        self._example = example
        self._row = row
        self._kinds = [*dict.fromkeys(
            kind
            for number in range(grammar.node_kind_count)
            if grammar.node_kind_is_named(number)
            and grammar.node_kind_is_visible(number)
            and (kind := grammar.node_kind_for_id(number))
            and re.fullmatch(r"[A-Za-z_]\w*", kind)
        )]  # fmt: skip
        self._fields = [
            field for number in range(1, grammar.field_count + 1) if (field := grammar.field_name_for_id(number))
        ]
        given = row.get("identifiers")
        self._names = given or [kind for kind in self._kinds if self._is_name(kind)]

    def query(self) -> str:
        """Return the text of the query. Errors: ValueError where a definition of the example cannot be told apart."""
        lines = ["; Derived from the grammar by `make grammars`.", *self._row.get("patterns", ())]
        if self._row.get("patterns"):
            found = [e for e in self._example.expected if not any(self._example._finds(p, e) for p in lines[1:])]
            self._example.expected, given = found, self._example.expected
            lines += self._example.patterns()
            self._example.expected = given
        else:
            lines += self._example.patterns()
        for kind, symbol in () if self._row.get("only_example") else self._definitions():
            if kind not in self._example.shown:
                lines += [line for line in self._patterns(kind, symbol) if self._example.is_right(line)]
        if not self._row.get("data"):
            lines += [] if self._row.get("only_example") else [*self._bound(), *self._called()]
            lines += [f"({kind}) @ref" for kind in self._leaves()]
        lines += [f"({kind}) @comment" for kind in self._kinds if "comment" in words_of(kind) and self._may_be(kind)]
        return "\n".join(dict.fromkeys(lines)) + "\n"

    def _may_be(self, kind: str) -> bool:
        return self._compiles(f"({kind}) @_")

    def _is_name(self, kind: str) -> bool:
        words = set(words_of(kind))
        return (
            words_of(kind)[-1] in _IDENTIFIERS
            and not kind.startswith("_")
            and not words & _NEVER_NAMES
            and not words & _DEFINING
        )

    def _leaves(self) -> list[str]:
        """The names without parts: every one of them may be a reference."""
        if "identifiers" in self._row:
            return self._names
        return [
            kind
            for kind in self._names
            if self._may_be(kind) and not any(self._compiles(f"({kind} ({other}))") for other in self._names)
        ]

    def _definitions(self) -> Iterator[tuple[str, str]]:
        """The types of nodes that are definitions, and the kinds of their symbols."""
        given = self._row.get("kinds", {})
        for kind in self._kinds:
            symbol = given[kind] if kind in given else kind_of(kind)
            if symbol:
                yield kind, symbol

    def _patterns(self, kind: str, symbol: str) -> list[str]:
        names = self._places(kind)
        if symbol in _VALUES:
            return [place.format(kind, "@bind.define") for place in names]
        if not names:
            return []
        return [f"{place.format(kind, '@name')} @def.{symbol}" for place in names]

    def _places(self, kind: str) -> list[str]:
        """Where a definition has its name, as patterns with `{0}` for its type and `{1}` for the capture."""
        fields = sorted(
            (field for field in self._fields if _NAME_FIELDS.search(field) and not field.startswith("end")),
            key=lambda field: (field != "name", not field.endswith("name"), field in ("left", "pattern", "target")),
        )
        for field in fields:
            if not self._compiles(f"({kind} {field}: _ @_)"):
                continue
            direct = [name for name in self._names if self._compiles(f"({kind} {field}: ({name}) @_)")]
            if direct:
                return [f"({{0}} {field}: {_any_of(_fitting(kind, direct))} {{1}})"]
            if inner := self._inside(f"({kind} {field}: ({{}} {{}}))"):
                return [f"({{0}} {field}: ({outer} {place}))" for outer, place in inner]
        for form in ("({0} . {1} {{1}})", "({0} {1} {{1}})"):
            direct = [name for name in self._names if self._compiles(form.format(kind, f"({name})").format("", "@_"))]
            if direct:
                return [form.format("{0}", _any_of(_fitting(kind, direct)))]
        return [f"({{0}} ({outer} {place}))" for outer, place in self._inside(f"({kind} ({{}} {{}}))")]

    def _inside(self, form: str) -> list[tuple[str, str]]:
        """The nodes that stand between a definition and its name: headers, declarators."""
        results = []
        for outer in self._kinds:
            if not set(words_of(outer)) & _HEADS or not self._compiles(form.format(outer, "")):
                continue
            for part in [*(f"{field}: " for field in self._fields if _NAME_FIELDS.search(field)), ". ", ""]:
                names = [name for name in self._names if self._compiles(form.format(outer, f"{part}({name})"))]
                if names:
                    results.append((outer, f"{part}{_any_of(_fitting(outer, names))} {{1}}"))
                    break
        return results

    def _bound(self) -> list[str]:
        """Patterns for parameters: they are variables of their function."""
        results = []
        for kind in self._kinds:
            words = words_of(kind)
            if (words[-1] in _PARAMETERS or words[-2:] == ["parameter", "list"]) and not _OF_TYPES.intersection(words):
                names = [name for name in self._names if self._compiles(f"({kind} ({name}) @_)")]
                results += [f"({kind} {_any_of(_fitting(kind, names))} @bind)"] if names else []
            if not {"parameter", "param", "argdecl"} & set(words) or {"list", "type", "generic", "call"} & set(words):
                continue
            results += [place.format(kind, "@bind") for place in self._places(kind)[:1]]
        return results

    def _called(self) -> list[str]:
        """Patterns for calls: what is called is their field, or their first name."""
        results = []
        for kind in self._kinds:
            words = set(words_of(kind))
            if not words & {"call", "invocation", "application", "apply", "instantiation"} or words & {
                "argument",
                "arguments",
                "suffix",
                "list",
                "identifier",
            }:
                continue
            for part in [*(f"{field}: " for field in _CALLEES if field in self._fields), ". "]:
                names = [name for name in self._names if self._compiles(f"({kind} {part}({name}) @_)")]
                if names:
                    results.append(f"({kind} {part}{_any_of(_fitting(kind, names))} @ref.call)")
                    break
        return results

    def _compiles(self, pattern: str) -> bool:
        try:
            Query(self._grammar, pattern)
        except (QueryError, ValueError):
            return False
        return True


def kind_of(kind: str) -> str:
    """Return the kind of the symbol that a type of node defines, by the words of its name; '' for no definition."""
    words = words_of(kind)
    if set(words) & _OTHERWISE:
        return ""
    known = [word for word in words if word in _KINDS]
    if not known:
        return ""
    is_alone = len(words) == 1 and words[0] not in (
        "type",
        "field",
        "error",
        "value",
        "object",
        "property",
        "member",
        "label",
        "operator",
        "program",
        "query",
        "global",
        "unit",
        "table",
        "rule",
        "pair",
        "section",
        "module",
        "variable",
        "constant",
        "option",
        "task",
        "val",
        "record",
        "const",
        "var",
    )
    if not (is_alone or set(words) & _DEFINING):
        return ""
    return _KINDS[known[0]]


def _fitting(kind: str, names: Sequence[str]) -> Sequence[str]:
    """The names that a node of this type may have by their words: of a struct a `struct_name`, no `enum_name`."""
    words = {*words_of(kind), *_NEUTRAL}
    return [name for name in names if words.issuperset(words_of(name))] or names


def _any_of(names: Sequence[str]) -> str:
    return f"({names[0]})" if len(names) == 1 else f"[{' '.join(f'({name})' for name in names)}]"


def read_table() -> dict[str, Any]:
    """Return the table as it is in its file."""
    result: dict[str, Any] = json.loads((PLACE / TABLE).read_text(encoding="utf-8"))
    return result


def read_examples() -> dict[str, Any]:
    """Return the example of each language: its source, and the definitions in it."""
    return tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))


def derived(row: dict[str, Any], example: dict[str, Any]) -> str:
    """Return the query of the language with this row and example."""
    grammar = get_language(row["grammar"])
    return Derivation(grammar, row, Example(grammar, example["source"].encode(), example["defines"])).query()


def main(names: Sequence[str]) -> None:
    """Derive the queries of the languages `names`, of all without any, and write them and the table."""
    table, samples = read_table(), read_examples()
    rows = table["languages"]
    for folder in DATA.iterdir():  # a language with a folder needs no row
        if rows.pop(folder.name, None) is not None:
            (PLACE / f"{folder.name}.scm").unlink(missing_ok=True)
    for name in names or rows:
        query = derived(rows[name], samples[name])
        (PLACE / f"{name}.scm").write_text(query, encoding="utf-8")
        print(name, query.count("\n"), flush=True)
    write(table)


def digest_of(name: str) -> str:
    """Return the digest of the query of a language."""
    return hashlib.blake2b((PLACE / f"{name}.scm").read_bytes(), digest_size=6).hexdigest()


def write(table: dict[str, Any]) -> None:
    """Write the table, one language a line, with the digests of the queries and the version of the pack."""
    for name, row in table["languages"].items():
        row["digest"] = digest_of(name)
    (PLACE / TABLE).write_text(rendered(table), encoding="utf-8")


def rendered(table: dict[str, Any]) -> str:
    """Return the text of the table, as its file has it: one language a line."""
    parts = [f'  "pack": {json.dumps(version(PACK))}', *_parts(table)]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _parts(table: dict[str, Any]) -> Iterable[str]:
    for part in ("languages", "left_out"):
        lines = [
            f"    {json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}"
            for name, row in sorted(table[part].items())
        ]
        yield f'  "{part}": {{\n' + ",\n".join(lines) + "\n  }"


if __name__ == "__main__":
    main(sys.argv[1:])
