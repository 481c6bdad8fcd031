"""The task board: ids, states, who gets what, and who must wait."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from codeagentd.memory.task_states import FLOW
from tests.unit.memory.notebook import CATALOGUE, Json, Notebook

OpenWindow = Callable[[], Notebook]


@pytest.fixture
def open_window(notebook: Notebook) -> Iterator[OpenWindow]:
    """Windows, each with a living process behind it."""
    processes = []

    def make() -> Notebook:
        process = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
        processes.append(process)
        return Notebook(notebook.ctx, session=f"window {len(processes)}".encode(), window=process.pid)

    yield make
    for process in processes:
        process.kill()
        process.communicate()


def close(window: Notebook) -> None:
    """The window's process is killed, and its end was not noticed yet."""
    os.kill(window.window, signal.SIGKILL)
    os.waitid(os.P_PID, window.window, os.WEXITED | os.WNOWAIT)


def create(notebook: Notebook, name: str = "do it", **more: Any) -> str:
    return str(notebook.ok("create_task", **({"project": "CA", "name": name} | more))["task_id"])


def states(notebook: Notebook, **filters: str) -> dict[str, str]:
    return {task["task_id"]: task["status"] for task in notebook.ok("list_tasks", **filters)["results"]}


def test_a_task_is_listed_as_it_was_created(notebook: Notebook) -> None:
    epic = create(notebook, type="epic", name="all of it")
    first = create(notebook)
    wanted: Json = {
        "project": "ca", "name": "second", "description": "at length", "priority": 1, "files_exclusive": ["./shop/a.py", "shop//a.py", "shop/b.py"],
        "files_readonly": ["README.md"], "depends_on": [first, first], "parent": epic, "suggested_model": "haiku",
    }  # fmt: skip
    task = notebook.ok("create_task", **wanted)
    assert (epic, first, task["task_id"]) == ("CA-EPIC-001", "CA-TASK-001", "CA-TASK-002")
    assert (task["status"], task["blocked_by"], task["depends_on"], task["project"]) == (
        "blocked",
        [first],
        [first],
        "CA",
    )
    assert (task["files_exclusive"], task["files_readonly"]) == (["shop/a.py", "shop/b.py"], ["README.md"])
    assert notebook.ok("list_tasks", status="blocked")["results"] == [task]
    assert states(notebook, type="epic") == {epic: "pending"}
    assert states(notebook, project="other") == {}


