"""Repositories that would do harm, in a folder that a real `codeagentd serve` serves: nothing of them runs, nothing
outside is read, and the others go on.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.e2e.conftest import SHOP
from tests.harness.raw_session import INITIALIZE
from tests.harness.repository_server import RepositoryServer
from tests.harness.world import World

OUTSIDE = "def outside_secret():\n    return 1\n"


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[World, RepositoryServer]]:
    """A server of one good repository and many bad ones."""
    with World() as world:
        folder = world.repository("repos/good", SHOP).parent
        outside = world.repository("outside", {"secret.py": OUTSIDE})
        (folder / "link").symlink_to(outside)
        (folder / "groups").mkdir()
        (folder / "groups" / "link").symlink_to(outside)
        make_armed(world, folder)
        make_borrower(world, folder, outside)
        make_linked_objects(world, folder, outside)
        for name in ("with space", "é", "-dash", "x" * 120, "at@sign"):
            world.repository(f"repos/{name}", {"a.py": "x = 1\n"})
        world.git(outside, "worktree", "add", "-q", str(folder / "worktree"))
        make_broken(world, folder)
        make_odd_trees(world, folder)
        with RepositoryServer(world, folder) as server:
            yield world, server


def make_armed(world: World, folder: Path) -> None:
    """A repository in which everything that git can be made to run leaves a mark."""
    repo = world.repository("repos/armed", {**SHOP, ".gitattributes": "*.py filter=evil diff=evil merge=evil ident\n"})
    script = folder.parent / "canary"
    script.write_text(f"#!/bin/sh\ntouch {folder.parent}/ran\ncat\n")
    script.chmod(0o755)
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman"):
        (repo / ".git/hooks").mkdir(exist_ok=True)
        (repo / ".git/hooks" / hook).write_text(script.read_text())
        (repo / ".git/hooks" / hook).chmod(0o755)
    for name in (
        "filter.evil.smudge", "filter.evil.clean", "filter.evil.process", "core.fsmonitor", "diff.evil.textconv",
        "diff.evil.command", "diff.external", "core.pager", "core.sshCommand", "core.alternateRefsCommand",
        "core.gitProxy", "uploadpack.packObjectsHook", "gpg.program", "core.editor", "alias.ls-tree", "credential.helper",
    ):  # fmt: skip
        world.git(repo, "config", name, str(script))
    world.git(repo, "config", "filter.evil.required", "true")
    world.git(repo, "config", "remote.origin.url", "ext::sh -c touch% ran")
    world.git(repo, "config", "remote.origin.promisor", "true")
    (repo / ".git/info/attributes").write_text("* filter=evil\n")


def make_borrower(world: World, folder: Path, outside: Path) -> None:
    """A repository whose objects are those of one outside."""
    repo = world.repository("repos/borrower", {"a.py": "x = 1\n"})
    (repo / ".git/objects/info").mkdir(exist_ok=True)
    (repo / ".git/objects/info/alternates").write_text(f"{outside}/.git/objects\n")
    (repo / ".git/refs/heads/stolen").write_text(world.git(outside, "rev-parse", "HEAD"))


def make_linked_objects(world: World, folder: Path, outside: Path) -> None:
    """A repository with a link to a folder of another one's objects."""
    repo = world.repository("repos/linked", {"a.py": "x = 1\n"})
    head = world.git(outside, "rev-parse", "HEAD").strip()
    place = repo / ".git/objects" / head[:2]
    if not place.exists():
        place.symlink_to(outside / ".git/objects" / head[:2])
    else:
        (place / head[2:]).symlink_to(outside / ".git/objects" / head[:2] / head[2:])
    (repo / ".git/refs/heads/stolen").write_text(head)


def make_broken(world: World, folder: Path) -> None:
    """Repositories without HEAD, without objects, with a HEAD in a circle, a pipe as HEAD, and an empty one."""
    for name in ("headless", "objectless", "circular", "piped", "missing"):
        world.repository(f"repos/{name}", {"a.py": "x = 1\n"})
    (folder / "headless/.git/HEAD").unlink()
    subprocess.run(["rm", "-r", str(folder / "objectless/.git/objects")], check=True)
    (folder / "circular/.git/refs/heads/main").write_text("ref: refs/heads/main\n")
    (folder / "piped/.git/HEAD").unlink()
    os.mkfifo(folder / "piped/.git/HEAD")
    blob = world.git(folder / "missing", "rev-parse", "HEAD:a.py").strip()
    (folder / "missing/.git/objects" / blob[:2] / blob[2:]).unlink()
    world.git(folder, "init", "-q", "-b", "main", str(folder / "empty"))


