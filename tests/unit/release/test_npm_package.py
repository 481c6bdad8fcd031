"""The npm package: which codeagentd it starts, how it installs one, and that it is a transparent parent."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.harness.npm_wrapper import Wrapper


@pytest.fixture
def wrapper(tmp_path: Path) -> Wrapper:
    """The package on a machine with nothing but node; its version is 1.2.0."""
    wrapper = Wrapper(tmp_path)
    wrapper.version("1.2.0")
    return wrapper


@pytest.mark.parametrize("version", ["1.2.0", "1.10.0", "2.0"])
def test_an_installed_codeagentd_of_this_version_or_a_later_one_is_started(wrapper: Wrapper, version: str):
    wrapper.installed(version)
    done = wrapper.run("status", "--repo", "a b")
    assert done.stdout.splitlines()[0] == f"{wrapper.bin}/codeagentd status --repo a b"
    assert wrapper.run(program="codeagent-mcp").stdout.startswith(f"{wrapper.bin}/codeagent-mcp")
    assert not wrapper.environments.exists()


@pytest.mark.parametrize("version", ["1.1.9", "1.2.0rc1", "0.9", "nonsense"])
def test_an_older_codeagentd_is_left_alone(wrapper: Wrapper, version: str):
    wrapper.installed(version)
    wrapper.uv()
    assert wrapper.run("status").stdout.startswith(f"{wrapper.environments}/current/bin/codeagentd status")


def test_the_package_does_not_find_itself_on_the_path(wrapper: Wrapper):
    for name in ("codeagentd", "codeagent-mcp"):
        (wrapper.bin / name).symlink_to(wrapper.package / "bin" / f"{name}.js")
    wrapper.uv()
    assert wrapper.run("status").stdout.startswith(f"{wrapper.environments}/current/bin/codeagentd status")


def test_a_program_that_starts_the_package_is_not_taken_for_codeagentd(wrapper: Wrapper):
    for name in ("codeagentd", "codeagent-mcp"):
        wrapper.script(wrapper.bin / name, f'#!/bin/sh\nexec node {wrapper.package}/bin/{name}.js "$@"\n')
    wrapper.uv()
    assert wrapper.run("status").stdout.startswith(f"{wrapper.environments}/current/bin/codeagentd status")


def test_uv_installs_it_once_and_what_it_prints_is_not_an_answer(wrapper: Wrapper):
    wrapper.uv()
    first = wrapper.run("status")
    installed = wrapper.logged()
    assert [line.split()[0] for line in installed if "--version" not in line] == [str(wrapper.environments)] * 3
    assert installed[-1].endswith("codeagentd==1.2.0")
    assert "installing codeagentd 1.2.0 into" in first.stderr
    assert "made" in first.stderr
    second = wrapper.run("status")
    assert second.stdout == first.stdout
    assert second.stderr == ""
    assert wrapper.logged() == installed


def test_a_release_installs_what_its_list_has_and_nothing_else(wrapper: Wrapper):
    locked = wrapper.package / "lib" / "requirements.txt"
    locked.write_text("codeagentd==1.2.0 --hash=sha256:0\n")
    wrapper.uv()
    assert wrapper.run("status").returncode == 0
    assert wrapper.logged()[-1].endswith(f"--only-binary :all: --require-hashes --requirement {locked}")


def test_python_installs_it_where_there_is_no_uv(wrapper: Wrapper):
    wrapper.python()
    assert wrapper.run("status").stdout.startswith(f"{wrapper.environments}/current/bin/codeagentd status")
    assert wrapper.logged()[-1].endswith("codeagentd==1.2.0")


def test_uv_is_fetched_where_there_is_neither(wrapper: Wrapper):
    with wrapper.index():
        done = wrapper.run("status")
    assert done.stdout.startswith(f"{wrapper.environments}/current/bin/codeagentd status"), done.stderr
    assert (wrapper.environments / "uv-9.9.9").is_file()


def test_what_a_fetched_uv_needs_is_below_the_folder_of_the_package(wrapper: Wrapper):
    with wrapper.index():
        assert wrapper.run("status").returncode == 0
    variables = {line.split()[2] for line in wrapper.logged() if line.startswith("variables ")}
    assert variables == {f"UV_PYTHON_INSTALL_DIR={wrapper.environments}/python"}
    assert not list(wrapper.environments.glob("*.cache"))


def test_undoing_the_setup_removes_what_the_package_has_installed(wrapper: Wrapper):
    wrapper.uv()
    assert wrapper.run("setup", "--undo", "--dry-run").returncode == 0
    assert wrapper.environments.exists()
    assert wrapper.run("setup", "--undo").returncode == 0
    assert list(wrapper.home.iterdir()) == []
    (wrapper.home / ".local/share").mkdir(parents=True)
    wrapper.run("status")
    assert wrapper.run("setup", "--undo").returncode == 0
    assert list((wrapper.home / ".local/share").iterdir()) == []


def test_a_uv_that_is_not_the_one_that_was_released_is_refused(wrapper: Wrapper):
    with wrapper.index(sha256="0" * 64):
        done = wrapper.run("status")
    assert done.returncode == 1
    assert "its SHA-256 differs; install uv or Python 3.11 or newer" in done.stderr
    assert [path.name for path in wrapper.environments.iterdir()] == ["made"]


def test_an_index_that_cannot_be_reached_is_named(wrapper: Wrapper):
    wrapper.variables["UV_DEFAULT_INDEX"] = "http://127.0.0.1:9/simple"
    done = wrapper.run("status")
    assert done.returncode == 1
    assert "http://127.0.0.1:9/simple/uv/ cannot be fetched" in done.stderr


def test_clients_are_given_a_path_that_outlives_upgrades(wrapper: Wrapper):
    wrapper.uv()
    lasting = f"lasting: {wrapper.environments}/current/bin/codeagent-mcp"
    assert wrapper.run("setup").stdout.splitlines()[1] == lasting
    before = (wrapper.environments / "current").resolve()
    wrapper.version("1.3.0")
    assert wrapper.run("setup").stdout.splitlines()[1] == lasting
    assert (wrapper.environments / "current").resolve() != before
    assert (before / "bin/codeagentd").exists(), "windows still run from there"


def test_an_older_package_starts_what_a_newer_one_has_installed(wrapper: Wrapper):
    wrapper.uv()
    wrapper.run("status")
    installed = wrapper.logged()
    wrapper.version("1.1.0")
    assert wrapper.run("status").returncode == 0
    assert wrapper.logged() == installed


def test_an_upgrade_that_fails_leaves_the_earlier_version_in_place(wrapper: Wrapper):
    wrapper.uv()
    wrapper.run("status")
    wrapper.uv(works=False)
    wrapper.version("1.3.0")
    failed = wrapper.run("status")
    assert failed.returncode == 1
    assert "no network" in failed.stderr
    assert "nothing was installed" in failed.stderr
    wrapper.version("1.2.0")
    assert wrapper.run("status").returncode == 0
    assert sorted(path.name.split("-")[0] for path in wrapper.environments.iterdir()) == ["1.2.0", "current", "made"]


def test_input_output_and_exit_code_are_those_of_the_program(wrapper: Wrapper):
    wrapper.installed("1.2.0")
    assert wrapper.run("read", text="one\ntwo\n").stdout == "one\ntwo\n"
    assert wrapper.run("fail").returncode == 7
    assert wrapper.run("die").returncode == -signal.SIGKILL


def test_a_signal_reaches_the_program(wrapper: Wrapper):
    wrapper.installed("1.2.0")
    assert wrapper.interrupted(signal.SIGTERM) == (5, "terminated\n")
