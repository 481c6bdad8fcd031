"""Roles of a team's server: each sees and changes the projects that it was granted, through every tool."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest

from codeagent_protocol.errors import NotFound, StoreFailed
from codeagentd.memory.audit_log import changes, latest
from codeagentd.memory.import_export import exported
from codeagentd.memory.maintenance import fill
from codeagentd.memory.memory_store import MemoryStore
from codeagentd.memory.team import grants
from codeagentd.memory.team.grants import Grant
from codeagentd.store.postgres.postgres_database import PostgresDatabase
from codeagentd.toolkit.context import Context
from tests.harness.postgres import OWNER, missing
from tests.harness.stored_rows import count_rows
from tests.harness.team import server
from tests.harness.vectors import WordVectors
from tests.unit.memory.notebook import Notebook

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

Window = Callable[[str], Notebook]


@pytest.fixture
def window(shop: Context) -> Iterator[Window]:
    """Windows of roles of one database: `ann` writes shop and reads docs, `bob` writes docs, `eve` was granted nothing."""
    database = server().migrated()
    opened: dict[str, Notebook] = {}

    def window(role: str) -> Notebook:
        if role not in opened:
            server().role(role)
            store = PostgresDatabase(server().url(database, role))
            memories = MemoryStore(store, "shop", WordVectors())
            opened[role] = Notebook(msgspec.structs.replace(shop, memory=memories), session=role.encode())
        return opened[role]

    owner = window(OWNER).ctx.memory
    for role in ("ann", "bob", "eve"):
        server().role(role)
    for grant in (Grant("ann", "shop", True), Grant("ann", "docs*", False), Grant("bob", "DOCS", True)):
        grants.grant(owner, grant)
    yield window
    for notebook in opened.values():
        notebook.ctx.memory.store.close()
    server().drop(database)


def everything(notebook: Notebook) -> str:
    """All that a role gets to see, through every tool and command."""
    ctx, memories = notebook.ctx, notebook.ctx.memory
    return str([
        notebook.ok("search", query="plan budget compute_total", max_results=50, include_graph=True),
        notebook.ok("stats"),
        notebook.ok("list_tasks"),
        notebook.ok("improved_attempt", task="plan the budget", original_output="it failed"),
        notebook.ok("model_effectiveness", task_pattern="plan the budget"),
        list(exported(memories)),
        list(changes(memories, None, 90, 100)),
        latest(memories, None, None, 100),
        ctx.memory.store.trouble,
    ])  # fmt: skip


def test_a_role_sees_the_projects_that_it_was_granted_and_no_others(window: Window) -> None:
    ann, bob, owner = window("ann"), window("bob"), window(OWNER)
    secret = ann.store("plan of the shopbudget: compute_total", project="shop", tags=["shoptag"], title="shoptitle")
    own = bob.store("plan of the docsbudget: compute_total", project="docs", tags=["docstag"])
    owner.ok("link", from_id=own, to_id=secret, reason="shopreason")
    ann.ok("create_task", project="SHOP", name="shoptask")
    bob.ok("create_task", project="DOCS", name="docstask")
    seen = everything(bob)
    assert "docsbudget" in seen
    assert "docstask" in seen
    for word in ("shopbudget", "shoptag", "shoptitle", "shopreason", "shoptask", secret, "SHOP-TASK-001"):
        assert word not in seen, word
    assert bob.error("read", id=secret)[0] == "NOT_FOUND"
    assert bob.ok("read", id=own, depth=3)["related_memories"] == []
    assert bob.ok("stats")["total_links"] == 0
    for both in (everything(ann), everything(owner)):
        assert "shopbudget" in both
        assert "docsbudget" in both
        assert "shopreason" in both


def test_a_role_without_a_grant_is_told_so_and_sees_nothing(window: Window) -> None:
    window("ann").store("plan of the shopbudget", project="shop")
    code, text = window("eve").error("search", query="plan")
    assert (code, "grant" in text) == ("DB_ERROR", True)
    grants.grant(window(OWNER).ctx.memory, Grant("eve", "other", True))
    assert "shopbudget" not in everything(window("eve"))


def test_what_is_only_read_is_not_changed(window: Window) -> None:
    ann, bob = window("ann"), window("bob")
    memory = bob.store("plan of the docsbudget", project="docs")
    mine = ann.store("plan of the shopbudget", project="shop")
    task = bob.ok("create_task", project="DOCS", name="docstask")["task_id"]
    assert ann.hits("docsbudget") == [memory]
    assert ann.ok("read", id=memory)["content"] == "plan of the docsbudget"
    for tool, arguments in (
        ("update", {"id": memory, "title": "x"}), ("delete", {"id": memory}), ("link", {"from_id": memory, "to_id": mine}),
        ("store", {"type": "knowledge", "content": "x", "project": "docs"}), ("complete_task", {"task_id": task}),
        ("create_task", {"project": "DOCS", "name": "x"}), ("store", {"type": "knowledge", "content": "x"}),
    ):  # fmt: skip
        code, text = ann.error(tool, **arguments)
        assert (code, "grant" in text) == ("DB_ERROR", True), (tool, text)
    assert "task_id" not in ann.ok("get_next_task")
    assert bob.ok("read", id=memory)["title"] == ""
    assert bob.ok("get_next_task")["task_id"] == task


def test_a_task_that_waits_for_one_of_a_hidden_board_waits(window: Window) -> None:
    owner = window(OWNER)
    hidden = owner.ok("create_task", project="SHOP", name="first")["task_id"]
    waiting = owner.ok("create_task", project="DOCS", name="then", depends_on=[hidden])["task_id"]
    bob = window("bob")
    (task,) = bob.ok("list_tasks")["results"]
    assert (task["task_id"], task["status"], task.get("blocked_by", [])) == (waiting, "blocked", [])
    assert "task_id" not in bob.ok("get_next_task")


def test_vectors_and_words_of_a_hidden_project_are_hidden(window: Window) -> None:
    ann, bob = window("ann"), window("bob")
    ann.store("plan of the shopbudget", project="shop")
    fill(ann.ctx.memory)
    with bob.ctx.memory.store.read() as db:
        for table in (
            "memory_words",
            "memory_vectors",
            "memory_bits",
            "anchors",
            "links",
            "audit",
            "calls",
            "grants",
            "projects",
        ):
            assert count_rows(db.connection, table) == 0, table  # type: ignore[attr-defined]
    fill(bob.ctx.memory)


def test_what_is_taken_back_is_seen_no_more(window: Window) -> None:
    owner, bob = window(OWNER).ctx.memory, window("bob")
    memory = bob.store("plan of the docsbudget", project="docs")
    grants.grant(owner, Grant("bob", "other", False))
    assert [grant.project for grant in grants.grants(owner) if grant.role == "bob"] == ["DOCS", "other"]
    grants.revoke(owner, "bob", "DOCS")
    assert bob.error("read", id=memory)[0] == "NOT_FOUND"
    grants.revoke(owner, "bob", "other")
    assert "grant" in bob.error("stats")[1]
    with pytest.raises(NotFound):
        grants.revoke(owner, "bob", "other")


def test_only_the_owner_grants(window: Window) -> None:
    with pytest.raises(StoreFailed, match="owner"):
        grants.grant(window("bob").ctx.memory, Grant("bob", "*", True))
    with pytest.raises(StoreFailed, match="owner"):
        grants.grants(window("bob").ctx.memory)
    with pytest.raises(StoreFailed, match="nobody here"):
        grants.grant(window(OWNER).ctx.memory, Grant("nobody here", "*", True))


def test_a_pattern_is_a_beginning_and_nothing_of_sql(window: Window) -> None:
    owner, eve = window(OWNER), window("eve")
    for project in ("web", "web-shop", "w%b", "x"):
        owner.store(f"plan of {project}", project=project)
    grants.grant(owner.ctx.memory, Grant("eve", "w%", False))
    assert eve.ok("stats")["total"] == 0
    grants.grant(owner.ctx.memory, Grant("eve", "web*", False))
    assert eve.ok("stats")["by_project"] == {"web": 1, "web-shop": 1}
    grants.grant(owner.ctx.memory, Grant("eve", "*", False))
    assert eve.ok("stats")["total"] == 4
