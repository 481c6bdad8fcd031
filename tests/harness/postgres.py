"""Private PostgreSQL servers for tests: Debian's, or the one in the wheel `pgserver`."""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psutil
import psycopg
from psycopg import sql

from tests.harness.waiting import eventually

START_S: Final = 30.0
OWNER: Final = "team"  # of the databases: no superuser, since policies do not hold for one
SETTINGS: Final = {
    "fsync": "off",  # the machine does not fail here, only the server: what it has written is written
    "full_page_writes": "off", "max_connections": "150", "shared_buffers": "64MB", "max_wal_size": "1GB",
    "log_min_messages": "fatal", "logging_collector": "off", "autovacuum_naptime": "10s",
}  # fmt: skip


@functools.cache
def folders() -> dict[str, Path]:
    """The folders with PostgreSQL's programs, by kind: `system`, `wheel`."""
    found = {}
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name)):
        if (folder / "initdb").exists() and int(folder.parent.name) >= 15:
            found["system"] = folder
    spec = importlib.util.find_spec("pgserver")
    if spec and spec.origin and (folder := Path(spec.origin).parent / "pginstall" / "bin").exists():
        found["wheel"] = folder if _may_run(folder) else _copied(folder)
    return {kind: folder for kind, folder in found.items() if _may_run(folder)}


def _as_user() -> list[str]:
    """The beginning of a command for PostgreSQL's programs, which refuse to run as root."""
    if os.getuid() != 0:
        return []
    user = _unprivileged()
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else ["false"]


def _may_run(folder: Path) -> bool:
    command = [*_as_user(), str(folder / "postgres"), "--version"]
    with contextlib.suppress(OSError):
        return subprocess.run(command, cwd="/", capture_output=True).returncode == 0
    return False


def _copied(folder: Path) -> Path:
    """The wheel's programs where every user can reach them: a checkout below root's home cannot be entered."""
    package = folder.parents[1]
    place = Path(tempfile.mkdtemp(prefix="cadpg-", dir="/tmp"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    os.chmod(place, 0o755)
    for name in (package.name, f"{package.name}.libs"):
        if (package.parent / name).exists():
            shutil.copytree(package.parent / name, place / name)
    return place / package.name / "pginstall" / "bin"


def missing() -> str:
    """Why no server can be started here; '' when one can."""
    if sys.platform == "win32":
        return "the tests start no PostgreSQL on Windows"
    return "" if folders() else "there is neither Debian's postgresql >= 15 nor the wheel pgserver"


class PostgresServer:
    """One server with its data in a folder of its own; `kind`: which programs, any by default."""

    def __init__(self, kind: str = "", **settings: str) -> None:
        self._programs = folders()[kind] if kind else next(iter(folders().values()))
        self.folder = Path(tempfile.mkdtemp(prefix="cadpg-", dir="/tmp"))
        self._user = _unprivileged() if os.getuid() == 0 else ""
        self._settings = SETTINGS | settings
        self._process: subprocess.Popen[bytes] | None = None
        self._names = 0
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        if self._user:
            shutil.chown(self.folder, self._user)
        os.chmod(self.folder, 0o755)
        self._run(
            "initdb", "-D", str(self._data), "-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-locale", "--no-sync"
        )
        self._hba()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _hba(self) -> None:
        (self._data / "pg_hba.conf").write_text(
            "local all all trust\nhost all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        )

    def _command(self, program: str, *arguments: str) -> list[str]:
        return [*_as_user(), str(self._programs / program), *arguments]

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(self._command(program, *arguments), cwd="/", capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        command = self._command(
            "postgres", "-D", str(self._data), "-k", str(self.folder), "-p", str(self.port),
            "-c", "listen_addresses=127.0.0.1", *options,
        )  # fmt: skip
        # after a kill, children of the former server may still be ending: then the new one ends at once
        eventually(lambda: self._begun(command), START_S, explain=(self.folder / "log").read_text)

    def _begun(self, command: list[str]) -> bool:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, cwd="/", stdout=log, stderr=log, start_new_session=True)
        process = self._process
        return eventually(lambda: process.poll() is not None or self._answers(), START_S) and process.poll() is None

    def _answers(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError):
            return bool(self.execute("SELECT 1"))
        return False

    def stop(self, how: int = signal.SIGINT) -> None:
        """Stop the server: SIGINT ends all sessions at once, SIGKILL is a crash."""
        if self._process is None:
            return
        children = psutil.Process(self._process.pid).children(recursive=True) if self._process.poll() is None else []
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(how)
        self._process.wait(START_S)
        psutil.wait_procs(children, START_S)
        self._process = None

    def restart(self, how: int = signal.SIGINT) -> None:
        """Stop and start the server."""
        self.stop(how)
        self.start()

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """For as long as the context lasts, the server accepts connections and says nothing."""
        assert self._process
        every = [process := psutil.Process(self._process.pid), *process.children(recursive=True)]
        for one in every:
            one.suspend()
        try:
            yield
        finally:
            for one in every:
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.resume()

    def close(self) -> None:
        """Stop the server and remove its data."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str = "postgres", role: str = "postgres") -> str:
        """The connection string of a database, at the server's socket."""
        return f"postgresql://{role}@/{database}?host={self.folder}&port={self.port}"

    def execute(self, statement: Any, database: str = "postgres", role: str = "postgres") -> list[Any]:
        """Execute a statement, outside of a transaction, and return its rows."""
        with psycopg.connect(self.url(database, role), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def role(self, name: str, password: str = "") -> None:
        """Make a role that may log in, unless there is one."""
        if not self.execute(sql.SQL("SELECT 1 FROM pg_roles WHERE rolname = {}").format(name)):
            self.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(name), password or None))

    def database(self, template: str = "template1") -> str:
        """Make a database of the role OWNER, and return its name."""
        self._names += 1
        name = f"d{self._names}"
        self.role(OWNER)
        self.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {}").format(
                sql.Identifier(name), sql.Identifier(template), sql.Identifier(OWNER)
            )
        )
        return name

    def drop(self, database: str) -> None:
        """Remove a database, with whoever is connected."""
        self.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database)))

    def migrated(self) -> str:
        """Make a database that has the present schema, and return its name; the schema is made once."""
        from codeagentd.store.postgres.postgres_database import PostgresDatabase

        if not self.execute("SELECT 1 FROM pg_database WHERE datname = 'd0'"):
            first = self.database()
            store = PostgresDatabase(self.url(first, OWNER))
            store.probe()
            store.close()
            eventually(lambda: not self.execute(f"SELECT 1 FROM pg_stat_activity WHERE datname = '{first}'"))
            self.execute(sql.SQL("ALTER DATABASE {} RENAME TO d0").format(sql.Identifier(first)))
        return self.database("d0")


def _unprivileged() -> str:
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), "")


@functools.cache
def session_server() -> PostgresServer:
    """The server of this test process; it ends with it."""
    server = PostgresServer()
    atexit.register(server.close)
    server.start()
    return server
