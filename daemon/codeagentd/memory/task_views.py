"""The row of a task in the database, and its view in answers."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from codeagent_protocol.errors import NotFound
from codeagentd.model.tasks import TaskView
from codeagentd.store.memory_backend import MemoryConnection

from .memory_rows import iso
from .memory_store import Caller


class Task(NamedTuple):
    """The row of a task: the columns of the statement tasks.by_id. `session` is that of its lease, None without a
    lease.
    """

    number: int
    id: str
    project: str
    type: str
    name: str
    description: str
    status: str
    priority: int
    files_exclusive: str
    files_readonly: str
    parent: int | None
    parent_id: str | None
    suggested_model: str
    resolved_by: str
    summary: str
    repository: str
    created_at: float
    updated_at: float
    session: bytes | None

    def fields(self, caller: Caller) -> dict[str, Any]:
        """Return the fields of model.tasks.TaskView that come from the row itself, as `caller` sees them."""
        lease = "" if self.session is None else "this window" if self.session == caller.session else "another window"
        return {
            "task_id": self.id,
            "project": self.project,
            "type": self.type,
            "name": self.name,
            "status": self.status,
            "priority": self.priority,
            "created_at": iso(self.created_at),
            "updated_at": iso(self.updated_at),
            "description": self.description,
            "files_exclusive": msgspec.json.decode(self.files_exclusive),
            "files_readonly": msgspec.json.decode(self.files_readonly),
            "parent": self.parent_id or "",
            "suggested_model": self.suggested_model,
            "lease": lease,
        }


def task_by_id(db: MemoryConnection, task: str) -> Task:
    """Return the row of the task with the id `task`. Errors: not_found."""
    row = db.row("tasks.by_id", (task,))
    if row is None:
        raise NotFound(f"there is no task {task!r}", remedy="list_tasks shows ids", parameter="task_id")
    return Task(*row)


def waits(db: MemoryConnection, task: Task) -> list[tuple[str, str]]:
    """Return the tasks that `task` waits for, by itself or through its epic, as (id, status)."""
    return db.all("tasks.waits_for", {"number": task.number})


def whole(db: MemoryConnection, task: Task, caller: Caller) -> dict[str, Any]:
    """Return all fields of model.tasks.TaskView for `task`, as `caller` sees them."""
    return task.fields(caller) | {
        "depends_on": [needed for needed, _ in db.all("tasks.needs", (task.number,))],
        "blocked_by": [needed for needed, _ in waits(db, task)] if task.status == "blocked" else [],
        "resolved_by": task.resolved_by,
        "summary": task.summary,
    }


def view(db: MemoryConnection, task: Task, caller: Caller) -> TaskView:
    """Return the view of `task`, as `caller` sees it."""
    return TaskView(**whole(db, task, caller))
