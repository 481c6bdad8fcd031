"""The jail: every path that leads out of the repository is refused, and nothing outside is opened."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_protocol.errors import CodedError, InvalidParameter, NotFound, PathEscape, TooLarge
from codeagentd.base import paths
from codeagentd.base.paths import Jail, read_regular

LIMIT = 1_000
INSIDE = b"inside\n"
SECRET = b"outside secret\n"


def planted(base: Path) -> Path:
    """A repository with links of every kind, beside a directory that must stay unread."""
    root, outside = base / "repo", base / "outside"
    for folder in (root / "src" / "deep", outside, base / "repo-twin"):
        folder.mkdir(parents=True)
    (root / "src" / "a.py").write_bytes(INSIDE)
    (root / "src" / "deep" / "b.py").write_bytes(INSIDE)
    (root / "back\\slash.py").write_bytes(INSIDE)
    for secret in (outside / "secret.py", base / "repo-twin" / "secret.py"):
        secret.write_bytes(SECRET)
    links = {
        "to_a.py": "src/a.py", "to_src": "src", "src/up": "..", "to_a_absolute.py": str(root / "src" / "a.py"), "chain.py": "to_a.py",
        "out.py": str(outside / "secret.py"), "out_dir": str(outside), "out_relative": "../outside", "parent": "..", "filesystem": "/", "twin": f"{root}-twin",
        "loop": "pool", "pool": "loop", "self": "self", "dangling.py": "no/such.py", "zero": "/dev/zero",
    }  # fmt: skip
    for name, target in links.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe.py")
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return planted(tmp_path)


def test_plain_paths_resolve_to_their_place(root: Path) -> None:
    jail = Jail(root)
    assert jail.resolve("src/a.py") == ("src/a.py", root / "src" / "a.py")
    assert jail.resolve("./src//deep/../a.py") == ("src/a.py", root / "src" / "a.py")
    assert jail.resolve("src/") == ("src", root / "src")
    assert jail.resolve("") == jail.resolve(".") == jail.resolve("src/..") == ("", root)
    assert jail.resolve("back\\slash.py")[0] == "back\\slash.py"


def test_links_inside_the_repository_lead_to_their_targets(root: Path) -> None:
    jail = Jail(root)
    for path in (
        "to_a.py",
        "to_src/a.py",
        "to_a_absolute.py",
        "chain.py",
        "src/up/src/a.py",
        "to_src/up/src/deep/../a.py",
    ):
        assert jail.resolve(path) == ("src/a.py", root / "src" / "a.py")
        assert jail.read_bytes(path, LIMIT) == INSIDE


def test_a_root_given_through_a_link_is_the_same_root(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    assert Jail(tmp_path / "alias").resolve("src/a.py") == Jail(root).resolve("src/a.py")


@pytest.mark.parametrize(
    "path",
    [
        "..", "../outside/secret.py", "src/../../outside/secret.py", "src/../..", "../repo/src/a.py", "../" * 40 + "etc/passwd", "../repo-twin/secret.py",
        "/", "//",
        "/etc/passwd", "/proc/self/environ", "out.py", "out_dir", "out_dir/secret.py", "out_dir/../repo/src/a.py", "out_relative/secret.py", "parent",
        "parent/repo/src/a.py", "filesystem", "filesystem/etc/passwd", "twin/secret.py", "zero", "src/up/../outside/secret.py",
    ],
)  # fmt: skip
def test_what_leads_out_is_an_escape_even_if_it_comes_back(root: Path, path: str) -> None:
    for attempt in (lambda: Jail(root).resolve(path), lambda: Jail(root).read_bytes(path, LIMIT)):
        with pytest.raises(PathEscape) as caught:
            attempt()
        assert "secret\n" not in str(caught.value.as_dict())


def test_an_absolute_path_into_the_repository_is_an_escape_too(root: Path) -> None:
    with pytest.raises(PathEscape):
        Jail(root).resolve(str(root / "src" / "a.py"))


@pytest.mark.parametrize(
    "path",
    [
        "no.py",
        "src/no/such.py",
        "src/a.py/x",
        "src/a.py/../a.py",
        "dangling.py",
        "..\\outside\\secret.py",
        "%2e%2e/outside",
        "~/.bashrc",
        ".. /outside",
        "．．/outside",
    ],
)
def test_what_is_not_there_is_not_found(root: Path, path: str) -> None:
    with pytest.raises(NotFound):
        Jail(root).resolve(path)


@pytest.mark.parametrize(
    "path",
    [
        5,
        None,
        True,
        ["src/a.py"],
        b"src/a.py",
        "\0",
        "src/a.py\0",
        "../x\0",
        "\ud800",
        chr(0xDCFF),
        "loop",
        "self/x",
        "a" * 256,
        "a/" * 5_000,
        "x" * 1_000_000,
        "é" * 128,
    ],
)
def test_malformed_paths_are_invalid(root: Path, path: object) -> None:
    with pytest.raises(InvalidParameter) as caught:
        Jail(root).resolve(path)  # type: ignore[arg-type]
    assert caught.value.facts["parameter"] == "path"
    assert len(caught.value.message) < 300


def test_a_file_to_come_may_be_resolved(root: Path) -> None:
    jail = Jail(root)
    assert jail.resolve("src/new/file.py", must_exist=False) == ("src/new/file.py", root / "src" / "new" / "file.py")
    for path in ("src/new/../../../outside/x", "out_dir/new.py", "parent/new"):
        with pytest.raises(PathEscape):
            jail.resolve(path, must_exist=False)


@pytest.mark.limit(5)
def test_pipes_sockets_devices_and_directories_are_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.py")
        for path in ("pipe.py", "socket.py", "src", ""):
            with pytest.raises(InvalidParameter) as caught:
                Jail(root).read_bytes(path, LIMIT)
            assert "not a regular file" in caught.value.message
            assert Jail(root).resolve(path)[0] == path
    assert read_regular(root / "pipe.py", LIMIT) is None


def test_a_file_over_the_limit_is_too_large(root: Path) -> None:
    (root / "big.py").write_bytes(b"x" * (LIMIT + 1))
    with pytest.raises(TooLarge) as caught:
        Jail(root).read_bytes("big.py", LIMIT)
    assert (caught.value.facts["limit"], caught.value.facts["size"]) == (LIMIT, LIMIT + 1)
    assert len(Jail(root).read_bytes("big.py", LIMIT + 1)) == LIMIT + 1


def test_a_file_whose_size_is_unknown_is_read_up_to_the_limit() -> None:
    assert b"Pid:" in Jail(Path("/proc/self")).read_bytes("status", 100_000)
    with pytest.raises(TooLarge):
        Jail(Path("/proc/self")).read_bytes("status", 10)


@pytest.mark.parametrize("swapped", ["src/deep", "src/deep/b.py"])
def test_a_link_swapped_in_after_the_check_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    (root.parent / "outside" / "b.py").write_bytes(SECRET)
    resolve = Jail.resolve

    def resolve_then_swap(jail: Jail, path: str, *, must_exist: bool = True) -> tuple[str, Path]:
        answer = resolve(jail, path, must_exist=must_exist)
        (root / swapped).rename(root / "away")
        (root / swapped).symlink_to(root.parent / "outside" / ("" if swapped.endswith("deep") else "b.py"))
        return answer

    monkeypatch.setattr(Jail, "resolve", resolve_then_swap)
    with pytest.raises(NotFound):
        Jail(root).read_bytes("src/deep/b.py", LIMIT)


def test_without_stepwise_opening_links_are_still_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "OPENS_BY_STEPS", False)
    assert Jail(root).read_bytes("src/deep/b.py", LIMIT) == INSIDE
    with pytest.raises(PathEscape):
        Jail(root).read_bytes("out_dir/secret.py", LIMIT)


def test_no_descriptor_is_left_open(root: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for path in ("src/deep/b.py", "out.py", "pipe.py", "no.py", "loop", "src"):
        for _ in range(20):
            try:
                Jail(root).read_bytes(path, LIMIT)
            except CodedError:
                continue
    assert len(os.listdir("/proc/self/fd")) == before


PARTS = st.sampled_from(
    [
        "src",
        "deep",
        "a.py",
        "b.py",
        "..",
        ".",
        "",
        "to_src",
        "up",
        "parent",
        "out_dir",
        "out_relative",
        "filesystem",
        "secret.py",
        "repo",
        "outside",
        "loop",
        "etc",
        "twin",
        "to_a_absolute.py",
    ]
)


@pytest.fixture(scope="module")
def lasting_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return planted(tmp_path_factory.mktemp("jail"))


@settings(max_examples=400, deadline=None)
@given(parts=st.lists(PARTS, max_size=8), must_exist=st.booleans(), slash=st.sampled_from(["", "/"]))
def test_nothing_leaves_the_jail(lasting_root: Path, parts: list[str], must_exist: bool, slash: str) -> None:
    try:
        relative, place = Jail(lasting_root).resolve(slash + "/".join(parts), must_exist=must_exist)
    except CodedError:
        return
    real = Path(os.path.realpath(place))
    assert real == place
    assert real == lasting_root or lasting_root in real.parents
    assert place == lasting_root / relative
