"""The command of a release: what it makes, from which files, and what it refuses."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import archives
import artefacts
import command
import commit
import pytest
from artefacts import Artefact
from programs import Tool

from tests.harness import git_repositories


def packed(sources: Path, out: Path) -> list[Path]:
    """Build an archive of all sources."""
    return [archives.write_tar(out / "all.tar.gz", archives.files_below(sources))]


def listing(_: Path, out: Path) -> list[Path]:
    """Build a file that says what else is in the release, and when."""
    text = f"{sorted(os.listdir(out))} {archives.release_time()}\n"
    path = out / "listing.txt"
    path.write_text(text)
    return [path]


TABLE = (Artefact("packed", "the sources", packed), Artefact("listing", "what there is", listing, after=("packed",)))


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two artefacts; the environment is put back."""
    repository = git_repositories.repository(tmp_path / "checkout")
    monkeypatch.setattr(commit, "ROOT", repository)
    monkeypatch.setattr(artefacts, "ARTEFACTS", TABLE)
    for name in ("SOURCE_DATE_EPOCH", "TZ", "LC_ALL", "PYTHONHASHSEED", "COLUMNS"):
        monkeypatch.setenv(name, "")
    return repository


@pytest.mark.parametrize("name", [artefact.name for artefact in artefacts.ARTEFACTS])
def test_the_page_about_releases_says_what_an_artefact_is_for(name: str):
    page = Path(__file__).parents[3] / "docs/releasing.md"
    assert f"\n| `{name}` | " in page.read_text()


def test_a_release_has_every_artefact_and_checksums_that_are_right(tmp_path: Path):
    out = tmp_path / "dist"
    assert command.main(["--out", str(out)]) == 0
    assert sorted(os.listdir(out)) == ["SHA256SUMS", "all.tar.gz", "listing.txt"]
    checked = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=out, capture_output=True, text=True)
    assert checked.stdout.splitlines() == ["all.tar.gz: OK", "listing.txt: OK"]


def test_a_later_artefact_sees_the_earlier_one_and_the_time_of_the_commit(tmp_path: Path, checkout: Path):
    command.main(["--out", str(tmp_path / "dist"), "--only", "listing"])
    time = git_repositories.run(checkout, "log", "-1", "--format=%ct")
    assert (tmp_path / "dist/listing.txt").read_text() == f"['all.tar.gz'] {time}\n"


def test_files_that_git_ignores_are_not_released(tmp_path: Path, checkout: Path):
    command.main(["--out", str(tmp_path / "first")])
    (checkout / ".git/info/exclude").write_text("secret.env\n")
    (checkout / "secret.env").write_text("TOKEN=x")
    command.main(["--out", str(tmp_path / "second")])
    assert (tmp_path / "first/all.tar.gz").read_bytes() == (tmp_path / "second/all.tar.gz").read_bytes()


def test_a_checkout_with_changes_is_refused_with_their_names(tmp_path: Path, checkout: Path):
    (checkout / "a.py").write_text("changed")
    with pytest.raises(SystemExit, match=r"(?s)made of a commit.* M a\.py"):
        command.main(["--out", str(tmp_path / "dist")])
    assert not (tmp_path / "dist").exists()


def test_a_folder_with_other_files_is_refused_and_kept(tmp_path: Path):
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist/thesis.txt").write_text("mine")
    with pytest.raises(SystemExit, match=r"holds other files: thesis\.txt"):
        command.main(["--out", str(tmp_path / "dist")])
    assert (tmp_path / "dist/thesis.txt").read_text() == "mine"


def test_an_earlier_release_is_replaced(tmp_path: Path):
    command.main(["--out", str(tmp_path / "dist")])
    command.main(["--out", str(tmp_path / "dist"), "--only", "packed"])
    assert sorted(os.listdir(tmp_path / "dist")) == ["SHA256SUMS", "all.tar.gz"]


def test_a_missing_program_is_named_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    needy = Artefact("needy", "", packed, needs=(Tool("no-such-program", "the package of it"),))
    monkeypatch.setattr(artefacts, "ARTEFACTS", (*TABLE, needy))
    with pytest.raises(
        SystemExit, match=r"needy needs no-such-program: install the package of it, or .*--without needy"
    ):
        command.main(["--out", str(tmp_path / "dist")])
    assert command.main(["--out", str(tmp_path / "dist"), "--without", "needy"]) == 0


def test_an_unknown_artefact_is_refused_with_the_names_that_there_are():
    with pytest.raises(SystemExit, match="there is no artefact wheel; there are packed, listing"):
        command.main(["--only", "wheel"])


def test_an_artefact_that_another_is_made_from_cannot_be_left_out():
    with pytest.raises(SystemExit, match="others are made from packed"):
        command.main(["--without", "packed"])


def test_the_table_of_the_result_is_also_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    command.main(["--out", str(tmp_path / "dist"), "--only", "packed", "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert row["bytes"] == (tmp_path / "dist/all.tar.gz").stat().st_size
    assert row["sha256"] in (tmp_path / "dist/SHA256SUMS").read_text()
