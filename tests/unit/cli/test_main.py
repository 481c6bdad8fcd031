"""How the command line begins and ends: choice of command, usage errors, coded errors, exit codes."""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys

import pytest

from codeagent_protocol.errors import InvalidParameter, NotFound
from codeagent_protocol.version import __version__
from codeagentd.cli.command_list import COMMANDS
from codeagentd.cli.main import guarded, main, parsed, parser_of
from tests.harness.world import BIN


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


@pytest.mark.parametrize("tool", ["list_tasks", "get_callers", "code.symbol.search"])
def test_the_name_of_a_tool_leads_to_its_call(tool: str, capsys: pytest.CaptureFixture[str]):
    assert main([tool, "x"]) == 2
    assert f"`codeagentd call {tool}` calls the tool of this name; see `codeagentd --help`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["serach", "x"], "search"),
        (["help", "stauts"], "stats"),
        (["install", "claude"], "claude-code"),
        (["install", "codex", "claude", "--command", "/nowhere/codeagent-mcp"], "claude-code"),
        (["tools", "--toolsets", "symbls"], "symbols"),
    ],
)
def test_what_is_misspelled_is_wrong_usage_and_told_what_it_may_mean(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
):
    assert main(words) == 2
    assert f"(did you mean '{meant}'" in capsys.readouterr().err


def test_a_misspelled_client_is_told_before_a_program_that_does_not_last(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("codeagentd.clients.program_path._PASSING", (str(BIN.parent),))  # as of a temporary checkout
    assert main(["install", "claude-code", "--dry-run"]) == 1
    assert "does not last" in capsys.readouterr().err
    assert main(["install", "claude"]) == 2
    assert "(did you mean 'claude-code'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["status", "--jsn"], "--json"),
        (["tools", "--tooset", "symbols"], "--toolsets"),
        (["impact", "x", "--direction", "dwn"], "down"),
        (["memory", "lst"], "list"),
        (["refactor", "verfy"], "verify"),
        (["service", "instal"], "install"),
        (["config", "pth"], "path"),
    ],
)
def test_a_misspelled_option_value_or_verb_is_told_what_it_may_mean(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
):
    assert main(words) == 2
    assert f"did you mean '{meant}'" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["help", "stop"], ["stop", "--help"]])
def test_the_help_of_a_command_is_printed_either_way(words: list[str], capsys: pytest.CaptureFixture[str]):
    with contextlib.suppress(SystemExit):
        assert main(words) == 0
    assert capsys.readouterr().out.startswith("usage: codeagentd stop ")


@pytest.mark.parametrize("name", ["memory", "refactor"])
def test_a_command_with_verbs_prints_its_help_where_none_is_given(name: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        main([name])
    assert caught.value.code == 2
    assert "examples:" in capsys.readouterr().err


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_the_terminal_and_breaks_lines_between_words(
    name: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("COLUMNS", str(width))
    assert main(["help", name] if name else ["help"]) == 0
    shown = capsys.readouterr().out
    wide = [line for line in shown.splitlines() if len(line) > min(width, 100)]
    assert not [line for line in wide if len(line.split()) > 2], "but for a word that is longer itself"
    assert not name or set((parser_of(name).epilog or "").split()) <= set(shown.split())


def test_an_error_about_a_parameter_is_wrong_usage_but_an_ambiguous_name_is_an_answer():
    def refuse(**facts: object) -> int:
        def run(_arguments: argparse.Namespace) -> int:
            raise InvalidParameter("no", **facts)

        return guarded(run, argparse.Namespace())

    assert (refuse(parameter="limit"), refuse(parameter="symbol", candidates=[]), refuse()) == (2, 1, 1)


def test_the_package_runs_as_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "codeagentd", "version"], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout.split()[:2]) == (0, ["codeagentd", __version__])


def test_an_unknown_option_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str]):
    assert main(["version", "--nonsense"]) == 2
    assert capsys.readouterr().err == "error: unrecognized arguments: --nonsense (see `codeagentd version --help`)\n"


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense", "--json"],
        ["version", "--json", "--nonsense"],
        ["query", "--json"],
        ["status", "--json", "--repo", "/nowhere/at/all"],
        ["call", "search_symbols", "compute"],
    ],
)
def test_an_error_is_an_object_on_stdout_where_json_is_asked_for(words: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(words) == 2
    printed = capsys.readouterr()
    error = json.loads(printed.out)["error"]
    assert error["code"] == "invalid_parameter"
    assert printed.err == f"error: {error['message']} ({error['remedy']})\n"


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {"call", "completion", "lsp", "mcp", "run"}))
def test_every_command_that_prints_takes_json(name: str):
    parser = parser_of(name)
    verbs = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    printing = list(verbs[0].values()) if verbs else [parser]
    assert [one.prog for one in printing if "--json" not in one._option_string_actions] == []


def test_help_is_printed_as_json(capsys: pytest.CaptureFixture[str]):
    assert main(["help", "--json"]) == 0
    assert {name for group in json.loads(capsys.readouterr().out)["commands"].values() for name in group} == {*COMMANDS}
    assert main(["help", "stop", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["help"].startswith("usage: codeagentd stop ")


def test_a_parameter_that_is_written_as_an_option_is_told_how_to_write_it(capsys: pytest.CaptureFixture[str]):
    assert main(["call", "get_callers", "--node_id", "x"]) == 2
    assert "(write parameters of the tool as name=value; see" in capsys.readouterr().err


def test_options_may_stand_between_the_other_words():
    found = parsed(parser_of("call"), ["search_symbols", "--repo", "shop", "query=Order", "--compact", "limit=5"])
    assert (found.tool, found.arguments, found.repo, found.compact) == (
        "search_symbols",
        ["query=Order", "limit=5"],
        "shop",
        True,
    )
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


@pytest.mark.parametrize("words", [["tools", "--json"], ["--help"], ["affected", "--help"], ["help", "call"]])
def test_a_reader_that_leaves_early_is_no_error(words: list[str]):
    program = f"import sys, time; time.sleep(0.3); from codeagentd.cli.main import main; sys.exit(main({words}))"
    done = subprocess.run(
        f'"{sys.executable}" -c "{program}" | true', shell=True, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""


def test_the_version_needs_no_heavy_module():
    program = "import sys; from codeagentd.cli.main import main; main(['version']); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()
    assert not {"zmq", "mcp", "apsw", "asyncio", "msgspec"} & set(loaded)
