"""What glibc is told of memory; other libraries are not asked."""

from __future__ import annotations

import ctypes

import pytest

from codeagentd.base import heap


class Musl:
    """A C library without glibc's own functions."""


def test_a_library_without_them_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: Musl())
    heap.share_heaps()
    heap.give_memory_back()
