"""URIs of documents, and paths of the repository."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagentd.lsp.uris import path_in, uri_of

NAMES = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="/\\"), min_size=1, max_size=12)


@given(st.lists(NAMES.filter(lambda name: name not in (".", "..")), min_size=1, max_size=4))
def test_a_path_comes_back_from_its_uri(tmp_path_factory, parts):
    root = tmp_path_factory.getbasetemp()
    path = "/".join(parts)
    uri = uri_of(root, path)
    assert uri.isascii()
    assert path_in(root, uri) == path


@pytest.mark.parametrize(
    "uri",
    ["untitled:1", "git:/a/b", "file://server/share/x", "file:///etc/passwd", "", "file://", "nonsense", "file:///%00"],
)
def test_what_is_no_file_of_the_repository_has_no_path(tmp_path, uri):
    assert path_in(tmp_path, uri) is None


def test_escapes_and_steps_up_do_not_leave_the_repository(tmp_path):
    assert path_in(tmp_path, f"file://{tmp_path}/a/../../x") is None
    assert path_in(tmp_path, f"file://{tmp_path}/%2e%2e/x") is None
    assert path_in(tmp_path, f"file://{tmp_path}") is None
    assert path_in(tmp_path, f"file://{tmp_path}/a%20b/..%2Fc") == "c"
    assert path_in(tmp_path, f"file://{tmp_path}x/a") is None


def test_a_root_behind_a_link_is_the_same_repository(tmp_path):
    root = tmp_path / "real"
    (root / "shop").mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(root)
    assert path_in(root, f"file://{link}/shop/desk.py") == "shop/desk.py"
