"""The hits of a text search within a token budget.

Every hit is named; the best also have their lines, and the others are listed as worth reading.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple, TypeVar

import msgspec

from codeagentd.model.retrieval import CodeHit, Read
from codeagentd.query.retrieval.code_layout import prose
from codeagentd.query.retrieval.excerpts import excerpt
from codeagentd.query.retrieval.features import Candidate
from codeagentd.query.retrieval.question import Query
from codeagentd.query.retrieval.snippets import Snippet, Source, beginning, snippet
from codeagentd.toolkit.compact.file_rows import heading
from codeagentd.toolkit.compact.names import local_name
from codeagentd.toolkit.context import Context

# chance of the first hit from which an answer is trusted: decision 0010 has how often these are right
SURE: Final = 0.7
LIKELY: Final = 0.35
NAMES_OF_READS: Final = 2  # definitions that a place worth reading is listed with
NAMES: Final = 5  # definitions of a hit that are listed
# share of the remaining budget that one snippet may use while others wait: the first may be long, and the last are
# still shown
LEAST_SHARE: Final = 0.3

SHARE: Final = 4  # the divisor of a budget that gives the most for callers and callees, for tests, and for what is near
TRIES: Final = 6  # answers made for one budget
MARGIN: Final = 4  # tokens by which the budget of a further one is smaller at least

Symbols = list[tuple[str, int]]
Answer = TypeVar("Answer", bound=msgspec.Struct)


class Shown(NamedTuple):
    """Hits and recommended reads; `hits_shown` is the number of the page's hits that either contains: the budget may
    end before the page.
    """

    hits: list[CodeHit]
    reads: list[Read]
    hits_shown: int


class Place(NamedTuple):
    """A hit to be shown: the definitions that it is named by, and the lines where definitions begin. `from_beginning`:
    its lines are taken from the first one on, not by the words of the question.
    """

    hit: Candidate
    symbols: Symbols
    heads: AbstractSet[int]
    from_beginning: bool = False


class Portions(NamedTuple):
    """How a budget is divided among hits: how many have lines, and the share of what is left that one of them may
    use.
    """

    with_lines: int = 1_000
    share: float = LEAST_SHARE


EVERY: Final = Portions()


class Named(NamedTuple):
    """A hit without its lines: its names, the tokens for naming it, and the tokens for listing it as a read."""

    place: Place
    names: list[str]
    head: int
    read: int


class Piece(NamedTuple):
    """A hit's lines, and whether the client has received them already."""

    snippet: Snippet
    is_known: bool


def fitting(ctx: Context, budget: int, make: Callable[[int], Answer]) -> Answer:
    """Return the answer of `make(budget)`. For a model it has at most `budget` tokens as it is sent: with the signs
    that JSON adds it may have more, and is made again for a smaller budget.
    """
    answer, room = make(budget), budget
    for _ in range(TRIES if ctx.is_compact else 0):
        excess = ctx.cost(answer) - budget
        if excess <= 0 or room <= excess:
            break
        room -= max(excess, MARGIN)
        ctx.delivery.begin_again()
        answer = make(room)
    return answer


def within(ctx: Context, items: Sequence[Answer], budget: int) -> list[Answer]:
    """Return the first of `items` that have at most `budget` tokens together."""
    _, count = _within(budget, map(ctx.cost, items))
    return list(items[:count])


