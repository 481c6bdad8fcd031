"""Every message survives the wire, between peers of any age."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_protocol import messages
from codeagent_protocol.messages import ControlReply, ControlRequest, Header, Hello, Refused, Welcome

STRUCTS = (Header, Hello, Welcome, Refused, ControlRequest, ControlReply)
VALUES = {int: st.integers(0, 2**63), str: st.text(max_size=40), bool: st.booleans(), bytes: st.binary(max_size=40)}


def instances(struct: type[msgspec.Struct]) -> st.SearchStrategy[msgspec.Struct]:
    return st.builds(struct, **{field.name: VALUES[field.type] for field in msgspec.structs.fields(struct)})


@given(st.sampled_from(STRUCTS).flatmap(instances))
def test_what_is_sent_is_what_arrives(message: msgspec.Struct):
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=type(message)) == message


@pytest.mark.parametrize("struct", STRUCTS)
def test_an_older_peer_may_leave_out_every_field_but_the_first_release_required_ones(struct: type[msgspec.Struct]):
    required = {"kind": 5, "verb": "status", "ok": True}
    fields = {field.name: required[field.name] for field in msgspec.structs.fields(struct) if field.required}
    assert len(fields) <= 1
    old = list(fields.values()) if struct is Header else fields
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(old), type=struct) == struct(**fields)


@pytest.mark.parametrize("struct", [Hello, Welcome, Refused, ControlRequest, ControlReply])
def test_a_newer_peer_may_add_fields(struct: type[msgspec.Struct]):
    new = {"verb": "status", "ok": True, "invented_later": {"deep": [1]}}
    assert isinstance(msgspec.msgpack.decode(msgspec.msgpack.encode(new), type=struct), struct)


def test_kinds_and_flags_are_distinct():
    kinds = [
        messages.HELLO,
        messages.WELCOME,
        messages.LINE,
        messages.ACK,
        messages.PING,
        messages.PONG,
        messages.BYE,
        messages.REFUSED,
        messages.DRAINING,
    ]
    assert len(set(kinds)) == len(kinds)
    assert messages.STATE | messages.REPLAY | messages.RESENT == messages.STATE + messages.REPLAY + messages.RESENT
