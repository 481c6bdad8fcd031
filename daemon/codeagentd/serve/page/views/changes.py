"""The page of a change: what was touched, what depends on it, which tests to run, and how risky it is."""

from __future__ import annotations

from typing import Final

from codeagentd.serve.page.questions import Json, PageRequest, Shown

KINDS: Final = ("signature", "delete", "visibility")  # of edits, as predict_edit has them


def change(request: PageRequest) -> Shown:
    """Show the changes of the work tree against a base; with `until`, how the graph differs between two revisions; with
    `symbol`, what an edit of that would break.
    """
    base, until, symbol, kind = (request.query.get(name, "").strip() for name in ("base", "until", "symbol", "kind"))
    values: Json = {
        "base": base,
        "symbol": symbol,
        "kind_of_edit": kind if kind in KINDS else KINDS[0],
        "kinds_of_edit": KINDS,
    }
    if symbol:
        values["edit"] = request.maybe("predict_edit", symbol=symbol, kind=values["kind_of_edit"])
        return Shown("edit", "What a change breaks", values)
    if until:
        values |= {
            "until": until,
            "difference": request.maybe("time_travel_diff", rev1=base or f"{until}~1", rev2=until),
        }
        return Shown("range", f"Changes up to {until}", values)
    narrowing = {"base": base} if base else {}
    values["forecast"] = request.maybe("predict_impact", **narrowing)
    values["tests"] = request.maybe("affected_tests", **narrowing)
    return Shown("change", "Change", values)
