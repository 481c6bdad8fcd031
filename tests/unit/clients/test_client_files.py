"""Files that cannot or must not be edited: each is left as it is, and the message says where and why."""

from __future__ import annotations

import errno
import multiprocessing
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeagentd.cli.main import main
from codeagentd.clients import config_editor, edit_log, safe_files
from codeagentd.clients import program_path as programs
from codeagentd.clients.safe_files import Refused
from tests.unit.clients.conftest import Run, entry_of, tree

TEXT = '{\n  "theme": "dark"\n}\n'


@pytest.fixture
def config(home: Path) -> Path:
    """Cursor's configuration, as its owner has it."""
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: a comma or } is expected here"),
        (b'{\n  // mine\n  "a": 1\n}', "line 2, column 3: the client reads no comments here"),
        (b'{"a": 1,}', "line 1, column 8: the client reads no comma before }"),
        (b'{"mcpServers": []}', "line 1, column 16: this should be an object"),
        (b"[]", "line 1, column 1: this should be an object"),
        (b'{"mcpServers": {"codeagent": "x"}}', "line 1, column 30: codeagent starts something else"),
        (b'{"mcpServers": {}, "mcpServers": {}}', 'line 1, column 20: "mcpServers" is there twice'),
        (b'{"a": "\xff"}', "line 1: byte 7 is not UTF-8"),
        ("{}".encode("utf-16"), "byte 0 is not UTF-8"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(content: bytes, said: str, config: Path, home: Path, run: Run):
    config.write_bytes(content)
    before = tree(home)
    code, _, err = run("install", "cursor")
    assert code == 1
    assert f"{config}, {said}" in err or (f"{config}" in err and said in err)
    assert run("uninstall", "cursor")[0] == (0 if b"codeagent" in content else 1) or b"[]" in content
    assert tree(home) == before


def test_broken_toml_is_refused_with_its_place(home: Path, run: Run):
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text('a = 1\n[b\nc = "d"\n')
    _, _, err = run("install", "codex")
    assert f"{path}, line 2, column 3: " in err


def refusals() -> dict[str, tuple[Callable[[Path], Any], str]]:
    def replaced(make: Callable[[Path], Any]) -> Callable[[Path], Any]:
        def change(path: Path) -> None:
            path.unlink()
            make(path)

        return change

    return {
        "a read-only file": (lambda path: path.chmod(0o444), "is read-only"),
        "a read-only folder": (lambda path: path.parent.chmod(0o555), "is read-only"),
        "a directory": (replaced(lambda path: path.mkdir()), "is a directory"),
        "a pipe": (replaced(os.mkfifo), "is no regular file"),
        "a loop of links": (replaced(lambda path: path.symlink_to(path)), "a loop of symbolic links"),
        "a file of two names": (lambda path: os.link(path, path.parent.parent.parent / "other.json"), "has 2 names"),
        "a device": (replaced(lambda path: path.symlink_to("/dev/null")), "is no regular file"),
    }


@pytest.mark.parametrize("what", refusals())
def test_what_is_no_file_of_ours_to_write_is_refused(what: str, config: Path, home: Path, run: Run):
    change, said = refusals()[what]
    change(config)
    try:
        code, _, err = run("install", "cursor")
        assert code == 1
        assert said in err
        assert str(config.parent) in err
        assert [place for place in tree(home) if place not in (".cursor", ".cursor/mcp.json")] == []
    finally:
        config.parent.chmod(0o755)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_another_users_file_is_refused(config: Path, run: Run):
    os.chown(config, 12345, -1)
    _, _, err = run("install", "cursor")
    assert f"{config} belongs to another user (uid 12345) (run this as that user)" in err
    assert config.read_text() == TEXT


def test_a_file_in_the_place_of_a_folder_is_refused(home: Path, run: Run):
    (home / ".cursor").write_text("")
    code, _, err = run("install", "cursor")
    assert code == 1
    assert str(home / ".cursor" / "mcp.json") in err


def test_a_link_out_of_the_project_is_refused(project: Path, home: Path, run: Run):
    (home / "secrets.json").write_text("{}")
    (project / ".mcp.json").symlink_to(home / "secrets.json")
    code, _, err = run("install", "claude-code", "--project")
    assert code == 1
    assert "leads out of the project" in err
    assert (home / "secrets.json").read_text() == "{}"


def test_the_file_behind_a_link_is_edited_and_the_link_stays(config: Path, home: Path, run: Run):
    target = home / "dotfiles" / "cursor.json"
    target.parent.mkdir()
    config.rename(target)
    config.symlink_to(target)
    run("install", "cursor")
    assert config.is_symlink()
    assert "codeagent" in target.read_text()
    run("uninstall", "cursor")
    assert config.is_symlink()
    assert target.read_text() == TEXT


def test_a_link_to_nothing_is_followed(config: Path, home: Path, run: Run):
    config.unlink()
    config.symlink_to(home / "later" / "cursor.json")
    run("install", "cursor")
    assert config.is_symlink()
    assert "codeagent" in (home / "later" / "cursor.json").read_text()
    run("uninstall", "cursor")
    assert not (home / "later").exists()


def test_mode_and_group_are_kept(config: Path, run: Run):
    config.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(config, -1, 4242)
    before = config.stat()
    _, out, _ = run("install", "cursor")
    copy = Path(out.split("copy: ")[1].split("\n")[0])
    for path in (config, copy):
        assert (stat.S_IMODE(path.stat().st_mode), path.stat().st_uid, path.stat().st_gid) == (
            0o640,
            before.st_uid,
            before.st_gid,
        )


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("last", ["", "end"])
def test_line_ends_byte_order_mark_and_last_line_are_kept(ends: str, mark: bytes, last: str, config: Path, run: Run):
    before = mark + TEXT.replace("\n", ends).encode() if last else mark + TEXT.strip().replace("\n", ends).encode()
    config.write_bytes(before)
    run("install", "cursor")
    after = config.read_bytes()
    assert after.startswith(mark + b"{")
    assert after.count(b"\xef\xbb\xbf") == bool(mark)
    assert after.count(b"\n") == after.count(ends.encode())
    assert after.endswith(b"}") == before.endswith(b"}")
    config.write_bytes(after.replace(b"dark", b"light"))
    run("uninstall", "cursor")
    assert config.read_bytes() == before.replace(b"dark", b"light")


def test_copies_are_numbered_and_never_overwritten(config: Path, monkeypatch: pytest.MonkeyPatch):
    found = safe_files.original(str(config))
    first, second = safe_files.back_up(found), safe_files.back_up(found)
    assert first != second
    assert Path(first).read_text() == Path(second).read_text() == TEXT


@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_a_full_disk_leaves_everything_as_it_was(
    at: int, config: Path, home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    sync, calls = os.fsync, []

    def full(fd: int) -> None:
        calls.append(fd)
        if len(calls) > at and stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(fd)

    before = tree(home)
    monkeypatch.setattr(os, "fsync", full)
    code, _, err = run("install", "cursor")
    monkeypatch.undo()
    assert code == 1
    assert "No space left on device (make room on this disk; the file is as it was)" in err
    assert tree(home) == before


def test_a_full_disk_during_the_removal_leaves_everything_as_it_was(
    config: Path, home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    run("install", "cursor")
    config.write_text(config.read_text().replace("dark", "light"))
    before = tree(home)

    def full(_fd: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        assert run("uninstall", "cursor")[0] == 1
    assert tree(home) == before
    assert run("uninstall", "cursor")[0] == 0
    assert config.read_text() == TEXT.replace("dark", "light")


def test_what_the_client_writes_meanwhile_is_not_lost(config: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    copy, rounds = safe_files.back_up, []

    def interrupted(found: safe_files.Original, place: str = "") -> str:
        rounds.append(found)
        if len(rounds) == 1:
            config.write_text(TEXT.replace("dark", "light"))  # the client saves between our reading and our writing
        return copy(found, place)

    monkeypatch.setattr(safe_files, "back_up", interrupted)
    code, _, _ = run("install", "cursor")
    assert (code, len(rounds)) == (0, 2)
    assert entry_of(config, "theme") == "light"
    assert "codeagent" in entry_of(config, "mcpServers")
    assert len([place for place in tree(config.parent) if place.endswith(".bak")]) == 1
    run("uninstall", "cursor")
    assert config.read_text() == TEXT.replace("dark", "light")


def test_a_client_that_never_stops_writing_is_told(config: Path, home: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    copy, rounds = safe_files.back_up, []

    def interrupted(found: safe_files.Original, place: str = "") -> str:
        rounds.append(found)
        config.write_text(TEXT.replace("dark", f"dark{len(rounds)}"))
        return copy(found, place)

    monkeypatch.setattr(safe_files, "back_up", interrupted)
    code, _, err = run("install", "cursor")
    assert (code, len(rounds)) == (1, config_editor.ATTEMPTS)
    assert "is being written by somebody else again and again (close the client and try again)" in err
    assert list(tree(home)) == [".cursor", ".cursor/mcp.json"]


def _install(name: str, program: str, start: Any) -> None:
    start.wait()
    raise SystemExit(main(["install", name, "--command", program]))


def test_two_installs_at_once_both_count(home: Path, program: str, tmp_path: Path):
    path = home / ".claude.json"
    path.write_text(TEXT)
    context = multiprocessing.get_context("fork")
    start = context.Event()
    workers = [
        context.Process(target=_install, args=(name, program, start))
        for name in ("claude-code", "cursor", "kiro", "claude-code", "zed")
    ]
    for worker in workers:
        worker.start()
    start.set()
    for worker in workers:
        worker.join(30)
    assert [worker.exitcode for worker in workers] == [0] * len(workers)
    assert len(edit_log.load()) == 4
    assert len([place for place in tree(home) if place.endswith(".bak")]) == 1
    assert main(["uninstall", "claude-code", "cursor", "kiro", "zed"]) == 0
    assert tree(home) == {".claude.json": TEXT.encode()}


def test_an_install_that_is_stuck_is_told(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(edit_log, "PATIENCE_S", 0.05)
    with edit_log.locked():
        code, _, err = run("install", "cursor")
    assert code == 1
    assert "another `codeagentd install` is still at work" in err


def test_a_data_directory_that_cannot_be_used_is_told(home: Path, tmp_path: Path, run: Run):
    (tmp_path / "data").write_text("")
    code, _, err = run("install", "cursor")
    assert code == 1
    assert f"nothing can be remembered in {tmp_path / 'data'}" in err
    assert "set CODEAGENT_DATA_DIR" in err
    assert tree(home) == {}


def test_a_program_that_does_not_last_is_not_written(tmp_path: Path):
    with pytest.raises(Refused, match="does not last"):
        programs.lasting("/tmp/somewhere/bin/codeagent-mcp")
    with pytest.raises(Refused, match="does not last"):
        programs.lasting("/home/ada/.cache/uv/archive-v0/x/bin/codeagent-mcp")
    with pytest.raises(Refused, match="does not last"):
        programs.lasting("/home/ada/.npm/_npx/0123/node_modules/.bin/codeagent-mcp")
    assert programs.lasting("/opt/codeagentd/bin/codeagent-mcp") == "/opt/codeagentd/bin/codeagent-mcp"


def environment(folder: Path) -> str:
    """An environment as uv makes it, with the tag of caches in itself. Returns its codeagent-mcp."""
    (folder / "bin").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("uv = 0.13.9\n")
    (folder / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55")
    for name in ("codeagentd", "codeagent-mcp", "codeagent-lsp"):
        (folder / "bin" / name).write_text("#!/bin/sh\n")
        (folder / "bin" / name).chmod(0o755)
    return str(folder / "bin" / "codeagent-mcp")


@pytest.fixture
def thrown_away(home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The program that runs, from a cache of uv in a folder of its user's choice; nothing else is on PATH."""
    program = environment(home / "build" / "archive-v0" / "8ApJ")
    (home / "build" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55")
    monkeypatch.setattr("sys.argv", [str(Path(program).with_name("codeagentd"))])
    monkeypatch.setenv("PATH", str(Path(program).parent))
    monkeypatch.setenv("CODEAGENT_DATA_DIR", str(home / "data"))
    return program


def test_the_cache_of_a_runner_is_known_wherever_it_is(home: Path, thrown_away: str, run_as_is: Run):
    code, _, err = run_as_is("install", "cursor")
    assert code == 1
    assert f"{thrown_away} is in {home / 'build'}, which does not last" in err
    assert "`codeagentd setup` makes an installation that lasts" in err
    assert not (home / ".cursor").exists()
    code, _, err = run_as_is("install", "cursor", "--command", thrown_away)
    assert (code, "does not last" in err) == (1, True)


def test_an_environment_that_uv_made_lasts(home: Path):
    program = environment(home / ".local/share/uv/tools/codeagentd")
    assert programs.lasting(program) == program


def test_from_a_cache_the_installation_that_lasts_is_written(
    home: Path, thrown_away: str, run_as_is: Run, monkeypatch: pytest.MonkeyPatch
):
    on_path = environment(home / "tools")
    monkeypatch.setenv("PATH", os.pathsep.join(("relative", str(Path(thrown_away).parent), str(Path(on_path).parent))))
    assert programs.installed() == on_path
    own = environment(programs.own_environment())
    assert programs.installed() == own == programs.own_program()
    wrapper = environment(home / "wrapper")
    monkeypatch.setenv("CODEAGENT_LASTING_COMMAND", wrapper)
    assert run_as_is("install", "cursor")[0] == 0
    assert entry_of(home / ".cursor/mcp.json", "mcpServers", "codeagent", "command") == wrapper
    monkeypatch.setenv("CODEAGENT_LASTING_COMMAND", thrown_away)
    code, _, err = run_as_is("install", "cursor")
    assert (code, "does not last" in err) == (1, True)


def test_a_program_in_a_checkout_is_written_with_a_note(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("")
    assert "virtual environment of a checkout" in programs.caution(str(tmp_path / ".venv" / "bin" / "codeagent-mcp"))
    assert programs.caution("/opt/codeagentd/bin/codeagent-mcp") == ""


def test_a_program_of_another_name_is_refused(run: Run):
    code, _, err = run("install", "cursor", "--command", "sh")
    assert code == 1
    assert "sh is no program of the name codeagent-mcp" in err
