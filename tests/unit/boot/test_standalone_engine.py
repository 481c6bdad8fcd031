"""What a window that can reach no daemon is served with."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagent_protocol.endpoint import Endpoint, endpoint_at
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.locks import FileLock
from codeagentd.boot import standalone_engine
from codeagentd.boot.settings import Settings
from codeagentd.boot.standalone_engine import LIFE, PREFIX, build, private_folder
from codeagentd.memory.memory_store import memory_store_at
from codeagentd.toolkit.call import run
from codeagentd.toolkit.tool import Effect
from tests.harness.asking import ask
from tests.harness.world import surrounded

WHY = "local sockets are refused"


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[Endpoint]:
    """A repository without an index, in directories of its own."""
    with surrounded(str(tmp_path)) as patch:
        patch.setenv("TMPDIR", str(tmp_path / "temporary"))
        patch.setattr(tempfile, "tempdir", None)
        (tmp_path / "temporary").mkdir()
        (tmp_path / "repo").mkdir()
        yield endpoint_at(tmp_path / "repo")


def test_without_an_index_and_without_a_place_for_one_it_says_what_to_do(endpoint: Endpoint):
    with pytest.raises(EngineUnavailable, match=f"the index is absent, and cannot be made here: {WHY}") as raised:
        build(endpoint, Settings(), WHY, None)
    assert raised.value.remedy


def test_every_tool_that_writes_says_that_it_does_not(endpoint: Endpoint, tmp_path: Path):
    built = build(endpoint, Settings(), WHY, tmp_path)
    context = built.make_context(b"", 0, 0)
    examples = {"string": "x", "integer": 1, "array": ["x"], "object": {}, "number": 1.0, "boolean": True}
    for tool in built.tools.values():
        if tool.effect is not Effect.READ:
            schema = tool.input_schema
            given = {
                name: schema["properties"][name].get("enum", [examples[schema["properties"][name]["type"]]])[0]
                for name in schema.get("required", [])
            }
            answer = run(tool, context, given)
            assert answer.is_error, tool.name
            assert f"{tool.name} would write" in answer.text


def test_memories_are_read_where_there_are_any_and_else_an_empty_notebook(endpoint: Endpoint, tmp_path: Path):
    built = build(endpoint, Settings(), WHY, tmp_path / "temporary")
    assert ask(built.make_context(b"", 0, 0), "stats").structured["by_type"] == {}
    assert not (tmp_path / "data").exists()
    with memory_store_at().store.write():
        pass
    assert (
        build(endpoint, Settings(), WHY, tmp_path / "temporary").make_context(b"", 0, 0).memory.store.path.parent
        == tmp_path / "data"
    )


def test_the_folder_ends_with_its_process(endpoint: Endpoint, tmp_path: Path):
    with private_folder(endpoint.root) as place:
        assert place is not None
        assert place.stat().st_mode & 0o777 == 0o700
        (place / "index.db").write_text("x")
    assert not list((tmp_path / "temporary").iterdir())


def test_folders_of_processes_that_are_gone_are_removed_and_no_others(endpoint: Endpoint, tmp_path: Path):
    names = ("dead", "alive", "young", "foreign")
    dead, alive, young, foreign = (tmp_path / "temporary" / f"{PREFIX}{name}" for name in names)
    for folder in (dead, alive, young, foreign):
        folder.mkdir()
        if folder is not foreign:
            (folder / LIFE).touch()
        if folder is not young:
            long_ago = time.time() - 2 * standalone_engine.YOUNG_S
            os.utime(folder, (long_ago, long_ago))
    lock = FileLock(str(alive / LIFE))
    assert lock.try_take()
    with private_folder(endpoint.root):
        assert [folder.exists() for folder in (dead, alive, young, foreign)] == [False, True, True, True]
    lock.release()


@pytest.mark.parametrize("there", ["repo", "repo/README.md"])
def test_nothing_is_put_into_the_repository(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str
):
    (tmp_path / "repo" / "README.md").write_text("")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / there))
    with private_folder(endpoint.root) as place:
        assert place is None
    assert len(list((tmp_path / "repo").iterdir())) == 1
