"""`codeagentd support`: writes the facts that a maintainer needs into one file: no source, no names of files in the
repository, no secrets.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any, Final

from codeagent_protocol.dirs import home
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import InvalidParameter
from codeagent_protocol.version import PROTOCOL, __version__
from codeagentd.boot.settings import load
from codeagentd.cli.daemon_client.daemon_status import status_of
from codeagentd.cli.rendering.console import size
from codeagentd.cli.repository_arguments import add_json, add_repo, endpoint_from

from . import doctor
from .config import as_json

LOG_BYTES: Final = 1_000_000  # from the end of each log
PRIVATE: Final = 0o600

EXAMPLES = """examples:
  codeagentd support
  codeagentd support --output /tmp/for-the-maintainers.zip

Without --output it is a new file among the temporary ones, not in the repository, where it would soon be committed. \
It holds status, doctor, versions,
settings and the end of the logs. Lists of files are counts, the repository's and the home directory's paths are \
replaced. Look through it before you
send it."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    add_json(parser)
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="the file to write; one that exists is left alone (default: a new one among the temporary files)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the bundle, and return the exit code. Errors: invalid_parameter when the file exists or cannot be
    written.
    """
    endpoint = endpoint_from(arguments)
    file, name = _new(arguments.output)
    with open(file, "wb") as target, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        fill(bundle, endpoint, arguments)
        members: list[dict[str, Any]] = [{"name": part.filename, "bytes": part.file_size} for part in bundle.infolist()]
    if arguments.json:
        print(json.dumps({"file": name, "parts": members}, indent=2, ensure_ascii=False))
        return 0
    print(name)
    print(
        "it holds "
        + ", ".join(f"{part['name']} ({size(part['bytes'])})" for part in members)
        + "; look through it before you send it",
        file=sys.stderr,
    )
    return 0


def _new(requested: str | None) -> tuple[int, str]:
    try:
        if not requested:
            # readable for this user only
            return tempfile.mkstemp(".zip", time.strftime("codeagentd-support-%Y%m%d-%H%M%S-"))
        return os.open(requested, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), requested
    except OSError as error:
        raise InvalidParameter(
            f"{requested or 'a temporary file'} cannot be made: {error.strerror}",
            remedy="pass --output with another file",
        ) from None


def fill(bundle: zipfile.ZipFile, endpoint: Endpoint, arguments: argparse.Namespace) -> None:
    """Write every part of the report into `bundle`, with paths and secrets removed."""
    clean = Cleaner(endpoint)
    for name, value in parts(endpoint, arguments).items():
        bundle.writestr(f"{name}.json", clean.text(json.dumps(value, ensure_ascii=False, indent=2)))
    for log in (Path(endpoint.log), Path(endpoint.start_log)):
        if log.exists():
            bundle.writestr(
                log.name.replace(endpoint.name, "daemon"),
                clean.text(log.read_bytes()[-LOG_BYTES:].decode(errors="replace")),
            )


def parts(endpoint: Endpoint, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the parts of the report, by name."""
    settings = as_json(load(endpoint.root, os.environ))
    settings["settings"].pop("api_key", None)
    return {
        "versions": {
            "version": __version__,
            "protocol": PROTOCOL,
            "python": platform.python_version(),
            "system": platform.platform(),
        },
        "status": counted(status_of(endpoint)),
        "doctor": [finding.as_json() for finding in doctor.examine(arguments)],
        "settings": settings,
    }


def counted(fields: dict[str, Any]) -> dict[str, Any]:
    """Return `fields`, a status, with the number of failed and unread files in place of their lists."""
    lists = ("failed_files", "unread_files")
    return fields | {name: len(fields[name]) for name in lists if name in fields}


class Cleaner:
    """Removes the user's paths from texts."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._names = ((endpoint.root, "<repository>"), (home(), "~"))

    def text(self, text: str) -> str:
        """Return `text` without the path of the repository and of the home directory."""
        for name, stand_in in self._names:
            if len(name) > 1:
                text = text.replace(name, stand_in)
        return text
