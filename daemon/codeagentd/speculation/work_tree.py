"""The throwaway tree: a commit's files, the files that differ in the work tree, a patch on top, and links to files that
are too large to copy.
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Final

from codeagent_protocol.errors import EngineUnavailable, InvalidParameter, TooLarge
from codeagentd.base.limits import MAX_OVERLAY_BYTES
from codeagentd.model.labels import clean
from codeagentd.model.speculation import Finished, Order
from codeagentd.scan.secret_files import is_secret_file
from codeagentd.secrets.redaction import redacted
from codeagentd.vcs import alternates

REASON: Final = 600  # characters of git's error message


class Tree:
    """The work tree of one order; `top` is the root for git, `folder` the part that the daemon serves."""

    def __init__(self, place: Path, order: Order) -> None:
        self.top = place / "tree"
        self.folder = self.top / order.prefix
        self._order = order
        self._links: list[str] = []
        self._index_before: alternates.IndexCopy | None = None

    def make(self) -> None:
        """Create the tree.

        Errors: engine_unavailable; invalid_parameter for a patch or link that does not fit; too_large.
        """
        order = self._order
        if reason := alternates.borrow(self.top, order.objects, order.shallow, order.commit):
            raise EngineUnavailable(
                f"the files of the commit cannot be had: {_reason_text(reason)}",
                remedy="a partial clone lacks objects: git fetch --refetch",
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        self._overlay()
        if order.patch and (reason := alternates.apply(self.folder, order.patch)):
            remedy = (
                "make it with `git diff`, with paths relative to the repository, "
                "against the work tree (or base, where that is passed)"
            )
            raise InvalidParameter(
                f"the patch does not apply: {_reason_text(reason)}", remedy=remedy, parameter="patch"
            )
        for path in order.links:
            self._link(path)
        self._index_before = alternates.copy_index(self.top / ".git")

    def files(self) -> list[str]:
        """Return the paths that differ from the commit."""
        return alternates.staged(self.folder, self._order.commit)

    def finished(self) -> Finished:
        """Return the paths that commands have changed; to be called when no command runs."""
        if self._index_before is None or not self.folder.is_dir():
            return Finished([], "the tree is gone, or its index was not readable")
        written, unknown = alternates.written(
            self.folder, self.top, self._order.commit, self._order.objects, self._index_before
        )
        return Finished([path for path in written if path not in self._links], _reason_text(unknown))

    def _overlay(self) -> None:
        left = MAX_OVERLAY_BYTES
        root = Path(self._order.root)
        for path in self._order.changed:
            left -= self._copy(root / path, path)
            if left < 0:
                raise TooLarge(
                    f"what differs from the commit has more than {MAX_OVERLAY_BYTES:,} bytes",
                    remedy="ignore built files, or commit",
                    limit=MAX_OVERLAY_BYTES,
                )
        if self._order.changed and (reason := alternates.stage(self.folder)):
            raise EngineUnavailable(
                f"the work tree cannot be copied: {_reason_text(reason)}", remedy="`git status` may say why"
            )

    def _copy(self, source: Path, path: str) -> int:
        """Copy a file of the work tree. Returns its size in bytes.

        A file that git does not track and that contains secrets is not copied.
        """
        target = self.folder / path
        try:
            result = os.lstat(source)
        except OSError:
            if os.path.lexists(target):
                _remove(target)
            return 0
        if not (stat.S_ISREG(result.st_mode) or stat.S_ISLNK(result.st_mode)) or (
            is_secret_file(path) and not os.path.lexists(target)
        ):
            return 0
        self._replace_links(path)
        shutil.copy2(source, target, follow_symlinks=False)
        return result.st_size

    def _replace_links(self, path: str) -> None:
        """Replace links by real folders on the way to a path: no link of the commit may lead out of the tree."""
        place = self.folder
        for part in path.split("/")[:-1]:
            place = place / part
            if place.is_symlink() or (place.exists() and not place.is_dir()):
                place.unlink()
            place.mkdir(exist_ok=True)
        if os.path.lexists(self.folder / path):
            _remove(self.folder / path)

    def _link(self, path: str) -> None:
        if any(part.lower() == ".git" for part in path.split("/")):
            raise InvalidParameter(
                f"link: {clean(path)} is git's own",
                remedy="link only what git ignores, such as node_modules",
                parameter="link",
            )
        if os.path.lexists(self.folder / path):
            raise InvalidParameter(
                f"link: {clean(path)} is part of the tree itself",
                remedy="link only what git ignores, such as node_modules",
                parameter="link",
            )
        self._replace_links(path)
        (self.folder / path).symlink_to(Path(self._order.root) / path)
        self._links.append(path)


def remove(folder: Path) -> None:
    """Remove `folder`, even if commands have removed the permission to do so."""
    for place, inner, _ in os.walk(folder):
        for name in inner:
            path = os.path.join(place, name)
            if not os.path.islink(path):
                os.chmod(path, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _reason_text(reason: str) -> str:
    return clean(redacted(" ".join(reason.split())[:REASON]))
