"""Export and import of memories and tasks as lines of JSON.

An import does not change existing entries, so that it can be repeated.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import IO, Annotated, Any, Final

import msgspec
from msgspec import Meta

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.identifier_words import spelled
from codeagentd.model.kept_texts import NOT_KEPT, kept_texts, without_secrets
from codeagentd.model.memory import Content, MemoryId, MemoryType, Share, Title
from codeagentd.model.tasks import TaskId, TaskStatus, TaskType
from codeagentd.store.memory_backend import MemoryConnection

from . import metadata as fields
from .memory_rows import Row
from .memory_store import Caller, MemoryStore, as_json, note
from .task_states import BLOCKED, DONE, IN_PROGRESS, PENDING
from .task_views import Task
from .tasks import check_circle
from .write import digest_of

VERSION: Final = 1
AT_ONCE: Final = 200  # lines written in one transaction: other daemons can write in between

Named = Annotated[str, Meta(extra=NOT_KEPT)]  # existing entries
# what a database and a calendar can hold: a line with more would be stored, and each list of memories fail with it
Moment = Annotated[float, Meta(ge=0, le=253_402_300_799)]  # unix seconds, to the end of the year 9999
Number = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Hexadecimal = Annotated[str, Meta(pattern=r"^(?:[0-9a-fA-F]{2})*$", max_length=128)]
# of one line: twice what the longest content, or a task with the most and longest names of files, can have
MAX_LINE_BYTES: Final = 4_000_000
LONGEST_NUMBER: Final = 9  # digits of a task's own number


class Line(msgspec.Struct, tag_field="kind"):
    """One line of an export."""


class Header(Line, tag="codeagentd-memory", kw_only=True):
    """The first line of an export."""

    version: int = VERSION


class MemoryLine(Line, tag="memory", kw_only=True):
    """A memory. `anchors`: of each [repository, kind, uid, name, path, digest, body], bytes in hexadecimal."""

    id: MemoryId
    type: MemoryType
    content: Content
    title: Title = ""
    metadata: dict[str, Any] = {}
    tags: list[str] = []
    project: str = ""
    confidence: Share = 1.0
    source_task: str = ""
    repository: Named = ""
    access_count: Number = 0
    last_accessed: Moment = 0
    created_at: Moment
    updated_at: Moment
    anchors: Annotated[list[tuple[str, str, Hexadecimal, str, str, Hexadecimal, Number]], Meta(extra=NOT_KEPT)] = []


class LinkLine(Line, tag="link", kw_only=True):
    """A link between two memories."""

    from_id: MemoryId
    to_id: MemoryId
    strength: Share
    reason: str = ""
    automatic: bool = False


class TaskLine(Line, tag="task", kw_only=True):
    """A task; leases are not exported."""

    id: TaskId
    project: str
    type: TaskType
    name: str
    status: TaskStatus
    priority: Number
    description: str = ""
    files_exclusive: list[str] = []
    files_readonly: list[str] = []
    depends_on: list[TaskId] = []
    parent: Named = ""
    suggested_model: str = ""
    resolved_by: Named = ""
    summary: str = ""
    repository: Named = ""
    created_at: Moment
    updated_at: Moment


_decoder = msgspec.json.Decoder(Header | MemoryLine | LinkLine | TaskLine)


def exported(memories: MemoryStore) -> Iterator[bytes]:
    """Yield the whole database as the lines of an export, from one consistent snapshot."""
    with memories.store.read() as db:
        yield msgspec.json.encode(Header())
        after = 0
        while rows := [Row(*row) for row in db.all("memory.exported", (after, AT_ONCE))]:
            after = rows[-1].number
            yield from map(msgspec.json.encode, _memories(db, rows))
        for source, target, reason, strength, automatic in db.all("memory.all_links"):
            yield msgspec.json.encode(
                LinkLine(from_id=source, to_id=target, reason=reason, strength=strength, automatic=bool(automatic))
            )
        after = 0
        while tasks := [Task(*row) for row in db.all("tasks.listed", _every_task(after))]:
            after = tasks[-1].number
            yield from (msgspec.json.encode(_task(db, task)) for task in tasks)


def _every_task(after: int) -> dict[str, Any]:
    return {"project": None, "status": None, "type": None, "after": after, "limit": AT_ONCE}


def _memories(db: MemoryConnection, rows: list[Row]) -> Iterator[MemoryLine]:
    anchors: dict[int, list[Any]] = {}
    numbers = as_json([row.number for row in rows])
    for memory, repository, kind, uid, name, path, digest, body in db.all("anchors.of_memories", (numbers,)):
        anchors.setdefault(memory, []).append((repository, kind, uid.hex(), name, path, digest.hex(), body))
    for row in rows:
        values = row._asdict() | {"metadata": msgspec.json.decode(row.metadata), "tags": msgspec.json.decode(row.tags)}
        del values["number"]
        yield MemoryLine(**values, anchors=anchors.get(row.number, []))


def _task(db: MemoryConnection, task: Task) -> TaskLine:
    values = {name: getattr(task, name) for name in TaskLine.__struct_fields__ if name not in ("depends_on", "parent")}
    lists = {name: msgspec.json.decode(values[name]) for name in ("files_exclusive", "files_readonly")}
    needs = [needed for needed, _ in db.all("tasks.needs", (task.number,))]
    return TaskLine(**(values | lists), depends_on=needs, parent=task.parent_id or "")


def imported(memories: MemoryStore, lines: Iterable[bytes]) -> tuple[Counter[str], Counter[str]]:
    """Store the memories, links and tasks of an export, one a line.

    Returns: the numbers of new entries and of existing ones, by kind. Errors: invalid_parameter with the line's number,
    or with a task that would wait for ever.
    """
    new: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for batch in _batches(_read(lines)):
        with memories.store.write() as db:
            for line in batch:
                kind = type(line).__struct_config__.tag
                (new if _put(db, line) else known)[str(kind)] += 1
    return new, known


def lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file, but not the blank ones. A line that is too long for an export comes in parts."""
    return (line for line in iter(lambda: file.readline(MAX_LINE_BYTES + 1), b"") if line.strip())


