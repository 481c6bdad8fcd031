"""What this language server says that it can do."""

from __future__ import annotations

from typing import Any, Final

from codeagent_protocol.version import __version__
from codeagentd.lsp.client_features import ClientFeatures
from codeagentd.lsp.methods.semantic_tokens import MODIFIERS, TYPES

NAME: Final = "codeagentd"
INCREMENTAL: Final = 2  # TextDocumentSyncKind


def initialize_result(features: ClientFeatures) -> dict[str, Any]:
    """Return the InitializeResult for a client with these features. No diagnostics: nothing here checks code."""
    return {
        "capabilities": {
            "positionEncoding": str(features.encoding),
            "textDocumentSync": {"openClose": True, "change": INCREMENTAL, "save": {"includeText": False}},
            "definitionProvider": True,
            "declarationProvider": True,
            "typeDefinitionProvider": True,
            "implementationProvider": True,
            "referencesProvider": True,
            "hoverProvider": True,
            "documentSymbolProvider": True,
            "documentHighlightProvider": True,
            "foldingRangeProvider": True,
            "selectionRangeProvider": True,
            "signatureHelpProvider": {"triggerCharacters": ["(", ","], "retriggerCharacters": [")"]},
            "completionProvider": {"triggerCharacters": [".", ":", ">"], "resolveProvider": False},
            "renameProvider": {"prepareProvider": True},
            "codeLensProvider": {"resolveProvider": True},
            "callHierarchyProvider": True,
            "typeHierarchyProvider": True,
            "inlayHintProvider": True,
            "semanticTokensProvider": {
                "legend": {"tokenTypes": list(TYPES), "tokenModifiers": list(MODIFIERS)},
                "full": True,
                "range": True,
            },
            "workspaceSymbolProvider": True,
            "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        },
        "serverInfo": {"name": NAME, "version": __version__},
    }
