"""The pages of a change: what was touched, what depends on it, which tests to run, and how risky it is."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Final

from codeagent_protocol.errors import CodedError
from codeagentd.model.changed_lines import Hunk
from codeagentd.query.refactor.affected_tests import select
from codeagentd.query.refactor.changed_lines import touched_lines
from codeagentd.query.refactor.changed_symbols import blast, changed_nodes, dependents, risk, touched, used_outside
from codeagentd.secrets.redaction import redacted
from codeagentd.serve.page.questions import Json, PageRequest, Shown
from codeagentd.toolkit.change_scope import Changes, changed_lines, changes
from codeagentd.vcs import history

KINDS: Final = ("signature", "delete", "visibility")  # of edits, as predict_edit has them
HOPS: Final = 3
LISTED: Final = 200  # of each list
LONGEST_HUNK: Final = 12  # lines that are shown of one


def change(request: PageRequest) -> Shown:
    """Show the changes of the work tree against a base; with `until`, how the graph differs between two revisions; with
    `symbol`, what an edit of that would break.
    """
    base, until, symbol, kind = (request.query.get(name, "").strip() for name in ("base", "until", "symbol", "kind"))
    kind = kind if kind in KINDS else KINDS[0]
    values: Json = {"base": base, "symbol": symbol, "kind_of_edit": kind, "kinds_of_edit": KINDS, "listed": LISTED}
    if symbol:
        return Shown("edit", "What a change breaks", values | {"edit": _edit(request, symbol, kind)})
    if until:
        difference = request.maybe("time_travel_diff", rev1=base or f"{until}~1", rev2=until)
        return Shown("range", f"Changes up to {until}", values | {"until": until, "difference": difference})
    try:
        values |= _work_tree(request, base)
    except CodedError as error:
        values |= {"failed": error.message, "files": [], "scope": Changes("", "", [], is_whole=False), "note": ""}
    return Shown("change", "Change", values)


def _edit(request: PageRequest, symbol: str, kind: str) -> Json:
    return request.maybe("predict_edit", symbol=symbol, kind=kind)


def _work_tree(request: PageRequest, base: str) -> Json:
    """What differs between the work tree and the base, by the lines that differ. Errors: invalid_parameter for a base
    that git does not know.
    """
    ctx = request.ctx
    scope = changes(ctx, None, base)
    hunks = changed_lines(ctx, scope)
    lines = sum(max(len(hunk.added), len(hunk.removed)) for several in hunks.values() for hunk in several)
    commits = history.recent_commits(ctx.root, scope.files)
    with ctx.read() as db:
        inside = touched_lines(db, touched(db, scope.files), hunks)
        reached, cut = blast(db, inside.symbols, HOPS)
        outside = used_outside(db, [symbol for symbol in inside.symbols if symbol in set(inside.public)])
        selection = select(db, scope.files, inside, HOPS)
        nearest = sorted(reached, key=lambda item: item.distance)
        return {
            "scope": scope, "files": [_file(path, hunks) for path in scope.files[:LISTED]], "count": len(scope.files),
            "risk": risk(
                reach=len(reached), apis=len(outside), lines=lines, files=len(scope.files),
                symbols=len(inside.symbols), commits=commits,
            ),
            "touched": changed_nodes(db, inside.symbols[:LISTED], outside), "touched_count": len(inside.symbols),
            "reached": dependents(db, nearest[:LISTED]), "reached_count": len(reached),
            "tests": [test.node for test in selection.tests if test.depth <= HOPS][:LISTED],
            "test_files": selection.files, "farther": selection.farther, "command": _command(selection.files),
            "note": "; ".join(filter(None, (scope.note, cut, selection.note))),
        }  # fmt: skip


def _file(path: str, hunks: Mapping[str, Sequence[Hunk]]) -> Json:
    """A changed file with its lines that differ."""
    return {"path": path, "hunks": [_hunk(path, hunk) for hunk in hunks.get(path, ())]}


def _hunk(path: str, hunk: Hunk) -> Json:
    left_out = max(0, len(hunk.removed) - LONGEST_HUNK) + max(0, len(hunk.added) - LONGEST_HUNK)
    removed, added = (redacted("\n".join(lines[:LONGEST_HUNK]), path) for lines in (hunk.removed, hunk.added))
    return {"line": max(1, hunk.first), "removed": removed, "added": added, "left_out": left_out}


def _command(files: Sequence[str]) -> str:
    """The command that runs the tests in these files, where one runner takes them all by their paths; else ''."""
    return shlex.join(["pytest", *files]) if files and all(path.endswith(".py") for path in files) else ""