def _batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    while batch := list(itertools.islice(lines, AT_ONCE)):
        yield batch


def _read(lines: Iterable[bytes]) -> Iterator[Line]:
    for number, text in enumerate(lines, start=1):
        try:
            if len(text) > MAX_LINE_BYTES:
                raise InvalidParameter(f"it has more than {MAX_LINE_BYTES:,} bytes", remedy="")
            line = _clean(_decoder.decode(text))
            if isinstance(line, MemoryLine):
                fields.checked(line.type, line.metadata)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, InvalidParameter) as error:
            raise InvalidParameter(
                f"line {number} is none of an export: {error}", remedy="import what `codeagentd memory export` wrote"
            ) from None
        if (number == 1) != isinstance(line, Header) or (isinstance(line, Header) and line.version > VERSION):
            raise InvalidParameter(
                f"line {number}: an export begins with its header, of version {VERSION} at most",
                remedy="update codeagentd",
            )
        if not isinstance(line, Header):
            yield line


def _clean(line: Line) -> Line:
    """The line without secrets: an older version, or another program, may have written some."""
    return msgspec.structs.replace(
        line, **{name: without_secrets(getattr(line, name)) for name in kept_texts(type(line))}
    )


def _put(db: MemoryConnection, line: Line) -> bool:
    if isinstance(line, MemoryLine):
        return _put_memory(db, line)
    if isinstance(line, LinkLine):
        return _put_link(db, line)
    return isinstance(line, TaskLine) and _put_task(db, line)


def _put_memory(db: MemoryConnection, line: MemoryLine) -> bool:
    values = msgspec.structs.asdict(line) | {"metadata": as_json(line.metadata), "tags": as_json(line.tags)}
    del values["anchors"]
    db.run("memory.open_project", (line.project,))
    number = db.value("memory.restored", values | {"digest": digest_of(line.title, line.content)})
    if number is None:
        return False
    db.recall.put_words(number, spelled(line.title), spelled(line.content), " ".join(line.tags))
    rows = [
        (number, repository, kind, bytes.fromhex(uid), name, path, bytes.fromhex(seen), body)
        for repository, kind, uid, name, path, seen, body in line.anchors
    ]
    db.run_many("anchors.put", rows)
    note(db, Caller(), "import", line.id, None, {"title": line.title, "type": line.type})
    return True


def _put_link(db: MemoryConnection, line: LinkLine) -> bool:
    numbers: dict[str, int] = dict(db.all("memory.numbers_of", (as_json([line.from_id, line.to_id]),)))
    if len(numbers) < 2 or db.value("memory.has_link", (numbers[line.from_id], numbers[line.to_id])):
        return False
    values = {
        "source": numbers[line.from_id],
        "target": numbers[line.to_id],
        "reason": line.reason,
        "strength": line.strength,
    }
    db.run("memory.put_link", values | {"automatic": int(line.automatic), "now": 0})
    return True


def _put_task(db: MemoryConnection, line: TaskLine) -> bool:
    status = {IN_PROGRESS: PENDING, BLOCKED: PENDING}.get(line.status, line.status)
    values = msgspec.structs.asdict(line) | {
        "status": status, "files_exclusive": as_json(line.files_exclusive),
        "files_readonly": as_json(line.files_readonly),
    }  # fmt: skip
    del values["depends_on"]
    db.run("memory.open_project", (line.project,))
    number = db.value("tasks.restored", values)
    if number is None:
        return False
    db.run_many("tasks.depend", [(number, needed) for needed in line.depends_on if needed != line.id])
    tasks = (db.row("tasks.by_id", (id_,)) for id_ in line.depends_on if id_ != line.id)
    parent = db.row("tasks.by_id", (line.parent,))
    check_circle(db, [Task(*row).number for row in tasks if row], Task(*parent).number if parent else None, line.id)
    own = line.id.rpartition("-")[2]
    if own.isdecimal() and len(own) <= LONGEST_NUMBER:
        db.run("tasks.count_from", (line.project, line.type, int(own)))
    note(db, Caller(), "import", line.id, None, {"name": line.name, "done": status == DONE})
    return True
