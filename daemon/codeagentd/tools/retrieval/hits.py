"""How are hits of a text search shown within a budget? Every hit is named, the best have their lines, and the rest is told as worth reading."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, NamedTuple

from msgspec import Meta

from codeagentd.model.retrieval import CodeHit, Read
from codeagentd.query.ranking import Candidate, Query
from codeagentd.query.snippets import Snippet, snippet
from codeagentd.toolkit.context import Context

SURE: Final = 1.5  # how many times better than the second the first is, to be trusted
NAMES: Final = 5  # of what a hit defines that are told

Budget = Annotated[int, Meta(ge=100, le=25_000)]
Symbols = list[tuple[str, int]]


class Shown(NamedTuple):
    """Hits and reads; `told` are the hits of the page that either names: the budget may end before the page."""

    hits: list[CodeHit]
    reads: list[Read]
    told: int


class Piece(NamedTuple):
    """A hit on its way into an answer: its text, and the tokens of naming it, of reading it later, and of its lines."""

    one: Candidate
    names: list[str]
    snippet: Snippet
    is_known: bool
    head: int
    read: int
    body: int


def shown(ctx: Context, asked: Query, page: Iterable[tuple[Candidate, Symbols]], first: int, budget: int, *, raw: bool = False, resend: bool = False) -> Shown:
    """What an answer says of these hits with at most `budget` tokens in all; `first` hits were told on pages before."""
    pieces = [_piece(ctx, asked, one, symbols, raw, resend) for one, symbols in page]
    left, named = _within(budget, (piece.head + piece.read for piece in pieces))
    if not named:
        _, told = _within(budget, (piece.read for piece in pieces))
        return Shown([], [_read(piece.one) for piece in pieces[:told]], told)
    hits: list[CodeHit] = []
    reads: list[Read] = []
    for number, piece in enumerate(pieces[:named], start=first + 1):
        fits = piece.body - piece.read <= left
        if fits:
            left -= piece.body - piece.read
            if piece.snippet.text:
                ctx.delivery.hold(piece.one.path, piece.snippet.text)
        else:
            reads.append(_read(piece.one))
        hits.append(_hit(number, piece, fits))
    return Shown(hits, reads, named)


def _within(budget: int, costs: Iterable[int]) -> tuple[int, int]:
    """What is left of a budget after as many of these as fit, one after the other; and how many do."""
    count = 0
    for cost in costs:
        if cost > budget:
            break
        budget -= cost
        count += 1
    return budget, count


def _piece(ctx: Context, asked: Query, one: Candidate, symbols: Symbols, raw: bool, resend: bool) -> Piece:
    names = [name for name, _ in symbols[:NAMES]]
    found = _snippet(ctx, asked, one, {line - one.line_start for _, line in symbols}, raw)
    is_known = not resend and ctx.delivery.has(one.path, found.text)
    read = _text(_read(one))
    head, whole = ctx.tokens("\n".join([read, *names])), ctx.tokens("\n".join([read, *names, found.text]))
    return Piece(one, names, found, is_known, head, ctx.tokens(read), 0 if is_known else whole - head)


def _snippet(ctx: Context, asked: Query, one: Candidate, heads: set[int], raw: bool) -> Snippet:
    return snippet(ctx.lines(one.path)[one.line_start - 1 : one.line_end], (*asked.words, *asked.names), heads, raw)


def _hit(number: int, piece: Piece, fits: bool) -> CodeHit:
    one, spent = piece.one, piece.head + (piece.body if fits else 0)
    text, elided = (piece.snippet.text, piece.snippet.elided) if fits and not piece.is_known else ("", 0)
    lines = [one.line_start, one.line_end]
    return CodeHit(number, one.path, lines, piece.names, round(one.score, 3), _reason(one), text, spent, elided > 0, elided, piece.is_known)


def _read(one: Candidate) -> Read:
    return Read(one.path, [one.line_start, one.line_end], _reason(one))


def _reason(one: Candidate) -> str:
    return ", ".join(dict.fromkeys(one.reasons))


def _text(read: Read) -> str:
    return f"{read.path}:{read.lines[0]}-{read.lines[1]}\n{read.reason}"


def cost(ctx: Context, reads: Iterable[Read]) -> int:
    """The tokens of some reads."""
    return sum(ctx.tokens(_text(read)) for read in reads)


def confidence(found: list[Candidate]) -> str:
    """How much the first hit is to be trusted: high, medium or low."""
    if not found:
        return "low"
    second = found[1].score if len(found) > 1 else 0.0
    if found[0].defined >= 1 or found[0].score >= SURE * second:
        return "high"
    return "medium" if len(found[0].reasons) > 1 else "low"  # its text, and its file's name as well
