"""What a release has said is read by today's types with every field that it had, under its name and with its meaning."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeagent_protocol import frames, messages
from codeagent_protocol.messages import ControlReply, ControlRequest, Header, Hello, Welcome
from codeagent_protocol.status import Status
from codeagent_protocol.version import __version__, version_of
from tests.harness.releases.reading import KEPT, RECORDINGS, Recording, fields

ROOT = Path(__file__).resolve().parents[3]
PAYLOADS: dict[int, type[msgspec.Struct]] = {frames.HELLO: Hello, frames.WELCOME: Welcome}


@pytest.fixture(params=RECORDINGS, ids=lambda path: path.stem)
def release(request: pytest.FixtureRequest) -> Recording:
    path: Path = request.param
    return Recording(path)


def lost(recorded: Any, read: Any, place: str = "") -> list[str]:
    """Where today's reading has not what was recorded."""
    if isinstance(recorded, dict):
        return [
            found
            for key, value in recorded.items()
            for found in (lost(value, read[key], f"{place}.{key}") if key in read else [f"{place}.{key}"])
        ]
    if isinstance(recorded, list):
        return [
            found
            for at, (one, other) in enumerate(zip(recorded, read, strict=True))
            for found in lost(one, other, f"{place}[{at}]")
        ]
    return [] if recorded == read else [place]


def plain(struct: msgspec.Struct) -> dict[str, Any]:
    """Every field by name; none is left out for being a default."""
    return msgspec.structs.asdict(struct)


def test_the_newest_three_releases_are_kept() -> None:
    released = re.findall(r"^## (\d+\.\d+\.\d+) \(\d{4}", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    kept = [path.stem.partition("-")[0] for path in RECORDINGS]
    assert {*released[:KEPT]} <= {*kept}, "record it: python -m tests.harness.releases.recording"
    assert len(kept) == KEPT
    assert all(version_of(version) <= version_of(__version__) for version in kept)
    assert Recording(RECORDINGS[-1]).editor, "an editor's session is recorded since there are language servers"


def test_every_header_is_read_as_it_was_meant(release: Recording) -> None:
    for _, message in (*release.session, *release.editor, *release.left, *release.moved):
        recorded = msgspec.msgpack.decode(message[0])
        assert list(frames.unpack(message[0])) == recorded
        assert list(plain(msgspec.msgpack.decode(message[0], type=Header)).values()) == recorded


def test_the_greetings_keep_their_fields(release: Recording) -> None:
    greetings = [
        message for _, message in (*release.session, *release.moved) if frames.unpack(message[0]).kind in PAYLOADS
    ]
    assert len(greetings) == 4
    for header, payload in greetings:
        struct = PAYLOADS[frames.unpack(header).kind]
        assert lost(msgspec.msgpack.decode(payload), plain(msgspec.msgpack.decode(payload, type=struct))) == []


def test_operators_messages_keep_their_fields(release: Recording) -> None:
    for said in release.control.values():
        for who, (message,) in said:
            struct = ControlRequest if who == "asker" else ControlReply
            assert lost(msgspec.msgpack.decode(message), plain(msgspec.msgpack.decode(message, type=struct))) == []


def test_a_status_keeps_its_fields(release: Recording) -> None:
    (reply,) = release.replies["status"]
    recorded = json.loads(msgspec.msgpack.decode(reply)["payload"])
    assert recorded["state"] == "ready"
    assert lost(recorded, msgspec.to_builtins(msgspec.convert(recorded, Status))) == []


def test_the_kinds_mean_what_they_meant(release: Recording) -> None:
    said = [(who, frames.unpack(message[0]).kind) for who, message in release.session]
    assert said[:3] == [("shim", messages.HELLO), ("daemon", messages.WELCOME), ("shim", messages.LINE)]
    assert ("daemon", messages.ACK) in said
    assert [frames.unpack(message[0]).kind for who, message in release.left if who == "daemon"] == [messages.DRAINING]
    assert [frames.unpack(message[0]).flags for who, message in release.moved if who == "shim"] == [
        0,
        messages.REPLAY,
        messages.REPLAY,
        messages.RESENT,
    ]


@pytest.mark.parametrize("changed", [["renamed"], []])
def test_a_field_that_is_renamed_or_removed_is_noticed(release: Recording, changed: list[str]) -> None:
    recorded = fields(release.greeting)
    kept = [name for name in recorded if name != "pid"]
    other = msgspec.defstruct("Other", [(name, Any, None) for name in kept + changed])
    assert lost(recorded, plain(msgspec.msgpack.decode(release.greeting[1], type=other))) == [".pid"]
