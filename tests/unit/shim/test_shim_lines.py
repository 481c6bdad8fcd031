"""What the client writes is cut at its newlines, wherever the chunks end."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_shim.line_reader import LineReader, Oversize


def read(chunks: list[bytes], limit: int = 1 << 20) -> list[bytes | Oversize]:
    reader = LineReader(limit)
    return [line for chunk in chunks for line in reader.feed(chunk)] + list(reader.finish())


@given(st.binary(max_size=300).map(lambda text: text.replace(b"x", b"\n")), st.lists(st.integers(0, 300), max_size=8))
def test_lines_are_the_same_however_they_are_chunked(text: bytes, cuts: list[int]):
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    chunks = [text[start:end] for start, end in itertools.pairwise(places)]
    assert read(chunks) == [line for line in text.split(b"\n") if line.strip()]


@given(st.lists(st.integers(1, 3000), max_size=6), st.integers(1, 1500))
def test_a_line_is_kept_whole_or_reported_with_its_length(lengths: list[int], size: int):
    text = b"".join(b"y" * length + b"\n" for length in lengths)
    found = read([text[at : at + size] for at in range(0, len(text), size)], limit=2000)
    assert [line.length if isinstance(line, Oversize) else len(line) for line in found] == lengths
    assert [isinstance(line, Oversize) for line in found] == [length > 2000 for length in lengths]


def test_an_endless_line_is_not_kept():
    reader = LineReader(1 << 16)
    for _ in range(200):
        assert not list(reader.feed(b"z" * 65536))
    assert len(reader._buffer) <= 1 << 17
    assert [line.length for line in reader.feed(b"\n")] == [200 * 65536]
    assert list(reader.feed(b"after\n")) == [b"after"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ({"jsonrpc": "2.0", "id": 7, "method": "x", "params": "BIG"}, 7),
        ({"id": "a-1", "jsonrpc": "2.0", "method": "x", "params": {"id": 3, "text": "BIG"}}, "a-1"),
        ({"method": "x", "params": {"id": 3, "text": "BIG"}, "jsonrpc": "2.0", "id": 8}, 8),
        ({"method": "x", "params": {"text": "BIG", "id": 3}, "id": -9, "jsonrpc": "2.0"}, -9),
        ({"method": "x", "params": {"text": "BIG", "id": 3}}, None),
        ({"method": "x", "params": {"id": 3, "text": "BIG"}}, None),
        ({"jsonrpc": "2.0", "method": "x", "params": ["BIG", {"id": 3}]}, None),
    ],
)
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_the_id_of_an_oversize_request_is_found_only_where_it_is_the_outermost(
    line: object, wanted: object, separators: tuple[str, str]
):
    text = json.dumps(line, separators=separators).replace("BIG", "b" * 5000).encode()
    (found,) = read([text], limit=3000)
    assert isinstance(found, Oversize)
    assert found.request_id() == wanted
