"""The methods of the protocol, one module for each group; importing the package declares them all."""

from . import (
    call_hierarchy,
    code_lens,
    completion,
    definition,
    document_ranges,
    document_symbols,
    highlights,
    hover_card,
    inlay_hints,
    reference_list,
    rename,
    semantic_tokens,
    signature_help,
    type_hierarchy,
    workspace_symbols,
)

__all__ = [
    "call_hierarchy",
    "code_lens",
    "completion",
    "definition",
    "document_ranges",
    "document_symbols",
    "highlights",
    "hover_card",
    "inlay_hints",
    "reference_list",
    "rename",
    "semantic_tokens",
    "signature_help",
    "type_hierarchy",
    "workspace_symbols",
]
