"""The kinds of symbols as the protocol numbers them. Source: Language Server Protocol 3.17, SymbolKind and
CompletionItemKind.
"""

from __future__ import annotations

from typing import Final

from codeagentd.model.documents import LOCAL_VARIABLE
from codeagentd.model.kinds import SymbolKind

_STRING, _OBJECT, _KEY = 15, 19, 20

# kind -> (SymbolKind, CompletionItemKind) of the protocol
_KINDS: Final = {
    SymbolKind.FILE: (1, 17), SymbolKind.MODULE: (2, 9), SymbolKind.NAMESPACE: (3, 9), SymbolKind.CLASS: (5, 7),
    SymbolKind.INTERFACE: (11, 8), SymbolKind.STRUCT: (23, 22), SymbolKind.ENUM: (10, 13), SymbolKind.TYPE: (5, 7),
    SymbolKind.FUNCTION: (12, 3), SymbolKind.METHOD: (6, 2), SymbolKind.CONSTRUCTOR: (9, 4),
    SymbolKind.PROPERTY: (7, 10), SymbolKind.FIELD: (8, 5), SymbolKind.CONSTANT: (14, 21),
    SymbolKind.VARIABLE: (13, 6), SymbolKind.ENUM_MEMBER: (22, 20), SymbolKind.COMPONENT: (5, 7),
    SymbolKind.EVENT: (24, 23), SymbolKind.DELEGATE: (12, 3), SymbolKind.RECORD: (23, 22), SymbolKind.TRAIT: (11, 8),
    SymbolKind.MACRO: (14, 21), SymbolKind.SECTION: (_STRING, 1), SymbolKind.KEY: (_KEY, 10),
    SymbolKind.ELEMENT: (_OBJECT, 1), SymbolKind.RULE: (_OBJECT, 1), SymbolKind.TARGET: (12, 3),
    SymbolKind.RESOURCE: (_OBJECT, 6), SymbolKind.TABLE: (23, 22), SymbolKind.VIEW: (23, 22),
    SymbolKind.INDEX: (_KEY, 5), SymbolKind.TRIGGER: (24, 23), SymbolKind.MESSAGE: (23, 22),
    SymbolKind.SERVICE: (11, 8), SymbolKind.PACKAGE: (4, 9),
}  # fmt: skip
_OTHER: Final = (13, 6)  # a variable


def symbol_kind(kind: int) -> int:
    """Return the SymbolKind of the protocol for a model.kinds.SymbolKind."""
    return _KINDS.get(SymbolKind(kind), _OTHER)[0] if kind else _OTHER[0]


def completion_kind(kind: int) -> int:
    """Return the CompletionItemKind of the protocol for a model.kinds.SymbolKind, or for LOCAL_VARIABLE."""
    return _OTHER[1] if kind == LOCAL_VARIABLE else _KINDS.get(SymbolKind(kind), _OTHER)[1]
