"""The extension of VS Code as it is released: what its archive has, and that its program loads."""

from __future__ import annotations

import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import pytest

from codeagent_protocol.version import __version__

pytestmark = [pytest.mark.long, pytest.mark.limit(600)]

NAMESPACE = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"


@pytest.fixture
def vsix(release: Path) -> zipfile.ZipFile:
    """The archive."""
    (path,) = release.glob("*.vsix")
    return zipfile.ZipFile(path)


def test_it_has_the_program_and_nothing_of_its_sources(vsix: zipfile.ZipFile):
    assert {*vsix.namelist()} == {
        "[Content_Types].xml",
        "extension.vsixmanifest",
        "extension/LICENSE.txt",
        "extension/dist/extension.js",
        "extension/package.json",
        "extension/readme.md",
    }


def test_its_manifests_name_this_version(vsix: zipfile.ZipFile):
    identity = ET.fromstring(vsix.read("extension.vsixmanifest")).find(f"{NAMESPACE}Metadata/{NAMESPACE}Identity")
    assert identity is not None
    assert (identity.get("Id"), identity.get("Version")) == ("codeagentd", __version__)
    assert json.loads(vsix.read("extension/package.json"))["version"] == __version__


def test_its_program_is_whole(vsix: zipfile.ZipFile, tmp_path: Path):
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    vsix.extractall(tmp_path)
    assert subprocess.run(["node", "--check", tmp_path / "extension/dist/extension.js"], check=False).returncode == 0
