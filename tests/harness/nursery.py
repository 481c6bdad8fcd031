"""Extract workers for engines of the test process, forked from one that has read all modules: starting each from nothing was half of what the tests cost.

A forked worker is a process like any other: its own session, pipes, environment and exit code; what it is asked runs the same code.
Run as a program this is the one they are forked from: requests come by its stdin, a socket, with the descriptors that the worker gets.
"""

from __future__ import annotations

import atexit
import functools
import gc
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tree_sitter import Language as Grammar
from tree_sitter import Query

from codeagentd.languages import grammar
from codeagentd.languages.language import QueryFile, languages, query_files
from codeagentd.languages.query_compiler import compiled
from codeagentd.pipeline.workers import worker
from codeagentd.pipeline.workers.pool import KEEP_HEAP

LONGEST = 1 << 20  # bytes of a request
GIVEN = 3  # descriptors: stdin, stdout, where its end is told

_one = threading.Lock()  # request at once


class Forked:
    """A worker as its owner sees it: the part of ChildProcess that the pool uses."""

    def __init__(self, pid: int, stdin: int, stdout: int, end: int) -> None:
        self.pid = pid
        self.stdin, self.stdout = os.fdopen(stdin, "wb", buffering=0), os.fdopen(stdout, "rb", buffering=0)
        self.returncode: int | None = None
        self._end = os.fdopen(end, "rb", buffering=0)

    def kill(self) -> None:
        """End it, if it has not ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def kill_and_wait(self) -> None:
        """End it and wait for that."""
        self.kill()
        self.wait()

    def close_pipes(self) -> None:
        """Close the pipes to it."""
        self.stdin.close()
        self.stdout.close()

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._end, selectors.EVENT_READ)
            return self.wait() if self.returncode is None and selector.select(0) else self.returncode

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        if self.returncode is None:
            self.returncode = int(self._end.read() or -signal.SIGKILL)
            self._end.close()
        return self.returncode


def started(arguments: Sequence[str]) -> Forked:
    """A worker with these arguments, in place of codeagentd.pipeline.workers.pool.start_worker."""
    ends = [os.pipe(), os.pipe(), os.pipe()]
    (child_in, stdin), (stdout, child_out), (end, child_end) = ends
    request = json.dumps([arguments, dict(os.environ), str(Path.cwd())]).encode()
    with _one:
        parent = _nursery()
        socket.send_fds(parent, [request], [child_in, child_out, child_end])
        pid = int.from_bytes(parent.recv(8), "big")
    for given in (child_in, child_out, child_end):
        os.close(given)
    return Forked(pid, stdin, stdout, end)


@functools.cache
def _nursery() -> socket.socket:
    """The way to the one process per test process that forks; it ends when this end is closed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__))],
            stdin=theirs.fileno(),
            start_new_session=True,
            env=os.environ | KEEP_HEAP,
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


class Nursery:
    """Forks workers. While no request waits, it compiles the queries that any worker had to compile."""

    def __init__(self) -> None:
        self._requests = socket.socket(fileno=0)
        self._compiled, self._tell = os.pipe()  # names of languages
        self._ended, ended = os.pipe()
        os.set_blocking(ended, False)
        signal.set_wakeup_fd(ended)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._children: dict[int, int] = {}  # process -> where its end is told
        self._languages = {query_files(language): language for language in languages()}

    def run(self) -> None:
        """Run until no more requests can come."""
        gc.disable()
        while True:
            with selectors.DefaultSelector() as selector:
                for one in (self._requests.fileno(), self._ended, self._compiled):
                    selector.register(one, selectors.EVENT_READ)
                ready = {key.fd for key, _ in selector.select()}
            if self._requests.fileno() in ready:
                content, descriptors, _, _ = socket.recv_fds(self._requests, LONGEST, GIVEN)
                if not content:
                    return
                self._requests.send(self._fork(descriptors, *json.loads(content)).to_bytes(8, "big"))
            elif self._ended in ready:
                os.read(self._ended, 512)
                self._reap()
            else:
                for language in set(os.read(self._compiled, 512).decode().split()):
                    grammar.query(language)

    def _fork(self, descriptors: Sequence[int], arguments: list[str], environment: dict[str, str], folder: str) -> int:
        stdin, stdout, end = descriptors
        pid = os.fork()
        if not pid:
            os.setsid()
            for given, place in ((stdin, 0), (stdout, 1), (self._tell, 3)):
                os.dup2(given, place)
            os.closerange(4, 1024)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.environ.clear()
            os.environ.update(environment)
            os.chdir(folder)
            vars(grammar)["compiled"] = self._telling
            sys.argv[1:] = arguments
            worker.main()
            sys.exit()
        os.close(stdin)
        os.close(stdout)
        self._children[pid] = end
        return pid

    def _telling(self, one: Grammar, files: Sequence[QueryFile]) -> Query:
        """Compile, and tell for what language."""
        os.write(3, f"{self._languages[tuple(files)]} ".encode())
        return compiled(one, files)

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = found
                with os.fdopen(self._children.pop(pid), "wb") as end:
                    end.write(str(os.waitstatus_to_exitcode(status)).encode())


if __name__ == "__main__":
    Nursery().run()
