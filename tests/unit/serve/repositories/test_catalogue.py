"""The repositories in a folder, by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagent_protocol.errors import NotFound
from codeagentd.serve.repositories.catalogue import Catalogue
from codeagentd.serve.repositories.revisions import Revisions, Target, target_of
from tests.harness.past import committed, run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """`shop`, `team/tools` and the bare `copy`, and what is no repository."""
    top = tmp_path / "repos"
    shop = committed(top / "shop", {"a.py": "x = 1\n"})
    committed(top / "team" / "tools", {"a.py": "x = 2\n"})
    run(shop, "clone", "-q", "--bare", str(shop), str(top / "copy.git"))
    (top / "empty").mkdir()
    (top / "team" / "deeper" / "still").mkdir(parents=True)
    committed(top / "team" / "deeper" / "still" / "hidden", {"a.py": ""})
    (top / "README").write_text("no repository")
    return top


def test_repositories_are_listed_by_name_with_their_heads(folder: Path) -> None:
    listed = Catalogue(folder).listed()
    assert [(item.name, item.reason, item.branch) for item in listed] == [
        ("copy", "", "main"), ("shop", "", "main"), ("team/tools", "", "main"),
    ]  # fmt: skip
    assert listed[1].head == run(folder / "shop", "rev-parse", "HEAD").strip()


def test_a_checked_out_repository_goes_before_a_bare_one_of_the_same_name(folder: Path) -> None:
    committed(folder / "copy", {"a.py": "x = 3\n"})
    listed = {item.name: item.reason for item in Catalogue(folder).listed()}
    assert listed["copy"] == ""
    assert "another repository's name" in listed["copy.git"]
    assert Catalogue(folder).find("copy").root == folder / "copy"


@pytest.mark.parametrize(
    "name", ["empty", "team", "team/deeper/still", "team/deeper", "shop/", "/shop", "SHOP", "shop.git"]
)
def test_what_is_no_repository_is_not_there(folder: Path, name: str) -> None:
    with pytest.raises(NotFound, match="there is no repository"):
        Catalogue(folder).find(name)


def test_a_repository_is_another_one_when_its_folder_was_replaced(folder: Path) -> None:
    catalogue = Catalogue(folder)
    before = catalogue.find("shop").source.identity
    assert catalogue.find("shop").source.identity == before
    (folder / "shop").rename(folder / "old")
    committed(folder / "shop", {"a.py": "x = 4\n"})
    assert catalogue.find("shop").source.identity != before


def test_branches_tags_and_hashes_lead_to_commits(folder: Path, tmp_path: Path) -> None:
    shop = folder / "shop"
    first = run(shop, "rev-parse", "HEAD").strip()
    run(shop, "tag", "-m", "annotated", "v1")
    run(shop, "checkout", "-q", "-b", "feature/x@y")
    run(shop, "commit", "-q", "--allow-empty", "-m", "second")
    second = run(shop, "rev-parse", "HEAD").strip()
    run(shop, "branch", "v1", second)  # a branch goes before a tag of the same name
    revisions = Revisions(Catalogue(folder), tmp_path)
    cases = {
        "": second, "HEAD": second, "main": first, "refs/tags/v1": first, "v1": second, "feature/x@y": second,
        first: first, first[:8]: first, first[:8].upper(): first,
    }  # fmt: skip
    for packed in (False, True):
        if packed:
            run(shop, "pack-refs", "--all")
            run(shop, "gc", "-q")
        for revision, commit in cases.items():
            assert revisions.resolve(Target("shop", revision))[1] == commit, (revision, packed)


@pytest.mark.parametrize("revision", ["none", "abc", "f" * 40, "main~1", "refs/heads", "../config", "config"])
def test_a_revision_that_is_not_there_is_not_found(folder: Path, tmp_path: Path, revision: str) -> None:
    with pytest.raises(NotFound, match="has no branch, tag or commit"):
        Revisions(Catalogue(folder), tmp_path).resolve(Target("shop", revision))


def test_a_file_is_no_commit(folder: Path, tmp_path: Path) -> None:
    blob = run(folder / "shop", "rev-parse", "HEAD:a.py").strip()
    with pytest.raises(NotFound):
        Revisions(Catalogue(folder), tmp_path).resolve(Target("shop", blob))


def test_repositories_of_long_hashes_are_served_too(tmp_path: Path) -> None:
    place = tmp_path / "repos/long"
    place.mkdir(parents=True)
    run(place, "init", "-q", "-b", "main", "--object-format=sha256")
    (place / "a.py").write_text("x = 1\n")
    run(place, "add", "-A")
    run(place, "commit", "-qm", "first")
    _, commit = Revisions(Catalogue(tmp_path / "repos"), tmp_path).resolve(Target("long"))
    assert len(commit) == 64


def test_a_target_is_a_name_and_a_revision() -> None:
    assert target_of("a/b") == Target("a/b")
    assert target_of("a/b@feature/x@y") == Target("a/b", "feature/x@y")
