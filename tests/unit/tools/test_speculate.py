"""What becomes of a change that is tried out, and of everything that its commands may do."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from codeagentd.speculation import speculations
from codeagentd.toolkit.call import Answer
from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness import processes
from tests.harness.asking import validate
from tests.harness.past import committed, run, write
from tests.harness.served import surroundings
from tests.harness.waiting import eventually

TOOL = load("codeagentd.tools")["speculate"]
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "{files}"]
SHOP = {
    "shop/__init__.py": "",
    "shop/price.py": "def total(items):\n    return sum(items)\n",
    "shop/view.py": "from shop.price import total\n\n\ndef show(items):\n    return total(items)\n",
    "shop/alone.py": "def lonely():\n    return 1\n",
    "tests/test_view.py": "from shop.view import show\n\n\ndef test_show():\n    assert show([1, 2]) == 3\n",
    "tests/test_alone.py": "from shop.alone import lonely\n\n\ndef test_lonely():\n    assert lonely() == 1\n",
    "pyproject.toml": '[project]\nname = "shop"\nversion = "0"\n',
    ".gitignore": "deps/\n.venv/\n*.log\n",
}
BREAKING = "--- a/shop/price.py\n+++ b/shop/price.py\n@@ -1,2 +1,2 @@\n def total(items):\n-    return sum(items)\n+    return 0\n"
THROUGH_A_LINK = (
    "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/tmp\n\\ No newline at end of file\n"
    "diff --git a/l/x b/l/x\nnew file mode 100644\n--- /dev/null\n+++ b/l/x\n@@ -0,0 +1 @@\n+x\n"
)
linux = pytest.mark.skipif(sys.platform != "linux", reason="name spaces and /proc are Linux's")


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[Context]:
    committed(tmp_path / "repo", SHOP)
    with surroundings(tmp_path, {}) as found:
        yield found


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    """For tests that change nothing but what is thrown away."""
    place = tmp_path_factory.mktemp("kept")
    committed(place / "repo", SHOP)
    with surroundings(place, {}) as found:
        yield found


def ask(ctx: Context, **arguments: Any) -> Answer:
    answer = call(TOOL, ctx, arguments)
    if not answer.is_error:
        validate(TOOL.name, answer.structured)
    return answer


def python(ctx: Context, program: str, **arguments: Any) -> dict[str, Any]:
    """The step that a Python program is."""
    answer = ask(ctx, build=[sys.executable, "-c", program], **arguments)
    assert not answer.is_error, answer.text
    step: dict[str, Any] = answer.structured["steps"][0]
    return step


def trees(ctx: Context) -> list[str]:
    place = ctx.root.parent / "blobs" / "speculations"
    return [one.name for one in place.iterdir() if one.name != "lock"] if place.is_dir() else []


def state(root: Path) -> dict[str, bytes]:
    """Everything of a repository, git's own files too, except for objects."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink() and ".git/objects" not in str(path)
    }


def test_an_environment_of_the_repository_is_used_by_who_links_and_names_it(ctx: Context) -> None:
    venv = subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(ctx.root / ".venv")], capture_output=True)
    assert venv.returncode == 0
    program = "import sys; print(sys.prefix != sys.base_prefix, sys.prefix)"
    found = ask(ctx, link=[".venv"], build=[".venv/bin/python", "-c", program]).structured
    assert found["steps"][0]["output"].startswith("True ")
    assert found["written"] == []


# what failed before


def counting(place: Path, program: str = "") -> list[str]:
    """A command that leaves a line for each time that it is run, and fails."""
    return [sys.executable, "-c", f"print(1, file=open({str(place)!r}, 'a')); {program or 'raise SystemExit(1)'}"]


def test_a_failure_of_the_change_alone_is_told_from_one_that_was_there_before(ctx: Context) -> None:
    wrong = "\n\ndef test_wrong():\n    assert show([1]) == 5\n"
    write(ctx.root, {"tests/test_view.py": SHOP["tests/test_view.py"] + wrong})
    assert ctx.engine.sync(30).caught_up
    answer = ask(ctx, patch=BREAKING, test=PYTEST)
    (step,) = answer.structured["steps"]
    assert (answer.structured["verdict"], step["outcome"], step["before"]) == ("broken", "failed", "failed")
    assert step["failed_before"] == ["tests/test_view.py::test_wrong"]
    assert "before the change: failed, with tests/test_view.py::test_wrong" in answer.rendered
    assert answer.rendered.startswith(
        "test failed before the change too, but not with tests/test_view.py::test_show. BROKEN: "
    )
    assert trees(ctx) == []


