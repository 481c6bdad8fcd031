"""The status of a daemon: its own answer, or what can be found out without one; and the list of this user's daemons."""

from __future__ import annotations

import os

import msgspec

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.locks import is_held
from codeagent_protocol.status import Status
from codeagent_protocol.version import __version__, version_of

from .client import EXIT_NOT_ANSWERING, EXIT_NOT_RUNNING, DaemonMissing, DaemonSilent, Json, question
from .unreachable import unreachable_status

ANSWER_S = 0.6  # seconds, so that `codeagentd status` takes less than a second in all
HEALTHY = ("ready", "indexing", "starting")
EXIT_DEGRADED = 1
LIFE = ".life"


def typed(fields: Json) -> Status:
    """Return the status of the JSON `fields`, as far as this version knows them."""
    return msgspec.convert(fields, Status)


def status_of(endpoint: Endpoint) -> Json:
    """Return the status that the daemon answers with; without an answer, a status from the files that it left."""
    try:
        fields = question(endpoint, "status", timeout_s=ANSWER_S)
    except (DaemonMissing, DaemonSilent):
        return unreachable_status(endpoint, ANSWER_S)
    fields.setdefault("repo", endpoint.root)
    return fields if fields.get("reason") else fields | _of_another_version(str(fields.get("version", "")))


def _of_another_version(version: str) -> Json:
    """The status of a daemon that is of an older or newer version than this command."""
    if version in ("", __version__):
        return {}
    is_older = version_of(version) < version_of(__version__)
    remedy = (
        "`codeagentd upgrade --daemons`; a window of the newer version does it by itself"
        if is_older
        else "use the command of that version"
    )
    return {"reason": f"the daemon is version {version}, this command {__version__}", "remedy": remedy}


def running_daemons() -> list[Endpoint]:
    """Return the endpoints whose life lock is held. The lock file contains no path, so each daemon is asked for its
    repository.

    Errors: engine_unavailable when the runtime directory cannot be read.
    """
    runtime = dirs.runtime_path()
    try:
        names = sorted(os.listdir(runtime))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise EngineUnavailable(
            f"{runtime} cannot be used: {error.strerror}", remedy="set CODEAGENT_RUNTIME_DIR to a directory of your own"
        ) from error
    locked = [name for name in names if name.endswith(LIFE) and is_held(os.path.join(runtime, name))]
    return [Endpoint("", name.removesuffix(LIFE), runtime) for name in locked]


def exit_code(fields: Json) -> int:
    """Return the exit code for the status `fields`: 0 healthy, 1 degraded or leaving, 3 not running, 4 not
    answering.
    """
    state = fields.get("state")
    if state in HEALTHY:
        return 0
    return {"not_running": EXIT_NOT_RUNNING, "not_answering": EXIT_NOT_ANSWERING}.get(str(state), EXIT_DEGRADED)
