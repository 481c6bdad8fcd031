"""`python -m tests.harness.refusing socket|connect COMMAND …`: the command, and all that it starts, where the kernel refuses that call (Linux).

Of socket(2) only local ones are refused.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import socket
import struct
import sys
from typing import Final

NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2  # prctl(2)
LOAD, JUMP_ALWAYS, JUMP_IF_EQUAL, RETURN = 0x20, 0x05, 0x15, 0x06  # bpf: ld abs word; ja; jeq; ret
NUMBER_AT, DOMAIN_AT = 0, 16  # struct seccomp_data: number of the call, low word of its first argument
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
NUMBERS: Final = {"socket": {"x86_64": 41, "aarch64": 198}, "connect": {"x86_64": 42, "aarch64": 203}}


def refuse(call: str) -> bool:
    """Have the call fail with EPERM from now on, for this process and its children; whether this machine can do that."""
    number = NUMBERS[call].get(platform.machine())
    if sys.platform != "linux" or number is None:
        return False
    program = b"".join(
        struct.pack("HBBI", *row)
        for row in (
            (LOAD, 0, 0, NUMBER_AT),
            (JUMP_IF_EQUAL, 0, 3, number),
            (LOAD, 0, 0, DOMAIN_AT),
            (JUMP_IF_EQUAL, 0, 1, socket.AF_UNIX) if call == "socket" else (JUMP_ALWAYS, 0, 0, 0),
            (RETURN, 0, 0, REFUSE),
            (RETURN, 0, 0, ALLOW),
        )
    )
    code = ctypes.create_string_buffer(program)
    filter_ = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    return not libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) and not libc.prctl(SET_SECCOMP, FILTER, filter_, 0, 0)


if __name__ == "__main__":
    if not refuse(sys.argv[1]):
        sys.exit("seccomp is not to be had here")
    os.execvp(sys.argv[2], sys.argv[2:])
