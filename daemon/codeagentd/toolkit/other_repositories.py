"""The notice in errors and empty answers that an argument is a path of another repository, or of another work tree of
this one.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from codeagent_protocol import locks
from codeagent_protocol.endpoint import endpoint_at
from codeagent_protocol.errors import NOT_FOUND, PATH_ESCAPE, CodedError
from codeagentd.model.ids import uid_of
from codeagentd.vcs.checkout import work_trees
from codeagentd.vcs.repository_of_path import repository_of

from .call import Answer
from .context import Context
from .tool import Tool

MOST_TEXTS: Final = 20  # arguments of a call that are looked at
LONGEST: Final = 1_024  # characters of an argument that may be a path

_CODES: Final = (NOT_FOUND, PATH_ESCAPE)
_FILES: Final = frozenset(("files", "file_path", "context_path"))  # parameters
_BEHIND_PATH: Final = re.compile(r"::|#|:\d")  # what callers write behind a path: a symbol, an anchor, a line


class OtherRepository(msgspec.Struct, frozen=True):
    """A repository that the argument `text` leads to. `root`: its folder; `what`: the predicate about the path;
    `same_file`: the path of the same file in this work tree, '' where there is none; `is_inside`: it is a folder of
    this repository.
    """

    text: str
    root: str
    what: str
    same_file: str
    is_inside: bool

    @property
    def is_served(self) -> bool:
        """Whether a daemon serves it."""
        return locks.is_seen(endpoint_at(self.root).life_lock)

    @property
    def remedy(self) -> str:
        """What the caller can do."""
        served = "a daemon serves it" if self.is_served else "no daemon serves it yet"
        ways = f"ask in a window there, or `codeagentd call TOOL … --repo {shlex.quote(self.root)}` ({served})"
        here = f"the same file here is {self.same_file}; to ask about the other one, " if self.same_file else ""
        both = "; a workspace answers about both" if self.is_inside and not self.same_file else ""
        return f"{here}{ways}{both}"


def with_other_repository(answer: Answer, tool: Tool, ctx: Context, arguments: object) -> Answer:
    """Return `answer`, to a call with `arguments`, with a notice of the repository that one of them leads to, if that
    is another one and the answer found nothing.
    """
    value = answer.structured
    if not answer.is_error and (items := value.get("errors")):
        told = [_told_item(ctx, item) for item in items]
        return answer if told == items else _with(answer, {"errors": told})
    if not (answer.code in _CODES if answer.is_error else _may_lack(value, arguments)):
        return answer
    other = next(filter(None, (other_repository(ctx, text) for text in _texts(arguments))), None)
    if other is None:
        return answer
    if answer.is_error:
        return _with(answer, {"error": _told_error(value["error"], other)})
    notice = f"{other.text!r} {other.what}: {other.remedy}"
    field = "message" if value.get("found") is False and "message" in value else "note"
    if field not in tool.output_schema["properties"]:
        return answer
    rendered = f"{answer.rendered}\nNote: {notice}" if answer.rendered else ""
    joined = (" " if field == "message" else "; ").join(filter(None, (value.get(field, ""), notice)))
    return msgspec.structs.replace(_with(answer, {field: joined}), rendered=rendered)


def other_repository(ctx: Context, text: str) -> OtherRepository | None:
    """Return the repository that `text`, an argument, leads to as a path; None where it leads into this one, or
    nowhere.
    """
    if not text or len(text) > LONGEST or not text.isprintable() or uid_of(text) is not None:
        return None
    here = os.fspath(ctx.jail.root)
    for folder in ctx.folders:
        place = os.path.normpath(os.path.join(here, folder, text))
        root = repository_of(place)
        if not root or root == here:
            continue
        inside = os.path.relpath(root, here).replace(os.sep, "/") if root.startswith(here + os.sep) else ""
        if not inside or ctx.ignored(inside, True):
            return _described(ctx, text, root, place, inside)
    return None


def _described(ctx: Context, text: str, root: str, place: str, inside: str) -> OtherRepository:
    here = os.fspath(ctx.jail.root)
    where = "is" if place == root else "is in"
    if any(os.path.realpath(tree) == root for tree in work_trees(ctx.jail.root)):
        what = f"{where} {root}, another worktree of this repository, and this index is of {here}"
        return OtherRepository(text, root, what, _same_file(ctx, os.path.relpath(place, root)), bool(inside))
    if inside:
        what = f"{where} {inside}, a repository of its own inside of this one, which this index leaves out"
    elif here.startswith(root + os.sep):
        what = f"{where} {root}, the repository around this one"
    else:
        what = f"{where} {root}, another repository"
    return OtherRepository(text, root, what, "", bool(inside))


def _same_file(ctx: Context, path: str) -> str:
    """Return the path in this work tree of the file at `path` in another one; '' where there is none."""
    for reading in (path, _BEHIND_PATH.split(path)[0]):
        try:
            relative, place = ctx.jail.resolve(reading)
        except CodedError:
            continue
        if place.is_file():
            return relative
    return ""


def _texts(arguments: object) -> Iterator[str]:
    """The arguments that may be paths, at most MOST_TEXTS."""
    values = arguments.values() if isinstance(arguments, dict) else ()
    texts = [text for value in values for text in (value if isinstance(value, list) else (value,))]
    for text in [text for text in texts if isinstance(text, str)][:MOST_TEXTS]:
        name, at, place = text.rpartition("@")
        yield from (text, place) if name and at else (text,)  # a label of the graph: name@file


def _may_lack(value: dict[str, Any], arguments: object) -> bool:
    """Whether an answer found nothing, or depends on files, which the index may lack."""
    depends_on_files = isinstance(arguments, dict) and not _FILES.isdisjoint(arguments)
    return value.get("results") == [] or value.get("found") is False or depends_on_files


def _told_error(error: Any, other: OtherRepository) -> Any:
    if not isinstance(error, dict):
        return f"{error}; it {other.what}: {other.remedy}"
    facts: dict[str, Any] = {"repository": other.root}
    facts |= {"same_file": other.same_file} if other.same_file else {}
    told = error | {"message": f"{error.get('message', '')}: it {other.what}", "remedy": other.remedy} | facts
    # what is like it in this repository would be mistaken for it
    return {name: fact for name, fact in told.items() if name not in ("paths", "candidates", "total_candidates")}


def _told_item(ctx: Context, item: Any) -> Any:
    """Return one of an answer's errors about paths, with the repository of its path."""
    if not isinstance(item, dict) or "message" not in item:
        return item
    other = other_repository(ctx, str(item.get("path", "")))
    return item | {"message": f"{item['message']}: it {other.what}; {other.remedy}"} if other else item


def _with(answer: Answer, fields: dict[str, Any]) -> Answer:
    return answer.with_value(answer.structured | fields)
