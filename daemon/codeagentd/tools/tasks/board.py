"""The tools about tasks: creating, claiming, completing and listing them."""

from __future__ import annotations

from codeagentd.memory import tasks
from codeagentd.memory.tasks import NewTask
from codeagentd.model.memory import MemoryId
from codeagentd.model.parameters import Cursor, EdgeLimit
from codeagentd.model.tasks import (
    CompletedTask,
    Description,
    Files,
    ModelName,
    NextTask,
    Prefix,
    Priority,
    TaskId,
    TaskIds,
    TaskName,
    TaskStatus,
    TaskType,
    TaskView,
)
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.tool import Effect, tool


@tool("tasks", Effect.WRITE, needs_index=False, flat_errors=True, idempotent=False)
def create_task(
    ctx: Context,
    project: Prefix,
    name: TaskName,
    type: TaskType = "task",  # noqa: A002 - the contract's name
    description: Description | None = None,
    priority: Priority = 3,
    files_exclusive: Files | None = None,
    files_readonly: Files | None = None,
    depends_on: TaskIds | None = None,
    parent: TaskId | None = None,
    suggested_model: ModelName | None = None,
) -> TaskView:
    """Add a task (todo), subtask or epic to the board of a project (a prefix: CA makes CA-TASK-001). Priority 1 is the
    highest; parent: an epic.

    Returns: the task; blocked while it waits for depends_on.
    Errors:  VALIDATION_ERROR (unknown dependency or parent, cycle), DB_ERROR.
    Source:  004 create_task.
    """
    new_task = NewTask(
        project,
        name,
        type,
        description or "",
        priority,
        files_exclusive or [],
        files_readonly or [],
        depends_on or [],
        parent or "",
        suggested_model or "",
    )
    return tasks.create(ctx.memory, ctx.caller, new_task)


@tool("tasks", Effect.WRITE, needs_index=False, flat_errors=True, idempotent=False)
def get_next_task(ctx: Context, project: Prefix | None = None) -> NextTask:
    """Claim the next task to work on: highest priority, nothing left to wait for. It is yours until it is done or this
    window closes.

    Returns: the task; overlaps with what other windows work on (same files, files that call each other); no task_id if
             there is none.
    Errors:  VALIDATION_ERROR, DB_ERROR.
    Source:  004 get_next_task.
    """
    return tasks.claim(ctx.memory, ctx.caller, ctx.code(), project)


@tool("tasks", Effect.WRITE, needs_index=False, flat_errors=True, idempotent=False)
def complete_task(
    ctx: Context, task_id: TaskId, resolved_by: MemoryId | None = None, summary: Description | None = None
) -> CompletedTask:
    """Mark a task as done (complete, close, finish it). Epics are done when all of their parts are.

    Returns: the task; finished epics; unblocked tasks.
    Errors:  NOT_FOUND, VALIDATION_ERROR (done already, blocked), DB_ERROR.
    Source:  004 complete_task.
    """
    return tasks.complete(ctx.memory, ctx.caller, task_id, resolved_by or "", summary or "")


@tool("tasks", needs_index=False, flat_errors=True)
def list_tasks(
    ctx: Context,
    project: Prefix | None = None,
    status: TaskStatus | None = None,
    type: TaskType | None = None,  # noqa: A002 - the contract's name
    limit: EdgeLimit = 100,
    cursor: Cursor | None = None,
) -> Page[TaskView]:
    """List (show) all tasks and their status, in the order of their creation. Blocked ones say what they wait for.

    Returns: tasks, a page at a time.
    Errors:  VALIDATION_ERROR, DB_ERROR.
    Source:  004 list_tasks.
    """
    question = ("list_tasks", project, status, type)
    (after,) = position(cursor, *question) or (0,)
    return page(tasks.listed(ctx.memory, ctx.caller, project, status, type, after, limit), *question)
