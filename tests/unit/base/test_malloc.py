"""What glibc is told of memory; other libraries are not asked."""

from __future__ import annotations

import ctypes
import os
import sys

import pytest

from codeagent_protocol.launch import HEAP_SETTING
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


def test_what_was_set_for_the_daemon_alone_is_passed_on_to_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, remains in ((HEAP_SETTING[1], None), ("of the user", "of the user")):
        monkeypatch.setenv(HEAP_SETTING[0], value)
        malloc.share_heaps()
        assert os.environ.get(HEAP_SETTING[0]) == remains
