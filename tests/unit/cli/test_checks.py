"""What the doctor finds: open directories, missing tools, foreign file systems, damaged indexes."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from codeagent_protocol.endpoint import endpoint_at
from codeagentd.cli.doctor import checks, database_checks, memory_checks
from codeagentd.cli.doctor.finding import FAIL, OK, WARN, Finding
from codeagentd.memory.memory_store import memory_store_at
from codeagentd.store.backups import backup
from codeagentd.store.connection import Database
from codeagentd.store.migrations import migrate


def by_subject(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.subject: finding for finding in findings}


def test_a_private_runtime_directory_is_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("CODEAGENT_RUNTIME_DIR", str(runtime))
    assert by_subject(list(checks.directories()))["runtime"].level == OK


def test_a_runtime_directory_open_to_others_is_a_warning_with_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    runtime = tmp_path / "run"
    runtime.mkdir()
    runtime.chmod(0o755)
    monkeypatch.setenv("CODEAGENT_RUNTIME_DIR", str(runtime))
    finding = by_subject(list(checks.directories()))["runtime"]
    assert finding.level == WARN
    assert "chmod 700" in finding.remedy


def test_a_file_in_the_place_of_a_directory_fails_with_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CODEAGENT_CACHE_DIR", str(tmp_path / "file"))
    found = by_subject(list(checks.directories()))
    assert (found["cache"].level, found["logs"].level) == (FAIL, FAIL)
    assert "CODEAGENT_CACHE_DIR" in found["cache"].remedy


def test_a_missing_git_is_a_warning_that_says_what_is_lost(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    finding = by_subject(list(checks.environment()))["git"]
    assert finding.level == WARN
    assert "HEAD is unknown" in finding.text


def test_local_sockets_are_tried():
    assert [finding.level for finding in checks.local_sockets()] == [OK]


def test_a_repository_on_somebody_elses_disk_is_a_warning_and_below_windows_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert [finding.subject for finding in checks.repository(endpoint_at(tmp_path))] == ["repository"]
    monkeypatch.setattr(checks, "remote_type", lambda root: "9p")
    remedies = []
    for is_wsl in (False, True):
        monkeypatch.setattr(checks, "is_wsl", lambda is_wsl=is_wsl: is_wsl)
        finding = by_subject(list(checks.repository(endpoint_at(tmp_path))))["file system"]
        assert (finding.level, finding.text) == (WARN, "9p: changes are found by polling")
        remedies.append("WSL" in finding.remedy)
    assert remedies == [False, True]


def test_a_whole_index_is_fine(tmp_path: Path):
    database = Database(tmp_path / "index.db", writable=True)
    migrate(database, "index")
    database.close()
    assert database_checks.index_finding(tmp_path / "index.db").level == OK


def test_an_index_that_is_none_fails_with_a_remedy(tmp_path: Path):
    (tmp_path / "index.db").write_bytes(b"no database at all" * 100)
    finding = database_checks.index_finding(tmp_path / "index.db")
    assert finding.level == FAIL
    assert finding.remedy


def test_no_index_yet_is_fine(tmp_path: Path):
    assert database_checks.index_finding(tmp_path / "index.db").level == OK


def test_an_index_of_a_newer_build_is_a_warning(tmp_path: Path):
    database = Database(tmp_path / "index.db", writable=True)
    migrate(database, "index")
    database.connection.pragma("user_version", 999)
    database.close()
    assert database_checks.index_finding(tmp_path / "index.db").level == WARN


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A memory.db with something in it."""
    store = memory_store_at(tmp_path).store
    with store.write():
        pass
    store.close()
    return tmp_path / "memory.db"


def test_memories_that_are_whole_private_and_copied_are_fine(kept: Path):
    backup(kept)
    assert {finding.level for finding in memory_checks.examine(kept)} == {OK}


def test_memories_without_a_recent_copy_are_a_warning_with_the_command(kept: Path):
    assert by_subject(list(memory_checks.examine(kept)))["memory copies"].level == WARN
    old = time.time() - 10 * 86_400
    os.utime(backup(kept), (old, old))
    finding = by_subject(list(memory_checks.examine(kept)))["memory copies"]
    assert (finding.level, finding.remedy) == (WARN, "codeagentd memory backup")


def test_memories_open_to_others_are_a_warning(kept: Path):
    kept.chmod(0o644)
    assert any(finding.level == WARN and "chmod 600" in finding.remedy for finding in memory_checks.examine(kept))


def test_damaged_memories_fail_with_the_way_back(kept: Path):
    kept.write_bytes(b"no database at all" * 1_000)
    finding = next(memory_checks.examine(kept))
    assert finding.level == FAIL
    assert "memory restore" in finding.remedy


def test_no_memories_yet_is_fine(tmp_path: Path):
    assert [finding.level for finding in memory_checks.examine(tmp_path / "memory.db")] == [OK]
