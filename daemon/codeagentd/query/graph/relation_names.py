"""The names of relations in the tools' contract, mapped to reference kinds."""

from __future__ import annotations

from typing import Final

from codeagentd.model.kinds import EDGE_TYPES

from .edges import bits

ACROSS: Final = ("invokes", "binds_native", "calls_service", "handled_by")  # relations between languages
_EDGE_TYPES_OF: Final = {  # a relation of page 002's origin that corresponds to several edge types here
    "references": ("references", "accepts", "returns", "decorates"), "imports_from": ("imports",),
    "method": ("contains",),
}  # fmt: skip

RELATION_NAMES: Final = (*EDGE_TYPES, *(name for name in _EDGE_TYPES_OF if name not in EDGE_TYPES))


def kinds_of(*relations: str) -> int:
    """Return the reference kinds of `relations`, as bits."""
    return bits(*(edge for relation in relations for edge in _EDGE_TYPES_OF.get(relation, (relation,))))


def is_containment(relation: str) -> bool:
    """Whether the relation `relation` is containment or includes it."""
    return "contains" in _EDGE_TYPES_OF.get(relation, (relation,))
