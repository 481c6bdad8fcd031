"""The tool that finds symbols similar to another."""

from __future__ import annotations

from codeagentd.model.parameters import SearchLimit, SymbolId
from codeagentd.model.results.symbol_results import SimilarSymbol
from codeagentd.query.symbols.similar import similar
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page
from codeagentd.toolkit.symbol_arguments import single
from codeagentd.toolkit.tool import tool


class SimilarSymbols(Page[SimilarSymbol], frozen=True, omit_defaults=True):
    """Symbols, the most similar first; `basis`: whether they were compared by meaning (for the share `embedded` of all)
    or by structure.
    """

    basis: str = ""
    embedded: float = 0.0


@tool("symbols")
def find_similar(ctx: Context, node_id: SymbolId, limit: SearchLimit = 10) -> SimilarSymbols:
    """Find symbols similar to a given one, such as duplicates and code clones of a function: by meaning where
    embeddings are there, else by structure (what they use, names, shape).

    Returns: symbols with their similarity, the most similar first; `basis` says which.
    Errors:  not_found, invalid_parameter (candidates of an ambiguous name).
    Source:  000 find_similar.
    """
    with ctx.read() as db:
        match = single(ctx, db, node_id)
        result = similar(db, match.best, limit)
    embeddings = ctx.engine.embeddings
    share = embeddings.share if result.basis == "meaning" else 0.0
    return SimilarSymbols(
        result.symbols,
        note="; ".join(
            filter(None, (match.note_of_best, result.note, embeddings.limit_note if embeddings.count else ""))
        ),
        basis=result.basis,
        embedded=share,
    )
