"""`codeagentd memory` with a team's server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.boot.settings import load
from codeagentd.cli.doctor.memory_checks import examine_team
from codeagentd.cli.main import main
from codeagentd.memory import tasks, write
from codeagentd.memory.memory_store import Caller, Code, MemoryStore, memory_store_at
from codeagentd.memory.tasks import NewTask
from tests.harness.postgres import OWNER, missing
from tests.harness.team import server

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture(autouse=True)
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("CODEAGENT_DATA_DIR", str(tmp_path / "data"))
    database = server().migrated()
    yield server().url(database, OWNER)
    server().drop(database)


@pytest.fixture
def team(url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("CODEAGENT_MEMORY_URL", url)
    return url


def fill_local() -> None:
    """Two linked memories, and two tasks one of which waits for the other, in the user's own memory.db."""
    memories = memory_store_at(repository="shop")
    code = Code(lambda: pytest.fail("no code is named"), lambda _path: ())
    ids = []
    for text in ("apples keep 100%_'", "pears rot"):
        draft = write.Draft(text[:6], text, {"source": "test"}, ["tag"], 0.5, (), (), False)
        ids.append(write.store(memories, Caller(), code, "knowledge", draft, "shop", "").id)
    write.link(memories, Caller(), ids[0], ids[1], "because", 0.5)
    first = tasks.create(memories, Caller(), new_task([])).task_id
    tasks.create(memories, Caller(), new_task([first]))
    tasks.complete(memories, Caller(), first, ids[0], "fine")
    memories.store.close()


def new_task(needs: list[str]) -> NewTask:
    return NewTask("CA", "do it", "task", "", 3, ["a.py"], [], needs, "", "")


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["memory", *words]) == code
    out, err = capsys.readouterr()
    return out or err


def read_json(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    return json.loads(said(capsys, *words, "--json", code=code))


def test_an_export_of_a_file_fills_a_server_and_one_of_the_server_a_file(
    capsys: pytest.CaptureFixture[str], url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_local()
    local, remote, back = (tmp_path / name for name in ("local", "remote", "back"))
    said(capsys, "export", str(local))
    monkeypatch.setenv("CODEAGENT_MEMORY_URL", url)
    assert read_json(capsys, "import", str(local))["new"] == {"memory": 2, "link": 1, "task": 2}
    assert read_json(capsys, "import", str(local))["new"] == {}
    said(capsys, "export", str(remote))
    assert remote.read_bytes() == local.read_bytes()
    assert tasks.create(MemoryStore(_store(url)), Caller(), new_task([])).task_id == "CA-TASK-003"
    monkeypatch.delenv("CODEAGENT_MEMORY_URL")
    monkeypatch.setenv("CODEAGENT_DATA_DIR", str(tmp_path / "elsewhere"))
    said(capsys, "import", str(remote))
    said(capsys, "export", str(back))
    assert back.read_bytes() == local.read_bytes()


def _store(url: str) -> Any:
    from codeagentd.store.postgres.postgres_database import PostgresDatabase

    return PostgresDatabase(url)


def test_memories_of_a_server_are_listed_shown_and_logged(
    capsys: pytest.CaptureFixture[str], team: str, tmp_path: Path
) -> None:
    assert said(capsys, "list") == "no memories\n"
    fill_local()
    assert said(capsys, "list") == "no memories\n"  # those are the user's own
    (tmp_path / "all").write_text(
        '{"kind": "codeagentd-memory", "version": 1}\n'
        '{"kind": "memory", "id": "memory:x", "type": "knowledge", "content": "apples keep", "created_at": 1, "updated_at": 1}\n'
    )
    said(capsys, "import", str(tmp_path / "all"))
    assert "memory:x" in said(capsys, "list")
    assert "apples keep" in said(capsys, "show", "memory:x")
    assert [change["action"] for change in read_json(capsys, "log")] == ["import"]


def test_copies_are_those_of_the_local_file(capsys: pytest.CaptureFixture[str], team: str) -> None:
    for words in (["backup"], ["restore"], ["backup", "--list"]):
        assert "pg_dump" in said(capsys, *words, code=1)


def test_status_says_where_memories_are(
    capsys: pytest.CaptureFixture[str], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "memory.db" in said(capsys, "status")
    assert "no server" in said(capsys, "grant", "ann", "shop", code=1)
    monkeypatch.setenv("CODEAGENT_MEMORY_URL", url)
    report = read_json(capsys, "status")
    assert (report["is_team"], report["is_there"], report["waiting"], report["refused"]) == (True, True, 0, [])
    assert report["place"].startswith("PostgreSQL ")
    assert "as team" in report["place"]
    monkeypatch.setenv("CODEAGENT_MEMORY_URL", "postgresql://me:tulipfield@127.0.0.1:1/team")
    text = said(capsys, "status", code=1)
    assert "away" in text
    assert "tulipfield" not in text
    assert "tulipfield" not in said(capsys, "list", code=1)
    assert read_json(capsys, "send") == {"sent": 0, "waiting": 0, "refused": 0}


def test_the_doctor_examines_the_server(url: str) -> None:
    assert [finding.level for finding in examine_team(url)] == ["ok"]
    (finding,) = examine_team("postgresql://me:tulipfield@127.0.0.1:1/team")
    assert (finding.level, "away" in finding.text, "tulipfield" in finding.text) == ("fail", True, False)


def test_what_was_granted_is_listed_and_taken_back(capsys: pytest.CaptureFixture[str], team: str) -> None:
    server().role("ann")
    assert "only the owner" in said(capsys, "grants")
    said(capsys, "grant", "ann", "shop*")
    said(capsys, "grant", "ann", "docs", "--read")
    assert read_json(capsys, "grants") == [
        {"role": "ann", "project": "docs", "may_write": False},
        {"role": "ann", "project": "shop*", "may_write": True},
    ]
    said(capsys, "revoke", "ann", "docs")
    assert "docs" not in said(capsys, "grants")
    assert "was not granted" in said(capsys, "revoke", "ann", "docs", code=1)
    assert "does not exist" in said(capsys, "grant", "nobody here", "docs", code=1)


def test_a_repository_cannot_name_a_server(tmp_path: Path) -> None:
    (tmp_path / ".codeagent").mkdir()
    (tmp_path / ".codeagent" / "config.json").write_text('{"memory": {"url": "postgresql://elsewhere/x"}}')
    loaded = load(str(tmp_path), {})
    assert loaded.settings.memory.url == ""
    assert "may not be set by a repository" in loaded.problems[0].message


def test_the_settings_do_not_show_the_password(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEAGENT_MEMORY_URL", "postgresql://me:tulipfield@db.example/team")
    for words in (["config"], ["config", "--json"]):
        assert main(words) == 0
        shown = capsys.readouterr().out
        assert "(set)" in shown
        assert "tulipfield" not in shown
