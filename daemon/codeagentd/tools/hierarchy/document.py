"""The tool that lists the definitions of a file."""

from __future__ import annotations

from codeagent_protocol.errors import CodedError
from codeagentd.model.parameters import Cursor, OutlineLimit, RepoPath
from codeagentd.model.results.lens_results import DocumentSymbol
from codeagentd.query.symbols.document_symbols import document_symbols
from codeagentd.query.symbols.outline import indexed_file
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.path_arguments import relative
from codeagentd.toolkit.tool import tool


@tool("hierarchy", name="code.symbol.getDocumentSymbols")
def get_document_symbols(
    ctx: Context, file_path: RepoPath, nested: bool = True, limit: OutlineLimit = 200, cursor: Cursor | None = None
) -> Page[DocumentSymbol]:
    """List the symbols of a file, nested as they enclose each other, or flat with parent.

    Returns: symbols in line order; `limit` counts inner ones too, and one whose parent is on an earlier page says its
             parent.
    Errors:  not_found, invalid_parameter, path_escape.
    Source:  001 code.symbol.getDocumentSymbols (named for the future).
    """
    path, _ = relative(ctx, file_path, "file_path", must_exist=False)
    question = ("code.symbol.getDocumentSymbols", path, nested)
    after = position(cursor, *question)
    with ctx.read() as db:
        try:
            file = indexed_file(db, path)
        except CodedError as error:
            error.facts["parameter"] = "file_path"
            raise
        return page(document_symbols(db, file, nested, after, limit), *question)
