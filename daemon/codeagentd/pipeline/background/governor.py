"""The governor of background work: none on battery, none while the machine is busy, and only in a limited number of a
user's daemons at the same time.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from codeagent_protocol.locks import FileLock
from codeagentd.base.host_load import load_per_core, on_battery
from codeagentd.base.limits import BACKGROUND_DAEMONS, CARE_S, LOAD_HIGH, LOAD_LOW, MAX_INDEX_BYTES, TURN_S


class Governor:
    """Decides whether text, vectors and new analyses may be computed now. Thread-safe.

    `place` is the directory of the slots that all daemons of a user share: file locks, which the kernel frees when a
    daemon dies. Without it only the size of `index` is considered.
    """

    def __init__(
        self, index: Path, place: Path | None = None, max_index_bytes: int = MAX_INDEX_BYTES, *,
        load: Callable[[], float] = load_per_core, battery: Callable[[], bool] = on_battery,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._index = index
        self._most = max_index_bytes
        self._load, self._battery, self._ticks = load, battery, ticks
        self._slots = (
            [FileLock(str(place / f"background.{number}")) for number in range(BACKGROUND_DAEMONS)] if place else []
        )
        self._is_considerate = place is not None
        self._lock = threading.Lock()
        self._next_look = 0.0
        self._turn_ends = 0.0
        self._trouble = ""  # why the machine is too busy
        self._waits = False  # for a slot

    @property
    def reason(self) -> str:
        """The reason why background work pauses; '' when it may run."""
        return self._trouble or (
            f"{BACKGROUND_DAEMONS} other daemons are at work in the background" if self._waits else ""
        )

    @property
    def is_full(self) -> bool:
        """Whether `index` is so large that only the graph is kept up to date, without text and vectors."""
        try:
            return os.stat(self._index).st_size > self._most
        except OSError:
            return False

    def has_spare_capacity(self) -> bool:
        """Whether the machine has power and processor time to spare; for short work, which needs no slot."""
        with self._lock:
            self._look_at_machine()
            return not self._trouble

    def may_work(self) -> bool:
        """Whether long work may go on. True takes a slot, which is kept until `release_slot`, or until it is another
        daemon's turn.
        """
        with self._lock:
            was_looked_at = self._look_at_machine()
            if self._trouble:
                self._release()
            elif was_looked_at:
                self._take_turn()
            return not self._trouble and not self._waits

    def release_slot(self) -> None:
        """Free the slot of the long work, because no work is left."""
        with self._lock:
            self._release()
            self._waits = False

    def _look_at_machine(self) -> bool:
        """Read the load and the battery, at most every CARE_S seconds. Returns whether they were read."""
        now = self._ticks()
        if now < self._next_look or not self._is_considerate:
            return False
        self._next_look = now + CARE_S
        load = self._load()
        if self._battery():
            self._trouble = "the machine runs on battery"
        elif load > (
            LOAD_LOW if self._trouble else LOAD_HIGH
        ):  # hysteresis: background work must not switch itself off and on
            self._trouble = f"the machine is busy (load {load:.1f} a core)"
        else:
            self._trouble = ""
        return True

    def _take_turn(self) -> None:
        now = self._ticks()
        if any(slot.is_held for slot in self._slots):
            self._waits = now >= self._turn_ends
            if self._waits:
                self._release()  # taken again at the next look, unless another daemon was waiting
            return
        self._turn_ends = now + TURN_S
        self._waits = not any(map(_try_take, self._slots))

    def _release(self) -> None:
        for slot in self._slots:
            slot.release()


def _try_take(slot: FileLock) -> bool:
    try:
        return slot.try_take()
    except OSError:  # a runtime directory that was cleared away
        return True