def make_odd_trees(world: World, folder: Path) -> None:
    """A repository whose commits have trees that no work tree may have."""
    repo = world.repository("repos/trees", {"a.py": "def fine():\n    return 1\n"})
    blob = world.git(repo, "rev-parse", "HEAD:a.py").strip()
    inner = tree_of(world, repo, [("100644", "config", blob)])
    link = object_of(world, repo, "blob", b"/etc/passwd")
    commits = {
        "dots": [("40000", "..", tree_of(world, repo, [("100644", "escaped.py", blob)])), ("100644", "a.py", blob)],
        "gitdir": [("40000", ".git", inner), ("40000", ".GIT", inner), ("100644", "a.py", blob)],
        "slash": [("100644", "../escaped.py", blob), ("100644", "a.py", blob)],
        "links": [("100644", "a.py", blob), ("120000", "passwd", link)],
        "clash": [("100644", "a", blob), ("100644", "a.py", blob), ("40000", "a", inner)],
        "long": [("100644", "a.py", blob), ("100644", "n" * 300 + ".py", blob)],
    }
    for name, entries in commits.items():
        world.git(repo, "branch", name, commit_of(world, repo, tree_of(world, repo, entries)))
    tree = tree_of(world, repo, [("100644", f"{number}.py", blob) for number in range(1_000)])
    for _ in range(12):  # a few objects that stand for 10^15 files
        tree = tree_of(world, repo, [("40000", f"d{number}", tree) for number in range(10)])
    world.git(repo, "branch", "bomb", commit_of(world, repo, tree))
    world.git(repo, "repack", "-adq")


def object_of(world: World, repo: Path, kind: str, content: bytes) -> str:
    command = ["git", "-C", str(repo), "hash-object", "-w", "-t", kind, "--stdin", "--literally"]
    done = subprocess.run(command, input=content, env=world.environment, capture_output=True, check=True)
    return done.stdout.decode().strip()


def tree_of(world: World, repo: Path, entries: list[tuple[str, str, str]]) -> str:
    return object_of(
        world, repo, "tree",
        b"".join(mode.encode() + b" " + name.encode() + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries),
    )  # fmt: skip


def commit_of(world: World, repo: Path, tree: str) -> str:
    return world.git(repo, "commit-tree", "-m", "odd", tree).strip()


def reasons(server: RepositoryServer) -> dict[str, str]:
    """The repositories of the list that are not served, with the reasons."""
    entries = server.site().ask("GET", "/repositories").json["repositories"]
    return {entry["name"]: entry["reason"] for entry in entries if not entry["served"]}


def test_nothing_that_a_repository_names_is_run(served: tuple[World, RepositoryServer]):
    world, server = served
    for tool, arguments in (
        ("get_callers", {"node_id": "compute_total"}), ("working_changes_impact", {"base": "main"}), ("search_code", {"query": "total"}),
        ("affected_tests", {"files": ["shop/pricing.py"]}), ("read_file", {"path": "shop/pricing.py"}),
    ):  # fmt: skip
        answer = server.call("armed", tool, **arguments)
        assert not answer.is_error, answer.structured_content
    assert not (world.base / "ran").exists()
    content = server.call("armed", "read_file", path="shop/pricing.py").structured_content["content"]
    assert content == SHOP["shop/pricing.py"]  # no filter, and no $Id$ of the attribute `ident`


def test_repositories_that_cannot_be_served_are_listed_with_the_reason(served: tuple[World, RepositoryServer]):
    _, server = served
    listed = reasons(server)
    for name, reason in {
        "link": "symbolic link", "groups/link": "symbolic link", "borrower": "alternates", "worktree": "linked work tree",
        "headless": "no HEAD", "objectless": "no objects", "circular": "circle", "piped": "odd kind", "with space": "ASCII",
        "é": "ASCII", "-dash": "ASCII", "x" * 100: "ASCII", "at@sign": "ASCII",
    }.items():  # fmt: skip
        assert reason in listed.get(name, ""), (name, listed)
    assert "good" not in listed


