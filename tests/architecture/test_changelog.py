"""The changelog is short, by release, under the usual headings."""

from __future__ import annotations

import re
from pathlib import Path

from codeagent_protocol.version import __version__

TEXT = (Path(__file__).resolve().parents[2] / "CHANGELOG.md").read_text()
HEADINGS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
LINES_OF_A_RELEASE = 200
RELEASE = re.compile(
    r"^## (\d+\.\d+\.\d+) \((unreleased|\d{4}-\d\d-\d\d)\)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL
)


def test_every_release_has_the_usual_headings_in_their_order_and_is_short() -> None:
    releases = RELEASE.findall(TEXT)
    assert len(releases) == len(re.findall(r"^## ", TEXT, re.MULTILINE)) >= 1
    for version, _, body in releases:
        assert re.findall(r"^### (.+)$", body, re.MULTILINE) == HEADINGS, version
        assert body.count("\n") <= LINES_OF_A_RELEASE, version


def test_the_newest_release_is_that_of_the_product() -> None:
    assert RELEASE.findall(TEXT)[0][0] == __version__
