"""The removal of everything of this program from a machine: clients' entries to the byte, services, daemons, indexes,
and the installation that setup made. What agents were told to keep stays, unless its removal is asked for.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import endpoint_at
from codeagent_protocol.errors import CodedError
from codeagentd.boot.index_ownership import recorded
from codeagentd.cli.commands.operations.service import uninstall as uninstall_service
from codeagentd.cli.commands.operations.stop import stop
from codeagentd.cli.commands.uninstall import edit_for
from codeagentd.cli.daemon_client.daemon_status import running_daemons
from codeagentd.cli.exit_codes import EXIT_FAILED, error_line
from codeagentd.cli.rendering.client_edits import Report, edited, system
from codeagentd.cli.rendering.console import count, fit
from codeagentd.cli.services.manager import manager_of
from codeagentd.clients import edit_log, safe_files
from codeagentd.clients.install import installations

from . import environment, setup_log

# what this program keeps in its cache, which may be a folder that others use too
CACHED: Final = ("worktrees", "repositories", "served", "models", "detectors", "cluster", "collected")
OF_A_DAEMON: Final = re.compile(r"(?:[a-z2-7]{16}|background)\..+")  # files in the directories for sockets and logs
# installations in the data directory that others have made, and how they go
OF_OTHERS: Final = {"npm": "remove that folder", "versions": "`sh install.sh --uninstall`"}
MEMORIES: Final = ("memory.db*", "memory.lock", "backups", "team-*")  # names in the data directory


def run(arguments: argparse.Namespace) -> int:
    """Remove everything, and print it. Returns the exit code."""
    reports, code = _clients(arguments)
    done: Report = {"clients": reports}
    errors: list[CodedError] = []
    done["services"] = list(_services(dry=arguments.dry_run, errors=errors))
    done["daemons"] = list(_daemons(dry=arguments.dry_run, errors=errors))
    is_safe = not (code or errors)  # else the log of edits and the program are still needed
    places = [*_cached(), *_of_daemons(), *(_memories() if arguments.memories else ())]
    done["removed"] = [str(place) for place in places] if is_safe else []
    if is_safe and not arguments.dry_run:
        for place in places:
            _remove(place)
    if is_safe:
        done["removed"] += _installation(dry=arguments.dry_run)
    done["installations"] = [str(place) for name in OF_OTHERS if (place := dirs.data_dir() / name).exists()]
    done["kept"] = [str(place) for place in _left_to_the_user()]
    code = code or (EXIT_FAILED if errors else 0)
    for error in errors:
        print(error_line(error), file=sys.stderr)
    print(
        json.dumps(done, indent=2, ensure_ascii=False)
        if arguments.json
        else "\n".join(fit(_lines(done, code, dry=arguments.dry_run)))
    )
    return code


def _clients(arguments: argparse.Namespace) -> tuple[list[Report], int]:
    """Take every entry out of the clients' files, of all projects and of single ones."""
    if not arguments.dry_run:
        for path in edit_log.load():
            safe_files.remove_unfinished(os.path.dirname(path))
    reports: list[Report] = []
    code = 0
    for of, scope in installations(system()):
        options = argparse.Namespace(**vars(arguments) | {"clients": [of.id]})
        some, failed = edited(options, edit_for(scope, dry_run=arguments.dry_run))
        reports += some
        code = max(code, failed)
    return reports, code


def _services(*, dry: bool, errors: list[CodedError]) -> Iterator[str]:
    """Remove the services of all repositories that have an index. Yields the paths of their files."""
    with contextlib.suppress(OSError):
        for folder in sorted((dirs.cache_dir() / "worktrees").iterdir()):
            if not (owner := recorded(folder)):
                continue
            try:
                manager = manager_of(endpoint_at(owner.root))
            except CodedError:  # no service manager is known here, or none for this repository
                continue
            try:
                yield from uninstall_service(manager, dry=dry)["removed"]
            except CodedError as error:
                errors.append(error)


def _daemons(*, dry: bool, errors: list[CodedError]) -> Iterator[str]:
    """Stop every daemon of this user. Yields their names."""
    for endpoint in running_daemons():
        try:
            if dry or stop(endpoint):
                owner = recorded(endpoint.index)
                yield owner.root if owner else endpoint.name
        except CodedError as error:
            errors.append(error)


def _cached() -> Iterable[Path]:
    return [place for name in CACHED if (place := dirs.cache_dir() / name).exists()]


def _of_daemons() -> Iterable[Path]:
    """The sockets, locks and logs of daemons."""
    for folder in (dirs.runtime_dir(), dirs.state_dir()):
        with contextlib.suppress(OSError):
            yield from [place for place in sorted(folder.iterdir()) if OF_A_DAEMON.fullmatch(place.name)]


def _memories() -> Iterable[Path]:
    return sorted({place for pattern in MEMORIES for place in dirs.data_dir().glob(pattern)})


def _installation(*, dry: bool) -> list[str]:
    """Remove the installation that setup made, its logs, and the folders that it made, as far as they are empty."""
    log = setup_log.load()
    files = [
        place for name in ("clients.json", "clients.lock", "setup.json") if (place := dirs.data_dir() / name).exists()
    ]
    if dry:
        return [*(log.links if log.environment is not None else ()), *map(str, files)]
    removed = environment.remove()
    safe_files.remove_unfinished(str(dirs.data_dir()))
    for place in files:
        _remove(place)
    own = [dirs.runtime_dir(), dirs.state_dir(), dirs.cache_dir(), dirs.data_dir()]
    for folder in [*map(str, own), *log.folders]:
        with contextlib.suppress(OSError):
            os.rmdir(folder)
    return [*removed, *map(str, files)]


def _left_to_the_user() -> Iterable[Path]:
    """What is the user's own, and stays."""
    settings = dirs.config_dir()
    return [*_memories(), *([settings] if settings.exists() else ())]


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)


def _lines(done: Report, code: int, *, dry: bool) -> list[str]:
    would = "would be " if dry else ""
    lines = [f"{would}removed {path}" for path in (*done["services"], *done["removed"])]
    if done["daemons"]:
        lines.append(f"{would}stopped: {count(len(done['daemons']), 'daemon')}")
    if copies := [item["backup"] for item in done["clients"] if item.get("backup")]:
        lines.append(f"copies of files that you had changed: {', '.join(copies)}")
    if done["kept"]:
        lines.append(f"kept, since it is yours: {', '.join(done['kept'])} (--memories removes memories too)")
    for place in done["installations"]:
        lines.append(f"kept, since setup did not make it: {place} ({OF_OTHERS[Path(place).name]})")
    if code:
        lines.append("something above was refused: the program and its log stay, so that this can be done again")
    elif not (lines or done["clients"]):
        lines.append("there is nothing of codeagentd to remove")
    return lines
