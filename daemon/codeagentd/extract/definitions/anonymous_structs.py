"""Anonymous structs: struct types that are written out where they are used.

In Go line ends separate the fields of a struct. The text on one line has separators instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children, text_of
from codeagentd.model.facts import MORE

_STRUCT: Final = "struct_type"
_FIELDS: Final = "field_declaration_list"
_FIELD: Final = "field_declaration"
_COMPOSITE: Final = frozenset(
    {"slice_type", "array_type", "implicit_length_array_type", "map_type", "pointer_type", "channel_type"}
)
_DEEPEST: Final = 8


def struct_text(node: Node, source: bytes, depth: int = 0) -> str:
    """Return the text of the anonymous struct type `node`, `[]struct { name string; book *Book }` as `[]{ name: string;
    book: *Book }`. '' for a type that neither is nor contains one.
    """
    inside = children(node)
    if depth < _DEEPEST and node.type in _COMPOSITE and inside and (text := struct_text(inside[-1], source, depth + 1)):
        return source[node.start_byte : inside[-1].start_byte].decode(errors="replace") + text
    return (
        f"{{ {'; '.join(_fields(inside[0], source, depth))} }}"
        if node.type == _STRUCT and inside and inside[0].type == _FIELDS
        else ""
    )


def _fields(list_: Node, source: bytes, depth: int) -> Iterator[str]:
    for field in children(list_):
        type_ = field.child_by_field_name("type")
        if field.type != _FIELD or type_ is None:
            continue
        names = field.children_by_field_name("name")
        text = struct_text(type_, source, depth + 1) or " ".join(text_of(type_, source).split())
        yield from (f"{text_of(name, source)}: {text}" for name in names)
        if not names:
            yield f"{text.rpartition('.')[2]}: {text}"
            yield f"{MORE}: any"  # an embedded type may have further members
