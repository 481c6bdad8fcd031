"""`python -m codeagentd.boot.revision_build_process`: makes the index of one commit for `codeagentd serve`, at low
priority; the order comes on stdin, progress and result go to stdout.

The end of stdin ends the process: the server is gone, or does not want the index any more.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from codeagent_protocol import pipes
from codeagent_protocol.endpoint import endpoint_at
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagentd.base import failpoints
from codeagentd.base.log import open_log
from codeagentd.model.engine_status import IndexStatus, Progress
from codeagentd.model.revision_build import BuildDone, BuildFailed, BuildMessage, BuildOrder, BuildProgress, BuildUsable
from codeagentd.pipeline.engine.index_startup import Start
from codeagentd.pipeline.revisions.layout import INDEX, Layout, lay_out
from codeagentd.store.opening import own
from codeagentd.vcs.repository_source import Unusable, check_objects, source_at

from .composition import engine_of
from .facts_sharing import shared_facts
from .settings import load

NICENESS: Final = 10  # questions come first, and a client waits for the index
UMASK: Final = 0o077
DEADLINE_S: Final = 3_600.0  # seconds for one index; a first one of 80,000 files takes some minutes
STEP_S: Final = 1.0  # seconds between two checks whether text and graph are done
LAST_STEPS_S: Final = 600.0  # seconds for the text index and the analysis, each; answers do without them after that
PAUSE_S: Final = 0.05
CLOSE_S: Final = 60.0
MOST_OTHERS: Final = 4  # commits among which the nearest is looked for


def main() -> None:
    """Build what stdin orders, and send the result."""
    os.umask(UMASK)
    if sys.platform != "win32":
        os.nice(NICENESS)
    writing = os.dup(1)
    os.dup2(2, 1)  # stray prints are no messages
    open_log(None, "warning", terminal=True)
    failpoints.arm(os.environ)
    order = msgspec.msgpack.decode(pipes.receive(sys.stdin.buffer), type=BuildOrder)
    threading.Thread(target=_end_with_server, daemon=True).start()

    def send(message: BuildMessage) -> None:
        pipes.send(writing, msgspec.msgpack.encode(message))

    try:
        send(_Build(order, send).run())
    except Unusable as error:
        send(BuildFailed(f"this commit cannot be indexed: {error}", lasts=True))
    except CodedError as error:
        send(BuildFailed(error.message, error.remedy))
    except OSError as error:
        send(
            BuildFailed(f"the index cannot be written: {error.strerror}", "make room on the disk of the server's cache")
        )


def _end_with_server() -> None:
    while os.read(0, 1_024):
        pass
    os._exit(1)


class _Build:
    """The build of one index."""

    def __init__(self, order: BuildOrder, send: Callable[[BuildMessage], None]) -> None:
        self._order = order
        self._send = send
        self._place = Path(order.place)
        self._layout = Layout(self._place, order.name, order.commit)

    def run(self) -> BuildMessage:
        """Make the index. Errors: Unusable, engine_unavailable, OSError."""
        began = time.monotonic()
        source = source_at(Path(self._order.repository))
        if source is None:
            raise Unusable("there is no repository")
        check_objects(source)
        self._send(BuildProgress("files"))
        others = [Layout(Path(place), self._order.name, commit) for commit, place in self._order.others[:MOST_OTHERS]]
        # files that a build before this one has laid out stay: sessions may be reading them
        written, like = (0, None) if self._layout.is_laid_out else lay_out(self._layout, source, others)
        failpoints.point("serve.laid-out")
        status = self._index(like)
        return BuildDone(status.indexed_files, status.indexed_symbols, written, round(time.monotonic() - began, 3))

    def _index(self, like: Layout | None) -> IndexStatus:
        tree = str(self._layout.tree)
        siblings = (own(like.place / INDEX / "index.db", "index"),) if like else ()
        settings = load(tree, os.environ).settings
        most_bytes = settings.limits.max_index_bytes
        engine = engine_of(
            endpoint_at(tree), settings, self._place / INDEX, Path(self._order.blobs),
            use_watcher=False, start=Start(siblings, may_share=False),
            facts_source=shared_facts(endpoint_at(tree), settings, Path(self._order.blobs)),
        )  # fmt: skip
        engine.start()
        try:
            if not engine.wait_caught_up(DEADLINE_S, self._report):
                raise EngineUnavailable(f"the index was not done within {DEADLINE_S:g} s")
            self._send(BuildUsable())
            failpoints.point("serve.usable")
            # no text is added to an index that is too large
            if engine.status().database_bytes <= most_bytes:
                self._send(BuildProgress("text"))
                _await(lambda: engine.text_ready(STEP_S))
            self._send(BuildProgress("graph"))
            _await(lambda: engine.analysed(STEP_S, current=True))
            return engine.status()
        finally:
            engine.close(CLOSE_S)

    def _report(self, progress: Progress) -> None:
        self._send(BuildProgress(progress.phase, progress.done, progress.total))


def _await(is_done: Callable[[], bool]) -> None:
    """Wait for what is made after the index, but not for ever."""
    deadline = time.monotonic() + LAST_STEPS_S
    while not is_done() and time.monotonic() < deadline:
        time.sleep(PAUSE_S)


if __name__ == "__main__":
    main()
    sys.stderr.flush()
    os._exit(0)  # without waiting for the thread that reads stdin
