"""The task board: creating, claiming, completing and listing tasks, each in a short transaction with its entry in the
audit feed.
"""

from __future__ import annotations

import re
import time
from typing import Any, Final

import msgspec

from codeagent_protocol.errors import InvalidParameter, StoreFailed
from codeagentd.model.tasks import CompletedTask, NextTask, TaskView
from codeagentd.query.paging import Slice
from codeagentd.secrets.redaction import redacted
from codeagentd.store.memory_backend import MemoryConnection

from . import leases
from .memory_rows import memory_by_id as memory_of
from .memory_store import Caller, Code, MemoryStore, as_json, note, write_once
from .task_overlap import overlaps, plain_paths
from .task_states import BLOCKED, CLAIM, COMPLETE, DONE, PENDING, after
from .task_views import Task, task_by_id, view, waits, whole

EPIC: Final = "epic"
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class NewTask(msgspec.Struct, frozen=True):
    """A task to create: the parameters of create_task."""

    project: str
    name: str
    type: str
    description: str
    priority: int
    files_exclusive: list[str]
    files_readonly: list[str]
    depends_on: list[str]
    parent: str
    suggested_model: str


def prefix(project: str) -> str:
    """Return the prefix of ids on the board `project`: two spellings of a board's name give one prefix. Errors:
    invalid_parameter.
    """
    if not _PREFIX.fullmatch(project):
        raise InvalidParameter(
            f"project {project!r} is no prefix",
            remedy="use letters, digits, - and _, a letter first: CA",
            parameter="project",
        )
    return project.upper()


def create(memories: MemoryStore, caller: Caller, new_task: NewTask) -> TaskView:
    """Put `new_task` on the board, and return it. Errors: invalid_parameter for invalid dependencies or an invalid
    epic.
    """
    board = prefix(new_task.project)
    if not new_task.name.strip():
        raise InvalidParameter("name is empty", remedy="say in a few words what is to be done", parameter="name")
    exclusive, readonly = (
        plain_paths(new_task.files_exclusive, "files_exclusive"),
        plain_paths(new_task.files_readonly, "files_readonly"),
    )

    def work(db: MemoryConnection) -> TaskView:
        db.run("tasks.lock")
        parent = _parent(db, new_task.parent) if new_task.parent else None
        needs = [_known(db, task, "depends_on").number for task in dict.fromkeys(new_task.depends_on)]
        check_circle(db, needs, parent and parent.number)
        db.run("memory.open_project", (board,))
        number = db.value("tasks.next_number", (board, new_task.type))
        task = f"{board}-{new_task.type.upper()}-{number:03}"
        values = {
            "id": task,
            "project": board,
            "type": new_task.type,
            "name": redacted(new_task.name),
            "description": redacted(new_task.description),
            "status": PENDING,
            "priority": new_task.priority,
            "files_exclusive": as_json(exclusive),
            "files_readonly": as_json(readonly),
            "parent": parent.number if parent else None,
            "suggested_model": new_task.suggested_model,
            "repository": memories.repository,
            "now": time.time(),
        }
        row = db.value("tasks.put", values)
        db.run_many("tasks.put_dependency", [(row, needed) for needed in needs])
        created = view(db, task_by_id(db, task), caller)
        note(db, caller, "create", task, None, created)
        return created

    return write_once(memories, caller, TaskView, work)


def _known(db: MemoryConnection, task: str, parameter: str) -> Task:
    row = db.row("tasks.by_id", (task,))
    if row is None:
        raise InvalidParameter(
            f"{parameter}: there is no task {task!r}",
            remedy="create it first; list_tasks shows ids",
            parameter=parameter,
        )
    return Task(*row)


def _parent(db: MemoryConnection, task: str) -> Task:
    parent = _known(db, task, "parent")
    if parent.type != EPIC:
        raise InvalidParameter(
            f"parent: {task} is no epic", remedy="create an epic with type `epic`", parameter="parent"
        )
    if parent.status == DONE:
        raise InvalidParameter(f"parent: {task} is done", remedy="create another epic", parameter="parent")
    return parent


def check_circle(db: MemoryConnection, needs: list[int], parent: int | None, task: str = "") -> None:
    """Refuse a new task that depends on the tasks with the numbers `needs`, in the epic with the number `parent`, where
    they would wait for each other for ever. `task`: its id, for the message. Errors: invalid_parameter.
    """
    circle = db.all("tasks.circle", {"needs": as_json(needs), "parent": parent})
    if circle:
        epics, whose = ", ".join(epic for (epic,) in circle), f"{task}: " if task else ""
        raise InvalidParameter(
            f"{whose}depends_on makes a cycle: {epics} cannot be done before this task, which would wait for it",
            remedy="leave one of the two out",
            parameter="depends_on",
        )


