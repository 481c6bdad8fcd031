"""`codeagentd completion SHELL`: what pressing Tab offers in real shells."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.cli.command_list import COMMANDS
from codeagentd.cli.commands.operations.completion import SHELLS, whole_parser
from codeagentd.cli.main import main
from codeagentd.clients.catalogue import clients

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
BASH = """source "$1"; shift
function=$(complete -p codeagentd | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
$function codeagentd "${@: -1}" "${@: -2:1}" >/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """zmodload zsh/zpty; zpty shell zsh -f -i
take() { local part; heard=''; while zpty -r -t shell part 2>/dev/null; do heard+=$part; done }
expect() { local seen='' n; for n in {1..100}; do take; seen+=$heard; [[ $seen == *$1* ]] && break; sleep 0.1; done; heard=$seen }
zpty -w shell "fpath=(${1:h} \\$fpath); autoload -Uz compinit; compinit -u -D; PS1=; LISTMAX=1000; print re''ady"
expect ready
zpty -w -n shell "$2"$'\\t'; sleep 0.5; expect "$3"; print -r -- "$heard"
"""


def in_bash(script: Path, line: str, _expected: str) -> str:
    return _ran("bash", "-c", BASH, "bash", str(script), *line.split(" "))


def in_zsh(script: Path, line: str, expected: str) -> str:
    own = script.with_name("_codeagentd")
    own.write_text(script.read_text())
    return _ran("zsh", "-f", "-c", ZSH, "zsh", str(own), line, expected)


def in_fish(script: Path, line: str, _expected: str) -> str:
    return _ran("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", str(script), line)


def _ran(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, check=False)
    assert done.stderr == ""
    return ESCAPES.sub("", done.stdout)


@pytest.fixture(scope="module", params=[("bash", in_bash), ("zsh", in_zsh), ("fish", in_fish)], ids=SHELLS)
def complete(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], str]:
    shell, ask = request.param
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell} here")
    script = tmp_path_factory.mktemp(shell) / "script"
    with pytest.MonkeyPatch.context() as patch, script.open("w") as file:
        patch.setattr("sys.stdout", file)
        assert main(["completion", shell]) == 0
    return lambda line, expected: ask(script, line, expected)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("codeagentd sc", "schema"),
        ("codeagentd call get_caller", "get_callers"),
        ("codeagentd call --repo . get_caller", "get_callers"),
        ("codeagentd schema search_c", "search_code"),
        ("codeagentd install cod", "codex"),
        ("codeagentd uninstall ze", "zed"),
        ("codeagentd memory li", "list"),
        ("codeagentd memory list --typ", "--type"),
        ("codeagentd tools --toolsets sym", "symbols"),
        ("codeagentd search words --lim", "--limit"),
        ("codeagentd impact x --direction d", "down"),
        ("codeagentd help statu", "status"),
    ],
)
def test_tab_completes_commands_options_and_names(line: str, offered: str, complete: Callable[[str, str], str]):
    assert offered in complete(line, offered).split()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_knows_every_command_and_client(shell: str, capsys: pytest.CaptureFixture[str]):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert [name for name in (*COMMANDS, *clients()) if name not in script] == []


def test_making_the_script_leaves_the_commands_as_they_are(capsys: pytest.CaptureFixture[str]):
    whole_parser()
    assert main(["install", "claude"]) == 2
    assert "did you mean 'claude-code'" in capsys.readouterr().err


def test_a_misspelled_shell_is_told_what_it_may_mean(capsys: pytest.CaptureFixture[str]):
    assert main(["completion", "bsh"]) == 2
    assert "did you mean 'bash'" in capsys.readouterr().err
