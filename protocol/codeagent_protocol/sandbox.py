"""Detection of sandboxes that keep this process from reaching a daemon: they refuse local sockets, or leave no place to
put them.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Final

from .endpoint import Endpoint, endpoint_of
from .errors import EngineUnavailable
from .locks import is_seen
from .transport import HOST, TCP, Address, expected, for_windows

# the errors of a system call filter, a security profile, and a missing address family
REFUSALS: Final = (errno.EPERM, errno.EACCES, errno.EAFNOSUPPORT)

CONSEQUENCE: Final = "windows in here answer by themselves, and write nothing"
REMEDY: Final = (
    "use codeagentd from outside of this sandbox, or have it allow local sockets and a runtime directory "
    "that can be written"
)


def barrier(endpoint: Endpoint, *, connecting: bool = True) -> str:
    """Return the reason, in words, why a daemon can be neither reached nor started from this process; '' when nothing
    forbids it. `connecting`: also try to connect, which a daemon notices.
    """
    try:
        endpoint_of(endpoint.root)
    except EngineUnavailable as error:
        return error.message
    if not os.access(endpoint.runtime, os.W_OK) and not is_seen(endpoint.life_lock):
        return f"{endpoint.runtime} cannot be written"
    address = for_windows(endpoint)
    is_local = address and not address.port
    return refusal(address if connecting and not (is_local and expected() == TCP) else None)


def refusal(address: Address | None = None) -> str:
    """Return the reason why a socket cannot be created, or connected to `address`; '' if it can. A missing listener is
    no such reason.
    """
    # the socket module, which wraps this one, would cost a waiting window 5 ms and a megabyte; a window that finds its
    # daemon at once does not get here
    import _socket

    try:
        probe = _socket.socket(_family(address), _socket.SOCK_STREAM)
        try:
            probe.setblocking(False)
            if address:
                probe.connect((HOST, address.port) if address.port else address.path)
        finally:
            probe.close()
    except OSError as error:
        if error.errno in REFUSALS:
            return f"local sockets are refused ({os.strerror(error.errno)})"
    return ""


def _family(address: Address | None) -> int:
    import _socket

    if sys.platform != "win32" and not (address.port if address else expected() == TCP):
        return _socket.AF_UNIX
    return _socket.AF_INET
