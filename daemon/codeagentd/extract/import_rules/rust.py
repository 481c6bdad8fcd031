"""The import rule of Rust: use declarations, extern crates, and modules in files of their own."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import first_of

from .imported import Imported, Statement, text_of

_PATHS = frozenset({"identifier", "scoped_identifier", "crate", "super", "self", "metavariable"})


def rust(statement: Node) -> Statement:
    """Return the imports of the declaration `statement`: use a::{b, c as d, e::*}; extern crate a as b; mod a;

    Paths are those of the file (The Rust Reference, "Paths", "Use declarations"): `self` and `super` of an inline
    module are replaced. `mod a;` is a path to a file, `./a`, below the enclosing modules; the attribute `path` names
    another one ("Modules").
    """
    inside = _modules_around(statement)
    exported = any(child.type == "visibility_modifier" for child in statement.children)
    if statement.type == "mod_item":
        name = statement.child_by_field_name("name")
        if name is not None:
            place = _path_attribute(statement) or "/".join([*inside, text_of(name)])
            yield Imported(f"./{place}", "", text_of(name), name.start_byte, name.start_byte, exported, bound=True)
    elif statement.type == "extern_crate_declaration":
        name, other = statement.child_by_field_name("name"), statement.child_by_field_name("alias")
        if name is not None:
            yield Imported(
                f"::{text_of(name)}", "", text_of(other or name), name.start_byte, name.start_byte, exported, bound=True
            )
    elif (argument := statement.child_by_field_name("argument")) is not None:
        named = _named_here(statement) if inside else frozenset()
        for path, alias, node in _tree(argument, ""):
            yield _used(_from_file(path, inside, named), alias, node, exported)


def _used(path: str, alias: str | None, node: Node, exported: bool) -> Imported:
    module, _, name = path.rpartition("::")
    if name == "self":
        path, module, name = module, module.rpartition("::")[0], module.rpartition("::")[2]
    local = name if alias is None else alias
    if not module or name in ("crate", "super"):
        module, name = path, ""
    local = "" if name == "*" or local in ("_", "crate", "super") else local
    return Imported(module, name, local, node.start_byte, node.start_byte, exported, bound=True)


def _tree(node: Node, prefix: str) -> Iterator[tuple[str, str | None, Node]]:
    """List (whole path, alias, position of the last name) of each leaf of a use tree."""
    todo = [(node, prefix)]
    while todo:
        node, prefix = todo.pop()
        if node.type == "use_as_clause":
            path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
            if path is not None:
                yield prefix + _text(path), text_of(alias), _last(path)
        elif node.type == "use_wildcard":
            path = first_of(node)
            yield (
                f"{prefix}{_text(path)}::*" if path is not None else f"{prefix}*",
                None,
                _last(path) if path is not None else node,
            )
        elif node.type == "scoped_use_list":
            path, inner = node.child_by_field_name("path"), node.child_by_field_name("list")
            if inner is not None:
                todo.append((inner, f"{prefix}{_text(path)}::" if path is not None else prefix or "::"))
        elif node.type == "use_list":
            todo += [(child, prefix) for child in reversed(node.named_children)]
        elif node.type in _PATHS:
            yield prefix + _text(node), None, _last(node)


def _text(node: Node) -> str:
    return "".join(text_of(node).split())


def _last(path: Node) -> Node:
    return path.child_by_field_name("name") or path


def _modules_around(node: Node) -> list[str]:
    """Return the names of the modules of this file around a statement, outermost first."""
    names: list[str] = []
    enclosing = node.parent
    while enclosing is not None:
        if enclosing.type == "mod_item":
            names.insert(0, text_of(enclosing.child_by_field_name("name")))
        enclosing = enclosing.parent
    return names


def _from_file(path: str, inside: list[str], named: frozenset[str]) -> str:
    """Return a path as it would be written at the top of the file."""
    if not inside:
        return path
    head, *rest = path.split("::")
    if head == "self":
        return "::".join(["self", *inside, *rest])
    if head != "super":
        return "::".join(["self", *inside, path]) if head in named else path
    enclosing = list(inside)
    while head == "super" and enclosing:
        enclosing.pop()
        head, *rest = rest or [""]
        if head != "super":
            return "::".join(filter(None, ["self", *enclosing, head, *rest]))
    return "::".join(filter(None, [head, *rest]))


def _named_here(statement: Node) -> frozenset[str]:
    """Return the names that the module around a statement defines, which precede crates of the same name in paths."""
    enclosing = statement.parent
    return (
        frozenset(text_of(child.child_by_field_name("name")) for child in enclosing.named_children)
        if enclosing is not None
        else frozenset()
    )


def _path_attribute(statement: Node) -> str:
    """Return the file that an attribute before a module names: #[path = "other.rs"]."""
    before = statement.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment"):
        attribute = first_of(before) if before.type == "attribute_item" else None
        if attribute is not None and text_of(first_of(attribute)) == "path":
            return text_of(attribute.child_by_field_name("value")).strip('"')
        before = before.prev_named_sibling
    return ""
