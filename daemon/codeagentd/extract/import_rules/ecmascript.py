"""The import and export rules of ECMAScript and TypeScript: import, export … from, require, import(), export lists and
export assignments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children, first_of

from .imported import Exported, Imported, Statement, text_of

# TypeScript, "JSX": elements become calls of functions of these modules of the package that the comment names
_JSX_SOURCE: Final = re.compile(r"@jsxImportSource\s+([^\s*]+)")
_JSX_RUNTIMES: Final = ("jsx-runtime", "jsx-dev-runtime")


def ecmascript(statement: Node) -> Statement:
    """Return the imports of `statement`: import and export … from in all their forms; require and import() as the value
    of a variable, as the value of an export, or alone; the modules behind the elements of JSX, where a comment names
    their package.
    """
    if statement.type == "comment":
        yield from _jsx_runtimes(statement)
    elif statement.type == "import_statement":
        yield from _import_statement(statement)
    elif statement.type == "export_statement":
        yield from _export_from(statement)
    elif statement.type == "variable_declarator":
        yield from _loaded(statement.child_by_field_name("value"), _pattern(statement.child_by_field_name("name")))
    elif statement.type == "assignment_expression":
        yield from _assigned_export(statement)
    else:
        yield from _loaded(statement, [("", "", None)])


def _import_statement(statement: Node) -> Statement:
    clause = next(
        (child for child in statement.named_children if child.type in ("import_clause", "import_require_clause")), None
    )
    source = statement.child_by_field_name("source") or (clause.child_by_field_name("source") if clause else None)
    module, at = _quoted(source)
    type_only = _has_word(statement, "type")
    if clause is None or text_of(clause).strip("{} \t\r\n") == "":
        yield Imported(module, "", "", at, at)
        return
    for child in clause.named_children:
        if child.type == "identifier":
            whole = clause.type == "import_require_clause"
            yield Imported(
                module, "" if whole else "default", text_of(child), child.start_byte, at, type_only=type_only
            )
        elif child.type == "namespace_import":
            local = children(child)[-1]
            yield Imported(module, "", text_of(local), local.start_byte, at, type_only=type_only)
        elif child.type == "named_imports":
            for specifier, name, alias in _specifiers(child):
                yield Imported(
                    module, name, alias, specifier.start_byte, at, type_only=type_only or _has_word(specifier, "type")
                )


def _jsx_runtimes(comment: Node) -> Statement:
    text = text_of(comment)
    if match := _JSX_SOURCE.search(text):
        at = comment.start_byte + len(text[: match.start(1)].encode())
        for runtime in _JSX_RUNTIMES:
            yield Imported(f"{match[1].rstrip('/')}/{runtime}", "", "", at, at, is_value=True)


def _export_from(statement: Node) -> Statement:
    module, at = _quoted(statement.child_by_field_name("source"))
    type_only = _has_word(statement, "type")
    named = [child for child in statement.named_children if child.type in ("export_clause", "namespace_export")]
    if not named:
        yield Imported(module, "*", "", at, at, exported=True, type_only=type_only)
    for child in named:
        if child.type == "namespace_export":
            yield Imported(
                module, "", _unquoted(child.children[-1]), child.start_byte, at, exported=True, type_only=type_only
            )
            continue
        for specifier, name, local in _specifiers(child):
            yield Imported(
                module,
                name,
                local,
                specifier.start_byte,
                at,
                exported=True,
                type_only=type_only or _has_word(specifier, "type"),
            )


def _specifiers(clause: Node) -> Iterator[tuple[Node, str, str]]:
    """List (node, name, local name) of each entry of an import or export list."""
    for specifier in clause.named_children:
        name = specifier.child_by_field_name("name")
        if name is not None:
            yield specifier, _unquoted(name), _unquoted(specifier.child_by_field_name("alias") or name)


def _loaded(value: Node | None, names: list[tuple[str, str, Node | None]], *, exported: bool = False) -> Statement:
    """Return the imports of the names that get the value of require("…"), import("…") or of a member of them."""
    member = ""
    if value is not None and value.type == "await_expression":
        value = first_of(value)
    if value is not None and value.type == "member_expression":
        member = text_of(value.child_by_field_name("property"))
        value = value.child_by_field_name("object")
    arguments = value.child_by_field_name("arguments") if value is not None else None
    source = first_of(arguments)  # `import(/* webpackChunkName: "shelf" */ "./shelf")`
    if source is None or source.type != "string":
        return
    module, at = _quoted(source)
    chosen = "" if member in _OF_PROMISES else member
    for name, local, node in names:
        start = node.start_byte if node else at
        is_value = not (chosen or name or local or exported)
        yield Imported(module, chosen or name, local, start, at, exported, is_value=is_value)


_OF_PROMISES: Final = frozenset({"then", "catch", "finally"})


def _pattern(target: Node | None) -> list[tuple[str, str, Node | None]]:
    """Return (name in the module, local name, position) of each variable that a declaration binds; '' = the module
    itself.
    """
    if target is None or target.type == "identifier":
        return [("", text_of(target), target)]
    results: list[tuple[str, str, Node | None]] = []
    for child in target.named_children:
        if child.type == "shorthand_property_identifier_pattern":
            results.append((text_of(child), text_of(child), child))
        elif child.type == "object_assignment_pattern" and (left := child.child_by_field_name("left")):
            results.append((text_of(left), text_of(left), left))
        elif (
            child.type == "pair_pattern"
            and (key := child.child_by_field_name("key"))
            and (value := child.child_by_field_name("value"))
        ):
            results.append((_unquoted(key), text_of(value) if value.type == "identifier" else "", key))
    return results or [("", "", None)]


def _assigned_export(assignment: Node) -> Statement:
    """Return the imports of an assignment: module.exports = require("…"), exports.name = require("…")."""
    left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
    name = text_of(left.child_by_field_name("property")) if left else ""
    whole = text_of(left) == "module.exports"
    yield from _loaded(right, [("*", "", None) if whole else ("", name, left)], exported=True)


def _has_word(node: Node, word: str) -> bool:
    return any(child.type == word for child in node.children)


def _quoted(node: Node | None) -> tuple[str, int]:
    """Return (text between the quotes, its start)."""
    return (_unquoted(node), node.start_byte + 1) if node is not None else ("", 0)


def _unquoted(node: Node | None) -> str:
    text = text_of(node)
    return text[1:-1] if text[:1] in ("'", '"', "`") else text


def export_list(clause: Node) -> Iterator[Exported]:
    """List the exports of the export clause `clause`: export { a, b as c }."""
    return (Exported(name, local) for _, local, name in _specifiers(clause))


def export_object(value: Node) -> Iterator[Exported]:
    """List the exports of `value`, an object that is the module: module.exports = { a, b: c, d() {} }."""
    for entry in value.named_children:
        if entry.type == "shorthand_property_identifier":
            yield Exported(text_of(entry), text_of(entry))
        elif entry.type == "method_definition":
            name = text_of(entry.child_by_field_name("name"))
            yield Exported(name, name)
        elif entry.type == "pair" and (child := entry.child_by_field_name("value")):
            name = _unquoted(entry.child_by_field_name("key"))
            yield Exported(name, text_of(child) if child.type == "identifier" else name)


def export_assignment(assignment: Node) -> Iterator[Exported]:
    """List the one export of `assignment`: exports.a = b."""
    left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
    if left and right:
        name = text_of(left.child_by_field_name("property"))
        yield Exported(name, text_of(right) if right.type == "identifier" else name)


def export_default(name: Node) -> Iterator[Exported]:
    """List the one export of `export default a`, in which `name` is `a`."""
    yield Exported("default", text_of(name))


def export_module(name: Node) -> Iterator[Exported]:
    """List the exports of `export = a` or `module.exports = a`, in which `name` is `a`: it is the module itself, and
    its default export.
    """
    yield Exported("", text_of(name))
    yield Exported("default", text_of(name))