def test_a_failure_that_was_there_before_is_told_first(kept: Context) -> None:
    answer = ask(kept, patch=BREAKING, build=[sys.executable, "-c", "raise SystemExit(3)"])
    assert answer.structured["before"] == "build failed before the change too"
    assert answer.rendered.startswith("build failed before the change too. BROKEN: 1 files changed")


def test_what_passed_before_is_broken_by_the_change(kept: Context) -> None:
    answer = ask(kept, patch=BREAKING, test=PYTEST)
    (step,) = answer.structured["steps"]
    assert (step["before"], step.get("failed_before")) == ("passed", None)
    assert "before the change: passed" in answer.rendered
    assert answer.rendered.startswith("BROKEN: ")
    assert "before" not in answer.structured


def test_the_work_tree_is_measured_against_the_base(ctx: Context) -> None:
    write(
        ctx.root,
        {
            "shop/price.py": "def total(items):\n    return 0\n",
            "tests/test_new.py": "from shop.price import total\n\n\ndef test_new():\n    assert total([1])\n",
        },
    )
    assert ctx.engine.sync(30).caught_up
    found = ask(ctx, base="HEAD", test=PYTEST).structured
    (step,) = found["steps"]
    assert set(found["tests"]) == {"tests/test_new.py", "tests/test_view.py"}
    assert (step["outcome"], step["before"]) == ("failed", "passed")
    assert "failed_before" not in step


def test_tests_that_are_new_cannot_have_failed_before(ctx: Context) -> None:
    write(ctx.root, {"tests/test_new.py": "def test_new():\n    assert False\n"})
    assert ctx.engine.sync(30).caught_up
    (step,) = ask(ctx, base="HEAD", test=PYTEST).structured["steps"]
    assert step["outcome"] == "failed"
    assert "before" not in step


