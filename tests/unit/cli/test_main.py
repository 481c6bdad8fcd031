"""How the command line begins and ends: choice of command, usage errors, coded errors, exit codes."""

from __future__ import annotations

import argparse
import subprocess
import sys

import pytest

from codeagent_protocol.errors import NotFound
from codeagent_protocol.version import __version__
from codeagentd.cli.main import COMMANDS, guarded, main, parsed, parser_of


def test_without_a_command_the_commands_are_listed(capsys: pytest.CaptureFixture[str]):
    assert main([]) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {name} " in out for name in COMMANDS)


def test_the_version_is_told_either_way(capsys: pytest.CaptureFixture[str]):
    assert main(["--version"]) == main(["version"]) == 0
    assert capsys.readouterr().out.count(__version__) == 2


def test_an_unknown_command_is_wrong_usage(capsys: pytest.CaptureFixture[str]):
    assert main(["nonsense"]) == 2
    assert capsys.readouterr().err == "error: there is no command 'nonsense' (see `codeagentd --help`)\n"


def test_an_unknown_option_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        main(["version", "--nonsense"])
    assert caught.value.code == 2
    assert capsys.readouterr().err == "error: unrecognized arguments: --nonsense (see `codeagentd version --help`)\n"


def test_options_may_stand_between_the_other_words():
    found = parsed(parser_of("call"), ["search_symbols", "--repo", "shop", "query=Order", "--compact", "limit=5"])
    assert (found.tool, found.arguments, found.repo, found.compact) == ("search_symbols", ["query=Order", "limit=5"], "shop", True)
    found = parsed(parser_of("refactor"), ["plan", "--repo", "shop", "Order", "Purchase"])
    assert (found.name, found.to, found.repo) == ("Order", "Purchase", "shop")


def test_words_that_are_no_arguments_of_a_tool_are_wrong_usage(capsys: pytest.CaptureFixture[str]):
    assert main(["call", "search_symbols", '{"query"']) == 2
    assert capsys.readouterr().err.startswith("error: the arguments are no JSON object")


def test_a_coded_error_is_one_line_with_its_remedy(capsys: pytest.CaptureFixture[str]):
    def refuse(_arguments: argparse.Namespace) -> int:
        raise NotFound("there is\nno log", remedy="start it")

    assert guarded(refuse, argparse.Namespace()) == 1
    assert capsys.readouterr().err == "error: there is no log (start it)\n"


def test_a_reader_that_leaves_early_is_no_error():
    program = "import sys; from codeagentd.cli.main import main; sys.exit(main(['tools', '--json']))"
    done = subprocess.run(f'"{sys.executable}" -c "{program}" | true', shell=True, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""


def test_the_version_needs_no_heavy_module():
    program = "import sys; from codeagentd.cli.main import main; main(['version']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60).stdout.split()
    assert not {"rich", "zmq", "mcp", "apsw", "asyncio", "msgspec"} & set(loaded)
