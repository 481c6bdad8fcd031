"""Access of the roles of a team's server to projects, and the state of the memories' place for people."""

from __future__ import annotations

from typing import Final, NamedTuple

from codeagent_protocol.errors import InvalidParameter, NotFound, StoreFailed
from codeagentd.memory.memory_store import MemoryStore

_OWNER: Final = "let the database's owner do that: the role that made its schema"


class Grant(NamedTuple):
    """A role, the projects that it may read (one, a beginning followed by *, or * for all), and whether it may write
    them.
    """

    role: str
    project: str
    may_write: bool


def grant(memories: MemoryStore, new: Grant) -> None:
    """Let a role read, or read and write, projects. Errors: db_error for anybody but the database's owner."""
    _check(memories)
    with memories.store.write() as db:
        _check_owner(bool(db.value("access.is_owner")))
        db.run("access.admit", (new.role,))
        db.run("access.put", new)


def revoke(memories: MemoryStore, role: str, project: str) -> None:
    """Take back what was granted. Errors: not_found; db_error for anybody but the database's owner."""
    _check(memories)
    with memories.store.write() as db:
        _check_owner(bool(db.value("access.is_owner")))
        if db.value("access.delete", (role, project)) is None:
            raise NotFound(f"{role} was not granted {project!r}", remedy="`codeagentd memory grants` lists what was")
        db.run("access.dismiss", (role, role))


def grants(memories: MemoryStore) -> list[Grant]:
    """Return what was granted, by role and project; only the database's owner sees it."""
    _check(memories)
    with memories.store.read() as db:
        _check_owner(bool(db.value("access.is_owner")))
        return [Grant(*row) for row in db.all("access.all")]


def trouble(memories: MemoryStore) -> tuple[str, str] | None:
    """Return (reason, remedy) if memories cannot be written now, or writes wait or were refused; else None."""
    result = memories.store.trouble
    waiting = memories.offline.waiting() if memories.offline else None
    if waiting and waiting.operations and result:
        return f"{result[0]}; {waiting.operations} writes wait for it", result[1]
    if result or not waiting or not waiting.refused:
        return result
    reason = f"the team's server has refused {waiting.refused} writes that had waited for it"
    return reason, "`codeagentd memory status` lists them"


def _check(memories: MemoryStore) -> None:
    if memories.store.file is not None:
        raise InvalidParameter(
            "memory.url names no server: these memories are this user's own", remedy="set memory.url in config.json"
        )


def _check_owner(is_owner: bool) -> None:
    if not is_owner:
        raise StoreFailed("only the owner of the team's database grants access", remedy=_OWNER)
