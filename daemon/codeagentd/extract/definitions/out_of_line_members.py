"""Out-of-line members: definitions outside of their type under a qualified name, `void lib::Shelf<T>::lend() {…}`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tree_sitter import Node

from codeagentd.model.kinds import TYPES, SymbolKind

if TYPE_CHECKING:
    from .draft import Draft

_OWNERS: Final = TYPES | {SymbolKind.NAMESPACE, SymbolKind.MODULE}
_FUNCTION: Final = int(SymbolKind.FUNCTION)
_METHOD: Final = int(SymbolKind.METHOD)
_CONSTRUCTOR: Final = int(SymbolKind.CONSTRUCTOR)
_VARIABLE: Final = int(SymbolKind.VARIABLE)
_FIELD: Final = int(SymbolKind.FIELD)


def qualify(draft: Draft, node: Node, source: bytes) -> None:
    """Split the qualified name `node` of `draft`: the last part is its name, those before it, without type arguments,
    its owners.

    A draft that already has a name is left unchanged: it belongs to a declaration that defines nothing, `extern
    template void Shelf::lend(int);`.
    """
    if draft.name:
        return
    owners: list[str] = []
    while node.type == "qualified_identifier" and (name := node.child_by_field_name("name")):
        if scope := node.child_by_field_name("scope"):
            owners.append(source[scope.start_byte : scope.end_byte].decode(errors="replace").partition("<")[0].strip())
        node = name
    draft.owner = "::".join(owners)
    end = node.end_byte
    if node.type == "template_function":
        node = node.child_by_field_name("name") or node
        end = node.end_byte
    elif node.type == "operator_cast" and (declarator := node.child_by_field_name("declarator")):
        end = declarator.start_byte
    draft.name_start, draft.name_end = node.start_byte, end
    draft.name = b" ".join(source[node.start_byte : end].split())


def adopt_members(drafts: Sequence[Draft], adopted: Sequence[Draft]) -> None:
    """Attach the out-of-line members `adopted` to the type or namespace in `drafts` that their qualified names name,
    searched from their position outwards.
    """
    owners = {_path(draft): draft for draft in reversed(drafts) if draft.kind in _OWNERS and not draft.owner}
    for draft in adopted:
        enclosing, own = _path(draft.parent), tuple(name.strip().encode() for name in draft.owner.split("::"))
        result = next(
            (owner for cut in range(len(enclosing), -1, -1) if (owner := owners.get(enclosing[:cut] + own))), None
        )
        if result is not None:
            draft.parent, draft.is_adopted = result, True
        if result is None or result.kind in TYPES:
            draft.kind = _METHOD if draft.kind == _FUNCTION else _FIELD if draft.kind == _VARIABLE else draft.kind
            if draft.kind == _METHOD and draft.name == own[-1]:
                draft.kind = _CONSTRUCTOR


def _path(draft: Draft | None) -> tuple[bytes, ...]:
    """Return the qualified name of a draft as a tuple."""
    names: list[bytes] = []
    while draft is not None:
        names.append(draft.name)
        draft = draft.parent
    return tuple(reversed(names))
