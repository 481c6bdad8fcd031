"""What is forgotten, and when; what is copied, and how often."""

from __future__ import annotations

import io
import os
import time

import msgspec
import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagentd.memory.import_export import MAX_LINE_BYTES, Header, MemoryLine, TaskLine, exported, imported, lines_of
from codeagentd.memory.maintenance import DAILY_COPIES, DAY_S, copy_daily, forget
from codeagentd.store.backups import backup, backups_of
from tests.harness.planted import Forge, shows
from tests.harness.stored_rows import count_rows
from tests.unit.memory.notebook import Notebook


def rows(notebook: Notebook, table: str) -> int:
    with notebook.ctx.memory.store.read() as db:
        return count_rows(db.connection, table)


def pass_days(notebook: Notebook, days: float) -> None:
    """Make everything that was written so many days older, and forget what is old enough then."""
    with notebook.ctx.memory.store.write() as db:
        for table, column in (("memories", "deleted_at"), ("audit", "at"), ("calls", "at")):
            is_time = (table, notebook.ctx.memory.store.file) == ("calls", None)
            less = f"interval '{days} days'" if is_time else f"{days * DAY_S}"
            db.connection.execute(f"UPDATE {table} SET {column} = {column} - {less}")
    forget(notebook.ctx.memory, time.time())


def test_a_clock_that_is_ahead_of_the_servers_forgets_nothing(notebook: Notebook) -> None:
    if notebook.ctx.memory.store.file:
        pytest.skip("a local database has one clock")
    notebook.ok("delete", id=notebook.store("apples keep"))
    forget(notebook.ctx.memory, time.time() + 1_000 * DAY_S)
    assert (rows(notebook, "memories"), rows(notebook, "audit"), rows(notebook, "calls")) == (1, 2, 2)


def test_what_was_deleted_and_what_was_changed_stays_ninety_days(notebook: Notebook) -> None:
    one, other = notebook.store("apples keep"), notebook.store("compute_total rots")
    notebook.ok("link", from_id=one, to_id=other)
    notebook.ok("delete", id=other)
    pass_days(notebook, 89)
    assert (
        rows(notebook, "memories"),
        rows(notebook, "audit"),
        rows(notebook, "links"),
        rows(notebook, "anchors"),
    ) == (2, 4, 1, 1)
    assert rows(notebook, "calls") == 0  # these are kept for a week
    pass_days(notebook, 2)
    assert (
        rows(notebook, "memories"),
        rows(notebook, "audit"),
        rows(notebook, "links"),
        rows(notebook, "anchors"),
    ) == (1, 0, 0, 0)
    assert notebook.hits("apples") == [one]


def test_a_copy_is_made_once_a_day_and_the_last_ones_stay(local_notebook: Notebook) -> None:
    notebook = local_notebook
    notebook.store("worth a copy")
    memories, now = notebook.ctx.memory, time.time()
    by_hand = backup(memories.store.path, "mine")
    os.utime(by_hand, (0, 0))
    for _ in range(DAILY_COPIES + 2):
        for copy in backups_of(memories.store.path):
            os.utime(copy, (copy.stat().st_mtime - DAY_S,) * 2)
        copy_daily(memories, now)
        copy_daily(memories, now)
    kept = backups_of(memories.store.path)
    assert len(kept) == DAILY_COPIES + 1
    assert kept[-1] == by_hand


def test_what_is_imported_is_kept_without_secrets(notebook: Notebook) -> None:
    key = Forge().stripe_key()
    line = MemoryLine(
        id="7f0c5d1e", type="knowledge", content=f"see {key}", tags=[key], project=key, metadata={"deep": [key]}, source_task=key, created_at=1, updated_at=1,
        anchors=[("shop", "file", "0123456789abcdef0123456789abcdef", "", "a.py", "0123456789abcdef0123456789abcdef", 0)],
    )  # fmt: skip
    imported(notebook.ctx.memory, map(msgspec.json.encode, (Header(), line)))
    kept = b"".join(exported(notebook.ctx.memory))
    assert b"see [redacted]" in kept
    assert b"0123456789abcdef0123456789abcdef" in kept
    assert not shows(kept, key)


@pytest.mark.parametrize(
    "line",
    [
        '"created_at":1e300,"updated_at":1', '"created_at":1,"updated_at":-1e18', '"created_at":1,"updated_at":1,"access_count":1e30',
        f'"created_at":1,"updated_at":1,"access_count":{10**30}',
        '"created_at":1,"updated_at":1,"anchors":[["shop","file","no","","a.py","00",0]]',
        f'"created_at":1,"updated_at":1,"anchors":[["shop","file","00","","a.py","00",{2**64}]]',
        f'"created_at":1,"updated_at":1,"metadata":{{"a":{"[" * 100_000}{"]" * 100_000}}}',
    ],
    ids=range(7),
)  # fmt: skip
def test_a_line_that_nobody_could_read_afterwards_is_not_imported(notebook: Notebook, line: str) -> None:
    hostile = f'{{"kind":"memory","id":"7f0c5d1e","type":"knowledge","content":"x",{line}}}'.encode()
    with pytest.raises(InvalidParameter, match="line 2 is none of an export"):
        imported(notebook.ctx.memory, (msgspec.json.encode(Header()), hostile))
    assert len(list(exported(notebook.ctx.memory))) == 1


def test_tasks_that_would_wait_for_each_other_for_ever_are_not_imported(notebook: Notebook) -> None:
    named = {"project": "SHOP", "status": "pending", "priority": 1, "created_at": 1, "updated_at": 1}
    lines = (
        Header(),
        TaskLine(id="SHOP-EPIC-001", type="epic", name="all", **named),
        TaskLine(id="SHOP-TASK-001", type="task", name="after all", depends_on=["SHOP-EPIC-001"], **named),
        TaskLine(
            id="SHOP-TASK-002", type="task", name="part", parent="SHOP-EPIC-001", depends_on=["SHOP-TASK-001"], **named
        ),
    )
    with pytest.raises(InvalidParameter, match="SHOP-TASK-002: depends_on makes a cycle: SHOP-EPIC-001 cannot be done"):
        imported(notebook.ctx.memory, map(msgspec.json.encode, lines))
    assert list(exported(notebook.ctx.memory)) == [msgspec.json.encode(Header())]


def test_a_line_that_is_longer_than_any_of_an_export_is_not_read_to_its_end(notebook: Notebook) -> None:
    file = io.BytesIO(msgspec.json.encode(Header()) + b'\n\n{"kind":"memory","tags":["' + b"t" * MAX_LINE_BYTES * 2)
    with pytest.raises(InvalidParameter, match="line 2 is none of an export: it has more than"):
        imported(notebook.ctx.memory, lines_of(file))
    assert file.tell() < MAX_LINE_BYTES * 1.5


def test_a_task_that_was_exported_with_a_number_beyond_all_others_takes_no_number_from_them(notebook: Notebook) -> None:
    last = TaskLine(
        id=f"SHOP-TASK-{2**63 - 1}", project="SHOP", type="task", name="last", status="pending", priority=1, created_at=1, updated_at=1,
        depends_on=[f"SHOP-TASK-{2**63 - 1}"],
    )  # fmt: skip
    imported(notebook.ctx.memory, map(msgspec.json.encode, (Header(), last)))
    assert notebook.ok("create_task", project="SHOP", name="next", description="")["task_id"] == "SHOP-TASK-001"
    assert notebook.ok("get_next_task", project="SHOP")["task_id"] == last.id, "it does not wait for itself"
