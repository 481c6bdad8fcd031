"""docs/protocol.md says what the code does: every table of it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec
import pytest

from codeagent_protocol import errors, frames, messages
from codeagent_protocol.endpoint import MAX_SOCKET_PATH, Endpoint, endpoint_of
from codeagent_protocol.initialize import PROTOCOL_VERSIONS
from codeagent_protocol.jsonrpc_errors import INTERNAL_ERROR, NUMBERS
from codeagent_protocol.launch import LIFE_S
from codeagent_protocol.transport import KEY_CHARACTERS
from codeagent_protocol.version import __version__
from codeagent_shim import limits
from codeagentd.serve.transport.loopback import DOMAIN, HANDSHAKE_MS, publish

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text()
TEXT = " ".join(PAGE.split())  # without the ends of its lines
TYPES = {"str": str, "int": int, "bool": bool, "bytes": bytes}
CONSTANTS = {
    name: value
    for name, value in vars(frames).items()
    if re.fullmatch("[A-Z][A-Z_]+", name) and isinstance(value, int) and name != "PROTOCOL"
}
FLAGS = {"STATE", "REPLAY", "RESENT"}


def table(after: str, columns: int) -> list[list[str]]:
    """The rows of the first table behind a text."""
    _, found, rest = PAGE.partition(after)
    assert found, after
    lines = re.search(r"(?:^\|.*\n)+", rest, re.MULTILINE)
    assert lines
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.group().splitlines()[2:]]
    assert {len(row) for row in rows} == {columns}
    return rows


def default(text: str) -> object:
    """A default as the page writes it."""
    if text == "the product's version":
        return __version__
    return {"required": msgspec.NODEFAULT, "true": True, "false": False}.get(
        text, int(text) if text.isdigit() else text.strip('"')
    )


@pytest.mark.parametrize(
    ("struct", "after", "columns"),
    [
        (messages.Header, "The header is a msgpack array:", 4),
        (messages.Hello, "Hello (msgpack map):", 3),
        (messages.Welcome, "Welcome (msgpack map):", 3),
        (messages.Refused, "Refused (msgpack map):", 3),
        (messages.ControlRequest, "ControlRequest:", 3),
        (messages.ControlReply, "ControlReply:", 3),
    ],
)
def test_the_fields_of_each_message_are_on_the_page(struct: type[msgspec.Struct], after: str, columns: int):
    told = [(row[0], TYPES[row[1]], default(row[2])) for row in table(after, columns)]
    real = [
        (field.name, field.type, field.default.decode() if isinstance(field.default, bytes) else field.default)
        for field in msgspec.structs.fields(struct)
    ]
    assert told == real


def test_the_kinds_flags_and_limits_are_on_the_page():
    kinds = {row[0]: int(row[1]) for row in table("number of the line that is answered |", 5)}
    flags = {row[0]: int(row[1]) for row in table("| REPLACE | 10 |", 4)}
    sizes = {row[0]: int(row[1]) for row in table("| RESENT | 4 |", 3)}
    assert set(flags) == FLAGS
    assert kinds | flags | sizes == CONSTANTS


def test_the_error_codes_and_their_numbers_are_on_the_page():
    told = {row[0]: int(row[1]) for row in table("## Errors", 2)}
    assert told == {code: NUMBERS.get(code, INTERNAL_ERROR) for code in errors.CODES}


def test_the_files_of_an_endpoint_are_on_the_page():
    endpoint = Endpoint("/r", "NAME", "/run")
    names = {
        Path(path).name
        for path in (
            endpoint.socket,
            endpoint.control,
            endpoint.ports,
            endpoint.life_lock,
            endpoint.launch_lock,
            endpoint.successor_lock,
            endpoint.start_log,
            endpoint.log,
        )
    }
    assert {row[0].strip("`") for row in table("## Files of a daemon", 3)} == names
    assert f"at most {MAX_SOCKET_PATH} bytes" in PAGE


def test_the_file_of_ports_is_on_the_page(tmp_path: Path):
    endpoint = endpoint_of(tmp_path)
    told = [row[0] for row in table("further ones are skipped:", 2)]
    values = {
        "pid": os.getpid(),
        "windows": 5,
        "operators": 6,
        "server": "s" * KEY_CHARACTERS,
        "public": "p" * KEY_CHARACTERS,
        "secret": "x" * KEY_CHARACTERS,
    }
    assert told == list(values)
    publish(endpoint, 5, 6, *(str(values[name]).encode() for name in told[3:]))
    assert Path(endpoint.ports).read_text().split() == [str(value) for value in values.values()]
    assert f"as Z85, {KEY_CHARACTERS} characters" in TEXT
    assert f"domain `{DOMAIN.decode()}`" in TEXT
    assert f"within {HANDSHAKE_MS // 1000} seconds" in TEXT


def test_the_numbers_in_the_text_are_those_of_the_code():
    for text in (
        f"silent for {limits.PULSE_S:.0f} seconds",
        f"outlived {limits.LOSSES} daemons",
        f"after {limits.LOSSES} failures in a row",
        f"at most {limits.STATE_BYTES >> 20} MiB of state lines",
        f"outlived {limits.LOSSES} daemons is given up, as is everything beyond {limits.HELD_BYTES >> 20} MiB",
        f"with each of their daemons, at most {limits.FOLDER_LINKS}.",
        f"not waited for longer than {limits.JOIN_S:.0f} seconds",
        f"{limits.EOF_S:.0f} seconds from a living daemon and {limits.EOF_START_S:.0f} from a starting one",
    ):
        assert text in TEXT, text
    assert LIFE_S == 10.0
    assert "has had ten seconds" in TEXT
    assert f"{', '.join(PROTOCOL_VERSIONS[:-1])} and {PROTOCOL_VERSIONS[-1]}" in TEXT


def test_the_verbs_of_the_control_socket_are_on_the_page():
    documented = re.search(r"Verbs: ([a-z, ]+)\.", messages.ControlRequest.__doc__ or "")
    assert documented
    assert f"Verbs: {', '.join(f'`{verb}`' for verb in documented[1].split(', '))}." in TEXT
