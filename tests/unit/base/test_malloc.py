"""What glibc is told of memory; other libraries are not asked."""

from __future__ import annotations

import ctypes
import sys

import pytest

from codeagentd.base import malloc


class Glibc:
    """Notes what it is told."""

    def __init__(self, told: list[tuple[int, ...]]) -> None:
        self.mallopt = self.malloc_trim = lambda *numbers: told.append(numbers)


class Musl:
    """A C library without glibc's own functions."""


def test_glibc_is_told_and_a_library_without_its_functions_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, ...]] = []
    for library in (Glibc(told), Musl()):
        monkeypatch.setattr(ctypes, "CDLL", lambda name, library=library: library)
        malloc.share_heaps()
        malloc.return_free_memory()
    assert told == ([(-8, malloc.ARENAS), (0,)] if sys.platform == "linux" else [])
