"""Name binding: the names that definitions, imports and declarations make visible, and the scopes that have them."""

from __future__ import annotations

from typing import Final

from codeagentd.extract.definitions.draft import CALLABLES, Draft
from codeagentd.model.kinds import TYPES, SymbolKind

from .scopes import LOCAL, Scope

_CONTENTS: Final = "contents"
_FREE: Final = "free"
# members that need a receiver
_MEMBERS: Final = frozenset({SymbolKind.METHOD, SymbolKind.FIELD, SymbolKind.PROPERTY})
_FIELDLESS: Final = "fieldless"
_FIELDS: Final = frozenset({SymbolKind.FIELD, SymbolKind.ENUM_MEMBER})
_UNBOUND: Final[dict[str, frozenset[int]]] = {  # kinds whose members are not bound by bare name
    "outer": frozenset(TYPES),
    _CONTENTS: frozenset(TYPES),
    _FREE: frozenset(TYPES),
    "scopes": frozenset(SymbolKind) - CALLABLES,
}


def is_bound(draft: Draft, rule: str) -> bool:
    """Whether `draft` is bound by its bare name in its file, by `rule`, which the language sets as symbols.bound."""
    if rule == _CONTENTS and draft.kind == SymbolKind.NAMESPACE:
        return False
    if rule == _FIELDLESS:
        return draft.kind not in _FIELDS
    if rule == _FREE and draft.kind not in _MEMBERS:
        return True
    return (draft.parent.kind if draft.parent else 0) not in _UNBOUND[rule]


def importer_of(scope: Scope) -> int:
    """Return the index of the symbol that contains an import in `scope`. A namespace does not count: its imports belong
    to the enclosing file.
    """
    enclosing: Scope | None = scope
    while enclosing and isinstance(enclosing.owner, Draft) and enclosing.owner.kind == SymbolKind.NAMESPACE:
        enclosing = enclosing.parent
    return enclosing.symbol if enclosing else 0


def import_global(scope: Scope, name: bytes) -> None:
    """Bind `name` in `scope`, the body of a function that declares it as global, to the global variable of
    that name.
    """
    enclosing = scope.parent
    while enclosing is not None:
        if enclosing.names.get(name, LOCAL) != LOCAL:
            scope.names[name] = enclosing.names[name]
        enclosing = enclosing.parent
