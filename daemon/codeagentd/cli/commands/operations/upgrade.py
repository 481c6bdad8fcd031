"""`codeagentd upgrade`: brings this program to the newest version, or to one that is named, in the way in which it was
installed, and has the running daemons taken over. Open windows stay.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from codeagent_protocol import dirs
from codeagent_protocol.errors import EngineUnavailable, InvalidParameter
from codeagent_protocol.version import __version__, version_of
from codeagentd.cli.daemon_client.takeover import TakenOver, take_over_all
from codeagentd.cli.exit_codes import EXIT_FAILED
from codeagentd.cli.other_programs import finished
from codeagentd.cli.rendering.console import fit
from codeagentd.cli.repository_arguments import add_json
from codeagentd.cli.setup.environment import (
    INSTALL_S,
    install_command,
    requirement_of,
    run_installer,
    uv_program,
    version_in,
)
from codeagentd.cli.setup.origin import Origin, origin_of
from codeagentd.clients.program_path import running

from .stop import stop

Json = dict[str, Any]
VERSION: Final = re.compile(r"\d+(\.\d+)*([a-z.+-][0-9A-Za-z.+-]*)?")
_OFFERED: Final = re.compile(r"\bcodeagentd(?:-|==)(\d[0-9A-Za-z.]*)")  # in what pip and uv say that they would install

EXAMPLES = """examples:
  codeagentd upgrade             to the newest version
  codeagentd upgrade --check     is there a newer one? asks the index, and changes nothing
  codeagentd upgrade --to 0.1.0  this version, older or newer
  codeagentd upgrade --daemons   only have running daemons taken over by the version that is installed

