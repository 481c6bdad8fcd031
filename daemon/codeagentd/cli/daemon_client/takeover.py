"""The take-over of running daemons by this version: an older one goes on answering until its successor is ready, and a
newer one, after a downgrade, is restarted. Windows stay connected.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from codeagent_protocol.endpoint import Endpoint, endpoint_at
from codeagent_protocol.errors import CodedError
from codeagent_protocol.launch import Launch, serves_older
from codeagent_protocol.locks import holder_line
from codeagent_protocol.services import start_command
from codeagent_protocol.version import __version__
from codeagentd.boot.index_ownership import recorded

from .daemon_status import running_daemons
from .launch import ensure_running

PREPARING_S: Final = 300.0  # seconds that are waited for a successor, which may have a large index to bring up to date
LOOK_S: Final = 0.05


class TakenOver(msgspec.Struct, frozen=True):
    """A daemon and what became of it: `repo`; `before`, its version; `now`: the version that serves; `error`: what went
    wrong, "" for nothing.
    """

    repo: str
    before: str
    now: str
    error: str = ""


def take_over_all(restart: Callable[[Endpoint], object]) -> Iterator[TakenOver]:
    """Have this version serve every repository of which a daemon of this user runs, one after the other. `restart` ends
    a daemon that nothing takes over from.
    """
    for running in running_daemons():
        owner = recorded(running.index)
        endpoint = endpoint_at(owner.root) if owner else running
        before = version_at(endpoint)
        try:
            if owner and before != __version__:
                _take_over(endpoint, restart)
            error = "" if owner else "its repository is not known; a window of this version takes over"
        except CodedError as failure:
            error = f"{failure.message} ({failure.remedy})"
        yield TakenOver(endpoint.root or endpoint.name, before, version_at(endpoint), error)


def version_at(endpoint: Endpoint) -> str:
    """Return the version of the daemon that holds the life lock; "" for none."""
    return holder_line(endpoint.life_lock).partition(" ")[2]


def _take_over(endpoint: Endpoint, restart: Callable[[Endpoint], object]) -> None:
    if not serves_older(endpoint) or start_command(endpoint):  # a service manager starts the program that is there now
        restart(endpoint)
        ensure_running(endpoint)
        return
    Launch(endpoint).start_successor()
    deadline = time.monotonic() + PREPARING_S
    while version_at(endpoint) != __version__ and time.monotonic() < deadline:
        time.sleep(LOOK_S)
    ensure_running(endpoint)
