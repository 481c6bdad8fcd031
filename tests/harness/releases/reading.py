"""What a release has said, as it was recorded; read without the types of today, which may have changed since."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

HELLO, WELCOME, DRAINING = 1, 2, 9
KEPT = 3  # releases, of which the shims and daemons have to work with those of today


def order(path: Path) -> tuple[tuple[int, ...], str]:
    """The place of a recording among the others: by version, then by day."""
    version, _, day = path.stem.partition("-")
    return tuple(map(int, version.split("."))), day


RECORDINGS = sorted(Path(__file__).parent.glob("*.json"), key=order)
Message = tuple[str, list[bytes]]


class Recording:
    """The frames of one release. `answers`: by the number of the line, of a window and, where it was recorded, of an editor; `replies`: by verb; the phases in
    their order.
    """

    def __init__(self, path: Path) -> None:
        data = json.loads(path.read_text())
        self.version: str = data["version"]
        self.session, self.left, self.moved = (_messages(data[phase]) for phase in ("session", "left", "moved"))
        self.editor = _messages(data.get("editor", []))
        self.control = {command: _messages(said) for command, said in data["control"].items()}
        self.greeting = next(frames for who, frames in self.session if who == "daemon" and header(frames)[0] == WELCOME)
        self.farewell = next(frames for who, frames in self.left if who == "daemon" and header(frames)[0] == DRAINING)
        self.answers, self.editor_answers = (
            {header(frames)[4]: frames for who, frames in said if who == "daemon" and header(frames)[4]}
            for said in (self.session, self.editor)
        )
        self.requests: dict[str, bytes] = {}
        self.replies: dict[str, list[bytes]] = {}
        for said in self.control.values():
            verb = ""
            for who, (frame,) in said:
                if who == "asker":
                    verb = msgspec.msgpack.decode(frame)["verb"]
                    self.requests[verb], self.replies[verb] = frame, []
                else:
                    self.replies[verb].append(frame)


def header(frames: list[bytes]) -> list[int]:
    """[kind, version, flags, seq, ack]."""
    found: list[int] = msgspec.msgpack.decode(frames[0])
    return found


def fields(frames: list[bytes]) -> dict[str, Any]:
    """The payload of a greeting."""
    found: dict[str, Any] = msgspec.msgpack.decode(frames[1])
    return found


def _messages(recorded: list[list[str]]) -> list[Message]:
    return [(who, [bytes.fromhex(frame) for frame in frames]) for who, *frames in recorded]
