"""The path of a `file:` URI."""

from __future__ import annotations

import os
import sys
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_protocol.file_uris import local_path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/ada/shop", "/home/ada/shop"),
        ("FILE:///home/ada", "/home/ada"),
        ("file:///my%20%C3%BCmlaut%20repo", "/my ümlaut repo"),
        ("file:///ümlaut", "/ümlaut"),
        ("file:///a%2Fb%3fc", "/a/b?c"),
        ("file:///100%", "/100%"),
        ("file:///a?version=1#L3", "/a"),
        ("file://localhost/a", "/a"),
        ("file://", ""),
        ("untitled:Untitled-1", ""),
        ("vscode-remote://ssh/a", ""),
        ("/home/ada", ""),
        ("", ""),
        (None, ""),
        ({"uri": "file:///a"}, ""),
    ],
)
def test_only_file_uris_have_a_path(uri: object, path: str):
    assert local_path(uri) == path


@given(st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), max_size=40))
def test_every_path_comes_back_from_its_uri(name: str):
    assert local_path("file://" + quote("/" + name)) == "/" + name


def test_a_path_that_is_no_utf_8_comes_back_too():
    assert os.fsencode(local_path("file:///caf%E9")) == b"/caf\xe9"


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/Users/Ada", "c:\\Users\\Ada"),
        ("file:///C:/Users/Ada", "C:\\Users\\Ada"),
        ("file://server/share/shop", "\\\\server\\share\\shop"),
        ("file://localhost/c:/x", "c:\\x"),
    ],
)
def test_on_windows_a_path_has_a_drive_or_a_server(monkeypatch: pytest.MonkeyPatch, uri: str, path: str):
    monkeypatch.setattr(sys, "platform", "win32")
    assert local_path(uri) == path
