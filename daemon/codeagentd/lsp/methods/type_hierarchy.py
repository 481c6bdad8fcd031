"""The types above and below a type, step by step."""

from __future__ import annotations

from codeagentd.lsp.hierarchy_items import HierarchyItem, ItemParams, item_at, item_of, subject_of
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.name_at import name_at
from codeagentd.lsp.protocol_types import PositionParams
from codeagentd.model.kinds import TYPES
from codeagentd.query.hierarchy.type_hierarchy import ABOVE, BELOW, neighbouring_types


@method("textDocument/prepareTypeHierarchy", PositionParams)
def prepare_type_hierarchy(context: MethodContext, params: PositionParams) -> list[HierarchyItem] | None:
    """Return the type at a position as the start of a type hierarchy."""
    name = name_at(context, context.path(params.text_document), params.position)
    types = [meaning for meaning in name.meanings if meaning.kind in TYPES] if name else []
    return [item for meaning in types if (item := item_of(context, meaning))] or None


@method("typeHierarchy/supertypes", ItemParams)
def supertypes(context: MethodContext, params: ItemParams) -> list[HierarchyItem] | None:
    """Return the types that a type is derived from directly."""
    return _relatives(context, params, ABOVE)


@method("typeHierarchy/subtypes", ItemParams)
def subtypes(context: MethodContext, params: ItemParams) -> list[HierarchyItem] | None:
    """Return the types that are derived from a type directly."""
    return _relatives(context, params, BELOW)


def _relatives(context: MethodContext, params: ItemParams, direction: str) -> list[HierarchyItem] | None:
    subject = subject_of(context, params.item)
    if subject is None:
        return None
    uids = neighbouring_types(context.db, subject, direction)
    return [item for uid in uids if (item := item_at(context, uid))]
