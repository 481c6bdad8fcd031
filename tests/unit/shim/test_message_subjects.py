"""What a message is about, and whose an id is."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_shim.message_subjects import is_within, marked, subject_of, unmarked

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["uri", "textDocument", "item", "data", "files", "oldUri"]), inner, max_size=3
        )
    ),
    max_leaves=9,
)


@given(st.integers(0, 99), st.integers() | st.text() | st.none())
def test_a_marked_id_comes_back_with_its_server(number: int, value: Any):
    assert unmarked(json.loads(json.dumps(marked(number, value)))) == (number, value)


@given(JSON | st.from_regex(r"\Acodeagent-lsp/.{0,9}\Z"))
def test_other_ids_are_nobodys_or_those_of_a_client_that_plays_tricks(value: Any):
    with contextlib.suppress(TypeError):
        assert (unmarked(value) is None) or isinstance(value, str)


@given(JSON)
def test_any_parameters_have_a_subject_or_none(params: Any):
    assert subject_of(params) is None or isinstance(subject_of(params), str)


@pytest.mark.parametrize(
    ("params", "subject"),
    [
        ({"textDocument": {"uri": "file:///a%20b"}, "data": {"uri": "file:///x"}}, "/a b"),
        ({"textDocument": {"uri": "untitled:1"}}, ""),
        ({"uri": "file:///a%00b"}, ""),
        ({"query": "x"}, None),
        ({"arguments": [3]}, None),
        (None, None),
        ("file:///a", None),
    ],
)
def test_the_subject_is_the_document_of_the_parameters(params: Any, subject: object):
    assert subject_of(params) == subject


@pytest.mark.parametrize(
    ("path", "root", "inside"),
    [("/a/b", "/a", True), ("/a", "/a", True), ("/ab", "/a", False), ("/", "/a", False), ("/b/a", "/a", False)],
)
def test_a_path_is_within_its_folders_alone(path: str, root: str, inside: bool):
    assert is_within(path, root) is inside
