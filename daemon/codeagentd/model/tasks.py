"""Tasks in the answers of the toolset `tasks`.

Optional fields are left out at their default; times are ISO 8601 in UTC.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from .kept_texts import NOT_KEPT
from .memory import AnswerValue

TaskType = Literal["task", "epic"]
TaskStatus = Literal["pending", "in_progress", "blocked", "done"]
ModelName = Literal["haiku", "sonnet", "opus"]

MAX_FILES: Final = 200  # of one task: more is an epic

Prefix = Annotated[str, Meta(min_length=1, max_length=32)]
TaskName = Annotated[str, Meta(min_length=1, max_length=300)]
Description = Annotated[str, Meta(max_length=20_000)]
Priority = Annotated[int, Meta(ge=1, le=5)]
FilePath = Annotated[str, Meta(min_length=1, max_length=4_096)]
Files = Annotated[list[FilePath], Meta(max_length=MAX_FILES)]
TaskId = Annotated[str, Meta(min_length=1, max_length=64, extra=NOT_KEPT)]
TaskIds = Annotated[list[TaskId], Meta(max_length=100)]


class TaskView(AnswerValue, frozen=True, kw_only=True):
    """A task. `status` blocked: it waits for `blocked_by`. `lease`: the window that works on it, this or another."""

    task_id: str
    project: str
    type: str
    name: str
    status: str
    priority: int
    created_at: str
    updated_at: str
    description: str = ""
    files_exclusive: list[str] = []
    files_readonly: list[str] = []
    depends_on: list[str] = []
    blocked_by: list[str] = []
    parent: str = ""
    suggested_model: str = ""
    resolved_by: str = ""
    summary: str = ""
    lease: str = ""


class Overlap(AnswerValue, frozen=True):
    """A task of another agent that touches the same code."""

    task_id: str
    reason: str


class NextTask(AnswerValue, frozen=True, kw_only=True):
    """The answer of get_next_task: the task, leased to the requesting window; without `task_id` there is none, and
    `note` says why.
    """

    task_id: str = ""
    project: str = ""
    type: str = ""
    name: str = ""
    status: str = ""
    priority: int = 0
    created_at: str = ""
    updated_at: str = ""
    description: str = ""
    files_exclusive: list[str] = []
    files_readonly: list[str] = []
    depends_on: list[str] = []
    parent: str = ""
    suggested_model: str = ""
    lease: str = ""
    overlaps: list[Overlap] = []
    note: str = ""


class CompletedTask(TaskView, frozen=True, kw_only=True):
    """The answer of complete_task: the task; the epics that are finished with it, and the tasks that no longer wait."""

    finished: list[str] = []
    unblocked: list[str] = []
    note: str = ""
