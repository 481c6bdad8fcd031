"""`codeagentd service`: installs a service of systemd's user manager or launchd that keeps the daemon of a repository
running.

It prints its changes, and `--uninstall` undoes exactly these.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shlex
import subprocess
from typing import Any, Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagentd.cli.daemon_client.daemon_status import status_of
from codeagentd.cli.other_programs import finished
from codeagentd.cli.rendering.console import plain
from codeagentd.cli.rendering.tables import table
from codeagentd.cli.repository_arguments import add_json, add_repo, endpoint_from
from codeagentd.cli.services.launchd import Launchd
from codeagentd.cli.services.manager import manager_of
from codeagentd.cli.services.owned_files import ABSENT, CURRENT, refuse_changed, remove, state, write
from codeagentd.cli.services.systemd import Systemd

VERBS: Final = ("install", "uninstall", "status")
COMMAND_S: Final = 90.0  # a service may wait for a daemon that finishes its work
EXIT_NOT_INSTALLED: Final = 3
Json = dict[str, Any]

EXAMPLES = """examples:
  codeagentd service install --dry-run     the files and commands, nothing is done
  codeagentd service install               this repository's daemon, kept by systemd or launchd
  codeagentd service status
  codeagentd service uninstall

Nobody needs a service: the first window starts the daemon. With one it is there from login on, is restarted when it \
hangs, and has limits.
Files that were edited, or are not of this command, are never touched. exit codes of status: 0 installed, 1 not as it \
should be, 3 not installed"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("what", metavar="VERB", choices=VERBS, help=", ".join(VERBS))
    add_repo(parser)
    add_json(parser)
    parser.add_argument("--dry-run", action="store_true", help="only print the files and the commands")


def run(arguments: argparse.Namespace) -> int:
    """Install, uninstall, or show the state of the service. Returns the exit code."""
    endpoint = endpoint_from(arguments)
    manager = manager_of(endpoint)
    if arguments.what == "status":
        return show(manager, endpoint, as_json=arguments.json)
    done = (install if arguments.what == "install" else uninstall)(manager, dry=arguments.dry_run)
    print(
        json.dumps(done, ensure_ascii=False) if arguments.json else "\n".join(change_lines(done, dry=arguments.dry_run))
    )
    return 0


def install(manager: Systemd | Launchd, *, dry: bool) -> Json:
    """Write the files of the service and have `manager` load them; with `dry` only return what would be done.

    Returns: {action, written: {path: text}, unchanged: [path], ran: [command], to_run: [command]}.
    """
    files = manager.files()
    refuse_changed(files, "written")
    outdated = {str(planned.path): planned.marked() for planned in files if state(planned) != CURRENT}
    unchanged = [str(planned.path) for planned in files if state(planned) == CURRENT]
    commands = manager.after_writing(changed=bool(outdated))
    if not dry:
        write(files)
    return {"action": "install", "written": outdated, "unchanged": unchanged} | _carried_out(manager, commands, dry=dry)


def uninstall(manager: Systemd | Launchd, *, dry: bool) -> Json:
    """End the service and remove its files; with `dry` only return what would be done.

    Returns: {action, removed: [path], ran: [command], to_run: [command]}.
    """
    files = [planned for planned in manager.to_remove() if state(planned) != ABSENT]
    refuse_changed(files, "removed")
    if not files:
        return {"action": "uninstall", "removed": [], "ran": [], "to_run": []}
    ended = _carried_out(manager, manager.before_removing(), dry=dry)
    removed = [planned.path for planned in files] if dry else [*remove(files, manager.base), *manager.clear()]
    forgotten = _carried_out(manager, manager.after_removing(), dry=dry)
    return {"action": "uninstall", "removed": list(map(str, removed))} | {
        key: ended[key] + forgotten[key] for key in ("ran", "to_run")
    }


def _carried_out(manager: Systemd | Launchd, commands: list[list[str]], *, dry: bool) -> Json:
    """Run the commands if the manager answers; else list them for the user to run."""
    lines = [shlex.join(command) for command in commands]
    if dry or not manager.answers():
        return {"ran": [], "to_run": lines}
    for command in commands:
        _run(command)
    return {"ran": lines, "to_run": []}


def _run(command: list[str]) -> None:
    try:
        done = finished(command, COMMAND_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineUnavailable(
            f"`{shlex.join(command)}` failed: {error}",
            remedy="run it yourself; `codeagentd service uninstall` undoes the rest",
        ) from error
    if done.returncode:
        words = plain(" ".join(done.stderr.split()))[:500] or f"exit code {done.returncode}"
        raise EngineUnavailable(
            f"`{shlex.join(command)}` failed: {words}",
            remedy="`codeagentd service status`; `codeagentd service uninstall` undoes the rest",
        )


def change_lines(done: Json, *, dry: bool) -> list[str]:
    """Return the changes in `done`, which were made, or with `dry` would be, line by line, with the texts of files that
    are only shown.
    """
    lines = []
    for path, text in done.get("written", {}).items():
        lines += [f"would write {path}:", *(f"  {line}" for line in text.splitlines())] if dry else [f"wrote {path}"]
    lines += [f"unchanged {path}" for path in done.get("unchanged", ())]
    lines += [f"{'would remove' if dry else 'removed'} {path}" for path in done.get("removed", ())]
    lines += [f"ran {command}" for command in done["ran"]]
    if done["to_run"]:
        lines += [
            "would run, where a user manager answers:" if dry else "no user manager answers here. Where one does, run:"
        ]
        lines += [f"  {command}" for command in done["to_run"]]
    return lines or ["not installed: nothing to remove"]


def show(manager: Systemd | Launchd, endpoint: Endpoint, *, as_json: bool) -> int:
    """Print the state of the service. Returns the exit code for that state."""
    files = {str(planned.path): state(planned) for planned in manager.files()}
    own = {str(planned.path) for planned in manager.to_remove()} if ABSENT in files.values() else set(files)
    is_absent = all(file_state == ABSENT for path, file_state in files.items() if path in own)
    report: Json = {
        "manager": manager.name,
        "installed": not is_absent,
        "answers": manager.answers(),
        "files": files,
        "units": manager.states(),
    }
    with contextlib.suppress(CodedError):
        report["daemon"] = {
            key: value for key, value in status_of(endpoint).items() if key in ("state", "pid", "version", "reason")
        }
    if as_json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        print("\n".join(_lines(report)))
    return EXIT_NOT_INSTALLED if is_absent else int(set(files.values()) != {CURRENT})


def _lines(report: Json) -> list[str]:
    heading = f"{report['manager']}: {'installed' if report['installed'] else 'not installed'}" + (
        "" if report["answers"] else "; no user manager answers here"
    )
    daemon = report.get("daemon", {})
    rows = [
        *report["files"].items(),
        *report["units"].items(),
        ("daemon", " ".join(str(daemon[key]) for key in ("state", "version") if daemon.get(key))),
    ]
    return [heading, *table([[plain(name), plain(state)] for name, state in rows])]
