"""The shim's small codec and msgspec read and write the same bytes."""

from __future__ import annotations

import contextlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_protocol import frames
from codeagent_protocol.messages import Header, Hello
from codeagent_protocol.version import PROTOCOL

U64 = st.integers(0, 2**64 - 1)
SMALL = st.integers(0, 127)


@given(SMALL, SMALL, U64, U64)
def test_a_header_of_the_shim_is_read_by_the_daemon(kind: int, flags: int, seq: int, ack: int):
    packed = frames.pack(kind, flags, seq, ack)
    assert len(packed) == 22
    assert msgspec.msgpack.decode(packed, type=Header) == Header(kind, PROTOCOL, flags, seq, ack)


@given(U64, U64, U64, U64, U64)
def test_a_header_of_the_daemon_is_read_by_the_shim(kind: int, version: int, flags: int, seq: int, ack: int):
    packed = msgspec.msgpack.encode(Header(kind, version, flags, seq, ack))
    assert tuple(frames.unpack(packed)) == (kind, version, flags, seq, ack)


@given(st.lists(U64, min_size=1, max_size=5))
def test_what_an_older_peer_leaves_out_has_its_default(fields: list[int]):
    short = msgspec.msgpack.encode(fields)
    assert tuple(frames.unpack(short)) == msgspec.structs.astuple(msgspec.msgpack.decode(short, type=Header))


@given(
    st.lists(
        st.one_of(
            st.integers(-(2**63), 2**64 - 1),
            st.text(max_size=20),
            st.none(),
            st.dictionaries(st.text(max_size=3), SMALL),
        ),
        max_size=10,
    )
)
def test_what_a_newer_peer_adds_is_skipped(extra: list[object]):
    long = msgspec.msgpack.encode([3, 2, 1, 70_000, 5, *extra])
    assert frames.unpack(long) == frames.Frame(3, 2, 1, 70_000, 5)


@given(st.binary(max_size=60))
def test_any_other_bytes_are_no_header_and_nothing_worse(noise: bytes):
    with contextlib.suppress(ValueError):
        assert isinstance(frames.unpack(noise), frames.Frame)


@pytest.mark.parametrize(
    "noise",
    [
        b"",
        b"\x90",
        b"\x95\x03",
        b"\x95\x03\x01\x00\xcf\x00",
        b"\x81\xa1x",
        b"\x91\xff",
        b"\x91\xc0",
        b"\xdc\x00\x01\x03",
    ],
)
def test_a_cut_or_foreign_header_is_refused(noise: bytes):
    with pytest.raises(ValueError, match="not a header"):
        frames.unpack(noise)


@given(st.text(max_size=300), U64, st.booleans(), st.text(max_size=20))
def test_a_hello_of_the_shim_is_read_by_the_daemon(cwd: str, pid: int, read_only: bool, toolsets: str):
    hello = Hello(pid=pid, cwd=cwd, read_only=read_only, toolsets=toolsets)
    assert msgspec.msgpack.decode(frames.pack_map(msgspec.structs.asdict(hello)), type=Hello) == hello


def test_a_path_that_is_no_unicode_does_not_stop_a_window():
    assert msgspec.msgpack.decode(frames.pack_map({"cwd": "/caf\udce9"}), type=Hello).cwd == "/caf?"


@given(st.lists(U64, max_size=8), st.binary(max_size=60))
def test_a_replacement_is_read_as_it_was_written(numbers: list[int], line: bytes):
    assert frames.unpack_replacement(frames.pack_replacement(numbers, line)) == (tuple(numbers), line)


@given(st.lists(U64, min_size=1, max_size=3), st.integers(1, 8))
def test_a_replacement_that_was_cut_off_is_refused(numbers: list[int], missing: int):
    with pytest.raises(ValueError, match="not a replacement"):
        frames.unpack_replacement(frames.pack_replacement(numbers, b"")[:-missing])


def test_an_empty_replacement_is_refused():
    with pytest.raises(ValueError, match="not a replacement"):
        frames.unpack_replacement(b"")