@linux
def test_the_unchanged_tree_is_tried_only_after_a_failure_of_a_change(ctx: Context, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    ask(ctx, patch=BREAKING, build=counting(runs, "pass"))
    assert len(runs.read_text().split()) == 1, "it has passed"
    ask(ctx, base="HEAD", build=counting(runs))
    assert len(runs.read_text().split()) == 2, "nothing is changed"
    assert (
        ask(ctx, patch=BREAKING, build=counting(runs), test=counting(runs, "pass")).structured["steps"][0]["before"]
        == "failed"
    )
    assert len(runs.read_text().split()) == 5, "of the commands that fail"


def test_the_unchanged_tree_has_the_time_that_the_command_has_left(kept: Context, tmp_path: Path) -> None:
    found = ask(
        kept,
        patch=BREAKING,
        build=counting(tmp_path / "runs", "import time; time.sleep(1.2); raise SystemExit(1)"),
        timeout=2,
    ).structured
    assert found["verdict"] == "broken"
    assert "before" not in found["steps"][0]
    assert "no time is left to try the unchanged tree" in found["note"]
    slow_before = (
        "import time; time.sleep(0 if 'return 0' in open('shop/price.py').read() else 60); raise SystemExit(1)"
    )
    assert (
        ask(kept, patch=BREAKING, build=[sys.executable, "-c", slow_before], timeout=3).structured["steps"][0]["before"]
        == "timed_out"
    )


# what is tried


def test_a_patch_that_breaks_a_test_is_told_with_the_test_at_risk(kept: Context) -> None:
    answer = ask(kept, patch=BREAKING, test=PYTEST)
    found = answer.structured
    assert (found["verdict"], found["files"], found["tests"], found["tests_at_risk"]) == (
        "broken",
        ["shop/price.py"],
        ["tests/test_view.py"],
        1,
    )
    assert found["steps"][0]["outcome"] == "failed"
    assert found["steps"][0]["exit_code"] == 1
    assert "assert 0 == 3" in found["steps"][0]["output"]
    assert answer.rendered.startswith("BROKEN: 1 files changed since HEAD, ")


def test_what_differs_in_the_work_tree_is_tried_new_and_removed_files_too(ctx: Context) -> None:
    write(
        ctx.root,
        {
            "shop/price.py": "from shop.fresh import add\n\n\ndef total(items):\n    return add(items)\n",
            "shop/fresh.py": "def add(items):\n    return sum(items)\n",
            "tests/test_fresh.py": "from shop.fresh import add\n\n\ndef test_add():\n    assert add([1]) == 1\n",
            "shop/alone.py": None,
            "tests/test_alone.py": None,
        },
    )
    assert ctx.engine.sync(30).caught_up
    found = ask(ctx, base="HEAD", test=PYTEST).structured
    assert found["verdict"] == "passed", found
    assert set(found["tests"]) == {"tests/test_view.py", "tests/test_fresh.py"}
    assert found["total"] == 5


def test_a_patch_comes_on_top_of_the_work_tree_or_of_the_base_that_is_named(ctx: Context) -> None:
    write(ctx.root, {"shop/alone.py": "def lonely():\n    return 2\n"})
    program = "print(open('shop/alone.py').read(), open('shop/price.py').read())"
    assert {"return 2", "return 0"} <= set(map(str.strip, python(ctx, program, patch=BREAKING)["output"].splitlines()))
    assert "return 1" in python(ctx, program, patch=BREAKING, base="HEAD")["output"]


@pytest.mark.parametrize("arguments", [{"toolchain": "python"}, {}])
def test_a_toolchain_is_fixed_commands_and_the_one_whose_files_are_there_is_taken(
    kept: Context, monkeypatch: pytest.MonkeyPatch, arguments: Any
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    found = ask(kept, patch=BREAKING, **arguments).structured
    assert found["steps"][0]["command"] == ["python3", "-m", "pytest", "-q", "tests/test_view.py"]
    assert (found["verdict"], found["toolchain"]) == ("broken", "python")


def test_where_no_toolchain_is_known_nothing_is_run(tmp_path: Path) -> None:
    committed(tmp_path / "repo", {"a.lua": "return 1\n"})
    with surroundings(tmp_path, {}) as ctx:
        found = ask(ctx).structured
    assert (found["verdict"], found["steps"]) == ("inconclusive", [])
    assert "toolchain" not in found
    assert found["note"].startswith("nothing was run: no toolchain")


def test_after_a_build_that_fails_no_test_is_run_where_that_is_wanted(kept: Context) -> None:
    failing = [sys.executable, "-c", "raise SystemExit(3)"]
    steps = ask(kept, patch=BREAKING, build=failing, test=PYTEST, fail_fast=True).structured["steps"]
    assert [(one["outcome"], one["exit_code"]) for one in steps] == [("failed", 3), ("skipped", None)]
    assert [one["outcome"] for one in ask(kept, patch=BREAKING, build=failing, test=PYTEST).structured["steps"]] == [
        "failed",
        "failed",
    ]


def test_a_command_that_is_not_there_proves_nothing(kept: Context) -> None:
    found = ask(kept, patch=BREAKING, build=["no-such-command"]).structured
    assert (found["verdict"], found["steps"][0]["outcome"]) == ("inconclusive", "not_started")


@pytest.mark.parametrize(
    "output",
    [
        "error: rustup could not choose a version of cargo to run, because one was not specified explicitly, and no default is configured.\nhelp: …",
        "error: toolchain 'nightly-x86_64-unknown-linux-gnu' is not installed", "/usr/bin/python3: No module named pytest",
        'npm error npx canceled due to missing packages and no YES option: ["tsc@2.0.4"]', "pyenv: version `3.9' is not installed",
    ],
)  # fmt: skip
def test_a_program_that_stands_for_one_that_is_not_installed_proves_nothing(kept: Context, output: str) -> None:
    found = ask(kept, patch=BREAKING, build=[sys.executable, "-c", f"raise SystemExit({output!r})"]).structured
    assert (found["verdict"], found["steps"][0]["outcome"]) == ("inconclusive", "not_started")
    assert found["note"].startswith(f"{sys.executable} could not run: its output says that it is not installed")


def test_a_failure_that_only_mentions_a_missing_program_is_a_failure(kept: Context) -> None:
    output = "running 3 tests\nerror: toolchain 'x' is not installed"
    found = ask(kept, patch=BREAKING, build=[sys.executable, "-c", f"raise SystemExit({output!r})"]).structured
    assert (found["verdict"], found["steps"][0]["outcome"]) == ("broken", "failed")


def test_words_of_a_command_are_no_shell(kept: Context) -> None:
    found = ask(kept, patch=BREAKING, build=["echo", "$HOME; touch /tmp/x", "`id`"]).structured
    assert found["steps"][0]["output"] == "$HOME; touch /tmp/x `id`"


def test_files_that_commands_write_are_told_and_gone(ctx: Context) -> None:
    answer = ask(
        ctx,
        patch=BREAKING,
        build=[sys.executable, "-c", "open('made.txt', 'w'); open('shop/view.py', 'a').write('#'); open('x.log', 'w')"],
    )
    assert answer.structured["written"] == ["made.txt", "shop/view.py"]
    assert not (ctx.root / "made.txt").exists()
    assert trees(ctx) == []


def test_ignored_folders_are_reached_by_a_link_where_the_caller_says_so(ctx: Context) -> None:
    write(ctx.root, {"deps/lib.txt": "here\n"})
    assert python(ctx, "print(open('deps/lib.txt').read())", patch=BREAKING)["outcome"] == "failed"
    answer = ask(ctx, patch=BREAKING, link=["deps"], build=[sys.executable, "-c", "print(open('deps/lib.txt').read())"])
    assert (answer.structured["steps"][0]["output"], answer.structured["written"]) == ("here", [])
    assert ask(ctx, patch=BREAKING, link=["shop"]).code == "invalid_parameter"
    assert ask(ctx, patch=BREAKING, link=["../outside"]).code == "path_escape"


@pytest.mark.parametrize(
    "patch",
    [
        "nonsense",
        BREAKING.replace("sum(items)", "max(items)"),
        "--- /dev/null\n+++ b/../escape\n@@ -0,0 +1 @@\n+x\n",
        "--- /dev/null\n+++ b/.git/config\n@@ -0,0 +1 @@\n+x\n",
        THROUGH_A_LINK,
    ],
)
def test_a_patch_that_does_not_apply_or_leads_out_is_refused(kept: Context, patch: str) -> None:
    answer = ask(kept, patch=patch, build=["true"])
    assert answer.code == "invalid_parameter"
    assert answer.structured["error"]["message"].startswith("the patch does not apply: ")
    assert trees(kept) == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"base": "nowhere"},
        {"base": "--output=x"},
        {"build": []},
        {"test": [""]},
        {"timeout": 301},
        {"timeout": 0},
        {"toolchain": "make"},
    ],
)
def test_what_cannot_be_meant_is_refused(kept: Context, arguments: dict[str, Any]) -> None:
    assert ask(kept, patch=BREAKING, **arguments).code == "invalid_parameter"


