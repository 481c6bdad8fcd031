"""The options of the two commands of a window: flags, each also as a CODEAGENT_* variable; a flag overrides its
variable.

This does not use argparse: its import takes a noticeable part of a window's start, and eight flags need only a page of
code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple


class UsageError(Exception):
    """Raised when the command line or a variable cannot be understood."""


class Options(NamedTuple):
    """One window's options. `repo` is the value of the flag, `repo_variable` that of the variable: an error message
    names the one that was used.
    """

    repo: str = ""
    toolsets: str = ""
    tools: str = ""
    exclude_tools: str = ""
    read_only: bool = False
    allow_exec: bool = False
    tool_names: str = ""
    rows: str = ""
    repo_variable: str = ""
    wants_help: bool = False
    wants_version: bool = False


_TEXT: Final = {
    "repo": ("PATH", "the repository; a path inside a git work tree means all of it"),
    "toolsets": ("NAMES", "comma-separated toolsets to offer, or `default` or `all`"),
    "tools": ("NAMES", "comma-separated tools to offer besides the toolsets"),
    "exclude_tools": ("NAMES", "comma-separated tools not to offer"),
    "tool_names": ("STYLE", "dotted or underscore: some clients refuse dots in names"),
    "rows": ("FORM", "compact or full: answers for a model, or for a program (all tools: full)"),
}
_SWITCHES: Final = {
    "read_only": "offer no tool that changes anything",
    "allow_exec": "offer the tools that run commands",
}
NUDGE: Final = "--nudge"  # the only argument, as clients' hooks pass it

_IGNORED: Final = {
    "--stdio": False,  # clients of LSP name the way of their messages; there is only this one
    "--clientProcessId": True,  # LSP: the value is that of `processId` in `initialize`
}


class Program(NamedTuple):
    """A command of a window: its name, its options, what it is for, and further rows of its help. `ignored`: flags that
    clients pass and that change nothing, each with whether a value follows.
    """

    name: str
    options: tuple[str, ...]
    purpose: str
    rows: tuple[tuple[str, str], ...] = ()
    ignored: Mapping[str, bool] = {}


MCP: Final = Program(
    "codeagent-mcp",
    (*_TEXT, *_SWITCHES),
    "Carries MCP between a client on stdin and stdout and the daemon of one repository, which it starts when needed.",
    ((NUDGE, "for hooks: say that there is an index, when a daemon serves it"),),
)
LSP: Final = Program(
    "codeagent-lsp",
    ("repo",),
    "Carries LSP between an editor on stdin and stdout and the daemons of the repositories that the editor has open, "
    "which\nit starts when needed. Without --repo these are the folders that the editor names, else the current "
    "directory's.",
    (("--stdio", "accepted, as editors pass it"),),
    _IGNORED,
)

_CHOICES: Final = {"tool_names": ("dotted", "underscore"), "rows": ("compact", "full")}
_YES: Final = ("1", "true", "yes", "on")
_NO: Final = ("0", "false", "no", "off", "")


def parse(arguments: Sequence[str], variables: Mapping[str, str], program: Program = MCP) -> Options:
    """Return the options of `program` from the command line and the environment.

    Errors: UsageError.
    """
    values: dict[str, str | bool] = {}
    for name in program.options:
        value = variables.get(_variable(name))
        if value is not None:
            values["repo_variable" if name == "repo" else name] = _checked(name, value, _variable(name))
    rest = list(arguments)
    while rest:
        values |= _flag(rest, program)
    return Options(**values)  # type: ignore[arg-type]  # _checked gives each name its own type


def option_rows(program: Program) -> list[tuple[str, str]]:
    """Return the options of `program` as its help spells them, each with its meaning and its variable."""
    described = [(f"{_spelled(name)} {placeholder}", text, name) for name, (placeholder, text) in _TEXT.items()]
    described += [(_spelled(name), text, name) for name, text in _SWITCHES.items()]
    rows = [(left, f"{text} [{_variable(name)}]") for left, text, name in described if name in program.options]
    return [*rows, *program.rows, ("--version", "print the version"), ("--help", "print this text")]


def usage(program: Program = MCP) -> str:
    """Return the text of --help of `program`."""
    lines = [f"  {left:<24} {text}" for left, text in option_rows(program)]
    return "\n".join([f"usage: {program.name} [options]\n\n{program.purpose}\n", *lines])


def _flag(rest: list[str], program: Program) -> dict[str, str | bool]:
    """Take one flag and its value off the command line."""
    flag, has_value, value = rest.pop(0).partition("=")
    if flag in ("--help", "-h", "--version"):
        return {"wants_version" if flag == "--version" else "wants_help": True}
    if flag in program.ignored:
        del rest[: program.ignored[flag] and not has_value]
        return {}
    name = flag[2:].replace("-", "_") if flag.startswith("--") else ""
    if flag != _spelled(name) or name not in program.options:
        raise UsageError(f"unknown argument {flag}")
    if not has_value and name in _SWITCHES:
        return {name: True}
    if not has_value:
        if not rest:
            raise UsageError(f"{flag} needs a value")
        value = rest.pop(0)
    return {name: _checked(name, value, flag)}


def _checked(name: str, value: str, named_by: str) -> str | bool:
    if name in _SWITCHES:
        if value.lower() not in _YES + _NO:
            raise UsageError(f"{named_by} is yes or no, not {value!r}")
        return value.lower() in _YES
    choices = _CHOICES.get(name)
    if choices and value and value not in choices:
        raise UsageError(f"{named_by} is {' or '.join(choices)}, not {value!r}")
    return value


def _spelled(name: str) -> str:
    return "--" + name.replace("_", "-")


def _variable(name: str) -> str:
    return "CODEAGENT_" + name.upper()
