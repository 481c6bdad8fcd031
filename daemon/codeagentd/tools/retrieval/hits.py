"""How are hits of a text search shown within a budget?"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from codeagentd.model.retrieval import CodeHit, Read
from codeagentd.query.ranking import Candidate, Query
from codeagentd.query.snippets import Snippet, snippet
from codeagentd.toolkit.context import Context

SURE: Final = 1.5  # how many times better than the second the first is, to be trusted

Budget = Annotated[int, Meta(ge=100, le=25_000)]


def shown(
    ctx: Context, asked: Query, page: list[Candidate], symbols: list[list[tuple[str, int]]], first: int, budget: int, raw: bool
) -> tuple[list[CodeHit], list[Read]]:
    """Hits with snippets while the budget lasts; the others are told as reads."""
    hits: list[CodeHit] = []
    reads: list[Read] = []
    for number, (one, defined) in enumerate(zip(page, symbols, strict=True), start=first + 1):
        piece = _snippet(ctx, asked, one, {line - one.line_start for _, line in defined}, raw)
        lines, reason = [one.line_start, one.line_end], ", ".join(dict.fromkeys(one.reasons))
        if piece.tokens > budget:
            reads.append(Read(one.path, lines, reason))
            piece = Snippet("", 0, 0)
        budget -= piece.tokens
        names = [name for name, _ in defined]
        hits.append(CodeHit(number, one.path, lines, names, round(one.score, 3), reason, piece.text, piece.tokens, piece.elided > 0, piece.elided))
    return hits, reads


def _snippet(ctx: Context, asked: Query, one: Candidate, heads: set[int], raw: bool) -> Snippet:
    return snippet(ctx.lines(one.path)[one.line_start - 1 : one.line_end], (*asked.words, *asked.names), heads, raw)


def confidence(found: list[Candidate]) -> str:
    """How much the first hit is to be trusted: high, medium or low."""
    if not found:
        return "low"
    second = found[1].score if len(found) > 1 else 0.0
    if found[0].defined >= 1 or found[0].score >= SURE * second:
        return "high"
    return "medium" if len(found[0].reasons) > 1 else "low"  # its text, and its file's name as well
