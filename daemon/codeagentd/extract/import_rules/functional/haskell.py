"""The rules for the import statements and the export list of Haskell.

Source: Haskell 2010 Language Report, 5.2 "Export Lists" and 5.3 "Import Declarations".
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.import_rules.imported import Exported, Imported, Statement, text_of
from codeagentd.extract.syntax_nodes import children

ALL: Final = "*"  # all names of a module, or all members of a type
_HIDING: Final = "hiding"
_PATTERN: Final = "pattern"
_QUALIFIED: Final = "qualified"


def haskell(statement: Node) -> Statement:
    """Return the imports of `statement`: import A.B; import qualified A.B as C; import A (f, T(..), U(X)); import A
    hiding (f).

    The first names the module: its local name is what qualified names begin with. A member of a type or class is
    `T.X`, all of them are `T.*`, a pattern is `pattern.X`. Names that are hidden bind nothing. All are exported if the
    module exports what it imports under that local name.
    """
    module = statement.child_by_field_name("module")
    if module is None:
        return
    words = {child.type for child in statement.children}
    whole, at = text_of(module), module.start_byte
    qualifier = text_of(statement.child_by_field_name("alias")) or whole
    exported = _QUALIFIED not in words and qualifier in _exported_modules(statement)
    yield Imported(whole, "", qualifier, at, at)
    listed = statement.child_by_field_name("names")
    if _QUALIFIED in words:
        return
    is_hiding = _HIDING in words
    if listed is None or is_hiding:
        yield Imported(whole, ALL, "", at, at, exported)
    for owner, name, node, is_type in _items(listed):
        full = f"{owner}.{name}" if owner else name
        local = "" if is_hiding else full if name == ALL else name
        yield Imported(whole, full, local, node.start_byte, at, exported and not is_hiding, is_type, bound=True)


def export_items(exports: Node) -> Iterator[Exported]:
    """List the names that the list `exports` of a module header exports: f, T(..) as `T` and `T.*`, U(X) as `U` and
    `U.X`, pattern P as `pattern.P`. Whole modules are marked at their imports.
    """
    for owner, name, _, _ in _items(exports):
        exported = f"{owner}.{name}" if owner else name
        yield Exported(exported, exported)


def _exported_modules(statement: Node) -> frozenset[str]:
    """Return the modules that the module around an import exports, by the names that they have in it."""
    root = statement
    while root.parent is not None:
        root = root.parent
    header = next((child for child in root.named_children if child.type == "header"), None)
    exports = header.child_by_field_name("exports") if header is not None else None
    return _modules_in(exports) if exports is not None else frozenset()


@functools.lru_cache(maxsize=1)  # every import of a file asks
def _modules_in(exports: Node) -> frozenset[str]:
    items = [item for item in children(exports) if item.type == "module_export"]
    return frozenset(text_of(item.child_by_field_name("module")) for item in items)


def _items(listed: Node | None) -> Iterator[tuple[str, str, Node, bool]]:
    """List (type or class around it, name, node, whether it is a type) of all names in a list of imports or exports."""
    for item in children(listed) if listed is not None else ():
        outer = next((node for field in _FIELDS if (node := item.child_by_field_name(field)) is not None), None)
        if outer is None:
            continue
        outer = _plain(outer)
        is_pattern = text_of(item.child_by_field_name("namespace")) == _PATTERN
        yield _PATTERN * is_pattern, text_of(outer), outer, outer.type == "name" and not is_pattern
        inner = item.child_by_field_name("children")
        for child in inner.children_by_field_name("element") if inner is not None else ():
            yield text_of(outer), ALL if child.type == "all_names" else text_of(_plain(child)), child, False


def _plain(node: Node) -> Node:
    """Return the node of a name without its module and its parentheses."""
    name = node.child_by_field_name("id") or node
    inner = children(name)
    return inner[0] if name.type == "prefix_id" and inner else name


_FIELDS: Final = ("type", "variable", "operator")
