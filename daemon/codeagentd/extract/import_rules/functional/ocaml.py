"""The import rule of OCaml: modules whose names are opened or included."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from tree_sitter import Node

from codeagentd.extract.import_rules.imported import Imported, Statement, text_of

_PATHS: Final = frozenset({"module_path", "extended_module_path", "module_type_path"})
_LONGEST: Final = 50  # names of a path
_FUNCTOR: Final = "module_application"
_INCLUDING: Final = frozenset({"include_module", "include_module_type"})


def ocaml(statement: Node) -> Statement:
    """Return the import of `statement`: open A.B, include A.B, include A.Make (B), A.B.(…). Includes are exported.

    The modules around the last one are imported without a name.
    """
    path = _path_in(statement)
    if path is not None:
        names = list(islice(_names(path), _LONGEST))
        for count, node in enumerate(names[:-1], start=1):
            yield Imported(_dotted(names[:count]), "", "", node.start_byte, node.start_byte)
        last = names[-1].start_byte
        yield Imported(_dotted(names), "*", "", last, last, exported=statement.type in _INCLUDING)


def _path_in(node: Node) -> Node | None:
    """Return the path of the module that a statement names; that of the functor where it applies one."""
    while node.type not in _PATHS:
        inner = next((child for child in node.named_children if child.type in _PATHS or child.type in _NAMING), None)
        if inner is None:
            return None
        node = inner
    return node


def _names(path: Node) -> Iterator[Node]:
    """List the names of a path in their order; paths nest on the left."""
    waiting = [path]
    while waiting:
        node = waiting.pop()
        if node.type in _PATHS:
            waiting += reversed(node.named_children)
        else:
            yield node


def _dotted(names: list[Node]) -> str:
    return ".".join(map(text_of, names))


# nodes around the path of a module
_NAMING: Final = frozenset(
    {_FUNCTOR, "module_type_constraint", "module_type_of", "parenthesized_module_expression", "typed_module_expression"}
)