def test_git_is_needed_and_a_commit(tmp_path: Path) -> None:
    with surroundings(tmp_path, {"a.py": "x = 1\n"}) as ctx:
        assert ask(ctx, build=["true"]).code == "engine_unavailable"


# what commands may do


def test_the_repository_is_left_as_it_was(ctx: Context) -> None:
    write(
        ctx.root,
        {
            "shop/alone.py": "def lonely():\n    return 2\n",
            "shop/new.py": "x = 1\n",
            "shop/price.py": "def total(items):\n    return 3\n",
        },
    )
    run(ctx.root, "stash", "push", "-q", "shop/price.py")
    run(ctx.root, "add", "shop/new.py")
    before = state(ctx.root)
    program = (
        "import subprocess, os\n"
        "for words in ('checkout -q -b other', 'commit -q -a -m x --author=a<a@b>', 'branch -D main', 'stash drop', 'config core.editor x', 'gc -q'):\n"
        "    subprocess.run(['git', '-c', 'user.name=a', '-c', 'user.email=a@b', *words.split()])\n"
        "print(subprocess.run(['git', 'log', '--oneline'], capture_output=True, text=True).stdout)"
    )
    step = python(ctx, program, base="HEAD")
    assert step["exit_code"] == 0
    assert " step" in step["output"]
    assert state(ctx.root) == before


def test_nothing_that_the_repository_configures_is_run(ctx: Context, tmp_path: Path) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f'#!/bin/sh\necho "$0" >> {tmp_path}/sprung\ncat\n')
    trap.chmod(0o755)
    hooks = ctx.root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction", "applypatch-msg"):
        (hooks / name).write_bytes(trap.read_bytes())
        (hooks / name).chmod(0o755)
    write(
        ctx.root,
        {".gitattributes": "*.py filter=evil diff=evil merge=evil\n", "shop/alone.py": "def lonely():\n    return 3\n"},
    )
    for name, value in {
        "filter.evil.clean": str(trap), "filter.evil.smudge": str(trap), "filter.evil.process": str(trap), "filter.evil.required": "true",
        "diff.evil.textconv": str(trap), "diff.evil.command": str(trap), "diff.external": str(trap), "core.fsmonitor": str(trap), "core.pager": str(trap),
        "alias.apply": f"!{trap}", "alias.read-tree": f"!{trap}", "core.hooksPath": str(hooks), "uploadpack.packObjectsHook": str(trap),
    }.items():  # fmt: skip
        run(ctx.root, "config", name, value)
    answer = ask(ctx, patch=BREAKING, build=["git", "status", "--porcelain"])
    assert answer.structured["steps"][0]["outcome"] == "passed", answer.text
    assert not (tmp_path / "sprung").exists()


