"""The pages of the memories: the newest, those that a search finds, and one with its anchors and links."""

from __future__ import annotations

from typing import Final

from codeagent_protocol.errors import CodedError
from codeagentd.memory.anchor_status import AnchorStates, anchor_states
from codeagentd.memory.audit_log import latest
from codeagentd.memory.memory_rows import memory_by_id
from codeagentd.memory.read import related
from codeagentd.serve.page.questions import Json, PageRequest, Shown

NEWEST: Final = 100
HITS: Final = 50


def memories(request: PageRequest) -> Shown:
    """Show one memory, or a list of them."""
    if name := request.query.get("id", ""):
        return _detail(request, name)
    text, project = (request.query.get(key, "").strip() for key in ("about", "project"))
    values: Json = {"about": text, "project": project, "rows": [], "hits": {}, "failed": ""}
    values["stats"] = request.maybe("stats")
    try:
        if text:
            narrowing = {"project": project} if project else {}
            values["hits"] = request.tool("search", query=text, max_results=HITS, **narrowing)
        else:
            values["rows"] = _newest(request, project)
    except CodedError as error:
        values["failed"] = error.message
    return Shown("memories", "Memories", values)


def _newest(request: PageRequest, project: str) -> list[Json]:
    """The newest memories, each with whether the code that it is about has changed."""
    memory = request.ctx.memory
    rows = latest(memory, project or None, None, NEWEST)
    with memory.store.read() as db:
        standing = anchor_states(memory, db, request.ctx.code(), [row.number for row in rows])
    return [row.view() | {"status": standing.get(row.number, AnchorStates()).status} for row in rows]


def _detail(request: PageRequest, name: str) -> Shown:
    """One memory; reading it here does not count as a use by an agent."""
    memory = request.ctx.memory
    with memory.store.read() as db:
        row = memory_by_id(db, name)
        ends = related(db, row.number, 1)
        standing = anchor_states(memory, db, request.ctx.code(), [row.number]).get(row.number, AnchorStates())
    return Shown("memory", row.title or "Memory", {"row": row.view(), "ends": ends, "standing": standing})
