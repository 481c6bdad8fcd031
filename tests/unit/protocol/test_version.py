"""Which of two versions is the newer one."""

from __future__ import annotations

import pytest

from codeagent_protocol.version import version_of


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("0.1.0", "0.1.1"),
        ("0.9.9", "0.10.0"),
        ("1.2", "1.2.1"),
        ("", "0.0.1"),
        ("nonsense", "0.1"),
        ("0.1.0", "1.0.0.dev3"),
    ],
)
def test_versions_are_compared_by_their_numbers(older, newer):
    assert version_of(older) < version_of(newer)


@pytest.mark.parametrize("same", ["0.1.0", "0.1.0rc1", "0.1.0.post2", "0.1.0+local"])
def test_what_follows_the_numbers_does_not_count(same):
    assert version_of(same) == (0, 1, 0)
