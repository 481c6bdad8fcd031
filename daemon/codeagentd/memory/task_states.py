"""The states of a task, and the events that lead from one to the next."""

from __future__ import annotations

from typing import Final

from codeagent_protocol.errors import InvalidParameter

PENDING: Final = "pending"
IN_PROGRESS: Final = "in_progress"
# pending, and waiting for other tasks: computed and never stored, so that it never has to be updated
BLOCKED: Final = "blocked"
DONE: Final = "done"

CLAIM: Final = "claim"
RELEASE: Final = "release"
COMPLETE: Final = "complete"

FLOW: Final = {
    (PENDING, CLAIM): IN_PROGRESS,
    (IN_PROGRESS, RELEASE): PENDING,
    (IN_PROGRESS, COMPLETE): DONE,
    (PENDING, COMPLETE): DONE,  # done without a claim before
}


def after(task: str, status: str, event: str, why: str = "") -> str:
    """Return the state that `event` leads to from the state `status`. Errors: invalid_parameter where the event is not
    possible; `task`, its id, and the reason `why` are for the message.
    """
    following = FLOW.get((status, event))
    if following is None:
        raise InvalidParameter(
            f"{task} is {status}{why and f': {why}'}", remedy="list_tasks shows what can be done", parameter="task_id"
        )
    return following
