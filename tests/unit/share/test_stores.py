"""Stores in folders, behind web servers and in buckets behave alike, and fail with what to do."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagent_protocol.errors import CodedError, InvalidParameter, StoreFailed
from codeagentd.share.bucket_store import BucketStore
from codeagentd.share.folder_store import FolderStore
from codeagentd.share.opening import open_store
from codeagentd.share.store import Store
from codeagentd.share.web_store import WebStore


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, with ranges as a bucket's web server has them."""

    def do_GET(self) -> None:
        header, place = self.headers.get("Range"), Path(self.translate_path(self.path))
        if header is None or not place.is_file():
            super().do_GET()
            return
        first, last = map(int, header.removeprefix("bytes=").split("-"))
        data = place.read_bytes()[first : last + 1]
        self.send_response(206)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Failing(Ranges):
    """A server that is out of order."""

    def do_GET(self) -> None:
        self.send_error(503)


class Wholes(http.server.SimpleHTTPRequestHandler):
    """A server that knows no ranges."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[WebStore]:
    handler = getattr(request, "param", Ranges)
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *arguments: handler(*arguments, directory=str(tmp_path))
    )
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield WebStore(f"http://127.0.0.1:{server.server_address[1]}/")
    server.shutdown()
    server.server_close()


@pytest.fixture(params=["folder", "web", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A store with one file of each kind of access."""
    FolderStore(tmp_path).put("packs/ab/one.pack", b"0123456789")
    if request.param == "web":
        web: WebStore = request.getfixturevalue("served")
        return web
    # obstore opens a folder as it opens a bucket
    return FolderStore(tmp_path) if request.param == "folder" else BucketStore(f"file://{tmp_path}")


def test_what_is_there_is_read_whole_and_in_parts(store: Store) -> None:
    assert store.size("packs/ab/one.pack") == 10
    assert store.get("packs/ab/one.pack", 2, 3) == b"234"
    assert store.whole("packs/ab/one.pack", 100) == b"0123456789"


def test_what_is_not_there_is_none(store: Store) -> None:
    assert store.size("packs/ab/two.pack") is None
    assert store.whole("trees/none.manifest", 100) is None
    with pytest.raises(StoreFailed, match="shorter"):
        store.get("packs/ab/two.pack", 0, 4)


def test_a_part_beyond_the_end_is_refused(store: Store) -> None:
    with pytest.raises(StoreFailed):
        store.get("packs/ab/one.pack", 8, 5)


def test_more_than_the_limit_is_refused(store: Store) -> None:
    with pytest.raises(StoreFailed, match="more than 9 bytes"):
        store.whole("packs/ab/one.pack", 9)


def test_what_is_put_is_there_or_the_store_says_that_it_is_only_read(store: Store) -> None:
    if isinstance(store, WebStore):
        with pytest.raises(StoreFailed, match="only read"):
            store.put("packs/cd/three.pack", b"x")
    else:
        store.put("packs/cd/three.pack", b"x")
        store.put("packs/cd/three.pack", b"xy")
        assert store.whole("packs/cd/three.pack", 10) == b"xy"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "packs").write_text("a file where the folder should be")
    with pytest.raises(StoreFailed, match="cannot be written") as refused:
        FolderStore(tmp_path).put("packs/ab/one.pack", b"x")
    assert str(tmp_path) in refused.value.message
    assert refused.value.remedy
    assert [path.name for path in tmp_path.iterdir()] == ["packs"]  # no part of a file stays


@pytest.mark.parametrize("served", [Failing], indirect=True)
def test_a_server_out_of_order_is_reported_with_its_answer(served: WebStore) -> None:
    with pytest.raises(StoreFailed, match="503"):
        served.whole("trees/some.manifest", 100)


@pytest.mark.parametrize("served", [Wholes], indirect=True)
def test_a_server_without_ranges_is_refused(served: WebStore, tmp_path: Path) -> None:
    (tmp_path / "one.pack").write_bytes(b"0123456789")
    with pytest.raises(StoreFailed, match="does not send parts"):
        served.get("one.pack", 2, 3)


def test_a_server_that_is_away_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(StoreFailed, match="cannot be read"):
        WebStore(f"http://127.0.0.1:{port}").size("x")


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeagentd.share.web_store.TIMEOUT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(StoreFailed, match="timed out"):
        WebStore(f"http://127.0.0.1:{listener.getsockname()[1]}").size("x")


@pytest.mark.parametrize(
    ("url", "kind"),
    [("/team/facts", FolderStore), ("file:///team/facts", FolderStore), ("https://facts.example/main", WebStore)],
)
def test_the_url_chooses_the_kind_of_store(url: str, kind: type) -> None:
    assert isinstance(open_store(url), kind)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("ftp://facts.example", "ftp is no store"),
        ("", "no store"),
        ("https://user:secret@facts.example", "password"),
        ("az://account/facts?sig=secret", "tokens"),
        ("file://team/facts", "three slashes"),
    ],
)
def test_what_names_no_store_is_refused_and_passwords_are_not_repeated(url: str, says: str) -> None:
    with pytest.raises(InvalidParameter, match=says) as refused:
        open_store(url)
    assert "secret" not in refused.value.message


def test_without_obstore_a_bucket_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "obstore", None)
    with pytest.raises(CodedError) as refused:
        open_store("s3://team/facts")
    assert refused.value.remedy == "pip install 'codeagentd[buckets]'"
