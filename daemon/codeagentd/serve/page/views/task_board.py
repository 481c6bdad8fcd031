"""The page of the tasks: a board by state, with who works on what."""

from __future__ import annotations

from typing import Final

from codeagent_protocol.errors import CodedError
from codeagentd.memory.leases import current
from codeagentd.serve.page.questions import Json, PageRequest, Shown

COLUMNS: Final = ("pending", "blocked", "in_progress", "done")
AT_ONCE: Final = 500


def board(request: PageRequest) -> Shown:
    """Show the tasks of all projects, or of one."""
    project = request.query.get("project", "").strip()
    answer = request.maybe("list_tasks", limit=AT_ONCE, **({"project": project} if project else {}))
    tasks = answer.get("results", [])
    columns: dict[str, list[Json]] = {state: [] for state in COLUMNS}
    for task in tasks:
        columns.setdefault(task["status"], []).append(task)
    values = {
        "project": project, "projects": sorted({task["project"] for task in tasks}), "columns": columns,
        "holders": _holders(request),
        "failed": answer.get("failed", ""), "is_cut": bool(answer.get("next_cursor")), "shared": _shared(tasks),
    }  # fmt: skip
    return Shown("tasks", "Tasks", values)


def _holders(request: PageRequest) -> dict[str, str]:
    """The names of the clients that work on tasks, by task; a process where its client is not known here."""
    clients = {window.pid: window.client for window in request.daemon.status().windows}
    try:
        with request.ctx.memory.store.read() as db:
            held = current(db)
    except CodedError:
        return {}
    return {lease.id: clients.get(lease.pid) or f"process {lease.pid}" for lease in held}


def _shared(tasks: list[Json]) -> dict[str, list[str]]:
    """The files that several tasks in progress touch, each with their ids."""
    touched: dict[str, list[str]] = {}
    for task in tasks:
        if task["status"] == "in_progress":
            for path in (*task.get("files_exclusive", []), *task.get("files_readonly", [])):
                touched.setdefault(path, []).append(task["task_id"])
    return {path: ids for path, ids in sorted(touched.items()) if len(ids) > 1}
