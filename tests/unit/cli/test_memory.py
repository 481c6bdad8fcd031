"""`codeagentd memory`: everything in, out and back, on files of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagent_protocol.dirs import data_dir
from codeagentd.cli.main import main
from codeagentd.memory import tasks, write
from codeagentd.memory.memory_store import Caller, Code, MemoryStore, memory_store_at
from codeagentd.memory.tasks import NewTask
from codeagentd.toolkit.context import Context
from tests.harness.served import surroundings


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEAGENT_DATA_DIR", str(tmp_path / "data"))
    return data_dir()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("shop"), {"shop.py": "def compute_total():\n    return 1\n"}) as found:
        yield found


@pytest.fixture
def kept(shop: Context) -> list[str]:
    """Two linked memories, one of them anchored, an epic with two tasks; their ids."""
    memories = memory_store_at(repository="shop")
    first, second = (
        stored(memories, shop.code(), text) for text in ("compute_total is slow", "\x1b[31mred alert\nsecond line")
    )
    write.link(memories, Caller(), first, second, "because", 0.5)
    epic = tasks.create(memories, Caller(), new_task("epic", type="epic")).task_id
    one = tasks.create(memories, Caller(), new_task("one", parent=epic)).task_id
    two = tasks.create(memories, Caller(), new_task("two", parent=epic, depends_on=[one])).task_id
    tasks.complete(memories, Caller(), one, first, "fine")
    memories.store.close()
    return [first, second, epic, one, two]


def stored(memories: MemoryStore, code: Code, text: str) -> str:
    said = write.draft(memories, code, "knowledge", text[:12], text, {"source": "test"}, ["tag"], 0.5)
    return write.store(memories, Caller(), code, "knowledge", said, "shop", "").id


def new_task(name: str, *, type: str = "task", parent: str = "", depends_on: list[str] | None = None) -> NewTask:  # noqa: A002 - as the tool has it
    return NewTask("CA", name, type, "", 3, ["a.py"], [], depends_on or [], parent, "")


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["memory", *words]) == code
    out, err = capsys.readouterr()
    return out if code == 0 else err


def read_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(said(capsys, *words, "--json"))


def test_memories_are_listed_and_shown(capsys: pytest.CaptureFixture[str], kept: list[str]) -> None:
    first, second = kept[:2]
    assert [line.split()[0] for line in said(capsys, "list").splitlines()] == [second, first]
    assert said(capsys, "list", "--project", "none") == "no memories\n"
    shown = said(capsys, "show", second)
    assert "second line" in shown
    assert f"<- {first}" in shown
    assert "\x1b" not in shown + said(capsys, "list")
    assert read_json(capsys, "show", first)["related_memories"][0]["id"] == second
    assert [row["id"] for row in read_json(capsys, "list", "--limit", "1")] == [second]
    assert "no memory has the id" in said(capsys, "show", "memory:none", code=1)


def test_the_audit_feed_is_readable(capsys: pytest.CaptureFixture[str], kept: list[str]) -> None:
    actions = [line.split()[1] for line in said(capsys, "log").splitlines()]
    assert actions == ["complete", "create", "create", "create", "link", "store", "store"]
    (change,) = read_json(capsys, "log", kept[1])
    assert (change["before"], change["after"]["content"]) == (None, "\x1b[31mred alert\nsecond line")
    assert said(capsys, "log", "--days", "0") == "nothing was changed\n"


def test_an_export_makes_the_same_database_elsewhere_and_again_changes_nothing(
    capsys: pytest.CaptureFixture[str], kept: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.jsonl"
    said(capsys, "export", str(file))
    monkeypatch.setenv("CODEAGENT_DATA_DIR", str(tmp_path / "other"))
    assert read_json(capsys, "import", str(file)) == {"new": {"memory": 2, "link": 1, "task": 3}, "known": {}}
    assert read_json(capsys, "import", str(file))["known"] == {"memory": 2, "link": 1, "task": 3}
    again = tmp_path / "again.jsonl"
    said(capsys, "export", str(again))
    assert again.read_bytes() == file.read_bytes()
    assert "File exists" in said(capsys, "export", str(again), code=1)
    assert tasks.create(memory_store_at(), Caller(), new_task("three")).task_id == "CA-TASK-003"


@pytest.mark.parametrize(
    "text",
    [
        "no json", '{"kind": "memory"}', "[]", '{"kind": "codeagentd-memory", "version": 2}', '{"kind": "other"}',
        '{"kind": "codeagentd-memory", "version": 1}\n{"kind": "memory", "id": "memory:x", "type": "gossip", "content": "x", "created_at": 0, "updated_at": 0}',
        '{"kind": "codeagentd-memory", "version": 1}\n{"kind": "codeagentd-memory", "version": 1}',
    ],
)  # fmt: skip
def test_what_is_no_export_is_refused_with_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    (tmp_path / "x").write_text(text)
    assert "line " in said(capsys, "import", str(tmp_path / "x"), code=1)
    assert said(capsys, "list") == "no memories\n"


def test_a_copy_is_made_listed_and_put_back(
    capsys: pytest.CaptureFixture[str], kept: list[str], data: Path, tmp_path: Path
) -> None:
    assert said(capsys, "backup", "--list") == "no copies are kept\n"
    place = read_json(capsys, "backup")["file"]
    assert place in said(capsys, "backup", "--list")
    write.delete(memory_store_at(), Caller(), kept[0])
    assert len(read_json(capsys, "list")) == 1
    aside = read_json(capsys, "restore")["replaced"]
    assert os.path.dirname(aside) == str(data)
    assert len(read_json(capsys, "list")) == 2
    said(capsys, "backup", str(tmp_path / "mine.db"))
    said(capsys, "restore", str(tmp_path / "mine.db"))
    assert "no sound copy" in said(capsys, "restore", str(tmp_path), code=1)


def test_where_nothing_is_kept_the_answer_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no copy is kept" in said(capsys, "restore", code=1)
    assert "nothing has been kept yet" in said(capsys, "backup", code=1)
    assert "nothing has been kept yet" in said(capsys, "export", code=1)
    assert said(capsys, "log") == "nothing was changed\n"


def test_a_damaged_database_says_how_it_comes_back(
    capsys: pytest.CaptureFixture[str], kept: list[str], data: Path
) -> None:
    said(capsys, "backup")
    for part in ("-wal", "-shm"):
        (data / f"memory.db{part}").unlink(missing_ok=True)
    (data / "memory.db").write_bytes(b"x" * 50_000)
    for words in (["list"], ["backup"], ["export"]):
        assert "codeagentd memory restore" in said(capsys, *words, code=1)
    said(capsys, "restore")
    assert len(read_json(capsys, "list")) == 2


@pytest.mark.parametrize("words", [["frob"], ["show"], ["list", "--type", "gossip"]])
def test_wrong_usage_is_told(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["memory", *words]) == 2
