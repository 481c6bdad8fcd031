"""The overlaps of a task with other tasks in work: the same files, or files that call each other."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.tasks import Overlap
from codeagentd.query.graph.edges import bits

from .leases import Lease
from .memory_store import Code, as_json
from .task_views import Task

_CALLS: Final = bits("calls")
_paths = msgspec.json.Decoder(list[str])


def overlaps(code: Code, task: Task, leases: Iterable[Lease]) -> list[Overlap]:
    """Return the overlaps of `task` with the tasks in work, those in `leases`: files of this task that another one
    changes or reads, and files of another task that call, or are called by, files of this one.
    """
    others = [lease for lease in leases if lease.task != task.number and lease.repository == task.repository]
    return [Overlap(lease.id, reason) for lease in others for reason in _reasons(code, task, lease)]


def _reasons(code: Code, task: Task, lease: Lease) -> Iterator[str]:
    own, theirs = _paths.decode(task.files_exclusive), _paths.decode(lease.files_exclusive)
    for pairs, what in (
        (_shared(own, theirs), "both change"),
        (_shared(own, _paths.decode(lease.files_readonly)), "it reads what this task changes:"),
        (_shared(_paths.decode(task.files_readonly), theirs), "it changes what this task reads:"),
    ):
        if pairs:
            yield f"{what} {', '.join(pairs)}"
    for caller, called in _calls(code, own, theirs):
        yield f"{caller} calls {called}"


def _shared(first: list[str], second: list[str]) -> list[str]:
    return [path for path in first if any(_covers(path, other) or _covers(other, path) for other in second)]


def _covers(folder: str, path: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _calls(code: Code, own: list[str], theirs: list[str]) -> list[tuple[str, str]]:
    """The calls between two sets of files, as (calling file, called file)."""
    if not own or not theirs:
        return []
    ours, others = as_json(own), as_json(theirs)
    with code.read() as index:
        out = index.all("tasks.calls_between", {"own": ours, "others": others, "kinds": _CALLS})
        back = index.all("tasks.calls_between", {"own": others, "others": ours, "kinds": _CALLS})
    return [*out, *back]


def plain_paths(paths: list[str], parameter: str) -> list[str]:
    """Return `paths` normalised and relative to the repository, each once.

    Errors: invalid_parameter for paths that lead outside.
    """
    plain = []
    for path in paths:
        inside = posixpath.normpath(path.replace("\\", "/"))
        if posixpath.isabs(inside) or inside == ".." or inside.startswith("../"):
            raise InvalidParameter(
                f"{path[:100]!r} lies outside of the repository",
                remedy="give paths relative to its root",
                parameter=parameter,
            )
        plain.append(inside)
    return list(dict.fromkeys(plain))