def test_commands_see_no_credentials_and_nobodys_home(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = (
        "GITHUB_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "SSH_AUTH_SOCK",
        "GIT_ASKPASS",
        "SSH_ASKPASS",
        "NPM_TOKEN",
        "CODEAGENT_API_KEY",
        "HTTPS_PROXY",
    )
    for name in secrets:
        monkeypatch.setenv(name, "hunter2")
    monkeypatch.setenv("PATH", f".:bin::{os.environ['PATH']}")
    step = python(
        ctx, "import os; print(*sorted(os.environ)); print(os.environ['HOME'], os.environ['PATH'])", patch=BREAKING
    )
    names, places = step["output"].splitlines()
    assert not set(secrets) & set(names.split())
    home, path = places.split(" ", 1)
    assert home != str(Path.home())
    assert all(part.startswith("/") for part in path.split(":"))
    parents = (
        python(ctx, "import os; print(open(f'/proc/{os.getppid()}/environ').read())", patch=BREAKING)
        if sys.platform == "linux"
        else step
    )
    assert "hunter2" not in parents["output"]


def test_what_looks_like_a_secret_or_steers_a_terminal_is_not_told(kept: Context) -> None:
    step = python(kept, "print('\\x1b[31mpassword = \"hunter2hunter2\"\\x1b[0m\\u202e\\x07 done')", patch=BREAKING)
    assert step["output"] == 'password = "[redacted]" done'


@linux
def test_there_is_no_network_but_a_loopback(kept: Context) -> None:
    program = (
        "import socket\n"
        "server = socket.create_server(('127.0.0.1', 0)); socket.create_connection(server.getsockname()); print('loopback')\n"
        "try: socket.create_connection(('192.0.2.1', 80), 3)\n"
        "except OSError as error: print(error.errno)"
    )
    answer = ask(kept, patch=BREAKING, build=[sys.executable, "-c", program])
    if answer.structured["network"] == "open":
        pytest.skip("this system lets nobody leave the network")
    assert answer.structured["steps"][0]["output"] == "loopback\n101"


def test_a_command_without_an_end_is_ended(kept: Context) -> None:
    begun = time.monotonic()
    answer = ask(
        kept,
        patch=BREAKING,
        timeout=1,
        build=[sys.executable, "-c", "import time; print('begun', flush=True); time.sleep(999)"],
    )
    step = answer.structured["steps"][0]
    assert (answer.structured["verdict"], step["outcome"], step["exit_code"], step["output"]) == (
        "inconclusive",
        "timed_out",
        None,
        "begun",
    )
    assert time.monotonic() - begun < 15
    assert trees(kept) == []


WITHOUT = {  # programs in the place of the supervisor, by what this system then has to confine commands
    "signal scope": "from codeagentd.speculation import pid_namespace, process; pid_namespace.is_possible = lambda: False; process.main()",
    "nothing": "from codeagentd.speculation import pid_namespace, process, signal_scope; "
    "pid_namespace.is_possible = signal_scope.is_possible = lambda: False; process.main()",
}
ESCAPING = (
    "import os, sys, time\n"
    "for _ in range(3):\n"
    "    if os.fork() == 0:\n"
    "        os.setsid()\n"
    "        if os.fork(): os._exit(0)\n"
    "        os.setsid() if os.getpid() != os.getsid(0) else None\n"
    "        os.execve(sys.executable, [sys.executable, '-c', 'import time; time.sleep(999)', sys.argv[1]], {})\n"
    "time.sleep(0.5)\n"
)


def confine(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have commands confined by process numbers of their own, a scope for signals, or nothing, as systems can."""
    if by in WITHOUT:
        monkeypatch.setattr(speculations, "PROGRAM", ("-c", WITHOUT[by]))
    if by == "namespace" and not grants_containment():
        pytest.skip("this system grants nobody process numbers of their own")
    if by == "signal scope" and not has_scopes():
        pytest.skip("this kernel has no scopes for signals")


@pytest.fixture(params=["namespace", "signal scope", "nothing"])
def confinement(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What keeps commands from the process that watches them."""
    confine(request.param, monkeypatch)
    return str(request.param)


def has_scopes() -> bool:
    from codeagentd.speculation import signal_scope  # it needs a system with fork

    return signal_scope.is_possible()


def grants_containment() -> bool:
    program = "from codeagentd.speculation import isolation, pid_namespace; raise SystemExit(not (isolation.leave_network() and pid_namespace.is_possible()))"
    return sys.platform == "linux" and subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@linux
@pytest.mark.usefixtures("confinement")
def test_what_has_left_its_group_session_and_environment_is_ended_too(ctx: Context) -> None:
    word = secrets.token_hex(8)
    answer = ask(ctx, patch=BREAKING, build=[sys.executable, "-c", ESCAPING, word])
    # the daemons keep the output open: the answer must not wait for them
    assert answer.structured["steps"][0]["outcome"] == "passed", answer.text
    assert processes.with_argument(word) == []


def test_what_a_command_starts_is_seen_while_it_runs(ctx: Context) -> None:
    word, seen = secrets.token_hex(8), []
    thread = threading.Thread(target=lambda: ask(ctx, patch=BREAKING, build=[sys.executable, "-c", ESCAPING, word]))
    thread.start()
    while thread.is_alive():
        seen += processes.with_argument(word)
    assert len(set(seen)) >= 3


HIDING = (  # starts a process that nothing but its limits shows to be the command's, then signals its parent
    "import contextlib, os, signal, subprocess, sys, time\n"
    "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)', sys.argv[1]], env={}, start_new_session=True, stdout=-3, stderr=-3)\n"
    "with contextlib.suppress(PermissionError): os.kill(os.getppid(), signal.Signals[sys.argv[2]])\n"
    "print('still here', flush=True)\n"
    "time.sleep(99)"
)


@linux
@pytest.mark.parametrize("signal_name", ["SIGKILL", "SIGSTOP"])
@pytest.mark.parametrize("by", ["namespace", "signal scope"])
def test_a_command_neither_ends_nor_stops_what_watches_it(
    ctx: Context, monkeypatch: pytest.MonkeyPatch, by: str, signal_name: str
) -> None:
    confine(by, monkeypatch)
    word, begun = secrets.token_hex(8), time.monotonic()
    answer = ask(ctx, patch=BREAKING, timeout=2, build=[sys.executable, "-c", HIDING, word, signal_name]).structured
    step = answer["steps"][0]
    assert (step["outcome"], step["output"]) == ("timed_out", "still here")
    assert "cannot keep commands" not in answer.get("note", "")
    assert processes.with_argument(word) == []
    assert time.monotonic() - begun < 20
    assert trees(ctx) == []


@linux
@pytest.mark.parametrize("signal_name", ["SIGKILL", "SIGSTOP"])
def test_where_nothing_confines_a_command_the_call_ends_and_nothing_is_left(
    ctx: Context, monkeypatch: pytest.MonkeyPatch, signal_name: str
) -> None:
    confine("nothing", monkeypatch)
    word, begun = secrets.token_hex(8), time.monotonic()
    answer = ask(ctx, patch=BREAKING, timeout=60, build=[sys.executable, "-c", HIDING, word, signal_name])
    assert answer.code == "engine_unavailable"
    assert time.monotonic() - begun < 15
    eventually(lambda: not processes.with_argument(word))
    assert trees(ctx) == []
    assert "cannot keep commands" in ask(ctx, patch=BREAKING, build=["true"]).structured["note"]


@linux
def test_a_command_that_removes_its_tree_and_what_watches_it_leaves_nothing(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    confine("nothing", monkeypatch)
    word = secrets.token_hex(8)
    program = f"import os, shutil; shutil.rmtree(os.path.dirname(os.environ['HOME']))\n{HIDING}"
    assert ask(ctx, patch=BREAKING, build=[sys.executable, "-c", program, word, "SIGKILL"]).is_error
    eventually(lambda: not processes.with_argument(word))


@pytest.mark.usefixtures("confinement")
@pytest.mark.parametrize(
    ("program", "code"),
    [("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", -9), ("import os; os.abort()", -6)],
)
def test_a_command_has_its_own_exit_code(kept: Context, program: str, code: int) -> None:
    assert python(kept, program, patch=BREAKING)["exit_code"] == code


@linux
@pytest.mark.usefixtures("confinement")
def test_a_command_finds_itself_in_proc(kept: Context) -> None:
    program = "import os; print('here' in open(f'/proc/{os.getpid()}/cmdline').read(), os.getsid(0) > 0, os.getpgrp() > 0)  # here"
    assert python(kept, program, patch=BREAKING)["output"] == "True True True"


def test_git_runs_no_filter_that_a_command_has_configured(ctx: Context, tmp_path: Path) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\necho $HOME >> {tmp_path}/sprung\nsleep 20\n")
    trap.chmod(0o755)
    program = (
        "import subprocess, time\n"
        f"for name in ('filter.x.clean', 'filter.x.process', 'core.fsmonitor', 'diff.x.textconv', 'diff.x.command'): "
        f"subprocess.run(['git', 'config', name, {str(trap)!r}])\n"
        "open('.gitattributes', 'w').write('* filter=x diff=x\\n')\n"
        "open('shop/alone.py', 'a').write('y = 1\\n')"
    )
    begun = time.monotonic()
    answer = ask(ctx, patch=BREAKING, timeout=5, build=[sys.executable, "-c", program]).structured
    assert answer["written"] == [".gitattributes", "shop/alone.py"]
    assert time.monotonic() - begun < 15
    assert not (tmp_path / "sprung").exists()


def test_what_a_command_has_staged_counts_as_written(ctx: Context) -> None:
    program = "import subprocess; open('new.py', 'w').write('x = 1'); subprocess.run(['git', 'add', '-A']); open('shop/alone.py', 'a').write('#')"
    assert ask(ctx, patch=BREAKING, build=[sys.executable, "-c", program]).structured["written"] == [
        "new.py",
        "shop/alone.py",
    ]


FILLING = (
    "from codeagentd.speculation import command_runner, process\n"
    "free = command_runner.free_bytes\n"
    "command_runner.least_free_bytes = lambda folder: free(folder) - 20_000_000\n"
    "process.main()"
)


def test_a_command_that_fills_the_disk_is_ended_and_proves_nothing(
    kept: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speculations, "PROGRAM", ("-c", FILLING))
    program = "import time\nfile = open('big', 'wb')\nfor _ in range(200): file.write(b'x' * 1_000_000), file.flush(), time.sleep(0.02)\ntime.sleep(99)"
    answer = ask(kept, patch=BREAKING, build=[sys.executable, "-c", program]).structured
    assert (answer["verdict"], answer["steps"][0]["outcome"]) == ("inconclusive", "disk_full")
    assert trees(kept) == []


def test_where_git_cannot_tell_what_was_written_the_answer_says_so(kept: Context) -> None:
    answer = ask(
        kept, patch=BREAKING, build=[sys.executable, "-c", "import os, shutil; shutil.rmtree(os.getcwd())"]
    ).structured
    assert "which files the commands wrote is not known" in answer["note"]


@pytest.mark.parametrize(
    "link", [".git", ".git/hooks", ".GIT/hooks", ".Git", "./.git/objects", "deps/.git/hooks", "hooks"]
)
def test_nothing_of_git_is_linked(ctx: Context, link: str) -> None:
    (ctx.root / "deps/.git/hooks").mkdir(parents=True)
    (ctx.root / "hooks").symlink_to(".git/hooks")
    (ctx.root / ".git/hooks").mkdir(exist_ok=True)
    answer = ask(ctx, patch=BREAKING, build=["true"], link=[link])
    assert answer.code in ("invalid_parameter", "not_found"), answer.text
    assert answer.code == "invalid_parameter" or link.startswith(".G")


def test_a_hundred_megabytes_of_output_are_read_and_dropped(ctx: Context) -> None:
    step = python(
        ctx, "import os\nfor _ in range(100): os.write(1, b'x' * 999_999 + b'\\n')\nprint('end')", patch=BREAKING
    )
    assert step["outcome"] == "passed"
    assert step["output"].endswith("end")
    assert len(step["output"]) <= 6_000
    assert 99_900_000 < step["left_out"] <= 100_000_004


def test_output_without_an_end_puts_no_deadline_off(kept: Context) -> None:
    step = python(kept, "import os\nwhile True: os.write(1, b'y\\n' * 500_000)", timeout=1, patch=BREAKING)
    assert step["outcome"] == "timed_out"
    assert step["seconds"] < 3


def test_a_tree_that_forbids_its_removal_is_removed(kept: Context) -> None:
    python(
        kept,
        "import os; os.makedirs('a/b/c'); open('a/b/c/d', 'w'); [os.chmod(place, 0) for place in ('a/b/c', 'a/b', 'a', '.')]",
        patch=BREAKING,
    )
    assert trees(kept) == []


def test_a_link_in_the_commit_leads_no_copy_out_of_the_tree(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root = committed(tmp_path / "repo", SHOP)
    (root / "way").symlink_to(outside)
    run(root, "add", "way")
    run(root, "commit", "-q", "-m", "link")
    (root / "way").unlink()
    write(root, {"way/x.py": "x = 1\n"})
    with surroundings(tmp_path, {}) as ctx:
        step = python(ctx, "print(open('way/x.py').read())", base="HEAD")
    assert step["output"] == "x = 1"
    assert not list(outside.iterdir())


def test_new_files_that_hold_secrets_stay_where_they_are(ctx: Context) -> None:
    write(ctx.root, {".env": "TOKEN=abc\n", "shop/new.py": "x = 1\n"})
    assert (
        python(ctx, "import os; print(os.path.exists('.env'), os.path.exists('shop/new.py'))", base="HEAD")["output"]
        == "False True"
    )


def test_a_part_of_a_repository_is_tried_in_its_place(tmp_path: Path) -> None:
    top = committed(
        tmp_path / "repo", {f"part/{path}": text for path, text in SHOP.items()} | {"beside.txt": "beside\n"}
    )
    (tmp_path / "part").symlink_to(top / "part")
    (tmp_path / "index").mkdir()
    from codeagentd.base.paths import Jail
    from codeagentd.pipeline.engine.engine import IndexingEngine

    engine = IndexingEngine(top / "part", tmp_path / "index", tmp_path / "blobs", use_watcher=False)
    engine.start()
    try:
        assert engine.wait_caught_up(30)
        ctx = Context(engine.root, engine.readers, engine, Jail(engine.root), engine.ignored)
        found = ask(
            ctx,
            patch=BREAKING,
            build=[sys.executable, "-c", "print(open('../beside.txt').read(), open('shop/price.py').read())"],
        ).structured
    finally:
        engine.close(10)
    assert found["files"] == ["shop/price.py"]
    assert "beside" in found["steps"][0]["output"]
    assert "return 0" in found["steps"][0]["output"]


# one at a time, and for no longer than a caller waits


def test_another_one_is_refused_while_one_runs_and_other_tools_answer(ctx: Context, tmp_path: Path) -> None:
    sign, answers = tmp_path / "begun", []
    program = f"import time; open({str(sign)!r}, 'w'); time.sleep(3)"
    thread = threading.Thread(
        target=lambda: answers.append(ask(ctx, patch=BREAKING, build=[sys.executable, "-c", program]))
    )
    thread.start()
    eventually(sign.exists)
    refused = ask(ctx, patch=BREAKING, build=["true"])
    asked = call(load("codeagentd.tools")["affected"], ctx, {"label": "total"})
    assert thread.is_alive()
    thread.join()
    assert refused.code == "engine_unavailable"
    assert "another change of this repository is being tried out" in refused.structured["error"]["message"]
    assert not asked.is_error
    assert answers[0].structured["verdict"] == "passed"


def test_when_the_engine_closes_nothing_is_left(ctx: Context, tmp_path: Path) -> None:
    sign, answers = tmp_path / "begun", []
    word = secrets.token_hex(8)
    program = f"import os, time; open({str(sign)!r}, 'w').write('x'); time.sleep(99)"
    thread = threading.Thread(
        target=lambda: answers.append(ask(ctx, patch=BREAKING, build=[sys.executable, "-c", program, word]))
    )
    thread.start()
    eventually(lambda: sign.exists() and sign.read_text())
    assert processes.with_argument(word)
    ctx.engine.close(10)  # type: ignore[attr-defined]  # the real engine
    thread.join(10)
    assert answers[0].code == "engine_unavailable"
    assert not processes.with_argument(word)
    assert trees(ctx) == []


@linux
def test_what_a_killed_process_leaves_is_collected_with_its_processes(
    ctx: Context, tmp_path: Path, confinement: str
) -> None:
    sign, answers, word = tmp_path / "begun", [], secrets.token_hex(8)
    program = f"import os, time\nif os.fork() == 0:\n    os.setsid()\n    open({str(sign)!r}, 'w').write('x')\n    time.sleep(99)\ntime.sleep(99)"
    thread = threading.Thread(
        target=lambda: answers.append(ask(ctx, patch=BREAKING, build=[sys.executable, "-c", program, word]))
    )
    thread.start()
    eventually(sign.exists)
    (supervisor,) = [
        one.pid
        for one in psutil.Process().children()
        if str(ctx.root.parent) in " ".join(one.cmdline()) and "speculat" in " ".join(one.cmdline())
    ]
    os.kill(supervisor, signal.SIGKILL)
    thread.join(10)
    assert answers[0].code == "engine_unavailable"
    eventually(lambda: not trees(ctx))
    eventually(lambda: not processes.with_argument(word))
    assert ask(ctx, patch=BREAKING, build=["true"]).structured["verdict"] == "passed"
    assert trees(ctx) == []
