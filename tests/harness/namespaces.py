"""Two hosts on one machine: network namespaces joined by a pair of virtual interfaces, and a Dask cluster on them. Only for root."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.harness.waiting import eventually

ROOT = Path(__file__).resolve().parents[2]
ADDRESSES = ("10.213.77.1", "10.213.77.2")  # of these namespaces only
PORT = 8786
START_S = 60.0


def why_impossible() -> str:
    """Why there can be no such hosts here; '' if there can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "network namespaces need root on Linux"
    if not shutil.which("ip") or not shutil.which("taskset"):
        return "ip and taskset are not installed"
    name = f"ca{os.getpid()}x"
    done = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"no network namespace can be made: {done.stderr.strip()}"
    subprocess.run(["ip", "netns", "del", name], check=False)
    return ""


@dataclass(frozen=True)
class Host:
    """One namespace, its address, and the core that its processes run on."""

    name: str
    address: str
    core: int

    def command(self, *argv: str) -> list[str]:
        """`argv`, to be run on this host."""
        return ["ip", "netns", "exec", self.name, "taskset", "-c", str(self.core), *argv]


@contextlib.contextmanager
def two_hosts() -> Iterator[tuple[Host, Host]]:
    """Two hosts that reach each other, and nothing else."""
    cores = sorted(os.sched_getaffinity(0))
    first, second = (
        Host(f"ca{os.getpid()}{letter}", address, cores[number % len(cores)])
        for number, (letter, address) in enumerate(zip("ab", ADDRESSES, strict=True))
    )
    try:
        for host in (first, second):
            _ip("netns", "add", host.name)
        _ip("link", "add", "ca0", "netns", first.name, "type", "veth", "peer", "name", "ca0", "netns", second.name)
        for host in (first, second):
            _ip("-n", host.name, "address", "add", f"{host.address}/24", "dev", "ca0")
            for device in ("lo", "ca0"):
                _ip("-n", host.name, "link", "set", device, "up")
        yield first, second
    finally:
        for host in (first, second):
            subprocess.run(["ip", "netns", "del", host.name], capture_output=True, check=False)


@contextlib.contextmanager
def dask_on(
    scheduler: Host, workers: Sequence[Host], place: Path, environment: Mapping[str, str]
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and workers of one thread with caches of their own below `place`."""
    address = f"tcp://{scheduler.address}:{PORT}"
    dask = [sys.executable, "-m", "dask"]
    log = place / "dask.log"
    running: list[subprocess.Popen[bytes]] = []
    place.mkdir(parents=True, exist_ok=True)

    def start(host: Host, *words: str, cache: str = "") -> None:
        own = {"CODEAGENT_CACHE_DIR": str(place / cache)} if cache else {}
        if cache:
            (place / cache).mkdir(mode=0o700, exist_ok=True)
        with log.open("ab") as file:
            running.append(
                subprocess.Popen(
                    host.command(*dask, *words),
                    env={**environment, **own, "PYTHONPATH": str(ROOT)},
                    stdout=file,
                    stderr=file,
                    stdin=subprocess.DEVNULL,
                    cwd=place,
                )
            )

    try:
        start(scheduler, "scheduler", "--host", scheduler.address, "--port", str(PORT), "--no-dashboard")
        for number, host in enumerate(workers):
            start(
                host, "worker", address, "--host", host.address, "--nthreads", "1", "--nworkers", "1", "--no-dashboard",
                "--local-directory", str(place / f"scratch{number}"), cache=f"cache{number}",
            )  # fmt: skip
        eventually(lambda: log.read_text().count("Registered to") >= len(workers), START_S)
        yield address, running
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)
