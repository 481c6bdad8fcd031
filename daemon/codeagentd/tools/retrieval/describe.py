"""The tool that shows a symbol with what is around it: enough to read or to change it without a further question."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Annotated, Final, NamedTuple

from msgspec import UNSET, Meta
from msgspec.structs import replace

from codeagent_protocol.errors import StoreFailed
from codeagentd.memory.anchor_status import notes_of
from codeagentd.model.file_kinds import is_product
from codeagentd.model.kinds import TYPES
from codeagentd.model.memory import MemoryNote
from codeagentd.model.parameters import TokenBudget
from codeagentd.model.results.retrieval_results import DescribeAnswer, Related
from codeagentd.model.results.symbol_results import Neighbour, OutlineItem, Site
from codeagentd.query.graph.profile import Profile, profile
from codeagentd.query.refactor.affected_tests import tests
from codeagentd.query.refactor.changed_symbols import blast
from codeagentd.query.retrieval.code_layout import prose
from codeagentd.query.retrieval.excerpts import excerpt, quoted_line, shown_lines
from codeagentd.query.retrieval.snippets import Source, beginning
from codeagentd.query.symbols.lookup import Subject, with_constructors
from codeagentd.query.symbols.outline import indexed_file, outline
from codeagentd.store.connection import Database
from codeagentd.toolkit.compact.names import shortened
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.symbol_arguments import single
from codeagentd.toolkit.tool import tool

from .envelope import envelope, state

Symbol = Annotated[str, Meta(description="name, path, path:line or id")]

RELATED: Final = (10, 5, 2, 0)  # callers and callees listed; the largest number that leaves room for the source
PLACES: Final = 3  # definitions whose places are listed where there is no room for all
SHORTEST_SIGNATURE: Final = 40  # characters
SITES: Final = 2  # calls of one caller whose lines are shown
TESTS: Final = 5
TEST: Final = "test"  # the kind of a test, whatever its language calls it
TEST_HOPS: Final = 2
MEMBERS: Final = 200
LAST: Final = 1 << 40  # behind every symbol that begins at a line, in the order of outlines
DATA: Final = frozenset({"field", "variable", "constant", "property", "enum_member"})
HEAD_LINES: Final = 12  # lines of a type that are shown where its members are listed
MARGIN: Final = 10  # tokens of the field itself
SOURCE_SHARE: Final = 0.4  # share of the budget that is left for the source


class Surroundings(NamedTuple):
    """What is around a symbol, whole: the answer lists as much of it as there is room for. `callers` are those of the
    product, or all where there are only tests.
    """

    profile: Profile
    callers: list[Related]
    callees: list[Related]
    tests: list[Related]


@tool("retrieval", envelope=envelope, always_loaded=True)
def describe_symbol(ctx: Context, symbol: Symbol, token_budget: TokenBudget = 1_200) -> DescribeAnswer:
    """Read a symbol in one call: its definition with source, signature and docs, who calls it (with their lines), what
    it calls, its tests, notes about it. E.g. `QuerySet.filter`. Fails on a name of nothing.

    Returns: up to 10 callers and callees, those of the product and the surest first, and how many there are; the source
             as far as token_budget goes; memories that speak of it.
    Errors:  not_found, invalid_parameter (candidates).
    Source:  003 describe_symbol.
    """
    with ctx.read() as db:
        match = single(ctx, db, symbol, "symbol")
        subject = match.best
        surroundings = _surroundings(ctx, db, subject)
        members = _members(db, subject)
    memories, trouble = memories_of(ctx, subject.uid)
    card = surroundings.profile
    whole = DescribeAnswer(
        tool="describe_symbol",
        index=state(ctx),
        symbol=card.name,
        node_id=card.node_id,
        kind=card.kind,
        signature=card.signature,
        doc=card.doc,
        definitions=card.definitions,
        callers=[],
        caller_count=len(card.callers),
        callees=[],
        callee_count=len(card.callees),
        primary=card.primary,
        note="; ".join(filter(None, (match.note_of_best, card.note, trouble))),
        test_count=len(surroundings.tests),
        memories=memories or UNSET,
    )
    return _with_source(ctx, subject, _with_ends(ctx, whole, surroundings, token_budget), members, token_budget)


def _surroundings(ctx: Context, db: Database, subject: Subject) -> Surroundings:
    card = profile(db, ctx.root, subject, ctx.lines)
    shown = functools.cache(lambda path: shown_lines(db, path, ctx.lines(path)))
    callers = [end for end in card.callers if is_product(end.file_path)] or card.callers  # tests have their own list
    callees = sorted(card.callees, key=lambda end: not is_product(end.file_path))
    return Surroundings(
        card,
        _related(callers, lambda site: quoted_line(shown(site.file_path), site.line).strip()),
        _related(callees),
        tests_of(db, subject),
    )


def _related(ends: Sequence[Neighbour], quoted: Callable[[Site], str] | None = None) -> list[Related]:
    """The first callers or callees; with `quoted`, which returns a line of source, each with the sites of its edge."""
    return [
        Related(
            end.qualified_name, end.node_type, end.file_path, end.line_start, end.confidence,
            [replace(site, text=quoted(site)) for site in end.sites[:SITES]] if quoted else [],
        )
        for end in ends[: RELATED[0]]
    ]  # fmt: skip


def tests_of(db: Database, subject: Subject) -> list[Related]:
    """Return the tests that reach `subject` within a few steps, the nearest first."""
    if subject.is_file or subject.id < 0:
        return []
    own = [definition.id for definition in with_constructors(db, subject)]
    reached, _ = blast(db, own, TEST_HOPS, by_use=True)
    selected = tests(db, [], [], reached)
    named = [test for test in selected if test.node.label != test.node.file] or selected
    return [Related(test.node.label, TEST, test.node.file, test.node.line_start, "exact") for test in named]


def _members(db: Database, subject: Subject) -> list[OutlineItem]:
    """The members of a type or a file, as its outline lists them."""
    if not (subject.kind in TYPES or subject.is_file):
        return []
    before = (subject.line_start - 1, LAST, 0, b"")
    items = outline(db, indexed_file(db, subject.path), before, MEMBERS).items
    inside = [item for item in items if item.line_start <= subject.line_end]
    return [item for item in inside if item.qualified_name != subject.qualified_name]


def _with_ends(ctx: Context, answer: DescribeAnswer, surroundings: Surroundings, budget: int) -> DescribeAnswer:
    """The answer with as many callers, callees and tests as leave room for the source."""
    callers, callees, selected = surroundings.callers, surroundings.callees, surroundings.tests[:TESTS]
    for most in RELATED:
        listed = selected if most else []
        answer = replace(answer, callers=callers[:most], callees=callees[:most], tests=listed)
        if ctx.cost(answer) <= budget * (1 - SOURCE_SHARE):
            return answer
    return _shortened(ctx, answer, budget)


def _shortened(ctx: Context, answer: DescribeAnswer, budget: int) -> DescribeAnswer:
    """The answer with fewer places, and with less of its texts, as far as the budget needs it."""
    if ctx.cost(answer) > budget * (1 - SOURCE_SHARE) and len(answer.definitions) > PLACES:
        note = "; ".join(filter(None, (answer.note, f"only the first {PLACES} of its places are listed")))
        answer = replace(answer, definitions=answer.definitions[:PLACES], note=note)
    if ctx.cost(answer) > budget:
        answer = replace(answer, doc="")
    while ctx.cost(answer) > budget and len(answer.signature) > SHORTEST_SIGNATURE:
        answer = replace(answer, signature=shortened(answer.signature, len(answer.signature) * 2 // 3))
    return answer if ctx.cost(answer) <= budget else replace(answer, note="")


def _with_source(
    ctx: Context, subject: Subject, answer: DescribeAnswer, members: Sequence[OutlineItem], budget: int
) -> DescribeAnswer:
    """The answer with the source of the first definition; that of a long type ends early, and its members follow."""
    if subject.id < 0:
        return answer
    lines = ctx.lines(subject.path)
    text = excerpt(ctx.read, subject.path, lines, subject.line_start, subject.line_end)
    source = Source(text, subject.line_start, prose=prose(text, lines[: subject.line_start - 1]))
    room = budget - ctx.cost(answer)
    if members and ctx.tokens("\n".join(text)) > room:
        head = 0 if subject.is_file else min(HEAD_LINES, members[0].line_start - subject.line_start)
        source = source._replace(lines=text[:head])
        answer = replace(answer, member_count=len(members))
        room = budget - ctx.cost(answer) - ctx.tokens("\n".join(text[:head]))
        answer = replace(answer, members=_fitting(ctx, answer, subject.qualified_name, members, room))
    room = budget - ctx.cost(answer) - MARGIN
    while (shown := beginning(source, ctx.tokens, room)).text:
        complete = replace(answer, source=shown.text)
        if (excess := ctx.cost(complete) - budget) <= 0:
            return complete
        room -= max(excess, MARGIN)  # signs that JSON has to escape
    return answer


def _fitting(
    ctx: Context, answer: DescribeAnswer, owner: str, members: Sequence[OutlineItem], room: int
) -> list[OutlineItem]:
    """The members that there is room for: all, or the direct ones that are no data, or the first of these."""
    bare = ctx.cost(answer)
    code = [
        item for item in members if item.node_type not in DATA and item.qualified_name[: -len(item.name) - 1] == owner
    ]
    for chosen in (members, code or members):
        cost = ctx.cost(replace(answer, members=list(chosen))) - bare
        if cost <= room:
            return list(chosen)
    count = len(chosen)
    while count and cost > room:
        count = max(0, min(count - 1, int(count * max(room, 0) / cost)))
        cost = ctx.cost(replace(answer, members=list(chosen[:count]))) - bare
    return list(chosen[:count])


def memories_of(ctx: Context, uid: bytes) -> tuple[list[MemoryNote], str]:
    """Return the memories about a symbol, and the reason if they cannot be read: the rest of its description does not
    depend on them.
    """
    try:
        return notes_of(ctx.memory, ctx.code(), uid), ""
    except StoreFailed as error:
        return [], f"memories are left out: {error.message}"
