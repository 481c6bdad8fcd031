"""The editor of a client's file: it adds or removes our parts, copies the file first, records the edit, and restores
everything when a step fails.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from codeagentd.base import failpoints

from . import config_documents, edit_log, safe_files, skill_file
from .catalogue import Format
from .config_entries import Part
from .config_states import ABSENT, OURS
from .edit_log import Record, Records, digest
from .jsonc import Broken
from .safe_files import Changed, Original, Refused

ATTEMPTS: Final = 5  # clients write their files too; more collisions than this are a fault

INSTALLED: Final = "installed"
UPDATED: Final = "updated"
REMOVED: Final = "removed"
RESTORED: Final = "restored"  # removed, and the file is the same as before the installation to the byte
UNCHANGED: Final = "unchanged"
SHARED: Final = "shared"  # not removed, because another client uses it
LEFT: Final = "left"  # not removed, because somebody changed it


class Target(msgspec.Struct, frozen=True):
    """A file and the parts that belong in it; `root` is the project that must contain the file, "" for none.

    `is_whole`: the file is nothing but our part, so that it goes with it, and is left if somebody changed it.
    """

    path: str
    form: Format
    parts: tuple[Part, ...]
    root: str = ""
    is_whole: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """The result of an edit: the file's text before and after (None: no file), and the path of the copy ("" for
    none).
    """

    path: str
    done: str
    before: str | None = None
    after: str | None = None
    backup: str = ""


def install(target: Target, client: str, *, dry_run: bool = False) -> Outcome:
    """Put every part of `target` into its file, for `client`, and return the outcome. Errors: Refused; the file is then
    unchanged.
    """
    return _tried(lambda: _install(target, client, dry_run), target)


def uninstall(target: Target, client: str, *, dry_run: bool = False) -> Outcome:
    """Remove every part of `target` from its file, and return the outcome. If the file has not changed since the
    installation, its old content is restored to the byte, else only the parts are removed.

    Errors: Refused; the file is then unchanged.
    """
    return _tried(lambda: _uninstall(target, client, dry_run), target)


def _tried(edit: Callable[[], Outcome], target: Target) -> Outcome:
    for _ in range(ATTEMPTS):
        try:
            return edit()
        except Changed:
            continue
        except OSError as error:
            raise safe_files.refused(target.path, error) from None
    raise Refused(
        f"{target.path} is being written by somebody else again and again", remedy="close the client and try again"
    )


def _install(target: Target, client: str, dry_run: bool) -> Outcome:
    original = _opened(target)
    text = after = original.text
    created: list[tuple[str, ...]] = []
    for part in target.parts:
        created += part.containers_to_create(original, after)
        after = part.put(original, after)
    if after == text and original.content is not None:
        if not dry_run:
            _join(original, client)
        return Outcome(target.path, UNCHANGED, text, text)
    safe_files.check_writable(original)
    done = UPDATED if any(part.state(original, text) != ABSENT for part in target.parts) else INSTALLED
    before = None if original.content is None else text
    return Outcome(
        target.path, done, before, after, "" if dry_run else _write(target, original, client, after, created)
    )


def _write(target: Target, original: Original, client: str, after: str, created: Sequence[tuple[str, ...]]) -> str:
    """Copy the file, record the edit and replace the file. Returns the path of the copy. Errors: Changed; OSError; both
    leave everything unchanged.
    """
    edit_log.forget_unmade(original)
    known = edit_log.load()
    mode = safe_files.SHARED_FILE if target.root else safe_files.OWN_FILE
    content = original.encoded(after)
    old = known.get(original.real)
    same = edit_log.unchanged_record(old, original)
    place = "" if same else safe_files.backup_path(original)
    folders = safe_files.missing_folders(original)
    record = _joined(same or _new_record(target, original, old, place, folders), client, created)
    backup = ""
    try:
        # first of all, so that what a process leaves that is killed here is known to `uninstall`
        edit_log.save(known | {original.real: msgspec.structs.replace(record, after=digest(content))})
        failpoints.point("install.recorded")
        safe_files.make_folders(original, mode)
        backup = safe_files.back_up(original, place) if place else ""
        failpoints.point("install.copied")
        safe_files.replace(original, content, mode)
        failpoints.point("install.replaced")
    except BaseException:
        _undo(known, backup, folders)
        raise
    return backup


def _new_record(target: Target, original: Original, old: Record | None, backup: str, folders: Sequence[str]) -> Record:
    """The record of a file that this program edits for the first time, or that another program has edited since."""
    known = old or Record(created=original.content is None, folders=tuple(folders))
    without_us = all(part.state(original, original.text) != OURS for part in target.parts)
    return msgspec.structs.replace(known, before=digest(original.content) if without_us else None, backup=backup)


def _joined(record: Record, client: str, created: Sequence[tuple[str, ...]]) -> Record:
    return msgspec.structs.replace(
        record, clients=tuple(sorted({*record.clients, client})), made=tuple(dict.fromkeys([*record.made, *created]))
    )


def _undo(known: Records, backup: str, folders: Sequence[str]) -> None:
    with contextlib.suppress(OSError):
        edit_log.save(known)
    if backup:
        with contextlib.suppress(OSError):
            os.unlink(backup)
    safe_files.remove_folders(folders)


def _join(original: Original, client: str) -> None:
    """Record that one more client uses the parts that the file already contains."""
    known = edit_log.load()
    record = known.get(original.real)
    if record and client not in record.clients:
        edit_log.save(known | {original.real: _joined(record, client, ())})


def _uninstall(target: Target, client: str, dry_run: bool) -> Outcome:
    original = _opened(target)
    if not dry_run:
        edit_log.forget_unmade(original)
    if original.content is None:
        return Outcome(target.path, UNCHANGED)
    known = edit_log.load()
    record = known.get(original.real) or Record()
    text = original.text
    if others := tuple(name for name in record.clients if name != client):
        if client in record.clients and not dry_run:
            edit_log.save(known | {original.real: msgspec.structs.replace(record, clients=others)})
        return Outcome(target.path, SHARED, text, text)
    if record.clients and (exact := _exact(original, record)) is not None:
        return _restore(target, original, known, record, exact, dry_run)
    return _take_out(target, original, known, record, dry_run)


def _exact(original: Original, record: Record) -> bytes | None:
    """The content of the file before the installation, b"" for no file; None when it is not available, or when the file
    has changed since.
    """
    if record.before is None or record.after != digest(original.content):
        return None
    if not record.before:
        return b""
    try:
        content = safe_files.original(record.backup).content
    except Refused:
        return None
    return content if digest(content) == record.before else None


def _restore(
    target: Target, original: Original, known: Records, record: Record, exact: bytes, dry_run: bool
) -> Outcome:
    after = original._replace(content=exact).text if record.before else None
    if dry_run:
        return Outcome(target.path, RESTORED, original.text, after)
    safe_files.check_writable(original)
    if record.before:
        safe_files.replace(original, exact)
    else:
        safe_files.remove(original)
        safe_files.remove_folders(record.folders)
    edit_log.save(edit_log.without(known, original.real))
    if record.backup:
        with contextlib.suppress(OSError):
            os.unlink(record.backup)  # the file has its old content again, so the copy is not needed
    return Outcome(target.path, RESTORED, original.text, after)


def _take_out(target: Target, original: Original, known: Records, record: Record, dry_run: bool) -> Outcome:
    text = after = original.text
    for part in target.parts:
        after = part.drop(original, after)
    if after == text:
        return _leave(target, original, known, dry_run)
    after = _without_empty_containers(after, target.form, record)
    gone = (record.created or target.is_whole) and _is_blank(after)
    if dry_run:
        return Outcome(target.path, REMOVED, text, None if gone else after)
    safe_files.check_writable(original)
    backup = "" if gone else safe_files.back_up(original)
    try:
        _put_back(original, None if gone else original.encoded(after))
    except BaseException:
        if backup:
            os.unlink(backup)
        raise
    # without a record, the only folder that is certainly ours is the one that has our name
    folder = os.path.dirname(original.real)
    ours = record.folders or ((folder,) if target.is_whole and os.path.basename(folder) == skill_file.NAME else ())
    safe_files.remove_folders(ours if gone else ())
    edit_log.save(edit_log.without(known, original.real))
    return Outcome(target.path, REMOVED, text, None if gone else after, backup)


def _leave(target: Target, original: Original, known: Records, dry_run: bool) -> Outcome:
    """Leave a file that has nothing to remove. One that was wholly ours is its owner's now, since somebody changed it,
    so that its record goes.
    """
    text = original.text
    if not (target.is_whole and text):
        return Outcome(target.path, UNCHANGED, text, text)
    if original.real in known and not dry_run:
        edit_log.save(edit_log.without(known, original.real))
    return Outcome(target.path, LEFT, text, text)


def _put_back(original: Original, content: bytes | None) -> None:
    if content is None:
        safe_files.remove(original)
    else:
        safe_files.replace(original, content)


def _without_empty_containers(text: str, form: Format, record: Record) -> str:
    """The text without the containers that the installation created, if nothing else was put into them."""
    for keys in reversed(record.made):
        with contextlib.suppress(Broken):
            value: Any = config_documents.value_at(text, form, keys)
            text = config_documents.drop(text, form, keys) if value in ({}, []) else text
    return text


def _is_blank(text: str) -> bool:
    """Whether a text is blank or an empty object."""
    with contextlib.suppress(ValueError):
        return not text.strip() or json.loads(text) == {}
    return False


def _opened(target: Target) -> Original:
    original = safe_files.original(target.path)
    if target.root and not original.real.startswith(os.path.realpath(target.root) + os.sep):
        raise Refused(
            f"{target.path} leads out of the project, to {original.real}",
            remedy="remove the link, or edit that file yourself",
        )
    return original
