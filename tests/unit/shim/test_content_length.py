"""What an editor writes is cut at its headers, wherever the chunks end."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_shim.content_length import BodyReader, Garbled, OversizeBody

PARSE_ERROR = -32700
HEADERS = (
    b"Content-Length: %d\r\n\r\n",
    b"content-length:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
    b"Content-Type: application/vscode-jsonrpc; charset=utf8\r\nCONTENT-LENGTH : %d \r\n\r\n",
    b"Content-Length: %d\n\n",
    b"\r\n\r\nContent-Length: %d\r\n\r\n",
)
BODIES = st.lists(
    st.tuples(st.sampled_from(HEADERS), st.binary(max_size=80).filter(lambda body: not body[:1].isspace())), max_size=6
)


def read(chunks: list[bytes], limit: int = 1 << 20) -> list[Any]:
    reader = BodyReader(limit)
    return [body for chunk in chunks for body in reader.feed(chunk)] + list(reader.finish())


def framed(body: bytes) -> bytes:
    return HEADERS[0] % len(body) + body


@given(BODIES, st.lists(st.integers(0, 700), max_size=8))
def test_bodies_are_the_same_however_they_are_chunked(messages: list[tuple[bytes, bytes]], cuts: list[int]):
    text = b"".join(header % len(body) + body for header, body in messages)
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    expected = [body for _, body in messages if body.strip()]
    assert read([text[start:end] for start, end in itertools.pairwise(places)]) == expected
    assert read([text[at : at + 1] for at in range(len(text))]) == expected


@given(st.lists(st.integers(1, 5000), max_size=5), st.integers(1, 1500))
def test_a_body_is_kept_whole_or_reported_with_its_length(lengths: list[int], size: int):
    text = b"".join(framed(b"y" * length) for length in lengths)
    bodies = read([text[at : at + size] for at in range(0, len(text), size)], limit=3000)
    assert [body.length if isinstance(body, OversizeBody) else len(body) for body in bodies] == lengths
    assert [isinstance(body, OversizeBody) for body in bodies] == [length > 3000 for length in lengths]


def test_an_endless_body_is_not_kept():
    reader = BodyReader(1 << 16)
    assert not list(reader.feed(b"Content-Length: %d\r\n\r\n" % (200 * 65536)))
    for _ in range(199):
        assert not list(reader.feed(b"z" * 65536))
        assert len(reader._buffer) <= 1 << 17
    oversize, after = reader.feed(b"z" * 65536 + framed(b"after"))
    assert (oversize.length, after) == (200 * 65536, b"after")


@pytest.mark.parametrize(
    ("message", "answered"),
    [
        ({"jsonrpc": "2.0", "id": 7, "method": "x", "params": "BIG"}, 7),
        ({"method": "x", "params": {"id": 3, "text": "BIG"}, "jsonrpc": "2.0", "id": "a"}, "a"),
        ({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"text": "BIG", "id": 3}}, None),
        ({"jsonrpc": "2.0", "id": 7, "result": "BIG"}, None),
    ],
)
def test_only_a_request_is_answered_when_its_body_is_too_long(message: object, answered: object):
    body = json.dumps(message).replace("BIG", "b" * 5000).encode()
    (oversize,) = read([framed(body)], limit=3000)
    refusal = oversize.refusal()
    assert (json.loads(refusal)["id"] if refusal else None) == answered
    assert not refusal or "longer than" in json.loads(refusal)["error"]["message"]


@pytest.mark.parametrize(
    "noise",
    [
        b"Content-Type: x\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: 99999999999999999999\r\n\r\n",
        b"Content-Length:\r\n\r\n{}",
        b"Debugger attached.\r\n",
        b'{"jsonrpc":"2.0","id":1,"method":"initialize"}\n\n',
        b'"}',
        b"x" * 10_000,
        b"\x00\xff\r\n\r\n",
    ],
)
def test_bytes_that_are_no_header_are_refused_once_and_the_next_message_is_read(noise: bytes):
    text = framed(b"before") + noise + framed(b"after") + framed(b"more")
    for size in (1, 7, len(text)):
        before, garbled, *rest = read([text[at : at + size] for at in range(0, len(text), size)])
        assert (before, rest) == (b"before", [b"after", b"more"])
        assert isinstance(garbled, Garbled)
        refusal = json.loads(garbled.refusal())
        assert (refusal["id"], refusal["error"]["code"]) == (None, PARSE_ERROR)
        assert "Content-Length" in refusal["error"]["message"]


@given(
    st.lists(st.sampled_from([b"Content-Length: 3\r\n", b"\r\n", b"\n", b"abc", b":", b"Content-", b"\0"]), max_size=12)
)
def test_whatever_comes_before_it_a_message_behind_enough_noise_is_read(noise: list[bytes]):
    bodies = read([*noise, b"\r\n\r\n", b"." * 5000, framed(b"after")])
    assert bodies[-1] == b"after"


def test_a_message_that_the_client_did_not_finish_is_dropped():
    assert not read([b"Content-Length: 10\r\n\r\n12345"])
    assert not read([b"Content-Le"])
