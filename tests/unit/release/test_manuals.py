"""Manual pages and completions: they have what the help has, and every reader of pages reads them."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from datetime import date
from pathlib import Path

import manuals
import pytest
import roff

from codeagentd.cli.command_list import COMMANDS
from codeagentd.cli.main import parser_of


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        return manuals.write(tmp_path_factory.mktemp("manuals") / "share")


def shown(page: Path) -> str:
    """A page as `man` shows it, without its line breaks."""
    if not shutil.which("man"):
        pytest.skip("no man here")
    environment = {
        "PATH": "/usr/bin:/bin",
        "MANWIDTH": "200",
        "LC_ALL": "C.UTF-8",
        "MAN_KEEP_FORMATTING": "",
        "PAGER": "cat",
    }
    done = subprocess.run(["man", "-l", str(page)], capture_output=True, text=True, check=True, env=environment)
    return " ".join(done.stdout.split())


def test_every_command_and_program_has_a_page(share: Path):
    names = {"codeagentd", "codeagent-mcp", "codeagent-lsp", *(f"codeagentd-{name}" for name in COMMANDS)}
    assert {path.name for path in (share / "man/man1").iterdir()} == {f"{name}.1" for name in names}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_has_every_option_of_its_command(share: Path, command: str):
    text = (share / f"man/man1/codeagentd-{command}.1").read_text().replace("\\-", "-")
    told = [action for action in parser_of(command)._actions if action.help != argparse.SUPPRESS]
    options = [option for action in told for option in action.option_strings]
    assert options
    assert [option for option in options if option not in text] == []
    assert ".SH EXAMPLES" in text


def test_a_page_reads_as_the_help_does(share: Path):
    text = shown(share / "man/man1/codeagentd-serve.1")
    assert "--http ADDRESS where to listen (127.0.0.1:8765)" in text
    assert "codeagentd serve users add ann --repositories 'team/*' print a new key, once" in text


def test_the_page_of_a_window_has_its_variables(share: Path):
    assert "[CODEAGENT_TOOLSETS]" in shown(share / "man/man1/codeagent-mcp.1")


@pytest.mark.skipif(not shutil.which("mandoc"), reason="no mandoc here")
def test_mandoc_finds_nothing_wrong(share: Path):
    pages = [str(path) for path in sorted((share / "man/man1").iterdir())]
    done = subprocess.run(["mandoc", "-Tlint", "-W", "warning", *pages], capture_output=True, text=True)
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_reads_its_completions(share: Path, shell: str):
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    done = subprocess.run([shell, "-n", str(share / manuals.COMPLETIONS[shell])], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("--wait", "\\-\\-wait"),
        ("a\\b", "a\\eb"),
        ("'x' `y` ~/z ^", "\\(aqx\\(aq \\(gay\\(ga \\(ti/z \\(ha"),
        ("a … b", "a \\[u2026] b"),
    ],
)
def test_characters_that_roff_reads_in_another_way_are_escaped(text: str, source: str):
    assert roff.escaped(text) == source


def test_a_line_that_begins_with_a_full_stop_is_text():
    assert roff.text(".git is a folder") == [".PP", "\\&.git is a folder"]


def test_examples_stand_as_they_are_and_sentences_are_filled():
    text = "examples:\n  run --all\n  run   x\n\nOne sentence.\n"
    assert roff.text(text) == [
        ".SH EXAMPLES", ".PP", ".EX", "\\&run \\-\\-all", "\\&run   x", ".EE", ".PP", "One sentence.",
    ]  # fmt: skip


def test_a_page_has_the_date_of_the_release():
    text = roff.page("x", date(2026, 1, 2), "product 1.0", [".SH NAME", ".PP", "x"])
    assert text == '.TH X 1 2026-01-02 "product 1.0"\n.SH NAME\nx\n'
