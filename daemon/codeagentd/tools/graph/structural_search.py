"""The tool that finds code by its structure."""

from __future__ import annotations

import json
from typing import Annotated, Final

from msgspec import Meta

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.labels import clean
from codeagentd.model.results.graph_results import MatchedNode, MatchesAnswer, Signature
from codeagentd.query.cgql.ast import LONGEST
from codeagentd.query.cgql.executor import Result, run
from codeagentd.query.cgql.node_rows import NodeRow
from codeagentd.query.cgql.patterns import Pattern, matching
from codeagentd.query.symbols.parameters import signature
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.graph_analysis import ensure
from codeagentd.toolkit.tool import tool

MOST: Final = 1_000  # rows of one answer

Cgql = Annotated[str, Meta(max_length=LONGEST)]


def _render(answer: MatchesAnswer) -> str:
    lines = [" | ".join(map(_render_node, row)) for row in answer.results]
    lines += [" | ".join("-" if value is None else str(value) for value in row) for row in answer.groups]
    head = (
        f"{len(lines)} row{'' if len(lines) == 1 else 's'} ({', '.join(answer.columns)}):" if lines else "No matches."
    )
    return "\n".join([head, *lines, *([f"Note: {answer.note}"] if answer.note else [])])


def _render_node(node: MatchedNode) -> str:
    return f"{node.label} [{'/'.join(filter(None, (node.kind, node.visibility)))}] {node.file}:L{node.line}"


@tool("graph", render_text=_render)
def structural_search(
    ctx: Context, query: Cgql | None = None, pattern: Pattern | None = None, limit: int = 50
) -> MatchesAnswer:
    """Search the graph by structure with CGQL, or for a named pattern. E.g. `MATCH (c:class)-[:contains]->(m:method)
    WHERE c.loc > 500 AND m.name =~ "^get" RETURN c, count(m) LIMIT 5`; edges `-[:calls*1..3]->`, `<-[]-`, `-[]-`;
    fields kind name file lang visibility loc fan_in fan_out degree community.

    Returns: rows of nodes, or `groups` of values and counts; ambiguous edges are not followed.
    Errors:  invalid_parameter with the place of a mistake and what may stand there, too_large, engine_unavailable while
             fields are being computed.
    Source:  002 structural_search.
    """
    if (query is None) == (pattern is None):
        raise InvalidParameter(
            "pass query or pattern, and not both", remedy="query is CGQL; pattern a name", parameter="query"
        )
    rows = min(max(limit, 0), ctx.most(MOST))
    if pattern is not None:
        if pattern == "service-locator":
            ensure(ctx)
        with ctx.read() as db:
            result = matching(db, pattern)
            return _answer(db, Result([pattern], [[row] for row in result[:rows]], [], max(0, len(result) - rows)))
    from codeagentd.query.cgql.parser import read  # this imports lark (12 MB, 0.1 s), which most daemons never need

    question = read(query or "")
    if question.needs_analysis:
        ensure(ctx)
    with ctx.read() as db:
        return _answer(db, run(db, question, rows))


def _answer(db: Database, result: Result) -> MatchesAnswer:
    numbers = list({row.number for rows in result.nodes for row in rows})
    signatures = {
        number: signature(name, parameters, returns, language)
        for number, name, parameters, returns, language in db.all("cgql.signatures", (json.dumps(numbers),))
    }
    return MatchesAnswer(
        columns=[clean(title) for title in result.columns],
        results=[[_matched(row, signatures.get(row.number)) for row in rows] for rows in result.nodes],
        groups=result.values,
        note=f"{result.more} more rows are left out by the limit" if result.more else "",
    )


def _matched(row: NodeRow, written: Signature | None) -> MatchedNode:
    return MatchedNode(
        id=row.id,
        label=row.label,
        kind=row.kind,
        visibility=row.access,
        file=clean(row.file),
        line=row.line,
        loc=row.loc,
        signature=written,
    )
