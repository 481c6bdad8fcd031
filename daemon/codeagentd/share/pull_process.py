"""The process that pulls: `python -m codeagentd.share.pull_process`, a request on stdin, messages on stdout.

It is a process of its own, because a store may hang, and because what comes from it is not trusted.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Final

import msgspec

from codeagent_protocol import pipes
from codeagent_protocol.errors import CodedError
from codeagentd.base.host_load import lower_priority

from .pull import Pull
from .pull_messages import Ended, FactsAreThere, PullMessage, PullProgress, PullReport, PullRequest, encoder

NICENESS: Final = 5  # as the workers have: the first index waits for it


def _send(message: PullMessage) -> None:
    pipes.send(1, encoder.encode(message))


def run(request: PullRequest) -> PullReport:
    """Pull what `request` says, and report the steps on stdout. Returns the report."""
    pull = None
    try:
        pull = Pull(request, lambda _phase, done, total: _send(PullProgress(done, total)))
        pull.facts()
        _send(FactsAreThere(pull.report))
        lower_priority()
        pull.vectors()
    except CodedError as error:
        if pull is None:
            return PullReport(request.url, trouble=error.message, remedy=error.remedy)
        return pull.end(error)
    finally:
        if pull is not None:
            pull.close()
    return pull.end()


def main() -> None:
    """Read one request from stdin, and carry it out."""
    if sys.platform != "win32":
        os.nice(NICENESS)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # an ignored one would be inherited
    request = msgspec.msgpack.decode(pipes.receive(sys.stdin.buffer), type=PullRequest)
    _send(Ended(run(request)))


if __name__ == "__main__":
    main()
