"""Manual pages and completions of the programs, from the parsers that print their help."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import roff
import shtab
from archives import files_below, release_time, write_tar

from codeagent_protocol.version import __version__
from codeagent_shim.options import LSP, MCP, Program, option_rows
from codeagentd.cli.command_list import COMMANDS, GROUPS
from codeagentd.cli.commands.operations.completion import whole_parser
from codeagentd.cli.commands.operations.help import CLOSING, PURPOSE
from codeagentd.cli.main import parser_of

COMPLETIONS: Final = {
    "bash": "bash-completion/completions/codeagentd",
    "zsh": "zsh/site-functions/_codeagentd",
    "fish": "fish/vendor_completions.d/codeagentd.fish",
}  # where each shell looks, below share/


def build(sources: Path, out: Path) -> list[Path]:
    """Build the archive of all pages and completions, as they lie below /usr. Returns its path."""
    share = write(sources / "share")
    return [write_tar(out / f"codeagentd-manuals-{__version__}.tar.gz", files_below(share, "share/"))]


def write(share: Path) -> Path:
    """Write pages and completions below `share`. Returns `share`."""
    files = {f"man/man1/{name}.1": text for name, text in pages().items()}
    files |= {place: f"{shtab.complete(whole_parser(), shell)}\n" for shell, place in COMPLETIONS.items()}
    for place, text in files.items():
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        (share / place).write_text(text)
    return share


def pages() -> dict[str, str]:
    """Return the manual pages by the name of what they describe: the programs, and each command of codeagentd."""
    bodies = {"codeagentd": _overview()}
    bodies |= {f"codeagentd-{name}": _page_of_command(parser_of(name), name) for name in COMMANDS}
    bodies |= {program.name: _page_of_window(program) for program in (MCP, LSP)}
    day = datetime.fromtimestamp(release_time(), UTC).date()
    return {name: roff.page(name, day, f"codeagentd {__version__}", body) for name, body in bodies.items()}


def _overview() -> list[str]:
    lines = roff.head("codeagentd", PURPOSE, "codeagentd COMMAND [options]")
    lines += [*roff.section("commands"), *roff.text("Each has a page of its own, such as codeagentd-status(1).")]
    for title, group in GROUPS.items():
        lines += [*roff.subsection(title), *roff.definitions(group.items())]
    return [*lines, *roff.text(CLOSING)]


def _page_of_command(parser: argparse.ArgumentParser, name: str) -> list[str]:
    lines = [*roff.head(f"codeagentd-{name}", COMMANDS[name], _usage(parser)), *roff.section("options")]
    lines += roff.definitions(_rows(parser))
    for verb, meaning, of_verb in _verbs(parser):
        lines += [
            *roff.subsection(verb),
            *roff.text(f"{meaning}\n\n  {_usage(of_verb)}"),
            *roff.definitions(_rows(of_verb)),
        ]
    return [*lines, *roff.text(parser.epilog or "")]


def _page_of_window(program: Program) -> list[str]:
    lines = roff.head(program.name, program.purpose, f"{program.name} [options]")
    return [*lines, *roff.section("options"), *roff.definitions(option_rows(program))]


def _usage(parser: argparse.ArgumentParser) -> str:
    return " ".join(parser.format_usage().split()).removeprefix("usage: ")


def _rows(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """The arguments and options of a command, each as its help spells it, with its meaning."""
    formatter = parser._get_formatter()
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction) and action.help != argparse.SUPPRESS:
            yield formatter._format_action_invocation(action), formatter._expand_help(action)


def _verbs(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """The verbs of a command, each with its meaning and its own parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            meanings = {choice.dest: choice.help or "" for choice in action._choices_actions}
            yield from ((verb, meanings[verb], of_verb) for verb, of_verb in action.choices.items())