def test_lists_come_in_pages(notebook: Notebook) -> None:
    made = [create(notebook, f"task {number}") for number in range(7)]
    found, cursor = [], None
    while True:
        page = notebook.ok("list_tasks", limit=3, **({"cursor": cursor} if cursor else {}))
        found += [task["task_id"] for task in page["results"]]
        cursor = page.get("next_cursor")
        if not cursor:
            break
    assert found == made
    assert notebook.error("list_tasks", cursor="nonsense")[0] == "VALIDATION_ERROR"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"name": " "}, "name"),
        ({"project": "1x"}, "prefix"),
        ({"project": "a b"}, "prefix"),
        ({"project": ""}, "project"),
        ({"priority": 0}, "priority"),
        ({"priority": 6}, "priority"),
        ({"type": "story"}, "type"),
        ({"suggested_model": "gpt"}, "suggested_model"),
        ({"depends_on": ["CA-TASK-099"]}, "CA-TASK-099"),
        ({"depends_on": ["CA-TASK-002"]}, "CA-TASK-002"),
        ({"parent": "CA-EPIC-099"}, "CA-EPIC-099"),
        ({"parent": "CA-TASK-001"}, "no epic"),
        ({"files_exclusive": ["../x.py"]}, "outside"),
        ({"files_readonly": ["/etc/passwd"]}, "outside"),
        ({"depends_on": "CA-TASK-001"}, "depends_on"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason_and_takes_no_number(
    notebook: Notebook, arguments: Json, said: str
) -> None:
    create(notebook)
    code, text = notebook.error("create_task", **({"project": "CA", "name": "x"} | arguments))
    assert code == "VALIDATION_ERROR"
    assert said in text
    assert create(notebook) == "CA-TASK-002"


def test_an_epic_cannot_wait_for_what_waits_for_it(notebook: Notebook) -> None:
    epic = create(notebook, type="epic")
    inner = create(notebook, type="epic", parent=epic)
    outside = create(notebook, depends_on=[epic])
    beyond = create(notebook, depends_on=[outside])
    for needs in ([epic], [inner], [beyond]):
        code, text = notebook.error("create_task", project="CA", name="part", parent=inner, depends_on=needs)
        assert (code, "cycle" in text) == ("VALIDATION_ERROR", True)
    waiting = create(notebook, type="epic", depends_on=[epic])
    part_of_waiting = create(notebook, parent=waiting)
    assert (
        notebook.error("create_task", project="CA", name="part", parent=inner, depends_on=[part_of_waiting])[0]
        == "VALIDATION_ERROR"
    )
    sibling = create(notebook, parent=inner)
    assert create(notebook, parent=inner, depends_on=[sibling])


def test_the_highest_priority_comes_first_then_the_oldest(notebook: Notebook, open_window: OpenWindow) -> None:
    low, first, second = create(notebook, priority=5), create(notebook, priority=2), create(notebook, priority=2)
    create(notebook, type="epic", priority=1)
    assert [open_window().ok("get_next_task")["task_id"] for _ in range(3)] == [first, second, low]
    none = open_window().ok("get_next_task")
    assert "task_id" not in none
    assert none["note"]


def test_only_the_asked_for_board_is_looked_at(notebook: Notebook, open_window: OpenWindow) -> None:
    create(notebook, priority=1)
    other = create(notebook, project="OTHER", priority=5)
    assert open_window().ok("get_next_task", project="other")["task_id"] == other


def test_what_waits_becomes_eligible_when_the_last_thing_it_waits_for_is_done(
    notebook: Notebook, open_window: OpenWindow
) -> None:
    one, two = create(notebook, priority=4), create(notebook, priority=4)
    last = create(notebook, priority=1, depends_on=[one, two])
    window = open_window()
    assert window.ok("get_next_task")["task_id"] == one
    assert window.ok("complete_task", task_id=one).get("unblocked", []) == []
    assert window.ok("get_next_task")["task_id"] == two
    code, text = window.error("complete_task", task_id=last)
    assert code == "VALIDATION_ERROR"
    assert f"{two} (in_progress)" in text
    assert window.ok("complete_task", task_id=two, summary="fine")["unblocked"] == [last]
    assert window.ok("get_next_task")["task_id"] == last


def test_a_task_is_done_once(notebook: Notebook) -> None:
    task = create(notebook)
    memory = notebook.store("how it went")
    assert notebook.error("complete_task", task_id=task, resolved_by="memory:none")[0] == "NOT_FOUND"
    done = notebook.ok("complete_task", task_id=task, resolved_by=memory, summary="it went well")
    assert (done["status"], done["resolved_by"], done["summary"]) == ("done", memory, "it went well")
    code, text = notebook.error("complete_task", task_id=task)
    assert (code, "done" in text) == ("VALIDATION_ERROR", True)
    assert notebook.error("complete_task", task_id="CA-TASK-404")[0] == "NOT_FOUND"


def test_epics_finish_with_their_parts_and_parts_wait_with_their_epic(notebook: Notebook) -> None:
    before = create(notebook)
    outer = create(notebook, type="epic", depends_on=[before])
    inner = create(notebook, type="epic", parent=outer)
    parts = [create(notebook, parent=inner), create(notebook, parent=inner)]
    assert set(states(notebook, status="blocked")) == {outer, inner, *parts}
    assert notebook.error("complete_task", task_id=parts[0])[0] == "VALIDATION_ERROR"
    assert notebook.ok("complete_task", task_id=before)["unblocked"] == parts
    assert "not done" in notebook.error("complete_task", task_id=outer)[1]
    assert notebook.ok("complete_task", task_id=parts[0]).get("finished", []) == []
    assert states(notebook)[outer] == "pending"
    assert states(notebook)[inner] == "in_progress"
    assert notebook.ok("complete_task", task_id=parts[1])["finished"] == [inner, outer]
    assert set(states(notebook, status="done")) == {before, outer, inner, *parts}
    assert notebook.error("create_task", project="CA", name="late", parent=inner)[0] == "VALIDATION_ERROR"


def test_two_windows_never_get_the_same_task(notebook: Notebook, open_window: OpenWindow) -> None:
    for number in range(12):
        create(notebook, f"task {number}")
    windows = [open_window() for _ in range(4)]
    got: list[str] = []

    def work(window: Notebook) -> None:
        while task := window.ok("get_next_task").get("task_id"):
            got.append(task)

    threads = [threading.Thread(target=work, args=(window,)) for window in windows]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == len(set(got)) == 12


def test_a_claim_that_is_sent_again_gets_the_same_task(notebook: Notebook, open_window: OpenWindow) -> None:
    create(notebook)
    create(notebook)
    window = open_window()
    assert window.send("get_next_task", 900, {}) == window.send("get_next_task", 900, {})
    assert len(states(notebook, status="in_progress")) == 1


def test_the_task_of_a_window_that_is_gone_is_free(notebook: Notebook, open_window: OpenWindow) -> None:
    task = create(notebook)
    holder, other = open_window(), open_window()
    assert holder.ok("get_next_task")["lease"] == "this window"
    assert notebook.ok("list_tasks")["results"][0]["lease"] == "another window"
    assert "task_id" not in other.ok("get_next_task")
    close(holder)
    assert states(notebook) == {task: "pending"}
    assert other.ok("get_next_task")["task_id"] == task


def test_a_lease_outlives_the_daemon(notebook: Notebook, open_window: OpenWindow) -> None:
    task = create(notebook)
    holder = open_window()
    holder.ok("get_next_task")
    notebook.ctx.memory.store.close()
    assert states(notebook) == {task: "in_progress"}
    assert "task_id" not in open_window().ok("get_next_task")
    assert holder.ok("complete_task", task_id=task)["status"] == "done"


def test_a_process_that_got_the_id_of_another_one_holds_nothing(notebook: Notebook, open_window: OpenWindow) -> None:
    task = create(notebook)
    holder = open_window()
    holder.ok("get_next_task")
    with notebook.ctx.memory.store.write() as db:
        db.connection.execute("UPDATE leases SET birth = birth || '0'")
    assert states(notebook) == {task: "pending"}


def test_a_lease_of_another_container_is_left_alone_and_one_of_another_boot_is_over(
    notebook: Notebook, open_window: OpenWindow
) -> None:
    task = create(notebook)
    holder = open_window()
    holder.ok("get_next_task")
    close(holder)
    with notebook.ctx.memory.store.write() as db:
        db.connection.execute("UPDATE leases SET birth = replace(birth, 'pid:[', 'pid:[9')")
    assert states(notebook) == {task: "in_progress"}
    with notebook.ctx.memory.store.write() as db:
        db.connection.execute("UPDATE leases SET birth = 'f' || birth")
    # of a database that several machines share, another boot may be another machine
    assert states(notebook) == {task: "in_progress" if notebook.ctx.memory.store.file is None else "pending"}


def test_who_is_no_window_is_shown_the_task_and_claims_nothing(notebook: Notebook) -> None:
    task = create(notebook)
    shown = notebook.ok("get_next_task")
    assert (shown["task_id"], shown["status"]) == (task, "pending")
    assert "not claimed" in shown["note"]


def test_another_windows_task_can_be_completed_and_the_answer_says_so(
    notebook: Notebook, open_window: OpenWindow
) -> None:
    task = create(notebook)
    open_window().ok("get_next_task")
    assert "another window" in notebook.ok("complete_task", task_id=task)["note"]


def test_overlaps_with_what_others_work_on_are_told(notebook: Notebook, open_window: OpenWindow) -> None:
    first = create(notebook, files_exclusive=["shop/pricing.py"], files_readonly=["docs/pricing.md"])
    create(notebook, files_exclusive=["shop/orders.py", "docs/pricing.md"], files_readonly=["shop/pricing.py"])
    create(notebook, files_exclusive=["shop"])
    create(notebook, files_exclusive=["shop/store.py"])
    windows = [open_window() for _ in range(4)]
    answers = [window.ok("get_next_task") for window in windows]
    told = [{(one["task_id"], one["reason"]) for one in answer.get("overlaps", [])} for answer in answers]
    assert told[0] == set()
    assert told[1] == {
        (first, "it reads what this task changes: docs/pricing.md"),
        (first, "it changes what this task reads: shop/pricing.py"),
        (first, "shop/orders.py calls shop/pricing.py"),
    }
    assert (first, "both change shop") in told[2]
    assert {task for task, _ in told[3]} == {"CA-TASK-003"}


def test_ids_have_no_gaps_whoever_makes_them_at_once(notebook: Notebook) -> None:
    windows = [Notebook(notebook.ctx, session=f"window {number}".encode()) for number in range(6)]

    def work(window: Notebook) -> None:
        for _ in range(10):
            create(window)
            window.error("create_task", project="CA", name="x", parent="CA-EPIC-404")

    threads = [threading.Thread(target=work, args=(window,)) for window in windows]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(states(notebook)) == [f"CA-TASK-{number:03}" for number in range(1, 61)]


def test_the_flow_leads_from_every_state_to_done() -> None:
    assert {status for status, _ in FLOW} | set(FLOW.values()) == {"pending", "in_progress", "done"}
    assert not [event for status, event in FLOW if status == "done"]


def test_the_toolset_is_complete() -> None:
    assert {name for name, tool in CATALOGUE.items() if tool.toolset == "tasks"} == {
        "create_task",
        "get_next_task",
        "complete_task",
        "list_tasks",
    }