Nothing is asked of the index but by this command. Daemons go on answering while the newer version prepares its index. \
exit codes: 0 fine, 1 not upgraded"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--to", metavar="X.Y.Z", default="", help="this version (default: the newest)")
    chosen.add_argument("--check", action="store_true", help="only ask the index whether there is a newer version")
    chosen.add_argument("--daemons", action="store_true", help="only have this version take over from running daemons")
    parser.add_argument("--yes", action="store_true", help="do not ask before a downgrade")
    parser.add_argument("--dry-run", action="store_true", help="change nothing and ask nobody; print what would be run")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Upgrade. Returns the exit code."""
    if arguments.daemons:
        return _report(arguments, {"version": __version__}, list(_taken_over(arguments)))
    if arguments.to and not VERSION.fullmatch(arguments.to):
        raise InvalidParameter(f"{arguments.to!r} is no version", remedy="write it as 0.1.0", parameter="to")
    origin = origin_of(requirement_of(arguments.to))
    report: Json = {"version": __version__, "installed_by": origin.kind, "command": list(origin.command)}
    if arguments.dry_run:
        return _show(arguments, report, _planned(origin, arguments.to))
    if arguments.check:
        newest = newest_version()
        return _show(arguments, report | {"newest": newest}, _checked(origin, newest))
    if not origin.command:
        return _show(arguments, report | {"advice": origin.advice}, [_advice(origin)], EXIT_FAILED)
    target = arguments.to or newest_version()
    if target == __version__:
        return _report(arguments, report | {"now": target}, list(_taken_over(arguments)))
    if version_of(target) < version_of(__version__):
        _confirm_downgrade(arguments, target)
    return _upgraded(arguments, report, origin, target)


def newest_version() -> str:
    """Return the newest version that the index has, at least this one. Errors: engine_unavailable when it cannot be
    asked.
    """
    # pip would be content with what is installed when no index answers
    news = "--upgrade" if uv_program() else "--ignore-installed"
    command = install_command(sys.executable, requirement_of(""), news, "--dry-run", "--no-deps")
    try:
        done = finished(command, INSTALL_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineUnavailable(
            f"`{shlex.join(command)}` failed: {error}", remedy="name a version with --to"
        ) from error
    if done.returncode:
        words = " ".join(done.stderr.split())[-400:]
        raise EngineUnavailable(
            f"the index cannot be asked: {words}", remedy="look at the network, or name a version with --to"
        )
    offered: list[str] = _OFFERED.findall(
        "\n".join(line for line in (done.stdout + done.stderr).splitlines() if _is_news(line))
    )
    return max([__version__, *offered], key=version_of)


def _is_news(line: str) -> bool:
    """Whether a line names what would be installed, and not what is there or is removed."""
    return line.lstrip().startswith(("Would install", "+"))


def _upgraded(arguments: argparse.Namespace, report: Json, origin: Origin, target: str) -> int:
    """Install the version, and have it take over. Returns the exit code."""
    if not arguments.json:
        print(f"{__version__} -> {target}: {shlex.join(origin.command)}", flush=True)
    run_installer(origin.command, quiet=arguments.json or not sys.stderr.isatty())
    program = Path(running()).with_name("codeagentd.exe" if sys.platform == "win32" else "codeagentd")
    now = version_in(str(program))
    if not now or (arguments.to and now != target):
        raise EngineUnavailable(
            f"{program} is version {now or 'unknown'} after the upgrade",
            remedy=f"run `{shlex.join(origin.command)}` yourself",
        )
    go_on = [str(program), "upgrade", "--daemons", *(["--json"] if arguments.json else [])]
    done = subprocess.run(go_on, stdout=subprocess.PIPE if arguments.json else None, text=True, check=False)
    if arguments.json:
        daemons = json.loads(done.stdout or "{}").get("daemons", [])
        print(json.dumps(report | {"now": now, "daemons": daemons}, indent=2, ensure_ascii=False))
    return done.returncode


def _taken_over(arguments: argparse.Namespace) -> list[TakenOver]:
    """Have this version take over from every daemon that runs, and print what becomes of each."""
    done = []
    for daemon in take_over_all(lambda endpoint: stop(endpoint, "restart")):
        done.append(daemon)
        if not arguments.json:
            state = daemon.error or (
                f"{daemon.before} -> {daemon.now}" if daemon.before != daemon.now else "is this version"
            )
            print(f"daemon of {daemon.repo}: {state}", flush=True)
    return done


def _report(arguments: argparse.Namespace, report: Json, daemons: list[TakenOver]) -> int:
    lines = [f"codeagentd {__version__} is installed"]
    code = EXIT_FAILED if any(daemon.now != __version__ for daemon in daemons) else 0
    return _show(arguments, report | {"daemons": msgspec.to_builtins(daemons)}, lines, code)


def _show(arguments: argparse.Namespace, report: Json, lines: list[str], code: int = 0) -> int:
    print(json.dumps(report, indent=2, ensure_ascii=False) if arguments.json else "\n".join(fit(lines)))
    return code


def _advice(origin: Origin) -> str:
    return f"installed by {origin.kind}: {origin.advice}; then `codeagentd upgrade --daemons`"


def _planned(origin: Origin, target: str) -> list[str]:
    if not origin.command:
        return [_advice(origin)]
    return [
        f"installed by {origin.kind}, version {__version__}; to {target or 'the newest version'}, this would run:",
        f"  {shlex.join(origin.command)}",
        "and the new version would then take over from running daemons",
    ]


def _checked(origin: Origin, newest: str) -> list[str]:
    if newest == __version__:
        return [f"codeagentd {__version__} is the newest version"]
    how = "`codeagentd upgrade` installs it" if origin.command else _advice(origin)
    return [f"codeagentd {newest} is there; this is {__version__}", how]


def _confirm_downgrade(arguments: argparse.Namespace, target: str) -> None:
    """Say what a downgrade means, and ask. Errors: invalid_parameter where the user says no, or cannot be asked."""
    memories = dirs.data_dir() / "memory.db"
    lines = [
        f"{target} is older than {__version__}:",
        "  indexes: where the older version cannot read one, it makes its own beside it (index.vN.db); both stay",
        f"  memories: where {__version__} has changed the form of {memories}, the older version leaves it alone",
        "    and agents cannot use it; `codeagentd memory restore` brings back the copy from before that change",
        "  daemons are restarted; open windows stay, and go on with the newer code until they are closed",
    ]
    print("\n".join(fit(lines, sys.stderr)), file=sys.stderr, flush=True)
    if arguments.yes:
        return
    if not sys.stdin.isatty():
        raise InvalidParameter("nobody can be asked here", remedy="pass --yes to downgrade", parameter="to")
    print("Downgrade? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise InvalidParameter("nothing was changed", remedy="answer y to downgrade", parameter="to")
