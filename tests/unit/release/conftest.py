"""Fixtures of the tests of releases."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def date_of_the_commit(monkeypatch: pytest.MonkeyPatch) -> int:
    """The time that all files of a release have, in seconds since 1970: 2023-11-14 22:13:20 UTC."""
    moment = 1_700_000_000
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(moment))
    return moment
