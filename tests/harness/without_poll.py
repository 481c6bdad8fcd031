"""`python tests/harness/without_poll.py OPTIONS…`: the real shim as it is on Windows, as far as another system can: it polls sockets only, knows no pidfds, and
has no local sockets to look for.
"""

from __future__ import annotations

import sys

from codeagent_protocol import processes, streams, transport
from codeagent_protocol.socket_pipes import Incoming, Outgoing
from codeagent_shim.main import main

if __name__ == "__main__":
    streams.reading, streams.writing = Incoming, Outgoing
    transport.default = lambda: transport.TCP
    processes._pidfd = lambda pid: -1
    sys.exit(main())
