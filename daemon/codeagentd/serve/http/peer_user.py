"""The user whose process is at the other end of a TCP connection within this machine, as the Linux kernel tells it."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import struct
import sys
from pathlib import Path
from typing import Final

Peer = tuple[str, int]  # IP address and port

PATIENCE_S: Final = 1.0  # seconds for the kernel's answer, which takes some microseconds
ROOT: Final = 0

# linux/netlink.h, linux/sock_diag.h, linux/inet_diag.h
_NETLINK_SOCK_DIAG: Final = 4
_SOCK_DIAG_BY_FAMILY: Final = 20
_NLM_F_REQUEST: Final = 1
_ALL_STATES: Final = 0xFFFFFFFF
_NO_COOKIE: Final = b"\xff" * 8
_HEADER: Final = struct.Struct("=IHHII")  # length, type, flags, sequence, port
_QUESTION: Final = struct.Struct("=BBBxI")  # family, protocol, extensions, states; the socket's id follows
_ADDRESSES: Final = struct.Struct("!HH16s16s")  # ports and addresses of an id; interface and cookie follow
_ID_AT: Final = _HEADER.size + 4  # past family, state, timer and retransmits
_OWNER_AT: Final = _ID_AT + 48 + 12  # past the id, and expires, rqueue, wqueue
_OWNER: Final = struct.Struct("=II")  # the user's id, and the socket's inode
_NO_INODE: Final = 0  # of a socket that its process has closed: whose it was is forgotten, and its user told as root


def is_own(client: Peer, server: Peer) -> bool:
    """Whether a process of this user, or of root, has the socket `client` of a connection to `server`. Always true on
    systems other than Linux, which do not tell; false where Linux does not either.
    """
    return sys.platform != "linux" or uid_of(client, server) in (os.geteuid(), ROOT)


def uid_of(client: Peer, server: Peer) -> int | None:
    """Return the user id of the socket at `client` that is connected to `server`; None for one that is not here."""
    with contextlib.suppress(OSError, ValueError, struct.error):
        return _by_netlink(client, server)
    with contextlib.suppress(OSError, ValueError, IndexError):
        return _by_list(client, server)
    return None


def _by_netlink(client: Peer, server: Peer) -> int | None:
    """Ask the kernel about this one socket. Errors: OSError where it knows no such question."""
    near, far = (ipaddress.ip_address(address).packed for address, _ in (client, server))
    family = socket.AF_INET if len(near) == 4 else socket.AF_INET6
    addresses = _ADDRESSES.pack(client[1], server[1], near.ljust(16, b"\0"), far.ljust(16, b"\0"))
    question = _QUESTION.pack(family, socket.IPPROTO_TCP, 0, _ALL_STATES) + addresses + bytes(4) + _NO_COOKIE
    header = _HEADER.pack(_HEADER.size + len(question), _SOCK_DIAG_BY_FAMILY, _NLM_F_REQUEST, 1, 0)
    family = socket.AF_NETLINK  # type: ignore[attr-defined,unused-ignore]  # Linux alone
    with socket.socket(family, socket.SOCK_DGRAM, _NETLINK_SOCK_DIAG) as kernel:
        kernel.settimeout(PATIENCE_S)
        kernel.sendto(header + question, (0, 0))
        answer = kernel.recv(4_096)
    kind = _HEADER.unpack_from(answer)[1]
    if kind != _SOCK_DIAG_BY_FAMILY:
        raise OSError("no such socket, or no such question")
    uid, inode = _OWNER.unpack_from(answer, _OWNER_AT)
    is_this = answer[_ID_AT : _ID_AT + len(addresses)] == addresses  # else it is the one that listens at this port
    return uid if is_this and inode != _NO_INODE else None


def _by_list(client: Peer, server: Peer) -> int | None:
    """Look for the socket in the list of all, where the kernel lacks the module that answers about one."""
    name = "tcp6" if ":" in client[0] else "tcp"
    ends = [f"{_in_words(address)}:{port:04X}" for address, port in (client, server)]
    for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
        words = line.split()
        if words[1:3] == ends:
            return int(words[7]) if int(words[9]) != _NO_INODE else None
    return None


def _in_words(address: str) -> str:
    """An address as /proc/net writes it: words of 32 bits in the order of this machine."""
    packed = ipaddress.ip_address(address).packed
    return "".join(f"{word:08X}" for word in struct.unpack(f"={len(packed) // 4}I", packed))
