"""A server that is away, slow, read only, older or newer: the window is told, nothing is lost, nothing is done twice."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from codeagent_protocol.errors import StoreFailed
from codeagentd.memory.memory_store import MemoryStore
from codeagentd.memory.team import grants
from codeagentd.memory.team.copies import keep_copies
from codeagentd.memory.team.memory_operations import send
from codeagentd.memory.team.offline_files import OfflineFiles
from codeagentd.memory.team.team_thread import TeamThread
from codeagentd.store.postgres import driver, local_functions, postgres_database, schema_migrations
from codeagentd.store.postgres.postgres_database import PostgresDatabase
from codeagentd.toolkit.context import Context
from tests.harness.planted import Forge, shows
from tests.harness.postgres import OWNER, PostgresServer, folders, missing
from tests.harness.stored_rows import count_rows
from tests.harness.vectors import WordVectors
from tests.harness.waiting import comes, eventually
from tests.unit.memory.notebook import Notebook

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

OpenWindow = Callable[..., Notebook]


@pytest.fixture(scope="module")
def private_server() -> Iterator[PostgresServer]:
    """A server that the tests of this file may stop."""
    server = PostgresServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def database(private_server: PostgresServer) -> Iterator[str]:
    name = private_server.migrated()
    yield name
    private_server.drop(name)


@pytest.fixture
def open_window(private_server: PostgresServer, database: str, shop: Context, tmp_path: Path) -> Iterator[OpenWindow]:
    """Windows of machines of their own: each has its own connections and its own outbox."""
    opened: list[MemoryStore] = []

    def window(machine: str = "one", role: str = OWNER) -> Notebook:
        store = PostgresDatabase(private_server.url(database, role))
        memories = MemoryStore(store, "shop", offline=OfflineFiles(tmp_path / machine))
        opened.append(memories)
        return Notebook(msgspec.structs.replace(shop, memory=memories), session=f"{machine} {len(opened)}".encode())

    yield window
    for memories in opened:
        memories.store.close()
        if memories.offline:
            memories.offline.close()


def deliver(window: Notebook) -> int:
    """Reach the server again, and send what waits."""
    window.ctx.memory.store.probe()  # type: ignore[attr-defined]
    return send(window.ctx.memory, window.ctx.code())


def waiting(window: Notebook) -> int:
    assert window.ctx.memory.offline
    return window.ctx.memory.offline.waiting().operations


def test_what_is_stored_while_the_server_is_away_is_there_when_it_is_back(
    private_server: PostgresServer, open_window: OpenWindow
) -> None:
    window, colleague = open_window(), open_window("two")
    first = window.store("the blue whale dives")
    private_server.stop()
    try:
        stored = window.ok("store", type="knowledge", content="the blue whale sings", tags=["sea"], project="ocean")
        assert "server is away" in stored["note"]
        window.ok("update", id=stored["id"], title="Whales")
        assert waiting(window) == 2
    finally:
        private_server.start()
    assert deliver(window) == 2
    assert waiting(window) == 0
    assert set(colleague.hits("whale")) == {first, stored["id"]}
    read = colleague.ok("read", id=stored["id"])
    assert (read["title"], read["tags"], read["project"]) == ("Whales", ["sea"], "ocean")


def test_a_call_that_is_sent_again_is_done_once_wherever_it_waited(
    private_server: PostgresServer, open_window: OpenWindow
) -> None:
    window = open_window()
    arguments = {"type": "knowledge", "content": "once is enough"}
    private_server.stop()
    try:
        first = window.send("store", 900, arguments)
        assert window.send("store", 900, arguments) == first
    finally:
        private_server.start()
    assert window.send("store", 900, arguments)["id"] == first["id"]  # before it was sent
    deliver(window)
    assert window.send("store", 900, arguments)["id"] == first["id"]
    assert window.ok("stats")["total"] == 1


def test_later_writes_wait_behind_earlier_ones(private_server: PostgresServer, open_window: OpenWindow) -> None:
    window = open_window()
    private_server.stop()
    try:
        memory = window.store("the first text")
    finally:
        private_server.start()
    window.ctx.memory.store.probe()  # type: ignore[attr-defined]
    window.ok("update", id=memory, content="the last text")
    assert waiting(window) == 2
    deliver(window)
    assert window.ok("read", id=memory)["content"] == "the last text"


def test_while_the_server_is_away_copies_are_searched_and_the_answer_says_so(
    private_server: PostgresServer, open_window: OpenWindow
) -> None:
    window, colleague = open_window(), open_window("two")
    seen, unseen = colleague.store("the blue whale dives"), colleague.store("penguins swim")
    assert window.hits("whale") == [seen]
    keep_copies(window.ctx.memory)
    private_server.stop()
    try:
        answer = window.ok("search", query="whale penguins")
        assert [hit["id"] for hit in answer["index"]] == [seen]
        assert "not known" in answer["note"]
        assert "not known" in window.ok("read", id=seen)["note"]
        code, text = window.error("read", id=unseen)
        assert (code, "away" in text) == ("DB_ERROR", True)
        assert "no copy" in window.error("update", id=unseen, title="x")[1]
        window.ok("update", id=seen, title="Whale")
    finally:
        private_server.start()
    deliver(window)
    assert colleague.ok("read", id=seen)["title"] == "Whale"


def test_nobody_gets_a_task_while_nobody_can_know_who_has_it(
    private_server: PostgresServer, open_window: OpenWindow
) -> None:
    window = open_window()
    window.ok("create_task", project="CA", name="do it")
    private_server.stop()
    try:
        for tool, arguments in (
            ("get_next_task", {}), ("list_tasks", {}), ("complete_task", {"task_id": "CA-TASK-001"}),
            ("create_task", {"project": "CA", "name": "x"}), ("stats", {}),
        ):  # fmt: skip
            code, text = window.error(tool, **arguments)
            assert (code, "away" in text) == ("DB_ERROR", True), tool
    finally:
        private_server.start()
    window.ctx.memory.store.probe()  # type: ignore[attr-defined]
    assert [task["task_id"] for task in window.ok("list_tasks")["results"]] == ["CA-TASK-001"]


def test_what_the_server_refuses_in_the_end_is_set_aside_and_the_rest_is_sent(
    private_server: PostgresServer, open_window: OpenWindow
) -> None:
    window, colleague = open_window(), open_window("two")
    memory = window.store("soon deleted")
    keep_copies(window.ctx.memory)
    private_server.stop()
    try:
        window.ok("update", id=memory, title="too late")
        other = window.store("in good time")
    finally:
        private_server.start()
    colleague.ctx.memory.store.probe()  # type: ignore[attr-defined]
    colleague.ok("delete", id=memory)
    assert deliver(window) == 1
    assert window.ctx.memory.offline
    ((_, operation, reason),) = window.ctx.memory.offline.refused()
    assert b"too late" in operation
    assert memory in reason
    assert colleague.hits("good time") == [other]


def test_no_secret_waits_on_the_disk(private_server: PostgresServer, open_window: OpenWindow) -> None:
    key = Forge().stripe_key()
    window = open_window()
    private_server.stop()
    try:
        memory = window.store(f"a key: {key}")
        window.ok("update", id=memory, content=f"see {key}", metadata={"deep": [key]}, tags=[key], title=key)
        window.ok("link", from_id=memory, to_id=window.store("other"), reason=f"because of {key}")
        assert waiting(window) == 4
    finally:
        private_server.start()
    offline = window.ctx.memory.offline
    assert offline
    assert not [file.name for file in offline.folder.iterdir() if shows(file.read_bytes(), key)]


def test_a_server_that_says_nothing_is_given_up_soon(private_server: PostgresServer, open_window: OpenWindow) -> None:
    window = open_window()
    window.store("apples keep")
    window.ctx.memory.store.close()
    with private_server.frozen():
        began = time.monotonic()
        assert "server is away" in window.ok("store", type="knowledge", content="pears rot")["note"]
        assert "away" in window.error("stats")[1]
        assert "not known" in window.ok("search", query="apples")["note"]
        assert time.monotonic() - began < 8
        began = time.monotonic()
        assert window.ctx.memory.store.trouble
        assert "away" in window.error("stats")[1]  # another attempt is made later
        assert time.monotonic() - began < 3
    assert deliver(window) == 1


def test_a_server_that_is_only_read_answers_and_lets_writes_wait(
    private_server: PostgresServer, database: str, open_window: OpenWindow
) -> None:
    window = open_window()
    apples = window.store("apples keep")
    window.ctx.memory.store.close()
    private_server.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    try:
        assert window.hits("apples") == [apples]
        assert "server is away" in window.ok("store", type="knowledge", content="pears rot")["note"]
        assert "read-only" in window.error("create_task", project="CA", name="x")[1]
        assert window.hits("apples") == [apples]
        assert "not counted" in window.ok("read", id=apples)["note"]
    finally:
        private_server.execute(f"ALTER DATABASE {database} RESET default_transaction_read_only")
    assert deliver(window) == 1
    assert len(window.hits("pears")) == 1


def test_a_restart_between_two_calls_is_not_noticed(private_server: PostgresServer, open_window: OpenWindow) -> None:
    window = open_window()
    memory = window.store("apples keep")
    for how in (signal.SIGINT, signal.SIGKILL):
        private_server.restart(how)
        assert window.hits("apples") == [memory]
        private_server.restart(how)
        assert "note" not in window.ok("store", type="knowledge", content=f"pears rot {how}")


def test_others_hear_of_a_change_at_once(open_window: OpenWindow) -> None:
    window, colleague = open_window(), open_window("two")
    heard = threading.Event()
    memories = window.ctx.memory
    thread = TeamThread(memories, window.ctx.code, heard.set)
    thread.start()
    try:
        eventually(lambda: memories.store.is_there)
        assert comes(lambda: (colleague.store("something new"), heard.wait(0.2))[1])
    finally:
        thread.stop()


def test_the_thread_sends_what_waits_by_itself(private_server: PostgresServer, open_window: OpenWindow) -> None:
    window = open_window()
    private_server.stop()
    try:
        window.store("apples keep")
        memories = window.ctx.memory
        thread = TeamThread(memories, window.ctx.code, lambda: None)
        thread.start()
    finally:
        private_server.start()
    try:
        assert comes(lambda: waiting(window) == 0)
    finally:
        thread.stop()
    assert window.ok("stats")["total"] == 1


@pytest.mark.skipif("wheel" not in folders(), reason="the wheel pgserver, which has pgvector, is not installed")
def test_where_the_server_has_pgvector_it_computes_the_cosines(shop: Context) -> None:
    server = PostgresServer("wheel")
    server.start()
    try:
        name = server.database()
        server.execute("CREATE EXTENSION vector", name)
        store = PostgresDatabase(server.url(name, OWNER))
        memories = MemoryStore(store, "shop", WordVectors(synonyms={"automobile": "car", "vehicle": "car"}))
        window = Notebook(msgspec.structs.replace(shop, memory=memories))
        first = window.store("automobile rental prices")
        stored = window.ok("store", type="knowledge", content="vehicle rental prices")
        other = window.store("a car drives")
        assert [(link["id"], link["strength"]) for link in stored["links"]] == [(first, 1.0)]
        assert set(window.hits("car")) == {first, stored["id"], other}
        with store.read() as db:
            numbers = [number for _, number in db.all("memory.numbers_of", (f'["{first}", "{other}"]',))]
            rows = db.all("recall.vectors", {"model": 1, "numbers": str(numbers)})
            here = local_functions.cosines(rows[0][1], rows)
            there = db.recall.cosines(rows[0][1], 1, numbers)
            assert there == [(number, pytest.approx(cosine, abs=1e-5)) for number, cosine in here]
            assert count_rows(db.connection, "memory_vectors WHERE embedding IS NOT NULL") == 3  # type: ignore[arg-type]
        store.close()
    finally:
        server.close()


@pytest.mark.parametrize(
    "text", ["%_\\' OR 1=1 --", "100 %", "a_b%c", "$$ $1 %s %(x)s", "'; DROP TABLE memories; --", "\\x00 \\u0000"]
)
def test_signs_of_sql_are_only_text(open_window: OpenWindow, text: str) -> None:
    window = open_window()
    memory = window.store(f"words {text}", title=text, tags=[text], project=text, metadata={text: text})
    assert window.ok("read", id=memory)["metadata"] == {text: text}
    assert window.hits("words", project=text, tags=[text]) == [memory]
    assert window.hits("words", project="%") == []
    assert window.ok("stats", project=text)["by_tag"] == {text: 1}


def test_a_character_that_the_server_cannot_hold_is_named(open_window: OpenWindow) -> None:
    window = open_window()
    code, text = window.error("store", type="knowledge", content="a\0b")
    assert (code, "NUL" in text) == ("VALIDATION_ERROR", True)
    assert window.ok("stats")["total"] == 0


def test_a_newer_schema_is_left_alone(private_server: PostgresServer, database: str, open_window: OpenWindow) -> None:
    private_server.execute("INSERT INTO codeagent.schema_versions VALUES (1000)", database)
    assert "newer codeagentd" in open_window().error("stats")[1]


def test_an_older_schema_is_migrated_by_its_owner_and_named_to_others(
    private_server: PostgresServer, database: str, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = open_window()
    memory = owner.store("apples keep")
    private_server.role("ann")
    grants.grant(owner.ctx.memory, grants.Grant("ann", "*", True))
    owner.ctx.memory.store.close()
    more = [*schema_migrations.scripts(), "ALTER TABLE memories ADD COLUMN more text"]
    monkeypatch.setattr(schema_migrations, "scripts", lambda: more)
    assert "let the database's owner" in open_window("two", "ann").error("stats")[1]
    assert owner.hits("apples") == [memory]
    assert open_window("three", "ann").hits("apples") == [memory]


def test_an_old_server_is_named(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_database, "OLDEST", 9_990_000)
    assert "needs 999" in open_window().error("stats")[1]


def test_a_missing_driver_is_named_with_what_to_install(shop: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    driver.driver.cache_clear()
    try:
        memories = MemoryStore(PostgresDatabase("postgresql://me@127.0.0.1:1/team"), "shop")
        window = Notebook(msgspec.structs.replace(shop, memory=memories))
        assert "pip install 'codeagentd[postgres]'" in window.error("stats")[1]
    finally:
        driver.driver.cache_clear()


def test_without_a_server_its_driver_is_not_imported() -> None:
    program = (
        "import sys; from codeagentd.boot import composition; from codeagentd.memory.memory_store import memory_store_for;"
        "from codeagentd.memory.team import team_thread; from codeagentd.cli.commands import memory;"
        "memory_store_for(''); print(any(name.startswith('psycopg') for name in sys.modules))"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
    )


def test_several_machines_make_the_schema_at_once(private_server: PostgresServer) -> None:
    name = private_server.database()
    failed: list[Exception] = []

    def begin() -> None:
        store = PostgresDatabase(private_server.url(name, OWNER))
        try:
            store.probe()
        except StoreFailed as error:
            failed.append(error)
        store.close()

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    private_server.drop(name)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://me:tulipfield@127.0.0.1:1/team", "away"),
        ("postgresql://me:tulipfield@[::1", "no connection string"),
        ("nonsense tulipfield", "no connection string"),
        ("postgresql://me:tulipfield@/team?host=/nowhere", "away"),
        ("host=127.0.0.1 port=1 password=tulipfield unknown=1", "no connection string"),
    ],
)
def test_what_cannot_be_reached_is_said_without_the_password(
    shop: Context, tmp_path: Path, url: str, said: str
) -> None:
    memories = MemoryStore(PostgresDatabase(url), "shop", offline=OfflineFiles(tmp_path))
    window = Notebook(msgspec.structs.replace(shop, memory=memories))
    code, text = window.error("stats")
    assert (code, said in text, "tulipfield" in text) == ("DB_ERROR", True, False)
    assert memories.store.trouble
    assert "tulipfield" not in str(memories.store.trouble)


def test_a_wrong_password_is_named_and_not_shown(private_server: PostgresServer, database: str) -> None:
    private_server.role("guest", "tulip")
    store = PostgresDatabase(f"postgresql://guest:orchidfield@127.0.0.1:{private_server.port}/{database}")
    with pytest.raises(StoreFailed, match="password authentication failed") as refused, store.read():
        pass
    assert "orchidfield" not in refused.value.message
