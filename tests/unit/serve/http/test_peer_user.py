"""Whose process is at the other end of a connection within this machine."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable

import pytest

from codeagentd.serve.http import peer_user
from codeagentd.serve.http.peer_user import Peer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")


@pytest.mark.parametrize("look", [peer_user.uid_of, peer_user._by_netlink, peer_user._by_list])
@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_a_connection_has_the_user_who_made_it(
    look: Callable[[Peer, Peer], int | None], family: socket.AddressFamily, host: str
) -> None:
    with socket.create_server((host, 0), family=family) as server:
        place = server.getsockname()[:2]
        with socket.create_connection(place) as client:
            assert look(client.getsockname()[:2], place) == os.geteuid()
            assert peer_user.is_own(client.getsockname()[:2], place)
            assert peer_user.uid_of(place, ("127.0.0.9" if ":" not in host else "::9", 9)) is None


@pytest.mark.parametrize("look", [peer_user.uid_of, peer_user._by_list])
def test_a_socket_that_its_process_has_closed_is_nobodys(look: Callable[[Peer, Peer], int | None]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(place := server.getsockname())
        near = client.getsockname()
        accepted, _ = server.accept()
        client.close()  # it waits for the other end to close too
        with accepted:
            assert look(near, place) is None
        assert look(near, place) is None


def test_what_the_kernel_does_not_know_is_nobodys() -> None:
    assert peer_user.uid_of(("127.0.0.1", 1), ("127.0.0.1", 2)) is None
    assert peer_user.uid_of(("nowhere", 1), ("127.0.0.1", 2)) is None
    assert not peer_user.is_own(("10.1.2.3", 1), ("127.0.0.1", 2))