def shown(
    ctx: Context,
    query: Query,
    page: Iterable[Place],
    first: int,
    budget: int,
    *,
    raw: bool = False,
    dedupe: bool = False,
    portions: Portions = EVERY,
) -> Shown:
    """The hits and reads of an answer with at most `budget` tokens in all, divided by `portions`; `first` hits were
    shown on earlier pages.

    With `dedupe`, snippets that the session received from calls with `dedupe` are left out. Their room is not given to
    others, so that the same question again finds the same snippets already sent.
    """
    all_named = [_named(ctx, place) for place in page]
    costs = [named.read + named.head * (number < portions.with_lines) for number, named in enumerate(all_named)]
    left, count = _within(budget, costs)
    if not count:
        _, count = _within(budget, (named.read for named in all_named))
        return Shown([], [_read(named) for named in all_named[:count]], count)
    lines = functools.cache(ctx.lines)
    hits: list[CodeHit] = []
    reads: list[Read] = []
    for number, named in enumerate(all_named[:count]):
        if number >= portions.with_lines:
            reads.append(_read(named))
            continue
        share = 1.0 if raw else max(portions.share, 1 / (count - number))
        room = int(left * share) + named.read
        path = named.place.hit.path
        piece = _piece(ctx, query, lines(path), named.place, room, raw=raw, dedupe=dedupe)
        if piece.snippet.text:
            left += named.read - piece.snippet.tokens
            if dedupe:
                ctx.delivery.hold(path, piece.snippet.text)
        else:
            reads.append(_read(named))
        hits.append(_hit(first + number + 1, named, piece))
    return Shown(hits, reads, count)


def _within(budget: int, costs: Iterable[int]) -> tuple[int, int]:
    """The rest of a budget after as many items as fit one after another, and the number of these items."""
    count = 0
    for cost in costs:
        if cost > budget:
            break
        budget -= cost
        count += 1
    return budget, count


def _named(ctx: Context, place: Place) -> Named:
    hit = place.hit
    named = Named(place, [name for name, _ in place.symbols], 0, 0)
    lines = [hit.line_start, hit.line_end]
    if ctx.is_compact:
        head = ctx.tokens(heading(hit.path, lines, named.names))
    else:
        head = ctx.tokens(_text(Read(hit.path, lines, _reason(hit)))) + ctx.tokens("\n".join(named.names))
    return named._replace(head=head, read=ctx.tokens(_text(_read(named))))


def _piece(
    ctx: Context, query: Query, lines: Sequence[str], place: Place, room: int, *, raw: bool, dedupe: bool
) -> Piece:
    """The lines of a file that a hit shows in `room` tokens."""
    hit = place.hit
    text = excerpt(ctx.read, hit.path, lines, hit.line_start, hit.line_end)
    heads = {line - hit.line_start for line in place.heads}
    source = Source(text, hit.line_start, heads, prose(text, lines[: hit.line_start - 1]))
    result = (
        beginning(source, ctx.tokens, room)
        if place.from_beginning
        else snippet(source, (*query.words, *query.names), ctx.tokens, room, raw=raw)
    )
    return Piece(result, dedupe and ctx.delivery.has(hit.path, result.text))


def _hit(number: int, named: Named, piece: Piece) -> CodeHit:
    hit, spent = named.place.hit, named.head
    text, elided = ("", 0) if piece.is_known else (piece.snippet.text, piece.snippet.elided)
    if text:
        spent += piece.snippet.tokens
    return CodeHit(
        number,
        hit.path,
        [hit.line_start, hit.line_end],
        named.names,
        round(hit.score, 3),
        _reason(hit),
        text,
        spent,
        elided > 0,
        elided,
        piece.is_known,
    )


def _read(named: Named) -> Read:
    """A place that is worth reading: what it defines, or else why it was found."""
    hit = named.place.hit
    defined = ", ".join(filter(None, (local_name(name, hit.path) for name in named.names[:NAMES_OF_READS])))
    return Read(hit.path, [hit.line_start, hit.line_end], f"defines {defined}" if defined else _reason(hit))


def _reason(candidate: Candidate) -> str:
    return ", ".join(dict.fromkeys(candidate.reasons))


def _text(read: Read) -> str:
    return f"{read.path}:{read.lines[0]}-{read.lines[1]}\n{read.reason}"


def cost(ctx: Context, reads: Iterable[Read]) -> int:
    """The number of tokens of some reads."""
    return sum(ctx.tokens(_text(read)) for read in reads)


def confidence(hits: list[Candidate], is_foreign: bool) -> str:
    """The confidence in the first hit: high, medium or low."""
    if not hits or (is_foreign and hits[0].defined < 1):
        return "low"
    if hits[0].defined >= 1 or hits[0].score >= SURE:
        return "high"
    return "medium" if hits[0].score >= LIKELY else "low"