@pytest.mark.parametrize("target", ["link", "groups/link", "borrower", "borrower@stolen", "linked@stolen", "worktree", "circular", "piped", "empty"])  # fmt: skip
def test_what_cannot_be_served_is_a_coded_error(served: tuple[World, RepositoryServer], target: str):
    _, server = served
    reply = server.site().ask("GET", f"/r/{target}/api/node/outside_secret")
    assert reply.status in (404, 503), reply.body
    assert reply.json["error"]["code"] in ("not_found", "index_error")
    assert b"outside_secret" not in reply.body


@pytest.mark.parametrize(
    "target",
    [
        "../outside", "good/../../outside", "good/..", "..", ".", "", "/", "good\0", "a/b/c", "x" * 5_000, "good@--help", "good@-x", "good@" + "y" * 5_000,
        "good@main\nfoo", "good@HEAD~1", "good@main:a.py", "good@{u}", "good@../../HEAD", "good@refs/../HEAD", "good@:/x", "good@main^{/x}", "GOOD", "good.git/.",
        "with space", "é", "-dash", "good@zzzz", "good@" + "0" * 40,
    ],
)  # fmt: skip
def test_odd_targets_are_not_found(served: tuple[World, RepositoryServer], target: str):
    _, server = served
    for path in (f"/r/{quote(target, safe='')}", f"/r/{quote(target, safe='/@')}"):
        reply = server.site().ask("GET", f"{path}/api/stats")
        assert reply.status in (400, 404), reply.body
        posted = server.site().ask(
            "POST", f"{path}/mcp", json.dumps(INITIALIZE).encode(), **{"Content-Type": "application/json"}
        )
        assert posted.status in (400, 404, 405), posted.body


@pytest.mark.parametrize("branch", ["dots", "gitdir", "slash", "links", "clash", "long"])
def test_odd_trees_are_served_without_what_no_work_tree_may_have(served: tuple[World, RepositoryServer], branch: str):
    world, server = served
    target = f"trees@{branch}"
    reply = server.site().ask("GET", f"/r/{target}/api/stats")
    assert reply.status in (200, 503), reply.body
    if reply.status == 200:
        assert not server.call(target, "read_file", path="a.py").is_error
    escaped = [place for place in world.base.rglob("escaped.py") if "cache" in place.parts]
    assert escaped == []
    cache = Path(world.environment["CODEAGENT_CACHE_DIR"])
    assert not [place for place in cache.rglob("*") if place.is_symlink()]
    for name in ("passwd", ".git/config", ".GIT/config", "../git/config", "../../git/config"):
        answer: Any = server.call(target, "read_file", path=name) if reply.status == 200 else None
        assert answer is None or answer.is_error, answer


def test_a_tree_of_too_many_files_is_refused_and_not_unfolded(served: tuple[World, RepositoryServer]):
    _, server = served
    reply = server.site().ask("GET", "/r/trees@bomb/api/stats")
    while reply.status == 503 and "progress" in reply.json["error"]:
        reply = server.site().ask("GET", "/r/trees@bomb/api/stats")
    assert (reply.status, reply.json["error"]["code"]) == (503, "index_error")
    message = reply.json["error"]["message"]
    assert "more than 1,000,000 files" in message or "within 30 s" in message
    assert server.site().ask("GET", "/r/good/api/stats").status == 200


def test_objects_that_are_missing_are_an_error(served: tuple[World, RepositoryServer]):
    _, server = served
    reply = server.site().ask("GET", "/r/missing/api/stats")
    assert (reply.status, reply.json["error"]["code"]) == (503, "index_error"), reply.body
    assert "missing" in reply.json["error"]["message"]


def test_paths_of_the_server_are_not_told(served: tuple[World, RepositoryServer]):
    world, server = served
    for path in (str(world.base / "outside"), str(world.base / "outside/secret.py"), "/etc/passwd"):
        answer = server.call("good", "read_file", path=path)
        assert answer.is_error
        assert "another repository" not in json.dumps(answer.structured_content)


def test_a_repository_of_another_owner_is_served(served: tuple[World, RepositoryServer]):
    world, server = served
    repo = world.repository("repos/theirs", SHOP)
    if os.geteuid():
        pytest.skip("only root can give files away")
    for folder, _, names in os.walk(repo):
        for name in (".", *names):
            os.chown(os.path.join(folder, name), 12_345, 12_345)
    assert not server.call("theirs", "search_symbols", query="checkout").is_error