def claim(memories: MemoryStore, caller: Caller, code: Code, project: str | None) -> NextTask:
    """Lease the most urgent available task of `project` (None: of any) to the caller's window, and return it.

    No other window gets it until that window closes or the task is done.
    """
    board = prefix(project) if project is not None else None

    def work(db: MemoryConnection) -> NextTask:
        leases.release(db, caller)
        own_leases = [lease for lease in leases.current(db) if lease.session == caller.session]
        remark = f"this window also holds {', '.join(lease.id for lease in own_leases)}" if own_leases else ""
        chosen = db.value("tasks.next", {"project": board})
        if chosen is None:
            return NextTask(
                note="; ".join(filter(None, ("no task can be begun: each is done, in work or blocked", remark)))
            )
        identity = leases.shared_identity if db.spans_machines else leases.process_identity
        birth = identity(caller.window) if caller.window else ""
        if birth:
            _lease(db, caller, task_by_id(db, chosen), birth)
        else:
            remark = "shown, not claimed: only a window can hold a lease"
        task = task_by_id(db, chosen)
        needs = [needed for needed, _ in db.all("tasks.needs", (task.number,))]
        return NextTask(
            **task.fields(caller), depends_on=needs, overlaps=overlaps(code, task, leases.current(db)), note=remark
        )

    return write_once(memories, caller, NextTask, work)


def _lease(db: MemoryConnection, caller: Caller, task: Task, birth: str) -> None:
    now = time.time()
    db.run("tasks.set_status", (after(task.id, task.status, CLAIM), now, task.number))
    db.run("tasks.put_lease", (task.number, caller.session, caller.window, birth, now))
    note(db, caller, CLAIM, task.id, None, {"pid": caller.window})


def complete(memories: MemoryStore, caller: Caller, task: str, resolved_by: str, summary: str) -> CompletedTask:
    """Mark the task with the id `task` as done, and the epics that are thereby complete.

    Errors: not_found; invalid_parameter for a task that is done or waits for others.
    """

    def work(db: MemoryConnection) -> CompletedTask:
        db.run("tasks.lock")
        leases.release(db, caller)
        row = task_by_id(db, task)
        _check_completable(db, row)
        if resolved_by:
            memory_of(db, resolved_by, "resolved_by")
        if db.value("tasks.set_done", (resolved_by, redacted(summary), time.time(), row.number)) is None:
            raise StoreFailed(
                f"the board {row.project} is only read by this user",
                remedy="ask the database's owner for `codeagentd memory grant`",
            )
        db.run("tasks.delete_lease", (row.number,))
        note(
            db,
            caller,
            COMPLETE,
            row.id,
            {"status": row.status},
            {"resolved_by": resolved_by, "summary": redacted(summary)},
        )
        finished = _finish_epics(db, caller, row)
        done = [row, *finished]
        unblocked = dict.fromkeys(
            waiting for finished_task in done for (waiting,) in db.all("tasks.waiting_for", (finished_task.number,))
        )
        remark = "another window had claimed it" if row.session not in (None, caller.session) else ""
        fields = whole(db, task_by_id(db, row.id), caller)
        return CompletedTask(**fields, finished=[epic.id for epic in finished], unblocked=list(unblocked), note=remark)

    return write_once(memories, caller, CompletedTask, work)


def _check_completable(db: MemoryConnection, task: Task) -> None:
    open_parts = db.all("tasks.parts", (task.number,)) if task.type == EPIC else []
    if open_parts and task.status != DONE:
        raise InvalidParameter(
            f"{task.id} has parts that are not done: {_states(open_parts)}",
            remedy="it is done when they are",
            parameter="task_id",
        )
    after(task.id, task.status, COMPLETE, f"it waits for {_states(waits(db, task))}" if task.status == BLOCKED else "")


def _states(tasks: list[tuple[str, str]]) -> str:
    return ", ".join(f"{task} ({status})" for task, status in tasks)


def _finish_epics(db: MemoryConnection, caller: Caller, task: Task) -> list[Task]:
    """Complete the epics whose last open task this was. Returns them, the innermost first."""
    finished: list[Task] = []
    while task.parent_id:
        epic = task_by_id(db, task.parent_id)
        if epic.status == DONE or db.all("tasks.parts", (epic.number,)):
            break
        db.run("tasks.set_done", ("", "all of its parts are done", time.time(), epic.number))
        note(db, caller, COMPLETE, epic.id, {"status": epic.status}, {"parts": "done"})
        finished.append(epic)
        task = epic
    return finished


def listed(
    memories: MemoryStore,
    caller: Caller,
    project: str | None,
    status: str | None,
    kind: str | None,
    after_number: int,
    limit: int,
) -> Slice[TaskView]:
    """Return up to `limit` tasks after the number `after_number`, in the order of their creation."""
    leases.tidy(memories, caller)
    parameters: dict[str, Any] = {
        "project": prefix(project) if project is not None else None, "status": status, "type": kind,
        "after": after_number, "limit": limit + 1,
    }  # fmt: skip
    with memories.store.read() as db:
        rows = [Task(*row) for row in db.all("tasks.listed", parameters)]
        views = [view(db, row, caller) for row in rows[:limit]]
    return Slice(views, (rows[limit - 1].number,) if len(rows) > limit else None)
