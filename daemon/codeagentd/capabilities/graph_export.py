"""The export of the whole graph in parts, one after another, so that no process needs memory for all of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.languages.untyped_members import lending
from codeagentd.model.ids import node_id
from codeagentd.model.labels import clean, label
from codeagentd.query.graph.node_metrics import findings
from codeagentd.store.connection import Row
from codeagentd.toolkit.context import Context

from .analysis_report import gaps, report_of

ROWS: Final = 5_000  # rows of one part: half a megabyte of symbols
PATIENCE_S: Final = 120.0  # seconds for the analysis; a million references take about 20


def parts(ctx: Context) -> Iterator[dict[str, Any]]:
    """Yield the parts of the export: first facts about the whole graph (its report, findings and communities), then
    `files`, `symbols` and `references`, at most ROWS of one of them in each part.

    Returns: files as (number, path, language); symbols as (number, id, kind, label, file, key, parent, whether it is
             its file, whether an open reference can mean it, first and last line, access, community, degree, fan_in,
             fan_out); references as analysis.graph.Reference. All of one generation.
    Errors: engine_unavailable when the present graph cannot be analysed in time.
    """
    if not ctx.engine.analysed(PATIENCE_S, current=True):
        raise EngineUnavailable("the graph is changing, or takes long to analyse", remedy="ask again in a while")
    with ctx.read() as db:
        result = findings(db)
        assert result is not None
        yield {
            "report": report_of(db, result),
            "findings": result,
            "communities": [
                (number, clean(name), size, cohesion) for number, name, size, cohesion in db.all("export.communities")
            ],
            "gaps": list(gaps(result)),
            "generation": db.value("analysis.generation"),
            "head": ctx.engine.watermark().head,
        }
        yield from _pieces(
            "files", ((number, clean(path), language) for number, path, language in db.each("analysis.files"))
        )
        yield from _pieces("symbols", map(_symbol, db.each("export.symbols", lending())))
        yield from _pieces("references", db.each("export.refs"))


def _symbol(row: Row) -> Row:
    number, uid, kind, name, module, path, file, key, parent, is_file, *rest = row
    return (
        number,
        node_id(uid),
        kind,
        label(kind, name, module, path, is_file=bool(is_file)),
        file,
        key,
        parent,
        is_file,
        *rest,
    )


def _pieces(name: str, rows: Iterator[Row]) -> Iterator[dict[str, Any]]:
    while piece := list(islice(rows, ROWS)):
        yield {name: piece}
