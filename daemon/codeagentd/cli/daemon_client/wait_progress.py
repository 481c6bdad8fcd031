"""A progress bar on a terminal while a command waits for the daemon's answer, once the wait is noticeable."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import msgspec

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.status import Status
from codeagentd.boot.control_client import NotAnswering, NotRunning, ask
from codeagentd.cli.rendering.console import is_terminal

NOTICEABLE_S: Final = 0.7  # seconds; during a shorter wait nothing is shown
LOOK_S: Final = 0.2  # between two reads of the daemon's progress
IDLE: Final = "idle"


@contextmanager
def shown_progress(endpoint: Endpoint) -> Iterator[None]:
    """Show the daemon's progress on stderr while the context lasts; nothing if stderr is no terminal."""
    if not is_terminal(sys.stderr):
        yield
        return
    done = threading.Event()
    watcher = threading.Thread(target=_show, args=(endpoint, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _show(endpoint: Endpoint, done: threading.Event) -> None:
    if done.wait(NOTICEABLE_S):
        return
    from codeagentd.cli.rendering.progress_bar import bar

    with bar() as shown:
        while not done.wait(LOOK_S):
            with suppress(NotRunning, NotAnswering, msgspec.MsgspecError):
                progress = msgspec.json.decode(ask(endpoint, "status", {}).payload, type=Status).progress
                phase = "waiting" if progress.phase == IDLE else progress.phase
                shown.update(phase, progress.done, progress.total, progress.rate)
