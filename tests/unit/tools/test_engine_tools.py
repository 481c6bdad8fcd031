"""index_files and get_status."""

from __future__ import annotations

import os
from pathlib import Path

from codeagentd.model.engine_status import IndexStatus, LanguageCount, Watermark
from tests.unit.tools.surroundings import Caller


def test_files_go_to_the_engine_under_the_calls_own_number(call: Caller) -> None:
    assert call.ok("index_files", paths=["shop/pricing.py", "./README.md", "shop/pricing.py"]) == {
        "indexed": 2,
        "errors": [],
    }
    assert call.engine.indexed == [(["shop/pricing.py", "README.md"], b"session", 7)]


def test_what_may_not_be_indexed_is_said_path_by_path(call: Caller, repo: Path) -> None:
    os.mkfifo(repo / "pipe.py")
    (repo / "out.py").symlink_to(repo.parent / "elsewhere.py")
    found = call.ok("index_files", paths=["../x.py", ".", "shop", "pipe.py", "out.py", "README.md"])
    assert found["indexed"] == 1
    assert [(error["path"], error["code"]) for error in found["errors"]] == [
        ("../x.py", "path_escape"), (".", "invalid_parameter"), ("shop", "invalid_parameter"), ("pipe.py", "invalid_parameter"), ("out.py", "path_escape"),
    ]  # fmt: skip
    assert call.engine.indexed == [(["README.md"], b"session", 7)]


def test_the_engine_is_left_alone_when_nothing_may_be_indexed(call: Caller) -> None:
    assert call.ok("index_files", paths=["../x.py"])["indexed"] == 0
    assert call.ok("index_files", paths=[]) == {"indexed": 0, "errors": []}
    assert call.engine.indexed == []


def test_a_deleted_file_is_the_engines_business(call: Caller) -> None:
    assert call.ok("index_files", paths=["shop/gone.py"])["indexed"] == 1
    assert call.engine.indexed == [(["shop/gone.py"], b"session", 7)]


def test_the_engines_errors_are_passed_on(call: Caller) -> None:
    call.engine.errors = [{"path": "README.md", "code": "index_error", "message": "no language"}]
    assert call.ok("index_files", paths=["README.md", "shop/pricing.py"]) == {
        "indexed": 1,
        "errors": call.engine.errors,
    }


def test_at_most_a_hundred_paths_are_taken(call: Caller) -> None:
    error = call.error("index_files", paths=["README.md"] * 101)
    assert (error["code"], error["message"]) == ("invalid_parameter", "paths cannot be a list of 101 items")
    assert call.error("index_files", paths="README.md")["parameter"] == "paths"
    assert call.error("index_files", paths=[5])["parameter"] == "paths"


def test_status_has_the_contracts_fields_and_no_path(call: Caller, repo: Path) -> None:
    call.engine.reported = IndexStatus(
        state="ready", watermark=Watermark(12, "abc123", True, 0), schema_version=1, indexed_files=3, indexed_symbols=9,
        languages=(LanguageCount("csharp", 1, 4), LanguageCount("python", 2, 5)), watcher="events", last_batch_at=1_740_392_130.5,
    )  # fmt: skip
    answer = call.answer("get_status")
    assert answer.structured == {
        "healthy": True, "state": "ready", "schema_version": 1, "indexed_files": 3, "indexed_symbols": 9, "languages": ["csharp", "python"],
        "watcher_active": True, "last_batch_at": "2025-02-24T10:15:30Z", "embedding_model": "", "embeddings_count": 0,
        "embeddings": {"model": "", "count": 0, "pending": 0}, "caught_up": True, "generation": 12, "head": "abc123", "pending_files": 0,
    }  # fmt: skip
    assert str(repo) not in answer.text


def test_status_tells_why_the_engine_is_degraded(call: Caller) -> None:
    call.engine.reported = IndexStatus(state="degraded", reason="disk full", remedy="free some space")
    found = call.ok("get_status")
    assert (found["healthy"], found["state"], found["reason"], found["remedy"]) == (
        False,
        "degraded",
        "disk full",
        "free some space",
    )
    assert found["watcher_active"] is False
    assert "last_batch_at" not in found
